package record

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"qipu/board"
	"qipu/game"
)

// Played is a record whose main line has been resolved and checked against the
// rules, once for everybody.
type Played struct {
	Game  *Game
	Rules game.Rules // nil where it is not known which game the record is of
	Start game.Setup // the position before the first step; shared, not to be changed

	// Steps are the moves of the main line as far as they could be played. A
	// move that the rules refuse but the board can take (a ko taken back at
	// once, one colour twice) is played all the same, and marked. Forced passes
	// that the record leaves out are put in.
	Steps []Step
	Marks []Violation

	// Unplayed is the number of moves of the main line behind the last step:
	// the board could not take the next one. Marks tells why.
	Unplayed int

	Outcome game.Outcome // of the last position, by the rules
	Hash    uint64       // of the last position
	Turn    game.Side    // the side to move in the last position

	// Changes are all that happened on the board, in the order of the steps,
	// where Referee.Trace asks for them.
	Changes []Change
}

// Step is one change of the board.
type Step struct {
	Node int32     // index in Game.Nodes
	Move game.Move // NoMove for a set-up in the middle of the game
	Side game.Side // who moved
	Turn game.Side // who is to move behind it
}

// Violation is a move of the main line that breaks the rules.
type Violation struct {
	Step   int // index in Steps; len(Steps) where it could not be played at all
	Number int // number of the move, from 1
	Reason string
}

// Legal reports whether every move of the main line keeps the rules.
func (p *Played) Legal() bool {
	return p.Start.Board != nil && len(p.Marks) == 0 && p.Unplayed == 0
}

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

// Play resolves and checks the main line of a record. Every mark becomes a
// fault of the game. Where not even the start position can be set up, that is
// a fault too, nothing is played, and Start has no board.
func Play(r game.Rules, g *Game) *Played { return newBoardman(r, g).run() }

func (b *boardman) run() *Played {
	g := b.game
	if err := b.setUp(); err != nil {
		g.Fault(Marked, KindSetup, 0, "%s", reason(err))
		b.played.Unplayed = g.Moves()
		return b.played
	}
	b.played.Steps = make([]Step, 0, len(g.Nodes))
	if b.trace != nil {
		b.trace.begin(b.pos)
	}
	for i, n := range g.Main() {
		if i != 0 && n.resets() && !b.rearrange(i, n) {
			b.stop(i)
			break
		}
		if n.Move != "" && !b.play(i, n) {
			b.stop(i)
			break
		}
	}
	if more := b.said - maxMarkFaults; more > 0 {
		g.Fault(Marked, KindIllegal, b.number, "%d more moves break the rules", more)
	}
	b.played.Outcome = b.pos.Outcome()
	b.played.Hash = b.pos.Hash()
	b.played.Turn = b.pos.Turn()
	if b.trace != nil {
		b.played.Changes = slices.Clone(b.trace.changes)
	}
	return b.played
}

// boardman plays one record out on a board.
type boardman struct {
	rules    game.Rules
	notation game.Notation
	coords   Coordinates // nil where the game has none
	game     *Game
	pos      game.Position
	played   *Played
	number   int  // moves so far, as the record counts them
	free     int  // moves of the first side that place a handicap
	over     bool // play behind the end of the game was reported
	said     int  // marks that were worth a fault
	looked   bool // ahead was looked up since the last move
	ahead    Side // see nextSide
	before   visitor
	kept     *keptStart // the usual start, shared by many records; may be nil
	trace    *tracer    // nil where nobody asks for changes
}

// keptStart is the usual start of a game, kept from record to record: making
// one anew costs more than taking a game back.
type keptStart struct {
	pos   game.Position
	setup game.Setup // shared by all records played from it, never changed
	hash  uint64
}

func keep(r game.Rules) *keptStart {
	pos := r.Start()
	return &keptStart{pos: pos, setup: game.SetupOf(pos), hash: pos.Hash()}
}

// takeBack returns the kept position to the start after a record, and reports
// whether it is fit for another one.
func (k *keptStart) takeBack(b *boardman) bool {
	if b.pos == k.pos {
		for range b.played.Steps {
			k.pos.Undo()
		}
	}
	return k.pos.Hash() == k.hash
}

func newBoardman(r game.Rules, g *Game) *boardman {
	b := &boardman{rules: r, notation: game.Notation(g.Notation), game: g, played: &Played{Game: g, Rules: r}}
	b.coords, _ = r.(Coordinates)
	return b
}

// setUp makes the start position: the usual one, the one in Start, or the one
// that the root sets up point by point.
func (b *boardman) setUp() error {
	g := b.game
	if len(g.Nodes) == 0 {
		return errors.New("record: a game without a root")
	}
	root := &g.Nodes[0]
	edited := root.Extra != nil && (len(root.Setup) > 0 || root.Turn != Unstated)
	if g.Start == "" && !edited && b.nextSide(0) != Second {
		if b.kept == nil {
			b.kept = keep(b.rules)
		}
		b.pos = b.kept.pos
		b.played.Start = b.kept.setup
		b.free = b.placement()
		return nil
	}
	s := game.SetupOf(b.rules.Start())
	if g.Start != "" {
		var err error
		if s, err = game.ParseSetup(b.rules, g.Start); err != nil {
			return err
		}
	} else if b.nextSide(0) == Second && (edited || g.Facts.Handicap > 1) {
		s.Turn = game.Second
	}
	if edited {
		if err := b.edit(&s, root.Extra); err != nil {
			return err
		}
	}
	var err error
	if b.pos, err = b.rules.Arrange(s); err != nil {
		return err
	}
	b.played.Start = s
	return nil
}

// nextSide returns the side that the record gives to the next move, at node i
// or behind it. Nodes come in order, so that it is looked for once between moves.
func (b *boardman) nextSide(i int32) Side {
	n := &b.game.Nodes[i]
	if n.Move != "" {
		return n.Side // and behind it another may be next
	}
	if b.looked {
		return b.ahead
	}
	for n.Move == "" && n.Child != 0 {
		n = &b.game.Nodes[n.Child]
	}
	b.looked, b.ahead = true, Unstated
	if n.Move != "" {
		b.ahead = n.Side
	}
	return b.ahead
}

// placement returns how many moves at the beginning place handicap stones: as
// many as the headers say, if all of them are of the first side.
func (b *boardman) placement() int {
	want, n := b.game.Facts.Handicap, 0
	if want < 2 {
		return 0
	}
	for _, node := range b.game.Main() {
		if node.Move == "" {
			continue
		}
		if node.Side != First {
			break
		}
		n++
	}
	if n != want {
		return 0
	}
	return n
}

// edit applies the set-up of a node.
func (b *boardman) edit(s *game.Setup, x *Extra) error {
	for _, put := range x.Setup {
		m, ok := game.NoMove, false
		if b.coords != nil {
			m, ok = b.coords.Coordinates(put.Point, b.notation)
		}
		if !ok || m.To() == board.NoPoint || !s.Board.Size.Has(m.To()) {
			return fmt.Errorf("set-up on %q: no point of this board", put.Point)
		}
		if int(put.Piece) > len(s.Board.Of) {
			return fmt.Errorf("set-up on %q: no such piece in this game", put.Point)
		}
		s.Board.Put(m.To(), put.Piece)
	}
	if x.Turn != Unstated {
		s.Turn = game.Side(x.Turn - First)
	}
	s.Ko = board.NoPoint
	return nil
}

// rearrange sets the board up anew in the middle of a game.
func (b *boardman) rearrange(i int32, n *Node) bool {
	s := game.SetupOf(b.pos)
	if side := b.nextSide(i); side != Unstated {
		s.Turn = game.Side(side - First) // unless the node says otherwise
	}
	err := b.edit(&s, n.Extra)
	if err == nil {
		var pos game.Position
		if pos, err = b.rules.Arrange(s); err == nil {
			b.pos = pos
			b.step(i, game.NoMove, s.Turn)
			return true
		}
	}
	b.mark(KindSetup, i, err)
	return false
}

// play plays the move of a node and reports whether the board took it.
func (b *boardman) play(i int32, n *Node) bool {
	b.number++
	b.looked = false
	m, err := b.read(n.Move)
	if err != nil && b.passFor(i) {
		// What is no move for this side may be one behind a forced pass.
		m, err = b.read(n.Move)
	}
	if err != nil {
		b.mark(kindOf(err), i, fmt.Errorf("%q: %w", n.Move, err))
		return false
	}
	side := b.pos.Turn()
	if n.Side != Unstated && game.Side(n.Side-First) != side {
		return b.outOfTurn(i, n, m)
	}
	if err = b.try(m); err != nil && m != game.Pass && b.passFor(i) {
		side = b.pos.Turn()
		err = b.try(m)
	}
	if err != nil {
		b.mark(KindIllegal, i, fmt.Errorf("%q: %w", n.Move, err))
		if refused := b.force(side, m); refused != nil {
			if errors.Is(err, game.ErrOver) {
				b.mark(KindIllegal, i, fmt.Errorf("%q: %w", n.Move, refused))
			}
			return false
		}
	}
	b.step(i, m, side)
	return true
}

func kindOf(err error) string {
	if errors.Is(err, game.ErrIllegal) {
		return KindIllegal
	}
	return KindNoMove
}

// try plays a move, if the rules let it.
func (b *boardman) try(m game.Move) error {
	if b.before != nil {
		b.before(b.pos, m)
	}
	return b.pos.Play(m)
}

// step notes what was just done on the board.
func (b *boardman) step(i int32, m game.Move, side game.Side) {
	b.played.Steps = append(b.played.Steps, Step{Node: i, Move: m, Side: side, Turn: b.pos.Turn()})
	if b.trace != nil {
		b.trace.add(len(b.played.Steps), b.pos, m)
	}
}

// read returns the move that a text means. A game with coordinates reads moves
// that the rules refuse, too; another game reads legal moves only.
func (b *boardman) read(text string) (game.Move, error) {
	if b.coords != nil {
		m, ok := b.coords.Coordinates(text, b.notation)
		if !ok {
			return game.NoMove, game.ErrSyntax
		}
		return m, nil
	}
	return b.rules.ParseMove(b.pos, text, b.notation)
}

// passFor plays a forced pass that the record leaves out.
func (b *boardman) passFor(i int32) bool {
	side := b.pos.Turn()
	moves := b.pos.AppendMoves(nil)
	if len(moves) != 1 || moves[0] != game.Pass || b.pos.Play(game.Pass) != nil {
		return false
	}
	b.step(i, game.Pass, side)
	return true
}

// outOfTurn plays a move of the side that is not to move: after a forced pass
// that the record leaves out, as a handicap stone, or against the rules.
func (b *boardman) outOfTurn(i int32, n *Node, m game.Move) bool {
	side := game.Side(n.Side - First)
	if b.passFor(i) {
		if b.try(m) == nil {
			b.step(i, m, side)
			return true
		}
	}
	if b.number > b.free {
		b.mark(KindIllegal, i, fmt.Errorf("%q: %s moves out of turn", n.Move, b.rules.Info().Sides[side].Name))
	}
	if refused := b.force(side, m); refused != nil {
		b.mark(KindIllegal, i, fmt.Errorf("%q: %w", n.Move, refused))
		return false
	}
	b.step(i, m, side)
	return true
}

// force makes a move against the rules, where the board can take it.
func (b *boardman) force(side game.Side, m game.Move) error {
	f, ok := b.pos.(Forcer)
	if !ok {
		return errUnforced
	}
	if b.before != nil {
		b.before(b.pos, m)
	}
	return f.Force(side, m)
}

var errUnforced error = game.Illegal("the game does not take it")

// mark notes that the current move is wrong. Play that goes on behind the end
// of the game is noted once, and of many wrong moves only the first become
// faults: the marks have them all.
func (b *boardman) mark(kind string, node int32, err error) {
	text := reason(err)
	b.played.Marks = append(b.played.Marks, Violation{Step: len(b.played.Steps), Number: b.number, Reason: text})
	if errors.Is(err, game.ErrOver) {
		if b.over {
			return
		}
		b.over = true
	}
	if b.said++; b.said <= maxMarkFaults {
		b.game.faultAt(node, Fault{Severity: Marked, Kind: kind, Move: b.number, Reason: text})
	}
}

// maxMarkFaults bounds the faults that one line of play can cause.
const maxMarkFaults = 10

// reason returns an error as the reason of a fault, without the words that its
// kind says already.
func reason(err error) string {
	return strings.TrimSuffix(err.Error(), ": "+game.ErrIllegal.Error())
}

// stop counts the moves that are not played, from node i on.
func (b *boardman) stop(i int32) {
	for ; ; i = b.game.Nodes[i].Child {
		if b.game.Nodes[i].Move != "" {
			b.played.Unplayed++
		}
		if b.game.Nodes[i].Child == 0 {
			return
		}
	}
}

// At returns the position after so many steps of a played record.
func At(p *Played, steps int) (game.Position, error) {
	if p.Start.Board == nil || steps < 0 || steps > len(p.Steps) {
		return nil, fmt.Errorf("record: there is no position after %d steps", steps)
	}
	b := aside(p.Rules, p.Game)
	if err := b.setUp(); err != nil {
		return nil, err
	}
	for _, s := range p.Steps[:steps] {
		n := &p.Game.Nodes[s.Node]
		switch b.looked = b.looked && s.Move == game.NoMove; {
		case s.Move == game.NoMove:
			if !b.rearrange(s.Node, n) {
				return nil, fmt.Errorf("record: the set-up of node %d fails", s.Node)
			}
		case b.pos.Turn() == s.Side && b.pos.Play(s.Move) == nil:
		case b.force(s.Side, s.Move) != nil:
			return nil, fmt.Errorf("record: the move of node %d fails", s.Node)
		}
	}
	return b.pos, nil
}
