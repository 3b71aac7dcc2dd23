package play_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"qipu/builtin"
	"qipu/engine"
	"qipu/game"
	"qipu/internal/testkit"
	"qipu/play"
)

// TestOpenings runs the games of testdata that are opened by a rule: what is said on each
// line, and how the game stands then. Behind each line the game is stored and gone on with.
func TestOpenings(t *testing.T) {
	testkit.Script(t, "testdata/openings.txt", func(t *testing.T, c testkit.Command) string {
		var out strings.Builder
		s := session(t, c.Args[0], 0, func(set *play.Settings) {
			set.Opening = c.Args[1]
			if c.Named["clock"] != "" {
				set.Main = time.Minute
			}
		}, "")
		if c.Named["seats"] != "" {
			if err := s.Reserve(0, "key of Ada"); err != nil {
				t.Fatal(err)
			}
		}
		now := began
		for line := range strings.SplitSeq(c.Input, "\n") {
			now = now.Add(10 * time.Second)
			err := say(s, line, now)
			data, e := s.Encode(now)
			if e != nil {
				t.Fatal(e)
			}
			if s, e = play.Restore(builtin.Games(), builtin.Settler, data, now); e != nil {
				t.Fatalf("%s: %v", line, e)
			}
			if again, e := s.Encode(now); e != nil || string(again) != string(data) {
				t.Fatalf("%s: it is not what it was: %v\n%s\n%s", line, e, data, again)
			}
			fmt.Fprintf(&out, "%s: ", line)
			if err != nil {
				fmt.Fprintln(&out, err)
				continue
			}
			set := s.Settings()
			fmt.Fprintf(&out, "%s has Black, %s White; ", set.Players[0].Name, set.Players[1].Name)
			o := s.Opening()
			if s.Result() != nil {
				fmt.Fprintf(&out, "%+v has won", s.Result().Winner)
			} else if o.Ask != nil {
				fmt.Fprintf(&out, "%s: %s", set.Players[s.Turn()].Name, o.Ask.Act)
			} else {
				fmt.Fprintf(&out, "%s moves", set.Players[s.Turn()].Name)
			}
			if left, _ := s.Clocks(now); left != nil {
				fmt.Fprintf(&out, "; %v %v", left[0], left[1])
			}
			fmt.Fprintln(&out)
		}
		for _, n := range s.Record(1).Nodes {
			if n.Extra != nil {
				fmt.Fprintf(&out, "record: %s %q\n", n.Move, n.Comment)
			}
		}
		return out.String()
	})
}

// say does what a line says.
func say(s *play.Session, line string, now time.Time) error {
	switch line {
	case "undo":
		return s.Undo(now)
	case "resign":
		return s.Resign(now)
	}
	for word := range strings.FieldsSeq(line) {
		m, err := s.ParseMove(word)
		if err == nil {
			err = s.Play(m, play.By{}, now)
		} else {
			err = s.Answer(game.OpeningAnswer{Word: word}, play.By{}, now)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// TestOpeningByEngine has an engine of the program play each side of every rule against
// somebody who answers anything: all it says must be allowed.
func TestOpeningByEngine(t *testing.T) {
	pool := engine.NewPool(engine.PoolOptions{Size: 1, Make: func(r game.Rules) (engine.Engine, error) { return builtin.Engine(r, engine.Options{}) }})
	defer pool.Close()
	mind := play.Mind{Pool: pool}
	for _, spec := range []string{"renju", "renju:free", "renju:19x19,standard"} {
		rules, err := builtin.Games().Find(spec)
		if err != nil {
			t.Fatal(err)
		}
		for _, rule := range rules.(game.Opener).OpeningRules() {
			for side := range 2 {
				t.Run(fmt.Sprint(spec, " ", rule.Name, " ", side), func(t *testing.T) {
					set := play.Settings{Game: spec, Opening: rule.Name, Players: [2]play.Player{{Name: "Ada"}, {Name: "Grace"}}}
					set.Players[side].Level = 3
					s, err := play.New(rules, nil, set, nil, began)
					if err != nil {
						t.Fatal(err)
					}
					for n := uint64(1); s.Opening().Ask != nil; n++ {
						ask := s.Opening().Ask
						if s.State() != play.Thinking {
							a := game.OpeningAnswer{}
							if ask.Act == game.ChooseWord {
								a.Word = ask.Words[int(n)%len(ask.Words)]
							} else {
								a.At = ask.Points[int(n*7919)%len(ask.Points)]
							}
							if err := s.Answer(a, play.By{}, began); err != nil {
								t.Fatal(err)
							}
							continue
						}
						r, err := mind.Reply(t.Context(), &play.Query{Task: s.Task(), Level: 3, Seed: n, Opening: s.Share()})
						if err != nil {
							t.Fatal(err)
						}
						for _, a := range r.Answers {
							if err := s.Answer(a, play.By{}, began); err != nil {
								t.Fatalf("%+v: %v", a, err)
							}
						}
					}
				})
			}
		}
	}
	rules0, err := builtin.Games().Find("renju")
	if err != nil {
		t.Fatal(err)
	}
	q := &play.Query{Opening: session(t, "renju", 0, func(s *play.Settings) { s.Opening = "rif" }, "").Share(), Task: &engine.Task{Rules: rules0}}
	q.Opening.Rule = "pro"
	if _, err := mind.Reply(t.Context(), q); !errors.Is(err, game.ErrOpening) {
		t.Error(err)
	}
}
