package stringgraph_test

import (
	"fmt"
	"strings"
	"testing"

	"qipu/board"
	"qipu/game/weiqi/life"
	"qipu/game/weiqi/life/stringgraph"
	"qipu/internal/testkit"
)

// TestScripts runs the figures and further cases, each with its steps.
func TestScripts(t *testing.T) {
	for _, name := range []string{"figures", "cases"} {
		t.Run(name, func(t *testing.T) {
			testkit.Script(t, "testdata/"+name+".txt", func(t *testing.T, c testkit.Command) string {
				switch c.Name {
				case "graph":
					return runGraph(t, c.Input)
				case "board":
					return runBoard(t, c.Input)
				}
				t.Fatalf("no command %q", c.Name)
				return ""
			})
		})
	}
}

func runGraph(t *testing.T, text string) string {
	g, err := stringgraph.Parse(text)
	if err != nil {
		return err.Error()
	}
	var out strings.Builder
	for _, s := range stringgraph.Reduce(g) {
		fmt.Fprintf(&out, "%-6s %s\n", s.Rule, stringgraph.Format(s.Graph))
	}
	return out.String()
}

func runBoard(t *testing.T, text string) string {
	var b life.Board
	b.Reset(parse(t, text))
	j := judge(&b, true)
	var out strings.Builder
	for i := range j.Steps {
		s := &j.Steps[i]
		fmt.Fprintf(&out, "%-6s", s.Rule)
		if s.Rule == life.RuleGraph {
			fmt.Fprintf(&out, " %s", stringgraph.Format(s.Graph))
		} else {
			fmt.Fprintf(&out, " %s", []string{"black", "white"}[s.Side])
			for _, p := range s.Strings {
				fmt.Fprintf(&out, " %d,%d", p.X(), p.Y())
			}
			if len(s.Points) > 0 && len(s.Points) <= 8 {
				fmt.Fprint(&out, " at")
				for _, p := range s.Points {
					fmt.Fprintf(&out, " %d,%d", p.X(), p.Y())
				}
			}
		}
		fmt.Fprintln(&out)
	}
	fmt.Fprintf(&out, "final  %s\n", stringgraph.Format(j.Steps[len(j.Steps)-1].Graph))
	for i := range j.Strings {
		v := &j.Strings[i]
		unclear := ""
		if v.Unclear {
			unclear = ", unclear"
		}
		fmt.Fprintf(&out, "%s %d,%d group %d: %s%s, steps %v\n", []string{"black", "white"}[v.Side], v.Head.X(), v.Head.Y(), v.Group+1, v.Status, unclear, v.Steps)
	}
	for y := range b.Size.H {
		for x := range b.Size.W {
			out.WriteString(".BW="[j.Owner[board.At(x, y)]:][:1])
		}
		out.WriteString("\n")
	}
	return out.String()
}

func judge(b *life.Board, trace bool) *life.Judgement {
	j := new(life.Judgement)
	j.Begin(stringgraph.Method, b)
	new(stringgraph.Judge).Judge(b, trace, j)
	return j
}
