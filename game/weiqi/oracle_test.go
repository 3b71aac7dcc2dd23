package weiqi_test

import (
	"strings"

	"qipu/board"
	"qipu/game"
	"qipu/game/weiqi"
)

// oracle is Go again, as plainly as it can be written: an array, flood fills,
// and a list of all boards there were. It shares no code with the package.
type oracle struct {
	set       weiqi.RuleSet
	w, h      int
	board     []byte // '.', 'X', 'O'
	turn      int
	passes    int
	prisoners [2]int
	history   []moment
}

type moment struct {
	board     string
	turn      int
	passes    int
	prisoners [2]int
	pass      bool // what was done next
}

func newOracle(r *weiqi.Rules) *oracle {
	o := &oracle{set: r.RuleSet(), w: r.Size().W, h: r.Size().H}
	for range o.w * o.h {
		o.board = append(o.board, '.')
	}
	return o
}

func (o *oracle) around(i int) (list []int) {
	x, y := i%o.w, i/o.w
	if x > 0 {
		list = append(list, i-1)
	}
	if x < o.w-1 {
		list = append(list, i+1)
	}
	if y > 0 {
		list = append(list, i-o.w)
	}
	if y < o.h-1 {
		list = append(list, i+o.w)
	}
	return list
}

// group returns the points connected with i by its own kind, and the kinds
// next to them.
func (o *oracle) group(b []byte, i int) (points []int, touches map[byte]bool) {
	seen := map[int]bool{i: true}
	points = []int{i}
	touches = map[byte]bool{}
	for k := 0; k < len(points); k++ {
		for _, n := range o.around(points[k]) {
			if b[n] != b[i] {
				touches[b[n]] = true
			} else if !seen[n] {
				seen[n] = true
				points = append(points, n)
			}
		}
	}
	return points, touches
}

// result returns the board after a stone of a side on i, and the prisoners
// made: enemies first, then own.
func (o *oracle) result(side, i int) (b []byte, enemies, own int) {
	b = append([]byte(nil), o.board...)
	b[i] = "XO"[side]
	for _, n := range o.around(i) {
		if b[n] == "OX"[side] {
			if points, touches := o.group(b, n); !touches['.'] {
				enemies += len(points)
				for _, q := range points {
					b[q] = '.'
				}
			}
		}
	}
	if points, touches := o.group(b, i); !touches['.'] {
		own = len(points)
		for _, q := range points {
			b[q] = '.'
		}
	}
	return b, enemies, own
}

func (o *oracle) over() bool {
	if o.passes < 2 {
		return false
	}
	return !o.set.WhiteLast || o.turn == 0
}

// legal reports whether the side to move may play on i; area is a pass.
func (o *oracle) legal(i int) bool {
	if o.over() {
		return false
	}
	if i == o.w*o.h {
		return true
	}
	if o.passes >= 2 || o.board[i] != '.' {
		return false
	}
	b, _, own := o.result(o.turn, i)
	if own > 0 && !o.set.Suicide {
		return false
	}
	// A ko may not be retaken at once under any rules. Superko implies it, but
	// for forced moves out of turn.
	if n := len(o.history); n > 0 && own == 0 && o.history[n-1].board == string(b) {
		return false
	}
	if o.set.Ko == weiqi.SimpleKo {
		return true
	}
	all := append(o.history[:len(o.history):len(o.history)], moment{board: string(o.board), turn: o.turn})
	for _, m := range all {
		if m.board == string(b) && (o.set.Ko == weiqi.PositionalSuperko || m.turn != o.turn) {
			return false
		}
	}
	return true
}

func (o *oracle) play(i int) { o.force(o.turn, i) }

// force plays for either side; it returns false if that cannot be done.
func (o *oracle) force(side, i int) bool {
	pass := i == o.w*o.h
	if !pass && o.board[i] != '.' {
		return false
	}
	o.history = append(o.history, moment{string(o.board), o.turn, o.passes, o.prisoners, pass})
	if side != o.turn {
		o.turn, o.passes = side, 0
	}
	if pass {
		o.passes++
		if o.set.PassStones {
			o.prisoners[1-o.turn]++
		}
	} else {
		var enemies, own int
		o.board, enemies, own = o.result(o.turn, i)
		o.prisoners[o.turn] += enemies
		o.prisoners[1-o.turn] += own
		o.passes = 0
	}
	o.turn = 1 - o.turn
	return true
}

func (o *oracle) undo() {
	m := o.history[len(o.history)-1]
	o.board, o.turn, o.passes, o.prisoners = []byte(m.board), m.turn, m.passes, m.prisoners
	o.history = o.history[:len(o.history)-1]
}

// changed returns what the last move changed: stones that came before points
// that are empty now.
func (o *oracle) changed(r *weiqi.Rules) (list []game.Changed) {
	if len(o.history) == 0 {
		return nil
	}
	before := o.history[len(o.history)-1].board
	for _, empty := range []bool{false, true} {
		for i, c := range o.board {
			if c != before[i] && (c == '.') == empty {
				list = append(list, game.Changed{Point: r.Size().Point(i), Piece: board.Piece(strings.IndexByte(".XO", c))})
			}
		}
	}
	return list
}

// recurs reports whether the situation was there before, other than by passes
// alone or by the forced retake of a ko.
func (o *oracle) recurs() bool {
	n := len(o.history)
	for n > 0 && o.history[n-1].pass {
		n--
	}
	for k := range n - 2 {
		if m := o.history[k]; m.board == string(o.board) && m.turn == o.turn {
			return true
		}
	}
	return false
}

// area returns Black's lead in points, all stones alive, without komi.
func (o *oracle) area() int {
	lead := 0
	for i, c := range o.board {
		switch c {
		case 'X':
			lead++
		case 'O':
			lead--
		default:
			_, touches := o.group(o.board, i)
			if touches['X'] && !touches['O'] {
				lead++
			}
			if touches['O'] && !touches['X'] {
				lead--
			}
		}
	}
	return lead
}

// ko returns the point that only the simple ko rule forbids, or -1.
func (o *oracle) ko() int {
	n := len(o.history)
	if n == 0 {
		return -1
	}
	for i, c := range o.board {
		if c != '.' {
			continue
		}
		if b, _, own := o.result(o.turn, i); own == 0 && string(b) == o.history[n-1].board {
			return i
		}
	}
	return -1
}

// outcome is what game.Position.Outcome should say.
func (o *oracle) outcome(komi int) game.Outcome {
	switch {
	case o.over() && o.set.AsItStands:
		lead := 2*o.area() - komi
		switch {
		case lead > 0:
			return game.Outcome{State: game.Won, Winner: weiqi.Black, Reason: game.ByCount, Margin: lead}
		case lead < 0:
			return game.Outcome{State: game.Won, Winner: weiqi.White, Reason: game.ByCount, Margin: -lead}
		}
		return game.Outcome{State: game.Drawn, Reason: game.ByCount}
	case o.over():
		return game.Outcome{State: game.Unscored, Reason: game.ByPasses}
	case o.set.LongCycle && o.recurs():
		return game.Outcome{State: game.Void, Reason: game.ByRepetition, Claim: true}
	}
	return game.Outcome{}
}

// move returns the move of a dense point number; area is a pass.
func (o *oracle) move(i int) game.Move {
	if i == o.w*o.h {
		return game.Pass
	}
	return game.Drop(board.Size{W: o.w, H: o.h}.Point(i))
}
