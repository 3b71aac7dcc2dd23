package nnue

import (
	"encoding/binary"
	"math/rand/v2"
	"strings"
	"testing"
)

// made returns the file of a net of random numbers.
func made(rng *rand.Rand, inputs, buckets int) []byte {
	data := []byte(magic)
	for _, v := range []int{inputs, Width, buckets, 660, top * top * 256} {
		data = binary.LittleEndian.AppendUint32(data, uint32(v))
	}
	for range (inputs + 1) * Width {
		data = binary.LittleEndian.AppendUint16(data, uint16(rng.IntN(600)-300))
	}
	for range 2 * Width * buckets {
		data = append(data, byte(int8(rng.IntN(255)-127)))
	}
	for range buckets {
		data = binary.LittleEndian.AppendUint32(data, uint32(rng.IntN(1<<20)-1<<19))
	}
	return data
}

// TestCodes: all processors say the same, bit for bit, and what is kept move by move is what
// is summed up anew.
func TestCodes(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	n, err := Read(made(rng, 64, 4))
	if err != nil {
		t.Fatal(err)
	}
	defer func(old code) { now = old }(now)
	var want []int
	for i, c := range codes() {
		now = c
		rng := rand.New(rand.NewPCG(7, 8))
		var said []int
		for range 200 {
			var a, b, fresh Sums
			n.Begin(&a)
			held := rng.Perm(64)
			for _, k := range held[:20] {
				n.Add(&a, k)
			}
			n.Shift(&b, &a, held[30], held[0])
			n.Take(&b, &b, held[31], held[1], held[2])
			n.Begin(&fresh)
			for _, k := range append([]int{held[30], held[31]}, held[3:20]...) {
				n.Add(&fresh, k)
			}
			if fresh != b {
				t.Fatalf("%s: sums that were kept are not those of the position", c.name)
			}
			for bucket := range 4 {
				said = append(said, n.Value(&a, &b, bucket))
			}
		}
		if i == 0 {
			want = said
			continue
		}
		for j := range want {
			if said[j] != want[j] {
				t.Fatalf("%s says %d where portable says %d", c.name, said[j], want[j])
			}
		}
	}
}

// TestReadRefuses: files that are cut, or of another kind, are refused in words.
func TestReadRefuses(t *testing.T) {
	data := made(rand.New(rand.NewPCG(1, 2)), 8, 2)
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"empty":      {nil, "not a net"},
		"other kind": {append([]byte("PNG"), data...), "not a net"},
		"cut":        {data[:len(data)-1], "ends early"},
		"other size": {append(append([]byte(nil), data[:10]...), append([]byte{9, 9, 0, 0}, data[14:]...)...), "sums"},
	} {
		if _, err := Read(c.data); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

func BenchmarkMove(b *testing.B) {
	n, err := Read(made(rand.New(rand.NewPCG(1, 2)), 512, 2))
	if err != nil {
		b.Fatal(err)
	}
	var own, other, next Sums
	n.Begin(&own)
	n.Begin(&other)
	for i := range b.N {
		n.Shift(&next, &own, i&511, (i+7)&511)
		n.Shift(&own, &other, i&511, (i+9)&511)
		n.Value(&next, &own, i&1)
	}
}
