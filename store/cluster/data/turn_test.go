package data

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"qipu/internal/clickhouse"
	"qipu/record"
	"qipu/store"
	"qipu/store/cluster/wire"
	"qipu/store/dedupe"
)

// ready brings a game so far that a commit would make it count, with the turn in
// hand. The caller leaves.
func (d *desk) ready(g *record.Game) *addition {
	d.Helper()
	st, err := d.enter(d.Context(), true)
	if err != nil {
		d.Fatal(err)
	}
	a := &addition{Records: d.Records, State: st, items: dedupe.Items(d.batch(g).Records, nil, d.Kinds())}
	if a.existing, err = d.newExisting(d.Context(), st, a.items); err == nil {
		err = dedupe.Sift(d.Context(), a.existing, a.items)
	}
	if err == nil {
		err = a.number(d.Context())
	}
	if err == nil {
		err = a.Each(d.Context(), "writing", func(s *wire.Shard) error { return a.Documents(d.Context(), s) })
	}
	if err == nil {
		err = a.takeTurn(d.Context())
	}
	if err != nil {
		d.Fatal(err)
	}
	return a
}

// TestTurnLost stops a writer that has the turn, and is about to commit: another one
// gets on, with the same game, and it commits nothing when it goes on.
func TestTurnLost(t *testing.T) {
	t.Parallel()
	cfg := foundOn(t, clickhouse.Shared(t))
	one, other := newDesk(t, cfg, 31), newDesk(t, cfg, 32)
	g := one.Game("weiqi", "9x9", 50)
	a := one.ready(g)
	one.writer.quit() // as though it were stopped: nothing more is heard of it
	other.expect(other.add(g), store.StatusNew)
	if err := a.commit(t.Context(), &a.row); !errors.Is(err, errOvertaken) {
		t.Errorf("one that lost its turn commits: %v", err)
	}
	one.endTurn(t.Context())
	one.leave()
	one.expect(one.add(g), store.StatusDuplicate)
	if got := other.ids(); len(got) != 1 {
		t.Errorf("games are %v", got)
	}
}

// TestTurnKept has a writer take long with the turn: nobody takes it from it.
func TestTurnKept(t *testing.T) {
	t.Parallel()
	cfg := foundOn(t, clickhouse.Shared(t))
	one, other := newDesk(t, cfg, 33), newDesk(t, cfg, 34)
	g := one.Game("weiqi", "9x9", 50)
	a := one.ready(g)
	var wait sync.WaitGroup
	wait.Go(func() { other.expect(other.add(g), store.StatusDuplicate) })
	time.Sleep(turnLimit + 2*turnBeat)
	if err := a.commit(t.Context(), &a.row); err != nil {
		t.Error(err)
	}
	one.endTurn(t.Context())
	one.leave()
	wait.Wait()
	if got := other.ids(); len(got) != 1 {
		t.Errorf("games are %v", got)
	}
}

// TestDeleteMeanwhile deletes games while others put fuller records in their place:
// what was deleted is gone.
func TestDeleteMeanwhile(t *testing.T) {
	t.Parallel()
	cfg := foundOn(t, clickhouse.Shared(t))
	one, other := newDesk(t, cfg, 35), newDesk(t, cfg, 36)
	for range 6 {
		g := one.Game("weiqi", "19x19", 90)
		one.Head(g)
		cut := one.Cut(g, 60)
		cut.Facts = g.Facts
		id := one.add(cut)[0].ID
		var wait sync.WaitGroup
		wait.Go(func() {
			if _, err := other.Add(t.Context(), other.batch(g)); err != nil {
				t.Error(err)
			}
		})
		wait.Go(func() {
			if err := one.Delete(t.Context(), []uint32{id}); err != nil {
				t.Error(err)
			}
		})
		wait.Wait()
		for _, d := range []*desk{one, other} {
			if _, err := d.Fresh(t.Context()); err != nil {
				t.Fatal(err)
			}
			if got := d.ids(); slices.Contains(got, id) {
				t.Errorf("game %d was deleted, and is there: %v", id, got)
			}
		}
	}
}

// BenchmarkTurn measures how much of the time to add games the turn to commit takes:
// taking it and giving it back, by turns with adding so many games, of which that is a
// part.
func BenchmarkTurn(b *testing.B) {
	for _, games := range []int{1, 256, 2048} {
		b.Run(fmt.Sprint(games), func(b *testing.B) {
			d := newDesk(b, foundOn(b, clickhouse.Shared(b)), uint64(games))
			var adding, turning time.Duration
			for b.Loop() {
				var list []*record.Game
				for range games {
					list = append(list, d.Game("weiqi", "19x19", 90))
				}
				batch := d.batch(list...)
				began := time.Now()
				if _, err := d.Add(b.Context(), batch); err != nil {
					b.Fatal(err)
				}
				adding += time.Since(began)
				if _, err := d.enter(b.Context(), true); err != nil {
					b.Fatal(err)
				}
				began = time.Now()
				if err := d.takeTurn(b.Context()); err != nil {
					b.Fatal(err)
				}
				d.endTurn(b.Context())
				turning += time.Since(began)
				d.leave()
			}
			b.ReportMetric(turning.Seconds()*1000/float64(b.N), "ms-turn")
			b.ReportMetric(100*turning.Seconds()/adding.Seconds(), "%-of-adding")
		})
	}
}
