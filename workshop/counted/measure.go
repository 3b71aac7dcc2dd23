package counted

import (
	"qipu/board"
	"qipu/game/weiqi/life"
	"qipu/record"
	"qipu/record/score"
)

// Tally adds up how well judgements agree with what is known. Shares are the
// business of who prints it.
type Tally struct {
	Boards int `json:"boards"` // whose owners are known

	// Points are right or wrong by their owner; of the rest nothing was said.
	// GroupsRight counts points that are in the right group: stones whose fate is
	// right, in a group whose strings all share it, and other points whose owner
	// is right.
	Points      int `json:"points"`
	PointsRight int `json:"pointsRight"`
	PointsWrong int `json:"pointsWrong"`
	GroupsRight int `json:"groupsRight"`

	// Strings are right or wrong by whether they stay; of the rest nothing was
	// said. A proof that is wrong is counted among ProvedWrong too; Unclear counts
	// the strings that were said to be so, and UnclearWrong the wrong ones of them.
	Strings      int `json:"strings"`
	StringsRight int `json:"stringsRight"`
	StringsWrong int `json:"stringsWrong"`
	Proved       int `json:"proved"`
	ProvedWrong  int `json:"provedWrong"`
	Unclear      int `json:"unclear"`
	UnclearWrong int `json:"unclearWrong"`

	Scores Scores `json:"scores"`
}

// Scores adds up how far judged scores are from recorded ones.
type Scores struct {
	Games   int `json:"games"` // whose score is known
	Exact   int `json:"exact"`
	Within1 int `json:"within1"` // points
	Within2 int `json:"within2"`
	Over10  int `json:"over10"` // more than ten points off
	Winner  int `json:"winner"` // the right side won
}

// Add adds another tally.
func (t *Tally) Add(u *Tally) {
	t.Boards += u.Boards
	t.Points += u.Points
	t.PointsRight += u.PointsRight
	t.PointsWrong += u.PointsWrong
	t.GroupsRight += u.GroupsRight
	t.Strings += u.Strings
	t.StringsRight += u.StringsRight
	t.StringsWrong += u.StringsWrong
	t.Proved += u.Proved
	t.ProvedWrong += u.ProvedWrong
	t.Unclear += u.Unclear
	t.UnclearWrong += u.UnclearWrong
	t.Scores.Games += u.Scores.Games
	t.Scores.Exact += u.Scores.Exact
	t.Scores.Within1 += u.Scores.Within1
	t.Scores.Within2 += u.Scores.Within2
	t.Scores.Over10 += u.Scores.Over10
	t.Scores.Winner += u.Scores.Winner
}

// ClearWrong returns how many strings of those that were not said to be unclear
// are wrong, and of how many: the honesty of a method.
func (t *Tally) ClearWrong() (wrong, of int) {
	return t.StringsWrong - t.UnclearWrong, t.StringsRight + t.StringsWrong - t.Unclear
}

// Board is the last position of a game with what is known of it.
type Board struct{ score.Board }

// FromRecord reads the board at the end of the main line of a record: see
// [score.FromRecord].
func FromRecord(p *record.Played) (*Board, error) {
	known, err := score.FromRecord(p)
	if err != nil {
		return nil, err
	}
	return &Board{*known}, nil
}

// Compare holds a judgement against what is known of a board; b is the picture of
// its stones. Scores are compared where the judgement speaks of every string:
// a proof has none.
func (c *Board) Compare(b *life.Board, j *life.Judgement) (t Tally) {
	if c.Labelled {
		t.Boards = 1
		c.compareStrings(b, j, &t)
		c.comparePoints(b, j, &t)
	}
	if c.Counted && whole(j) {
		t.Scores.add(c.JudgedLead(j), c.Result)
	}
	return t
}

// whole reports whether a judgement speaks of every string.
func whole(j *life.Judgement) bool {
	for i := range j.Strings {
		if j.Strings[i].Status == life.Unknown {
			return false
		}
	}
	return true
}

func (s *Scores) add(judged, recorded int) {
	s.Games++
	off := max(judged-recorded, recorded-judged)
	for _, is := range []struct {
		n    *int
		true bool
	}{
		{&s.Exact, off == 0}, {&s.Within1, off <= 2}, {&s.Within2, off <= 4}, {&s.Over10, off > 20},
		{&s.Winner, judged == 0 && recorded == 0 || judged > 0 && recorded > 0 || judged < 0 && recorded < 0},
	} {
		if is.true {
			*is.n++
		}
	}
}

// wrong reports whether something false is said of a string.
func (c *Board) wrong(v *life.Verdict) bool {
	return v.Status != life.Unknown && v.Status.Stays() == c.Taken.Has(v.Head)
}

func (c *Board) compareStrings(b *life.Board, j *life.Judgement, t *Tally) {
	t.Strings = len(b.Strings)
	for i := range j.Strings {
		v := &j.Strings[i]
		wrong := c.wrong(v)
		switch {
		case wrong:
			t.StringsWrong++
		case v.Status != life.Unknown:
			t.StringsRight++
		}
		if v.Proved {
			t.Proved++
			if wrong {
				t.ProvedWrong++
			}
		}
		if v.Unclear && v.Status != life.Unknown {
			t.Unclear++
			if wrong {
				t.UnclearWrong++
			}
		}
	}
}

func (c *Board) comparePoints(b *life.Board, j *life.Judgement, t *Tally) {
	t.Points = len(b.On)
	for _, cell := range b.On {
		p := cell.Point()
		right := j.Owner[p] == c.Owner[p]
		switch {
		case right:
			t.PointsRight++
		case j.Owner[p] != life.Nobody:
			t.PointsWrong++
		}
		if right && (b.Stone[cell] == life.Empty || c.together(j, int(b.Of[cell]))) {
			t.GroupsRight++
		}
	}
}

// together reports whether what is said of a string is right, and its group has
// no string of another fate.
func (c *Board) together(j *life.Judgement, i int) bool {
	v := &j.Strings[i]
	if v.Status == life.Unknown || c.wrong(v) {
		return false
	}
	for _, k := range j.Groups[v.Group].Strings {
		if c.Taken.Has(j.Strings[k].Head) != c.Taken.Has(v.Head) {
			return false
		}
	}
	return true
}

// Judgement returns what is known of a board in the form of a judgement, as if a
// method without fault had made it: every string alive or dead, every point with
// its owner. b is the picture of its stones.
func (c *Board) Judgement(b *life.Board) *life.Judgement {
	j := new(life.Judgement)
	j.Begin("counted", b)
	for i := range j.Strings {
		v := &j.Strings[i]
		if v.Status, v.Chance = life.Alive, 1; c.Taken.Has(v.Head) {
			v.Status, v.Chance = life.Dead, 0
		}
		j.Groups[i].Status = v.Status
	}
	j.Owner = c.Owner
	return j
}

// Fold returns which of n parts a board belongs to when methods are trained on
// some parts and measured on the others. It hangs on the stones alone, whichever
// way the board is turned, so that copies of a game stay together.
func (c *Board) Fold(n int) int {
	least := ^uint64(0)
	for _, sym := range c.Setup.Board.Size.Symmetries() {
		least = min(least, c.Setup.Board.Transform(sym, nil).Hash())
	}
	return int(board.Mix(least) % uint64(n))
}
