package bench_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"qipu"
	"qipu/builtin"
	"qipu/game"
	"qipu/library/ask"
	"qipu/query"
	"qipu/record"
	"qipu/record/facts"
	"qipu/retrieve"
)

func mustAsk(t *testing.T, l *qipu.Library, q ask.Question) *ask.Reply {
	t.Helper()
	r, err := l.Ask(t.Context(), &q)
	if err != nil {
		t.Fatalf("%s: %v", q.Text, err)
	}
	return r
}

// TestGroups counts what the rows of an answer add up to.
//
//qipu:race
func TestGroups(t *testing.T) {
	l, err := qipu.Open(t.Context(), t.TempDir(), qipu.Options{Create: true})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	games := propertyLibrary(t, l, 9, 60)["weiqi:9x9"]
	byID := map[uint32]*told{}
	for _, g := range games {
		byID[g.id] = g
	}
	const text = `board:"X ."{floating} and moves:10..`
	for _, name := range retrieve.Dimensions() {
		by, err := retrieve.ParseDimension(name)
		if err != nil {
			t.Fatal(err)
		}
		r := mustAsk(t, l, ask.Question{Text: text, Game: "weiqi:9x9", Request: retrieve.Request{By: by, Limit: -1}})
		want := map[string]int{}
		for _, row := range r.Rows {
			f := &byID[row.Game].game.Facts
			switch by {
			case retrieve.ByYear:
				year := ""
				if f.Date.Known() {
					year = fmt.Sprint(f.Date.From.Year)
				}
				want[year]++
			case retrieve.ByPlayer:
				want[f.Players[0].Name]++
				want[f.Players[1].Name]++
			case retrieve.ByEvent:
				want[f.Event]++
			case retrieve.ByOpening:
				want[f.Opening]++
			case retrieve.ByCode:
				want[f.Code]++
			case retrieve.ByPlace:
				want[f.Place]++
			case retrieve.ByResult:
				want[row.Result.String()]++
			case retrieve.ByLength:
				low := byID[row.Game].plies / 10 * 10
				want[fmt.Sprintf("%d..%d", low, low+9)]++
			case retrieve.ByCollection:
				for _, c := range byID[row.Game].collections {
					want[c]++
				}
			case retrieve.ByTag:
				for _, c := range byID[row.Game].tags {
					want[c]++
				}
			}
		}
		got := map[string]int{}
		for _, g := range r.Groups {
			got[g.Key] = g.Count
		}
		if fmt.Sprint(got) != fmt.Sprint(want) || len(want) == 0 {
			t.Errorf("by %s: %v, want %v", name, got, want)
		}
	}
}

// TestDictionary: every node of a tree of continuations counts the games that
// begin so, and becomes a node of a record whose moves can be played.
func TestDictionary(t *testing.T) {
	l, err := qipu.Open(t.Context(), t.TempDir(), qipu.Options{Create: true})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	games := propertyLibrary(t, l, 11, 60)
	for _, c := range []struct{ game, text string }{
		{"othello:6x6", `position:""{no-mirror no-swap turn:first}`},
		{"weiqi:5x5", `position:""{no-mirror no-swap turn:first}`},
		{"xiangqi", `position:""{no-mirror no-swap turn:first}`},
		{"weiqi:9x9", `board:". . ./. . ./. . ."{fixed at:A9 no-mirror no-swap plies:..0}`},
		{"othello:6x6", `position:""{no-swap turn:first}`},
		{"weiqi:5x5", `position:""{no-swap turn:first}`},
		{"xiangqi", `position:""{no-swap turn:first}`},
	} {
		r := mustAsk(t, l, ask.Question{Text: c.text, Game: c.game, Request: retrieve.Request{Depth: 4}})
		whole := strings.HasPrefix(c.text, "position")
		// Lines that are the same but for a symmetry of the board are one, where
		// the query asks for pictures: the smallest of their texts stands for all.
		pictures := []game.Symmetry{{}}
		size := r.Kinds[0].Board.Size
		if whole && !strings.Contains(c.text, "no-mirror") {
			pictures = retrieve.Anchor(r.Bound).Pattern.Own(r.Kinds[0].Board)
		}
		texts := func(moves []game.Move, sides []game.Side) (path string) {
			for i, sym := range pictures {
				text := ""
				for j, m := range moves {
					text += fmt.Sprintf(" %d:%v", sides[j], m.Transform(size, sym.Board))
				}
				if i == 0 || text < path {
					path = text
				}
			}
			return path
		}
		want := map[string]int{}
		for _, g := range games[c.game] {
			want[""]++
			var moves []game.Move
			var sides []game.Side
			line := g.lines[0]
			for t := 1; t < len(line.moves) && len(moves) < 4; t++ {
				m := line.moves[t]
				if !whole && (m.To() == game.Pass.To() || m.To().X() > 2 || m.To().Y() > 2) {
					continue
				}
				moves, sides = append(moves, m), append(sides, line.turns[t-1])
				want[texts(moves, sides)]++
			}
		}
		got := map[string]int{}
		nodes := 0
		var walk func(n *retrieve.Node, moves []game.Move, sides []game.Side)
		walk = func(n *retrieve.Node, moves []game.Move, sides []game.Side) {
			got[texts(moves, sides)] += n.Count
			nodes++
			for _, c := range n.Children {
				walk(c, append(slices.Clone(moves), c.Move), append(slices.Clone(sides), c.Side))
			}
		}
		walk(r.Tree, nil, nil)
		if nodes != len(got) {
			t.Errorf("%s %s: %d nodes for %d lines", c.game, c.text, nodes, len(got))
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s %s: %d nodes, want %d", c.game, c.text, len(got), len(want))
		}
		left := r.Tree.Prune(2)
		record, err := ask.Dictionary(r.Kinds[0], retrieve.Anchor(r.Bound), r.Tree)
		if err != nil || len(record.Nodes) != left+1 || left < 5 {
			t.Fatalf("%s: %d nodes of %d: %v", c.game, len(record.Nodes), left, err)
		}
		// Moves in a corner need not alternate, which is marked.
		if played, marked := check(t, record); whole && marked > 0 || played == 0 {
			t.Errorf("%s: %d of %d moves of the dictionary cannot be played", c.game, marked, played)
		}
	}
}

// TestPages pages through the games of several kinds in every order: each comes
// once, and in the order of the whole list.
//
//qipu:race
func TestPages(t *testing.T) {
	l, err := qipu.Open(t.Context(), t.TempDir(), qipu.Options{Create: true})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	propertyLibrary(t, l, 13, 8)
	for _, name := range retrieve.Orders() {
		order, err := retrieve.ParseOrder(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{"all", "moves:10.. or player:李", "ply:20"} {
			ask := func(limit int, cursor string) *ask.Reply {
				return mustAsk(t, l, ask.Question{Text: text, Request: retrieve.Request{Order: order, Limit: limit, Cursor: cursor}})
			}
			all := ask(-1, "")
			if len(all.Kinds) < 4 || len(all.Rows) < 20 {
				t.Fatalf("%s: %d games of %d kinds", text, len(all.Rows), len(all.Kinds))
			}
			var got, want []uint32
			for _, row := range all.Rows {
				want = append(want, row.Game)
			}
			for cursor := ""; ; {
				page := ask(7, cursor)
				for _, row := range page.Rows {
					got = append(got, row.Game)
				}
				if cursor = page.Next; cursor == "" {
					break
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s by %s: %v, want %v", text, name, got, want)
			}
		}
	}
}

// TestOtherGames: what only one game has is nothing in the others, and does not
// take them out of the question.
func TestOtherGames(t *testing.T) {
	l, err := qipu.Open(t.Context(), t.TempDir(), qipu.Options{Create: true})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	byKind := propertyLibrary(t, l, 17, 12)
	count := func(is func(kind string, f *facts.Facts) bool) (n int) {
		for kind, list := range byKind {
			for _, g := range list {
				if is(kind, &g.game.Facts) {
					n++
				}
			}
		}
		return n
	}
	has := func(name, part string) bool { return strings.Contains(strings.ToLower(name), part) }
	for text, is := range map[string]func(kind string, f *facts.Facts) bool{
		"game:xiangqi or result:white": func(kind string, f *facts.Facts) bool {
			return kind == "xiangqi" || f.Result.Verdict == facts.SecondWon
		},
		"player:park or red:ito": func(kind string, f *facts.Facts) bool {
			return has(f.Players[0].Name, "park") || has(f.Players[1].Name, "park") || kind == "xiangqi" && has(f.Players[0].Name, "ito")
		},
		"not red:ito": func(kind string, f *facts.Facts) bool { return kind != "xiangqi" || !has(f.Players[0].Name, "ito") },
		"white:ito or red:ito": func(kind string, f *facts.Facts) bool {
			return kind == "xiangqi" && has(f.Players[0].Name, "ito") || kind != "xiangqi" && has(f.Players[1].Name, "ito")
		},
	} {
		if r := mustAsk(t, l, ask.Question{Text: text}); r.Games != count(is) {
			t.Errorf("%s: %d games, want %d", text, r.Games, count(is))
		}
	}
	_, err = l.Ask(t.Context(), &ask.Question{Text: "red:ito", Game: "weiqi"})
	if e, ok := errors.AsType[*query.Error](err); !ok || e.Column == 0 {
		t.Errorf("a side that the game has not: %v", err)
	}
	_, err = l.Ask(t.Context(), &ask.Question{Text: `game:xiangqi board:"R.x"`})
	if err == nil || !strings.Contains(err.Error(), "'x'") {
		t.Errorf("a mistake in a board: %v", err)
	}
}

// check plays all lines of a record.
func check(t *testing.T, g *record.Game) (played, marked int) {
	t.Helper()
	p := record.NewReferee(builtin.Games()).Play(g)
	if p.Rules == nil || p.Unplayed > 0 {
		t.Errorf("the main line breaks off: %v", g.Faults)
		return 0, 1
	}
	played, marked = record.CheckVariations(p.Rules, g)
	return played + len(p.Steps), marked + len(p.Marks)
}
