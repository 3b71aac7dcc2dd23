package server

import (
	"fmt"
	"slices"
	"testing"

	"qipu/server/guard"
	"qipu/view"
)

// TestJournal corrects headers, deletes records and takes both back.
func TestJournal(t *testing.T) {
	w := newWorld(t)
	edited := send[view.RecordEdited](w, 200, "POST", "/records/edit", view.RecordEdit{Selection: view.Selection{Query: "game:go"}, Set: map[string]string{"event": "Spring Cup"}})
	if edited.Changed == 0 || edited.Change == 0 {
		t.Fatalf("%+v", edited)
	}
	found := func(query string) int { return fetch[view.Records](w, "/records", "q", query).Games }
	if n := found("event:spring"); n != edited.Changed {
		t.Errorf("%d records are found by their new event, and %d have it", n, edited.Changed)
	}
	one := uint32(fetch[view.Records](w, "/records", "q", "event:spring").Records[0].Record.ID)
	headers := fetch[view.RecordHeaders](w, fmt.Sprintf("/records/%d/headers", one)).Headers
	i := slices.IndexFunc(headers, func(h view.RecordHeader) bool { return h.Name == "event" })
	if h := headers[i]; h.Value != "Spring Cup" || !h.Edited || h.Original == h.Value || headers[0].Name != "first" || headers[0].Edited {
		t.Errorf("%+v, %+v", h, headers[0])
	}
	undone := send[view.Change](w, 200, "POST", fmt.Sprintf("/journal/%d/undo", edited.Change), nil)
	if undone.Undoes != edited.Change || found("event:spring") != 0 {
		t.Errorf("%+v, and %d have the event still", undone, found("event:spring"))
	}
	if p := send[guard.Problem](w, 409, "POST", fmt.Sprintf("/journal/%d/undo", edited.Change), nil); p.Code != "undone" {
		t.Errorf("undone twice: %+v", p)
	}
	send[guard.Problem](w, 422, "POST", "/records/edit", view.RecordEdit{Selection: view.Selection{Query: "all"}, Set: map[string]string{"date": "some day"}})
	send[guard.Problem](w, 404, "POST", "/journal/4000/undo", nil)

	all := found("game:othello")
	gone := send[view.Changed](w, 200, "POST", "/records/delete", view.Removal{Selection: view.Selection{Query: "game:othello"}, Expect: all})
	trash := fetch[view.Trash](w, "/trash")
	if len(trash.Records) != all || gone.Change == 0 {
		t.Fatalf("%d records in the trash, of %d (change %d)", len(trash.Records), all, gone.Change)
	}
	send[view.Change](w, 200, "POST", "/trash/restore", view.Restoring{IDs: []uint32{trash.Records[0].ID}})
	if n := found("game:othello"); n != 1 {
		t.Errorf("%d came back", n)
	}
	send[view.Change](w, 200, "POST", fmt.Sprintf("/journal/%d/undo", gone.Change), nil)
	if n := found("game:othello"); n != all {
		t.Errorf("%d of %d came back", n, all)
	}
	if list := fetch[view.Changes](w, "/journal", "limit", "3"); len(list.Changes) != 3 || list.Changes[0].Op != "undo" || list.Next == 0 {
		t.Errorf("%+v", list)
	}
	if c := fetch[view.Change](w, fmt.Sprintf("/journal/%d", gone.Change)); c.UndoneBy == 0 || c.What == "" {
		t.Errorf("%+v", c)
	}
}
