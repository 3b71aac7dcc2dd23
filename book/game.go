package book

import (
	"encoding/binary"
	"errors"
	"slices"
	"strconv"

	"qipu/game"
	"qipu/record"
	"qipu/record/facts"
)

// Game is what a book keeps of a record: enough to count it, and to subtract it
// when the record is gone.
type Game struct {
	ID    uint32
	Stamp uint64 // changes whenever the record does: the caller's affair

	// Blank marks a record without a board. It is in the book, so that nobody
	// wonders where it is, and counts nowhere.
	Blank bool

	Start  string // the position text that it begins from; empty for the usual start
	Moves  []game.Move
	Result Result

	// Exact is the score of the first side with best play from the position that
	// has Empties empty points, where the record tells it.
	Exact    int
	Empties  int
	HasExact bool
}

// Plies returns how many plies of a game its book counts: all of Othello, with
// room for passes, and the first 60 of others.
func Plies(r game.Rules) int {
	if UnitOf(r) == Discs {
		return 2 * r.Geometry().Size.Area()
	}
	return 60
}

// FromPlayed returns what a book of these rules keeps of a record. It ends where
// a move breaks the rules, or pieces are set up in the middle of the game.
func FromPlayed(r game.Rules, id uint32, stamp uint64, p *record.Played) Game {
	g := Game{ID: id, Stamp: stamp}
	if p.Rules == nil || p.Start.Board == nil || p.Start.Board.Size != r.Geometry().Size {
		g.Blank = true
		return g
	}
	usual := game.SetupOf(r.Start())
	if p.Start.Turn != usual.Turn || p.Start.Extra != usual.Extra || !p.Start.Board.Equal(usual.Board) {
		g.Start = string(game.AppendSetup(nil, r, p.Start))
	}
	end := len(p.Steps)
	if len(p.Marks) > 0 {
		end = min(end, p.Marks[0].Step)
	}
	end = min(end, Plies(r))
	g.Moves = make([]game.Move, 0, end)
	for _, step := range p.Steps[:end] {
		if step.Move == game.NoMove {
			break
		}
		g.Moves = append(g.Moves, step.Move)
	}
	g.Result = resultOf(UnitOf(r), p)
	g.exact(r, p.Game)
	return g
}

// resultOf returns the result of a record: what the rules say of the last
// position, else what the headers say.
func resultOf(unit Unit, p *record.Played) Result {
	var r Result
	margin, known := 0.0, false
	switch out := p.Outcome; {
	case out.State == game.Won && out.Winner == game.First:
		r.Verdict, margin, known = FirstWon, float64(out.Margin)/2, out.Margin > 0
	case out.State == game.Won:
		r.Verdict, margin, known = SecondWon, float64(out.Margin)/2, out.Margin > 0
	case out.State == game.Drawn:
		r.Verdict, known = Drawn, true
	default:
		said := p.Game.Facts.Result
		margin, known = said.Margin, said.Margin > 0
		switch said.Verdict {
		case facts.FirstWon:
			r.Verdict = FirstWon
		case facts.SecondWon:
			r.Verdict = SecondWon
		case facts.Drawn:
			r.Verdict, margin, known = Drawn, 0, true
		default:
			return r
		}
	}
	if unit == Share {
		margin, known = 1, true
		if r.Verdict == Drawn {
			margin = 0
		}
	}
	r.Score = int(margin)
	if r.Verdict == SecondWon {
		r.Score = -r.Score
	}
	r.Scored = known
	if r.check() != nil {
		r.Score, r.Scored = 0, false
	}
	return r
}

// exact takes over the solved score that databases of Othello carry: the discs of
// Black with best play from the position with so many empty squares.
func (g *Game) exact(r game.Rules, rec *record.Game) {
	if UnitOf(r) != Discs {
		return
	}
	discs, err := strconv.Atoi(rec.Tag("TheoreticalDiscs"))
	if err != nil {
		return
	}
	empties, err := strconv.Atoi(rec.Tag("TheoreticalEmpties"))
	area := r.Geometry().Size.Area()
	if err == nil && discs >= 0 && discs <= area && empties > 0 && empties < area {
		g.Exact, g.Empties, g.HasExact = 2*discs-area, empties, true
	}
}

// The bits of the first byte of a game as it is stored; its verdict is in the
// two lowest.
const (
	bitScored = 4 << iota
	bitExact
	bitStart
	bitBlank
)

var errGame = errors.New("book: a game of it is damaged")

// appendGame appends a game as it is stored, without number and stamp.
func appendGame(dst []byte, k *Keyer, g *Game) []byte {
	flags := byte(g.Result.Verdict)
	for _, f := range []struct {
		on  bool
		bit byte
	}{{g.Result.Scored, bitScored}, {g.HasExact, bitExact}, {g.Start != "", bitStart}, {g.Blank, bitBlank}} {
		if f.on {
			flags |= f.bit
		}
	}
	dst = append(dst, flags)
	if g.Result.Scored {
		dst = binary.AppendVarint(dst, int64(g.Result.Score))
	}
	if g.HasExact {
		dst = binary.AppendUvarint(binary.AppendVarint(dst, int64(g.Exact)), uint64(g.Empties))
	}
	if g.Start != "" {
		dst = append(binary.AppendUvarint(dst, uint64(len(g.Start))), g.Start...)
	}
	moves := g.Moves
	if bad := slices.IndexFunc(moves, func(m game.Move) bool { return k.plain(m) == noCode }); bad >= 0 {
		moves = moves[:bad] // it cannot be played, and ends the game
	}
	dst = binary.AppendUvarint(dst, uint64(len(moves)))
	for _, m := range moves {
		dst = binary.AppendUvarint(dst, uint64(k.plain(m)))
	}
	return dst
}

// decodeGame is the inverse of appendGame. The moves of g are used again.
func decodeGame(data []byte, k *Keyer, g *Game) error {
	*g = Game{ID: g.ID, Stamp: g.Stamp, Moves: g.Moves[:0]}
	if len(data) == 0 {
		return errGame
	}
	flags, bad := data[0], false
	data = data[1:]
	number := func() uint64 {
		v, n := binary.Uvarint(data)
		bad = bad || n <= 0
		data = data[max(n, 0):]
		return v
	}
	signed := func() int {
		v := number()
		return int(int64(v>>1) ^ -int64(v&1))
	}
	g.Result.Verdict, g.Blank = Verdict(flags&3), flags&bitBlank != 0
	if g.Result.Scored = flags&bitScored != 0; g.Result.Scored {
		g.Result.Score = signed()
	}
	if g.HasExact = flags&bitExact != 0; g.HasExact {
		g.Exact, g.Empties = signed(), int(number())
	}
	if flags&bitStart != 0 {
		n := number()
		if n > uint64(len(data)) {
			return errGame
		}
		g.Start, data = string(data[:n]), data[n:]
	}
	n := number()
	if bad || n > uint64(len(data)) {
		return errGame
	}
	for range n {
		code := number()
		if bad || code > passCode {
			return errGame
		}
		g.Moves = append(g.Moves, k.move(uint16(code)))
	}
	return nil
}

// visit is a position that a game reached. One that it comes to again is not
// counted again, and the move that is made there only where it is another.
type visit struct {
	key   Key
	turn  game.Side // who moves, behind a pass that is forced
	edge  uint16    // the move that was made, noCode for none
	same  bool      // the side that made it moves again
	next  int       // the visit that it led to
	again bool      // the game has been there before
	exact bool      // the record tells the score with best play from here
}

// tracer plays games and tells what they visit. It is not safe for concurrent
// use.
type tracer struct {
	*Keyer
	plies  int
	start  game.Position
	visits []visit
	loops  bool // some game went from a position to one that has no more pieces

	// visited is told of each visit while the position is on the board; a game
	// ends where it returns false. It may be nil.
	visited func(*visit, game.Position) bool
}

func newTracer(r game.Rules) *tracer {
	return &tracer{Keyer: NewKeyer(r), plies: Plies(r), start: r.Start()}
}

// trace returns the positions of a game in the order in which it came to them.
// They are valid until the next call. Moves behind one that cannot be
// played are left out, as is all of a game whose start position cannot be.
func (t *tracer) trace(g *Game) []visit {
	t.visits = t.visits[:0]
	if g.Blank {
		return t.visits
	}
	p, played := t.start, 0
	if g.Start != "" {
		setup, err := game.ParseSetup(t.rules, g.Start)
		if err == nil {
			p, err = t.rules.Arrange(setup)
		}
		if err != nil {
			return t.visits
		}
	} else {
		defer func() {
			for ; played > 0; played-- {
				p.Undo()
			}
		}()
	}
	area := t.size.Area()
	most, from := -1, -1 // pieces so far; the visit that awaits where its move leads
	for i := 0; ; i++ {
		if t.Fold(p) {
			played++
		}
		s := t.see(p)
		again := false
		if s.pieces <= most {
			t.loops = true
			again = t.met(s.key, noCode) // only here can it have been before
		}
		most = max(most, s.pieces)
		at := len(t.visits)
		exact := g.HasExact && !again && area-s.pieces == g.Empties
		t.visits = append(t.visits, visit{key: s.key, turn: s.turn, edge: noCode, next: -1, again: again, exact: exact})
		if t.visited != nil && !again && !t.visited(&t.visits[at], p) {
			return t.visits
		}
		if from >= 0 {
			t.visits[from].next, t.visits[from].same = at, t.visits[from].turn == s.turn
		}
		for t.folds && i < len(g.Moves) && g.Moves[i] == game.Pass {
			i++ // it was played, being forced
		}
		if i >= min(len(g.Moves), t.plies) {
			return t.visits
		}
		code := t.edge(g.Moves[i], s.pictures)
		if code == noCode || p.Play(g.Moves[i]) != nil {
			return t.visits
		}
		played++
		if from = -1; !again || !t.met(s.key, code) {
			t.visits[at].edge, from = code, at
		}
	}
}

// met reports whether the game at hand has been at a position, and has made a
// move there where that is not noCode.
func (t *tracer) met(k Key, code uint16) bool {
	for i := range t.visits {
		if v := &t.visits[i]; v.key == k && (code == noCode || v.edge == code) {
			return true
		}
	}
	return false
}
