package staging

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// healthFile is the file of the staging folder that says which servers were away
// when a program ended, and since when. The next one asks these last, and only
// when they have said that they are there: a server that hangs costs a second once
// and not in every command. It is a hint: where it cannot be read or written,
// nothing but that second is lost.
const healthFile = "servers.json"

// health is what the file says.
type health struct {
	Away map[string]time.Time `json:"away"` // by host
}

// readHealth reads the file of a staging folder.
func readHealth(dir string) (h health) {
	text, err := os.ReadFile(filepath.Join(dir, healthFile))
	if err != nil || json.Unmarshal(text, &h) != nil {
		return health{}
	}
	return h
}

// away returns the servers that were away.
func (h health) away() (hosts []string) {
	for host := range h.Away {
		hosts = append(hosts, host)
	}
	slices.Sort(hosts)
	return hosts
}

// write notes which servers are away now, where that is something new.
func (h health) write(dir string, away []string) {
	slices.Sort(away)
	if slices.Equal(away, h.away()) {
		return
	}
	path := filepath.Join(dir, healthFile)
	if len(away) == 0 {
		os.Remove(path)
		return
	}
	now := health{Away: map[string]time.Time{}}
	for _, host := range away {
		since, ok := h.Away[host]
		if !ok {
			since = time.Now().UTC().Truncate(time.Second)
		}
		now.Away[host] = since
	}
	if text, err := json.MarshalIndent(now, "", "  "); err == nil {
		os.WriteFile(path, append(text, '\n'), 0o666)
	}
}
