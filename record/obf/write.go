package obf

import (
	"bytes"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"

	"qipu/record"
)

// Write writes positions, one a line, with headers and comments before it.
func (format) Write(w io.Writer, games iter.Seq[*record.Game]) error {
	return record.WriteEach(w, &info, games, appendPosition)
}

func appendPosition(dst []byte, g *record.Game) ([]byte, error) {
	if err := check(g); err != nil {
		return nil, err
	}
	squares, turn := usual, "X"
	if g.Start != "" {
		var err error
		if squares, turn, err = flatten(g.Start); err != nil {
			return nil, err
		}
	}
	tags := g.Tags
	if g.Format != formatName {
		tags = nil
		for _, t := range []record.Tag{
			{Name: "Black", Value: g.Facts.Players[0].Name}, {Name: "White", Value: g.Facts.Players[1].Name},
			{Name: "Event", Value: g.Facts.Event}, {Name: "Date", Value: g.Facts.Date.String()}, {Name: "Source", Value: g.Facts.Source},
		} {
			if t.Value = strings.Join(strings.Fields(t.Value), " "); t.Value != "" {
				tags = append(tags, t)
			}
		}
	}
	name, scores := "", ""
	for i, t := range tags {
		switch {
		case t.Name == tagScores && i == len(tags)-1:
			scores = t.Value
		case t.Name == tagName && (i == len(tags)-1 || i == len(tags)-2 && tags[i+1].Name == tagScores):
			name = t.Value + " "
		default:
			dst = fmt.Appendf(dst, "%% %s: %s\n", t.Name, t.Value)
		}
	}
	comment := g.Nodes[0].Text()
	if comment != "" {
		for _, line := range strings.Split(comment, "\n") {
			dst = append(append(append(dst, "%% "...), line...), '\n')
		}
	}
	dst = fmt.Appendf(dst, "%s%s %s;", name, squares, turn)
	if scores != "" {
		dst = fmt.Appendf(dst, " %s;", scores)
	}
	dst = append(dst, '\n')
	return dst, verify(dst, startText(squares, turn), tags, comment)
}

// check refuses what is no single position.
func check(g *record.Game) error {
	if g.Kind != othelloKind {
		return record.Inexpressible("a game of %s", g.Kind)
	}
	if g.Variant != "" && g.Variant != "8x8" {
		return record.Inexpressible("a board of %s", g.Variant)
	}
	if len(g.Nodes) > 1 {
		return record.Inexpressible("a game with moves")
	}
	if len(g.Nodes) == 1 && g.Nodes[0].Extra != nil {
		root := &g.Nodes[0]
		if len(root.Setup) > 0 || root.Turn != record.Unstated {
			return record.Inexpressible("a set-up of single points")
		}
		if len(root.Props) > 0 {
			return record.Inexpressible("the property %s", root.Props[0].Name)
		}
	}
	return nil
}

// verify reads what was written: text that has a meaning of its own shows when
// it comes back as something else.
func verify(text []byte, start string, tags []record.Tag, comment string) error {
	n := 0
	for back, err := range Format.Read(&record.Source{Name: "written", Reader: bytes.NewReader(text)}) {
		n++
		if err != nil || n > 1 || back.Start != start {
			return record.Inexpressible("text that is read as another position")
		}
		if !slices.Equal(back.Tags, tags) {
			return record.Inexpressible("the headers %q, read back as %q", tags, back.Tags)
		}
		if back.Nodes[0].Text() != comment {
			return record.Inexpressible("the comment %q", comment)
		}
	}
	if n == 0 {
		return record.Inexpressible("a position that is not seen to be one")
	}
	return nil
}

// flatten turns a position text, rows parted by slashes with numbers for empty
// squares or the squares one by one, into 64 squares and the side to move.
func flatten(start string) (squares, turn string, err error) {
	fields := strings.Fields(start)
	if len(fields) == 0 || len(fields) > 2 {
		return "", "", record.Inexpressible("the position %q", start)
	}
	var b strings.Builder
	number := 0
	for _, c := range fields[0] + "/" {
		if c >= '0' && c <= '9' && number <= 64 {
			number = 10*number + int(c-'0')
			continue
		}
		if number > 64 || b.Len() > 64 {
			break
		}
		b.WriteString(strings.Repeat("-", number))
		number = 0
		switch c {
		case 'X', 'x', '*', '#':
			b.WriteByte('X')
		case 'O', 'o':
			b.WriteByte('O')
		case '-', '.', '_', '+':
			b.WriteByte('-')
		case '/':
		default:
			return "", "", record.Inexpressible("the position %q", start)
		}
	}
	turn = "X"
	if len(fields) == 2 {
		switch strings.ToLower(fields[1]) {
		case "x", "*", "b", "black":
		case "o", "0", "w", "white":
			turn = "O"
		default:
			return "", "", record.Inexpressible("the position %q", start)
		}
	}
	if b.Len() != 64 {
		return "", "", record.Inexpressible("the position %q", start)
	}
	return b.String(), turn, nil
}
