package classify_test

import (
	"fmt"

	"qipu/pattern/kb"
	"qipu/workshop/mine/classify"
)

func ExampleTerms() {
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
	terms, purpose := classify.Terms(e, e.Ours[0], nil)
	fmt.Println(terms, purpose)
	// Output: [hane-at-head-of-two] seal press
}
