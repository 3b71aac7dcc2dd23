package engine

import (
	"context"
	"errors"
	"math"
	"time"

	"qipu/board"
	"qipu/engine/trace"
	"qipu/game"
)

// Value says how good a position or a move is for the side to move, in
// hundredths of what the game is counted in: discs, points, soldiers. A game
// that is won rather than counted is worth Win less the number of plies to the
// end.
type Value int32

const (
	// Unit is one disc, one point.
	Unit Value = 100

	// Win is more than any count. Win-n is a win in n plies.
	Win Value = 1 << 20

	// Decided is where values of games won begin.
	Decided = Win - 1<<12

	// NoValue is the value of what is not known.
	NoValue Value = math.MinInt32
)

// Units returns a value as a number of discs or points.
func (v Value) Units() float64 { return float64(v) / float64(Unit) }

// Task is a position to think about, with the moves that led to it.
type Task struct {
	Rules game.Rules
	Start *game.Setup // where the moves begin; nil for the start of the game
	Moves []game.Move
}

// Position plays the moves of the task. It is a new position with every call.
func (t *Task) Position() (game.Position, error) {
	p := t.Rules.Start()
	if t.Start != nil {
		var err error
		if p, err = t.Rules.Arrange(*t.Start); err != nil {
			return nil, err
		}
	}
	for _, m := range t.Moves {
		if err := p.Play(m); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// Limits bound how long an engine thinks. What is zero does not; with all of
// them zero it thinks until its context ends. With a limit of depth or nodes,
// one thread and a seed the same task gives the same answer on every machine.
type Limits struct {
	Depth   int           // plies
	Nodes   int64         // positions
	Time    time.Duration // for this move
	Clock   *Clock        // for the game: the engine shares it out
	Threads int           // default 1

	// Multi is how many moves are to be valued, the best ones, and negative for all
	// of them; 0 asks for a move to play, whose value nobody needs.
	Multi int

	// Exact asks for the end of the game and nothing less: where an engine can
	// solve, it does.
	Exact bool

	// Seed chooses among what is equally good; 0 is a choice of its own, not
	// chance.
	Seed uint64

	// Record is told of the search by engines that can; nil for nobody. It changes
	// nothing about the answer.
	Record *trace.Recorder
}

// Counted returns the limits for a search that is counted: reports have the counts then,
// where the engine tells them.
func (l Limits) Counted() Limits {
	l.Record = trace.New(trace.Options{})
	return l
}

// Clock is what a player has left.
type Clock struct {
	Left      time.Duration
	Increment time.Duration // gained with every move
	Moves     int           // to be made in what is left; 0 for all of the game
}

// Line is a move with what it is worth.
type Line struct {
	Move  game.Move
	Value Value // for the side that makes the move
	Bound Bound

	// Told is the value as another program has told it, in its own unit: "cp 35",
	// "winrate 61.3 %"; empty for engines of this program.
	Told string

	// Exact tells that the game was read to its end: the value is the truth.
	Exact bool

	// Chance is how likely the move wins, as the engine has it, between 0 and 1; 0
	// where it does not say. Weight is how much the engine thinks of the move beside
	// others, where it is not by the value alone that it chooses; 0 where it is.
	Chance, Weight float64

	// Likely is how likely players make the move, as the engine foretells; 0 where it
	// does not.
	Likely float64

	// Settles are strings of stones whose fate was open before the move and is not behind
	// it, as the engine has it, where it tells.
	Settles []Fate

	// Moves is the line itself: the move and what both sides do best then. It
	// may end early.
	Moves []game.Move
}

// Fate is what becomes of a string of stones, which is named by one of its points.
type Fate struct {
	At    board.Point
	Side  game.Side
	Lives bool
}

// Bound tells how a value is meant.
type Bound uint8

// The bounds.
const (
	Even    Bound = iota // it is the value
	AtLeast              //
	AtMost               //
)

// Report is what an engine thinks.
type Report struct {
	Lines []Line // the best first; empty where there is no move

	Depth       int // plies that were read
	Selectivity int // how sure the reading is, in per cent; 100 where nothing was left out, 0 where that cannot be told
	Nodes       int64
	Elapsed     time.Duration

	// Points tells that values are leads in the points that the game is counted in:
	// see Info.Points.
	Points bool

	// Stands is what the position is worth for the side to move before any move was
	// read, where Points is set; Refuted are moves that look good and lose what they
	// play for, by proof, where the engine tells.
	Stands  Value
	Refuted []game.Move

	// Owner is how likely each point is the mover's in the end, row by row; nil where
	// the engine does not say.
	Owner []float64

	// Counters are the counts of the recorder so far; nil where there is none, or
	// the engine tells none.
	Counters *trace.Counters

	// Note says in a word where the move is from, where it is not from reading:
	// "book", "only move".
	Note string
}

// Best returns the first line, and NoMove with NoValue where there is none.
func (r *Report) Best() Line {
	if len(r.Lines) == 0 {
		return Line{Move: game.NoMove, Value: NoValue}
	}
	return r.Lines[0]
}

// Info describes an engine.
type Info struct {
	Name    string
	Version string
	Games   []string // the games that it plays, as game.Info names them
	Solves  bool     // it reads games to their end: Limits.Exact
	Opaque  bool     // it tells moves, and never what they are worth

	// Guest tells that it is another program, which somebody has chosen.
	Guest bool

	// Points tells that values are leads in points of a game that is counted in the
	// end, and not a measure of the engine's own.
	Points bool

	// Steady tells that values of neighbouring positions can be compared however far
	// each was read: there is no horizon that they hang on.
	Steady bool

	// Accuracy tells how wrong the engine is about moves of games that it was not
	// made from, by how deep it reads, the least depth first; empty where nobody
	// has measured it. Measured says how that was done.
	Accuracy []Accuracy
	Measured string

	// Itself tells that this was measured against the engine itself, reading deeper:
	// how wrong both are nobody knows.
	Itself bool

	// Slip is what a small mistake costs, in the values of the engine; 0 for a
	// Unit. Levels of play are counted in it.
	Slip Value

	// Levels are those at which it plays, the weakest first; nil for UsualLevels.
	Levels []Level
}

// Accuracy is how wrong an engine is about what moves give away, in the unit of
// reviews: discs in games that are counted by them, else the share of a win.
type Accuracy struct {
	Depth int     // plies that were read at least
	Mean  float64 // of all moves
	Most  float64 // of what it claims too much, in nineteen of twenty moves that it says give something away
}

// Engine thinks. It thinks about one task at a time; Close may be called at any
// moment and ends the thought.
type Engine interface {
	Info() Info

	// Think answers with the best moves that it found within the limits. Where
	// the context ends first, it answers with what it has, and without an
	// error; only where it has nothing, it returns the cause. watch, which may
	// be nil, is told whenever the engine knows better, from the goroutine of
	// the call; the report is its to keep.
	Think(ctx context.Context, t *Task, l Limits, watch func(*Report)) (*Report, error)

	Close() error
}

// Options say how an engine is made.
type Options struct {
	Hash    int64 // bytes for what it remembers; 0 for a usual amount
	Threads int   // the most that it may use; 0 for one

	// Name is that of an engine that the owner has named, which is another program;
	// empty for the one of this program.
	Name string

	// Levels are those of the game that it is to play; nil for UsualLevels.
	Levels []Level

	// Patterns has patterns with names count, where the game has weights for them: in the
	// evaluation, or in where moves are expected.
	Patterns bool

	// Known is what knows the truth about positions, such as tables of endings: engines
	// that can ask it at the root and where their reading comes to such a position; nil
	// for nothing.
	Known Knower

	// General asks for the general reader with what judges positions of the game as they
	// stand, where it has one, instead of the engine that plays it best: for study.
	General bool
}

// Evaluator judges a position without reading ahead.
type Evaluator interface {
	// Evaluate returns the value for the side to move. It may play moves and
	// take them back.
	Evaluate(p game.Position) Value
}

// Bounder bounds what a position may be worth for the side to move: an optimistic and
// a pessimistic value.
type Bounder interface {
	// Bounds may play moves and take them back.
	Bounds(p game.Position) (low, high Value)
}

// Prober knows positions: a book, a table of endgames.
type Prober interface {
	// Probe returns what is known to be good in a position; ok is false where
	// nothing is. The task is that of an engine.
	Probe(ctx context.Context, t *Task) (r *Report, ok bool, err error)
}

// Knower is a Prober that tells the truth about a position so fast that searches ask it
// wherever they come.
type Knower interface {
	Prober

	// Knows returns the value of a position for the side to move, whatever led there; ok is
	// false where it is not known.
	Knows(r game.Rules, p game.Position) (v Value, ok bool)

	// KnowsMen is the same of pieces on points.
	KnowsMen(r game.Rules, pieces []board.Piece, points []board.Point, turn game.Side) (v Value, ok bool)

	// MostMen returns on how few pieces it knows anything; 0 where it does not at all.
	MostMen(r game.Rules) int
}

// Settles is an Engine that says what is dead at the end of a game which is counted
// by agreement.
type Settles interface {
	// Dead returns stones that it would take off: all of them, or one of each
	// string.
	Dead(ctx context.Context, t *Task) ([]board.Point, error)
}

// The errors that callers tell apart.
var (
	ErrOver   = errors.New("the game is over")
	ErrGame   = errors.New("the engine does not play this game")
	ErrClosed = errors.New("the engine is closed")

	// ErrResigned tells that an engine gives up the game instead of a move.
	ErrResigned = errors.New("the engine resigns")
)

// Vertices is a Rules whose engines write points as those of Go are written:
// letters without I, ranks from the bottom. The game itself writes them
// otherwise.
type Vertices interface {
	// Vertex returns a drop as engines have it.
	Vertex(m game.Move) string
}

// Rows is a Rules that programs of the Gomocup play: whoever has five in a row wins.
type Rows interface {
	// GomocupRule returns the number of the rules in their protocol: 0 where more
	// than five win too, 1 where exactly five do, 4 for renju.
	GomocupRule() int
}
