package renju

import (
	"testing"

	"qipu/board"
	"qipu/game"
)

// perft counts lines of play on the oracle's board, with ends found by its
// own counting.
func (o *oracle) perft(set Set, side byte, depth, passes, empty int) uint64 {
	if passes == 2 || empty == 0 {
		if depth == 0 {
			return 1
		}
		return 0
	}
	if depth == 0 {
		return 1
	}
	other := byte('X' + 'O' - side)
	n := o.perft(set, other, depth-1, passes+1, empty)
	for y := range o.h {
		for x := range o.w {
			p := xy{x, y}
			if o.at(p) != '.' {
				continue
			}
			o.set(p, side)
			if !o.wins(set, side, p) {
				n += o.perft(set, other, depth-1, 0, empty-1)
			} else if depth == 1 {
				n++
			}
			o.set(p, '.')
		}
	}
	return n
}

// wins reports whether the stone just put on p wins.
func (o *oracle) wins(set Set, side byte, p xy) bool {
	for _, way := range oracleWays {
		row := o.row(p, way, side)
		if row == 5 || row > 5 && (set == SetFree || set == SetRenju && side == 'O') {
			return true
		}
	}
	return false
}

// TestPerftOracle counts from boards on which games end within reach.
func TestPerftOracle(t *testing.T) {
	for _, c := range []struct {
		size board.Size
		text string
	}{
		{board.Size{W: 5, H: 5}, "5/5/5/5/5 b"},
		{board.Size{W: 5, H: 5}, "XXXX1/5/OOOO1/5/5 b"},
		{board.Size{W: 5, H: 5}, "XXXX1/5/OOOO1/5/5 w"},
		{board.Size{W: 6, H: 5}, "XXX1XX/OOO1OO/2XX2/X1X1X1/O1O1O1 b"},
		{board.Size{W: 6, H: 5}, "XXX1XX/OOO1OO/2XX2/X1X1X1/O1O1O1 w"},
		{board.Size{W: 6, H: 5}, "XOXOXO/OXO1OX/XOXOXO/X1X1XO/OXOXOX b"},
	} {
		for _, set := range []Set{SetRenju, SetStandard, SetFree} {
			p, err := game.ParsePosition(game.Must(New(c.size, set)), c.text)
			if err != nil {
				t.Fatal(err)
			}
			pos := p.(*Position)
			for depth := 1; depth <= 3; depth++ {
				o := newOracle(pos.Planes())
				want := o.perft(set, "XO"[p.Turn()], depth, 0, c.size.Area()-pos.count)
				if got := game.Perft(p, depth, game.PerftOptions{}); got != want {
					t.Errorf("%s, %v, depth %d: %d, want %d", c.text, set, depth, got, want)
				}
			}
		}
	}
}
