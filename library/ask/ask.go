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

	// Diagram is the board of the query whose occurrences were asked for, as it was
	// written; nil where a name stands for it, or there is none.
	Diagram *query.Diagram

	// Fuzzy is a query for boards that are alike, where none was found.
	Fuzzy string

	// Hints tell what may have been meant otherwise.
	Hints []string

	version store.Version // of the library that was asked; none where lines beside the main ones were, too
}

// Finding returns what tells the numbers of the games that a query finds, when it is called.
func (sr *Searcher) Finding(ctx context.Context, text, game string) func() ([]uint32, error) {
	return func() ([]uint32, error) {
		reply, err := sr.Ask(ctx, &Question{Text: text, Game: game})
		if err != nil {
			return nil, err
		}
		return reply.Found.ToArray(), nil
	}
}

// Ask answers a question: the games of a name where it is known, else those in
// which the board stands, else it offers to look for boards that are alike.
func (sr *Searcher) Ask(ctx context.Context, q *Question) (*Reply, error) {
	p, err := sr.Prepare(ctx, q)
	if err != nil {
		return nil, err
	}
	return p.Ask(ctx)
}

// Ask answers the question.
func (p *Prepared) Ask(ctx context.Context) (reply *Reply, err error) {
	err = p.run(ctx, func(ctx context.Context, a *asking) error {
		reply, err = a.ask(ctx)
		return err
	})
	return reply, err
}

// asking is one question on its way through one view of the library: what is looked
// up for it is looked up once.
type asking struct {
	searcher *Searcher
	question *Question
	prepared *Prepared // nil while it is being prepared
	view     index.View
	version  store.Version // of the library, or an earlier one
	hints    []string

	spelled map[string]*query.Texts // players by name
	heard   int                     // names that were compared by sound
	nobody  []string                // names of players that were in vain
	saved   map[string]*store.Saved // by kind of game and name; nil where there is none
}

// maxHints is how many hints anybody would read.
const maxHints = 5

func (a *asking) hint(format string, args ...any) {
	h := fmt.Sprintf(format, args...)
	if len(a.hints) < maxHints && !slices.Contains(a.hints, h) {
		a.hints = append(a.hints, h)
	}
}

func (a *asking) ask(ctx context.Context) (*Reply, error) {
	reply, err := a.answer(ctx)
	if err == nil {
		err = a.tell(ctx, reply.Games > 0)
	}
	if err == nil && len(reply.Scanned) > 0 {
		a.hint("the index of names has no column for %s yet: the games were read through", strings.Join(reply.Scanned, ", "))
	}
	if err == nil && reply.Games == 0 && !reply.Cut {
		err = a.help(ctx, reply.Query)
	}
	if err != nil {
		return nil, err
	}
	reply.Hints = a.hints
	return reply, a.name(ctx, reply)
}

// answer answers the question, which is bound.
func (a *asking) answer(ctx context.Context) (*Reply, error) {
	var err error
	parts := a.prepared.Parts
	r := a.question.Request
	r.Kind, r.Query, r.Also = parts[0].Kind, parts[0].Query, parts[1:]
	if r.Person == nil {
		if r.Person, err = a.called(ctx, retrieve.ByPlayer, r.By); err != nil {
			return nil, err
		}
	}
	if r.Event, err = a.called(ctx, retrieve.ByEvent, r.By); err != nil {
		return nil, err
	}
	if r.Sets == nil {
		if r.Sets, err = a.searcher.sets(ctx, r.By); err != nil {
			return nil, err
		}
	}
	if r.Into == nil {
		r.Into = roaring.New()
	}
	reply := &Reply{Query: a.prepared.Query, Bound: r.Query, Kinds: a.prepared.Kinds(), Found: r.Into, Diagram: a.prepared.diagramOf(r.Query)}
	if !r.Variations {
		reply.version = a.version
	}
	reply.Answer, err = retrieve.Find(ctx, a.view, &r)
	if err == nil && (reply.Partial || reply.Cut) {
		reply.version = store.Version{}
	}
	if errors.Is(err, retrieve.ErrTooMuch) {
		err = &query.Error{
			Text: a.question.Text, Column: 1, Err: err, Message: retrieve.ErrTooMuch.Error(),
			Hint: "boards that can lie in too many places, fuzzy boards or counts: ask for fewer at once, or tell where boards lie",
		}
	}
	return reply, err
}

// called returns who tells which person a spelling is, or which event, where some
// dimension groups by them: the book of the library.
func (a *asking) called(ctx context.Context, what retrieve.Dimension, by ...retrieve.Dimension) (func(spelled string) (key, name string), error) {
	if !slices.Contains(by, what) {
		return nil, nil
	}
	names := a.searcher.players
	if what == retrieve.ByEvent {
		names = names.Events()
	}
	book, err := names.BookOf(ctx, a.version)
	if err != nil {
		return nil, err
	}
	return func(spelled string) (key, name string) {
		// What has no letter that can be read, as where a text was garbled, is nobody's name.
		if key = book.Key(spelled); key == "" {
			return "", ""
		}
		return key, book.Canonical(spelled)
	}, nil
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
