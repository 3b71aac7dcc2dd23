package catalog

import (
	"context"
	"database/sql/driver"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"

	"qipu/store"
)

// Segment is the manifest row of a derived index file.
type Segment struct {
	ID         int64 // given by AddSegment; never used twice
	Kind       string
	Variations bool
	File       string // in the folder segments of the library
	Lines      int
	Bytes      int64
	Sum        uint64
	Version    int
	Games      *roaring.Bitmap // the games in it
	Dead       *roaring.Bitmap // those of them that were deleted or replaced since; nil when given to AddSegment means none
	Spare      *roaring.Bitmap // those of the dead ones that are right again when their games come back out of the trash; nil as well
}

func bitmapBytes(b *roaring.Bitmap) ([]byte, error) {
	if b == nil {
		b = roaring.New()
	}
	b.RunOptimize()
	data, err := b.ToBytes()
	if err != nil {
		return nil, fmt.Errorf("catalog: %w", err)
	}
	return data, nil
}

// bitmapOf reads a bitmap; it owns its memory.
func bitmapOf(v driver.Value) (*roaring.Bitmap, error) {
	data := blobOf(v)
	b := roaring.New()
	if len(data) == 0 {
		return b, nil
	}
	err := b.UnmarshalBinary(data)
	if err == nil {
		err = b.Validate()
	}
	if err != nil {
		return nil, fmt.Errorf("%w: a set of games cannot be read: %w", store.ErrDamaged, err)
	}
	return b, nil
}

// SetWaiting puts games on the list of those that are in no segment yet, or
// takes them off it.
func (t *Tx) SetWaiting(ids []uint32, waiting bool) error {
	if err := t.ready(); err != nil {
		return err
	}
	if err := t.loadWaiting(); err != nil {
		return err
	}
	if !waiting {
		t.waiting.AndNot(roaring.BitmapOf(ids...))
		return nil
	}
	if err := t.exist(ids); err != nil {
		return err
	}
	t.waiting.AddMany(ids)
	return nil
}

func (t *Tx) loadWaiting() (err error) {
	if t.waiting == nil {
		t.waiting, err = readWaiting(bg, t.conn)
	}
	return err
}

func readWaiting(ctx context.Context, c *conn) (*roaring.Bitmap, error) {
	b := roaring.New()
	err := c.each(ctx, "SELECT games FROM waiting", func(row []driver.Value) (err error) {
		b, err = bitmapOf(row[0])
		return err
	})
	return b, err
}

// markStale has games marked dead in the segments that there are now.
func (t *Tx) markStale(ids ...uint32) {
	if t.stale == nil {
		t.stale = roaring.New()
	}
	t.stale.AddMany(ids)
}

// flushStale writes what markStale gathered. It runs before the segments
// change, because new ones hold the new records.
func (t *Tx) flushStale() error {
	if t.stale == nil {
		return nil
	}
	segments, err := readSegments(bg, t.conn)
	if err != nil {
		return explain(err)
	}
	for i := range segments {
		s := &segments[i]
		dead := roaring.And(s.Games, t.stale)
		dead.Or(s.Dead)
		if dead.GetCardinality() == s.Dead.GetCardinality() {
			continue
		}
		if err := t.writeDead(s.ID, dead); err != nil {
			return err
		}
		if t.spares == nil {
			continue
		}
		spare := roaring.And(roaring.AndNot(dead, s.Dead), t.spares)
		if spare.IsEmpty() {
			continue
		}
		spare.Or(s.Spare)
		if err := t.writeSpare(s.ID, spare); err != nil {
			return err
		}
	}
	t.stale, t.spares = nil, nil
	return nil
}

func (t *Tx) writeDead(id int64, dead *roaring.Bitmap) error {
	data, err := bitmapBytes(dead)
	if err != nil {
		return err
	}
	return t.changeRow("segment", id, "UPDATE segment SET dead = ? WHERE id = ?", data, id)
}

// AddSegment adds a row to the manifest and returns its number. The file must
// be complete on disk before. The bitmaps stay the caller's.
func (t *Tx) AddSegment(s Segment) (int64, error) {
	if err := t.ready(); err != nil {
		return 0, err
	}
	if err := t.flushStale(); err != nil {
		return 0, err
	}
	kind, err := t.kind(s.Kind)
	if err != nil {
		return 0, err
	}
	games, err := bitmapBytes(s.Games)
	if err != nil {
		return 0, err
	}
	dead, err := bitmapBytes(s.Dead)
	if err != nil {
		return 0, err
	}
	id := t.next("segment")
	_, err = t.exec(bg, "INSERT INTO segment (id, kind, variations, file, lines, bytes, sum, version, games, dead) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
		id, kind, flag(s.Variations), s.File, int64(s.Lines), s.Bytes, int64(s.Sum), int64(s.Version), games, dead)
	if err == nil && s.Spare != nil && !s.Spare.IsEmpty() {
		err = t.writeSpare(id, s.Spare)
	}
	return id, explain(err)
}

// DropSegments takes rows out of the manifest. Their files may be removed once
// no reader has an older snapshot. Spare lines are lost with them, but for those that
// the caller keeps in other segments.
func (t *Tx) DropSegments(ids []int64, kept *roaring.Bitmap) error {
	if err := t.ready(); err != nil {
		return err
	}
	spares, err := t.readSpares()
	if err != nil {
		return err
	}
	lost := roaring.New()
	for _, id := range ids {
		if b := spares[id]; b != nil {
			lost.Or(b)
			if err := t.writeSpare(id, nil); err != nil {
				return err
			}
		}
	}
	if kept != nil {
		lost.AndNot(kept)
	}
	if !lost.IsEmpty() {
		if err := t.loseSpares(lost); err != nil {
			return err
		}
	}
	for _, id := range ids {
		if err := t.changeRow("segment", id, "DELETE FROM segment WHERE id = ?", id); err != nil {
			return err
		}
	}
	return nil
}

// SetDead sets which games of a segment were deleted or replaced since it was
// made. Delete and Replace do so by themselves.
func (t *Tx) SetDead(id int64, dead *roaring.Bitmap) error {
	if err := t.ready(); err != nil {
		return err
	}
	if err := t.flushStale(); err != nil {
		return err
	}
	return t.writeDead(id, dead)
}

// MarkInput notes that a file was read to its end.
func (t *Tx) MarkInput(in store.Input) error {
	if err := t.ready(); err != nil {
		return err
	}
	_, err := t.exec(bg, "INSERT OR REPLACE INTO input (path, size, modified) VALUES (?, ?, ?)", in.Path, in.Size, in.ModTime.UnixNano())
	return explain(err)
}

// InputDone reports whether a file was read to its end as it is now.
func (db *DB) InputDone(ctx context.Context, in store.Input) (done bool, err error) {
	err = db.read(func(c *conn) error {
		_, done, err = c.number(ctx, "SELECT 1 FROM input WHERE path = ? AND size = ? AND modified = ?", in.Path, in.Size, in.ModTime.UnixNano())
		return err
	})
	return done, err
}

// forgetInputs forgets that the files were read which games came from.
func (t *Tx) forgetInputs(ids []uint32) error {
	var list []string
	add := func(row []driver.Value) error {
		list = append(list, textOf(row[0])+textOf(row[1]))
		return nil
	}
	for block := range slices.Chunk(ids, idBlock) {
		in := idList(block)
		err := t.eachOnce(bg, "SELECT n.text, g.base FROM game g LEFT JOIN name n ON n.id = g.folder WHERE g.id IN "+in, add)
		if err == nil {
			err = t.eachOnce(bg, "SELECT n.text, s.base FROM source s LEFT JOIN name n ON n.id = s.folder WHERE s.game IN "+in, add)
		}
		if err != nil {
			return err
		}
	}
	return t.ForgetInputs(list)
}

// ForgetInputs forgets that files were read, given as the sources of games have
// them. Inputs have full paths, and sources those that the user gave: an input is
// meant by every source that it ends with. To forget one too many costs no more
// than to read it again. What was copied from other libraries is looked at again, too.
func (t *Tx) ForgetInputs(sources []string) error {
	if err := t.ready(); err != nil {
		return err
	}
	if t.unread != nil {
		*t.unread = append(*t.unread, sources...)
		return nil
	}
	files := map[string]bool{}
	for _, file := range sources {
		file = slashed(file)
		for strings.HasPrefix(file, "../") || strings.HasPrefix(file, "./") {
			_, file, _ = strings.Cut(file, "/")
		}
		// The name of an archive ends with "!", and names may have one too.
		for i, c := range file {
			if c == '!' {
				files[path.Clean(file[:i])] = true
			}
		}
		files[path.Clean(file)] = true
	}
	// A file that is compressed by itself is known by the name of what is in it.
	meant := func(name string) bool {
		ext := path.Ext(name)
		return files[name] || (ext == ".gz" || ext == ".zst" || ext == ".bz2") && files[strings.TrimSuffix(name, ext)]
	}
	var gone []string
	if err := t.each(bg, "SELECT path FROM input", func(row []driver.Value) error {
		for rest, more := slashed(textOf(row[0])), true; more; _, rest, more = strings.Cut(rest, "/") {
			if meant(rest) || strings.HasPrefix(rest, "copy:") {
				gone = append(gone, textOf(row[0]))
				break
			}
		}
		return nil
	}); err != nil {
		return err
	}
	for _, name := range gone {
		if _, err := t.exec(bg, "DELETE FROM input WHERE path = ?", name); err != nil {
			return err
		}
	}
	return nil
}

// ForgetFiles forgets that any file was read, and what was copied from other libraries.
// Imports that were begun stay known.
func (t *Tx) ForgetFiles() error {
	if err := t.ready(); err != nil {
		return err
	}
	_, err := t.exec(bg, `DELETE FROM input WHERE path GLOB 'copy:*' OR path NOT GLOB 'import:*' AND (instr(path, '/') > 0 OR instr(path, '\') > 0)`)
	return explain(err)
}

// slashed returns a path with slashes, on whatever system it was made.
func slashed(name string) string { return strings.ReplaceAll(name, `\`, "/") }

// Snapshot is what a reader of the derived index needs, all of one moment.
type Snapshot struct {
	Generation int64
	Segments   []Segment // in the order of their numbers
	Waiting    []uint32  // games that are in no segment yet, rising
	Games      int       // how many there are that a segment can hold
}

// Snapshot returns the manifest as it is.
func (db *DB) Snapshot(ctx context.Context) (*Snapshot, error) {
	s := new(Snapshot)
	err := db.readTx(ctx, func(c *conn) (err error) {
		if s.Generation, _, err = c.number(ctx, generationQuery); err != nil {
			return err
		}
		if s.Segments, err = readSegments(ctx, c); err != nil {
			return err
		}
		games, _, err := c.number(ctx, "SELECT coalesce(sum(games), 0) FROM kind WHERE games > 0 AND text <> ?", store.UnknownKind)
		if s.Games = int(games); err != nil {
			return err
		}
		waiting, err := readWaiting(ctx, c)
		if err == nil {
			s.Waiting = waiting.ToArray()
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return s, nil
}

func readSegments(ctx context.Context, c *conn) (list []Segment, err error) {
	err = c.each(ctx, "SELECT s.id, k.text, s.variations, s.file, s.lines, s.bytes, s.sum, s.version, s.games, s.dead FROM segment s LEFT JOIN kind k ON k.id = s.kind ORDER BY s.id", func(row []driver.Value) (err error) {
		s := Segment{
			ID: num(row[0]), Kind: textOf(row[1]), Variations: row[2] == int64(1), File: textOf(row[3]), Lines: intOf(row[4]),
			Bytes: num(row[5]), Sum: uint64(num(row[6])), Version: intOf(row[7]),
		}
		if s.Games, err = bitmapOf(row[8]); err == nil {
			s.Dead, err = bitmapOf(row[9])
		}
		s.Spare = roaring.New()
		list = append(list, s)
		return err
	})
	if err != nil {
		return nil, err
	}
	if ok, err := c.has(ctx, "spare"); !ok {
		return list, err
	}
	return list, c.each(ctx, "SELECT segment, games FROM spare", func(row []driver.Value) error {
		i := slices.IndexFunc(list, func(s Segment) bool { return s.ID == num(row[0]) })
		if i < 0 {
			return nil
		}
		spare, err := bitmapOf(row[1])
		if err == nil {
			list[i].Spare = roaring.And(spare, list[i].Dead)
		}
		return err
	})
}
