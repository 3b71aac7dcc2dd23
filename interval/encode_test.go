package interval

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"qipu/board"
)

// linesOf returns lines of all made-up games, and some odd ones.
func linesOf(rng *rand.Rand, each int) []Line {
	list := []Line{
		{End: 1},
		{End: 2, From: 1, Moves: []uint16{}},
		{End: MaxSlot + 2, Changes: []Change{{0, 1023, 255}, {MaxSlot, 0, 14}, {MaxSlot, 1, 15}}, Skips: []uint16{1, 2, 700, MaxSlot + 1}},
	}
	for _, a := range alphabets() {
		for range each {
			list = append(list, a.play(rng).Line)
		}
	}
	return list
}

// sameLine compares lines; empty lists and none are the same but for moves.
func sameLine(x, y *Line) bool {
	return x.End == y.End && x.From == y.From && slices.Equal(x.Skips, y.Skips) && slices.Equal(x.Changes, y.Changes) &&
		slices.Equal(x.Moves, y.Moves) && (x.Moves == nil) == (y.Moves == nil)
}

// TestEncode writes lines and reads them back, with one line for all.
func TestEncode(t *testing.T) {
	var got Line
	for i, l := range linesOf(rand.New(rand.NewPCG(1, 1)), 200) {
		if err := l.Check(1024, 255); err != nil {
			t.Fatal(err)
		}
		data := AppendLine([]byte("before"), &l)[6:]
		if err := DecodeLine(data, &got); err != nil || !sameLine(&got, &l) {
			t.Fatalf("line %d: %+v reads back as %+v: %v", i, l, got, err)
		}
		for n := range data {
			if DecodeLine(data[:n:n], &got) == nil {
				t.Fatalf("line %d: %d of %d bytes are a line", i, n, len(data))
			}
		}
		if DecodeLine(append(data, 0), &got) == nil {
			t.Fatalf("line %d: a byte too many is a line", i)
		}
	}
}

// TestEncodeLaws gives DecodeLine the bytes of lines that break a law.
func TestEncodeLaws(t *testing.T) {
	good := Line{End: 9, From: 2, Skips: []uint16{1, 5}, Changes: []Change{{0, 3, 1}, {0, 4, 1}, {0, 5, 2}, {2, 3, 0}, {6, 3, 2}}}
	var got Line
	if err := DecodeLine(AppendLine(nil, &good), &got); err != nil || !reflect.DeepEqual(got, good) {
		t.Fatalf("%+v: %v", got, err)
	}
	for name, change := range map[string]func(l *Line){
		"no end":               func(l *Line) { l.End, l.From, l.Skips, l.Changes = 0, 0, nil, nil },
		"no position":          func(l *Line) { l.From = 9 },
		"a skip at the end":    func(l *Line) { l.Skips[1] = 9 },
		"a skip at the start":  func(l *Line) { l.From = 5 },
		"a change in a skip":   func(l *Line) { l.Changes[3].Slot = 5 },
		"a change at the end":  func(l *Line) { l.Changes[4].Slot = 9 },
		"a change far behind":  func(l *Line) { l.Changes[4].Slot = 60000 },
		"a point twice":        func(l *Line) { l.Changes[1].Point = 3 },
		"a point twice, apart": func(l *Line) { l.Changes[2].Point = 3 },
		"an end too far":       func(l *Line) { l.End = 1<<16 - 1 },
	} {
		bad := good
		bad.Skips, bad.Changes = slices.Clone(good.Skips), slices.Clone(good.Changes)
		change(&bad)
		if err := DecodeLine(AppendLine(nil, &bad), &got); err == nil {
			t.Errorf("%s: %+v is read as %+v", name, bad, got)
		}
	}
}

// TestTakes checks which lines a builder takes.
func TestTakes(t *testing.T) {
	drop, move := NewBuilder(9, []uint8{0, 1}, false), NewBuilder(9, []uint8{0, 1}, true)
	for _, c := range []struct {
		line       Line
		drop, move bool
	}{
		{Line{End: 1}, true, true},
		{Line{End: 1, Changes: []Change{{0, 8, 2}}}, true, true},
		{Line{End: 1, Changes: []Change{{0, 9, 1}}}, false, false},
		{Line{End: 1, Changes: []Change{{0, 0, 3}}}, false, false},
		{Line{End: 2, Moves: []uint16{NoMove, 8<<8 | 8}}, false, true},
		{Line{End: 2, Moves: []uint16{9 << 8}}, false, false},
		{Line{End: 2, Moves: []uint16{9}}, false, false},
	} {
		if drop.Takes(&c.line) != c.drop || move.Takes(&c.line) != c.move {
			t.Errorf("%+v is taken: %t, where pieces move %t", c.line, drop.Takes(&c.line), move.Takes(&c.line))
		}
	}
}

// FuzzDecodeLine states the laws that what is read keeps those of Line, and that
// it is read again as it was.
func FuzzDecodeLine(f *testing.F) {
	for _, l := range linesOf(rand.New(rand.NewPCG(2, 2)), 3) {
		f.Add(AppendLine(nil, &l))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var l, again Line
		if DecodeLine(data, &l) != nil {
			return
		}
		if err := l.Check(1024, 255); err != nil {
			t.Fatalf("%+v: %v", l, err)
		}
		if err := DecodeLine(AppendLine(nil, &l), &again); err != nil || !sameLine(&l, &again) {
			t.Fatalf("%+v reads back as %+v: %v", l, again, err)
		}
	})
}

// goLines returns lines as long as games of Go are, with some captures, encoded.
func goLines(n int) (list [][]byte) {
	rng := rand.New(rand.NewPCG(3, 3))
	for range n {
		l := Line{End: uint16(180 + rng.IntN(120))}
		free := rng.Perm(361)
		for slot := uint16(1); slot < l.End; slot++ {
			l.Changes = append(l.Changes, Change{slot, uint16(free[slot]), board.Piece(2 - slot&1)})
			if slot > 20 && rng.IntN(25) == 0 {
				l.Changes = append(l.Changes, Change{slot, uint16(free[slot-15]), board.Empty})
			}
		}
		list = append(list, AppendLine(nil, &l))
	}
	return list
}

// BenchmarkDecodeBlock makes a block of lines that come one by one, as a store
// on other machines does.
func BenchmarkDecodeBlock(b *testing.B) {
	lines := goLines(Lanes)
	size := 0
	for _, data := range lines {
		size += len(data)
	}
	build := NewBuilder(361, []uint8{0, 1}, false)
	var l Line
	for b.Loop() {
		build.Reset()
		for _, data := range lines {
			if err := DecodeLine(data, &l); err != nil || !build.Takes(&l) {
				b.Fatal("a damaged line")
			}
			build.Add(&l)
		}
		if _, err := Open(build.Bytes()); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(size)/Lanes, "bytes/line")
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/Lanes, "ns/line")
}
