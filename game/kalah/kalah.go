// Package kalah is Kalah: two rows of houses with seeds in them, six as a rule, and a store
// for each side. A side takes the seeds of one of its houses and sows them one by
// one, against the clock, into its houses, its store and the houses of the other
// side. It moves again where the last seed falls into its store. Where it falls
// into an empty house of its own and the house opposite is not empty, both go to
// the store. Once a row is empty, the other side stores what it has left, and
// the fuller store wins.
//
// Sides need not take turns in it, and a position is not pieces on points.
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
	minHouses, maxHouses = 1, 8
	maxSeeds             = 15
	most                 = 255 // seeds in all
)

// Rules is Kalah; the zero value has six houses a side with four seeds in each. Other
// boards are made by Variant.
type Rules struct {
	Seeds int // in each house at the start; 0 for four

	board *kind // nil for six houses
}

// kind is what all positions of a board share.
type kind struct {
	info     game.Info
	geometry board.Geometry
	houses   int // of a side; its store is the pit of this number
}

// seeds is what lies in the pits, by side: its houses in the order of sowing, then
// its store.
type seeds [2][maxHouses + 1]uint8

// change is what a move changes.
type change struct {
	seeds seeds
	turn  game.Side
}

// Position is a moment of a game.
type Position struct {
	change
	kind    *kind
	history []change
}

var (
	_ game.Rules            = Rules{}
	_ game.Varied           = Rules{}
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
	Shelf:   game.LabShelf,
	Aliases: []string{"kalaha", "mancala"},
	Howto: board.Names{
		En:   "Sow the seeds of one of your houses one by one. Move again where the last falls into your store; where it falls into an empty house of yours, it takes those opposite. The fuller store wins.",
		Hant: "取自己一穴的種子逐一播下。最後一粒落入己庫則再走一步；落入己方空穴則收取對面的種子。庫中多者勝。",
		Hans: "取自己一穴的种子逐一播下。最后一粒落入己库则再走一步；落入己方空穴则收取对面的种子。库中多者胜。",
		Ja:   "自分の穴の種を 1 つずつまきます。最後の種が自分の倉に入ればもう一度、自分の空の穴に入れば向かいの種を取ります。倉の多い方が勝ちです。",
		Ko:   "자기 구멍의 씨앗을 하나씩 뿌립니다. 마지막 씨앗이 자기 창고에 들어가면 한 번 더, 자기 빈 구멍에 들어가면 맞은편 씨앗을 가져갑니다. 창고가 많은 쪽이 이깁니다.",
	},
	Sides: []game.SideInfo{
		{Name: "south", Titles: board.Names{En: "South", Hant: "南方", Hans: "南方", Ja: "南", Ko: "남"}, Letters: "Ss"},
		{Name: "north", Titles: board.Names{En: "North", Hant: "北方", Hans: "北方", Ja: "北", Ko: "북"}, Letters: "Nn"},
	},
	Notations:  []game.NotationInfo{{Name: "house", Summary: "letter of the house, in the order of sowing: a"}},
	Symmetries: []game.Symmetry{{}, {Board: board.HalfTurn, Swap: true}},
	Variants: []game.VariantInfo{
		{Name: "houses=N", Summary: "houses of a side, 1 to 8"},
		{Name: "seeds=N", Summary: "seeds in each house at the start, 1 to 15"},
	},
	Extra: []string{"seeds"},
}

// six is the usual board.
var six = newKind(6, "")

// newKind makes a board. The row below is South's, with its store on the right, the
// row above North's, with its store on the left.
func newKind(houses int, variant string) *kind {
	size := board.Size{W: houses + 2, H: 2}
	k := &kind{info: info, houses: houses}
	k.info.Variant = variant
	top, bottom := make([]string, size.W), make([]string, size.W)
	for i := range houses {
		bottom[1+i], top[houses-i] = string(rune('a'+i)), string(rune('a'+i))
	}
	k.geometry = board.Geometry{
		Size: size, Cells: true, Lines: board.Grid(size, true),
		Labels: board.Labels{Top: top, Bottom: bottom, Left: []string{"N", "S"}},
		Theme:  board.Theme{Board: "#d9b37a", Line: "#7a5a2e", Mark: "#20507a"},
	}
	return k
}

func (r Rules) kind() *kind {
	if r.board == nil {
		return six
	}
	return r.board
}

// Variant returns the rules of another board, as in "houses=3,seeds=5".
func (r Rules) Variant(spec string) (game.Rules, error) {
	if spec == "" {
		return r, nil
	}
	houses, seeds := 6, 4
	for _, word := range strings.Split(spec, ",") {
		key, value, _ := strings.Cut(word, "=")
		n, err := strconv.Atoi(value)
		switch {
		case key != "houses" && key != "seeds" || err != nil:
			return nil, fmt.Errorf("kalah: there is no variant %q: write houses=3 or seeds=5", word)
		case key == "houses":
			houses = n
		default:
			seeds = n
		}
	}
	if houses < minHouses || houses > maxHouses || seeds < 1 || seeds > maxSeeds || 2*houses*seeds > most {
		return nil, fmt.Errorf("kalah: boards have %d to %d houses a side with 1 to %d seeds in each", minHouses, maxHouses, maxSeeds)
	}
	var words []string
	if houses != 6 {
		words = append(words, "houses="+strconv.Itoa(houses))
	}
	if seeds != 4 {
		words = append(words, "seeds="+strconv.Itoa(seeds))
	}
	return Rules{Seeds: seeds, board: newKind(houses, strings.Join(words, ","))}, nil
}

// pointOf returns where a pit of a side is on the board.
func (k *kind) pointOf(side game.Side, pit int) board.Point {
	if side == game.First {
		return board.At(1+pit, 1)
	}
	return board.At(k.houses-pit, 0)
}

// houseAt returns the house of a side on a point.
func (k *kind) houseAt(side game.Side, p board.Point) (house int, ok bool) {
	for i := range k.houses {
		if k.pointOf(side, i) == p {
			return i, true
		}
	}
	return 0, false
}

// Info returns the facts about the game.
func (r Rules) Info() *game.Info { return &r.kind().info }

// Geometry returns what the board looks like.
func (r Rules) Geometry() *board.Geometry { return &r.kind().geometry }

// Start returns the position with as many seeds in each house.
func (r Rules) Start() game.Position {
	if r.Seeds == 0 {
		r.Seeds = 4
	}
	p := &Position{kind: r.kind()}
	for side := range p.seeds {
		for i := range p.kind.houses {
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
	p := &Position{change: change{turn: s.Turn}, kind: r.kind()}
	pits, sum := p.kind.houses+1, uint64(0)
	list := strings.Split(strings.TrimPrefix(s.Extra, "seeds="), ",")
	if len(list) != 2*pits {
		return nil, fmt.Errorf("kalah: want the seeds of %d houses and stores, as in %s", 2*pits, game.SetupOf(r.Start()).Extra)
	}
	for i, text := range list {
		n, err := strconv.ParseUint(text, 10, 8)
		if err != nil || strconv.FormatUint(n, 10) != text {
			return nil, fmt.Errorf("kalah: %q is no number of seeds", text)
		}
		p.seeds[i/pits][i%pits] = uint8(n)
		sum += n
	}
	if sum > most {
		return nil, fmt.Errorf("kalah: there are at most %d seeds", most)
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
	pits := r.kind().houses + 1
	if all := strings.Split(list, ","); sym.Swap && len(all) == 2*pits {
		return name + "=" + strings.Join(append(all[pits:len(all):len(all)], all[:pits]...), ",")
	}
	return extra
}

// ParseMove reads the letter of a house.
func (r Rules) ParseMove(p game.Position, text string, _ game.Notation) (game.Move, error) {
	if len(text) != 1 || text[0] < 'a' || int(text[0]-'a') >= r.kind().houses {
		return game.NoMove, game.ErrSyntax
	}
	m := game.Drop(r.kind().pointOf(p.Turn(), int(text[0]-'a')))
	_, err := p.(*Position).house(m)
	return m, err
}

// AppendMove appends the letter of the house.
func (r Rules) AppendMove(dst []byte, p game.Position, m game.Move, _ game.Notation) []byte {
	house, _ := r.kind().houseAt(p.Turn(), m.To())
	return append(dst, 'a'+byte(house))
}

// left returns how many seeds lie in the houses of a side.
func (p *Position) left(side game.Side) (n int) {
	for _, s := range p.seeds[side][:p.kind.houses] {
		n += int(s)
	}
	return n
}

// Turn returns the side to move.
func (p *Position) Turn() game.Side { return p.turn }

// Copy returns the position with its history.
func (p *Position) Copy() game.Position {
	return &Position{change: p.change, kind: p.kind, history: slices.Clone(p.history)}
}

// Lead returns how many seeds more than the other side one has stored.
func (p *Position) Lead(side game.Side) int {
	return int(p.seeds[side][p.kind.houses]) - int(p.seeds[side.Opponent()][p.kind.houses])
}

// Row returns the seeds in the houses of a side, in the order of sowing.
func (p *Position) Row(side game.Side) []uint8 {
	return slices.Clone(p.seeds[side][:p.kind.houses])
}

// Cells returns the numbers of seeds.
func (p *Position) Cells() map[board.Point]string {
	cells := make(map[board.Point]string, 2*p.kind.houses+2)
	for side := range p.seeds {
		for i, n := range p.seeds[side][:p.kind.houses+1] {
			cells[p.kind.pointOf(game.Side(side), i)] = strconv.Itoa(int(n))
		}
	}
	return cells
}

// Note writes the seeds down, those of South first.
func (p *Position) Note(s *game.Setup) {
	s.Board = board.NewPlanes(p.kind.geometry.Size, 0)
	text, pits := []byte("seeds="), p.kind.houses+1
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
	for i, n := range p.seeds[p.turn][:p.kind.houses] {
		if n > 0 {
			dst = append(dst, game.Drop(p.kind.pointOf(p.turn, i)))
		}
	}
	return dst
}

// house returns the house that a legal move empties.
func (p *Position) house(m game.Move) (int, error) {
	i, ok := p.kind.houseAt(p.turn, m.To())
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
	row, hand, store := me, me[at], p.kind.houses
	for me[at] = 0; hand > 0; hand-- {
		at++
		if row == me && at > store || row == other && at == store {
			at = 0
			if row == me {
				row = other
			} else {
				row = me
			}
		}
		row[at]++
	}
	if opposite := store - 1 - at; row == me && at < store && me[at] == 1 && other[opposite] > 0 {
		me[store] += other[opposite] + 1
		me[at], other[opposite] = 0, 0
	}
	if row != me || at != store {
		p.turn = p.turn.Opponent()
	}
	if p.left(game.First) == 0 || p.left(game.Second) == 0 {
		for side := range p.seeds {
			for i := range store {
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
	h := board.Mix(p.kind.geometry.Size.Key() ^ uint64(p.turn)<<32)
	for side := range p.seeds {
		// Eight pits are a word.
		var word uint64
		for i, n := range p.seeds[side][:p.kind.houses+1] {
			word = word<<8 | uint64(n)
			if i == 7 {
				h, word = board.Mix(h^word), 0
			}
		}
		h = board.Mix(h ^ word)
	}
	return h
}
