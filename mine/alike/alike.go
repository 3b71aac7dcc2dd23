package alike

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"qipu/index"
	"qipu/library"
	"qipu/library/ask"
	"qipu/library/cache"
	"qipu/library/knowledge"
	"qipu/library/players"
	"qipu/mine/dataset"
	"qipu/mine/gather"
	"qipu/mine/profile"
	"qipu/query"
	"qipu/record"
	"qipu/store"
)

// MostGames is how many games of a kind are compared; of more, the first are.
const MostGames = 200_000

// What cannot be compared.
var (
	ErrNoGames  = errors.New("the library has no game of this kind with a board: there is nothing to compare with")
	ErrNoBoard  = errors.New("the record has no board, so that no game is like it")
	ErrNoMoves  = errors.New("the record has no moves, so that no game is like it")
	ErrNoPlayer = errors.New("no such player")
)

// Progress is told how many of all games are read.
type Progress func(done, all int)

// Room asks one library. It is safe for concurrent use.
type Room struct {
	lib     *library.Library
	search  *ask.Searcher
	players *players.Directory

	games cache.Cache[*index.Kind, store.Version, *Read]
	sets  cache.Cache[*index.Kind, version, *dataset.Set]
}

// version is the state of a library that a table of names depends on.
type version struct {
	library  store.Version
	patterns knowledge.Version
	marks    store.Version
}

// New returns the room of a library.
func New(lib *library.Library, search *ask.Searcher, d *players.Directory) *Room {
	return &Room{lib: lib, search: search, players: d}
}

// Read is the games of a kind, as they are compared.
type Read struct {
	*profile.Games
	Left int // games that were left out, since there are too many

	register *players.Register
	once     sync.Once
	like     *profile.Likeness
	styles   cache.Cache[[2]int, int, *profile.Styles]
}

// Likeness returns what finds games that are alike.
func (r *Read) Likeness() *profile.Likeness {
	r.once.Do(func() { r.like = profile.NewLikeness(r.Games) })
	return r.like
}

// Called returns the name that a player is listed under.
func (r *Read) Called(key string) string {
	if p := r.register.Person(key); p != nil {
		return p.Name
	}
	return key
}

// Games reads the games of a kind, or returns them as they were read.
func (m *Room) Games(ctx context.Context, k *index.Kind, p Progress) (*Read, error) {
	now, err := m.lib.Version(ctx)
	if err != nil {
		return nil, err
	}
	return m.games.Get(ctx, k, now, func() (*Read, error) {
		register, err := m.players.Register(ctx, "")
		if err != nil {
			return nil, err
		}
		r := &Read{register: register}
		who := func(spelled string) string {
			key, _ := register.Who(spelled)
			return key
		}
		err = m.lib.View(ctx, func(v index.View) error {
			numbers, left, err := numbers(ctx, v, k)
			if err != nil {
				return err
			}
			r.Left = left
			r.Games, err = profile.Read(ctx, v, k, numbers, who, p)
			return err
		})
		switch {
		case err != nil:
			return nil, err
		case len(r.List) == 0:
			return nil, ErrNoGames
		}
		return r, nil
	})
}

// numbers returns the numbers of the games of a kind, and how many were left out.
func numbers(ctx context.Context, v index.View, k *index.Kind) (list []uint32, left int, err error) {
	plan := &index.Plan{Kind: k, Expr: index.All{}, Facts: true, Columns: index.ColumnsOf(query.Result)}
	for b, err := range v.Scan(ctx, plan) {
		if err != nil {
			return nil, 0, err
		}
		err := v.Guard(func() error {
			for i := range b.N() {
				switch {
				case !b.Lanes.Has(i):
				case len(list) >= MostGames:
					left++
				default:
					list = append(list, b.Game(i))
				}
			}
			return nil
		})
		if err != nil {
			return nil, 0, err
		}
	}
	return list, left, ctx.Err()
}

// Likes are games that are like one.
type Likes struct {
	Near     []profile.Near
	Of, Left int // games that were compared, and left out
}

// Like returns the n games of a library that are most like a record, which may be
// from anywhere; number is its own number where it is of the library, else 0.
func (m *Room) Like(ctx context.Context, rec *record.Game, number uint32, n int, p Progress) (*Likes, error) {
	referee := record.NewReferee(m.lib.Rules())
	referee.Trace = true
	faults := len(rec.Faults)
	played := referee.Play(rec)
	rec.Faults = rec.Faults[:faults]
	doc, ok := (&index.Documents{Kinds: m.lib.Kinds()}).Make(played)
	if !ok {
		return nil, ErrNoBoard
	}
	g := profile.Of(doc.Kind, &doc.Lines[0])
	if len(g.Steps) == 0 {
		return nil, ErrNoMoves
	}
	g.Number = number
	r, err := m.Games(ctx, doc.Kind, p)
	if err != nil {
		return nil, err
	}
	return &Likes{Near: r.Likeness().Nearest(g, n), Of: len(r.List), Left: r.Left}, nil
}

// Styles learns how the players of a kind play: at most so many, with at least so
// many games each.
func (m *Room) Styles(ctx context.Context, k *index.Kind, most, least int, p Progress) (*profile.Styles, *Read, error) {
	r, err := m.Games(ctx, k, p)
	if err != nil {
		return nil, nil, err
	}
	s, err := r.styles.Get(ctx, [2]int{most, least}, 0, func() (*profile.Styles, error) {
		return profile.NewStyles(ctx, r.Games, most, least)
	})
	return s, r, err
}

// Names returns a table of all games of a kind at their ends, with what had a name
// in them.
func (m *Room) Names(ctx context.Context, k *index.Kind, p Progress) (*dataset.Set, error) {
	now := version{patterns: m.lib.Knowledge().Patterns().Version, marks: m.lib.MarksVersion()}
	var err error
	if now.library, err = m.lib.Version(ctx); err != nil {
		return nil, err
	}
	return m.sets.Get(ctx, k, now, func() (*dataset.Set, error) {
		s, err := gather.Set(ctx, m.lib, m.search, &gather.Options{
			Text: "all", Game: m.spec(k), At: gather.Moment{End: true},
			Columns: []string{gather.Names, gather.Opening, gather.Shapes}, Most: MostGames, Progress: p,
		})
		if errors.Is(err, gather.ErrNoGames) {
			err = ErrNoGames
		}
		return s, err
	})
}

// spec names a kind with the size of its board, where the game has several.
func (m *Room) spec(k *index.Kind) string {
	name := k.Rules.Info().Name
	sized := name + ":" + k.Board.Size.String()
	if _, err := m.lib.Rules().Find(sized); err == nil {
		return sized
	}
	return name
}

// Distinct returns what a player does that others do not, and the name that the
// player is listed under.
func (m *Room) Distinct(ctx context.Context, k *index.Kind, name string, p Progress) (*profile.Habits, *players.Person, error) {
	register, err := m.players.Register(ctx, "")
	if err != nil {
		return nil, nil, err
	}
	person, err := register.One(name)
	if err != nil {
		return nil, nil, err
	}
	s, err := m.Names(ctx, k, p)
	if err != nil {
		return nil, nil, err
	}
	sides := [2]*dataset.Factor{s.Factor("first"), s.Factor("second")}
	var is [2][]bool // by level
	for side, f := range sides {
		if f == nil {
			return nil, nil, fmt.Errorf("%w: no game says who plays", ErrNoPlayer)
		}
		for _, level := range f.Levels {
			key, _ := register.Who(level)
			is[side] = append(is[side], key == person.Key)
		}
	}
	h := profile.Distinct(s, func(row, side int) bool {
		level := sides[side].Of[row]
		return level >= 0 && is[side][level]
	})
	return h, person, nil
}

// With returns what goes with something that has a name on the boards of a kind, and
// what goes against it. Wider and narrower ones of it are left out.
func (m *Room) With(ctx context.Context, k *index.Kind, id string, p Progress) (*profile.Habits, error) {
	book, err := m.lib.Knowledge().Names(k)
	if err != nil {
		return nil, err
	}
	s, err := m.Names(ctx, k, p)
	if err != nil {
		return nil, err
	}
	kin := func(a, b string) bool { // one is a case of the other
		for i := 0; a != "" && i < 10; i++ {
			it := book.Find(a)
			if it == nil {
				return false
			}
			if a = it.Parent; a == b {
				return true
			}
		}
		return false
	}
	h := profile.With(s, id, func(other string) bool { return kin(id, other) || kin(other, id) })
	if h == nil {
		h = &profile.Habits{}
	}
	return h, nil
}
