package people

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// maxPasskeys bounds how many one profile may have.
const maxPasskeys = 20

// AddPasskey keeps a passkey of a profile. One that somebody has already is refused,
// whoever that is: by it one of two would be logged in.
func (d *DB) AddPasskey(ctx context.Context, k Passkey) (Passkey, error) {
	k.ID, k.Created, k.Used = Secret()[:12], d.Now(), time.Time{}
	err := d.write(ctx, false, func(tx *sql.Tx) error {
		var count int
		err := tx.QueryRowContext(ctx, "SELECT count(passkey.id) FROM profile LEFT JOIN passkey ON passkey.profile = profile.id WHERE profile.id = ? GROUP BY profile.id", k.Profile).Scan(&count)
		switch {
		case errors.Is(err, sql.ErrNoRows):
			return ErrNobody
		case err != nil:
			return fmt.Errorf("people: %w", err)
		case count >= maxPasskeys:
			return ErrFull
		}
		return some(ErrSpent)(exec(ctx, tx, "INSERT INTO passkey VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0) ON CONFLICT (credential) DO NOTHING",
			k.Credential, k.ID, k.Profile, k.Site, k.Public, k.Count, k.Label, seconds(k.Created)))
	})
	return k, err
}

// Passkeys returns the passkeys of a profile, the newest first.
func (d *DB) Passkeys(ctx context.Context, profile string) ([]Passkey, error) {
	return d.passkeys(ctx, "WHERE profile = ? ORDER BY created DESC, id", profile)
}

// Passkey returns the passkey that an authenticator knows by an id; ErrNoKey where there
// is none.
func (d *DB) Passkey(ctx context.Context, credential []byte) (Passkey, error) {
	list, err := d.passkeys(ctx, "WHERE credential = ?", credential)
	if err == nil && len(list) == 0 {
		err = ErrNoKey
	}
	if err != nil {
		return Passkey{}, err
	}
	return list[0], nil
}

func (d *DB) passkeys(ctx context.Context, where string, args ...any) (list []Passkey, err error) {
	err = d.read(ctx, func(scan func(...any) error) error {
		var k Passkey
		var created, used int64
		err := scan(&k.ID, &k.Profile, &k.Credential, &k.Site, &k.Public, &k.Count, &k.Label, &created, &used)
		k.Created, k.Used = moment(created), moment(used)
		list = append(list, k)
		return err
	}, "SELECT id, profile, credential, site, public, count, label, created, used FROM passkey "+where, args...)
	return list, err
}

// EnterPasskey logs the profile of a passkey in, which has signed count times by now. One
// that counts and has not counted on is a copy, or there is one: nobody gets in.
func (d *DB) EnterPasskey(ctx context.Context, credential []byte, count uint32, label string) (p Profile, secret string, err error) {
	err = d.write(ctx, false, func(tx *sql.Tx) error {
		var id, profile string
		err := tx.QueryRowContext(ctx, "SELECT id, profile FROM passkey WHERE credential = ?", credential).Scan(&id, &profile)
		if errors.Is(err, sql.ErrNoRows) {
			return ErrNoKey
		}
		if err != nil {
			return fmt.Errorf("people: %w", err)
		}
		err = some(ErrCopied)(exec(ctx, tx, "UPDATE passkey SET count = ?1, used = ?2 WHERE credential = ?3 AND (count = 0 AND ?1 = 0 OR ?1 > count)", count, seconds(d.Now()), credential))
		if err != nil {
			return err
		}
		secret, err = d.login(ctx, tx, profile, label, id)
		return err
	})
	if errors.Is(err, ErrNobody) {
		err = ErrNoKey
	}
	if err != nil {
		return p, "", err
	}
	p, err = d.Known(ctx, secret)
	return p, secret, err
}

// RevokePasskey forgets a passkey of a profile, and logs out who came by it.
func (d *DB) RevokePasskey(ctx context.Context, profile, id string) error {
	return d.write(ctx, false, func(tx *sql.Tx) error {
		if err := some(ErrNoKey)(exec(ctx, tx, "DELETE FROM passkey WHERE profile = ? AND id = ?", profile, id)); err != nil {
			return err
		}
		_, err := exec(ctx, tx, "DELETE FROM login WHERE profile = ? AND key = ?", profile, id)
		return err
	})
}
