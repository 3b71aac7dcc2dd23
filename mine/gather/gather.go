package gather

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"

	"qipu/engine"
	"qipu/index"
	"qipu/interval"
	"qipu/library"
	"qipu/library/ask"
	"qipu/library/knowledge"
	"qipu/mine/dataset"
	"qipu/named"
	"qipu/query"
	"qipu/retrieve"
)

// ErrNoGames tells that a query has found nothing to mine.
var ErrNoGames = errors.New("the query finds no game: there is nothing to mine")

// ErrAsked tells that the question cannot be answered as it was put: a name that nothing
// has, games of several kinds, a moment that no game has.
var ErrAsked = errors.New("the question cannot be answered")

// asked is such an error, as a sentence of its own.
type asked struct{ text string }

func (e *asked) Error() string        { return e.text }
func (e *asked) Is(target error) bool { return target == ErrAsked }

func askedf(format string, args ...any) error { return &asked{fmt.Sprintf(format, args...)} }

// column is something that becomes an item, or two where it has an owner.
type column struct {
	id, title, kind string
	named           *named.Item // nil for shapes
	owned           bool
	query           query.Q  // what finds it, where it is not marked
	keys            []uint64 // of its columns, where it is marked
	marker          int
	columns         []int
	spans           [2][]dataset.Span
	word            string // how a query names it
}

// gatherer is one table in the making.
type gatherer struct {
	*Options
	lib    *library.Library
	search *ask.Searcher
	kind   *index.Kind
	bound  query.Q
	book   *named.Items
	judge  engine.Evaluator
	worth  []float64 // by piece
	sides  [2]string

	games   *roaring.Bitmap
	columns []*column
	first   *column // of Options.At
	side    int     // whose
	firsts  map[uint32][]uint16

	set              *dataset.Set
	from             map[uint32][2]int32 // the rows of a game
	result           []float64
	material, pieces []float64
	value            []float64
	rating, rank     []float64
	players          [2][]string
	days             []int32
	next             []string
	handicap         []int
	short, without   int
	never, walked    int
	dropped          int
}

// Set makes a table of the games that a query finds.
func Set(ctx context.Context, lib *library.Library, search *ask.Searcher, o *Options) (*dataset.Set, error) {
	own := *o
	g := &gatherer{Options: &own, lib: lib, search: search, games: roaring.New(), from: map[uint32][2]int32{}}
	if err := g.find(ctx); err != nil {
		return nil, query.WithText(err, o.Text)
	}
	if err := g.list(); err != nil {
		return nil, err
	}
	if err := g.moments(ctx); err != nil {
		return nil, err
	}
	if err := lib.View(ctx, func(v index.View) error { g.begin(); return g.scan(ctx, v) }); err != nil {
		return nil, err
	}
	if len(g.set.Rows) == 0 {
		return nil, askedf("none of %d games has a moment %v: there is nothing to mine", g.games.GetCardinality(), o.At)
	}
	for _, c := range g.columns {
		if c.query != nil {
			if err := g.look(ctx, c); err != nil {
				return nil, err
			}
		}
	}
	g.finish()
	return g.set, g.set.Check()
}

// find finds the games.
func (g *gatherer) find(ctx context.Context) error {
	if strings.TrimSpace(g.Text) == "" {
		g.Text = "all"
	}
	p, err := g.search.Prepare(ctx, &ask.Question{Text: g.Text, Game: g.Game, Request: retrieve.Request{Limit: 1, NoContinuations: true}})
	if err != nil {
		return err
	}
	var most uint64
	kinds := 0
	for _, part := range p.Parts {
		found := roaring.New()
		if _, err := g.search.Find(ctx, &retrieve.Request{Kind: part.Kind, Query: part.Query, Into: found, Limit: 1, NoContinuations: true}); err != nil {
			return err
		}
		n := found.GetCardinality()
		if n == 0 {
			continue
		}
		kinds++
		if n > most {
			most, g.kind, g.bound, g.games = n, part.Kind, part.Query, found
		}
	}
	switch {
	case kinds == 0:
		return ErrNoGames
	case kinds > 1:
		return askedf("the query finds games of %d kinds, and a table has one: name it, as in game:%s", kinds, g.kind.Rules.Info().Name)
	}
	return nil
}

// list lists the columns.
func (g *gatherer) list() (err error) {
	if g.book, err = g.lib.Knowledge().Names(g.kind); err != nil {
		return err
	}
	markers := g.book.Markers()
	info := g.kind.Rules.Info()
	for i := range g.sides {
		g.sides[i] = info.Sides[min(i, len(info.Sides)-1)].Name
	}
	for _, it := range g.book.Items() {
		sort := Names
		if it.Kind == named.Opening || it.Kind == named.Code {
			sort = Opening
		}
		if it.Kind == named.Ending {
			continue // what it is worth is known
		}
		if !g.wants(sort) && !(sort == Opening && it.Owned() && g.wants(Names)) {
			continue
		}
		g.columns = append(g.columns, g.columnOf(it, markers))
	}
	if g.wants(Shapes) && knowledge.HasShapes(g.kind) {
		shapes := g.lib.Knowledge().Shapes()
		for i := range shapes.Base.Terms {
			t := &shapes.Base.Terms[i]
			q, _ := shapes.Query(t.ID, g.kind)
			if q == nil {
				continue
			}
			g.columns = append(g.columns, &column{id: t.ID, title: title(t.Names.En, t.Names.Hant, t.ID), kind: "shape", owned: true, query: q, word: query.Named{Name: t.ID}.String()})
		}
	}
	if g.wants(Value) {
		if g.judge = g.lib.Evaluator(g.kind.Rules); g.judge == nil {
			return askedf("nothing values positions of %s: leave out the column value", info.Titles.En)
		}
	}
	g.worth = worths(g.kind, g.lib.Evaluator(g.kind.Rules))
	return nil
}

// columnOf returns the column of something with a name.
func (g *gatherer) columnOf(it *named.Item, markers []interval.Marker) *column {
	c := &column{id: it.ID, title: title(it.Names.En, it.Names.Hant, it.ID), kind: string(it.Kind), named: it, owned: it.Owned(), word: query.Named{Name: it.ID}.String()}
	if !it.Marked() {
		c.query = it.Query()
		return c
	}
	c.marker, c.columns = it.Columns()
	all := markers[c.marker].Keys()
	for _, i := range c.columns {
		c.keys = append(c.keys, all[i])
	}
	return c
}

// title returns what people call something: its Chinese name where it has one, and the
// English one.
func title(en, hant, id string) string {
	switch {
	case en == "" && hant == "":
		return id
	case hant == "" || hant == en:
		return en
	case en == "":
		return hant
	}
	return hant + " (" + en + ")"
}

// moments finds out about the name whose first time is the moment of a row.
func (g *gatherer) moments(ctx context.Context) error {
	if g.At.First == "" {
		return nil
	}
	name := g.At.First
	g.side = dataset.Both
	for i, side := range g.sides {
		if rest, ok := strings.CutPrefix(name, side+"."); ok {
			name, g.side = rest, i
		}
	}
	it := g.book.Find(name)
	var q query.Q
	switch {
	case it != nil && it.Marked():
		g.first = g.columnOf(it, g.book.Markers())
		return nil
	case it != nil:
		q = it.Query()
	case knowledge.HasShapes(g.kind):
		q, _ = g.lib.Knowledge().Shapes().Query(name, g.kind)
	}
	if q == nil {
		hint := ""
		if near := g.book.Nearest(name, 3); len(near) > 0 {
			hint = ": did you mean " + strings.Join(near, ", ") + "?"
		}
		return askedf("nothing is called %q on boards of %s%s", name, g.kind.Rules.Info().Titles.En, hint)
	}
	g.firsts = map[uint32][]uint16{}
	return g.occurrences(ctx, q, func(game uint32, ply, side int) {
		if g.side == dataset.Both || g.side == side {
			g.firsts[game] = append(g.firsts[game], uint16(ply))
		}
	})
}

// occurrences tells where a board that is no mark stands in the games.
func (g *gatherer) occurrences(ctx context.Context, q query.Q, tell func(game uint32, ply, side int)) error {
	a, err := g.search.Find(ctx, &retrieve.Request{Kind: g.kind, Query: query.And{g.among(), q}, Limit: -1, All: true, NoContinuations: true})
	if err != nil {
		return err
	}
	for i := range a.Rows {
		r := &a.Rows[i]
		if r.Variation || !g.games.Contains(r.Game) {
			continue
		}
		side := 0
		if r.Symmetry.Swap {
			side = 1
		}
		if len(r.All) == 0 && r.Ply >= 0 {
			tell(r.Game, int(r.Ply), side)
		}
		for _, o := range r.All {
			if o.Variation {
				continue
			}
			side = 0
			if o.Symmetry.Swap {
				side = 1
			}
			tell(r.Game, o.Ply, side)
		}
	}
	return nil
}

// look fills an item that is found by its board.
func (g *gatherer) look(ctx context.Context, c *column) error {
	err := g.occurrences(ctx, c.query, func(game uint32, ply, side int) {
		rows, ok := g.from[game]
		if !c.owned {
			side = 0
		}
		for r := rows[0]; ok && r < rows[1]; r++ {
			if ply <= int(g.set.Rows[r].Ply) {
				c.spans[side] = append(c.spans[side], dataset.Span{Row: uint32(r), From: uint16(ply), To: uint16(ply + 1)})
			}
		}
	})
	if errors.Is(err, retrieve.ErrTooMuch) {
		g.set.Left = append(g.set.Left, dataset.Left{Count: 1, What: "shape that can lie in too many places: " + c.title})
		return nil
	}
	return err
}

// among returns a query for the games alone.
func (g *gatherer) among() query.Q {
	if g.bound == nil {
		return query.Const(true)
	}
	return query.Games{Set: g.games, Why: g.Text}
}

// finish makes the columns of what was gathered.
func (g *gatherer) finish() {
	s := g.set
	for _, c := range g.columns {
		if !c.owned {
			if len(c.spans[0]) > 0 {
				s.AddItem(dataset.Item{ID: c.id, Title: c.title, Kind: c.kind, Name: c.id, Side: dataset.Both, Query: c.word}, c.spans[0])
			}
			continue
		}
		for side, spans := range c.spans {
			if len(spans) == 0 {
				continue
			}
			word := c.word
			if c.named != nil {
				word = query.Named{Name: c.id, Side: g.sides[side]}.String()
			}
			s.AddItem(dataset.Item{ID: g.sides[side] + "." + c.id, Title: g.sides[side] + " " + c.title, Kind: c.kind, Name: c.id, Side: side, Query: word}, spans)
		}
		c.spans = [2][]dataset.Span{}
	}
	if g.wants(Opening) {
		s.AddFactor("opening", g.openings())
	}
	s.AddFactor("first", g.players[0])
	s.AddFactor("second", g.players[1])
	if g.wants(Material) {
		s.AddNumber("material", g.material)
		s.AddNumber("pieces", g.pieces)
	}
	if g.wants(Ratings) {
		s.AddNumber("rating", g.rating)
		s.AddNumber("rank", g.rank)
		s.AddNumber("strength", g.strengths())
		if len(g.handicap) > 0 {
			s.AddFact(dataset.Item{ID: "handicap", Title: "a handicap", Kind: "fact", Side: dataset.Both, Query: "handicap>0"}, g.handicap)
		}
	}
	s.AddNumber("year", years(g.days))
	s.AddJudgement(dataset.Result, g.result)
	if g.wants(Value) {
		s.AddNumber("value", g.value)
		s.AddJudgement(dataset.Value, chances(g.value, g.result))
	}
	s.AddNext(g.next)
	left := func(n int, what string) {
		if n > 0 {
			s.Left = append(s.Left, dataset.Left{Count: n, What: what})
		}
	}
	left(g.short, "games that end before the moment "+g.At.String())
	left(g.never, "games in which "+g.At.First+" never stands")
	left(g.dropped, fmt.Sprintf("games behind the first %d rows", g.most()))
	left(g.without, "rows without a result, which count for patterns alone")
	left(g.walked, "games that the index of names does not have yet, which were read through")
}

func (g *gatherer) most() int {
	if g.Most > 0 {
		return g.Most
	}
	return MostRows
}

// openings returns for each row the opening that is known at its moment: of several the
// one that goes deepest, then the latest.
func (g *gatherer) openings() []string {
	type best struct {
		id          string
		depth, from int
	}
	of := make([]best, len(g.set.Rows))
	depth := func(id string) (n int) {
		for it := g.book.Find(id); it != nil && it.Parent != "" && n < 10; n++ {
			it = g.book.Find(it.Parent)
		}
		return n
	}
	for i := range g.set.Items {
		it := &g.set.Items[i]
		if it.Side != dataset.Both || it.Kind != string(named.Opening) && it.Kind != string(named.Code) {
			continue
		}
		d := depth(it.ID)
		for _, sp := range it.Spans {
			b := &of[sp.Row]
			if from := int(sp.From); b.id == "" || d > b.depth || d == b.depth && from >= b.from {
				*b = best{it.ID, d, from}
			}
		}
	}
	words := make([]string, len(of))
	for i := range of {
		words[i] = of[i].id
	}
	return words
}

// keys returns the keys of all marked columns.
func (g *gatherer) keys() (keys []uint64) {
	for _, c := range g.columns {
		keys = append(keys, c.keys...)
	}
	if g.first != nil {
		keys = append(keys, g.first.keys...)
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}
