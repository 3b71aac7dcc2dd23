package people

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/RoaringBitmap/roaring/v2"
)

// Bounds of what one profile may keep: names are of people, values of pages, and nobody
// is to fill the disk of the server.
const (
	maxThings = 5000
	maxValue  = 1 << 20
)

// Things returns what a profile keeps of a kind, the one changed last first, with its games.
func (d *DB) Things(ctx context.Context, profile, kind string) ([]Thing, error) {
	return d.things(ctx, "WHERE profile = ? AND kind = ? ORDER BY changed DESC, fold", profile, kind)
}

// AllThings returns all that a profile keeps, by kind and name.
func (d *DB) AllThings(ctx context.Context, profile string) ([]Thing, error) {
	return d.things(ctx, "WHERE profile = ? ORDER BY kind, fold", profile)
}

// Thing returns one thing of a profile; ErrNoThing where there is none.
func (d *DB) Thing(ctx context.Context, profile, kind, fold string) (Thing, error) {
	list, err := d.things(ctx, "WHERE profile = ? AND kind = ? AND fold = ?", profile, kind, fold)
	if err == nil && len(list) == 0 {
		err = ErrNoThing
	}
	if err != nil {
		return Thing{}, err
	}
	return list[0], nil
}

// ErrNoThing tells that a profile has no such thing.
var ErrNoThing = errors.New("people: there is no such thing")

func (d *DB) things(ctx context.Context, where string, args ...any) (list []Thing, err error) {
	err = d.read(ctx, func(scan func(...any) error) error {
		var t Thing
		var games []byte
		var changed int64
		if err := scan(&t.Kind, &t.Name, &t.Fold, &t.Value, &changed, &games); err != nil {
			return err
		}
		t.Changed = time.Unix(0, changed)
		if games != nil {
			t.Games = roaring.New()
			if err := t.Games.UnmarshalBinary(games); err != nil {
				return fmt.Errorf("people: %s is damaged: %w", FileName, err)
			}
		}
		list = append(list, t)
		return nil
	}, "SELECT kind, name, fold, value, changed, games FROM thing "+where, args...)
	return list, err
}

// Keep changes one thing of a profile: change gets it as it is, or a new one with
// its names set, and returns whether there is one afterwards.
func (d *DB) Keep(ctx context.Context, profile, kind, name, fold string, change func(*Thing) (bool, error)) error {
	if fold == "" {
		fold = name
	}
	return d.write(ctx, false, func(tx *sql.Tx) error {
		t := Thing{Kind: kind, Name: name, Fold: fold}
		var games []byte
		err := tx.QueryRowContext(ctx, "SELECT name, value, games FROM thing WHERE profile = ? AND kind = ? AND fold = ?", profile, kind, fold).Scan(&t.Name, &t.Value, &games)
		there := err == nil
		switch {
		case errors.Is(err, sql.ErrNoRows):
			if err := room(ctx, tx, profile); err != nil {
				return err
			}
		case err != nil:
			return fmt.Errorf("people: %w", err)
		}
		if games != nil {
			t.Games = roaring.New()
			if err := t.Games.UnmarshalBinary(games); err != nil {
				return fmt.Errorf("people: %s is damaged: %w", FileName, err)
			}
		}
		keep, err := change(&t)
		if err != nil || !keep && !there {
			return err
		}
		if !keep {
			_, err := exec(ctx, tx, "DELETE FROM thing WHERE profile = ? AND kind = ? AND fold = ?", profile, kind, fold)
			return err
		}
		if len(t.Value) > maxValue {
			return ErrFull
		}
		games = nil
		if t.Games != nil {
			if games, err = t.Games.ToBytes(); err != nil {
				return fmt.Errorf("people: %w", err)
			}
		}
		_, err = exec(ctx, tx, "INSERT OR REPLACE INTO thing VALUES (?, ?, ?, ?, ?, ?, ?)", profile, kind, fold, t.Name, t.Value, time.Now().UnixNano(), games)
		return err
	})
}

// room fails where a profile is not there, or keeps very much.
func room(ctx context.Context, tx *sql.Tx, profile string) error {
	var count int
	err := tx.QueryRowContext(ctx, "SELECT count(thing.kind) FROM profile LEFT JOIN thing ON thing.profile = profile.id WHERE profile.id = ? GROUP BY profile.id", profile).Scan(&count)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return ErrNobody
	case err != nil:
		return fmt.Errorf("people: %w", err)
	case count >= maxThings:
		return ErrFull
	}
	return nil
}

// Drop forgets a thing of a profile.
func (d *DB) Drop(ctx context.Context, profile, kind, fold string) error {
	return d.write(ctx, false, func(tx *sql.Tx) error {
		return some(ErrNoThing)(exec(ctx, tx, "DELETE FROM thing WHERE profile = ? AND kind = ? AND fold = ?", profile, kind, fold))
	})
}

// Trim forgets the things of a kind but the latest few.
func (d *DB) Trim(ctx context.Context, profile, kind string, latest int) error {
	return d.write(ctx, false, func(tx *sql.Tx) error {
		_, err := exec(ctx, tx, "DELETE FROM thing WHERE profile = ?1 AND kind = ?2 AND fold IN (SELECT fold FROM thing WHERE profile = ?1 AND kind = ?2 ORDER BY changed DESC LIMIT -1 OFFSET ?3)", profile, kind, latest)
		return err
	})
}
