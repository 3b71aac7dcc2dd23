package retrieve

import (
	"context"
	"errors"
	"time"

	"qipu/index"
)

// Pacer lets many requests that are answered at once take turns, block by block.
type Pacer interface {
	// Pause is called before each block by one goroutine of a request at a time, and
	// may wait there. More is false where the request has had as much work as it may.
	Pause(ctx context.Context) (more bool, err error)

	// Help reports whether another goroutine may look at a block beside that one;
	// done is called behind the block.
	Help() (done func(), ok bool)
}

type pacerKey struct{}

// Paced returns a context in which whatever is looked for takes turns.
func Paced(ctx context.Context, p Pacer) context.Context {
	return context.WithValue(ctx, pacerKey{}, p)
}

func pacerOf(ctx context.Context) Pacer {
	p, _ := ctx.Value(pacerKey{}).(Pacer)
	return p
}

// ErrEnough tells that a request had as much work as it may, and not all was looked at.
var ErrEnough = errors.New("retrieve: the query takes more work than one may have")

// pace runs jobs in turns: the goroutine that calls it looks at blocks, and others
// beside it where these may.
func (f *finder) pace(ctx context.Context, p Pacer, jobs <-chan *job, workers int) {
	idle := make(chan *worker, workers) // the helpers that have nothing to do, and those that are not there yet
	for range workers - 1 {
		idle <- nil
	}
	first := f.worker(ctx)
	for j := range jobs {
		if more, err := p.Pause(ctx); err != nil || !more {
			if j.err = err; err == nil {
				j.err = ErrEnough
			}
			close(j.done)
			continue
		}
		select {
		case w := <-idle:
			if done, ok := p.Help(); ok {
				if w == nil {
					w = f.worker(ctx)
				}
				go func() {
					w.do(ctx, j)
					done()
					idle <- w
				}()
				continue
			}
			idle <- w
		default:
		}
		first.do(ctx, j)
	}
	for range workers - 1 {
		<-idle
	}
}

// What looking at one line costs, about, as measured on games of Go, Xiangqi and
// Othello: docs/performance.md has the queries.
const (
	lineWork = time.Microsecond     // where the board lies in few ways
	wayWork  = time.Nanosecond      // for each way in which it may lie
	factWork = 50 * time.Nanosecond // where headers alone are looked at
	listWork = 8                    // in how many lines of so many an index leaves a line to look at
)

// Foresee tells before a request is answered how much work that may be, without reading
// any game. It knows the ways in which boards may lie, whether an index leads to them,
// and how many lines there are; not how often their stones come and go.
func Foresee(v index.View, r *Request) (time.Duration, error) {
	f, err := newFinder(v, r)
	if err != nil {
		return 0, err
	}
	if shape, _, ok := among(f.query); ok && f.Depth == 0 && shape.Pattern.From <= 0 && shape.Pattern.To < 0 && wholeBoard(r.Kind, shape.Pattern) != nil {
		return 0, nil // found by its hash
	}
	if err := f.compile(); err != nil {
		return 0, err
	}
	lines := time.Duration(f.total())
	if !hasMoments(f.query) {
		for _, part := range f.Also {
			lines += time.Duration(linesOf(v, part.Kind, f.Variations))
		}
		return lines * factWork, nil
	}
	if f.plan.Expr != (index.Expr)(index.All{}) {
		lines /= listWork
	}
	return lines * (lineWork + time.Duration(f.ways)*wayWork), nil
}
