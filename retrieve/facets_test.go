package retrieve

import (
	"reflect"
	"strings"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"

	"qipu/index"
	"qipu/query"
)

// TestFacets: every dimension counts what a search that groups by it counts,
// over several tables, of all games and of some.
//
//qipu:race
func TestFacets(t *testing.T) {
	w := newWorld(t, 12, 400)
	ctx := t.Context()
	var kinds []*index.Kind
	var also []Part
	all, some := roaring.New(), roaring.New()
	for _, tally := range w.view.Tally() {
		kinds = append(kinds, tally.Kind)
	}
	for _, k := range kinds {
		for _, l := range w.lines[k] {
			all.Add(l.game)
			if w.rng.IntN(3) == 0 {
				some.Add(l.game)
			}
		}
	}
	var by []Dimension
	for d := ByYear; d <= ByTag; d++ {
		by = append(by, d)
	}
	sets := map[Dimension][]Set{ByCollection: {{"some", some}, {"all", all}}, ByTag: {{"none", roaring.New()}, {"some", some}}}
	person := func(spelled string) (key, name string) { return strings.ToLower(spelled[:1]), spelled[:1] }
	for _, games := range []*roaring.Bitmap{nil, some, roaring.New()} {
		groups, err := Facets(ctx, w.view, &FacetsRequest{Kinds: kinds, Games: games, By: by, Sets: sets, Person: person})
		if err != nil {
			t.Fatal(err)
		}
		var q query.Q = query.Const(true)
		if games != nil {
			q = query.Games{Set: games, Why: "some"}
		}
		also = also[:0]
		for _, k := range kinds[1:] {
			also = append(also, Part{k, q})
		}
		for i, d := range by {
			a, err := Find(ctx, w.view, &Request{Kind: kinds[0], Query: q, Also: also, By: d, Sets: sets[d], Person: person, Limit: 1, NoContinuations: true})
			if err != nil {
				t.Fatal(err)
			}
			if len(a.Groups) != len(groups[i]) {
				t.Fatalf("by %v: %d groups, want %d", d, len(groups[i]), len(a.Groups))
			}
			for k := range a.Groups {
				a.Groups[k].Hits = 0
				if !reflect.DeepEqual(a.Groups[k], groups[i][k]) {
					t.Errorf("by %v: %+v, want %+v", d, groups[i][k], a.Groups[k])
				}
			}
		}
	}
}
