package book

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math/bits"
	"sort"

	"qipu/segment"
)

// A base is a segment of kind "book". Nodes are numbered in the order in which
// the games, by rising number, come to them first, so that the nodes of a game
// that nobody else reached lie behind each other.
//
//	info    json: see info
//	ids     of each game, by rising number: number 4 | zero 4 | stamp 8 | end of its bytes in games 8
//	games   of each game what appendGame makes
//	nodes   of each node: print 8 | body 8
//	slots   a hash table of nodes with open addressing: tag and number + 1 in 4, 0 for none
//	many    counts and edges of nodes that several games reach, as numbers of variable length
//	exact   by rising node and score: node 4 | score of the side to move 4 | games that say so 4
//
// The body of a node that one game came to, once, is all there is to know of it:
//
//	63      32 31   19 18      3  2     1     0
//	[ child   ][ move ][outcome][same][exact][ 0 ]
//	[ place in many, the rest zero   ][exact][ 1 ]
const (
	fileKind    = "book"
	fileVersion = 2
	mixedFile   = 1 // the same, of games of every origin
	idSize      = 24
	nodeSize    = 16
	slotSize    = 4
	exactSize   = 12

	bodyMany  = 1
	bodyExact = 2
	bodySame  = 4
)

var le = binary.LittleEndian

// info describes a base.
type info struct {
	Kind   string `json:"kind"` // game and board
	Plies  int    `json:"plies"`
	Games  int    `json:"games"`
	Nodes  int    `json:"nodes"`
	Edges  int    `json:"edges"`
	Solved int    `json:"solved"`
	Loops  bool   `json:"loops"`
	Note   int64  `json:"note"`

	Strange int `json:"strange"` // games that begin elsewhere than usual
}

// base is an open segment. It is immutable; its bytes are those of the map, and
// stay valid until close.
type base struct {
	info
	file                                         *segment.File
	ids, games, nodes, slots, many, exact, datum []byte
	idBits                                       int // of a slot; the tag has the rest
}

// openBase takes a segment over. It reads and checks all of it, some
// milliseconds for a million nodes: from then on nothing but a disk that fails
// can be wrong with it.
func openBase(file *segment.File) (*base, error) {
	b := &base{file: file}
	for _, s := range []struct {
		name string
		to   *[]byte
		unit int
	}{{"info", &b.datum, 1}, {"ids", &b.ids, idSize}, {"games", &b.games, 1}, {"nodes", &b.nodes, nodeSize}, {"slots", &b.slots, slotSize}, {"many", &b.many, 1}, {"exact", &b.exact, exactSize}} {
		section, ok := file.Section(s.name)
		if !ok {
			return nil, b.bad("it has no section " + s.name)
		}
		data, err := section.Bytes()
		if err != nil {
			return nil, err
		}
		if len(data)%s.unit != 0 {
			return nil, b.bad("its section " + s.name + " is cut")
		}
		*s.to = data
	}
	if err := b.parse(); err != nil {
		return nil, err
	}
	return b, nil
}

// parse reads the description, and checks that the sections fit it.
func (b *base) parse() error {
	if err := json.Unmarshal(b.datum, &b.info); err != nil {
		return b.bad("its description cannot be read")
	}
	if len(b.ids) != b.Games*idSize || len(b.nodes) != b.Nodes*nodeSize || len(b.slots)/slotSize <= b.Nodes && b.Nodes > 0 {
		return b.bad("its sections are of different books")
	}
	b.idBits = bits.Len(uint(b.Nodes))
	end, last := uint64(0), int64(-1)
	for i := range b.Games {
		e, id := le.Uint64(b.ids[i*idSize+16:]), int64(le.Uint32(b.ids[i*idSize:]))
		if e < end || e > uint64(len(b.games)) || id <= last {
			return b.bad("its games are not in order")
		}
		end, last = e, id
	}
	return nil
}

func (b *base) bad(reason string) error {
	return fmt.Errorf("book: %s: %w: %s", b.file.Info().Path, segment.ErrCorrupt, reason)
}

// find returns the node of a print.
func (b *base) find(print uint64) (uint32, bool) {
	n := len(b.slots) / slotSize
	if n == 0 {
		return 0, false
	}
	mask := uint32(1)<<b.idBits - 1
	tag := uint32(print) &^ mask
	at, _ := bits.Mul64(print, uint64(n))
	for i := int(at); ; i++ {
		if i == n {
			i = 0
		}
		slot := le.Uint32(b.slots[i*slotSize:])
		if slot == 0 {
			return 0, false
		}
		if slot&^mask == tag {
			if id := slot&mask - 1; le.Uint64(b.nodes[int(id)*nodeSize:]) == print {
				return id, true
			}
		}
	}
}

// slotsOf makes the table of nodes. Two thirds of its slots are in use.
func slotsOf(prints []uint64) []byte {
	n := len(prints) + len(prints)/2 + 1
	if len(prints) == 0 {
		return nil
	}
	idBits := bits.Len(uint(len(prints)))
	mask := uint32(1)<<idBits - 1
	slots := make([]byte, n*slotSize)
	for id, print := range prints {
		at, _ := bits.Mul64(print, uint64(n))
		i := int(at)
		for le.Uint32(slots[i*slotSize:]) != 0 {
			if i++; i == n {
				i = 0
			}
		}
		le.PutUint32(slots[i*slotSize:], uint32(print)&^mask|uint32(id+1))
	}
	return slots
}

func (b *base) body(id uint32) uint64 { return le.Uint64(b.nodes[int(id)*nodeSize+8:]) }

// edge is a move from a node, in the picture of the node.
type edge struct {
	code  uint16
	same  bool // the side that makes it moves again
	child uint32
	Counts
}

// node is what is known of a node. Its edges are used again.
type node struct {
	Counts
	edges []edge
}

// packOne makes the body of a node that one game reached.
func packOne(o outcome, code uint16, same bool, child uint32) uint64 {
	body := uint64(uint16(o))<<3 | uint64(code)<<19 | uint64(child)<<32
	if same {
		body |= bodySame
	}
	return body
}

// load fills in a node.
func (b *base) load(id uint32, n *node) {
	body := b.body(id)
	n.edges = n.edges[:0]
	if body&bodyMany == 0 {
		n.Counts = outcome(body >> 3).counts()
		if code := uint16(body >> 19 & noCode); code != noCode {
			n.edges = append(n.edges, edge{code: code, same: body&bodySame != 0, child: uint32(body >> 32), Counts: n.Counts})
		}
		return
	}
	r := numbers(b.many[body>>2:])
	n.Counts = r.counts()
	for range r.next() {
		var e edge
		code := r.next()
		e.code, e.same = uint16(code>>1), code&1 != 0
		e.child = uint32(r.next())
		e.Counts = r.counts()
		n.edges = append(n.edges, e)
	}
}

// counts returns the counts of a node alone.
func (b *base) counts(id uint32) Counts {
	body := b.body(id)
	if body&bodyMany == 0 {
		return outcome(body >> 3).counts()
	}
	r := numbers(b.many[body>>2:])
	return r.counts()
}

// reached returns how many games reached a node.
func (b *base) reached(id uint32) int {
	body := b.body(id)
	if body&bodyMany == 0 {
		return 1
	}
	r := numbers(b.many[body>>2:])
	return int(r.next())
}

// numbers are read from bytes that were checked when the file was opened.
type numbers []byte

func (r *numbers) next() uint64 {
	d := *r
	if d[0] < 0x80 {
		*r = d[1:]
		return uint64(d[0])
	}
	v, n := binary.Uvarint(d)
	*r = d[n:]
	return v
}

func (r *numbers) counts() (c Counts) {
	c.N, c.Wins, c.Draws, c.Losses, c.Scored = int(r.next()), int(r.next()), int(r.next()), int(r.next()), int(r.next())
	sum := r.next()
	c.Sum = int(int64(sum>>1) ^ -int64(sum&1))
	return c
}

func appendCounts(dst []byte, c Counts) []byte {
	for _, n := range [...]int{c.N, c.Wins, c.Draws, c.Losses, c.Scored} {
		dst = binary.AppendUvarint(dst, uint64(n))
	}
	return binary.AppendVarint(dst, int64(c.Sum))
}

// votes yields what games say of the exact score of a node: score and games.
func (b *base) votes(id uint32, yield func(score, games int)) {
	if b.body(id)&bodyExact == 0 {
		return
	}
	n := len(b.exact) / exactSize
	for i := sort.Search(n, func(i int) bool { return le.Uint32(b.exact[i*exactSize:]) >= id }); i < n; i++ {
		row := b.exact[i*exactSize:]
		if le.Uint32(row) != id {
			return
		}
		yield(int(int32(le.Uint32(row[4:]))), int(le.Uint32(row[8:])))
	}
}

// game returns the place of a game by its number.
func (b *base) game(id uint32) (int, bool) {
	return sort.Find(b.Games, func(i int) int { return int(int64(id) - int64(le.Uint32(b.ids[i*idSize:]))) })
}

// stamp returns number and stamp of game i.
func (b *base) stamp(i int) (id uint32, stamp uint64) {
	return le.Uint32(b.ids[i*idSize:]), le.Uint64(b.ids[i*idSize+8:])
}

// decode reads game i.
func (b *base) decode(i int, k *Keyer, g *Game) error {
	g.ID, g.Stamp = b.stamp(i)
	return decodeGame(b.bytes(i), k, g)
}

// bytes returns what is stored of game i.
func (b *base) bytes(i int) []byte {
	begin := uint64(0)
	if i > 0 {
		begin = le.Uint64(b.ids[i*idSize-8:])
	}
	return b.games[begin:le.Uint64(b.ids[i*idSize+16:])]
}
