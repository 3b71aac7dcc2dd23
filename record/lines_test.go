package record_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"qipu/board"
	"qipu/game"
	"qipu/game/othello"
	"qipu/game/renju"
	"qipu/game/weiqi"
	"qipu/game/xiangqi"
	"qipu/internal/testkit"
	"qipu/record"
)

// showLines writes lines as "from: moves | own moves".
func showLines(r game.Rules, g *record.Game) string {
	var b strings.Builder
	for l := range record.Lines(r, g) {
		fmt.Fprintf(&b, "%d:", l.From)
		for i, s := range l.Steps {
			if i == l.From {
				b.WriteString(" |")
			}
			switch s.Move {
			case game.NoMove:
				b.WriteString(" set-up")
			case game.Pass:
				b.WriteString(" pass")
			default:
				b.WriteString(" " + g.Nodes[s.Node].Move)
			}
		}
		fmt.Fprintf(&b, " %d\n", l.Turn+1)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func TestLines(t *testing.T) {
	for _, c := range []struct {
		name               string
		rules              game.Rules
		start, moves, want string
		later              string // set-up of node 3
	}{
		{name: "one line", rules: weiqi.Standard, moves: "1:aa 2:bb"},
		{name: "tree", rules: weiqi.Standard, moves: "1:aa 2:bb (2:cc 1:dd (1:ee 2:ff)) (2:gg)",
			want: "1: aa | cc dd 2\n2: aa cc | ee ff 1\n1: aa | gg 1"},
		{name: "at the root", rules: weiqi.Standard, moves: "1:aa (1:bb) (1:cc 2:dd)",
			want: "0: | bb 2\n0: | cc dd 1"},
		{name: "the board cannot take it", rules: weiqi.Standard, moves: "1:aa 2:bb (2:aa 1:cc) (2:dd 1:dd 2:ee) (2:zz)",
			want: "1: aa | dd 1"},
		{name: "the main line breaks off", rules: weiqi.Standard, moves: "1:aa 2:aa (2:cc) 1:dd (1:ee)",
			want: "1: aa | cc 1"},
		{name: "against the rules", rules: weiqi.Standard, moves: "1:aa 2:bb (1:cc 1:dd)",
			want: "1: aa | cc dd 2"},
		{name: "forced pass once", rules: othello.Standard, start: "XO6/8/8/8/8/8/8/XO5O O", moves: "1:c1 (1:c8) (1:c8 1:c1)",
			want: "1: pass | c8 2\n1: pass | c8 pass c1 2"},
		{name: "set-up", rules: weiqi.Standard, moves: "1:aa 2:bb (2:cc 1:dd (1:ee)) (2:ff)", later: "1pp,0aa/1",
			want: "1: aa | set-up cc dd 2\n3: aa set-up cc | ee 2\n1: aa | ff 1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := &record.Game{Kind: c.rules.Info().Name, Start: c.start}
			parseTree(g, c.moves)
			addSetup(g, c.later, 3)
			if got := showLines(c.rules, g); got != c.want {
				t.Errorf("lines\n%s\nwant\n%s", got, c.want)
			}
			checkLines(t, c.rules, g)
		})
	}
}

// place is a board and the node that led to it; 0 for a pass that is not written.
type place struct {
	hash uint64
	node int32
}

// checkLines compares the positions of the main line and of the own parts of all
// lines with those of a plain replay: each node is reached by a record of its
// own that holds nothing but the way to it.
func checkLines(t testing.TB, r game.Rules, g *record.Game) {
	t.Helper()
	want, broken, passed := map[place]int{}, map[int32]bool{}, map[int32]bool{}
	at := func(p *record.Played, steps int) *board.Planes {
		pos, err := record.At(p, steps)
		if err != nil {
			t.Fatal(err)
		}
		return pos.(game.Planar).Planes()
	}
	var visit func(i int32)
	visit = func(i int32) {
		way := *g
		way.Nodes, way.Faults = nil, nil
		var nodes []int32
		for j := i; j != 0; j = g.Nodes[j].Parent {
			nodes = append(nodes, j)
		}
		way.Nodes = append(way.Nodes, record.Node{Extra: g.Nodes[0].Extra, Move: g.Nodes[0].Move, Side: g.Nodes[0].Side})
		for k := len(nodes) - 1; k >= 0; k-- {
			n := way.Add(int32(len(way.Nodes)-1), g.Nodes[nodes[k]].Side, g.Nodes[nodes[k]].Move)
			way.Nodes[n].Extra = g.Nodes[nodes[k]].Extra
		}
		p := record.Play(r, &way)
		last := int32(len(way.Nodes) - 1)
		own := slices.IndexFunc(p.Steps, func(s record.Step) bool { return s.Node == last })
		if own >= 0 {
			inserted := p.Steps[own].Move == game.Pass && (p.Unplayed > 0 || own+2 == len(p.Steps))
			for k := own; k < len(p.Steps); k++ {
				node := i
				if k == own && inserted {
					// All variations share the pass that is not written.
					if passed[g.Nodes[i].Parent] {
						continue
					}
					passed[g.Nodes[i].Parent] = true
					node = 0
				}
				want[place{at(p, k+1).Hash(), node}]++
			}
		}
		broken[i] = p.Unplayed > 0 || len(p.Marks) > 0 && p.Marks[len(p.Marks)-1].Step == len(p.Steps)
		if !broken[i] {
			for c := g.Nodes[i].Child; c != 0; c = g.Nodes[c].Next {
				visit(c)
			}
		}
	}
	visit(0)

	got := map[place]int{}
	count := func(from int, steps []record.Step, changes []record.Change, r game.Rules) {
		b := apply(r, changes)
		for k, s := range steps {
			planes := b.to(t, k+1)
			if k < from {
				continue
			}
			node := s.Node
			if s.Move == game.Pass && (k+1 == len(steps) && broken[node] || k+1 < len(steps) && steps[k+1].Node == node) && (k == 0 || steps[k-1].Node != node) {
				node = 0
			}
			got[place{planes.Hash(), node}]++
		}
	}
	p := tracing().Play(&record.Game{Kind: g.Kind, Variant: g.Variant, Start: g.Start, Facts: g.Facts, Notation: g.Notation, Nodes: g.Nodes})
	count(0, p.Steps, p.Changes, r)
	for l := range record.Lines(r, g) {
		if l.From >= len(l.Steps) {
			t.Fatalf("a line of %d steps has none of its own", len(l.Steps))
		}
		count(l.From, l.Steps, l.Changes, r)
	}
	if !maps.Equal(got, want) {
		t.Errorf("%s, game %d: %d positions in lines, %d in a replay", g.Place.File, g.Place.Number, len(got), len(want))
		for k, n := range want {
			if got[k] != n {
				t.Fatalf("position of node %d (%q): %d, want %d", k.node, g.Nodes[k.node].Move, got[k], n)
			}
		}
		for k, n := range got {
			if want[k] != n {
				t.Fatalf("position of node %d (%q): %d, want %d", k.node, g.Nodes[k.node].Move, n, want[k])
			}
		}
	}
}

// randomTree grows a tree of moves that are mostly legal, with passes left out
// and the board set up anew here and there.
func randomTree(r *rand.Rand, rules game.Rules, variant, notation string, nodes int, setups bool) *record.Game {
	g := &record.Game{Kind: rules.Info().Name, Variant: variant, Notation: notation}
	g.Add(0, record.Unstated, "")
	for len(g.Nodes) < nodes {
		parent := int32(max(0, len(g.Nodes)-1-r.IntN(3)*r.IntN(len(g.Nodes))))
		way := *g
		way.Nodes = make([]record.Node, 1)
		var path []int32
		for j := parent; j != 0; j = g.Nodes[j].Parent {
			path = append(path, j)
		}
		for k := len(path) - 1; k >= 0; k-- {
			n := way.Add(int32(len(way.Nodes)-1), g.Nodes[path[k]].Side, g.Nodes[path[k]].Move)
			way.Nodes[n].Extra = g.Nodes[path[k]].Extra
		}
		p := record.Play(rules, &way)
		if p.Unplayed > 0 {
			continue // nothing grows behind what cannot be played
		}
		pos, err := record.At(p, len(p.Steps))
		if err != nil {
			panic(err)
		}
		moves := pos.AppendMoves(nil)
		if len(moves) == 1 && moves[0] == game.Pass && pos.Play(game.Pass) == nil {
			moves = pos.AppendMoves(nil)
		}
		if len(moves) == 0 {
			continue
		}
		m := moves[r.IntN(len(moves))]
		text := game.FormatMove(rules, pos, m, game.Notation(notation))
		if r.IntN(20) == 0 {
			text = g.Nodes[r.IntN(len(g.Nodes))].Move // most often no move here
		}
		i := g.Add(parent, record.Side(pos.Turn())+record.First, text)
		if setups && r.IntN(10) == 0 {
			g.Nodes[i].More().Turn = record.Side(pos.Turn()) + record.First
			g.Nodes[i].More().Setup = []record.Put{{Piece: board.Piece(r.IntN(3)), Point: "bb"}}
		}
	}
	return g
}

// TestLinesRandom states the law of lines for random trees.
func TestLinesRandom(t *testing.T) {
	small, err := weiqi.Standard.Variant("5x5")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		rules             game.Rules
		variant, notation string
		nodes             int
		setups            bool
	}{
		{small, "5x5", "sgf", 80, false},
		{small, "5x5", "sgf", 80, true},
		{othello.Standard, "", "square", 200, false},
		{xiangqi.Standard, "", "iccs", 60, false},
		{renju.Renju, "", "plain", 60, false},
	} {
		for seed := range uint64(testkit.Scale(3, 100)) {
			r := rand.New(rand.NewPCG(seed, 2))
			g := randomTree(r, c.rules, c.variant, c.notation, c.nodes, c.setups)
			if !g.Variations() {
				t.Error("a tree of one line")
			}
			checkLines(t, c.rules, g)
		}
	}
}

func TestLinesSamples(t *testing.T) {
	referee := tracing()
	for _, g := range samples(t) {
		if rules, err := referee.Rules(g); err == nil && g.Variations() {
			checkLines(t, rules, g)
		}
	}
}

// TestRealLines looks at real trees: closely at small ones, and at large ones by
// counting, where all of their moves can be played.
func TestRealLines(t *testing.T) {
	eachReal(t, func(t *testing.T, p *record.Played) {
		g := p.Game
		if p.Start.Board == nil || !g.Variations() {
			return
		}
		if len(g.Nodes) <= 400 {
			checkLines(t, p.Rules, g)
			return
		}
		moves, own := 0, 0
		for i := range g.Nodes {
			if g.Nodes[i].Move != "" {
				moves++
			}
		}
		for l := range record.Lines(p.Rules, g) {
			for _, s := range l.Steps[l.From:] {
				if s.Move != game.NoMove {
					own++
				}
			}
		}
		if _, marked := record.CheckVariations(p.Rules, g); marked == 0 && p.Legal() && len(p.Steps)+own < moves {
			t.Errorf("%s, game %d: %d moves, but %d in lines", g.Place.File, g.Place.Number, moves, len(p.Steps)+own)
		}
	})
}

// TestLinesLarge walks through trees that are as long or as wide as they may be.
func TestLinesLarge(t *testing.T) {
	nodes := testkit.Scale(50_000, 500_000)
	for _, shape := range []string{"deep", "wide", "comb"} {
		g := &record.Game{Kind: "weiqi", Notation: "sgf", Nodes: make([]record.Node, 1, nodes)}
		for at := int32(0); len(g.Nodes) < nodes; {
			n := len(g.Nodes)
			node := record.Node{Parent: at, Move: "tt"}
			if shape == "wide" {
				node.Move = string([]byte{'a' + byte(n%19), 'a' + byte(n/19%19)})
			}
			g.Nodes = append(g.Nodes, node)
			switch {
			case shape == "deep" && n == nodes/2:
				at = 0 // two long lines
			case shape == "deep", shape == "comb" && n%2 == 1:
				at = int32(n)
			case shape == "comb" && n%2 == 0 && n > 2:
				at = int32(n - 1)
			}
		}
		g.Link()
		main, own, lines := g.Moves(), 0, 0
		for l := range record.Lines(weiqi.Standard, g) {
			own += len(l.Steps) - l.From
			lines++
		}
		if main+own != nodes-1 || lines == 0 {
			t.Errorf("%s: %d moves in the main line and %d in %d others, want %d", shape, main, own, lines, nodes-1)
		}
	}
}

// TestLinesSetups holds that a line with too many set-ups ends.
func TestLinesSetups(t *testing.T) {
	g := &record.Game{Kind: "weiqi", Notation: "sgf"}
	at := g.Add(0, record.Unstated, "")
	at = g.Add(at, record.First, "aa")
	for i := range 300 {
		at = g.Add(at, record.Unstated, "")
		g.Nodes[at].More().Turn = record.Side(1 + i%2)
	}
	g.Add(1, record.Second, "bb")
	g.Nodes[1].Child, g.Nodes[2].Next, g.Nodes[len(g.Nodes)-1].Next = int32(len(g.Nodes)-1), 0, 2
	for l := range record.Lines(weiqi.Standard, g) {
		if l.From != 1 || len(l.Steps) != 257 {
			t.Errorf("a line of %d steps from %d", len(l.Steps), l.From)
		}
	}
}

func BenchmarkLines(b *testing.B) {
	g := randomTree(rand.New(rand.NewPCG(1, 3)), renju.Renju, "", "plain", 500, false)
	b.ReportAllocs()
	for b.Loop() {
		for range record.Lines(renju.Renju, g) {
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(g.Nodes)), "ns/node")
}
