package store

import "time"

// Collection is a set of games that people gave a name.
type Collection struct {
	ID      int64
	Name    string
	Note    string
	Created time.Time
	Games   int
}

// Tag is a mark that people put on games. It differs from a collection in that
// it comes into being with its first use, and is known by its name alone.
type Tag struct {
	ID      int64
	Name    string
	Created time.Time
	Games   int
}
