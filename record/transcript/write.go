package transcript

import (
	"bytes"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"

	"qipu/record"
	"qipu/record/facts"
)

// Write writes games, each as a line of squares with its headers before it.
func (format) Write(w io.Writer, games iter.Seq[*record.Game]) error {
	return record.WriteEach(w, &info, games, appendGame)
}

func appendGame(dst []byte, g *record.Game) ([]byte, error) {
	g = g.WithoutBlanks()
	if err := check(g); err != nil {
		return nil, err
	}
	tags := g.Tags
	if g.Format != formatName {
		tags = tagsOf(g)
	}
	for _, t := range tags {
		dst = fmt.Appendf(dst, "# %s: %s\n", t.Name, t.Value)
	}
	comment := g.Nodes[0].Text()
	if comment != "" {
		for _, line := range strings.Split(comment, "\n") {
			dst = append(append(append(dst, "## "...), line...), '\n')
		}
	}
	for _, n := range g.Main() {
		if isPass(n.Move) {
			dst = append(dst, "pa"...)
		} else {
			dst = append(dst, strings.ToLower(n.Move)...)
		}
	}
	dst = append(dst, '\n')
	return dst, verify(dst, g, tags, comment)
}

// check refuses what a line of squares has no place for.
func check(g *record.Game) error {
	if g.Kind != othelloKind {
		return record.Inexpressible("a game of %s", g.Kind)
	}
	if g.Variant != "" && g.Variant != "8x8" {
		return record.Inexpressible("a board of %s", g.Variant)
	}
	if g.Start != "" {
		return record.Inexpressible("a start position")
	}
	if g.Moves() == 0 {
		return record.Inexpressible("a game without moves")
	}
	for i := range g.Nodes {
		n := &g.Nodes[i]
		if n.Next != 0 {
			return record.Inexpressible("a variation")
		}
		if i > 0 && n.Move == "" {
			return record.Inexpressible("a node without a move")
		}
		if n.Extra == nil {
			continue
		}
		switch {
		case i > 0 && n.Comment != "":
			return record.Inexpressible("a comment on a move")
		case len(n.Setup) > 0 || n.Turn != record.Unstated:
			return record.Inexpressible("a set-up")
		case len(n.Props) > 0 && (i > 0 || g.Format == formatName):
			return record.Inexpressible("the property %s", n.Props[0].Name)
		}
	}
	return nil
}

// verify reads what was written: text that has a meaning of its own among
// transcripts (a header that looks like squares, a move that is none) shows
// when it comes back as something else.
func verify(text []byte, g *record.Game, tags []record.Tag, comment string) error {
	n := 0
	for back, err := range Format.Read(&record.Source{Name: "written", Reader: bytes.NewReader(text)}) {
		n++
		if err != nil {
			return record.Inexpressible("a game that is not seen to be one")
		}
		if n > 1 {
			return record.Inexpressible("text that is read as several games")
		}
		if !slices.Equal(back.Tags, tags) {
			return record.Inexpressible("the headers %q, read back as %q", tags, back.Tags)
		}
		if back.Nodes[0].Text() != comment {
			return record.Inexpressible("the comment %q", comment)
		}
		if len(back.Nodes) != len(g.Nodes) {
			return record.Inexpressible("moves that cannot be told apart")
		}
		i := 0
		for _, node := range g.Main() {
			if m := back.Nodes[i].Move; m != node.Move && !strings.EqualFold(m, node.Move) && !(m == passToken && isPass(node.Move)) {
				return record.Inexpressible("the move %q", node.Move)
			}
			i++
		}
	}
	if n == 0 {
		return record.Inexpressible("a game that is not seen to be one")
	}
	return nil
}

func isPass(move string) bool {
	switch strings.ToLower(move) {
	case "pass", "pa", "ps", "--":
		return true
	}
	return false
}

// tagsOf returns the headers of a game of another format: its facts, and
// whatever header these do not say. A header whose name means something else
// here gets the name of its format before its own. Several lines of text are
// several headers.
func tagsOf(g *record.Game) []record.Tag {
	tags := factTags(&g.Facts)
	carry := func(name, value string) {
		if meanings[strings.ToLower(name)] != nil {
			name = g.Format + "." + name
		}
		for line := range strings.Lines(value) {
			if line = strings.TrimSpace(line); line != "" {
				tags = append(tags, record.Tag{Name: name, Value: line})
			}
		}
	}
	said := g.Facts
	for side := range said.Players {
		said.Players[side].Team = ""
	}
	for _, t := range g.Tags {
		if !said.Says(facts.BlackDiscs, t.Name, t.Value) {
			carry(t.Name, t.Value)
		}
	}
	if g.Nodes[0].Extra != nil {
		for _, p := range g.Nodes[0].Props {
			for _, v := range p.Values {
				carry(p.Name, v)
			}
		}
	}
	return tags
}

// factTags returns the facts of a game as headers.
func factTags(f *facts.Facts) []record.Tag {
	var tags []record.Tag
	add := func(name, value string) {
		if value = facts.CleanName(value); value != "" {
			tags = append(tags, record.Tag{Name: name, Value: value})
		}
	}
	add("Black", f.Players[0].Name)
	add("White", f.Players[1].Name)
	for side, name := range []string{"BlackRating", "WhiteRating"} {
		if f.Players[side].Rating != 0 {
			add(name, strconv.Itoa(f.Players[side].Rating))
		}
	}
	add("Event", f.Event)
	add("Round", f.Round)
	add("Place", f.Place)
	add("Date", f.Date.String())
	add("Opening", f.Opening)
	add("Source", f.Source)
	add("Author", f.Author)
	add("Time", f.Time)
	if f.Result.Verdict != facts.Unknown {
		add("Result", f.Result.SGF(facts.BlackDiscs))
	}
	return tags
}
