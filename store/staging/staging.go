package staging

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/RoaringBitmap/roaring/v2"

	"qipu/game"
	"qipu/index"
	"qipu/interval"
	"qipu/record"
	"qipu/remedy"
	"qipu/store"
	"qipu/store/cluster"
	"qipu/store/cluster/wire"
	"qipu/store/shard"
)

var _ store.Library = (*Library)(nil)

// Options say how to open a staging folder.
type Options struct {
	ReadOnly bool
	Holder   string // the program, for the message to a second writer
	Games    game.Catalog
	Kinds    *index.Kinds                // to be shared with another one; nil for none
	Marking  bool                        // see shard.Options
	Env      func(string) (string, bool) // default: os.LookupEnv
	Logf     func(string, ...any)        // is told what is waited for; nil for nobody
}

// Library is an open library on servers. It is safe for concurrent use.
type Library struct {
	near    *shard.Shard
	far     *cluster.Cluster
	options Options

	// adding is held by whoever adds or ships: one at a time.
	adding sync.Mutex

	lying struct { // the numbers of the games that lie near, as of a version
		sync.Mutex
		version store.Version
		games   *roaring.Bitmap
	}

	learnt  learnt  // what others did to games
	sharing sharing // what people made, here and elsewhere

	mu      sync.Mutex
	trouble error     // of the last shipping
	failed  time.Time // when that was

	health health // of the servers, when the program before this one ended

	wake    chan struct{}
	stop    context.CancelFunc
	stopped context.Context
	loop    sync.WaitGroup
}

// Folder returns the folder of the staging folder of a library on servers: QIPU_DESK, else
// one in the user's data folder that is named after the servers.
func Folder(cfg *wire.Config, env func(string) (string, bool)) (string, error) {
	if dir, ok := env("QIPU_DESK"); ok && dir != "" {
		return dir, nil
	}
	base, ok := env("XDG_DATA_HOME")
	if !ok || base == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			return "", fmt.Errorf("staging: no place for what is staged of the library: %w: name a folder with QIPU_DESK", err)
		}
		base = filepath.Join(home, ".local", "share")
	}
	h := fnv.New32a()
	h.Write([]byte(strings.Join(cfg.Hosts, ",") + "/" + cfg.Database))
	return filepath.Join(base, "qipu-desk", fmt.Sprintf("%s-%08x", cfg.Database, h.Sum32())), nil
}

// Dir returns the staging folder of the library at an address.
func Dir(url string, env func(string) (string, bool)) (string, error) {
	if env == nil {
		env = os.LookupEnv
	}
	cfg, err := wire.Parse(url)
	if err != nil {
		return "", err
	}
	return Folder(cfg, env)
}

// Open opens a library on servers. Its staging folder is made where there is none.
func Open(ctx context.Context, url string, o Options) (*Library, error) {
	if o.Env == nil {
		o.Env = os.LookupEnv
	}
	if o.Logf == nil {
		o.Logf = func(string, ...any) {}
	}
	cfg, err := wire.Parse(url)
	if err != nil {
		return nil, err
	}
	dir, err := Folder(cfg, o.Env)
	if err != nil {
		return nil, err
	}
	d := &Library{options: o, wake: make(chan struct{}, 1), sharing: sharing{turn: make(chan struct{}, 1), wake: make(chan struct{}, 1)}}
	d.stopped, d.stop = context.WithCancel(context.Background())
	if d.near, err = openNear(ctx, dir, o); err != nil {
		return nil, err
	}
	d.health = readHealth(dir)
	co := cluster.Options{Games: o.Games, Kinds: d.near.Kinds(), ReadOnly: o.ReadOnly, Away: d.health.away(), Logf: o.Logf}
	if !o.ReadOnly {
		co.Take = d.take
	}
	if d.far, err = cluster.Open(ctx, cfg, co); err != nil {
		return nil, errors.Join(err, d.near.Close())
	}
	if !o.ReadOnly {
		switch err := d.learn(ctx, d.far.Known()); {
		case waits(err):
			o.Logf("staging: what others have deleted is not known: %v", err)
		case err != nil:
			return nil, errors.Join(err, d.far.Close(), d.near.Close())
		}
		if err := d.finish(ctx); waits(err) {
			o.Logf("staging: what was deleted or corrected here is as it was on the servers still: %v", err)
		} else if err != nil {
			return nil, errors.Join(err, d.far.Close(), d.near.Close())
		}
		d.made(ctx)
		d.loop.Go(d.shipInBackground)
		d.loop.Go(d.shareInBackground)
	}
	return d, nil
}

// openNear opens the store of what is staged. Whoever reads first makes it.
func openNear(ctx context.Context, dir string, o Options) (*shard.Shard, error) {
	so := shard.Options{ReadOnly: o.ReadOnly, Create: !o.ReadOnly, Holder: o.Holder, Games: o.Games, Kinds: o.Kinds, Marking: o.Marking}
	near, err := shard.Open(ctx, dir, so)
	if errors.Is(err, store.ErrNoLibrary) && o.ReadOnly {
		if err := os.MkdirAll(filepath.Dir(dir), 0o777); err != nil {
			return nil, fmt.Errorf("staging: %w: name another folder with QIPU_DESK", err)
		}
		var made *shard.Shard
		if made, err = shard.Open(ctx, dir, shard.Options{Create: true, Holder: o.Holder, Games: o.Games, NoMerge: true}); err == nil {
			err = errors.Join(begin(ctx, made), made.Close())
		}
		if locked := new(store.LockedError); err == nil || errors.As(err, &locked) {
			near, err = shard.Open(ctx, dir, so)
		}
	}
	if locked := new(store.LockedError); errors.As(err, &locked) {
		return nil, fmt.Errorf("%w; for a second writer to the same servers, give it a folder of its own with QIPU_DESK=FOLDER", err)
	}
	if err != nil || o.ReadOnly {
		return near, err
	}
	if err := begin(ctx, near); err != nil {
		return nil, errors.Join(err, near.Close())
	}
	return near, nil
}

// begin has the catalogue of a new staging folder number no games but by what is claimed,
// and know that there are games elsewhere.
func begin(ctx context.Context, near *shard.Shard) error {
	_, high, err := near.Numbers(ctx)
	if err != nil || high != 0 {
		return err
	}
	return near.Update(ctx, func(tx shard.Tx) error { return tx.SetNumbers(1, 1) })
}

// Kinds returns the kinds of game that the library knows.
func (d *Library) Kinds() *index.Kinds { return d.far.Kinds() }

// Dir returns the folder of the staging folder.
func (d *Library) Dir() string { return d.near.Dir() }

// Records returns the games of the library, here and on the servers.
func (d *Library) Records() store.Records { return d }

// Notes returns what people have made: the folder's copy of what lies on the servers.
func (d *Library) Notes() store.Notes { return notes{d.near.Notes(), d} }

// Turn returns the number of the last write of a lane and what was told of it: see
// store.Once.
func (d *Library) Turn(ctx context.Context, lane string) (int64, []byte, error) {
	return d.near.Turn(ctx, lane)
}

// Exclusive runs a change of files of the folder while nobody else writes to it.
func (d *Library) Exclusive(ctx context.Context, change func() error) error {
	return d.near.Exclusive(ctx, change)
}

// Compact gives back the space of games that were shipped or deleted.
func (d *Library) Compact(ctx context.Context) error { return d.near.Compact(ctx) }

// Place returns the address of the servers, without a password.
func (d *Library) Place() string { return d.far.Address() }

// Preparer returns a function that does the part of Add that can be done ahead.
func (d *Library) Preparer() func(*record.Played) *store.Prepared { return d.far.Preparer() }

// closeTime is how long Close tries to ship what is staged.
const closeTime = 20 * time.Second

// Close ships what is staged and closes it. What cannot be shipped stays
// there, and is shipped the next time: see Trouble. Where that was tried a moment
// ago and failed, it is not tried again.
func (d *Library) Close() error {
	stopped := d.stopped.Err() != nil
	d.stop()
	d.loop.Wait()
	d.mu.Lock()
	again := d.trouble == nil || time.Since(d.failed) > shipAfter
	d.mu.Unlock()
	if !d.options.ReadOnly && !stopped && again {
		ctx, cancel := context.WithTimeout(context.Background(), closeTime)
		d.note(d.Ship(ctx))
		cancel()
	}
	d.health.write(d.near.Dir(), d.far.Away())
	return errors.Join(d.far.Close(), d.near.Close())
}

// StopMerging ends work in the background for good, so that Close does not wait
// for it.
func (d *Library) StopMerging() {
	d.stop()
	d.near.StopMerging()
}

// Trouble returns why work in the background failed the last time, nil if it did
// not. Games that could not be shipped are a *store.StagedError.
func (d *Library) Trouble() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return errors.Join(d.trouble, d.near.Trouble())
}

// Unread names staged games that the last view did not have.
func (d *Library) Unread() error { return d.near.Unread() }

func (d *Library) note(err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.trouble, d.failed = err, time.Now()
}

// lies returns the numbers of the games that are staged. Nobody changes the
// set. Where another process ships, what is gone from here is on the servers, and
// what is known of those is not older.
func (d *Library) lies(ctx context.Context) (*roaring.Bitmap, error) {
	l := &d.lying
	l.Lock()
	defer l.Unlock()
	version, err := d.near.Records().Version(ctx)
	if err != nil {
		return nil, err
	}
	if l.games == nil || l.version != version {
		games, err := d.near.Records().IDs(ctx, "")
		if err != nil {
			return nil, err
		}
		if d.options.ReadOnly && l.games != nil && !roaring.AndNot(l.games, games).IsEmpty() {
			if err := d.far.Refresh(ctx); err != nil {
				return nil, err
			}
		}
		l.games, l.version = games, version
	}
	return l.games, nil
}

// Merge ships what is staged. It reports that nothing is left to be done.
func (d *Library) Merge(ctx context.Context) (bool, error) {
	err := d.Ship(ctx)
	if ctx.Err() == nil {
		d.note(err)
	}
	if err != nil {
		return false, err
	}
	_, err = d.near.Merge(ctx)
	return false, err
}

// Check looks for damage: in the staging folder, and whether the servers have what their
// log says.
func (d *Library) Check(ctx context.Context, deep bool, progress store.Progress, report func(store.Problem)) error {
	if err := d.near.Check(ctx, deep, progress, report); err != nil {
		return err
	}
	return d.far.Check(ctx, deep, func(name, reason string, what remedy.Remedy) {
		report(store.Problem{What: "servers", Name: name, Reason: reason, Remedy: what})
	})
}

// Repair makes damaged tables of the staging folder anew, and has games that are on
// the servers more than once be one.
func (d *Library) Repair(ctx context.Context, progress store.Progress) (int, error) {
	n, err := d.near.Repair(ctx, progress)
	if err != nil || d.options.ReadOnly {
		return n, err
	}
	d.adding.Lock()
	defer d.adding.Unlock()
	joined, err := d.far.Join(ctx)
	if err != nil {
		return n, err
	}
	st, err := d.far.State(ctx)
	if err == nil {
		err = d.learn(ctx, st)
	}
	return n + joined, err
}

// Reindex makes the tables of the staging folder anew. Those of the servers are made anew
// by qipu cluster upgrade, where a new version needs it.
func (d *Library) Reindex(ctx context.Context, progress store.Progress) error {
	return d.near.Reindex(ctx, progress)
}

// Backup is refused: a backup of servers is another thing.
func (d *Library) Backup(context.Context, string) error {
	return remedy.For(fmt.Errorf("staging: %s lies on servers, which are not backed up into a folder", d.far.Address()), remedy.Copy)
}

// UpdateBackup is refused as well.
func (d *Library) UpdateBackup(ctx context.Context, dir string) error { return d.Backup(ctx, dir) }

// BuildMarks makes the columns of marks: of what is staged, and on the
// servers, which are not waited for: games are found without them.
func (d *Library) BuildMarks(ctx context.Context, markers map[*index.Kind][]interval.Marker, progress store.Progress) (store.Marked, error) {
	done, err := d.near.BuildMarks(ctx, markers, nil) // of few games
	if err != nil {
		return done, err
	}
	far, err := d.far.BuildMarks(wire.WithPatience(ctx, patience), markers, progress)
	done.Tables += far.Tables
	done.Columns += far.Columns
	done.Lines += far.Lines
	done.Bytes += far.Bytes
	return done, err
}

// MarksVersion is another one when columns of marks have come or gone.
func (d *Library) MarksVersion() store.Version {
	return store.Version{Near: d.near.MarksVersion().Near, Far: d.far.MarksVersion().Far}
}
