package cli

import (
	"strings"
)

// Words splits a command line at spaces outside double quotes.
func Words(line string) []string {
	var list []string
	quoted := false
	for _, f := range strings.FieldsFunc(line, func(r rune) bool {
		if r == '"' {
			quoted = !quoted
		}
		return r == ' ' && !quoted
	}) {
		list = append(list, strings.Trim(f, `"`))
	}
	return list
}
