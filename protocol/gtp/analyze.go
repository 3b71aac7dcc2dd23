package gtp

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"qipu/engine"
	"qipu/game"
	"qipu/review"
)

// analysis is a command that tells what the engine thinks.
type analysis struct {
	style style
	moves bool // it makes the move in the end
}

// analyses are all of them.
var analyses = map[string]analysis{
	"qipu-analyze":         {style: own},
	"lz-analyze":           {style: leela},
	"kata-analyze":         {style: kata},
	"lz-genmove_analyze":   {style: leela, moves: true},
	"kata-genmove_analyze": {style: kata, moves: true},
}

// thought is how a thought is told of: how many moves, to whom, and which of them
// may be played. The zero value is one that nobody is told of.
type thought struct {
	multi int
	watch func(*engine.Report)
	keep  func([]engine.Line) []engine.Line // nil for all
}

// wish is what the arguments of an analysis ask for.
type wish struct {
	colour   string
	side     game.Side
	interval time.Duration
	most     int  // moves to be told of; 0 for a usual number
	owner    bool // whose the points are, too
	avoid    []game.Move
	allow    []game.Move // empty for all
}

// usualMoves is how many moves are told of where nobody says how many.
const usualMoves = 8

// wish reads arguments: a colour, an interval, and pairs of words and values.
func (s *session) wish(args []string) (w wish, err error) {
	w = wish{side: s.Pos.Turn(), interval: time.Second / 2, most: usualMoves}
	hundredths := func(text string) bool {
		n, err := strconv.ParseUint(text, 10, 20)
		w.interval = time.Duration(n) * 10 * time.Millisecond
		return err == nil
	}
	if len(args) > 0 {
		if side, ok := s.Side(args[0]); ok {
			w.side, args = side, args[1:]
		}
	}
	w.colour = s.Rules.Info().Sides[w.side].Name
	if len(args) > 0 && hundredths(args[0]) {
		args = args[1:]
	}
	for len(args) > 0 {
		word := args[0]
		args = args[1:]
		switch word {
		case "avoid", "allow":
			if len(args) < 3 {
				return w, syntaxError
			}
			if side, ok := s.Side(args[0]); ok && side == w.side {
				for _, text := range strings.Split(args[1], ",") {
					m, err := s.Parse(text)
					switch {
					case err != nil:
					case word == "avoid":
						w.avoid = append(w.avoid, m)
					default:
						w.allow = append(w.allow, m)
					}
				}
			}
			args = args[3:]
			continue
		case "interval":
			if len(args) == 0 || !hundredths(args[0]) {
				return w, syntaxError
			}
		case "maxmoves":
			if len(args) == 0 {
				return w, syntaxError
			}
			n, err := strconv.Atoi(args[0])
			if err != nil || n < 1 {
				return w, syntaxError
			}
			w.most = n
		case "ownership":
			if len(args) == 0 {
				return w, syntaxError
			}
			w.owner = args[0] == "true"
		default:
			if len(args) == 0 {
				return w, syntaxError
			}
		}
		args = args[1:]
	}
	return w, nil
}

// multi is how many moves the engine has to value.
func (w *wish) multi() int {
	if len(w.allow) > 0 {
		return -1
	}
	return w.most + len(w.avoid)
}

// keep returns the lines that are wished for.
func (w *wish) keep(lines []engine.Line) (kept []engine.Line) {
	for i := range lines {
		m := lines[i].Move
		if len(kept) < w.most && !slices.Contains(w.avoid, m) && (len(w.allow) == 0 || slices.Contains(w.allow, m)) {
			kept = append(kept, lines[i])
		}
	}
	return kept
}

// analyze tells what the engine thinks: until the next line comes, or until it has
// made its move.
func (s *session) analyze(ctx context.Context, id string, how analysis, args []string) {
	w, err := s.wish(args)
	if err != nil {
		s.answer(id, "", err)
		return
	}
	if how.moves {
		s.genmoveAnalyze(ctx, id, how.style, w)
		return
	}
	put, err := s.TurnTo(w.side)
	defer func() { s.TakeBack(put) }()
	if err == nil && s.Pos.Outcome().Final() {
		err = engine.ErrOver
	}
	var e engine.Engine
	if err == nil {
		e, err = s.Thinker()
	}
	if err != nil {
		s.answer(id, "", err)
		return
	}
	fmt.Fprintf(s.Out, "=%s\n", id)
	l := engine.Limits{Threads: s.server.Limits.Threads, Multi: w.multi(), Seed: s.server.Limits.Seed}
	if s.counts {
		l = l.Counted()
	}
	s.Feed.During(ctx, true, false, func(ctx context.Context) {
		if r, err := e.Think(ctx, s.Task(), l, s.watch(how.style, &w)); err == nil {
			s.counters = r.Counters
			s.report(how.style, &w, r)
		}
		<-ctx.Done() // who has read everything waits to be told to stop
	})
	fmt.Fprint(s.Out, "\n")
}

// genmoveAnalyze makes a move, and tells of it meanwhile.
func (s *session) genmoveAnalyze(ctx context.Context, id string, how style, w wish) {
	begun := false
	watch := s.watch(how, &w)
	text, err := s.move(ctx, w.colour, true, thought{multi: w.multi(), keep: w.keep, watch: func(r *engine.Report) {
		if !begun {
			begun = true
			fmt.Fprintf(s.Out, "=%s\n", id)
		}
		watch(r)
	}})
	switch {
	case err != nil && begun:
		fmt.Fprintf(s.Out, "\n") // what was begun ends without a move
	case err != nil:
		s.answer(id, "", err)
	case begun:
		fmt.Fprintf(s.Out, "play %s\n\n", text)
	default:
		fmt.Fprintf(s.Out, "=%s\nplay %s\n\n", id, text)
	}
}

// watch returns what tells of a thought at intervals.
func (s *session) watch(how style, w *wish) func(*engine.Report) {
	var last time.Time
	return func(r *engine.Report) {
		if time.Since(last) >= w.interval {
			last = time.Now()
			s.report(how, w, r)
		}
	}
}

// report writes one line with all moves that are wished for.
func (s *session) report(how style, w *wish, r *engine.Report) {
	var parts []string
	for _, line := range w.keep(r.Lines) {
		moves := line.Moves
		if len(moves) == 0 || moves[0] != line.Move {
			moves = []game.Move{line.Move}
		}
		if pv := s.Variation(moves, s.Format); len(pv) > 0 {
			parts = append(parts, fmt.Sprintf("info move %s %s order %d pv %s", pv[0], how(s, r, &line), len(parts), strings.Join(pv, " ")))
		}
	}
	if w.owner && len(r.Owner) > 0 && len(parts) > 0 {
		parts = append(parts, "ownership")
		for _, x := range r.Owner {
			parts = append(parts, strconv.FormatFloat(2*x-1, 'f', 3, 64))
		}
	}
	if len(parts) > 0 {
		s.Out.Say("%s", strings.Join(parts, " "))
	}
}

// style writes what is known of a move.
type style func(s *session, r *engine.Report, l *engine.Line) string

func own(_ *session, r *engine.Report, l *engine.Line) string {
	value := ""
	if l.Value != engine.NoValue {
		value = fmt.Sprintf("value %.2f ", l.Value.Units())
	}
	exact := 0
	if l.Exact {
		exact = 1
	}
	return fmt.Sprintf("%sdepth %d nodes %d exact %d", value, r.Depth, r.Nodes, exact)
}

// rate returns a value as a rate of wins; half where nothing is known.
func (s *session) rate(l *engine.Line) float64 {
	switch {
	case l.Chance > 0:
		return l.Chance
	case l.Value == engine.NoValue:
		return 0.5
	}
	return review.ScaleOf(s.Rules).Chance(l.Value)
}

// visits returns how many positions were read behind a move: its own where the engine
// says how much it thinks of each, else all.
func visits(r *engine.Report, l *engine.Line) int64 {
	if l.Weight > 0 {
		return int64(math.Round(l.Weight * float64(r.Nodes)))
	}
	return r.Nodes
}

func leela(s *session, r *engine.Report, l *engine.Line) string {
	rate := int(math.Round(10_000 * s.rate(l)))
	return fmt.Sprintf("visits %d winrate %d lcb %d", visits(r, l), rate, rate)
}

func kata(s *session, r *engine.Report, l *engine.Line) string {
	rate := s.rate(l)
	score := ""
	if _, counts := s.Rules.(counter); (counts || s.Rules.Info().Discs) && l.Value != engine.NoValue {
		score = fmt.Sprintf("scoreMean %.2f scoreLead %.2f ", l.Value.Units(), l.Value.Units())
	}
	return fmt.Sprintf("visits %d utility %.4f winrate %.4f %slcb %.4f", visits(r, l), 2*rate-1, rate, score, rate)
}
