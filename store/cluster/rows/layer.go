package rows

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"qipu/store"
)

// What was corrected of a game is part of its document, as all else is that readers see:
// the column encoding of the table game has, behind the name of an encoding, a zero byte and
// the corrections as JSON, by field. The columns of headers of other tables have what was
// corrected; the record and its bytes stay. Of most documents nothing was corrected, and
// libraries of any age have the column.

// Encoding returns what the column encoding has.
func Encoding(name string, layer []store.Correction) string {
	if len(layer) == 0 {
		return name
	}
	values := map[string]string{}
	for _, c := range layer {
		values[c.Field] = *c.Value
	}
	data, err := json.Marshal(values)
	if err != nil {
		panic(err) // a map of texts
	}
	return name + "\x00" + string(data)
}

// Layer is the inverse of Encoding. The corrections are in the order of fields, and of no
// game yet.
func Layer(column string) (name string, layer []store.Correction) {
	name, data, corrected := strings.Cut(column, "\x00")
	if !corrected {
		return column, nil
	}
	values := map[string]string{}
	if json.Unmarshal([]byte(data), &values) != nil {
		return name, nil // no program writes such
	}
	for _, field := range slices.Sorted(maps.Keys(values)) {
		value := values[field]
		layer = append(layer, store.Correction{Field: field, Value: &value})
	}
	return name, layer
}

// HasLayer is the condition that something was corrected of a row of game.
const HasLayer = `position(encoding, '\0') > 0`
