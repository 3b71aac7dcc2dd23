package checkers

import _ "embed"

//go:embed openings.txt
var openings string

// Openings returns the table of named openings.
func (Rules) Openings() (text string, drawn bool) { return openings, false }
