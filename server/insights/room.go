// Package insights is the room of the server for what was mined: reports in sentences, made
// while somebody looks on, and the queue in which readers judge what was found.
package insights

import (
	"context"
	"net/http"
	"strings"
	"time"

	"qipu/mine/gather"
	"qipu/mine/queue"
	"qipu/mine/report"
	"qipu/mine/rules"
	"qipu/server/api"
	"qipu/server/stream"
	"qipu/view"
	"qipu/view/mineview"
)

type room struct{ *api.Service }

// Register registers what can be asked here. A report is made while somebody waits, and no
// longer: whoever looks on is told how far it is, and who goes away ends it.
func Register(service *api.Service) {
	s := &room{service}
	s.Mean(queue.ErrNone, http.StatusNotFound, "no-finding", "List the findings of the queue.")
	s.Mean(queue.ErrVerdict, http.StatusUnprocessableEntity, "verdict", "Say accept, reject or unsure, who says it, and why something is rejected.")
	s.Mean(queue.ErrEntry, http.StatusUnprocessableEntity, "entry", "Make it a query or a note, or send the text of a pattern or shape.")
	s.Mean(queue.ErrNotYet, http.StatusConflict, "not-accepted", "Have it accepted first.")
	s.Mean(queue.ErrFull, http.StatusConflict, "full", "Judge some findings, and take them out.")
	for _, few := range []error{gather.ErrNoGames, gather.ErrAsked, rules.ErrNoResults, rules.ErrOneResult, rules.ErrNoItems, rules.ErrTooMany} {
		s.Mean(few, http.StatusUnprocessableEntity, "nothing-to-mine", "Ask for more games, or for another moment.")
	}
	api.Get(s.Service, api.Kept.InTurn(), "/insights", "get-insights", "mining", "What the games of a query tell, in sentences: what goes with winning, what comes after what, what goes together", s.insights)
	api.Plain(s.Service, api.Fresh.InTurn(), "/insights/watch", "watch-insights", "mining", "The same as a stream of events: mining tells how far it is; insights, or problem; then it ends. It is not made to its end where nobody follows", "text/event-stream", s.watch)
	api.Get(s.Service, api.Editing, "/insights/queue", "get-findings", "mining", "Findings that readers judge: those that want work first; how far readers agree", s.list)
	api.Register(s.Service, api.Change, http.MethodPost, "/insights/queue", "queue-finding", "mining", "Put a finding into the queue", s.add)
	api.Register(s.Service, api.Change, http.MethodPut, "/insights/queue/{id}/verdict", "judge-finding", "mining", "Say what a reader thinks of a finding; what two accept becomes an entry", s.judge)
	api.Register(s.Service, api.Change, http.MethodPut, "/insights/queue/{id}/entry", "enter-finding", "mining", "Make an entry of a finding that is accepted: a saved query with a note, a note on its names, a pattern or a shape", s.enter)
	api.Register(s.Service, api.Change, http.MethodDelete, "/insights/queue/{id}", "drop-finding", "mining", "Take a finding out of the queue", s.drop)
}

// Mined says what is mined.
type Mined struct {
	Game    string  `query:"game" maxLength:"100" doc:"The kind of game, as a spec; the query tells it where it is empty" example:"xiangqi"`
	Query   string  `query:"query" maxLength:"10000" doc:"Which games; all where it is empty" example:"year:1990.. player:許銀川"`
	At      string  `query:"at" maxLength:"200" default:"ply:40" doc:"When a game is looked at: ply:40, first:NAME or end" example:"ply:40"`
	Support float64 `query:"support" default:"0.02" minimum:"0.001" maximum:"1" doc:"The least share of games that have all items of a set"`
	Size    int     `query:"size" default:"2" minimum:"1" maximum:"3" doc:"The most items of a set"`
	Limit   int     `query:"limit" default:"20" minimum:"1" maximum:"200" doc:"How many findings of each kind are told"`
}

// mostRows is of how many games a report is made here; what is left out is told.
const mostRows = 200_000

// mine makes a report.
func (s *room) mine(ctx context.Context, in *Mined, progress func(step string, done, total int)) (*view.Insights, error) {
	at, err := gather.ParseMoment(in.At)
	if err != nil {
		return nil, api.Bad("moment", "Write ply:40, first:NAME or end.", "%v", err)
	}
	if in.Game != "" {
		if err := s.Meant(in.Game); err != nil {
			return nil, err
		}
	}
	o := report.Options{
		Options: gather.Options{Text: in.Query, Game: in.Game, At: at, Most: mostRows},
		Rules:   rules.Options{Support: in.Support, Size: in.Size},
	}
	if progress != nil {
		o.Progress = func(done, total int) { progress("games", done, total) }
	}
	r, err := report.Make(ctx, s.Lib.Records(), s.Lib.Search(), o)
	if err != nil {
		return nil, err
	}
	return mineview.Insights(r, &o.Rules, in.Limit), nil
}

func (s *room) insights(ctx context.Context, in *Mined) (*view.Insights, error) {
	return s.mine(ctx, in, nil)
}

type watchInput struct {
	Mined
	Last string `query:"lastEventId" maxLength:"200" doc:"Go on behind this event, as the header Last-Event-ID says"`
}

// grace is how long nobody may follow a report before it is given up, and pause how long
// after one word about progress the next comes.
const grace, pause = 2 * time.Second, 100 * time.Millisecond

func (s *room) watch(ctx context.Context, in *watchInput, w http.ResponseWriter, r *http.Request) error {
	events := s.Hub.New()
	go func() {
		defer events.Close()
		ctx, stop := events.Watch(s.Context, grace)
		defer stop()
		var told time.Time
		answer, err := s.mine(ctx, &in.Mined, func(step string, done, total int) {
			if now := time.Now(); now.Sub(told) >= pause {
				told = now
				_ = events.Send("mining", &view.Mining{Step: step, Done: done, Total: total}) // an error means that it is closed already
			}
		})
		if err != nil {
			_ = events.Send("problem", s.Problem(err))
			return
		}
		_ = events.Send("insights", answer)
	}()
	return stream.Serve(w, r, events)
}

type listInput struct {
	State string `query:"state" enum:"open,disputed,unsure,accepted,rejected" doc:"Only findings of this state"`
}

func (s *room) list(_ context.Context, in *listInput) (*view.FindingsQueue, error) {
	q, err := queue.Read(s.Lib.Records())
	if err != nil {
		return nil, err
	}
	if in.State == "" {
		return mineview.QueueOf(q), nil
	}
	return mineview.QueueOf(q, in.State), nil
}

func today() string { return time.Now().UTC().Format(time.DateOnly) }

type addInput struct{ Body view.QueueFinding }

func (s *room) add(ctx context.Context, in *addInput) (*view.QueuedFinding, error) {
	f := mineview.Queued(&in.Body, today())
	if strings.TrimSpace(f.Sentence) == "" || strings.TrimSpace(f.Query) == "" {
		return nil, api.Bad("finding", "Send a finding of insights as it is.", "a finding has a sentence and a query")
	}
	return s.change(ctx, f.ID, func(q *queue.Queue) error {
		_, err := q.Add(f)
		return err
	})
}

// change changes the queue, and returns one of its findings.
func (s *room) change(ctx context.Context, id string, change func(*queue.Queue) error) (w *view.QueuedFinding, err error) {
	err = queue.Change(ctx, s.Lib.Records(), func(q *queue.Queue) error {
		if err := change(q); err != nil {
			return err
		}
		f, err := q.Find(id)
		if err == nil {
			x := mineview.QueuedOf(f)
			w = &x
		}
		return err
	})
	return w, err
}

type judgeInput struct {
	ID   string `path:"id" maxLength:"40" doc:"The id of the finding"`
	Body view.FindingVerdict
}

func (s *room) judge(ctx context.Context, in *judgeInput) (*view.QueuedFinding, error) {
	ripe := false
	w, err := s.change(ctx, in.ID, func(q *queue.Queue) error {
		f, err := q.Judge(in.ID, queue.Verdict{Reader: in.Body.Reader, Says: in.Body.Says, Reason: in.Body.Reason, Day: today()})
		ripe = err == nil && f.Ripe()
		return err
	})
	if err != nil || !ripe {
		return w, err
	}
	return s.entered(ctx, in.ID, queue.Entry{})
}

type enterInput struct {
	ID   string `path:"id" maxLength:"40" doc:"The id of the finding"`
	Body view.FindingEntry
}

func (s *room) enter(ctx context.Context, in *enterInput) (*view.QueuedFinding, error) {
	return s.entered(ctx, in.ID, queue.Entry{As: in.Body.As, Name: in.Body.Name, Text: in.Body.Text})
}

func (s *room) entered(ctx context.Context, id string, e queue.Entry) (*view.QueuedFinding, error) {
	if _, err := queue.Enter(ctx, s.Lib.Records(), s.Lib.Search(), id, e, today()); err != nil {
		return nil, err
	}
	q, err := queue.Read(s.Lib.Records())
	if err != nil {
		return nil, err
	}
	f, err := q.Find(id)
	if err != nil {
		return nil, err
	}
	w := mineview.QueuedOf(f)
	return &w, nil
}

type dropInput struct {
	ID string `path:"id" maxLength:"40" doc:"The id of the finding"`
}

func (s *room) drop(ctx context.Context, in *dropInput) (*api.Nothing, error) {
	return nil, queue.Change(ctx, s.Lib.Records(), func(q *queue.Queue) error { return q.Drop(in.ID) })
}
