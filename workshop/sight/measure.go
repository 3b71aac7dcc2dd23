package sight

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"qipu/board"
	"qipu/cli"
	"qipu/engine"
	"qipu/engine/puct"
	"qipu/engine/sight"
	"qipu/game/weiqi"
	"qipu/record"
	"qipu/view/shapeview"
	"qipu/workshop/learn"
)

// Measured is how well the net foretells the moves of games.
type Measured struct {
	Positions  int
	Top1, Top5 float64
	Bare1      float64 // the same where it is not told the last moves
	Bare5      float64

	Hinted         int // lists of hints
	Hint1, Hint5   float64
	Listed, Struck float64 // moves of a list, in the mean, and those that reading refutes
	Wronged        int     // moves of the games that a list calls refuted
}

// Meter asks the net for the moves of games.
type Meter struct {
	Every int // of so many positions one is asked for

	eye   *sight.Eye
	count int // positions that went by
	asked int
	right [4]int

	// Hinter, where it is there, makes the list of hints of every Hints-th position.
	Hinter engine.Engine
	Hints  int
	lists  [6]int // made, first, among all; moves, refuted, and the game's among these
	err    error
}

// NewMeter returns a meter for the net that comes with the program.
func NewMeter(every int) (*Meter, error) {
	eye, err := sight.New()
	return &Meter{Every: every, eye: eye}, err
}

// Result returns what was measured so far.
func (m *Meter) Result() Measured {
	share := func(n int) float64 { return float64(n) / max(1, float64(m.asked)) }
	each := func(n int) float64 { return float64(n) / max(1, float64(m.lists[0])) }
	return Measured{Hinted: m.lists[0], Hint1: each(m.lists[1]), Hint5: each(m.lists[2]), Listed: each(m.lists[3]), Struck: each(m.lists[4]), Wronged: m.lists[5], Positions: m.asked, Top1: share(m.right[0]), Top5: share(m.right[1]), Bare1: share(m.right[2]), Bare5: share(m.right[3])}
}

// Add measures a game on 19x19 that training keeps out, or with all any such game.
func (m *Meter) Add(p *record.Played, all bool) {
	g, ok := learn.GoGame(p)
	if !ok || g.Size() != (board.Size{W: 19, H: 19}) || !all && !learn.GoHeld(g) {
		return
	}
	at, err := p.Rules.Arrange(p.Start)
	if err != nil {
		return
	}
	pos := at.(*weiqi.Position)
	var last []board.Point
	start := p.Start
	task := &engine.Task{Rules: p.Rules, Start: &start}
	whole := true // all moves so far were of the side to move, and legal
	for _, s := range p.Steps {
		to := s.Move.To()
		legal := s.Side == pos.Turn() && pos.Check(s.Move) == nil
		if legal && to != board.NoPoint {
			if m.count++; m.count%m.Every == 0 {
				m.ask(pos, last, to)
				if m.Hinter != nil && whole && m.asked%max(1, m.Hints) == 0 {
					m.hint(task, pos, to)
				}
			}
		}
		whole = whole && legal
		task.Moves = append(task.Moves, s.Move)
		if pos.Force(s.Side, s.Move) != nil {
			return
		}
		last = append([]board.Point{to}, last[:min(len(last), sight.Recent-1)]...)
	}
}

func (m *Meter) ask(pos *weiqi.Position, last []board.Point, to board.Point) {
	m.asked++
	for i, recent := range [][]board.Point{last, nil} {
		s, err := m.eye.See(pos, recent)
		if err != nil {
			continue
		}
		mine := s.Moves[to.Y()*s.Size.W+to.X()]
		better := 0
		for _, v := range s.Moves {
			if v > mine {
				better++
			}
		}
		if better < 1 {
			m.right[2*i]++
		}
		if better < 5 {
			m.right[2*i+1]++
		}
	}
}

// hint makes the list of hints that pages show, and looks for the move in it.
func (m *Meter) hint(task *engine.Task, pos *weiqi.Position, to board.Point) {
	hints, _, err := shapeview.HintsOf(context.Background(), m.Hinter, task, pos, nil, nil)
	if err != nil {
		m.err = errors.Join(m.err, err)
		return
	}
	m.lists[0]++
	m.lists[3] += len(hints)
	for i, h := range hints {
		if h.Refuted {
			m.lists[4]++
		}
		if h.Point != pos.Planes().Size.Index(to) {
			continue
		}
		m.lists[2]++
		if i == 0 {
			m.lists[1]++
		}
		if h.Refuted {
			m.lists[5]++
		}
	}
}

// measuredJSON is what was measured, as --json prints it.
type measuredJSON struct {
	Type      string  `json:"type"` // "measured"
	Positions int     `json:"positions"`
	Top1      float64 `json:"top1"`
	Top5      float64 `json:"top5"`
	Bare1     float64 `json:"top1WithoutLastMoves"`
	Bare5     float64 `json:"top5WithoutLastMoves"`
	Hinted    int     `json:"hintLists"`
	Hint1     float64 `json:"hintFirst"`
	Hint5     float64 `json:"hintAmong"`
	Listed    float64 `json:"hintsListed"`
	Struck    float64 `json:"hintsRefuted"`
	Wronged   int     `json:"movesRefuted"`
}

func measureCommand(a *cli.App) *cobra.Command {
	var read cli.ReadFlags
	var all bool
	var every, hints int
	cmd := &cobra.Command{
		Use:   "measure PATH...",
		Short: "Print how often the net foretells the moves of games",
		Long: `Print how often the move of a game on 19x19 is the one that the net thinks likeliest,
and among its first five; with and without the last moves being told. Only games that
training keeps out are measured (one of twenty), or with --all all of them. With --hints N
the list of hints that pages show is made for one of N of these positions, too: whether
the move is first in it, and in it at all.`,
		Example: `  qipu workshop sight measure games --all --every 5
  qipu workshop sight measure games --json`,
		Args: paths,
		RunE: func(cmd *cobra.Command, args []string) error {
			if every < 1 {
				return cli.Usagef("--every %d: want 1 or more", every)
			}
			if hints < 0 {
				return cli.Usagef("--hints %d: want 0 or more", hints)
			}
			return measure(cmd.Context(), a, &read, args, every, hints, all)
		},
	}
	read.Register(cmd.Flags())
	cmd.Flags().BoolVar(&all, "all", false, "measure all games, not only those that training keeps out")
	cmd.Flags().IntVar(&hints, "hints", 0, "make the list of hints for one of so many positions")
	cmd.Flags().IntVar(&every, "every", 20, "ask for one of so many moves")
	return cmd
}

func measure(ctx context.Context, a *cli.App, read *cli.ReadFlags, paths []string, every, hints int, all bool) error {
	from, err := a.Options(read)
	if err != nil {
		return err
	}
	m, err := NewMeter(every)
	if err != nil {
		return err
	}
	if m.Hints = hints; hints > 0 {
		hinter, err := puct.New(puct.Options{})
		if err != nil {
			return err
		}
		defer hinter.Close()
		m.Hinter = hinter
	}
	from.Sink = cli.SinkFunc(func(p *record.Played) error {
		m.Add(p, all)
		return nil
	})
	if _, err := a.Ingest(ctx, from, paths); err != nil {
		return err
	}
	if m.err != nil {
		return m.err
	}
	r := m.Result()
	share := func(x float64) string { return strconv.FormatFloat(100*x, 'f', 1, 64) + "%" }
	t := &cli.Table{Columns: []string{"positions", "top1", "top5", "top1 without last moves", "top5"}}
	t.Add(measuredJSON{"measured", r.Positions, r.Top1, r.Top5, r.Bare1, r.Bare5, r.Hinted, r.Hint1, r.Hint5, r.Listed, r.Struck, r.Wronged},
		strconv.Itoa(r.Positions), share(r.Top1), share(r.Top5), share(r.Bare1), share(r.Bare5))
	if err := a.Print(t); err != nil || hints == 0 || a.JSON || a.CSV {
		return err
	}
	fmt.Fprintf(a.Out, "%d lists of hints: the move is first in %s, among %.1f in %s; %.2f moves of a list are refuted, %d of the games' own\n",
		r.Hinted, share(r.Hint1), r.Listed, share(r.Hint5), r.Struck, r.Wronged)
	return nil
}
