package uci

import (
	"context"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"qipu/engine"
	"qipu/game"
)

// goal is what a go asks for.
type goal struct {
	limits   engine.Limits
	infinite bool        // until stop, whatever is known before
	ponder   bool        // on the opponent's time
	only     []game.Move // to choose from; empty for all
}

// met returns what is asked for when the opponent has made the move that was
// expected.
func (g goal) met() goal {
	g.ponder = false
	return g
}

// bounded tells that a thought ends by itself.
func (g goal) bounded() bool {
	l := g.limits
	return !g.infinite && !g.ponder && (l.Depth > 0 || l.Nodes > 0 || l.Time > 0 || l.Clock != nil)
}

// args reads what stands behind a go: keys, each with its value where it has one.
type args []string

// next takes a word; ok is false where there is none.
func (w *args) next() (word string, ok bool) {
	if len(*w) == 0 {
		return "", false
	}
	word, *w = (*w)[0], (*w)[1:]
	return word, true
}

// number takes a number: one that is none, or negative, is 0.
func (w *args) number() int64 {
	text, _ := w.next()
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 {
		return 0
	}
	return n
}

// count takes a number of something small.
func (w *args) count() int { return int(min(w.number(), math.MaxInt16)) }

// span takes a time in units; times beyond a year are as good as one. A clock
// that is set has at least a thousandth of a second, for 0 would be none.
func (w *args) span(unit time.Duration) time.Duration {
	const year = 366 * 24 * time.Hour
	return max(time.Duration(min(w.number(), int64(year/unit)))*unit, time.Millisecond)
}

// search has the engine think, and tells its move.
func (s *session) search(ctx context.Context, g goal) error {
	none := func(err error) error {
		s.Out.Say("%s", s.dialect.none())
		return err
	}
	moves := s.Pos.AppendMoves(nil)
	if s.lost || len(moves) == 0 {
		return none(nil)
	}
	e, err := s.Thinker()
	if err != nil {
		return none(err)
	}
	l := g.limits
	l.Multi = s.multi
	switch {
	case len(g.only) > 0:
		l.Multi = -1 // engines know no choice: all moves are valued, and some are looked at
	case len(s.banned) > 0:
		l.Multi += len(s.banned)
	}
	if l.Threads = s.wants.Threads; l.Threads == 0 {
		l.Threads = s.server.Limits.Threads
	}
	s.told = ""
	var r *engine.Report
	s.Feed.During(ctx, !g.bounded(), g.bounded(), func(ctx context.Context) {
		if r, err = e.Think(ctx, s.Task(), l, func(r *engine.Report) { s.inform(s.admit(g, r)) }); err != nil && ctx.Err() != nil && !g.ponder {
			// It was stopped before it had begun: a move it has to be.
			r, err = e.Think(context.WithoutCancel(ctx), s.Task(), engine.Limits{Depth: 1, Multi: l.Multi}, nil)
		}
		if !g.bounded() {
			<-ctx.Done() // who has read everything waits to be told to stop
		}
	})
	if err != nil && !g.ponder {
		return none(err)
	}
	r = s.admit(g, r)
	if len(r.Lines) == 0 {
		for _, m := range moves {
			if s.admits(g, m) {
				r.Lines = []engine.Line{{Move: m, Value: engine.NoValue}}
				break
			}
		}
	}
	if g.ponder {
		s.pondered = &pondered{goal: g, report: r}
		return nil
	}
	s.tell(r)
	return nil
}

// admits tells whether a move may be played.
func (s *session) admits(g goal, m game.Move) bool {
	return (len(g.only) == 0 || slices.Contains(g.only, m)) && !slices.Contains(s.banned, m)
}

// admit returns a report with the moves alone that may be played, as many as are
// to be shown.
func (s *session) admit(g goal, r *engine.Report) *engine.Report {
	if r == nil {
		return &engine.Report{}
	}
	kept := *r
	kept.Lines = nil
	for i := range r.Lines {
		if len(kept.Lines) < s.multi && s.admits(g, r.Lines[i].Move) {
			kept.Lines = append(kept.Lines, r.Lines[i])
		}
	}
	return &kept
}

// inform tells what is known so far, where that is new.
func (s *session) inform(r *engine.Report) {
	var text strings.Builder
	for i := range r.Lines {
		if pv := s.line(&r.Lines[i]); len(pv) > 0 {
			text.WriteString(s.dialect.info(s, r, i, strings.Join(pv, " ")))
		}
	}
	if told := text.String(); told != s.told && told != "" {
		s.told = told
		s.Out.Say("%s", strings.TrimSuffix(told, "\n"))
	}
}

// line returns the moves of a line in the words of the protocol.
func (s *session) line(l *engine.Line) []string {
	moves := l.Moves
	if len(moves) == 0 || moves[0] != l.Move {
		moves = []game.Move{l.Move}
	}
	return s.Variation(moves, s.format)
}

// tell tells the move, and the one that is expected to follow.
func (s *session) tell(r *engine.Report) {
	if len(r.Lines) == 0 {
		s.Out.Say("%s", s.dialect.none())
		return
	}
	s.inform(r)
	pv := s.line(&r.Lines[0])
	switch {
	case len(pv) == 0:
		s.Out.Say("%s", s.dialect.none())
	case len(pv) > 1:
		s.Out.Say("bestmove %s ponder %s", pv[0], pv[1])
	default:
		s.Out.Say("bestmove %s", pv[0])
	}
}

// figures are what both dialects tell of a report.
func figures(r *engine.Report) string {
	ms := r.Elapsed.Milliseconds()
	text := "nodes " + strconv.FormatInt(r.Nodes, 10) + " time " + strconv.FormatInt(ms, 10)
	if ms > 0 {
		text += " nps " + strconv.FormatInt(r.Nodes*1000/ms, 10)
	}
	return text
}

// join puts the parts of a line together, without those that are empty.
func join(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), " ")
}
