package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"qipu"
	"qipu/board"
	"qipu/board/draw"
	"qipu/game"
	"qipu/record"
	"qipu/record/facts"
	"qipu/store"
)

func (a *app) showCommand() *cobra.Command {
	var flags readFlags
	var o showOptions
	cmd := &cobra.Command{
		Use:   "show FILE|ID",
		Short: "Show one record: headers, moves, comments and a board",
		Long: `Show one record of a file or of the library: what its headers say, its moves with
variations and comments, and the board after a move (the last one, or that of
--move).

FILE may be an archive or "-" for standard input; --game-number chooses the record.
A plain number is the number of a game of the library, unless there is a file of
that name.`,
		Example: `  qipu show games/xiangqi-mates.pgn --game-number 2
  qipu show 1
  qipu show games/go-9x9-1.sgf --move 20 --unicode
  echo (;GM[1]SZ[9];B[ee];W[gc]) | qipu show - --svg`,
		Args: argCount(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error { return a.show(cmd.Context(), &flags, &o, args[0]) },
	}
	f := cmd.Flags()
	flags.register(f)
	f.IntVarP(&o.number, "game-number", "n", 1, "number of the record in the file, from 1")
	f.IntVarP(&o.move, "move", "m", -1, "show the board after this move (default: the last one)")
	f.BoolVar(&o.svg, "svg", false, "print only the board, as an SVG picture")
	f.BoolVar(&o.ascii, "ascii", false, "draw the board with ASCII letters (the default)")
	f.BoolVar(&o.unicode, "unicode", false, "draw the board with stones, lines and Chinese characters")
	f.StringVar(&o.notation, "notation", "", "notation of the moves (default: as in the file)")
	return cmd
}

type showOptions struct {
	number, move        int
	svg, ascii, unicode bool
	notation            string

	about [][2]string // what the library says about the record
	id    uint32      // its number there
}

// errFound ends the reading of a file once the wanted record is there.
var errFound = errors.New("found")

func (a *app) show(ctx context.Context, flags *readFlags, o *showOptions, path string) error {
	if o.number < 1 {
		return usagef("--game-number %d: records are counted from 1", o.number)
	}
	chosen := 0
	for _, b := range []bool{o.svg, o.ascii, o.unicode, a.json} {
		if b {
			chosen++
		}
	}
	if chosen > 1 || a.csv {
		return usagef("--svg, --ascii, --unicode and --json exclude each other; a record has no CSV form")
	}
	var p *record.Played
	var err error
	if id, ok := gameNumber(path); ok {
		p, err = a.storedRecord(ctx, o, id)
	} else {
		p, err = a.findRecord(ctx, flags, path, o.number)
	}
	if err != nil {
		return err
	}
	pos, last, err := boardAt(p, o.move)
	if err != nil {
		return err
	}
	switch {
	case a.json && o.id != 0:
		return a.printJSON(struct {
			ID uint32 `json:"id"`
			treeJSON
		}{o.id, describeTree(p, pos)})
	case a.json:
		return a.printJSON(describeTree(p, pos))
	case o.svg:
		_, err := a.out.Write(draw.AppendSVG(nil, recordScene(p, pos, last)))
		return err
	}
	return a.showText(p, pos, last, o)
}

// gameNumber returns the number of a game of the library that an argument is,
// if it is one and not a file.
func gameNumber(arg string) (uint32, bool) {
	id, err := strconv.ParseUint(arg, 10, 32)
	if err != nil {
		return 0, false
	}
	_, err = os.Stat(arg)
	return uint32(id), err != nil
}

// storedRecord returns a game of the library, and notes what the library says
// about it.
func (a *app) storedRecord(ctx context.Context, o *showOptions, id uint32) (p *record.Played, err error) {
	if o.number != 1 {
		return nil, usagef("--game-number is for files: %d is the number of a game of the library", id)
	}
	err = a.reading(ctx, func(l *qipu.Library) error {
		g, _, err := l.Record(ctx, id)
		if errors.Is(err, store.ErrNoGame) {
			return fmt.Errorf("the library has no game %d: qipu find lists games with their numbers", id)
		}
		if err != nil {
			return err
		}
		// What is wrong with it was found, and stored, when it was imported.
		faults := len(g.Faults)
		p = record.NewReferee(a.games).Play(g)
		g.Faults = g.Faults[:faults]
		o.id = id
		o.about, err = aboutGame(ctx, l, id)
		return err
	})
	return p, err
}

// aboutGame returns what the library says about a game beside its record.
func aboutGame(ctx context.Context, l *qipu.Library, id uint32) ([][2]string, error) {
	rows := [][2]string{{"number", fmt.Sprint(id)}}
	sources, err := l.Archive().Sources(ctx, id)
	if err != nil {
		return nil, err
	}
	for _, s := range sources[min(1, len(sources)):] {
		rows = append(rows, [2]string{"also in", fmt.Sprintf("%s, game %d", s.File, s.Number)})
	}
	collections, err := l.Notes().CollectionsOf(ctx, id)
	if err != nil {
		return nil, err
	}
	for _, c := range collections {
		rows = append(rows, [2]string{"collection", c.Name})
	}
	links, err := l.Archive().Links(ctx, id)
	for _, other := range links {
		rows = append(rows, [2]string{"twin", fmt.Sprintf("game %d: %s", other.Game, other.Why)})
	}
	return rows, err
}

// findRecord returns the n-th record of a file.
func (a *app) findRecord(ctx context.Context, flags *readFlags, path string, n int) (*record.Played, error) {
	o, err := a.options(flags)
	if err != nil {
		return nil, err
	}
	o.Workers = 1 // records of an archive in their order
	var found *record.Played
	var first *record.Fault
	seen := 0
	o.Sink = sinkFunc(func(p *record.Played) error {
		if seen++; seen == n {
			found = p
			return errFound
		}
		return nil
	})
	o.OnFault = func(f *record.Fault) {
		if first == nil && f.Severity == record.Rejected {
			first = f
		}
	}
	_, err = a.ingest(ctx, o, []string{path})
	switch {
	case found != nil:
		return found, nil
	case err != nil:
		return nil, err
	case seen == 0 && first != nil:
		return nil, first
	case seen == 0:
		return nil, fmt.Errorf("%s: no record in it that the program can read", path)
	}
	return nil, fmt.Errorf("%s: there is no record %d, the last is %d", path, n, seen)
}

// boardAt returns the position after a move of the main line (-1: the last)
// and that move. A record that cannot be set up has no position.
func boardAt(p *record.Played, move int) (game.Position, *draw.Step, error) {
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

func recordScene(p *record.Played, pos game.Position, last *draw.Step) *draw.Scene {
	s := &draw.Scene{Coordinates: true, Last: last, Title: titleOf(p.Game)}
	if pos != nil {
		s.Geometry, s.Planes = p.Rules.Geometry(), pos.(game.Planar).Planes()
	}
	return s
}

// titleOf is a line that names a record.
func titleOf(g *record.Game) string {
	names := []string{g.Facts.Players[0].Name, g.Facts.Players[1].Name}
	for i := range names {
		if names[i] == "" {
			names[i] = "?"
		}
	}
	return strings.Join(names, " - ")
}

func (a *app) showText(p *record.Played, pos game.Position, last *draw.Step, o *showOptions) error {
	var b strings.Builder
	rows, width := append(o.about, headerRows(p)...), 0
	for _, row := range rows {
		width = max(width, draw.Cells(row[0]))
	}
	for _, row := range rows {
		fmt.Fprintf(&b, "%s%*s %s\n", row[0], width-draw.Cells(row[0]), "", printable(row[1]))
	}
	b.WriteByte('\n')
	g := p.Game
	if o.notation != "" {
		if p.Start.Board == nil {
			return fmt.Errorf("the moves cannot be written in another notation: the record cannot be played")
		}
		t, err := record.Translate(p.Rules, g, game.Notation(o.notation), false)
		if err != nil {
			return err
		}
		g = t
	}
	writeMoves(&b, g)
	if pos != nil {
		b.WriteByte('\n')
		text := draw.AppendText(nil, recordScene(p, pos, last), draw.TextOptions{Unicode: o.unicode, Color: a.colored()})
		b.Write(text)
		b.WriteString(status(p.Rules, pos))
	}
	for i := range p.Game.Faults {
		f := p.Game.Faults[i]
		f.Place = record.Place{}
		fmt.Fprintf(&b, "%v: %s\n", f.Severity, f.Error())
	}
	_, err := fmt.Fprint(a.out, b.String())
	return err
}

// headerRows are the facts and headers of a record, in reading order.
func headerRows(p *record.Played) [][2]string {
	g := p.Game
	rows := [][2]string{{"file", g.Place.File}}
	add := func(name, value string) {
		if value != "" {
			rows = append(rows, [2]string{name, value})
		}
	}
	encoding := g.Encoding
	if g.Guessed {
		encoding += " (guessed)"
	}
	add("format", strings.TrimSuffix(g.Format+", "+encoding, ", "))
	kind := orUnknown(g.Kind)
	if g.Variant != "" {
		kind += " " + g.Variant
	}
	add("game", kind)
	for i := range g.Facts.Players {
		if p.Rules == nil {
			break
		}
		player := g.Facts.Players[i]
		text := player.Name
		if player.Rank.Grade != 0 {
			text += " " + player.Rank.String()
		}
		if player.Rating != 0 {
			text += fmt.Sprintf(" (%d)", player.Rating)
		}
		add(p.Rules.Info().Sides[i].Name, text)
	}
	add("result", describeResult(p))
	add("date", g.Facts.Date.String())
	add("event", g.Facts.Event)
	add("opening", strings.TrimSpace(g.Facts.Code+" "+g.Facts.Opening))
	for _, t := range g.Tags {
		add("  "+t.Name, t.Value)
	}
	return rows
}

// describeResult is what the headers say of the result, in words.
func describeResult(p *record.Played) string {
	r := p.Game.Facts.Result
	text := r.Verdict.String()
	switch {
	case r.Verdict == facts.Unknown:
		return ""
	case p.Rules != nil && r.Verdict == facts.FirstWon:
		text = p.Rules.Info().Sides[0].Name + " won"
	case p.Rules != nil && r.Verdict == facts.SecondWon:
		text = p.Rules.Info().Sides[1].Name + " won"
	}
	if r.Margin != 0 {
		text += " by " + strconv.FormatFloat(r.Margin, 'f', -1, 64)
	}
	if r.How != "" {
		text += " (" + r.How + ")"
	}
	return text
}

// printable keeps control characters of a file away from the terminal.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\t' || r == 0x7f || r >= 0x80 && r < 0xa0 {
			return ' '
		}
		return r
	}, text)
}
