package server

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"qipu"
	"qipu/builtin"
	"qipu/engine"
	"qipu/engine/classic"
	"qipu/game"
	"qipu/library"
	"qipu/view"
)

// newLab serves an empty library with the games of the laboratory.
func newLab(t testing.TB, judges library.Judges, o Options) http.Handler {
	t.Helper()
	lib, err := qipu.Open(t.Context(), filepath.Join(t.TempDir(), "library"), qipu.Options{Create: true, Games: builtin.Whole().Games(), Judges: judges})
	if err != nil {
		t.Fatal(err)
	}
	o.Log = slog.New(slog.DiscardHandler)
	s, err := New(t.Context(), lib, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(context.Background()); err != nil {
			t.Error(err)
		}
		if err := lib.Close(); err != nil {
			t.Error(err)
		}
	})
	return s.Guard.Wrap(s.Handler())
}

// studied sends a request, and reads the answer into a value.
func studied(t testing.TB, h http.Handler, into any, path string, params ...string) int {
	t.Helper()
	r := httptest.NewRequest("GET", target(path, params...), nil)
	r.Host = "localhost"
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	if err := json.Unmarshal(w.Body.Bytes(), into); err != nil {
		t.Fatalf("%s %v: %v: %s", path, params, err, w.Body)
	}
	return w.Code
}

// TestLab: methods on positions give over HTTP what they give by themselves, each with its
// counts, and trees of which every position lies behind the one that it was reached from.
func TestLab(t *testing.T) {
	h := newLab(t, nil, Options{})
	var lab view.Lab
	if code := studied(t, h, &lab, "/lab"); code != 200 || len(lab.Methods) != len(classic.Methods()) || lab.Depth != classic.MaxDepth {
		t.Fatalf("%d %+v", code, lab)
	}
	small := 0
	for _, g := range lab.Games {
		if g.Small {
			small++
		}
		var runs view.LabRuns
		if code := studied(t, h, &runs, "/lab/run", "game", g.Spec, "depth", "1", "methods", "minimax,alphabeta,scout"); code != 200 || len(runs.Runs) != 3 || runs.Runs[0].Value != runs.Runs[1].Value {
			t.Errorf("%s: %d %+v", g.Spec, code, runs)
		}
	}
	if small < 6 || lab.Games[0].Small || len(lab.Games) < 10 {
		t.Errorf("games: %+v", lab.Games)
	}
	for _, name := range []string{"minimax", "alphabeta", "staged", "breadth", "bstar", "proof"} {
		var tree view.LabTree
		if code := studied(t, h, &tree, "/lab/tree", "game", "kalah:houses=3,seeds=2", "line", "a", "method", name, "depth", "3", "most", "100000"); code != 200 {
			t.Errorf("%s: %d", name, code)
			continue
		}
		r, err := builtin.Whole().Games().Find("kalah:houses=3,seeds=2")
		if err != nil {
			t.Fatal(err)
		}
		p, _, err := game.ParseLine(r, "a")
		if err != nil {
			t.Fatal(err)
		}
		want, err := classic.Run(t.Context(), name, classic.Problem{Position: p, Eval: builtin.Judge(r), Depth: 3, Nodes: 200_000})
		if err != nil || tree.Run.Value != want.Value.Units() || tree.Run.Nodes != want.Nodes || tree.Run.Leaves != want.Leaves {
			t.Errorf("%s: %+v, %v, want %+v", name, tree.Run, err, want)
		}
		if tree.Left != 0 || int64(len(tree.Nodes)) < want.Nodes || tree.Turn != int(p.Turn()) {
			t.Errorf("%s: %d positions of %d, turn %d", name, len(tree.Nodes), want.Nodes, tree.Turn)
		}
		for i, n := range tree.Nodes {
			if n.Parent >= i || n.In < 1 || n.Out < n.In || n.Out > tree.Events || n.Says == "" || n.Parent >= 0 && (n.Ply != tree.Nodes[n.Parent].Ply+1 || n.In <= tree.Nodes[n.Parent].In) {
				t.Fatalf("%s: position %d: %+v", name, i, n)
			}
		}
	}
}

// TestLabRefuses: whatever cannot be searched is refused in a sentence, with a word for
// programs.
func TestLabRefuses(t *testing.T) {
	judges := func(r game.Rules) engine.Evaluator {
		if r.Info().Name == "hex" {
			return nil
		}
		return builtin.Judge(r)
	}
	h := newLab(t, judges, Options{})
	for _, c := range []struct{ want, params string }{
		{"no-depth", "game=kalah depth=0"},
		{"no-depth", "game=kalah depth=61"},
		{"no-depth", "game=kalah depth=-3"},
		{"too-much", "game=kalah nodes=0"},
		{"too-much", "game=kalah nodes=4000000000"},
		{"no-order", "game=kalah order=best"},
		{"no-band", "game=kalah band=-1"},
		{"no-judge", "game=hex"},
		{"no-game", "game=nothing"},
		{"no-method", "game=kalah method=magic methods=magic"},
		{"over", "game=tictactoe line=a1_a2_b1_b2_c1"},
		{"no-result", "game=kalah method=breadth depth=60 nodes=100"},
		{"no-notation", "game=kalah notation=nonsense"},
	} {
		for _, path := range []string{"/lab/run", "/lab/tree"} {
			var params []string
			for pair := range strings.FieldsSeq(c.params) {
				name, value, _ := strings.Cut(pair, "=")
				if only := map[string]string{"/lab/run": "method", "/lab/tree": "methods"}[path]; name == only {
					continue
				}
				params = append(params, name, strings.ReplaceAll(value, "_", " "))
			}
			var p struct {
				Code, Detail, Hint string
				Failed             []view.LabFailed
			}
			code := studied(t, h, &p, path, params...)
			if c.want == "no-result" && path == "/lab/run" {
				if params = append(params, "methods", "breadth"); studied(t, h, &p, path, params...) != 200 || len(p.Failed) != 1 || p.Failed[0].Why == "" {
					t.Errorf("%s %s: %+v", path, c.params, p)
				}
				continue
			}
			if code != http.StatusUnprocessableEntity || p.Code != c.want || p.Detail == "" || p.Hint == "" {
				t.Errorf("%s %s: %d %+v", path, c.params, code, p)
			}
		}
	}
	// One move that is legal, and depths that nothing reaches, are no trouble.
	var tree view.LabTree
	if code := studied(t, h, &tree, "/lab/tree", "game", "nim:heaps=1", "method", "bstar", "depth", "60"); code != 200 || !tree.Run.Proved {
		t.Errorf("%d %+v", code, tree)
	}
	if code := studied(t, h, &tree, "/lab/tree", "game", "xiangqi", "method", "minimax", "depth", "3", "nodes", "5000", "most", "100"); code != 200 || tree.Run.Whole || tree.Left < 4000 || len(tree.Nodes) != 100 {
		t.Errorf("%d %d positions, %d left out, whole %v", code, len(tree.Nodes), tree.Left, tree.Run.Whole)
	}
}

// TestLabReaders: those who may only read have less computed for them.
func TestLabReaders(t *testing.T) {
	for _, x := range []struct {
		guests bool
		most   int64
	}{{false, 300_000}, {true, 3_000_000}} {
		h := newLab(t, nil, Options{Exposed: true, Token: "secret", Guests: x.guests})
		var lab view.Lab
		if code := studied(t, h, &lab, "/lab"); code != 200 || lab.Nodes != x.most {
			t.Errorf("%d %+v", code, lab)
		}
		var p struct{ Code string }
		if code := studied(t, h, &p, "/lab/tree", "game", "kalah", "nodes", fmt.Sprint(x.most+1)); code != http.StatusUnprocessableEntity || p.Code != "too-much" {
			t.Errorf("%d %+v", code, p)
		}
	}
}

// counting judges positions, and does something once it has judged some.
type counting struct {
	n, at int
	then  func()
}

func (c *counting) Evaluate(p game.Position) engine.Value {
	if c.n++; c.n == c.at {
		c.then()
	}
	return engine.Value(p.Hash() % 100)
}

// TestLabStops: a method ends when the one who asked has gone.
func TestLabStops(t *testing.T) {
	for _, m := range classic.Methods() {
		ctx, cancel := context.WithCancel(t.Context())
		judge := &counting{at: 300, then: cancel}
		h := newLab(t, func(game.Rules) engine.Evaluator { return judge }, Options{})
		r := httptest.NewRequest("GET", target("/lab/tree", "game", "xiangqi", "method", m.Name, "depth", "60", "nodes", "3000000"), nil).WithContext(ctx)
		r.Host = "localhost"
		if m.Name == "proof" { // which judges nothing
			cancel()
		}
		done := make(chan struct{})
		go func() { defer close(done); h.ServeHTTP(httptest.NewRecorder(), r) }()
		select {
		case <-done:
		case <-t.Context().Done():
		}
		// It looks every 64 positions, of which each may cost the judgement of two plies.
		if judge.n > 64*50*50 {
			t.Errorf("%s judged %d positions", m.Name, judge.n)
		}
		cancel()
	}
}
