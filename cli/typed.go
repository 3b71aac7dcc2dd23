package cli

import "encoding/json"

// Typed returns an object as --json prints it among others: the first thing that it
// tells is what it is.
func Typed(name string, object any) json.Marshaler { return typed{name, object} }

type typed struct {
	name   string
	object any
}

func (t typed) MarshalJSON() ([]byte, error) {
	body, err := MarshalLine(t.object)
	if err != nil {
		return nil, err
	}
	head, err := json.Marshal(t.name)
	if err != nil {
		return nil, err
	}
	out := append([]byte(`{"type":`), head...)
	if len(body) > len("{}\n") {
		out = append(out, ',')
	}
	return append(out, body[1:]...), nil
}
