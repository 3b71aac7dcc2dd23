package server

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image/gif"
	"image/png"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"qipu/board/picture/pdf/pdftest"
	"qipu/game"
	"qipu/library"
	"qipu/library/ask"
	"qipu/record"
	"qipu/retrieve"
	"qipu/sample"
	"qipu/server/api"
	"qipu/server/guard"
	"qipu/view"
	"qipu/view/answerview"
)

// send sends a change and returns its answer, which must have a status.
func send[T any](w *world, status int, method, path string, body any) *T {
	w.t.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		w.t.Fatal(err)
	}
	req := httptest.NewRequest(method, api.Prefix+path, bytes.NewReader(text))
	req.Header.Set("Content-Type", "application/json")
	r := httptest.NewRecorder()
	w.handler.ServeHTTP(r, req)
	if r.Code != status {
		w.t.Fatalf("%s %s %s: %d %s, want %d", method, path, text, r.Code, r.Body, status)
	}
	var v T
	if r.Body.Len() == 0 {
		return &v
	}
	var any any
	if err := json.Unmarshal(r.Body.Bytes(), &any); err != nil {
		w.t.Fatal(err)
	}
	if at := nullIn(any); at != "" {
		w.t.Errorf("%s %s: %s is null", method, path, at)
	}
	if err := json.Unmarshal(r.Body.Bytes(), &v); err != nil {
		w.t.Fatal(err)
	}
	return &v
}

// file asks for a file.
func (w *world) file(path string, params ...string) *httptest.ResponseRecorder {
	w.t.Helper()
	r := httptest.NewRecorder()
	w.handler.ServeHTTP(r, httptest.NewRequest("GET", target(path, params...), nil))
	return r
}

// missing asks for something that is not there.
func missing(w *world, path string, params ...string) *guard.Problem {
	w.t.Helper()
	r := w.request(path, params...)
	var p guard.Problem
	if err := json.Unmarshal(r.Body.Bytes(), &p); err != nil || r.Code != http.StatusNotFound {
		w.t.Fatalf("%s %q: %d %s", path, params, r.Code, r.Body)
	}
	return &p
}

func TestRecords(t *testing.T) {
	w := newWorld(t)
	for _, tt := range []struct {
		params []string
		query  string // of the library, for comparison
	}{
		{nil, "all"},
		{[]string{"q", "game:othello"}, "game:othello"},
		{[]string{"game", "xiangqi"}, "game:xiangqi"},
		{[]string{"q", "player:alpha", "game", "go"}, "player:alpha game:go"},
		{[]string{"q", "none"}, "none"},
	} {
		all := fetch[view.Records](w, "/records", append(tt.params, "limit", "500")...)
		want, err := w.lib.Ask(w.ctx, &ask.Question{Text: tt.query, Request: retrieve.Request{Limit: -1}})
		if err != nil {
			t.Fatal(err)
		}
		if all.Games != want.Games || len(all.Records) != want.Games || all.Next != "" || all.Score.Games != want.Games {
			t.Errorf("%q: %d games, %d records, want %d", tt.params, all.Games, len(all.Records), want.Games)
		}
		var paged []uint32
		cursor := ""
		for {
			page := fetch[view.Records](w, "/records", append(tt.params, "limit", "4", "cursor", cursor)...)
			for _, h := range page.Records {
				paged = append(paged, h.Record.ID)
			}
			if cursor = page.Next; cursor == "" {
				break
			}
		}
		if !slices.Equal(paged, want.Found.ToArray()) {
			t.Errorf("%q: pages have %v, want %v", tt.params, paged, want.Found.ToArray())
		}
	}
	if p := refused(w, "/records", "q", "player:"); p.Code != "query" {
		t.Errorf("a wrong query is refused as %+v", p)
	}
	if p := refused(w, "/records", "game", "shoe"); p.Hint == "" {
		t.Errorf("an unknown game is refused as %+v", p)
	}
}

// TestFacets: every dimension counts what a search that groups by it counts.
func TestFacets(t *testing.T) {
	w := newWorld(t)
	send[view.Changed](w, 200, "POST", "/tags", view.Labelling{Selection: view.Selection{Query: "game:go"}, Add: []string{"stones"}})
	for _, text := range []string{"all", "game:othello", "player:alpha", "none"} {
		all := fetch[view.Facets](w, "/records/facets", "q", text, "limit", "1000")
		if len(all.Facets) != len(retrieve.Dimensions()) {
			t.Fatalf("%d facets", len(all.Facets))
		}
		for i, name := range retrieve.Dimensions() {
			by, err := retrieve.ParseDimension(name)
			if err != nil {
				t.Fatal(err)
			}
			r, err := w.lib.Ask(w.ctx, &ask.Question{Text: text, Request: retrieve.Request{By: by, Limit: 1}})
			if err != nil {
				t.Fatal(err)
			}
			want := []view.Group{}
			for k := range r.Groups {
				g := answerview.GroupOf(&r.Groups[k])
				g.Hits = 0
				want = append(want, g)
			}
			a, _ := json.Marshal(all.Facets[i].Groups)
			b, _ := json.Marshal(want)
			if all.Facets[i].By != name || !bytes.Equal(a, b) {
				t.Errorf("%s by %s: %s, want %s", text, name, a, b)
			}
		}
	}
	some := fetch[view.Facets](w, "/records/facets", "by", "year,player", "limit", "2")
	if len(some.Facets) != 2 || some.Facets[0].Field != "date" || some.Facets[0].More || len(some.Facets[1].Groups) != 2 || !some.Facets[1].More {
		t.Errorf("%+v", some)
	}
	// Every group narrows to the records that it counts, and to those whose
	// texts are the same in another script.
	for _, f := range fetch[view.Facets](w, "/records/facets", "by", "year,event,opening,result,length,collection,tag").Facets {
		for _, g := range f.Groups {
			if g.Key == "" {
				continue
			}
			value := `"` + g.Key + `"`
			if f.By == "length" {
				value = g.Key
			}
			if n := fetch[view.Records](w, "/records", "q", f.Field+":"+value).Games; n < g.Score.Games || n > g.Score.Games && f.By != "event" {
				t.Errorf("%s:%s finds %d records, and counts %d", f.Field, value, n, g.Score.Games)
			}
		}
	}
	refused(w, "/records/facets", "by", "weather")
}

// TestGarbledNames: a name of which nothing can be read is no player, and those who have none
// are not called by it; what else is a name is found by a click on it.
func TestGarbledNames(t *testing.T) {
	w := newWorld(t)
	path := filepath.Join(t.TempDir(), "garbled.sgf")
	var text strings.Builder
	for i, names := range [][2]string{{"\uFFFD\uFFFD\uFFFD", "\xff\xfe"}, {"\uFFFD\uFFFD\uFFFD", ""}, {"-x", "\u202Eevil"}, {"\u5DE7\uFFFD", "???"}} {
		fmt.Fprintf(&text, "(;GM[1]SZ[9]PB[%s]PW[%s]EV[\uFFFD\uFFFD];B[ee];W[c%c])", names[0], names[1], 'a'+i)
	}
	if err := os.WriteFile(path, []byte(text.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := w.lib.Import(w.ctx, library.ImportOptions{}, path); err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, f := range fetch[view.Facets](w, "/records/facets", "by", "player,event", "limit", "1000").Facets {
		for _, g := range f.Groups {
			if g.Key == "" {
				continue
			}
			if strings.ContainsAny(g.Key, "\uFFFD-\u202E") {
				seen++
			}
			if n := fetch[view.Records](w, "/records", "q", f.Field+`="`+g.Key+`"`).Games; n < g.Score.Games {
				t.Errorf("%s=%q finds %d records, and counts %d", f.Field, g.Key, n, g.Score.Games)
			}
		}
	}
	if seen < 3 {
		t.Errorf("%d of the odd names are there", seen)
	}
}

func TestRecord(t *testing.T) {
	w := newWorld(t)
	for _, id := range w.ids() {
		g, meta, err := w.lib.Record(w.ctx, id)
		if err != nil {
			t.Fatal(err)
		}
		r := fetch[view.FullRecord](w, fmt.Sprintf("/records/%d", id))
		p := record.Play(rulesOf(g), g)
		if r.Summary.ID != id || r.Main != len(p.Steps) || r.Main != meta.Plies || r.Format != g.Format || len(r.Headers) != len(g.Tags) {
			t.Errorf("%d: %+v, main line of %d", id, r.Summary, r.Main)
		}
		if !slices.Equal(r.Start, view.Pieces(p.Start.Board)) || r.Turn != int(p.Start.Turn) {
			t.Errorf("%d: start %v", id, r.Start)
		}
		if r.Summary.Marked == (len(r.Faults) == 0) {
			t.Errorf("%d: marked %v, with faults %q", id, r.Summary.Marked, r.Faults)
		}
		if !slices.Contains(r.Collections, "demo") || len(r.Sources) == 0 || !slices.Contains(r.Formats, "sgf") && r.Summary.Game != "xiangqi" {
			t.Errorf("%d: collections %q, sources %v, formats %q", id, r.Collections, r.Sources, r.Formats)
		}
	}
	if missing(w, "/records/99999").Hint == "" {
		t.Error("no hint about a record that is not there")
	}
	if p := refused(w, "/records/1", "notation", "runes"); p.Code != "no-notation" {
		t.Errorf("%+v", p)
	}
}

// TestRecordNotations: moves are told in the notation that is asked for, and
// read back as the same moves.
func TestRecordNotations(t *testing.T) {
	w := newWorld(t)
	id := fetch[view.Records](w, "/records", "q", "game:xiangqi").Records[0].Record.ID
	k, err := w.Kinds.Find("xiangqi")
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range k.Rules.Info().Notations {
		r := fetch[view.FullRecord](w, fmt.Sprintf("/records/%d", id), "notation", string(n.Name))
		pos, err := game.ParsePosition(k.Rules, "")
		if err != nil {
			t.Fatal(err)
		}
		for i := 1; i < len(r.Nodes) && r.Nodes[i].Parent == i-1; i++ {
			m, err := k.Rules.ParseMove(pos, r.Nodes[i].Move, n.Name)
			if err == nil {
				err = pos.Play(m)
			}
			if err != nil || k.PointIndex(m.From()) != r.Nodes[i].From || k.PointIndex(m.To()) != r.Nodes[i].To {
				t.Fatalf("%s: node %d, %s: %v", n.Name, i, r.Nodes[i].Move, err)
			}
		}
	}
}

func TestDelete(t *testing.T) {
	w := newWorld(t)
	all := len(w.ids())
	if all != sample.Games {
		t.Errorf("the demo set has %d games, and says %d", all, sample.Games)
	}
	send[struct{}](w, 204, "DELETE", "/records/1", nil)
	send[guard.Problem](w, 404, "DELETE", "/records/1", nil)
	missing(w, "/records/1")
	send[guard.Problem](w, 404, "POST", "/records/delete", view.Removal{Selection: view.Selection{IDs: []uint32{1, 2}}, Expect: 2})
	if p := send[guard.Problem](w, 409, "POST", "/records/delete", view.Removal{Selection: view.Selection{Query: "game:othello"}, Expect: 1}); p.Code != "other-count" {
		t.Errorf("%+v", p)
	}
	n := fetch[view.Records](w, "/records", "q", "game:othello").Games
	c := send[view.Changed](w, 200, "POST", "/records/delete", view.Removal{Selection: view.Selection{Query: "game:othello"}, Expect: n})
	if c.Changed != n || len(w.ids()) != all-1-n {
		t.Errorf("%+v, %d records are left of %d", c, len(w.ids()), all)
	}
	for _, s := range []view.Selection{{}, {IDs: []uint32{2}, Query: "all"}} {
		if p := send[guard.Problem](w, 422, "POST", "/records/delete", view.Removal{Selection: s}); p.Code != "selection" {
			t.Errorf("%+v", p)
		}
	}
}

func TestMoments(t *testing.T) {
	w := newWorld(t)
	for _, id := range w.ids() {
		path := fmt.Sprintf("/records/%d", id)
		r := fetch[view.FullRecord](w, path)
		board := slices.Clone(r.Start)
		boards := make([][]int, len(r.Nodes))
		for i, n := range r.Nodes {
			if i > 0 {
				board = slices.Clone(boards[n.Parent])
			}
			for k := 0; k < len(n.Changes); k += 2 {
				board[n.Changes[k]] = n.Changes[k+1]
			}
			boards[i] = board
			if i%7 != 1 {
				continue
			}
			p := fetch[view.Position](w, path+"/position", "node", fmt.Sprint(i))
			if !slices.Equal(p.Pieces, board) || p.Turn != n.Turn {
				t.Fatalf("%s node %d: %v, want %v", path, i, p.Pieces, board)
			}
			again := fetch[view.Position](w, "/position", "game", p.Game, "line", p.Line)
			if again.Text != p.Text || again.Line != p.Line {
				t.Fatalf("%s node %d: the line %q gives %q, want %q", path, i, p.Line, again.Text, p.Text)
			}
		}
		end := fetch[view.Position](w, path+"/position")
		last := fetch[view.Position](w, path+"/position", "ply", fmt.Sprint(r.Main))
		if end.Text != last.Text {
			t.Errorf("%s: the end is %q, and at the last ply it is %q", path, end.Text, last.Text)
		}
		if missing(w, path+"/position", "ply", fmt.Sprint(r.Main+1)).Hint == "" || missing(w, path+"/position", "node", fmt.Sprint(len(r.Nodes))).Hint == "" {
			t.Error("no hint about a moment that is not there")
		}
	}
}

func TestPictures(t *testing.T) {
	w := newWorld(t)
	svg := w.file("/records/1/board.svg", "ply", "5", "dark", "true", "region", "A1:C3", "width", "300")
	if svg.Code != 200 || !strings.HasPrefix(svg.Body.String(), "<svg") || !strings.HasPrefix(svg.Header().Get("Content-Type"), "image/svg+xml") {
		t.Errorf("%d %s %.200s", svg.Code, svg.Header(), svg.Body)
	}
	plain := w.file("/records/1/board.svg", "ply", "5")
	if bytes.Equal(plain.Body.Bytes(), svg.Body.Bytes()) {
		t.Error("the options of a picture change nothing")
	}
	text := w.file("/records/1/board.txt", "coordinates", "false")
	if text.Code != 200 || strings.Contains(text.Body.String(), "A B C") || !strings.HasPrefix(text.Header().Get("Content-Type"), "text/plain") {
		t.Errorf("%d %s", text.Code, text.Body)
	}
	if got := w.file("/draw.txt", "game", "othello", "line", "f5").Body.String(); !strings.HasSuffix(got, "white to move\n") || !strings.Contains(got, "X") {
		t.Errorf("%s", got)
	}
	if got := w.file("/draw.svg", "game", "xiangqi"); got.Code != 200 || !strings.HasPrefix(got.Body.String(), "<svg") {
		t.Errorf("%d %.100s", got.Code, got.Body)
	}
	bare := w.file("/draw.svg", "game", "othello", "line", "f5 d6").Body.String()
	for _, option := range []string{"numbers", "legal"} {
		if got := w.file("/draw.svg", "game", "othello", "line", "f5 d6", option, "true"); got.Code != 200 || len(got.Body.String()) <= len(bare) {
			t.Errorf("%s: %d, nothing more is drawn", option, got.Code)
		}
	}
	if p := refused(w, "/draw.svg", "game", "go", "region", "Z1:Z2"); p.Code != "no-region" {
		t.Errorf("%+v", p)
	}
	refused(w, "/draw.txt", "game", "go", "line", "nonsense")
	missing(w, "/records/1/board.svg", "ply", "4000")
}

// TestPrinted: pictures of pixels, pages and films are what they say, and bounded.
func TestPrinted(t *testing.T) {
	w := newWorld(t)
	for path, got := range map[string]*httptest.ResponseRecorder{
		"board": w.file("/records/1/board.png", "width", "320"), "draw": w.file("/draw.png", "game", "othello", "width", "320"),
	} {
		if img, err := png.Decode(got.Body); err != nil || img.Bounds().Dx() != 320 {
			t.Errorf("%s: %v, %v", path, img, err)
		}
	}
	got := w.file("/records/1/pages.pdf", "lang", "ja")
	pages, err := pdftest.Text(got.Body.Bytes())
	if err != nil || len(pages) == 0 || len(pages[0]) < 20 || got.Header().Get("Content-Type") != "application/pdf" {
		t.Errorf("%d pages, %v, %v", len(pages), err, got.Header())
	}
	film, err := gif.DecodeAll(w.file("/records/1/moves.gif", "from", "1", "to", "4", "width", "120").Body)
	if err != nil || len(film.Image) != 4 {
		t.Errorf("%v, %v", film, err)
	}
	if p := refused(w, "/records/1/moves.gif", "from", "9", "to", "3"); p.Code != "no-picture" {
		t.Errorf("%+v", p)
	}
	missing(w, "/records/99999/pages.pdf")
}

// BenchmarkRecord asks for the longest record of the demo set.
func BenchmarkRecord(b *testing.B) {
	w := newWorld(b)
	id, most := uint32(0), 0
	for _, h := range fetch[view.Records](w, "/records", "limit", "500").Records {
		if h.Record.Plies > most {
			id, most = h.Record.ID, h.Record.Plies
		}
	}
	for b.Loop() {
		r := httptest.NewRecorder()
		if w.handler.ServeHTTP(r, unkept(target("/records/"+itoa(int64(id))))); r.Code != http.StatusOK {
			b.Fatal(r.Body)
		}
	}
	b.ReportMetric(float64(most), "plies")
}
