package query

import (
	"fmt"
	"strconv"
	"strings"

	"qipu/board"
	"qipu/game"
	"qipu/pattern"
)

// CellName returns the name of a cell of a pattern by its column and row from
// the top left: that of the point of the board where the pattern has a place,
// else a letter for the column and a number for the row, from a1 at the top
// left to the right and down.
func CellName(g *board.Geometry, p *pattern.Pattern, x, y int) string {
	if at, ok := p.Origin(g.Size); ok {
		if q := board.At(at.X()+x, at.Y()+y); at.X()+x < g.Size.W && at.Y()+y < g.Size.H {
			return g.Name(q)
		}
	}
	return columnName(x) + strconv.Itoa(y+1)
}

// columnName returns a to z, then aa, ab and so on.
func columnName(x int) string {
	if x >= 26 {
		return "a" + string(rune('a'+x%26))
	}
	return string(rune('a' + x))
}

// maxNext bounds the moves behind a board.
const maxNext = 1000

// followed reads the moves of the option next.
func (x *binding) followed(s *Shape, o Option) error {
	g := s.Geometry
	side := game.First
	if s.Pattern.Turn == pattern.SecondToMove {
		side = game.Second
	}
	cells := map[string]Step{}
	for cy := range s.Pattern.Size.H {
		for cx := range s.Pattern.Size.W {
			cells[strings.ToLower(CellName(g, s.Pattern, cx, cy))] = Step{X: int8(cx), Y: int8(cy)}
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
			last := CellName(g, s.Pattern, s.Pattern.Size.W-1, s.Pattern.Size.H-1)
			return x.fail(o.At, fmt.Sprintf("next: the board has no cell %q", name), fmt.Sprintf("its cells are called %s to %s", CellName(g, s.Pattern, 0, 0), last), nil)
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

// next returns the moves behind a shape as the option next reads them.
func (q *Shape) next() string {
	var words []string
	for _, s := range q.Next {
		who := "+-"[s.Side&1 : s.Side&1+1]
		if s.Piece != board.Empty {
			who = q.Geometry.Pieces[s.Piece-1].Letters[:1]
		}
		words = append(words, who+":"+CellName(q.Geometry, q.Pattern, int(s.X), int(s.Y)))
	}
	return strings.Join(words, " ")
}
