package exchange

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"qipu/board"
	"qipu/book"
	"qipu/book/theory"
	"qipu/book/theory/internal/graph"
	"qipu/engine"
	"qipu/game"
)

// The text that Edax exports and imports has a line a position: the board in its
// smallest picture with X to move, the level, and the leaf with its score. The
// links to other positions are not in it: whoever reads it finds them, and backs
// the values up. A position all of whose moves lead to others has no leaf, which
// is written as the move -- with the score -127.
const (
	edaxNoMove  = "--"
	edaxNoScore = -127
)

// edaxBoard returns a position as Edax writes it: 64 squares from a1 on, X for
// the discs of the side to move.
func edaxBoard(p game.Position) string {
	planes := p.(game.Planar).Planes()
	signs := "-XO"
	if p.Turn() != game.First {
		signs = "-OX"
	}
	b := make([]byte, 0, 66)
	for y := range 8 {
		for x := range 8 {
			b = append(b, signs[planes.At(board.At(x, y))])
		}
	}
	return string(append(b, " X"...))
}

// writeEdax writes all positions that were searched. A leaf that has come to lead
// to a position of the theory is none.
func writeEdax(w io.Writer, t *theory.Theory) error {
	rules := t.Rules()
	if err := graph.UsualOthello(rules, string(Edax)); err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	for _, row := range t.Rows() {
		if row.Level == 0 { // a person's word alone, which that program does not know
			continue
		}
		p, err := game.ParsePosition(rules, row.Position)
		if err != nil {
			return err
		}
		move, score := edaxNoMove, edaxNoScore
		for _, m := range t.Look(p).Moves {
			if m.Leaf {
				move, score = strings.ToUpper(game.FormatMove(rules, p, m.Move, game.AnyNotation)), int(math.Round(m.E.Units()))
			}
		}
		fmt.Fprintf(out, "%s,%d,%s,%d\n", edaxBoard(p), min(row.Level, 60), move, score)
	}
	return out.Flush()
}

// edaxMove is a move of a line.
type edaxMove struct {
	key   book.Key // of where it leads
	text  string
	value engine.Value
}

// readEdax reads such lines. Lines may hold several moves, as this program once
// wrote them: the best of those that lead to no position of the file is the leaf
// then. It lies within the usual margin.
func readEdax(r io.Reader, rules game.Rules, fault func(Fault)) (rows []theory.Row, err error) {
	if err := graph.UsualOthello(rules, string(Edax)); err != nil {
		return nil, err
	}
	keys := graph.NewKeyer(rules)
	var moves [][]edaxMove
	known := map[book.Key]bool{}
	in := bufio.NewScanner(r)
	in.Buffer(nil, 1<<20)
	for line := 1; in.Scan(); line++ {
		text := strings.TrimSpace(in.Text())
		if text == "" || strings.HasPrefix(text, "%") || strings.HasPrefix(text, "#") {
			continue
		}
		row, list, err := edaxLine(keys, strings.Split(text, ","))
		if err != nil {
			fault(Fault{line, err})
			continue
		}
		rows, moves = append(rows, row), append(moves, list)
		known[row.Key] = true
	}
	if err := in.Err(); err != nil {
		return rows, fmt.Errorf("theory: %w", err)
	}
	for i := range rows {
		row := &rows[i]
		for _, m := range moves[i] {
			if (len(moves[i]) == 1 || !known[m.key]) && (row.Leaf == "" || m.value > row.Value) {
				row.Leaf, row.Value, row.Lower, row.Upper = m.text, m.value, m.value-theory.MarginMid, m.value+theory.MarginMid
			}
		}
		if rows[i], err = keys.Normal(*row); err != nil {
			return nil, err
		}
	}
	return rows, nil
}

func edaxLine(keys *graph.Keyer, cells []string) (row theory.Row, list []edaxMove, err error) {
	if len(cells) < 2 || len(cells)%2 != 0 {
		return row, nil, errors.New("want a board, a level, and a move with its score, parted by commas")
	}
	p, err := game.ParsePosition(keys.Rules, strings.TrimSuffix(strings.TrimSpace(cells[0]), ";"))
	if err != nil {
		return row, nil, err
	}
	row = graph.Blank(book.Key{}, game.FormatPosition(keys.Rules, p))
	row.Key, _ = keys.Key(p)
	if row.Level, err = strconv.Atoi(strings.TrimSpace(cells[1])); err != nil || row.Level < 0 || row.Level > 60 {
		return row, nil, fmt.Errorf("%q is no level", cells[1])
	}
	for i := 2; i < len(cells); i += 2 {
		text := strings.TrimSpace(cells[i])
		if text == edaxNoMove {
			continue
		}
		m, err := keys.Rules.ParseMove(p, text, game.AnyNotation)
		if err != nil {
			return row, nil, fmt.Errorf("the move %q: %w", text, err)
		}
		score, err := strconv.Atoi(strings.TrimSpace(cells[i+1]))
		if err != nil || score < -64 || score > 64 {
			return row, nil, fmt.Errorf("%q is no number of discs", cells[i+1])
		}
		s, err := keys.Step(p, m)
		if err != nil {
			return row, nil, err
		}
		list = append(list, edaxMove{s.Key, game.FormatMove(keys.Rules, p, m, game.AnyNotation), engine.Value(score) * engine.Unit})
	}
	return row, list, nil
}
