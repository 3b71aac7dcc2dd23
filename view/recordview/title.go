package recordview

import (
	"strings"

	"qipu/record"
)

// TitleOf is a line that names a record.
func TitleOf(g *record.Game) string {
	names := make([]string, len(g.Facts.Players))
	for i := range names {
		if names[i] = g.Facts.Players[i].Name; names[i] == "" {
			names[i] = "?"
		}
	}
	return strings.Join(names, " - ")
}
