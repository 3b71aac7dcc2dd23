package server

import (
	"encoding/json"
	"slices"
	"testing"

	"qipu/internal/testkit"
	"qipu/server/typescript"
)

// TestTypes keeps the types of the client what the interface says. Run it with
// -rewrite after a change.
func TestTypes(t *testing.T) {
	s, err := New(t.Context(), nil, Options{})
	if err != nil {
		t.Fatal(err)
	}
	doc, err := json.Marshal(s.api.OpenAPI())
	if err != nil {
		t.Fatal(err)
	}
	types, err := typescript.Types(doc)
	if err != nil {
		t.Fatal(err)
	}
	testkit.Golden(t, "../web/src/api.ts", types)
}

// TestDescribed: whoever reads the description of the interface finds a word on
// every parameter and every member of an answer, and which changes need the token.
func TestDescribed(t *testing.T) {
	w := newWorld(t)
	drawn := []string{"Caption", "Geometry", "Labels", "Look", "Names", "Size", "Spot", "Theme"} // of the board, where the code describes them
	for name, schema := range w.api.OpenAPI().Components.Schemas.Map() {
		for member, s := range schema.Properties {
			if s.Description == "" && s.Ref == "" && !slices.Contains(drawn, name) {
				t.Errorf("%s.%s is not described", name, member)
			}
		}
	}
	for _, e := range endpoints(w.Server) {
		for _, p := range e.op.Parameters {
			if p.Description == "" {
				t.Errorf("%s %s: the parameter %s is not described", e.method, e.path, p.Name)
			}
		}
		open := e.method == "GET" || e.path == "/read" || e.path == "/convert" || e.path == "/shapes/check" || e.path == "/judge"
		if e.op.Summary == "" || open != (len(e.op.Security) == 0) {
			t.Errorf("%s %s: summary %q, security %v", e.method, e.path, e.op.Summary, e.op.Security)
		}
	}
	for _, m := range meanings {
		if m.code == "" || m.hint == "" {
			t.Errorf("%v has no code or no hint", m.err)
		}
	}
}
