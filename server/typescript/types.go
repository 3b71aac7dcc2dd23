package typescript

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// base is where the API lies; it is no part of the names of operations.
const base = "/api/v1"

const header = `// The types of the API, written by package server/typescript from its OpenAPI
// document. Not for editing: change the API, then have its tests write this anew.
`

// Types writes the types of an OpenAPI 3.1 document in JSON. The same document
// always gives the same text: all names are sorted.
func Types(openapi []byte) ([]byte, error) {
	var doc document
	if err := json.Unmarshal(openapi, &doc); err != nil {
		return nil, fmt.Errorf("typescript: reading the OpenAPI document: %w", err)
	}
	if !strings.HasPrefix(doc.OpenAPI, "3.1.") {
		return nil, fmt.Errorf("typescript: version %q of OpenAPI is not known: give a document of version 3.1", doc.OpenAPI)
	}
	w := &writer{schemas: doc.Components.Schemas}
	w.WriteString(header)
	if err := w.components(); err != nil {
		return nil, fmt.Errorf("typescript: %w", err)
	}
	if err := w.operations(&doc); err != nil {
		return nil, fmt.Errorf("typescript: %w", err)
	}
	return w.Bytes(), nil
}

// writer gathers the text. A type is made as a string of one or more lines,
// indented for the place where it will stand.
type writer struct {
	bytes.Buffer
	schemas map[string]*schema
}

var (
	member   = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
	typeName = regexp.MustCompile(`^[A-Z][A-Za-z0-9_]*$`) // a capital keeps clear of the words of the language
)

// taken are names that the text uses itself.
var taken = []string{"Operations", "Blob", "FormData"}

func (w *writer) components() error {
	for _, name := range slices.Sorted(maps.Keys(w.schemas)) {
		s := w.schemas[name]
		if s == nil {
			s = &schema{}
		}
		if !typeName.MatchString(name) || slices.Contains(taken, name) {
			return fmt.Errorf("schema %q cannot be the name of a type: give it another in the API", name)
		}
		w.WriteByte('\n')
		w.WriteString(comment("", s.Description, s.Deprecated))
		t, err := w.typeOf(s, "")
		if err != nil {
			return fmt.Errorf("schema %s: %w", name, err)
		}
		if s.isObject() && strings.HasPrefix(t, "{\n") {
			fmt.Fprintf(w, "export interface %s %s\n", name, t)
		} else {
			fmt.Fprintf(w, "export type %s = %s;\n", name, t)
		}
	}
	return nil
}

// isObject reports whether the schema is an object and nothing else.
func (s *schema) isObject() bool {
	return len(s.Type) == 1 && s.Type[0] == "object" && s.Ref == "" && len(s.OneOf)+len(s.AnyOf)+len(s.AllOf)+len(s.Enum) == 0 && s.Const == nil
}

func (w *writer) operations(doc *document) error {
	prefix := ""
	if len(doc.Servers) > 0 {
		if u, err := url.Parse(doc.Servers[0].URL); err == nil {
			prefix = strings.TrimSuffix(u.Path, "/")
		}
	}
	w.WriteString("\n/** Every operation of the API: what it takes and what it answers. */\nexport interface Operations {\n")
	seen := map[string]bool{}
	for _, path := range slices.Sorted(maps.Keys(doc.Paths)) {
		item := doc.Paths[path]
		short := under(under(path, prefix), base)
		var shared []parameter
		if raw, ok := item["parameters"]; ok {
			if err := json.Unmarshal(raw, &shared); err != nil {
				return fmt.Errorf("path %s: %w", path, err)
			}
		}
		for _, method := range methods {
			raw, ok := item[method]
			if !ok {
				continue
			}
			name := strings.ToUpper(method) + " " + short
			if seen[name] {
				return fmt.Errorf("two paths of the document are both %s", name)
			}
			seen[name] = true
			var op operation
			if err := json.Unmarshal(raw, &op); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			op.Parameters = append(slices.Clone(shared), op.Parameters...)
			if err := w.operation(name, &op); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	w.WriteString("}\n")
	return nil
}

// under takes a prefix of whole segments off a path.
func under(path, prefix string) string {
	if rest, ok := strings.CutPrefix(path, prefix); ok && strings.HasPrefix(rest, "/") {
		return rest
	}
	return path
}

func (w *writer) operation(name string, op *operation) error {
	const indent = "    "
	about := op.Summary
	if op.Description != "" {
		about = strings.TrimSpace(about + "\n\n" + op.Description)
	}
	fmt.Fprintf(w, "%s  %s: {\n", comment("  ", about, op.Deprecated), quote(name))
	for _, in := range []string{"path", "query"} {
		object := &schema{Type: oneOrMore{"object"}, Properties: map[string]*schema{}}
		for _, p := range op.Parameters {
			if p.Ref != "" {
				return fmt.Errorf("parameter %s: references to parameters are not known", p.Ref)
			}
			if p.In != in {
				continue
			}
			s := schema{}
			if p.Schema != nil {
				s = *p.Schema
			}
			if p.Description != "" {
				s.Description = p.Description
			}
			// A URL has no null, though huma says that a list may be.
			s.Type = slices.DeleteFunc(slices.Clone(s.Type), func(t string) bool { return t == "null" })
			if p.Required || in == "path" {
				object.Required = append(object.Required, p.Name)
			} else {
				s.Loose = true
			}
			object.Properties[p.Name] = &s
		}
		t := "{ [name: string]: never }"
		if len(object.Properties) > 0 {
			var err error
			if t, err = w.typeOf(object, indent); err != nil {
				return fmt.Errorf("%s: %w", in, err)
			}
		}
		fmt.Fprintf(w, "%s%s: %s;\n", indent, in, t)
	}
	body, err := w.body(op.RequestBody, indent)
	if err != nil {
		return fmt.Errorf("body: %w", err)
	}
	fmt.Fprintf(w, "%sbody: %s;\n", indent, body)
	reply, events, err := w.reply(op.Responses, indent)
	if err != nil {
		return fmt.Errorf("reply: %w", err)
	}
	fmt.Fprintf(w, "%sreply: %s;\n", indent, reply)
	if events != "" {
		fmt.Fprintf(w, "%sevents: %s;\n", indent, events)
	}
	w.WriteString("  };\n")
	return nil
}

func (w *writer) body(m *message, indent string) (string, error) {
	if m == nil {
		return "undefined", nil
	}
	if m.Ref != "" {
		return "", errors.New("references to bodies are not known")
	}
	t, err := w.content(m.Content, indent)
	if err == nil && !m.Required {
		t = union([]string{t, "undefined"})
	}
	return t, err
}

const eventStream = "text/event-stream"

// reply returns the type of what the operation answers when it succeeds, and
// the events by their names where it is a stream.
func (w *writer) reply(responses map[string]*response, indent string) (reply, events string, err error) {
	var all []string
	for _, status := range slices.Sorted(maps.Keys(responses)) {
		r := responses[status]
		if r == nil || !strings.HasPrefix(status, "2") {
			continue
		}
		if r.Ref != "" {
			return "", "", errors.New("references to responses are not known")
		}
		content := r.Content
		if m, ok := content[eventStream]; ok {
			if events, err = w.events(m.Schema, indent); err != nil {
				return "", "", err
			}
			content = maps.Clone(content)
			delete(content, eventStream)
			if len(content) == 0 {
				continue
			}
		}
		t, err := w.content(content, indent)
		if err != nil {
			return "", "", err
		}
		all = append(all, t)
	}
	switch {
	case len(all) > 0:
		return union(all), events, nil
	case events != "":
		return "never", events, nil // a stream is followed, not awaited
	}
	return "undefined", "", nil
}

// events reads the schema that huma's package sse writes: a list of objects,
// each with the name of the event as a constant and the type of its data.
func (w *writer) events(s *schema, indent string) (string, error) {
	object := &schema{Type: oneOrMore{"object"}, Properties: map[string]*schema{}}
	if s != nil && s.Items != nil {
		for _, e := range s.Items.OneOf {
			if e == nil || e.Properties["event"] == nil || e.Properties["data"] == nil {
				continue
			}
			var name string
			if err := json.Unmarshal(e.Properties["event"].Const, &name); err != nil {
				continue
			}
			object.Properties[name] = e.Properties["data"]
			object.Required = append(object.Required, name)
		}
	}
	if len(object.Properties) == 0 {
		return "{ [name: string]: unknown }", nil
	}
	return w.typeOf(object, indent)
}

// content returns the type of a body that may come in several media types.
func (w *writer) content(content map[string]media, indent string) (string, error) {
	var all []string
	for _, kind := range slices.Sorted(maps.Keys(content)) {
		switch {
		case kind == "application/json" || strings.HasSuffix(kind, "+json"):
			t, err := w.typeOf(content[kind].Schema, indent)
			if err != nil {
				return "", err
			}
			all = append(all, t)
		case kind == "multipart/form-data":
			all = append(all, "FormData")
		case strings.HasPrefix(kind, "text/") || strings.HasSuffix(kind, "+xml") || kind == "application/x-ndjson":
			all = append(all, "string")
		default:
			all = append(all, "Blob")
		}
	}
	if len(all) == 0 {
		return "undefined", nil
	}
	return union(all), nil
}

// typeOf returns a schema as a type. indent is that of the line where the type
// begins; further lines are indented by it.
func (w *writer) typeOf(s *schema, indent string) (string, error) {
	switch {
	case s == nil:
		return "unknown", nil
	case s.Never:
		return "never", nil
	case s.Ref != "":
		name, ok := strings.CutPrefix(s.Ref, "#/components/schemas/")
		if _, known := w.schemas[name]; !ok || !known {
			return "", fmt.Errorf("reference %s leads to no schema of the document", s.Ref)
		}
		return name, nil
	case s.Const != nil:
		return literal(s.Const)
	case len(s.Enum) > 0:
		var all []string
		for _, v := range s.Enum {
			t, err := literal(v)
			if err != nil {
				return "", err
			}
			all = append(all, t)
		}
		if slices.Contains(s.Type, "null") {
			all = append(all, "null")
		}
		return union(all), nil
	case len(s.OneOf) > 0:
		return w.several(s.OneOf, indent, union)
	case len(s.AnyOf) > 0:
		return w.several(s.AnyOf, indent, union)
	case len(s.AllOf) > 0:
		return w.several(s.AllOf, indent, func(all []string) string { return strings.Join(wrapped(all), " & ") })
	}
	kinds := s.Type
	if len(kinds) == 0 {
		switch {
		case s.Properties != nil || s.Additional != nil:
			kinds = oneOrMore{"object"}
		case s.Items != nil || s.PrefixItems != nil:
			kinds = oneOrMore{"array"}
		default:
			return "unknown", nil
		}
	}
	var all []string
	for _, kind := range kinds {
		t, err := w.typeOfKind(kind, s, indent)
		if err != nil {
			return "", err
		}
		all = append(all, t)
	}
	return union(all), nil
}

func (w *writer) typeOfKind(kind string, s *schema, indent string) (string, error) {
	switch kind {
	case "string", "boolean", "null":
		return kind, nil
	case "integer", "number":
		return "number", nil
	case "array":
		if len(s.PrefixItems) > 0 {
			return w.several(s.PrefixItems, indent, func(all []string) string { return "[" + strings.Join(all, ", ") + "]" })
		}
		t, err := w.typeOf(s.Items, indent)
		return wrapped([]string{t})[0] + "[]", err
	case "object":
		return w.object(s, indent)
	}
	return "", fmt.Errorf("type %q is not known", kind)
}

// object writes the members one a line. Maps are written as such and not by
// Record: an API of game records may well have a type of that name.
func (w *writer) object(s *schema, indent string) (string, error) {
	names := slices.Sorted(maps.Keys(s.Properties))
	// huma adds $schema to every object, for editors; no program reads it.
	names = slices.DeleteFunc(names, func(n string) bool { return n == "$schema" })
	if len(names) == 0 {
		if s.Additional == nil {
			return "{ [name: string]: unknown }", nil
		}
		t, err := w.typeOf(s.Additional, indent)
		return "{ [name: string]: " + t + " }", err
	}
	var b strings.Builder
	b.WriteString("{\n")
	inner := indent + "  "
	for _, name := range names {
		p := s.Properties[name]
		t, err := w.typeOf(p, inner)
		if err != nil {
			return "", fmt.Errorf("member %s: %w", name, err)
		}
		if p != nil {
			b.WriteString(comment(inner, p.Description, p.Deprecated))
			if p.Loose {
				t = union([]string{t, "undefined"})
			}
		}
		optional := "?"
		if slices.Contains(s.Required, name) {
			optional = ""
		}
		key := name
		if !member.MatchString(name) {
			key = quote(name)
		}
		fmt.Fprintf(&b, "%s%s%s: %s;\n", inner, key, optional, t)
	}
	if s.Additional != nil && !s.Additional.Never {
		// The members above must fit too, whatever the schema says of the others.
		fmt.Fprintf(&b, "%s[name: string]: unknown;\n", inner)
	}
	return b.String() + indent + "}", nil
}

func (w *writer) several(list []*schema, indent string, join func([]string) string) (string, error) {
	var all []string
	for _, s := range list {
		t, err := w.typeOf(s, indent)
		if err != nil {
			return "", err
		}
		all = append(all, t)
	}
	return join(all), nil
}

// union joins types by |, each once, null and undefined at the end.
func union(all []string) string {
	var out, last []string
	for _, t := range all {
		to := &out
		if t == "null" || t == "undefined" {
			to = &last
		}
		if !slices.Contains(*to, t) {
			*to = append(*to, t)
		}
	}
	return strings.Join(append(out, last...), " | ")
}

// wrapped puts unions and intersections into parentheses. A type that begins as
// an object or a tuple is wrapped too when it holds either, which is rare and
// does no harm.
func wrapped(all []string) []string {
	out := slices.Clone(all)
	for i, t := range out {
		if strings.Contains(t, " | ") || strings.Contains(t, " & ") {
			out[i] = "(" + t + ")"
		}
	}
	return out
}

// literal writes a JSON value as a type.
func literal(raw json.RawMessage) (string, error) {
	var v any
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		return "", err
	}
	switch v := v.(type) {
	case string:
		return quote(v), nil
	case json.Number:
		return v.String(), nil
	case bool:
		return fmt.Sprint(v), nil
	case nil:
		return "null", nil
	}
	return "", fmt.Errorf("the value %s cannot be a type: only strings, numbers, booleans and null can", raw)
}

// quote writes a string of TypeScript in single quotes.
func quote(s string) string {
	var b strings.Builder
	b.WriteByte('\'')
	for _, r := range s {
		switch {
		case r == '\'' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < ' ' || r == 0x7f || r == 0x2028 || r == 0x2029 || r == 0xfeff:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('\'')
	return b.String()
}

// width is where lines of comments are broken.
const width = 110

// comment writes a doc comment, or nothing where there is nothing to say.
func comment(indent, text string, deprecated bool) string {
	text = strings.TrimSpace(strings.ReplaceAll(text, "*/", "*\u200b/"))
	if deprecated {
		text = strings.TrimSpace(text + "\n\n@deprecated")
	}
	if text == "" {
		return ""
	}
	lines := wrap(text, width-len(indent)-3)
	if len(lines) == 1 {
		return indent + "/** " + lines[0] + " */\n"
	}
	var b strings.Builder
	b.WriteString(indent + "/**\n")
	for _, l := range lines {
		b.WriteString(strings.TrimRight(indent+" * "+l, " ") + "\n")
	}
	return b.String() + indent + " */\n"
}

// wrap breaks a text at blanks. Its own line breaks stay.
func wrap(text string, width int) []string {
	var out []string
	for line := range strings.Lines(text) {
		cur := ""
		for _, word := range strings.Fields(line) {
			if cur != "" && len(cur)+1+len(word) > width {
				out, cur = append(out, cur), ""
			}
			if cur != "" {
				cur += " "
			}
			cur += word
		}
		out = append(out, cur)
	}
	return out
}
