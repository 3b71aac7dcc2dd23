package xiangqi

import (
	"qipu/board"
	"qipu/game"
	"qipu/game/xiangqi/attack"
)

// Men tells how the pieces move; all rule sets have that in common.
func (r *Rules) Men() *game.Men { return &men }

var men = game.Men{
	Name: "xiangqi",
	Kinds: []game.Man{
		{Piece: RedKing, Letter: 'K', Most: 1},
		{Piece: RedAdvisor, Letter: 'A', Worth: 2, Most: 2},
		{Piece: RedElephant, Letter: 'E', Also: "B", Worth: 2.1, Most: 2},
		{Piece: RedChariot, Letter: 'R', Worth: 90, Most: 2, Harms: true},
		{Piece: RedHorse, Letter: 'N', Also: "H", Worth: 42, Most: 2, Harms: true},
		{Piece: RedCannon, Letter: 'C', Worth: 40, Most: 2, Harms: true},
		{Piece: RedSoldier, Letter: 'P', Worth: 15, Most: 5, Harms: true},
	},
	Stands:         stands,
	Ways:           ways,
	StuckLoses:     true,
	PerpetualLoses: true,
}

func stands(man board.Piece, at board.Point) bool {
	return size.Has(at) && attack.Home[sideOf(man)][kindOf(man)].Has(attack.SquareOf[at])
}

// The ways of a man: directions along lines, and diagonally.
var (
	straight = [4][2]int{{1, 0}, {-1, 0}, {0, 1}, {0, -1}}
	oblique  = [4][2]int{{1, 1}, {-1, 1}, {1, -1}, {-1, -1}}
)

func ways(man board.Piece, from board.Point) (list []game.Way) {
	side, x, y := sideOf(man), from.X(), from.Y()
	ahead := -1
	if side == Black {
		ahead = 1
	}
	add := func(kind game.WayKind, path ...[2]int) {
		w := game.Way{Kind: kind}
		for _, p := range path {
			if p[0] < 0 || p[0] >= width || p[1] < 0 || p[1] >= height {
				break
			}
			w.Path = append(w.Path, board.At(p[0], p[1]))
		}
		if kind <= game.Strike && (len(w.Path) < len(path) || !stands(man, w.Path[len(path)-1])) || len(w.Path) == 0 {
			return
		}
		list = append(list, w)
	}
	line := func(kind game.WayKind, d [2]int) {
		path := make([][2]int, 0, height)
		for i := 1; i < height; i++ {
			path = append(path, [2]int{x + i*d[0], y + i*d[1]})
		}
		add(kind, path...)
	}
	switch kindOf(man) {
	case king:
		for _, d := range straight {
			add(game.Stride, [2]int{x + d[0], y + d[1]})
		}
		line(game.Face, [2]int{0, ahead})
	case advisor:
		for _, d := range oblique {
			add(game.Stride, [2]int{x + d[0], y + d[1]})
		}
	case elephant:
		for _, d := range oblique {
			add(game.Stride, [2]int{x + d[0], y + d[1]}, [2]int{x + 2*d[0], y + 2*d[1]})
		}
	case chariot, cannon:
		kind := game.Slide
		if kindOf(man) == cannon {
			kind = game.Shoot
		}
		for _, d := range straight {
			line(kind, d)
		}
	case horse:
		for _, d := range straight {
			for _, turn := range [2]int{1, -1} {
				add(game.Stride, [2]int{x + d[0], y + d[1]}, [2]int{x + 2*d[0] + turn*d[1], y + 2*d[1] + turn*d[0]})
			}
		}
	case soldier:
		add(game.Stride, [2]int{x, y + ahead})
		if attack.Crossed(side, attack.SquareOf[from]) {
			add(game.Stride, [2]int{x + 1, y})
			add(game.Stride, [2]int{x - 1, y})
		}
	}
	return list
}
