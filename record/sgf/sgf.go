package sgf

import (
	"bytes"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"

	"qipu/record"
	"qipu/record/charset"
	"qipu/record/sgf/split"
)

// Format is the Smart Game Format for Go, Othello, Renju and Xiangqi, which have
// a way of their own in it. It is a record.Writer too.
var Format record.Format = &format{&info, usual}

// With returns the format for other games, too, whose moves it carries as they
// are. Those that have a way of their own stay as they are.
func With(more ...record.Kind) record.Format {
	f := &format{new(record.FormatInfo), maps.Clone(usual)}
	*f.FormatInfo = info
	f.Kinds = slices.Clone(info.Kinds)
	for _, k := range more {
		if _, ok := usual[k.Name]; !ok {
			f.kinds[k.Name] = kind{gm: strconv.Itoa(k.GM), notation: k.Notation, sides: k.Sides, plain: &k}
			f.Kinds = append(f.Kinds, k.Name)
		}
	}
	return f
}

type format struct {
	*record.FormatInfo
	kinds kinds
}

var _ record.Writer = (*format)(nil)

var info = record.FormatInfo{
	Name:       "sgf",
	Title:      "Smart Game Format",
	Extensions: []string{"sgf", "mgt"},
	Kinds:      []string{kindGo, kindOthello, kindRenju, kindXiangqi},
}

// Notation tells how the moves of each game are written; passes are moves.
func (f *format) Notation(kind string) (name string, passes bool) {
	if k, ok := f.kinds[kind]; ok {
		return k.notation, true
	}
	return "sgf", true
}

// Sniff looks for the opening of a tree: "(;" and a property.
func (f *format) Sniff(head []byte, name string) int {
	sure := 0
	if f.Named(name) {
		sure = 20
	}
	if wide := charset.Wide(head); wide != "" {
		head, _ = charset.Lookup(wide).Append(nil, head)
	}
	text := bytes.TrimPrefix(head, split.BOM)
	first := true
	for at := 0; ; first = false {
		i := bytes.IndexByte(text[at:], '(')
		if i < 0 {
			return sure
		}
		at += i + 1
		rest := split.TrimBlank(text[at:])
		if len(rest) == 0 || rest[0] != ';' {
			continue
		}
		rest = split.TrimBlank(rest[1:])
		n := identifier(rest)
		if n == 0 || len(rest) <= n || rest[n] != '[' {
			if len(rest) == 0 || strings.IndexByte(";()", rest[0]) < 0 {
				continue
			}
		}
		switch {
		case isGGF(rest):
			return min(sure, 10) // the Othello format GGF looks alike
		case first && len(split.TrimBlank(text[:at-1])) == 0:
			return 90
		}
		return max(sure, 60)
	}
}

// isGGF tells GGF from SGF: its GM is a word.
func isGGF(rest []byte) bool {
	return len(rest) > 3 && string(rest[:3]) == "GM[" && (rest[3]|0x20) >= 'a' && (rest[3]|0x20) <= 'z' &&
		bytes.Contains(rest, []byte("BO["))
}

// identifier returns the length of the letters and digits that text begins
// with.
func identifier(text []byte) int {
	n := 0
	for n < len(text) && split.IsIdent[text[n]] {
		n++
	}
	return n
}

// Read yields the games of a file.
func (f *format) Read(src *record.Source) iter.Seq2[*record.Game, error] {
	return func(yield func(*record.Game, error) bool) {
		limits := src.Limits.WithDefaults()
		s := split.New(src, limits.GameBytes)
		d := decoder{source: src, limits: limits, parser: parser{kinds: f.kinds}}
		for s.Next() {
			var g *record.Game
			var err error
			if s.Fault != nil {
				err = s.Fault
			} else {
				g, err = d.game(s)
			}
			if err != nil {
				g = nil
			}
			if !yield(g, err) {
				return
			}
		}
		if s.Fault != nil {
			yield(nil, s.Fault)
		}
	}
}
