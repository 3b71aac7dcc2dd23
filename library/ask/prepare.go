package ask

import (
	"context"
	"slices"

	"qipu/index"
	"qipu/library/knowledge"
	"qipu/query"
	"qipu/retrieve"
	"qipu/store"
)

// Prepared is a question that was read and bound: its names are looked up, and it is
// known which kinds of game it is about. It is not changed once it is made, and may be
// asked many times, by many at once: asking does not bind it again, unless the library
// has changed meanwhile.
type Prepared struct {
	Query query.Q // as it was asked

	// Parts are what is asked of each kind of game, of one where the question is
	// about a board.
	Parts []retrieve.Part

	// Diagrams are the boards that are written in the query, in their order, as
	// they are on the first kind of game.
	Diagrams []Diagram

	searcher *Searcher
	question Question
	version  version
	hints    []string // what may have been meant otherwise
	heard    int      // see asking
	nobody   []string
}

// Diagram is a board that is written in a query.
type Diagram struct {
	Written query.Diagram
	Bound   query.Q // *query.Shape or *query.Fuzzy
}

// version is the state of a library that the meaning of a question depends on.
type version struct {
	library   store.Version
	knowledge knowledge.Versions
}

// spoken tells questions apart that may mean different things.
type spoken struct {
	text, game, behalf string
	lines, partial     bool
}

// version returns the state of the library. It is asked for before the library is
// looked at: what is found then may be of a later one, and be taken for out of date,
// but never the other way round.
func (sr *Searcher) version(ctx context.Context) (v version, err error) {
	v.knowledge = sr.library.Knowledge().Versions()
	v.library, err = sr.library.Version(ctx)
	return v, err
}

// Prepare reads a question and binds it to the kinds of game that it may be about. A
// question that is written as text is bound once, however often and in whatever order
// it is asked, as long as the library does not change.
func (sr *Searcher) Prepare(ctx context.Context, q *Question) (*Prepared, error) {
	ctx = q.allow(ctx)
	v, err := sr.version(ctx)
	if err != nil {
		return nil, err
	}
	prepare := func() (*Prepared, error) { return sr.prepare(ctx, q, v) }
	var p *Prepared
	if q.Tree != nil {
		p, err = prepare()
	} else {
		p, err = sr.prepared.Get(ctx, spoken{q.Text, q.Game, Behalf(ctx), q.Variations, q.Partial}, v, prepare)
	}
	if err != nil {
		return nil, err
	}
	own := *p
	own.question = *q
	return &own, nil
}

func (sr *Searcher) prepare(ctx context.Context, q *Question, v version) (p *Prepared, err error) {
	err = sr.library.View(ctx, func(view index.View) error {
		a := sr.asking(q, view, v.library)
		p, err = a.resolve(ctx)
		if err == nil {
			p.searcher, p.version, p.hints, p.heard, p.nobody = sr, v, a.hints, a.heard, a.nobody
		}
		return err
	})
	return p, err
}

func (sr *Searcher) asking(q *Question, view index.View, v store.Version) *asking {
	return &asking{searcher: sr, question: q, view: view, version: v, spelled: map[string]*query.Texts{}, saved: map[string]*store.Saved{}}
}

// allow returns a context in which a library on servers may answer in part, where that
// is asked for.
func (q *Question) allow(ctx context.Context) context.Context {
	if q.Partial {
		return index.AllowPartial(ctx)
	}
	return ctx
}

// run runs what answers the question on a view of the library. Where the library has
// changed, the question is prepared anew.
func (p *Prepared) run(ctx context.Context, answer func(context.Context, *asking) error) error {
	ctx = p.question.allow(ctx)
	v, err := p.searcher.version(ctx)
	if err == nil && v != p.version {
		p, err = p.searcher.Prepare(ctx, &p.question)
	}
	if err != nil {
		return err
	}
	return p.searcher.library.View(ctx, func(view index.View) error {
		a := p.searcher.asking(&p.question, view, p.version.library)
		a.prepared, a.hints, a.heard, a.nobody = p, slices.Clone(p.hints), p.heard, p.nobody
		return answer(ctx, a)
	})
}

// Kinds returns the kinds of game that the question is about, the first has the board.
func (p *Prepared) Kinds() (list []*index.Kind) {
	for _, part := range p.Parts {
		list = append(list, part.Kind)
	}
	return list
}

// Order returns the order in which the games of the question are listed where nobody
// names another: of one about likeness the most like first.
func (p *Prepared) Order() retrieve.Order {
	if retrieve.Likeness(p.Parts[0].Query) != nil {
		return retrieve.ByLikeness
	}
	return retrieve.ByStore
}

// diagramOf returns the board of the query that a bound one is about, as it was
// written; nil for none.
func (p *Prepared) diagramOf(bound query.Q) *query.Diagram {
	want := ""
	if shape := retrieve.Anchor(bound); shape != nil {
		want = shape.String()
	} else if like := retrieve.Likeness(bound); like != nil {
		want = like.String()
	}
	for i := range p.Diagrams {
		if d := &p.Diagrams[i]; want != "" && d.Bound.String() == want {
			return &d.Written
		}
	}
	return nil
}
