package server

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"reflect"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"qipu"
	"qipu/server/guard"
)

// config returns how the interface is described. The document is served as
// /api/v1/openapi.json; its readable page is one of the client's.
func config() huma.Config {
	c := huma.DefaultConfig("Qipu", qipu.Version)
	c.Info.Description = "Board-game records as knowledge: search, explore, view, import. Points are numbers, counted row by row from the top left from 0; sides are 0 for the first mover and 1 for the second."
	c.Servers = []*huma.Server{{URL: prefix}}
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
		return v, nil
	}}
	return c
}

// longest is how long an answer may take to be made. Files have no such bound,
// but end with their client; neither have changes, which are the owner's to make:
// tables of a large library take longer to be made anew.
const longest = time.Minute

// bearer names the token in the description of the interface.
const bearer = "token"

// secured returns what an operation needs: nothing where everybody may ask.
func secured(p Policy, method string) []map[string][]string {
	if method == http.MethodGet || p.Who == Anybody {
		return nil
	}
	return []map[string][]string{{bearer: {}}, {}} // on the own machine it is not asked for
}

// reply is an answer with a body.
type reply[T any] struct{ Body *T }

// nothing is an answer without one.
type nothing struct{}

// get registers something that can be asked.
func get[I, O any](s *Server, p Policy, path, id, tag, summary string, f func(context.Context, *I) (*O, error)) {
	register(s, p, http.MethodGet, path, id, tag, summary, f)
}

// register registers an operation whose answer is a value, as JSON.
func register[I, O any](s *Server, p Policy, method, path, id, tag, summary string, f func(context.Context, *I) (*O, error)) {
	op := huma.Operation{OperationID: id, Method: method, Path: path, Summary: summary, Tags: []string{tag}, DefaultStatus: http.StatusOK, Security: secured(p, method),
		MaxBodyBytes: -1, BodyReadTimeout: -1} // the guard bounds both
	s.policies.add(p, method+" "+prefix+path)
	if reflect.TypeFor[O]() == reflect.TypeFor[nothing]() {
		op.DefaultStatus = http.StatusNoContent
		huma.Register(s.api, op, func(ctx context.Context, in *I) (*struct{}, error) {
			_, err := f(ctx, in)
			return nil, s.problem(err)
		})
		return
	}
	huma.Register(s.api, op, func(ctx context.Context, in *I) (*reply[O], error) {
		if method == http.MethodGet {
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(ctx, longest)
			defer cancel()
		}
		out, err := f(ctx, in)
		if err != nil {
			return nil, s.problem(err)
		}
		return &reply[O]{out}, nil
	})
}

// plain registers an operation that writes its answer itself: a file, a
// picture, a stream of events.
func plain[I any](s *Server, p Policy, path, id, tag, summary, contentType string, f func(ctx context.Context, in *I, w http.ResponseWriter, r *http.Request) error) {
	s.policies.add(p, http.MethodGet+" "+prefix+path)
	op := huma.Operation{
		OperationID: id, Method: http.MethodGet, Path: path, Summary: summary, Tags: []string{tag},
		Responses: map[string]*huma.Response{"200": {Description: "OK", Content: map[string]*huma.MediaType{contentType: {Schema: &huma.Schema{Type: huma.TypeString}}}}},
	}
	huma.Register(s.api, op, func(ctx context.Context, in *I) (*huma.StreamResponse, error) {
		return &huma.StreamResponse{Body: func(hc huma.Context) {
			s.serve(hc, func(w http.ResponseWriter, r *http.Request) error { return f(r.Context(), in, w, r) })
		}}, nil
	})
}

// serve hands the plain request and response of an operation to f. An error
// becomes the answer, unless some of another one was written: then it is cut
// off, so that the client does not take it for whole.
func (s *Server) serve(hc huma.Context, f func(http.ResponseWriter, *http.Request) error) {
	r, w := humago.Unwrap(hc)
	sent := &sentWriter{ResponseWriter: w}
	err := f(sent, r)
	if err == nil || r.Context().Err() != nil {
		return
	}
	if sent.sent {
		s.log.Error("answer cut short", "path", r.URL.Path, "request", guard.RequestID(r.Context()), "err", err)
		panic(http.ErrAbortHandler)
	}
	if p, ok := errors.AsType[*guard.Problem](s.problem(err)); ok {
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

// writeJSON answers with a value, where an operation writes its answer itself.
func writeJSON(w http.ResponseWriter, v any) error {
	body, err := json.Marshal(v)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	_, err = w.Write(append(body, '\n'))
	return err
}
