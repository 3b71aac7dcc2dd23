// Package drill has the commands of exercises: made from games, done in the terminal.
package drill

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"qipu/board/draw"
	"qipu/cli"
	"qipu/engine/endgame"
	"qipu/game"
	"qipu/ingest"
	"qipu/library/drill"
	"qipu/record"
	"qipu/view"
	"qipu/view/recordview"
)

// Commands returns the commands of exercises.
func Commands(a *cli.App) []*cobra.Command {
	d := &drills{App: a}
	cmd := &cobra.Command{
		Use:   "drill",
		Short: "Exercises cut from games, which come again when they are about to be forgotten",
		Long: `Cut exercises from games and do them. An exercise is a position in which one move is right
and all others are not, by proof: tables of endings say so.

Exercises are a file, one a line; answers are kept beside it, in FILE.answers, and only ever
appended to, so that the answers of two devices are brought together by appending one file to
the other. How well each exercise is known is worked out from them, and when it comes again;
people and exercises are rated on one scale.`,
		Example: `  qipu drill make games --to endings.drill
  qipu drill list endings.drill`,
	}
	cmd.AddCommand(d.makeCommand(), d.listCommand(), d.doCommand(), d.exportCommand())
	return []*cobra.Command{cmd}
}

type drills struct{ *cli.App }

// tables opens the tables of endings.
func (d *drills) tables() (*endgame.Tables, error) {
	dir, err := endgame.Folder(d.LookupOS)
	if err != nil {
		return nil, err
	}
	return endgame.Open(dir), nil
}

func (d *drills) makeCommand() *cobra.Command {
	var to string
	var read cli.ReadFlags
	cmd := &cobra.Command{
		Use:   "make PATH... --to FILE",
		Short: "Cut exercises from games",
		Long: `Read games and write the positions in which one move wins and no other does, or one holds
the draw and all others lose, as the tables of endings have it. A file that is there is
written anew; answers beside it stay.`,
		Example: `  qipu drill make games --to endings.drill
  qipu drill make games --to endings.drill --json`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if to == "" {
				return cli.Usagef("where to? Name a file with --to")
			}
			tables, err := d.tables()
			if err != nil {
				return err
			}
			defer tables.Close()
			o, err := d.Options(&read)
			if err != nil {
				return err
			}
			var list []drill.Exercise
			games := 0
			o.Sink = ingest.SinkFunc(func(p *record.Played) error {
				games++
				cut, err := drill.Cut(tables, p, source(p.Game, games))
				list = append(list, cut...)
				return err
			})
			if _, err := d.Ingest(cmd.Context(), o, args); err != nil {
				return err
			}
			n, err := drill.Save(to, list)
			if err != nil {
				return err
			}
			if d.JSON {
				return d.PrintJSON(cli.Typed("drill", view.DrillMade{Games: games, Exercises: n}))
			}
			_, err = fmt.Fprintf(d.Out, "%s from %s in %s\n", cli.Plural(n, "exercise"), cli.Plural(games, "game"), to)
			return err
		},
	}
	cmd.Flags().StringVarP(&to, "to", "t", "", "the file of exercises")
	read.Register(cmd.Flags())
	return cmd
}

// source says which game an exercise is from.
func source(g *record.Game, number int) string {
	if title := recordview.TitleOf(g); title != "" {
		return title
	}
	return fmt.Sprintf("game %d", number)
}

// when reads the time that a command is to believe.
func when(text string) (time.Time, error) {
	if text == "" {
		return time.Now(), nil
	}
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return at, cli.Usagef("--at %s: write a time as 2026-11-19T08:00:00Z", text)
	}
	return at, nil
}

func (d *drills) listCommand() *cobra.Command {
	var at string
	cmd := &cobra.Command{
		Use:   "list FILE",
		Short: "List exercises in the order in which they should be done",
		Long: `List exercises: what is due, the least known first, then what is new, by themes that you are
weak in and by how near it is to your rating, then what is not due yet.`,
		Example: `  qipu drill list endings.drill
  qipu drill list endings.drill --at 2030-01-01T00:00:00Z --csv`,
		Args: cli.ArgCount(1, 1),
		RunE: func(_ *cobra.Command, args []string) error {
			now, err := when(at)
			if err != nil {
				return err
			}
			deck, err := drill.Load(args[0])
			if err != nil {
				return err
			}
			t := &cli.Table{Columns: []string{"exercise", "theme", "kind", "rating", "known", "due", "position"}}
			for _, s := range deck.States(now) {
				v := view.Drill{Exercise: s.ID, Game: s.Game, Position: s.Position, Theme: s.Theme, Kind: s.Kind, Rating: s.Rating.Points, Times: s.Memory.Times, Known: s.Memory.Recall(now), Source: s.Source}
				due, known := "new", ""
				if !s.Due.IsZero() {
					v.Due = s.Due.UTC().Format(time.RFC3339)
					due, known = s.Due.UTC().Format("2006-01-02"), fmt.Sprintf("%.0f %%", 100*v.Known)
				}
				t.Add(cli.Typed("exercise", v), s.ID, s.Theme, s.Kind, strconv.Itoa(int(s.Rating.Points)), known, due, s.Position)
			}
			return d.Print(t)
		},
	}
	cmd.Flags().StringVar(&at, "at", "", "the time that is meant (default: now)")
	return cmd
}

func (d *drills) doCommand() *cobra.Command {
	var at string
	var count int
	cmd := &cobra.Command{
		Use:   "do FILE",
		Short: "Do exercises",
		Long: `Show one position after the other and read a move for each, in any notation. A wrong move is
answered with what refutes it; "?" shows the move. End with "quit", or the end of input: every
answer is kept when it is given.`,
		Example: `  echo ? | qipu drill do endings.drill --count 1
  echo quit | qipu drill do endings.drill`,
		Args: cli.ArgCount(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			now, err := when(at)
			if err != nil {
				return err
			}
			if count < 1 || count > 1000 {
				return cli.Usagef("--count %d: want 1 to 1000", count)
			}
			deck, err := drill.Load(args[0])
			if err != nil {
				return err
			}
			tables, err := d.tables()
			if err != nil {
				return err
			}
			defer tables.Close()
			in := bufio.NewReader(d.In)
			done, right := 0, 0
			for _, s := range deck.States(now) {
				if done == count || s.Due.After(now) {
					break
				}
				ok, err := d.one(deck, tables, s, in, now)
				if errors.Is(err, io.EOF) {
					break
				}
				if err != nil {
					return err
				}
				if done++; ok {
					right++
				}
			}
			_, err = fmt.Fprintf(d.Out, "%d of %d right; your rating is %.0f +- %.0f\n", right, done, deck.Person.Points, 1.96*deck.Person.Doubt)
			return err
		},
	}
	cmd.Flags().StringVar(&at, "at", "", "the time of the first answer (default: now)")
	cmd.Flags().IntVarP(&count, "count", "n", 10, "how many at most")
	return cmd
}

// one does one exercise; io.EOF tells that there is nobody any more.
func (d *drills) one(deck *drill.Deck, tables *endgame.Tables, s drill.State, in *bufio.Reader, now time.Time) (right bool, err error) {
	r, err := d.Game(s.Game)
	if err != nil {
		return false, err
	}
	p, err := game.ParsePosition(r, s.Position)
	if err != nil {
		return false, err
	}
	scene, err := cli.Scene(r, p, nil, &cli.DrawOptions{})
	if err != nil {
		return false, err
	}
	task := "one move wins"
	if s.Kind == "save" {
		task = "one move holds the draw"
	}
	fmt.Fprintf(d.Out, "%s%s to move: %s.\n", draw.AppendText(nil, scene, draw.TextOptions{Color: d.Colored()}), r.Info().Sides[p.Turn()].Titles.En, task)
	for {
		text, err := in.ReadString('\n')
		if text = strings.TrimSpace(text); text == "" || text == "quit" {
			if err == nil && text == "" {
				continue
			}
			return false, io.EOF
		}
		if text == "?" {
			fmt.Fprintf(d.Out, "It is %s.\n", s.Move)
			break
		}
		m, err := r.ParseMove(p, text, game.AnyNotation)
		if err != nil {
			fmt.Fprintf(d.Out, "%s: %v\n", text, err)
			continue
		}
		if game.FormatMove(r, p, m, game.AnyNotation) == s.Move {
			right = true
			fmt.Fprintln(d.Out, "Right.")
			break
		}
		v, line, err := drill.Refute(tables, r, p, m)
		if err != nil {
			return false, err
		}
		fmt.Fprintf(d.Out, "That is %s", v.Word())
		if len(line) > 0 {
			fmt.Fprintf(d.Out, ": %s", strings.Join(line, " "))
		}
		fmt.Fprintf(d.Out, ". It is %s.\n", s.Move)
		break
	}
	fmt.Fprintf(d.Out, "%s, from %s, ply %d", s.Theme, s.Source, s.Ply)
	if s.Played != "" && s.Played != s.Move {
		fmt.Fprintf(d.Out, ", where %s was played", s.Played)
	}
	fmt.Fprintln(d.Out)
	if len(s.Line) > 0 {
		fmt.Fprintln(d.Out, strings.Join(s.Line, " "))
	}
	return right, deck.Note(drill.Answer{At: now, Exercise: s.ID, Right: right})
}

func (d *drills) exportCommand() *cobra.Command {
	var count int
	cmd := &cobra.Command{
		Use:   "export FILE",
		Short: "Print exercises as a sheet, with the answers behind them",
		Long:  `Print exercises as a sheet for a class: the boards first, the answers on a page of their own.`,
		Example: `  qipu drill export endings.drill --count 2
  qipu drill export endings.drill --count 24`,
		Args: cli.ArgCount(1, 1),
		RunE: func(_ *cobra.Command, args []string) error {
			deck, err := drill.Load(args[0])
			if err != nil {
				return err
			}
			list := deck.Exercises[:min(max(count, 0), len(deck.Exercises))]
			if d.JSON {
				for _, e := range list {
					if err := d.PrintJSON(cli.Typed("exercise", e)); err != nil {
						return err
					}
				}
				return nil
			}
			var answers strings.Builder
			for i, e := range list {
				r, err := d.Game(e.Game)
				if err != nil {
					return err
				}
				p, err := game.ParsePosition(r, e.Position)
				if err != nil {
					return err
				}
				scene, err := cli.Scene(r, p, nil, &cli.DrawOptions{})
				if err != nil {
					return err
				}
				fmt.Fprintf(d.Out, "%d. %s to move (%s)\n\n%s\n", i+1, r.Info().Sides[p.Turn()].Titles.En, e.Kind, draw.AppendText(nil, scene, draw.TextOptions{}))
				answer := e.Line
				if len(answer) == 0 {
					answer = []string{e.Move}
				}
				fmt.Fprintf(&answers, "%d. %s\n", i+1, strings.Join(answer, " "))
			}
			_, err = fmt.Fprintf(d.Out, "\f%s", answers.String())
			return err
		},
	}
	cmd.Flags().IntVarP(&count, "count", "n", 12, "how many at most")
	return cmd
}
