package external

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"qipu/engine"
)

// talking returns a child without a process that says some lines, each when it is heard.
func talking(t *testing.T, lines ...string) *child {
	c := &child{told: make(chan string, maxTold), lines: make(chan string), gone: make(chan struct{}), deaf: make(chan struct{}), quit: make(chan struct{})}
	go func() {
		for _, line := range lines {
			select {
			case c.lines <- line:
			case <-t.Context().Done():
				return
			}
		}
	}()
	return c
}

// TestHearLate: an answer that came in time counts, though who listens was busy until the
// time was over.
func TestHearLate(t *testing.T) {
	for range 20 { // of two things that are ready, any may be taken
		synctest.Test(t, func(t *testing.T) {
			c := talking(t, "info", "bestmove")
			err := c.hear(t.Context(), "go", time.Second, func(line string) (heard, error) {
				if line == "bestmove" {
					return done, nil
				}
				time.Sleep(time.Minute) // a reader of the news that is slow
				return news, nil
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		err := talking(t).hear(t.Context(), "go", time.Second, ignore)
		var late *silence
		if took := time.Since(began); !errors.As(err, &late) || took != time.Second+onTheWay {
			t.Errorf("a child that says nothing: %v after %v", err, took)
		}
	})
}

// TestHearDeaf: a child that has closed its input may have answered before.
func TestHearDeaf(t *testing.T) {
	for range 20 {
		synctest.Test(t, func(t *testing.T) {
			c := talking(t, "info", "bestmove")
			c.stops = errors.New("broken pipe")
			close(c.deaf)
			last := func(line string) (heard, error) {
				if line == "bestmove" {
					return done, nil
				}
				return nothing, nil
			}
			if err := c.hear(t.Context(), "go", time.Minute, last); err != nil {
				t.Error(err)
			}
			if err := c.hear(t.Context(), "go", time.Minute, last); err == nil || !strings.Contains(err.Error(), "closed its input") {
				t.Errorf("a child that does not listen: %v", err)
			}
		})
	}
}

// TestHearFirst: the first line of a thought counts though it comes behind the time of the
// thought, and nothing is waited for behind it.
func TestHearFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := talking(t)
		h := &host{child: c, o: &Options{Patience: time.Minute}}
		d := &draft{q: &question{}}
		go func() {
			time.Sleep(30 * time.Second)
			c.lines <- "info"
		}()
		began := time.Now()
		err := h.hearFirst(t.Context(), "analyse", time.Second, d, func(string) (heard, error) {
			d.put(0, engine.Line{})
			return news, nil
		})
		if took := time.Since(began); err != nil || took != 30*time.Second {
			t.Errorf("%v after %v", err, took)
		}
		var late *silence
		if err := h.hearFirst(t.Context(), "analyse", time.Second, d, ignore); !errors.As(err, &late) {
			t.Errorf("with a line: %v", err)
		}
	})
}
