package uci

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"qipu/engine"
)

// elder is UCCI.
type elder struct{}

func (elder) trouble() string { return "info message" }
func (elder) none() string    { return "nobestmove" }
func (elder) bye() string     { return "bye" }

func (elder) hello(s *session) {
	s.identify()
	s.Out.Say("option usemillisec type check default true")
	s.Out.Say("option hashsize type spin min 1 max %d default 16", maxHash)
	s.Out.Say("option threads type spin min 1 max %d default %d", maxThreads, max(s.server.Limits.Threads, 1))
	s.Out.Say("option ponder type check default false")
	s.Out.Say("option batch type check default false")
	s.Out.Say("option newgame type button")
	s.Out.Say("ucciok")
}

// set sets an option: "NAME VALUE".
func (elder) set(s *session, words []string) error {
	if len(words) == 0 {
		return errors.New("want the name of an option")
	}
	value := strings.Join(words[1:], " ")
	switch strings.ToLower(words[0]) {
	case "usemillisec":
		switch value {
		case "true", "on":
			s.seconds = false
		case "false", "off":
			s.seconds = true
		default:
			return fmt.Errorf("%q: want true or false", value)
		}
		return nil
	case "hashsize":
		if value == "0" { // the program is to choose
			s.wants.Hash = 0
			return s.Want(s.wants)
		}
		return s.setNumber(value, maxHash, s.setHash)
	case "threads":
		return s.setNumber(value, maxThreads, s.setThreads)
	case "newgame":
		return s.renew(s.Rules)
	case "ponder", "batch":
		return nil // the other program says when, and never waits for an answer that is not due
	}
	return fmt.Errorf("there is no option %q", words[0])
}

func (elder) goal(s *session, list []string) (g goal) {
	unit := time.Millisecond
	if s.seconds {
		unit = time.Second
	}
	clock := &engine.Clock{}
	w := args(list)
	for {
		word, ok := w.next()
		if !ok {
			break
		}
		switch word {
		case "depth":
			if len(w) > 0 && w[0] == "infinite" {
				g.infinite = true
				break
			}
			g.limits.Depth = w.count()
		case "nodes":
			g.limits.Nodes = w.number()
		case "time":
			g.limits.Clock, clock.Left = clock, w.span(unit)
		case "increment":
			clock.Increment = time.Duration(w.count()) * unit
		case "movestogo":
			clock.Moves = w.count()
		case "opptime", "oppmovestogo", "oppincrement":
			w.number()
		case "infinite":
			g.infinite = true
		case "ponder":
			g.ponder = true
		}
	}
	return s.bound(g)
}

func (elder) info(_ *session, r *engine.Report, at int, pv string) string {
	score := ""
	if v := r.Lines[at].Value; v != engine.NoValue {
		score = "score " + strconv.Itoa(points(v))
	}
	return "info " + figures(r) + "\n" + join("info depth "+strconv.Itoa(r.Depth), score, "pv "+pv) + "\n"
}

// points returns a value in the words of UCCI: hundredths, and 10000 less the
// plies to the end for a game that is won.
func points(v engine.Value) int {
	const won = 10_000
	switch {
	case v >= engine.Decided:
		return won - min(int(engine.Win-v), won)
	case v <= -engine.Decided:
		return min(int(engine.Win+v), won) - won
	}
	return int(min(max(v, -won+1000), won-1000))
}
