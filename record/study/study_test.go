package study_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"qipu/builtin"
	"qipu/internal/testkit"
	"qipu/record"
	"qipu/record/study"
)

var now = time.Date(2026, 11, 19, 12, 0, 0, 0, time.UTC)

// game reads the one game of a text.
func game(t testing.TB, format, text string) *record.Game {
	t.Helper()
	for _, f := range builtin.Formats() {
		if f.Info().Name != format {
			continue
		}
		src := &record.Source{Name: "x." + format, Reader: strings.NewReader(text), At: strings.NewReader(text), Size: int64(len(text))}
		for g, err := range f.Read(src) {
			if err != nil {
				t.Fatal(err)
			}
			return g
		}
	}
	t.Fatalf("no game in %q", text)
	return nil
}

func write(t testing.TB, format string, g *record.Game) string {
	t.Helper()
	var out bytes.Buffer
	for _, f := range builtin.Formats() {
		if f.Info().Name == format {
			if err := f.(record.Writer).Write(&out, func(yield func(*record.Game) bool) { yield(g) }); err != nil {
				t.Fatal(err)
			}
		}
	}
	return out.String()
}

// copied returns an operation as it arrives somewhere else.
func copied(t testing.TB, o *study.Op) *study.Op {
	t.Helper()
	text, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	back := new(study.Op)
	if err := json.Unmarshal(text, back); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	if err := back.Check(); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return back
}

// told writes all that a sheet shows, with its conflicts.
func told(l *study.Log) string {
	t := l.Tree()
	var b strings.Builder
	b.Write(record.AppendGame(nil, t.Game()))
	for _, n := range t.Nodes {
		fmt.Fprintf(&b, " %v", n.ID)
	}
	for _, c := range t.Conflicts {
		fmt.Fprintf(&b, "\n%v %s", c.Node, c.Key)
		for _, v := range c.Values {
			fmt.Fprintf(&b, " %v", v.ID)
		}
	}
	return b.String()
}

const base = "(;GM[1]FF[4]SZ[9]C[start];B[dd]C[first];W[ff](;B[cc];W[gg])(;B[gc]TR[gc][dd:ee]))"

// device is one that writes and hears from the others when the net lets it.
type device struct {
	name  string
	log   *study.Log
	nodes []study.ID
	out   []*study.Op // what the others were not told
}

func (d *device) edit(r *rand.Rand) {
	pen := d.log.Pen(d.name, d.name)
	pick := func() study.ID { return d.nodes[r.IntN(len(d.nodes))] }
	keys := []study.Key{study.Comment, study.Comment, study.Glyph, study.Sign("triangle", "aa"), study.Sign("label", "dd"), study.Sign("arrow", "aa:bb")}
	switch n := r.IntN(20); {
	case n < 9:
		parent := pick()
		if r.IntN(2) == 0 {
			parent = d.nodes[len(d.nodes)-1]
		}
		d.nodes = append(d.nodes, pen.Add(parent, record.Side(1+r.IntN(2)), string([]byte{byte('a' + r.IntN(9)), byte('a' + r.IntN(9))}), now))
	case n < 14:
		key := keys[r.IntN(len(keys))]
		value := fmt.Sprint("text ", r.IntN(1000))
		switch key {
		case study.Glyph:
			value = study.Glyphs[r.IntN(len(study.Glyphs))]
		case study.Sign("triangle", "aa"):
			value = []string{"1", ""}[r.IntN(2)]
		case study.Sign("arrow", "aa:bb"):
			value = study.Colours[r.IntN(len(study.Colours))]
		}
		pen.Set(pick(), key, value, now)
	case n < 15:
		pen.Set(pick(), study.Rank, study.Between("", fmt.Sprintf("%di", 1+r.IntN(9))), now)
	case n < 16:
		pen.Set(pick(), study.Gone, []string{"1", "1", ""}[r.IntN(3)], now)
	case n < 18:
		if ops := d.log.Len(); ops > 0 {
			pen.Set(pick(), study.Comment, "", now)
		}
	default: // what was done is undone, or done again
		id := pick()
		if o := d.log.Op(id); o != nil {
			pen.Set(id, study.Off, []string{"1", ""}[r.IntN(2)], now)
		}
	}
	d.out = append(d.out, pen.Wrote...)
}

// TestMerge has three devices write at random, and tells each what the others wrote late,
// twice, in any order, or first not at all. When all know all, all show the same, and the
// same as one that reads the operations in their own order.
func TestMerge(t *testing.T) {
	edits := testkit.Scale(4_000, 100_000)
	r := rand.New(rand.NewPCG(28, 1))
	g := game(t, "sgf", base)
	var devices []*device
	for _, name := range []string{"anna-1", "ben-22", "carla"} {
		d := &device{name: name, log: study.NewLog(g)}
		for i := range g.Nodes {
			d.nodes = append(d.nodes, study.Base(int32(i)))
		}
		devices = append(devices, d)
	}
	type letter struct {
		to *device
		op *study.Op
	}
	var post []letter
	for range edits {
		d := devices[r.IntN(3)]
		d.edit(r)
		for _, o := range d.out {
			for _, other := range devices {
				if other == d || r.IntN(10) == 0 { // one in ten is lost
					continue
				}
				post = append(post, letter{other, o})
				if r.IntN(10) == 0 {
					post = append(post, letter{other, o})
				}
			}
		}
		d.out = nil
		for len(post) > 0 && r.IntN(3) > 0 { // any letter may come next
			k := r.IntN(len(post))
			deliver(t, post[k].to, post[k].op)
			post[k] = post[len(post)-1]
			post = post[:len(post)-1]
		}
	}
	// Whoever asks gets what he lacks: first a part of it, then all.
	for range 2 {
		for _, d := range devices {
			for _, other := range devices {
				missing := other.log.Since(d.log.Seen())
				r.Shuffle(len(missing), func(i, j int) { missing[i], missing[j] = missing[j], missing[i] })
				for _, o := range missing {
					deliver(t, d, o)
				}
			}
		}
	}
	all := devices[0].log.Ops()
	if len(all) < edits*8/10 {
		t.Fatalf("%d operations of %d edits", len(all), edits)
	}
	want := told(devices[0].log)
	for _, d := range devices[1:] {
		if d.log.Len() != len(all) {
			t.Fatalf("%s knows %d operations of %d", d.name, d.log.Len(), len(all))
		}
		if got := told(d.log); got != want {
			t.Fatalf("%s shows something else than %s", d.name, devices[0].name)
		}
	}
	again := study.NewLog(g)
	for _, o := range slices.Backward(all) {
		again.Put(copied(t, o))
	}
	if told(again) != want {
		t.Error("read backwards, the operations show something else")
	}
	if edits <= 10_000 {
		if got := model(g, all); got != shape(devices[0].log) {
			t.Errorf("the model shows\n%.2000s\nand the log\n%.2000s", got, shape(devices[0].log))
		}
	}
	// What is shown can be written and read, and is the same then.
	text := write(t, "sgf", devices[0].log.Tree().Game())
	if got := write(t, "sgf", game(t, "sgf", text)); got != text {
		t.Error("export and import differ")
	}
	t.Logf("%d operations, %d nodes shown, %d conflicts", len(all), len(devices[0].log.Tree().Nodes), len(devices[0].log.Tree().Conflicts))
}

func deliver(t testing.TB, d *device, o *study.Op) {
	if c := copied(t, o); d.log.Put(c) && c.Key == "" {
		d.nodes = append(d.nodes, c.ID)
	}
}

// shape writes which nodes are shown, and their comments.
func shape(l *study.Log) string {
	var b strings.Builder
	for _, n := range l.Tree().Nodes {
		value, _ := l.Value(n.ID, study.Comment)
		fmt.Fprintf(&b, "%v %q\n", n.ID, value)
	}
	return b.String()
}

// model works out the same from the rules as they stand in the documentation, each by
// going through all operations.
func model(g *record.Game, ops []*study.Op) string {
	saw := func(o *study.Op, id study.ID) bool {
		if id.Device == o.ID.Device {
			return id.Seq < o.ID.Seq
		}
		return o.Seen[id.Device] >= id.Seq
	}
	byKey := map[string][]*study.Op{}
	for _, o := range ops {
		k := fmt.Sprint(o.Node, o.Key)
		byKey[k] = append(byKey[k], o)
	}
	var stand func(node study.ID, key study.Key) []*study.Op
	off := func(o *study.Op) bool {
		act := o.ID
		if o.Act != 0 {
			act.Seq = o.Act
		}
		v := stand(act, study.Off)
		return len(v) > 0 && v[len(v)-1].Value == "1"
	}
	stand = func(node study.ID, key study.Key) (out []*study.Op) {
		var live []*study.Op
		for _, o := range byKey[fmt.Sprint(node, key)] {
			if key == study.Off || !off(o) {
				live = append(live, o)
			}
		}
		for _, o := range live {
			if !slices.ContainsFunc(live, func(x *study.Op) bool { return saw(x, o.ID) }) {
				out = append(out, o)
			}
		}
		return out // in the order of ops: by clock and device
	}
	kids := map[study.ID][]study.ID{}
	for i := range g.Nodes {
		for c := g.Nodes[i].Child; c != 0; c = g.Nodes[c].Next {
			kids[study.Base(int32(i))] = append(kids[study.Base(int32(i))], study.Base(c))
		}
	}
	for _, o := range ops {
		if o.Key == "" && !off(o) {
			kids[o.Node] = append(kids[o.Node], o.ID)
		}
	}
	at := map[study.ID]*study.Op{}
	for _, o := range ops {
		at[o.ID] = o
	}
	said := map[study.ID]map[study.Key]bool{}
	for _, o := range ops {
		if o.Key != "" {
			if said[o.Node] == nil {
				said[o.Node] = map[study.Key]bool{}
			}
			said[o.Node][o.Key] = true
		}
	}
	var changed func(id study.ID, by []*study.Op) bool
	changed = func(id study.ID, by []*study.Op) bool {
		unseen := func(o *study.Op) bool {
			return !slices.ContainsFunc(by, func(d *study.Op) bool { return saw(d, o.ID) || d == o })
		}
		if at[id] != nil && unseen(at[id]) {
			return true
		}
		for key := range said[id] {
			if key != study.Gone && key != study.Off && slices.ContainsFunc(stand(id, key), unseen) {
				return true
			}
		}
		return slices.ContainsFunc(kids[id], func(k study.ID) bool { return changed(k, by) })
	}
	rank := func(id study.ID, number int) string {
		if v := stand(id, study.Rank); len(v) > 0 {
			return v[len(v)-1].Value
		}
		if at[id] == nil {
			return fmt.Sprintf("h%015di", number)
		}
		return fmt.Sprintf("p%015di", at[id].Clock)
	}
	var b strings.Builder
	var show func(id study.ID)
	show = func(id study.ID) {
		var parts []string
		for _, o := range stand(id, study.Comment) {
			if len(stand(id, study.Comment)) == 1 || o.Value != "" && !slices.Contains(parts, o.Value) {
				parts = append(parts, o.Value)
			}
		}
		fmt.Fprintf(&b, "%v %q\n", id, strings.Join(parts, "\n\n"))
		ranks := map[study.ID]string{}
		var list []study.ID
		for i, k := range kids[id] {
			ranks[k] = rank(k, i)
			if v := stand(k, study.Gone); len(v) > 0 && !slices.ContainsFunc(v, func(o *study.Op) bool { return o.Value == "" }) && !changed(k, v) {
				continue
			}
			list = append(list, k)
		}
		slices.SortStableFunc(list, func(x, y study.ID) int { return strings.Compare(ranks[x], ranks[y]) })
		for _, k := range list {
			show(k)
		}
	}
	show(study.Root)
	return b.String()
}

// TestRules tells what is shown where two people write at once.
func TestRules(t *testing.T) {
	g := game(t, "sgf", base)
	both := func(a, b func(*study.Pen)) *study.Log {
		x, y := study.NewLog(g), study.NewLog(g)
		px, py := x.Pen("aa", "anna"), y.Pen("bb", "ben")
		a(px)
		b(py)
		for _, o := range py.Wrote {
			x.Put(o)
		}
		return x
	}
	text := func(l *study.Log) string { return strings.TrimSpace(write(t, "sgf", l.Tree().Game())) }
	for _, c := range []struct {
		name      string
		a, b      func(*study.Pen)
		conflicts int
		want      string // is in the SGF
	}{
		{"two comments", func(p *study.Pen) { p.Set(study.Base(1), study.Comment, "A", now) }, func(p *study.Pen) { p.Set(study.Base(1), study.Comment, "B", now) }, 1, "B[dd]C[A\n\nB]"},
		{"the same comment", func(p *study.Pen) { p.Set(study.Base(1), study.Comment, "A", now) }, func(p *study.Pen) { p.Set(study.Base(1), study.Comment, "A", now) }, 0, "B[dd]C[A]"},
		{"signs on two points", func(p *study.Pen) { p.Set(study.Base(1), study.Sign("circle", "aa"), "1", now) }, func(p *study.Pen) { p.Set(study.Base(1), study.Sign("circle", "bb"), "1", now) }, 0, "CR[aa][bb]"},
		{"a branch deleted while it is written on", func(p *study.Pen) { p.Set(study.Base(3), study.Gone, "1", now) }, func(p *study.Pen) { p.Add(study.Base(4), record.First, "hh", now) }, 1, "W[gg];B[hh]"},
		{"each deletes the other's", func(p *study.Pen) { p.Set(study.Base(3), study.Gone, "1", now) }, func(p *study.Pen) { p.Set(study.Base(5), study.Gone, "1", now) }, 0, "W[ff])"},
		{"deleted and brought back", func(p *study.Pen) { p.Set(study.Base(3), study.Gone, "1", now) }, func(p *study.Pen) { p.Set(study.Base(3), study.Gone, "", now) }, 1, "B[cc]"},
		{"both the first of their siblings", func(p *study.Pen) { p.Set(study.Base(5), study.Rank, study.Between("", "h"), now) }, func(p *study.Pen) { p.Add(study.Base(2), record.First, "aa", now) }, 0, "(;B[gc]"},
	} {
		l := both(c.a, c.b)
		if got := text(l); !strings.Contains(got, c.want) || len(l.Tree().Conflicts) != c.conflicts {
			t.Errorf("%s: %d conflicts, in\n%s\nwant %d, and %s", c.name, len(l.Tree().Conflicts), got, c.conflicts, c.want)
		}
	}
}

// TestDeletedOnBothSides: each deletes the branch that the other has just written on.
func TestDeletedOnBothSides(t *testing.T) {
	g := game(t, "sgf", base)
	x, y := study.NewLog(g), study.NewLog(g)
	px, py := x.Pen("aa", "anna"), y.Pen("bb", "ben")
	px.Set(study.Base(3), study.Comment, "mine", now)
	px.Set(study.Base(5), study.Gone, "1", now)
	py.Set(study.Base(5), study.Comment, "mine", now)
	py.Set(study.Base(3), study.Gone, "1", now)
	for _, o := range py.Wrote {
		x.Put(o)
	}
	tree := x.Tree()
	if len(tree.Nodes) != len(g.Nodes) || len(tree.Conflicts) != 2 {
		t.Errorf("%d nodes of %d, %d conflicts", len(tree.Nodes), len(g.Nodes), len(tree.Conflicts))
	}
}

// TestUndo takes back, act by act, what one person did, whatever others did in between.
func TestUndo(t *testing.T) {
	g := game(t, "sgf", base)
	l := study.NewLog(g)
	start := told(l)
	var states []string
	for i := range 4 {
		states = append(states, told(l))
		p := l.Pen("aa", "anna")
		n := p.Add(study.Base(int32(i)), record.First, "hh", now)
		p.Set(n, study.Comment, fmt.Sprint("act ", i), now)
		p.Set(study.Base(1), study.Comment, fmt.Sprint("act ", i), now)
	}
	end := told(l)
	for i := range slices.Backward(states) {
		act, ok := l.Undo("anna")
		if !ok {
			t.Fatalf("nothing to undo before act %d", i)
		}
		l.Pen("cc", "anna").Set(act, study.Off, "1", now) // from another device
		if told(l) != states[i] {
			t.Fatalf("undoing act %d leads elsewhere", i)
		}
	}
	if _, ok := l.Undo("anna"); ok || told(l) != start {
		t.Error("more to undo than was done")
	}
	if _, ok := l.Undo("ben"); ok {
		t.Error("others have something to undo")
	}
	for {
		act, ok := l.Redo("anna")
		if !ok {
			break
		}
		l.Pen("aa", "anna").Set(act, study.Off, "", now)
	}
	if told(l) != end {
		t.Error("doing all again leads elsewhere")
	}
}

// TestMarks takes signs of a record away, and puts others there.
func TestMarks(t *testing.T) {
	l := study.NewLog(game(t, "sgf", base))
	p := l.Pen("aa", "")
	p.Set(study.Base(5), study.Sign("triangle", "de"), "", now)
	p.Set(study.Base(5), study.Sign("label", "aa"), "a:]", now)
	p.Set(study.Base(5), study.Sign("region", "aa:bb"), "red", now)
	p.Set(study.Base(5), study.Sign("arrow", "aa:bb"), "green", now)
	p.Set(study.Base(5), study.Sign("arrow", "aa:bb"), "red", now)
	p.Set(study.Base(5), study.Sign("arrow", "bb:cc"), "green", now)
	p.Set(study.Base(5), study.Glyph, "??", now)
	const want = `B[gc]TR[gc][dd][ed][ee]BM[2]ARROW[aa:bb:red]AR[bb:cc]LB[aa:a\:\]]REGION[aa:bb:red]`
	if got := write(t, "sgf", l.Tree().Game()); !strings.Contains(got, want) {
		t.Errorf("%s: want %s", got, want)
	}
	if got := write(t, "sgf", l.Tree().Apart()); strings.Contains(got, "C[first]") || strings.Contains(got, "gg") || !strings.Contains(got, "BM[2]") {
		t.Errorf("apart: %s", got)
	}
	ops := maps.Clone(l.Seen())
	if ops["aa"] != 7 {
		t.Errorf("seen %v", ops)
	}
}

// TestBad has operations that cannot be.
func TestBad(t *testing.T) {
	good := study.Op{ID: study.ID{Device: "aa", Seq: 1}, Clock: 1, Node: study.Root, Key: study.Comment, Value: "<script>alert(1)</script>"}
	if err := good.Check(); err != nil {
		t.Errorf("a comment with markup is a comment: %v", err)
	}
	for name, change := range map[string]func(*study.Op){
		"device":  func(o *study.Op) { o.ID.Device = "R r" },
		"record":  func(o *study.Op) { o.ID.Device = "r" },
		"number":  func(o *study.Op) { o.ID.Seq = 0 },
		"clock":   func(o *study.Op) { o.Clock = 1 << 60 },
		"seen":    func(o *study.Op) { o.Seen = study.Seen{"": 1} },
		"act":     func(o *study.Op) { o.Act = 2 },
		"utf-8":   func(o *study.Op) { o.Value = "\xff" },
		"long":    func(o *study.Op) { o.Value = strings.Repeat("x", 2<<20) },
		"glyph":   func(o *study.Op) { o.Key, o.Value = study.Glyph, "!!!" },
		"sign":    func(o *study.Op) { o.Key, o.Value = study.Sign("star", "aa"), "1" },
		"label":   func(o *study.Op) { o.Key, o.Value = study.Sign("label", "aa"), "a\nb" },
		"colour":  func(o *study.Op) { o.Key, o.Value = study.Sign("arrow", "aa:bb"), "url(x)" },
		"rank":    func(o *study.Op) { o.Key, o.Value = study.Rank, "a0" },
		"unknown": func(o *study.Op) { o.Key = "style" },
		"move":    func(o *study.Op) { o.Key, o.Value = "", "a\x00" },
	} {
		o := good
		change(&o)
		if o.Check() == nil {
			t.Errorf("%s: taken", name)
		}
	}
}

// TestCopy writes annotated records onto empty sheets, sends the operations elsewhere in
// another order, and has the records back as they were, from the sheet and from a file.
func TestCopy(t *testing.T) {
	for _, c := range []struct {
		format, name string
		find         func(testing.TB, string) string
	}{
		{"sgf", "go/go-small-boards.tar.gz", testkit.Games}, {"sgf", "odd/odd.tar.gz", testkit.Games}, {"sgf", "go/go-kgs6d.tar.gz", testkit.Data},
		{"pgn", "chess/chess-games.tar.gz", testkit.Data}, {"pgn", "xiangqi/xiangqi-positions.tar.gz", testkit.Data},
	} {
		t.Run(c.name, func(t *testing.T) {
			n, nodes, most := 0, 0, testkit.Scale(20, 400)
			for g := range annotated(t, c.format, c.find(t, c.name)) {
				if n++; n > most {
					break
				}
				nodes += len(g.Nodes)
				roundTrip(t, c.format, g)
			}
			t.Logf("%d records, %d nodes", min(n, most), nodes)
		})
	}
}

// annotated yields the records of an archive that say more than moves.
func annotated(t *testing.T, format, archive string) iter.Seq[*record.Game] {
	var f record.Format
	for _, x := range builtin.Formats() {
		if x.Info().Name == format {
			f = x
		}
	}
	return func(yield func(*record.Game) bool) {
		for name, data := range testkit.Archive(t, archive) {
			if !strings.HasSuffix(name, "."+format) {
				continue
			}
			src := &record.Source{Name: name, Reader: bytes.NewReader(data), At: bytes.NewReader(data), Size: int64(len(data))}
			taken := 0
			for g, err := range f.Read(src) {
				if err != nil || g.Kind == "" || len(g.Nodes) < 2 || taken > 20 {
					break
				}
				says := 0
				for i := range g.Nodes {
					if n := &g.Nodes[i]; n.Next != 0 || i > 0 && n.Extra != nil && (n.Comment != "" || len(n.Props) > 0) {
						says++
					}
				}
				if says == 0 || len(g.Nodes) > 20_000 {
					continue
				}
				if taken++; !yield(g) {
					return
				}
			}
		}
	}
}

func roundTrip(t *testing.T, format string, g *record.Game) {
	t.Helper()
	want := study.NewLog(g).Tree().Game() // the same, its nodes in the order of a sheet
	bare := *g
	bare.Nodes, bare.Raw, bare.Faults = []record.Node{{}}, nil, nil
	l := study.NewLog(&bare)
	if _, err := l.Pen("aa", "").Copy(g, now); err != nil {
		t.Errorf("%s: %v", g.Place.File, err)
		return
	}
	there := study.NewLog(&bare)
	for _, o := range slices.Backward(l.Ops()) {
		there.Put(copied(t, o))
	}
	tree := there.Tree()
	got := tree.Game()
	if len(tree.Conflicts) > 0 || !bytes.Equal(record.AppendGame(nil, got), record.AppendGame(nil, want)) {
		t.Errorf("%s, game %d: comes back as another", g.Place.File, g.Place.Number)
		return
	}
	for _, f := range builtin.Formats() {
		if f.Info().Name != format || record.CheckWrite(f, want) != nil {
			continue
		}
		if write(t, format, got) != write(t, format, want) {
			t.Errorf("%s, game %d: is written as another", g.Place.File, g.Place.Number)
		}
	}
	// Copied once more, nothing is new.
	p := there.Pen("bb", "")
	if n, err := p.Copy(g, now); err != nil || n > 0 || len(p.Wrote) > 0 && format == "sgf" {
		t.Errorf("%s, game %d: copied again, %d nodes and %d operations are new (%v)", g.Place.File, g.Place.Number, n, len(p.Wrote), err)
	}
}

func FuzzOp(f *testing.F) {
	f.Add(`{"id":"aa.1","clock":1,"at":"2026-11-19T12:00:00Z","node":"r.0","key":"comment","value":"x"}`)
	f.Add(`{"id":"aa.1","clock":1,"at":"2026-11-19T12:00:00Z","node":"aa.1","value":"dd","side":1}`)
	f.Add(`{"id":"aa.2","clock":1,"at":"2026-11-19T12:00:00Z","node":"r.3","key":"sign/label/aa","value":"A","seen":{"bb":3}}`)
	g := game(f, "sgf", base)
	f.Fuzz(func(t *testing.T, text string) {
		var o study.Op
		if json.Unmarshal([]byte(text), &o) != nil || o.Check() != nil {
			return
		}
		l := study.NewLog(g)
		l.Put(&o)
		if len(l.Tree().Nodes) == 0 {
			t.Error("a sheet without a root")
		}
		first, again := told(l), told(l)
		if first != again {
			t.Error("told differently")
		}
	})
}

func FuzzBetween(f *testing.F) {
	f.Add("", "")
	f.Add("h1i", "h2i")
	f.Fuzz(func(t *testing.T, a, b string) {
		o := study.Op{ID: study.ID{Device: "aa", Seq: 1}, Clock: 1, Node: study.Root, Key: study.Rank, Value: a}
		p := o
		p.Value = b
		if o.Check() != nil || p.Check() != nil || a >= b {
			return
		}
		o.Value = study.Between(a, b)
		if len(a) < 990 && len(b) < 990 && o.Check() != nil || o.Value <= a || o.Value >= b {
			t.Errorf("between %q and %q: %q", a, b, o.Value)
		}
	})
}
