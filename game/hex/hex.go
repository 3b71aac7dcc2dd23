// Package hex is Hex: two sides put stones on a rhombus of hexagons; Red joins the
// upper side to the lower one, Blue the left to the right. One of them always
// succeeds, and never both. There is no rule for exchanging sides.
package hex

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
	maxSide = 11
)

// Rules is Hex on one board. Standard is 11x11; others are made by Variant.
type Rules struct{ *kind }

type kind struct {
	info     game.Info
	geometry board.Geometry
	n        int
}

// Standard is the board of 11x11.
var Standard = game.Must(sized(maxSide))

// around are the neighbours of a cell, columns and rows.
var around = [6][2]int{{1, -1}, {1, 0}, {0, 1}, {-1, 1}, {-1, 0}, {0, -1}}

// Position is a moment of a game.
type Position struct {
	kind    *kind
	planes  board.Planes
	turn    game.Side
	winner  int8 // who has joined its sides, -1 for nobody
	history []board.Point
}

var (
	_ game.Rules    = Rules{}
	_ game.Varied   = Rules{}
	_ game.Position = (*Position)(nil)
	_ game.Planar   = (*Position)(nil)
	_ game.Copier   = (*Position)(nil)
)

func sized(n int) (Rules, error) {
	if n < minSide || n > maxSide {
		return Rules{}, fmt.Errorf("hex: the boards are %dx%d to %dx%d", minSide, minSide, maxSide, maxSide)
	}
	k := &kind{info: info, n: n, geometry: geometryOf(n)}
	if n != maxSide {
		k.info.Variant = fmt.Sprintf("%dx%d", n, n)
	}
	return Rules{k}, nil
}

// Info returns the facts about the game.
func (r Rules) Info() *game.Info { return &r.info }

// Geometry returns what the board looks like.
func (r Rules) Geometry() *board.Geometry { return &r.geometry }

// Variant returns the game on another board, as in "5x5".
func (r Rules) Variant(spec string) (game.Rules, error) {
	if spec == "" {
		return r, nil
	}
	w, h, ok := strings.Cut(spec, "x")
	n, err := strconv.Atoi(w)
	if !ok || w != h || err != nil {
		return nil, fmt.Errorf("hex: there is no variant %q: write a size, as in 5x5", spec)
	}
	return sized(n)
}

// Start returns the empty board.
func (r Rules) Start() game.Position {
	return &Position{kind: r.kind, planes: *board.NewPlanes(r.geometry.Size, 2), winner: -1}
}

// Arrange takes any stones.
func (r Rules) Arrange(s game.Setup) (game.Position, error) {
	if err := s.Check(r); err != nil {
		return nil, err
	}
	p := &Position{kind: r.kind, planes: *s.Board.Clone(), turn: s.Turn, winner: -1}
	for side := range p.planes.Of {
		for i := range r.n {
			from := board.At(i, 0)
			if side == 1 {
				from = board.At(0, i)
			}
			if p.planes.Of[side].Has(from) && p.joins(game.Side(side), from) {
				p.winner = int8(side)
			}
		}
	}
	return p, nil
}

// ParseMove reads a column and a row: c3.
func (r Rules) ParseMove(p game.Position, text string, _ game.Notation) (game.Move, error) {
	if len(text) < 2 || len(text) > 3 {
		return game.NoMove, game.ErrSyntax
	}
	x := int(text[0]|32) - 'a'
	row, err := strconv.ParseUint(text[1:], 10, 8)
	if err != nil || x < 0 || x > 25 || text[1] == '0' {
		return game.NoMove, game.ErrSyntax
	}
	if x >= r.n || int(row) > r.n {
		return game.NoMove, game.ErrOffBoard
	}
	m := game.Drop(board.At(x, r.n-int(row)))
	return m, p.(*Position).legal(m)
}

// AppendMove appends the column and the row.
func (r Rules) AppendMove(dst []byte, _ game.Position, m game.Move, _ game.Notation) []byte {
	return strconv.AppendInt(append(dst, 'a'+byte(m.To().X())), int64(r.n-m.To().Y()), 10)
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
	all := p.planes.Occupied()
	for q := range p.planes.Size.Points() {
		if !all.Has(q) {
			dst = append(dst, game.Drop(q))
		}
	}
	return dst
}

func (p *Position) legal(m game.Move) error {
	switch to := m.To(); {
	case p.winner >= 0:
		return game.ErrOver
	case to == board.NoPoint || m != game.Drop(to) || !p.planes.Size.Has(to):
		return game.ErrOffBoard
	case p.planes.At(to) != board.Empty:
		return game.ErrOccupied
	}
	return nil
}

// Play puts a stone.
func (p *Position) Play(m game.Move) error {
	if err := p.legal(m); err != nil {
		return err
	}
	p.planes.Of[p.turn].Add(m.To())
	if p.joins(p.turn, m.To()) {
		p.winner = int8(p.turn)
	}
	p.history = append(p.history, m.To())
	p.turn ^= 1
	return nil
}

// Undo takes the last stone back.
func (p *Position) Undo() {
	last := len(p.history) - 1
	p.turn ^= 1
	p.planes.Of[p.turn].Remove(p.history[last])
	p.history = p.history[:last]
	p.winner = -1
}

// joins reports whether the stones that hang together with one join the two sides of
// the board that are their owner's.
func (p *Position) joins(side game.Side, from board.Point) bool {
	own := p.planes.Of[side]
	n := p.kind.n
	var stack [maxSide * maxSide]board.Point
	stack[0] = from
	own.Remove(from)
	low, high := false, false
	for top := 1; top > 0; {
		top--
		q := stack[top]
		along := q.Y()
		if side == game.Second {
			along = q.X()
		}
		low, high = low || along == 0, high || along == n-1
		for _, d := range around {
			x, y := q.X()+d[0], q.Y()+d[1]
			if x < 0 || y < 0 || x >= n || y >= n {
				continue
			}
			if next := board.At(x, y); own.Has(next) {
				own.Remove(next)
				stack[top] = next
				top++
			}
		}
	}
	return low && high
}

// Outcome tells who has joined its sides.
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

// Missing returns how many stones a side lacks to join its sides on the shortest way,
// 0 where it has; more than the board has cells where the other has cut it off.
func (p *Position) Missing(side game.Side) int {
	const far = maxSide*maxSide + 1
	n := p.kind.n
	own, other := &p.planes.Of[side], &p.planes.Of[side.Opponent()]
	var dist [board.MaxPoints]int16
	var queue [2][]board.Point // cells at the distance that is looked at, and at the next one
	var room [2][maxSide * maxSide]board.Point
	queue[0], queue[1] = room[0][:0], room[1][:0]
	reach := func(q board.Point, d int) {
		if other.Has(q) {
			return
		}
		step := 1
		if own.Has(q) {
			step = 0
		}
		if old := dist[q]; old == 0 || int(old) > d+step+1 {
			dist[q] = int16(d + step + 1)
			queue[step] = append(queue[step], q)
		}
	}
	for i := range n {
		if side == game.First {
			reach(board.At(i, 0), 0)
		} else {
			reach(board.At(0, i), 0)
		}
	}
	for d := 0; len(queue[0])+len(queue[1]) > 0; d++ {
		for len(queue[0]) > 0 {
			q := queue[0][len(queue[0])-1]
			queue[0] = queue[0][:len(queue[0])-1]
			if int(dist[q]) != d+1 {
				continue // a shorter way was found since
			}
			if along := [2]int{q.Y(), q.X()}[side]; along == n-1 {
				return d
			}
			for _, s := range around {
				x, y := q.X()+s[0], q.Y()+s[1]
				if x >= 0 && y >= 0 && x < n && y < n {
					reach(board.At(x, y), d)
				}
			}
		}
		queue[0], queue[1] = queue[1], queue[0]
	}
	return far
}
