package main

import (
	"strings"

	"qipu"
	"qipu/board"
	"qipu/pattern"
	"qipu/retrieve"
)

// differenceJSON is what a board has otherwise than the one that was asked for.
// Column and row are those of the cell as drawn; the point is that of the board
// of the game, and so is at, where a piece that moved stands.
type differenceJSON struct {
	Kind   string `json:"kind"` // missing, taken, moved or filled
	Column int    `json:"column"`
	Row    int    `json:"row"`
	Point  string `json:"point"`
	Want   string `json:"want"`            // as a diagram writes it
	Found  string `json:"found,omitempty"` // what stands there
	At     string `json:"at,omitempty"`
}

// difference returns a difference as --json prints it.
func (f *frame) difference(d *pattern.Difference) differenceJSON {
	g := f.Kind.Rules.Geometry()
	o := differenceJSON{Kind: d.Kind.String(), Column: d.X, Row: d.Y, Point: g.Name(d.Point), Want: f.Cell(d.Want)}
	if d.Found != board.Empty {
		o.Found = f.Cell(pattern.Of(d.Found))
	}
	if d.At != board.NoPoint {
		o.At = g.Name(d.At)
	}
	return o
}

// differences tells in words what the board of a row has otherwise. Of pieces on
// points that do not matter, only the number is told.
func (f *frame) differences(row *retrieve.Row) string {
	var list []string
	extra := false
	for i := range row.Differences {
		d := &row.Differences[i]
		list = append(list, qipu.DifferenceText(f.Kind.Rules.Geometry(), d))
		extra = extra || d.Kind == pattern.Filled
	}
	if row.Others > 0 && !extra {
		list = append(list, plural(int(row.Others), "more piece"))
	}
	return strings.Join(list, "; ")
}
