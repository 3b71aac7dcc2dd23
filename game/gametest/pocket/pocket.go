// Package pocket is a small game of pawns with pieces in hand. Each side has four
// pawns, White below. A pawn steps forward and takes diagonally forward; on the
// last row it becomes a rook, which steps and takes one point straight, or a
// bishop, which does so diagonally. What is taken goes into the pocket of the
// taker, and may be dropped on a free point instead of a move, pawns not on the
// last row. Who cannot move has lost; the third time that a position comes, the
// game is drawn.
//
// It is a game for tests alone: moves name pieces, positions carry hands, and
// White begins. The product does not import it.
package pocket

import (
	"fmt"
	"slices"
	"strings"

	"qipu/board"
	"qipu/game"
)

const (
	width  = 4
	height = 5
	kinds  = 3 // of pieces a side: pawn, rook, bishop
)

// The pieces of the first side, by which moves name them.
const (
	Pawn board.Piece = 1 + iota
	Rook
	Bishop
)

// letters are those of the pieces, White's in upper case.
const letters = "PRB"

// Rules is the game; the zero value is ready to use.
type Rules struct{}

// change is what a move changes besides the board.
type change struct {
	turn game.Side
	hand [2][kinds]uint8
}

// step is a move that was made.
type step struct {
	change // before it
	move   game.Move
	mover  board.Piece // what moved; Empty for a drop
	taken  board.Piece
	hash   uint64 // of the position before it
}

// Position is a moment of a game.
type Position struct {
	change
	planes  board.Planes
	history []step
}

var (
	_ game.Rules            = Rules{}
	_ game.ExtraTransformer = Rules{}
	_ game.Position         = (*Position)(nil)
	_ game.Planar           = (*Position)(nil)
	_ game.Noted            = (*Position)(nil)
	_ game.Copier           = (*Position)(nil)
)

var (
	errPiece error = game.Illegal("the piece does not move so")
	errHand  error = game.Illegal("there is no such piece in hand")
	errName  error = game.Illegal("a pawn becomes a rook or a bishop on the last row, and nowhere else")
)

var info = game.Info{
	Name:    "pocket",
	Titles:  board.Names{En: "Pocket Pawns", Hant: "袋兵棋", Hans: "袋兵棋", Ja: "ポケットポーン", Ko: "포켓 폰"},
	Aliases: []string{"pawns"},
	Sides: []game.SideInfo{
		{Name: "white", Titles: board.Names{En: "White", Hant: "白方", Hans: "白方", Ja: "白", Ko: "백"}, Letters: "wW"},
		{Name: "black", Titles: board.Names{En: "Black", Hant: "黑方", Hans: "黑方", Ja: "黒", Ko: "흑"}, Letters: "bB"},
	},
	Notations: []game.NotationInfo{{Name: "coordinate", Summary: "from, to and what the pawn becomes: a4a5R; a drop: P@b3"}},
	Symmetries: []game.Symmetry{
		{}, {Board: board.Mirror}, {Board: board.Flip, Swap: true}, {Board: board.HalfTurn, Swap: true},
	},
	Extra:       []string{"hand"},
	NamesPieces: true,
}

var geometry = makeGeometry()

func makeGeometry() board.Geometry {
	size := board.Size{W: width, H: height}
	g := board.Geometry{
		Size: size, Cells: true, Lines: board.Grid(size, true),
		Labels: board.Labels{Top: board.Letters(width, 'a', ""), Left: []string{"5", "4", "3", "2", "1"}},
		Theme:  board.Theme{Board: "#e8d3ab", Line: "#8a6a3a", Mark: "#2a6a4a"},
	}
	names := [kinds]board.Names{
		{En: "pawn", Hant: "兵", Hans: "兵", Ja: "ポーン", Ko: "폰"},
		{En: "rook", Hant: "車", Hans: "车", Ja: "ルーク", Ko: "룩"},
		{En: "bishop", Hant: "象", Hans: "象", Ja: "ビショップ", Ko: "비숍"},
	}
	symbols, glyphs := [2]string{"♙♖♗", "♟♜♝"}, []rune("兵車象")
	for side := range 2 {
		for i, n := range names {
			look := board.Look{
				Names: n, Owner: side, Swap: board.Piece((1-side)*kinds + i + 1), Letters: letters[i : i+1],
				Symbol: string([]rune(symbols[side])[i]), Glyph: string(glyphs[i]), Fill: "#ffffff", Edge: "#333333", Ink: "#111111",
			}
			if side == 1 {
				look.Letters, look.Fill, look.Ink = strings.ToLower(look.Letters), "#333333", "#ffffff"
			}
			g.Pieces = append(g.Pieces, look)
		}
	}
	return g
}

// Info returns the facts about the game.
func (Rules) Info() *game.Info { return &info }

// Geometry returns what the board looks like.
func (Rules) Geometry() *board.Geometry { return &geometry }

// Start returns two rows of pawns.
func (r Rules) Start() game.Position {
	s := game.NewSetup(r)
	for x := range width {
		s.Board.Put(board.At(x, height-1), Pawn)
		s.Board.Put(board.At(x, 0), Pawn+kinds)
	}
	p, _ := r.Arrange(s)
	return p
}

// Arrange refuses pawns on their last row, and pieces in hand that are none.
func (r Rules) Arrange(s game.Setup) (game.Position, error) {
	if err := s.Check(r); err != nil {
		return nil, err
	}
	p := &Position{change: change{turn: s.Turn}, planes: *s.Board.Clone()}
	for x := range width {
		for side := range game.Side(2) {
			if p.planes.At(board.At(x, last(side))) == own(side, Pawn) {
				return nil, fmt.Errorf("pocket: a pawn on its last row is no pawn any more")
			}
		}
	}
	for _, c := range strings.TrimPrefix(s.Extra, "hand=") {
		i := strings.IndexRune(letters+strings.ToLower(letters), c)
		if i < 0 || p.hand[i/kinds][i%kinds] > 2*width {
			return nil, fmt.Errorf("pocket: %q cannot be in hand", c)
		}
		p.hand[i/kinds][i%kinds]++
	}
	if have := p.handText(); have != s.Extra {
		return nil, fmt.Errorf("pocket: write the pieces in hand as %s", have)
	}
	return p, nil
}

// handText returns the hands as Setup.Extra has them: "hand=PPRb", nothing where
// both are empty.
func (p *Position) handText() string {
	text := ""
	for side := range p.hand {
		for i, n := range p.hand[side] {
			text += strings.Repeat(geometry.Pieces[side*kinds+i].Letters, int(n))
		}
	}
	if text != "" {
		text = "hand=" + text
	}
	return text
}

// TransformExtra gives each side the hand of the other where sides are
// exchanged.
func (Rules) TransformExtra(extra string, sym game.Symmetry) string {
	name, list, _ := strings.Cut(extra, "=")
	if !sym.Swap || list == "" {
		return extra
	}
	n := strings.IndexFunc(list, func(c rune) bool { return c >= 'a' })
	if n < 0 {
		n = len(list)
	}
	return name + "=" + strings.ToUpper(list[n:]) + strings.ToLower(list[:n])
}

// ParseMove reads a4a5R or P@b3.
func (r Rules) ParseMove(p game.Position, text string, _ game.Notation) (game.Move, error) {
	m, ok := r.read(text)
	if !ok {
		return game.NoMove, game.ErrSyntax
	}
	_, err := p.(*Position).check(m)
	return m, err
}

func (Rules) read(text string) (game.Move, bool) {
	if len(text) == 4 && text[1] == '@' {
		to, ok := geometry.Point(text[2:])
		piece := strings.IndexByte(letters, text[0])
		return game.Drop(to).Naming(board.Piece(piece + 1)), ok && piece >= 0
	}
	if len(text) != 4 && len(text) != 5 {
		return game.NoMove, false
	}
	from, ok1 := geometry.Point(text[:2])
	to, ok2 := geometry.Point(text[2:4])
	piece := 0
	if len(text) == 5 {
		piece = 1 + strings.IndexByte(letters, text[4])
		ok2 = ok2 && piece > 0
	}
	return game.Step(from, to).Naming(board.Piece(piece)), ok1 && ok2
}

// AppendMove appends a4a5R or P@b3.
func (Rules) AppendMove(dst []byte, _ game.Position, m game.Move, _ game.Notation) []byte {
	if m.From() == board.NoPoint {
		return append(append(dst, letters[m.Piece()-1], '@'), geometry.Name(m.To())...)
	}
	dst = append(append(dst, geometry.Name(m.From())...), geometry.Name(m.To())...)
	if m.Piece() != board.Empty {
		dst = append(dst, letters[m.Piece()-1])
	}
	return dst
}

// own returns a piece as a side has it, from how the first side has it.
func own(side game.Side, p board.Piece) board.Piece { return p + kinds*board.Piece(side) }

// last returns the row on which pawns of a side become others.
func last(side game.Side) int { return int(side) * (height - 1) }

// Turn returns the side to move.
func (p *Position) Turn() game.Side { return p.turn }

// Planes returns the board.
func (p *Position) Planes() *board.Planes { return &p.planes }

// Copy returns the position with its history.
func (p *Position) Copy() game.Position {
	return &Position{change: p.change, planes: *p.planes.Clone(), history: slices.Clone(p.history)}
}

// Note writes the hands down.
func (p *Position) Note(s *game.Setup) { s.Extra = p.handText() }

// AppendMoves tries the points around each piece, and all points for those in
// hand.
func (p *Position) AppendMoves(dst []game.Move) []game.Move {
	add := func(m game.Move) {
		if _, err := p.check(m); err == nil {
			dst = append(dst, m)
		}
	}
	for from := range geometry.Size.Points() {
		if side, _, ok := p.at(from); ok && side == p.turn {
			for _, d := range [8]int{-board.Stride - 1, -board.Stride, -board.Stride + 1, -1, 1, board.Stride - 1, board.Stride, board.Stride + 1} {
				if to := board.Point(int(from) + d); geometry.Size.Has(to) {
					add(game.Step(from, to))
					add(game.Step(from, to).Naming(Rook))
					add(game.Step(from, to).Naming(Bishop))
				}
			}
		}
	}
	for i, n := range p.hand[p.turn] {
		for to := range geometry.Size.Points() {
			if n > 0 {
				add(game.Drop(to).Naming(board.Piece(i + 1)))
			}
		}
	}
	return dst
}

// at returns what stands on a point, as the first side has it, and whose it is.
func (p *Position) at(q board.Point) (side game.Side, piece board.Piece, ok bool) {
	if !geometry.Size.Has(q) {
		return 0, 0, false
	}
	switch piece = p.planes.At(q); {
	case piece == board.Empty:
		return 0, 0, false
	case piece > kinds:
		return game.Second, piece - kinds, true
	}
	return game.First, piece, true
}

// check returns why a move cannot be made, or what moves: Empty for a drop.
func (p *Position) check(m game.Move) (board.Piece, error) {
	from, to, named := m.From(), m.To(), m.Piece()
	if to == board.NoPoint || !geometry.Size.Has(to) || m != game.Drop(to).Naming(named) && m != game.Step(from, to).Naming(named) {
		return 0, game.ErrOffBoard
	}
	owner, _, taken := p.at(to)
	if from == board.NoPoint {
		switch {
		case named < Pawn || named > Bishop || p.hand[p.turn][named-1] == 0:
			return 0, errHand
		case taken:
			return 0, game.ErrOccupied
		case named == Pawn && to.Y() == last(p.turn):
			return 0, errName
		}
		return 0, nil
	}
	side, piece, ok := p.at(from)
	dx, dy := to.X()-from.X(), to.Y()-from.Y()
	straight := dx*dx+dy*dy == 1
	switch {
	case !ok || side != p.turn || taken && owner == side || dx*dx > 1 || dy*dy > 1 || from == to:
		return 0, errPiece
	case piece == Pawn && (dy != 2*int(side)-1 || straight == taken):
		return 0, errPiece
	case piece == Rook && !straight || piece == Bishop && straight:
		return 0, errPiece
	case piece == Pawn && to.Y() == last(side):
		if named != Rook && named != Bishop {
			return 0, errName
		}
	case named != board.Empty:
		return 0, errName
	}
	return piece, nil
}

// Play makes a move.
func (p *Position) Play(m game.Move) error {
	mover, err := p.check(m)
	if err != nil {
		return err
	}
	_, taken, _ := p.at(m.To())
	p.history = append(p.history, step{p.change, m, mover, taken, p.Hash()})
	switch mover {
	case board.Empty:
		p.hand[p.turn][m.Piece()-1]--
		p.planes.Put(m.To(), own(p.turn, m.Piece()))
	default:
		if m.Piece() != board.Empty {
			mover = m.Piece()
		}
		p.planes.Put(m.From(), board.Empty)
		p.planes.Put(m.To(), own(p.turn, mover))
	}
	if taken != board.Empty {
		p.hand[p.turn][taken-1]++
	}
	p.turn = p.turn.Opponent()
	return nil
}

// Undo takes the last move back.
func (p *Position) Undo() {
	s := &p.history[len(p.history)-1]
	p.change = s.change
	p.planes.Put(s.move.To(), board.Empty)
	if s.taken != board.Empty {
		p.planes.Put(s.move.To(), own(p.turn.Opponent(), s.taken))
	}
	if s.mover != board.Empty {
		p.planes.Put(s.move.From(), own(p.turn, s.mover))
	}
	p.history = p.history[:len(p.history)-1]
}

// Outcome tells whether the side to move can, and whether the position has come
// for the third time.
func (p *Position) Outcome() game.Outcome {
	var room [128]game.Move
	if len(p.AppendMoves(room[:0])) == 0 {
		return game.Outcome{State: game.Won, Winner: p.turn.Opponent(), Reason: game.ByStalemate}
	}
	times, now := 1, p.Hash()
	for i := range p.history {
		if p.history[i].hash == now {
			times++
		}
	}
	if times >= 3 {
		return game.Outcome{State: game.Drawn, Reason: game.ByRepetition, Claim: true}
	}
	return game.Outcome{}
}

// Hash returns a key of the position.
func (p *Position) Hash() uint64 {
	h := p.planes.Hash() ^ board.Mix(uint64(p.turn)<<32)
	for side := range p.hand {
		for i, n := range p.hand[side] {
			h ^= board.Mix(uint64(side)<<16 | uint64(i)<<8 | uint64(n) | 1<<40)
		}
	}
	return h
}
