package library

import (
	"context"
	"sync"
	"time"

	"qipu/index"
	"qipu/interval"
	"qipu/library/knowledge"
	"qipu/store"
)

// markers returns who tells what has a name in lines of games that the library has.
func (l *Library) markers(tally []index.Tally) (map[*index.Kind][]interval.Marker, error) {
	all := map[*index.Kind][]interval.Marker{}
	for _, t := range tally {
		book, err := l.knowledge.Names(t.Kind)
		if err != nil {
			return nil, err
		}
		if list := book.Markers(); len(list) > 0 {
			all[t.Kind] = list
		}
	}
	return all, nil
}

// BuildNames makes the index of names complete: for every pattern that was added
// or changed, and for every game that has come since. Tables that are due to be merged
// are merged first, since the columns of a table end with it. It costs next to nothing where
// nothing is missing, and one walk along the games else, some thousands a second.
// Without it names are looked for by that walk each time. It may be stopped, and be
// gone on with.
func (l *Library) BuildNames(ctx context.Context, progress store.Progress) (store.Marked, error) {
	for more := true; more; {
		var err error
		if more, err = l.store.Merge(ctx); err != nil {
			return store.Marked{}, err
		}
	}
	tally, err := l.Tally(ctx)
	if err != nil {
		return store.Marked{}, err
	}
	all, err := l.markers(tally)
	if err != nil {
		return store.Marked{}, err
	}
	return l.store.BuildMarks(ctx, all, progress)
}

// nameKeeper has the index of names follow the library in the background.
type nameKeeper struct {
	sync.Mutex
	stop   context.CancelFunc
	done   chan struct{}
	closed bool
}

// The index of names may lag behind by namePause: an import adds games all the time,
// and tables that it makes are soon merged. Where it cannot be made, the pause doubles
// with every try, up to namePatience.
const (
	namePause    = 2 * time.Second
	namePatience = 10 * time.Minute
)

// KeepNames has the index of names follow the library in the background, from now
// on until it is closed: after imports, merges and edits of patterns. Failed is told
// what went wrong; further tries follow, at growing distances. It is for who serves a
// library; a second call does nothing, nor does one for a library that is open for
// reading alone.
func (l *Library) KeepNames(failed func(error)) {
	k := &l.names
	k.Lock()
	defer k.Unlock()
	if k.stop != nil || k.closed || l.options.ReadOnly {
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	k.stop, k.done = cancel, make(chan struct{})
	go func() {
		defer close(k.done)
		l.followNames(ctx, failed)
	}()
}

// followNames makes the index of names anew whenever something has changed.
func (l *Library) followNames(ctx context.Context, failed func(error)) {
	type state struct {
		version  store.Version
		patterns knowledge.Version
	}
	var built state // what the index was made for
	pause := namePause
	for {
		version, err := l.store.Records().Version(ctx)
		now := state{version: version, patterns: l.knowledge.Versions().Patterns}
		if err == nil && now != built && l.Leads() { // else whoever leads makes it
			_, err = l.BuildNames(ctx, nil)
		}
		switch {
		case err == nil:
			built, pause = now, namePause
		case ctx.Err() == nil:
			failed(err)
			pause = min(2*pause, namePatience)
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause):
		}
	}
}

// StopNames ends what KeepNames has begun, for good.
func (l *Library) StopNames() {
	k := &l.names
	k.Lock()
	defer k.Unlock()
	k.closed = true
	if k.stop != nil {
		k.stop()
		<-k.done
	}
}
