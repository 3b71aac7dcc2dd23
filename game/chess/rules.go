package chess

import (
	"fmt"
	"slices"
	"strings"

	"qipu/board"
	"qipu/game"
	"qipu/game/chess/attack"
)

// The pieces: the first six are White's, the others Black's. Moves name what a pawn
// becomes by those of White.
const (
	WhiteKing board.Piece = iota + 1
	WhiteQueen
	WhiteRook
	WhiteBishop
	WhiteKnight
	WhitePawn
	BlackKing
	BlackQueen
	BlackRook
	BlackBishop
	BlackKnight
	BlackPawn
)

// White and Black are the sides; White moves first.
const (
	White = game.First
	Black = game.Second
)

// Rules is chess on one kind of board.
type Rules struct {
	info game.Info
	geo  *board.Geometry

	start   string // position text
	castles bool
	onto    bool   // castling is a move of the king onto its rook, wherever they began
	becomes []kind // what a pawn may become
	walls   set    // the squares of 8x8 that the board does not have
	double  [2]set // where a pawn stands after one step that may make another
	last    [2]set // where pawns become others

	pointOf  [64]board.Point
	squareOf [1024]square
	keys     [2*kinds + 1][64]uint64
}

var (
	_ game.Rules            = (*Rules)(nil)
	_ game.Varied           = (*Rules)(nil)
	_ game.ExtraTransformer = (*Rules)(nil)
)

// The games: chess, that whose pieces begin in any of 960 orders, and that of six by
// six squares.
var (
	Standard  = newRules("", board.Size{W: 8, H: 8})
	Shuffled  = newRules("960", board.Size{W: 8, H: 8})
	LosAlamos = newRules("losalamos", board.Size{W: 6, H: 6})
)

func newRules(variant string, size board.Size) *Rules {
	r := &Rules{
		info: info, geo: geometry(size),
		start: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", castles: true,
		becomes: []kind{queen, rook, bishop, knight},
		double:  [2]set{attack.Rank1 << 16, attack.Rank1 << 40},
	}
	switch r.info.Variant = variant; variant {
	case "960":
		r.onto = true
	case "losalamos":
		r.info.Extra = nil
		r.start, r.castles = "rnqknr/pppppp/6/6/PPPPPP/RNQKNR w - - 0 1", false
		r.becomes, r.double = []kind{queen, rook, knight}, [2]set{}
		r.info.Symmetries = []game.Symmetry{{}, {Board: board.Mirror}, {Board: board.Flip, Swap: true}, {Board: board.HalfTurn, Swap: true}}
	}
	for i := range r.squareOf {
		r.squareOf[i] = attack.None
	}
	r.walls = ^set(0)
	for s := range attack.None {
		if s.File() < size.W && s.Rank() < size.H {
			p := board.At(s.File(), size.H-1-s.Rank())
			r.pointOf[s], r.squareOf[p] = p, s
			r.walls &^= s.Bit()
			for piece := WhiteKing; piece <= BlackPawn; piece++ {
				r.keys[piece][s] = board.Zobrist(piece, p)
			}
		}
	}
	r.last = [2]set{attack.Rank1 << (8 * (size.H - 1)), attack.Rank1}
	return r
}

var info = game.Info{
	Name:   "chess",
	Draws:  true,
	Titles: board.Names{En: "Chess", Hant: "西洋棋", Hans: "国际象棋", Ja: "チェス", Ko: "체스"},
	Howto: board.Names{
		En:   "Move a piece by two clicks or by dragging; to castle, move the king two squares. Who attacks the king so that it cannot escape wins.",
		Hant: "點兩下或拖曳移動棋子；入堡時將國王移動兩格。攻擊國王使其無法逃脫者獲勝。",
		Hans: "点两下或拖动移动棋子；易位时将国王移动两格。攻击国王使其无法逃脱者获胜。",
		Ja:   "2 回のクリックまたはドラッグで駒を動かします。キャスリングはキングを 2 マス動かします。キングを攻めて逃げられなくすれば勝ちです。",
		Ko:   "두 번 클릭하거나 끌어서 말을 움직입니다. 캐슬링은 킹을 두 칸 옮깁니다. 킹이 피할 수 없게 공격하면 이깁니다.",
	},
	Aliases: []string{"international-chess", "western-chess", "國際象棋", "шахматы", "schach", "échecs", "ajedrez"},
	Sides: []game.SideInfo{
		{Name: "white", Titles: board.Names{En: "White", Hant: "白方", Hans: "白方", Ja: "白", Ko: "백"}, Letters: "wW"},
		{Name: "black", Titles: board.Names{En: "Black", Hant: "黑方", Hans: "黑方", Ja: "黒", Ko: "흑"}, Letters: "bB"},
	},
	Notations: []game.NotationInfo{
		{Name: SAN, Summary: "piece and target: Nf3, exd5, O-O, e8=Q+"},
		{Name: LAN, Summary: "piece, origin and target: Ng1-f3, e4xd5, O-O, e7-e8=Q+"},
		{Name: UCI, Summary: "origin and target, as engines write them: g1f3, e1g1, e7e8q"},
		{Name: German, Summary: "piece and target with the letters of German: Sf3, Dxd5, e8=D+"},
	},
	Nicknames: []game.Nickname{
		{Name: "chess960", Variant: "960"}, {Name: "fischerandom", Variant: "960"}, {Name: "fischerrandom", Variant: "960"},
		{Name: "fischer random", Variant: "960"}, {Name: "fischerandom chess", Variant: "960"}, {Name: "fischer random chess", Variant: "960"},
		{Name: "chess 960", Variant: "960"}, {Name: "freestyle chess", Variant: "960"},
	},
	Variants: []game.VariantInfo{
		{Name: "960", Summary: "the pieces begin in any of 960 orders, and kings castle from wherever they stand: Chess960, Fischer Random"},
		{Name: "losalamos", Summary: "six by six squares, no bishops, no castling, no double steps: the game of the first program, 1956"},
	},
	Symmetries:  []game.Symmetry{{}, {Board: board.Flip, Swap: true}},
	Clocks:      true,
	Pairs:       true,
	Extra:       []string{"castling", "passing"},
	NamesPieces: true,
}

// Info returns the facts about the game.
func (r *Rules) Info() *game.Info { return &r.info }

// Geometry returns what the board looks like.
func (r *Rules) Geometry() *board.Geometry { return r.geo }

// Variant returns chess, Chess960 or the chess of Los Alamos.
func (r *Rules) Variant(spec string) (game.Rules, error) {
	switch strings.ToLower(strings.TrimSpace(spec)) {
	case "":
		return r, nil
	case "standard", "8x8":
		return Standard, nil
	case "960", "chess960", "shuffled":
		return Shuffled, nil
	case "losalamos", "los-alamos", "6x6":
		return LosAlamos, nil
	}
	return nil, fmt.Errorf("chess: no variant %q: write 960 or losalamos", spec)
}

// mayBecome reports whether a pawn may become a kind of piece.
func (r *Rules) mayBecome(k kind) bool { return slices.Contains(r.becomes, k) }

// Start returns a new position at the start of the game.
func (r *Rules) Start() game.Position {
	s, err := game.ParseSetup(r, r.start)
	if err != nil {
		panic(err)
	}
	p, err := r.arrange(s)
	if err != nil {
		panic(err)
	}
	return p
}

// Arrange returns a new position. It refuses what cannot be:
//
//   - a side without exactly one king, with more than 16 pieces or 8 pawns
//   - a pawn on the first or last rank, bishops on a board that has none
//   - kings beside each other, or a king in check that is not to move
//   - a right to castle without king and rook on their squares, a pawn taken in
//     passing that has not just made two steps
//
// Three queens are no fault: pawns become them.
func (r *Rules) Arrange(s game.Setup) (game.Position, error) {
	p, err := r.arrange(s)
	if err != nil {
		return nil, err
	}
	return p, nil
}

func (r *Rules) arrange(s game.Setup) (*Position, error) {
	attack.Fill()
	if err := s.Check(r); err != nil {
		return nil, err
	}
	if s.Quiet < 0 || s.Quiet > 1<<20 {
		return nil, fmt.Errorf("chess: %d plies without a capture or a move of a pawn", s.Quiet)
	}
	p := &Position{rules: r, ways: &usualWays, state: state{turn: s.Turn, quiet: int32(s.Quiet), passed: attack.None, hash: r.geo.Size.Key()}}
	p.start.number, p.start.turn = max(s.Number, 1), s.Turn
	for i := range s.Board.Of {
		piece := board.Piece(i + 1)
		for point := range s.Board.Of[i].Points() {
			q := r.squareOf[point]
			p.put(q, piece)
			p.hash ^= r.keys[piece][q]
		}
	}
	if err := p.check(); err != nil {
		return nil, err
	}
	if err := p.noteExtra(s.Extra); err != nil {
		return nil, err
	}
	p.hash ^= p.ways.keys[p.rights] ^ passedKeys[p.passed]
	return p, nil
}

// check refuses pieces that cannot stand so.
func (p *Position) check() error {
	r := p.rules
	ends := r.last[0] | r.last[1]
	for side := range p.of {
		of, name := &p.of[side], info.Sides[side].Name
		switch {
		case of[king].Count() != 1:
			return fmt.Errorf("chess: %s has %d kings, want 1", name, of[king].Count())
		case of[pawn].Count() > r.geo.Size.W:
			return fmt.Errorf("chess: %s has %d pawns, want at most %d", name, of[pawn].Count(), r.geo.Size.W)
		case p.own[side].Count() > 2*r.geo.Size.W:
			return fmt.Errorf("chess: %s has %d pieces, want at most %d", name, p.own[side].Count(), 2*r.geo.Size.W)
		case of[pawn]&ends != 0:
			return fmt.Errorf("chess: a pawn cannot stand on %s", r.name((of[pawn] & ends).First()))
		case of[bishop] != 0 && !r.mayBecome(bishop):
			return fmt.Errorf("chess: there are no bishops in this game, but one stands on %s", r.name(of[bishop].First()))
		}
	}
	a, b := p.of[0][king].First(), p.of[1][king].First()
	if attack.Leaps[attack.OfKing][a].Has(b) {
		return fmt.Errorf("chess: the kings stand beside each other, on %s and %s", r.name(a), r.name(b))
	}
	them := p.turn ^ 1
	if k := p.of[them][king].First(); p.attackers(p.turn, k, p.occupied()) != 0 {
		return fmt.Errorf("chess: the king of %s on %s is in check, but %s is to move", info.Sides[them].Name, r.name(k), info.Sides[p.turn].Name)
	}
	return nil
}

// noteExtra reads the rights to castle and the pawn that may be taken in passing.
func (p *Position) noteExtra(text string) error {
	for field := range strings.FieldsSeq(text) {
		name, value, _ := strings.Cut(field, "=")
		switch {
		case name == "castling" && p.rules.castles:
			if err := p.noteRights(value); err != nil {
				return err
			}
		case name == "passing" && p.rules.double[0] != 0:
			point, ok := p.rules.geo.Point(value)
			if !ok {
				return fmt.Errorf("chess: %q is no square behind a pawn", value)
			}
			s, them := p.rules.squareOf[point], p.turn^1
			forward := square(8)
			if them == Black {
				forward = ^square(7) // eight back
			}
			if !p.rules.double[them].Has(s) || !p.of[them][pawn].Has(s+forward) || p.occupied()&(s.Bit()|(s-forward).Bit()) != 0 {
				return fmt.Errorf("chess: no pawn has just come over %s", value)
			}
			if p.passed = s; !p.passable() {
				p.passed = attack.None
			}
		default:
			return fmt.Errorf("chess: unknown field %q in position text", field)
		}
	}
	return nil
}

// TransformExtra exchanges the sides of rights and of passing.
func (r *Rules) TransformExtra(extra string, sym game.Symmetry) string {
	if !sym.Swap {
		return extra
	}
	fields := strings.Fields(extra)
	for i, f := range fields {
		name, value, _ := strings.Cut(f, "=")
		if name == "castling" {
			n := strings.IndexFunc(value, func(c rune) bool { return c >= 'a' })
			if n < 0 {
				n = len(value)
			}
			value = strings.ToUpper(value[n:]) + strings.ToLower(value[:n])
		} else if strings.HasSuffix(value, "3") {
			value = value[:1] + "6"
		} else {
			value = value[:1] + "3"
		}
		fields[i] = name + "=" + value
	}
	return strings.Join(fields, " ")
}

// name returns a square as it is written.
func (r *Rules) name(s square) string {
	return string([]byte{'a' + byte(s.File()), '1' + byte(s.Rank())})
}
