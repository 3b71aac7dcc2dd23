package pattern

import (
	"errors"

	"qipu/board"
	"qipu/game"
)

// View is a position as matchers see it.
type View struct {
	Planes *board.Planes
	Turn   game.Side

	// Moves are those that led here, the first one first; nil where they are not
	// known. Usual tells that the first one was played from the usual start.
	Moves []Played
	Usual bool

	// Facts are what the game can tell of the position beyond its pieces. What it
	// offers is found by type assertion; nil is nothing.
	Facts any
}

// Played is a move with what it did.
type Played struct {
	From, To board.Point
	Piece    board.Piece // that moved
	Taken    board.Piece // Empty for none
}

// Role is a piece that plays a part in a pattern.
type Role struct {
	Name  string
	Piece board.Piece
	At    board.Point
}

// Match is a pattern that stands on a board.
type Match struct {
	ID    string    // of the pattern
	Side  game.Side // whose it is
	Roles []Role    // in the order of the pattern
}

// Matcher knows patterns and finds them on boards. It is safe for concurrent use.
type Matcher interface {
	// AppendMatches appends what stands on a board, in the order of the patterns,
	// each at most once for each side, and returns dst.
	AppendMatches(dst []Match, v *View) []Match
}

// Replay returns the view of a position after moves, which are played on it. Usual
// tells that the position is the usual start. The view shows the position, and is
// valid as long as that stays as it is. Where a move is refused, those before it are
// taken back.
func Replay(p game.Position, moves []game.Move, usual bool) (*View, error) {
	v := &View{Usual: usual, Facts: p}
	planar, ok := p.(game.Planar)
	if !ok {
		return nil, ErrNoBoard
	}
	for _, m := range moves {
		b := planar.Planes()
		mv := Played{From: m.From(), To: m.To()}
		if mv.From != board.NoPoint {
			mv.Piece = b.At(mv.From)
		}
		if mv.To != board.NoPoint {
			mv.Taken = b.At(mv.To)
		}
		if err := p.Play(m); err != nil {
			for range v.Moves {
				p.Undo()
			}
			return nil, err
		}
		v.Moves = append(v.Moves, mv)
	}
	v.Planes, v.Turn = planar.Planes(), p.Turn()
	return v, nil
}

// ErrNoBoard tells that a game has no boards that could be looked at or looked
// for: its positions are no pieces on points.
var ErrNoBoard = errors.New("positions of this game are no pieces on points: nothing can be looked for on them")

// FromPosition returns the pattern of a whole position; see FromBoard.
func FromPosition(p game.Position) (*Pattern, error) {
	planes, _ := game.Shown(p)
	if planes == nil {
		return nil, ErrNoBoard
	}
	return FromBoard(planes), nil
}
