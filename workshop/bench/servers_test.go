package bench_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"

	"qipu"
	"qipu/board"
	"qipu/builtin"
	"qipu/game"
	"qipu/index"
	"qipu/internal/clickhouse"
	"qipu/internal/testkit"
	"qipu/library/ask"
	"qipu/pattern"
	"qipu/query"
	"qipu/record"
	"qipu/retrieve"
	"qipu/store"
	"qipu/store/cluster/ledger"
	"qipu/store/cluster/wire"
	"qipu/store/storetest"
)

// A library on servers must answer as one in a folder does. Both get the same
// records here and are asked the same, through the library and not below it, and
// whatever they say is written down in full and compared.

// TestServersEqual compares both on games that are made up: of all kinds, with
// variations, comments, duplicates and records that took the place of others.
// Some lie on the servers, some on the desk still.
func TestServersEqual(t *testing.T) {
	f := clickhouse.Start(t, clickhouse.Options{Shards: 2})
	p := &pair{near: openNew(t), far: openServers(t, f, 1)}
	games := p.fill(t, 17, testkit.Scale(80, 400))
	p.match(t)
	rng := rand.New(rand.NewPCG(17, 4))
	var askers []*inquirer
	for _, name := range slices.Sorted(maps.Keys(games)) {
		list := games[name]
		q := &inquirer{spec: name, asker: asker{rng: rng, games: list, rules: list[0].rules, board: pattern.BoardOf(list[0].rules)}}
		askers = append(askers, q)
		some := 0
		n := testkit.Scale(2, 8) * len(inquiries)
		for i := range n {
			if found, _ := p.compare(t, q.inquiry(i)); found > 0 {
				some++
			}
		}
		if some < n/2 {
			t.Errorf("%s: only %d of %d questions found anything: the test says little", name, some, n)
		}
	}
	// Names once more from columns that are kept, and all games on the servers.
	for _, l := range []*qipu.Library{p.near, p.far} {
		if _, err := l.Records().BuildNames(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
	}
	for _, q := range askers {
		for range testkit.Scale(4, 20) {
			p.compare(t, q.named())
			p.compare(t, q.paged())
		}
	}
}

// pair is the same records in a folder and on servers.
type pair struct {
	near, far *qipu.Library
	ids       [2][]uint32       // of all games of each, rising: the same game has the same place
	same      map[uint32]uint32 // number on the servers to that in the folder
}

func openNew(t *testing.T) *qipu.Library {
	t.Helper()
	l, err := qipu.Open(t.Context(), filepath.Join(t.TempDir(), "library"), qipu.Options{Create: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

// openServers makes a library on servers and opens it, with a desk of its own.
func openServers(t *testing.T, f *clickhouse.Fleet, replicas int) *qipu.Library {
	t.Helper()
	cfg, err := wire.Parse(f.URL())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ledger.Init(t.Context(), cfg, ledger.InitOptions{Replicas: replicas}); err != nil {
		t.Fatal(err)
	}
	return openDesk(t, f.URL())
}

func openDesk(t *testing.T, url string) *qipu.Library {
	t.Helper()
	desk := filepath.Join(t.TempDir(), "desk")
	env := func(name string) (string, bool) { return desk, name == "QIPU_DESK" }
	l, err := qipu.Open(t.Context(), url, qipu.Options{Env: env, Logf: t.Logf})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

// fill puts made-up games into both libraries and returns them by kind.
func (p *pair) fill(t *testing.T, seed uint64, games int) map[string][]*told {
	t.Helper()
	m := storetest.NewMaker(builtin.Games(), seed)
	byKind := map[string][]*told{}
	var first, second, last []*record.Game
	for _, b := range []struct {
		kind, variant string
		moves         int
	}{{"weiqi", "9x9", 50}, {"weiqi", "", 60}, {"othello", "", 50}, {"xiangqi", "", 50}, {"renju", "", 40}} {
		name := strings.TrimSuffix(b.kind+":"+b.variant, ":")
		var kind []*record.Game
		for i := range games {
			g := m.Game(b.kind, b.variant, b.moves/3+m.Rng.IntN(b.moves))
			m.Head(g)
			switch i % 8 {
			case 0, 1:
				m.Branch(g, 1+m.Rng.IntN(3))
			case 2:
				m.Remark(g)
			case 3: // comes again as it is
				second = append(second, g)
			case 4: // is begun by a poorer record of the same game
				first = append(first, m.Cut(g, b.moves/4))
				second = append(second, g)
				byKind[name] = append(byKind[name], tell(m.Play(g), 0))
				continue
			case 5: // begins as another of its kind does
				g = m.Cut(pickOf(m.Rng, append(kind, g)), 12)
				m.Grow(g, 20)
				m.Head(g)
			case 6:
				last = append(last, g)
				byKind[name] = append(byKind[name], tell(m.Play(g), 0))
				continue
			}
			kind = append(kind, g)
			first = append(first, g)
			byKind[name] = append(byKind[name], tell(m.Play(g), 0))
		}
	}
	for _, l := range []*qipu.Library{p.near, p.far} {
		for _, list := range [][]*record.Game{first, second, last} {
			var b store.Batch
			for _, g := range list {
				b.Records = append(b.Records, m.Play(g))
			}
			if _, err := l.Records().AddAll(t.Context(), b.Records); err != nil {
				t.Fatal(err)
			}
		}
	}
	return byKind
}

// match finds out which games are the same, and puts some into a collection and
// some under a tag. Both libraries number games in the order in which they came.
func (p *pair) match(t *testing.T) {
	t.Helper()
	p.same = map[uint32]uint32{}
	var places [2][]store.Source
	for i, l := range []*qipu.Library{p.near, p.far} {
		set, err := l.Records().IDs(t.Context(), "")
		if err != nil {
			t.Fatal(err)
		}
		p.ids[i] = set.ToArray()
		for part := range slices.Chunk(p.ids[i], 4096) {
			games, err := l.Records().Games(t.Context(), part)
			if err != nil {
				t.Fatal(err)
			}
			for _, g := range games {
				places[i] = append(places[i], g.Source)
			}
		}
	}
	if !slices.Equal(places[0], places[1]) {
		t.Fatalf("%d games in the folder and %d on the servers, and they are not the same", len(places[0]), len(places[1]))
	}
	var half, third [2][]uint32
	for n, id := range p.ids[1] {
		p.same[id] = p.ids[0][n]
		for i := range p.ids {
			if n%2 == 0 {
				half[i] = append(half[i], p.ids[i][n])
			}
			if n%3 == 0 {
				third[i] = append(third[i], p.ids[i][n])
			}
		}
	}
	for i, l := range []*qipu.Library{p.near, p.far} {
		c, err := l.Records().EnsureCollection(t.Context(), "half")
		if err == nil {
			err = l.Records().Edit(t.Context(), func(tx store.Tx) error {
				if err := tx.Collect(c, half[i]); err != nil {
					return err
				}
				return tx.Tag("third", third[i])
			})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// compare asks both, and returns how many games were found and whether the answers
// are equal.
func (p *pair) compare(t *testing.T, q inquiry) (games int, equal bool) {
	t.Helper()
	var texts [2]string
	var found [2]int
	for i, l := range []*qipu.Library{p.near, p.far} {
		w := &transcript{ids: p.ids[i]}
		if i == 1 {
			w.same = p.same
		}
		var err error
		if found[i], err = q.ask(t.Context(), l, w); err != nil {
			fmt.Fprintf(w, "error: %v\n", err)
		}
		texts[i] = w.String()
	}
	if texts[0] != texts[1] {
		x, y := strings.Split(texts[0], "\n"), strings.Split(texts[1], "\n")
		n := 0
		for n < len(x)-1 && n < len(y)-1 && x[n] == y[n] {
			n++
		}
		t.Errorf("%s: line %d of %d and %d differs:\nfolder:  %s\nservers: %s", q.text, n+1, len(x), len(y), x[n], y[n])
	}
	return found[0], texts[0] == texts[1]
}

// transcript is all that an answer says. Games are written by their numbers in
// the folder.
type transcript struct {
	strings.Builder
	ids  []uint32          // of all games of the library that is asked
	same map[uint32]uint32 // nil for those of the folder
}

func (w *transcript) number(id uint32) uint32 {
	if w.same == nil {
		return id
	}
	return w.same[id]
}

func (w *transcript) line(format string, args ...any) { fmt.Fprintf(w, format+"\n", args...) }

func scoreText(s *retrieve.Score) string {
	return fmt.Sprintf("%d: %d %d %d, %s to %s, rated %d", s.Count, s.First, s.Second, s.Draws, s.Since(), s.Until(), s.Rating())
}

func (w *transcript) groups(by string, list []retrieve.Group) {
	for i := range list {
		w.line("by %s %q %s, %d hits", by, list[i].Key, scoreText(&list[i].Score), list[i].Hits)
	}
}

func (w *transcript) tree(n *retrieve.Node, depth int) {
	if n != nil {
		w.line("tree %d: %v %d %s", depth, n.Move, n.Side, scoreText(&n.Score))
		for _, c := range n.Children {
			w.tree(c, depth+1)
		}
	}
}

func (w *transcript) answer(a *retrieve.Answer) {
	w.line("%d games, %d hits, %s; as they were %s; elsewhere %d, ended %d, partial %t", a.Games, a.Hits, scoreText(&a.Score), scoreText(&a.Colours), a.Elsewhere, a.Ended, a.Partial)
	if a.Whose != nil {
		w.line("whose %s %s", a.Named, scoreText(a.Whose))
	}
	w.groups("group", a.Groups)
	w.tree(a.Tree, 0)
	for i := range a.Continuations {
		c := &a.Continuations[i]
		w.line("next %v by %d: %s, %d games, %d direct, %d reached", c.Move, c.Side, scoreText(&c.Score), c.Games, c.Direct, c.Reached)
	}
	for i := range a.Rows {
		r := &a.Rows[i]
		w.line("row %d ply %d, %d times, %t, day %d, %d %d %d; like %.9f %d %d %v; %v", w.number(r.Game), r.Ply, r.Occurrences, r.Variation, r.Day, r.Rating, r.Rank, r.Result,
			r.Likeness, r.Others, r.Plies, r.Differences, r.All)
	}
	w.line("more: %t", a.Next != "")
}

func (w *transcript) found(set *roaring.Bitmap) {
	list := make([]uint32, 0, set.GetCardinality())
	for it := set.Iterator(); it.HasNext(); {
		list = append(list, w.number(it.Next()))
	}
	slices.Sort(list)
	w.line("found %v", list)
}

// pages is how many pages of an answer are asked for.
const pages = 2

// inquiry is a question to a library, which writes down the whole answer and
// returns how many games it found.
type inquiry struct {
	text string
	ask  func(ctx context.Context, l *qipu.Library, w *transcript) (int, error)
}

// inquirer makes questions about one kind of game, with boards and headers of
// games that are there.
type inquirer struct {
	asker
	spec string

	// few tells that questions in time are asked of one game in a hundred: of all
	// of many games some take minutes, in either library.
	few bool
}

// inquiries are all kinds of questions.
var inquiries = []func(*inquirer) inquiry{
	(*inquirer).corner, (*inquirer).side, (*inquirer).floating, (*inquirer).fixed, (*inquirer).anyOf, (*inquirer).whole,
	(*inquirer).explored, (*inquirer).exploredWithin, (*inquirer).moments, (*inquirer).followed, (*inquirer).alike,
	(*inquirer).person, (*inquirer).header, (*inquirer).number, (*inquirer).remark, (*inquirer).result, (*inquirer).named, (*inquirer).kept,
	(*inquirer).joined, (*inquirer).lines, (*inquirer).faceted, (*inquirer).grouped, (*inquirer).paged, (*inquirer).deep,
	(*inquirer).names, (*inquirer).register, (*inquirer).trend, (*inquirer).records, (*inquirer).tally,
}

// inquiry returns question number i.
func (q *inquirer) inquiry(i int) inquiry {
	// Lines beside the main ones count in one round of three.
	q.variations = i/len(inquiries)%3 == 1
	return inquiries[i%len(inquiries)](q)
}

// question is an inquiry by Library.Ask, of all pages up to a few.
func (q *inquirer) question(asked ask.Question) inquiry {
	asked.Game = q.spec
	asked.Variations = asked.Variations || q.variations
	if asked.Limit == 0 {
		asked.Limit = 7
	}
	text := asked.Text
	if asked.Tree != nil {
		text = asked.Tree.String()
	}
	return inquiry{fmt.Sprintf("%s: %s (variations %t, by %v, order %v, reverse %t)", q.spec, text, asked.Variations, asked.By, asked.Order, asked.Reverse),
		func(ctx context.Context, l *qipu.Library, w *transcript) (games int, err error) {
			asked := asked
			for range pages {
				reply, err := l.Ask(ctx, &asked)
				if err != nil {
					return 0, err
				}
				games = reply.Games
				w.answer(reply.Answer)
				w.found(reply.Found)
				w.line("name %q, fuzzy %q", reply.Name, reply.Fuzzy)
				if asked.Cursor = reply.Next; asked.Cursor == "" {
					break
				}
			}
			return games, nil
		}}
}

func (q *inquirer) words(format string, args ...any) inquiry {
	return q.question(ask.Question{Text: fmt.Sprintf(format, args...)})
}

// region returns a part of a position of some game that touches as many edges of
// the board as asked, with some pieces in it if it can be had.
func (q *inquirer) region(edges int) (p *pattern.Pattern) {
	size := q.board.Size
	for range 20 {
		l := pickOf(q.rng, q.someGame().lines)
		planes := q.planes(l, q.rng.IntN(len(l.boards)))
		w, h := 3+q.rng.IntN(min(size.W-2, 5)), 3+q.rng.IntN(min(size.H-2, 5))
		x, y := q.rng.IntN(size.W-w+1), q.rng.IntN(size.H-h+1)
		if edges > 0 {
			y = q.rng.IntN(2) * (size.H - h)
		}
		if edges > 1 {
			x = q.rng.IntN(2) * (size.W - w)
		}
		if p = pattern.Region(planes, x, y, w, h); pieces(p) >= 2 {
			break
		}
	}
	p.Mirror, p.Swap = q.rng.IntN(4) > 0, q.rng.IntN(4) > 0
	if edges == 0 {
		p.Anchor, p.Edges = pattern.Floating, 0
		if q.rng.IntN(3) == 0 {
			p.Anchor = pattern.Centre
		}
	}
	if q.rng.IntN(6) == 0 {
		p.From, p.To = 5, 5+q.rng.IntN(60)
	}
	return p
}

// pieces counts the cells of a pattern that must be occupied. One without any
// stands in nearly every game, at all times and in all places: that takes long
// and tells little.
func pieces(p *pattern.Pattern) (n int) {
	for _, c := range p.Cells {
		if c&pattern.Empty == 0 {
			n++
		}
	}
	return n
}

// placed returns a part of a position where it lies.
func (q *inquirer) placed(g *told) (p *pattern.Pattern) {
	for range 20 {
		if p, _ = q.cut(g); pieces(p) > 0 {
			break
		}
	}
	p.Mirror, p.Swap = q.rng.IntN(2) == 0, q.rng.IntN(2) == 0
	return p
}

// opened returns a region with some of its cells open.
func (q *inquirer) opened() *pattern.Pattern {
	p := q.region(q.rng.IntN(3))
	for i := range p.Cells {
		switch q.rng.IntN(8) {
		case 0:
			p.Cells[i] = pattern.AnyOn(q.board.Kinds)
		case 1:
			p.Cells[i] |= pattern.Of(board.Piece(q.rng.IntN(q.board.Kinds + 1)))
		}
	}
	return p
}

// diagram is such a region as text.
func (q *inquirer) diagram() string { return q.tree(q.opened()).String() }

func (q *inquirer) someGame() *told { return pickOf(q.rng, q.games) }

func (q *inquirer) planes(l *toldLine, t int) *board.Planes {
	planes := board.NewPlanes(q.board.Size, q.board.Kinds)
	for i, on := range l.boards[t] {
		if on != board.Empty {
			planes.Of[on-1].Add(q.board.Size.Point(i))
		}
	}
	return planes
}

func (q *inquirer) tree(p *pattern.Pattern) query.Q {
	return &query.Shape{Pattern: p, Geometry: q.rules.Geometry()}
}

func (q *inquirer) corner() inquiry { return q.question(ask.Question{Tree: q.tree(q.region(2))}) }
func (q *inquirer) side() inquiry   { return q.question(ask.Question{Tree: q.tree(q.region(1))}) }

func (q *inquirer) floating() inquiry {
	return q.question(ask.Question{Tree: q.tree(q.region(0))})
}

func (q *inquirer) fixed() inquiry {
	return q.question(ask.Question{Tree: q.tree(q.placed(q.someGame()))})
}

// anyOf asks for one of two regions.
func (q *inquirer) anyOf() inquiry {
	return q.question(ask.Question{Tree: query.Or{q.tree(q.opened()), q.tree(q.opened())}})
}

func (q *inquirer) whole() inquiry {
	l := pickOf(q.rng, q.someGame().lines)
	p := pattern.FromBoard(q.planes(l, q.rng.IntN(min(len(l.boards), 60))))
	p.Mirror, p.Swap = q.rng.IntN(4) > 0, q.rng.IntN(4) > 0
	return q.question(ask.Question{Tree: q.tree(p), Request: retrieve.Request{All: true, Order: q.order(), By: q.dimension()}})
}

func (q *inquirer) explored() inquiry { return q.explore(nil, "") }

func (q *inquirer) exploredWithin() inquiry {
	text := q.fact()
	within, err := query.Parse(text)
	if err != nil {
		return q.explore(nil, "")
	}
	return q.explore(within, text)
}

// explore asks for a position of a game: mostly an early one, which others have.
func (q *inquirer) explore(within query.Q, text string) inquiry {
	moves := q.opening(q.rng.IntN(1 + q.rng.IntN(40)))
	r := retrieve.ExploreRequest{
		Within: within, Variations: q.variations, Mirror: q.rng.IntN(4) > 0, Swap: q.rng.IntN(4) > 0, AnyTurn: q.rng.IntN(3) == 0,
		Limit: 5, Order: q.order(), Reverse: q.rng.IntN(3) == 0,
	}
	return inquiry{fmt.Sprintf("%s: explore %d moves within %q", q.spec, len(moves), text), func(ctx context.Context, l *qipu.Library, w *transcript) (games int, err error) {
		r := r
		if r.Kind, err = l.Records().Kind(q.spec); err != nil {
			return 0, err
		}
		for range pages {
			r.Position = q.rules.Start()
			for _, m := range moves {
				if err := r.Position.Play(m); err != nil {
					return 0, err
				}
			}
			a, err := l.Search().Explore(ctx, &r)
			if err != nil {
				return 0, err
			}
			games = a.Games
			w.answer(a)
			if r.Cursor = a.Next; r.Cursor == "" {
				break
			}
		}
		return games, nil
	}}
}

// opening returns the first moves of a game, as many as are moves.
func (q *inquirer) opening(n int) (moves []game.Move) {
	pos := q.rules.Start()
	l := q.someGame().lines[0]
	for _, m := range l.moves[1:min(n+1, len(l.moves))] {
		if m == game.NoMove || pos.Play(m) != nil {
			break
		}
		moves = append(moves, m)
	}
	return moves
}

func (q *inquirer) moments() inquiry {
	text := q.time(1 + q.rng.IntN(2)).text
	if q.few {
		plies := q.someGame().plies
		text = fmt.Sprintf("(%s) and moves:%d..%d", text, plies, plies+1)
	}
	return q.words("%s", text)
}

// followed asks for one board and then another of the same game.
func (q *inquirer) followed() inquiry {
	g := q.someGame()
	return q.words("(%s) then (%s) within %d plies", q.tree(q.placed(g)), q.tree(q.placed(g)), 5+q.rng.IntN(80))
}

func (q *inquirer) alike() inquiry {
	return q.question(ask.Question{Text: q.fuzzy().text, Request: retrieve.Request{Order: retrieve.ByLikeness}})
}

// fact returns a condition on the headers of a game that is there.
func (q *inquirer) fact() string {
	switch q.rng.IntN(4) {
	case 0:
		return q.text1("player", q.someGame().game.Facts.Players[q.rng.IntN(2)].Name)
	case 1:
		return q.header1()
	case 2:
		return q.result1()
	}
	return q.number1()
}

// text1 asks for a part of a text or for all of it; where there is none, for no
// such text.
func (q *inquirer) text1(field, text string) string {
	runes := []rune(text)
	if n := len(runes); n > 2 && q.rng.IntN(3) > 0 {
		from := q.rng.IntN(n - 1)
		text = string(runes[from : from+2+q.rng.IntN(n-from-1)])
	}
	text = strings.TrimSpace(text)
	if text == "" {
		return fmt.Sprintf("not %s:a", field)
	}
	op := ":"
	if q.rng.IntN(5) == 0 {
		op = "="
	}
	return field + op + strconv.Quote(text)
}

func (q *inquirer) person() inquiry {
	f := &q.someGame().game.Facts
	side := q.rng.IntN(2)
	text := q.text1(pickOf(q.rng, []string{"player", "player", []string{"first", "second"}[side]}), f.Players[side].Name)
	switch q.rng.IntN(4) {
	case 0:
		if f.Players[side].Name != "" {
			text += " result:win"
		}
	case 1:
		text += " " + q.text1("player", f.Players[1-side].Name)
	}
	return q.words("%s", text)
}

func (q *inquirer) header() inquiry { return q.words("%s", q.header1()) }

func (q *inquirer) header1() string {
	g := q.someGame().game
	f := &g.Facts
	field := pickOf(q.rng, []string{"event", "event", "round", "place", "team", "opening", "code", "ruleset", "how", "source", "author", "format", "file", "text"})
	return q.text1(field, map[string]string{
		"event": f.Event, "round": f.Round, "place": f.Place, "team": f.Players[0].Team, "opening": f.Opening, "code": f.Code, "ruleset": f.Ruleset,
		"how": f.Result.How, "source": f.Source, "author": f.Author, "format": g.Format, "file": g.Place.File, "text": f.Event,
	}[field])
}

func (q *inquirer) number() inquiry { return q.words("%s", q.number1()) }

func (q *inquirer) number1() string {
	g := q.someGame()
	f := &g.game.Facts
	side := q.rng.IntN(2)
	switch q.rng.IntN(7) {
	case 0, 1:
		if f.Date.Known() {
			return fmt.Sprintf("date:%d..%d", f.Date.From.Year, f.Date.To.Year+q.rng.IntN(4))
		}
		return "not date:1..3000"
	case 2:
		if r := f.Players[side].Rating; r > 0 {
			return fmt.Sprintf("rating%s:%d..%d", []string{"", ".first", ".second", ".any"}[q.rng.IntN(4)], r-q.rng.IntN(300), r+q.rng.IntN(300))
		}
		return "not rating:1.."
	case 3:
		if r := f.Players[side].Rank; r.Grade > 0 {
			return fmt.Sprintf("rank%s>=%d%c", []string{"", ".any"}[q.rng.IntN(2)], r.Grade, r.Scale)
		}
	case 4:
		if f.Komi.Known {
			return "komi:" + strconv.FormatFloat(float64(f.Komi.Half)/2, 'f', -1, 64)
		}
		return "not komi:..100"
	case 5:
		return fmt.Sprintf("(handicap:%d or margin:%v..%v)", f.Handicap, f.Result.Margin, f.Result.Margin+float64(q.rng.IntN(9)))
	}
	return fmt.Sprintf("moves:%d..%d", g.plies-q.rng.IntN(5), g.plies+q.rng.IntN(5))
}

func (q *inquirer) remark() inquiry {
	text := "good"
	for range 30 {
		if words := strings.Fields(q.someGame().comment); len(words) > 0 {
			text = pickOf(q.rng, words)
			break
		}
	}
	return q.words("comment:%q or text:%q", text, text)
}

func (q *inquirer) result() inquiry { return q.words("%s", q.result1()) }

func (q *inquirer) result1() string {
	text := "result:" + pickOf(q.rng, []string{"first", "second", "draw", "none", "unknown", "known"})
	if how := q.someGame().game.Facts.Result.How; how != "" && q.rng.IntN(2) == 0 {
		text += fmt.Sprintf(" how:%q", how)
	}
	return text
}

// named asks for what has a name on boards.
func (q *inquirer) named() inquiry {
	list := map[string][]string{
		"weiqi":   {"ponnuki", "hane", "empty triangle", "cut-diagonal", "雙", "tiger's mouth", "bamboo joint"},
		"xiangqi": {"窩心馬", "沉底炮", "中炮", "屏風馬", "空頭炮"}, "othello": {"Tiger", "Cow", "Rose"}, "renju": {"花月", "浦月", "寒星"},
	}[q.rules.Info().Name]
	return q.words("named:%q", pickOf(q.rng, append(list, "no such name")))
}

func (q *inquirer) kept() inquiry {
	return q.words("%s %s", pickOf(q.rng, []string{"collection:half", "tag:third", "not tag:third", "(collection:half or tag:third)"}), q.fact())
}

// joined combines conditions of all sorts.
func (q *inquirer) joined() inquiry {
	parts := []string{q.fact(), q.diagram(), q.fact()}
	q.rng.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
	return q.words(pickOf(q.rng, []string{"(%s) and not (%s) and (%s)", "(%s) or (%s) and (%s)", "not (%s) or (%s) and not (%s)"}), parts[0], parts[1], parts[2])
}

// lines asks for boards beside the main line.
func (q *inquirer) lines() inquiry {
	g := q.someGame()
	for range 30 {
		if len(g.lines) > 1 {
			break
		}
		g = q.someGame()
	}
	l := g.lines[len(g.lines)-1]
	p := pattern.FromBoard(q.planes(l, l.from+q.rng.IntN(len(l.boards)-l.from)))
	if q.rng.IntN(2) == 0 {
		p = q.placed(g)
	}
	p.Mirror, p.Swap = true, true
	return q.question(ask.Question{Tree: q.tree(p), Request: retrieve.Request{Variations: true, All: true, Order: q.order()}})
}

func (q *inquirer) order() retrieve.Order {
	return pickOf(q.rng, []retrieve.Order{retrieve.ByStore, retrieve.ByOccurrences, retrieve.ByDate, retrieve.ByRating})
}

func (q *inquirer) dimension() retrieve.Dimension {
	return retrieve.Dimension(q.rng.IntN(int(retrieve.ByTag) + 1))
}

func (q *inquirer) faceted() inquiry {
	asked := ask.Question{Text: q.fact(), Game: q.spec, Request: retrieve.Request{Limit: 3, NoContinuations: true}}
	if q.rng.IntN(3) == 0 {
		asked.Text = q.diagram()
	}
	return inquiry{q.spec + ": facets of " + asked.Text, func(ctx context.Context, l *qipu.Library, w *transcript) (int, error) {
		asked := asked
		by := []retrieve.Dimension{}
		for d := retrieve.ByYear; d <= retrieve.ByTag; d++ {
			by = append(by, d)
		}
		reply, groups, err := l.Search().Facets(ctx, &asked, by...)
		if err != nil {
			return 0, err
		}
		w.answer(reply.Answer)
		for i, list := range groups {
			w.groups(by[i].String(), list)
		}
		return reply.Games, nil
	}}
}

func (q *inquirer) grouped() inquiry {
	text := q.fact()
	if q.rng.IntN(2) == 0 {
		text = q.diagram()
	}
	return q.question(ask.Question{Text: text, Request: retrieve.Request{By: q.dimension()}})
}

// paged follows the pages of an order.
func (q *inquirer) paged() inquiry {
	text := "all"
	if q.rng.IntN(2) == 0 {
		text = q.diagram()
	}
	return q.question(ask.Question{Text: text, Request: retrieve.Request{Order: q.order(), Reverse: q.rng.IntN(2) == 0, Limit: 1 + q.rng.IntN(30)}})
}

// deep asks for a tree of moves.
func (q *inquirer) deep() inquiry {
	l := q.someGame().lines[0]
	p := pattern.FromBoard(q.planes(l, q.rng.IntN(min(len(l.boards), 6))))
	if q.rng.IntN(2) == 0 {
		p = q.region(2)
	}
	p.Mirror, p.Swap = true, true
	return q.question(ask.Question{Tree: q.tree(p), Request: retrieve.Request{Depth: 1 + q.rng.IntN(4)}})
}

// names completes what somebody has begun to write.
func (q *inquirer) names() inquiry {
	f := &q.someGame().game.Facts
	field := pickOf(q.rng, []string{"player", "event", "first", "place", "collection", "opening", "file"})
	runes := []rune(map[string]string{"player": f.Players[0].Name, "event": f.Event, "first": f.Players[0].Name, "place": f.Place, "collection": "half", "opening": f.Opening}[field])
	prefix := string(runes[:q.rng.IntN(len(runes)+1)])
	return inquiry{fmt.Sprintf("names of %s that begin with %q", field, prefix), func(ctx context.Context, l *qipu.Library, w *transcript) (int, error) {
		list := l.Search().Completer(ctx).Names(field, prefix, 40)
		w.line("%q", list)
		return len(list), nil
	}}
}

// register lists all players, and one in full.
func (q *inquirer) register() inquiry {
	name := q.someGame().game.Facts.Players[q.rng.IntN(2)].Name
	return inquiry{fmt.Sprintf("%s: players, and %q", q.spec, name), func(ctx context.Context, l *qipu.Library, w *transcript) (int, error) {
		r, err := l.Players().Register(ctx, q.spec)
		if err != nil {
			return 0, err
		}
		for _, p := range r.All() {
			w.line("%s %s %v %d %v %s", p.Key, p.Name, p.Spellings, p.Games, p.Sides, scoreText(&p.Score))
		}
		if p := r.Person(name); p != nil {
			portrait, err := l.Search().Portrait(ctx, r, p, q.spec)
			if err != nil {
				return 0, err
			}
			w.line("%d games, %s", portrait.Games, scoreText(&portrait.Score))
			w.groups("rival", portrait.Rivals)
			w.groups("year", portrait.Years)
			w.groups("opening", portrait.Openings)
		}
		return len(r.All()), nil
	}}
}

func (q *inquirer) trend() inquiry {
	asked := ask.Question{Text: q.fact() + " " + q.diagram(), Game: q.spec}
	return inquiry{q.spec + ": trend of " + asked.Text, func(ctx context.Context, l *qipu.Library, w *transcript) (int, error) {
		asked := asked
		trend, reply, err := l.Search().Trend(ctx, &asked)
		if err != nil {
			return 0, err
		}
		w.answer(reply.Answer)
		w.line("%+v", *trend)
		return reply.Games, nil
	}}
}

// records reads some games in full.
func (q *inquirer) records() inquiry {
	picks := []float64{q.rng.Float64(), q.rng.Float64(), q.rng.Float64(), 1 - 1e-9}
	return inquiry{fmt.Sprintf("records at %v", picks), func(ctx context.Context, l *qipu.Library, w *transcript) (int, error) {
		for _, at := range picks {
			id := w.ids[int(at*float64(len(w.ids)))]
			g, info, err := l.Record(ctx, id)
			if err != nil {
				return 0, err
			}
			w.line("%d: %s %x %x %d %+v %s %s %t %+v", w.number(id), info.Kind, info.Key, info.Head, info.Plies, info.Facts, info.Format, info.Encoding, info.Marked, info.Source)
			w.line("%q %d nodes, %q", g.Raw, len(g.Nodes), record.AppendGame(nil, g))
			sources, err := l.Records().Sources(ctx, id)
			if err != nil {
				return 0, err
			}
			w.line("sources %+v", sources)
			links, err := l.Records().Links(ctx, id)
			if err != nil {
				return 0, err
			}
			for _, x := range links {
				w.line("link %d %s", w.number(x.Game), x.Why)
			}
		}
		return len(picks), nil
	}}
}

func (q *inquirer) tally() inquiry {
	return inquiry{"tally", func(ctx context.Context, l *qipu.Library, w *transcript) (games int, err error) {
		list, err := l.Records().Tally(ctx)
		if err != nil {
			return 0, err
		}
		slices.SortFunc(list, func(x, y index.Tally) int { return strings.Compare(x.Kind.Name, y.Kind.Name) })
		for _, t := range list {
			w.line("%s %d %d %d", t.Kind.Name, t.Games, t.Variations, t.Plies)
			games += t.Games
		}
		counts, err := l.Records().Counts(ctx)
		w.line("%v %d %d", counts.Games, counts.Sources, counts.Links)
		return games, err
	}}
}
