package index_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"qipu/board"
	"qipu/builtin"
	"qipu/game"
	"qipu/index"
	"qipu/internal/testkit"
	"qipu/interval"
	"qipu/pattern"
	"qipu/record"
)

// bench is a referee who notes changes, and a maker of documents.
type bench struct {
	testing.TB
	referee *record.Referee
	docs    index.Documents
	rng     *rand.Rand
}

func newBench(t testing.TB, seed uint64) *bench {
	b := &bench{TB: t, referee: record.NewReferee(builtin.Games()), rng: rand.New(rand.NewPCG(seed, 9))}
	b.referee.Trace = true
	b.docs.Kinds = index.NewKinds(builtin.Games())
	return b
}

func (b *bench) rules(g *record.Game) game.Rules {
	b.Helper()
	r, err := b.referee.Rules(g)
	if err != nil {
		b.Fatal(err)
	}
	return r
}

func (b *bench) make(g *record.Game) (*index.Document, *record.Played) {
	b.Helper()
	p := b.referee.Play(g)
	doc, ok := b.docs.Make(p)
	if !ok {
		b.Fatalf("no document: %v", g.Faults)
	}
	return doc, p
}

// kinds are the boards that are tried.
var kinds = []struct{ kind, variant string }{
	{"weiqi", "5x5"}, {"weiqi", "9x9"}, {"weiqi", "13x13"}, {"weiqi", ""}, {"weiqi", "7x5"},
	{"othello", ""}, {"othello", "6x6"}, {"xiangqi", ""}, {"renju", ""},
}

// extend adds random moves behind a node and returns the last one. Moves takes
// the position there, after the moves of the way to it.
func (b *bench) extend(g *record.Game, r game.Rules, way []game.Move, at int32, moves int) []game.Move {
	b.Helper()
	pos := b.start(g, r)
	for _, m := range way {
		if err := pos.Play(m); err != nil {
			b.Fatal(err)
		}
	}
	way = slices.Clone(way)
	n := game.Notation(g.Notation)
	for range moves {
		list := pos.AppendMoves(nil)
		if len(list) == 0 {
			break
		}
		m := list[b.rng.IntN(len(list))]
		at = g.Add(at, record.Side(pos.Turn())+record.First, game.FormatMove(r, pos, m, n))
		if err := pos.Play(m); err != nil {
			b.Fatal(err)
		}
		way = append(way, m)
	}
	return way
}

func (b *bench) start(g *record.Game, r game.Rules) game.Position {
	b.Helper()
	if g.Start == "" {
		return r.Start()
	}
	pos, err := game.ParsePosition(r, g.Start)
	if err != nil {
		b.Fatal(err)
	}
	return pos
}

// random returns a random record of legal moves, its main line, and its rules.
func (b *bench) random(kind, variant, start string, moves int) (*record.Game, []game.Move, game.Rules) {
	b.Helper()
	g := &record.Game{Kind: kind, Variant: variant, Start: start}
	r := b.rules(g)
	g.Notation = string(r.Info().Notations[0].Name)
	g.Add(0, record.Unstated, "")
	return g, b.extend(g, r, nil, 0, moves), r
}

// branch adds variations to a record of one line.
func (b *bench) branch(g *record.Game, r game.Rules, main []game.Move, lines int) {
	b.Helper()
	for range lines {
		if n := b.rng.IntN(len(main) + 1); n < len(main) {
			b.extend(g, r, main[:n], int32(n), 1+b.rng.IntN(12))
		}
	}
}

// later returns the text of a position of random play.
func (b *bench) later(kind, variant string, moves int) string {
	b.Helper()
	g, way, r := b.random(kind, variant, "", moves)
	pos := b.start(g, r)
	for _, m := range way {
		if err := pos.Play(m); err != nil {
			b.Fatal(err)
		}
	}
	if pos.Outcome().Over() {
		return ""
	}
	return game.FormatPosition(r, pos)
}

// odd returns a record of Go against all rules: either side moves, passes are
// frequent, boards are set up anew. It is a tree where lines is more than 1.
func (b *bench) odd(moves, lines int, setups bool) *record.Game {
	size := board.Size{W: 9, H: 9}
	g := &record.Game{Kind: "weiqi", Variant: "9x9", Notation: "sgf"}
	g.Add(0, record.Unstated, "")
	text := func(p board.Point) string { return string([]byte{'a' + byte(p.X()), 'a' + byte(p.Y())}) }
	free := b.rng.Perm(size.Area())
	take := func() string {
		if len(free) == 0 {
			return ""
		}
		p := size.Point(free[0])
		free = free[1:]
		return text(p)
	}
	edit := func(i int32) {
		x := g.Nodes[i].More()
		for range b.rng.IntN(4) {
			x.Setup = append(x.Setup, record.Put{Piece: board.Piece(b.rng.IntN(3)), Point: take()})
		}
		x.Turn = record.Side(b.rng.IntN(3))
		x.Setup = slices.DeleteFunc(x.Setup, func(p record.Put) bool { return p.Point == "" })
	}
	if setups && b.rng.IntN(2) == 0 {
		edit(0)
	}
	for range lines {
		at := int32(b.rng.IntN(len(g.Nodes)))
		side := record.Side(b.rng.IntN(2)) + record.First
		for range moves {
			if b.rng.IntN(5) > 0 {
				side = record.First + record.Second - side
			}
			move := take()
			if b.rng.IntN(10) == 0 {
				move = ""
			}
			if move == "" {
				move = "tt"
			}
			if setups && b.rng.IntN(8) == 0 {
				at = g.Add(at, record.Unstated, "")
				edit(at)
				if b.rng.IntN(2) == 0 {
					continue
				}
			}
			at = g.Add(at, side, move)
		}
	}
	return g
}

// way returns a record that is nothing but the way to a node.
func way(g *record.Game, to int32) *record.Game {
	w := *g
	w.Nodes, w.Faults = nil, nil
	var list []int32
	for i := to; i != 0; i = g.Nodes[i].Parent {
		list = append(list, i)
	}
	w.Nodes = append(w.Nodes, record.Node{Move: g.Nodes[0].Move, Side: g.Nodes[0].Side, Extra: g.Nodes[0].Extra})
	for _, i := range slices.Backward(list) {
		n := w.Add(int32(len(w.Nodes)-1), g.Nodes[i].Side, g.Nodes[i].Move)
		w.Nodes[n].Extra = g.Nodes[i].Extra
	}
	return &w
}

// seen counts what the checks have met, so that they do not become empty.
type seen struct {
	positions, moves, passes, repeated, full, turns, windows int
	variations, skips, ownWindows                            int
}

// check holds a document against the boards of its record.
func (b *bench) check(g *record.Game, s *seen) {
	b.Helper()
	doc, p := b.make(g)
	b.line(doc, &doc.Lines[0], p, p.Steps, p.Turn, -1, s)
	n := 1
	if g.Variations() {
		for l := range record.Lines(p.Rules, g) {
			if n == len(doc.Lines) {
				b.Fatalf("%d lines are too few", n)
			}
			w := b.referee.Play(way(g, l.Steps[len(l.Steps)-1].Node))
			if len(w.Steps) < len(l.Steps) {
				b.Fatalf("a line of %d steps, %d when played alone", len(l.Steps), len(w.Steps))
			}
			w.Start.Turn = p.Start.Turn // which may be told by the first move of the main line
			b.line(doc, &doc.Lines[n], w, l.Steps, l.Turn, l.From, s)
			s.variations++
			n++
		}
	}
	if n != len(doc.Lines) || doc.Plies != len(p.Steps) || doc.Cut {
		b.Fatalf("%d lines, want %d; %d plies, want %d", len(doc.Lines), n, doc.Plies, len(p.Steps))
	}
}

// line holds one line of these steps against the boards of a played record that
// has the same moves. Its own positions are those behind steps[from], and turn
// is the side to move in the last one.
func (b *bench) line(doc *index.Document, l *interval.Line, p *record.Played, list []record.Step, turn game.Side, from int, s *seen) {
	b.Helper()
	k, steps := doc.Kind, len(list)
	size := k.Board.Size
	if err := l.Check(size.Area(), k.Board.Kinds); err != nil {
		b.Fatal(err)
	}
	s.skips += len(l.Skips)
	var slots []uint16
	for slot := uint16(0); slot < l.End; slot++ {
		if !slices.Contains(l.Skips, slot) {
			slots = append(slots, slot)
		}
	}
	if len(slots) != steps+1 || l.From != slots[from+1] || k.Moving && len(l.Moves) != steps {
		b.Fatalf("%d positions from slot %d, want %d from step %d: %+v", len(slots), l.From, steps+1, from, l)
	}
	state, rest := board.NewPlanes(size, k.Board.Kinds), l.Changes
	boards := make([]*board.Planes, len(slots))
	for i, slot := range slots {
		for ; len(rest) > 0 && rest[0].Slot == slot; rest = rest[1:] {
			state.Put(size.Point(int(rest[0].Point)), rest[0].Piece)
		}
		pos, err := record.At(p, i)
		if err != nil {
			b.Fatal(err)
		}
		boards[i] = state.Clone()
		if !state.Equal(pos.(game.Planar).Planes()) {
			b.Fatalf("another board after step %d", i)
		}
		to, next := turn, l.End
		if i < steps {
			to, next = pos.Turn(), slots[i+1]
			switch {
			case list[i].Move != game.NoMove:
				if to != list[i].Side {
					s.turns++ // against the rules
				}
				to = list[i].Side
			case i == 0:
				to = p.Start.Turn
			case list[i-1].Move == game.NoMove:
				to = list[i-1].Side // likewise
			}
		}
		if game.Side(1-next%2) != to {
			b.Fatalf("after step %d of %v: the next slot is %d, but side %d is to move", i, list, next, to)
		}
	}
	if len(rest) > 0 {
		b.Fatalf("%d changes on skipped slots", len(rest))
	}
	b.positions(k, l, p, slots, boards, from, s)
	b.windows(k, l, boards, from, s)
}

// positions checks the hashes of a line and the moves behind them.
func (b *bench) positions(k *index.Kind, l *interval.Line, p *record.Played, slots []uint16, boards []*board.Planes, from int, s *seen) {
	b.Helper()
	var positions index.Positions
	list := positions.Append([]index.Position{{Key: 1}}, k, l)
	if list[0].Key != 1 {
		b.Fatal("what was in the list is lost")
	}
	list = list[1:]
	met := map[uint64]bool{}
	for i := from + 1; i < len(boards); i++ {
		occupied := boards[i].Occupied()
		if k.MaxPieces > 0 && occupied.Count() > k.MaxPieces {
			s.full++
			continue
		}
		key, img := k.Canonical(boards[i])
		next := l.End
		if i+1 < len(slots) {
			next = slots[i+1]
		}
		picture := key ^ uint64(2*img) ^ uint64(next%2)
		if met[picture] {
			s.repeated++
			continue
		}
		met[picture] = true
		if len(list) == 0 || list[0].Key != key || int(list[0].Ply) != i || int(list[0].Image) != img || list[0].Turn != game.Side(1-next%2) {
			b.Fatalf("position %d is not found, or as another one: %+v", i, list[:min(1, len(list))])
		}
		sym := k.Image(img)
		got := k.Move(list[0].Next, game.Symmetry{Board: sym.Board.Inverse(), Swap: sym.Swap})
		want := game.NoMove
		if i+1 < len(slots) {
			switch want = p.Steps[i].Move; {
			case want == game.NoMove:
				// A set-up that puts one piece on an empty point looks like a move.
				want = game.Pass
				was, is := boards[i].Occupied(), boards[i+1].Occupied()
				is.AndNot(&was)
				if is.Count() == 1 {
					want = game.Drop(slices.Collect(is.Points())[0])
				}
			case want != game.Pass && boards[i+1].At(want.To()) == board.Empty:
				want = game.Pass // a suicide leaves nothing behind
			}
			if want == game.Pass {
				s.passes++
			} else {
				s.moves++
			}
		} else if list[0].Next != index.NextNone {
			b.Fatalf("code %d behind the last position", list[0].Next)
		}
		if got != want {
			b.Fatalf("after step %d comes %v, want %v", i, got, want)
		}
		s.positions++
		list = list[1:]
	}
	if len(list) > 0 {
		b.Fatalf("%d positions too many", len(list))
	}
}

// windows checks the classes of a line, and those of patterns cut from it.
func (b *bench) windows(k *index.Kind, l *interval.Line, boards []*board.Planes, from int, s *seen) {
	b.Helper()
	if !k.HasWindows() {
		return
	}
	size := k.Board.Size
	want := map[uint16]bool{}
	for _, pl := range boards[from+1:] {
		for y := range size.H - 2 {
			for x := range size.W - 2 {
				want[windowAt(pl, x, y)] = true
			}
		}
	}
	var scan index.Scanner
	got := scan.Append(nil, k, l)
	if !slices.IsSorted(got) {
		b.Fatal("classes are not in order")
	}
	for _, c := range got {
		if !want[c] && (c != 0 || from >= 0) { // the empty window is taken for granted
			b.Fatalf("class %d stands nowhere", c)
		}
		delete(want, c)
	}
	if len(want) > 0 {
		b.Fatalf("classes %v are left out", want)
	}
	s.windows += len(got)
	if from >= 0 {
		s.ownWindows += len(got)
	}
	for range 3 {
		pl := boards[from+1+b.rng.IntN(len(boards)-from-1)]
		x, y, w, h := b.rng.IntN(size.W), b.rng.IntN(size.H), 1+b.rng.IntN(6), 1+b.rng.IntN(6)
		for i := range k.Images() {
			sym := k.Image(i)
			swap := []board.Piece(nil)
			if sym.Swap {
				swap = k.Board.Swap
			}
			p := pattern.Region(pl.Transform(sym.Board, swap), x, y, w, h)
			if b.rng.IntN(2) == 0 {
				p.Cells[b.rng.IntN(len(p.Cells))] |= pattern.Empty
			}
			for _, c := range index.WindowsOf(p) {
				if !slices.Contains(got, c) {
					b.Fatalf("a pattern of the line asks for class %d, which it has not", c)
				}
			}
		}
	}
}

// windowAt returns the class of a window by the pattern that is nothing else.
func windowAt(pl *board.Planes, x, y int) uint16 {
	p := &pattern.Pattern{Size: board.Size{W: 3, H: 3}, To: -1}
	for i := range 9 {
		p.Cells = append(p.Cells, pattern.Of(pl.At(board.At(x+i%3, y+i/3))))
	}
	return index.WindowsOf(p)[0]
}

// TestDocuments plays random games of all kinds and holds their documents
// against the boards.
func TestDocuments(t *testing.T) {
	for i, c := range kinds {
		t.Run(c.kind+" "+c.variant, func(t *testing.T) {
			b := newBench(t, uint64(i))
			var s seen
			for round := range testkit.Scale(16, 400) {
				start := ""
				if round%2 == 1 {
					start = b.later(c.kind, c.variant, 1+b.rng.IntN(20))
				}
				g, main, r := b.random(c.kind, c.variant, start, 10+b.rng.IntN(60))
				if round%4 > 1 {
					b.branch(g, r, main, 5)
				}
				b.check(g, &s)
			}
			if s.positions == 0 || s.moves == 0 || s.variations == 0 {
				t.Errorf("%+v: the test has become empty", s)
			}
		})
	}
}

// TestOddDocuments does the same with records against the rules.
func TestOddDocuments(t *testing.T) {
	b := newBench(t, 100)
	var s seen
	for round := range testkit.Scale(300, 20000) {
		b.check(b.odd(4+b.rng.IntN(12), 1+round%4, round%2 == 1), &s)
	}
	if s.positions == 0 || s.moves == 0 || s.passes == 0 || s.repeated == 0 || s.turns == 0 || s.variations == 0 || s.skips == 0 || s.ownWindows == 0 {
		t.Errorf("%+v: the test has become empty", s)
	}
}

// TestHandicap looks at the slots of games that do not begin with the first
// side, and of those in which it places its stones.
func TestHandicap(t *testing.T) {
	b := newBench(t, 101)
	for _, c := range []struct {
		name, setup, moves string
		handicap           int
		skips              []uint16
		end                uint16
	}{
		{"even", "", "1:aa 2:bb", 0, nil, 3},
		{"set up", "1dd,1pp", "2:aa 1:bb 2:cc", 2, []uint16{1}, 5},
		{"placed", "", "1:dd 1:pp 2:aa 1:bb", 2, []uint16{2}, 6},
		{"second first", "", "2:aa 1:bb", 0, []uint16{1}, 4},
		{"passes", "", "1:tt 2:tt", 0, nil, 3},
		{"nothing", "", "", 0, nil, 1},
		{"nothing but stones", "1dd,1pp/2", "", 2, []uint16{1}, 2},
	} {
		g := &record.Game{Kind: "weiqi", Notation: "sgf"}
		g.Facts.Handicap = c.handicap
		g.Add(0, record.Unstated, "")
		points, turn, _ := strings.Cut(c.setup, "/")
		for _, p := range strings.FieldsFunc(points, func(c rune) bool { return c == ',' }) {
			g.Nodes[0].More().Setup = append(g.Nodes[0].More().Setup, record.Put{Piece: board.Piece(p[0] - '0'), Point: p[1:]})
		}
		if turn != "" {
			g.Nodes[0].More().Turn = record.Second
		}
		at := int32(0)
		for _, m := range strings.Fields(c.moves) {
			at = g.Add(at, record.Side(m[0]-'0'), m[2:])
		}
		b.check(g, &seen{})
		doc, _ := b.make(g)
		if l := doc.Lines[0]; !slices.Equal(l.Skips, c.skips) || l.End != c.end {
			t.Errorf("%s: skips %v, end %d, want %v, %d", c.name, l.Skips, l.End, c.skips, c.end)
		}
	}
}

// TestVariations looks at where the own part of a variation begins.
func TestVariations(t *testing.T) {
	b := newBench(t, 102)
	g := &record.Game{Kind: "weiqi", Notation: "sgf"}
	g.Add(0, record.Unstated, "")
	a := g.Add(0, record.First, "aa")
	g.Add(a, record.Second, "bb")
	g.Add(a, record.First, "cc") // one side twice: slot 2 is skipped
	g.Add(0, record.First, "dd") // beside the first move
	b.check(g, &seen{})
	doc, _ := b.make(g)
	var froms []uint16
	for _, l := range doc.Lines {
		froms = append(froms, l.From)
	}
	if !slices.Equal(froms, []uint16{0, 3, 1}) {
		t.Errorf("lines begin at %v", froms)
	}
}

// TestNoDocument checks records that have no board.
func TestNoDocument(t *testing.T) {
	b := newBench(t, 103)
	for _, g := range []*record.Game{{}, {Kind: "shogi"}, {Kind: "weiqi", Start: "nonsense"}} {
		g.Add(0, record.Unstated, "")
		if doc, ok := b.docs.Make(b.referee.Play(g)); ok || doc != nil {
			t.Errorf("%+v has a document", g)
		}
	}
}

// TestLongRecord checks that a record longer than a line may be is cut.
func TestLongRecord(t *testing.T) {
	b := newBench(t, 104)
	g := &record.Game{Kind: "weiqi", Notation: "sgf"}
	at := g.Add(0, record.Unstated, "")
	for i := range interval.MaxSlot + 10 {
		side := record.First + record.Side(i%2)
		at = g.Add(at, side, "tt")
	}
	late := g.Add(at, record.First, "aa")
	g.Add(late, record.Second, "bb")
	g.Add(late, record.Second, "cc") // behind all that a line may have
	doc, p := b.make(g)
	l := doc.Lines[0]
	if err := l.Check(361, 2); err != nil || !doc.Cut || len(p.Steps) < interval.MaxSlot {
		t.Errorf("%v, cut %v, %d steps", err, doc.Cut, len(p.Steps))
	}
	if len(doc.Lines) != 1 || l.Ply(l.End-1) != interval.MaxSlot {
		t.Errorf("%d lines, the first of %d plies", len(doc.Lines), l.Ply(l.End-1))
	}
}

// TestCanonical checks that a position and its pictures have one hash, and that
// the picture it names has it.
func TestCanonical(t *testing.T) {
	for i, c := range kinds {
		b := newBench(t, 200+uint64(i))
		keys := map[uint64]string{}
		for range testkit.Scale(10, 300) {
			g, _, r := b.random(c.kind, c.variant, "", 4+b.rng.IntN(25))
			k := b.docs.Kinds.Of(r)
			p := b.referee.Play(g)
			pos, err := record.At(p, len(p.Steps))
			if err != nil {
				t.Fatal(err)
			}
			pl := pos.(game.Planar).Planes()
			key, img := k.Canonical(pl)
			plain := ^uint64(0)
			var best *board.Planes
			for i := range k.Images() {
				sym := k.Image(i)
				swap := []board.Piece(nil)
				if sym.Swap {
					swap = k.Board.Swap
				}
				picture := pl.Transform(sym.Board, swap)
				if h := picture.Hash(); h < plain {
					plain, best = h, picture
				}
				if got, _ := k.Canonical(picture); got != key {
					t.Fatalf("%s: the picture %v has another hash", k.Name, sym)
				}
				if i == img && picture.Hash() != key {
					t.Fatalf("%s: picture %d has not the hash", k.Name, img)
				}
			}
			if plain != key {
				t.Fatalf("%s: hash %x, want %x", k.Name, key, plain)
			}
			text := fmt.Sprint(best.Of)
			if other, ok := keys[key]; ok && other != text {
				t.Fatalf("%s: two boards with one hash", k.Name)
			}
			keys[key] = text
		}
	}
}

// TestWindowClasses holds the classes against all pictures of all windows.
func TestWindowClasses(t *testing.T) {
	side := board.Size{W: 3, H: 3}
	smallest := map[string]uint16{}
	classes := map[uint16]bool{}
	for code := range 19683 {
		pl := board.NewPlanes(side, 2)
		for i, rest := 0, code; i < 9; i, rest = i+1, rest/3 {
			pl.Put(side.Point(i), board.Piece(rest%3))
		}
		least := ""
		for sym := range board.NumSymmetries {
			for _, swap := range [][]board.Piece{nil, {2, 1}} {
				picture := pl.Transform(sym, swap)
				text := make([]byte, 9)
				for i := range text {
					text[i] = '0' + byte(picture.At(side.Point(i)))
				}
				if s := string(text); least == "" || s < least {
					least = s
				}
			}
		}
		class := windowAt(pl, 0, 0)
		if known, ok := smallest[least]; ok && known != class || !ok && classes[class] {
			t.Fatalf("window %d is of class %d", code, class)
		}
		smallest[least], classes[class] = class, true
	}
	if len(classes) != index.NumWindows() {
		t.Errorf("%d classes, want %d", index.NumWindows(), len(classes))
	}
}

// TestKinds checks names and what kinds have in common.
func TestKinds(t *testing.T) {
	s := index.NewKinds(builtin.Games())
	for _, name := range []string{"weiqi 19x19", "weiqi 9x9", "othello 8x8", "othello 6x6", "xiangqi 9x10", "renju 15x15", "renju 9x9"} {
		k, err := s.Find(name)
		if err != nil || k.Name != name || k.Moving != strings.HasPrefix(name, "xiangqi") || k.HasWindows() != (strings.HasPrefix(name, "weiqi") || strings.HasPrefix(name, "renju")) {
			t.Errorf("%s: %+v, %v", name, k, err)
			continue
		}
		if again, err := s.Find(name); again != k || err != nil {
			t.Errorf("%s is made twice, %v", name, err)
		}
		if s.Of(k.Rules) != k || k.Image(0) != (game.Symmetry{}) {
			t.Errorf("%s: another kind by its rules", name)
		}
		if len(k.Owners) != k.Board.Kinds || (k.MaxPieces > 0) != (k.Board.Size.Area() > 128) {
			t.Errorf("%s: %d owners, at most %d pieces", name, len(k.Owners), k.MaxPieces)
		}
	}
	for _, name := range []string{"", "weiqi", "shogi 9x9", "xiangqi 3x3", "weiqi 99x99"} {
		if _, err := s.Find(name); err == nil || !strings.HasPrefix(err.Error(), "index: ") {
			t.Errorf("%q: %v", name, err)
		}
	}
}
