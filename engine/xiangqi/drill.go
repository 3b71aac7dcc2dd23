package xiangqi

import (
	"math/rand/v2"

	"qipu/engine/tree"
	"qipu/game"
	"qipu/game/xiangqi"
	"qipu/game/xiangqi/attack"
)

// Men are the pieces of a game, each with a place of its own in a Label: Red's king, two
// advisors, elephants, chariots, horses, cannons, five soldiers, then Black's.
const Men = 32

var manOf = func() (first [16]int) {
	at := 0
	for side := range 2 {
		for k, n := range [attack.Kinds]int{1, 2, 2, 2, 2, 2, 5} {
			first[pieceOf(side, attack.Kind(k))] = at
			at += n
		}
	}
	return first
}()

// Label is a quiet position of a game that the engine played against itself, with what a
// short search of its own says of it.
type Label struct {
	At     [Men]uint8 // the square of each piece, row by row from Black's left; 255 for none
	Score  int16      // hundredths of a soldier, for the side to move
	Turn   uint8      // 0 Red, 1 Black
	Result uint8      // of the game: 0 Black won, 1 drawn, 2 Red won
}

// Drill plays games of the engine against itself and labels their positions.
type Drill struct {
	nodes  int64
	rng    *rand.Rand
	w      *worker
	shared shared
}

// NewDrill returns one whose searches read so many positions.
func NewDrill(nodes int64, seed uint64) *Drill {
	d := &Drill{nodes: nodes, rng: rand.New(rand.NewPCG(seed, 0x9E3779B97F4A7C15)), w: new(worker)}
	d.shared.table, d.shared.limit, d.shared.still = tree.NewTable(1<<20), nodes, int32(xiangqi.Standard.Quiet())
	return d
}

// Searched returns how many positions were read so far.
func (d *Drill) Searched() int64 { return d.shared.nodes.Load() }

// The bounds of a game.
const (
	drillPlies  = 260
	drillQuiet  = 100
	drillSure   = 1500 // a side that is so far ahead for some moves has won
	drillSurely = 5
	drillMost   = 3000
)

// Game plays a game and returns its labels. Openings are moves by chance, one game of five
// begins with fewer pieces, and now and then a move is made by chance later on.
func (d *Drill) Game(labels []Label) []Label {
	labels = labels[:0]
	p := xiangqi.Standard.Start()
	if d.rng.IntN(5) == 0 {
		p = d.thin()
	}
	var list []game.Move
	for range 5 + d.rng.IntN(8) {
		list = p.AppendMoves(list[:0])
		if len(list) == 0 || p.Outcome().Over() || p.Play(list[d.rng.IntN(len(list))]) != nil {
			return labels
		}
	}
	b := arrange(p)
	path := []uint64{b.hash}
	d.shared.table.Next(false)
	sure, result := 0, uint8(1)
	for ply := 0; ; ply++ {
		if o := p.Outcome(); o.Over() {
			if o.State == game.Won {
				result = 2 - 2*uint8(o.Winner)
			}
			break
		}
		if ply >= drillPlies || b.quiet >= drillQuiet || b.lifeless() {
			break
		}
		m, v := d.search(p, b, path)
		if m == 0 {
			return labels[:0]
		}
		if ply == 0 && (v > 350 || v < -350) && d.rng.IntN(4) > 0 {
			return labels
		}
		red := v
		if b.turn == 1 {
			red = -v
		}
		switch {
		case red >= drillSure:
			sure = max(sure, 0) + 1
		case red <= -drillSure:
			sure = min(sure, 0) - 1
		default:
			sure = 0
		}
		if sure >= drillSurely {
			result = 2
			break
		} else if sure <= -drillSurely {
			result = 0
			break
		}
		if b.on[m.to()] == 0 && v < drillMost && v > -drillMost && !b.attacked(b.turn) {
			labels = append(labels, b.label(v))
		}
		if ply < 80 && d.rng.IntN(32) == 0 {
			list = p.AppendMoves(list[:0])
			m = inner(list[d.rng.IntN(len(list))])
		}
		if p.Play(m.outer()) != nil {
			return labels[:0]
		}
		b.play(m)
		path = append(path, b.hash)
	}
	for i := range labels {
		labels[i].Result = result
	}
	return labels
}

// thin returns the start of a game without some of the pieces.
func (d *Drill) thin() game.Position {
	start := xiangqi.Standard.Start()
	planes := start.(game.Planar).Planes().Clone()
	b := arrange(start)
	for side := range 2 {
		for n := d.rng.IntN(8); n > 0; {
			at := square(d.rng.IntN(area))
			if p := b.on[at]; p != 0 && sideOf(p) == side && kindOf[p&15] != attack.King {
				b.on[at] = 0
				planes.Of[p-1].Remove(attack.PointOf[at])
				n--
			}
		}
	}
	if p, err := xiangqi.Standard.Arrange(game.Setup{Board: planes, Number: 1}); err == nil && !p.Outcome().Over() {
		return p
	}
	return start
}

// search returns the best move of a position and its value.
func (d *Drill) search(p game.Position, b position, path []uint64) (move, int) {
	w := d.w
	w.reset(&d.shared, b, path, false)
	w.referee = func() game.Position { return p.(game.Copier).Copy() }
	th := thought{depth: 24, multi: 1, crew: []*worker{w}}
	for _, m := range p.AppendMoves(nil) {
		th.roots = append(th.roots, root{move: inner(m), value: worst, old: worst})
	}
	best, value := move(0), 0
	for depth := 1; depth <= th.depth; depth++ {
		w.must = depth == 1
		if done := th.aspire(w, depth); !done {
			break
		}
		best, value = th.roots[0].move, th.roots[0].value
		if th.settled(depth) {
			break
		}
	}
	w.shared.nodes.Add(w.nodes - w.told)
	w.told = w.nodes
	return best, value
}

// label describes the position.
func (b *position) label(score int) Label {
	l := Label{Score: int16(score), Turn: uint8(b.turn)}
	for i := range l.At {
		l.At[i] = 0xFF
	}
	var met [16]int
	for s, p := range b.on {
		if p != 0 {
			l.At[manOf[p]+met[p]] = uint8(s)
			met[p]++
		}
	}
	return l
}
