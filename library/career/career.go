// Package career is the games of one person: those that a profile played in this
// program, or those of the library under names that are the person's. It tells how they
// went by opening, colour, year and the other side's strength, and what the person plays.
//
// Nothing here knows profiles: whoever asks says in which games the person sat where.
package career

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"

	"qipu/game"
	"qipu/library"
	"qipu/library/ask"
	"qipu/library/players"
	"qipu/pattern"
	"qipu/play"
	"qipu/query"
	"qipu/record"
	"qipu/record/facts"
	"qipu/retrieve"
	"qipu/store"
)

// Both is the side of who played for both sides, or against himself.
const Both game.Side = 2

// Desk works out careers in one library. It is safe for concurrent use.
type Desk struct {
	library *library.Library
	players *players.Directory
	search  *ask.Searcher
	people  People
}

// People knows what profiles have to do with games.
type People interface {
	// Names returns the names that a profile has said are its own.
	Names(ctx context.Context, profile string) ([]string, error)
	// PlayedHere returns the sessions that a profile has played, by side.
	PlayedHere(ctx context.Context, profile string) (map[int]*roaring.Bitmap, error)
}

// New returns the desk of a library.
func New(l *library.Library, p *players.Directory, s *ask.Searcher, people People) *Desk {
	return &Desk{l, p, s, people}
}

// Seats returns the games of a profile and where it sat: those that it played here, or those
// of the library under its names. A spec tells which game is meant; none is all.
func (d *Desk) Seats(ctx context.Context, profile string, here bool, spec string) ([]Seat, error) {
	if !here {
		names, err := d.people.Names(ctx, profile)
		if err != nil {
			return nil, err
		}
		return d.Under(ctx, names, spec)
	}
	played, err := d.people.PlayedHere(ctx, profile)
	if err != nil {
		return nil, err
	}
	sessions := map[game.Side]*roaring.Bitmap{}
	for side, set := range played {
		sessions[game.Side(side)] = set
	}
	return d.Here(ctx, sessions, spec)
}

// Seat is where the person sat in a game.
type Seat struct {
	Game store.Game
	Side game.Side // Both where that is no side
}

// Names returns the persons that names mean, each once, and the names that nobody in the
// library has. A spec tells which game is meant; none is all.
func (d *Desk) Names(ctx context.Context, names []string, spec string) (list []*players.Person, lost []string, err error) {
	if len(names) == 0 {
		return nil, nil, nil // all players would be gathered for nothing
	}
	r, err := d.players.Register(ctx, spec)
	if err != nil {
		return nil, nil, err
	}
	for _, name := range names {
		switch p := r.Person(name); {
		case p == nil:
			lost = append(lost, name)
		case !slices.Contains(list, p):
			list = append(list, p)
		}
	}
	return list, lost, nil
}

// Under returns the games of the library under names of the person.
func (d *Desk) Under(ctx context.Context, names []string, spec string) ([]Seat, error) {
	persons, _, err := d.Names(ctx, names, spec)
	if err != nil || len(persons) == 0 {
		return nil, err
	}
	var all query.Or
	for _, p := range persons {
		all = append(all, p.Query())
	}
	games, err := d.found(ctx, all, spec)
	if err != nil {
		return nil, err
	}
	r, err := d.players.Register(ctx, spec)
	if err != nil {
		return nil, err
	}
	mine := map[string]bool{}
	for _, p := range persons {
		mine[p.Key] = true
	}
	seats := make([]Seat, 0, len(games))
	for i := range games {
		side := Both
		for s, p := range games[i].Facts.Players {
			key, _ := r.Who(p.Name)
			if !mine[key] {
				side = game.Side(1 - s)
			}
		}
		seats = append(seats, Seat{games[i], side})
	}
	return seats, nil
}

// Here returns the games that were played in this program under numbers of sessions, by
// side. Those that are not over, and those whose records are gone, are not among them.
func (d *Desk) Here(ctx context.Context, sessions map[game.Side]*roaring.Bitmap, spec string) ([]Seat, error) {
	rounds := map[string]struct{}{}
	sides := map[int]game.Side{}
	for side, set := range sessions {
		for _, n := range set.ToArray() {
			rounds[strconv.Itoa(int(n))] = struct{}{}
			sides[int(n)] = side
		}
	}
	if len(rounds) == 0 {
		return nil, nil
	}
	games, err := d.found(ctx, query.And{
		&query.Fact{Column: query.File, Text: &query.Texts{Whole: map[string]struct{}{record.PlayFile: {}}}, Why: "file=" + record.PlayFile},
		&query.Fact{Column: query.Round, Text: &query.Texts{Whole: rounds}, Why: "round"},
	}, spec)
	if err != nil {
		return nil, err
	}
	var seats []Seat
	for i := range games {
		g := &games[i]
		if g.Source.File != record.PlayFile || g.Format != "" {
			continue // a file of that name
		}
		if side, ok := sides[g.Source.Number]; ok {
			seats = append(seats, Seat{*g, side})
		}
	}
	return seats, nil
}

func (d *Desk) found(ctx context.Context, q query.Q, spec string) ([]store.Game, error) {
	reply, err := d.search.Ask(ctx, &ask.Question{Tree: q, Game: spec, Request: retrieve.Request{Limit: 1, NoContinuations: true}})
	if err != nil {
		return nil, err
	}
	return d.library.Games(ctx, reply.Found.ToArray())
}

// Strength is how strong the other side was, as far as the record tells.
type Strength struct {
	Kind string // "level" of our engine, "rank", "rating" of so much up to 199 more, or "" where nothing is known
	Text string // "5", "3d", "2400"
	sort int
}

// Opening is what a game began with.
type Opening struct {
	Name string // in English, or as the record calls it; empty where it has none
	Told any    // more of it, for who has named it
}

// Group is games that have something in common. First are the person's wins.
type Group[K comparable] struct {
	Key K
	retrieve.Score
}

// Career is how the games of a person went. First are the person's wins in all scores, and games
// in which the person sat on both sides count in none but the first.
type Career struct {
	Score    retrieve.Score // Count is all games
	Kinds    []Group[string]
	Colours  []Group[game.Side] // of each kind alone they have names
	Years    []Group[int]       // the earliest first; 0 where it is not known
	Strength []Group[Strength]  // the weakest first
	Rivals   []Group[string]    // by name; the most games first, engines of ours left out
	Openings []Group[string]    // by name; the most games first
	Told     map[string]any     // more of the openings, by their names
	Named    int                // games whose opening was looked for: the latest
	Seats    []Seat             // the latest first
}

// maxNamed is how many games are played through for the name of their opening.
const maxNamed = 1000

// Of works out the career of who sat in games. The function names openings; a game has that
// of its headers where it finds none.
func (d *Desk) Of(ctx context.Context, seats []Seat, name func(*record.Played) Opening) (*Career, error) {
	slices.SortFunc(seats, func(a, b Seat) int {
		return cmp.Or(later(b.Game.Facts.Date, a.Game.Facts.Date), b.Game.Added.Compare(a.Game.Added), cmp.Compare(b.Game.ID, a.Game.ID))
	})
	r, err := d.players.Register(ctx, "")
	if err != nil {
		return nil, err
	}
	named, err := d.openings(ctx, seats[:min(len(seats), maxNamed)], name)
	if err != nil {
		return nil, err
	}
	c := &Career{Seats: seats, Named: len(named), Told: map[string]any{}}
	kinds, colours, years := table[string]{}, table[game.Side]{}, table[int]{}
	strength, rivals, openings := table[Strength]{}, table[string]{}, table[string]{}
	for i := range seats {
		s := &seats[i]
		count(&c.Score, s)
		kinds.add(s.Game.Kind, s)
		colours.add(s.Side, s)
		years.add(s.Game.Facts.Date.From.Year, s)
		if i < len(named) && named[i].Name != "" {
			openings.add(named[i].Name, s)
			c.Told[named[i].Name] = named[i].Told
		}
		if s.Side == Both {
			continue
		}
		other := &s.Game.Facts.Players[1-s.Side]
		k := strengthOf(other)
		strength.add(k, s)
		if rival := r.Person(other.Name); rival != nil && k.Kind != "level" {
			rivals.add(rival.Name, s)
		}
	}
	c.Kinds, c.Rivals, c.Openings = kinds.most(), rivals.most(), openings.most()
	c.Colours = colours.by(func(s game.Side) int { return int(s) })
	c.Years = years.by(func(y int) int { return y })
	c.Strength = strength.by(func(k Strength) int { return k.sort })
	return c, nil
}

// later orders dates; those that are not known are before all others.
func later(a, b facts.Date) int {
	if a.Known() && b.Known() {
		return a.Compare(b)
	}
	return b.Compare(a)
}

// openings returns what games began with.
func (d *Desk) openings(ctx context.Context, seats []Seat, name func(*record.Played) Opening) ([]Opening, error) {
	at := make(map[uint32]int, len(seats))
	ids := make([]uint32, len(seats))
	for i := range seats {
		ids[i], at[seats[i].Game.ID] = seats[i].Game.ID, i
	}
	slices.Sort(ids) // the cheapest order
	list := make([]Opening, len(seats))
	referee := record.NewReferee(d.library.Rules())
	for g, err := range d.library.Walk(ctx, ids) {
		if err != nil {
			if g.Game == nil {
				return nil, err
			}
			continue // one that is damaged has no opening
		}
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		i := at[g.ID]
		if list[i] = name(referee.Play(g.Record)); list[i].Name == "" {
			list[i].Name = g.Facts.Opening
		}
	}
	return list, nil
}

// ratingStep is how wide the groups of ratings are.
const ratingStep = 200

func strengthOf(p *facts.Player) Strength {
	if text, ok := strings.CutPrefix(p.Name, strings.TrimSuffix(play.EngineName(0), "0")); ok {
		if level, err := strconv.Atoi(text); err == nil {
			return Strength{"level", text, level}
		}
	}
	// A title tells less than a rating.
	if n, ok := p.Rank.Strength(); ok && (p.Rating == 0 || p.Rank.Scale != 't') {
		return Strength{"rank", p.Rank.String(), 1000 + n}
	}
	if p.Rating > 0 {
		low := p.Rating / ratingStep * ratingStep
		return Strength{"rating", strconv.Itoa(low), 10_000 + low}
	}
	return Strength{sort: 1_000_000}
}

func count(sc *retrieve.Score, s *Seat) {
	sc.Count++
	if s.Side == Both {
		return
	}
	switch won := s.Game.Facts.Result.Verdict; {
	case won == facts.Drawn:
		sc.Draws++
	case won == facts.FirstWon && s.Side == game.First || won == facts.SecondWon && s.Side == game.Second:
		sc.First++
	case won == facts.FirstWon || won == facts.SecondWon:
		sc.Second++
	}
}

// table counts games by something.
type table[K comparable] map[K]*Group[K]

func (t table[K]) add(key K, s *Seat) {
	g := t[key]
	if g == nil {
		g = &Group[K]{Key: key}
		t[key] = g
	}
	count(&g.Score, s)
}

func (t table[K]) by(number func(K) int) []Group[K] {
	list := make([]Group[K], 0, len(t))
	for _, g := range t {
		list = append(list, *g)
	}
	slices.SortFunc(list, func(a, b Group[K]) int { return cmp.Compare(number(a.Key), number(b.Key)) })
	return list
}

func (t table[K]) most() []Group[K] {
	list := t.by(func(K) int { return 0 })
	slices.SortFunc(list, func(a, b Group[K]) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), strings.Compare(any(a.Key).(string), any(b.Key).(string)))
	})
	return list
}

// Tree is what was played in some games from the start on.
type Tree struct {
	Frame *ask.Frame
	Root  *retrieve.Node // of its scores First are the wins of the first side
}

// Repertoire returns the first moves of the games of a kind in which the person had a side:
// so many plies, and moves that were played in so many games at least. It is nil where there
// are none.
func (d *Desk) Repertoire(ctx context.Context, seats []Seat, spec string, side game.Side, plies, least int) (*Tree, error) {
	kind, err := d.library.Kind(spec)
	if err != nil {
		return nil, err
	}
	set := roaring.New()
	for i := range seats {
		if seats[i].Side == side && seats[i].Game.Kind == kind.Name {
			set.Add(seats[i].Game.ID)
		}
	}
	if set.IsEmpty() {
		return nil, nil
	}
	start := kind.Rules.Start()
	shape, err := pattern.FromPosition(start)
	if err != nil {
		return nil, nil // a game without a board of pieces
	}
	shape.Mirror, shape.Turn = true, pattern.FirstToMove
	a, err := d.search.Find(ctx, &retrieve.Request{
		Kind: kind, Query: query.And{&query.Shape{Pattern: shape, Geometry: kind.Rules.Geometry()}, query.Games{Set: set, Why: "mine"}},
		Depth: plies, Limit: 1,
	})
	if err != nil || a.Tree == nil {
		return nil, err
	}
	a.Tree.Prune(least)
	return &Tree{ask.FrameAt(kind, start, nil, shape), a.Tree}, nil
}
