package relation

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

// who tells whose pieces are meant, seen by the owner of a pattern.
type who uint8

const (
	our who = iota
	their
	either
)

var whoWords = [...]string{"our", "their", "any"}

// pieces are kinds of pieces of a side: bit k is kind k of xiangqi.go.
type pieces struct {
	whose who
	kinds uint8
}

// place is a role or a point. The roles of a pattern are numbered: roleK and
// roleG first, then those of its lets.
type place struct {
	role  int // noRole for a point
	point uint8
}

const (
	noRole    = -1
	roleK     = 0 // the enemy king
	roleG     = 1 // the own king
	firstRole = 2
)

// area is a set of points as it is written.
type area struct {
	op    areaOp
	lines uint16   // onFiles, onRanks: bit n is file or rank n
	set   set      // points
	named int      // namedArea: of areaNames
	a, b  place    // of what depends on pieces
	kids  [2]*area // of both, one, without
}

type areaOp uint8

const (
	onFiles areaOp = iota
	onRanks
	onPoints
	namedArea
	besideOf
	betweenOf
	reachOf
	lineOf
	both
	one
	without
)

// number is an expression of numbers.
type number struct {
	op     numberOp
	n      int
	a, b   place
	pieces pieces
	area   *area // nil for the whole board
	kids   [2]*number
}

type numberOp uint8

const (
	literal numberOp = iota
	fileOf
	rankOf
	piecesBetween
	distance
	across
	along
	countPieces
	countPoints
	checkers
	needed
	plies
	plus
	minus
)

var numberWords = map[string]numberOp{
	"file": fileOf, "rank": rankOf, "between": piecesBetween, "distance": distance, "across": across, "along": along,
	"count": countPieces, "checkers": checkers, "needed": needed, "ply": plies,
}

// move is a kind of move.
type move struct {
	pieces   pieces
	role     int // noRole, or the role that moved
	from, to *area
	took     *pieces
}

// condition is something that is true or not.
type condition struct {
	op      conditionOp
	a, b, c place
	kinds   uint8 // isKind
	area    *area
	compare comparison
	numbers [2]*number
	n       int // moves
	move    *move
	before  *move // early: no such move came earlier
	after   *move // last, lately, always: such a move came right before
	unlike  bool  // after: such a move did not
	kids    []*condition
}

type conditionOp uint8

const (
	mated conditionOp = iota
	stalemated
	check
	ourTurn
	theirTurn
	checks
	shuts
	attacks
	guards
	reaches
	blocks
	pins
	screens
	onArea
	isKind
	isBetween
	isBeside
	empty
	essential
	compared
	lately
	always
	early
	last
	not
	and
	or
)

type comparison uint8

const (
	equal comparison = iota
	unequal
	less
	lessEqual
	more
	moreEqual
)

var comparisonWords = [...]string{"=", "!=", "<", "<=", ">", ">="}

// verbs are the conditions of two pieces, or of a piece alone.
var verbs = map[string]conditionOp{
	"checks": checks, "shuts": shuts, "attacks": attacks, "guards": guards, "reaches": reaches, "blocks": blocks, "pins": pins,
	"screens": screens, "on": onArea, "is": isKind, "between": isBetween, "beside": isBeside,
}

// role is a piece that has a part in a pattern.
type role struct {
	name   string
	pieces pieces
	area   *area // nil for anywhere
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
