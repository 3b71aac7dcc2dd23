package record

import (
	"errors"
	"fmt"

	"qipu/board"
	"qipu/game"
)

// Played is a record whose main line has been resolved and checked against the
// rules, once for everybody.
type Played struct {
	Game  *Game
	Rules game.Rules
	Start game.Setup // the position before the first step

	// Steps are the moves of the main line as far as they could be played. A
	// move that the rules refuse but the board can take (a ko taken back at
	// once, one colour twice) is played all the same, and marked.
	Steps []Step
	Marks []Mark

	// Unplayed is the number of moves of the main line behind the last step:
	// the board could not take the next one. Marks tells why.
	Unplayed int

	Outcome game.Outcome // of the last position, by the rules
	Hash    uint64       // of the last position
}

// Step is one change of the board.
type Step struct {
	Node int32     // index in Game.Nodes
	Move game.Move // NoMove for a set-up in the middle of the game
	Side game.Side // who moved
}

// Mark is a move of the main line that breaks the rules.
type Mark struct {
	Step   int // index in Steps; len(Steps) where it could not be played at all
	Number int // number of the move, from 1
	Reason string
}

// Legal reports whether every move of the main line keeps the rules.
func (p *Played) Legal() bool { return len(p.Marks) == 0 && p.Unplayed == 0 }

// Coordinates is a game.Rules whose moves can be read without a position. It
// saves checking every move twice: Position.Play checks it anyway.
type Coordinates interface {
	// Coordinates returns the move that a text means, legal or not; ok is false
	// where the text is no move in that notation.
	Coordinates(text string, n game.Notation) (m game.Move, ok bool)
}

// Forcer is a game.Position that can take moves against the rules, as real
// records have them: either colour, an early ko capture, a suicide. What Force
// did, Undo takes back.
type Forcer interface {
	Force(side game.Side, m game.Move) error
}

// Player plays records of one kind of game. It keeps a position and buffers
// between records and is not safe for concurrent use.
type Player struct {
	rules  game.Rules
	coords Coordinates // nil where the game has none
	start  game.Position
	buf    []game.Move
}

// NewPlayer returns a player for records of these rules.
func NewPlayer(r game.Rules) *Player {
	c, _ := r.(Coordinates)
	return &Player{rules: r, coords: c}
}

// Play resolves and checks the main line of a record.
func Play(r game.Rules, g *Game) (*Played, error) { return NewPlayer(r).Play(g) }

// Play resolves and checks the main line of a record. An error means that not
// even the start position could be set up; it is among the faults of the game
// too. Every mark becomes a fault of the game.
func (p *Player) Play(g *Game) (*Played, error) {
	return nil, errors.Join(fmt.Errorf("record: not yet"), nil)
}

var _ = board.NoPoint
