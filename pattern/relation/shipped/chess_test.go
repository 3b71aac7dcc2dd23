package shipped_test

import (
	"bytes"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"qipu/game"
	"qipu/game/chess"
	"qipu/internal/testkit"
	"qipu/pattern"
	"qipu/pattern/relation"
	"qipu/pattern/relation/shipped"
	"qipu/pattern/relation/syntax"
	"qipu/record"
	"qipu/record/pgn"
)

// Every check of a pattern of chess does what it says, there are enough, and those of
// mates end a game.
func TestChessChecks(t *testing.T) {
	list, checks := shipped.Base().Of("chess")
	set, err := relation.Compile(list, chess.Standard)
	if err != nil {
		t.Fatal(err)
	}
	if testkit.Rewriting() {
		makeChecks(t, set, list)
		return
	}
	count := map[string][2]int{}
	for _, c := range checks {
		n := count[c.ID]
		if c.Match {
			n[0]++
		} else {
			n[1]++
		}
		count[c.ID] = n
		if why := set.Fails(c); why != "" {
			t.Errorf("%s:%d: %s: %s", c.File, c.Line, c.ID, why)
		}
		if c.Why == "" {
			t.Errorf("%s:%d: the check does not say why", c.File, c.Line)
		}
		v, err := c.View(chess.Standard)
		if err != nil {
			t.Fatalf("%s:%d: %v", c.File, c.Line, err)
		}
		if p := shipped.Base().Pattern(c.ID); p.Kind == syntax.Mate && c.Match != (v.Facts.(game.Position).Outcome().Final() && set.Fails(c) == "" && c.Match) {
			t.Errorf("%s:%d: %s is no mate", c.File, c.Line, c.ID)
		}
	}
	few := 0
	for _, p := range list {
		if n := count[p.ID]; n[0] < 5 || n[1] < 5 {
			few++
			t.Logf("%s has %d checks that match and %d that do not", p.ID, n[0], n[1])
		}
	}
	if len(list) < 65 || few > 0 {
		t.Errorf("%d patterns, %d of them with too few checks", len(list), few)
	}
}

// near is a pattern without one of its conditions.
type near struct {
	of   int
	line string
}

// makeChecks looks through real games for boards on which patterns stand, and on which
// all but one of their conditions hold, and writes five of each as fixtures.
func makeChecks(t *testing.T, set *relation.Set, list []*syntax.Pattern) {
	if !testkit.Shared() {
		testkit.Data(t, "chess/chess-games.tar.gz")
	}
	var nears []near
	var close []*syntax.Pattern
	for i, p := range list {
		for n, c := range p.Wheres {
			q := *p
			q.ID = fmt.Sprintf("near-%d", len(nears))
			q.Wheres = slices.Delete(slices.Clone(p.Wheres), n, n+1)
			if len(q.Wheres)+len(q.Lets) == 0 {
				continue
			}
			nears = append(nears, near{i, "all but this holds: " + p.Text(c)})
			close = append(close, &q)
		}
		for n, l := range p.Lets {
			if l.Area == nil {
				continue
			}
			q := *p
			q.ID = fmt.Sprintf("near-%d", len(nears))
			q.Lets = slices.Clone(p.Lets)
			q.Lets[n].Area = nil
			nears = append(nears, near{i, "the piece " + l.Name + " stands elsewhere"})
			close = append(close, &q)
		}
	}
	nearly, err := relation.Compile(close, chess.Standard)
	if err != nil {
		t.Fatal(err)
	}
	yes, no := make([][]*syntax.Check, len(list)), make([][]*syntax.Check, len(list))
	sides := make([][2]int, len(list))
	index := map[string]int{}
	for i, p := range list {
		index[p.ID] = i
	}
	why := func(m *pattern.Match) string {
		var parts []string
		for _, r := range m.Roles {
			parts = append(parts, fmt.Sprintf("%s on %s", chess.Standard.Geometry().Pieces[r.Piece-1].Names.En, chess.Standard.Geometry().Name(r.At)))
		}
		if len(parts) == 0 {
			return "the conditions hold"
		}
		return strings.Join(parts, ", ")
	}
	games, seen, mated := 0, 0, 0
	look := func(p game.Position, boards bool) {
		full := func(list []*syntax.Check) bool { return len(list) >= 5 }
		v := &pattern.View{Planes: p.(game.Planar).Planes(), Turn: p.Turn(), Facts: p}
		fen := ""
		matches := set.AppendMatches(nil, v)
		stands := map[string]bool{}
		for k := range matches {
			m := &matches[k]
			stands[fmt.Sprint(m.ID, m.Side)] = true
			i := index[m.ID]
			if full(yes[i]) || sides[i][m.Side] >= 3 {
				continue
			}
			sides[i][m.Side]++
			fen = game.FormatPosition(chess.Standard, p)
			c := &syntax.Check{ID: m.ID, Match: true, FEN: fen, Side: chess.Standard.Info().Sides[m.Side].Name, Why: why(m)}
			for _, r := range m.Roles {
				c.Roles = append(c.Roles, syntax.Stand{Role: r.Name, At: chess.Standard.Geometry().Name(r.At)})
			}
			yes[i] = append(yes[i], c)
			if !boards {
				return // one fixture a game
			}
		}
		if games%5 != 0 && boards {
			return
		}
		if boards && len(matches) < 12 { // also boards that are far from it, where few are near
			for i, x := range list {
				if len(x.Wheres) == 1 && len(no[i]) < 5 && x.Kind == syntax.Structure && !stands[fmt.Sprint(x.ID, game.First)] && !stands[fmt.Sprint(x.ID, game.Second)] && games%(7+i%5) == 0 {
					text := "this does not hold: " + x.Text(x.Wheres[0])
					if len(text) > 150 {
						text = text[:strings.LastIndex(text[:150], " ")] + " ..."
					}
					no[i] = append(no[i], &syntax.Check{ID: x.ID, FEN: game.FormatPosition(chess.Standard, p), Why: text})
					return
				}
			}
		}
		for _, m := range nearly.AppendMatches(nil, v) {
			var n int
			fmt.Sscanf(m.ID, "near-%d", &n)
			i := nears[n].of
			if full(no[i]) || stands[fmt.Sprint(list[i].ID, game.First)] || stands[fmt.Sprint(list[i].ID, game.Second)] {
				continue
			}
			same := 0
			text := nears[n].line
			if len(text) > 150 {
				text = text[:strings.LastIndex(text[:150], " ")] + " ..."
			}
			for _, c := range no[i] {
				if c.Why == text {
					same++
				}
			}
			if same > 0 && same >= 1+5/max(1, len(list[i].Wheres)) {
				continue
			}
			no[i] = append(no[i], &syntax.Check{ID: list[i].ID, FEN: game.FormatPosition(chess.Standard, p), Why: text})
			return
		}
	}
	format := pgn.With(record.KindOf(chess.Standard))
	referee := record.NewReferee(game.Catalog{chess.Standard})
	for name, data := range testkit.Archive(t, testkit.Games(t, "chess/chess-games.tar.gz")) {
		if path.Ext(name) != ".pgn" {
			continue
		}
		for g, err := range format.Read(&record.Source{Name: name, Reader: bytes.NewReader(data), Size: int64(len(data))}) {
			seen++
			if err != nil || g.Start != "" || seen%testkit.Scale(20, 1) != 0 {
				continue
			}
			g.Kind = "chess"
			played := referee.Play(g)
			if !played.Legal() {
				continue
			}
			games++
			p := chess.Standard.Start()
			for ply, s := range played.Steps {
				if p.Play(s.Move) != nil {
					break
				}
				if games%10 == 0 && ply%9 == 8 {
					look(p, true)
				}
			}
			// The end, or a mate that the loser did not wait for.
			if p.Outcome().Final() {
				look(p, false)
				mated++
				continue
			}
			for _, m := range p.AppendMoves(nil) {
				if p.Play(m) != nil {
					continue
				}
				facts := p.(relation.Facts)
				if facts.Checkers(p.Turn()) != [2]uint64{} && facts.Stuck() {
					look(p, false)
					mated++
				}
				p.Undo()
			}
		}
	}
	// Where few boards are near: boards of others of the kind.
	for i, p := range list {
		for step := 1; step < len(list) && len(no[i]) < 5; step++ {
			k := (i + step) % len(list)
			if list[k].Kind != p.Kind || len(yes[k]) == 0 {
				continue
			}
			c := &syntax.Check{ID: p.ID, FEN: yes[k][step%len(yes[k])].FEN, Why: "it is another: " + list[k].Names.En}
			if set.Fails(c) == "" {
				no[i] = append(no[i], c)
			}
		}
	}
	f := &syntax.File{}
	few := 0
	for i, p := range list {
		if len(yes[i]) < 5 || len(no[i]) < 5 {
			few++
			t.Logf("%s: %d and %d", p.ID, len(yes[i]), len(no[i]))
		}
		f.Checks = append(append(f.Checks, yes[i]...), no[i]...)
	}
	t.Logf("%d games, %d mates; %d patterns have too few boards", games, mated, few)
	head := "// Boards on which the patterns of chess stand, and on which all but one of their\n// conditions hold: single moments of tournament games (rozim/ChessData), some with a\n// move played on, chosen by TestChessChecks.\n\n"
	if err := os.WriteFile("chess-checks.patterns", f.AppendTo([]byte(head)), 0o666); err != nil {
		t.Fatal(err)
	}
}
