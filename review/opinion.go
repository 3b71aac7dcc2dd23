package review

import (
	"math"

	"qipu/engine"
)

// Opinion tells whose word a review is, and what that is worth.
type Opinion struct {
	Engine, Version string

	// Counts tells that what the engine says is shown: its error is known, or
	// somebody has chosen it. Otherwise only what it has proved is.
	Counts bool

	// Accuracy is how wrong it is, by depth, and Measured how that is known; both
	// are empty where nobody has measured it. Then no move is called a mistake
	// that is not proved to be one.
	Accuracy []engine.Accuracy
	Measured string
	Itself   bool // against the engine itself, reading deeper
}

// OpinionOf returns what the word of an engine is worth. chosen tells that
// somebody wants to hear it.
func OpinionOf(info engine.Info, chosen bool) Opinion {
	return Opinion{
		Engine: info.Name, Version: info.Version, Counts: chosen || info.Guest || len(info.Accuracy) > 0,
		Accuracy: info.Accuracy, Measured: info.Measured, Itself: info.Itself,
	}
}

// Margin returns what a move must give away at least to have a mark, where the
// engine has read to a depth: less may be its own error.
func (o *Opinion) Margin(depth int) float64 {
	margin := math.Inf(1)
	for _, a := range o.Accuracy {
		if depth >= a.Depth {
			margin = a.Most
		}
	}
	return margin
}
