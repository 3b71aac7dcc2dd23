package cleanup

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"qipu/library"
	"qipu/library/cache"
	"qipu/store"
)

// Dismiss is what the journal calls it that proposals were dismissed.
const Dismiss = "dismiss"

// ErrNoProposal tells that a proposal is not there, or not any more.
var ErrNoProposal = errors.New("there is no such proposal")

// Room finds proposals in a library. It is safe for concurrent use; what it finds is kept until
// the library changes.
type Room struct {
	library *library.Library
	found   cache.Cache[struct{}, store.Version, []*Proposal]
}

// New returns the proposals of a library.
func New(l *library.Library) *Room { return &Room{library: l} }

// Proposals returns the proposals of some kinds, or all where none is named, without those that
// were dismissed; or only those with dismissed. They are ordered by kind, those of the most games
// first.
func (r *Room) Proposals(ctx context.Context, dismissed bool, kinds ...Kind) ([]*Proposal, error) {
	for _, k := range kinds {
		if !slices.Contains(Kinds, k) {
			return nil, fmt.Errorf("qipu: %w: no kind is called %q: there are %v", ErrNoProposal, k, Kinds)
		}
	}
	all, err := r.all(ctx)
	if err != nil {
		return nil, err
	}
	gone, err := r.dismissed(ctx)
	if err != nil {
		return nil, err
	}
	var list []*Proposal
	for _, p := range all {
		_, is := gone[p.ID]
		if is == dismissed && (len(kinds) == 0 || slices.Contains(kinds, p.Kind)) {
			list = append(list, p)
		}
	}
	return list, nil
}

func (r *Room) all(ctx context.Context) ([]*Proposal, error) {
	version, err := r.library.Version(ctx)
	if err != nil {
		return nil, err
	}
	return r.found.Get(ctx, struct{}{}, version, func() ([]*Proposal, error) { return find(ctx, r.library) })
}

// Find returns proposals by their ids.
func (r *Room) Find(ctx context.Context, ids []string) ([]*Proposal, error) {
	all, err := r.all(ctx)
	if err != nil {
		return nil, err
	}
	byID := map[string]*Proposal{}
	for _, p := range all {
		byID[p.ID] = p
	}
	var list []*Proposal
	for _, id := range ids {
		p := byID[id]
		if p == nil {
			return nil, fmt.Errorf("qipu: %s: %w: the library may have changed", id, ErrNoProposal)
		}
		if !slices.Contains(list, p) {
			list = append(list, p)
		}
	}
	return list, nil
}

// Accept makes the corrections of proposals, as one entry of the journal. Where several are
// about one header of a game, the first of them holds. It returns how many games have other
// headers now.
func (r *Room) Accept(ctx context.Context, list []*Proposal) (int, error) {
	type header struct {
		game  uint32
		field string
	}
	done := map[header]bool{}
	var all []store.Correction
	for _, p := range list {
		for _, c := range p.corrections {
			if at := (header{c.Game, c.Field}); !done[at] {
				done[at] = true
				all = append(all, c)
			}
		}
	}
	if len(all) == 0 {
		return 0, nil
	}
	slices.SortStableFunc(all, func(a, b store.Correction) int { return cmp.Compare(a.Game, b.Game) })
	return r.library.Correct(ctx, all)
}

// DismissAll has proposals not come back. It is an entry of the journal, too, and undoing it has
// them come back.
func (r *Room) DismissAll(ctx context.Context, list []*Proposal) error {
	ids := make([]string, len(list))
	for i, p := range list {
		ids[i] = p.ID
	}
	if len(ids) == 0 {
		return nil
	}
	return r.library.Edit(ctx, func(tx store.Tx) error {
		_, err := tx.AddPlayerEdit(store.PlayerEdit{Op: Dismiss, Names: ids})
		return err
	})
}

// dismissed returns the ids of what was dismissed.
func (r *Room) dismissed(ctx context.Context) (map[string]struct{}, error) {
	edits, err := r.library.Notes().PlayerEdits(ctx)
	gone := map[string]struct{}{}
	for _, e := range edits {
		if e.Op != Dismiss || e.Undone {
			continue
		}
		for _, id := range e.Names {
			gone[id] = struct{}{}
		}
	}
	return gone, err
}
