package records

import (
	"context"
	"net/http"

	"qipu/library/cleanup"
	"qipu/server/api"
	"qipu/view"
	"qipu/view/journalview"
)

func (s *room) registerCleanup() {
	s.Mean(cleanup.ErrNoProposal, http.StatusNotFound, "no-proposal", "List the proposals again: the library may have changed.")
	api.Get(s.Service, api.Editing, "/cleanup", "list-proposals", "journal", "Headers that may be put right, each with what speaks for it", s.proposals)
	api.Register(s.Service, api.Change, http.MethodPost, "/cleanup/accept", "accept-proposals", "journal", "Correct headers as proposals say, as one change that can be undone", s.acceptProposals)
	api.Register(s.Service, api.Change, http.MethodPost, "/cleanup/dismiss", "dismiss-proposals", "journal", "Have proposals not come back", s.dismissProposals)
}

type proposalsInput struct {
	Kind      string `query:"kind" enum:"date,colours,result,text,name,team,event," doc:"Only proposals of this kind"`
	Dismissed bool   `query:"dismissed" doc:"Those that were dismissed instead"`
	Limit     int    `query:"limit" minimum:"1" maximum:"200" default:"50" doc:"Proposals a page"`
	Cursor    string `query:"cursor" maxLength:"400" doc:"Of the page: next of the answer before"`
}

// kindsOf returns the kinds that a parameter means.
func kindsOf(kind string) []cleanup.Kind {
	if kind == "" {
		return nil
	}
	return []cleanup.Kind{cleanup.Kind(kind)}
}

func (s *room) proposals(ctx context.Context, in *proposalsInput) (*view.Proposals, error) {
	all, err := s.Lib.Cleanup().Proposals(ctx, in.Dismissed)
	if err != nil {
		return nil, err
	}
	list := all
	if in.Kind != "" {
		if list, err = s.Lib.Cleanup().Proposals(ctx, in.Dismissed, kindsOf(in.Kind)...); err != nil {
			return nil, err
		}
	}
	w := &view.Proposals{Total: len(list), Kinds: journalview.KindsOf(all)}
	if list, w.Next, err = api.Page(list, in.Cursor, in.Limit); err != nil {
		return nil, err
	}
	w.Proposals, err = journalview.ProposalsOf(ctx, list, s.Lib.Records().Games)
	return w, err
}

type choiceInput struct{ Body view.ProposalChoice }

// proposed returns the proposals that a client has chosen.
func (s *room) proposed(ctx context.Context, in *view.ProposalChoice) ([]*cleanup.Proposal, error) {
	if (in.Kind == "") == (len(in.IDs) == 0) {
		return nil, api.Bad("choice", "Give ids of proposals, or a kind.", "either proposals or a kind of them are to be chosen")
	}
	if in.Kind == "" {
		return s.Lib.Cleanup().Find(ctx, in.IDs)
	}
	list, err := s.Lib.Cleanup().Proposals(ctx, false, kindsOf(in.Kind)...)
	if err == nil && in.Expect != nil && len(list) != *in.Expect {
		err = api.Conflict("other-count", "Look at the proposals again: the library may have changed.", "there are %d proposals, and %d were expected: nothing was changed", len(list), *in.Expect)
	}
	return list, err
}

func (s *room) acceptProposals(ctx context.Context, in *choiceInput) (*view.ProposalsDone, error) {
	list, err := s.proposed(ctx, &in.Body)
	if err != nil {
		return nil, err
	}
	ctx, change := s.noting(ctx)
	n, err := s.Lib.Cleanup().Accept(ctx, list)
	if err != nil {
		return nil, err
	}
	return &view.ProposalsDone{Proposals: len(list), Changed: n, Change: change()}, nil
}

func (s *room) dismissProposals(ctx context.Context, in *choiceInput) (*view.ProposalsDone, error) {
	list, err := s.proposed(ctx, &in.Body)
	if err != nil {
		return nil, err
	}
	ctx, change := s.noting(ctx)
	if err := s.Lib.Cleanup().DismissAll(ctx, list); err != nil {
		return nil, err
	}
	return &view.ProposalsDone{Proposals: len(list), Change: change()}, nil
}
