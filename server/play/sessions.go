package play

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"qipu/board"
	"qipu/engine"
	"qipu/game"
	"qipu/play"
	"qipu/server/api"
	"qipu/server/guard"
	"qipu/server/stream"
	"qipu/view"
	"qipu/view/gameview"
	"qipu/view/playview"
)

func (s *room) registerSessions() {
	api.Get(s.Service, api.Private, "/sessions", "list-sessions", "play", "Games that are being played", s.sessions)
	api.Register(s.Service, api.Playing, http.MethodPost, "/sessions", "new-session", "play", "Begin a game against the engine, or between two people", hosted(s, s.newSession))
	api.Get(s.Service, api.Fresh, "/sessions/{id}", "get-session", "play", "A game that is being played, or was some days ago", told(s, s.session))
	api.Plain(s.Service, api.Fresh, "/sessions/{id}/events", "follow-session", "play", "A game as a stream of events (session, a whole one each time) until it is over", "text/event-stream", s.sessionEvents)
	api.Register(s.Service, api.Playing, http.MethodPost, "/sessions/{id}/moves", "play-move", "play", "Make a move; the engine's reply comes as an event, or with the session a moment later", told(s, s.playMove))
	api.Register(s.Service, api.Playing, http.MethodPost, "/sessions/{id}/answer", "answer-opening", "play", "Decide what an opening asks for, where a rule shares the first moves and the colours out", told(s, s.answerOpening))
	api.Register(s.Service, api.Playing, http.MethodPost, "/sessions/{id}/undo", "undo-move", "play", "Take back the person's last move and what followed", told(s, s.undoMove))
	api.Register(s.Service, api.Playing, http.MethodPost, "/sessions/{id}/resign", "resign", "play", "Give the game up", told(s, s.resign))
	api.Register(s.Service, api.Playing, http.MethodPost, "/sessions/{id}/marks", "mark-stones", "play", "Say which groups are dead, or are not, where both sides have passed", told(s, s.markStones))
	api.Register(s.Service, api.Playing, http.MethodPost, "/sessions/{id}/agree", "agree", "play", "Agree to the count as it is marked; the game is over when both sides do, and goes on where an engine does not", told(s, s.agree))
	api.Register(s.Service, api.Playing, http.MethodPost, "/sessions/{id}/resume", "resume-play", "play", "Play on instead of counting: it is the turn of who passed first", told(s, s.resumePlay))
	s.registerSeats()
	api.Register(s.Service, api.Forgetting, http.MethodDelete, "/sessions/{id}", "drop-session", "play", "Forget a game; its record stays where it has become one", hosted(s, s.dropSession))
	api.Get(s.Service, api.Fresh.Hosting(), "/sessions/{id}/review", "review-session", "play", "What the engine thinks of a game, as far as it has come: ask again until it is done", hosted(s, s.reviewSession))
}

// maxOwned is how many games one address may play at once where others than the
// owner can reach the server.
const maxOwned = 50

// again is how long those who look at a game of two people that is over are told whether
// they play another.
const again = 10 * time.Minute

// maxGuest is the same where guests may play.
const maxGuest = 5

// startPlay opens the games of the library.
func (s *room) startPlay(ctx context.Context) (err error) {
	o := play.Options{Opponent: play.Mind{Pool: s.engines, Book: s.Lib.Books().Opponent(), Guest: s.guests.Of}, OnChange: s.sessionChanged, OnDrop: s.sessionDropped, Log: s.Log}
	switch {
	case s.Guests:
		o.MostOwned = maxGuest
	case s.Exposed:
		o.MostOwned = maxOwned
	}
	s.startTeaching()
	if s.host, err = s.Lib.Play(ctx, o); err != nil {
		s.teacher.close()
	}
	return err
}

// SessionInput names a game that is being played. It is embedded, which needs an
// exported type.
type SessionInput struct {
	ID   string `path:"id" maxLength:"64" doc:"Of the session"`
	Seat string `header:"Qipu-Seat" maxLength:"64" doc:"The key of one's own seat, in games of two people at screens of their own; a profile that sits there needs none"`
}

// Acting returns a context in which who has sent it acts.
func (in *SessionInput) Acting(ctx context.Context) context.Context {
	return play.As(ctx, play.Actor{Key: in.Seat, Who: guard.IdentityOf(ctx).ID})
}

// acting is the input of a request that names a game.
type acting interface {
	Acting(ctx context.Context) context.Context
}

// hosted is an operation on the games that are played here.
func hosted[I, O any](s *room, f func(context.Context, *I) (*O, error)) func(context.Context, *I) (*O, error) {
	return func(ctx context.Context, in *I) (*O, error) {
		if s.host == nil {
			return nil, s.ReadOnly()
		}
		if a, ok := any(in).(acting); ok {
			ctx = a.Acting(ctx)
		}
		return f(ctx, in)
	}
}

// told is one whose answer is the game.
func told[I any](s *room, f func(context.Context, *I) (*play.View, error)) func(context.Context, *I) (*view.Session, error) {
	return hosted(s, func(ctx context.Context, in *I) (*view.Session, error) {
		v, err := f(ctx, in)
		if err != nil {
			return nil, err
		}
		return s.mineOf(ctx, v)
	})
}

// mineOf dresses a game for who asks.
func (s *room) mineOf(ctx context.Context, v *play.View) (*view.Session, error) {
	w, err := s.sessionOf(ctx, v)
	if err == nil && w.Seats != nil {
		w.Seats.You = v.SideOf(ctx)
	}
	return w, err
}

// sessions lists the games that are being played. Their ids are all that one
// needs to follow them: where others can reach the server, the list is the
// owner's (its policy is private).
func (s *room) sessions(ctx context.Context, _ *struct{}) (*view.Sessions, error) {
	list := &view.Sessions{Sessions: []view.SessionRow{}}
	if s.host == nil {
		return list, nil
	}
	for _, v := range s.host.List() {
		at, err := s.table(v)
		if err != nil { // one of them is no reason not to show the others
			s.Log.Error("a game cannot be shown", "session", v.ID, "err", err)
			continue
		}
		list.Sessions = append(list.Sessions, playview.RowOf(v, at))
	}
	return list, nil
}

// table returns where a game stands.
func (s *room) table(v *play.View) (*gameview.Standing, error) {
	k, err := s.Kinds.Find(cmp.Or(v.Settings.Asked, v.Settings.Game))
	if err != nil {
		return nil, err
	}
	return playview.StandingOf(k, v)
}

// shownAs is what the position of a game that is told depends on.
type shownAs struct {
	version int
	state   play.State
}

// sessionOf dresses a game.
func (s *room) sessionOf(ctx context.Context, v *play.View) (*view.Session, error) {
	p, err := s.shown.Get(ctx, v.Token, shownAs{v.Version, v.State}, func() (*view.Position, error) {
		at, err := s.table(v)
		if err != nil {
			return nil, err
		}
		return at.Position(v.State == play.Yours), nil
	})
	if err != nil {
		return nil, err
	}
	return playview.SessionOf(v, p), nil
}

type newSessionInput struct{ Body view.NewSession }

func (s *room) newSession(ctx context.Context, in *newSessionInput) (*view.Session, error) {
	b := &in.Body
	k, err := s.Kinds.Find(b.Game)
	if err != nil {
		return nil, err
	}
	set := play.Settings{
		Style: play.Style(b.Style), NoBook: b.NoBook, Main: time.Duration(b.Minutes) * time.Minute, Increment: time.Duration(b.Seconds) * time.Second,
		Periods: b.Periods, Period: time.Duration(b.Period) * time.Second, Seed: b.Seed, Opening: b.Rule,
	}
	if set.Seed == 0 {
		set.Seed = api.Seed()
	}
	if set.Main == 0 && set.Increment > 0 {
		return nil, api.Bad("clock", "Send minutes, too.", "a clock that gains time has to begin with some")
	}
	settler := s.Lib.Records().Settler(k.Rules)
	rules := play.Rules(k.Rules, settler)
	if set.Game = gameview.RulesSpec(rules); set.Game != k.Spec {
		set.Asked = k.Spec
	}
	if b.Engine != "" {
		if _, err := s.guests.Of(b.Engine, rules); err != nil {
			return nil, err
		}
	}
	side := seat(&set, b)
	if set.Players[side].Who = guard.IdentityOf(ctx).ID; b.Invite {
		if set.Players[side].Name, err = s.called(ctx, b.Name); err != nil {
			return nil, err
		}
	}
	at, err := s.opened(ctx, rules, b, set.Seed)
	if err != nil {
		return nil, err
	}
	set.Start = at.Base
	g, err := play.New(rules, settler, set, at.Moves, time.Now())
	key := ""
	if err == nil && b.Invite {
		key = rand.Text()
		err = g.Reserve(side, key)
	}
	if err != nil {
		return nil, err
	}
	v, err := s.host.Create(ctx, guard.Client(ctx), rand.Text(), g)
	if err != nil {
		return nil, err
	}
	ctx = play.As(ctx, play.Actor{Key: key, Who: guard.IdentityOf(ctx).ID})
	s.noteGame(ctx, v)
	return s.seated(ctx, v, key)
}

// seat tells who plays which side, and returns that of who asks.
func seat(set *play.Settings, b *view.NewSession) (side int) {
	person, other := play.Player{Name: cmp.Or(b.Name, "Player")}, play.Player{Level: min(cmp.Or(b.Level, 5), engine.MaxLevel), Engine: b.Engine}
	if b.Side == "both" || b.Invite {
		person.Name = cmp.Or(b.Name, "Player 1")
		other = play.Player{Name: cmp.Or(b.Opponent, "Player 2")}
	}
	if b.Side == "second" || b.Side == "random" && set.Seed%2 == 1 {
		side = 1
	}
	set.Players[side], set.Players[1-side] = person, other
	return side
}

func (s *room) session(ctx context.Context, in *SessionInput) (*play.View, error) {
	return s.host.View(ctx, in.ID)
}

type playMoveInput struct {
	SessionInput
	Body view.PlayMove
}

func (s *room) playMove(ctx context.Context, in *playMoveInput) (*play.View, error) {
	v, err := s.host.Play(ctx, in.ID, in.Body.Version, func(g *play.Session) (game.Move, error) {
		k, err := s.Kinds.Find(g.Settings().Game)
		if err != nil {
			return game.NoMove, err
		}
		return k.Parse(g.Position(), in.Body.Move)
	})
	if errors.Is(err, game.ErrIllegal) || errors.Is(err, game.ErrSyntax) {
		err = fmt.Errorf("%s: %w", in.Body.Move, err)
	}
	return v, err
}

type answerOpeningInput struct {
	SessionInput
	Body view.AnswerOpening
}

func (s *room) answerOpening(ctx context.Context, in *answerOpeningInput) (*play.View, error) {
	v, err := s.host.View(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	return s.host.Answer(ctx, in.ID, in.Body.Version, v.AnswerOf(in.Body.Answer))
}

func (s *room) undoMove(ctx context.Context, in *SessionInput) (*play.View, error) {
	return s.host.Undo(ctx, in.ID)
}

func (s *room) resign(ctx context.Context, in *SessionInput) (*play.View, error) {
	return s.host.Resign(ctx, in.ID)
}

type markStonesInput struct {
	SessionInput
	Body view.MarkStones
}

func (s *room) markStones(ctx context.Context, in *markStonesInput) (*play.View, error) {
	v, err := s.host.View(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	size := v.Rules.Geometry().Size
	var points []board.Point
	for _, i := range in.Body.Points {
		if i < 0 || i >= size.Area() {
			return nil, api.Bad("points", "Send numbers of points, row by row from 0.", "the board has no point %d", i)
		}
		points = append(points, size.Point(i))
	}
	return s.host.Mark(ctx, in.ID, in.Body.Version, points, in.Body.Dead)
}

type agreeInput struct {
	SessionInput
	Body view.Agree
}

func (s *room) agree(ctx context.Context, in *agreeInput) (*play.View, error) {
	return s.host.Agree(ctx, in.ID, in.Body.Version, slices.Index([]string{"first", "second"}, in.Body.Side))
}

func (s *room) resumePlay(ctx context.Context, in *SessionInput) (*play.View, error) {
	return s.host.Resume(ctx, in.ID)
}

func (s *room) dropSession(ctx context.Context, in *SessionInput) (*api.Nothing, error) {
	return nil, s.host.Drop(ctx, in.ID)
}

// sessionStream names the stream of a game.
func sessionStream(token string) string { return "play." + token }

// sessionEvents follows a game. Every event is all of it, so that whoever comes
// late has missed nothing.
func (s *room) sessionEvents(ctx context.Context, in *SessionInput, w http.ResponseWriter, r *http.Request) error {
	if s.host == nil {
		return s.ReadOnly()
	}
	v, err := s.host.View(ctx, in.ID)
	if err != nil {
		return err
	}
	st, made := s.Hub.Open(sessionStream(in.ID))
	type told struct {
		version int
		trouble string
	}
	for sent := (told{-1, ""}); made && sent != (told{v.Version, v.Trouble}); { // it may change between the look and the event
		sent = told{v.Version, v.Trouble}
		if err := s.sendSession(st, v); err != nil {
			return err
		}
		if v, err = s.host.View(ctx, in.ID); err != nil {
			s.Hub.Drop(st) // it was dropped just now
			return err
		}
	}
	return stream.Serve(w, r, st)
}

// sendSession sends a game to those who follow it; with its end the stream ends.
func (s *room) sendSession(st *stream.Stream, v *play.View) error {
	w, err := s.sessionOf(s.Context, v)
	if err != nil {
		return err
	}
	_ = st.Send("session", w) // an error means that it is closed already
	switch {
	case v.State != play.Over || v.Trouble != "":
	case v.Seats != nil && v.Seats.Next == "":
		time.AfterFunc(again, st.Close) // those who look at it are told of another game
	default:
		st.Close()
	}
	return nil
}

// sessionChanged tells those who follow a game. One that has become a record is in
// the next answer to anybody.
func (s *room) sessionChanged(v *play.View) {
	if v.State == play.Over && (v.Seats == nil || v.Seats.Next == "") { // else it has been told
		s.Kept.Changed()
		s.teacher.ended(v)
	}
	st, ok := s.Hub.Get(sessionStream(v.Token))
	if !ok {
		return
	}
	if err := s.sendSession(st, v); err != nil {
		s.Log.Error("a game cannot be told", "session", v.ID, "err", err)
	}
}

func (s *room) sessionDropped(token string) {
	if st, ok := s.Hub.Get(sessionStream(token)); ok {
		s.Hub.Drop(st)
	}
}
