package review

import (
	"context"
	"errors"
	"fmt"

	"qipu/engine"
	"qipu/game"
)

// Finding is what a search has proved against a move, whatever values are worth.
type Finding struct {
	// Missed tells that the side had a win and has it no more behind the answer that was
	// given; else the move lets the other side win, though there was one that does not.
	Missed bool

	By     string      // how: "fours", "four and three", "mate"; see engine.Proof
	Called string      // what players call the end of it: "馬後炮"; empty for nothing
	Plies  int         // until the end
	Line   []game.Move // of the win
}

// String says it in words: "misses a win by fours in 7", "misses a mate in 3", which counts the
// moves of one side as players do.
func (f *Finding) String() string {
	verb := "lets the other side win"
	if f.Missed {
		verb = "misses a win"
	}
	if f.By == "mate" {
		moves := (f.Plies + 1) / 2
		switch {
		case f.Missed && f.Called != "":
			return fmt.Sprintf("misses %s in %d", f.Called, moves)
		case f.Missed:
			return fmt.Sprintf("misses a mate in %d", moves)
		case f.Called != "":
			return fmt.Sprintf("lets the other side mate by %s in %d", f.Called, moves)
		}
		return fmt.Sprintf("lets the other side mate in %d", moves)
	}
	return fmt.Sprintf("%s by %s in %d", verb, f.By, f.Plies)
}

// proofNodes is how many positions are looked at for a proof.
const proofNodes = 20_000

// proof returns the win of the side to move before a ply, where one is found.
func (w *reviewer) proof(ply int) (*engine.Proof, error) {
	if ply >= len(w.proofs) {
		return &engine.Proof{}, nil
	}
	if w.proofs[ply] == nil {
		t := &engine.Task{Rules: w.task.Rules, Start: w.task.Start, Moves: w.task.Moves[:ply:ply]}
		p, err := w.prover.Prove(w.ctx, t, proofNodes)
		switch {
		case errors.Is(err, engine.ErrOver):
			p = &engine.Proof{}
		case err != nil && w.ctx.Err() != nil:
			return nil, context.Cause(w.ctx)
		case err != nil:
			return nil, fmt.Errorf("review: a proof before move %d: %w", ply+1, err)
		}
		w.proofs[ply] = p
	}
	return w.proofs[ply], nil
}

// finding returns what is proved against a move; at is the verdict about the position
// before it. Only proofs that were checked count.
func (w *reviewer) finding(ply int, at verdict) (*Finding, error) {
	if w.prover == nil {
		return nil, nil
	}
	own, err := w.proof(ply)
	if err != nil {
		return nil, err
	}
	other, err := w.proof(ply + 1)
	if err != nil {
		return nil, err
	}
	of := func(missed bool, p *engine.Proof) *Finding {
		f := &Finding{Missed: missed, By: p.By, Plies: p.Plies, Line: p.Line}
		if w.options.Called != nil && len(p.Line) == p.Plies {
			before := ply
			if !missed {
				before++
			}
			t := &engine.Task{Rules: w.task.Rules, Start: w.task.Start, Moves: w.task.Moves[:before:before]}
			if board, err := t.Position(); err == nil {
				f.Called = w.options.Called(board, p.Line)
			}
		}
		return f
	}
	switch {
	case own.Won && own.Checked > 0:
		again, err := w.proof(ply + 2)
		if err != nil || again.Won || ply+1 >= len(w.task.Moves) {
			return nil, err // it has it still, or the game ended here
		}
		if ply+2 == len(w.task.Moves) && w.ended() {
			return nil, nil
		}
		return of(true, own), nil
	case other.Won && other.Checked > 0 && !own.Won && at.value > -engine.Decided && !w.moments[ply].forced:
		return of(false, other), nil
	}
	return nil, nil
}

// ended reports whether the last move has ended the game.
func (w *reviewer) ended() bool {
	p, err := w.task.Position()
	return err == nil && p.Outcome().Over()
}
