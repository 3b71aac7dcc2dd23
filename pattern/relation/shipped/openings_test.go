package shipped_test

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"

	"qipu/game"
	"qipu/game/xiangqi"
	"qipu/internal/testkit"
	"qipu/pattern"
	"qipu/pattern/relation"
	"qipu/pattern/relation/syntax"
	"qipu/record"
	"qipu/record/pgn"
)

// Every check of an opening does what it says. Mirrored moves are the same opening.
func TestOpeningChecks(t *testing.T) {
	set, list := ofKind(t, "opening")
	if len(list) < 22 {
		t.Errorf("%d openings have names, want 22 at least", len(list))
	}
	testChecks(t, set, list, func(c *syntax.Check) *syntax.Check {
		m := *c
		m.FEN, m.Roles = mirroredFEN(t, c.FEN), nil
		m.Moves = strings.Map(mirroredFile, c.Moves)
		return &m
	})
}

// mirroredFile is a letter of a file as it is on the mirrored board.
func mirroredFile(r rune) rune {
	if 'a' <= r && r <= 'i' {
		return 'a' + 'i' - r
	}
	return r
}

// A board without its moves is no opening, whatever stands on it: who asks about a
// middle game that looks like one is not misled.
func TestOpeningsNeedMoves(t *testing.T) {
	set, list := ofKind(t, "opening")
	boards := 0
	for _, p := range list {
		for _, c := range checksOf(p) {
			v, err := c.View(xiangqi.Standard)
			if err != nil {
				t.Fatalf("%s:%d: %v", c.File, c.Line, err)
			}
			v.Moves, v.Usual = nil, false
			if found := set.AppendMatches(nil, v); len(found) > 0 {
				t.Errorf("%s:%d: %s is found without moves", c.File, c.Line, found[0].ID)
			}
			boards++
		}
	}
	if boards < 10*len(list) {
		t.Errorf("only %d boards of %d openings were looked at", boards, len(list))
	}
}

// system is an opening that the ECCO codes of the shared games know too.
type system struct {
	id    string
	codes string // beginnings of the codes that must have it
	also  string // of those that may have it as well: their place is in another group
	among string // of those that are looked at; all if empty

	// What is asked for: the share of the games found whose code is one of these,
	// 0 where the codes name the system in one of its uses only; and the share of
	// the games of these codes that are found.
	precision, recall float64
}

var systems = []system{
	{"central-cannon", "B C D", "", "", .99, .99},
	{"same-side-cannons", "D0 D1 D2", "", "", .99, .99},
	{"opposite-cannons", "D3 D4 D5", "", "", .97, .99},
	{"half-way-opposite-cannons", "D3 D4 D51 D52 D53 D54 D55", "", "", .97, .99},
	{"screen-horses", "C", "", "", .96, .99},
	{"sandwich-horses", "B3 B4 B5", "", "", .96, .97},
	{"single-horse", "B1", "", "", .93, .97},
	{"three-step-tiger", "B2 D4", "", "", .98, .98},
	{"elephant-opening", "A1 A2 A3", "", "", .99, .99},
	{"horse-opening", "A4", "", "", .99, .99},
	{"palace-corner-cannon", "A5", "", "", .99, .99},
	{"cross-palace-cannon", "A6", "", "", .99, .99},
	{"pawn-opening", "E", "", "", .99, .99},
	{"cannon-below-pawn", "E1 E2 E3", "", "", .99, .99},
	{"facing-pawns", "E4", "", "", .97, .99},
	{"cannon-below-soldier", "E46 E47 E48", "", "", .98, .99},
	{"five-six-cannons", "C5 B4 C48", "", "C B3 B4 B5", .93, .98},
	{"five-seven-cannons", "C6 C7 B5", "", "C B3 B4 B5", .94, .98},
	{"five-eight-cannons", "C91 C92 C93 C94 C95 C96 C97 C98 B36", "", "C B3 B4 B5", .96, .98},
	{"river-bank-cannon", "C8 B35", "C12", "C B3 B4 B5", .95, .97},
	{"sealing-cannon", "D3 B07", "", "B D", .93, .97},
	{"five-nine-cannons", "C99 C45 C39", "", "C", 0, .98},
	{"river-crossing-chariot", "C17 C18 C19 C2 C3 C4", "", "C", 0, .98},
	{"exchange-offer", "C4", "", "C", 0, .98},
	{"two-headed-snake", "C2", "", "C", 0, .98},
	{"left-river-horse", "C35 C36 C37 C38 C39", "", "C", 0, .98},
	{"both-cannons-cross", "C04", "", "C", 0, .95},
}

// tells reports whether a code begins like one of those in a list.
func tells(list, code string) bool {
	return slices.ContainsFunc(strings.Fields(list), func(p string) bool { return strings.HasPrefix(code, p) })
}

// The codes were given by another program, from the moves as well. Where it has a
// system as a group, both must mean the same games.
func TestOpeningsAgreeWithCodes(t *testing.T) {
	const decided = 40 // plies: no opening is recognised later
	set, list := ofKind(t, "opening")
	column := map[string]int{}
	for i, p := range list {
		column[p.ID] = i
	}
	tracker := set.NewTracker()
	type count struct{ right, wrong, missed int }
	counts := make([]count, len(systems))
	games, n := 0, 0
	for name, data := range testkit.Files(t, "xiangqi/xiangqi-games.tar.gz") {
		if n++; n%testkit.Scale(8, 1) != 0 || !strings.EqualFold(path.Ext(name), ".pgn") {
			continue
		}
		for g, err := range pgn.Format.Read(&record.Source{Name: name, Reader: bytes.NewReader(data), Size: int64(len(data))}) {
			code := g.Tag("ECCO")
			if err != nil || len(code) != 3 || g.Start != "" {
				continue
			}
			games++
			have := make([]bool, len(list))
			follow(t, tracker, record.Play(xiangqi.Standard, g), decided, func() {
				for i := range list {
					have[i] = have[i] || tracker.Holds(i, game.First) || tracker.Holds(i, game.Second)
				}
			})
			for i, s := range systems {
				if s.among != "" && !tells(s.among, code) {
					continue
				}
				switch found := have[column[s.id]]; {
				case found && (tells(s.codes, code) || tells(s.also, code)):
					counts[i].right++
				case found:
					counts[i].wrong++
				case tells(s.codes, code):
					counts[i].missed++
				}
			}
		}
	}
	if games < 2000 {
		t.Fatalf("%d games have a code, want 2000 at least to tell anything", games)
	}
	for i, s := range systems {
		c := counts[i]
		precision, recall := float64(c.right)/float64(c.right+c.wrong), float64(c.right)/float64(c.right+c.missed)
		line := fmt.Sprintf("%-26s %5d games, precision %.3f, recall %.3f", s.id, c.right+c.wrong, precision, recall)
		t.Log(line)
		if !(precision >= s.precision) || !(recall >= s.recall) { // no game at all is no number
			t.Errorf("%s: want %.2f and %.2f", line, s.precision, s.recall)
		}
	}
}

// follow plays a record on a tracker, as far as a ply, and calls look after each.
func follow(t testing.TB, tracker *relation.Tracker, p *record.Played, most int, look func()) {
	t.Helper()
	pos := xiangqi.Standard.Start()
	planes := pos.(game.Planar).Planes
	tracker.Reset(&pattern.View{Planes: planes(), Turn: pos.Turn(), Usual: true, Facts: pos})
	for _, s := range p.Steps[:min(len(p.Steps), most)] {
		from, to := s.Move.From(), s.Move.To()
		m := pattern.Played{From: from, To: to, Piece: planes().At(from), Taken: planes().At(to)}
		if err := pos.Play(s.Move); err != nil {
			t.Fatalf("%s: %v", p.Game.Place.File, err)
		}
		tracker.Play(m, pos.Turn(), pos.(relation.Facts))
		look()
	}
}
