package prior

import (
	"bytes"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"qipu/board"
	"qipu/game"
	"qipu/game/weiqi"
)

func loaded(t testing.TB) *Model {
	t.Helper()
	m, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// rulesFor returns plain rules for a size.
func rulesFor(t testing.TB, w, h int) *weiqi.Rules {
	t.Helper()
	r, err := weiqi.New(weiqi.Options{Size: board.Size{W: w, H: h}})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// wander plays n moves that the model likes, with some that it does not, so that
// there are captures and kos, and returns them.
func wander(t testing.TB, m *Model, b *Board, rng *rand.Rand, n int) (moves []game.Move) {
	t.Helper()
	var list []Guess
	for range n {
		list = m.Predict(list[:0], b)
		if len(list) == 0 {
			break
		}
		at := 0
		if rng.IntN(3) == 0 {
			at = rng.IntN(len(list))
		}
		move := game.Drop(list[at].Point)
		if err := b.Play(move); err != nil {
			t.Fatal(err)
		}
		moves = append(moves, move)
	}
	return moves
}

// byPoint returns the guesses as a table.
func byPoint(list []Guess) map[board.Point]float64 {
	table := make(map[board.Point]float64, len(list))
	for _, g := range list {
		table[g.Point] = g.P
	}
	return table
}

// TestPredictIsADistribution checks on boards of all sizes that the guesses are
// the legal points, in order, and add up to 1.
func TestPredictIsADistribution(t *testing.T) {
	m := loaded(t)
	var b Board
	for _, size := range [][2]int{{19, 19}, {9, 9}, {13, 7}, {25, 25}, {2, 2}, {1, 1}} {
		rng := rand.New(rand.NewPCG(uint64(size[0]), 4))
		b.Reset(rulesFor(t, size[0], size[1]).Start().(*weiqi.Position))
		for range 60 {
			list := m.Predict(nil, &b)
			sum := 0.0
			for i, g := range list {
				sum += g.P
				if b.pos.Check(game.Drop(g.Point)) != nil || i > 0 && g.P > list[i-1].P {
					t.Fatalf("%v: guess %d is %v", size, i, g)
				}
			}
			legal := b.pos.CountMoves() - 1
			if b.pos.Outcome().State != game.Ongoing {
				legal = 0
			}
			if len(list) != legal || legal > 0 && math.Abs(sum-1) > 1e-9 {
				t.Fatalf("%v: %d guesses of %d points, sum %v", size, len(list), legal, sum)
			}
			if len(wander(t, m, &b, rng, 1)) == 0 {
				break
			}
		}
	}
}

// TestSymmetries checks that a position through every symmetry, with colours as
// they are and exchanged, has the same probabilities, to the last bit.
func TestSymmetries(t *testing.T) {
	m := loaded(t)
	for _, size := range [][2]int{{19, 19}, {11, 8}} {
		r := rulesFor(t, size[0], size[1])
		var b, c Board
		b.Reset(r.Start().(*weiqi.Position))
		moves := wander(t, m, &b, rand.New(rand.NewPCG(2, 2)), 70)
		want := byPoint(m.Predict(nil, &b))
		for _, sym := range r.Size().Symmetries() {
			for swap := range 2 {
				start := r.Start().(*weiqi.Position)
				if swap == 1 {
					setup := game.NewSetup(r)
					setup.Turn = weiqi.White
					p, err := r.Arrange(setup)
					if err != nil {
						t.Fatal(err)
					}
					start = p.(*weiqi.Position)
				}
				c.Reset(start)
				for _, move := range moves {
					if err := c.Play(move.Transform(r.Size(), sym)); err != nil {
						t.Fatal(err)
					}
				}
				list := m.Predict(nil, &c)
				if len(list) != len(want) {
					t.Fatalf("%v %v: %d guesses, want %d", size, sym, len(list), len(want))
				}
				for _, g := range list {
					at := sym.Inverse().Apply(r.Size(), g.Point)
					if math.Abs(want[at]-g.P) > 1e-12 {
						t.Fatalf("%v %v swap %d: %v has %v, want %v", size, sym, swap, g.Point, g.P, want[at])
					}
				}
			}
		}
	}
}

// TestFollows checks that a board that follows moves, and takes some back, tells
// the same as one made for the position.
func TestFollows(t *testing.T) {
	m := loaded(t)
	for _, size := range [][2]int{{19, 19}, {7, 7}} {
		r := rulesFor(t, size[0], size[1])
		rng := rand.New(rand.NewPCG(7, uint64(size[0])))
		var b, fresh Board
		b.Reset(r.Start().(*weiqi.Position))
		var moves []game.Move
		taken := 0
		for range 120 {
			moves = append(moves, wander(t, m, &b, rng, 1)...)
			if rng.IntN(3) == 0 {
				n := rng.IntN(min(6, len(moves)+1))
				for range n {
					b.Undo()
				}
				moves = moves[:len(moves)-n]
				taken += n
			}
			p, err := r.Arrange(game.SetupOf(b.Position()))
			if err != nil {
				t.Fatal(err)
			}
			fresh.Reset(p.(*weiqi.Position), moves...)
			got, want := m.Predict(nil, &b), m.Predict(nil, &fresh)
			if !slices.Equal(got, want) {
				t.Fatalf("%v after %d moves: %v, fresh %v", size, len(moves), got[:min(3, len(got))], want[:min(3, len(want))])
			}
		}
		if taken == 0 || len(b.changes) == 0 {
			t.Error("nothing was taken back")
		}
	}
}

// TestContextsAreWhatTheySay changes one thing at a time and sees which
// families notice.
func TestContextsAreWhatTheySay(t *testing.T) {
	at := func(text string) board.Point {
		m, err := weiqi.Standard.ParseMove(nil, text, weiqi.GTP)
		if err != nil {
			t.Fatal(err)
		}
		return m.To()
	}
	read := func(p board.Point, moves ...string) (keys [Chains][Levels]Key) {
		var b Board
		b.Reset(weiqi.Standard.Start().(*weiqi.Position))
		for i, text := range moves {
			m := game.Pass
			if text != "" {
				m = game.Drop(at(text))
			}
			if err := b.Force(game.Side(i&1), m); err != nil {
				t.Fatal(err)
			}
		}
		b.Contexts(p, All, func(c Chain, level int, k Key) bool {
			if keys[c][level] != 0 {
				t.Errorf("family %d has two contexts of level %d", c, level)
			}
			keys[c][level] = k
			return true
		})
		return keys
	}
	k10 := at("K10")
	// A stone far away is seen by large discs alone, and its order by the
	// families that look for it.
	near, far := read(k10, "K9", "Q16"), read(k10, "K9", "Q17")
	for c := range Stones + 2 {
		if near[c][0] == 0 || near[c] != far[c] {
			t.Errorf("family %d sees a stone that no disc reaches", c)
		}
	}
	a, b := read(k10, "K9", "K8", "L9", "L8"), read(k10, "L9", "K8", "K9", "L8")
	if a[Stones] != b[Stones] || a[Liberties] != b[Liberties] || a[Last] != b[Last] {
		t.Error("the order of moves counts where it should not")
	}
	if a[Before] == b[Before] || a[Forward] == b[Forward] {
		t.Error("the move before the last is not seen")
	}
	b = read(k10, "K9", "L8", "L9", "K8")
	if a[Stones] != b[Stones] || a[Last] == b[Last] || a[Answer] == b[Answer] {
		t.Error("the last move is not seen, or by those who should not")
	}
	// K9 has four liberties, and three once White is on K8, which the disc of the
	// four neighbours does not reach.
	a, b = read(k10, "K9", "", "", ""), read(k10, "K9", "K8", "", "")
	if a[Stones][0] != b[Stones][0] || a[Liberties][0] == b[Liberties][0] {
		t.Error("liberties are not seen, or by those who should not")
	}
	// Passes leave no mark.
	if a[Last][0] != 0 || a[Answer][0] != 0 {
		t.Error("a pass is seen as a move")
	}
}

func TestNoAllocation(t *testing.T) {
	m := loaded(t)
	var b Board
	b.Reset(weiqi.Standard.Start().(*weiqi.Position))
	moves := wander(t, m, &b, rand.New(rand.NewPCG(5, 5)), 100)
	list := m.Predict(nil, &b)
	p := b.Position()
	if n := testing.AllocsPerRun(10, func() {
		b.Undo()
		list = m.Predict(list[:0], &b)
		if err := b.Play(moves[len(moves)-1]); err != nil {
			t.Fatal(err)
		}
		list = m.Predict(list[:0], &b)
	}); n != 0 {
		t.Errorf("%v allocations a move", n)
	}
	if n := testing.AllocsPerRun(10, func() { b.Reset(p, moves[98], moves[99]) }); n != 0 {
		t.Errorf("%v allocations for a new position", n)
	}
}

func TestFile(t *testing.T) {
	m := loaded(t)
	if m.Set() != All || m.Len() < 1_000_000 || m.Source() == "" {
		t.Errorf("families %b, %d contexts, source %q", m.Set(), m.Len(), m.Source())
	}
	if len(embedded) > 2_700_000 {
		t.Errorf("the weights take %d bytes", len(embedded))
	}
	rng := rand.New(rand.NewPCG(1, 9))
	for _, n := range []int{0, 1, 2, 1000} {
		var list []Key
		var weights []float32
		for range n {
			list = append(list, Key(rng.Uint64()))
		}
		v := NewVocabulary(list)
		for range v.Len() {
			weights = append(weights, float32(rng.NormFloat64()*3))
		}
		a := NewModel(All, v, weights, "a test")
		var file bytes.Buffer
		if _, err := a.WriteTo(&file); err != nil {
			t.Fatal(err)
		}
		b, err := ReadModel(bytes.NewReader(file.Bytes()))
		if err != nil {
			t.Fatal(err)
		}
		if a.Set() != b.Set() || a.Source() != b.Source() || !slices.Equal(a.weights, b.weights) || !slices.Equal(a.words.prints, b.words.prints) {
			t.Errorf("%d contexts do not come back as they were", n)
		}
		for _, k := range list {
			if b.words.value(k) == none || a.words.value(k) != b.words.value(k) {
				t.Fatalf("%x: %x and %x", k, a.words.value(k), b.words.value(k))
			}
		}
		data := file.Bytes()
		for i := range data {
			bad := slices.Clone(data)
			bad[i] ^= 0x41
			if m, err := ReadModel(bytes.NewReader(bad)); err == nil && m.Len() != n || err != nil && !errors.Is(err, ErrWeights) {
				t.Fatalf("byte %d of %d: %v", i, len(data), err)
			}
			if n == 1000 && i > 100 {
				break
			}
		}
	}
}

// FuzzReadModel: whatever a file holds, reading it gives a model or ErrWeights.
func FuzzReadModel(f *testing.F) {
	var file bytes.Buffer
	if _, err := NewModel(All, NewVocabulary([]Key{1 << 60, 5 << 40, 1 << 63}), []float32{1, -2, 3}, "x").WriteTo(&file); err != nil {
		f.Fatal(err)
	}
	f.Add(file.Bytes())
	f.Fuzz(func(t *testing.T, data []byte) {
		if _, err := ReadModel(bytes.NewReader(data)); err != nil && !errors.Is(err, ErrWeights) {
			t.Fatal(err)
		}
	})
}

// TestVocabularyMistakes measures how many contexts are taken for others.
func TestVocabularyMistakes(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	list := make([]Key, 20000)
	for i := range list {
		list[i] = Key(rng.Uint64())
	}
	v := NewVocabulary(list)
	for i, k := range list {
		if v.value(k) == none {
			t.Fatalf("key %d is lost", i)
		}
	}
	wrong := 0
	for range 1 << 18 {
		if v.value(Key(rng.Uint64())) != none {
			wrong++
		}
	}
	if rate := float64(wrong) / (1 << 18); rate > 1.2/(1<<spare) {
		t.Errorf("one of %.0f unknown contexts is taken for a known one", 1/rate)
	}
}

// TestUndoEnds: the moves that led to a position are not the board's to take
// back.
func TestUndoEnds(t *testing.T) {
	p := weiqi.Standard.Start().(*weiqi.Position)
	m := game.Drop(board.At(3, 3))
	if err := p.Play(m); err != nil {
		t.Fatal(err)
	}
	var b Board
	b.Reset(p, m)
	if err := b.Play(game.Pass); err != nil {
		t.Fatal(err)
	}
	b.Undo()
	defer func() {
		if recover() == nil || p.Planes().At(board.At(3, 3)) == board.Empty {
			t.Error("a move from before Reset was taken back")
		}
	}()
	b.Undo()
}
