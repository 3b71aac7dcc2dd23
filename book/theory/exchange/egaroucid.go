package exchange

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"math/bits"

	"qipu/board"
	"qipu/book"
	"qipu/book/theory"
	"qipu/book/theory/internal/graph"
	"qipu/engine"
	"qipu/game"
)

// A book of Egaroucid, in the version with the suffix egbk3: the magic, a byte
// with the version, and how many records follow, each of them
//
//	discs of the side to move 8 | those of the other 8 | value 1 | level 1 | lines 4 | value, move and level of the leaf 3
//
// with the lowest byte first. Positions are in their smallest picture, which is
// that of a book.Key; a move is the number of its bit. Beyond 63 it is none.
const (
	egbkMagic   = "DICUORAGE"
	egbkVersion = 3
	egbkRecord  = 25
	egbkHeader  = len(egbkMagic) + 1 + 4

	egbkTop = 60 // the highest level of a search; above it a person has spoken

	// What stands where there is no leaf: move, value and level.
	egbkNoMove  = 65
	egbkNoValue = -126
	egbkNoLevel = -1
)

// writeEgaroucid writes a record for each position that has a value. Bounds,
// notes and what people set are not in it, nor how many lines there are, which
// that program works out by itself.
func writeEgaroucid(w io.Writer, t *theory.Theory) error {
	rules := t.Rules()
	if err := graph.UsualOthello(rules, string(Egaroucid)); err != nil {
		return err
	}
	keys := graph.NewKeyer(rules)
	var records []byte
	for _, row := range t.Rows() {
		p, err := game.ParsePosition(rules, row.Position)
		if err != nil {
			return err
		}
		e := t.Look(p)
		best, why := e.Best()
		if why == theory.Unknown {
			continue
		}
		level := egbkTop
		if why == theory.ByEngine {
			level = min(e.Level, egbkTop)
		}
		records = binary.LittleEndian.AppendUint64(records, row.Key.Hi)
		records = binary.LittleEndian.AppendUint64(records, row.Key.Lo)
		records = append(records, byte(whole(best)), byte(level), 0, 0, 0, 0)
		leaf := [3]byte{256 + egbkNoValue, egbkNoMove, 256 + egbkNoLevel}
		for _, m := range e.Moves {
			if !m.Leaf {
				continue
			}
			to, err := keys.First(p, m.Key)
			if err != nil {
				return err
			}
			leaf = [3]byte{byte(whole(m.E)), byte(rules.Geometry().Size.Index(to.To())), byte(min(m.Level, egbkTop))}
		}
		records = append(records, leaf[:]...)
	}
	head := append([]byte(egbkMagic), egbkVersion)
	head = binary.LittleEndian.AppendUint32(head, uint32(len(records)/egbkRecord))
	if _, err := w.Write(head); err != nil {
		return err
	}
	_, err := w.Write(records)
	return err
}

// whole returns a value in whole discs.
func whole(v engine.Value) int8 { return int8(math.Round(max(-64, min(64, v.Units())))) }

// readEgaroucid reads such a book. The leaf of a record becomes that of the
// position, within the usual margin; the value of a position is not read but
// worked out again, from the leaf and the positions behind its moves. A record
// without either has nothing that its value could come from, unless a person has
// set it. Faults are counted by records.
func readEgaroucid(r io.Reader, rules game.Rules, fault func(Fault)) (rows []theory.Row, err error) {
	if err := graph.UsualOthello(rules, string(Egaroucid)); err != nil {
		return nil, err
	}
	in := bufio.NewReader(r)
	head := make([]byte, egbkHeader)
	if _, err := io.ReadFull(in, head); err != nil || !bytes.HasPrefix(head, []byte(egbkMagic)) {
		return nil, errors.New("theory: it is not a book of Egaroucid")
	}
	if v := head[len(egbkMagic)]; v != egbkVersion {
		return nil, fmt.Errorf("theory: it is a book of Egaroucid of version %d, and not %d: have that program save it anew", v, egbkVersion)
	}
	keys := graph.NewKeyer(rules)
	var open []int // records without a leaf, as places in rows
	known := map[book.Key]bool{}
	buf := make([]byte, egbkRecord)
	count := int(int32(binary.LittleEndian.Uint32(head[len(egbkMagic)+1:])))
	var places []int // of rows among the records
	for i := 1; i <= count; i++ {
		if _, err := io.ReadFull(in, buf); err != nil {
			fault(Fault{i, fmt.Errorf("the file ends here, and should have %d records", count)})
			break
		}
		row, leaf, err := egbkRow(keys, buf)
		if err != nil {
			fault(Fault{i, err})
			continue
		}
		if !leaf && row.Human == engine.NoValue {
			open = append(open, len(rows))
		}
		rows, places = append(rows, row), append(places, i)
		known[row.Key] = true
	}
	lost := map[int]bool{}
	for _, at := range open {
		p, err := game.ParsePosition(rules, rows[at].Position)
		if err != nil {
			return nil, err
		}
		leads := false
		for _, m := range p.AppendMoves(nil) {
			s, err := keys.Step(p, m)
			leads = leads || err == nil && (s.Over || known[s.Key])
		}
		if !leads {
			lost[at] = true
			fault(Fault{places[at], errors.New("it has a value, but no move that the value comes from")})
		}
	}
	kept := rows[:0]
	for i, row := range rows {
		if !lost[i] {
			kept = append(kept, row)
		}
	}
	return kept, nil
}

// egbkRow reads a record, and tells whether it has a leaf.
func egbkRow(keys *graph.Keyer, rec []byte) (row theory.Row, leaf bool, err error) {
	own, opp := binary.LittleEndian.Uint64(rec), binary.LittleEndian.Uint64(rec[8:])
	value, level := int8(rec[16]), int8(rec[17])
	switch {
	case own&opp != 0:
		return row, false, errors.New("two discs lie on one square")
	case value < -64 || value > 64:
		return row, false, fmt.Errorf("%d is no number of discs", value)
	}
	text := bytes.Repeat([]byte{'-'}, 64)
	for ; own != 0; own &= own - 1 {
		text[bits.TrailingZeros64(own)] = 'X'
	}
	for ; opp != 0; opp &= opp - 1 {
		text[bits.TrailingZeros64(opp)] = 'O'
	}
	p, err := game.ParsePosition(keys.Rules, string(text)+" X")
	if err != nil {
		return row, false, err
	}
	row = graph.Blank(book.Key{}, game.FormatPosition(keys.Rules, p))
	if level > egbkTop {
		row.Human = engine.Value(value) * engine.Unit
	} else {
		row.Level = max(1, int(level))
	}
	if said, at, depth := int8(rec[22]), rec[23], int8(rec[24]); at < 64 && said >= -64 && said <= 64 {
		leaf = true
		row.Leaf = game.FormatMove(keys.Rules, p, game.Drop(board.At(int(at%8), int(at/8))), game.AnyNotation)
		row.Value, row.Level = engine.Value(said)*engine.Unit, max(1, min(int(depth), egbkTop))
		row.Lower, row.Upper = row.Value-theory.MarginMid, row.Value+theory.MarginMid
	}
	row, err = keys.Normal(row)
	return row, leaf, err
}
