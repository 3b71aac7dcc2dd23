package life

import (
	"qipu/board"
	"qipu/game"
	"qipu/game/weiqi"
)

// Status is what a method says of a string.
type Status uint8

// What can be said of a string. A string in seki stays on the board, and what it
// surrounds may not count.
const (
	Unknown Status = iota // nothing is said
	Alive
	Dead
	Seki
)

var statusNames = [...]string{"unknown", "alive", "dead", "seki"}

// String returns "unknown", "alive", "dead" or "seki".
func (s Status) String() string { return statusNames[s] }

// Stays reports whether a string of that status stays on the board.
func (s Status) Stays() bool { return s == Alive || s == Seki }

// Owner is whose a point is.
type Owner uint8

// Who may own a point. Those of Black and White are their [Stone]s.
const (
	Nobody       Owner = iota // nothing is said
	OwnedByBlack              // a living stone of Black's, or his territory
	OwnedByWhite
	Neutral // nobody's in the end: dame, and what a seki leaves
)

var ownerNames = [...]string{"unknown", "black", "white", "neutral"}

// String returns "unknown", "black", "white" or "neutral".
func (o Owner) String() string { return ownerNames[o] }

// Verdict is what a method says of one string.
type Verdict struct {
	Head   board.Point // its first stone, row by row
	Side   game.Side
	Stones int
	Group  int // of Judgement.Groups, from 0
	Status Status

	// Proved tells that the status holds whatever is played, as far as the method
	// defines that; Unclear that it is the better guess of two.
	Proved, Unclear bool

	// Chance is how likely the string is to stay on the board, from 0 to 1; 0 or 1
	// where it is proved, and with methods that know no chances.
	Chance float64

	// Steps are the numbers of the steps of the judgement that the status rests
	// on, in their order.
	Steps []int
}

// Group is a set of strings of one side that live or die together.
type Group struct {
	Side    game.Side
	Strings []int // numbers of strings
	Status  Status
	Eyes    float64 // as many eyes as the method sees, in halves
}

// Judgement is what a method says of a board.
type Judgement struct {
	Method  string
	Size    board.Size
	Strings []Verdict
	Groups  []Group
	Steps   []Step

	// Owner tells whose every point is; Open are the points where that hangs on an
	// unclear string.
	Owner [board.MaxPoints]Owner
	Open  board.Plane

	// Early tells that the game is not over: what is not proved is a guess.
	Early bool

	// Guess is what an eye says of the board; nil without one.
	Guess *Guess

	// Fills are points of territory that their owner has to fill in the end: see
	// Protect.
	Fills board.Plane
}

// Guess is how the game looks to one who guesses how it will go on: an opinion.
type Guess struct {
	Black  [board.MaxPoints]float64 // how likely each point is to be Black's in the end
	Win    float64                  // how likely Black is to win
	Lead   float64                  // what Black is expected to lead by, in points
	Spread float64                  // how far from it the end is in the mean
	Count  int                      // the same lead in half points as a game could have it, once the board is counted and played on
}

// Step is one step of a judgement: a rule that was applied. Steps can be shown
// one after the other; each tells all that it changes.
type Step struct {
	Rule Rule
	Side game.Side // whose stones it is about

	// Strings are heads of the strings that it is about; Points are the empty
	// points, and stones of others, that it rests on.
	Strings, Points []board.Point

	// Status is what the strings are from here on; Unknown if that is left open.
	Status Status

	// Count is a number that belongs to the rule: eyes in halves, points of a land.
	Count int

	// Graph is the string graph after the step, with the method that has one.
	Graph *Graph
}

// At returns the verdict on the string with a stone on a point, or nil.
func (j *Judgement) At(b *Board, p board.Point) *Verdict {
	c := CellOf(p)
	if !j.Size.Has(p) || b.Stone[c] == Empty {
		return nil
	}
	return &j.Strings[b.Of[c]]
}

// Begin makes j an empty judgement of a board: every string of unknown status and
// a group of its own.
func (j *Judgement) Begin(method string, b *Board) {
	*j = Judgement{Method: method, Size: b.Size, Strings: j.Strings[:0], Groups: j.Groups[:0]}
	alone := make([]int, len(b.Strings)) // one list for all groups
	for i := range b.Strings {
		s := &b.Strings[i]
		alone[i] = i
		j.Strings = append(j.Strings, Verdict{Head: s.Head.Point(), Side: s.Colour.Side(), Stones: s.Stones, Group: i, Chance: 0.5})
		j.Groups = append(j.Groups, Group{Side: s.Colour.Side(), Strings: alone[i : i+1 : i+1]})
	}
}

// Fill gives every point to its owner once the strings are judged: dead stones are
// taken off, an area beside living stones of one colour alone is that colour's, any
// other is neutral. Strings of unknown status count as living ones.
func (j *Judgement) Fill(b *Board) {
	var alive [2]board.Plane
	unclear := board.Plane{}
	for i := range b.Strings {
		v := &j.Strings[i]
		for _, c := range b.Stones(i) {
			if v.Status != Dead {
				alive[v.Side].Add(c.Point())
			}
			if v.Unclear {
				unclear.Add(c.Point())
			}
		}
	}
	free := b.Size.Full()
	free.AndNot(&alive[0])
	free.AndNot(&alive[1])
	var reach [2]board.Plane
	for side := range reach {
		reach[side] = alive[side].Neighbours(b.Size)
		reach[side] = reach[side].Flood(b.Size, &free)
	}
	j.Open = unclear.Neighbours(b.Size)
	j.Open.Or(&unclear)
	j.Open = j.Open.Flood(b.Size, &free)
	j.Open.Or(&unclear)
	for _, c := range b.On {
		p := c.Point()
		switch black, white := reach[0].Has(p), reach[1].Has(p); {
		case alive[0].Has(p), black && !white:
			j.Owner[p] = OwnedByBlack
		case alive[1].Has(p), white && !black:
			j.Owner[p] = OwnedByWhite
		default:
			j.Owner[p] = Neutral
		}
	}
}

// ScoreOptions returns the strings that are judged dead and those in seki as
// [weiqi.Position.Score] wants to be told.
func (j *Judgement) ScoreOptions() (o weiqi.ScoreOptions) {
	for i := range j.Strings {
		switch v := &j.Strings[i]; v.Status {
		case Dead:
			o.Dead.Add(v.Head)
		case Seki:
			o.Seki.Add(v.Head)
		}
	}
	o.Seki.Or(&j.Fills)
	return o
}
