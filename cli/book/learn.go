package book

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime/debug"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"qipu/book/theory"
	"qipu/cli"
	"qipu/engine"
	"qipu/game"
	"qipu/library/livebook"
	"qipu/record"
	"qipu/review"
	"qipu/store"
)

// learnOptions are the flags of the commands that search.
type learnOptions struct {
	bookOptions
	level, threads, pieces, limit int
	relative, absolute, tolerance float64
	depth                         int
	dryRun                        bool
	engine                        string // another program that searches
}

func (o *learnOptions) register(a *cli.App, cmd *cobra.Command) {
	o.bookOptions.register(a, cmd)
	f := cmd.Flags()
	o.teacher(f)
	f.IntVar(&o.level, "level", 10, "how deep to search, in plies")
	f.IntVar(&o.threads, "threads", 1, "threads of the engine")
	f.IntVar(&o.pieces, "pieces", 0, "add only positions with so many pieces at most (0: any)")
	f.IntVar(&o.limit, "limit", 0, "add so many positions at most (0: any number)")
}

func (o *learnOptions) teacher(f *pflag.FlagSet) {
	f.StringVar(&o.engine, "engine", "", "another program that searches: one that qipu engines list shows")
}

// open makes the engine that searches: one that tells what moves are worth.
func (o *learnOptions) open(a *cli.App, r game.Rules, want engine.Options) (engine.Engine, error) {
	want.Name = o.engine
	e, err := a.Engine(r, want)
	if err == nil && e.Info().Opaque {
		err = errors.Join(fmt.Errorf("%s: %w", o.engine, review.ErrOpaque), e.Close())
	}
	return e, err
}

func (o *learnOptions) deviation(cmd *cobra.Command) {
	cmd.Flags().Float64Var(&o.relative, "relative", 2, "how much one side may lose with each move")
	cmd.Flags().Float64Var(&o.absolute, "absolute", 4, "how far values may be from that of the position")
}

// dry registers --dry-run, for what searches nothing.
func (o *learnOptions) dry(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&o.dryRun, "dry-run", false, "say what would become of the values, and change nothing")
}

// check checks the flags; those of the engine where there is one.
func (o *learnOptions) check(search bool) error {
	for flag, n := range map[string]int{"--level": o.level, "--threads": o.threads} {
		if search && (n < 1 || n > 60) {
			return cli.Usagef("%s %d: want a number from 1 to 60", flag, n)
		}
	}
	for flag, n := range map[string]float64{"--relative": o.relative, "--absolute": o.absolute, "--tolerance": o.tolerance} {
		if n < 0 || math.IsNaN(n) || n > 1e6 {
			return cli.Usagef("%s %v: want a number of discs, from 0", flag, n)
		}
	}
	for flag, n := range map[string]int{"--pieces": o.pieces, "--limit": o.limit, "--depth": o.depth} {
		if n < 0 {
			return cli.Usagef("%s %d: want a number from 0", flag, n)
		}
	}
	return nil
}

func discs(n float64) engine.Value { return engine.Value(math.Round(n * float64(engine.Unit))) }

// bookHash is what the engine of a command remembers. It forgets everything
// before each search, so that a search is the same whatever came before: more
// would cost time.
const bookHash = 32 << 20

// learnt is what a command did.
type learnt struct {
	Game     string  `json:"game"`
	Searched int     `json:"searched"`
	Added    int     `json:"added"`
	Changed  int     `json:"changed"`
	Removed  int     `json:"removed"`
	Valued   int     `json:"valued"` // positions now
	Seconds  float64 `json:"seconds"`
	Stopped  bool    `json:"stopped"` // before everything was done
	DryRun   bool    `json:"dryRun"`  // nothing was changed
}

// learning is one of the commands that change values.
type learning struct {
	use, short, long, example string
	least, most               int
	flags                     func(o *learnOptions, cmd *cobra.Command)
	plain                     bool // it needs no engine
	do                        func(ctx context.Context, v *volume, l *theory.Learner, o *learnOptions, args []string) (theory.Report, error)
}

const resumes = `

Whatever is found is kept at once: stop it with Ctrl-C, and run it again to go on.
POSITION is a position text or a list of moves; without it, the start is meant.`

func bookLearn(a *cli.App) []*cobra.Command {
	at := func(do func(ctx context.Context, l *theory.Learner, p game.Position, o *learnOptions) (theory.Report, error)) func(context.Context, *volume, *theory.Learner, *learnOptions, []string) (theory.Report, error) {
		return func(ctx context.Context, v *volume, l *theory.Learner, o *learnOptions, args []string) (theory.Report, error) {
			at, err := v.stand(a, args)
			if err != nil {
				return theory.Report{}, err
			}
			return do(ctx, l, at.Pos, o)
		}
	}
	none := func(*learnOptions, *cobra.Command) {}
	list := []learning{{
		use: "add MOVES|ID...", short: "Value the positions of a game", least: 1, most: math.MaxInt, flags: none,
		long: `Search all positions of a game, the last first, and keep their values. A plain
number is that of a game of the library; anything else is a list of moves.` + resumes,
		example: `  qipu book add f5d6c3d3c4 --level 4
  qipu book add 10 --pieces 12 --level 2`,
		do: func(ctx context.Context, v *volume, l *theory.Learner, _ *learnOptions, args []string) (theory.Report, error) {
			return learnGames(ctx, a, v, l, args)
		},
	}, {
		use: "deviate [POSITION]", short: "Search where one side leaves the best line", most: 1, flags: (*learnOptions).deviation,
		long: `Search every position that comes about when one side, now this one and now that,
loses up to --relative discs with each move while the other plays its best, as long
as all values stay within --absolute discs of that of the position. It is repeated
with the values found until there is nothing left to search.` + resumes,
		example: `  qipu book deviate f5d6 --relative 1 --absolute 2 --level 2 --limit 10
  qipu book deviate --level 2 --limit 5 --json`,
		do: at(func(ctx context.Context, l *theory.Learner, p game.Position, o *learnOptions) (theory.Report, error) {
			return l.Deviate(ctx, p, discs(o.relative), discs(o.absolute))
		}),
	}, {
		use: "enhance [POSITION]", short: "Search until it is sure which move is best", most: 1,
		flags: func(o *learnOptions, cmd *cobra.Command) {
			cmd.Flags().Float64Var(&o.tolerance, "tolerance", 1, "how far apart the bounds of a value may be, in discs")
		},
		long: `Search where the bounds of values leave open which move is the best, in the position
and along its best line. A search that does not see the end is taken to be wrong by
up to two discs, one that does but leaves moves out by one; solved values are
sure.` + resumes,
		example: `  qipu book enhance f5d6c3d3c4 --level 2 --limit 5
  qipu book enhance --tolerance 4 --level 2 --limit 5`,
		do: at(func(ctx context.Context, l *theory.Learner, p game.Position, o *learnOptions) (theory.Report, error) {
			return l.Enhance(ctx, p, discs(o.tolerance))
		}),
	}, {
		use: "extend [POSITION]", short: "Go one move on wherever the best line ends", most: 1, flags: none,
		long: `Go one move on from every position below one whose best move has not been
followed yet.` + resumes,
		example: `  qipu book extend f5d6 --level 2 --limit 5
  qipu book extend --level 2 --limit 5 --json`,
		do: at(func(ctx context.Context, l *theory.Learner, p game.Position, _ *learnOptions) (theory.Report, error) {
			return l.Extend(ctx, p)
		}),
	}, {
		use: "deepen [POSITION]", short: "Search again what was searched less deeply", most: 1, flags: none,
		long: `Search again, at --level, all positions below one that were searched at a lower
level.` + resumes,
		example: `  qipu book deepen f5d6c3 --level 3
  qipu book deepen f5d6c3d3 --level 4 --json`,
		do: at(func(ctx context.Context, l *theory.Learner, p game.Position, _ *learnOptions) (theory.Report, error) {
			return l.Deepen(ctx, p)
		}),
	}, {
		use: "fill [POSITION]", short: "Join positions that lie near each other", most: 1,
		flags: func(o *learnOptions, cmd *cobra.Command) {
			cmd.Flags().IntVar(&o.depth, "depth", 2, "moves between two positions, at most")
		},
		long: `Search the positions that lie between two valued ones, so that lines which meet by
another order of moves do so in the book, too.` + resumes,
		example: `  qipu book fill f5d6c3 --level 2 --limit 5
  qipu book fill --level 2 --limit 5 --json`,
		do: at(func(ctx context.Context, l *theory.Learner, p game.Position, o *learnOptions) (theory.Report, error) {
			return l.Fill(ctx, p, o.depth)
		}),
	}, {
		use: "prune [POSITION]", short: "Forget the values that deviate would not come to", most: 1, flags: (*learnOptions).deviation, plain: true,
		long: `Forget the values below a position that qipu book deviate with the same numbers would
not come to. What people set is kept; games and their statistics are not touched.
POSITION is a position text or a list of moves; without it, the start is meant.`,
		example: `  qipu book prune f5d6c3d3 --relative 8 --absolute 16 --dry-run
  qipu book prune f5d6c3d3c4 --relative 2 --absolute 4 --json`,
		do: at(func(ctx context.Context, l *theory.Learner, p game.Position, o *learnOptions) (theory.Report, error) {
			return l.Prune(ctx, p, discs(o.relative), discs(o.absolute))
		}),
	}, {
		use: "subtree POSITION", short: "Forget the values of all positions but those below one", least: 1, most: 1, flags: none, plain: true,
		long: `Forget the values of all positions that cannot be reached from one. What people set
is kept; games and their statistics are not touched.`,
		example: `  qipu book subtree f5d6c3 --dry-run
  qipu book subtree f5d6c3 --json`,
		do: at(func(ctx context.Context, l *theory.Learner, p game.Position, _ *learnOptions) (theory.Report, error) {
			return l.Subtree(ctx, p)
		}),
	}, {
		use: "fix", short: "Work out all values anew, and search what is missing", flags: none,
		long: `Work out the values of all positions anew, and search where positions that came
from elsewhere leave open what the best of the other moves is.`,
		example: `  qipu book fix --level 2
  qipu book fix --level 2 --json`,
		do: func(ctx context.Context, _ *volume, l *theory.Learner, _ *learnOptions, _ []string) (theory.Report, error) {
			return l.Fix(ctx)
		},
	}}
	var cmds []*cobra.Command
	for _, c := range list {
		cmds = append(cmds, learnCommand(a, c))
	}
	return cmds
}

func learnCommand(a *cli.App, c learning) *cobra.Command {
	var o learnOptions
	cmd := &cobra.Command{
		Use: c.use, Short: c.short, Long: c.long, Example: c.example, Args: cli.ArgCount(c.least, c.most),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.check(!c.plain); err != nil {
				return err
			}
			return withBook(a, cmd, &o.bookOptions, o.dryRun, func(v *volume) error {
				return learn(cmd.Context(), a, v, &o, !c.plain, func(l *theory.Learner) (theory.Report, error) {
					return c.do(cmd.Context(), v, l, &o, args)
				})
			})
		},
	}
	if c.plain {
		o.bookOptions.register(a, cmd)
		o.dry(cmd)
	} else {
		o.register(a, cmd)
	}
	c.flags(&o, cmd)
	return cmd
}

// learn runs something that changes values, with an engine or without, and tells
// what it did. Who stops it keeps what was found.
func learn(ctx context.Context, a *cli.App, v *volume, o *learnOptions, search bool, do func(*theory.Learner) (theory.Report, error)) error {
	l := &theory.Learner{Theory: v.Theory, Level: o.level, Teacher: o.engine, Pieces: o.pieces, Limit: o.limit}
	if o.dryRun {
		var err error
		if l.Theory, err = v.Theory.Copy(ctx); err != nil {
			return err
		}
	}
	if search {
		defer debug.SetMemoryLimit(debug.SetMemoryLimit(2 << 30)) // its table and the values
		e, err := o.open(a, v.Rules, engine.Options{Hash: bookHash, Threads: o.threads})
		if err != nil {
			return err
		}
		defer e.Close()
		l.Searcher = livebook.SearchWith(e, v.Rules, o.threads)
	}
	far := a.NewProgress("positions", 0)
	l.Progress = func(r theory.Report) { far.Games(r.Searched, r.Searched+r.Left) }
	r, err := do(l)
	far.Close()
	stopped := errors.Is(err, context.Canceled)
	if err != nil && !stopped {
		return err
	}
	done := learnt{
		Game: v.Spec, Searched: r.Searched, Added: r.Added, Changed: r.Changed, Removed: r.Removed,
		Valued: l.Theory.Info().Positions, Seconds: math.Round(r.Elapsed.Seconds()*1000) / 1000, Stopped: stopped || o.limit > 0 && r.Added >= o.limit,
		DryRun: o.dryRun,
	}
	switch {
	case a.JSON:
		if err := a.PrintJSON(cli.Typed("learnt", done)); err != nil {
			return err
		}
	case a.CSV:
		t := &cli.Table{Columns: []string{"game", "searched", "added", "changed", "removed", "valued"}}
		t.Add(done, done.Game, fmt.Sprint(done.Searched), fmt.Sprint(done.Added), fmt.Sprint(done.Changed), fmt.Sprint(done.Removed), fmt.Sprint(done.Valued))
		if err := a.Print(t); err != nil {
			return err
		}
	case o.dryRun:
		fmt.Fprintf(a.Out, "%d would be added, %d changed, %d removed: the book would value %s; nothing was changed\n",
			done.Added, done.Changed, done.Removed, cli.Plural(done.Valued, "position"))
	default:
		fmt.Fprintf(a.Out, "%s searched, %d added, %d changed, %d removed: the book values %s\n",
			cli.Plural(done.Searched, "position"), done.Added, done.Changed, done.Removed, cli.Plural(done.Valued, "position"))
		if done.Stopped {
			fmt.Fprintln(a.Err, "there is more to do: run it again to go on")
		}
	}
	return err
}

// learnGames values games: records of the library, and lists of moves.
func learnGames(ctx context.Context, a *cli.App, v *volume, l *theory.Learner, args []string) (sum theory.Report, err error) {
	for _, arg := range args {
		p, moves, err := gameOf(ctx, a, v, arg)
		if err != nil {
			return sum, err
		}
		limit := l.Limit
		r, err := l.Add(ctx, p, moves)
		sum.Searched, sum.Added, sum.Elapsed = sum.Searched+r.Searched, sum.Added+r.Added, sum.Elapsed+r.Elapsed
		if err != nil {
			return sum, err
		}
		if limit > 0 {
			if l.Limit = limit - r.Added; l.Limit <= 0 {
				return sum, nil
			}
		}
	}
	return sum, nil
}

// gameOf returns the start and the moves of a game.
func gameOf(ctx context.Context, a *cli.App, v *volume, arg string) (game.Position, []game.Move, error) {
	id, ok := cli.GameNumber(arg)
	if !ok {
		text, err := a.Text(arg)
		if err != nil {
			return nil, nil, err
		}
		p, moves, err := game.ParseLine(v.Rules, text)
		if err != nil {
			return nil, nil, err
		}
		for range moves {
			p.Undo()
		}
		return p, moves, nil
	}
	g, _, err := v.Record(ctx, id)
	if errors.Is(err, store.ErrNoGame) {
		return nil, nil, fmt.Errorf("the library has no game %d: qipu find lists games with their numbers", id)
	}
	if err != nil {
		return nil, nil, err
	}
	played := record.NewReferee(a.Games).Play(g)
	if played.Rules == nil || played.Rules.Info().Name != v.Rules.Info().Name || played.Start.Board.Size != v.Rules.Geometry().Size {
		return nil, nil, fmt.Errorf("game %d is not one of %s: name its game with --game", id, v.Spec)
	}
	p, err := v.Rules.Arrange(played.Start)
	if err != nil {
		return nil, nil, fmt.Errorf("game %d: %w", id, err)
	}
	var moves []game.Move
	for _, s := range played.Steps {
		if s.Move == game.NoMove || p.Play(s.Move) != nil {
			break // what breaks the rules ends it
		}
		moves = append(moves, s.Move)
	}
	for range moves {
		p.Undo()
	}
	return p, moves, nil
}
