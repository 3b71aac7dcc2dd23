package main

import (
	"context"
	"fmt"

	"qipu"
	"qipu/index"
	"qipu/query"
	"qipu/retrieve"
)

// findTree writes the moves behind the board of a question as one record with
// variations. They are counted in a search of their own.
func (a *app) findTree(ctx context.Context, l *qipu.Library, o *findOptions, q *qipu.Question, r *reporter) error {
	shape := retrieve.Anchor(r.reply.Bound)
	if shape == nil {
		return usagef("%w", errNoTree)
	}
	deep := *q
	deep.Depth, deep.Limit, deep.Cursor, deep.All, deep.Into = o.depth, 1, "", false, nil
	reply, err := l.Ask(ctx, &deep)
	if err != nil {
		return err
	}
	return a.writeTree(&o.listOptions, reply.Kinds[0], shape, reply.Tree)
}

// writeTree writes a tree of moves where --tree says. A file that is there is
// overwritten, as a picture is.
func (a *app) writeTree(o *listOptions, k *index.Kind, shape *query.Shape, tree *retrieve.Node) error {
	w, err := a.newTreeWriter(o.tree, "", true)
	if err != nil {
		return err
	}
	moves, err := w.write(k, shape, tree, o.least, false)
	switch {
	case err != nil:
		return err
	case moves == 0:
		fmt.Fprintf(a.err, "note: no move was played in %s: %s is not written; try --min 1\n", plural(o.least, "game"), o.tree)
	default:
		fmt.Fprintf(a.err, "%s written to %s\n", plural(moves, "move"), o.tree)
	}
	return nil
}
