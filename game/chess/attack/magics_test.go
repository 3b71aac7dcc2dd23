package attack

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"qipu/internal/testkit"
)

// TestMagics: no two ways that a line can be occupied share a place unless their
// answers are one. With -rewrite the numbers are found anew.
func TestMagics(t *testing.T) {
	if testkit.Rewriting() {
		writeMagics(t)
	}
	for how := range magics {
		for s := range None {
			if !serves(how, s, magics[how][s], nil) {
				t.Errorf("the number of %d for Square %d does not serve", how, s)
			}
		}
	}
}

// serves reports whether a number gives every occupation of a line its own place.
func serves(how int, s Square, magic uint64, table []Set) bool {
	mask := masked(how, s)
	if table == nil {
		table = make([]Set, 1<<mask.Count())
	}
	clear(table)
	shift := 64 - mask.Count()
	for occupied := Set(0); ; {
		i := uint64(occupied) * magic >> shift
		to := walked(how, s, occupied)
		if table[i] != 0 && table[i] != to {
			return false
		}
		table[i] = to
		if occupied = (occupied - mask) & mask; occupied == 0 {
			return true
		}
	}
}

func writeMagics(t *testing.T) {
	rng := rand.New(rand.NewPCG(1956, 8))
	var b strings.Builder
	b.WriteString("package attack\n\n// magics are the numbers of the sliders, found by chance: TestMagics tells that they\n// serve, and finds them anew.\nvar magics = [2][64]uint64{")
	for how := range 2 {
		b.WriteString("\n\t{")
		for s := range None {
			table := make([]Set, 1<<masked(how, s).Count())
			for {
				m := rng.Uint64() & rng.Uint64() & rng.Uint64()
				if bits.OnesCount64(uint64(masked(how, s))*m>>56) >= 6 && serves(how, s, m, table) {
					magics[how][s] = m
					break
				}
			}
			if s%4 == 0 {
				b.WriteString("\n\t\t")
			} else {
				b.WriteString(" ")
			}
			fmt.Fprintf(&b, "%#016x,", magics[how][s])
		}
		b.WriteString("\n\t},")
	}
	b.WriteString("\n}\n")
	if err := os.WriteFile("magics.go", []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
}
