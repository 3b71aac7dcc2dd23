package catalog

import (
	"cmp"
	"database/sql/driver"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"

	"qipu/record/facts"
	"qipu/store"
)

// The columns of the table game, in the order of fill and scan.
var columns = []string{
	"id", "key", "head", "kind", "plies", "chunk", "slot", "marked", "added", "format", "encoding", "folder", "base", "number", "offset",
	"first", "second", "rank1", "rank2", "rating1", "rating2", "event", "day1", "day2", "date", "verdict", "margin", "how", "komi", "handicap",
	"ruleset", "opening", "code", "round", "place", "team1", "team2", "origin", "author", "clock",
}

var (
	gameColumns = strings.Join(columns, ", ")
	updateAll   = "UPDATE game SET " + strings.Join(columns[1:], " = ?, ") + " = ? WHERE id = ?"
)

// rowOf is a row of the table game on its way into the database. Columns that
// are NULL are left out: binding one costs
// some 50 ns, and the driver searches its arguments in quadratic time. Games of
// one origin have the same columns, so that few statements are needed.
type rowOf struct {
	shape  uint64 // bit i: column i is there
	values []driver.NamedValue
}

func (r *rowOf) put(column int, v driver.Value) {
	if v == nil {
		return
	}
	r.shape |= 1 << column
	r.values = append(r.values, driver.NamedValue{Ordinal: len(r.values) + 1, Value: v})
}

// all returns all columns but the first.
func (r *rowOf) all() []driver.Value {
	values, n := make([]driver.Value, len(columns)), 0
	for i := range values {
		if r.shape>>i&1 == 1 {
			values[i] = r.values[n].Value
			n++
		}
	}
	return values[1:]
}

// maxShapes bounds the statements that are kept, of some 10 KB each.
const maxShapes = 256

// inserter returns the statement that stores rows of a shape.
func (w *writer) inserter(shape uint64) (driver.Stmt, error) {
	if s := w.shapes[shape]; s != nil {
		return s, nil
	}
	if len(w.shapes) >= maxShapes {
		w.dropShapes()
	}
	var list []string
	for i, name := range columns {
		if shape>>i&1 == 1 {
			list = append(list, name)
		}
	}
	s, err := w.dc.Prepare("INSERT INTO game (" + strings.Join(list, ", ") + ") VALUES (?" + strings.Repeat(", ?", len(list)-1) + ")")
	if err != nil {
		return nil, err
	}
	w.shapes[shape] = s
	return s, nil
}

func (w *writer) dropShapes() {
	for _, s := range w.shapes {
		s.Close()
	}
	clear(w.shapes)
}

// NextID returns the number that the next game will get. Games of one Add have
// numbers that follow each other.
func (t *Tx) NextID() uint32 { return uint32(t.counters[nextGame]) }

// Add stores games and returns their numbers, which rise. A number is never
// used twice, not even after its game was deleted. Where there are not enough
// left, none is stored (ErrNoNumbers).
func (t *Tx) Add(entries []store.Entry) (ids []uint32, err error) {
	if err := t.ready(); err != nil {
		return nil, err
	}
	if err := t.room(len(entries)); err != nil {
		return nil, err
	}
	t.noteAdded(len(entries))
	ids = make([]uint32, 0, len(entries))
	first := t.counters[nextGame]
	for len(entries) > 0 {
		n := cut(entries)
		chunk, err := t.addChunk(entries[:n])
		if err != nil {
			return nil, err
		}
		for slot := range entries[:n] {
			id := t.next(nextGame)
			if err := t.insert(id, &entries[slot], chunk, slot); err != nil {
				return nil, err
			}
			ids = append(ids, uint32(id))
		}
		entries = entries[n:]
		if err := t.ctx.Err(); err != nil {
			return nil, err
		}
	}
	if len(ids) == 0 {
		return ids, nil
	}
	come := roaring.New()
	come.AddRange(uint64(first), uint64(t.counters[nextGame]))
	data, err := bitmapBytes(come)
	if err == nil {
		t.does(store.OpAdd, 0, nil)
		t.note(step{Come: data}, ids...)
	}
	return ids, err
}

// addChunk stores the texts of entries and returns the number of their chunk.
func (t *Tx) addChunk(entries []store.Entry) (int64, error) {
	for i := range entries {
		if n := sizeOf(&entries[i]); n > maxText {
			return 0, fmt.Errorf("%w: game %d of %s has %d bytes, and %d are allowed", store.ErrTooLarge, entries[i].Source.Number, entries[i].Source.File, n, maxText)
		}
	}
	id := t.next("chunk")
	data, sum := t.pack(entries)
	if _, err := t.exec(bg, "INSERT INTO chunk (id, games, sum, data) VALUES (?, ?, ?, ?)", id, int64(len(entries)), int64(sum), data); err != nil {
		return 0, explain(err)
	}
	return id, nil
}

// insert stores the row of a game.
func (t *Tx) insert(id int64, e *store.Entry, chunk int64, slot int) error {
	kind, err := t.kind(e.Kind)
	if err != nil {
		return err
	}
	if err := t.fill(id, e, kind, chunk, slot, t.now); err != nil {
		return err
	}
	s, err := t.inserter(t.row.shape)
	if err != nil {
		return explain(err)
	}
	if _, err := s.(driver.StmtExecContext).ExecContext(bg, t.row.values); err != nil {
		return explain(err)
	}
	if t.digest != nil {
		t.digest.putGame(&t.row)
	}
	t.kindDelta[kind]++
	return nil
}

var noFacts facts.Facts

// fill sets t.row to the columns of a game.
func (t *Tx) fill(id int64, e *store.Entry, kind, chunk int64, slot int, added int64) (err error) {
	row, i := &t.row, 0
	row.shape, row.values = 0, row.values[:0]
	put := func(v driver.Value) {
		row.put(i, v)
		i++
	}
	name := func(text string) {
		v, nameErr := t.name(text)
		err = cmp.Or(err, nameErr)
		put(v)
	}
	f := cmp.Or(e.Facts, &noFacts)
	folder, base := splitPath(e.Source.File)
	put(id)
	put(int64(e.Key))
	put(int64(e.Head))
	put(kind)
	put(int64(e.Plies))
	put(chunk)
	put(int64(slot))
	put(orNil(int(flag(e.Marked))))
	put(added)
	name(e.Format)
	name(e.Encoding)
	name(folder)
	if base == "" {
		put(nil)
	} else {
		put(base)
	}
	put(orNil(e.Source.Number))
	put(orNil(int(e.Source.Offset)))

	first, second := &f.Players[0], &f.Players[1]
	name(first.Name)
	name(second.Name)
	put(rankValue(first.Rank))
	put(rankValue(second.Rank))
	put(orNil(first.Rating))
	put(orNil(second.Rating))
	name(f.Event)
	if from, to, ok := f.Date.Bounds(); ok {
		put(int64(from))
		put(int64(to))
		put(dateText(f.Date))
	} else {
		put(nil)
		put(nil)
		put(nil)
	}
	put(orNil(int(f.Result.Verdict)))
	if f.Result.Margin != 0 {
		put(f.Result.Margin)
	} else {
		put(nil)
	}
	name(f.Result.How)
	if f.Komi.Known {
		put(int64(f.Komi.Half))
	} else {
		put(nil)
	}
	put(orNil(f.Handicap))
	name(f.Ruleset)
	name(f.Opening)
	name(f.Code)
	for _, text := range [...]string{f.Round, f.Place, first.Team, second.Team, f.Source, f.Author, f.Time} {
		name(text)
	}
	return err
}

func flag(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

func rankValue(r facts.Rank) driver.Value {
	n, _ := store.RankNumber(r)
	return orNil(n)
}

// Replace puts a fuller record of the same game in its place. The number, the
// time it was added, its links, collections and tags stay, and the place where the
// old record was found is kept as a further source. Segments that hold the game
// get it marked dead; the caller has it indexed anew (SetWaiting).
func (t *Tx) Replace(id uint32, e store.Entry) error {
	if err := t.ready(); err != nil {
		return err
	}
	var added, oldKind int64
	var old store.Source
	found := false
	err := t.each(bg, "SELECT g.added, g.kind, coalesce(n.text, '') || coalesce(g.base, ''), coalesce(g.number, 0), coalesce(g.offset, 0) FROM game g LEFT JOIN name n ON n.id = g.folder WHERE g.id = ?", func(row []driver.Value) error {
		added, oldKind, found = num(row[0]), num(row[1]), true
		old = store.Source{File: textOf(row[2]), Number: intOf(row[3]), Offset: num(row[4])}
		return nil
	}, int64(id))
	if err != nil {
		return explain(err)
	}
	if !found {
		return noGame(id)
	}
	if t.journal {
		t.does(store.OpAdd, 0, nil)
		readable, err := t.readable([]uint32{id})
		if err != nil {
			return err
		}
		trash := int64(0)
		if len(readable) > 0 {
			if trash, err = t.putAway(readable, true); err != nil {
				return err
			}
		}
		t.note(step{Record: &recordStep{Game: id, Trash: trash, Noted: true}}, id)
	}
	kind, err := t.kind(e.Kind)
	if err != nil {
		return err
	}
	chunk, err := t.addChunk([]store.Entry{e})
	if err != nil {
		return err
	}
	if err := t.fill(int64(id), &e, kind, chunk, 0, added); err != nil {
		return err
	}
	if _, err := t.exec(bg, updateAll, append(t.row.all(), int64(id))...); err != nil {
		return explain(err)
	}
	t.kindDelta[oldKind]--
	t.kindDelta[kind]++
	t.markStale(id)
	if old == e.Source {
		return nil
	}
	if err := t.dropPlace(id, e.Source); err != nil {
		return err
	}
	_, err = t.addPlace(id, old)
	return err
}

// dropPlace forgets a further place where a game was found.
func (t *Tx) dropPlace(id uint32, s store.Source) error {
	folder, base, err := t.sourceParts(s)
	if err != nil {
		return err
	}
	_, err = t.exec(bg, "DELETE FROM source WHERE game = ? AND folder = ? AND base = ? AND number = ? AND offset = ?", int64(id), folder, base, int64(s.Number), s.Offset)
	return explain(err)
}

func noGame(id uint32) error { return fmt.Errorf("%w: %d", store.ErrNoGame, id) }

// Delete deletes games, with their sources and links, from collections, tags,
// what saved queries found, and the list of waiting games, and marks them dead
// in segments. The files that they
// came from count as not read, so that a later import brings the games back.
// Numbers without a game are passed over. The games are in the trash from then on.
func (t *Tx) Delete(ids []uint32) error {
	if err := t.ready(); err != nil {
		return err
	}
	if len(ids) == 0 {
		return nil
	}
	t.does(store.OpDelete, 0, nil)
	there, err := t.alive(roaring.BitmapOf(ids...))
	if err != nil {
		return err
	}
	if gone := roaring.AndNot(roaring.BitmapOf(ids...), there); !gone.IsEmpty() { // what searches noted of others
		if err := t.forgetGames(gone); err != nil {
			return err
		}
	}
	if there.IsEmpty() {
		return nil
	}
	return t.bury(there.ToArray())
}

// remove takes games out of the catalogue: with their sources and links, from the
// list of waiting games, and marked dead in segments.
func (t *Tx) remove(ids []uint32) error {
	for block := range slices.Chunk(ids, idBlock) {
		in := idList(block)
		err := t.eachOnce(bg, "SELECT kind, count(*) FROM game WHERE id IN "+in+" GROUP BY kind", func(row []driver.Value) error {
			t.kindDelta[num(row[0])] -= num(row[1])
			return nil
		})
		if err == nil {
			err = t.script(bg, "DELETE FROM game WHERE id IN "+in)
		}
		if err != nil {
			return explain(err)
		}
	}
	t.markStale(ids...)
	if err := t.loadWaiting(); err != nil {
		return err
	}
	t.waiting.AndNot(roaring.BitmapOf(ids...))
	return nil
}

// idBlock is how many numbers go into one list of SQL.
const idBlock = 500

// idList returns numbers as SQL has them.
func idList(ids []uint32) string {
	b := make([]byte, 0, 11*len(ids)+2)
	for i, id := range ids {
		b = append(b, "(,"[min(i, 1)])
		b = strconv.AppendUint(b, uint64(id), 10)
	}
	return string(append(b, ')'))
}

// idRange is numbers of games, from low on, below high.
type idRange struct{ low, high int64 }

// noteAdded notes that so many games are about to be added.
func (t *Tx) noteAdded(games int) {
	low := t.counters[nextGame]
	if n := len(t.added); n > 0 && t.added[n-1].high == low {
		t.added[n-1].high += int64(games)
		return
	}
	t.added = append(t.added, idRange{low, low + int64(games)})
}

// exist returns ErrNoGame where one of the numbers has no game, and an error
// where the transaction may not go on. Games of this very transaction are known
// without asking.
func (t *Tx) exist(ids []uint32) error {
	if err := t.ready(); err != nil {
		return err
	}
	for block := range slices.Chunk(ids, idBlock) {
		var old []uint32
		for _, id := range block {
			if !slices.ContainsFunc(t.added, func(r idRange) bool { return r.low <= int64(id) && int64(id) < r.high }) {
				old = append(old, id)
			}
		}
		if len(old) == 0 {
			continue
		}
		found := map[int64]bool{}
		if err := t.eachOnce(bg, "SELECT id FROM game WHERE id IN "+idList(old), func(row []driver.Value) error {
			found[num(row[0])] = true
			return nil
		}); err != nil {
			return explain(err)
		}
		for _, id := range old {
			if !found[int64(id)] {
				return noGame(id)
			}
		}
	}
	return nil
}

// sourceParts returns a source's folder and base for the table source.
func (t *Tx) sourceParts(s store.Source) (folder driver.Value, base string, err error) {
	text, base := splitPath(s.File)
	if folder, err = t.name(text); folder == nil {
		folder = int64(0)
	}
	return folder, base, err
}

// AddSource notes a further place where a game was found. It reports false
// where that place is known already.
func (t *Tx) AddSource(id uint32, s store.Source) (added bool, err error) {
	if err := t.ready(); err != nil {
		return false, err
	}
	t.does(store.OpSources, 0, nil)
	if added, err = t.addPlace(id, s); added {
		t.notePlace(id, s)
	}
	return added, err
}

// addPlace is AddSource without a word to the journal.
func (t *Tx) addPlace(id uint32, s store.Source) (added bool, err error) {
	folder, base, err := t.sourceParts(s)
	if err != nil {
		return false, err
	}
	known, ok, err := t.number(bg, "SELECT coalesce(folder, 0) = ? AND coalesce(base, '') = ? AND coalesce(number, 0) = ? AND coalesce(offset, 0) = ? FROM game WHERE id = ?",
		folder, base, int64(s.Number), s.Offset, int64(id))
	if err != nil {
		return false, explain(err)
	}
	if !ok {
		return false, noGame(id)
	}
	if known == 1 {
		return false, nil
	}
	n, err := t.exec(bg, "INSERT OR IGNORE INTO source (game, folder, base, number, offset) VALUES (?, ?, ?, ?, ?)",
		int64(id), folder, base, int64(s.Number), s.Offset)
	return n > 0, explain(err)
}

// Link notes that two games belong together, and why: "same moves, another
// result". It has no direction.
func (t *Tx) Link(a, b uint32, why string) error {
	if a == b {
		return fmt.Errorf("catalog: game %d cannot be linked to itself", a)
	}
	if err := t.exist([]uint32{a, b}); err != nil {
		return err
	}
	_, err := t.exec(bg, "INSERT OR IGNORE INTO link (a, b, why) VALUES (?, ?, ?)", int64(min(a, b)), int64(max(a, b)), why)
	return explain(err)
}

// splitPath parts the path of a source into folder, which many share, and base.
func splitPath(file string) (folder, base string) {
	i := strings.LastIndexAny(file, `/\!`) + 1
	return file[:i], file[i:]
}
