package typescript

import (
	"bytes"
	"encoding/json"
)

// document is the part of an OpenAPI document that types are made of.
type document struct {
	OpenAPI    string                                `json:"openapi"`
	Servers    []struct{ URL string }                `json:"servers"`
	Paths      map[string]map[string]json.RawMessage `json:"paths"`
	Components struct {
		Schemas map[string]*schema `json:"schemas"`
	} `json:"components"`
}

// methods are the members of a path that are operations, in the order in which
// they are written.
var methods = []string{"get", "put", "post", "patch", "delete"}

type operation struct {
	Summary     string               `json:"summary"`
	Description string               `json:"description"`
	Deprecated  bool                 `json:"deprecated"`
	Parameters  []parameter          `json:"parameters"`
	RequestBody *message             `json:"requestBody"`
	Responses   map[string]*response `json:"responses"`
}

type parameter struct {
	Ref         string  `json:"$ref"`
	Name        string  `json:"name"`
	In          string  `json:"in"`
	Description string  `json:"description"`
	Required    bool    `json:"required"`
	Schema      *schema `json:"schema"`
}

type message struct {
	Ref      string           `json:"$ref"`
	Required bool             `json:"required"`
	Content  map[string]media `json:"content"`
}

type response struct {
	Ref     string           `json:"$ref"`
	Content map[string]media `json:"content"`
}

type media struct {
	Schema *schema `json:"schema"`
}

// schema is a JSON schema. A schema may be true or false too: anything, or
// nothing.
type schema struct {
	Never bool `json:"-"` // the schema false
	Loose bool `json:"-"` // a parameter that may be left out by the value undefined

	Ref         string             `json:"$ref"`
	Type        oneOrMore          `json:"type"`
	Description string             `json:"description"`
	Deprecated  bool               `json:"deprecated"`
	Enum        []json.RawMessage  `json:"enum"`
	Const       json.RawMessage    `json:"const"`
	Items       *schema            `json:"items"`
	PrefixItems []*schema          `json:"prefixItems"`
	Properties  map[string]*schema `json:"properties"`
	Required    []string           `json:"required"`
	Additional  *schema            `json:"additionalProperties"`
	OneOf       []*schema          `json:"oneOf"`
	AnyOf       []*schema          `json:"anyOf"`
	AllOf       []*schema          `json:"allOf"`
}

func (s *schema) UnmarshalJSON(data []byte) error {
	switch string(bytes.TrimSpace(data)) {
	case "true":
		return nil
	case "false":
		s.Never = true
		return nil
	}
	type plain schema // without this method
	return json.Unmarshal(data, (*plain)(s))
}

// oneOrMore is a string or a list of strings.
type oneOrMore []string

func (o *oneOrMore) UnmarshalJSON(data []byte) error {
	var one string
	if json.Unmarshal(data, &one) == nil {
		*o = oneOrMore{one}
		return nil
	}
	return json.Unmarshal(data, (*[]string)(o))
}
