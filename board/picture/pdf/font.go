package pdf

import (
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"

	"golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// face is a TrueType font of which the letters that are used are embedded.
type face struct {
	name   string
	data   []byte
	font   *sfnt.Font
	buf    sfnt.Buffer
	glyphs map[rune]sfnt.GlyphIndex
	widths map[sfnt.GlyphIndex]int // thousandths of the size
	used   map[sfnt.GlyphIndex]rune
	tables map[string][]byte
}

// ErrFont tells that a font cannot be embedded.
var ErrFont = errors.New("no TrueType font (.ttf): fonts of other kinds (.otf, .ttc) cannot be embedded")

// newFace reads a font.
func newFace(name string, data []byte) (*face, error) {
	f, err := sfnt.Parse(data)
	if err != nil {
		return nil, fmt.Errorf("%w (%w)", ErrFont, err)
	}
	tables, err := tablesOf(data)
	if err != nil {
		return nil, err
	}
	return &face{
		name: name, data: data, font: f, tables: tables,
		glyphs: map[rune]sfnt.GlyphIndex{}, widths: map[sfnt.GlyphIndex]int{}, used: map[sfnt.GlyphIndex]rune{},
	}, nil
}

// glyph returns the letter of a character, 0 for none.
func (f *face) glyph(r rune) sfnt.GlyphIndex {
	g, ok := f.glyphs[r]
	if !ok {
		g, _ = f.font.GlyphIndex(&f.buf, r)
		f.glyphs[r] = g
	}
	return g
}

// width returns how wide a letter is, in thousandths of the size.
func (f *face) width(g sfnt.GlyphIndex) int {
	w, ok := f.widths[g]
	if !ok {
		if a, err := f.font.GlyphAdvance(&f.buf, g, fixed.I(1000), font.HintingNone); err == nil {
			w = a.Round()
		}
		f.widths[g] = w
	}
	return w
}

// tablesOf cuts a font apart.
func tablesOf(data []byte) (map[string][]byte, error) {
	if len(data) < 12 || binary.BigEndian.Uint32(data) != 0x00010000 && string(data[:4]) != "true" {
		return nil, ErrFont
	}
	n := int(binary.BigEndian.Uint16(data[4:]))
	tables := map[string][]byte{}
	for i := range n {
		at := 12 + 16*i
		if at+16 > len(data) {
			return nil, ErrFont
		}
		off, size := binary.BigEndian.Uint32(data[at+8:]), binary.BigEndian.Uint32(data[at+12:])
		if uint64(off)+uint64(size) > uint64(len(data)) {
			return nil, ErrFont
		}
		tables[string(data[at:at+4])] = data[off : off+size]
	}
	for _, name := range []string{"glyf", "loca", "head", "maxp", "hhea", "hmtx"} {
		if tables[name] == nil {
			return nil, ErrFont
		}
	}
	if len(tables["head"]) < 54 || len(tables["maxp"]) < 6 || len(tables["hhea"]) < 36 {
		return nil, ErrFont
	}
	return tables, nil
}

// outline returns the bytes of a letter.
func (f *face) outline(g int) []byte {
	loca, glyf := f.tables["loca"], f.tables["glyf"]
	var from, to int
	if binary.BigEndian.Uint16(f.tables["head"][50:]) == 0 {
		if 2*g+4 > len(loca) {
			return nil
		}
		from, to = 2*int(binary.BigEndian.Uint16(loca[2*g:])), 2*int(binary.BigEndian.Uint16(loca[2*g+2:]))
	} else {
		if 4*g+8 > len(loca) {
			return nil
		}
		from, to = int(binary.BigEndian.Uint32(loca[4*g:])), int(binary.BigEndian.Uint32(loca[4*g+4:]))
	}
	if from >= to || to > len(glyf) {
		return nil
	}
	return glyf[from:to]
}

// parts returns the letters that a letter is made of.
func parts(outline []byte) (list []int) {
	if len(outline) < 10 || int16(binary.BigEndian.Uint16(outline)) >= 0 {
		return nil
	}
	for at := 10; at+4 <= len(outline); {
		flags := binary.BigEndian.Uint16(outline[at:])
		list = append(list, int(binary.BigEndian.Uint16(outline[at+2:])))
		at += 6
		if flags&1 != 0 {
			at += 2
		}
		switch {
		case flags&8 != 0:
			at += 2
		case flags&0x40 != 0:
			at += 4
		case flags&0x80 != 0:
			at += 8
		}
		if flags&0x20 == 0 {
			break
		}
	}
	return list
}

// subset returns the font with the letters that are used and those that they are made of;
// all keep their numbers.
func (f *face) subset() []byte {
	count := int(binary.BigEndian.Uint16(f.tables["maxp"][4:]))
	keep := map[int]bool{0: true}
	todo := []int{0}
	for g := range f.used {
		todo = append(todo, int(g))
	}
	for len(todo) > 0 {
		g := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		keep[g] = true
		for _, p := range parts(f.outline(g)) {
			if !keep[p] && p < count {
				todo = append(todo, p)
			}
		}
	}
	var glyf, loca []byte
	for g := range count {
		loca = binary.BigEndian.AppendUint32(loca, uint32(len(glyf)))
		if keep[g] {
			glyf = append(glyf, f.outline(g)...)
			for len(glyf)%4 != 0 {
				glyf = append(glyf, 0)
			}
		}
	}
	loca = binary.BigEndian.AppendUint32(loca, uint32(len(glyf)))
	head := slices.Clone(f.tables["head"])
	binary.BigEndian.PutUint16(head[50:], 1)
	tables := map[string][]byte{"glyf": glyf, "loca": loca, "head": head}
	for _, name := range []string{"maxp", "hhea", "hmtx", "cvt ", "fpgm", "prep"} {
		if t := f.tables[name]; t != nil {
			tables[name] = t
		}
	}
	return joined(tables)
}

// joined puts tables together to a font.
func joined(tables map[string][]byte) []byte {
	names := slices.Sorted(maps.Keys(tables))
	n, log := len(names), 0
	for 2<<log <= n {
		log++
	}
	out := binary.BigEndian.AppendUint32(nil, 0x00010000)
	for _, v := range []int{n, 16 << log, log, 16*n - 16<<log} {
		out = binary.BigEndian.AppendUint16(out, uint16(v))
	}
	at := 12 + 16*n
	for _, name := range names {
		t := tables[name]
		out = append(out, name...)
		sum := uint32(0)
		for i := 0; i < len(t); i += 4 {
			word := [4]byte{}
			copy(word[:], t[i:])
			sum += binary.BigEndian.Uint32(word[:])
		}
		for _, v := range []uint32{sum, uint32(at), uint32(len(t))} {
			out = binary.BigEndian.AppendUint32(out, v)
		}
		at += (len(t) + 3) &^ 3
	}
	for _, name := range names {
		out = append(out, tables[name]...)
		for len(out)%4 != 0 {
			out = append(out, 0)
		}
	}
	return out
}
