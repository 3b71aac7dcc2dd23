package valuing

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"math/bits"
	"slices"
	"strings"

	"qipu/book"
	"qipu/engine"
	"qipu/game"
	"qipu/game/othello"
	"qipu/record"
)

// Place is a position that is valued, in the smallest of its pictures: Hi of the key
// are the discs of the side to move, Lo those of the other.
type Place struct {
	Key   book.Key
	Games int

	links  []link
	except uint64 // squares of the moves to other places
	leaf   Found
}

// link is a move to another place.
type link struct {
	to   *Place
	same bool // the other side passes behind it
}

// Found is what a search has found: the best move to no other place.
type Found struct {
	Level  int // plies that were asked for; 0 where nobody has searched
	Depth  int
	Exact  bool         // the game was read to its end
	Below  bool         // it is worth Value at most, less than the other moves
	Square uint8        // 8*row+column; none where all moves lead to places
	Value  engine.Value // for the side to move
}

const none = 64

// better reports whether a search tells more than another.
func (f *Found) better(o *Found) bool {
	return f.Exact && !o.Exact || f.Exact == o.Exact && f.Level > o.Level
}

// Counter counts positions of games.
type Counter struct {
	// Empty is how many squares are empty in the positions that are counted at least.
	Empty int

	keys  *book.Keyer
	count map[book.Key]int
}

// Add counts the positions of a game; false for what is no game of Othello on 8x8 from
// its usual start.
func (c *Counter) Add(p *record.Played) bool {
	if p.Rules != othello.Standard || !p.Legal() {
		return false
	}
	if c.keys == nil {
		c.keys, c.count = book.NewKeyer(othello.Standard), map[book.Key]int{}
	}
	pos := othello.Standard.Start()
	seen := []book.Key{}
	for _, s := range p.Steps {
		if key, _ := c.keys.Key(pos); len(seen) == 0 || seen[len(seen)-1] != key { // a pass is no other position
			if 64-bits.OnesCount64(key.Hi|key.Lo) < c.Empty {
				break
			}
			seen = append(seen, key)
		}
		if s.Move == game.Pass && c.keys.Fold(pos) {
			continue
		}
		if c.keys.Fold(pos); pos.Play(s.Move) != nil {
			return false // from another start
		}
	}
	for _, key := range seen {
		c.count[key]++
	}
	return true
}

// Places returns the positions that most games have reached, and of those that are
// reached as often the earliest: all that lead to one of them are among them.
func (c *Counter) Places(most int) (list []*Place) {
	for key, n := range c.count {
		list = append(list, &Place{Key: key, Games: n})
	}
	slices.SortFunc(list, func(a, b *Place) int {
		return cmp.Or(cmp.Compare(b.Games, a.Games), cmp.Compare(discs(a), discs(b)), cmp.Compare(a.Key.Hi, b.Key.Hi), cmp.Compare(a.Key.Lo, b.Key.Lo))
	})
	return list[:min(len(list), most)]
}

func discs(p *Place) int { return bits.OnesCount64(p.Key.Hi | p.Key.Lo) }

// Write writes places, one a line.
func Write(w io.Writer, list []*Place) error {
	out := bufio.NewWriter(w)
	for _, p := range list {
		fmt.Fprintf(out, "%x %x %d\n", p.Key.Hi, p.Key.Lo, p.Games)
	}
	return out.Flush()
}

// Read reads places, and finds the moves that lead from one to another. They come in
// an order in which what follows from a place stands before it.
func Read(r io.Reader) (list []*Place, err error) {
	in := bufio.NewScanner(r)
	at := map[book.Key]*Place{}
	for line := 1; in.Scan(); line++ {
		p := &Place{}
		if _, err := fmt.Sscanf(in.Text(), "%x %x %d", &p.Key.Hi, &p.Key.Lo, &p.Games); err != nil {
			return nil, fmt.Errorf("line %d is no place: %w", line, err)
		}
		list, at[p.Key] = append(list, p), p
	}
	if err := in.Err(); err != nil {
		return nil, err
	}
	keys := book.NewKeyer(othello.Standard)
	for _, p := range list {
		if err := p.join(keys, at); err != nil {
			return nil, err
		}
	}
	// A move adds a disc.
	slices.SortStableFunc(list, func(a, b *Place) int { return cmp.Compare(discs(b), discs(a)) })
	return ordered(list), nil
}

// ordered returns places so that those that follow from one stand before it, and near
// it: searches of neighbours help each other.
func ordered(list []*Place) (order []*Place) {
	seen := map[*Place]bool{}
	var walk func(p *Place)
	walk = func(p *Place) {
		if seen[p] {
			return
		}
		seen[p] = true
		for _, l := range p.links {
			walk(l.to)
		}
		order = append(order, p)
	}
	for _, p := range slices.Backward(list) {
		walk(p)
	}
	return order
}

// position returns the position of a place, Black to move.
func (p *Place) position() (game.Position, error) {
	if p.Key.Hi&p.Key.Lo != 0 {
		return nil, fmt.Errorf("%x %x is no position: two discs on a square", p.Key.Hi, p.Key.Lo)
	}
	var b strings.Builder
	for i := range 64 {
		b.WriteByte("-XO"[p.Key.Hi>>i&1|p.Key.Lo>>i&1<<1])
	}
	pos, err := game.ParsePosition(othello.Standard, b.String()+" X")
	if err != nil {
		return nil, fmt.Errorf("%x %x is no position: %w", p.Key.Hi, p.Key.Lo, err)
	}
	return pos, nil
}

// join finds the moves to other places.
func (p *Place) join(keys *book.Keyer, at map[book.Key]*Place) error {
	pos, err := p.position()
	if err != nil {
		return err
	}
	size := othello.Standard.Geometry().Size
	for _, m := range pos.AppendMoves(nil) {
		if m == game.Pass {
			return fmt.Errorf("%x %x: the side to move has to pass", p.Key.Hi, p.Key.Lo)
		}
		if err := pos.Play(m); err != nil {
			return err
		}
		key, _ := keys.Key(pos)
		passed := keys.Fold(pos)
		if to := at[key]; to != nil {
			p.links = append(p.links, link{to, passed})
			p.except |= 1 << size.Index(m.To())
		}
		if passed {
			pos.Undo()
		}
		pos.Undo()
	}
	return nil
}
