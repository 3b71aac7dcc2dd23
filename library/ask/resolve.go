package ask

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"qipu/index"
	"qipu/query"
	"qipu/query/bind"
	"qipu/retrieve"
)

// resolve binds the question to the kinds of game that it may be about.
func (a *asking) resolve(ctx context.Context) (*Prepared, error) {
	q := a.question
	if q.Tree != nil {
		return a.resolveTree(ctx, q.Tree)
	}
	tree, err := query.Parse(q.Text)
	if err == nil {
		p, e := a.resolveTree(ctx, tree)
		if e == nil {
			return p, nil
		}
		err = e
	}
	// The names that describe boards have colons in them: they are no queries, or
	// look like ones that mean nothing.
	named := query.Named{Name: q.Text}
	kinds, e := a.kinds(q.Game, named)
	if e != nil || !slices.ContainsFunc(kinds, func(k *index.Kind) bool { return a.names(ctx, k).knows(q.Text) }) {
		return nil, err
	}
	a.hints = nil // of what was not meant
	return a.resolveTree(ctx, named)
}

func (a *asking) resolveTree(ctx context.Context, tree query.Q) (*Prepared, error) {
	p := &Prepared{Query: tree}
	kinds, err := a.kinds(a.question.Game, tree)
	if err != nil {
		return nil, err
	}
	if word, place := loneWord(tree); word != nil {
		// A word that is the name of something asks for that.
		known := slices.DeleteFunc(slices.Clone(kinds), func(k *index.Kind) bool { return !a.names(ctx, k).knows(word.Value) })
		if len(known) > 0 {
			kinds, tree = known, place(query.Named{Name: word.Value, At: word.At})
		}
	}
	w := binding{asking: a, tree: tree, kinds: kinds, boards: query.HasBoards(tree), strange: map[int]int{}}
	for _, k := range kinds {
		w.bind(ctx, k)
	}
	if err := w.complaint(); err != nil {
		return nil, err
	}
	if w.boards && len(w.parts) > 1 {
		if err := w.choose(); err != nil {
			return nil, err
		}
	}
	for _, part := range w.parts {
		p.Parts = append(p.Parts, part.Part)
	}
	if len(p.Parts) == 0 {
		for _, k := range kinds {
			p.Parts = append(p.Parts, retrieve.Part{Kind: k, Query: query.Const(false)})
		}
		return p, nil
	}
	query.Walk(p.Query, func(q query.Q) bool {
		d, ok := q.(query.Diagram)
		if !ok {
			return true
		}
		if bound := w.parts[0].diagrams[written{d.At, d.String()}]; bound != nil {
			p.Diagrams = append(p.Diagrams, Diagram{d, bound})
		}
		return true
	})
	return p, nil
}

// binding binds a query to one kind of game after the other.
type binding struct {
	asking *asking
	tree   query.Q
	kinds  []*index.Kind
	boards bool // it has boards, and means one kind of game
	parts  []part

	failed  error       // the first complaint
	other   error       // the first about something of another game
	strange map[int]int // in how many kinds of game the leaf at a place is of another
}

// part is what a query asks of a kind of game.
type part struct {
	retrieve.Part
	saved    bool // a name in it is that of a saved query
	diagrams map[written]query.Q
}

// written tells the boards of a query apart: by place and text.
type written struct {
	at   int
	text string
}

// bind binds the query to a kind of game. What only another game has, a side or
// a piece, is nothing here, as long as there is a kind of game that has it.
func (w *binding) bind(ctx context.Context, k *index.Kind) {
	if told := w.asking.searcher.onBind; told != nil {
		told(k)
	}
	n := w.asking.names(ctx, k)
	diagrams := map[written]query.Q{}
	binder := bind.Binder{
		Rules: k.Rules, Names: n, Games: w.asking.searcher.library.Rules(), Text: w.asking.question.Text,
		OnDiagram: func(d query.Diagram, bound query.Q) { diagrams[written{d.At, d.String()}] = bound },
	}
	x, err := binder.Bind(w.tree)
	if errors.Is(err, bind.ErrOtherGame) {
		w.other = cmp.Or(w.other, err)
		tree, e := query.Map(w.tree, func(leaf query.Q) (query.Q, error) {
			_, err := binder.Bind(leaf)
			if wrong, ok := errors.AsType[*query.Error](err); ok && errors.Is(err, bind.ErrOtherGame) {
				w.strange[wrong.At]++
				return query.Const(false), nil
			}
			return leaf, nil
		})
		if e == nil {
			x, err = binder.Bind(tree)
		}
	}
	if err != nil {
		w.failed = cmp.Or(w.failed, err)
		return
	}
	x = query.Simplify(x)
	if x == query.Q(query.Const(false)) && len(w.kinds) > 1 {
		return // another game
	}
	w.boards = w.boards || n.board || retrieve.Anchor(x) != nil || retrieve.Likeness(x) != nil
	w.parts = append(w.parts, part{retrieve.Part{Kind: k, Query: x}, n.kept, diagrams})
}

// complaint returns what is wrong with the query, if it is: where it has boards,
// it need not make sense on all of them.
func (w *binding) complaint() error {
	for _, kinds := range w.strange {
		if kinds == len(w.kinds) {
			return w.other
		}
	}
	if w.failed != nil && (len(w.parts) == 0 || !w.boards) {
		return w.failed
	}
	return nil
}

// choose leaves the one kind of game that a board can be meant of: where all are
// of one game, that of the usual size.
func (w *binding) choose() error {
	// A name that is saved for a game is not meant of another where it happens to
	// describe a board as well.
	if slices.ContainsFunc(w.parts, func(p part) bool { return p.saved }) {
		w.parts = slices.DeleteFunc(w.parts, func(p part) bool { return !p.saved })
	}
	if len(w.parts) == 1 {
		return nil
	}
	var names []string
	for _, part := range w.parts {
		if name := part.Kind.Rules.Info().Name; !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) == 1 {
		for i, part := range w.parts {
			if w.asking.searcher.unusual(part.Kind) == 0 {
				w.parts = w.parts[i : i+1]
				return nil
			}
		}
		names = nil
		for _, part := range w.parts {
			names = append(names, part.Kind.Rules.Info().Name+":"+part.Kind.Board.Size.String())
		}
	}
	return &query.Error{Text: w.asking.question.Text, Column: 1, Message: "a board of which game?", Hint: "say game:" + strings.Join(names, " or game:")}
}

// unusual returns 1 for a kind of game on a board of another size than usual,
// else 0.
func (sr *Searcher) unusual(k *index.Kind) int {
	usual, err := sr.library.Rules().Find(k.Rules.Info().Name)
	if err == nil && usual.Geometry().Size == k.Board.Size {
		return 0
	}
	return 1
}

// GameOf returns how to ask for the one game that some kinds of game are; ""
// where they are several.
func (sr *Searcher) GameOf(kinds []*index.Kind) string {
	name := kinds[0].Rules.Info().Name
	for _, k := range kinds {
		if k.Rules.Info().Name != name {
			return ""
		}
	}
	if len(kinds) > 1 || sr.unusual(kinds[0]) == 0 {
		return name
	}
	return name + ":" + kinds[0].Board.Size.String()
}

// loneWord returns the one word of a query that is nothing else but a game to
// look in, and a function that puts something in its place; nil where there is
// none.
func loneWord(q query.Q) (word *query.Field, place func(query.Q) query.Q) {
	if f, ok := q.(query.Field); ok && f.Name == "text" {
		return &f, func(q query.Q) query.Q { return q }
	}
	parts, _ := q.(query.And)
	for i, part := range parts {
		f, ok := part.(query.Field)
		switch {
		case ok && f.Name == "game":
		case ok && f.Name == "text" && word == nil:
			word = &f
			place = func(q query.Q) query.Q {
				all := slices.Clone(parts)
				all[i] = q
				return all
			}
		default:
			return nil, nil
		}
	}
	return word, place
}

// kinds returns the kinds of game that a question may be about, the usual size
// of a board first: those that the library has games of, and one that is named
// in any case.
func (a *asking) kinds(named string, q query.Q) ([]*index.Kind, error) {
	var list []*index.Kind
	for _, t := range a.view.Tally() {
		list = append(list, t.Kind)
	}
	narrow := func(spec string) error {
		r, err := a.searcher.library.Rules().Find(spec)
		if err != nil {
			return err
		}
		sized := strings.Contains(spec, ":")
		list = slices.DeleteFunc(list, func(k *index.Kind) bool {
			return k.Rules.Info().Name != r.Info().Name || sized && k.Board.Size != r.Geometry().Size
		})
		if len(list) == 0 {
			list = append(list, a.searcher.library.Kinds().Of(r))
		}
		return nil
	}
	// The game that the whole query is about.
	parts, ok := q.(query.And)
	if !ok {
		parts = query.And{q}
	}
	only := named
	for _, part := range parts {
		if f, ok := part.(query.Field); ok && f.Name == "game" && only == "" {
			if _, err := a.searcher.library.Rules().Find(f.Value); err == nil {
				only = f.Value // else the binder complains
			}
		}
	}
	if only != "" {
		if err := narrow(only); err != nil {
			return nil, err
		}
	} else {
		for _, spec := range query.GameSpecs(q) {
			r, err := a.searcher.library.Rules().Find(spec)
			if err != nil {
				continue // as above
			}
			if k := a.searcher.library.Kinds().Of(r); !slices.Contains(list, k) {
				list = append(list, k)
			}
		}
	}
	if len(list) == 0 {
		for _, r := range a.searcher.library.Rules().Shown() {
			list = append(list, a.searcher.library.Kinds().Of(r))
		}
	}
	// Complaints about a board are those of its usual size.
	slices.SortStableFunc(list, func(x, y *index.Kind) int { return a.searcher.unusual(x) - a.searcher.unusual(y) })
	return list, nil
}
