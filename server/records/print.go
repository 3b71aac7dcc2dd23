package records

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"qipu/record"
	"qipu/server/api"
	"qipu/view/kifu"
)

type pagesInput struct {
	api.IDInput
	Phone      bool   `query:"phone" doc:"Pages as narrow as a phone"`
	Every      int    `query:"every" minimum:"0" maximum:"400" doc:"Moves a diagram; 0 for 50 where they are numbered, else 20"`
	Language   string `query:"lang" enum:"en,zh-Hant,zh-Hans,ja,ko" default:"en" doc:"Of the header and of Han characters"`
	NoComments bool   `query:"no-comments" doc:"Leave the comments out"`
	Simplified bool   `query:"simplified" doc:"Simplified characters on pieces"`
}

// making waits for its turn, has something made of a record, and sends it.
func (s *room) making(ctx context.Context, w http.ResponseWriter, id uint32, ending, kind string, do func(*bytes.Buffer, *record.Played) error) error {
	leave, err := s.Enter(ctx)
	if err != nil {
		return err
	}
	defer leave()
	g, _, err := s.Lib.Record(ctx, id)
	if err != nil {
		return err
	}
	var out bytes.Buffer
	err = do(&out, s.played(g))
	if errors.Is(err, kifu.ErrNoBoard) || errors.Is(err, kifu.ErrPart) {
		return api.Bad("no-picture", "", "%v", err)
	}
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Content-Length", strconv.Itoa(out.Len()))
	w.Header().Set("Content-Disposition", fmt.Sprintf(`inline; filename="game-%d.%s"`, id, ending))
	_, err = w.Write(out.Bytes())
	return err
}

func (s *room) recordPages(ctx context.Context, in *pagesInput, w http.ResponseWriter, _ *http.Request) error {
	o := kifu.Options{Phone: in.Phone, Every: in.Every, Language: in.Language, NoComments: in.NoComments, Simplified: in.Simplified}
	return s.making(ctx, w, in.ID, "pdf", "application/pdf", func(out *bytes.Buffer, p *record.Played) error { return kifu.Write(out, p, o) })
}

type filmInput struct {
	api.IDInput
	From  int `query:"from" minimum:"-1" default:"-1" doc:"The position to begin with, by moves played; -1 for a hundred before the last, or the start"`
	To    int `query:"to" minimum:"-1" default:"-1" doc:"The position to end with; -1 for the last"`
	Width int `query:"width" minimum:"100" maximum:"600" default:"360" doc:"In pixels"`
	Delay int `query:"delay" minimum:"10" maximum:"1000" default:"100" doc:"Hundredths of a second a move"`
}

// mostFrames bounds what an animated picture costs a server: some two seconds.
const mostFrames = 100

func (s *room) recordFilm(ctx context.Context, in *filmInput, w http.ResponseWriter, _ *http.Request) error {
	return s.making(ctx, w, in.ID, "gif", "image/gif", func(out *bytes.Buffer, p *record.Played) error {
		film := kifu.Film{From: in.From, To: in.To, Width: in.Width, Delay: in.Delay}
		if film.To < 0 || film.To > len(p.Steps) {
			film.To = len(p.Steps)
		}
		if film.From < 0 {
			film.From = max(0, film.To-mostFrames)
		}
		if n := film.To - film.From; n > mostFrames {
			return api.Bad("too-long", fmt.Sprintf("Name a part of at most %d moves with from and to.", mostFrames), "%d moves are too many for an animated picture", n)
		}
		return kifu.GIF(out, p, film)
	})
}
