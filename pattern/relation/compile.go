package relation

import (
	"fmt"
	"math/bits"
	"reflect"
	"slices"

	"qipu/game"
	"qipu/pattern/relation/syntax"
)

// Set is many patterns, made ready to be looked for. It is not changed once it is
// made, and may be used by many at once.
type Set struct {
	patterns []*syntax.Pattern
	rules    game.Rules
	ground   *ground
	words    int               // of a bitset of patterns
	programs [views][]*program // by view and pattern; nil where the view adds nothing
	needs    [views][]needs    // by 64 patterns

	// arrive[(piece*points+point)*views*words + view*words] are the patterns that
	// have a role for a piece on a point.
	arrive []uint64

	// groups are the pieces that roles are for and that are counted, each once;
	// member[p] lists the groups of piece p+1.
	groups []uint16
	member [2 * syntax.MaxKinds][]uint8

	// bounds are the plies at which patterns begin and cease to be possible,
	// rising.
	bounds []int

	// settles are the numbers of moves behind which patterns settle, rising.
	settles []int
}

// needs are bitsets of 64 patterns of a view by what must happen for them to be
// looked at anew. Without it they hold or do not hold as before. What one move asks
// lies side by side.
type needs struct {
	all     uint64
	always  uint64                      // any move
	mated   uint64                      // only at mate
	stale   uint64                      // only at stalemate
	check   uint64                      // only in check
	off     [2]uint64                   // not while the first, the second side is to move
	byWatch [2 * syntax.MaxKinds]uint64 // a piece came to or left a point that was looked at for it
	byRole  [2 * syntax.MaxKinds]uint64 // a piece that roles are for has left
	byCount [2 * syntax.MaxKinds]uint64 // a piece that is counted on the whole board was taken
}

// Compile makes a set of patterns. The rules must be those of their game.
func Compile(list []*syntax.Pattern, r game.Rules) (*Set, error) {
	g, err := groundOf(r)
	if err != nil {
		return nil, err
	}
	s := &Set{patterns: slices.Clone(list), rules: r, ground: g, words: (len(list) + 63) / 64}
	for v := range views {
		s.programs[v] = make([]*program, len(list))
	}
	for i, p := range list {
		if p.Game != r.Info().Name {
			return nil, fmt.Errorf("relation: the pattern %s is of the game %s, not of %s", p.ID, p.Game, r.Info().Name)
		}
		for _, owner := range p.Sides() {
			plain, turned := viewOf(owner, false), viewOf(owner, true)
			s.programs[plain][i] = s.build(p, plain)
			if !p.Mirrored() {
				continue
			}
			// A picture that is its own mirror is looked for once.
			if program := s.build(p, turned); !reflect.DeepEqual(program, s.programs[plain][i]) {
				s.programs[turned][i] = program
			}
		}
	}
	for i, mask := range s.groups {
		for m := mask; m != 0; m &= m - 1 {
			p := bits.TrailingZeros16(m)
			s.member[p] = append(s.member[p], uint8(i))
		}
	}
	s.need()
	for _, list := range []*[]int{&s.bounds, &s.settles} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
	return s, nil
}

// need fills the bitsets of what programs depend on.
func (s *Set) need() {
	s.arrive = make([]uint64, 2*s.ground.kinds*s.ground.points*int(views)*s.words)
	for v := range views {
		s.needs[v] = make([]needs, s.words)
		for i, p := range s.programs[v] {
			if p == nil {
				continue
			}
			n, bit := &s.needs[v][i/64], uint64(1)<<(i%64)
			n.all |= bit
			for k := range p.slots {
				slot := &p.slots[k]
				for m := slot.group.pieces; m != 0; m &= m - 1 {
					for on := slot.mask; !on.empty(); {
						s.arriving(bits.TrailingZeros16(m), on.pop())[int(v)*s.words+i/64] |= bit
					}
				}
			}
			for k := range 2 * s.ground.kinds {
				if p.roles>>k&1 != 0 {
					n.byRole[k] |= bit
				}
				if p.watches>>k&1 != 0 {
					n.byWatch[k] |= bit
				}
				if p.counts>>k&1 != 0 {
					n.byCount[k] |= bit
				}
			}
			for _, f := range []struct {
				is bool
				in *uint64
			}{{p.always, &n.always}, {p.mated, &n.mated}, {p.stale, &n.stale}, {p.check, &n.check},
				{p.theirTurn, &n.off[p.owner]}, {p.ourTurn, &n.off[p.enemy]}} {
				if f.is {
					*f.in |= bit
				}
			}
			if p.settled > 0 {
				s.settles = append(s.settles, p.settled)
			}
			if p.least > 0 {
				s.bounds = append(s.bounds, p.least)
			}
			if p.most < unknownPly {
				s.bounds = append(s.bounds, p.most+1)
			}
		}
	}
}

// arriving returns the patterns, view by view, that have a role for a piece on a
// point.
func (s *Set) arriving(piece int, at uint8) []uint64 {
	n := int(views) * s.words
	i := (piece*s.ground.points + int(at)) * n
	return s.arrive[i : i+n]
}

// group returns the number of a group of pieces. There are at most 256 of them:
// then pieces are counted one by one.
func (s *Set) group(pieces uint16) group {
	i := slices.Index(s.groups, pieces)
	if i < 0 && len(s.groups) < maxGroups {
		i = len(s.groups)
		s.groups = append(s.groups, pieces)
	}
	return group{pieces, i}
}

// group is some kinds of pieces.
type group struct {
	pieces uint16
	number int // of Set.groups; -1 for none
}

const maxGroups = 64
