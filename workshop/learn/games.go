package learn

import (
	"math/bits"
	"strconv"

	"qipu/board"
	"qipu/game/othello"
	"qipu/record"
)

// Game is what training needs of a record.
type Game struct {
	squares []uint8 // 8*row+column, without passes

	// theory is Black's advantage with best play from where solved squares were
	// empty; solved is 0 where it is not known.
	theory, solved int8
}

// TheoryEmpties is how many squares are empty where WTHOR games have been
// solved.
const TheoryEmpties = 24

// FromRecord reads a game of Othello on 8x8 from its usual start; ok is false
// for others and for games that break the rules.
func FromRecord(p *record.Played) (g Game, ok bool) {
	if p.Rules != othello.Standard || !p.Legal() || len(p.Steps) == 0 {
		return g, false
	}
	pos := startPosition
	for _, s := range p.Steps {
		to := s.Move.To()
		if to == board.NoPoint {
			continue
		}
		sq := uint8(to/board.Stride<<3 | to&7)
		if !pos.play(sq) {
			return g, false // from another start
		}
		g.squares = append(g.squares, sq)
	}
	for _, t := range p.Game.Tags {
		n, err := strconv.Atoi(t.Value)
		if err != nil {
			continue
		}
		switch t.Name {
		case "TheoreticalDiscs":
			g.theory = int8(2*n - 64)
			if g.solved == 0 {
				g.solved = TheoryEmpties
			}
		case "TheoreticalEmpties":
			g.solved = int8(n)
		}
	}
	return g, true
}

// Held reports whether the game is kept out of training to measure by: one of
// twenty, by its moves, so that copies of a game stay together.
func (g *Game) Held() bool {
	h := uint64(0)
	for _, sq := range g.squares {
		h = board.Mix(h ^ uint64(sq))
	}
	return h%20 == 0
}

// position is a position on the way through a game.
type position struct {
	own, opp uint64
	white    bool // White is to move
}

var startPosition = position{own: 1<<28 | 1<<35, opp: 1<<27 | 1<<36}

func (p *position) empties() int { return 64 - bits.OnesCount64(p.own|p.opp) }

// play makes a move, and the pass that may follow from it; false where the
// move turns nothing over.
func (p *position) play(sq uint8) bool {
	if (p.own|p.opp)>>sq&1 != 0 {
		return false
	}
	turned := othello.Flips(p.own, p.opp, uint(sq))
	if turned == 0 {
		return false
	}
	p.own, p.opp = p.opp&^turned, p.own|turned|1<<sq
	p.white = !p.white
	if othello.Movable(p.own, p.opp) == 0 && othello.Movable(p.opp, p.own) != 0 {
		p.own, p.opp = p.opp, p.own
		p.white = !p.white
	}
	return true
}

// known returns the value of a position for the side to move, where the record
// tells it; up to slack moves before that it is the value if they were the
// best.
func (g *Game) known(p *position, slack int) (value float32, ok bool) {
	before := p.empties() - int(g.solved)
	if g.solved == 0 || before < 0 || before > slack {
		return 0, false
	}
	if p.white {
		return -float32(g.theory), true
	}
	return float32(g.theory), true
}

// walk calls visit for every position of the game with a move to make.
func (g *Game) walk(visit func(p *position)) {
	p := startPosition
	for _, sq := range g.squares {
		visit(&p)
		p.play(sq)
	}
	if othello.Movable(p.own, p.opp) != 0 {
		visit(&p)
	}
}
