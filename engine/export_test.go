package engine

import "slices"

// Levels returns the strengths of play, the weakest first. The list belongs to
// the caller.
func Levels() []Level { return slices.Clone(levels[:]) }
