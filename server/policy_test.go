package server

import (
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"qipu/internal/testkit"
)

// String returns the word.
func (w Who) String() string { return [...]string{"nobody", "anybody", "players", "owner"}[w] }

// TestPolicies shows who may do what, and what is kept: a table of all routes. Run it
// with -rewrite after a change, and read the difference as one of the rights of
// strangers.
func TestPolicies(t *testing.T) {
	s, err := New(t.Context(), nil, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range endpoints(s) {
		if _, ok := s.policies[e.method+" "+prefix+e.path]; !ok {
			t.Errorf("%s %s has no policy", e.method, e.path)
		}
	}
	var b strings.Builder
	for _, pattern := range slices.SortedFunc(maps.Keys(s.policies), func(a, b string) int {
		x, y := strings.Fields(a), strings.Fields(b)
		return strings.Compare(x[1]+" "+x[0], y[1]+" "+y[0])
	}) {
		p := s.policies[pattern]
		method, path, _ := strings.Cut(pattern, " ")
		line := fmt.Sprintf("%-6s %-42s %s", method, path, p.Who)
		for _, x := range []struct {
			is   bool
			word string
		}{{p.Keep, "kept"}, {p.Changes, "changes"}, {p.Upload, "upload"}} {
			if x.is {
				line += " " + x.word
			}
		}
		b.WriteString(line + "\n")
		if safe := method == http.MethodGet; p.Keep && !safe || p.Changes && (safe || p.Who != Owner) || p.Upload && !p.Changes {
			t.Errorf("%s: %+v cannot be meant", pattern, p)
		}
	}
	testkit.Golden(t, "testdata/policies.txt", []byte(b.String()))
}

// BenchmarkKept asks for an answer that is kept.
func BenchmarkKept(b *testing.B) {
	w := newWorld(b)
	for b.Loop() {
		rec := httptest.NewRecorder()
		w.handler.ServeHTTP(rec, httptest.NewRequest("GET", "http://localhost"+prefix+"/find?q=all", nil))
		if rec.Code != http.StatusOK {
			b.Fatal(rec.Code)
		}
	}
}
