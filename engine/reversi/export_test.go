package reversi

// evaluate returns the value of a position for the side to move by its look
// alone, in hundredths of a disc. It reads all of the board; a search keeps
// features instead.
func evaluate(own, opp uint64) int {
	return Trained().evaluate(own, opp)
}
