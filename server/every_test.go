package server

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"math/rand/v2"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"qipu/internal/testkit"
	"qipu/server/api"
	"qipu/view"
)

// endpoint is one operation of the interface.
type endpoint struct {
	method, path string
	op           *huma.Operation
}

func endpoints(s *Server) (list []endpoint) {
	for path, item := range s.OpenAPI().Paths {
		for method, op := range map[string]*huma.Operation{"GET": item.Get, "POST": item.Post, "PUT": item.Put, "DELETE": item.Delete, "PATCH": item.Patch} {
			if op != nil {
				list = append(list, endpoint{method, path, op})
			}
		}
	}
	slices.SortFunc(list, func(a, b endpoint) int { return strings.Compare(a.path+a.method, b.path+b.method) })
	return list
}

// ownShape is a shape that may be saved.
const ownShape = "shape own-cut\nterms cut\npurpose cut\nours a\ndraw\n  X O\n  a X\n"

// sensible are values that make a request succeed now and then, by the name of
// the parameter or member.
var sensible = map[string][]string{
	"q":        {"", "all", "player:Demo", `board:"XO"`, `fuzzy:"XO/OX"{min:.7}`, `position:"f5 d6"`, "result:draw or moves>30", `board:"XO" then board:"OX"`, "named:mine", "tag:study"},
	"within":   {"", "player:Demo", "moves>10", "collection:demo"},
	"a":        {"player:Demo", "all"},
	"b":        {"moves>20", "all"},
	"query":    {"all", "player:Demo", `board:"XO"`},
	"game":     {"", "weiqi", "weiqi:9x9", "othello", "xiangqi", "renju", "go", "gomoku"},
	"line":     {"", "f5 d6", "Q16 D4", "h8", "炮二平五", "start"},
	"play":     {"", "f5", "Q16", "pass", "h8", "h3-e3"},
	"id":       {"1", "2", "3", "4", "5", "9", "cannon-behind-horse", "C42", "f5d6", "sanrensei"},
	"name":     {"mine", "study", "demo", "Demo Alpha", "Ke Jie", "新名"},
	"format":   {"sgf", "pgn", "csv", "json", "transcript", "wthor", "", "xqf"},
	"to":       {"sgf", "pgn", "transcript"},
	"text":     {ownShape, ownShape, "(;GM[1]SZ[9];B[ee])", "f5d6c3d3c4", "player:Demo", "nothing at all", "(;GM[1];B[zz]"},
	"notation": {"", "", "wxf", "gtp", "chinese"},
	"region":   {"", "C3:J9", "a1:b2"},
	"op":       {"merge", "split", "rename"},
	"names":    {"Demo Alpha", "Demo Beta"},
	"into":     {"Demo Alpha", "Demo Gamma", ""},
	"encoding": {"", "gb18030", "utf-8"},
	"cursor":   {""},
	"add":      {"demo", "study"},
	"remove":   {"demo", "study"},
	"ids":      {"1", "2", "3"},
	"depth":    {"1", "2"},
	"level":    {"1", "2", "3"},
	"move":     {"f5", "f5", "d3", "pass", "h8", "Q16", "C2.5"},
	"version":  {"0"},
	"minutes":  {"0", "5"},
	"opening":  {"", "", "xot", "random", "Tiger"},
	"least":    {"1"},
	"expect":   {"1"},
	"method":   {"", "fill", "verdict", "alphabeta", "bstar"},
	"methods":  {"minimax,alphabeta", "bstar", "proof,scout"},
	"nodes":    {"100", "2000"},
	"why":      {"", "", "Q16"},
	"record":   {"1", "2", "3", "4"},
}

// hostile are values that nobody means well with.
var hostile = []string{
	"", "\x00", "../../etc/passwd", "..%2f..%2fetc", `"`, "'; drop table game; --", strings.Repeat("(", 3000), strings.Repeat("9", 400), "-1", "1e309", "NaN",
	"\xff\xfe", "𝕏𝕐", "%", "null", "{}", "[]", "true", strings.Repeat("a", 70_000), "or", "not", "board:", `board:"`, `board:"[^`, "fuzzy:\"X\"{min:nan}", "date:0..9999999999999", "line:\"\"",
	"weiqi:0x0", "weiqi:99x99", "othello:7x7", "\u202e", "a\nb", strings.Repeat("board:\"X\" then ", 500),
}

// asker makes requests at random, some of them sensible.
type asker struct {
	*rand.Rand
	plain bool // nothing hostile, and few options: what a page asks
	doc   *huma.OpenAPI
	ids   []string // of records that there are

	sessions []string // that are played, or were
}

// value returns a value for a parameter or member.
func (a *asker) value(name string, s *huma.Schema) string {
	if !a.plain && a.IntN(6) == 0 {
		return hostile[a.IntN(len(hostile))]
	}
	if list, ok := sensible[name]; ok {
		if len(a.ids) > 0 && (name == "ids" || name == "id" && a.IntN(2) == 0) {
			list = a.ids
		}
		return list[a.IntN(len(list))]
	}
	if s == nil {
		return "x"
	}
	if len(s.Enum) > 0 {
		return fmt.Sprint(s.Enum[a.IntN(len(s.Enum))])
	}
	switch s.Type {
	case huma.TypeBoolean:
		return strconv.FormatBool(a.IntN(2) == 0)
	case huma.TypeInteger, huma.TypeNumber:
		low, high := -2.0, 40.0
		if s.Minimum != nil {
			low = *s.Minimum
		}
		if s.Maximum != nil {
			high = min(*s.Maximum, low+40)
		}
		return strconv.Itoa(int(low) + a.IntN(int(high-low)+1))
	case huma.TypeArray:
		return a.value(name, s.Items)
	}
	return "x"
}

// option returns one in how many optional parameters are given.
func (a *asker) option() int {
	if a.plain {
		return 12
	}
	return 3
}

// json returns a body that is about as the schema says.
func (a *asker) json(name string, s *huma.Schema) any {
	if s.Ref != "" {
		s = a.doc.Components.Schemas.SchemaFromRef(s.Ref)
	}
	if !a.plain && a.IntN(25) == 0 {
		return []any{nil, 7, "x", map[string]any{}, []any{nil}, -1e300}[a.IntN(6)]
	}
	switch s.Type {
	case huma.TypeObject:
		m := map[string]any{}
		for _, member := range slices.Sorted(maps.Keys(s.Properties)) { // always in the same order: chance must be repeatable
			of := s.Properties[member]
			if slices.Contains(s.Required, member) || a.IntN(2) == 0 {
				m[member] = a.json(member, of)
			}
		}
		return m
	case huma.TypeArray:
		list := []any{}
		for range []int{1, 1, 2, 0}[a.IntN(4)] {
			list = append(list, a.json(name, s.Items))
		}
		return list
	case huma.TypeBoolean:
		return a.IntN(2) == 0
	case huma.TypeInteger, huma.TypeNumber:
		n, _ := strconv.ParseFloat(a.value(name, s), 64)
		if n != n || n > 1e300 {
			n = 0
		}
		return n
	}
	return a.value(name, s)
}

// request returns a request for an operation.
func (a *asker) request(e endpoint) *http.Request {
	path, query := e.path, url.Values{}
	for _, p := range e.op.Parameters {
		switch p.In {
		case "path":
			v := a.value(p.Name, p.Schema)
			if strings.HasPrefix(path, "/sessions/") && len(a.sessions) > 0 && a.IntN(4) > 0 {
				v = a.sessions[len(a.sessions)-1-a.IntN(min(8, len(a.sessions)))]
			}
			if strings.HasPrefix(path, "/shapes/") && a.IntN(4) > 0 {
				v = []string{"paper-figure-17", "own-cut", "own-cut"}[a.IntN(3)]
			}
			if v == "" {
				v = "x"
			}
			path = strings.Replace(path, "{"+p.Name+"}", url.PathEscape(v), 1)
		case "query":
			if p.Required && (a.plain || a.IntN(10) > 0) || a.IntN(a.option()) == 0 || p.Name == "q" && a.IntN(2) == 0 || p.Name == "level" || p.Name == "nodes" { // which cost more by themselves
				query.Add(p.Name, a.value(p.Name, p.Schema))
			}
		}
	}
	if !a.plain && a.IntN(30) == 0 {
		query.Add("unheardOf", "1")
	}
	var body bytes.Buffer
	kind := ""
	if b := e.op.RequestBody; b != nil {
		if b.Content["multipart/form-data"] != nil {
			kind = a.form(&body)
		} else if of := b.Content["application/json"]; of != nil {
			kind = "application/json"
			text, _ := json.Marshal(a.json("", of.Schema))
			if !a.plain && a.IntN(20) == 0 {
				text = text[:a.IntN(len(text)+1)]
			}
			body.Write(text)
		}
	}
	r := httptest.NewRequest(e.method, "http://localhost"+api.Prefix+path+"?"+query.Encode(), &body)
	if kind != "" {
		r.Header.Set("Content-Type", kind)
	}
	return r
}

// form writes the form of an upload.
func (a *asker) form(body *bytes.Buffer) string {
	form := multipart.NewWriter(body)
	if a.IntN(3) == 0 {
		form.WriteField("dryRun", "true")
	}
	if a.IntN(8) == 0 {
		form.WriteField("unheardOf", "x")
	}
	for range a.IntN(3) {
		names := []string{"a.sgf", "../../a.sgf", "/etc/passwd", "C:\\x.sgf", "folder/b.sgf", "con", "\x00", ""}
		w, err := form.CreateFormFile("file", names[a.IntN(len(names))])
		if err == nil {
			w.Write([]byte(sensible["text"][a.IntN(len(sensible["text"]))]))
		}
	}
	if a.IntN(10) > 0 {
		form.Close()
	}
	return form.FormDataContentType()
}

// ask sends a request and checks what every answer must be: no fault of the
// server, no null, and where it is refused a problem that tells why.
func request(t testing.TB, handler http.Handler, r *http.Request) int {
	t.Helper()
	ctx, cancel := context.WithTimeout(r.Context(), 5*time.Second) // streams end with it
	defer cancel()
	if strings.HasSuffix(r.URL.Path, "/events") || r.URL.Path == api.Prefix+"/review" || r.URL.Path == api.Prefix+"/analysis" {
		ctx, cancel = context.WithTimeout(ctx, 50*time.Millisecond)
		defer cancel()
	}
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, r.WithContext(ctx))
	name := r.Method + " " + clip(r.URL.String())
	// A method of the lab may compute for longer than this client waits: then it ends with it.
	left := ctx.Err() != nil && strings.HasPrefix(r.URL.Path, api.Prefix+"/lab/")
	if w.Code >= 500 && !left {
		t.Errorf("%s: %d %s", name, w.Code, clip(w.Body.String()))
	}
	kind := w.Header().Get("Content-Type")
	if w.Code >= 400 {
		var p struct{ Type, Title, Detail, Code string }
		if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil || kind != "application/problem+json" || p.Detail == "" || p.Code == "" || p.Title == "" || p.Type == "" {
			t.Errorf("%s: %d is no problem that tells why (%s): %s", name, w.Code, kind, clip(w.Body.String()))
		}
	}
	if strings.HasPrefix(kind, "application/json") {
		var v any
		if err := json.Unmarshal(w.Body.Bytes(), &v); err != nil {
			t.Errorf("%s: %v: %s", name, err, clip(w.Body.String()))
		}
		if at := findNull(v, ""); at != "" {
			t.Errorf("%s: %s is null", name, at)
		}
	}
	return w.Code
}

func clip(s string) string {
	if len(s) > 500 {
		return s[:500] + "..."
	}
	return s
}

// findNull returns where a value has a null, or "".
func findNull(v any, at string) string {
	switch v := v.(type) {
	case nil:
		return at + "."
	case []any:
		for i, x := range v {
			if n := findNull(x, fmt.Sprintf("%s[%d]", at, i)); n != "" {
				return n
			}
		}
	case map[string]any:
		for k, x := range v {
			if n := findNull(x, at+"."+k); n != "" {
				return n
			}
		}
	}
	return ""
}

// costly are operations of which one is asked in so many rounds, once it has
// succeeded: lint looks at many pairs of shapes, or at all of them, and methods of the lab
// read as long as they may.
var costly = map[string]int{"lint-shapes": 500, "check-shape": 4, "get-shape": 4, "save-shape": 4, "run-methods": 10, "grow-tree": 10, "make-drill-set": 10_000}

// TestEvery asks every operation at random, well and badly. Each must have
// succeeded at least once, so that the test is known to reach it.
func TestEvery(t *testing.T) {
	w := newWorldWith(t, Options{Backups: filepath.Join(t.TempDir(), "backups")})
	w.Log = slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelError}))
	handler := w.Guard.Wrap(w.handler)
	a := &asker{Rand: rand.New(rand.NewPCG(1, 4)), doc: w.OpenAPI()}
	list := endpoints(w.Server)
	if len(list) < 50 {
		t.Fatalf("only %d operations", len(list))
	}
	// Imports end here before they could be stopped and gone on with:
	// TestCancelResume does both.
	// A move is seldom made and then taken back by chance: TestSessionSteps does. Nor do
	// two sides pass one after the other: TestSessionSettles does, and agrees.
	// What headers are called, what is in the trash and what was changed TestJournal knows.
	// No finding is accepted by two readers here: TestQueue of mine/queue makes entries.
	// Two people at two screens TestSeats has.
	succeeded := map[string]int{"enter-finding": 1, "enter": 1, "accept-job": 1, "change-person": 1, "remove-person": 1, "invite-person": 1, "choose-person": 1, "revoke-person": 1,
		"cancel-job": 1, "resume-job": 1, "undo-move": 1, "agree": 1, "mark-stones": 1, "resume-play": 1, "edit-records": 1, "restore-records": 1, "undo-change": 1, "get-change": 1,
		"invite-player": 1, "sit-down": 1, "offer": 1, "decline": 1, "rematch": 1, "review-session": 1,
		"restore-backup": 1,                      // TestBackups does
		"make-drill-set": 1, "drop-drill-set": 1, // TestDrill does
		"clusters":    1,                                                              // the sample set is too small for any, which TestClusters sees
		"share-sheet": 1, "undo-event-edit": 1, "judge-finding": 1, "drop-finding": 1, // they take what has just been written or changed: seldom by chance
		"answer-opening": 1, "enter-passkey": 1, "fetch-records": 1} // TestSessionOpening, TestAttacks and TestFetch do
	// Nobody has a profile here: TestPeople, TestAttacks and TestPlayedHere do, and accept imports.
	for _, e := range list {
		if w.Policy(httptest.NewRequest(e.method, api.Prefix+slot.ReplaceAllString(e.path, "77"), nil)).Who == api.Profiles {
			succeeded[e.op.OperationID]++
		}
	}
	rounds := testkit.Scale(20, 2000)
	missing := func() (names []string) {
		for _, e := range list {
			if succeeded[e.op.OperationID] == 0 {
				names = append(names, e.op.OperationID)
			}
		}
		return names
	}
	for i := 0; i < rounds || i < 10*rounds && len(missing()) > 0; i++ {
		a.plain = i >= rounds // what has not succeeded by chance is asked as a page asks it
		if i%10 == 0 {        // what was deleted comes back
			r := httptest.NewRequest("POST", "http://localhost"+api.Prefix+"/jobs", strings.NewReader(`{"sample":true,"collection":"demo","again":true}`))
			r.Header.Set("Content-Type", "application/json")
			request(t, handler, r)
			r = httptest.NewRequest("POST", "http://localhost"+api.Prefix+"/tags", strings.NewReader(`{"query":"all","add":["study"]}`))
			r.Header.Set("Content-Type", "application/json")
			request(t, handler, r)
			r = httptest.NewRequest("PUT", "http://localhost"+api.Prefix+"/queries/mine", strings.NewReader(`{"query":"player:Demo"}`))
			r.Header.Set("Content-Type", "application/json")
			request(t, handler, r)
		}
		a.ids = a.ids[:0]
		all, err := w.lib.Records().IDs(w.ctx, "")
		if err != nil {
			t.Fatal(err)
		}
		judged, err := w.lib.Records().IDs(w.ctx, "weiqi 19x19") // some operations take games of Go alone
		if err != nil {
			t.Fatal(err)
		}
		for _, list := range [][]uint32{all.ToArray(), judged.ToArray(), judged.ToArray()} {
			for _, id := range list {
				a.ids = append(a.ids, strconv.Itoa(int(id)))
			}
		}
		for _, v := range fetch[view.Sessions](w, "/sessions").Sessions {
			if !slices.Contains(a.sessions, v.ID) {
				a.sessions = append(a.sessions, v.ID)
			}
		}
		a.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] }) // one check, repair or backup is under way at a time
		for _, e := range list {
			if id := e.op.OperationID; succeeded[id] > 0 && (a.plain && id != "new-session" || i%max(1, costly[id]) != 0) {
				continue
			}
			if code := request(t, handler, a.request(e)); code < 300 {
				succeeded[e.op.OperationID]++
			}
		}
		if t.Failed() {
			break
		}
	}
	// It takes a board and its game at once: where chance has not brought them together,
	// it is asked so.
	if r := w.request("/find/tree", "game", "othello", "q", "position:\"f5 d6\""); r.Code == http.StatusOK {
		succeeded["find-tree"]++
	}
	if names := missing(); len(names) > 0 && !t.Failed() {
		t.Errorf("never succeeded: %v", names)
	}
}

// TestEveryEmpty asks everything of a library that has nothing.
//
//qipu:race
func TestEveryEmpty(t *testing.T) {
	lib := newLibrary(t)
	defer lib.Close()
	s, err := New(t.Context(), lib, Options{Log: slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelError}))})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close(context.Background())
	handler := s.Guard.Wrap(s.Handler())
	a := &asker{Rand: newRand(), doc: s.OpenAPI()}
	for range testkit.Scale(5, 100) {
		for _, e := range endpoints(s) {
			if e.method == "GET" {
				request(t, handler, a.request(e))
			}
		}
	}
	for _, path := range []string{"/games", "/library", "/players", "/records", "/records/facets?by=player,year", "/find", "/queries", "/tags", "/collections", "/jobs", "/explore?game=weiqi"} {
		if code := request(t, handler, httptest.NewRequest("GET", "http://localhost"+api.Prefix+path, nil)); code != 200 {
			t.Errorf("%s: %d", path, code)
		}
	}
}

// FuzzEvery: no request for any operation is a fault of the server.
func FuzzEvery(f *testing.F) {
	for seed := range uint64(4) {
		f.Add(seed, "find", "q=board%3A%22XO%22")
	}
	w := newWorld(f)
	handler := w.Guard.Wrap(w.handler)
	list := endpoints(w.Server)
	f.Fuzz(func(t *testing.T, seed uint64, path, query string) {
		a := &asker{Rand: rand.New(rand.NewPCG(seed, 1)), doc: w.OpenAPI()}
		request(t, handler, a.request(list[a.IntN(len(list))]))
		u := &url.URL{Scheme: "http", Host: "localhost", Path: api.Prefix + "/" + path, RawQuery: query}
		r, err := http.NewRequest("GET", u.String(), nil)
		if err == nil {
			request(t, handler, r)
		}
	})
}

// TestInputsAreSeen: what an input embeds is seen by the interface only if it is
// exported; every parameter of an input must be in the document.
func TestInputsAreSeen(t *testing.T) {
	w := newWorld(t)
	for _, e := range endpoints(w.Server) {
		for _, part := range strings.Split(e.path, "/") {
			name, ok := strings.CutPrefix(part, "{")
			if !ok {
				continue
			}
			name = strings.TrimSuffix(name, "}")
			if !slices.ContainsFunc(e.op.Parameters, func(p *huma.Param) bool { return p.In == "path" && p.Name == name }) {
				t.Errorf("%s %s does not see its parameter %s", e.method, e.path, name)
			}
		}
	}
	if p := w.OpenAPI().Paths["/find"].Get.Parameters; len(p) < 8 {
		t.Errorf("find sees %d parameters", len(p))
	}
}

// newRand returns chance that is always the same.
func newRand() *rand.Rand { return rand.New(rand.NewPCG(3, 4)) }
