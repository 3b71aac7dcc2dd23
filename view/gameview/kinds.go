package gameview

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"qipu/board"
	"qipu/board/draw"
	"qipu/engine"
	"qipu/game"
	"qipu/index"
	"qipu/library/cache"
	"qipu/opening"
	"qipu/record"
	"qipu/view"
)

// Kind is a kind of game with what was made of it once.
type Kind struct {
	Index     *index.Kind
	Spec      string
	Rules     game.Rules // by which it is played: a variant may have others than the index
	StartText string     // the text of the usual start
	Game      view.Game  // but for the number of records
	Names     func() *opening.Names
}

// Stand returns the position that a line leads to: moves from the start in any
// notation, or a position text, or one with the word moves and moves. So many moves
// are taken back, and then one is played where it is not empty.
func (k *Kind) Stand(line string, back int, move string) (at *Standing, err error) {
	at = &Standing{Kind: k}
	if at.Pos, at.Moves, err = game.ParseLine(k.Rules, line); err != nil {
		return nil, BadLine(err)
	}
	for range min(back, len(at.Moves)) {
		at.Pos.Undo()
		at.Moves = at.Moves[:len(at.Moves)-1]
	}
	if move != "" {
		m, err := k.Parse(at.Pos, move)
		if err == nil {
			err = at.Pos.Play(m)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", move, err)
		}
		at.Moves = append(at.Moves, m)
	}
	for range at.Moves {
		at.Pos.Undo()
	}
	if text := game.FormatPosition(k.Rules, at.Pos); text != k.StartText {
		at.Base = text
	}
	for _, m := range at.Moves {
		if err := at.Pos.Play(m); err != nil {
			return nil, err
		}
	}
	return at, nil
}

// Parse reads a move as a client sends it: the points that were clicked, by
// their names, or any notation of the game.
func (k *Kind) Parse(p game.Position, text string) (game.Move, error) {
	g := k.Rules.Geometry()
	names := strings.FieldsFunc(text, func(r rune) bool { return r == '-' || r == ' ' })
	points := make([]board.Point, 0, 2)
	for _, name := range names {
		if at, ok := g.Point(name); ok {
			points = append(points, at)
		}
	}
	m := game.NoMove
	switch {
	case len(points) != len(names):
	case len(points) == 1 && !k.Index.Moving:
		m = game.Drop(points[0])
	case len(points) == 2 && k.Index.Moving:
		m = game.Step(points[0], points[1])
	}
	if m != game.NoMove && slices.Contains(p.AppendMoves(nil), m) {
		return m, nil
	}
	if read, err := k.Rules.ParseMove(p, text, game.AnyNotation); err == nil || m == game.NoMove {
		return read, err
	}
	return m, nil // the position tells why it cannot be played
}

// Notation checks the name of a notation of the game.
func (k *Kind) Notation(name string) (game.Notation, error) {
	if name == "" || k.Writes(name) {
		return game.Notation(name), nil
	}
	names := []string{}
	for _, n := range k.Game.Notations {
		names = append(names, n.Name)
	}
	return "", &NotationError{k.Spec, name, names}
}

// Writes reports whether the game has a notation.
func (k *Kind) Writes(name string) bool {
	return slices.ContainsFunc(k.Game.Notations, func(n view.Notation) bool { return n.Name == name })
}

// PointIndex returns the number of a point of the board; -1 for none.
func (k *Kind) PointIndex(p board.Point) int { return view.IndexIn(k.Index.Board.Size, p) }

// pointed is a Rules some of whose moves may be pointed at by another point than the one
// they end on.
type pointed interface {
	Also(p game.Position, m game.Move) (at board.Point, ok bool)
}

// Move returns a move of a position.
func (k *Kind) Move(p game.Position, m game.Move, n game.Notation) view.Move {
	return MoveOf(k.Rules, p, m, n)
}

// MoveOf is the same by the rules alone.
func MoveOf(rules game.Rules, p game.Position, m game.Move, n game.Notation) view.Move {
	g, piece := rules.Geometry(), m.Piece()
	if piece != board.Empty && p.Turn() == game.Second {
		piece = g.Pieces[piece-1].Swap
	}
	w := view.Move{
		Text: game.FormatMove(rules, p, m, n), From: view.IndexIn(g.Size, m.From()), To: view.IndexIn(g.Size, m.To()), Side: int(p.Turn()), Piece: int(piece),
		Forced: m == game.Pass && len(p.AppendMoves(nil)) == 1,
	}
	if r, ok := rules.(pointed); ok {
		if at, ok := r.Also(p, m); ok {
			i := view.IndexIn(g.Size, at)
			w.Also = &i
		}
	}
	return w
}

// Kinds holds the kinds of game that were asked for. It is safe for concurrent
// use.
type Kinds struct {
	lib    Library
	bySpec cache.Cache[string, struct{}, *Kind]
}

// Find returns the kind of game that a spec means, as in "go", "weiqi:9x9" or
// "gomoku".
func (c *Kinds) Find(spec string) (*Kind, error) {
	return c.bySpec.Get(context.Background(), spec, struct{}{}, func() (*Kind, error) { return c.find(spec) })
}

func (c *Kinds) find(spec string) (*Kind, error) {
	games := c.lib.Rules()
	rules, err := games.Find(spec)
	if err != nil {
		var names []string
		for _, r := range games {
			names = append(names, r.Info().Name)
		}
		return nil, &SpecError{err, names}
	}
	plain, err := c.lib.Kind(plainSpec(rules))
	if err != nil {
		return nil, err
	}
	return c.New(plain, rules), nil
}

// New returns a kind whose rules may be others than those of the index.
func (c *Kinds) New(plain *index.Kind, r game.Rules) *Kind {
	info, g := r.Info(), r.Geometry()
	k := &Kind{Index: plain, Rules: r, Spec: info.Name, StartText: game.FormatPosition(r, r.Start())}
	k.Names = sync.OnceValue(func() *opening.Names { return opening.Of(r) })
	if info.Variant != "" {
		k.Spec += ":" + info.Variant
	}
	k.Game = view.Game{
		Spec: k.Spec, Family: info.Name, Titles: info.Titles, Variant: info.Variant, Usual: info.Variant == "",
		Aliases: append([]string{}, info.Aliases...), Sides: []view.Side{}, Notations: []view.Notation{}, Variants: []view.Variant{}, Levels: []view.Level{}, Choices: []view.Choice{}, OpeningRules: []view.OpeningRule{}, Moving: plain.Moving,
		Geometry: g.Whole(), Glyphs: glyphs(g), Start: []int{}, Turns: []string{}, Formats: []string{},
		Howto: info.Howto, Tools: append([]string{}, info.Tools...), Lab: c.lib.Evaluator(r) != nil,
	}
	if _, ok := r.(game.Manned); ok {
		k.Game.Tools = append(k.Game.Tools, "endings")
	}
	for _, l := range c.lib.Levels(r) {
		level := view.Level{Number: l.Number}
		if l.Rating != nil {
			level.Rating = &view.Rating{Elo: l.Rating.Elo, Margin: l.Rating.Margin, Share: l.Rating.Share}
		}
		k.Game.Levels = append(k.Game.Levels, level)
	}
	for _, side := range info.Sides {
		k.Game.Sides = append(k.Game.Sides, view.Side{Name: side.Name, Titles: side.Titles})
	}
	for _, n := range info.Notations {
		k.Game.Notations = append(k.Game.Notations, view.Notation{Name: string(n.Name), Summary: n.Summary})
	}
	for _, v := range info.Variants {
		k.Game.Variants = append(k.Game.Variants, view.Variant{Name: v.Name, Summary: v.Summary})
	}
	for _, c := range info.Choices {
		choice := view.Choice{Titles: c.Titles, Values: make([]view.ChoiceValue, len(c.Values))}
		for i, v := range c.Values {
			if choice.Values[i].Word = v.Word; v.Titles != (board.Names{}) {
				choice.Values[i].Titles = &v.Titles
			}
		}
		k.Game.Choices = append(k.Game.Choices, choice)
	}
	if o, ok := r.(game.Opener); ok {
		for _, rule := range o.OpeningRules() {
			k.Game.OpeningRules = append(k.Game.OpeningRules, view.OpeningRule(rule))
		}
	}
	for _, sym := range info.Symmetries {
		if !sym.Swap {
			k.Game.Turns = append(k.Game.Turns, sym.Board.String())
		}
	}
	planes, cells := game.Shown(r.Start())
	if k.Game.Texts = view.Texts(g.Size, cells); planes != nil {
		k.Game.Start = view.Pieces(planes)
	} else {
		k.Game.Start = make([]int, g.Size.Area())
	}
	for _, f := range c.lib.Formats() {
		if _, writes := f.(record.Writer); writes && slices.Contains(f.Info().Kinds, info.Name) {
			k.Game.Formats = append(k.Game.Formats, f.Info().Name)
		}
	}
	return k
}

// NewKinds returns the kinds of a library.
func NewKinds(lib Library) *Kinds { return &Kinds{lib: lib} }

// SpecError is a spec that means no game.
type SpecError struct {
	Err   error
	Known []string // the games
}

// Error tells what is wrong with it.
func (e *SpecError) Error() string { return e.Err.Error() }

// Unwrap returns the same as an error.
func (e *SpecError) Unwrap() error { return e.Err }

// NotationError is a notation that a game does not have.
type NotationError struct {
	Game, Name string
	Known      []string
}

// Error tells it.
func (e *NotationError) Error() string { return fmt.Sprintf("%s has no notation %q", e.Game, e.Name) }

// plainSpec returns the spec of a game without its rule set: that of its kind.
func plainSpec(r game.Rules) string {
	name, size := r.Info().Name, r.Geometry().Size.String()
	if slices.Contains(strings.Split(r.Info().Variant, ","), size) {
		return name + ":" + size
	}
	return name
}

// SpecOf returns the spec of a kind of game, as /games lists it.
func SpecOf(k *index.Kind) string { return plainSpec(k.Rules) }

// SpecsOf returns those of several.
func SpecsOf(kinds []*index.Kind) []string {
	list := make([]string, len(kinds))
	for i, k := range kinds {
		list[i] = SpecOf(k)
	}
	return list
}

// RulesSpec returns the spec of rules.
func RulesSpec(r game.Rules) string {
	if info := r.Info(); info.Variant != "" {
		return info.Name + ":" + info.Variant
	}
	return r.Info().Name
}

// Library is a library that knows games.
type Library interface {
	Rules() game.Catalog
	Formats() []record.Format
	Kind(spec string) (*index.Kind, error)
	Levels(r game.Rules) []engine.Level
	Evaluator(r game.Rules) engine.Evaluator
}

// glyphs returns the outlines of what is written on a board and its pieces.
func glyphs(g *board.Geometry) map[string]string {
	texts := []string{}
	for i := range g.Pieces {
		texts = append(texts, g.Pieces[i].Glyph, g.Pieces[i].Simplified)
	}
	for i := range g.Texts {
		texts = append(texts, g.Texts[i].Text)
	}
	list := map[string]string{}
	for _, text := range texts {
		for _, r := range text {
			if path, ok := draw.Outline(r); ok {
				list[string(r)] = path
			}
		}
	}
	return list
}
