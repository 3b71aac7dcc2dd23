package xiangqi

import (
	"context"
	"fmt"

	"qipu/engine"
	"qipu/engine/mating"
	"qipu/game"
	"qipu/game/xiangqi"
)

var _ engine.Prover = (*Engine)(nil)

// What a proof may cost where nobody says, and at most.
const (
	usualMate = 600_000
	mostMates = 50_000_000
)

// Prove looks for a mate of the side to move. Mates by checks alone are found by proof
// numbers, depth first, and played through by the rules against every answer; where there is
// none, the search of the engine looks for one with quiet moves.
func (e *Engine) Prove(ctx context.Context, t *engine.Task, nodes int64) (*engine.Proof, error) {
	if _, ok := t.Rules.(*xiangqi.Rules); !ok {
		return nil, fmt.Errorf("%s: %w", e.o.Name, engine.ErrGame)
	}
	p, err := t.Position()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", e.o.Name, err)
	}
	if len(p.AppendMoves(nil)) == 0 {
		return nil, engine.ErrOver
	}
	ctx, end, err := e.solo.Begin(ctx)
	if err != nil {
		return nil, err
	}
	defer end()
	if nodes <= 0 {
		nodes = usualMate
	}
	proof, err := mating.Prove(&mateBoard{b: arrange(p)}, p, min(nodes, mostMates), func() bool { return ctx.Err() != nil })
	if err == nil && !proof.Won && ctx.Err() == nil {
		err = e.quietly(ctx, t, nodes-min(proof.Nodes, nodes-1), proof)
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return proof, err
}

// quietly has the search look for a mate, and tells a proof of it.
func (e *Engine) quietly(ctx context.Context, t *engine.Task, nodes int64, proof *engine.Proof) error {
	th, err := e.begin(ctx, t, engine.Limits{Nodes: nodes})
	if err != nil {
		return err
	}
	unhook := context.AfterFunc(ctx, func() { th.stop.Store(true) })
	defer unhook()
	th.deepen(nil)
	proof.Nodes += th.crew[0].nodes
	proof.Ended = true
	if r := th.report; r != nil && r.Best().Exact && r.Best().Value > engine.Decided {
		best := r.Best()
		proof.Won, proof.Ended, proof.By = true, false, "mate"
		proof.Plies, proof.Line = int(engine.Win-best.Value), best.Moves
		proof.Line = proof.Line[:min(len(proof.Line), proof.Plies)]
	}
	return nil
}

// mateBoard is the board as mates are looked for on it.
type mateBoard struct {
	b    position
	line []move
	past []former
	list []move
}

func (m *mateBoard) Play(t mating.Move) {
	m.line, m.past = append(m.line, move(t)), append(m.past, m.b.play(move(t)))
}

func (m *mateBoard) Back() {
	n := len(m.line) - 1
	m.b.back(m.line[n], m.past[n])
	m.line, m.past = m.line[:n], m.past[:n]
}

func (m *mateBoard) Key() uint64                   { return m.b.hash }
func (m *mateBoard) Outer(t mating.Move) game.Move { return move(t).outer() }
func (m *mateBoard) Inner(t game.Move) mating.Move { return mating.Move(inner(t)) }

// Moves lists the legal moves of the side to move; of the side that mates only checks.
func (m *mateBoard) Moves(dst []mating.Move, checks bool) []mating.Move {
	b := &m.b
	m.list = b.moves(m.list[:0], b.captures().Or(b.empty()))
	dst = dst[:0]
	held := b.attacked(b.turn)
	for _, t := range m.list {
		if checks && !b.touches(t, b.turn^1) {
			continue
		}
		king := b.king[b.turn] == t.from()
		f := b.play(t)
		ok := !(held || king || b.touches(t, b.turn^1)) || !b.attacked(b.turn^1)
		ok = ok && (!checks || b.attacked(b.turn))
		b.back(t, f)
		if ok {
			dst = append(dst, mating.Move(t))
		}
	}
	return dst
}
