package server

import (
	"fmt"
	"net/url"
	"slices"
	"testing"

	"qipu/library/ask"
	"qipu/retrieve"
	"qipu/server/guard"
	"qipu/view"
)

func TestPlayers(t *testing.T) {
	w := newWorld(t)
	all := fetch[view.Players](w, "/players", "limit", "500")
	if all.Total != len(all.Players) || all.Total < 10 || all.Next != "" {
		t.Fatalf("%d players of %d", len(all.Players), all.Total)
	}
	r, err := w.lib.Ask(w.ctx, &ask.Question{Text: "all", Request: retrieve.Request{By: retrieve.ByPlayer, Limit: 1}})
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range r.Groups {
		i := slices.IndexFunc(all.Players, func(p view.PlayerRow) bool { return p.Name == g.Key })
		if g.Key == "" {
			continue
		}
		if i < 0 || all.Players[i].Games != g.Count || all.Players[i].Score.First != g.First || all.Players[i].Score.Second != g.Second {
			t.Errorf("%q has %d games, %d won", g.Key, g.Count, g.First)
		}
	}
	for i := range all.Players[1:] {
		if all.Players[i].Games < all.Players[i+1].Games {
			t.Errorf("%q comes before %q", all.Players[i].Name, all.Players[i+1].Name)
		}
	}
	var paged []string
	for cursor := ""; ; {
		page := fetch[view.Players](w, "/players", "limit", "3", "cursor", cursor, "sort", "name")
		for _, p := range page.Players {
			paged = append(paged, p.Name)
		}
		if cursor = page.Next; cursor == "" {
			break
		}
	}
	if len(paged) != all.Total {
		t.Errorf("pages have %d players, want %d", len(paged), all.Total)
	}
	if some := fetch[view.Players](w, "/players", "q", "alpha"); some.Total == 0 || some.Total >= all.Total {
		t.Errorf("%+v", some)
	}
	if none := fetch[view.Players](w, "/players", "q", "zzzzqqq"); none.Total != 0 {
		t.Errorf("%+v", none)
	}
	if go9 := fetch[view.Players](w, "/players", "game", "go:9x9"); go9.Total == 0 || go9.Total >= all.Total {
		t.Errorf("%d players of Go on 9x9", go9.Total)
	}
	refused(w, "/players", "cursor", "x")
	refused(w, "/players", "game", "shoe")
}

func TestPlayer(t *testing.T) {
	w := newWorld(t)
	for _, row := range fetch[view.Players](w, "/players", "limit", "500").Players {
		p := fetch[view.PlayerDetail](w, "/players/"+url.PathEscape(row.Name))
		if p.Name != row.Name || p.Score.Games != row.Games {
			t.Errorf("%q: %d games, want %d", p.Name, p.Score.Games, row.Games)
		}
		games, rivals, names := 0, 0, 0
		for _, g := range p.Games {
			games += g.Records
		}
		for _, g := range p.Rivals {
			rivals += g.Score.Games
			// What one has won the other has lost.
			other := fetch[view.PlayerDetail](w, "/players/"+url.PathEscape(g.Key))
			i := slices.IndexFunc(other.Rivals, func(x view.Group) bool { return x.Key == p.Name })
			if i < 0 || other.Rivals[i].Score.First != g.Score.Second || other.Rivals[i].Score.Second != g.Score.First {
				t.Errorf("%q against %q: %+v, and the other way %+v", p.Name, g.Key, g.Score, other.Rivals)
			}
		}
		for _, n := range p.Names {
			names += n.Games
		}
		if games != row.Games || rivals > row.Games || names != row.Games {
			t.Errorf("%q: %d games by kind, %d by opponent, %d by name, want %d", p.Name, games, rivals, names, row.Games)
		}
		if n := fetch[view.Records](w, "/records", "q", p.Query).Games; n != row.Games {
			t.Errorf("%s finds %d games, want %d", p.Query, n, row.Games)
		}
	}
	if p := missing(w, "/players/Nobody%20Atall"); p.Code != "no-player" {
		t.Errorf("%+v", p)
	}
	if p := refused(w, "/players/demo"); p.Code != "several-players" {
		t.Errorf("%+v", p)
	}
}

func TestPlayerEdits(t *testing.T) {
	w := newWorld(t)
	rows := fetch[view.Players](w, "/players").Players
	a, b := rows[0], rows[1]
	merge := view.PlayerEdit{Op: "merge", Names: []string{a.Name, b.Name}, Into: b.Name, DryRun: true}
	try := send[view.PlayerEdited](w, 200, "POST", "/players/edits", merge)
	if try.ID != 0 || try.After != b.Name || len(try.Before) != 2 {
		t.Errorf("%+v", try)
	}
	if list := fetch[view.PlayerEdits](w, "/players/edits"); len(list.Edits) != 0 {
		t.Errorf("a dry run leaves %+v", list)
	}
	merge.DryRun = false
	done := send[view.PlayerEdited](w, 200, "POST", "/players/edits", merge)
	if p := fetch[view.PlayerDetail](w, "/players/"+url.PathEscape(a.Name)); p.Name != b.Name || len(p.Names) < 2 {
		t.Errorf("%+v", p)
	}
	send[guard.Problem](w, 409, "POST", "/players/edits", merge)
	rename := send[view.PlayerEdited](w, 200, "POST", "/players/edits", view.PlayerEdit{Op: "rename", Names: []string{b.Name}, Into: "棋聖"})
	if rename.After != "棋聖" {
		t.Errorf("%+v", rename)
	}
	send[view.PlayerEdited](w, 200, "POST", "/players/edits", view.PlayerEdit{Op: "split", Names: []string{a.Name}})
	list := fetch[view.PlayerEdits](w, "/players/edits").Edits
	if len(list) != 3 || list[0].Op != "split" || list[2].ID != done.ID {
		t.Errorf("%+v", list)
	}
	send[struct{}](w, 204, "DELETE", "/players/edits/"+fmt.Sprint(rename.ID), nil)
	send[guard.Problem](w, 409, "DELETE", "/players/edits/"+fmt.Sprint(rename.ID), nil)
	send[guard.Problem](w, 404, "DELETE", "/players/edits/777", nil)
	if p := send[guard.Problem](w, 404, "POST", "/players/edits", view.PlayerEdit{Op: "rename", Names: []string{"Nobody Atall"}, Into: "x"}); p.Code != "no-player" {
		t.Errorf("%+v", p)
	}
	send[guard.Problem](w, 422, "POST", "/players/edits", view.PlayerEdit{Op: "merge", Names: []string{a.Name}})
	send[guard.Problem](w, 422, "POST", "/players/edits", view.PlayerEdit{Op: "eat", Names: []string{a.Name}, Into: "x"})
}

// TestEventEdits: events are merged and told apart again as players are.
func TestEventEdits(t *testing.T) {
	w := newWorld(t)
	all := fetch[view.Events](w, "/events", "sort", "games")
	if all.Total < 3 || len(all.Events) != all.Total {
		t.Fatalf("%+v", all)
	}
	a, b := all.Events[0], all.Events[1]
	if a.Games < b.Games || a.Query == "" {
		t.Errorf("%+v before %+v", a, b)
	}
	if one := fetch[view.Events](w, "/events", "q", a.Name); one.Total == 0 || one.Events[0].Name != a.Name {
		t.Errorf("%+v", one)
	}
	refused(w, "/events", "cursor", "x")
	done := send[view.PlayerEdited](w, 200, "POST", "/events/edits", view.PlayerEdit{Op: "merge", Names: []string{a.Name, b.Name}, Into: "棋聖戰"})
	if one := fetch[view.Events](w, "/events"); one.Total != all.Total-1 || one.Events[0].Name != "棋聖戰" || one.Events[0].Games != a.Games+b.Games {
		t.Errorf("merged: %+v", one.Events[0])
	}
	if n := fetch[view.Records](w, "/records", "q", `event="棋聖戰"`).Games; n != a.Games+b.Games {
		t.Errorf("%d games are found of %d", n, a.Games+b.Games)
	}
	if list := fetch[view.PlayerEdits](w, "/players/edits"); len(list.Edits) != 0 {
		t.Errorf("of players there is %+v", list)
	}
	send[guard.Problem](w, 404, "DELETE", "/players/edits/"+fmt.Sprint(done.ID), nil)
	send[struct{}](w, 204, "DELETE", "/events/edits/"+fmt.Sprint(done.ID), nil)
	if again := fetch[view.Events](w, "/events", "sort", "games"); again.Total != all.Total || again.Events[0].Name != a.Name {
		t.Errorf("undone: %+v", again)
	}
	if p := send[guard.Problem](w, 404, "POST", "/events/edits", view.PlayerEdit{Op: "rename", Names: []string{"No such event"}, Into: "x"}); p.Code != "no-event" {
		t.Errorf("%+v", p)
	}
	if p := send[guard.Problem](w, 409, "POST", "/events/edits", view.PlayerEdit{Op: "rename", Names: []string{a.Name}, Into: b.Name}); p.Code != "other-event" {
		t.Errorf("%+v", p)
	}
}
