package staging

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/RoaringBitmap/roaring/v2"

	"qipu/store"
	"qipu/store/cluster/ledger"
	"qipu/store/cluster/wire"
	"qipu/store/shard"
)

// deletedFile is the file of the staging folder that says which deletions it has
// learnt of, as a bitmap of games. Where it is lost, all are learnt again, which
// costs nothing but that files are read once more.
const deletedFile = "deleted"

// learnMost is of how many games that are gone the servers are asked where they came
// from. Of more, every file counts as not read.
const learnMost = 100_000

// learnt is what a staging folder knows of what others did to games.
type learnt struct {
	sync.Mutex
	commits int64           // that were looked at; 0 for none
	games   *roaring.Bitmap // that are gone, as deletedFile has them; nil before it was read
	failed  time.Time       // when the servers could not be asked the last time
}

// learn has the folder follow what anybody did to games on the servers. Of those that
// were joined, collections and tags know the numbers that they have now. Those that were
// deleted leave collections and tags, and the files that they came from count as not
// read, as in a library that one deletes from: an import brings them back.
func (d *Library) learn(ctx context.Context, st *ledger.State) error {
	l := &d.learnt
	l.Lock()
	defer l.Unlock()
	if l.commits == st.Commits {
		return nil
	}
	if l.games == nil {
		l.games = readDeleted(d.Dir())
	}
	if err := d.rejoin(ctx, st); err != nil {
		return err
	}
	gone := st.Gone()
	lies, err := d.near.Records().IDs(ctx, "")
	if err != nil {
		return err
	}
	fresh := roaring.AndNot(gone, l.games)
	fresh.AndNot(lies) // they were brought back, and are not shipped yet
	if !fresh.IsEmpty() {
		var files []string
		var all bool
		if fresh.GetCardinality() <= learnMost {
			var err error
			if files, all, err = d.far.Origins(wire.WithPatience(ctx, patience), st, fresh); err != nil {
				return err
			}
		}
		err := d.near.Update(ctx, func(tx shard.Tx) error {
			if err := tx.Forget(fresh.ToArray()); err != nil {
				return err
			}
			if !all { // the rows of some were swept
				return tx.ForgetFiles()
			}
			return tx.ForgetInputs(files)
		})
		if err != nil {
			return err
		}
	}
	l.keep(d.Dir(), gone)
	l.commits = st.Commits
	return nil
}

// knows notes games whose deletion was learnt of, because it was made here.
func (d *Library) knows(ids []uint32) {
	l := &d.learnt
	l.Lock()
	defer l.Unlock()
	if l.games == nil {
		l.games = readDeleted(d.Dir())
	}
	now := l.games.Clone()
	now.AddMany(ids)
	l.keep(d.Dir(), now)
}

// keep writes down which deletions are known.
func (l *learnt) keep(dir string, now *roaring.Bitmap) {
	if now.Equals(l.games) {
		return
	}
	l.games = now
	path := filepath.Join(dir, deletedFile)
	now.RunOptimize()
	if data, err := now.ToBytes(); err == nil && os.WriteFile(path+".new", data, 0o666) == nil {
		os.Rename(path+".new", path)
	}
}

// readDeleted reads what keep wrote.
func readDeleted(dir string) *roaring.Bitmap {
	b := roaring.New()
	data, err := os.ReadFile(filepath.Join(dir, deletedFile))
	if err == nil {
		err = b.UnmarshalBinary(data)
	}
	if err == nil {
		err = b.Validate()
	}
	if err != nil {
		return roaring.New()
	}
	return b
}

// notes is what people have made here, of games that there still are.
type notes struct {
	store.Notes
	of *Library
}

// follow learns what is known of the servers already; where that is nothing, they are
// asked once. What stands in the way, such as another process that writes to the folder
// and learns it itself, only leaves games in the answer that are gone.
func (n notes) follow(ctx context.Context) {
	if n.of.sharing.editing.Load() > 0 {
		return // whoever asks may be in the transaction
	}
	n.of.share(ctx)
	st := n.of.far.Known()
	if l := &n.of.learnt; st.Commits == 0 && l.try() {
		var err error
		if st, err = n.of.far.State(wire.WithPatience(ctx, patience)); err != nil {
			l.fails()
			return
		}
	}
	_ = n.of.learn(ctx, st)
}

// try reports whether the servers may be asked: not for a while after they could not be.
func (l *learnt) try() bool {
	l.Lock()
	defer l.Unlock()
	return time.Since(l.failed) > shipAfter
}

// fails notes that they could not be asked.
func (l *learnt) fails() {
	l.Lock()
	defer l.Unlock()
	l.failed = time.Now()
}

// Edit changes notes, and brings what people made to the servers.
func (n notes) Edit(ctx context.Context, change func(store.Tx) error) error {
	editing, made := &n.of.sharing.editing, false
	editing.Add(1)
	err := func() error {
		defer editing.Add(-1)
		return n.Notes.Edit(ctx, func(tx store.Tx) error {
			w := &watched{Tx: tx}
			defer func() { made = w.made }()
			return change(w)
		})
	}()
	if err == nil && made {
		n.of.made(ctx)
	}
	return err
}

func (n notes) Collections(ctx context.Context) ([]store.Collection, error) {
	n.follow(ctx)
	return n.Notes.Collections(ctx)
}

func (n notes) CollectionsOf(ctx context.Context, game uint32) ([]store.Collection, error) {
	n.follow(ctx)
	return n.Notes.CollectionsOf(ctx, game)
}

func (n notes) Members(ctx context.Context, collection int64) (*roaring.Bitmap, error) {
	n.follow(ctx)
	return n.Notes.Members(ctx, collection)
}

func (n notes) Tags(ctx context.Context) ([]store.Tag, error) {
	n.follow(ctx)
	return n.Notes.Tags(ctx)
}

func (n notes) TagsOf(ctx context.Context, game uint32) ([]store.Tag, error) {
	n.follow(ctx)
	return n.Notes.TagsOf(ctx, game)
}

func (n notes) SavedQueries(ctx context.Context) ([]store.Saved, error) {
	n.follow(ctx)
	return n.Notes.SavedQueries(ctx)
}

func (n notes) SavedQuery(ctx context.Context, name string, kinds ...string) (store.Saved, error) {
	n.follow(ctx)
	return n.Notes.SavedQuery(ctx, name, kinds...)
}

func (n notes) Tagged(ctx context.Context, tag string) (*roaring.Bitmap, error) {
	n.follow(ctx)
	return n.Notes.Tagged(ctx, tag)
}

// InputDone reports whether a file was read and none of its games was deleted since, by
// whomsoever. Where the servers cannot be asked for that, it goes by what is known, and
// they are not asked again for a while: there may be many files.
func (n notes) InputDone(ctx context.Context, in store.Input) (bool, error) {
	if l := &n.of.learnt; l.try() {
		st, err := n.of.far.State(ctx)
		if err == nil {
			err = n.of.learn(ctx, st)
		}
		if err != nil {
			n.of.options.Logf("staging: what others have deleted is not known: %v", err)
			l.fails()
		}
	}
	return n.Notes.InputDone(ctx, in)
}
