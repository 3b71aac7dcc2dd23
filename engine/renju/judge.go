package renju

// worth is what free points are worth by what a stone makes there, in hundredths: to the
// side to move, and to the other one.
var worth = [2][grades]int32{
	{gLow: 0, gOne: 0, gOneOne: 1, gTwoLow: 2, gTwoLows: 2, gTwo: 3, gTwoMore: 5, gTwoTwo: 9, gTwoTwoTwo: 12,
		gThreeLow: 3, gThreeLowTwoLow: 6, gThreeLowTwo: 9, gThreeLowTwos: 27, gThreeLows: 17,
		gThree: 12, gThreeMore: 32, gThreeThreeLow: 36, gThreeThree: 36,
		gFour: 12, gFourTwo: 52, gFourThreeLow: 60, gFourThree: 67, gFourThrees: 10, gFourFour: 900, gFive: 2000, gFoul: -45},
	{gLow: 0, gOne: 0, gOneOne: 1, gTwoLow: 2, gTwoLows: 2, gTwo: 2, gTwoMore: 4, gTwoTwo: 9, gTwoTwoTwo: 10,
		gThreeLow: 2, gThreeLowTwoLow: 6, gThreeLowTwo: 7, gThreeLowTwos: 27, gThreeLows: 16,
		gThree: 9, gThreeMore: 23, gThreeThreeLow: 32, gThreeThree: 30,
		gFour: 13, gFourTwo: 46, gFourThreeLow: 46, gFourThree: 112, gFourThrees: 5, gFourFour: 67, gFive: 1500, gFoul: -45},
}

// tempo is what having the move is worth.
const tempo = 20

// judge returns the value for a side that is to move.
func (s *search) judge(side int) int {
	v := int32(tempo)
	own, other := &s.t.count[side], &s.t.count[1-side]
	w := s.style.worth
	for g := gLow; g < grades; g++ {
		v += int32(own[g])*w[0][g] - int32(other[g])*w[1][g]
	}
	return int(v)
}

// The ranks of points: what a stone makes there, and what it keeps the other side from
// making.
var (
	makes = [grades]int32{gLow: 0, gOne: 2, gOneOne: 4, gTwoLow: 8, gTwoLows: 14, gTwo: 20, gTwoMore: 28, gTwoTwo: 50, gTwoTwoTwo: 70,
		gThreeLow: 30, gThreeLowTwoLow: 40, gThreeLowTwo: 70, gThreeLowTwos: 95, gThreeLows: 80,
		gThree: 110, gThreeMore: 140, gThreeThreeLow: 160, gThreeThree: 400,
		gFour: 60, gFourTwo: 100, gFourThreeLow: 140, gFourThree: 1500, gFourThrees: 200, gFourFour: 3000, gFive: 9000}
	stops = [grades]int32{gLow: 0, gOne: 2, gOneOne: 3, gTwoLow: 6, gTwoLows: 10, gTwo: 16, gTwoMore: 20, gTwoTwo: 38, gTwoTwoTwo: 50,
		gThreeLow: 22, gThreeLowTwoLow: 30, gThreeLowTwo: 50, gThreeLowTwos: 70, gThreeLows: 60,
		gThree: 60, gThreeMore: 85, gThreeThreeLow: 110, gThreeThree: 250,
		gFour: 40, gFourTwo: 60, gFourThreeLow: 90, gFourThree: 900, gFourThrees: 100, gFourFour: 1800, gFive: 6000}
)
