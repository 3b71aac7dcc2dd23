package xiangqi

import (
	"fmt"
	"strings"

	"qipu/board"
	"qipu/game"
	"qipu/game/xiangqi/attack"
)

// The pieces: the first seven are Red's, the other seven Black's.
const (
	RedKing board.Piece = iota + 1
	RedAdvisor
	RedElephant
	RedChariot
	RedHorse
	RedCannon
	RedSoldier
	BlackKing
	BlackAdvisor
	BlackElephant
	BlackChariot
	BlackHorse
	BlackCannon
	BlackSoldier
)

// Red and Black are the sides; Red moves first.
const (
	Red   = game.First
	Black = game.Second
)

var size = board.Size{W: width, H: height}

// Rules is Xiangqi under one set of rules about repetition and quiet moves.
type Rules struct {
	set  ruleSet
	info game.Info
	geo  *board.Geometry
}

var (
	_ game.Rules  = (*Rules)(nil)
	_ game.Varied = (*Rules)(nil)
)

// The rule sets; see the package comment for what each of them says. Standard
// is the set called "asian".
var (
	Standard  = newRules(asian)
	CheckOnly = newRules(checkOnly)
	Free      = newRules(free)
)

// ruleSet is what an arbiter looks at besides mate and stalemate.
type ruleSet struct {
	name    string
	summary string
	chase   bool  // perpetual chase loses
	fold    int   // the occurrence of a position that is judged, perpetual check being a loss; 0 for never
	quiet   int32 // plies without a capture that make a draw; 0 for never
}

var (
	asian = ruleSet{name: "asian", chase: true, fold: 3, quiet: 120,
		summary: "perpetual check and one-sided perpetual chase lose, other threefold repetition and 60 moves without a capture draw"}
	checkOnly = ruleSet{name: "check-only", fold: 3, quiet: 120,
		summary: "perpetual check loses, other threefold repetition and 60 moves without a capture draw"}
	free = ruleSet{name: "free",
		summary: "only mate and stalemate end a game"}
)

func newRules(set ruleSet) *Rules {
	r := &Rules{set: set, geo: &geometry, info: game.Info{
		Name:   "xiangqi",
		Draws:  true,
		Titles: board.Names{En: "Xiangqi", Hant: "象棋", Hans: "象棋", Ja: "シャンチー", Ko: "샹치"},
		Howto: board.Names{
			En:   "Move a piece by two clicks or by dragging. Who takes the general, or leaves the other no legal move, wins.",
			Hant: "點兩下或拖曳移動棋子。將死對方，或使對方無棋可走即獲勝。",
			Hans: "点两下或拖动移动棋子。将死对方，或使对方无棋可走即获胜。",
			Ja:   "2 回のクリックまたはドラッグで駒を動かします。将を詰めるか、相手の合法手をなくせば勝ちです。",
			Ko:   "두 번 클릭하거나 끌어서 말을 움직입니다. 상대 장을 잡거나 둘 수 없게 만들면 이깁니다.",
		},
		Tools:   []string{"names"},
		Aliases: []string{"chinese-chess", "cchess", "xq", "中國象棋", "中国象棋", "cờ-tướng"},
		Sides: []game.SideInfo{
			{Name: "red", Titles: board.Names{En: "Red", Hant: "紅方", Hans: "红方", Ja: "紅", Ko: "홍"}, Letters: "wrWR"},
			{Name: "black", Titles: board.Names{En: "Black", Hant: "黑方", Hans: "黑方", Ja: "黒", Ko: "흑"}, Letters: "bB"},
		},
		Notations: []game.NotationInfo{
			{Name: ICCS, Summary: "files a-i, ranks 0-9 from Red's side: h2e2 (also H2-E2)"},
			{Name: UCI, Summary: "files a-i, ranks 1-10 from Red's side: h3e3, h10g8"},
			{Name: WXF, Summary: "piece, file, direction, target: C2=5, H8+7, front cannon C+-2"},
			{Name: Chinese, Summary: "traditional characters: 炮二平五, 馬８進７, 前車退一"},
			{Name: Simplified, Summary: "simplified characters: 炮二平五, 马８进７, 前车退一"},
		},
		Symmetries: []game.Symmetry{
			{Board: board.Identity},
			{Board: board.Mirror},
			{Board: board.Flip, Swap: true},
			{Board: board.HalfTurn, Swap: true},
		},
		Clocks: true,
	}}
	for _, s := range []ruleSet{asian, checkOnly, free} {
		r.info.Variants = append(r.info.Variants, game.VariantInfo{Name: s.name, Summary: s.summary})
	}
	if set != asian {
		r.info.Variant = set.name
	}
	return r
}

// Info returns the facts about the game.
func (r *Rules) Info() *game.Info { return &r.info }

// Geometry returns what the board looks like.
func (r *Rules) Geometry() *board.Geometry { return r.geo }

// Variant returns the rules with another rule set: "asian", "check-only" or
// "free".
func (r *Rules) Variant(spec string) (game.Rules, error) {
	if spec == "" {
		return r, nil
	}
	for _, known := range []*Rules{Standard, CheckOnly, Free} {
		if strings.EqualFold(strings.TrimSpace(spec), known.set.name) {
			return known, nil
		}
	}
	return nil, fmt.Errorf("xiangqi: no variant %q: write %s, %s or %s", spec, asian.name, checkOnly.name, free.name)
}

// startText is the start of every game.
const startText = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"

// Start returns a new position at the start of the game.
func (r *Rules) Start() game.Position {
	s, err := game.ParseSetup(r, startText)
	if err != nil {
		panic(err)
	}
	p, err := r.Arrange(s)
	if err != nil {
		panic(err)
	}
	return p
}

// Arrange returns a new position. It refuses what the way the pieces move
// makes impossible, and what the notations could not tell apart:
//
//   - a side without exactly one king, or with a king outside its palace
//   - an advisor or elephant off its points, a soldier behind its first rank
//     or, before the river, off its file
//   - kings that face each other, or a king in check that is not to move
//   - more than 16 pieces of a side or 5 of a kind
//
// A third chariot, say, is no fault: test positions and puzzles have them.
func (r *Rules) Arrange(s game.Setup) (game.Position, error) {
	if err := s.Check(r); err != nil {
		return nil, err
	}
	if s.Quiet < 0 || s.Quiet > 1<<30 {
		return nil, fmt.Errorf("xiangqi: %d plies without a capture", s.Quiet)
	}
	p := &Position{rules: r, turn: s.Turn, quiet: int32(s.Quiet)}
	p.start.number, p.start.turn = max(s.Number, 1), s.Turn
	for side := range p.at {
		if err := p.enlist(game.Side(side), s.Board); err != nil {
			return nil, err
		}
	}
	if err := p.checkKings(); err != nil {
		return nil, err
	}
	return p, nil
}

// enlist gives the pieces of a side their slots and squares.
func (p *Position) enlist(side game.Side, b *board.Planes) error {
	for i := range p.at[side] {
		p.at[side][i] = none
	}
	name := Standard.info.Sides[side].Name
	n := uint8(0)
	for k := range kinds {
		p.first[side][k] = n
		piece := pieceOf(side, k)
		plane := &b.Of[piece-1]
		word := geometry.Pieces[piece-1].Names.En
		switch c := plane.Count(); {
		case k == king && c != 1:
			return fmt.Errorf("xiangqi: %s has %d kings, want 1", name, c)
		case c > maxOfKind:
			return fmt.Errorf("xiangqi: %d times %s, want at most %d", c, word, maxOfKind)
		case int(n)+c > maxPieces:
			return fmt.Errorf("xiangqi: %s has more than %d pieces", name, maxPieces)
		}
		for point := range plane.Points() {
			if !size.Has(point) || p.on[attack.SquareOf[point]] != board.Empty {
				return fmt.Errorf("xiangqi: %s at %v: the point is taken or outside the board", word, point)
			}
			s := attack.SquareOf[point]
			if !attack.Home[side][k].Has(s) {
				return fmt.Errorf("xiangqi: a %s cannot stand on %s", word, coordinate(s))
			}
			p.place(s, piece, n)
			p.hash ^= board.Zobrist(piece, point)
			n++
		}
	}
	p.first[side][kinds] = n
	return nil
}

// maxOfKind bounds the pieces of one kind: the notations number up to five.
const maxOfKind = 5

func (p *Position) checkKings() error {
	k := p.at[Red][0]
	if p.facing(k, k) {
		return fmt.Errorf("xiangqi: the kings face each other on file %c", 'a'+attack.X[k])
	}
	if p.viewOf(p.turn ^ 1).check {
		return fmt.Errorf("xiangqi: the king of %s on %s is in check, but %s is to move",
			Standard.info.Sides[p.turn^1].Name, coordinate(p.at[p.turn^1][0]), Standard.info.Sides[p.turn].Name)
	}
	return nil
}

// coordinate returns a square as ICCS writes it.
func coordinate(s square) string { return string(appendSquare(nil, s, 9)) }

// Lead returns the lead that is worth 73 per cent of a win, in soldiers: as games of the
// engine with itself ended, by what it thought of their positions (docs/xiangqi-engine.md).
func (r *Rules) Lead() float64 { return 3.8 }

// Quiet returns how many plies without a capture make a draw; 0 for never.
func (r *Rules) Quiet() int { return int(r.set.quiet) }
