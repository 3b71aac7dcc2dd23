package ask

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"

	"qipu/index"
	"qipu/query"
	"qipu/retrieve"
	"qipu/store"
)

// Question is a query in the language of package query, and how it is to be
// answered.
type Question struct {
	Text string

	// Game names the game that is meant, as in "go" or "go:9x9"; empty leaves
	// that to the query.
	Game string

	// Language is that in which the name of a board is told, by its tag: "en",
	// "zh-Hant", "zh-Hans". Empty is that of the terms of the game.
	Language string

	// Partial has a library on servers answer without those that cannot be
	// reached; the answer says so.
	Partial bool

	// Tree is the query itself, where it is not given as text.
	Tree query.Q

	// Request has the rest. Its Kind, Query, Also and Person are filled in.
	retrieve.Request
}

// Reply is the answer to a question.
type Reply struct {
	*retrieve.Answer

	Query query.Q         // as it was asked
	Bound query.Q         // as it was answered, on the first of the kinds
	Kinds []*index.Kind   // of game that were asked, the first has the board
	Found *roaring.Bitmap // all games that were found

	// Name is the name of the board that was asked for, where the query is
	// nothing but one: that under which it is saved, else one that describes it
	// and is as good as the board itself.
	Name  string
	Saved *store.Saved // where it is

	// Fuzzy is a query for boards that are alike, where none was found.
	Fuzzy string

	// Hints tell what may have been meant otherwise.
	Hints []string

	version store.Version // of the library that was asked; none where lines beside the main ones were, too
}

// Ask answers a question: the games of a name where it is known, else those in
// which the board stands, else it offers to look for boards that are alike.
func (sr *Searcher) Ask(ctx context.Context, q *Question) (*Reply, error) {
	var reply *Reply
	err := sr.asking(ctx, q, func(a *asking) (err error) {
		reply, err = a.ask(q)
		return err
	})
	return reply, err
}

// asking is one question on its way: what is looked up for it is looked up once.
type asking struct {
	*Searcher
	ctx      context.Context
	view     index.View
	version  store.Version // of the library, or an earlier one
	language string        // of the name of a board
	lines    bool          // lines beside the main ones count
	text     string        // of the query, for complaints
	hints    []string

	spelled map[string]*query.Texts // players by name
	heard   int                     // names that were compared by sound
	nobody  []string                // names of players that were in vain
	saved   map[string]*store.Saved // by kind of game and name; nil where there is none
}

// asking runs what answers a question on a view of the library. The version
// is asked for first: what is found then may be of a later one, and be kept for
// out of date, but never the other way round.
func (sr *Searcher) asking(ctx context.Context, q *Question, run func(*asking) error) error {
	if q.Partial {
		ctx = index.AllowPartial(ctx)
	}
	version, err := sr.library.Version(ctx)
	if err != nil {
		return err
	}
	return sr.library.View(ctx, func(v index.View) error {
		return run(&asking{
			Searcher: sr, ctx: ctx, view: v, version: version, language: q.Language, lines: q.Variations, text: q.Text,
			spelled: map[string]*query.Texts{}, saved: map[string]*store.Saved{},
		})
	})
}

// maxHints is how many hints anybody would read.
const maxHints = 5

func (a *asking) hint(format string, args ...any) {
	h := fmt.Sprintf(format, args...)
	if len(a.hints) < maxHints && !slices.Contains(a.hints, h) {
		a.hints = append(a.hints, h)
	}
}

func (a *asking) ask(q *Question) (*Reply, error) {
	b, err := a.resolve(q)
	if err != nil {
		return nil, err
	}
	reply, err := a.answer(q, b)
	if err == nil {
		err = a.tell(reply.Games > 0)
	}
	if err == nil && len(reply.Scanned) > 0 {
		a.hint("the index of names has no column for %s yet: the games were read through", strings.Join(reply.Scanned, ", "))
	}
	if err == nil && reply.Games == 0 {
		err = a.help(reply.Query)
	}
	if err != nil {
		return nil, err
	}
	reply.Hints = a.hints
	return reply, a.name(reply)
}

// answer answers a question that is bound.
func (a *asking) answer(q *Question, b *bound) (*Reply, error) {
	var err error
	r := q.Request
	r.Kind, r.Query, r.Also = b.parts[0].Kind, b.parts[0].Query, b.parts[1:]
	if r.By == retrieve.ByPlayer && r.Person == nil {
		book, err := a.players.Book(a.ctx)
		if err != nil {
			return nil, err
		}
		r.Person = func(spelled string) (key, name string) { return book.Key(spelled), book.Canonical(spelled) }
	}
	if r.Sets == nil {
		if r.Sets, err = a.sets(a.ctx, r.By); err != nil {
			return nil, err
		}
	}
	if r.Into == nil {
		r.Into = roaring.New()
	}
	reply := &Reply{Query: b.query, Bound: r.Query, Found: r.Into}
	if !r.Variations {
		reply.version = a.version
	}
	for _, part := range b.parts {
		reply.Kinds = append(reply.Kinds, part.Kind)
	}
	reply.Answer, err = retrieve.Find(a.ctx, a.view, &r)
	if err == nil && reply.Partial {
		reply.version = store.Version{}
	}
	if errors.Is(err, retrieve.ErrTooMuch) {
		err = &query.Error{
			Text: a.text, Column: 1, Err: err, Message: retrieve.ErrTooMuch.Error(),
			Hint: "boards that can lie in too many places, fuzzy boards or counts: ask for fewer at once, or tell where boards lie",
		}
	}
	return reply, err
}

// sets returns the sets of games that a dimension groups by.
func (sr *Searcher) sets(ctx context.Context, by retrieve.Dimension) (sets []retrieve.Set, err error) {
	add := func(name string, games *roaring.Bitmap, err error) error {
		sets = append(sets, retrieve.Set{Name: name, Games: games})
		return err
	}
	switch by {
	case retrieve.ByCollection:
		list, err := sr.library.Notes().Collections(ctx)
		for i := 0; err == nil && i < len(list); i++ {
			games, e := sr.library.Notes().Members(ctx, list[i].ID)
			err = add(list[i].Name, games, e)
		}
		return sets, err
	case retrieve.ByTag:
		list, err := sr.library.Notes().Tags(ctx)
		for i := 0; err == nil && i < len(list); i++ {
			games, e := sr.library.Notes().Tagged(ctx, list[i].Name)
			err = add(list[i].Name, games, e)
		}
		return sets, err
	}
	return nil, nil
}
