package bench_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"qipu"
	"qipu/builtin"
	"qipu/index"
	"qipu/internal/testkit"
	"qipu/pattern"
	"qipu/query"
	"qipu/record"
	"qipu/retrieve"
)

// sections are the parts of the report, by the names of their markers.
var sections = []string{"machine", "goals", "import", "weiqi", "xiangqi", "othello", "renju", "random", "text", "filters", "then", "fuzzy", "paper", "sizes", "features", "memory", "growth"}

// samples is how many times everything is measured.
const samples = 5

// TestPerformance measures the library against its goals. It runs under
// QIPU_BENCH=1, as make bench does; -rewrite puts the figures into
// docs/performance.md. Its parts can be run alone, but for the table of goals.
func TestPerformance(t *testing.T) {
	if os.Getenv("QIPU_BENCH") == "" {
		t.Skip("measures for minutes: make bench runs it")
	}
	r := &report{}
	r.section(t, "machine", thisMachine())
	parts := []struct {
		name string
		run  func(*testing.T, *report)
	}{
		{"import", measureImport},
		{"queries", measureQueries},
		{"random", measureRandom},
		{"text", measureText},
		{"filters", measureFilters},
		{"then", measureThen},
		{"fuzzy", measureFuzzy},
		{"paper", measurePaper},
		{"sizes", measureSizes},
		{"features", measureFeatures},
		{"memory", measureMemory},
		{"growth", measureGrowth},
	}
	ran := 0
	for _, p := range parts {
		t.Run(p.name, func(t *testing.T) {
			ran++
			p.run(t, r)
		})
	}
	if ran == len(parts) {
		r.section(t, "goals", r.goals())
	}
}

// thisMachine describes where the run took place.
func thisMachine() string {
	model, load := "unknown processor", ""
	if data, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		for line := range strings.SplitSeq(string(data), "\n") {
			if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == "model name" {
				model = strings.TrimSpace(value)
			}
		}
	}
	if data, err := os.ReadFile("/proc/loadavg"); err == nil {
		load = fmt.Sprintf(", load average %s when it began", strings.Fields(string(data))[0])
	}
	return fmt.Sprintf("%s, %d cores, %s/%s, %s%s; %s.", model, runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, runtime.Version(), load,
		time.Now().Format("2 January 2006"))
}

func measureImport(t *testing.T, r *report) {
	out := newTable("games", "records", "kept", "games/s", "best", "index B/game", "text and facts B/game", "peak MB")
	for _, c := range []struct {
		corpus, name  string
		must, stretch float64
	}{
		{"weiqi", "Go, 19x19", 8000, 20000}, {"xiangqi", "Xiangqi", 10000, 0}, {"othello", "Othello (WTHOR)", 50000, 0}, {"renju", "Renju", 0, 0},
	} {
		_, s := libraryDir(t, c.corpus)
		var paths []string
		for _, name := range corpora[c.corpus] {
			paths = append(paths, testkit.Data(t, name))
		}
		cpus := []time.Duration{s.CPU + s.Merge}
		for range 2 {
			again := importAlone(t, filepath.Join(t.TempDir(), "again"), paths)
			cpus = append(cpus, again.CPU+again.Merge)
			s.Peak = max(s.Peak, again.Peak)
		}
		games := float64(s.Games)
		rate := games / median(cpus).Seconds()
		bytes := float64(s.Index) / float64(s.New)
		out.row(c.name, count(s.Games), count(s.New), number(rate), number(games/slices.Min(cpus).Seconds()),
			number(bytes), number(float64(s.Catalog)/float64(s.New)), megabytes(s.Peak))
		if c.must > 0 {
			r.bar(t, bar{name: "import, " + c.name, got: rate, must: c.must, stretch: c.stretch, unit: "games/s", more: true})
		}
		if c.corpus == "weiqi" {
			r.bar(t, bar{name: "index, bytes of a game of Go", got: bytes, must: 1500, stretch: 900, unit: "B"})
			if s.Peak > 0 {
				r.bar(t, bar{name: "memory of an import", got: float64(s.Peak) / 1e6, must: 1000, unit: "MB"})
			}
		}
	}
	r.section(t, "import", out.String())
}

// queryCost is what a query took.
type queryCost struct {
	*benchQuery
	cost
	page time.Duration // processor time until the first page
}

func measureQueries(t *testing.T, r *report) {
	for _, name := range benchGames {
		l := openLibrary(t, name)
		list, err := readQueries(builtin.Games(), name)
		if err != nil {
			t.Fatal(err)
		}
		out := newTable("query", "games", "hits", "CPU ms", "best", "first page", "candidates", "verified", "pages")
		var costs []queryCost
		for i := range list {
			q := &list[i]
			a := find(t, l, q)
			c := queryCost{benchQuery: q, cost: measure(samples, func() { find(t, l, q) }), page: firstPage(t, l, q)}
			costs = append(costs, c)
			e := a.Explain
			out.row(q.name, count(a.Games), count(a.Hits), ms(c.CPU), ms(c.Least), ms(c.page), count(e.Lines), count(e.Boards), count(e.Pages))
		}
		r.section(t, name, out.String())
		if name == "weiqi" {
			queryBars(t, r, costs)
		}
	}
}

// queryBars holds the queries of Go against the bars of their classes.
func queryBars(t *testing.T, r *report, costs []queryCost) {
	worst := func(class string, of func(*queryCost) time.Duration) float64 {
		most := time.Duration(0)
		for i := range costs {
			if costs[i].class == class {
				most = max(most, of(&costs[i]))
			}
		}
		return millis(most)
	}
	cpu := func(c *queryCost) time.Duration { return c.CPU }
	var boards []time.Duration
	for _, c := range costs {
		if c.class == "board" {
			boards = append(boards, c.CPU)
		}
	}
	r.bar(t, bar{name: "whole board, typical", got: millis(median(boards)), must: 0.2, stretch: 0.02, unit: "ms"})
	r.bar(t, bar{name: "whole board, worst", got: worst("board", cpu), must: 5, stretch: 0.5, unit: "ms"})
	r.bar(t, bar{name: "corner, worst", got: worst("corner", cpu), must: 10, stretch: 2, unit: "ms"})
	r.bar(t, bar{name: "side 7x5, worst", got: worst("side", cpu), must: 60, stretch: 15, unit: "ms"})
	r.bar(t, bar{name: "centre 5x5, worst", got: worst("centre", cpu), must: 150, stretch: 40, unit: "ms"})
	r.bar(t, bar{name: "centre 3x3 and less, worst", got: worst("small", cpu), must: 300, stretch: 60, unit: "ms"})
	first := max(worst("small", func(c *queryCost) time.Duration { return c.page }), worst("centre", func(c *queryCost) time.Duration { return c.page }))
	r.bar(t, bar{name: "centre, first page, worst", got: first, must: 20, stretch: 10, unit: "ms"})
}

// firstPage returns the processor time until the first page is known.
func firstPage(t *testing.T, l *qipu.Library, q *benchQuery) time.Duration {
	t.Helper()
	req, err := q.request(l)
	if err != nil {
		t.Fatal(err)
	}
	var list []time.Duration
	for range samples {
		began := testkit.CPU()
		page := time.Duration(-1)
		req.OnPage = func([]retrieve.Row) { page = testkit.CPU() - began }
		if _, err := l.Search().Find(t.Context(), req); err != nil {
			t.Fatal(err)
		}
		if page < 0 {
			page = testkit.CPU() - began // there is less than a page
		}
		list = append(list, page)
	}
	return median(list)
}

// measureRandom asks for random parts of Xiangqi boards.
func measureRandom(t *testing.T, r *report) {
	l := openLibrary(t, "xiangqi")
	c, err := newScanCorpus(t.Context(), l, "xiangqi")
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(90, 14))
	geometry := kindOf(t, l, "xiangqi").Rules.Geometry()
	out := newTable("pieces", "queries", "games, median", "CPU ms, median", "p95", "worst")
	var all []time.Duration
	for _, pieces := range [][2]int{{2, 4}, {5, 8}, {9, 12}} {
		var costs []time.Duration
		var games []int
		for range testkit.Scale(60, 200) {
			p := c.randomPieces(rng, pieces[0]+rng.IntN(pieces[1]-pieces[0]+1))
			q := &benchQuery{game: "xiangqi", name: "random", shape: &query.Shape{Pattern: p, Geometry: geometry}}
			games = append(games, find(t, l, q).Games)
			costs = append(costs, measure(3, func() { find(t, l, q) }).CPU)
		}
		slices.Sort(games)
		out.row(fmt.Sprintf("%d to %d", pieces[0], pieces[1]), count(len(costs)), count(games[len(games)/2]),
			ms(median(costs)), ms(percentile(costs, 95)), ms(slices.Max(costs)))
		all = append(all, costs...)
	}
	r.bar(t, bar{name: "Xiangqi, part of a board, p95", got: millis(percentile(all, 95)), must: 10, stretch: 1, unit: "ms"})
	r.section(t, "random", out.String())
}

// randomPieces is a pattern of some pieces of a random board, mirrored images
// included.
func (c *scanCorpus) randomPieces(rng *rand.Rand, n int) *pattern.Pattern {
	for {
		g := &c.games[rng.IntN(len(c.games))]
		p := pattern.FromBoard(c.boardAt(g, rng.IntN(g.boards)))
		p.Mirror = true
		var pieces []int
		for i, set := range p.Cells {
			if set != pattern.Empty {
				pieces = append(pieces, i)
			}
		}
		if len(pieces) < n {
			continue
		}
		rng.Shuffle(len(pieces), func(i, j int) { pieces[i], pieces[j] = pieces[j], pieces[i] })
		keep := pieces[:n]
		for i := range p.Cells {
			if !slices.Contains(keep, i) {
				p.Cells[i] = pattern.AnyOn(c.board.Kinds)
			}
		}
		return p
	}
}

// measurePaper compares the scan with the index in the manner of the paper:
// complete boards and patterns, warm and cold.
func measurePaper(t *testing.T, r *report) {
	dir, _ := libraryDir(t, "paper")
	c := paperCorpus(t)
	list, err := readQueries(builtin.Games(), "weiqi")
	if err != nil {
		t.Fatal(err)
	}
	out := newTable("query", "games", "hits", "scan: boards", "rows searched", "CPU s", "index: candidates", "verified", "pages", "CPU ms, warm",
		"scan/index", "wall ms, warm", "wall ms, cold", "read, cold MB")
	step := testkit.Scale(5, 1)
	for _, name := range []string{"board-empty", "board-move-10", "board-move-40", "corner-joseki-5", "side-two-space", "centre-cross-cut", "centre-mixed", "small-hane"} {
		i := slices.IndexFunc(list, func(q benchQuery) bool { return q.name == name })
		q := &list[i]
		cpu := testkit.CPU()
		scan, err := c.scan(q.shape.Pattern, step)
		if err != nil {
			t.Fatal(err)
		}
		scanned := (testkit.CPU() - cpu) * time.Duration(step)
		l := openDir(t, dir)
		a := find(t, l, q)
		if step == 1 && (a.Games != scan.games || a.Hits != scan.hits) {
			t.Errorf("%s: %d games and %d hits, the scan finds %d and %d", name, a.Games, a.Hits, scan.games, scan.hits)
		}
		warm := measure(samples, func() { find(t, l, q) })
		l.Close()
		cold, read := coldCost(t, dir, q)
		e := a.Explain
		out.row(name, count(a.Games), count(a.Hits), count(c.boards), count(scan.rows*step), number(scanned.Seconds()),
			count(e.Lines), count(e.Boards), count(e.Pages), ms(warm.CPU), number(float64(scanned)/float64(warm.CPU)), ms(warm.Wall), cold, read)
	}
	note := fmt.Sprintf("%s games, %s boards.", count(len(c.games)), count(c.boards))
	if step > 1 {
		note += fmt.Sprintf(" The scan ran over every %dth game, its figures are multiplied by as much.", step)
	}
	r.section(t, "paper", note+"\n\n"+out.String())
}

// coldCost opens a library whose files are not in memory and asks one query; it
// returns the time on the clock and what was read from disk.
func coldCost(t *testing.T, dir string, q *benchQuery) (wall, read string) {
	t.Helper()
	var walls []time.Duration
	var bytes int64
	for range 3 {
		if err := dropCache(dir); err != nil {
			return "?", "?"
		}
		before, began := readBytes(), time.Now()
		l, err := qipu.Open(t.Context(), dir, qipu.Options{ReadOnly: true})
		if err != nil {
			t.Fatal(err)
		}
		find(t, l, q)
		walls = append(walls, time.Since(began))
		bytes = readBytes() - before
		l.Close()
	}
	return ms(median(walls)), megabytes(bytes)
}

// paperCorpus returns the games that the scan works on.
func paperCorpus(t *testing.T) *scanCorpus {
	t.Helper()
	c, err := newScanCorpus(t.Context(), openLibrary(t, "paper"), "weiqi")
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// measureSizes draws the curve of time against the size of the pattern.
func measureSizes(t *testing.T, r *report) {
	c := paperCorpus(t)
	l := openLibrary(t, "paper")
	geometry := kindOf(t, l, "weiqi").Rules.Geometry()
	rng := rand.New(rand.NewPCG(19, 3))
	step := testkit.Scale(20, 2)
	const cuts = 5
	out := newTable("size", "scan, CPU s", "index, CPU ms", "worst of "+count(cuts), "candidates", "games")
	scans, finds := curve{name: "scan"}, curve{name: "index"}
	var ticks []tick
	for side := 3; side <= 19; side += 2 {
		var scanned, found []time.Duration
		var games, lines []int
		for range cuts {
			p := c.randomCut(rng, side, side, 0)
			p.Anchor = pattern.Floating // as in the paper: not bound to an edge
			if side == 19 {
				p.Anchor = pattern.Fixed
			}
			cpu := testkit.CPU()
			if _, err := c.scan(p, step); err != nil {
				t.Fatal(err)
			}
			scanned = append(scanned, (testkit.CPU()-cpu)*time.Duration(step))
			q := &benchQuery{game: "weiqi", name: "cut", shape: &query.Shape{Pattern: p, Geometry: geometry}}
			a := find(t, l, q)
			games, lines = append(games, a.Games), append(lines, int(a.Explain.Lines))
			found = append(found, measure(3, func() { find(t, l, q) }).CPU)
		}
		slices.Sort(games)
		slices.Sort(lines)
		name := fmt.Sprintf("%dx%d", side, side)
		out.row(name, number(median(scanned).Seconds()), ms(median(found)), ms(slices.Max(found)), count(lines[cuts/2]), count(games[cuts/2]))
		ticks = append(ticks, tick{float64(side), name})
		scans.points = append(scans.points, [2]float64{float64(side), millis(median(scanned))})
		finds.points = append(finds.points, [2]float64{float64(side), millis(median(found))})
	}
	r.picture(t, "performance-sizes.svg", &plot{
		title: "Time against the size of the pattern, 6,300 games, one core", x: "size of the pattern", y: "CPU ms", logY: true, ticks: ticks,
		curves: []curve{scans, finds},
	})
	r.section(t, "sizes", out.String())
}

// measureFeatures counts how many queries the index knows something about: the
// paper says that almost every reasonable query contains a feature.
func measureFeatures(t *testing.T, r *report) {
	l := openLibrary(t, "paper")
	c := paperCorpus(t)
	k := kindOf(t, l, "weiqi")
	stored, listed := storedWindows(t, l, k)
	rng := rand.New(rand.NewPCG(400, 1))
	out := newTable("region", "free cells", "fixes a window", "with a feature", "games let through, median", "mean")
	queries := testkit.Scale(400, 2000)
	total, with := 0, 0
	for _, side := range []int{3, 5, 7, 9} {
		for _, free := range []int{0, 10, 20, 30} {
			window, feature := 0, 0
			var through []float64
			sum := 0.0
			for i := range queries {
				p := c.randomCut(rng, side, side, free)
				list := index.WindowsOf(p)
				if len(list) > 0 {
					window++
				}
				if slices.ContainsFunc(list, func(class uint16) bool { return stored[class] }) {
					feature++
				}
				if i < testkit.Scale(40, 200) {
					q := &benchQuery{game: "weiqi", name: "cut", shape: &query.Shape{Pattern: p, Geometry: k.Rules.Geometry()}}
					e := find(t, l, q).Explain
					through = append(through, 100*float64(e.Lines)/float64(e.Total))
					sum += through[i]
				}
			}
			slices.Sort(through)
			total, with = total+queries, with+feature
			percent := func(n int) string { return fmt.Sprintf("%.1f %%", 100*float64(n)/float64(queries)) }
			out.row(fmt.Sprintf("%dx%d", side, side), fmt.Sprintf("%d %%", free), percent(window), percent(feature),
				fmt.Sprintf("%.1f %%", through[len(through)/2]), fmt.Sprintf("%.1f %%", sum/float64(len(through))))
		}
	}
	note := fmt.Sprintf("%s of %s classes of windows are listed. %s queries, %.1f %% of them with at least one feature.",
		count(listed), count(len(stored)), count(total), 100*float64(with)/float64(total))
	r.section(t, "features", note+"\n\n"+out.String())
}

// storedWindows tells which classes of windows the index lists: those that rule
// any game out. Classes that many games have are not listed.
func storedWindows(t *testing.T, l *qipu.Library, k *index.Kind) (stored []bool, listed int) {
	t.Helper()
	v, err := l.Records().Keeper().(index.Store).View(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	lines := func(e index.Expr) (n int) {
		for batch, err := range v.Scan(t.Context(), &index.Plan{Kind: k, Expr: e}) {
			if err != nil {
				t.Fatal(err)
			}
			n += batch.Lanes.Count()
		}
		return n
	}
	all := lines(index.All{})
	stored = make([]bool, index.NumWindows())
	for class := range stored {
		if lines(index.Window(class)) < all {
			stored[class] = true
			listed++
		}
	}
	return stored, listed
}

// measureMemory measures what a process has that only asks, how long it takes
// to the first answer, and how soon a new game is found.
func measureMemory(t *testing.T, r *report) {
	dir, _ := libraryDir(t, "weiqi")
	out := newTable("measure", "CPU ms", "wall ms", "")
	var s queryStats
	inChild(t, &s, "query", dir, "weiqi")
	if s.Peak > 0 {
		r.bar(t, bar{name: "memory of queries beyond the mapped index", got: float64(max(s.Peak-s.Mapped, 1)) / 1e6, must: 200, unit: "MB"})
	}
	memory := fmt.Sprintf("A process that opens the library and asks all queries of Go has %s MB of tables mapped, and at its fullest %s MB of memory.",
		megabytes(s.Mapped), megabytes(s.Peak))
	list, err := readQueries(builtin.Games(), "weiqi")
	if err != nil {
		t.Fatal(err)
	}
	q := &list[slices.IndexFunc(list, func(q benchQuery) bool { return q.name == "corner-joseki-5" })]
	opening := measure(samples, func() {
		l, err := qipu.Open(t.Context(), dir, qipu.Options{ReadOnly: true})
		if err != nil {
			t.Fatal(err)
		}
		find(t, l, q)
		l.Close()
	})
	out.row("open to first answer, warm", ms(opening.CPU), ms(opening.Wall), q.name)
	cold, read := coldCost(t, dir, q)
	out.row("open to first answer, cold", "", cold, read+" MB read")
	r.bar(t, bar{name: "open to first answer", got: millis(opening.CPU), must: 100, stretch: 20, unit: "ms"})
	add := measureAdd(t, dir, q)
	out.row("add one game and find it, median", ms(add.CPU), ms(add.Wall), "durable")
	r.bar(t, bar{name: "add one game, visible", got: millis(add.Wall), must: 50, stretch: 5, unit: "ms"})
	r.section(t, "memory", memory+"\n\n"+out.String())
}

// measureAdd adds games one by one to a library, each with a search that must
// see it, and deletes them again.
func measureAdd(t *testing.T, dir string, q *benchQuery) cost {
	t.Helper()
	l, err := qipu.Open(t.Context(), dir, qipu.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	rules := kindOf(t, l, "weiqi").Rules
	b := &breeder{rules: rules, parent: []parent{{moves: opening(t, rules)}}}
	referee := record.NewReferee(builtin.Games())
	referee.Trace = true
	tally := func() int {
		list, err := l.Records().Tally(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return list[slices.IndexFunc(list, func(x index.Tally) bool { return x.Kind.Name == "weiqi 19x19" })].Games
	}
	before := tally()
	var ids []uint32
	var cpus, walls []time.Duration
	for i := range 30 {
		g := b.record(i)
		cpu, began := testkit.CPU(), time.Now()
		added, err := l.Records().Add(t.Context(), referee.Play(g))
		if err != nil {
			t.Fatal(err)
		}
		find(t, l, q)
		cpus, walls = append(cpus, testkit.CPU()-cpu), append(walls, time.Since(began))
		if tally() != before+i+1 {
			t.Fatalf("game %d is not there", i)
		}
		ids = append(ids, added.ID)
	}
	if err := l.Records().Delete(t.Context(), ids...); err != nil {
		t.Fatal(err)
	}
	return cost{CPU: median(cpus), Wall: median(walls), Least: slices.Min(cpus)}
}

// measureGrowth asks the same of libraries of growing size.
func measureGrowth(t *testing.T, r *report) {
	from, _ := libraryDir(t, "weiqi")
	list, err := readQueries(builtin.Games(), "weiqi")
	if err != nil {
		t.Fatal(err)
	}
	names := []string{"board-move-10", "corner-rare-9", "side-contact", "centre-mixed", "centre-cross-cut", "small-hane"}
	sizes := []int{1000, 10000}
	if testkit.Full() || os.Getenv("QIPU_GROWTH") != "" {
		sizes = append(sizes, 100000, 1000000)
	}
	out := newTable(append([]string{"games", "store, games/s", "minutes", "peak MB", "index B/game", "open ms"}, names...)...)
	curves := make([]curve, len(names))
	var ticks []tick
	for _, n := range sizes {
		dir := filepath.Join(t.TempDir(), "grown")
		var s importStats
		inChild(t, &s, "grow", dir, from, fmt.Sprint(n))
		if s.Peak > 0 && n == sizes[len(sizes)-1] {
			r.bar(t, bar{name: "memory of an import of " + count(n) + " games", got: float64(s.Peak) / 1e6, must: 1000, unit: "MB"})
		}
		open := measure(3, func() {
			l, err := qipu.Open(t.Context(), dir, qipu.Options{ReadOnly: true})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := l.Records().Tally(t.Context()); err != nil {
				t.Fatal(err)
			}
			l.Close()
		})
		l := openDir(t, dir)
		row := []string{count(s.New), number(float64(n) / (s.CPU + s.Merge).Seconds()), number(s.Wall.Minutes()), megabytes(s.Peak),
			number(float64(s.Index) / float64(s.New)), ms(open.CPU)}
		for i, name := range names {
			q := &list[slices.IndexFunc(list, func(q benchQuery) bool { return q.name == name })]
			c := measure(3, func() { find(t, l, q) })
			row = append(row, ms(c.CPU))
			curves[i].name = name
			curves[i].points = append(curves[i].points, [2]float64{float64(s.New), millis(c.CPU)})
		}
		out.row(row...)
		t.Log(strings.Join(row, " | ")) // the next size takes minutes
		ticks = append(ticks, tick{float64(n), count(n)})
		l.Close()
	}
	for _, c := range curves[:2] { // the selective ones
		p, q := c.points[0], c.points[len(c.points)-1]
		r.bar(t, bar{name: "growth of " + c.name + ", exponent", got: math.Log(q[1]/p[1]) / math.Log(q[0]/p[0]), must: 0.7, unit: ""})
	}
	r.picture(t, "performance-growth.svg", &plot{
		title: "Time against the number of games, one core", x: "games", y: "CPU ms", logX: true, logY: true, ticks: ticks, curves: curves,
	})
	r.section(t, "growth", out.String())
}
