package query_test

import (
	"fmt"

	"qipu/game/xiangqi"
	"qipu/query"
	"qipu/query/bind"
)

// A query is parsed, bound to a kind of board, and made simple. What it prints
// can be parsed again.
func Example() {
	const text = `red:胡榮華 result:win since 1960 has(red chariot file 4)`
	q, err := query.Parse(text)
	if err != nil {
		fmt.Println(err)
		return
	}
	b := bind.Binder{Rules: xiangqi.Standard, Text: text}
	if q, err = b.Bind(q); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(query.Simplify(q))
	// Output: first:胡榮華 and result:first and date>=1960 and count(red chariot file 4)>=1
}

// An error shows the place and what may have been meant.
func ExampleError_Show() {
	_, err := query.Parse(`playr:"Ke Jie" and result:win`)
	fmt.Print(err.(*query.Error).Show())
	// Output:
	//   playr:"Ke Jie" and result:win
	//   ^^^^^
	// there is no field "playr"
	// did you mean player?
}

// Suggestions replace the bytes between From and To.
func ExampleComplete() {
	for _, s := range query.Complete("player:X and res", 16, nil) {
		fmt.Println(s.Text, s.From, s.To, s.Help)
	}
	// Output: result: 13 16 who won, also as records have it: B+R, B+3.5, 1-0, 黑勝; win and loss are those of the player that stands beside it
}
