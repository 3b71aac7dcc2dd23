// Package qipu turns board-game records into knowledge that people can search,
// study and play against. Qipu (棋譜) means "game records".
//
// The package list in dependency order, and walks through it, are in
// docs/ARCHITECTURE.md. The program is cmd/qipu.
package qipu

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"qipu/builtin"
	"qipu/library"
	"qipu/library/ask"
	"qipu/library/career"
	"qipu/library/cleanup"
	"qipu/library/knowledge"
	"qipu/library/livebook"
	"qipu/library/players"
	"qipu/library/profiles"
	"qipu/library/studies"
	"qipu/play"
	"qipu/record"
	"qipu/store"
)

// Version is the semantic version of the program.
const Version = "0.1.0"

// Options say how to open a library.
type Options = library.Options

// Library is a library with its rooms.
type Library struct {
	records *library.Library
	players *players.Directory
	books   *livebook.Books
	search  *ask.Searcher
	people  *profiles.Room
	cleanup *cleanup.Room
	studies *studies.Room
}

// Open opens the library in a folder, or on the servers that an address names
// (clickhouse://user@host1,host2/database). Tables that are damaged, missing or of an
// older format are made anew from the records, if the library is opened for
// writing.
func Open(ctx context.Context, dir string, o Options) (*Library, error) {
	if o.Games == nil {
		o.Games = builtin.Games()
	}
	if o.Formats == nil {
		o.Formats = builtin.Formats()
	}
	if o.Engine == nil {
		o.Engine = builtin.Engine
	}
	if o.Judges == nil {
		o.Judges = builtin.Judge
	}
	if o.Settlers == nil {
		o.Settlers = builtin.Settler
	}
	inner, err := library.Open(ctx, dir, o)
	if err != nil {
		return nil, err
	}
	l := &Library{records: inner, books: livebook.New(inner), players: players.New(inner), people: profiles.Open(inner.Dir()), cleanup: cleanup.New(inner), studies: studies.Open(inner, o.Games)}
	l.search = ask.New(inner, l.players)
	return l, nil
}

// Close closes the library. After games were added it may take some seconds, in
// which small tables are made into larger ones.
func (l *Library) Close() error {
	l.records.StopNames() // before the books: it may be at work on them still
	l.books.Close()
	return errors.Join(l.studies.Close(), l.people.Close(), l.records.Close())
}

// Locate returns the folder of the library that a user means: the one that is
// named, else QIPU_LIBRARY, else the nearest .qipu above the present folder,
// else that in the user's data folder.
func Locate(named string, env func(string) (string, bool)) (string, error) {
	if named != "" {
		return named, nil
	}
	if dir, ok := env("QIPU_LIBRARY"); ok && dir != "" {
		return dir, nil
	}
	here, err := os.Getwd()
	for dir := here; err == nil; dir = filepath.Dir(dir) {
		if info, err := os.Stat(filepath.Join(dir, ".qipu")); err == nil && info.IsDir() {
			return filepath.Join(dir, ".qipu"), nil
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	if dir, ok := env("XDG_DATA_HOME"); ok && dir != "" {
		return filepath.Join(dir, "qipu"), nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("qipu: no place for a library: %w: name one with --library", err)
	}
	return filepath.Join(home, ".local", "share", "qipu"), nil
}

// Ask answers a question: see [ask.Searcher.Ask].
func (l *Library) Ask(ctx context.Context, q *ask.Question) (*ask.Reply, error) {
	return l.search.Ask(ctx, q)
}

// Search returns who answers questions about the library, and says what was played in
// a position.
func (l *Library) Search() *ask.Searcher { return l.search }

// Play returns a host of games whose sessions are kept in the library, and become
// records of it when they end: see [library.Library.Play].
func (l *Library) Play(ctx context.Context, o play.Options) (*play.Host, error) {
	return l.records.Play(ctx, o, l.books.Fresh)
}

// Books returns the opening books of the library.
func (l *Library) Books() *livebook.Books { return l.books }

// Players returns who plays in the library.
func (l *Library) Players() *players.Directory { return l.players }

// People returns who uses the library, and what they keep for themselves.
func (l *Library) People() *profiles.Room { return l.people }

// Cleanup returns what may be put right in the headers of the library.
func (l *Library) Cleanup() *cleanup.Room { return l.cleanup }

// Studies returns what people write on the records of the library.
func (l *Library) Studies() *studies.Room { return l.studies }

// Careers returns who works out how the games of one person went.
func (l *Library) Careers() *career.Desk { return career.New(l.records, l.players, l.search, l.people) }

// Import reads records into the library: files, folders, archives, streams. It may be
// interrupted and run again: see [library.Library.Import].
func (l *Library) Import(ctx context.Context, o library.ImportOptions, paths ...string) (*library.ImportReport, error) {
	return l.records.Import(ctx, o, paths...)
}

// Record returns a game of the library: as it was read, and what lists show of it.
func (l *Library) Record(ctx context.Context, id uint32) (*record.Game, *store.Game, error) {
	return l.records.Record(ctx, id)
}

// Records returns the room of the records: to import, copy, check and repair, list and
// delete them.
func (l *Library) Records() *library.Library { return l.records }

// Notes returns what people have made in the library: collections, tags, saved queries.
func (l *Library) Notes() store.Notes { return l.records.Notes() }

// Knowledge returns the shapes and patterns that the library knows.
func (l *Library) Knowledge() *knowledge.Layers { return l.records.Knowledge() }
