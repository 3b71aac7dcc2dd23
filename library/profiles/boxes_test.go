package profiles

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"qipu/store/people"
)

// TestAnswered walks a card through its boxes: it comes back later each time, is forgotten
// behind the last, and a mistake sends it to the first.
func TestAnswered(t *testing.T) {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	if got := answered(nil, "a", true, nil, now); len(got) != 0 {
		t.Errorf("what was never wrong is kept: %v", got)
	}
	cards := answered(nil, "a", false, json.RawMessage(`{"x":1}`), now)
	for box := 1; box < len(waits); box++ {
		cards = answered(cards, "a", true, nil, now)
		if len(cards) != 1 || cards[0].Box != box || !cards[0].Due.Equal(now.Add(waits[box])) || string(cards[0].Task) != `{"x":1}` {
			t.Fatalf("box %d: %+v", box, cards)
		}
	}
	again := answered(answered(nil, "a", false, nil, now), "a", true, nil, now)
	if again = answered(again, "a", false, nil, now); len(again) != 1 || again[0].Box != 0 {
		t.Errorf("a mistake: %+v", again)
	}
	if cards = answered(cards, "a", true, nil, now); len(cards) != 0 {
		t.Errorf("what is known stays: %+v", cards)
	}
	for i := range maxCards + 5 {
		cards = answered(cards, string(rune('a'+i)), false, nil, now.Add(time.Duration(i)))
	}
	if len(cards) != maxCards || cards[0].Key == "a" {
		t.Errorf("%d cards, the first %q", len(cards), cards[0].Key)
	}
}

// TestKept checks what a profile keeps of itself, that it is in the export, and that it
// goes with the profile.
func TestKept(t *testing.T) {
	ctx := context.Background()
	r := Open(t.TempDir())
	defer r.Close()
	p, err := r.Add(ctx, "Anna", people.Member)
	if err != nil {
		t.Fatal(err)
	}
	other, err := r.Add(ctx, "Bea", people.Member)
	if err != nil {
		t.Fatal(err)
	}
	if _, isName := errors.AsType[*NameError](r.AddName(ctx, p.ID, "  ")); !isName {
		t.Error("an empty name is a player")
	}
	if _, isCard := errors.AsType[*CardError](r.Answered(ctx, p.ID, "shapes", strings.Repeat("k", maxKey+1), false, nil)); !isCard {
		t.Error("a huge key is a card")
	}
	if err := errors.Join(
		r.AddName(ctx, p.ID, "Ke Jie"), r.AddName(ctx, p.ID, "柯洁"),
		r.NoteGame(ctx, p.ID, 7, 0), r.NoteGame(ctx, p.ID, 9, 1), r.NoteGame(ctx, p.ID, 7, 0),
		r.Answered(ctx, p.ID, "shapes", "cut", false, nil), r.Answered(ctx, p.ID, "othello", "f5", false, nil),
		r.NoteReview(ctx, p.ID, &Reviewed{Record: 3, Bad: []ReviewedBad{{Ply: 5, Mark: "blunder"}}}),
		r.NoteReview(ctx, p.ID, &Reviewed{Session: 7}), r.NoteReview(ctx, p.ID, &Reviewed{Record: 3}),
	); err != nil {
		t.Fatal(err)
	}
	if r.NoteGame(ctx, p.ID, 0, 0) == nil || r.NoteGame(ctx, p.ID, 1, 3) == nil {
		t.Error("a game without a number or a seat is kept")
	}
	names, err := r.Names(ctx, p.ID)
	if err != nil || len(names) != 2 || names[0] != "Ke Jie" {
		t.Errorf("%q, %v", names, err)
	}
	played, err := r.PlayedHere(ctx, p.ID)
	if err != nil || len(played) != 2 || !played[0].Contains(7) || played[0].GetCardinality() != 1 || !played[1].Contains(9) {
		t.Errorf("%v, %v", played, err)
	}
	cards, err := r.Boxes(ctx, p.ID)
	if err != nil || len(cards) != 2 {
		t.Errorf("%+v, %v", cards, err)
	}
	reviews, err := r.Reviews(ctx, p.ID)
	if err != nil || len(reviews) != 2 || reviews[0].Record != 3 || len(reviews[0].Bad) != 0 {
		t.Errorf("%+v, %v", reviews, err)
	}
	all, err := r.Export(ctx, p.ID)
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]int{}
	for _, x := range all.Things {
		kinds[x.Kind]++
	}
	if kinds[Names] != 2 || kinds[Games] != 2 || kinds[Boxes] != 2 || kinds[Reviews] != 2 {
		t.Errorf("%v", kinds)
	}
	if err := r.Remove(ctx, p.ID); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{p.ID, other.ID} {
		names, _ := r.Names(ctx, id)
		cards, _ := r.Boxes(ctx, id)
		played, _ := r.PlayedHere(ctx, id)
		if reviews, _ := r.Reviews(ctx, id); len(names)+len(cards)+len(played)+len(reviews) != 0 {
			t.Errorf("%s has %v %v %v %v", id, names, cards, played, reviews)
		}
	}
}
