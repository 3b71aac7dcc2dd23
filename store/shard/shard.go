package shard

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/zeebo/xxh3"

	"qipu/game"
	"qipu/index"
	"qipu/record"
	"qipu/remedy"
	"qipu/segment"
	"qipu/store"
	"qipu/store/shard/internal/catalog"
	"qipu/store/shard/internal/marks"
	"qipu/store/shard/internal/table"
)

// Options say how to open a store. The zero value opens an existing one for
// writing.
type Options struct {
	ReadOnly bool
	Create   bool   // make it where there is none
	Holder   string // the program, for the message to a second writer
	Games    game.Catalog

	// Memory is about how many bytes writing may take: tables are merged as far as it
	// reaches. 0 is for as many as are of use.
	Memory int64

	// NoMerge leaves small tables as they are; somebody calls Merge.
	NoMerge bool

	// Kinds are the kinds of game, where another store of the same process shares
	// them; nil for ones of its own.
	Kinds *index.Kinds

	// Marking tells that columns of marks may be made though the store is open for
	// reading only: whoever opened it sees to it that one process does so at a time.
	Marking bool

	// tableLines and mergeWidth are small in tests, where tables and merges are
	// to come often; 0 for the constants of these names.
	tableLines, mergeWidth int

	mergeLines int // the constant of this name, or fewer by Memory
}

// Shard is an open store. It is safe for concurrent use.
type Shard struct {
	dir     string
	options Options
	cat     *catalog.DB
	kinds   *index.Kinds

	// tidy is held by whoever writes tables outside of a transaction and removes
	// files that the manifest does not name: one would take the files of the
	// other for orphans. It is locked before write.
	tidy sync.Mutex

	// write is held by whoever changes the store: one at a time.
	write sync.Mutex
	known *known // nil until it is needed

	// marking is held by whoever writes or removes columns of marks. It is locked
	// last but for mu, or tried.
	marking sync.Mutex

	// mu guards the state, which itself never changes, the documents that were
	// made for it from records, and the failure of the last merge in the
	// background. After Close there is no state any more.
	mu     sync.Mutex
	state  *state
	made   map[uint32]madeDocument
	kept   *marks.Folder // the columns of marks that the state has
	closed bool
	failed error

	merging sync.WaitGroup
	stop    context.CancelFunc
	stopped context.Context
	wake    chan struct{}
	finish  context.CancelFunc // ends merging when nothing is left to be merged
	last    context.Context
}

var _ store.Library = (*Shard)(nil)

// segmentDir is the folder of the tables in that of the store.
const segmentDir = "segments"

// Exists reports whether there is a store in a folder, which may be damaged.
func Exists(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, catalog.FileName))
	return !errors.Is(err, os.ErrNotExist)
}

// Open opens the store in a folder.
func Open(ctx context.Context, dir string, o Options) (*Shard, error) {
	cat, err := catalog.Open(ctx, dir, catalog.Options{ReadOnly: o.ReadOnly, Create: o.Create, Holder: o.Holder})
	if err != nil {
		return nil, err
	}
	o.tableLines, o.mergeWidth = cmp.Or(o.tableLines, tableLines), cmp.Or(o.mergeWidth, mergeWidth)
	o.mergeLines = mergeLines
	if o.Memory > 0 {
		o.mergeLines = int(max(2*tableLines, min(mergeLines, o.Memory/mergeShare/lineBytes)))
	}
	s := &Shard{dir: cat.Dir(), options: o, cat: cat, kinds: o.Kinds, wake: make(chan struct{}, 1)}
	if s.kinds == nil {
		s.kinds = index.NewKinds(o.Games)
	}
	s.stopped, s.stop = context.WithCancel(context.Background())
	s.last, s.finish = context.WithCancel(s.stopped)
	if o.ReadOnly {
		return s, nil
	}
	if err := s.prepare(ctx); err != nil {
		s.stop()
		cat.Close()
		return nil, err
	}
	if !o.NoMerge {
		s.merging.Add(1)
		go s.mergeInBackground()
	}
	return s, nil
}

// prepare readies the folder for a writer: what a killed one left is removed.
func (s *Shard) prepare(ctx context.Context) error {
	if err := s.makeFolder(); err != nil {
		return err
	}
	if err := os.Remove(filepath.Join(s.dir, sumsName)); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("shard: %w", err)
	}
	if _, err := s.cat.Purge(ctx, time.Now().Add(-store.TrashTerm)); err != nil {
		return err
	}
	return s.clean(ctx)
}

func (s *Shard) makeFolder() error {
	if err := os.MkdirAll(filepath.Join(s.dir, segmentDir), 0o777); err != nil {
		return fmt.Errorf("shard: %w", err)
	}
	return nil
}

// clean removes tables that the manifest does not name. What cannot be removed,
// such as a file that a reader on Windows has mapped, is left to the next time.
// The caller writes.
func (s *Shard) clean(ctx context.Context) error {
	snapshot, err := s.cat.Snapshot(ctx)
	if err != nil {
		return err
	}
	named := map[string]bool{}
	for _, seg := range snapshot.Segments {
		named[seg.File] = true
	}
	_, _ = segment.Clean(filepath.Join(s.dir, segmentDir), func(name string) bool { return named[name] }, 0)
	if s.marking.TryLock() { // whoever has it tidies up in the end
		defer s.marking.Unlock()
		marks.Clean(s.marksDir(), func(table string) bool { return named[table] })
	}
	return nil
}

// Kinds returns the kinds of game that the store knows.
func (s *Shard) Kinds() *index.Kinds { return s.kinds }

// Dir returns the folder.
func (s *Shard) Dir() string { return s.dir }

// Place returns the folder, by which users know the store.
func (s *Shard) Place() string { return s.dir }

// Close closes the store. Views that are still open stay valid. Tables that are
// to be merged after a change are merged first, for closeTime at most: a program
// that adds a little and ends would else leave a table every time.
func (s *Shard) Close() error {
	s.finish()
	hurry := time.AfterFunc(closeTime, s.stop)
	s.merging.Wait()
	hurry.Stop()
	s.stop()
	s.marking.Lock() // columns that are being made are given up
	defer s.marking.Unlock()
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.forget()
	return s.cat.Close()
}

// closeTime is how long Close waits for tables to be merged.
const closeTime = 10 * time.Second

// StopMerging ends merging in the background for good, so that Close does not
// wait for it, and making columns of marks.
func (s *Shard) StopMerging() { s.stop() }

// Trouble returns why tables could not be merged in the background the last time
// that it was tried, nil if they could. All games are stored and found all the
// same.
func (s *Shard) Trouble() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.failed
}

// state is the store at one moment: tables, and the games that wait for one.
// The Shard holds a reference, and so does every view: the files of its tables are
// mapped as long as anybody has one. All but count never changes after open has made
// it. Its mutex may be taken under that of the Shard; under it nothing is taken.
type state struct {
	generation int64
	parts      []*part
	waiting    []*index.Document // in memory; their tables are among the parts
	unread     error             // *store.UnreadableError: games that no part has; nil for none
	mu         sync.Mutex        // of count
	count      int
}

// part is a table with what the manifest says about it.
type part struct {
	*table.Table
	segment catalog.Segment // ID 0 for tables in memory
	dead    []uint64        // bits: lines of games that are deleted or replaced; nil if none
	deads   int
	spares  int        // dead lines of games that may come back out of the trash
	lost    int64      // plies of the dead lines
	marks   *marks.Set // nil for none
}

func (st *state) acquire() *state {
	st.mu.Lock()
	st.count++
	st.mu.Unlock()
	return st
}

func (st *state) release() {
	st.mu.Lock()
	st.count--
	last := st.count == 0
	st.mu.Unlock()
	if last {
		for _, p := range st.parts {
			p.File.Release()
			p.marks.Release()
		}
	}
}

// current returns the state of the store as it is now, with a reference for the
// caller. It follows writers of other processes.
func (s *Shard) current(ctx context.Context) (*state, error) {
	generation, err := s.cat.Generation(ctx)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.state == nil || s.state.generation != generation {
		if err := s.load(ctx, nil); err != nil {
			return nil, err
		}
	}
	s.followMarks()
	return s.state.acquire(), nil
}

// forget gives the state up: the next reader loads it.
func (s *Shard) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.state != nil {
		s.state.release()
		s.state = nil
	}
}

// publish makes the state anew after a change by this process, which gives the
// documents that wait now.
func (s *Shard) publish(ctx context.Context, waiting []*index.Document) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if waiting == nil {
		waiting = []*index.Document{}
	}
	return s.load(ctx, waiting)
}

// load reads the manifest and opens the tables that are new. A nil list of
// waiting documents has them made from their records. The caller holds mu.
func (s *Shard) load(ctx context.Context, waiting []*index.Document) error {
	if s.closed {
		return store.ErrClosed
	}
	for range 5 {
		snapshot, err := s.cat.Snapshot(ctx)
		if err != nil {
			return err
		}
		next, err := s.open(ctx, snapshot, waiting)
		if errors.Is(err, os.ErrNotExist) && s.options.ReadOnly || errors.Is(err, store.ErrNoGame) {
			// A writer has merged the tables away between the manifest and
			// their opening, or deleted a game that waits: there is a newer
			// manifest.
			time.Sleep(5 * time.Millisecond)
			continue
		}
		if err != nil {
			return err
		}
		if s.state != nil {
			s.state.release()
		}
		s.state = next
		return nil
	}
	return remedy.For(fmt.Errorf("%w: the manifest of %s names tables that are not there", segment.ErrCorrupt, s.dir), remedy.Repair)
}

// open makes a state of a manifest, from the tables of the last one where they
// are the same.
func (s *Shard) open(ctx context.Context, snapshot *catalog.Snapshot, waiting []*index.Document) (_ *state, err error) {
	st := &state{generation: snapshot.Generation, count: 1}
	if s.kept == nil {
		s.kept = marks.Read(s.marksDir())
	}
	s.kept, _ = s.kept.Refresh()
	defer func() {
		if err != nil {
			st.release()
		}
	}()
	old := map[int64]*part{}
	if s.state != nil {
		for _, p := range s.state.parts {
			old[p.segment.ID] = p
		}
	}
	// Tables in the order of their games: a merged one is newer than its games,
	// and who reads the first page of an answer wants the first games.
	slices.SortStableFunc(snapshot.Segments, func(x, y catalog.Segment) int { return cmp.Compare(firstGame(x), firstGame(y)) })
	for _, seg := range snapshot.Segments {
		p := &part{segment: seg}
		if known := old[seg.ID]; known != nil && seg.ID != 0 {
			known.File.Acquire()
			p.Table = known.Table
			if known.segment.Dead.Equals(seg.Dead) && known.segment.Spare.Equals(seg.Spare) {
				p.dead, p.deads, p.spares, p.lost = known.dead, known.deads, known.spares, known.lost
			}
			p.marks = s.kept.Open(p.Identity, known.marks)
		} else if p.Table, err = s.openTable(seg); err != nil {
			return nil, err
		} else {
			p.marks = s.kept.Open(p.Identity, nil)
		}
		st.parts = append(st.parts, p)
		if err := p.bury(); err != nil {
			return nil, err
		}
	}
	if waiting == nil {
		if waiting, err = s.waitingDocuments(ctx, snapshot.Waiting); err != nil {
			return nil, err
		}
	}
	st.waiting = waiting
	tables, err := s.memoryTables(waiting)
	for _, t := range tables {
		st.parts = append(st.parts, &part{Table: t})
	}
	st.unread = s.unread(ctx, snapshot, waiting)
	return st, err
}

// unread names the games that are in no table and do not wait for one either, because
// their records cannot be read: no search finds them, which it has to say. They are
// counted, which costs nothing, and listed only where there are some.
func (s *Shard) unread(ctx context.Context, snapshot *catalog.Snapshot, waiting []*index.Document) error {
	missing := snapshot.Games - len(waiting)
	for _, seg := range snapshot.Segments {
		if !seg.Variations {
			missing -= int(seg.Games.GetCardinality() - seg.Dead.GetCardinality())
		}
	}
	if missing <= 0 {
		return nil
	}
	lost := &store.UnreadableError{Count: missing}
	ids, err := s.cat.IDs(ctx, "")
	if err == nil {
		err = s.withoutBoard(ctx, ids)
	}
	if lost.Reason = err; err != nil {
		return lost
	}
	for _, seg := range snapshot.Segments {
		if !seg.Variations {
			ids.AndNot(roaring.AndNot(seg.Games, seg.Dead))
		}
	}
	for _, doc := range waiting {
		ids.Remove(doc.Game)
	}
	if int(ids.GetCardinality()) <= missing { // else somebody has added some meanwhile
		lost.Games = ids.ToArray()
	}
	for _, err := range s.cat.Texts(ctx, lost.Games) {
		if lost.Reason = err; err != nil {
			break
		}
	}
	return lost
}

// Unread names the games that the last view did not have because their records
// cannot be read, by an *UnreadableError; nil where it had all.
func (s *Shard) Unread() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.state == nil {
		return nil
	}
	return s.state.unread
}

func firstGame(seg catalog.Segment) uint32 {
	if seg.Games.IsEmpty() {
		return 0
	}
	return seg.Games.Minimum()
}

func (s *Shard) openTable(seg catalog.Segment) (*table.Table, error) {
	path := filepath.Join(s.dir, segmentDir, seg.File)
	f, err := segment.Open(path, table.Kinds)
	if err != nil {
		return nil, err
	}
	t, err := table.Open(f, s.kinds)
	if err != nil {
		return nil, err
	}
	if t.Lines != seg.Lines || t.Kind.Name != seg.Kind || t.Variations != seg.Variations {
		f.Close()
		return nil, &segment.CorruptError{Path: path, Section: table.SecHead, Page: -1, Reason: "it is not the table that the manifest describes"}
	}
	if t.Identity, err = marks.TableOf(path, t.Lines); err != nil {
		f.Close()
		return nil, err
	}
	return t, nil
}

// bury marks the lines of dead games.
func (p *part) bury() error {
	if p.segment.Dead == nil || p.segment.Dead.IsEmpty() || p.dead != nil {
		return nil
	}
	return segment.Guard(func() error {
		p.dead = make([]uint64, (p.Lines+63)/64)
		for line := range p.Lines {
			if !p.segment.Dead.Contains(p.Columns.Game(line)) {
				continue
			}
			p.dead[line/64] |= 1 << (line % 64)
			p.deads++
			if p.isSpare(uint32(line)) {
				p.spares++
			}
			p.lost += int64(p.Columns.Plies(line))
		}
		return nil
	})
}

// isSpare reports whether the game of a dead line may come back.
func (p *part) isSpare(line uint32) bool {
	return p.segment.Spare != nil && p.segment.Spare.Contains(p.Columns.Game(int(line)))
}

// gone returns how many lines no game will have again. A game with variations has
// several lines.
func (p *part) gone() int { return p.deads - p.spares }

func (p *part) isDead(line uint32) bool {
	return p.dead != nil && p.dead[line/64]>>(line%64)&1 != 0
}

// documents makes the documents of games from their records. Those that cannot be
// read are left out.
func (s *Shard) documents(ctx context.Context, ids []uint32) ([]*index.Document, error) {
	maker := index.Documents{Kinds: s.kinds}
	referee := record.NewReferee(s.options.Games)
	referee.Trace = true
	list := []*index.Document{}
	layers, err := s.layers(ctx, ids)
	if err != nil {
		return nil, err
	}
	for text, err := range s.cat.Texts(ctx, ids) {
		doc, err := makeDocument(&maker, referee, text, layers[text.ID], err)
		if err != nil && !errors.Is(err, store.ErrDamaged) {
			return nil, err
		}
		if doc != nil {
			list = append(list, doc)
		}
	}
	return list, nil
}

// madeDocument is a document with a hash of the record that it was made of.
type madeDocument struct {
	sum uint64
	doc *index.Document
}

// waitingDocuments makes the documents of games that wait for a table, but for
// those whose records are the same as last time: a reader asks after every game
// that somebody adds, and to play a record costs more than to read it. Records
// that cannot be read are left out: Check names them. The caller holds mu.
func (s *Shard) waitingDocuments(ctx context.Context, ids []uint32) ([]*index.Document, error) {
	maker := index.Documents{Kinds: s.kinds}
	referee := record.NewReferee(s.options.Games)
	referee.Trace = true
	made := make(map[uint32]madeDocument, len(ids))
	list := []*index.Document{}
	layers, err := s.layers(ctx, ids)
	if err != nil {
		return nil, err
	}
	for text, err := range s.cat.Texts(ctx, ids) {
		m := s.made[text.ID]
		if sum := xxh3.Hash(text.Record) ^ sumLayer(layers[text.ID]); err != nil || m.doc == nil || m.sum != sum {
			m.sum = sum
			if m.doc, err = makeDocument(&maker, referee, text, layers[text.ID], err); errors.Is(err, store.ErrDamaged) {
				continue
			} else if err != nil {
				return nil, err
			}
		}
		if m.doc != nil {
			list = append(list, m.doc)
		}
		made[text.ID] = m
	}
	s.made = made
	return list, nil
}

// makeDocument makes the document of a stored record, nil where it has no
// board, its headers corrected. The error is that of reading the text; a record that makes no sense is
// damaged too.
func makeDocument(maker *index.Documents, referee *record.Referee, text store.Text, layer []store.Correction, err error) (*index.Document, error) {
	if err != nil {
		return nil, err
	}
	g, err := record.DecodeGame(text.Record)
	if err != nil {
		return nil, fmt.Errorf("%w: game %d: %w", store.ErrDamaged, text.ID, err)
	}
	store.Lay(&g.Facts, layer)
	doc, ok := maker.Make(referee.Play(g))
	if !ok {
		return nil, nil
	}
	doc.Game = text.ID
	doc.Detach()
	return doc, nil
}

// builders gathers documents into tables, one for each kind and role.
type builders struct {
	list  []*table.Builder
	lines map[*index.Kind]int // how many are to be expected, where that is known
}

func (bs *builders) add(doc *index.Document) {
	for i := range doc.Lines {
		var found *index.Found
		if doc.Found != nil {
			found = &doc.Found[i]
		}
		b := bs.of(doc.Kind, i > 0)
		b.Add(doc.Game, &doc.Facts, &doc.Lines[i], found)
		b.Comment(doc.Comment)
	}
}

func (bs *builders) of(k *index.Kind, variations bool) *table.Builder {
	for _, b := range bs.list {
		if b.Kind == k && b.Variations == variations {
			return b
		}
	}
	b := table.NewBuilder(k, variations, bs.lines[k])
	bs.list = append(bs.list, b)
	return b
}

// memoryTables makes tables of documents without writing files.
func (s *Shard) memoryTables(docs []*index.Document) ([]*table.Table, error) {
	var bs builders
	for _, doc := range docs {
		bs.add(doc)
	}
	var tables []*table.Table
	for _, b := range bs.list {
		// The comments of a few games are searched as they are: to index them
		// anew after every game that is added would cost more.
		comments := b.Comments
		b.Comments = nil
		f, err := segment.Memory(table.Kind, table.Version, b.Write)
		if err != nil {
			return tables, err
		}
		t, err := table.Open(f, s.kinds)
		if err != nil {
			return tables, err
		}
		t.Remarks.List = comments
		tables = append(tables, t)
	}
	return tables, nil
}
