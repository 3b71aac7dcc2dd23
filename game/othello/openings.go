package othello

import _ "embed"

//go:embed openings.txt
var openings string

// Openings returns the table of named openings, which hold on the usual board.
func (r *Rules) Openings() (text string, drawn bool) {
	if r.info.Variant != "" {
		return "", false
	}
	return openings, false
}
