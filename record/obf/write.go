package obf

import (
	"bytes"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"

	"qipu/record"
	"qipu/record/facts"
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
		tags = tagsOf(g)
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

// tagsOf returns the headers of a position of another format: the facts that
// are read here, and whatever header these do not say. A header whose name means
// something else here gets the name of its format before its own.
func tagsOf(g *record.Game) []record.Tag {
	f := &g.Facts
	said := facts.Facts{Event: f.Event, Date: f.Date, Source: f.Source}
	said.Players[0].Name, said.Players[1].Name = f.Players[0].Name, f.Players[1].Name
	var tags []record.Tag
	add := func(name, value string) {
		for line := range strings.Lines(value) {
			if line = facts.CleanName(line); line != "" {
				tags = append(tags, record.Tag{Name: name, Value: line})
			}
		}
	}
	own := map[string]string{"Black": f.Players[0].Name, "White": f.Players[1].Name, "Event": f.Event, "Date": f.Date.String(), "Source": f.Source}
	for _, name := range []string{"Black", "White", "Event", "Date", "Source"} {
		add(name, own[name])
	}
	for _, t := range g.Tags {
		_, taken := own[t.Name]
		switch {
		case said.Says(facts.BlackDiscs, t.Name, t.Value):
		case taken || t.Name == tagName || t.Name == tagScores:
			add(g.Format+"."+t.Name, t.Value)
		default:
			add(t.Name, t.Value)
		}
	}
	return tags
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
