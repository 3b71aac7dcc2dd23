package charset

import (
	"bytes"
	"slices"
)

// sampleMax bounds the text that Fields guesses from.
const sampleMax = 1 << 20

// Fields decodes the short texts of one file (names, places, comments), which
// share an encoding: it is guessed from all of them together, since two
// characters alone tell nothing. Declared and override are as in Decode. Where
// likely is not empty, a guess that is neither UTF-8 nor among these names
// counts as the first of them.
//
// The Text returned has no UTF8; Broken counts over all fields.
func Fields(fields [][]byte, declared, override string, likely ...string) ([]string, Text, error) {
	var sample []byte
	for _, f := range fields {
		if !ascii(f) && len(sample)+len(f) < sampleMax {
			sample = append(append(sample, f...), '\n')
		}
	}
	about, err := Decode(sample, declared, override)
	if err != nil {
		return nil, about, err
	}
	if about.Guessed && len(likely) > 0 && about.Encoding != "utf-8" && !slices.Contains(likely, about.Encoding) {
		about.Encoding = likely[0]
	}
	about.UTF8, about.Broken = nil, 0
	// All texts share one string.
	codec := Lookup(about.Encoding)
	var buf []byte
	ends := make([]int, len(fields))
	for i, f := range fields {
		if ascii(f) {
			buf = append(buf, f...)
		} else {
			var broken int
			buf, broken = codec.Append(buf, f)
			about.Broken += broken
		}
		ends[i] = len(buf)
	}
	all, from := string(buf), 0
	texts := make([]string, len(fields))
	for i, end := range ends {
		texts[i] = all[from:end]
		from = end
	}
	return texts, about, nil
}

// ascii reports whether data means the same in every encoding that Decode
// guesses. Escapes are left out: they may begin ISO-2022 text.
func ascii(data []byte) bool {
	return asciiLen(data) == len(data) && bytes.IndexByte(data, 0x1B) < 0
}
