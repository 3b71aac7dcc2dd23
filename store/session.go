package store

import "time"

// Session is a game that is being played, or one that has ended.
type Session struct {
	ID      int64
	Token   string // names it in addresses, and cannot be guessed
	Kind    string // the game, as a spec
	State   string // JSON, which only its writer understands
	Over    bool   // the game has ended
	Game    uint32 // the record that it has become; 0 for none
	Created time.Time
	Changed time.Time
}
