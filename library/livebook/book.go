package livebook

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"qipu/board"
	"qipu/book"
	"qipu/index"
	"qipu/library"
	"qipu/record"
	"qipu/store"
)

// bookFolder is where the books of a library lie, two files for each kind of game:
// "othello-8x8-000012.seg" of the records, "here-othello-8x8-000003.seg" of the games
// that were played here. They are derived, and may be removed at any time.
const bookFolder = "book"

// Origin is where the games of a book come from. It is what their records say of it
// since they were made, and nothing that is guessed from names.
type Origin uint8

// The origins.
const (
	Recorded Origin = iota // read from files: records
	Here                   // played in this program, by guests and by its levels

	origins = 2
)

// Books are the opening books of a library, one of each origin for each kind of game
// that was asked for, with the values of their positions. They follow the games of the library.
// They are safe for concurrent use.
type Books struct {
	library *library.Library

	mu      sync.Mutex
	shelves map[shelfName]*follower
	closed  bool
	making  sync.WaitGroup // files in the background

	// writing is how many are storing or deleting games that are not noted yet.
	writing atomic.Int32

	stop context.CancelFunc
	ctx  context.Context // of what is made in the background

	theories theories // see Theory
	narrowed narrowed // see Narrow
}

// New returns the books of a library, and has the library tell them what becomes of
// its games. Close them before the library.
func New(l *library.Library) *Books {
	bs := &Books{library: l, shelves: map[shelfName]*follower{}}
	bs.ctx, bs.stop = context.WithCancel(context.Background())
	l.Watch(bs)
	return bs
}

// shelfName is the name of a kind, and where the games come from.
type shelfName struct {
	kind   string
	origin Origin
}

// follower keeps one book in step with the catalogue.
type follower struct {
	kind   *index.Kind
	origin Origin

	mu         sync.Mutex // held while the book is brought up to date
	files      sync.Mutex // held while a file is made; taken behind mu
	book       *book.Book // nil before the first time, and the same from then on
	generation int64      // stamp of the version of the library that the book was compared with
	foreign    int64      // of the library, when it was compared with the book
	filing     bool       // a file is being made in the background

	noted   sync.Mutex                // taken last
	changed map[uint32]*record.Played // games that this process has changed since; nil for those to be read
}

// has reports whether a game is one of the book.
func (s *follower) has(r *store.ResultRow) bool { return r.Here == (s.origin == Here) }

// shelf returns that of a kind.
func (bs *Books) shelf(kind *index.Kind, o Origin) (*follower, error) {
	bs.mu.Lock()
	defer bs.mu.Unlock()
	if bs.closed {
		return nil, store.ErrClosed
	}
	name := shelfName{kind.Name, o}
	s := bs.shelves[name]
	if s == nil {
		s = &follower{kind: kind, origin: o}
		bs.shelves[name] = s
	}
	return s, nil
}

// Book returns the book of the records of a kind of game, in step with the library:
// every one that is stored is counted, whoever has stored it. It is kept, and costs some
// microseconds where nothing has changed, and well below a millisecond for each
// game that has. The first call opens its file; where there is none, or what it
// holds is old, the book is made of the records, some ten thousand a second.
//
// The book belongs to the library and is closed with it.
func (bs *Books) Book(ctx context.Context, kind *index.Kind) (*book.Book, error) {
	return bs.BookOf(ctx, kind, Recorded, nil)
}

// Build makes the files of the books of a kind anew from the records, whatever there
// was.
func (bs *Books) Build(ctx context.Context, kind *index.Kind, progress store.Progress) error {
	for o := range Origin(origins) {
		s, err := bs.shelf(kind, o)
		if err != nil {
			return err
		}
		s.mu.Lock()
		err = bs.rebuild(ctx, s, progress)
		s.mu.Unlock()
		if err != nil {
			return err
		}
	}
	return nil
}

// BookOf is Book for games of either origin. Progress is told how far the making of
// the book is, where it has to be made. It may be nil.
func (bs *Books) BookOf(ctx context.Context, kind *index.Kind, o Origin, progress store.Progress) (*book.Book, error) {
	s, err := bs.shelf(kind, o)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for range retries {
		// A game may be deleted between the list of games and its record.
		if err = bs.step(ctx, s, progress); !errors.Is(err, store.ErrNoGame) {
			break
		}
	}
	if err != nil {
		return nil, err
	}
	bs.file(s)
	return s.book, nil
}

const retries = 8

// step brings a book up to date.
func (bs *Books) step(ctx context.Context, s *follower, progress store.Progress) error {
	// The order matters: what was stored before this generation is either noted
	// by now, or somebody is still writing.
	foreign := bs.library.Foreign() // -1 where nobody tells what others change
	version, err := bs.library.Version(ctx)
	if err != nil {
		return err
	}
	generation := version.Stamp()
	writing := bs.writing.Load() > 0
	noted := s.take()
	if s.book == nil {
		opened, err := bs.openBook(s)
		if err != nil {
			return bs.rebuild(ctx, s, progress)
		}
		s.book, s.generation = opened, opened.Info().Note
		if s.generation != generation || opened.Mixed() {
			if err := bs.compare(ctx, s, generation, progress); err != nil {
				s.book = nil
				return errors.Join(err, opened.Close())
			}
			return nil
		}
		// What is noted may have been stored behind this generation, and is not
		// in the file then.
	}
	switch {
	case s.book.Err() != nil:
		return bs.rebuild(ctx, s, progress)
	case foreign < 0 && generation != s.generation || foreign != s.foreign:
		if err := bs.compare(ctx, s, generation, progress); err != nil {
			s.note(noted)
			return err
		}
		s.foreign = foreign
		return nil
	case len(noted) > 0:
		err = bs.follow(ctx, s, change{ids: slices.Sorted(maps.Keys(noted)), played: noted}, progress)
	}
	if err != nil {
		s.note(noted)
	} else if !writing {
		s.generation = generation
	}
	return err
}

// mostCarried is how many games wait for a book as they were played at most; of more
// the records are read.
const mostCarried = 64

// note has the book look at games again. One that is noted twice has changed since it
// was played.
func (s *follower) note(games map[uint32]*record.Played) {
	s.noted.Lock()
	defer s.noted.Unlock()
	if s.changed == nil {
		s.changed = map[uint32]*record.Played{}
	}
	for id, p := range games {
		if _, twice := s.changed[id]; twice || len(s.changed) >= mostCarried || p != nil && p.Steps == nil {
			p = nil
		}
		s.changed[id] = p
	}
}

// take returns the games that were noted.
func (s *follower) take() map[uint32]*record.Played {
	s.noted.Lock()
	defer s.noted.Unlock()
	games := s.changed
	s.changed = nil
	return games
}

// Begin notes that somebody is storing or deleting games.
func (bs *Books) Begin() { bs.writing.Add(1) }

// End has all books look at games again. This process is the only one that writes:
// what others change is found by comparing.
func (bs *Books) End(games map[uint32]*record.Played) {
	bs.mu.Lock()
	for _, s := range bs.shelves {
		s.note(games)
	}
	bs.mu.Unlock()
	bs.writing.Add(-1)
}

// stampOf returns a hash of what the catalogue says of a game. It is another
// when another record has taken the place of the old one and changes its moves
// or its result.
func stampOf(r *store.ResultRow) uint64 {
	h := board.Mix(r.Key + uint64(r.Plies)*0x9E3779B97F4A7C15)
	return board.Mix(h ^ board.Mix(uint64(r.Verdict)|uint64(r.Format)<<8) ^ math.Float64bits(r.Margin))
}

// compare finds what other processes have changed, by the stamps of all games.
func (bs *Books) compare(ctx context.Context, s *follower, generation int64, progress store.Progress) error {
	known := s.book.Stamps()
	var ids []uint32
	stamps := map[uint32]uint64{}
	for row, err := range bs.library.Results(ctx, s.kind.Name, nil) {
		if err != nil {
			return err
		}
		if !s.has(&row) {
			continue // it is gone from this book where it was in it
		}
		stamp := stampOf(&row)
		if old, ok := known[row.ID]; !ok || old != stamp {
			ids, stamps[row.ID] = append(ids, row.ID), stamp
		}
		delete(known, row.ID)
	}
	for id := range known {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	if err := bs.follow(ctx, s, change{ids: ids, stamps: stamps, note: generation}, progress); err != nil {
		return err
	}
	s.generation = generation
	return nil
}

// manyGames is how many changed games are worth a new file at least, when they
// are also an eighth of the book.
const manyGames = 512

// change is what a book is to follow.
type change struct {
	ids    []uint32                  // by rising number
	stamps map[uint32]uint64         // of those that are there; nil where they are not known
	note   int64                     // the generation that a file of the book would be of then; 0 for unknown
	played map[uint32]*record.Played // games as they were played: they need not be read
}

// follow has a book count games as they are now.
func (bs *Books) follow(ctx context.Context, s *follower, c change, progress store.Progress) error {
	if len(c.ids) == 0 {
		return nil
	}
	var games []book.Game
	if c.stamps == nil {
		c.stamps = map[uint32]uint64{}
		for row, err := range bs.library.Results(ctx, s.kind.Name, c.ids) {
			if err != nil {
				return err
			}
			if !s.has(&row) {
				continue
			}
			c.stamps[row.ID] = stampOf(&row)
			if p := c.played[row.ID]; p != nil && isOf(p, &row) {
				games = append(games, book.FromPlayed(s.kind.Rules, row.ID, c.stamps[row.ID], p))
			}
		}
	}
	var there []uint32
	gone := map[uint32]bool{}
	for _, id := range c.ids {
		if _, ok := c.stamps[id]; ok {
			there = append(there, id)
		} else if s.book.Has(id) {
			gone[id] = true
		}
	}
	info := s.book.Info()
	if n := len(there) + len(gone); n >= manyGames && (n*8 >= info.Games || n >= 8*manyGames) {
		o := book.BuildOptions{Note: c.note, Total: info.Games + len(there), Progress: progress}
		return bs.makeFile(s, o, func(o book.BuildOptions) error {
			return s.book.Rebuild(ctx, book.Change{Added: bs.bookGames(ctx, s.kind, there, c.stamps), Gone: gone}, o)
		})
	}
	for _, g := range games {
		there = slices.DeleteFunc(there, func(id uint32) bool { return id == g.ID })
	}
	for g, err := range bs.bookGames(ctx, s.kind, there, c.stamps) {
		if err != nil {
			return err
		}
		games = append(games, *g)
	}
	for id := range gone {
		if err := s.book.Remove(id); err != nil {
			return err
		}
	}
	return s.book.Add(games...)
}

// isOf reports whether a record that was played when it was stored is still that of
// its game: another may have taken its place, which is longer or has another result.
func isOf(p *record.Played, row *store.ResultRow) bool {
	said := p.Game.Facts.Result
	return row.Plies == len(p.Steps) && row.Verdict == said.Verdict && row.Margin == said.Margin
}

// bookGames yields what a book keeps of games. A record that cannot be read
// counts nowhere: qipu doctor names it.
func (bs *Books) bookGames(ctx context.Context, kind *index.Kind, ids []uint32, stamps map[uint32]uint64) iter.Seq2[*book.Game, error] {
	return func(yield func(*book.Game, error) bool) {
		if len(ids) == 0 {
			return
		}
		referee := record.NewReferee(bs.library.Rules())
		for text, err := range bs.library.Texts(ctx, ids) {
			g := book.Game{ID: text.ID, Stamp: stamps[text.ID], Blank: true}
			if err == nil {
				var rec *record.Game
				if rec, err = record.DecodeGame(text.Record); err == nil {
					g = book.FromPlayed(kind.Rules, g.ID, g.Stamp, referee.Play(rec))
				}
			}
			if err != nil && !library.Damaged(err) {
				yield(nil, err)
				return
			}
			if !yield(&g, nil) {
				return
			}
		}
	}
}

// rebuild makes a book of all records.
func (bs *Books) rebuild(ctx context.Context, s *follower, progress store.Progress) (err error) {
	version, err := bs.library.Version(ctx)
	if err != nil {
		return err
	}
	generation := version.Stamp()
	noted := s.take()
	defer func() {
		if err != nil { // the book is as it was
			s.note(noted)
		}
	}()
	var ids []uint32
	stamps := map[uint32]uint64{}
	for row, err := range bs.library.Results(ctx, s.kind.Name, nil) {
		if err != nil {
			return err
		}
		if s.has(&row) {
			ids, stamps[row.ID] = append(ids, row.ID), stampOf(&row)
		}
	}
	o := book.BuildOptions{Note: generation, Total: len(ids), Progress: progress}
	b := s.book
	if b == nil {
		b = book.New(s.kind.Rules)
	}
	err = bs.makeFile(s, o, func(o book.BuildOptions) error {
		return b.Rebuild(ctx, book.Change{Added: bs.bookGames(ctx, s.kind, ids, stamps), Anew: true}, o)
	})
	if err == nil {
		s.book, s.generation = b, generation
	}
	return err
}

// slug is the beginning of the names of the files of a kind.
func slug(kind *index.Kind) string { return strings.ReplaceAll(kind.Name, " ", "-") + "-" }

// slug is the beginning of the names of the files of a book.
func (s *follower) slug() string {
	if s.origin == Here {
		return "here-" + slug(s.kind)
	}
	return slug(s.kind)
}

// bookFiles returns the files of a book with their numbers, the newest first.
func (bs *Books) bookFiles(s *follower) (names []string, last int) {
	entries, err := os.ReadDir(filepath.Join(bs.library.Dir(), bookFolder))
	if err != nil {
		return nil, 0
	}
	numbers := map[string]int{}
	for _, e := range entries {
		rest, ours := strings.CutPrefix(e.Name(), s.slug())
		rest, seg := strings.CutSuffix(rest, ".seg")
		if n, err := strconv.Atoi(rest); ours && seg && err == nil {
			names, numbers[e.Name()] = append(names, e.Name()), n
			last = max(last, n)
		}
	}
	slices.SortFunc(names, func(x, y string) int { return numbers[y] - numbers[x] })
	return names, last
}

// openBook opens the newest file of a book that can be read.
func (bs *Books) openBook(s *follower) (*book.Book, error) {
	err := fmt.Errorf("qipu: there is no book of %s yet", s.kind.Name)
	names, _ := bs.bookFiles(s)
	for _, name := range names {
		var b *book.Book
		if b, err = book.Open(filepath.Join(bs.library.Dir(), bookFolder, name), s.kind.Rules); err == nil {
			return b, nil
		}
	}
	return nil, err
}

// makeFile has a new file of a book made, and removes the others. Where the
// library is open for reading only, or its folder takes no file, the book is made
// in memory: it is derived, and nobody has to wait for a disk.
func (bs *Books) makeFile(s *follower, o book.BuildOptions, build func(book.BuildOptions) error) error {
	s.files.Lock()
	defer s.files.Unlock()
	if !bs.library.Leads() {
		return build(o)
	}
	dir := filepath.Join(bs.library.Dir(), bookFolder)
	old, last := bs.bookFiles(s)
	if os.MkdirAll(dir, 0o777) != nil {
		return build(o)
	}
	in := o
	in.Dir, in.Name = dir, fmt.Sprintf("%s%06d.seg", s.slug(), last+1)
	err := build(in)
	if err != nil {
		if pathErr := (*os.PathError)(nil); errors.As(err, &pathErr) {
			return build(o)
		}
		return err
	}
	for _, name := range old {
		os.Remove(filepath.Join(dir, name)) // on Windows those that others have open stay, for the next time
	}
	return nil
}

// file makes a new file of a book in the background when much has changed since
// it was made, or when it was made for games of all origins. The book is used on meanwhile.
func (bs *Books) file(s *follower) {
	i := s.book.Info()
	much := i.Waiting >= 8*manyGames || i.Waiting >= manyGames && i.Waiting*8 >= i.Games
	if !bs.library.Leads() || s.filing || !much && !s.book.Mixed() {
		return
	}
	bs.mu.Lock()
	defer bs.mu.Unlock()
	if bs.closed {
		return
	}
	s.filing = true
	ctx := bs.ctx
	bs.making.Add(1)
	go func() {
		defer bs.making.Done()
		bs.compactBook(ctx, s) // what could not be made now is made another time
		s.mu.Lock()
		s.filing = false
		s.mu.Unlock()
	}()
}

// compactBook makes a new file of a book as it is.
func (bs *Books) compactBook(ctx context.Context, s *follower) error {
	s.mu.Lock()
	b := s.book
	o := book.BuildOptions{Note: s.generation}
	s.mu.Unlock()
	return bs.makeFile(s, o, func(o book.BuildOptions) error { return b.Rebuild(ctx, book.Change{}, o) })
}

// closeTime is how long the making of files may take when a library is closed,
// closeGames how large a book may be for that to be enough.
const (
	closeTime  = 5 * time.Second
	closeGames = 100_000
)

// Close closes all books. Those that have changed much get a new file first; of
// others the next process reads what has changed from the records.
func (bs *Books) Close() {
	bs.mu.Lock()
	bs.closed = true
	bs.mu.Unlock()
	bs.stop()
	bs.making.Wait()
	ctx, cancel := context.WithTimeout(context.Background(), closeTime)
	defer cancel()
	bs.closeTheories(ctx)
	for _, s := range bs.shelves {
		s.mu.Lock() // somebody may be at it still
		b := s.book
		s.mu.Unlock()
		if b == nil {
			continue
		}
		if i := b.Info(); bs.library.Leads() && i.Waiting > 0 && i.Waiting*64 >= i.Games && i.Games < closeGames {
			bs.compactBook(ctx, s)
		}
		b.Close()
	}
}

// Fresh returns how many positions of a game are new in the books.
func (bs *Books) Fresh(ctx context.Context, p *record.Played) (int, error) {
	kind := bs.library.Kinds().Of(p.Rules)
	var books [origins]*book.Book
	for o := range books {
		var err error
		if books[o], err = bs.BookOf(ctx, kind, Origin(o), nil); err != nil {
			return 0, err
		}
	}
	g := book.FromPlayed(kind.Rules, 0, 0, p)
	return books[Recorded].Fresh(&g, books[Here]), nil
}
