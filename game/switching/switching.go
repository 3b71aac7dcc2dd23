// Package switching is Shannon's switching game on a grid: Short makes links
// unbreakable, Cut breaks them, one link a move. Short wins by joining the left edge
// to the right one, Cut by parting them. All points of an edge count as one.
//
// Lehman solved it in 1964: Short wins moving second exactly where two trees without
// a common link span the same points, both edges among them. [Position.Wins] finds
// them, and tells who wins.
package switching

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"qipu/board"
	"qipu/game"
)

const (
	minSide = 2
	maxSide = 8
)

// The sides.
const (
	Short = game.First
	Cut   = game.Second
)

// Rules is the game on one grid. Standard has five columns of points and four rows;
// others are made by Variant.
type Rules struct{ *kind }

type kind struct {
	info       game.Info
	geometry   board.Geometry
	cols, rows int // of points
	links      []link
	at         [board.MaxPoints]int16 // number of the link on a point and 1, 0 for none
	points     int
}

// link joins two points of the grid; the edges are the points 0 and 1.
type link struct {
	a, b  int
	place board.Point
}

// Standard is the grid of five by four.
var Standard = game.Must(sized(5, 4))

// Position is a moment of a game.
type Position struct {
	kind    *kind
	planes  board.Planes
	owner   []int8 // of a link, -1 for nobody's
	turn    game.Side
	winner  int8
	history []int16
}

var (
	_ game.Rules    = Rules{}
	_ game.Varied   = Rules{}
	_ game.Position = (*Position)(nil)
	_ game.Planar   = (*Position)(nil)
	_ game.Copier   = (*Position)(nil)
)

var errNoLink error = game.Illegal("there is no link")

func sized(cols, rows int) (Rules, error) {
	if cols < minSide || rows < minSide || cols > maxSide || rows > maxSide {
		return Rules{}, fmt.Errorf("switching: grids are %dx%d to %dx%d", minSide, minSide, maxSide, maxSide)
	}
	k := &kind{info: info, cols: cols, rows: rows, points: 2}
	if cols != 5 || rows != 4 {
		k.info.Variant = fmt.Sprintf("%dx%d", cols, rows)
	}
	point := func(x, y int) int {
		switch x {
		case 0:
			return 0
		case cols - 1:
			return 1
		}
		return 2 + y*(cols-2) + x - 1
	}
	k.points = 2 + rows*(cols-2)
	size := board.Size{W: 2*cols - 1, H: 2*rows - 1}
	k.geometry = geometry
	k.geometry.Size = size
	add := func(ax, ay, bx, by int) {
		k.links = append(k.links, link{point(ax, ay), point(bx, by), board.At(ax+bx, ay+by)})
		k.at[board.At(ax+bx, ay+by)] = int16(len(k.links))
		k.geometry.Lines = append(k.geometry.Lines, board.Segment{From: board.Spot{X: float64(2 * ax), Y: float64(2 * ay)}, To: board.Spot{X: float64(2 * bx), Y: float64(2 * by)}})
	}
	for y := range rows {
		for x := range cols - 1 {
			add(x, y, x+1, y)
		}
		for x := 1; x < cols-1 && y < rows-1; x++ {
			add(x, y, x, y+1)
		}
	}
	// Links in the order of their places: row by row.
	slices.SortFunc(k.links, func(a, b link) int { return int(a.place) - int(b.place) })
	for i, l := range k.links {
		k.at[l.place] = int16(i + 1)
	}
	for y := range rows {
		for x := range cols {
			k.geometry.Dots = append(k.geometry.Dots, board.Spot{X: float64(2 * x), Y: float64(2 * y)})
		}
	}
	for _, x := range []float64{0, float64(2 * (cols - 1))} {
		k.geometry.Lines = append(k.geometry.Lines, board.Segment{From: board.Spot{X: x}, To: board.Spot{X: x, Y: float64(2 * (rows - 1))}, Ink: "#2c7a4b"})
	}
	left := make([]string, size.H)
	for y := range left {
		left[y] = strconv.Itoa(size.H - y)
	}
	k.geometry.Labels = board.Labels{Top: board.Letters(size.W, 'a', ""), Left: left}
	return Rules{k}, nil
}

// Info returns the facts about the game.
func (r Rules) Info() *game.Info { return &r.info }

// Geometry returns what the board looks like.
func (r Rules) Geometry() *board.Geometry { return &r.geometry }

// Variant returns the game on another grid: "4x4" has four columns and four rows of
// points.
func (r Rules) Variant(spec string) (game.Rules, error) {
	if spec == "" {
		return r, nil
	}
	w, h, ok := strings.Cut(spec, "x")
	cols, err1 := strconv.Atoi(w)
	rows, err2 := strconv.Atoi(h)
	if !ok || err1 != nil || err2 != nil {
		return nil, fmt.Errorf("switching: there is no variant %q: write columns and rows of points, as in 4x3", spec)
	}
	return sized(cols, rows)
}

// Start returns the grid without an owner of any link.
func (r Rules) Start() game.Position {
	p := &Position{kind: r.kind, planes: *board.NewPlanes(r.geometry.Size, 2), owner: make([]int8, len(r.links)), winner: -1}
	for i := range p.owner {
		p.owner[i] = -1
	}
	return p
}

// Arrange refuses pieces where there is no link.
func (r Rules) Arrange(s game.Setup) (game.Position, error) {
	if err := s.Check(r); err != nil {
		return nil, err
	}
	p := r.Start().(*Position)
	p.planes, p.turn = *s.Board.Clone(), s.Turn
	for side := range p.planes.Of {
		for q := range p.planes.Of[side].Points() {
			if r.at[q] == 0 {
				return nil, fmt.Errorf("switching: there is no link on %s", r.name(q))
			}
			p.owner[r.at[q]-1] = int8(side)
		}
	}
	p.decide()
	return p, nil
}

func (k *kind) name(q board.Point) string {
	return string(rune('a'+q.X())) + strconv.Itoa(k.geometry.Size.H-q.Y())
}

// ParseMove reads the column and the row of a link: b3.
func (r Rules) ParseMove(p game.Position, text string, _ game.Notation) (game.Move, error) {
	if len(text) < 2 || len(text) > 3 {
		return game.NoMove, game.ErrSyntax
	}
	x := int(text[0]|32) - 'a'
	row, err := strconv.ParseUint(text[1:], 10, 8)
	if err != nil || x < 0 || x > 25 || text[1] == '0' {
		return game.NoMove, game.ErrSyntax
	}
	if x >= r.geometry.Size.W || int(row) > r.geometry.Size.H {
		return game.NoMove, game.ErrOffBoard
	}
	m := game.Drop(board.At(x, r.geometry.Size.H-int(row)))
	_, err = p.(*Position).link(m)
	return m, err
}

// AppendMove appends the column and the row.
func (r Rules) AppendMove(dst []byte, _ game.Position, m game.Move, _ game.Notation) []byte {
	return append(dst, r.name(m.To())...)
}

// Turn returns the side to move.
func (p *Position) Turn() game.Side { return p.turn }

// Planes returns the board.
func (p *Position) Planes() *board.Planes { return &p.planes }

// Copy returns the position with its history.
func (p *Position) Copy() game.Position {
	q := *p
	q.planes, q.owner, q.history = *p.planes.Clone(), slices.Clone(p.owner), slices.Clone(p.history)
	return &q
}

// AppendMoves appends the links that are nobody's.
func (p *Position) AppendMoves(dst []game.Move) []game.Move {
	if p.winner >= 0 {
		return dst
	}
	for i, l := range p.kind.links {
		if p.owner[i] < 0 {
			dst = append(dst, game.Drop(l.place))
		}
	}
	return dst
}

// link returns the number of the link that a legal move takes.
func (p *Position) link(m game.Move) (int, error) {
	to := m.To()
	switch {
	case p.winner >= 0:
		return 0, game.ErrOver
	case to == board.NoPoint || m != game.Drop(to) || !p.planes.Size.Has(to):
		return 0, game.ErrOffBoard
	case p.kind.at[to] == 0:
		return 0, errNoLink
	case p.owner[p.kind.at[to]-1] >= 0:
		return 0, game.ErrOccupied
	}
	return int(p.kind.at[to]) - 1, nil
}

// Play takes a link.
func (p *Position) Play(m game.Move) error {
	i, err := p.link(m)
	if err != nil {
		return err
	}
	p.owner[i] = int8(p.turn)
	p.planes.Of[p.turn].Add(m.To())
	p.history = append(p.history, int16(i))
	p.turn ^= 1
	p.decide()
	return nil
}

// Undo takes the last move back.
func (p *Position) Undo() {
	last := len(p.history) - 1
	i := p.history[last]
	p.history = p.history[:last]
	p.turn ^= 1
	p.owner[i] = -1
	p.planes.Of[p.turn].Remove(p.kind.links[i].place)
	p.winner = -1
}

// maxPoints is how many points a grid has at most.
const maxPoints = 2 + maxSide*maxSide

// decide finds out whether one side has won.
func (p *Position) decide() {
	p.winner = -1
	if p.joined(true) {
		p.winner = int8(Short)
	} else if !p.joined(false) {
		p.winner = int8(Cut)
	}
}

// joined reports whether the edges hang together by links of Short, or by all that
// are not broken.
func (p *Position) joined(short bool) bool {
	var root [maxPoints]uint8
	for i := range root {
		root[i] = uint8(i)
	}
	find := func(x int) uint8 {
		for int(root[x]) != x {
			x = int(root[x])
		}
		return uint8(x)
	}
	for i, l := range p.kind.links {
		if o := p.owner[i]; o == int8(Short) || o < 0 && !short {
			root[find(l.a)] = find(l.b)
		}
	}
	return find(0) == find(1)
}

// Outcome tells who has won.
func (p *Position) Outcome() game.Outcome {
	if p.winner >= 0 {
		return game.Outcome{State: game.Won, Winner: game.Side(p.winner), Reason: "connection"}
	}
	return game.Outcome{}
}

// Hash returns a key of the position.
func (p *Position) Hash() uint64 {
	return p.planes.Hash() ^ p.planes.Size.Key() ^ board.Mix(uint64(p.turn)<<32)
}
