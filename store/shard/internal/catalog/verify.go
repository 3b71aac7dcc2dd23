package catalog

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"

	"qipu/store"
)

// Problem is something wrong that Verify found.
type Problem struct {
	What   string // "database", "chunk", "game", "row", "edit", "reference", "count"
	ID     int64  // of the chunk, game or edit; 0 for others
	Reason string
}

// String returns the problem as a line.
func (p Problem) String() string {
	if p.ID == 0 {
		return p.What + ": " + p.Reason
	}
	return fmt.Sprintf("%s %d: %s", p.What, p.ID, p.Reason)
}

// Verify checks the library as it is at one moment, and reports whatever is
// wrong: the database itself, the checksums of all chunks, and everything that
// refers to something else. With full it also checks the indexes of the
// database against their tables, and unpacks every chunk. The error is for
// what kept it from checking.
func (db *DB) Verify(ctx context.Context, full bool, report func(Problem)) error {
	return db.readTx(ctx, func(c *conn) error {
		v := &verifier{ctx: ctx, db: db, conn: c, report: report, chunks: map[int64]int{}, all: roaring.New()}
		for _, step := range []func(full bool) error{v.database, v.texts, v.games, v.digests, v.sets, v.edits, v.trash} {
			if err := explain(step(full)); errors.Is(err, store.ErrDamaged) {
				v.problem("database", 0, "%s", err)
			} else if err != nil {
				return err
			}
		}
		return nil
	})
}

// verifier is one call of Verify.
type verifier struct {
	*conn
	ctx    context.Context
	db     *DB
	report func(Problem)

	chunks map[int64]int // slots of each chunk; -1 for a broken one
	all    *roaring.Bitmap

	sealed bool  // all rows have checksums
	summed int64 // games that have theirs

	elsewhere bool // there may be games that are not in the catalogue
}

func (v *verifier) problem(what string, id int64, format string, args ...any) {
	v.report(Problem{what, id, fmt.Sprintf(format, args...)})
}

func (v *verifier) database(full bool) error {
	check := "PRAGMA quick_check"
	if full {
		check = "PRAGMA integrity_check"
	}
	err := v.eachOnce(v.ctx, check, func(row []driver.Value) error {
		if text := textOf(row[0]); text != "ok" {
			v.problem("database", 0, "%s", text)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return v.eachOnce(v.ctx, "PRAGMA foreign_key_check", func(row []driver.Value) error {
		v.problem("reference", 0, "a row of the table %s refers to no row of %s", textOf(row[0]), textOf(row[2]))
		return nil
	})
}

func (v *verifier) texts(full bool) error {
	return v.each(v.ctx, "SELECT id, games, sum, data FROM chunk", func(row []driver.Value) error {
		id, data, sum := num(row[0]), blobOf(row[3]), uint64(num(row[2]))
		games, err := checkChunk(data, sum)
		if err == nil && games != intOf(row[1]) {
			err = fmt.Errorf("it has %d slots and should have %d", games, intOf(row[1]))
		}
		if err == nil && full {
			_, err = unpack(v.db.chunks.dec, data, sum)
		}
		v.chunks[id] = games
		if err != nil {
			v.chunks[id] = -1
			v.problem("chunk", id, "%s", strings.TrimPrefix(err.Error(), store.ErrDamaged.Error()+": "))
		}
		return nil
	})
}

func (v *verifier) games(bool) error {
	names := roaring.New()
	if err := v.each(v.ctx, "SELECT id FROM name", func(row []driver.Value) error {
		names.Add(uint32(num(row[0])))
		return nil
	}); err != nil {
		return err
	}
	flag, _, err := v.number(v.ctx, "SELECT value FROM meta WHERE key = ?", sealed)
	if err != nil {
		return err
	}
	v.sealed = flag == 1
	sum := "NULL"
	if v.sealed {
		sum = fmt.Sprintf("(SELECT sum FROM digest WHERE area = %d AND digest.id = game.id)", gameArea)
	}
	d := &digester{}
	count := map[int64]int{}
	slots := map[place]int64{}
	err = v.each(v.ctx, "SELECT "+gameColumns+", "+sum+" FROM game", func(row []driver.Value) error {
		id := num(row[0])
		v.all.Add(uint32(id))
		count[num(row[3])]++
		at := place{num(row[5]), intOf(row[6])}
		games, ok := v.chunks[at.chunk]
		switch other := slots[at]; {
		case !ok:
			v.problem("game", id, "its chunk %d is not there", at.chunk)
		case games < 0:
			v.problem("game", id, "its chunk %d is damaged", at.chunk)
		case at.slot >= games:
			v.problem("game", id, "its chunk %d has no slot %d", at.chunk, at.slot)
		case other != 0:
			v.problem("game", id, "it shares its record with game %d", other)
		}
		slots[at] = id
		if v.sealed {
			sum, ok := row[len(columns)].(int64)
			if ok {
				v.summed++
			}
			if !ok || sum != d.sum(row[:len(columns)]) {
				v.problem("game", id, "its row is not what was written: something in it has changed, which may be where or when it was found")
			}
		}
		for _, i := range nameColumns {
			if n, ok := row[i].(int64); ok && !names.Contains(uint32(n)) {
				v.problem("game", id, "the text of its %s is not there", columns[i])
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	if err := v.each(v.ctx, "SELECT game, folder FROM source WHERE folder > 0", func(row []driver.Value) error {
		if !names.Contains(uint32(num(row[1]))) {
			v.problem("game", num(row[0]), "the text of a source is not there")
		}
		return nil
	}); err != nil {
		return err
	}
	if err := v.each(v.ctx, "SELECT id, text, games FROM kind", func(row []driver.Value) error {
		if n := count[num(row[0])]; n != intOf(row[2]) {
			v.problem("count", 0, "%d games of %s are there, and %d should be", n, textOf(row[1]), intOf(row[2]))
		}
		delete(count, num(row[0]))
		return nil
	}); err != nil {
		return err
	}
	for kind, n := range count {
		v.problem("reference", 0, "%d games are of the kind %d, which is not there", n, kind)
	}
	return v.numbers()
}

// numbers checks that the numbers that games will get are free.
func (v *verifier) numbers() error {
	next, _, err := v.number(v.ctx, "SELECT value FROM meta WHERE key = ?", nextGame)
	if err != nil {
		return err
	}
	end, _, err := v.number(v.ctx, "SELECT value FROM meta WHERE key = ?", endGame)
	if err != nil {
		return err
	}
	v.elsewhere = end != 0
	if end == 0 {
		end = maxGames
	}
	ahead := v.all.Clone()
	ahead.RemoveRange(0, uint64(max(next, 0)))
	ahead.RemoveRange(uint64(max(end, 0)), maxGames)
	if !ahead.IsEmpty() {
		v.problem("count", 0, "the next game would get number %d, and there is a game %d", next, ahead.Maximum())
	}
	return nil
}

// sets checks the bitmaps.
func (v *verifier) sets(bool) error {
	check := func(what string, b *roaring.Bitmap) {
		if missing := roaring.AndNot(b, v.all); !missing.IsEmpty() {
			v.problem("reference", 0, "%s names %d games that are not there, the first %d", what, missing.GetCardinality(), missing.Minimum())
		}
	}
	bitmap := func(what string, value driver.Value) *roaring.Bitmap {
		b, err := bitmapOf(value)
		if err != nil {
			v.problem("reference", 0, "%s cannot be read", what)
			return roaring.New()
		}
		return b
	}
	if err := v.each(v.ctx, "SELECT games FROM waiting", func(row []driver.Value) error {
		check("the list of waiting games", bitmap("the list of waiting games", row[0]))
		return nil
	}); err != nil {
		return err
	}
	for _, s := range allSets {
		if ok, err := v.has(v.ctx, s.table); err != nil {
			return err
		} else if !ok {
			continue
		}
		found := "NULL"
		if s == saved {
			found = "found"
		}
		if err := v.each(v.ctx, "SELECT id, name, games, "+found+" FROM "+s.table, func(row []driver.Value) error {
			what := fmt.Sprintf("the %s %q", s.word, textOf(row[1]))
			if row[1] == nil {
				what = fmt.Sprintf("the %s %d", s.word, num(row[0]))
			}
			games := bitmap(what, row[2])
			if !v.elsewhere {
				check(what, games)
			}
			if n, ok := row[3].(int64); ok && n != int64(games.GetCardinality()) {
				v.problem("count", 0, "%s found %d games, and should have found %d", what, games.GetCardinality(), n)
			}
			return nil
		}); err != nil {
			return err
		}
	}
	return v.each(v.ctx, "SELECT file, games, dead FROM segment", func(row []driver.Value) error {
		what := "the segment " + textOf(row[0])
		alive := bitmap(what, row[1])
		alive.AndNot(bitmap(what, row[2]))
		check(what, alive)
		return nil
	})
}

// edits checks that the edits of names can be read.
func (v *verifier) edits(bool) error {
	if ok, err := v.has(v.ctx, "edit"); !ok {
		return err
	}
	return v.each(v.ctx, "SELECT id, names FROM edit", func(row []driver.Value) error {
		if _, err := namesOf(row[1]); err != nil {
			v.problem("edit", num(row[0]), "its names cannot be read")
		}
		return nil
	})
}
