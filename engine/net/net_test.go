package net

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"qipu/internal/testkit"
)

// made writes a small net of all operations with random weights.
func made(r *rand.Rand, planes, width int) []byte {
	var blob []byte
	put := func(n int, next func() []byte) array {
		for len(blob)%4 != 0 {
			blob = append(blob, 0)
		}
		a := array{At: len(blob), N: n}
		for range n {
			blob = append(blob, next()...)
		}
		return a
	}
	shorts := func(n, most int) array {
		return put(n, func() []byte { return binary.LittleEndian.AppendUint16(nil, uint16(int16(r.IntN(2*most+1)-most))) })
	}
	ints := func(n int) array {
		return put(n, func() []byte { return binary.LittleEndian.AppendUint32(nil, uint32(int32(r.IntN(200_000)-100_000))) })
	}
	floats := func(n int, size float64) array {
		return put(n, func() []byte {
			return binary.LittleEndian.AppendUint32(nil, math.Float32bits(float32((r.Float64()*2-1)*size)))
		})
	}
	raw := func(v any) json.RawMessage { text, _ := json.Marshal(v); return text }
	conv := func(from, to, skip string, size, in, out int, relu bool) headOp {
		scale := put(out, func() []byte {
			return binary.LittleEndian.AppendUint32(nil, math.Float32bits(float32(0.2*r.Float64()/math.Sqrt(float64(in*size*size))/100)))
		})
		return headOp{Op: "conv", From: from, To: to, Size: size, In: in, Out: out, Relu: relu, Skip: skip, SkipScale: 0.77,
			Weights: shorts(out*size*size*in, 511), Bias: ints(out), Scale: raw(scale)}
	}
	h := head{Name: "made", Unit: 1024, Top: 4095, Lead: 20, Ops: []headOp{
		conv("in", "a", "", 3, planes, width, true),
		conv("a", "b", "", 3, width, width, true),
		{Op: "pool", From: "b", To: "v", Scale: raw(0.01)},
		{Op: "dense", From: "v", To: "w", In: 2 * width, Out: width, Weights: floats(2*width*width, 0.1), Bias: floats(width, 1)},
		{Op: "shift", From: "b", By: "w", To: "c", Scale: raw(0.9), Unit: 50},
		conv("c", "d", "a", 3, width, width, true),
		conv("d", "e", "", 1, width, 32, true),
		conv("e", "point", "", 1, 32, 1, false),
	}}
	for range planes {
		h.Planes = append(h.Planes, "plane")
	}
	text, _ := json.Marshal(h)
	data := append([]byte(magic), binary.LittleEndian.AppendUint32(nil, uint32(len(text)))...)
	data = append(data, text...)
	for len(data)%4 != 0 {
		data = append(data, 0)
	}
	return append(data, blob...)
}

func fill(r *rand.Rand, run *Run) {
	for i := range run.input {
		for j := range run.Plane(i) {
			run.Plane(i)[j] = int16(r.IntN(4096) - 2048)
		}
	}
}

// naive computes a convolution of the planes of a register in the plainest way.
func naive(r *Run, o *op, x, y, out int) int32 {
	sum := o.bias[out]
	reach := o.size / 2
	for dy := range o.size {
		for dx := range o.size {
			u, v := x+dx-reach, y+dy-reach
			if u < 0 || v < 0 || u >= r.w || v >= r.h {
				continue
			}
			for in := range o.in {
				sum += int32(o.plain[((out*o.size+dy)*o.size+dx)*o.in+in]) * int32(r.grids[o.from][((v+1)*(r.w+2)+u+1)*o.in+in])
			}
		}
	}
	return sum
}

// TestCodes holds the portable code against the plainest one, and the assembly against
// the portable code, bit for bit, on boards of every shape.
func TestCodes(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct{ planes, width, w, h int }{{13, 64, 19, 19}, {13, 64, 9, 9}, {3, 16, 1, 1}, {16, 32, 5, 13}, {17, 48, 1, 25}, {2, 96, 25, 2}} {
		n, err := Read(made(r, c.planes, c.width))
		if err != nil {
			t.Fatal(err)
		}
		plain := n.newRun(c.w, c.h, portable)
		fill(r, plain)
		plain.Evaluate()
		varied := map[float32]bool{}
		for i, v := range plain.Plot("point") {
			o := &n.ops[len(n.ops)-1]
			if want := float32(naive(plain, o, i%c.w, i/c.w, 0)) * o.scale[0]; v != want {
				t.Fatalf("%+v: point %d: %v, want %v", c, i, v, want)
			}
			varied[v] = true
		}
		if len(varied) < c.w*c.h/2 {
			t.Fatalf("%+v: only %d numbers", c, len(varied))
		}
		for _, k := range codes()[1:] {
			run := n.newRun(c.w, c.h, k)
			for round := range 2 { // the second finds what the first one left
				for i := range plain.input {
					copy(run.Plane(i), plain.Plane(i))
				}
				run.Evaluate()
				for g := range run.grids {
					if !slices.Equal(run.grids[g], plain.grids[g]) {
						t.Fatalf("%s, %+v, round %d: register %s differs", k.name, c, round, n.grids[g])
					}
				}
				if !slices.Equal(run.Plot("point"), plain.Plot("point")) || !slices.Equal(run.Vector("w"), plain.Vector("w")) {
					t.Fatalf("%s, %+v, round %d: differs", k.name, c, round)
				}
			}
		}
	}
}

// TestNaive holds the first layer of the portable code against the plainest one.
func TestNaive(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	n, err := Read(made(r, 5, 32))
	if err != nil {
		t.Fatal(err)
	}
	run := n.newRun(7, 6, portable)
	fill(r, run)
	run.Evaluate()
	for i := range n.ops {
		o := &n.ops[i]
		if o.kind != opConv {
			continue
		}
		for p := range 42 {
			x, y := p%7, p/7
			for out := range o.out {
				at := ((y+1)*9+x+1)*o.out + out
				v := float32(float32(naive(run, o, x, y, out)) * o.scale[out])
				if o.skip >= 0 {
					v += float32(float32(run.grids[o.skip][at]) * o.factor)
				}
				if got, want := run.grids[o.to][at], whole(v, 4095); got != want {
					t.Fatalf("operation %d, point %d, output %d: %d, want %d", i, p, out, got, want)
				}
			}
		}
	}
}

// FuzzRead: whatever the bytes, a net is read and can be run, or is refused.
func FuzzRead(f *testing.F) {
	data := made(rand.New(rand.NewPCG(5, 6)), 3, 16)
	f.Add(data)
	f.Add(data[:len(data)/2])
	f.Add([]byte(magic))
	f.Fuzz(func(t *testing.T, data []byte) {
		n, err := Read(data)
		if err != nil {
			if !errors.Is(err, ErrFile) {
				t.Fatalf("%v is no error of a file", err)
			}
			return
		}
		n.NewRun(3, 2).Evaluate()
	})
}

// TestDamage cuts a net off at every length, and changes its text.
func TestDamage(t *testing.T) {
	data := made(rand.New(rand.NewPCG(7, 8)), 3, 16)
	for cut := 0; cut < len(data); cut += 1 + cut/50 {
		if _, err := Read(data[:cut]); !errors.Is(err, ErrFile) {
			t.Fatalf("cut at %d of %d: %v", cut, len(data), err)
		}
	}
	for text, want := range map[string]string{"QNET2\n": "version \"2\"", "PK\x03\x04\n\n": "does not begin as one"} {
		if _, err := Read(append([]byte(text), data[len(magic):]...)); !errors.Is(err, ErrFile) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func BenchmarkEvaluate(b *testing.B) {
	n, err := Read(made(rand.New(rand.NewPCG(9, 10)), 13, 64))
	if err != nil {
		b.Fatal(err)
	}
	for _, c := range codes() {
		b.Run(c.name, func(b *testing.B) {
			run := n.newRun(19, 19, c)
			for b.Loop() {
				run.Evaluate()
			}
		})
	}
}

// nets are those of Go: the one in the program, and the one that is a file beside it.
var nets = map[string]string{"small": "../sight/small.net", "large": "../../workshop/sight/training/large.net"}

// TestNets holds what the nets of Go say by each code against the portable one, bit for bit.
func TestNets(t *testing.T) {
	for name, path := range nets {
		n := opened(t, path)
		for _, side := range []int{19, 9} {
			plain := n.newRun(side, side, portable)
			fill(rand.New(rand.NewPCG(11, 12)), plain)
			plain.Evaluate()
			for _, k := range codes()[1:] {
				run := n.newRun(side, side, k)
				for i := range plain.input {
					copy(run.Plane(i), plain.Plane(i))
				}
				run.Evaluate()
				for g := range run.grids {
					if !slices.Equal(run.grids[g], plain.grids[g]) {
						t.Fatalf("%s, %s, %d: register %s differs", name, k.name, side, n.grids[g])
					}
				}
				for _, plot := range []string{"point", "owner"} {
					if !slices.Equal(run.Plot(plot), plain.Plot(plot)) {
						t.Errorf("%s, %s, %d: %s differs", name, k.name, side, plot)
					}
				}
				if !slices.Equal(run.Vector("said"), plain.Vector("said")) {
					t.Errorf("%s, %s, %d: what is said differs", name, k.name, side)
				}
			}
			if side == 19 && name == "large" {
				break // it sees no others
			}
		}
	}
}

func opened(t testing.TB, path string) *Net {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	n, err := Read(data)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// BenchmarkCodes looks at 19x19 and 9x9 with the nets of Go, by each code that this
// processor can run.
func BenchmarkCodes(b *testing.B) {
	for _, net := range []string{"small", "large"} {
		n := opened(b, nets[net])
		for _, c := range codes() {
			for _, side := range []int{19, 9} {
				b.Run(fmt.Sprintf("%s/%s/%d", net, c.name, side), func(b *testing.B) {
					run := n.newRun(side, side, c)
					before := testkit.CPU()
					for b.Loop() {
						run.Evaluate()
					}
					b.ReportMetric(float64((testkit.CPU()-before).Microseconds())/1000/float64(b.N), "cpu-ms/op")
				})
			}
		}
	}
}

// FuzzCodes: whatever the shape and the numbers, all codes give the same bits.
func FuzzCodes(f *testing.F) {
	f.Add(uint64(1), uint8(13), uint8(4), uint8(19), uint8(19))
	f.Add(uint64(2), uint8(1), uint8(1), uint8(1), uint8(7))
	f.Fuzz(func(t *testing.T, seed uint64, planes, width, w, h uint8) {
		r := rand.New(rand.NewPCG(seed, 11))
		n, err := Read(made(r, 1+int(planes)%20, 16*(1+int(width)%5)))
		if err != nil {
			t.Fatal(err)
		}
		plain := n.newRun(1+int(w)%19, 1+int(h)%19, portable)
		fill(r, plain)
		plain.Evaluate()
		for _, k := range codes()[1:] {
			run := n.newRun(plain.w, plain.h, k)
			for i := range plain.input {
				copy(run.Plane(i), plain.Plane(i))
			}
			run.Evaluate()
			for g := range run.grids {
				if !slices.Equal(run.grids[g], plain.grids[g]) {
					t.Fatalf("%s: register %s differs", k.name, n.grids[g])
				}
			}
		}
	})
}
