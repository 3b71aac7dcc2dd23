package renju

import (
	"fmt"
	"slices"

	"qipu/board"
	"qipu/game"
)

// OpeningRule describes how the players share out the first moves of a game.
type OpeningRule struct {
	Name    string // "taraguchi-10"
	Titles  board.Names
	Summary string

	Set    Set     // the rule set it is made for: SetRenju, or SetStandard for both kinds of Gomoku
	Limits []Limit // where the first stones may stand

	// Placed is the number of stones that the first player puts down alone,
	// of both colours.
	Placed int

	// Swaps lists the moves after which the other player may exchange colours.
	Swaps []int

	// MinOffers to MaxOffers fifth moves are laid out, of which White leaves
	// one; a MaxOffers of 0 has no bound if MinOffers has one.
	MinOffers, MaxOffers int

	// Either tells that Black chooses between offering and playing on: who
	// offers is free of the limit of the fifth move, and there are no swaps
	// after the fourth and the fifth.
	Either bool
}

// Limit says that a move must stand within the central square of so many
// points a side, or outside it.
type Limit struct {
	Move    int // from 1
	Square  int // odd; 1 is the centre
	Outside bool
}

// Allows reports whether a stone on p keeps the limit. On boards without a
// centre, the squares grow from the four middle points.
func (l Limit) Allows(s board.Size, p board.Point) bool {
	x, y := 2*p.X()-s.W+1, 2*p.Y()-s.H+1
	within := p != board.NoPoint && max(x, -x, y, -y) <= l.Square
	return within != l.Outside && p != board.NoPoint
}

// canonical are the limits that lead to the 26 openings.
var canonical = []Limit{{Move: 1, Square: 1}, {Move: 2, Square: 3}, {Move: 3, Square: 5}}

// narrow goes on with a fourth move in 7x7 and a fifth in 9x9.
var narrow = append(slices.Clone(canonical), Limit{Move: 4, Square: 7}, Limit{Move: 5, Square: 9})

// OpeningRules lists the opening rules that records name, Renju first.
var OpeningRules = []OpeningRule{
	{
		Name: "rif", Titles: titles("RIF rule", "RIF規則", "RIF规则", "RIFルール", "RIF 룰"),
		Summary: "the first player puts one of the 26 openings; swap; White's 4th anywhere; Black offers two 5th moves",
		Limits:  canonical, Placed: 3, Swaps: []int{3}, MinOffers: 2, MaxOffers: 2,
	},
	{
		Name: "yamaguchi", Titles: titles("Yamaguchi rule", "山口規則", "山口规则", "山口ルール", "야마구치 룰"),
		Summary: "the first player puts one of the 26 openings and says how many 5th moves will be offered; swap; White's 4th anywhere; Black offers that many",
		Limits:  canonical, Placed: 3, Swaps: []int{3}, MinOffers: 1,
	},
	{
		Name: "soosyrv-8", Titles: titles("Soosyrv-8 rule", "索索夫-8規則", "索索夫-8规则", "Soosyrv-8", "소시로프-8 룰"),
		Summary: "the first player puts one of the 26 openings; swap; White's 4th anywhere, with a number from 1 to 8; swap; Black offers that many 5th moves",
		Limits:  canonical, Placed: 3, Swaps: []int{3, 4}, MinOffers: 1, MaxOffers: 8,
	},
	{
		Name: "taraguchi-10", Titles: titles("Taraguchi-10 rule", "塔拉山口-10規則", "塔拉山口-10规则", "Taraguchi-10", "타라구치-10 룰"),
		Summary: "centre, 3x3, 5x5, 7x7, each move followed by a swap; then a 5th in 9x9 and a last swap, or instead of both swaps ten 5th moves anywhere",
		Limits:  narrow, Placed: 1, Swaps: []int{1, 2, 3, 4, 5}, MinOffers: 10, MaxOffers: 10, Either: true,
	},
	{
		Name: "tarannikov", Titles: titles("Tarannikov rule", "Tarannikov", "Tarannikov", "Tarannikov", "타라니코프 룰"),
		Summary: "centre, 3x3, 5x5, 7x7, 9x9, each move followed by a swap",
		Limits:  narrow, Placed: 1, Swaps: []int{1, 2, 3, 4, 5},
	},
	{
		Name: "sakata", Titles: titles("Sakata rule", "坂田規則", "坂田规则", "坂田ルール", "사카타 룰"),
		Summary: "the first player puts one of the 26 openings, the second the 4th move in 7x7 and the 5th in 9x9; swap",
		Limits:  narrow, Placed: 3, Swaps: []int{5},
	},
	{
		Name: "classic", Titles: titles("Classic Gomoku", "傳統五子棋", "传统五子棋", "五目並べ", "일반 오목"),
		Summary: "no limits, no swaps", Set: SetStandard, Placed: 1,
	},
	{
		Name: "pro", Titles: titles("Pro", "Pro", "Pro", "Pro", "Pro"),
		Summary: "the first stone in the centre, the third outside the central 5x5",
		Set:     SetStandard, Placed: 1,
		Limits: []Limit{{Move: 1, Square: 1}, {Move: 3, Square: 5, Outside: true}},
	},
	{
		Name: "long-pro", Titles: titles("Long Pro", "Long Pro", "Long Pro", "Long Pro", "Long Pro"),
		Summary: "the first stone in the centre, the third outside the central 7x7",
		Set:     SetStandard, Placed: 1,
		Limits: []Limit{{Move: 1, Square: 1}, {Move: 3, Square: 7, Outside: true}},
	},
	{
		Name: "swap", Titles: titles("Swap", "Swap", "Swap", "Swap", "Swap"),
		Summary: "the first player puts three stones anywhere; the second chooses a colour",
		Set:     SetStandard, Placed: 3, Swaps: []int{3},
	},
	{
		Name: "swap2", Titles: titles("Swap2", "Swap2", "Swap2", "Swap2", "Swap2"),
		Summary: "the first player puts three stones anywhere; the second chooses a colour, or puts two more and leaves the choice to the first",
		Set:     SetStandard, Placed: 3, Swaps: []int{3, 5},
	},
}

func titles(en, hant, hans, ja, ko string) board.Names {
	return board.Names{En: en, Hant: hant, Hans: hans, Ja: ja, Ko: ko}
}

// OpeningRuleNamed returns the rule of that name, or nil.
func OpeningRuleNamed(name string) *OpeningRule {
	for k := range OpeningRules {
		if OpeningRules[k].Name == name {
			return &OpeningRules[k]
		}
	}
	return nil
}

// Opened is what a record tells about the opening of a game. Only the moves
// are always known: nil for the others means that nothing is.
type Opened struct {
	Moves  []game.Move
	Swaps  []int         // the moves after which colours were exchanged
	Offers []board.Point // the fifth moves laid out, the one played among them
}

// Departure is a place where a game does not keep its opening rule.
type Departure struct {
	Move int // from 1
	Text string
}

// Check returns where a game departs from the rule, in the order of moves.
// What is not known is not held against the record, and a game that breaks off
// early departs from nothing.
func (r *OpeningRule) Check(s board.Size, o Opened) (list []Departure) {
	note := func(move int, format string, args ...any) {
		list = append(list, Departure{move, fmt.Sprintf(format, args...)})
	}
	offering := r.Either && o.Offers != nil
	for _, l := range r.Limits {
		free := l.Move == 5 && r.Either && (offering || o.Offers == nil)
		if l.Move <= len(o.Moves) && !free && !l.Allows(s, o.Moves[l.Move-1].To()) {
			note(l.Move, "move %d must be %s", l.Move, l)
		}
	}
	for _, after := range o.Swaps {
		if !slices.Contains(r.Swaps, after) || offering && after >= 4 {
			note(after, "no swap after move %d", after)
		}
	}
	if o.Offers != nil {
		r.checkOffers(o, note)
	}
	slices.SortStableFunc(list, func(a, b Departure) int { return a.Move - b.Move })
	return list
}

// String returns the limit in words: "in the centre", "outside the central 5x5".
func (l Limit) String() string {
	switch {
	case l.Outside:
		return fmt.Sprintf("outside the central %dx%d", l.Square, l.Square)
	case l.Square == 1:
		return "in the centre"
	}
	return fmt.Sprintf("in the central %dx%d", l.Square, l.Square)
}

func (r *OpeningRule) checkOffers(o Opened, note func(int, string, ...any)) {
	switch n := len(o.Offers); {
	case r.MinOffers == 0:
		note(5, "no fifth moves are offered under this rule")
		return
	case n < r.MinOffers || r.MaxOffers > 0 && n > r.MaxOffers:
		note(5, "%d fifth moves offered, want %s", n, r.wanted())
	}
	if len(o.Moves) >= 5 && !slices.Contains(o.Offers, o.Moves[4].To()) {
		note(5, "the fifth move is not among those offered")
	}
	if len(o.Moves) < 4 {
		return
	}
	seen := map[figure]bool{}
	for _, p := range o.Offers {
		f := figureOf(o.Moves[:4], p)
		if seen[f] {
			note(5, "two of the fifth moves offered are symmetrical or equal")
			return
		}
		seen[f] = true
	}
}

func (r *OpeningRule) wanted() string {
	switch r.MaxOffers {
	case r.MinOffers:
		return fmt.Sprint(r.MinOffers)
	case 0:
		return fmt.Sprintf("at least %d", r.MinOffers)
	}
	return fmt.Sprintf("%d to %d", r.MinOffers, r.MaxOffers)
}

// figure is the shape of five stones, wherever it lies on the board: sorted
// points with the colour in the top bit. Fifth moves are the same to players
// if they make the same figure in a mirror or turned, and distances to the
// edges do not count.
type figure [5]uint16

// figureOf returns the least of the eight pictures of four moves and a fifth
// stone.
func figureOf(moves []game.Move, fifth board.Point) (least figure) {
	square := board.Size{W: board.MaxSide, H: board.MaxSide}
	for _, sym := range square.Symmetries() {
		var at figure
		left, top := board.MaxSide, board.MaxSide
		for k := range at {
			p := fifth
			if k < 4 {
				p = moves[k].To()
			}
			if p == board.NoPoint {
				p = board.At(0, 0) // a pass, or nonsense: any point will do
			}
			p = sym.Apply(square, p)
			left, top = min(left, p.X()), min(top, p.Y())
			at[k] = uint16(p) | uint16(k&1)<<15
		}
		for k := range at {
			at[k] -= uint16(board.At(left, top))
		}
		slices.Sort(at[:])
		if sym == board.Identity || slices.Compare(at[:], least[:]) < 0 {
			least = at
		}
	}
	return least
}
