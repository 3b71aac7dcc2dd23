package sight

import (
	"cmp"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"strings"

	"qipu/board"
	"qipu/game"
	"qipu/game/weiqi"
)

// Course is what a net says of a whole game: of each of its positions, and when groups
// died. It is an opinion.
type Course struct {
	Net     string   // whose
	Version string   // tells it from others of that name
	Depth   int      // doublings of visits: 1 for one look at each position
	Moments []Moment // of the position before the first move, behind it, and so on
	Falls   []Fall   // by ply
}

// Moment is what the net says of one position.
type Moment struct {
	Lead                float64 // of Black, in points; komi counts
	Win                 float64 // chance of Black
	Black, White, Clear float64 // points that either is expected to have, and the share of all points of which the net is sure
}

// Fall is a group that was alive, died at a ply, and did not come back.
type Fall struct {
	Ply    int
	Side   game.Side // whose group it was
	At     board.Point
	Stones int
	Taken  bool // it was captured then
}

// CourseDepth is how deep a net looks for a course: once at each position.
const CourseDepth = 1

// What a group needs to have fallen: less than half a chance from then on, in the
// end no more than slight, and so many stones.
const (
	slight     = .2
	sureOwner  = .9
	leastGroup = 2
)

// stone is one of the game, from the ply when it came to that when it was gone.
type stone struct {
	at       board.Point
	side     game.Side
	from, to int // it stands behind these plies; to is -1 as long as it does
	lives    int // the last ply at which it had half a chance; -1 for never
	last     float64
}

// Course looks at each position of a game: its start, which is left as it was, and
// the moves from there. Where a move cannot be made the course ends. between is called
// before each look and ends the course by an error; it may be nil.
func (e *Eye) Course(start *weiqi.Position, moves []game.Move, between func() error) (*Course, error) {
	p := start.Copy().(*weiqi.Position)
	size := p.Planes().Size
	if !Sees(size) {
		return nil, ErrSize
	}
	c := &Course{Net: e.Net(size), Version: e.Version(size), Depth: CourseDepth, Moments: make([]Moment, 0, len(moves)+1)}
	var (
		s      Sight
		last   []board.Point
		stones []stone
		here   [board.MaxPoints]int // the number of the stone on a point, from 1
		had    [board.MaxPoints]bool
		group  []board.Point
	)
	for ply := 0; ; ply++ {
		if between != nil {
			if err := between(); err != nil {
				return nil, err
			}
		}
		e.look(&s, p, last, 0)
		black := func(at board.Point) float64 {
			x := s.Owner[at.Y()*size.W+at.X()]
			if p.Turn() == weiqi.White {
				return 1 - x
			}
			return x
		}
		c.Moments = append(c.Moments, momentOf(&s, p.Turn()))

		// Stones that are gone, and those that came.
		for y := range size.H {
			for x := range size.W {
				at := board.At(x, y)
				side, there := p.SideAt(at)
				if n := here[at]; n > 0 && (!there || side != stones[n-1].side) {
					stones[n-1].to, here[at] = ply, 0
				}
				if there && here[at] == 0 {
					stones = append(stones, stone{at: at, side: side, from: ply, to: -1, lives: -1})
					here[at] = len(stones)
				}
				had[at] = false
			}
		}
		// What becomes of strings is what becomes of their points.
		for y := range size.H {
			for x := range size.W {
				at := board.At(x, y)
				if here[at] == 0 || had[at] {
					continue
				}
				group = p.AppendString(group[:0], at)
				side, sum := stones[here[at]-1].side, 0.0
				for _, q := range group {
					sum += black(q)
					had[q] = true
				}
				chance := sum / float64(len(group))
				if side == weiqi.White {
					chance = 1 - chance
				}
				for _, q := range group {
					st := &stones[here[q]-1]
					if st.last = chance; chance >= .5 {
						st.lives = ply
					}
				}
			}
		}
		if ply == len(moves) || p.Play(moves[ply]) != nil {
			break
		}
		to := board.NoPoint
		if moves[ply] != game.Pass {
			to = moves[ply].To()
		}
		last = append([]board.Point{to}, last[:min(len(last), Recent-1)]...)
	}
	c.Falls = falls(stones)
	return c, nil
}

func momentOf(s *Sight, turn game.Side) Moment {
	m := Moment{Lead: s.Lead, Win: s.Win}
	mine, other, clear := 0.0, 0.0, 0
	for _, x := range s.Owner {
		mine += x
		other += 1 - x
		if max(x, 1-x) >= sureOwner {
			clear++
		}
	}
	m.Black, m.White, m.Clear = mine, other, float64(clear)/float64(max(len(s.Owner), 1))
	if turn == weiqi.White {
		m.Lead, m.Win, m.Black, m.White = -m.Lead, 1-m.Win, m.White, m.Black
	}
	return m
}

// falls puts stones together that died at the same ply and stood near each other.
func falls(stones []stone) []Fall {
	type death struct {
		*stone
		ply   int
		taken bool
	}
	var dead []death
	for i := range stones {
		st := &stones[i]
		d := death{st, st.lives + 1, false}
		switch {
		case st.lives < 0: // it was put where it could not live
			continue
		case st.to >= 0:
			d.ply = min(d.ply, st.to)
			d.taken = d.ply == st.to
		case st.last > slight:
			continue
		}
		dead = append(dead, d)
	}
	slices.SortStableFunc(dead, func(a, b death) int {
		return cmp.Or(cmp.Compare(a.ply, b.ply), cmp.Compare(a.side, b.side))
	})
	var list []Fall
	for len(dead) > 0 {
		n := 1
		for n < len(dead) && dead[n].ply == dead[0].ply && dead[n].side == dead[0].side {
			n++
		}
		for rest := dead[:n]; len(rest) > 0; {
			group := 1 // of the first, and of those that are near one of them
			for i := 0; i < group; i++ {
				for j := group; j < len(rest); j++ {
					if near(rest[i].at, rest[j].at) {
						rest[group], rest[j] = rest[j], rest[group]
						group++
					}
				}
			}
			if group >= leastGroup {
				f := Fall{Ply: rest[0].ply, Side: rest[0].side, At: rest[0].at, Stones: group, Taken: rest[0].taken}
				for _, d := range rest[:group] {
					f.At = min(f.At, d.at)
				}
				list = append(list, f)
			}
			rest = rest[group:]
		}
		dead = dead[n:]
	}
	return list
}

// near reports whether stones that fall together are one group to people.
func near(a, b board.Point) bool {
	x, y := a.X()-b.X(), a.Y()-b.Y()
	return x*x+y*y <= 4
}

// What is kept of a course: leads to a tenth of a point, chances to a thousandth, points
// whole, shares to a hundredth.
const (
	leadSteps   = 10
	chanceSteps = 1000
	shareSteps  = 100
)

// courseVersion begins the text of a course.
const courseVersion = "c1:"

// Text returns a course as a library keeps it, without whose it is.
func (c *Course) Text() string {
	b := binary.AppendUvarint(nil, uint64(len(c.Moments)))
	var before [5]int64
	for _, m := range c.Moments {
		for i, x := range m.steps() {
			b = binary.AppendVarint(b, x-before[i])
			before[i] = x
		}
	}
	b = binary.AppendUvarint(b, uint64(len(c.Falls)))
	for _, f := range c.Falls {
		taken := uint64(0)
		if f.Taken {
			taken = 1
		}
		for _, x := range []uint64{uint64(f.Ply), uint64(f.Side), uint64(f.At), uint64(f.Stones), taken} {
			b = binary.AppendUvarint(b, x)
		}
	}
	return courseVersion + base64.RawStdEncoding.EncodeToString(b)
}

// steps are the figures of a moment as they are kept.
func (m *Moment) steps() [5]int64 {
	r := func(x float64) int64 { return int64(math.Round(x)) }
	return [5]int64{r(m.Lead * leadSteps), r(m.Win * chanceSteps), r(m.Black), r(m.White), r(m.Clear * shareSteps)}
}

// ErrCourse tells that a text is no course, or one of another version.
var ErrCourse = errors.New("sight: this is no course of a game")

// ParseCourse reads what Text has written.
func ParseCourse(text string) (*Course, error) {
	text, ok := strings.CutPrefix(text, courseVersion)
	b, err := base64.RawStdEncoding.DecodeString(text)
	if !ok || err != nil {
		return nil, ErrCourse
	}
	bad := false
	whole := func() uint64 {
		x, n := binary.Uvarint(b)
		bad = bad || n <= 0
		b = b[max(n, 0):]
		return x
	}
	c := &Course{}
	n := whole()
	if bad || n > uint64(len(b)) { // each takes five bytes and more
		return nil, ErrCourse
	}
	var at [5]int64
	for range n {
		for i := range at {
			x, n := binary.Varint(b)
			bad = bad || n <= 0
			b = b[max(n, 0):]
			at[i] += x
		}
		c.Moments = append(c.Moments, Moment{
			Lead: float64(at[0]) / leadSteps, Win: float64(at[1]) / chanceSteps, Black: float64(at[2]), White: float64(at[3]), Clear: float64(at[4]) / shareSteps,
		})
	}
	n = whole()
	if bad || n > uint64(len(b)) {
		return nil, ErrCourse
	}
	for range n {
		ply, side, to, stones, taken := whole(), whole(), whole(), whole(), whole()
		if bad = bad || ply >= uint64(len(c.Moments)) || side > 1 || to >= board.MaxPoints || stones > board.MaxPoints; bad {
			break
		}
		c.Falls = append(c.Falls, Fall{int(ply), game.Side(side), board.Point(to), int(stones), taken == 1})
	}
	if bad || len(b) > 0 {
		return nil, ErrCourse
	}
	return c, nil
}
