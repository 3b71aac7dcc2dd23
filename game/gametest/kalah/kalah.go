// Package kalah is Kalah: two rows of six houses with seeds in them, and a store
// for each side. A side takes the seeds of one of its houses and sows them one by
// one, against the clock, into its houses, its store and the houses of the other
// side. It moves again where the last seed falls into its store. Where it falls
// into an empty house of its own and the house opposite is not empty, both go to
// the store. Once a row is empty, the other side stores what it has left, and
// the fuller store wins.
//
// It is a game for tests alone: the proof that sides need not take turns, and
// that a position need not be pieces on points. The product does not import it.
package kalah

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"qipu/board"
	"qipu/game"
)

const (
	houses = 6
	pits   = houses + 1 // of a side: its houses in the order of sowing, then its store
	store  = houses
)

// Rules is Kalah; the zero value begins with four seeds in each house.
type Rules struct {
	Seeds int // in each house at the start; 0 for four
}

// seeds is what lies in the pits, by side.
type seeds [2][pits]uint8

// change is what a move changes.
type change struct {
	seeds seeds
	turn  game.Side
}

// Position is a moment of a game.
type Position struct {
	change
	history []change
}

var (
	_ game.Rules            = Rules{}
	_ game.ExtraTransformer = Rules{}
	_ game.Position         = (*Position)(nil)
	_ game.Noted            = (*Position)(nil)
	_ game.Celled           = (*Position)(nil)
	_ game.Copier           = (*Position)(nil)
)

var errEmpty error = game.Illegal("the house is empty")

var info = game.Info{
	Name:    "kalah",
	Titles:  board.Names{En: "Kalah", Hant: "播棋", Hans: "播棋", Ja: "カラハ", Ko: "칼라하"},
	Aliases: []string{"kalaha"},
	Sides: []game.SideInfo{
		{Name: "south", Titles: board.Names{En: "South", Hant: "南方", Hans: "南方", Ja: "南", Ko: "남"}, Letters: "Ss"},
		{Name: "north", Titles: board.Names{En: "North", Hant: "北方", Hans: "北方", Ja: "北", Ko: "북"}, Letters: "Nn"},
	},
	Notations:  []game.NotationInfo{{Name: "house", Summary: "letter of the house, in the order of sowing: a"}},
	Symmetries: []game.Symmetry{{}, {Board: board.HalfTurn, Swap: true}},
	Extra:      []string{"seeds"},
}

// The row below is South's, with its store on the right, the row above North's,
// with its store on the left.
var geometry = board.Geometry{
	Size:   board.Size{W: houses + 2, H: 2},
	Cells:  true,
	Lines:  board.Grid(board.Size{W: houses + 2, H: 2}, true),
	Labels: board.Labels{Top: []string{"", "f", "e", "d", "c", "b", "a", ""}, Bottom: []string{"", "a", "b", "c", "d", "e", "f", ""}, Left: []string{"N", "S"}},
	Theme:  board.Theme{Board: "#d9b37a", Line: "#7a5a2e", Mark: "#20507a"},
}

// pointOf returns where a pit of a side is on the board.
func pointOf(side game.Side, pit int) board.Point {
	if side == game.First {
		return board.At(1+pit, 1)
	}
	return board.At(houses-pit, 0)
}

// houseAt returns the house of a side on a point.
func houseAt(side game.Side, p board.Point) (house int, ok bool) {
	for i := range houses {
		if pointOf(side, i) == p {
			return i, true
		}
	}
	return 0, false
}

// Info returns the facts about the game.
func (Rules) Info() *game.Info { return &info }

// Geometry returns what the board looks like.
func (Rules) Geometry() *board.Geometry { return &geometry }

// Start returns the position with as many seeds in each house.
func (r Rules) Start() game.Position {
	if r.Seeds == 0 {
		r.Seeds = 4
	}
	p := &Position{}
	for side := range p.seeds {
		for i := range houses {
			p.seeds[side][i] = uint8(r.Seeds)
		}
	}
	return p
}

// Arrange refuses a position in which one row alone is empty: its seeds would
// have been stored.
func (r Rules) Arrange(s game.Setup) (game.Position, error) {
	if err := s.Check(r); err != nil {
		return nil, err
	}
	p := &Position{change: change{turn: s.Turn}}
	list := strings.Split(strings.TrimPrefix(s.Extra, "seeds="), ",")
	if len(list) != 2*pits {
		return nil, fmt.Errorf("kalah: want the seeds of %d houses and stores, as in seeds=4,4,4,4,4,4,0,4,4,4,4,4,4,0", 2*pits)
	}
	for i, text := range list {
		n, err := strconv.ParseUint(text, 10, 7)
		if err != nil || strconv.FormatUint(n, 10) != text {
			return nil, fmt.Errorf("kalah: %q is no number of seeds", text)
		}
		p.seeds[i/pits][i%pits] = uint8(n)
	}
	if p.left(game.First) == 0 != (p.left(game.Second) == 0) {
		return nil, fmt.Errorf("kalah: one row is empty, and the seeds of the other are not stored")
	}
	return p, nil
}

// TransformExtra gives each side the seeds of the other where sides are
// exchanged; the half turn that goes with it takes each house to the other
// side's of the same letter.
func (r Rules) TransformExtra(extra string, sym game.Symmetry) string {
	name, list, _ := strings.Cut(extra, "=")
	if all := strings.Split(list, ","); sym.Swap && len(all) == 2*pits {
		return name + "=" + strings.Join(append(all[pits:len(all):len(all)], all[:pits]...), ",")
	}
	return extra
}

// ParseMove reads the letter of a house.
func (Rules) ParseMove(p game.Position, text string, _ game.Notation) (game.Move, error) {
	if len(text) != 1 || text[0] < 'a' || text[0] >= 'a'+houses {
		return game.NoMove, game.ErrSyntax
	}
	m := game.Drop(pointOf(p.Turn(), int(text[0]-'a')))
	_, err := p.(*Position).house(m)
	return m, err
}

// AppendMove appends the letter of the house.
func (Rules) AppendMove(dst []byte, p game.Position, m game.Move, _ game.Notation) []byte {
	house, _ := houseAt(p.Turn(), m.To())
	return append(dst, 'a'+byte(house))
}

// left returns how many seeds lie in the houses of a side.
func (p *Position) left(side game.Side) (n int) {
	for _, s := range p.seeds[side][:houses] {
		n += int(s)
	}
	return n
}

// Turn returns the side to move.
func (p *Position) Turn() game.Side { return p.turn }

// Copy returns the position with its history.
func (p *Position) Copy() game.Position {
	return &Position{change: p.change, history: slices.Clone(p.history)}
}

// Lead returns how many seeds more than the other side one has stored.
func (p *Position) Lead(side game.Side) int {
	return int(p.seeds[side][store]) - int(p.seeds[side.Opponent()][store])
}

// Cells returns the numbers of seeds.
func (p *Position) Cells() map[board.Point]string {
	cells := make(map[board.Point]string, 2*pits)
	for side := range p.seeds {
		for i, n := range p.seeds[side] {
			cells[pointOf(game.Side(side), i)] = strconv.Itoa(int(n))
		}
	}
	return cells
}

// Note writes the seeds down, those of South first.
func (p *Position) Note(s *game.Setup) {
	s.Board = board.NewPlanes(geometry.Size, 0)
	text := []byte("seeds=")
	for i := range 2 * pits {
		if i > 0 {
			text = append(text, ',')
		}
		text = strconv.AppendUint(text, uint64(p.seeds[i/pits][i%pits]), 10)
	}
	s.Extra = string(text)
}

// AppendMoves appends one move for every house of the side that is not empty.
func (p *Position) AppendMoves(dst []game.Move) []game.Move {
	for i, n := range p.seeds[p.turn][:houses] {
		if n > 0 {
			dst = append(dst, game.Drop(pointOf(p.turn, i)))
		}
	}
	return dst
}

// house returns the house that a legal move empties.
func (p *Position) house(m game.Move) (int, error) {
	i, ok := houseAt(p.turn, m.To())
	switch {
	case p.Outcome().Over():
		return 0, game.ErrOver
	case !ok || m != game.Drop(m.To()):
		return 0, game.ErrOffBoard
	case p.seeds[p.turn][i] == 0:
		return 0, errEmpty
	}
	return i, nil
}

// Play sows the seeds of a house.
func (p *Position) Play(m game.Move) error {
	at, err := p.house(m)
	if err != nil {
		return err
	}
	p.history = append(p.history, p.change)
	me, other := &p.seeds[p.turn], &p.seeds[p.turn.Opponent()]
	row, hand := me, me[at]
	for me[at] = 0; hand > 0; hand-- {
		at++
		if row == me && at == pits || row == other && at == store {
			at = 0
			if row == me {
				row = other
			} else {
				row = me
			}
		}
		row[at]++
	}
	if opposite := houses - 1 - at; row == me && at < store && me[at] == 1 && other[opposite] > 0 {
		me[store] += other[opposite] + 1
		me[at], other[opposite] = 0, 0
	}
	if row != me || at != store {
		p.turn = p.turn.Opponent()
	}
	if p.left(game.First) == 0 || p.left(game.Second) == 0 {
		for side := range p.seeds {
			for i := range houses {
				p.seeds[side][store] += p.seeds[side][i]
				p.seeds[side][i] = 0
			}
		}
	}
	return nil
}

// Undo takes the last move back.
func (p *Position) Undo() {
	last := len(p.history) - 1
	p.change, p.history = p.history[last], p.history[:last]
}

// Outcome tells who has stored more, once all seeds are.
func (p *Position) Outcome() game.Outcome {
	if p.left(game.First) > 0 || p.left(game.Second) > 0 {
		return game.Outcome{}
	}
	switch lead := p.Lead(game.First); {
	case lead > 0:
		return game.Outcome{State: game.Won, Winner: game.First, Reason: game.ByCount, Margin: 2 * lead}
	case lead < 0:
		return game.Outcome{State: game.Won, Winner: game.Second, Reason: game.ByCount, Margin: -2 * lead}
	}
	return game.Outcome{State: game.Drawn, Reason: game.ByCount}
}

// Hash returns a key of the position.
func (p *Position) Hash() uint64 {
	h := geometry.Size.Key() ^ uint64(p.turn)
	for side := range p.seeds {
		for _, n := range p.seeds[side] {
			h = board.Mix(h ^ uint64(n))
		}
	}
	return h
}
