package pgn_test

import (
	"fmt"
	"strings"
	"testing"

	"qipu/game/chess"
	"qipu/record"
	"qipu/record/pgn"
	"qipu/record/recordtest"
)

// TestChess: a record that names no game is of chess where the format was made with
// it, whatever its moves look like, and is written again without naming it.
func TestChess(t *testing.T) {
	format := pgn.With(record.KindOf(chess.Standard))
	for _, c := range []struct{ tags, moves, kind, variant string }{
		{`[ECO "C60"]`, "1. e4 e5 2. Nf3 Nc6 3. Bb5 {good} a6 $6 (3... Nf6 4. O-O) 4. Bxc6+ 1-0", "chess", ""},
		{"", "1. e2e4 e7e5 2. g1f3 *", "chess", ""},
		{"", "1. e4 1/2-1/2", "chess", ""}, // looks like five in a row
		{"", "1. h8 i9 *", "renju", ""},
		{`[White "Ann"] [Black "Bob"]`, "0-1", "chess", ""},
		{`[Variant "Standard"]`, "1. d4 *", "chess", ""},
		{`[Variant "From Position"] [FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]`, "1. e4 Ke7 *", "chess", ""},
		{`[Variant "losalamos"] [Game "chess"]`, "1. d3 d4 *", "chess", "losalamos"},
		{`[Game "Chinese Chess"]`, "1. h2e2 *", "xiangqi", ""},
		{`[Red "Ann"]`, "1. h2e2 *", "xiangqi", ""},
	} {
		games, faults := recordtest.ReadAll(t, format, recordtest.Source("x.pgn", []byte(c.tags+"\n\n"+c.moves+"\n")))
		if len(games) != 1 || len(faults) > 0 || games[0].Kind != c.kind || games[0].Variant != c.variant {
			t.Errorf("%s %s: %v, faults %v", c.tags, c.moves, kinds(games), faults)
			continue
		}
		if !recordtest.RoundTripGame(t, format, games[0]) {
			t.Errorf("%s %s cannot be written", c.tags, c.moves)
		}
		if c.kind != "chess" || c.variant != "" {
			continue
		}
		if played := record.Play(chess.Standard, games[0]); !played.Legal() || played.Unplayed > 0 {
			t.Errorf("%s is not played to its end", c.moves)
		}
	}
	// Variants that the program does not have are named.
	_, faults := recordtest.ReadAll(t, format, recordtest.Source("x.pgn", []byte("[Variant \"Crazyhouse\"]\n\n1. e4 *\n")))
	if len(faults) != 1 || !strings.Contains(faults[0].Reason, "Crazyhouse in PGN is not a game of this program") {
		t.Errorf("a variant that nobody knows: %v", faults)
	}
}

func kinds(games []*record.Game) (list []string) {
	for _, g := range games {
		list = append(list, fmt.Sprintf("%s:%s", g.Kind, g.Variant))
	}
	return list
}
