package charset

import (
	"math"
	"unicode/utf8"
)

// piece is a stretch of text with high bytes: from the first of them to two
// ASCII bytes in a row, or to one that is the second byte of no character.
// Whatever the encoding, characters begin anew behind it.
type piece struct {
	before byte // the byte before; 0 at the start of the text
	text   []byte
	after  byte // the byte behind; 0 at the end of the text
	cut    bool // the text goes on, but is not looked at
}

// pieces cuts the stretches with high bytes out of a text, up to so many bytes.
func pieces(dst []piece, text []byte, limit int) []piece {
	for i := 0; i < len(text) && limit > 0; {
		if n := asciiLen(text[i:]); n > 0 {
			i += n
			continue
		}
		end, ascii := i, 0
		for end < len(text) && end-i < limit {
			if c := text[end]; c >= utf8.RuneSelf {
				ascii = 0
			} else if ascii++; ascii == 2 || c < 0x30 {
				break
			}
			end++
		}
		p := piece{text: text[i:end]}
		if i > 0 {
			p.before = text[i-1]
		}
		if end < len(text) {
			p.after = text[end]
			p.cut = end-i >= limit
		}
		dst = append(dst, p)
		limit -= end - i
		i = end
	}
	return dst
}

// How much of a text is looked at: enough to be sure, then more where the
// answer does not hold for the rest.
const (
	firstLook  = 128
	secondLook = 64 << 10
)

// Detect guesses the encoding of a sample: "utf-8" for ASCII and UTF-8.
// It reads at most the first 64 KiB of text that is not ASCII.
func Detect(sample []byte) string {
	t := chooser{data: sample}
	c, _ := t.choose(nil)
	return c.name
}

// verdict is the answer of the detector.
type verdict struct {
	codec *Codec
	cost  cost
	utf8  cost // of UTF-8
	own   cost // of the encoding asked for
	bytes int  // how many bytes were looked at
}

// rank asks all encodings about the pieces of a text. The encoding asked for
// takes part even if it is none of the candidates.
func rank(ps []piece, asked *Codec) verdict {
	v := verdict{cost: math.MaxInt32, own: math.MaxInt32}
	for i := range ps {
		v.bytes += len(ps[i].text)
	}
	add := func(c *Codec, k cost) {
		if c == asked {
			v.own = k
		}
		if k < v.cost {
			v.codec, v.cost = c, k
		}
	}
	const drop = 40 * perE // behind so much, a candidate is given up
	bound := func(c *Codec) cost {
		if c == asked || v.cost == math.MaxInt32 {
			return math.MaxInt32
		}
		return v.cost + drop
	}
	seen := asked == nil || asked == utf8Codec
	for i := range candidates {
		c := &candidates[i]
		seen = seen || c.codec == asked
		if c.costs != nil {
			add(c.codec, eastCost(ps, c, bound(c.codec)))
		} else {
			add(c.codec, singleCosts(ps, c.runes(), c.prior, bound(c.codec)))
		}
	}
	if !seen && asked.form == single {
		add(asked, singleCosts(ps, makeSingle(asked.table()), costOf(0.01), math.MaxInt32))
	}
	// UTF-8 comes last: what is not UTF-8 is given up after a few bytes then.
	v.utf8 = utf8Cost(ps, bound(utf8Codec))
	add(utf8Codec, v.utf8)
	return v
}

// plausible reports whether a text is a likely one in an encoding of East Asia
// that was declared, so that no other needs to be asked.
func plausible(ps []piece, c *Codec) bool {
	for i := range candidates {
		if candidates[i].codec == c && candidates[i].costs != nil {
			n := 0
			for j := range ps {
				n += len(ps[j].text)
			}
			bound := cost(n) * 4 * perE // two bytes of a name in use cost 3.5 each
			return n >= 16 && eastCost(ps, &candidates[i], bound) < bound
		}
	}
	return false
}

// eastCost is the cost of a text in an encoding of East Asia.
func eastCost(ps []piece, c *candidate, bound cost) cost {
	k, costs := c.prior, c.costs()
	for pi := range ps {
		p := &ps[pi]
		text := p.text
		if isLetterByte(p.before) {
			k += 2 * perE // words in letters are seldom glued to it
			if isLetterByte(p.after) {
				k += 2 * perE
			}
		}
		for i := 0; i < len(text); {
			b := text[i]
			if b < utf8.RuneSelf {
				k += asciiCost
				i++
				continue
			}
			if one := costs.one[b-0x80]; one != 0 {
				k += cost(one)
				i++
				continue
			}
			next := p.after
			if i+1 < len(text) {
				next = text[i+1]
			} else if p.cut {
				break
			}
			if two := costs.two[int(b-0x80)<<8|int(next)]; two != 0 && i+1 < len(text) {
				k += cost(two)
				i += 2
				continue
			}
			if n, _ := c.codec.longer(text[i:], true); n > 0 && c.codec.decodeLong(text[i:i+n]) != 0 {
				k += costOf(1e-6)
				i += n
				continue
			}
			k += breakCost(next)
			if i++; i < len(text) && next >= utf8.RuneSelf {
				i++
			}
		}
		if k > bound {
			return k
		}
	}
	return k
}

func isLetterByte(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// breakCost is the cost of a broken character before a byte.
func breakCost(next byte) cost {
	switch next {
	case 0, ']', '"', '\n', '\r', '[', '<', '|':
		return cutCost
	}
	return brokenCost
}

// singleCosts is the cost of a text in an encoding of one byte a character.
func singleCosts(ps []piece, m *[256]singleCost, k, bound cost) cost {
	for pi := range ps {
		p := &ps[pi]
		before := m[p.before].class
		for _, b := range p.text {
			s := &m[b]
			if b < utf8.RuneSelf {
				k += asciiCost
				if (before == cyrillicLower || before == cyrillicUpper) && (s.class == asciiLower || s.class == asciiUpper) {
					k += 4 * perE
				}
			} else {
				k += s.cost + stepCost(before, s.class)
			}
			before = s.class
		}
		if k > bound {
			return k
		}
	}
	return k
}

// utf8Cost is the cost of a text as UTF-8. Whether the characters are likely
// ones matters little: that bytes of another encoding happen to be characters
// at all is rare enough.
func utf8Cost(ps []piece, bound cost) cost {
	k := costOf(0.3)
	for pi := range ps {
		p := &ps[pi]
		for text := p.text; len(text) > 0; {
			if text[0] < utf8.RuneSelf {
				k += asciiCost
				text = text[1:]
				continue
			}
			ok, n, _ := nextUTF8(text, true)
			switch {
			case ok:
				r, _ := utf8.DecodeRune(text)
				k += runeCost(r)
			case len(text) == n && p.cut:
			case len(text) == n:
				k += breakCost(p.after)
			default:
				k += breakCost(text[n])
			}
			text = text[n:]
		}
		if k > bound {
			return k
		}
	}
	return k
}

func runeCost(r rune) cost {
	switch {
	case r < 0x100:
		return 4 * perE
	case r < 0x250:
		return 6 * perE
	case r >= 0x400 && r < 0x460:
		return 4 * perE
	case r >= 0x370 && r < 0x400:
		return 7 * perE
	case r >= 0x250 && r < 0x800:
		return 14 * perE // what names in GBK turn into: ͨ, Ա
	case r >= 0x3000 && r < 0xA000, r >= 0xAC00 && r < 0xD7A4, r >= 0xFF00 && r < 0xFFA0:
		return 8 * perE
	case r >= 0x2000 && r < 0x3000:
		return 8 * perE
	}
	return 12 * perE
}
