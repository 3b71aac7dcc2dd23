package counted

import (
	"slices"

	"qipu/board"
	"qipu/game"
	"qipu/game/weiqi/life"
)

// Class is a kind of mistake. Which one a string belongs to is told from the
// stones around it alone, by rules that are cheap and rough: they say where to
// look, and prove nothing.
type Class string

// The classes, in the order in which they are tried: the first that fits counts.
// The first four and the one of cut strings are what the authors of the string
// graph say that it fails at.
const (
	// OpenKo: a stone that can be taken back and forth, and that touches the
	// string or is part of it.
	OpenKo Class = "ko"
	// Squeeze: a string with three liberties or less was said to live and is
	// dead, or was said to be dead and lives, beside one or two enemy stones in
	// atari: a throw-in, which takes liberties when it is taken.
	Squeeze Class = "squeeze"
	// InSeki: it stays on the board beside an enemy string that does so too, with
	// which it shares an area of at most three points, and was said to be dead;
	// or it was said to be in seki, and is dead.
	InSeki Class = "seki"
	// Race: beside it is an enemy string of which something wrong is said too,
	// the opposite: one of them takes the other, and the method has it the wrong
	// way round.
	Race Class = "race"
	// Reinforcement: a move is missing that the owner would make in time. The
	// string stays, and it or one that stays and has a liberty in common with it
	// has a single liberty; or it is dead, and that holds of an enemy beside it.
	Reinforcement Class = "reinforcement"
	// Invader: at most six stones said to live in areas of twenty points or more,
	// and dead: a framework that the method takes for open.
	Invader Class = "invader"
	// CutOff: it stays, was said to be dead, and is cut from a string of its side
	// that stays by enemy stones on a diagonal; or it is dead, and was said to
	// live in a group with a string that stays.
	CutOff Class = "cut"
	// Other is all else.
	Other Class = "other"
)

// Classes are the classes in their order.
var Classes = []Class{OpenKo, Squeeze, InSeki, Race, Reinforcement, Invader, CutOff, Other}

// Mistake is a string of which something false was said.
type Mistake struct {
	Head    board.Point
	Side    game.Side
	Stones  int
	Said    life.Status
	Unclear bool
	Proved  bool
	Class   Class
}

// Mistakes appends the strings of which a judgement says something false.
func (c *Board) Mistakes(dst []Mistake, b *life.Board, j *life.Judgement) []Mistake {
	if !c.Labelled {
		return dst
	}
	for i := range j.Strings {
		if v := &j.Strings[i]; c.wrong(v) {
			dst = append(dst, Mistake{v.Head, v.Side, v.Stones, v.Status, v.Unclear, v.Proved, c.class(b, j, i)})
		}
	}
	return dst
}

func (c *Board) class(b *life.Board, j *life.Judgement, i int) Class {
	for _, k := range []struct {
		class Class
		is    func(*life.Board, *life.Judgement, int) bool
	}{
		{OpenKo, c.openKo}, {Squeeze, c.squeeze}, {InSeki, c.inSeki}, {Race, c.race},
		{Reinforcement, c.reinforcement}, {Invader, c.invader}, {CutOff, c.cutOff},
	} {
		if k.is(b, j, i) {
			return k.class
		}
	}
	return Other
}

// stays reports whether a string stays on the board.
func (c *Board) stays(b *life.Board, i int) bool { return !c.Taken.Has(b.Strings[i].Head.Point()) }

// openKo looks for a single stone in atari, the string itself or an enemy beside
// it or beside its liberties, which is taken by a stone that is then single and in
// atari.
func (c *Board) openKo(b *life.Board, _ *life.Judgement, i int) bool {
	if koStone(b, i) {
		return true
	}
	for _, k := range b.Enemies(i) {
		if koStone(b, int(k)) {
			return true
		}
	}
	for _, l := range b.Liberties(i) {
		for _, step := range life.Steps {
			if at := l + step; b.Stone[at] == life.Black || b.Stone[at] == life.White {
				if k := int(b.Of[at]); koStone(b, k) {
					return true
				}
			}
		}
	}
	return false
}

// koStone reports whether a string is a stone that can be taken in a ko.
func koStone(b *life.Board, i int) bool {
	s, free := &b.Strings[i], b.Liberties(i)
	if s.Stones != 1 || len(free) != 1 {
		return false
	}
	for _, step := range life.Steps {
		if at := b.Stone[free[0]+step]; at != life.Wall && at != s.Colour {
			return false
		}
	}
	return true
}

func (c *Board) squeeze(b *life.Board, _ *life.Judgement, i int) bool {
	if len(b.Liberties(i)) > 3 {
		return false
	}
	for _, k := range b.Enemies(i) {
		if b.Strings[k].Stones <= 2 && len(b.Liberties(int(k))) == 1 {
			return true
		}
	}
	return false
}

func (c *Board) inSeki(b *life.Board, j *life.Judgement, i int) bool {
	if !c.stays(b, i) {
		return j.Strings[i].Status == life.Seki
	}
	for _, a := range b.AreasOf(i) {
		if b.Areas[a].Size > 3 {
			continue
		}
		for _, k := range b.StringsOf(int(a)) {
			if b.Strings[k].Colour != b.Strings[i].Colour && c.stays(b, int(k)) {
				return true
			}
		}
	}
	return false
}

func (c *Board) race(b *life.Board, j *life.Judgement, i int) bool {
	for _, k := range b.Enemies(i) {
		if c.wrong(&j.Strings[k]) && c.stays(b, int(k)) != c.stays(b, i) {
			return true
		}
	}
	return false
}

func (c *Board) reinforcement(b *life.Board, _ *life.Judgement, i int) bool {
	owes := func(k int) bool { return c.stays(b, k) && len(b.Liberties(k)) == 1 }
	if !c.stays(b, i) {
		return slices.ContainsFunc(b.Enemies(i), func(k int16) bool { return owes(int(k)) })
	}
	if owes(i) {
		return true
	}
	for _, l := range b.Liberties(i) {
		for _, step := range life.Steps {
			if at := l + step; b.Stone[at] == b.Strings[i].Colour && owes(int(b.Of[at])) {
				return true
			}
		}
	}
	return false
}

func (c *Board) invader(b *life.Board, _ *life.Judgement, i int) bool {
	size := 0
	for _, a := range b.AreasOf(i) {
		size += b.Areas[a].Size
	}
	return !c.stays(b, i) && b.Strings[i].Stones <= 6 && size >= 20
}

func (c *Board) cutOff(b *life.Board, j *life.Judgement, i int) bool {
	s := &b.Strings[i]
	if !c.stays(b, i) {
		for _, k := range j.Groups[j.Strings[i].Group].Strings {
			if c.stays(b, k) {
				return true
			}
		}
		return false
	}
	for _, at := range b.Stones(i) {
		for _, v := range [2]life.Cell{life.Up, life.Down} {
			for _, h := range [2]life.Cell{life.Left, life.Right} {
				own := at + v + h
				cut := b.Stone[at+v] == s.Colour.Other() || b.Stone[at+h] == s.Colour.Other()
				if cut && b.Stone[own] == s.Colour && int(b.Of[own]) != i && c.stays(b, int(b.Of[own])) {
					return true
				}
			}
		}
	}
	return false
}
