package records

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"qipu/board/draw"
	"qipu/cli"
	"qipu/game"
	"qipu/record"
	"qipu/record/facts"
)

func showCommand(a *cli.App) *cobra.Command {
	var flags cli.ReadFlags
	var o cli.ShowOptions
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
	f.IntVarP(&o.Number, "game-number", "n", 1, "number of the record in the file, from 1")
	f.IntVarP(&o.Move, "move", "m", -1, "show the board after this move (default: the last one)")
	f.BoolVar(&o.Svg, "svg", false, "print only the board, as an SVG picture")
	f.BoolVar(&o.Ascii, "ascii", false, "draw the board with ASCII letters (the default)")
	f.BoolVar(&o.Unicode, "unicode", false, "draw the board with stones, lines and Chinese characters")
	f.StringVar(&o.Notation, "notation", "", "notation of the moves (default: as in the file)")
	return cmd
}

func show(ctx context.Context, a *cli.App, flags *cli.ReadFlags, o *cli.ShowOptions, path string) error {
	if o.Number < 1 {
		return cli.Usagef("--game-number %d: records are counted from 1", o.Number)
	}
	chosen := 0
	for _, b := range []bool{o.Svg, o.Ascii, o.Unicode, a.JSON} {
		if b {
			chosen++
		}
	}
	if chosen > 1 || a.CSV {
		return cli.Usagef("--svg, --ascii, --unicode and --json exclude each other; a record has no CSV form")
	}
	var p *record.Played
	var err error
	if id, ok := cli.GameNumber(path); ok {
		p, err = a.StoredRecord(ctx, o, id)
	} else {
		p, err = a.FindRecord(ctx, flags, path, o.Number)
	}
	if err != nil {
		return err
	}
	pos, last, err := cli.BoardAt(p, o.Move)
	if err != nil {
		return err
	}
	switch {
	case a.JSON && o.ID != 0:
		return a.PrintJSON(struct {
			ID uint32 `json:"id"`
			treeJSON
		}{o.ID, describeTree(p, pos)})
	case a.JSON:
		return a.PrintJSON(describeTree(p, pos))
	case o.Svg:
		_, err := a.Out.Write(draw.AppendSVG(nil, recordScene(p, pos, last)))
		return err
	}
	return showText(a, p, pos, last, o)
}

func recordScene(p *record.Played, pos game.Position, last *draw.Step) *draw.Scene {
	s := &draw.Scene{Coordinates: true, Last: last, Title: cli.TitleOf(p.Game)}
	if pos != nil {
		s.Geometry = p.Rules.Geometry()
		s.Planes, s.Texts = game.Shown(pos)
	}
	return s
}

func showText(a *cli.App, p *record.Played, pos game.Position, last *draw.Step, o *cli.ShowOptions) error {
	var b strings.Builder
	rows, width := append(o.About, headerRows(p)...), 0
	for _, row := range rows {
		width = max(width, draw.Cells(row[0]))
	}
	for _, row := range rows {
		fmt.Fprintf(&b, "%s%*s %s\n", row[0], width-draw.Cells(row[0]), "", cli.Printable(row[1]))
	}
	b.WriteByte('\n')
	g := p.Game
	if o.Notation != "" {
		if p.Start.Board == nil {
			return fmt.Errorf("the moves cannot be written in another notation: the record cannot be played")
		}
		t, err := record.Translate(p.Rules, g, game.Notation(o.Notation), false)
		if err != nil {
			return err
		}
		g = t
	}
	writeMoves(&b, g)
	if pos != nil {
		b.WriteByte('\n')
		text := draw.AppendText(nil, recordScene(p, pos, last), draw.TextOptions{Unicode: o.Unicode, Color: a.Colored()})
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
