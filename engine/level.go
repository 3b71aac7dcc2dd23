package engine

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"qipu/game"
)

// Level is a strength of play.
type Level struct {
	Number int
	Name   string // in English: "beginner"
	Limits Limits // how far it reads; whichever is reached first ends it

	// Slip is how far from the best a move may be and still be chosen, one time
	// in e, in the slips of the engine (Info.Slip); 0 for a player who always
	// makes the best move that it found.
	Slip float64
}

// The lowest and the highest level.
const (
	MinLevel = 1
	MaxLevel = 20
)

// prudent is the level from which on a player sees what ends the game at once.
const prudent = 3

// worst is how far from the best a move may be at all, in slips of the level: even
// a beginner makes no move that everybody sees to be absurd.
const worst = 2.5

// levels is the table of the strengths. Depth and nodes decide, so that a level
// plays the same on every machine; the time is there for slow games and slow
// machines alone. Up to level 5 an answer takes some milliseconds: fifty games
// at once on two cores are no load.
var levels = [MaxLevel]Level{
	{1, "beginner", Limits{Depth: 1, Nodes: 1_000, Time: time.Second, Multi: -1}, 8},
	{2, "beginner", Limits{Depth: 1, Nodes: 1_000, Time: time.Second, Multi: -1}, 5},
	{3, "novice", Limits{Depth: 2, Nodes: 2_000, Time: time.Second, Multi: -1}, 4.5},
	{4, "novice", Limits{Depth: 2, Nodes: 4_000, Time: time.Second, Multi: -1}, 3},
	{5, "casual", Limits{Depth: 3, Nodes: 8_000, Time: time.Second, Multi: -1}, 2.5},
	{6, "casual", Limits{Depth: 4, Nodes: 16_000, Time: time.Second, Multi: 8}, 2},
	{7, "club", Limits{Depth: 5, Nodes: 32_000, Time: time.Second, Multi: 8}, 1.6},
	{8, "club", Limits{Depth: 6, Nodes: 60_000, Time: time.Second, Multi: 6}, 1.2},
	{9, "strong club", Limits{Depth: 7, Nodes: 100_000, Time: time.Second, Multi: 6}, 0.9},
	{10, "strong club", Limits{Depth: 8, Nodes: 150_000, Time: time.Second, Multi: 5}, 0.6},
	{11, "expert", Limits{Depth: 9, Nodes: 250_000, Time: time.Second, Multi: 4}, 0.4},
	{12, "expert", Limits{Depth: 10, Nodes: 400_000, Time: 2 * time.Second, Multi: 3}, 0.2},
	{13, "master", Limits{Depth: 11, Nodes: 600_000, Time: 2 * time.Second}, 0},
	{14, "master", Limits{Depth: 12, Nodes: 1_000_000, Time: 2 * time.Second}, 0},
	{15, "grandmaster", Limits{Depth: 14, Nodes: 2_000_000, Time: 3 * time.Second}, 0},
	{16, "grandmaster", Limits{Depth: 16, Nodes: 4_000_000, Time: 3 * time.Second}, 0},
	{17, "champion", Limits{Depth: 18, Nodes: 8_000_000, Time: 4 * time.Second}, 0},
	{18, "champion", Limits{Depth: 20, Nodes: 16_000_000, Time: 5 * time.Second}, 0},
	{19, "machine", Limits{Depth: 22, Nodes: 32_000_000, Time: 8 * time.Second}, 0},
	{20, "machine", Limits{Nodes: 64_000_000, Time: 10 * time.Second}, 0},
}

// LevelOf returns the level of a number; numbers beyond the ends mean the ends.
func LevelOf(number int) Level {
	return levels[min(max(number, MinLevel), MaxLevel)-1]
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
	return &leveled{Engine: e, level: LevelOf(number)}
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
	l.Time = stricter(l.Time, own.Time)
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
		if line.Value == NoValue || line.Bound == AtMost && i > 0 || gap > worst || careful && decided {
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
