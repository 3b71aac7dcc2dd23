// Package sight looks at a board of Go by a small neural net: where professionals
// would play, whose each point will be, who wins and by how much.
//
//	eye, err := sight.New()
//	s := eye.See(position, last)    // last: the points of the last moves, the latest first
//	s.Moves[y*19+x], s.Owner[y*19+x], s.Lead
//
// What it says is a guess, learnt from records; workshop/sight has the recipe and
// docs/sight.md how good it is. It was trained on 19x19 alone.
package sight

import (
	_ "embed"
	"fmt"
	"math"
	"slices"
	"sync"

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

// Eye looks at boards. It is not safe for use by two at once.
type Eye struct {
	net  *net.Net
	runs map[board.Size]*net.Run
}

// New returns an eye with the net that comes with the program.
func New() (*Eye, error) {
	n, err := load()
	if err != nil {
		return nil, err
	}
	return &Eye{net: n, runs: map[board.Size]*net.Run{}}, nil
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
func (e *Eye) See(p *weiqi.Position, last []board.Point) *Sight {
	size := p.Planes().Size
	run := e.runs[size]
	if run == nil {
		run = e.net.NewRun(size.W, size.H)
		e.runs[size] = run
	}
	e.show(run, p, last)
	run.Evaluate()
	return e.sight(run, p)
}

// show fills the planes.
func (e *Eye) show(run *net.Run, p *weiqi.Position, last []board.Point) {
	size, one := p.Planes().Size, int16(e.net.Unit())
	for i := range planes {
		clear(run.Plane(i))
	}
	at := func(plane int, to board.Point) { run.Plane(plane)[to.Y()*size.W+to.X()] = one }
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
		if to != board.NoPoint {
			at(planeLast+i, to)
		}
	}
	rules := p.Rules()
	komi := float64(rules.Komi()) / 30
	if p.Turn() == weiqi.Black {
		komi = -komi
	}
	fill(planeKomi, int16(math.RoundToEven(min(max(komi, -2), 2)*float64(one))))
	if rules.RuleSet().Scoring == weiqi.Area {
		fill(planeArea, one)
	}
}

func (e *Eye) sight(run *net.Run, p *weiqi.Position) *Sight {
	size := p.Planes().Size
	said, points := run.Vector("said"), run.Plot("point")
	s := &Sight{Size: size, Moves: make([]float64, len(points)), Owner: make([]float64, len(points)),
		Win: chance(said[0]), Lead: float64(said[1]) * e.net.Lead(), Spread: math.Exp(min(max(float64(said[2]), -5), 3)) * e.net.Lead()}
	for i, v := range run.Plot("owner") {
		s.Owner[i] = chance(v)
	}
	top := float64(said[3])
	for _, v := range points {
		top = max(top, float64(v))
	}
	s.Pass = math.Exp(float64(said[3]) - top)
	sum := s.Pass
	for i, v := range points {
		if p.Check(game.Drop(board.At(i%size.W, i/size.W))) == nil {
			s.Moves[i] = math.Exp(float64(v) - top)
			sum += s.Moves[i]
		}
	}
	for i := range s.Moves {
		s.Moves[i] /= sum
	}
	s.Pass /= sum
	return s
}

func chance(logit float32) float64 { return 1 / (1 + math.Exp(-float64(logit))) }
