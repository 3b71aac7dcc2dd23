package squares_test

import (
	"strings"
	"testing"

	"qipu/game/checkers/squares"
)

func TestNumbers(t *testing.T) {
	for n := 1; n <= squares.Count; n++ {
		if got := squares.Number(squares.Point(n)); got != n {
			t.Errorf("square %d is on the point of %d", n, got)
		}
	}
	for text, want := range map[string]string{
		"B:W18,24,27,28,K10,K15:B12,16,20,K22,K25,K29": "8/8/3W3b/4W2b/...",
		"W:W21-32:B1-12":  "1b1b1b1b/b1b1b1b1/1b1b1b1b/8/8/w1w1w1w1/1w1w1w1w/w1w1w1w1 W",
		"w:bk1 : w32. ":   "1B6/8/8/8/8/8/8/6w1 W",
		"B:W:B":           "8/8/8/8/8/8/8/8 B",
		"W:WK1,K4:B2,K3.": "1W1b1B1W/8/8/8/8/8/8/8 W",
	} {
		got, err := squares.Rows(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if !strings.Contains(want, "...") && got != want {
			t.Errorf("%s is %s, want %s", text, got, want)
		}
		back, err := squares.Numbers(got)
		again, err2 := squares.Rows(back)
		if err != nil || err2 != nil || again != got {
			t.Errorf("%s comes back as %s, %s (%v, %v)", got, back, again, err, err2)
		}
	}
}

func TestRefused(t *testing.T) {
	for text, want := range map[string]string{
		"B:W1":         "parted by colons",
		"X:W1:B2":      "no side to move",
		"B:W1:W2":      "given twice",
		"B:1:B2":       "colour of its pieces",
		"B:W33:B2":     `"33" is no square`,
		"B:W5-2:B1":    `"5-2" is no square`,
		"B:W1,1:B2":    "square 1 has two pieces",
		"B:W1,KK2:B32": `"KK2" is no square`,
	} {
		if _, err := squares.Rows(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	for text, want := range map[string]string{
		"8/8 B":               "2 rows",
		"8/8/8/8/8/8/8/8":     "eight rows and the side",
		"b7/8/8/8/8/8/8/8 B":  "no piece can be",
		"1b/8/8/8/8/8/8/8 B":  "has 2 squares",
		"9/8/8/8/8/8/8/8 B":   "no piece can be",
		"88b/8/8/8/8/8/8/8 B": "no piece can be",
	} {
		if _, err := squares.Numbers(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

// FuzzRows: what is read is written and read again as it was, and nothing panics.
func FuzzRows(f *testing.F) {
	f.Add("B:W18,24,27,28,K10,K15:B12,16,20,K22,K25,K29")
	f.Add("W:W21-32:B1-12.")
	f.Fuzz(func(t *testing.T, text string) {
		_, _ = squares.Numbers(text)
		rows, err := squares.Rows(text)
		if err != nil {
			return
		}
		numbers, err := squares.Numbers(rows)
		if err != nil {
			t.Fatalf("%q is %q, and that is refused: %v", text, rows, err)
		}
		if back, err := squares.Rows(numbers); err != nil || back != rows {
			t.Fatalf("%q, %q, %q: %v", rows, numbers, back, err)
		}
	})
}
