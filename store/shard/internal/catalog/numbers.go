package catalog

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/RoaringBitmap/roaring/v2"
)

// ErrNoNumbers tells that the range of numbers is used up that games get theirs
// from.
var ErrNoNumbers = errors.New("catalog: there are no numbers left for games")

// The keys of meta that tell the range of numbers: the next one, and the one
// behind the last. The end is there where somebody else gives numbers out.
const (
	nextGame = "game"
	endGame  = "game_end"
)

// maxGames is the number behind the last that a game can have.
const maxGames = math.MaxUint32 + 1

// Numbers returns the range that games get their numbers from: the next one, and
// the one behind the last; 0 for no end.
func (db *DB) Numbers(ctx context.Context) (low, high uint32, err error) {
	err = db.readTx(ctx, func(c *conn) error {
		next, _, err := c.number(ctx, "SELECT value FROM meta WHERE key = ?", nextGame)
		if err != nil {
			return err
		}
		end, _, err := c.number(ctx, "SELECT value FROM meta WHERE key = ?", endGame)
		low, high = uint32(next), uint32(end)
		return err
	})
	return low, high, err
}

// SetNumbers sets the range that games get their numbers from: from low on,
// below high, without an end where high is 0. A range with an end is what
// somebody gave out who gives other ranges to others: from then on, collections,
// tags and saved queries may name games that are not in this catalogue, and
// nobody checks that they are anywhere. No game has a number in the range.
func (t *Tx) SetNumbers(low, high uint32) error {
	if err := t.readyQuiet(); err != nil {
		return err
	}
	if low == 0 || high != 0 && high < low {
		return fmt.Errorf("catalog: games cannot be numbered from %d to %d", low, high)
	}
	end := int64(high)
	if high == 0 {
		end = maxGames
	}
	taken, ok, err := t.number(bg, "SELECT id FROM game WHERE id >= ? AND id < ? LIMIT 1", int64(low), end)
	if err != nil {
		return explain(err)
	}
	if ok {
		return fmt.Errorf("catalog: games cannot be numbered from %d to %d: there is a game %d already", low, high, taken)
	}
	if _, ok := t.counters[endGame]; !ok && high != 0 {
		if _, err := t.exec(bg, "INSERT INTO meta (key, value) VALUES (?, 0)", endGame); err != nil {
			return explain(err)
		}
		t.before[endGame] = 0
	}
	t.counters[nextGame], t.counters[endGame] = int64(low), int64(high)
	return nil
}

// TakeIDs takes so many numbers in a row out of the range, for games that are
// kept elsewhere. It returns the first of them, and ErrNoNumbers where there are
// fewer.
func (t *Tx) TakeIDs(n int) (low uint32, err error) {
	if err := t.readyQuiet(); err != nil {
		return 0, err
	}
	if n < 0 {
		return 0, fmt.Errorf("catalog: %d numbers cannot be taken", n)
	}
	if err := t.room(n); err != nil {
		return 0, err
	}
	low = uint32(t.counters[nextGame])
	t.counters[nextGame] += int64(n)
	return low, nil
}

// room returns ErrNoNumbers where there are no numbers for so many games.
func (t *Tx) room(games int) error {
	end := t.counters[endGame]
	if end == 0 {
		end = maxGames
	}
	if left := end - t.counters[nextGame]; int64(games) > left {
		return fmt.Errorf("%w: %d are wanted, and %d left below %d", ErrNoNumbers, games, left, end)
	}
	return nil
}

// elsewhere reports whether there may be games that are not in this catalogue:
// see SetNumbers.
func (t *Tx) elsewhere() bool { return t.counters[endGame] != 0 }

// known returns ErrNoGame where one of the numbers is not that of a game. Where
// there may be games elsewhere, it takes all numbers but 0 for theirs.
func (t *Tx) known(ids []uint32) error {
	if !t.elsewhere() {
		return t.exist(ids)
	}
	for _, id := range ids {
		if id == 0 {
			return noGame(id)
		}
	}
	return t.ready()
}

// Release takes games out of the catalogue that are kept elsewhere from now on,
// under the same numbers. It is like Delete, but collections, tags and saved
// queries go on naming them, and the files that they came from count as read.
func (t *Tx) Release(ids []uint32) error {
	if err := t.ready(); err != nil {
		return err
	}
	if t.journal {
		if err := t.dropLayers(ids); err != nil {
			return err
		}
	}
	return t.remove(ids)
}

// Forget takes games that were kept elsewhere, and deleted there, out of
// collections, tags and what saved queries found.
func (t *Tx) Forget(ids []uint32) error {
	if err := t.ready(); err != nil || len(ids) == 0 {
		return err
	}
	return t.forgetGames(roaring.BitmapOf(ids...))
}
