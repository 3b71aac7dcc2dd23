// Package sight looks at a board of Go by a small neural net: where professionals
// would play, whose each point will be, who wins and by how much.
//
//	eye, err := sight.New()
//	s, err := eye.See(position, last)    // last: the points of the last moves, the latest first
//	s.Moves[y*19+x], s.Owner[y*19+x], s.Lead
//
// What it says is a guess, learnt from records; workshop/sight has the recipe and
// docs/sight.md how good it is. It was trained on 7x7, 9x9, 13x13 and 19x19.
package sight

import (
	_ "embed"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"qipu/board"
	"qipu/engine/net"
	"qipu/game"
	"qipu/game/weiqi"
)

//go:embed small.net
var small []byte

// planes are what the net is shown, in their order.
var planes = []string{"board", "own", "other", "liberty1", "liberty2", "liberty3", "ko", "last1", "last2", "last3", "last4", "komi", "area"}

const (
	planeBoard = iota
	planeOwn
	planeOther
	planeLiberty // and the two behind it
	_
	_
	planeKo
	planeLast // and the three behind it
	_
	_
	_
	planeKomi
	planeArea
)

// mostBytes bounds the file of a net.
const mostBytes = 64 << 20

// other is a net that the user has named; nil for none.
var other atomic.Pointer[net.Net]

// Use has eyes that are made from now on look by the net of a file, on boards of the
// sides that it was trained on; on others they look by the one that comes with the
// program. After an error, which is one sentence, they look as before.
func Use(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, mostBytes+1))
	switch {
	case err != nil:
		return err
	case len(data) > mostBytes:
		return fmt.Errorf("%s: %w: it has more than %d MiB", path, net.ErrFile, mostBytes>>20)
	}
	n, err := read(data)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	other.Store(n)
	return nil
}

// Recent is how many of the last moves the net is told of.
const Recent = 4

var load = sync.OnceValues(func() (*net.Net, error) { return read(small) })

func read(data []byte) (*net.Net, error) {
	n, err := net.Read(data)
	if err != nil {
		return nil, err
	}
	if !slices.Equal(n.Planes(), planes) {
		return nil, fmt.Errorf("%w: it is shown %v", net.ErrFile, n.Planes())
	}
	run := n.NewRun(1, 1)
	if run.Plot("point") == nil || run.Plot("owner") == nil || len(run.Vector("said")) != 4 {
		return nil, fmt.Errorf("%w: it does not say what a net of Go says", net.ErrFile)
	}
	return n, nil
}

// The sides of boards that an eye looks at: the net was trained on some from Least to
// Most, and there it may say anything of others.
const (
	Least = 7
	Most  = 19
)

// Sees reports whether a board is one that an eye looks at.
func Sees(size board.Size) bool {
	return min(size.W, size.H) >= Least && max(size.W, size.H) <= Most
}

// ErrSize tells that a board is too small, or too large, to be looked at.
var ErrSize = fmt.Errorf("sight: boards are seen from %dx%d to %dx%d", Least, Least, Most, Most)

// Eye looks at boards. It is not safe for use by two at once.
type Eye struct {
	nets []*net.Net // those that are asked first come first; the last one sees all boards
	net  *net.Net   // that of the last look
	runs map[board.Size]*net.Run
	turn []int16 // where each point is shown: row by row of the board as it was turned

	shown []byte // the planes, for the key of a look
	heard heard  // what was said last
}

// New returns an eye with the net that comes with the program, and with the one of
// [Use] before it.
func New() (*Eye, error) {
	n, err := load()
	if err != nil {
		return nil, err
	}
	e := &Eye{net: n, runs: map[board.Size]*net.Run{}}
	if o := other.Load(); o != nil {
		e.nets = append(e.nets, o)
	}
	e.nets = append(e.nets, n)
	return e, nil
}

// Net returns the name of the net that looks at boards of a size.
func (e *Eye) Net(size board.Size) string {
	return strings.TrimSuffix(e.choose(size).Name(), ".net")
}

// Version tells that net from others with its name.
func (e *Eye) Version(size board.Size) string { return e.choose(size).Version() }

// choose returns the net for boards of a size.
func (e *Eye) choose(size board.Size) *net.Net {
	for _, n := range e.nets[:len(e.nets)-1] {
		if least, most := n.Boards(); most == 0 || min(size.W, size.H) >= least && max(size.W, size.H) <= most {
			return n
		}
	}
	return e.nets[len(e.nets)-1]
}

// Sight is what the net says of a position, for the side to move. Lists go row by row.
type Sight struct {
	Size   board.Size
	Moves  []float64 // chance of each point to be played next; 0 where it may not be
	Pass   float64
	Owner  []float64 // chance of each point to be the mover's in the end
	Win    float64
	Lead   float64 // expected, in points
	Spread float64 // mean distance from it, in points
}

// See looks at a position. last are the points of the last moves, the latest first,
// board.NoPoint for a pass; nil where they are not known. The sight is the caller's.
func (e *Eye) See(p *weiqi.Position, last []board.Point) (*Sight, error) {
	s := new(Sight)
	return s, e.Look(s, p, last, 0)
}

// Look writes what See returns into a sight that is used again. The net is shown the
// board turned and mirrored in one of eight ways, by turned modulo 8: what it says is
// a little different each time, though it should not be.
func (e *Eye) Look(s *Sight, p *weiqi.Position, last []board.Point, turned uint) error {
	size := p.Planes().Size
	if !Sees(size) {
		return ErrSize
	}
	e.look(s, p, last, turned)
	return nil
}

func (e *Eye) look(s *Sight, p *weiqi.Position, last []board.Point, turned uint) {
	size := p.Planes().Size
	e.net = e.choose(size)
	run := e.runs[size]
	if run == nil {
		run = e.net.NewRun(size.W, size.H)
		e.runs[size] = run
	}
	e.face(size, turned)
	e.show(run, p, last)
	e.tell(s, e.hear(run, size), p)
}

// face finds where each point is shown.
func (e *Eye) face(size board.Size, turned uint) {
	if cap(e.turn) < size.Area() {
		e.turn = make([]int16, size.Area())
	}
	e.turn = e.turn[:size.Area()]
	for y := range size.H {
		for x := range size.W {
			u, v := x, y
			if turned&1 != 0 {
				u = size.W - 1 - u
			}
			if turned&2 != 0 {
				v = size.H - 1 - v
			}
			if turned&4 != 0 && size.W == size.H {
				u, v = v, u
			}
			e.turn[y*size.W+x] = int16(v*size.W + u)
		}
	}
}

// mostKomi is the most that the net is told of, in half points; what is more changes
// the lead by as much.
const mostKomi = 60

// show fills the planes.
func (e *Eye) show(run *net.Run, p *weiqi.Position, last []board.Point) {
	size, one := p.Planes().Size, int16(e.net.Unit())
	for i := range planes {
		clear(run.Plane(i))
	}
	at := func(plane int, to board.Point) { run.Plane(plane)[e.turn[to.Y()*size.W+to.X()]] = one }
	fill := func(plane int, v int16) {
		list := run.Plane(plane)
		for i := range list {
			list[i] = v
		}
	}
	fill(planeBoard, one)
	for y := range size.H {
		for x := range size.W {
			to := board.At(x, y)
			side, ok := p.SideAt(to)
			if !ok {
				continue
			}
			if side == p.Turn() {
				at(planeOwn, to)
			} else {
				at(planeOther, to)
			}
			if n := p.Liberties(to, 4); n >= 1 && n <= 3 {
				at(planeLiberty+n-1, to)
			}
		}
	}
	if ko := p.Ko(); ko != board.NoPoint {
		at(planeKo, ko)
	}
	for i, to := range last[:min(Recent, len(last))] {
		if to != board.NoPoint && size.Has(to) {
			at(planeLast+i, to)
		}
	}
	rules := p.Rules()
	komi := float64(rules.Komi()) / 30
	if p.Turn() == weiqi.Black {
		komi = -komi
	}
	fill(planeKomi, int16(math.RoundToEven(min(max(komi, -mostKomi/30), mostKomi/30)*float64(one))))
	if rules.RuleSet().Scoring == weiqi.Area {
		fill(planeArea, one)
	}
}

// tell writes what the net has said.
func (e *Eye) tell(s *Sight, h *heard, p *weiqi.Position) {
	size := h.size
	said, points, owner := h.said, h.points, h.owner
	s.Size, s.Moves, s.Owner = size, sized(s.Moves, len(points)), sized(s.Owner, len(points))
	s.Win, s.Lead, s.Spread = chance(said[0]), float64(said[1])*e.net.Lead(), math.Exp(min(max(float64(said[2]), -5), 3))*e.net.Lead()
	e.excess(s, p)
	top := float64(said[3])
	for _, v := range points {
		top = max(top, float64(v))
	}
	s.Pass = math.Exp(float64(said[3]) - top)
	sum := s.Pass
	for i := range points {
		at := e.turn[i]
		s.Owner[i], s.Moves[i] = chance(owner[at]), 0
		if p.Check(game.Drop(board.At(i%size.W, i/size.W))) == nil {
			s.Moves[i] = math.Exp(float64(points[at]) - top)
			sum += s.Moves[i]
		}
	}
	for i := range s.Moves {
		s.Moves[i] /= sum
	}
	s.Pass /= sum
}

// excess counts the komi that the net was not told of.
func (e *Eye) excess(s *Sight, p *weiqi.Position) {
	more := float64(p.Rules().Komi())
	more = (more - min(max(more, -mostKomi), mostKomi)) / 2
	if more == 0 {
		return
	}
	if p.Turn() == weiqi.Black {
		more = -more
	}
	s.Lead += more
	s.Win = 1 / (1 + math.Exp(-s.Lead/max(s.Spread, 1)))
}

func sized(list []float64, n int) []float64 {
	if cap(list) < n {
		return make([]float64, n)
	}
	return list[:n]
}

func chance(logit float32) float64 { return 1 / (1 + math.Exp(-float64(logit))) }
