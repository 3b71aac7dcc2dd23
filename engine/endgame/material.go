package endgame

import (
	"fmt"
	"slices"
	"strings"

	"qipu/game"
)

// maxMen is how many men a table may have.
const maxMen = 10

// Material is what both sides have: how many men of each kind, the stronger side first.
type Material struct {
	men  *game.Men
	have [2][]uint8 // by kind; have[side][0] is 1
}

// ParseMaterial reads the name of an ending: "KR-KAAEE", "KQvK", "KRK". The stronger side
// comes first in what is returned.
func ParseMaterial(m *game.Men, text string) (Material, error) {
	x := Material{men: m}
	side := -1
	for _, c := range strings.ToUpper(text) {
		switch {
		case c == rune(m.Kinds[0].Letter):
			if side++; side > 1 {
				return x, fmt.Errorf("%q is no ending: it has more than two kings", text)
			}
			x.have[side] = make([]uint8, len(m.Kinds))
			x.have[side][0] = 1
		case strings.ContainsRune("-V, ", c):
		case side < 0:
			return x, fmt.Errorf("%q is no ending: begin each side with its king, as in %s", text, example(m))
		default:
			kind := slices.IndexFunc(m.Kinds, func(k game.Man) bool { return rune(k.Letter) == c || strings.ContainsRune(k.Also, c) })
			if kind < 0 {
				return x, fmt.Errorf("%q is no ending: there is no man %q: write some of %s", text, c, letters(m))
			}
			if x.have[side][kind]++; int(x.have[side][kind]) > m.Kinds[kind].Most {
				return x, fmt.Errorf("%q is no ending: a side has at most %d of %c", text, m.Kinds[kind].Most, m.Kinds[kind].Letter)
			}
		}
	}
	switch {
	case side != 1:
		return x, fmt.Errorf("%q is no ending: name both sides with their kings, as in %s", text, example(m))
	case x.Count() > maxMen:
		return x, fmt.Errorf("%q has %d men: tables have at most %d", text, x.Count(), maxMen)
	}
	x, _ = x.ordered()
	return x, nil
}

func example(m *game.Men) string {
	return fmt.Sprintf("K%c-K", m.Kinds[len(m.Kinds)-1].Letter)
}

func letters(m *game.Men) string {
	var b strings.Builder
	for _, k := range m.Kinds {
		b.WriteByte(k.Letter)
	}
	return b.String()
}

// Count returns how many men there are, kings included.
func (x Material) Count() (n int) {
	for s := range x.have {
		for _, c := range x.have[s] {
			n += int(c)
		}
	}
	return n
}

// String returns the name: "KR-KAAEE".
func (x Material) String() string {
	var b strings.Builder
	for s := range x.have {
		if s == 1 {
			b.WriteByte('-')
		}
		for kind, n := range x.have[s] {
			for range n {
				b.WriteByte(x.men.Kinds[kind].Letter)
			}
		}
	}
	return b.String()
}

// worth is how strong a side is.
func (x Material) worth(s int) (w float64) {
	for kind, n := range x.have[s] {
		w += float64(n) * x.men.Kinds[kind].Worth
	}
	return w
}

// ordered returns the material with the stronger side first, and whether that was the
// other one.
func (x Material) ordered() (Material, bool) {
	a, b := x.worth(0), x.worth(1)
	if a < b || a == b && slices.Compare(x.have[0], x.have[1]) < 0 {
		x.have[0], x.have[1] = x.have[1], x.have[0]
		return x, true
	}
	return x, false
}

// clone returns a material that may be changed.
func (x Material) clone() Material {
	x.have[0], x.have[1] = slices.Clone(x.have[0]), slices.Clone(x.have[1])
	return x
}

// needs returns the materials that one move leads to from here, each once and ordered.
func (x Material) needs(l *law) (list []Material) {
	add := func(y Material) {
		y, _ = y.ordered()
		if !slices.ContainsFunc(list, func(z Material) bool { return z.String() == y.String() }) {
			list = append(list, y)
		}
	}
	for s := range 2 {
		for kind := 1; kind < len(x.have[s]); kind++ {
			if x.have[s][kind] == 0 {
				continue
			}
			less := x.clone()
			less.have[s][kind]--
			add(less)
			for _, become := range l.becomes(manOf(kind, game.Side(s))) {
				grown := less.clone()
				grown.have[s][become]++
				add(grown)
				for other := 1; other < len(x.have[1-s]); other++ {
					if x.have[1-s][other] > 0 {
						both := grown.clone()
						both.have[1-s][other]--
						add(both)
					}
				}
			}
		}
	}
	return list
}

// becomes returns the kinds that a man may turn into.
func (l *law) becomes(m man) (kinds []int) {
	for _, s := range l.home[m] {
		for _, w := range l.ways[m][s] {
			for _, b := range w.becomes {
				if !slices.Contains(kinds, b) {
					kinds = append(kinds, b)
				}
			}
		}
	}
	return kinds
}

// order returns materials with all that they need, each behind what it needs.
func order(l *law, list []Material) (all []Material) {
	done := map[string]bool{}
	var visit func(Material)
	visit = func(x Material) {
		if done[x.String()] {
			return
		}
		done[x.String()] = true
		for _, y := range x.needs(l) {
			visit(y)
		}
		all = append(all, x)
	}
	for _, x := range list {
		visit(x)
	}
	return all
}

// UpTo returns all endings of a game with at most so many men that tables can tell of, the
// smallest first.
func UpTo(m *game.Men, count int) (list []Material) {
	var sides [][]uint8
	have := make([]uint8, len(m.Kinds))
	have[0] = 1
	var grow func(kind, left int)
	grow = func(kind, left int) {
		if kind == len(m.Kinds) {
			sides = append(sides, slices.Clone(have))
			return
		}
		for n := 0; n <= min(left, m.Kinds[kind].Most); n++ {
			have[kind] = uint8(n)
			grow(kind+1, left-n)
		}
		have[kind] = 0
	}
	grow(1, count-2)
	seen := map[string]bool{}
	for _, a := range sides {
		for _, b := range sides {
			x, _ := Material{m, [2][]uint8{a, b}}.ordered()
			if name := x.String(); x.Count() <= count && !seen[name] && !x.passing() {
				seen[name] = true
				list = append(list, x)
			}
		}
	}
	slices.SortStableFunc(list, func(a, b Material) int { return a.Count() - b.Count() })
	return list
}

// passing reports whether a man might be taken in passing, which tables do not tell.
func (x Material) passing() bool {
	last := len(x.men.Kinds) - 1
	return x.men.Passing && x.have[0][last] > 0 && x.have[1][last] > 0
}

// Name returns how the ending on a board is called, and which side that names first; empty
// where there are too many men for a table.
func Name(r game.Manned, p game.Position) (name string, first game.Side) {
	q, ok := p.(game.Planar)
	if !ok {
		return "", game.First
	}
	m, b := r.Men(), q.Planes()
	x := Material{men: m}
	for side := range x.have {
		x.have[side] = make([]uint8, len(m.Kinds))
		for i, k := range m.Kinds {
			piece := k.Piece
			if side == 1 {
				piece = r.Geometry().Pieces[piece-1].Swap
			}
			x.have[side][i] = uint8(b.Of[piece-1].Count())
		}
	}
	if x.Count() > maxMen {
		return "", game.First
	}
	x, swap := x.ordered()
	if swap {
		first = game.Second
	}
	return x.String(), first
}
