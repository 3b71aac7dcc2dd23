// Package griffith learns as Arnold Griffith's move-phase tables did (1974): how often a
// move is made where it can be, in each part of the game.
package griffith

import (
	"cmp"
	"fmt"
	"slices"

	"qipu/board"
	"qipu/game"
	"qipu/learn"
	"qipu/record"
)

// Card1974 says what move-phase tables are.
var Card1974 = learn.Card{
	Name: "griffith74", Title: "Move-phase tables", Year: 1974, People: "Arnold K. Griffith (MIT)",
	Learns:  "which moves are made at all, in each part of the game",
	From:    "games of masters: the moves that were made, beside those that could have been",
	How:     "for each move and each number of pieces: how often it was made where it could be",
	Kept:    "one number a move and part of the game",
	Effect:  "he found them, and signature tables, better than the polynomial",
	Reading: "a move is the squares that it joins, as its side sees them; a number that was met seldom leans on that of the move in the whole game, and this on the mean of all moves",
}

// lean is how many times a move has to be met to be believed as much as what it leans on.
const lean = 8

// New returns a learner for a game.
func New(r game.Rules) learn.Learner {
	return &learner{model: &Table{rules: r, whole: map[uint32]cell{}, parts: map[uint32]cell{}}}
}

type cell struct{ made, met int }

type learner struct {
	model *Table
	all   cell
}

func (l *learner) Card() *learn.Card { return &Card1974 }

func (l *learner) Look(g *record.Played) {
	learn.Choices(g, nil, func(p game.Position, moves []game.Move, made int) bool {
		phase := learn.Phase(p)
		for i, m := range moves {
			key := l.model.key(p, m)
			n := 0
			if i == made {
				n = 1
			}
			add(l.model.whole, key, n)
			add(l.model.parts, key|uint32(phase)<<20, n)
			l.all.made += n
			l.all.met++
		}
		return true
	})
}

func add(in map[uint32]cell, key uint32, made int) {
	c := in[key]
	in[key] = cell{c.made + made, c.met + 1}
}

func (l *learner) Done() (learn.Model, error) {
	if l.all.met == 0 {
		return nil, learn.ErrNothing
	}
	m := l.model
	m.Mean = float64(l.all.made) / float64(l.all.met)
	m.Whole, m.Parts = list(m.whole), list(m.parts)
	return m, nil
}

// Table is how often moves were made.
type Table struct {
	Mean  float64 `json:"mean"`
	Whole []Count `json:"whole"`
	Parts []Count `json:"parts"`

	rules        game.Rules
	whole, parts map[uint32]cell
}

// Count is a move with how often it was made and could be.
type Count struct {
	Key  uint32 `json:"key"` // the move in 20 bits, above them how many pieces there are
	Made int    `json:"made"`
	Met  int    `json:"met"`
}

func list(of map[uint32]cell) []Count {
	out := make([]Count, 0, len(of))
	for key, c := range of {
		out = append(out, Count{key, c.made, c.met})
	}
	slices.SortFunc(out, func(a, b Count) int { return cmp.Compare(a.Key, b.Key) })
	return out
}

// With gives the model its game, after it was read from a file.
func (m *Table) With(r game.Rules) error {
	m.rules, m.whole, m.parts = r, map[uint32]cell{}, map[uint32]cell{}
	for _, c := range m.Whole {
		m.whole[c.Key] = cell{c.Made, c.Met}
	}
	for _, c := range m.Parts {
		m.parts[c.Key] = cell{c.Made, c.Met}
	}
	if len(m.whole) == 0 {
		return fmt.Errorf("the table has no move")
	}
	return nil
}

// key returns a move as its side sees it.
func (m *Table) key(p game.Position, move game.Move) uint32 {
	size := m.rules.Geometry().Size
	if p.Turn() == game.Second {
		for _, sym := range m.rules.Info().Symmetries {
			if sym.Swap {
				move = move.Transform(size, sym.Board)
				break
			}
		}
	}
	return uint32(move) & 0xFFFFF
}

// Prefer returns how often each move is made where it can be.
func (m *Table) Prefer(dst []float64, p game.Position, moves []game.Move) []float64 {
	phase := uint32(learn.Phase(p)) << 20
	for _, move := range moves {
		key := m.key(p, move)
		whole, part := m.whole[key], m.parts[key|phase]
		v := (float64(whole.made) + lean*m.Mean) / float64(whole.met+lean)
		dst = append(dst, (float64(part.made)+lean*v)/float64(part.met+lean))
	}
	return dst
}

// Judge has nothing to say: what was learnt is about moves.
func (m *Table) Judge(game.Position) (float64, bool) { return 0, false }

// Lines tells the moves that are made most, and those that are left most.
func (m *Table) Lines() (out []learn.Line) {
	for key, c := range m.whole {
		if c.met < 50 {
			continue
		}
		geo := m.rules.Geometry()
		from, to := board.Point(key>>10&0x3FF), board.Point(key&0x3FF)
		if !geo.Size.Has(from) || !geo.Size.Has(to) {
			continue // a pass
		}
		text := geo.Name(to)
		if from != 0 {
			text = geo.Name(from) + "-" + text
		}
		out = append(out, learn.Line{Text: text, Value: float64(c.made) / float64(c.met), Weight: c.met})
	}
	slices.SortFunc(out, func(a, b learn.Line) int { return cmp.Or(cmp.Compare(b.Value, a.Value), cmp.Compare(a.Text, b.Text)) })
	return out[:min(len(out), 100)]
}
