package pgn_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"qipu/game/chess"
	"qipu/record"
	"qipu/record/pgn"
	"qipu/record/recordtest"
)

// TestSignsOfCheck: signs of check and mate, which moves that were played here have, are
// written, and read again as marks.
func TestSignsOfCheck(t *testing.T) {
	format := pgn.With(record.KindOf(chess.Standard))
	g := &record.Game{Kind: "chess", Notation: "san"}
	at := g.Add(0, 0, "")
	for i, move := range []string{"e4", "f6", "Qh5+", "g6"} {
		at = g.Add(at, record.Side(1+i%2), move)
	}
	var out strings.Builder
	err := format.(record.Writer).Write(&out, slices.Values([]*record.Game{g}))
	games, _ := recordtest.ReadAll(t, format, recordtest.Source("x.pgn", []byte(out.String())))
	if err != nil || !strings.Contains(out.String(), "Qh5+ g6") || len(games) != 1 || games[0].Nodes[3].Move != "Qh5" {
		t.Errorf("%v, read as %d games:\n%s", err, len(games), out.String())
	}
}

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
		{`[Variant "Chess960"] [FEN "nqrnbbkr/pppppppp/8/8/8/8/PPPPPPPP/NQRNBBKR w HChc - 0 1"]`, "1. d4 *", "chess", "960"},
		{`[Variant "Fischerandom"] [FEN "rk5r/8/8/8/8/8/8/RK5R w KQkq - 0 1"]`, "1. O-O O-O-O *", "chess", "960"},
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
		if c.kind != "chess" {
			continue
		}
		rules, err := chess.Standard.Variant(c.variant)
		if err != nil {
			t.Fatal(err)
		}
		if played := record.Play(rules, games[0]); !played.Legal() || played.Unplayed > 0 {
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

// TestChessAsFound: what thirty years of programs have written into records of chess is
// read, played to its end, and written again as it was.
func TestChessAsFound(t *testing.T) {
	format := pgn.With(record.KindOf(chess.Standard))
	deep := "1. e4 " + strings.Repeat("(1. d4 ", 300) + strings.Repeat(") ", 300) + "e5 *"
	for _, c := range []struct {
		name, moves string
		plies       int
		comment     string // that must be kept somewhere
	}{
		{"clocks and evaluations", "1. e4 { [%clk 1:59:58] [%eval 0.24] } e5 { [%clk 1:59:50] } 2. Nf3 *", 3, "[%clk 1:59:58]"},
		{"nested variations", "1. e4 e5 (1... c5 2. Nf3 (2. Nc3 Nc6 (2... d6)) d6) 2. Nf3 $1 $14 Nc6 *", 4, ""},
		{"deep variations", deep, 2, ""},
		{"signs glued and parted", "1.e4!? e5?! 2.Nf3! Nc6 3.Bb5 a6?? *", 6, ""},
		{"noughts and words", "1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. 0-0 0-0 5. d3 d5 6. exd5 e4 7. d4 exf3 8. dxc5 fxg2 9. Kxg2 *", 17, ""},
		{"in passing", "1. e4 a6 2. e5 d5 3. exd6 e.p. Qxd6 *", 6, ""},
		{"figurines", "1. e4 e5 2. ♘f3 ♞c6 3. ♗b5 *", 5, ""},
		{"long form", "1. e2-e4 e7-e5 2. Ng1-f3 Nb8-c6 *", 4, ""},
		{"no numbers", "e4 e5 Nf3 Nc6 *", 4, ""},
		{"several results", "1. e4 e5 1-0 1-0", 2, ""},
		{"a comment to the end of its line", "1. e4 ; the best\n1... e5 *", 2, "the best"},
		{"a line of a program", "% of no interest\n1. e4 e5 *", 2, ""},
	} {
		games, faults := recordtest.ReadAll(t, format, recordtest.Source("x.pgn", []byte("[White \"Ann\"]\n[Black \"Bob\"]\n[WhiteElo \"2500\"]\n[ECO \"C20\"]\n\n"+c.moves+"\n")))
		if len(games) != 1 || len(faults) > 0 {
			t.Errorf("%s: %d games, %v", c.name, len(games), faults)
			continue
		}
		g := games[0]
		played := record.Play(chess.Standard, g)
		if !played.Legal() || len(played.Steps) != c.plies {
			t.Errorf("%s: %d plies, want %d, %v", c.name, len(played.Steps), c.plies, played.Marks)
		}
		if g.Facts.Code != "C20" || g.Facts.Players[0].Rating != 2500 {
			t.Errorf("%s: facts %+v", c.name, g.Facts)
		}
		found := c.comment == ""
		for i := range g.Nodes {
			found = found || strings.Contains(g.Nodes[i].Text(), c.comment) || g.Nodes[i].Extra != nil && strings.Contains(fmt.Sprint(g.Nodes[i].Props), c.comment)
		}
		if !found {
			t.Errorf("%s: %q is lost", c.name, c.comment)
		}
		if !recordtest.RoundTripGame(t, format, g) {
			t.Errorf("%s cannot be written", c.name)
		}
	}
	// What cannot be is refused with its reason, and what came before it stays.
	for moves, want := range map[string]string{
		"1. e4 e5 2. Ke3 *":                          "",
		"1. Nf3 Nf6 2. Nc3 Nc6 3. Ne4 Nd4 4. Nxd4 *": "",
		"1. e4 e5 2. O-O *":                          "castl",
		"1. e4 -- 2. d4 *":                           "pass",
	} {
		games, _ := recordtest.ReadAll(t, format, recordtest.Source("x.pgn", []byte("[White \"Ann\"]\n\n"+moves+"\n")))
		played := record.Play(chess.Standard, games[0])
		t.Logf("%s: %v", moves, played.Marks)
		if moves != "1. Nf3 Nf6 2. Nc3 Nc6 3. Ne4 Nd4 4. Nxd4 *" && (len(played.Marks) == 0 || !strings.Contains(strings.ToLower(fmt.Sprint(played.Marks)), want)) {
			t.Errorf("%s: %v", moves, played.Marks)
		}
	}
}
