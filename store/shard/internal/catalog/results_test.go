package catalog_test

import (
	"slices"
	"testing"

	"qipu/record"
	"qipu/record/facts"
	"qipu/store"
	"qipu/store/shard/internal/catalog"
)

// TestResults checks that games of a kind come by rising number with what their
// moves and results are, and that those which are gone do not.
func TestResults(t *testing.T) {
	db, err := catalog.Open(t.Context(), t.TempDir(), catalog.Options{Create: true})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	entry := func(kind string, key uint64, r facts.Result) store.Entry {
		return store.Entry{Kind: kind, Key: key, Head: key, Plies: int(key), Facts: &facts.Facts{Result: r}, Format: "wthor", Record: []byte{1}}
	}
	var ids []uint32
	err = db.Update(t.Context(), func(tx *catalog.Tx) (err error) {
		ids, err = tx.Add([]store.Entry{
			entry("othello 8x8", 1, facts.Result{Verdict: facts.FirstWon, Margin: 12}),
			entry("weiqi 19x19", 2, facts.Result{}),
			entry("othello 8x8", 3, facts.Result{Verdict: facts.Drawn}),
			entry("othello 8x8", 1<<63|4, facts.Result{}),
			{Kind: "renju 15x15", Key: 5, Head: 5, Plies: 5, Source: store.Source{File: record.PlayFile, Number: 1}, Record: []byte{1}},
			{Kind: "renju 15x15", Key: 6, Head: 6, Plies: 6, Source: store.Source{File: record.PlayFile, Number: 1}, Format: "sgf", Record: []byte{1}},
			{Kind: "renju 15x15", Key: 7, Head: 7, Plies: 7, Source: store.Source{File: "folder/" + record.PlayFile, Number: 1}, Record: []byte{1}},
		})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	rows := func(seq func(func(store.ResultRow, error) bool)) (list []store.ResultRow) {
		t.Helper()
		for row, err := range seq {
			if err != nil {
				t.Fatal(err)
			}
			if row.Format == 0 {
				t.Error("a game without a format")
			}
			row.Format = 0
			list = append(list, row)
		}
		return list
	}
	one := store.ResultRow{ID: ids[0], Key: 1, Plies: 1, Verdict: facts.FirstWon, Margin: 12}
	two := store.ResultRow{ID: ids[2], Key: 3, Plies: 3, Verdict: facts.Drawn}
	if got := rows(db.ScanResults(t.Context(), "othello 8x8")); len(got) != 3 || got[0] != one || got[1] != two || got[2].Key != 1<<63|4 {
		t.Errorf("%+v", got)
	}
	if got := rows(db.Results(t.Context(), "othello 8x8", []uint32{ids[0], ids[1], ids[2], 999})); !slices.Equal(got, []store.ResultRow{one, two}) {
		t.Errorf("%+v", got)
	}
	if got := rows(db.Results(t.Context(), "othello 8x8", nil)); len(got) != 0 {
		t.Errorf("%+v", got)
	}
	if err := db.Update(t.Context(), func(tx *catalog.Tx) error { return tx.Delete(ids[:1]) }); err != nil {
		t.Fatal(err)
	}
	if got := rows(db.Results(t.Context(), "othello 8x8", ids)); len(got) != 2 || got[0] != two {
		t.Errorf("%+v", got)
	}
	for row, err := range db.ScanResults(t.Context(), "renju 15x15") {
		if want := row.Key == 5; err != nil || row.Here != want {
			t.Errorf("%+v was played here: %v, want %v: %v", row, row.Here, want, err)
		}
	}
	for range db.ScanResults(t.Context(), "othello 8x8") {
		break // ends without harm
	}
}
