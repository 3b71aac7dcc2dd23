package bind

import (
	"errors"
	"strings"
	"testing"

	"qipu/game"
	"qipu/game/othello"
	"qipu/game/renju"
	"qipu/game/weiqi"
	"qipu/game/xiangqi"
	"qipu/query"
)

var allGames = game.Catalog{weiqi.Standard, othello.Standard, xiangqi.Standard, renju.Renju}

func TestCheck(t *testing.T) {
	for _, c := range []struct {
		text string
		want string // in the error; empty for none
		at   int
	}{
		{"player:anybody collection:any -tag:any comment:any word", "", 0},
		{"named:any result:win", "", 0},
		{"named:any then here board:XO", "", 0},
		{"red:X", "", 0}, {"white:X", "", 0}, {"turn:red", "", 0}, {"result:red", "", 0}, {"result:33-31", "", 0},
		{"has(chariot on file 3)", "", 0}, {"has(white corner)", "", 0}, {"board:R.n", "", 0}, {`position:"Q16 D4"`, "", 0},
		{`game:go:9x9 position:"E5 C3"`, "", 0}, {"game:go or game:xiangqi", "", 0}, {"game:go:9x9,japanese", "", 0},
		{"all", "", 0}, {"result:win player:X", "", 0},

		{"red:X white:Y", "no side", 6},
		{"player:X and date:1990-13", "no such day", 13},
		{"red:X date:1990-13", "no such day", 6},
		{"board:R.n moves:many", "no number", 10},
		{"moves:20..10", "ends before it begins", 0},
		{"rank:meijin", "no rank", 0},
		{"result:wim", "no result", 0},
		{"result:win", "whose?", 0},
		{"turn:blue", "no side", 0},
		{"game:shoe", "no game is called", 0},
		{"game:go turn:red", "no side", 8},
		{"game:go:99x99", "out of range", 0},
		{"ply:x", "no number", 0},
		{"player<X", "cannot be compared", 0},
		{"has(dragon)", "no piece", 0},
		{"board:XO then here board:X", "cannot lie", 19},
		{"when(fuzzy:XO)", "likeness", 5},
	} {
		err := Check(tree(t, c.text), allGames)
		if c.want == "" {
			if err != nil {
				t.Errorf("%s: %v", c.text, err)
			}
			continue
		}
		var e *query.Error
		if !errors.As(err, &e) || !strings.Contains(e.Message, c.want) || e.At != c.at {
			t.Errorf("%s: %v, want %q at %d", c.text, err, c.want, c.at)
		}
	}
	if err := Check(query.Field{Name: "moves", Value: "many"}, nil); err != nil {
		t.Errorf("no games: %v", err)
	}
}
