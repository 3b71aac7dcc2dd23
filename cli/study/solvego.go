package study

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"qipu/board"
	"qipu/board/draw"
	"qipu/cli"
	"qipu/game"
	"qipu/game/weiqi"
	"qipu/game/weiqi/life/tsumego"
	"qipu/record"
)

// solveGo are the flags of the solve command that are for Go alone.
type solveGo struct {
	tsumego.Options
	read                     cli.ReadFlags
	target, zone, first, cut string
	number                   int
}

// goProblem is a problem to solve: a board, and what its file says about it.
type goProblem struct {
	name     string
	position *weiqi.Position
	first    game.Side
	answers  []board.Point
}

// goSolved is a solved problem of Go as --json prints it.
type goSolved struct {
	Number  int      `json:"number"`
	Name    string   `json:"name"`
	Error   string   `json:"error,omitempty"` // why it was not tried
	First   string   `json:"first"`
	Goal    string   `json:"goal"`   // "live" or "kill", "" where it was not tried
	Target  []string `json:"target"` // stones
	Zone    []string `json:"zone"`   // points tried
	Outcome string   `json:"outcome"`
	Works   bool     `json:"works"` // who moves first has his way
	Eyes    bool     `json:"eyes"`  // two eyes were shown
	Taker   string   `json:"taker,omitempty"`
	Moves   []string `json:"moves"`
	Every   bool     `json:"every"` // moves has all that do
	Line    []string `json:"line"`
	Nodes   int      `json:"nodes"`
	Seconds float64  `json:"seconds"`
	Answers []string `json:"answers"` // those of the file
	Right   *bool    `json:"right,omitempty"`
}

// goTotals closes the list of --json.
type goTotals struct {
	Problems int            `json:"problems"`
	Refused  int            `json:"refused"`
	Outcomes map[string]int `json:"outcomes"`
	Checked  int            `json:"checked"`
	Right    int            `json:"right"`
	Nodes    int            `json:"nodes"`
	Seconds  float64        `json:"seconds"`
}

// solveProblems solves what an argument means as problems of Go.
func solveProblems(ctx context.Context, a *cli.App, arg, spec string, o *solveGo) error {
	if err := o.check(); err != nil {
		return err
	}
	list, err := goProblems(ctx, a, arg, spec, o)
	if err != nil {
		return err
	}
	if o.number > 0 {
		if o.number > len(list) {
			return fmt.Errorf("%s: there is no problem %d: it has %d", arg, o.number, len(list))
		}
		list = list[o.number-1 : o.number]
	}
	if len(list) > 1 && (o.target != "" || o.zone != "") {
		return cli.Usagef("--target and --zone are for one problem, and %s has %d: choose one by --number", arg, len(list))
	}
	widest := 0
	for i := range list {
		widest = max(widest, draw.Cells(list[i].name))
	}
	bar := a.NewProgress("problems", len(list))
	defer bar.Close()
	t := a.NewFeed(bar, []string{"problem", "first", "goal", "outcome", "moves", "nodes", "line", "time"}, widest, 5, 4, 7, 5, 6, 20)
	sum := goTotals{Outcomes: map[string]int{}}
	var solver tsumego.Solver
	for i := range list {
		j, err := o.solve(ctx, &solver, &list[i])
		if ctx.Err() != nil {
			return cli.ErrInterrupted
		}
		if err != nil {
			if len(list) == 1 {
				return err
			}
			j.Error = err.Error()
		}
		j.Number = max(i+1, o.number)
		sum.add(j)
		if err := addProblem(t, j); err != nil {
			return err
		}
		bar.Step(1)
	}
	bar.Close()
	switch {
	case a.CSV || len(list) == 1:
		return nil
	case a.JSON:
		return a.PrintJSON(cli.Typed("total", sum))
	}
	_, err = fmt.Fprintln(a.Out, sum.String())
	return err
}

// check refuses flags that make no sense.
func (o *solveGo) check() (err error) {
	if o.Options.Cut, err = tsumego.ParseCut(o.cut); err != nil {
		return cli.Usagef("%w", err)
	}
	switch {
	case o.Nodes < 0:
		return cli.Usagef("--nodes=%d: want how many positions may be looked at", o.Nodes)
	case o.number < 0:
		return cli.Usagef("--number=%d: problems are counted from 1", o.number)
	}
	return nil
}

// goProblems reads the problems that an argument means: a file in JSON with one, a
// file of records with many, or a position.
func goProblems(ctx context.Context, a *cli.App, arg, spec string, o *solveGo) ([]goProblem, error) {
	text := ""
	if arg == "-" {
		var err error
		if text, err = a.Text(arg); err != nil {
			return nil, err
		}
		a.In = strings.NewReader(text)
	} else if data, err := os.ReadFile(arg); err == nil && strings.EqualFold(filepath.Ext(arg), ".json") {
		text = string(data)
	} else if err == nil || !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrInvalid) {
		return goRecords(ctx, a, arg, o)
	}
	switch trimmed := bytes.TrimLeft([]byte(text), "\ufeff \t\r\n"); {
	case len(trimmed) > 0 && trimmed[0] == '{':
		z, err := tsumego.ParseJSON(trimmed)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", arg, err)
		}
		return []goProblem{{strings.TrimSuffix(filepath.Base(arg), filepath.Ext(arg)), z.Position, o.side(z.First), z.Answers}}, nil
	case len(trimmed) > 0 && trimmed[0] == '(':
		return goRecords(ctx, a, arg, o)
	}
	at, err := a.WrittenPosition(arg, spec)
	if err != nil {
		return nil, err
	}
	pos, ok := at.At.(*weiqi.Position)
	if !ok {
		return nil, cli.Usagef("--game %s: problems of life and death are of Go", spec)
	}
	return []goProblem{{name: "position", position: pos, first: o.side(pos.Turn())}}, nil
}

// side returns who moves first: who the flag says, else who is to move.
func (o *solveGo) side(turn game.Side) game.Side {
	switch o.first {
	case "black":
		return weiqi.Black
	case "white":
		return weiqi.White
	}
	return turn
}

// goRecords reads the boards that the records of a file begin with.
func goRecords(ctx context.Context, a *cli.App, path string, o *solveGo) (list []goProblem, err error) {
	err = a.EachRecord(ctx, &o.read, path, func(p *record.Played) error {
		start, err := record.At(p, 0)
		if err != nil {
			return err
		}
		position, ok := start.(*weiqi.Position)
		if !ok {
			return nil
		}
		name := p.Game.Tag("GN")
		if name == "" {
			name = fmt.Sprintf("%s %d", filepath.Base(path), len(list)+1)
		}
		list = append(list, goProblem{name: name, position: position, first: o.side(position.Turn())})
		return nil
	})
	if err == nil && len(list) == 0 {
		err = fmt.Errorf("%s: no record of Go in it that the program can read", path)
	}
	return list, err
}

// solve finds and solves one problem.
func (o *solveGo) solve(ctx context.Context, solver *tsumego.Solver, z *goProblem) (*goSolved, error) {
	rules := z.position.Rules()
	names := rules.Geometry()
	j := &goSolved{Name: z.name, First: rules.Info().Sides[z.first].Name, Outcome: tsumego.Unknown.String(),
		Target: []string{}, Zone: []string{}, Moves: []string{}, Line: []string{}, Answers: []string{}}
	for _, at := range z.answers {
		j.Answers = append(j.Answers, names.Name(at))
	}
	var find tsumego.Find
	var err error
	if find.Target, err = namedPoints(rules, "target", o.target); err != nil {
		return j, err
	}
	if find.Zone, err = namedPoints(rules, "zone", o.zone); err != nil {
		return j, err
	}
	q, err := find.In(z.position, z.first)
	if err != nil {
		return j, err
	}
	s, err := solver.Solve(ctx, &q, o.Options)
	if err != nil {
		return j, err
	}
	if j.Goal = "live"; q.Kills() {
		j.Goal = "kill"
	}
	for at := range q.Target.Points() {
		j.Target = append(j.Target, names.Name(at))
	}
	for at := range q.Zone.Points() {
		j.Zone = append(j.Zone, names.Name(at))
	}
	j.Outcome, j.Works, j.Eyes, j.Every, j.Nodes = s.Outcome.String(), s.Works(&q), s.Eyes, s.Every, s.Nodes
	j.Seconds = s.Elapsed.Round(100 * time.Microsecond).Seconds()
	if s.Outcome == tsumego.Ko && s.KoKnown {
		j.Taker = rules.Info().Sides[s.Taker].Name
	}
	for _, m := range s.Moves {
		j.Moves = append(j.Moves, game.FormatMove(rules, z.position, m, game.AnyNotation))
	}
	for _, m := range s.Line {
		j.Line = append(j.Line, game.FormatMove(rules, z.position, m, game.AnyNotation))
	}
	if len(j.Answers) > 0 && s.Outcome != tsumego.Unknown {
		right := len(j.Moves) > 0 && slices.ContainsFunc(j.Moves, func(m string) bool { return slices.Contains(j.Answers, m) })
		j.Right = &right
	}
	return j, nil
}

// namedPoints reads a list of points, as in "D4,E5", and of rectangles, as in "A1-C3".
func namedPoints(rules *weiqi.Rules, flag, text string) (set board.Plane, err error) {
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' }) {
		from, to, isRange := strings.Cut(word, "-")
		if !isRange {
			to = from
		}
		a, ok := rules.Geometry().Point(from)
		b, also := rules.Geometry().Point(to)
		if !ok || !also {
			return set, cli.Usagef("--%s=%s: %s is no point of the board: want points as in D4,E5, or corners as in A1-C3", flag, text, word)
		}
		for y := min(a.Y(), b.Y()); y <= max(a.Y(), b.Y()); y++ {
			for x := min(a.X(), b.X()); x <= max(a.X(), b.X()); x++ {
				set.Add(board.At(x, y))
			}
		}
	}
	return set, nil
}

func (s *goTotals) add(j *goSolved) {
	s.Problems++
	if j.Error != "" {
		s.Refused++
		return
	}
	s.Outcomes[j.Outcome]++
	s.Nodes += j.Nodes
	s.Seconds += j.Seconds
	if j.Right != nil {
		s.Checked++
		if *j.Right {
			s.Right++
		}
	}
}

// String returns the totals in a line.
func (s *goTotals) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d problems", s.Problems)
	for o := tsumego.Alive; o <= tsumego.Dead; o++ {
		if n := s.Outcomes[o.String()]; n > 0 {
			fmt.Fprintf(&b, ", %d %s", n, o)
		}
	}
	if n := s.Outcomes[tsumego.Unknown.String()]; n > 0 {
		fmt.Fprintf(&b, ", %d unknown", n)
	}
	if s.Refused > 0 {
		fmt.Fprintf(&b, ", %d refused: not enclosed", s.Refused)
	}
	fmt.Fprintf(&b, "; %d nodes in %.1f s", s.Nodes, s.Seconds)
	return b.String()
}

// addProblem adds the line of a problem.
func addProblem(t *cli.Feed, j *goSolved) error {
	object := cli.Typed("problem", j)
	if j.Error != "" {
		return t.Add(object, j.Name, j.First, "-", "refused", "-", "0", strings.TrimPrefix(j.Error, "tsumego: "), "-")
	}
	outcome, moves, note := j.Outcome, "-", ""
	if j.Taker != "" {
		outcome += ", " + j.Taker + " takes first"
	}
	if len(j.Moves) > 0 {
		moves = strings.Join(j.Moves, " ")
	}
	if j.Right != nil {
		note = "  right"
		if !*j.Right {
			note = "  the file says " + strings.Join(j.Answers, " ")
		}
	}
	return t.Add(object, j.Name, j.First, j.Goal, outcome, moves, strconv.Itoa(j.Nodes), strings.Join(j.Line, " ")+note, fmt.Sprintf("%.1f ms", j.Seconds*1000))
}
