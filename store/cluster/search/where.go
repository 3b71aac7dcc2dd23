package search

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"

	"qipu/index"
	"qipu/interval"
	"qipu/query"
	"qipu/store/cluster/ledger"
	"qipu/store/cluster/marks"
	"qipu/store/cluster/wire"
)

// nameSQL returns the name of a column in the table of lines, and foldedSQL that
// of the folded texts beside a column of texts.
func nameSQL(col query.Column) string {
	if col < query.TextColumns {
		return "`" + ledger.TextNames[col] + "`"
	}
	return "`" + ledger.NumberNames[col-query.TextColumns] + "`"
}

func foldedSQL(col query.Column) string { return "`" + ledger.TextNames[col] + "_f`" }

// mostListed is how many documents a statement may name. Others are left to
// whoever reads the answer.
const mostListed = 4096

// and and or join conditions.
// asker writes expressions as conditions on the documents of one kind, on their
// main lines (side 0) or their variations (1). It is for one goroutine.
//
// A condition lets through at least what the expression does. It is exact as far
// as facts go: see index.Selected.
type asker struct {
	kind  *index.Kind
	side  int
	state *ledger.State
	bits  bool            // the servers have bitmaps of documents
	marks *marks.Coverage // the columns of marks that the shard keeps; nil for none

	// bound are the documents that are asked about; nil for all of them.
	bound *ledger.Span

	// games is how many games of the kind there are, and weights how many
	// documents have a class of windows, as far as that is known.
	games   int
	weights map[uint16]uint64

	// classes are the documents of classes of windows that were fetched, where
	// servers have no bitmaps.
	classes map[uint16]*roaring.Bitmap
}

// kindIs is the condition that rows are of the kind.
func (a *asker) kindIs() string { return "kind = " + wire.Quote(a.kind.Name) }

// within is the condition that a document is one of those that are asked about.
func (a *asker) within() string {
	if a.bound == nil {
		return wire.Always
	}
	return fmt.Sprintf("doc >= %d AND doc < %d", a.bound.Low, a.bound.High)
}

// sided is the condition that rows are of the kind and the side.
func (a *asker) sided() string { return fmt.Sprintf("%s AND side = %d", a.kindIs(), a.side) }

// candidates returns the statement for the documents that an expression lets
// through, some of them maybe several times; for variations with the number of
// their lines. It returns "" where there can be none.
func (a *asker) candidates(e index.Expr) string {
	parts := conjuncts(e, nil)
	cond := a.every(parts)
	if cond == wire.Never {
		return ""
	}
	if a.side == 1 {
		return fmt.Sprintf("SELECT doc, toUInt32(count()) AS n FROM line WHERE %s GROUP BY doc", wire.And(a.sided(), a.within(), cond))
	}
	// A list of documents that the index has is the place to begin at, where no
	// fact asks for the table of lines: the most special one.
	base, rest := -1, 0
	for i, part := range parts {
		rank := 0
		switch e := part.(type) {
		case index.Reaches:
			rank = 3
		case index.InCorner:
			if a.kind.HasCorners() {
				rank = 2
			}
		case index.Marked:
			if lack, ok := a.marks.Lacking(a.state.Spans, e.Keys); ok && len(lack) == 0 {
				rank = 2
			}
		case index.Window:
			if a.bits && a.kind.HasWindows() {
				rank = 1
			}
		}
		if needsLine(part) {
			base = -1
			break
		}
		if rank > rest {
			base, rest = i, rank
		}
	}
	if base >= 0 {
		switch part := parts[base].(type) {
		case index.Window:
			windows, others := windowsOf(parts)
			if from := a.bitmaps(windows); from != "" {
				if cond := wire.And(a.within(), a.every(others)); cond != wire.Always {
					from = fmt.Sprintf("SELECT doc FROM (%s) AS x WHERE %s", from, cond)
				}
				return from
			}
		default:
			return a.listed(part, a.every(slices.Delete(slices.Clone(parts), base, base+1)))
		}
	}
	return "SELECT doc FROM line WHERE " + wire.And(a.sided(), a.within(), cond)
}

// conjuncts appends the parts that all must let a line through.
func conjuncts(e index.Expr, list []index.Expr) []index.Expr {
	switch e := e.(type) {
	case nil, index.All:
		return list
	case index.Every:
		for _, x := range e {
			list = conjuncts(x, list)
		}
		return list
	}
	return append(list, e)
}

// needsLine reports whether an expression is decided by columns of lines.
func needsLine(e index.Expr) bool {
	switch e := e.(type) {
	case index.Selected:
		return true
	case index.Every:
		return slices.ContainsFunc(e, needsLine)
	case index.Any:
		return slices.ContainsFunc(e, needsLine)
	}
	return false
}

// windowsIn appends the classes of windows that an expression has.
func windowsIn(e index.Expr, list []uint16) []uint16 {
	switch e := e.(type) {
	case index.Window:
		return append(list, uint16(e))
	case index.Every:
		for _, x := range e {
			list = windowsIn(x, list)
		}
	case index.Any:
		for _, x := range e {
			list = windowsIn(x, list)
		}
	}
	return list
}

// Where returns the condition of an expression on a row that has a document,
// and the columns of lines where needsLine says so.
func (a *asker) Where(e index.Expr) string {
	switch e := e.(type) {
	case index.Selected:
		return factSQL(e.Fact())
	case index.Window:
		return a.every([]index.Expr{e})
	case index.InCorner:
		if !a.kind.HasCorners() {
			return wire.Always
		}
		return "doc IN (" + a.listed(e, wire.Always) + ")"
	case index.Reaches:
		return "doc IN (" + a.listed(e, wire.Always) + ")"
	case index.Marked:
		lack, ok := a.marks.Lacking(a.state.Spans, e.Keys)
		switch {
		case !ok:
			return wire.Always
		case len(lack) == 0:
			return "doc IN (" + a.listed(e, wire.Always) + ")"
		}
		return wire.Or("doc IN ("+a.listed(e, wire.Always)+")", lack.Where("doc"))
	case index.Games:
		return a.gamesSQL(e.Bitmap)
	case index.Every:
		return a.every(conjuncts(e, nil))
	case index.Any:
		list := make([]string, len(e))
		for i, x := range e {
			list[i] = a.Where(x)
		}
		return wire.Or(list...)
	}
	return wire.Always // an index may always let everything through
}

// every returns the condition of parts that all must let a row through. The
// classes of windows among them are asked for together.
func (a *asker) every(parts []index.Expr) string {
	windows, others := windowsOf(parts)
	list := []string{a.windows(windows)}
	for _, x := range others {
		list = append(list, a.Where(x))
	}
	return wire.And(list...)
}

// lines is the condition that a row is of a line of the side.
func (a *asker) lines() string { return linesSQL(a.side) }

func linesSQL(side int) string {
	if side == 1 {
		return "line > 0"
	}
	return "line = 0"
}

// listed returns the statement for the documents of a position, a corner or a
// mark, with a condition beside it.
func (a *asker) listed(e index.Expr, cond string) string {
	switch e := e.(type) {
	case index.Reaches:
		return "SELECT doc FROM pos WHERE " + wire.And(a.kindIs(), fmt.Sprintf("hash = %d", uint64(e)), a.lines(), a.within(), cond)
	case index.Marked:
		owner := wire.Always
		if e.Of != interval.Anyone {
			owner = fmt.Sprintf("owner = %d", e.Of-interval.FirstSide)
		}
		keys := wire.Never
		if len(e.Keys) > 0 {
			keys = "key IN (" + wire.Numbers(e.Keys) + ")"
		}
		return "SELECT DISTINCT doc FROM mark WHERE " + wire.And(a.kindIs(), keys, a.lines(), owner, a.within(), cond)
	case index.InCorner:
		return "SELECT doc FROM corner WHERE " + wire.And(a.sided(), fmt.Sprintf("hash = %d", uint64(e)), a.within(), cond)
	}
	return ""
}

// gamesSQL returns the condition that a document is of some games. Many are left
// to whoever reads the answer: see asker.known.
func (a *asker) gamesSQL(set *roaring.Bitmap) string {
	if set.GetCardinality() > mostListed {
		return wire.Always
	}
	var docs []uint32
	for it := set.Iterator(); it.HasNext(); {
		if doc, ok := a.state.Doc(it.Next()); ok {
			docs = append(docs, doc)
		}
	}
	if len(docs) == 0 {
		return wire.Never
	}
	return "doc IN (" + wire.Numbers(docs) + ")"
}

// manyGames returns the documents of games that are too many for a statement, nil
// where they are not.
func (a *asker) manyGames(games *roaring.Bitmap) *roaring.Bitmap {
	if games.GetCardinality() <= mostListed {
		return nil
	}
	docs := games.Clone()
	for doc := range a.state.Games {
		docs.Remove(doc) // which is no game
	}
	for game, doc := range a.state.Docs {
		if games.Contains(game) {
			docs.Remove(game)
			docs.Add(doc)
		}
	}
	return docs
}

// some returns the condition that a document is one of some. Many are left to
// whoever reads the answer: see asker.known.
func (a *asker) some(docs *roaring.Bitmap) string {
	if n := docs.GetCardinality(); n == 0 {
		return wire.Never
	} else if n > mostListed {
		return wire.Always
	}
	return "doc IN (" + wire.Numbers(docs.ToArray()) + ")"
}

// factSQL returns the condition of a fact on a row of the table of lines.
func factSQL(f *query.Fact) string {
	if f.Column >= query.Columns {
		return wire.Never
	}
	name := nameSQL(f.Column)
	if f.Column >= query.TextColumns {
		low, high := max(f.Low, index.UnknownNumber+1), min(f.High, math.MaxInt32)
		if low > high {
			return wire.Never
		}
		if f.Column == query.LastDay { // it is that of the first day where nothing else is known
			first := nameSQL(query.FirstDay)
			return fmt.Sprintf("(%s > %d AND greatest(%s, %s) BETWEEN %d AND %d)", first, index.UnknownNumber, first, name, low, high)
		}
		return fmt.Sprintf("%s BETWEEN %d AND %d", name, low, high)
	}
	if f.Text == nil {
		return wire.Never
	}
	folded := foldedSQL(f.Column)
	var list []string
	if len(f.Text.Whole) > 0 {
		var texts []string
		for _, s := range slices.Sorted(maps.Keys(f.Text.Whole)) {
			texts = append(texts, wire.Quote(s))
		}
		list = append(list, fmt.Sprintf("%s IN (%s)", folded, strings.Join(texts, ", ")))
	}
	for _, part := range f.Text.Parts {
		if part == "" {
			list = append(list, wire.Always)
		} else {
			list = append(list, fmt.Sprintf("position(%s, %s) > 0", folded, wire.Quote(part)))
		}
	}
	known := name + " != ''"
	return wire.And(known, wire.Or(list...))
}
