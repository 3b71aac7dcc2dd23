package game_test

import (
	"slices"
	"testing"

	"qipu/board"
	"qipu/game"
	"qipu/game/weiqi"
	"qipu/game/xiangqi"
)

// TestContacts checks the relations that every game has.
func TestContacts(t *testing.T) {
	b := board.NewPlanes(board.Size{W: 19, H: 19}, 2)
	for _, p := range []struct {
		x, y  int
		piece board.Piece
	}{{0, 0, 2}, {1, 0, 1}, {1, 1, 1}, {18, 0, 1}, {0, 18, 1}, {3, 3, 1}, {4, 4, 1}} {
		b.Put(board.At(p.x, p.y), p.piece)
	}
	want := []game.Relation{
		{Kind: game.Join, By: 1, On: 1, From: board.At(1, 0), To: board.At(1, 1)},
		{Kind: game.Meet, By: 1, On: 2, From: board.At(1, 0), To: board.At(0, 0)},
	}
	if got := game.Relations(weiqi.Standard)(nil, b); !slices.Equal(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	start := xiangqi.Standard.Start().(game.Planar).Planes()
	if list := game.Relations(xiangqi.Standard)(nil, start); !slices.ContainsFunc(list, func(r game.Relation) bool { return r.Kind == game.Screen }) {
		t.Errorf("no cannon of the start position has a screen: %+v", list)
	}
}
