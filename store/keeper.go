package store

// Progress is told how many of how many games are done.
type Progress func(done, total int)

// Problem is something that Check found wrong.
type Problem struct {
	What   string // "table", "catalogue", "game", "record"
	Name   string
	Reason string
	Advice string // what to do about it
}

// Marked tells what BuildMarks did.
type Marked struct {
	Tables  int   // for which a file was written
	Columns int   // that were made, each time for one table
	Lines   int   // that were walked along
	Bytes   int64 // of the files
}
