package pictures

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"qipu"
	"qipu/board/picture/pdf"
	"qipu/cli"
	"qipu/record"
	"qipu/store"
	"qipu/view/kifu"
)

type printOptions struct {
	number int
	output string
	font   string
	kifu.Options
	film kifu.Film
}

func printCommand(a *cli.App) *cobra.Command {
	var o printOptions
	var flags cli.ReadFlags
	cmd := &cobra.Command{
		Use:   "print PATH|ID --output FILE",
		Short: "Put a game on pages, or into an animated picture",
		Long: `Put the main line of a game on pages to print or to read (FILE.pdf), or into an
animated picture (FILE.gif).

Pages have the header of the record, diagrams with numbered moves (lists of moves
with boards, in games in which pieces move) and the comments. A move onto a point
that has a number already stands below its diagram, as 52 (47).

Chinese, Japanese and Korean are set in the fonts that readers of PDF have, or in
one that is embedded: --font FILE.ttf.`,
		Example: `  qipu print games/go-9x9-1.sgf --output game.pdf
  qipu print 1 --output game.pdf --phone --every 30
  qipu print games/xiangqi-mates.pgn -n 2 --output mate.gif --width 480`,
		Args:              cli.ArgCount(1, 1),
		ValidArgsFunction: cobra.FixedCompletions(nil, cobra.ShellCompDirectiveDefault),
		RunE: func(cmd *cobra.Command, args []string) error {
			return printGame(cmd.Context(), a, &flags, &o, args[0])
		},
	}
	f := cmd.Flags()
	flags.Register(f)
	f.IntVarP(&o.number, "game-number", "n", 1, "number of the record in the file, from 1")
	f.StringVarP(&o.output, "output", "o", "", "file to write: .pdf or .gif")
	f.BoolVar(&o.Phone, "phone", false, "PDF: pages as narrow as a phone")
	f.IntVar(&o.Every, "every", 0, "PDF: moves a diagram (default 50 where they are numbered, else 20)")
	f.StringVar(&o.Language, "language", "", "PDF: language of the header and of Han characters: en, zh-Hant, zh-Hans, ja, ko")
	f.StringVar(&o.font, "font", "", "PDF: a TrueType font for letters that the usual one has not")
	f.BoolVar(&o.NoComments, "no-comments", false, "PDF: leave the comments out")
	f.BoolVar(&o.Simplified, "simplified", false, "simplified characters on pieces")
	f.IntVar(&o.film.From, "from", 0, "GIF: the position to begin with, by moves played")
	f.IntVar(&o.film.To, "to", -1, "GIF: the position to end with (default: the last)")
	f.IntVar(&o.film.Width, "width", 360, "GIF: in pixels, up to 1000")
	f.IntVar(&o.film.Delay, "delay", 100, "GIF: hundredths of a second a move")
	return cmd
}

func printGame(ctx context.Context, a *cli.App, flags *cli.ReadFlags, o *printOptions, path string) error {
	kind := strings.ToLower(filepath.Ext(o.output))
	switch {
	case kind != ".pdf" && kind != ".gif":
		return cli.Usagef("--output %q: name a file that ends in .pdf or .gif", o.output)
	case a.JSON || a.CSV:
		return cli.Usagef("pages have no JSON or CSV form: qipu show has")
	case o.number < 1:
		return cli.Usagef("--game-number %d: records are counted from 1", o.number)
	}
	if o.font != "" {
		var err error
		if o.Font, err = os.ReadFile(o.font); err != nil {
			return err
		}
	}
	write := func(p *record.Played) error {
		var out bytes.Buffer
		var err error
		if kind == ".pdf" {
			err = kifu.Write(&out, p, o.Options)
		} else {
			o.film.Simplified = o.Simplified
			err = kifu.GIF(&out, p, o.film)
		}
		if errors.Is(err, pdf.ErrFont) {
			return fmt.Errorf("%s: %w", o.font, err)
		}
		if err != nil {
			return err
		}
		return a.Emit(out.Bytes(), o.output)
	}
	if id, stored := cli.GameNumber(path); stored {
		return a.Stored(ctx, id, func(_ *qipu.Library, p *record.Played, _ *store.Game) error { return write(p) })
	}
	p, err := a.FindRecord(ctx, flags, path, o.number)
	if err != nil {
		return err
	}
	return write(p)
}
