// Package connect4 is Connect Four: seven columns of six, discs fall to the
// lowest free place, four in a row win.
package connect4

import (
	"fmt"
	"strconv"
	"strings"

	"qipu/board"
	"qipu/game"
)

const (
	width  = 7
	height = 6
)

// Rules is Connect Four; the zero value is ready to use.
type Rules struct{}

// Position is a moment of a game.
type Position struct {
	planes  board.Planes
	turn    game.Side
	history []board.Point
}

var (
	_ game.Rules    = Rules{}
	_ game.Position = (*Position)(nil)
	_ game.Planar   = (*Position)(nil)
)

var errNotLowest error = game.Illegal("a disc falls to the lowest free place")

var info = game.Info{
	Name:    "connect4",
	Titles:  board.Names{En: "Connect Four", Hant: "四子棋", Hans: "四子棋", Ja: "四目並べ", Ko: "사목"},
	Shelf:   game.LabShelf,
	Aliases: []string{"four-in-a-row"},
	Howto: board.Names{
		En:   "Discs fall to the lowest free place of a column. Four in a row win.",
		Hant: "棋子落到一列最低的空位。四子連線者勝。",
		Hans: "棋子落到一列最低的空位。四子连线者胜。",
		Ja:   "駒は列の一番下の空きに落ちます。4 つ並べれば勝ちです。",
		Ko:   "말은 세로줄의 가장 아래 빈 곳에 떨어집니다. 네 개를 한 줄로 놓으면 이깁니다.",
	},
	Sides: []game.SideInfo{
		{Name: "yellow", Titles: board.Names{En: "Yellow", Hant: "黃方", Hans: "黄方", Ja: "黄", Ko: "노랑"}, Letters: "XxyY"},
		{Name: "red", Titles: board.Names{En: "Red", Hant: "紅方", Hans: "红方", Ja: "赤", Ko: "빨강"}, Letters: "OorR"},
	},
	Notations: []game.NotationInfo{{Name: "column", Summary: "number of the column: 4"}},
	Symmetries: []game.Symmetry{
		{}, {Board: board.Mirror}, {Swap: true}, {Board: board.Mirror, Swap: true},
	},
}

var geometry = board.Geometry{
	Size:  board.Size{W: width, H: height},
	Cells: true,
	Lines: board.Grid(board.Size{W: width, H: height}, true),
	Labels: board.Labels{
		Top:  []string{"1", "2", "3", "4", "5", "6", "7"},
		Left: []string{"6", "5", "4", "3", "2", "1"},
	},
	Pieces: []board.Look{
		{Names: board.Names{En: "yellow disc", Hant: "黃子", Hans: "黄子", Ja: "黄の駒", Ko: "노란 말"}, Owner: 0, Swap: 2,
			Letters: "X", Symbol: "●", Fill: "#f2c230", Edge: "#a9831a", Ink: "#111111"},
		{Names: board.Names{En: "red disc", Hant: "紅子", Hans: "红子", Ja: "赤の駒", Ko: "빨간 말"}, Owner: 1, Swap: 1,
			Letters: "O", Symbol: "○", Fill: "#c8372d", Edge: "#7c1c15", Ink: "#ffffff"},
	},
	Theme: board.Theme{Board: "#2f5ea8", Line: "#1d3c6e", Mark: "#ffffff"},
}

// Info returns the facts about the game.
func (Rules) Info() *game.Info { return &info }

// Geometry returns what the board looks like.
func (Rules) Geometry() *board.Geometry { return &geometry }

// Start returns the empty board.
func (r Rules) Start() game.Position {
	p, _ := r.Arrange(game.NewSetup(r))
	return p
}

// Arrange refuses discs that hang in the air.
func (r Rules) Arrange(s game.Setup) (game.Position, error) {
	if err := s.Check(r); err != nil {
		return nil, err
	}
	all := s.Board.Occupied()
	for q := range all.Points() {
		if q.Y() < height-1 && !all.Has(q+board.Stride) {
			return nil, fmt.Errorf("connect4: the disc in column %d, row %d hangs in the air", q.X()+1, height-q.Y())
		}
	}
	return &Position{planes: *s.Board.Clone(), turn: s.Turn}, nil
}

// ParseMove reads the number of a column.
func (Rules) ParseMove(p game.Position, text string, _ game.Notation) (game.Move, error) {
	if len(text) != 1 || !strings.Contains("1234567", text) {
		return game.NoMove, game.ErrSyntax
	}
	pos := p.(*Position)
	to := pos.lowest(int(text[0] - '1'))
	if to == board.NoPoint {
		return game.NoMove, game.ErrOccupied
	}
	return game.Drop(to), pos.legal(game.Drop(to))
}

// AppendMove appends the number of the column.
func (Rules) AppendMove(dst []byte, _ game.Position, m game.Move, _ game.Notation) []byte {
	return strconv.AppendInt(dst, int64(m.To().X()+1), 10)
}

// lowest returns the lowest free place of a column, or NoPoint.
func (p *Position) lowest(x int) board.Point {
	for y := height - 1; y >= 0; y-- {
		if q := board.At(x, y); p.planes.At(q) == board.Empty {
			return q
		}
	}
	return board.NoPoint
}

// Turn returns the side to move.
func (p *Position) Turn() game.Side { return p.turn }

// Planes returns the board.
func (p *Position) Planes() *board.Planes { return &p.planes }

// AppendMoves appends one move for every column that is not full.
func (p *Position) AppendMoves(dst []game.Move) []game.Move {
	if p.Outcome().Over() {
		return dst
	}
	for x := range width {
		if to := p.lowest(x); to != board.NoPoint {
			dst = append(dst, game.Drop(to))
		}
	}
	return dst
}

func (p *Position) legal(m game.Move) error {
	to := m.To()
	switch {
	case p.Outcome().Over():
		return game.ErrOver
	case to == board.NoPoint || m != game.Drop(to) || !p.planes.Size.Has(to):
		return game.ErrOffBoard
	case p.planes.At(to) != board.Empty:
		return game.ErrOccupied
	case p.lowest(to.X()) != to:
		return errNotLowest
	}
	return nil
}

// Play drops a disc.
func (p *Position) Play(m game.Move) error {
	if err := p.legal(m); err != nil {
		return err
	}
	p.planes.Of[p.turn].Add(m.To())
	p.history = append(p.history, m.To())
	p.turn ^= 1
	return nil
}

// Undo takes the last disc back.
func (p *Position) Undo() {
	last := len(p.history) - 1
	p.turn ^= 1
	p.planes.Of[p.turn].Remove(p.history[last])
	p.history = p.history[:last]
}

// Outcome looks for four in a row: each shift halves what is left to find.
func (p *Position) Outcome() game.Outcome {
	for side := range p.planes.Of {
		for _, d := range [4][2]int{{1, 0}, {0, 1}, {1, 1}, {1, -1}} {
			row := p.planes.Of[side]
			two := row.Shift(p.planes.Size, d[0], d[1])
			two.And(&row)
			four := two.Shift(p.planes.Size, 2*d[0], 2*d[1])
			if four.Meets(&two) {
				return game.Outcome{State: game.Won, Winner: game.Side(side), Reason: game.ByLine}
			}
		}
	}
	if all := p.planes.Occupied(); all.Count() == width*height {
		return game.Outcome{State: game.Drawn, Reason: game.ByFull}
	}
	return game.Outcome{}
}

// Hash returns a key of the position.
func (p *Position) Hash() uint64 { return p.planes.Hash() ^ board.Mix(uint64(p.turn)<<32) }

// lines are the 69 places for four in a row.
var lines = func() (list [][4]board.Point) {
	for y := range height {
		for x := range width {
			for _, d := range [4][2]int{{1, 0}, {0, 1}, {1, 1}, {1, -1}} {
				if ex, ey := x+3*d[0], y+3*d[1]; ex >= width || ey < 0 || ey >= height {
					continue
				}
				var line [4]board.Point
				for i := range line {
					line[i] = board.At(x+i*d[0], y+i*d[1])
				}
				list = append(list, line)
			}
		}
	}
	return list
}()

// Open returns for each side and number of discs how many places for four have so
// many of its discs and none of the other side's.
func (p *Position) Open() (rows [2][9]int) {
	for _, line := range lines {
		var n [2]int
		for _, q := range line {
			for side := range n {
				if p.planes.Of[side].Has(q) {
					n[side]++
				}
			}
		}
		for side := range n {
			if n[1-side] == 0 {
				rows[side][n[side]]++
			}
		}
	}
	return rows
}
