package renju

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"qipu/board"
	"qipu/game"
	"qipu/internal/testkit"
)

// arrange makes a position of a drawing: rows of X, O and '.', parted by
// newlines. The drawing is the board.
func arrange(t testing.TB, drawing string) *Position {
	t.Helper()
	rows := strings.Fields(drawing)
	size := board.Size{W: len(rows[0]), H: len(rows)}
	r, err := New(size, SetRenju)
	if err != nil {
		t.Fatal(err)
	}
	s, err := game.ParseSetup(r, strings.Join(rows, "/"))
	if err != nil {
		t.Fatal(err)
	}
	p, err := r.Arrange(s)
	if err != nil {
		t.Fatal(err)
	}
	return p.(*Position)
}

// judgement returns how the package and the oracle see a free point, and fails
// where they differ.
func judgement(t testing.TB, p *Position, o *oracle, at board.Point) int {
	t.Helper()
	want := o.judge(xy{at.X(), at.Y()})
	if v := p.field.judge(at.X(), at.Y()); v.five != (want == makesFive) || v.foul != oracleFoul(want) {
		t.Fatalf("%s: %+v, the oracle says %d:\n%s", p.rules.AppendMove(nil, p, game.Drop(at), Plain), v, want, draw(p, nil))
	}
	if got := p.Foul(at); got != oracleFoul(want) {
		t.Fatalf("Foul(%v) = %v", at, got)
	}
	return want
}

// draw returns the board with marks on free points.
func draw(p *Position, marks map[board.Point]byte) string {
	var b strings.Builder
	for y := range p.rules.size.H {
		for x := range p.rules.size.W {
			at := board.At(x, y)
			c := ".XO"[p.planes.At(at)]
			if m, ok := marks[at]; ok {
				c = m
			}
			b.WriteByte(c)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// TestDiagrams draws the fouls of hand-made boards: 3 double-three, 4
// double-four, 6 overline, 5 a point where Black makes five. Each diagram
// claims on its first line what the point in question is, so that a rewritten
// file is still held against what was meant.
func TestDiagrams(t *testing.T) {
	marks := []byte{makesFive: '5', makesOverline: '6', makesDoubleFour: '4', makesDoubleThree: '3', makesNothing: 0}
	diagrams := 0
	testkit.Script(t, "testdata/forbidden.txt", func(t *testing.T, c testkit.Command) string {
		diagrams++
		p := arrange(t, c.Input)
		o := newOracle(&p.planes)
		found := map[board.Point]byte{}
		for at := range p.rules.size.Points() {
			if p.occupied(at) {
				continue
			}
			if mark := marks[judgement(t, p, o, at)]; mark != 0 {
				found[at] = mark
			}
		}
		if len(c.Named) == 0 {
			t.Errorf("diagram %d claims nothing", diagrams)
		}
		for point, want := range c.Named {
			m := p.rules.parsePlain(point)
			got, ok := found[m.To()]
			if !ok {
				got = '-'
			}
			if want != string(got) {
				t.Errorf("diagram %d, %v: %s is %c, want %s", diagrams, c.Args, point, got, want)
			}
		}
		return draw(p, found)
	})
	if diagrams < 30 {
		t.Errorf("%d diagrams, want at least 30", diagrams)
	}
}

// TestOracle holds the fouls of random boards against the oracle.
func TestOracle(t *testing.T) {
	const workers = 2
	boards := testkit.Scale(3000, 102_000)
	var counts [workers][makesDoubleThree + 1]int
	var depths [workers][12]int
	t.Run("boards", func(t *testing.T) {
		for w := range workers {
			t.Run(fmt.Sprint(w), func(t *testing.T) {
				t.Parallel()
				for i := w; i < boards; i += workers {
					rng := rand.New(rand.NewPCG(20, uint64(i)))
					p := randomBoard(t, rng, i)
					o := newOracle(&p.planes)
					forbidden := p.Forbidden()
					for at := range p.rules.size.Points() {
						if p.occupied(at) {
							continue
						}
						o.deep = 0
						j := judgement(t, p, o, at)
						counts[w][j]++
						depths[w][min(o.deep, 11)]++
						if forbidden.Has(at) != (oracleFoul(j) != NoFoul) {
							t.Fatalf("Forbidden differs from Foul at %v", at)
						}
					}
				}
			})
		}
	})
	for w := 1; w < workers; w++ {
		for i, n := range counts[w] {
			counts[0][i] += n
		}
		for i, n := range depths[w] {
			depths[0][i] += n
		}
	}
	c := counts[0]
	t.Logf("%d boards: %d nothing, %d five, %d overline, %d double-four, %d double-three; points by depth of the recursion %v",
		boards, c[makesNothing], c[makesFive], c[makesOverline], c[makesDoubleFour], c[makesDoubleThree], depths[0][1:])
	for kind, n := range c {
		if n < boards/3 {
			t.Errorf("kind %d came up only %d times: the boards prove too little", kind, n)
		}
	}
}

// randomBoard returns a board of one of several kinds.
func randomBoard(t testing.TB, rng *rand.Rand, kind int) *Position {
	size := board.Size{W: 15, H: 15}
	if rng.IntN(10) == 0 {
		size = board.Size{W: 5 + rng.IntN(21), H: 5 + rng.IntN(21)}
	}
	r, err := New(size, SetRenju)
	if err != nil {
		t.Fatal(err)
	}
	s := game.NewSetup(r)
	switch kind % 4 {
	case 0:
		scatter(rng, s.Board)
	case 1:
		cluster(rng, s.Board)
	case 2:
		skirmish(rng, s.Board)
	case 3:
		strokes(rng, s.Board)
	}
	p, err := r.Arrange(s)
	if err != nil {
		t.Fatal(err)
	}
	return p.(*Position)
}

// scatter fills a board evenly.
func scatter(rng *rand.Rand, b *board.Planes) {
	stones, black := rng.Float64()*0.5, 0.3+rng.Float64()*0.6
	for at := range b.Size.Points() {
		if rng.Float64() < stones {
			b.Put(at, colour(rng, black))
		}
	}
}

// cluster heaps stones in the middle.
func cluster(rng *rand.Rand, b *board.Planes) {
	black, spread := 0.5+rng.Float64()*0.4, 1.5+rng.Float64()*2
	for range 10 + rng.IntN(50) {
		x := int(rng.NormFloat64()*spread + float64(b.Size.W)/2)
		y := int(rng.NormFloat64()*spread + float64(b.Size.H)/2)
		if x >= 0 && y >= 0 && x < b.Size.W && y < b.Size.H {
			b.Put(board.At(x, y), colour(rng, black))
		}
	}
}

// skirmish plays a game in which each stone is put near another one.
func skirmish(rng *rand.Rand, b *board.Planes) {
	last := board.At(b.Size.W/2, b.Size.H/2)
	played := []board.Point{last}
	b.Put(last, Black)
	for n := range 6 + rng.IntN(80) {
		near := played[rng.IntN(len(played))]
		x, y := near.X()+rng.IntN(5)-2, near.Y()+rng.IntN(5)-2
		if x < 0 || y < 0 || x >= b.Size.W || y >= b.Size.H || b.At(board.At(x, y)) != board.Empty {
			continue
		}
		b.Put(board.At(x, y), board.Piece(2-n%2))
		played = append(played, board.At(x, y))
	}
}

// strokes draws pieces of black lines with gaps that cross each other, which
// makes threes and fours meet, and a few white stones.
func strokes(rng *rand.Rand, b *board.Planes) {
	reach := 3 + rng.IntN(3)
	for range 4 + rng.IntN(8) {
		x, y := b.Size.W/2+rng.IntN(2*reach)-reach, b.Size.H/2+rng.IntN(2*reach)-reach
		way := oracleWays[rng.IntN(4)]
		for k := range 3 + rng.IntN(4) {
			p := xy{x + k*way.x, y + k*way.y}
			if rng.IntN(5) < 3 && p.x >= 0 && p.y >= 0 && p.x < b.Size.W && p.y < b.Size.H {
				b.Put(board.At(p.x, p.y), Black)
			}
		}
	}
	for range rng.IntN(15) {
		at := b.Size.Point(rng.IntN(b.Size.Area()))
		b.Put(at, White)
	}
}

func colour(rng *rand.Rand, black float64) board.Piece {
	if rng.Float64() < black {
		return Black
	}
	return White
}

func BenchmarkFoul(b *testing.B) {
	p := midgame(b)
	points := p.Planes().Occupied()
	var free []board.Point
	for at := range p.rules.size.Points() {
		if !points.Has(at) {
			free = append(free, at)
		}
	}
	i := 0
	for b.Loop() {
		p.Foul(free[i%len(free)])
		i++
	}
}

func BenchmarkForbidden(b *testing.B) {
	p := midgame(b)
	n := 0
	for b.Loop() {
		set := p.Forbidden()
		n = set.Count()
	}
	b.ReportMetric(float64(n), "fouls")
}

// BenchmarkForbiddenWorst asks about boards full of crossing black strokes,
// where the recursion runs deep.
func BenchmarkForbiddenWorst(b *testing.B) {
	rng := rand.New(rand.NewPCG(3, 3))
	var list []*Position
	for len(list) < 64 {
		list = append(list, randomBoard(b, rng, 3))
	}
	i := 0
	for b.Loop() {
		list[i%len(list)].Forbidden()
		i++
	}
}
