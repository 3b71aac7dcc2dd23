package manage

import (
	"context"
	"net/http"

	"qipu/game"
	"qipu/index"
	"qipu/record"
	"qipu/server/api"
	"qipu/server/jobs"
	"qipu/store"
	"qipu/view"
	"qipu/view/answerview"
	"qipu/view/gameview"
)

func (s *room) registerRead() {
	api.Register(s.Service, api.Harmless.InTurn(), http.MethodPost, "/read", "read-text", "import", "Tell what a text is: records, a position, moves, a query; nothing is stored", s.read)
}

type readInput struct {
	Body struct {
		Text string `json:"text" maxLength:"1048576" doc:"What was pasted"`
		Name string `json:"name,omitempty" maxLength:"400" doc:"Of the file, where it is known"`
	}
}

// read tells what a text is taken for, so that whoever pastes one can see it
// before anything happens.
func (s *room) read(ctx context.Context, in *readInput) (*view.Read, error) {
	if err := s.Wait(ctx); err != nil {
		return nil, err
	}
	g := jobs.GuessOf([]byte(in.Body.Text), in.Body.Name, s.Lib.Records().Formats(), s.Lib.Records().Rules())
	out := &view.Read{
		What: string(g.Kind), Format: g.Format, Records: g.Records, Marked: g.Marked, Rejected: g.Rejected, Cut: g.Cut,
		Games: []string{}, Sure: g.Sure, Query: g.Query, Problem: g.Error, Faults: g.Faults,
	}
	switch g.Kind {
	case jobs.GuessRecords:
		s.readRecord(g.First, out)
	case jobs.GuessPosition, jobs.GuessMoves:
		for _, r := range g.Readings {
			out.Games = append(out.Games, r.Game)
		}
		at, err := s.Stand(&api.Placed{Game: out.Games[0], Line: in.Body.Text}, "")
		if err != nil {
			return nil, err
		}
		out.Preview = at.Position(false)
		out.Line = out.Preview.Line
	}
	return out, nil
}

// readRecord tells of the first record of a text.
func (s *room) readRecord(first *record.Played, out *view.Read) {
	if first == nil || first.Rules == nil {
		return
	}
	k := s.Kinds.New(index.NewKind(first.Rules), first.Rules)
	out.Games = append(out.Games, k.Spec)
	sum := answerview.SummaryOf(s.Lib.Records().Kinds(), &store.Game{Kind: k.Index.Name, Facts: first.Game.Facts, Plies: len(first.Steps), Marked: !first.Legal()})
	out.First = &sum
	end, err := record.At(first, len(first.Steps))
	if err != nil {
		return // it is only a picture
	}
	at := &gameview.Standing{Kind: k, Pos: end}
	pieces, texts := at.Shown()
	out.Preview = &view.Position{
		Game: k.Spec, Text: game.FormatPosition(k.Rules, end), Pieces: pieces, Texts: texts, Turn: int(end.Turn()), Ply: len(first.Steps),
		Moves: []view.Move{}, Legal: []view.Move{}, Board: at.Text(),
	}
}
