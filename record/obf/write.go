package obf

import (
	"fmt"
	"io"
	"iter"
	"strings"

	"qipu/record"
	"qipu/record/discs"
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
	squares, turn := discs.Usual(8), byte('X')
	if g.Start != "" {
		var err error
		if squares, turn, err = discs.Position(g.Start, 8); err != nil {
			return nil, err
		}
	}
	tags := g.Tags
	if g.Format != formatName {
		tags = tagsOf(g)
	}
	name, scores, head := "", "", tags
	if n := len(head) - 1; n >= 0 && head[n].Name == tagScores {
		scores, head = head[n].Value, head[:n]
	}
	if n := len(head) - 1; n >= 0 && head[n].Name == tagName {
		name, head = head[n].Value+" ", head[:n]
	}
	comment := g.Nodes[0].Text()
	dst = discs.AppendHead(dst, "%", head, comment)
	dst = fmt.Appendf(dst, "%s%s %c;", name, squares, turn)
	if scores != "" {
		dst = fmt.Appendf(dst, " %s;", scores)
	}
	dst = append(dst, '\n')
	return dst, discs.Verify(Format, dst, tags, comment, func(back *record.Game) error {
		if back.Start != startText(squares, turn) {
			return record.Inexpressible("text that is read as another position")
		}
		return nil
	})
}

// check refuses what is no single position.
func check(g *record.Game) error {
	if err := discs.CheckBoard(g); err != nil {
		return err
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
	taken := func(name string) bool {
		_, is := own[name]
		return is || name == tagName || name == tagScores
	}
	discs.Carry(g, &said, taken, add)
	return tags
}
