package kifu

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"qipu/board"
	"qipu/board/draw"
	"qipu/board/picture"
	"qipu/board/picture/pdf"
	"qipu/game"
	"qipu/record"
)

// Options say how a game is laid on pages.
type Options struct {
	Phone      bool   // pages as narrow as a phone, and not A4
	Every      int    // moves a diagram; 0 for 50 with numbers, 20 without
	Language   string // of the few words that there are, and of Han characters
	Font       []byte // a TrueType font for what the usual one has no letters for
	NoComments bool
	Simplified bool // simplified characters on pieces
}

// ErrNoBoard tells that a record has no board that could be drawn.
var ErrNoBoard = errors.New("the record has no board that could be drawn")

// maxMoves is how many moves are laid out. No game people play has more.
const maxMoves = 5000

// Write writes the main line of a game as PDF.
func Write(w io.Writer, p *record.Played, o Options) error {
	if p.Rules == nil || p.Start.Board == nil || len(p.Steps) > maxMoves {
		return ErrNoBoard
	}
	k := &kifu{o: o, p: p, info: p.Rules.Info()}
	if err := k.walk(); err != nil {
		return err
	}
	doc, err := pdf.New(pdf.Options{Title: k.title(), Language: o.Language, Font: o.Font})
	if err != nil {
		return err
	}
	s := newSheet(doc, o.Phone)
	k.header(s)
	k.comment(s, 0, "")
	from := 0
	for from < len(k.moves) || from == 0 {
		to := k.next(from)
		if err := k.diagram(s, from, to); err != nil {
			return err
		}
		if from = to; to == len(k.moves) {
			break
		}
	}
	_, err = doc.WriteTo(w)
	return err
}

// move is a move of the main line, or a set-up in the middle of it.
type move struct {
	step   record.Step
	number int // from 1; 0 for a set-up
	text   string
	after  *board.Planes // nil where there are none
	texts  map[board.Point]string
}

type kifu struct {
	o        Options
	p        *record.Played
	info     *game.Info
	film     *Film // what is made, if not pages
	start    *board.Planes
	texts    map[board.Point]string
	moves    []move
	notation game.Notation // that of the record, if the game has it
	placed   bool          // pieces are put on points, and that is all that moves do
}

// walk plays the game and notes what every move was and left behind.
func (k *kifu) walk() error {
	pos, err := k.p.Rules.Arrange(k.p.Start)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(k.info.Notations, func(n game.NotationInfo) bool { return string(n.Name) == k.p.Game.Notation }) {
		k.notation = game.Notation(k.p.Game.Notation)
	}
	k.start, k.texts = shown(pos)
	k.placed = k.start != nil
	number := 0
	for i, s := range k.p.Steps {
		m := move{step: s}
		played := false
		if s.Move != game.NoMove {
			number++
			m.number = number
			n := k.notation
			if s.Move.From() == board.NoPoint { // a point, as it stands around the board
				n = game.AnyNotation
			}
			if m.text = game.FormatMove(k.p.Rules, pos, s.Move, n); pos.Turn() == s.Side {
				played = pos.Play(s.Move) == nil
			}
			if s.Move.To() != board.NoPoint && s.Move.From() != board.NoPoint {
				k.placed = false
			}
		}
		if !played { // what the rules refuse, the record's own way of playing takes
			if pos, err = record.At(k.p, i+1); err != nil {
				return err
			}
		}
		m.after, m.texts = shown(pos)
		k.moves = append(k.moves, m)
	}
	return nil
}

// shown returns what is to be seen of a position, as a copy.
func shown(p game.Position) (*board.Planes, map[board.Point]string) {
	planes, texts := game.Shown(p)
	if planes != nil {
		planes = planes.Clone()
	}
	return planes, texts
}

// next returns where the diagram ends that begins at a move: before a set-up, or when it is
// full. What would leave a diagram of a few moves at the end joins the last one.
func (k *kifu) next(from int) int {
	every := cmp.Or(max(k.o.Every, 0), 20)
	if k.placed {
		every = cmp.Or(max(k.o.Every, 0), 50)
	}
	to := min(len(k.moves), from+every)
	if rest := len(k.moves) - to; rest > 0 && rest <= every/8 {
		to = len(k.moves)
	}
	for i := from + 1; i < to; i++ {
		if k.moves[i].number == 0 {
			return i
		}
	}
	return to
}

// scene returns a board with nothing on it.
func (k *kifu) scene() *draw.Scene {
	return &draw.Scene{Geometry: k.p.Rules.Geometry(), Coordinates: true, Clear: k.film == nil, Simplified: k.o.Simplified, Labels: map[board.Point]string{}}
}

func (k *kifu) diagram(s *sheet, from, to int) error {
	scene, notes := k.scene(), []string(nil)
	if k.placed {
		notes = k.numbered(scene, from, to)
	} else {
		scene.Planes, scene.Texts = k.start, k.texts
		if to > from {
			last := k.moves[to-1]
			scene.Planes, scene.Texts = last.after, last.texts
			if last.step.Move.To() != board.NoPoint && last.number > 0 {
				scene.Last = &draw.Step{From: last.step.Move.From(), To: last.step.Move.To()}
			}
		}
	}
	picture, err := picture.Read(draw.AppendSVG(nil, scene))
	if err != nil {
		return err
	}
	list := ""
	if !k.placed && to > from {
		list = k.list(from, to)
	}
	s.picture(list, picture, k.caption(from, to))
	if len(notes) > 0 {
		s.paragraph(strings.Join(notes, "   "), pdf.Style{Size: s.size - 1, Gray: 0.25})
	}
	for _, m := range k.moves[from:to] {
		text := ""
		if m.number > 0 {
			text = k.label(m) + "  "
		}
		k.comment(s, m.step.Node, text)
	}
	s.space(10)
	return nil
}

// label names a move before its comment.
func (k *kifu) label(m move) string {
	if k.placed {
		return strconv.Itoa(m.number)
	}
	return k.count(m) + " " + m.text
}

// count returns the number of a move as players of the game count.
func (k *kifu) count(m move) string {
	if !k.info.Pairs {
		return strconv.Itoa(m.number) + "."
	}
	if m.step.Side == game.First {
		return strconv.Itoa((m.number+1)/2) + "."
	}
	return strconv.Itoa((m.number+1)/2) + "..."
}

// numbered fills a scene with the board before the moves and the moves with their numbers,
// and returns what is said of moves that have no place of their own.
func (k *kifu) numbered(scene *draw.Scene, from, to int) (notes []string) {
	before := k.start
	if from > 0 {
		before = k.moves[from-1].after
	}
	if to > from && k.moves[from].number == 0 { // a set-up is part of what was there
		before = k.moves[from].after
	}
	planes := before.Clone()
	scene.Planes = planes
	for _, m := range k.moves[from:to] {
		at := m.step.Move.To()
		switch {
		case m.number == 0:
		case at == board.NoPoint:
			notes = append(notes, fmt.Sprintf("%d %s", m.number, m.text))
		case scene.Labels[at] != "":
			notes = append(notes, fmt.Sprintf("%d (%s)", m.number, scene.Labels[at]))
		case planes.At(at) != board.Empty:
			notes = append(notes, fmt.Sprintf("%d (%s)", m.number, m.text))
		default:
			if piece := m.after.At(at); piece != board.Empty {
				planes.Put(at, piece)
				scene.Labels[at] = strconv.Itoa(m.number)
			} else { // it took its own stones
				notes = append(notes, fmt.Sprintf("%d (%s)", m.number, m.text))
			}
		}
	}
	return notes
}

// list returns moves one behind the other.
func (k *kifu) list(from, to int) string {
	var b strings.Builder
	for i, m := range k.moves[from:to] {
		if m.number == 0 {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		if !k.info.Pairs || m.step.Side == game.First || i == 0 {
			b.WriteString(k.count(m) + " ")
		}
		b.WriteString(m.text)
	}
	return b.String()
}

// caption tells which moves a diagram is of.
func (k *kifu) caption(from, to int) string {
	first, last := 0, 0
	for _, m := range k.moves[from:to] {
		if m.number > 0 {
			if first == 0 {
				first = m.number
			}
			last = m.number
		}
	}
	if first == 0 || !k.placed {
		return ""
	}
	return fmt.Sprintf("%d–%d", first, last)
}

// comment writes what the record says of a node.
func (k *kifu) comment(s *sheet, node int32, before string) {
	if k.o.NoComments || int(node) >= len(k.p.Game.Nodes) {
		return
	}
	extra := k.p.Game.Nodes[node].Extra
	if extra == nil || strings.TrimSpace(extra.Comment) == "" {
		return
	}
	s.space(3)
	s.paragraph(before+strings.TrimSpace(strings.ReplaceAll(extra.Comment, "\r\n", "\n")), pdf.Style{Size: s.size})
}
