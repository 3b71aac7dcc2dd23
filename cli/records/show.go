package records

import (
	"cmp"
	"context"
	"fmt"
	"qipu"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"qipu/board/draw"
	"qipu/cli"
	"qipu/game"
	"qipu/index"
	"qipu/library/courses"
	"qipu/record"
	"qipu/record/facts"
	"qipu/store"
	"qipu/view"
	"qipu/view/answerview"
	"qipu/view/gameview"
	"qipu/view/recordview"
)

// showOptions say which record is shown, and how.
type showOptions struct {
	number, move        int
	svg, ascii, unicode bool
	notation            string
}

func showCommand(a *cli.App) *cobra.Command {
	var flags cli.ReadFlags
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
		Args: cli.ArgCount(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error { return show(cmd.Context(), a, &flags, &o, args[0]) },
	}
	f := cmd.Flags()
	flags.Register(f)
	f.IntVarP(&o.number, "game-number", "n", 1, "number of the record in the file, from 1")
	f.IntVarP(&o.move, "move", "m", -1, "show the board after this move (default: the last one)")
	f.BoolVar(&o.svg, "svg", false, "print only the board, as an SVG picture")
	f.BoolVar(&o.ascii, "ascii", false, "draw the board with ASCII letters (the default)")
	f.BoolVar(&o.unicode, "unicode", false, "draw the board with stones, lines and Chinese characters")
	f.StringVar(&o.notation, "notation", "", "notation of the moves (default: as in the file)")
	return cmd
}

func show(ctx context.Context, a *cli.App, flags *cli.ReadFlags, o *showOptions, path string) error {
	if o.number < 1 {
		return cli.Usagef("--game-number %d: records are counted from 1", o.number)
	}
	if cli.Several(o.svg, o.ascii, o.unicode, a.JSON) || a.CSV {
		return cli.Usagef("--svg, --ascii, --unicode and --json exclude each other; a record has no CSV form")
	}
	id, stored := cli.GameNumber(path)
	switch {
	case stored && o.number != 1:
		return cli.Usagef("--game-number is for files: %d is the number of a game of the library", id)
	case stored:
		return a.Stored(ctx, id, func(l *qipu.Library, p *record.Played, meta *store.Game) error {
			w := answerview.RecordOf(l.Records().Kinds(), p.Game, meta, p.Rules, game.Notation(o.notation), a.Formats)
			if err := answerview.AddAbout(ctx, l.Records(), w, id); err != nil {
				return err
			}
			x := shown{FullRecord: w, Added: &w.Added}
			if g := courses.GameOf(p); g != nil {
				list, err := courses.New(l.Records()).Of(ctx, g)
				if err != nil {
					return err
				}
				for _, c := range list {
					x.Courses = append(x.Courses, *recordview.CourseOf(c, p.Rules.Geometry()))
				}
			}
			return x.print(a, p, o)
		})
	}
	p, err := a.FindRecord(ctx, flags, path, o.number)
	if err != nil {
		return err
	}
	g := p.Game
	meta := &store.Game{Kind: g.Kind, Plies: g.Moves(), Facts: g.Facts, Format: g.Format, Encoding: g.Encoding, Marked: !p.Legal()}
	if p.Rules != nil {
		meta.Kind = index.NewKind(p.Rules).Name
	}
	w := answerview.RecordOf(index.NewKinds(a.Games), g, meta, p.Rules, game.Notation(o.notation), a.Formats)
	w.Sources = append(w.Sources, view.Source{File: g.Place.File, Number: g.Place.Number, Offset: g.Place.Offset})
	return shown{FullRecord: w}.print(a, p, o)
}

// shown is a record as --json prints it: what the server tells of it, and the board
// after the move that was asked for. Of a file nobody knows when it was added.
type shown struct {
	*view.FullRecord
	Added    *time.Time     `json:"added,omitempty"`
	Position *view.Position `json:"position,omitempty"`

	// Courses are what nets have said of the game, where the library has it.
	Courses []view.Course `json:"courses,omitempty"`
}

func (x shown) print(a *cli.App, p *record.Played, o *showOptions) error {
	pos, last, err := cli.BoardAt(p, o.move)
	if err != nil {
		return err
	}
	switch {
	case a.JSON:
		if pos != nil {
			k, err := a.Kinds().Find(gameview.RulesSpec(p.Rules))
			if err != nil {
				return err
			}
			at := gameview.Standing{Kind: k, Pos: pos, Base: game.FormatPosition(p.Rules, pos), Write: game.Notation(o.notation)}
			x.Position = at.Position(true)
		}
		return a.PrintJSON(cli.Typed("record", x))
	case o.svg:
		_, err := a.Out.Write(draw.AppendSVG(nil, recordScene(p, pos, last)))
		return err
	}
	return showText(a, p, pos, last, o, x.about())
}

// about returns what a library says of the record beside it.
func (x *shown) about() (rows [][2]string) {
	if x.Summary.ID == 0 {
		return nil
	}
	rows = append(rows, [2]string{"number", fmt.Sprint(x.Summary.ID)})
	for _, s := range x.Sources[min(1, len(x.Sources)):] {
		rows = append(rows, [2]string{"also in", fmt.Sprintf("%s, game %d", s.File, s.Number)})
	}
	for _, name := range x.Collections {
		rows = append(rows, [2]string{"collection", name})
	}
	for _, other := range x.Links {
		rows = append(rows, [2]string{"twin", fmt.Sprintf("game %d: %s", other.ID, other.Why)})
	}
	return rows
}

func recordScene(p *record.Played, pos game.Position, last *draw.Step) *draw.Scene {
	s := &draw.Scene{Coordinates: true, Last: last, Title: recordview.TitleOf(p.Game)}
	if pos != nil {
		s.Geometry = p.Rules.Geometry()
		s.Planes, s.Texts = game.Shown(pos)
	}
	return s
}

func showText(a *cli.App, p *record.Played, pos game.Position, last *draw.Step, o *showOptions, about [][2]string) error {
	var b strings.Builder
	rows, width := append(about, headerRows(p)...), 0
	for _, row := range rows {
		width = max(width, draw.Cells(row[0]))
	}
	for _, row := range rows {
		fmt.Fprintf(&b, "%s%*s %s\n", row[0], width-draw.Cells(row[0]), "", cli.Printable(row[1]))
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
	writeMoves(&b, g, numberingOf(p))
	if pos != nil {
		b.WriteByte('\n')
		text := draw.AppendText(nil, recordScene(p, pos, last), draw.TextOptions{Unicode: o.unicode, Color: a.Colored()})
		b.Write(text)
		b.WriteString(cli.Status(p.Rules, pos))
	}
	for i := range p.Game.Faults {
		f := p.Game.Faults[i]
		f.Place = record.Place{}
		fmt.Fprintf(&b, "%v: %s\n", f.Severity, f.Error())
	}
	_, err := fmt.Fprint(a.Out, b.String())
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
	kind := cmp.Or(g.Kind, "unknown")
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
