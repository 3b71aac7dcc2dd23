package judge_test

import (
	"fmt"
	"strings"
	"testing"

	"qipu/board"
	"qipu/game"
	"qipu/game/weiqi"
	"qipu/game/weiqi/judge"
	"qipu/internal/testkit"
)

// TestSettle settles drawn boards. Commands:
//
//	propose RULES [prisoners=B,W]    the board, rows of X, O and dots; how it is counted
//	count RULES dead=A1,B2           with other marks than its own
//	clear RULES turn=white           the moves that clear the board of dead stones
func TestSettle(t *testing.T) {
	var s judge.Settler
	testkit.Script(t, "testdata/settle.txt", func(t *testing.T, c testkit.Command) string {
		p := settled(t, c)
		switch c.Name {
		case "propose":
			out, err := s.Propose(t.Context(), p)
			if err != nil {
				return err.Error() + "\n"
			}
			return drawSettled(p, out)
		case "count":
			var dead []board.Point
			for name := range strings.SplitSeq(c.Named["dead"], ",") {
				if m, err := p.Rules().ParseMove(p.Rules().Start(), name, "gtp"); err == nil {
					dead = append(dead, m.To())
				}
			}
			out, err := s.Count(p, dead)
			if err != nil {
				return err.Error() + "\n"
			}
			return drawSettled(p, out)
		case "clear":
			var list []string
			for range 40 {
				m := s.Clear(p)
				list = append(list, game.FormatMove(p.Rules(), p, m, "gtp"))
				if m == game.Pass {
					break
				}
				if err := p.Play(m); err != nil {
					t.Fatal(err)
				}
				if err := p.Play(game.Pass); err != nil {
					t.Fatal(err)
				}
			}
			return strings.Join(list, " ") + "\n"
		}
		t.Fatalf("no command %q", c.Name)
		return ""
	})
}

// settled reads the board of a command.
func settled(t *testing.T, c testkit.Command) *weiqi.Position {
	t.Helper()
	rows := strings.Fields(c.Input)
	spec := fmt.Sprintf("%dx%d,%s", len(rows[0]), len(rows), c.Args[0])
	for _, word := range []string{"komi", "handicap"} {
		if value := c.Named[word]; value != "" {
			spec += "," + word + "=" + value
		}
	}
	r, err := weiqi.Standard.Variant(spec)
	if err != nil {
		t.Fatal(err)
	}
	setup := game.NewSetup(r)
	for y, row := range rows {
		for x, stone := range row {
			if k := strings.IndexRune(".XO", stone); k > 0 {
				setup.Board.Put(board.At(x, y), board.Piece(k))
			}
		}
	}
	if text := c.Named["prisoners"]; text != "" {
		if _, err := fmt.Sscanf(text, "%d,%d", &setup.Prisoners[0], &setup.Prisoners[1]); err != nil {
			t.Fatal(err)
		}
	}
	if c.Named["turn"] == "white" {
		setup.Turn = game.Second
	}
	p, err := r.Arrange(setup)
	if err != nil {
		t.Fatal(err)
	}
	return p.(*weiqi.Position)
}

// drawSettled draws a settlement: dead stones are small letters, land is # and +,
// stones in seki are B and W.
func drawSettled(p *weiqi.Position, s *game.Settlement) string {
	size := p.Rules().Size()
	marks := map[board.Point]byte{}
	for _, g := range s.Groups {
		for _, at := range g.Points {
			marks[at] = map[game.Fate]string{game.Alive: "XO", game.Dead: "xo", game.Seki: "BW"}[g.Fate][g.Side]
		}
	}
	for side, land := range s.Land {
		for _, at := range land {
			if marks[at] == 0 {
				marks[at] = "#+"[side]
			}
		}
	}
	var b strings.Builder
	for y := range size.H {
		for x := range size.W {
			m := marks[board.At(x, y)]
			if m == 0 {
				m = '.'
			}
			b.WriteByte(m)
		}
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "%s, black %g, white %g", s.Outcome.Describe(p.Rules().Info()), float64(s.Totals[0])/2, float64(s.Totals[1])/2)
	if s.Sure {
		b.WriteString(", sure")
	} else {
		fmt.Fprintf(&b, ", not sure: %s", s.Why)
	}
	if len(s.Left) > 0 {
		fmt.Fprintf(&b, ", %d points left", len(s.Left))
	}
	b.WriteByte('\n')
	return b.String()
}
