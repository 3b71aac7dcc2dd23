package eval

import (
	"bytes"
	"errors"
	"math/bits"
	"math/rand/v2"
	"testing"

	"qipu/game/othello"
)

// walkRandom plays random games and calls visit before every move, with the
// square and what it turns over; -1 is a pass.
func walkRandom(seed uint64, games int, visit func(own, opp uint64, square int, turned uint64)) {
	rng := rand.New(rand.NewPCG(seed, 1))
	for range games {
		own, opp := uint64(1<<28|1<<35), uint64(1<<27|1<<36)
		for {
			legal := othello.Movable(own, opp)
			if legal == 0 {
				if othello.Movable(opp, own) == 0 {
					break
				}
				visit(own, opp, -1, 0)
				own, opp = opp, own
				continue
			}
			for range rng.IntN(bits.OnesCount64(legal)) {
				legal &= legal - 1
			}
			sq := bits.TrailingZeros64(legal)
			turned := othello.Flips(own, opp, uint(sq))
			visit(own, opp, sq, turned)
			own, opp = opp&^turned, own|turned|1<<sq
		}
	}
}

func turnAll(set uint64, s int) (to uint64) {
	for ; set != 0; set &= set - 1 {
		to |= 1 << turn(bits.TrailingZeros64(set), s)
	}
	return to
}

func TestEvaluateSymmetric(t *testing.T) {
	distinct := map[int]bool{}
	walkRandom(1, 20, func(own, opp uint64, _ int, _ uint64) {
		want := Trained().Evaluate(own, opp)
		distinct[want] = true
		for s := 1; s < 8; s++ {
			if got := Trained().Evaluate(turnAll(own, s), turnAll(opp, s)); got != want {
				t.Fatalf("symmetry %d of %x %x: %d, want %d", s, own, opp, got, want)
			}
		}
	})
	if len(distinct) < 500 {
		t.Errorf("only %d different values: are there weights?", len(distinct))
	}
}

func TestFeaturesKept(t *testing.T) {
	w := Trained()
	var kept Features
	walkRandom(2, 50, func(own, opp uint64, square int, turned uint64) {
		if bits.OnesCount64(own|opp) == 4 {
			kept.Set(own, opp)
		}
		empties := 64 - bits.OnesCount64(own|opp)
		if got, want := kept.Score(w, empties), Trained().Evaluate(own, opp); got != want {
			t.Fatalf("%x %x: kept features give %d, fresh ones %d", own, opp, got, want)
		}
		if square < 0 {
			kept.Pass()
			return
		}
		var next Features
		next.Move(&kept, square, turned)
		kept = next
	})
}

// TestPlaces holds the layout against what it is said to be.
func TestPlaces(t *testing.T) {
	at, lanes := 0, 0
	for p := range shapes {
		places := placesOf(p)
		lanes += len(places)
		if lay.start[p] != at {
			t.Errorf("pattern %d starts at %d, want %d", p, lay.start[p], at)
		}
		at += lay.size[p]
		if mirror := mirrorOf(p); (mirror == nil) != (len(places) == 8) {
			t.Errorf("pattern %d has %d places, and the mirror %v", p, len(places), mirror)
		}
	}
	if at != cells || lanes != Instances {
		t.Errorf("%d configurations and %d places, want %d and %d", at, lanes, cells, Instances)
	}
	// A full board of one side and of the other are the ends of every index.
	var f Features
	f.Set(^uint64(0), 0)
	if f.index != lay.full {
		t.Errorf("own discs everywhere: %x", f.index)
	}
	f.Set(0, ^uint64(0))
	if f.index != [words]uint64{} {
		t.Errorf("opposing discs everywhere: %x", f.index)
	}
}

func TestAppendFeatures(t *testing.T) {
	w := Trained()
	m := w.model
	walkRandom(3, 3, func(own, opp uint64, _ int, _ uint64) {
		empties := 64 - bits.OnesCount64(own|opp)
		a, b, share := Blend(empties)
		sum := float64(m.Base[empties])
		list := AppendFeatures(nil, own, opp)
		if len(list) != Instances {
			t.Fatalf("%d features", len(list))
		}
		for _, f := range list {
			sum += Quantum * (float64(m.At[a][f])*(1-share) + float64(m.At[b][f])*share)
		}
		// Every mixed weight is rounded to a hundredth, and the share to 1/256.
		if d := sum - float64(Trained().Evaluate(own, opp)); d > 40 || d < -40 {
			t.Errorf("%x %x: the sum of the features is off by %v", own, opp, d)
		}
	})
	seen := map[int]int{}
	for _, g := range Groups() {
		for _, c := range g {
			seen[c]++
		}
	}
	if len(seen) != Instances {
		t.Errorf("the groups have %d columns, want %d", len(seen), Instances)
	}
}

func TestWeightsFile(t *testing.T) {
	if len(embedded) > 2<<20 {
		t.Errorf("the weights take %d bytes, want at most 2 MiB", len(embedded))
	}
	var b bytes.Buffer
	n, err := Trained().model.WriteTo(&b)
	if err != nil || n != int64(b.Len()) {
		t.Fatal(n, err)
	}
	again, err := ReadWeights(&b)
	if err != nil {
		t.Fatal(err)
	}
	for k, list := range Trained().model.At {
		for i, v := range list {
			if again.model.At[k][i] != v {
				t.Fatalf("knot %d, weight %d: %d has become %d", k, i, v, again.model.At[k][i])
			}
		}
	}
	if again.model.Base != Trained().model.Base {
		t.Error("the constants have changed")
	}
}

func TestExtremeWeights(t *testing.T) {
	m := NewModel()
	for k := range m.At {
		for i := range m.At[k] {
			m.At[k][i] = int16((i*7919 + k*104729) % 8001)
			if i%2 == 0 {
				m.At[k][i] *= -1
			}
		}
	}
	var b bytes.Buffer
	if _, err := m.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	w, err := ReadWeights(&b)
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range w.model.At[7] {
		if v != m.At[7][i] {
			t.Fatalf("weight %d: %d has become %d", i, m.At[7][i], v)
		}
	}
	walkRandom(4, 2, func(own, opp uint64, _ int, _ uint64) {
		if v := w.Evaluate(own, opp); v > Most || v < -Most {
			t.Errorf("%x %x: %d", own, opp, v)
		}
	})
}

func TestDamagedWeights(t *testing.T) {
	for _, n := range []int{0, 3, 4, 5, 20, 100, 150, 160, len(embedded) / 2, len(embedded) - 1} {
		if _, err := decode(embedded[:n]); !errors.Is(err, ErrWeights) {
			t.Errorf("the first %d bytes: %v", n, err)
		}
	}
	rng := rand.New(rand.NewPCG(5, 5))
	for range 40 {
		bad := bytes.Clone(embedded)
		// The constants alone have no checksum.
		at := 160 + rng.IntN(len(bad)-160)
		if rng.IntN(3) == 0 {
			at = rng.IntN(6 + Knots + 4)
		}
		bad[at] ^= byte(1 + rng.IntN(255))
		if _, err := decode(bad); !errors.Is(err, ErrWeights) {
			t.Errorf("byte %d changed: %v", at, err)
		}
	}
	if _, err := NewWeights(new(Model)); err == nil {
		t.Error("a model without weights was taken")
	}
}

func FuzzReadWeights(f *testing.F) {
	f.Add(embedded[:200])
	f.Add([]byte(magic))
	f.Fuzz(func(_ *testing.T, data []byte) { _, _ = decode(data) }) // no data makes it panic
}

// TestLanes holds the routine of the processor against that in Golang.
func TestLanes(t *testing.T) {
	if !lanes {
		t.Skip("this processor has no lanes of 64 bits")
	}
	rng := rand.New(rand.NewPCG(9, 9))
	walkRandom(9, 100, func(own, opp uint64, square int, turned uint64) {
		if square < 0 {
			return
		}
		var from, got, want Features
		from.Set(own, opp)
		from.flip = rng.IntN(2) == 0
		moveLanes(&got, &from, &lay, square, turned)
		want.movePlain(&from, square, turned)
		if got != want {
			t.Fatalf("%x %x: %+v, want %+v", own, opp, got, want)
		}
	})
}

func TestEvaluationAllocates(t *testing.T) {
	w := Trained()
	var f, g Features
	f.Set(1<<28|1<<35, 1<<27|1<<36)
	if n := testing.AllocsPerRun(100, func() {
		g.Move(&f, 19, 1<<27)
		g.Score(w, 59)
	}); n != 0 {
		t.Errorf("%v allocations a move", n)
	}
}

// midgame lists positions of random games with half of the board empty, so that
// benchmarks meet the tables as a search does.
func midgame() (list []Features) {
	walkRandom(8, 200, func(own, opp uint64, square int, _ uint64) {
		if e := 64 - bits.OnesCount64(own|opp); e == 30 {
			var f Features
			f.Set(own, opp)
			list = append(list, f)
		}
	})
	return list
}

func BenchmarkScore(b *testing.B) {
	w, list := Trained(), midgame()
	i, sum := 0, 0
	for b.Loop() {
		sum += list[i].Score(w, 30)
		if i++; i == len(list) {
			i = 0
		}
	}
	_ = sum
}

func BenchmarkMove(b *testing.B) {
	list := midgame()
	i := 0
	var to Features
	for b.Loop() {
		to.Move(&list[i], 19, 1<<27|1<<35|1<<20)
		if i++; i == len(list) {
			i = 0
		}
	}
}

func BenchmarkSet(b *testing.B) {
	var f Features
	for b.Loop() {
		f.Set(0x00003C1C3E1E0C00, 0x003C40E0C0E03000)
	}
}

func BenchmarkReadWeights(b *testing.B) {
	for b.Loop() {
		if _, err := ReadWeights(bytes.NewReader(embedded)); err != nil {
			b.Fatal(err)
		}
	}
}
