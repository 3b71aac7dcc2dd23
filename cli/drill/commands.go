// Package drill has the commands of exercises: made from games, done in the terminal.
package drill

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"qipu"
	"qipu/board/draw"
	"qipu/cli"
	"qipu/engine"
	"qipu/engine/endgame"
	"qipu/game"
	"qipu/ingest"
	"qipu/library/ask"
	"qipu/library/drill"
	"qipu/record"
	"qipu/view/drillview"
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
	var o making
	cmd := &cobra.Command{
		Use:   "make PATH... --to FILE",
		Short: "Cut exercises from games",
		Long: `Read games and write the positions in which one move is right and all others are not. Tables
of endings prove some. Reading proves others, towards the end of a game: one move wins by
force, by a mate or a five, or by the count of an end that was read out, and no other comes
near; or one escapes, and all others lose by force. --nodes says how many positions are read
for each; what might be one is found by an eighth of them. 0 leaves it to the tables.

With --query games of the library are taken instead of files. --check reads a sample of what
was cut sixteen times deeper, and tells how much of it stands. A file that is there is written
anew; answers beside it stay.`,
		Example: `  qipu drill make games --to endings.drill --nodes 0
  qipu drill make games --to endings.drill --nodes 0 --json
  qipu drill make --query game:gomoku --most 2 --to five.drill`,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case o.to == "":
				return cli.Usagef("where to? Name a file with --to")
			case len(args) == 0 && o.query == "":
				return cli.Usagef("from which games? Name files, or write --query")
			case len(args) > 0 && o.query != "":
				return cli.Usagef("either files or --query")
			case o.nodes < 0 || o.most < 0 || o.check < 0:
				return cli.Usagef("--nodes, --most and --check are at least 0")
			}
			return d.make(cmd.Context(), args, &o)
		},
	}
	f := cmd.Flags()
	f.StringVarP(&o.to, "to", "t", "", "the file of exercises")
	f.StringVarP(&o.query, "query", "q", "", "take the games that a query finds in the library")
	f.Int64Var(&o.nodes, "nodes", 8_000, "positions that are read for each; 0 for tables alone")
	f.IntVar(&o.most, "most", 0, "exercises at most, 0 for all")
	f.IntVar(&o.games, "games", 0, "games at most, 0 for all")
	f.IntVar(&o.check, "check", 0, "read so many of the exercises sixteen times deeper")
	o.read.Register(f)
	return cmd
}

// making says what exercises are made of.
type making struct {
	to, query          string
	nodes              int64
	most, games, check int
	read               cli.ReadFlags
}

// errEnough ends reading: there are as many exercises as were asked for.
var errEnough = errors.New("enough")

func (d *drills) make(ctx context.Context, args []string, o *making) error {
	tables, err := d.tables()
	if err != nil {
		return err
	}
	defer tables.Close()
	readers := map[string]*drill.Search{}
	defer func() {
		for _, s := range readers {
			if s != nil {
				s.Engine.Close()
			}
		}
	}()
	var list []drill.Exercise
	seen := map[string]bool{}
	made := drillview.DrillMade{}
	began := time.Now()
	bar := d.NewProgress("games", o.games)
	defer bar.Close()
	take := func(p *record.Played) error {
		if made.Games++; o.games > 0 && made.Games > o.games {
			made.Games--
			return errEnough
		}
		name := source(p.Game, made.Games)
		cut, err := drill.Cut(tables, p, name)
		if err != nil {
			return err
		}
		if o.nodes > 0 && len(cut) == 0 && p.Rules != nil {
			s, ok := readers[p.Rules.Info().Name]
			if !ok {
				if e, err := d.Engine(p.Rules, engine.Options{Known: tables}); err == nil && !e.Info().Points {
					s = &drill.Search{Engine: e, Nodes: o.nodes, Most: 2}
				}
				readers[p.Rules.Info().Name] = s
			}
			if s != nil {
				if cut, err = s.Cut(ctx, p, name); err != nil {
					return err
				}
			}
		}
		for _, e := range cut {
			if !seen[e.ID] {
				seen[e.ID] = true
				list = append(list, e)
			}
		}
		bar.Step(1)
		if o.most > 0 && len(list) >= o.most {
			return errEnough
		}
		return nil
	}
	if o.query != "" {
		err = d.ofQuery(ctx, o.query, take)
	} else {
		var ro ingest.Options
		if ro, err = d.Options(&o.read); err == nil {
			ro.Sink = ingest.SinkFunc(take)
			_, err = d.Ingest(ctx, ro, args)
		}
	}
	if ctx.Err() != nil {
		return cli.ErrInterrupted
	}
	if err != nil && !errors.Is(err, errEnough) {
		return err
	}
	if o.most > 0 {
		list = list[:min(len(list), o.most)]
	}
	if made.Exercises, err = drill.Save(o.to, list); err != nil {
		return err
	}
	for _, s := range readers {
		if s != nil {
			made.Looked += s.Looked
		}
	}
	made.Seconds = time.Since(began).Seconds()
	if err := d.checked(ctx, list, o, readers, &made); err != nil {
		return err
	}
	if d.JSON {
		return d.PrintJSON(cli.Typed("drill", made))
	}
	fmt.Fprintf(d.Out, "%s from %s in %s\n", cli.Plural(made.Exercises, "exercise"), cli.Plural(made.Games, "game"), o.to)
	if made.Checked > 0 {
		fmt.Fprintf(d.Out, "%d of %d stand when read sixteen times deeper\n", made.Sound, made.Checked)
	}
	return nil
}

// checked reads a sample of what reading has proved sixteen times deeper.
func (d *drills) checked(ctx context.Context, list []drill.Exercise, o *making, readers map[string]*drill.Search, made *drillview.DrillMade) error {
	step := max(1, len(list)/max(1, o.check))
	for i := 0; i < len(list) && made.Checked < o.check; i += step {
		e := &list[i]
		r, err := d.Game(e.Game)
		if err != nil {
			return err
		}
		s := readers[r.Info().Name]
		if e.Proof == "table" || s == nil {
			continue
		}
		ok, err := s.Sound(ctx, r, e, 16*o.nodes)
		if err != nil {
			return err
		}
		made.Checked++
		if ok {
			made.Sound++
		}
	}
	return nil
}

// ofQuery hands the games that a query finds to a function.
func (d *drills) ofQuery(ctx context.Context, text string, take func(*record.Played) error) error {
	return d.Reading(ctx, func(l *qipu.Library) error {
		found, err := l.Ask(ctx, &ask.Question{Text: text})
		if err != nil {
			return err
		}
		referee := record.NewReferee(d.Games)
		referee.Trace = true
		for it := found.Found.Iterator(); it.HasNext(); {
			g, _, err := l.Records().Record(ctx, it.Next())
			if err != nil {
				return err
			}
			if err := take(referee.Play(g)); err != nil {
				return err
			}
		}
		return nil
	})
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
				v := drillview.Drill{Exercise: s.ID, Game: s.Game, Position: s.Position, Theme: s.Theme, Kind: s.Kind, Rating: s.Rating.Points, Times: s.Memory.Times, Known: s.Memory.Recall(now), Source: s.Source}
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
