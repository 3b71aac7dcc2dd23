package server

import (
	"strings"
	"testing"
)

// TestClusters: of too few games it is said that they are too few.
func TestClusters(t *testing.T) {
	w := newWorld(t)
	for _, sort := range []string{"patterns", "openings", "players"} {
		if r := w.request("/clusters", "game", "xiangqi", "sort", sort); r.Code != 404 || !strings.Contains(r.Body.String(), "fewer than") {
			t.Errorf("%s: %d %s", sort, r.Code, r.Body)
		}
	}
}
