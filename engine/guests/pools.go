package guests

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"qipu/engine"
	"qipu/game"
)

// Pools share the programs of a file among all who ask: of each there is at most one
// process, which thinks for one after the other, and ends when nobody has asked for a
// while. It is safe for concurrent use.
type Pools struct {
	File *File
	Idle time.Duration // until an engine that nobody asks is closed; 0 for five minutes

	mu    sync.Mutex
	ended bool
	pools map[string]*pooled // by name
}

// pooled is a pool with what it was made for: an owner may change an engine.
type pooled struct {
	*engine.Pool
	guest string
}

// queue is how many may wait for one program.
const queue = 32

// Of returns the pool of an engine that plays by some rules. The error wraps
// ErrUnknown or engine.ErrGame.
func (p *Pools) Of(name string, r game.Rules) (*engine.Pool, error) {
	g, err := p.File.Find(name)
	if err != nil {
		return nil, err
	}
	if !g.Plays(p.File.games, r) {
		return nil, fmt.Errorf("%w: %s", engine.ErrGame, g.Name)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ended {
		return nil, engine.ErrClosed
	}
	as := fmt.Sprintf("%+v", *g)
	old := p.pools[g.Name]
	if old != nil && old.guest == as {
		return old.Pool, nil
	}
	if old != nil {
		go old.Close() // thoughts of what it was are over
	}
	idle := p.Idle
	if idle == 0 {
		idle = 5 * time.Minute
	}
	made := engine.NewPool(engine.PoolOptions{Size: 1, Queue: queue, Idle: idle, Make: func(r game.Rules) (engine.Engine, error) {
		return p.File.start(context.Background(), g, r)
	}})
	if p.pools == nil {
		p.pools = map[string]*pooled{}
	}
	p.pools[g.Name] = &pooled{made, as}
	return made, nil
}

// Busy returns how many programs are at work.
func (p *Pools) Busy() (n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, x := range p.pools {
		n += x.Busy()
	}
	return n
}

// Close ends all programs.
func (p *Pools) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ended = true
	var errs []error
	for _, x := range p.pools {
		errs = append(errs, x.Close())
	}
	return errors.Join(errs...)
}
