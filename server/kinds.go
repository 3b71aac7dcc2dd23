package server

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"

	"qipu/board"
	"qipu/board/draw"
	"qipu/game"
	"qipu/game/weiqi"
	"qipu/index"
	"qipu/opening"
	"qipu/record"
	"qipu/view"
)

// kind is a kind of game with what was made of it once.
type kind struct {
	*index.Kind
	spec  string
	rules game.Rules // by which it is played: a variant may have others than the index
	start string     // the text of the usual start
	game  view.Game  // but for the number of records
	names func() *opening.Names
}

// maxKinds bounds how many kinds are kept: variants have numbers in them, which
// strangers may choose.
const maxKinds = 200

// kind returns the kind of game that a spec means, as in "go", "weiqi:9x9" or
// "gomoku".
func (s *Server) kind(_ context.Context, spec string) (*kind, error) {
	s.kinds.Lock()
	k := s.kinds.bySpec[spec]
	s.kinds.Unlock()
	if k != nil {
		return k, nil
	}
	games := s.lib.Records().Rules()
	rules, err := games.Find(spec)
	if err != nil {
		var names []string
		for _, r := range games {
			names = append(names, r.Info().Name)
		}
		return nil, bad("no-game", "The games are "+strings.Join(names, ", ")+"; a size stands behind a colon, as in weiqi:9x9.", "%v", err)
	}
	plain, err := s.lib.Kind(plainSpec(rules))
	if err != nil {
		return nil, err
	}
	k = s.newKind(plain, rules)
	s.kinds.Lock()
	defer s.kinds.Unlock()
	if len(s.kinds.bySpec) >= maxKinds {
		clear(s.kinds.bySpec)
	}
	s.kinds.bySpec[spec] = k
	return k, nil
}

// plainSpec returns the spec of a game without its rule set: that of its kind.
func plainSpec(r game.Rules) string {
	name, size := r.Info().Name, r.Geometry().Size.String()
	if slices.Contains(strings.Split(r.Info().Variant, ","), size) {
		return name + ":" + size
	}
	return name
}

// specOf returns the spec of a kind of game, as /games lists it.
func specOf(k *index.Kind) string { return plainSpec(k.Rules) }

// specsOf returns those of several.
func specsOf(kinds []*index.Kind) []string {
	list := make([]string, len(kinds))
	for i, k := range kinds {
		list[i] = specOf(k)
	}
	return list
}

func (s *Server) newKind(plain *index.Kind, r game.Rules) *kind {
	info, g := r.Info(), r.Geometry()
	k := &kind{Kind: plain, rules: r, spec: info.Name, start: game.FormatPosition(r, r.Start())}
	k.names = sync.OnceValue(func() *opening.Names { return opening.Of(r) })
	if info.Variant != "" {
		k.spec += ":" + info.Variant
	}
	k.game = view.Game{
		Spec: k.spec, Family: info.Name, Titles: info.Titles, Variant: info.Variant, Usual: info.Variant == "",
		Aliases: append([]string{}, info.Aliases...), Sides: []view.Side{}, Notations: []view.Notation{}, Moving: plain.Moving,
		Geometry: g.Whole(), Glyphs: glyphs(g), Start: []int{}, Turns: []string{}, Formats: []string{},
		Howto: info.Howto, Tools: toolsOf(r),
	}
	for _, side := range info.Sides {
		k.game.Sides = append(k.game.Sides, view.Side{Name: side.Name, Titles: side.Titles})
	}
	for _, n := range info.Notations {
		k.game.Notations = append(k.game.Notations, view.Notation{Name: string(n.Name), Summary: n.Summary})
	}
	for _, sym := range info.Symmetries {
		if !sym.Swap {
			k.game.Turns = append(k.game.Turns, sym.Board.String())
		}
	}
	if start, ok := r.Start().(game.Planar); ok {
		k.game.Start = view.Pieces(start.Planes())
	}
	for _, f := range s.lib.Records().Formats() {
		if _, writes := f.(record.Writer); writes && slices.Contains(f.Info().Kinds, info.Name) {
			k.game.Formats = append(k.game.Formats, f.Info().Name)
		}
	}
	return k
}

// toolsOf returns what there is for a game beyond what all games have.
func toolsOf(r game.Rules) []string {
	if _, ok := r.(*weiqi.Rules); ok {
		return []string{"judge", "shapes"}
	}
	return []string{}
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

// notation checks the name of a notation of the game.
func (k *kind) notation(name string) (game.Notation, error) {
	if name == "" || k.writes(name) {
		return game.Notation(name), nil
	}
	names := []string{}
	for _, n := range k.game.Notations {
		names = append(names, n.Name)
	}
	return "", bad("no-notation", "The notations are "+strings.Join(names, ", ")+".", "%s has no notation %q", k.spec, name)
}

// writes reports whether the game has a notation.
func (k *kind) writes(name string) bool {
	return slices.ContainsFunc(k.game.Notations, func(n view.Notation) bool { return n.Name == name })
}

// index returns the number of a point of the board; -1 for none.
func (k *kind) index(p board.Point) int { return view.IndexIn(k.Board.Size, p) }

// move returns a move of a position.
func (k *kind) move(p game.Position, m game.Move, n game.Notation) view.Move {
	return view.Move{Text: game.FormatMove(k.rules, p, m, n), From: k.index(m.From()), To: k.index(m.To()), Side: int(p.Turn())}
}

// tallied returns the kinds that there are: every game on its usual board, then
// the others that the library has games of.
func (s *Server) tallied(ctx context.Context) ([]view.Game, error) {
	tally, err := s.lib.Records().Tally(ctx)
	if err != nil {
		return nil, err
	}
	records := map[string]int{}
	for _, t := range tally {
		records[specOf(t.Kind)] += t.Games
	}
	specs := []string{}
	for _, r := range s.lib.Records().Rules() {
		specs = append(specs, r.Info().Name)
	}
	for _, spec := range slices.Sorted(maps.Keys(records)) {
		if records[spec] > 0 && !slices.Contains(specs, spec) {
			specs = append(specs, spec)
		}
	}
	list := []view.Game{}
	for _, spec := range specs {
		k, err := s.kind(ctx, spec)
		if err != nil {
			return nil, err
		}
		g := k.game
		g.Records = records[spec]
		list = append(list, g)
	}
	return list, nil
}
