package search

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"qipu/index"
	"qipu/store/cluster/ledger"
	"qipu/store/cluster/wire"
)

// Servers that know bitmaps join those of classes of windows themselves. Of
// others the lists of documents are fetched, and kept here as bitmaps: such
// servers would take half a second to join arrays, for every question anew.
const (
	// mostWindows is how many classes of windows are asked for at most. Those of
	// one pattern often come together: what the first ones let through, the others
	// do.
	mostWindows = 12

	// classBytes is what the bitmaps that are kept may take.
	classBytes = 64 << 20
)

// classKey names the documents of a shard that have a class of windows in their
// main lines (side 0) or variations (1).
type classKey struct {
	shard int
	kind  string
	side  int
	class uint16
}

// classDocs are all documents of an extent that have a class, dead ones among
// them. The bitmap is never changed.
type classDocs struct {
	ledger.Extent
	docs *roaring.Bitmap
}

// pick returns those of some classes of windows that are worth asking for, the
// rarest first. Classes that many lines have cost more than they save.
func (a *asker) pick(list []index.Expr) (chosen []uint16) {
	if !a.kind.HasWindows() {
		return nil
	}
	distinct := map[uint16]bool{}
	for _, x := range list {
		distinct[uint16(x.(index.Window))] = true
	}
	classes := slices.SortedFunc(maps.Keys(distinct), func(x, y uint16) int {
		return cmp.Or(cmp.Compare(a.weights[x], a.weights[y]), cmp.Compare(x, y))
	})
	all := float64(max(a.games, 1))
	left := all
	for _, class := range classes {
		weight, known := a.weights[class]
		if !known {
			weight = uint64(all / 4)
		}
		// To verify a document costs as much as to read the list of a class for
		// about a hundred.
		density := min(float64(weight)/all, 1)
		if len(chosen) < mostWindows && left*(1-density)*100 > float64(weight) {
			chosen = append(chosen, class)
			left *= (1 + density) / 2 // not just density: classes come together
			if len(chosen) == 1 {
				left = float64(weight)
			}
		}
	}
	return chosen
}

// windowsOf splits parts that all must hold into classes of windows and others.
func windowsOf(parts []index.Expr) (windows, others []index.Expr) {
	for _, x := range parts {
		if _, ok := x.(index.Window); ok {
			windows = append(windows, x)
		} else {
			others = append(others, x)
		}
	}
	return windows, others
}

// wanted appends the classes of windows whose documents decide an expression.
func (a *asker) wanted(e index.Expr, list []uint16) []uint16 {
	if any, ok := e.(index.Any); ok {
		for _, x := range any {
			list = a.wanted(x, list)
		}
		return list
	}
	windows, others := windowsOf(conjuncts(e, nil))
	list = append(list, a.pick(windows)...)
	for _, x := range others {
		if any, ok := x.(index.Any); ok {
			list = a.wanted(any, list)
		}
	}
	return list
}

// known returns the documents that an expression lets through as far as that is
// known here; nil where nothing is: the classes of windows that were fetched, and
// games that are too many for a statement. The set may be shared.
func (a *asker) known(e index.Expr) *roaring.Bitmap {
	switch e := e.(type) {
	case index.Games:
		return a.manyGames(e.Bitmap)
	case index.Any:
		var all *roaring.Bitmap
		for _, x := range e {
			some := a.known(x)
			if some == nil {
				return nil
			}
			if all == nil {
				all = some
			} else {
				all = roaring.Or(all, some)
			}
		}
		return all
	case index.Window, index.Every:
		var sets []*roaring.Bitmap
		windows, others := windowsOf(conjuncts(e, nil))
		for _, class := range a.pick(windows) {
			if docs := a.classes[class]; docs != nil {
				sets = append(sets, docs)
			}
		}
		for _, x := range others {
			if docs := a.known(x); docs != nil {
				sets = append(sets, docs)
			}
		}
		if len(sets) == 0 {
			return nil
		}
		return roaring.FastAnd(sets...)
	}
	return nil
}

// unknown returns those of some parts that known does not decide.
func (a *asker) unknown(parts []index.Expr) []index.Expr {
	_, others := windowsOf(parts)
	return slices.DeleteFunc(others, func(x index.Expr) bool { return a.known(x) != nil })
}

// windows returns the condition that a document has all of some classes of
// windows, as far as they are worth asking for.
func (a *asker) windows(list []index.Expr) string {
	switch {
	case len(list) == 0:
		return wire.Always
	case a.bits:
		if from := a.bitmaps(list); from != "" {
			return "doc IN (" + from + ")"
		}
		return wire.Always
	}
	docs := a.known(index.Every(list))
	if docs == nil {
		return wire.Always
	}
	return a.some(docs)
}

// bitmaps returns the statement for the documents that have all of some classes
// of windows where servers keep a bitmap of each; "" where it would let nearly
// everything through.
func (a *asker) bitmaps(list []index.Expr) string {
	classes := a.pick(list)
	if len(classes) == 0 {
		return ""
	}
	slices.Sort(classes)
	rows := fmt.Sprintf("SELECT feature, groupBitmapMergeState(docs) AS m FROM bits WHERE %s AND feature IN (%s) GROUP BY feature", a.sided(), wire.Numbers(classes))
	return fmt.Sprintf("SELECT arrayJoin(bitmapToArray(b)) AS doc FROM (SELECT groupBitmapAndState(m) AS b, count() AS n FROM (%s) AS f HAVING n = %d) AS g", rows, len(classes))
}

// classesOf returns the documents of a shard that have classes of windows, of
// those that a statement is about; dead ones among them.
func (sc *scan) classesOf(ctx context.Context, s *wire.Shard, a *asker, list []uint16) (map[uint16]*roaring.Bitmap, error) {
	slices.Sort(list)
	list = slices.Compact(list)
	if a.bound != nil { // too many to keep all
		return sc.fetchClasses(ctx, s, a, list, ledger.Extent{*a.bound})
	}
	key := func(class uint16) classKey { return classKey{s.Number, sc.plan.Kind.Name, a.side, class} }
	have := map[uint16]classDocs{}
	asks := map[string][]uint16{} // by what is missing
	gaps := map[string]ledger.Extent{}
	for _, class := range list {
		old, ok := sc.classes.get(key(class))
		if ok {
			have[class] = old
		}
		if gap := sc.now.Spans.Without(old.Extent); len(gap) > 0 {
			if len(gap) > mostGaps {
				gap = sc.now.Spans
			}
			name := fmt.Sprint(gap)
			asks[name], gaps[name] = append(asks[name], class), gap
		}
	}
	all := map[uint16]*roaring.Bitmap{}
	for class, old := range have {
		all[class] = old.docs
	}
	for name, classes := range asks {
		found, err := sc.fetchClasses(ctx, s, a, classes, gaps[name])
		if err != nil {
			return nil, err
		}
		for class, docs := range found {
			if old, ok := have[class]; ok {
				docs.Or(old.docs)
			}
			all[class] = docs
			sc.classes.put(key(class), classDocs{sc.now.Spans, docs}, int(docs.GetSizeInBytes())+256, func(there classDocs) bool { return there.Size() > sc.now.Spans.Size() })
		}
	}
	return all, nil
}

// fetchClasses fetches the documents of a shard that have classes of windows:
// those among some documents, and maybe others that are committed.
func (sc *scan) fetchClasses(ctx context.Context, s *wire.Shard, a *asker, list []uint16, among ledger.Extent) (map[uint16]*roaring.Bitmap, error) {
	found := map[uint16]*roaring.Bitmap{}
	if len(list) == 0 {
		return found, nil
	}
	low := make([]string, len(among))
	for i, x := range among {
		low[i] = fmt.Sprintf("(low < %d AND low + 65536 > %d)", x.High, x.Low)
	}
	// A list comes as a text of three bytes for each document, which is read fast:
	// the third keeps the others from being cut off where they are 0.
	sql := fmt.Sprintf("SELECT feature, low, arrayStringConcat(arrayMap(x -> reinterpretAsString(toUInt32(x + 65536)), docs)) AS text FROM feat WHERE %s",
		wire.And(a.sided(), "feature IN ("+wire.Numbers(list)+")", wire.Or(low...)))
	err := s.Read(ctx, "window classes", func(db wire.Conn) error {
		for _, class := range list {
			found[class] = roaring.New()
		}
		var class uint16
		var first uint32
		var text string
		var docs []uint32
		return db.Query(ctx, sql, func() error {
			docs = docs[:0]
			for i := 0; i+2 < len(text); i += 3 {
				docs = append(docs, first+uint32(text[i])+uint32(text[i+1])<<8)
			}
			found[class].AddMany(docs)
			return nil
		}, &class, &first, &text)
	})
	if err != nil {
		return nil, err
	}
	committed := sc.now.Spans.Documents()
	for _, docs := range found {
		docs.And(committed)
		docs.RunOptimize()
	}
	return found, nil
}
