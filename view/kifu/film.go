package kifu

import (
	"errors"
	"fmt"
	"io"

	"qipu/board"
	"qipu/board/draw"
	"qipu/board/picture"
	"qipu/record"
)

// Film says which moves of a game an animated picture shows, and how.
type Film struct {
	From, To   int // positions by moves played; a negative To is the last
	Width      int // in pixels
	Delay      int // hundredths of a second a move
	Simplified bool
}

// Bounds of animated pictures.
const (
	MaxFrames = 400
	MaxWidth  = 1000
)

// ErrPart tells that such a picture cannot be made of a game.
var ErrPart = errors.New("no such animated picture")

// GIF writes an animated picture of moves of a game.
func GIF(w io.Writer, p *record.Played, o Film) error {
	if p.Rules == nil || p.Start.Board == nil || len(p.Steps) > maxMoves {
		return ErrNoBoard
	}
	k := &kifu{o: Options{Simplified: o.Simplified}, p: p, info: p.Rules.Info(), film: &o}
	if err := k.walk(); err != nil {
		return err
	}
	if o.To < 0 || o.To > len(k.moves) {
		o.To = len(k.moves)
	}
	switch n := o.To - o.From + 1; {
	case o.From < 0 || n < 1:
		return fmt.Errorf("%w: there are no positions from %d to %d: the record has %d moves", ErrPart, o.From, o.To, len(k.moves))
	case n > MaxFrames:
		return fmt.Errorf("%w: %d positions, of which an animated picture has %d at the most", ErrPart, n, MaxFrames)
	case o.Width < 16 || o.Width > MaxWidth:
		return fmt.Errorf("%w: %d pixels wide, where from 16 to %d can be made", ErrPart, o.Width, MaxWidth)
	case o.Delay < 1 || o.Delay > 6000:
		return fmt.Errorf("%w: %d hundredths of a second a move, where from 1 to 6000 can be told", ErrPart, o.Delay)
	}
	var film picture.Film
	for i := o.From; i <= o.To; i++ {
		scene := k.scene()
		scene.Planes, scene.Texts = k.start, k.texts
		if i > 0 {
			m := k.moves[i-1]
			if scene.Planes, scene.Texts = m.after, m.texts; m.number > 0 && m.step.Move.To() != board.NoPoint {
				scene.Last = &draw.Step{From: m.step.Move.From(), To: m.step.Move.To()}
			}
		}
		p, err := picture.Read(draw.AppendSVG(nil, scene))
		if err != nil {
			return err
		}
		delay := o.Delay
		if i == o.To {
			delay *= 3 // before it begins again
		}
		film.Add(p, o.Width, delay)
	}
	return film.GIF(w)
}
