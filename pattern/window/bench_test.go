package window

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"qipu/board"
	"qipu/game"
	"qipu/game/weiqi"
	"qipu/ingest"
	"qipu/internal/testkit"
	"qipu/pattern"
	"qipu/record"
	"qipu/record/sgf"
)

// played is a game as the changes of its moves.
type played struct {
	start *board.Planes
	moves [][]game.Changed
}

// gameSink plays games of 19x19 until it has enough.
type gameSink struct {
	limit int
	games []played
}

var errEnough = errors.New("enough")

func (s *gameSink) Add(_ context.Context, p *record.Played) error {
	if len(s.games) >= s.limit {
		return errEnough
	}
	if p.Rules == nil || p.Rules.Geometry().Size.W != 19 || len(p.Steps) < 100 || !p.Legal() {
		return nil
	}
	at, err := p.Rules.Arrange(p.Start)
	if err != nil {
		return nil
	}
	g := played{start: p.Start.Board.Clone()}
	pos := at.(*weiqi.Position)
	for _, step := range p.Steps {
		if pos.Play(step.Move) != nil {
			break
		}
		g.moves = append(g.moves, pos.AppendChanged(nil))
	}
	s.games = append(s.games, g)
	return nil
}

// realGames returns games of amateurs.
func realGames(tb testing.TB, n int) []played {
	s := &gameSink{limit: n}
	o := ingest.Options{Formats: []record.Format{sgf.Format}, Games: game.Catalog{weiqi.Standard}, Sink: s, Workers: 1}
	if _, err := ingest.Run(tb.Context(), o, testkit.Data(tb, "go/go-kgs6d.tar.gz")); err != nil && !errors.Is(err, errEnough) {
		tb.Fatal(err)
	}
	if len(s.games) < n {
		tb.Fatalf("%d games were read, not %d", len(s.games), n)
	}
	return s.games
}

// realShapes makes shapes of what stands around played moves, loosened as
// people draw them: the 3x3 says nearly all, the ring some of it.
func realShapes(r *rand.Rand, games []played, n int) []Shape {
	var shapes []Shape
	for len(shapes) < n {
		g := games[r.IntN(len(games))]
		b := g.start.Clone()
		for _, m := range g.moves[:20+r.IntN(len(g.moves)-40)] {
			for _, c := range m {
				b.Put(c.Point, c.Piece)
			}
		}
		from := r.IntN(20)
		for _, m := range g.moves[len(g.moves)-20+from:] {
			if len(m) == 0 || b.At(m[0].Point) != board.Empty || m[0].Piece == board.Empty {
				continue
			}
			if s, ok := context5(r, b, m[0]); ok {
				shapes = append(shapes, s)
			}
			break
		}
	}
	return shapes
}

// context5 draws the 5x5 around a move, own as the side that played it.
func context5(r *rand.Rand, b *board.Planes, m game.Changed) (Shape, bool) {
	s := Shape{Size: board.Size{W: 5, H: 5}, Cells: make([]pattern.Set, 25)}
	stones := 0
	for i := range s.Cells {
		dx, dy := i%5-2, i/5-2
		set := stateAt(b, m.Point.X()+dx, m.Point.Y()+dy)
		if m.Piece == 2 {
			set = Swapped(set)
		}
		inner := max(dx*dx, dy*dy) <= 1
		stone := set&(Own|Enemy) != 0
		x := r.Float64()
		switch {
		case dx == 0 && dy == 0:
		case inner && stone && x < .1, inner && !stone && x < .25, !inner && stone && x < .5, !inner && !stone && x < .85:
			set = Any
		case set == pattern.Empty && x < .5:
			set |= Own << r.IntN(2)
		}
		if set == Own || set == Enemy {
			stones++
		}
		s.Cells[i] = set
	}
	return s, stones >= 3
}

// sampled returns one board of each game.
func sampled(r *rand.Rand, games []played) (list []*board.Planes) {
	for _, g := range games {
		b := g.start.Clone()
		for _, m := range g.moves[:r.IntN(len(g.moves))] {
			for _, c := range m {
				b.Put(c.Point, c.Piece)
			}
		}
		list = append(list, b)
	}
	return list
}

// bench is what the benchmarks share: shapes of some games, boards of others.
type bench struct {
	shapes []Shape
	games  []played
	boards []*Windows
	set    *Set
}

func newBench(b *testing.B, shapes int) *bench {
	r := rand.New(rand.NewPCG(3, 4))
	games := realGames(b, 600)
	s := &bench{shapes: realShapes(r, games[:400], shapes), games: games[400:]}
	for _, p := range sampled(r, s.games) {
		w := NewWindows(p.Size)
		w.Reset(p)
		s.boards = append(s.boards, w)
	}
	var err error
	if s.set, err = Compile(s.shapes, Options{}); err != nil {
		b.Fatal(err)
	}
	return s
}

// sweep runs f, which does n things, again and again, and reports the best time
// of one: what other programs take of the machine is left out so.
func sweep(b *testing.B, n int, unit string, f func()) {
	best := time.Duration(math.MaxInt64)
	for b.Loop() {
		start := time.Now()
		f()
		best = min(best, time.Since(start))
	}
	b.ReportMetric(float64(best.Nanoseconds())/1e3/float64(n), "best-us/"+unit)
}

// BenchmarkBoard finds all shapes on whole boards, two hundred of them a round.
func BenchmarkBoard(b *testing.B) {
	for _, n := range []int{400, 1000, 4000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) { benchBoard(b, n) })
	}
}

func benchBoard(b *testing.B, n int) {
	s := newBench(b, n)
	var hits []Hit
	found := 0
	sweep(b, len(s.boards), "board", func() {
		found = 0
		for _, w := range s.boards {
			hits = s.set.AppendHits(hits[:0], w)
			found += len(hits)
		}
	})
	stats := s.set.Stats()
	b.ReportMetric(float64(found)/float64(len(s.boards)), "hits/board")
	b.ReportMetric(float64(stats.Variants), "variants")
	b.ReportMetric(float64(stats.Tests), "tests")
	b.ReportMetric(float64(stats.Blocks), "blocks")
	b.ReportMetric(float64(stats.Bytes)/1e6, "MB")
}

// BenchmarkMove keeps the shapes of a board over the moves of games.
func BenchmarkMove(b *testing.B) {
	for _, n := range []int{400, 1000, 4000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) { benchMove(b, n) })
	}
}

func benchMove(b *testing.B, n int) {
	s := newBench(b, n)
	t := NewTracker(s.set, board.Size{W: 19, H: 19})
	moves := 0
	for _, g := range s.games[:50] {
		moves += len(g.moves)
	}
	sweep(b, moves, "move", func() {
		for _, g := range s.games[:50] {
			t.Reset(g.start)
			for _, m := range g.moves {
				t.Change(m)
			}
		}
	})
}

// BenchmarkReset makes the windows of a board anew.
func BenchmarkReset(b *testing.B) {
	boards := sampled(rand.New(rand.NewPCG(3, 4)), realGames(b, 100))
	w := NewWindows(board.Size{W: 19, H: 19})
	sweep(b, len(boards), "board", func() {
		for _, p := range boards {
			w.Reset(p)
		}
	})
}

// BenchmarkForms looks for a thousand shapes, in all orientations and both
// colours, one after the other at every point, in the three forms. It is what the
// index saves.
func BenchmarkForms(b *testing.B) {
	for name, bench := range benchForms {
		b.Run(name, bench)
	}
}

// benchForms are packed words, the six integers of the paper, and the variable
// form.
var benchForms = map[string]func(b *testing.B){
	"packed": func(b *testing.B) {
		s := newBench(b, 1000)
		var list []test
		for p := range s.pictures() {
			var t test
			for i, d := range offsets {
				one, ok := single(nibbleOf(p.At(2+d[0], 2+d[1])), d[0], d[1])
				if !ok {
					b.Fatalf("cell %d takes several tests", i)
				}
				t = t.and(one)
			}
			list = append(list, t)
		}
		s.scan(b, func(x Bytes) int { return x.Packed }, func(w *Windows, p board.Point) (found int) {
			word := w.At(p)
			swapped := Swap(word)
			for i := range list {
				if list[i].holds(word) {
					found++
				}
				if list[i].holds(swapped) {
					found++
				}
			}
			return found
		})
	},
	"fixed": func(b *testing.B) {
		s := newBench(b, 1000)
		var list []Bitmap
		for p := range s.pictures() {
			// The paper has no word for the outside: it counts as whatever.
			for i, set := range p.Cells {
				if set == pattern.Off {
					p.Cells[i] = Any
				}
			}
			m, _ := BitmapOf(&p.Shape)
			list = append(list, m)
		}
		s.scan(b, func(x Bytes) int { return x.Fixed }, func(w *Windows, p board.Point) (found int) {
			black, white, empty := w.Bits(p)
			for i := range list {
				first, second := Bitmapping(list[i], black, white, empty)
				if first || second {
					found++
				}
			}
			return found
		})
	},
	"variable": func(b *testing.B) {
		s := newBench(b, 1000)
		var list []Variable
		for p := range s.pictures() {
			list = append(list, p.Variable())
		}
		s.scan(b, func(x Bytes) int { return x.Variable }, func(w *Windows, p board.Point) (found int) {
			for i := range list {
				if list[i].Matches(w, p.X(), p.Y(), false) {
					found++
				}
				if list[i].Matches(w, p.X(), p.Y(), true) {
					found++
				}
			}
			return found
		})
	},
}

// pictures yields the orientations of all shapes.
func (s *bench) pictures() iter.Seq[Picture] {
	return func(yield func(Picture) bool) {
		for i := range s.shapes {
			for _, p := range s.shapes[i].orientations() {
				if !yield(p) {
					return
				}
			}
		}
	}
}

// scan looks for shapes at every point of two boards.
func (s *bench) scan(b *testing.B, bytes func(Bytes) int, at func(w *Windows, p board.Point) int) {
	size, found := 0, 0
	for i := range s.shapes {
		size += bytes(s.shapes[i].Bytes())
	}
	sweep(b, 2, "board", func() {
		for _, w := range s.boards[:2] {
			for p := range w.size.Points() {
				found += at(w, p)
			}
		}
	})
	if found == 0 {
		b.Error("nothing was found")
	}
	b.ReportMetric(float64(size)/float64(len(s.shapes)), "bytes/shape")
}

func BenchmarkCompile(b *testing.B) {
	for _, n := range []int{1, 1000, 4000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			s := newBench(b, n)
			sweep(b, 1, "set", func() {
				if _, err := Compile(s.shapes, Options{}); err != nil {
					b.Fatal(err)
				}
			})
		})
	}
}
