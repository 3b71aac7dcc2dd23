package ggf

import (
	"fmt"
	"strconv"
	"strings"

	"qipu/record"
	"qipu/record/discs"
)

// octagonal is the type of the board of 10x10 without its corners.
const octagonal = 88

// board reads the start position and the size into the game and returns the
// size.
func board(g *record.Game) int {
	tag := g.Tag("BO")
	size, squares, turn, err := parseBoard(tag)
	if tag == "" {
		size, err = 8, nil
		if n := typeSize(g.Tag("TY")); n != 0 {
			size = n
		}
		squares, turn = discs.Usual(size), 'X'
	}
	if err != nil {
		g.Fault(record.Marked, record.KindSetup, 0, "%v", err)
		// The position stays as it was written, so that nobody takes the game
		// for one from the usual start.
		g.Start = strings.Join(strings.Fields(tag), " ")
	} else if squares != discs.Usual(size) || turn != 'X' {
		g.Start = squares + " " + string(rune(turn))
	}
	if size != 8 && size != 0 {
		g.Variant = fmt.Sprintf("%dx%d", size, size)
	}
	if size == 0 {
		return 10
	}
	return size
}

// typeSize returns the board size that a type begins with, or 0.
func typeSize(text string) int {
	text = strings.TrimLeft(strings.TrimSpace(text), "sS")
	digits := len(text) - len(strings.TrimLeft(text, "0123456789"))
	n, err := strconv.Atoi(text[:digits])
	if err != nil || n < 4 || n > 24 || n%2 != 0 {
		return 0
	}
	return n
}

// parseBoard reads "8 -------- ... *": the squares in X, O and -, and the side
// to move, X or O.
func parseBoard(text string) (size int, squares string, turn byte, err error) {
	fields := strings.Fields(text)
	if len(fields) < 2 {
		return 8, "", 0, fmt.Errorf("the board %q is no position", discs.Clip(text))
	}
	size, err = strconv.Atoi(fields[0])
	if err == nil && size == octagonal {
		return 0, "", 0, fmt.Errorf("an octagonal board: no rules play on it")
	}
	if err != nil || size < 4 || size > 24 || size%2 != 0 {
		return 8, "", 0, fmt.Errorf("%q is no board size", discs.Clip(fields[0]))
	}
	all := strings.Join(fields[1:], "")
	if len(all) != size*size+1 {
		return size, "", 0, fmt.Errorf("the board has %d squares, want %d and the side to move", len(all)-1, size*size)
	}
	out := []byte(all)
	for i, c := range out {
		switch c {
		case '*', 'X', 'x', '#':
			out[i] = 'X'
		case 'O', 'o', '0':
			out[i] = 'O'
		case '-', '.', '_':
			out[i] = '-'
		default:
			return size, "", 0, fmt.Errorf("%q is no square of a board", c)
		}
	}
	turn = out[size*size]
	if turn == '-' {
		return size, "", 0, fmt.Errorf("the board does not say who is to move")
	}
	return size, string(out[:size*size]), turn, nil
}

// formatBoard returns the value of BO for a start position text.
func formatBoard(variant, start string) (string, error) {
	size := 8
	if variant != "" {
		w, h, ok := strings.Cut(variant, "x")
		n, err := strconv.Atoi(w)
		if !ok || w != h || err != nil || n < 4 || n > 24 || n%2 != 0 {
			return "", record.Inexpressible("the variant %q", variant)
		}
		size = n
	}
	squares, turn := discs.Usual(size), byte('X')
	if start != "" {
		var err error
		if squares, turn, err = discs.Position(start, size); err != nil {
			return "", err
		}
	}
	text := strconv.Itoa(size)
	for y := range size {
		text += " " + squares[y*size:(y+1)*size]
	}
	return strings.ReplaceAll(text+" "+string(rune(turn)), "X", "*"), nil
}
