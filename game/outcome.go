package game

import "strconv"

// State tells how far a game has come.
type State uint8

// The states of a game.
const (
	Ongoing  State = iota
	Won            // Outcome.Winner has won
	Drawn          // nobody has won
	Unscored       // play has ended, but the score needs an agreement (dead stones)
	Void           // ended without result (Go: long cycles under Japanese rules)
)

var stateNames = [...]string{"ongoing", "won", "drawn", "unscored", "void"}

// String returns the name of the state.
func (s State) String() string { return stateNames[s] }

// Reason says what ended a game.
type Reason string

// The reasons that games give.
const (
	ByCount          Reason = "count"           // discs or points were counted
	ByLine           Reason = "line"            // stones in a row
	ByFull           Reason = "full board"      // no point is left
	ByForbidden      Reason = "forbidden move"  // Renju: Black made a foul
	ByMate           Reason = "mate"            //
	ByStalemate      Reason = "stalemate"       // no legal move, not in check
	ByPasses         Reason = "passes"          // both sides passed
	ByRepetition     Reason = "repetition"      // the position came back too often
	ByPerpetualCheck Reason = "perpetual check" // one side repeated by checking
	ByPerpetualChase Reason = "perpetual chase" // one side repeated by chasing
	ByQuietMoves     Reason = "quiet moves"     // too many moves without a capture
)

// Outcome tells whether and how a game has ended.
type Outcome struct {
	State  State
	Winner Side // 0 and without meaning unless State is Won
	Reason Reason

	// Margin is the winner's lead in half points where the game is counted.
	Margin int

	// Claim marks an end that an arbiter calls (repetition, quiet moves): moves
	// stay possible, and records often go on.
	Claim bool
}

// Over reports whether the game has ended, be it by claim.
func (o Outcome) Over() bool { return o.State != Ongoing }

// Final reports whether the game has ended so that no move can follow.
func (o Outcome) Final() bool { return o.Over() && !o.Claim }

// Describe returns the outcome in words, with the names of the sides.
func (o Outcome) Describe(info *Info) string {
	text := o.State.String()
	if o.State == Won {
		text = info.Sides[o.Winner].Name + " won"
		if o.Margin != 0 {
			text += " by " + strconv.FormatFloat(float64(o.Margin)/2, 'f', -1, 64)
		}
	}
	if o.Reason != "" {
		text += " (" + string(o.Reason) + ")"
	}
	return text
}
