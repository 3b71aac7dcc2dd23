package knowledge

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"qipu"
	"qipu/board"
	"qipu/board/draw"
	"qipu/cli"
	"qipu/game"
	"qipu/index"
	"qipu/library/knowledge"
	"qipu/named"
	"qipu/store"
	"qipu/view/shapeview"
)

// withPatterns runs a function on the patterns: with what the library has, where
// there is one; it is nil else. Faults of files are told, and harm nothing else.
func withPatterns(ctx context.Context, a *cli.App, do func(*qipu.Library, *knowledge.Patterns) error) error {
	l, err := a.OpenLibrary(ctx, qipu.Options{ReadOnly: true})
	var p *knowledge.Patterns
	switch {
	case err == nil:
		defer l.Close()
		p = l.Knowledge().Patterns()
	case a.Library != "" || !errors.Is(err, store.ErrNoLibrary):
		return err
	default:
		p = knowledge.LoadPatterns(a.Games, a.ShapeFolders()...)
	}
	for _, f := range p.Base.Faults {
		fmt.Fprintf(a.Err, "note: %s\n", cli.Printable(f.Error()))
	}
	return do(l, p)
}

// matchNames tells what has a name on a board of any game, and why: the pieces in
// their parts.
func (o *matchShapes) matchNames(ctx context.Context, at *cli.Placed) error {
	return withPatterns(ctx, o.app, func(_ *qipu.Library, p *knowledge.Patterns) error {
		book, err := p.Book(index.NewKind(at.Rules))
		if err != nil {
			return err
		}
		hits, err := at.Names(book)
		if err != nil {
			return err
		}
		if hits, err = o.chosen(at, hits); err != nil {
			return err
		}
		g := at.Rules.Geometry()
		scene := &draw.Scene{Geometry: g, Last: at.Last, Coordinates: true, Title: at.Title, Marks: map[board.Point]draw.Mark{}}
		scene.Planes, scene.Texts = game.Shown(at.At)
		for _, hit := range hits {
			for _, role := range hit.Roles {
				scene.Marks[role.At] = draw.Circle
			}
		}
		if o.svg != "" {
			if err := o.app.Emit(draw.AppendSVG(nil, scene), o.svg); err != nil {
				return err
			}
			fmt.Fprintf(o.app.Err, "the picture is in %s\n", o.svg)
		}
		t := &cli.Table{Columns: []string{"name", "id", "kind", "side", "pieces"}}
		sides := at.Rules.Info().Sides
		for i, w := range shapeview.HitsOf(at.Rules, hits) {
			side := "both"
			if w.Side >= 0 {
				side = nameIn(sides[w.Side].Titles, o.language)
			}
			var parts []string
			for _, role := range hits[i].Roles {
				parts = append(parts, fmt.Sprintf("%s %s %s", role.Name, pieceTitle(g, role.Piece, o.language), g.Name(role.At)))
			}
			t.Add(cli.Typed("name", w), cli.Printable(nameIn(w.Names, o.language)), w.ID, w.Kind, side, strings.Join(parts, ", "))
		}
		if !o.app.JSON && !o.app.CSV {
			if _, err := o.app.Out.Write(draw.AppendText(nil, scene, draw.TextOptions{Unicode: o.unicode, Color: o.app.Colored()})); err != nil {
				return err
			}
		}
		if len(t.Rows) == 0 {
			return o.app.Nothing("nothing on this board has a name")
		}
		return o.app.Print(t)
	})
}

// chosen returns the names that --side and --limit ask for: those of both sides, where
// nothing is said.
func (o *matchShapes) chosen(at *cli.Placed, hits []named.Hit) ([]named.Hit, error) {
	switch o.side {
	case "both", "":
	default:
		side := int(at.At.Turn())
		if o.side != "turn" {
			side = slices.IndexFunc(at.Rules.Info().Sides, func(s game.SideInfo) bool { return s.Name == o.side })
		}
		if side < 0 {
			return nil, cli.Usagef("--side %s: %s has no such side", o.side, at.Rules.Info().Titles.En)
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
