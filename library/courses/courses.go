// Package courses keeps what nets of Go say of whole games: who leads before and behind
// each move, how likely each side is to win, how much of the board is whose, and when
// groups died (sight.Course). It is an opinion, kept under the net's name and depth.
//
//	room := courses.New(l)
//	c, err := room.See(ctx, played) // looked up, else made and kept
//	all, err := room.Of(ctx, played)
//
// Courses lie where the values of positions do (store.Notes), under the moves of their
// game with its rules and komi, and not under its number: so a game that comes back out
// of the trash, or in a fuller record that is given up again, has its course at once,
// and games with the same moves share one. Backups take them along.
package courses

import (
	"context"
	"encoding/binary"
	"fmt"
	"runtime"
	"strings"

	"github.com/zeebo/xxh3"

	"qipu/book"
	"qipu/book/theory"
	"qipu/engine"
	"qipu/engine/sight"
	"qipu/game"
	"qipu/game/weiqi"
	"qipu/index"
	"qipu/library"
	"qipu/record"
	"qipu/record/score"
)

// Room has the courses of the games of a library. It is safe for concurrent use.
type Room struct {
	library *library.Library
	seats   chan struct{} // who may look at games
}

// New returns the courses of a library.
func New(l *library.Library) *Room {
	return &Room{library: l, seats: make(chan struct{}, max(1, runtime.NumCPU()/2))}
}

// Fits reports whether nets see the boards of a kind of game.
func Fits(r game.Rules) bool {
	_, ok := r.Start().(*weiqi.Position)
	return ok && sight.Sees(r.Geometry().Size)
}

// Game is a game as a course is made of it.
type Game struct {
	start *weiqi.Position
	moves []game.Move
	kind  string // of the store
	key   uint64
	sign  string // tells it from others with the same key
}

// GameOf returns the main line of a record as far as the rules go; nil where nets do not
// see it, or it has no moves.
func GameOf(p *record.Played) *Game {
	if p.Rules == nil || p.Start.Board == nil || !Fits(p.Rules) {
		return nil
	}
	pos, err := p.Rules.Arrange(p.Start)
	if err != nil {
		return nil
	}
	start, ok := pos.(*weiqi.Position)
	if !ok {
		return nil
	}
	counting := score.CountingOf(start.Rules(), &p.Game.Facts) // komi and rules as the headers have them
	if start, err = counting.Stand(start); err != nil {
		return nil
	}
	text := fmt.Appendf(nil, "%s %d %s", start.Rules().RuleSet().Name, start.Rules().Komi(), game.AppendSetup(nil, p.Rules, p.Start))
	g := &Game{start: start, kind: kindOf(index.NewKind(p.Rules))}
	at := start.Copy()
	for _, s := range p.Steps {
		if s.Move == game.NoMove || at.Turn() != s.Side || at.Play(s.Move) != nil {
			break
		}
		g.moves = append(g.moves, s.Move)
		text = binary.LittleEndian.AppendUint32(text, uint32(s.Move))
	}
	if len(g.moves) == 0 {
		return nil
	}
	sum := xxh3.Hash128(text)
	g.key, g.sign = sum.Hi, fmt.Sprintf("game of %d moves %016x", len(g.moves), sum.Lo)
	return g
}

// kindOf is the kind under which the store keeps courses: beside positions, not among them.
func kindOf(k *index.Kind) string { return "course of " + k.Name }

// Of returns what is kept of a game, by name of the net.
func (r *Room) Of(ctx context.Context, g *Game) ([]*sight.Course, error) {
	rows, err := r.library.Notes().Values(g.kind).Find(ctx, g.key)
	if err != nil {
		return nil, err
	}
	var list []*sight.Course
	for i := range rows {
		row := &rows[i]
		if row.Position != g.sign {
			continue
		}
		c, err := sight.ParseCourse(row.Note)
		if err != nil || len(c.Moments) > len(g.moves)+1 {
			continue // of another version: it is made anew when it is wanted
		}
		c.Net, c.Version, _ = strings.Cut(row.Teacher, versionSign)
		c.Depth = row.Level
		list = append(list, c)
	}
	return list, nil
}

// See returns what today's net says of a game: what is kept, or what it says now, which
// is kept where the library can be written to.
func (r *Room) See(ctx context.Context, g *Game) (*sight.Course, error) {
	have, err := r.Of(ctx, g)
	if err != nil {
		return nil, err
	}
	select {
	case r.seats <- struct{}{}:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	defer func() { <-r.seats }()
	eye, err := sight.New()
	if err != nil {
		return nil, err
	}
	if c := g.by(have, eye); c != nil {
		return c, nil
	}
	c, err := g.see(ctx, eye)
	if err != nil || !r.library.Leads() {
		return c, err
	}
	return c, r.keep(ctx, g.kind, g.row(c))
}

// versionSign stands between the name of a net and its version.
const versionSign = " "

// by returns the course that is by the net of an eye; nil where there is none.
func (g *Game) by(list []*sight.Course, eye *sight.Eye) *sight.Course {
	size := g.start.Planes().Size
	for _, c := range list {
		if c.Net == eye.Net(size) && c.Version == eye.Version(size) && c.Depth == sight.CourseDepth {
			return c
		}
	}
	return nil
}

func (g *Game) see(ctx context.Context, eye *sight.Eye) (*sight.Course, error) {
	return eye.Course(g.start, g.moves, func() error { return context.Cause(ctx) })
}

// keep stores courses of games of a kind.
func (r *Room) keep(ctx context.Context, kind string, rows ...theory.Row) error {
	if len(rows) == 0 {
		return nil
	}
	return r.library.Notes().Values(kind).Put(ctx, rows)
}

// row is a course as it is stored.
func (g *Game) row(c *sight.Course) theory.Row {
	no, who := engine.NoValue, c.Net+versionSign+c.Version
	return theory.Row{
		Key:      book.Key{Hi: g.key, Lo: xxh3.HashString(fmt.Sprint(who, " ", c.Depth))},
		Position: g.sign, Teacher: who, Level: c.Depth, Note: c.Text(),
		Value: no, Lower: no, Upper: no, Exact: no, Human: no,
	}
}
