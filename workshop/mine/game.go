package mine

import (
	"context"
	"fmt"
	"iter"
	"strings"
	"sync"

	"qipu/board"
	"qipu/game"
	"qipu/game/weiqi"
	"qipu/record"
)

// Game is the main line of a record of Go in little memory, and how to speak of
// it. It is not changed once it is made.
type Game struct {
	File  string // as the source names it, with slashes
	Title string // players and date

	rules *weiqi.Rules
	start *board.Planes // nil for an empty board
	steps []uint16      // point, and the side in the top bit
}

const (
	bySecond = 1 << 15
	passing  = bySecond - 1
)

// FromRecord returns the game of a record under a name; ok is false for other
// games than Go, for records without moves and for those that set up stones on
// the way. The record's own file is taken where the name is empty.
func FromRecord(p *record.Played, file string) (g Game, ok bool) {
	r, ok := p.Rules.(*weiqi.Rules)
	if !ok || len(p.Steps) == 0 || p.Start.Board == nil {
		return g, false
	}
	g = Game{File: file, Title: title(p.Game), rules: r, steps: make([]uint16, 0, len(p.Steps))}
	if file == "" {
		g.File = strings.ReplaceAll(p.Game.Place.File, "\\", "/")
	}
	if all := p.Start.Board.Occupied(); !all.Empty() {
		g.start = p.Start.Board
	}
	for _, s := range p.Steps {
		if s.Move == game.NoMove {
			return g, false
		}
		step := uint16(passing)
		if to := s.Move.To(); to != board.NoPoint {
			step = uint16(to)
		}
		g.steps = append(g.steps, step|uint16(s.Side)<<15)
	}
	return g, true
}

// title returns players and date as a reader expects them.
func title(g *record.Game) string {
	name := func(i int) string {
		if n := g.Facts.Players[i].Name; n != "" {
			return n
		}
		return "?"
	}
	text := ""
	if name(0) != "?" || name(1) != "?" {
		text = name(0) + " - " + name(1)
	}
	if d := g.Facts.Date; d.Known() {
		if text != "" {
			text += ", "
		}
		text += d.SGF()
	}
	return text
}

// Len returns the number of moves.
func (g *Game) Len() int { return len(g.steps) }

// Size returns the size of the board.
func (g *Game) Size() board.Size { return g.rules.Size() }

// hash returns a number that tells games apart by their moves, so that copies of
// a game under several names fall together.
func (g *Game) hash() uint64 {
	h := uint64(len(g.steps))
	for _, s := range g.steps[:min(60, len(g.steps))] {
		h = board.Mix(h ^ uint64(s))
	}
	return h
}

// replay plays the game. It calls begin with the start position, and visit before
// every stone that is put on an empty point; visit has to play it. It ends behind
// the last such move, or where visit returns false.
func (g *Game) replay(begin func(*weiqi.Position), visit func(*move) bool) {
	setup := game.NewSetup(g.rules)
	if g.start != nil {
		setup.Board = g.start
	}
	p, err := g.rules.Arrange(setup)
	if err != nil {
		return
	}
	pos := p.(*weiqi.Position)
	begin(pos)
	m := move{pos: pos}
	for ply, s := range g.steps {
		m.ply, m.side, m.to = ply, game.Side(s>>15), board.Point(s&^bySecond)
		if m.to == passing {
			if pos.Force(m.side, game.Pass) != nil {
				return
			}
			continue
		}
		if pos.Planes().At(m.to) != board.Empty {
			return
		}
		if !visit(&m) {
			return
		}
	}
}

// move is a stone about to be put.
type move struct {
	pos     *weiqi.Position
	ply     int
	side    game.Side
	to      board.Point
	changed []game.Changed
}

// play puts the stone and returns what changed; nothing where the board cannot
// take it. The list is valid until the next call.
func (m *move) play() []game.Changed {
	m.changed = m.changed[:0]
	if m.pos.Force(m.side, game.Drop(m.to)) == nil {
		m.changed = m.pos.AppendChanged(m.changed)
	}
	return m.changed
}

// each hands games to workers and tells how many have been handed out. It returns the
// first error of the games, or that of the context. What the workers leave behind must
// not depend on who got which game. It makes one worker after the other.
func each(ctx context.Context, games iter.Seq2[Game, error], o *Options, work func() func(*Game)) error {
	n, done := o.workers(), o.Progress
	feed := make(chan Game, 4*n)
	var wait sync.WaitGroup
	for range n {
		f := work()
		wait.Go(func() {
			for g := range feed {
				f(&g)
			}
		})
	}
	var fail error
	count := 0
	for g, err := range games {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			fail = fmt.Errorf("mine: %w", err)
			break
		}
		feed <- g
		count++
		if done != nil && count%100 == 0 {
			done(count)
		}
	}
	close(feed)
	wait.Wait()
	if done != nil {
		done(count)
	}
	return fail
}

// list returns games as an iterator.
func list(games []Game) iter.Seq2[Game, error] {
	return func(yield func(Game, error) bool) {
		for _, g := range games {
			if !yield(g, nil) {
				return
			}
		}
	}
}
