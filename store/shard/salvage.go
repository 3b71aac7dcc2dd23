package shard

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/RoaringBitmap/roaring/v2"

	"qipu/index"
	"qipu/interval"
	"qipu/record"
	"qipu/record/facts"
	"qipu/segment"
	"qipu/store"
	"qipu/store/dedupe"
	"qipu/store/shard/internal/catalog"
	"qipu/store/shard/internal/retell"
	"qipu/store/shard/internal/table"
)

// RebuiltTag is what games are tagged with whose records were made of tables.
const RebuiltTag = "rebuilt"

// Salvage makes a new store of all that can still be read of a damaged one, which it
// does not change. Games keep their numbers. It tells of every game what became of
// it; a game whose record is gone is made again of its line in a table.
//
// Records tell of themselves whether they are whole, and hold all that the row of a
// game has but its number and the day when it was added. Rows are therefore no more
// than a hint: a record whose row is gone gets its number from its neighbours.
func Salvage(ctx context.Context, from, to string, o Options, tell func(store.Fate)) (_ *store.Salvaged, err error) {
	left, err := catalog.Unearth(from)
	if err != nil {
		return nil, err
	}
	defer left.Close()
	if err := os.MkdirAll(filepath.Dir(filepath.Clean(to)), 0o777); err != nil {
		return nil, fmt.Errorf("shard: %w", err)
	}
	if err := os.Mkdir(to, 0o777); err != nil {
		return nil, fmt.Errorf("shard: what is salvaged goes into a new folder: %w", err)
	}
	s, err := Open(ctx, to, Options{Create: true, Holder: "qipu doctor", Games: o.Games, NoMerge: true})
	if err != nil {
		return nil, err
	}
	x := &salvager{Shard: s, left: left, from: from, tell: tell, done: roaring.New(), base: map[int64]int64{}}
	return &x.sum, errors.Join(x.run(ctx), s.Close())
}

// salvager is one call of Salvage.
type salvager struct {
	*Shard // the new one
	left   *catalog.Remains
	from   string
	tell   func(store.Fate)
	sum    store.Salvaged

	done   *roaring.Bitmap // games that are stored
	base   map[int64]int64 // of a chunk whose games have rows: the number that its first game has or had
	strays []stray

	rebuilt []uint32
}

// slotAt is a place in a chunk.
type slotAt struct{ chunk, slot int64 }

// stray is a record that no row leads to: its row is lost, or the game was deleted
// or replaced.
type stray struct {
	slotAt
	key uint64
	id  uint32 // once it is known
}

func (x *salvager) run(ctx context.Context) error {
	for _, step := range []func(context.Context) error{x.records, x.adopt, x.retell, x.finish} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// alive reports whether a game may be taken for one that was not deleted.
func (x *salvager) alive(id uint32) bool {
	return x.left.Alive.IsEmpty() || x.left.Alive.Contains(id)
}

// salvageChunks and salvageGames are how many are stored in one transaction.
const (
	salvageChunks = 64
	salvageGames  = 1024
)

// records stores the records that rows lead to.
func (x *salvager) records(ctx context.Context) error {
	owners := make(map[slotAt]uint32, len(x.left.Games))
	for _, id := range slices.Sorted(maps.Keys(x.left.Games)) {
		g := x.left.Games[id]
		at := slotAt{g.Chunk, g.Slot}
		if owners[at] == 0 && (x.left.Free() || x.alive(id)) {
			owners[at] = id
		}
	}
	for chunks := range slices.Chunk(x.left.Chunks, salvageChunks) {
		var at []slotAt
		var texts []store.Text
		for _, chunk := range chunks {
			list, err := x.left.Texts(chunk)
			if err != nil {
				return err // it was whole before
			}
			for slot := range list {
				at = append(at, slotAt{chunk, int64(slot)})
			}
			texts = append(texts, list...)
		}
		b := &salvage{}
		for i, e := range x.entries(texts) {
			if e == nil {
				continue // not even whole chunks hold sense in a library that a broken program wrote
			}
			id := owners[at[i]]
			if g := x.left.Games[id]; id == 0 || g.Key != e.Key {
				x.strays = append(x.strays, stray{slotAt: at[i], key: e.Key})
				continue
			}
			if base := int64(id) - at[i].slot; x.base[at[i].chunk] == 0 {
				x.base[at[i].chunk] = base
			} else if x.base[at[i].chunk] != base {
				x.base[at[i].chunk] = -1 // they were packed anew
			}
			reason := ""
			if x.left.Games[id].Changed {
				reason = "its row has changed: the day when it was added may be another"
			}
			b.add(id, x.left.Games[id].Added, *e, reason)
		}
		if err := x.store(ctx, b, store.FateWhole); err != nil {
			return err
		}
	}
	return nil
}

// salvage is games to be stored, each with what is wrong with its remains.
type salvage struct {
	ids     []uint32
	added   []int64
	entries []store.Entry
	reasons []string
}

func (b *salvage) add(id uint32, added int64, e store.Entry, reason string) {
	if added <= 0 {
		added = time.Now().Unix()
	}
	b.ids, b.added, b.entries, b.reasons = append(b.ids, id), append(b.added, added), append(b.entries, e), append(b.reasons, reason)
}

// store stores games, and forgets them.
func (x *salvager) store(ctx context.Context, b *salvage, state string) error {
	if len(b.ids) == 0 {
		return nil
	}
	if err := x.cat.Update(ctx, func(tx *catalog.Tx) error { return tx.AddAs(b.ids, b.added, b.entries) }); err != nil {
		return err
	}
	for i, id := range b.ids {
		x.done.Add(id)
		x.tell(store.Fate{Game: id, State: state, Reason: b.reasons[i]})
	}
	if state == store.FateWhole {
		x.sum.Whole += len(b.ids)
	} else {
		x.sum.Rebuilt += len(b.ids)
		x.rebuilt = append(x.rebuilt, b.ids...)
	}
	*b = salvage{}
	return nil
}

// entries plays records, on all cores; nil for one that makes no sense.
func (x *salvager) entries(texts []store.Text) []*store.Entry {
	list := make([]*store.Entry, len(texts))
	workers := runtime.GOMAXPROCS(0)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			maker := index.Documents{Kinds: x.kinds}
			referee := record.NewReferee(x.options.Games)
			referee.Trace = true
			for i := w; i < len(texts); i += workers {
				g, err := record.DecodeGame(texts[i].Record)
				if err != nil {
					continue
				}
				g.Raw = texts[i].Raw
				list[i] = x.entry(&maker, referee, g, texts[i].Record)
			}
		})
	}
	wg.Wait()
	return list
}

func (x *salvager) entry(maker *index.Documents, referee *record.Referee, g *record.Game, encoded []byte) *store.Entry {
	played := referee.Play(g)
	ready := &store.Prepared{Record: encoded}
	ready.Doc, _ = maker.Make(played)
	return &dedupe.Items([]*record.Played{played}, store.Preparations{played: ready}, x.kinds)[0].Entry
}

// missing returns the games that there must have been and that are not stored.
func (x *salvager) missing() *roaring.Bitmap {
	all := x.left.Alive.Clone()
	for id := range x.left.Games {
		if x.left.Free() || x.alive(id) {
			all.Add(id)
		}
	}
	all.AndNot(x.done)
	return all
}

// adopt gives records that no row leads to the numbers that they must have had, and
// stores them.
func (x *salvager) adopt(ctx context.Context) error {
	missing := x.missing()
	short := x.left.Count - int(x.done.GetCardinality())
	if len(x.strays) == 0 || missing.IsEmpty() && short <= 0 {
		return nil
	}
	byKey := map[uint64][]uint32{}
	for it := missing.Iterator(); it.HasNext(); {
		id := it.Next()
		if g, ok := x.left.Games[id]; ok {
			byKey[g.Key] = append(byKey[g.Key], id)
		}
	}
	var last uint32
	if !x.done.IsEmpty() {
		last = x.done.Maximum()
	}
	if !missing.IsEmpty() {
		last = max(last, missing.Maximum())
	}
	claim := func(s *stray, id uint32) bool {
		_, row := x.left.Games[id]
		free := missing.Contains(id) || x.left.Alive.IsEmpty() && id > 0 && id < last && !row && !x.done.Contains(id)
		if free {
			s.id = id
			missing.Remove(id)
			x.done.Add(id)
		}
		return free
	}
	for i := range x.strays {
		s := &x.strays[i]
		if ids := byKey[s.key]; len(ids) > 0 && claim(s, ids[0]) {
			byKey[s.key] = ids[1:]
		}
	}
	x.inferBases()
	for i := range x.strays {
		s := &x.strays[i]
		if base := x.base[s.chunk]; s.id == 0 && base > 0 {
			claim(s, uint32(base+s.slot))
		}
	}
	// What is left has no number that anything tells of. Where games are missing it is
	// kept under a new one, though it may be one that was deleted.
	for i := range x.strays {
		s := &x.strays[i]
		if known := int(x.done.GetCardinality()) + int(missing.GetCardinality()); s.id == 0 && known < x.left.Count {
			last++
			s.id = last
			x.done.Add(last)
		}
	}
	return x.storeStrays(ctx)
}

// inferBases tells the numbers of the games of chunks without rows by those of the
// chunks before and behind: games that are added together are numbered in a row.
func (x *salvager) inferBases() {
	slots := map[int64]int64{}
	for _, s := range x.strays {
		slots[s.chunk] = max(slots[s.chunk], s.slot+1)
	}
	for _, g := range x.left.Games {
		slots[g.Chunk] = max(slots[g.Chunk], g.Slot+1)
	}
	for _, chunk := range x.left.Chunks {
		if before := x.base[chunk-1]; x.base[chunk] == 0 && before > 0 && slots[chunk-1] > 0 {
			x.base[chunk] = before + slots[chunk-1]
		}
	}
	for _, chunk := range slices.Backward(x.left.Chunks) {
		if behind := x.base[chunk+1]; x.base[chunk] == 0 && behind > slots[chunk] {
			x.base[chunk] = behind - slots[chunk]
		}
	}
}

func (x *salvager) storeStrays(ctx context.Context) error {
	found := slices.DeleteFunc(x.strays, func(s stray) bool { return s.id == 0 })
	slices.SortFunc(found, func(a, b stray) int { return cmp.Or(cmp.Compare(a.chunk, b.chunk), cmp.Compare(a.slot, b.slot)) })
	var texts []store.Text
	b := &salvage{}
	for i, s := range found {
		if i == 0 || found[i-1].chunk != s.chunk {
			list, err := x.left.Texts(s.chunk)
			if err == nil && len(b.ids) >= salvageGames {
				err = x.store(ctx, b, store.FateWhole)
			}
			if err != nil {
				return err
			}
			texts = list
		}
		b.add(s.id, x.left.Games[s.id].Added, *x.entries(texts[s.slot : s.slot+1])[0], "its row is damaged: the number is that which it must have had")
	}
	return x.store(ctx, b, store.FateWhole)
}

// retell makes records of the lines of tables for games whose own are gone.
func (x *salvager) retell(ctx context.Context) error {
	missing := x.missing()
	if missing.IsEmpty() && x.left.Count <= int(x.done.GetCardinality()) {
		return nil
	}
	lines := x.lines(missing)
	maker := index.Documents{Kinds: x.kinds}
	referee := record.NewReferee(x.options.Games)
	referee.Trace = true
	b := &salvage{}
	for _, id := range slices.Sorted(maps.Keys(lines)) {
		if x.done.Contains(id) {
			continue
		}
		missing.Remove(id)
		g, rest, err := retell.Record(lines[id].kind, x.options.Games, lines[id].Line)
		if err != nil {
			x.lose(id, err.Error())
			continue
		}
		g.Facts = lines[id].facts
		if _, ok := x.left.Games[id]; ok {
			if row, err := x.left.Game(id); err == nil && row.Kind == lines[id].kind.Name && row.Plies == lines[id].plies {
				g.Facts, g.Place = row.Facts, record.Place{File: row.Source.File, Number: row.Source.Number, Offset: row.Source.Offset}
			}
		}
		reason := "its record is gone: moves and headers are those of a table"
		if rest > 0 {
			reason += fmt.Sprintf(", without the last %d plies", rest)
		}
		b.add(id, x.left.Games[id].Added, *x.entry(&maker, referee, g, record.AppendGame(nil, g)), reason)
		if len(b.ids) == salvageGames {
			if err := x.store(ctx, b, store.FateRebuilt); err != nil {
				return err
			}
		}
	}
	if err := x.store(ctx, b, store.FateRebuilt); err != nil {
		return err
	}
	for it := missing.Iterator(); it.HasNext(); {
		x.lose(it.Next(), "its record is gone, and it is in no table that can be read")
	}
	return nil
}

func (x *salvager) lose(id uint32, reason string) {
	x.sum.Lost++
	x.tell(store.Fate{Game: id, State: store.FateLost, Reason: reason})
}

// storedLine is the main line of a game with what its table knows of it.
type storedLine struct {
	interval.Line
	kind  *index.Kind
	facts facts.Facts
	plies int
}

// lines reads the lines of games out of all tables that can be read. Where the
// manifest does not know a table, and games are missing of which nothing else is
// known, these come along.
func (x *salvager) lines(wanted *roaring.Bitmap) map[uint32]storedLine {
	lines := map[uint32]storedLine{}
	files, _ := filepath.Glob(filepath.Join(x.from, segmentDir, "*.seg"))
	for _, path := range files {
		f, err := segment.Open(path, table.Kinds)
		if err != nil {
			continue
		}
		t, err := table.Open(f, x.kinds)
		if err != nil {
			continue
		}
		if !t.Variations {
			dead, known := x.left.Dead[filepath.Base(path)]
			_ = segment.Guard(func() error {
				for line := range t.Lines {
					id := t.Columns.Game(line)
					if known && dead.Contains(id) || !wanted.Contains(id) && (known || x.done.Contains(id)) {
						continue
					}
					block, lane := t.Locate(line)
					b, err := t.Block(block)
					if err != nil {
						continue // the others may be whole
					}
					kept := t.Columns.Facts(line)
					lines[id] = storedLine{b.Line(lane), t.Kind, retell.Facts(kept), kept.Plies}
				}
				return nil
			})
		}
		f.Close()
	}
	return lines
}

// relayer has the rows of games say what was corrected of them.
func (x *salvager) relayer(ctx context.Context) error {
	list, err := x.cat.Corrections(ctx, nil)
	if err != nil || len(list) == 0 {
		return err
	}
	games := roaring.New()
	for _, c := range list {
		games.Add(c.Game)
	}
	games.And(x.done)
	return x.cat.Update(ctx, func(tx *catalog.Tx) error {
		_, err := tx.Relayer(x.cat, games.ToArray(), headers)
		return err
	})
}

// finish stores what people have made, and makes the tables.
func (x *salvager) finish(ctx context.Context) error {
	known := x.sum.Whole + x.sum.Rebuilt + x.sum.Lost
	x.sum.Unnamed = max(0, x.left.Count-known)
	err := x.cat.Update(ctx, func(tx *catalog.Tx) (err error) {
		if x.sum.Notes, err = tx.PutNotes(x.left, x.done); err == nil && len(x.rebuilt) > 0 {
			err = tx.Tag(RebuiltTag, x.rebuilt)
		}
		return err
	})
	if err == nil {
		err = x.relayer(ctx)
	}
	if err == nil {
		err = copyKept(ctx, x.from, x.dir)
	}
	if err == nil {
		err = x.Reindex(ctx, nil)
	}
	if err != nil {
		return err
	}
	return x.Check(ctx, false, nil, func(p store.Problem) {
		x.sum.Notes = append(x.sum.Notes, p.What+" "+p.Name+": "+p.Reason)
	})
}
