package journalview

import (
	"context"

	"qipu/library/cleanup"
	"qipu/store"
	"qipu/view"
)

// Samples is how many records are shown of a proposal.
const Samples = 3

// ProposalsOf returns proposals with some of the records that each changes. Games reads what
// lists show of records.
func ProposalsOf(ctx context.Context, list []*cleanup.Proposal, games func(context.Context, []uint32) ([]store.Game, error)) ([]view.Proposal, error) {
	out := []view.Proposal{}
	var ids []uint32
	for _, p := range list {
		ids = append(ids, p.Games[:min(Samples, len(p.Games))]...)
	}
	rows, err := games(ctx, ids)
	if err != nil {
		return nil, err
	}
	for _, p := range list {
		w := view.Proposal{
			ID: p.ID, Kind: string(p.Kind), Reason: string(p.Reason), Fields: p.Fields, Before: p.Before, After: p.After,
			Spelt: p.Spelt, Records: len(p.Games), Samples: []view.ProposalSample{},
		}
		for i := range min(Samples, len(p.Games)) {
			s := view.ProposalSample{ID: p.Games[i], Changes: []view.ProposalChange{}}
			for _, c := range p.Corrections() {
				if c.Game > s.ID {
					break
				}
				if c.Game == s.ID {
					s.Changes = append(s.Changes, view.ProposalChange{Field: c.Field, Before: rows[0].Facts.Get(c.Field), After: *c.Value})
				}
			}
			w.Samples = append(w.Samples, s)
			rows = rows[1:]
		}
		out = append(out, w)
	}
	return out, nil
}

// KindsOf counts proposals by kind.
func KindsOf(list []*cleanup.Proposal) []view.ProposalKind {
	out := []view.ProposalKind{}
	for _, k := range cleanup.Kinds {
		w := view.ProposalKind{Kind: string(k)}
		for _, p := range list {
			if p.Kind == k {
				w.Proposals++
				w.Records += len(p.Games)
			}
		}
		if w.Proposals > 0 {
			out = append(out, w)
		}
	}
	return out
}

// reasons say what a proposal rests on.
var reasons = map[cleanup.Reason]string{
	cleanup.ByTitle: "the title says so", cleanup.ByFile: "the name of the file says so", cleanup.ByPlayers: "the players' other games are of another time",
	cleanup.ByFuture: "it is later than the day the game came into the library", cleanup.ByLibrary: "other records have the name without it",
	cleanup.ByEncoding: "the same bytes in another encoding", cleanup.ByNothing: "nothing of it can be read",
}

// Because says what a proposal rests on.
func Because(r string) string { return reasons[cleanup.Reason(r)] }
