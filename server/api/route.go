package api

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"reflect"
	"strconv"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"qipu"
	"qipu/retrieve"
	"qipu/server/guard"
)

// config returns how the interface is described. The document is served as
// /api/v1/openapi.json; its readable page is one of the client's.
func config() huma.Config {
	c := huma.DefaultConfig("Qipu", qipu.Version)
	c.Info.Description = "Board-game records as knowledge: search, explore, view, import. Points are numbers, counted row by row from the top left from 0; sides are 0 for the first mover and 1 for the second."
	c.Servers = []*huma.Server{{URL: Prefix}}
	c.Components.SecuritySchemes = map[string]*huma.SecurityScheme{
		bearer: {Type: "http", Scheme: "bearer", Description: "The token of the server, which changes need where others can reach it"},
	}
	c.DocsPath, c.SchemasPath = "", ""
	c.CreateHooks = nil // no links to schemas in answers
	c.RejectUnknownQueryParameters = true
	c.Transformers = []huma.Transformer{func(hc huma.Context, _ string, v any) (any, error) {
		if p, ok := v.(*guard.Problem); ok {
			r, _ := humago.Unwrap(hc)
			p.Fill(r.Context())
		}
		if u, ok := hc.Context().Value(usageKey{}).(*usage); ok {
			u.tell(hc)
		}
		return v, nil
	}}
	return c
}

// Longest is how long an answer may take to be made. Files have no such bound,
// but end with their client; neither have changes, which are the owner's to make:
// tables of a large library take longer to be made anew.
const Longest = time.Minute

// bearer names the token in the description of the interface.
const bearer = "token"

// secured returns what an operation needs: nothing where everybody who reads may ask.
func secured(p Policy) []map[string][]string {
	if p.Who == Anybody || p.Who == Readers {
		return nil
	}
	return []map[string][]string{{bearer: {}}, {}} // on the own machine it is not asked for
}

// reply is an answer with a body.
type reply[T any] struct{ Body *T }

// Nothing is an answer without one.
type Nothing struct{}

// Get registers something that can be asked.
func Get[I, O any](s *Service, p Policy, path, id, tag, summary string, f func(context.Context, *I) (*O, error)) {
	Register(s, p, http.MethodGet, path, id, tag, summary, f)
}

// Register registers an operation whose answer is a value, as JSON.
func Register[I, O any](s *Service, p Policy, method, path, id, tag, summary string, f func(context.Context, *I) (*O, error)) {
	op := huma.Operation{OperationID: id, Method: method, Path: path, Summary: summary, Tags: []string{tag}, DefaultStatus: http.StatusOK, Security: secured(p),
		MaxBodyBytes: -1, BodyReadTimeout: -1} // the guard bounds both
	s.Policies.add(p, method+" "+Prefix+path)
	if p.Turn {
		f = inTurn(s, f)
	}
	if reflect.TypeFor[O]() == reflect.TypeFor[Nothing]() {
		op.DefaultStatus = http.StatusNoContent
		huma.Register(s.huma, op, func(ctx context.Context, in *I) (*struct{}, error) {
			_, err := f(ctx, in)
			return nil, s.Problem(err)
		})
		return
	}
	huma.Register(s.huma, op, func(ctx context.Context, in *I) (*reply[O], error) {
		if method == http.MethodGet {
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(ctx, Longest)
			defer cancel()
		}
		out, err := f(ctx, in)
		if err != nil {
			return nil, s.Problem(err)
		}
		return &reply[O]{out}, nil
	})
}

// inTurn lets an operation wait for its turn, which it does by Wait when it has found
// nothing wrong with the request: one that is refused need not wait for others first.
// Whatever it looks for in the library pauses now and then.
func inTurn[I, O any](s *Service, f func(context.Context, *I) (*O, error)) func(context.Context, *I) (*O, error) {
	return func(ctx context.Context, in *I) (*O, error) {
		t := &turn{}
		defer func() {
			if t.Turn != nil {
				t.Leave()
				s.used(ctx, t.Turn)
			}
		}()
		return f(retrieve.Paced(context.WithValue(ctx, turnKey{}, t), t), in)
	}
}

// turn is that of a request, which it leaves when it is answered. It has none before it
// has waited for it.
type turn struct{ *guard.Turn }

type turnKey struct{}

// Pause is as for retrieve.Pacer.
func (t *turn) Pause(ctx context.Context) (more bool, err error) {
	if t.Turn == nil {
		return true, nil
	}
	return t.Turn.Pause(ctx)
}

// Help is as for retrieve.Pacer.
func (t *turn) Help() (done func(), ok bool) {
	if t.Turn == nil {
		return nil, false
	}
	return t.Turn.Help()
}

// Wait waits for the turn of a request whose policy is InTurn. It is called once.
func (s *Service) Wait(ctx context.Context) (err error) { return s.wait(ctx, 0) }

func (s *Service) wait(ctx context.Context, work time.Duration) error {
	t, err := s.Guard.Gate().Turn(ctx, work)
	if err == nil {
		ctx.Value(turnKey{}).(*turn).Turn = t
	}
	return err
}

// usage is what the turns of one request had. Several may be taken by one request.
type usage struct {
	mu             sync.Mutex
	worked, waited time.Duration
	cut            bool
}

type usageKey struct{}

// metered has what an operation uses told in the header of its answer.
func metered(hc huma.Context, next func(huma.Context)) {
	next(huma.WithValue(hc, usageKey{}, &usage{}))
}

// used adds a turn that is over to what the request used.
func (s *Service) used(ctx context.Context, t *guard.Turn) {
	u, ok := ctx.Value(usageKey{}).(*usage)
	if !ok {
		return
	}
	worked, waited, cut := t.Used()
	u.mu.Lock()
	defer u.mu.Unlock()
	u.worked, u.waited, u.cut = u.worked+worked, u.waited+waited, u.cut || cut
}

// tell writes what was used into the header of an answer, in milliseconds as
// Server-Timing has them, and that an answer that was cut is not to be kept.
func (u *usage) tell(hc huma.Context) {
	u.mu.Lock()
	defer u.mu.Unlock()
	ms := func(d time.Duration) string { return strconv.FormatFloat(float64(d.Microseconds())/1000, 'f', 1, 64) }
	if u.worked > 0 {
		hc.SetHeader("Server-Timing", "wait;dur="+ms(u.waited)+", work;dur="+ms(u.worked))
	}
	if u.cut {
		hc.SetHeader("Cache-Control", "no-store")
	}
}

// Plain registers an operation that writes its answer itself: a file, a
// picture, a stream of events.
func Plain[I any](s *Service, p Policy, path, id, tag, summary, contentType string, f func(ctx context.Context, in *I, w http.ResponseWriter, r *http.Request) error) {
	s.Policies.add(p, http.MethodGet+" "+Prefix+path)
	op := huma.Operation{
		OperationID: id, Method: http.MethodGet, Path: path, Summary: summary, Tags: []string{tag}, Security: secured(p),
		Responses: map[string]*huma.Response{"200": {Description: "OK", Content: map[string]*huma.MediaType{contentType: {Schema: &huma.Schema{Type: huma.TypeString}}}}},
	}
	huma.Register(s.huma, op, func(ctx context.Context, in *I) (*huma.StreamResponse, error) {
		return &huma.StreamResponse{Body: func(hc huma.Context) {
			s.serve(hc, func(w http.ResponseWriter, r *http.Request) error { return f(r.Context(), in, w, r) })
		}}, nil
	})
}

// Described registers an operation that is described by hand, since its body is read as
// it comes. It writes its answer itself, which is an O.
func Described[O any](s *Service, p Policy, op *huma.Operation, f func(http.ResponseWriter, *http.Request) error) {
	schema := s.OpenAPI().Components.Schemas.Schema(reflect.TypeFor[O](), true, reflect.TypeFor[O]().Name())
	op.SkipValidateBody, op.Security = true, secured(p)
	op.Responses = map[string]*huma.Response{"200": {Description: "OK", Content: map[string]*huma.MediaType{"application/json": {Schema: schema}}}}
	s.OpenAPI().AddOperation(op)
	s.handle(p, op.Method+" "+Prefix+op.Path, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.serve(humago.NewContext(op, r, w), f)
	}))
}

// serve hands the plain request and response of an operation to f. An error
// becomes the answer, unless some of another one was written: then it is cut
// off, so that the client does not take it for whole.
func (s *Service) serve(hc huma.Context, f func(http.ResponseWriter, *http.Request) error) {
	r, w := humago.Unwrap(hc)
	sent := &sentWriter{ResponseWriter: w}
	err := f(sent, r)
	if err == nil || r.Context().Err() != nil {
		return
	}
	if sent.sent {
		s.Log.Error("answer cut short", "path", r.URL.Path, "request", guard.RequestID(r.Context()), "err", err)
		panic(http.ErrAbortHandler)
	}
	if p, ok := errors.AsType[*guard.Problem](s.Problem(err)); ok {
		guard.Write(w, r, p)
	}
}

// sentWriter notes whether anything was written.
type sentWriter struct {
	http.ResponseWriter
	sent bool
}

func (w *sentWriter) WriteHeader(status int) { w.sent = true; w.ResponseWriter.WriteHeader(status) }

func (w *sentWriter) Write(p []byte) (int, error) { w.sent = true; return w.ResponseWriter.Write(p) }

// Unwrap gives http.ResponseController what it needs.
func (w *sentWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// WriteJSON answers with a value, where an operation writes its answer itself.
func WriteJSON(w http.ResponseWriter, v any) error {
	body, err := json.Marshal(v)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	_, err = w.Write(append(body, '\n'))
	return err
}
