// Package tictactoe is Tic-tac-toe and its family: a row of K on N x N points, and
// a row of four in a cube of 4x4x4, with stones that stay where they are put or fall
// to the lowest free place of their pole.
//
// The cube is drawn as its four levels side by side, the lowest on the left.
package tictactoe

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"qipu/board"
	"qipu/game"
)

// The sizes of a plane board; a position is a word of 64 bits for each side.
const (
	minSide = 3
	maxSide = 8
	cube    = 4 // side of the cube
)

// Rules is one game of the family. Standard is the usual one; others are made by
// Variant.
type Rules struct{ *kind }

// kind is what the positions of a game share.
type kind struct {
	info     game.Info
	geometry board.Geometry
	size     board.Size
	cube     bool
	gravity  bool
	lines    []uint64     // the rows that win
	through  [64][]uint64 // those of each cell
	full     uint64
}

// Standard is Tic-tac-toe on 3x3.
var Standard = game.Must(make3(3, 3, false, false))

// Position is a moment of a game.
type Position struct {
	kind    *kind
	planes  board.Planes
	own     [2]uint64
	turn    game.Side
	winner  int8 // the side with a row, -1 for none
	history []int8
}

var (
	_ game.Rules    = Rules{}
	_ game.Varied   = Rules{}
	_ game.Position = (*Position)(nil)
	_ game.Planar   = (*Position)(nil)
	_ game.Copier   = (*Position)(nil)
)

var errNotLowest error = game.Illegal("a stone falls to the lowest free place")

// make3 returns the rules of one game of the family.
func make3(side, row int, inCube, gravity bool) (Rules, error) {
	if !inCube && (side < minSide || side > maxSide) || row < 3 || row > side {
		return Rules{}, fmt.Errorf("tictactoe: want a board of %dx%d to %dx%d and rows of 3 to as many as it is wide", minSide, minSide, maxSide, maxSide)
	}
	k := &kind{size: board.Size{W: side, H: side}, cube: inCube, gravity: gravity}
	if inCube {
		k.size = board.Size{W: cube * cube, H: cube}
	}
	k.full = ^uint64(0) >> (64 - k.size.Area())
	k.rows(side, row)
	k.info = info
	switch {
	case gravity:
		k.info.Variant = "cube,gravity"
	case inCube:
		k.info.Variant = "cube"
	case side != 3 || row != 3:
		k.info.Variant = fmt.Sprintf("%dx%d", side, side)
		if row != side {
			k.info.Variant += ",row=" + strconv.Itoa(row)
		}
	}
	k.info.Symmetries = nil
	for _, s := range game.BoardSymmetries(k.size) {
		if gravity && s.Board != board.Identity && s.Board != board.Flip {
			continue // they would turn the cube upside down
		}
		k.info.Symmetries = append(k.info.Symmetries, s, game.Symmetry{Board: s.Board, Swap: true})
	}
	k.geometry = geometry
	k.geometry.Size = k.size
	k.geometry.Lines = board.Grid(k.size, true)
	if inCube {
		for z := 1; z < cube; z++ {
			x := float64(z*cube) - 0.5
			k.geometry.Lines = append(k.geometry.Lines, board.Segment{From: board.Spot{X: x, Y: -0.5}, To: board.Spot{X: x, Y: cube - 0.5}, Ink: "#5a4a2e"})
		}
	}
	left := make([]string, k.size.H)
	for y := range left {
		left[y] = strconv.Itoa(k.size.H - y)
	}
	k.geometry.Labels = board.Labels{Top: board.Letters(k.size.W, 'a', ""), Left: left}
	return Rules{k}, nil
}

// rows lists the rows that win: from every cell in every direction.
func (k *kind) rows(side, row int) {
	levels := 1
	if k.cube {
		levels = cube
	}
	cell := func(x, y, z int) int { return y*k.size.W + z*side + x }
	in := func(v, most int) bool { return v >= 0 && v < most }
	for i := range levels * side * side {
		x, y, z := i%side, i/side%side, i/(side*side)
		for _, d := range directions() {
			ex, ey, ez := x+d[0]*(row-1), y+d[1]*(row-1), z+d[2]*(row-1)
			if !in(ex, side) || !in(ey, side) || !in(ez, levels) {
				continue
			}
			var mask uint64
			for j := range row {
				mask |= 1 << cell(x+d[0]*j, y+d[1]*j, z+d[2]*j)
			}
			k.lines = append(k.lines, mask)
		}
	}
	for _, l := range k.lines {
		for c := range 64 {
			if l>>c&1 != 0 {
				k.through[c] = append(k.through[c], l)
			}
		}
	}
}

// directions returns the thirteen of a cube, one of each two that are opposite.
func directions() (list [][3]int) {
	for i := 14; i < 27; i++ {
		list = append(list, [3]int{i%3 - 1, i/3%3 - 1, i/9 - 1})
	}
	return list
}

// Info returns the facts about the game.
func (r Rules) Info() *game.Info { return &r.info }

// Geometry returns what the board looks like.
func (r Rules) Geometry() *board.Geometry { return &r.geometry }

// Variant returns the game of a board, as in "4x4", "5x5,row=4", "cube" or
// "cube,gravity".
func (r Rules) Variant(spec string) (game.Rules, error) {
	side, row, inCube, gravity := 3, 0, false, false
	if spec == "" {
		return r, nil
	}
	for _, word := range strings.Split(spec, ",") {
		w, h, size := strings.Cut(word, "x")
		switch number, isRow := strings.CutPrefix(word, "row="); {
		case word == "cube" || word == "4x4x4":
			inCube, side, row = true, cube, cube
		case word == "gravity":
			gravity = true
		case isRow:
			n, err := strconv.Atoi(number)
			if err != nil {
				return nil, fmt.Errorf("tictactoe: %q is no length of a row", number)
			}
			row = n
		case size && w == h:
			n, err := strconv.Atoi(w)
			if err != nil {
				return nil, fmt.Errorf("tictactoe: %q is no size", word)
			}
			side = n
		default:
			return nil, fmt.Errorf("tictactoe: there is no variant %q: write 4x4, row=3, cube or gravity", word)
		}
	}
	if row == 0 {
		row = side
	}
	if gravity && !inCube || inCube && (side != cube || row != cube) {
		return nil, fmt.Errorf("tictactoe: gravity is for the cube, whose rows are of four; on a plane that is Connect Four")
	}
	return make3(side, row, inCube, gravity)
}

// Start returns the empty board.
func (r Rules) Start() game.Position {
	return &Position{kind: r.kind, planes: *board.NewPlanes(r.size, 2), winner: -1}
}

// Arrange refuses stones that hang in the air, and rows of both sides.
func (r Rules) Arrange(s game.Setup) (game.Position, error) {
	if err := s.Check(r); err != nil {
		return nil, err
	}
	p := &Position{kind: r.kind, planes: *s.Board.Clone(), turn: s.Turn, winner: -1}
	for side := range p.own {
		for q := range p.planes.Of[side].Points() {
			p.own[side] |= 1 << r.size.Index(q)
		}
	}
	for side := range p.own {
		for _, l := range r.lines {
			if p.own[side]&l != l {
				continue
			}
			if p.winner == int8(1-side) {
				return nil, fmt.Errorf("tictactoe: both sides have a row")
			}
			p.winner = int8(side)
		}
	}
	if all := p.own[0] | p.own[1]; r.gravity {
		for c := range r.size.Area() {
			if all>>c&1 != 0 && !r.rests(all, c) {
				return nil, fmt.Errorf("tictactoe: the stone on %s hangs in the air", r.name(c))
			}
		}
	}
	return p, nil
}

// rests reports whether a stone on a cell would lie on another or on the ground.
func (k *kind) rests(all uint64, cell int) bool {
	return cell%k.size.W < cube || all>>(cell-cube)&1 != 0
}

func (k *kind) name(cell int) string {
	return string(rune('a'+cell%k.size.W)) + strconv.Itoa(k.size.H-cell/k.size.W)
}

// ParseMove reads a column and a row: b2.
func (r Rules) ParseMove(p game.Position, text string, _ game.Notation) (game.Move, error) {
	if len(text) != 2 || text[0]|32 < 'a' || text[1] < '1' || text[1] > '9' {
		return game.NoMove, game.ErrSyntax
	}
	x, y := int(text[0]|32-'a'), r.size.H-int(text[1]-'0')
	if x >= r.size.W || y < 0 {
		return game.NoMove, game.ErrOffBoard
	}
	m := game.Drop(board.At(x, y))
	_, err := p.(*Position).cell(m)
	return m, err
}

// AppendMove appends the column and the row.
func (r Rules) AppendMove(dst []byte, _ game.Position, m game.Move, _ game.Notation) []byte {
	return append(dst, r.name(r.size.Index(m.To()))...)
}

// Turn returns the side to move.
func (p *Position) Turn() game.Side { return p.turn }

// Planes returns the board.
func (p *Position) Planes() *board.Planes { return &p.planes }

// Copy returns the position with its history.
func (p *Position) Copy() game.Position {
	q := *p
	q.planes, q.history = *p.planes.Clone(), slices.Clone(p.history)
	return &q
}

// AppendMoves appends the free cells, row by row.
func (p *Position) AppendMoves(dst []game.Move) []game.Move {
	if p.winner >= 0 {
		return dst
	}
	all := p.own[0] | p.own[1]
	for c := range p.kind.size.Area() {
		if all>>c&1 == 0 && (!p.kind.gravity || p.kind.rests(all, c)) {
			dst = append(dst, game.Drop(p.kind.size.Point(c)))
		}
	}
	return dst
}

// cell returns the cell of a legal move.
func (p *Position) cell(m game.Move) (int, error) {
	to := m.To()
	if p.Outcome().Over() {
		return 0, game.ErrOver
	}
	if to == board.NoPoint || m != game.Drop(to) || !p.kind.size.Has(to) {
		return 0, game.ErrOffBoard
	}
	c := p.kind.size.Index(to)
	switch all := p.own[0] | p.own[1]; {
	case all>>c&1 != 0:
		return 0, game.ErrOccupied
	case p.kind.gravity && !p.kind.rests(all, c):
		return 0, errNotLowest
	}
	return c, nil
}

// Play puts a stone.
func (p *Position) Play(m game.Move) error {
	c, err := p.cell(m)
	if err != nil {
		return err
	}
	p.own[p.turn] |= 1 << c
	p.planes.Of[p.turn].Add(m.To())
	for _, l := range p.kind.through[c] {
		if p.own[p.turn]&l == l {
			p.winner = int8(p.turn)
		}
	}
	p.history = append(p.history, int8(c))
	p.turn ^= 1
	return nil
}

// Undo takes the last stone back.
func (p *Position) Undo() {
	last := len(p.history) - 1
	c := p.history[last]
	p.history = p.history[:last]
	p.turn ^= 1
	p.own[p.turn] &^= 1 << c
	p.planes.Of[p.turn].Remove(p.kind.size.Point(int(c)))
	p.winner = -1 // nobody moves where there is a row
}

// Outcome tells who has a row.
func (p *Position) Outcome() game.Outcome {
	switch {
	case p.winner >= 0:
		return game.Outcome{State: game.Won, Winner: game.Side(p.winner), Reason: game.ByLine}
	case p.own[0]|p.own[1] == p.kind.full:
		return game.Outcome{State: game.Drawn, Reason: game.ByFull}
	}
	return game.Outcome{}
}

// Hash returns a key of the position.
func (p *Position) Hash() uint64 {
	return p.planes.Hash() ^ p.planes.Size.Key() ^ board.Mix(uint64(p.turn)<<32)
}

// Open returns for each side and number of stones how many rows have so many of its
// stones and none of the other side's: what evaluations count.
func (p *Position) Open() (rows [2][maxSide + 1]int) {
	for _, l := range p.kind.lines {
		a, b := p.own[0]&l, p.own[1]&l
		if b == 0 {
			rows[0][ones(a)]++
		}
		if a == 0 {
			rows[1][ones(b)]++
		}
	}
	return rows
}

func ones(x uint64) (n int) {
	for ; x != 0; x &= x - 1 {
		n++
	}
	return n
}
