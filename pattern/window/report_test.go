package window

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"qipu/internal/testkit"
)

// TestReport measures the matcher under QIPU_BENCH=1, and puts the figures into
// docs/shapes.md under -rewrite.
func TestReport(t *testing.T) {
	if os.Getenv("QIPU_BENCH") == "" {
		t.Skip("measuring takes a quiet machine: set QIPU_BENCH=1")
	}
	testkit.Data(t, "go/go-kgs6d.tar.gz")
	var out strings.Builder
	out.WriteString("| shapes, 16 pictures each | a whole board | a move, or taking it back | index |\n|---|---|---|---|\n")
	for _, n := range []int{400, 1000, 4000} {
		whole := testing.Benchmark(func(b *testing.B) { benchBoard(b, n) }).Extra
		move := testing.Benchmark(func(b *testing.B) { benchMove(b, n) }).Extra
		fmt.Fprintf(&out, "| %d | %.1f µs | %.2f µs | %.1f MB |\n", n, whole["best-us/board"], move["best-us/move"], whole["MB"])
		if n == 1000 && (whole["best-us/board"] > 60 || move["best-us/move"] > 5) {
			t.Errorf("1,000 shapes take %.1f us a board and %.2f us a move: 60 and 5 are allowed", whole["best-us/board"], move["best-us/move"])
		}
	}
	testkit.Section(t, "../../docs/shapes.md", "matching", out.String())
	out.Reset()
	out.WriteString("| form | bytes a picture | 1,000 shapes on a board, one after the other |\n|---|---|---|\n")
	for _, form := range []struct{ key, name string }{{"fixed", "the paper's: 5x5 fixed, six integers"}, {"variable", "Dragon's and Jimmy's: variable, a code a point"}, {"packed", "here: mask and word"}} {
		x := testing.Benchmark(benchForms[form.key]).Extra
		fmt.Fprintf(&out, "| %s | %.1f | %.1f ms |\n", form.name, x["bytes/shape"], x["best-us/board"]/1e3)
	}
	testkit.Section(t, "../../docs/shapes.md", "forms", out.String())
}
