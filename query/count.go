package query

import (
	"fmt"
	"maps"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"qipu/board"
	"qipu/game"
	"qipu/pattern"
)

// areaWords are the words that an area begins with, and what they mean.
var areaWords = map[string]string{
	"file": "file", "路": "file", "筋": "file", "줄": "file", "rank": "rank", "線": "rank", "线": "rank",
	"column": "column", "列": "column", "열": "column", "row": "row", "行": "row", "행": "row",
	"palace": "palace", "九宮": "palace", "九宫": "palace", "宮": "palace", "宫": "palace", "궁": "palace", "궁성": "palace",
	"own": "own", "己方": "own", "我方": "own", "自陣": "own", "자기": "own",
	"enemy": "enemy", "敵方": "enemy", "敌方": "enemy", "對方": "enemy", "对方": "enemy", "敵陣": "enemy", "상대": "enemy",
	"half": "half", "半場": "half", "半场": "half", "진영": "half",
	"river": "river", "河": "river", "河界": "river", "강": "river",
	"across": "across", "crossed": "across", "過河": "across", "过河": "across", "渡河": "across", "도하": "across",
	"corner": "corner", "corners": "corner", "角": "corner", "隅": "corner", "귀": "corner",
	"edge": "edge", "edges": "edge", "邊": "edge", "边": "edge", "辺": "edge", "변": "edge",
	"centre": "centre", "center": "centre", "中央": "centre", "中心": "centre", "天元": "centre", "중앙": "centre",
}

// seatedWords are the places that games with Areas alone have.
var seatedWords = []string{"palace", "own", "enemy", "half", "river", "across"}

// fillers may stand before a place, and mean nothing.
var fillers = []string{"on", "at", "in", "the"}

// numerals are the digits of Han numbers.
const numerals = "零一二三四五六七八九十"

// hanNumber reads a number below 100 at the head of some characters, in digits
// or as 三 and 十六, and returns how many characters it has.
func hanNumber(chars []rune) (value, n int) {
	for ; n < len(chars) && n < 3; n++ {
		digit := int(chars[n] - '0')
		if digit < 0 || digit > 9 {
			at := strings.IndexRune(numerals, chars[n])
			if at < 0 {
				break
			}
			if digit = utf8.RuneCountInString(numerals[:at]); digit == 10 {
				value = max(value, 1) * 10
				continue
			}
			if value%10 == 0 && value > 0 {
				value += digit // 十六
				continue
			}
		}
		value = value*10 + digit
	}
	return value, n
}

// places takes a word of Chinese, Japanese or Korean apart into the words for
// places that it is made of: 三路 is file 3, 敵方九宮 the enemy palace. Nil where
// it is not made of such.
func places(word string) []string {
	chars := []rune(word)
	var list []string
next:
	for len(chars) > 0 {
		rest := chars
		if rest[0] == '第' {
			rest = rest[1:]
		}
		if k, n := hanNumber(rest); n > 0 && n < len(rest) {
			switch unit := areaWords[string(rest[n:n+1])]; unit {
			case "file", "rank", "column", "row":
				list = append(list, unit, strconv.Itoa(k))
				chars = rest[n+1:]
				continue
			}
		}
		for n := min(len(chars), 2); n > 0; n-- {
			if known := areaWords[string(chars[:n])]; known != "" {
				list = append(list, known)
				chars = chars[n:]
				continue next
			}
		}
		return nil
	}
	return list
}

// placeLike reports whether a word begins an area.
func placeLike(word string) bool {
	return areaWords[strings.ToLower(word)] != "" || pointLike(word) || places(word) != nil
}

// pointLike reports whether a word looks like a point or a rectangle: letters,
// then digits.
func pointLike(word string) bool {
	digits := strings.TrimLeft(strings.ToLower(word), "abcdefghijklmnopqrstuvwxyz")
	return len(digits) > 0 && len(digits) < len(word) && digits[0] >= '0' && digits[0] <= '9'
}

// counted reads the words in the parentheses of a count, behind the opening one,
// and returns where the closing one stands; -1 where there is none. A set in
// brackets is one word, whatever blanks are in it.
func (l *lexer) counted() (list []token, end int) {
	var word strings.Builder
	t, bracket := token{kind: wordToken}, false
	for {
		r, n := l.peek()
		stop := n == 0 || r == ')'
		if stop || !bracket && (unicode.IsSpace(r) || r == ',' || r == '、') {
			if t.text, t.to = strings.TrimSpace(word.String()), l.at; t.text != "" {
				list = append(list, t)
			}
			word.Reset()
		} else {
			if word.Len() == 0 {
				t.from = l.at
			}
			bracket = r != ']' && (bracket || r == '[')
			word.WriteRune(r)
		}
		if n == 0 {
			return list, -1
		}
		end, l.at = l.at, l.at+n
		if stop {
			return list, end
		}
	}
}

// splitCount parts the words of a count into the pieces, at least one word, and
// the area; cut tells that a place is announced and does not follow.
func splitCount(list []token) (pieces, area []token, cut bool) {
	filler := func(t token) bool { return slices.Contains(fillers, strings.ToLower(t.text)) }
	n := min(len(list), 1)
	for n < len(list) && !filler(list[n]) && !placeLike(list[n].text) {
		n++
	}
	area = slices.DeleteFunc(slices.Clone(list[n:]), filler)
	return list[:n], area, n < len(list) && len(area) == 0
}

// spaced returns words as one text.
func spaced(list []token) string {
	var words []string
	for _, t := range list {
		words = append(words, t.text)
	}
	return strings.Join(words, " ")
}

// failCount returns an error about words of a count: those that pick chooses of
// the pieces and the area, or where it chooses none all.
func (x *binding) failCount(q Number, pick func(pieces, area []token) []token, message, hint string, err error) *Error {
	if _, inside := x.from[q.At]; q.At >= 0 && q.At < len(x.Text) && !inside {
		l := lexer{x.Text, q.At}
		word, bad1 := l.next(termMode)
		if open, bad2 := l.next(termMode); bad1 == nil && bad2 == nil && word.kind == wordToken && open.kind == openToken {
			list, _ := l.counted()
			pieces, area, _ := splitCount(list)
			if chosen := pick(pieces, area); len(chosen) > 0 {
				list = chosen
			}
			if len(list) > 0 {
				at := list[0].from
				return x.failAt(at, list[len(list)-1].to-at, message, hint, err)
			}
		}
	}
	return x.fail(q.At, message, hint, err)
}

// failPieces returns an error about the pieces of a count.
func (x *binding) failPieces(q Number, message, hint string, err error) *Error {
	return x.failCount(q, func(pieces, _ []token) []token { return pieces }, message, hint, err)
}

// failArea returns an error about the area of a count.
func (x *binding) failArea(q Number, message, hint string) *Error {
	return x.failCount(q, func(_, area []token) []token { return area }, message, hint, nil)
}

// number binds a count of pieces.
func (x *binding) number(q Number) (Q, error) {
	if q.Pieces == "" {
		return nil, x.fail(q.At, "pieces are missing", "name them by letter or word, as in has(R file 4)", nil)
	}
	q = x.unglue(q)
	sets, err := x.pieces(q)
	if err != nil {
		return nil, err
	}
	both := sets[0] | sets[1] | sets[2]
	var areas [2][]uint16
	for side := range areas {
		if sets[side] == 0 && both != sets[2] {
			continue // nobody's place
		}
		if areas[side], err = x.area(q, game.Side(side)); err != nil {
			return nil, err
		}
	}
	op := q.Op
	if op == Is {
		op = Equal
	}
	written := strings.TrimSpace(q.Pieces + " " + q.Area)
	count := func(set pattern.Set, points []uint16, text string) *Count {
		return &Count{Set: set, Points: points, Op: op, N: q.N, Text: text}
	}
	switch {
	case slices.Equal(areas[0], areas[1]):
		return count(both, areas[0], written), nil
	case both == sets[2]:
		return nil, x.failArea(q, fmt.Sprintf("%q means another place for each side, and empty points have none", q.Area), "name the points, as in column c")
	case sets[1] == 0:
		return count(both, areas[0], written), nil
	case sets[0] == 0:
		return count(both, areas[1], written), nil
	case sets[2] != 0:
		return nil, x.failArea(q, fmt.Sprintf("%q means another place for each side", q.Area), "count the empty points apart")
	}
	// Each side has its own place: a sum of two counts, which one condition can
	// say only of none and some.
	one := count(sets[0], areas[0], x.written(sets[0], q.Area))
	two := count(sets[1], areas[1], x.written(sets[1], q.Area))
	switch {
	case op == AtLeast && q.N == 1 || op == Above && q.N == 0:
		return Or{one, two}, nil
	case (op == Equal || op == AtMost) && q.N == 0 || op == Below && q.N == 1:
		return When{And{one, two}}, nil
	}
	return nil, x.failArea(q, fmt.Sprintf("%q means another place for each side", q.Area), "say whose pieces to count, as in red chariot")
}

// written returns a set of pieces as a count names it.
func (x *binding) written(set pattern.Set, area string) string {
	text := "["
	for i, look := range x.Rules.Geometry().Pieces {
		if set.Has(board.Piece(i + 1)) {
			text += look.Letters[:1]
		}
	}
	return strings.TrimSpace(text + "] " + area)
}

// pieces returns the pieces of the first and of the second side that a count
// names, and as a third set the empty point.
func (x *binding) pieces(q Number) (sets [3]pattern.Set, err error) {
	g := x.Rules.Geometry()
	all := pattern.Set(0)
	switch word := strings.ToLower(q.Pieces); {
	case word[0] == '[' || len([]rune(word)) == 1 && word[0] < 0x80:
		cell := q.Pieces
		if cell[0] != '[' {
			cell = "[" + cell + "]"
		}
		p, err := pattern.Parse(g, cell)
		if err == nil && len(p.Cells) != 1 {
			err = fmt.Errorf("%q is more than one piece: write [%s] for any of them", q.Pieces, strings.Trim(q.Pieces, "[]"))
		}
		if err != nil {
			text := cause(err)
			if strings.HasPrefix(text, "line ") {
				_, text, _ = strings.Cut(text, ": ")
			}
			return sets, x.failPieces(q, text, "", err)
		}
		if all = p.Cells[0]; all&pattern.Off != 0 {
			return sets, x.failPieces(q, "what lies outside the board cannot be counted", "leave out # and ~", nil)
		}
	default:
		all = x.meant(word)
	}
	if all == 0 {
		if err := x.misplaced(q); err != nil {
			return sets, err
		}
		return sets, x.failPieces(q, fmt.Sprintf("%s has no piece %q", x.Rules.Info().Titles.En, q.Pieces), x.pieceHint(q.Pieces), ErrOtherGame)
	}
	sets[2] = all & pattern.Empty
	for rest := all &^ pattern.Empty; rest != 0; rest &= rest - 1 {
		piece := bits.TrailingZeros32(uint32(rest))
		sets[g.Pieces[piece-1].Owner&1] |= 1 << piece
	}
	return sets, nil
}

// pieceAliases are more words for pieces, of both sides or of one: what other
// games and books call them, and the characters that records have for both.
var pieceAliases = map[string][]string{
	"king": {"general"}, "advisor": {"adviser", "guard", "mandarin"}, "elephant": {"bishop", "minister"}, "soldier": {"pawn"},
	"chariot": {"rook", "車", "车"}, "horse": {"knight", "馬", "马"}, "cannon": {"炮", "砲"}, "black cannon": {"包"},
}

// maxName is more bytes than a piece has in its name where no blanks are written.
const maxName = 24

// anyPiece are the words for all pieces.
var anyPiece = []string{"piece", "stone", "disc"}

// pieceWord reports whether a word names pieces of some game, or their side.
func pieceWord(word string) bool {
	one := strings.TrimSuffix(strings.ToLower(word), "s")
	if slices.Contains(anyPiece, one) || pieceAliases[one] != nil || one == "red" || one == "black" || one == "white" {
		return true
	}
	for _, list := range pieceAliases {
		if slices.Contains(list, one) {
			return true
		}
	}
	return false
}

// pieceNames returns the words for a piece: with its side, and without.
func pieceNames(look *board.Look) []string {
	n := look.Names
	list := append([]string{n.En, n.Hant, n.Hans, n.Ja, n.Ko, look.Glyph, look.Simplified}, anyPiece...)
	if _, kind, ok := strings.Cut(n.En, " "); ok {
		list = append(append(list, kind), pieceAliases[kind]...)
	}
	for _, name := range []string{n.Hant, n.Hans, n.Ja, n.Ko} {
		if chars := []rune(name); len(chars) > 1 {
			list = append(list, string(chars[1:])) // behind the colour
		}
	}
	return append(list, pieceAliases[n.En]...)
}

// meant returns the pieces that a word in lower case means.
func (x *binding) meant(word string) (set pattern.Set) {
	pieces := x.Rules.Geometry().Pieces
	for i := range pieces {
		if x.called(&pieces[i], word) {
			set |= pattern.Of(board.Piece(i + 1))
		}
	}
	return set
}

// called reports whether a word in lower case means a piece.
func (x *binding) called(look *board.Look, word string) bool {
	for _, name := range pieceNames(look) {
		if name = strings.ToLower(name); name != "" && (word == name || word == name+"s") {
			return true
		}
	}
	// The side alone, or the side before a word for the piece: 紅車 without a
	// blank.
	head, rest, more := strings.Cut(word, " ")
	if _, n := utf8.DecodeRuneInString(word); n > 1 && n < len(word) && len(word) <= maxName && !more {
		if _, ok := sideOf(x.Rules, word); !ok {
			head, rest, more = word[:n], word[n:], true
		}
	}
	side, ok := sideOf(x.Rules, head)
	return ok && int(side) == look.Owner && (!more || x.called(look, rest))
}

// unglue parts pieces from a place that follows them without a blank: 俥三路.
func (x *binding) unglue(q Number) Number {
	if q.Pieces[0] < 0x80 || x.meant(strings.ToLower(q.Pieces)) != 0 {
		return q
	}
	for i := range q.Pieces[:min(len(q.Pieces), maxName)] {
		if i > 0 && places(q.Pieces[i:]) != nil && x.meant(q.Pieces[:i]) != 0 {
			q.Pieces, q.Area = q.Pieces[:i], strings.TrimSpace(q.Pieces[i:]+" "+q.Area)
			break
		}
	}
	return q
}

// misplaced returns the error for a word behind the pieces that was meant as a
// place, or nil: R palce.
func (x *binding) misplaced(q Number) error {
	pieces, rest, _ := strings.Cut(q.Pieces, " ")
	for n := 1; rest != "" && n <= 3; n++ { // no piece has more words
		_, err := x.pieces(Number{Pieces: pieces, At: q.At})
		word, more, _ := strings.Cut(rest, " ")
		if hint := areaHint(word); err == nil && hint != "" {
			pick := func(pieces, _ []token) []token { return pieces[min(n, len(pieces)):min(n+1, len(pieces))] }
			return x.failCount(q, pick, fmt.Sprintf("%q is neither a piece nor a place", word), hint, nil)
		}
		pieces, rest = pieces+" "+word, more
	}
	return nil
}

// pieceHint names the pieces that a word may mean, or all, for an error.
func (x *binding) pieceHint(word string) string {
	var list, kinds []string
	for i := range x.Rules.Geometry().Pieces {
		name := x.Rules.Geometry().Pieces[i].Names.En
		list = append(list, name)
		if _, kind, ok := strings.Cut(name, " "); ok && !slices.Contains(kinds, kind) {
			kinds = append(kinds, kind)
		}
	}
	other := "its pieces are " + strings.Join(append(slices.Clone(kinds), list...), ", ")
	if strings.Contains(word, " ") {
		return suggest(word, list, other)
	}
	return suggest(word, kinds, other)
}

// area returns the points of an area as a side sees them: all points that every
// phrase of it means.
func (x *binding) area(q Number, side game.Side) ([]uint16, error) {
	g := x.Rules.Geometry()
	in := make([]bool, g.Size.Area())
	for i := range in {
		in[i] = true
	}
	list, words := areaList(q.Area)
	for at := 0; at < len(list); {
		has, n, err := x.phrase(list[at:], side)
		if err != nil {
			from := words[at]
			to := words[min(at+max(n, 1), len(list))-1]
			cause := error(nil)
			if slices.Contains(seatedWords, list[at]) {
				cause = ErrOtherGame
			}
			pick := func(_, area []token) []token { return area[min(from, len(area)):min(to+1, len(area))] }
			return nil, x.failCount(q, pick, err.Error(), areaHint(list[at]), cause)
		}
		for i := range in {
			in[i] = in[i] && has(g.Size.Point(i))
		}
		at += n
	}
	var points []uint16
	for i, ok := range in {
		if ok {
			points = append(points, uint16(i))
		}
	}
	if points == nil {
		return nil, x.failArea(q, fmt.Sprintf("no point is %q", q.Area), "leave out a part of it")
	}
	return points, nil
}

// areaList returns the plain words of an area, and which word of it as written
// each belongs to.
func areaList(area string) (list []string, words []int) {
	for i, word := range strings.Fields(area) {
		parts := []string{word}
		if known := areaWords[strings.ToLower(word)]; known != "" {
			parts[0] = known
		} else if made := places(word); made != nil {
			parts = made
		}
		for _, part := range parts {
			list, words = append(list, part), append(words, i)
		}
	}
	return list, words
}

// areaHint returns the word for a place that another one may mean, or "".
func areaHint(word string) string {
	if areaWords[word] != "" {
		return ""
	}
	known := slices.DeleteFunc(slices.Sorted(maps.Keys(areaWords)), func(s string) bool { return s[0] >= 0x80 })
	return suggest(word, known, "")
}

// Areas is a Rules whose sides sit at opposite ends of the board, the first one
// below. They count files from their right and ranks from their own end, and the
// game has places that have names.
type Areas interface {
	// Area returns which points are the "own" or the "enemy" half of the board
	// for a side, the "palace" or the "river"; nil for a place that the game
	// does not have.
	Area(name string, side game.Side) func(board.Point) bool
}

// phrase reads one phrase of an area and returns which points it means, and how
// many words it has, also where it is wrong.
func (x *binding) phrase(list []string, side game.Side) (has func(board.Point) bool, n int, err error) {
	g := x.Rules.Geometry()
	areas, seated := x.Rules.(Areas)
	w, h := g.Size.W, g.Size.H
	columns, rows := g.PointNames()
	word, next := list[0], ""
	if !seated && slices.Contains(seatedWords, word) {
		return nil, 1, fmt.Errorf("%s has no %q: write columns, rows or points", x.Rules.Info().Titles.En, word)
	}
	if len(list) > 1 {
		next = list[1]
	}
	switch word {
	case "file", "column":
		at := slices.IndexFunc(columns, func(s string) bool { return strings.EqualFold(s, next) })
		if k, bad := strconv.Atoi(next); bad == nil && at < 0 {
			if at = k - 1; seated && side == game.First && word == "file" {
				at = w - k
			}
		}
		if at < 0 || at >= w {
			return nil, 2, fmt.Errorf("the board has no %s %q: write file 1 to %d, or column %s to %s", word, next, w, columns[0], columns[w-1])
		}
		return func(p board.Point) bool { return p.X() == at }, 2, nil
	case "rank", "row":
		at := slices.IndexFunc(rows, func(s string) bool { return strings.EqualFold(s, next) })
		if k, bad := strconv.Atoi(next); word == "rank" && seated && bad == nil {
			if at = k - 1; side == game.First {
				at = h - k
			}
		}
		if at < 0 || at >= h {
			return nil, 2, fmt.Errorf("the board has no %s %q: write row %s to %s", word, next, rows[0], rows[h-1])
		}
		return func(p board.Point) bool { return p.Y() == at }, 2, nil
	case "corner", "edge", "centre":
		// The distance to the nearest end, from 0 on, in both directions.
		dx := func(p board.Point) int { return min(p.X(), w-1-p.X()) }
		dy := func(p board.Point) int { return min(p.Y(), h-1-p.Y()) }
		return map[string]func(board.Point) bool{
			"corner": func(p board.Point) bool { return dx(p) == 0 && dy(p) == 0 },
			"edge":   func(p board.Point) bool { return dx(p) == 0 || dy(p) == 0 },
			"centre": func(p board.Point) bool { return dx(p) == (w-1)/2 && dy(p) == (h-1)/2 },
		}[word], 1, nil
	}
	if seated {
		name := word
		if word == "across" {
			name = "enemy"
		}
		if has := areas.Area(name, side); has != nil {
			if n = 1; word == name && next == "half" && (word == "own" || word == "enemy") || word == "across" && next == "river" {
				n = 2
			}
			return has, n, nil
		}
		if slices.Contains(seatedWords, word) && word != "half" {
			return nil, 1, fmt.Errorf("%s has no %q: write columns, rows or points", x.Rules.Info().Titles.En, word)
		}
	}
	if p, ok := g.Point(word); ok {
		return func(q board.Point) bool { return p == q }, 1, nil
	}
	if strings.Contains(word, ":") {
		a, b, err := rectangle(g, word)
		return func(p board.Point) bool {
			return p.X() >= a.X() && p.X() <= b.X() && p.Y() >= a.Y() && p.Y() <= b.Y()
		}, 1, err
	}
	return nil, 1, fmt.Errorf("%q is no place on the board: write file 4, row 3, column %s, a point as %s, or two corners as %s:%s",
		word, columns[0], g.Name(board.At(2, 2)), g.Name(board.At(2, 2)), g.Name(board.At(5, 5)))
}
