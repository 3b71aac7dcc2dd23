// Package engines has the commands by which the owner names engines, and finds them
// again for all other commands.
package engines

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"qipu/cli"
	"qipu/engine"
	"qipu/engine/endgame"
	"qipu/engine/external"
	"qipu/engine/guests"
	"qipu/game"
	"qipu/library"
	"qipu/view"
	"qipu/view/playview"
)

// Commands returns the commands about engines.
func Commands(a *cli.App) []*cobra.Command {
	cmd := &cobra.Command{
		Use:   "engines",
		Short: "Name engines of others: GNU Go, KataGo, Pikafish, Edax, Rapfi",
		Long: `Name engines of others once, and use them everywhere by that name: in play, match,
analyse and book learn with --engine NAME, and on the pages of qipu serve, as
opponents and as those who value positions.

Engines stand in a file of settings, qipu.toml, which you alone can write: nothing that
comes over the network ever becomes a command. docs/engines.md tells how to get the
well-known ones.`,
		Example: `  qipu engines add katago --protocol gtp --game go --no-test -- katago gtp
  qipu engines list`,
	}
	cmd.AddCommand(addCommand(a), listCommand(a), testCommand(a), removeCommand(a))
	return []*cobra.Command{cmd}
}

// File returns the file of settings of a run.
func File(a *cli.App) (*guests.File, error) {
	path, err := guests.Locate(a.Config, a.LookupOS)
	if err != nil {
		return nil, err
	}
	f := guests.Open(path, a.Games)
	f.Taught = a.Taught
	return f, nil
}

// Maker returns a maker of engines that knows the named ones beside those of the
// program. These know the tables of endings.
func Maker(a *cli.App, own library.EngineMaker) library.EngineMaker {
	tables := sync.OnceValue(func() engine.Knower {
		dir, err := endgame.Folder(a.LookupOS)
		if err != nil {
			dir = "" // those that come with the program
		}
		return endgame.Open(dir)
	})
	return func(r game.Rules, o engine.Options) (engine.Engine, error) {
		if o.Name == "" {
			if _, ok := r.(game.Manned); ok && o.Known == nil {
				o.Known = tables()
			}
			return own(r, o)
		}
		f, err := File(a)
		if err != nil {
			return nil, err
		}
		e, err := f.Start(context.Background(), o.Name, r)
		if errors.Is(err, guests.ErrUnknown) {
			err = fmt.Errorf("%w: qipu engines list shows those that there are, qipu engines add names one", err)
		}
		return e, err
	}
}

type addOptions struct {
	guests.Guest
	protocol string
	untested bool
}

func addCommand(a *cli.App) *cobra.Command {
	var o addOptions
	cmd := &cobra.Command{
		Use:   "add NAME -- COMMAND [ARGUMENT...]",
		Short: "Name an engine",
		Long: `Name an engine: the program with its arguments stands behind "--", and no shell reads
it. The engine is started once, and has to make a move in each of its games; --no-test
leaves that out.

--option tells it something whenever it has started. In UCI and UCCI that is an option,
as Hash=64; in GTP a command; in NBoard what follows "set", as in "depth 12"; in the
protocol of the Gomocup the key and value of an INFO.

--time, --depth and --nodes bound its thoughts where a command or page gives no limits
of its own: a second, where nothing is said. --memory bounds what it may ask for, in
MiB, on Linux; programs that use a graphics card ask for far more than they use.`,
		Example: `  qipu engines add gnugo --protocol gtp --game go --no-test -- gnugo --mode gtp --chinese-rules
  qipu engines add fairy --protocol uci --game xiangqi --option Hash=64 --time 2s --no-test -- fairy-stockfish
  qipu engines add edax --protocol nboard --depth 16 --no-test -- edax -nboard
  qipu engines add rapfi --protocol gomocup --game gomoku --dir /opt/rapfi --no-test -- ./pbrain-rapfi`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			at := cmd.ArgsLenAtDash()
			switch {
			case len(args) == 0:
				return cli.Usagef("%s: NAME is missing", cmd.CommandPath())
			case at < 0 && len(args) > 1 || at > 1:
				return cli.Usagef(`%s: write the command behind "--", as in: qipu engines add %s -- gnugo --mode gtp`, cmd.CommandPath(), args[0])
			case at < 0 || len(args) == 1:
				return cli.Usagef(`%s: the command is missing: write it behind "--"`, cmd.CommandPath())
			}
			o.Name, o.Command, o.Protocol = args[0], args[1:], external.Protocol(o.protocol)
			return add(cmd.Context(), a, &o)
		},
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	f := cmd.Flags()
	cli.Enum(cmd, &o.protocol, "protocol", "gtp", "what it speaks: gtp, uci, ucci, nboard or gomocup", "gtp", "uci", "ucci", "nboard", "gomocup")
	f.StringSliceVar(&o.Games, "game", nil, "a game that it plays, such as go or xiangqi; may be given several times (default: that which the protocol was made for)")
	f.StringArrayVar(&o.Options, "option", nil, "what it is told when it has started, such as Hash=64; may be given several times")
	f.StringVar(&o.Dir, "dir", "", "folder that it runs in")
	f.DurationVar(&o.Limits.Time, "time", 0, "time for a thought, as in 2s")
	f.IntVar(&o.Limits.Depth, "depth", 0, "plies that it reads")
	f.Int64Var(&o.Limits.Nodes, "nodes", 0, "positions that it looks at")
	f.IntVar(&o.Limits.Threads, "threads", 0, "threads that it uses, where it can be told")
	f.IntVar(&o.Limits.Memory, "memory", 0, "MiB that it may ask for")
	f.BoolVar(&o.untested, "no-test", false, "do not start it")
	return cmd
}

func add(ctx context.Context, a *cli.App, o *addOptions) error {
	f, err := File(a)
	if err != nil {
		return err
	}
	if err := o.Check(a.Games); err != nil {
		return cli.Usagef("%w", err)
	}
	if !o.untested {
		tells, err := try(ctx, a, &o.Guest)
		if err != nil {
			return fmt.Errorf("%w: it is not added (--no-test adds it all the same)", err)
		}
		o.Values = &tells
	}
	if err := f.Add(o.Guest); err != nil {
		return err
	}
	if a.JSON {
		return a.PrintJSON(cli.Typed("engine", engineOf(&o.Guest)))
	}
	_, err = fmt.Fprintf(a.Out, "%s is in %s\n", o.Name, f.Path())
	return err
}

// engineOf is an engine as its owner sees it.
func engineOf(g *guests.Guest) view.HostedEngine {
	w := view.HostedEngine{
		Name: g.Name, Protocol: string(g.Protocol), Command: g.Command, Dir: g.Dir, Games: g.Games, Options: append([]string{}, g.Options...), Values: g.Values,
		Depth: g.Limits.Depth, Nodes: g.Limits.Nodes, Threads: g.Limits.Threads, Memory: g.Limits.Memory,
	}
	if g.Limits.Time > 0 {
		w.Time = g.Limits.Time.String()
	}
	return w
}

func listCommand(a *cli.App) *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List the engines that have names",
		Example: `  qipu engines list
  qipu engines list --json`,
		Args: cli.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			f, err := File(a)
			if err != nil {
				return err
			}
			list, err := f.All()
			if err != nil {
				return err
			}
			t := &cli.Table{Columns: []string{"name", "games", "protocol", "values", "limits", "command"}}
			for i := range list {
				g := &list[i]
				t.Add(cli.Typed("engine", engineOf(g)), g.Name, strings.Join(g.Games, " "), string(g.Protocol), values(g), limits(g), words(g.Command))
			}
			if len(list) == 0 && !a.JSON && !a.CSV {
				fmt.Fprintf(a.Err, "no engine has a name in %s: qipu engines add --help tells how to name one\n", f.Path())
				return nil
			}
			return a.Print(t)
		},
	}
}

// values tells whether an engine says what moves are worth.
func values(g *guests.Guest) string {
	switch {
	case g.Values == nil:
		return "untested"
	case *g.Values:
		return "yes"
	}
	return "no"
}

// words writes a command so that one sees where its words end.
func words(command []string) string {
	list := slices.Clone(command)
	for i, word := range list {
		if word == "" || strings.ContainsAny(word, " \"'\\") {
			list[i] = strconv.Quote(word)
		}
	}
	return strings.Join(list, " ")
}

// limits are those of a thought, in a word.
func limits(g *guests.Guest) string {
	var words []string
	if g.Limits.Time > 0 {
		words = append(words, g.Limits.Time.String())
	}
	if g.Limits.Depth > 0 {
		words = append(words, "depth "+strconv.Itoa(g.Limits.Depth))
	}
	if g.Limits.Nodes > 0 {
		words = append(words, strconv.FormatInt(g.Limits.Nodes, 10)+" nodes")
	}
	if len(words) == 0 {
		return "-"
	}
	return strings.Join(words, ", ")
}

func testCommand(a *cli.App) *cobra.Command {
	return &cobra.Command{
		Use:   "test NAME",
		Short: "Start an engine, and have it make a move and value moves",
		Long: `Start an engine, and have it make the first move of each of its games and value moves:
what it calls itself, what it plays, what it tells of it in its own unit, and how long
it took. Whether it tells values at all is noted beside it: one that tells none plays,
and is offered to nobody who wants a review, an analysis or a teacher of the book. What
is wrong with it is said in a sentence, and the exit code is not 0.`,
		Example: `  qipu engines test gnugo
  qipu engines test gnugo --json`,
		Args: cli.ArgCount(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			f, err := File(a)
			if err != nil {
				return err
			}
			g, err := f.Find(args[0])
			if err != nil {
				return err
			}
			tells, err := try(cmd.Context(), a, g)
			if err != nil {
				return err
			}
			return f.Note(g.Name, tells)
		},
		ValidArgsFunction: complete(a),
	}
}

// try has an engine make a move in each of its games, and prints what it does. It
// reports whether the engine tells values in any of them.
func try(ctx context.Context, a *cli.App, g *guests.Guest) (tells bool, err error) {
	t := &cli.Table{Columns: []string{"game", "engine", "move", "value", "told", "depth", "nodes", "time"}}
	for _, spec := range g.Games {
		k, err := a.Kind(spec)
		if err != nil {
			return false, err
		}
		w, err := trial(ctx, g, k.Rules)
		if errors.Is(err, context.Canceled) {
			return false, cli.ErrInterrupted
		}
		if err != nil {
			return false, err
		}
		at, err := k.Stand("", 0, "")
		if err != nil {
			return false, err
		}
		values := playview.ValuesOf(at, w.report)
		j := view.EngineTest{Engine: g.Name, Game: spec, Says: strings.TrimSpace(w.says + " " + w.version), Move: at.Move(at.Pos, w.move, game.AnyNotation), Values: *values, Seconds: view.Rounded(w.took.Seconds())}
		value, told := "-", "no values"
		if len(values.Moves) > 0 {
			tells = true
			value, told = fmt.Sprint(values.Moves[0].Value), values.Moves[0].Told
		}
		t.Add(cli.Typed("test", j), spec, j.Says, j.Move.Text, value, told, strconv.Itoa(values.Depth), strconv.FormatInt(values.Nodes, 10), w.took.Round(time.Millisecond).String())
	}
	return tells, a.Print(t)
}

// tried is what an engine did when it was tried.
type tried struct {
	says, version string
	move          game.Move
	report        *engine.Report // of values
	took          time.Duration  // of the move
}

func trial(ctx context.Context, g *guests.Guest, r game.Rules) (*tried, error) {
	unnamed := *g
	unnamed.Name = ""
	e, err := unnamed.Start(ctx, r)
	if err != nil {
		return nil, err
	}
	defer e.Close()
	began := time.Now()
	task := &engine.Task{Rules: r}
	report, err := e.Think(ctx, task, engine.Limits{}, nil)
	if err != nil {
		return nil, err
	}
	w := &tried{says: e.Info().Name, version: e.Info().Version, move: report.Best().Move, took: time.Since(began)}
	if w.report, err = e.Think(ctx, task, engine.Limits{Multi: 3}, nil); err != nil {
		return nil, err
	}
	if w.report.Best().Value == engine.NoValue && !e.Info().Opaque {
		// On a busy machine its time may be over before it has told anything: some plies
		// are work that it does however long that takes.
		w.report, err = e.Think(ctx, task, engine.Limits{Multi: 3, Depth: 2}, nil)
	}
	return w, err
}

func removeCommand(a *cli.App) *cobra.Command {
	return &cobra.Command{
		Use:   "remove NAME",
		Short: "Forget the name of an engine",
		Example: `  qipu engines add ghost --no-test --game go -- no-such-program
  qipu engines remove ghost`,
		Args: cli.ArgCount(1, 1),
		RunE: func(_ *cobra.Command, args []string) error {
			f, err := File(a)
			if err != nil {
				return err
			}
			if err := f.Remove(args[0]); err != nil {
				return err
			}
			if a.JSON || a.CSV {
				return nil
			}
			_, err = fmt.Fprintf(a.Out, "%s is no longer in %s\n", args[0], f.Path())
			return err
		},
		ValidArgsFunction: complete(a),
	}
}

// complete offers the names of engines.
func complete(a *cli.App) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, _ string) (names []string, _ cobra.ShellCompDirective) {
		if f, err := File(a); err == nil && len(args) == 0 {
			list, _ := f.All() // a file that cannot be read has no names to offer
			for i := range list {
				names = append(names, list[i].Name)
			}
		}
		return names, cobra.ShellCompDirectiveNoFileComp
	}
}
