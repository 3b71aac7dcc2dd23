package web_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"mime/multipart"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"qipu"
	"qipu/builtin"
	"qipu/engine/external/tricks"
	"qipu/engine/guests"
	"qipu/internal/browser"
	"qipu/internal/testkit"
	"qipu/server"
	"qipu/web"
)

// The tests of the pages, in the files browse_*_test.go, drive a real browser
// through a real server. One browser and one server do for the whole run:
//
//	p := visit(t, "/search?g=weiqi", browser.Desktop) // opens it and waits until it is at rest
//	p.Click(p.Named("Search"))
//	p.Settle()
//
// The library behind visit is made once: the demo set and some hundred games of
// random play, always the same. Tests only read it, and may run in parallel;
// those that change something open a library of their own:
//
//	base := serve(t, nil)         // an empty one
//	base := serve(t, sampleGames) // with the demo set in it
//	p := shared(t).Page(t, base, browser.Phone)
//
// Addresses may have the places {weiqi}, {othello}, {xiangqi}, {renju} (the id of
// a record of the game), {job} (an import with faults) and {player}: visit fills
// them in. What all pages have to keep is checked in browse_routes_test.go over
// one table: a new page is a line there. A page fails its test by itself where it
// complains on the console, gets a 5xx, or asks for something off the server.

// world is what the tests share.
type world struct {
	browser *browser.Browser
	base    string
	places  *strings.Replacer
}

var (
	stops  []func() // what TestMain ends, last first
	opened = sync.OnceValues(openWorld)
	client = sync.OnceValues(func() (*web.App, error) { return web.New(web.Options{}) })
)

func TestMain(m *testing.M) {
	tricks.Main()
	flag.Parse()
	code := m.Run()
	for i := range stops {
		stops[len(stops)-1-i]()
	}
	os.Exit(code)
}

func openWorld() (*world, error) {
	w := new(world)
	b, stop, err := browser.Start()
	if err != nil {
		return nil, err
	}
	w.browser = b
	stops = append(stops, stop)
	dir, err := os.MkdirTemp("", "qipu-web")
	if err != nil {
		return nil, err
	}
	stops = append(stops, func() { os.RemoveAll(dir) })
	base, stop, err := start(filepath.Join(dir, "library"), nil)
	if err != nil {
		return nil, err
	}
	w.base = base
	stops = append(stops, stop)
	if _, err := importAll(base, `{"sample":true}`, nil); err != nil {
		return nil, err
	}
	job, err := importAll(base, "", made())
	if err != nil {
		return nil, err
	}
	places := []string{"{job}", fmt.Sprint(job), "{player}", url.PathEscape(people[0])}
	for _, g := range []string{"weiqi", "othello", "xiangqi", "renju"} {
		var list struct {
			Records []struct{ Record struct{ ID int64 } }
		}
		if err := call("GET", base+"/api/v1/records?limit=1&sort=date&q=moves%3E30&game="+g, "", nil, &list); err != nil {
			return nil, err
		}
		if len(list.Records) == 0 {
			return nil, fmt.Errorf("no games of %s in the library", g)
		}
		places = append(places, "{"+g+"}", fmt.Sprint(list.Records[0].Record.ID))
		if err := namesReady(base, g); err != nil {
			return nil, err
		}
	}
	w.places = strings.NewReplacer(places...)
	return w, nil
}

// namesReady waits until a server has counted what has a name in a game: pages say
// so while it has not.
func namesReady(base, game string) error {
	for end := time.Now().Add(testkit.Patience); ; time.Sleep(20 * time.Millisecond) {
		var list struct{ Ready bool }
		if err := call("GET", base+"/api/v1/names?limit=1&game="+game, "", nil, &list); err != nil || list.Ready {
			return err
		}
		if time.Now().After(end) {
			return fmt.Errorf("the names of %s are not counted", game)
		}
	}
}

// shared returns the browser of all tests, and skips the test where the machine
// has none.
func shared(t testing.TB) *browser.Browser { t.Helper(); return theWorld(t).browser }

func theWorld(t testing.TB) *world {
	t.Helper()
	if testing.Short() {
		t.Skip("a browser takes its time")
	}
	w, err := opened()
	if errors.Is(err, browser.ErrNone) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// visit opens a page on the shared library, and waits until it is at rest.
func visit(t testing.TB, path string, v browser.View) *browser.Page {
	t.Helper()
	w := theWorld(t)
	p := w.browser.Page(t, w.base, v)
	p.Go(w.places.Replace(path))
	p.Settle()
	return p
}

// sampleGames puts the demo set into a library.
func sampleGames(t testing.TB, base string) {
	t.Helper()
	if _, err := importAll(base, `{"sample":true}`, nil); err != nil {
		t.Fatal(err)
	}
}

// serve serves a library of the test's own, which fill may put something into.
func serve(t testing.TB, fill func(t testing.TB, base string)) (base string) {
	t.Helper()
	base, stop, err := start(filepath.Join(t.TempDir(), "library"), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	if fill != nil {
		fill(t, base)
	}
	return base
}

// start serves a library with everything that qipu serve has, on a port of its
// own; engines are other programs, nil for none.
func start(dir string, engines *guests.File, change ...func(*server.Options)) (base string, stop func(), err error) {
	ctx, cancel := context.WithCancel(context.Background())
	fail := func(err error) (string, func(), error) { cancel(); return "", nil, err }
	pages, err := client()
	if err != nil {
		return fail(err)
	}
	lib, err := qipu.Open(ctx, dir, qipu.Options{Create: true, Games: builtin.Whole().Games()})
	if err != nil {
		return fail(err)
	}
	o := server.Options{Web: pages, Log: slog.New(slog.DiscardHandler), Engines: engines}
	for _, f := range change {
		f(&o)
	}
	s, err := server.New(ctx, lib, o)
	if err != nil {
		return fail(errors.Join(err, lib.Close()))
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return fail(errors.Join(err, s.Close(ctx), lib.Close()))
	}
	ended := make(chan struct{})
	go func() { defer close(ended); _ = s.Serve(ctx, l) }()
	return "http://" + l.Addr().String(), func() {
		cancel()
		<-ended
		_ = s.Close(context.Background())
		_ = lib.Close()
	}, nil
}

// given is a file for an import.
type given struct {
	name string
	data []byte
}

// importAll imports what a body of POST /jobs asks for, or files, and waits for
// the end.
func importAll(base, body string, files []given) (job int64, err error) {
	var j struct {
		ID    int64
		State string
		Error string
	}
	if files == nil {
		err = call("POST", base+"/api/v1/jobs", "application/json", strings.NewReader(body), &j)
	} else {
		var form bytes.Buffer
		w := multipart.NewWriter(&form)
		for _, f := range files {
			part, err := w.CreateFormFile("file", f.name)
			if err == nil {
				_, err = part.Write(f.data)
			}
			if err != nil {
				return 0, err
			}
		}
		w.Close()
		err = call("POST", base+"/api/v1/jobs/upload", w.FormDataContentType(), &form, &j)
	}
	for end := time.Now().Add(testkit.Patience); err == nil; time.Sleep(3 * time.Millisecond) {
		if err = call("GET", fmt.Sprintf("%s/api/v1/jobs/%d", base, j.ID), "", nil, &j); err != nil {
			break
		}
		switch {
		case j.State == "done":
			return j.ID, nil
		case j.State == "failed" || time.Now().After(end):
			return 0, fmt.Errorf("import is %s: %s", j.State, j.Error)
		}
	}
	return 0, err
}

// call asks a server without a browser.
func call(method, address, contentType string, body io.Reader, into any) error {
	r, err := http.NewRequest(method, address, body)
	if err != nil {
		return err
	}
	if contentType != "" {
		r.Header.Set("Content-Type", contentType)
	}
	reply, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer reply.Body.Close()
	data, err := io.ReadAll(reply.Body)
	if err != nil {
		return err
	}
	if reply.StatusCode >= 300 {
		return fmt.Errorf("%s %s: %s %s", method, address, reply.Status, data)
	}
	if into == nil {
		return nil
	}
	return json.Unmarshal(data, into)
}

// program builds the program once, for tests that need a process of its own.
var program = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "qipu-program")
	if err != nil {
		return "", err
	}
	stops = append(stops, func() { os.RemoveAll(dir) })
	path := filepath.Join(dir, "qipu")
	if runtime.GOOS == "windows" {
		path += ".exe"
	}
	if out, err := testkit.Process("go", "build", "-o", path, "qipu/cmd/qipu").CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return path, nil
})

// process is a server that can be killed.
type process struct {
	*exec.Cmd
	base   string
	listen time.Time // when it said that it listens
}

// launch runs qipu serve on a library. With an address it listens there, as it
// does when it is started again.
func launch(t testing.TB, dir, listen string) *process {
	t.Helper()
	path, err := program()
	if err != nil {
		t.Fatal(err)
	}
	if listen == "" {
		listen = "127.0.0.1:0"
	}
	p := &process{Cmd: testkit.Process(path, "serve", "--library", dir, "--listen", listen, "--json")}
	p.Stderr = os.Stderr
	out, err := p.StdoutPipe()
	if err == nil {
		err = p.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.kill)
	line, err := bufio.NewReader(out).ReadBytes('\n')
	p.listen = time.Now()
	var told struct{ URL string }
	if err == nil {
		err = json.Unmarshal(line, &told)
	}
	if err != nil {
		t.Fatalf("qipu serve says %q: %v", line, err)
	}
	p.base = strings.TrimSuffix(told.URL, "/")
	return p
}

// kill ends the process as a power cut would. It may be called twice.
func (p *process) kill() {
	_ = p.Process.Kill()
	_ = p.Wait()
}

// rewriting reports whether the run is to write its results anew.
func rewriting() bool { return flag.Lookup("rewrite").Value.String() == "true" }
