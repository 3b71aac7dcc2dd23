package interval

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"qipu/board"
	"qipu/game"
	"qipu/internal/testkit"
	"qipu/pattern"
)

func TestMask(t *testing.T) {
	var m Mask
	if !m.Empty() || m.Count() != 0 {
		t.Error("the zero mask is not empty")
	}
	want := map[int]bool{0: true, 63: true, 64: true, 300: true, 511: true}
	for lane := range want {
		m.Set(lane)
	}
	for lane := range Lanes {
		if m.Has(lane) != want[lane] {
			t.Errorf("lane %d: %v", lane, m.Has(lane))
		}
	}
	if m.Empty() || m.Count() != len(want) {
		t.Errorf("%d lanes", m.Count())
	}
	for _, n := range []int{1, 63, 64, 65, 511, 512} {
		all := (&Block{N: n}).All()
		if all.Count() != n || !all.Has(n-1) || n < Lanes && all.Has(n) {
			t.Errorf("all of %d lanes are %d", n, all.Count())
		}
	}
}

func TestNextSlot(t *testing.T) {
	for _, c := range []struct {
		after uint16
		side  game.Side
		want  uint16
	}{
		{0, game.First, 1}, {0, game.Second, 2}, {1, game.Second, 2}, {1, game.First, 3}, {2, game.First, 3}, {2, game.Second, 4},
	} {
		if got := NextSlot(c.after, c.side); got != c.want || Mover(got) != c.side {
			t.Errorf("side %d behind slot %d moves on %d, want %d", c.side, c.after, got, c.want)
		}
	}
}

func TestCheck(t *testing.T) {
	for _, c := range []struct {
		want string
		line Line
	}{
		{"", Line{End: 1}},
		{"", Line{End: 3, Changes: []Change{{0, 0, 1}, {1, 0, 0}, {2, 8, 2}}}},
		{"slot 1 after slot 2", Line{End: 3, Changes: []Change{{2, 0, 1}, {1, 1, 1}}}},
		{"point 9", Line{End: 3, Changes: []Change{{1, 9, 1}}}},
		{"piece 3", Line{End: 3, Changes: []Change{{1, 0, 3}}}},
		{"behind the end", Line{End: 3, Changes: []Change{{3, 0, 1}}}},
		{"twice", Line{End: 3, Changes: []Change{{1, 0, 1}, {1, 0, 2}}}},
		{"skipped", Line{End: 4, Skips: []uint16{2}, Changes: []Change{{2, 0, 1}}}},
		{"skipped", Line{End: 4, Skips: []uint16{2}, From: 2}},
		{"slot 2 is skipped after slot 2", Line{End: 4, Skips: []uint16{2, 2}}},
		{"slot 4 is skipped", Line{End: 4, Skips: []uint16{4}}},
		{"between the slots 4 and 4", Line{End: 4, From: 4}},
		{"no position", Line{}},
	} {
		err := c.line.Check(9, 2)
		if (err == nil) != (c.want == "") || err != nil && (!strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "interval: ")) {
			t.Errorf("%+v: %v, want %q", c.line, err, c.want)
		}
	}
}

// TestFull checks that a block refuses what does not fit and stays as it is.
func TestFull(t *testing.T) {
	build := NewBuilder(4, []uint8{0, 1}, false)
	line := Line{End: 3, Changes: []Change{{1, 2, 1}, {2, 3, 2}}}
	for i := range Lanes {
		if lane, ok := build.Add(&line); lane != i || !ok {
			t.Fatalf("line %d: lane %d, %v", i, lane, ok)
		}
	}
	if _, ok := build.Add(&line); ok || !build.Full() || build.Len() != Lanes {
		t.Error("a full block takes another line")
	}
	build.Reset()
	if build.Len() != 0 || build.Full() {
		t.Error("an empty builder is not empty")
	}
	build.Add(&Line{End: 1})
	b, err := Open(build.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	for pt := range 4 {
		for p := board.Piece(1); p <= 2; p++ {
			if m := b.Ever(pt, p); !m.Empty() {
				t.Errorf("piece %d on point %d of an empty line", p, pt)
			}
		}
	}
}

// TestManyChanges checks lines that change one point as often as can be: what a
// block cannot list goes to the next one.
func TestManyChanges(t *testing.T) {
	busy := Line{End: MaxSlot + 1}
	for slot := uint16(0); slot <= MaxSlot; slot++ {
		busy.Changes = append(busy.Changes, Change{slot, 0, board.Piece(slot % 2)})
	}
	// One change that no byte can tell.
	late := Line{End: MaxSlot + 1, Changes: []Change{{MaxSlot, 0, 2}}}
	build := NewBuilder(2, []uint8{0, 1}, false)
	var lines []Line
	for _, l := range []*Line{&busy, &late, &late, &late, &late, &late, &busy} {
		if _, ok := build.Add(l); ok {
			lines = append(lines, *l)
		}
	}
	if len(lines) < 3 || len(lines) > 4 {
		t.Fatalf("%d lines fit", len(lines))
	}
	b, err := Open(build.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	for lane, l := range lines {
		if got := b.Line(lane); !slices.Equal(got.Changes, l.Changes) {
			t.Errorf("lane %d has %d changes, want %d", lane, len(got.Changes), len(l.Changes))
		}
	}
}

// TestForeign checks masks with lanes that a block does not have, and programs
// for other boards.
func TestForeign(t *testing.T) {
	a := alphabets()[0]
	_, b := a.block(t, rand.New(rand.NewPCG(1, 1)), 3)
	p := &pattern.Pattern{Size: board.Size{W: 1, H: 1}, Cells: []pattern.Set{pattern.Empty}, To: -1}
	var m Matcher
	for _, turn := range []pattern.Turn{pattern.AnyTurn, pattern.FirstToMove} {
		p.Turn = turn
		places, err := pattern.Compile(p, a.board)
		if err != nil {
			t.Fatal(err)
		}
		var everything Mask
		for i := range everything {
			everything[i] = ^uint64(0)
		}
		all := b.All()
		program := Compile(places, p, b.Points, b.Kinds)
		got, want := m.AppendHits(nil, b, program, &everything), m.AppendHits(nil, b, program, &all)
		if len(want) == 0 || !slices.Equal(got, want) {
			t.Errorf("%d hits in all lanes there may be, %d in those there are", len(got), len(want))
		}
		if hits := m.AppendHits(nil, b, Compile(places, p, b.Points+1, b.Kinds), &all); len(hits) > 0 {
			t.Errorf("%d hits on another board", len(hits))
		}
	}
}

// programs are patterns for every board that the blocks of tests have.
func programs(t testing.TB) (list []*Program) {
	t.Helper()
	for _, a := range alphabets() {
		rng := rand.New(rand.NewPCG(3, 3))
		lines := []*played{a.play(rng), a.play(rng), a.play(rng)}
		for len(list)%6 != 5 {
			p := a.randomPattern(rng, lines)
			p.Mirror, p.Swap = true, true
			if places, err := pattern.Compile(p, a.board); err == nil {
				list = append(list, Compile(places, p, a.board.Size.Area(), a.board.Kinds))
			}
		}
		p := &pattern.Pattern{Size: board.Size{W: 1, H: 1}, Cells: []pattern.Set{pattern.Empty}, Turn: pattern.FirstToMove, To: -1}
		places, err := pattern.Compile(p, a.board)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, Compile(places, p, a.board.Size.Area(), a.board.Kinds))
	}
	return list
}

// useAll does with a block all that can be done.
func useAll(t testing.TB, b *Block, list []*Program) {
	for lane := range b.N {
		l := b.Line(lane)
		if l.End != b.End(lane) || l.From != b.From(lane) {
			t.Fatalf("lane %d: %d to %d", lane, l.From, l.End)
		}
		b.Plies(lane)
		b.Ply(lane, 1<<16-1)
	}
	for pt := range b.Points {
		for p := 1; p <= b.Kinds; p++ {
			b.Ever(pt, board.Piece(p))
		}
	}
	var m Matcher
	var everything Mask
	for i := range everything {
		everything[i] = ^uint64(0)
	}
	for _, program := range list {
		hits := m.AppendHits(nil, b, program, &everything)
		for _, h := range hits {
			if int(h.Lane) >= b.N {
				t.Fatalf("a hit in lane %d of %d", h.Lane, b.N)
			}
		}
		for _, h := range hits[:min(len(hits), 20)] {
			b.Next(&program.Placements[h.Placement], int(h.Lane), h.Slot)
			b.Next(&program.Placements[h.Placement], int(h.Lane), 1<<16-1)
		}
	}
	useMoments(t, b, list)
}

// useMoments does with a block all that can be done with moments.
func useMoments(t testing.TB, b *Block, list []*Program) {
	var m Matcher
	var everything Mask
	for i := range everything {
		everything[i] = ^uint64(0)
	}
	whole := Whole(nil, b, &everything)
	dot := &pattern.Pattern{Size: board.Size{W: 1, H: 1}, Cells: []pattern.Set{pattern.Empty}}
	last := append(AppendTurn(nil, b, &everything, game.First), AppendPly(nil, b, &everything, 1, 3)...)
	for _, c := range []Counter{
		{Set: pattern.Of(1), Points: []uint16{0, 1, 2}, High: 1}, {Set: pattern.AnyOn(2), Points: []uint16{uint16(b.Points - 1)}, Low: 1, High: 1},
	} {
		last = append(last, m.AppendCount(nil, b, &c, &everything)...)
	}
	for i, program := range list {
		placed := m.AppendSpans(nil, b, program, &everything)
		if len(placed) == 0 || i%3 > 0 { // few of them: this is done with many blocks
			continue
		}
		placed = append(placed, m.AppendFollowed(nil, b, NewFollow(Half{dot, program.Placements}, []FollowStep{{}}, pattern.Board{Size: board.Size{W: b.Points, H: 1}}), placed)...)
		moments := m.Merge(nil, b, placed)
		moments = m.AppendMoments(moments[:0], b, program, &everything)
		other := Complement(nil, b, &everything, moments)
		moments = Unite(nil, Then(nil, b, moments, whole, 2), Intersect(nil, other, whole))
		last = append(last, Own(nil, b, Longer(nil, b, moments, 2))...)
	}
	for _, s := range last {
		if int(s.Lane) >= b.N || s.From >= s.To {
			t.Fatalf("%+v in a block of %d lanes", s, b.N)
		}
	}
}

// seeds are small blocks of every kind.
func seeds(t testing.TB) (list [][]byte) {
	for i, a := range alphabets() {
		if a.long {
			continue
		}
		_, b := a.block(t, rand.New(rand.NewPCG(4, uint64(i))), 1+3*i)
		list = append(list, b.Bytes())
	}
	return list
}

// TestDamaged changes bytes of good blocks: Open refuses them, or what they say
// is nonsense, but nothing fails.
func TestDamaged(t *testing.T) {
	list := programs(t)
	rng := rand.New(rand.NewPCG(5, 5))
	opened, refused := 0, 0
	for _, good := range seeds(t) {
		for n := range len(good) {
			if n > 600 && n%97 != 0 {
				continue
			}
			if _, err := Open(good[:n]); err == nil && n < len(good)-7 {
				t.Fatalf("%d of %d bytes are a block", n, len(good))
			}
		}
		for range testkit.Scale(150, 20000) {
			data := slices.Clone(good)
			for range 1 + rng.IntN(6) {
				at := rng.IntN(len(data))
				switch rng.IntN(3) {
				case 0:
					at = rng.IntN(min(len(data), 400)) // header, ends, skips
				case 1:
					at = len(data) - 1 - rng.IntN(len(data)/2) // the directory and behind
				}
				data[at] = []byte{0, 1, 255, data[at] + 1, byte(rng.Uint32())}[rng.IntN(5)]
			}
			b, err := Open(data)
			if err != nil {
				refused++
				continue
			}
			opened++
			useAll(t, b, list)
		}
	}
	if opened == 0 || refused == 0 {
		t.Errorf("%d blocks open, %d are refused: the test has become empty", opened, refused)
	}
}

// FuzzOpen states the law that bytes which open as a block never fail later.
func FuzzOpen(f *testing.F) {
	for _, data := range seeds(f) {
		f.Add(data)
	}
	list := programs(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		kept := bytes.Clone(data)
		b, err := Open(data)
		if err != nil {
			if b != nil {
				t.Fatal("a block beside an error")
			}
			return
		}
		useAll(t, b, list)
		if !bytes.Equal(data, kept) || !bytes.Equal(b.Bytes(), kept) {
			t.Fatal("the bytes of a block changed")
		}
	})
}

// TestAllocations checks that looking for a pattern takes no memory once the
// buffers have grown.
func TestAllocations(t *testing.T) {
	for i, a := range alphabets() {
		rng := rand.New(rand.NewPCG(6, uint64(i)))
		lines, b := a.block(t, rng, 100)
		all := b.All()
		var m Matcher
		var hits []Hit
		found := 0
		for range 20 {
			p := a.randomPattern(rng, lines)
			places, err := pattern.Compile(p, a.board)
			if err != nil {
				continue
			}
			program := Compile(places, p, b.Points, b.Kinds)
			hits = m.AppendHits(hits[:0], b, program, &all)
			found += len(hits)
			if n := testing.AllocsPerRun(3, func() { hits = m.AppendHits(hits[:0], b, program, &all) }); n > 0 {
				t.Errorf("%s: %v allocations", a.name, n)
			}
		}
		if found == 0 {
			t.Errorf("%s: no hits", a.name)
		}
	}
}

// TestLastByte checks arrivals around the last slot that a byte can tell.
func TestLastByte(t *testing.T) {
	build := NewBuilder(1, []uint8{0, 1}, false)
	var want []Change
	for slot := uint16(lastByte - 4); slot <= lastByte+4; slot++ {
		for p := board.Piece(1); p <= 2; p++ {
			c := Change{slot, 0, p}
			build.Add(&Line{End: 600, Changes: []Change{c}})
			want = append(want, c)
		}
	}
	b, err := Open(build.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	region := &pattern.Placement{Region: []uint16{0}}
	for lane, c := range want {
		if got := b.Line(lane).Changes; !slices.Equal(got, []Change{c}) {
			t.Errorf("%+v reads back as %+v", c, got)
		}
		for after := c.Slot - 3; after < c.Slot+3; after++ {
			n := Next{}
			if after < c.Slot {
				n = Next{Slot: c.Slot, Piece: c.Piece, From: -1, Direct: after+1 == c.Slot}
			}
			if got := b.Next(region, lane, after); got != n {
				t.Errorf("behind slot %d comes %+v, want %+v", after, got, n)
			}
		}
	}
}

// TestHanging lays patterns over the edges, so that what is left of one picture
// looks the same at places far from each other.
func TestHanging(t *testing.T) {
	a := alphabets()[1]
	rng := rand.New(rand.NewPCG(10, 10))
	lines, b := a.block(t, rng, 70)
	all := b.All()
	var m Matcher
	for set := pattern.Empty; set < pattern.AnyOn(2); set++ {
		loose := pattern.AnyOn(2) | pattern.Off
		for _, cells := range [][]pattern.Set{
			{loose, set | pattern.Off, set | pattern.Off, loose},
			{set | pattern.Off, set | pattern.Off, set | pattern.Off, set | pattern.Off},
			{pattern.Off, set | pattern.Off, set, loose},
		} {
			p := &pattern.Pattern{Size: board.Size{W: 2, H: 2}, Cells: cells, To: -1, Mirror: true, Swap: true}
			places, err := pattern.Compile(p, a.board)
			if err != nil {
				t.Fatal(err)
			}
			got, want := m.AppendHits(nil, b, Compile(places, p, b.Points, b.Kinds), &all), naive(p, places, lines, &all)
			if !slices.Equal(got, want) || len(want) == 0 {
				t.Errorf("%v: %d hits, want %d", cells, len(got), len(want))
			}
		}
	}
}

// TestNoKinds keeps lines of a game that has no pieces on points: they end, and
// nothing arrives.
func TestNoKinds(t *testing.T) {
	b := NewBuilder(16, nil, false)
	for n := range 5 {
		if lane, ok := b.Add(&Line{End: uint16(4 + n), Skips: []uint16{2}}); !ok || lane != n {
			t.Fatalf("line %d has lane %d, %v", n, lane, ok)
		}
	}
	block, err := Open(b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	for lane := range 5 {
		if l := block.Line(lane); int(l.End) != 4+lane || len(l.Changes) != 0 || !slices.Equal(l.Skips, []uint16{2}) {
			t.Errorf("lane %d: %+v", lane, l)
		}
	}
}
