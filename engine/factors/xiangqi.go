package factors

import (
	"qipu/board"
	"qipu/game"
	"qipu/game/xiangqi"
)

// Xiangqi has the factors of Xiangqi.
type Xiangqi struct{}

var xiangqiNames = []string{
	"advisors", "elephants", "chariots", "horses", "cannons", "soldiers", "soldiers across", "men across", "horses and chariots out", "cannons on the middle file",
	"men round the palace of the other", "moves of the other", "the dearest man that the other can take", "men that the other can take", "check",
}

// Names names them.
func (Xiangqi) Names() []string { return xiangqiNames }

// worth is what men count where one is taken, in the order of the pieces of a side.
var worth = [7]int{0, 2, 2, 9, 4, 4, 1}

// AppendFactors counts them. Where it is the turn of the side itself, what the other can
// do is not known and counts nothing.
func (Xiangqi) AppendFactors(dst []int8, pos game.Position, side game.Side) []int8 {
	p := pos.(*xiangqi.Position)
	b := p.Planes()
	var had [2][7]int
	var across, far, out, mid, near [2]int
	for i, s := range both(side) {
		for k := range 7 {
			had[i][k] = b.Of[7*int(s)+k].Count()
			for at := range b.Of[7*int(s)+k].Points() {
				row := 9 - at.Y() // from its own back rank
				if s == game.Second {
					row = at.Y()
				}
				switch {
				case k == 6 && row >= 5:
					across[i]++
				case k >= 3 && k < 6:
					if row >= 5 {
						far[i]++
					}
					if k != 5 && row > 0 {
						out[i]++
					}
					if k == 5 && at.X() == 4 {
						mid[i]++
					}
				}
				if k >= 3 && row >= 7 && at.X() >= 3 && at.X() <= 5 {
					near[i]++
				}
			}
		}
	}
	moves, dearest, taken, check := 0, 0, 0, 0
	if p.Turn() != side {
		var seen board.Plane
		for _, m := range p.AppendMoves(make([]game.Move, 0, 64)) {
			moves++
			if k := int(b.At(m.To())) - 1 - 7*int(side); k >= 0 && k < 7 {
				dearest = max(dearest, worth[k])
				if !seen.Has(m.To()) {
					seen.Add(m.To())
					taken++
				}
			}
		}
		if p.InCheck() {
			check = 1
		}
	}
	for k := 1; k < 7; k++ {
		dst = append(dst, clamp(had[0][k]-had[1][k]))
	}
	for _, v := range [...]int{across[0] - across[1], far[0] - far[1], out[0] - out[1], mid[0] - mid[1], near[0] - near[1], -moves, -dearest, -taken, check} {
		dst = append(dst, clamp(v))
	}
	return dst
}
