package sight

import (
	"encoding/base64"
	"errors"
	"math"
	"reflect"
	"testing"

	"qipu/board"
	"qipu/game"
	"qipu/game/weiqi"
)

// played returns the moves of a line, with the position that it begins from.
func played(t *testing.T, line string) (*weiqi.Position, []game.Move) {
	t.Helper()
	r, err := weiqi.New(weiqi.Options{Size: board.Size{W: 9, H: 9}, RuleSet: weiqi.Chinese})
	if err != nil {
		t.Fatal(err)
	}
	p := r.Start().(*weiqi.Position)
	moves, err := game.ParseMoves(r, p.Copy(), line)
	if err != nil {
		t.Fatal(err)
	}
	return p, moves
}

// TestCourse: Black has stones in a corner that White takes off, and
// the course says so.
func TestCourse(t *testing.T) {
	e, err := New()
	if err != nil {
		t.Fatal(err)
	}
	p, moves := played(t, "E5 C2 A1 B3 A2 A4 A3 B2 E3 B1 E7 G5 D2")
	c, err := e.Course(p, moves, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Moments) != len(moves)+1 || c.Net != "small" || c.Version == "" || c.Depth != CourseDepth {
		t.Fatalf("%d moments by %s %s, %d deep", len(c.Moments), c.Net, c.Version, c.Depth)
	}
	for i, m := range c.Moments {
		if m.Win < 0 || m.Win > 1 || m.Clear < 0 || m.Clear > 1 || math.Abs(m.Black+m.White-81) > 1e-6 {
			t.Errorf("moment %d: %+v", i, m)
		}
	}
	// What is put beside stones that are dead already has not fallen.
	if len(c.Falls) != 1 || c.Falls[0].Side != weiqi.Black || c.Falls[0].Stones < 2 || c.Falls[0].At.X() != 0 || c.Falls[0].Ply > 10 {
		t.Errorf("fell: %+v", c.Falls)
	}
	if p.Hash() != p.Rules().Start().Hash() {
		t.Error("the start was changed")
	}
	again, err := ParseCourse(c.Text())
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(again.Falls, c.Falls) || len(again.Moments) != len(c.Moments) {
		t.Errorf("read: %+v", again)
	}
	for i, m := range again.Moments {
		was := c.Moments[i]
		if math.Abs(m.Lead-was.Lead) > .051 || math.Abs(m.Win-was.Win) > .00051 || math.Abs(m.Black-was.Black) > .51 || math.Abs(m.Clear-was.Clear) > .0051 {
			t.Errorf("moment %d: %+v was %+v", i, m, was)
		}
	}
	if again.Text() != c.Text() {
		t.Error("a text that was read is written in another way")
	}
	stop := errors.New("stop")
	if _, err := e.Course(p, moves, func() error { return stop }); !errors.Is(err, stop) {
		t.Error(err)
	}
}

// TestFalls: what counts as a group that has died.
func TestFalls(t *testing.T) {
	at := func(x, y int) board.Point { return board.At(x, y) }
	list := falls([]stone{
		{at: at(0, 0), side: 0, from: 1, to: -1, lives: 4, last: .1}, // fell behind ply 5,
		{at: at(1, 0), side: 0, from: 3, to: -1, lives: 4, last: .1}, // together with this one
		{at: at(3, 0), side: 0, from: 3, to: 9, lives: 4, last: .1},  // and with this one, that is near the second
		{at: at(9, 9), side: 0, from: 2, to: -1, lives: 4, last: .1}, // alone
		{at: at(5, 5), side: 1, from: 2, to: -1, lives: 7, last: .3}, // not sure enough
		{at: at(5, 6), side: 1, from: 2, to: -1, lives: 7, last: .3},
		{at: at(6, 6), side: 1, from: 6, to: -1, lives: -1, last: .1}, // was never alive
		{at: at(7, 6), side: 1, from: 6, to: -1, lives: -1, last: .1},
		{at: at(2, 8), side: 1, from: 2, to: 8, lives: 7, last: .8}, // taken while they seemed to live
		{at: at(2, 9), side: 1, from: 2, to: 8, lives: 7, last: .8},
	})
	want := []Fall{{5, 0, at(0, 0), 3, false}, {8, 1, at(2, 8), 2, true}}
	if !reflect.DeepEqual(list, want) {
		t.Errorf("got %+v", list)
	}
}

// FuzzParseCourse: no text makes it panic, and what it reads it writes again.
func FuzzParseCourse(f *testing.F) {
	c := Course{Moments: []Moment{{Lead: 3.5, Win: .7, Black: 40, White: 41, Clear: .2}, {Lead: -1}}, Falls: []Fall{{1, 1, 35, 4, true}}}
	f.Add(c.Text())
	f.Add("c1:")
	f.Add("c0:" + c.Text()[3:])
	f.Add(c.Text()[:8])
	f.Add("c1:" + base64.RawStdEncoding.EncodeToString([]byte{255, 255, 255, 255, 255, 255, 255, 255, 255, 1}))
	f.Fuzz(func(t *testing.T, text string) {
		c, err := ParseCourse(text)
		if err != nil {
			if !errors.Is(err, ErrCourse) {
				t.Error(err)
			}
			return
		}
		again, err := ParseCourse(c.Text())
		if err != nil || len(again.Moments) != len(c.Moments) || !reflect.DeepEqual(again.Falls, c.Falls) {
			t.Errorf("%q: %v", text, err)
		}
	})
}
