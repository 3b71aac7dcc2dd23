package study

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"qipu/board"
	"qipu/board/draw"
	"qipu/cli"
	"qipu/engine/sight"
	"qipu/game/weiqi"
	"qipu/game/weiqi/judge"
	"qipu/game/weiqi/life"
	"qipu/record"
	"qipu/record/facts"
	"qipu/record/score"
	"qipu/view"
	"qipu/view/recordview"
	"qipu/view/shapeview"
)

// judgeRun is a run of the judge command.
type judgeRun struct {
	app                      *cli.App
	read                     cli.ReadFlags
	judge.Options            // how
	spec, rules, why, output string
	ply, number, nodes       int
	svg, influence, endgame  bool
	steps, methods, dark     bool
	xLife                    bool
	pool                     judge.Pool
}

func judgeCommand(a *cli.App) *cobra.Command {
	o := judgeRun{app: a, pool: judge.Pool{New: sight.Judge}}
	cmd := &cobra.Command{
		Use:   "judge FILE|ID|POSITION",
		Short: "Life and death in Go: what becomes of every stone, whose every point is, the score",
		Long: `Judge a board of Go: every string alive, dead, in seki or unclear, every point
Black's, White's or nobody's, and the score that follows by the rules that the
record names. Where something is unclear, as it is before a game is over, a net looks at
the board and guesses what becomes of it: who leads, and how likely each string stays.

FILE is a record, an archive or "-" for standard input; a file with several games
gives a line for each, unless --game-number chooses one. ID is the number of a game
of the library. Either may end in #PLY; the end of the main line is judged without.
POSITION is a position text or a list of moves on the board of --game.

On the board X and O are stones that live, x and o dead ones, each with the number
of its group; behind it stands ? where the verdict is unclear and % in seki. b and w
are points of Black and White, = is nobody's, and of the rest nothing is said.

--why tells what the verdict on a string rests on, --steps all steps of the method.
--x-life adds to --why how many attacks the owner of the string may leave unanswered
and it still lives, by a search.
--endgame lists what is left to play: neutral points, moves that change the count,
and stones that have to be reinforced.`,
		Example: `  qipu judge games/go-9x9-1.sgf
  qipu judge games/go-9x9-1.sgf --why E5
  qipu judge games/go-9x9-1.sgf --why C5 --x-life
  qipu judge games/go-9x9-1.sgf#30 --method fill --json
  qipu judge "9/9/XXXXXXXXX/OOOOOOOOO/9/9/9/9/9 X" --game go:9x9 --rules chinese,komi=7
  qipu judge games/go-9x9-1.sgf --svg --output board.svg
  qipu judge --methods`,
		Args: cli.ArgCount(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.methods {
				return o.listMethods()
			}
			if len(args) == 0 {
				return cli.Usagef("%s: FILE|ID|POSITION is missing", cmd.CommandPath())
			}
			return o.run(cmd.Context(), args[0], cmd.Flags().Changed("game-number"))
		},
	}
	f := cmd.Flags()
	o.read.Register(f)
	f.StringVar(&o.Method, "method", "", "how to judge: see --methods (default: "+judge.Default+", and "+judge.Sight+" where that leaves something unclear)")
	f.BoolVar(&o.methods, "methods", false, "list the methods")
	f.IntVar(&o.ply, "ply", -1, "judge the board after so many plies (default: the end)")
	f.IntVarP(&o.number, "game-number", "n", 1, "number of the record in the file, from 1")
	a.GameFlag(cmd, &o.spec, "go", "the board of a position text or of moves, as in go:9x9")
	f.StringVar(&o.rules, "rules", "", "count by these rules, as in chinese,komi=7.5,handicap=2 (default: those of the record)")
	f.StringVar(&o.why, "why", "", "tell why the string with a stone on this point is what it is, as in D4")
	f.BoolVar(&o.xLife, "x-life", false, "with --why: tell how many attacks may be left unanswered (X-life)")
	f.BoolVar(&o.steps, "steps", false, "tell all steps of the method")
	f.BoolVar(&o.endgame, "endgame", false, "list what is left to play")
	f.BoolVar(&o.influence, "influence", false, "show how strongly points lean to a side, from 99 for Black to -99 for White")
	f.IntVar(&o.nodes, "nodes", 0, "moves that a method which searches may try (0: as many as is usual)")
	f.BoolVar(&o.svg, "svg", false, "print only the board, as an SVG picture")
	f.BoolVar(&o.dark, "dark", false, "dark surroundings of the picture")
	f.StringVarP(&o.output, "output", "o", "", "write to a file")
	cli.Completes(cmd, "method", methodWords()...)
	cli.Completes(cmd, "rules", ruleSetWords()...)
	return cmd
}

func methodWords() (list []string) {
	for _, m := range judge.Methods() {
		list = append(list, m.Name+"\t"+m.Summary)
	}
	return list
}

func ruleSetWords() (list []string) {
	for _, s := range weiqi.RuleSets() {
		list = append(list, s.Name)
	}
	return list
}

func (o *judgeRun) listMethods() error {
	t := &cli.Table{Columns: []string{"method", "proves", "chances off by", "sure and wrong", "meaning"}}
	for _, m := range judge.Methods() {
		proves, off, wrong := "", "", ""
		if m.Proof {
			proves = "yes"
		}
		if w := m.Worth; w != nil {
			off, wrong = percent(w.Error), percent(w.Wrong)
		}
		t.Add(cli.Typed("method", shapeview.MethodOf(&m)), m.Name, proves, off, wrong, m.Summary)
	}
	return o.app.Print(t)
}

// judgedBoard is a judged board and where it comes from.
type judgedBoard struct {
	*score.Counted
	*judge.Report
	file   string // of a record
	number int    // there
	id     uint32 // in the library
	title  string
	last   *draw.Step

	wire  *view.Judgement
	xLife judge.XLife
}

// mostX is how many unanswered attacks are tried: each costs a search, and more than
// a few tell nothing new.
const mostX = 3

func (o *judgeRun) run(ctx context.Context, arg string, chosen bool) error {
	if err := o.check(); err != nil {
		return err
	}
	name := arg
	if at := strings.LastIndexByte(arg, '#'); at > 0 {
		n, err := strconv.Atoi(arg[at+1:])
		switch {
		case err != nil || n < 0:
			return cli.Usagef("%s: behind # stands the number of a ply", arg)
		case o.ply >= 0:
			return cli.Usagef("%s: --ply says it already", arg)
		}
		name, o.ply = arg[:at], n
	}
	if id, ok := cli.GameNumber(name); ok {
		p, err := o.app.StoredRecord(ctx, id)
		if err != nil {
			return err
		}
		v, err := o.recorded(p)
		if err != nil {
			return fmt.Errorf("game %d: %w", id, err)
		}
		v.id = id
		return o.one(v)
	}
	isFile, err := o.isFile(name)
	if err != nil {
		return err
	}
	switch {
	case isFile && chosen:
		p, err := o.app.FindRecord(ctx, &o.read, name, o.number)
		if err != nil {
			return err
		}
		v, err := o.recorded(p)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		return o.one(v)
	case isFile:
		return o.file(ctx, name)
	case o.ply >= 0:
		return cli.Usagef("%s: there is no such file; --ply and # are for records", name)
	}
	r, err := o.app.Game(o.spec)
	if err != nil {
		return err
	}
	if _, ok := r.(*weiqi.Rules); !ok {
		return cli.Usagef("--game %s: %v", o.spec, &score.NotGoError{Title: r.Info().Titles.En})
	}
	at, err := o.app.WrittenPosition(arg, o.spec)
	if err != nil {
		return err
	}
	pos := at.At.(*weiqi.Position) // of these rules
	v := &judgedBoard{title: at.Title, last: at.Last, Counted: &score.Counted{
		Position: pos, Ply: len(at.Moves), Last: true, Counts: score.Counting{Rules: pos.Rules()},
	}}
	if err := o.judge(v); err != nil {
		return err
	}
	return o.one(v)
}

// check refuses flags that make no sense.
func (o *judgeRun) check() error {
	var names []string
	for _, m := range judge.Methods() {
		names = append(names, m.Name)
	}
	switch {
	case o.number < 1:
		return cli.Usagef("--game-number %d: records are counted from 1", o.number)
	case o.ply < -1:
		return cli.Usagef("--ply %d: plies are counted from 0", o.ply)
	case o.nodes < 0:
		return cli.Usagef("--nodes %d: want how many moves may be tried", o.nodes)
	case o.xLife && o.why == "":
		return cli.Usagef("--x-life is about one string: name it by --why")
	case o.svg && (o.app.JSON || o.app.CSV):
		return cli.Usagef("--svg, --json and --csv exclude each other")
	case o.svg && (o.why != "" || o.steps || o.endgame):
		return cli.Usagef("--svg draws the board alone: ask for --why, --steps and --endgame without it")
	case (o.dark || o.output != "") && !o.svg:
		return cli.Usagef("--dark and --output are for pictures: add --svg")
	}
	o.Nodes, o.Trace = o.nodes, o.why != "" || o.steps
	if o.Method == "" {
		return nil
	}
	return cli.OneOf("method", o.Method, names...)
}

// isFile tells whether an argument means records rather than a position.
// Standard input is read to find out, and put back.
func (o *judgeRun) isFile(name string) (bool, error) {
	if name != "-" {
		_, err := os.Stat(name)
		return err == nil && name != "", nil
	}
	text, err := o.app.Text(name)
	if err != nil {
		return false, err
	}
	o.app.In = strings.NewReader(text)
	return strings.HasPrefix(strings.TrimLeft(text, "\ufeff \t\r\n"), "("), nil
}

// recorded judges a record.
func (o *judgeRun) recorded(p *record.Played) (*judgedBoard, error) {
	at, err := score.CountedAt(p, o.ply)
	if err != nil {
		return nil, err
	}
	v := &judgedBoard{Counted: at, file: p.Game.Place.File, number: p.Game.Place.Number, title: recordview.TitleOf(p.Game)}
	if at.Ply > 0 {
		if m := p.Steps[at.Ply-1].Move; m.To() != board.NoPoint {
			v.last = &draw.Step{From: board.NoPoint, To: m.To()}
		}
	}
	return v, o.judge(v)
}

// judge judges a position that was found, by the rules of --rules if they are
// given.
func (o *judgeRun) judge(v *judgedBoard) (err error) {
	if o.rules != "" {
		rules, err := v.Counts.Rules.Variant(o.rules)
		if err != nil {
			return cli.Usagef("%w", err)
		}
		if rules.Geometry().Size != v.Position.Rules().Geometry().Size {
			return cli.Usagef("--rules %s: the size of the board cannot be changed", o.rules)
		}
		v.Counts = score.Counting{Rules: rules.(*weiqi.Rules)}
		if v.Position, err = v.Counts.Stand(v.Position); err != nil {
			return err
		}
	}
	o.pool.Do(func(j *judge.Judge) {
		began := time.Now()
		if v.Report, err = j.Judge(v.Position, o.Options); err != nil {
			return
		}
		elapsed := view.Milliseconds(began)
		if err = v.stone(o.why, j.Board()); err != nil {
			return
		}
		if v.wire, err = shapeview.JudgementOf(v.Position, v.Report, j.Board(), &shapeview.Telling{Why: o.why, Trace: o.steps, Influence: o.influence}); err != nil {
			return
		}
		v.wire.Elapsed = elapsed
		if o.xLife {
			at, _ := v.Position.Rules().Geometry().Point(o.why)
			v.xLife, _ = j.XLife(v.Position, at, mostX, o.nodes)
		}
		if o.endgame {
			e := j.Endgame(v.Position, v.Report)
			v.wire.Endgame = shapeview.EndgameOf(&e, v.Position.Rules().Geometry(), j.Board())
		}
	})
	return err
}

// file judges all records of a file: one at length, several in a line each.
func (o *judgeRun) file(ctx context.Context, name string) error {
	var first *judgedBoard
	var wrong error
	var failed []string
	seen, judged, other := 0, 0, 0
	lines := &cli.Table{Columns: []string{"file", "game", "players", "plies", "strings", "dead", "unclear", "score", "record", "differs"}}
	err := o.app.EachRecord(ctx, &o.read, name, func(p *record.Played) error {
		seen++
		v, err := o.recorded(p)
		var usage cli.UsageError
		var notGo *score.NotGoError
		switch {
		case errors.As(err, &usage):
			return err
		case errors.As(err, &notGo):
			if other++; wrong == nil {
				wrong = err
			}
			return nil
		case err != nil:
			if wrong == nil {
				wrong = err
			}
			failed = append(failed, fmt.Sprintf("%s, game %d: %v", p.Game.Place.File, p.Game.Place.Number, err))
			return nil
		}
		switch {
		case judged == 0:
			first = v
			judged++
			return nil
		case o.svg || o.why != "" || o.steps || o.endgame || o.influence:
			return cli.Usagef("%s holds several games: choose one by --game-number", name)
		case first != nil:
			err = o.line(lines, first)
			first = nil
		}
		judged++
		return errors.Join(err, o.line(lines, v))
	})
	switch {
	case err != nil:
		return err
	case judged == 0:
		return fmt.Errorf("%s: %w", name, wrong)
	case seen == 1:
		return o.one(first)
	}
	for _, text := range failed {
		fmt.Fprintln(o.app.Err, text)
	}
	if other > 0 {
		fmt.Fprintf(o.app.Err, "%s of other games than Go left out\n", cli.Plural(other, "record"))
	}
	if first != nil { // of all records it is the only one of Go
		err = o.line(lines, first)
	}
	if err != nil || o.app.JSON || o.app.CSV {
		return err
	}
	return o.app.Print(lines)
}

// judgedRecord is one of several judged records as --json prints it.
type judgedRecord struct {
	File    string   `json:"file"`
	Number  int      `json:"number"`
	Title   string   `json:"title"`
	Ply     int      `json:"ply"`
	Method  string   `json:"method"`
	Strings int      `json:"strings"`
	Dead    int      `json:"dead"`
	Seki    int      `json:"seki"`
	Unclear int      `json:"unclear"`
	Score   string   `json:"score"`
	Result  string   `json:"result"`
	Differs *float64 `json:"differs,omitempty"`
}

// line prints one of several judged records; those of a table for people are
// gathered.
func (o *judgeRun) line(t *cli.Table, v *judgedBoard) error {
	j := judgedRecord{
		File: v.file, Number: v.number, Title: v.title, Ply: v.Ply, Method: v.Method, Strings: len(v.Strings),
		Score: v.Score.String(), Result: v.recordedResult(),
	}
	for _, s := range v.wire.Strings {
		switch s.Status {
		case "dead":
			j.Dead++
		case "seki":
			j.Seki++
		}
		if s.Unclear {
			j.Unclear++
		}
	}
	differs := ""
	if d, ok := v.difference(); ok {
		j.Differs = &d
		differs = strconv.FormatFloat(d, 'f', -1, 64)
	}
	cells := []string{
		j.File, fmt.Sprint(j.Number), cli.Printable(j.Title), fmt.Sprint(j.Ply), fmt.Sprint(j.Strings), fmt.Sprint(j.Dead), fmt.Sprint(j.Unclear), j.Score, j.Result, differs,
	}
	switch {
	case o.app.JSON:
		return o.app.PrintJSON(cli.Typed("judged", j))
	case o.app.CSV && len(t.Columns) > 0:
		if err := o.app.PrintRow(t.Columns...); err != nil {
			return err
		}
		t.Columns = nil
	}
	if o.app.CSV {
		return o.app.PrintRow(cells...)
	}
	t.Add(nil, cells...)
	return nil
}

// recordedResult is what the record says of the end, "" for other boards.
func (v *judgedBoard) recordedResult() string {
	if !v.Last || v.Result.Verdict == facts.Unknown {
		return ""
	}
	return v.Result.String()
}

// difference returns by how many points the score differs from the one that the
// record names; ok is false where it names none.
func (v *judgedBoard) difference() (points float64, ok bool) {
	if v.recordedResult() == "" || v.Result.Margin == 0 && v.Result.Verdict != facts.Drawn {
		return 0, false
	}
	lead := v.Result.Margin
	if v.Result.Verdict == facts.SecondWon {
		lead = -lead
	}
	points = float64(v.Score.Total[0]-v.Score.Total[1])/2 - lead
	return max(points, -points), true
}

// judgement is a judged board as --json prints it: what the server answers, and where
// the board comes from.
type judgement struct {
	File    string   `json:"file,omitempty"`
	Number  int      `json:"number,omitempty"`
	ID      uint32   `json:"id,omitempty"`
	Title   string   `json:"title"`
	Ply     int      `json:"ply"`
	Result  string   `json:"result"`
	Differs *float64 `json:"differs,omitempty"`
	XLife   *xLife   `json:"xLife,omitempty"` // of the string that --why names
	*view.Judgement
}

// xLife is how many attacks may be left unanswered.
type xLife struct {
	X             *int `json:"x,omitempty"` // not where there is no limit
	Unconditional bool `json:"unconditional"`
	Exact         bool `json:"exact"` // otherwise it is X or more
}

// one prints one judged board.
func (o *judgeRun) one(v *judgedBoard) error {
	switch {
	case o.svg:
		return o.app.Emit(draw.AppendSVG(nil, o.scene(v)), o.output)
	case o.app.JSON:
		j := judgement{File: v.file, Number: v.number, ID: v.id, Title: v.title, Ply: v.Ply, Result: v.recordedResult(), Judgement: v.wire}
		if d, ok := v.difference(); ok {
			j.Differs = &d
		}
		if o.xLife {
			j.XLife = &xLife{Unconditional: v.xLife.Unconditional, Exact: v.xLife.Known}
			if !v.xLife.Unconditional {
				j.XLife.X = &v.xLife.X
			}
		}
		return o.app.PrintJSON(cli.Typed("judgement", j))
	case o.app.CSV:
		return o.app.Print(o.groups(v))
	}
	return o.page(v)
}

// stone checks that a point which --why names has a stone.
func (v *judgedBoard) stone(name string, b *life.Board) error {
	if name == "" {
		return nil
	}
	g := v.Position.Rules().Geometry()
	p, ok := g.Point(name)
	switch {
	case !ok:
		return cli.Usagef("--why %s: the board has no such point; name one as in %s", name, g.Name(0))
	case v.At(b, p) == nil:
		return cli.Usagef("--why %s: nothing stands there; name a point with a stone", name)
	}
	return nil
}
