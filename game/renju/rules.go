package renju

import (
	"fmt"
	"strconv"
	"strings"

	"qipu/board"
	"qipu/game"
)

// The pieces of the game, which are also the sides plus one.
const (
	Black board.Piece = 1
	White board.Piece = 2
)

// Set is a rule set: what wins and what is forbidden.
type Set uint8

// The rule sets.
const (
	SetRenju    Set = iota // Black: exactly five, fouls; White: five or more
	SetStandard            // exactly five
	SetFree                // five or more
)

var setNames = [...]string{"renju", "standard", "free"}

// String returns the word for the rule set in variants: "free".
func (s Set) String() string { return setNames[s] }

// Rules is a rule set on a board of one size.
type Rules struct {
	size board.Size
	set  Set
	info game.Info
	geo  board.Geometry
	free lines // the empty board
}

var (
	_ game.Rules  = (*Rules)(nil)
	_ game.Varied = (*Rules)(nil)
)

// minSide is the smallest side on which a row of five has room.
const minSide = 5

var plainSize = board.Size{W: 15, H: 15}

// Renju is the game of the Renju International Federation, on 15x15.
var Renju = game.Must(New(plainSize, SetRenju))

// New returns a rule set on a board with sides from 5 to 25, square or not.
func New(s board.Size, set Set) (*Rules, error) {
	if !s.Valid() || s.W < minSide || s.H < minSide {
		return nil, fmt.Errorf("renju: size %v: both sides must be from %d to %d", s, minSide, board.MaxSide)
	}
	if int(set) >= len(setNames) {
		return nil, fmt.Errorf("renju: there is no rule set %d", set)
	}
	r := &Rules{size: s, set: set, info: info(s, set), geo: geometry(s)}
	for p := range s.Points() {
		r.free.flip(p.X(), p.Y())
	}
	return r, nil
}

// longer reports whether rows of more than five win for a side.
func (r *Rules) longer(side game.Side) bool {
	return r.set == SetFree || r.set == SetRenju && side == game.Second
}

// Set returns the rule set.
func (r *Rules) Set() Set { return r.set }

// GomocupRule returns the number that programs of the Gomocup know the rule set by.
func (r *Rules) GomocupRule() int {
	return map[Set]int{SetFree: 0, SetStandard: 1, SetRenju: 4}[r.set]
}

// Info returns the facts about the game.
func (r *Rules) Info() *game.Info { return &r.info }

// Geometry returns what the board looks like.
func (r *Rules) Geometry() *board.Geometry { return &r.geo }

// Variant returns these rules with another size, another rule set, or both:
// "19x19", "free", "19x19,free".
func (r *Rules) Variant(spec string) (game.Rules, error) {
	size, set := r.size, r.set
	for _, word := range strings.FieldsFunc(spec, func(c rune) bool { return c == ',' }) {
		switch word = strings.ToLower(strings.TrimSpace(word)); word {
		case "renju":
			set = SetRenju
		case "standard":
			set = SetStandard
		case "free", "freestyle":
			set = SetFree
		default:
			s, err := board.ParseSize(word)
			if err != nil {
				return nil, fmt.Errorf("renju: variant %q: write renju, standard, free or a size such as 19x19", word)
			}
			size = s
		}
	}
	v, err := New(size, set)
	if err != nil {
		return nil, err
	}
	return v, nil
}

// Start returns the empty board with Black to move.
func (r *Rules) Start() game.Position { return newPosition(r) }

// Arrange accepts every arrangement, with any numbers of stones. A row that
// wins is a game that has ended; if both sides have one, it is won by the side
// that is not to move. Black's fouls cannot be told from a board: neither an
// overline nor a double-three ends a game that was set up.
func (r *Rules) Arrange(s game.Setup) (game.Position, error) {
	if err := s.Check(r); err != nil {
		return nil, err
	}
	p := newPosition(r)
	p.setTurn(s.Turn)
	for side := range s.Board.Of {
		for at := range s.Board.Of[side].Points() {
			p.set(game.Side(side), at)
			p.count++
		}
	}
	p.settle()
	return p, nil
}

func info(s board.Size, set Set) game.Info {
	i := game.Info{
		Name:   "renju",
		Draws:  true,
		Titles: board.Names{En: "Renju", Hant: "連珠", Hans: "连珠", Ja: "連珠", Ko: "렌주"},
		Howto: board.Names{
			En:   "Five stones in a row win. Black may not make two open threes, two fours or more than five.",
			Hant: "五子連成一線即獲勝。黑棋禁止三三、四四與長連。",
			Hans: "五子连成一线即获胜。黑棋禁止三三、四四与长连。",
			Ja:   "5 つ並べれば勝ちです。黒は三々・四々・長連が禁手です。",
			Ko:   "다섯 개를 나란히 놓으면 이깁니다. 흑은 삼삼, 사사, 장목이 금수입니다.",
		},
		Aliases: []string{"五子連珠"},
		Nicknames: []game.Nickname{
			{Name: "gomoku", Variant: "free"}, {Name: "gobang", Variant: "free"}, {Name: "five-in-a-row", Variant: "free"},
			{Name: "wuziqi", Variant: "free"}, {Name: "五子棋", Variant: "free"}, {Name: "五目並べ", Variant: "free"},
			{Name: "omok", Variant: "free"}, {Name: "오목", Variant: "free"},
		},
		Sides: []game.SideInfo{
			{Name: "black", Titles: board.Names{En: "Black", Hant: "黑方", Hans: "黑方", Ja: "黒", Ko: "흑"}, Letters: "bBXx*"},
			{Name: "white", Titles: board.Names{En: "White", Hant: "白方", Hans: "白方", Ja: "白", Ko: "백"}, Letters: "wWOo"},
		},
		Notations: notations,
		Variants: []game.VariantInfo{
			{Name: "WxH", Summary: "board size, both sides from 5 to 25: 19x19, 20x20"},
			{Name: "renju", Summary: "the default, also under the name gomoku: Black wins with exactly five and must not foul, White wins with five or more"},
			{Name: "standard", Summary: "Gomoku, exactly five wins for both sides"},
			{Name: "free", Summary: "Gomoku, five or more wins for both sides (freestyle)"},
		},
		Choices: []game.Choice{
			{Titles: board.Names{En: "Rules", Hant: "規則", Hans: "规则", Ja: "ルール", Ko: "규칙"}, Values: []game.ChoiceValue{
				{Word: "renju", Titles: board.Names{En: "Renju", Hant: "連珠", Hans: "连珠", Ja: "連珠", Ko: "렌주"}},
				{Word: "standard", Titles: board.Names{En: "Gomoku: exactly five", Hant: "五子棋：恰好五子", Hans: "五子棋：恰好五子", Ja: "五目並べ：ちょうど五つ", Ko: "오목: 정확히 다섯"}},
				{Word: "free", Titles: board.Names{En: "Gomoku: five or more", Hant: "五子棋：五子以上", Hans: "五子棋：五子以上", Ja: "五目並べ：五つ以上", Ko: "오목: 다섯 이상"}},
			}},
			{Titles: board.Names{En: "Board", Hant: "棋盤", Hans: "棋盘", Ja: "盤", Ko: "판"}, Values: []game.ChoiceValue{{Word: "15x15"}, {Word: "19x19"}, {Word: "20x20"}}},
		},
		Variant:    variant(s, set),
		Symmetries: game.BoardSymmetries(s),
	}
	if set != SetRenju {
		i.Titles = board.Names{En: "Gomoku", Hant: "五子棋", Hans: "五子棋", Ja: "五目並べ", Ko: "오목"}
		for _, sym := range game.BoardSymmetries(s) {
			sym.Swap = true
			i.Symmetries = append(i.Symmetries, sym)
		}
	}
	return i
}

// variant returns the canonical spec: size, then rule set, defaults left out.
func variant(s board.Size, set Set) string {
	var words []string
	if s != plainSize {
		words = append(words, s.String())
	}
	if set != SetRenju {
		words = append(words, set.String())
	}
	return strings.Join(words, ",")
}

func geometry(s board.Size) board.Geometry {
	g := board.Geometry{
		Size:  s,
		Lines: board.Grid(s, false),
		Dots:  dots(s),
		Labels: board.Labels{
			Top:  board.Letters(s.W, 'a', ""),
			Left: make([]string, s.H),
		},
		Theme: board.Theme{Board: "#e2b565", Line: "#3a2a12", Mark: "#c0392b"},
		Pieces: []board.Look{
			{Names: board.Names{En: "black stone", Hant: "黑子", Hans: "黑子", Ja: "黒石", Ko: "흑돌"}, Owner: 0, Swap: White,
				Letters: "XxBb*#@", Symbol: "●", Fill: "#1b1b1b", Edge: "#000000", Ink: "#ffffff"},
			{Names: board.Names{En: "white stone", Hant: "白子", Hans: "白子", Ja: "白石", Ko: "백돌"}, Owner: 1, Swap: Black,
				Letters: "OoWw", Symbol: "○", Fill: "#f7f5ef", Edge: "#8b8b84", Ink: "#111111"},
		},
	}
	for y := range s.H {
		g.Labels.Left[y] = strconv.Itoa(s.H - y)
	}
	return g
}

// dots returns the star points: the centre, and from 13x13 on the points four
// lines from both edges of a corner.
func dots(s board.Size) (list []board.Spot) {
	if s.W >= 13 && s.H >= 13 {
		for _, y := range []int{3, s.H - 4} {
			for _, x := range []int{3, s.W - 4} {
				list = append(list, board.Spot{X: float64(x), Y: float64(y)})
			}
		}
	}
	if s.W%2 == 1 && s.H%2 == 1 {
		list = append(list, board.Spot{X: float64(s.W / 2), Y: float64(s.H / 2)})
	}
	return list
}
