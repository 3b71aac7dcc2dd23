package facts

// Verdict is who won.
type Verdict uint8

// The verdicts.
const (
	Unknown   Verdict = iota
	FirstWon          // the side that moves first in the game: Black, or Red in Xiangqi
	SecondWon         //
	Drawn             //
	BothLost          //
	Void              // played, but without result
	Unfinished        // broken off, adjourned, not played
)

// Result is how a game ended.
type Result struct {
	Verdict Verdict
	Margin  float64 // points; 0 where unknown or none
	How     string  // "resign", "time", "forfeit", "count", "judge", "five", "mate"; "" unknown
}

// ParseResult reads a result as records of a game ("weiqi", "xiangqi", ...)
// have it.
func ParseResult(kind, text string) Result { return Result{} }
