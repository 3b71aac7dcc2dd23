package profiles

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/RoaringBitmap/roaring/v2"

	"qipu/store/people"
)

// seats are the names under which the games of a profile are kept: as many as there are
// places to sit at, so that a thousand games are no thousand things.
var seats = []string{"first", "second", "both"}

// NoteGame keeps that a profile plays a game here: that of a number of a session, on a
// side; 2 for both. Once it has sat on one side it stays there.
func (r *Room) NoteGame(ctx context.Context, id string, session int64, side int) error {
	if session <= 0 || session > math.MaxUint32 || side < 0 || side >= len(seats) {
		return fmt.Errorf("profiles: there is no seat %d in a session %d", side, session)
	}
	return r.db.Keep(ctx, id, Games, seats[side], "", func(t *people.Thing) (bool, error) {
		if t.Games == nil {
			t.Games = roaring.New()
		}
		t.Games.Add(uint32(session))
		return true, nil
	})
}

// PlayedHere returns the numbers of the sessions that a profile has played in, by side.
func (r *Room) PlayedHere(ctx context.Context, id string) (map[int]*roaring.Bitmap, error) {
	list, err := r.db.Things(ctx, id, Games)
	sides := map[int]*roaring.Bitmap{}
	for _, t := range list {
		if side := slices.Index(seats, t.Name); side >= 0 && t.Games != nil {
			sides[side] = t.Games
		}
	}
	return sides, err
}

// Reviewed is what an engine thought of a game that a profile had reviewed.
type Reviewed struct {
	Record  uint32        `json:"record,omitempty"`  // the game, by its number in the library
	Session int64         `json:"session,omitempty"` // or by that of the session that it was played in
	Unit    string        `json:"unit"`              // of losses
	By      string        `json:"by"`                // the engine
	Plies   [2]int        `json:"plies"`             // moves of each side that it looked at
	Bad     []ReviewedBad `json:"bad"`
}

// ReviewedBad is a move that was called bad.
type ReviewedBad struct {
	Ply  int     `json:"ply"` // from 1
	Side int     `json:"side"`
	Move string  `json:"move"`
	Best string  `json:"best,omitempty"`
	Loss float64 `json:"loss"`
	Mark string  `json:"mark"` // "inaccuracy", "mistake", "blunder"
}

// maxReviews is how many reviews of a profile are kept: the latest.
const maxReviews = 500

// NoteReview keeps a review that a profile has asked for, in the place of one of the same game.
func (r *Room) NoteReview(ctx context.Context, id string, v *Reviewed) error {
	value, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("profiles: %w", err)
	}
	name := "record " + strconv.FormatUint(uint64(v.Record), 10)
	if v.Session > 0 {
		name = "session " + strconv.FormatInt(v.Session, 10)
	}
	err = r.db.Keep(ctx, id, Reviews, name, "", func(t *people.Thing) (bool, error) {
		t.Value = string(value)
		return true, nil
	})
	if err != nil {
		return err
	}
	return r.db.Trim(ctx, id, Reviews, maxReviews)
}

// Reviews returns the reviews that a profile has asked for, the latest first.
func (r *Room) Reviews(ctx context.Context, id string) ([]Reviewed, error) {
	things, err := r.db.Things(ctx, id, Reviews)
	list := make([]Reviewed, len(things))
	for i := range things {
		if err := json.Unmarshal([]byte(things[i].Value), &list[i]); err != nil {
			return nil, fmt.Errorf("profiles: a review: %w", err)
		}
	}
	return list, err
}
