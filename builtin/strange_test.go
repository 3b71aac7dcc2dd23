package builtin

import (
	"errors"
	"strings"
	"testing"

	"qipu/board"
	"qipu/engine"
	"qipu/engine/sight"
	"qipu/game"
	"qipu/game/weiqi"
	"qipu/game/weiqi/judge"
)

// TestStrangeGo: whatever the board and the terms, a game is refused with a reason, or
// it is played, judged and settled; nothing panics.
func TestStrangeGo(t *testing.T) {
	j := sight.Judge()
	for _, spec := range []string{"1x1", "1x9", "9x1", "1x19", "2x2", "5x5", "7x19", "19x20", "25x25", "26x26", "0x9", "19x19,handicap=40", "9x9,handicap=82", "9x9,komi=1000",
		"9x9,komi=-1000", "9x9,komi=1e9", "19x19,japanese,komi=1000", "7x7,handicap=4,komi=0.25"} {
		r, err := weiqi.Standard.Variant(spec)
		if err != nil {
			if len(err.Error()) < 10 || strings.Contains(err.Error(), "runtime") {
				t.Errorf("%s: %q says nothing", spec, err)
			}
			continue
		}
		p := r.Start()
		e, err := Engine(r, engine.Options{Hash: 1 << 20})
		if err != nil {
			t.Errorf("%s: %v", spec, err)
			continue
		}
		k := &engine.Task{Rules: r}
		for range 3 {
			report, err := e.Think(t.Context(), k, engine.Limits{Nodes: 8}, nil)
			if err != nil {
				if !errors.Is(err, engine.ErrOver) && !errors.Is(err, engine.ErrResigned) {
					t.Errorf("%s: %v", spec, err)
				}
				break
			}
			m := report.Best().Move
			if err := p.Play(m); err != nil {
				t.Fatalf("%s: %v: %v", spec, m, err)
			}
			k.Moves = append(k.Moves, m)
		}
		e.Close()
		for _, m := range judge.Methods() {
			if _, err := j.Judge(p.(*weiqi.Position), judge.Options{Method: m.Name}); err != nil {
				t.Errorf("%s: %s: %v", spec, m.Name, err)
			}
		}
		if _, err := Settler(r).Propose(t.Context(), p); err != nil {
			t.Errorf("%s: %v", spec, err)
		}
	}
}

// TestImpossibleGo: boards that no game can have are refused where strings have no
// liberty, and else judged and played on.
func TestImpossibleGo(t *testing.T) {
	r, err := weiqi.Standard.Variant("9x9")
	if err != nil {
		t.Fatal(err)
	}
	e, err := Engine(r, engine.Options{Hash: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	j := sight.Judge()
	for name, at := range map[string]func(x, y int) int{
		"full":     func(x, y int) int { return 0 },
		"chequers": func(x, y int) int { return (x + y) % 2 },
		"one side": func(x, y int) int { return []int{0, -1}[(x+y)%2] },
		"stripes":  func(x, y int) int { return []int{0, 1, -1}[x%3] },
		"one left": func(x, y int) int { return []int{0, -1}[max(0, x+y-15)] },
	} {
		b := board.NewPlanes(board.Size{W: 9, H: 9}, 2)
		for y := range 9 {
			for x := range 9 {
				if side := at(x, y); side >= 0 {
					b.Of[side].Add(board.At(x, y))
				}
			}
		}
		s := game.Setup{Board: b, Ko: board.NoPoint}
		p, err := r.Arrange(s)
		if refused := name == "full" || name == "chequers" || name == "stripes"; refused != (err != nil) {
			t.Errorf("%s: %v", name, err)
		}
		if err != nil {
			continue
		}
		if _, err := j.Judge(p.(*weiqi.Position), judge.Options{}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		report, err := e.Think(t.Context(), &engine.Task{Rules: r, Start: &s}, engine.Limits{Nodes: 8, Multi: 2}, nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if err := p.Play(report.Best().Move); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
