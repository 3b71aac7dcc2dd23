package bookview

import (
	"qipu/book"
	"qipu/game"
	"qipu/view"
	"qipu/view/gameview"
)

// FactsOf returns what a book knows of the moves of a game, from its start on as far
// as another game went the same way.
func FactsOf(at *gameview.Standing, b *book.Book) ([]view.ReviewFact, error) {
	facts := []view.ReviewFact{}
	task, err := at.Task()
	if err != nil {
		return facts, err
	}
	moves := task.Moves
	task.Moves = nil
	p, err := task.Position()
	if err != nil {
		return facts, err
	}
	keys := book.NewKeyer(at.Rules)
	for i, m := range moves {
		e, ok := b.Look(p, book.LookOptions{NoBelow: true})
		if !ok || e.N < 2 {
			break
		}
		if !e.Passed {
			fact := view.ReviewFact{Ply: i + 1, Move: at.Move(p, m, at.Write), Games: e.N}
			for j := range e.Moves {
				c := &e.Moves[j]
				if same(keys, p, c.Move, m) {
					fact.Played, fact.Score = c.N, CountsOf(c.Counts, e.Side)
				} else if j == 0 {
					usual := at.Move(p, c.Move, at.Write)
					fact.Usual = &usual
				}
			}
			facts = append(facts, fact)
		}
		if err := p.Play(m); err != nil {
			return facts, err
		}
	}
	return facts, nil
}

// same tells whether two moves are one in the pictures of a position.
func same(keys *book.Keyer, p game.Position, a, b game.Move) bool {
	if a == b {
		return true
	}
	after := func(m game.Move) (k book.Key, ok bool) {
		if p.Play(m) != nil {
			return k, false
		}
		defer p.Undo()
		k, _ = keys.Key(p)
		return k, true
	}
	ka, okA := after(a)
	kb, okB := after(b)
	return okA && okB && ka == kb
}
