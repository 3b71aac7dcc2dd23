package facts_test

import (
	"fmt"

	"qipu/record/facts"
)

func Example() {
	fmt.Println(facts.ParseDate("1934-03-04,04-01,08"))
	fmt.Println(facts.ParseDate("03-04-2001")) // which is the day?
	fmt.Println(facts.ParseResult(facts.BlackFirst, "白２目半勝"))
	fmt.Println(facts.ParseResult(facts.RedFirst, "黑胜").PGN())
	fmt.Println(facts.ParseRank("P9段"), facts.ParseKomi("375"))
	// Output:
	// 1934-03-04..04-08
	// 2001
	// W+2.5
	// 0-1
	// 9p 7.5
}
