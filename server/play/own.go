package play

import (
	"context"

	"qipu/play"
	"qipu/server/guard"
	"qipu/view"
	"qipu/view/playview"
)

// noteGame keeps that whoever has begun a game or sat down at it has played it: on the
// side of the seat or of the person, or where two people play at one screen for both. A game is played even where that cannot be kept.
func (s *room) noteGame(ctx context.Context, v *play.View) {
	who := guard.IdentityOf(ctx).ID
	if who == "" {
		return
	}
	side, persons := 2, 0
	for i := range v.Settings.Players {
		if p := &v.Settings.Players[i]; p.Level == 0 && p.Engine == "" {
			side = i
			persons++
		}
	}
	if persons != 1 {
		side = 2
	}
	if v.Seats != nil {
		if side = v.SideOf(ctx); side < 0 { // on both, of which the other was noted
			return
		}
	}
	if err := s.Lib.People().NoteGame(context.WithoutCancel(ctx), who, v.ID, side); err != nil {
		s.Log.Warn("a game is not kept for its player", "session", v.ID, "error", err)
	}
}

// profiled is a profile that has asked for the review of a game.
type profiled struct {
	who     string
	record  uint32 // by its number in the library
	session int64  // or by that of the session
}

// keepReview keeps the review for the profile that asks, now or when it is done. One of a
// line that is no game is nobody's.
func (s *room) keepReview(ctx context.Context, x *reviewing, record uint32, session int64) {
	p := profiled{guard.IdentityOf(ctx).ID, record, session}
	if p.who == "" || record == 0 && session == 0 {
		return
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.review.Done {
		s.noteReview(p, &x.review)
		return
	}
	x.askers = append(x.askers, p)
}

// noteReview keeps a review. A profile may be gone by then.
func (s *room) noteReview(p profiled, r *view.Review) {
	if err := s.Lib.People().NoteReview(s.Context, p.who, playview.ReviewedOf(r, p.record, p.session)); err != nil {
		s.Log.Warn("a review is not kept for who asked for it", "error", err)
	}
}
