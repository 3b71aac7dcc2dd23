package qipu

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"qipu/builtin"
	"qipu/game/weiqi/judge"
	"qipu/index"
	"qipu/library"
	"qipu/library/cache"
	"qipu/library/livebook"
	"qipu/library/players"
	"qipu/play"
	"qipu/query"
	"qipu/retrieve"
)

// Options say how to open a library.
type Options = library.Options

// Library is a library with its rooms.
type Library struct {
	*library.Library

	players *players.Directory
	books   *livebook.Books
	scores  cache.Cache[*index.Kind, namesVersion, *NameScores]
	terms   cache.Cache[*index.Kind, int64, *Terms]
	judges  judge.Pool
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
	inner, err := library.Open(ctx, dir, o)
	if err != nil {
		return nil, err
	}
	return &Library{Library: inner, books: livebook.New(inner), players: players.New(inner)}, nil
}

// Close closes the library. After games were added it may take some seconds, in
// which small tables are made into larger ones.
func (l *Library) Close() error {
	l.StopNames() // before the books: it may be at work on the library still
	l.books.Close()
	return l.Library.Close()
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

// Find answers a request. Names in its query are looked up in the library.
func (l *Library) Find(ctx context.Context, r *retrieve.Request) (answer *retrieve.Answer, err error) {
	err = l.asking(ctx, &Question{Request: *r}, func(a *asking) (err error) {
		bound := *r
		if bound.Query, err = a.bind(r.Kind, r.Query); err == nil {
			answer, err = retrieve.Find(ctx, a.view, &bound)
		}
		return err
	})
	return answer, err
}

// Explore answers what was played in a position.
func (l *Library) Explore(ctx context.Context, r *retrieve.ExploreRequest) (answer *retrieve.Answer, err error) {
	q := &Question{Request: retrieve.Request{Variations: r.Variations}}
	err = l.asking(ctx, q, func(a *asking) (err error) {
		bound := *r
		if bound.Within, err = a.bind(r.Kind, r.Within); err == nil {
			answer, err = retrieve.Explore(ctx, a.view, &bound)
		}
		return err
	})
	return answer, err
}

// bind binds a query to one kind of game. No query stays none.
func (a *asking) bind(k *index.Kind, q query.Q) (query.Q, error) {
	if q == nil {
		return nil, nil
	}
	binder := query.Binder{Rules: k.Rules, Names: a.names(k), Games: a.Games()}
	return binder.Bind(q)
}

// Play returns a host of games whose sessions are kept in the library, and become
// records of it when they end: see [library.Library.Play].
func (l *Library) Play(ctx context.Context, o play.Options) (*play.Host, error) {
	return l.Library.Play(ctx, o, l.books.Fresh)
}

// Books returns the opening books of the library.
func (l *Library) Books() *livebook.Books { return l.books }

// Players returns who plays in the library.
func (l *Library) Players() *players.Directory { return l.players }
