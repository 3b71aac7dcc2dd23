package query

import (
	"slices"
	"strings"
)

// optionExamples are the options that take a value, each with one.
var optionExamples = map[string]string{
	"at": "at:D4", "region": "region:C3:J9", "turn": "turn:black", "plies": "plies:10..60", "next": `next:"c3 d4"`,
	"min": "min:.8", "moved": "moved:.6", "line": "line:1", "empty": "empty:.5", "relation": "relation:.2",
}

// optionName returns the canonical name of an option.
func optionName(word string) string {
	if len(word) == 1 {
		return word // the letter of a piece
	}
	switch word = strings.ToLower(word); word {
	case "ply":
		return "plies"
	case "center":
		return "centre"
	}
	return word
}

// OptionNames returns the options of a board.
func OptionNames(word string) []string {
	list := []string{"corner", "side", "centre", "floating", "fixed", "at", "mirror", "no-mirror", "swap", "no-swap", "turn", "plies", "next"}
	switch word {
	case "line":
		return []string{"mirror", "no-mirror", "swap", "no-swap"}
	case "position":
		list = append(list, "region")
	case "fuzzy":
		// What followed is asked of a board that stands there, not of one like it.
		list = append(slices.DeleteFunc(list, func(s string) bool { return s == "next" }), "region", "min", "moved", "line", "empty", "relation")
	}
	return list
}

// OptionTakes tells whether a board has an option, and whether that takes a
// value.
func OptionTakes(word, name string) (value, known bool) {
	if word == "fuzzy" && len(name) == 1 && (name[0]|0x20 >= 'a' && name[0]|0x20 <= 'z') {
		return true, true
	}
	_, value = optionExamples[name]
	return value, slices.Contains(OptionNames(word), name)
}
