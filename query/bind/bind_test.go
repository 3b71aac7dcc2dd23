package bind

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/RoaringBitmap/roaring/v2"

	"qipu/board"
	"qipu/game"
	"qipu/game/chess"
	"qipu/game/othello"
	"qipu/game/renju"
	"qipu/game/weiqi"
	"qipu/game/xiangqi"
	"qipu/internal/testkit"
	"qipu/pattern"
	"qipu/query"
)

var rulesOf = map[string]game.Rules{"go": weiqi.Standard, "xiangqi": xiangqi.Standard, "othello": othello.Standard, "renju": renju.Renju, "chess": chess.Standard}

var errUnknown = errors.New("query: nothing is called so")

// shelf knows a few names.
type shelf map[string]string

func (s shelf) Collection(name string) (*roaring.Bitmap, error) {
	if name != "finals" {
		return nil, errUnknown
	}
	return roaring.BitmapOf(1, 2, 3), nil
}

func (s shelf) Tag(name string) (*roaring.Bitmap, error) {
	if name != "study" {
		return nil, errUnknown
	}
	return roaring.BitmapOf(4), nil
}

func (s shelf) Added(first, last int64) (*roaring.Bitmap, error) { return roaring.BitmapOf(7), nil }
func (s shelf) Change(n int64) (*roaring.Bitmap, error)          { return roaring.BitmapOf(uint32(n)), nil }
func (s shelf) Here() (*roaring.Bitmap, error)                   { return roaring.BitmapOf(5, 6), nil }

func (s shelf) Comment(folded string) (*roaring.Bitmap, error) {
	return roaring.BitmapOf(uint32(len(folded))), nil
}

func (s shelf) Term(word string) (query.Q, error) {
	return query.Or{query.Field{Name: "event", Value: word}, query.Field{Name: "comment", Value: word}}, nil
}

func (s shelf) Named(name string) (query.Q, error) {
	text, ok := s[name]
	if !ok {
		return nil, errUnknown
	}
	return query.Parse(text)
}

func (s shelf) Event(folded string, whole bool) (map[string]struct{}, error) {
	if folded == "grand cup" || !whole && folded == "grand" {
		return map[string]struct{}{"grand cup": {}, "big cup": {}}, nil
	}
	return nil, nil
}

func (s shelf) Player(text string, whole bool) (*query.Texts, error) {
	switch {
	case text != "Ke Jie":
		return nil, nil
	case whole:
		return &query.Texts{Whole: map[string]struct{}{"ke jie": {}, "柯洁": {}}}, nil
	}
	return &query.Texts{Parts: []string{"ke jie"}, Whole: map[string]struct{}{"柯洁": {}}}, nil
}

var names = shelf{"won": "result:win", "loop": "a or named:other", "other": "named:loop", "broken": "moves:many"}

// meaning returns a bound tree with what its facts and counts hold.
func meaning(q query.Q) string {
	var out []string
	query.Walk(q, func(q query.Q) bool {
		switch q := q.(type) {
		case *query.Fact:
			if q.Text != nil {
				out = append(out, fmt.Sprintf("%v %q %q", q.Column, q.Text.Parts, slices.Sorted(maps.Keys(q.Text.Whole))))
				break
			}
			text := fmt.Sprintf("%v ", q.Column)
			if q.Low != math.MinInt64 {
				text += fmt.Sprint(q.Low)
			}
			text += ".."
			if q.High != math.MaxInt64 {
				text += fmt.Sprint(q.High)
			}
			out = append(out, text)
		case *query.Count:
			points := fmt.Sprint(q.Points)
			if n := len(q.Points); n > 20 {
				points = fmt.Sprintf("[%d ... %d] (%d)", q.Points[0], q.Points[n-1], n)
			}
			out = append(out, fmt.Sprintf("set %x points %s", q.Set, points))
		case query.Games:
			out = append(out, fmt.Sprint(q.Set.ToArray()))
		}
		return true
	})
	text := q.String()
	if len(out) > 0 {
		text += "  -- " + strings.Join(out, "; ")
	}
	return text
}

func TestBind(t *testing.T) {
	testkit.Script(t, "testdata/bind.txt", func(t *testing.T, c testkit.Command) string {
		var out []string
		for line := range strings.SplitSeq(c.Input, "\n") {
			q, err := query.Parse(line)
			if err != nil {
				t.Errorf("%s: %v", line, err)
				continue
			}
			b := &Binder{Rules: rulesOf[c.Named["game"]], Names: names, Games: allGames, Text: line}
			before := q.String()
			q, err = b.Bind(q)
			if err != nil {
				if err := placed(line, err); err != nil {
					t.Error(err)
				}
				out = append(out, show(err))
				continue
			}
			q = query.Simplify(q)
			if err := rebound(b, q); err != nil {
				t.Errorf("%s: %v", before, err)
			}
			out = append(out, meaning(q))
		}
		return strings.Join(out, "\n")
	})
}

// rebound checks that a bound tree prints as a text that means the same.
func rebound(b *Binder, q query.Q) error {
	text := q.String()
	again, err := query.Parse(text)
	if err != nil {
		return fmt.Errorf("%s: %w", text, err)
	}
	if again, err = b.Bind(again); err != nil {
		return fmt.Errorf("%s: %w", text, err)
	}
	if again = query.Simplify(again); again.String() != text || meaning(again) != meaning(q) {
		return fmt.Errorf("%s means %s", meaning(q), meaning(again))
	}
	var shapes [2][]any
	for i, q := range []query.Q{q, again} {
		query.Walk(q, func(q query.Q) bool {
			switch q := q.(type) {
			case *query.Shape:
				one := *q
				one.Reaches = nil // which only tells what is known of the moves
				shapes[i] = append(shapes[i], one)
			case *query.Fuzzy:
				shapes[i] = append(shapes[i], *q)
			}
			return true
		})
	}
	if !reflect.DeepEqual(shapes[0], shapes[1]) {
		return fmt.Errorf("%s: the boards have become others", text)
	}
	return nil
}

// TestShapesPrint: any board prints as a text that is bound to the same board.
func TestShapesPrint(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	for range testkit.Scale(600, 20000) {
		name := []string{"go", "xiangqi", "othello", "renju"}[rng.IntN(4)]
		r := rulesOf[name]
		g := r.Geometry()
		size := board.Size{W: 1 + rng.IntN(5), H: 1 + rng.IntN(5)}
		p := &pattern.Pattern{Size: size, To: -1, Mirror: rng.IntN(2) == 0, Swap: rng.IntN(2) == 0, Turn: pattern.Turn(rng.IntN(3))}
		for range size.Area() {
			set := pattern.Set(1+rng.IntN(1<<(len(g.Pieces)+1)-1)) & pattern.AnyOn(len(g.Pieces))
			p.Cells = append(p.Cells, set)
		}
		switch p.Anchor = pattern.Anchor(rng.IntN(5)); p.Anchor {
		case pattern.Fixed:
			p.At = board.At(rng.IntN(g.Size.W-size.W+1), rng.IntN(g.Size.H-size.H+1))
		case pattern.Corner:
			p.Edges = pattern.Bottom | pattern.Right
		case pattern.Side:
			p.Edges = pattern.Left
		}
		if rng.IntN(2) == 0 {
			p.From, p.To = rng.IntN(5), 5+rng.IntN(50)
		}
		s := query.Shape{Pattern: p, Geometry: g}
		b := &Binder{Rules: r}
		f := &query.Fuzzy{Shape: s, Weights: pattern.DefaultWeights(g), Min: .05 + float64(rng.IntN(90))/100}
		for range rng.IntN(4) {
			step := query.Step{X: int8(rng.IntN(size.W)), Y: int8(rng.IntN(size.H)), Side: game.Side(rng.IntN(2))}
			if name == "xiangqi" && rng.IntN(2) == 0 {
				step.Piece = board.Piece(1 + rng.IntN(len(g.Pieces)))
				step.Side = game.Side(g.Pieces[step.Piece-1].Owner)
			}
			s.Next = append(s.Next, step)
		}
		for i := range f.Weights.Piece {
			f.Weights.Piece[i] = float64(rng.IntN(100)) / 8
		}
		for _, q := range []query.Q{&s, f} {
			if err := rebound(b, q); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestBindHostile: what stands in a count is bound in time that grows with its
// length.
func TestBindHostile(t *testing.T) {
	for _, inside := range []string{
		strings.Repeat("紅", 20000), strings.Repeat("三路", 10000), "俥" + strings.Repeat("三路", 10000), strings.Repeat("red ", 15000), strings.Repeat("R ", 2000),
		"R on " + strings.Repeat("filee ", 10000), "R on " + strings.Repeat("file 3 ", 8000), strings.Repeat("十", 20000) + "路", "[" + strings.Repeat("R", 60000),
	} {
		began := testkit.CPU()
		q, err := query.Parse("has(" + inside + ")")
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range rulesOf {
			if _, err := (&Binder{Rules: r, Text: "has(" + inside + ")"}).Bind(q); err != nil {
				if err := placed("has("+inside+")", err); err != nil {
					t.Errorf("%.20s: %.200v", inside, err)
				}
			}
		}
		if took := testkit.CPU() - began; took > 10*time.Second {
			t.Errorf("%.20s takes %v of processor time", inside, took)
		}
	}
}

// TestBindBounds: names that name others many times over are refused.
func TestBindBounds(t *testing.T) {
	many := shelf{"0": "a or b"}
	for i := 1; i < 30; i++ {
		many[fmt.Sprint(i)] = fmt.Sprintf("named:%d or named:%d", i-1, i-1)
	}
	for text, want := range map[string]string{
		"named:18": "too much", "named:29": "20 deep", "named:5": "",
		"(" + strings.Repeat("player:a or ", 900) + "player:a) (" + strings.Repeat("result:win or ", 900) + "result:win)": "conditions",
	} {
		q, err := query.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		_, err = (&Binder{Rules: weiqi.Standard, Names: many, Text: text}).Bind(q)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%.40s: %v, want %s", text, err, want)
		}
	}
}

func TestBindErrors(t *testing.T) {
	q, _ := query.Parse("collection:nothing")
	if _, err := (&Binder{Rules: weiqi.Standard, Names: names}).Bind(q); !errors.Is(err, errUnknown) {
		t.Errorf("the cause is lost: %v", err)
	}
	if _, err := (&Binder{Rules: weiqi.Standard}).Bind(q); !errors.Is(err, errNoNames) {
		t.Errorf("without names: %v", err)
	}
	for text, other := range map[string]bool{"red:X": true, "has(chariot)": true, "turn:red": true, "result:red": true, "moves:many": false, "turn:blue": false} {
		q, _ := query.Parse(text)
		if _, err := (&Binder{Rules: weiqi.Standard}).Bind(q); errors.Is(err, ErrOtherGame) != other {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestShape: boards that are made by hand are those of the language, and their
// options are checked.
func TestShape(t *testing.T) {
	b := &Binder{Rules: weiqi.Standard}
	got, err := b.Bind(query.Diagram{Word: "position", Text: "Q16 D4", Options: []query.Option{{Name: "region", Value: "C3:F6"}, {Name: "fixed"}, {Name: "no-swap"}}})
	if want := `board:"@C6/. . . ./. . . ./. O . ./. . . ."{fixed mirror no-swap}`; err != nil || got.String() != want {
		t.Errorf("%v, %v; want %s", got, err, want)
	}
	for _, q := range []query.Q{
		query.Diagram{Word: "shape", Text: "X"}, query.Diagram{Word: "board", Text: "X", Options: []query.Option{{Name: "corner", Value: "x"}}},
		query.Diagram{Word: "board", Text: "X", Options: []query.Option{{Name: "at"}}}, query.Diagram{Word: "board", Text: "X", Options: []query.Option{{Name: "region", Value: "C3:F6"}}},
		query.Diagram{Word: "fuzzy", Text: "X", Options: []query.Option{{Name: "min", Value: "7"}}}, query.Number{}, query.Number{Area: "D4"},
	} {
		if got, err := b.Bind(q); err == nil || got != nil {
			t.Errorf("%v: %v, %v", q, got, err)
		}
	}
}

// TestReaches: the board behind a line is that of its moves, in the pictures of
// the line, and is not printed.
func TestReaches(t *testing.T) {
	for _, c := range []struct{ game, line string }{
		{"go", "Q16 D4 C3"}, {"go", "Q16 pass D4"}, {"go", "A2 A1 B1"}, {"othello", "f5d6c3"}, {"xiangqi", "炮二平五 馬8進7"},
	} {
		for _, options := range [][]query.Option{{}, {{Name: "no-mirror"}}, {{Name: "swap"}}} {
			b := &Binder{Rules: rulesOf[c.game]}
			q, err := b.Bind(query.Diagram{Word: "line", Text: c.line, Options: options})
			if err != nil {
				t.Fatal(err)
			}
			s := q.(*query.Shape)
			want, err := b.Bind(query.Diagram{Word: "position", Text: c.line, Options: append([]query.Option{{Name: "no-swap"}}, options...)})
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(s.Reaches, want.(*query.Shape).Pattern) {
				t.Errorf("%s %v reaches %v, want %v", c.line, options, s.Reaches, want)
			}
			bare := *s
			if bare.Reaches = nil; bare.String() != s.String() {
				t.Errorf("%s: what it reaches is printed", c.line)
			}
		}
	}
}

func TestGameSpecs(t *testing.T) {
	for text, want := range map[string]string{
		"game:go": "[go]", "game:go or (game:othello and -game:renju) game:go": "[go othello]", "a": "[]", "when(game:go:9x9)": "[go:9x9]",
	} {
		q, _ := query.Parse(text)
		if got := fmt.Sprint(query.GameSpecs(q)); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
	for text, want := range map[string]bool{"a": false, "a or not (b then board:X)": true, "discs>3": true, "turn:black": false, "named:x": false} {
		q, _ := query.Parse(text)
		if query.HasBoards(q) != want {
			t.Errorf("%s: %v", text, !want)
		}
	}
}

// TestCells: every cell has a name of its own.
func TestCells(t *testing.T) {
	g := weiqi.Standard.Geometry()
	for diagram, want := range map[string]string{
		"X.O/...": "a1 b2", "@D4/XO/..": "D4 E3", "+--/|../|..": "A19 B18", "..|/..|/--+": "S2 T1", "+---/...": "a1 b1",
	} {
		p, err := pattern.Parse(g, diagram)
		if err != nil {
			t.Fatal(err)
		}
		y := min(1, p.Size.H-1)
		if got := query.CellName(g, p, 0, 0) + " " + query.CellName(g, p, 1, y); got != want {
			t.Errorf("%s: %s, want %s", diagram, got, want)
		}
		seen := map[string]bool{}
		for y := range p.Size.H {
			for x := range p.Size.W {
				seen[strings.ToLower(query.CellName(g, p, x, y))] = true
			}
		}
		if len(seen) != p.Size.Area() {
			t.Errorf("%s: %d names for %d cells", diagram, len(seen), p.Size.Area())
		}
	}
}

// FuzzBind: whatever can be read can be bound or refused with a place in the
// text, on any board; what it is bound to prints as a text that means the same.
func FuzzBind(f *testing.F) {
	for _, text := range []string{
		`player:P result:win since 1990`, `board:"XO/OX"{corner next:"A19"} then here board:"X./.O"{corner}`, "has(red chariot file 4) no(. column e)",
		`fuzzy:"R../.n."{min:.8 R:9}`, `fuzzy:f5d6{region:C3:F6}`, `line:"f5 d6"`, `position:"Q16 D4"{region:A1:F6 fixed}`, "rank:1p..9p rating.any>2000 komi:6.5",
		"date:1990..1999-06 or -date:昭和21年", "named:won named:loop", "count([R r] C3:F6 own half)!=2", "game:go:9x9 turn:black ply:..50", `board:"@D4/XO"{at:E5 plies:3}`,
		"has(紅車三路) no(俥 第十六行)", "has(rook across the river) count(X on corners)<2", "result:B+3.5 or result:紅勝 or result:33-31", "first(all) then last(discs>3)",
	} {
		for game := range uint8(4) {
			f.Add(text, game)
		}
	}
	list := []string{"go", "xiangqi", "othello", "renju"}
	f.Fuzz(func(t *testing.T, text string, game uint8) {
		q, err := query.Parse(text)
		if err != nil {
			return
		}
		b := &Binder{Rules: rulesOf[list[game%4]], Names: names, Text: text}
		bound, err := b.Bind(q)
		if err != nil {
			if err := placed(text, err); err != nil {
				t.Error(err)
			}
			return
		}
		if s := query.Simplify(bound); len(s.String()) < query.MaxText {
			if err := rebound(b, s); err != nil {
				t.Errorf("%q: %v", text, err)
			}
		}
	})
}

func BenchmarkParseAndBind(b *testing.B) {
	long := "(" + strings.Repeat(`player:"Ke Jie" result:win or `, 990) + "a)"
	for name, text := range map[string]string{"short": `white:"Yi Changho" since 1990 board:"+----/|..../|..../|..O./|...X"`, "long": "player:x " + long} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				q, err := query.Parse(text)
				if err != nil {
					b.Fatal(err)
				}
				if _, err := (&Binder{Rules: weiqi.Standard, Names: names, Text: text}).Bind(q); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// TestHandicap: records of even games mention no handicap.
func TestHandicap(t *testing.T) {
	binder := &Binder{Rules: weiqi.Standard}
	for text, want := range map[string]string{
		"handicap:0":    `not handicap>"1"`,
		"handicap<2":    `not handicap>"1"`,
		"handicap:0..4": `not handicap>"4"`,
		"handicap:2..4": `handicap:"2..4"`,
		"handicap:1..":  `handicap:"1.."`,
		"handicap>=0":   "all",
	} {
		q, err := query.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if q, err = binder.Bind(q); err != nil {
			t.Fatal(err)
		}
		if got := q.String(); strings.ReplaceAll(got, `"`, "") != strings.ReplaceAll(want, `"`, "") {
			t.Errorf("%s is %s, want %s", text, got, want)
		}
	}
}
