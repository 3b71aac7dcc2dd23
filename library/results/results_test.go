package results_test

import (
	"testing"
	"time"

	"qipu"
	"qipu/builtin"
	"qipu/library/results"
	"qipu/play"
	"qipu/record"
	"qipu/store"
)

// TestMend: a game as an earlier version has stored it is found, mended and given
// back, with its tags; others are left alone.
func TestMend(t *testing.T) {
	ctx := t.Context()
	l, err := qipu.Open(ctx, t.TempDir(), qipu.Options{Create: true})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	add := func(spec, start string, number int64) uint32 {
		t.Helper()
		rules, err := builtin.Games().Find(spec)
		if err != nil {
			t.Fatal(err)
		}
		// As it was: by rules that count what stands, and nobody who settles.
		set := play.Settings{Game: spec, Start: start, Players: [2]play.Player{{Name: "Ada"}, {Name: "Grace"}}}
		s, err := play.New(rules, nil, set, nil, time.Now())
		if err != nil {
			t.Fatal(err)
		}
		for s.Result() == nil {
			m, err := s.ParseMove("pass")
			if err == nil {
				err = s.Play(m, play.By{}, time.Now())
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		added, err := l.Records().Add(ctx, record.NewReferee(builtin.Games()).Play(s.Record(number)))
		if err != nil {
			t.Fatal(err)
		}
		return added.ID
	}
	wall := "4XO3/4XO3/4XO3/4XO3/4XO3/4XO3/4XO3/4XO3/"
	bad := add("weiqi:9x9,computer", wall+"O3XO3 X", 1)
	add("weiqi:9x9,computer", wall+"4XO3 X", 2)
	if err := l.Notes().Edit(ctx, func(tx store.Tx) error { return tx.Tag("mine", []uint32{bad}) }); err != nil {
		t.Fatal(err)
	}
	found, err := results.Find(ctx, l.Records())
	if err != nil || len(found) != 1 || found[0].Game != bad || found[0].Stored.String() != "W+35.5" || found[0].Counted.String() != "B+1.5" || !found[0].Sure || len(found[0].Names()) != 1 || found[0].Names()[0] != "A1" {
		t.Fatalf("%+v, %v", found, err)
	}
	check := func(id uint32, want string, marks int) {
		t.Helper()
		r, g, err := l.Record(ctx, id)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, node := range r.Nodes {
			if node.Extra != nil {
				for _, p := range node.Props {
					if p.Name == "TB" || p.Name == "TW" {
						n += len(p.Values)
					}
				}
			}
		}
		tags, err := l.Notes().TagsOf(ctx, id)
		if err != nil || g.Facts.Result.String() != want || n != marks || len(tags) != 1 {
			t.Errorf("game %d: %s with %d marks and tags %v, want %s with %d: %v", id, g.Facts.Result, n, tags, want, marks, err)
		}
	}
	numbers, err := results.Mend(ctx, l.Records(), found)
	if err != nil || len(numbers) != 1 {
		t.Fatalf("%v, %v", numbers, err)
	}
	check(numbers[bad], "B+1.5", 63)
	if found, err = results.Find(ctx, l.Records()); err != nil || len(found) != 0 {
		t.Errorf("%+v, %v", found, err)
	}
	back, err := results.Undo(ctx, l.Records())
	if err != nil || len(back) != 1 {
		t.Fatalf("%v, %v", back, err)
	}
	check(back[numbers[bad]], "W+35.5", 0)
	if found, err = results.Find(ctx, l.Records()); err != nil || len(found) != 1 {
		t.Errorf("%+v, %v", found, err)
	}
}
