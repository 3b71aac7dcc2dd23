package bench_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"qipu"
	"qipu/board"
	"qipu/builtin"
	"qipu/game"
	"qipu/internal/testkit"
	"qipu/pattern"
	"qipu/query"
	"qipu/record"
)

// The sequential scan of the paper, which the index is measured against: one
// row of the pattern is chosen, the algorithm of Knuth, Morris and Pratt looks
// for it along the rows of every board of every game, and where it is found the
// other rows are compared. A point is 1 empty, 2 first side, 4 second side; a
// cell of a pattern is the sum of what it allows.

// scanGame is a game as the scan has it: the changes that make its boards one
// after the other. That is kinder to the scan than reading each board from a
// table of them.
type scanGame struct {
	id      uint32
	boards  int // one behind each step, and the first
	changes []record.Change
}

// scanCorpus are the games of a library.
type scanCorpus struct {
	board  pattern.Board
	games  []scanGame
	boards int
}

func newScanCorpus(ctx context.Context, l *qipu.Library, spec string) (*scanCorpus, error) {
	k, err := l.Records().Kind(spec)
	if err != nil {
		return nil, err
	}
	c := &scanCorpus{board: k.Board}
	return c, playAll(ctx, l, spec, func(id uint32, p *record.Played) error {
		c.games = append(c.games, scanGame{id: id, boards: len(p.Steps) + 1, changes: slices.Clone(p.Changes)})
		c.boards += len(p.Steps) + 1
		return nil
	})
}

// picture is one of the up to 16 pictures of a pattern.
type picture struct {
	size     board.Size
	cells    []uint8
	row      int // the one that is looked for
	from     int // its first cell that says something
	machines []machine
	places   []int32 // by point of the board: the placement whose top left point it is, from 1
	rows     []int   // of the board, on which the row may lie
}

// machine is a string to be found, with its prefix function.
type machine struct {
	text   []uint8
	prefix []int
}

func newMachine(text []uint8) machine {
	m := machine{text: text, prefix: make([]int, len(text))}
	k := 0
	for i := 1; i < len(text); i++ {
		for k > 0 && text[k] != text[i] {
			k = m.prefix[k-1]
		}
		if text[k] == text[i] {
			k++
		}
		m.prefix[i] = k
	}
	return m
}

// repetition is how much a string repeats itself.
func (m machine) repetition() (n int) {
	for _, k := range m.prefix {
		n += k
	}
	return n
}

// pictures makes the pictures of a pattern.
func pictures(p *pattern.Pattern, b pattern.Board) ([]picture, error) {
	places, err := pattern.Compile(p, b)
	if errors.Is(err, pattern.ErrNoFit) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var list []picture
	at := map[game.Symmetry]int{}
	for n := range places {
		q := &places[n]
		i, known := at[q.Symmetry]
		if !known {
			i = len(list)
			at[q.Symmetry] = i
			list = append(list, newPicture(q, b.Size))
		}
		pic := &list[i]
		pic.places[q.Y*b.Size.W+q.X] = int32(n + 1)
		if y := q.Y + pic.row; !slices.Contains(pic.rows, y) {
			pic.rows = append(pic.rows, y)
		}
	}
	return list, nil
}

const anyState = 7

func newPicture(q *pattern.Placement, size board.Size) picture {
	pic := picture{size: q.Size, cells: slices.Repeat([]uint8{anyState}, q.Size.Area()), places: make([]int32, size.Area())}
	for i, pt := range q.Points {
		x, y := int(pt)%size.W-q.X, int(pt)/size.W-q.Y
		pic.cells[y*q.Size.W+x] = uint8(q.Sets[i])
	}
	pic.choose()
	return pic
}

// choose picks the row to look for: one without freedom if there is, else that
// with the fewest strings; among these the longest, then the one that repeats
// itself most. Cells at its ends that allow everything are no part of it.
func (pic *picture) choose() {
	best, length, repeats := -1, 0, 0
	for y := range pic.size.H {
		row := pic.cells[y*pic.size.W : (y+1)*pic.size.W]
		from, to := 0, len(row)
		for from < to && row[from] == anyState {
			from++
		}
		for from < to && row[to-1] == anyState {
			to--
		}
		if from == to {
			continue
		}
		strings := 1
		for _, c := range row[from:to] {
			strings *= len(states(c))
		}
		if best >= 0 && (strings > best || strings == best && to-from < length) {
			continue
		}
		var machines []machine
		for _, text := range expand(row[from:to]) {
			machines = append(machines, newMachine(text))
		}
		if strings == best && to-from == length && machines[0].repetition() <= repeats {
			continue
		}
		best, length, repeats = strings, to-from, machines[0].repetition()
		pic.row, pic.from, pic.machines = y, from, machines
	}
}

// states lists what a cell allows.
func states(c uint8) (list []uint8) {
	for s := uint8(1); s <= 4; s <<= 1 {
		if c&s != 0 {
			list = append(list, s)
		}
	}
	return list
}

// expand returns all strings that a row stands for.
func expand(row []uint8) [][]uint8 {
	list := [][]uint8{nil}
	for _, c := range row {
		var next [][]uint8
		for _, text := range list {
			for _, s := range states(c) {
				next = append(next, append(slices.Clone(text), s))
			}
		}
		list = next
	}
	return list
}

// scanResult is what a scan found. Hits are counted as the index counts them:
// one for each placement in a game.
type scanResult struct {
	games, hits int
	boards      int // compared
	rows        int // rows of boards that were searched
	first       map[uint32]int
}

// scan looks for a pattern in every step-th game.
func (c *scanCorpus) scan(p *pattern.Pattern, step int) (r scanResult, err error) {
	list, err := pictures(p, c.board)
	if err != nil {
		return r, err
	}
	r.first = map[uint32]int{}
	size := c.board.Size
	points := make([]uint8, size.Area())
	places := 0
	for i := range list {
		for _, n := range list[i].places {
			places = max(places, int(n))
		}
	}
	seen := make([]bool, places+1)
	for i := 0; i < len(c.games); i += step {
		g := &c.games[i]
		clear(seen)
		for j := range points {
			points[j] = 1
		}
		changes := g.changes
		hits := 0
		for ply := range g.boards {
			for len(changes) > 0 && int(changes[0].Step) == ply {
				points[size.Index(changes[0].Point)] = 1 << changes[0].Piece
				changes = changes[1:]
			}
			r.boards++
			for k := range list {
				r.rows += len(list[k].rows)
				list[k].search(points, size.W, func(place int32) {
					if seen[place] {
						return
					}
					if seen[place] = true; hits == 0 {
						r.first[g.id] = ply
					}
					hits++
				})
			}
		}
		if hits > 0 {
			r.games++
			r.hits += hits
		}
	}
	return r, nil
}

// search calls found for every place where the picture lies on a board.
func (pic *picture) search(points []uint8, width int, found func(place int32)) {
	for _, y := range pic.rows {
		line := points[y*width : (y+1)*width]
		for i := range pic.machines {
			m := &pic.machines[i]
			k := 0
			for x, c := range line {
				for k > 0 && m.text[k] != c {
					k = m.prefix[k-1]
				}
				if m.text[k] == c {
					k++
				}
				if k < len(m.text) {
					continue
				}
				k = m.prefix[k-1]
				left := x + 1 - len(m.text) - pic.from
				if left < 0 {
					continue
				}
				if place := pic.places[(y-pic.row)*width+left]; place != 0 && pic.verify(points, width, left, y-pic.row) {
					found(place)
				}
			}
		}
	}
}

// verify compares all rows.
func (pic *picture) verify(points []uint8, width, left, top int) bool {
	for y := range pic.size.H {
		row := pic.cells[y*pic.size.W : (y+1)*pic.size.W]
		line := points[(top+y)*width+left:]
		for x, c := range row {
			if c&line[x] == 0 {
				return false
			}
		}
	}
	return true
}

// boardAt returns the board of a game behind a step.
func (c *scanCorpus) boardAt(g *scanGame, ply int) *board.Planes {
	b := board.NewPlanes(c.board.Size, c.board.Kinds)
	for _, ch := range g.changes {
		if int(ch.Step) > ply {
			break
		}
		b.Put(ch.Point, ch.Piece)
	}
	return b
}

// randomCut cuts a region out of a random board, anchored as it lies there, and
// makes some of its cells free: so many per cent of them, each x, o or *. It
// has at least two stones.
func (c *scanCorpus) randomCut(rng *rand.Rand, w, h, free int) *pattern.Pattern {
	for {
		g := &c.games[rng.IntN(len(c.games))]
		b := c.boardAt(g, rng.IntN(g.boards))
		p := pattern.Region(b, rng.IntN(c.board.Size.W-w+1), rng.IntN(c.board.Size.H-h+1), w, h)
		p.Mirror, p.Swap = true, true
		stones := 0
		for i := range p.Cells {
			if rng.IntN(100) < free {
				p.Cells[i] |= pattern.Set(rng.IntN(anyState + 1))
			}
			if p.Cells[i] == pattern.Of(1) || p.Cells[i] == pattern.Of(2) {
				stones++
			}
		}
		if stones >= 2 {
			return p
		}
	}
}

// TestScan checks the scan and the index against each other: they find the same
// games, first at the same moves, and as many places.
func TestScan(t *testing.T) {
	l := bredLibrary(t, testkit.Scale(12, 200))
	checkScan(t, l, 1, testkit.Scale(48, 400))
}

// TestScanReal does so on real games.
func TestScanReal(t *testing.T) {
	checkScan(t, openLibrary(t, "paper"), testkit.Scale(100, 10), testkit.Scale(12, 60))
}

func checkScan(t *testing.T, l *qipu.Library, step, queries int) {
	t.Helper()
	c, err := newScanCorpus(t.Context(), l, "weiqi")
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(3, uint64(step)))
	geometry := kindOf(t, l, "weiqi").Rules.Geometry()
	found := 0
	for i := range queries {
		w, h := 2+rng.IntN(6), 2+rng.IntN(6)
		if i%8 == 0 {
			w, h = c.board.Size.W, c.board.Size.H
		}
		p := c.randomCut(rng, w, h, []int{0, 10, 30}[i%3])
		want, err := c.scan(p, step)
		if err != nil {
			t.Fatal(err)
		}
		q := benchQuery{game: "weiqi", name: fmt.Sprint("random ", i), shape: &query.Shape{Pattern: p, Geometry: geometry}}
		r, err := q.request(l)
		if err != nil {
			t.Fatal(err)
		}
		r.Limit = -1
		a, err := l.Search().Find(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		games, hits := 0, 0
		for _, row := range a.Rows {
			if i := slices.IndexFunc(c.games, func(g scanGame) bool { return g.id == row.Game }); i%step != 0 {
				continue
			}
			games++
			hits += int(row.Occurrences)
			if ply, ok := want.first[row.Game]; !ok || ply != int(row.Ply) {
				t.Errorf("%v: game %d first at %d, the scan says %d (%t)", q.shape, row.Game, row.Ply, ply, ok)
			}
		}
		if games != want.games || hits != want.hits {
			t.Errorf("%v: %d games and %d hits, the scan finds %d and %d", q.shape, games, hits, want.games, want.hits)
		}
		found += hits
	}
	if found == 0 {
		t.Error("no query found anything: this proves nothing")
	}
}

// bredLibrary makes a library of made-up games.
func bredLibrary(t *testing.T, n int) *qipu.Library {
	t.Helper()
	rules, err := builtin.Games().Find("weiqi")
	if err != nil {
		t.Fatal(err)
	}
	b := &breeder{rules: rules, parent: []parent{{moves: opening(t, rules)}}}
	l, err := qipu.Open(t.Context(), filepath.Join(t.TempDir(), "library"), qipu.Options{Create: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	referee := record.NewReferee(builtin.Games())
	referee.Trace = true
	var list []*record.Played
	for i := range n {
		list = append(list, referee.Play(b.record(i)))
	}
	if _, err := l.Records().AddAll(t.Context(), list); err != nil {
		t.Fatal(err)
	}
	return l
}
