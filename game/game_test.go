package game_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"qipu/board"
	"qipu/game"
	"qipu/game/connect4"
	"qipu/game/othello"
	"qipu/game/renju"
	"qipu/game/weiqi"
	"qipu/game/xiangqi"
)

var catalog = game.Catalog{othello.Standard, connect4.Rules{}}

func TestMove(t *testing.T) {
	p, q := board.At(24, 24), board.At(0, 0)
	for _, c := range []struct {
		m        game.Move
		from, to board.Point
	}{
		{game.NoMove, board.NoPoint, board.NoPoint},
		{game.Pass, board.NoPoint, board.NoPoint},
		{game.Drop(p), board.NoPoint, p},
		{game.Drop(q), board.NoPoint, q},
		{game.Step(p, q), p, q},
		{game.Step(q, p), q, p},
	} {
		if c.m.From() != c.from || c.m.To() != c.to {
			t.Errorf("%x goes from %v to %v", uint32(c.m), c.m.From(), c.m.To())
		}
	}
	size := board.Size{W: 9, H: 10}
	if got := game.Step(board.At(0, 0), board.At(1, 2)).Transform(size, board.HalfTurn); got != game.Step(board.At(8, 9), board.At(7, 7)) {
		t.Errorf("half turn gives %v to %v", got.From(), got.To())
	}
	if game.Pass.Transform(size, board.Mirror) != game.Pass {
		t.Error("a pass has no mirror image but itself")
	}
}

func TestCatalog(t *testing.T) {
	for _, name := range []string{"othello", "Reversi", "オセロ", "connect4", "OTHELLO:10x10"} {
		if _, err := catalog.Find(name); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	r, err := catalog.Find("reversi:6x6")
	if err != nil || r.Geometry().Size.W != 6 || r.Info().Variant != "6x6" {
		t.Errorf("reversi:6x6 is %v, %v", r, err)
	}
	for name, want := range map[string]string{
		"chess":         `no game is called "chess": the games are othello, connect4`,
		"othello:7x7":   "both sides must be even",
		"connect4:9x9":  "connect4 has no variants",
		"othello:large": "is not a size",
	} {
		if _, err := catalog.Find(name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
	var unknown *game.UnknownError
	if _, err := catalog.Find("chess"); !errors.As(err, &unknown) || !slices.Contains(unknown.Known, "reversi") {
		t.Errorf("chess: %v", err)
	}
}

// called is a game with other names.
type called struct {
	game.Rules
	info game.Info
}

func (c called) Info() *game.Info { return &c.info }

// TestCatalogCheck: a word that two games answer to is refused, whatever it is of
// each.
func TestCatalogCheck(t *testing.T) {
	if err := catalog.Check(); err != nil {
		t.Error(err)
	}
	for _, info := range []game.Info{
		{Name: "othello"}, {Name: "x", Aliases: []string{"Reversi"}}, {Name: "x", Titles: board.Names{Ja: "オセロ"}},
		{Name: "x", Nicknames: []game.Nickname{{Name: "OTHELLO", Variant: "6x6"}}},
	} {
		if err := append(slices.Clone(catalog), called{connect4.Rules{}, info}).Check(); err == nil || !strings.Contains(err.Error(), "two games are called") {
			t.Errorf("%+v beside Othello: %v", info, err)
		}
	}
}

// TestParsePosition reads positions as users write them.
func TestParsePosition(t *testing.T) {
	const start = "8/8/8/3OX3/3XO3/8/8/8 X"
	flat := strings.Repeat("-", 27) + "OX------XO" + strings.Repeat("-", 27)
	for text, want := range map[string]string{
		"":                             start,
		"start":                        start,
		" start ":                      start,
		"startpos moves f5":            "8/8/8/3OX3/3XXX2/8/8/8 O",
		"f5":                           "8/8/8/3OX3/3XXX2/8/8/8 O",
		"F5D6":                         "8/8/8/3OX3/3OXX2/3O4/8/8 X",
		"1. f5 d6":                     "8/8/8/3OX3/3OXX2/3O4/8/8 X",
		"1.f5 2.d6":                    "8/8/8/3OX3/3OXX2/3O4/8/8 X",
		"f5,d6":                        "8/8/8/3OX3/3OXX2/3O4/8/8 X",
		start:                          start,
		"8/8/8/3OX3/3XO3/8/8/8":        start,
		"8/8/8/3OX3/3XO3/8/8/8 O":      "8/8/8/3OX3/3XO3/8/8/8 O",
		"8/8/8/3OX3/3XO3/8/8/8 white":  "8/8/8/3OX3/3XO3/8/8/8 O",
		"8/8/8/3OX3/3XO3/8/8/8 X - -":  start,
		flat + " X":                    start,
		strings.ToLower(flat) + " o":   "8/8/8/3OX3/3XO3/8/8/8 O",
		"64 X":                         "8/8/8/8/8/8/8/8 X",
		start + " moves f5":            "8/8/8/3OX3/3XXX2/8/8/8 O",
		"......../8/8/3OX3/3XO3/8/8/8": start,
	} {
		p, err := game.ParsePosition(othello.Standard, text)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if got := game.FormatPosition(othello.Standard, p); got != want {
			t.Errorf("%q is %s, want %s", text, got, want)
		}
	}
	for text, want := range map[string]string{
		"8/8/8":                            "has 3 rows, want 8",
		"8/8/8/3OX3/3XO3/8/8/8/8":          "more than 8 rows",
		"8/7/8/8/8/8/8/8":                  "row 2 of the position text has 7 points, want 8",
		"9/8/8/8/8/8/8/8":                  "row 1 of the position text has more than 8 points",
		"8/8/8/3OQ3/3XO3/8/8/8":            `row 4 of the position text: 'Q' is no piece: write XO`,
		"8/8/8/3OX3/3XO3/8/8/8 Z":          `"Z" is no side to move: write "X" for black or "O" for white`,
		"8/8/8/3OX3/3XO3/8/8/8 X 1 2":      `unexpected field "1"`,
		"8/8/8/3OX3/3XO3/8/8/8 X ko=1,1":   "unknown field",
		"8/8/8/3OX3/3XO3/8/8/8 X cat=1,1":  "unknown field",
		flat + "- X":                       "more than 8 rows",
		flat[1:] + " X":                    "ends in row 8 after 7 points",
		"f5 f5":                            `move 2, "f5": the point is occupied`,
		"f5d6c9":                           `move 3, "c9": outside the board`,
		"hello":                            "not a move",
		"99999999999999999999999999999 X":  `move 1, "99999999999999999999999999999": not a move`,
		"8/8/8/3OX3/3XO3/8/8/8 moves zz":   "not a move",
		"8/8/8/3OX3/3XO3/8/8/8 X moves a1": "turns no disc over",
	} {
		_, err := game.ParsePosition(othello.Standard, text)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %s", text, err, want)
		}
	}
}

// TestFields reads what only some games note.
func TestFields(t *testing.T) {
	const empty = "19/19/19/19/19/19/19/19/19/19/19/19/19/19/19/19/19/19/19 b "
	for text, want := range map[string]string{
		"ko=1": "want two numbers", "ko=19,1": "outside the board", "cat=1,1": "unknown field", "3 4": "unexpected field",
	} {
		if _, err := game.ParsePosition(weiqi.Standard, empty+text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	const start = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - "
	if _, err := game.ParsePosition(xiangqi.Standard, start+"1 2 3"); err == nil || !strings.Contains(err.Error(), `"3"`) {
		t.Errorf("three clocks: %v", err)
	}
}

// TestNicknames finds a variant by a name of its own.
func TestNicknames(t *testing.T) {
	all := game.Catalog{renju.Renju}
	for spec, want := range map[string]string{"gomoku": "free", "Gomoku:19x19": "19x19,free", "五子棋": "free", "gomoku:standard": "standard", "renju": ""} {
		r, err := all.Find(spec)
		if err != nil || r.Info().Variant != want {
			t.Errorf("%s: %v, %v, want %s", spec, r, err, want)
		}
	}
}

// TestLists reads moves that commas part, in and between moves.
func TestLists(t *testing.T) {
	for _, c := range []struct {
		r    game.Rules
		text string
		want int
	}{
		{renju.Renju, "8,8 9,9", 2}, {renju.Renju, "h8,i9,j8", 3}, {renju.Renju, "h8i9j8", 3},
		{xiangqi.Standard, "炮二平五、馬8進7，馬二進三", 3}, {xiangqi.Standard, "1.h2e2 h9g7 2.h0g2", 3}, {othello.Standard, "1.f5,2.d6", 2},
	} {
		moves, err := game.ParseMoves(c.r, c.r.Start(), c.text)
		if err != nil || len(moves) != c.want {
			t.Errorf("%s: %d moves, %v", c.text, len(moves), err)
		}
	}
}

// TestForcedPass leaves a pass out where the side to move has no other move.
func TestForcedPass(t *testing.T) {
	p, err := game.ParsePosition(othello.Standard, "XO6/8/8/8/8/8/8/7O O")
	if err != nil {
		t.Fatal(err)
	}
	moves, err := game.ParseMoves(othello.Standard, p, "c1")
	if err != nil || !slices.Equal(moves, []game.Move{game.Pass, game.Drop(board.At(2, 0))}) {
		t.Errorf("moves %v, %v", moves, err)
	}
	p, _ = game.ParsePosition(othello.Standard, "XO6/8/8/8/8/8/8/7O O")
	before := p.Hash()
	if _, err := game.ParseMoves(othello.Standard, p, "h1"); err == nil || p.Hash() != before {
		t.Errorf("h1 is playable by neither side: %v", err)
	}
}

func TestDivide(t *testing.T) {
	o := othello.Standard.Info().Perft
	moves, sum := 0, uint64(0)
	for _, n := range game.Divide(t.Context(), othello.Standard.Start(), 5, o) {
		moves++
		sum += n
	}
	if moves != 4 || sum != game.Perft(othello.Standard.Start(), 5, o) {
		t.Errorf("%d moves add up to %d", moves, sum)
	}
	if n := game.Perft(othello.Standard.Start(), 0, o); n != 1 {
		t.Errorf("perft 0 is %d", n)
	}
}

// TestDivideStops: a count that would take years ends with its context.
func TestDivideStops(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	p := &counted{Position: othello.Standard.Start(), after: func(n int) {
		if n == 100_000 {
			cancel()
		}
	}}
	for m := range game.Divide(ctx, p, 40, game.PerftOptions{}) {
		t.Errorf("%v was counted", m)
	}
	if p.plays > 200_000 || game.FormatPosition(othello.Standard, p.Position) != game.FormatPosition(othello.Standard, othello.Standard.Start()) {
		t.Errorf("%d moves were played, and the board is not as before", p.plays)
	}
}

// counted is a position that counts the moves on it.
type counted struct {
	game.Position
	plays int
	after func(n int)
}

func (c *counted) Play(m game.Move) error {
	c.plays++
	c.after(c.plays)
	return c.Position.Play(m)
}

func TestDescribe(t *testing.T) {
	info := othello.Standard.Info()
	for _, c := range []struct {
		o    game.Outcome
		want string
	}{
		{game.Outcome{}, "ongoing"},
		{game.Outcome{State: game.Won, Winner: game.Second, Margin: 7, Reason: game.ByCount}, "white won by 3.5 (count)"},
		{game.Outcome{State: game.Drawn, Reason: game.ByRepetition, Claim: true}, "drawn (repetition)"},
		{game.Outcome{State: game.Unscored, Reason: game.ByPasses}, "unscored (passes)"},
	} {
		if got := c.o.Describe(info); got != c.want {
			t.Errorf("%+v: %q, want %q", c.o, got, c.want)
		}
	}
}
