package dedupe

import (
	"encoding/binary"
	"strings"

	"github.com/zeebo/xxh3"

	"qipu/record"
	"qipu/store"
)

// Notes are those of a record, in order; nil for plain moves. White space and
// the headers of the root do not count.
type Notes []store.Remark

// Sum returns a hash of all notes, 0 for none.
func (n Notes) Sum() uint64 {
	if len(n) == 0 {
		return 0
	}
	return n[len(n)-1].Sum
}

// UpTo returns the notes on the first so many plies.
func (n Notes) UpTo(plies int) Notes {
	for len(n) > 0 && int(n[len(n)-1].Ply) > plies {
		n = n[:len(n)-1]
	}
	return n
}

// NotesOf returns the notes of a record. One of plain moves costs a look at each
// node and no memory.
func NotesOf(g *record.Game) (list Notes) {
	var buf []byte
	ply := int32(0)
	for i, n := range g.Main() {
		if i > 0 && (n.Move != "" || n.Extra != nil && len(n.Setup) > 0) {
			ply++
		}
		buf = appendRemarks(buf[:0], n, i == 0)
		if i > 0 && n.Next != 0 {
			buf = appendVariations(buf, g, n.Next)
		}
		if len(buf) == 0 {
			continue
		}
		buf = binary.LittleEndian.AppendUint32(buf, uint32(ply))
		buf = binary.LittleEndian.AppendUint64(buf, list.Sum())
		list = append(list, store.Remark{Ply: ply, Sum: xxh3.Hash(buf)})
	}
	return list
}

// appendRemarks appends the comment and the properties of a node. Those of the
// root are headers.
func appendRemarks(dst []byte, n *record.Node, root bool) []byte {
	if n.Extra == nil {
		return dst
	}
	if words := strings.Fields(n.Comment); len(words) > 0 {
		dst = append(dst, 'C')
		for _, w := range words {
			dst = append(append(dst, w...), ' ')
		}
		dst = append(dst, 0)
	}
	if root {
		return dst
	}
	for _, p := range n.Props {
		if p.Name == "C" && strings.TrimSpace(strings.Join(p.Values, "")) == "" {
			continue // a comment that says nothing
		}
		dst = append(append(append(dst, 'P'), p.Name...), 0)
		for _, v := range p.Values {
			dst = append(append(append(dst, 'V'), v...), 0)
		}
	}
	return dst
}

// appendVariations appends the trees of a node and of its siblings behind it.
func appendVariations(dst []byte, g *record.Game, first int32) []byte {
	type visit struct {
		node  int32
		depth uint32
	}
	for stack := []visit{{first, 0}}; len(stack) > 0; {
		v := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		n := &g.Nodes[v.node]
		dst = binary.LittleEndian.AppendUint32(append(dst, 'M'), v.depth)
		dst = append(append(dst, n.Move...), 0, byte(n.Side))
		dst = appendRemarks(dst, n, false)
		if n.Extra != nil {
			for _, put := range n.Setup {
				dst = append(append(append(dst, 'S', byte(put.Piece)), put.Point...), 0)
			}
		}
		if n.Next != 0 {
			stack = append(stack, visit{n.Next, v.depth})
		}
		if n.Child != 0 {
			stack = append(stack, visit{n.Child, v.depth + 1})
		}
	}
	return dst
}
