package retrieve

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/RoaringBitmap/roaring/v2"

	"qipu/board"
	"qipu/game"
	"qipu/index"
	"qipu/interval"
	"qipu/pattern"
	"qipu/query"
)

// Request is what is asked of a store.
type Request struct {
	Kind  *index.Kind
	Query query.Q // bound to names already; nil for all games

	// Variations looks into the lines beside the main one too. A shape occurs
	// in a game if it occurs in any of its lines; what lines share counts once.
	Variations bool

	// Also are further kinds of game to ask, where the query has no board.
	Also []Part

	// By groups the games. Sets are the groups of ByCollection and ByTag.
	// Person, if it is there, tells who a player is: spellings of the same key
	// are counted together, under the name of the most frequent one. Event tells the
	// same of events.
	By            Dimension
	Sets          []Set
	Person, Event func(spelled string) (key, name string)

	// Depth makes a tree of so many moves behind the occurrences, in place of
	// the table of continuations.
	Depth int

	Order   Order
	Reverse bool
	Limit   int    // rows a page; 0 for 30, negative for all
	Cursor  string // of the page, from an Answer
	All     bool   // list every occurrence

	// Partly has a scan that may have no more work, as its Pacer says, end with what it
	// found: the answer says so. Else that is an error.
	Partly bool

	// Into, if it is there, is given the numbers of all games that are found.
	Into *roaring.Bitmap

	// NoContinuations leaves them out: they cost about as much as the rest.
	NoContinuations bool

	// OnPage is given a page of rows as soon as so many are known, once, where
	// that is before the end: in the order of the store, without a cursor and
	// without Variations, and not where a position is looked up by its hash.
	// They are those of the first page, except where the store has games of
	// lower numbers in a later table, as happens when a record was replaced.
	OnPage func(rows []Row)

	// OnTick is given the counts so far about ten times a second. It and OnPage
	// are called by the goroutine that calls Find.
	OnTick func(games, hits int)

	Workers int // 0 for one a core
}

// Part is a kind of game and what is asked of it.
type Part struct {
	Kind  *index.Kind
	Query query.Q
}

// defaultLimit is the number of rows of a page: that of the paper.
const defaultLimit = 30

// Find answers a request.
func Find(ctx context.Context, v index.View, r *Request) (*Answer, error) {
	f, err := newFinder(v, r)
	if err != nil {
		return nil, err
	}
	if shape, sets, ok := among(f.query); ok && f.Depth == 0 && shape.Pattern.From <= 0 && shape.Pattern.To < 0 {
		if stones := wholeBoard(r.Kind, shape.Pattern); stones != nil {
			err = f.lookUp(ctx, shape, sets, stones)
			return f.answer(err)
		}
	}
	if err := f.compile(); err != nil {
		return nil, err
	}
	if len(f.Also) > 0 {
		err = f.scanParts(ctx)
		return f.answer(err)
	}
	if f.Variations && !byLine(f.query) {
		err = f.scanGames(ctx)
	} else {
		err = f.scan(ctx)
	}
	return f.answer(err)
}

// finder is one call of Find.
type finder struct {
	*Request
	view  index.View
	query query.Q // simplified
	began time.Time

	focus      focus
	marked     query.Q // the query with a mark in place of the focus
	programs   map[*query.Shape]*interval.Program
	follows    map[*query.Shape]*interval.Follow
	reached    map[*query.Shape]*interval.Program // the boards behind the moves, where they are known
	alike      map[*query.Fuzzy]*pattern.Like
	compared   map[*query.Fuzzy]*interval.Likes
	selections map[*query.Fact]*index.Selection
	keys       map[*query.Mark][]uint64
	whose      *whose
	texts      keeper
	twins      []int32 // of the focus, see twinsOf
	ways       int     // in which all boards lie
	plan       *index.Plan
	fold       *fold

	found
	explain Explain
	paged   bool
	ticked  time.Time
}

// found is what came out so far.
type found struct {
	pager   pager
	into    *roaring.Bitmap
	games   int
	score   Score
	hits    int
	table   nextMoves
	groups  groups
	player  Score // of whom the query names
	colour  Score // of the games as they are
	tree    *Node
	byGame  map[uint32]int // rows, where a game may have several lines
	scanned []string       // see Answer
	cut     bool           // see Answer
	rows    []Row          // of byGame, which are not complete before the end
}

func newFinder(v index.View, r *Request) (*finder, error) {
	f := &finder{Request: r, view: v, began: time.Now(), query: query.Const(true)}
	f.ticked = f.began
	if r.Query != nil {
		f.query = query.Simplify(r.Query)
	}
	f.explain.Query = Text{f.query}
	if err := check(f.query); err != nil {
		return nil, err
	}
	f.whose = whoseOf(f.query)
	return f, f.begin()
}

// begin forgets what was found.
func (f *finder) begin() (err error) {
	f.found = found{table: nextMoves{fold: f.fold, lines: f.Variations}, groups: groups{by: f.By, sets: f.Sets, person: called(f.By, f.Person, f.Event)}, into: f.Into}
	if f.Depth > 0 {
		f.tree = &Node{}
	}
	if f.Variations {
		f.byGame = map[uint32]int{}
	}
	f.pager, err = newPager(f.Request)
	return err
}

// compile makes the parts of the query ready for a scan.
func (f *finder) compile() error {
	k := f.Kind
	f.programs = map[*query.Shape]*interval.Program{}
	f.follows = map[*query.Shape]*interval.Follow{}
	f.reached = map[*query.Shape]*interval.Program{}
	f.alike = map[*query.Fuzzy]*pattern.Like{}
	f.compared = map[*query.Fuzzy]*interval.Likes{}
	f.selections = map[*query.Fact]*index.Selection{}
	f.keys = map[*query.Mark][]uint64{}
	bound, err := query.Map(f.query, func(q query.Q) (query.Q, error) {
		switch q := q.(type) {
		case *query.Fact:
			f.selections[q] = index.NewSelection(q)
			if q.Column == query.File { // whose texts are put together when they are asked for
				return q, f.cost(fileCost)
			}
			return q, nil
		case *query.Count:
			return q, f.cost(countCost)
		case *query.Mark:
			f.keys[q] = q.Keys()
			return q, f.cost(markCost)
		case *query.Shape:
			places, fits, err := f.places(q)
			if !fits || err != nil {
				return query.Const(false), err
			}
			if len(q.Next) > 0 {
				places = spread(places, q, k.Board)
			}
			f.programs[q] = interval.Compile(places, q.Pattern, k.Board.Size.Area(), k.Board.Kinds)
			if len(q.Next) > 0 {
				alone := *q.Pattern // every picture is a placement already
				alone.Mirror, alone.Swap = false, false
				f.follows[q] = interval.NewFollow(interval.Half{Pattern: &alone, Placements: f.programs[q].Placements}, stepsOf(q), k.Board)
				if q.Reaches != nil {
					places, err := pattern.Compile(q.Reaches, k.Board)
					if err != nil {
						return nil, err
					}
					f.reached[q] = interval.Compile(places, q.Reaches, k.Board.Size.Area(), k.Board.Kinds)
				}
			}
			return q, nil
		case *query.Fuzzy:
			places, fits, err := f.places(&q.Shape)
			if !fits || err != nil {
				return query.Const(false), err
			}
			if err := f.cost(likeCost); err != nil {
				return nil, err
			}
			if !hasPiece(q.Pattern) {
				return nil, fmt.Errorf("retrieve: %w: %v has no piece, and every board is like it", ErrTooMuch, q)
			}
			like, err := pattern.NewLike(places, q.Pattern, &q.Weights, pattern.GroundOf(k.Rules))
			if err != nil {
				return nil, err
			}
			f.alike[q], f.compared[q] = like, interval.CompileLike(like)
			return q, nil
		}
		return q, nil
	})
	if err != nil {
		return err
	}
	f.query = query.Simplify(bound)
	f.focus = focusOf(f.query)
	if s := f.focus.anchor; s != nil {
		program := f.programs[s]
		f.explain.Places = len(program.Placements)
		f.twins = twinsOf(s.Pattern, program.Placements)
		f.fold = newFold(s.Pattern.Size, s.Pattern.Own(k.Board))
		if len(s.Next) > 0 {
			f.fold = newFold(s.Pattern.Size, []game.Symmetry{{}}) // the moves are not its own pictures
		}
		f.table = nextMoves{fold: f.fold, lines: f.Variations}
	}
	f.aim()
	return nil
}

// maxPlaces is in how many ways the boards of a query may lie in all: what every
// game may have to be looked at for. A small shape that lies anywhere on a large
// board has about five thousand.
const maxPlaces = 200_000

// ErrTooMuch tells that a query would cost too much.
var ErrTooMuch = errors.New("the query asks for too much")

// places returns the ways in which a shape lies on the board, and whether there
// are any.
func (f *finder) places(s *query.Shape) (places []pattern.Placement, fits bool, err error) {
	places, err = pattern.Compile(s.Pattern, f.Kind.Board)
	if errors.Is(err, pattern.ErrNoFit) {
		return nil, false, nil
	}
	if err == nil {
		err = f.cost(len(places))
	}
	return places, err == nil, err
}

// What other conditions cost, in ways of a board to lie.
const (
	fileCost  = 1_000
	countCost = 1_000
	markCost  = 2_000 // where its lines must be walked along
	likeCost  = 20_000
)

// cost adds to what the query costs, and fails where that is too much.
func (f *finder) cost(ways int) error {
	if f.ways += ways; f.ways > maxPlaces {
		return fmt.Errorf("retrieve: %w: more than %d ways in which its boards can lie, a fuzzy board counting as %d and a count as %d", ErrTooMuch, maxPlaces, likeCost, countCost)
	}
	return nil
}

// hasPiece reports whether some cell of a pattern must be occupied.
func hasPiece(p *pattern.Pattern) bool {
	return slices.ContainsFunc(p.Cells, func(s pattern.Set) bool { return s&pattern.Empty == 0 && s != pattern.Off })
}

// spread returns the placements of a shape with moves behind it. The shape may
// look the same in several pictures, of which one placement stands for all; its
// moves do not, so that each picture becomes a placement of its own, but for
// those in which the moves too are the same.
func spread(places []pattern.Placement, s *query.Shape, b pattern.Board) []pattern.Placement {
	var list []pattern.Placement
	var seen [][]query.Step
	for _, sym := range s.Pattern.Own(b) {
		steps := slices.Clone(s.Next)
		for i := range steps {
			t := &steps[i]
			p := sym.Board.Apply(s.Pattern.Size, board.At(int(t.X), int(t.Y)))
			t.X, t.Y, t.Side = int8(p.X()), int8(p.Y()), asDrawn(t.Side, sym.Swap)
			if sym.Swap && t.Piece != board.Empty {
				t.Piece = b.Swap[t.Piece-1]
			}
		}
		if slices.ContainsFunc(seen, func(o []query.Step) bool { return slices.Equal(o, steps) }) {
			continue
		}
		seen = append(seen, steps)
		for _, place := range places {
			place.Symmetry = sym.Then(place.Symmetry)
			list = append(list, place)
		}
	}
	return list
}

func stepsOf(s *query.Shape) []interval.FollowStep {
	steps := make([]interval.FollowStep, len(s.Next))
	for i, t := range s.Next {
		steps[i] = interval.FollowStep{X: t.X, Y: t.Y, Side: t.Side, Piece: t.Piece}
	}
	return steps
}

// aim makes the plan of the query.
func (f *finder) aim() {
	f.marked = mark(f.query)
	f.plan = &index.Plan{Kind: f.Kind, Variations: f.Variations, Expr: f.planOf(f.query), Facts: !hasMoments(f.query), Columns: index.ColumnsOf(f.read()...)}
	for _, keys := range f.keys {
		f.plan.Marks = append(f.plan.Marks, keys...)
	}
	f.explain.Plan = Text{f.plan.Expr}
}

// scanParts asks several kinds of game about facts.
func (f *finder) scanParts(ctx context.Context) error {
	if f.focus.onBoard() {
		return fmt.Errorf("retrieve: %v asks about a board: ask one kind of game at a time", f.query)
	}
	err := f.scan(ctx)
	for _, part := range f.Also {
		if err != nil || f.cut {
			return err
		}
		other := *f.Request
		other.Kind, other.Query, other.Also, other.Cursor = part.Kind, part.Query, nil, ""
		g, e := newFinder(f.view, &other)
		if e == nil {
			e = g.compile()
		}
		if e == nil && g.focus.onBoard() {
			e = fmt.Errorf("retrieve: %v asks about a board: ask one kind of game at a time", part.Query)
		}
		if e != nil {
			return e
		}
		g.found, g.pager.request = f.found, f.Request
		err = g.scan(ctx)
		f.found = g.found
		f.explain.Lines += g.explain.Lines
	}
	return err
}

// scanGames answers a query whose parts may be true of different lines of a
// game: it finds the games of each part first, then those of the query, and
// then in these the occurrences of the focus.
func (f *finder) scanGames(ctx context.Context) error {
	bound, err := f.gamesOf(ctx, f.query)
	if err != nil {
		return err
	}
	games, err := newFinder(f.view, &Request{Kind: f.Kind, Query: bound, Limit: -1, Workers: f.Workers, By: f.By, Sets: f.Sets, Person: f.Person, Event: f.Event})
	if err == nil {
		games.whose = f.whose
		err = games.compile()
	}
	if err == nil {
		err = games.scan(ctx)
	}
	if err != nil {
		return err
	}
	if f.focus.node != nil {
		all := query.Games{Set: roaring.New(), Why: "query"}
		for i := range games.pager.rows {
			all.Set.Add(games.pager.rows[i].Game)
		}
		f.query = query.And{all, f.focus.node}
		f.aim()
		if err := f.scan(ctx); err != nil {
			return err
		}
	}
	for i := range games.pager.rows {
		if row := &games.pager.rows[i]; f.focus.node == nil || !f.knows(row.Game) {
			f.mergeRow(row)
		}
	}
	return nil
}

// gamesOf returns the query with every part that is about moments replaced by the
// games that it is true of in one of their lines.
func (f *finder) gamesOf(ctx context.Context, q query.Q) (query.Q, error) {
	if !ofMoments(q) {
		return query.MapParts(q,
			func(part query.Q) (query.Q, error) { return f.gamesOf(ctx, part) },
			func(leaf query.Q) (query.Q, error) { return leaf, nil })
	}
	set := query.Games{Set: roaring.New(), Why: q.String()}
	a, err := Find(ctx, f.view, &Request{Kind: f.Kind, Query: q, Variations: true, NoContinuations: true, Limit: 1, Into: set.Set, Workers: f.Workers})
	if err == nil {
		f.scanned = append(f.scanned, a.Scanned...)
	}
	return set, err
}

func (f *finder) knows(game uint32) bool {
	_, ok := f.byGame[game]
	return ok
}

// total counts the lines that there are to choose from.
func (f *finder) total() int64 { return linesOf(f.view, f.Kind, f.Variations) }

// linesOf counts the lines of a kind of game.
func linesOf(v index.View, k *index.Kind, variations bool) (lines int64) {
	for _, t := range v.Tally() {
		if t.Kind == k {
			lines += int64(t.Games)
			if variations {
				lines += int64(t.Variations)
			}
		}
	}
	return lines
}

// settle takes a row that is complete.
func (f *found) settle(row *Row) {
	f.games++
	if f.into != nil {
		f.into.Add(row.Game)
	}
	f.score.add(row.Result, row.Day, row.last, row.Symmetry.Swap)
	f.colour.add(row.Result, row.Day, row.last, false)
	if row.whose != 0 {
		f.player.add(row.Result, row.Day, row.last, row.whose == 2)
	}
	f.groups.add(row)
	f.pager.add(row)
}

// mergeRow adds a line to the row of its game.
func (f *found) mergeRow(row *Row) {
	i, known := f.byGame[row.Game]
	if !known {
		f.byGame[row.Game] = len(f.rows)
		f.rows = append(f.rows, *row)
		return
	}
	f.rows[i].join(row)
}

// differ fills in the differences of rows that are shown: setting up a board for
// every game that is found would cost more than finding it.
func (f *finder) differ(rows []Row) error {
	if f.focus.like == nil {
		return nil
	}
	return f.view.Guard(func() error {
		var m interval.LikeMatcher
		for i := range rows {
			if row := &rows[i]; row.batch != nil {
				row.Differences = m.AppendDifferences(nil, row.batch.Block, f.compared[f.focus.like], row.like)
				row.batch, row.like = nil, interval.Like{}
			}
		}
		return nil
	})
}

// answer returns the answer, or the error that there was.
func (f *finder) answer(err error) (*Answer, error) {
	if err != nil {
		return nil, err
	}
	for i := range f.rows {
		f.settle(&f.rows[i])
	}
	a := &Answer{Games: f.games, Hits: f.hits, Score: f.score, Colours: f.colour}
	a.Continuations, a.Elsewhere, a.Ended = f.table.list()
	a.Groups = f.groups.list()
	if a.Tree = f.tree; a.Tree != nil {
		a.Tree.sort()
	}
	if f.whose != nil {
		a.Whose, a.Named = &f.player, f.whose.why
	}
	slices.Sort(f.scanned)
	a.Scanned = slices.Compact(f.scanned)
	a.Rows, a.Next = f.pager.page()
	if err := f.differ(a.Rows); err != nil {
		return nil, err
	}
	for i := range a.Rows {
		sortOccurrences(a.Rows[i].All)
	}
	a.Partial, a.Cut = len(f.view.Missing()) > 0, f.cut
	a.Explain = f.explain
	a.Explain.Total = f.total()
	a.Explain.Boards = f.explain.Work.Verified
	a.Explain.Elapsed = time.Since(f.began)
	if !f.paged {
		a.Explain.First = a.Explain.Elapsed
	}
	return a, nil
}
