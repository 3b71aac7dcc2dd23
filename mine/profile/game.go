package profile

import (
	"context"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"

	"qipu/board"
	"qipu/game"
	"qipu/index"
	"qipu/interval"
	"qipu/query"
)

// Step is one ply: what arrived where, in the picture of the game that is the least.
type Step struct {
	Point uint16 // dense index; None for a pass
	Piece uint8
	Side  uint8
}

// None is the point of a pass.
const None = 1<<16 - 1

// Game is a game as it is compared.
type Game struct {
	Number  uint32 // of the record; 0 of one that is not in the library
	Steps   []Step
	Keys    []uint32  // of the positions behind the first steps, the same for all orders of moves
	Players [2]string // who plays; empty where that is not known
	Spelled [2]string // the same as the record has it
	Opening string    // its code, or what it is called; empty where that is not known
	Day     int32     // 0 where that is not known
	Result  index.Result
}

// beginning is how many positions of a game are kept.
const beginning = 40

// reader turns lines into games. It holds buffers and is not safe for concurrent
// use.
type reader struct {
	images [][]uint16 // where points go, in each picture that leaves the sides as they are
	state  []board.Piece
	active []int
	plain  []Step
}

func newReader(k *index.Kind) *reader {
	r := &reader{state: make([]board.Piece, k.Board.Size.Area())}
	size := k.Board.Size
	for i := range k.Images() {
		sym := k.Image(i)
		if sym.Swap {
			continue
		}
		to := make([]uint16, size.Area())
		for p := range size.Points() {
			to[size.Index(p)] = uint16(size.Index(sym.Board.Apply(size, p)))
		}
		r.images = append(r.images, to)
	}
	return r
}

// Of returns a line as it is compared.
func Of(k *index.Kind, l *interval.Line) *Game {
	g := &Game{}
	newReader(k).read(g, l)
	return g
}

// read fills in the steps and positions of a line.
func (r *reader) read(g *Game, l *interval.Line) {
	clear(r.state)
	r.plain = r.plain[:0]
	r.active = r.active[:0]
	for i := range r.images {
		r.active = append(r.active, i)
	}
	changes, skips, moves := l.Changes, l.Skips, l.Moves
	take := func(slot uint16, each func(c interval.Change, was board.Piece)) {
		for len(changes) > 0 && changes[0].Slot == slot {
			c := changes[0]
			changes = changes[1:]
			if each != nil {
				each(c, r.state[c.Point])
			}
			r.state[c.Point] = c.Piece
		}
	}
	take(0, nil)
	for slot := uint16(1); slot < l.End; slot++ {
		if len(skips) > 0 && skips[0] == slot {
			skips = skips[1:]
			continue
		}
		s := Step{Point: None, Side: uint8(interval.Mover(slot))}
		to := -1
		if len(moves) > 0 {
			if moves[0] != interval.NoMove {
				to = int(moves[0] & 0xFF)
			}
			moves = moves[1:]
		}
		take(slot, func(c interval.Change, was board.Piece) {
			// Where pieces are dropped, the one that came to an empty point.
			if c.Piece != board.Empty && (int(c.Point) == to || l.Moves == nil && was == board.Empty && s.Point == None) {
				s.Point, s.Piece = c.Point, uint8(c.Piece)
			}
		})
		r.plain = append(r.plain, s)
		if s.Point != None && len(r.active) > 1 {
			r.narrow(s.Point)
		}
	}
	image := r.images[r.active[0]]
	g.Steps = make([]Step, len(r.plain))
	for i, s := range r.plain {
		if s.Point != None {
			s.Point = image[s.Point]
		}
		g.Steps[i] = s
	}
	g.Keys = r.keys(l, image)
}

// narrow keeps the pictures in which a point is the least.
func (r *reader) narrow(point uint16) {
	low := uint16(None)
	for _, i := range r.active {
		low = min(low, r.images[i][point])
	}
	keep := r.active[:0]
	for _, i := range r.active {
		if r.images[i][point] == low {
			keep = append(keep, i)
		}
	}
	r.active = keep
}

// keys returns the hashes of the positions of the beginning, in a picture.
func (r *reader) keys(l *interval.Line, image []uint16) []uint32 {
	clear(r.state)
	list := make([]uint32, 0, beginning)
	var h uint64
	skips, next := l.Skips, 0
	for slot := uint16(0); slot < l.End && len(list) < beginning; slot++ {
		if len(skips) > 0 && skips[0] == slot {
			skips = skips[1:]
			continue
		}
		for ; next < len(l.Changes) && l.Changes[next].Slot == slot; next++ {
			c := l.Changes[next]
			at := uint64(image[c.Point]) << 8
			if was := r.state[c.Point]; was != board.Empty {
				h ^= board.Mix(at | uint64(was))
			}
			if c.Piece != board.Empty {
				h ^= board.Mix(at | uint64(c.Piece))
			}
			r.state[c.Point] = c.Piece
		}
		if slot > 0 {
			list = append(list, uint32(board.Mix(h^uint64(slot&1)<<63)))
		}
	}
	return list
}

// Games are the games of one kind that are compared.
type Games struct {
	Kind *index.Kind
	List []Game // in the order of the numbers that were asked for, where they are
	at   map[uint32]int
	turn []int // the board as the second side sees it
}

// Read reads games by their numbers; those that are not of the kind are left out. Who
// returns a person for a spelling, progress is told how many games are read; both may
// be nil.
func Read(ctx context.Context, v index.View, k *index.Kind, numbers []uint32, who func(spelled string) string, progress func(done, all int)) (*Games, error) {
	games := &Games{Kind: k, at: make(map[uint32]int, len(numbers)), turn: turned(k)}
	found := make(map[uint32]*Game, len(numbers))
	plan := &index.Plan{Kind: k, Expr: index.Games{Bitmap: roaring.BitmapOf(numbers...)},
		Columns: index.ColumnsOf(query.FirstPlayer, query.SecondPlayer, query.Code, query.Opening, query.FirstDay, query.Result)}
	r := newReader(k)
	persons := map[string]string{}
	person := func(name string) string {
		if who == nil || name == "" {
			return name
		}
		key, ok := persons[name]
		if !ok {
			key = who(name)
			persons[name] = key
		}
		return key
	}
	for b, err := range v.Scan(ctx, plan) {
		if err != nil {
			return nil, err
		}
		err := v.Guard(func() error {
			for lane := range b.N() {
				if !b.Lanes.Has(lane) || b.Block.From(lane) > 0 {
					continue
				}
				g := &Game{Number: b.Game(lane), Result: b.Result(lane), Day: b.Day(lane)}
				line := b.Block.Line(lane)
				r.read(g, &line)
				text := func(col query.Column) string { return strings.Clone(b.Text(lane, col)) }
				g.Spelled = [2]string{text(query.FirstPlayer), text(query.SecondPlayer)}
				g.Players = [2]string{person(g.Spelled[0]), person(g.Spelled[1])}
				if g.Opening = text(query.Code); g.Opening == "" {
					g.Opening = text(query.Opening)
				}
				found[g.Number] = g
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		if progress != nil {
			progress(len(found), len(numbers))
		}
	}
	for _, n := range numbers {
		if g := found[n]; g != nil {
			games.at[n] = len(games.List)
			games.List = append(games.List, *g)
			delete(found, n)
		}
	}
	return games, ctx.Err()
}

// Find returns the place of a game by its number, or -1.
func (g *Games) Find(number uint32) int {
	if i, ok := g.at[number]; ok {
		return i
	}
	return -1
}

// Point returns where the step that leads to a ply goes, as a side sees the board
// that sits at its own edge: that of the second side is turned, where the game has
// such a picture. It is -1 for none.
func (g *Games) Point(row int, ply uint16, side int) int {
	steps := g.List[row].Steps
	if ply == 0 || int(ply) > len(steps) || steps[ply-1].Point == None {
		return -1
	}
	pt := int(steps[ply-1].Point)
	if side == int(game.Second) {
		pt = g.turn[pt]
	}
	return pt
}

// turned returns where the points go in the first picture that exchanges the sides.
func turned(k *index.Kind) []int {
	size := k.Board.Size
	to := make([]int, size.Area())
	for i := range to {
		to[i] = i
	}
	for i := range k.Images() {
		if sym := k.Image(i); sym.Swap {
			for p := range size.Points() {
				to[size.Index(p)] = size.Index(sym.Board.Apply(size, p))
			}
			break
		}
	}
	return to
}
