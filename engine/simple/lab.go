package simple

import (
	"qipu/engine"
	"qipu/game"
)

// The judgements of small games go by what their positions count themselves.

// Stores judges Kalah by the seeds that are stored.
type Stores struct{}

// Evaluate returns the lead in seeds.
func (Stores) Evaluate(p game.Position) engine.Value {
	if q, ok := p.(interface{ Lead(game.Side) int }); ok {
		return engine.Value(q.Lead(p.Turn())) * engine.Unit
	}
	return 0
}

// Ways judges Hex by how many stones each side lacks on its shortest way.
type Ways struct{}

// Evaluate returns how many stones less the side to move lacks.
func (Ways) Evaluate(p game.Position) engine.Value {
	q, ok := p.(interface{ Missing(game.Side) int })
	if !ok {
		return 0
	}
	return engine.Value(q.Missing(p.Turn().Opponent())-q.Missing(p.Turn()))*engine.Unit + engine.Unit/2
}

// OpenRows judges games of rows by those that are open to one side alone: the more
// stones are in them, the more they are worth.
type OpenRows struct{}

// Evaluate returns the difference of the worths of all open rows.
func (OpenRows) Evaluate(p game.Position) engine.Value {
	q, ok := p.(interface{ Open() [2][9]int })
	if !ok {
		return 0
	}
	rows, v, worth := q.Open(), engine.Value(0), engine.Value(1)
	for n := 1; n < len(rows[0]); n++ {
		v += worth * engine.Value(rows[0][n]-rows[1][n])
		worth *= 4
	}
	if p.Turn() == game.Second {
		v = -v
	}
	return v
}

// Theory judges games that are solved: who wins is known, and all that is left to
// search is how. Else judges positions that theory does not reach; nil calls them even.
type Theory struct{ Else engine.Evaluator }

// theory is the value of a game that is won by theory.
const theory = 10 * engine.Unit

// Evaluate returns a sure win or a sure loss.
func (t Theory) Evaluate(p game.Position) engine.Value {
	won := false
	switch q := p.(type) {
	case interface{ Wins() bool }:
		won = q.Wins()
	case interface{ Wins() game.Side }:
		won = q.Wins() == p.Turn()
	default:
		winner, ok := game.Side(0), false
		if q, can := p.(interface{ Solved() (game.Side, bool) }); can {
			winner, ok = q.Solved()
		}
		switch {
		case ok:
			won = winner == p.Turn()
		case t.Else != nil:
			return t.Else.Evaluate(p)
		default:
			return 0
		}
	}
	if won {
		return theory
	}
	return -theory
}
