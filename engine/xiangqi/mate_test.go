package xiangqi

import (
	"context"
	"testing"

	"qipu/engine"
	"qipu/internal/testkit"
)

// TestProve: mates by checks are proved, played through by the rules, and as short as they
// are; where there is none, none is told.
func TestProve(t *testing.T) {
	e := New(Options{})
	for _, c := range []struct {
		text  string
		plies int // 0 for none
	}{
		{"4k4/9/9/9/9/9/9/9/3R5/3K1R3 w - - 0 1", 1},
		{"3k5/9/9/9/9/9/9/9/8R/4K4 w - - 0 1", 1},
		{"4kab2/1N2a4/3c5/1r2p3p/2b1c4/P4N3/2R5P/C1n1B4/3KA4/2B2A3 b - - 0 1", -1}, // by a quiet move
		{"2bak4/4a4/4b4/9/9/9/9/4C4/4R4/3K5 w - - 0 1", 0},
	} {
		p, err := e.Prove(context.Background(), task(t, c.text), 50_000)
		if err != nil {
			t.Fatal(err)
		}
		if c.plies < 0 {
			if !p.Won || p.Checked != 0 || p.Plies < 3 {
				t.Errorf("%s: %+v, want a mate that begins with a quiet move", c.text, p)
			}
			continue
		}
		if p.Won != (c.plies > 0) || p.Won && (p.Plies != c.plies || p.Checked == 0 || len(p.Line) != c.plies || p.By != "mate") {
			t.Errorf("%s: %+v, want a mate in %d", c.text, p, c.plies)
		}
	}
	if _, err := e.Prove(context.Background(), task(t, "R2k5/R8/9/9/9/9/9/9/9/4K4 b - - 0 1"), 0); err != engine.ErrOver {
		t.Errorf("behind the end: %v", err)
	}
	budget := testkit.CPU()
	if _, err := e.Prove(context.Background(), task(t, middle[2]), 20_000); err != nil || (testkit.CPU()-budget).Seconds() > 20 {
		t.Errorf("%v", err)
	}
}
