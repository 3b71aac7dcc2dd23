package fetch

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"qipu/builtin"
	"qipu/library"
	"qipu/store"
)

// The replies are written by hand after the public descriptions of the two interfaces.

func pgn(i int) string {
	moves := []string{"1. e4 e5 2. Nf3 Nc6 1-0", "1. d4 d5 2. c4 e6 0-1", "1. c4 e5 2. Nc3 Nf6 1/2-1/2", "1. Nf3 d5 2. g3 Nf6 1-0", "1. e4 c5 2. Nf3 d6 0-1"}[i]
	return fmt.Sprintf("[Event \"Rated blitz game\"]\n[Site \"https://lichess.org/abcdefg%d\"]\n[Date \"2024.03.0%d\"]\n[White \"anna\"]\n[Black \"bob\"]\n[Result \"%s\"]\n[UTCDate \"2024.03.0%d\"]\n[UTCTime \"14:30:00\"]\n[Variant \"Standard\"]\n\n%s\n\n\n",
		i, i+1, moves[strings.LastIndex(moves, " ")+1:], i+1, moves)
}

// site is both sites and a file server. It notes what is asked.
type site struct {
	*httptest.Server
	asked []string
	busy  int // requests that are answered with 429
	fail  int // the request, from 1, that is the last: behind it the connection breaks
}

func newSite(t *testing.T) *site {
	s := &site{}
	s.Server = httptest.NewServer(http.HandlerFunc(s.answer))
	t.Cleanup(s.Close)
	return s
}

func (s *site) answer(w http.ResponseWriter, r *http.Request) {
	s.asked = append(s.asked, r.URL.Path+"?"+r.URL.Query().Get("since"))
	if !strings.HasPrefix(r.UserAgent(), "Qipu") {
		http.Error(w, "who", http.StatusBadRequest)
		return
	}
	if s.busy > 0 {
		s.busy--
		w.Header().Set("Retry-After", "7")
		w.WriteHeader(http.StatusTooManyRequests)
		return
	}
	if s.fail > 0 && len(s.asked) >= s.fail {
		panic(http.ErrAbortHandler)
	}
	switch {
	case r.URL.Path == "/api/games/user/anna":
		var since int64
		fmt.Sscan(r.URL.Query().Get("since"), &since)
		var most, n int
		fmt.Sscan(r.URL.Query().Get("max"), &most)
		for i := range 5 {
			if at := time.Date(2024, 3, i+1, 14, 30, 0, 0, time.UTC).UnixMilli(); at >= since && n < most {
				fmt.Fprint(w, pgn(i))
				n++
			}
		}
	case r.URL.Path == "/api/v1/players" && r.URL.Query().Get("username") == "anna":
		fmt.Fprint(w, `{"count":1,"results":[{"id":77,"username":"anna"}]}`)
	case r.URL.Path == "/api/v1/players":
		fmt.Fprint(w, `{"count":0,"results":[]}`)
	case r.URL.Path == "/api/v1/players/77/games" && r.URL.Query().Get("page") == "1":
		fmt.Fprint(w, `{"count":3,"next":"https://example.org/?page=2","results":[{"id":9},{"id":8}]}`)
	case r.URL.Path == "/api/v1/players/77/games":
		fmt.Fprint(w, `{"count":3,"next":null,"results":[{"id":7}]}`)
	case r.URL.Path == "/api/v1/games/8/sgf":
		http.Error(w, "private", http.StatusForbidden)
	case strings.HasPrefix(r.URL.Path, "/api/v1/games/"):
		fmt.Fprintf(w, "(;GM[1]SZ[9]PB[anna]PW[c%c];B[ee];W[c%c];B[gg];W[cc])", r.URL.Path[len("/api/v1/games/")], 'a'+r.URL.Path[len("/api/v1/games/")]-'5')
	case r.URL.Path == "/all.pgn":
		text := pgn(0) + pgn(1) + pgn(2)
		w.Header().Set("ETag", `"one"`)
		http.ServeContent(w, r, "all.pgn", time.Time{}, strings.NewReader(text))
	case r.URL.Path == "/away":
		http.Redirect(w, r, "http://127.0.0.1:1/", http.StatusFound)
	default:
		http.NotFound(w, r)
	}
}

// client asks the site, and waits for nothing but notes it.
func (s *site) client(waited *[]time.Duration) *Client {
	return &Client{Lichess: s.URL, OGS: s.URL, HTTP: newHTTP(func(netip.Addr) bool { return true }), Sleep: func(ctx context.Context, d time.Duration) error {
		if waited != nil {
			*waited = append(*waited, d)
		}
		return ctx.Err()
	}}
}

func newLibrary(t *testing.T) *library.Library {
	l, err := library.Open(t.Context(), t.TempDir(), library.Options{Create: true, Games: builtin.Whole().Games(), Formats: builtin.Whole().Formats()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

func count(t *testing.T, l *library.Library) int {
	t.Helper()
	ids, err := l.IDs(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	return int(ids.GetCardinality())
}

// TestLichess fetches five games by two pages, with a connection that breaks between them: it goes on
// without doubles, waits as it is told, is undone as one, and has nothing new the next time.
func TestLichess(t *testing.T) {
	lichessPage = 3
	ctx, l, s := t.Context(), newLibrary(t), newSite(t)
	from, err := Parse("lichess:anna")
	if err != nil {
		t.Fatal(err)
	}
	var waited []time.Duration
	s.busy, s.fail = 1, 3
	if _, err := Run(ctx, l, from, Options{Client: s.client(&waited)}); err == nil || count(t, l) != 0 {
		t.Fatalf("a broken connection: %v, %d games", err, count(t, l))
	}
	if len(waited) == 0 || waited[0] != 7*time.Second {
		t.Errorf("waited %v", waited)
	}
	s.fail = 0
	first := len(s.asked)
	report, err := Run(ctx, l, from, Options{Client: s.client(nil)})
	if err != nil || report.New != 5 || count(t, l) != 5 {
		t.Fatalf("%+v, %v, %d games", report, err, count(t, l))
	}
	if again := s.asked[first]; strings.HasSuffix(again, "?") {
		t.Errorf("it began anew: %s", again)
	}
	list, err := l.Journal().Changes(ctx, store.Page{Limit: 10})
	if err != nil || len(list) != 1 {
		t.Fatalf("%d entries, %v", len(list), err)
	}
	if _, err := Run(ctx, l, from, Options{Client: s.client(nil)}); !errors.Is(err, ErrNothing) || count(t, l) != 5 {
		t.Errorf("%v, %d games", err, count(t, l))
	}
	if _, err := l.Undo(ctx, list[0].ID); err != nil || count(t, l) != 0 {
		t.Errorf("undone: %v, %d games", err, count(t, l))
	}
}

// TestOGS fetches games one by one, and goes on behind those that it has; private ones are passed over.
func TestOGS(t *testing.T) {
	ctx, l, s := t.Context(), newLibrary(t), newSite(t)
	from := Source{Site: "ogs", User: "anna"}
	s.fail = 5 // the second page
	if _, err := Run(ctx, l, from, Options{Client: s.client(nil)}); err == nil {
		t.Fatal("a broken connection is no error")
	}
	s.fail = 0
	before := len(s.asked)
	report, err := Run(ctx, l, from, Options{Client: s.client(nil)})
	if err != nil || report.New != 2 {
		t.Fatalf("%+v, %v", report, err)
	}
	for _, path := range s.asked[before:] {
		if strings.HasPrefix(path, "/api/v1/games/9") {
			t.Error("a game that is there is asked for again")
		}
	}
	if _, err := Run(ctx, l, from, Options{Client: s.client(nil)}); !errors.Is(err, ErrNothing) {
		t.Error(err)
	}
	if _, err := Run(ctx, l, Source{Site: "ogs", User: "nobody"}, Options{Client: s.client(nil)}); !errors.Is(err, ErrNotFound) {
		t.Error(err)
	}
}

// TestAddress fetches a file, and refuses what is not public, also behind a redirect.
func TestAddress(t *testing.T) {
	ctx, l, s := t.Context(), newLibrary(t), newSite(t)
	report, err := Run(ctx, l, Source{URL: s.URL + "/all.pgn"}, Options{Client: s.client(nil)})
	if err != nil || report.New != 3 {
		t.Fatalf("%+v, %v", report, err)
	}
	guarded := NewClient()
	guarded.secure = false
	_, err = Run(ctx, l, Source{URL: s.URL + "/all.pgn"}, Options{Client: guarded})
	if _, private := errors.AsType[*PrivateError](err); !private {
		t.Errorf("loopback: %v", err)
	}
	// The first address is allowed, that of the redirect is not.
	c := s.client(nil)
	own := netip.MustParseAddrPort(strings.TrimPrefix(s.URL, "http://"))
	asked := 0
	c.HTTP = newHTTP(func(a netip.Addr) bool { asked++; return a == own.Addr() && asked == 1 })
	_, err = Run(ctx, l, Source{URL: s.URL + "/away"}, Options{Client: c})
	if _, private := errors.AsType[*PrivateError](err); !private {
		t.Errorf("a redirect: %v", err)
	}
	for text, ok := range map[string]bool{
		"8.8.8.8": true, "2606:4700::1": true, "127.0.0.1": false, "10.1.2.3": false, "192.168.1.1": false, "172.16.0.1": false, "169.254.169.254": false,
		"100.64.0.1": false, "0.0.0.0": false, "::1": false, "fe80::1": false, "fd00::1": false, "::ffff:127.0.0.1": false, "64:ff9b::7f00:1": false, "224.0.0.1": false,
	} {
		if Public(netip.MustParseAddr(text)) != ok {
			t.Errorf("%s: public is %t", text, !ok)
		}
	}
	for _, text := range []string{"", "lichess:", "lichess:../x", "ftp://x/y", "http://x/y", "https://", "https://a:b@c/d", "chess:x"} {
		if _, err := Parse(text); err == nil {
			t.Errorf("%q is a source", text)
		}
	}
}
