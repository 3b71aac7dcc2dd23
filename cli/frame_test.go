package cli

import (
	"testing"

	"qipu/board"
	"qipu/builtin"
	"qipu/index"
	"qipu/pattern"
	"qipu/query"
)

// TestFrame checks the names of points: those of the corner in which a shape is
// drawn, and columns and rows from a1 where it may lie in several places.
func TestFrame(t *testing.T) {
	r, err := builtin.Games().Find("go")
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"+--/|../|..": "A19", "--+/..|/..|": "S19", "|../|../+--": "A2", "..|/..|/--+": "S2", "@Q5/../..": "Q5",
		"--/../..": "a1", "../..": "a1", "@centre/../..": "a1",
	} {
		p, err := pattern.Parse(r.Geometry(), text)
		if err != nil {
			t.Fatal(err)
		}
		f := FrameOf(index.NewKind(r), nil, &query.Shape{Pattern: p, Geometry: r.Geometry()})
		if got := f.Name(0); got != want {
			t.Errorf("%s: the top left point is %s, want %s", text, got, want)
		}
		// The lines of its picture end where the board does.
		for _, l := range f.geometry().Lines {
			for _, s := range []board.Spot{l.From, l.To} {
				if low, high := -0.5, 1.5; s.X < low || s.Y < low || s.X > high || s.Y > high {
					t.Errorf("%s: a line goes to %v", text, s)
				}
				if s.Y < 0 != (f.Edges()&pattern.Top == 0) && s.Y <= 0 && l.From.X == l.To.X {
					t.Errorf("%s: a line ends at %v", text, s)
				}
			}
		}
	}
}
