package chess

import _ "embed"

//go:embed openings.txt
var openings string

//go:embed codes.txt
var codes string

// Openings returns the table of named openings, with their codes, and of positions
// that have a code alone. They are those of the usual board.
func (r *Rules) Openings() (text string, drawn bool) {
	if r.info.Variant != "" {
		return "", false
	}
	return codes + openings, false
}
