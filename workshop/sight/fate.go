package sight

import (
	"context"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/spf13/cobra"

	"qipu/board"
	"qipu/cli"
	"qipu/engine/sight"
	"qipu/game/weiqi"
	"qipu/game/weiqi/judge"
	"qipu/game/weiqi/life"
	"qipu/record"
	"qipu/workshop/counted"
	"qipu/workshop/learn"
	bench "qipu/workshop/life"
)

// moments are the moves after which the fate of strings is asked for.
var moments = [...]int{50, 100, 150, 200}

// Fate is how well a method foretells what becomes of strings.
type Fate struct {
	Method  string
	Move    int // asked for after so many; 0 for all moments
	Strings int
	Right   int
	Sure    int // said with at least .99
	Wrong   int // of those

	bins [20]struct {
		n, stays int
		said     float64
	}
}

// Error is how far chances are from what comes true, in the mean over the strings.
func (f *Fate) Error() (sum float64) {
	for _, b := range f.bins {
		sum += math.Abs(b.said - float64(b.stays))
	}
	return sum / max(1, float64(f.Strings))
}

func (f *Fate) add(chance float64, stays bool) {
	f.Strings++
	if chance >= 0.5 == stays {
		f.Right++
	}
	if chance >= 0.99 || chance <= 0.01 {
		if f.Sure++; chance >= 0.5 != stays {
			f.Wrong++
		}
	}
	b := &f.bins[min(int(chance*float64(len(f.bins))), len(f.bins)-1)]
	b.n++
	b.said += chance
	if stays {
		b.stays++
	}
}

// Oracle asks methods for the fate of strings in games whose end is known.
type Oracle struct {
	Games int

	// Truth returns whose every point is at the end of a game, where that is known; at
	// first that is by the marks of the players or by our own judge, where the score
	// comes out as it was recorded.
	Truth func(p *record.Played) (*[board.MaxPoints]life.Owner, bool)

	judge   *judge.Judge
	methods []string
	fates   map[string]map[int]*Fate
}

// NewOracle returns an oracle for some methods of package judge.
func NewOracle(methods ...string) *Oracle {
	o := &Oracle{Truth: NewPacker(io.Discard).owners, judge: sight.Judge(), methods: methods, fates: map[string]map[int]*Fate{}}
	for _, m := range methods {
		o.fates[m] = map[int]*Fate{0: {Method: m}}
		for _, at := range moments {
			o.fates[m][at] = &Fate{Method: m, Move: at}
		}
	}
	return o
}

// Fates returns what was found, method by method, all moments first.
func (o *Oracle) Fates() (list []*Fate) {
	for _, m := range o.methods {
		for _, at := range append([]int{0}, moments[:]...) {
			list = append(list, o.fates[m][at])
		}
	}
	return list
}

// Add asks about a game whose end is known and which training keeps out, or with all
// any such game.
func (o *Oracle) Add(p *record.Played, all bool) error {
	g, ok := learn.GoGame(p)
	if !ok || !sight.Sees(g.Size()) || len(p.Steps) <= moments[0] || !all && !learn.GoHeld(g) {
		return nil
	}
	owners, ok := o.Truth(p)
	if !ok {
		return nil
	}
	at, err := p.Rules.Arrange(p.Start)
	if err != nil {
		return nil
	}
	o.Games++
	pos, next := at.(*weiqi.Position), 0
	for i, s := range p.Steps {
		if next < len(moments) && i == moments[next] {
			if err := o.ask(pos, owners[:], moments[next]); err != nil {
				return err
			}
			next++
		}
		if pos.Force(s.Side, s.Move) != nil {
			return nil
		}
	}
	return nil
}

// witness is another program that says which stones are dead at the end of games. It is
// believed where the score comes out as it was recorded then.
type witness struct {
	*bench.Rival
	name   string // of the program
	silent int    // boards that it gave no answer to
}

func (w *witness) owners(ctx context.Context, p *record.Played) (*[board.MaxPoints]life.Owner, bool) {
	c, err := counted.FromRecord(p)
	if err != nil || !c.Counted || w.Rival == nil {
		return nil, false
	}
	j, _, err := w.Judge(ctx, c)
	if err != nil { // it may hang: another one goes on
		w.silent++
		w.Close()
		w.Rival, _ = bench.GNUGo(ctx, w.name)
		return nil, false
	}
	return &j.Owner, c.JudgedLead(j) == c.Result
}

// ask compares what the methods say with whose the stones' points are in the end: a
// string stays where more of its points are its side's than are not.
func (o *Oracle) ask(pos *weiqi.Position, owners []life.Owner, move int) error {
	for _, m := range o.methods {
		r, err := o.judge.Judge(pos, judge.Options{Method: m})
		if err != nil {
			return err
		}
		for i := range r.Strings {
			v := &r.Strings[i]
			own, other := 0, 0
			for _, c := range o.judge.Board().Stones(i) {
				switch owners[c.Point()] {
				case life.Owner(1 + v.Side):
					own++
				case life.OwnedByBlack, life.OwnedByWhite:
					other++
				}
			}
			if own == other { // nobody's, as in a seki that was left
				continue
			}
			for _, f := range []*Fate{o.fates[m][0], o.fates[m][move]} {
				f.add(v.Chance, own > other)
			}
		}
	}
	return nil
}

// fateJSON is a row, as --json prints it.
type fateJSON struct {
	Type    string  `json:"type"` // "fate"
	Method  string  `json:"method"`
	Move    int     `json:"move,omitempty"`
	Games   int     `json:"games"`
	Strings int     `json:"strings"`
	Right   float64 `json:"right"`
	Sure    float64 `json:"sure"`
	Wrong   float64 `json:"wrongAmongSure"`
	Error   float64 `json:"calibrationError"`
}

func fateCommand(a *cli.App) *cobra.Command {
	var read cli.ReadFlags
	var all bool
	var most int
	var program string
	var methods []string
	cmd := &cobra.Command{
		Use:   "fate PATH...",
		Short: "Print how well the fate of strings is foretold in the middle of games",
		Long: `Print how often methods that judge life and death foretell after 50, 100, 150 and 200
moves what becomes of each string, in games whose end can be counted as it was recorded.
Only games that training keeps out are measured (one of twenty), or with --all all of
them. "error" is how far chances are from what comes true, "wrong" how many of those
that were said with 99 % and more were not.

With --gnugo the end is known where the score comes out as it was recorded with the
stones taken off that GNU Go calls dead, and nothing of ours has a say in it.`,
		Example: `  qipu workshop sight fate games --all
  qipu workshop sight fate games --gnugo auto --most 100
  qipu workshop sight fate games --methods sight --json`,
		Args: paths,
		RunE: func(cmd *cobra.Command, args []string) error {
			from, err := a.Options(&read)
			if err != nil {
				return err
			}
			if most < 0 {
				return cli.Usagef("--most %d: want a number of games, 0 for all", most)
			}
			o := NewOracle(methods...)
			w := &witness{name: program}
			if w.Rival, err = bench.GNUGo(cmd.Context(), program); err != nil {
				return err
			}
			if w.Rival != nil {
				defer func() { w.Close() }()
				o.Truth = func(p *record.Played) (*[board.MaxPoints]life.Owner, bool) { return w.owners(cmd.Context(), p) }
			}
			from.Sink = cli.SinkFunc(func(p *record.Played) error {
				if most > 0 && o.Games >= most {
					return nil
				}
				return o.Add(p, all)
			})
			if _, err := a.Ingest(cmd.Context(), from, args); err != nil {
				return err
			}
			if w.silent > 0 {
				fmt.Fprintf(a.Err, "%d boards were left out: the program gave no answer\n", w.silent)
			}
			return printFates(cmd.Context(), a, o)
		},
	}
	read.Register(cmd.Flags())
	cmd.Flags().BoolVar(&all, "all", false, "measure all games, not only those that training keeps out")
	cmd.Flags().IntVar(&most, "most", 0, "ask about so many games, the first ones (0: all)")
	cmd.Flags().StringVar(&program, "gnugo", "off", "have GNU Go say what is dead at the end: auto, off, or the path of the program")
	cmd.Flags().StringSliceVar(&methods, "methods", []string{judge.Default, judge.Sight}, "methods of qipu judge")
	return cmd
}

func printFates(_ context.Context, a *cli.App, o *Oracle) error {
	share := func(n, of int) string { return fmt.Sprintf("%.2f%%", 100*float64(n)/max(1, float64(of))) }
	t := &cli.Table{Columns: []string{"method", "after", "strings", "right", "error", "sure", "wrong"}}
	for _, f := range o.Fates() {
		after := "all"
		if f.Move > 0 {
			after = strconv.Itoa(f.Move)
		}
		part := func(n, of int) float64 { return float64(n) / max(1, float64(of)) }
		t.Add(fateJSON{"fate", f.Method, f.Move, o.Games, f.Strings, part(f.Right, f.Strings), part(f.Sure, f.Strings), part(f.Wrong, f.Sure), f.Error()},
			f.Method, after, strconv.Itoa(f.Strings), share(f.Right, f.Strings), fmt.Sprintf("%.2f%%", 100*f.Error()), share(f.Sure, f.Strings), share(f.Wrong, f.Sure))
	}
	return a.Print(t)
}
