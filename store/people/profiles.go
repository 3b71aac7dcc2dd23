package people

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// MaxProfiles bounds how many there are: lists of them are read whole.
const MaxProfiles = 10_000

// Add makes a profile. Of several who want one name at once, one gets it.
func (d *DB) Add(ctx context.Context, name, fold string, role Role) (Profile, error) {
	p := Profile{ID: Secret(), Name: name, Fold: fold, Role: role, Created: d.Now()}
	err := d.write(ctx, true, func(tx *sql.Tx) error {
		var count int
		if err := tx.QueryRowContext(ctx, "SELECT count(*) FROM profile").Scan(&count); err != nil {
			return fmt.Errorf("people: %w", err)
		}
		if count >= MaxProfiles {
			return fmt.Errorf("people: there are %d profiles, and no more can be made: remove some", count)
		}
		if err := free(ctx, tx, "", fold); err != nil {
			return err
		}
		_, err := exec(ctx, tx, "INSERT INTO profile VALUES (?, ?, ?, ?, ?)", p.ID, p.Name, p.Fold, int(p.Role), seconds(p.Created))
		return err
	})
	return p, err
}

// free fails where a name is somebody else's.
func free(ctx context.Context, tx *sql.Tx, id, fold string) error {
	var other string
	err := tx.QueryRowContext(ctx, "SELECT id FROM profile WHERE fold = ? AND id <> ?", fold, id).Scan(&other)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nil
	case err != nil:
		return fmt.Errorf("people: %w", err)
	}
	return ErrTaken
}

// Profiles returns all profiles, by name.
func (d *DB) Profiles(ctx context.Context) (list []Profile, err error) {
	err = d.read(ctx, func(scan func(...any) error) error {
		p, err := scanProfile(scan)
		list = append(list, p)
		return err
	}, "SELECT id, name, fold, role, created FROM profile ORDER BY fold")
	return list, err
}

func scanProfile(scan func(...any) error) (p Profile, err error) {
	var created int64
	err = scan(&p.ID, &p.Name, &p.Fold, &p.Role, &created)
	p.Created = moment(created)
	if p.Role < Guest || p.Role > Owner {
		p.Role = Guest // what nobody can read gives no rights
	}
	return p, err
}

// Profile returns the profile of an id.
func (d *DB) Profile(ctx context.Context, id string) (Profile, error) {
	return d.one(ctx, "id", id)
}

// Called returns the profile of a name, in the form in which names are compared.
func (d *DB) Called(ctx context.Context, fold string) (Profile, error) {
	return d.one(ctx, "fold", fold)
}

func (d *DB) one(ctx context.Context, column, value string) (p Profile, err error) {
	found := false
	err = d.read(ctx, func(scan func(...any) error) (err error) {
		found = true
		p, err = scanProfile(scan)
		return err
	}, "SELECT id, name, fold, role, created FROM profile WHERE "+column+" = ?", value)
	if err == nil && !found {
		err = ErrNobody
	}
	return p, err
}

// Rename gives a profile another name.
func (d *DB) Rename(ctx context.Context, id, name, fold string) error {
	return d.write(ctx, false, func(tx *sql.Tx) error {
		if err := free(ctx, tx, id, fold); err != nil {
			return err
		}
		return some(ErrNobody)(exec(ctx, tx, "UPDATE profile SET name = ?, fold = ? WHERE id = ?", name, fold, id))
	})
}

// SetRole gives a profile another role, which holds for its next request.
func (d *DB) SetRole(ctx context.Context, id string, role Role) error {
	return d.write(ctx, false, func(tx *sql.Tx) error {
		return some(ErrNobody)(exec(ctx, tx, "UPDATE profile SET role = ? WHERE id = ?", int(role), id))
	})
}

// Remove takes a profile away with all that is its own. What was there is overwritten,
// and the log of the database is emptied: the name, the hashes and the private things
// are on the disk no more when it returns, but in backups of before.
func (d *DB) Remove(ctx context.Context, id string) error {
	err := d.write(ctx, false, func(tx *sql.Tx) error {
		return some(ErrNobody)(exec(ctx, tx, "DELETE FROM profile WHERE id = ?", id))
	})
	if err != nil {
		return err
	}
	return d.checkpoint(ctx)
}

// checkpoint writes the log of the database into its file, and empties it. Another
// process may read just then: it is tried again until that has ended.
func (d *DB) checkpoint(ctx context.Context) error {
	for range 20 {
		busy := 0
		err := d.read(ctx, func(scan func(...any) error) error {
			var log, done int
			return scan(&busy, &log, &done)
		}, "PRAGMA wal_checkpoint(TRUNCATE)")
		if err != nil || busy == 0 {
			return err
		}
	}
	return errors.New("people: another program reads the profiles all the time: what was removed is overwritten when it ends")
}

// some turns a change of no row into an error.
func some(missing error) func(int64, error) error {
	return func(n int64, err error) error {
		if err == nil && n == 0 {
			return missing
		}
		return err
	}
}
