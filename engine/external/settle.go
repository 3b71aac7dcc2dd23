package external

import (
	"context"
	"fmt"
	"strings"
	"time"

	"qipu/board"
	"qipu/engine"
	"qipu/game"
)

var _ engine.Settles = (*Engine)(nil)

// settling is how long a child may take to say what is dead.
const settling = time.Minute

// Dead asks the child what it holds for dead, in the game that it has just played.
// One that has no word for it, or none that can be understood, has no opinion: that
// is an error.
func (e *Engine) Dead(ctx context.Context, t *engine.Task) ([]board.Point, error) {
	ctx, end, err := e.solo.Begin(ctx)
	if err != nil {
		return nil, e.fail(err)
	}
	defer end()
	g, ok := e.talk.(*gtp)
	if !ok || e.child == nil || !g.known["final_status_list"] {
		return nil, e.fail(fmt.Errorf("it cannot be asked what is dead: %w", engine.ErrGame))
	}
	err = g.sync(ctx, t)
	text := ""
	if err == nil {
		text, err = g.ask(ctx, "final_status_list dead", settling)
	}
	if err != nil {
		e.drop() // nobody knows what its board is like
		return nil, e.fail(err)
	}
	var list []board.Point
	for word := range strings.FieldsSeq(text) {
		at := g.point(word)
		if at == board.NoPoint {
			return nil, e.fail(fmt.Errorf("it calls %q dead: %w", clip(word), game.ErrSyntax))
		}
		list = append(list, at)
	}
	return list, nil
}

// point reads a point of the board.
func (g *gtp) point(text string) board.Point {
	empty := g.rules.Start()
	for at := range g.rules.Geometry().Size.Points() {
		if strings.EqualFold(g.text(empty, game.Drop(at)), text) {
			return at
		}
	}
	return board.NoPoint
}
