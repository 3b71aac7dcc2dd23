package external

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"qipu/board"
	"qipu/engine"
	"qipu/game"
)

// maxAnswer bounds an answer of GTP, in bytes: it is a line or a board.
const maxAnswer = 1 << 20

// unknown is the start of a board of which nobody knows what is on it.
const unknown = "?"

// refusal is an answer that says no: the child is well, but does not do it.
type refusal struct{ command, text string }

func (r *refusal) Error() string { return fmt.Sprintf("refused %q: %s", r.command, r.text) }

// gtp talks to a child by GTP. The protocol has one board, kept by the child: it
// is brought in step with each task by taking moves back and playing others.
type gtp struct {
	host
	last  int // number of the last command
	known map[string]bool

	// What is on the board of the child.
	rules game.Rules
	start string
	moves []game.Move
	clock string // the last time settings
	cap   int64  // the last limit of visits
}

func (g *gtp) farewell() string { return "quit\n" }

// answer is what a child says to a command.
type answer struct {
	id   int // -1 where it has none
	ok   bool
	text string
}

// head reads the first line of an answer: "=12 text", "? text".
func head(line string) (a answer, ok bool) {
	if line == "" || line[0] != '=' && line[0] != '?' {
		return a, false
	}
	a.ok, a.id = line[0] == '=', -1
	line = line[1:]
	digits := 0
	for digits < len(line) && line[digits] >= '0' && line[digits] <= '9' {
		digits++
	}
	if digits > 0 {
		id, err := strconv.Atoi(line[:digits])
		if err != nil {
			id = -2 // longer than any number that was ever given
		}
		a.id = id
	}
	a.text = strings.TrimSpace(clean(line[digits:]))
	return a, true
}

// order gives a command, and returns its number.
func (g *gtp) order(command string) (int, error) {
	g.last++
	return g.last, g.say(fmt.Sprintf("%d %s\n", g.last, command))
}

// ask gives a command and waits for its answer, no longer than a time. Answers
// with other numbers are those of commands that were given up.
func (g *gtp) ask(ctx context.Context, command string, wait time.Duration) (string, error) {
	id, err := g.order(command)
	if err != nil {
		return "", err
	}
	var a answer
	var text strings.Builder
	begun := false
	err = g.hear(ctx, command, wait, func(line string) (heard, error) {
		if !begun {
			if a, begun = head(line); begun {
				text.Reset()
				text.WriteString(a.text)
			}
			return nothing, nil
		}
		if line == "" {
			if begun = false; a.id == id || a.id == -1 {
				return done, nil
			}
			return nothing, nil
		}
		if text.WriteString("\n" + clean(line)); text.Len() > maxAnswer {
			return nothing, fmt.Errorf("an answer of it has no end")
		}
		return nothing, nil
	})
	switch {
	case err != nil:
		return "", err
	case !a.ok:
		return "", &refusal{command, text.String()}
	}
	return text.String(), nil
}

// command is ask for what needs no thought.
func (g *gtp) command(ctx context.Context, format string, args ...any) (string, error) {
	return g.ask(ctx, fmt.Sprintf(format, args...), g.o.Patience)
}

// optional is command for what a child need not know.
func (g *gtp) optional(ctx context.Context, format string, args ...any) (string, error) {
	text, err := g.command(ctx, format, args...)
	var no *refusal
	if errors.As(err, &no) {
		return "", nil
	}
	return text, err
}

func (g *gtp) greet(ctx context.Context) (info engine.Info, err error) {
	g.start = unknown
	version, err := g.ask(ctx, "protocol_version", g.o.Startup)
	var no *refusal
	if err != nil && !errors.As(err, &no) {
		return info, err
	}
	if version != "2" && err == nil {
		return info, fmt.Errorf("it speaks version %q of the protocol: want 2", clip(version))
	}
	if info.Name, err = g.optional(ctx, "name"); err != nil {
		return info, err
	}
	if info.Version, err = g.optional(ctx, "version"); err != nil {
		return info, err
	}
	list, err := g.optional(ctx, "list_commands")
	if err != nil {
		return info, err
	}
	g.known = map[string]bool{}
	for word := range strings.FieldsSeq(list) {
		g.known[word] = true
	}
	info.Opaque = g.analysis() == ""
	for _, command := range g.o.Setup {
		if _, err := g.command(ctx, "%s", command); err != nil {
			return info, err
		}
	}
	return info, g.prepare(ctx, g.o.Rules)
}

// prepare tells the child the game, and clears its board.
func (g *gtp) prepare(ctx context.Context, r game.Rules) error {
	g.rules, g.start, g.clock, g.cap = r, unknown, "", 0
	if g.known["set_game"] {
		if err := g.setGame(ctx); err != nil {
			return err
		}
	}
	return g.clear(ctx, "")
}

// setGame names the game, by the words that engines have for it.
func (g *gtp) setGame(ctx context.Context) (err error) {
	var no *refusal
	info := g.rules.Info()
	names := []string{info.Titles.En, info.Name}
	if info.Variant != "" { // our own server knows rule sets by their names
		names = append([]string{info.Name + ":" + info.Variant}, names...)
	}
	for _, name := range names {
		if _, err = g.command(ctx, "set_game %s", name); !errors.As(err, &no) {
			return err
		}
	}
	return err
}

// clear makes a new game from a start, as its position text; empty for the start
// of the game.
func (g *gtp) clear(ctx context.Context, start string) error {
	g.moves, g.start = nil, unknown // until all is done
	if size := g.rules.Geometry().Size; size.W == size.H {
		if _, err := g.command(ctx, "boardsize %d", size.W); err != nil {
			return wrongGame(err)
		}
	}
	if _, err := g.command(ctx, "clear_board"); err != nil {
		return err
	}
	if k, ok := g.rules.(interface{ Komi() int }); ok {
		if _, err := g.optional(ctx, "komi %s", strconv.FormatFloat(float64(k.Komi())/2, 'f', -1, 64)); err != nil {
			return err
		}
	}
	if g.known["kata-set-rules"] {
		for word := range strings.SplitSeq(g.rules.Info().Variant, ",") {
			if word == "computer" {
				word = "tromp-taylor"
			}
			if word != "" && !strings.ContainsAny(word, "0123456789=") { // a size, a handicap
				if _, err := g.optional(ctx, "kata-set-rules %s", word); err != nil {
					return err
				}
			}
		}
	}
	if err := g.handicap(ctx, start); err != nil {
		return err
	}
	g.start = start
	return nil
}

// wrongGame makes a refusal one of the whole game.
func wrongGame(err error) error {
	var no *refusal
	if errors.As(err, &no) {
		return fmt.Errorf("%w: it %w", engine.ErrGame, err)
	}
	return err
}

// handicap puts the stones onto the board that a game begins with. Only black
// stones with White to move can be told; Othello's and Xiangqi's are where they
// are by themselves.
func (g *gtp) handicap(ctx context.Context, start string) error {
	r := g.rules
	takes := r.Info().Takes("handicap")
	if start == "" && !takes {
		return nil
	}
	usual := game.SetupOf(r.Start())
	setup := usual
	if start != "" {
		var err error
		if setup, err = game.ParseSetup(r, start); err != nil {
			return err
		}
	}
	var points []string
	other := false
	for y := range setup.Board.Size.H {
		for x := range setup.Board.Size.W {
			switch p := board.At(x, y); setup.Board.At(p) {
			case board.Empty:
			case 1: // Black's
				points = append(points, g.text(nil, game.Drop(p)))
			default:
				other = true
			}
		}
	}
	if len(points) == 0 && !other && setup.Turn == game.First && setup.Extra == usual.Extra {
		return nil
	}
	if !takes || other || len(points) < 2 || setup.Turn != game.Second {
		return fmt.Errorf("it cannot be told to begin from %q: the protocol knows the start and handicap stones: %w", start, engine.ErrGame)
	}
	_, err := g.command(ctx, "set_free_handicap %s", strings.Join(points, " "))
	return err
}

func (g *gtp) think(ctx context.Context, q *question) (*engine.Report, error) {
	if a, b := q.task.Rules.Info(), g.rules.Info(); a.Variant != b.Variant {
		if err := g.prepare(ctx, q.task.Rules); err != nil {
			return nil, err
		}
	}
	if err := g.sync(ctx, q.task); err != nil {
		return nil, err
	}
	if g.analysis() != "" && q.values() {
		return g.analyse(ctx, q)
	}
	colour := g.colour(q.pos.Turn())
	if err := g.limit(ctx, colour, &q.l); err != nil {
		return nil, err
	}
	text, err := g.ask(ctx, "genmove "+colour, g.most(&q.l)+g.o.Patience)
	if err != nil {
		return nil, err
	}
	if strings.EqualFold(text, "resign") {
		g.start = unknown // nobody says what its board is like then
		return nil, engine.ErrResigned
	}
	m, err := g.parse(q.pos, text)
	if err != nil {
		g.start = unknown
		return nil, fmt.Errorf("it answered genmove with %q: %w", clip(text), err)
	}
	g.moves = append(g.moves, m) // a genmove is played on its board
	return (&draft{q: q}).choose(m), nil
}

// sync makes the board of the child that of a task.
func (g *gtp) sync(ctx context.Context, t *engine.Task) error {
	start := ""
	if t.Start != nil {
		start = string(game.AppendSetup(nil, g.rules, *t.Start))
		if start == game.FormatPosition(g.rules, g.rules.Start()) {
			start = ""
		}
	}
	same := 0
	for same < min(len(g.moves), len(t.Moves)) && g.moves[same] == t.Moves[same] {
		same++
	}
	back := len(g.moves) - same
	if g.start != start || back > same+1 || back > 0 && !g.known["undo"] {
		if err := g.clear(ctx, start); err != nil {
			return err
		}
		same, back = 0, 0
	}
	var no *refusal
	for ; back > 0; back-- {
		_, err := g.command(ctx, "undo")
		if errors.As(err, &no) {
			if err := g.clear(ctx, start); err != nil {
				return err
			}
			same = 0
			break
		}
		if err != nil {
			return err
		}
		g.moves = g.moves[:len(g.moves)-1]
	}
	before := engine.Task{Rules: t.Rules, Start: t.Start, Moves: t.Moves[:same]}
	p, err := before.Position()
	if err != nil {
		return err
	}
	for _, m := range t.Moves[same:] {
		if _, err := g.command(ctx, "play %s %s", g.colour(p.Turn()), g.text(p, m)); err != nil {
			return err
		}
		if err := p.Play(m); err != nil {
			return err
		}
		g.moves = append(g.moves, m)
	}
	return nil
}

// limit tells the child how much time it has. The protocol counts in seconds; a
// limit for a move is a period for one stone. Visits are KataGo's.
func (g *gtp) limit(ctx context.Context, colour string, l *engine.Limits) error {
	if l.Nodes > 0 && l.Nodes != g.cap && g.known["kata-set-param"] {
		if _, err := g.optional(ctx, "kata-set-param maxVisits %d", l.Nodes); err != nil {
			return err
		}
		g.cap = l.Nodes
	}
	seconds := func(d time.Duration) int { return int(max(1, d.Round(time.Second)/time.Second)) }
	settings, left := "", ""
	switch {
	case l.Time > 0:
		settings = fmt.Sprintf("time_settings 0 %d 1", seconds(l.Time))
		left = fmt.Sprintf("time_left %s %d 1", colour, seconds(l.Time))
	case l.Clock != nil && l.Clock.Moves > 0:
		settings = fmt.Sprintf("time_settings 0 %d %d", seconds(l.Clock.Left), l.Clock.Moves)
		left = fmt.Sprintf("time_left %s %d %d", colour, seconds(l.Clock.Left), l.Clock.Moves)
	case l.Clock != nil:
		settings = fmt.Sprintf("time_settings %d 0 0", seconds(l.Clock.Left))
		left = fmt.Sprintf("time_left %s %d 0", colour, seconds(l.Clock.Left))
	default:
		return nil
	}
	// Settings are for a whole game: they are given once, and what is left of
	// them with every move.
	kind := settings
	if l.Clock != nil && l.Time == 0 {
		kind = "clock"
	}
	if kind != g.clock && g.known["time_settings"] {
		if _, err := g.optional(ctx, "%s", settings); err != nil {
			return err
		}
		g.clock = kind
	}
	if g.known["time_left"] {
		_, err := g.optional(ctx, "%s", left)
		return err
	}
	return nil
}

// colour returns the letter of a side: that which its name begins with.
func (g *gtp) colour(s game.Side) string { return g.rules.Info().Sides[s].Name[:1] }

// text returns a move as GTP has it.
func (g *gtp) text(p game.Position, m game.Move) string {
	if v, ok := g.rules.(engine.Vertices); ok && m.To() != board.NoPoint {
		return v.Vertex(m)
	}
	return game.FormatMove(g.rules, p, m, game.AnyNotation)
}

// parse reads a move of the child.
func (g *gtp) parse(p game.Position, text string) (game.Move, error) {
	text = strings.TrimSpace(text)
	moves := p.AppendMoves(nil)
	if strings.EqualFold(text, "pass") || strings.EqualFold(text, "pa") {
		if !slices.Contains(moves, game.Pass) {
			return game.NoMove, game.ErrNoPass
		}
		return game.Pass, nil
	}
	if _, ok := g.rules.(engine.Vertices); ok {
		for _, m := range moves {
			if strings.EqualFold(g.text(p, m), text) {
				return m, nil
			}
		}
		return game.NoMove, game.ErrIllegal
	}
	m, err := g.rules.ParseMove(p, text, g.rules.Info().Notations[0].Name)
	return legal(p, m, err)
}

// analysis returns the command by which the child tells values; "" for none.
func (g *gtp) analysis() string {
	for _, name := range []string{"kata-analyze", "lz-analyze"} {
		if g.known[name] {
			return name
		}
	}
	return ""
}

// analyse has the child tell what it thinks of the position, which it does until
// the next command: after the time, or the visits, that the limits give it. Without
// either it gets a second.
func (g *gtp) analyse(ctx context.Context, q *question) (*engine.Report, error) {
	name, wait := g.analysis(), g.most(&q.l)
	if q.l.Time == 0 && q.l.Nodes == 0 {
		wait = time.Second
	}
	command := name + " " + g.colour(q.pos.Turn()) + " 20"
	if name == "kata-analyze" && q.l.Multi > 0 {
		command += " maxmoves " + strconv.Itoa(q.l.Multi)
	}
	id, err := g.order(command)
	if err != nil {
		return nil, err
	}
	d := &draft{q: q}
	var refused error
	err = g.hearFirst(ctx, command, wait, d, func(line string) (heard, error) {
		if a, ok := head(line); ok {
			if !a.ok && (a.id == id || a.id == -1) {
				refused = &refusal{command, a.text}
				return done, nil
			}
			return nothing, nil
		}
		if !g.inform(d, line, name == "lz-analyze") {
			return nothing, nil
		}
		d.show()
		if q.l.Nodes > 0 && d.r.Nodes >= q.l.Nodes {
			return done, nil
		}
		return news, nil
	})
	var late *silence
	if refused != nil || err != nil && !errors.As(err, &late) && ctx.Err() == nil {
		return nil, errors.Join(refused, err)
	}
	// Any command ends an analysis.
	if _, err := g.optional(context.WithoutCancel(ctx), "name"); err != nil {
		return nil, err
	}
	switch {
	case len(d.r.Lines) > 0:
		return d.report(), nil
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	}
	return nil, fmt.Errorf("it told nothing about the position within %v%s", wait, g.said())
}

// inform reads a line of an analysis: "info move D4 visits 12 winrate 0.51 ... pv D4
// Q16 info move ...". It reports whether it is one.
func (g *gtp) inform(d *draft, line string, perTenThousand bool) bool {
	if !strings.HasPrefix(line, "info ") {
		return false
	}
	d.r.Lines, d.r.Nodes = d.r.Lines[:0:0], 0
	for part := range strings.SplitSeq(line[len("info "):], " info ") {
		if at := strings.Index(part, " rootInfo "); at >= 0 {
			part = part[:at]
		}
		l := engine.Line{Value: engine.NoValue, Move: game.NoMove}
		words := strings.Fields(part)
		for i := 0; i+1 < len(words); i += 2 {
			key, value := words[i], words[i+1]
			number, err := strconv.ParseFloat(value, 64)
			switch {
			case key == "pv":
				end := slices.IndexFunc(words[i+1:], func(w string) bool {
					return strings.EqualFold(w, "ownership") || w == "pvVisits" || w == "movesOwnership"
				})
				if end < 0 {
					end = len(words) - i - 1
				}
				l.Moves = ahead(d.q.pos, words[i+1:i+1+end], g.parse)
				i = len(words)
			case key == "move":
				if m, err := g.parse(d.q.pos, value); err == nil {
					l.Move = m
				}
			case err != nil: // of no use here
			case key == "visits":
				d.r.Nodes += int64(number)
			case key == "winrate":
				if perTenThousand {
					number /= 10000
				}
				l.Value, l.Told = fromShare(g.rules, number), fmt.Sprintf("winrate %.1f %%", 100*number)
			case key == "scoreLead" && l.Told != "":
				l.Told += fmt.Sprintf(", lead %+.1f", number)
			}
		}
		if l.Move == game.NoMove {
			continue
		}
		if len(l.Moves) == 0 || l.Moves[0] != l.Move {
			l.Moves = []game.Move{l.Move}
		}
		d.r.Lines = append(d.r.Lines, l)
	}
	return len(d.r.Lines) > 0
}
