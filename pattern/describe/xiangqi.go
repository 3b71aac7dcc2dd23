package describe

import (
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"qipu/board"
	"qipu/pattern"
)

// The kinds of pieces, in the order in which the game numbers them; those of
// Black follow those of Red.
const (
	king = iota
	advisor
	elephant
	chariot
	horse
	cannon
	soldier
	kinds
)

const (
	files = 9
	ranks = 10
)

// Seated is a Rules whose sides sit at opposite ends of the board and count files
// and ranks from there, so that pieces are told in phrases.
type Seated interface {
	// Posts returns the ranks that the kinds of pieces usually stand on, as
	// their side counts.
	Posts() []int
}

// man is a piece of a phrase, or a set of states.
type man struct {
	set        pattern.Set
	piece      board.Piece // 0 for a set of several
	side       int         // that counts files and ranks
	file, rank int         // from 1; rank 0 is not given
	start      int         // where it stands in the text
}

func (m *man) kind() int { return int(m.piece-1) % kinds }

// x and y count from the top left, where Black's right hand is.
func (m *man) x() int {
	if m.side == 0 {
		return files - m.file
	}
	return m.file - 1
}

func (m *man) y() int {
	if m.side == 0 {
		return ranks - m.rank
	}
	return m.rank - 1
}

// manAt returns what stands on a point. Sets of several states count as Red
// does.
func manAt(set pattern.Set, x, y int) man {
	m := man{set: set, file: files - x, rank: ranks - y}
	if m.piece = single(set); m.piece != 0 && int(m.piece) > kinds {
		m.side, m.file, m.rank = 1, x+1, y+1
	}
	return m
}

// single returns the piece of a set of one, or 0.
func single(set pattern.Set) board.Piece {
	if set&(set-1) != 0 || set&(pattern.Empty|pattern.Off) != 0 {
		return 0
	}
	return board.Piece(bits.TrailingZeros32(uint32(set)))
}

// learnXiangqi adds the characters that mean pieces of both sides.
func (n *Namer) learnXiangqi() {
	add := func(w string, kind, plain int) {
		red, black := pattern.Of(board.Piece(kind+1)), pattern.Of(board.Piece(kind+1+kinds))
		sets := [3]pattern.Set{red, black}
		if plain < anySide {
			sets[anySide] = sets[plain]
		}
		n.add(w, sets[:]...)
	}
	add("車", chariot, 1)
	add("馬", horse, 1)
	add("炮", cannon, 0)
	add("车", chariot, anySide)
	add("马", horse, anySide)
	for side, word := range []string{"紅", "黑"} {
		for _, w := range []struct {
			word string
			kind int
		}{{"車", chariot}, {"馬", horse}, {"炮", cannon}, {"车", chariot}, {"马", horse}, {"包", cannon}} {
			set := pattern.Of(board.Piece(1 + w.kind + kinds*side))
			n.add(word+w.word, set, set, set)
		}
	}
}

// phrases returns the name of a pattern of Xiangqi that is fixed on the board,
// or nothing for others and for those of too many pieces.
func (n *Namer) phrases(p *pattern.Pattern) string {
	left, top, ok := n.origin(p)
	if n.posts == nil || p.Anchor != pattern.Fixed || !ok {
		return ""
	}
	fill := n.ground(p)
	var men, sets []man
	count := 0
	for i, set := range p.Cells {
		if set == fill {
			continue
		}
		m := manAt(set, left+i%p.Size.W, top+i/p.Size.W)
		items := 1
		if m.piece != 0 {
			men = append(men, m)
		} else {
			_, items = n.states(set, true)
			sets = append(sets, m)
		}
		if count += items; count > longest {
			return ""
		}
	}
	if count == 0 {
		return ""
	}
	// Red is named first, where a relation leaves it open.
	slices.SortStableFunc(men, func(a, b man) int { return a.side - b.side })
	b := cellsOf(p)
	var list []string
	used := make([]bool, len(men))
	for rel := range relations {
		for i := range men {
			for j := range men {
				if i != j && !used[i] && !used[j] && b.holds(rel, &men[i], &men[j]) {
					used[i], used[j] = true, true
					phrase := n.pair(rel, men[i], men[j])
					if b.holds(rel, &men[j], &men[i]) { // the shorter of two that say the same
						if back := n.pair(rel, men[j], men[i]); len(back) < len(phrase) {
							phrase = back
						}
					}
					list = append(list, phrase)
				}
			}
		}
	}
	for i, m := range men {
		if used[i] {
			continue
		}
		if m.rank == n.posts[m.kind()] {
			m.rank = 0
		}
		list = append(list, n.man(&m))
	}
	for _, m := range sets {
		list = append(list, n.man(&m))
	}
	return strings.Join(list, text{"、", ", "}[n.lang]) + n.suffix(p, fill, !n.whole(p))
}

// man returns the words for a piece or a set.
func (n *Namer) man(m *man) string {
	states, _ := n.states(m.set, m.piece == 0)
	if n.lang == en {
		out := states + " file " + strconv.Itoa(m.file)
		if m.rank > 0 {
			out += " rank " + strconv.Itoa(m.rank)
		}
		return out
	}
	number := strconv.Itoa
	if m.side == 0 {
		number = func(v int) string { return string(numerals[v]) }
	}
	out := number(m.file) + "路"
	if m.rank > 0 {
		out += number(m.rank) + "線"
	}
	return out + states
}

// pair returns the phrase of two pieces with the fewest ranks from which both
// can be found again.
func (n *Namer) pair(rel relation, a, b man) string {
	var c, d man
	for _, given := range [][2]bool{{false, false}, {true, false}, {false, true}, {true, true}} {
		c, d = a, b
		if !given[0] {
			c.rank = 0
		}
		if !given[1] {
			d.rank = 0
		}
		if e, f := c, d; resolve(n.posts, rel, &e, &f) && e.rank == a.rank && f.rank == b.rank {
			break
		}
	}
	return n.man(&c) + text{"", " "}[n.lang] + relationWords[rel][n.lang] + text{"", " "}[n.lang] + n.man(&d)
}

// resolve fills in the ranks that a phrase leaves out, by the rules in the
// package comment. It reports false where they do not decide.
func resolve(posts []int, rel relation, a, b *man) bool {
	type answer struct{ a, b int }
	var fits []answer
	for ra := 1; ra <= ranks; ra++ {
		for rb := 1; rb <= ranks; rb++ {
			c, d := *a, *b
			if a.rank != 0 && a.rank != ra || b.rank != 0 && b.rank != rb {
				continue
			}
			c.rank, d.rank = ra, rb
			if near(rel, &c, &d) {
				fits = append(fits, answer{ra, rb})
			}
		}
	}
	post := answer{posts[a.kind()], posts[b.kind()]}
	for _, rule := range []func(answer) bool{
		func(f answer) bool { return (f.a == post.a || a.rank != 0) && (f.b == post.b || b.rank != 0) },
		func(f answer) bool { return b.rank == 0 && f.b == post.b },
		func(f answer) bool { return a.rank == 0 && f.a == post.a },
		func(f answer) bool { return true },
	} {
		found := slices.DeleteFunc(slices.Clone(fits), func(f answer) bool { return !rule(f) })
		if len(found) == 1 {
			a.rank, b.rank = found[0].a, found[0].b
			return true
		}
	}
	return false
}

// phrases reads the phrases of a name.
func (r *reader) phrases(d *draft) error {
	d.Anchor = pattern.Fixed
	if d.within == 0 {
		d.Size = r.n.g.Size
	}
	d.blank()
	type claim struct {
		rel   relation
		a, b  man
		start int
	}
	var claims []claim
	listed := make([]bool, len(d.Cells))
	if r.done() {
		return r.errorf(r.at, "a name without pieces: write phrases such as 三路俥壓7路馬, or 全盤 (whole board) for a board where anything may stand")
	}
	for first := true; !r.done(); first = false {
		start := r.at
		a, err := r.man()
		if err != nil && r.at == start && !first {
			return r.errorf(start, "%s is neither a relation nor a piece: write 壓, 塞, 牽, 捉, 對 or 保 (presses, blocks, pins, attacks, faces, guards), or 、 and a further piece", r.rest())
		}
		if err != nil {
			return err
		}
		r.skip()
		start = r.at
		rel := relation(0)
		for ; rel < relations && !r.eat(relationWords[rel][:]...); rel++ {
		}
		if rel == relations {
			switch {
			case a.rank > 0:
			case a.piece == 0:
				return r.errorf(a.start, "a point without its rank: write it as in 三路七線空 (empty file 3 rank 7)")
			default:
				a.rank = r.n.posts[a.kind()]
			}
			if err := r.put(d, listed, &a); err != nil {
				return err
			}
			continue
		}
		b, err := r.man()
		if err != nil {
			return err
		}
		if a.piece == 0 || b.piece == 0 {
			return r.errorf(start, "a relation of what is not one piece: write the points one by one")
		}
		// Two ranks that are given are judged below, with all the others.
		if (a.rank == 0 || b.rank == 0) && !resolve(r.n.posts, rel, &a, &b) {
			return r.errorf(a.start, "the ranks of these two cannot be found: write them, as in 三路七線俥 (red chariot file 3 rank 7)")
		}
		for _, m := range []*man{&a, &b} {
			if err := r.put(d, listed, m); err != nil {
				return err
			}
		}
		claims = append(claims, claim{rel, a, b, start})
	}
	b := cellsOf(&d.Pattern)
	for _, c := range claims {
		if !b.holds(c.rel, &c.a, &c.b) {
			return r.errorf(c.start, "%s (%s) is not true of these two pieces: choose another relation, or part them with 、",
				relationWords[c.rel][zh], relationWords[c.rel][en])
		}
	}
	return nil
}

// put sets a cell of the pattern.
func (r *reader) put(d *draft, listed []bool, m *man) error {
	x, y := m.x()-d.At.X(), m.y()-d.At.Y()
	if x < 0 || y < 0 || x >= d.Size.W || y >= d.Size.H {
		return r.errorf(m.start, "%s lies outside the region: make the region larger", r.n.name(board.At(m.x(), m.y())))
	}
	i := y*d.Size.W + x
	if listed[i] && d.Cells[i] != m.set {
		return r.errorf(m.start, "%s is named twice: join its states with 或 (or)", r.n.name(board.At(m.x(), m.y())))
	}
	d.Cells[i], listed[i] = m.set, true
	return nil
}

// man reads a piece or a set with its place.
func (r *reader) man() (m man, err error) {
	r.skip()
	m.start = r.at
	side, named := 0, false
	for i, w := range []string{"紅", "黑"} {
		if r.eat(w) {
			side, named = i, true
		}
	}
	file, chinese, ok := r.numeral()
	if !ok || !r.eat("路") {
		r.at = m.start
		if ok {
			return m, r.errorf(m.start, "a number that is no file: write 路 behind it")
		}
		return r.english()
	}
	if m.file = file; file > files {
		return m, r.errorf(m.start, "%d is no file: there are %d", file, files)
	}
	if rank, _, ok := r.numeral(); ok {
		if m.rank = rank; !r.eat("線") {
			return m, r.errorf(r.at, "a number behind the file that is no rank: write 線 behind it")
		}
	}
	if !named && !chinese {
		side = 1
	}
	if m.set, err = r.states(side); err != nil {
		return m, err
	}
	return m, r.frame(&m, side, named)
}

// english reads a piece or a set with its place in English.
func (r *reader) english() (m man, err error) {
	m.start = r.at
	if m.set, err = r.states(anySide); err != nil {
		return m, err
	}
	file := r.eat("file")
	if file {
		m.file, _, file = r.numeral()
	}
	if !file || m.file > files {
		return m, r.errorf(r.at, "%s is no file: write file and its number, 1 to %d", r.rest(), files)
	}
	if r.eat("rank") {
		var ok bool
		if m.rank, _, ok = r.numeral(); !ok {
			return m, r.errorf(r.at, "%s is no rank: write a number, 1 to %d", r.rest(), ranks)
		}
	}
	return m, r.frame(&m, 0, false)
}

// frame notes what the set of m is and which side counts its file and rank.
func (r *reader) frame(m *man, side int, named bool) error {
	m.piece, m.side = single(m.set), side
	if m.piece == 0 {
		return nil
	}
	if m.side = int(m.piece-1) / kinds; named && m.side != side {
		return r.errorf(m.start, "a piece of the other side: leave out 紅 or 黑 before the file")
	}
	return nil
}
