package store

import (
	"context"
	"strings"

	"qipu/index"
	"qipu/record"
)

// Library is an open library, in a folder or on servers. It is safe for
// concurrent use. One process writes at a time, any number read.
type Library interface {
	index.Store
	Writer
	Mender
	Keeper
	Marker

	Records() Records
	Notes() Notes
	Journal() Journal

	// Kinds returns the kinds of game that the library knows.
	Kinds() *index.Kinds

	// Dir is the folder of the library; of one on servers, that of what is
	// staged here. Place is what a user calls it: the folder, or the address of
	// the servers without a password.
	Dir() string
	Place() string

	// Exclusive runs a change of files of the library that people keep, while
	// nobody else writes to it.
	Exclusive(ctx context.Context, change func() error) error

	Close() error
}

// Writer changes the games of a library.
type Writer interface {
	// Preparer returns a function that does the part of Add that can be done
	// ahead, for one goroutine; it takes the changes away from the record. What it
	// returns goes into the Batch.
	Preparer() func(*record.Played) *Prepared
	Add(ctx context.Context, b Batch) ([]Added, error)
	Delete(ctx context.Context, ids []uint32) error

	// AddSources notes further places where games were found.
	AddSources(ctx context.Context, places map[uint32][]Source) error
}

// KeptDir is the folder in that of a library in which people keep files of their
// own, such as shapes of Go. A store does not look into it, but takes it along in
// backups.
const KeptDir = "shapes"

// Scheme begins the address of a library on servers.
const Scheme = "clickhouse://"

// OnServers reports whether a text names a library on servers, well or badly,
// and not a folder.
func OnServers(place string) bool { return strings.HasPrefix(place, Scheme) }
