package methods_test

import (
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"qipu/engine/factors"
	"qipu/engine/simple"
	"qipu/game"
	"qipu/game/checkers"
	"qipu/learn"
	"qipu/learn/methods"
	"qipu/record"
)

var ground = &methods.Ground{Rules: checkers.Rules{}, Factors: factors.Checkers{}}

// games are games of a player who makes the move behind which an evaluation is best, or,
// knowing nothing, any move. Each has an opening by chance.
func games(n int, seed uint64, knows bool) (list []*record.Played) {
	rng := rand.New(rand.NewPCG(seed, 7))
	for range n {
		p := checkers.Rules{}.Start()
		g := &record.Game{Kind: "checkers", Nodes: make([]record.Node, 1)}
		for ply := range 70 {
			moves := p.AppendMoves(nil)
			if len(moves) == 0 {
				break
			}
			m := moves[rng.IntN(len(moves))]
			if knows && ply >= 6 {
				best := -math.MaxFloat64
				for _, c := range moves {
					if p.Play(c) != nil {
						continue
					}
					if v := -float64(simple.Checkers{}.Evaluate(p)) + rng.Float64(); v > best {
						best, m = v, c
					}
					p.Undo()
				}
			}
			g.Nodes = append(g.Nodes, record.Node{Parent: int32(ply), Move: game.FormatMove(checkers.Rules{}, p, m, checkers.Long)})
			_ = p.Play(m)
		}
		g.Link()
		list = append(list, record.Play(checkers.Rules{}, g))
	}
	return list
}

// taught lets a method learn from games.
func taught(t *testing.T, m methods.Method, list []*record.Played) learn.Model {
	t.Helper()
	l := m.New(ground, 1)
	for _, g := range list {
		l.Look(g)
	}
	model, err := l.Done()
	if err != nil {
		t.Fatalf("%s: %v", m.Name, err)
	}
	return model
}

func measured(m learn.Model, list []*record.Played, shuffled *rand.Rand) learn.Score {
	var s []learn.GameScore
	for _, g := range list {
		s = append(s, learn.Measure(m, g, shuffled))
	}
	return learn.Sum(s)
}

// TestLearn: every learner foretells moves of openings that it has not seen, and falls to
// chance where the moves to be foretold are shuffled, and where it was taught by moves that
// were made by chance.
func TestLearn(t *testing.T) {
	all, blind := games(150, 1, true), games(100, 2, false)
	var train, held []*record.Played
	for _, g := range all {
		if learn.Held(g, 1) {
			held = append(held, g)
		} else {
			train = append(train, g)
		}
	}
	if len(held) < 10 || len(held) > 60 {
		t.Fatalf("%d of %d games are kept aside, want about one of five", len(held), len(all))
	}
	for _, m := range methods.All() {
		model := taught(t, m, train)
		right := measured(model, held, nil)
		if right.C < 0.1 || right.First < right.Chance+0.05 {
			t.Errorf("%s: C %.3f, first %.3f, chance %.3f", m.Name, right.C, right.First, right.Chance)
		}
		shuffled := measured(model, held, rand.New(rand.NewPCG(1, 1)))
		if math.Abs(shuffled.C) > 0.05 || math.Abs(shuffled.First-shuffled.Chance) > 0.04 {
			t.Errorf("%s, shuffled: C %.3f, first %.3f, chance %.3f", m.Name, shuffled.C, shuffled.First, shuffled.Chance)
		}
		other := measured(taught(t, m, blind[:80]), blind[80:], nil)
		if math.Abs(other.C) > 0.06 || math.Abs(other.First-other.Chance) > 0.04 {
			t.Errorf("%s, taught by chance: C %.3f, first %.3f, chance %.3f", m.Name, other.C, other.First, other.Chance)
		}
	}
}

// TestHeld: games of one opening, and its picture with the sides exchanged, are kept
// together whatever follows.
func TestHeld(t *testing.T) {
	list := games(40, 3, true)
	folds := map[uint64]int{}
	for i, g := range list {
		again := record.Play(checkers.Rules{}, g.Game)
		if learn.Fold(g, 1) != learn.Fold(again, 1) {
			t.Fatalf("a copy of game %d is of another opening", i)
		}
		short := *g
		short.Steps = g.Steps[:20]
		if learn.Fold(&short, 1) != learn.Fold(g, 1) {
			t.Errorf("game %d is of another opening when it is shorter", i)
		}
		folds[learn.Fold(g, 1)]++
	}
	if len(folds) < 30 {
		t.Errorf("%d openings in 40 games by chance", len(folds))
	}
}

// TestKept: what was taught is the same with the same seed, and the same when it is read.
func TestKept(t *testing.T) {
	list := games(12, 4, true)
	p := checkers.Rules{}.Start()
	moves := p.AppendMoves(nil)
	for _, m := range methods.All() {
		a, b := taught(t, m, list), taught(t, m, list)
		left, err1 := json.Marshal(a)
		right, err2 := json.Marshal(b)
		if err1 != nil || err2 != nil || string(left) != string(right) {
			t.Errorf("%s learns something else the second time", m.Name)
		}
		path := filepath.Join(t.TempDir(), "bots", "x.json")
		f := &methods.Taught{Method: m.Name, Game: "checkers", Games: len(list), Seed: 1}
		if err := f.Save(path, a); err != nil {
			t.Fatal(err)
		}
		back, err := methods.Read(path)
		if err != nil {
			t.Fatal(err)
		}
		model, err := back.Open(ground)
		if err != nil {
			t.Fatalf("%s: %v", m.Name, err)
		}
		if got, want := model.Prefer(nil, p, moves), a.Prefer(nil, p, moves); !slices.Equal(got, want) {
			t.Errorf("%s: %v, read %v", m.Name, want, got)
		}
		if len(model.Lines()) == 0 && m.Name != "samuel67" && m.Name != "griffith74" {
			t.Errorf("%s tells nothing of what it learnt", m.Name)
		}
	}
}

// still is a game whose one factor never varies.
type still struct{ factors.Checkers }

func (still) Names() []string                                               { return []string{"nothing"} }
func (still) AppendFactors(dst []int8, _ game.Position, _ game.Side) []int8 { return append(dst, 5) }

// TestBad: no game, one game, a factor that never varies and files of other versions are
// said, or learnt from as far as that goes.
func TestBad(t *testing.T) {
	for _, m := range methods.All() {
		if _, err := m.New(ground, 1).Done(); !errors.Is(err, learn.ErrNothing) {
			t.Errorf("%s without a game: %v", m.Name, err)
		}
		one := m.New(ground, 1)
		one.Look(games(1, 5, true)[0])
		if _, err := one.Done(); err != nil {
			t.Errorf("%s with one game: %v", m.Name, err)
		}
		if !m.Counts {
			continue
		}
		if err := m.Fits(&methods.Ground{Rules: checkers.Rules{}}); err == nil || !strings.Contains(err.Error(), "needs factors") {
			t.Errorf("%s without factors: %v", m.Name, err)
		}
		g := &methods.Ground{Rules: checkers.Rules{}, Factors: still{}}
		l := m.New(g, 1)
		for _, p := range games(3, 6, true) {
			l.Look(p)
		}
		model, err := l.Done()
		if err != nil {
			t.Fatalf("%s: %v", m.Name, err)
		}
		p := checkers.Rules{}.Start()
		for _, v := range model.Prefer(nil, p, p.AppendMoves(nil)) {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				t.Errorf("%s: a factor that never varies gives %v", m.Name, v)
			}
		}
		path := filepath.Join(t.TempDir(), "x.json")
		f := &methods.Taught{Method: m.Name}
		if err := f.Save(path, model); err != nil {
			t.Fatal(err)
		}
		old, err := methods.Read(path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := old.Open(ground); err == nil || !strings.Contains(err.Error(), "teach it anew") {
			t.Errorf("%s with other factors: %v", m.Name, err)
		}
	}
	for text, want := range map[string]string{"{": "cannot be read", `{"version":99}`: "version 99", "": "cannot be read"} {
		path := filepath.Join(t.TempDir(), "y.json")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := methods.Read(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	for method, model := range map[string]string{
		"samuel59": `{}`, "samuel67": `{}`, "griffith74": `{}`, "logistic": `{"factors":["x"]}`, "unknown": `{}`,
	} {
		f := &methods.Taught{Method: method, Model: json.RawMessage(model)}
		if _, err := f.Open(ground); err == nil {
			t.Errorf("%s opens %s", method, model)
		}
	}
}
