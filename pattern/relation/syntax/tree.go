package syntax

import "fmt"

// Kind is what a pattern is about.
type Kind string

// The kinds.
const (
	Mate      Kind = "mate"      // how a game ends
	Structure Kind = "structure" // how pieces stand to each other
	Opening   Kind = "opening"   // how the first moves are made
)

var kindWords = []string{string(Mate), string(Structure), string(Opening)}

// Who tells whose pieces are meant, seen by the owner of a pattern.
type Who uint8

// Whose they are.
const (
	Our Who = iota
	Their
	Either
)

var whoWords = [...]string{"our", "their", "any"}

// Pieces are kinds of pieces of a side: bit k is kind k, from King on.
type Pieces struct {
	Whose Who
	Kinds uint8
}

// Place is a role or a point. The roles of a pattern are numbered: RoleK and
// RoleG first, then those of its lets.
type Place struct {
	Role  int // NoRole for a point
	Point uint8
}

// The numbers of roles.
const (
	NoRole    = -1
	RoleK     = 0 // the enemy king
	RoleG     = 1 // the own king
	FirstRole = 2
)

// Area is a set of points as it is written.
type Area struct {
	Op     AreaOp
	Lines  uint16   // OnFiles, OnRanks: bit n is file or rank n
	Points []uint8  // OnPoints: rising, each once
	Named  int      // NamedArea: of Board.Areas
	A, B   Place    // of what depends on pieces
	Kids   [2]*Area // of Both, One, Without
}

// AreaOp is how an area is meant.
type AreaOp uint8

// The kinds of areas; the last three join two.
const (
	OnFiles AreaOp = iota
	OnRanks
	OnPoints
	NamedArea
	BesideOf
	BetweenOf
	ReachOf
	LineOf
	Both
	One
	Without
)

// Number is an expression of numbers.
type Number struct {
	Op     NumberOp
	N      int
	A, B   Place
	Pieces Pieces
	Area   *Area // nil for the whole board
	Kids   [2]*Number
}

// NumberOp is how a number comes about.
type NumberOp uint8

// The kinds of numbers; the last two join two.
const (
	Literal NumberOp = iota
	FileOf
	RankOf
	PiecesBetween
	Distance
	Across
	Along
	CountPieces
	CountPoints
	Checkers
	Needed
	Plies
	Plus
	Minus
)

var numberWords = map[string]NumberOp{
	"file": FileOf, "rank": RankOf, "between": PiecesBetween, "distance": Distance, "across": Across, "along": Along,
	"count": CountPieces, "checkers": Checkers, "needed": Needed, "ply": Plies,
}

// Move is a kind of move.
type Move struct {
	Pieces   Pieces
	Role     int // NoRole, or the role that moved
	From, To *Area
	Took     *Pieces
}

// Condition is something that is true or not.
type Condition struct {
	Op      ConditionOp
	A, B, C Place
	Kinds   uint8 // IsKind
	Area    *Area
	Compare Comparison
	Numbers [2]*Number
	N       int // moves
	Move    *Move
	Before  *Move // Early: no such move came earlier
	After   *Move // Last, Lately, Always: such a move came right before
	Unlike  bool  // After: such a move did not
	Kids    []*Condition
}

// ConditionOp is what a condition asks.
type ConditionOp uint8

// What can be asked; the last three join others.
const (
	Mated ConditionOp = iota
	Stalemated
	InCheck
	OurTurn
	TheirTurn
	Checks
	Shuts
	Attacks
	Guards
	Reaches
	Blocks
	Pins
	Screens
	OnArea
	IsKind
	IsBetween
	IsBeside
	Empty
	Essential
	Compared
	Lately
	Always
	Early
	Last
	Not
	And
	Or
)

// plainWords are the conditions that name nothing; those of turns have two words.
var plainWords = [...]string{Mated: "mated", Stalemated: "stalemated", InCheck: "check", OurTurn: "our turn", TheirTurn: "their turn"}

// historyWords are the conditions on moves.
var historyWords = map[string]ConditionOp{"lately": Lately, "always": Always, "early": Early, "last": Last}

// Comparison is how two numbers are compared.
type Comparison uint8

// The comparisons.
const (
	Equal Comparison = iota
	Unequal
	Less
	LessEqual
	More
	MoreEqual
)

// ComparisonWords are how comparisons are written.
var ComparisonWords = [...]string{"=", "!=", "<", "<=", ">", ">="}

// verbs are the conditions of two pieces, or of a piece alone.
var verbs = map[string]ConditionOp{
	"checks": Checks, "shuts": Shuts, "attacks": Attacks, "guards": Guards, "reaches": Reaches, "blocks": Blocks, "pins": Pins,
	"screens": Screens, "on": OnArea, "is": IsKind, "between": IsBetween, "beside": IsBeside,
}

// Role is a piece that has a part in a pattern.
type Role struct {
	Name   string
	Pieces Pieces
	Area   *Area // nil for anywhere
}

// Error is something wrong in a file of patterns.
type Error struct {
	File   string
	Line   int
	Column int // in characters from 1; 0 for the whole line
	Reason string
	Hint   string // what to write instead; may be empty
}

// Error returns file, line, column and reason.
func (e *Error) Error() string {
	at := fmt.Sprintf("%s:%d", e.File, e.Line)
	if e.Column > 0 {
		at = fmt.Sprintf("%s:%d", at, e.Column)
	}
	if e.Hint != "" {
		return at + ": " + e.Reason + ": " + e.Hint
	}
	return at + ": " + e.Reason
}
