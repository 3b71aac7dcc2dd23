package tsumego_test

import (
	"bytes"
	"fmt"
	"path"
	"strings"
	"testing"
	"time"

	"qipu/board"
	"qipu/game"
	"qipu/game/weiqi"
	"qipu/game/weiqi/life/tsumego"
	"qipu/internal/testkit"
	"qipu/record"
	"qipu/record/sgf"
)

// stored is a problem of the collections that problems are taken from.
type stored struct {
	set, name string
	problem   tsumego.Problem
	answers   []board.Point
	empty     int // points of the zone
}

// collections reads the stored problems that are enclosed, every nth of them.
func collections(t *testing.T, nth int) (list []stored, all int) {
	add := func(set, name string, p *weiqi.Position, first game.Side, answers []board.Point) {
		all++
		q, err := tsumego.Find{}.In(p, first)
		if err == nil && all%nth == 0 {
			free := q.Zone
			stones := p.Planes().Occupied()
			free.AndNot(&stones)
			list = append(list, stored{set, name, q, answers, free.Count()})
		}
	}
	for name, data := range testkit.Files(t, "go-testsets/tsumego.tar.gz") {
		switch path.Ext(name) {
		case ".json":
			z, err := tsumego.ParseJSON(data)
			if err != nil {
				continue // whole-board positions of another size, and broken ones
			}
			add("modern", name, z.Position, z.First, z.Answers)
		case ".sgf":
			set := strings.TrimSuffix(path.Base(name), ".sgf")
			for g, err := range sgf.Format.Read(&record.Source{Name: name, Reader: bytes.NewReader(data)}) {
				if err != nil {
					t.Fatal(err)
				}
				p, err := record.At(record.Play(weiqi.Standard, g), 0)
				if err != nil {
					t.Fatal(err)
				}
				add(set, g.Tag("GN"), p.(*weiqi.Position), p.Turn(), nil)
			}
		}
	}
	return list, all
}

// tally is a line of the table.
type tally struct {
	solved, checked, right int
	outcomes               [tsumego.Dead + 1]int
	nodes, shared          int // of all, and of those that every setting solved
	elapsed                time.Duration
}

// The zones that the settings are compared on, and the budgets.
const (
	compared = 14 // empty points at the most
	wide     = 20
)

// TestTable solves the stored problems with all cut-offs: none may contradict
// another one, and at full size the tables of the document are made of it.
func TestTable(t *testing.T) {
	list, all := collections(t, testkit.Scale(60, 1))
	options := tsumego.Options{Nodes: testkit.Scale(1000, 20_000)}
	sets := []string{"modern", "gokyo-shumyo", "igo-hatsuyoron-odd"}
	lines := map[string]*[tsumego.CutAll + 1]tally{}
	count, common := map[string]int{}, map[string]int{}
	for _, set := range sets {
		lines[set] = &[tsumego.CutAll + 1]tally{}
	}
	var s tsumego.Solver
	for i := range list {
		z := &list[i]
		if testkit.Full() && z.empty > compared {
			continue
		}
		count[z.set]++
		known, nodes, everywhere := tsumego.Unknown, [tsumego.CutAll + 1]int{}, true
		for cut := tsumego.CutNone; cut <= tsumego.CutAll; cut++ {
			options.Cut = cut
			x, err := s.Solve(t.Context(), &z.problem, options)
			if err != nil {
				t.Fatalf("%s: %v", z.name, err)
			}
			line := &lines[z.set][cut]
			line.add(z, x)
			nodes[cut] = x.Nodes
			got := x.Outcome
			if got == tsumego.Seki {
				got = tsumego.Alive // whether there are two eyes may be left open
			}
			if got == tsumego.Unknown {
				everywhere = false
				continue
			}
			if known != tsumego.Unknown && known != got {
				t.Errorf("%s: %v with cut-offs %v, %v with others", z.name, got, cut, known)
			}
			known = got
		}
		if everywhere {
			common[z.set]++
			for cut := range nodes {
				lines[z.set][cut].shared += nodes[cut]
			}
		}
	}
	if !testkit.Full() {
		return
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%d problems, %d of them enclosed. First those with up to %d empty points in the zone, at most %d nodes a question. \"Nodes, solved by all\" are those for the problems that every setting solves; \"right\" is the first move against the printed solution.\n\n", all, len(list), compared, options.Nodes)
	b.WriteString("| set | cut-offs | problems | solved | alive / seki / ko / dead | right | nodes, solved by all | nodes | seconds |\n|---|---|---|---|---|---|---|---|---|\n")
	for _, set := range sets {
		if count[set] == 0 {
			continue
		}
		for cut := tsumego.CutNone; cut <= tsumego.CutAll; cut++ {
			l := &lines[set][cut]
			fmt.Fprintf(&b, "| %s | %v | %d | %d | %s | %s | %d (%d problems) | %d | %.1f |\n", set, cut, count[set], l.solved,
				l.kinds(), l.against(), l.shared, common[set], l.nodes, l.elapsed.Seconds())
		}
	}
	options = tsumego.Options{Nodes: 100_000}
	fmt.Fprintf(&b, "\nAll of them by the empty points of the zone, with the default cut-offs and at most %d nodes a question.\n\n", options.Nodes)
	b.WriteString("| set | empty points | problems | solved | alive / seki / ko / dead | right | nodes | seconds |\n|---|---|---|---|---|---|---|---|\n")
	for _, set := range sets {
		for _, span := range [][2]int{{0, 9}, {10, compared}, {compared + 1, wide - 1}, {wide, tsumego.MostEmpty}} {
			l, n := tally{}, 0
			for i := range list {
				if z := &list[i]; z.set == set && z.empty >= span[0] && z.empty <= span[1] {
					x, err := s.Solve(t.Context(), &z.problem, options)
					if err != nil {
						t.Fatalf("%s: %v", z.name, err)
					}
					n++
					l.add(z, x)
				}
			}
			fmt.Fprintf(&b, "| %s | %d to %d | %d | %d | %s | %s | %d | %.1f |\n", set, span[0], span[1], n, l.solved, l.kinds(), l.against(), l.nodes, l.elapsed.Seconds())
		}
	}
	testkit.Section(t, "../../../../docs/life.md", "tsumego", b.String())
}

// kinds tells how often which outcome was found.
func (l *tally) kinds() string {
	o := &l.outcomes
	return fmt.Sprintf("%d / %d / %d / %d", o[tsumego.Alive], o[tsumego.Seki], o[tsumego.Ko], o[tsumego.Dead])
}

// against tells how often the first move was the printed one.
func (l *tally) against() string {
	if l.checked == 0 {
		return "-"
	}
	return fmt.Sprintf("%d of %d", l.right, l.checked)
}

// add counts a solution.
func (l *tally) add(z *stored, x *tsumego.Solution) {
	l.nodes += x.Nodes
	l.elapsed += x.Elapsed
	l.outcomes[x.Outcome]++
	if x.Outcome == tsumego.Unknown {
		return
	}
	l.solved++
	if len(z.answers) == 0 {
		return
	}
	l.checked++
	for _, at := range z.answers {
		if len(x.Moves) > 0 && x.Moves[0] == game.Drop(at) {
			l.right++
			break
		}
	}
}
