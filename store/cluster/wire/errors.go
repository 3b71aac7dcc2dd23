package wire

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"syscall"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"

	"qipu/store"
)

// DownError tells that a server cannot be talked to.
type DownError struct {
	Host  string
	fresh bool // the connection was not even made, or the server hangs: no use to try again at once
	Err   error
}

func (e *DownError) Error() string { return fmt.Sprintf("%s does not answer: %v", e.Host, e.Err) }
func (e *DownError) Unwrap() error { return e.Err }

// timeoutError tells that a statement took too long on a server that is well.
type timeoutError struct {
	host  string
	limit time.Duration
}

func (e *timeoutError) Error() string {
	return fmt.Sprintf("%s did not finish within %v: ask for less, or allow more by ?timeout= of the address", e.host, e.limit.Round(time.Second/10))
}

func (e *timeoutError) Timeout() bool { return true }

// refusal is what a server said instead of an answer.
type refusal struct {
	host    string
	code    int32
	message string
}

func (e *refusal) Error() string {
	switch e.code {
	case codeUnknownUser, codeWrongPassword, codeNoPassword, codeAuthentication:
		return fmt.Sprintf("%s refuses the user or the password: set %s, or name a file by ?password-file=FILE", e.host, PasswordVariable)
	}
	return fmt.Sprintf("%s says: %s (code %d)", e.host, e.message, e.code)
}

// The codes of servers that are told apart.
const (
	CodeUnknownTable    = 60
	CodeUnknownDatabase = 81
	codeTimeout         = 159
	codeUnknownUser     = 192
	codeWrongPassword   = 193
	codeNoPassword      = 194
	codeTooManyQueries  = 202
	codeNoZooKeeper     = 225
	codeAborted         = 236
	codeReadOnly        = 242
	codeTooManyParts    = 252
	codeFewReplicas     = 285
	codeQuorum          = 286
	codeUnknownStatus   = 319
	codeAuthentication  = 516
	codeKeeper          = 999
)

// IsDown reports whether an error is about the way to a server and not about
// what it was asked.
func IsDown(err error) bool {
	var down *DownError
	var shard *store.UnreachableError
	return errors.As(err, &down) || errors.As(err, &shard)
}

// TakesNoWrites reports whether a server takes no writes for now: it has no
// ZooKeeper, or more to do than it can. Whoever waits may try again.
func TakesNoWrites(err error) bool {
	switch Code(err) {
	case codeReadOnly, codeAborted, codeNoZooKeeper, codeKeeper, codeFewReplicas, codeQuorum, codeTooManyParts, codeTooManyQueries, codeUnknownStatus:
		return true
	}
	return false
}

// IsTimeout reports whether a statement took too long.
func IsTimeout(err error) bool {
	var t *timeoutError
	return errors.As(err, &t)
}

// Code returns what a server calls an error, or 0.
func Code(err error) int32 {
	var r *refusal
	if errors.As(err, &r) {
		return r.code
	}
	return 0
}

// Understand turns an error of the driver into one of ours.
func Understand(host string, err error) error {
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	var e *clickhouse.Exception
	if errors.As(err, &e) {
		return &refusal{host: host, code: e.Code, message: Brief(e.Message)}
	}
	var dial *dialError
	if errors.As(err, &dial) {
		return &DownError{Host: host, fresh: true, Err: dial.err}
	}
	var op *net.OpError
	for _, known := range []error{io.EOF, io.ErrUnexpectedEOF, net.ErrClosed, syscall.EPIPE, syscall.ECONNRESET, clickhouse.ErrConnectionClosed} {
		if errors.Is(err, known) || errors.As(err, &op) {
			return &DownError{Host: host, Err: fmt.Errorf("the connection broke: %w", err)}
		}
	}
	// The driver has no names for these: it was closed while it read or wrote.
	if text := err.Error(); strings.Contains(text, "closed connection") || strings.Contains(text, "reader is nil") {
		return &DownError{Host: host, Err: fmt.Errorf("the connection broke: %w", err)}
	}
	return fmt.Errorf("%s: %w", host, err)
}

// Brief returns the first line of what a server says, without what only its
// makers want to know.
func Brief(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	for _, end := range []string{", e.what()", " (version ", "Stack trace"} {
		s, _, _ = strings.Cut(s, end)
	}
	s = strings.TrimPrefix(strings.TrimSpace(s), "DB::Exception: ")
	if r := []rune(s); len(r) > 300 {
		s = string(r[:300]) + "..."
	}
	return s
}
