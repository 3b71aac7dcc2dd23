package query

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
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
		{And{}, "(and)"},
		{And{Const(true), Not{Const(false)}}, "(and all (not none))"},
		{Or{Collection{"my \"best\""}, Const(true)}, `(or (collection "my \"best\"") all)`},
		{Games{Set: roaring.BitmapOf(3, 5), Why: "by hand"}, `(games 2 "by hand")`},
		{stone, `(shape "X ." floating)`},
		{shape(t, "X.", func(p *pattern.Pattern) { p.Mirror, p.Swap, p.Turn = true, true, pattern.SecondToMove }), `(shape "X ." floating mirror swap turn:2)`},
		{shape(t, "X.", func(p *pattern.Pattern) { p.From = 3 }), `(shape "X ." floating plies:3..)`},
		{shape(t, "X.", func(p *pattern.Pattern) { p.To = 9 }), `(shape "X ." floating plies:0..9)`},
		{shape(t, "X.", func(p *pattern.Pattern) { p.Anchor, p.At = pattern.Fixed, board.At(3, 4) }), `(shape "@D15/X ." fixed)`},
	} {
		if got := c.q.String(); got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
}

func TestSimplify(t *testing.T) {
	a, b, c := Collection{"a"}, Collection{"b"}, Collection{"c"}
	for _, x := range []struct {
		q, want Q
	}{
		{a, a},
		{And{}, Const(true)},
		{Or{}, Const(false)},
		{And{a}, a},
		{Or{a}, a},
		{Not{Not{a}}, a},
		{Not{Not{Not{a}}}, Not{a}},
		{Not{Const(true)}, Const(false)},
		{And{a, Const(true), b}, And{a, b}},
		{And{a, Const(false), b}, Const(false)},
		{Or{a, Const(false), b}, Or{a, b}},
		{Or{a, Const(true)}, Const(true)},
		{And{And{a, b}, And{c}}, And{a, b, c}},
		{Or{a, Or{b, Or{c}}}, Or{a, b, c}},
		{And{a, Or{b, c}}, And{a, Or{b, c}}},
		{Or{And{a, Not{Const(true)}}, b}, b},
		{Not{And{a, Or{}}}, Const(true)},
		{And{Not{Or{Not{a}}}, b}, And{a, b}},
		{And{Not{Not{And{a, b}}}, c}, And{a, b, c}},
	} {
		before := x.q.String()
		if got := Simplify(x.q); got.String() != x.want.String() {
			t.Errorf("%v becomes %v, want %v", x.q, got, x.want)
		}
		if x.q.String() != before {
			t.Errorf("%s was changed into %v", before, x.q)
		}
	}
}

// random returns a tree over a few names.
func random(rng *rand.Rand, depth int) Q {
	parts := func() (list []Q) {
		for range rng.IntN(4) {
			list = append(list, random(rng, depth-1))
		}
		return list
	}
	switch n := rng.IntN(10); {
	case depth > 0 && n < 3:
		return And(parts())
	case depth > 0 && n < 6:
		return Or(parts())
	case depth > 0 && n < 8:
		return Not{random(rng, depth-1)}
	case n < 9:
		return Collection{string(rune('a' + rng.IntN(5)))}
	}
	return Const(rng.IntN(2) == 0)
}

// eval returns whether a query is true where the names with a bit set are.
func eval(q Q, truth int) bool {
	switch q := q.(type) {
	case And:
		return !slices.ContainsFunc(q, func(p Q) bool { return !eval(p, truth) })
	case Or:
		return slices.ContainsFunc(q, func(p Q) bool { return eval(p, truth) })
	case Not:
		return !eval(q.Q, truth)
	case Collection:
		return truth>>(q.Name[0]-'a')&1 != 0
	}
	return bool(q.(Const))
}

// flat reports whether a tree is as Simplify promises.
func flat(q Q, top bool) bool {
	list := func(parts []Q, same func(Q) bool) bool {
		return len(parts) > 1 && !slices.ContainsFunc(parts, func(p Q) bool { return same(p) || !flat(p, false) })
	}
	switch q := q.(type) {
	case And:
		return list(q, func(p Q) bool { _, and := p.(And); return and })
	case Or:
		return list(q, func(p Q) bool { _, or := p.(Or); return or })
	case Not:
		_, not := q.Q.(Not)
		return !not && flat(q.Q, false)
	case Const:
		return top
	}
	return true
}

// laws checks that simplifying a tree keeps what it means, is done once and for
// all, and does what it promises.
func laws(q Q) error {
	s := Simplify(q)
	for truth := range 1 << 5 {
		if eval(q, truth) != eval(s, truth) {
			return fmt.Errorf("%v becomes %v, which is another thing for %05b", q, s, truth)
		}
	}
	if again := Simplify(s); again.String() != s.String() {
		return fmt.Errorf("%v becomes %v and then %v", q, s, again)
	}
	if !flat(s, true) {
		return fmt.Errorf("%v becomes %v, which is not simple", q, s)
	}
	return nil
}

func TestSimplifyLaws(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	for range testkit.Scale(3000, 100000) {
		if err := laws(random(rng, 5)); err != nil {
			t.Fatal(err)
		}
	}
}

// FuzzSimplify: the laws hold for any tree.
func FuzzSimplify(f *testing.F) {
	f.Add(uint64(1), uint64(2))
	f.Fuzz(func(t *testing.T, a, b uint64) {
		if err := laws(random(rand.New(rand.NewPCG(a, b)), 8)); err != nil {
			t.Error(err)
		}
	})
}

func TestMap(t *testing.T) {
	q := And{Collection{"a"}, Or{Not{Collection{"b"}}, Const(true)}}
	var seen []string
	got, err := Map(q, func(q Q) (Q, error) {
		seen = append(seen, q.String())
		if c, ok := q.(Collection); ok {
			return Collection{strings.ToUpper(c.Name)}, nil
		}
		return q, nil
	})
	if want := `(and (collection "A") (or (not (collection "B")) all))`; err != nil || got.String() != want {
		t.Errorf("%v, %v", got, err)
	}
	if want := []string{`(collection "a")`, `(collection "b")`, "all"}; !slices.Equal(seen, want) {
		t.Errorf("leaves %q, want %q", seen, want)
	}
	if want := `(and (collection "a") (or (not (collection "b")) all))`; q.String() != want {
		t.Errorf("the tree itself has become %v", q)
	}
	no := errors.New("no")
	for _, q := range []Q{Const(true), And{Const(true)}, Or{Const(true)}, Not{Const(true)}, Or{And{Not{Const(true)}}}} {
		if got, err := Map(q, func(Q) (Q, error) { return nil, no }); err != no || got != nil {
			t.Errorf("%v: %v, %v", q, got, err)
		}
	}
}

// shelf knows one collection.
type shelf struct{}

var errUnknown = errors.New("unknown")

func (shelf) Collection(name string) (*roaring.Bitmap, error) {
	if name != "best" {
		return nil, errUnknown
	}
	return roaring.BitmapOf(1, 2, 3), nil
}

func TestBind(t *testing.T) {
	s := shape(t, "X.")
	got, err := Bind(And{s, Not{Collection{"best"}}}, shelf{})
	if want := `(and (shape "X ." floating) (not (games 3 "collection best")))`; err != nil || got.String() != want {
		t.Errorf("%v, %v; want %s", got, err, want)
	}
	if got.(And)[0] != s {
		t.Error("the shape is another one")
	}
	if got, err := Bind(Or{Collection{"best"}, Collection{"worst"}}, shelf{}); err != errUnknown || got != nil {
		t.Errorf("%v, %v", got, err)
	}
}

func TestFocus(t *testing.T) {
	a, b := shape(t, "X."), shape(t, "O.")
	set := Games{Set: roaring.New()}
	for _, c := range []struct {
		q    Q
		want *Shape
	}{
		{a, a}, {set, nil}, {Const(true), nil}, {Not{a}, nil},
		{And{a, b}, a}, {Or{b, a}, b}, {And{set, Not{a}, b}, b},
		{Or{And{set, Not{a}}, And{set, Or{set, b}}, a}, b}, {And{Not{a}, Not{b}}, nil}, {And{}, nil},
	} {
		if got := Focus(c.q); got != c.want {
			t.Errorf("%v: %v, want %v", c.q, got, c.want)
		}
	}
}
