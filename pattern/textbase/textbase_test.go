package textbase_test

import (
	"fmt"
	"slices"
	"testing"
	"testing/fstest"

	"qipu/pattern/textbase"
)

// Files lie above each other: a later item takes the place of an earlier one with its
// id, and the second one in a file is told.
func ExampleLayers() {
	var l textbase.Layers[string]
	for _, file := range [][]string{{"cut", "hane", "cut"}, {"push", "cut"}} {
		l.Next()
		for line, id := range file {
			if _, twice := l.Put(id, line+1, id+" of "+file[0]); twice > 0 {
				fmt.Println(id, "stands in line", twice, "already")
			}
		}
	}
	fmt.Printf("%q %d\n", l.Items, l.Index("push"))
	// Output:
	// cut stands in line 1 already
	// ["cut of push" "hane of cut" "push of push"] 2
}

func TestNames(t *testing.T) {
	var n textbase.Names[int]
	n.Add(1, "Empty Triangle", "", "空三角", "empty-triangle")
	n.Add(2, "空三角")
	if got := n.Find("EMPTY-triangle"); !slices.Equal(got, []int{1}) {
		t.Errorf("%v", got)
	}
	if got := n.Find("空三角"); !slices.Equal(got, []int{1, 2}) {
		t.Errorf("%v", got)
	}
	if got := n.Find(""); got != nil {
		t.Errorf("%v", got)
	}
	if got := n.Nearest("emty triangle", 1); !slices.Equal(got, []string{"empty triangle"}) {
		t.Errorf("%q", got)
	}
}

func TestRead(t *testing.T) {
	fsys := fstest.MapFS{"b.x": {Data: []byte("two")}, "a.x": {Data: []byte("one")}, "c.y": {Data: []byte("other")}, "d.x": {Data: []byte("too long")}}
	got, err := textbase.Read(fsys, ".x", "in/", 5,
		func(name string, data []byte) string { return name + " " + string(data) },
		func(name string, size int64) string { return fmt.Sprint(name, " has ", size) })
	if want := []string{"in/a.x one", "in/b.x two", "in/d.x has 8"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v, want %q", got, err, want)
	}
}
