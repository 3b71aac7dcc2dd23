package weiqi

import (
	_ "embed"

	"qipu/board"
)

//go:embed openings.txt
var openings string

// Openings returns the diagrams of named openings, which hold on 19x19 by every
// rule set.
func (r *Rules) Openings() (text string, drawn bool) {
	if r.Geometry().Size != (board.Size{W: 19, H: 19}) {
		return "", false
	}
	return openings, true
}
