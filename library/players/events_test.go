package players_test

import (
	"errors"
	"testing"

	"qipu/library/ask"
	"qipu/library/players"
	"qipu/retrieve"
	"qipu/store"
)

// TestEvents: names of events become one, which queries and groups follow, and are
// several again when that is undone, here or in the journal; players know nothing of it.
func TestEvents(t *testing.T) {
	ctx := t.Context()
	l, done := sampleLibrary(ctx)
	defer done()
	events := l.Players().Events()
	r, err := events.Register(ctx, "")
	if err != nil || len(r.All()) < 3 {
		t.Fatal(r, err)
	}
	a, b := r.All()[0], r.All()[1]
	before := a.Games + b.Games
	grouped := func() (names []string, counts map[string]int) {
		t.Helper()
		_, groups, err := l.Search().Facets(ctx, &ask.Question{Text: "all"}, retrieve.ByEvent)
		if err != nil {
			t.Fatal(err)
		}
		counts = map[string]int{}
		for _, g := range groups[0] {
			names, counts[g.Key] = append(names, g.Key), g.Count
			if g.Key == "" {
				continue
			}
			if found := games(ctx, t, l, "event=\""+g.Key+"\""); found != g.Count {
				t.Errorf("event=%s finds %d games, the group has %d", g.Key, found, g.Count)
			}
		}
		return names, counts
	}
	were, _ := grouped()
	if n := games(ctx, t, l, "event=\""+a.Name+"\""); n != a.Games {
		t.Errorf("%d games of %d", n, a.Games)
	}
	none := players.EditOptions{}
	if _, err := events.Merge(ctx, "x", []string{"No such event at all"}, none); !errors.Is(err, players.ErrNoEvent) {
		t.Error(err)
	}
	if _, err := events.Rename(ctx, a.Name, b.Name, none); !errors.Is(err, players.ErrOtherEvent) {
		t.Error(err)
	}
	merged, err := events.Merge(ctx, "The Great Cup", []string{a.Name, b.Name}, none)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{`event="The Great Cup"`, `event="` + a.Name + `"`, `event="` + b.Name + `"`, "event:great", `text:"great cup"`} {
		if n := games(ctx, t, l, text); n != before {
			t.Errorf("%s finds %d games of %d", text, n, before)
		}
	}
	names, counts := grouped()
	if len(names) != len(were)-1 || counts["The Great Cup"] != before {
		t.Errorf("groups: %q %v", names, counts)
	}
	if one, err := events.Register(ctx, ""); err != nil || one.All()[0].Name != "The Great Cup" || one.All()[0].Games != before || len(one.All()[0].Spellings) < 2 {
		t.Errorf("%+v, %v", one.All()[0], err)
	}
	if list, err := l.Players().Edits(ctx); err != nil || len(list) > 0 {
		t.Errorf("of players there is %v, %v", list, err)
	}
	if e, err := events.Undo(ctx, merged.ID, false); err != nil || e.Op != players.Merge || !e.Undone {
		t.Errorf("%+v, %v", e, err)
	}
	if names, _ := grouped(); len(names) != len(were) || games(ctx, t, l, "event:great") != 0 {
		t.Errorf("undone, there are %q", names)
	}
	// What the journal has undone counts no more, and counts again when that is undone.
	list, err := l.Records().Journal().Changes(ctx, store.Page{Limit: 1})
	if err != nil || len(list) != 1 {
		t.Fatal(list, err)
	}
	if _, err := l.Records().Undo(ctx, list[0].ID); err != nil {
		t.Fatal(err)
	}
	if n := games(ctx, t, l, "event:great"); n != before {
		t.Errorf("the undo undone, %d games of %d are found", n, before)
	}
	split, err := events.Split(ctx, "", []string{b.Name}, none)
	if err != nil || games(ctx, t, l, "event:great") != a.Games || games(ctx, t, l, "event=\""+b.Name+"\"") != b.Games {
		t.Errorf("%+v, %v", split, err)
	}
}
