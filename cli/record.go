package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"qipu"
	"qipu/board"
	"qipu/board/draw"
	"qipu/game"
	"qipu/ingest"
	"qipu/library/ask"
	"qipu/named"
	"qipu/record"
	"qipu/store"
	"qipu/view/recordview"
)

// Status is the line under a text board.
func Status(r game.Rules, p game.Position) string {
	if o := p.Outcome(); o.Over() {
		return o.Describe(r.Info()) + "\n"
	}
	return r.Info().Sides[p.Turn()].Name + " to move\n"
}

// Names returns what has a name on the board.
func (at *Placed) Names(book *named.Items) ([]named.Hit, error) {
	if at.played != nil {
		_, hits, err := ask.NamesAt(book, at.played, at.steps)
		return hits, err
	}
	for range at.Moves {
		at.At.Undo()
	}
	hits, err := book.At(at.At, at.Moves)
	for _, m := range at.Moves {
		if e := at.At.Play(m); err == nil {
			err = e
		}
	}
	return hits, err
}

// Placed is a position of any game that a command is about.
type Placed struct {
	Rules game.Rules
	At    game.Position
	Moves []game.Move // that led to it, as far as they are known
	Last  *draw.Step
	Title string

	played *record.Played // the record that it is from, after so many steps; nil for none
	steps  int
}

// Position returns the position that an argument means.
func (a *App) Position(ctx context.Context, arg, spec string) (*Placed, error) {
	name, ply, cut := strings.Cut(arg, "#")
	move := -1
	if cut {
		n, err := strconv.Atoi(ply)
		if err != nil || n < 0 {
			return nil, Usagef("%s: behind # stands the number of a move", arg)
		}
		move = n
	}
	var p *record.Played
	var err error
	if id, ok := GameNumber(name); ok {
		p, err = a.StoredRecord(ctx, id)
	} else if _, missing := os.Stat(name); missing == nil && name != "" {
		p, err = a.FindRecord(ctx, &ReadFlags{Workers: 1}, name, 1)
	} else {
		return a.WrittenPosition(arg, spec)
	}
	if err != nil {
		return nil, err
	}
	pos, last, err := BoardAt(p, move)
	if err != nil {
		return nil, err
	}
	if pos == nil {
		return nil, fmt.Errorf("%s: its board cannot be set up: qipu show %s tells why", Shorten(name, 40), Shorten(name, 40))
	}
	at := &Placed{Rules: p.Rules, At: pos, Last: last, Title: recordview.TitleOf(p.Game), played: p}
	at.steps, _ = stepsTo(p, move)
	for _, s := range p.Steps[:at.steps] {
		if s.Move != game.NoMove {
			at.Moves = append(at.Moves, s.Move)
		}
	}
	return at, nil
}

// WrittenPosition reads a position text, or moves from the start.
func (a *App) WrittenPosition(arg, spec string) (*Placed, error) {
	r, err := a.Game(spec)
	if err != nil {
		return nil, err
	}
	text, err := a.Text(arg)
	if err != nil {
		return nil, err
	}
	pos, moves, err := game.ParseLine(r, text)
	if err != nil {
		return nil, fmt.Errorf("%q is no file, no game of the library and no position: %w", Shorten(arg, 40), err)
	}
	at := &Placed{Rules: r, At: pos, Moves: moves, Title: "position"}
	if n := len(moves); n > 0 && moves[n-1].To() != board.NoPoint {
		at.Last = &draw.Step{From: moves[n-1].From(), To: moves[n-1].To()}
	}
	return at, nil
}

// errFound ends the reading of a file once the wanted record is there.
var errFound = errors.New("found")

// GameNumber returns the number of a game of the library that an argument is,
// if it is one and not a file.
func GameNumber(arg string) (uint32, bool) {
	id, err := strconv.ParseUint(arg, 10, 32)
	if err != nil {
		return 0, false
	}
	_, err = os.Stat(arg)
	return uint32(id), err != nil
}

// Stored gives a function a game of the library, played out.
func (a *App) Stored(ctx context.Context, id uint32, do func(*qipu.Library, *record.Played, *store.Game) error) error {
	return a.Reading(ctx, func(l *qipu.Library) error {
		g, meta, err := l.Record(ctx, id)
		if errors.Is(err, store.ErrNoGame) {
			return fmt.Errorf("the library has no game %d: qipu find lists games with their numbers", id)
		}
		if err != nil {
			return err
		}
		// What is wrong with it was found, and stored, when it was imported.
		faults := len(g.Faults)
		p := record.NewReferee(a.Games).Play(g)
		g.Faults = g.Faults[:faults]
		return do(l, p, meta)
	})
}

// StoredRecord returns a game of the library, played out.
func (a *App) StoredRecord(ctx context.Context, id uint32) (found *record.Played, err error) {
	return found, a.Stored(ctx, id, func(_ *qipu.Library, p *record.Played, _ *store.Game) error {
		found = p
		return nil
	})
}

// EachRecord gives a function the records of a file in their order. Where none can be
// read it tells what is wrong with the file.
func (a *App) EachRecord(ctx context.Context, flags *ReadFlags, path string, do func(*record.Played) error) error {
	o, err := a.Options(flags)
	if err != nil {
		return err
	}
	o.Workers = 1 // records of an archive in their order
	var first *record.Fault
	seen := false
	o.Sink = ingest.SinkFunc(func(p *record.Played) error {
		seen = true
		return do(p)
	})
	o.OnFault = func(f *record.Fault) {
		if first == nil && f.Severity == record.Rejected {
			first = f
		}
	}
	_, err = a.Ingest(ctx, o, []string{path})
	switch {
	case err != nil || seen:
		return err
	case first != nil:
		return first
	}
	return fmt.Errorf("%s: no record in it that the program can read", path)
}

// FindRecord returns the n-th record of a file.
func (a *App) FindRecord(ctx context.Context, flags *ReadFlags, path string, n int) (found *record.Played, err error) {
	seen := 0
	err = a.EachRecord(ctx, flags, path, func(p *record.Played) error {
		if seen++; seen == n {
			found = p
			return errFound
		}
		return nil
	})
	switch {
	case found != nil:
		return found, nil
	case err != nil:
		return nil, err
	}
	return nil, fmt.Errorf("%s: there is no record %d, the last is %d", path, n, seen)
}

// BoardAt returns the position after a move of the main line (-1: the last)
// and that move. A record that cannot be set up has no position.
func BoardAt(p *record.Played, move int) (game.Position, *draw.Step, error) {
	if p.Start.Board == nil {
		return nil, nil, nil
	}
	total, moves := stepsTo(p, move)
	if move > moves {
		return nil, nil, fmt.Errorf("there is no move %d: the record has %d moves that can be played", move, moves)
	}
	pos, err := record.At(p, total)
	if err != nil || total == 0 {
		return pos, nil, err
	}
	m := p.Steps[total-1].Move
	if m.To() == board.NoPoint {
		return pos, nil, nil
	}
	return pos, &draw.Step{From: m.From(), To: m.To()}, nil
}

// stepsTo returns how many steps of the main line lead to a move (-1: the last),
// and how many moves are among them.
func stepsTo(p *record.Played, move int) (total, moves int) {
	for i, s := range p.Steps {
		// Set-ups are no moves, nor are passes that the record leaves out: they
		// share their node with the move behind them.
		if s.Move != game.NoMove && (i+1 == len(p.Steps) || p.Steps[i+1].Node != s.Node) {
			if moves == move {
				break
			}
			moves++
		}
		total = i + 1
	}
	return total, moves
}
