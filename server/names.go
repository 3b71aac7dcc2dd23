package server

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"qipu"
	"qipu/board"
	"qipu/game"
	"qipu/library/knowledge"
	"qipu/named"
	"qipu/pattern"
	"qipu/pattern/relation"
	"qipu/query"
	"qipu/retrieve"
	"qipu/text"
	"qipu/text/term"
	"qipu/view"
)

func (s *Server) registerNames() {
	get(s, "/names", "list-names", "names", "What has a name on the boards of a game, and how it fared in the records", s.listNames)
	get(s, "/names/at", "names-at", "names", "What has a name on a board: which pieces have which part", s.namesAt)
	get(s, "/names/{id}", "get-name", "names", "A name with all that is known of it", s.name)
	get(s, "/terms", "list-terms", "names", "Words of the game in titles and comments of the records, and those that nobody has defined", s.terms)
	get(s, "/terms/split", "split-terms", "names", "Take the title of a game apart into its terms", s.splitTerms)
}

type namesInput struct {
	Game   string `query:"game" required:"true" maxLength:"100" doc:"The kind of game, as a spec" example:"xiangqi"`
	Kind   string `query:"kind" enum:"mate,structure,opening,code," doc:"What sort; empty for all"`
	Text   string `query:"q" maxLength:"200" doc:"Words in names, other names, ids or notes; one that is called exactly so comes first"`
	Order  string `query:"order" enum:"base,count,score,name" default:"base" doc:"As the tables have them, by how many games have them, by the score of the side that had them, or by name"`
	Limit  int    `query:"limit" minimum:"1" maximum:"1000" default:"60" doc:"Names a page"`
	Cursor string `query:"cursor" maxLength:"40" doc:"Of the page: next of the answer before"`
}

// book returns what has a name in a game, behind the gate of heavy requests: whoever
// calls it leaves when done.
func (s *Server) book(ctx context.Context, spec string) (k *kind, p *knowledge.Patterns, b *named.Book, leave func(), err error) {
	if k, err = s.kind(ctx, spec); err != nil {
		return nil, nil, nil, nil, err
	}
	if leave, err = s.enter(ctx); err != nil {
		return nil, nil, nil, nil, err
	}
	p = s.lib.Knowledge().Patterns()
	if b, err = p.Book(k.Kind); err != nil {
		leave()
		return nil, nil, nil, nil, err
	}
	return k, p, b, leave, nil
}

func (s *Server) listNames(ctx context.Context, in *namesInput) (*view.NameList, error) {
	k, p, book, leave, err := s.book(ctx, in.Game)
	if err != nil {
		return nil, err
	}
	defer leave()
	scores, err := s.lib.NameScores(ctx, k.Kind)
	if err != nil {
		return nil, err
	}
	w := &view.NameList{Names: []view.Name{}, Kinds: []view.NameGroup{}, Ready: scores.Ready}
	for _, kind := range named.Kinds() {
		n := 0
		for _, it := range book.Items() {
			if it.Kind == kind {
				n++
			}
		}
		if n > 0 {
			w.Kinds = append(w.Kinds, view.NameGroup{Kind: string(kind), Names: n})
		}
	}
	list := FitNames(book, in.Kind, in.Text)
	SortNames(list, in.Order, scores)
	w.Total = len(list)
	if list, w.Next, err = pageOf(list, in.Cursor, in.Limit); err != nil {
		return nil, err
	}
	for _, it := range list {
		x := NameOf(k.rules, p, book, it)
		if score, ok := scores.Scores[it.ID]; ok {
			x.Count = CountOf(&score)
		}
		w.Names = append(w.Names, x)
	}
	return w, nil
}

// FitNames returns the items of a kind, or of all where it is empty, that have the
// words of a text; those that are called exactly like it first.
func FitNames(book *named.Book, kind, asked string) (list []*named.Item) {
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
func SortNames(list []*named.Item, order string, scores *qipu.NameScores) {
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
func NameOf(r game.Rules, p *knowledge.Patterns, book *named.Book, it *named.Item) view.Name {
	w := view.Name{
		ID: it.ID, Kind: string(it.Kind), Names: it.Names, Vi: it.Vi, Coined: append([]string{}, it.Coined...), Aliases: append([]string{}, it.Aliases...),
		Note: it.Note, Source: it.Source, Parent: it.Parent, Layer: string(knowledge.ShippedLayer), Query: query.Named{Name: it.ID}.String(),
	}
	if it.Owned() {
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
func checksOf(p *knowledge.Patterns, it *named.Item) []*relation.Check {
	if !it.Owned() {
		return nil
	}
	return p.Checks(it.ID)
}

// CountOf returns a score as clients get it.
func CountOf(s *retrieve.Score) *view.NameCount {
	rate, low, high := s.Rate()
	return &view.NameCount{Games: s.Count, Won: s.First, Drawn: s.Draws, Lost: s.Second, Score: rounded(rate), Low: rounded(low), High: rounded(high)}
}

// boardOfCheck returns a fixture as clients get it.
func boardOfCheck(r game.Rules, book *named.Book, c *relation.Check) (*view.NameBoard, error) {
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

type nameInput struct {
	ID   string `path:"id" maxLength:"200" doc:"Its id, or a name in any language"`
	Game string `query:"game" required:"true" maxLength:"100" doc:"The kind of game, as a spec" example:"xiangqi"`
}

// nameExamples is how many boards of records are shown.
const nameExamples = 12

func (s *Server) name(ctx context.Context, in *nameInput) (*view.NameDetail, error) {
	k, p, book, leave, err := s.book(ctx, in.Game)
	if err != nil {
		return nil, err
	}
	defer leave()
	it := book.Find(in.ID)
	if it == nil {
		hint := "List the names that there are."
		if near := book.Nearest(in.ID, 3); len(near) > 0 {
			hint = "Is it " + strings.Join(near, " or ") + "?"
		}
		return nil, notFound(hint, "%s has nothing that is called %q", k.spec, in.ID)
	}
	scores, err := s.lib.NameScores(ctx, k.Kind)
	if err != nil {
		return nil, err
	}
	w := NameDetailOf(k.rules, p, book, it)
	if score, ok := scores.Scores[it.ID]; ok {
		w.Name.Count = CountOf(&score)
	}
	for i := range w.Cases {
		if score, ok := scores.Scores[w.Cases[i].ID]; ok {
			w.Cases[i].Count = CountOf(&score)
		}
	}
	boards, err := s.lib.NameBoards(ctx, k.Kind, it, nameExamples)
	if err != nil {
		return nil, err
	}
	w.Examples = NameBoardsOf(k.rules, boards)
	return w, nil
}

// NameDetailOf returns an item with what is known of it without a library.
func NameDetailOf(r game.Rules, p *knowledge.Patterns, book *named.Book, it *named.Item) *view.NameDetail {
	w := &view.NameDetail{Name: NameOf(r, p, book, it), Text: book.Definition(it), Boards: []view.NameBoard{}, Examples: []view.NameBoard{}, Cases: []view.Name{}}
	if it.Owned() {
		w.Text = p.Text(it.ID)
	}
	if it.Line != nil {
		w.Line = book.Line(it)
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
func NameBoardsOf(r game.Rules, boards []qipu.NameBoard) []view.NameBoard {
	list := []view.NameBoard{}
	for i := range boards {
		x := &boards[i]
		list = append(list, view.NameBoard{
			Position: game.FormatPosition(r, x.Position), Side: max(x.Side, 0), Roles: rolesOf(r.Geometry(), x.Roles), Match: true,
			Record: x.Record, Ply: x.Ply, Title: titleOf(x.Game),
		})
	}
	return list
}

type namesAtInput struct{ Placed }

func (s *Server) namesAt(ctx context.Context, in *namesAtInput) (*view.NamesAt, error) {
	at, err := s.stand(ctx, &in.Placed, "")
	if err != nil {
		return nil, err
	}
	book, err := s.lib.Knowledge().Names(at.Kind)
	if err != nil {
		return nil, err
	}
	for range at.moves {
		at.pos.Undo()
	}
	hits, err := book.At(at.pos, at.moves)
	if err != nil {
		return nil, err
	}
	return &view.NamesAt{Names: HitsOf(at.rules, hits)}, nil
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

type termsInput struct {
	Game  string `query:"game" required:"true" maxLength:"100" doc:"The kind of game, as a spec" example:"xiangqi"`
	Text  string `query:"q" maxLength:"200" doc:"Words in their names"`
	Limit int    `query:"limit" minimum:"1" maximum:"2000" default:"200" doc:"At most so many of each list"`
}

func (s *Server) terms(ctx context.Context, in *termsInput) (*view.Terms, error) {
	k, err := s.kind(ctx, in.Game)
	if err != nil {
		return nil, err
	}
	leave, err := s.enter(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	found, err := s.lib.Terms(ctx, k.Kind)
	if err != nil {
		return nil, err
	}
	w := &view.Terms{Terms: TermsOf(found, text.Fold(in.Text)), Unknown: UnknownOf(found, in.Limit)}
	w.Total = len(w.Terms)
	w.Terms = w.Terms[:min(len(w.Terms), in.Limit)]
	return w, nil
}

// TermsOf returns the terms whose names have words, which are folded, as clients get
// them.
func TermsOf(found *qipu.Terms, words string) []view.Term {
	list := []view.Term{}
	for _, t := range found.Known {
		n := t.Names
		called := append([]string{t.ID, n.En, n.Hant, n.Hans, n.Ja, n.Ko}, t.Aliases...)
		if !strings.Contains(text.Fold(strings.Join(called, "\n")), words) {
			continue
		}
		w := view.Term{
			ID: t.ID, Kind: string(t.Kind), Names: n, Aliases: append([]string{}, t.Aliases...), Note: t.Note, Games: t.Games,
			Query: query.Field{Name: "term", Value: cmp.Or(n.Hant, t.ID)}.String(),
		}
		if len(t.Patterns) > 0 {
			w.Name = t.Patterns[0]
		}
		list = append(list, w)
	}
	return list
}

// UnknownOf returns the most frequent unknown terms as clients get them.
func UnknownOf(found *qipu.Terms, most int) []view.UnknownTerm {
	list := []view.UnknownTerm{}
	for _, c := range found.Unknown[:min(len(found.Unknown), most)] {
		w := view.UnknownTerm{Text: c.Text, Count: c.Count, Games: c.Games}
		if len(c.Examples) > 0 {
			w.Example = c.Examples[0]
		}
		list = append(list, w)
	}
	return list
}

type splitInput struct {
	Game string `query:"game" required:"true" maxLength:"100" doc:"The kind of game, as a spec" example:"xiangqi"`
	Text string `query:"text" maxLength:"1000" doc:"A title, or what is known of the game in one line" example:"中炮過河炮邊傌對屏風馬高車捉炮"`
}

func (s *Server) splitTerms(ctx context.Context, in *splitInput) (*view.SplitTerms, error) {
	k, err := s.kind(ctx, in.Game)
	if err != nil {
		return nil, err
	}
	return SplitOf(term.Of(k.rules.Info().Name), in.Text), nil
}

// SplitOf takes a title apart.
func SplitOf(dict *term.Dict, title string) *view.SplitTerms {
	w := &view.SplitTerms{Title: dict.Title(title), Pieces: []view.TermPart{}}
	if w.Title == "" {
		w.Title = title
	}
	for _, p := range dict.Split(w.Title) {
		part := view.TermPart{Text: p.Text, Side: -1}
		if p.Term != nil {
			part.Term = p.Term.ID
		}
		switch p.Side {
		case term.First:
			part.Side = 0
		case term.Second:
			part.Side = 1
		}
		w.Pieces = append(w.Pieces, part)
	}
	return w
}
