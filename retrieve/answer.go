package retrieve

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"qipu/game"
	"qipu/index"
	"qipu/interval"
	"qipu/pattern"
	"qipu/query"
	"qipu/record/facts"
)

// Score counts games, or occurrences, by their results. First and Second are
// the sides of the pattern as it was drawn: in an occurrence with the sides
// exchanged, so are these.
type Score struct {
	Count  int `json:"count"`
	First  int `json:"first"`  // won by the first side
	Second int `json:"second"` // won by the second side
	Draws  int `json:"draws"`

	FirstDay int32 `json:"-"` // ordinal of the earliest day; 0 where no date is known
	LastDay  int32 `json:"-"`

	// FirstSpan and LastSpan are the days that the date of the game spans which
	// set FirstDay or LastDay, less one: 0 where the day is known, 364 where
	// only the year is. Of several games it is the best known.
	FirstSpan int32 `json:"-"`
	LastSpan  int32 `json:"-"`

	ratings, rated int64
}

// add counts one more.
func (s *Score) add(r index.Result, day, last int32, swapped bool) {
	s.Count++
	s.result(r, swapped)
	if day != 0 {
		s.date(day, last-day, last, last-day)
	}
}

// result counts how a game ended.
func (s *Score) result(r index.Result, swapped bool) {
	switch {
	case r == index.Draw:
		s.Draws++
	case r == index.FirstWon && !swapped || r == index.SecondWon && swapped:
		s.First++
	case r == index.FirstWon || r == index.SecondWon:
		s.Second++
	}
}

// date takes the days between which something was played, and how well they are
// known.
func (s *Score) date(first, firstSpan, last, lastSpan int32) {
	if s.FirstDay == 0 || first < s.FirstDay || first == s.FirstDay && firstSpan < s.FirstSpan {
		s.FirstDay, s.FirstSpan = first, firstSpan
	}
	if last > s.LastDay || last == s.LastDay && lastSpan < s.LastSpan {
		s.LastDay, s.LastSpan = last, lastSpan
	}
}

func (s *Score) rate(rating uint16) {
	if rating > 0 {
		s.ratings += int64(rating)
		s.rated++
	}
}

// merge adds another score.
func (s *Score) merge(o *Score) {
	if o.FirstDay != 0 {
		s.date(o.FirstDay, o.FirstSpan, o.LastDay, o.LastSpan)
	}
	s.Count, s.First, s.Second, s.Draws = s.Count+o.Count, s.First+o.First, s.Second+o.Second, s.Draws+o.Draws
	s.ratings, s.rated = s.ratings+o.ratings, s.rated+o.rated
}

// Rating returns the mean rating of those who chose so; 0 where none is known.
func (s *Score) Rating() int {
	if s.rated == 0 {
		return 0
	}
	return int((s.ratings + s.rated/2) / s.rated)
}

// Rate returns the share of points that the first side made in games with a
// result, a draw counting half, and the 95 % interval of Wilson around it. Where
// no result is known, the rate is 0 and the interval is everything.
func (s *Score) Rate() (rate, low, high float64) {
	return wilson(float64(s.First)+float64(s.Draws)/2, float64(s.First+s.Second+s.Draws))
}

// Since and Until return the earliest and the latest date, as well as they are
// known: a day, a month or a year; "" where there is none.
func (s *Score) Since() string {
	return boundText(s.FirstDay, s.FirstDay, s.FirstDay+s.FirstSpan)
}

// Until is the counterpart of Since.
func (s *Score) Until() string { return boundText(s.LastDay, s.LastDay-s.LastSpan, s.LastDay) }

// boundText returns one of two days that bound a date: the day, or the month or
// year where the date spans whole ones.
func boundText(day, from, to int32) string {
	if day == 0 {
		return ""
	}
	d := facts.DayOf(int(day))
	first, behind := facts.DayOf(int(from)), facts.DayOf(int(to)+1)
	switch {
	case from == to, first.Day != 1, behind.Day != 1:
	case first.Month == 1 && behind.Month == 1:
		d.Month, d.Day = 0, 0
	default:
		d.Day = 0
	}
	return d.String()
}

// Continuation is a move that came next, in the frame of the pattern. Moves that
// a symmetry of the pattern itself takes to each other are one continuation: the
// four first moves on a star point of the empty board, for instance, if Mirror
// is asked for. Then Move is one of them, and where that symmetry exchanges the
// sides, the results are those of the side that Move is of.
type Continuation struct {
	// Score has the number of occurrences in Count. Results and ratings count
	// once for each game, however often the move was played in it: occurrences
	// in one game tell no more about it than one. Where either side played it,
	// the earliest time counts, and of two at one ply that of the first side.
	Score
	Games int // in which it was played

	// Move is the first move behind the occurrence that ended in the region:
	// points count from its top left corner. A piece that comes from outside the
	// region counts as dropped. Of a set-up that puts several pieces there, the
	// one on the first point counts. Where the region is the whole board, Move
	// is the very next move, Pass for a pass and for a set-up that adds no piece
	// or several.
	Move game.Move
	Side game.Side // who played it, as drawn

	// Direct is how often it was the very next move of the game; otherwise it
	// came later, after play elsewhere.
	Direct int

	// Reached is how many games reach the position behind the move, by this
	// move or another order of moves. Explore alone counts it. It is -1 for a
	// pass, and where the move cannot be played in the position as given: it is
	// against the rules, or the other side's.
	Reached int
}

// Row is a game that was found.
type Row struct {
	Game        uint32
	Ply         int32 // of the first occurrence of the focus; -1 where there is none
	Occurrences int32 // of the focus

	// Symmetry takes the pattern as drawn to its first occurrence, whose region
	// has its top left corner in column X and row Y. Of several at the same
	// ply it is any.
	Symmetry  game.Symmetry
	X, Y      int8
	Variation bool // the first occurrence is in a line beside the main one, and none so early in that

	Day    int32
	Rating uint16 // the higher of both
	Rank   int8   // the higher of both, as in index.Facts
	Result index.Result

	// Likeness is how like the board is to that of a fuzzy query, at its best
	// moment, and Differences what it has otherwise. Others is how many pieces
	// more stand in the region than the query asks for, and Plies the number of
	// positions that are as like in pictures of the same rank (see
	// pattern.Rank). Ply is the first of those with the fewest others.
	Likeness    float64
	Others      int32
	Plies       int32
	Differences []pattern.Difference

	// All lists every occurrence, where the request asks for them: those of the
	// main line first, and then by ply.
	All []Occurrence

	// rank is that of the picture in which the board is alike; batch and like
	// tell which board it is until the page is known and Differences are made.
	rank  uint8
	batch *index.Batch
	like  interval.Like

	last  int32 // the last day that the game may have been played on
	plies int32
	whose uint8     // the side of the player whom the query names: 1, 2, or 0
	keys  [2]string // of the groups that it belongs to
}

// join adds further occurrences of the same game, in another of its lines or
// another picture.
func (r *Row) join(o *Row) {
	r.Occurrences += o.Occurrences
	r.All = append(r.All, o.All...)
	n := cmp.Or(cmp.Compare(o.Likeness, r.Likeness), cmp.Compare(r.rank, o.rank))
	switch { // positions that are as like count together
	case n > 0:
		r.Plies = o.Plies
	case n == 0:
		r.Plies += o.Plies
	}
	switch n = cmp.Or(n, cmp.Compare(r.Others, o.Others)); { // the best moment counts, and of equals the first
	case n < 0:
		return
	case n > 0:
		r.Likeness, r.rank, r.Others, r.Ply = o.Likeness, o.rank, o.Others, -1
	}
	if o.Ply >= 0 && (r.Ply < 0 || o.Ply < r.Ply || o.Ply == r.Ply && r.Variation && !o.Variation) {
		r.Ply, r.Symmetry, r.X, r.Y, r.Variation = o.Ply, o.Symmetry, o.X, o.Y, o.Variation
		r.batch, r.like = o.batch, o.like
	}
}

// Occurrence is one place of a pattern in one line of a game, at the first ply
// at which it holds. Pictures of the pattern that are the same in all but the
// side to move are one occurrence, at the earlier ply.
type Occurrence struct {
	Ply       int
	Symmetry  game.Symmetry
	X, Y      int
	Variation bool // it is in a line beside the main one
}

func sortOccurrences(list []Occurrence) {
	slices.SortStableFunc(list, func(x, y Occurrence) int {
		if x.Variation != y.Variation {
			if y.Variation {
				return -1
			}
			return 1
		}
		return cmp.Compare(x.Ply, y.Ply)
	})
}

// Answer is what a query found. What it says of occurrences is said of those of
// the focus: the first part of the query that is about boards and not negated.
// Those of a mark are its intervals, in which the sides are exchanged if its owner
// is the second one.
type Answer struct {
	Games int // games found
	Hits  int // occurrences, in all lines of all of them
	Score     // of the games: sides as drawn, as the first occurrence in each lies

	// Colours is the score of the games by the sides that they had, whichever
	// way the board of the query lies in them.
	Colours Score

	// Whose is the score of the player whom the query names: First are that
	// player's wins. Nil where it names none, or several.
	Whose *Score
	Named string // the text that named the player

	Groups []Group // of the games, where the request asks for them
	Tree   *Node   // of the continuations, where the request asks for it

	Rows []Row  // a page of the games
	Next string // cursor of the next page; empty where there is none

	// Continuations are the next moves in the region, the most frequent first.
	Continuations []Continuation
	Elsewhere     int // occurrences behind which the next move was outside the region (tenuki)
	Ended         int // occurrences behind which no move came in the region any more

	Explain Explain

	// Scanned are the names of marks that no column is kept of in some tables,
	// rising: their lines were walked along, which takes long.
	Scanned []string

	// Partial tells that not all of the store was asked.
	Partial bool

	// Cut tells that the work which one request may have ended before the games did:
	// Explain has how many lines were looked at, and how many there are.
	Cut bool
}

// Explain tells how an answer came about.
type Explain struct {
	Query   Text          `json:"query"`
	Plan    Text          `json:"plan"`
	Places  int           `json:"placements"` // ways in which the pattern lies on the board
	Pages   int           `json:"blocks"`     // of lines that were read; of a look-up, lists of postings
	Lines   int64         `json:"candidates"` // lines that the index let through
	Total   int64         `json:"lines"`      // lines that there are
	Work    interval.Work `json:"-"`
	Boards  int64         `json:"verified"` // lines whose intervals were intersected
	Elapsed time.Duration `json:"-"`
	First   time.Duration `json:"-"` // until the rows of the first page were known
}

// Text is a text that is made when somebody wants to see it: writing down a
// position costs more than finding it.
type Text struct{ Of fmt.Stringer }

// String returns the text.
func (t Text) String() string {
	if t.Of == nil {
		return ""
	}
	return t.Of.String()
}

// MarshalText returns the text.
func (t Text) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// Player returns the name of the player whose score is Whose, as the query has
// it.
func (a *Answer) Player() string {
	if q, err := query.Parse(a.Named); err == nil {
		if f, ok := q.(query.Field); ok {
			return f.Value
		}
	}
	return a.Named
}
