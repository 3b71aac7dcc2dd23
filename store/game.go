package store

import (
	"time"

	"qipu/record/facts"
)

// Source is where a game was found.
type Source struct {
	File   string // path; "archive.tar.gz!inner/name.sgf" inside an archive
	Number int    // of the game in the file, from 1
	Offset int64  // of its bytes in the (decompressed) file
}

// Entry is a game to be stored.
type Entry struct {
	Kind      string // "weiqi 19x19"
	Key, Head uint64 // hashes of the moves and of the first of them; games can be found by both
	Plies     int
	Facts     *facts.Facts // may be nil
	Format    string
	Encoding  string
	Marked    bool // a move in it breaks the rules
	Source    Source

	Record, Raw []byte // the encoded record and the original bytes; only read
}

// Game is a stored game without its record: what lists show.
type Game struct {
	ID        uint32
	Kind      string
	Key, Head uint64
	Plies     int
	Facts     facts.Facts
	Format    string
	Encoding  string
	Marked    bool
	Source    Source // where it was found first
	Added     time.Time
}

// Text is the record of a game and its original bytes.
type Text struct {
	ID          uint32
	Record, Raw []byte
}

// Link is a game that belongs to another, and why.
type Link struct {
	Game uint32
	Why  string
}

// KeyRow is what is needed to compare games by their moves.
type KeyRow struct {
	ID        uint32
	Key, Head uint64
	Kind      string
	Plies     int
}

// ResultRow is what is needed to tell whether the moves or the result of a game
// are what they were.
type ResultRow struct {
	ID      uint32
	Key     uint64
	Plies   int
	Verdict facts.Verdict
	Margin  float64
	Format  int64 // a number of the name of the format
	Here    bool  // it was played in this program: a record that was made, and not read from a file
}
