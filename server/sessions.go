package server

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"net/http"
	"sync"
	"time"

	"qipu/game"
	"qipu/play"
	"qipu/record"
	"qipu/server/guard"
	"qipu/server/stream"
	"qipu/view"
	"qipu/view/gameview"
)

func (s *Server) registerSessions() {
	get(s, private, "/sessions", "list-sessions", "play", "Games that are being played", s.sessions)
	register(s, playing, http.MethodPost, "/sessions", "new-session", "play", "Begin a game against the engine, or between two people", s.newSession)
	get(s, fresh, "/sessions/{id}", "get-session", "play", "A game that is being played, or was some days ago", s.session)
	plain(s, fresh, "/sessions/{id}/events", "follow-session", "play", "A game as a stream of events (session, a whole one each time) until it is over", "text/event-stream", s.sessionEvents)
	register(s, playing, http.MethodPost, "/sessions/{id}/moves", "play-move", "play", "Make a move; the engine's reply comes as an event, or with the session a moment later", s.playMove)
	register(s, playing, http.MethodPost, "/sessions/{id}/undo", "undo-move", "play", "Take back the person's last move and what followed", s.undoMove)
	register(s, playing, http.MethodPost, "/sessions/{id}/resign", "resign", "play", "Give the game up", s.resign)
	register(s, forgetting, http.MethodDelete, "/sessions/{id}", "drop-session", "play", "Forget a game; its record stays where it has become one", s.dropSession)
	get(s, fresh, "/sessions/{id}/review", "review-session", "play", "What the engine thinks of a game, as far as it has come: ask again until it is done", s.reviewSession)
}

// maxOwned is how many games one address may play at once where others than the
// owner can reach the server.
const maxOwned = 50

// maxGuest is the same where guests may play.
const maxGuest = 5

// startPlay opens the games of the library.
func (s *Server) startPlay(ctx context.Context) (err error) {
	o := play.Options{Opponent: play.Mind{Pool: s.engines, Book: s.lib.Books().Opponent()}, OnChange: s.sessionChanged, OnDrop: s.sessionDropped, Log: s.log}
	switch {
	case s.options.Guests:
		o.MostOwned = maxGuest
	case s.options.Exposed:
		o.MostOwned = maxOwned
	}
	s.startTeaching()
	if s.play, err = s.lib.Play(ctx, o); err != nil {
		s.teacher.close()
	}
	return err
}

// SessionInput names a game that is being played. It is embedded, which needs an
// exported type.
type SessionInput struct {
	ID string `path:"id" maxLength:"64" doc:"Of the session"`
}

// host returns who runs games, or why nobody does.
func (s *Server) host() (*play.Host, error) {
	if s.play == nil {
		return nil, s.readOnly()
	}
	return s.play, nil
}

// sessions lists the games that are being played. Their ids are all that one
// needs to follow them: where others can reach the server, the list is the
// owner's (its policy is private).
func (s *Server) sessions(ctx context.Context, _ *struct{}) (*view.Sessions, error) {
	list := &view.Sessions{Sessions: []view.SessionRow{}}
	if s.play == nil {
		return list, nil
	}
	for _, v := range s.play.List() {
		at, err := s.table(ctx, v)
		if err != nil { // one of them is no reason not to show the others
			s.log.Error("a game cannot be shown", "session", v.ID, "err", err)
			continue
		}
		row := view.SessionRow{
			ID: v.Token, Game: at.Spec, Line: at.Line(at.Played(game.AnyNotation)), Ply: len(at.Moves), Side: -1,
			Over: v.State == play.Over, Changed: v.Changed.UTC().Format(time.RFC3339),
		}
		for side, p := range v.Settings.Players {
			if p.Level > 0 {
				row.Level, row.Side = p.Level, 1-side
			}
		}
		list.Sessions = append(list.Sessions, row)
	}
	return list, nil
}

// table returns where a game stands.
func (s *Server) table(ctx context.Context, v *play.View) (*gameview.Standing, error) {
	k, err := s.kinds.Find(cmp.Or(v.Settings.Asked, v.Settings.Game))
	if err != nil {
		return nil, err
	}
	pos, err := v.Position()
	if err != nil {
		return nil, err
	}
	return &gameview.Standing{Kind: k, Pos: pos, Moves: v.Task.Moves, Base: v.Settings.Start}, nil
}

// shownGames are the positions of the games that were told last, by the token of the
// game. A change is told to those who follow the game and to whoever made it: it is
// replayed once.
type shownGames struct {
	sync.Mutex
	last map[string]shownGame
}

type shownGame struct {
	version  int
	state    play.State
	position *view.Position // not changed once it is made
}

// maxShown bounds how many are kept.
const maxShown = 500

// shown returns the position of a game.
func (s *Server) shown(ctx context.Context, v *play.View) (*view.Position, error) {
	s.lastShown.Lock()
	last, ok := s.lastShown.last[v.Token]
	s.lastShown.Unlock()
	if ok && last.version == v.Version && last.state == v.State {
		return last.position, nil
	}
	at, err := s.table(ctx, v)
	if err != nil {
		return nil, err
	}
	p := at.Position(v.State == play.Yours)
	s.lastShown.Lock()
	defer s.lastShown.Unlock()
	if s.lastShown.last == nil || len(s.lastShown.last) >= maxShown {
		s.lastShown.last = map[string]shownGame{}
	}
	s.lastShown.last[v.Token] = shownGame{v.Version, v.State, p}
	return p, nil
}

// sessionOf dresses a game.
func (s *Server) sessionOf(ctx context.Context, v *play.View) (*view.Session, error) {
	p, err := s.shown(ctx, v)
	if err != nil {
		return nil, err
	}
	w := &view.Session{
		ID: v.Token, Position: *p, Version: v.Version, Players: make([]view.SessionSide, len(v.Settings.Players)),
		State: string(v.State), Passed: v.Passed, Undo: v.Undo, Opening: p.Opening, Note: v.Note, Trouble: v.Trouble,
	}
	if v.State == play.Over && !w.Position.Over {
		w.Position.Over, w.Position.Legal = true, []view.Move{}
	}
	for i, p := range v.Settings.Players {
		w.Players[i] = view.SessionSide{Name: p.Name, Level: p.Level, Count: v.Counts[i]}
		if p.Level > 0 {
			w.Players[i].Name = play.EngineName(p.Level)
		}
	}
	if v.Left != nil {
		w.Clock = &view.SessionClock{Left: make([]int, len(v.Left)), Running: v.Running}
		for i, left := range v.Left {
			w.Clock.Left[i] = int(left.Milliseconds())
		}
	}
	if r := v.Result; r != nil {
		w.Result = &view.GameResult{
			Winner: r.Winner, Text: r.Facts.SGF(record.SidesOf(v.Rules)), Reason: string(r.Reason), Score: append([]int{}, r.Counts...),
			Record: int(r.Record), Known: r.Known, Fresh: r.Fresh,
		}
	}
	return w, nil
}

// toldSession dresses what an operation on a game gave.
func (s *Server) toldSession(ctx context.Context, v *play.View, err error) (*view.Session, error) {
	if err != nil {
		return nil, err
	}
	return s.sessionOf(ctx, v)
}

type newSessionInput struct{ Body view.NewSession }

func (s *Server) newSession(ctx context.Context, in *newSessionInput) (*view.Session, error) {
	h, err := s.host()
	if err != nil {
		return nil, err
	}
	b := &in.Body
	k, err := s.kinds.Find(b.Game)
	if err != nil {
		return nil, err
	}
	set := play.Settings{
		Style: play.Style(b.Style), NoBook: b.NoBook, Main: time.Duration(b.Minutes) * time.Minute, Increment: time.Duration(b.Seconds) * time.Second,
		Seed: b.Seed,
	}
	if set.Seed == 0 {
		set.Seed = chance()
	}
	if set.Main == 0 && set.Increment > 0 {
		return nil, bad("clock", "Send minutes, too.", "a clock that gains time has to begin with some")
	}
	rules := play.Rules(k.Rules)
	if set.Game = gameview.RulesSpec(rules); set.Game != k.Spec {
		set.Asked = k.Spec
	}
	seat(&set, b)
	at, err := s.opened(ctx, rules, b, set.Seed)
	if err != nil {
		return nil, err
	}
	set.Start = at.Base
	g, err := play.New(rules, set, at.Moves, time.Now())
	if err != nil {
		return nil, err
	}
	v, err := h.Create(ctx, guard.Client(ctx), rand.Text(), g)
	return s.toldSession(ctx, v, err)
}

// chance returns a seed that nobody chose. It is small enough for every reader
// of JSON.
func chance() uint64 {
	var b [8]byte
	rand.Read(b[:]) // never fails
	return binary.LittleEndian.Uint64(b[:])>>12 | 1
}

// seat tells who plays which side.
func seat(set *play.Settings, b *view.NewSession) {
	person, other := play.Player{Name: cmp.Or(b.Name, "Player")}, play.Player{Level: cmp.Or(b.Level, 5)}
	if b.Side == "both" {
		person.Name = cmp.Or(b.Name, "Player 1")
		other = play.Player{Name: cmp.Or(b.Opponent, "Player 2")}
	}
	set.Players = [2]play.Player{person, other}
	if b.Side == "second" || b.Side == "random" && set.Seed%2 == 1 {
		set.Players = [2]play.Player{other, person}
	}
}

func (s *Server) session(ctx context.Context, in *SessionInput) (*view.Session, error) {
	h, err := s.host()
	if err != nil {
		return nil, err
	}
	v, err := h.View(ctx, in.ID)
	return s.toldSession(ctx, v, err)
}

type playMoveInput struct {
	SessionInput
	Body view.PlayMove
}

func (s *Server) playMove(ctx context.Context, in *playMoveInput) (*view.Session, error) {
	h, err := s.host()
	if err != nil {
		return nil, err
	}
	v, err := h.Play(ctx, in.ID, in.Body.Version, func(g *play.Session) (game.Move, error) {
		k, err := s.kinds.Find(g.Settings().Game)
		if err != nil {
			return game.NoMove, err
		}
		pos, err := g.Position()
		if err != nil {
			return game.NoMove, err
		}
		m, err := k.Parse(pos, in.Body.Move)
		if err == nil {
			err = pos.Play(m)
		}
		if err != nil {
			err = fmt.Errorf("%s: %w", in.Body.Move, err)
		}
		return m, err
	})
	return s.toldSession(ctx, v, err)
}

func (s *Server) undoMove(ctx context.Context, in *SessionInput) (*view.Session, error) {
	h, err := s.host()
	if err != nil {
		return nil, err
	}
	v, err := h.Undo(ctx, in.ID)
	return s.toldSession(ctx, v, err)
}

func (s *Server) resign(ctx context.Context, in *SessionInput) (*view.Session, error) {
	h, err := s.host()
	if err != nil {
		return nil, err
	}
	v, err := h.Resign(ctx, in.ID)
	return s.toldSession(ctx, v, err)
}

func (s *Server) dropSession(ctx context.Context, in *SessionInput) (*nothing, error) {
	h, err := s.host()
	if err != nil {
		return nil, err
	}
	return nil, h.Drop(ctx, in.ID)
}

// sessionStream names the stream of a game.
func sessionStream(token string) string { return "play." + token }

// sessionEvents follows a game. Every event is all of it, so that whoever comes
// late has missed nothing.
func (s *Server) sessionEvents(ctx context.Context, in *SessionInput, w http.ResponseWriter, r *http.Request) error {
	h, err := s.host()
	if err != nil {
		return err
	}
	v, err := h.View(ctx, in.ID)
	if err != nil {
		return err
	}
	st, made := s.hub.Open(sessionStream(in.ID))
	type told struct {
		version int
		trouble string
	}
	for sent := (told{-1, ""}); made && sent != (told{v.Version, v.Trouble}); { // it may change between the look and the event
		sent = told{v.Version, v.Trouble}
		if err := s.sendSession(st, v); err != nil {
			return err
		}
		if v, err = h.View(ctx, in.ID); err != nil {
			s.hub.Drop(st) // it was dropped just now
			return err
		}
	}
	return stream.Serve(w, r, st)
}

// sendSession sends a game to those who follow it; with its end the stream ends.
func (s *Server) sendSession(st *stream.Stream, v *play.View) error {
	w, err := s.sessionOf(s.ctx, v)
	if err != nil {
		return err
	}
	_ = st.Send("session", w) // an error means that it is closed already
	if v.State == play.Over && v.Trouble == "" {
		st.Close()
	}
	return nil
}

// sessionChanged tells those who follow a game. One that has become a record is in
// the next answer to anybody.
func (s *Server) sessionChanged(v *play.View) {
	if v.State == play.Over {
		s.kept.Changed()
		s.teacher.ended(v)
	}
	st, ok := s.hub.Get(sessionStream(v.Token))
	if !ok {
		return
	}
	if err := s.sendSession(st, v); err != nil {
		s.log.Error("a game cannot be told", "session", v.ID, "err", err)
	}
}

func (s *Server) sessionDropped(token string) {
	if st, ok := s.hub.Get(sessionStream(token)); ok {
		s.hub.Drop(st)
	}
}
