// Package endgame has the commands about tables of endings.
package endgame

import (
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"qipu/cli"
	"qipu/engine/endgame"
	"qipu/game"
	"qipu/segment"
	"qipu/view"
	"qipu/view/gameview"
	"qipu/view/playview"
	"qipu/view/shapeview"
)

// Commands returns the commands about tables of endings.
func Commands(a *cli.App) []*cobra.Command {
	e := &endings{App: a}
	cmd := &cobra.Command{
		Use:   "endgame",
		Short: "Tables of endings: the truth about few men",
		Long: `Make tables that know the truth about endings of Xiangqi and chess, and ask them.

An ending is named by what both sides have, the kings first: KR-KAAEE is a chariot against
two advisors and two elephants. The letters of Xiangqi are K A E R N C P (king, advisor,
elephant, chariot, horse, cannon, soldier), those of chess K Q R B N P.

Some tables come with the program. Others are kept in one folder for all libraries:
$QIPU_ENDGAME, or qipu-endgame where your data are.`,
		Example: `  qipu endgame list
  qipu endgame probe "3k5/9/9/9/9/9/9/4K4/9/R8 w" --game xiangqi`,
	}
	cmd.PersistentFlags().StringVar(&e.dir, "tables", "", "the folder of the tables (default: that of all libraries)")
	cmd.AddCommand(e.buildCommand(), e.listCommand(), e.probeCommand(), e.verifyCommand())
	return []*cobra.Command{cmd}
}

type endings struct {
	*cli.App
	dir, game string
}

// manned returns the names of the games that have tables.
func (e *endings) manned() (names []string) {
	for _, r := range e.Games {
		if _, ok := r.(game.Manned); ok {
			names = append(names, r.Info().Name)
		}
	}
	return names
}

// usual returns the game that is meant where none is named.
func (e *endings) usual() string { return append(e.manned(), "")[0] }

// rules returns the game that is meant.
func (e *endings) rules() (game.Manned, error) {
	r, err := e.Game(e.game)
	if err != nil {
		return nil, err
	}
	m, ok := r.(game.Manned)
	if !ok {
		return nil, cli.Usagef("%s has no endings of few men: tables are made for %s", r.Info().Titles.En, strings.Join(e.manned(), ", "))
	}
	return m, nil
}

// folder returns where the tables are.
func (e *endings) folder() (string, error) {
	if e.dir != "" {
		return filepath.Abs(e.dir)
	}
	return endgame.Folder(e.LookupOS)
}

// open opens the tables, and tells of those that are damaged.
func (e *endings) open() (*endgame.Tables, error) {
	dir, err := e.folder()
	if err != nil {
		return nil, err
	}
	return endgame.Open(dir), nil
}

// tell tells of tables that are there and cannot be used.
func (e *endings) tell(t *endgame.Tables) {
	for _, err := range t.Faults() {
		fmt.Fprintf(e.Err, "note: a table is not used: %v; qipu endgame build makes it anew\n", err)
	}
}

func (e *endings) materials(r game.Manned, args []string) (list []endgame.Material, err error) {
	for _, arg := range args {
		x, err := endgame.ParseMaterial(r.Men(), arg)
		if err != nil {
			return nil, cli.Usagef("%v", err)
		}
		list = append(list, x)
	}
	return list, nil
}

var columns = []string{"ending", "positions", "won", "longest", "defended", "size", ""}

func (e *endings) add(t *cli.Table, l endgame.Listed, took time.Duration) {
	v := shapeview.EndingOf(&l)
	v.Seconds = took.Seconds()
	note := ""
	if l.Shipped {
		note = "with the program"
	}
	longest := ""
	if v.First.Longest > 0 {
		longest = fmt.Sprintf("%d plies", v.First.Longest)
	}
	t.Add(cli.Typed("ending", v), l.Material, strconv.FormatInt(v.First.Legal+v.Second.Legal, 10), share(v.First.Won, v.First.Legal), longest, share(v.Second.Drawn+v.Second.Won, v.Second.Legal), strconv.FormatInt(l.Bytes, 10), note)
}

func share(part, all int64) string {
	return fmt.Sprintf("%.2f %%", 100*float64(part)/float64(max(all, 1)))
}

func (e *endings) buildCommand() *cobra.Command {
	var upTo, cores int
	cmd := &cobra.Command{
		Use:   "build [ENDING]...",
		Short: "Make tables, and all that they need",
		Long: `Work out the truth about endings, backwards from the mates: what is won, lost and drawn,
and in how many plies. Endings that captures lead to are made first. What is there already
stays; a damaged table is made anew. It may be stopped at any moment: tables that are done
are kept, and the same command goes on with the others.

Chess endings in which both sides have pawns are left out: a pawn might be taken in passing.`,
		Example: `  qipu endgame build KN-KA KP-K --game xiangqi --tables tables
  qipu endgame build --up-to 3 --game chess --tables tables --cores 1 --json`,
		RunE: func(cmd *cobra.Command, args []string) error {
			r, err := e.rules()
			if err != nil {
				return err
			}
			if len(args) == 0 && upTo == 0 {
				return cli.Usagef("which endings? Name some, as KN-KA, or write --up-to 3")
			}
			if cmd.Flags().Changed("up-to") && (upTo < 2 || upTo > 6) {
				return cli.Usagef("--up-to %d: want 2 to 6 men", upTo)
			}
			list, err := e.materials(r, args)
			if err != nil {
				return err
			}
			if upTo > 0 {
				list = append(list, endgame.UpTo(r.Men(), upTo)...)
			}
			dir, err := e.folder()
			if err != nil {
				return err
			}
			t := &cli.Table{Columns: append([]string{}, columns...)}
			t.Columns[len(columns)-1] = "now"
			var bar *cli.Progress
			name := ""
			err = endgame.Make(cmd.Context(), r, list, endgame.MakeOptions{Dir: dir, Workers: cores,
				Progress: func(ending string, done, total int64) {
					if name != ending {
						name, bar = ending, e.NewProgress("thousand positions of "+ending, int(total/1000))
					}
					bar.Games(int(done/1000), int(total/1000))
				},
				Done: func(l endgame.Listed, took time.Duration) {
					e.add(t, l, took)
					last := len(t.Rows) - 1
					if t.Rows[last][6] = "there"; took > 0 {
						t.Rows[last][6] = "made"
					}
				}})
			if bar != nil {
				bar.Close()
			}
			if cmd.Context().Err() != nil {
				return cli.ErrInterrupted
			}
			if err != nil {
				return err
			}
			return e.Print(t)
		},
	}
	e.GameFlag(cmd, &e.game, e.usual(), "the game")
	cmd.Flags().IntVar(&upTo, "up-to", 0, "all endings of at most so many men, kings included")
	cmd.Flags().IntVar(&cores, "cores", 0, "how many cores to use (default: all)")
	return cmd
}

func (e *endings) listCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the tables that there are",
		Long: `List the tables of a game: how many positions each has, how many of them the side that is
named first wins when it is to move, how long that takes at most, and how many the other
side holds or wins when it is to move.`,
		Example: `  qipu endgame list
  qipu endgame list --game chess --json`,
		Args: cli.ArgCount(0, 0),
		RunE: func(*cobra.Command, []string) error {
			r, err := e.rules()
			if err != nil {
				return err
			}
			tables, err := e.open()
			if err != nil {
				return err
			}
			defer tables.Close()
			list, err := tables.List(r)
			if err != nil {
				return err
			}
			e.tell(tables)
			t := &cli.Table{Columns: columns}
			for _, l := range list {
				e.add(t, l, 0)
			}
			return e.Print(t)
		},
	}
	e.GameFlag(cmd, &e.game, e.usual(), "the game")
	return cmd
}

// errUnknown is the answer about a position that no table has.
func errUnknown(p string, x string) error {
	if x == "" {
		return fmt.Errorf("no table has %s: there are too many men on the board", p)
	}
	return fmt.Errorf("no table has %s: make one with qipu endgame build %s", p, x)
}

func (e *endings) probeCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "probe POSITION",
		Short: "Ask what a position is worth, and every move of it",
		Long: `Say the truth about a position and all of its moves, and the best play to the end.
POSITION is a position text, moves from the start, or a stored game with a move: 12#90.

A draw that somebody holds by giving check for ever and by nothing else is marked: under
most rules that loses.`,
		Example: `  qipu endgame probe "3k5/9/9/9/9/9/9/4K4/9/R8 w" --game xiangqi
  qipu endgame probe "8/8/8/8/8/2k5/8/K2Q4 w" --game chess --json`,
		Args: cli.ArgCount(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			at, err := e.Position(cmd.Context(), args[0], e.game)
			if err != nil {
				return err
			}
			r, ok := at.Rules.(game.Manned)
			if !ok {
				return fmt.Errorf("there are no tables of endings of %s", at.Rules.Info().Titles.En)
			}
			tables, err := e.open()
			if err != nil {
				return err
			}
			defer tables.Close()
			known, err := ask(tables, r, at.At)
			e.tell(tables)
			if err != nil {
				return err
			}
			return e.printKnown(r, at.At, known)
		},
	}
	e.GameFlag(cmd, &e.game, e.usual(), "the game of a position text or of moves")
	return cmd
}

// ask asks tables about a position.
func ask(tables *endgame.Tables, r game.Manned, p game.Position) (*view.Known, error) {
	text := game.FormatPosition(r, p)
	if p.Outcome().Final() {
		return nil, fmt.Errorf("the game is over in %s", text)
	}
	k, err := playview.KnownOf(tables, r, p, func(p game.Position, m game.Move) view.Move { return gameview.MoveOf(r, p, m, game.AnyNotation) })
	if err == nil && k.Result == "" {
		err = errUnknown(text, k.Ending)
	}
	return k, err
}

func (e *endings) printKnown(r game.Rules, p game.Position, k *view.Known) error {
	if e.JSON {
		return e.PrintJSON(cli.Typed("known", k))
	}
	t := &cli.Table{Columns: []string{"move", "result", "plies"}}
	for _, m := range k.Moves {
		t.Add(cli.Typed("move", m), m.Move.Text, said(m.Result, m.Checks), plies(m.Plies))
	}
	if e.CSV {
		return e.Print(t)
	}
	side := r.Info().Sides[p.Turn()].Titles.En
	fmt.Fprintf(e.Out, "%s: %s to move, %s", k.Ending, side, said(k.Result, k.Checks))
	if k.Plies > 0 {
		fmt.Fprintf(e.Out, " in %d", k.Plies)
	}
	fmt.Fprintln(e.Out)
	if len(k.Line) > 0 {
		var line []string
		for _, m := range k.Line {
			line = append(line, m.Text)
		}
		fmt.Fprintf(e.Out, "%s\n", strings.Join(line, " "))
	}
	fmt.Fprintln(e.Out)
	return e.Print(t)
}

func said(result, checks string) string {
	switch checks {
	case "self":
		return result + ", by checks alone"
	case "other":
		return result + ", by checks of the other side alone"
	}
	return result
}

func plies(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

func (e *endings) verifyCommand() *cobra.Command {
	var positions int
	var seed uint64
	cmd := &cobra.Command{
		Use:   "verify [ENDING]...",
		Short: "Check tables: their files, and what they say against the rules",
		Long: `Check every byte of the tables against its checksum, and ask the rules of the game about
positions by chance: what a table says of one must follow from what the tables say of those
behind its moves. Without names all tables are checked.`,
		Example: `  qipu endgame verify --positions 20 --game chess
  qipu endgame verify KN-KA --positions 1000 --json`,
		RunE: func(cmd *cobra.Command, args []string) error {
			r, err := e.rules()
			if err != nil {
				return err
			}
			if positions < 0 || positions > 100_000_000 {
				return cli.Usagef("--positions %d: want 0 to 100000000", positions)
			}
			tables, err := e.open()
			if err != nil {
				return err
			}
			defer tables.Close()
			if len(args) == 0 {
				all, err := tables.List(r)
				if err != nil {
					return err
				}
				for _, l := range all {
					args = append(args, l.Material)
				}
			}
			list, err := e.materials(r, args)
			if err != nil {
				return err
			}
			t := &cli.Table{Columns: []string{"ending", "asked", "legal", "wrong", "file"}}
			bad := len(tables.Faults())
			for _, x := range list {
				c, err := tables.Verify(cmd.Context(), r, x, positions, seed)
				if cmd.Context().Err() != nil {
					return cli.ErrInterrupted
				}
				if err != nil {
					return err
				}
				v := view.EndingChecked{Game: r.Info().Name, Ending: c.Material, Asked: c.Asked, Legal: c.Legal, Wrong: append([]string{}, c.Wrong...)}
				file := "good"
				if c.Fault != nil {
					v.Fault, file = c.Fault.Error(), "damaged"
				}
				if bad += len(c.Wrong); c.Fault != nil {
					bad++
				}
				t.Add(cli.Typed("checked", v), c.Material, strconv.Itoa(c.Asked), strconv.Itoa(c.Legal), strconv.Itoa(len(c.Wrong)), file)
			}
			for _, err := range tables.Faults() {
				why, name := err.Error(), ""
				if c, ok := errors.AsType[*segment.CorruptError](err); ok {
					name = strings.TrimSuffix(filepath.Base(c.Path), filepath.Ext(c.Path))
				}
				t.Add(cli.Typed("checked", view.EndingChecked{Game: r.Info().Name, Ending: name, Wrong: []string{}, Fault: why}), name, "0", "0", "0", "damaged")
			}
			if err := e.Print(t); err != nil {
				return err
			}
			if bad > 0 {
				return errors.New("tables are damaged: qipu endgame build makes them anew")
			}
			return nil
		},
	}
	e.GameFlag(cmd, &e.game, e.usual(), "the game")
	cmd.Flags().IntVarP(&positions, "positions", "n", 1000, "how many positions of each table the rules are asked about")
	cmd.Flags().Uint64Var(&seed, "seed", 1, "of the positions")
	return cmd
}
