package score

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"qipu/board"
	"qipu/game"
	"qipu/game/weiqi"
	"qipu/game/weiqi/life"
	"qipu/record"
	"qipu/record/facts"
)

// Board is the last position of a game with what is known of it.
type Board struct {
	Set  string // the folder or archive that it comes from
	Name string // of the file, without its ending, and the game in it if there are several

	// Rules are those of the record: size, rule set, komi, handicap. Named tells
	// that the record names the rule set; otherwise it is the usual one.
	Rules *weiqi.Rules
	Named bool
	Setup game.Setup // stones, turn, ko, prisoners; not to be changed
	Moves int
	Ended bool // by two passes

	// Owner tells whose every point is, and Taken which stones are dead, where
	// Labelled is set. All stones of a string are of one mind.
	Labelled bool
	Owner    [board.MaxPoints]life.Owner
	Taken    board.Plane

	// Result is Black's lead in half points as it was recorded, where Counted is
	// set: negative where White won.
	Result  int
	Counted bool

	inKomi int // half points of the komi that are for handicap stones: see RulesOf
}

// ErrNotGo tells that a record is none of Go, or cannot be played to its end.
var ErrNotGo = errors.New("score: no game of Go that can be played to its end")

// FromRecord reads the board at the end of the main line of a record, with its
// marks and its result, as far as it has any.
func FromRecord(p *record.Played) (*Board, error) {
	r, ok := p.Rules.(*weiqi.Rules)
	if !ok || p.Start.Board == nil || p.Unplayed > 0 {
		return nil, ErrNotGo
	}
	at, err := record.At(p, len(p.Steps))
	if err != nil {
		return nil, fmt.Errorf("score: %w", err)
	}
	b := &Board{Set: setOf(p.Game), Name: nameOf(p.Game), Setup: game.SetupOf(at), Moves: p.Game.Moves()}
	b.Setup.Board = b.Setup.Board.Clone() // lest the whole position be kept for it
	f := &p.Game.Facts
	b.Named = f.Ruleset != ""
	if b.Rules, b.inKomi, err = RulesOf(r.Size(), f); err != nil {
		return nil, fmt.Errorf("score: %w", err)
	}
	if _, err := b.Rules.Arrange(b.Setup); err != nil {
		return nil, fmt.Errorf("score: the last position of %s: %w", b.Name, err)
	}
	if n := len(p.Steps); n >= 2 {
		b.Ended = p.Steps[n-1].Move == game.Pass && p.Steps[n-2].Move == game.Pass
	}
	b.Result, b.Counted = Margin(f.Result)
	b.readMarks(p.Game)
	return b, nil
}

// Margin returns the lead of Black in half points that a result states; ok is
// false where the game was not counted, or not in half points.
func Margin(r facts.Result) (half int, ok bool) {
	twice := 2 * r.Margin
	counted := r.How == facts.Count || r.Verdict == facts.Drawn && r.How == "" // a draw of Go is a count
	if !counted || twice != math.Trunc(twice) || twice > 4*board.MaxPoints {
		return 0, false
	}
	switch {
	case r.Verdict == facts.Drawn:
		return 0, true
	case r.Verdict == facts.FirstWon && twice > 0:
		return int(twice), true
	case r.Verdict == facts.SecondWon && twice > 0:
		return -int(twice), true
	}
	return 0, false
}

// RulesOf returns the rules that a record says it was counted by, the usual ones
// where it says nothing. What White gets for a handicap that the rules have no points
// for, of more than nine stones or on a small board, is put into the komi, and
// returned in half points. It fails for what no rules allow, as a komi beyond reason.
func RulesOf(size board.Size, f *facts.Facts) (r *weiqi.Rules, inKomi int, err error) {
	o := weiqi.Options{Size: size, RuleSet: f.Ruleset}
	if f.Handicap > 1 {
		o.Handicap = f.Handicap
	}
	komi := func(half int) {
		if o.Komi = half; half == 0 {
			o.Komi = weiqi.NoKomi
		}
	}
	if f.Komi.Known {
		komi(f.Komi.Half)
	}
	if r, err = weiqi.New(o); err == nil || o.Handicap == 0 {
		return r, 0, err
	}
	o.Handicap = 0
	if r, err = weiqi.New(o); err != nil {
		return nil, 0, err
	}
	if set := r.RuleSet(); set.Scoring == weiqi.Area {
		switch set.GivesBack {
		case weiqi.EveryStone:
			inKomi = 2 * f.Handicap
		case weiqi.AllButOneStone:
			inKomi = 2 * (f.Handicap - 1)
		}
	}
	half := 1 // as games with a handicap have
	if f.Komi.Known {
		half = f.Komi.Half
	}
	komi(half + inKomi)
	r, err = weiqi.New(o)
	return r, inKomi, err
}

// nameOf names a record by its file, without folders and ending.
func nameOf(g *record.Game) string {
	name := Stem(g.Place.File)
	name = name[strings.LastIndexAny(name, `/\!`)+1:]
	if g.Place.Number > 1 {
		name = fmt.Sprintf("%s#%d", name, g.Place.Number)
	}
	return name
}

// setOf names the folder of a record; a record that is in none is of the set "".
func setOf(g *record.Game) string {
	path := strings.FieldsFunc(g.Place.File, func(r rune) bool { return r == '/' || r == '\\' || r == '!' })
	if len(path) < 2 {
		return ""
	}
	return path[len(path)-2]
}

// Stem returns the path of a file without its ending.
func Stem(path string) string {
	if dot := strings.LastIndexByte(path, '.'); dot > strings.LastIndexAny(path, `/\!`) {
		return path[:dot]
	}
	return path
}

// readMarks labels the board by the marks of the last nodes: all that follow the
// last move or set-up, and that one itself. Marks stand on territory and on dead
// stones; those on living stones, which some programs set, say nothing new.
func (b *Board) readMarks(g *record.Game) {
	var last int32
	for i, n := range g.Main() {
		if n.Move != "" || n.Side != record.Unstated || n.Extra != nil && len(n.Setup) > 0 {
			last = i
		}
	}
	var marks [2]board.Plane
	found := false
	for i, n := range g.Main() {
		if i < last || n.Extra == nil {
			continue
		}
		for _, prop := range n.Props {
			if side := strings.Index("TBTW", prop.Name); len(prop.Name) == 2 && side&1 == 0 && side >= 0 {
				for _, value := range prop.Values {
					found = b.addMark(&marks[side/2], value) || found
				}
			}
		}
	}
	if found {
		b.Label(&marks)
	}
}

// addMark adds the points of a value, one ("dd") or a rectangle of them
// ("aa:cc"), to a set; it is false where there is none.
func (b *Board) addMark(to *board.Plane, value string) bool {
	first, second, area := strings.Cut(value, ":")
	p, ok := sgfPoint(b.Rules.Size(), first)
	if !ok {
		return false
	}
	q := p
	if area {
		if q, ok = sgfPoint(b.Rules.Size(), second); !ok {
			return false
		}
	}
	for y := min(p.Y(), q.Y()); y <= max(p.Y(), q.Y()); y++ {
		for x := min(p.X(), q.X()); x <= max(p.X(), q.X()); x++ {
			to.Add(board.At(x, y))
		}
	}
	return true
}

// sgfPoint reads a point in letters.
func sgfPoint(size board.Size, text string) (board.Point, bool) {
	if len(text) != 2 {
		return 0, false
	}
	x, y := int(text[0])-'a', int(text[1])-'a'
	if x < 0 || y < 0 || x >= size.W || y >= size.H {
		return 0, false
	}
	return board.At(x, y), true
}

// Label takes over marks: a string of which more stones bear the mark of the
// other side than do not is dead, and what is empty is whose mark it bears.
func (b *Board) Label(marks *[2]board.Plane) {
	size := b.Rules.Size()
	b.Labelled, b.Taken = true, board.Plane{}
	var living [2]board.Plane
	for side := range living {
		rest := b.Setup.Board.Of[side]
		for !rest.Empty() {
			var seed board.Plane
			seed.Add(rest.First())
			group := seed.Flood(size, &b.Setup.Board.Of[side])
			rest.AndNot(&group)
			marked := group
			marked.And(&marks[1-side])
			if 2*marked.Count() > group.Count() {
				b.Taken.Or(&group)
			} else {
				living[side].Or(&group)
			}
		}
	}
	for p := range size.Points() {
		switch {
		case living[0].Has(p):
			b.Owner[p] = life.OwnedByBlack
		case living[1].Has(p):
			b.Owner[p] = life.OwnedByWhite
		case b.Taken.Has(p):
			b.Owner[p] = life.OwnedByBlack
			if b.Setup.Board.Of[0].Has(p) {
				b.Owner[p] = life.OwnedByWhite
			}
		case marks[0].Has(p) && !marks[1].Has(p):
			b.Owner[p] = life.OwnedByBlack
		case marks[1].Has(p) && !marks[0].Has(p):
			b.Owner[p] = life.OwnedByWhite
		default:
			b.Owner[p] = life.Neutral
		}
	}
}

// Position returns the board as a position of its own, under its rules.
func (b *Board) Position() *weiqi.Position {
	p, err := b.Rules.Arrange(b.Setup)
	if err != nil {
		panic(err) // FromRecord has arranged it before
	}
	return p.(*weiqi.Position)
}

// Lead returns Black's lead in half points by the labels: what the players have
// counted, if the labels are theirs.
func (b *Board) Lead() int {
	area := b.Rules.RuleSet().Scoring == weiqi.Area
	score := [2]int{}
	for p := range b.Rules.Size().Points() {
		o := b.Owner[p]
		if o != life.OwnedByBlack && o != life.OwnedByWhite {
			continue
		}
		piece := b.Setup.Board.At(p)
		switch {
		case area, piece == board.Empty:
			score[o-1] += 2
		case b.Taken.Has(p):
			score[o-1] += 4 // the point and the prisoner
		}
	}
	if !area {
		score[0] += 2 * b.Setup.Prisoners[0]
		score[1] += 2 * b.Setup.Prisoners[1]
	}
	s := b.Position().Score(weiqi.ScoreOptions{})
	return score[0] - score[1] - s.Komi - s.Handicap
}
