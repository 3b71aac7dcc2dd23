package named

import (
	"qipu/board"
	"qipu/game"
	"qipu/opening"
	"qipu/pattern"
	"qipu/query"
)

// addOpenings adds the openings of the game: those by position and those that are
// drawn.
func (b *Items) addOpenings() {
	g := b.rules.Geometry()
	for _, o := range b.openings.All() {
		it := &Item{ID: o.ID, Kind: Opening, Names: o.Names, Aliases: o.Aliases, Note: o.Note, Source: o.Source, Parent: o.Parent, Line: o.Moves}
		if o.Kind == opening.Position {
			lines := o.Lines()
			it.find = func() query.Q {
				var any query.Or
				for _, line := range lines {
					any = append(any, query.Diagram{Word: "position", Text: b.line(line)})
				}
				if len(any) == 1 {
					return any[0]
				}
				return query.When{Q: any}
			}
		} else {
			shapes := b.openings.Patterns(o)
			it.find = func() query.Q {
				var any query.Or
				for _, p := range shapes {
					any = append(any, &query.Shape{Pattern: p, Geometry: g})
				}
				if len(any) == 1 {
					return any[0]
				}
				return query.When{Q: any}
			}
		}
		b.items = append(b.items, it)
	}
}

// line returns moves from the start as queries read them.
func (b *Items) line(moves []game.Move) string {
	var text []byte
	p := b.rules.Start()
	for i, m := range moves {
		if i > 0 {
			text = append(text, ' ')
		}
		text = b.rules.AppendMove(text, p, m, game.AnyNotation)
		if p.Play(m) != nil {
			break
		}
	}
	return string(text)
}

// appendOpenings appends the openings that stand on a board, which has come about
// from the usual start.
func (b *Items) appendOpenings(hits []Hit, v *pattern.View, moves []game.Move) []Hit {
	if o, ok := b.openings.Deepest(nil, moves); ok {
		hits = append(hits, Hit{Item: b.byID[o.ID], Side: Both})
	}
	for _, o := range b.openings.AppendAt(nil, v.Planes, v.Turn, len(moves)) {
		hits = append(hits, Hit{Item: b.byID[o.ID], Side: Both})
	}
	return hits
}

// marked returns what finds an item that a marker knows.
func (b *Items) marked(it *Item) func() query.Q {
	return func() query.Q {
		return &query.Mark{Marker: b.markers[it.marker], Columns: it.columns, Name: it.ID, Shared: !it.Owned()}
	}
}

// Line returns the moves of an opening as text, empty where it has none.
func (b *Items) Line(it *Item) string { return b.line(it.Line) }

// Picture returns a board on which an opening or an ending stands: that behind its line,
// the stones of its first diagram, which are its roles then, or one of the longest wins. It is false for items of
// other kinds.
func (b *Items) Picture(it *Item) (s game.Setup, roles []pattern.Role, ok bool) {
	if it.Kind == Ending {
		return b.endingPicture(it)
	}
	if it.Kind != Opening || it.Marked() {
		return s, nil, false
	}
	p := b.rules.Start()
	for _, m := range it.Line {
		if p.Play(m) != nil {
			return s, nil, false
		}
	}
	s = game.SetupOf(p)
	if it.Line != nil {
		return s, nil, true
	}
	o, known := b.openings.Find(it.ID)
	shapes := b.openings.Patterns(o)
	if !known || len(shapes) == 0 {
		return s, nil, false
	}
	places, err := pattern.Compile(shapes[0], pattern.BoardOf(b.rules))
	if err != nil {
		return s, nil, false
	}
	size := b.rules.Geometry().Size
	for i, at := range places[0].Points {
		if piece, one := places[0].Sets[i].Only(); one && piece != board.Empty {
			s.Board.Put(size.Point(int(at)), piece)
			roles = append(roles, pattern.Role{Piece: piece, At: size.Point(int(at))})
		}
	}
	return s, roles, true
}
