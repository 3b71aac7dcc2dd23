package bind

import (
	"fmt"
	"maps"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"qipu/board"
	"qipu/game"
	"qipu/pattern"
	"qipu/query"
)

// seatedWords are the places that games with Areas alone have.
var seatedWords = []string{"palace", "own", "enemy", "half", "river", "across"}

// failCount returns an error about words of a count: those that pick chooses of
// the pieces and the area, or where it chooses none all.
func (x *binding) failCount(q query.Number, pick func(*query.Source) []query.Span, message, hint string, err error) *query.Error {
	if _, inside := x.from[q.At]; !inside {
		at := query.SourceOf(x.Text, q.At)
		list := pick(&at)
		if len(list) == 0 {
			list = at.Words
		}
		if len(list) > 0 {
			from := list[0].From
			return x.failAt(from, list[len(list)-1].To-from, message, hint, err)
		}
	}
	return x.fail(q.At, message, hint, err)
}

// failPieces returns an error about the pieces of a count.
func (x *binding) failPieces(q query.Number, message, hint string, err error) *query.Error {
	return x.failCount(q, func(p *query.Source) []query.Span { return p.Pieces }, message, hint, err)
}

// failArea returns an error about the area of a count.
func (x *binding) failArea(q query.Number, message, hint string) *query.Error {
	return x.failCount(q, func(p *query.Source) []query.Span { return p.Area }, message, hint, nil)
}

// number binds a count of pieces.
func (x *binding) number(q query.Number) (query.Q, error) {
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
	if op == query.Is {
		op = query.Equal
	}
	written := strings.TrimSpace(q.Pieces + " " + q.Area)
	count := func(set pattern.Set, points []uint16, text string) *query.Count {
		return &query.Count{Set: set, Points: points, Op: op, N: q.N, Text: text}
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
	case op == query.AtLeast && q.N == 1 || op == query.Above && q.N == 0:
		return query.Or{one, two}, nil
	case (op == query.Equal || op == query.AtMost) && q.N == 0 || op == query.Below && q.N == 1:
		return query.When{Q: query.And{one, two}}, nil
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
func (x *binding) pieces(q query.Number) (sets [3]pattern.Set, err error) {
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

// maxName is more bytes than a piece has in its name where no blanks are written.
const maxName = 24

// pieceNames returns the words for a piece: with its side, and without.
func pieceNames(look *board.Look) []string {
	n := look.Names
	list := append([]string{n.En, n.Hant, n.Hans, n.Ja, n.Ko, look.Glyph, look.Simplified}, query.AnyPiece...)
	if _, kind, ok := strings.Cut(n.En, " "); ok {
		list = append(append(list, kind), query.PieceAliases[kind]...)
	}
	for _, name := range []string{n.Hant, n.Hans, n.Ja, n.Ko} {
		if chars := []rune(name); len(chars) > 1 {
			list = append(list, string(chars[1:])) // behind the colour
		}
	}
	return append(list, query.PieceAliases[n.En]...)
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
func (x *binding) unglue(q query.Number) query.Number {
	if q.Pieces[0] < 0x80 || x.meant(strings.ToLower(q.Pieces)) != 0 {
		return q
	}
	for i := range q.Pieces[:min(len(q.Pieces), maxName)] {
		if i > 0 && query.Places(q.Pieces[i:]) != nil && x.meant(q.Pieces[:i]) != 0 {
			q.Pieces, q.Area = q.Pieces[:i], strings.TrimSpace(q.Pieces[i:]+" "+q.Area)
			break
		}
	}
	return q
}

// misplaced returns the error for a word behind the pieces that was meant as a
// place, or nil: R palce.
func (x *binding) misplaced(q query.Number) error {
	pieces, rest, _ := strings.Cut(q.Pieces, " ")
	for n := 1; rest != "" && n <= 3; n++ { // no piece has more words
		_, err := x.pieces(query.Number{Pieces: pieces, At: q.At})
		word, more, _ := strings.Cut(rest, " ")
		if hint := areaHint(word); err == nil && hint != "" {
			pick := func(p *query.Source) []query.Span { return p.Pieces[min(n, len(p.Pieces)):min(n+1, len(p.Pieces))] }
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
		return query.Suggest(word, list, other)
	}
	return query.Suggest(word, kinds, other)
}

// area returns the points of an area as a side sees them: all points that every
// phrase of it means.
func (x *binding) area(q query.Number, side game.Side) ([]uint16, error) {
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
			pick := func(p *query.Source) []query.Span { return p.Area[min(from, len(p.Area)):min(to+1, len(p.Area))] }
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
		if known := query.AreaWords[strings.ToLower(word)]; known != "" {
			parts[0] = known
		} else if made := query.Places(word); made != nil {
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
	if query.AreaWords[word] != "" {
		return ""
	}
	known := slices.DeleteFunc(slices.Sorted(maps.Keys(query.AreaWords)), func(s string) bool { return s[0] >= 0x80 })
	return query.Suggest(word, known, "")
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
