package retrieve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"

	"qipu/board"
	"qipu/builtin"
	"qipu/game"
	"qipu/index"
	"qipu/internal/testkit"
	"qipu/pattern"
	"qipu/query"
	"qipu/record"
	"qipu/store"
	"qipu/store/shard"
	"qipu/store/storetest"
)

// world is a real store and the plain boards of all that is in it.
type world struct {
	store *shard.Shard
	view  index.View
	rng   *rand.Rand
	lines map[*index.Kind][]*line
}

// line is a line of play as boards.
type line struct {
	game   uint32
	main   bool
	facts  index.Facts
	from   int
	boards [][]board.Piece // by dense index
	turns  []game.Side
	moves  []game.Move
}

// newWorld fills a store with random records and gives its view.
func newWorld(t testing.TB, seed uint64, records int) *world {
	t.Helper()
	ctx := context.Background()
	s, err := shard.Open(ctx, t.TempDir(), shard.Options{Create: true, Games: builtin.Games(), NoMerge: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	w := &world{store: s, lines: map[*index.Kind][]*line{}, rng: rand.New(rand.NewPCG(seed, 3))}
	maker := storetest.NewMaker(builtin.Games(), seed)
	var played []*record.Played
	for i := range records {
		var g *record.Game
		switch i % 9 {
		case 8: // the first moves on a small board: more games than a table is made for
			g = maker.Game("weiqi", "5x5", 1+w.rng.IntN(3))
			maker.Head(g)
		case 0, 1: // a few moves from the start: positions and transpositions come often
			b := storetest.Boards[w.rng.IntN(len(storetest.Boards))]
			g = maker.Game(b.Kind, b.Variant, w.rng.IntN(5))
			maker.Head(g)
		case 2: // few points, many games: passes and captures too
			g = maker.Game("weiqi", "5x5", 2+w.rng.IntN(30))
			maker.Branch(g, w.rng.IntN(4))
			maker.Head(g)
		case 3: // to the end: forced passes
			g = maker.Game("othello", "6x6", 40)
			maker.Branch(g, w.rng.IntN(3))
			maker.Head(g)
		default:
			g = maker.Random(40)
		}
		played = append(played, maker.Play(g))
	}
	played = append(played, corners(maker)...)
	for range 60 {
		g := maker.Corner([]string{"weiqi", "renju"}[w.rng.IntN(2)])
		if w.rng.IntN(3) == 0 {
			maker.Branch(g, 2)
		}
		maker.Head(g)
		played = append(played, maker.Play(g))
	}
	played = append(played, samples(t)...)
	// In several batches: tables on disk, and games that wait in memory.
	for len(played) > 0 {
		n := min(len(played), 300)
		w.add(t, played[:n])
		played = played[n:]
	}
	w.view, err = s.View(ctx)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.view.Close() })
	return w
}

// samples returns the records of the demo set.
func samples(t testing.TB) []*record.Played {
	return storetest.Samples(t, builtin.Games(), builtin.Formats())
}

// corners returns records that are made for what is rare by chance: the same
// board with either side to move, in several pictures, reached in several ways.
func corners(m *storetest.Maker) (list []*record.Played) {
	for i, moves := range []string{
		"aa tt tt bb", "tt aa", "tt tt aa", "cc tt aa", "ba ab tt tt", "aa ba ab tt bb", "aa bb cc dd", "cc bb aa dd", "cc dd aa bb",
		"ea bb cc db", "cc", "cc tt tt", "tt cc", "tt cc tt", "aa ee", "ee aa", "ae ea", "ea ae tt",
	} {
		g := &record.Game{Kind: "weiqi", Variant: "5x5", Notation: "sgf", Place: record.Place{File: fmt.Sprint("corner", i), Number: 1}}
		at := g.Add(0, record.Unstated, "")
		for n, move := range strings.Fields(moves) {
			at = g.Add(at, record.First+record.Side(n%2), move)
		}
		m.Head(g)
		list = append(list, m.Play(g))
	}
	return list
}

func (w *world) add(t testing.TB, batch []*record.Played) {
	t.Helper()
	added, err := w.store.Add(context.Background(), store.Batch{Records: batch})
	if err != nil {
		t.Fatal(err)
	}
	for i, a := range added {
		p := batch[i]
		if a.Status == store.StatusDuplicate || p.Rules == nil || p.Start.Board == nil {
			continue
		}
		k := w.store.Kinds().Of(p.Rules)
		w.lines[k] = slices.DeleteFunc(w.lines[k], func(l *line) bool { return l.game == a.ID })
		facts := index.FactsOf(&p.Game.Facts)
		w.lines[k] = append(w.lines[k], newLine(k, a.ID, true, facts, 0, p.Steps, p.Changes, p.Start.Turn, p.Turn))
		if p.Game.Variations() {
			for l := range record.Lines(p.Rules, p.Game) {
				w.lines[k] = append(w.lines[k], newLine(k, a.ID, false, facts, l.From+1, l.Steps, l.Changes, p.Start.Turn, l.Turn))
			}
		}
	}
}

func newLine(k *index.Kind, id uint32, main bool, facts index.Facts, from int, steps []record.Step, changes []record.Change, start, end game.Side) *line {
	l := &line{game: id, main: main, facts: facts, from: from}
	state := make([]board.Piece, k.Board.Size.Area())
	turn := start
	for i := range len(steps) + 1 {
		for ; len(changes) > 0 && int(changes[0].Step) == i; changes = changes[1:] {
			state[k.Board.Size.Index(changes[0].Point)] = changes[0].Piece
		}
		l.boards = append(l.boards, slices.Clone(state))
		if i == len(steps) {
			l.turns = append(l.turns, end)
			break
		}
		s := steps[i]
		if s.Move != game.NoMove {
			turn = s.Side
		}
		l.turns, l.moves = append(l.turns, turn), append(l.moves, s.Move)
		if turn = s.Side; s.Move != game.NoMove {
			turn = s.Side.Opponent()
		}
	}
	return l
}

// spot is an occurrence found by looking at every board.
type spot struct {
	line  *line
	ply   int
	place *pattern.Placement
}

// names returns names of places that are the same where they differ in nothing
// but the turn.
func names(places []pattern.Placement) (list []string) {
	for i := range places {
		q := &places[i]
		list = append(list, fmt.Sprint(q.X, q.Y, q.Size, q.Points, q.Sets))
	}
	return list
}

// spots returns the occurrences of a pattern in a line.
func spots(p *pattern.Pattern, places []pattern.Placement, names []string, l *line) []spot {
	first := map[string]spot{}
	var keys []string
	for i := range places {
		q, key := &places[i], names[i]
		for ply := max(l.from, p.From); ply < len(l.boards) && (p.To < 0 || ply <= p.To); ply++ {
			if q.Turn != pattern.AnyTurn && q.Turn != pattern.FirstToMove+pattern.Turn(l.turns[ply]) {
				continue
			}
			holds := true
			for j, pt := range q.Points {
				if !q.Sets[j].Has(l.boards[ply][pt]) {
					holds = false
					break
				}
			}
			if !holds {
				continue
			}
			if old, known := first[key]; !known || ply < old.ply {
				if !known {
					keys = append(keys, key)
				}
				first[key] = spot{l, ply, q}
			}
			break
		}
	}
	var list []spot
	for _, key := range keys {
		list = append(list, first[key])
	}
	return list
}

// answers is what an answer should say.
type answers struct {
	games     map[uint32]*gameAnswer
	hits      int
	elsewhere int
	ended     int
	events    []event
}

type gameAnswer struct {
	facts index.Facts
	spots []spot
}

// ask answers a request by looking at every board of every line.
func (w *world) ask(t testing.TB, r *Request) *answers {
	t.Helper()
	k := r.Kind
	focus := Anchor(compiled(t, r))
	found := map[*query.Shape]map[uint32][]spot{}
	all := map[uint32]*gameAnswer{}
	shapes(r.Query, func(s *query.Shape) {
		if found[s] != nil {
			return
		}
		found[s] = map[uint32][]spot{}
		places, err := pattern.Compile(s.Pattern, k.Board)
		if err != nil && !errors.Is(err, pattern.ErrNoFit) {
			t.Fatal(err)
		}
		named := names(places)
		for _, l := range w.lines[k] {
			if l.main || r.Variations {
				if list := spots(s.Pattern, places, named, l); len(list) > 0 {
					found[s][l.game] = append(found[s][l.game], list...)
				}
			}
		}
	})
	for _, l := range w.lines[k] {
		if l.main {
			all[l.game] = &gameAnswer{facts: l.facts}
		}
	}
	a := &answers{games: map[uint32]*gameAnswer{}}
	for id, g := range all {
		if !holds(r.Query, id, found) {
			continue
		}
		a.games[id] = g
		if focus == nil {
			continue
		}
		g.spots = found[focus][id]
		a.hits += len(g.spots)
		for _, s := range g.spots {
			a.next(k, focus.Pattern, s)
		}
	}
	return a
}

// compiled returns the query with shapes that lie nowhere replaced.
func compiled(t testing.TB, r *Request) query.Q {
	q, err := query.Map(r.Query, func(q query.Q) (query.Q, error) {
		if s, ok := q.(*query.Shape); ok {
			if _, err := pattern.Compile(s.Pattern, r.Kind.Board); err != nil {
				return query.Const(false), nil
			}
		}
		return q, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return query.Simplify(q)
}

func shapes(q query.Q, see func(*query.Shape)) {
	query.Map(q, func(q query.Q) (query.Q, error) {
		if s, ok := q.(*query.Shape); ok {
			see(s)
		}
		return q, nil
	})
}

func holds(q query.Q, id uint32, found map[*query.Shape]map[uint32][]spot) bool {
	switch q := q.(type) {
	case query.And:
		return !slices.ContainsFunc(q, func(p query.Q) bool { return !holds(p, id, found) })
	case query.Or:
		return slices.ContainsFunc(q, func(p query.Q) bool { return holds(p, id, found) })
	case query.Not:
		return !holds(q.Q, id, found)
	case query.Games:
		return q.Set.Contains(id)
	case *query.Shape:
		return found[q][id] != nil
	}
	return bool(q.(query.Const))
}

// next counts the continuation of an occurrence.
func (a *answers) next(k *index.Kind, p *pattern.Pattern, s spot) {
	l, size := s.line, k.Board.Size
	last := len(l.boards) - 1
	if s.ply == last {
		a.ended++
		return
	}
	whole := len(s.place.Region) == size.Area()
	for ply := s.ply; ply < last; ply++ {
		arrived := arrivals(k, l, ply, s.place.Region)
		if whole && len(arrived) != 1 {
			a.count(s, ply, moveKey{pass: true, fx: -1})
			return
		}
		if len(arrived) == 0 {
			continue
		}
		if ply > s.ply {
			a.elsewhere++
		}
		key := moveKey{fx: -1, piece: l.moves[ply].Piece()}
		key.x, key.y = frame(p, s.place, size.Point(arrived[0]))
		if from := l.moves[ply].From(); k.Moving && from != board.NoPoint && slices.Contains(s.place.Region, uint16(size.Index(from))) {
			key.fx, key.fy = frame(p, s.place, from)
		}
		a.count(s, ply, key)
		return
	}
	a.ended++
	a.elsewhere++
}

// arrivals returns the points of a region that a piece arrives at.
func arrivals(k *index.Kind, l *line, ply int, region []uint16) (list []int) {
	for _, pt := range region {
		if k.Moving {
			if m := l.moves[ply]; m.To() != board.NoPoint && k.Board.Size.Index(m.To()) == int(pt) {
				list = append(list, int(pt))
			}
		} else if l.boards[ply][pt] == board.Empty && l.boards[ply+1][pt] != board.Empty {
			list = append(list, int(pt))
		}
	}
	return list
}

// frame returns the cell of a pattern that lies on a point of the board.
func frame(p *pattern.Pattern, place *pattern.Placement, at board.Point) (x, y int8) {
	for i := range p.Cells {
		q := place.Symmetry.Board.Apply(p.Size, p.Size.Point(i))
		if q.X()+place.X == at.X() && q.Y()+place.Y == at.Y() {
			return int8(i % p.Size.W), int8(i / p.Size.W)
		}
	}
	panic("a point outside the region")
}

// event is a continuation of one occurrence.
type event struct {
	key    moveKey // as drawn
	line   *line
	ply    int // of the occurrence
	side   game.Side
	direct bool
}

func (a *answers) count(s spot, ply int, key moveKey) {
	side := s.line.turns[ply]
	key.side = side
	if s.place.Symmetry.Swap {
		key.side = side.Opponent()
	}
	a.events = append(a.events, event{key, s.line, s.ply, side, ply == s.ply})
}

func addResult(s *Score, f index.Facts, swapped bool) {
	switch {
	case f.Result == index.Draw:
		s.Draws++
	case f.Result == index.FirstWon:
		s.First++
	case f.Result == index.SecondWon:
		s.Second++
	}
	if swapped && f.Result == index.FirstWon {
		s.First, s.Second = s.First-1, s.Second+1
	} else if swapped && f.Result == index.SecondWon {
		s.First, s.Second = s.First+1, s.Second-1
	}
}

// dates finds the bounds of dates, and of the records that set them the one with
// the narrowest date.
func dates(s *Score, list []index.Facts) {
	for _, f := range list {
		if f.Day != 0 && (s.FirstDay == 0 || f.Day < s.FirstDay) {
			s.FirstDay = f.Day
		}
		s.LastDay = max(s.LastDay, f.LastDay)
	}
	s.FirstSpan, s.LastSpan = 1<<30, 1<<30
	for _, f := range list {
		if f.Day != 0 && f.Day == s.FirstDay {
			s.FirstSpan = min(s.FirstSpan, f.LastDay-f.Day)
		}
		if f.Day != 0 && f.LastDay == s.LastDay {
			s.LastSpan = min(s.LastSpan, f.LastDay-f.Day)
		}
	}
	if s.FirstDay == 0 {
		s.FirstSpan, s.LastSpan = 0, 0
	}
}

// tallied is what is counted of a continuation.
type tallied struct {
	Score
	games, direct int
}

// least returns the smallest of the moves that symmetries of the pattern itself
// take to each other, and whether one that exchanges the sides takes a move there.
func least(p *pattern.Pattern, b pattern.Board, key moveKey) (best moveKey, swap bool) {
	best = key
	for _, sym := range p.Own(b) {
		if m := moved(p, key, sym); compareKeys(m, best) < 0 {
			best, swap = m, sym.Swap
		}
	}
	return best, swap
}

// tally counts continuations: occurrences, and of each game the result once.
func (a *answers) tally(p *pattern.Pattern, b pattern.Board) map[moveKey]tallied {
	lists := map[moveKey][]event{}
	for _, e := range a.events {
		key, _ := least(p, b, e.key)
		lists[key] = append(lists[key], e)
	}
	out := map[moveKey]tallied{}
	for key, list := range lists {
		x := tallied{Score: Score{Count: len(list)}}
		first := map[uint32]event{}
		var facts []index.Facts
		for _, e := range list {
			if e.direct {
				x.direct++
			}
			facts = append(facts, e.line.facts)
			old, known := first[e.line.game]
			if !known || e.ply < old.ply || e.ply == old.ply && e.side < old.side {
				first[e.line.game] = e
			}
		}
		dates(&x.Score, facts)
		for _, e := range first {
			x.games++
			addResult(&x.Score, e.line.facts, e.side != key.side)
			if r := e.line.facts.Ratings[e.side]; r > 0 {
				x.ratings += int64(r)
				x.rated++
			}
		}
		out[key] = x
	}
	return out
}

func compareKeys(a, b moveKey) int {
	return cmp.Or(cmp.Compare(a.side, b.side), cmp.Compare(a.x, b.x), cmp.Compare(a.y, b.y), cmp.Compare(a.fx, b.fx), cmp.Compare(a.fy, b.fy))
}

func moved(p *pattern.Pattern, key moveKey, sym game.Symmetry) moveKey {
	if sym.Swap {
		key.side = key.side.Opponent()
	}
	if !key.pass {
		at := sym.Board.Apply(p.Size, board.At(int(key.x), int(key.y)))
		key.x, key.y = int8(at.X()), int8(at.Y())
	}
	if key.fx >= 0 {
		at := sym.Board.Apply(p.Size, board.At(int(key.fx), int(key.fy)))
		key.fx, key.fy = int8(at.X()), int8(at.Y())
	}
	return key
}

// compare holds an answer with all rows against what it should be.
func (want *answers) compare(r *Request, focus *query.Shape, a *Answer) error {
	if a.Games != len(want.games) || a.Hits != want.hits || len(a.Rows) != a.Games {
		return fmt.Errorf("%d games, %d hits, %d rows; want %d games, %d hits", a.Games, a.Hits, len(a.Rows), len(want.games), want.hits)
	}
	score := Score{Count: len(a.Rows)}
	var facts []index.Facts
	for i := range a.Rows {
		row := &a.Rows[i]
		g := want.games[row.Game]
		if g == nil {
			return fmt.Errorf("game %d should not be there", row.Game)
		}
		if err := g.compare(row); err != nil {
			return fmt.Errorf("game %d: %w", row.Game, err)
		}
		addResult(&score, g.facts, row.Symmetry.Swap)
		facts = append(facts, g.facts)
	}
	dates(&score, facts)
	if a.Score != score {
		return fmt.Errorf("score %+v, want %+v", a.Score, score)
	}
	if r.NoContinuations || focus == nil {
		if len(a.Continuations) != 0 || a.Ended != 0 || a.Elsewhere != 0 {
			return fmt.Errorf("continuations %v, though there should be none", a.Continuations)
		}
		return nil
	}
	if a.Elsewhere != want.elsewhere || a.Ended != want.ended {
		return fmt.Errorf("%d elsewhere, %d ended; want %d, %d", a.Elsewhere, a.Ended, want.elsewhere, want.ended)
	}
	return want.compareNext(r, focus.Pattern, a)
}

func (want *answers) compareNext(r *Request, p *pattern.Pattern, a *Answer) error {
	x, y := map[moveKey]tallied{}, want.tally(p, r.Kind.Board)
	for i := range a.Continuations {
		c := &a.Continuations[i]
		if i > 0 && c.Count > a.Continuations[i-1].Count {
			return fmt.Errorf("continuation %d is more frequent than the one before", i)
		}
		key, swap := least(p, r.Kind.Board, keyOf(c.Move, c.Side))
		e := tallied{c.Score, c.Games, c.Direct}
		if swap {
			e.First, e.Second = e.Second, e.First
		}
		x[key] = e
	}
	if len(x) != len(a.Continuations) {
		return fmt.Errorf("%d continuations are only %d different ones", len(a.Continuations), len(x))
	}
	for key, e := range y {
		if x[key] != e {
			return fmt.Errorf("continuation %+v: %+v, want %+v", key, x[key], e)
		}
	}
	if len(x) != len(y) {
		return fmt.Errorf("%d continuations, want %d", len(x), len(y))
	}
	return nil
}

// compare compares a row.
func (g *gameAnswer) compare(row *Row) error {
	f := g.facts
	if row.Day != f.Day || row.Result != f.Result || row.Rating != max(f.Ratings[0], f.Ratings[1]) || row.Rank != max(f.Ranks[0], f.Ranks[1]) {
		return fmt.Errorf("facts of %+v, want %+v", row, f)
	}
	first := -1
	want := map[Occurrence]int{}
	for _, s := range g.spots {
		if first < 0 || s.ply < first {
			first = s.ply
		}
		want[Occurrence{Ply: s.ply, X: s.place.X, Y: s.place.Y, Symmetry: s.place.Symmetry, Variation: !s.line.main}]++
	}
	if int(row.Ply) != first || int(row.Occurrences) != len(g.spots) {
		return fmt.Errorf("ply %d, %d occurrences; want %d, %d", row.Ply, row.Occurrences, first, len(g.spots))
	}
	at := Occurrence{Ply: first, Symmetry: row.Symmetry, X: int(row.X), Y: int(row.Y), Variation: row.Variation}
	if first >= 0 && want[at] == 0 {
		return fmt.Errorf("the first occurrence is not at %+v", at)
	}
	for o := range want {
		if o.Ply == first && row.Variation && !o.Variation {
			return fmt.Errorf("the first occurrence is said to be in a variation, but the main line has %+v", o)
		}
	}
	if row.All == nil {
		return nil
	}
	got := map[Occurrence]int{}
	for i, o := range row.All {
		got[o]++
		if i > 0 && (row.All[i-1].Variation && !o.Variation || row.All[i-1].Variation == o.Variation && row.All[i-1].Ply > o.Ply) {
			return fmt.Errorf("occurrences out of order: %v", row.All)
		}
	}
	for o, n := range want {
		if got[o] != n {
			return fmt.Errorf("occurrence %+v comes %d times, want %d", o, got[o], n)
		}
	}
	if len(got) != len(want) {
		return fmt.Errorf("%d different occurrences, want %d", len(got), len(want))
	}
	return nil
}

// scanned answers a request by a scan, whatever it is.
func scanned(ctx context.Context, v index.View, r *Request) (*Answer, error) {
	f, err := newFinder(v, r)
	if err == nil {
		err = f.compile()
	}
	if err == nil {
		if f.Variations && !byLine(f.query) {
			err = f.scanGames(ctx)
		} else {
			err = f.scan(ctx)
		}
	}
	return f.answer(err)
}

// randomPlanes returns a random position.
func (w *world) randomPlanes(k *index.Kind) *board.Planes {
	l := w.lines[k][w.rng.IntN(len(w.lines[k]))]
	planes := board.NewPlanes(k.Board.Size, k.Board.Kinds)
	for i, piece := range l.boards[w.rng.IntN(len(l.boards))] {
		if piece != board.Empty {
			planes.Of[piece-1].Add(k.Board.Size.Point(i))
		}
	}
	return planes
}

// randomPattern cuts a pattern out of a random position.
func (w *world) randomPattern(k *index.Kind) *pattern.Pattern {
	rng, size := w.rng, k.Board.Size
	corner := k.HasCorners() && rng.IntN(4) == 0
	planes := w.randomPlanes(k)
	p := pattern.FromBoard(planes)
	whole := !corner && rng.IntN(2) == 0
	switch {
	case corner:
		p = storetest.CutCorner(rng, planes)
	case !whole:
		wide, high := 1+rng.IntN(min(size.W, 6)), 1+rng.IntN(min(size.H, 6))
		p = pattern.Region(planes, rng.IntN(size.W-wide+1), rng.IntN(size.H-high+1), wide, high)
		if rng.IntN(2) == 0 {
			p.Anchor = []pattern.Anchor{pattern.Floating, pattern.Fixed, pattern.Centre}[rng.IntN(3)]
			p.At = board.At(rng.IntN(size.W), rng.IntN(size.H))
		}
	}
	if !whole && !corner || rng.IntN(4) == 0 {
		for i := range p.Cells {
			switch rng.IntN(6) {
			case 0:
				p.Cells[i] = pattern.AnyOn(k.Board.Kinds)
			case 1:
				p.Cells[i] |= pattern.Set(1) << rng.IntN(k.Board.Kinds+1)
			}
		}
	}
	p.Mirror, p.Swap = rng.IntN(3) > 0, rng.IntN(2) == 0
	if rng.IntN(2) == 0 {
		p.Turn = pattern.Turn(1 + rng.IntN(2))
	}
	if rng.IntN(5) == 0 {
		p.From = rng.IntN(6)
		if p.To = -1; rng.IntN(2) == 0 {
			p.To = p.From + rng.IntN(10)
		}
	}
	return p
}

func (w *world) randomQuery(k *index.Kind, depth int) query.Q {
	rng := w.rng
	parts := func() (list []query.Q) {
		for range 1 + rng.IntN(3) {
			list = append(list, w.randomQuery(k, depth-1))
		}
		if rng.IntN(6) == 0 {
			list = append(list, list[0])
		}
		return list
	}
	switch n := rng.IntN(10); {
	case depth > 0 && n < 2:
		return query.And(parts())
	case depth > 0 && n < 4:
		return query.Or(parts())
	case depth > 0 && n < 5:
		return query.Not{Q: w.randomQuery(k, depth-1)}
	case n < 6:
		set := roaring.New()
		for _, l := range w.lines[k] {
			if rng.IntN(2) == 0 {
				set.Add(l.game)
			}
		}
		return query.Games{Set: set, Why: "chance"}
	case n < 7 && depth > 0:
		return query.Const(rng.IntN(2) == 0)
	}
	return &query.Shape{Pattern: w.randomPattern(k), Geometry: k.Rules.Geometry()}
}

// kinds returns the kinds of game in the world, in a fixed order.
func (w *world) kinds() (list []*index.Kind) {
	for k := range w.lines {
		list = append(list, k)
	}
	slices.SortFunc(list, func(a, b *index.Kind) int { return cmp.Compare(a.Name, b.Name) })
	return list
}

// TestOracle compares answers to random requests with those of somebody who
// looks at every board.
func TestOracle(t *testing.T) {
	type indexed struct{ kind, word string }
	plans := map[indexed]int{} // the most games that were found by a kind of index
	kinds := map[string]*index.Kind{}
	for seed := range uint64(testkit.Scale(2, 12)) {
		w := newWorld(t, 100+seed, 420)
		for _, k := range w.kinds() {
			found := 0
			kinds[k.Name] = k
			for i := range testkit.Scale(45, 250) {
				r := &Request{Kind: k, Variations: w.rng.IntN(2) == 0, Limit: -1, All: w.rng.IntN(2) == 0, NoContinuations: w.rng.IntN(6) == 0, Workers: 1 + w.rng.IntN(3)}
				depth := max(0, w.rng.IntN(4)-1)
				r.Query = w.randomQuery(k, depth)
				if k.HasCorners() && i%3 == 0 { // of its own: beside others it seldom decides
					p := storetest.CutCorner(w.rng, w.randomPlanes(k))
					p.Mirror, p.Swap, p.To = w.rng.IntN(4) > 0, w.rng.IntN(4) > 0, -1
					r.Query = &query.Shape{Pattern: p, Geometry: k.Rules.Geometry()}
				}
				want := w.ask(t, r)
				focus := Anchor(compiled(t, r))
				for name, find := range map[string]func(context.Context, index.View, *Request) (*Answer, error){"find": Find, "scan": scanned} {
					a, err := find(t.Context(), w.view, r)
					if err == nil {
						err = want.compare(r, focus, a)
					}
					if err != nil {
						t.Fatalf("seed %d, %s, request %d, %s, variations %t: %v\n%v", seed, k.Name, i, name, r.Variations, err, r.Query)
					}
					for _, word := range []string{"corner ", "window "} {
						if strings.Contains(a.Explain.Plan.String(), word) {
							at := indexed{k.Name, word}
							plans[at] = max(plans[at], a.Games)
						}
					}
				}
				if want.hits > 0 {
					found++
				}
			}
			if found == 0 {
				t.Errorf("%s: nothing was ever found: the test tests nothing", k.Name)
			}
		}
	}
	for name, k := range kinds {
		if k.HasCorners() && plans[indexed{name, "corner "}] < 2 || k.HasWindows() && plans[indexed{name, "window "}] < 1 {
			t.Errorf("%s: plans with corners or windows found no games: %v", name, plans)
		}
	}
}
