package ask

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/RoaringBitmap/roaring/v2"

	"qipu/index"
	"qipu/library"
	"qipu/library/knowledge"
	"qipu/library/players"
	"qipu/named"
	"qipu/pattern/describe"
	"qipu/query"
	"qipu/record/facts"
	"qipu/remedy"
	"qipu/store"
	"qipu/text"
)

// names resolves the names of queries about one kind of game.
type names struct {
	asking *asking
	ctx    context.Context // of the binding, which the binder does not carry
	kind   *index.Kind
	board  bool // a name turned out to be that of a board
	kept   bool // a name turned out to be that of a saved query
}

func (a *asking) names(ctx context.Context, k *index.Kind) *names {
	return &names{asking: a, ctx: ctx, kind: k}
}

func (n *names) library() *library.Library { return n.asking.searcher.library }

// Collection returns the games of a collection: of the library's and of that which who
// asks has under this name.
func (n *names) Collection(name string) (*roaring.Bitmap, error) {
	own := ownOf(n.ctx).Collected(name)
	c, err := n.library().Collection(n.ctx, name)
	if _, none := errors.AsType[*library.NoCollectionError](err); none && own != nil {
		return own, nil
	}
	if err != nil {
		return nil, err
	}
	games, err := n.library().Notes().Members(n.ctx, c.ID)
	if own != nil && err == nil {
		games.Or(own)
	}
	return games, err
}

// Tag returns the games with a tag, one's own or the library's. One that no game has is
// nobody's mistake.
func (n *names) Tag(name string) (*roaring.Bitmap, error) {
	own := ownOf(n.ctx).Tagged(name)
	games, err := n.library().Notes().Tagged(n.ctx, name)
	if errors.Is(err, store.ErrNoRow) && own != nil {
		return own, nil
	}
	if own != nil && err == nil {
		games.Or(own)
	}
	if errors.Is(err, store.ErrNoRow) {
		n.asking.hint("no game has the tag %q", name)
		return roaring.New(), nil
	}
	return games, err
}

// Added returns the games that came into the library in a span of days.
func (n *names) Added(first, last int64) (*roaring.Bitmap, error) {
	day := func(ordinal, most int64) time.Time {
		d := facts.DayOf(int(min(max(ordinal, 1), most)))
		return time.Date(d.Year, time.Month(max(d.Month, 1)), max(d.Day, 1), 0, 0, 0, 0, time.Local)
	}
	const years = 366 * 3000
	return n.library().Journal().Added(n.ctx, day(first, years), day(min(last, years), years).AddDate(0, 0, 1))
}

// Change returns the games that a change was about.
func (n *names) Change(number int64) (*roaring.Bitmap, error) {
	games, err := n.library().Journal().ChangeGames(n.ctx, number)
	if errors.Is(err, store.ErrNoRow) {
		n.asking.hint("there is no change %d", number)
		return roaring.New(), nil
	}
	return games, err
}

// Here returns the games that were played in this program.
func (n *names) Here() (*roaring.Bitmap, error) {
	return n.asking.searcher.here(n.ctx, n.asking.view, n.kind, n.asking.version)
}

// Comment returns the games whose comments contain a text.
func (n *names) Comment(folded string) (*roaring.Bitmap, error) {
	return n.asking.view.Comments(n.ctx, n.kind, folded)
}

// Named returns what a name stands for: a saved query, else a shape of Go, else
// what has the name on boards of the game, else the board that it describes.
func (n *names) Named(name string) (query.Q, error) {
	q, err := n.named(name, false)
	if q == nil && err == nil {
		err = n.unknown(name)
	}
	return q, err
}

// knows reports whether a word by itself stands for something. Names of shapes and
// openings do not count: many are everyday words, which players and events have as
// well. What pieces do to each other has names of its own, 馬後炮, but for single words
// of English, such as pin.
func (n *names) knows(name string) bool {
	q, err := n.named(name, true)
	if q != nil || err != nil {
		return q != nil && err == nil
	}
	it := n.item(name)
	if it != nil && (it.Kind == named.Mate || it.Kind == named.Structure) && strings.Trim(text.Fold(name), "abcdefghijklmnopqrstuvwxyz") != "" {
		if book, roll, err := n.asking.known(n.ctx); err == nil && len(book.Same(roll, name)) > 0 {
			n.asking.hint("a player is called %s, too: %v finds the games", name, query.Field{Name: "player", Value: name})
		}
		return true
	}
	if (it != nil || n.isShape(name)) && !n.isSaved(name) {
		n.asking.hint("%s has a name on boards, too: %v finds it there", name, query.Named{Name: name})
	}
	return false
}

// item returns what is called so on boards of the game; nil for nothing.
func (n *names) item(name string) *named.Item {
	book, err := n.library().Knowledge().Names(n.kind)
	if err != nil {
		return nil // what is wrong with it is told where patterns are listed
	}
	list := book.Called(name)
	if len(list) == 0 {
		return nil
	}
	for _, other := range list[1:] {
		if other.Parent != list[0].ID && list[0].Parent != other.ID {
			n.asking.hint("%s is also what %v is called", name, query.Named{Name: other.ID})
		}
	}
	return list[0]
}

// isShape reports whether a name is that of a shape.
func (n *names) isShape(name string) bool {
	return knowledge.HasShapes(n.kind) && n.library().Knowledge().Shapes().Base.Find(name) != nil
}

// isSaved reports whether a name is that of a saved query, even of one about another
// kind of game.
func (n *names) isSaved(name string) bool {
	_, err := n.asking.searcher.SavedQuery(n.ctx, name)
	return !errors.Is(err, store.ErrNoRow)
}

// source is where a name of a query may be known.
type source struct {
	find  func(n *names, name string) (query.Q, error) // nil where nothing is called so
	alone bool                                         // a word by itself may be meant, too
}

// sources are asked one after the other: the first that knows a name is meant. The id
// of one thing on boards goes before a name that several may have.
var sources = []source{
	{(*names).savedNamed, true},
	{(*names).itemOf, false},
	{(*names).shape, false},
	{(*names).itemNamed, false},
	{(*names).described, true},
}

// named returns nil where nothing is called so.
func (n *names) named(name string, alone bool) (query.Q, error) {
	for _, s := range sources {
		if alone && !s.alone {
			continue
		}
		if q, err := s.find(n, name); q != nil || err != nil {
			return q, err
		}
	}
	return nil, nil
}

// savedNamed returns the saved query of a name.
func (n *names) savedNamed(name string) (query.Q, error) {
	s, err := n.asking.savedQuery(n.ctx, n.kind, name)
	if s == nil || err != nil {
		return nil, err
	}
	n.kept = true
	return n.savedTree(s)
}

// itemOf returns what finds the one thing that has an id on boards.
func (n *names) itemOf(id string) (query.Q, error) {
	if it := n.item(id); it == nil || it.ID != id {
		return nil, nil
	}
	return n.itemNamed(id)
}

// itemNamed returns what finds the thing that is called so on boards.
func (n *names) itemNamed(name string) (query.Q, error) {
	it := n.item(name)
	if it == nil {
		return nil, nil
	}
	n.board = true
	return it.Query(), nil
}

// described returns what finds the board that a name describes.
func (n *names) described(name string) (query.Q, error) {
	p, err := namerOf(n.kind).Parse(name)
	if err != nil {
		return nil, nil // it describes none
	}
	n.board = true
	return &query.Shape{Pattern: p, Geometry: n.kind.Rules.Geometry()}, nil
}

// savedQuery returns the saved query of a name that may be about a kind of game,
// or nil.
func (a *asking) savedQuery(ctx context.Context, k *index.Kind, name string) (*store.Saved, error) {
	key := k.Name + "\n" + name
	if s, known := a.saved[key]; known {
		return s, nil
	}
	s, err := a.searcher.saved(ctx, text.Fold(name), "", k.Name, k.Rules.Info().Name)
	switch {
	case errors.Is(err, store.ErrNoRow):
		a.saved[key] = nil
		return nil, nil
	case err != nil:
		return nil, err
	}
	a.saved[key] = &s
	return &s, nil
}

// namerOf returns who describes boards of a kind of game: in Chinese where it has
// phrases for them, else in English. All languages are read.
func namerOf(k *index.Kind) *describe.Namer {
	language := "en"
	if _, ok := k.Rules.(describe.Seated); ok {
		language = "zh-Hant"
	}
	return describe.New(k.Rules, describe.Options{Language: language})
}

// namerIn returns who describes them in the language of a reader, as far as there
// are words in it: Chinese serves readers of Japanese where pieces have names in
// it, and English everybody else.
func namerIn(k *index.Kind, language string) *describe.Namer {
	switch language {
	case "", "ja":
		return namerOf(k)
	}
	return describe.New(k.Rules, describe.Options{Language: language})
}

// savedTree returns a saved query. Its games are known as long as nothing was added
// to the library: then no other needs to be looked at.
func (n *names) savedTree(s *store.Saved) (query.Q, error) {
	q, err := query.Parse(s.Query)
	if err != nil {
		return nil, fmt.Errorf("qipu: the saved query %q: %w", s.Name, err)
	}
	n.board = n.board || query.HasBoards(q)
	if s.Stamp == 0 || s.Stamp != n.asking.version.Stamp() || n.asking.question.Variations || !aboutBoards(q) {
		return q, nil
	}
	games, err := n.library().Notes().SavedGames(n.ctx, s.ID)
	if err != nil {
		return nil, err
	}
	return query.And{q, query.Games{Set: games, Why: "named:" + s.Name}}, nil
}

// aboutBoards reports whether a query asks for nothing but boards: what else it
// asks for may change without a game being added.
func aboutBoards(q query.Q) bool {
	return !query.Some(q, func(q query.Q) bool {
		switch q := q.(type) {
		case query.Field:
			return q.Name != "game" && q.Name != "ply" && q.Name != "turn"
		case query.Named:
			return true
		}
		return false
	})
}

// unknown tells that nothing has a name, and what has a similar one.
func (n *names) unknown(name string) error {
	list, err := n.asking.searcher.allSaved(n.ctx)
	if err != nil {
		return err
	}
	var known []string
	for i := range list {
		if list[i].Name != "" {
			known = append(known, list[i].Name)
		}
	}
	message := fmt.Sprintf("qipu: nothing is called %q", name)
	near := text.Nearest(name, slices.Values(known), 3)
	if knowledge.HasShapes(n.kind) && len(near) == 0 {
		near = n.library().Knowledge().Shapes().Base.Nearest(name, 3)
	}
	if book, err := n.library().Knowledge().Names(n.kind); err == nil && len(near) == 0 {
		near = book.Nearest(name, 3)
	}
	if len(near) > 0 {
		return fmt.Errorf("%s: is it %s?", message, strings.Join(near, " or "))
	}
	return remedy.For(errors.New(message), remedy.ListNames)
}

// maxHeard is how many names of one question are compared by sound, and held
// against all others for their spelling: each costs a few milliseconds.
const maxHeard = 8

// Player returns how the players are spelled in the library that a text means:
// the names that contain it, and all names of persons of whom one does; where
// there are none, the names that sound like it. With whole, the text is the name
// of one person.
func (n *names) Player(name string, whole bool) (*query.Texts, error) {
	key := fmt.Sprint(whole, name)
	if found := n.asking.spelled[key]; found != nil {
		return found, nil
	}
	book, roll, err := n.asking.known(n.ctx)
	if err != nil {
		return nil, err
	}
	var spelled []string
	if whole {
		spelled = book.Same(roll, name)
	} else if spelled = book.FindIn(roll, name); len(spelled) == 0 && n.asking.heard < maxHeard {
		n.asking.heard++
		spelled = book.Sounding(roll, name)
		if len(spelled) > 0 {
			n.asking.hint("nobody is spelled %q: taken for %s", name, strings.Join(spelled[:min(len(spelled), 3)], ", "))
		} else {
			n.asking.nobody = append(n.asking.nobody, name)
		}
	}
	found := &query.Texts{Whole: map[string]struct{}{}}
	for _, s := range spelled {
		found.Whole[text.Fold(s)] = struct{}{}
	}
	n.asking.spelled[key] = found
	return found, nil
}

// Event returns the names of events, folded, of which one is called as a folded text says.
func (n *names) Event(folded string, whole bool) (map[string]struct{}, error) {
	book, err := n.asking.searcher.players.Events().BookOf(n.ctx, n.asking.version)
	if err != nil {
		return nil, err
	}
	return book.Also(folded, whole), nil
}

// known returns who plays in the library.
func (a *asking) known(ctx context.Context) (*players.Identities, *players.Roll, error) {
	return a.searcher.players.Known(ctx, a.view, a.version)
}

// missing tells that nothing of a kind has a name, and what has a similar one.
func missing(what, name string, known []string) string {
	if near := text.Nearest(name, slices.Values(known), 3); len(near) > 0 {
		return fmt.Sprintf("no %s is called %q: is it %s?", what, name, strings.Join(near, " or "))
	}
	return fmt.Sprintf("no %s is called %q", what, name)
}

// tell adds hints about players that nobody is called like. Who that may be is
// worked out where nothing was found at all.
func (a *asking) tell(ctx context.Context, found bool) error {
	for _, name := range a.nobody {
		if found {
			a.hint("no player is called %q", name)
			continue
		}
		_, roll, err := a.known(ctx)
		if err != nil {
			return err
		}
		a.hint("%s", missing("player", name, roll.Names()))
	}
	return nil
}

// help adds hints to a question that found nothing: texts that are spelled
// similarly to those that it asks for.
func (a *asking) help(ctx context.Context, q query.Q) error {
	var failed error
	query.Walk(q, func(q query.Q) bool {
		f, ok := q.(query.Field)
		if !ok || failed != nil || a.heard >= maxHeard {
			return true
		}
		help, known := query.FieldOf(f.Name)
		if !known || len(help.Columns) == 0 || help.Columns[0] >= query.TextColumns || help.Columns[0] <= query.SecondPlayer {
			return true
		}
		var list []string
		folded := text.Fold(f.Value)
		for _, col := range help.Columns {
			for name, err := range a.view.Names(ctx, nil, col) {
				if failed = err; err != nil || strings.Contains(name.Folded, folded) {
					return true // it is there: something else is wrong
				}
				list = append(list, name.Text)
			}
		}
		a.heard++
		a.hint("%s", missing(f.Name, f.Value, list))
		for _, t := range a.view.Tally() {
			if book, err := a.searcher.library.Knowledge().Names(t.Kind); err == nil && len(book.Called(f.Value)) > 0 {
				a.hint("%s has a name on boards: %v finds it there", f.Value, query.Named{Name: f.Value})
			}
		}
		return true
	})
	return failed
}

// shape returns what finds the shapes of a name.
func (n *names) shape(name string) (query.Q, error) {
	if !knowledge.HasShapes(n.kind) {
		return nil, nil
	}
	q, left := n.library().Knowledge().Shapes().Query(name, n.kind)
	if q == nil {
		return nil, nil
	}
	n.board = true
	if left > 0 {
		n.asking.hint("%s has more shapes than are looked for at once: %s left out; name them one by one", name, countOf(left, "shape"))
	}
	if it := n.item(name); it != nil {
		n.asking.hint("%s is an opening, too: %v finds it", name, query.Named{Name: it.ID})
	}
	return q, nil
}

func countOf(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprint(n, " ", what)
}
