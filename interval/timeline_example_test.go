package interval_test

import (
	"fmt"

	"qipu/board"
	"qipu/interval"
	"qipu/pattern"
)

// A stone is captured and set anew: when does it stand, and when does it stand
// again after the point was empty?
func ExampleThen() {
	build := interval.NewBuilder(9, []uint8{0, 1}, false)
	build.Add(&interval.Line{End: 10, Changes: []interval.Change{
		{Slot: 1, Point: 4, Piece: 1},
		{Slot: 4, Point: 4, Piece: board.Empty},
		{Slot: 7, Point: 4, Piece: 1},
	}})
	b, err := interval.Open(build.Bytes())
	if err != nil {
		fmt.Println(err)
		return
	}
	lanes := b.All()
	var m interval.Matcher
	stands := m.AppendCount(nil, b, &interval.Counter{Set: pattern.Of(1), Points: []uint16{4}, Low: 1, High: 1}, &lanes)
	empty := interval.Complement(nil, b, &lanes, stands)
	fmt.Println("stands ", stands)
	fmt.Println("empty  ", empty)
	fmt.Println("again  ", interval.Then(nil, b, interval.Intersect(nil, empty, interval.Then(nil, b, stands, empty, 0)), stands, 1))
	// Output:
	// stands  [{0 1 4} {0 7 10}]
	// empty   [{0 0 1} {0 4 7}]
	// again   [{0 7 8}]
}
