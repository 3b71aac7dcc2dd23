package external

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"qipu/board"
	"qipu/engine"
	"qipu/game"
)

// nboard talks to a child by the protocol of NBoard. The game is told as a whole with
// each question, as GGF. Strength is a depth; a thought is ended by a ping, which
// any child answers when it has done, or given up, all that it was told before.
type nboard struct {
	host
	pings int
	depth int
}

func (n *nboard) farewell() string { return "quit\n" }

func (n *nboard) greet(ctx context.Context) (info engine.Info, err error) {
	text := "nboard 2\n"
	for _, s := range n.o.Setup {
		text += "set " + s + "\n"
	}
	if err := n.say(text); err != nil {
		return info, err
	}
	err = n.ping(ctx, n.o.Startup, func(line string) (heard, error) {
		if name, ok := strings.CutPrefix(line, "set myname "); ok {
			info.Name = strings.TrimSpace(name)
			return news, nil
		}
		return nothing, nil
	})
	return info, err
}

// ping waits until the child has done what it was told, and hands what it says until
// then to f.
func (n *nboard) ping(ctx context.Context, wait time.Duration, f func(line string) (heard, error)) error {
	n.pings++
	pong := "pong " + strconv.Itoa(n.pings)
	if err := n.say("ping " + strconv.Itoa(n.pings) + "\n"); err != nil {
		return err
	}
	return n.hear(ctx, "ping "+strconv.Itoa(n.pings), wait, func(line string) (heard, error) {
		if strings.TrimSpace(line) == pong {
			return done, nil
		}
		h, err := f(line)
		return min(h, news), err
	})
}

func ignore(string) (heard, error) { return nothing, nil }

func (n *nboard) think(ctx context.Context, q *question) (*engine.Report, error) {
	text, err := ggf(q.task)
	if err != nil {
		return nil, err
	}
	if q.l.Depth > 0 && q.l.Depth != n.depth {
		n.depth = q.l.Depth
		text = "set depth " + strconv.Itoa(n.depth) + "\n" + text
	}
	if err := n.say(text); err != nil {
		return nil, err
	}
	// Behind the pong the child speaks of this game and of no other.
	if err := n.ping(ctx, n.o.Patience, ignore); err != nil {
		return nil, err
	}
	if q.values() {
		return n.hint(ctx, q)
	}
	if err := n.say("go\n"); err != nil {
		return nil, err
	}
	d := &draft{q: q}
	best := ""
	err = n.hear(ctx, "go", n.most(&q.l)+n.o.Patience, func(line string) (heard, error) {
		if text, ok := strings.CutPrefix(line, "==="); ok {
			best = strings.TrimSpace(text)
			return done, nil
		}
		return n.inform(d, line), nil
	})
	if err != nil {
		return nil, err
	}
	move, _, _ := strings.Cut(best, "/")
	m, err := n.parse(q.pos, move)
	if err != nil {
		return nil, fmt.Errorf("it answered go with %q: %w", clip(best), err)
	}
	return d.choose(m), nil
}

// hint has the child value moves, until it has read as far as it was asked to, or its
// time is over.
func (n *nboard) hint(ctx context.Context, q *question) (*engine.Report, error) {
	moves := len(q.pos.AppendMoves(nil))
	multi := moves
	if q.l.Multi >= 0 {
		multi = min(max(q.l.Multi, 1), moves)
	}
	if err := n.say("hint " + strconv.Itoa(multi) + "\n"); err != nil {
		return nil, err
	}
	d := &draft{q: q}
	listen := func(line string) (heard, error) {
		h := n.inform(d, line)
		if h == news {
			d.show()
		}
		// A status without text is the end of a thought.
		if idle := strings.TrimSpace(line) == "status"; len(d.r.Lines) >= multi && (idle || n.enough(d, multi)) {
			return done, nil
		}
		return h, nil
	}
	err := n.hearFirst(ctx, "hint", n.most(&q.l), d, listen)
	var late *silence
	if err != nil && !errors.As(err, &late) && ctx.Err() == nil {
		return nil, err
	}
	err = n.ping(context.WithoutCancel(ctx), n.o.Patience, func(line string) (heard, error) { return n.inform(d, line), nil })
	switch {
	case err != nil:
		return nil, err
	case len(d.r.Lines) > 0:
		return d.report(), nil
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	}
	return nil, fmt.Errorf("it told nothing about the position within %v%s", n.most(&q.l), n.said())
}

// enough reports whether all lines are read as far as was asked for.
func (n *nboard) enough(d *draft, multi int) bool {
	if len(d.r.Lines) < multi {
		return false
	}
	for _, l := range d.r.Lines {
		if !l.Exact && (d.q.l.Depth == 0 || d.r.Depth < d.q.l.Depth) {
			return false
		}
	}
	return true
}

// inform reads what a child tells while it thinks: "search F5D6 +2.00 0 12", by move,
// value in discs and depth, which is 100% where the game was read to its end;
// "nodestats 1200 0.5".
func (n *nboard) inform(d *draft, line string) heard {
	words := strings.Fields(clean(line))
	switch {
	case len(words) > 1 && words[0] == "nodestats":
		d.r.Nodes, _ = strconv.ParseInt(words[1], 10, 64)
		return news
	case len(words) == 0 || words[0] == "status":
		return nothing
	case len(words) < 5 || words[0] != "search" && words[0] != "book":
		return nothing
	}
	var moves []string
	for text := strings.ReplaceAll(words[1], "-", ""); len(text) >= 2; text = text[2:] {
		moves = append(moves, text[:2])
	}
	value, err := strconv.ParseFloat(words[2], 64)
	l := engine.Line{Value: fromUnits(value), Told: words[2] + " discs", Exact: words[4] == "100%", Moves: ahead(d.q.pos, moves, n.parse)}
	if len(l.Moves) == 0 || err != nil {
		return nothing
	}
	l.Move = l.Moves[0]
	if depth, err := strconv.Atoi(strings.TrimRight(words[4], "%WLD")); err == nil && !strings.Contains(words[4], "%") {
		d.r.Depth = depth
	}
	at := 0
	for at < len(d.r.Lines) && d.r.Lines[at].Move != l.Move {
		at++
	}
	d.put(at, l)
	for ; at > 0 && d.r.Lines[at-1].Value < l.Value; at-- {
		d.r.Lines[at-1], d.r.Lines[at] = d.r.Lines[at], d.r.Lines[at-1]
	}
	return news
}

// parse reads a move.
func (n *nboard) parse(p game.Position, text string) (game.Move, error) {
	text = strings.ToLower(strings.TrimSpace(text))
	if text == "pa" || text == "pass" {
		return legal(p, game.Pass, nil)
	}
	m, err := n.o.Rules.ParseMove(p, text, game.AnyNotation)
	return legal(p, m, err)
}

// ggf returns a task as the line that sets a game.
func ggf(t *engine.Task) (string, error) {
	before := engine.Task{Rules: t.Rules, Start: t.Start}
	p, err := before.Position()
	if err != nil {
		return "", err
	}
	text := strings.Builder{}
	text.WriteString("set game (;GM[Othello]PC[Qipu]PB[black]PW[white]RE[?]TI[5:00]TY[8]BO[8 ")
	setup := game.SetupOf(p)
	for y := range 8 {
		for x := range 8 {
			text.WriteByte("-*O"[setup.Board.At(board.At(x, y))])
		}
	}
	text.WriteString(" " + "*O"[p.Turn():p.Turn()+1] + "]")
	for _, m := range t.Moves {
		move := "PA"
		if m != game.Pass {
			move = strings.ToUpper(game.FormatMove(t.Rules, p, m, game.AnyNotation))
		}
		text.WriteString("BW"[p.Turn():p.Turn()+1] + "[" + move + "]")
		if err := p.Play(m); err != nil {
			return "", err
		}
	}
	text.WriteString(";)\n")
	return text.String(), nil
}
