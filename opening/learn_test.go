package opening

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"qipu/game"
	"qipu/game/chess"
	"qipu/internal/testkit"
	"qipu/record"
	"qipu/record/pgn"
)

// coded is a game that says its code.
type codedGame struct {
	moves []game.Move
	code  string
}

// learner finds positions whose code is another than that of what came before.
type learner struct {
	names *Names
	count map[uint64]int32
	codes map[uint64]map[string]int32
	line  map[uint64][]game.Move
}

// What a position must have to be given a code of its own.
const (
	learnPlies = 40
	learnLeast = 8   // games that pass it
	learnShare = .55 // of them have the code
	learnGain  = 4   // more of them than have the code from before
)

// learn returns lines of codes for a table, shorter ones first.
func learn(names *Names, games []codedGame) (rows []string) {
	l := &learner{names, map[uint64]int32{}, map[uint64]map[string]int32{}, map[uint64][]game.Move{}}
	walk := func(g codedGame, look func(hash uint64, ply int)) {
		names.walk(nil, g.moves[:min(len(g.moves), learnPlies)], func(p game.Position, ply int) { look(p.Hash(), ply) })
	}
	for _, g := range games {
		walk(g, func(hash uint64, _ int) { l.count[hash]++ })
	}
	for _, g := range games {
		walk(g, func(hash uint64, ply int) {
			if l.count[hash] < learnLeast {
				return
			}
			if l.codes[hash] == nil {
				l.codes[hash] = map[string]int32{}
				l.line[hash] = g.moves[:ply]
			}
			l.codes[hash][g.code]++
		})
	}
	var list []uint64
	for hash := range l.codes {
		list = append(list, hash)
	}
	slices.SortFunc(list, func(a, b uint64) int {
		return cmp.Or(cmp.Compare(len(l.line[a]), len(l.line[b])), cmp.Compare(l.text(a), l.text(b)))
	})
	at := map[uint64]string{} // what is decided so far
	for _, hash := range list {
		now := ""
		names.walk(nil, l.line[hash], func(p game.Position, _ int) {
			if c := cmp.Or(at[p.Hash()], names.coded.at[p.Hash()]); c != "" {
				now = c
			}
		})
		best := ""
		for code, n := range l.codes[hash] {
			if m := l.codes[hash][best]; n > m || n == m && code < best {
				best = code
			}
		}
		n := l.codes[hash][best]
		if best == now || float64(n) < learnShare*float64(l.count[hash]) || n-l.codes[hash][now] < learnGain {
			continue
		}
		at[hash] = best
		rows = append(rows, l.text(hash)+"||"+best)
	}
	return rows
}

func (l *learner) text(hash uint64) string {
	p := chess.Standard.Start()
	var text []byte
	for i, m := range l.line[hash] {
		if i > 0 {
			text = append(text, ' ')
		}
		text = chess.Standard.AppendMove(text, p, m, chess.SAN)
		if p.Play(m) != nil {
			break
		}
	}
	return string(text)
}

// TestLearntCodes learns codes from four games of five, and holds them against the
// headers of the fifth. With -rewrite it learns from all games and writes what it
// found into game/chess.
func TestLearntCodes(t *testing.T) {
	if !testkit.Shared() {
		testkit.Data(t, "chess/chess-games.tar.gz")
	}
	names := plainNames(t)
	var list, unseen []codedGame
	seen := 0
	played(t, "chess/chess-games.tar.gz", ".pgn", pgn.With(record.KindOf(chess.Standard)), chess.Standard, testkit.Scale(20, 1), func(_ string, g *record.Played) {
		code := g.Game.Facts.Code
		if len(code) < 3 || g.Game.Start != "" || len(g.Steps) < 10 || !names.known(code[:3]) {
			return
		}
		x := codedGame{code: code[:3]}
		for _, s := range g.Steps[:min(len(g.Steps), 60)] {
			x.moves = append(x.moves, s.Move)
		}
		if seen++; seen%5 == 0 && !testkit.Rewriting() {
			unseen = append(unseen, x)
			return
		}
		list = append(list, x)
	})
	for _, plies := range []int{16, 24, 32} {
		pairs, code, group := agree(names, slices.Concat(list, unseen), plies)
		t.Logf("of %.0f pairs of games with one position after %d plies %.1f %% say one code, %.1f %% one group", pairs/2, plies, 100*code, 100*group)
	}
	rows := learn(names, list)
	if testkit.Rewriting() {
		head := "# Positions of chess that have a code of the Encyclopaedia of Chess Openings and no\n# name of their own, or another code than their name has elsewhere: learnt from the\n# headers of " +
			fmt.Sprint(len(list)) + " tournament games (TWIC, PgnMentor and others, collected by\n# rozim/ChessData) by TestLearntCodes of package opening.\n"
		if err := os.WriteFile(filepath.FromSlash("../game/chess/codes.txt"), []byte(head+strings.Join(rows, "\n")+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		t.Logf("%d positions from %d games", len(rows), len(list))
		return
	}
	text, _ := chess.Standard.Openings()
	learnt := newNames(chess.Standard)
	if err := learnt.readLines(strings.Join(rows, "\n") + "\n" + namesAlone(text)); err != nil {
		t.Fatal(err)
	}
	for _, n := range []*Names{names, learnt} {
		full, group := 0, 0
		for _, g := range unseen {
			got, _ := n.Coded(g.moves)
			if got == g.code {
				full++
			}
			if len(got) == 3 && got[:2] == g.code[:2] {
				group++
			}
		}
		t.Logf("%d positions with a code, %d games not learnt from: %.1f %% have the code of the header, %.1f %% its group",
			len(n.coded.at), len(unseen), 100*float64(full)/float64(len(unseen)), 100*float64(group)/float64(len(unseen)))
		if n == learnt && (full*100 < 80*len(unseen) || group*100 < 90*len(unseen)) {
			t.Errorf("too few agree")
		}
	}
}

// known reports whether there is such a code.
func (n *Names) known(code string) bool {
	return slices.ContainsFunc(n.coded.list, func(c Code) bool { return c.Code == code })
}

// plainNames returns the openings of chess without the codes that were learnt.
func plainNames(t *testing.T) *Names {
	t.Helper()
	text, _ := chess.Standard.Openings()
	n := newNames(chess.Standard)
	if err := n.readLines(namesAlone(text)); err != nil {
		t.Fatal(err)
	}
	return n
}

// namesAlone returns a table without its lines of codes alone.
func namesAlone(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if !strings.Contains(line, "||") || strings.Count(line, "|") > 2 {
			b.WriteString(line)
		}
	}
	return b.String()
}

// agree returns how often two games that are the same for so many plies say the same
// code, and the same group: what no rule can do better than.
func agree(names *Names, games []codedGame, plies int) (pairs, code, group float64) {
	at := map[uint64]map[string]float64{}
	for _, g := range games {
		if len(g.moves) < plies {
			continue
		}
		names.walk(nil, g.moves[:plies], func(p game.Position, ply int) {
			if ply == plies {
				if at[p.Hash()] == nil {
					at[p.Hash()] = map[string]float64{}
				}
				at[p.Hash()][g.code]++
			}
		})
	}
	for _, codes := range at {
		all, groups := 0.0, map[string]float64{}
		for c, n := range codes {
			all += n
			code += n * (n - 1)
			groups[c[:2]] += n
		}
		pairs += all * (all - 1)
		for _, n := range groups {
			group += n * (n - 1)
		}
	}
	return pairs, code / max(pairs, 1), group / max(pairs, 1)
}
