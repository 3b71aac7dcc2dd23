package wire

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"math"
	"net"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"
)

const (
	// DialTimeout is how long a server may take to say hello.
	DialTimeout = 2 * time.Second

	// connections is how many statements one client has at one server at a time;
	// others wait.
	connections = 8

	// QuerySize is how long a statement may be: lists of numbers stand in it. And
	// queryParts is of how many parts: old servers count each number of a list as
	// one, and take 50,000 where nothing else is said.
	QuerySize  = 16 << 20
	queryParts = 1 << 21
)

// Dialer makes a line to a server. It does not talk to it yet.
type Dialer func(host, database string) (Conn, error)

// native is a conn in ClickHouse's own protocol, over several connections.
type native struct {
	host    string
	timeout time.Duration
	secure  *tls.Config // nil for none
	options clickhouse.Options
	db      clickhouse.Conn
	slots   chan struct{} // the driver gives up after dialTimeout where all connections are in use
	dials   atomic.Int64

	gathering atomic.Int32 // 0 unknown, 1 no, 2 yes: see gathers
}

var _ Conn = (*native)(nil)

// Dial returns the dialer of a configuration.
func (c *Config) Dial() (Dialer, error) {
	secure, err := c.trust()
	if err != nil {
		return nil, err
	}
	password := ""
	if c.password != nil {
		password = *c.password
	}
	return func(host, database string) (Conn, error) {
		n := &native{host: host, timeout: c.Timeout, secure: secure, slots: make(chan struct{}, connections)}
		if n.timeout <= 0 {
			n.timeout = DefaultTimeout
		}
		n.options = clickhouse.Options{
			Addr: []string{host},
			Auth: clickhouse.Auth{Database: database, Username: c.User, Password: password},
			DialContext: func(ctx context.Context, addr string) (net.Conn, error) {
				if ctx.Value(uncountedKey{}) == nil {
					n.dials.Add(1)
				}
				return n.Connect(ctx, addr)
			},
			DialTimeout: DialTimeout,
			ReadTimeout: time.Hour, // every statement has a limit of its own
			Compression: &clickhouse.Compression{Method: clickhouse.CompressionLZ4},
			Settings:    clickhouse.Settings{"max_query_size": QuerySize, "max_ast_elements": queryParts, "max_expanded_ast_elements": queryParts},
			// One more than statements: the driver frees its place a moment late.
			MaxOpenConns: connections + 1, MaxIdleConns: connections,
		}
		var err error
		if n.db, err = clickhouse.Open(&n.options); err != nil {
			return nil, fmt.Errorf("cluster: %s: %w", host, err)
		}
		return n, nil
	}, nil
}

// trust returns how to encrypt, or nil.
func (c *Config) trust() (*tls.Config, error) {
	if !c.TLS {
		return nil, nil
	}
	t := &tls.Config{MinVersion: tls.VersionTLS12}
	if c.CA == "" {
		return t, nil
	}
	text, err := os.ReadFile(c.CA)
	if err != nil {
		return nil, fmt.Errorf("cluster: the file of ca=: %w", err)
	}
	if t.RootCAs, err = x509.SystemCertPool(); err != nil {
		t.RootCAs = x509.NewCertPool()
	}
	if !t.RootCAs.AppendCertsFromPEM(text) {
		return nil, fmt.Errorf("cluster: the file of ca= has no certificate: %s", c.CA)
	}
	return t, nil
}

// dialError tells that a connection was not made.
type dialError struct{ err error }

func (e *dialError) Error() string { return e.err.Error() }
func (e *dialError) Unwrap() error { return e.err }

// Connect makes a connection.
func (n *native) Connect(until context.Context, addr string) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(until, DialTimeout)
	defer cancel()
	var d net.Dialer
	raw, err := d.DialContext(ctx, "tcp", addr)
	if err != nil {
		return nil, &dialError{plain(err)}
	}
	c := &line{TCPConn: raw.(*net.TCPConn), limit: n.timeout}
	// The driver says hello without looking at the context.
	c.greeted = context.AfterFunc(until, func() { c.Close() })
	if n.secure == nil {
		return c, nil
	}
	host, _, _ := net.SplitHostPort(addr)
	t := n.secure.Clone()
	t.ServerName = host
	s := tls.Client(c, t)
	if err := s.HandshakeContext(ctx); err != nil {
		c.Close()
		var cert *tls.CertificateVerificationError
		if errors.As(err, &cert) {
			return nil, fmt.Errorf("its certificate is not trusted: %w: name a file of certificates by ?ca=FILE", cert.Err)
		}
		return nil, &dialError{fmt.Errorf("no encrypted connection: %w", plain(err))}
	}
	return s, nil
}

// plain takes from an error of the network what repeats the address.
func plain(err error) error {
	var op *net.OpError
	if errors.As(err, &op) {
		if op.Timeout() {
			return errors.New("time is up")
		}
		return op.Err
	}
	return err
}

// line is a connection whose writes end. The driver bounds what it reads and not
// what it writes, and a server that hangs takes only what its buffers hold.
type line struct {
	*net.TCPConn
	limit   time.Duration
	greeted func() bool // called when the first bytes come: until then it ends with who made it
}

func (l *line) Read(b []byte) (int, error) {
	n, err := l.TCPConn.Read(b)
	if n > 0 {
		l.greeted()
	}
	return n, err
}

func (l *line) Write(b []byte) (int, error) {
	if err := l.SetWriteDeadline(time.Now().Add(l.limit)); err != nil {
		return 0, err
	}
	return l.TCPConn.Write(b)
}

// limitKey is that of withLimit in a context.
type limitKey struct{}

// WithLimit returns a context in which a statement may take as long as is said
// instead of what the configuration says.
func WithLimit(ctx context.Context, d time.Duration) context.Context {
	return context.WithValue(ctx, limitKey{}, d)
}

// uncountedKey is that of uncounted in a context.
type uncountedKey struct{}

// uncounted returns a context in which connections are made that made does not
// count: those of whoever makes sure that a server has everything.
func uncounted(ctx context.Context) context.Context {
	return context.WithValue(ctx, uncountedKey{}, true)
}

// quorumKey is that of withQuorum in a context.
type quorumKey struct{}

// quorumTimeout is how long a server waits for others to take what was inserted.
const quorumTimeout = 10 * time.Second

// withQuorum returns a context in which an insert is done when so many replicas
// have it: what one of them was told alone would be missed when it dies, and
// others would wait for it.
func withQuorum(ctx context.Context, replicas int) context.Context {
	return context.WithValue(ctx, quorumKey{}, replicas)
}

// repeatedKey is that of withRepeats in a context.
type repeatedKey struct{}

// WithRepeats returns a context in which replicas take blocks that they have had
// before: where those were removed since, they would be missed.
func WithRepeats(ctx context.Context) context.Context {
	return context.WithValue(ctx, repeatedKey{}, true)
}

// do runs a statement under its limit, at most so many at a time, and tells what
// an error means.
func (n *native) do(ctx context.Context, run func(ctx context.Context) error) error {
	select {
	case n.slots <- struct{}{}:
		defer func() { <-n.slots }()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	limit := n.timeout
	if d, ok := ctx.Value(limitKey{}).(time.Duration); ok {
		limit = d
	}
	inner, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	left := limit
	if end, ok := inner.Deadline(); ok {
		left = time.Until(end)
	}
	seconds := max(1, int(math.Ceil(left.Seconds())))
	// Servers do not stop SYSTEM SYNC REPLICA by the first of these, nor when the
	// client hangs up, but by the second, except for old ones: see mostSyncs.
	settings := clickhouse.Settings{"max_execution_time": seconds, "receive_timeout": seconds}
	if n.gathering.Load() == 2 {
		settings["async_insert"] = 0
	}
	if replicas, ok := ctx.Value(quorumKey{}).(int); ok {
		settings["insert_quorum"], settings["insert_quorum_timeout"] = replicas, int(quorumTimeout/time.Millisecond)
	}
	if ctx.Value(repeatedKey{}) != nil {
		settings["insert_deduplicate"] = 0
	}
	err := run(clickhouse.Context(inner, clickhouse.WithSettings(settings)))
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case strings.HasPrefix(err.Error(), "handshake: "): // as the driver says it
		return &DownError{Host: n.host, fresh: true, Err: errors.New("it takes connections and says nothing")}
	}
	// The driver's own limits are the same, and may be reached a moment earlier.
	known := Understand(n.host, err)
	var late net.Error
	if inner.Err() == nil && Code(known) != codeTimeout && !(errors.As(err, &late) && late.Timeout()) {
		return known
	}
	if n.ping(ctx) != nil {
		return &DownError{Host: n.host, fresh: true, Err: fmt.Errorf("it hangs: nothing came within %v", limit)}
	}
	return &timeoutError{host: n.host, limit: limit}
}

// asyncSince is the version from which on servers know the setting async_insert.
const asyncSince = 22

// gathers finds out whether the server may put the inserts of several writers into
// one block, where ours are to be blocks of their own. Older ones do not know the
// setting that forbids it. It is asked once.
func (n *native) gathers(ctx context.Context) error {
	if n.gathering.Load() != 0 {
		return nil
	}
	var version string
	err := n.Query(ctx, "SELECT version() AS version", func() error { return nil }, &version)
	if err != nil {
		return err
	}
	n.gathering.Store(1)
	text, _, _ := strings.Cut(version, ".")
	if major, _ := strconv.Atoi(text); major >= asyncSince {
		n.gathering.Store(2)
	}
	return nil
}

// ping asks a server on a connection of its own whether it is there.
func (n *native) ping(ctx context.Context) error {
	o := n.options
	o.DialContext, o.MaxOpenConns, o.MaxIdleConns = n.Connect, 1, 1
	db, err := clickhouse.Open(&o)
	if err != nil {
		return err
	}
	defer db.Close()
	ctx, cancel := context.WithTimeout(ctx, DialTimeout)
	defer cancel()
	return Understand(n.host, db.Ping(ctx))
}

// made counts the connections that statements were sent over: where it has grown,
// the server may have been away.
func (n *native) made() int64 { return n.dials.Load() }

// onceMore runs a statement again whose connection broke before anything came of
// it: a busy server ends connections now and then. One that is dead takes no new
// one, which is told at once. What exec runs may run twice.
func (n *native) onceMore(ctx context.Context, run func() (came bool, err error)) error {
	for pause := 20 * time.Millisecond; ; pause *= 5 {
		came, err := run()
		var down *DownError
		if came || !errors.As(err, &down) || down.fresh || pause > time.Second {
			return err
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

func (n *native) Exec(ctx context.Context, sql string) error {
	return n.onceMore(ctx, func() (bool, error) {
		return false, n.do(ctx, func(ctx context.Context) error { return n.db.Exec(ctx, sql) })
	})
}

func (n *native) Query(ctx context.Context, sql string, row func() error, dest ...any) error {
	return n.onceMore(ctx, func() (came bool, err error) {
		err = n.queryOnce(ctx, sql, func() error { came = true; return row() }, dest...)
		return came, err
	})
}

func (n *native) queryOnce(ctx context.Context, sql string, row func() error, dest ...any) error {
	var stopped error // of row, which is nothing that the server said
	err := n.do(ctx, func(ctx context.Context) error {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		rows, err := n.db.Query(ctx, sql)
		if err != nil {
			return err
		}
		defer func() {
			cancel() // the driver reads a statement to its end otherwise
			rows.Close()
		}()
		for rows.Next() {
			if err := rows.Scan(dest...); err != nil {
				return err
			}
			if stopped = row(); stopped != nil {
				return nil
			}
		}
		return rows.Err()
	})
	if stopped != nil {
		return stopped
	}
	return err
}

// sending is the context of a batch that is sent. The driver looks on in a goroutine
// whether it is over, and closes the connection then: a context that is over as soon as
// the batch is there may have it close one that somebody else has got by now. This one
// is over only where its end comes before that of the batch.
type sending struct {
	context.Context
	done chan struct{}
}

func (s *sending) Done() <-chan struct{} { return s.done }

func (n *native) Insert(ctx context.Context, table string, names []string, columns []any) error {
	if err := n.gathers(ctx); err != nil {
		return err
	}
	return n.do(ctx, func(ctx context.Context) error {
		whole := &sending{ctx, make(chan struct{})}
		defer context.AfterFunc(ctx, func() { close(whole.done) })()
		b, err := n.db.PrepareBatch(whole, "INSERT INTO "+table+" ("+strings.Join(names, ", ")+")")
		if err != nil {
			return err
		}
		for i, values := range columns {
			if err := b.Column(i).Append(values); err != nil {
				b.Abort()
				return fmt.Errorf("column %s: %w", names[i], err)
			}
		}
		return b.Send()
	})
}

func (n *native) Close() error { return n.db.Close() }
