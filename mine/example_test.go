package mine_test

import (
	"fmt"

	"qipu/mine"
	"qipu/pattern/kb"
)

func ExampleClassify() {
	f := kb.Parse("example.shapes", []byte(`
shape around-the-corner
terms   hane
ours    a
draw
  . a .
  O X .
  O X .
`))
	e := &f.Entries[0]
	terms, purpose := mine.Classify(e, e.Ours[0], nil)
	fmt.Println(terms, purpose)
	// Output: [hane-at-head-of-two] seal press
}
