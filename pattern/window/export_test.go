package window

import (
	"qipu/board"
	"qipu/game"
)

// Stats tells what a set is made of.
type Stats struct {
	Shapes   int `json:"shapes"`
	Variants int `json:"variants"` // distinct orientations, in both colours
	Blocks   int `json:"blocks"`   // of up to 64 rings in the index
	Tests    int `json:"tests"`    // of single rings in the index
	Open     int `json:"open"`     // tests made at every point, twice
	Bytes    int `json:"bytes"`    // of all that, without the table of 3x3
}

// Stats returns what the set is made of.
func (s *Set) Stats() Stats {
	st := Stats{
		Shapes: s.Len(),
		Blocks: len(s.blocks),
		Tests:  len(s.tests),
		Open:   len(s.open),
		Bytes:  16*len(s.lists) + (8*16*8+4*lanes)*len(s.blocks) + 12*len(s.tests) + 24*len(s.open) + 8*len(s.variants),
	}
	for i, v := range s.variants {
		if v.first == board.Symmetry(i&7) {
			st.Variants += 2
		}
	}
	return st
}

// AppendHitsOf is AppendHits for the shapes that are one side's own.
func (s *Set) AppendHitsOf(dst []Hit, w *Windows, side game.Side) []Hit {
	var room [1024]uint32
	for y := range w.size.H {
		row := w.words[origin+y*board.Stride:][:w.size.W]
		for x, word := range row {
			for _, id := range s.find(room[:0], word) {
				if sym(id).swap() == (side == game.Second) {
					dst = s.report(dst, w, id, x, y)
				}
			}
		}
	}
	return dst
}
