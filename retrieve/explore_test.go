package retrieve

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"

	"qipu/board"
	"qipu/builtin"
	"qipu/game"
	"qipu/game/gametest/pocket"
	"qipu/game/kalah"
	"qipu/index"
	"qipu/internal/testkit"
	"qipu/pattern"
	"qipu/query"
	"qipu/record"
	"qipu/record/facts"
	"qipu/store/shard"
	"qipu/store/storetest"
)

// position returns a random position of a random line that the rules allow, of
// the early ones more often.
func (w *world) position(k *index.Kind) game.Position {
	for range 50 {
		l := w.lines[k][w.rng.IntN(len(w.lines[k]))]
		pos := k.Rules.Start()
		if !slices.Equal(l.boards[0], cellsOf(k, pos)) {
			continue
		}
		for ply := range w.rng.IntN(1 + w.rng.IntN(len(l.boards))) {
			if pos.Turn() != l.turns[ply] || l.moves[ply] == game.NoMove || pos.Play(l.moves[ply]) != nil {
				break
			}
		}
		return pos
	}
	return k.Rules.Start() // all games of the kind begin elsewhere
}

func cellsOf(k *index.Kind, pos game.Position) []board.Piece {
	cells := make([]board.Piece, k.Board.Size.Area())
	planes := pos.(game.Planar).Planes()
	for i := range planes.Of {
		for pt := range planes.Of[i].Points() {
			cells[k.Board.Size.Index(pt)] = board.Piece(i + 1)
		}
	}
	return cells
}

func textOf(k *index.Kind, pos game.Position) string {
	return string(game.AppendSetup(nil, k.Rules, game.SetupOf(pos)))
}

// checkExplore compares Explore with the boards.
func (w *world) checkExplore(t testing.TB, r *ExploreRequest) (*Answer, error) {
	t.Helper()
	before := textOf(r.Kind, r.Position)
	r.Limit = -1
	a, err := Explore(t.Context(), w.view, r)
	if err != nil {
		return nil, err
	}
	if after := textOf(r.Kind, r.Position); after != before {
		return nil, fmt.Errorf("the position is %s afterwards", after)
	}
	shape, err := r.shape()
	if err != nil {
		return nil, err
	}
	ask := &Request{Kind: r.Kind, Query: r.within(shape), Variations: r.Variations, Limit: -1}
	if err := w.ask(t, ask).compare(ask, shape, a); err != nil {
		return nil, err
	}
	sum := a.Ended
	for i := range a.Continuations {
		c := &a.Continuations[i]
		sum += c.Count
		want := -1
		if c.Move != game.Pass && c.Side == r.Position.Turn() && r.Position.Play(c.Move) == nil {
			child, err := r.shape()
			r.Position.Undo()
			if err != nil {
				return nil, err
			}
			want = len(w.ask(t, &Request{Kind: r.Kind, Query: r.within(child), Variations: r.Variations}).games)
		}
		if c.Reached != want {
			return nil, fmt.Errorf("%v by side %d: %d games reach the position, want %d", c.Move, c.Side, c.Reached, want)
		}
	}
	if sum != a.Hits || a.Elsewhere != 0 {
		return nil, fmt.Errorf("%d continuations and ends, %d elsewhere, of %d occurrences", sum, a.Elsewhere, a.Hits)
	}
	return a, nil
}

//qipu:race
func TestExplore(t *testing.T) {
	w := newWorld(t, 7, 420)
	for _, k := range w.kinds() {
		for i := range testkit.Scale(25, 300) {
			r := &ExploreRequest{
				Kind: k, Position: w.position(k), Variations: w.rng.IntN(2) == 0, Mirror: w.rng.IntN(3) > 0, Swap: w.rng.IntN(2) == 0, AnyTurn: w.rng.IntN(3) == 0,
			}
			if i == 0 {
				r.Position = k.Rules.Start()
			}
			if w.rng.IntN(4) == 0 {
				r.Within = w.randomQuery(k, 1)
			}
			if _, err := w.checkExplore(t, r); err != nil {
				t.Fatalf("%s, request %d: %+v: %v\n%s", k.Name, i, r, err, textOf(k, r.Position))
			}
		}
	}
}

var verdicts = map[string]facts.Verdict{"first": facts.FirstWon, "second": facts.SecondWon, "draw": facts.Drawn}

// games are the usual ones, one whose moves name pieces, one without a board
// of pieces, and one in which a side moves twice.
var games = append(builtin.Games(), pocket.Rules{}, kalah.Rules{}, doubled)

// library makes a store of records that are written down as moves, with a
// result each: "first", "second", "draw" or "".
func library(t testing.TB, kind, variant, notation string, list ...string) *world {
	t.Helper()
	s, err := shard.Open(context.Background(), t.TempDir(), shard.Options{Create: true, Games: games, NoMerge: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	w := &world{store: s, lines: map[*index.Kind][]*line{}}
	referee := record.NewReferee(games)
	referee.Trace = true
	var batch []*record.Played
	for i, text := range list {
		result, moves, _ := strings.Cut(text, ":")
		g := &record.Game{Kind: kind, Variant: variant, Notation: notation, Place: record.Place{File: fmt.Sprint("game", i), Number: 1}}
		at := g.Add(0, record.Unstated, "")
		for n, move := range strings.Fields(moves) {
			side := record.First + record.Side(n%2)
			if kind == "kalah" || kind == "double" {
				side = record.Unstated // the rules know it
			}
			at = g.Add(at, side, move)
		}
		g.Facts.Result.Verdict = verdicts[result]
		batch = append(batch, referee.Play(g))
	}
	w.add(t, batch)
	if w.view, err = s.View(context.Background()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.view.Close() })
	return w
}

// moveTable prints the continuations of an answer.
func moveTable(k *index.Kind, pos game.Position, a *Answer) string {
	var b strings.Builder
	for _, c := range a.Continuations {
		fmt.Fprintf(&b, "%s %d/%d %d-%d-%d\n", game.FormatMove(k.Rules, pos, c.Move, game.AnyNotation), c.Count, c.Reached, c.First, c.Draws, c.Second)
	}
	fmt.Fprintf(&b, "%d games, %d ended", a.Games, a.Ended)
	return b.String()
}

// TestTranspositions explores positions that games reach in several orders, and
// symmetric ones, by hand.
func TestTranspositions(t *testing.T) {
	for _, c := range []struct {
		name, kind, variant, notation string
		games                         []string
		moves                         string
		mirror, swap                  bool
		want                          string
	}{
		{
			"two orders", "weiqi", "9x9", "gtp", []string{"first:C3 G7 G3", "second:G3 G7 C3 E5", "draw:G3 G7 E5", ":C3 E5"}, "C3 G7", false, false,
			"G3 1/2 1-0-0\n1 games, 0 ended",
		},
		{
			"the empty board folds", "weiqi", "9x9", "gtp", []string{"first:C3 E5", "second:G7 C3", "draw:G3", ":C7 E5 C3", "first:E5", ":"}, "", true, false,
			"G7 4/4 1-1-1\nE5 1/1 1-0-0\n6 games, 1 ended",
		},
		{
			"without mirror it does not", "weiqi", "9x9", "gtp", []string{"first:C3 E5", "second:G7 C3", "draw:G3"}, "", false, false,
			"G7 1/1 0-0-1\nC3 1/1 1-0-0\nG3 1/1 0-1-0\n3 games, 0 ended",
		},
		{
			"the four first moves of Othello are one", "othello", "", "", []string{"first:f5 d6", "second:d3 c5", "draw:c4", "first:e6 f4 c3"}, "", true, false,
			"f5 4/4 2-1-1\n4 games, 0 ended",
		},
		{
			"a pass is a move", "weiqi", "9x9", "gtp", []string{"first:E5 pass C3", "second:E5 C3", ":E5 pass pass"}, "E5", true, false,
			"pass 2/-1 1-0-0\nG7 1/1 0-0-1\n3 games, 0 ended",
		},
		{
			"and what follows it is found", "weiqi", "9x9", "gtp", []string{"first:E5 pass C3", "second:E5 C3", ":E5 pass pass"}, "E5 pass", true, false,
			"G7 1/1 1-0-0\npass 1/-1 0-0-0\n2 games, 0 ended",
		},
		{
			"results are those of the sides as given", "weiqi", "9x9", "gtp", []string{"first:E5 C3", "first:pass E5 G3", ":pass E5"}, "E5", true, true,
			"G7 2/2 1-0-1\n3 games, 1 ended",
		},
		{
			"what a pawn becomes", "pocket", "", "",
			[]string{"first:a1a2 d5d4 a2a3 d4d3 a3a4 d3d2 a4b5R", "second:a1a2 d5d4 a2a3 d4d3 a3a4 d3d2 a4b5B", "first:a1a2 d5d4 a2a3 d4d3 a3a4 d3d2 a4b5R d2c1B P@d2"},
			"a1a2 d5d4 a2a3 d4d3 a3a4 d3d2", false, false,
			"a4b5R 2/2 2-0-0\na4b5B 1/1 0-0-1\n3 games, 0 ended",
		},
		{
			"which piece is dropped", "pocket", "", "",
			[]string{"first:a1a2 b5b4 a2a3 b4a3 b1b2 P@d2", "second:a1a2 b5b4 a2a3 b4a3 b1b2 P@b4", "draw:a1a2 b5b4 a2a3 b4a3 b1b2 a3b2"},
			"a1a2 b5b4 a2a3 b4a3 b1b2", false, false,
			"a3b2 1/1 0-1-0\nP@b4 1/1 0-0-1\nP@d2 1/1 1-0-0\n3 games, 0 ended",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := library(t, c.kind, c.variant, c.notation, c.games...)
			k := w.kinds()[0]
			pos, _, err := game.ParseLine(k.Rules, c.moves)
			if err != nil {
				t.Fatal(err)
			}
			a, err := w.checkExplore(t, &ExploreRequest{Kind: k, Position: pos, Mirror: c.mirror, Swap: c.swap})
			if err != nil {
				t.Fatal(err)
			}
			if got := moveTable(k, pos, a); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

// TestNamedMoves explores random games in which moves name pieces.
func TestNamedMoves(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	r := pocket.Rules{}
	var list []string
	var reached []game.Position
	for range 60 {
		pos, text := r.Start(), ""
		for range rng.IntN(24) {
			moves := pos.AppendMoves(nil)
			if len(moves) == 0 {
				break
			}
			m := moves[rng.IntN(len(moves))]
			text += " " + game.FormatMove(r, pos, m, game.AnyNotation)
			if err := pos.Play(m); err != nil {
				t.Fatal(err)
			}
		}
		list = append(list, []string{"first", "second", "draw"}[rng.IntN(3)]+":"+text)
		for range rng.IntN(8) {
			if game.FormatPosition(r, pos) != game.FormatPosition(r, r.Start()) {
				pos.Undo()
			}
		}
		reached = append(reached, pos)
	}
	w := library(t, "pocket", "", "", list...)
	for i, pos := range append(reached, r.Start()) {
		ask := &ExploreRequest{Kind: w.kinds()[0], Position: pos, Mirror: i%2 == 0, Swap: i%3 == 0}
		if _, err := w.checkExplore(t, ask); err != nil {
			t.Fatalf("%s: %v", game.FormatPosition(r, pos), err)
		}
	}
}

// TestNoPlanes keeps games without a board of pieces: they are found by what is
// said of them, and a position of theirs is refused in words.
func TestNoPlanes(t *testing.T) {
	w := library(t, "kalah", "", "", "first:c f a", "second:c f b e", "first:a")
	k := w.kinds()[0]
	a, err := Find(t.Context(), w.view, &Request{Kind: k, Query: query.Const(true), Limit: -1})
	if err != nil || a.Games != 3 {
		t.Errorf("%d games of three: %v", a.Games, err)
	}
	if _, err := Explore(t.Context(), w.view, &ExploreRequest{Kind: k, Position: k.Rules.Start()}); err == nil || !strings.Contains(err.Error(), "no pieces on points") {
		t.Errorf("a board that cannot be looked for: %v", err)
	}
}

func TestExploreRefuses(t *testing.T) {
	w := library(t, "weiqi", "9x9", "gtp", "first:E5")
	k := w.kinds()[0]
	other, err := builtin.Games().Find("othello")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Explore(t.Context(), w.view, &ExploreRequest{Kind: k, Position: other.Start()}); err == nil || !strings.Contains(err.Error(), "none of weiqi 9x9") {
		t.Errorf("a position of another game: %v", err)
	}
	_, err = Explore(t.Context(), w.view, &ExploreRequest{Kind: k, Position: k.Rules.Start(), Within: query.Field{Name: "collection", Value: "best"}})
	if err == nil || !strings.Contains(err.Error(), "bind") {
		t.Errorf("a name that is not bound: %v", err)
	}
}

// TestRareCases asks by design what chance seldom does.
func TestRareCases(t *testing.T) {
	maker := storetest.NewMaker(builtin.Games(), 9)
	w := library(t, "weiqi", "5x5", "gtp", "first:C3 A1", "second:C3 B2", "first:A1 C3", "draw:B2 E1")
	k := w.kinds()[0]
	var batch []*record.Played
	for i := range 3 * manyPostings { // either side begins, and either wins
		g := &record.Game{Kind: "weiqi", Variant: "5x5", Notation: "gtp", Place: record.Place{File: fmt.Sprint("rare", i), Number: 1}}
		at, side := g.Add(0, record.Unstated, ""), record.First+record.Side(i%2)
		for n := range 6 {
			p := k.Board.Size.Point((i*7 + n*11) % 25)
			at = g.Add(at, side, fmt.Sprintf("%c%d", "ABCDE"[p.X()], 5-p.Y()))
			side = record.First + record.Second - side
		}
		if i%3 == 0 { // two stones are set up on the empty board, before the first move
			x := g.Nodes[0].More()
			x.Turn = record.First
			g.Nodes[1].More().Setup = []record.Put{{Piece: 1, Point: "A5"}, {Piece: 2, Point: "E1"}}
		}
		g.Facts.Result.Verdict = []facts.Verdict{facts.FirstWon, facts.FirstWon, facts.SecondWon}[i%3]
		batch = append(batch, maker.Play(g))
	}
	w.view.Close()
	w.add(t, batch)
	var err error
	if w.view, err = w.store.View(t.Context()); err != nil {
		t.Fatal(err)
	}
	start := &query.Shape{Pattern: empty(k), Geometry: k.Rules.Geometry()}
	start.Pattern.Mirror, start.Pattern.Swap = true, true
	centre := &query.Shape{Pattern: empty(k), Geometry: k.Rules.Geometry()}
	centre.Pattern.Cells[12] = pattern.Of(1)
	some := query.Games{Set: roaring.BitmapOf(1, 4), Why: "some"}
	for name, q := range map[string]query.Q{
		"many games, either side to move":                        start,
		"a focus in a part of a disjunction that sees few games": query.Or{query.And{some, centre}, start},
	} {
		r := &Request{Kind: k, Query: q, Limit: -1, All: true}
		want := w.ask(t, r)
		if want.hits == 0 {
			t.Errorf("%s: nothing is there to be found", name)
		}
		for way, find := range map[string]func(context.Context, index.View, *Request) (*Answer, error){"find": Find, "scan": scanned} {
			a, err := find(t.Context(), w.view, r)
			if err == nil {
				err = want.compare(r, Anchor(q), a)
			}
			if err != nil {
				t.Errorf("%s, %s: %v", name, way, err)
			}
		}
	}
}
