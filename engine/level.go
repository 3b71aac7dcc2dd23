package engine

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"qipu/game"
)

// Level is a strength of play: fixed work for a move, and never a time, so that a
// level plays the same on every machine.
type Level struct {
	Number int
	Limits Limits // how far it reads: plies and nodes, whichever is reached first

	// Slip is how far from the best a move may be and still be chosen, one time
	// in e, in the slips of the engine (Info.Slip), or where the engine gives moves
	// weights, in factors of e; 0 for a player who always makes the best move that it
	// found.
	Slip float64

	// Rating is how strong it is; nil where nobody has measured it.
	Rating *Rating
}

// Work says what a level does for a move, in the words of one who measures it.
func (l Level) Work() string {
	text := fmt.Sprintf("nodes %d", l.Limits.Nodes)
	if l.Limits.Depth > 0 {
		text += fmt.Sprintf(", depth %d", l.Limits.Depth)
	}
	if l.Slip > 0 {
		text += fmt.Sprintf(", slips %g among %d", l.Slip, l.Limits.Multi)
	}
	return text
}

// Rating is the strength of a level as a ladder of matches has it. What the scale
// begins with, and how it was measured, is told in docs/levels.md.
type Rating struct {
	Elo    int
	Margin int // half of the interval that has the true value in 95 of 100 ladders

	// Share is the part of the points that it makes against the level below, by
	// the ratings of both; 0 for the lowest.
	Share float64
}

// The lowest level, and the highest that a game may have.
const (
	MinLevel = 1
	MaxLevel = 12
)

// prudent is the level from which on a player sees what ends the game at once.
const prudent = 3

// worst is how far from the best a move may be at all, in slips of the level: even
// a beginner makes no move that everybody sees to be absurd.
const worst = 2.5

// usual are the levels of games that have none of their own. Up to level 5 an
// answer takes some milliseconds: fifty games at once on two cores are no load.
var usual = [MaxLevel]Level{
	{Number: 1, Limits: Limits{Depth: 1, Nodes: 1_000, Multi: -1}, Slip: 8},
	{Number: 2, Limits: Limits{Depth: 1, Nodes: 1_000, Multi: -1}, Slip: 5},
	{Number: 3, Limits: Limits{Depth: 2, Nodes: 2_000, Multi: -1}, Slip: 4.5},
	{Number: 4, Limits: Limits{Depth: 2, Nodes: 4_000, Multi: -1}, Slip: 3},
	{Number: 5, Limits: Limits{Depth: 3, Nodes: 8_000, Multi: -1}, Slip: 2.5},
	{Number: 6, Limits: Limits{Depth: 4, Nodes: 16_000, Multi: 8}, Slip: 2},
	{Number: 7, Limits: Limits{Depth: 5, Nodes: 32_000, Multi: 8}, Slip: 1.6},
	{Number: 8, Limits: Limits{Depth: 6, Nodes: 60_000, Multi: 6}, Slip: 1.2},
	{Number: 9, Limits: Limits{Depth: 8, Nodes: 120_000, Multi: 5}, Slip: 0.6},
	{Number: 10, Limits: Limits{Depth: 10, Nodes: 240_000, Multi: 3}, Slip: 0.2},
	{Number: 11, Limits: Limits{Depth: 12, Nodes: 480_000}},
	{Number: 12, Limits: Limits{Nodes: 960_000}},
}

// UsualLevels returns the levels of games that have none of their own. Nobody has
// measured them.
func UsualLevels() []Level { return slices.Clone(usual[:]) }

// LevelsOf returns the levels at which an engine plays.
func LevelsOf(e Engine) []Level {
	if own := e.Info().Levels; len(own) > 0 {
		return own
	}
	return usual[:]
}

// Judging returns how far a level of an engine reads where it judges and does not
// play: without slips. Numbers beyond the ends mean the ends.
func Judging(info Info, number int) Limits {
	own := info.Levels
	if len(own) == 0 {
		own = usual[:]
	}
	l := at(own, number).Limits
	l.Multi = 0
	return l
}

func at(list []Level, number int) Level { return list[min(max(number, MinLevel), len(list))-1] }

// former tells which of today's levels comes nearest to one of the twenty that
// the first versions had.
var former = [20]int{1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 10, 10, 11, 11, 12, 12, 12, 12, 12, 12}

// FormerLevel returns the level that a number of the former twenty means today; 0
// stays 0.
func FormerLevel(number int) int {
	if number <= 0 {
		return 0
	}
	return former[min(number, len(former))-1]
}

// AtLevel returns an engine that plays as well as a level. Low levels read
// little and do not always make the best move that they found: among several
// they choose by closeness, as people do, who lose by many small mistakes and
// not by one absurd move. From level 3 on they neither miss nor allow what ends
// the game at once. The choice depends on Limits.Seed and on the number of moves
// that were made: the same seed gives the same game.
//
// Limits that the caller gives count where they are stricter than those of the
// level. Closing it closes the engine.
func AtLevel(e Engine, number int) Engine {
	return &leveled{Engine: e, level: at(LevelsOf(e), number)}
}

type leveled struct {
	Engine
	level Level
}

// Think answers with the chosen move first; behind it come the others, the best
// first, as many as were asked for.
func (a *leveled) Think(ctx context.Context, t *Task, l Limits, watch func(*Report)) (*Report, error) {
	own := a.level.Limits
	multi := max(l.Multi, 1)
	if l.Multi < 0 {
		multi = math.MaxInt
	}
	l.Depth = stricter(l.Depth, own.Depth)
	l.Nodes = stricter(l.Nodes, own.Nodes)
	if own.Multi < 0 || l.Multi >= 0 && own.Multi > l.Multi {
		l.Multi = own.Multi
	}
	r, err := a.Engine.Think(ctx, t, l, watch)
	if err != nil || len(r.Lines) < 2 || a.level.Slip == 0 {
		return r, err
	}
	at, err := a.choose(t, l.Seed, r.Lines)
	if err != nil {
		return nil, err
	}
	r.Lines = slices.Clone(r.Lines)
	chosen := r.Lines[at]
	copy(r.Lines[1:], r.Lines[:at])
	r.Lines[0] = chosen
	r.Lines = r.Lines[:min(multi, len(r.Lines))]
	return r, nil
}

// stricter returns the smaller of two limits of which 0 is none.
func stricter[T int | int64 | time.Duration](a, b T) T {
	if a == 0 || b != 0 && b < a {
		return b
	}
	return a
}

// choose returns the number of the line that is played, the best of which is
// the first.
func (a *leveled) choose(t *Task, seed uint64, lines []Line) (int, error) {
	slip := a.Info().Slip
	if slip == 0 {
		slip = Unit
	}
	temperature := a.level.Slip * float64(slip)
	p, err := t.Position()
	if err != nil {
		return 0, err
	}
	careful := a.level.Number >= prudent
	best := lines[0].Value
	if careful {
		if at, err := winning(p, lines); err != nil || at >= 0 {
			return max(at, 0), err
		}
	}
	weights := make([]float64, len(lines))
	sum := 0.0
	for i, line := range lines {
		gap := float64(best-line.Value) / temperature
		decided := line.Value <= -Decided && best > -Decided || best >= Decided && line.Value < Decided
		known := line.Value != NoValue
		if lines[0].Weight > 0 { // the engine has a measure of its own
			gap, known, decided = math.Log(lines[0].Weight/line.Weight)/a.level.Slip, line.Weight > 0, known && decided
		}
		if !known || line.Bound == AtMost && i > 0 || gap > worst || careful && decided {
			continue
		}
		weights[i] = math.Exp(-gap)
		sum += weights[i]
	}
	ply := uint64(len(t.Moves))
	pick := rand.New(rand.NewPCG(seed, ply*0x9E3779B97F4A7C15+uint64(a.level.Number))).Float64() * sum
	for i, w := range weights {
		if pick < w {
			return i, nil
		}
		pick -= w
	}
	return 0, nil
}

// winning returns the number of a line whose move wins at once, or -1.
func winning(p game.Position, lines []Line) (int, error) {
	side := p.Turn()
	for i, line := range lines {
		if err := p.Play(line.Move); err != nil {
			return -1, err
		}
		o := p.Outcome()
		p.Undo()
		// A game that is counted is won at once only by a wipe-out, which is
		// the best move by its count as well.
		if o.State == game.Won && o.Winner == side && (o.Margin == 0 || i == 0) {
			return i, nil
		}
	}
	return -1, nil
}
