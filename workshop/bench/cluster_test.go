package bench_test

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"qipu"
	"qipu/builtin"
	"qipu/game"
	"qipu/index"
	"qipu/internal/clickhouse"
	"qipu/internal/testkit"
	"qipu/library"
	"qipu/library/ask"
	"qipu/pattern"
	"qipu/query"
	"qipu/record"
	"qipu/retrieve"
	"qipu/store/cluster"
	"qipu/store/cluster/ledger"
	"qipu/store/cluster/wire"
)

const scaleFile = "../../docs/scale.md"

// scaleSections are the parts of the report on libraries on servers.
var scaleSections = []string{
	"scale machine", "scale goals", "scale import", "scale equal", "scale positions", "scale queries", "scale words", "scale death", "scale tables", "scale growth",
}

// scaleArchives are all real games of Go on 19x19.
var scaleArchives = []string{"go/go-pro-6300.tar.gz", "go/go-pro-more.tar.gz", "go/go-ai.tar.gz", "go/go-kgs6d.tar.gz", "go/go-tom9d.tar.gz", "go/go-tygem9d.tar.gz"}

// scaleReport is what a run says in its own document.
type scaleReport struct{ report }

func (r *scaleReport) section(t *testing.T, name, text string) {
	t.Helper()
	testkit.Section(t, scaleFile, name, text)
}

// scale is what the parts of a run share.
type scale struct {
	scaleReport
	pair
	fleet  *clickhouse.Fleet
	dir    string        // of the folder
	url    string        // of the servers
	boards [][]game.Move // positions of real games: the moves that lead there
}

// TestScale measures a library on two servers on this machine against one in a
// folder. It runs under QIPU_BENCH=1; -rewrite puts the figures into
// docs/scale.md. Its parts can be run alone; the table of goals needs all but growth.
func TestScale(t *testing.T) {
	if os.Getenv("QIPU_BENCH") == "" {
		t.Skip("measures for minutes: QIPU_BENCH=1 runs it")
	}
	for _, name := range scaleArchives {
		testkit.Data(t, name)
	}
	// As the program does.
	defer debug.SetGCPercent(debug.SetGCPercent(400))
	s := &scale{fleet: clickhouse.Start(t, clickhouse.Options{Shards: 2})}
	s.section(t, "scale machine", thisMachine())
	s.measureImport(t)
	s.match(t)
	s.draw(t)
	parts := []struct {
		name string
		run  func(*testing.T)
	}{
		{"equal", s.measureEqual},
		{"positions", s.measurePositions},
		{"queries", s.measureQueries},
		{"words", s.measureWords},
		{"tables", s.measureTables},
		{"death", s.measureDeath},
		{"growth", s.measureGrowth},
	}
	ran := map[string]bool{}
	for _, p := range parts {
		t.Run(p.name, func(t *testing.T) {
			ran[p.name] = true
			p.run(t)
		})
		if p.name == "death" && len(ran) == len(parts)-1 { // growth has no goals
			s.section(t, "scale goals", s.goals())
		}
	}
}

// importTook is what one import took.
type importTook struct {
	games, kept     int
	wall            time.Duration
	client, servers time.Duration // processor time
}

func (i *importTook) rate() float64 { return float64(i.games) / i.wall.Seconds() }

// importAll imports all real games. A library on servers has brought them there,
// the last few too.
func importAll(t *testing.T, l *qipu.Library) (took importTook) {
	t.Helper()
	var paths []string
	for _, name := range scaleArchives {
		paths = append(paths, testkit.Data(t, name))
	}
	began, cpu, far := time.Now(), testkit.CPU(), serverTime()
	report, err := l.Import(t.Context(), library.ImportOptions{}, paths...)
	if err != nil {
		t.Fatal(err)
	}
	if s, ok := l.Records().Keeper().(interface{ Ship(context.Context) error }); ok {
		if err := s.Ship(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	return importTook{games: report.Games, kept: report.New + report.Twins, wall: time.Since(began), client: testkit.CPU() - cpu, servers: serverTime() - far}
}

// serverTime returns the processor time that the servers of this process have
// used; 0 where the system does not tell.
func serverTime() (sum time.Duration) {
	const tick = 10 * time.Millisecond
	list, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, file := range list {
		data, err := os.ReadFile(file)
		if err != nil {
			continue // it has ended
		}
		// Behind the name, which is in parentheses: state, parent and so on; the
		// times are the 12th and 13th.
		name, rest, _ := strings.Cut(string(data), ") ")
		f := strings.Fields(rest)
		if !strings.Contains(name, "(clickhouse") || len(f) < 13 || f[1] != strconv.Itoa(os.Getpid()) {
			continue
		}
		for _, text := range f[11:13] {
			n, _ := strconv.Atoi(text)
			sum += time.Duration(n) * tick
		}
	}
	return sum
}

// measureImport imports everything into a folder and onto the servers by turns,
// and keeps the last library of each.
func (s *scale) measureImport(t *testing.T) {
	const times = 3
	var took [2][]importTook
	for i := range times {
		last := i == times-1
		for far := range 2 {
			var l *qipu.Library
			if far == 0 {
				l = openNew(t)
				s.dir, s.near = l.Records().Dir(), l
			} else {
				l = s.fresh(t)
				s.far = l
			}
			took[far] = append(took[far], importAll(t, l))
			if last {
				continue
			}
			if err := l.Close(); err != nil {
				t.Fatal(err)
			}
			if far == 1 {
				s.drop(t)
			}
		}
	}
	out := newTable("library", "records", "kept", "games/s", "best", "seconds", "client CPU s", "servers CPU s")
	var rates [2]float64
	for far, name := range []string{"in a folder", "on two servers"} {
		list := took[far]
		slices.SortFunc(list, func(x, y importTook) int { return int(x.wall - y.wall) })
		m := &list[len(list)/2]
		rates[far] = m.rate()
		servers := ""
		if far == 1 {
			servers = number(m.servers.Seconds())
		}
		out.row(name, count(m.games), count(m.kept), number(m.rate()), number(list[0].rate()), number(m.wall.Seconds()), number(m.client.Seconds()), servers)
	}
	s.bar(t, bar{name: "import onto servers, share of the rate into a folder", got: 100 * rates[1] / rates[0], must: 50, unit: "%", more: true})
	s.section(t, "scale import", out.String())
}

// fresh makes another library on the same servers.
func (s *scale) fresh(t *testing.T) *qipu.Library {
	t.Helper()
	s.url = s.fleet.URLOf(clickhouse.Fresh(), s.fleet.Nodes()...)
	cfg := s.config(t)
	if _, err := ledger.Init(t.Context(), cfg, ledger.InitOptions{}); err != nil {
		t.Fatal(err)
	}
	return openDesk(t, s.url)
}

func (s *scale) config(t *testing.T) *wire.Config {
	t.Helper()
	cfg, err := wire.Parse(s.url)
	if err != nil {
		t.Fatal(err)
	}
	return cfg
}

// reopen opens the library on the servers again, with an empty desk: nothing of it
// is kept in memory then.
func (s *scale) reopen(t *testing.T) {
	t.Helper()
	s.far.Close() // another part may have done so
	s.far = openDesk(t, s.url)
}

// drop removes the library that fresh has made last.
func (s *scale) drop(t *testing.T) {
	t.Helper()
	for _, n := range s.fleet.Nodes() {
		n.Exec(t, "DROP DATABASE "+s.config(t).Database)
	}
}

// draw draws positions of games by chance: one of plies 4 to 40 of each.
func (s *scale) draw(t *testing.T) {
	t.Helper()
	for _, g := range s.sample(t, testkit.Scale(400, 1000)) {
		l := g.lines[0]
		var moves []game.Move
		for _, m := range l.moves[1:] {
			if m == game.NoMove || len(moves) == 40 {
				break
			}
			moves = append(moves, m)
		}
		if len(moves) == 40 && g.game.Facts.Handicap < 2 {
			s.boards = append(s.boards, moves[:4+len(s.boards)%37])
		}
	}
	if len(s.boards) < 100 {
		t.Fatalf("only %d games have an opening", len(s.boards))
	}
}

// sample returns some games of the folder by chance, position by position.
func (s *scale) sample(t *testing.T, n int) (list []*told) {
	t.Helper()
	rng := rand.New(rand.NewPCG(90, 10))
	ids := make([]uint32, n)
	for i := range ids {
		ids[i] = pickOf(rng, s.ids[0])
	}
	slices.Sort(ids)
	referee := record.NewReferee(builtin.Games())
	referee.Trace = true
	for text, err := range s.near.Records().Texts(t.Context(), slices.Compact(ids)) {
		if err != nil {
			t.Fatal(err)
		}
		g, err := record.DecodeGame(text.Record)
		if err != nil {
			t.Fatal(err)
		}
		if p := referee.Play(g); p.Legal() && len(p.Steps) > 40 {
			list = append(list, tell(p, text.ID))
		}
	}
	rng.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	return list
}

// measureEqual asks both libraries random questions of every kind.
func (s *scale) measureEqual(t *testing.T) {
	games := s.sample(t, 400)
	q := &inquirer{spec: "weiqi", few: true, asker: asker{rng: rand.New(rand.NewPCG(1000, 9)), games: games, rules: games[0].rules, board: pattern.BoardOf(games[0].rules)}}
	rounds := testkit.Scale(35, 150)
	n, same, some := 0, 0, 0
	began := time.Now()
	limit, err := time.ParseDuration(cmp.Or(os.Getenv("QIPU_BENCH_LIMIT"), "10h"))
	if err != nil {
		t.Fatal(err)
	}
	for i := range rounds * len(inquiries) {
		if time.Since(began) > limit {
			break
		}
		if i%(5*len(inquiries)) == 0 {
			t.Logf("%d questions, %d alike, %v", n, same, time.Since(began).Round(time.Second)) // all of them take minutes
		}
		found, equal := s.compare(t, q.inquiry(i))
		n++
		if equal {
			same++
		}
		if found > 0 {
			some++
		}
	}
	s.bar(t, bar{name: "random questions that both answer alike", got: 100 * float64(same) / float64(n), must: 100, unit: "%", more: true})
	s.bar(t, bar{name: "of them", got: float64(n), must: 1000, unit: "questions", more: true})
	s.section(t, "scale equal", fmt.Sprintf("%s questions of %d kinds over %s games: %s answers are the same in all that they say, %s are not. %s of the questions found something.",
		count(n), len(inquiries), count(len(s.ids[0])), count(same), count(n-same), count(some)))
}

// times measures calls one by one and returns how long each took.
func times(n int, call func(i int)) (list []time.Duration) {
	for i := range n {
		began := time.Now()
		call(i)
		list = append(list, time.Since(began))
	}
	return list
}

// explore asks what was played behind some moves, in all pictures.
func explore(t *testing.T, l *qipu.Library, moves []game.Move) *retrieve.Answer {
	t.Helper()
	k := kindOf(t, l, "weiqi")
	r := &retrieve.ExploreRequest{Kind: k, Position: k.Rules.Start(), Mirror: true, Swap: true}
	for _, m := range moves {
		if err := r.Position.Play(m); err != nil {
			t.Fatal(err)
		}
	}
	a, err := l.Search().Explore(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// keys returns the keys of positions.
func (s *scale) keys(t *testing.T, n int) (keys []uint64) {
	t.Helper()
	k := kindOf(t, s.near, "weiqi")
	for i := range n {
		moves := s.boards[i%len(s.boards)]
		moves = moves[:max(len(moves)-i/len(s.boards), 1)] // earlier ones where there are too few
		pos := k.Rules.Start()
		for _, m := range moves {
			if err := pos.Play(m); err != nil {
				t.Fatal(err)
			}
		}
		key, _ := k.Canonical(pos.(game.Planar).Planes())
		keys = append(keys, key)
	}
	return keys
}

// lookUp asks the index alone for positions, and returns how many lines it told.
func lookUp(t *testing.T, l *qipu.Library, keys []uint64) (n int) {
	t.Helper()
	v, err := l.Records().Keeper().(index.Store).View(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	for p, err := range v.Positions(t.Context(), &index.Lookup{Kind: kindOf(t, l, "weiqi"), Keys: keys}) {
		if err != nil {
			t.Fatal(err)
		}
		n += len(p.Rows)
	}
	return n
}

func (s *scale) measurePositions(t *testing.T) {
	s.reopen(t)
	out := newTable("what", "asked", "folder p50 ms", "p95", "servers p50 ms", "p95", "worst")
	row := func(name string, n int, call func(l *qipu.Library, i int)) []time.Duration {
		var list [2][]time.Duration
		for far, l := range []*qipu.Library{s.near, s.far} {
			list[far] = times(n, func(i int) { call(l, i) })
		}
		out.row(name, count(n), ms(median(list[0])), ms(percentile(list[0], 95)), ms(median(list[1])), ms(percentile(list[1], 95)), ms(slices.Max(list[1])))
		return list[1]
	}
	deep := row("a position of plies 4 to 40: games, results, next moves, games that reach each", len(s.boards), func(l *qipu.Library, i int) { explore(t, l, s.boards[i]) })
	row("the same again", len(s.boards), func(l *qipu.Library, i int) { explore(t, l, s.boards[i]) })
	early := row("a position of plies 0 to 3", 60, func(l *qipu.Library, i int) { explore(t, l, s.boards[i][:i%4]) })
	row("the index alone, one position", 300, func(l *qipu.Library, i int) { lookUp(t, l, s.keys(t, i%len(s.boards)+1)[i%len(s.boards):]) })
	for _, n := range []int{100, 1000} {
		keys := s.keys(t, n)
		row(fmt.Sprintf("the index alone, %s positions at once", count(n)), 10, func(l *qipu.Library, _ int) { lookUp(t, l, keys) })
	}
	all := slices.Concat(deep, early)
	s.bar(t, bar{name: "position of plies 0 to 40, p50", got: millis(median(all)), must: 15, unit: "ms"})
	s.bar(t, bar{name: "position of plies 0 to 40, p95", got: millis(percentile(all, 95)), must: 30, unit: "ms"})
	s.section(t, "scale positions", out.String())
}

// wallPage returns how long the first page of a query takes and how long all of
// it, on the clock.
func wallPage(t *testing.T, l *qipu.Library, q *benchQuery) (page, whole time.Duration, a *retrieve.Answer) {
	t.Helper()
	r, err := q.request(l)
	if err != nil {
		t.Fatal(err)
	}
	r.Workers = 0
	began := time.Now()
	r.OnPage = func([]retrieve.Row) { page = time.Since(began) }
	if a, err = l.Search().Find(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	if whole = time.Since(began); page == 0 {
		page = whole // there is less than a page, or it is looked up by its hash
	}
	return page, whole, a
}

// repeated asks a query several times, twice if it is slow, and returns medians:
// not of the first time.
func repeated(t *testing.T, l *qipu.Library, q *benchQuery) (page, whole time.Duration, a *retrieve.Answer) {
	t.Helper()
	_, first, a := wallPage(t, l, q)
	n := samples
	if first > time.Second {
		n = 2
	}
	var pages, wholes []time.Duration
	for range n {
		p, w, _ := wallPage(t, l, q)
		pages, wholes = append(pages, p), append(wholes, w)
	}
	return median(pages), median(wholes), a
}

// cut cuts corners and sides out of real positions by chance.
func (s *scale) cut(t *testing.T, n int) (list []benchQuery) {
	t.Helper()
	rng := rand.New(rand.NewPCG(7, 7))
	k := kindOf(t, s.near, "weiqi")
	for i := range n {
		pos := k.Rules.Start()
		for _, m := range pickOf(rng, s.boards) {
			if err := pos.Play(m); err != nil {
				t.Fatal(err)
			}
		}
		side, size := 6+rng.IntN(4), k.Board.Size
		x, y := rng.IntN(size.W-side+1), rng.IntN(2)*(size.H-side)
		if i%2 == 0 {
			x = rng.IntN(2) * (size.W - side)
		}
		p := pattern.Region(pos.(game.Planar).Planes(), x, y, side, side)
		p.Mirror, p.Swap = true, true
		list = append(list, benchQuery{game: "weiqi", name: fmt.Sprintf("cut %d", i), shape: &query.Shape{Pattern: p, Geometry: k.Rules.Geometry()}})
	}
	return list
}

// A query is selective that finds at most one game in so many, and unselective
// that finds at least one in so many. So many are cut out by chance.
const (
	selective   = 50
	unselective = 5
	cuts        = 60
)

// patterns measures patterns on a library: the queries of Go that have names, and
// cuts. It returns how long the selective ones took and how long the first pages
// of the others did.
func (s *scale) patterns(t *testing.T, l *qipu.Library, row func(q *benchQuery, games int, first, page, whole time.Duration)) (few, pages, wholes []time.Duration) {
	t.Helper()
	list, err := readQueries(builtin.Games(), "weiqi")
	if err != nil {
		t.Fatal(err)
	}
	named := len(list)
	list = append(list, s.cut(t, cuts)...)
	tally, err := l.Records().Tally(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	all := 0
	for _, k := range tally {
		all += k.Games
	}
	for i := range list {
		q := &list[i]
		if q.class == "board" {
			continue // by its hash: as positions are
		}
		var first time.Duration
		if row != nil && i < named && l == s.far {
			s.reopen(t)
			l = s.far
			_, first, _ = wallPage(t, l, q)
		}
		page, whole, a := repeated(t, l, q)
		switch {
		case a.Games*selective <= all:
			few = append(few, whole)
		case a.Games*unselective >= all:
			pages, wholes = append(pages, page), append(wholes, whole)
		}
		if row != nil && i < named {
			row(q, a.Games, first, page, whole)
		}
	}
	return few, pages, wholes
}

func (s *scale) measureQueries(t *testing.T) {
	folder := map[string]time.Duration{}
	s.reopen(t)
	nearFew, _, nearAll := s.patterns(t, s.near, func(q *benchQuery, _ int, _, _, whole time.Duration) { folder[q.name] = whole })
	out := newTable("pattern", "games", "folder ms", "servers, first time", "again", "first page")
	few, pages, wholes := s.patterns(t, s.far, func(q *benchQuery, games int, first, page, whole time.Duration) {
		out.row(q.name, count(games), ms(folder[q.name]), ms(first), ms(whole), ms(page))
	})
	note := fmt.Sprintf("Of the patterns below and of %d that were cut out of positions by chance, %d are selective: at most one game in %d has them. Their median is %s ms on the servers and %s ms in the folder, p95 %s ms and %s ms. "+
		"%d are unselective: at least one game in %d has them. Their median, all games counted, is %s ms and %s ms.",
		cuts, len(few), selective, ms(median(few)), ms(median(nearFew)), ms(percentile(few, 95)), ms(percentile(nearFew, 95)), len(wholes), unselective, ms(median(wholes)), ms(median(nearAll)))
	s.bar(t, bar{name: "selective pattern, p50", got: millis(median(few)), must: 100, unit: "ms"})
	s.bar(t, bar{name: "unselective pattern, first page, worst", got: millis(slices.Max(pages)), must: 300, unit: "ms"})
	s.section(t, "scale queries", note+"\n\n"+out.String())
}

// measureWords measures names, words, groups and what else needs no board.
func (s *scale) measureWords(t *testing.T) {
	s.reopen(t)
	out := newTable("what", "found", "folder p50 ms", "servers, first time", "p50 ms")
	row := func(name string, call func(l *qipu.Library) int) time.Duration {
		found := call(s.near)
		near := times(samples, func(int) { call(s.near) })
		first := times(1, func(int) { call(s.far) })[0]
		far := times(samples, func(int) { call(s.far) })
		out.row(name, count(found), ms(median(near)), ms(first), ms(median(far)))
		return median(far)
	}
	var worst time.Duration
	for _, q := range textQueries {
		if q.corpus == "weiqi" {
			worst = max(worst, row("`"+q.text+"`", func(l *qipu.Library) int { return asked(t, l, q.corpus, q.text).Games }))
		}
	}
	s.bar(t, bar{name: "names and words, worst", got: millis(worst), must: 300, unit: "ms"})
	by := []retrieve.Dimension{retrieve.ByYear, retrieve.ByPlayer, retrieve.ByEvent, retrieve.ByResult, retrieve.ByLength}
	for _, text := range []string{"event:Honinbo", "all"} {
		row("`"+text+"` by year, player, event, result, length", func(l *qipu.Library) int {
			reply, _, err := l.Search().Facets(t.Context(), &ask.Question{Text: text, Game: "weiqi"}, by...)
			if err != nil {
				t.Fatal(err)
			}
			return reply.Games
		})
	}
	row("all games by date, one page", func(l *qipu.Library) int {
		reply, err := l.Ask(t.Context(), &ask.Question{Text: "all", Game: "weiqi", Request: retrieve.Request{Order: retrieve.ByDate}})
		if err != nil {
			t.Fatal(err)
		}
		return reply.Games
	})
	row("players that begin with `a`, as one types", func(l *qipu.Library) int { return len(l.Search().Completer(t.Context()).Names("player", "a", 20)) })
	row("one record", func(l *qipu.Library) int {
		ids := s.ids[0]
		if l == s.far {
			ids = s.ids[1]
		}
		if _, _, err := l.Record(t.Context(), ids[len(ids)/2]); err != nil {
			t.Fatal(err)
		}
		return 1
	})
	s.section(t, "scale words", out.String())
}

// tableSize is what a table takes on all shards, one replica of each.
type tableSize struct {
	name        string
	rows, bytes int64
}

// sizes returns what the tables of the library take, as soon as the servers have
// nothing left to merge.
func (s *scale) sizes(t *testing.T) (list []tableSize) {
	t.Helper()
	parts, still := int64(-1), 0
	for still < 5 {
		st, err := cluster.StatusOf(t.Context(), s.config(t))
		if err != nil {
			t.Fatal(err)
		}
		list = nil
		sum := int64(0)
		for _, sh := range st.Shards {
			for _, x := range sh.Nodes[0].Tables {
				i := slices.IndexFunc(list, func(o tableSize) bool { return o.name == x.Name })
				if i < 0 {
					i, list = len(list), append(list, tableSize{name: x.Name})
				}
				list[i].rows, list[i].bytes, sum = list[i].rows+x.Rows, list[i].bytes+x.Bytes, sum+x.Parts
			}
		}
		if still++; sum != parts {
			parts, still = sum, 0
		}
		time.Sleep(time.Second)
	}
	slices.SortFunc(list, func(x, y tableSize) int { return int(y.bytes - x.bytes) })
	return list
}

func (s *scale) measureTables(t *testing.T) {
	games := float64(len(s.ids[0]))
	out := newTable("table", "rows", "rows/game", "bytes/row", "bytes/game")
	var sum int64
	for _, x := range s.sizes(t) {
		if x.rows == 0 {
			continue
		}
		sum += x.bytes
		out.row("`"+x.name+"`", count(x.rows), number(float64(x.rows)/games), number(float64(x.bytes)/float64(x.rows)), number(float64(x.bytes)/games))
	}
	out.row("all", "", "", "", number(float64(sum)/games))
	note := fmt.Sprintf("%s games. The folder takes %s bytes a game.", count(len(s.ids[0])), number(float64(folderBytes(s.dir))/games))
	s.section(t, "scale tables", note+"\n\n"+out.String())
}

// measureDeath kills a server that has a replica, and asks.
func (s *scale) measureDeath(t *testing.T) {
	f := clickhouse.Start(t, clickhouse.Options{Shards: 2, Replicas: 2})
	l := openServers(t, f, 2)
	if _, err := l.Import(t.Context(), library.ImportOptions{}, testkit.Data(t, scaleArchives[0])); err != nil {
		t.Fatal(err)
	}
	if err := l.Records().Keeper().(interface{ Ship(context.Context) error }).Ship(t.Context()); err != nil {
		t.Fatal(err)
	}
	ids, err := l.Records().IDs(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	list, err := readQueries(builtin.Games(), "weiqi")
	if err != nil {
		t.Fatal(err)
	}
	q := &list[slices.IndexFunc(list, func(q benchQuery) bool { return q.name == "corner-joseki-5" })]
	// said is all that three sorts of answers say.
	said := func() string {
		w := &transcript{ids: ids.ToArray()}
		w.answer(explore(t, l, s.boards[0][:2]))
		_, _, a := wallPage(t, l, q)
		w.answer(a)
		w.answer(asked(t, l, "weiqi", "event:Honinbo").Answer)
		return w.String()
	}
	want := said()
	usual := median(times(samples, func(int) { said() }))
	out := newTable("killed", "next answer ms", "the one after it", "right")
	var worst time.Duration
	for _, n := range []struct{ shard, replica int }{{0, 0}, {1, 0}, {0, 0}} {
		node := f.Node(n.shard, n.replica)
		node.Kill()
		right := true
		list := times(2, func(int) { right = said() == want && right })
		if !right {
			t.Errorf("the answers are others without replica %d of shard %d", n.replica+1, n.shard+1)
		}
		worst = max(worst, list[0])
		out.row(fmt.Sprintf("replica %d of shard %d", n.replica+1, n.shard+1), ms(list[0]), ms(list[1]), map[bool]string{true: "yes", false: "**no**"}[right])
		node.Start(t)
		time.Sleep(3 * time.Second) // until it is asked again, and has caught up
		if said() != want {
			t.Errorf("the answers are others after replica %d of shard %d is back", n.replica+1, n.shard+1)
		}
	}
	s.bar(t, bar{name: "answer after a server was killed", got: millis(worst), must: 1000, unit: "ms"})
	s.section(t, "scale death", fmt.Sprintf("Two shards of two replicas, ZooKeeper, %s games. An answer here is three: a position, a pattern, an event; together they take %s ms while all servers are there.\n\n",
		count(int(ids.GetCardinality())), ms(usual))+out.String())
}

// measureGrowth asks the same of libraries of growing size on the servers.
func (s *scale) measureGrowth(t *testing.T) {
	url := s.url
	defer func() { s.url = url }()
	out := newTable("games", "store, games/s", "minutes", "bytes/game", "position p50 ms", "p95", "selective pattern p50 ms", "p95", "unselective, first page", "all of it")
	var position, pat, page, perGame, rate curve
	var ticks []tick
	for _, n := range []int{10_000, 90_000, 500_000} {
		t.Setenv("QIPU_DESK", filepath.Join(t.TempDir(), "desk"))
		l := s.fresh(t)
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
		var made importStats
		inChild(t, &made, "grow", s.url, s.dir, strconv.Itoa(n))
		l = openDesk(t, s.url)
		var bytes int64
		for _, x := range s.sizes(t) {
			bytes += x.bytes
		}
		deep := times(len(s.boards), func(i int) { explore(t, l, s.boards[i]) })
		few, pages, wholes := s.patterns(t, l, nil)
		store := float64(n) / (made.Wall - made.Generate).Seconds()
		each := float64(bytes) / float64(made.New)
		row := []string{count(made.New), number(store), number(made.Wall.Minutes()), number(each), ms(median(deep)), ms(percentile(deep, 95)),
			ms(median(few)), ms(percentile(few, 95)), ms(slices.Max(pages)), ms(median(wholes))}
		out.row(row...)
		t.Log(strings.Join(row, " | ")) // the next size takes minutes
		for c, v := range map[*curve]float64{&position: millis(median(deep)), &pat: millis(median(few)), &page: millis(slices.Max(pages)), &perGame: each, &rate: store} {
			c.points = append(c.points, [2]float64{float64(made.New), v})
		}
		ticks = append(ticks, tick{float64(n), count(n)})
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
		s.drop(t)
	}
	position.name, pat.name, page.name = "position, p50", "selective pattern, p50", "unselective, first page"
	perGame.name, rate.name = "bytes a game", "games stored a second"
	s.picture(t, "scale-time.svg", &plot{title: "Two servers: time against the number of games", x: "games", y: "ms", logX: true, logY: true, ticks: ticks, curves: []curve{position, pat, page}})
	s.picture(t, "scale-size.svg", &plot{title: "Two servers: room and rate against the number of games", x: "games", y: "", logX: true, logY: true, ticks: ticks, curves: []curve{perGame, rate}})
	s.section(t, "scale growth", out.String())
}

// TestScaleSections checks that every section that the measurements write has its
// place in the document.
func TestScaleSections(t *testing.T) {
	data, err := os.ReadFile(scaleFile)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range scaleSections {
		if !strings.Contains(string(data), "<!-- begin "+name+" -->\n") || !strings.Contains(string(data), "<!-- end "+name+" -->") {
			t.Errorf("%s has no section %s", scaleFile, name)
		}
	}
}
