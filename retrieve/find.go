package retrieve

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/RoaringBitmap/roaring/v2"

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

	Order   Order
	Reverse bool
	Limit   int    // rows a page; 0 for 30, negative for all
	Cursor  string // of the page, from an Answer
	All     bool   // list every occurrence

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

// defaultLimit is the number of rows of a page: that of the paper.
const defaultLimit = 30

// Find answers a request.
func Find(ctx context.Context, v index.View, r *Request) (*Answer, error) {
	f, err := newFinder(v, r)
	if err != nil {
		return nil, err
	}
	if shape, sets, ok := among(f.query); ok && shape.Pattern.From <= 0 && shape.Pattern.To < 0 {
		if stones := wholeBoard(r.Kind, shape.Pattern); stones != nil {
			err = f.lookUp(ctx, shape, sets, stones)
			return f.answer(err)
		}
	}
	if err := f.compile(); err != nil {
		return nil, err
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

	focus    *query.Shape
	programs map[*query.Shape]*interval.Program
	twins    []int32 // of the focus, see twinsOf
	plan     *index.Plan
	fold     *fold

	found
	explain Explain
	paged   bool
	ticked  time.Time
}

// found is what came out so far.
type found struct {
	pager  pager
	games  int
	score  Score
	hits   int
	table  table
	byGame map[uint32]int // rows, where a game may have several lines
	rows   []Row          // of byGame, which are not complete before the end
}

func newFinder(v index.View, r *Request) (*finder, error) {
	f := &finder{Request: r, view: v, began: time.Now(), query: query.Const(true)}
	f.ticked = f.began
	if r.Query != nil {
		f.query = query.Simplify(r.Query)
	}
	f.explain.Query = Text{f.query}
	return f, f.begin()
}

// begin forgets what was found.
func (f *finder) begin() (err error) {
	f.found = found{table: table{fold: f.fold, lines: f.Variations}}
	if f.Variations {
		f.byGame = map[uint32]int{}
	}
	f.pager, err = newPager(f.Request)
	return err
}

// compile makes the shapes of the query ready for a scan.
func (f *finder) compile() error {
	k := f.Kind
	f.programs = map[*query.Shape]*interval.Program{}
	bound, err := query.Map(f.query, func(q query.Q) (query.Q, error) {
		switch q := q.(type) {
		case query.Const, query.Games:
			return q, nil
		case *query.Shape:
			if f.programs[q] != nil {
				return q, nil
			}
			places, err := pattern.Compile(q.Pattern, k.Board)
			if errors.Is(err, pattern.ErrNoFit) {
				return query.Const(false), nil
			}
			if err != nil {
				return nil, err
			}
			f.programs[q] = interval.Compile(places, q.Pattern, k.Board.Size.Area(), k.Board.Kinds)
			return q, nil
		}
		return nil, fmt.Errorf("retrieve: %v is a name: bind the query first", q)
	})
	if err != nil {
		return err
	}
	f.query = query.Simplify(bound)
	if f.focus = query.Focus(f.query); f.focus != nil {
		program := f.programs[f.focus]
		f.explain.Places = len(program.Placements)
		f.twins = twinsOf(f.focus.Pattern, program.Placements)
		f.fold = newFold(f.focus.Pattern.Size, f.focus.Pattern.Own(k.Board))
		f.table = table{fold: f.fold, lines: f.Variations}
	}
	f.aim()
	return nil
}

// aim makes the plan of the query.
func (f *finder) aim() {
	f.plan = &index.Plan{Kind: f.Kind, Variations: f.Variations, Expr: planOf(f.Kind, f.query)}
	f.explain.Plan = Text{f.plan.Expr}
}

// scanGames answers a query whose parts may be true of different lines of a
// game: it finds the games of each shape first, then those of the query, and
// then in these the occurrences of the focus.
func (f *finder) scanGames(ctx context.Context) error {
	sets := map[*query.Shape]query.Games{}
	bound, err := query.Map(f.query, func(q query.Q) (query.Q, error) {
		shape, ok := q.(*query.Shape)
		if !ok {
			return q, nil
		}
		set, known := sets[shape]
		if known {
			return set, nil
		}
		a, err := Find(ctx, f.view, &Request{Kind: f.Kind, Query: shape, Variations: true, NoContinuations: true, Limit: -1, Workers: f.Workers})
		if err != nil {
			return nil, err
		}
		set = query.Games{Set: roaring.New(), Why: "shape"}
		for i := range a.Rows {
			set.Set.Add(a.Rows[i].Game)
		}
		sets[shape] = set
		return set, nil
	})
	if err != nil {
		return err
	}
	games, err := newFinder(f.view, &Request{Kind: f.Kind, Query: bound, Limit: -1, Workers: f.Workers})
	if err == nil {
		err = games.compile()
	}
	if err == nil {
		err = games.scan(ctx)
	}
	if err != nil {
		return err
	}
	if f.focus != nil {
		all := query.Games{Set: roaring.New(), Why: "query"}
		for i := range games.pager.rows {
			all.Set.Add(games.pager.rows[i].Game)
		}
		f.query = query.And{all, f.focus}
		f.aim()
		if err := f.scan(ctx); err != nil {
			return err
		}
	}
	for i := range games.pager.rows {
		if row := &games.pager.rows[i]; f.focus == nil || !f.knows(row.Game) {
			f.mergeRow(row)
		}
	}
	return nil
}

func (f *finder) knows(game uint32) bool {
	_, ok := f.byGame[game]
	return ok
}

// total counts the lines that there are to choose from.
func (f *finder) total() (lines int64) {
	for _, t := range f.view.Tally() {
		if t.Kind == f.Kind {
			lines += int64(t.Games)
			if f.Variations {
				lines += int64(t.Variations)
			}
		}
	}
	return lines
}

// settle takes a row that is complete.
func (f *found) settle(row *Row) {
	f.games++
	f.score.add(row.Result, row.Day, row.last, row.Symmetry.Swap)
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

// answer returns the answer, or the error that there was.
func (f *finder) answer(err error) (*Answer, error) {
	if err != nil {
		return nil, err
	}
	for i := range f.rows {
		f.settle(&f.rows[i])
	}
	a := &Answer{Games: f.games, Hits: f.hits, Score: f.score}
	a.Continuations, a.Elsewhere, a.Ended = f.table.list()
	a.Rows, a.Next = f.pager.page()
	for i := range a.Rows {
		sortOccurrences(a.Rows[i].All)
	}
	a.Explain = f.explain
	a.Explain.Total = f.total()
	a.Explain.Boards = f.explain.Work.Verified
	a.Explain.Elapsed = time.Since(f.began)
	if !f.paged {
		a.Explain.First = a.Explain.Elapsed
	}
	return a, nil
}
