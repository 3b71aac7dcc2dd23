package search

import (
	"context"
	"fmt"

	"qipu"
	"qipu/cli"
	"qipu/cli/convert"
	"qipu/index"
	"qipu/library/ask"
	"qipu/query"
	"qipu/retrieve"
)

// findTree writes the moves behind the board of a question as one record with
// variations. They are counted in a search of their own.
func findTree(ctx context.Context, a *cli.App, l *qipu.Library, o *findOptions, q *ask.Question, r *reporter) error {
	shape := retrieve.Anchor(r.reply.Bound)
	if shape == nil {
		return cli.Usagef("%w", convert.ErrNoTree)
	}
	deep := *q
	deep.Depth, deep.Limit, deep.Cursor, deep.All, deep.Into = o.Depth, 1, "", false, nil
	reply, err := l.Ask(ctx, &deep)
	if err != nil {
		return err
	}
	return writeTree(a, &o.listOptions, reply.Kinds[0], shape, reply.Tree)
}

// writeTree writes a tree of moves where --tree says. A file that is there is
// overwritten, as a picture is.
func writeTree(a *cli.App, o *listOptions, k *index.Kind, shape *query.Shape, tree *retrieve.Node) error {
	w, err := convert.NewTreeWriter(a, o.tree, "", true)
	if err != nil {
		return err
	}
	moves, err := w.Write(k, shape, tree, o.Least, false)
	switch {
	case err != nil:
		return err
	case moves == 0:
		fmt.Fprintf(a.Err, "note: no move was played in %s: %s is not written; try --min 1\n", cli.Plural(o.Least, "game"), o.tree)
	default:
		fmt.Fprintf(a.Err, "%s written to %s\n", cli.Plural(moves, "move"), o.tree)
	}
	return nil
}
