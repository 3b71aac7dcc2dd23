package catalog

import (
	"cmp"
	"context"
	"database/sql/driver"
	"errors"
	"io"
	"net/url"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"modernc.org/sqlite"

	"qipu/store"
)

// conn is one connection with its prepared statements. It is used by one
// goroutine at a time.
//
// It stands directly on the driver: database/sql would add about two
// microseconds and a handful of allocations to every statement, as much as
// storing a row costs.
type conn struct {
	dc    driver.Conn
	stmts map[string]driver.Stmt // by their text; texts are constants of this package
	args  []driver.NamedValue
}

// dsn returns the address of a database file for SQLite. Slashes and drive
// letters of Windows become "/C:/...", and everything odd is escaped.
func dsn(file string, params ...string) string {
	path := filepath.ToSlash(file)
	if path == "" || path[0] != '/' {
		path = "/" + path
	}
	u := url.URL{Scheme: "file", Path: path}
	q := url.Values{"_pragma": {"busy_timeout(10000)", "foreign_keys(1)"}}
	for i := 0; i+1 < len(params); i += 2 {
		q.Add(params[i], params[i+1])
	}
	u.RawQuery = q.Encode()
	return u.String()
}

func dial(dsn string) (*conn, error) {
	dc, err := new(sqlite.Driver).Open(dsn)
	if err != nil {
		return nil, explain(err)
	}
	return &conn{dc: dc, stmts: map[string]driver.Stmt{}}, nil
}

func (c *conn) close() error {
	for _, s := range c.stmts {
		s.Close()
	}
	return c.dc.Close()
}

// prepare returns the statement of a text, made once.
func (c *conn) prepare(text string) (driver.Stmt, error) {
	if s := c.stmts[text]; s != nil {
		return s, nil
	}
	s, err := c.dc.Prepare(text)
	if err != nil {
		return nil, err
	}
	c.stmts[text] = s
	return s, nil
}

// named returns arguments in the form that the driver wants. The result is
// good until the next call.
func (c *conn) named(args []driver.Value) []driver.NamedValue {
	for len(c.args) < len(args) {
		c.args = append(c.args, driver.NamedValue{Ordinal: len(c.args) + 1})
	}
	for i, a := range args {
		c.args[i].Value = a
	}
	return c.args[:len(args)]
}

// exec runs a prepared statement and returns how many rows it changed.
func (c *conn) exec(ctx context.Context, text string, args ...driver.Value) (int64, error) {
	s, err := c.prepare(text)
	if err != nil {
		return 0, err
	}
	r, err := s.(driver.StmtExecContext).ExecContext(ctx, c.named(args))
	if err != nil {
		return 0, err
	}
	return r.RowsAffected()
}

// script runs statements that are needed once.
func (c *conn) script(ctx context.Context, text string) error {
	_, err := c.dc.(driver.ExecerContext).ExecContext(ctx, text, nil)
	return err
}

// errStop ends each without an error.
var errStop = errors.New("stop")

// each runs a prepared query. The row is good for one call of f; texts and
// blobs in it stay.
func (c *conn) each(ctx context.Context, text string, f func(row []driver.Value) error, args ...driver.Value) error {
	s, err := c.prepare(text)
	if err != nil {
		return err
	}
	rows, err := s.(driver.StmtQueryContext).QueryContext(ctx, c.named(args))
	if err != nil {
		return err
	}
	return drain(ctx, rows, f)
}

// eachOnce is each for a text that does not come again.
func (c *conn) eachOnce(ctx context.Context, text string, f func(row []driver.Value) error) error {
	rows, err := c.dc.(driver.QueryerContext).QueryContext(ctx, text, nil)
	if err != nil {
		return err
	}
	return drain(ctx, rows, f)
}

func drain(ctx context.Context, rows driver.Rows, f func(row []driver.Value) error) error {
	defer rows.Close()
	row := make([]driver.Value, len(rows.Columns()))
	for n := 1; ; n++ {
		if n%1024 == 0 && ctx.Err() != nil { // the driver heeds it only before the first row
			return ctx.Err()
		}
		switch err := rows.Next(row); {
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		}
		if err := f(row); err == errStop {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// number runs a query whose answer is one number.
func (c *conn) number(ctx context.Context, text string, args ...driver.Value) (n int64, ok bool, err error) {
	err = c.each(ctx, text, func(row []driver.Value) error {
		n, ok = row[0].(int64)
		return errStop
	}, args...)
	return n, ok, err
}

// pool holds connections for reading, and keeps a few of them. Where many are in use
// it waits for one to come back, so that however many readers there are, about
// maxOpen files are open: SQLite keeps the descriptors of closed connections while
// others read. It does not wait for ever, since an iteration may hold a
// connection while its body asks for another one.
type pool struct {
	dsn      string
	patience time.Duration // maxPatience where it is 0

	mu      sync.Mutex
	idle    []*conn
	waiting []chan *conn // the oldest first; each has room for one
	open    int          // in use or idle
	closed  bool
}

const (
	maxIdle     = 8
	maxOpen     = 64
	maxPatience = time.Second
)

func (p *pool) get() (*conn, error) {
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return nil, store.ErrClosed
	}
	if n := len(p.idle); n > 0 {
		c := p.idle[n-1]
		p.idle = p.idle[:n-1]
		p.mu.Unlock()
		return c, nil
	}
	if p.open >= maxOpen {
		if c := p.wait(); c != nil {
			return c, nil
		}
		p.mu.Lock()
	}
	p.open++
	p.mu.Unlock()
	c, err := dial(p.dsn)
	if err != nil {
		p.mu.Lock()
		p.open--
		p.mu.Unlock()
	}
	return c, err
}

// wait returns the next connection that comes back, or nil where none does. It
// unlocks mu, which is held.
func (p *pool) wait() *conn {
	in := make(chan *conn, 1)
	p.waiting = append(p.waiting, in)
	p.mu.Unlock()
	timer := time.NewTimer(cmp.Or(p.patience, maxPatience))
	defer timer.Stop()
	select {
	case c := <-in:
		return c
	case <-timer.C:
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if i := slices.Index(p.waiting, in); i >= 0 {
		p.waiting = slices.Delete(p.waiting, i, i+1)
		return nil
	}
	return <-in // it came at the last moment
}

func (p *pool) put(c *conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case len(p.waiting) > 0 && !p.closed:
		p.waiting[0] <- c
		p.waiting = slices.Delete(p.waiting, 0, 1)
	case p.closed || len(p.idle) >= maxIdle:
		p.open--
		c.close()
	default:
		p.idle = append(p.idle, c)
	}
}

func (p *pool) close() (err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	for _, c := range p.idle {
		err = errors.Join(err, c.close())
	}
	p.open -= len(p.idle)
	p.idle = nil
	return err
}
