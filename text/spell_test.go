package text

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestNearest(t *testing.T) {
	fields := []string{"player", "black", "white", "place", "result", "rating", "event", "collection", "comment"}
	names := []string{"Lee Sedol", "Lee Changho", "Cho Chikun", "Ke Jie", "聶衛平", "胡榮華", "胡荣华", "井山裕太", "Kobayashi Koichi", "Kobayashi Satoru"}
	for _, c := range []struct {
		word  string
		among []string
		n     int
		want  string
	}{
		{"palyer", fields, 3, "player"},
		{"colection", fields, 3, "collection"},
		{"blcak", fields, 3, "black"},
		{"plac", fields, 3, "place"},
		{"plac", fields, 1, "place"},
		{"xyzzy", fields, 3, ""},
		{"", fields, 3, ""},
		{"result", fields, 0, ""},
		{"Sedal", names, 3, "Lee Sedol"},
		{"LEE SEDAL", names, 3, "Lee Sedol"},
		{"胡荣花", names, 3, "胡榮華,胡荣华"},
		{"聂为平", names, 3, "聶衛平"},
		{"Kobayasi", names, 1, "Kobayashi Koichi"},
	} {
		got := strings.Join(Nearest(c.word, slices.Values(c.among), c.n), ",")
		if got != c.want {
			t.Errorf("Nearest(%q, %d) = %q, want %q", c.word, c.n, got, c.want)
		}
	}
}

// TestNearestSound: of two names with one wrong letter each, the one that
// sounds the same comes first.
func TestNearestSound(t *testing.T) {
	got := Nearest("Otakke", slices.Values([]string{"Otakle", "Otake"}), 2)
	if !slices.Equal(got, []string{"Otake", "Otakle"}) {
		t.Errorf("got %q", got)
	}
}

func TestSuggest(t *testing.T) {
	fields := []string{"player", "place", "black"}
	for word, want := range map[string]string{
		"plaier": "did you mean player?",
		"plack":  "did you mean place or black?",
		"xyzzy":  "",
	} {
		if got := Suggest(word, slices.Values(fields)); got != want {
			t.Errorf("Suggest(%q) = %q, want %q", word, got, want)
		}
	}
}

// slow is the distance by its definition.
func slow(a, b []rune) int {
	switch {
	case len(a) == 0:
		return len(b)
	case len(b) == 0:
		return len(a)
	}
	i, j := len(a)-1, len(b)-1
	if a[i] == b[j] {
		return slow(a[:i], b[:j])
	}
	d := 1 + min(slow(a[:i], b[:j]), slow(a[:i], b), slow(a, b[:j]))
	if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
		d = min(d, 1+slow(a[:i-1], b[:j-1]))
	}
	return d
}

// FuzzDistance: the distance is that of the definition, the same both ways, and
// a bound changes only what is above it.
func FuzzDistance(f *testing.F) {
	f.Add("ab", "ba")
	f.Add("胡荣华", "胡花荣")
	f.Add("abcd", "acbd")
	f.Fuzz(func(t *testing.T, a, b string) {
		x, y := []rune(Fold(a)), []rune(Fold(b))
		if len(x)+len(y) > 10 {
			return
		}
		want := slow(x, y)
		if got, back := Distance(a, b), Distance(b, a); got != want || back != want {
			t.Fatalf("Distance(%q, %q) = %d and %d, want %d", a, b, got, back, want)
		}
		for bound := range 6 {
			var s speller
			if got := s.measure(x, y, bound); got != want && (got <= bound || want <= bound) {
				t.Fatalf("%q to %q within %d is %d, want %d", a, b, bound, got, want)
			}
		}
	})
}

func BenchmarkNearest(b *testing.B) {
	var names []string
	for i := range 1000 {
		names = append(names, fmt.Sprintf("Kobayashi %c%c%d", 'a'+i%26, 'a'+i/26%26, i))
	}
	for b.Loop() {
		Nearest("Kobayashi Koichi", slices.Values(names), 5)
	}
}
