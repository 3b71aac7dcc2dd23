//go:build linux || darwin

package shard

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"qipu/builtin"
	"qipu/store"
	"qipu/store/shard/internal/catalog"
	"qipu/store/storetest"
)

func init() { roles["fill"] = filler }

// filler adds games while no file may grow beyond some size, which looks like a
// disk that is full, then without that limit, and prints what happens.
func filler(dir string) error {
	ctx := context.Background()
	signal.Ignore(syscall.SIGXFSZ)
	var usual syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &usual); err != nil {
		return err
	}
	s, err := Open(ctx, dir, small())
	if err != nil {
		return err
	}
	maker := storetest.NewMaker(builtin.Games(), 0)
	n, failed, reasons := 0, 0, map[string]bool{}
	for round := range 24 {
		var b store.Batch
		for range 1 + 60*(round%2) {
			b.Records = append(b.Records, maker.Play(numbered(n)))
			n++
		}
		before, err := s.cat.IDs(ctx, "")
		if err != nil {
			return err
		}
		limit := usual
		limit.Cur = uint64(2000 * round)
		for _, name := range []string{catalog.FileName, catalog.FileName + "-wal"} {
			if info, err := os.Stat(filepath.Join(dir, name)); err == nil && round%3 > 0 {
				limit.Cur = max(limit.Cur, uint64(info.Size())+uint64(3000*round))
			}
		}
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
			return err
		}
		_, err = s.Add(ctx, b)
		if limitErr := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &usual); limitErr != nil {
			return limitErr
		}
		after, idErr := s.cat.IDs(ctx, "")
		if idErr != nil {
			return idErr
		}
		if err != nil {
			failed++
			reasons[strings.SplitN(err.Error(), ":", 2)[0]] = true
			if !after.Equals(before) {
				return fmt.Errorf("round %d: adding failed (%w), and the games are others", round, err)
			}
			if _, err := s.Add(ctx, b); err != nil {
				return fmt.Errorf("round %d: when there is room again: %w", round, err)
			}
		}
		if err := problems(s); err != nil {
			return fmt.Errorf("round %d: %w", round, err)
		}
		for i, p := range b.Records {
			k, key := lastKey(s.Kinds(), p)
			if ids, err := reachingGames(s, k, key); err != nil || len(ids) == 0 {
				return fmt.Errorf("round %d: record %d is not found: %w", round, i, err)
			}
		}
	}
	fmt.Println("failures", failed, reasons)
	return s.Close()
}

// TestFullDisk adds games to a library that cannot grow: adding fails, nothing
// is lost, and it works again when there is room.
func TestFullDisk(t *testing.T) {
	c := start(t, "fill", t.TempDir())
	text := c.line(t)
	if !strings.HasPrefix(text, "failures") || !strings.Contains(text, "catalog:") || !strings.Contains(text, "segment:") {
		t.Error(text)
	}
	t.Log(text)
}
