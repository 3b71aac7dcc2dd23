package profiles

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"qipu/store/people"
)

// Card is a question of a quiz that was answered wrong once. It comes back, each time after a
// longer while, until it was found right behind the last one.
type Card struct {
	Deck string          `json:"-"`
	Key  string          `json:"key"` // what is asked for, in its deck
	Box  int             `json:"box"` // how often it was found right since
	Due  time.Time       `json:"due"`
	Task json.RawMessage `json:"task,omitempty"` // the question itself, where the key does not tell it
}

// waits are how long a card of each box waits.
var waits = []time.Duration{10 * time.Minute, 24 * time.Hour, 3 * 24 * time.Hour, 7 * 24 * time.Hour, 21 * 24 * time.Hour}

// Bounds of cards: a deck lies in one value, and nobody is to fill the disk.
const (
	maxDecks = 100
	maxCards = 300 // of a deck
	maxKey   = 4000
	maxTask  = 16 << 10
)

// Boxes returns the cards of a profile, those that wait longest first.
func (r *Room) Boxes(ctx context.Context, id string) ([]Card, error) {
	decks, err := r.db.Things(ctx, id, Boxes)
	if err != nil {
		return nil, err
	}
	var all []Card
	for i := range decks {
		cards, err := cardsOf(&decks[i])
		if err != nil {
			return nil, err
		}
		all = append(all, cards...)
	}
	slices.SortFunc(all, func(a, b Card) int {
		return cmp.Or(a.Due.Compare(b.Due), strings.Compare(a.Deck, b.Deck), strings.Compare(a.Key, b.Key))
	})
	return all, nil
}

func cardsOf(t *people.Thing) (cards []Card, err error) {
	if t.Value == "" {
		return nil, nil
	}
	if err := json.Unmarshal([]byte(t.Value), &cards); err != nil {
		return nil, fmt.Errorf("profiles: a quiz box: %w", err)
	}
	for i := range cards {
		cards[i].Deck = t.Name
	}
	return cards, nil
}

// CardError tells why something is no card.
type CardError struct{ Why string }

func (e *CardError) Error() string { return "profiles: " + e.Why }

// Answered keeps how a question was answered. What was never wrong is not kept.
func (r *Room) Answered(ctx context.Context, id, deck, key string, right bool, task json.RawMessage) error {
	switch {
	case deck == "" || key == "" || len(deck) > maxBytes || len(key) > maxKey:
		return &CardError{fmt.Sprintf("a card has the name of its deck and a key of at most %d bytes", maxKey)}
	case len(task) > maxTask:
		return &CardError{fmt.Sprintf("a question has at most %d bytes", maxTask)}
	}
	decks, err := r.db.Things(ctx, id, Boxes)
	if err != nil {
		return err
	}
	if len(decks) >= maxDecks && !slices.ContainsFunc(decks, func(t people.Thing) bool { return t.Name == deck }) {
		return people.ErrFull
	}
	now := r.db.Now().UTC()
	return r.db.Keep(ctx, id, Boxes, deck, "", func(t *people.Thing) (bool, error) {
		cards, err := cardsOf(t)
		if err != nil {
			return false, err
		}
		cards = answered(cards, key, right, task, now)
		value, err := json.Marshal(cards)
		t.Value = string(value)
		return len(cards) > 0, err
	})
}

// answered returns the cards of a deck after an answer. Where there are very many, those that
// wait longest go: they were of no use.
func answered(cards []Card, key string, right bool, task json.RawMessage, now time.Time) []Card {
	at := slices.IndexFunc(cards, func(c Card) bool { return c.Key == key })
	switch {
	case right && at < 0:
		return cards
	case right:
		c := &cards[at]
		if c.Box++; c.Box >= len(waits) {
			return slices.Delete(cards, at, at+1)
		}
		c.Due = now.Add(waits[c.Box])
		return cards
	case at >= 0:
		cards = slices.Delete(cards, at, at+1)
	case len(cards) >= maxCards:
		slices.SortStableFunc(cards, func(a, b Card) int { return a.Due.Compare(b.Due) })
		cards = slices.Delete(cards, 0, len(cards)-maxCards+1)
	}
	return append(cards, Card{Key: key, Due: now.Add(waits[0]), Task: task})
}
