package store

import (
	"context"

	"qipu/index"
	"qipu/interval"
	"qipu/remedy"
)

// Keeper keeps a library in order.
type Keeper interface {
	// Check reports whatever is wrong; with deep it compares the tables with what
	// the records give. The error is for what kept it from checking. Progress, which may
	// be nil, counts the games whose tables, or with deep whose records, were looked at.
	Check(ctx context.Context, deep bool, progress Progress, report func(Problem)) error

	// Repair makes damaged tables anew from the records, and Reindex all of them.
	// Records that cannot be read are named by an *UnreadableError, and all others
	// are indexed then.
	Repair(ctx context.Context, progress Progress) (int, error)
	Reindex(ctx context.Context, progress Progress) error

	// Unread names the games that the last view of the library did not have, because
	// their records cannot be read, by an *UnreadableError; nil where it had all.
	Unread() error

	// Compact gives back the space of games that were deleted or replaced.
	Compact(ctx context.Context) error

	// Merge makes small tables into larger ones, once. It reports whether there
	// is more to be done.
	Merge(ctx context.Context) (bool, error)

	// Backup copies the library into a new folder. UpdateBackup brings an earlier
	// backup up to date, and writes no more than what has changed since.
	Backup(ctx context.Context, dir string) error
	UpdateBackup(ctx context.Context, dir string) error

	// StopMerging ends work in the background for good, so that Close does not
	// wait for it. Trouble returns why it failed the last time, nil if it did not.
	StopMerging()
	Trouble() error
}

// Marker keeps columns of marks: what markers say of the lines of games.
type Marker interface {
	// BuildMarks makes the columns that are missing and removes those that nobody
	// asks for any more. Kinds that are not named keep what they have.
	BuildMarks(ctx context.Context, markers map[*index.Kind][]interval.Marker, progress Progress) (Marked, error)

	// MarksVersion is another one when columns have come or gone.
	MarksVersion() Version
}

// Progress is told how many of how many games are done.
type Progress func(done, total int)

// Problem is something that Check found wrong.
type Problem struct {
	What   string // "table", "catalogue", "game", "record"
	Name   string
	Reason string
	Remedy remedy.Remedy // what to do about it
}

// Marked tells what BuildMarks did.
type Marked struct {
	Tables  int   // for which a file was written; of servers, shards
	Columns int   // that were made, each time for one table
	Lines   int   // that were walked along
	Bytes   int64 // of the files; of servers, before they pack them
}
