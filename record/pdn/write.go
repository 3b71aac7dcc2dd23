package pdn

import (
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"

	"qipu/game/checkers/squares"
	"qipu/record"
	"qipu/record/facts"
)

// Write writes games one behind the other.
func (format) Write(w io.Writer, games iter.Seq[*record.Game]) error {
	return record.WriteEach(w, &info, games, appendGame)
}

// writer writes one game.
type writer struct {
	g      *record.Game
	out    []byte
	column int
	second bool // White begins
}

// width is where lines are broken.
const width = 100

func appendGame(dst []byte, g *record.Game) ([]byte, error) {
	w := &writer{g: g, out: dst}
	switch {
	case g.Kind != info.Kinds[0]:
		return nil, record.Inexpressible("a game of %s", g.Kind)
	case g.Variant != "":
		return nil, record.Inexpressible("the variant %q", g.Variant)
	}
	tags, err := w.tags()
	if err != nil {
		return nil, err
	}
	for _, t := range tags {
		if strings.ContainsAny(t.Value, "\r\n") || strings.HasSuffix(t.Value, `\`) || t.Name == "" || strings.ContainsAny(t.Name, " \t\r\n]\"[") {
			return nil, record.Inexpressible("the header %s", t.Name)
		}
		w.out = fmt.Appendf(w.out, "[%s \"%s\"]\n", t.Name, strings.ReplaceAll(t.Value, `"`, `\"`))
	}
	if len(tags) > 0 {
		w.out = append(w.out, '\n')
	}
	if err := w.line(0, 0); err != nil {
		return nil, err
	}
	w.word(w.resultWord())
	return append(w.out, '\n', '\n'), nil
}

// tags returns the headers: those of a game of this format, else what the facts say and
// then those of the other format that do not mean something here.
func (w *writer) tags() ([]record.Tag, error) {
	g := w.g
	tags := slices.Clone(g.Tags)
	if g.Format != info.Name {
		tags = w.own()
	}
	fen := ""
	if g.Start != "" {
		var err error
		if fen, err = squares.Numbers(g.Start); err != nil {
			return nil, record.Inexpressible("the position %q", clip(g.Start))
		}
		w.second = fen[0] == 'W'
	}
	had, _ := record.FindTag(tags, "FEN")
	if rows, err := start(had); err != nil || rows != g.Start {
		tags = slices.DeleteFunc(tags, func(t record.Tag) bool { return strings.EqualFold(t.Name, "FEN") || strings.EqualFold(t.Name, "SetUp") })
		if fen != "" {
			tags = append(tags, record.Tag{Name: "SetUp", Value: "1"}, record.Tag{Name: "FEN", Value: fen})
		}
	}
	return tags, nil
}

func (w *writer) own() (tags []record.Tag) {
	f := &w.g.Facts
	put := record.PutTags(&tags)
	put("Event", f.Event)
	put("Site", f.Place)
	if f.Date.Known() {
		put("Date", f.Date.PGN())
	}
	put("Round", f.Round)
	for i, name := range []string{"Black", "White"} {
		put(name, f.Players[i].Name)
		if r := f.Players[i].Rating; r > 0 {
			put(name+"Rating", strconv.Itoa(r))
		}
	}
	put("Result", w.resultWord())
	put("Opening", f.Opening)
	put("Annotator", f.Author)
	put("Source", f.Source)
	own := len(tags)
	for _, t := range w.g.Tags {
		said := slices.ContainsFunc(tags[:own], func(o record.Tag) bool { return strings.EqualFold(o.Name, t.Name) || o.Value == t.Value })
		if _, meant := record.FindTag([]record.Tag{{Name: "FEN"}, {Name: "GameType"}, {Name: "SetUp"}, {Name: "Result"}}, t.Name); !said && !meant {
			tags = append(tags, record.Tag{Name: t.Name, Value: strings.Join(strings.Fields(t.Value), " ")})
		}
	}
	return tags
}

// resultWord returns the word that ends the moves.
func (w *writer) resultWord() string {
	for _, word := range []string{"1-0", "0-1", "1/2-1/2"} {
		if results[word] == w.g.Facts.Result.Verdict && results[word] != facts.Unknown {
			return word
		}
	}
	return "*"
}

// word writes a word, on a new line where the line is full.
func (w *writer) word(text string) {
	switch {
	case w.column > 0 && w.column+1+len(text) > width:
		w.out = append(w.out, '\n')
		w.column = 0
	case w.column > 0:
		w.out = append(w.out, ' ')
		w.column++
	}
	w.out = append(w.out, text...)
	w.column += len(text)
}

// line writes the moves behind a node, with their variations, without recursion along
// the line: a game may have many moves.
func (w *writer) line(at int32, ply int) error {
	if err := w.extra(at); err != nil {
		return err
	}
	for i, told := w.g.Nodes[at].Child, false; i != 0; i = w.g.Nodes[i].Child {
		if err := w.move(i, ply, !told); err != nil {
			return err
		}
		told = true
		for v := w.g.Nodes[i].Next; v != 0 && i == w.g.Nodes[w.g.Nodes[i].Parent].Child; v = w.g.Nodes[v].Next {
			w.word("(")
			if err := w.move(v, ply, true); err != nil {
				return err
			}
			if err := w.rest(v, ply+1); err != nil {
				return err
			}
			w.word(")")
			told = false
		}
		ply++
	}
	return nil
}

// rest writes the moves behind one that is written.
func (w *writer) rest(at int32, ply int) error {
	extra := w.g.Nodes[at].Extra
	w.g.Nodes[at].Extra = nil // it is written
	err := w.line(at, ply)
	w.g.Nodes[at].Extra = extra
	return err
}

// move writes a move with what belongs to it.
func (w *writer) move(i int32, ply int, number bool) error {
	n := &w.g.Nodes[i]
	if !isMove(n.Move) {
		return record.Inexpressible("the move %q", clip(n.Move))
	}
	if w.second {
		ply++
	}
	if ply%2 == 0 {
		w.word(strconv.Itoa(ply/2+1) + ".")
	} else if number {
		w.word(strconv.Itoa(ply/2+1) + "...")
	}
	w.word(n.Move)
	return w.extra(i)
}

// extra writes what a node has beside its move.
func (w *writer) extra(i int32) error {
	n := &w.g.Nodes[i]
	if n.Extra == nil {
		return nil
	}
	if len(n.Setup) > 0 || n.Turn != record.Unstated {
		return record.Inexpressible("a set-up within the game")
	}
	for _, prop := range n.Props {
		for _, value := range prop.Values {
			switch {
			case prop.Name == propNAG && value != "" && strings.Trim(value, "0123456789") == "":
				w.word("$" + value)
			case prop.Name == propSuffix && value != "" && strings.Trim(value, "!?") == "":
				w.word(value)
			default:
				return record.Inexpressible("the property %s", prop.Name)
			}
		}
	}
	if n.Comment != "" {
		if strings.Contains(n.Comment, "}") {
			return record.Inexpressible("a comment with a brace")
		}
		w.word("{" + n.Comment + "}")
	}
	return nil
}
