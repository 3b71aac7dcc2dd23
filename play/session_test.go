//qipu:race

package play_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"qipu/builtin"
	"qipu/game"
	"qipu/game/kalah"
	"qipu/play"
	"qipu/record"
	"qipu/record/facts"
)

var began = time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)

// session begins a game between two people, or a person and the engine where a
// level is given.
func session(t testing.TB, spec string, level int, change func(*play.Settings), line string) *play.Session {
	t.Helper()
	rules, err := builtin.Games().Find(spec)
	if err != nil {
		t.Fatal(err)
	}
	rules = play.Rules(rules, builtin.Settler(rules))
	set := play.Settings{Game: specOf(rules), Players: [2]play.Player{{Name: "Ada"}, {Name: "Grace", Level: level}}}
	if change != nil {
		change(&set)
	}
	var moves []game.Move
	if line != "" {
		if _, moves, err = game.ParseLine(rules, line); err != nil {
			t.Fatal(err)
		}
	}
	s, err := play.New(rules, builtin.Settler(rules), set, moves, began)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func specOf(r game.Rules) string {
	if v := r.Info().Variant; v != "" {
		return r.Info().Name + ":" + v
	}
	return r.Info().Name
}

func make1(t testing.TB, s *play.Session, text string, now time.Time) {
	t.Helper()
	m, err := s.ParseMove(text)
	if err == nil {
		err = s.Play(m, play.By{}, now)
	}
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
}

// TestWhole plays games of every kind at random to their ends: each ends with a
// result, comes back from its state at every moment as it was, and becomes a
// record that all the writers of its game take and that plays through.
func TestWhole(t *testing.T) {
	for _, spec := range []string{"othello", "weiqi:9x9", "xiangqi", "renju", "gomoku", "othello:6x6"} {
		t.Run(spec, func(t *testing.T) {
			random := rand.New(rand.NewPCG(7, uint64(len(spec))))
			s := session(t, spec, 0, nil, "")
			now := began
			for s.State() != play.Over {
				now = now.Add(time.Second)
				if s.State() == play.Settling {
					s = again(t, s, now)
					if err := s.Agree(-1, now); err != nil {
						t.Fatal(err)
					}
					continue
				}
				moves := s.Position().AppendMoves(nil)
				m := moves[random.IntN(len(moves))]
				if n, _ := s.Len(); n > 60 && slices.Contains(moves, game.Pass) {
					m = game.Pass
				}
				if err := s.Play(m, play.By{}, now); err != nil {
					t.Fatal(err)
				}
				if random.IntN(10) == 0 || s.State() == play.Over {
					s = again(t, s, now)
				}
			}
			r := s.Result()
			if n, _ := s.Len(); n < play.MaxPlies && r.Facts.Verdict == 0 {
				t.Errorf("after %d moves the result is %+v", n, r)
			}
			g := s.Record(17)
			if other := again(t, s, now.Add(time.Hour)).Record(17); !bytes.Equal(record.AppendGame(nil, g), record.AppendGame(nil, other)) {
				t.Error("another record after a restart")
			}
			played := record.NewReferee(builtin.Games()).Play(g)
			if n, _ := s.Len(); !played.Legal() || len(played.Steps) != n || played.Unplayed != 0 {
				t.Errorf("the record has %d of %d steps: %v", len(played.Steps), n, g.Faults)
			}
			written := 0
			for _, f := range record.Writers(builtin.Formats(), g) {
				fit, err := record.Fit(f, played, "")
				if err == nil {
					err = record.CheckWrite(f, fit)
				}
				if err == nil {
					written++
				} else if f.Info().Name == "sgf" {
					t.Errorf("%s: %v", f.Info().Name, err)
				}
			}
			if written == 0 {
				t.Error("no format takes it")
			}
			if err := s.Play(game.Pass, play.By{}, now); !errors.Is(err, play.ErrOver) {
				t.Errorf("a move behind the end: %v", err)
			}
		})
	}
}

// again encodes a session and reads it back: nothing that can be seen changes.
func again(t testing.TB, s *play.Session, now time.Time) *play.Session {
	t.Helper()
	data, err := s.Encode(now)
	if err != nil {
		t.Fatal(err)
	}
	back, err := play.Restore(builtin.Games(), builtin.Settler, data, now)
	if err != nil {
		t.Fatalf("%v\n%s", err, data)
	}
	twice, err := back.Encode(now)
	if err != nil || !bytes.Equal(data, twice) {
		t.Fatalf("%v\n%s\n%s", err, data, twice)
	}
	if back.State() != s.State() || back.Passed() != s.Passed() || back.CanUndo() != s.CanUndo() || back.Version() != s.Version() || !slices.Equal(back.Task().Moves, s.Task().Moves) {
		t.Fatalf("%s comes back as another", data)
	}
	return back
}

// TestForcedPass: a side that has to pass is not asked, the pass is told, and
// taking back goes to the last move that a person chose.
func TestForcedPass(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	found := 0
	for range 20 {
		s := session(t, "othello", 0, nil, "")
		for s.State() != play.Over {
			pos, err := s.Task().Position()
			if err != nil {
				t.Fatal(err)
			}
			moves := pos.AppendMoves(nil)
			if slices.Contains(moves, game.Pass) {
				t.Fatal("a person is asked to pass")
			}
			n, _ := s.Len()
			side := s.Turn()
			if err := s.Play(moves[random.IntN(len(moves))], play.By{}, began); err != nil {
				t.Fatal(err)
			}
			if s.State() == play.Over || s.Passed() < 0 {
				if m, _ := s.Len(); m != n+1 {
					t.Fatalf("%d moves at once", m-n)
				}
				continue
			}
			found++
			if m, _ := s.Len(); m != n+2 || s.Turn() != side || s.Passed() != int(side.Opponent()) {
				t.Fatalf("from %d to %d moves, side %d, passed %d", n, m, s.Turn(), s.Passed())
			}
			s = again(t, s, began)
			if err := s.Undo(began); err != nil {
				t.Fatal(err)
			}
			if m, _ := s.Len(); m != n || s.Turn() != side {
				t.Fatalf("taken back to %d moves, side %d", m, s.Turn())
			}
			if err := s.Play(moves[0], play.By{}, began); err != nil {
				t.Fatal(err)
			}
		}
	}
	if found < 5 {
		t.Errorf("only %d passes were met", found)
	}
}

// TestUndo: a person takes back one's own last choice with the engine's answer.
func TestUndo(t *testing.T) {
	s := session(t, "othello", 5, nil, "f5 d6")
	if s.CanUndo() || !errors.Is(s.Undo(began), play.ErrNoUndo) {
		t.Error("what was given can be taken back")
	}
	make1(t, s, "c3", began)
	if s.State() != play.Thinking || !s.CanUndo() {
		t.Fatalf("%s, %v", s.State(), s.CanUndo())
	}
	make1(t, s, "d3", began)
	make1(t, s, "c4", began)
	version := s.Version()
	if err := s.Undo(began); err != nil || len(s.Task().Moves) != 4 || s.State() != play.Yours || s.Version() <= version {
		t.Errorf("%v: %d moves, %s", err, len(s.Task().Moves), s.State())
	}
	if err := s.Undo(began); err != nil || len(s.Task().Moves) != 2 || s.CanUndo() {
		t.Errorf("%v: %d moves", err, len(s.Task().Moves))
	}
	if err := s.Undo(began); !errors.Is(err, play.ErrNoUndo) {
		t.Error(err)
	}
}

// TestTwice: in a game in which a side may move again, the engine is asked twice,
// and what is taken back is the person's last choice, the second of a row too.
func TestTwice(t *testing.T) {
	games := game.Catalog{kalah.Rules{Seeds: 3}}
	set := play.Settings{Game: "kalah", Players: [2]play.Player{{Name: "Ada"}, {Level: 5}}, Main: time.Minute}
	s, err := play.New(games[0], nil, set, nil, began)
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range []struct {
		move  string
		state play.State
		undo  int // moves that are left when a choice is taken back
	}{{"d", play.Yours, 0}, {"a", play.Thinking, 1}, {"d", play.Thinking, 1}, {"a", play.Yours, 1}} {
		make1(t, s, c.move, began.Add(time.Duration(i)*time.Second))
		data, err := s.Encode(began)
		if err != nil {
			t.Fatal(err)
		}
		back, err := play.Restore(games, nil, data, began)
		if err != nil || back.State() != s.State() || s.State() != c.state || !back.CanUndo() {
			t.Fatalf("%s: %s, restored %s (%v), want %s", c.move, s.State(), back.State(), err, c.state)
		}
		if err := back.Undo(began); err != nil || len(back.Task().Moves) != c.undo || back.State() != play.Yours {
			t.Errorf("%s and undo: %d moves, %s (%v), want %d", c.move, len(back.Task().Moves), back.State(), err, c.undo)
		}
	}
	if left, running := s.Clocks(began.Add(3 * time.Second)); running != 0 || left[0] != 59*time.Second || left[1] != 58*time.Second {
		t.Errorf("clocks %v, running %d", left, running)
	}
	if n := s.Counts(); n[0] != 0 || n[1] != 0 {
		t.Errorf("%v pieces on a board without pieces", n)
	}
}

// TestClock: the clock runs from the first move on, moves gain time, what is
// taken back gives it back, and who has none left has lost.
func TestClock(t *testing.T) {
	s := session(t, "othello", 5, func(x *play.Settings) { x.Main, x.Increment = time.Minute, 5*time.Second }, "")
	at := func(seconds int) time.Time { return began.Add(time.Duration(seconds) * time.Second) }
	check := func(now time.Time, first, second, running int) {
		t.Helper()
		left, runs := s.Clocks(now)
		if left[0] != time.Duration(first)*time.Second || left[1] != time.Duration(second)*time.Second || runs != running {
			t.Errorf("%v, %d runs, want %d and %d, %d", left, runs, first, second, running)
		}
	}
	check(at(100), 60, 60, -1)
	make1(t, s, "f5", at(100))
	check(at(110), 65, 50, 1)
	make1(t, s, "d6", at(110))
	check(at(120), 55, 55, 0)
	make1(t, s, "c3", at(120))
	check(at(121), 60, 54, 1)
	s = again(t, s, at(121))
	check(at(121), 60, 54, 1)
	if err := s.Undo(at(125)); err != nil {
		t.Fatal(err)
	}
	check(at(125), 65, 55, 0)
	if deadline, ok := s.Deadline(); !ok || !deadline.Equal(at(190)) {
		t.Errorf("%v %v", deadline, ok)
	}
	if s.Flag(at(189)) || s.State() == play.Over {
		t.Error("too early")
	}
	m, _ := s.ParseMove("c3")
	if err := s.Play(m, play.By{}, at(190)); err != nil || s.State() != play.Over {
		t.Fatalf("%v, %s", err, s.State())
	}
	if r := s.Result(); r.Winner != 1 || r.Reason != play.ByTime || r.Facts.SGF(facts.BlackDiscs) != "W+T" {
		t.Errorf("%+v", r)
	}
	check(at(300), 0, 55, -1)
}

// TestResign: the person gives up, also while the engine thinks; of two people
// the one whose turn it is.
func TestResign(t *testing.T) {
	for _, c := range []struct {
		level  int
		line   string
		winner int
		text   string
	}{{5, "", 1, "W+R"}, {5, "f5", 1, "W+R"}, {0, "", 1, "W+R"}, {0, "f5", 0, "B+R"}} {
		s := session(t, "othello", c.level, nil, c.line)
		if err := s.Resign(began); err != nil {
			t.Fatal(err)
		}
		if r := s.Result(); r.Winner != c.winner || r.Reason != play.ByResignation || r.Facts.SGF(facts.BlackDiscs) != c.text {
			t.Errorf("%+v: %+v", c, r)
		}
		if err := errors.Join(s.Resign(began), s.Undo(began)); !errors.Is(err, play.ErrOver) {
			t.Error(err)
		}
	}
}

// TestInvalid: what cannot be played is refused, with a reason.
func TestInvalid(t *testing.T) {
	rules, _ := builtin.Games().Find("othello")
	for what, change := range map[string]func(*play.Settings){
		"no person":       func(s *play.Settings) { s.Players[0].Level = 3 },
		"level too high":  func(s *play.Settings) { s.Players[1].Level = 21 },
		"negative level":  func(s *play.Settings) { s.Players[1].Level = -1 },
		"negative clock":  func(s *play.Settings) { s.Main = -time.Second },
		"no position":     func(s *play.Settings) { s.Start = "nonsense" },
		"unknown style":   func(s *play.Settings) { s.Style = "wild" },
		"broken name":     func(s *play.Settings) { s.Players[0].Name = "a\xffb" },
		"name too long":   func(s *play.Settings) { s.Players[0].Name = strings.Repeat("x", 500) },
		"ended at a full": func(s *play.Settings) { s.Start = strings.Repeat("XXXXXXXX/", 7) + "XXXXXXXX b" },
	} {
		set := play.Settings{Game: "othello", Players: [2]play.Player{{}, {Level: 5}}}
		change(&set)
		if _, err := play.New(rules, builtin.Settler(rules), set, nil, began); !errors.Is(err, play.ErrInvalid) {
			t.Errorf("%s: %v", what, err)
		}
	}
	for _, data := range []string{"", "{}", `{"version":2}`, `{"version":1,"settings":{"game":"shogi"}}`, `{"version":1,"settings":{"game":"othello","players":[{},{}]},"moves":[{"m":"a1"}]}`,
		`{"version":1,"settings":{"game":"othello","players":[{},{}]},"given":3,"moves":[]}`} {
		if _, err := play.Restore(builtin.Games(), builtin.Settler, []byte(data), began); err == nil {
			t.Errorf("%s passed", data)
		}
	}
}

// FuzzRestore: no stored state makes the program panic, and what comes back
// encodes as it was.
func FuzzRestore(f *testing.F) {
	s := session(f, "othello", 5, func(x *play.Settings) { x.Main = time.Minute }, "f5 d6")
	make1(f, s, "c3", began)
	data, err := s.Encode(began)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add([]byte(`{"version":1,"settings":{"game":"xiangqi","players":[{},{"level":3}]},"moves":[{"m":"C2.5"}],"left":[1]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := play.Restore(builtin.Games(), builtin.Settler, data, began)
		if err != nil {
			return
		}
		again(t, s, began)
	})
}
