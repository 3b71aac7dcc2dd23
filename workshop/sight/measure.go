package sight

import (
	"context"
	"strconv"

	"github.com/spf13/cobra"

	"qipu/board"
	"qipu/cli"
	"qipu/engine/sight"
	"qipu/game/weiqi"
	"qipu/record"
	"qipu/workshop/learn"
)

// Measured is how well the net foretells the moves of games.
type Measured struct {
	Positions  int
	Top1, Top5 float64
	Bare1      float64 // the same where it is not told the last moves
	Bare5      float64
}

// Meter asks the net for the moves of games.
type Meter struct {
	Every int // of so many positions one is asked for

	eye   *sight.Eye
	count int // positions that went by
	asked int
	right [4]int
}

// NewMeter returns a meter for the net that comes with the program.
func NewMeter(every int) (*Meter, error) {
	eye, err := sight.New()
	return &Meter{Every: every, eye: eye}, err
}

// Result returns what was measured so far.
func (m *Meter) Result() Measured {
	share := func(n int) float64 { return float64(n) / max(1, float64(m.asked)) }
	return Measured{Positions: m.asked, Top1: share(m.right[0]), Top5: share(m.right[1]), Bare1: share(m.right[2]), Bare5: share(m.right[3])}
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
	for _, s := range p.Steps {
		to := s.Move.To()
		if s.Side == pos.Turn() && to != board.NoPoint && pos.Check(s.Move) == nil {
			if m.count++; m.count%m.Every == 0 {
				m.ask(pos, last, to)
			}
		}
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

// measuredJSON is what was measured, as --json prints it.
type measuredJSON struct {
	Type      string  `json:"type"` // "measured"
	Positions int     `json:"positions"`
	Top1      float64 `json:"top1"`
	Top5      float64 `json:"top5"`
	Bare1     float64 `json:"top1WithoutLastMoves"`
	Bare5     float64 `json:"top5WithoutLastMoves"`
}

func measureCommand(a *cli.App) *cobra.Command {
	var read cli.ReadFlags
	var all bool
	var every int
	cmd := &cobra.Command{
		Use:   "measure PATH...",
		Short: "Print how often the net foretells the moves of games",
		Long: `Print how often the move of a game on 19x19 is the one that the net thinks likeliest,
and among its first five; with and without the last moves being told. Only games that
training keeps out are measured (one of twenty), or with --all all of them.`,
		Example: `  qipu workshop sight measure games --all --every 5
  qipu workshop sight measure games --json`,
		Args: paths,
		RunE: func(cmd *cobra.Command, args []string) error {
			if every < 1 {
				return cli.Usagef("--every %d: want 1 or more", every)
			}
			return measure(cmd.Context(), a, &read, args, every, all)
		},
	}
	read.Register(cmd.Flags())
	cmd.Flags().BoolVar(&all, "all", false, "measure all games, not only those that training keeps out")
	cmd.Flags().IntVar(&every, "every", 20, "ask for one of so many moves")
	return cmd
}

func measure(ctx context.Context, a *cli.App, read *cli.ReadFlags, paths []string, every int, all bool) error {
	from, err := a.Options(read)
	if err != nil {
		return err
	}
	m, err := NewMeter(every)
	if err != nil {
		return err
	}
	from.Sink = cli.SinkFunc(func(p *record.Played) error {
		m.Add(p, all)
		return nil
	})
	if _, err := a.Ingest(ctx, from, paths); err != nil {
		return err
	}
	r := m.Result()
	share := func(x float64) string { return strconv.FormatFloat(100*x, 'f', 1, 64) + "%" }
	t := &cli.Table{Columns: []string{"positions", "top1", "top5", "top1 without last moves", "top5"}}
	t.Add(measuredJSON{"measured", r.Positions, r.Top1, r.Top5, r.Bare1, r.Bare5},
		strconv.Itoa(r.Positions), share(r.Top1), share(r.Top5), share(r.Bare1), share(r.Bare5))
	return a.Print(t)
}
