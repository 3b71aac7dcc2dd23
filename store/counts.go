package store

// UnknownKind is the kind of records that have no board: those of games that the
// program does not know.
const UnknownKind = "unknown"

// Counts are figures of a library.
type Counts struct {
	Games        map[string]int // by kind
	Names        int
	Chunks       int
	ChunkBytes   int64 // of records and originals, compressed
	Sources      int   // beyond the first of each game
	Links        int
	Inputs       int // files that were read to their end
	Collections  int
	Tags         int
	Saved        int // queries with a name
	Automatic    int // queries that searches noted
	Edits        int // of names of players, those that were undone among them
	Segments     int // tables of the index
	SegmentBytes int64
	Waiting      int
	Bytes        int64 // of the database file
	FreeBytes    int64 // in it, that Compact would give back at least
}
