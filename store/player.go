package store

import "time"

// PlayerEdit is something that a user said about the names of players, such as
// that several are one. The package keeps edits in the order in which they were
// made, and gives them no meaning.
type PlayerEdit struct {
	ID     int64
	Op     string
	Names  []string
	Into   string
	Undone bool
	At     time.Time
}
