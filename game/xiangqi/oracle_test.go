package xiangqi_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"qipu/board"
	"qipu/game"
	"qipu/game/xiangqi"
	"qipu/internal/testkit"
)

// oracle is a second, naive telling of the rules on an array of letters. It
// shares no code with the package: a move is legal if no answer takes the
// king.
type oracle struct {
	cell [10][9]byte // FEN letters, 0 for empty
	red  bool        // to move
}

func oracleOf(p game.Position) *oracle {
	o := &oracle{red: p.Turn() == game.First}
	rows, _, _ := strings.Cut(game.FormatPosition(xiangqi.Standard, p), " ")
	for y, text := range strings.Split(rows, "/") {
		x := 0
		for _, c := range []byte(text) {
			if c >= '1' && c <= '9' {
				x += int(c - '0')
				continue
			}
			o.cell[y][x] = c
			x++
		}
	}
	return o
}

func isRed(c byte) bool { return c >= 'A' && c <= 'Z' }

// legal returns the moves of the side to move as fromX fromY toX toY.
func (o *oracle) legal() (list [][4]int) {
	for _, m := range o.pseudo() {
		next := *o
		next.cell[m[3]][m[2]] = next.cell[m[1]][m[0]]
		next.cell[m[1]][m[0]] = 0
		next.red = !o.red
		if !next.takesKing() {
			list = append(list, m)
		}
	}
	return list
}

func (o *oracle) takesKing() bool {
	for _, m := range o.pseudo() {
		if c := o.cell[m[3]][m[2]]; c == 'K' || c == 'k' {
			return true
		}
	}
	return false
}

func (o *oracle) pseudo() (list [][4]int) {
	for y := range 10 {
		for x := range 9 {
			c := o.cell[y][x]
			if c == 0 || isRed(c) != o.red {
				continue
			}
			for ty := range 10 {
				for tx := range 9 {
					t := o.cell[ty][tx]
					if (tx != x || ty != y) && (t == 0 || isRed(t) != o.red) && o.goes(c, x, y, tx, ty) {
						list = append(list, [4]int{x, y, tx, ty})
					}
				}
			}
		}
	}
	return list
}

func abs(n int) int { return max(n, -n) }

// count returns the pieces strictly between two points of one line.
func (o *oracle) count(x, y, tx, ty int) int {
	n := 0
	dx, dy := sign(tx-x), sign(ty-y)
	for x, y = x+dx, y+dy; x != tx || y != ty; x, y = x+dx, y+dy {
		if o.cell[y][x] != 0 {
			n++
		}
	}
	return n
}

func sign(n int) int {
	switch {
	case n < 0:
		return -1
	case n > 0:
		return 1
	}
	return 0
}

func (o *oracle) goes(c byte, x, y, tx, ty int) bool {
	red := isRed(c)
	dx, dy := tx-x, ty-y
	straight := dx == 0 || dy == 0
	palace := tx >= 3 && tx <= 5 && (red && ty >= 7 || !red && ty <= 2)
	forward := -1
	crossed := y <= 4
	if !red {
		forward, crossed = 1, y >= 5
	}
	switch c | 0x20 {
	case 'k':
		if t := o.cell[ty][tx] | 0x20; t == 'k' && dx == 0 && o.count(x, y, tx, ty) == 0 {
			return true
		}
		return palace && abs(dx)+abs(dy) == 1
	case 'a':
		return palace && abs(dx) == 1 && abs(dy) == 1
	case 'b':
		return abs(dx) == 2 && abs(dy) == 2 && o.cell[y+dy/2][x+dx/2] == 0 && (red && ty >= 5 || !red && ty <= 4)
	case 'n':
		return abs(dx) == 1 && abs(dy) == 2 && o.cell[y+dy/2][x] == 0 || abs(dx) == 2 && abs(dy) == 1 && o.cell[y][x+dx/2] == 0
	case 'r':
		return straight && o.count(x, y, tx, ty) == 0
	case 'c':
		want := 0
		if o.cell[ty][tx] != 0 {
			want = 1
		}
		return straight && o.count(x, y, tx, ty) == want
	case 'p':
		return dx == 0 && dy == forward || crossed && dy == 0 && abs(dx) == 1
	}
	return false
}

// agree compares the moves of a position with the oracle's.
func agree(t *testing.T, p game.Position) {
	t.Helper()
	var want []game.Move
	for _, m := range oracleOf(p).legal() {
		want = append(want, game.Step(board.At(m[0], m[1]), board.At(m[2], m[3])))
	}
	got := p.AppendMoves(nil)
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Fatalf("%s\nmoves %s\nwant  %s", game.FormatPosition(xiangqi.Standard, p), texts(got), texts(want))
	}
	if n := p.(game.MoveCounter).CountMoves(); n != len(want) {
		t.Fatalf("%s: CountMoves = %d, want %d", game.FormatPosition(xiangqi.Standard, p), n, len(want))
	}
}

func texts(moves []game.Move) string {
	var list []string
	for _, m := range moves {
		list = append(list, fmt.Sprintf("%v-%v", m.From(), m.To()))
	}
	return strings.Join(list, " ")
}

// randomSetup strews pieces over points where they may stand. Few pieces and
// many line pieces make checks, pins and screens frequent.
func randomSetup(rng *rand.Rand) game.Setup {
	s := game.NewSetup(xiangqi.Standard)
	s.Turn = game.Side(rng.IntN(2))
	put := func(piece board.Piece, points [][2]int) {
		p := points[rng.IntN(len(points))]
		x, y := p[0], p[1]
		if piece > xiangqi.RedSoldier {
			y = 9 - y
		}
		if s.Board.At(board.At(x, y)) == board.Empty {
			s.Board.Put(board.At(x, y), piece)
		}
	}
	var anywhere, palace, beyond [][2]int
	for y := range 10 {
		for x := range 9 {
			anywhere = append(anywhere, [2]int{x, y})
			if y <= 4 {
				beyond = append(beyond, [2]int{x, y})
			}
			if x >= 3 && x <= 5 && y >= 7 {
				palace = append(palace, [2]int{x, y})
			}
		}
	}
	homes := map[board.Piece][][2]int{
		xiangqi.RedKing:     palace,
		xiangqi.RedAdvisor:  {{3, 9}, {5, 9}, {4, 8}, {3, 7}, {5, 7}},
		xiangqi.RedElephant: {{2, 9}, {6, 9}, {0, 7}, {4, 7}, {8, 7}, {2, 5}, {6, 5}},
		xiangqi.RedChariot:  anywhere, xiangqi.RedHorse: anywhere, xiangqi.RedCannon: anywhere,
		xiangqi.RedSoldier: beyond,
	}
	put(xiangqi.RedKing, palace)
	put(xiangqi.BlackKing, palace)
	counts := map[board.Piece]int{}
	for range 2 + rng.IntN(16) {
		kind := xiangqi.RedAdvisor + board.Piece(rng.IntN(6))
		piece := kind + 7*board.Piece(rng.IntN(2))
		if counts[piece]++; counts[piece] <= 5 {
			put(piece, homes[kind])
		}
	}
	return s
}

func TestOracle(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	arranged := 0
	for range testkit.Scale(4_000, 150_000) {
		p, err := xiangqi.Standard.Arrange(randomSetup(rng))
		if err != nil {
			continue
		}
		arranged++
		agree(t, p)
		// A few plies on: the view of the king is made anew after each.
		for range 3 {
			moves := p.AppendMoves(nil)
			if len(moves) == 0 {
				break
			}
			if err := p.Play(moves[rng.IntN(len(moves))]); err != nil {
				t.Fatal(err)
			}
			agree(t, p)
		}
	}
	if arranged < 500 {
		t.Errorf("only %d positions were possible", arranged)
	}
}

func TestOracleGames(t *testing.T) {
	for seed := range uint64(testkit.Scale(4, 200)) {
		rng := rand.New(rand.NewPCG(3, seed))
		p := xiangqi.Standard.Start()
		for range 200 {
			agree(t, p)
			moves := p.AppendMoves(nil)
			if len(moves) == 0 {
				break
			}
			if err := p.Play(moves[rng.IntN(len(moves))]); err != nil {
				t.Fatal(err)
			}
		}
	}
}
