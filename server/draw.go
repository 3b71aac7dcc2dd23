package server

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"qipu/board"
	"qipu/board/draw"
	"qipu/game"
	"qipu/record"
	"qipu/view"
	"qipu/view/answerview"
	"qipu/view/gameview"
	"qipu/view/recordview"
)

// Picture is how a board is drawn.
type Picture struct {
	Coordinates bool   `query:"coordinates" default:"true" doc:"Names of columns and rows around the board"`
	Flip        bool   `query:"flip" doc:"Turned around"`
	Dark        bool   `query:"dark" doc:"Dark surroundings, of a picture"`
	Simplified  bool   `query:"simplified" doc:"Simplified characters on pieces, of a picture"`
	Region      string `query:"region" maxLength:"20" doc:"A rectangle to mark, of a picture" example:"C3:J9"`
	Width       int    `query:"width" minimum:"0" maximum:"4000" doc:"In pixels, of a picture; 0 leaves it to the page"`
	Unicode     bool   `query:"unicode" doc:"Stones and Chinese characters instead of letters, of a text"`
}

type drawInput struct {
	Placed
	Picture
	Numbers bool `query:"numbers" doc:"Number the moves that were played"`
	Legal   bool `query:"legal" doc:"Mark the moves that are possible"`
}

// scene returns what is to be seen of a position.
func (in *drawInput) scene(at *gameview.Standing) *draw.Scene {
	scene := at.Scene()
	scene.Labels, scene.Marks = map[board.Point]string{}, map[board.Point]draw.Mark{}
	for i, m := range at.Moves {
		if to := m.To(); in.Numbers && to != board.NoPoint {
			scene.Labels[to] = strconv.Itoa(i + 1)
		}
	}
	if in.Legal {
		for _, m := range at.Pos.AppendMoves(nil) {
			if to := m.To(); to != board.NoPoint {
				scene.Marks[to] |= draw.Legal
			}
		}
	}
	return scene
}

func (s *Server) drawSVG(ctx context.Context, in *drawInput, w http.ResponseWriter, _ *http.Request) error {
	at, err := s.stand(&in.Placed, "")
	if err != nil {
		return err
	}
	return in.svg(w, in.scene(at))
}

func (s *Server) drawText(ctx context.Context, in *drawInput, w http.ResponseWriter, _ *http.Request) error {
	at, err := s.stand(&in.Placed, "")
	if err != nil {
		return err
	}
	return in.text(w, in.scene(at), at.Status())
}

// Moment names a moment of a record.
type Moment struct {
	IDInput
	Writing
	Ply  int `query:"ply" minimum:"-1" default:"-1" doc:"Of the main line; -1 for the end"`
	Node int `query:"node" minimum:"0" doc:"A node of the tree instead, where it is not 0"`
}

type pictureInput struct {
	Moment
	Picture
}

func (s *Server) recordSVG(ctx context.Context, in *pictureInput, w http.ResponseWriter, _ *http.Request) error {
	at, scene, err := s.momentScene(ctx, &in.Moment)
	if err != nil {
		return err
	}
	scene.Title += ", " + at.Status()
	return in.svg(w, scene)
}

func (s *Server) recordText(ctx context.Context, in *pictureInput, w http.ResponseWriter, _ *http.Request) error {
	at, scene, err := s.momentScene(ctx, &in.Moment)
	if err != nil {
		return err
	}
	return in.text(w, scene, at.Status())
}

func (s *Server) recordPosition(ctx context.Context, in *Moment) (*view.Position, error) {
	m, err := s.moment(ctx, in)
	if err != nil {
		return nil, err
	}
	return m.Position(true), nil
}

// moment is a moment of a record.
type moment struct {
	*gameview.Standing
	game  *record.Game
	step  *draw.Step // the last move; nil for none
	marks []view.Mark
}

// momentScene returns a moment of a record and what is to be seen of it.
func (s *Server) momentScene(ctx context.Context, in *Moment) (*moment, *draw.Scene, error) {
	m, err := s.moment(ctx, in)
	if err != nil {
		return nil, nil, err
	}
	scene := m.Scene()
	scene.Title, scene.Last = recordview.TitleOf(m.game), m.step
	shapes := map[string]draw.Mark{"circle": draw.Circle, "square": draw.Square, "triangle": draw.Triangle, "cross": draw.Cross}
	scene.Labels, scene.Marks = map[board.Point]string{}, map[board.Point]draw.Mark{}
	for _, x := range m.marks {
		p := m.Index.Board.Size.Point(x.Point)
		if x.Kind == "label" {
			scene.Labels[p] = x.Text
		} else {
			scene.Marks[p] |= shapes[x.Kind]
		}
	}
	return m, scene, nil
}

// moment returns a moment of a record. Its line begins with the last position
// that cannot be played to: behind a set-up, or behind a move that breaks the
// rules.
func (s *Server) moment(ctx context.Context, in *Moment) (*moment, error) {
	g, meta, err := s.lib.Record(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	k, err := s.kinds.Find(answerview.SummaryOf(s.lib.Records().Kinds(), meta).Game)
	if err != nil {
		return nil, err
	}
	m := &moment{game: g, Standing: &gameview.Standing{Kind: k}}
	if m.Write, err = k.Notation(in.Write); err != nil {
		return nil, err
	}
	rules := s.rows.RulesOf(g)
	if rules == nil {
		return nil, notFound("Look at its file instead.", "the record has no board: its game is not known")
	}
	p, n, err := m.played(in, rules)
	if err != nil {
		return nil, err
	}
	if rules.Info().Variant != k.Rules.Info().Variant {
		own := *k
		own.Rules = rules
		m.Kind = &own
	}
	return m, m.settle(p, n)
}

// played returns the line of the record that a moment is on, and how many of its
// steps lead there.
func (m *moment) played(in *Moment, rules game.Rules) (*record.Played, int, error) {
	if in.Node == 0 {
		p := record.Play(rules, m.game)
		n := in.Ply
		switch {
		case p.Start.Board == nil:
			return nil, 0, bad("no-board", "Look at its file instead.", "the record has no board: its start cannot be set up")
		case n > len(p.Steps):
			return nil, 0, notFound(fmt.Sprintf("The last is %d.", len(p.Steps)), "there is no ply %d in the record", n)
		case n < 0:
			n = len(p.Steps)
		}
		return p, n, nil
	}
	v := recordview.Unfold(m.game, rules, m.Write, in.Node)
	switch {
	case v.Start.Board == nil:
		return nil, 0, bad("no-board", "Look at its file instead.", "the record has no board: its start cannot be set up")
	case v.Line == nil:
		return nil, 0, notFound(fmt.Sprintf("The last is %d.", len(v.Nodes)-1), "there is no node %d in the record", in.Node)
	}
	m.marks = v.Nodes[in.Node].Marks
	return &record.Played{Game: m.game, Rules: rules, Start: v.Start, Steps: v.Line}, len(v.Line), nil
}

// settle sets the position of a moment up, with the moves behind the last
// set-up as its line. Where one of them breaks the rules, nobody could play the
// line: then the position stands for itself.
func (m *moment) settle(p *record.Played, n int) error {
	steps := p.Steps[:n]
	if n > 0 && steps[n-1].Move.To() != board.NoPoint {
		m.step = &draw.Step{From: steps[n-1].Move.From(), To: steps[n-1].Move.To()}
	}
	from := n
	for from > 0 && steps[from-1].Move != game.NoMove {
		from--
	}
	var err error
	if m.Pos, err = record.At(p, from); err != nil {
		return err
	}
	base := game.FormatPosition(m.Rules, m.Pos)
	for _, s := range steps[from:] {
		if m.Pos.Turn() != s.Side || m.Pos.Play(s.Move) != nil {
			if m.Pos, err = record.At(p, n); err != nil {
				return err
			}
			m.Moves, base = nil, game.FormatPosition(m.Rules, m.Pos)
			break
		}
		m.Moves = append(m.Moves, s.Move)
	}
	if base != m.StartText {
		m.Base = base
	}
	return nil
}

// apply has a scene look as the parameters say.
func (o *Picture) apply(s *draw.Scene) error {
	s.Coordinates, s.Flip, s.Dark, s.Simplified, s.Width = o.Coordinates, o.Flip, o.Dark, o.Simplified, o.Width
	if o.Region == "" {
		return nil
	}
	from, to, _ := strings.Cut(o.Region, ":")
	a, ok1 := s.Geometry.Point(from)
	b, ok2 := s.Geometry.Point(to)
	if !ok1 || !ok2 {
		return bad("no-region", "Name two corners of the rectangle, as in C3:J9.", "the board has no region %q", o.Region)
	}
	s.Regions = []draw.Region{{A: a, B: b}}
	return nil
}

// svg writes a picture.
func (o *Picture) svg(w http.ResponseWriter, s *draw.Scene) error {
	if err := o.apply(s); err != nil {
		return err
	}
	w.Header().Set("Content-Type", "image/svg+xml; charset=utf-8")
	return draw.SVG(w, s)
}

// text writes a board in letters, with a line under it.
func (o *Picture) text(w http.ResponseWriter, s *draw.Scene, status string) error {
	if err := o.apply(s); err != nil {
		return err
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	text := draw.AppendText(nil, s, draw.TextOptions{Unicode: o.Unicode})
	_, err := w.Write(append(append(text, status...), '\n'))
	return err
}
