package index

import (
	"fmt"
	"strings"
	"sync"

	"qipu/board"
	"qipu/game"
	"qipu/interval"
	"qipu/pattern"
)

// Kind is a game on one size of board: what lines must share to lie in one
// table. It is immutable and safe for concurrent use.
type Kind struct {
	Name  string // "weiqi 19x19"
	Rules game.Rules
	Board pattern.Board

	// Owners are the sides of the pieces, Owners[p-1] of piece p.
	Owners []uint8

	// Moving tells that pieces move from point to point.
	Moving bool

	// MaxPieces is how many pieces a position may have to be found by its hash;
	// 0 for any number. Fuller positions of large boards are nearly all
	// different, and are found by their points instead.
	MaxPieces int

	names  []board.Piece // that moves may name; nil where they name none
	images []image
	keys   []uint64 // point, piece, image: the hash key of the piece in that picture
	start  []image  // the images that a line of moves may be seen in
}

// image is one picture of the board under a symmetry.
type image struct {
	sym   game.Symmetry
	point []uint16 // where each point goes, by dense index
}

// largeBoard is the number of points from which on MaxPieces holds.
const (
	largeBoard     = 128
	largeMaxPieces = 40
)

// NewKind returns the kind of a game's rules.
func NewKind(r game.Rules) *Kind {
	k := &Kind{Rules: r, Board: pattern.BoardOf(r)}
	k.Name = fmt.Sprintf("%s %v", r.Info().Name, k.Board.Size)
	for i, look := range r.Geometry().Pieces {
		k.Owners = append(k.Owners, uint8(look.Owner))
		if look.Owner == int(game.First) && r.Info().NamesPieces {
			k.names = append(k.names, board.Piece(i+1))
		}
	}
	if moves := r.Start().AppendMoves(nil); len(moves) > 0 {
		k.Moving = moves[0].From() != board.NoPoint
	}
	size := k.Board.Size
	if size.Area() > largeBoard {
		k.MaxPieces = largeMaxPieces
	}
	for _, sym := range k.Board.Images() {
		im := image{sym: sym, point: make([]uint16, size.Area())}
		for p := range size.Points() {
			im.point[size.Index(p)] = uint16(size.Index(sym.Board.Apply(size, p)))
		}
		k.images = append(k.images, im)
	}
	kinds := k.Board.Kinds
	k.keys = make([]uint64, size.Area()*kinds*len(k.images))
	for i, im := range k.images {
		for p := range size.Points() {
			for piece := 1; piece <= kinds; piece++ {
				to := board.Piece(piece)
				if im.sym.Swap {
					to = k.Board.Swap[piece-1]
				}
				at := (size.Index(p)*kinds + piece - 1) * len(k.images)
				k.keys[at+i] = board.Zobrist(to, im.sym.Board.Apply(size, p))
			}
		}
	}
	for _, im := range k.images {
		if !im.sym.Swap {
			k.start = append(k.start, im)
		}
	}
	return k
}

// NamesPieces reports whether moves name pieces: Named tells which.
func (k *Kind) NamesPieces() bool { return k.names != nil }

// Named returns the piece that a move named, by what was there before it, on
// the point that it came from, and what is there now, on the point that it went
// to: Empty where the piece is the same.
func (k *Kind) Named(was, is board.Piece) board.Piece {
	if k.names == nil || is == was || is == board.Empty {
		return board.Empty
	}
	if k.Owners[is-1] != uint8(game.First) {
		is = k.Board.Swap[is-1]
	}
	return is
}

// key returns the hash keys of a piece on a point, one for each image.
func (k *Kind) key(point uint16, piece board.Piece) []uint64 {
	n := len(k.images)
	at := (int(point)*k.Board.Kinds + int(piece) - 1) * n
	return k.keys[at : at+n]
}

// Canonical returns the hash of a board that is the same for all its pictures,
// and the number of the picture that has it.
func (k *Kind) Canonical(b *board.Planes) (key uint64, img int) {
	hashes := make([]uint64, len(k.images))
	for i := range b.Of {
		for p := range b.Of[i].Points() {
			for j, h := range k.key(uint16(k.Board.Size.Index(p)), board.Piece(i+1)) {
				hashes[j] ^= h
			}
		}
	}
	return least(hashes)
}

// least returns the smallest hash and the first picture that has it. Looking for
// the value first and for its place afterwards needs no branch that cannot be
// foretold.
func least(hashes []uint64) (key uint64, img int) {
	key = hashes[0]
	for _, h := range hashes[1:] {
		key = min(key, h)
	}
	for hashes[img] != key {
		img++
	}
	return key, img
}

// NewBuilder returns a builder of blocks of lines of the kind.
func (k *Kind) NewBuilder() *interval.Builder {
	return interval.NewBuilder(k.Board.Size.Area(), k.Owners, k.Moving)
}

// Image returns the symmetry of a picture that Canonical names.
func (k *Kind) Image(i int) game.Symmetry { return k.images[i].sym }

// Images returns the number of pictures.
func (k *Kind) Images() int { return len(k.images) }

// Kinds finds kinds by name and remembers them. It is safe for concurrent use.
type Kinds struct {
	games game.Catalog
	mu    sync.Mutex
	known map[string]*Kind
}

// NewKinds returns the kinds of these games.
func NewKinds(games game.Catalog) *Kinds {
	return &Kinds{games: games, known: map[string]*Kind{}}
}

// Of returns the kind of a game's rules. Rule sets do not matter: games on the
// same board are of one kind.
func (s *Kinds) Of(r game.Rules) *Kind {
	name := fmt.Sprintf("%s %v", r.Info().Name, r.Geometry().Size)
	s.mu.Lock()
	defer s.mu.Unlock()
	k := s.known[name]
	if k == nil {
		k = NewKind(r)
		s.known[name] = k
	}
	return k
}

// Find returns the kind of a name such as "weiqi 19x19".
func (s *Kinds) Find(name string) (*Kind, error) {
	s.mu.Lock()
	k := s.known[name]
	s.mu.Unlock()
	if k != nil {
		return k, nil
	}
	title, size, _ := strings.Cut(name, " ")
	for _, spec := range []string{title, title + ":" + size} {
		r, err := s.games.Find(spec)
		if err == nil && r.Geometry().Size.String() == size {
			return s.Of(r), nil
		}
	}
	return nil, fmt.Errorf("index: no game is of the kind %q", name)
}
