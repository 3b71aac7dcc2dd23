package gtp

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"qipu/engine/trace"
)

// counted answers qipu-counters: on and off say whether thoughts are counted, and without
// a word the counts of the last one are told, a line each.
func (s *session) counted(_ context.Context, args []string) (string, error) {
	switch {
	case len(args) == 1 && (args[0] == "on" || args[0] == "off"):
		s.counts, s.counters = args[0] == "on", nil
		return "", nil
	case len(args) > 0:
		return "", syntaxError
	case !s.counts:
		return "", errors.New("nothing is counted: qipu-counters on counts from the next thought on")
	case s.counters == nil:
		return "", errors.New("no thought was counted yet, or the engine tells no counts")
	}
	c := s.counters
	var b strings.Builder
	nodes, leaves := c.Sum()
	fmt.Fprintf(&b, "nodes %d\nleaves %d\nhits %d\nuntold %d\n", nodes, leaves, c.Hits, c.Untold)
	for ply, n := range c.Nodes {
		at := int64(0)
		if ply < len(c.Leaves) {
			at = c.Leaves[ply]
		}
		fmt.Fprintf(&b, "ply %d %d %d\n", ply, n, at)
	}
	for why, n := range c.By {
		if n > 0 {
			fmt.Fprintf(&b, "left %s %d\n", trace.Reason(why), n)
		}
	}
	for i, n := range c.CutAt {
		if n > 0 {
			fmt.Fprintf(&b, "cut %d %d\n", i+1, n)
		}
	}
	for w, calls := range c.Calls {
		if calls > 0 {
			fmt.Fprintf(&b, "work %s %d\n", trace.Work(w), calls)
		}
	}
	return strings.TrimSuffix(b.String(), "\n"), nil
}
