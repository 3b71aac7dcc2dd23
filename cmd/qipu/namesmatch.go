package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"qipu"
	"qipu/board"
	"qipu/board/draw"
	"qipu/game"
	"qipu/index"
	"qipu/library/knowledge"
	"qipu/named"
	"qipu/store"
	"qipu/view"
	"qipu/view/shapeview"
)

// withPatterns runs a function on the patterns: with what the library has, where
// there is one; it is nil else. Faults of files are told, and harm nothing else.
func (a *app) withPatterns(ctx context.Context, do func(*qipu.Library, *knowledge.Patterns) error) error {
	l, err := a.openLibrary(ctx, qipu.Options{ReadOnly: true})
	var p *knowledge.Patterns
	switch {
	case err == nil:
		defer l.Close()
		p = l.Knowledge().Patterns()
	case a.library != "" || !errors.Is(err, store.ErrNoLibrary):
		return err
	default:
		p = knowledge.LoadPatterns(a.shapeFolders()...)
	}
	for _, f := range p.Base.Faults {
		fmt.Fprintf(a.err, "note: %s\n", printable(f.Error()))
	}
	return do(l, p)
}

// buildNames makes the index of names complete, and tells how far it is.
func (a *app) buildNames(ctx context.Context, l *qipu.Library) (store.Marked, error) {
	bar := a.newProgress("lines named", 0)
	defer bar.close()
	return l.BuildNames(ctx, func(done, total int) { bar.games(done, total) })
}

// nameAtJSON is something that has a name on a board.
type nameAtJSON struct {
	Type string `json:"type"` // "name"
	view.NameAt
}

// matchNames tells what has a name on a board of any game, and why: the pieces in
// their parts.
func (o *matchShapes) matchNames(ctx context.Context, at *placed) error {
	return o.withPatterns(ctx, func(_ *qipu.Library, p *knowledge.Patterns) error {
		book, err := p.Book(index.NewKind(at.rules))
		if err != nil {
			return err
		}
		hits, err := at.names(book)
		if err != nil {
			return err
		}
		if hits, err = o.chosen(at, hits); err != nil {
			return err
		}
		g := at.rules.Geometry()
		scene := &draw.Scene{Geometry: g, Planes: at.at.(game.Planar).Planes(), Last: at.last, Coordinates: true, Title: at.title, Marks: map[board.Point]draw.Mark{}}
		for _, hit := range hits {
			for _, role := range hit.Roles {
				scene.Marks[role.At] = draw.Circle
			}
		}
		if o.svg != "" {
			if err := o.emit(draw.AppendSVG(nil, scene), o.svg); err != nil {
				return err
			}
			fmt.Fprintf(o.err, "the picture is in %s\n", o.svg)
		}
		t := &table{columns: []string{"name", "id", "kind", "side", "pieces"}}
		sides := at.rules.Info().Sides
		for i, w := range shapeview.HitsOf(at.rules, hits) {
			side := "both"
			if w.Side >= 0 {
				side = nameIn(sides[w.Side].Titles, o.language)
			}
			var parts []string
			for _, role := range hits[i].Roles {
				parts = append(parts, fmt.Sprintf("%s %s %s", role.Name, pieceTitle(g, role.Piece, o.language), g.Name(role.At)))
			}
			t.add(nameAtJSON{"name", w}, printable(nameIn(w.Names, o.language)), w.ID, w.Kind, side, strings.Join(parts, ", "))
		}
		if !o.json && !o.csv {
			if _, err := o.out.Write(draw.AppendText(nil, scene, draw.TextOptions{Unicode: o.unicode, Color: o.colored()})); err != nil {
				return err
			}
		}
		if len(t.rows) == 0 {
			fmt.Fprintln(o.err, "nothing on this board has a name")
			return silent(exitNothing)
		}
		return o.app.print(t)
	})
}

// names returns what has a name on the board.
func (at *placed) names(book *named.Book) ([]named.Hit, error) {
	if at.played != nil {
		_, hits, err := qipu.NamesAt(book, at.played, at.steps)
		return hits, err
	}
	for range at.moves {
		at.at.Undo()
	}
	hits, err := book.At(at.at, at.moves)
	for _, m := range at.moves {
		if e := at.at.Play(m); err == nil {
			err = e
		}
	}
	return hits, err
}

// chosen returns the names that --side and --limit ask for: those of both sides, where
// nothing is said.
func (o *matchShapes) chosen(at *placed, hits []named.Hit) ([]named.Hit, error) {
	switch o.side {
	case "both", "":
	default:
		side := int(at.at.Turn())
		if o.side != "turn" {
			side = slices.IndexFunc(at.rules.Info().Sides, func(s game.SideInfo) bool { return s.Name == o.side })
		}
		if side < 0 {
			return nil, usagef("--side %s: %s has no such side", o.side, at.rules.Info().Titles.En)
		}
		hits = slices.DeleteFunc(hits, func(h named.Hit) bool { return h.Side != side && h.Side != named.Both })
	}
	if o.limit > 0 {
		hits = hits[:min(len(hits), o.limit)]
	}
	return hits, nil
}

func pieceTitle(g *board.Geometry, p board.Piece, language string) string {
	if p == board.Empty || int(p) > len(g.Pieces) {
		return ""
	}
	return nameIn(g.Pieces[p-1].Names, language)
}
