package pdf

import (
	"strings"
	"unicode"
)

// Align is which part of a line of text lies at a place.
type Align uint8

// The alignments.
const (
	Left Align = iota
	Center
	Right
)

// Style is how text is set.
type Style struct {
	Size  float64
	Bold  bool
	Align Align
	Gray  float64 // 0 for black, 1 for white
}

// run is a part of a line in one font.
type run struct {
	face   *face // nil for a font of the reader
	native *native
	text   []rune
	width  float64 // of size 1
}

// native is a font that readers of PDF have for a language.
type native struct {
	name, encoding string
	order          string
	used           bool
}

// The fonts by language. Han characters are set by that of the document.
var natives = map[string]native{
	"ja":      {name: "HeiseiKakuGo-W5", order: "Japan1", encoding: "UniJIS-UTF16-H"},
	"ko":      {name: "HYGoThic-Medium", order: "Korea1", encoding: "UniKS-UTF16-H"},
	"zh-Hant": {name: "MHei-Medium", order: "CNS1", encoding: "UniCNS-UTF16-H"},
	"zh-Hans": {name: "STSong-Light", order: "GB1", encoding: "UniGB-UTF16-H"},
}

// nativeOf returns the font of the reader for a character.
func (d *Document) nativeOf(r rune) *native {
	lang := d.lang
	switch {
	case unicode.Is(unicode.Hangul, r):
		lang = "ko"
	case unicode.In(r, unicode.Hiragana, unicode.Katakana):
		lang = "ja"
	}
	if natives[lang].name == "" {
		lang = "zh-Hans" // which has the characters of all
	}
	n := d.natives[lang]
	if n == nil {
		of := natives[lang]
		n = &of
		d.natives[lang] = n
	}
	return n
}

// runs cuts a line into parts of one font.
func (d *Document) runs(text string, bold bool) (list []run) {
	latin := d.regular
	if bold {
		latin = d.bold
	}
	for _, r := range text {
		if r < ' ' || r == 0x7F {
			r = ' '
		}
		f, n, w := latin, (*native)(nil), 0.0
		if g := f.glyph(r); g != 0 {
			w = float64(f.width(g)) / 1000
		} else if d.own != nil && d.own.glyph(r) != 0 {
			f = d.own
			w = float64(f.width(f.glyph(r))) / 1000
		} else if r >= 0x1100 {
			f, n, w = nil, d.nativeOf(r), 1
		} else {
			r = '?'
			w = float64(f.width(f.glyph(r))) / 1000
		}
		if k := len(list) - 1; k >= 0 && list[k].face == f && list[k].native == n {
			list[k].text = append(list[k].text, r)
			list[k].width += w
		} else {
			list = append(list, run{f, n, []rune{r}, w})
		}
	}
	return list
}

// Width returns how wide a line is.
func (d *Document) Width(text string, s Style) float64 {
	w := 0.0
	for _, r := range d.runs(text, s.Bold) {
		w += r.width
	}
	return w * s.Size
}

// Wrap cuts text into lines of a width: at its own breaks, between words, and between
// characters of scripts that have no spaces.
func (d *Document) Wrap(text string, s Style, width float64) (lines []string) {
	for _, paragraph := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		line, long := "", 0.0
		for _, word := range words(paragraph) {
			w := d.Width(word, s)
			if long+d.Width(strings.TrimRight(word, " "), s) > width && line != "" {
				lines = append(lines, strings.TrimRight(line, " "))
				line, long = "", 0
			}
			for w > width && len([]rune(word)) > 1 { // a word that no line holds is cut
				cut := []rune(word)
				n := len(cut)
				for n > 1 && d.Width(string(cut[:n]), s) > width {
					n = n * 7 / 8
				}
				lines = append(lines, string(cut[:n]))
				word = string(cut[n:])
				w = d.Width(word, s)
			}
			line, long = line+word, long+w
		}
		lines = append(lines, strings.TrimRight(line, " "))
	}
	return lines
}

// words cuts a line where it may be broken. Spaces stay with the word before.
func words(line string) (list []string) {
	now := []rune{}
	end := func() {
		if len(now) > 0 {
			list = append(list, string(now))
			now = now[:0]
		}
	}
	spaced := false
	for _, r := range line {
		alone := r >= 0x2E80 && !strings.ContainsRune("、。，．）」』】〉》！？：；", r)
		if spaced && r != ' ' || alone {
			end()
		}
		now = append(now, r)
		spaced = r == ' '
	}
	end()
	return list
}
