package game

import (
	"slices"
	"strings"

	"qipu/board"
)

// Info holds the facts about a kind of game that need no position.
type Info struct {
	Name      string      // the identifier: "weiqi"
	Titles    board.Names // "Go", "圍棋", ...
	Howto     board.Names // what somebody must know who plays it for the first time, in a few sentences
	Tools     []string    // what the program has for this game and not for every one; view.Game lists the words
	Aliases   []string    // other words that users type: "go", "baduk"
	Nicknames []Nickname  // words that mean one of its variants: "gomoku"
	Sides     []SideInfo
	Notations []NotationInfo // the first is the one written by default
	Variants  []VariantInfo
	Usual     []string // variants that are as usual as the plain game: "9x9"
	Choices   []Choice // what is asked before somebody plays it: which board, which rules

	// Variant is the spec that makes these rules from the plain ones, in the
	// canonical form; empty for the plain ones.
	Variant string

	// Symmetries keep the rules: a position and its picture under one of them
	// have the same moves. The identity is the first of them.
	Symmetries []Symmetry

	// Clocks tells that position texts carry the count of quiet moves and the
	// move number, as FEN does.
	Clocks bool

	// Discs tells that the game is decided by the lead in pieces at its end.
	Discs bool

	// Pairs tells that players number a move of both sides as one.
	Pairs bool

	// Draws tells that both sides may agree upon a draw.
	Draws bool

	// Ko tells that position texts carry a ko point and prisoners.
	Ko bool

	// Extra names the fields of Setup.Extra, in the order in which position
	// texts have them.
	Extra []string

	// NamesPieces tells that moves may name a piece (Move.Piece). A drop does
	// then, and a step where the piece becomes another one.
	NamesPieces bool

	// Ways tells that several moves may share their ends (Move.Way).
	Ways bool

	// Shelf is where the game is kept: empty for games that people come for, and
	// LabShelf for those of the laboratory, which lists of games leave out unless
	// they are asked for.
	Shelf string

	// Perft is how published counts of this game are made.
	Perft PerftOptions
}

// LabShelf is the shelf of small games on which methods of search are studied.
const LabShelf = "lab"

// Nickname is a word that users type for a variant of a game.
type Nickname struct{ Name, Variant string }

// SideInfo describes one side.
type SideInfo struct {
	Name   string      // the identifier: "black"
	Titles board.Names //

	// Letters lists the letters that mean "this side moves" in position texts;
	// the first is the one that is written.
	Letters string
}

// NotationInfo describes one way to write moves.
type NotationInfo struct {
	Name    Notation
	Summary string // one line with an example
}

// VariantInfo describes one word that Varied.Variant understands.
type VariantInfo struct {
	Name    string // "japanese"; "WxH" for sizes
	Summary string
}

// Choice is a question with its answers, each of them a word of a variant. The
// first answer is what the plain game has.
type Choice struct {
	Titles board.Names // "Board"
	Values []ChoiceValue
}

// ChoiceValue is an answer to a choice.
type ChoiceValue struct {
	Word   string      // "13x13", "komi=6.5"; of the first answer it may be empty
	Titles board.Names // empty where the word says it
}

// Takes reports whether variants of the game may have a word, or a word with a
// value: "handicap" of "handicap=STONES".
func (info *Info) Takes(word string) bool {
	return slices.ContainsFunc(info.Variants, func(v VariantInfo) bool {
		name, _, _ := strings.Cut(v.Name, "=")
		return name == word
	})
}

// Symmetry is a symmetry of the board, with the sides exchanged or not.
type Symmetry struct {
	Board board.Symmetry
	Swap  bool // every piece becomes its Look.Swap, and the turn goes over
}

// Inverse returns the symmetry that takes everything back.
func (s Symmetry) Inverse() Symmetry { return Symmetry{s.Board.Inverse(), s.Swap} }

// Then returns the symmetry that does s first and t second.
func (s Symmetry) Then(t Symmetry) Symmetry {
	return Symmetry{s.Board.Then(t.Board), s.Swap != t.Swap}
}

// BoardSymmetries returns the symmetries of a board without exchange of sides.
func BoardSymmetries(s board.Size) []Symmetry {
	var list []Symmetry
	for _, sym := range s.Symmetries() {
		list = append(list, Symmetry{Board: sym})
	}
	return list
}
