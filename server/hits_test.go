package server

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	"qipu/builtin"
	"qipu/game"
	"qipu/internal/testkit"
	"qipu/library"
	"qipu/pattern"
	"qipu/query"
	"qipu/record"
	"qipu/retrieve"
	"qipu/server/api"
	"qipu/view"
	"qipu/view/answerview"
)

// ids returns the numbers of all games of the library.
func (w *world) ids() []uint32 {
	w.t.Helper()
	a, err := w.lib.Ask(w.ctx, (&api.Asking{}).Question())
	if err != nil {
		w.t.Fatal(err)
	}
	return a.Found.ToArray()
}

// TestBoards: the boards of hits are those of the rules, at every ply of every
// game.
func TestBoards(t *testing.T) {
	w := newWorld(t)
	for _, id := range w.ids() {
		g, _, err := w.lib.Record(w.ctx, id)
		if err != nil {
			t.Fatal(err)
		}
		played := record.NewReferee(builtin.Games()).Play(g)
		for ply := 0; ply <= len(played.Steps); ply++ {
			hits, err := w.Rows.Rows(w.ctx, []retrieve.Row{{Game: id, Ply: int32(ply)}}, answerview.RowOptions{Boards: true, Rows: answerview.Rows{Timed: true}})
			if err != nil || len(hits) != 1 {
				t.Fatalf("game %d: %d hits, %v", id, len(hits), err)
			}
			h := &hits[0]
			pos, err := record.At(played, ply)
			if err != nil {
				t.Fatal(err)
			}
			if want := view.Pieces(pos.(game.Planar).Planes()); !slices.Equal(h.Pieces, want) || h.Ply != ply {
				t.Errorf("game %d, ply %d: %v, want %v", id, ply, h.Pieces, want)
			}
			last, next := -1, ""
			if ply > 0 {
				last = view.IndexIn(played.Start.Board.Size, played.Steps[ply-1].Move.To())
			}
			if ply < len(played.Steps) && played.Steps[ply].Move != game.NoMove {
				next = game.FormatMove(played.Rules, pos, played.Steps[ply].Move, game.AnyNotation)
			}
			if h.Last != last || h.Next != next {
				t.Errorf("game %d, ply %d: last %d, next %q; want %d, %q", id, ply, h.Last, h.Next, last, next)
			}
		}
		end, err := w.Rows.Rows(w.ctx, []retrieve.Row{{Game: id, Ply: -1}}, answerview.RowOptions{Boards: true})
		if err != nil {
			t.Fatal(err)
		}
		pos, err := record.At(played, len(played.Steps))
		if want := view.Pieces(pos.(game.Planar).Planes()); err != nil || end[0].Ply != -1 || !slices.Equal(end[0].Pieces, want) || end[0].Next != "" {
			t.Errorf("game %d: the end is %v, want %v (%v)", id, end[0].Pieces, want, err)
		}
	}
}

// TestVariationBoards: a position that only a line beside the main one has is
// shown as it is there.
func TestVariationBoards(t *testing.T) {
	w := newWorld(t)
	shown := 0
	for _, id := range w.ids() {
		g, _, err := w.lib.Record(w.ctx, id)
		if err != nil {
			t.Fatal(err)
		}
		played := record.NewReferee(builtin.Games()).Play(g)
		k := w.lib.Records().Kinds().Of(played.Rules)
		for line := range record.Lines(played.Rules, g) {
			b := answerview.BoardAfter(played.Start.Board, line.Changes, len(line.Steps))
			shape := &query.Shape{Pattern: pattern.FromBoard(b), Geometry: k.Rules.Geometry()}
			a, err := w.lib.Search().Find(w.ctx, &retrieve.Request{Kind: k, Query: shape, Variations: true})
			if err != nil {
				t.Fatal(err)
			}
			at := slices.IndexFunc(a.Rows, func(r retrieve.Row) bool { return r.Game == id })
			if at < 0 {
				t.Fatalf("game %d: a variation is not found", id)
			}
			hits, err := w.Rows.Rows(w.ctx, a.Rows[at:at+1], answerview.RowOptionsOf(shape, true, ""))
			if err != nil {
				t.Fatal(err)
			}
			if want := view.Pieces(b); !slices.Equal(hits[0].Pieces, want) || hits[0].Region == nil {
				t.Errorf("game %d, ply %d: %v, want %v", id, hits[0].Ply, hits[0].Pieces, want)
			}
			if hits[0].Variation {
				shown++
			}
		}
	}
	if shown < 5 {
		t.Errorf("only %d boards of variations", shown)
	}
}

// TestHitsOfDeleted: a game that was deleted since the search is left out.
func TestHitsOfDeleted(t *testing.T) {
	w := newWorld(t)
	ids := w.ids()[:3]
	if err := w.lib.Records().Delete(w.ctx, ids[1]); err != nil {
		t.Fatal(err)
	}
	rows := []retrieve.Row{{Game: ids[0]}, {Game: ids[1]}, {Game: ids[2]}}
	hits, err := w.Rows.Rows(w.ctx, rows, answerview.RowOptions{Boards: true})
	if err != nil || len(hits) != 2 || hits[0].Record.ID != ids[0] || hits[1].Record.ID != ids[2] || len(hits[1].Pieces) == 0 {
		t.Errorf("%v, %v", hits, err)
	}
}

// TestSummary: what lists show is what the catalogue has.
func TestSummary(t *testing.T) {
	w := newWorld(t)
	games, err := w.lib.Records().Games(w.ctx, w.ids())
	if err != nil {
		t.Fatal(err)
	}
	winners := map[int]int{}
	for i := range games {
		g := &games[i]
		s := answerview.SummaryOf(w.lib.Records().Kinds(), g)
		if s.ID != g.ID || s.Players[0].Name != g.Facts.Players[0].Name || s.Players[1].Rank != g.Facts.Players[1].Rank.String() || s.Plies != g.Plies {
			t.Errorf("%+v of %+v", s, g)
		}
		if k, err := w.lib.Records().Kind(s.Game); err != nil || k.Name != g.Kind {
			t.Errorf("game %d is of %s, want %s", g.ID, s.Game, g.Kind)
		}
		if (s.Winner < 0) != (s.Result == "" || s.Result == "Void") {
			t.Errorf("game %d: winner %d, result %q", g.ID, s.Winner, s.Result)
		}
		winners[s.Winner]++
	}
	if winners[0] == 0 || winners[1] == 0 || winners[2] == 0 {
		t.Errorf("winners: %v", winners)
	}
}

// BenchmarkAnswers asks what pages ask, of real games.
func BenchmarkAnswers(b *testing.B) {
	archive := testkit.Data(b, "go/go-pro-6300.tar.gz")
	w := newWorld(b)
	if _, err := w.lib.Import(w.ctx, library.ImportOptions{}, archive); err != nil {
		b.Fatal(err)
	}
	for name, address := range map[string]string{
		"position":       target("/position", "game", "weiqi", "line", "Q16 D4 R4"),
		"explore":        target("/explore", "game", "weiqi"),
		"explore-boards": target("/explore", "game", "weiqi", "line", "Q16 D4", "boards", "true"),
		"find-boards":    target("/find", "game", "weiqi", "q", `board:"+----/|..../|..../|..O./|...X"`, "boards", "true"),
		"understand":     target("/query", "game", "weiqi", "q", `player:"Cho Chikun" board:"XO/OX" since 1980`),
		"complete":       target("/query/complete", "q", "player:Ch", "at", "9"),
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				r := httptest.NewRecorder()
				w.handler.ServeHTTP(r, unkept(address))
				if r.Code != http.StatusOK {
					b.Fatal(r.Body)
				}
			}
		})
	}
}
