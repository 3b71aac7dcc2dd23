package play_test

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"qipu/game"
	"qipu/play"
)

// two begins a game of two people at two screens, which the first has invited the
// second to; do has one of them make a move.
func two(t *testing.T, h *play.Host, spec string, change func(*play.Settings)) (do func(key, move string) error) {
	t.Helper()
	s := session(t, spec, 0, change, "")
	if err := s.Reserve(0, "first"); err != nil {
		t.Fatal(err)
	}
	if _, err := h.Create(t.Context(), "me", "game", s); err != nil {
		t.Fatal(err)
	}
	return func(key, move string) error {
		_, err := h.Play(play.As(t.Context(), play.Actor{Key: key}), "game", 0, func(s *play.Session) (game.Move, error) { return s.ParseMove(move) })
		return err
	}
}

// TestSeats: nobody moves before both have come, and nobody but who sits there after;
// an invitation is good once, and the last one alone.
func TestSeats(t *testing.T) {
	m := newMemory()
	h := host(t, m, dice{}, nil)
	do := two(t, h, "xiangqi", nil)
	as := func(key, who string) play.Actor { return play.Actor{Key: key, Who: who} }
	expect := func(what string, err, want error) {
		t.Helper()
		if !errors.Is(err, want) {
			t.Errorf("%s: %v instead of %v", what, err, want)
		}
	}
	invite := func(by, key string) error {
		_, err := h.Invite(play.As(t.Context(), as(by, "")), "game", key)
		return err
	}
	sit := func(a play.Actor, key string) error {
		_, err := h.Sit(play.As(t.Context(), a), "game", "Bea", key)
		return err
	}
	expect("a move without the other", do("first", "h2e2"), play.ErrWaiting)
	expect("an invitation by nobody", invite("", "x"), play.ErrSeat)
	expect("an invitation", errors.Join(invite("first", "old"), invite("first", "new")), nil)
	expect("an old invitation", sit(as("old", ""), "second"), play.ErrTaken)
	expect("no invitation", sit(as("", ""), "second"), play.ErrTaken)
	expect("a move with an invitation", do("new", "h2e2"), play.ErrSeat)
	expect("the invitation", sit(as("new", "b"), "second"), nil)
	expect("the invitation once more", sit(as("new", ""), "third"), play.ErrTaken)
	expect("another invitation", invite("first", "x"), play.ErrTaken)
	for _, key := range []string{"", "new", "old", "third", "game"} {
		expect("a move by "+key, do(key, "h2e2"), play.ErrSeat)
	}
	expect("a move of the second", do("second", "h2e2"), play.ErrTurn)
	expect("a move", do("first", "h2e2"), nil)
	_, err := h.Undo(play.As(t.Context(), as("first", "")), "game")
	expect("taking back unasked", err, play.ErrAsk)

	offer := func(key string, what play.Offer) *play.View {
		t.Helper()
		v, err := h.Offer(play.As(t.Context(), as(key, "")), "game", what)
		expect("offer", err, nil)
		return v
	}
	_, err = h.Offer(t.Context(), "game", play.OfferDraw)
	expect("an offer by nobody", err, play.ErrSeat)
	_, err = h.Offer(play.As(t.Context(), as("second", "")), "game", play.OfferUndo)
	expect("nothing to take back", err, play.ErrNoUndo)
	if v := offer("first", play.OfferUndo); v.Seats.Offer != play.OfferUndo || len(v.Task.Moves) != 1 {
		t.Errorf("%+v", v.Seats)
	}
	if v := offer("first", play.OfferUndo); len(v.Task.Moves) != 1 {
		t.Error("who asks twice has agreed to himself")
	}
	h.Close() // a restart changes nothing
	h = host(t, m, dice{}, nil)
	if v := offer("second", play.OfferUndo); len(v.Task.Moves) != 0 || v.Seats.Offer != "" {
		t.Errorf("%d moves, %+v", len(v.Task.Moves), v.Seats)
	}
	do = func(key, move string) error {
		_, err := h.Play(play.As(t.Context(), as(key, "")), "game", 0, func(s *play.Session) (game.Move, error) { return s.ParseMove(move) })
		return err
	}
	expect("a move", do("first", "h2e2"), nil)
	offer("first", play.OfferDraw)
	expect("an answer by a move", do("second", "h9g7"), nil)
	if v := offer("second", play.OfferDraw); v.State == play.Over {
		t.Error("an offer that a move has declined was agreed to")
	}
	if v, err := h.Decline(play.As(t.Context(), as("first", "")), "game"); err != nil || v.Seats.Offer != "" {
		t.Error(v, err)
	}
	offer("second", play.OfferDraw)
	v := offer("first", play.OfferDraw)
	if v.State != play.Over || v.Result.Reason != play.ByAgreement || v.Result.Winner != -1 || v.Settings.Players[1].Name != "Bea" || v.Settings.Players[1].Who != "b" {
		t.Errorf("%+v %+v", v.Result, v.Settings.Players)
	}

	// Both ask for another game, and have the same one with colours swapped.
	_, err = h.Rematch(t.Context(), "me", "game", "other", 1)
	expect("a rematch by nobody", err, play.ErrSeat)
	next, err := h.Rematch(play.As(t.Context(), as("first", "")), "me", "game", "next", 1)
	if err != nil || next.Token != "next" || next.Settings.Players[0].Name != "Bea" || next.Seats.Taken != [2]bool{false, true} {
		t.Fatal(next, err)
	}
	if same, err := h.Rematch(play.As(t.Context(), as("second", "")), "me", "game", "third", 1); err != nil || same.Token != "next" {
		t.Fatal(same, err)
	}
	if v, err := h.Sit(play.As(t.Context(), as("second", "")), "next", "", "fresh"); err != nil || v.Seats.Taken != [2]bool{true, true} || v.Settings.Players[0].Name != "Bea" {
		t.Fatal(v, err)
	}
	if v, err := h.View(t.Context(), "game"); err != nil || v.Seats.Next != "next" || v.Result.Record == 0 {
		t.Error(v, err)
	}
	if len(m.records) != 1 {
		t.Errorf("%d records", len(m.records))
	}
}

// TestSeatOfOne: a profile is known without the key of its seat, unless it has both.
func TestSeatOfOne(t *testing.T) {
	h := host(t, newMemory(), dice{}, nil)
	do := two(t, h, "othello", func(x *play.Settings) { x.Players[0].Who = "a" })
	if _, err := h.Invite(play.As(t.Context(), play.Actor{Who: "a"}), "game", "k"); err != nil {
		t.Fatal(err)
	}
	v, err := h.Sit(play.As(t.Context(), play.Actor{Key: "k", Who: "a"}), "game", "", "second")
	if err != nil || v.SideOf(play.As(t.Context(), play.Actor{Who: "a"})) != -1 || v.SideOf(play.As(t.Context(), play.Actor{Key: "second", Who: "a"})) != 1 {
		t.Fatal(v, err)
	}
	if err := do("first", "f5"); err != nil {
		t.Error(err)
	}
	if _, err := h.Offer(play.As(t.Context(), play.Actor{Key: "second"}), "game", play.OfferDraw); !errors.Is(err, play.ErrNoDraw) {
		t.Errorf("a draw in Othello: %v", err)
	}
}

// TestByoyomi: periods that a move uses up are gone, one that it does not begins anew,
// and behind the last the flag falls by the clock of the host, whoever looks.
func TestByoyomi(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMemory()
		h := host(t, m, dice{}, nil)
		do := two(t, h, "othello", func(x *play.Settings) { x.Main, x.Periods, x.Period = 10*time.Second, 3, 30*time.Second })
		if _, err := h.Invite(play.As(t.Context(), play.Actor{Key: "first"}), "game", "k"); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Hour) // nobody's clock runs
		if _, err := h.Sit(play.As(t.Context(), play.Actor{Key: "k"}), "game", "Bea", "second"); err != nil {
			t.Fatal(err)
		}
		look := func(running int, left time.Duration, spare int) {
			t.Helper()
			v, err := h.View(t.Context(), "game")
			if err != nil || v.Running != running || v.Left[1] != left || v.Spare[1] != spare {
				t.Errorf("%v: %d runs, %v, %v", err, v.Running, v.Left, v.Spare)
			}
		}
		if err := do("first", "f5"); err != nil {
			t.Fatal(err)
		}
		look(1, 100*time.Second, 3)
		time.Sleep(10*time.Second + 29*time.Second) // the first period is not over
		look(1, 61*time.Second, 3)
		if err := do("second", "d6"); err != nil {
			t.Fatal(err)
		}
		look(0, 90*time.Second, 3)
		time.Sleep(time.Second)
		if err := do("first", "c3"); err != nil {
			t.Fatal(err)
		}
		time.Sleep(61 * time.Second) // two are
		h.Close()
		h2 := host(t, m, dice{}, nil) // what was stored behind the last move
		if v, err := h2.View(t.Context(), "game"); err != nil || v.Left[1] != 90*time.Second {
			t.Error(v.Left, err)
		}
		time.Sleep(61 * time.Second)
		if _, err := h2.Play(play.As(t.Context(), play.Actor{Key: "second"}), "game", 0, func(s *play.Session) (game.Move, error) { return s.ParseMove("d3") }); err != nil {
			t.Fatal(err)
		}
		h = h2
		look(0, 30*time.Second, 1)
		if _, err := h.Play(play.As(t.Context(), play.Actor{Key: "first"}), "game", 0, func(s *play.Session) (game.Move, error) { return s.ParseMove("c4") }); err != nil {
			t.Fatal(err)
		}
		time.Sleep(31 * time.Second)
		synctest.Wait()
		v, err := h.View(t.Context(), "game")
		if err != nil || v.State != play.Over || v.Result.Reason != play.ByTime || v.Result.Winner != 0 || v.Result.Record == 0 {
			t.Errorf("%v: %s %+v", err, v.State, v.Result)
		}
	})
}
