package server

import (
	"reflect"
	"testing"

	"qipu/server/guard"
	"qipu/view"
)

func TestQueries(t *testing.T) {
	w := newWorld(t)
	if list := fetch[view.SavedList](w, "/queries"); len(list.Queries) != 0 {
		t.Errorf("%+v", list)
	}
	const board = `game:othello position:f5d6`
	saved := send[view.Saved](w, 200, "PUT", "/queries/diagonal", view.SaveQuery{Query: board, Note: "the first"})
	if saved.Name != "diagonal" || saved.Note != "the first" || saved.Game != "othello" || saved.Games == 0 || saved.Hits == 0 || saved.Board == nil || saved.Board.Columns != 8 {
		t.Errorf("%+v", saved)
	}
	all := send[view.Saved](w, 200, "PUT", "/queries/long", view.SaveQuery{Query: "moves>40", Game: "xiangqi"})
	if want := fetch[view.Records](w, "/records", "q", "moves>40", "game", "xiangqi").Games; all.Games != want || all.Board != nil {
		t.Errorf("%+v, want %d games", all, want)
	}
	if n := fetch[view.Records](w, "/records", "q", "named:long").Games; n != all.Games {
		t.Errorf("the saved query finds %d games, want %d", n, all.Games)
	}
	// Notes: a board is noted, what is no board or finds nothing is not.
	for _, text := range []string{`position:f5f6`, `moves>40`, `board:"XOXOXOXO/OXOXOXOX"{corner}`} {
		send[struct{}](w, 204, "POST", "/queries/note", view.SaveQuery{Query: text, Game: "othello"})
	}
	list := fetch[view.SavedList](w, "/queries").Queries
	if len(list) != 3 || list[0].Name != "diagonal" || list[1].Name != "long" || list[2].Name != "" || list[2].Described == "" || list[2].Board == nil {
		t.Fatalf("%+v", list)
	}
	var paged []view.Saved
	for cursor := ""; ; {
		page := fetch[view.SavedList](w, "/queries", "limit", "2", "cursor", cursor)
		paged = append(paged, page.Queries...)
		if cursor = page.Next; cursor == "" {
			break
		}
	}
	if !reflect.DeepEqual(paged, list) {
		t.Errorf("page by page: %+v", paged)
	}
	refused(w, "/queries", "cursor", "-1")
	if got := fetch[view.Saved](w, "/queries/Diagonal"); !reflect.DeepEqual(got, &list[0]) {
		t.Errorf("one of them: %+v", got)
	}
	missing(w, "/queries/nothing")
	if p := send[guard.Problem](w, 409, "PUT", "/queries/long", view.SaveQuery{Query: "moves>50"}); p.Code != "exists" {
		t.Errorf("%+v", p)
	}
	send[view.Saved](w, 200, "PUT", "/queries/long", view.SaveQuery{Query: "moves>50", Replace: true})
	if p := send[guard.Problem](w, 422, "PUT", "/queries/long", view.SaveQuery{Query: "named:long", Replace: true}); p.Code != "cycle" {
		t.Errorf("%+v", p)
	}
	send[guard.Problem](w, 422, "PUT", "/queries/bad", view.SaveQuery{Query: "player:"})
	send[guard.Problem](w, 422, "PUT", "/queries/bad", view.SaveQuery{Query: "all", Game: "shoe"})
	send[struct{}](w, 204, "POST", "/queries/long/rename", view.NewName{Name: "longer"})
	send[guard.Problem](w, 409, "POST", "/queries/longer/rename", view.NewName{Name: "diagonal"})
	send[guard.Problem](w, 404, "POST", "/queries/long/rename", view.NewName{Name: "x"})
	send[struct{}](w, 204, "DELETE", "/queries/longer", nil)
	send[guard.Problem](w, 404, "DELETE", "/queries/longer", nil)
}
