package server

import (
	"testing"

	"qipu/view"
)

// TestEndgame: what tables know of a position is told, and that they know nothing.
func TestEndgame(t *testing.T) {
	w := newWorld(t)
	k := fetch[view.Known](w, "/endgame", "game", "chess", "line", "8/8/8/8/1k6/8/8/K2Q4 w")
	if k.Ending != "KQ-K" || k.Result != "won" || k.Plies != 9 || len(k.Line) != 9 || k.Moves[0].Move.Text != "Qd5" || k.Moves[0].Move.To != 27 || k.Moves[len(k.Moves)-1].Result != "drawn" {
		t.Errorf("%+v", k)
	}
	if k := fetch[view.Known](w, "/endgame", "game", "xiangqi", "line", "3k5/9/9/9/9/9/9/4K4/9/R8 w"); k.Result != "won" || k.Ending != "KR-K" {
		t.Errorf("%+v", k)
	}
	for _, game := range []string{"chess", "go", "othello"} {
		if k := fetch[view.Known](w, "/endgame", "game", game); k.Result != "" || k.Moves == nil || k.Line == nil {
			t.Errorf("%s: %+v", game, k)
		}
	}
	// The mate itself is lost for who is to move.
	if k := fetch[view.Known](w, "/endgame", "game", "chess", "line", "8/8/8/8/8/8/kQK5/8 b"); k.Result != "lost" || k.Plies != 0 || len(k.Moves) != 0 {
		t.Errorf("%+v", k)
	}
	d := fetch[view.NameDetail](w, "/names/KR-KAAEE", "game", "xiangqi")
	if d.Ending == nil || d.Ending.First.Longest != 63 || d.Name.Kind != "ending" || d.Name.Board == nil || d.Name.Names.Hant != "單車對士象全" || d.Name.Layer != "shipped" {
		t.Errorf("%+v", d)
	}
}
