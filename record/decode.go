package record

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/bits"

	"qipu/board"
	"qipu/record/facts"
)

// ErrDamaged tells that stored data is not what AppendGame wrote.
var ErrDamaged = errors.New("the stored record is damaged: import its file again, or restore the library from a copy")

// DecodeGame is the inverse of AppendGame, for every version that there has
// been. The Game shares no memory with data; its texts are all parts of one
// string, so that whoever keeps one of them for long had better clone it.
//
// Damaged data is an error that wraps ErrDamaged, or gives another record where
// only the letters of a text have changed: a checksum is the business of whoever
// stores it. No data makes it panic or take more memory than a multiple of its
// length, and what it returns is always a tree.
func DecodeGame(data []byte) (*Game, error) {
	if len(data) == 0 || data[0] == 0 {
		return nil, fmt.Errorf("record: %w (it has no version)", ErrDamaged)
	}
	if data[0] != codecVersion {
		return nil, fmt.Errorf("record: the stored record is of version %d, but this program reads versions up to %d: use a newer program", data[0], codecVersion)
	}
	// One copy holds all texts: they are parts of it.
	d := decoder{s: string(data), at: 1}
	g := d.game()
	if !d.bad && d.at < len(d.s) {
		d.bad = true
	}
	if d.bad {
		return nil, fmt.Errorf("record: %w (byte %d of %d)", ErrDamaged, d.at, len(data))
	}
	return g, nil
}

// decoder reads a stored record. After something is wrong it reads zeros, and
// its end is where it was.
type decoder struct {
	s   string
	at  int
	bad bool
}

func (d *decoder) game() *Game {
	flags := d.octet()
	d.demand(flags&^flagsKnown == 0)
	g := &Game{
		Kind: d.text(), Variant: d.text(), Start: d.text(), Notation: d.text(), Format: d.text(), Encoding: d.text(),
		Guessed: flags&flagGuessed != 0,
		Place:   d.place(d.text()),
	}
	if n := d.count(2); n > 0 {
		g.Tags = make([]Tag, n)
		for i := range g.Tags {
			g.Tags[i] = Tag{Name: d.text(), Value: d.text()}
		}
	}
	d.facts(g)
	if n := d.count(8); n > 0 {
		g.Faults = make([]Fault, n)
		for i := range g.Faults {
			f := &g.Faults[i]
			f.Severity = Severity(d.octet())
			d.demand(f.Severity <= Rejected)
			f.Kind = d.text()
			file := g.Place.File
			if same := d.octet(); same == 0 {
				file = d.text()
			}
			f.Place = d.place(file)
			f.Move = int(d.varint())
			f.Reason = d.text()
		}
	}
	d.nodes(g, flags&flagLinked != 0)
	return g
}

// demand notes damage unless ok.
func (d *decoder) demand(ok bool) {
	if !ok {
		d.fail()
	}
}

// fail notes damage and leaves nothing to read.
func (d *decoder) fail() {
	d.bad = true
	d.s = d.s[:d.at]
}

func (d *decoder) octet() byte {
	if d.at >= len(d.s) {
		d.fail()
		return 0
	}
	d.at++
	return d.s[d.at-1]
}

func (d *decoder) uvarint() uint64 {
	if d.at < len(d.s) && d.s[d.at] < 0x80 {
		d.at++
		return uint64(d.s[d.at-1])
	}
	return d.longUvarint()
}

func (d *decoder) longUvarint() uint64 {
	var v uint64
	for i := range binary.MaxVarintLen64 {
		b := d.octet()
		if i == binary.MaxVarintLen64-1 && b > 1 {
			break
		}
		v |= uint64(b&0x7F) << (7 * i)
		if b < 0x80 {
			return v
		}
	}
	d.fail()
	return 0
}

func (d *decoder) varint() int64 {
	u := d.uvarint()
	return int64(u>>1) ^ -int64(u&1)
}

// count reads how many things follow, each of which takes so many bytes at
// least.
func (d *decoder) count(size int) int {
	n := d.uvarint()
	if n > uint64((len(d.s)-d.at)/size) {
		d.fail()
		return 0
	}
	return int(n)
}

func (d *decoder) text() string { return d.take(d.count(1)) }

// take returns the next n bytes.
func (d *decoder) take(n int) string {
	if n > len(d.s)-d.at {
		d.fail()
		return ""
	}
	d.at += n
	return d.s[d.at-n : d.at]
}

func (d *decoder) place(file string) Place {
	return Place{File: file, Offset: d.varint(), Line: int(d.varint()), Number: int(d.varint())}
}

func (d *decoder) facts(g *Game) {
	f := &g.Facts
	mask := d.uvarint()
	d.demand(mask < factsEnd)
	for i, s := range factTexts(f) {
		if mask>>i&1 == 0 {
			continue
		}
		switch n := d.uvarint(); {
		case n == 0:
			*s = d.text()
		case n <= uint64(len(g.Tags)):
			*s = g.Tags[n-1].Value
		default:
			d.fail()
		}
	}
	for i := range f.Players {
		p := &f.Players[i]
		if mask&(factRank<<i) != 0 {
			p.Rank = facts.Rank{Grade: int(d.varint()), Scale: d.octet()}
		}
		if mask&(factRating<<i) != 0 {
			p.Rating = int(d.varint())
		}
	}
	if mask&factDate != 0 {
		flags := d.octet()
		f.Date = facts.Date{From: d.day(), Approx: flags&1 != 0}
		f.Date.To = f.Date.From
		if flags&2 != 0 {
			f.Date.To = d.day()
		}
	}
	if mask&factVerdict != 0 {
		f.Result.Verdict = facts.Verdict(d.octet())
		d.demand(f.Result.Verdict <= facts.Unfinished)
	}
	if mask&factMargin != 0 {
		f.Result.Margin = math.Float64frombits(bits.ReverseBytes64(d.uvarint()))
	}
	if mask&factKomi != 0 {
		f.Komi.Known = d.octet() != 0
		f.Komi.Half = int(d.varint())
	}
	if mask&factHandicap != 0 {
		f.Handicap = int(d.varint())
	}
}

func (d *decoder) day() facts.Day {
	return facts.Day{Year: int(d.varint()), Month: int(d.varint()), Day: int(d.varint())}
}

// store is the memory of the lists of all nodes, cut off piece by piece.
type store struct {
	extras []Extra
	puts   []Put
	props  []Prop
	values []string
}

func (d *decoder) nodes(g *Game, linked bool) {
	total := d.count(1)
	m := store{make([]Extra, d.count(1)), make([]Put, d.count(2)), make([]Prop, d.count(2)), make([]string, d.count(1))}
	if d.bad || total == 0 {
		d.demand(len(m.extras)+len(m.puts)+len(m.props)+len(m.values) == 0)
		return
	}
	g.Nodes = make([]Node, total)
	var waiting []int32 // nodes whose next sibling comes behind their subtree
	parent, elder := int32(0), int32(0)
	for i := range g.Nodes {
		n := &g.Nodes[i]
		head := d.octet()
		n.Side = d.side(head)
		length := int(head >> headLength)
		if length == longMove {
			length = d.count(1)
		}
		n.Move = d.take(length)
		if linked {
			n.Parent, n.Child, n.Next = int32(d.uvarint()), int32(d.uvarint()), int32(d.uvarint())
		}
		if head&headExtra != 0 {
			d.extra(n, &m)
		}
		if d.bad {
			return
		}
		if linked {
			continue
		}

		// The node before this one has said where it belongs.
		n.Parent = parent
		if elder != 0 {
			g.Nodes[elder].Next = int32(i)
		} else if i > 0 {
			g.Nodes[parent].Child = int32(i)
		}
		more := i+1 < total
		switch leaf, last := head&headLeaf != 0, head&headLast != 0; {
		case i == 0 && !last:
			d.fail() // the root has no siblings
		case !leaf:
			if !last {
				waiting = append(waiting, int32(i))
			}
			parent, elder = int32(i), 0
			d.demand(more)
		case !last:
			elder = int32(i)
			d.demand(more)
		case len(waiting) > 0:
			elder = waiting[len(waiting)-1]
			waiting = waiting[:len(waiting)-1]
			parent = g.Nodes[elder].Parent
			d.demand(more)
		default:
			d.demand(!more)
		}
	}
	d.demand(len(m.extras)+len(m.puts)+len(m.props)+len(m.values) == 0)
	if linked && !d.bad {
		tree, _ := treeOrder(g.Nodes)
		d.demand(tree)
	}
}

// side reads the side in the lowest bits of a head, which may follow it.
func (d *decoder) side(head byte) Side {
	if s := head & headSide; s != headSide {
		return Side(s)
	}
	return Side(d.octet())
}

func (d *decoder) extra(n *Node, m *store) {
	if len(m.extras) == 0 {
		d.fail()
		return
	}
	x := &m.extras[0]
	m.extras = m.extras[1:]
	n.Extra = x
	head := d.octet()
	d.demand(head&^extraKnown == 0)
	x.Turn = d.side(head)
	if head&extraComment != 0 {
		x.Comment = d.text()
	}
	if head&extraSetup != 0 {
		x.Setup = cut(d, &m.puts)
		for i := range x.Setup {
			x.Setup[i] = Put{Piece: board.Piece(d.octet()), Point: d.text()}
		}
	}
	if head&extraProps != 0 {
		x.Props = cut(d, &m.props)
		for i := range x.Props {
			x.Props[i] = Prop{Name: d.text(), Values: cut(d, &m.values)}
			for j := range x.Props[i].Values {
				x.Props[i].Values[j] = d.text()
			}
		}
	}
}

// cut reads a length and cuts a list of it off the front of rest; whoever
// appends to it gets memory of its own.
func cut[T any](d *decoder, rest *[]T) []T {
	n := d.count(1)
	if n > len(*rest) {
		d.fail()
		return nil
	}
	if n == 0 {
		return nil
	}
	list := (*rest)[:n:n]
	*rest = (*rest)[n:]
	return list
}
