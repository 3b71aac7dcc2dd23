package facts

import "strings"

// Sides are the two sides of a game as results name them, in English and in
// small letters, the one that moves first in front. Where they are not told, as
// in the zero value, Black is before White.
type Sides struct {
	First, Second string

	// Discs tells that the game is decided by counting pieces, so that bare
	// numbers are a result.
	Discs bool
}

// The sides of most games.
var (
	BlackFirst = Sides{First: "black", Second: "white"}
	WhiteFirst = Sides{First: "white", Second: "black"}
	RedFirst   = Sides{First: "red", Second: "black"}
	BlackDiscs = Sides{First: "black", Second: "white", Discs: true}
)

// colours are the letters and words of other languages for sides that are
// called by their colour.
var colours = map[string]string{
	"b": "black", "黑": "black", "黒": "black", "흑": "black",
	"w": "white", "白": "white", "백": "white",
	"r": "red", "红": "red", "紅": "red", "홍": "red",
}

func (s Sides) told() Sides {
	if s.First == "" || s.Second == "" {
		s.First, s.Second = BlackFirst.First, BlackFirst.Second
	}
	return s
}

// winner returns the verdict for the winner that a letter or word names, or
// Unknown. Programs that know only chess call Red White, where no side is
// White.
func (s Sides) winner(word string) Verdict {
	s = s.told()
	name := colours[word]
	if name == "" {
		name = word
	}
	if name == "white" && s.First != name && s.Second != name {
		name = "red"
	}
	switch name {
	case s.First, strings.ToLower(s.letter(FirstWon)):
		return FirstWon
	case s.Second, strings.ToLower(s.letter(SecondWon)):
		return SecondWon
	}
	return Unknown
}

// White reports whether the first side is the white one for those who know only
// black and white: chess players take Red for it.
func (s Sides) White() bool {
	s = s.told()
	return s.First == "white" || s.First == "red" && s.Second != "white"
}

// letter returns what a result begins with: the first letter of the winner's
// name, or the name where both begin alike.
func (s Sides) letter(winner Verdict) string {
	s = s.told()
	name, other := s.First, s.Second
	if winner == SecondWon {
		name, other = other, name
	}
	if name[0] != other[0] {
		name = name[:1]
	}
	return strings.ToUpper(name[:1]) + name[1:]
}
