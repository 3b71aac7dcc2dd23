package dhtmlxq

import (
	"fmt"
	"io"
	"iter"
	"strconv"
	"strings"
	"unicode/utf8"

	"qipu/record"
	"qipu/record/charset"
	"qipu/record/facts"
	"qipu/record/fen"
)

// Write writes games as one file in UTF-8. A game that was read from this
// format keeps its tags; for others they are made from the facts.
func (format) Write(w io.Writer, games iter.Seq[*record.Game]) error {
	for g := range games {
		p := &writer{g: g}
		if err := p.game(); err != nil {
			return fmt.Errorf("dhtmlxq: %s game %d: %w", g.Place.File, g.Place.Number, err)
		}
		// A few letters with accents could be taken for another encoding.
		if t, err := charset.Decode(p.dst, "", ""); err != nil || t.Encoding != "utf-8" {
			p.dst = append([]byte(byteOrderMark), p.dst...)
		}
		if _, err := w.Write(p.dst); err != nil {
			return err
		}
	}
	return nil
}

// writer writes one game.
type writer struct {
	g   *record.Game
	dst []byte
	top int // the name of the top row in the notation of the moves
}

func (w *writer) game() error {
	g := w.g
	if err := w.check(); err != nil {
		return err
	}
	w.dst = append(w.dst, opening+"\n"...)
	if err := w.start(); err != nil {
		return err
	}
	for _, t := range w.tags() {
		if structural(t.Name) {
			return record.Inexpressible("%s, which belongs to no move", t.Name)
		}
		if err := w.tag(t.Name, t.Value); err != nil {
			return err
		}
	}
	lines, err := w.lines()
	if err != nil {
		return err
	}
	for _, l := range lines {
		name := "movelist"
		if l.id > 0 {
			name = fmt.Sprintf("move_%d_%d_%d", l.parent, l.ply, l.id)
		}
		if err := w.tag(name, l.moves); err != nil {
			return err
		}
	}
	for _, l := range lines {
		for i, n := range l.nodes {
			text := g.Nodes[n].Text()
			if text == "" {
				continue
			}
			name := fmt.Sprintf("comment%d_%d", l.id, l.ply+i)
			if l.id == 0 {
				name = "comment" + strconv.Itoa(l.ply+i)
			}
			if err := w.tag(name, text); err != nil {
				return err
			}
		}
	}
	w.dst = append(w.dst, closing+"\n"...)
	return nil
}

// check refuses what the format cannot say.
func (w *writer) check() error {
	g := w.g
	if g.Kind != "xiangqi" {
		return record.Inexpressible("games of %q", g.Kind)
	}
	if g.Variant != "" {
		return record.Inexpressible("the variant %q", g.Variant)
	}
	if len(g.Nodes) == 0 {
		return record.Inexpressible("a game without a root")
	}
	switch g.Notation {
	case "iccs", "":
		w.top = 9
	case "uci":
		w.top = 10
	default:
		return record.Inexpressible("moves in the notation %q, which are not coordinates", g.Notation)
	}
	for i := range g.Nodes {
		n := &g.Nodes[i]
		if i > 0 && n.Move == "" {
			return record.Inexpressible("a node without a move")
		}
		if x := n.Extra; x != nil {
			switch {
			case len(x.Setup) > 0:
				return record.Inexpressible("set-up of single points")
			case x.Turn != record.Unstated:
				return record.Inexpressible("a stated turn")
			case len(x.Props) > 0:
				return record.Inexpressible("the property %s", x.Props[0].Name)
			}
		}
	}
	return nil
}

// tag writes one tag.
func (w *writer) tag(name, value string) error {
	if strings.ContainsAny(name, "[]") || len(name) > 150 || strings.Contains(value, "["+prefix) || strings.Contains(value, "[/"+mark) ||
		strings.Contains(value, mark+"]") || strings.Contains(value, "||") || strings.IndexByte(value, '\r') >= 0 ||
		!utf8.ValidString(name) || !utf8.ValidString(value) || controls(name) || controls(strings.ReplaceAll(value, "\n", "")) {
		return record.Inexpressible("the text of %s", name)
	}
	w.dst = append(append(append(w.dst, '['), prefix...), name...)
	w.dst = append(w.dst, ']')
	for i := range len(value) {
		// Two bars are a line break, but three would be read the wrong way.
		if value[i] == '\n' && (i == 0 || value[i-1] != '|') {
			w.dst = append(w.dst, "||"...)
		} else {
			w.dst = append(w.dst, value[i])
		}
	}
	w.dst = append(append(append(w.dst, "[/"...), prefix...), name...)
	w.dst = append(w.dst, ']', '\n')
	return nil
}

func controls(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7F || r == 0xFEFF })
}

// tags returns the headers to write.
func (w *writer) tags() []record.Tag {
	g := w.g
	if g.Format == info.Name {
		return g.Tags
	}
	f := &g.Facts
	var tags []record.Tag
	put := record.PutTags(&tags)
	// The title of other formats is not always the event, nor their author the
	// annotator.
	title, _ := record.FindTag(g.Tags, "title")
	author, _ := record.FindTag(g.Tags, "author")
	title, author = facts.CleanName(title), facts.CleanName(author)
	put("title", title)
	if f.Event != title {
		put("event", f.Event)
	}
	if f.Date.Known() {
		put("date", f.Date.String())
	}
	put("place", f.Place)
	put("round", f.Round)
	for i, side := range [2]string{"red", "black"} {
		p := &f.Players[i]
		put(side, p.Name)
		put(side+"team", p.Team)
		if p.Rating > 0 {
			put(side+"rating", strconv.Itoa(p.Rating))
		}
	}
	put("result", resultWord(f.Result))
	put("open", f.Opening)
	put("ecco", f.Code)
	put("timerule", f.Time)
	if author == "" {
		author = f.Author
	}
	put("author", author)
	if f.Author != author {
		put("annotator", f.Author)
	}
	put("refer", f.Source)
	for _, t := range g.Tags {
		if !taken(tags, t.Name) {
			tags = append(tags, t)
		}
	}
	return tags
}

func resultWord(r facts.Result) string {
	switch r.Verdict {
	case facts.FirstWon:
		return "红胜"
	case facts.SecondWon:
		return "黑胜"
	case facts.Drawn:
		return "和棋"
	}
	return "未知"
}

// structural reports whether a name means a position, moves or a comment.
func structural(name string) bool {
	name = strings.ToLower(name)
	return name == "fen" || name == "binit" || name == "movelist" || strings.HasPrefix(name, "move_") || strings.HasPrefix(name, "comment")
}

// taken reports whether a tag of another format has been written under its
// name, or would be mistaken for something else.
func taken(tags []record.Tag, name string) bool {
	_, written := record.FindTag(tags, name)
	return written || structural(name) || strings.EqualFold(name, "format")
}

// start writes the position: binit where it can, and fen where that does not
// say it all.
func (w *writer) start() error {
	g := w.g
	if g.Start == "" {
		if w.blackBegins(usualBoard) {
			return w.tag("fen", fen.Usual+" w - - 0 1")
		}
		return w.tag("binit", usualBinit)
	}
	if fenStart(g.Start) != g.Start || strings.Join(strings.Fields(g.Start), " ") != g.Start {
		return record.Inexpressible("the position %q", g.Start)
	}
	rows, rest, _ := strings.Cut(g.Start, " ")
	board, err := fen.Parse(rows)
	if err != nil {
		return w.tag("fen", g.Start)
	}
	squares, ok := binit(board)
	if ok {
		if err := w.tag("binit", squares); err != nil {
			return err
		}
	}
	black := strings.HasPrefix(rest, "b")
	if !ok || board.Text(black) != g.Start || black != w.blackBegins(board) {
		return w.tag("fen", g.Start)
	}
	return nil
}

// blackBegins reports whether the reader would find that Black begins.
func (w *writer) blackBegins(b *fen.Board) bool {
	child := w.g.Nodes[0].Child
	if child == 0 {
		return false
	}
	from, _, ok := readMove(w.g.Nodes[child].Move, w.top)
	return ok && blackAt(b, from)
}

// line is the main line or a branch on its way out.
type line struct {
	parent, ply, id int
	first           int32
	moves           string
	nodes           []int32 // with the start in front on the main line
}

// lines cuts the tree into the main line and branches. Branches of one node
// follow each other, so that they are read in the same order.
func (w *writer) lines() ([]*line, error) {
	g := w.g
	main := &line{ply: 0, first: 0}
	list := []*line{main}
	for at := 0; at < len(list); at++ {
		l := list[at]
		ply := l.ply
		var moves strings.Builder
		for i := l.first; ; ply++ {
			n := &g.Nodes[i]
			if n.Move != "" {
				from, to, ok := readMove(n.Move, w.top)
				if !ok {
					return nil, record.Inexpressible("the move %q, which is not coordinates", n.Move)
				}
				moves.WriteString(from + to)
			}
			l.nodes = append(l.nodes, i)
			if n.Child == 0 {
				break
			}
			for s := g.Nodes[n.Child].Next; s != 0; s = g.Nodes[s].Next {
				list = append(list, &line{parent: l.id, ply: ply + 1, id: len(list), first: s})
			}
			i = n.Child
		}
		l.moves = moves.String()
	}
	return list, nil
}
