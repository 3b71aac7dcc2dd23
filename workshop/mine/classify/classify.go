// Package classify names moves of Go by how the stones lie around them, as a miner of
// shapes needs it.
package classify

import (
	"slices"

	"qipu/board"
	"qipu/pattern"
	"qipu/pattern/kb"
)

// Facts are what was true of the moves that were played on a good point, each a
// count. What a diagram leaves open, such as liberties, only they can tell.
type Facts struct {
	Plays   int // that were looked at
	Takes   int // stones were taken
	Atari   int // one enemy string was left with one liberty
	Double  int // two or more were
	Rescue  int // an own string in atari was saved
	Joins   int // two or more own strings became one
	Suicide int // the stone's own string was left with one liberty
	Late    int // after move 150
}

// Add adds the counts of other plays.
func (f *Facts) Add(g *Facts) {
	f.Plays += g.Plays
	f.Takes += g.Takes
	f.Atari += g.Atari
	f.Double += g.Double
	f.Rescue += g.Rescue
	f.Joins += g.Joins
	f.Suicide += g.Suicide
	f.Late += g.Late
}

// mostly tells that a count is that of more than half of the plays.
func (f *Facts) mostly(n int) bool { return 2*n > f.Plays }

// nearly tells whether something was true of at least nine plays in ten: so much
// is asked of terms that claim what liberties decide, and a shape does not show.
func (f *Facts) nearly(n int) bool { return 10*n >= 9*f.Plays }

// Terms returns the terms of the move on a point of an entry, the main one
// first and at most two, and what the move is for, from how the stones lie and
// what the plays were like; facts may be nil. There is always a term.
//
// The rules are tried from the most to the least telling, in all pictures:
//
//	double-atari        the plays put two strings in atari, or the stones show it
//	capture             the plays take stones
//	throw-in            a stone that can be taken at once, next to no own stone
//	bridge-under        first or second line, own stones on both sides, an enemy above
//	cut                 next to two enemy stones that an own stone keeps apart
//	solid-connection    next to two own stones that an enemy stone would part
//	bamboo-joint        two pairs face each other across two empty points
//	eye-making          makes an empty point next to it an eye
//	wedge               enemy stones on both sides, no own stone next to it
//	hanging-connection  makes a tiger's mouth: three own stones around an empty point
//	atari               the plays put a string in atari, or the stones show it
//	push-through        an own stone behind, enemy stones on both sides or a knight's move apart
//	clamp               an enemy stone between it and an own stone
//	hane-at-head-of-two in front of two enemy stones that run along two own ones
//	turn                around the end of an enemy stone, own stones in an angle
//	block               in front of an enemy stone, own stones at both sides of the way
//	hane                diagonal to an own stone, around the enemy stone next to both
//	bump                between an own stone and an enemy stone in its way
//	descent             from an own stone straight down towards the edge
//	crawl               along the edge from an own stone, under an enemy stone
//	push                along the top of enemy stones, next to an own stone
//	stretch             next to an own stone
//	peep                next to the gap between two enemy stones
//	eye-stealing        next to an empty point that is the enemy's eye otherwise
//	placement           among enemy stones, no own stone next to it
//	underneath-attachment, attachment  next to an enemy stone, below it or not
//	diagonal, one-space-jump, knights-move, elephant-jump  by the nearest own stone
//	shoulder-hit, cap, approach  by the nearest enemy stone
//	invasion            none of these
func Terms(e *kb.Entry, at kb.Spot, facts *Facts) (terms []string, purpose kb.Purpose) {
	known := facts != nil && facts.Plays > 0
	if !known {
		facts = new(Facts)
	}
	for _, r := range rules {
		if r.of != nil && known {
			if r.of(facts) {
				terms = append(terms, r.term)
			}
			continue
		}
		for sym := range board.NumSymmetries {
			if p := (sight{e: e, at: at, sym: sym}); r.holds(&p) {
				terms = append(terms, r.term)
				break
			}
		}
	}
	terms = append(terms, "invasion")
	// Further terms are named where they stand for something else than the main
	// one: what the move does to liberties, not where it lies.
	main := terms[0]
	purpose = purposes[main]
	out := []string{main}
	for _, t := range terms[1:] {
		if len(out) < 2 && slices.Contains(second[main], t) {
			out = append(out, t)
			purpose |= purposes[t]
		}
	}
	for _, f := range []struct {
		n       int
		purpose kb.Purpose
	}{{facts.Takes, kb.Capture}, {facts.Rescue, kb.Rescue}, {facts.Late, kb.Endgame}} {
		if facts.mostly(f.n) {
			purpose |= f.purpose
		}
	}
	return out, purpose
}

// second lists which terms may stand behind a main one.
var second = map[string][]string{
	"cut":                {"atari", "push-through", "hane"},
	"solid-connection":   {"atari", "cut", "push-through", "block"},
	"hanging-connection": {"hane", "block", "atari"},
	"atari":              {"hane", "block", "turn", "stretch", "attachment", "bump", "push", "descent", "crawl"},
	"capture":            {"solid-connection", "cut", "eye-making"},
	"double-atari":       {"cut"},
	"eye-making":         {"descent", "solid-connection", "diagonal", "stretch"},
	"push-through":       {"stretch"},
	"hane":               {"descent"},
	"bump":               {"stretch"},
	"block":              {"hane", "solid-connection"},
}

// purposes are what terms are usually for.
var purposes = map[string]kb.Purpose{
	"double-atari": kb.Capture | kb.Cut, "capture": kb.Capture, "throw-in": kb.Capture | kb.TakeEye, "bridge-under": kb.Connect,
	"cut": kb.Cut, "solid-connection": kb.Connect, "bamboo-joint": kb.Connect, "eye-making": kb.MakeEye,
	"hanging-connection": kb.Connect | kb.MakeEye, "atari": kb.Capture, "push-through": kb.Cut | kb.BreakOut, "wedge": kb.Cut,
	"clamp": kb.TakeEye, "hane-at-head-of-two": kb.Seal | kb.Press, "turn": kb.Seal | kb.Press, "block": kb.Seal, "hane": kb.Seal | kb.Press,
	"bump": kb.Press, "descent": kb.Connect | kb.MakeEye | kb.Endgame, "crawl": kb.Expand | kb.MakeEye, "push": kb.Seal | kb.Press,
	"stretch": kb.Connect | kb.Expand, "peep": kb.Cut, "eye-stealing": kb.TakeEye, "placement": kb.TakeEye,
	"underneath-attachment": kb.MakeEye, "attachment": kb.Press, "diagonal": kb.Connect | kb.BreakOut,
	"one-space-jump": kb.BreakOut | kb.Expand, "knights-move": kb.BreakOut | kb.Expand, "elephant-jump": kb.Expand,
	"shoulder-hit": kb.Press, "cap": kb.Seal | kb.Press, "approach": kb.Press, "invasion": kb.Invade,
}

// rule is how a term is told. What facts tell is taken from them where there are
// some.
type rule struct {
	term  string
	holds func(p *sight) bool
	of    func(f *Facts) bool
}

var rules = []rule{
	{"double-atari", func(p *sight) bool { return p.ataris() > 1 }, func(f *Facts) bool { return f.nearly(f.Double) }},
	{"capture", func(p *sight) bool { return p.takes() }, func(f *Facts) bool { return f.nearly(f.Takes) }},
	{"throw-in", func(p *sight) bool { return p.thrown() }, func(f *Facts) bool { return f.nearly(f.Suicide) && !f.mostly(f.Takes) }},
	{"bridge-under", func(p *sight) bool {
		return p.low() && (p.own(-1, 0) || p.own(-2, 0) || p.own(-1, -1)) && (p.own(1, 0) || p.own(2, 0) || p.own(1, -1)) && p.enemy(0, -1) && !(p.own(-1, 0) && p.own(1, 0))
	}, nil},
	{"cut", func(p *sight) bool {
		return p.enemy(0, -1) && (p.enemy(1, 0) && p.own(1, -1) || p.enemy(0, 1) && p.own(-1, 0) && p.own(1, 0)) && p.owns() < 3
	}, nil},
	{"solid-connection", func(p *sight) bool {
		return p.own(0, -1) && (p.own(1, 0) && p.enemy(1, -1) || p.own(0, 1) && (p.enemy(1, 0) || p.enemy(-1, 0)))
	}, nil},
	{"bamboo-joint", func(p *sight) bool {
		return p.own(1, 0) && p.own(0, 2) && p.own(1, 2) && p.free(0, 1) && p.free(1, 1)
	}, nil},
	{"eye-making", func(p *sight) bool {
		return p.free(0, -1) && p.wall(-1, -1, kb.Own) && p.wall(1, -1, kb.Own) && p.wall(0, -2, kb.Own)
	}, nil},
	{"wedge", func(p *sight) bool { return p.enemy(-1, 0) && p.enemy(1, 0) && p.owns() == 0 }, nil},
	{"hanging-connection", func(p *sight) bool {
		return p.free(0, -1) && (p.own(1, -1) && (p.own(0, -2) || p.own(-1, -1)))
	}, nil},
	{"solid-connection", func(p *sight) bool { return false }, func(f *Facts) bool { return f.mostly(f.Joins) }},
	{"atari", func(p *sight) bool { return p.ataris() == 1 }, func(f *Facts) bool { return f.nearly(f.Atari + f.Double) }},
	{"push-through", func(p *sight) bool {
		return p.own(0, 1) && p.enemy(-1, 0) && (p.enemy(1, 0) && !p.enemy(0, -1) || p.enemy(1, -1) && p.free(0, -1) && p.free(1, 0))
	}, nil},
	{"clamp", func(p *sight) bool {
		return p.enemy(0, -1) && p.own(0, -2) && p.owns() == 0 && !p.own(1, -1) && !p.own(-1, -1)
	}, nil},
	{"hane-at-head-of-two", func(p *sight) bool {
		return p.enemy(0, 1) && p.enemy(0, 2) && p.own(1, 1) && p.own(1, 2) && !p.own(1, 0)
	}, nil},
	{"turn", func(p *sight) bool { return p.own(0, 1) && p.own(1, 1) && p.enemy(1, 0) }, nil},
	{"block", func(p *sight) bool {
		return p.enemy(0, -1) && p.own(1, -1) && !p.own(1, 0) && (p.own(-1, -1) || p.own(-1, 0) || p.own(-2, 0) || p.own(-1, 1) || p.off(-1, 0))
	}, nil},
	{"hane", func(p *sight) bool { return p.own(1, 1) && p.enemy(0, 1) && !p.own(1, 0) }, nil},
	{"bump", func(p *sight) bool { return p.own(0, 1) && p.enemy(0, -1) }, nil},
	{"descent", func(p *sight) bool {
		return p.own(0, -1) && (p.off(0, 1) || p.off(0, 2)) && !p.own(-1, 0) && !p.own(1, 0)
	}, nil},
	{"crawl", func(p *sight) bool {
		return p.own(-1, 0) && (p.enemy(0, -1) || p.enemy(-1, -1)) && (p.off(0, 1) || p.off(0, 2))
	}, nil},
	{"push", func(p *sight) bool { return p.own(-1, 0) && p.enemy(0, 1) && p.enemy(-1, 1) }, nil},
	{"stretch", func(p *sight) bool { return p.own(0, 1) }, nil},
	{"eye-stealing", func(p *sight) bool {
		return p.free(0, -1) && p.wall(-1, -1, kb.Enemy) && p.wall(1, -1, kb.Enemy) && p.wall(0, -2, kb.Enemy)
	}, nil},
	{"peep", func(p *sight) bool {
		return !p.stone(0, -1) && p.enemy(-1, -1) && (p.enemy(1, -1) || p.enemy(0, -2)) && !p.enemy(-1, 0)
	}, nil},
	{"placement", func(p *sight) bool { return p.enemies() > 4 }, nil},
	{"underneath-attachment", func(p *sight) bool { return p.enemy(0, -1) && (p.off(0, 1) || p.off(0, 2)) }, nil},
	{"attachment", func(p *sight) bool { return p.enemy(0, -1) }, nil},
	{"diagonal", func(p *sight) bool { return p.own(1, 1) && !p.stone(1, 0) && !p.stone(0, 1) }, nil},
	{"one-space-jump", func(p *sight) bool { return p.own(0, 2) && !p.stone(0, 1) }, nil},
	{"knights-move", func(p *sight) bool { return p.own(1, 2) && !p.stone(0, 1) }, nil},
	{"elephant-jump", func(p *sight) bool { return p.own(2, 2) && !p.stone(1, 1) }, nil},
	{"shoulder-hit", func(p *sight) bool { return p.enemy(1, 1) }, nil},
	{"cap", func(p *sight) bool { return p.enemy(0, 2) }, nil},
	{"approach", func(p *sight) bool { return p.enemy(1, 2) }, nil},
}

// sight is a diagram seen from a point of it, turned.
type sight struct {
	e   *kb.Entry
	at  kb.Spot
	sym board.Symmetry
}

// set returns what the point x columns right and y rows below may be.
func (p *sight) set(x, y int) pattern.Set {
	x, y = p.sym.Step(x, y)
	return p.e.At(int(p.at.X)+x, int(p.at.Y)+y)
}

func (p *sight) own(x, y int) bool   { return p.set(x, y) == kb.Own }
func (p *sight) enemy(x, y int) bool { return p.set(x, y) == kb.Enemy }
func (p *sight) off(x, y int) bool   { return p.set(x, y) == pattern.Off }
func (p *sight) free(x, y int) bool  { return p.set(x, y) == pattern.Empty }
func (p *sight) stone(x, y int) bool { return p.set(x, y)&^(kb.Own|kb.Enemy) == 0 }

// low tells that the point lies on the first or second line from the edge below.
func (p *sight) low() bool { return p.off(0, 1) || p.off(0, 2) }

// wall tells that a point is of a side, or outside the board.
func (p *sight) wall(x, y int, side pattern.Set) bool {
	return p.set(x, y)&^(side|pattern.Off) == 0
}

// next are the steps to the four neighbours.
var next = [4][2]int{{0, -1}, {1, 0}, {0, 1}, {-1, 0}}

// owns counts own stones next to the point.
func (p *sight) owns() (n int) {
	for _, d := range next {
		if p.own(d[0], d[1]) {
			n++
		}
	}
	return n
}

// enemies counts the enemy stones within two points; none where own stones are
// next to the point.
func (p *sight) enemies() (n int) {
	if p.owns() > 0 {
		return 0
	}
	for y := -2; y <= 2; y++ {
		for x := -2; x <= 2; x++ {
			if p.enemy(x, y) {
				n++
			}
		}
	}
	return n
}

// liberties returns how many liberties the string of a stone may have at most,
// the point itself among them, and marks its stones; -1 where the diagram leaves
// the string open.
func (p *sight) liberties(x, y int, side pattern.Set, marked map[[2]int]bool) int {
	free := map[[2]int]bool{}
	todo := [][2]int{{x, y}}
	marked[[2]int{x, y}] = true
	for len(todo) > 0 {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, d := range next {
			q := [2]int{s[0] + d[0], s[1] + d[1]}
			set := p.set(q[0], q[1])
			switch {
			case set == side:
				if !marked[q] {
					marked[q] = true
					todo = append(todo, q)
				}
			case set&side != 0:
				return -1
			case set&pattern.Empty != 0:
				free[q] = true
			}
		}
	}
	return len(free)
}

// ataris counts the enemy strings that a stone leaves one liberty.
func (p *sight) ataris() int { return p.strings(2) }

// takes tells whether the stone takes one.
func (p *sight) takes() bool { return p.strings(1) > 0 }

func (p *sight) strings(liberties int) (n int) {
	marked := map[[2]int]bool{}
	for _, d := range next {
		if !marked[d] && p.enemy(d[0], d[1]) && p.liberties(d[0], d[1], kb.Enemy, marked) == liberties {
			n++
		}
	}
	return n
}

// thrown tells whether a stone could be taken at once, with no own stone next to
// it.
func (p *sight) thrown() bool {
	free, walls := 0, 0
	for _, d := range next {
		switch set := p.set(d[0], d[1]); {
		case set&^(kb.Enemy|pattern.Off) == 0:
			walls++
		case set == pattern.Empty:
			free++
		}
	}
	return free == 1 && walls == 3 && p.strings(1) == 0
}
