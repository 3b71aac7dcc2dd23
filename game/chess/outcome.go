package chess

import (
	"qipu/game"
	"qipu/game/chess/attack"
)

// ByDeadPosition is the end of a game in which nobody can be mated any more.
const ByDeadPosition game.Reason = "dead position"

// quietPlies without a capture or a move of a pawn may be claimed as a draw.
const quietPlies = 100

// Outcome tells whether and how the game has ended. Mate and stalemate are final,
// the others are claims.
func (p *Position) Outcome() game.Outcome {
	if p.stuck() {
		if p.InCheck() {
			return game.Outcome{State: game.Won, Winner: p.turn ^ 1, Reason: game.ByMate}
		}
		return game.Outcome{State: game.Drawn, Reason: game.ByStalemate}
	}
	switch {
	case p.dead():
		return game.Outcome{State: game.Drawn, Reason: ByDeadPosition, Claim: true}
	case p.repeated():
		return game.Outcome{State: game.Drawn, Reason: game.ByRepetition, Claim: true}
	case p.quiet >= quietPlies:
		return game.Outcome{State: game.Drawn, Reason: game.ByQuietMoves, Claim: true}
	}
	return game.Outcome{}
}

// repeated reports whether the position has come for the third time.
func (p *Position) repeated() bool {
	times, end := 1, len(p.past)
	for back := 4; back <= end && back <= int(p.quiet); back += 2 {
		if p.past[end-back].hash == p.hash {
			if times++; times == 3 {
				return true
			}
		}
	}
	return false
}

// dead reports whether no moves at all could mate a king: both sides have at most
// bishops of one colour of squares, or together one knight.
func (p *Position) dead() bool {
	for side := range p.of {
		of := &p.of[side]
		if of[pawn]|of[rook]|of[queen] != 0 {
			return false
		}
	}
	knights, bishops := p.of[0][knight]|p.of[1][knight], p.of[0][bishop]|p.of[1][bishop]
	if knights != 0 {
		return bishops == 0 && !knights.Several()
	}
	return bishops&attack.Dark == 0 || bishops&^attack.Dark == 0
}
