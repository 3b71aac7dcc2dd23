package catalog_test

import (
	"errors"
	"testing"
	"time"

	"qipu/play"
	"qipu/store"
	"qipu/store/shard/internal/catalog"
)

// TestSessions: games that are being played come back as they were saved, and
// no search has to be asked again for them.
func TestSessions(t *testing.T) {
	db := open(t)
	ctx := t.Context()
	add(t, db, entry(0))
	before, err := db.Generation(ctx)
	if err != nil {
		t.Fatal(err)
	}
	old := time.Now().Add(-8 * 24 * time.Hour)
	ids := map[string]int64{}
	update(t, db, func(tx *catalog.Tx) error {
		for _, s := range []*play.Stored{
			{Token: "open", Kind: "othello", State: []byte("1")},
			{Token: "idle", Kind: "othello", State: []byte("2"), Changed: old},
			{Token: "kept", Kind: "xiangqi", State: []byte("3"), Changed: old, Over: true, Record: 1},
			{Token: "ended", Kind: "renju", State: []byte("4"), Changed: old, Over: true},
		} {
			id, err := tx.AddSession(s)
			if err != nil {
				return err
			}
			ids[s.Token] = id
		}
		return nil
	})
	tokens := func() (list []string) {
		t.Helper()
		sessions, err := db.Sessions(ctx)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range sessions {
			list = append(list, s.Token)
		}
		return list
	}
	if got := tokens(); len(got) != 3 || got[0] != "idle" || got[1] != "ended" || got[2] != "open" {
		t.Errorf("%q", got)
	}
	created, err := db.Session(ctx, "open")
	if err != nil {
		t.Fatal(err)
	}
	update(t, db, func(tx *catalog.Tx) error {
		return tx.SaveSession(&play.Stored{ID: ids["open"], State: []byte("1, 2")})
	})
	if s, err := db.Session(ctx, "open"); err != nil || string(s.State) != "1, 2" || s.Over || s.Record != 0 || !s.Changed.After(created.Changed) || s.Kind != "othello" {
		t.Errorf("%+v (%v)", s, err)
	}
	// One that has ended and is no record yet is kept, however old it is.
	update(t, db, func(tx *catalog.Tx) error {
		n, err := tx.DropSessions(time.Now().Add(-7 * 24 * time.Hour))
		if n != 2 {
			t.Errorf("%d were dropped", n)
		}
		return err
	})
	if got := tokens(); len(got) != 2 || got[0] != "ended" || got[1] != "open" {
		t.Errorf("%q", got)
	}
	update(t, db, func(tx *catalog.Tx) error { return tx.DropSession(ids["open"]) })
	if _, err := db.Session(ctx, "open"); !errors.Is(err, store.ErrNoRow) {
		t.Error(err)
	}
	for what, f := range map[string]func(tx *catalog.Tx) error{
		"saving what is not there":   func(tx *catalog.Tx) error { return tx.SaveSession(&play.Stored{ID: ids["open"]}) },
		"dropping what is not there": func(tx *catalog.Tx) error { return tx.DropSession(ids["open"]) },
	} {
		if err := db.Update(ctx, f); !errors.Is(err, store.ErrNoRow) {
			t.Errorf("%s: %v", what, err)
		}
	}
	for what, s := range map[string]*play.Stored{"a token twice": {Token: "ended", Kind: "othello"}, "no token": {Kind: "othello"}, "no kind": {Token: "x"}} {
		if err := db.Update(ctx, func(tx *catalog.Tx) error { _, err := tx.AddSession(s); return err }); err == nil {
			t.Errorf("%s passed", what)
		}
	}
	if after, err := db.Generation(ctx); err != nil || after != before {
		t.Errorf("the generation went from %d to %d (%v)", before, after, err)
	}
}
