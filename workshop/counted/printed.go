package counted

import (
	"strconv"
	"strings"

	"qipu/game/weiqi/life"
)

// PrintedMethod is the name of the rows that Printed returns.
const PrintedMethod = "printed"

// printed is Table 2 of the paper that the string graph is from, on the 31 boards
// of IGS_31_counted: the points and the strings that its authors had right, and
// how many strings there are. Of game 5 the table has more right than there are:
// it counts as all of them.
var printed = [31][3]int{
	{335, 33, 35}, {320, 26, 28}, {343, 39, 39}, {361, 22, 22}, {335, 38, 36}, {312, 31, 36}, {325, 41, 42}, {310, 25, 31},
	{296, 35, 35}, {333, 22, 23}, {346, 41, 43}, {319, 36, 37}, {358, 40, 40}, {352, 29, 29}, {345, 38, 41}, {332, 43, 44},
	{321, 50, 53}, {353, 24, 24}, {332, 48, 52}, {302, 42, 42}, {339, 41, 42}, {345, 29, 29}, {361, 34, 34}, {324, 31, 33},
	{361, 42, 42}, {348, 29, 30}, {347, 35, 35}, {239, 37, 51}, {332, 32, 33}, {361, 28, 28}, {361, 34, 34},
}

// Printed returns rows with what the paper prints of boards that its experiments
// were made on, to stand beside measured ones: one for each such board, named q1
// to q31 and with as many strings, and one for a set that has no others. Whether
// its points are counted by owner or by group the paper leaves open: they stand
// for both.
func Printed(boards []*Board) (sets, each []Row) {
	var b life.Board
	whole := map[string]*Row{}
	for _, c := range boards {
		n, err := strconv.Atoi(strings.TrimPrefix(c.Name, "q"))
		known := err == nil && n >= 1 && n <= len(printed) && c.Name == "q"+strconv.Itoa(n)
		if known {
			b.Reset(c.Setup.Board)
			known = len(b.Strings) == printed[n-1][2] && len(b.On) == 19*19
		}
		if whole[c.Set] == nil {
			whole[c.Set] = &Row{Set: c.Set, Method: PrintedMethod}
		}
		if !known {
			whole[c.Set].Method = ""
			continue
		}
		line := &printed[n-1]
		row := Row{Set: c.Set, Board: c.Name, Method: PrintedMethod, Tally: Tally{
			Boards: 1, Points: 19 * 19, PointsRight: line[0], PointsWrong: 19*19 - line[0], GroupsRight: line[0],
			Strings: line[2], StringsRight: min(line[1], line[2]), StringsWrong: max(0, line[2]-line[1]),
		}}
		each = append(each, row)
		whole[c.Set].Tally.Add(&row.Tally)
	}
	for i := range each {
		if row := whole[each[i].Set]; row != nil && row.Method != "" {
			sets = append(sets, *row)
			whole[each[i].Set] = nil
		}
	}
	return sets, each
}
