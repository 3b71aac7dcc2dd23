package xiangqi

import (
	"qipu/game"
	"qipu/game/xiangqi/attack"
)

// Outcome tells whether and how the game has ended. Mate and stalemate are
// final and lose for the side that has no move; repetition and quiet moves
// are claims, by the rule set of the position.
//
// Most calls only look for a legal move and for equal hashes since the last
// capture. The moves themselves are judged when a position has come back often
// enough, on a copy that is walked backwards.
func (p *Position) Outcome() game.Outcome {
	if p.stuck() {
		reason := game.ByStalemate
		if p.survey().check {
			reason = game.ByMate
		}
		return game.Outcome{State: game.Won, Winner: p.turn ^ 1, Reason: reason}
	}
	set := &p.rules.set
	if set.fold > 0 {
		if span := p.repeated(set.fold); span > 0 {
			return p.judge(span)
		}
	}
	if set.quiet > 0 && p.quiet >= set.quiet {
		return game.Outcome{State: game.Drawn, Reason: game.ByQuietMoves, Claim: true}
	}
	return game.Outcome{}
}

// repeated returns the number of plies since the position that is the
// fold-th of its kind when counted backwards from now, or 0 if it has not come
// back so often. A capture makes all earlier positions different.
func (p *Position) repeated(fold int) int {
	end := len(p.past)
	for back := 4; back <= end && back <= int(p.quiet); back += 2 {
		if p.past[end-back].hash == p.hash {
			if fold--; fold == 1 {
				return back
			}
		}
	}
	return 0
}

// judge says who is to blame for the last plies, which repeat a position.
func (p *Position) judge(span int) game.Outcome {
	checks := [2]bool{true, true}             // every move so far gave check
	chases := [2]uint16{1<<16 - 1, 1<<16 - 1} // the pieces that every move so far chased, by slot
	past := *p                                // walks back; the list of moves is shared and only read
	for range span {
		mover := past.turn ^ 1
		if past.survey().check {
			// A check is no chase, whatever else it attacks.
			chases[mover] = 0
		} else {
			checks[mover] = false
		}
		var after uint16
		if p.rules.set.chase && chases[mover] != 0 {
			after = past.chased(mover, false)
		}
		past.Undo()
		if chases[mover] &= after; chases[mover] != 0 {
			chases[mover] &^= past.chased(mover, past.survey().check)
		}
	}
	verdict := game.Outcome{State: game.Drawn, Reason: game.ByRepetition, Claim: true}
	switch {
	case checks[Red] != checks[Black]:
		verdict.Reason = game.ByPerpetualCheck
		verdict.Winner = loser(checks[Red]) ^ 1
	case !checks[Red] && (chases[Red] != 0) != (chases[Black] != 0):
		verdict.Reason = game.ByPerpetualChase
		verdict.Winner = loser(chases[Red] != 0) ^ 1
	default:
		return verdict
	}
	verdict.State = game.Won
	return verdict
}

// loser returns Red if Red is to blame, else Black.
func loser(red bool) game.Side {
	if red {
		return Red
	}
	return Black
}

// chased returns the pieces of the opponent, by slot, that a side chases as
// the board stands, were it to move. Unchecked leaves out the question whether
// the captures would be legal for the king: a side in check had its old
// attacks before the check, so that they are not new after it.
//
// The board is changed and restored meanwhile.
func (p *Position) chased(side game.Side, unchecked bool) (slots uint16) {
	at, first := &p.at[side], &p.first[side]
	for k := advisor; k < soldier; k++ {
		for i := first[k]; i < first[k+1]; i++ {
			s := at[i]
			if s == none {
				continue
			}
			for v := p.reach(side, k, s).And(p.own[side^1]); !v.Empty(); {
				victim := v.Pop()
				if p.chases(side, s, victim, unchecked) {
					slots |= 1 << p.slot[victim]
				}
			}
		}
	}
	return slots
}

// chases reports whether the attack of one piece on another is a chase.
func (p *Position) chases(side game.Side, from, victim square, unchecked bool) bool {
	k, v := kindOf(p.on[from]), kindOf(p.on[victim])
	switch {
	case v == king:
		return false
	case v == soldier && !attack.Crossed(side^1, victim):
		return false
	case !unchecked && p.exposed(side, from, victim):
		return false // no threat: the capture would be illegal
	case k == v && p.reach(side^1, v, victim).Has(from) && !p.exposed(side^1, victim, from):
		return false // an offer to exchange
	case (k == horse || k == cannon) && v == chariot:
		return true
	case (k == advisor || k == elephant) && (v == chariot || v == cannon || v == horse):
		return true
	}
	return !p.protected(side, from, victim)
}

// protected reports whether the opponent of side could legally retake after
// the capture of victim by the piece on from.
func (p *Position) protected(side game.Side, from, victim square) bool {
	piece, slot := p.on[victim], p.slot[victim]
	p.lift(victim)
	p.shift(from, victim)
	retaken := p.takes(side^1, victim)
	p.shift(victim, from)
	p.place(victim, piece, slot)
	return retaken
}

// takes reports whether a side has a legal capture on a square.
func (p *Position) takes(side game.Side, target square) bool {
	for _, s := range p.at[side] {
		if s != none && p.reach(side, kindOf(p.on[s]), s).Has(target) && !p.exposed(side, s, target) {
			return true
		}
	}
	return false
}
