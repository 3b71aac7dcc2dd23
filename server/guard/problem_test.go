//qipu:race

package guard

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

func TestProblem(t *testing.T) {
	err := fmt.Errorf("find: %w", NewProblem(404, "not-found", "no record has the number 7", "look it up with qipu find").After(1500*time.Millisecond))
	var p *Problem
	if !errors.As(err, &p) || err.Error() != "find: no record has the number 7 (look it up with qipu find)" {
		t.Fatal(err)
	}
	// The methods by which huma takes it as an answer.
	if p.GetStatus() != 404 || p.ContentType("application/json") != ProblemType || p.GetHeaders().Get("Retry-After") != "2" {
		t.Errorf("%d %s %v", p.GetStatus(), p.ContentType(""), p.GetHeaders())
	}
	if got := (&Problem{Status: 404}).Error(); got != "Not Found" {
		t.Errorf("error %q", got)
	}
	for err, want := range map[error]string{errors.New("x"): "", &http.MaxBytesError{Limit: 3 << 30}: "3 GiB", &http.MaxBytesError{Limit: 1500}: "1500 bytes"} {
		if p, ok := TooLarge(fmt.Errorf("read: %w", err)); ok != (want != "") || ok && !strings.HasSuffix(p.Detail, want) {
			t.Errorf("%v: %v %v", err, p, ok)
		}
	}
}

// A problem takes back what was said of the answer in whose place it comes, and
// a status that is none for a problem does not hide it.
func TestWrite(t *testing.T) {
	w := httptest.NewRecorder()
	for _, k := range []string{"ETag", "Content-Length", "Content-Disposition", "Last-Modified"} {
		w.Header().Set(k, "7")
	}
	w.Header().Set("Cache-Control", "immutable")
	p := &Problem{Status: 200, Errors: []FieldError{{"query.q", "is empty"}}}
	Write(w, httptest.NewRequest("GET", "/", nil), p.With("X-Test", "1"))
	if want := `{"type":"about:blank","title":"Internal Server Error","status":500,"errors":[{"field":"query.q","detail":"is empty"}]}` + "\n"; w.Code != 500 || w.Body.String() != want {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	want := http.Header{"Content-Type": {ProblemType}, "Cache-Control": {"no-store"}, "X-Test": {"1"}}
	if fmt.Sprint(w.Header()) != fmt.Sprint(want) {
		t.Errorf("headers %v", w.Header())
	}
	if p.Status != 200 {
		t.Error("the problem was changed")
	}
}
