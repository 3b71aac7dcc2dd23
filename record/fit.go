package record

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"qipu/game"
)

// Holds reports whether a format can hold games of a kind.
func Holds(f Format, kind string) bool { return slices.Contains(f.Info().Kinds, kind) }

// Fit returns a record as a format can write it: in its notation, or in the
// given one where the format takes several and that is not empty. The error
// tells why the format cannot hold the record. Not everything that a format
// cannot express is found here: see CheckWrite.
func Fit(f Format, p *Played, notation string) (*Game, error) {
	g := p.Game
	if !Holds(f, g.Kind) {
		kind := g.Kind
		if kind == "" {
			kind = "unknown"
		}
		return nil, fmt.Errorf("%s does not hold games of %s", f.Info().Title, kind)
	}
	want, passes := "", false
	if s, ok := f.(Scribe); ok {
		want, passes = s.Notation(g.Kind)
	}
	switch {
	case want != "" && notation != "" && notation != want:
		return nil, fmt.Errorf("%s writes moves in %s notation only", f.Info().Title, want)
	case want == "" && notation != "":
		want = notation
	case want == "":
		want = g.Notation
	}
	if g.Format == f.Info().Name && want == g.Notation {
		return g, nil
	}
	if p.Rules == nil {
		return nil, errors.New("the game is unknown")
	}
	t, err := Translate(p.Rules, g, game.Notation(want), passes)
	if err != nil {
		return nil, err
	}
	if tag := f.Info().NotationTag; tag != "" {
		t.Tags = slices.DeleteFunc(slices.Clone(t.Tags), func(have Tag) bool { return have.Name == tag })
	}
	return t, nil
}

// CheckWrite writes a record to nowhere: what a format cannot express is found
// out before a file holds half of it.
func CheckWrite(f Format, g *Game) error {
	return WriteOne(f, g, func(string) (io.Writer, error) { return io.Discard, nil })
}

// WriteOne writes one record by a format that is a Writer, into several files
// where the format needs them: create opens the one of an extension.
func WriteOne(f Format, g *Game, create func(ext string) (io.Writer, error)) error {
	games := func(yield func(*Game) bool) { yield(g) }
	if s, ok := f.(SetWriter); ok {
		return s.WriteSet(create, games)
	}
	w, err := create(f.Info().Extensions[0])
	if err != nil {
		return err
	}
	return f.(Writer).Write(w, games)
}

// Writers returns those of the formats that may be able to write a record: its
// own, and then those that keep the most.
func Writers(formats []Format, g *Game) (list []Format) {
	for _, f := range formats {
		if _, ok := f.(Writer); ok && Holds(f, g.Kind) {
			list = append(list, f)
		}
	}
	rank := func(f Format) int {
		switch {
		case f.Info().Name == g.Format:
			return 0
		case f.Info().Keeps == "":
			return 1
		}
		return 2
	}
	slices.SortStableFunc(list, func(x, y Format) int { return rank(x) - rank(y) })
	return list
}

// ReadsBack reports whether the bytes of a game are a file by themselves: read
// as one of that name they give this game and no other.
func ReadsBack(f Format, name string, g *Game) bool {
	if len(g.Raw) == 0 {
		return false
	}
	src := &Source{Name: name, Reader: bytes.NewReader(g.Raw), At: bytes.NewReader(g.Raw), Size: int64(len(g.Raw)), Encoding: g.Encoding}
	n := 0
	for back, err := range f.Read(src) {
		if n++; err != nil || n > 1 || back.Kind != g.Kind || back.Start != g.Start || !slices.EqualFunc(back.Nodes, g.Nodes, sameNode) {
			return false
		}
	}
	return n == 1
}

func sameNode(x, y Node) bool { return x.Parent == y.Parent && x.Move == y.Move }

// Detect returns the format that is surest of a file, or nil. A format that
// both the name and the content speak for is taken at once: asking all of them
// can cost more than reading a small file.
func Detect(formats []Format, head []byte, name string) Format {
	base := filepath.Base(name[strings.LastIndex(name, "!")+1:])
	for _, f := range formats {
		if f.Info().Named(base) && f.Sniff(head, base) >= sure {
			return f
		}
	}
	var best Format
	most := 0
	for _, f := range formats {
		if n := f.Sniff(head, base); n > most {
			best, most = f, n
		}
	}
	return best
}

// sure is how sure a format must be of a file that bears its extension.
const sure = 60
