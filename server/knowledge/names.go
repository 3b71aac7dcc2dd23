package knowledge

import (
	"context"
	"strings"

	"qipu/library/knowledge"
	"qipu/mine/queue"
	"qipu/named"
	"qipu/server/api"
	"qipu/text"
	"qipu/text/term"
	"qipu/view"
	"qipu/view/gameview"
	"qipu/view/shapeview"
)

func (s *room) registerNames() {
	api.Get(s.Service, api.Kept.InTurn(), "/names", "list-names", "names", "What has a name on the boards of a game, and how it fared in the records", s.listNames)
	api.Get(s.Service, api.Kept, "/names/at", "names-at", "names", "What has a name on a board: which pieces have which part", s.namesAt)
	api.Get(s.Service, api.Kept.InTurn(), "/names/{id}", "get-name", "names", "A name with all that is known of it", s.name)
	api.Get(s.Service, api.Kept.InTurn(), "/terms", "list-terms", "names", "Words of the game in titles and comments of the records, and those that nobody has defined", s.terms)
	api.Get(s.Service, api.Kept, "/terms/split", "split-terms", "names", "Take the title of a game apart into its terms", s.splitTerms)
}

type namesInput struct {
	Game   string `query:"game" required:"true" maxLength:"100" doc:"The kind of game, as a spec" example:"xiangqi"`
	Kind   string `query:"kind" enum:"mate,structure,opening,code,ending," doc:"What sort; empty for all"`
	Text   string `query:"q" maxLength:"200" doc:"Words in names, other names, ids or notes; one that is called exactly so comes first"`
	Order  string `query:"order" enum:"base,count,score,name" default:"base" doc:"As the tables have them, by how many games have them, by the score of the side that had them, or by name"`
	Limit  int    `query:"limit" minimum:"1" maximum:"1000" default:"60" doc:"Names a page"`
	Cursor string `query:"cursor" maxLength:"40" doc:"Of the page: next of the answer before"`
}

// book returns what has a name in a game.
func (s *room) book(spec string) (k *gameview.Kind, p *knowledge.Patterns, b *named.Items, err error) {
	if k, err = s.Kinds.Find(spec); err != nil {
		return nil, nil, nil, err
	}
	p = s.Lib.Knowledge().Patterns()
	b, err = p.Book(k.Index)
	return k, p, b, err
}

func (s *room) listNames(ctx context.Context, in *namesInput) (*view.NameList, error) {
	k, p, book, err := s.book(in.Game)
	if err != nil {
		return nil, err
	}
	scores, err := s.Lib.Search().NameScores(ctx, k.Index)
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
	list := shapeview.FitNames(book, in.Kind, in.Text)
	shapeview.SortNames(list, in.Order, scores)
	w.Total = len(list)
	if list, w.Next, err = api.Page(list, in.Cursor, in.Limit); err != nil {
		return nil, err
	}
	for _, it := range list {
		x := shapeview.NameOf(k.Rules, p, book, it)
		if score, ok := scores.Scores[it.ID]; ok {
			x.Count = shapeview.CountOf(&score)
		}
		w.Names = append(w.Names, x)
	}
	return w, nil
}

type nameInput struct {
	ID   string `path:"id" maxLength:"200" doc:"Its id, or a name in any language"`
	Game string `query:"game" required:"true" maxLength:"100" doc:"The kind of game, as a spec" example:"xiangqi"`
}

// nameExamples is how many boards of records are shown.
const nameExamples = 12

func (s *room) name(ctx context.Context, in *nameInput) (*view.NameDetail, error) {
	k, p, book, err := s.book(in.Game)
	if err != nil {
		return nil, err
	}
	it := book.Find(in.ID)
	if it == nil {
		hint := "List the names that there are."
		if near := book.Nearest(in.ID, 3); len(near) > 0 {
			hint = "Is it " + strings.Join(near, " or ") + "?"
		}
		return nil, api.NotFound(hint, "%s has nothing that is called %q", k.Spec, in.ID)
	}
	scores, err := s.Lib.Search().NameScores(ctx, k.Index)
	if err != nil {
		return nil, err
	}
	w := shapeview.NameDetailOf(k.Rules, p, book, it)
	if score, ok := scores.Scores[it.ID]; ok {
		w.Name.Count = shapeview.CountOf(&score)
	}
	for i := range w.Cases {
		if score, ok := scores.Scores[w.Cases[i].ID]; ok {
			w.Cases[i].Count = shapeview.CountOf(&score)
		}
	}
	boards, err := s.Lib.Search().NameBoards(ctx, k.Index, it, nameExamples)
	if err != nil {
		return nil, err
	}
	w.Examples = shapeview.NameBoardsOf(k.Rules, boards)
	q, err := queue.Read(s.Lib.Records())
	if err != nil {
		return nil, err
	}
	w.Findings = shapeview.FindingsOf(q, k.Rules.Info().Name, it.ID)
	return w, nil
}

type namesAtInput struct{ api.Placed }

func (s *room) namesAt(ctx context.Context, in *namesAtInput) (*view.NamesAt, error) {
	at, err := s.Stand(&in.Placed, "")
	if err != nil {
		return nil, err
	}
	book, err := s.Lib.Knowledge().Names(at.Index)
	if err != nil {
		return nil, err
	}
	for range at.Moves {
		at.Pos.Undo()
	}
	hits, err := book.At(at.Pos, at.Moves)
	if err != nil {
		return nil, err
	}
	return &view.NamesAt{Names: shapeview.HitsOf(at.Rules, hits)}, nil
}

type termsInput struct {
	Game  string `query:"game" required:"true" maxLength:"100" doc:"The kind of game, as a spec" example:"xiangqi"`
	Text  string `query:"q" maxLength:"200" doc:"Words in their names"`
	Limit int    `query:"limit" minimum:"1" maximum:"2000" default:"200" doc:"At most so many of each list"`
}

func (s *room) terms(ctx context.Context, in *termsInput) (*view.Terms, error) {
	k, err := s.Kinds.Find(in.Game)
	if err != nil {
		return nil, err
	}
	found, err := s.Lib.Search().Terms(ctx, k.Index)
	if err != nil {
		return nil, err
	}
	w := &view.Terms{Terms: shapeview.TermsOf(found, text.Fold(in.Text)), Unknown: shapeview.UnknownOf(found, in.Limit)}
	w.Total = len(w.Terms)
	w.Terms = w.Terms[:min(len(w.Terms), in.Limit)]
	return w, nil
}

type splitInput struct {
	Game string `query:"game" required:"true" maxLength:"100" doc:"The kind of game, as a spec" example:"xiangqi"`
	Text string `query:"text" maxLength:"1000" doc:"A title, or what is known of the game in one line" example:"中炮過河炮邊傌對屏風馬高車捉炮"`
}

func (s *room) splitTerms(ctx context.Context, in *splitInput) (*view.SplitTerms, error) {
	k, err := s.Kinds.Find(in.Game)
	if err != nil {
		return nil, err
	}
	return shapeview.SplitOf(term.Of(k.Rules.Info().Name), in.Text), nil
}
