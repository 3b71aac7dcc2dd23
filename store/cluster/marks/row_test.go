package marks

import (
	"qipu/game"
	"qipu/interval"
	"testing"
)

// TestMarkRow packs an interval.
func TestMarkRow(t *testing.T) {
	for _, o := range []interval.Owned{{}, {Span: interval.Span{Lane: 3, From: 1, To: 1<<16 - 1}, Side: game.Second}, {Span: interval.Span{Lane: 3, From: interval.MaxSlot, To: interval.MaxSlot + 2}}} {
		r := NewRow(7, LineID(1<<32-1, 1<<16-1), o)
		if got := r.Owned(int(o.Lane)); got != o {
			t.Errorf("%+v becomes %+v", o, got)
		}
	}
}
