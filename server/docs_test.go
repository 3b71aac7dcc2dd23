package server

import (
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"testing"
)

// TestDocument asks everything that docs/server.md says can be asked.
func TestDocument(t *testing.T) {
	text, err := os.ReadFile("../docs/server.md")
	if err != nil {
		t.Fatal(err)
	}
	w := newWorld(t)
	handler := w.Guard.Wrap(w.handler)
	_, block, _ := strings.Cut(string(text), "```http\n")
	block, _, _ = strings.Cut(block, "```")
	lines := strings.Split(strings.TrimSpace(block), "\n")
	if len(lines) < 10 {
		t.Fatalf("%d requests in the document", len(lines))
	}
	for _, line := range lines {
		method, target, _ := strings.Cut(line, " ")
		path, query, _ := strings.Cut(target, "?")
		values := url.Values{}
		for pair := range strings.SplitSeq(query, "&") {
			if name, value, ok := strings.Cut(pair, "="); ok {
				values.Add(name, value)
			}
		}
		if code := request(t, handler, httptest.NewRequest(method, "http://localhost"+path+"?"+values.Encode(), nil)); code != 200 {
			t.Errorf("%s: %d", line, code)
		}
	}
}
