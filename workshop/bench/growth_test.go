package bench_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"sync"
	"testing"
	"time"

	"qipu"
	"qipu/board"
	"qipu/builtin"
	"qipu/game"
	"qipu/internal/testkit"
	"qipu/record"
	"qipu/record/facts"
	"qipu/store"
)

// breeder makes more games of some: pictures of them by a symmetry of the board
// with some moves changed, so that no two are the same. Game number i depends
// on i and on the list alone.
type breeder struct {
	rules  game.Rules
	parent []parent
	near   []board.Point
}

type parent struct {
	moves []game.Move
	facts facts.Facts
}

// perturbation: one move in so many is changed.
const perturbation = 24

// breed is game number i: the first games are the parents as they are.
func (b *breeder) breed(i int) (moves []game.Move, of *parent) {
	of = &b.parent[i%len(b.parent)]
	if i < len(b.parent) {
		return of.moves, of
	}
	rng := rand.New(rand.NewPCG(uint64(i), 0x71b2))
	size := b.rules.Geometry().Size
	sym := board.Symmetry(rng.IntN(int(board.NumSymmetries)))
	pos := b.rules.Start()
	changed := false
	for n, m := range of.moves {
		m = m.Transform(size, sym)
		change := rng.IntN(perturbation) == 0 || n == len(of.moves)-1 && !changed
		if change || pos.Play(m) != nil {
			if m = b.instead(rng, pos, m); m == game.NoMove {
				break
			}
			changed = true
		}
		moves = append(moves, m)
	}
	return moves, of
}

// instead plays a legal move near another and returns it; NoMove where there is
// none for some distance.
func (b *breeder) instead(rng *rand.Rand, pos game.Position, m game.Move) game.Move {
	size := b.rules.Geometry().Size
	if m == game.Pass {
		m = game.Drop(size.Point(rng.IntN(size.Area())))
	}
	x, y := m.To().X(), m.To().Y()
	for reach := 1; reach <= 6; reach++ {
		b.near = b.near[:0]
		for dy := -reach; dy <= reach; dy++ {
			for dx := -reach; dx <= reach; dx++ {
				if x+dx >= 0 && x+dx < size.W && y+dy >= 0 && y+dy < size.H && (dx != 0 || dy != 0) {
					b.near = append(b.near, board.At(x+dx, y+dy))
				}
			}
		}
		rng.Shuffle(len(b.near), func(i, j int) { b.near[i], b.near[j] = b.near[j], b.near[i] })
		for _, p := range b.near {
			if pos.Play(game.Drop(p)) == nil {
				return game.Drop(p)
			}
		}
	}
	return game.NoMove
}

// record makes a record of moves.
func (b *breeder) record(i int) *record.Game {
	moves, of := b.breed(i)
	g := &record.Game{Kind: "weiqi", Notation: "sgf", Format: "sgf", Facts: of.facts}
	g.Place.File, g.Place.Number = "bred", i
	at := g.Add(0, record.Unstated, "")
	side := record.First
	var text []byte
	for _, m := range moves {
		text = b.rules.AppendMove(text[:0], nil, m, "sgf")
		at = g.Add(at, side, string(text))
		side = record.First + record.Second - side
	}
	return g
}

// newBreeder takes the games of a library as parents: those that begin on the
// empty board and are legal.
func newBreeder(ctx context.Context, l *qipu.Library) (*breeder, error) {
	rules, err := builtin.Games().Find("weiqi")
	if err != nil {
		return nil, err
	}
	b := &breeder{rules: rules}
	err = playAll(ctx, l, "weiqi", func(_ uint32, p *record.Played) error {
		b.adopt(p)
		return nil
	})
	if err == nil && len(b.parent) == 0 {
		err = fmt.Errorf("no game of %s can be a parent", l.Records().Dir())
	}
	return b, err
}

func (b *breeder) adopt(p *record.Played) {
	if !p.Legal() || len(p.Steps) < 20 || !p.Start.Board.Equal(board.NewPlanes(p.Start.Board.Size, 2)) || p.Start.Turn != game.First {
		return
	}
	moves := make([]game.Move, len(p.Steps))
	for i, s := range p.Steps {
		if moves[i] = s.Move; s.Move == game.NoMove {
			return
		}
	}
	f := p.Game.Facts
	b.parent = append(b.parent, parent{moves, f})
}

// grow makes a library of n games from those of another.
func grow(ctx context.Context, dir, from string, n int) (s importStats, err error) {
	source, err := qipu.Open(ctx, from, qipu.Options{ReadOnly: true})
	if err != nil {
		return s, err
	}
	b, err := newBreeder(ctx, source)
	if err := source.Close(); err != nil {
		return s, err
	}
	if err != nil {
		return s, err
	}
	debug.FreeOSMemory()
	memory := watchMemory()
	defer memory.stop()
	l, err := qipu.Open(ctx, dir, qipu.Options{Create: true})
	if err != nil {
		return s, err
	}
	defer l.Close()
	referee := record.NewReferee(builtin.Games())
	referee.Trace = true
	const batch = 4096
	list := make([]*record.Played, 0, batch)
	began := time.Now()
	for i := 0; i < n; i += len(list) {
		cpu := testkit.CPU()
		list = list[:0]
		for j := i; j < min(i+batch, n); j++ {
			list = append(list, referee.Play(b.record(j)))
		}
		s.Generate += testkit.CPU() - cpu
		cpu = testkit.CPU()
		added, err := l.Records().AddAll(ctx, list)
		if err != nil {
			return s, err
		}
		s.CPU += testkit.CPU() - cpu
		for _, a := range added {
			if a.Status == store.StatusNew || a.Status == store.StatusTwin {
				s.New++
			}
		}
	}
	s.Games, s.Wall = n, time.Since(began)
	err = finish(ctx, l, &s)
	s.Peak = memory.stop()
	return s, err
}

// watcher looks at the memory of the process from time to time.
type watcher struct {
	base, most int64
	end, ended chan struct{}
	once       sync.Once
}

// watchMemory begins to watch: what the process has by now does not count, such
// as the games that others are bred from, nor do mapped files.
func watchMemory() *watcher {
	w := &watcher{base: ownBytes(), end: make(chan struct{}), ended: make(chan struct{})}
	go func() {
		defer close(w.ended)
		for {
			w.most = max(w.most, ownBytes()-w.base)
			select {
			case <-w.end:
				return
			case <-time.After(20 * time.Millisecond):
			}
		}
	}()
	return w
}

// stop ends the watch and returns the most that was seen.
func (w *watcher) stop() int64 {
	w.once.Do(func() { close(w.end) })
	<-w.ended
	return w.most
}

// TestBreed checks that bred games are legal, all different, and the same
// whenever they are made.
func TestBreed(t *testing.T) {
	rules, err := builtin.Games().Find("weiqi")
	if err != nil {
		t.Fatal(err)
	}
	b := &breeder{rules: rules, parent: []parent{{moves: opening(t, rules)}}}
	again := &breeder{rules: rules, parent: b.parent}
	referee := record.NewReferee(builtin.Games())
	seen := map[uint64]bool{}
	for i := range 60 {
		moves, _ := b.breed(i)
		if repeat, _ := again.breed(i); !slices.Equal(moves, repeat) {
			t.Fatalf("game %d is not the same again", i)
		}
		p := referee.Play(b.record(i))
		if !p.Legal() || len(p.Steps) != len(moves) || len(moves) == 0 {
			t.Fatalf("game %d: %d of %d moves played, %v", i, len(p.Steps), len(moves), p.Marks)
		}
		if seen[p.Hash] {
			t.Errorf("game %d ends as another does", i)
		}
		seen[p.Hash] = true
	}
}

// opening is a game of made-up moves: each is near the last or in a corner.
func opening(t testing.TB, rules game.Rules) (moves []game.Move) {
	t.Helper()
	b := &breeder{rules: rules}
	rng := rand.New(rand.NewPCG(5, 8))
	pos := rules.Start()
	last := game.Drop(board.At(3, 3))
	for len(moves) < 180 {
		if rng.IntN(9) == 0 {
			last = game.Drop(board.At(rng.IntN(19), rng.IntN(19)))
		}
		if last = b.instead(rng, pos, last); last == game.NoMove {
			t.Fatal("no move left")
		}
		moves = append(moves, last)
	}
	return moves
}
