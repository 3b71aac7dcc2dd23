package server

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"qipu/internal/testkit"
	"qipu/server/api"
)

// What writes the types of the client, and the compiler that it works with.
var generator = []string{"openapi-typescript@7.13.0", "typescript@5.9.3"}

// TestTypes keeps the types of the client what the interface says: web/types/api.ts
// begins with the sum of the document that it was made of. Under -rewrite they
// are written anew, and with QIPU_NPM compared in full, both of which need npm.
func TestTypes(t *testing.T) {
	const path = "../web/types/api.ts"
	s, err := New(t.Context(), nil, Options{})
	if err != nil {
		t.Fatal(err)
	}
	doc, err := json.Marshal(s.OpenAPI())
	if err != nil {
		t.Fatal(err)
	}
	head := fmt.Sprintf("// The types of the interface, by %s of the OpenAPI document with the sum\n// %x\n", generator[0], sha256.Sum256(doc))
	if testkit.Rewriting() || os.Getenv("QIPU_NPM") != "" {
		testkit.Golden(t, path, append([]byte(head), generated(t, doc)...))
		return
	}
	types, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(string(types), head) {
		t.Errorf("%s was made of another interface: run make api, and read the diff", path)
	}
}

// generated has npm run the generator.
func generated(t *testing.T, doc []byte) []byte {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "openapi.json"), doc, 0o666); err != nil {
		t.Fatal(err)
	}
	args := []string{"exec", "--yes", "--loglevel", "error"}
	for _, p := range generator {
		args = append(args, "--package", p)
	}
	cmd := exec.CommandContext(t.Context(), "npm", append(args, "--", "openapi-typescript", "openapi.json", "-o", "api.ts",
		"--root-types", "--root-types-no-schema-prefix", "--default-non-nullable", "false")...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("npm: %v\n%s", err, out)
	}
	types, err := os.ReadFile(filepath.Join(dir, "api.ts"))
	if err != nil {
		t.Fatal(err)
	}
	return types
}

// TestDescribed: whoever reads the description of the interface finds a word on
// every parameter and every member of an answer, and which changes need the token.
func TestDescribed(t *testing.T) {
	w := newWorld(t)
	drawn := []string{"Caption", "Geometry", "Labels", "Look", "Names", "Segment", "Shade", "Size", "Spot", "Theme"} // of the board, where the code describes them
	for name, schema := range w.OpenAPI().Components.Schemas.Map() {
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
		policy := w.Policy(httptest.NewRequest(e.method, api.Prefix+slot.ReplaceAllString(e.path, "77"), nil))
		open := policy.Who == api.Anybody || policy.Who == api.Readers
		if e.op.Summary == "" || open != (len(e.op.Security) == 0) {
			t.Errorf("%s %s: summary %q, security %v, for %s", e.method, e.path, e.op.Summary, e.op.Security, policy.Who)
		}
	}
}
