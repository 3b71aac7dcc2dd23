package api

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// panics reports whether a function does.
func panics(f func()) (did bool) {
	defer func() { did = recover() != nil }()
	f()
	return
}

// TestRegistered: a route has one policy, and an error that is told a code and a hint.
func TestRegistered(t *testing.T) {
	s := New(t.Context(), nil, Options{})
	none := func(context.Context, *struct{}) (*Nothing, error) { return nil, nil }
	Get(s, Fresh, "/once", "once", "test", "Once", none)
	for name, f := range map[string]func(){
		"no policy": func() { Get(s, Policy{}, "/other", "other", "test", "Other", none) },
		"twice":     func() { Get(s, Kept, "/once", "again", "test", "Again", none) },
		"no hint":   func() { s.Mean(errors.ErrUnsupported, http.StatusConflict, "code", "") },
		"no code":   func() { s.Mean(errors.ErrUnsupported, http.StatusConflict, "", "Do something.") },
	} {
		if !panics(f) {
			t.Errorf("%s: it is taken", name)
		}
	}
}

// TestMean: of the meanings that an error has the first holds, and that of a request
// that has ended comes last.
func TestMean(t *testing.T) {
	s := New(t.Context(), nil, Options{})
	own := errors.New("own")
	s.Mean(own, http.StatusConflict, "first", "Do this.").After = 1
	s.Mean(own, http.StatusNotFound, "second", "Do that.")
	Get(s, Fresh, "/fails", "fails", "test", "Fails", func(context.Context, *struct{}) (*struct{ X int }, error) {
		return nil, fmt.Errorf("%w: %w", context.Canceled, own)
	})
	r := httptest.NewRecorder()
	s.Handler().ServeHTTP(r, httptest.NewRequest("GET", Prefix+"/fails", nil))
	if r.Code != http.StatusConflict || !strings.Contains(r.Body.String(), `"first"`) || r.Header().Get("Retry-After") != "1" {
		t.Errorf("%d %v %s", r.Code, r.Header(), r.Body)
	}
}
