package knowledge

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"qipu/board"
	"qipu/board/draw"
	"qipu/cli"
	"qipu/engine"
	"qipu/game"
	"qipu/game/weiqi"
	"qipu/library/knowledge"
	"qipu/pattern"
	"qipu/pattern/advise"
	"qipu/pattern/kb"
	"qipu/view"
	"qipu/view/shapeview"
)

type matchShapes struct {
	app                       *cli.App
	spec, side, svg, language string
	all, unicode              bool
	sided                     bool // --side was given
	likely, limit, reasons    int
	hints                     bool
	least                     int
}

func shapesMatch(a *cli.App) *cobra.Command {
	o := matchShapes{app: a}
	cmd := &cobra.Command{
		Use:   "match POSITION|FILE[#MOVE]|ID[#MOVE]",
		Short: "Mark the good points of a position, and say why",
		Long: `Draw a position of Go with the good points that shapes of the base have there, by
urgency: 4 urgent, 3 important, 2 ordinary, 1 special cases; - is a point to keep
away from. Below it stands which shape speaks for each point, what it is good for,
and with --all what conditions refuse, and why.

The position is one of a record in a file or of a game of the library, after a move
or at its end, or a position text or a list of moves ("-" for standard input) on the
board of --game. Points are those of the side to move; --side chooses.

--hints has the engine rank at most five moves of the side to move: how likely strong
players make each, the lead in points before and after it, and the shapes that speak
for it; a move that reading refutes is marked.

--likely adds the moves that players of records would make here, by local patterns
alone.

Of other games than Go it tells what has a name on the board, whose it is, and which
piece has which part: mates and structures of Xiangqi, openings, codes.`,
		Example: `  qipu shapes match games/go-9x9-1.sgf#20
  qipu shapes match "E5 E4 F4" --game go:9x9 --side both --likely 5
  qipu shapes match "E5 E4 F4" --game go:9x9 --hints
  qipu shapes match games/go-9x9-1.sgf --least 3 --all --json
  qipu shapes match --game xiangqi "3k5/9/3N5/9/3C5/9/9/9/9/4K4 b"`,
		Args: cli.ArgCount(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.sided = cmd.Flags().Changed("side")
			return o.run(cmd.Context(), args[0])
		},
	}
	f := cmd.Flags()
	a.GameFlag(cmd, &o.spec, "go", "the board of a position text or of moves, as in go:9x9 or xiangqi")
	cli.Enum(cmd, &o.side, "side", "turn", "whose points: turn (the side to move), both, black or white; whose names in other games: both, turn or a side", "turn", "both", "black", "white", "red")
	f.BoolVar(&o.all, "all", false, "tell the points as well that conditions refuse")
	f.BoolVar(&o.hints, "hints", false, "have the engine rank at most five moves, with the shapes that speak for them")
	f.IntVar(&o.likely, "likely", 0, "tell this many of the likeliest moves")
	f.IntVar(&o.least, "least", 1, "the least urgency of points to draw and to tell; those to keep away from are always told")
	f.IntVar(&o.limit, "limit", -1, "points to tell (0: all; default: 20 in a table, all else)")
	f.IntVar(&o.reasons, "reasons", 3, "shapes to tell for each point, those that people wrote first (0: all)")
	f.BoolVar(&o.unicode, "unicode", false, "draw with stones and lines")
	f.StringVar(&o.svg, "svg", "", "draw the board into this file, as an SVG picture")
	registerLanguage(cmd, &o.language)
	return cmd
}

// standing is a position of Go that a command is about.
type standing struct {
	cli.Placed
	pos *weiqi.Position
}

// goPosition returns the position of Go that an argument means.
func goPosition(ctx context.Context, a *cli.App, arg, spec string) (*standing, error) {
	at, err := a.Position(ctx, arg, spec)
	if err != nil {
		return nil, err
	}
	pos, ok := at.At.(*weiqi.Position)
	if !ok {
		return nil, cli.Usagef("%s is a position of %s: the base knows shapes of Go alone", cli.Shorten(arg, 40), at.Rules.Info().Titles.En)
	}
	return &standing{*at, pos}, nil
}

func (o *matchShapes) run(ctx context.Context, arg string) error {
	if o.least < 1 || o.least > 4 {
		return cli.Usagef("--least %d: 4 urgent, 3 important, 2 ordinary, 1 special cases", o.least)
	}
	if o.likely < 0 || o.limit < -1 || o.reasons < 0 {
		return cli.Usagef("--likely, --limit and --reasons count moves, points and shapes: want no negative number")
	}
	any, err := o.app.Position(ctx, arg, o.spec)
	if err != nil {
		return err
	}
	pos, ok := any.At.(*weiqi.Position)
	if !ok {
		if !o.sided { // names are of both sides
			o.side = "both"
		}
		return o.matchNames(ctx, any)
	}
	if o.side == "red" {
		return cli.Usagef("--side red: Go has no such side")
	}
	at := &standing{*any, pos}
	who := map[string]advise.Who{"turn": advise.ToMove, "both": advise.Both, "black": advise.First, "white": advise.Second}
	return o.app.WithShapes(ctx, func(s *knowledge.Shapes) error {
		list, err := s.Advise(at.pos, advise.Ask{Who: who[o.side], Refused: o.all})
		if err != nil {
			return err
		}
		list = slices.DeleteFunc(list, func(p advise.Point) bool { return int(p.Urgency) < o.least && !p.Avoid && !p.Refused })
		likely := []view.LikelyMove{}
		if o.likely > 0 {
			if likely, err = shapeview.LikelyOf(at.pos, at.Moves, o.likely); err != nil {
				return err
			}
		}
		if o.hints {
			if err := o.tellHints(ctx, s, at); err != nil {
				return err
			}
		}
		return o.print(s, at, list, likely)
	})
}

// tellHints prints the moves that the engine would think of.
func (o *matchShapes) tellHints(ctx context.Context, s *knowledge.Shapes, at *standing) error {
	e, err := o.app.Engine(at.pos.Rules(), engine.Options{})
	if err != nil {
		return err
	}
	defer e.Close()
	all, err := s.Advise(at.pos, advise.Ask{Who: advise.ToMove})
	if err != nil {
		return err
	}
	task := &engine.Task{Rules: at.pos.Rules(), Moves: at.Moves}
	if p, err := task.Position(); err != nil || p.Hash() != at.pos.Hash() { // it does not begin with an empty board
		setup := game.SetupOf(at.pos)
		task.Start, task.Moves = &setup, nil
	}
	hints, _, err := shapeview.HintsOf(ctx, e, task, at.pos, s, all)
	if err != nil {
		return err
	}
	t := &cli.Table{Columns: []string{"hint", "chance", "before", "after", "note", "shapes"}}
	for _, h := range hints {
		note, names := "", []string{}
		if h.Refuted {
			note = "refuted: a ladder"
		}
		for _, n := range h.Lives {
			note = strings.TrimPrefix(note+"; "+n+" lives", "; ")
		}
		for _, n := range h.Dies {
			note = strings.TrimPrefix(note+"; "+n+" dies", "; ")
		}
		for _, r := range h.Reasons {
			names = append(names, nameIn(r.Names, o.language))
		}
		t.Add(cli.Typed("hint", h), h.Name, fmt.Sprintf("%.0f%%", 100*h.Chance), fmt.Sprintf("%+.1f", h.Before), fmt.Sprintf("%+.1f", h.After), note, strings.Join(names, "; "))
	}
	if len(t.Rows) == 0 {
		fmt.Fprintln(o.app.Err, "no engine ranks moves on this board")
		return nil
	}
	if err := o.app.Print(t); err != nil || o.app.JSON || o.app.CSV {
		return err
	}
	fmt.Fprintln(o.app.Out)
	return nil
}

func (o *matchShapes) print(s *knowledge.Shapes, at *standing, list []advise.Point, likely []view.LikelyMove) error {
	g := at.pos.Rules().Geometry()
	if o.svg != "" {
		if err := o.app.Emit(draw.AppendSVG(nil, adviceScene(at, list, true)), o.svg); err != nil {
			return err
		}
		fmt.Fprintf(o.app.Err, "the picture is in %s\n", o.svg)
	}
	sides := at.pos.Rules().Info().Sides
	t := &cli.Table{Columns: []string{"point", "for", "urgency", "shape", "names", "purpose", "note"}}
	told := list
	switch {
	case o.limit > 0:
		told = list[:min(len(list), o.limit)]
	case o.limit < 0 && !o.app.JSON && !o.app.CSV:
		told = list[:min(len(list), matchRows)]
	}
	for i := range told {
		p := &told[i]
		if o.app.JSON {
			if err := o.app.PrintJSON(cli.Typed("point", shapeview.AdviceOf(s, g, p, o.reasons))); err != nil {
				return err
			}
			continue
		}
		for j, r := range knowledge.Reasons(p, o.reasons) {
			point, side, urgency := g.Name(p.Point), sides[p.Side].Name, urgencyMark(p)
			if j > 0 && !o.app.CSV {
				point, side, urgency = "", "", ""
			}
			note := ""
			switch {
			case r.Refused != "":
				note = "refused: " + r.Refused
			case r.Theirs() && !r.Avoid:
				note = "takes their point"
			case r.Avoid:
				note = "keep away"
			}
			t.Add(nil, point, side, urgency, r.Entry.ID, nameIn(s.Base.Title(r.Entry), o.language), r.Purpose.String(), note)
		}
		if more := len(p.Advice) - o.reasons; o.reasons > 0 && more > 0 && !o.app.CSV && !o.app.JSON {
			t.Add(nil, "", "", "", "", "and "+cli.Plural(more, "more shape"), "", "")
		}
	}
	if o.app.JSON {
		for _, m := range likely {
			if err := o.app.PrintJSON(cli.Typed("likely", m)); err != nil {
				return err
			}
		}
		return nil
	}
	if !o.app.CSV {
		o.app.Out.Write(draw.AppendText(nil, adviceScene(at, list, false), draw.TextOptions{Unicode: o.unicode, Color: o.app.Colored()}))
		fmt.Fprintf(o.app.Out, "%s: %s\n", at.Title, strings.TrimSpace(cli.Status(at.pos.Rules(), at.pos)))
		if len(likely) > 0 {
			var words []string
			for _, m := range likely {
				words = append(words, fmt.Sprintf("%s %.1f%%", m.Name, 100*m.Share))
			}
			fmt.Fprintf(o.app.Out, "likely: %s\n", strings.Join(words, ", "))
		}
		fmt.Fprintln(o.app.Out)
	}
	if len(t.Rows) == 0 {
		fmt.Fprintln(o.app.Err, "no shape of the base has a good point here")
		return nil
	}
	if err := o.app.Print(t); err != nil || o.app.CSV {
		return err
	}
	if more := len(list) - len(told); more > 0 {
		fmt.Fprintf(o.app.Out, "%s: --limit 0\n", cli.Plural(more, "more point"))
	}
	return nil
}

// matchRows is how many points are told below a board.
const matchRows = 20

// urgencyMark is what is drawn on a point.
func urgencyMark(p *advise.Point) string {
	switch {
	case p.Refused:
		return "?"
	case p.Avoid:
		return "-"
	}
	return strconv.Itoa(int(p.Urgency))
}

// adviceScene draws a position with its good points: where both sides have one,
// the more urgent. With heat, which text cannot show, the more urgent points stand
// out.
func adviceScene(at *standing, list []advise.Point, heat bool) *draw.Scene {
	s := &draw.Scene{
		Geometry: at.pos.Rules().Geometry(), Planes: at.pos.Planes(), Last: at.Last, Coordinates: true, Title: at.Title + ", with good points",
		Labels: map[board.Point]string{}, Heat: map[board.Point]draw.Heat{},
	}
	for _, p := range slices.Backward(list) {
		if heat && !p.Refused && !p.Avoid {
			s.Heat[p.Point] = draw.Heat{Value: float64(p.Urgency) / float64(kb.Urgent), Text: urgencyMark(&p)}
			delete(s.Labels, p.Point)
			continue
		}
		s.Labels[p.Point] = urgencyMark(&p)
		delete(s.Heat, p.Point)
	}
	return s
}

// shapePicture draws a shape: lines where it may be on the board, letters on good
// points, and the signs of cells that may be several things.
func shapePicture(s *knowledge.Shapes, e *kb.Entry, language string) []byte {
	look := weiqi.Standard.Geometry()
	g := &board.Geometry{Size: e.Size, Pieces: look.Pieces, Theme: look.Theme}
	scene := &draw.Scene{Geometry: g, Planes: board.NewPlanes(e.Size, 2), Labels: map[board.Point]string{}, Marks: map[board.Point]draw.Mark{}, Title: nameIn(s.Base.Title(e), language)}
	outside := func(x, y int) bool { return e.At(x, y) == pattern.Off }
	rows := strings.Split(e.Diagram(), "\n")
	for y := range e.Size.H {
		for x, sign := range strings.Fields(rows[y]) {
			p := board.At(x, y)
			if outside(x, y) {
				continue
			}
			if piece, ok := e.At(x, y).Only(); ok && piece != board.Empty {
				scene.Planes.Put(p, piece)
			} else if sign != "." && sign != "_" {
				scene.Labels[p] = sign
			}
			for _, d := range [][2]int{{1, 0}, {-1, 0}, {0, 1}, {0, -1}} {
				if outside(x+d[0], y+d[1]) {
					continue
				}
				from := board.Spot{X: float64(x), Y: float64(y)}
				g.Lines = append(g.Lines, board.Segment{From: from, To: board.Spot{X: from.X + float64(d[0])/2, Y: from.Y + float64(d[1])/2}})
			}
		}
	}
	for _, at := range slices.Concat(e.Ours, e.Theirs) {
		if e.Avoids() {
			scene.Marks[board.At(int(at.X), int(at.Y))] |= draw.Cross
		}
	}
	return draw.AppendSVG(nil, scene)
}
