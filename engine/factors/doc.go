// Package factors counts what the first programs that learnt looked at, in the games that
// have records to learn from. Which factors there are is this project's reading: Samuel
// printed a list of his for checkers, and those of his that can be counted from the board
// alone are here under his words; for the other games nobody did.
//
// A factor is what one side has less what the other has, unless its name says otherwise.
package factors

import "qipu/game"

// both returns the sides in the view of one: itself, then the other.
func both(side game.Side) [2]game.Side { return [2]game.Side{side, side ^ 1} }

func clamp(n int) int8 { return int8(max(-99, min(99, n))) }
