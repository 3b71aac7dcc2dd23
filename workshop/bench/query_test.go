package bench_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"qipu/board"
	"qipu/game"
	"qipu/pattern"
	"qipu/query"
)

// benchGames are the games that there are queries for: testdata has a
// file for each.
var benchGames = []string{"weiqi", "xiangqi", "othello", "renju"}

// benchQuery is a query that speed is measured by.
type benchQuery struct {
	game  string
	name  string
	class string // the bar that it is held against: board, corner, side, centre, small, partial
	shape *query.Shape
}

func benchFile(name string) string { return filepath.Join("testdata", name+".txt") }

// readQueries reads the queries of a game. The file is a script of testkit:
// blocks of a command, a diagram, ---- and the counts on real games.
//
//	query NAME class=CLASS [mirror=no] [swap=no]
func readQueries(games game.Catalog, name string) (list []benchQuery, err error) {
	rules, err := games.Find(name)
	if err != nil {
		return nil, err
	}
	data, err := os.ReadFile(benchFile(name))
	if err != nil {
		return nil, err
	}
	for block := range strings.SplitSeq(string(data), "\n\n") {
		block, _, _ = strings.Cut(block+"\n", "\n----\n")
		head := ""
		var diagram []string
		for line := range strings.SplitSeq(block, "\n") {
			switch {
			case head != "":
				diagram = append(diagram, line)
			case line != "" && line[0] != '#':
				head = line
			}
		}
		if head == "" {
			continue
		}
		q, err := parseQuery(rules.Geometry(), strings.Fields(head), strings.Join(diagram, "\n"))
		if err != nil {
			return nil, fmt.Errorf("%s: %s: %w", benchFile(name), head, err)
		}
		q.game = name
		list = append(list, q)
	}
	return list, nil
}

// parseQuery makes a query of the words of its command and its diagram.
func parseQuery(g *board.Geometry, words []string, diagram string) (q benchQuery, err error) {
	if len(words) < 3 || words[0] != "query" {
		return q, fmt.Errorf("want query NAME class=CLASS")
	}
	p, err := pattern.Parse(g, diagram)
	if err != nil {
		return q, err
	}
	p.Mirror, p.Swap = true, true
	q = benchQuery{name: words[1], shape: &query.Shape{Pattern: p, Geometry: g}}
	for _, w := range words[2:] {
		key, value, _ := strings.Cut(w, "=")
		switch {
		case key == "class":
			q.class = value
		case key == "mirror" && value == "no":
			p.Mirror = false
		case key == "swap" && value == "no":
			p.Swap = false
		default:
			return q, fmt.Errorf("unknown word %q", w)
		}
	}
	return q, nil
}
