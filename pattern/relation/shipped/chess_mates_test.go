package shipped_test

import (
	"bytes"
	"cmp"
	"path"
	"slices"
	"strings"
	"testing"

	"qipu/game"
	"qipu/game/chess"
	"qipu/internal/testkit"
	"qipu/pattern"
	"qipu/pattern/relation"
	"qipu/pattern/relation/shipped"
	"qipu/pattern/relation/syntax"
	"qipu/record"
	"qipu/record/pgn"
)

// The share of the mates that end real games of chess which have a name. Most games end
// before the mate: it takes all of them to tell anything.
func TestChessMatesOfRealGames(t *testing.T) {
	var list []*syntax.Pattern
	all, _ := shipped.Base().Of("chess")
	for _, p := range all {
		if p.Kind == syntax.Mate {
			list = append(list, p)
		}
	}
	set, err := relation.Compile(list, chess.Standard)
	if err != nil {
		t.Fatal(err)
	}
	format := pgn.With(record.KindOf(chess.Standard))
	referee := record.NewReferee(game.Catalog{chess.Standard})
	count := map[string]int{}
	mates, named, files := 0, 0, 0
	for name, data := range testkit.Files(t, "chess/chess-games.tar.gz") {
		if path.Ext(name) != ".pgn" {
			continue
		}
		if files++; files%testkit.Scale(8, 1) != 0 {
			continue
		}
		for g, err := range format.Read(&record.Source{Name: name, Reader: bytes.NewReader(data), Size: int64(len(data))}) {
			if err != nil {
				continue
			}
			played := referee.Play(g)
			if !played.Outcome.Final() || !strings.EqualFold(string(played.Outcome.Reason), "mate") {
				continue
			}
			p, err := record.At(played, len(played.Steps))
			if err != nil {
				t.Fatal(err)
			}
			mates++
			found := set.AppendMatches(nil, &pattern.View{Planes: p.(game.Planar).Planes(), Turn: p.Turn(), Facts: p})
			if len(found) > 0 {
				named++
			}
			for _, m := range found {
				count[m.ID]++
			}
		}
	}
	if mates < 50 {
		t.Fatalf("the games end with %d mates, want 50 at least to tell anything", mates)
	}
	slices.SortStableFunc(list, func(a, b *syntax.Pattern) int { return cmp.Compare(count[b.ID], count[a.ID]) })
	for _, p := range list {
		t.Logf("%4d %s", count[p.ID], p.ID)
	}
	share := float64(named) / float64(mates)
	t.Logf("%d of %d mates have a name: %.3f", named, mates, share)
	if share < .93 {
		t.Errorf("%.3f of the mates have a name, want .93", share)
	}
}
