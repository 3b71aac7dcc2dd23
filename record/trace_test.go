package record_test

import (
	"context"
	"iter"
	"math/rand/v2"
	"slices"
	"testing"

	"qipu/board"
	"qipu/builtin"
	"qipu/game"
	"qipu/game/connect4"
	"qipu/game/gametest/pocket"
	"qipu/game/kalah"
	"qipu/record"
)

type sinkFunc func(*record.Played)

func (f sinkFunc) Add(_ context.Context, p *record.Played) error {
	f(p)
	return nil
}

// tracing returns a referee that notes changes.
func tracing() *record.Referee {
	r := record.NewReferee(append(builtin.Games(), connect4.Rules{}, pocket.Rules{}, kalah.Rules{}))
	r.Trace = true
	return r
}

// applied is the board that changes make, read step by step.
type applied struct {
	board *board.Planes
	rest  []record.Change
}

func apply(r game.Rules, changes []record.Change) *applied {
	return &applied{board.NewPlanes(r.Geometry().Size, len(r.Geometry().Pieces)), changes}
}

// to goes on to the board after so many steps. A change that changes nothing, a
// point that a step changes twice and steps out of order are errors.
func (a *applied) to(t testing.TB, step int) *board.Planes {
	t.Helper()
	seen := map[record.Change]bool{}
	for ; len(a.rest) > 0 && int(a.rest[0].Step) <= step; a.rest = a.rest[1:] {
		c := a.rest[0]
		key := record.Change{Step: c.Step, Point: c.Point}
		if seen[key] || a.board.At(c.Point) == c.Piece {
			t.Fatalf("change %+v is none, or one too many", c)
		}
		seen[key] = true
		a.board.Put(c.Point, c.Piece)
	}
	if len(a.rest) > 1 && a.rest[0].Step > a.rest[1].Step {
		t.Fatalf("changes of step %d before those of step %d", a.rest[0].Step, a.rest[1].Step)
	}
	return a.board
}

// checkTrace checks that the changes of a record lead to its boards: all of
// them, or one in so many.
func checkTrace(t testing.TB, p *record.Played, every int) {
	t.Helper()
	if p.Start.Board == nil {
		if len(p.Changes) > 0 {
			t.Error("changes of a board that could not be set up")
		}
		return
	}
	a := apply(p.Rules, p.Changes)
	for i := 0; i <= len(p.Steps); i++ {
		b := a.to(t, i)
		if i%every != 0 && i != len(p.Steps) {
			continue
		}
		pos, err := record.At(p, i)
		if err != nil {
			t.Fatal(err)
		}
		if !b.Equal(pos.(game.Planar).Planes()) {
			t.Fatalf("%s, game %d: the changes lead to another board after step %d", p.Game.Place.File, p.Game.Place.Number, i)
		}
		if i == len(p.Steps) && p.Turn != pos.Turn() {
			t.Errorf("%s, game %d: turn %d, want %d", p.Game.Place.File, p.Game.Place.Number, p.Turn, pos.Turn())
		}
	}
	if len(a.rest) > 0 {
		t.Errorf("%d changes behind the last step", len(a.rest))
	}
}

// randomGame plays a random line of legal moves.
func randomGame(r *rand.Rand, rules game.Rules, variant string, moves int) *record.Game {
	n := rules.Info().Notations[0].Name
	g := &record.Game{Kind: rules.Info().Name, Variant: variant, Notation: string(n)}
	at := g.Add(0, record.Unstated, "")
	pos := rules.Start()
	var list []game.Move
	for range moves {
		if list = pos.AppendMoves(list[:0]); len(list) == 0 {
			break
		}
		m := list[r.IntN(len(list))]
		at = g.Add(at, record.Side(pos.Turn())+record.First, game.FormatMove(rules, pos, m, n))
		if err := pos.Play(m); err != nil {
			panic(err)
		}
	}
	return g
}

// TestTrace compares changes with boards in random games of all kinds, one
// referee for all of them.
func TestTrace(t *testing.T) {
	referee := tracing()
	for _, c := range []struct{ kind, variant string }{
		{"weiqi", "5x5"}, {"weiqi", ""}, {"othello", ""}, {"othello", "6x6"}, {"xiangqi", ""}, {"renju", ""}, {"connect4", ""}, {"pocket", ""},
	} {
		rules, err := referee.Rules(&record.Game{Kind: c.kind, Variant: c.variant})
		if err != nil {
			t.Fatal(err)
		}
		for seed := range uint64(6) {
			g := randomGame(rand.New(rand.NewPCG(seed, 1)), rules, c.variant, 120)
			checkTrace(t, referee.Play(g), 1)
		}
	}
}

// TestAnyGame writes and reads random games in which moves name pieces, positions
// have hands, a side moves twice, and there is no board of pieces: what is played
// of them afterwards is what was played before.
func TestAnyGame(t *testing.T) {
	referee := tracing()
	for _, kind := range []string{"pocket", "kalah", "connect4"} {
		rules, err := referee.Rules(&record.Game{Kind: kind})
		if err != nil {
			t.Fatal(err)
		}
		for seed := range uint64(20) {
			g := randomGame(rand.New(rand.NewPCG(seed, 2)), rules, "", 40)
			if seed%2 == 1 { // begin in the middle
				pos := rules.Start()
				for _, n := range g.Main() {
					if m, err := rules.ParseMove(pos, n.Move, game.AnyNotation); n.Move != "" && (err != nil || pos.Play(m) != nil) {
						t.Fatal(n.Move, err)
					}
				}
				g.Start = game.FormatPosition(rules, pos)
				g.Nodes = g.Nodes[:1]
				g.Nodes[0].Child = 0
			}
			before := referee.Play(g)
			back, err := record.DecodeGame(record.AppendGame(nil, g))
			if err != nil {
				t.Fatal(err)
			}
			after := referee.Play(back)
			if !before.Legal() || !slices.Equal(before.Steps, after.Steps) || before.Hash != after.Hash || before.Turn != after.Turn ||
				before.Start.Extra != after.Start.Extra || !slices.Equal(before.Changes, after.Changes) {
				t.Fatalf("%s, seed %d: %+v comes back as %+v", kind, seed, before, after)
			}
			if kind == "kalah" && len(before.Changes) > 0 {
				t.Fatalf("seed %d: %v changed on no board", seed, before.Changes)
			}
		}
	}
}

// plainRules are rules whose positions do not tell what a move changed, so that
// boards have to be compared; they are the same otherwise.
type plainRules struct{ game.Rules }

type plainPosition struct {
	game.Position
	game.Planar
	game.Noted
}

// plainForcer is a plainPosition that takes moves against the rules.
type plainForcer struct {
	plainPosition
	record.Forcer
}

// plainCoordinates are plainRules with record.Coordinates.
type plainCoordinates struct {
	plainRules
	reader
}

// reader has another name than its method, which the field would hide.
type reader interface{ record.Coordinates }

func plain(r game.Rules) game.Rules {
	if c, ok := r.(record.Coordinates); ok {
		return plainCoordinates{plainRules{r}, c}
	}
	return plainRules{r}
}

func (r plainRules) hide(p game.Position) game.Position {
	hidden := plainPosition{Position: p, Planar: p.(game.Planar)}
	if hidden.Noted, _ = p.(game.Noted); hidden.Noted == nil {
		hidden.Noted = silent{}
	}
	if f, ok := p.(record.Forcer); ok {
		return plainForcer{hidden, f}
	}
	return hidden
}

// silent has nothing to note.
type silent struct{}

func (silent) Note(*game.Setup) {}

func (r plainRules) Start() game.Position { return r.hide(r.Rules.Start()) }

func (r plainRules) Arrange(s game.Setup) (game.Position, error) {
	p, err := r.Rules.Arrange(s)
	if err != nil {
		return nil, err
	}
	return r.hide(p), nil
}

func (r plainRules) ParseMove(p game.Position, text string, n game.Notation) (game.Move, error) {
	if f, ok := p.(plainForcer); ok {
		p = f.plainPosition
	}
	return r.Rules.ParseMove(p.(plainPosition).Position, text, n)
}

func (r plainRules) Variant(spec string) (game.Rules, error) {
	v, err := r.Rules.(game.Varied).Variant(spec)
	if err != nil {
		return nil, err
	}
	return plain(v), nil
}

// TestTraceCompared holds that games that tell what their moves changed and
// games whose boards are compared have the same changes in the same order, in
// the main line and in variations.
func TestTraceCompared(t *testing.T) {
	asking := tracing()
	var games game.Catalog
	for _, r := range builtin.Games() {
		if _, ok := r.Start().(game.Changer); !ok {
			t.Errorf("%s does not tell changes", r.Info().Name)
		}
		if _, ok := plain(r).Start().(game.Changer); ok {
			t.Fatalf("%s tells changes where it should not", r.Info().Name)
		}
		games = append(games, plain(r))
	}
	comparing := record.NewReferee(games)
	comparing.Trace = true
	setups := 0
	for _, c := range []struct {
		kind, variant string
		setups        bool
	}{
		{"weiqi", "5x5", false}, {"weiqi", "5x5", true}, {"weiqi", "4x4,new-zealand", true}, {"othello", "", false},
		{"othello", "6x6", false}, {"xiangqi", "", false}, {"renju", "", false}, {"renju", "", true},
	} {
		for seed := range uint64(4) {
			g := &record.Game{Kind: c.kind, Variant: c.variant}
			rules, err := asking.Rules(g)
			if err != nil {
				t.Fatal(err)
			}
			notation := string(rules.Info().Notations[0].Name)
			if c.setups {
				notation = "sgf" // of the points that randomTree sets up
			}
			g = randomTree(rand.New(rand.NewPCG(seed, 7)), rules, c.variant, notation, 70, c.setups)
			other, err := comparing.Rules(g)
			if err != nil {
				t.Fatal(err)
			}
			a, b := asking.Play(g), comparing.Play(g)
			if len(a.Changes) == 0 || !slices.Equal(a.Steps, b.Steps) || !slices.Equal(a.Changes, b.Changes) {
				t.Fatalf("%s %s: changes %v, by comparing %v", c.kind, c.variant, a.Changes, b.Changes)
			}
			next, stop := iter.Pull(record.Lines(other, g))
			defer stop()
			for l := range record.Lines(rules, g) {
				for _, s := range l.Steps {
					if s.Move == game.NoMove {
						setups++
					}
				}
				m, ok := next()
				if !ok || !slices.Equal(l.Steps, m.Steps) || !slices.Equal(l.Changes, m.Changes) {
					t.Fatalf("%s %s: line %+v, by comparing %+v", c.kind, c.variant, l, m)
				}
			}
		}
	}
	if setups < 50 {
		t.Errorf("%d set-ups", setups)
	}
}

// TestForcedChanges holds what a position says of moves against the rules, and
// after they are taken back, against its boards.
func TestForcedChanges(t *testing.T) {
	rules, err := builtin.Games().Find("weiqi:4x4")
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(4, 4))
	pos := rules.Start()
	boards := []*board.Planes{pos.(game.Planar).Planes().Clone()}
	forced, taken := 0, 0
	for range 20_000 {
		m := game.Pass
		if n := r.IntN(17); n < 16 {
			m = game.Drop(rules.Geometry().Size.Point(n))
		}
		switch {
		case r.IntN(4) == 0 && len(boards) > 1:
			pos.Undo()
			boards = boards[:len(boards)-1]
		case pos.(record.Forcer).Force(game.Side(r.IntN(2)), m) == nil:
			forced++
			boards = append(boards, pos.(game.Planar).Planes().Clone())
		default:
			continue // occupied
		}
		want := boards[max(0, len(boards)-2)].Clone()
		list := pos.(game.Changer).AppendChanged(nil)
		for _, c := range list {
			if want.At(c.Point) == c.Piece {
				t.Fatalf("%+v is no change", c)
			}
			want.Put(c.Point, c.Piece)
		}
		if len(list) > 2 {
			taken++
		}
		if !want.Equal(boards[len(boards)-1]) {
			t.Fatalf("%v do not lead to the board", list)
		}
	}
	if forced < 1000 || taken < 100 {
		t.Errorf("%d moves forced, %d took more than one stone", forced, taken)
	}
}

// TestTraceOddities looks at what is no plain move.
func TestTraceOddities(t *testing.T) {
	for _, c := range []struct {
		name, kind, variant, start, moves string
		setup, later                      string
		steps                             int
	}{
		{name: "set up at the root", kind: "weiqi", variant: "9x9", moves: "2:ee 1:ef", setup: "1aa,2bb,1cc/2", steps: 2},
		{name: "set up in the middle", kind: "weiqi", variant: "9x9", moves: "1:ee 2:ef 1:gg", later: "0ee,2aa,1bb,1ab", steps: 4},
		{name: "turn alone", kind: "weiqi", variant: "9x9", moves: "1:ee 2:ef 2:gg", later: "/1", steps: 4},
		{name: "set up before the other side", kind: "weiqi", variant: "9x9", moves: "1:ee -:", setup: "1aa", later: "1bb", steps: 2},
		{name: "capture", kind: "weiqi", variant: "5x5", moves: "1:ba 2:aa 1:ab", steps: 3},
		{name: "one side twice", kind: "weiqi", variant: "9x9", moves: "1:ee 1:ef 2:tt 2:gg", steps: 4},
		{name: "suicide", kind: "weiqi", variant: "5x5", moves: "1:ba 2:ee 1:ab 2:aa", steps: 4},
		{name: "forced pass", kind: "othello", start: "XO6/8/8/8/8/8/8/7O O", moves: "1:c1", steps: 2},
		{name: "no such move", kind: "xiangqi", moves: "h2e2 h9g7 a0a9", steps: 2},
		{name: "no such board", kind: "weiqi", variant: "9x9", moves: "1:ee", setup: "1zz"},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := &record.Game{Kind: c.kind, Variant: c.variant, Start: c.start}
			parseTree(g, c.moves)
			addSetup(g, c.setup, 0)
			addSetup(g, c.later, 2)
			p := tracing().Play(g)
			if len(p.Steps) != c.steps {
				t.Errorf("%d steps, want %d", len(p.Steps), c.steps)
			}
			checkTrace(t, p, 1)
		})
	}
}

// TestTraceOrder holds the order of changes, and that records share none.
func TestTraceOrder(t *testing.T) {
	referee := tracing()
	play := func(moves string) *record.Played {
		g := &record.Game{Kind: "othello"}
		parseTree(g, moves)
		return referee.Play(g)
	}
	p := play("f5 d6")
	at := func(x, y int) board.Point { return board.At(x, y) }
	want := []record.Change{
		{Step: 0, Point: at(3, 3), Piece: 2}, {Step: 0, Point: at(4, 3), Piece: 1}, {Step: 0, Point: at(3, 4), Piece: 1}, {Step: 0, Point: at(4, 4), Piece: 2},
		{Step: 1, Point: at(5, 4), Piece: 1}, {Step: 1, Point: at(4, 4), Piece: 1},
		{Step: 2, Point: at(3, 5), Piece: 2}, {Step: 2, Point: at(3, 4), Piece: 2},
	}
	play("c4 c3")
	if len(p.Changes) != len(want) {
		t.Fatalf("%+v", p.Changes)
	}
	for i := range want {
		if p.Changes[i] != want[i] {
			t.Errorf("change %d is %+v, want %+v", i, p.Changes[i], want[i])
		}
	}
	if p.Turn != game.First {
		t.Error("the turn is wrong")
	}
	referee.Trace = false
	if p := play("f5"); p.Changes != nil || p.Turn != game.Second {
		t.Error("changes that nobody asked for, or no turn")
	}
}

func TestTraceSamples(t *testing.T) {
	referee := tracing()
	for _, g := range samples(t) {
		checkTrace(t, referee.Play(g), 7)
	}
}

func TestRealTrace(t *testing.T) {
	eachReal(t, func(t *testing.T, p *record.Played) { checkTrace(t, p, 1+len(p.Steps)/3) })
}

// BenchmarkTrace is what playing costs without and with changes.
func BenchmarkTrace(b *testing.B) {
	for _, c := range []struct {
		kind  string
		moves int
	}{{"weiqi", 210}, {"othello", 60}, {"xiangqi", 80}, {"renju", 40}} {
		rules, err := builtin.Games().Find(c.kind)
		if err != nil {
			b.Fatal(err)
		}
		g := randomGame(rand.New(rand.NewPCG(1, 1)), rules, "", c.moves)
		for _, trace := range []bool{false, true} {
			name := c.kind + "/plain"
			if trace {
				name = c.kind + "/trace"
			}
			b.Run(name, func(b *testing.B) {
				referee := tracing()
				referee.Trace = trace
				b.ReportAllocs()
				for b.Loop() {
					referee.Play(g)
				}
			})
		}
	}
}
