package counted

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"qipu/engine/sight"
	"qipu/game/weiqi"
	"qipu/game/weiqi/judge"
	"qipu/game/weiqi/life"
)

// Method is a way to judge boards that is measured.
type Method struct {
	Name  string
	Proof bool // what it says is never wrong, and of the rest it says nothing

	// Judge judges a board, the i-th of those that are measured: who trains on
	// parts of them finds by it what belongs to the board. The judgement is good
	// until the next call. A method that knows better than the clock how long it
	// took, since another program did the work, returns that, others 0.
	Judge func(ctx context.Context, i int, b *Board) (*life.Judgement, time.Duration, error)

	// Most is how many boards it is measured on, spread over all; 0 for all.
	Most int
}

// Judges returns the methods of package judge by name, all of them for no names.
func Judges(names ...string) (list []Method, err error) {
	all := judge.Methods()
	if len(names) == 0 {
		for _, m := range all {
			names = append(names, m.Name)
		}
	}
	for _, name := range names {
		at := slices.IndexFunc(all, func(m judge.Method) bool { return m.Name == name })
		if at < 0 {
			var known []string
			for _, m := range all {
				known = append(known, m.Name)
			}
			return nil, fmt.Errorf("counted: no method %q: there are %s", name, strings.Join(known, ", "))
		}
		j := sight.Judge()
		list = append(list, Method{Name: name, Proof: all[at].Proof, Judge: func(_ context.Context, _ int, b *Board) (*life.Judgement, time.Duration, error) {
			p := b.Position()
			began := time.Now()
			r, err := j.Judge(p, judge.Options{Method: name})
			if err != nil {
				return nil, 0, err
			}
			return &r.Judgement, time.Since(began), nil
		}})
	}
	return list, nil
}

// Spread takes n of a list, evenly; all for 0.
func Spread[T any](list []T, n int) []T {
	if n == 0 || n >= len(list) {
		return list
	}
	kept := make([]T, n)
	for i := range kept {
		kept[i] = list[i*len(list)/n]
	}
	return kept
}

// Options say what is measured.
type Options struct {
	Methods  []Method
	Mistakes bool // list the strings that are wrong

	// Expected has scores be those that a judge with an eye expects, and not the count of
	// the board as it is: for boards on which the game was not played to its end.
	Expected bool

	// Progress, where it is given, is told how many judgements of how many are made.
	Progress func(done, total int)
}

// Row is what a method makes of a set of boards, or of one board.
type Row struct {
	Set    string `json:"set"`   // the folder that the boards are from; "" for all
	Board  string `json:"board"` // its name; "" for a whole set
	Method string `json:"method"`
	Proof  bool   `json:"proof"`
	Tally
	Time Time `json:"time"`
}

// Time is how long judgements took, in microseconds.
type Time struct {
	Median float64 `json:"median"`
	Mean   float64 `json:"mean"`
	Worst  float64 `json:"worst"`
}

// Wrong is a mistake with where it was made.
type Wrong struct {
	Set, Board, Method string
	Rules              *weiqi.Rules // of the board
	Mistake
}

// Report is what Bench measures.
type Report struct {
	Sets     []Row // by set and method, and then by method over all if there are several sets
	Boards   []Row // by board and method
	Mistakes []Wrong
}

// Bench judges boards by methods, one after the other on one goroutine, and
// compares. A judgement that takes less than quick is made again, up to best
// times, and the shortest counts: what else the machine does is no matter of the
// method. The boards are measured in the order given; the rows of a set follow the
// first of its boards. An error of a method ends it.
func Bench(ctx context.Context, boards []*Board, o Options) (*Report, error) {
	r := new(Report)
	times := map[[2]string][]time.Duration{}
	sets := map[[2]string]*Row{}
	var names []string
	total, done := 0, 0
	for i := range o.Methods {
		total += o.Methods[i].boards(len(boards))
	}
	var picture life.Board
	for i, b := range boards {
		if !slices.Contains(names, b.Set) {
			names = append(names, b.Set)
		}
		picture.Reset(b.Setup.Board)
		for k := range o.Methods {
			m := &o.Methods[k]
			if !m.takes(i, len(boards)) {
				continue
			}
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			j, took, err := m.measure(ctx, i, b)
			if err != nil {
				return nil, fmt.Errorf("counted: %s on %s: %w", m.Name, b.Name, err)
			}
			row := Row{Set: b.Set, Board: b.Name, Method: m.Name, Proof: m.Proof, Tally: b.Compare(&picture, j), Time: timeOf([]time.Duration{took})}
			if o.Expected && j.Guess != nil && row.Scores.Games > 0 {
				row.Scores = Scores{}
				row.Scores.add(j.Guess.Count, b.Result)
			}
			r.Boards = append(r.Boards, row)
			for _, key := range [][2]string{{"s" + b.Set, m.Name}, {"", m.Name}} {
				if sets[key] == nil {
					sets[key] = &Row{Method: m.Name, Proof: m.Proof}
				}
				sets[key].Tally.Add(&row.Tally)
				times[key] = append(times[key], took)
			}
			if o.Mistakes {
				for _, x := range b.Mistakes(nil, &picture, j) {
					r.Mistakes = append(r.Mistakes, Wrong{b.Set, b.Name, m.Name, b.Rules, x})
				}
			}
			if done++; o.Progress != nil {
				o.Progress(done, total)
			}
		}
	}
	add := func(key, set string) {
		for k := range o.Methods {
			id := [2]string{key, o.Methods[k].Name}
			if row := sets[id]; row != nil {
				row.Set, row.Time = set, timeOf(times[id])
				r.Sets = append(r.Sets, *row)
			}
		}
	}
	for _, name := range names {
		add("s"+name, name)
	}
	if len(names) > 1 {
		add("", "")
	}
	return r, nil
}

// quick and best bound how often a judgement is made again for its time.
const (
	quick = 200 * time.Millisecond
	best  = 3
)

func (m *Method) measure(ctx context.Context, i int, b *Board) (j *life.Judgement, least time.Duration, err error) {
	for range best {
		began := time.Now()
		var took time.Duration
		if j, took, err = m.Judge(ctx, i, b); err != nil {
			return nil, 0, err
		}
		if took == 0 {
			took = time.Since(began)
		}
		if least == 0 || took < least {
			least = took
		}
		if took > quick {
			break
		}
	}
	return j, least, nil
}

// boards returns on how many of n boards the method is measured.
func (m *Method) boards(n int) int {
	if m.Most <= 0 || m.Most >= n {
		return n
	}
	return m.Most
}

// takes reports whether the method is measured on the i-th of n boards.
func (m *Method) takes(i, n int) bool {
	most := m.boards(n)
	return (i+1)*most/n > i*most/n
}

func timeOf(list []time.Duration) (t Time) {
	list = slices.Clone(list)
	slices.SortFunc(list, func(a, b time.Duration) int { return cmp.Compare(a, b) })
	sum := time.Duration(0)
	for _, d := range list {
		sum += d
	}
	micro := func(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1000 }
	n := len(list)
	return Time{Median: micro(list[n/2]), Mean: micro(sum) / float64(n), Worst: micro(list[n-1])}
}
