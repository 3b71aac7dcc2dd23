package transcript

import (
	"io"
	"iter"
	"strconv"
	"strings"

	"qipu/record"
	"qipu/record/discs"
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
	comment := g.Nodes[0].Text()
	dst = discs.AppendHead(dst, "#", tags, comment)
	for _, n := range g.Main() {
		if discs.IsPass(n.Move) {
			dst = append(dst, "pa"...)
		} else {
			dst = append(dst, strings.ToLower(n.Move)...)
		}
	}
	dst = append(dst, '\n')
	return dst, discs.Verify(Format, dst, tags, comment, func(back *record.Game) error { return sameMoves(g, back) })
}

// check refuses what a line of squares has no place for.
func check(g *record.Game) error {
	if err := discs.CheckLine(g, true); err != nil {
		return err
	}
	if g.Moves() == 0 {
		return record.Inexpressible("a game without moves")
	}
	if root := &g.Nodes[0]; g.Format == formatName && root.Extra != nil && len(root.Props) > 0 {
		return record.Inexpressible("the property %s", root.Props[0].Name)
	}
	return nil
}

// sameMoves compares what was written with what is read.
func sameMoves(g, back *record.Game) error {
	if len(back.Nodes) != len(g.Nodes) {
		return record.Inexpressible("moves that cannot be told apart")
	}
	i := 0
	for _, node := range g.Main() {
		if m := back.Nodes[i].Move; !strings.EqualFold(m, node.Move) && !(m == discs.Pass && discs.IsPass(node.Move)) {
			return record.Inexpressible("the move %q", node.Move)
		}
		i++
	}
	return nil
}

// tagsOf returns the headers of a game of another format: its facts, and
// whatever header these do not say. A header whose name means something else
// here gets the name of its format before its own. Several lines of text are
// several headers.
func tagsOf(g *record.Game) []record.Tag {
	tags := factTags(&g.Facts)
	said := g.Facts
	for side := range said.Players {
		said.Players[side].Team = ""
	}
	own := func(name string) bool { return meanings[strings.ToLower(name)] != nil }
	discs.Carry(g, &said, own, func(name, value string) {
		for line := range strings.Lines(value) {
			if line = strings.TrimSpace(line); line != "" {
				tags = append(tags, record.Tag{Name: name, Value: line})
			}
		}
	})
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
