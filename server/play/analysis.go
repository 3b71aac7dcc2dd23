package play

import (
	"context"
	"net/http"
	"time"

	"qipu/engine"
	"qipu/engine/guests"
	"qipu/game"
	"qipu/review"
	"qipu/server/api"
	"qipu/server/guard"
	"qipu/server/stream"
	"qipu/view"
	"qipu/view/gameview"
	"qipu/view/playview"
)

func (s *room) registerAnalysis() {
	s.Mean(guests.ErrUnknown, http.StatusUnprocessableEntity, "no-engine", "Choose one of those that engines lists.")
	s.Mean(review.ErrOpaque, http.StatusUnprocessableEntity, "no-values", "Choose an engine that tells values.")
	api.Get(s.Service, api.Fresh, "/engines", "list-engines", "play", "Other programs that the owner has named: as opponents, and as those who value positions", s.listEngines)
	api.Plain(s.Service, api.Thinking, "/analysis", "analyse", "play", "What an engine thinks of a position while it thinks, as a stream of events: values, each all that it knows by then; end, or problem; then it ends", "text/event-stream", s.analysis)
}

type listEnginesInput struct {
	Game string `query:"game" maxLength:"100" doc:"Only those that play this kind of game"`
}

// listEngines tells names. Commands are nobody's business but the owner's, who has
// them in a file.
func (s *room) listEngines(_ context.Context, in *listEnginesInput) (*view.Engines, error) {
	list, err := s.Engines.All()
	if in.Game != "" && err == nil {
		k, err := s.Kinds.Find(in.Game)
		if err != nil {
			return nil, err
		}
		if list, err = s.Engines.For(k.Rules); err != nil {
			return nil, err
		}
	}
	w := &view.Engines{Engines: []view.Engine{}}
	if err != nil { // whoever asks cannot mend it, and the owner is told
		s.Log.Error("the engines cannot be read", "err", err)
		return w, nil
	}
	for _, g := range list {
		w.Engines = append(w.Engines, view.Engine{Name: g.Name, Protocol: string(g.Protocol), Games: g.Games, Silent: g.Silent()})
	}
	return w, nil
}

// critic returns the pool of an engine that values positions: of another program by
// its name, of our own engine where there is none.
func (s *room) critic(name string, r game.Rules) (*engine.Pool, error) {
	if name == "" {
		return s.critics, nil
	}
	return s.guests.Of(name, r)
}

type analysisInput struct {
	api.Placed
	api.Writing
	Engine  string `query:"engine" maxLength:"40" doc:"Another program, by the name that engines lists; empty for the engine of this server"`
	Seconds int    `query:"seconds" minimum:"1" maximum:"60" default:"10" doc:"How long it thinks"`
	Lines   int    `query:"lines" minimum:"1" maximum:"10" default:"3" doc:"How many moves it values, the best ones"`
	Last    string `query:"lastEventId" maxLength:"200" doc:"Go on behind this event, as the header Last-Event-ID says"`
}

// analysisGrace is how long nobody may follow an analysis before it ends.
const analysisGrace = 2 * time.Second

func (s *room) analysis(ctx context.Context, in *analysisInput, w http.ResponseWriter, r *http.Request) error {
	at, err := s.Stand(&in.Placed, in.Write)
	if err != nil {
		return err
	}
	if at.Pos.Outcome().Final() {
		return engine.ErrOver
	}
	task, err := at.Task()
	if err != nil {
		return err
	}
	pool, err := s.critic(in.Engine, at.Rules)
	if err != nil {
		return err
	}
	if pool.Waiting() >= maxReviews/4 {
		return engine.ErrBusy
	}
	events := s.Hub.New()
	limits := engine.Limits{Time: time.Duration(in.Seconds) * time.Second, Multi: in.Lines}
	if in.Engine == "" {
		limits = limits.Counted()
	}
	go s.analyse(events, pool, guard.Client(ctx), in.Engine, at, task, limits)
	return stream.Serve(w, r, events)
}

// analyse has an engine of a pool think, and tells what it thinks, until nobody
// follows any more. The position is its own.
func (s *room) analyse(events *stream.Stream, pool *engine.Pool, owner, name string, at *gameview.Standing, task *engine.Task, l engine.Limits) {
	defer events.Close()
	ctx, stop := events.Watch(s.Context, analysisGrace)
	defer stop()
	var by review.Opinion
	send := func(r *engine.Report) {
		w := playview.ValuesBy(at, r, by)
		w.Engine = name
		_ = events.Send("values", w) // an error means that it is closed already
	}
	err := pool.Do(ctx, owner, task.Rules, func(e engine.Engine) error {
		info := e.Info()
		if info.Opaque {
			return review.ErrOpaque
		}
		by = review.OpinionOf(info, false)
		r, err := e.Think(ctx, task, l, send)
		if err == nil {
			send(r)
		}
		return err
	})
	if err != nil {
		_ = events.Send("problem", s.Problem(err))
		return
	}
	_ = events.Send("end", struct{}{})
}
