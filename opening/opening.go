package opening

import (
	"cmp"
	"embed"
	"fmt"
	"slices"
	"strings"
	"sync"

	"qipu/board"
	"qipu/book"
	"qipu/game"
)

//go:embed names/*.txt
var files embed.FS

// Opening is a line that has a name.
type Opening struct {
	ID     string // its line, which names it
	Names  board.Names
	Moves  []game.Move
	Parent string // the opening that it goes on from; empty for none
}

// Names are the openings of one kind of game. It is immutable and safe for
// concurrent use.
type Names struct {
	rules  game.Rules
	list   []Opening
	at     map[book.Key]int
	keyers sync.Pool
}

// Of returns the openings of a game. It reads and plays them all, which costs
// about a millisecond: keep what it returns. A game, board or variant without
// names has none.
func Of(r game.Rules) *Names {
	n := &Names{rules: r, at: map[book.Key]int{}}
	n.keyers.New = func() any { return book.NewKeyer(r) }
	if data, err := files.ReadFile("names/" + table(r) + ".txt"); err == nil {
		// A table that cannot be read is a mistake in this package, which its
		// tests find; users are not to suffer from it.
		_ = n.read(string(data))
	}
	return n
}

// table returns the name of the table of a game: names hold for the usual board
// and rules alone.
func table(r game.Rules) string {
	if info := r.Info(); info.Variant == "" {
		return info.Name
	}
	return "none"
}

// read takes over a table: a line each of moves and names in five languages,
// parted by bars; an empty name is the English one.
func (n *Names) read(text string) error {
	for i, line := range strings.Split(text, "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		cells := strings.Split(line, "|")
		if len(cells) != 6 || cells[1] == "" {
			return fmt.Errorf("opening: line %d: want moves and names in five languages, parted by bars", i+1)
		}
		for j := range cells[2:] {
			cells[2+j] = cmp.Or(cells[2+j], cells[1])
		}
		p := n.rules.Start()
		moves, err := game.ParseMoves(n.rules, p, cells[0])
		if err != nil {
			return fmt.Errorf("opening: line %d: %w", i+1, err)
		}
		key := n.key(p)
		if other, ok := n.at[key]; ok {
			return fmt.Errorf("opening: line %d: the position is that of %s", i+1, n.list[other].ID)
		}
		n.at[key] = len(n.list)
		n.list = append(n.list, Opening{ID: cells[0], Moves: moves,
			Names: board.Names{En: cells[1], Ja: cells[2], Hant: cells[3], Hans: cells[4], Ko: cells[5]}})
	}
	slices.SortStableFunc(n.list, func(a, b Opening) int { return cmp.Compare(len(a.Moves), len(b.Moves)) })
	for i := range n.list {
		o := &n.list[i]
		p := n.rules.Start()
		if _, err := game.ParseMoves(n.rules, p, o.ID); err != nil {
			return err
		}
		n.at[n.key(p)] = i
	}
	for i := range n.list {
		o := &n.list[i]
		if parent, ok := n.Deepest(nil, o.Moves[:len(o.Moves)-1]); ok {
			o.Parent = parent.ID
		}
	}
	return nil
}

func (n *Names) key(p game.Position) book.Key {
	k := n.keyers.Get().(*book.Keyer)
	defer n.keyers.Put(k)
	key, _ := k.Key(p)
	return key
}

// List returns all openings, shorter lines first. The list belongs to the
// caller, the moves do not.
func (n *Names) List() []Opening { return slices.Clone(n.list) }

// Find returns the opening with an ID, or with a name in any language, in either
// case; a name may be any of those that are parted by a slash.
func (n *Names) Find(name string) (Opening, bool) {
	fold := strings.ToLower(strings.TrimSpace(name))
	for _, o := range n.list {
		if o.ID == fold {
			return o, true
		}
	}
	for _, o := range n.list {
		for _, s := range []string{o.Names.En, o.Names.Ja, o.Names.Hant, o.Names.Hans, o.Names.Ko} {
			s = strings.ToLower(s)
			if s == fold || slices.Contains(strings.Split(s, " / "), fold) {
				return o, true
			}
		}
	}
	return Opening{}, false
}

// At returns the opening that a position is, however it came about and however
// the board is turned. It costs the key of a position.
func (n *Names) At(p game.Position) (Opening, bool) {
	if len(n.list) == 0 {
		return Opening{}, false
	}
	i, ok := n.at[n.key(p)]
	if !ok {
		return Opening{}, false
	}
	return n.list[i], true
}

// Deepest returns the opening that names a game: the last position on the way
// that has a name. The game begins at start, which is played on and restored;
// nil is the usual start. Moves behind one that cannot be played do not count.
func (n *Names) Deepest(start game.Position, moves []game.Move) (Opening, bool) {
	if len(n.list) == 0 {
		return Opening{}, false
	}
	if start == nil {
		start = n.rules.Start()
	}
	most := 0
	for i := range n.list {
		most = max(most, len(n.list[i].Moves))
	}
	found, ok := n.At(start)
	played := 0
	for _, m := range moves[:min(len(moves), 2*most)] { // a game that begins elsewhere may come to a name late
		if start.Play(m) != nil {
			break
		}
		played++
		if o, named := n.At(start); named {
			found, ok = o, true
		}
	}
	for range played {
		start.Undo()
	}
	return found, ok
}
