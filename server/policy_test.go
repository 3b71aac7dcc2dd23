package server

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"qipu/internal/testkit"
	"qipu/server/api"
)

// TestPolicies shows who may do what, and what is kept: a table of all routes. Run it
// with -rewrite after a change, and read the difference as one of the rights of
// strangers.
func TestPolicies(t *testing.T) {
	s, err := New(t.Context(), nil, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range endpoints(s) {
		if _, ok := s.Policies[e.method+" "+api.Prefix+e.path]; !ok {
			t.Errorf("%s %s has no policy", e.method, e.path)
		}
	}
	var b strings.Builder
	for _, pattern := range byPath(s) {
		p := s.Policies[pattern]
		method, path, _ := strings.Cut(pattern, " ")
		line := fmt.Sprintf("%-6s %-42s %s", method, path, p.Who)
		for _, x := range []struct {
			is   bool
			word string
		}{{p.Keep, "kept"}, {p.Changes, "changes"}, {p.Upload, "upload"}, {p.Turn, "turn"}} {
			if x.is {
				line += " " + x.word
			}
		}
		if p.Engine != api.Nobody {
			line += " engines:" + p.Engine.String()
		}
		b.WriteString(line + "\n")
		if safe := method == http.MethodGet; p.Keep && !safe || p.Changes && (safe || p.Who < api.Senders) || p.Upload && !p.Changes {
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
		w.handler.ServeHTTP(rec, httptest.NewRequest("GET", "http://localhost"+api.Prefix+"/find?q=all", nil))
		if rec.Code != http.StatusOK {
			b.Fatal(rec.Code)
		}
	}
}
