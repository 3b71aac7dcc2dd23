package external

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"qipu/board"
	"qipu/engine"
	"qipu/game"
)

// gomocup talks to a child by the protocol of Piskvork, in which programs play the
// Gomocup. The board is told as a whole with each question. The protocol has no way
// to stop a thought, and no values; some programs tell them in messages.
type gomocup struct {
	host
	size board.Size // that it was started with
}

func (g *gomocup) farewell() string { return "END\n" }

func (g *gomocup) greet(ctx context.Context) (info engine.Info, err error) {
	info.Opaque = true
	if err := g.about(ctx, g.o.Startup, &info); err != nil {
		return info, err
	}
	// Rapfi writes what it thinks into messages, line by line.
	info.Opaque = !strings.Contains(strings.ToLower(info.Name), "rapfi")
	return info, g.begin(ctx, g.o.Rules)
}

// about asks the child for its name. It has answered all that it was asked before
// when it tells it.
func (g *gomocup) about(ctx context.Context, wait time.Duration, info *engine.Info) error {
	if err := g.say("ABOUT\n"); err != nil {
		return err
	}
	return g.hear(ctx, "ABOUT", wait, func(line string) (heard, error) {
		name := field(line, "name")
		if name == "" {
			if strings.HasPrefix(line, "UNKNOWN") {
				return done, nil
			}
			return nothing, nil
		}
		info.Name, info.Version = name, field(line, "version")
		return done, nil
	})
}

// field returns a value of `name="Rapfi", version="0.3"`.
func field(line, key string) string {
	_, rest, ok := strings.Cut(line, key+`="`)
	if !ok {
		return ""
	}
	value, _, _ := strings.Cut(rest, `"`)
	return value
}

// begin starts a game on a board.
func (g *gomocup) begin(ctx context.Context, r game.Rules) error {
	size := r.Geometry().Size
	if size == g.size {
		return nil
	}
	order := "START " + strconv.Itoa(size.W)
	if size.W != size.H {
		order = fmt.Sprintf("RECTSTART %d,%d", size.W, size.H)
	}
	if err := g.say(order + "\n"); err != nil {
		return err
	}
	err := g.hear(ctx, order, g.o.Startup, func(line string) (heard, error) {
		switch word, _, _ := strings.Cut(strings.TrimSpace(line), " "); {
		case strings.EqualFold(word, "OK"):
			return done, nil
		case word == "ERROR" || word == "UNKNOWN":
			return nothing, fmt.Errorf("%w: it answered %q to %s", engine.ErrGame, clip(line), order)
		}
		return nothing, nil
	})
	if err == nil {
		g.size = size
	}
	return err
}

func (g *gomocup) think(ctx context.Context, q *question) (*engine.Report, error) {
	var info engine.Info
	if err := g.about(ctx, g.o.Patience, &info); err != nil {
		return nil, err
	}
	if err := g.begin(ctx, q.task.Rules); err != nil {
		return nil, err
	}
	order := g.board(q)
	if err := g.say(g.infos(q) + order); err != nil {
		return nil, err
	}
	question, _, _ := strings.Cut(order, "\n")
	d := &draft{q: q}
	answer := ""
	err := g.hear(ctx, question, g.most(&q.l)+g.o.Patience, func(line string) (heard, error) {
		line = strings.TrimSpace(line)
		word, rest, _ := strings.Cut(line, " ")
		switch {
		case strings.EqualFold(word, "MESSAGE"):
			if g.inform(d, rest) {
				return news, nil
			}
		case strings.EqualFold(word, "ERROR") || strings.EqualFold(word, "UNKNOWN"):
			return nothing, fmt.Errorf("it answered %q to %s", clip(line), question)
		case strings.EqualFold(word, "DEBUG"), word == "":
		case strings.EqualFold(word, "SUGGEST"):
			answer = strings.TrimSpace(rest)
			return done, nil
		case line[0] >= '0' && line[0] <= '9':
			answer = line
			return done, nil
		}
		return nothing, nil
	})
	if err != nil {
		return nil, err
	}
	m, err := g.parse(q.pos, answer)
	if err != nil {
		return nil, fmt.Errorf("it answered %s with %q: %w", question, clip(answer), err)
	}
	// Which way up a message counts its rows is no part of the protocol: what it says
	// of the best line is said of the move that came, whichever moves it names.
	if len(d.r.Lines) == 1 && d.r.Lines[0].Move != m {
		d.r.Lines[0].Move, d.r.Lines[0].Moves = m, []game.Move{m}
	}
	return d.choose(m), nil
}

// infos tells limits and rules. Depth and nodes are understood by some programs, and
// ignored by the others.
func (g *gomocup) infos(q *question) string {
	var text strings.Builder
	info := func(key string, value any) { fmt.Fprintf(&text, "INFO %s %v\n", key, value) }
	info("rule", q.task.Rules.(engine.Rows).GomocupRule())
	info("game_type", 1)
	info("timeout_turn", g.most(&q.l).Milliseconds())
	match, left := int64(0), int64(math.MaxInt32)
	if c := q.l.Clock; c != nil {
		match, left = c.Left.Milliseconds(), c.Left.Milliseconds()
	}
	info("timeout_match", match)
	info("time_left", left)
	if g.o.Memory > 0 {
		info("max_memory", g.o.Memory)
	}
	if q.l.Depth > 0 {
		info("max_depth", q.l.Depth)
	}
	if q.l.Nodes > 0 {
		info("max_node", q.l.Nodes)
	}
	if q.l.Threads > 0 {
		info("thread_num", q.l.Threads)
	}
	for _, s := range g.o.Setup {
		text.WriteString("INFO " + s + "\n")
	}
	return text.String()
}

// board tells the stones, those of the child as 1: in the order in which they were
// played, behind those that stood there.
func (g *gomocup) board(q *question) string {
	setup := game.SetupOf(q.pos)
	own := q.pos.Turn()
	var text strings.Builder
	stone := func(p board.Point) {
		owner := 2
		if int(setup.Board.At(p))-1 == int(own) {
			owner = 1
		}
		fmt.Fprintf(&text, "%d,%d,%d\n", p.X(), p.Y(), owner)
	}
	played := map[board.Point]bool{}
	for _, m := range q.task.Moves {
		if m.To() != board.NoPoint {
			played[m.To()] = true
		}
	}
	for y := range setup.Board.Size.H {
		for x := range setup.Board.Size.W {
			if p := board.At(x, y); setup.Board.At(p) != board.Empty && !played[p] {
				stone(p)
			}
		}
	}
	for _, m := range q.task.Moves {
		if p := m.To(); p != board.NoPoint && setup.Board.At(p) != board.Empty {
			stone(p)
		}
	}
	if text.Len() == 0 {
		return "BEGIN\n"
	}
	return "BOARD\n" + text.String() + "DONE\n"
}

// parse reads a point as two numbers from 0 on.
func (g *gomocup) parse(p game.Position, text string) (game.Move, error) {
	first, second, _ := strings.Cut(text, ",")
	x, err1 := strconv.Atoi(strings.TrimSpace(first))
	y, err2 := strconv.Atoi(strings.TrimSpace(second))
	if err1 != nil || err2 != nil || x < 0 || y < 0 || x >= g.size.W || y >= g.size.H {
		return game.NoMove, game.ErrIllegal
	}
	return legal(p, game.Drop(board.At(x, y)), nil)
}

// rapfiScale is the evaluation of Rapfi that is worth 73 per cent.
const rapfiScale = 200

// inform reads a message of the form "Depth 12-24 | Eval 52 | Time 310ms | H8 I9 J10",
// in which a win is told as +M5, a loss as -M4, in plies.
func (g *gomocup) inform(d *draft, text string) bool {
	l := engine.Line{Value: engine.NoValue}
	depth := 0
	for part := range strings.SplitSeq(text, "|") {
		words := strings.Fields(part)
		switch {
		case len(words) == 0:
		case words[0] == "Depth" && len(words) > 1:
			first, _, _ := strings.Cut(words[1], "-")
			depth, _ = strconv.Atoi(first)
		case words[0] == "Eval" && len(words) > 1:
			l.Told = "Eval " + words[1]
			if sign, plies, mate := strings.Cut(words[1], "M"); mate {
				n, err := strconv.Atoi(plies)
				if l.Value = engine.Win - engine.Value(n); sign == "-" {
					l.Value = -l.Value
				}
				if err != nil || n < 0 || n > 4000 {
					return false
				}
			} else if n, err := strconv.ParseFloat(words[1], 64); err == nil {
				l.Value = fromShare(d.q.task.Rules, 1/(1+math.Exp(-n/rapfiScale)))
			}
		default:
			if moves := ahead(d.q.pos, words, g.vertex); len(moves) > 0 {
				l.Moves = moves
			}
		}
	}
	if len(l.Moves) == 0 || l.Value == engine.NoValue {
		return false
	}
	l.Move, d.r.Depth = l.Moves[0], depth
	d.put(0, l)
	return true
}

// vertex reads a point of a message: letter and row, counted from the bottom.
func (g *gomocup) vertex(p game.Position, text string) (game.Move, error) {
	if len(text) < 2 {
		return game.NoMove, game.ErrIllegal
	}
	y, err := strconv.Atoi(text[1:])
	x := int(text[0]|0x20) - 'a'
	if err != nil || x < 0 || x >= g.size.W || y < 1 || y > g.size.H {
		return game.NoMove, game.ErrIllegal
	}
	return legal(p, game.Drop(board.At(x, g.size.H-y)), nil)
}
