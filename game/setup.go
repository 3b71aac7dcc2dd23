package game

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"qipu/board"
)

// Setup is any arrangement of pieces, possible or not; Rules.Arrange makes a
// Position of it or says why it cannot be one.
type Setup struct {
	Board *board.Planes
	Turn  Side

	Ko        board.Point // Go: the point that may not be retaken at once, or NoPoint
	Prisoners [2]int      // Go: stones taken by each side
	Quiet     int         // Xiangqi: plies since the last capture
	Number    int         // FEN's move number, from 1, where Info.Clocks is set

	// Extra is what else makes a position: castling rights, a pawn that may be
	// taken in passing, pieces in hand, seeds in houses. It is made of the fields
	// that Info.Extra names, "castling=KQ hand=2P", in that order and parted by
	// one space, so that equal ones are equal texts; what the values mean is the
	// game's own. Empty for games that need none.
	Extra string
}

// ExtraKey returns 64 bits of what a Setup.Extra is in a picture of its position,
// for hashes of positions; 0 for none.
func ExtraKey(r Rules, extra string, sym Symmetry) (key uint64) {
	if extra == "" {
		return 0
	}
	if x, ok := r.(ExtraTransformer); ok {
		extra = x.TransformExtra(extra, sym)
	}
	for _, c := range []byte(extra) {
		key = board.Mix(key ^ uint64(c))
	}
	return key
}

// NewSetup returns an empty board of these rules with the first side to move.
func NewSetup(r Rules) Setup {
	g := r.Geometry()
	return Setup{Board: board.NewPlanes(g.Size, len(g.Pieces)), Ko: board.NoPoint, Number: 1}
}

// SetupOf returns the arrangement of a position. It shares nothing with it.
func SetupOf(p Position) Setup {
	s := Setup{Turn: p.Turn(), Ko: board.NoPoint, Number: 1}
	if q, ok := p.(Planar); ok {
		s.Board = q.Planes().Clone()
	}
	if n, ok := p.(Noted); ok {
		n.Note(&s)
	}
	return s
}

// Check tells what makes an arrangement impossible in any game: no board or one
// of another size, two pieces on one point, pieces outside, a side that is
// none. Every Arrange asks it first.
func (s Setup) Check(r Rules) error {
	info, g := r.Info(), r.Geometry()
	switch {
	case s.Board == nil || s.Board.Size != g.Size || len(s.Board.Of) != len(g.Pieces):
		return fmt.Errorf("%s: the arrangement is not for a board of %v with %d kinds of pieces", info.Name, g.Size, len(g.Pieces))
	case int(s.Turn) >= len(info.Sides):
		return fmt.Errorf("%s: there is no side %d", info.Name, s.Turn)
	}
	full := g.Size.Full()
	var seen board.Plane
	for i := range s.Board.Of {
		switch {
		case s.Board.Of[i].Meets(&seen):
			return fmt.Errorf("%s: the arrangement has two pieces on one point", info.Name)
		case !s.Board.Of[i].Within(&full):
			return fmt.Errorf("%s: the arrangement has a piece outside the board", info.Name)
		}
		seen.Or(&s.Board.Of[i])
	}
	return nil
}

// Transform returns the arrangement after a symmetry of the game.
func (s Setup) Transform(r Rules, sym Symmetry) Setup {
	t := s
	var swap []board.Piece
	if sym.Swap {
		for _, look := range r.Geometry().Pieces {
			swap = append(swap, look.Swap)
		}
		t.Turn = s.Turn.Opponent()
		t.Prisoners[0], t.Prisoners[1] = s.Prisoners[1], s.Prisoners[0]
	}
	if x, ok := r.(ExtraTransformer); ok && s.Extra != "" {
		t.Extra = x.TransformExtra(s.Extra, sym)
	}
	t.Board = s.Board.Transform(sym.Board, swap)
	if s.Ko != board.NoPoint {
		t.Ko = sym.Board.Apply(s.Board.Size, s.Ko)
	}
	return t
}

// A position text is the board, the side to move, and what else the game
// notes, in the manner of FEN:
//
//	rows from the top, parted by "/"; a piece is a letter, a number counts
//	empty points; ". - _ +" are one empty point each; without "/" the rows
//	simply follow each other (Othello's 64 characters)
//	the letter of the side to move (the first side if left out)
//	"-" fields are skipped; two numbers are the quiet plies and the move number
//	ko=x,y and prisoners=a,b where a Go position needs them
//	the fields of Setup.Extra, name=value, where the game has such; a game with
//	clocks has their values alone before the numbers, "-" for none, as in FEN
//
// A game without kinds of pieces has no rows: its text begins with the side.

// ParseSetup reads a position text, or one in the form that is the game's own.
func ParseSetup(r Rules, text string) (Setup, error) {
	if own, ok := r.(SetupReader); ok {
		if s, is, err := own.ReadSetup(text); is {
			return s, err
		}
	}
	s := NewSetup(r)
	info := r.Info()
	fields := strings.Fields(text)
	if len(fields) == 0 {
		return s, fmt.Errorf("%s: empty position text", info.Name)
	}
	rest := fields
	if len(r.Geometry().Pieces) > 0 {
		if err := parseRows(r.Geometry(), fields[0], s.Board); err != nil {
			return s, fmt.Errorf("%s: %w", info.Name, err)
		}
		rest = fields[1:]
	}
	if len(rest) > 0 {
		turn, ok := parseTurn(info, rest[0])
		if !ok {
			return s, fmt.Errorf("%s: %q is no side to move: write %s", info.Name, rest[0], sideLetters(info))
		}
		s.Turn = turn
		rest = rest[1:]
	}
	numbers := []*int{&s.Quiet, &s.Number}
	extra := make([]string, len(info.Extra))
	if info.Clocks {
		rest = bareFields(info.Extra, extra, rest)
	}
	for _, f := range rest {
		if f == "-" {
			continue
		}
		if key, value, ok := strings.Cut(f, "="); ok && value != "" {
			if i := slices.Index(info.Extra, key); i >= 0 {
				extra[i] = f
				continue
			}
		}
		if err := parseField(info, &s, f, &numbers); err != nil {
			return s, fmt.Errorf("%s: %w", info.Name, err)
		}
	}
	s.Extra = strings.Join(slices.DeleteFunc(extra, func(f string) bool { return f == "" }), " ")
	return s, nil
}

// bareFields reads the fields of FEN that stand without their names before the
// clocks, "-" for none, into extra, and returns what is left.
func bareFields(names, extra, rest []string) []string {
	for i, name := range names {
		if len(rest) == 0 || strings.Contains(rest[0], "=") || strings.Trim(rest[0], "0123456789") == "" {
			break
		}
		if rest[0] != "-" {
			extra[i] = name + "=" + rest[0]
		}
		rest = rest[1:]
	}
	return rest
}

func parseTurn(info *Info, field string) (Side, bool) {
	for i, side := range info.Sides {
		if len(field) == 1 && strings.Contains(side.Letters, field) || strings.EqualFold(field, side.Name) {
			return Side(i), true
		}
	}
	return 0, false
}

func sideLetters(info *Info) string {
	var list []string
	for _, side := range info.Sides {
		list = append(list, fmt.Sprintf("%q for %s", side.Letters[:1], side.Name))
	}
	return strings.Join(list, " or ")
}

func parseField(info *Info, s *Setup, field string, numbers *[]*int) error {
	key, value, pair := strings.Cut(field, "=")
	if !pair {
		n, err := strconv.Atoi(field)
		if err != nil || n < 0 || n > 1<<20 || len(*numbers) == 0 || !info.Clocks {
			return fmt.Errorf("unexpected field %q in position text", field)
		}
		*(*numbers)[0] = n
		*numbers = (*numbers)[1:]
		return nil
	}
	if !info.Ko || key != "ko" && key != "prisoners" {
		return fmt.Errorf("unknown field %q in position text", field)
	}
	left, right, _ := strings.Cut(value, ",")
	a, err1 := strconv.Atoi(left)
	b, err2 := strconv.Atoi(right)
	if err1 != nil || err2 != nil || a < 0 || b < 0 || a > 1<<20 || b > 1<<20 {
		return fmt.Errorf("field %q in position text: want two numbers, as in %s=3,4", field, key)
	}
	switch key {
	case "ko":
		if a >= s.Board.Size.W || b >= s.Board.Size.H {
			return fmt.Errorf("field %q in position text: outside the board", field)
		}
		s.Ko = board.At(a, b)
	case "prisoners":
		s.Prisoners = [2]int{a, b}
	}
	return nil
}

func parseRows(g *board.Geometry, text string, into *board.Planes) error {
	s := g.Size
	x, y := 0, 0
	slashes := strings.Contains(text, "/")
	advance := func(n int) error {
		if x+n > s.W && (slashes || s.Index(board.At(0, y))+x+n > s.Area()) {
			return fmt.Errorf("row %d of the position text has more than %d points", y+1, s.W)
		}
		x += n
		for !slashes && x >= s.W && y < s.H {
			x, y = x-s.W, y+1
		}
		return nil
	}
	for i := 0; i < len(text); i++ {
		c := text[i]
		if y >= s.H {
			return fmt.Errorf("the position text has more than %d rows", s.H)
		}
		switch {
		case c == '/':
			if x != s.W {
				return fmt.Errorf("row %d of the position text has %d points, want %d", y+1, x, s.W)
			}
			x, y = 0, y+1
		case c >= '0' && c <= '9':
			n := int(c - '0')
			for i+1 < len(text) && text[i+1] >= '0' && text[i+1] <= '9' && n < board.MaxPoints {
				i++
				n = n*10 + int(text[i]-'0')
			}
			if err := advance(n); err != nil {
				return err
			}
		default:
			piece, ok := pieceOf(g, c)
			if !ok {
				return fmt.Errorf("row %d of the position text: %q is no piece: write %s, digits for empty points", y+1, c, pieceLetters(g))
			}
			if x >= s.W {
				return fmt.Errorf("row %d of the position text has more than %d points", y+1, s.W)
			}
			if piece != board.Empty {
				into.Of[piece-1].Add(board.At(x, y))
			}
			if err := advance(1); err != nil {
				return err
			}
		}
	}
	if slashes && x == s.W {
		x, y = 0, y+1
	}
	switch {
	case x != 0:
		return fmt.Errorf("the position text ends in row %d after %d points, want %d rows of %d", y+1, x, s.H, s.W)
	case y != s.H:
		return fmt.Errorf("the position text has %d rows, want %d", y, s.H)
	}
	return nil
}

func pieceOf(g *board.Geometry, c byte) (board.Piece, bool) {
	for i := range g.Pieces {
		if strings.IndexByte(g.Pieces[i].Letters, c) >= 0 {
			return board.Piece(i + 1), true
		}
	}
	return board.Empty, strings.IndexByte(".-_+", c) >= 0
}

func pieceLetters(g *board.Geometry) string {
	var b strings.Builder
	for _, look := range g.Pieces {
		b.WriteByte(look.Letters[0])
	}
	return b.String()
}

// AppendSetup appends the position text of s to dst.
func AppendSetup(dst []byte, r Rules, s Setup) []byte {
	g, info := r.Geometry(), r.Info()
	if len(g.Pieces) > 0 {
		dst = append(appendRows(dst, g, s.Board), ' ')
	}
	dst = append(dst, info.Sides[s.Turn].Letters[0])
	if info.Clocks {
		dst = appendBare(dst, info.Extra, s.Extra)
		dst = fmt.Appendf(dst, " %d %d", s.Quiet, s.Number)
	}
	if s.Ko != board.NoPoint {
		dst = fmt.Appendf(dst, " ko=%d,%d", s.Ko.X(), s.Ko.Y())
	}
	if s.Prisoners != [2]int{} {
		dst = fmt.Appendf(dst, " prisoners=%d,%d", s.Prisoners[0], s.Prisoners[1])
	}
	if s.Extra != "" && !info.Clocks {
		dst = append(append(dst, ' '), s.Extra...)
	}
	return dst
}

// appendBare appends the fields of Setup.Extra as FEN has them: two or more without
// their names, "-" for none.
func appendBare(dst []byte, names []string, extra string) []byte {
	for i := range max(len(names), 2) {
		value := "-"
		if i < len(names) {
			for f := range strings.FieldsSeq(extra) {
				if v, ok := strings.CutPrefix(f, names[i]+"="); ok {
					value = v
				}
			}
		}
		dst = append(append(dst, ' '), value...)
	}
	return dst
}

func appendRows(dst []byte, g *board.Geometry, b *board.Planes) []byte {
	for y := range b.Size.H {
		if y > 0 {
			dst = append(dst, '/')
		}
		empty := 0
		for x := range b.Size.W {
			piece := b.At(board.At(x, y))
			if piece == board.Empty {
				empty++
				continue
			}
			if empty > 0 {
				dst = strconv.AppendInt(dst, int64(empty), 10)
				empty = 0
			}
			dst = append(dst, g.Pieces[piece-1].Letters[0])
		}
		if empty > 0 {
			dst = strconv.AppendInt(dst, int64(empty), 10)
		}
	}
	return dst
}

// FormatPosition returns the position text of p.
func FormatPosition(r Rules, p Position) string {
	return string(AppendSetup(nil, r, SetupOf(p)))
}
