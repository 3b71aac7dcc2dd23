package xiangqi

import (
	"qipu/board"
	"qipu/game"
	"qipu/game/xiangqi/attack"
)

// The reasons why a move is refused, besides those of package game. All of
// them wrap game.ErrIllegal.
var (
	ErrNotStep    error = game.Illegal("a move takes a piece from one point to another")
	ErrNoPiece    error = game.Illegal("no piece stands there")
	ErrNotYours   error = game.Illegal("the piece is the opponent's")
	ErrOwnPiece   error = game.Illegal("a piece of the same side stands there")
	ErrNotItsMove error = game.Illegal("the piece does not move like that")
	ErrPalace     error = game.Illegal("the piece does not leave the palace")
	ErrRiver      error = game.Illegal("an elephant does not cross the river")
	ErrBackward   error = game.Illegal("a soldier does not go back")
	ErrUncrossed  error = game.Illegal("a soldier goes sideways only beyond the river")
	ErrBlocked    error = game.Illegal("the way is blocked")
	ErrLeg        error = game.Illegal("the leg of the horse is blocked")
	ErrEye        error = game.Illegal("the eye of the elephant is blocked")
	ErrScreen     error = game.Illegal("a cannon takes over exactly one piece")
	ErrFacing     error = game.Illegal("the kings would face each other")
	ErrInCheck    error = game.Illegal("the king stays in check")
	ErrExposed    error = game.Illegal("the king would be in check")
	ErrNotThere   error = game.Illegal("no such piece on that file")
	ErrAmbiguous  error = game.Illegal("several pieces could be meant")
)

// refusal returns the reason why a move is not legal. It is no hot path.
func (p *Position) refusal(from, to square) error {
	piece := p.on[from]
	switch {
	case piece == board.Empty:
		return ErrNoPiece
	case sideOf(piece) != p.turn:
		return ErrNotYours
	}
	if !p.reach(p.turn, kindOf(piece), from).Has(to) {
		return p.misstep(kindOf(piece), from, to)
	}
	switch {
	case p.own[p.turn].Has(to):
		return ErrOwnPiece
	case p.survey().check:
		return ErrInCheck
	case p.facing(from, to):
		return ErrFacing
	}
	return ErrExposed
}

// misstep returns the reason why a piece does not reach a square.
func (p *Position) misstep(k kind, from, to square) error {
	dx, dy := int(attack.X[to])-int(attack.X[from]), int(attack.Y[to])-int(attack.Y[from])
	ax, ay := max(dx, -dx), max(dy, -dy)
	forward := dy < 0 == (p.turn == game.First)
	switch k {
	case chariot, cannon:
		if (dx == 0) == (dy == 0) {
			return ErrNotItsMove
		}
		if k == cannon && p.on[to] != board.Empty {
			return ErrScreen
		}
		return ErrBlocked
	case horse:
		if ax*ay == 2 {
			return ErrLeg
		}
	case elephant:
		if ax == 2 && ay == 2 {
			if attack.Crossed(p.turn, to) {
				return ErrRiver
			}
			return ErrEye
		}
	case advisor:
		if ax == 1 && ay == 1 {
			return ErrPalace
		}
	case king:
		if ax+ay == 1 {
			return ErrPalace
		}
	case soldier:
		if ax == 1 && ay == 0 {
			return ErrUncrossed
		}
		if ax == 0 && ay != 0 && !forward {
			return ErrBackward
		}
	}
	return ErrNotItsMove
}

// facing reports whether a move leaves the kings on one file with nothing
// between them.
func (p *Position) facing(from, to square) bool {
	k, e := p.at[p.turn][0], p.at[p.turn^1][0]
	if k == from {
		k = to
	}
	if attack.X[k] != attack.X[e] {
		return false
	}
	file := p.files[attack.X[k]] >> 1
	if attack.X[from] == attack.X[k] {
		file &^= 1 << attack.Y[from]
	}
	if attack.X[to] == attack.X[k] {
		file |= 1 << attack.Y[to]
	}
	return file&attack.Between[attack.Y[k]][attack.Y[e]] == 0
}
