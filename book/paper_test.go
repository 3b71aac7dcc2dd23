package book_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"qipu/board"
	"qipu/book"
	"qipu/game"
	"qipu/game/othello"
	"qipu/internal/testkit"
)

// paper is the book as its authors designed it ("The Design and Implementation of
// an Othello Opening Book System"): nodes are unique by board and number of the
// move; a hash area holds one for each address, and an overflow area, which grows
// without bound, those whose address is taken, chained both ways. A game that has
// ended is backed up by minimax along its path. It is here to be measured beside
// what has replaced it.
//
// What the paper leaves open is chosen in its favour: the areas are in memory, a
// child is found by its links, and draws are half a win.
type paper struct {
	hash     []paperNode // addressed by board and number of the move
	overflow []paperNode
	start    uint32
	path     []uint32 // of the game at hand
}

// paperNode is a node, 64 bytes in the file. Places are those of the hash area,
// and behind it those of the overflow area; 0 is none, for links point behind
// the place by one.
type paperNode struct {
	black, white uint64
	number       uint16 // of the move, which tells whose turn it is, with passes
	turn, move   uint8
	next, prev   uint32 // in the chain of its address
	parent       uint32 // the one that it was reached from first
	child, twin  uint32 // its first child, and the next child of its parent
	wins, losses uint32 // of Black
	below, games uint32
	score        float32 // of Black
}

func newPaper(slots int) *paper { return &paper{hash: make([]paperNode, slots)} }

func (p *paper) at(place uint32) *paperNode {
	if int(place) <= len(p.hash) {
		return &p.hash[place-1]
	}
	return &p.overflow[int(place)-len(p.hash)-1]
}

func (n *paperNode) is(pos *othello.Position, number int) bool {
	return n.black == pos.Discs(0) && n.white == pos.Discs(1) && int(n.number) == number && n.turn == uint8(pos.Turn())
}

// address returns the place in the hash area of a position.
func (p *paper) address(pos *othello.Position, number int) uint32 {
	h := board.Mix(pos.Discs(0) ^ board.Mix(pos.Discs(1)+uint64(number)))
	return uint32(h%uint64(len(p.hash))) + 1
}

// find returns the place of a position, and the end of the chain of its address
// where it has none.
func (p *paper) find(pos *othello.Position, number int) (place, last uint32) {
	last = p.address(pos, number)
	if p.at(last).black|p.at(last).white == 0 {
		return 0, last
	}
	for {
		n := p.at(last)
		if n.is(pos, number) {
			return last, last
		}
		if n.next == 0 {
			return 0, last
		}
		last = n.next
	}
}

// insert returns the place of a position, and whether it is new.
func (p *paper) insert(pos *othello.Position, number int, parent uint32, move uint8) (uint32, bool) {
	place, last := p.find(pos, number)
	if place != 0 {
		return place, false
	}
	n := paperNode{black: pos.Discs(0), white: pos.Discs(1), number: uint16(number), turn: uint8(pos.Turn()), parent: parent, move: move}
	if p.at(last).black|p.at(last).white == 0 {
		place = last
		*p.at(place) = n
	} else {
		n.prev = last
		p.overflow = append(p.overflow, n)
		place = uint32(len(p.hash) + len(p.overflow))
		p.at(last).next = place
	}
	if parent != 0 {
		p.at(place).twin, p.at(parent).child = p.at(parent).child, place
	}
	return place, true
}

// add adds a game: its path first, then its result, backed up.
func (p *paper) add(g *book.Game) {
	pos := othello.Standard.Start().(*othello.Position)
	p.path = p.path[:0]
	at, _ := p.insert(pos, 0, 0, 0)
	p.start = at
	p.path = append(p.path, at)
	for i, m := range g.Moves {
		if pos.Play(m) != nil {
			break
		}
		place, isNew := p.insert(pos, i+1, at, uint8(m.To()))
		if isNew {
			// All above have one more below; those that came to be with it, too.
			for _, up := range p.path {
				p.at(up).below++
			}
		}
		at = place
		p.path = append(p.path, at)
	}
	score := float32(0)
	switch g.Result.Verdict {
	case book.FirstWon, book.SecondWon:
		score = float32(g.Result.Score)
	}
	for i := len(p.path) - 1; i >= 0; i-- {
		n := p.at(p.path[i])
		n.games++
		if g.Result.Verdict == book.FirstWon {
			n.wins++
		} else if g.Result.Verdict == book.SecondWon {
			n.losses++
		}
		if n.child == 0 {
			n.score = score
			continue
		}
		best := float32(math.Inf(1))
		if n.turn == 0 {
			best = float32(math.Inf(-1))
		}
		for c := n.child; c != 0; c = p.at(c).twin {
			if v := p.at(c).score; n.turn == 0 {
				best = max(best, v)
			} else {
				best = min(best, v)
			}
		}
		n.score = best
	}
}

func (p *paper) nodes() (n int) {
	for i := range p.hash {
		if p.hash[i].black|p.hash[i].white != 0 {
			n++
		}
	}
	return n + len(p.overflow)
}

const paperNodeSize = 64

// write writes both areas to a file.
func (p *paper) write(path string) (int64, error) {
	f, err := os.Create(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	var size int64
	page := make([]byte, 0, 1<<20)
	for _, area := range [][]paperNode{p.hash, p.overflow} {
		for i := range area {
			page = area[i].append(page)
			if len(page)+paperNodeSize > cap(page) || i == len(area)-1 {
				n, err := f.Write(page)
				if size += int64(n); err != nil {
					return size, err
				}
				page = page[:0]
			}
		}
	}
	return size, f.Sync()
}

func (n *paperNode) append(dst []byte) []byte {
	for _, w := range [...]uint64{n.black, n.white, uint64(n.number)<<48 | uint64(n.turn)<<40 | uint64(n.move)<<32 | uint64(n.next),
		uint64(n.prev)<<32 | uint64(n.parent), uint64(n.child)<<32 | uint64(n.twin), uint64(n.wins)<<32 | uint64(n.losses),
		uint64(n.below)<<32 | uint64(n.games), uint64(math.Float32bits(n.score))} {
		for ; len(dst)%8 != 0; dst = append(dst, 0) {
		}
		dst = append(dst, byte(w), byte(w>>8), byte(w>>16), byte(w>>24), byte(w>>32), byte(w>>40), byte(w>>48), byte(w>>56))
	}
	return dst
}

// TestPaper checks the paper's structure against a plain count, so that what is
// measured is what the paper says.
func TestPaper(t *testing.T) {
	list := randomGames(othello.Standard, rand.New(rand.NewPCG(21, 22)), 200, 30)
	type where struct {
		black, white uint64
		number       int
		turn         game.Side
	}
	p := newPaper(100) // far too few: nearly all overflow
	counted := map[where]int{}
	for i := range list {
		g := &list[i]
		p.add(g)
		pos := othello.Standard.Start().(*othello.Position)
		counted[where{pos.Discs(0), pos.Discs(1), 0, pos.Turn()}]++
		for j, m := range g.Moves {
			if pos.Play(m) != nil {
				break
			}
			counted[where{pos.Discs(0), pos.Discs(1), j + 1, pos.Turn()}]++
		}
	}
	if p.nodes() != len(counted) {
		t.Fatalf("%d nodes, and not %d", p.nodes(), len(counted))
	}
	for place := 1; place <= len(p.hash)+len(p.overflow); place++ {
		n := p.at(uint32(place))
		if n.black|n.white == 0 {
			continue
		}
		if got := counted[where{n.black, n.white, int(n.number), game.Side(n.turn)}]; int(n.games) != got {
			t.Fatalf("a node has %d games, and not %d", n.games, got)
		}
		if n.next != 0 && p.at(n.next).prev != uint32(place) || n.prev != 0 && p.at(n.prev).next != uint32(place) {
			t.Fatal("the chain does not go both ways")
		}
	}
	if n := p.at(p.start); int(n.below) != len(counted)-1 || int(n.games) != len(list) {
		t.Errorf("%d games at the start and %d nodes below it", n.games, n.below)
	}
	size, err := p.write(filepath.Join(t.TempDir(), "paper"))
	if err != nil || size != int64(paperNodeSize*(len(p.hash)+len(p.overflow))) {
		t.Errorf("%d bytes: %v", size, err)
	}
}

// TestPaperReport measures the paper's structure and the book on all shared games
// of Othello, and puts the table into the document.
func TestPaperReport(t *testing.T) {
	if !testkit.Full() {
		t.Skip("a measurement: make soak runs it")
	}
	list := realGames(t)
	var out strings.Builder
	fmt.Fprintf(&out, "| %d games | insert, games/s | durable, games/s | look-up, a second | positions | bytes | bytes a position |\n|---|---|---|---|---|---|---|\n", len(list))
	row := func(name string, insert, durable, look time.Duration, looks, positions int, size int64) {
		rate := func(d time.Duration) float64 { return float64(len(list)) / d.Seconds() }
		fmt.Fprintf(&out, "| %s | %.0f | %.0f | %.2f M | %d | %.1f M | %.1f |\n", name, rate(insert), rate(durable),
			float64(looks)/look.Seconds()/1e6, positions, float64(size)/1e6, float64(size)/float64(positions))
	}
	for _, bits := range []int{20, 22, 23} {
		began := testkit.CPU()
		p := newPaper(1 << bits)
		for i := range list {
			p.add(&list[i])
		}
		insert := testkit.CPU() - began
		size, err := p.write(filepath.Join(t.TempDir(), "paper"))
		if err != nil {
			t.Fatal(err)
		}
		durable := testkit.CPU() - began
		began = testkit.CPU()
		looks := 0
		for i := range 20000 {
			g := &list[i*7919%len(list)]
			pos := othello.Standard.Start().(*othello.Position)
			for j, m := range g.Moves {
				if pos.Play(m) != nil {
					t.Fatal("an illegal move")
				}
				if place, _ := p.find(pos, j+1); place == 0 {
					t.Fatal("a position is not found")
				}
				looks++
			}
		}
		row(fmt.Sprintf("hash area of 2^%d, overflow area of %d", bits, len(p.overflow)), insert, durable, testkit.CPU()-began, looks, p.nodes(), size)
	}
	began := testkit.CPU()
	if _, err := book.Build(t.Context(), othello.Standard, list.all(), book.BuildOptions{Total: len(list)}); err != nil {
		t.Fatal(err)
	}
	insert := testkit.CPU() - began
	dir := t.TempDir()
	began = testkit.CPU()
	b, err := book.Build(t.Context(), othello.Standard, list.all(), book.BuildOptions{Dir: dir, Name: "o.seg", Total: len(list)})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	durable := testkit.CPU() - began
	began = testkit.CPU()
	looks := 0
	k := book.NewKeyer(othello.Standard)
	for i := range 20000 {
		g := &list[i*7919%len(list)]
		pos := othello.Standard.Start()
		for _, m := range g.Moves {
			if pos.Play(m) != nil {
				t.Fatal("an illegal move")
			}
			if key, _ := k.Key(pos); !known(b, key) {
				t.Fatal("a position is not found")
			}
			looks++
		}
	}
	row("the book", insert, durable, testkit.CPU()-began, looks, b.Positions(), b.Bytes())
	testkit.Section(t, "../docs/book.md", "paper", out.String())
}

func known(b *book.Book, k book.Key) bool {
	_, ok := b.Node(k)
	return ok
}
