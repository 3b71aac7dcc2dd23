package study

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/bits"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"qipu/cli"
	"qipu/engine"
	"qipu/engine/reversi"
	"qipu/game"
	"qipu/game/othello"
	"qipu/game/weiqi"
	"qipu/game/weiqi/life/tsumego"
	"qipu/record"
	"qipu/record/obf"
	"qipu/review"
	"qipu/view"
)

// solveOptions are the flags of the solve command.
type solveOptions struct {
	reversi.SolveOptions
	game string
	hash int
	goes solveGo

	board bool // read the whole board
}

// solved is a solved position as --json prints it: the values of its moves, and how
// they compare with those of the file.
type solved struct {
	Number   int            `json:"number"`
	Position *view.Position `json:"position"`
	Empties  int            `json:"empties"`
	Value    int            `json:"value"`  // for the side to move
	Result   string         `json:"result"` // "win", "draw" or "loss"
	view.Values
	Seconds  float64 `json:"seconds"`
	Expected *int    `json:"expected,omitempty"`
	Right    *bool   `json:"right,omitempty"`
}

func solveCommand(a *cli.App) *cobra.Command {
	var o solveOptions
	cmd := &cobra.Command{
		Use:   "solve [POSITION|FILE]",
		Short: "Read a position to its end: Othello endgames, life and death in Go, wins in five in a row",
		Long: `Solve positions of Othello, problems of life and death in Go, or find wins where an
engine of the game proves them, as in Renju and Gomoku.

Othello: the difference of discs that both sides reach with
best play, for the side to move, the best move, and the line that leads there.

POSITION is a list of moves from the start, a position text, 64 squares with the
side to move as in OBF, or "-" for standard input. FILE holds many: a position to
a line, or OBF. Where a file says what the values are, each answer is compared,
and one that differs is an error. Squares that begin with "-" go behind "--".

About 24 empty squares take seconds, 28 minutes; --time ends it sooner, with a
value that is a guess ("~"). --wld asks only who wins, which is faster.

Go (--game go): what becomes of an enclosed group if a side moves first, whatever
the other one does: alive, dead, seki, or ko and who takes it first; with the moves
that bring it about. POSITION is a position text or moves; FILE is a record or a
collection of them, of which the boards at the beginning count, or a problem in
JSON; many give a line each, and totals. The group and the points to try are found
by themselves where the enemy encloses it; --target and --zone name them. All that
lies outside the zone is taken for living stones of the attacker. --cut chooses the
static verdicts that end lines early: the outcome is the same with all of them, the
nodes differ. What --nodes are not enough for is unknown.

Renju and Gomoku (--game renju, --game gomoku): whether the side to move wins by fours,
or by fours and threes, and how. Every win is replayed by the rules alone against all
answers; "checked" is how many positions that took. That there is no win by fours is
sure unless the answer says "limit"; a win by quiet moves is not looked for.

Xiangqi (--game xiangqi): whether the side to move mates, and in how many plies. A mate by
checks alone is replayed by the rules against all answers; one that needs quiet moves is
what the engine's search proves, and "checked" is 0. "limit" means that none was found.

--all-board reads all games from POSITION, or from the start, to their ends, on boards
that are small enough: Go up to nine points, by area with positional superko, without
suicide and komi, whatever rules are named; Kalah; and games of the laboratory in which
no position comes back. --hash bounds the memory, --nodes the positions.`,
		Example: `  qipu solve --game othello "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X"
  qipu solve --game othello --wld -- "-OOOOO----OOOOX--OOOOOO-XXXXXOO--XXOOX--OOXOXX----OXXO---OOO--O- X"
  echo O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X | qipu solve --game othello - --all --threads 2 --time 30s
  qipu solve --game go:9x9 "4O4/XXXXO4/OOOO5/9/9/9/9/9/9 X"
  qipu solve --game go:9x9 "1X2O4/1XXXO4/XXOOO4/OOO6/9/9/9/9/9 X" --all
  qipu solve --game go:9x9 "1OOO1XO2/XXXXXXO2/OOOOOOO2/9/9/9/9/9/9 X" --first white --target A8 --zone A9-E9 --cut none --json
  qipu solve --game renju "h8 a1 i8 a3 j8 g8 k9 a5 k10 a7"
  qipu solve --game gomoku "h8 a1 i8 a3 k9 a5 k10 o1" --nodes 100000 --json
  qipu solve --game xiangqi "4k4/9/9/9/9/9/9/9/3R5/3K1R3 w - - 0 1"
  qipu solve --game go:5x1 --all-board
  qipu solve --game go:3x2 --all-board --json`,
		Args: cli.ArgCount(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			r, err := a.Game(o.game)
			if err != nil {
				return err
			}
			switch {
			case o.hash < 1 || o.hash > 65536:
				return cli.Usagef("--hash=%d: want a number of MiB, 1 to 65536", o.hash)
			case o.board:
				return solveBoard(cmd, a, r, args, &o)
			case len(args) == 0:
				return cli.Usagef("%s: POSITION|FILE is missing", cmd.CommandPath())
			}
			if _, ok := r.(*weiqi.Rules); ok {
				if err := unlike(cmd, "of Othello alone", othelloFlags); err != nil {
					return err
				}
				o.goes.All = o.All
				return solveProblems(cmd.Context(), a, args[0], o.game, &o.goes)
			}
			if r != game.Rules(othello.Standard) {
				return solveWins(cmd, a, r, args[0], &o)
			}
			if err := unlike(cmd, "of Go alone", goFlags); err != nil {
				return err
			}
			if o.Threads < 1 || o.Threads > 256 {
				return cli.Usagef("--threads=%d: want 1 to 256", o.Threads)
			}
			if o.Time < 0 {
				return cli.Usagef("--time=%v: want how long, as in 30s; 0 for as long as it takes", o.Time)
			}
			list, err := positions(a, args[0])
			if err != nil {
				return err
			}
			return solve(cmd.Context(), a, list, &o)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.game, "game", "othello", "the game: othello, go with the size of its board as in go:9x9, renju, gomoku or xiangqi")
	f.BoolVar(&o.board, "all-board", false, "read all games from here to their ends, on small boards")
	f.BoolVar(&o.All, "all", false, "value every move, not only the best; in Go find all that solve")
	f.BoolVar(&o.Best, "best", false, "find all moves that are as good as the best")
	f.BoolVar(&o.Win, "wld", false, "only who wins: 1, 0 or -1")
	f.IntVar(&o.Threads, "threads", 1, "threads to think with")
	f.DurationVar(&o.Time, "time", 0, "the most for each position, as in 30s")
	f.IntVar(&o.hash, "hash", 256, "MiB of memory for what was read before")
	o.goes.read.Register(f)
	f.StringVar(&o.goes.target, "target", "", "Go: a stone of the group, as in D4; of several strings all have to be taken, as in D4,F3")
	f.StringVar(&o.goes.zone, "zone", "", "Go: the points to try, as in A1-F3,G1")
	cli.Enum(cmd, &o.goes.first, "first", "", "Go: who moves first, black or white (default: who is to move)", "black", "white")
	f.IntVar(&o.goes.Nodes, "nodes", tsumego.Nodes, "positions to look at for each question about a problem of Go, or for each win")
	f.StringVar(&o.goes.cut, "cut", tsumego.CutShapes.String(), "Go: static verdicts that end lines: none, benson, static, shapes, all")
	f.IntVarP(&o.goes.number, "number", "n", 0, "Go: number of the problem in a file, from 1 (default: all)")
	cli.Completes(cmd, "cut", "none", "benson", "static", "shapes", "all")
	return cmd
}

// The flags of solve that one game alone has.
var (
	othelloFlags = []string{"best", "wld", "threads", "time", "hash"}
	goFlags      = []string{"target", "zone", "first", "nodes", "cut", "number", "encoding", "max-errors", "workers"}
)

// unlike refuses flags that the game does not have.
func unlike(cmd *cobra.Command, whose string, flags []string) error {
	for _, name := range flags {
		if cmd.Flags().Changed(name) {
			return cli.Usagef("--%s is %s", name, whose)
		}
	}
	return nil
}

// problem is a position to solve and what its file says about it.
type problem struct {
	position *othello.Position
	name     string
	scores   []obf.Score
}

// positions reads what the argument of solve means.
func positions(a *cli.App, arg string) ([]problem, error) {
	name, text := "position", arg
	if arg == "-" {
		var err error
		if text, err = a.Text(arg); err != nil {
			return nil, err
		}
		name = "standard input"
	} else if data, err := os.ReadFile(arg); err == nil {
		name, text = arg, string(data)
	} else if !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrInvalid) && strings.HasSuffix(arg, ".obf") {
		return nil, err
	}
	if obf.Format.Sniff([]byte(text), name) > 0 {
		return testPositions(a, name, text)
	}
	var list []problem
	for i, line := range strings.Split(text, "\n") {
		if line = strings.TrimSpace(line); line == "" || line[0] == '%' || line[0] == '#' {
			continue
		}
		p, err := game.ParsePosition(othello.Standard, line)
		if err != nil {
			if name == "position" {
				return nil, fmt.Errorf("%w: want moves, a position text, 64 squares with a side, or the name of a file", err)
			}
			return nil, fmt.Errorf("%s: line %d: %w", name, i+1, err)
		}
		list = append(list, problem{position: p.(*othello.Position)})
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%s: no position: give moves, a position text, or 64 squares with a side", name)
	}
	return list, nil
}

// testPositions reads OBF and its kin.
func testPositions(a *cli.App, name, text string) ([]problem, error) {
	var list []problem
	for g, err := range obf.Format.Read(&record.Source{Name: name, Reader: strings.NewReader(text)}) {
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		setup, err := game.ParseSetup(othello.Standard, g.Start)
		if err != nil {
			return nil, fmt.Errorf("%s: position %d: %w", name, len(list)+1, err)
		}
		p, err := othello.Standard.Arrange(setup)
		if err != nil {
			return nil, fmt.Errorf("%s: position %d: %w", name, len(list)+1, err)
		}
		list = append(list, problem{p.(*othello.Position), g.Tag("Name"), obf.Scores(g)})
	}
	return list, nil
}

// solve solves positions one after the other and prints each as soon as it is.
func solve(ctx context.Context, a *cli.App, list []problem, o *solveOptions) error {
	// The hash table is no garbage: the limit that imports keep would have the
	// collector run all the time.
	debug.SetMemoryLimit(int64(o.hash)<<20 + 150<<20)
	e := reversi.New(engine.Options{Hash: int64(o.hash) << 20, Threads: o.Threads})
	defer e.Close()
	bar := a.NewProgress("positions", len(list))
	defer bar.Close()
	wrong, checked := 0, 0
	t := a.NewFeed(bar, []string{"number", "empties", "value", "move", "line"})
	for i := range list {
		s, err := e.Solve(ctx, list[i].position, o.SolveOptions, func(*engine.Report) { bar.Step(0) })
		if ctx.Err() != nil {
			return cli.ErrInterrupted
		}
		if err != nil {
			return err
		}
		j, err := solvedOf(a, i+1, &list[i], s, o)
		if err != nil {
			return err
		}
		if j.Right != nil {
			if checked++; !*j.Right {
				wrong++
			}
		}
		if err := addSolved(t, j); err != nil {
			return err
		}
		bar.Step(1)
	}
	if a.ErrTerm && checked > 0 {
		fmt.Fprintf(a.Err, "%d of %d right\n", checked-wrong, checked)
	}
	if wrong > 0 {
		return fmt.Errorf("%d of %d values differ from those of the file", wrong, checked)
	}
	return nil
}

// solvedOf puts a solution into the form that is printed.
func solvedOf(a *cli.App, number int, p *problem, s *reversi.Solution, o *solveOptions) (*solved, error) {
	k, err := a.Kind(o.game)
	if err != nil {
		return nil, err
	}
	at, err := k.Stand(game.FormatPosition(k.Rules, p.position), 0, "")
	if err != nil {
		return nil, err
	}
	j := &solved{
		Number: number, Position: at.Position(true), Empties: 64 - bits.OnesCount64(p.position.Discs(0)|p.position.Discs(1)),
		Value: s.Value, Result: [...]string{"loss", "draw", "win"}[cmp.Compare(s.Value, 0)+1],
		Values:  view.Values{Unit: string(review.Discs), Exact: s.Exact, Nodes: s.Nodes, Moves: []view.MoveValue{}},
		Seconds: s.Elapsed.Round(time.Millisecond).Seconds(),
	}
	j.Depth = j.Empties
	for _, m := range s.Moves {
		j.Moves = append(j.Moves, view.MoveValue{Move: at.Move(at.Pos, m.Move, game.AnyNotation), Value: float64(m.Value), Exact: m.Exact, Line: at.Ahead(m.Line)})
	}
	if len(p.scores) == 0 || !s.Exact {
		return j, nil
	}
	best := p.scores[0].Discs
	if o.Win {
		best = cmp.Compare(best, 0)
	}
	right := best == s.Value
	if o.All && !o.Win {
		for _, want := range p.scores {
			for _, m := range j.Moves {
				right = right && (m.Move.Text != want.Move || m.Value == float64(want.Discs))
			}
		}
	}
	j.Expected, j.Right = &best, &right
	return j, nil
}

// addSolved prints a solution: an object, and a row for each of its moves.
func addSolved(t *cli.Feed, j *solved) error {
	object := cli.Typed("solution", j)
	if len(j.Moves) == 0 {
		return t.Add(object, strconv.Itoa(j.Number), strconv.Itoa(j.Empties), signed(j.Value, j.Exact), "-", "the game is over")
	}
	for i, m := range j.Moves {
		note := ""
		if i > 0 {
			object = nil
		} else if j.Right != nil {
			note = "  right"
			if !*j.Right {
				note = fmt.Sprintf("  WRONG: the file says %+d", *j.Expected)
			}
		}
		if err := t.Add(object, strconv.Itoa(j.Number), strconv.Itoa(j.Empties), signed(int(m.Value), m.Exact), m.Move.Text, cli.Texts(m.Line)+note); err != nil {
			return err
		}
	}
	return nil
}

// signed writes a value, with a mark where it is not proven.
func signed(v int, exact bool) string {
	mark := ""
	if !exact {
		mark = "~"
	}
	return mark + fmt.Sprintf("%+d", v)
}
