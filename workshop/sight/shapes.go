package sight

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"qipu/board"
	"qipu/cli"
	"qipu/engine/shaped"
	"qipu/engine/sight"
	"qipu/game/weiqi"
	"qipu/pattern/kb/shipped"
	"qipu/record"
	"qipu/workshop/learn"
)

type shapesOptions struct {
	every  int
	rounds int
	ridge  float64
	seed   uint64
	all    bool
	out    string
}

func shapesCommand(a *cli.App) *cobra.Command {
	var read cli.ReadFlags
	var o shapesOptions
	cmd := &cobra.Command{
		Use:   "shapes PATH...",
		Short: "Fit what shapes add to where the net expects moves",
		Long: `Fit weights of the shapes of the knowledge base to moves of games on 19x19: the chance of
a move is what the net says, times e to the sum of the weights of the shapes that speak
of the point. Half of the games are fitted, with a ridge; what it gains is told of the
other half. Only games that training kept out are read (one of
twenty), or with --all all of them. --out writes the weights as the program carries them.`,
		Example: `  qipu workshop sight shapes games --all --every 5
  qipu workshop sight shapes games --out weights.txt`,
		Args: paths,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case o.every < 1:
				return cli.Usagef("--every %d: want 1 or more", o.every)
			case o.rounds < 1:
				return cli.Usagef("--rounds %d: want 1 or more", o.rounds)
			case o.ridge < 0 || math.IsNaN(o.ridge):
				return cli.Usagef("--ridge %g: want 0 or more", o.ridge)
			}
			return fitShapes(cmd.Context(), a, &read, args, &o)
		},
	}
	read.Register(cmd.Flags())
	f := cmd.Flags()
	f.BoolVar(&o.all, "all", false, "read all games, not only those that training keeps out")
	f.IntVar(&o.every, "every", 8, "take one of so many moves")
	f.IntVar(&o.rounds, "rounds", 150, "steps of the fit")
	f.Float64Var(&o.ridge, "ridge", 0, "how strongly weights of single shapes are held to nothing, in positions (default: what part of the games foretells of the others)")
	f.Uint64Var(&o.seed, "seed", 1, "of what is done by chance")
	f.StringVarP(&o.out, "out", "o", "", "file for the weights")
	return cmd
}

// choice is a position of a game: the points that the net may be wrong about, with what it
// says of each and what shapes say there, and the one that was played.
type choice struct {
	chance []float32
	words  []int32 // of the same points, one after the other
	ends   []int32 // where those of each end
	played int32
}

// spoken makes a choice of a position; it is false where no point has a chance.
func spoken(s *sight.Sight, words []shaped.Word, to board.Point) (c choice, ok bool) {
	at := make(map[int]int, len(s.Moves))
	played := to.Y()*s.Size.W + to.X()
	for i, x := range s.Moves {
		if x > 0 {
			at[i] = len(c.chance)
			c.chance = append(c.chance, float32(x))
		}
	}
	k, ok := at[played]
	c.played = int32(k)
	said := make([][]int32, len(c.chance))
	for _, w := range words {
		if k, here := at[w.Point.Y()*s.Size.W+w.Point.X()]; here {
			said[k] = append(said[k], w.What)
		}
	}
	for _, list := range said {
		c.words = append(c.words, list...)
		c.ends = append(c.ends, int32(len(c.words)))
	}
	return c, ok
}

// of returns what is said of a point.
func (c *choice) of(k int) []int32 {
	from := int32(0)
	if k > 0 {
		from = c.ends[k-1]
	}
	return c.words[from:c.ends[k]]
}

// told is what a fit comes to on some positions.
type told struct {
	Positions  int
	Loss       float64 // mean, nats
	Top1, Top5 float64
}

// tell measures chances of what was played, sharpened by a power and corrected by weights.
func tell(list []choice, weights []float64, power float64) (t told) {
	var chances []float64
	for i := range list {
		c := &list[i]
		chances = c.corrected(chances, weights, power)
		mine, better := chances[c.played], 0
		for _, x := range chances {
			if x > mine {
				better++
			}
		}
		t.Loss -= math.Log(mine)
		if better < 1 {
			t.Top1++
		}
		if better < 5 {
			t.Top5++
		}
	}
	n := float64(max(len(list), 1))
	return told{len(list), t.Loss / n, t.Top1 / n, t.Top5 / n}
}

// corrected returns the chances of the points of a choice, of sum one.
func (c *choice) corrected(dst, weights []float64, power float64) []float64 {
	dst = dst[:0]
	sum := 0.0
	for k, x := range c.chance {
		u := power * math.Log(float64(x))
		for _, w := range c.of(k) {
			u += weights[w]
		}
		dst = append(dst, math.Exp(u))
		sum += dst[k]
	}
	for k := range dst {
		dst[k] /= sum
	}
	return dst
}

// fitWeights climbs the likelihood of what was played less the ridges, by steps that are
// smaller where a weight has moved a lot. A weight is what all shapes of a term say, and what
// one says beside that, which is held to nothing the more.
func fitWeights(ctx context.Context, list []choice, groups []int, ridge float64, o *shapesOptions) ([]float64, error) {
	n := len(groups)
	first := slices.Max(groups) + 1
	own, slope, moved := make([]float64, n+first), make([]float64, n+first), make([]float64, n+first)
	weights := make([]float64, n)
	var chances []float64
	order := rand.New(rand.NewPCG(o.seed, 0)).Perm(len(list))
	batch := min(4096, len(list))
	share := float64(batch) / float64(len(list))
	for round := range o.rounds {
		if ctx.Err() != nil {
			return nil, cli.ErrInterrupted
		}
		clear(slope)
		for j := range batch {
			c := &list[order[(round*batch+j)%len(list)]]
			chances = c.corrected(chances, weights, 1)
			for k := range chances {
				by := -chances[k]
				if int32(k) == c.played {
					by++
				}
				for _, w := range c.of(k) {
					slope[w] += by
				}
			}
		}
		for i, g := range groups {
			slope[n+g] += slope[i]
		}
		for i := range own {
			held := ridge
			if i >= n {
				held = termRidge
			}
			s := slope[i] - held*share*own[i]
			moved[i] += s * s
			if moved[i] > 0 {
				own[i] += 0.05 * s / math.Sqrt(moved[i])
			}
		}
		for i, g := range groups {
			weights[i] = own[i] + own[n+g]
		}
	}
	return weights, nil
}

// termRidge holds what all shapes of a term say.
const termRidge = 10

// ridges are tried, in positions.
var ridges = []float64{30, 100, 300, 1000, 10000}

// chooseRidge returns the ridge with which three quarters of the positions foretell the last
// one best, which is of other games, but for one.
func chooseRidge(ctx context.Context, list []choice, groups []int, o *shapesOptions) (best float64, err error) {
	cut := 3 * len(list) / 4
	least := math.Inf(1)
	for _, r := range ridges {
		w, err := fitWeights(ctx, list[:cut], groups, r, o)
		if err != nil {
			return 0, err
		}
		if x := tell(list[cut:], w, 1).Loss; x < least {
			best, least = r, x
		}
	}
	return best, nil
}

func fitShapes(ctx context.Context, a *cli.App, read *cli.ReadFlags, paths []string, o *shapesOptions) error {
	from, err := a.Options(read)
	if err != nil {
		return err
	}
	eye, err := sight.New()
	if err != nil {
		return err
	}
	finder, err := shaped.NewFinder()
	if err != nil {
		return err
	}
	names, err := shaped.Names()
	if err != nil {
		return err
	}
	var halves [2][]choice
	count, games := 0, 0
	seen := map[uint64]bool{}
	add := func(p *record.Played) error {
		g, ok := learn.GoGame(p)
		if !ok || g.Size() != (board.Size{W: 19, H: 19}) || !o.all && !learn.GoHeld(g) || seen[g.Hash(g.Len())] {
			return nil
		}
		seen[g.Hash(g.Len())] = true
		half := games % 2
		games++
		at, err := p.Rules.Arrange(p.Start)
		if err != nil {
			return nil
		}
		pos := at.(*weiqi.Position)
		var last []board.Point
		for _, s := range p.Steps {
			to := s.Move.To()
			if s.Side == pos.Turn() && to != board.NoPoint && pos.Check(s.Move) == nil {
				if count++; count%o.every == 0 {
					said, err := eye.See(pos, last)
					if err != nil {
						return err
					}
					if c, ok := spoken(said, finder.Words(pos.Planes(), pos.Turn()), to); ok {
						halves[half] = append(halves[half], c)
					}
				}
			}
			if pos.Force(s.Side, s.Move) != nil {
				return nil
			}
			last = append([]board.Point{to}, last[:min(len(last), sight.Recent-1)]...)
		}
		return ctx.Err()
	}
	from.Sink = cli.SinkFunc(add)
	if _, err := a.Ingest(ctx, from, paths); err != nil {
		return err
	}
	if len(halves[0]) == 0 || len(halves[1]) == 0 {
		return errors.New("there are too few games on 19x19 that training kept out: give more, or --all")
	}
	groups := groupsOf(names)
	ridge := o.ridge
	if ridge == 0 {
		if ridge, err = chooseRidge(ctx, halves[0], groups, o); err != nil {
			return err
		}
	}
	weights, err := fitWeights(ctx, halves[0], groups, ridge, o)
	if err != nil {
		return err
	}
	for i := range weights {
		weights[i] = math.Round(1000*weights[i]) / 1000
	}
	if o.out != "" {
		var text strings.Builder
		fmt.Fprintf(&text, "# What shapes add to where the net expects moves, in thousandths of a nat: fitted on %d positions\n# of games that the net was not trained on (ridge %g, %d rounds, seed %d).\n", len(halves[0]), ridge, o.rounds, o.seed)
		for i, w := range weights {
			if w != 0 {
				fmt.Fprintf(&text, "%s %d\n", names[i], int(math.Round(1000*w)))
			}
		}
		if err := a.Emit([]byte(text.String()), o.out); err != nil {
			return err
		}
	}
	return printShapes(a, halves, weights, ridge)
}

// groupsOf numbers what is said by the main term of the shape and whose point it is.
func groupsOf(names []string) []int {
	base := shipped.Base()
	at := map[string]int{}
	list := make([]int, len(names))
	for i, name := range names {
		id, whose, _ := strings.Cut(name, " ")
		term := ""
		if e := base.Entry(id); e != nil && len(e.Terms) > 0 {
			term = e.Terms[0]
		}
		n, ok := at[term+" "+whose]
		if !ok {
			n = len(at)
			at[term+" "+whose] = n
		}
		list[i] = n
	}
	return list
}

// shapesJSON is a row of what was fitted, as --json prints it.
type shapesJSON struct {
	Type      string  `json:"type"` // "shapes"
	Games     string  `json:"games"`
	By        string  `json:"by"`
	Positions int     `json:"positions"`
	Loss      float64 `json:"loss"`
	Top1      float64 `json:"top1"`
	Top5      float64 `json:"top5"`
}

func printShapes(a *cli.App, halves [2][]choice, weights []float64, ridge float64) error {
	none := make([]float64, len(weights))
	power, least := 1.0, math.Inf(1)
	for p := 0.8; p < 1.3; p += 0.02 { // how sharp the net should be, without any shape
		if t := tell(halves[0], none, p); t.Loss < least {
			power, least = p, t.Loss
		}
	}
	t := &cli.Table{Columns: []string{"games", "by", "positions", "loss", "top1", "top5"}}
	for i, games := range []string{"fitted", "unseen"} {
		for _, row := range []struct {
			by      string
			weights []float64
			power   float64
		}{{"net", none, 1}, {fmt.Sprintf("net to the power of %.2f", power), none, power}, {fmt.Sprintf("net and shapes, ridge %g", ridge), weights, 1}} {
			x := tell(halves[i], row.weights, row.power)
			t.Add(shapesJSON{"shapes", games, row.by, x.Positions, x.Loss, x.Top1, x.Top5},
				games, row.by, fmt.Sprint(x.Positions), fmt.Sprintf("%.4f", x.Loss), fmt.Sprintf("%.2f%%", 100*x.Top1), fmt.Sprintf("%.2f%%", 100*x.Top5))
		}
	}
	return a.Print(t)
}
