package guard_test

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"

	"qipu/server/guard"
)

// A page of another site whose name was made to point to this machine gets
// nothing.
func Example() {
	g := guard.New(guard.Options{Log: slog.New(slog.DiscardHandler)})
	h := g.Wrap(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintln(w, "hello")
	}))
	for _, host := range []string{"localhost:8080", "evil.example"} {
		r := httptest.NewRequest("GET", "/", nil)
		r.Host = host
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		fmt.Println(host, w.Code, w.Header().Get("Content-Type"))
	}
	// Output:
	// localhost:8080 200 text/plain; charset=utf-8
	// evil.example 421 application/problem+json
}
