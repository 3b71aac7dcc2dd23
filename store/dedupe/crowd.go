package dedupe

import (
	"encoding/binary"
	"slices"
	"strings"

	"github.com/zeebo/xxh3"

	"qipu/index"
	"qipu/record/facts"
	"qipu/store"
)

// A record is compared with all games of its moves where they are few. Where they
// are many, to compare each with each would take the square of their number: it is
// compared with the first of them and with those that say what it says. Others
// could be one with it only by what they leave out; it becomes a game of its own,
// linked to the first, and finds that one when it comes again.
const (
	fewGames = 16 // games up to which all are looked at, and the first ones of more
	tagGames = 4  // games of each tag behind those
)

// crowd is games that have moves in common: the first few, and the others by their
// tags.
type crowd struct {
	few []uint32
	by  map[uint64][]uint32

	// Of games that share a head: one for each of their longer beginnings, and the
	// games that were not played for it yet.
	begun    map[uint64]uint32
	unplayed []uint32
}

// add adds a game, which comes behind the others.
func (c *crowd) add(game uint32, t *tags) {
	if slices.Contains(c.few, game) {
		return
	}
	if len(c.few) < fewGames {
		c.few = append(c.few, game)
		return
	}
	if c.by == nil {
		c.by = map[uint64][]uint32{}
	}
	for _, tag := range t {
		if list := c.by[tag]; tag != 0 && len(list) < tagGames && !slices.Contains(list, game) {
			c.by[tag] = append(list, game)
		}
	}
}

// pick returns the games that a record is compared with. They are the crowd's own
// where it is small.
func (c *crowd) pick(t *tags) []uint32 {
	switch {
	case c == nil:
		return nil
	case c.by == nil:
		return c.few
	}
	list := slices.Clone(c.few)
	for _, tag := range t {
		for _, game := range c.by[tag] {
			if tag != 0 && !slices.Contains(list, game) {
				list = append(list, game)
			}
		}
	}
	return list
}

// behind is pick for games that come behind stored ones, of which so many are looked
// at anyway: those that it would return of one crowd of all of them, so that a record
// meets the same games when it comes again. The tags of a game are asked for.
func (c *crowd) behind(stored *crowd, n int, t *tags, of func(uint32) *tags) (list []uint32) {
	if c == nil {
		return nil
	}
	free := min(max(fewGames-n, 0), len(c.few))
	if free == len(c.few) && c.by == nil {
		return c.few
	}
	list = slices.Clone(c.few[:free])
	for i, tag := range t {
		if tag == 0 {
			continue
		}
		room := tagGames
		if stored != nil {
			room -= len(stored.by[tag])
		}
		take := func(game uint32) {
			if room--; room >= 0 && !slices.Contains(list, game) {
				list = append(list, game)
			}
		}
		for _, game := range c.few[free:] {
			if of(game)[i] == tag {
				take(game)
			}
		}
		for _, game := range c.by[tag] {
			take(game)
		}
	}
	return list
}

// drop takes out games that are not there any more.
func (c *crowd) drop(gone func(uint32) bool) {
	if c != nil && len(c.few) == fewGames {
		c.few = slices.DeleteFunc(c.few, gone)
	}
}

// tags are hashes of what a record says by which one that is one with it may be
// found: all of it, the first player, the second, both, or that it names none. 0 is
// none.
type tags [5]uint64

func tagsOf(f *facts.Facts, n Notes) (t tags) {
	var buf []byte
	names := [2]string{strings.ToLower(f.Players[0].Name), strings.ToLower(f.Players[1].Name)}
	for i, name := range names {
		if name != "" {
			t[1+i] = xxh3.Hash(append(append(buf[:0], byte(1+i)), name...)) | 1
		}
	}
	buf = append(append(append(append(buf[:0], 3), names[0]...), 0), names[1]...)
	switch {
	case t[1] == 0 && t[2] == 0:
		t[4] = 1
	case t[1] != 0 && t[2] != 0:
		t[3] = xxh3.Hash(buf) | 1
	}
	first, last, _ := f.Date.Bounds()
	buf = append(buf, 0, byte(f.Result.Verdict))
	buf = binary.LittleEndian.AppendUint32(buf, uint32(first))
	buf = binary.LittleEndian.AppendUint32(buf, uint32(last))
	t[0] = xxh3.Hash(binary.LittleEndian.AppendUint64(buf, n.Sum())) | 1
	return t
}

// Crowds are what Sift has learnt of stored games that are many of the same moves.
// A store that alone writes keeps them from batch to batch, so that they are read
// once, and has Stored tell of what came since; after games were deleted it begins
// with new ones. The zero value knows of none.
type Crowds struct {
	keys, heads map[uint64]*crowd
	positions   map[reached]*crowd
	games       int // in all of them
	beginnings  int
}

// reached names a position of a kind of game.
type reached struct {
	kind string
	key  uint64
}

// mostGames bounds the games of crowds, at some 200 bytes each, and mostBeginnings
// their beginnings, at some 30.
const (
	mostGames      = 1 << 21
	mostBeginnings = 1 << 23
)

// bound forgets all where it has become too much: it is learnt again when asked for.
func (c *Crowds) bound(more int) {
	if c.keys == nil || c.games+more > mostGames {
		*c = Crowds{keys: map[uint64]*crowd{}, heads: map[uint64]*crowd{}, positions: map[reached]*crowd{}}
	}
	c.games += more
}

// begin notes the beginnings of a game in a crowd of its head, as long as there is
// room.
func (c *Crowds) begin(to *crowd, game uint32, prefixes []uint64) {
	if to.begun == nil {
		to.begun = map[uint64]uint32{}
	}
	if len(prefixes) <= index.HeadPlies {
		return
	}
	for _, key := range prefixes[index.HeadPlies : len(prefixes)-1] {
		if _, ok := to.begun[key]; !ok && c.beginnings < mostBeginnings {
			to.begun[key] = game
			c.beginnings++
		}
	}
}

// Stored tells of items that were stored and have numbers.
func (c *Crowds) Stored(items []*Item) {
	if len(c.keys)+len(c.heads)+len(c.positions) == 0 {
		return
	}
	for _, it := range items {
		if it.Status == store.StatusDuplicate {
			continue
		}
		add := func(to *crowd) {
			if to != nil {
				to.add(it.ID, it.tags())
				c.games++
			}
		}
		add(c.keys[it.Entry.Key])
		if head := c.heads[it.Entry.Head]; head != nil {
			add(head)
			c.begin(head, it.ID, it.Doc.Prefixes)
		}
		if it.Doc == nil || len(c.positions) == 0 || len(it.Doc.Found) == 0 {
			continue
		}
		for _, p := range it.Doc.Found[0].Positions {
			add(c.positions[reached{it.Entry.Kind, p.Key}])
		}
	}
	c.bound(0)
}
