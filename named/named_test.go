package named_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"qipu/board"
	"qipu/builtin"
	"qipu/game"
	"qipu/interval"
	"qipu/named"
	"qipu/pattern"
	"qipu/pattern/relation/shipped"
	"qipu/pattern/relation/syntax"
	"qipu/query"
	"qipu/query/bind"
	"qipu/text"
)

// bookOf returns the book of a game, with the patterns that are shipped.
func bookOf(t testing.TB, spec string) (*named.Items, game.Rules) {
	t.Helper()
	r, err := builtin.Games().Find(spec)
	if err != nil {
		t.Fatal(err)
	}
	book, err := named.New(r, shipped.Base(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return book, r
}

// TestFind: every item is found by its id, and by everything that it is called, in
// any case. Where two are called alike, the one comes that is listed first.
func TestFind(t *testing.T) {
	for spec, least := range map[string]int{"xiangqi": 400, "othello": 80, "renju": 26, "weiqi": 25} {
		book, _ := bookOf(t, spec)
		items := book.Items()
		if len(items) < least {
			t.Errorf("%s: %d items, want %d", spec, len(items), least)
		}
		order, ids, alike := named.Kinds(), map[string]bool{}, 0
		for i, it := range items {
			if ids[it.ID] {
				t.Errorf("%s: two are called %s", spec, it.ID)
			}
			ids[it.ID] = true
			if book.Find(it.ID) != it || book.Item(it.ID) != it {
				t.Errorf("%s: %s is not found by its id", spec, it.ID)
			}
			if i > 0 && slices.Index(order, it.Kind) < slices.Index(order, items[i-1].Kind) {
				t.Errorf("%s: %s, a %s, stands behind a %s", spec, it.ID, it.Kind, items[i-1].Kind)
			}
			if it.Parent != "" && !slices.Contains(book.Cases(it.Parent), it) {
				t.Errorf("%s: %s is no case of %s", spec, it.ID, it.Parent)
			}
			words := it.Words()
			for _, word := range it.Words() {
				words = append(words, strings.ToUpper(word))
				words = append(words, strings.Split(word, " / ")...)
			}
			for _, word := range words {
				switch found := book.Find(word); {
				case found == nil:
					t.Errorf("%s: %s is not found by %q", spec, it.ID, word)
				case found != it:
					alike++
					called := slices.ContainsFunc(found.Words(), func(s string) bool {
						return slices.ContainsFunc(append(strings.Split(s, " / "), s), func(s string) bool { return text.Fold(s) == text.Fold(word) })
					})
					if !called || slices.Index(items, found) > slices.Index(items, it) {
						t.Errorf("%s: %q finds %s, and not %s", spec, word, found.ID, it.ID)
					}
				}
			}
		}
		t.Logf("%s: %d items, %d words are those of an earlier one", spec, len(items), alike)
		if got := book.Nearest(items[0].Names.En+"x", 1); len(got) != 1 || got[0] != items[0].Names.En {
			t.Errorf("%s: near %sx is %v", spec, items[0].Names.En, got)
		}
		if book.Find("no such name") != nil || book.Item("") != nil || book.Find("") != nil {
			t.Errorf("%s: something is called nothing", spec)
		}
	}
}

// TestNames: everything has a name in English and Chinese, and what is coined is told
// by tags of languages in which there is a name.
func TestNames(t *testing.T) {
	coined := 0
	for _, spec := range []string{"xiangqi", "othello", "renju", "weiqi"} {
		book, _ := bookOf(t, spec)
		for _, it := range book.Items() {
			if it.Names.En == "" || it.Names.Hant == "" || it.Names.Hans == "" || it.Names.Ja == "" || it.Names.Ko == "" {
				t.Errorf("%s: %s is called %+v", spec, it.ID, it.Names)
			}
			for _, tag := range it.Coined {
				i := slices.Index(named.Tags(), tag)
				if i < 0 || it.Titles()[i] == "" {
					t.Errorf("%s: %s has no name in %q that could be coined", spec, it.ID, tag)
				}
				coined++
			}
			if it.Owned() != (it.Marked() && it.Kind != named.Code) || it.Kind == named.Mate && !it.Owned() {
				t.Errorf("%s: %s, a %s, belongs to a side: %t", spec, it.ID, it.Kind, it.Owned())
			}
			if (book.Definition(it) != "") != (it.Kind == named.Code && len(it.ID) == 3) {
				t.Errorf("%s: %s is defined as %q", spec, it.ID, book.Definition(it))
			}
		}
	}
	if coined == 0 {
		t.Error("nothing is coined")
	}
}

// TestQuery: what finds an item is bound and printed, and reads back.
func TestQuery(t *testing.T) {
	for _, spec := range []string{"xiangqi", "othello", "renju", "weiqi"} {
		book, rules := bookOf(t, spec)
		for _, it := range book.Items() {
			binder := &bind.Binder{Rules: rules, Names: known{book: book}}
			for _, q := range []query.Q{it.Query(), query.Named{Name: it.ID}} {
				bound, err := binder.Bind(q)
				if err != nil {
					t.Fatalf("%s: %s: %v", spec, it.ID, err)
				}
				text := query.Simplify(bound).String()
				again, err := query.Parse(text)
				if err == nil {
					again, err = binder.Bind(again)
				}
				if err != nil || query.Simplify(again).String() != text {
					t.Errorf("%s: %s is %s, which reads back as %v, %v", spec, it.ID, text, again, err)
				}
			}
			mark, marked := it.Query().(*query.Mark)
			if marked != it.Marked() {
				t.Errorf("%s: %s is found by %T", spec, it.ID, it.Query())
			}
			if !marked {
				continue
			}
			number, columns := it.Columns()
			if len(columns) == 0 || !slices.Equal(mark.Columns, columns) || mark.Marker != book.Markers()[number] || len(mark.Keys()) != len(columns) {
				t.Errorf("%s: %s has the columns %v, and asks for %v", spec, it.ID, columns, mark.Columns)
			}
			bound, err := binder.Bind(query.Named{Name: it.ID, Side: "second"})
			if own, ok := bound.(*query.Mark); ok != it.Owned() || ok && own.Of != interval.SecondSide {
				t.Errorf("%s: %s of the second side is %v, %v", spec, it.ID, bound, err)
			}
		}
	}
}

// known knows the names of a book alone.
type known struct {
	bind.Names
	book *named.Items
}

func (k known) Named(name string) (query.Q, error) {
	if it := k.book.Find(name); it != nil {
		return it.Query(), nil
	}
	return nil, fmt.Errorf("nothing is called %q", name)
}

// TestAt names boards of all games. Whatever is asked, the position is left as it was.
func TestAt(t *testing.T) {
	for _, c := range []struct {
		spec, start, moves string
		want               string // some of the ids with sides, parted by blanks; "-" for none at all
	}{
		{spec: "xiangqi", start: "3k5/9/3N5/9/3C5/9/9/9/9/4K4 b", want: "cannon-behind-horse/0"},
		{spec: "xiangqi", start: "4k4/9/9/9/9/3c5/9/3n5/9/3K5 w", want: "cannon-behind-horse/1"},
		{spec: "xiangqi", moves: "h2e2 h9g7 h0g2 i9h9", want: "central-cannon/0 straight-chariot/1 !B05/-1"},
		{spec: "xiangqi", moves: "h2e2 h9g7 h0g2 b9c7 i0h0 i9h9", want: "central-cannon/0 screen-horses/1 !C05/-1"},
		{spec: "xiangqi", moves: "h2e2 h9g7 h0g2 i9h9 i0h0 g6g5 h0h6 b9c7 c3c4 h7i7 h6g6 i7i8 b0c2 d9e8 b2a2 i8g8 g6f6", want: "C45/-1"}, // nothing can change it any more
		{spec: "xiangqi", start: "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w", moves: "h2e2 h9g7 h0g2 b9c7 i0h0 i9h9", want: "screen-horses/1 !C05/-1"},
		// The same board, without the moves that an opening and a code are made of.
		{spec: "xiangqi", start: "r1bakabr1/9/1cn3nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C1N2/9/RNBAKABR1 w", want: "!screen-horses/1 !C05/-1"},
		{spec: "xiangqi", start: "4k4/9/9/9/9/9/9/9/9/3K5 w", want: "lacks-advisor/0 lacks-advisor/1 !C05/-1"},
		{spec: "othello", moves: "f5 d6 c3 d3 c4", want: "f5d6c3d3c4/-1"},
		{spec: "othello", moves: "d3 c5 f6 f5 e6", want: "f5d6c3d3c4/-1"}, // turned
		{spec: "othello", moves: "f5 d6 c3 d3 c4 b3", want: "!f5/-1"},
		{spec: "othello", want: "-"},
		{spec: "othello:6x6", moves: "b3", want: "-"},
		{spec: "renju", moves: "h8 h9 h10", want: "kansei/-1"},
		{spec: "renju", want: "-"},
		{spec: "gomoku", moves: "h8 h9 h10", want: "-"},
		{spec: "weiqi", moves: "Q16 D4 Q4 D16 Q10", want: "sanrensei/-1 star-point/-1"},
		{spec: "weiqi", moves: "Q16 pass Q4 pass Q10", want: "sanrensei/-1"},
		{spec: "weiqi:9x9", moves: "E5", want: "-"},
		{spec: "weiqi", want: "-"},
	} {
		book, rules := bookOf(t, c.spec)
		name := strings.TrimSpace(c.spec + " " + c.start + " " + c.moves)
		first, start := rules.Start(), game.Position(nil)
		if c.start != "" {
			setup, err := game.ParseSetup(rules, c.start)
			if err == nil {
				start, err = rules.Arrange(setup)
			}
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if first, err = rules.Arrange(setup); err != nil {
				t.Fatal(err)
			}
		}
		moves, err := game.ParseMoves(rules, first, c.moves)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		before := uint64(0)
		if start != nil {
			before = start.Hash()
		}
		hits, err := book.At(start, moves)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if start != nil && start.Hash() != before {
			t.Errorf("%s: the position is another one now", name)
		}
		var got []string
		for i, h := range hits {
			if h.Item == nil || book.Item(h.ID) != h.Item || h.Side < named.Both || h.Side > 1 || h.Owned() != (h.Side != named.Both) {
				t.Fatalf("%s: a hit %+v", name, h)
			}
			if order := []named.Kind{named.Mate, named.Opening, named.Code, named.Structure}; i > 0 && slices.Index(order, h.Kind) < slices.Index(order, hits[i-1].Kind) {
				t.Errorf("%s: a %s behind a %s", name, h.Kind, hits[i-1].Kind)
			}
			got = append(got, fmt.Sprintf("%s/%d", h.ID, h.Side))
		}
		if c.want == "-" && len(got) > 0 {
			t.Errorf("%s: %v", name, got)
		}
		for _, want := range strings.Fields(c.want) {
			id, not := strings.CutPrefix(want, "!")
			if want != "-" && slices.Contains(got, id) == not {
				t.Errorf("%s: %v, want %s", name, got, want)
			}
		}
	}
}

// TestAtRefused: a move that the rules refuse is an error, and the moves before it are
// taken back.
func TestAtRefused(t *testing.T) {
	for spec, line := range map[string]string{"xiangqi": "h2e2 h9g7", "othello": "f5 d6", "renju": "h8 h9", "weiqi": "Q16 D4"} {
		book, rules := bookOf(t, spec)
		p := rules.Start()
		moves, err := game.ParseMoves(rules, rules.Start(), line)
		if err != nil {
			t.Fatal(err)
		}
		before := p.Hash()
		bad := game.Drop(board.At(0, 0))
		if spec == "weiqi" || spec == "renju" {
			bad = moves[0] // where a stone is
		}
		for _, list := range [][]game.Move{append(slices.Clone(moves), bad), {game.NoMove}, {bad, bad, bad}} {
			if hits, err := book.At(p, list); err == nil {
				t.Errorf("%s: %v was played, and has %v", spec, list, hits)
			}
			if p.Hash() != before {
				t.Fatalf("%s: %v: moves were not taken back", spec, list)
			}
		}
	}
}

// TestPicture: an opening by position or by a drawing stands on its picture.
func TestPicture(t *testing.T) {
	for _, spec := range []string{"xiangqi", "othello", "renju", "weiqi"} {
		book, rules := bookOf(t, spec)
		pictures := 0
		for _, it := range book.Items() {
			setup, roles, ok := book.Picture(it)
			if ok != (it.Kind == named.Opening && !it.Marked()) {
				t.Errorf("%s: %s, a %s, has a picture: %t", spec, it.ID, it.Kind, ok)
			}
			if !ok {
				continue
			}
			pictures++
			p, err := rules.Arrange(setup)
			if err != nil {
				t.Errorf("%s: %s: %v", spec, it.ID, err)
				continue
			}
			for _, role := range roles {
				if got := p.(game.Planar).Planes().At(role.At); got != role.Piece {
					t.Errorf("%s: %s has %d at %v, and not %d", spec, it.ID, got, role.At, role.Piece)
				}
			}
			if (it.Line != nil) != (book.Line(it) != "") || (it.Line == nil) != (len(roles) > 0) {
				t.Errorf("%s: %s has the line %q and %d roles", spec, it.ID, book.Line(it), len(roles))
			}
		}
		if (pictures == 0) != (spec == "xiangqi") {
			t.Errorf("%s: %d pictures", spec, pictures)
		}
	}
}

// TestMatches: a pattern is told once for each side that has it.
func TestMatches(t *testing.T) {
	book, rules := bookOf(t, "xiangqi")
	moves, err := game.ParseMoves(rules, rules.Start(), "h2e2 h9g7 h0g2 b9c7 i0h0 i9h9")
	if err != nil {
		t.Fatal(err)
	}
	v, err := pattern.Replay(rules.Start(), moves, true)
	if err != nil {
		t.Fatal(err)
	}
	list := book.Matches("straight-chariot", v)
	if len(list) != 2 || list[0].Side == list[1].Side {
		t.Errorf("%+v", list)
	}
	if list := book.Matches("cannon-behind-horse", v); len(list) > 0 {
		t.Errorf("%+v", list)
	}
	other, _ := bookOf(t, "othello")
	if list := other.Matches("straight-chariot", v); list != nil {
		t.Errorf("%+v", list)
	}
}

// TestOwn: patterns of users come into the book, those of the same id in place of
// shipped ones.
func TestOwn(t *testing.T) {
	file := syntax.Parse("own", []byte(`pattern linked-elephants
game   xiangqi
kind   mate
name   Mine | 我的 | 我的~ | 私の | 내~
vi     của tôi~
let    a = our elephant
where  file(a) = 5
`))
	if len(file.Faults) > 0 {
		t.Fatal(file.Faults[0])
	}
	r, err := builtin.Games().Find("xiangqi")
	if err != nil {
		t.Fatal(err)
	}
	book, err := named.New(r, syntax.New(append(slices.Clone(shipped.Files()), file)...), nil)
	if err != nil {
		t.Fatal(err)
	}
	it := book.Find("我的")
	if it == nil || it.ID != "linked-elephants" || it.Kind != named.Mate || !slices.Equal(it.Coined, []string{"zh-Hans", "ko", "vi"}) {
		t.Fatalf("%+v", it)
	}
	if hits, err := book.At(nil, nil); err != nil || slices.ContainsFunc(hits, func(h named.Hit) bool { return h.Item == it }) {
		t.Errorf("%v, %v", hits, err)
	}
}

// TestTogether: many may use a book at once.
func TestTogether(t *testing.T) {
	for _, spec := range []string{"xiangqi", "othello", "weiqi"} {
		book, rules := bookOf(t, spec)
		var group sync.WaitGroup
		for range 4 {
			group.Go(func() {
				for i, it := range book.Items() {
					if book.Find(it.ID) != it || it.Query().String() == "" {
						t.Errorf("%s: %s", spec, it.ID)
					}
					book.Picture(it)
					if i%20 > 0 {
						continue
					}
					p := rules.Start()
					if _, err := book.At(p, p.AppendMoves(nil)[:1]); err != nil {
						t.Error(err)
					}
				}
			})
		}
		group.Wait()
	}
}

func ExampleItems_At() {
	r, _ := builtin.Games().Find("xiangqi")
	book, _ := named.New(r, shipped.Base(), nil)
	p, moves, _ := game.ParseLine(r, "3k5/9/3N5/9/3C5/9/9/9/9/4K4 b")
	hits, _ := book.At(p, moves)
	fmt.Println(hits[0].Names.Hant, hits[0].Side)
	for _, role := range hits[0].Roles {
		fmt.Println(role.Name, r.Geometry().Name(role.At))
	}
	// Output:
	// 馬後炮 0
	// c d5
	// h d7
}

// TestMatesOf: a line that ends in a mate with a name is called by it.
func TestMatesOf(t *testing.T) {
	b, r := bookOf(t, "xiangqi")
	for _, c := range []struct{ fen, move, want string }{
		{"3k1a3/3c5/9/9/9/2p6/9/3n4B/4r4/3K5 w - - 0 1", "", "馬後炮 (Cannon behind horse)"},
		{"3k5/9/9/9/9/9/9/9/8R/4K4 w - - 0 1", "i1h1", ""},
	} {
		p, err := game.ParsePosition(r, c.fen)
		if err != nil {
			t.Fatal(err)
		}
		var line []game.Move
		if c.move != "" {
			m, err := r.ParseMove(p, c.move, game.AnyNotation)
			if err != nil {
				t.Fatal(err)
			}
			line = append(line, m)
		}
		if got := b.Mates(p, line); got != c.want {
			t.Errorf("%s: %q, want %q", c.fen, got, c.want)
		}
	}
}
