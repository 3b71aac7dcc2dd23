package retrieve

import (
	"cmp"
	"errors"
	"slices"
	"testing"

	"qipu/board"
	"qipu/index"
	"qipu/internal/testkit"
	"qipu/pattern"
	"qipu/query"
)

// alike is a game as somebody ranks it who measures every board.
type alike struct {
	game     uint32
	likeness float64
	rank     uint8
	others   int32
	plies    int32
	ply      int32
}

// ranked measures every board of every line in every placement.
func (w *world) ranked(k *index.Kind, like *pattern.Like, least float64, variations bool) (list []alike) {
	var s pattern.Scratch
	games := map[uint32]alike{}
	for _, l := range w.lines[k] {
		if !l.main && !variations {
			continue
		}
		for ply := l.from; ply < len(l.boards); ply++ {
			if ply < like.From || like.To >= 0 && ply > like.To {
				continue
			}
			best := alike{game: l.game, likeness: -1, ply: int32(ply), plies: 1}
			for i := range like.Placements {
				q := &like.Placements[i]
				if q.Turn != pattern.AnyTurn && q.Turn != pattern.FirstToMove+pattern.Turn(l.turns[ply]) {
					continue
				}
				v := like.Value(&s, i, l.boards[ply], like.Score(&s, i, l.boards[ply], 0))
				x := alike{l.game, float64(float32(v)), pattern.Rank(q.Symmetry), others(like, i, l.boards[ply]), 1, int32(ply)}
				if v >= least && x.compare(&best) < 0 {
					best = x
				}
			}
			if best.likeness < 0 {
				continue
			}
			was, known := games[l.game]
			if known && best.likeness == was.likeness && best.rank == was.rank {
				best.plies += was.plies
				was.plies = best.plies
			}
			if !known || cmp.Or(best.compare(&was), cmp.Compare(best.ply, was.ply)) < 0 {
				was = best
			}
			games[l.game] = was
		}
	}
	for _, x := range games {
		list = append(list, x)
	}
	slices.SortFunc(list, func(x, y alike) int {
		return cmp.Or(x.compare(&y), cmp.Compare(x.game, y.game))
	})
	return list
}

// compare returns a negative number where x comes before y.
func (x *alike) compare(y *alike) int {
	return cmp.Or(cmp.Compare(y.likeness, x.likeness), cmp.Compare(x.rank, y.rank), cmp.Compare(x.others, y.others), cmp.Compare(y.plies, x.plies))
}

// others counts the pieces in the region of a placement that the pattern does not
// ask for.
func others(like *pattern.Like, placement int, on []board.Piece) int32 {
	n := int32(0)
	for _, pt := range like.Placements[placement].Region {
		if on[pt] != board.Empty {
			n++
		}
	}
	for _, c := range like.Cells(placement) {
		if c.Needed {
			n--
		}
	}
	return max(n, 0)
}

// TestLikeness compares the games that are most like a board, and their order,
// with those of somebody who measures every board; on one page and on several.
func TestLikeness(t *testing.T) {
	w := newWorld(t, 41, 250)
	games, partly, crowded, ties, turned := 0, 0, 0, 0, 0
	for range testkit.Scale(3, 40) {
		for _, k := range w.kinds() {
			p := w.randomPattern(k)
			q := &query.Fuzzy{Shape: query.Shape{Pattern: p, Geometry: k.Rules.Geometry()}, Weights: pattern.DefaultWeights(k.Rules.Geometry()), Min: .6}
			places, err := pattern.Compile(p, k.Board)
			if errors.Is(err, pattern.ErrNoFit) || !hasPiece(p) {
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			like, err := pattern.NewLike(places, p, &q.Weights, pattern.GroundOf(k.Rules))
			if err != nil {
				t.Fatal(err)
			}
			for _, variations := range []bool{false, true} {
				want := w.ranked(k, like, q.Min, variations)
				r := &Request{Kind: k, Query: q, Order: ByLikeness, Variations: variations, Limit: -1}
				var got []alike
				for pages := 0; pages == 0 || r.Cursor != ""; pages++ {
					a, err := Find(t.Context(), w.view, r)
					if err != nil {
						t.Fatal(err)
					}
					for i := range a.Rows {
						row := &a.Rows[i]
						got = append(got, alike{row.Game, row.Likeness, pattern.Rank(row.Symmetry), row.Others, row.Plies, row.Ply})
						if row.Likeness < 1 && len(row.Differences) == 0 || row.batch != nil {
							t.Fatalf("%v: %+v", q, row)
						}
					}
					if r.Cursor = a.Next; len(got) > len(want) {
						break
					}
				}
				if !slices.Equal(got, want) {
					t.Fatalf("%s, %v, variations %t:\ngot  %+v\nwant %+v", k.Name, q, variations, got, want)
				}
				r.Limit, r.Cursor = 3, ""
				var pages []uint32
				for i := 0; i == 0 || r.Cursor != "" && len(pages) < 12; i++ {
					a, err := Find(t.Context(), w.view, r)
					if err != nil {
						t.Fatal(err)
					}
					for i := range a.Rows {
						pages = append(pages, a.Rows[i].Game)
					}
					r.Cursor = a.Next
				}
				for i, game := range pages {
					if want[i].game != game {
						t.Fatalf("%s, %v: pages of 3 have %v, all %+v", k.Name, q, pages, want)
					}
				}
				if len(pages) < min(len(want), 12) {
					t.Fatalf("%d games on pages of 3, %d altogether", len(pages), len(want))
				}
				for i, x := range want {
					games++
					if x.likeness < 1 {
						partly++
					}
					if x.rank > 0 {
						turned++
					}
					if i > 0 && x.likeness == want[i-1].likeness && x.rank == want[i-1].rank {
						switch {
						case x.others > want[i-1].others:
							crowded++
						case x.plies < want[i-1].plies:
							ties++
						}
					}
				}
			}
		}
	}
	if games < 200 || partly < 50 || crowded < 8 || ties < 20 || turned < 20 {
		t.Errorf("%d games, %d partly alike, %d behind others by other pieces, %d by their plies, %d turned: the test has become empty", games, partly, crowded, ties, turned)
	}
}
