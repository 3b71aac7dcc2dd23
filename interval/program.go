package interval

import (
	"qipu/board"
	"qipu/pattern"
)

// Program is a pattern made ready for blocks of one kind of game: its
// placements, grouped by picture, so that those which differ by where they lie
// share their steps. It is immutable and safe for concurrent use.
type Program struct {
	Placements []pattern.Placement

	groups   []group
	points   int
	kinds    int
	from, to int // plies
}

// group is one picture of the pattern at several places. The steps are those
// of the first place; shifts says how far the others lie from it.
type group struct {
	need   []step  // points that must be occupied: they alone decide by ever
	may    []step  // points that may be empty
	first  int     // number of the first placement
	shifts []int32 // in points, for each placement of the group
	turn   pattern.Turn
}

// step is what a placement asks of one point.
type step struct {
	point int32
	piece board.Piece // the one piece that must stand there; 0 where it may be one of several
	set   pattern.Set
}

// Compile makes a program of the placements of a pattern on a board of so many
// points and kinds of pieces.
func Compile(placements []pattern.Placement, p *pattern.Pattern, points, kinds int) *Program {
	g := &Program{Placements: placements, points: points, kinds: kinds, from: p.From, to: p.To}
	for i := range placements {
		q := &placements[i]
		if n := len(g.groups); n > 0 {
			last := &g.groups[n-1]
			if shift, ok := shiftOf(&placements[last.first], q); ok {
				last.shifts = append(last.shifts, shift)
				continue
			}
		}
		g.groups = append(g.groups, newGroup(i, q))
	}
	return g
}

func newGroup(i int, q *pattern.Placement) group {
	gr := group{first: i, shifts: []int32{0}, turn: q.Turn}
	for j, pt := range q.Points {
		s := step{point: int32(pt), set: q.Sets[j]}
		if s.set&pattern.Empty != 0 {
			gr.may = append(gr.may, s)
			continue
		}
		if s.set&(s.set-1) == 0 {
			for s.piece = 1; s.set != pattern.Of(s.piece); s.piece++ {
			}
		}
		gr.need = append(gr.need, s)
	}
	return gr
}

// shiftOf tells whether two placements are the same picture at another place,
// and how far behind: shifts are never negative. Where little of a picture lies
// on the board, a later place may have its points before those of the first.
func shiftOf(a, b *pattern.Placement) (int32, bool) {
	if a.Symmetry != b.Symmetry || a.Turn != b.Turn || len(a.Points) != len(b.Points) || len(a.Points) == 0 {
		return 0, false
	}
	shift := int32(b.Points[0]) - int32(a.Points[0])
	if shift < 0 {
		return 0, false
	}
	for i := range a.Points {
		if int32(b.Points[i])-int32(a.Points[i]) != shift || a.Sets[i] != b.Sets[i] {
			return 0, false
		}
	}
	return shift, true
}
