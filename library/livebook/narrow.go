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
	book       *book.Book
}

// maxNarrow is how many of them are kept. Each is in memory, some kilobytes a game.
const maxNarrow = 4

// Narrow returns a book of some games alone. name tells which they are, the same for
// the same question; games is asked for them where the library is not as it was.
func (bs *Books) Narrow(ctx context.Context, kind *index.Kind, name string, games func() ([]uint32, error)) (*book.Book, error) {
	version, err := bs.library.Version(ctx)
	if err != nil {
		return nil, err
	}
	n := &bs.narrowed
	n.Lock()
	defer n.Unlock()
	at := slices.IndexFunc(n.list, func(b narrowBook) bool { return b.kind == kind.Name && b.name == name })
	if at >= 0 {
		old := n.list[at]
		n.list = append(slices.Delete(n.list, at, at+1), old)
		if old.generation == version.Stamp() {
			return old.book, nil
		}
		n.list = n.list[:len(n.list)-1]
	}
	ids, err := games()
	if err != nil {
		return nil, err
	}
	b := book.New(kind.Rules)
	all := book.Change{Added: bs.bookGames(ctx, kind, ids, map[uint32]uint64{}), Anew: true}
	if err := b.Rebuild(ctx, all, book.BuildOptions{Total: len(ids)}); err != nil {
		return nil, err
	}
	if len(n.list) == maxNarrow {
		n.list = n.list[1:]
	}
	n.list = append(n.list, narrowBook{kind.Name, name, version.Stamp(), b})
	return b, nil
}
