package uci

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"qipu/engine"
	"qipu/game"
)

// The bounds of the options of both dialects.
const (
	maxHash    = 1 << 16 // megabytes
	maxThreads = 256
	maxLines   = 64
)

// modern is UCI.
type modern struct{}

func (modern) trouble() string { return "info string" }
func (modern) none() string    { return "bestmove (none)" }
func (modern) bye() string     { return "" }

func (modern) hello(s *session) {
	s.identify()
	s.Out.Say("option name Hash type spin default 16 min 1 max %d", maxHash)
	s.Out.Say("option name Threads type spin default %d min 1 max %d", max(s.server.Limits.Threads, 1), maxThreads)
	s.Out.Say("option name MultiPV type spin default 1 min 1 max %d", maxLines)
	s.Out.Say("option name Ponder type check default false")
	s.Out.Say("option name Clear Hash type button")
	text := "option name UCI_Variant type combo default " + s.server.Rules.Info().Name
	for _, r := range s.server.Games {
		text += " var " + r.Info().Name
	}
	s.Out.Say("%s", text)
	if _, err := s.shuffled(); err == nil {
		s.Out.Say("option name %s type check default false", shuffledOption)
	}
	text = "option name Notation type combo default " + string(s.notation)
	for _, n := range s.Rules.Info().Notations {
		text += " var " + string(n.Name)
	}
	s.Out.Say("%s", text)
	s.Out.Say("uciok")
}

// set sets an option: "name NAME value VALUE", and names may have spaces.
func (modern) set(s *session, words []string) error {
	if len(words) < 2 || words[0] != "name" {
		return errors.New("want name, and value")
	}
	name, value := words[1:], []string(nil)
	if at := slices.Index(name, "value"); at >= 0 {
		name, value = name[:at], name[at+1:]
	}
	text := strings.Join(value, " ")
	switch strings.ToLower(strings.Join(name, " ")) {
	case "hash":
		return s.setNumber(text, maxHash, s.setHash)
	case "threads":
		return s.setNumber(text, maxThreads, s.setThreads)
	case "multipv":
		return s.setNumber(text, maxLines, func(n int) error { s.multi = n; return nil })
	case "clear hash":
		return s.Forget()
	case "ponder":
		return nil // the other program says when
	case strings.ToLower(shuffledOption):
		return s.shuffle(strings.EqualFold(text, "true"))
	case "uci_variant":
		r, err := s.server.Games.Find(text)
		if err != nil {
			return err
		}
		s.notation = s.usual(r)
		return s.renew(r)
	case "notation":
		if !slices.ContainsFunc(s.Rules.Info().Notations, func(n game.NotationInfo) bool { return string(n.Name) == text }) {
			return fmt.Errorf("%s has no notation %q", s.Rules.Info().Name, text)
		}
		s.notation = game.Notation(text)
		return nil
	}
	return fmt.Errorf("there is no option %q", strings.Join(name, " "))
}

// shuffledOption is the option of the protocol that turns on the game which it names.
const shuffledOption = "UCI_Chess960"

// shuffled returns that game.
func (s *session) shuffled() (game.Rules, error) {
	return s.server.Games.Find(strings.TrimPrefix(shuffledOption, "UCI_"))
}

// shuffle has the session play the shuffled game, or the usual one again. Programs
// turn the option off that have never turned it on, whatever game they play.
func (s *session) shuffle(on bool) error {
	r, err := s.shuffled()
	if err != nil {
		return err
	}
	if on == (s.Rules.Info().Variant == r.Info().Variant && s.Rules.Info().Name == r.Info().Name) {
		return nil
	}
	if !on {
		if s.Rules.Info().Name != r.Info().Name {
			return nil
		}
		if r, err = s.server.Games.Find(r.Info().Name); err != nil {
			return err
		}
	}
	return s.renew(r)
}

// setNumber sets an option that is a number from 1 to a greatest.
func (s *session) setNumber(text string, most int, set func(int) error) error {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > most {
		return fmt.Errorf("%q: want a number from 1 to %d", text, most)
	}
	return set(n)
}

func (s *session) setHash(megabytes int) error {
	s.wants.Hash = int64(megabytes) << 20
	return s.Want(s.wants)
}

func (s *session) setThreads(n int) error {
	s.wants.Threads = n
	return s.Want(s.wants)
}

func (modern) goal(s *session, list []string) (g goal) {
	turn := "w"
	if side, ok := s.Side("w"); !ok || side != s.Pos.Turn() {
		turn = "b"
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
			g.limits.Depth = w.count()
		case "mate":
			g.limits.Depth = max(2*w.count()-1, 1)
		case "nodes":
			g.limits.Nodes = w.number()
		case "movetime":
			g.limits.Time = w.span(time.Millisecond)
		case "wtime", "btime":
			if span := w.span(time.Millisecond); word[:1] == turn {
				g.limits.Clock, clock.Left = clock, span
			}
		case "winc", "binc":
			if span := time.Duration(w.count()) * time.Millisecond; word[:1] == turn {
				clock.Increment = span
			}
		case "movestogo":
			clock.Moves = w.count()
		case "infinite":
			g.infinite = true
		case "ponder":
			g.ponder = true
		case "searchmoves":
			for len(w) > 0 {
				m, err := s.parse(w[0])
				if err != nil {
					break
				}
				g.only = append(g.only, m)
				w = w[1:]
			}
		}
	}
	return s.bound(g)
}

// bound gives a thought without a bound those of the server.
func (s *session) bound(g goal) goal {
	if g.limits == (engine.Limits{}) && !g.infinite {
		g.limits = s.server.Limits
	}
	return g
}

func (modern) info(s *session, r *engine.Report, at int, pv string) string {
	multi := ""
	if s.multi > 1 {
		multi = "multipv " + strconv.Itoa(at+1)
	}
	return join("info depth "+strconv.Itoa(r.Depth), multi, score(&r.Lines[at]), figures(r), "pv "+pv) + "\n"
}

// score returns a value in the words of UCI: hundredths, or moves to the mate.
func score(l *engine.Line) string {
	text := ""
	switch v := l.Value; {
	case v == engine.NoValue:
		return ""
	case v >= engine.Decided:
		text = "score mate " + strconv.Itoa(int(engine.Win-v+1)/2)
	case v <= -engine.Decided:
		text = "score mate " + strconv.Itoa(-int(engine.Win+v+1)/2)
	default:
		text = "score cp " + strconv.Itoa(int(v))
	}
	switch l.Bound {
	case engine.AtLeast:
		text += " lowerbound"
	case engine.AtMost:
		text += " upperbound"
	}
	return text
}
