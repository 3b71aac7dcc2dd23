package guard

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"os"
	"strconv"
	"time"
)

// ProblemType is the media type of a problem.
const ProblemType = "application/problem+json"

// Problem is an error as clients get it (RFC 9457). It is an error itself, and
// satisfies the interfaces by which huma takes an error as the answer:
// StatusError, ContentTypeFilter and HeadersError.
type Problem struct {
	Type      string       `json:"type" doc:"Always about:blank: the code tells the kind of the problem" example:"about:blank"`
	Title     string       `json:"title" doc:"The meaning of the status" example:"Not Found"`
	Status    int          `json:"status" doc:"HTTP status" example:"404"`
	Detail    string       `json:"detail,omitempty" doc:"What happened" example:"no record has the number 7"`
	Hint      string       `json:"hint,omitempty" doc:"What to do next"`
	Code      string       `json:"code,omitempty" doc:"A short stable word for the kind of the problem" example:"not-found"`
	RequestID string       `json:"requestId,omitempty" doc:"The id of the request in the log of the server"`
	Errors    []FieldError `json:"errors,omitempty" nullable:"false" doc:"Which parts of the request are at fault"`

	// Header holds headers that go with the problem, such as Retry-After.
	Header http.Header `json:"-"`
}

// FieldError tells of a part of a request that is at fault.
type FieldError struct {
	Field  string `json:"field" doc:"Where: query, path, header or body, and the name" example:"query.limit"`
	Detail string `json:"detail" doc:"What is wrong with it" example:"must be at most 1000"`
}

// NewProblem returns a problem with its type and title set.
func NewProblem(status int, code, detail, hint string) *Problem {
	p := &Problem{Status: status, Code: code, Detail: detail, Hint: hint}
	p.Fill(context.Background())
	return p
}

// With sets a header that goes with the problem, and returns it.
func (p *Problem) With(key, value string) *Problem {
	if p.Header == nil {
		p.Header = http.Header{}
	}
	p.Header.Set(key, value)
	return p
}

// After sets the header Retry-After to a wait, in whole seconds and at least
// one, and returns the problem.
func (p *Problem) After(d time.Duration) *Problem {
	return p.With("Retry-After", strconv.Itoa(max(1, int(math.Ceil(d.Seconds())))))
}

// Error returns what a person should read.
func (p *Problem) Error() string {
	s := p.Detail
	if s == "" {
		s = http.StatusText(p.Status)
	}
	if p.Hint != "" {
		s += " (" + p.Hint + ")"
	}
	return s
}

// GetStatus returns the HTTP status.
func (p *Problem) GetStatus() int { return p.Status }

// GetHeaders returns the headers that go with the problem.
func (p *Problem) GetHeaders() http.Header { return p.Header }

// ContentType returns the media type of a problem in place of that of an answer.
func (p *Problem) ContentType(string) string { return ProblemType }

// Fill sets the type, the title and the id of the request where they are
// missing. The context is that of the request.
func (p *Problem) Fill(ctx context.Context) {
	if p.Type == "" {
		p.Type = "about:blank"
	}
	if p.Status < 400 || p.Status > 599 {
		p.Status = http.StatusInternalServerError
	}
	if p.Title == "" {
		p.Title = http.StatusText(p.Status)
	}
	if p.RequestID == "" {
		p.RequestID = RequestID(ctx)
	}
}

// Write answers with the problem. Headers that belong to the answer that was
// meant, such as its ETag, are taken back. The problem is not changed.
func Write(w http.ResponseWriter, r *http.Request, p *Problem) {
	c := *p
	c.Fill(r.Context())
	h := w.Header()
	for _, k := range []string{"Content-Length", "Content-Encoding", "Content-Disposition", "Content-Range", "ETag", "Last-Modified", "Expires"} {
		h.Del(k)
	}
	h.Set("Content-Type", ProblemType)
	h.Set("Cache-Control", "no-store")
	for k, vs := range c.Header {
		h[k] = vs
	}
	w.WriteHeader(c.Status)
	// The fields are texts and numbers: this cannot fail. A client that has
	// gone does not matter.
	b, _ := json.Marshal(c)
	w.Write(append(b, '\n'))
}

// TooLarge turns the error of reading a body that is larger than allowed into
// its problem, with status 413, and reports whether it was one.
func TooLarge(err error) (*Problem, bool) {
	var e *http.MaxBytesError
	if !errors.As(err, &e) {
		return nil, false
	}
	return tooLarge(e.Limit), true
}

func tooLarge(limit int64) *Problem {
	return NewProblem(http.StatusRequestEntityTooLarge, "too-large",
		"the body of the request is larger than "+size(limit),
		"send it in smaller parts, or compressed where records are imported").With("Connection", "close")
}

// TooSlow turns the error of reading a body that came too slowly into its
// problem, with status 408, and reports whether it was one.
func TooSlow(err error) (*Problem, bool) {
	if !errors.Is(err, os.ErrDeadlineExceeded) {
		return nil, false
	}
	return NewProblem(http.StatusRequestTimeout, "too-slow",
		"the body of the request came too slowly or stopped coming",
		"try again over a better connection").With("Connection", "close"), true
}

// size writes a number of bytes for people.
func size(n int64) string {
	units := []string{"bytes", "KiB", "MiB", "GiB", "TiB"}
	i := 0
	for ; n >= 1024 && n%1024 == 0 && i < len(units)-1; i++ {
		n /= 1024
	}
	return fmt.Sprintf("%d %s", n, units[i])
}
