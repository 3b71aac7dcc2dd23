package server

import (
	"context"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"qipu/builtin"
	"qipu/game"
	"qipu/ingest"
	"qipu/internal/testkit"
	"qipu/record"
	"qipu/record/sgf"
	"qipu/sample"
	"qipu/view"
	"qipu/view/recordview"
)

// sampleGames returns all records of the demo set.
func sampleGames(t testing.TB) (games []*record.Game) {
	t.Helper()
	files, err := fs.Glob(sample.Files(), "*")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		data, err := fs.ReadFile(sample.Files(), name)
		if err != nil {
			t.Fatal(err)
		}
		games = append(games, readGames(t, name, string(data))...)
	}
	if len(games) < 20 {
		t.Fatalf("%d records of the demo set can be read", len(games))
	}
	return games
}

func readGames(t testing.TB, name, text string) (games []*record.Game) {
	t.Helper()
	_, err := ingest.Run(t.Context(), ingest.Options{
		Formats: builtin.Formats(), Games: builtin.Games(), Workers: 1,
		Sink:  ingest.SinkFunc(func(p *record.Played) error { games = append(games, p.Game); return nil }),
		Stdin: ingest.Input{Name: name, Reader: strings.NewReader(text)},
	}, "-")
	if err != nil {
		t.Fatal(err)
	}
	return games
}

// checkView replays a view by its changes alone, and compares the board of every
// so-manieth node with that of the rules.
func checkView(t testing.TB, g *record.Game, every int) (compared int) {
	t.Helper()
	rules := rulesOf(g)
	if rules == nil {
		return 0
	}
	v := recordview.Unfold(g, rules, game.AnyNotation, recordview.NoNode)
	if len(v.Nodes) == 0 || v.Nodes[0].Parent != -1 {
		t.Fatalf("%s: no root", g.Place.File)
	}
	if v.Start.Board == nil {
		return 0
	}
	boards := make([][]int, len(v.Nodes))
	boards[0] = view.Pieces(v.Start.Board)
	for i := range v.Nodes {
		n := &v.Nodes[i]
		if i > 0 {
			if n.Parent < 0 || n.Parent >= i {
				t.Fatalf("%s: node %d follows node %d", g.Place.File, i, n.Parent)
			}
			if n.Ply < v.Nodes[n.Parent].Ply {
				t.Fatalf("%s: node %d is of an earlier ply than its parent", g.Place.File, i)
			}
			boards[i] = slices.Clone(boards[n.Parent])
			for k := 0; k < len(n.Changes); k += 2 {
				boards[i][n.Changes[k]] = n.Changes[k+1]
			}
		} else if len(n.Changes) > 0 {
			t.Fatalf("%s: the root changes the start", g.Place.File)
		}
		if i%every != 0 && i != len(v.Nodes)-1 {
			continue
		}
		at := recordview.Unfold(g, rules, game.AnyNotation, i)
		pos, err := record.At(&record.Played{Game: g, Rules: rules, Start: at.Start, Steps: at.Line}, len(at.Line))
		if err != nil {
			t.Fatalf("%s: node %d: %v", g.Place.File, i, err)
		}
		if want := view.Pieces(pos.(game.Planar).Planes()); !slices.Equal(boards[i], want) {
			t.Fatalf("%s: node %d (%s):\n%v, want\n%v", g.Place.File, i, n.Move, boards[i], want)
		}
		if n.Turn != int(pos.Turn()) || n.Ply != len(at.Line) {
			t.Fatalf("%s: node %d: side %d to move at ply %d, want side %d at %d", g.Place.File, i, n.Turn, n.Ply, pos.Turn(), len(at.Line))
		}
		compared++
	}
	return compared
}

func TestViewReplays(t *testing.T) {
	compared := 0
	for _, g := range sampleGames(t) {
		compared += checkView(t, g, 1)
	}
	if compared < 1000 {
		t.Errorf("only %d boards were compared", compared)
	}
}

func TestViewReplaysReal(t *testing.T) {
	for _, name := range []string{"go", "xiangqi", "othello", "renju"} {
		t.Run(name, func(t *testing.T) {
			left := testkit.Scale(30, 3000)
			_, err := ingest.Run(t.Context(), ingest.Options{
				Formats: builtin.Formats(), Games: builtin.Games(), Workers: 1,
				Sink: ingest.SinkFunc(func(p *record.Played) error {
					checkView(t, p.Game, 41)
					if left--; left <= 0 {
						return context.Canceled
					}
					return nil
				}),
			}, testkit.Games(t, name))
			if err != nil && left > 0 || left > 0 && testkit.Shared() {
				t.Fatal(left, err)
			}
		})
	}
}

// tree prints a view: a line a node.
func tree(nodes []view.Node) string {
	var b strings.Builder
	for i, n := range nodes {
		fmt.Fprintf(&b, "%d<%d ply %d %q side %d %d>%d %v turn %d", i, n.Parent, n.Ply, n.Move, n.Side, n.From, n.To, n.Changes, n.Turn)
		if n.Comment != "" {
			fmt.Fprintf(&b, " comment %q", n.Comment)
		}
		for _, m := range n.Marks {
			fmt.Fprintf(&b, " %s %d %q", m.Kind, m.Point, m.Text)
		}
		if n.Quality != "" {
			fmt.Fprintf(&b, " quality %s", n.Quality)
		}
		if n.Fault != "" {
			fmt.Fprintf(&b, " fault %s", n.Fault)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// TestView shows records as text, and their trees.
func TestView(t *testing.T) {
	testkit.Script(t, "testdata/view.txt", func(t *testing.T, c testkit.Command) string {
		var b strings.Builder
		for _, g := range readGames(t, "game."+c.Name, c.Input) {
			checkView(t, g, 1)
			v := recordview.Unfold(g, rulesOf(g), game.Notation(c.Named["notation"]), recordview.NoNode)
			fmt.Fprintf(&b, "%s main %d cut %v\n%s", g.Kind, v.Main(), v.Cut, tree(v.Nodes))
		}
		return b.String()
	})
}

// TestViewLimit has a tree of more nodes than are sent keep its main line.
func TestViewLimit(t *testing.T) {
	var b strings.Builder
	b.WriteString("(;GM[1]SZ[9];B[ee]")
	for i := range recordview.MaxNodes + 5 {
		fmt.Fprintf(&b, "(;W[aa]C[%d])", i)
	}
	b.WriteString(")")
	games := readGames(t, "wide.sgf", b.String())
	v := recordview.Unfold(games[0], rulesOf(games[0]), game.AnyNotation, recordview.NoNode)
	if len(v.Nodes) != recordview.MaxNodes || !v.Cut || v.Main() != 2 {
		t.Errorf("%d nodes, cut %v, main line of %d", len(v.Nodes), v.Cut, v.Main())
	}
	b.Reset()
	b.WriteString("(;GM[1]SZ[9];B[ee](;W[aa]")
	for range recordview.MaxNodes + 5 {
		b.WriteString(";C[x]")
	}
	b.WriteString(")(;W[bb]))")
	games = readGames(t, "deep.sgf", b.String())
	v = recordview.Unfold(games[0], rulesOf(games[0]), game.AnyNotation, recordview.NoNode)
	if len(v.Nodes) != recordview.MaxNodes+8 || !v.Cut {
		t.Errorf("%d nodes of a main line of %d, cut %v", len(v.Nodes), recordview.MaxNodes+8, v.Cut)
	}
}

// FuzzView states that no record makes the view panic, that every board of it is
// the one of the rules, and that it is the same in every notation but for the
// texts of moves.
func FuzzView(f *testing.F) {
	for _, name := range []string{"go-9x9-1.sgf", "go-problem.sgf", "go-19x19-study.sgf", "othello-1.sgf", "renju-1.sgf", "broken-occupied.sgf"} {
		data, err := fs.ReadFile(sample.Files(), name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(data))
	}
	f.Add("(;GM[1]SZ[5];AB[aa][bb]W[cc];B[aa](;AE[aa]PL[W];W[aa])(;B[zz];W[aa]))")
	f.Add("(;GM[2];B[f5];W[f6];B[e6];W[f4];B[g7];W[h8];B[a1])")
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 4_000 {
			return
		}
		for g, err := range sgf.Format.Read(&record.Source{Name: "x.sgf", Reader: strings.NewReader(text), Size: int64(len(text))}) {
			if err != nil || len(g.Nodes) > 300 {
				continue
			}
			checkView(t, g, 7)
			rules := rulesOf(g)
			if rules == nil {
				continue
			}
			list := rules.Info().Notations
			first, last := recordview.Unfold(g, rules, list[0].Name, recordview.NoNode), recordview.Unfold(g, rules, list[len(list)-1].Name, recordview.NoNode)
			for i := range first.Nodes {
				first.Nodes[i].Move, last.Nodes[i].Move = "", ""
			}
			if a, b := tree(first.Nodes), tree(last.Nodes); a != b {
				t.Errorf("%s\nand\n%s", a, b)
			}
		}
	})
}

func BenchmarkView(b *testing.B) {
	var g *record.Game
	for _, x := range sampleGames(b) {
		if g == nil || len(x.Nodes) > len(g.Nodes) {
			g = x
		}
	}
	rules := rulesOf(g)
	b.ReportAllocs()
	for b.Loop() {
		recordview.Unfold(g, rules, game.AnyNotation, recordview.NoNode)
	}
	b.ReportMetric(float64(len(g.Nodes)), "nodes")
}

// rulesOf returns the rules that a record is played by.
func rulesOf(g *record.Game) game.Rules {
	r, _ := record.NewReferee(builtin.Games()).Rules(g)
	return r
}
