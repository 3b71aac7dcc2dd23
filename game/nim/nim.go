// Package nim is Nim and three relatives, in which both sides have the same moves and
// whoever takes the last piece wins:
//
//   - Nim: any number of pieces of one heap; in misère play the last one loses
//   - the subtraction game: at most K pieces of one heap
//   - Wythoff's game: any number of one of two heaps, or as many of both
//   - Kayles: one pin or two that stand side by side; rows fall apart
//
// All are solved by the theory of Sprague and Grundy: see [Position.Grundy] and
// [Position.Wins].
package nim

import (
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"qipu/board"
	"qipu/game"
)

const (
	maxRows  = 8
	maxWidth = 15
)

// form is one of the games.
type form uint8

const (
	plain form = iota
	subtraction
	wythoff
	kayles
)

// Rules is one game of the family. Standard is Nim with heaps of 3, 4 and 5; others are
// made by Variant.
type Rules struct{ *kind }

type kind struct {
	info     game.Info
	geometry board.Geometry
	form     form
	misere   bool
	most     int // pieces that may be taken in the subtraction game
	start    rows
	n        int // how many rows there are
	kayles   [maxWidth + 1]int
}

// rows is what stands in the rows, a bit a piece.
type rows [maxRows]uint16

// Standard is Nim with heaps of 3, 4 and 5.
var Standard = game.Must(newRules(plain, false, 0, []int{3, 4, 5}))

// Position is a moment of a game.
type Position struct {
	kind    *kind
	rows    rows
	turn    game.Side
	history []rows
}

var (
	_ game.Rules    = Rules{}
	_ game.Varied   = Rules{}
	_ game.Position = (*Position)(nil)
	_ game.Noted    = (*Position)(nil)
	_ game.Celled   = (*Position)(nil)
	_ game.Copier   = (*Position)(nil)
)

var (
	errTake error = game.Illegal("so much cannot be taken there")
)

func newRules(f form, misere bool, most int, heaps []int) (Rules, error) {
	if len(heaps) == 0 {
		heaps = map[form][]int{plain: {3, 4, 5}, subtraction: {10, 7}, wythoff: {5, 8}, kayles: {9}}[f]
	}
	switch {
	case len(heaps) > maxRows:
		return Rules{}, fmt.Errorf("nim: there are at most %d heaps", maxRows)
	case f == wythoff && len(heaps) != 2:
		return Rules{}, fmt.Errorf("nim: Wythoff's game has two heaps")
	case misere && f != plain:
		return Rules{}, fmt.Errorf("nim: misere play is for Nim alone")
	}
	k := &kind{info: info, form: f, misere: misere, most: most, n: len(heaps)}
	width := 0
	for i, n := range heaps {
		if n < 1 || n > maxWidth {
			return Rules{}, fmt.Errorf("nim: heaps are of 1 to %d pieces", maxWidth)
		}
		k.start[i] = 1<<n - 1
		width = max(width, n)
	}
	var words []string
	switch {
	case f == subtraction:
		words = append(words, "most="+strconv.Itoa(most))
	case f == wythoff:
		words = append(words, "wythoff")
	case f == kayles:
		words = append(words, "kayles")
	case misere:
		words = append(words, "misere")
	}
	if f != plain || misere || !slices.Equal(heaps, []int{3, 4, 5}) {
		var text []string
		for _, n := range heaps {
			text = append(text, strconv.Itoa(n))
		}
		words = append(words, "heaps="+strings.Join(text, "-"))
	}
	k.info.Variant = strings.Join(words, ",")
	for n := 1; n <= maxWidth; n++ {
		var seen [64]bool
		for take := 1; take <= 2; take++ {
			for left := 0; left+take <= n; left++ {
				seen[k.kayles[left]^k.kayles[n-take-left]] = true
			}
		}
		for seen[k.kayles[n]] {
			k.kayles[n]++
		}
	}
	k.geometry = geometry
	k.geometry.Size = board.Size{W: max(width, 2), H: max(k.n, 2)}
	k.geometry.Lines = board.Grid(k.geometry.Size, true)
	left := make([]string, k.geometry.Size.H)
	for i := range left {
		left[i] = string(rune('a' + i))
	}
	top := make([]string, k.geometry.Size.W)
	for i := range top {
		top[i] = strconv.Itoa(i + 1)
	}
	k.geometry.Labels = board.Labels{Top: top, Left: left}
	return Rules{k}, nil
}

// Info returns the facts about the game.
func (r Rules) Info() *game.Info { return &r.info }

// Geometry returns what the board looks like.
func (r Rules) Geometry() *board.Geometry { return &r.geometry }

// Variant returns a game of the family, as in "heaps=1-3-5-7,misere", "most=3",
// "wythoff,heaps=5-8" or "kayles,heaps=12".
func (r Rules) Variant(spec string) (game.Rules, error) {
	if spec == "" {
		return r, nil
	}
	f, misere, most := plain, false, 0
	var heaps []int
	for _, word := range strings.Split(spec, ",") {
		key, value, _ := strings.Cut(word, "=")
		switch {
		case word == "misere":
			misere = true
		case word == "wythoff":
			f = wythoff
		case word == "kayles":
			f = kayles
		case key == "most":
			n, err := strconv.Atoi(value)
			if err != nil || n < 1 || n > maxWidth {
				return nil, fmt.Errorf("nim: most=%s: want 1 to %d pieces", value, maxWidth)
			}
			f, most = subtraction, n
		case key == "heaps":
			for _, text := range strings.Split(value, "-") {
				n, err := strconv.Atoi(text)
				if err != nil {
					return nil, fmt.Errorf("nim: heaps=%s: want numbers, as in heaps=3-4-5", value)
				}
				heaps = append(heaps, n)
			}
		default:
			return nil, fmt.Errorf("nim: there is no variant %q: write heaps=3-4-5, misere, most=3, wythoff or kayles", word)
		}
	}
	return newRules(f, misere, most, heaps)
}

// Start returns the full heaps.
func (r Rules) Start() game.Position { return &Position{kind: r.kind, rows: r.start} }

// Arrange takes rows as Note writes them.
func (r Rules) Arrange(s game.Setup) (game.Position, error) {
	if err := s.Check(r); err != nil {
		return nil, err
	}
	p := &Position{kind: r.kind, turn: s.Turn}
	list := strings.Split(strings.TrimPrefix(s.Extra, "rows="), ",")
	if s.Extra == "" || len(list) != r.n {
		return nil, fmt.Errorf("nim: want %d rows, as in %s", r.n, note(r.kind, &r.start))
	}
	for i, text := range list {
		if len(text) > r.geometry.Size.W || strings.Trim(text, "o-") != "" {
			return nil, fmt.Errorf("nim: %q is no row of at most %d pieces", text, r.geometry.Size.W)
		}
		for x, c := range text {
			if c == 'o' {
				p.rows[i] |= 1 << x
			}
		}
		if r.form != kayles && p.rows[i]&(p.rows[i]+1) != 0 {
			return nil, fmt.Errorf("nim: the heap %q has a gap", text)
		}
		if text != row(p.rows[i]) {
			return nil, fmt.Errorf("nim: write %q as %q", text, row(p.rows[i]))
		}
	}
	return p, nil
}

// row writes a row: o for a piece, - for a gap.
func row(mask uint16) string {
	text := []byte{}
	for ; mask != 0; mask >>= 1 {
		text = append(text, "-o"[mask&1])
	}
	if len(text) == 0 {
		return "-"
	}
	return string(text)
}

func note(k *kind, r *rows) string {
	var list []string
	for _, mask := range r[:k.n] {
		list = append(list, row(mask))
	}
	return "rows=" + strings.Join(list, ",")
}

// Note writes the rows down.
func (p *Position) Note(s *game.Setup) {
	s.Board = board.NewPlanes(p.kind.geometry.Size, 0)
	s.Extra = note(p.kind, &p.rows)
}

// Cells returns the pieces.
func (p *Position) Cells() map[board.Point]string {
	cells := map[board.Point]string{}
	for i, mask := range p.rows[:p.kind.n] {
		for x := range maxWidth {
			if mask>>x&1 != 0 {
				cells[board.At(x, i)] = "o"
			}
		}
	}
	return cells
}

// ParseMove reads "a3": take three of heap a; in Wythoff's game "ab3" takes three of
// both; in Kayles "a3" is the third pin of row a and "a3+" that and the next.
func (r Rules) ParseMove(p game.Position, text string, _ game.Notation) (game.Move, error) {
	q := p.(*Position)
	rest := text
	heap := func() int {
		if rest == "" || rest[0] < 'a' || int(rest[0]-'a') >= r.n {
			return -1
		}
		c := int(rest[0] - 'a')
		rest = rest[1:]
		return c
	}
	i := heap()
	if i < 0 {
		return game.NoMove, game.ErrSyntax
	}
	both := r.form == wythoff && i == 0 && heap() == 1
	two := false
	if r.form == kayles {
		rest, two = strings.CutSuffix(rest, "+")
	}
	n, err := strconv.ParseUint(rest, 10, 8)
	if err != nil || n < 1 || strconv.FormatUint(n, 10) != rest {
		return game.NoMove, game.ErrSyntax
	}
	if n > maxWidth {
		return game.NoMove, errTake
	}
	k := int(n)
	left := func(i int) int { return bits.OnesCount16(q.rows[i]) - k }
	m := game.NoMove
	switch {
	case r.form == kayles && two && k < r.geometry.Size.W:
		m = game.Step(board.At(k-1, i), board.At(k, i))
	case r.form == kayles && !two && k <= r.geometry.Size.W:
		m = game.Drop(board.At(k-1, i))
	case r.form == kayles || left(i) < 0 || both && left(1) < 0:
		return game.NoMove, errTake
	case both:
		m = game.Step(board.At(left(0), 0), board.At(left(1), 1))
	default:
		m = game.Drop(board.At(left(i), i))
	}
	_, err = q.after(m)
	return m, err
}

// AppendMove appends the heap and the number.
func (r Rules) AppendMove(dst []byte, p game.Position, m game.Move, _ game.Notation) []byte {
	q := p.(*Position)
	to := m.To()
	if r.form == kayles {
		at := to
		if m.From() != board.NoPoint {
			at = m.From()
		}
		dst = strconv.AppendInt(append(dst, 'a'+byte(at.Y())), int64(at.X()+1), 10)
		if m.From() != board.NoPoint {
			dst = append(dst, '+')
		}
		return dst
	}
	if m.From() != board.NoPoint {
		dst = append(dst, 'a')
	}
	return strconv.AppendInt(append(dst, 'a'+byte(to.Y())), int64(bits.OnesCount16(q.rows[to.Y()])-to.X()), 10)
}

// Turn returns the side to move.
func (p *Position) Turn() game.Side { return p.turn }

// Copy returns the position with its history.
func (p *Position) Copy() game.Position {
	q := *p
	q.history = slices.Clone(p.history)
	return &q
}

// AppendMoves appends the moves, heap by heap.
func (p *Position) AppendMoves(dst []game.Move) []game.Move {
	for i, mask := range p.rows[:p.kind.n] {
		n := bits.OnesCount16(mask)
		if p.kind.form == kayles {
			for x := range maxWidth {
				if mask>>x&1 == 0 {
					continue
				}
				dst = append(dst, game.Drop(board.At(x, i)))
				if mask>>x&3 == 3 {
					dst = append(dst, game.Step(board.At(x, i), board.At(x+1, i)))
				}
			}
			continue
		}
		for left := n - 1; left >= 0 && (p.kind.form != subtraction || n-left <= p.kind.most); left-- {
			dst = append(dst, game.Drop(board.At(left, i)))
		}
	}
	if p.kind.form == wythoff {
		a, b := bits.OnesCount16(p.rows[0]), bits.OnesCount16(p.rows[1])
		for take := 1; take <= min(a, b); take++ {
			dst = append(dst, game.Step(board.At(a-take, 0), board.At(b-take, 1)))
		}
	}
	return dst
}

// after returns the rows behind a move.
func (p *Position) after(m game.Move) (rows, error) {
	r, to, from := p.rows, m.To(), m.From()
	on := func(q board.Point) bool { return q.Y() < p.kind.n && q.X() < maxWidth && r[q.Y()]>>q.X()&1 != 0 }
	switch {
	case p.rows == rows{}:
		return r, game.ErrOver
	case to == board.NoPoint || m.Piece() != board.Empty || m.Way() != 0 || !on(to) || from != board.NoPoint && !on(from):
		return r, errTake
	}
	x, i := to.X(), to.Y()
	switch step := from != board.NoPoint; {
	case p.kind.form == kayles && step && (from.Y() != i || from.X() != x-1):
		return r, errTake
	case p.kind.form == kayles:
		r[i] &^= 1 << x
		if step {
			r[i] &^= 1 << from.X()
		}
	case step && p.kind.form == wythoff:
		a, b := bits.OnesCount16(r[0]), bits.OnesCount16(r[1])
		if from.Y() != 0 || i != 1 || a-from.X() != b-x {
			return r, errTake
		}
		r[0], r[1] = 1<<from.X()-1, 1<<x-1
	case step || p.kind.form == subtraction && bits.OnesCount16(r[i])-x > p.kind.most:
		return r, errTake
	default:
		r[i] = 1<<x - 1
	}
	return r, nil
}

// Play takes pieces.
func (p *Position) Play(m game.Move) error {
	next, err := p.after(m)
	if err != nil {
		return err
	}
	p.history = append(p.history, p.rows)
	p.rows = next
	p.turn ^= 1
	return nil
}

// Undo puts them back.
func (p *Position) Undo() {
	last := len(p.history) - 1
	p.rows, p.history = p.history[last], p.history[:last]
	p.turn ^= 1
}

// Outcome tells who has won: who took the last piece, or in misère play who did not.
func (p *Position) Outcome() game.Outcome {
	if p.rows != (rows{}) {
		return game.Outcome{}
	}
	winner := p.turn.Opponent()
	if p.kind.misere {
		winner = p.turn
	}
	return game.Outcome{State: game.Won, Winner: winner, Reason: "last piece"}
}

// Hash returns a key of the position.
func (p *Position) Hash() uint64 {
	h := board.Mix(p.kind.geometry.Size.Key() ^ uint64(p.turn)<<32)
	for _, mask := range p.rows[:p.kind.n] {
		h = board.Mix(h ^ uint64(mask))
	}
	return h
}

// Grundy returns the number of the position by the theory of Sprague and Grundy, as
// if the last piece won: the side to move wins where it is not 0.
func (p *Position) Grundy() (sum int) {
	if p.kind.form == wythoff {
		return wythoffNumber(bits.OnesCount16(p.rows[0]), bits.OnesCount16(p.rows[1]))
	}
	for _, mask := range p.rows[:p.kind.n] {
		switch n := bits.OnesCount16(mask); p.kind.form {
		case plain:
			sum ^= n
		case subtraction:
			sum ^= n % (p.kind.most + 1)
		default:
			for run := 0; mask != 0 || run > 0; mask >>= 1 {
				if mask&1 != 0 {
					run++
					continue
				}
				sum ^= p.kind.kayles[run]
				run = 0
			}
		}
	}
	return sum
}

// wythoffNumbers are the numbers of Wythoff's game, for which there is no formula.
var wythoffNumbers = func() (table [maxWidth + 1][maxWidth + 1]int) {
	for a := range table {
		for b := range table[a] {
			var seen [4*maxWidth + 1]bool
			for i := 1; i <= max(a, b); i++ {
				if i <= a {
					seen[table[a-i][b]] = true
				}
				if i <= b {
					seen[table[a][b-i]] = true
				}
				if i <= min(a, b) {
					seen[table[a-i][b-i]] = true
				}
			}
			for seen[table[a][b]] {
				table[a][b]++
			}
		}
	}
	return table
}()

func wythoffNumber(a, b int) int { return wythoffNumbers[a][b] }

// Wins reports by theory whether the side to move wins.
func (p *Position) Wins() bool {
	if !p.kind.misere {
		return p.Grundy() != 0
	}
	// Bouton: as in normal play, but where no heap has more than one piece left it is
	// the other way round.
	for _, mask := range p.rows[:p.kind.n] {
		if mask > 1 {
			return p.Grundy() != 0
		}
	}
	return p.Grundy() == 0
}
