package charset

import (
	"math"
	"sync"
	"unicode"
	"unicode/utf8"
)

// The detector asks of every encoding how likely the bytes are as a text in
// it, and takes the likeliest. A likelihood is a product of probabilities, one
// per character, from a few classes of characters for each script; it is kept
// as a cost, the sum of -log of them, in 1/16 of e. All encodings account for
// the same bytes, so that the costs can be compared as they are.

// cost is -16 ln p.
type cost int32

const (
	perE = 16

	// A place that is no character, and one that looks like a character cut by
	// the limit of a field: a broken one before a delimiter.
	brokenCost cost = 14 * perE
	cutCost    cost = 8 * perE

	// An ASCII byte that another encoding has as the second byte of a character.
	asciiCost cost = 56 // 1/33
)

func costOf(p float64) cost { return cost(math.Round(-perE * math.Log(p))) }

// script is the distribution of characters in texts of one script.
type script struct {
	common, known   string     // lists of characters
	pCommon, pKnown float64    // of a text, how much they are
	rest            []interval // what else, by code
}

// interval is a range of characters that share a part of a text.
type interval struct {
	low, high rune
	p         float64 // of every single character
}

// The symbols that all East Asian texts have.
var wide = []interval{
	{0x3001, 0x3002, 4e-3}, {0xFF0C, 0xFF0C, 8e-3}, {0xFF10, 0xFF19, 2e-3}, {0xFF1A, 0xFF1A, 2e-3}, {0xFF08, 0xFF09, 2e-3}, {0x3000, 0x3000, 3e-3},
	{0xFF01, 0xFF0F, 5e-4}, {0xFF1B, 0xFF20, 5e-4}, {0xFF21, 0xFF5E, 2e-4}, {0x2018, 0x201D, 5e-4}, {0x2026, 0x2026, 1e-3}, {0x2014, 0x2015, 5e-4},
	{0x3008, 0x3011, 8e-4}, {0x00B7, 0x00B7, 4e-4}, {0x25A0, 0x25FF, 1.5e-4}, {0x2605, 0x2606, 5e-4}, {0x3003, 0x303F, 2e-5}, {0x2000, 0x2BFF, 6e-6}, {0x00A0, 0x00FF, 6e-6}, {0x0391, 0x0451, 3e-6}, {0x3200, 0x33FF, 2e-6}, {0x3100, 0x312F, 2e-6},
}

var (
	zhHans = script{hansCommon, hansKnown, 0.42, 0.42, []interval{{0x4E00, 0x9FFF, 3e-5}, {0x3041, 0x30FF, 2e-4}}}
	zhHant = script{hantCommon, hantKnown, 0.42, 0.42, []interval{{0x4E00, 0x9FFF, 3e-5}, {0x3041, 0x30FF, 2e-4}}}
	ko     = script{hangulCommon, hangulKnown, 0.48, 0.40, []interval{{0xAC00, 0xD7A3, 7e-5}, {0x4E00, 0x9FFF, 4e-6}, {0xF900, 0xFAFF, 2e-6}, {0x3131, 0x3163, 8e-5}, {0x3041, 0x30FF, 3e-6}}}
	ja     = script{kanjiCommon, kanjiKnown, 0.26, 0.16, []interval{{0x4E00, 0x9FFF, 2e-5}, {0x3041, 0x3093, 3.6e-3}, {0x30A1, 0x30F6, 1.5e-3}, {0x30FC, 0x30FC, 6e-3}, {0x30FB, 0x30FB, 3e-3}, {0xFF61, 0xFF9F, 1.2e-4}}}
)

// cost returns the cost of a character in a script: by the lists, or else by
// the range it is in.
func (s *script) cost(r rune, lists map[rune]cost) cost {
	if c, ok := lists[r]; ok {
		return c
	}
	for _, list := range [][]interval{s.rest, wide} {
		for _, i := range list {
			if i.low <= r && r <= i.high {
				return costOf(i.p)
			}
		}
	}
	return costOf(3e-7)
}

func (s *script) lists() map[rune]cost {
	m := map[rune]cost{}
	for _, part := range []struct {
		chars string
		p     float64
	}{{s.known, s.pKnown}, {s.common, s.pCommon}} {
		c := costOf(part.p / float64(utf8.RuneCountInString(part.chars)))
		for _, r := range part.chars {
			m[r] = c
		}
	}
	return m
}

// costs are the costs of all characters of an encoding, as its table has them;
// 0 for no character.
type costs struct {
	one [128]uint8
	two [128 * 256]uint8
}

// level gives a code of two bytes its place in the standard: first the
// characters in use, then the rare ones, then later additions.
type level func(lead, trail byte) int

// levels multiply the probability of characters that are in no list.
var levelFactor = [...]float64{1, 0.06, 0.003}

func makeCosts(t *codepage, s *script, of level) *costs {
	lists := s.lists()
	c := new(costs)
	clip := func(k cost) uint8 { return uint8(min(max(k, 1), 255)) }
	for i, u := range t.one {
		if u != 0 {
			r, _ := utf8.DecodeRune(u.bytes())
			c.one[i] = clip(s.cost(r, lists))
		}
	}
	for i, u := range t.two {
		if u == 0 {
			continue
		}
		r, _ := utf8.DecodeRune(u.bytes())
		k := s.cost(r, lists)
		if _, listed := lists[r]; !listed {
			k += costOf(levelFactor[of(byte(i>>8+0x80), byte(i))])
		}
		c.two[i] = clip(k)
	}
	return c
}

// candidate is an encoding that the detector knows.
type candidate struct {
	codec *Codec
	prior cost
	costs func() *costs // of East Asian encodings
	runes func() *[256]singleCost
}

// candidates, with how often record files without a declaration are in them.
var candidates = []candidate{
	eastAsian("gb18030", 0.33, &zhHans, func(lead, trail byte) int {
		switch {
		case lead >= 0xB0 && lead <= 0xD7 && trail >= 0xA1, lead >= 0xA1 && lead <= 0xA9 && trail >= 0xA1:
			return 0
		case lead >= 0xB0 && trail >= 0xA1:
			return 1
		}
		return 2
	}),
	eastAsian("big5", 0.13, &zhHant, func(lead, trail byte) int {
		switch {
		case lead >= 0xA4 && lead <= 0xC6, lead >= 0xA1 && lead <= 0xA3:
			return 0
		case lead >= 0xC9 && lead <= 0xF9:
			return 1
		}
		return 2
	}),
	eastAsian("shift_jis", 0.15, &ja, func(lead, trail byte) int {
		switch {
		case lead < 0x98 || lead == 0x98 && trail <= 0x72:
			return 0
		case lead <= 0xEA:
			return 1
		}
		return 2
	}),
	eastAsian("euc-kr", 0.15, &ko, func(lead, trail byte) int {
		if lead >= 0xA1 && trail >= 0xA1 {
			return 0
		}
		return 2
	}),
	eastAsian("euc-jp", 0.03, &ja, func(lead, trail byte) int {
		switch {
		case lead <= 0xCF:
			return 0
		case lead <= 0xF4:
			return 1
		}
		return 2
	}),
	oneByte("windows-1252", 0.14), oneByte("windows-1251", 0.03), oneByte("windows-1250", 0.04), oneByte("koi8-r", 0.008), oneByte("macintosh", 0.004),
}

func eastAsian(name string, prior float64, s *script, l level) candidate {
	c := codecs[name]
	return candidate{codec: c, prior: costOf(prior), costs: sync.OnceValue(func() *costs { return makeCosts(c.table(), s, l) })}
}

func oneByte(name string, prior float64) candidate {
	c := codecs[name]
	return candidate{codec: c, prior: costOf(prior), runes: sync.OnceValue(func() *[256]singleCost { return makeSingle(c.table()) })}
}

// singleCost is what is to know of a byte in an encoding of one byte a
// character.
type singleCost struct {
	cost  cost
	class class
}

type class uint8

const (
	other class = iota
	asciiLower
	asciiUpper
	latinLower
	latinUpper
	cyrillicLower
	cyrillicUpper
	undefined
)

// The letters of the languages of players, per mille of the letters beyond
// ASCII in Latin texts, and of all letters in Russian ones.
var letters = map[string]int{
	"éüö": 100, "äá": 70, "óíłåç": 45, "èñãśżęš": 30, "ßàąčžêëúæøřěńćý": 18, "ôâůőîïûõź": 8, "űăşţťďňğıù": 4, "ÿœđľĺŕìò": 1,
	"оеа": 90, "интс": 60, "рвл": 44, "кмдп": 30, "уяы": 20, "ьгзбч": 16, "йхжш": 10, "юцщэфёъ": 5, "іїєґ": 2,
}

func makeSingle(t *codepage) *[256]singleCost {
	freq := map[rune]int{}
	for list, n := range letters {
		for _, r := range list {
			freq[r] = n
		}
	}
	m := new([256]singleCost)
	for i := range m {
		r := rune(i)
		if i >= 0x80 {
			u := t.one[i-0x80]
			if u == 0 {
				m[i] = singleCost{brokenCost, undefined}
				continue
			}
			r, _ = utf8.DecodeRune(u.bytes())
		}
		m[i] = singleCost{letterCost(r, freq), classOf(r)}
	}
	return m
}

// letterCost is the cost of a character beyond ASCII in an alphabet.
func letterCost(r rune, freq map[rune]int) cost {
	lower := unicode.ToLower(r)
	switch n := freq[lower]; {
	case n > 0 && lower == r:
		return costOf(float64(n) / 1000)
	case n > 0:
		return costOf(float64(n) / 1000 / 10)
	case unicode.IsLetter(r):
		return costOf(3e-4)
	case unicode.IsControl(r):
		return costOf(1e-5)
	}
	switch r {
	case '\u2019', '\u2018', '\u201C', '\u201D', '\u2013', '\u2014', '\u2026', '«', '»', '°', '·', '\u00A0', '½', '©':
		return costOf(8e-3)
	case '¡', '¿', '®', '²', '³', '´', '€', '£', '§', '±', '№', '•', '\u2122':
		return costOf(1e-3)
	}
	return costOf(1e-4)
}

func classOf(r rune) class {
	switch {
	case 'a' <= r && r <= 'z':
		return asciiLower
	case 'A' <= r && r <= 'Z':
		return asciiUpper
	case unicode.Is(unicode.Cyrillic, r) && unicode.IsUpper(r):
		return cyrillicUpper
	case unicode.Is(unicode.Cyrillic, r):
		return cyrillicLower
	case unicode.IsUpper(r):
		return latinUpper
	case unicode.IsLower(r):
		return latinLower
	}
	return other
}

// stepCost is the cost of one class after another. Letters beyond ASCII stand
// among other letters of their script, and capitals at the start of words.
func stepCost(before, after class) cost {
	const e = perE
	switch after {
	case latinLower:
		switch before {
		case asciiLower, asciiUpper:
			return 0
		case latinLower, latinUpper:
			return 2 * e
		case cyrillicLower, cyrillicUpper:
			return 4 * e
		}
		return 3 * e / 2
	case latinUpper:
		switch before {
		case asciiLower, latinLower, cyrillicLower, cyrillicUpper:
			return 5 * e
		case latinUpper:
			return 3 * e
		}
		return e / 2
	case cyrillicLower:
		switch before {
		case cyrillicLower, cyrillicUpper:
			return 0
		case asciiLower, asciiUpper, latinLower, latinUpper:
			return 4 * e
		}
		return 3 * e / 2
	case cyrillicUpper:
		switch before {
		case cyrillicLower, asciiLower, latinLower:
			return 4 * e
		case cyrillicUpper:
			return e
		}
		return 0
	case other:
		switch before {
		case latinLower, latinUpper, cyrillicLower, cyrillicUpper, asciiLower, asciiUpper:
			return e / 2
		}
	}
	return 0
}
