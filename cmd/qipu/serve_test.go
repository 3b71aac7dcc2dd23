package main

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"qipu/cli"
	"qipu/internal/testkit"
)

// lockedBuffer is a buffer that is written while it is read.
type lockedBuffer struct {
	mu  sync.Mutex
	out strings.Builder
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.out.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.out.String()
}

// serving runs serve until the test ends it, and returns where it listens.
func serving(t *testing.T, args ...string) (url string, stderr *lockedBuffer, end func() int) {
	t.Helper()
	a := newTestApp("")
	stdout, stderr := new(lockedBuffer), new(lockedBuffer)
	a.Out, a.Err = stdout, stderr
	ctx, cancel := context.WithCancel(t.Context())
	code := make(chan int, 1)
	go func() { code <- a.Run(ctx, append([]string{"serve", "--json"}, args...)) }()
	end = sync.OnceValue(func() int { cancel(); return <-code })
	t.Cleanup(func() { end() })
	for start := time.Now(); ; time.Sleep(5 * time.Millisecond) {
		var told struct{ URL string }
		if json.Unmarshal([]byte(stdout.String()), &told) == nil && told.URL != "" {
			return told.URL, stderr, end
		}
		if time.Since(start) > testkit.Patience {
			t.Fatalf("serve does not listen: %s%s", stdout, stderr)
		}
	}
}

func statusOf(t *testing.T, method, url string, header ...string) (int, string) {
	t.Helper()
	r, err := http.NewRequest(method, url, strings.NewReader(`{"sample":true}`))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	reply, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer reply.Body.Close()
	body, err := io.ReadAll(reply.Body)
	if err != nil {
		t.Fatal(err)
	}
	return reply.StatusCode, string(body)
}

// TestServe: a library that is not there is made and served, pages and all; an
// interrupt ends it; while it runs, a second server and commands change the library, too,
// and go on when the first one ends.
//
//qipu:race
func TestServe(t *testing.T) {
	t.Chdir(t.TempDir())
	url, _, end := serving(t, "--library", "games", "--listen", "127.0.0.1:0")
	for path, want := range map[string]string{"": `<div id="app"`, "api/v1/library": `"records":0`, "healthz": "ok", "metrics": "qipu_", "api/v1/openapi.json": `"openapi":"3.1`} {
		if code, body := statusOf(t, "GET", url+path); code != 200 || !strings.Contains(body, want) {
			t.Errorf("/%s: %d %.200s", path, code, body)
		}
	}
	if code, body := statusOf(t, "POST", url+"api/v1/jobs"); code != 200 {
		t.Errorf("import: %d %s", code, body)
	}
	second, stderr, endSecond := serving(t, "--library", "games", "--listen", "127.0.0.1:0")
	if code, body := statusOf(t, "POST", second+"api/v1/jobs"); code != 200 || strings.Contains(stderr.String(), "reading only") {
		t.Errorf("a second server imports: %d %s, %s", code, body, stderr)
	}
	save := func(name string, urls ...string) {
		t.Helper()
		a := newTestApp("")
		if code := a.Run(t.Context(), []string{"--library", "games", "query", "save", name, "moves>3"}); code != cli.ExitOK {
			t.Errorf("a command beside servers: %d %s", code, a.stderr.String())
		}
		for _, url := range urls {
			if code, body := statusOf(t, "GET", url+"api/v1/queries"); code != 200 || !strings.Contains(body, name) {
				t.Errorf("%s: %d %s", url, code, body)
			}
		}
	}
	save("one", url, second)
	if code := end(); code != cli.ExitOK {
		t.Errorf("serve ends with %d", code)
	}
	save("two", second)
	if code := endSecond(); code != cli.ExitOK {
		t.Errorf("the second server ends with %d", code)
	}
}

// TestServeExposed: beyond the own machine a token is needed, and made up where
// none is given.
//
//qipu:race
func TestServeExposed(t *testing.T) {
	t.Chdir(t.TempDir())
	url, stderr, _ := serving(t, "--library", "games", "--listen", "0.0.0.0:0")
	if !strings.Contains(stderr.String(), "warning: others can reach this server") {
		t.Errorf("no warning: %s", stderr)
	}
	_, token, _ := strings.Cut(stderr.String(), "token: ")
	token, _, _ = strings.Cut(token, "\n")
	if len(token) < 20 {
		t.Fatalf("the token is %q", token)
	}
	if code, _ := statusOf(t, "GET", url+"api/v1/library"); code != 200 {
		t.Errorf("reading: %d", code)
	}
	if code, _ := statusOf(t, "POST", url+"api/v1/jobs"); code != http.StatusUnauthorized {
		t.Errorf("a change without the token: %d", code)
	}
	if code, _ := statusOf(t, "POST", url+"api/v1/jobs", "Authorization", "Bearer "+token); code != 200 {
		t.Errorf("a change with the token: %d", code)
	}
}

// TestServeReadToken: who reads needs the token for that, and the pages do not; other
// names than those of the machine are refused.
//
//qipu:race
func TestServeReadToken(t *testing.T) {
	t.Chdir(t.TempDir())
	url, _, _ := serving(t, "--library", "games", "--listen", "0.0.0.0:0", "--token", "change", "--read-token", "look")
	for _, c := range []struct {
		path, token string
		code        int
	}{
		{"", "", 200}, {"healthz", "", 200}, {"api/v1/openapi.json", "", 200}, {"api/v1/library", "", 401}, {"api/v1/library", "guess", 401}, {"api/v1/library", "look", 200},
		{"api/v1/library", "change", 200}, {"api/v1/jobs", "look", 401}, {"api/v1/jobs", "change", 200}, {"metrics", "look", 401},
	} {
		header := []string{"Accept", "*/*"}
		if c.token != "" {
			header = append(header, "Authorization", "Bearer "+c.token)
		}
		if code, body := statusOf(t, "GET", url+c.path, header...); code != c.code {
			t.Errorf("/%s with %q: %d %.200s", c.path, c.token, code, body)
		}
	}
	r, err := http.NewRequest("GET", url+"api/v1/library", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Host = "evil.example"
	r.Header.Set("Authorization", "Bearer change")
	reply, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	reply.Body.Close()
	if reply.StatusCode != http.StatusMisdirectedRequest {
		t.Errorf("under the name of another site: %d", reply.StatusCode)
	}
}

// TestServeBehindProxy: a name under which others ask means that they can reach
// the server, though it listens on this machine alone: changes need the token.
//
//qipu:race
func TestServeBehindProxy(t *testing.T) {
	t.Chdir(t.TempDir())
	url, stderr, _ := serving(t, "--library", "games", "--listen", "127.0.0.1:0", "--host", "games.example.org")
	if code, _ := statusOf(t, "POST", url+"api/v1/jobs"); code != http.StatusUnauthorized || !strings.Contains(stderr.String(), "token: ") {
		t.Errorf("a change without the token: %d, %s", code, stderr)
	}
}

// TestServeUsage: what cannot be served is told.
func TestServeUsage(t *testing.T) {
	t.Chdir(t.TempDir())
	for args, want := range map[string]string{
		"--listen nowhere":                       "give an address and a port",
		"--listen 127.0.0.1:0 --web /no/such":    "no folder with the sources",
		"--listen 192.0.2.1:80 --library l":      "choose another port",
		"--listen 127.0.0.1:0 --import-root /no": "/no",
	} {
		a := newTestApp("")
		if code := a.Run(t.Context(), append([]string{"serve"}, strings.Fields(args)...)); code == cli.ExitOK || !strings.Contains(a.stderr.String(), want) {
			t.Errorf("%s: exit %d: %s", args, code, a.stderr.String())
		}
	}
}

// TestServeReadOnlyDisk: a library on a disk that takes no changes is served for
// reading, and says why.
func TestServeReadOnlyDisk(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	if code := newTestApp("").Run(t.Context(), []string{"sample", "games"}); code != cli.ExitOK {
		t.Fatal(code)
	}
	if code := newTestApp("").Run(t.Context(), []string{"import", "--library", "disk/l", "games"}); code != cli.ExitOK {
		t.Fatal(code)
	}
	testkit.ReadOnlyDisk(t, filepath.Join(dir, "disk"))
	url, stderr, end := serving(t, "--library", "disk/l", "--listen", "127.0.0.1:0")
	if !strings.Contains(stderr.String(), "reading only") {
		t.Errorf("not told: %s", stderr)
	}
	for path, want := range map[string]string{"api/v1/library": `"writable":false`, "api/v1/find?q=player:Demo": `"games":`, "healthz": "ok", "api/v1/explore?game=othello": `"moves"`, "api/v1/jobs": `"jobs":[]`} {
		if code, body := statusOf(t, "GET", url+path); code != 200 || !strings.Contains(body, want) {
			t.Errorf("/%s: %d %.300s", path, code, body)
		}
	}
	if code, body := statusOf(t, "POST", url+"api/v1/jobs"); code != http.StatusConflict || !strings.Contains(body, "its disk takes no changes") {
		t.Errorf("an import: %d %s", code, body)
	}
	if code := end(); code != cli.ExitOK {
		t.Errorf("serve ends with %d", code)
	}
}
