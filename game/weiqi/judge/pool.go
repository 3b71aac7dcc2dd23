package judge

import (
	"sync"
)

// Pool lends judges to many at once. The zero value is ready, and safe for
// concurrent use.
type Pool struct{ judges sync.Pool }

// Do lends a judge for the time of a call; it must not be kept.
func (p *Pool) Do(f func(*Judge)) {
	j, ok := p.judges.Get().(*Judge)
	if !ok {
		j = New()
	}
	f(j)
	p.judges.Put(j)
}
