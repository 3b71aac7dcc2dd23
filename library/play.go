package library

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"qipu/play"
	"qipu/record"
	"qipu/store"
)

// Play returns a host of games whose sessions are kept in the library, and
// become records of it when they end. Options.Store, Keeper, Games and Settlers are set by
// it. It goes on with the games that there are; the library has to be open for
// writing. Close the host before the library.
// Fresh counts what a game adds to the book.
func (l *Library) Play(ctx context.Context, o play.Options, fresh Fresh) (*play.Host, error) {
	if l.options.ReadOnly {
		return nil, fmt.Errorf("qipu: games cannot be played: %w", store.ErrReadOnly)
	}
	o.Store, o.Keeper, o.Games = l.Notes().Sessions(), &sessionKeeper{library: l, fresh: fresh}, l.options.Games
	o.Settlers, o.Beside = l.options.Settlers, !l.Leads()
	return play.NewHost(ctx, o)
}

// Fresh returns how many positions of a game are new in the book.
type Fresh func(ctx context.Context, p *record.Played) (int, error)

// sessionKeeper makes records of games that have ended. The host calls it with the
// lock of the session held, so that Fresh and Keep of one session follow each other,
// while those of others run beside them; it takes no lock of its own but that of
// ended, and may wait for the writer of the library.
type sessionKeeper struct {
	library *Library
	fresh   Fresh

	// ended has what Fresh has played, for Keep: *record.Played by the number of
	// the session. From there it goes on to the store and, by Watcher.End, to the
	// book: a game that has ended is played once more, not once for each of them.
	ended sync.Map
}

// played returns the record of a session, played, as Fresh has left it; after a crash
// or a failure in between it is played anew.
func (k *sessionKeeper) played(s *play.Session, id int64) *record.Played {
	if p, ok := k.ended.LoadAndDelete(id); ok {
		return p.(*record.Played)
	}
	referee := record.NewReferee(k.library.options.Games)
	referee.Trace = true
	return referee.Play(s.Record(id))
}

// Fresh returns how many positions of a game are new in the book.
func (k *sessionKeeper) Fresh(ctx context.Context, s *play.Session, id int64) (int, error) {
	p := k.played(s, id)
	if p.Rules == nil {
		return 0, nil
	}
	k.ended.Store(id, p)
	return k.fresh(ctx, p)
}

// Keep makes the record of a session. The remark in it is that of no other game,
// so that no record takes its place, and it is a duplicate of itself alone: when
// a crash has kept its number from being noted.
func (k *sessionKeeper) Keep(ctx context.Context, s *play.Session, id int64) (uint32, bool, error) {
	p := k.played(s, id)
	plies := len(p.Steps)
	added, err := k.library.Add(ctx, p)
	if err != nil {
		return 0, false, err
	}
	known, err := k.library.knownBefore(ctx, added, plies)
	return added.ID, known, err
}

// knownBefore reports whether there was a game of the same moves before a record
// was added, or before it was added for the first time.
func (l *Library) knownBefore(ctx context.Context, a store.Added, plies int) (bool, error) {
	if a.Status == store.StatusNew {
		return false, nil
	}
	sources, err := l.store.Records().Sources(ctx, a.ID)
	if err != nil || len(sources) > 1 {
		return len(sources) > 1, err // it took the place of another record of the game
	}
	links, err := l.store.Records().Links(ctx, a.ID)
	if err != nil || len(links) == 0 {
		return false, err
	}
	ids := make([]uint32, len(links))
	for i := range links {
		ids[i] = links[i].Game
	}
	others, err := l.store.Records().Games(ctx, ids)
	return slices.ContainsFunc(others, func(g store.Game) bool { return g.Plies == plies && g.ID < a.ID }), err
}
