package shipped_test

import (
	"slices"
	"strings"
	"testing"

	"qipu/board"
	"qipu/game"
	"qipu/game/xiangqi"
	"qipu/pattern"
	"qipu/pattern/relation"
	"qipu/pattern/relation/shipped"
	"qipu/pattern/relation/syntax"
)

// ofKind returns the shipped patterns of a kind, ready and as they are.
func ofKind(t testing.TB, kind string) (*relation.Set, []*syntax.Pattern) {
	t.Helper()
	var list []*syntax.Pattern
	for _, p := range shipped.Base().Patterns {
		if string(p.Kind) == kind && p.Game == xiangqi.Standard.Info().Name {
			list = append(list, p)
		}
	}
	set, err := relation.Compile(list, xiangqi.Standard)
	if err != nil {
		t.Fatal(err)
	}
	return set, list
}

func checksOf(p *syntax.Pattern) []*syntax.Check { return shipped.Base().ChecksOf(p.ID) }

// testChecks runs the checks of patterns as they are and as other pictures of the
// same, and looks whether there are enough, of both sides.
func testChecks(t *testing.T, set *relation.Set, list []*syntax.Pattern, pictures ...func(*syntax.Check) *syntax.Check) {
	t.Helper()
	for _, p := range list {
		count, side := map[bool]int{}, map[string]int{}
		for _, c := range checksOf(p) {
			count[c.Match]++
			side[c.Side]++
			if c.Why == "" {
				t.Errorf("%s:%d: the check does not say why", c.File, c.Line)
			}
			if c.Match && c.Side == "" {
				t.Errorf("%s:%d: the check does not say whose the pattern is", c.File, c.Line)
			}
			if why := set.Fails(c); why != "" {
				t.Errorf("%s:%d: %s: %s", c.File, c.Line, p.ID, why)
			}
			for i, picture := range pictures {
				if why := set.Fails(picture(c)); why != "" {
					t.Errorf("%s:%d: %s, picture %d: %s", c.File, c.Line, p.ID, i, why)
				}
			}
		}
		if count[true] < 5 || count[false] < 5 {
			t.Errorf("%s has %d checks that match and %d that do not, want 5 of each", p.ID, count[true], count[false])
		}
		if p.Kind == "structure" && (side["red"] == 0 || side["black"] == 0) {
			t.Errorf("%s has %d checks of Red and %d of Black, want some of each", p.ID, side["red"], side["black"])
		}
	}
}

// mirroredFEN returns a position text with left and right exchanged; none of none.
func mirroredFEN(t testing.TB, fen string) string { return picture(t, fen, false) }

// picture returns a position text mirrored, or with the sides exchanged.
func picture(t testing.TB, fen string, swapped bool) string {
	t.Helper()
	if fen == "" {
		return ""
	}
	setup, err := game.ParseSetup(xiangqi.Standard, fen)
	if err != nil {
		t.Fatal(err)
	}
	for _, sym := range xiangqi.Standard.Info().Symmetries {
		if sym.Swap == swapped && (sym != game.Symmetry{}) {
			return string(game.AppendSetup(nil, xiangqi.Standard, setup.Transform(xiangqi.Standard, sym)))
		}
	}
	t.Fatal("the game has no such symmetry")
	return ""
}

// Every check of a structure does what it says. The mirrored board is the same
// structure, and with the sides exchanged it is the other side's.
func TestStructureChecks(t *testing.T) {
	set, list := ofKind(t, "structure")
	if len(list) < 28 {
		t.Errorf("%d structures have names, want 28 at least", len(list))
	}
	other := map[string]string{"red": "black", "black": "red"}
	testChecks(t, set, list,
		func(c *syntax.Check) *syntax.Check {
			m := *c
			m.FEN, m.Roles = mirroredFEN(t, c.FEN), nil
			return &m
		},
		func(c *syntax.Check) *syntax.Check {
			m := *c
			m.FEN, m.Side, m.Roles = picture(t, c.FEN, true), other[c.Side], nil
			return &m
		})
}

// What stands before the first move tells nothing about a game.
func TestNothingAtTheStart(t *testing.T) {
	list, _ := shipped.Base().Of(xiangqi.Standard.Info().Name)
	set, err := relation.Compile(list, xiangqi.Standard)
	if err != nil {
		t.Fatal(err)
	}
	p := xiangqi.Standard.Start()
	for _, usual := range []bool{true, false} {
		v := &pattern.View{Planes: p.(game.Planar).Planes(), Turn: p.Turn(), Usual: usual, Facts: p}
		for _, m := range set.AppendMatches(nil, v) {
			t.Errorf("%s stands at the start", m.ID)
		}
	}
	// The same set must find something where there is something.
	c := shipped.Base().ChecksOf("hollow-cannon")[0]
	v, err := c.View(xiangqi.Standard)
	if err != nil {
		t.Fatal(err)
	}
	if found := set.AppendMatches(nil, v); len(found) == 0 || v.Planes.At(found[0].Roles[0].At) == board.Empty {
		t.Errorf("%s:%d: nothing is found, or a role without a piece", c.File, c.Line)
	}
}

// Names of the five languages are there, and those of one pattern are in no way
// another's: a player who types one gets one answer.
func TestNamesOfStructuresAndOpenings(t *testing.T) {
	for _, kind := range []string{"structure", "opening"} {
		_, list := ofKind(t, kind)
		for _, p := range list {
			n := p.Names
			for _, name := range []string{n.En, n.Hant, n.Hans, n.Ja, n.Ko, p.Vi, p.Source, p.Note} {
				if name == "" || strings.HasSuffix(name, "~") {
					t.Errorf("%s: a name, source or note is missing, or keeps its mark: %q", p.ID, name)
				}
			}
			for _, name := range p.AllNames() {
				found := shipped.Base().Find(name)
				found = slices.DeleteFunc(slices.Clone(found), func(q *syntax.Pattern) bool { return q.Game != p.Game })
				if len(found) != 1 || found[0] != p {
					t.Errorf("%s: its name %q is that of %d patterns", p.ID, name, len(found))
				}
			}
		}
	}
}
