package describe

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"qipu/board"
	"qipu/pattern"
)

// reader goes through a name, character by character.
type reader struct {
	n    *Namer
	text []rune // folded, in the case in which it was written
	low  []rune // the same in lower case
	at   int
	end  int // of what is being read
}

func (n *Namer) reader(name string) *reader {
	r := &reader{n: n, text: []rune(name)}
	for i, c := range r.text {
		r.text[i] = fold(c)
	}
	r.low = slices.Clone(r.text)
	for i, c := range r.low {
		if c >= 'A' && c <= 'Z' {
			r.low[i] = c | 0x20
		}
	}
	r.end = len(r.text)
	return r
}

// errorf returns an error about the character at an index.
func (r *reader) errorf(at int, format string, args ...any) error {
	return fmt.Errorf("describe: column %d: %s", at+1, fmt.Sprintf(format, args...))
}

// rest returns what is to be read next, quoted, for errors.
func (r *reader) rest() string {
	r.skip()
	if r.at >= r.end {
		return "the end"
	}
	to := min(r.end, r.at+12)
	return strconv.Quote(string(r.text[r.at:to]))
}

// skip goes over what parts words.
func (r *reader) skip() {
	for r.at < r.end && strings.ContainsRune(" ,;:、", r.low[r.at]) {
		r.at++
	}
}

// done reports whether nothing is left but what parts words.
func (r *reader) done() bool {
	r.skip()
	return r.at >= r.end
}

// peek returns the next character, or 0.
func (r *reader) peek() rune {
	if r.at >= r.end {
		return 0
	}
	return r.low[r.at]
}

// has returns the length of a word if it comes next, or 0. Words of letters
// end where the letters do.
func (r *reader) has(w []rune) int {
	to := r.at + len(w)
	if to > r.end || !slices.Equal(r.low[r.at:to], w) {
		return 0
	}
	if letter(w[len(w)-1]) && to < r.end && letter(r.low[to]) {
		return 0
	}
	return len(w)
}

func letter(c rune) bool { return c >= 'a' && c <= 'z' }

func digit(c rune) bool { return c >= '0' && c <= '9' }

// eat goes over the first of the words that comes next, behind what parts
// words, and reports whether one does.
func (r *reader) eat(words ...string) bool {
	start := r.at
	r.skip()
	for _, w := range words {
		if k := r.has([]rune(w)); k > 0 {
			r.at += k
			return true
		}
	}
	r.at = start
	return false
}

// number reads a number in digits.
func (r *reader) number() (int, bool) {
	start := r.at
	r.skip()
	from := r.at
	for r.at < r.end && digit(r.low[r.at]) {
		r.at++
	}
	v, err := strconv.Atoi(string(r.low[from:r.at]))
	if err != nil {
		r.at = start
		return 0, false
	}
	return v, true
}

// numeral reads a number from 1 to 10 of either kind.
func (r *reader) numeral() (v int, chinese, ok bool) {
	start := r.at
	r.skip()
	if i := slices.Index(numerals, r.peek()); i > 0 {
		r.at++
		return i, true, true
	}
	if v, ok = r.number(); ok && v >= 1 && v <= 10 {
		return v, false, true
	}
	r.at = start
	return 0, false, false
}

var numerals = []rune("〇一二三四五六七八九十")

// states reads a set of states. Frame is the side whose piece a word means that
// both sides share, or anySide.
func (r *reader) states(frame int) (pattern.Set, error) {
	not := r.eat("非", "not")
	var set pattern.Set
	for {
		one, err := r.state(frame)
		if err != nil {
			return 0, err
		}
		set |= one
		if !r.eat("或", "or") {
			break
		}
	}
	if not {
		if set = r.n.on &^ set; set == 0 {
			return 0, r.errorf(r.at, "a point that may hold nothing at all: leave out some of what it must not be")
		}
	}
	return set, nil
}

// state reads one state.
func (r *reader) state(frame int) (pattern.Set, error) {
	r.skip()
	for _, w := range r.n.words {
		k := r.has(w.runes)
		if k == 0 {
			continue
		}
		if w.sets[frame] == 0 {
			return 0, r.errorf(r.at, "%s may be of either side: write its side before it", r.rest())
		}
		r.at += k
		return w.sets[frame], nil
	}
	var list []string
	for _, w := range r.n.pieces {
		list = append(list, w[r.n.lang])
	}
	return 0, r.errorf(r.at, "%s is nothing that a point may hold: write %s or %s", r.rest(), strings.Join(list, ", "), emptyWord[r.n.lang])
}

// point reads a point: of the board, or in the region where it has no place
// there. It reports false where no point comes next.
func (r *reader) point(loose bool, size board.Size) (at board.Point, ok bool, err error) {
	start := r.at
	r.skip()
	from := r.at
	for r.at < r.end && letter(r.low[r.at]) {
		r.at++
	}
	mid := r.at
	for r.at < r.end && digit(r.low[r.at]) {
		r.at++
	}
	if mid == from || r.at == mid {
		r.at = start
		return 0, false, nil
	}
	name := string(r.low[from:r.at])
	if !loose {
		if at, ok = r.n.at[name]; !ok {
			return 0, false, r.errorf(from, "%s is no point of the %v board: write one such as %s", name, r.n.g.Size, r.n.name(0))
		}
		return at, true, nil
	}
	x, y := int(r.low[from]-'a'), 0
	y, err = strconv.Atoi(string(r.low[mid:r.at]))
	if err != nil || mid-from > 1 || x >= size.W || y < 1 || y > size.H {
		return 0, false, r.errorf(from, "%s lies outside a region of %v: a1 is its top left point, %s its last", name, size, local(size.W-1, size.H-1))
	}
	return board.At(x, y-1), true, nil
}

// local returns the name of a point in a region without place, up to column z.
func local(x, y int) string { return string(rune('a'+min(x, 25))) + strconv.Itoa(y+1) }

// options reads what stands in parentheses at the end, and leaves the reader
// before it.
func (r *reader) options(d *draft) error {
	r.end = len(r.text)
	for r.end > 0 && unicode.IsSpace(r.text[r.end-1]) {
		r.end--
	}
	open := slices.Index(r.text, '(')
	if open < 0 {
		r.at = 0
		return nil
	}
	if r.end == 0 || r.text[r.end-1] != ')' {
		return r.errorf(open, "parentheses without end: close them behind the last option")
	}
	r.at, r.end = open+1, r.end-1
	for !r.done() {
		if err := r.option(d); err != nil {
			return err
		}
	}
	r.at, r.end = 0, open
	return nil
}

// option reads one option.
func (r *reader) option(d *draft) error {
	n, start := r.n, r.at
	for i, side := range n.sides {
		turn := pattern.FirstToMove + pattern.Turn(i)
		if r.eat("輪" + side[zh]) {
			d.Turn = turn
			return nil
		}
		if r.eat(side[en]+" to move", "turn "+side[en]) {
			d.Turn = turn
			return nil
		}
	}
	switch {
	case r.eat("不鏡映", "no mirror", "no-mirror"):
		d.Mirror = false
	case r.eat("不對調", "no swap", "no-swap"):
		d.Swap = false
	case r.eat("原樣", "as drawn"):
		d.Mirror, d.Swap = false, false
	case r.eat("其餘空", "rest empty"):
		d.fill, d.filled = pattern.Empty, start+1
	case r.eat("其餘任意", "rest any"):
		d.fill, d.filled = n.on, start+1
	case r.eat("限", "within"):
		d.within = start + 1
		return r.within(d)
	default:
		return r.plies(d)
	}
	return nil
}

// plies reads bounds in time.
func (r *reader) plies(d *draft) error {
	r.skip()
	start := r.at
	english := r.eat("plies", "ply")
	from, low := r.number()
	to, high := from, low
	if r.eat("至", "..") {
		to, high = r.number()
	} else if !english {
		to, high = 0, false // 10手起
	}
	ok := low || high
	if !english {
		ok = ok && r.eat("手") && (high || r.eat("起"))
	}
	if !ok {
		r.at = start
		return r.errorf(start, "%s is no option: write 原樣 (as drawn), 不鏡映 (no mirror), 不對調 (no swap), 輪%s (%s to move), 10至60手 (plies 10..60), 其餘空 (rest empty), 其餘任意 (rest any) or 限 (within) and two points, such as %s",
			r.rest(), r.n.sides[0][zh], r.n.sides[0][en], r.n.name(0))
	}
	d.From, d.To = 0, -1
	if low {
		d.From = from
	}
	if high {
		d.To = to
	}
	return nil
}

// within reads the corners of a region that has its place on the board.
func (r *reader) within(d *draft) error {
	start := r.at
	a, ok, err := r.point(false, r.n.g.Size)
	if err == nil && ok {
		var b board.Point
		r.eat("至", "to")
		if b, ok, err = r.point(false, r.n.g.Size); err == nil && ok {
			d.At = board.At(min(a.X(), b.X()), min(a.Y(), b.Y()))
			d.Size = board.Size{W: max(a.X(), b.X()) - d.At.X() + 1, H: max(a.Y(), b.Y()) - d.At.Y() + 1}
		}
	}
	if err == nil && !ok {
		err = r.errorf(start, "a region without corners: write two points, such as %s至%s", r.n.name(0), r.n.name(board.At(r.n.g.Size.W-1, r.n.g.Size.H-1)))
	}
	return err
}

// suffix returns the options of a pattern whose other cells are fill.
func (n *Namer) suffix(p *pattern.Pattern, fill pattern.Set, region bool) string {
	var list []string
	add := func(zh, en string) { list = append(list, text{zh, en}[n.lang]) }
	if region {
		from, to := n.name(p.At), n.name(board.At(p.At.X()+p.Size.W-1, p.At.Y()+p.Size.H-1))
		add("限"+from+"至"+to, "within "+from+":"+to)
	}
	switch {
	case fill == n.fill:
	case fill == pattern.Empty:
		add("其餘空", "rest empty")
	default:
		add("其餘任意", "rest any")
	}
	switch {
	case !p.Mirror && !p.Swap:
		add("原樣", "as drawn")
	case !p.Mirror:
		add("不鏡映", "no mirror")
	case !p.Swap:
		add("不對調", "no swap")
	}
	if p.Turn != pattern.AnyTurn {
		side := n.sides[p.Turn-pattern.FirstToMove]
		add("輪"+side[zh], side[en]+" to move")
	}
	switch from, to := strconv.Itoa(p.From), strconv.Itoa(p.To); {
	case p.To >= 0 && p.From > 0:
		add(from+"至"+to+"手", "plies "+from+".."+to)
	case p.To >= 0:
		add("至"+to+"手", "plies .."+to)
	case p.From > 0:
		add(from+"手起", "plies "+from+"..")
	}
	if len(list) == 0 {
		return ""
	}
	if n.lang == zh {
		return "（" + strings.Join(list, "，") + "）"
	}
	return " (" + strings.Join(list, ", ") + ")"
}
