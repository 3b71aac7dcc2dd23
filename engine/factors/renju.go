package factors

import (
	"qipu/board"
	"qipu/game"
)

// Rows has the factors of five in a row: stretches of five points, by how many stones of
// one side alone are in them.
type Rows struct{}

var rowsNames = []string{
	"stretches with one", "stretches with two", "stretches with three", "stretches with four", "fives",
	"of the other with one", "of the other with two", "of the other with three", "of the other with four",
	"stones beside own ones", "stones beside others", "middle",
}

// Names names them.
func (Rows) Names() []string { return rowsNames }

// AppendFactors counts them.
func (Rows) AppendFactors(dst []int8, pos game.Position, side game.Side) []int8 {
	b := pos.(game.Planar).Planes()
	w, h := b.Size.W, b.Size.H
	var cells [board.MaxPoints]int8
	for i, s := range both(side) {
		for p := range b.Of[s].Points() {
			cells[p.Y()*w+p.X()] = int8(1 - 2*i)
		}
	}
	var rows [2][6]int
	own, others, mid := 0, 0, 0
	for y := range h {
		for x := range w {
			v := cells[y*w+x]
			for _, d := range [4][2]int{{1, 0}, {0, 1}, {1, 1}, {-1, 1}} {
				if nx, ny := x+d[0], y+d[1]; v == 1 && nx >= 0 && nx < w && ny < h {
					if cells[ny*w+nx] == 1 {
						own++
					}
				}
				ex, ey := x+4*d[0], y+4*d[1]
				if ex < 0 || ex >= w || ey >= h {
					continue
				}
				mine, theirs := 0, 0
				for i := range 5 {
					switch cells[(y+i*d[1])*w+x+i*d[0]] {
					case 1:
						mine++
					case -1:
						theirs++
					}
				}
				if theirs == 0 {
					rows[0][mine]++
				} else if mine == 0 {
					rows[1][theirs]++
				}
			}
			if v != 1 {
				continue
			}
			mid -= max(abs(2*x-w+1), abs(2*y-h+1)) / 2
			for dy := -1; dy <= 1; dy++ {
				for dx := -1; dx <= 1; dx++ {
					if nx, ny := x+dx, y+dy; nx >= 0 && nx < w && ny >= 0 && ny < h && cells[ny*w+nx] == -1 {
						others++
					}
				}
			}
		}
	}
	for _, v := range [...]int{
		rows[0][1], rows[0][2], rows[0][3], rows[0][4], rows[0][5], -rows[1][1], -rows[1][2], -rows[1][3], -rows[1][4], own, others, mid,
	} {
		dst = append(dst, clamp(v))
	}
	return dst
}

func abs(n int) int { return max(n, -n) }
