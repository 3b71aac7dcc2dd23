package server

import (
	"testing"

	"qipu/game"
	"qipu/query"
	"qipu/retrieve"
	"qipu/view"
)

// TestExplore compares answers with those of the library, and asks the query
// that they name for the same games.
func TestExplore(t *testing.T) {
	w := newWorld(t)
	for _, c := range []struct {
		game, line, within string
		params             []string
	}{
		{game: "othello"}, {game: "othello", line: "f5"}, {game: "othello", line: "f5d6", within: "result:black or result:white"},
		{game: "othello", line: "d3", params: []string{"exact", "true"}},
		{game: "xiangqi"}, {game: "xiangqi", line: "h2e2", params: []string{"anyTurn", "true"}},
		{game: "weiqi"}, {game: "weiqi:9x9", line: "E5"}, {game: "weiqi", params: []string{"variations", "true"}},
		{game: "renju", line: "h8"}, {game: "renju", line: "a1 a2 a3"},
		{game: "xiangqi", line: "4k4/9/9/9/9/9/9/9/R8/3K5 w", params: []string{"swap", "true"}},
	} {
		k, err := w.Kinds.Find(c.game)
		if err != nil {
			t.Fatal(err)
		}
		pos, _, err := game.ParseLine(k.Rules, c.line)
		if err != nil {
			t.Fatal(err)
		}
		on := map[string]bool{}
		for i := 0; i < len(c.params); i += 2 {
			on[c.params[i]] = true
		}
		r := &retrieve.ExploreRequest{Kind: k.Index, Position: pos, Mirror: !on["exact"], Swap: on["swap"], AnyTurn: on["anyTurn"], Variations: on["variations"]}
		if c.within != "" {
			if r.Within, err = query.Parse(c.within); err != nil {
				t.Fatal(err)
			}
		}
		want, err := w.lib.Search().Explore(w.ctx, r)
		if err != nil {
			t.Fatal(err)
		}
		got := fetch[view.Explored](w, "/explore", append([]string{"game", c.game, "line", c.line, "within", c.within, "boards", "true", "openings", "true"}, c.params...)...)
		if got.Games != want.Games || got.Hits != want.Hits || len(got.Moves) != len(want.Continuations) || len(got.Rows) != len(want.Rows) || got.Score.First != want.Colours.First {
			t.Errorf("%+v: %d games, %d hits, %d moves, %d rows; want %d, %d, %d, %d", c, got.Games, got.Hits, len(got.Moves), len(got.Rows),
				want.Games, want.Hits, len(want.Continuations), len(want.Rows))
		}
		for i := range got.Moves {
			m, x := &got.Moves[i], &want.Continuations[i]
			text := "pass"
			if x.Move != game.Pass {
				text = game.FormatMove(k.Rules, pos, x.Move, game.AnyNotation)
			}
			if m.Move.To != k.PointIndex(x.Move.To()) || m.Reached != x.Reached || m.Count != x.Count || m.Score.Games != x.Games || x.Side == pos.Turn() && m.Move.Text != text {
				t.Errorf("%+v: %+v, want %s %+v", c, m, text, x)
			}
		}
		for i := range got.Rows {
			if h := &got.Rows[i]; h.Record.ID != want.Rows[i].Game || h.Ply != int(want.Rows[i].Ply) || len(h.Pieces) == 0 {
				t.Errorf("%+v: %+v, want %+v", c, h, want.Rows[i])
			}
		}
		if len(got.Position.Legal) != 0 {
			t.Errorf("%+v: moves that nobody asked for", c)
		}
		variations := "false"
		if on["variations"] {
			variations = "true"
		}
		same := fetch[view.Answer](w, "/find", "q", got.Query, "variations", variations)
		if same.Games != got.Games || same.Hits != got.Hits || same.Of != got.Of {
			t.Errorf("%+v: %s finds %d games, %d hits of %d; want %d, %d of %d", c, got.Query, same.Games, same.Hits, same.Of, got.Games, got.Hits, got.Of)
		}
	}
	if x := fetch[view.Explored](w, "/explore", "game", "othello", "play", "f5", "legal", "true"); len(x.Position.Legal) != 3 || x.Position.Line != "f5" {
		t.Errorf("%d moves behind %q", len(x.Position.Legal), x.Position.Line)
	}
	if x := fetch[view.Explored](w, "/explore", "game", "xiangqi", "openings", "true"); len(x.Openings) == 0 || x.Openings[0].Games == 0 || x.Openings[0].Name+x.Openings[0].Code == "" {
		t.Errorf("openings: %+v", x.Openings)
	}
	for _, bad := range [][2]string{{"within", "moves>"}, {"within", "collection:none"}, {"sort", "beauty"}, {"line", "a1"}} {
		if p := refusedWith(w, "/explore", "game", "othello", bad[0], bad[1]); p == "" {
			t.Errorf("%q is no problem", bad)
		}
	}
}

// refusedWith returns the detail of a problem of any kind that is the client's.
func refusedWith(w *world, path string, params ...string) string {
	w.t.Helper()
	r := w.request(path, params...)
	if r.Code < 400 || r.Code >= 500 {
		w.t.Errorf("%s %q: %d %s", path, params, r.Code, r.Body)
	}
	return r.Body.String()
}
