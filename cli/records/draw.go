package records

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"qipu/board/draw"
	"qipu/cli"
	"qipu/game"
)

// positionJSON is a position as --json prints it.
type positionJSON struct {
	Game     string   `json:"game"`
	Variant  string   `json:"variant"`
	Position string   `json:"position"`
	Turn     string   `json:"turn"`
	Played   []string `json:"played"`
	Legal    []string `json:"legal"`
	Over     bool     `json:"over"`
	Outcome  string   `json:"outcome"`
	Hash     string   `json:"hash"`
}

func drawCommand(a *cli.App) *cobra.Command {
	var o cli.DrawOptions
	cmd := &cobra.Command{
		Use:   "draw GAME [POSITION]",
		Short: "Draw a position as text or SVG",
		Long: `Draw a position of any game, as text for a terminal or as a self-contained SVG
picture.

POSITION is a position text (FEN and its kin), a list of moves from the start in
any notation, a position text followed by "moves" and such a list, or "-" for
standard input; without it the start is drawn. Points are named by column and
row, as in d4.`,
		Example: `  qipu draw othello f5d6c3d3c4f4
  qipu draw othello "8/8/8/3OX3/3XO3/8/8/8 X" --legal --unicode
  qipu draw othello f5f6e6f4 --svg --numbers --output board.svg
  echo f5d6c3 | qipu draw othello - --json`,
		Args:              cli.ArgCount(1, 2),
		ValidArgsFunction: a.CompleteGames,
		RunE: func(_ *cobra.Command, args []string) error {
			r, err := a.Game(args[0])
			if err != nil {
				return err
			}
			position := ""
			if len(args) == 2 {
				if position, err = a.Text(args[1]); err != nil {
					return err
				}
			}
			p, moves, err := game.ParseLine(r, position)
			if err != nil {
				return err
			}
			return drawPosition(a, r, p, moves, &o)
		},
	}
	f := cmd.Flags()
	f.BoolVar(&o.Svg, "svg", false, "draw an SVG picture")
	f.BoolVar(&o.Ascii, "ascii", false, "draw with ASCII letters (the default)")
	f.BoolVar(&o.Unicode, "unicode", false, "draw with stones, lines and Chinese characters")
	f.BoolVar(&o.Flip, "flip", false, "turn the board around")
	f.BoolVar(&o.Dark, "dark", false, "SVG: dark surroundings")
	f.BoolVar(&o.NoCoordinates, "no-coordinates", false, "leave out the names of columns and rows")
	f.BoolVar(&o.Simplified, "simplified", false, "SVG: simplified characters on the pieces")
	f.BoolVar(&o.Legal, "legal", false, "mark the legal moves")
	f.BoolVar(&o.Numbers, "numbers", false, "SVG: number the moves that were played")
	f.IntVar(&o.Width, "width", 0, "SVG: width in pixels (0: as wide as the page)")
	f.StringArrayVar(&o.Labels, "label", nil, "write on a point: d4=A")
	f.StringArrayVar(&o.Marks, "mark", nil, "SVG: mark a point: d4=circle, square, triangle, cross or hint")
	f.StringArrayVar(&o.Heat, "heat", nil, "SVG: lay a value from 0 to 1 on a point: d4=0.7")
	f.StringArrayVar(&o.Arrows, "arrow", nil, "SVG: draw an arrow: d4-f5")
	f.StringArrayVar(&o.Regions, "region", nil, "SVG: outline a rectangle: a1-e5")
	f.StringVarP(&o.Output, "output", "o", "", "write to a file")
	f.StringVar(&o.Notation, "notation", "", "notation of the moves in --json (see qipu games GAME)")
	return cmd
}

func drawPosition(a *cli.App, r game.Rules, p game.Position, moves []game.Move, o *cli.DrawOptions) error {
	chosen := 0
	for _, b := range []bool{o.Svg, o.Ascii, o.Unicode, a.JSON} {
		if b {
			chosen++
		}
	}
	if chosen > 1 {
		return cli.Usagef("--svg, --ascii, --unicode and --json exclude each other")
	}
	if a.CSV {
		return cli.Usagef("a picture has no CSV form: use --json")
	}
	if err := o.Check(a.JSON); err != nil {
		return err
	}
	if a.JSON {
		return describePosition(a, r, p, moves, o)
	}
	s, err := cli.Scene(r, p, moves, o)
	if err != nil {
		return err
	}
	var picture []byte
	if o.Svg {
		picture = draw.AppendSVG(nil, s)
	} else {
		picture = draw.AppendText(nil, s, draw.TextOptions{Unicode: o.Unicode, Color: a.Colored() && o.Output == ""})
		picture = append(picture, cli.Status(r, p)...)
	}
	return a.Emit(picture, o.Output)
}

// describePosition prints a position as JSON.
func describePosition(a *cli.App, r game.Rules, p game.Position, moves []game.Move, options *cli.DrawOptions) error {
	n := game.Notation(options.Notation)
	if n != game.AnyNotation {
		var known []string
		for _, k := range r.Info().Notations {
			known = append(known, string(k.Name))
		}
		if err := cli.OneOf("notation", string(n), known...); err != nil {
			return err
		}
	}
	o := positionJSON{
		Game: r.Info().Name, Variant: r.Info().Variant, Position: game.FormatPosition(r, p),
		Turn: r.Info().Sides[p.Turn()].Name, Played: []string{}, Legal: []string{},
		Over: p.Outcome().Over(), Outcome: p.Outcome().Describe(r.Info()), Hash: fmt.Sprintf("%016x", p.Hash()),
	}
	for _, m := range p.AppendMoves(nil) {
		o.Legal = append(o.Legal, game.FormatMove(r, p, m, n))
	}
	for i := len(moves) - 1; i >= 0; i-- {
		p.Undo()
		o.Played = append(o.Played, game.FormatMove(r, p, moves[i], n))
	}
	slices.Reverse(o.Played)
	line, err := cli.MarshalLine(o)
	if err != nil {
		return err
	}
	return a.Emit(line, options.Output)
}
