package pictures

import (
	"bytes"

	"github.com/spf13/cobra"

	"qipu/board/draw"
	"qipu/board/picture"
	"qipu/cli"
	"qipu/view/gameview"
)

func drawCommand(a *cli.App) *cobra.Command {
	var o cli.DrawOptions
	cmd := &cobra.Command{
		Use:   "draw GAME [POSITION]",
		Short: "Draw a position as text, SVG or PNG",
		Long: `Draw a position of any game, as text for a terminal, as a self-contained SVG
picture, or as a PNG of pixels.

POSITION is a position text (FEN and its kin), a list of moves from the start in
any notation, a position text followed by "moves" and such a list, or "-" for
standard input; without it the start is drawn. Points are named by column and
row, as in d4.`,
		Example: `  qipu draw othello f5d6c3d3c4f4
  qipu draw othello "8/8/8/3OX3/3XO3/8/8/8 X" --legal --unicode
  qipu draw othello f5f6e6f4 --svg --numbers --output board.svg
  qipu draw weiqi "D4 Q16 D16 Q4" --png --width 480 --output board.png
  echo f5d6c3 | qipu draw othello - --json`,
		Args:              cli.ArgCount(1, 2),
		ValidArgsFunction: a.CompleteGames,
		RunE: func(_ *cobra.Command, args []string) error {
			k, err := a.Kind(args[0])
			if err != nil {
				return err
			}
			position := ""
			if len(args) == 2 {
				if position, err = a.Text(args[1]); err != nil {
					return err
				}
			}
			at, err := k.Stand(position, 0, "")
			if err != nil {
				return err
			}
			return drawPosition(a, at, &o)
		},
	}
	f := cmd.Flags()
	f.BoolVar(&o.Svg, "svg", false, "draw an SVG picture")
	f.BoolVar(&o.Png, "png", false, "draw a PNG picture")
	f.BoolVar(&o.Ascii, "ascii", false, "draw with ASCII letters (the default)")
	f.BoolVar(&o.Unicode, "unicode", false, "draw with stones, lines and Chinese characters")
	f.BoolVar(&o.Flip, "flip", false, "turn the board around")
	f.BoolVar(&o.Dark, "dark", false, "pictures: dark surroundings")
	f.BoolVar(&o.NoCoordinates, "no-coordinates", false, "leave out the names of columns and rows")
	f.BoolVar(&o.Simplified, "simplified", false, "pictures: simplified characters on the pieces")
	f.BoolVar(&o.Legal, "legal", false, "mark the legal moves")
	f.BoolVar(&o.Numbers, "numbers", false, "pictures: number the moves that were played")
	f.IntVar(&o.Width, "width", 0, "pictures: width in pixels (0: as wide as the page; 600 for PNG)")
	f.StringArrayVar(&o.Labels, "label", nil, "write on a point: d4=A")
	f.StringArrayVar(&o.Marks, "mark", nil, "pictures: mark a point: d4=circle, square, triangle, cross or hint")
	f.StringArrayVar(&o.Heat, "heat", nil, "pictures: lay a value from 0 to 1 on a point: d4=0.7")
	f.StringArrayVar(&o.Arrows, "arrow", nil, "pictures: draw an arrow: d4-f5")
	f.StringArrayVar(&o.Regions, "region", nil, "pictures: outline a rectangle: a1-e5")
	f.StringVarP(&o.Output, "output", "o", "", "write to a file")
	f.StringVar(&o.Notation, "notation", "", "notation of the moves in --json (see qipu games GAME)")
	return cmd
}

func drawPosition(a *cli.App, at *gameview.Standing, o *cli.DrawOptions) error {
	if cli.Several(o.Svg, o.Png, o.Ascii, o.Unicode, a.JSON) {
		return cli.Usagef("--svg, --png, --ascii, --unicode and --json exclude each other")
	}
	if a.CSV {
		return cli.Usagef("a picture has no CSV form: use --json")
	}
	if err := o.Check(a.JSON); err != nil {
		return err
	}
	if a.JSON {
		var err error
		if at.Write, err = cli.Notation(at.Kind, o.Notation); err != nil {
			return err
		}
		line, err := cli.MarshalLine(cli.Typed("position", at.Position(true)))
		if err != nil {
			return err
		}
		return a.Emit(line, o.Output)
	}
	s, err := cli.Scene(at.Rules, at.Pos, at.Moves, o)
	if err != nil {
		return err
	}
	var drawn []byte
	switch {
	case o.Svg:
		drawn = draw.AppendSVG(nil, s)
	case o.Png:
		if drawn, err = pixels(s); err != nil {
			return err
		}
	default:
		drawn = draw.AppendText(nil, s, draw.TextOptions{Unicode: o.Unicode, Color: a.Colored() && o.Output == ""})
		drawn = append(drawn, cli.Status(at.Rules, at.Pos)...)
	}
	return a.Emit(drawn, o.Output)
}

// pixels paints a scene as PNG.
func pixels(s *draw.Scene) ([]byte, error) {
	width := s.Width
	s.Width = 0 // which is for lines on whole pixels of a picture that may turn out narrower
	p, err := picture.Read(draw.AppendSVG(nil, s))
	if err != nil {
		return nil, err
	}
	if width == 0 {
		width = 600
	}
	var out bytes.Buffer
	err = p.PNG(&out, width)
	return out.Bytes(), err
}
