package judge

import (
	"sync"
)

// Pool lends judges to many at once. The zero value is ready, and safe for
// concurrent use.
type Pool struct {
	// New makes a judge where none is free; one without an eye if it is nil.
	New func() *Judge

	judges sync.Pool
}

// Do lends a judge for the time of a call; it must not be kept.
func (p *Pool) Do(f func(*Judge)) {
	j, ok := p.judges.Get().(*Judge)
	if !ok {
		fresh := p.New
		if fresh == nil {
			fresh = New
		}
		j = fresh()
	}
	f(j)
	p.judges.Put(j)
}
