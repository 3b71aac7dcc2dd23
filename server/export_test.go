package server

import (
	"archive/zip"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"qipu/internal/testkit"
	"qipu/library"
	"qipu/record"
	"qipu/view"
)

// TestFiles: a record comes in every format that it can be had in, and is read
// back as the same game; its own bytes come as they were.
func TestFiles(t *testing.T) {
	w := newWorld(t)
	whole := 0
	for _, id := range w.ids() {
		path := fmt.Sprintf("/records/%d", id)
		g, _, err := w.lib.Record(w.ctx, id)
		if err != nil {
			t.Fatal(err)
		}
		if raw := w.file(path + "/raw"); len(g.Raw) > 0 && (raw.Code != 200 || !bytes.Equal(raw.Body.Bytes(), g.Raw)) {
			t.Errorf("%d: %d, %d bytes, want %d", id, raw.Code, raw.Body.Len(), len(g.Raw))
		}
		own := w.file(path + "/file")
		if own.Code != 200 || !strings.HasPrefix(own.Header().Get("Content-Disposition"), "attachment; ") {
			t.Errorf("%d: %d %v", id, own.Code, own.Header())
		}
		for _, format := range fetch[view.FullRecord](w, path).Formats {
			r := w.file(path+"/file", "format", format)
			if r.Code == 422 || format == "wthor" { // what a format cannot hold is said; a set is an archive
				continue
			}
			if r.Code != 200 {
				t.Errorf("%d as %s: %d %s", id, format, r.Code, r.Body)
				continue
			}
			back := readGames(t, "x."+extensionOf(w, format), r.Body.String())
			if len(back) != 1 || back[0].Kind != g.Kind || format != "obf" && len(played(w, back[0]).Steps) != len(played(w, g).Steps) {
				t.Errorf("%d as %s is read back as %d games of other moves", id, format, len(back))
			}
			whole++
		}
	}
	if whole < 30 {
		t.Errorf("%d files were read back", whole)
	}
	missing(w, "/records/9999/raw")
	if p := refused(w, "/records/1/file", "format", "gib"); !strings.Contains(p.Detail, "not written") || !strings.Contains(p.Hint, "sgf") {
		t.Errorf("%+v", p)
	}
	refused(w, "/records/1/file", "format", "docx")
}

func extensionOf(w *world, format string) string {
	formats := w.lib.Records().Formats()
	return formats[slices.IndexFunc(formats, func(f record.Format) bool { return f.Info().Name == format })].Info().Extensions[0]
}

func played(w *world, g *record.Game) *record.Played {
	return record.NewReferee(w.lib.Records().Rules()).Play(g)
}

func TestExport(t *testing.T) {
	w := newWorld(t)
	count := func(q string) int { return fetch[view.Records](w, "/records", "q", q).Games }
	for _, tt := range []struct{ q, format string }{{"game:go", "sgf"}, {"game:xiangqi", "pgn"}, {"game:othello", "ggf"}, {"game:renju", "sgf"}} {
		r := w.file("/records/export", "q", tt.q, "format", tt.format, "skip", "true")
		games := readGames(t, "x."+tt.format, r.Body.String())
		left := r.Result().Trailer.Get("Qipu-Left-Out")
		if r.Code != 200 || fmt.Sprint(count(tt.q)-len(games)) != left || len(games) == 0 {
			t.Errorf("%v: %d, %d games of %d, %s left out", tt, r.Code, len(games), count(tt.q), left)
		}
	}
	// Nothing is sent of what a format cannot hold.
	if p := refused(w, "/records/export", "q", "game:go or game:xiangqi", "format", "pgn"); p.Code != "inexpressible" || p.Hint == "" {
		t.Errorf("%+v", p)
	}
	if p := refused(w, "/records/export", "q", "game:go", "format", "xqf", "skip", "true"); p.Code != "inexpressible" {
		t.Errorf("%+v", p)
	}
	missing(w, "/records/export", "q", "none", "format", "sgf")
	missing(w, "/records/export", "ids", "1,9999", "format", "sgf")
	refused(w, "/records/export", "format", "docx")

	r := w.file("/records/export", "ids", "2,1", "format", "json")
	var list []view.Summary
	if err := json.Unmarshal(r.Body.Bytes(), &list); err != nil || len(list) != 2 || list[0].ID != 1 || list[1].ID != 2 {
		t.Errorf("%v: %s", err, r.Body)
	}
	ordered := func(params ...string) (ids []uint32) {
		var list []view.Summary
		r := w.file("/records/export", append([]string{"q", "game:othello", "format", "json"}, params...)...)
		if err := json.Unmarshal(r.Body.Bytes(), &list); err != nil {
			t.Fatalf("%q: %v: %s", params, err, r.Body)
		}
		for i := range list {
			ids = append(ids, list[i].ID)
		}
		return ids
	}
	var listed []uint32
	for _, h := range fetch[view.Records](w, "/records", "q", "game:othello", "sort", "date", "reverse", "true", "limit", "500").Records {
		listed = append(listed, h.Record.ID)
	}
	if got := ordered("sort", "date", "reverse", "true"); !slices.Equal(got, listed) || len(got) < 3 || slices.IsSorted(got) {
		t.Errorf("in the order of dates: %v, want %v", got, listed)
	}
	if got := ordered("sort", "date", "reverse", "true", "limit", "2"); !slices.Equal(got, listed[:2]) {
		t.Errorf("the first two: %v, want %v", got, listed[:2])
	}
	if p := refused(w, "/records/export", "ids", "1,2", "limit", "1", "format", "sgf"); p.Code != "selection" {
		t.Errorf("%+v", p)
	}
	rows, err := csv.NewReader(w.file("/records/export", "format", "csv").Body).ReadAll()
	if err != nil || len(rows) != len(w.ids())+1 || rows[0][0] != "id" || rows[1][slices.Index(rows[0], "collections")] != "demo" {
		t.Errorf("%v: %d rows", err, len(rows))
	}
}

// TestExportArchives: formats that hold one game a file, or need several files,
// come as archives.
func TestExportArchives(t *testing.T) {
	w := newWorld(t)
	names := func(r []byte) (list []string) {
		z, err := zip.NewReader(bytes.NewReader(r), int64(len(r)))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range z.File {
			list = append(list, f.Name)
		}
		return list
	}
	games := fetch[view.Records](w, "/records", "q", "game:xiangqi").Games
	if list := names(w.file("/records/export", "q", "game:xiangqi", "format", "xqf", "skip", "true").Body.Bytes()); len(list) != games {
		t.Errorf("%d files of %d games: %q", len(list), games, list)
	}
	if list := names(w.file("/records/export", "q", "format:wthor", "format", "wthor").Body.Bytes()); !slices.Equal(list, []string{"records.wtb", "records.jou", "records.trn"}) {
		t.Errorf("%q", list)
	}
}

func TestConvert(t *testing.T) {
	w := newWorld(t)
	type body struct {
		Text     string `json:"text"`
		Name     string `json:"name,omitempty"`
		To       string `json:"to"`
		Notation string `json:"notation,omitempty"`
	}
	c := send[view.Converted](w, 200, "POST", "/convert", body{Text: "f5d6c3d3c4", To: "ggf"})
	if c.Records != 1 || c.Binary || !strings.HasPrefix(c.Text, "(;GM[Othello]") || len(c.Faults) != 0 {
		t.Errorf("%+v", c)
	}
	const pgn = "[Game \"Chinese Chess\"]\n\n1. 炮二平五 馬8進7 *\n"
	c = send[view.Converted](w, 200, "POST", "/convert", body{Text: pgn, To: "xqf"})
	if c.Records != 1 || !c.Binary {
		t.Errorf("%+v", c)
	}
	c = send[view.Converted](w, 200, "POST", "/convert", body{Text: pgn, Name: "x.pgn", To: "pgn", Notation: "wxf"})
	if !strings.Contains(c.Text, "C2=5") {
		t.Errorf("%+v", c)
	}
	c = send[view.Converted](w, 200, "POST", "/convert", body{Text: "(;GM[1];B[aa])(;GM[2];B[f5])", To: "sgf"})
	if c.Records != 2 {
		t.Errorf("%+v", c)
	}
	c = send[view.Converted](w, 200, "POST", "/convert", body{Text: "(;GM[1];B[aa])", To: "xqf"})
	if c.Records != 0 || len(c.Faults) != 1 || c.Faults[0].Kind != "inexpressible" {
		t.Errorf("%+v", c)
	}
	if c = send[view.Converted](w, 200, "POST", "/convert", body{Text: "no record at all", To: "sgf"}); c.Records != 0 || len(c.Faults) == 0 {
		t.Errorf("%+v", c)
	}
	send[struct{}](w, 422, "POST", "/convert", body{Text: pgn + "\n" + pgn, To: "xqf"})
	send[struct{}](w, 422, "POST", "/convert", body{Text: pgn, To: "docx"})
	send[struct{}](w, 422, "POST", "/convert", body{Text: "f5d6", To: "wthor"})
}

func TestLibrary(t *testing.T) {
	w := newWorld(t)
	l := fetch[view.Library](w, "/library")
	games := 0
	for _, g := range l.ByGame {
		games += g.Records
		if _, err := w.Kinds.Find(g.Game); err != nil {
			t.Errorf("%s: %v", g.Game, err)
		}
	}
	if l.Records != len(w.ids()) || games != l.Records || l.Sample != l.Records || !strings.HasSuffix(w.lib.Records().Place(), l.Name) || !l.Writable || l.Token || l.Collections != 1 || l.Bytes == 0 || l.Generation == 0 {
		t.Errorf("%+v", l)
	}
	if i := slices.IndexFunc(l.Formats, func(f view.FormatInfo) bool { return f.Name == "sgf" }); i < 0 || !l.Formats[i].Writes || !slices.Contains(l.Formats[i].Games, "weiqi") {
		t.Errorf("%+v", l.Formats)
	}
	for _, path := range []string{"/library/check", "/library/check?full=true", "/library/reindex"} {
		if r := send[view.Care](w, 200, "POST", path, nil); r.State != "running" {
			t.Errorf("%s: %+v", path, r)
		}
		r := fetch[view.Care](w, "/library/care")
		for ; r.State == "running"; r = fetch[view.Care](w, "/library/care") {
			time.Sleep(time.Millisecond)
		}
		if r.State != "done" || !r.OK || len(r.Problems) != 0 || !strings.Contains(path, r.Task) {
			t.Errorf("%s: %+v", path, r)
		}
	}
	// A server that is started again tells of the last one, and of one that was cut off.
	for was, want := range map[string]string{"done": "done", "running": "unfinished"} {
		file := filepath.Join(w.lib.Records().Dir(), "jobs", "care.json")
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, bytes.Replace(data, []byte(`"state":"done"`), []byte(`"state":"`+was+`"`), 1), 0o600); err != nil {
			t.Fatal(err)
		}
		again, err := New(w.ctx, w.lib, Options{Log: slog.New(slog.DiscardHandler)})
		if err != nil {
			t.Fatal(err)
		}
		if r := fetch[view.Care](&world{t: t, ctx: w.ctx, lib: w.lib, Server: again, handler: again.Handler()}, "/library/care"); r.State != want || r.Task != "reindex" {
			t.Errorf("%s is told as %+v after a restart", was, r)
		}
		if err := errors.Join(again.Close(w.ctx), os.WriteFile(file, data, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	if n := fetch[view.Records](w, "/records").Games; n != l.Records {
		t.Errorf("%d records after the tables were made anew, want %d", n, l.Records)
	}

	// A record of a game that the program does not know is kept, and counted apart.
	file := filepath.Join(t.TempDir(), "hasami.sgf")
	if err := os.WriteFile(file, []byte("(;GM[0]GAME[hasami shogi]SZ[9];B[aa];W[bb])"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := w.lib.Import(w.ctx, library.ImportOptions{}, file); err != nil {
		t.Fatal(err)
	}
	if now := fetch[view.Library](w, "/library"); now.Records != l.Records || now.Unknown != 1 || fetch[view.Records](w, "/records").Games != l.Records {
		t.Errorf("%d records, and %d of unknown games", now.Records, now.Unknown)
	}
}

// stuck is a client that takes nothing.
type stuck struct {
	http.ResponseWriter
	began chan<- struct{}
	until <-chan struct{}
}

func (w *stuck) Write(p []byte) (int, error) {
	select {
	case w.began <- struct{}{}:
	default:
	}
	<-w.until
	return len(p), nil
}

// ended returns a handler that may end a request as net/http has it: the library
// is closed before the last export is.
func ended(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			if v := recover(); v != nil && v != http.ErrAbortHandler {
				panic(v)
			}
		}()
		h.ServeHTTP(w, r)
	})
}

// TestStuckExports: clients that do not take their exports hold up no search.
func TestStuckExports(t *testing.T) {
	w := newWorld(t)
	until, began := make(chan struct{}), make(chan struct{}, 100)
	defer close(until)
	for range 40 {
		go ended(w.handler).ServeHTTP(&stuck{httptest.NewRecorder(), began, until}, httptest.NewRequest("GET", target("/records/export", "format", "csv"), nil))
	}
	<-began
	for end := time.Now().Add(testkit.Patience); !w.free(); time.Sleep(10 * time.Millisecond) { // each looks for its records first
		if time.Now().After(end) {
			t.Fatal("exports hold all places at the gate of searches")
		}
	}
	if got := fetch[view.Answer](w, "/find", "q", "player:ada"); got.Games == 0 {
		t.Error("nothing is found")
	}
}

// TestSelectedVariations: what a list shows of variations is what is exported.
func TestSelectedVariations(t *testing.T) {
	w := newWorld(t)
	for _, id := range w.ids() {
		full := fetch[view.FullRecord](w, "/records/"+itoa(int64(id)))
		for i := range full.Nodes {
			n := &full.Nodes[i]
			if n.Ply < 4 || len(n.Changes) == 0 || n.Fault != "" {
				continue
			}
			at := fetch[view.Position](w, "/records/"+itoa(int64(id))+"/position", "node", itoa(int64(i)))
			q := `position:"` + at.Text + `"`
			main := fetch[view.Records](w, "/records", "q", q, "game", full.Summary.Game)
			all := fetch[view.Records](w, "/records", "q", q, "game", full.Summary.Game, "variations", "true")
			if main.Games > 0 || all.Games == 0 {
				continue
			}
			var list []view.Summary
			r := w.file("/records/export", "q", q, "game", full.Summary.Game, "variations", "true", "format", "json")
			if err := json.Unmarshal(r.Body.Bytes(), &list); err != nil || len(list) != all.Games {
				t.Errorf("%s: %d records are exported, %d listed: %s", q, len(list), all.Games, r.Body)
			}
			return
		}
	}
	t.Fatal("no position of a variation alone")
}
