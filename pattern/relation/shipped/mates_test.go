package shipped_test

import (
	"bytes"
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"

	"qipu/game"
	"qipu/game/xiangqi"
	"qipu/internal/testkit"
	"qipu/pattern"
	"qipu/pattern/relation"
	"qipu/pattern/relation/shipped"
	"qipu/pattern/relation/syntax"
	"qipu/record"
	"qipu/record/pgn"
)

// mates returns the shipped patterns of the kind mate, ready and as they are.
func mates(t testing.TB) (*relation.Set, []*syntax.Pattern) {
	t.Helper()
	var list []*syntax.Pattern
	for _, p := range shipped.Base().Patterns {
		if p.Kind == "mate" && p.Game == xiangqi.Standard.Info().Name {
			list = append(list, p)
		}
	}
	set, err := relation.Compile(list, xiangqi.Standard)
	if err != nil {
		t.Fatal(err)
	}
	return set, list
}

// Every check of a mate does what it says, and those that match end a game.
func TestMateChecks(t *testing.T) {
	set, list := mates(t)
	if len(list) < 36 {
		t.Errorf("%d mates have names, want 36 at least", len(list))
	}
	for _, p := range list {
		count := map[bool]int{}
		for _, c := range shipped.Base().ChecksOf(p.ID) {
			count[c.Match]++
			if why := set.Fails(c); why != "" {
				t.Errorf("%s:%d: %s: %s", c.File, c.Line, p.ID, why)
			}
			v, err := c.View(xiangqi.Standard)
			if err != nil {
				t.Fatalf("%s:%d: %v", c.File, c.Line, err)
			}
			if end := v.Facts.(game.Position).Outcome(); c.Match && (!end.Final() || end.Winner == v.Turn) {
				t.Errorf("%s:%d: %s: a check that matches must end with the loss of the side to move", c.File, c.Line, p.ID)
			}
			if c.Why == "" {
				t.Errorf("%s:%d: %s: the check does not say why", c.File, c.Line, p.ID)
			}
		}
		if count[true] < 5 || count[false] < 5 {
			t.Errorf("%s has %d checks that match and %d that do not, want 5 of each", p.ID, count[true], count[false])
		}
	}
}

// A mate and its pictures, mirrored and with colours exchanged, have the same names.
func TestMatePictures(t *testing.T) {
	set, _ := mates(t)
	ids := func(v *pattern.View) (names []string) {
		for _, m := range set.AppendMatches(nil, v) {
			names = append(names, m.ID)
		}
		return names
	}
	boards := 0
	for _, c := range shipped.Base().Checks {
		if p := shipped.Base().Pattern(c.ID); p == nil || p.Kind != "mate" || p.Game != xiangqi.Standard.Info().Name || c.Moves != "" {
			continue
		}
		setup, err := game.ParseSetup(xiangqi.Standard, c.FEN)
		if err != nil {
			t.Fatal(err)
		}
		var want []string
		for i, sym := range xiangqi.Standard.Info().Symmetries {
			p, err := xiangqi.Standard.Arrange(setup.Transform(xiangqi.Standard, sym))
			if err != nil {
				t.Fatalf("%s:%d: %v", c.File, c.Line, err)
			}
			got := ids(&pattern.View{Planes: p.(game.Planar).Planes(), Turn: p.Turn(), Facts: p})
			if i == 0 {
				want = got
			} else if !slices.Equal(got, want) {
				t.Errorf("%s:%d: under %v: %v, want %v", c.File, c.Line, sym, got, want)
			}
		}
		boards++
	}
	if boards < 300 {
		t.Errorf("only %d boards were looked at", boards)
	}
}

// The share of the mates and stalemates that end real games which have a name.
func TestMatesOfRealGames(t *testing.T) {
	set, list := mates(t)
	count := map[string]int{}
	all, named := 0, 0
	seen := map[string]bool{}
	for _, archive := range []string{"xiangqi/xiangqi-games.tar.gz", "xiangqi/xiangqi-positions.tar.gz"} {
		for name, data := range testkit.Files(t, archive) {
			if !strings.EqualFold(path.Ext(name), ".pgn") {
				continue
			}
			for g, err := range pgn.Format.Read(&record.Source{Name: name, Reader: bytes.NewReader(data), Size: int64(len(data))}) {
				if err != nil {
					continue
				}
				p := record.Play(xiangqi.Standard, g)
				if !p.Outcome.Final() {
					continue
				}
				key := fmt.Sprintf("%s %v", game.AppendSetup(nil, xiangqi.Standard, p.Start), moves(p))
				if seen[key] {
					continue
				}
				seen[key] = true
				all++
				found := set.AppendMatches(nil, lastView(t, p))
				if len(found) > 0 {
					named++
				}
				for _, m := range found {
					count[m.ID]++
				}
			}
		}
	}
	if all < 300 {
		t.Fatalf("the games end with %d mates, want 300 at least to tell anything", all)
	}
	slices.SortStableFunc(list, func(a, b *syntax.Pattern) int { return cmp.Compare(count[b.ID], count[a.ID]) })
	for _, p := range list {
		t.Logf("%4d %s %s", count[p.ID], p.Names.Hant, p.ID)
	}
	share := float64(named) / float64(all)
	t.Logf("%d of %d final positions have a name: %.3f", named, all, share)
	if share < .93 {
		t.Errorf("%.3f of the mates have a name, want .93", share)
	}
}

// moves returns the moves of a record.
func moves(p *record.Played) (list []game.Move) {
	for _, s := range p.Steps {
		list = append(list, s.Move)
	}
	return list
}

// lastView returns the last position of a record with all its moves.
func lastView(t testing.TB, p *record.Played) *pattern.View {
	t.Helper()
	pos, err := record.At(p, 0)
	if err != nil {
		t.Fatal(err)
	}
	v := &pattern.View{Usual: pos.Hash() == xiangqi.Standard.Start().Hash()}
	planes := pos.(game.Planar).Planes
	for _, s := range p.Steps {
		from, to := s.Move.From(), s.Move.To()
		v.Moves = append(v.Moves, pattern.Played{From: from, To: to, Piece: planes().At(from), Taken: planes().At(to)})
		if err := pos.Play(s.Move); err != nil {
			t.Fatal(err)
		}
	}
	v.Planes, v.Turn, v.Facts = planes(), pos.Turn(), pos
	return v
}
