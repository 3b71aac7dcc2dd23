package staging

import (
	"cmp"
	"context"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/RoaringBitmap/roaring/v2"

	"qipu/index"
	"qipu/query"
)

// While games are shipped there is a moment at which they lie in both places. A
// view that meets it is taken anew, so often, after so long.
const (
	overlaps    = 20
	overlapTime = 2 * time.Millisecond
)

// View returns the library as it is now: what is staged, and the servers.
func (d *Library) View(ctx context.Context) (index.View, error) {
	for i := 0; ; i++ {
		lies, err := d.lies(ctx)
		if err != nil {
			return nil, err
		}
		if lies.IsEmpty() {
			return d.far.View(ctx)
		}
		v := &view{}
		if v.near, err = d.near.View(ctx); err != nil {
			return nil, err
		}
		// What is shipped is on the servers before it is gone from here, so that
		// a game may be in both, but never in neither.
		if v.far, err = d.far.View(ctx); err != nil {
			v.near.Close()
			return nil, err
		}
		both := overlap(lies, v.far)
		again, err := d.lies(ctx)
		switch {
		case err != nil:
			v.Close()
			return nil, err
		case i == overlaps:
			v.far.(servers).Hide(both) // it takes long, or was interrupted
			return v, nil
		case both.IsEmpty() && again == lies:
			return v, nil
		}
		v.Close()
		time.Sleep(overlapTime)
	}
}

// servers is what views of the servers can do beside others.
type servers interface {
	// Has reports whether there is a game.
	Has(game uint32) bool

	// Hide has the view know nothing of some games, but for its tally.
	Hide(games *roaring.Bitmap)
}

// overlap returns the games that are staged and are on the servers.
func overlap(lies *roaring.Bitmap, far index.View) *roaring.Bitmap {
	both, has := roaring.New(), far.(servers)
	for it := lies.Iterator(); it.HasNext(); {
		if id := it.Next(); has.Has(id) {
			both.Add(id)
		}
	}
	return both
}

// view is both stores as one.
type view struct{ near, far index.View }

func (v *view) Close() error {
	v.near.Close()
	return v.far.Close()
}

// Missing names the servers that could not be asked, and what of the folder cannot be
// read.
func (v *view) Missing() []string { return append(v.near.Missing(), v.far.Missing()...) }

// Guard runs code that reads the memory of batches.
func (v *view) Guard(read func() error) error { return v.near.Guard(read) }

// Tally adds up the games of both.
func (v *view) Tally() []index.Tally {
	list := slices.Clone(v.far.Tally())
	for _, t := range v.near.Tally() {
		i := slices.IndexFunc(list, func(o index.Tally) bool { return o.Kind.Name == t.Kind.Name })
		if i < 0 {
			list = append(list, t)
			continue
		}
		o := &list[i]
		o.Games, o.Variations, o.Plies, o.Bytes = o.Games+t.Games, o.Variations+t.Variations, o.Plies+t.Plies, o.Bytes+t.Bytes
	}
	slices.SortFunc(list, func(x, y index.Tally) int { return strings.Compare(x.Kind.Name, y.Kind.Name) })
	return list
}

// Scan yields the blocks of the servers, and then those of the staging folder, whose games
// are the latest.
func (v *view) Scan(ctx context.Context, p *index.Plan) iter.Seq2[*index.Batch, error] {
	return func(yield func(*index.Batch, error) bool) {
		for _, part := range []index.View{v.far, v.near} {
			for b, err := range part.Scan(ctx, p) {
				if !yield(b, err) || err != nil {
					return
				}
			}
		}
	}
}

// Positions yields the lines of both, key by key.
func (v *view) Positions(ctx context.Context, l *index.Lookup) iter.Seq2[*index.Postings, error] {
	return func(yield func(*index.Postings, error) bool) {
		next := 0 // the first key that the staging folder was not asked for
		near := func(end int) bool {
			part := *l
			part.Keys = l.Keys[next:end]
			next = end
			for p, err := range v.near.Positions(ctx, &part) {
				if !yield(p, err) || err != nil {
					return false
				}
			}
			return true
		}
		for p, err := range v.far.Positions(ctx, l) {
			if err != nil {
				yield(nil, err)
				return
			}
			if at := slices.Index(l.Keys[next:], p.Key); at > 0 && !near(next+at) {
				return
			}
			if !yield(p, nil) {
				return
			}
		}
		near(len(l.Keys))
	}
}

// Names adds up the texts of both.
func (v *view) Names(ctx context.Context, k *index.Kind, col query.Column) iter.Seq2[index.Name, error] {
	return func(yield func(index.Name, error) bool) {
		next, stop := iter.Pull2(v.near.Names(ctx, k, col))
		defer stop()
		n, err, some := next()
		for f, failed := range v.far.Names(ctx, k, col) {
			if failed != nil {
				yield(f, failed)
				return
			}
			for some && err == nil && compare(&n, &f) < 0 {
				if !yield(n, nil) {
					return
				}
				n, err, some = next()
			}
			if some && err == nil && compare(&n, &f) == 0 {
				f.Games += n.Games
				n, err, some = next()
			}
			if err != nil {
				break
			}
			if !yield(f, nil) {
				return
			}
		}
		for ; some; n, err, some = next() {
			if !yield(n, err) || err != nil {
				return
			}
		}
	}
}

func compare(x, y *index.Name) int {
	return cmp.Or(strings.Compare(x.Folded, y.Folded), strings.Compare(x.Text, y.Text))
}

// Comments returns the games of both.
func (v *view) Comments(ctx context.Context, k *index.Kind, folded string) (*roaring.Bitmap, error) {
	far, err := v.far.Comments(ctx, k, folded)
	if err != nil {
		return nil, err
	}
	near, err := v.near.Comments(ctx, k, folded)
	if err != nil {
		return nil, err
	}
	near.Or(far)
	return near, nil
}
