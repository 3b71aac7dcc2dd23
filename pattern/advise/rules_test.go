package advise_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"qipu/board"
	"qipu/game"
	"qipu/game/weiqi"
	"qipu/pattern/advise"
	"qipu/pattern/kb"
)

// small is a base in which shapes override and warn each other.
const small = `
term diagonal
name  Diagonal | 尖 | 尖 | コスミ | 마늘모
purpose connect

term hane
name  Hane | 扳 | 扳 | ハネ | 젖힘
purpose press

shape wide
terms    hane
purpose  press
urgency  2
ours     a
theirs   a
draw
  _ _ _ _
  _ O X _
  _ a _ _
  _ _ _ _

shape narrow
terms     diagonal
purpose   connect
urgency   3
ours      a
overrides wide
draw
  O X _
  a O _
  _ _ _

shape warning
terms    diagonal
purpose  avoid
urgency  1
ours     a
draw
  X _ _
  O X _
  a _ _
`

func adviser(t *testing.T, text, conditions string, safety advise.Safety) *advise.Adviser {
	t.Helper()
	file := kb.Parse("x.shapes", []byte(text))
	for _, f := range file.Faults {
		t.Fatal(f)
	}
	o := advise.Options{Safety: safety}
	if conditions != "" {
		c, faults := advise.Parse("f", []byte(conditions))
		for _, f := range faults {
			t.Fatal(f)
		}
		o.Conditions = c
	}
	a, err := advise.New(kb.New(file), o)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// said writes advice for one side on one point in short.
func said(list []advise.Advice, at board.Point, side game.Side) string {
	var out []string
	for _, v := range list {
		if v.Point != at || v.Side != side {
			continue
		}
		s := v.Entry.ID
		if v.Avoid {
			s += " avoid"
		}
		if v.Warned {
			s += " warned"
		}
		if v.Refused != "" {
			s += " refused: " + v.Refused
		}
		out = append(out, s)
	}
	return strings.Join(out, "; ")
}

func TestCompare(t *testing.T) {
	const plain = `
		. . . . . .
		. . . . . .
		. . X O . .
		. . * . . .
		. . . . . .
		. . . . . .`
	const joined = `
		. . . . . .
		. . . . . .
		. . X O . .
		. . * X . .
		. . . . . .
		. . . . . .`
	const warned = `
		. . . . . .
		. . O . . .
		. . X O . .
		. . * . . .
		. . . . . .
		. . . . . .`
	for _, c := range []struct{ name, board, conditions, want, all string }{
		{"one shape", plain, "", "wide", "wide"},
		{"a shape overrides another", joined, "", "narrow", "narrow; wide refused: replaced by narrow"},
		{"not where it is refused itself", joined, "shape narrow: ko", "wide", "wide; narrow refused: needs ko"},
		{"a shape warns", warned, "", "wide warned; warning avoid", "wide warned; warning avoid"},
		{"not where it is refused itself", warned, "purpose avoid: captures >= 1 // why", "wide",
			"wide; warning avoid refused: why (needs captures >= 1)"},
		{"refused by purpose", joined, "purpose connect press: liberties >= 7", "",
			"narrow refused: needs liberties >= 7; wide refused: needs liberties >= 7"},
		{"accepted by all rules", joined, "purpose connect: liberties = 6\nterm hane: liberties > 5", "narrow",
			"narrow; wide refused: replaced by narrow"},
		{"an exception", joined, "all except term diagonal: ko", "narrow", "narrow; wide refused: needs ko"},
		{"own only", plain, "all: ours", "wide", "wide"},
		{"enemy only", plain, "all: theirs", "", "wide refused: needs theirs"},
		{"cells", joined, "shape narrow: liberties(1,1) = 6 and liberties(1,2) = 2 and liberties(2,2) = 6 and liberties(3,3) = 0", "narrow",
			"narrow; wide refused: replaced by narrow"},
		{"no such cell", joined, "shape narrow: liberties(9,9) >= 1", "wide", "wide; narrow refused: needs liberties(9,9) >= 1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, at := draw(t, c.board)
			a := adviser(t, small, c.conditions, nil)
			list := a.Advise(p, advise.Ask{})
			if got := said(list, at, weiqi.Black); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
			if got := said(a.Advise(p, advise.Ask{Refused: true}), at, weiqi.Black); got != c.all {
				t.Errorf("with the refused ones: got %q, want %q", got, c.all)
			}
		})
	}
}

// The questions of tactics, on the point in question of each board. The shape is
// a single enemy stone beside the point.
func TestTactics(t *testing.T) {
	const shape = `
term atari
name Atari | 打吃 | 打吃 | アタリ | 단수

shape beside
terms atari
purpose capture
urgency 4
ours a
draw
  a X
`
	const ladder = `
		. . . . . . . . .
		. . . . . . . . .
		. . . . . . . . .
		. . . . . . . . .
		. . * . . . . . .
		. X O . . . . . .
		. . X X . . . . .
		. . . . . . . . .
		. . . . . . . . .`
	broken := strings.Replace(ladder, ". . . . . . . . .", ". . . . . . . . .\n. . . . O O . . .", 1)
	for _, c := range []struct {
		name, board string
		holds, not  []string
	}{
		{"a ladder that works", ladder,
			[]string{"ladder works", "capture works", "ladder(1,2) works", "atari = 1", "liberties = 3", "not self-atari"},
			[]string{"ladder fails", "capture fails", "ko", "captures >= 1", "dead", "snapback"}},
		{"a ladder that is broken", broken, []string{"ladder fails", "not capture works", "safe"}, []string{"ladder works"}},
		{"a snapback", `
			. X O * O O .
			. X O . X X .
			. X X X X . .`,
			[]string{"snapback", "self-atari", "liberties = 1", "not safe", "capture works"}, []string{"ko", "captures >= 1"}},
		{"a ko", `
			. X O . .
			X O * O .
			. X O . .
			. . . . .`, []string{"ko", "captures = 1", "not self-atari", "capture works"}, []string{"snapback"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, at := draw(t, c.board)
			for _, rule := range c.holds {
				if got := said(adviser(t, shape, "all: "+rule, nil).Advise(p, advise.Ask{}), at, weiqi.Black); got != "beside" {
					t.Errorf("%s: got %q", rule, got)
				}
			}
			for _, rule := range c.not {
				if got := said(adviser(t, shape, "all: "+rule, nil).Advise(p, advise.Ask{}), at, weiqi.Black); got != "" {
					t.Errorf("%s: got %q", rule, got)
				}
			}
		})
	}
}

// safety has one opinion, and counts how often it is asked.
type safety struct {
	says  advise.Opinion
	asked int
}

func (s *safety) Opinion(*weiqi.Position) advise.Opinion {
	s.asked++
	return s.says
}

func TestSafety(t *testing.T) {
	free, at := draw(t, figures[0].board) // the string that the cut makes is free
	taken, _ := draw(t, figures[1].board) // it is taken at once
	below := board.At(at.X(), at.Y()+1)   // Black's stone that the cut joins
	var stone, point board.Plane
	stone.Add(below)
	point.Add(at)
	mine, theirs := [2]board.Plane{0: point}, [2]board.Plane{1: point}
	const shape = `
term cut
name Cut | 斷 | 断 | キリ | 끊음

shape one
terms cut
purpose cut
urgency 4
ours a
draw
  X a X

shape two
terms cut
purpose cut
urgency 4
ours a
draw
  X a X
  _ O _
`
	const all = "two; one"
	for _, c := range []struct {
		name  string
		p     *weiqi.Position
		rules string
		says  advise.Opinion
		want  string
	}{
		{"nothing is known, and it is free", free, "safe", advise.Opinion{}, all},
		{"nothing is known, and it is taken", taken, "safe", advise.Opinion{}, ""},
		{"known to be safe", taken, "safe", advise.Opinion{Safe: stone}, all},
		{"known to be safe, but it may fill its eye", taken, "safe", advise.Opinion{Safe: stone, Land: mine}, ""},
		{"a dead stone in enemy land", free, "safe", advise.Opinion{Dead: stone, Land: theirs}, ""},
		{"a dead stone that has room", free, "safe", advise.Opinion{Dead: stone}, all},
		{"a stone that is not dead in enemy land", free, "safe", advise.Opinion{Land: theirs}, all},
		{"one that the shape draws is dead", free, "not dead", advise.Opinion{Dead: stone}, "one"},
		{"one that the shape draws is safe", free, "not dead", advise.Opinion{Safe: stone}, all},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := &safety{says: c.says}
			got := said(adviser(t, shape, "all: "+c.rules+" // no\nall: "+c.rules+" or ko", s).Advise(c.p, advise.Ask{}), at, weiqi.Black)
			if got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
			if s.asked != 1 {
				t.Errorf("asked %d times, for two shapes and two rules", s.asked)
			}
		})
	}
}

func TestWho(t *testing.T) {
	p, at := draw(t, `
		. . . . . .
		. . . . . .
		. . X O . .
		. . * X . .
		. . . . . .
		. . . . . .`)
	a := adviser(t, small, "", nil)
	for _, c := range []struct {
		who          advise.Who
		black, white bool
	}{
		{advise.ToMove, true, false}, {advise.Both, true, true}, {advise.First, true, false}, {advise.Second, false, true},
	} {
		list := a.Advise(p, advise.Ask{Who: c.who})
		if got := said(list, at, weiqi.Black) != ""; got != c.black {
			t.Errorf("%v: black is %v", c.who, got)
		}
		white := false
		for _, v := range list {
			white = white || v.Side == weiqi.White
		}
		if white != c.white {
			t.Errorf("%v: white is %v", c.who, white)
		}
	}
}

func TestMerge(t *testing.T) {
	p, at := draw(t, `
		. . . . . .
		. . O . . .
		. . X O . .
		. . * X . .
		. . . . . .
		. . . . . .`)
	points := advise.Merge(adviser(t, small, "", nil).Advise(p, advise.Ask{Refused: true}))
	for i, v := range points {
		if v.Point != at || v.Side != weiqi.Black {
			continue
		}
		if v.Urgency != kb.Important || v.Purpose != kb.Connect|kb.Avoid || !v.Avoid || v.Refused || len(v.Advice) != 3 {
			t.Errorf("%+v", v)
		}
		for _, w := range points[:i] {
			if w.Refused {
				t.Error("a refused point stands before one that is not")
			}
		}
		return
	}
	t.Error("the point is not there")
}

// Without conditions the advice is what a look at every place by itself finds.
func TestOracle(t *testing.T) {
	base := kb.New(kb.Parse("x.shapes", []byte(strings.Replace(small, "overrides wide\n", "", 1))))
	a, err := advise.New(base, advise.Options{})
	if err != nil {
		t.Fatal(err)
	}
	type key struct {
		id   string
		at   board.Point
		side game.Side
	}
	rnd := rand.New(rand.NewPCG(4, 4))
	for range 30 {
		r, err := weiqi.New(weiqi.Options{Size: board.Size{W: 5 + rnd.IntN(5), H: 5 + rnd.IntN(5)}})
		if err != nil {
			t.Fatal(err)
		}
		p := r.Start().(*weiqi.Position)
		for range 30 {
			side, at := game.Side(rnd.IntN(2)), board.At(rnd.IntN(r.Size().W), rnd.IntN(r.Size().H))
			if p.Breathes(side, at) && p.Force(side, game.Drop(at)) != nil {
				t.Fatal("cannot play")
			}
		}
		want := map[key]bool{}
		for own := range game.Side(2) {
			planes := p.Planes()
			if own == game.Second {
				planes = planes.Transform(board.Identity, []board.Piece{2, 1})
			}
			for i := range base.Entries {
				e := &base.Entries[i]
				e.Find(planes, func(to func(kb.Spot) board.Point) bool {
					for _, s := range e.Ours {
						want[key{e.ID, to(s), own}] = true
					}
					for _, s := range e.Theirs {
						want[key{e.ID, to(s), own.Opponent()}] = true
					}
					return true
				})
			}
		}
		list := a.Advise(p, advise.Ask{Who: advise.Both})
		for _, v := range list {
			if k := (key{v.Entry.ID, v.Point, v.Side}); !want[k] {
				t.Fatalf("%+v is said and should not be, or twice", k)
			} else {
				delete(want, k)
			}
		}
		if len(want) > 0 {
			t.Fatalf("not said: %v", want)
		}
	}
}

// TestEachOther: shapes that override each other are both heard, and by id one
// overrides what would override it by term.
func TestEachOther(t *testing.T) {
	const one, two = "shape one\nterms hane\nours a\noverrides %s\ndraw\n  O X\n  a _\n\n", "shape two\nterms diagonal\nours a\noverrides %s\ndraw\n  O _\n  a .\n\n"
	p, at := draw(t, `
		. . . . . .
		. . X O . .
		. . * . . .
		. . . . . .`)
	for _, c := range []struct{ one, two, want string }{
		{"two", "one", "one; two"},
		{"term:diagonal", "term:hane", "one; two"},
		{"two", "term:hane", "one; two refused: replaced by one"},
		{"term:diagonal", "one", "two; one refused: replaced by two"},
	} {
		a := adviser(t, fmt.Sprintf(one+two, c.one, c.two), "", nil)
		if got := said(a.Advise(p, advise.Ask{Refused: true}), at, weiqi.Black); got != c.want {
			t.Errorf("%s and %s: got %q, want %q", c.one, c.two, got, c.want)
		}
	}
}
