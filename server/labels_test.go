package server

import (
	"testing"

	"qipu/server/guard"
	"qipu/view"
)

func TestTags(t *testing.T) {
	w := newWorld(t)
	if list := fetch[view.NamedList](w, "/tags"); len(list.Items) != 0 {
		t.Errorf("%+v", list)
	}
	othello := fetch[view.Records](w, "/records", "q", "game:othello").Games
	byIDs := view.Selection{IDs: []uint32{2, 1, 2}}
	byQuery := view.Selection{Query: "all", Game: "othello"}
	for _, tt := range []struct {
		what             view.Labelling
		records, changed int
	}{
		{view.Labelling{Selection: byIDs, Add: []string{"study", " later "}}, 2, 2},
		{view.Labelling{Selection: byIDs, Add: []string{"study"}}, 2, 0},
		{view.Labelling{Selection: byQuery, Add: []string{"discs"}}, othello, othello},
		{view.Labelling{Selection: view.Selection{Query: "all"}, Add: []string{"discs"}, Remove: []string{"study"}}, len(w.ids()), len(w.ids()) - othello + overlap(w)},
		{view.Labelling{Selection: view.Selection{Query: "none"}, Add: []string{"nobody"}}, 0, 0},
	} {
		if c := send[view.Changed](w, 200, "POST", "/tags", tt.what); c.Records != tt.records || c.Changed != tt.changed {
			t.Errorf("%+v: %+v, want %d and %d", tt.what, c, tt.records, tt.changed)
		}
	}
	counts := map[string]int{}
	for _, x := range fetch[view.NamedList](w, "/tags").Items {
		counts[x.Name] = x.Games
	}
	if counts["discs"] != len(w.ids()) || counts["study"] != 0 || counts["later"] != 2 {
		t.Errorf("%v", counts)
	}
	if r := fetch[view.FullRecord](w, "/records/1"); len(r.Tags) != 2 || r.Tags[0] != "discs" || r.Tags[1] != "later" {
		t.Errorf("%q", r.Tags)
	}
	send[struct{}](w, 204, "PUT", "/tags/later", view.NewName{Name: "soon"})
	if p := send[guard.Problem](w, 409, "PUT", "/tags/soon", view.NewName{Name: "discs"}); p.Code != "exists" {
		t.Errorf("%+v", p)
	}
	if n := fetch[view.Records](w, "/records", "q", "tag:soon").Games; n != 2 {
		t.Errorf("%d records have the renamed tag", n)
	}
	send[struct{}](w, 204, "DELETE", "/tags/soon", nil)
	for path, body := range map[string]any{"/tags/soon": view.NewName{Name: "x"}} {
		send[guard.Problem](w, 404, "PUT", path, body)
		send[guard.Problem](w, 404, "DELETE", path, nil)
	}
	send[guard.Problem](w, 422, "POST", "/tags", view.Labelling{Selection: byIDs})
	send[guard.Problem](w, 422, "POST", "/tags", view.Labelling{Selection: byIDs, Add: []string{"a\nb"}})
	send[guard.Problem](w, 404, "POST", "/tags", view.Labelling{Selection: byIDs, Remove: []string{"never"}})
}

// overlap counts the records that are of Othello and one of the first two: these
// change for the tag that they lose.
func overlap(w *world) (n int) {
	for _, h := range fetch[view.Records](w, "/records", "q", "game:othello").Records {
		if h.Record.ID <= 2 {
			n++
		}
	}
	return n
}

func TestCollections(t *testing.T) {
	w := newWorld(t)
	made := send[view.Named](w, 200, "POST", "/collections", view.NewName{Name: "名局", Note: "the best"})
	if made.Name != "名局" || made.Note != "the best" || made.Games != 0 || made.Created.IsZero() {
		t.Errorf("%+v", made)
	}
	send[guard.Problem](w, 409, "POST", "/collections", view.NewName{Name: "名局"})
	send[guard.Problem](w, 422, "POST", "/collections", view.NewName{Name: "  "})
	what := view.Labelling{Selection: view.Selection{Query: "game:renju"}, Add: []string{"名局"}, Remove: []string{"demo"}}
	c := send[view.Changed](w, 200, "POST", "/collections/records", what)
	if c.Records == 0 || c.Changed != c.Records {
		t.Errorf("%+v", c)
	}
	if again := send[view.Changed](w, 200, "POST", "/collections/records", what); again.Changed != 0 || again.Records != c.Records {
		t.Errorf("%+v", again)
	}
	if n := fetch[view.Records](w, "/records", "q", `collection:"名局"`).Games; n != c.Records {
		t.Errorf("%d records in the collection, want %d", n, c.Records)
	}
	send[guard.Problem](w, 404, "POST", "/collections/records", view.Labelling{Selection: view.Selection{Query: "all"}, Add: []string{"never"}})
	send[struct{}](w, 204, "PUT", "/collections/%E5%90%8D%E5%B1%80", view.NewName{Name: "best", Note: "other"})
	list := fetch[view.NamedList](w, "/collections").Items
	if len(list) != 2 || list[0].Name != "best" || list[0].Note != "other" || list[0].Games != c.Records || list[1].Games != len(w.ids())-c.Records {
		t.Errorf("%+v", list)
	}
	send[struct{}](w, 204, "DELETE", "/collections/best", nil)
	send[guard.Problem](w, 404, "DELETE", "/collections/best", nil)
	if n := fetch[view.Records](w, "/records", "q", "game:renju").Games; n != c.Records {
		t.Errorf("%d records are left of %d of a collection that is gone", n, c.Records)
	}
}
