package renju

// style says how an engine reads. Tests and measurements leave parts of it out.
type style struct {
	worth   *[2][grades]int32 // what points are worth: see worth
	width   int               // how many moves are read in quiet positions, and two more a ply
	threats bool              // wins by threats are looked for at the root
	check   bool              // the best move is checked for wins by threats of the other side
	reduce  int               // late moves are read a ply less deep from this one on
	inner   bool              // threats of the other side narrow the moves within the tree
	null    bool              // where passing is good enough, so is the position
	extend  int               // plies of answers to threats behind the last one
}

// usualStyle is the strongest that was found: docs/renju-engine.md.
var usualStyle = style{worth: &worth, width: 12, threats: true, check: true, reduce: 3, inner: true}

// tuned is what engines are made with.
var tuned = usualStyle
