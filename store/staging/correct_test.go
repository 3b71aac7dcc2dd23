package staging

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"

	"qipu/builtin"
	"qipu/internal/clickhouse"
	"qipu/query"
	"qipu/record"
	"qipu/retrieve"
	"qipu/store"
	"qipu/store/shard"
	"qipu/store/storetest"
	"qipu/text"
)

// found returns the games that a search for an event finds, and how many the groups of events
// count of it.
func found(t *testing.T, d *Library, event string) (ids []uint32, counted int) {
	t.Helper()
	if err := d.far.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	k, err := d.Kinds().Find("weiqi 9x9")
	if err != nil {
		t.Fatal(err)
	}
	q := &query.Fact{Column: query.Event, Text: &query.Texts{Whole: map[string]struct{}{text.Fold(event): {}}}, Why: "event:" + event}
	v, err := d.View(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	games := roaring.New()
	if _, err := retrieve.Find(t.Context(), v, &retrieve.Request{Kind: k, Query: q, Into: games, NoContinuations: true}); err != nil {
		t.Fatal(err)
	}
	all, err := retrieve.Find(t.Context(), v, &retrieve.Request{Kind: k, By: retrieve.ByEvent, Limit: -1, NoContinuations: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range all.Groups {
		if g.Key == event {
			counted = g.Count
		}
	}
	return games.ToArray(), counted
}

// set returns corrections that give a header of games a value, nil for what the record says.
func set(ids []uint32, field string, value *string) (list []store.Correction) {
	for _, id := range ids {
		list = append(list, store.Correction{Game: id, Field: field, Value: value})
	}
	return list
}

// corrected tells the corrections of a library, all of them.
func corrected(t *testing.T, d *Library) (list []string) {
	t.Helper()
	all, err := d.Journal().Corrections(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range all {
		list = append(list, fmt.Sprintf("%d %s=%s", c.Game, c.Field, *c.Value))
	}
	return list
}

// TestCorrectServers corrects headers of games that lie on servers, one and many: all that is
// asked follows on every machine, records stay, and it can be taken back and done again.
func TestCorrectServers(t *testing.T) {
	f, m := fleet(t), storetest.NewMaker(builtin.Games(), 41)
	dir := t.TempDir()
	d, other := open(t, f, filepath.Join(dir, "one")), open(t, f, filepath.Join(dir, "two"))
	defer d.Close()
	defer other.Close()
	records := games(m, direct+20)
	for _, p := range records {
		p.Game.Facts.Event = "Old Cup"
	}
	records = again(records...)
	added, err := d.Add(t.Context(), store.Batch{Records: records})
	if err != nil {
		t.Fatal(err)
	}
	ids := numbers(added)
	slices.Sort(ids)
	full := everything(t, d)
	// says checks what both machines find: so many games of the new event, and others of the old.
	says := func(what, event string, of []uint32) {
		t.Helper()
		for _, l := range []*Library{d, other} {
			now, counted := found(t, l, event)
			if !slices.Equal(now, of) || counted != len(of) {
				t.Fatalf("%s: event %q is found in %d games and counted in %d, not in %d", what, event, len(now), counted, len(of))
			}
			old, counted := found(t, l, "Old Cup")
			if len(old) != len(ids)-len(of) || counted != len(old) {
				t.Fatalf("%s: the old event is found in %d games and counted in %d, not in %d", what, len(old), counted, len(ids)-len(of))
			}
			list, err := l.Games(t.Context(), of)
			if err != nil {
				t.Fatal(err)
			}
			i := 0
			for text, err := range l.Texts(t.Context(), of) {
				if err != nil {
					t.Fatal(err)
				}
				g := list[i]
				i++
				said, err := record.DecodeGame(text.Record)
				if err != nil || g.Facts.Event != event || said.Facts.Event != "Old Cup" {
					t.Fatalf("%s: game %d is listed with the event %q, and its record says %q (%v)", what, g.ID, g.Facts.Event, said.Facts.Event, err)
				}
			}
			if got := corrected(t, l); len(got) != len(of) || len(of) > 0 && got[0] != fmt.Sprintf("%d event=%s", of[0], event) {
				t.Fatalf("%s: %d corrections, not %d: %.200q", what, len(got), len(of), got)
			}
		}
	}
	correct := func(list []store.Correction) int {
		t.Helper()
		n, err := d.Correct(t.Context(), list)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	undo := func() {
		t.Helper()
		if _, err := d.Undo(t.Context(), last(t, d).ID); err != nil {
			t.Fatal(err)
		}
	}
	one, many := "A Cup", "Other Cup"
	if n := correct(set(ids[:1], "event", &one)); n != 1 {
		t.Errorf("%d games were corrected, not 1", n)
	}
	says("one", one, ids[:1])
	if c := last(t, d); c.Op != store.OpEdit || c.Count != 1 || c.Text("value") != one {
		t.Errorf("the correction is noted as %+v", c)
	}
	before := last(t, d).ID
	if n := correct(set(ids[:1], "event", &one)); n != 0 || last(t, d).ID != before {
		t.Errorf("corrected to the same, %d games are others, and the journal has %+v", n, last(t, d))
	}
	undo()
	says("one undone", one, nil)
	same(t, "one undone", everything(t, d), full)
	undo()
	says("one done again", one, ids[:1])
	if n := correct(set(ids[:1], "event", nil)); n != 1 {
		t.Errorf("%d games were given back what the record says", n)
	}
	same(t, "as the record says", everything(t, d), full)

	if n := correct(set(ids[:200], "event", &many)); n != 200 {
		t.Errorf("%d games were corrected, not 200", n)
	}
	says("many", many, ids[:200])
	edited := everything(t, d)
	bulk := last(t, d)
	if bulk.Count != 200 {
		t.Errorf("the correction is noted as %+v", bulk)
	}
	same(t, "on another machine", everything(t, other), edited)

	// A record that says more takes the place of one, and keeps what was corrected.
	fuller := again(records[3])[0]
	fuller.Game.Facts.Place = "Somewhere"
	fuller = again(fuller)[0]
	if told, err := other.Add(t.Context(), store.Batch{Records: []*record.Played{fuller}}); err != nil || told[0].Status != store.StatusFuller || told[0].ID != added[3].ID {
		t.Fatalf("a fuller record became %+v (%v)", told, err)
	}
	says("a fuller record", many, ids[:200])

	// Deleted, taken back and shipped, games have their corrections; and again of a game that
	// is in the trash nothing can be corrected.
	edited = everything(t, d)
	if err := d.Delete(t.Context(), ids[190:210]); err != nil {
		t.Fatal(err)
	}
	undo()
	same(t, "taken back", everything(t, d), edited)
	if err := d.Ship(t.Context()); err != nil {
		t.Fatal(err)
	}
	same(t, "shipped", everything(t, d), edited)
	says("shipped", many, ids[:200])

	// What another machine changed since stays, and is told of.
	if _, err := other.Correct(t.Context(), set(ids[:1], "event", &one)); err != nil {
		t.Fatal(err)
	}
	undone, err := d.Undo(t.Context(), bulk.ID)
	if err != nil || len(undone.Left) != 1 {
		t.Fatalf("undone, with %q left (%v)", undone.Left, err)
	}
	says("many undone", one, ids[:1])
	undo()
	if _, err := other.Undo(t.Context(), last(t, other).ID); err != nil {
		t.Fatal(err)
	}
	says("done again", many, ids[:200])

	if _, err := d.Repair(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if _, err := d.far.Sweep(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
	if err := d.Check(t.Context(), true, nil, func(p store.Problem) { t.Errorf("%+v", p) }); err != nil {
		t.Fatal(err)
	}
	says("swept", many, ids[:200])
	if n, err := d.Correct(t.Context(), set([]uint32{1 << 30}, "event", &one)); err == nil {
		t.Errorf("%d games that are not there were corrected", n)
	}
	if _, err := d.Correct(t.Context(), set(ids[:1], "komi", &one)); err == nil {
		t.Error("a komi of words is taken")
	}
	says("refused", many, ids[:200])
}

// TestCorrectInterrupted: a correction that reached the journal of the folder, and not the
// servers, comes to its end when the library is opened again; and one of staged games goes to
// the servers with them.
func TestCorrectInterrupted(t *testing.T) {
	f := clickhouse.Start(t, clickhouse.Options{Shards: 2, Replicas: 1})
	initialise(t, f)
	m, dir := storetest.NewMaker(builtin.Games(), 42), filepath.Join(t.TempDir(), "desk")
	d := open(t, f, dir)
	added, err := d.Add(t.Context(), store.Batch{Records: games(m, direct)})
	if err != nil {
		t.Fatal(err)
	}
	ids := numbers(added)
	full := everything(t, d)
	value := "New Cup"
	list := set(ids[:5], "event", &value)
	before, behind, err := d.correcting(t.Context(), ids[:5])
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.near.CorrectAround(t.Context(), list, before, behind); err != nil {
		t.Fatal(err)
	}
	// Half of it came there: it is made twice, and once.
	if n, err := d.far.Correct(t.Context(), list[:2]); err != nil || n != 2 {
		t.Fatal(n, err)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	d = open(t, f, dir)
	if now, counted := found(t, d, value); !slices.Equal(now, ids[:5]) || counted != 5 {
		t.Errorf("%v have the event, counted %d", now, counted)
	}
	if got := corrected(t, d); len(got) != 5 {
		t.Errorf("corrections %q", got)
	}
	if _, err := d.Undo(t.Context(), last(t, d).ID); err != nil {
		t.Fatal(err)
	}
	same(t, "undone", everything(t, d), full)

	// Staged games, with one on the servers.
	few, err := d.Add(t.Context(), store.Batch{Records: games(m, 3)})
	if err != nil {
		t.Fatal(err)
	}
	both := append(numbers(few), ids[9])
	if n, err := d.Correct(t.Context(), set(both, "event", &value)); err != nil || n != 4 {
		t.Fatalf("%d games were corrected (%v)", n, err)
	}
	edit := last(t, d)
	if edit.Count != 4 {
		t.Errorf("the correction is noted as %+v", edit)
	}
	slices.Sort(both)
	for _, what := range []string{"staged", "shipped"} {
		if now, counted := found(t, d, value); !slices.Equal(now, both) || counted != 4 {
			t.Errorf("%s: %v have the event, not %v; counted %d", what, now, both, counted)
		}
		if got := corrected(t, d); len(got) != 4 {
			t.Errorf("%s: corrections %q", what, got)
		}
		if err := d.Ship(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	var kept []store.Correction
	if err := d.near.Update(t.Context(), func(tx shard.Tx) (err error) {
		tx.Silent()
		kept, err = tx.Corrections(both)
		return err
	}); err != nil || len(kept) > 0 {
		t.Errorf("the folder keeps %v of games on the servers (%v)", kept, err)
	}
	if _, err := d.Undo(t.Context(), edit.ID); err != nil {
		t.Fatal(err)
	}
	if now, _ := found(t, d, value); len(now) > 0 {
		t.Errorf("undone, %v have the event", now)
	}
	f.Node(0, 0).Kill()
	if _, err := d.Correct(t.Context(), set(ids[:5], "event", &value)); err == nil {
		t.Error("headers on servers are corrected while these are away")
	}
	d.Close()
}
