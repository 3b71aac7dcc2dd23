package judge

import (
	"sync"

	"qipu/game/weiqi"
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

// Judge is [Judge.Judge] of a judge that is free.
func (p *Pool) Judge(pos *weiqi.Position, o Options) (r *Report, err error) {
	p.Do(func(j *Judge) { r, err = j.Judge(pos, o) })
	return r, err
}
