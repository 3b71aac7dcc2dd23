package interval

import (
	"cmp"
	"encoding/binary"
	"math"
	"math/bits"
	"slices"

	"qipu/board"
	"qipu/pattern"
)

// Like is the moment of a line at which its board is most like a pattern: the
// largest likeness, then the first rank of pictures, the fewest other pieces,
// the first moment, the first placement.
type Like struct {
	Lane      uint16
	Slot      uint16
	Placement int32
	Score     float32 // the likeness, from 0 to 1

	// Plies is the number of positions of the line that are as like in a picture
	// of the same rank, with others or without.
	Plies uint16

	// Others is how many pieces more stand in the region of the placement than
	// the pattern asks for.
	Others uint16
}

// LikeWork counts what a LikeMatcher did.
type LikeWork struct {
	Blocks int64 // blocks looked at
	Lines  int64 // lines that were gone through
	Slow   int64 // of those, by the changes of their points and not by their moves
	Scored int64 // boards that were measured in one placement
}

// LikeMatcher finds the boards that are like a pattern. It holds buffers and is
// not safe for concurrent use; the zero value is ready.
type LikeMatcher struct {
	Work LikeWork

	block   *Block
	likes   *Likes
	scratch pattern.Scratch
	min     float64
	first   limits // of a line in which nothing is found yet
	limits  limits // of the line at hand
	now     *limits
	best    bestHit
	skips   []uint16 // of the line at hand
	listed  []uint16 // memory for them
	held    []hold   // words in which the board of a line is as like as best
	stays   []stay   // placements in which it was
	tally   []int32  // pieces in the region of one

	on     [256]board.Piece // the board of a line whose moves are followed
	usual  [256]board.Piece // the usual start of the block
	pieces int              // on it
	start  [maxWords]start  // what it is worth, for each word

	points  []board.Piece // the board of a line whose changes are followed
	sums    []uint64
	gather  []Change
	changes []Change
	count   []uint32
	found   []uint32 // words that may hold something
}

// bestHit is the best that was found in a line.
type bestHit struct {
	value     float64
	ply       int // or slot
	plies     int // positions that are as good
	others    int // pieces that are not asked for
	placement int32
	rank      uint8
	ok        bool
}

// hold tells that the board is as like as best in some quarters of a word, from a
// slot on.
type hold struct {
	word     uint32
	since    uint16
	quarters uint64 // by their high bits
}

// stay tells that the board was as like as best in a placement, from a slot to
// before another.
type stay struct {
	placement int32
	from, to  uint16
}

// over compares two moments by how like they are and in which picture: it is
// positive where x is better.
func (x *bestHit) over(y *bestHit) int {
	switch {
	case !x.ok || !y.ok:
		return number(x.ok) - number(y.ok)
	case x.value != y.value:
		return 1 - 2*number(x.value < y.value)
	}
	return int(y.rank) - int(x.rank)
}

func number(is bool) int {
	if is {
		return 1
	}
	return 0
}

// start is what a start position is worth to the placements of a word.
type start struct {
	sum    uint64
	best   bestHit
	held   uint64 // the quarters that have it
	limits limits // where best is something
}

// AppendLikes appends, for each lane of a block that the mask names, the moment
// at which its board is most like a pattern in any placement, if it is at least
// so like. They come in the order of lanes. A block of another kind of board
// than the pattern is made for has none.
//
// Lines of moves are followed move by move: that costs some nanoseconds each
// for every four placements, and lines that cannot come to be so like are left
// out 64 at a time. All others are followed by the changes of their points; a
// change costs a nanosecond or two for every four placements that it touches.
func (m *LikeMatcher) AppendLikes(dst []Like, b *Block, l *Likes, lanes *Mask, least float64) []Like {
	if l.points != b.Points || l.kinds != b.Kinds || len(l.quarters) == 0 {
		return dst
	}
	m.Work.Blocks++
	m.block, m.likes, m.min = b, l, least
	m.first.set(l, m.min, math.MaxUint8)
	all := b.All()
	for w := range all {
		all[w] &= lanes[w]
	}
	if b.moves != nil && len(l.tables) > 0 {
		all = m.able(&all)
		dst = m.follow(dst, &all)
	} else {
		for w, set := range all {
			for ; set != 0; set &= set - 1 {
				lane := w*64 + bits.TrailingZeros64(set)
				m.sweep(lane)
				dst = m.append(dst, lane)
			}
		}
	}
	m.block, m.likes = nil, nil
	return dst
}

func (m *LikeMatcher) append(dst []Like, lane int) []Like {
	m.Work.Lines++
	if !m.best.ok {
		return dst
	}
	return append(dst, Like{uint16(lane), uint16(m.best.ply), m.best.placement, float32(m.best.value), uint16(m.best.plies), uint16(m.best.others)})
}

// look measures the board in those placements of a word whose sums reach the
// limits, among some that their high bits tell, and returns the best of them if
// it is at least as good as what the line has, and all that are as good. Turn is
// whose it is, where placements ask for it.
func (m *LikeMatcher) look(word uint32, sum, among uint64, on []board.Piece, turn pattern.Turn) (best bestHit, equal uint64) {
	l := m.likes
	for over := ((sum | highBits) - m.now.sums[l.words[word]]) & among; over != 0; over &= over - 1 {
		i := l.quarters[int(word)*4+bits.TrailingZeros64(over)/16]
		class := l.of[i]
		least := m.now.least[class]
		if turn != pattern.AnyTurn {
			if t := l.like.Placements[i].Turn; t != pattern.AnyTurn && t != turn {
				continue
			}
		}
		m.Work.Scored++
		score := l.like.Score(&m.scratch, int(i), on, least)
		if score < least {
			continue
		}
		x := bestHit{value: l.like.Value(&m.scratch, int(i), on, score), placement: i, rank: l.class[class].rank, others: math.MaxInt, ok: true}
		if x.value < m.min || x.over(&m.best) < 0 {
			continue
		}
		switch n := x.over(&best); {
		case n > 0:
			best, equal = x, 0
		case n < 0:
			continue
		}
		equal |= over & -over
	}
	return best, equal
}

// turn returns whose turn it is at a slot of a lane.
func (m *LikeMatcher) turn(lane int, slot uint16) pattern.Turn {
	return turnOf(Mover(m.block.next(m.skips, slot, m.block.End(lane))))
}

// settle takes note of a moment at which a board is as like as best in some quarters
// of a word, if there are fewer others than ever. Pieces is how many there are.
func (m *LikeMatcher) settle(best *bestHit, word uint32, quarters uint64, on []board.Piece, pieces, ply int) {
	l := m.likes
	for ; quarters != 0; quarters &= quarters - 1 {
		i := l.quarters[int(word)*4+bits.TrailingZeros64(quarters)/16]
		if !l.whole {
			pieces = count(on, l.like.Placements[i].Region)
		}
		if n := l.others(i, pieces); n < best.others || n == best.others && ply == best.ply && i < best.placement {
			best.others, best.ply, best.placement = n, ply, i
		}
	}
}

// take makes what was found at a moment the best of the line.
func (m *LikeMatcher) take(found bestHit) {
	m.best = found
	m.limits.set(m.likes, found.value, found.rank)
	m.now = &m.limits
}

// follow goes along the moves of lines.
func (m *LikeMatcher) follow(dst []Like, lanes *Mask) []Like {
	b, l := m.block, m.likes
	usual := b.usually()
	clear(m.usual[copy(m.usual[:], usual.on):])
	m.pieces = 0
	for _, p := range usual.on {
		m.pieces += number(p != board.Empty)
	}
	for word := range l.tables {
		m.begin(uint32(word))
	}
	var list [maxWords]bestHit
	for w, set := range lanes {
		for ; set != 0; set &= set - 1 {
			lane := w*64 + bits.TrailingZeros64(set)
			m.skips = m.skipsAt(lane)
			told := true
			for word := range l.tables {
				if told = m.walk(lane, uint32(word), usual.same.Has(lane)); !told {
					break
				}
				list[word] = m.best
			}
			if !told {
				m.sweep(lane)
				dst = m.append(dst, lane)
				continue
			}
			m.best = list[0]
			equal := false
			for i := range list[1:len(l.tables)] {
				x := &list[1+i]
				switch n := x.over(&m.best); {
				case n > 0:
					m.best, equal = *x, false
				case n == 0 && x.ok:
					equal = true
				}
			}
			switch {
			case equal: // at the same positions or at others: the words do not tell
				m.sweep(lane)
			case m.best.ok:
				m.best.ply = plySlotOf(m.skips, m.best.ply)
			}
			dst = m.append(dst, lane)
		}
	}
	return dst
}

// begin measures the usual start for the placements of a word.
func (m *LikeMatcher) begin(word uint32) {
	l, s := m.likes, &m.start[word]
	s.sum = m.total(word, m.usual[:l.points])
	s.best = bestHit{}
	if l.always {
		return // it may depend on whose turn it is
	}
	m.best, m.now = bestHit{}, &m.first
	if s.best, s.held = m.look(word, s.sum, highBits, m.usual[:], pattern.AnyTurn); s.best.ok {
		s.best.plies = 1
		m.settle(&s.best, word, s.held, m.usual[:], m.pieces, 0)
		s.limits.set(l, s.best.value, s.best.rank)
	}
}

// total returns the sums of a word for a board.
func (m *LikeMatcher) total(word uint32, on []board.Piece) uint64 {
	sum, table := m.likes.base[word], m.likes.tables[word]
	for pt, p := range on {
		sum += table[pt<<4|int(p&15)]
	}
	return sum
}

// walk follows the moves of a lane for the placements of one word. Moments are
// counted in plies. It reports false where moves do not tell everything.
func (m *LikeMatcher) walk(lane int, word uint32, usual bool) bool {
	b, l := m.block, m.likes
	table := (*[256 << 4]uint64)(l.tables[word])
	list := b.lineMoves(lane)
	m.best, m.now = bestHit{}, &m.first
	from, to := max(l.like.From, 0), len(list)/2
	if l.like.To >= 0 {
		to = min(to, l.like.To)
	}
	if b.froms != nil {
		from = max(from, plyOf(m.skips, b.From(lane)))
	}
	if from > to {
		return true
	}
	var sum uint64
	pieces := m.pieces
	if usual {
		m.on, sum = m.usual, m.start[word].sum
	} else {
		clear(m.on[b.Points:])
		b.boardAt(m.on[:b.Points], lane, 0)
		sum, pieces = m.total(word, m.on[:b.Points]), 0
		for _, p := range m.on[:b.Points] {
			pieces += number(p != board.Empty)
		}
	}
	on := &m.on
	ply := 0
	for ; ply < from; ply++ {
		code := u16(list, ply)
		if code == NoMove {
			return false
		}
		at, to := uint8(code>>8), uint8(code)
		p, q := uint16(on[at]&15), uint16(on[to]&15)
		on[at], on[to] = board.Empty, board.Piece(p)
		pieces -= int(q+15) >> 4
		sum += table[uint16(to)<<4|p] - table[uint16(at)<<4|p] - table[uint16(to)<<4|q]
	}
	var held uint64 // quarters in which the board is as like as best
	if usual && from == 0 && !l.always {
		if s := &m.start[word]; s.best.ok {
			m.best, m.now, held = s.best, &s.limits, s.held
		}
	} else {
		held = m.measure(word, sum, highBits, 0, lane, ply, pieces, true)
	}
	bound := m.now.sums[l.words[word]]
	rest, last := list[2*from:2*to], to
	var every uint64 // a move that means nothing may change something after all
	if l.always || !l.whole {
		every = 1
	}
	for {
		limit := bound
		if held != 0 {
			limit = 0 // which every sum reaches: a move may make the board less like
		}
		var x, y, z uint64
		var passed, taken int
		passed, sum, x, y, z, taken = skim(on, table, rest, sum, limit, every)
		if held != 0 {
			m.best.plies += passed
		}
		if rest = rest[2*passed:]; len(rest) < 2 {
			return true
		}
		if taken < 0 {
			return false
		}
		pieces -= taken
		rest = rest[2:]
		ply = last - len(rest)/2
		// In a placement that the move means nothing to nothing has changed; in one
		// to which no piece came the board is not more like than it was.
		var touched, some uint64
		if x|y|z != 0 {
			touched = ((x | y | z | highBits) - lowBits) & highBits
			some = ((y|highBits)-lowBits)&highBits | held&touched
			if l.takes {
				touched, some = highBits, highBits
			}
		}
		if l.always {
			touched, some = highBits, highBits
		}
		fewer := held == 0 || taken != 0 || !l.whole
		held &^= touched
		switch {
		case ((sum|highBits)-bound)&some != 0:
			held = m.measure(word, sum, some, held, lane, ply, pieces, fewer)
			bound = m.now.sums[l.words[word]]
		case held != 0:
			if m.best.plies++; fewer {
				m.settle(&m.best, word, held, on[:], pieces, ply)
			}
		}
	}
}

// skim makes moves until one of them has sums that reach a limit, and means
// something to a placement or takes a piece; with every, which is not 0, any move
// will do. It returns how many moves came before that one, the sums behind it,
// what left, came and went with it, and how many pieces were taken up to then; -1
// where there is no move. It is small so that everything stays in registers: this
// is where the time goes.
func skim(on *[256]board.Piece, table *[256 << 4]uint64, moves []byte, sum, limit, every uint64) (passed int, after, x, y, z uint64, taken int) {
	for i := 0; i+1 < len(moves); i += 2 {
		to, at := moves[i], moves[i+1]
		if to&at == NoMove&0xFF {
			return i / 2, sum, 0, 0, 0, -1
		}
		p, q := uint16(on[at]&15), uint16(on[to]&15)
		on[at] = board.Empty
		on[to] = board.Piece(p)
		taken += int(q+15) >> 4
		x, y, z := table[uint16(at)<<4|p], table[uint16(to)<<4|p], table[uint16(to)<<4|q]
		sum += y - x - z
		if ((sum|highBits)-limit)&highBits != 0 && x|y|z|uint64(q)|every != 0 {
			return i / 2, sum, x, y, z, taken
		}
	}
	return len(moves) / 2, sum, 0, 0, 0, taken
}

// measure looks at the board of a line whose moves are followed, in some quarters
// of a word, and keeps it if it is the best so far. It returns the quarters in
// which it is, or is as good; held are others that are known to be. Fewer tells
// that there may be fewer others than a ply ago.
func (m *LikeMatcher) measure(word uint32, sum, among, held uint64, lane, ply, pieces int, fewer bool) uint64 {
	turn := pattern.AnyTurn
	if m.likes.turned {
		turn = m.turn(lane, uint16(plySlotOf(m.skips, ply)))
	}
	found, equal := m.look(word, sum, among, m.on[:], turn)
	if found.ok && found.over(&m.best) > 0 {
		m.take(found)
		held, fewer = 0, true
	}
	if held |= equal; held == 0 {
		return 0
	}
	if m.best.plies++; fewer {
		m.settle(&m.best, word, held, m.on[:], pieces, ply)
	}
	return held
}

// sweep follows the changes of a lane for all placements. Moments are counted
// in slots.
func (m *LikeMatcher) sweep(lane int) {
	b, l := m.block, m.likes
	m.Work.Slow++
	m.best, m.now = bestHit{}, &m.first
	m.skips = m.skipsAt(lane)
	from, end := int(b.From(lane)), int(b.End(lane))
	if l.like.From > 0 {
		from = max(from, plySlotOf(m.skips, l.like.From))
	}
	if l.like.To >= 0 {
		end = min(end, plySlotOf(m.skips, l.like.To+1))
	}
	if from >= end {
		return
	}
	m.sums = append(m.sums[:0], l.base...)
	m.points = append(m.points[:0], make([]board.Piece, b.Points)...)
	m.found, m.held, m.stays = m.found[:0], m.held[:0], m.stays[:0]
	m.collect(lane, uint16(end))
	next := 0
	at := uint16(from)
	for next < len(m.changes) && int(m.changes[next].Slot) <= from {
		m.apply(m.changes[next])
		next++
	}
	m.everyWord()
	for {
		var found bestHit
		turn := pattern.AnyTurn
		if l.turned && len(m.found) > 0 {
			turn = m.turn(lane, at)
		}
		for i, word := range m.found {
			if i > 0 && word == m.found[i-1] {
				continue
			}
			x, equal := m.look(word, m.sums[word], highBits, m.points, turn)
			if !x.ok || x.over(&found) < 0 {
				continue
			}
			if x.over(&found) > 0 && x.over(&m.best) > 0 {
				m.held, m.stays = m.held[:0], m.stays[:0]
			}
			found = x
			if !slices.ContainsFunc(m.held, func(h hold) bool { return h.word == word }) {
				m.held = append(m.held, hold{word, at, equal})
			}
		}
		m.found = m.found[:0]
		if found.ok && found.over(&m.best) > 0 {
			m.take(found)
		}
		was := at
		switch {
		case l.always:
			at = b.next(m.skips, at, b.End(lane))
		case next < len(m.changes):
			at = m.changes[next].Slot
		default:
			at = uint16(end)
		}
		if len(m.held) > 0 {
			m.best.plies += plyOf(m.skips, min(at, uint16(end))-1) - plyOf(m.skips, was) + 1
		}
		if int(at) >= end {
			for _, h := range m.held {
				m.leave(h, uint16(end))
			}
			m.fewest(lane, end)
			return
		}
		for next < len(m.changes) && m.changes[next].Slot == at {
			m.apply(m.changes[next])
			next++
		}
		if l.always {
			for _, h := range m.held {
				m.leave(h, at)
			}
			m.held = m.held[:0]
			m.everyWord()
		}
	}
}

// everyWord makes all words ones to be looked at.
func (m *LikeMatcher) everyWord() {
	m.found = m.found[:0]
	for word, sum := range m.sums {
		if ((sum|highBits)-m.now.sums[m.likes.words[word]])&highBits != 0 {
			m.found = append(m.found, uint32(word))
		}
	}
}

// apply makes a change, and notes the words whose sums reach the limits
// afterwards. A word that reaches them at the end of a slot is among those that
// its last change noted.
func (m *LikeMatcher) apply(c Change) {
	l := m.likes
	key := int(c.Point) * (l.kinds + 1)
	if len(m.held) > 0 {
		m.release(key+int(m.points[c.Point]), c.Slot)
		m.release(key+int(c.Piece), c.Slot)
	}
	if old := m.points[c.Point]; old != board.Empty {
		for _, e := range l.entries[l.starts[key+int(old)]:l.starts[key+int(old)+1]] {
			sum := m.sums[e.word] - e.delta
			m.sums[e.word] = sum
			if ((sum|highBits)-m.now.sums[e.tuple])&highBits != 0 {
				m.found = append(m.found, e.word)
			}
		}
	}
	m.points[c.Point] = c.Piece
	if c.Piece == board.Empty {
		return
	}
	for _, e := range l.entries[l.starts[key+int(c.Piece)]:l.starts[key+int(c.Piece)+1]] {
		sum := m.sums[e.word] + e.delta
		m.sums[e.word] = sum
		if ((sum|highBits)-m.now.sums[e.tuple])&highBits != 0 {
			m.found = append(m.found, e.word)
		}
	}
}

// release notes those of the words that are as like as best to which a piece on
// a point means something: they may be so no more.
func (m *LikeMatcher) release(key int, slot uint16) {
	l := m.likes
	list := l.entries[l.starts[key]:l.starts[key+1]]
	m.held = slices.DeleteFunc(m.held, func(h hold) bool {
		_, touched := slices.BinarySearchFunc(list, h.word, func(e addend, word uint32) int { return cmp.Compare(e.word, word) })
		if touched {
			m.found = append(m.found, h.word)
			m.leave(h, slot)
		}
		return touched
	})
}

// leave puts down where a board was as like as best, up to a slot.
func (m *LikeMatcher) leave(h hold, slot uint16) {
	for ; h.quarters != 0; h.quarters &= h.quarters - 1 {
		i := m.likes.quarters[int(h.word)*4+bits.TrailingZeros64(h.quarters)/16]
		m.stays = append(m.stays, stay{i, h.since, slot})
	}
}

// fewest finds out when there were the fewest others, among the moments at which
// the board of a lane was as like as best.
func (m *LikeMatcher) fewest(lane, end int) {
	best := &m.best
	if !best.ok {
		return
	}
	slices.SortFunc(m.stays, func(x, y stay) int {
		return cmp.Or(cmp.Compare(x.placement, y.placement), cmp.Compare(x.from, y.from))
	})
	last := int32(-1)
	for _, s := range m.stays {
		if s.placement != last {
			last = s.placement
			m.tallyOf(lane, end, last)
		}
		for at := int(s.from); at < int(s.to); at++ {
			if n := m.likes.others(last, int(m.tally[at])); n < best.others || n == best.others && at < best.ply {
				best.others, best.ply, best.placement = n, at, last
			}
		}
	}
}

// tallyOf counts the pieces in the region of a placement for all slots of a lane
// before an end.
func (m *LikeMatcher) tallyOf(lane, end int, placement int32) {
	b := m.block
	m.tally = append(m.tally[:0], make([]int32, end)...)
	for _, pt := range m.likes.like.Placements[placement].Region {
		switch v := b.first[int(pt)*b.stride+lane]; v {
		case never:
		case complex:
			was := board.Empty
			x, y := b.span(int(pt), lane)
			for ; x < y && int(u16(b.slots, x)) < end; x++ {
				is := b.piece(x)
				m.tally[u16(b.slots, x)] += int32(number(is != board.Empty) - number(was != board.Empty))
				was = is
			}
		default:
			if slot := b.arrival(v, b.only(int(pt), lane)); int(slot) < end {
				m.tally[slot]++
			}
		}
	}
	for i := 1; i < end; i++ {
		m.tally[i] += m.tally[i-1]
	}
}

// collect sorts the changes of a lane, at points that the pattern knows and
// before an end, by slot.
func (m *LikeMatcher) collect(lane int, end uint16) {
	b := m.block
	m.gather = m.gather[:0]
	for _, pt := range m.likes.seen {
		switch v := b.first[int(pt)*b.stride+lane]; v {
		case never:
		case complex:
			x, y := b.span(int(pt), lane)
			for ; x < y && u16(b.slots, x) < end; x++ {
				m.gather = append(m.gather, Change{u16(b.slots, x), pt, b.piece(x)})
			}
		default:
			p := b.only(int(pt), lane)
			if slot := b.arrival(v, p); slot < end {
				m.gather = append(m.gather, Change{slot, pt, p})
			}
		}
	}
	m.count = append(m.count[:0], make([]uint32, int(end)+1)...)
	for i := range m.gather {
		m.count[m.gather[i].Slot+1]++
	}
	for i := range m.count[1:] {
		m.count[i+1] += m.count[i]
	}
	m.changes = append(m.changes[:0], m.gather...)
	for _, c := range m.gather {
		m.changes[m.count[c.Slot]] = c
		m.count[c.Slot]++
	}
}

// AppendDifferences appends what the board of a lane at a slot has otherwise
// than a placement of the pattern. It looks at every point, and is for showing
// what was found.
func (m *LikeMatcher) AppendDifferences(dst []pattern.Difference, b *Block, l *Likes, x Like) []pattern.Difference {
	m.points = append(m.points[:0], make([]board.Piece, b.Points)...)
	b.boardAt(m.points, int(x.Lane), x.Slot)
	return l.like.AppendDifferences(dst, &m.scratch, int(x.Placement), m.points)
}

// skipsAt returns the skips of a lane, in memory of the matcher where the block
// does not share them.
func (m *LikeMatcher) skipsAt(lane int) []uint16 {
	if b := m.block; b.skips != nil && b.skips[lane] > 1 {
		m.listed = b.appendSkips(m.listed[:0], lane)
		return m.listed
	}
	return m.block.Skips(lane)
}

// piece returns what a change puts down. A damaged block may name pieces that do
// not exist: they are nothing, so that no table is left.
func (b *Block) piece(change int) board.Piece {
	if p := b.pieces[change]; int(p) <= b.Kinds {
		return board.Piece(p)
	}
	return board.Empty
}

// boardAt sets up the board of a lane at a slot.
func (b *Block) boardAt(on []board.Piece, lane int, slot uint16) {
	for pt := range on {
		on[pt] = board.Empty
		switch v := b.first[pt*b.stride+lane]; v {
		case never:
		case complex:
			x, y := b.span(pt, lane)
			for ; x < y && u16(b.slots, x) <= slot; x++ {
				on[pt] = b.piece(x)
			}
		default:
			if p := b.only(pt, lane); b.arrival(v, p) <= slot {
				on[pt] = p
			}
		}
	}
}

// usually returns the board with which most lanes begin, as far as a few tries
// tell. It is found out once.
func (b *Block) usually() *usual {
	if u := b.usual.Load(); u != nil {
		return u
	}
	u := b.startOfLane(0)
	rest := b.All() // lanes that begin otherwise than all tried ones
	for same, tries := u.same, 8; tries > 0; tries-- {
		first := -1
		for w := range rest {
			if rest[w] &^= same[w]; first < 0 && rest[w] != 0 {
				first = w*64 + bits.TrailingZeros64(rest[w])
			}
		}
		if u.same.Count() >= rest.Count() {
			break // no other is more usual
		}
		v := b.startOfLane(first)
		if same = v.same; same.Count() > u.same.Count() {
			u = v
		}
	}
	b.usual.Store(u)
	return u
}

func (b *Block) startOfLane(lane int) *usual {
	u := &usual{on: make([]board.Piece, b.Points)}
	b.boardAt(u.on, lane, 0)
	u.same = b.startAs(u.on)
	return u
}

// startAs returns the lanes whose board at slot 0 is the given one. It goes along
// the columns: about a microsecond for every eight lanes.
func (b *Block) startAs(on []board.Piece) Mask {
	same := b.All()
	words := b.stride / 64
	for pt, p := range on {
		first := b.first[pt*b.stride:][:b.stride]
		var begin, many Mask // lanes that have a piece from the start, and those with a history
		for w := range words {
			for i := range 8 {
				v := binary.LittleEndian.Uint64(first[w*64+8*i:])
				many[w] |= zeros(v) << (8 * i)
				begin[w] |= zeros(v^(atStart*0x0101010101010101)) << (8 * i)
			}
			if p == board.Empty {
				same[w] &^= begin[w]
			} else {
				same[w] &= begin[w]&b.everWord(pt, p, w) | many[w]
			}
		}
		entry, change, count, isDense := b.dir(pt)
		list := b.entries[entry:]
		if isDense {
			for w := range words {
				for set := many[w] & same[w]; set != 0; set &= set - 1 {
					lane := w*64 + bits.TrailingZeros64(set)
					if b.startOf(change+int(u16(list, lane))) != p {
						same[w] &^= 1 << (lane % 64)
					}
				}
			}
			continue
		}
		lanes, offsets := list[:2*count], list[2*count:4*count]
		for i := 0; i+1 < len(lanes) && i+1 < len(offsets); i += 2 {
			at := change + (int(offsets[i]) | int(offsets[i+1])<<8)
			if b.startOf(at) != p {
				lane := (int(lanes[i]) | int(lanes[i+1])<<8) % Lanes
				same[lane/64] &^= 1 << (lane % 64)
			}
		}
	}
	return same
}

// startOf returns what a point with a history has at slot 0, by the number of
// its first change.
func (b *Block) startOf(change int) board.Piece {
	if change < len(b.pieces) && 2*change+1 < len(b.slots) && b.slots[2*change]|b.slots[2*change+1] == 0 {
		return board.Piece(b.pieces[change])
	}
	return board.Empty
}

// zeros returns a bit for each of eight bytes that is 0.
func zeros(v uint64) uint64 {
	const low = 0x7F7F7F7F7F7F7F7F
	high := ^((v&low + low) | v | low)
	return high >> 7 * 0x0102040810204080 >> 56
}
