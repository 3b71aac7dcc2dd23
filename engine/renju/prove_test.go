package renju_test

import (
	"context"
	"testing"

	"qipu/engine"
	"qipu/engine/renju"
	"qipu/game"
	rules "qipu/game/renju"
)

// TestProve: wins of all kinds, each of which the check by the rules has gone through.
func TestProve(t *testing.T) {
	free, _ := rules.Renju.Variant("free")
	for _, c := range []struct {
		name  string
		r     game.Rules
		line  string
		by    string
		plies int
	}{
		{"five", rules.Renju, "h8 a1 i8 a3 j8 a5 k8 a7", "five", 1},
		{"open four", rules.Renju, "h8 a1 i8 a3 j8 c1", "open four", 3},
		{"four and three", rules.Renju, "h8 a1 i8 a3 j8 g8 k9 a5 k10 a7", "four and three", 5},
		{"nothing", rules.Renju, "h8 i9", "", 0},
		{"two threes of gomoku", free, "h8 a1 i8 a3 k9 a5 k10 o1", "threats", 5},
		{"no matter whether White makes them", rules.Renju, "a1 h8 a3 i8 a5 k9 o1 k10 o3", "threats", 5},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := renju.New(engine.Options{})
			defer e.Close()
			p, err := e.Prove(context.Background(), parse(t, c.r, c.line), 30_000)
			if err != nil {
				t.Fatal(err)
			}
			if p.By != c.by || p.Won != (c.by != "") || p.Won && (p.Checked == 0 || len(p.Line) == 0) {
				t.Errorf("%+v, want %q in %d", p, c.by, c.plies)
			}
			if p.Plies < c.plies || c.by != "threats" && p.Plies > c.plies {
				t.Errorf("%d plies, want %d or, where threes are among them, a few more", p.Plies, c.plies)
			}
		})
	}
}
