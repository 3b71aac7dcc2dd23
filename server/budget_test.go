package server

import (
	"io"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"qipu/view"
)

// TestBudget: a search that had all the work it may have tells what it found until then
// and that it is not all; nobody keeps that. What must be known as a whole is refused.
func TestBudget(t *testing.T) {
	w := newWorldWith(t, Options{Budget: time.Nanosecond})
	for range 2 { // the second time it is made anew
		r := w.request("/find", "q", "board:XO", "game", "othello")
		if h := r.Header(); r.Code != 200 || h.Get("Cache-Control") != "no-store" || !strings.Contains(h.Get("Server-Timing"), "work;dur=") {
			t.Fatalf("%d %v", r.Code, h)
		}
	}
	a := fetch[view.Answer](w, "/find", "q", "board:XO", "game", "othello")
	if a.Cut == nil || !a.Partial || a.Cut.Lines == 0 || a.Cut.Looked >= a.Cut.Lines || a.Games > int(a.Cut.Looked) {
		t.Errorf("%+v, %+v", a, a.Cut)
	}
	if r := w.request("/find/trend", "q", "board:XO", "game", "othello"); r.Code != 503 || !strings.Contains(r.Body.String(), "timeout") {
		t.Errorf("a trend: %d %s", r.Code, r.Body)
	}
	if r := w.request("/records/facets", "q", "board:XO", "game", "othello", "by", "year"); r.Code != 503 {
		t.Errorf("facets: %d %s", r.Code, r.Body)
	}
	r := httptest.NewRecorder()
	w.handler.ServeHTTP(r, httptest.NewRequest("GET", "/metrics", nil))
	text, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"\nqipu_http_work_cut_total 5\n", `qipu_http_limit{of="heavy_places"}`, `qipu_http_limit{of="work_seconds"} 1e-09`, `qipu_http_work_seconds_total{weight="`, `qipu_http_wait_seconds_bucket{weight="`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("metrics have no %q", want)
		}
	}
	whole := newWorld(t)
	if r := whole.request("/find", "q", "board:XO", "game", "othello"); r.Header().Get("Cache-Control") != "no-cache" || strings.Contains(r.Body.String(), `"cut"`) {
		t.Errorf("%v %s", r.Header(), r.Body)
	}
	if h := whole.request("/find", "q", "board:XO", "game", "othello").Header(); h.Get("Server-Timing") != "" {
		t.Errorf("work of an answer that is kept: %v", h)
	}
}
