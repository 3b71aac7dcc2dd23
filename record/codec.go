package record

import (
	"encoding/binary"
	"math"
	"math/bits"

	"qipu/record/facts"
)

// The stored form of a record, version 1. Numbers are varints (zigzag where
// they may be negative), a text is its length and its bytes.
//
//	byte     version
//	byte     flags: encoding guessed, links written out
//	texts    kind, variant, start, notation, format, encoding
//	place    file, offset, line, number
//	list     tags: name, value
//	facts    a mask of what is known, then that; see appendFacts
//	list     faults: severity, kind, place, move, reason
//	numbers  nodes, and how many Extra, Put, Prop and values all of them have
//	nodes    a head, then what it announces:
//
//	  7  5 4     3     2     1 0
//	[length][last][leaf][extra][side]
//
// The length is that of the move; 7 says that it is 7 or more and follows. A
// side of 3 follows as a byte. Nodes stand depth first, as nearly all readers
// make them, and two bits say all about the tree: a node is a leaf or its first
// child comes next; it is the last of its siblings or another comes behind its
// subtree. A plain move of SGF is 3 bytes.
//
// The totals let a reader take its memory in five pieces, however many nodes
// have comments and properties. Each thing counted takes a byte at least, so
// that no number in the data can ask for more memory than a multiple of its
// length.
const codecVersion = 1

// The flags of a record.
const (
	flagGuessed = 1 << iota
	flagLinked  // nodes are in another order: parent, child and next are written
	flagsKnown  = flagGuessed | flagLinked
)

// The parts of the head of a node.
const (
	headSide   = 3
	headExtra  = 1 << 2
	headLeaf   = 1 << 3
	headLast   = 1 << 4
	headLength = 5 // shift
	longMove   = 7
)

// The parts of the head of an Extra; its lowest two bits are the turn.
const (
	extraComment = 1 << 2
	extraSetup   = 1 << 3
	extraProps   = 1 << 4
	extraKnown   = 1<<5 - 1
)

// AppendGame appends the stored form of a record to dst: all of it but Raw,
// which is kept beside it, and the offsets of nodes, which serve messages about
// a file that is being read. An empty list is a nil one when it comes back, and
// nothing else changes.
//
// It takes no memory but to grow dst. The nodes must be a tree; what is none is
// written too, and refused by DecodeGame.
func AppendGame(dst []byte, g *Game) []byte {
	flags := byte(0)
	if g.Guessed {
		flags |= flagGuessed
	}
	_, ordered := treeOrder(g.Nodes)
	if !ordered {
		flags |= flagLinked
	}
	dst = append(dst, codecVersion, flags)
	dst = appendText(dst, g.Kind)
	dst = appendText(dst, g.Variant)
	dst = appendText(dst, g.Start)
	dst = appendText(dst, g.Notation)
	dst = appendText(dst, g.Format)
	dst = appendText(dst, g.Encoding)
	dst = appendText(dst, g.Place.File)
	dst = appendPlace(dst, &g.Place)
	dst = binary.AppendUvarint(dst, uint64(len(g.Tags)))
	for i := range g.Tags {
		dst = appendText(dst, g.Tags[i].Name)
		dst = appendText(dst, g.Tags[i].Value)
	}
	dst = appendFacts(dst, g)
	dst = binary.AppendUvarint(dst, uint64(len(g.Faults)))
	for i := range g.Faults {
		f := &g.Faults[i]
		dst = append(dst, byte(f.Severity))
		dst = appendText(dst, f.Kind)
		if f.Place.File == g.Place.File {
			dst = append(dst, 1)
		} else {
			dst = append(dst, 0)
			dst = appendText(dst, f.Place.File)
		}
		dst = appendPlace(dst, &f.Place)
		dst = binary.AppendVarint(dst, int64(f.Move))
		dst = appendText(dst, f.Reason)
	}
	return appendNodes(dst, g.Nodes, ordered)
}

func appendText(dst []byte, s string) []byte {
	if len(s) < 0x80 {
		dst = append(dst, byte(len(s)))
	} else {
		dst = binary.AppendUvarint(dst, uint64(len(s)))
	}
	return append(dst, s...)
}

// appendPlace appends a place without its file.
func appendPlace(dst []byte, p *Place) []byte {
	dst = binary.AppendVarint(dst, p.Offset)
	dst = binary.AppendVarint(dst, int64(p.Line))
	return binary.AppendVarint(dst, int64(p.Number))
}

// The mask of the facts: texts in the order of factTexts, then these.
const (
	factRank = 1 << (numFactTexts + iota) // of the first player, then of the second
	_
	factRating // the same
	_
	factDate
	factVerdict
	factMargin
	factKomi
	factHandicap
	factsEnd
)

const numFactTexts = 14

// factTexts returns the texts of the facts in the order in which they are
// stored. New ones need a new version.
func factTexts(f *facts.Facts) [numFactTexts]*string {
	return [...]*string{
		&f.Players[0].Name, &f.Players[1].Name, &f.Players[0].Team, &f.Players[1].Team,
		&f.Event, &f.Round, &f.Place, &f.Result.How, &f.Ruleset, &f.Opening, &f.Code, &f.Source, &f.Author, &f.Time,
	}
}

// appendFacts appends the mask of the facts that are known, and then those. A
// text is most often the value of a tag: it is then the number of that tag,
// from 1; 0 stands before a text of its own.
func appendFacts(dst []byte, g *Game) []byte {
	f := &g.Facts
	texts := factTexts(f)
	mask := uint64(0)
	set := func(bit uint64, known bool) {
		if known {
			mask |= bit
		}
	}
	for i, s := range texts {
		set(1<<i, *s != "")
	}
	for i := range f.Players {
		set(factRank<<i, f.Players[i].Rank != facts.Rank{})
		set(factRating<<i, f.Players[i].Rating != 0)
	}
	margin := math.Float64bits(f.Result.Margin)
	set(factDate, f.Date != facts.Date{})
	set(factVerdict, f.Result.Verdict != facts.Unknown)
	set(factMargin, margin != 0)
	set(factKomi, f.Komi != facts.Komi{})
	set(factHandicap, f.Handicap != 0)

	dst = binary.AppendUvarint(dst, mask)
	for i, s := range texts {
		if mask>>i&1 != 0 {
			n := tagOf(g.Tags, *s)
			dst = binary.AppendUvarint(dst, uint64(n))
			if n == 0 {
				dst = appendText(dst, *s)
			}
		}
	}
	for i := range f.Players {
		p := &f.Players[i]
		if mask&(factRank<<i) != 0 {
			dst = binary.AppendVarint(dst, int64(p.Rank.Grade))
			dst = append(dst, p.Rank.Scale)
		}
		if mask&(factRating<<i) != 0 {
			dst = binary.AppendVarint(dst, int64(p.Rating))
		}
	}
	if mask&factDate != 0 {
		dst = append(dst, flag(f.Date.Approx)|flag(f.Date.To != f.Date.From)<<1)
		dst = appendDay(dst, f.Date.From)
		if f.Date.To != f.Date.From {
			dst = appendDay(dst, f.Date.To)
		}
	}
	if mask&factVerdict != 0 {
		dst = append(dst, byte(f.Result.Verdict))
	}
	if mask&factMargin != 0 {
		// The low bytes of halves and whole numbers are zero: turned around
		// they make short varints.
		dst = binary.AppendUvarint(dst, bits.ReverseBytes64(margin))
	}
	if mask&factKomi != 0 {
		dst = append(dst, flag(f.Komi.Known))
		dst = binary.AppendVarint(dst, int64(f.Komi.Half))
	}
	if mask&factHandicap != 0 {
		dst = binary.AppendVarint(dst, int64(f.Handicap))
	}
	return dst
}

// tagOf returns the number of the first tag with that value, from 1, or 0.
func tagOf(tags []Tag, value string) int {
	for i := range tags {
		if tags[i].Value == value {
			return i + 1
		}
	}
	return 0
}

func flag(b bool) byte {
	if b {
		return 1
	}
	return 0
}

func appendDay(dst []byte, d facts.Day) []byte {
	dst = binary.AppendVarint(dst, int64(d.Year))
	dst = binary.AppendVarint(dst, int64(d.Month))
	return binary.AppendVarint(dst, int64(d.Day))
}

func appendNodes(dst []byte, nodes []Node, ordered bool) []byte {
	var extras, puts, props, values int
	for i := range nodes {
		if x := nodes[i].Extra; x != nil {
			extras++
			puts += len(x.Setup)
			props += len(x.Props)
			for j := range x.Props {
				values += len(x.Props[j].Values)
			}
		}
	}
	for _, n := range [...]int{len(nodes), extras, puts, props, values} {
		dst = binary.AppendUvarint(dst, uint64(n))
	}
	for i := range nodes {
		n := &nodes[i]
		head := byte(min(len(n.Move), longMove))<<headLength | sideBits(n.Side)
		if n.Extra != nil {
			head |= headExtra
		}
		if n.Child == 0 {
			head |= headLeaf
		}
		if n.Next == 0 {
			head |= headLast
		}
		dst = append(dst, head)
		if head&headSide == headSide {
			dst = append(dst, byte(n.Side))
		}
		if len(n.Move) >= longMove {
			dst = binary.AppendUvarint(dst, uint64(len(n.Move)))
		}
		dst = append(dst, n.Move...)
		if !ordered {
			dst = binary.AppendUvarint(dst, uint64(uint32(n.Parent)))
			dst = binary.AppendUvarint(dst, uint64(uint32(n.Child)))
			dst = binary.AppendUvarint(dst, uint64(uint32(n.Next)))
		}
		if n.Extra != nil {
			dst = appendExtra(dst, n.Extra)
		}
	}
	return dst
}

// sideBits returns the two bits of a side, 3 for one that has to follow.
func sideBits(s Side) byte { return byte(min(uint8(s), 3)) }

func appendExtra(dst []byte, x *Extra) []byte {
	head := sideBits(x.Turn)
	if x.Comment != "" {
		head |= extraComment
	}
	if len(x.Setup) > 0 {
		head |= extraSetup
	}
	if len(x.Props) > 0 {
		head |= extraProps
	}
	dst = append(dst, head)
	if head&headSide == headSide {
		dst = append(dst, byte(x.Turn))
	}
	if x.Comment != "" {
		dst = appendText(dst, x.Comment)
	}
	if len(x.Setup) > 0 {
		dst = binary.AppendUvarint(dst, uint64(len(x.Setup)))
		for i := range x.Setup {
			dst = append(dst, byte(x.Setup[i].Piece))
			dst = appendText(dst, x.Setup[i].Point)
		}
	}
	if len(x.Props) > 0 {
		dst = binary.AppendUvarint(dst, uint64(len(x.Props)))
		for i := range x.Props {
			dst = appendText(dst, x.Props[i].Name)
			dst = binary.AppendUvarint(dst, uint64(len(x.Props[i].Values)))
			for _, v := range x.Props[i].Values {
				dst = appendText(dst, v)
			}
		}
	}
	return dst
}

// treeOrder walks the nodes depth first along their links. It tells whether
// they are a tree, every node of which the walk meets once, and whether they
// stand in the order of the walk. It needs no memory: the way back up is that
// of the parents, whose links it has checked on the way down. A walk along a
// circle is noticed when it has made more steps than there are nodes.
func treeOrder(nodes []Node) (tree, ordered bool) {
	if len(nodes) == 0 {
		return true, true
	}
	if nodes[0].Parent != 0 || nodes[0].Next != 0 {
		return false, false
	}
	ordered = true
	at := int32(0)
	for met := 1; ; met++ {
		to, parent := nodes[at].Child, at
		for to == 0 && at != 0 {
			to, parent = nodes[at].Next, nodes[at].Parent
			if to == 0 {
				at = parent
			}
		}
		if to == 0 {
			return met == len(nodes), ordered && met == len(nodes)
		}
		if met == len(nodes) || uint32(to) >= uint32(len(nodes)) || nodes[to].Parent != parent {
			return false, false
		}
		ordered = ordered && int(to) == met
		at = to
	}
}
