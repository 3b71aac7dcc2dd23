package external

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"qipu/engine"
	"qipu/game"
)

// uci talks to a child by UCI, or by UCCI, which is much the same in other words.
// Each position is told as a whole, so that nothing has to be kept in step; before
// it the child is asked whether it is ready, so that answers to what was asked
// before are behind us.
type uci struct {
	host
	options  map[string]string // the names as the child writes them, by lower case
	variants []string          // of UCI_Variant
	notation game.Notation     // of moves
	multi    int
	threads  int
	settled  string // the variant that was told last
	toggled  string // the option of a variant that is on
}

func (u *uci) farewell() string { return "quit\n" }

// word returns the one word or the other, by what the child speaks.
func (u *uci) word(inUCI, inUCCI string) string {
	if u.o.Protocol == UCCI {
		return inUCCI
	}
	return inUCI
}

// squares returns the notation of a game in which moves are the squares that a
// piece leaves and reaches; "" where it has none. want is one by name, "" for any.
func squares(r game.Rules, want game.Notation) game.Notation {
	for _, n := range r.Info().Notations {
		switch n.Name {
		case "iccs", "uci":
			if want == "" || n.Name == want {
				return n.Name
			}
		}
	}
	return ""
}

func (u *uci) greet(ctx context.Context) (info engine.Info, err error) {
	u.options = map[string]string{}
	hello := u.word("uci", "ucci")
	if err := u.say(hello + "\n"); err != nil {
		return info, err
	}
	err = u.hear(ctx, hello, u.o.Startup, func(line string) (heard, error) {
		words := strings.Fields(clean(line))
		switch {
		case len(words) == 0:
		case words[0] == hello+"ok":
			return done, nil
		case words[0] == "id" && len(words) > 2 && words[1] == "name":
			info.Name = strings.Join(words[2:], " ")
			return news, nil
		case words[0] == "option":
			u.option(words[1:])
			return news, nil
		}
		return nothing, nil
	})
	if err != nil {
		return info, err
	}
	for _, text := range u.o.Setup {
		name, value, _ := strings.Cut(text, "=")
		if !u.has(name) {
			return info, fmt.Errorf("it has no option %q", name)
		}
		if err := u.set(name, value); err != nil {
			return info, err
		}
	}
	if u.has("usemillisec") {
		err = u.set("usemillisec", "true")
	}
	return info, errors.Join(err, u.settle(u.o.Rules), u.ready(ctx))
}

// option notes an option: "name Hash type spin default 16 min 1 max 1024", in UCCI
// without the word before the name.
func (u *uci) option(words []string) {
	if len(words) > 0 && words[0] == "name" {
		words = words[1:]
	}
	name, rest, _ := strings.Cut(strings.Join(words, " "), " type ")
	u.options[strings.ToLower(name)] = name
	if strings.EqualFold(name, "UCI_Variant") {
		for variant := range strings.SplitSeq(rest, " var ") {
			u.variants = append(u.variants, strings.TrimSpace(variant))
		}
	}
}

func (u *uci) has(name string) bool { return u.options[strings.ToLower(name)] != "" }

func (u *uci) set(name, value string) error {
	name = u.options[strings.ToLower(name)]
	return u.say(u.word("setoption name "+name+" value "+value, "setoption "+name+" "+value) + "\n")
}

// settle tells which game is played, to programs that play many. Those write ranks
// from 1 on, others from 0 as records of Xiangqi do.
func (u *uci) settle(r game.Rules) error {
	u.notation = squares(r, "")
	if err := u.toggle(r.Info()); err != nil {
		return err
	}
	if len(u.variants) == 0 {
		return nil
	}
	if n := squares(r, "uci"); n != "" && u.o.Protocol == UCI {
		u.notation = n
	}
	name := r.Info().Name
	for _, v := range u.variants {
		if strings.EqualFold(v, name) {
			if u.settled == v {
				return nil
			}
			u.settled = v
			return u.set("UCI_Variant", v)
		}
	}
	return fmt.Errorf("%w: it has no variant %s", engine.ErrGame, name)
}

// toggle turns on the option that some variant has for itself, as UCI_Chess960 is, and
// off what was on.
func (u *uci) toggle(info *game.Info) error {
	want := ""
	if info.Variant != "" && u.has("UCI_"+info.Name+info.Variant) {
		want = "UCI_" + info.Name + info.Variant
	}
	if want == u.toggled {
		return nil
	}
	if u.toggled != "" {
		if err := u.set(u.toggled, "false"); err != nil {
			return err
		}
	}
	if u.toggled = want; want == "" {
		return nil
	}
	return u.set(want, "true")
}

// ready waits until the child has done all that it was told.
func (u *uci) ready(ctx context.Context) error {
	if err := u.say("isready\n"); err != nil {
		return err
	}
	return u.hear(ctx, "isready", max(u.o.Patience, u.o.Startup), func(line string) (heard, error) {
		if strings.TrimSpace(line) == "readyok" {
			return done, nil
		}
		return nothing, nil
	})
}

func (u *uci) think(ctx context.Context, q *question) (*engine.Report, error) {
	if err := u.settle(q.task.Rules); err != nil {
		return nil, err
	}
	multi := q.l.Multi
	if multi < 0 {
		multi = len(q.pos.AppendMoves(nil))
	}
	if multi = min(max(multi, 1), 500); multi != max(u.multi, 1) && u.has("MultiPV") {
		if err := u.set("MultiPV", strconv.Itoa(multi)); err != nil {
			return nil, err
		}
		u.multi = multi
	}
	// Programs forget what is in their tables when they are told, though it be the same.
	if q.l.Threads > 0 && q.l.Threads != u.threads && u.has("Threads") {
		if err := u.set("Threads", strconv.Itoa(q.l.Threads)); err != nil {
			return nil, err
		}
		u.threads = q.l.Threads
	}
	if err := u.ready(ctx); err != nil {
		return nil, err
	}
	position, err := u.position(q.task)
	if err != nil {
		return nil, err
	}
	order := u.order(q)
	if err := u.say(position + "\n" + order + "\n"); err != nil {
		return nil, err
	}
	d := &draft{q: q}
	best := ""
	listen := func(line string) (heard, error) {
		words := strings.Fields(clean(line))
		switch {
		case len(words) == 0:
		case words[0] == "info" && u.inform(d, words[1:]):
			d.show()
			return news, nil
		case words[0] == "bestmove" || words[0] == "nobestmove":
			best = strings.Join(words, " ")
			return done, nil
		}
		return nothing, nil
	}
	// A child that keeps its time itself is not stopped at the last moment.
	wait := u.most(&q.l)
	if q.l.Time > 0 || q.l.Clock != nil {
		wait += min(u.o.Patience, wait/10+100*time.Millisecond)
	}
	err = u.hear(ctx, order, wait, listen)
	var late *silence
	if errors.As(err, &late) || err != nil && ctx.Err() != nil {
		if err := u.say("stop\n"); err != nil {
			return nil, err
		}
		err = u.hear(context.WithoutCancel(ctx), "stop", u.o.Patience, listen)
	}
	if err != nil {
		return nil, err
	}
	return u.chosen(d, best)
}

// position tells a task.
func (u *uci) position(t *engine.Task) (string, error) {
	before := engine.Task{Rules: t.Rules, Start: t.Start}
	p, err := before.Position()
	if err != nil {
		return "", err
	}
	text := strings.Builder{}
	text.WriteString("position fen " + fen(t.Rules, p))
	for i, m := range t.Moves {
		if i == 0 {
			text.WriteString(" moves")
		}
		text.WriteByte(' ')
		text.Write(t.Rules.AppendMove(nil, p, m, u.notation))
		if err := p.Play(m); err != nil {
			return "", err
		}
	}
	return text.String(), nil
}

// fen returns a position as programs write it: that of ours with the side w or b. Where
// nothing else belongs to a position, the counts of a game that begins are behind it.
func fen(r game.Rules, p game.Position) string {
	rows, rest, _ := strings.Cut(game.FormatPosition(r, p), " ")
	side := " w"
	if p.Turn() != game.First {
		side = " b"
	}
	if _, more, ok := strings.Cut(rest, " "); ok && len(r.Info().Extra) > 0 {
		return rows + side + " " + more
	}
	return rows + side + " - - 0 1"
}

// order is the command to think. UCCI has no time for one move: it is a clock for
// one move.
func (u *uci) order(q *question) string {
	ms := func(d time.Duration) int64 { return max(d.Milliseconds(), 1) }
	var words []string
	if q.l.Depth > 0 {
		words = append(words, "depth", strconv.Itoa(q.l.Depth))
	}
	if q.l.Nodes > 0 {
		words = append(words, "nodes", strconv.FormatInt(q.l.Nodes, 10))
	}
	switch c := q.l.Clock; {
	case q.l.Time > 0:
		words = append(words, u.word(fmt.Sprintf("movetime %d", ms(q.l.Time)), fmt.Sprintf("time %d movestogo 1", ms(q.l.Time))))
	case c != nil && u.o.Protocol == UCCI:
		words = append(words, fmt.Sprintf("time %d increment %d", ms(c.Left), c.Increment.Milliseconds()))
	case c != nil:
		// The other clock is of no interest here: it is told as the same.
		words = append(words, fmt.Sprintf("wtime %d btime %d winc %d binc %d", ms(c.Left), ms(c.Left), c.Increment.Milliseconds(), c.Increment.Milliseconds()))
		if c.Moves > 0 {
			words = append(words, fmt.Sprintf("movestogo %d", c.Moves))
		}
	}
	if len(words) == 0 {
		words = append(words, u.word("infinite", "depth infinite"))
	}
	return "go " + strings.Join(words, " ")
}

// inform reads what a child tells while it thinks: "depth 8 multipv 1 score cp 35
// nodes 1200 pv h2e2 h9g7". It reports whether there is a line in it.
func (u *uci) inform(d *draft, words []string) bool {
	l := engine.Line{Value: engine.NoValue}
	at, depth, nodes := 1, 0, int64(0)
	for i := 0; i < len(words); i++ {
		next := func() int {
			if i++; i < len(words) {
				n, _ := strconv.Atoi(words[i])
				return n
			}
			return 0
		}
		switch words[i] {
		case "depth":
			depth = next()
		case "nodes":
			nodes = int64(next())
		case "multipv":
			at = next()
		case "score":
			i += u.score(&l, words[i+1:])
		case "string": // the rest is for people
			i = len(words)
		case "pv":
			l.Moves = ahead(d.q.pos, words[i+1:], u.parse)
			i = len(words)
		}
	}
	d.r.Nodes = max(d.r.Nodes, nodes)
	if len(l.Moves) == 0 || l.Value == engine.NoValue || at < 1 {
		return false
	}
	if l.Move = l.Moves[0]; at == 1 {
		d.r.Depth = depth
	}
	d.put(at-1, l)
	return true
}

// score reads a score, and returns how many words it has: "cp 35", "mate -2", in UCCI
// a number alone; a bound may follow.
func (u *uci) score(l *engine.Line, words []string) (read int) {
	if len(words) == 0 {
		return 0
	}
	kind := words[0]
	if kind == "cp" || kind == "mate" {
		read++
	} else {
		kind = "cp"
	}
	if read == len(words) {
		return read
	}
	n, err := strconv.Atoi(words[read])
	if err != nil {
		return read
	}
	read++
	if l.Told = kind + " " + strconv.Itoa(n); kind == "mate" {
		l.Value = fromMate(n)
	} else {
		l.Value = fromUnits(float64(n) / 100)
	}
	if read < len(words) {
		switch words[read] {
		case "lowerbound":
			l.Bound = engine.AtLeast
			read++
		case "upperbound":
			l.Bound = engine.AtMost
			read++
		}
	}
	return read
}

// parse reads a move.
func (u *uci) parse(p game.Position, text string) (game.Move, error) {
	r := u.o.Rules
	m, err := r.ParseMove(p, text, u.notation)
	return legal(p, m, err)
}

// chosen returns the report with the move that the child has chosen.
func (u *uci) chosen(d *draft, best string) (*engine.Report, error) {
	words := strings.Fields(best)
	if len(words) > 2 && words[len(words)-1] == "resign" || len(words) > 1 && words[1] == "resign" {
		return nil, engine.ErrResigned
	}
	if len(words) < 2 || words[1] == "(none)" || words[1] == "0000" {
		return nil, fmt.Errorf("it found no move: it answered %q in a position that has some: %w", clip(best), game.ErrIllegal)
	}
	m, err := u.parse(d.q.pos, words[1])
	if err != nil {
		return nil, fmt.Errorf("it answered %q: %w", clip(best), err)
	}
	return d.choose(m), nil
}
