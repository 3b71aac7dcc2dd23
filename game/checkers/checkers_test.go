package checkers_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"qipu/game"
	"qipu/game/checkers"
	"qipu/game/gametest"
	"qipu/internal/testkit"
)

func TestLaws(t *testing.T) {
	gametest.Run(t, checkers.Rules{}, gametest.Options{Games: testkit.Scale(8, 200), Plies: 120})
}

func TestPerft(t *testing.T) { gametest.Perft(t, checkers.Rules{}, "testdata/perft.txt") }

func TestPlaythrough(t *testing.T) {
	gametest.Playthrough(t, checkers.Rules{}, "testdata/play.txt")
}

func position(t *testing.T, text string) game.Position {
	t.Helper()
	p, err := game.ParsePosition(checkers.Rules{}, text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func names(p game.Position, n game.Notation) []string {
	var list []string
	for _, m := range p.AppendMoves(nil) {
		list = append(list, game.FormatMove(checkers.Rules{}, p, m, n))
	}
	slices.Sort(list)
	return list
}

func TestMoves(t *testing.T) {
	for _, c := range []struct{ position, short, long string }{
		{"start", "10-14 10-15 11-15 11-16 12-16 9-13 9-14", ""},
		{"B:W18,25:B15", "15x29", "15x22x29"},
		{"B:W27,26,18:B23", "23x30 23x32", "23x30 23x32"}, // a man takes forward alone
		{"B:W22,23,31:B18", "18x25 18x27", "18x25 18x27"}, // one way goes no further
		{"B:W26,27:B22", "22x31", "22x31"},                // a man that is crowned stops
		{"B:W26,27:BK22", "22x24", "22x31x24"},            // a king goes on
		{"B:W6,7,14,15:BK2", "2x2", "2x11x18x9x2"},        // round four pieces, either way: one move
		{"B:W6,7,14,15:B2", "2x11x18 2x9x18", ""},         // two ways to one end
		{"W:WK14:B9,10,17,18,2", "14x21 14x23 14x5 14x7", "14x21 14x23 14x5 14x7"},
		{"B:W5:BK1", "1-6", ""},
	} {
		p := position(t, c.position)
		if got := strings.Join(names(p, checkers.Short), " "); got != c.short {
			t.Errorf("%s: %s, want %s", c.position, got, c.short)
		}
		if got := strings.Join(names(p, checkers.Long), " "); c.long != "" && got != c.long {
			t.Errorf("%s: %s, want %s", c.position, got, c.long)
		}
	}
}

// TestWays: two captures that share their ends are two moves, and leave other boards.
func TestWays(t *testing.T) {
	p := position(t, "B:W6,7,14,15:B2")
	moves := p.AppendMoves(nil)
	if len(moves) != 2 || moves[0].From() != moves[1].From() || moves[0].To() != moves[1].To() || moves[0].Way()+moves[1].Way() != 1 {
		t.Fatalf("moves %v", moves)
	}
	left := map[string]bool{}
	for _, m := range moves {
		if err := p.Play(m); err != nil {
			t.Fatal(err)
		}
		left[game.FormatPosition(checkers.Rules{}, p)] = true
		p.Undo()
	}
	if len(left) != 2 {
		t.Errorf("both leave %v", left)
	}
	for text, want := range map[string]string{
		"2x18": "several captures lead there", "2x9": "the capture goes on", "2-18": "several captures", "2x9x2": "no capture leads there",
		"2-11": "goes on", "6-1": "no piece of yours", "2-6": "a piece stands there", "2-33": "not a move", "2": "not a move", "2--6": "not a move",
	} {
		if _, err := (checkers.Rules{}).ParseMove(p, text, game.AnyNotation); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	king := position(t, "B:W6,7,14,15:BK2")
	for _, text := range []string{"2x2", "2x9x18x11x2", "2x11x18x9x2", "2-11-18-9-2"} {
		if m, err := (checkers.Rules{}).ParseMove(king, text, game.AnyNotation); err != nil || m != king.AppendMoves(nil)[0] {
			t.Errorf("%s: %v, %v", text, m, err)
		}
	}
}

// TestRefusals says why a move cannot be played.
func TestRefusals(t *testing.T) {
	for _, c := range []struct{ position, move, want string }{
		{"start", "9-5", "a piece stands there"},
		{"start", "9-18", "men step forward by one square"},
		{"start", "11x18", "men step forward"},
		{"start", "9x14x18", "no capture leads there"},
		{"B:W32:B14", "14-9", "men step forward"},
		{"B:W32:BK14", "14-23", "pieces step by one square"},
		{"B:W18:B14,1", "1-5", "must be"},
		{"B:W18:B14,1", "1-10", "no capture leads there"},
	} {
		p := position(t, c.position)
		if _, err := (checkers.Rules{}).ParseMove(p, c.move, game.AnyNotation); !errors.Is(err, game.ErrIllegal) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %s: %v, want %s", c.position, c.move, err, c.want)
		}
	}
	for text, want := range map[string]string{
		"b7/8/8/8/8/8/8/8 B": "light square a8", "8/8/8/8/8/8/8/b7 B": "would be a king", "B:W1:B2": "the man of white on 1 would be a king",
		"B:W:B1-13": "black has 13 pieces", "B:W99:B1": `"99" is no square`,
	} {
		if _, err := game.ParsePosition(checkers.Rules{}, text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

func TestOutcome(t *testing.T) {
	if o := position(t, "B:W21,22:B17").Outcome(); o.Over() {
		t.Errorf("a game that goes on: %+v", o)
	}
	if o := position(t, "W:W:B17").Outcome(); o.State != game.Won || o.Winner != checkers.Black || o.Reason != checkers.ByBlock {
		t.Errorf("no piece is left: %+v", o)
	}
	if o := position(t, "B:W9,5:B1").Outcome(); o.State != game.Ongoing {
		t.Errorf("1-6 is left: %+v", o)
	}
	p := position(t, "B:WK32:BK1")
	line := strings.Fields("1-5 32-28 5-1 28-32 1-5 32-28 5-1 28-32")
	for i, text := range line {
		if o := p.Outcome(); o.Over() {
			t.Fatalf("over after %d: %+v", i, o)
		}
		if _, err := game.ParseMoves(checkers.Rules{}, p, text); err != nil {
			t.Fatal(err)
		}
	}
	if o := p.Outcome(); o.State != game.Drawn || o.Reason != game.ByRepetition || !o.Claim {
		t.Errorf("the third time: %+v", o)
	}
}
