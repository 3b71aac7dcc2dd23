package server

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"qipu/view/answerview"

	"qipu/game"
	"qipu/index"
	"qipu/ingest"
	"qipu/record"
	"qipu/server/jobs"
	"qipu/store"
	"qipu/view"
	"qipu/view/gameview"
)

func (s *Server) registerRead() {
	register(s, harmless, http.MethodPost, "/read", "read-text", "import", "Tell what a text is: records, a position, moves, a query; nothing is stored", s.read)
}

type readInput struct {
	Body struct {
		Text string `json:"text" maxLength:"1048576" doc:"What was pasted"`
		Name string `json:"name,omitempty" maxLength:"400" doc:"Of the file, where it is known"`
	}
}

// read tells what a text is taken for, so that whoever pastes one can see it
// before anything happens.
func (s *Server) read(ctx context.Context, in *readInput) (*view.Read, error) {
	leave, err := s.enter(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	g := jobs.GuessOf([]byte(in.Body.Text), in.Body.Name, s.lib.Records().Formats(), s.lib.Records().Rules())
	out := &view.Read{
		What: string(g.Kind), Format: g.Format, Records: g.Records, Marked: g.Marked, Rejected: g.Rejected, Cut: g.Cut,
		Games: []string{}, Sure: g.Sure, Query: g.Query, Problem: g.Error, Faults: []view.Fault{},
	}
	for i := range g.Faults {
		out.Faults = append(out.Faults, faultOf(&g.Faults[i]))
	}
	switch g.Kind {
	case jobs.GuessRecords:
		err = s.readRecord(ctx, in, out)
	case jobs.GuessPosition, jobs.GuessMoves:
		for _, r := range g.Readings {
			out.Games = append(out.Games, r.Game)
		}
		var at *gameview.Standing
		if at, err = s.stand(&Placed{Game: out.Games[0], Line: in.Body.Text}, ""); err == nil {
			out.Preview = at.Position(false)
			out.Line = out.Preview.Line
		}
	}
	return out, err
}

// errEnough ends reading after the first record.
var errEnough = errors.New("enough")

// readRecord tells of the first record of a text.
func (s *Server) readRecord(ctx context.Context, in *readInput, out *view.Read) error {
	var first *record.Played
	_, err := ingest.Run(ctx, ingest.Options{
		Formats: s.lib.Records().Formats(), Games: s.lib.Records().Rules(), Workers: 1,
		Sink:  sinkFunc(func(p *record.Played) error { first = p; return errEnough }),
		Stdin: ingest.Input{Name: in.Body.Name, Reader: strings.NewReader(in.Body.Text)},
	}, "-")
	if err != nil && !errors.Is(err, errEnough) {
		return err
	}
	if first == nil || first.Rules == nil {
		return nil
	}
	k := s.kinds.New(index.NewKind(first.Rules), first.Rules)
	out.Games = append(out.Games, k.Spec)
	sum := answerview.SummaryOf(s.lib.Records().Kinds(), &store.Game{Kind: k.Index.Name, Facts: first.Game.Facts, Plies: len(first.Steps), Marked: !first.Legal()})
	out.First = &sum
	end, err := record.At(first, len(first.Steps))
	if err != nil {
		return nil // it is only a picture
	}
	at := &gameview.Standing{Kind: k, Pos: end}
	out.Preview = &view.Position{
		Game: k.Spec, Text: game.FormatPosition(k.Rules, end), Pieces: at.Pieces(), Turn: int(end.Turn()), Ply: len(first.Steps),
		Moves: []view.Move{}, Legal: []view.Move{}, Board: at.Text(),
	}
	return nil
}

// sinkFunc is a sink of records.
type sinkFunc func(*record.Played) error

// Add takes a record.
func (f sinkFunc) Add(_ context.Context, p *record.Played) error { return f(p) }
