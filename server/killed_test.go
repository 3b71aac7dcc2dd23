package server

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"qipu"
	"qipu/engine/external/tricks"
	"qipu/internal/testkit"
	"qipu/server/api"
	"qipu/store"
	"qipu/view"
)

// Some tests need a server that can be killed: the test binary runs itself, and
// this variable tells it so.
const playVariable = "QIPU_TEST_PLAY_DIR"

func TestMain(m *testing.M) {
	tricks.Main()
	dir := os.Getenv(playVariable)
	if dir == "" {
		os.Exit(m.Run())
	}
	if err := victim(dir); err != nil {
		fmt.Fprintln(os.Stderr, "failed:", err)
		os.Exit(1)
	}
}

// victim serves a library, tells where, and waits for its end.
func victim(dir string) error {
	ctx := context.Background()
	lib, err := qipu.Open(ctx, dir, qipu.Options{Create: true})
	// The system may free the lock of a process a moment after its end was told.
	var locked *store.LockedError
	for end := time.Now().Add(testkit.Patience); errors.As(err, &locked) && time.Now().Before(end); {
		time.Sleep(10 * time.Millisecond)
		lib, err = qipu.Open(ctx, dir, qipu.Options{})
	}
	if err != nil {
		return err
	}
	s, err := New(ctx, lib, Options{Log: slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError}))})
	if err != nil {
		return err
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Println("http://" + l.Addr().String())
	return s.Serve(ctx, l)
}

// startVictim starts a server of its own, and returns its address and how to
// kill it.
func startVictim(t *testing.T, dir string) (base string, kill func()) {
	t.Helper()
	c := testkit.Process(os.Args[0])
	c.Env, c.Stderr = append(os.Environ(), playVariable+"="+dir), os.Stderr
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	kill = func() {
		c.Process.Kill()
		c.Wait()
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		kill()
		t.Fatal(err)
	}
	return strings.TrimSpace(line), kill
}

// TestKilled: a server that is killed in the middle of games goes on with each of
// them where it was. No move that was acknowledged is lost, an engine that was
// thinking thinks again, and every game becomes one record, whenever the end came.
func TestKilled(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "library")
	games, kills := testkit.Scale(4, 20), testkit.Scale(6, 40)
	base, kill := startVictim(t, dir)
	gamers, sessions := make([]*gamer, games), make([]view.Session, games)
	for i := range gamers {
		gamers[i] = newGamer(base, uint64(i))
		if err := gamers[i].call("POST", "/sessions", view.NewSession{Game: []string{"othello", "othello", "renju", "xiangqi"}[i%4], Level: 1, Name: fmt.Sprint("Player ", i)}, &sessions[i]); err != nil {
			kill()
			t.Fatal(err)
		}
	}
	check := func(i int, now *view.Session) {
		t.Helper()
		was := &sessions[i]
		if !strings.HasPrefix(now.Position.Line, was.Position.Line) || now.Version < was.Version {
			t.Errorf("game %d was at %q (version %d), and is at %q (version %d)", i, was.Position.Line, was.Version, now.Position.Line, now.Version)
		}
	}
	for round := range kills {
		for step := range 3 {
			for i, g := range gamers {
				s := &sessions[i]
				if s.State == "over" {
					continue
				}
				if step == 0 || s.State == "thinking" {
					now := view.Session{}
					if err := g.call("GET", "/sessions/"+s.ID, nil, &now); err != nil {
						t.Error(err)
						continue
					}
					check(i, &now)
					if *s = now; s.State != "yours" {
						continue
					}
				}
				if err := g.move(s); err != nil {
					t.Errorf("game %d: %v", i, err)
				}
			}
		}
		if round%2 == 1 {
			time.Sleep(time.Duration(round) * time.Millisecond) // now the engine thinks, now it has moved
		}
		kill()
		base, kill = startVictim(t, dir)
		for _, g := range gamers {
			g.base = base + api.Prefix
		}
	}
	defer func() { kill() }()
	for i, g := range gamers {
		s := &sessions[i]
		now := view.Session{}
		if err := g.call("GET", "/sessions/"+s.ID, nil, &now); err != nil {
			t.Fatal(err)
		}
		check(i, &now)
		*s = now
		if err := g.finish(s); err != nil {
			t.Error(err)
		}
		if s.Result == nil || s.Result.Record == 0 {
			t.Errorf("game %d is not kept: %+v", i, s.Result)
		}
	}
	var lib view.Library
	if err := gamers[0].call("GET", "/library", nil, &lib); err != nil || lib.Records != games {
		t.Errorf("%d records of %d games (%v)", lib.Records, games, err)
	}
}
