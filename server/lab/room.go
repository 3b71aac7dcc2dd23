// Package lab is the room of the server in which methods of search are run on positions,
// and seen at work.
package lab

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"qipu/engine/classic"
	"qipu/engine/trace"
	"qipu/server/api"
	"qipu/view"
	"qipu/view/gameview"
	"qipu/view/labview"
)

type room struct{ *api.Service }

// Register registers what can be asked here. A method computes while somebody waits, and
// no longer: it ends with its request. Whoever reads may have it compute, as perft does;
// each takes its turn among the requests that keep the processors busy, and is bounded in
// positions, time and memory, for those who may have engines think by more than for others.
func Register(service *api.Service) {
	s := &room{service}
	api.Get(s.Service, api.Fresh, "/lab", "get-lab", "lab", "The laboratory: methods of search, and the games that they can be run on", s.lab)
	api.Get(s.Service, api.Fresh.InTurn(), "/lab/run", "run-methods", "lab", "What methods of search find on a position, and what it costs them", s.run)
	api.Get(s.Service, api.Fresh.InTurn(), "/lab/tree", "grow-tree", "lab", "The tree that a method of search grows on a position: every position with its window, its value, and why it was left", s.tree)
}

// bounds are what one method may take.
type bounds struct {
	nodes int64 // positions that are entered; what a method keeps in memory is no more
	time  time.Duration
}

var (
	readers = bounds{300_000, 4 * time.Second}
	players = bounds{3_000_000, 20 * time.Second}
)

// maxKept is how many positions of a tree are told at most: about ten megabytes, and one
// with gzip.
const maxKept = 100_000

func (s *room) bounds(ctx context.Context) bounds {
	if s.Plays(ctx) {
		return players
	}
	return readers
}

func (s *room) lab(ctx context.Context, _ *struct{}) (*view.Lab, error) {
	b := s.bounds(ctx)
	w := &view.Lab{Methods: []view.LabMethod{}, Games: []view.LabGame{}, Depth: classic.MaxDepth, Nodes: b.nodes, Kept: maxKept, Seconds: int(b.time.Seconds())}
	for _, m := range classic.Methods() {
		w.Methods = append(w.Methods, labview.MethodOf(m))
	}
	for _, r := range s.Lib.Records().Rules() {
		if s.Lib.Records().Evaluator(r) == nil {
			continue
		}
		info := r.Info()
		g := view.LabGame{Spec: gameview.RulesSpec(r), Titles: info.Titles, Small: info.Shelf != "", Words: []string{}}
		for _, v := range info.Variants {
			g.Words = append(g.Words, v.Name)
		}
		w.Games = append(w.Games, g)
	}
	slices.SortStableFunc(w.Games, func(a, b view.LabGame) int {
		switch {
		case a.Small == b.Small:
			return 0
		case b.Small:
			return -1
		}
		return 1
	})
	return w, nil
}

// Studied is a position with how it is to be searched. What is wrong with a number is said
// in a sentence by the method, and not by the schema.
type Studied struct {
	api.Placed
	api.Writing
	Depth   int     `query:"depth" default:"4" doc:"Plies that are read, 1 to 60"`
	Nodes   int64   `query:"nodes" default:"200000" doc:"Positions that a method may enter; no more than nodes of lab says"`
	Order   string  `query:"order" maxLength:"20" doc:"The order of moves where a method has none of its own: static, worst or random; that of the game if empty" example:"static"`
	Seed    uint64  `query:"seed" default:"1" doc:"Of the order by chance"`
	Band    float64 `query:"band" default:"0.5" doc:"bandwidth: the error that is allowed, in units of the game"`
	Printed bool    `query:"printed" doc:"bstar: update bounds as the survey prints it, which never ends"`
}

// problem returns the position, and what is to be found out about it.
func (s *room) problem(ctx context.Context, in *Studied) (at *gameview.Standing, p classic.Problem, b bounds, err error) {
	b = s.bounds(ctx)
	if at, err = s.Stand(&in.Placed, in.Write); err != nil {
		return nil, p, b, err
	}
	p = classic.Problem{Position: at.Pos, Eval: s.Lib.Records().Evaluator(at.Rules), Depth: in.Depth, Nodes: in.Nodes, Order: classic.Order(in.Order), Seed: in.Seed, Printed: in.Printed}
	info := at.Rules.Info()
	switch {
	case p.Eval == nil:
		err = api.Bad("no-judge", "Choose another game.", "nothing judges positions of %s as they stand, and methods of search need that", info.Titles.En)
	case in.Depth < 1 || in.Depth > classic.MaxDepth:
		err = api.Bad("no-depth", fmt.Sprintf("Choose 1 to %d plies.", classic.MaxDepth), "a search of %d plies cannot be run", in.Depth)
	case in.Nodes < 1 || in.Nodes > b.nodes:
		err = api.Bad("too-much", fmt.Sprintf("Ask for 1 to %d.", b.nodes), "a method may enter at most %d positions here", b.nodes)
	case !slices.Contains([]classic.Order{classic.Natural, classic.Static, classic.Worst, classic.Random}, p.Order):
		err = api.Bad("no-order", "The orders are static, worst and random.", "there is no order %q", in.Order)
	case in.Band < 0 || in.Band > 1000:
		err = api.Bad("no-band", "Choose 0 to 1000.", "an error of %g cannot be allowed", in.Band)
	case at.Pos.Outcome().Final() || len(at.Pos.AppendMoves(nil)) == 0:
		err = api.Bad("over", "Choose an earlier position.", "the game is over in this position: there is nothing to search")
	}
	p.Band = labview.Value(in.Band)
	return at, p, b, err
}

// one runs a method, for as long as whoever asks may have it compute.
func one(ctx context.Context, b bounds, name string, p classic.Problem) (*classic.Result, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, b.time, fmt.Errorf("%v have passed", b.time))
	defer cancel()
	return classic.Run(ctx, name, p)
}

type runInput struct {
	Studied
	Methods []string `query:"methods" maxItems:"20" doc:"By name; all of them if there is none" example:"minimax,alphabeta"`
}

func (s *room) run(ctx context.Context, in *runInput) (*view.LabRuns, error) {
	at, p, b, err := s.problem(ctx, &in.Studied)
	if err != nil {
		return nil, err
	}
	methods := classic.Methods()
	if len(in.Methods) > 0 {
		methods = nil
		for _, name := range in.Methods {
			m, err := method(name)
			if err != nil {
				return nil, err
			}
			methods = append(methods, m)
		}
	}
	if err := s.Wait(ctx); err != nil {
		return nil, err
	}
	w := &view.LabRuns{Runs: []view.LabRun{}, Failed: []view.LabFailed{}}
	b.time /= time.Duration(len(methods))
	for _, m := range methods {
		rec := trace.New(trace.Options{})
		p.Record = rec
		x, err := one(ctx, b, m.Name, p)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			w.Failed = append(w.Failed, view.LabFailed{Method: m.Name, Why: err.Error()})
			continue
		}
		w.Runs = append(w.Runs, labview.RunOf(at.Rules, at.Pos, m, x, rec.Counters(), at.Write))
	}
	return w, nil
}

type treeInput struct {
	Studied
	Method string `query:"method" maxLength:"40" default:"alphabeta" doc:"By name"`
	Most   int    `query:"most" minimum:"1" maximum:"100000" default:"500" doc:"Positions that are told at most, the first ones"`
	Silent bool   `query:"silent" doc:"Leave out the sentences"`
}

func (s *room) tree(ctx context.Context, in *treeInput) (*view.LabTree, error) {
	at, p, b, err := s.problem(ctx, &in.Studied)
	if err != nil {
		return nil, err
	}
	m, err := method(in.Method)
	if err != nil {
		return nil, err
	}
	if err := s.Wait(ctx); err != nil {
		return nil, err
	}
	rec := trace.New(trace.Options{Nodes: in.Most})
	p.Record = rec
	x, err := one(ctx, b, m.Name, p)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, api.Bad("no-result", "Read less deep, or choose another method.", "%v", err)
	}
	w := labview.TreeOf(at.Rules, at.Pos, m.Name, rec, at.Write, !in.Silent)
	w.Run = labview.RunOf(at.Rules, at.Pos, m, x, rec.Counters(), at.Write)
	return &w, nil
}

// method returns a method by its name.
func method(name string) (classic.Method, error) {
	m, err := classic.Find(name)
	if err != nil {
		_, names, _ := strings.Cut(err.Error(), ": ")
		return m, api.Bad("no-method", names+".", "there is no method %q", name)
	}
	return m, nil
}
