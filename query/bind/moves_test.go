package bind

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"qipu/builtin"
	"qipu/index"
	"qipu/query"
	"qipu/record"
)

// TestMoves: the plies of games at which conditions on moves are true, with the side
// that moved, 1 or 2.
func TestMoves(t *testing.T) {
	for _, c := range []struct {
		game, notation, moves string
		asked                 map[string]string
	}{
		{"chess", "san", "e4 d5 exd5 Qxd5 Nc3 Qe5+ Be2 Nf6 Nf3 Qa5 O-O Bg4 h3 Bxf3 Bxf3 Nc6 Bxc6+ bxc6 Re1 O-O-O", map[string]string{
			"move:any":            "1:1 2:2 3:1 4:2 5:1 6:2 7:1 8:2 9:1 10:2 11:1 12:2 13:1 14:2 15:1 16:2 17:1 18:2 19:1 20:2",
			"move:takes":          "3:1 4:2 14:2 15:1 17:1 18:2",
			"move.black:x":        "4:2 14:2 18:2",
			"move:check":          "6:2 17:1",
			"move:castles":        "11:1 20:2",
			`move:"king to g1"`:   "11:1",
			`move:"Kg1"`:          "11:1",
			`move:"Bxn+"`:         "17:1",
			`move:"BxN"`:          "17:1",
			`move:"bishop takes"`: "14:2 15:1 17:1",
			`move:"BxB"`:          "15:1",
			`move:"e2-e4"`:        "1:1",
			`move:"from e2"`:      "1:1 15:1",
			`move:"q to e5"`:      "6:2",
			`move:"[Qq]-*"`:       "4:2 6:2 10:2",
			`move:"takes 2"`:      "",
			`move:pass`:           "",
			`move:"pawn from c7"`: "",
			`move:"pxB"`:          "18:2",
			`move:drops`:          "",
			`move:"Nf3"`:          "9:1",
		}},
		{"chess", "san", "e4 a6 e5 d5 exd6 Ra7 dxc7 Ra8 cxb8=Q Rxb8", map[string]string{
			"move:takes":             "5:1 7:1 9:1 10:2",
			`move:"pawn takes p"`:    "5:1 7:1",
			`move:promotes`:          "9:1",
			`move:"promotes q"`:      "9:1",
			`move:"P promotes rook"`: "",
			`move:"b8=Q"`:            "9:1",
			`move:"Pxn=*"`:           "9:1",
			`move:"rxQ"`:             "10:2",
		}},
		{"xiangqi", "chinese", "炮二平五 馬8進7 炮五進四 馬7進5", map[string]string{
			"move:check":                "",
			`move:"炮 吃 卒"`:              "3:1",
			`move:"炮 吃 卒 將軍"`:           "",
			`move:"cannon from file 2"`: "1:1",
			`move:"to file 5"`:          "1:1 3:1 4:2",
			`move.second:any`:           "2:2 4:2",
			`move:"N"`:                  "",
			`move:"n from rank 1"`:      "2:2",
			`move:"nxC"`:                "4:2",
		}},
		{"xiangqi", "chinese", "炮二平五 炮8平5 炮五進四", map[string]string{
			"move:check":      "3:1",
			`move:"炮 吃 卒 將軍"`: "3:1",
			`move:"Cxp+"`:     "3:1",
		}},
		{"go", "sgf", "aa ba bb ab", map[string]string{
			"move:takes":     "4:2",
			"move:A19":       "1:1",
			`move:"O-*"`:     "2:2 4:2",
			"move.black:any": "1:1 3:1",
		}},
	} {
		rules, err := builtin.Games().Find(c.game)
		if err != nil {
			t.Fatal(err)
		}
		g := &record.Game{Kind: rules.Info().Name, Notation: c.notation, Place: record.Place{File: "test", Number: 1}}
		if g.Notation == "" {
			g.Notation = string(rules.Info().Notations[0].Name)
		}
		at := g.Add(0, record.Unstated, "")
		for i, move := range strings.Fields(c.moves) {
			at = g.Add(at, record.First+record.Side(i%2), move)
		}
		referee := record.NewReferee(builtin.Games())
		referee.Trace = true
		p := referee.Play(g)
		doc, ok := (&index.Documents{Kinds: index.NewKinds(builtin.Games())}).Make(p)
		if !ok || len(p.Steps) != len(strings.Fields(c.moves)) {
			t.Fatalf("%s: %d moves, %v", c.game, len(p.Steps), p.Game.Faults)
		}
		for text, want := range c.asked {
			q, err := query.Parse(text)
			if err == nil {
				q, err = (&Binder{Rules: rules, Games: builtin.Games()}).Bind(q)
			}
			if err != nil {
				t.Errorf("%s: %v", text, err)
				continue
			}
			m := q.(*query.Mark)
			var got []string
			for ply := range doc.Lines[0].End {
				for _, x := range m.Marker.AppendMarks(nil, &doc.Lines[0], nil) {
					if x.From == ply && m.Of.Has(x.Side) {
						got = append(got, fmt.Sprintf("%d:%d", ply, x.Side+1))
					}
				}
			}
			if s := strings.Join(got, " "); s != want {
				t.Errorf("%s, %s: %s, want %s", c.game, text, s, want)
			}
			again, err := query.Parse(q.String())
			if err == nil {
				again, err = (&Binder{Rules: rules, Games: builtin.Games()}).Bind(again)
			}
			if err != nil || again.String() != q.String() {
				t.Errorf("%s prints as %v, which reads as %v, %v", text, q, again, err)
			}
		}
	}
}

// TestMovesRefused: what cannot be asked of a move is said with its reason.
func TestMovesRefused(t *testing.T) {
	for _, c := range []struct {
		game, text, want string
		other            bool
	}{
		{"xiangqi", `move:""`, "nothing is said", false},
		{"xiangqi", `move:"R from"`, `no place stands behind "from"`, false},
		{"xiangqi", `move:"from to e5"`, `no place stands behind "from"`, false},
		{"xiangqi", `move:"R to e5 to e6"`, "stands twice", false},
		{"xiangqi", `move:"R takes 0"`, "no move takes 0", false},
		{"xiangqi", `move:"R-N"`, "write x before", false},
		{"xiangqi", `move:"pass check"`, "a pass has no", false},
		{"xiangqi", `move:"check R N"`, `no piece "R N"`, true},
		{"xiangqi", `move:"Q-e5"`, `'Q' in a set`, false},
		{"xiangqi", `move:"R to nowhere"`, "no place on the board", false},
		{"xiangqi", `move:". takes"`, "an empty point", false},
		{"go", "move:check", "knows no check", true},
		{"go", `move.red:any`, "no side", true},
		{"xiangqi", `move>3`, "cannot be compared", false},
	} {
		q, err := query.Parse(c.text)
		if err == nil {
			_, err = (&Binder{Rules: rulesOf[c.game], Games: builtin.Games()}).Bind(q)
		}
		if err == nil || !strings.Contains(err.Error(), c.want) && !strings.Contains(fmt.Sprint(err), c.want) {
			t.Errorf("%s: %v, want %s", c.text, err, c.want)
			continue
		}
		if errors.Is(err, ErrOtherGame) != c.other {
			t.Errorf("%s: of another game: %t", c.text, !c.other)
		}
	}
}
