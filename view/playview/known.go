package playview

import (
	"qipu/engine/endgame"
	"qipu/game"
	"qipu/view"
)

// KnownOf asks tables of endings about a position. The result is empty where they do not
// know it. The position is played on and taken back.
func KnownOf(tables *endgame.Tables, r game.Rules, p game.Position, write func(game.Position, game.Move) view.Move) (*view.Known, error) {
	k := &view.Known{Game: r.Info().Name, Position: game.FormatPosition(r, p), Moves: []view.KnownMove{}, Line: []view.Move{}}
	m, ok := r.(game.Manned)
	if !ok {
		return k, nil
	}
	k.Ending, _ = endgame.Name(m, p)
	v, ok, err := tables.Value(r, p)
	if err != nil || !ok {
		return k, err
	}
	list, ok, err := tables.Choices(r, p)
	if err != nil || !ok && !p.Outcome().Final() {
		return k, err
	}
	k.Result, k.Plies, k.Checks = v.Word(), v.Plies, v.Holder()
	for _, c := range list {
		k.Moves = append(k.Moves, view.KnownMove{Move: write(p, c.Move), Result: c.Word(), Plies: c.Plies, Checks: c.Holder()})
	}
	line, err := tables.Line(r, p, 500)
	if err != nil {
		return k, err
	}
	defer func() {
		for range k.Line {
			p.Undo()
		}
	}()
	for _, m := range line {
		next := write(p, m)
		if err := p.Play(m); err != nil {
			return k, err
		}
		k.Line = append(k.Line, next)
	}
	return k, nil
}
