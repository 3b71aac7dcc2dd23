package shapeview

import (
	"cmp"
	"slices"
	"strings"

	"qipu/board"
	"qipu/engine/endgame"
	"qipu/game"
	"qipu/library/ask"
	"qipu/library/knowledge"
	"qipu/mine/queue"
	"qipu/named"
	"qipu/pattern"
	"qipu/pattern/relation/syntax"
	"qipu/query"
	"qipu/retrieve"
	"qipu/text"
	"qipu/view"
	"qipu/view/recordview"
)

// FitNames returns the items of a kind, or of all where it is empty, that have the
// words of a text; those that are called exactly like it first.
func FitNames(book *named.Items, kind, asked string) (list []*named.Item) {
	words, whole := strings.Fields(text.Fold(asked)), text.Fold(asked)
	var exact []*named.Item
	for _, it := range book.Items() {
		if kind != "" && string(it.Kind) != kind {
			continue
		}
		called := it.Words()
		if whole != "" && slices.ContainsFunc(called, func(s string) bool { return text.Fold(s) == whole }) {
			exact = append(exact, it)
			continue
		}
		all := text.Fold(strings.Join(append(called, it.Note), "\n"))
		if !slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(all, word) }) {
			list = append(list, it)
		}
	}
	return append(exact, list...)
}

// SortNames brings items into an order: base, count, score or name.
func SortNames(list []*named.Item, order string, scores *ask.NameScores) {
	rate := func(it *named.Item) float64 {
		score := scores.Scores[it.ID]
		x, _, _ := score.Rate()
		return x
	}
	slices.SortStableFunc(list, func(x, y *named.Item) int {
		switch order {
		case "count":
			return scores.Scores[y.ID].Count - scores.Scores[x.ID].Count
		case "score":
			return cmp.Compare(rate(y), rate(x))
		case "name":
			return cmp.Compare(x.Names.En, y.Names.En)
		}
		return 0
	})
}

// NameOf returns an item as clients get it, without how it fared.
func NameOf(r game.Rules, p *knowledge.Patterns, book *named.Items, it *named.Item) view.Name {
	w := view.Name{
		ID: it.ID, Kind: string(it.Kind), Names: it.Names, Vi: it.Vi, Coined: append([]string{}, it.Coined...), Aliases: append([]string{}, it.Aliases...),
		Note: it.Note, Source: it.Source, Parent: it.Parent, Layer: string(knowledge.ShippedLayer), Query: query.Named{Name: it.ID}.String(),
	}
	if it.Owned() && it.Kind != named.Ending {
		w.Layer = string(p.Layer(it.ID))
	}
	for _, c := range checksOf(p, it) {
		if b, err := boardOfCheck(r, book, c); err == nil && c.Match {
			w.Board = b
			return w
		}
	}
	if setup, roles, ok := book.Picture(it); ok {
		w.Board = &view.NameBoard{Position: string(game.AppendSetup(nil, r, setup)), Roles: rolesOf(r.Geometry(), roles), Match: true}
	}
	return w
}

// checksOf returns the fixtures of an item. An opening of another game may have the id
// of a pattern, and has none.
func checksOf(p *knowledge.Patterns, it *named.Item) []*syntax.Check {
	if !it.Owned() {
		return nil
	}
	return p.Checks(it.ID)
}

// CountOf returns a score as clients get it.
func CountOf(s *retrieve.Score) *view.NameCount {
	rate, low, high := s.Rate()
	return &view.NameCount{Games: s.Count, Won: s.First, Drawn: s.Draws, Lost: s.Second, Score: view.Rounded(rate), Low: view.Rounded(low), High: view.Rounded(high)}
}

// boardOfCheck returns a fixture as clients get it.
func boardOfCheck(r game.Rules, book *named.Items, c *syntax.Check) (*view.NameBoard, error) {
	v, err := c.View(r)
	if err != nil {
		return nil, err
	}
	w := &view.NameBoard{Match: c.Match, Why: c.Why, Roles: []view.NameRole{}}
	if pos, ok := v.Facts.(game.Position); ok {
		w.Position = game.FormatPosition(r, pos)
	}
	if !c.Match {
		return w, nil
	}
	for _, m := range book.Matches(c.ID, v) {
		if c.Side == "" || c.Side == r.Info().Sides[m.Side&1].Name {
			w.Side, w.Roles = int(m.Side), rolesOf(r.Geometry(), m.Roles)
			break
		}
	}
	return w, nil
}

func rolesOf(g *board.Geometry, roles []pattern.Role) []view.NameRole {
	list := []view.NameRole{}
	for _, x := range roles {
		list = append(list, view.NameRole{Name: x.Name, Point: g.Size.Index(x.At), At: g.Name(x.At), Piece: int(x.Piece)})
	}
	return list
}

// EndingOf returns a table of an ending as clients get it.
func EndingOf(l *endgame.Listed) *view.Ending {
	count := func(c endgame.Count) view.EndingCount {
		return view.EndingCount{Legal: c.Legal, Won: c.Won, Drawn: c.Drawn, Lost: c.Lost, Held: c.Held, Longest: c.Longest, Defence: c.Defence}
	}
	return &view.Ending{
		Game: l.Game, Ending: l.Material, Men: l.Men, First: count(l.Counts[0]), Second: count(l.Counts[1]),
		Example: l.Example, Positions: l.Positions, Bytes: l.Bytes, Shipped: l.Shipped,
	}
}

// NameDetailOf returns an item with what is known of it without a library.
func NameDetailOf(r game.Rules, p *knowledge.Patterns, book *named.Items, it *named.Item) *view.NameDetail {
	w := &view.NameDetail{Name: NameOf(r, p, book, it), Text: book.Definition(it), Boards: []view.NameBoard{}, Examples: []view.NameBoard{}, Cases: []view.Name{}, Findings: []view.NameFinding{}}
	if it.Owned() {
		w.Text = p.Text(it.ID)
	}
	if it.Line != nil {
		w.Line = book.Line(it)
	}
	if l, ok := book.Table(it); ok {
		w.Ending = EndingOf(&l)
	}
	for _, c := range checksOf(p, it) {
		if b, err := boardOfCheck(r, book, c); err == nil {
			w.Boards = append(w.Boards, *b)
		}
	}
	for _, other := range book.Cases(it.ID) {
		w.Cases = append(w.Cases, NameOf(r, p, book, other))
	}
	return w
}

// NameBoardsOf returns boards of records as clients get them.
func NameBoardsOf(r game.Rules, boards []ask.NameBoard) []view.NameBoard {
	list := []view.NameBoard{}
	for i := range boards {
		x := &boards[i]
		list = append(list, view.NameBoard{
			Position: game.FormatPosition(r, x.Position), Side: max(x.Side, 0), Roles: rolesOf(r.Geometry(), x.Roles), Match: true,
			Record: x.Record, Ply: x.Ply, Title: recordview.TitleOf(x.Game),
		})
	}
	return list
}

// HitsOf returns what stands on a board as clients get it.
func HitsOf(r game.Rules, hits []named.Hit) []view.NameAt {
	list := []view.NameAt{}
	for _, h := range hits {
		list = append(list, view.NameAt{
			ID: h.ID, Kind: string(h.Kind), Names: h.Names, Side: h.Side, Roles: rolesOf(r.Geometry(), h.Roles), Query: query.Named{Name: h.ID}.String(),
		})
	}
	return list
}

// FindingsOf returns the findings of a queue that have become entries and are about one of
// some names of a game.
func FindingsOf(q *queue.Queue, game string, names ...string) []view.NameFinding {
	list := []view.NameFinding{}
	for _, f := range q.About(game, names...) {
		list = append(list, view.NameFinding{ID: f.ID, Sentence: f.Sentence, Query: f.Query, Games: f.Games, Found: f.Day, By: append([]string{}, f.By()...), Entered: f.Entered})
	}
	return list
}
