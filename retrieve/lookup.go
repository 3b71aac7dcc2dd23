package retrieve

import (
	"context"
	"slices"

	"qipu/board"
	"qipu/game"
	"qipu/index"
	"qipu/pattern"
	"qipu/query"
)

// lookup knows how the postings of a position lie to it as it was asked for.
type lookup struct {
	kind   *index.Kind
	key    uint64
	allows []game.Symmetry // the pictures that count
	own    []game.Symmetry // the position's own symmetries, of all there are
	turn   pattern.Turn
	canon  game.Symmetry // takes the position to the picture with the hash
	games  condition     // that a game must meet

	// views tells, by image and turn of a posting, how its board lies to the
	// position. They are worked out when they are met first: few are.
	views [2 * maxImages]orientation
}

const maxImages = 128

// orientation is how the board of a line lies to a position.
type orientation struct {
	known  bool
	counts bool          // whether such a line counts
	sym    game.Symmetry // takes the board of the line to the position as given
	move   game.Symmetry // takes a move from the picture with the hash there

	// entries are the numbers of continuations by code of the move, from 1. A
	// table is faster than the map behind it, and the first moves of all games
	// are many.
	entries []int32
}

// newLookup prepares the look-up of a position.
func newLookup(k *index.Kind, p *pattern.Pattern, stones []stone, games []query.Q) *lookup {
	l := &lookup{kind: k, allows: p.Pictures(k.Board), turn: p.Turn, games: newCondition(games)}
	key, img := canonical(k, stones)
	l.key, l.canon = key, k.Image(img)
	for i := range k.Images() {
		if sym := k.Image(i); isOwn(k, p, stones, sym) {
			l.own = append(l.own, sym)
		}
	}
	return l
}

// isOwn reports whether a symmetry takes a position to itself. Every piece must
// come to lie on one of the kind that it becomes: then all do.
func isOwn(k *index.Kind, p *pattern.Pattern, stones []stone, sym game.Symmetry) bool {
	for _, s := range stones {
		piece := s.piece
		if sym.Swap {
			piece = k.Board.Swap[piece-1]
		}
		if p.Cells[p.Size.Index(sym.Board.Apply(p.Size, s.at))] != pattern.Of(piece) {
			return false
		}
	}
	return true
}

// fold returns the fold of the position: its own symmetries among those that
// are allowed and keep the turn.
func (l *lookup) fold() *fold {
	group := slices.DeleteFunc(slices.Clone(l.own), func(sym game.Symmetry) bool {
		return !slices.Contains(l.allows, sym) || sym.Swap && l.turn != pattern.AnyTurn
	})
	return newFold(l.kind.Board.Size, group)
}

// view returns how the board of a posting lies.
func (l *lookup) view(r *index.Posting) *orientation {
	o := &l.views[(2*int(r.Image)+int(r.Turn))%len(l.views)]
	if !o.known {
		o.known = true
		l.orient(o, int(r.Image), r.Turn)
	}
	return o
}

func (l *lookup) orient(o *orientation, image int, side game.Side) {
	if image >= l.kind.Images() {
		return
	}
	there := l.kind.Image(image) // takes the board of the line to the picture with the hash
	back := there.Then(l.canon.Inverse())
	for _, sym := range l.allows {
		// The picture is the board of the line if going there and back is one of
		// the position's own symmetries.
		if !slices.Contains(l.own, sym.Then(back)) {
			continue
		}
		turn := pattern.FirstToMove + pattern.Turn(asDrawn(side, sym.Swap))
		if l.turn == pattern.AnyTurn || l.turn == turn {
			o.counts = true
			o.sym = sym.Inverse()
			o.move = there.Inverse().Then(o.sym)
			return
		}
	}
}

// condition is what games must be like, about nothing but facts.
type condition struct {
	parts      []query.Q
	selections map[*query.Fact]*index.Selection
}

func newCondition(parts []query.Q) condition {
	c := condition{parts: parts}
	for _, part := range parts {
		query.Map(part, func(q query.Q) (query.Q, error) { // which fails only where its function does
			if fact, ok := q.(*query.Fact); ok {
				if c.selections == nil {
					c.selections = map[*query.Fact]*index.Selection{}
				}
				c.selections[fact] = index.NewSelection(fact)
			}
			return q, nil
		})
	}
	return c
}

// admits reports whether the game of a line meets the condition.
func (c *condition) admits(columns *index.Columns, line int) bool {
	for _, part := range c.parts {
		if !c.holds(part, columns, line) {
			return false
		}
	}
	return true
}

func (c *condition) holds(q query.Q, columns *index.Columns, line int) bool {
	switch q := q.(type) {
	case query.And:
		for _, part := range q {
			if !c.holds(part, columns, line) {
				return false
			}
		}
		return true
	case query.Or:
		for _, part := range q {
			if c.holds(part, columns, line) {
				return true
			}
		}
		return false
	case query.Not:
		return !c.holds(q.Q, columns, line)
	case query.Const:
		return bool(q)
	case query.Games:
		return q.Set.Contains(columns.Game(line))
	case *query.Fact:
		return c.selections[q].Match(columns, line)
	}
	return false
}

// ask returns what is asked of a store: the columns are those that the condition
// reads, and more.
func (l *lookup) ask(variations bool, more []query.Column) *index.Lookup {
	cols := append([]query.Column{query.Result}, more...)
	for fact := range l.games.selections {
		cols = append(cols, fact.Column)
	}
	ask := &index.Lookup{Kind: l.kind, Variations: variations, Keys: []uint64{l.key}, Columns: index.ColumnsOf(cols...)}
	if len(l.games.parts) > 0 {
		f := finder{Request: &Request{Kind: l.kind}, selections: l.games.selections}
		ask.Expr = f.every(l.games.parts...)
	}
	return ask
}

// lookupOf is ask with the columns that rows are made of.
func (f *finder) lookupOf(l *lookup) *index.Lookup { return l.ask(f.Variations, f.read()) }

// read returns the columns that describe reads, and those of the conditions of
// the query that columns decide.
func (f *finder) read() []query.Column {
	cols := []query.Column{query.Result, query.FirstDay, query.LastDay, query.FirstRating, query.SecondRating, query.FirstRank, query.SecondRank, query.Plies}
	cols = append(cols, f.By.columns()...)
	if f.whose != nil {
		cols = append(cols, query.FirstPlayer, query.SecondPlayer)
	}
	query.Map(f.query, func(q query.Q) (query.Q, error) { // which fails only where its function does
		if fact, ok := q.(*query.Fact); ok {
			cols = append(cols, fact.Column)
		}
		return q, nil
	})
	return cols
}

// lookUp answers a request for a position by its hash.
func (f *finder) lookUp(ctx context.Context, shape *query.Shape, games []query.Q, stones []stone) error {
	l := newLookup(f.Kind, shape.Pattern, stones, games)
	f.explain.Plan = Text{index.Reaches(l.key)}
	f.fold = l.fold()
	f.table.fold = f.fold
	t := taker{finder: f, lookup: l}
	for postings, err := range f.view.Positions(ctx, f.lookupOf(l)) {
		if err != nil {
			return err
		}
		f.explain.Pages++
		f.explain.Lines += int64(len(postings.Rows))
		if err := f.view.Guard(func() error { t.take(postings); return nil }); err != nil {
			return err
		}
		t.flush()
	}
	return nil
}

// taker makes rows and continuations of postings.
type taker struct {
	*finder
	*lookup
	row  Row  // of the game at hand
	open bool // there is one

	// line and met are the line at hand and the pictures of the position that
	// it had: once more with the other side to move is not once more.
	line uint32
	met  []uint8

	picks []pick // what came next in the game at hand, where it has one line
}

// again reports whether a line had the position in the same picture before.
func (t *taker) again(r *index.Posting) bool {
	if r.Line != t.line || !t.open {
		t.line, t.met = r.Line, t.met[:0]
	}
	if slices.Contains(t.met, r.Image) {
		return true
	}
	t.met = append(t.met, r.Image)
	return false
}

func (t *taker) take(postings *index.Postings) {
	for i := range postings.Rows {
		r := &postings.Rows[i]
		o := t.lookup.view(r)
		if !o.counts {
			continue
		}
		line := int(r.Line)
		id := postings.Game(line)
		if !t.lookup.games.admits(&postings.Columns, line) || t.again(r) {
			continue
		}
		t.hits++
		row := Row{Game: id, Ply: int32(r.Ply), Occurrences: 1, Symmetry: o.sym.Inverse(), Variation: !postings.Main}
		t.describe(&row, &postings.Columns, line)
		if t.All {
			row.All = []Occurrence{{Ply: int(r.Ply), Symmetry: row.Symmetry, Variation: !postings.Main}}
		}
		if t.open && t.row.Game == id {
			t.row.join(&row) // another picture of the position, in the same game
		} else {
			t.flush()
			t.row, t.open = row, true
		}
		switch {
		case t.NoContinuations:
		case r.Next == index.NextNone:
			t.table.ended++
		default:
			e := t.entry(o, r, len(postings.Rows))
			e.occur(row.Day, row.last)
			e.direct++
			t.pick(pick{entry: e.number, ply: uint16(r.Ply), side: r.Turn, result: row.Result, rating: postings.Rating(line, int(r.Turn&1))}, id)
		}
	}
}

// flush takes the row of the game at hand, which is complete but for other
// lines of the game.
func (t *taker) flush() {
	switch {
	case !t.open:
	case t.byGame != nil:
		t.mergeRow(&t.row)
	default:
		t.settle(&t.row)
	}
	t.open = false
	for i := range t.picks {
		t.table.pick(&t.picks[i])
	}
	t.picks = t.picks[:0]
}

// manyPostings is from how many postings on a table of the moves is worth its
// memory.
const manyPostings = 64

// entry returns the continuation of a posting.
func (t *taker) entry(o *orientation, r *index.Posting, postings int) *entry {
	if int(r.Next) < len(o.entries) && o.entries[r.Next] != 0 {
		return &t.table.entries[o.entries[r.Next]-1]
	}
	k := t.lookup.kind
	e := t.table.entry(keyOf(k.Move(r.Next, o.move), asDrawn(r.Turn, o.sym.Swap)))
	if o.entries == nil && postings >= manyPostings {
		n := k.Board.Size.Area()
		if k.Moving {
			n *= n
		}
		o.entries = make([]int32, n)
	}
	if int(r.Next) < len(o.entries) {
		o.entries[r.Next] = e.number + 1
	}
	return e
}

// pick counts the game at hand for a continuation: at once where the game may
// have other lines, else when it is complete, as nearly all have but one.
func (t *taker) pick(p pick, game uint32) {
	if t.table.lines {
		t.table.pickLine(p, game)
		return
	}
	for i := range t.picks {
		if old := &t.picks[i]; old.entry == p.entry {
			if p.before(old) {
				*old = p
			}
			return
		}
	}
	t.picks = append(t.picks, p)
}

// keyOf returns the key of a move of the whole board.
func keyOf(m game.Move, side game.Side) moveKey {
	if m == game.Pass {
		return moveKey{pass: true, fx: -1, side: side}
	}
	key := moveKey{x: int8(m.To().X()), y: int8(m.To().Y()), fx: -1, piece: m.Piece(), side: side}
	if from := m.From(); from != board.NoPoint {
		key.fx, key.fy = int8(from.X()), int8(from.Y())
	}
	return key
}
