package server

import (
	"testing"

	"qipu/library/ask"
	"qipu/retrieve"
	"qipu/view"
)

// TestOccurrences: the places in each record are those that a search of the
// whole library lists for it.
func TestOccurrences(t *testing.T) {
	w := newWorld(t)
	const text = `board:"XO"`
	reply, err := w.lib.Ask(w.ctx, &ask.Question{Text: text, Game: "othello", Request: retrieve.Request{All: true, Limit: -1}})
	if err != nil || len(reply.Rows) < 3 {
		t.Fatalf("%d rows, %v", len(reply.Rows), err)
	}
	for i := range reply.Rows {
		row := &reply.Rows[i]
		got := fetch[view.Occurrences](w, "/records/"+itoa(int64(row.Game))+"/hits", "q", text)
		if len(got.Hits) != len(row.All) {
			t.Fatalf("record %d: %d places, want %d", row.Game, len(got.Hits), len(row.All))
		}
		for j, o := range row.All {
			h := got.Hits[j]
			if h.Ply != o.Ply || h.Region == nil || h.Region.Column != o.X || h.Region.Row != o.Y || h.Swapped != o.Symmetry.Swap {
				t.Errorf("record %d, place %d: %+v, want %+v", row.Game, j, h, o)
			}
		}
	}
	for query, want := range map[string]int{`board:"XXXX/OOOO/XXXX/OOOO"`: 0, "player:Nobody": 0} {
		if got := fetch[view.Occurrences](w, "/records/"+itoa(int64(reply.Rows[0].Game))+"/hits", "q", query); len(got.Hits) != want {
			t.Errorf("%s: %d places", query, len(got.Hits))
		}
	}
}
