package typescript_test

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
	"github.com/danielgtaylor/huma/v2/sse"
	"github.com/evanw/esbuild/pkg/api"

	"qipu/internal/testkit"
	"qipu/server/typescript"
)

// parses fails the test where the text is no TypeScript.
func parses(t testing.TB, text []byte) {
	t.Helper()
	for _, e := range api.Transform(string(text), api.TransformOptions{Loader: api.LoaderTS, LogLevel: api.LogLevelSilent}).Errors {
		t.Errorf("the text is no TypeScript: %s\n%s", e.Text, e.Location.LineText)
	}
}

func TestSmall(t *testing.T) {
	doc, err := os.ReadFile("testdata/small.json")
	if err != nil {
		t.Fatal(err)
	}
	got, err := typescript.Types(doc)
	if err != nil {
		t.Fatal(err)
	}
	parses(t, got)
	testkit.Golden(t, "testdata/small.ts", got)
	for range 5 {
		if again, err := typescript.Types(doc); err != nil || !bytes.Equal(got, again) {
			t.Fatalf("the same document gives another text (%v)", err)
		}
	}
}

// The types of a small API made by huma.
type (
	side  string
	stone struct {
		At   int   `json:"at" minimum:"0" doc:"The point, row by row."`
		Side side  `json:"side" enum:"black,white"`
		Age  *int  `json:"age,omitempty"`
		Near []int `json:"near" nullable:"false"`
	}
	position struct {
		Stones []stone           `json:"stones" nullable:"false"`
		Names  map[string]string `json:"names"`
		Next   *stone            `json:"next,omitempty"`
	}
	positionInput struct {
		ID   string   `path:"id"`
		Ply  int      `query:"ply" default:"0" doc:"Where to stop."`
		With []string `query:"with" enum:"names,next"`
		Tag  string   `header:"If-None-Match"`
	}
	positionOutput struct{ Body position }
	playInput      struct {
		ID   string `path:"id"`
		Body stone
	}
	uploadInput struct{ RawBody []byte }
	progress    struct {
		Done float64 `json:"done"`
	}
	finished struct {
		Games int `json:"games"`
	}
)

// TestHuma makes types from a document as the API has it.
func TestHuma(t *testing.T) {
	config := huma.DefaultConfig("Test", "1")
	config.Servers = []*huma.Server{{URL: "/api/v1"}}
	a := humago.New(http.NewServeMux(), config)
	huma.Get(a, "/positions/{id}", func(context.Context, *positionInput) (*positionOutput, error) { return nil, nil })
	huma.Post(a, "/positions/{id}/stones", func(context.Context, *playInput) (*positionOutput, error) { return nil, nil })
	huma.Post(a, "/imports", func(context.Context, *uploadInput) (*struct{}, error) { return nil, nil })
	sse.Register(a, huma.Operation{OperationID: "follow", Method: http.MethodGet, Path: "/imports/events"},
		map[string]any{"progress": progress{}, "finished": finished{}}, func(context.Context, *struct{}, sse.Sender) {})
	doc, err := a.OpenAPI().MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	got, err := typescript.Types(doc)
	if err != nil {
		t.Fatal(err)
	}
	parses(t, got)
	testkit.Golden(t, "testdata/huma.ts", got)
}

func TestRefusals(t *testing.T) {
	const head = `{"openapi":"3.1.0",`
	for _, c := range []struct{ name, doc, want string }{
		{"no JSON", `{`, "reading the OpenAPI document"},
		{"version", `{"openapi":"3.0.3"}`, `version "3.0.3"`},
		{"reference", head + `"components":{"schemas":{"A":{"$ref":"#/components/schemas/B"}}}}`, "schema A: reference #/components/schemas/B leads to no schema"},
		{"foreign reference", head + `"components":{"schemas":{"A":{"$ref":"x.json#/A"}}}}`, "leads to no schema"},
		{"member", head + `"components":{"schemas":{"A":{"type":"object","properties":{"b":{"type":"float"}}}}}}`, `schema A: member b: type "float" is not known`},
		{"name", head + `"components":{"schemas":{"A-B":{}}}}`, `"A-B" cannot be the name of a type`},
		{"word", head + `"components":{"schemas":{"class":{}}}}`, "cannot be the name of a type"},
		{"own name", head + `"components":{"schemas":{"Operations":{}}}}`, "cannot be the name of a type"},
		{"enum", head + `"components":{"schemas":{"A":{"enum":[{}]}}}}`, "cannot be a type"},
		{"parameter", head + `"paths":{"/a":{"get":{"parameters":[{"$ref":"#/x"}]}}}}`, "GET /a: parameter #/x"},
		{"twice", head + `"paths":{"/a":{"get":{}},"/api/v1/a":{"get":{}}}}`, "two paths of the document are both GET /a"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := typescript.Types([]byte(c.doc)); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want one with %q", err, c.want)
			}
		})
	}
}

// FuzzTypes states the law: what is not refused is TypeScript, and the same
// each time.
func FuzzTypes(f *testing.F) {
	doc, err := os.ReadFile("testdata/small.json")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(doc)
	f.Add([]byte(`{"openapi":"3.1.0","components":{"schemas":{"A":null,"B":{"type":["array","null"]}}},"paths":{"/":{"get":{"responses":{"200":null}}}}}`))
	f.Fuzz(func(t *testing.T, doc []byte) {
		got, err := typescript.Types(doc)
		if err != nil {
			return
		}
		parses(t, got)
		if again, _ := typescript.Types(doc); !bytes.Equal(got, again) {
			t.Error("the same document gives another text")
		}
	})
}

func ExampleTypes() {
	text, err := typescript.Types([]byte(`{
		"openapi": "3.1.0",
		"components": {"schemas": {"Move": {"type": "object", "required": ["to"], "properties": {
			"to": {"type": "integer", "description": "Where it ends."}, "from": {"type": "integer"}}}}},
		"paths": {"/api/v1/moves": {"get": {"responses": {"200": {"content": {"application/json": {
			"schema": {"type": "array", "items": {"$ref": "#/components/schemas/Move"}}}}}}}}}
	}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	_, text, _ = bytes.Cut(text, []byte("\n\n"))
	fmt.Printf("%s", text)
	// Output:
	// export interface Move {
	//   from?: number;
	//   /** Where it ends. */
	//   to: number;
	// }
	//
	// /** Every operation of the API: what it takes and what it answers. */
	// export interface Operations {
	//   'GET /moves': {
	//     path: { [name: string]: never };
	//     query: { [name: string]: never };
	//     body: undefined;
	//     reply: Move[];
	//   };
	// }
}
