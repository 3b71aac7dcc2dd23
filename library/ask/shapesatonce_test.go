package ask_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"qipu"
	"qipu/game/weiqi"
	"qipu/pattern/advise"
)

// TestShapesAtOnce reads, asks and changes shapes from many goroutines.
//
//qipu:race
func TestShapesAtOnce(t *testing.T) {
	l, err := qipu.Open(t.Context(), t.TempDir(), qipu.Options{Create: true})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	var wait sync.WaitGroup
	for i := range 4 {
		wait.Go(func() {
			for j := range 5 {
				id := fmt.Sprintf("own-%d-%d", i, j)
				if err := l.Knowledge().SaveShapes(t.Context(), parseShape(t, strings.ReplaceAll(ownCut, "own-cut", id))); err != nil {
					t.Error(err)
				}
				if l.Knowledge().Shapes().Base.Entry(id) == nil {
					t.Errorf("%s was kept, and is not there", id)
				}
			}
		})
		wait.Go(func() {
			p := weiqi.Standard.Start().(*weiqi.Position)
			for range 5 {
				if _, err := l.Knowledge().Shapes().Advise(p, advise.Ask{}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wait.Wait()
	own := 0
	for i := range l.Knowledge().Shapes().Base.Entries {
		if strings.HasPrefix(l.Knowledge().Shapes().Base.Entries[i].ID, "own-") {
			own++
		}
	}
	if own != 20 {
		t.Errorf("%d of 20 shapes are there", own)
	}
}
