package jobs

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"qipu/library"
	"qipu/library/fetch"
)

// netSite answers for online-go.com, by replies that were written by hand after its description. It
// stops in the middle until it is let go on.
type netSite struct {
	*httptest.Server
	stop  atomic.Bool // no more games are sent
	asked atomic.Int64
}

func newNetSite(t *testing.T) *netSite {
	s := &netSite{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/api/v1/players" && r.URL.Query().Get("username") == "anna":
			fmt.Fprint(w, `{"count":1,"results":[{"id":77,"username":"anna"}]}`)
		case r.URL.Path == "/api/v1/players":
			fmt.Fprint(w, `{"count":0,"results":[]}`)
		case r.URL.Path == "/api/v1/players/77/games":
			fmt.Fprint(w, `{"count":3,"next":null,"results":[{"id":9},{"id":8},{"id":7}]}`)
		default:
			if r.URL.Path == "/api/v1/games/7/sgf" && s.stop.Load() {
				<-r.Context().Done()
				return
			}
			s.asked.Add(1)
			c := strings.TrimSuffix(r.URL.Path, "/sgf")
			fmt.Fprintf(w, "(;GM[1]SZ[9]PB[anna]PW[c%c];B[ee];W[c%c];B[gg];W[cc])", c[len(c)-1], 'a'+c[len(c)-1]-'5')
		}
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *netSite) options() Options {
	o := testOptions()
	o.Net = &fetch.Client{Lichess: s.URL, OGS: s.URL, HTTP: s.Client(), Sleep: func(ctx context.Context, _ time.Duration) error { return ctx.Err() }}
	return o
}

// TestFetch: what is fetched is kept when the job is cancelled and when the server goes, and imported as
// one; other imports do not wait for it; the next time there is nothing new; undone, it is gone.
//
//qipu:race
func TestFetch(t *testing.T) {
	dir, site := t.TempDir(), newNetSite(t)
	lib := open(t, dir)
	jobsOf := func(lib *library.Library) *Manager {
		m, err := Open(t.Context(), filepath.Join(dir, "jobs"), lib, site.options())
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	m := jobsOf(lib)
	site.stop.Store(true)
	j, err := m.Fetch(Spec{Collection: "mine"}, "ogs:anna")
	if err != nil || j.Title != "ogs:anna" || j.Source != FromNet {
		t.Fatalf("%+v %v", j, err)
	}
	came := func(m *Manager, n int) {
		for j, _ = m.Get(j.ID); j.Progress.Pieces < n; j, _ = m.Get(j.ID) {
			if time.Sleep(time.Millisecond); j.State.Ended() {
				t.Fatalf("%s %s", j.State, j.Error)
			}
		}
	}
	came(m, 2)
	other := upload(t, m, Spec{}, []given{{"a.sgf", []byte("(;GM[1]SZ[9];B[aa];W[bb];B[cc])")}})
	if got := await(t, m, other.ID, Done); got.Counts.New != 1 {
		t.Errorf("another import: %+v", got.Counts)
	}
	if err := m.Cancel(j.ID); err != nil {
		t.Fatal(err)
	}
	await(t, m, j.ID, Cancelled)
	if err := m.Resume(j.ID); err != nil {
		t.Fatal(err)
	}
	await(t, m, j.ID, Running)
	closeAll(t, m, lib) // the server is stopped
	site.stop.Store(false)
	lib = open(t, dir)
	m = jobsOf(lib)
	defer func() { closeAll(t, m, lib) }()
	got := await(t, m, j.ID, Done)
	if got.Counts.New != 3 || got.Change == 0 || site.asked.Load() != 3 {
		t.Errorf("%+v, change %d, %d games asked for", got.Counts, got.Change, site.asked.Load())
	}
	again, err := m.Fetch(Spec{}, "ogs:anna")
	if err != nil {
		t.Fatal(err)
	}
	if again = await(t, m, again.ID, Done); again.Counts.New != 0 || again.Change != 0 {
		t.Errorf("again: %+v", again.Counts)
	}
	if _, err := lib.Undo(t.Context(), got.Change); err != nil {
		t.Fatal(err)
	}
	if ids, err := lib.IDs(t.Context(), ""); err != nil || ids.GetCardinality() != 1 {
		t.Errorf("%v %v", ids, err)
	}
	nobody, err := m.Fetch(Spec{}, "ogs:nobody")
	if err != nil {
		t.Fatal(err)
	}
	if nobody = await(t, m, nobody.ID, Failed); !strings.HasPrefix(nobody.Error, "there is no such user") || nobody.Hint == "" {
		t.Errorf("%s; %s", nobody.Error, nobody.Hint)
	}
	for _, text := range []string{"", "ogs:", "http://x/y", "/etc/passwd", "https://u:p@x/y"} {
		if _, err := m.Fetch(Spec{}, text); err == nil {
			t.Errorf("%q is fetched", text)
		}
	}
}
