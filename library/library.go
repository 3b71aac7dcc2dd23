package library

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync/atomic"

	"qipu/engine"
	"qipu/engine/endgame"
	"qipu/game"
	"qipu/index"
	"qipu/library/knowledge"
	"qipu/record"
	"qipu/record/facts"
	"qipu/remedy"
	"qipu/store"
	"qipu/store/remote"
	"qipu/store/shard"
	"qipu/store/staging"
)

// Options say how to open a library. The zero value opens an existing one for
// reading and writing, with the games and formats of the program.
type Options struct {
	ReadOnly bool
	Create   bool                        // make the library where there is none
	Holder   string                      // the program, for the message to a second writer
	Games    game.Catalog                // default: builtin.Games
	Formats  []record.Format             // default: builtin.Formats
	Engine   EngineMaker                 // default: builtin.Engine
	Settlers game.Settlers               // default: builtin.Settler
	Judges   Judges                      // default: builtin.Judge
	Theory   func(game.Rules) []byte     // values of positions of a game that come with the program, as theory.Theory.Ship writes them; nil for none
	Env      func(string) (string, bool) // of the process, for what an address does not say; default: os.LookupEnv
	Logf     func(string, ...any)        // is told what a library on servers waits for; nil for nobody
	Memory   int64                       // about how many bytes of memory changes may take; 0 for as many as make them fast
	Shapes   []string                    // folders of Go shapes that lie above the shipped ones: see Shapes
}

// Library is a folder of game records that can be searched. It is safe for
// concurrent use. Any number of processes read and write: the changes of all go through
// one of them, see [qipu/store/remote].
type Library struct {
	options Options
	store   *remote.Library

	knowledge *knowledge.Layers
	endings   *endgame.Tables
	names     nameKeeper // see KeepNames
	watcher   Watcher    // nil for nobody

	viewed atomic.Bool // somebody has asked it something
	unread unread
}

// Open opens the library in a folder, or on the servers that an address names
// (clickhouse://user@host1,host2/database). Tables that are damaged, missing or of an
// older format are made anew from the records, if the library is opened for
// writing.
func Open(ctx context.Context, dir string, o Options) (*Library, error) {
	if err := o.Games.Check(); err != nil {
		return nil, err
	}
	ro := remote.Options{ReadOnly: o.ReadOnly, Create: o.Create, Holder: o.Holder, Games: o.Games}
	folder, err := filepath.Abs(dir)
	if store.OnServers(dir) {
		folder, err = staging.Dir(dir, o.Env)
		ro.Open = func(ctx context.Context, how remote.How) (store.Library, error) {
			return opened(staging.Open(ctx, dir, staging.Options{ReadOnly: how.ReadOnly, Holder: o.Holder, Games: o.Games, Kinds: how.Kinds, Marking: how.Marking, Env: o.Env, Logf: o.Logf}))
		}
	} else {
		ro.Open = func(ctx context.Context, how remote.How) (store.Library, error) {
			return opened(shard.Open(ctx, dir, shard.Options{ReadOnly: how.ReadOnly, Create: how.Create, Holder: o.Holder, Games: o.Games, Kinds: how.Kinds, Marking: how.Marking, Memory: o.Memory}))
		}
	}
	if err != nil {
		return nil, err
	}
	s, err := remote.Open(ctx, folder, ro)
	if err != nil {
		return nil, err
	}
	return newLibrary(o, s), nil
}

// opened has no library be none.
func opened[L store.Library](l L, err error) (store.Library, error) {
	if err != nil {
		return nil, err
	}
	return l, nil
}

func newLibrary(o Options, s *remote.Library) *Library {
	l := &Library{options: o, store: s, endings: endgame.Open(endingsIn(o.Env))}
	l.knowledge = knowledge.Open(knowledge.Options{Endings: l.endings, Games: o.Games, Dir: filepath.Join(s.Dir(), store.KeptDir), Folders: o.Shapes, Write: s.Exclusive})
	return l
}

// endingsIn returns the folder of the tables of endings: what comes with the program is
// all that is known to who has no surroundings.
func endingsIn(env func(string) (string, bool)) string {
	if env == nil {
		return ""
	}
	dir, err := endgame.Folder(env)
	if err != nil {
		return ""
	}
	return dir
}

// Endings returns the tables of endings: those of the user, and those that come with the
// program.
func (l *Library) Endings() *endgame.Tables { return l.endings }

// Exists reports whether there is a library in a folder, which may be damaged. Of
// one on servers it is taken for granted.
func Exists(place string) bool { return store.OnServers(place) || shard.Exists(place) }

// Restore makes a library in a new folder from a backup, and verifies it.
func Restore(ctx context.Context, from, to string, games game.Catalog) error {
	return shard.Restore(ctx, from, to, shard.Options{Games: games})
}

// Salvage makes a library in a new folder of all that can still be read of a damaged
// one, and tells what became of every game: see [shard.Salvage].
func Salvage(ctx context.Context, from, to string, games game.Catalog, tell func(store.Fate)) (*store.Salvaged, error) {
	return shard.Salvage(ctx, from, to, shard.Options{Games: games}, tell)
}

// Close closes the library. After games were added it may take some seconds, in
// which small tables are made into larger ones.
func (l *Library) Close() error {
	l.StopNames()
	return errors.Join(l.store.Close(), l.endings.Close())
}

// Dir returns the folder of the library.
func (l *Library) Dir() string { return l.store.Dir() }

// Place returns where the library lies: its folder, or the address of its servers,
// which has no password.
func (l *Library) Place() string { return l.store.Place() }

// Knowledge returns the shapes and patterns that the library knows.
func (l *Library) Knowledge() *knowledge.Layers { return l.knowledge }

// Notes returns what people have made in the library.
func (l *Library) Notes() store.Notes { return l.store.Notes() }

// Kind returns the kind of game that users mean by "go", "weiqi", "go:9x9".
func (l *Library) Kind(spec string) (*index.Kind, error) {
	r, err := l.options.Games.Find(spec)
	if err != nil {
		return nil, err
	}
	return l.store.Kinds().Of(r), nil
}

// Tally returns how many games of each kind there are.
func (l *Library) Tally(ctx context.Context) (list []index.Tally, err error) {
	err = l.View(ctx, func(v index.View) error {
		list = v.Tally()
		return nil
	})
	return list, err
}

// View runs a reader on the library as it is now. A table that turns out to be
// damaged is made anew, if the library is open for writing or can be, and the
// reader runs once more.
func (l *Library) View(ctx context.Context, read func(index.View) error) error {
	err := l.TryView(ctx, read)
	if err == nil || !store.Repairable(err) || ctx.Err() != nil {
		return err
	}
	repair := l.Repair(ctx, nil)
	if _, some := errors.AsType[*store.UnreadableError](repair); repair != nil && !some {
		return remedy.For(fmt.Errorf("%w (and it could not be made anew: %w)", err, repair), remedy.Repair)
	}
	return l.TryView(ctx, read)
}

// TryView is View without the second try.
func (l *Library) TryView(ctx context.Context, read func(index.View) error) error {
	v, err := l.store.View(ctx)
	if err != nil {
		return err
	}
	defer v.Close()
	l.viewed.Store(true)
	return read(v)
}

// Repair makes damaged tables anew from the records. A library that is open for
// reading only is opened for writing for that while. Records that cannot be read
// are named by a *store.UnreadableError; all others are indexed then.
func (l *Library) Repair(ctx context.Context, progress store.Progress) error {
	_, err := l.store.Repair(ctx, progress)
	return err
}

// Collection returns the collection of a name.
func (l *Library) Collection(ctx context.Context, name string) (*store.Collection, error) {
	list, err := l.Notes().Collections(ctx)
	if err != nil {
		return nil, err
	}
	var known []string
	for i := range list {
		if list[i].Name == name {
			return &list[i], nil
		}
		known = append(known, list[i].Name)
	}
	return nil, &NoCollectionError{Name: name, Known: known}
}

// NoCollectionError tells that there is no collection of a name, and which
// there are.
type NoCollectionError struct {
	Name  string
	Known []string
}

func (e *NoCollectionError) Error() string {
	if len(e.Known) == 0 {
		return fmt.Sprintf("qipu: there is no collection %q, nor any other", e.Name)
	}
	return fmt.Sprintf("qipu: there is no collection %q: there are %s", e.Name, strings.Join(e.Known, ", "))
}

// Remedy returns what can be done: where there is no collection at all, how one is
// made.
func (e *NoCollectionError) Remedy() remedy.Remedy {
	if len(e.Known) > 0 {
		return remedy.Remedy{}
	}
	return remedy.Recollect.With("")
}

// Headers returns what a record says itself, and how it was corrected.
func (l *Library) Headers(ctx context.Context, id uint32) (*facts.Facts, []store.Correction, error) {
	data, _, err := l.store.Records().Record(ctx, id)
	if err != nil {
		return nil, nil, err
	}
	g, err := record.DecodeGame(data)
	if err != nil {
		return nil, nil, remedy.For(fmt.Errorf("qipu: game %d: %w", id, err), remedy.Check)
	}
	list, err := l.Journal().Corrections(ctx, []uint32{id})
	return &g.Facts, list, err
}

// Record returns a game of the library: as it was read, but for headers that were
// corrected, and what the catalogue says of it.
func (l *Library) Record(ctx context.Context, id uint32) (*record.Game, *store.Game, error) {
	games, err := l.store.Records().Games(ctx, []uint32{id})
	if err != nil {
		return nil, nil, err
	}
	data, raw, err := l.store.Records().Record(ctx, id)
	if err != nil {
		return nil, nil, err
	}
	g, err := record.DecodeGame(data)
	if err != nil {
		return nil, nil, remedy.For(fmt.Errorf("qipu: game %d: %w", id, err), remedy.Check)
	}
	g.Raw = raw
	list, err := l.Journal().Corrections(ctx, []uint32{id})
	for _, c := range list {
		_ = g.Facts.Set(c.Field, *c.Value) // what a newer program wrote is passed over
	}
	return g, &games[0], err
}

// Delete deletes games.
func (l *Library) Delete(ctx context.Context, ids ...uint32) error {
	if l.watcher != nil {
		l.watcher.Begin()
		gone := make(map[uint32]*record.Played, len(ids))
		for _, id := range ids {
			gone[id] = nil
		}
		defer l.watcher.End(gone)
	}
	return l.store.Delete(ctx, ids)
}

// add stores a batch.
func (l *Library) add(ctx context.Context, b store.Batch) ([]store.Added, error) {
	if b.DryRun || l.watcher == nil {
		return l.store.Add(ctx, b)
	}
	l.watcher.Begin()
	added, err := l.store.Add(ctx, b)
	changed := map[uint32]*record.Played{}
	for i, a := range added {
		switch a.Status {
		case store.StatusNew, store.StatusTwin:
			changed[a.ID] = b.Records[i]
		case store.StatusFuller:
			changed[a.ID] = nil
		}
	}
	l.watcher.End(changed)
	return added, err
}

// Watcher is told of the games that this process changes; those that others change
// it finds by the generation of the records.
type Watcher interface {
	// Begin is called before games are stored or deleted, and End behind it, with
	// those that have come, changed or gone; of those that have come it has the
	// records, which may be without their moves by now. Both are called by many
	// goroutines at once, and must not ask the library: Ends come in any order.
	Begin()
	End(games map[uint32]*record.Played)
}

// Watch has somebody be told of changes. It is called before anybody else uses the
// library, at most once.
func (l *Library) Watch(w Watcher) { l.watcher = w }

// Rules returns the games that the program knows.
func (l *Library) Rules() game.Catalog { return l.options.Games }

// Formats returns the record formats that it knows.
func (l *Library) Formats() []record.Format { return l.options.Formats }

// EngineMaker makes the engine that plays a game best.
type EngineMaker func(game.Rules, engine.Options) (engine.Engine, error)

// BotMaker makes an opponent of a file of what was taught, by its name.
type BotMaker func(name, path string, r game.Rules) (engine.Engine, error)

// Levels returns how strong the computer can be at a game, which its engine tells.
func (m EngineMaker) Levels(r game.Rules) []engine.Level {
	e, err := m(r, engine.Options{})
	if err != nil {
		return nil
	}
	defer e.Close()
	return engine.LevelsOf(e)
}

// Levels returns how strong the computer can be at a game.
func (l *Library) Levels(r game.Rules) []engine.Level { return l.options.Engine.Levels(r) }

// Engine makes the engine that plays a game best.
func (l *Library) Engine(r game.Rules, o engine.Options) (engine.Engine, error) {
	return l.options.Engine(r, o)
}

// Judges finds what values positions of a game as they stand, for the study of searches;
// nil for a game for which nothing does.
type Judges func(game.Rules) engine.Evaluator

// Evaluator returns what values positions of a game; nil where nothing does.
func (f Judges) Evaluator(r game.Rules) engine.Evaluator {
	if f == nil {
		return nil
	}
	return f(r)
}

// Evaluator returns what values positions of a game as they stand; nil where nothing does.
func (l *Library) Evaluator(r game.Rules) engine.Evaluator { return l.options.Judges.Evaluator(r) }

// Settler returns who settles games of a kind; nil where their rules see the end alone.
func (l *Library) Settler(r game.Rules) game.Settler { return l.options.Settlers.Of(r) }

// Theory returns the values of positions of a game that come with the program; nil
// for none.
func (l *Library) Theory(r game.Rules) []byte {
	if l.options.Theory == nil {
		return nil
	}
	return l.options.Theory(r)
}

// Kinds returns the kinds of game that the library has met.
func (l *Library) Kinds() *index.Kinds { return l.store.Kinds() }

// ReadOnly tells whether the library is open for reading only.
func (l *Library) ReadOnly() bool { return l.options.ReadOnly }

// Leads reports whether this process does the changes of the library, its own and those
// of others. Files that are derived from the library are made by it alone.
func (l *Library) Leads() bool { return !l.options.ReadOnly && l.store.Leads() }

// Foreign counts the changes that other processes have made through this one; it is -1
// where changes are made elsewhere, and nobody is told of them.
func (l *Library) Foreign() int64 { return l.store.Foreign() }

// Edit changes what the user keeps in the catalogue: saved queries, tags, names
// of players. A library that is open for reading only is opened for writing for
// that while.
func (l *Library) Edit(ctx context.Context, change func(store.Tx) error) error {
	return l.Notes().Edit(ctx, change)
}
