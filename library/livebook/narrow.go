package livebook

import (
	"context"
	"slices"
	"sync"

	"qipu/book"
	"qipu/index"
)

// narrowed are the books of some games of the library alone, those that were asked
// for last.
type narrowed struct {
	sync.Mutex
	list []narrowBook
}

type narrowBook struct {
	kind, name string
	generation int64
	books      [origins]*book.Book
}

// maxNarrow is how many of them are kept. Each is in memory, some kilobytes a game.
const maxNarrow = 4

// Narrow returns the volume of a kind with books of some games alone, of either
// origin. name tells which they are, the same for the same question; games is asked for
// them where the library is not as it was.
func (bs *Books) Narrow(ctx context.Context, kind *index.Kind, v Volume, name string, games func() ([]uint32, error)) (Volume, error) {
	version, err := bs.library.Version(ctx)
	if err != nil {
		return v, err
	}
	n := &bs.narrowed
	n.Lock()
	defer n.Unlock()
	at := slices.IndexFunc(n.list, func(b narrowBook) bool { return b.kind == kind.Name && b.name == name })
	if at >= 0 {
		old := n.list[at]
		n.list = append(slices.Delete(n.list, at, at+1), old)
		if old.generation == version.Stamp() {
			v.Book, v.Here = old.books[Recorded], old.books[Here]
			return v, nil
		}
		n.list = n.list[:len(n.list)-1]
	}
	ids, err := games()
	if err != nil {
		return v, err
	}
	var of [origins][]uint32
	for row, err := range bs.library.Results(ctx, kind.Name, ids) {
		if err != nil {
			return v, err
		}
		o := Recorded
		if row.Here {
			o = Here
		}
		of[o] = append(of[o], row.ID)
	}
	made := narrowBook{kind: kind.Name, name: name, generation: version.Stamp()}
	for o, ids := range of {
		b := book.New(kind.Rules)
		all := book.Change{Added: bs.bookGames(ctx, kind, ids, map[uint32]uint64{}), Anew: true}
		if err := b.Rebuild(ctx, all, book.BuildOptions{Total: len(ids)}); err != nil {
			return v, err
		}
		made.books[o] = b
	}
	if len(n.list) == maxNarrow {
		n.list = n.list[1:]
	}
	n.list = append(n.list, made)
	v.Book, v.Here = made.books[Recorded], made.books[Here]
	return v, nil
}
