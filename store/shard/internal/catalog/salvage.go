package catalog

import (
	"database/sql/driver"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"

	"qipu/store"
	"qipu/store/shard/internal/salvage"
)

// The tables as package salvage tells them apart. That of links has its lower game
// first, by which it differs from its own index.
var remains = []salvage.Table{
	{Name: "name", Columns: "kt"},
	{Name: "kind", Columns: "kti"},
	{Name: "chunk", Columns: "kiib", Carve: true},
	{Name: "game", Columns: "k" + gameLetters, Carve: true},
	{Name: "digest", Columns: "iii", Tree: true},
	{Name: "waiting", Columns: "kb"},
	{Name: "segment", Columns: "kiitiiiibb"},
	{Name: "collection", Columns: "kttib"},
	{Name: "saved", Columns: "kTTtttttiiiiiib"},
	{Name: "tag", Columns: "ktib"},
	{Name: "edit", Columns: "ktttii"},
	{Name: "session", Columns: "ktttiIii"},
	{Name: "source", Columns: "iitii", Tree: true},
	{Name: "link", Columns: "iit", Tree: true},
	{Name: "input", Columns: "tii", Tree: true},
	{Name: "theory", Columns: "tbtITIIIIIti", Tree: true},
	{Name: "layer", Columns: "itti", Tree: true},
	{Name: "journal", Columns: "kitttTiIIb"},
	{Name: "delta", Columns: "kib"},
	{Name: "trash", Columns: "kiiii" + gameLetters},
	{Name: "spare", Columns: "ktb"}, // derived
}

// gameLetters are the types of the columns of games but for the number.
const gameLetters = "iiiiiiIiIIITII" + "IIIIIIIII" + "TIR" + "IIIIIIIIIIIII"

// Remains is what can still be read of a damaged catalogue. It is used by one
// goroutine at a time.
type Remains struct {
	Chunks []int64 // that are whole, by rising number
	Games  map[uint32]Remnant
	Dead   map[string]*roaring.Bitmap // of each table of the manifest, the games that are not alive in it
	Alive  *roaring.Bitmap            // games that are in a table of the manifest, or wait for one
	Count  int                        // how many games there were, by the counts of their kinds

	file   *salvage.File
	names  map[int64]string
	kinds  map[int64]string
	chunks map[int64]salvage.Place
	notes  map[string][][]any
	sums   map[rowID]int64 // of rows as they were written
	digest digester
	unpack *chunkCache
}

// Remnant is the row of a game.
type Remnant struct {
	Key         uint64
	Chunk, Slot int64
	Added       int64 // seconds since 1970
	Changed     bool  // the row is not the one that was written
	sum         int64
	at          salvage.Place
	carved      bool
}

// Unearth reads what there is of the catalogue in a folder.
func Unearth(dir string) (*Remains, error) {
	path := filepath.Join(dir, FileName)
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
		return nil, notFound(dir)
	}
	file, err := salvage.Open(path)
	if err != nil {
		return nil, fmt.Errorf("catalog: %w", err)
	}
	r := &Remains{
		Games: map[uint32]Remnant{}, Dead: map[string]*roaring.Bitmap{}, Alive: roaring.New(),
		file: file, names: map[int64]string{}, kinds: map[int64]string{}, chunks: map[int64]salvage.Place{}, notes: map[string][][]any{}, sums: map[rowID]int64{}, unpack: newChunkCache(),
	}
	if err := file.Scan(remains, r.take); err != nil {
		file.Close()
		return nil, fmt.Errorf("catalog: %w", err)
	}
	for id := range r.chunks {
		r.Chunks = append(r.Chunks, id)
	}
	for id, g := range r.Games {
		if sum, ok := r.sums[rowID{gameArea, int64(id)}]; ok && sum != g.sum {
			g.Changed = true
			r.Games[id] = g
		}
	}
	slices.Sort(r.Chunks)
	return r, nil
}

// Close closes the file.
func (r *Remains) Close() error { return r.file.Close() }

// Free reports whether rows that were deleted are told from others.
func (r *Remains) Free() bool { return r.file.FreeKnown() }

func (r *Remains) take(t *salvage.Table, row salvage.Row) {
	v := row.Values
	switch t.Name {
	case "name":
		r.names[row.ID] = v[1].(string)
	case "kind":
		r.kinds[row.ID] = v[1].(string)
		r.Count += int(v[2].(int64))
	case "chunk":
		if games, err := checkChunk(v[3].([]byte), uint64(v[2].(int64))); err == nil && int64(games) == v[1].(int64) {
			r.chunks[row.ID] = row.At
		}
	case "game":
		id := uint32(row.ID)
		if row.ID <= 0 || int64(id) != row.ID {
			return
		}
		if old, ok := r.Games[id]; ok && (!old.carved || row.Carved) {
			return
		}
		r.Games[id] = Remnant{Key: uint64(v[1].(int64)), Chunk: v[5].(int64), Slot: v[6].(int64), Added: v[8].(int64), sum: r.digest.sum(valuesOf(v)), at: row.At, carved: row.Carved}
	case "digest":
		r.sums[rowID{int(v[0].(int64)), v[1].(int64)}] = v[2].(int64)
	case "waiting":
		if games, err := bitmapOf(v[1]); err == nil {
			r.Alive.Or(games)
		}
	case "segment":
		games, err := bitmapOf(v[8])
		if err != nil {
			return
		}
		dead, err := bitmapOf(v[9])
		if err != nil {
			return
		}
		r.Dead[v[3].(string)] = dead
		r.Alive.Or(roaring.AndNot(games, dead))
	case "link":
		if v[0].(int64) >= v[1].(int64) {
			return
		}
		fallthrough
	default:
		r.notes[t.Name] = append(r.notes[t.Name], v)
	}
}

// Texts returns the records of a chunk that is whole, and their original bytes, by
// their slots. Nobody may change them.
func (r *Remains) Texts(chunk int64) ([]store.Text, error) {
	row, err := r.file.Row(&remains[2], r.chunks[chunk])
	if err != nil {
		return nil, fmt.Errorf("%w: chunk %d: %w", store.ErrDamaged, chunk, err)
	}
	c, err := unpack(r.unpack.dec, row.Values[3].([]byte), uint64(row.Values[2].(int64)))
	if err != nil {
		return nil, err
	}
	texts := make([]store.Text, c.games)
	for i := range texts {
		texts[i].Record, texts[i].Raw, _ = c.text(i)
	}
	return texts, nil
}

// Game returns what the row of a game says. Texts that are gone read as nothing.
func (r *Remains) Game(id uint32) (store.Game, error) {
	row, err := r.file.Row(&remains[3], r.Games[id].at)
	if err != nil {
		return store.Game{}, fmt.Errorf("%w: game %d: %w", store.ErrDamaged, id, err)
	}
	return scan(valuesOf(row.Values), r.kinds, r.names), nil
}

// valuesOf returns a row as the driver has it.
func valuesOf(row []any) []driver.Value {
	values := make([]driver.Value, len(row))
	for i, v := range row {
		values[i] = v
	}
	return values
}

// changed reports whether a row is known not to be the one that was written.
func (r *Remains) changed(table string, row []any) bool {
	at := slices.IndexFunc(areas, func(a area) bool { return a.table == table })
	if at < 0 {
		return false
	}
	values := valuesOf(row)
	sum, ok := r.sums[r.digest.name(at, values)]
	return ok && sum != r.digest.sum(values)
}

// AddAs stores games under numbers of their own, which must be free, with the
// times when they were first added.
func (t *Tx) AddAs(ids []uint32, added []int64, entries []store.Entry) error {
	if err := t.ready(); err != nil {
		return err
	}
	for len(entries) > 0 {
		n := cut(entries)
		chunk, err := t.addChunk(entries[:n])
		if err != nil {
			return err
		}
		for slot := range entries[:n] {
			t.now = added[slot]
			if err := t.insert(int64(ids[slot]), &entries[slot], chunk, slot); err != nil {
				return err
			}
			t.counters[nextGame] = max(t.counters[nextGame], int64(ids[slot])+1)
		}
		ids, added, entries = ids[n:], added[n:], entries[n:]
	}
	return nil
}

// PutNotes stores what people have made, and where else games were found, as far as
// it is of games that are there. It returns what is lost, in words.
func (t *Tx) PutNotes(r *Remains, games *roaring.Bitmap) (lost []string, err error) {
	if err := t.ready(); err != nil {
		return nil, err
	}
	for _, table := range remains[7:] {
		for _, row := range r.notes[table.Name] {
			why, err := t.putNote(r, table.Name, slices.Clone(row), games)
			if err != nil {
				return lost, err
			}
			if why == "" && r.changed(table.Name, row) {
				why = fmt.Sprintf("what a row of the table %s was: it is kept as it is now, %v", table.Name, row[:2])
			}
			if why != "" {
				lost = append(lost, why)
			}
		}
	}
	return lost, nil
}

// putNote stores one row, or returns why it cannot be kept.
func (t *Tx) putNote(r *Remains, table string, row []any, games *roaring.Bitmap) (lost string, err error) {
	has := func(v any) bool { return games.Contains(uint32(v.(int64))) }
	switch table {
	case "spare":
		return "", nil
	case "trash":
		return t.putTrash(r, row)
	case "source":
		folder, ok := r.names[row[1].(int64)]
		if !has(row[0]) {
			return "", nil // the game itself is told of
		}
		if !ok && row[1].(int64) != 0 {
			return fmt.Sprintf("the folder of %s, where game %d was found as well", row[2], row[0]), nil
		}
		_, err := t.AddSource(uint32(row[0].(int64)), store.Source{File: folder + row[2].(string), Number: int(row[3].(int64)), Offset: row[4].(int64)})
		return "", err
	case "link":
		if !has(row[0]) || !has(row[1]) {
			return "", nil
		}
	case "collection", "tag", "saved":
		last := len(row) - 1
		set, err := bitmapOf(row[last])
		if err != nil {
			return fmt.Sprintf("the games of the %s %v", table, row[1]), nil
		}
		set.And(games)
		if row[last], err = bitmapBytes(set); err != nil {
			return "", err
		}
		if table == "saved" {
			row[12] = int64(set.GetCardinality())
		}
	case "edit":
		if _, err := namesOf(row[2]); err != nil {
			return fmt.Sprintf("a change of the names of players: %v", row[2]), nil
		}
	case "session":
		if row[5] != nil && !has(row[5]) {
			row[5] = nil
		}
	case "journal":
		if _, err := bitmapOf(row[9]); err != nil || !json.Valid([]byte(textOf(row[4]))) {
			return fmt.Sprintf("entry %v of the journal", row[0]), nil
		}
	}
	if id, ok := row[0].(int64); ok && table != "link" && table != "layer" {
		t.counters[table] = max(t.counters[table], id+1)
	}
	_, err = t.exec(bg, "INSERT INTO "+table+" VALUES (?"+strings.Repeat(", ?", len(row)-1)+")", valuesOf(row)...)
	if err != nil {
		return fmt.Sprintf("a row of the table %s: %v", table, err), nil
	}
	return "", nil
}

// putTrash stores a row of the trash, with its record in a chunk of its own.
func (t *Tx) putTrash(r *Remains, row []any) (lost string, err error) {
	values := valuesOf(row)
	g := scan(values[trashBefore:], r.kinds, r.names)
	gone := fmt.Sprintf("the record of game %d in the trash", g.ID)
	at, slot := num(values[trashBefore+5]), intOf(values[trashBefore+6])
	if _, ok := r.chunks[at]; !ok {
		return gone, nil
	}
	texts, err := r.Texts(at)
	if err != nil || slot < 0 || slot >= len(texts) {
		return gone, nil
	}
	kind, err := t.kind(g.Kind)
	if err != nil {
		return "", err
	}
	e := entryOf(&g, texts[slot])
	chunk, err := t.addChunk([]store.Entry{e})
	if err != nil {
		return "", err
	}
	if err := t.fill(int64(g.ID), &e, kind, chunk, 0, num(values[trashBefore+8])); err != nil {
		return "", err
	}
	t.counters["trash"] = max(t.counters["trash"], num(values[0])+1)
	_, err = t.exec(bg, insertTrash, append(values[:trashBefore+1:trashBefore+1], t.row.all()...)...)
	return "", explain(err)
}
