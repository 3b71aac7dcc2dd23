package convert

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/pflag"

	"qipu/cli"
	"qipu/game"
	"qipu/index"
	"qipu/library/ask"
	"qipu/query"
	"qipu/record"
	"qipu/retrieve"
)

// TreeOptions are the flags of commands that write the moves behind a board as
// one record with variations.
type TreeOptions struct {
	Depth, Least int
}

// Register adds the flags.
func (o *TreeOptions) Register(f *pflag.FlagSet) {
	f.IntVar(&o.Depth, "depth", 10, "with --tree: moves behind the board")
	f.IntVar(&o.Least, "min", 3, "with --tree: leave out moves that fewer games have")
}

// Check refuses numbers that cannot be meant, and flags without --tree.
func (o *TreeOptions) Check(f *pflag.FlagSet, tree bool) error {
	const deepest = 1000
	switch {
	case !tree && (f.Changed("depth") || f.Changed("min")):
		return cli.Usagef("--depth and --min are for --tree")
	case o.Depth < 1 || o.Depth > deepest:
		return cli.Usagef("--depth %d: want a number of moves, from 1 to %d", o.Depth, deepest)
	case o.Least < 1:
		return cli.Usagef("--min %d: want a number of games, 1 or more", o.Least)
	}
	return nil
}

// treeWriter writes a tree of continuations into a file, in the format that its
// name or the name of a format tells.
type treeWriter struct {
	app    *cli.App
	format record.Format
	path   string // "-" for standard output
}

// NewTreeWriter finds the format before anything is searched. Without force, a
// file that is there is not overwritten.
func NewTreeWriter(a *cli.App, path, to string, force bool) (*treeWriter, error) {
	format, err := Target(a, &Options{To: to}, path)
	if err != nil {
		return nil, err
	}
	if _, ok := format.(record.SetWriter); ok && path == "-" {
		return nil, cli.Usagef("%s needs several files: give a file name, not -", format.Info().Title)
	}
	if _, err := os.Lstat(path); err == nil && path != "-" && !force {
		return nil, fmt.Errorf("%s is there already: --force overwrites it", path)
	}
	return &treeWriter{a, format, path}, nil
}

// Write writes the moves behind a shape, but for those that fewer games than
// the least have, and returns how many are left. A dry run writes nothing.
func (w *treeWriter) Write(k *index.Kind, shape *query.Shape, tree *retrieve.Node, least int, dryRun bool) (moves int, err error) {
	if moves = tree.Prune(least); moves == 0 {
		return 0, nil
	}
	g, err := ask.Dictionary(k, shape, tree)
	if err != nil {
		return moves, err
	}
	g.Place.File, g.Variant = w.path, k.Rules.Info().Variant
	c := &Converter{App: w.app, Format: w.format, Options: &Options{}}
	fit, err := c.Adapt(&record.Played{Game: g, Rules: k.Rules})
	if err != nil && record.Holds(w.format, g.Kind) {
		all := len(g.Nodes)
		g = playable(k.Rules, g)
		if fit, err = c.Adapt(&record.Played{Game: g, Rules: k.Rules}); err == nil {
			fmt.Fprintf(w.app.Err, "note: %s left out, which cannot be played on the board as it is drawn\n", cli.Plural(all-len(g.Nodes), "move"))
			moves -= all - len(g.Nodes)
		}
	}
	if err == nil {
		setUp(k.Rules, fit)
		err = record.CheckWrite(w.format, fit)
	}
	if err != nil {
		advice := ""
		if w.format.Info().Name != "sgf" {
			advice = ": try an .sgf file"
		}
		return moves, fmt.Errorf("%s cannot hold the tree: %w%s", w.format.Info().Title, err, advice)
	}
	dest := &Single{Converter: c, Path: w.path, Part: true}
	switch {
	case dryRun:
		return moves, nil
	case w.path == "-":
		dest.Path, dest.Out = "", w.app.Out
	default:
		if err := os.MkdirAll(filepath.Dir(w.path), 0o777); err != nil {
			return moves, err
		}
	}
	return moves, dest.Write(Alone(fit))
}

// playable returns a record without the moves that the board cannot take, and
// what follows them. A part of a board does not know the stones around it: with
// their help stones were captured that stand here still. Every move is tried at
// the end of its line.
func playable(rules game.Rules, g *record.Game) *record.Game {
	kept := *g
	kept.Nodes = []record.Node{g.Nodes[0]}
	kept.Nodes[0].Child, kept.Nodes[0].Next = 0, 0
	at := make([]int32, len(g.Nodes)) // where each node is among those that are kept; 0 behind the root if it is not
	for i := 1; i < len(g.Nodes); i++ {
		n := g.Nodes[i]
		n.Child, n.Next = 0, 0
		if n.Parent != 0 && at[n.Parent] == 0 {
			continue
		}
		line := *g
		line.Nodes = []record.Node{n}
		for up := at[n.Parent]; up != 0; up = kept.Nodes[up].Parent {
			line.Nodes = append(line.Nodes, kept.Nodes[up])
		}
		line.Nodes = append(line.Nodes, kept.Nodes[0])
		slices.Reverse(line.Nodes)
		for j := range line.Nodes {
			line.Nodes[j].Parent = int32(max(j-1, 0))
		}
		line.Link()
		if _, err := record.Translate(rules, &line, game.AnyNotation, false); err != nil {
			continue
		}
		n.Parent = at[n.Parent]
		at[i] = int32(len(kept.Nodes))
		kept.Nodes = append(kept.Nodes, n)
	}
	kept.Link()
	return &kept
}

// setUp has the points of the set-up written as the moves are: translating a
// record leaves them as they were.
func setUp(rules game.Rules, g *record.Game) {
	root := &g.Nodes[0]
	if root.Extra == nil || len(root.Setup) == 0 || g.Notation == "" {
		return
	}
	x := *root.Extra
	x.Setup = slices.Clone(x.Setup)
	for i := range x.Setup {
		if at, ok := rules.Geometry().Point(x.Setup[i].Point); ok {
			x.Setup[i].Point = string(rules.AppendMove(nil, rules.Start(), game.Drop(at), game.Notation(g.Notation)))
		}
	}
	root.Extra = &x
}

// ErrNoTree tells that a query has no board behind which moves could come.
var ErrNoTree = errors.New("a tree of moves needs a board to begin from: ask for one, as in board:\"...\", position:\"...\" or line:\"...\"")

// NoMoves tells that a tree would be empty.
func NoMoves(a *cli.App, games, least int) error {
	why := "no move came in the region of the board: draw a larger one"
	if least > 1 {
		why = fmt.Sprintf("no move behind the board is in %d of them: --min 1 takes all moves", least)
	}
	return a.Nothing("%s found, but %s", cli.Plural(games, "game"), why)
}

// Alone returns a stream of one record.
func Alone(g *record.Game) <-chan *record.Game {
	one := make(chan *record.Game, 1)
	one <- g
	close(one)
	return one
}
