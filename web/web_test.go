package web

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"io/fs"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"qipu/internal/testkit"
)

// embedded is one App for all tests that only ask it.
func embedded(t testing.TB) *App {
	t.Helper()
	a, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Err(); err != nil {
		t.Fatal(err)
	}
	return a
}

// ask sends a request for a target as it would stand in the request line.
func ask(h http.Handler, method, target string, header ...string) *httptest.ResponseRecorder {
	r := &http.Request{Method: method, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: http.Header{}, Host: "localhost", Body: http.NoBody}
	u, err := url.ParseRequestURI(target)
	if err != nil {
		u = &url.URL{Path: target} // as a handler may see it that others wrap
	}
	r.URL = u
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

var hashed = regexp.MustCompile(`-[0-9A-Za-z]{8,12}\.`)

// TestRoutes keeps a golden list of what is served, and how.
func TestRoutes(t *testing.T) {
	a := embedded(t)
	targets := []string{
		"/", "/search", "/search?g=weiqi&q=ko", "/explore", "/play", "/play?g=othello&s=1", "/learn", "/learn/shapes", "/learn/openings", "/learn/sets", "/shapes", "/shapes/new", "/shapes/ponnuki", "/shapes/ponnuki/edit", "/shapes/ponnuki/", "/shapes/a/b/c", "/names", "/names/xiangqi/cannon-behind-horse", "/names/xiangqi", "/names/a/b/c", "/judge", "/lab", "/lab?g=kalah", "/lab/x", "/play/1", "/records", "/records/42", "/import", "/events", "/players", "/players/Go%20Seigen",
		"/settings", "/help", "/api", "/nothing", "/search/", "/search/?g=weiqi", "/search/deeper", "/records/1/2", "/records/", "/index.html", "/app.js", "/i18n/en.json", "/main.ts",
	}
	plain := func(name string) string { return hashed.ReplaceAllString(name, "-HASH.") }
	targets = append(targets, slices.SortedFunc(maps.Keys(a.bundle().files), func(a, b string) int { return strings.Compare(plain(a), plain(b)) })...)
	var out strings.Builder
	add := func(method, target string, header ...string) {
		w := ask(a, method, target, header...)
		h := w.Header()
		fmt.Fprintf(&out, "%s %s", method, plain(target))
		for i := 0; i+1 < len(header); i += 2 {
			fmt.Fprintf(&out, " [%s: %s]", header[i], header[i+1])
		}
		fmt.Fprintf(&out, "\n  %d %s | %s", w.Code, h.Get("Content-Type"), h.Get("Cache-Control"))
		if to := h.Get("Location"); to != "" {
			fmt.Fprintf(&out, " | to %s", to)
		}
		if v := h.Values("Vary"); len(v) > 0 {
			fmt.Fprintf(&out, " | vary %s", strings.Join(v, ", "))
		}
		if e := h.Get("Content-Encoding"); e != "" {
			fmt.Fprintf(&out, " | %s", e)
		}
		if m := regexp.MustCompile(`<html lang="(.*?)"`).FindStringSubmatch(w.Body.String()); m != nil {
			fmt.Fprintf(&out, " | lang %s", m[1])
		}
		if allow := h.Get("Allow"); allow != "" {
			fmt.Fprintf(&out, " | allow %s", allow)
		}
		fmt.Fprintln(&out)
	}
	// Chunks differ by their hashes alone, and how many there are is the bundler's business:
	// what is said of the first has to be said of all.
	told := map[string]bool{}
	for _, target := range targets {
		end := out.Len()
		add("GET", target)
		if line := out.String()[end:]; strings.Contains(line, "-HASH.") && told[line] {
			kept := out.String()[:end]
			out.Reset()
			out.WriteString(kept)
		} else {
			told[line] = true
		}
	}
	add("HEAD", "/")
	add("GET", "/", "Accept-Encoding", "gzip")
	add("GET", "/", "Accept-Language", "zh-TW,zh;q=0.9,en;q=0.8")
	for _, method := range []string{"POST", "PUT", "DELETE", "OPTIONS", "TRACE", ""} {
		add(method, "/search")
	}
	testkit.Golden(t, "testdata/routes.txt", []byte(out.String()))
}

// TestColumns: a line of the client has 120 columns at most. What formats it
// breaks neither comments nor texts.
func TestColumns(t *testing.T) {
	err := fs.WalkDir(sources, "src", func(name string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(name, ".ts") {
			return err
		}
		data, err := sources.ReadFile(name)
		n := 0
		for line := range strings.Lines(string(data)) {
			if n++; utf8.RuneCountInString(strings.TrimSuffix(line, "\n")) > 120 {
				t.Errorf("%s:%d has over 120 columns", name, n)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestPages checks that the server knows the routes of the client, all of them
// and no others.
func TestPages(t *testing.T) {
	main, err := sources.ReadFile(entryScript)
	if err != nil {
		t.Fatal(err)
	}
	client := map[string]bool{}
	for _, m := range regexp.MustCompile(`path: '([^']*)`).FindAllStringSubmatch(string(main), -1) {
		client[m[1]] = true
	}
	if !maps.Equal(client, pages) {
		t.Errorf("%s has the routes\n%q, the server has\n%q", entryScript, slices.Sorted(maps.Keys(client)), slices.Sorted(maps.Keys(pages)))
	}
}

// TestShell checks that the shell names files that are there.
func TestShell(t *testing.T) {
	a := embedded(t)
	shell := ask(a, "GET", "/").Body.String()
	if strings.Contains(shell, "{{") {
		t.Error("a placeholder of index.html is not filled")
	}
	for _, m := range regexp.MustCompile(`(?:href|src)="(/[^"]*)"`).FindAllStringSubmatch(shell, -1) {
		if strings.HasPrefix(m[1], "/api/") {
			continue
		}
		if w := ask(a, "GET", m[1]); w.Code != 200 {
			t.Errorf("the shell names %s, which answers %d", m[1], w.Code)
		}
	}
	m := regexp.MustCompile(`name="qipu:i18n" content="(.*?)"`).FindStringSubmatch(shell)
	if m == nil {
		t.Fatal("the shell does not name the texts")
	}
	var texts map[string]string
	if err := json.Unmarshal([]byte(html.UnescapeString(m[1])), &texts); err != nil {
		t.Fatal(err)
	}
	for lang, name := range texts {
		w := ask(a, "GET", name)
		if w.Code != 200 || !json.Valid(w.Body.Bytes()) {
			t.Errorf("texts of %s: %s answers %d", lang, name, w.Code)
		}
	}
	for _, bad := range []string{" style=\"", "<style", "javascript:", " onclick", " onload"} {
		if strings.Contains(shell, bad) {
			t.Errorf("the shell holds %q, which the content security policy forbids", bad)
		}
	}
	if regexp.MustCompile(`<script[^>]*>[^<]`).MatchString(shell) {
		t.Error("the shell holds an inline script, which the content security policy forbids")
	}
}

func TestConditional(t *testing.T) {
	a := embedded(t)
	for _, target := range []string{"/", "/favicon.svg", a.bundle().script} {
		plain := ask(a, "GET", target)
		zipped := ask(a, "GET", target, "Accept-Encoding", "br, gzip;q=0.8")
		if zipped.Header().Get("Content-Encoding") == "gzip" {
			z, err := gzip.NewReader(zipped.Body)
			if err != nil {
				t.Fatal(err)
			}
			body, err := io.ReadAll(z)
			if err != nil || !bytes.Equal(body, plain.Body.Bytes()) {
				t.Errorf("%s: the compressed body is another (%v)", target, err)
			}
		} else if target != "/favicon.svg" && plain.Body.Len() > 200 {
			t.Errorf("%s is not compressed", target)
		}
		if w := ask(a, "GET", target, "Accept-Encoding", "gzip;q=0, *"); w.Header().Get("Content-Encoding") != "" {
			t.Errorf("%s is compressed for a client that refuses gzip", target)
		}
		for _, etag := range []string{plain.Header().Get("ETag"), zipped.Header().Get("ETag")} {
			for _, header := range []string{etag, "W/" + etag, `"x", ` + etag, "*"} {
				w := ask(a, "GET", target, "If-None-Match", header)
				if w.Code != http.StatusNotModified || w.Body.Len() > 0 || w.Header().Get("ETag") == "" {
					t.Errorf("%s with If-None-Match %s answers %d with %d bytes", target, header, w.Code, w.Body.Len())
				}
			}
		}
		if w := ask(a, "GET", target, "If-None-Match", `"other"`); w.Code != 200 {
			t.Errorf("%s with another tag answers %d", target, w.Code)
		}
		head := ask(a, "HEAD", target)
		if head.Body.Len() != 0 || head.Header().Get("Content-Length") != fmt.Sprint(plain.Body.Len()) {
			t.Errorf("HEAD %s has %d bytes and Content-Length %s", target, head.Body.Len(), head.Header().Get("Content-Length"))
		}
	}
	if w := ask(a, "GET", "/nothing", "If-None-Match", "*"); w.Code != 404 {
		t.Errorf("a page that is not there answers %d to a conditional request", w.Code)
	}
}

func TestTraversal(t *testing.T) {
	a := embedded(t)
	for _, target := range []string{
		"/../web.go", "/..%2fweb.go", "/%2e%2e/web.go", "/%2e%2e%2f%2e%2e%2fgo.mod", "/src/main.ts", "/src/../index.html", "/style.css", "/static/robots.txt",
		"/records/..", "/records/../web.go", "/records/..%2f..%2fgo.mod", "/records/%2Fetc%2Fpasswd", "/records/a%5Cb", `/records/a\b`, "/records/a%00b", "/records/%0d%0aX:1",
		"//etc/passwd", "/records//x", "/./search", "/i18n/../src/main.ts", "/i18n/%2e%2e/src/main.ts", "/tsconfig.json", "/web.go", "/.git/config", "/favicon.svg%00.js",
		"/favicon%2esvg/..", "/%66avicon.svg%2f", "/records/%ff%fe",
	} {
		w := ask(a, "GET", target)
		if w.Code != 404 {
			t.Errorf("%s answers %d", target, w.Code)
		}
		if strings.Contains(w.Body.String(), "package web") || strings.Contains(w.Body.String(), "import ") {
			t.Errorf("%s shows a source", target)
		}
	}
}

// FuzzPath states the law of the border: whatever is asked for, the answer is a
// file of the table, the shell, or a refusal; never a failure, never a source.
func FuzzPath(f *testing.F) {
	for _, s := range []string{"/", "/search", "/records/1", "/../web.go", "/%2e%2e%2fgo.mod", "/a\x00b", "/app-AAAAAAAA.js", "//", "", "*", "/records/%", "/\\", "/i18n/en-0.json"} {
		f.Add("GET", s, "gzip", "zh-TW", "*")
	}
	a := embedded(f)
	b := a.bundle()
	known := map[string]bool{"there is no such file\n": true}
	for _, set := range []map[string]*file{b.files, b.shells} {
		for _, file := range set {
			known[string(file.body)] = true
		}
	}
	f.Fuzz(func(t *testing.T, method, target, encoding, lang, etag string) {
		w := ask(a, method, target, "Accept-Encoding", encoding, "Accept-Language", lang, "If-None-Match", etag)
		switch {
		case w.Code >= 500:
			t.Fatalf("%s %q answers %d", method, target, w.Code)
		case method != "GET" && method != "HEAD":
			if w.Code != http.StatusMethodNotAllowed {
				t.Fatalf("%s %q answers %d", method, target, w.Code)
			}
		case w.Code == http.StatusPermanentRedirect:
			if to := w.Header().Get("Location"); !pages[strings.TrimSuffix(strings.SplitN(to, "?", 2)[0], "/")] {
				t.Fatalf("%q leads to %q", target, to)
			}
		case method == "HEAD" || w.Code == http.StatusNotModified:
		default:
			body := w.Body.String()
			if w.Header().Get("Content-Encoding") == "gzip" {
				z, err := gzip.NewReader(w.Body)
				if err != nil {
					t.Fatal(err)
				}
				plain, err := io.ReadAll(z)
				if err != nil {
					t.Fatal(err)
				}
				body = string(plain)
			}
			if !known[body] {
				t.Fatalf("%q answers %d with something that is not in the table: %.80q", target, w.Code, body)
			}
		}
	})
}

// What may travel, in bytes with gzip: before the first page is there, before
// any other page is, and for somebody who looks at all of them. The viewer has the
// most to bring, live analysis by other programs last. The laboratory has 11,000 bytes
// of its own, on its page alone, and what mining tells 10,000, on its two pages and in
// boxes that somebody opens. The way back from changes has 5,000, one's own games 3,000;
// correcting headers brings the viewer 500, the course of a game of Go 700, passkeys and records of sites 1,000 for their pages.
// Writing on records brings the viewer 2,000, which loads the rest of it (5,000) when it is there; the command palette
// and the gallery have 3,000. The session of exercises, its sets and its answers have 6,000 on pages of their own, what tables
// of endings know 1,400, which come with the first board of few men; pages to print and films are 100 in the viewer's menu.
const (
	maxFirst = 47_000
	maxPage  = 70_500
	maxAll   = 220_000
)

func TestBundleSize(t *testing.T) {
	var log bytes.Buffer
	a, err := New(Options{Log: slog.New(slog.NewTextHandler(&log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	raw, gzipped := a.Size()
	if err := a.Err(); err != nil {
		t.Fatal(err)
	}
	b := a.bundle()
	style := b.files[b.style]
	t.Logf("scripts: %d bytes, %d with gzip; style: %d, %d", raw, gzipped, len(style.body), len(style.gzip))
	if gzipped > maxAll {
		t.Errorf("the scripts have %d bytes with gzip, over the limit of %d", gzipped, maxAll)
	}
	for _, pattern := range slices.Sorted(maps.Keys(b.needs)) {
		_, n := b.size(b.needs[pattern])
		limit := maxPage
		if pattern == "/" {
			limit = maxFirst
		}
		t.Logf("%-14s %d scripts, %d bytes with gzip", pattern, len(b.needs[pattern]), n)
		if n > limit {
			t.Errorf("%s waits for %d bytes with gzip, over the limit of %d", pattern, n, limit)
		}
	}
	if !strings.Contains(log.String(), "client bundled") || !strings.Contains(log.String(), "took=") {
		t.Errorf("the time of bundling is not logged: %s", log.String())
	}
	for _, w := range b.warnings {
		t.Errorf("esbuild warns: %s", w)
	}
}

// TestPreload checks that the shell of every page names the scripts that it
// waits for, so that a browser asks for all of them at once, and no others.
func TestPreload(t *testing.T) {
	a := embedded(t)
	link := regexp.MustCompile(`<link rel="modulepreload" href="(.*?)">`)
	imports := regexp.MustCompile(`(?:from|import)\s*"(/[^"]+\.js)"`)
	for _, target := range []string{"/", "/search", "/explore?g=othello", "/play?s=1", "/learn", "/records", "/records/7", "/shapes/x", "/shapes/x/edit", "/names?g=xiangqi", "/names/xiangqi/x", "/judge?g=weiqi", "/lab", "/players/x", "/nowhere"} {
		var named []string
		for _, m := range link.FindAllStringSubmatch(ask(a, "GET", target).Body.String(), -1) {
			named = append(named, m[1])
		}
		if len(named) == 0 {
			t.Errorf("%s preloads nothing", target)
		}
		for _, name := range named {
			w := ask(a, "GET", name)
			if w.Code != 200 || w.Header().Get("Cache-Control") != cacheForever {
				t.Errorf("%s preloads %s, which answers %d, %q", target, name, w.Code, w.Header().Get("Cache-Control"))
			}
			for _, m := range imports.FindAllStringSubmatch(w.Body.String(), -1) {
				if !slices.Contains(named, m[1]) {
					t.Errorf("%s preloads %s, but not %s that it imports", target, name, m[1])
				}
			}
		}
	}
	pages := map[int]bool{}
	for _, target := range []string{"/search", "/records/7", "/settings"} {
		pages[len(link.FindAllString(ask(a, "GET", target).Body.String(), -1))] = true
	}
	if len(pages) < 2 {
		t.Error("all pages preload the same scripts")
	}
}

func TestDeterministic(t *testing.T) {
	tr, err := snapshot(sources)
	if err != nil {
		t.Fatal(err)
	}
	want := makeBundle(tr, false)
	if want.err != nil {
		t.Fatal(want.err)
	}
	t.Chdir(t.TempDir()) // the place where the program runs must not matter either
	got := makeBundle(maps.Clone(tr), false)
	if !slices.Equal(slices.Sorted(maps.Keys(want.files)), slices.Sorted(maps.Keys(got.files))) {
		t.Fatal("two bundles of the same sources have other names")
	}
	for name, f := range want.files {
		if !bytes.Equal(f.body, got.files[name].body) || !bytes.Equal(f.gzip, got.files[name].gzip) {
			t.Errorf("%s differs between two bundles of the same sources", name)
		}
	}
	for _, name := range want.scripts() {
		if bytes.Contains(want.files[name].body, []byte("sourceMappingURL")) {
			t.Errorf("the embedded script %s names its source map", name)
		}
	}
}

// client writes a small client into a folder.
func client(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"index.html":   `<html lang="{{lang}}"><link href="{{style}}"><script src="{{script}}"></script></html>`,
		"style.css":    "@import './styles/a.css'; .stone { fill: url(#black); background: url(data:image/gif;base64,AA) }",
		"styles/a.css": ".a { color: #ff0000 }", "src/main.ts": "import {x} from './x'; import type {T} from './t.js'; const v: T = x; console.log(v);",
		"src/x.ts": "export const x: string = '棋'; export const unused = 'unused';", "src/t.ts": "export type T = string;",
		"i18n/en.json": "{\n \"a\": \"b\"\n}", "static/robots.txt": "",
	} {
		if over, ok := files[name]; ok {
			text = over
		}
		write(t, dir, name, text)
	}
	return dir
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	name = filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func TestDir(t *testing.T) {
	dir := client(t, nil)
	a, err := New(Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Err(); err != nil {
		t.Fatal(err)
	}
	first := a.bundle()
	script := string(first.files[first.script].body)
	if !strings.Contains(script, "棋") || strings.Contains(script, "unused") || !strings.Contains(script, "sourceMappingURL="+first.script+".map") {
		t.Errorf("script: %s", script)
	}
	if w := ask(a, "GET", first.script+".map"); w.Code != 200 || !json.Valid(w.Body.Bytes()) {
		t.Errorf("the source map answers %d", w.Code)
	}
	style := string(first.files[first.style].body)
	if !strings.Contains(style, "url(#black)") || !strings.Contains(style, "red") || !strings.Contains(style, "data:image/gif") {
		t.Errorf("style: %s", style)
	}
	if a.bundle() != first {
		t.Error("bundled anew though nothing changed")
	}
	write(t, dir, "src/x.ts", "export const x: string = 'shogi';")
	second := a.bundle()
	if second == first || !strings.Contains(string(second.files[second.script].body), "shogi") || second.script == first.script {
		t.Error("the change of a source was not picked up")
	}
	if !strings.Contains(ask(a, "GET", "/").Body.String(), second.script) {
		t.Error("the shell does not name the new script")
	}
	if w := ask(a, "GET", first.script); w.Code != 404 {
		t.Errorf("the old script answers %d", w.Code)
	}
	if err := os.Remove(filepath.Join(dir, "src", "main.ts")); err != nil {
		t.Fatal(err)
	}
	if w := ask(a, "GET", "/"); w.Code != 500 {
		t.Errorf("without its entry the client answers %d", w.Code)
	}
	if _, err := New(Options{Dir: t.TempDir()}); err == nil {
		t.Error("an empty folder is taken for a client")
	}
}

func TestFailures(t *testing.T) {
	for _, c := range []struct{ name, file, text, want string }{
		{"syntax", "src/x.ts", "export const x = 1;\nlet = <b>;", "src/x.ts:2:"},
		{"missing", "src/main.ts", "import './gone';", "src/main.ts:1:8: there is no file src/gone"},
		{"package", "src/main.ts", "import 'preact';", `"preact" is no relative path`},
		{"outside", "src/main.ts", "import '../../go.mod';", "there is no file ../go.mod"},
		{"kind", "src/main.ts", "import '../index.html';", "neither TypeScript"},
		{"name", "src/main.ts", "import {nothing} from './x'; console.log(nothing);", `No matching export`},
		{"style twice", "src/main.ts", "import '../styles/a.css';", "import style sheets in style.css alone"},
		{"style", "style.css", "@import './gone.css';", "style.css:1:"},
		{"json", "i18n/en.json", "{\n \"a\": \"b\",\n}", "i18n/en.json:3:1:"},
		{"json type", "i18n/en.json", "{\n \"a\": 1\n}", "i18n/en.json:2:"},
		{"language", "i18n/eo.json", "{}", "i18n/eo.json: is the text of no language"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := client(t, map[string]string{c.file: c.text})
			write(t, dir, c.file, c.text)
			a, err := New(Options{Dir: dir})
			if err != nil {
				t.Fatal(err)
			}
			if err := a.Err(); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("error %v, want one with %q", err, c.want)
			}
			w := ask(a, "GET", "/search")
			if w.Code != 500 || !strings.Contains(html.UnescapeString(w.Body.String()), c.want) || !strings.HasPrefix(w.Header().Get("Content-Type"), "text/html") {
				t.Errorf("the page answers %d: %s", w.Code, w.Body)
			}
			if raw, gzipped := a.Size(); raw != 0 || gzipped != 0 {
				t.Error("a client that is not bundled has a size")
			}
		})
	}
}

func TestLanguage(t *testing.T) {
	for header, want := range map[string]string{
		"": "en", "fr": "en", "de, ja;q=0.4": "ja", "zh": "zh-Hans", "zh-CN": "zh-Hans", "zh-TW": "zh-Hant", "zh-HK,en": "zh-Hant", "zh-Hans-HK": "zh-Hans",
		"zh-hant": "zh-Hant", "ko-KR,ko;q=0.9,en;q=0.8": "ko", "en;q=0.1, ko;q=0.9": "ko", "ja;q=0, en": "en", "ja;q=nonsense": "en", ",,;": "en", "yue": "zh-Hant", "cmn": "zh-Hans",
	} {
		if got := choose(header); got != want {
			t.Errorf("choose(%q) = %s, want %s", header, got, want)
		}
	}
}

func ExampleApp() {
	app, err := New(Options{}) // the client of this program
	if err != nil {
		fmt.Println(err)
		return
	}
	w := httptest.NewRecorder()
	app.ServeHTTP(w, httptest.NewRequest("GET", "/search?g=weiqi", nil))
	fmt.Println(w.Code, w.Header().Get("Content-Type"))
	// Output: 200 text/html; charset=utf-8
}
