package proof

import (
	"fmt"
	"math/bits"
	"strings"

	"qipu/board"
	"qipu/game/weiqi/life"
)

// small is a board of at most 32 points that games are played out on: sets of
// points are bits, row by row.
type small struct {
	w, h int
	all  uint32
	near [32]uint32
}

func newSmall(w, h int) *small {
	g := &small{w: w, h: h, all: 1<<(w*h) - 1}
	for y := range h {
		for x := range w {
			i := y*w + x
			if x > 0 {
				g.near[i] |= 1 << (i - 1)
				g.near[i-1] |= 1 << i
			}
			if y > 0 {
				g.near[i] |= 1 << (i - w)
				g.near[i-w] |= 1 << i
			}
		}
	}
	return g
}

func (g *small) beside(set uint32) (next uint32) {
	for ; set != 0; set &= set - 1 {
		next |= g.near[bits.TrailingZeros32(set)]
	}
	return next
}

func (g *small) flow(part, set uint32) uint32 {
	for {
		next := part | g.beside(part)&set
		if next == part {
			return part
		}
		part = next
	}
}

// breathing returns the stones of a set with liberties.
func (g *small) breathing(set, free uint32) uint32 { return g.flow(g.beside(free)&set, set) }

// play puts a stone and returns the stones of both after it, and whether it may be
// put there: a stone that takes nothing and has no liberty may not, unless suicide
// is allowed.
func (g *small) play(own, other, move uint32, suicide bool) (uint32, uint32, bool) {
	own |= move
	other = g.breathing(other, g.all&^(own|other))
	left := g.breathing(own, g.all&^(own|other))
	if left&move == 0 {
		if !suicide {
			return own, other, false
		}
		// Only the string of the stone itself is taken off.
		own &^= g.flow(move, own)
	}
	return own, other, true
}

// legal reports whether every string has a liberty.
func (g *small) legal(black, white uint32) bool {
	free := g.all &^ (black | white)
	return g.breathing(black, free) == black && g.breathing(white, free) == white
}

func (g *small) String(black, white uint32) string {
	var s strings.Builder
	for i := range g.w * g.h {
		s.WriteByte(".XO"[black>>i&1|white>>i&1<<1])
		if i%g.w == g.w-1 {
			s.WriteByte('\n')
		}
	}
	return s.String()
}

// planes returns the board as the rest of the module knows it.
func (g *small) planes(black, white uint32) *board.Planes {
	p := board.NewPlanes(board.Size{W: g.w, H: g.h}, 2)
	for i := range g.w * g.h {
		if piece := board.Piece(black>>i&1 | white>>i&1<<1); piece != 0 {
			p.Put(board.At(i%g.w, i/g.w), piece)
		}
	}
	return p
}

// claims returns what a proof claims for a colour: its living strings, and the
// points of its territory.
func (g *small) claims(b *life.Board, proof *Proof, colour life.Stone) (strings, land uint32) {
	for i := range g.w * g.h {
		c := life.CellOf(board.At(i%g.w, i/g.w))
		if proof.Owner[c] != life.Owner(colour) {
			continue
		}
		if b.Stone[c] == colour {
			strings |= 1 << i
		} else {
			land |= 1 << i
		}
	}
	return strings, land
}

// neverTaken reports whether an attacker who moves as often as he likes, while the
// defender passes, takes none of the defender's stones in keep.
func (g *small) neverTaken(def, att, keep uint32, suicide bool) bool {
	key := func(def, att uint32) uint64 { return uint64(def)<<32 | uint64(att) }
	seen := map[uint64]bool{key(def, att): true}
	queue := []uint64{key(def, att)}
	for len(queue) > 0 {
		last := len(queue) - 1
		def, att := uint32(queue[last]>>32), uint32(queue[last])
		queue = queue[:last]
		for free := g.all &^ (def | att); free != 0; free &= free - 1 {
			a, d, ok := g.play(att, def, free&-free, suicide)
			if !ok {
				continue
			}
			if d&keep != keep {
				return false
			}
			if k := key(d, a); !seen[k] {
				seen[k] = true
				queue = append(queue, k)
			}
		}
	}
	return true
}

// settled reports whether the defender's land is his without another move: it holds
// no stone of the attacker, and every point is a stone that is alive by Benson's
// theorem or beside such in a region vital to one.
func (w *war) settled(def, att uint32) bool {
	if att&w.land != 0 {
		return false
	}
	key := [2]uint32{def, att}
	known, ok := w.known[key]
	if !ok {
		w.b.Reset(w.g.planes(def, att))
		known[0], known[1] = w.g.claims(&w.b, w.p.Benson(&w.b), life.Black)
		w.known[key] = known
	}
	strings, land := known[0], known[1]
	if w.land&^(strings|land) != 0 {
		return false
	}
	rest := w.land &^ strings
	return rest&^w.g.beside(strings) == 0
}

// war plays out all games from a board, the attacker first, who may always pass and
// knows no ko; the defender may pass and may not retake a ko at once.
type war struct {
	g          *small
	keep, land uint32
	limit      int // of states, 0 if there is none
	skipped    int // boards with more
	b          life.Board
	p          Prover
	number     map[[2]uint32]int
	known      map[[2]uint32][2]uint32 // what Benson's theorem says, stones and land, by board
	states     []warState
}

type warState struct {
	def, att uint32
	attacks  [][]int // replies to every attack: numbers of states
	lost     bool    // an attack takes stones of keep
	mark     bool
}

func newWar(g *small) *war { return &war{g: g, known: map[[2]uint32][2]uint32{}} }

// explore finds all states that can be reached, and reports whether they are few
// enough to look at.
func (w *war) explore(def, att, keep, land uint32) bool {
	w.keep, w.land = keep, land
	w.number = map[[2]uint32]int{}
	w.states = w.states[:0]
	w.add(def, att)
	for i := 0; i < len(w.states); i++ {
		if len(w.states) > w.limit && w.limit > 0 {
			return false
		}
		def, att := w.states[i].def, w.states[i].att
		attacks := [][]int{w.replies(def, att, 0)}
		lost := false
		for free := w.g.all &^ (def | att); free != 0 && !lost; free &= free - 1 {
			a, d, ok := w.g.play(att, def, free&-free, false)
			if !ok {
				continue
			}
			if lost = d&keep != keep; lost {
				break
			}
			ko := uint32(0)
			if taken := def &^ d; bits.OnesCount32(taken) == 1 {
				ko = taken
			}
			attacks = append(attacks, w.replies(d, a, ko))
		}
		w.states[i].attacks, w.states[i].lost = attacks, lost
	}
	return true
}

// replies returns the states after the defender's moves and his pass.
func (w *war) replies(def, att, ko uint32) (list []int) {
	list = append(list, w.add(def, att))
	for free := w.g.all &^ (def | att); free != 0; free &= free - 1 {
		move := free & -free
		d, a, ok := w.g.play(def, att, move, false)
		if !ok || move == ko && bits.OnesCount32(att&^a) == 1 {
			continue
		}
		list = append(list, w.add(d, a))
	}
	return list
}

func (w *war) add(def, att uint32) int {
	key := [2]uint32{def, att}
	if n, ok := w.number[key]; ok {
		return n
	}
	n := len(w.states)
	w.number[key] = n
	w.states = append(w.states, warState{def: def, att: att})
	return n
}

// holds reports whether the defender can keep his stones for ever.
func (w *war) holds() bool {
	for i := range w.states {
		w.states[i].mark = !w.states[i].lost
	}
	for again := true; again; {
		again = false
		for i := range w.states {
			if s := &w.states[i]; s.mark && !w.answered(s) {
				s.mark, again = false, true
			}
		}
	}
	return w.states[0].mark
}

// settles reports whether the defender, who holds, can reach a settled board from
// which he still holds.
func (w *war) settles() bool {
	for i := range w.states {
		s := &w.states[i]
		s.lost = !s.mark
		s.mark = s.mark && w.settled(s.def, s.att)
	}
	for again := !w.states[0].mark; again && !w.states[0].mark; {
		again = false
		for i := range w.states {
			if s := &w.states[i]; !s.mark && !s.lost && w.answered(s) {
				s.mark, again = true, true
			}
		}
	}
	return w.states[0].mark
}

// answered reports whether every attack has a reply to a marked state.
func (w *war) answered(s *warState) bool {
	for _, replies := range s.attacks {
		good := false
		for _, n := range replies {
			good = good || w.states[n].mark
		}
		if !good {
			return false
		}
	}
	return true
}

// check returns what is wrong with the claims of a proof for Black, or "".
func (w *war) check(def, att, keep, land uint32) string {
	if keep == 0 {
		if land != 0 {
			return "land without living stones"
		}
		return ""
	}
	if !w.explore(def, att, keep, land) {
		w.skipped++
		return ""
	}
	if !w.holds() {
		return fmt.Sprintf("stones %x are taken", keep)
	}
	if land != 0 && !w.settles() {
		return fmt.Sprintf("land %x is not settled", land)
	}
	return ""
}
