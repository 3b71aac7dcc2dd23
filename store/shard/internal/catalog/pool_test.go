package catalog

import (
	"path/filepath"
	"sync"
	"testing"
	"time"

	"qipu/internal/testkit"
)

// TestPool: however many read at once, about maxOpen connections are open, and readers
// that hold one while they ask for another do not wait for each other for ever.
func TestPool(t *testing.T) {
	file := filepath.Join(t.TempDir(), "catalog.db")
	w, err := dial(dsn(file, "mode", "rwc"))
	if err != nil {
		t.Fatal(err)
	}
	defer w.close()
	if err := w.script(t.Context(), "CREATE TABLE t (x INTEGER) STRICT; INSERT INTO t VALUES (7)"); err != nil {
		t.Fatal(err)
	}
	p := &pool{dsn: dsn(file, "mode", "ro"), patience: testkit.Patience}
	look := func(c *conn) {
		if n, ok, err := c.number(t.Context(), "SELECT x FROM t"); n != 7 || !ok || err != nil {
			t.Error(n, ok, err)
		}
	}
	var all sync.WaitGroup
	for range 1000 {
		all.Go(func() {
			c, err := p.get()
			if err != nil {
				t.Error(err)
				return
			}
			look(c)
			p.put(c)
		})
	}
	all.Wait()
	if p.open > maxIdle || len(p.idle) != p.open || len(p.waiting) != 0 {
		t.Errorf("%d open, %d idle, %d wait at rest", p.open, len(p.idle), len(p.waiting))
	}
	p.patience = time.Millisecond
	var held sync.WaitGroup
	held.Add(maxOpen)
	for range maxOpen {
		all.Go(func() {
			outer, err := p.get()
			held.Done()
			if err != nil {
				t.Error(err)
				return
			}
			held.Wait() // by now all of them are in use
			inner, err := p.get()
			if err != nil {
				t.Error(err)
				return
			}
			look(inner)
			p.put(inner)
			look(outer)
			p.put(outer)
		})
	}
	all.Wait()
	if p.open > maxIdle || len(p.idle) != p.open {
		t.Errorf("%d open, %d idle after nested readers", p.open, len(p.idle))
	}
	if err := p.close(); err != nil || p.open != 0 {
		t.Errorf("%d open after closing: %v", p.open, err)
	}
}
