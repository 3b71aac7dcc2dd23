package bind

import (
	"fmt"
	"strings"

	"qipu/board"
	"qipu/game"
	"qipu/pattern"
	"qipu/query"
)

// maxNext bounds the moves behind a board.
const maxNext = 1000

// followed reads the moves of the option next.
func (x *binding) followed(s *query.Shape, o query.Option) error {
	g := s.Geometry
	side := game.First
	if s.Pattern.Turn == pattern.SecondToMove {
		side = game.Second
	}
	cells := map[string]query.Step{}
	for cy := range s.Pattern.Size.H {
		for cx := range s.Pattern.Size.W {
			cells[strings.ToLower(query.CellName(g, s.Pattern, cx, cy))] = query.Step{X: int8(cx), Y: int8(cy)}
		}
	}
	for _, word := range strings.FieldsFunc(o.Value, func(r rune) bool { return strings.ContainsRune(" \t\n,;、，；", r) }) {
		who, name, said := strings.Cut(word, ":")
		piece := board.Empty
		if said {
			var ok bool
			if side, piece, ok = mover(g, who); !ok {
				return x.fail(o.At, fmt.Sprintf("next: %q tells not who plays", word), "write the letter of a piece before the colon, or + and - for the sides", nil)
			}
		} else {
			name = word
		}
		step, ok := cells[strings.ToLower(name)]
		if !ok {
			last := query.CellName(g, s.Pattern, s.Pattern.Size.W-1, s.Pattern.Size.H-1)
			return x.fail(o.At, fmt.Sprintf("next: the board has no cell %q", name), fmt.Sprintf("its cells are called %s to %s", query.CellName(g, s.Pattern, 0, 0), last), nil)
		}
		step.Side, step.Piece = side, piece
		s.Next = append(s.Next, step)
		side = side.Opponent()
	}
	if len(s.Next) == 0 || len(s.Next) > maxNext {
		return x.fail(o.At, fmt.Sprintf("next wants 1 to %d moves", maxNext), `write them as in next:"c3 d4"`, nil)
	}
	return nil
}

// mover returns who plays, and with what, by the letter of a piece. Where a side
// has one kind of piece, its letter means the side.
func mover(g *board.Geometry, who string) (game.Side, board.Piece, bool) {
	switch who {
	case "+":
		return game.First, board.Empty, true
	case "-":
		return game.Second, board.Empty, true
	}
	for i := range g.Pieces {
		if len(who) != 1 || !strings.Contains(g.Pieces[i].Letters, who) {
			continue
		}
		side := game.Side(g.Pieces[i].Owner)
		if len(g.Pieces) == 2 {
			return side, board.Empty, true
		}
		return side, board.Piece(i + 1), true
	}
	return 0, 0, false
}
