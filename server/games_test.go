package server

import (
	"context"
	"encoding/json"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"qipu"
	"qipu/builtin"
	"qipu/game"
	"qipu/library"
	"qipu/sample"
	"qipu/server/api"
	"qipu/server/guard"
	"qipu/view"
	"qipu/view/gameview"
)

// world is a server over a library of the demo set.
type world struct {
	t   testing.TB
	ctx context.Context
	lib *qipu.Library
	*Server
	handler http.Handler
}

func newWorld(t testing.TB) *world { return newWorldWith(t, Options{}) }

// newWorldWith is newWorld with a server that has options; it logs nothing.
func newWorldWith(t testing.TB, o Options) *world {
	t.Helper()
	ctx := t.Context()
	files := filepath.Join(t.TempDir(), "games")
	if err := os.CopyFS(files, sample.Files()); err != nil {
		t.Fatal(err)
	}
	lib := newLibrary(t)
	if _, err := lib.Import(ctx, library.ImportOptions{Collection: "demo"}, files); err != nil {
		t.Fatal(err)
	}
	if _, err := lib.Records().Keeper().Merge(ctx); err != nil { // which ships what lies on a desk
		t.Fatal(err)
	}
	o.Log = slog.New(slog.DiscardHandler)
	s, err := New(ctx, lib, o)
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
	return &world{t: t, ctx: ctx, lib: lib, Server: s, handler: s.Handler()}
}

// target returns an address with parameters.
func target(path string, params ...string) string {
	v := url.Values{}
	for i := 0; i < len(params); i += 2 {
		v.Add(params[i], params[i+1])
	}
	return api.Prefix + path + "?" + v.Encode()
}

// unkept returns a request whose answer is made anew.
func unkept(address string) *http.Request {
	r := httptest.NewRequest("GET", address, nil)
	r.Header.Set("Range", "bytes=0-")
	return r
}

// request sends one. No answer of any kind may have a null in it.
func (w *world) request(path string, params ...string) *httptest.ResponseRecorder {
	w.t.Helper()
	r := httptest.NewRecorder()
	w.handler.ServeHTTP(r, httptest.NewRequest("GET", target(path, params...), nil))
	var any any
	if err := json.Unmarshal(r.Body.Bytes(), &any); err != nil {
		w.t.Fatalf("%s %q: %v: %s", path, params, err, r.Body)
	}
	if at := nullIn(any); at != "" {
		w.t.Errorf("%s %q: %s is null", path, params, at)
	}
	return r
}

// nullIn returns the path to a null in a value of JSON, or "".
func nullIn(v any) string {
	switch v := v.(type) {
	case nil:
		return "."
	case []any:
		for _, x := range v {
			if at := nullIn(x); at != "" {
				return "[]" + at
			}
		}
	case map[string]any:
		for name, x := range v {
			if at := nullIn(x); at != "" {
				return name + "/" + at
			}
		}
	}
	return ""
}

// fetch asks for something that there is.
func fetch[T any](w *world, path string, params ...string) *T {
	w.t.Helper()
	r := w.request(path, params...)
	var v T
	if r.Code != http.StatusOK {
		w.t.Fatalf("%s %q: %d %s", path, params, r.Code, r.Body)
	}
	if err := json.Unmarshal(r.Body.Bytes(), &v); err != nil {
		w.t.Fatalf("%s %q: %v", path, params, err)
	}
	return &v
}

// refused asks for something that cannot be answered.
func refused(w *world, path string, params ...string) *guard.Problem {
	w.t.Helper()
	r := w.request(path, params...)
	var p guard.Problem
	if r.Code != http.StatusUnprocessableEntity {
		w.t.Fatalf("%s %q: %d %s", path, params, r.Code, r.Body)
	}
	if err := json.Unmarshal(r.Body.Bytes(), &p); err != nil {
		w.t.Fatalf("%s %q: %v", path, params, err)
	}
	return &p
}

func TestGames(t *testing.T) {
	w := newWorld(t)
	list := fetch[view.Games](w, "/games").Games
	tally, err := w.lib.Records().Tally(w.ctx)
	if err != nil {
		t.Fatal(err)
	}
	records := map[string]int{}
	for _, x := range tally {
		records[gameview.SpecOf(x.Kind)] = x.Games
	}
	var specs []string
	for i := range list {
		g := &list[i]
		specs = append(specs, g.Spec)
		if g.Records != records[g.Spec] {
			t.Errorf("%s: %d records, want %d", g.Spec, g.Records, records[g.Spec])
		}
		if g.Usual != (g.Variant == "") || g.Usual != (i < len(builtin.Games())) {
			t.Errorf("%s: usual is %t", g.Spec, g.Usual)
		}
		k, err := w.lib.Records().Kind(g.Spec)
		if err != nil || gameview.SpecOf(k) != g.Spec {
			t.Fatalf("%s: %v", g.Spec, err)
		}
		size := k.Board.Size
		start := k.Rules.Start().(game.Planar).Planes()
		for j, piece := range g.Start {
			if int(start.At(size.Point(j))) != piece {
				t.Errorf("%s: point %d of the start is %d", g.Spec, j, piece)
			}
		}
		if len(g.Start) != size.Area() || len(g.Geometry.Columns) != size.W || len(g.Geometry.Rows) != size.H || len(g.Geometry.Labels.Right) == 0 {
			t.Errorf("%s: the geometry is not whole", g.Spec)
		}
		for _, look := range g.Geometry.Pieces {
			for _, text := range []string{look.Glyph, look.Simplified} {
				if text != "" && !strings.HasPrefix(g.Glyphs[text], "M") {
					t.Errorf("%s: no outline of %s", g.Spec, text)
				}
			}
		}
		if len(g.Sides) != 2 || len(g.Notations) == 0 || len(g.Formats) == 0 || g.Turns[0] != "identity" {
			t.Errorf("%s: %d sides, %d notations, formats %q, turns %q", g.Spec, len(g.Sides), len(g.Notations), g.Formats, g.Turns)
		}
	}
	var want []string
	for _, r := range builtin.Games() {
		want = append(want, r.Info().Name)
	}
	if want = append(want, "weiqi:13x13", "weiqi:9x9"); !slices.Equal(specs, want) {
		t.Errorf("the games are %q, want %q", specs, want)
	}
	if !strings.HasPrefix(list[2].Glyphs["楚"], "M") {
		t.Error("the river has no outlines")
	}
}

func TestPosition(t *testing.T) {
	w := newWorld(t)
	for _, c := range []struct {
		params []string
		line   string
		last   string // text of the last move
		turn   int
	}{
		{[]string{"game", "othello"}, "", "", 0},
		{[]string{"game", "othello", "line", "f5d6c3"}, "f5 d6 c3", "c3", 1},
		{[]string{"game", "othello", "line", "f5d6c3", "play", "D3"}, "f5 d6 c3 d3", "d3", 0},
		{[]string{"game", "othello", "line", "f5d6c3", "back", "2", "play", "f6"}, "f5 f6", "f6", 0},
		{[]string{"game", "othello", "line", "f5d6c3", "back", "9"}, "", "", 0},
		{[]string{"game", "go:9x9", "line", "E5", "play", "C3", "notation", "sgf"}, "E5 C3", "cg", 0},
		{[]string{"game", "go", "line", "16-4", "play", "dd"}, "Q16 D16", "D16", 0},
		{[]string{"game", "xiangqi", "line", "炮二平五", "play", "h9-g7", "notation", "wxf"}, "h2e2 h9g7", "H8+7", 0},
		{[]string{"game", "xiangqi", "play", "h2 e2", "notation", "chinese"}, "h2e2", "炮二平五", 1},
		{[]string{"game", "xiangqi", "line", "4k4/9/9/9/9/9/9/9/R8/3K5 w", "play", "R9+1"}, "4k4/9/9/9/9/9/9/9/R8/3K5 w - - 0 1 moves a1a2", "a1a2", 1},
		{[]string{"game", "gomoku", "line", "h8 h9"}, "h8 h9", "h9", 0},
		{[]string{"game", "weiqi", "play", "pass"}, "pass", "pass", 1},
	} {
		p := fetch[view.Position](w, "/position", c.params...)
		last := ""
		if n := len(p.Moves); n > 0 {
			last = p.Moves[n-1].Text
		}
		if p.Line != c.line || last != c.last || p.Turn != c.turn || p.Ply != len(p.Moves) {
			t.Errorf("%q: line %q, last %q, turn %d; want %q, %q, %d", c.params, p.Line, last, p.Turn, c.line, c.last, c.turn)
		}
		if again := fetch[view.Position](w, "/position", "game", p.Game, "line", p.Line); again.Text != p.Text || again.Line != p.Line {
			t.Errorf("%q: the line reads back to %q, %q", c.params, again.Text, again.Line)
		}
	}

	for _, c := range []struct {
		code   string
		params []string
	}{
		{"illegal-move", []string{"game", "othello", "line", "f5d6c3", "play", "a1"}},
		{"illegal-move", []string{"game", "othello", "line", "f5f5"}},
		{"no-move", []string{"game", "othello", "play", "hello"}},
		{"no-move", []string{"game", "othello", "line", "hello"}},
		{"no-position", []string{"game", "xiangqi", "line", "9/9/9/9/9/9/9/9/9/9 w"}},
		{"no-game", []string{"game", "shoe"}},
		{"no-game", []string{"game", "weiqi:99x99"}},
		{"no-notation", []string{"game", "weiqi", "notation", "wxf"}},
		{"invalid", []string{"line", "f5"}},
		{"invalid", []string{"game", "othello", "back", "-1"}},
	} {
		if p := refused(w, "/position", c.params...); p.Code != c.code || p.Detail == "" {
			t.Errorf("%q: %s, %q; want %s", c.params, p.Code, p.Detail, c.code)
		}
	}
	if p := fetch[view.Position](w, "/position", "game", "renju", "line", "h8 h9 i10"); p.Opening.Code != "2D" || p.Opening.Names.Hant != "溪月" {
		t.Errorf("the opening is %+v", p.Opening)
	}
	if p := fetch[view.Position](w, "/position", "game", "gomoku", "line", "h8 a1 h9 a2 h10 a3 h11 a4 h12"); !p.Over || p.Outcome == "" || len(p.Legal) != 0 {
		t.Errorf("five in a row: over %t, %q, %d moves", p.Over, p.Outcome, len(p.Legal))
	}
}

// TestPlay plays at random by the names of points, as a client does that knows
// no rules, and compares every position with that of the rules.
func TestPlay(t *testing.T) {
	w := newWorld(t)
	random := rand.New(rand.NewPCG(1, 2))
	for _, spec := range []string{"weiqi:9x9", "othello", "xiangqi", "renju"} {
		k, err := w.Kinds.Find(spec)
		if err != nil {
			t.Fatal(err)
		}
		g, pos, line := k.Rules.Geometry(), k.Rules.Start(), ""
		for range 60 {
			moves := pos.AppendMoves(nil)
			if len(moves) == 0 {
				break
			}
			m := moves[random.IntN(len(moves))]
			name := "pass"
			if m != game.Pass {
				name = g.Name(m.To())
			}
			if k.Index.Moving {
				name = g.Name(m.From()) + "-" + name
			}
			if err := pos.Play(m); err != nil {
				t.Fatal(err)
			}
			p := fetch[view.Position](w, "/position", "game", spec, "line", line, "play", name)
			if want := view.Pieces(pos.(game.Planar).Planes()); !slices.Equal(p.Pieces, want) {
				t.Fatalf("%s: %q, then %s: %v, want %v", spec, line, name, p.Pieces, want)
			}
			if n := len(pos.AppendMoves(nil)); len(p.Legal) != n || p.Turn != int(pos.Turn()) || p.Text != game.FormatPosition(k.Rules, pos) {
				t.Fatalf("%s: %q: %d moves, want %d; turn %d, text %q", spec, p.Line, len(p.Legal), n, p.Turn, p.Text)
			}
			line = p.Line
		}
	}
}

func TestPerft(t *testing.T) {
	w := newWorld(t)
	for _, spec := range []string{"othello", "xiangqi", "weiqi:9x9"} {
		k, err := w.Kinds.Find(spec)
		if err != nil {
			t.Fatal(err)
		}
		o := k.Rules.Info().Perft
		o.FreePass = false
		for depth := range 4 {
			p := fetch[view.Perft](w, "/perft", "game", spec, "depth", string(rune('0'+depth)))
			want, sum := game.Perft(k.Rules.Start(), depth, o), uint64(0)
			for _, m := range p.Moves {
				sum += m.Nodes
			}
			if p.Nodes != want || depth > 0 && sum != want {
				t.Errorf("%s to depth %d: %d, %d; want %d", spec, depth, p.Nodes, sum, want)
			}
		}
	}
	if p := refused(w, "/perft", "game", "weiqi", "depth", "6"); p.Code != "too-much" || !strings.Contains(p.Hint, "depth 2") {
		t.Errorf("a large count: %+v", p)
	}
}

// FuzzPosition: no text makes an answer but a position that reads back, or a
// problem of the client's.
func FuzzPosition(f *testing.F) {
	w := newWorld(f)
	for _, seed := range [][3]string{
		{"othello", "f5d6c3", "d3"}, {"xiangqi", "炮二平五", "h9-g7"}, {"go:9x9", "E5 C3", "-"}, {"renju:free", "8,8", "h9"},
		{"weiqi", "start moves Q16", " "}, {"othello", "8/8/8/3OX3/3XO3/8/8/8 X moves f5", "--"},
	} {
		f.Add(seed[0], seed[1], seed[2])
	}
	f.Fuzz(func(t *testing.T, spec, line, play string) {
		w := *w
		w.t = t
		r := w.request("/position", "game", spec, "line", line, "play", play)
		switch r.Code {
		case http.StatusOK:
			var p view.Position
			if err := json.Unmarshal(r.Body.Bytes(), &p); err != nil {
				t.Fatal(err)
			}
			if again := fetch[view.Position](&w, "/position", "game", p.Game, "line", p.Line); again.Text != p.Text || again.Line != p.Line {
				t.Errorf("%q reads back to %q", p.Line, again.Line)
			}
		case http.StatusUnprocessableEntity:
		default:
			t.Errorf("%d %s", r.Code, r.Body)
		}
	})
}
