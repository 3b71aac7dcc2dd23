package query

import (
	"errors"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"

	"qipu/board"
	"qipu/game/weiqi"
	"qipu/internal/testkit"
	"qipu/pattern"
)

// shape returns the shape of a diagram of Go.
func shape(t testing.TB, diagram string, change ...func(*pattern.Pattern)) *Shape {
	t.Helper()
	g := weiqi.Standard.Geometry()
	p, err := pattern.Parse(g, diagram)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range change {
		f(p)
	}
	return &Shape{Pattern: p, Geometry: g}
}

func TestString(t *testing.T) {
	stone := shape(t, "X.")
	for _, c := range []struct {
		q    Q
		want string
	}{
		{Const(true), "all"},
		{Const(false), "none"},
		{And{}, "all"},
		{Or{}, "none"},
		{And{Const(true), Not{Const(false)}}, "all and not none"},
		{Or{Field{Name: "collection", Value: `my "best"`}, And{Const(true), Or{Const(true), Const(false)}}}, `collection:"my \"best\"" or all and (all or none)`},
		{Not{And{Or{Const(true), Const(false)}}}, "not (all or none)"},
		{Games{Set: roaring.BitmapOf(3, 5), Why: "by hand"}, "by hand"},
		{stone, `board:"X ."{floating no-mirror no-swap}`},
		{shape(t, "X.", func(p *pattern.Pattern) { p.Mirror, p.Swap, p.Turn = true, true, pattern.SecondToMove }), `board:"X ."{floating mirror swap turn:second}`},
		{shape(t, "X.", func(p *pattern.Pattern) { p.From = 3 }), `board:"X ."{floating no-mirror no-swap plies:3..}`},
		{shape(t, "X.", func(p *pattern.Pattern) { p.To = 9 }), `board:"X ."{floating no-mirror no-swap plies:..9}`},
		{shape(t, "X.", func(p *pattern.Pattern) { p.Anchor, p.At = pattern.Fixed, board.At(3, 4) }), `board:"@D15/X ."{fixed no-mirror no-swap}`},
		{&Count{Op: AtLeast, N: 2, Text: "R file 3"}, "count(R file 3)>=2"},
		{Ply{3, 3}, "ply:3"}, {Ply{0, -1}, "ply:0.."}, {Ply{0, 9}, "ply:..9"}, {Turn{1}, "turn:second"},
		{Then{A: Then{A: Turn{0}, B: Turn{1}, Here: true}, B: For{Turn{0}, 3}, Within: 5}, "turn:first then here turn:second then turn:first for 3 plies within 5 plies"},
	} {
		if got := c.q.String(); got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
}

// tree reads a query of a test.
func tree(t testing.TB, text string) Q {
	t.Helper()
	q, err := Parse(text)
	if err != nil {
		t.Fatal(show(err))
	}
	return q
}

func TestSimplify(t *testing.T) {
	a, b, c := Named{Name: "a"}, Named{Name: "b"}, Named{Name: "c"}
	for _, x := range []struct {
		q, want Q
	}{
		{a, a},
		{And{}, Const(true)},
		{Or{}, Const(false)},
		{And{a}, a},
		{Not{Not{Not{a}}}, Not{a}},
		{Not{Const(true)}, Const(false)},
		{And{a, Const(true), b}, And{a, b}},
		{And{a, Const(false), b}, Const(false)},
		{Or{a, Const(false), b}, Or{a, b}},
		{Or{a, Const(true)}, Const(true)},
		{And{And{a, b}, And{c}}, And{a, b, c}},
		{Or{a, Or{b, Or{c}}}, Or{a, b, c}},
		{And{a, Or{b, c}}, And{a, Or{b, c}}},
		{And{Not{Or{Not{a}}}, b}, And{a, b}},
		{When{a}, a},
		{When{When{And{a, b}}}, When{And{a, b}}},
		{When{And{a, When{Or{b, c}}}}, When{And{a, Or{b, c}}}},
		{When{And{a, When{And{b, c}}}}, When{And{a, b, c}}},
		{When{Const(true)}, Const(true)},
		{And{a, When{And{b, c}}}, And{a, When{And{b, c}}}},
		{Then{A: And{a, b}, B: Not{c}}, Then{A: When{And{a, b}}, B: When{Not{c}}}},
		{Then{A: And{a, Const(false)}, B: c}, Const(false)},
		{Then{A: a, B: Or{}}, Const(false)},
		{For{Const(false), 3}, Const(false)},
		{For{And{a, b}, 0}, When{And{a, b}}},
		{When{Or{c, For{And{a, b}, 0}}}, When{Or{c, And{a, b}}}},
		{First{Last{a}}, Last{a}},
		{Last{And{a, Const(true)}}, Last{a}},
		{First{And{}}, First{Const(true)}},
		{Last{Or{}}, Const(false)},
		{First{Or{a, b}}, First{When{Or{a, b}}}},
	} {
		before := x.q.String()
		if got := Simplify(x.q); fmt.Sprintf("%#v", got) != fmt.Sprintf("%#v", x.want) {
			t.Errorf("%#v becomes %#v, want %#v", x.q, got, x.want)
		}
		if x.q.String() != before {
			t.Errorf("%s was changed into %v", before, x.q)
		}
	}
}

// The lines of the tests have so many moments, and a set of them is a bit each.
const (
	moments = 6
	ever    = 1<<moments - 1
)

// line says at which moments each letter is true.
type line [letters]uint

// at returns the moments at which a query is true.
func (l *line) at(q Q) (set uint) {
	switch q := q.(type) {
	case And:
		set = ever
		for _, p := range q {
			set &= l.at(p)
		}
	case Or:
		for _, p := range q {
			set |= l.at(p)
		}
	case Not:
		return ever &^ l.at(q.Q)
	case When:
		return l.at(q.Q)
	case Const:
		if q {
			return ever
		}
	case Then:
		a, b := l.at(q.A), l.at(q.B)
		for i := range moments {
			for j := i + 1; j < moments; j++ {
				if a>>i&1 != 0 && b>>j&1 != 0 && (q.Within == 0 || j-i <= q.Within) {
					set |= 1 << j
				}
			}
		}
	case For:
		for rest := l.at(q.Q); rest != 0; {
			from := bits.TrailingZeros(rest)
			n := bits.TrailingZeros(^(rest >> from))
			interval := uint(1<<n-1) << from
			if rest &^= interval; n > q.N {
				set |= interval
			}
		}
	case First:
		set = l.at(q.Q)
		return set & -set
	case Last:
		if set = l.at(q.Q); set != 0 {
			return 1 << (bits.Len(set) - 1)
		}
	case Named:
		n, _ := strconv.Atoi(q.Name)
		return l[n]
	}
	return set
}

// game reports whether a query is true of the game.
func (l *line) game(q Q) bool {
	switch q := q.(type) {
	case And:
		return !slices.ContainsFunc(q, func(p Q) bool { return !l.game(p) })
	case Or:
		return slices.ContainsFunc(q, l.game)
	case Not:
		return !l.game(q.Q)
	}
	return l.at(q) != 0
}

// flat reports whether a tree is as Simplify promises. What stands in a When is
// of one moment, what stands in another node about time an operand.
func flat(q Q, top, moment, operand bool) bool {
	list := func(parts []Q, same func(Q) bool) bool {
		return !operand && len(parts) > 1 && !slices.ContainsFunc(parts, func(p Q) bool { return same(p) || !flat(p, false, moment, false) })
	}
	switch q := q.(type) {
	case And:
		return list(q, func(p Q) bool { _, and := p.(And); return and })
	case Or:
		return list(q, func(p Q) bool { _, or := p.(Or); return or })
	case Not:
		_, not := q.Q.(Not)
		return !operand && !not && flat(q.Q, false, moment, false)
	case Const:
		return top || operand && bool(q)
	case When:
		return !moment && joined(q.Q) && flat(q.Q, false, true, false)
	case Then:
		return flat(q.A, false, false, true) && flat(q.B, false, false, true)
	case For:
		return q.N > 0 && flat(q.Q, false, false, true)
	case First:
		return !once(q.Q) && flat(q.Q, false, false, true)
	case Last:
		return !once(q.Q) && flat(q.Q, false, false, true)
	}
	return true
}

// laws checks that simplifying a tree keeps what it means, is done once and for
// all, and does what it promises.
func laws(rng *rand.Rand, q Q) error {
	s := Simplify(q)
	for range 20 {
		var l line
		for i := range l {
			l[i] = uint(rng.IntN(ever + 1))
			if rng.IntN(4) == 0 {
				l[i] = ever * uint(rng.IntN(2)) // what is true of games
			}
		}
		if l.game(q) != l.game(s) {
			return fmt.Errorf("%v becomes %v, which is another thing for %b", q, s, l)
		}
	}
	if again := Simplify(s); again.String() != s.String() {
		return fmt.Errorf("%v becomes %v and then %v", q, s, again)
	}
	if !flat(s, true, false, false) {
		return fmt.Errorf("%v becomes %v, which is not simple", q, s)
	}
	return nil
}

func TestSimplifyLaws(t *testing.T) {
	g := &maker{rng: rand.New(rand.NewPCG(4, 4)), leaf: (*maker).lettered, loose: true}
	for range testkit.Scale(5000, 200000) {
		if err := laws(g.rng, g.tree(6)); err != nil {
			t.Fatal(err)
		}
	}
}

// FuzzSimplify: the laws hold for any tree.
func FuzzSimplify(f *testing.F) {
	f.Add(uint64(1), uint64(2))
	f.Fuzz(func(t *testing.T, a, b uint64) {
		g := &maker{rng: rand.New(rand.NewPCG(a, b)), leaf: (*maker).lettered, loose: true}
		if err := laws(g.rng, g.tree(8)); err != nil {
			t.Error(err)
		}
	})
}

func TestMap(t *testing.T) {
	const text = "named:a and (not named:b or all) and when(named:c then named:d for 2 plies within 3 plies) and first(named:e) and last(named:f)"
	q := tree(t, text)
	var seen []string
	got, err := Map(q, func(q Q) (Q, error) {
		seen = append(seen, q.String())
		if c, ok := q.(Named); ok {
			return Named{Name: strings.ToUpper(c.Name)}, nil
		}
		return q, nil
	})
	want := text
	for _, c := range "abcdef" {
		want = strings.Replace(want, "named:"+string(c), "named:"+strings.ToUpper(string(c)), 1)
	}
	if err != nil || got.String() != want {
		t.Errorf("%v, %v", got, err)
	}
	if got := strings.Join(seen, " "); got != "named:a named:b all named:c named:d named:e named:f" {
		t.Errorf("leaves %s", got)
	}
	if q.String() != text {
		t.Errorf("the tree itself has become %v", q)
	}
	no := errors.New("no")
	Walk(q, func(q Q) bool {
		if got, err := Map(q, func(Q) (Q, error) { return nil, no }); err != no || got != nil {
			t.Errorf("%v: %v, %v", q, got, err)
		}
		return true
	})
}

func TestWalk(t *testing.T) {
	var seen []string
	Walk(tree(t, "named:a and (not named:b or named:c) and (named:d then first(named:e))"), func(q Q) bool {
		seen = append(seen, fmt.Sprintf("%T", q))
		_, not := q.(Not)
		return !not
	})
	want := "query.And query.Named query.Or query.Not query.Named query.Then query.Named query.First query.Named"
	if got := strings.Join(seen, " "); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestFields: every word for a field leads to it, in any case, and its example
// is a query that can be bound.
func TestFields(t *testing.T) {
	owner := map[string]string{}
	for _, f := range Reference() {
		if f.Help == "" || f.Names.Hant == "" || f.Names.Hans == "" || f.Names.Ja == "" || f.Names.Ko == "" {
			t.Errorf("%s lacks a name or a line of help", f.Name)
		}
		for _, word := range f.names() {
			if other, taken := owner[word]; taken {
				t.Errorf("%s is both %s and %s", word, other, f.Name)
			}
			owner[word] = f.Name
			if got, ok := FieldOf(strings.ToUpper(word)); !ok || got.Name != f.Name {
				t.Errorf("%s is %s, not %s", word, got.Name, f.Name)
			}
			q, err := Parse(word + ":x")
			if err != nil {
				t.Errorf("%s: %v", word, err)
				continue
			}
			if n, ok := q.(Field); ok && n.Name != f.Name {
				t.Errorf("%s is read as %v", word, q)
			}
		}
		tree(t, f.Example)
	}
	for word, want := range map[string]string{
		"RATING.BLACK": "rating.black", "等級分.白方": "rating.white", "rank.any": "rank.any", "elo.first": "rating.first",
		"rating.": "", "rating.x": "", "player.black": "", ".black": "", "rating.player": "", "": "",
	} {
		if got, ok := FieldOf(word); got.Name != want || ok != (want != "") {
			t.Errorf("%s is %q, want %q", word, got.Name, want)
		}
	}
	for c := range Columns {
		if f, ok := FieldOf(c.String()); !ok || !slices.Contains(f.Columns, c) {
			t.Errorf("column %d is asked for by %q", c, c)
		}
	}
}
