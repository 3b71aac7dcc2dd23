package relation

import (
	"qipu/board"
	"qipu/game"
	"qipu/pattern/relation/syntax"
)

// Of Xiangqi, which most tests are about.
var syntaxSize = board.Size{W: 9, H: 10}

func syntaxSide(p board.Piece) game.Side { return grounds()[0].sideOf(p) }

// casesOf returns the patterns whose parent is a pattern, in order.
func casesOf(b *syntax.Base, id string) (list []*syntax.Pattern) {
	for _, p := range b.Patterns {
		if p.Parent == id && id != "" {
			list = append(list, p)
		}
	}
	return list
}

// Patterns returns the patterns in their order. They belong to the set.
func (s *Set) Patterns() []*syntax.Pattern { return s.patterns }
