package renju

import (
	"context"
	"errors"
	"fmt"

	"qipu/engine"
	"qipu/game"
	rules "qipu/game/renju"
)

var _ engine.Prover = (*Engine)(nil)

// What a proof may cost where nobody says: positions of the search, positions of the
// check, and how often a hole in a proof is mended.
const (
	usualProof = 400_000
	mostCheck  = 60_000
	mostMended = 20
)

// Prove looks for a win by a five, by fours, or by threats of the side to move. What it
// finds is checked by the rules: a win that is told of as checked holds against every
// answer.
func (e *Engine) Prove(ctx context.Context, t *engine.Task, nodes int64) (*engine.Proof, error) {
	r, ok := t.Rules.(*rules.Rules)
	if !ok {
		return nil, fmt.Errorf("%s: %w", e.Info().Name, engine.ErrGame)
	}
	pos, err := t.Position()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", e.Info().Name, err)
	}
	p := pos.(*rules.Position)
	if p.CountMoves() == 0 {
		return nil, engine.ErrOver
	}
	ctx, end, err := e.solo.Begin(ctx)
	if err != nil {
		return nil, err
	}
	defer end()
	if nodes <= 0 {
		nodes = usualProof
	}
	w := newThreats(newTable(p, r), int(p.Turn()), new(failures), nodes)
	w.stop = func() bool { return ctx.Err() != nil }
	proof, err := w.prove(p)
	if err := context.Cause(ctx); err != nil && ctx.Err() != nil {
		return nil, err
	}
	return proof, err
}

// prove looks for a win, checks it, and mends what the check finds.
func (w *threats) prove(p *rules.Position) (*engine.Proof, error) {
	proof, fours := &engine.Proof{}, false
	if w.wins(w.side, maxFours, w.limit/2) {
		f := &w.fours
		fours = true
		proof.Won, proof.By, proof.Plies = true, w.name(), f.plies()
		proof.Line = movesOf(f.line)
		if len(f.ends) > 1 {
			proof.Line = append(proof.Line, moveOf(f.ends[0]), moveOf(f.ends[1]))
		}
		root := w.state(true)
		root.tried, root.fours = true, true
		root.settle(true, f.plies())
	}
	proof.Ended = w.fours.cut && !proof.Won
	for range mostMended {
		if !fours {
			if proof.Won = w.search(); !proof.Won {
				break
			}
			proof.By, proof.Line = "threats", movesOf(w.line())
			proof.Plies = w.plies(true, w.state(true))
		}
		c := &check{p: p, w: w, done: map[uint64]bool{}, most: mostCheck}
		err := c.attack()
		if errors.Is(err, errRefuted) && !fours && c.reply != 0 {
			if w.extra == nil {
				w.extra = map[uint64][]uint16{}
			}
			w.extra[c.at] = append(w.extra[c.at], c.reply)
			clear(w.known)
			proof.Won = false
			continue
		}
		if err == nil {
			proof.Checked = c.visited
		} else if errors.Is(err, errRefuted) {
			return nil, fmt.Errorf("renju: a win by %s: %w", proof.By, err)
		}
		break
	}
	if !proof.Won {
		*proof = engine.Proof{Ended: proof.Ended || w.ended}
	}
	proof.Nodes = w.nodes
	return proof, nil
}

// name returns what players call the win by fours that was found.
func (w *threats) name() string {
	f := &w.fours
	x := &w.t.cells[f.line[0]]
	switch g := x.grade[w.side]; {
	case f.plies() == 1:
		return "five"
	case g == gFourFour && f.plies() == 3:
		for d := range directions {
			if shape(x.code[w.side]>>(4*d)&15) == fourOpen {
				return "open four"
			}
		}
		return "two fours"
	case (g == gFourThree || g == gFourThrees) && f.plies() == 5:
		return "four and three"
	}
	return "fours"
}

func movesOf(cells []uint16) (list []game.Move) {
	for _, c := range cells {
		list = append(list, moveOf(c))
	}
	return list
}
