package chdb

import (
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// engine is what a process has one of. Its lock is held as long as a session
// lives.
var engine struct {
	sync.Mutex
	*functions
}

// Session is the engine over one folder.
type Session struct {
	dir string

	mu    sync.Mutex
	conns map[*Conn]bool
	keep  *uintptr // holds the engine between connections
}

// Open starts the engine over a folder, which keeps what was written: a later
// session may open it again. It waits for the session before, so a test that has
// one must not open another; it ends with the test. Where there is no library the
// test is skipped.
func Open(t testing.TB, dir string) *Session {
	t.Helper()
	path := library(t)
	engine.Lock()
	s := &Session{dir: dir, conns: map[*Conn]bool{}}
	t.Cleanup(s.close)
	if engine.functions == nil {
		f, err := load(path)
		if err != nil {
			t.Fatal(err)
		}
		engine.functions = f
	}
	keep, err := s.connect()
	if err != nil {
		t.Fatal(err)
	}
	s.keep = keep
	return s
}

// close ends the session: connections that are open fail from now on.
func (s *Session) close() {
	s.mu.Lock()
	open := s.conns
	s.conns = nil
	s.mu.Unlock()
	for c := range open {
		c.end()
	}
	if s.keep != nil {
		engine.close(s.keep)
	}
	engine.Unlock()
}

func (s *Session) connect() (*uintptr, error) {
	dir, err := filepath.Abs(s.dir)
	if err != nil {
		return nil, fmt.Errorf("chdb: %w", err)
	}
	var argv []*byte
	for _, arg := range []string{"clickhouse", "--path=" + dir} {
		text := append([]byte(arg), 0)
		argv = append(argv, &text[0])
	}
	c := engine.connect(int32(len(argv)), argv)
	if c == nil || *c == 0 {
		return nil, fmt.Errorf("chdb: the engine does not start in %s: is it in use, or does it hold other files?", dir)
	}
	return c, nil
}

// Conn returns a connection whose database is the one named; "" for the one that
// every folder has. What SET changes holds for this connection alone. The caller
// closes it; the end of the session does too.
func (s *Session) Conn(database string) (*Conn, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.conns == nil {
		return nil, errEnded
	}
	handle, err := s.connect()
	if err != nil {
		return nil, err
	}
	c := &Conn{session: s, handle: handle}
	if database != "" {
		if _, err := c.run("USE `" + strings.ReplaceAll(database, "`", "``") + "`"); err != nil {
			c.end()
			return nil, err
		}
	}
	s.conns[c] = true
	return c, nil
}
