package chess

import (
	"qipu/board"
	"qipu/game"
	"qipu/game/chess/attack"
)

// The reasons why a move is refused, besides those of package game. All of them wrap
// game.ErrIllegal.
var (
	ErrNotStep     error = game.Illegal("a move takes a piece from one square to another")
	ErrNoPiece     error = game.Illegal("no piece stands there")
	ErrNotYours    error = game.Illegal("the piece is the opponent's")
	ErrOwnPiece    error = game.Illegal("a piece of the same side stands there")
	ErrNotItsMove  error = game.Illegal("the piece does not move like that")
	ErrBlocked     error = game.Illegal("the way is blocked")
	ErrNothing     error = game.Illegal("a pawn moves diagonally only to take")
	ErrCastle      error = game.Illegal("castling is not possible here")
	ErrShuffled    error = game.Illegal("only in chess:960 does a king castle from there")
	ErrInCheck     error = game.Illegal("the king stays in check")
	ErrExposed     error = game.Illegal("the king would be in check")
	ErrPromotion   error = game.Illegal("the pawn becomes another piece there: say which, as in e8=Q")
	ErrNoPromotion error = game.Illegal("nothing becomes another piece there")
	ErrNoSuchPiece error = game.Illegal("a pawn does not become that")
	ErrNotThere    error = game.Illegal("no such piece can move there")
	ErrAmbiguous   error = game.Illegal("several pieces could be meant")
)

// refusal returns the reason why a step is not legal. It is no hot path.
func (p *Position) refusal(from, to square) error {
	piece := p.on[from]
	switch {
	case piece == board.Empty:
		return ErrNoPiece
	case sideOf(piece) != p.turn:
		return ErrNotYours
	case kindOf(piece) == king && p.rules.castles && from.Rank() == to.Rank() && p.of[p.turn][rook].Has(to) && p.castlesElsewhere(from):
		return ErrShuffled
	case kindOf(piece) == king && p.rules.onto && p.ways.lost[to&63]&p.rights != 0 && p.own[p.turn].Has(to):
		return ErrCastle
	case p.own[p.turn].Has(to):
		return ErrOwnPiece
	}
	k := kindOf(piece)
	empty, real := p.reaches(k, from, 0), p.reaches(k, from, p.occupied())
	switch {
	case k == king && p.rules.castles && !p.rules.onto && from.Rank() == to.Rank() && (from+2 == to || to+2 == from):
		return ErrCastle
	case k == pawn && attack.Strikes[p.turn][from].Has(to):
		if to == p.passed {
			return ErrExposed
		}
		if !p.own[p.turn^1].Has(to) {
			return ErrNothing
		}
	case k == pawn && real.Has(to) || k != pawn && real.Has(to):
	case empty.Has(to):
		return ErrBlocked
	default:
		return ErrNotItsMove
	}
	if p.InCheck() {
		return ErrInCheck
	}
	return ErrExposed
}

// reaches returns where a piece would go if nothing but what is occupied were in its
// way, and no king had to be heeded.
func (p *Position) reaches(k kind, from square, occupied set) set {
	switch k {
	case king:
		return attack.Leaps[attack.OfKing][from]
	case queen:
		return attack.Slide(attack.OfBishop, from, occupied) | attack.Slide(attack.OfRook, from, occupied)
	case rook:
		return attack.Slide(attack.OfRook, from, occupied)
	case bishop:
		return attack.Slide(attack.OfBishop, from, occupied)
	case knight:
		return attack.Leaps[attack.OfKnight][from]
	}
	return p.pawnMoves(from, occupied) &^ attack.Strikes[p.turn][from]
}
