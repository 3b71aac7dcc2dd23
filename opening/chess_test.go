package opening

import (
	"slices"
	"testing"

	"qipu/game"
	"qipu/game/chess"
	"qipu/internal/testkit"
	"qipu/record"
	"qipu/record/pgn"
)

// line reads moves from the start of chess.
func line(t *testing.T, text string) []game.Move {
	t.Helper()
	moves, err := game.ParseMoves(chess.Standard, chess.Standard.Start(), text)
	if err != nil {
		t.Fatal(err)
	}
	return moves
}

// TestChess: names and codes are those of positions, whatever moves led there; a name
// of several positions is one opening.
func TestChess(t *testing.T) {
	n := newNames(chess.Standard)
	if err := n.load(); err != nil {
		t.Fatal(err)
	}
	if list := n.List(); len(list) < 3170 || len(n.Codes()) != 500 {
		t.Fatalf("%d openings, %d codes", len(list), len(n.Codes()))
	}
	for _, c := range []struct{ moves, id, code string }{
		{"e4", "kings-pawn-game", "B00"},
		{"e4 c5", "sicilian-defense", "B20"},
		{"e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6", "sicilian-defense-najdorf-variation", "B90"},
		{"e4 c5 Nc3 d6 Nf3 Nf6 d4 cxd4 Nxd4 a6 h3 h6", "sicilian-defense-najdorf-variation-adams-attack", "B90"},
		{"d4 e6 e4", "french-defense-normal-variation", "C00"}, // a transposition
		{"c4 Nf6 d4 g6 Nc3 d5", "grunfeld-defense", "D80"},     // and another
		{"e3 e5 e4", "vant-kruijs-opening", "A00"},             // a tempo down is another opening
	} {
		moves := line(t, c.moves)
		o, ok := n.Deepest(nil, moves)
		code, _ := n.Coded(moves)
		t.Logf("%s: %s %s", c.moves, o.ID, code)
		if c.id != "" && (!ok || o.ID != c.id || code != c.code) {
			t.Errorf("%s: %s %s, want %s %s", c.moves, o.ID, code, c.id, c.code)
		}
	}
	o, ok := n.Find("西西里防禦")
	if !ok || o.ID != "sicilian-defense" || o.Code != "B20" {
		t.Errorf("西西里防禦: %+v", o)
	}
	if o, ok = n.Find("Catalan Opening: Closed"); !ok || len(o.Lines()) < 5 || len(n.Patterns(o)) != len(o.Lines()) {
		t.Errorf("a name of several positions: %d", len(o.Lines()))
	}
}

// TestCodesOfRealGames holds the codes of positions against those that the headers of
// games say. Nothing was learnt from these games.
func TestCodesOfRealGames(t *testing.T) {
	if !testkit.Shared() {
		testkit.Data(t, "chess/chess-games.tar.gz")
	}
	n := Of(chess.Standard)
	games, full, group := 0, 0, 0
	wrong := map[string]int{}
	played(t, "chess/chess-games.tar.gz", ".pgn", pgn.With(record.KindOf(chess.Standard)), chess.Standard, testkit.Scale(100, 1), func(_ string, g *record.Played) {
		want := g.Game.Facts.Code
		if len(want) > 3 {
			want = want[:3]
		}
		if len(want) != 3 || g.Game.Start != "" || len(g.Steps) < 10 {
			return
		}
		var moves []game.Move
		for _, s := range g.Steps {
			moves = append(moves, s.Move)
		}
		got, _ := n.Coded(moves)
		games++
		if got == want {
			full++
		} else if len(got) == 3 {
			wrong[want+" "+got]++
		}
		if len(got) == 3 && got[:2] == want[:2] {
			group++
		}
	})
	if games < 100 {
		t.Fatalf("%d games have a code", games)
	}
	t.Logf("%d games: %.1f %% have the code of the header, %.1f %% its group", games, 100*float64(full)/float64(games), 100*float64(group)/float64(games))
	var list []string
	for w := range wrong {
		list = append(list, w)
	}
	slices.SortFunc(list, func(a, b string) int { return wrong[b] - wrong[a] })
	for _, w := range list[:min(len(list), 12)] {
		t.Logf("said and found: %s, %d times", w, wrong[w])
	}
}
