package records

import (
	"context"
	"net/http"
	"strconv"
	"strings"

	"qipu/board"
	"qipu/board/draw"
	"qipu/board/picture"
	"qipu/server/api"
	"qipu/view"
	"qipu/view/gameview"
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
	api.Placed
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

func (s *room) drawSVG(ctx context.Context, in *drawInput, w http.ResponseWriter, _ *http.Request) error {
	at, err := s.Stand(&in.Placed, "")
	if err != nil {
		return err
	}
	return in.svg(w, in.scene(at))
}

func (s *room) drawPNG(ctx context.Context, in *drawInput, w http.ResponseWriter, _ *http.Request) error {
	at, err := s.Stand(&in.Placed, "")
	if err != nil {
		return err
	}
	return in.png(w, in.scene(at))
}

func (s *room) drawText(ctx context.Context, in *drawInput, w http.ResponseWriter, _ *http.Request) error {
	at, err := s.Stand(&in.Placed, "")
	if err != nil {
		return err
	}
	return in.text(w, in.scene(at), at.Status())
}

type pictureInput struct {
	api.Moment
	Picture
}

func (s *room) recordSVG(ctx context.Context, in *pictureInput, w http.ResponseWriter, _ *http.Request) error {
	at, err := s.Moment(ctx, &in.Moment)
	if err != nil {
		return err
	}
	scene := at.Scene()
	scene.Title += ", " + at.Status()
	return in.svg(w, scene)
}

func (s *room) recordPNG(ctx context.Context, in *pictureInput, w http.ResponseWriter, _ *http.Request) error {
	at, err := s.Moment(ctx, &in.Moment)
	if err != nil {
		return err
	}
	return in.png(w, at.Scene())
}

func (s *room) recordText(ctx context.Context, in *pictureInput, w http.ResponseWriter, _ *http.Request) error {
	at, err := s.Moment(ctx, &in.Moment)
	if err != nil {
		return err
	}
	return in.text(w, at.Scene(), at.Status())
}

func (s *room) recordPosition(ctx context.Context, in *api.Moment) (*view.Position, error) {
	m, err := s.Moment(ctx, in)
	if err != nil {
		return nil, err
	}
	return m.Position(true), nil
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
		return api.Bad("no-region", "Name two corners of the rectangle, as in C3:J9.", "the board has no region %q", o.Region)
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

// png writes a picture of pixels.
func (o *Picture) png(w http.ResponseWriter, s *draw.Scene) error {
	if err := o.apply(s); err != nil {
		return err
	}
	s.Width = 0 // which lays lines on whole pixels of a picture that may turn out narrower
	p, err := picture.Read(draw.AppendSVG(nil, s))
	if err != nil {
		return err
	}
	width := o.Width
	if width == 0 {
		width = 600
	}
	w.Header().Set("Content-Type", "image/png")
	return p.PNG(w, min(width, widestPNG))
}

// widestPNG bounds what a picture of pixels costs: about 0.1 seconds.
const widestPNG = 1600

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
