package server

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"qipu/internal/testkit"
	"qipu/library"
	"qipu/server/api"
	"qipu/server/guard"
	"qipu/view"
)

// gamer is a client that plays over HTTP.
type gamer struct {
	*rand.Rand
	client *http.Client
	base   string
	took   []time.Duration // from a move to the engine's answer
}

func newGamer(base string, seed uint64) *gamer {
	return &gamer{Rand: rand.New(rand.NewPCG(seed, 11)), client: http.DefaultClient, base: base + api.Prefix}
}

// call sends a request and reads the answer into out. A status of 400 and more
// is an error.
func (g *gamer) call(method, path string, body, out any) error {
	var in io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			return err
		}
		in = bytes.NewReader(text)
	}
	r, err := http.NewRequest(method, g.base+path, in)
	if err != nil {
		return err
	}
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	reply, err := g.client.Do(r)
	if err != nil {
		return err
	}
	defer reply.Body.Close()
	text, err := io.ReadAll(reply.Body)
	if err != nil {
		return err
	}
	if reply.StatusCode >= 400 {
		return fmt.Errorf("%s %s: %d %s", method, path, reply.StatusCode, clip(string(text)))
	}
	if out == nil {
		return nil
	}
	return json.Unmarshal(text, out)
}

// settled waits until the engine has moved.
func (g *gamer) settled(s *view.Session) error {
	for end := time.Now().Add(testkit.Patience); s.State == "thinking" || s.Trouble != ""; {
		if time.Now().After(end) {
			return fmt.Errorf("%s still thinks: %s", s.ID, s.Trouble)
		}
		time.Sleep(2 * time.Millisecond)
		if err := g.call("GET", "/sessions/"+s.ID, nil, s); err != nil {
			return err
		}
	}
	return nil
}

// move makes a move by chance. Games of Go are ended by passes after a while.
func (g *gamer) move(s *view.Session) error {
	legal := s.Position.Legal
	if len(legal) == 0 {
		return fmt.Errorf("%s has no moves in state %s", s.ID, s.State)
	}
	m := legal[g.IntN(len(legal))]
	if s.Position.Ply > 40 {
		for _, other := range legal {
			if other.To < 0 {
				m = other
			}
		}
	}
	return g.call("POST", "/sessions/"+s.ID+"/moves", view.PlayMove{Move: m.Text, Version: s.Version}, s)
}

// finish plays a game to its end.
func (g *gamer) finish(s *view.Session) error {
	for {
		if err := g.settled(s); err != nil || s.State == "over" {
			return err
		}
		if s.State == "settling" {
			if err := g.call("POST", "/sessions/"+s.ID+"/agree", view.Agree{}, s); err != nil {
				return err
			}
			continue
		}
		start := time.Now()
		if err := g.move(s); err != nil {
			return err
		}
		if err := g.settled(s); err != nil {
			return err
		}
		g.took = append(g.took, time.Since(start))
		if s.Position.Ply > 300 { // Xiangqi by chance goes on and on
			if s.State == "over" {
				return nil
			}
			return g.call("POST", "/sessions/"+s.ID+"/resign", nil, s)
		}
	}
}

// TestSessionWhole plays whole games of every kind at level 1. Each becomes a
// record, which stands in the library and in its index.
func TestSessionWhole(t *testing.T) {
	w := newWorld(t)
	_, base := served(t, w.lib)
	for i, spec := range []string{"othello", "weiqi:9x9", "xiangqi", "renju", "gomoku"} {
		t.Run(spec, func(t *testing.T) {
			g := newGamer(base, uint64(i))
			var s view.Session
			if err := g.call("POST", "/sessions", view.NewSession{Game: spec, Level: 1, Side: []string{"first", "second"}[i%2], Name: "Ada", Seed: 5}, &s); err != nil {
				t.Fatal(err)
			}
			if err := g.finish(&s); err != nil {
				t.Fatal(err)
			}
			r := s.Result
			if s.State != "over" || r == nil || r.Record == 0 || r.Known || r.Text == "" || r.Reason == "" || len(s.Position.Legal) != 0 {
				t.Fatalf("%s: %+v", s.State, r)
			}
			if spec == "othello" && (len(r.Score) != 2 || r.Score[0]+r.Score[1] > 64 || s.Players[0].Count != r.Score[0]) {
				t.Errorf("score %v, players %+v", r.Score, s.Players)
			}
			var full view.FullRecord
			if err := g.call("GET", "/records/"+strconv.Itoa(r.Record), nil, &full); err != nil {
				t.Fatal(err)
			}
			if full.Main != s.Position.Ply || full.Summary.Event != "Qipu play" || full.Summary.Players[i%2].Name != "Ada" || full.Summary.Marked {
				t.Errorf("%+v", full.Summary)
			}
			var found view.Explored
			if err := g.call("GET", target("/explore", "game", s.Position.Game, "line", s.Position.Line, "games", "here")[len(api.Prefix):], nil, &found); err != nil || found.Games < 1 {
				t.Errorf("%d games reach the end of it (%v)", found.Games, err)
			}
		})
	}
}

// TestSessionOpening plays openings by rule over HTTP, until the first move that nobody shares out.
func TestSessionOpening(t *testing.T) {
	w := newWorld(t)
	_, base := served(t, w.lib)
	for i, spec := range []string{"renju soosorv-8", "renju taraguchi-10", "renju rif", "gomoku swap2", "gomoku swap"} {
		t.Run(spec, func(t *testing.T) {
			g := newGamer(base, uint64(i))
			kind, rule, _ := strings.Cut(spec, " ")
			var s view.Session
			if err := g.call("POST", "/sessions", view.NewSession{Game: kind, Rule: rule, Level: 1, Side: "first", Name: "Ada", Seed: 5}, &s); err != nil {
				t.Fatal(err)
			}
			path := "/sessions/" + s.ID
			if s.Sharing == nil || s.Sharing.Ask == nil || s.Sharing.Rule != rule || len(s.Position.Legal) != len(s.Sharing.Ask.Points) {
				t.Fatalf("%+v", s.Sharing)
			}
			if err := g.call("POST", path+"/answer", view.AnswerOpening{Answer: "swap"}, nil); err == nil {
				t.Error("a word is taken for a stone")
			}
			for n := 0; s.Sharing.Ask != nil; n++ {
				testkit.Until(t, "it is a person's turn", func() bool {
					s = view.Session{}
					return g.call("GET", path, nil, &s) == nil && s.State != "thinking"
				})
				ask := s.Sharing.Ask
				if ask == nil {
					break
				}
				var err error
				if len(ask.Words) > 0 {
					if e := g.call("POST", path+"/moves", view.PlayMove{Move: "o15"}, nil); e == nil || !strings.Contains(e.Error(), "answer first") {
						t.Errorf("a move instead of %v: %v", ask.Words, e)
					}
					err = g.call("POST", path+"/answer", view.AnswerOpening{Answer: ask.Words[n%len(ask.Words)], Version: s.Version}, nil)
				} else {
					legal := s.Position.Legal
					err = g.call("POST", path+"/moves", view.PlayMove{Move: legal[g.IntN(len(legal))].Text, Version: s.Version}, nil)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			if people := s.Players[0].Level + s.Players[1].Level; people != 1 || s.Players[map[bool]int{true: 1}[s.Sharing.Swapped]].Name != "Ada" {
				t.Errorf("players %+v, swapped %v", s.Players, s.Sharing.Swapped)
			}
		})
	}
	if err := newGamer(base, 9).call("POST", "/sessions", view.NewSession{Game: "othello", Rule: "rif"}, nil); err == nil || !strings.Contains(err.Error(), "opening rule") {
		t.Error(err)
	}
}

// TestSessionSteps walks through what a person may do.
func TestSessionSteps(t *testing.T) {
	w := newWorld(t)
	s := send[view.Session](w, 200, "POST", "/sessions", view.NewSession{Game: "othello", Side: "both", Line: "f5 d6", Minutes: 5, Seconds: 3, Name: "Ada", Opponent: "Grace"})
	if s.State != "yours" || s.Position.Ply != 2 || len(s.Position.Legal) == 0 || s.Undo || s.Passed != -1 || s.Clock == nil || s.Clock.Running != -1 || s.Clock.Left[1] != 300_000 {
		t.Fatalf("%+v", s)
	}
	if s.Players[0].Name != "Ada" || s.Players[1].Name != "Grace" || s.Players[0].Count != 3 || s.Players[1].Count != 3 {
		t.Errorf("%+v", s.Players)
	}
	path := "/sessions/" + s.ID
	s = send[view.Session](w, 200, "POST", path+"/moves", view.PlayMove{Move: "c3"})
	if s.Position.Ply != 3 || !s.Undo || s.Clock.Running != 1 {
		t.Errorf("%+v", s)
	}
	if rows := fetch[view.Sessions](w, "/sessions").Sessions; len(rows) != 1 || rows[0].ID != s.ID || rows[0].Ply != 3 || rows[0].Side != -1 || rows[0].Line != "f5 d6 c3" {
		t.Errorf("%+v", rows)
	}
	for _, c := range []struct {
		status int
		code   string
		method string
		path   string
		body   any
	}{
		{422, "illegal-move", "POST", path + "/moves", view.PlayMove{Move: "a1"}},
		{422, "no-move", "POST", path + "/moves", view.PlayMove{Move: "what"}},
		{422, "illegal-move", "POST", path + "/moves", view.PlayMove{Move: "pass"}},
		{409, "stale", "POST", path + "/moves", view.PlayMove{Move: "d3", Version: 77}},
		{404, "not-found", "POST", "/sessions/nothing/moves", view.PlayMove{Move: "d3"}},
		{404, "not-found", "POST", "/sessions/nothing/undo", nil},
		{404, "not-found", "POST", "/sessions/nothing/resign", nil},
		{404, "not-found", "DELETE", "/sessions/nothing", nil},
		{409, "playing", "GET", path + "/review", nil},
		{422, "no-game", "POST", "/sessions", view.NewSession{Game: "shoe"}},
		{422, "no-game", "POST", "/sessions", view.NewSession{Game: "weiqi:0x0"}},
		{422, "invalid", "POST", "/sessions", view.NewSession{Game: "othello", Level: 21}},
		{422, "invalid", "POST", "/sessions", view.NewSession{Game: "othello", Side: "third"}},
		{422, "clock", "POST", "/sessions", view.NewSession{Game: "othello", Seconds: 3}},
		{422, "illegal-move", "POST", "/sessions", view.NewSession{Game: "othello", Line: "a1"}},
		{422, "opening", "POST", "/sessions", view.NewSession{Game: "othello", Line: "f5", Opening: "xot"}},
		{404, "not-found", "POST", "/sessions", view.NewSession{Game: "othello", Opening: "no such thing"}},
		{422, "invalid", "POST", "/sessions", view.NewSession{Game: "othello", Name: strings.Repeat("x", 101)}},
	} {
		if p := send[guard.Problem](w, c.status, c.method, c.path, c.body); p.Code != c.code || p.Hint == "" {
			t.Errorf("%s %s %+v: %+v", c.method, c.path, c.body, p)
		}
	}
	s = send[view.Session](w, 200, "POST", path+"/undo", nil)
	if s.Position.Ply != 2 || s.Undo || s.Clock.Running != -1 {
		t.Errorf("%+v", s)
	}
	if p := send[guard.Problem](w, 409, "POST", path+"/undo", nil); p.Code != "no-undo" {
		t.Errorf("%+v", p)
	}
	send[view.Session](w, 200, "POST", path+"/moves", view.PlayMove{Move: "C3", Version: s.Version})
	s = send[view.Session](w, 200, "POST", path+"/resign", nil)
	if s.State != "over" || s.Result.Text != "B+R" || s.Result.Reason != "resigned" || s.Result.Winner != 0 || s.Result.Record == 0 || !s.Position.Over {
		t.Errorf("%+v", s.Result)
	}
	if p := send[guard.Problem](w, 409, "POST", path+"/moves", view.PlayMove{Move: "d3"}); p.Code != "over" {
		t.Errorf("%+v", p)
	}
	if again := fetch[view.Session](w, path); again.Result.Record != s.Result.Record {
		t.Errorf("%+v", again.Result)
	}
	review := fetch[view.Review](w, path+"/review")
	for end := time.Now().Add(testkit.Patience); !review.Done && time.Now().Before(end); {
		review = fetch[view.Review](w, path+"/review")
	}
	if len(review.Moves) != 3 || review.Moves[0].Ply != 1 || review.Moves[2].Move.Text != "c3" || review.Unit != "discs" || len(review.Losses) != 2 {
		t.Errorf("%+v", review)
	}
	send[struct{}](w, 204, "DELETE", path, nil)
	if p := send[guard.Problem](w, 404, "GET", path, nil); p.Code != "not-found" {
		t.Errorf("%+v", p)
	}
}

// TestSessionSettles ends a game of Go by agreement: a wall down the middle, and one
// dead stone in the corner.
func TestSessionSettles(t *testing.T) {
	w := newWorld(t)
	begin := view.NewSession{Game: "weiqi:9x9,chinese", Side: "both", Line: "4XO3/4XO3/4XO3/4XO3/4XO3/4XO3/4XO3/4XO3/O3XO3 X"}
	s := send[view.Session](w, 200, "POST", "/sessions", begin)
	path := "/sessions/" + s.ID
	for _, p := range []string{"/agree", "/resume", "/marks"} {
		var body any
		switch p {
		case "/agree":
			body = view.Agree{}
		case "/marks":
			body = view.MarkStones{Points: []int{72}, Dead: true}
		}
		if got := send[guard.Problem](w, 409, "POST", path+p, body); got.Code != "not-settling" {
			t.Errorf("%s: %+v", p, got)
		}
	}
	send[view.Session](w, 200, "POST", path+"/moves", view.PlayMove{Move: "pass"})
	s = send[view.Session](w, 200, "POST", path+"/moves", view.PlayMove{Move: "pass"})
	if c := s.Count; s.State != "settling" || c == nil || c.Text != "B+1.5" || !c.Sure || !c.Proposed || len(c.Land[0]) != 36 || len(c.Land[1]) != 27 || len(c.Groups) != 3 || c.Agreed[0] || len(s.Position.Legal) != 0 {
		t.Fatalf("%s: %+v", s.State, s.Count)
	}
	if p := send[guard.Problem](w, 409, "POST", path+"/moves", view.PlayMove{Move: "c3"}); p.Code != "settling" {
		t.Errorf("%+v", p)
	}
	if p := send[guard.Problem](w, 422, "POST", path+"/marks", view.MarkStones{Points: []int{81}}); p.Code != "points" {
		t.Errorf("%+v", p)
	}
	if p := send[guard.Problem](w, 409, "POST", path+"/agree", view.Agree{Version: 77}); p.Code != "stale" {
		t.Errorf("%+v", p)
	}
	s = send[view.Session](w, 200, "POST", path+"/marks", view.MarkStones{Points: []int{72}, Dead: false, Version: s.Version})
	if s.Count.Text != "W+35.5" || s.Count.Proposed || s.Count.Sure {
		t.Errorf("%+v", s.Count)
	}
	s = send[view.Session](w, 200, "POST", path+"/resume", nil)
	if s.State != "yours" || s.Count != nil || s.Position.Ply != 0 || s.Position.Turn != 0 {
		t.Errorf("%+v", s)
	}
	send[view.Session](w, 200, "POST", path+"/moves", view.PlayMove{Move: "pass"})
	send[view.Session](w, 200, "POST", path+"/moves", view.PlayMove{Move: "pass"})
	s = send[view.Session](w, 200, "POST", path+"/agree", view.Agree{Side: "second"})
	if s.State != "settling" || s.Count.Agreed[0] || !s.Count.Agreed[1] {
		t.Errorf("%+v", s.Count)
	}
	s = send[view.Session](w, 200, "POST", path+"/agree", view.Agree{})
	if r := s.Result; s.State != "over" || r.Text != "B+1.5" || r.Winner != 0 || r.Record == 0 || !slices.Equal(r.Dead, []int{72}) || len(r.Land) != 2 || s.Count != nil {
		t.Fatalf("%+v", s.Result)
	}
	full := fetch[view.FullRecord](w, "/records/"+strconv.Itoa(s.Result.Record))
	if full.Summary.Result != "B+1.5" {
		t.Errorf("%+v", full.Summary)
	}
}

// TestSessionTwice: two games of the same moves are two records, and the second
// is told that there was one before.
func TestSessionTwice(t *testing.T) {
	w := newWorld(t)
	var records []int
	for i := range 2 {
		s := send[view.Session](w, 200, "POST", "/sessions", view.NewSession{Game: "othello", Side: "both"})
		for _, m := range strings.Fields("f5 f6 e6 f4 e3 c5 c4 e7") {
			s = send[view.Session](w, 200, "POST", "/sessions/"+s.ID+"/moves", view.PlayMove{Move: m})
		}
		s = send[view.Session](w, 200, "POST", "/sessions/"+s.ID+"/resign", nil)
		if s.Result.Known != (i == 1) {
			t.Errorf("game %d: %+v", i, s.Result)
		}
		records = append(records, s.Result.Record)
	}
	if records[0] == records[1] {
		t.Errorf("one record of two games: %v", records)
	}
}

// TestSessionSeed: the same seed and the same moves give the same game, and
// another seed another one.
func TestSessionSeed(t *testing.T) {
	w := newWorld(t)
	_, base := served(t, w.lib)
	lines := map[uint64][]string{}
	for _, seed := range []uint64{1, 1, 2} {
		g := newGamer(base, 3)
		var s view.Session
		if err := g.call("POST", "/sessions", view.NewSession{Game: "othello", Level: 2, Seed: seed, Opening: "xot", NoBook: true}, &s); err != nil {
			t.Fatal(err)
		}
		if s.Position.Ply != 8 {
			t.Errorf("it begins with %d moves", s.Position.Ply)
		}
		for range 6 {
			if err := g.settled(&s); err != nil {
				t.Fatal(err)
			}
			if err := g.move(&s); err != nil {
				t.Fatal(err)
			}
		}
		if err := g.settled(&s); err != nil {
			t.Fatal(err)
		}
		lines[seed] = append(lines[seed], s.Position.Line)
	}
	if one := lines[1]; one[0] != one[1] || one[0] == lines[2][0] {
		t.Errorf("%v", lines)
	}
}

// follow reads events until enough says so, or the stream ends.
func follow(t *testing.T, base, path, last string, enough func(event) bool) (list []event) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), "GET", base+api.Prefix+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	if last != "" {
		r.Header.Set("Last-Event-ID", last)
	}
	reply, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer reply.Body.Close()
	if reply.StatusCode == http.StatusNoContent {
		return nil
	}
	if reply.StatusCode != http.StatusOK {
		t.Fatalf("%s: %d", path, reply.StatusCode)
	}
	var e event
	lines := bufio.NewScanner(reply.Body)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		name, value, _ := strings.Cut(lines.Text(), ": ")
		switch name {
		case "id":
			e.id = value
		case "event":
			e.name = value
		case "data":
			e.data = value
		case "":
			if e.name != "" {
				list = append(list, e)
				if enough(e) {
					return list
				}
			}
			e = event{}
		}
	}
	return list
}

// TestSessionEvents: whoever follows a game sees the engine's move, can come back
// where the connection was lost, and is told the end.
//
//qipu:race
func TestSessionEvents(t *testing.T) {
	w := newWorld(t)
	_, base := served(t, w.lib)
	g := newGamer(base, 1)
	var s view.Session
	if err := g.call("POST", "/sessions", view.NewSession{Game: "othello", Level: 3}, &s); err != nil {
		t.Fatal(err)
	}
	path := "/sessions/" + s.ID + "/events"
	session := func(e event) (x view.Session) {
		t.Helper()
		if err := json.Unmarshal([]byte(e.data), &x); err != nil || e.name != "session" {
			t.Fatalf("%+v: %v", e, err)
		}
		return x
	}
	first := follow(t, base, path, "", func(event) bool { return true })
	if x := session(first[0]); x.State != "yours" || x.Position.Ply != 0 {
		t.Errorf("%+v", x)
	}
	if err := g.move(&s); err != nil {
		t.Fatal(err)
	}
	seen := follow(t, base, path, first[0].id, func(e event) bool { return session(e).Position.Ply == 2 })
	if x := session(seen[len(seen)-1]); x.State != "yours" || x.Position.Ply != 2 || x.Version <= s.Version-1 {
		t.Errorf("%+v", x)
	}
	done := make(chan []event)
	go func() {
		done <- follow(t, base, path, seen[len(seen)-1].id, func(event) bool { return false })
	}()
	time.Sleep(20 * time.Millisecond)
	if err := g.call("POST", "/sessions/"+s.ID+"/resign", nil, &s); err != nil {
		t.Fatal(err)
	}
	last := <-done
	if x := session(last[len(last)-1]); x.State != "over" || x.Result.Record == 0 {
		t.Errorf("%+v", x.Result)
	}
	// Who has had the end is not told again; who comes anew is.
	if again := follow(t, base, path, last[len(last)-1].id, func(event) bool { return true }); again != nil {
		t.Errorf("%+v", again)
	}
	if anew := follow(t, base, path, "", func(event) bool { return false }); len(anew) != 1 || session(anew[0]).State != "over" {
		t.Errorf("%+v", anew)
	}
}

// TestReviewEvents: a review comes move by move, and as a whole at the end; of a
// record, and of a line.
//
//qipu:race
func TestReviewEvents(t *testing.T) {
	w := newWorld(t)
	_, base := served(t, w.lib)
	for path, counts := range map[string]bool{
		target("/review", "game", "othello", "line", "f5 d6 c3 d3 c4 f4", "level", "3"): true,
		target("/review", "game", "xiangqi", "line", "C2.5 H8+7", "level", "6"):         true,
		target("/review", "game", "chess", "line", "e2e4 e7e5", "level", "2"):           false, // nobody has measured that engine
	} {
		list := follow(t, base, strings.TrimPrefix(path, api.Prefix), "", func(event) bool { return false })
		var r view.Review
		last := list[len(list)-1]
		if err := json.Unmarshal([]byte(last.data), &r); err != nil || last.name != "review" || !r.Done || len(r.Moves) != len(list)-2 || len(r.Moves) < 2 || list[0].name != "by" {
			t.Fatalf("%s: %+v, %v", path, last, err)
		}
		if r.By.Engine == "" || r.By.Counts != counts || (len(r.By.Accuracy) > 0) != counts || (r.By.Measured != "") != counts || r.Facts == nil {
			t.Errorf("%s: by %+v", path, r.By)
		}
		for i, m := range r.Moves {
			if m.Ply != i+1 || m.Loss < 0 || m.Move.Text == "" || m.Known != counts || !m.Known && (m.Value != 0 || len(m.Best) > 0 || m.Mark != "") {
				t.Errorf("%s: %+v", path, m)
			}
		}
	}
}

// TestReviewFacts: beside what the engine says of a record of Go there is how often its
// moves were played in the library.
func TestReviewFacts(t *testing.T) {
	w := newWorld(t)
	_, base := served(t, w.lib)
	file := filepath.Join(t.TempDir(), "two.sgf")
	if err := os.WriteFile(file, []byte("(;GM[1]SZ[19]RE[B+R];B[pd];W[dp])(;GM[1]SZ[19]RE[W+R];B[pd];W[pp])"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := w.lib.Import(w.ctx, library.ImportOptions{}, file); err != nil {
		t.Fatal(err)
	}
	list := follow(t, base, strings.TrimPrefix(target("/review", "game", "weiqi", "line", "D16 D4"), api.Prefix), "", func(event) bool { return false })
	var r view.Review
	if err := json.Unmarshal([]byte(list[len(list)-1].data), &r); err != nil || !r.By.Counts || !r.By.Itself || r.Unit != "points" {
		t.Fatalf("%+v, %v", r, err)
	}
	if len(r.Facts) == 0 || r.Facts[0].Ply != 1 || r.Facts[0].Games < 2 || r.Facts[0].Played == 0 {
		t.Errorf("facts %+v", r.Facts)
	}
}

// TestValues: every legal move has a value, the best first.
func TestValues(t *testing.T) {
	w := newWorld(t)
	for _, c := range []struct{ game, line, unit string }{
		{"othello", "f5", "discs"}, {"xiangqi", "", "share"}, {"renju", "h8", "share"}, {"weiqi:9x9", "E5", "points"},
	} {
		v := fetch[view.Values](w, "/values", "game", c.game, "line", c.line, "level", "2")
		p := fetch[view.Position](w, "/position", "game", c.game, "line", c.line)
		if v.Unit != c.unit || len(v.Moves) == 0 || len(v.Moves) > len(p.Legal) || c.game == "othello" && len(v.Moves) != len(p.Legal) {
			t.Errorf("%s: %s, %d moves of %d", c.game, v.Unit, len(v.Moves), len(p.Legal))
		}
		for i, m := range v.Moves {
			if len(m.Line) == 0 || m.Line[0] != m.Move || i > 0 && m.Value > v.Moves[i-1].Value || c.unit == "share" && (m.Value < 0 || m.Value > 1) {
				t.Errorf("%s: %+v", c.game, m)
			}
		}
	}
}

// TestSessionsAtOnce: many play at once at level 5, and nobody's game is lost. At
// full scale these are fifty, and the time from a move to the answer is told.
func TestSessionsAtOnce(t *testing.T) {
	n := testkit.Scale(6, 50)
	w := newWorld(t)
	before := fetch[view.Library](w, "/library").Records
	_, base := served(t, w.lib)
	gamers := make([]*gamer, n)
	var wg sync.WaitGroup
	for i := range gamers {
		g := newGamer(base, uint64(i))
		g.client = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: n}}
		gamers[i] = g
		wg.Go(func() {
			var s view.Session
			err := g.call("POST", "/sessions", view.NewSession{Game: "othello", Level: 5, Name: fmt.Sprint("Player ", i), Seed: uint64(i + 1)}, &s)
			if err == nil {
				err = g.finish(&s)
			}
			if err != nil {
				t.Error(err)
			} else if s.Result == nil || s.Result.Record == 0 {
				t.Errorf("%s is not kept: %+v", s.ID, s.Result)
			}
			g.client.CloseIdleConnections()
		})
	}
	wg.Wait()
	var took []time.Duration
	for _, g := range gamers {
		took = append(took, g.took...)
	}
	slices.Sort(took)
	p99 := percentile(took, 99)
	t.Logf("%d games, %d moves: median %v, 99th percentile %v, api.Longest %v", n, len(took), percentile(took, 50), p99, took[len(took)-1])
	if p99 > 2*time.Second {
		t.Errorf("the 99th percentile is %v", p99)
	}
	if testkit.Full() { // with -rewrite it is told in the documents
		ms := func(d time.Duration) int64 { return d.Milliseconds() }
		testkit.Section(t, "../docs/othello.md", "load", fmt.Sprintf(`| measure | got | must |
|---|---:|---:|
| games at once, at level 5, over HTTP | %d | 50 |
| moves in all | %d | |
| games that were lost | %d | 0 |
| from a move to the engine's answer, median, ms | %d | |
| the same, 99th percentile, ms | %d | 2000 |
| the same, api.Longest, ms | %d | |
`, n, len(took), before+n-fetch[view.Library](w, "/library").Records, ms(percentile(took, 50)), ms(p99), ms(took[len(took)-1])))
	}
	if after := fetch[view.Library](w, "/library").Records; after != before+n {
		t.Errorf("%d records, want %d more than %d", after, n, before)
	}
}
