package builtin_test

import (
	"context"
	"testing"

	"qipu/builtin"
	"qipu/engine"
	"qipu/game"
)

// TestLab: the games of the lab are found by name, are in no list, and their engines
// play them.
func TestLab(t *testing.T) {
	all := builtin.Whole().Games()
	if err := all.Check(); err != nil {
		t.Fatal(err)
	}
	if got, want := len(all.Shown()), len(builtin.Games()); got != want {
		t.Errorf("%d games are listed, want %d", got, want)
	}
	for _, r := range builtin.Lab().Games() {
		name := r.Info().Name
		if found, err := all.Find(name); err != nil || found.Info().Shelf != game.LabShelf {
			t.Errorf("%s: %v", name, err)
		}
		e, err := builtin.Engine(r, engine.Options{})
		if err != nil {
			t.Fatal(err)
		}
		report, err := e.Think(context.Background(), &engine.Task{Rules: r}, engine.Limits{Depth: 2}, nil)
		if err != nil || len(report.Lines) == 0 {
			t.Errorf("%s: %v", name, err)
		}
		_ = e.Close()
	}
}

// TestExact plays the solved games against every first move: who wins by theory does.
func TestExact(t *testing.T) {
	for _, spec := range []string{"nim", "nim:misere", "nim:most=3", "nim:wythoff", "nim:kayles", "switching:4x3"} {
		r, err := builtin.Whole().Games().Find(spec)
		if err != nil {
			t.Fatal(err)
		}
		e, err := builtin.Engine(r, engine.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, first := range r.Start().AppendMoves(nil) {
			p, moves := r.Start(), []game.Move{first}
			if err := p.Play(first); err != nil {
				t.Fatal(err)
			}
			want := game.Side(9)
			switch q := p.(type) {
			case interface{ Wins() bool }:
				want = p.Turn()
				if !q.Wins() {
					want ^= 1
				}
			case interface{ Wins() game.Side }:
				want = q.Wins()
			}
			for !p.Outcome().Over() {
				report, err := e.Think(context.Background(), &engine.Task{Rules: r, Moves: moves}, engine.Limits{Depth: 1}, nil)
				if err != nil {
					t.Fatal(err)
				}
				m := report.Best().Move
				if err := p.Play(m); err != nil {
					t.Fatal(err)
				}
				moves = append(moves, m)
			}
			if got := p.Outcome().Winner; got != want {
				t.Errorf("%s: %d wins, by theory %d", spec, got, want)
			}
		}
	}
}
