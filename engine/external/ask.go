package external

import (
	"context"
	"errors"
	"time"

	"qipu/engine"
)

// Ask gives the child commands of the caller's own, one after the other, and
// returns what it answers to each; each may take as long as wait. What the board
// of the child is like behind them nobody knows: the next thought begins with a
// new one. A refusal ends it with an error, and so does a child that does not
// answer, which is started again for what comes next.
func (e *Engine) Ask(ctx context.Context, wait time.Duration, commands ...string) ([]string, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(e.ctx, func() { cancel(engine.ErrClosed) })()
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.child == nil {
		if err := e.launch(ctx); err != nil {
			e.drop()
			return nil, e.fail(err)
		}
	}
	e.start = "?"
	answers := make([]string, 0, len(commands))
	for _, command := range commands {
		text, err := e.child.ask(ctx, command, wait)
		if err != nil {
			var no *refusal
			if !errors.As(err, &no) {
				e.drop()
			}
			return nil, e.fail(err)
		}
		answers = append(answers, text)
	}
	return answers, nil
}
