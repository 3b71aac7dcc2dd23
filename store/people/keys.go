package people

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"time"
)

// Bounds of what one profile may have.
const (
	maxKeys   = 50
	maxLogins = 50
)

// LoginTime is how long a browser stays logged in that does not come back, and seenEvery
// how often it is noted that it has.
const (
	LoginTime = 90 * 24 * time.Hour
	seenEvery = time.Hour
)

// AddKey makes a key of a profile, and returns the secret, which nobody can read again.
// One that is good Once is an invitation. The zero time is for ever.
func (d *DB) AddKey(ctx context.Context, profile, label string, once bool, expires time.Time) (Key, string, error) {
	k := Key{ID: Secret()[:12], Profile: profile, Label: label, Once: once, Created: d.Now(), Expires: expires}
	secret := Secret()
	err := d.write(ctx, false, func(tx *sql.Tx) error {
		var count int
		err := tx.QueryRowContext(ctx, "SELECT count(key.id) FROM profile LEFT JOIN key ON key.profile = profile.id WHERE profile.id = ? GROUP BY profile.id", profile).Scan(&count)
		if errors.Is(err, sql.ErrNoRows) {
			return ErrNobody
		}
		if err != nil {
			return fmt.Errorf("people: %w", err)
		}
		if count >= maxKeys { // those that open nothing any more make room
			n, err := exec(ctx, tx, "DELETE FROM key WHERE profile = ?1 AND (revoked > 0 OR once = 1 AND used > 0 OR expires > 0 AND expires <= ?2)", profile, seconds(k.Created))
			if err != nil {
				return err
			}
			if n == 0 {
				return ErrFull
			}
		}
		_, err = exec(ctx, tx, "INSERT INTO key VALUES (?, ?, ?, ?, ?, ?, ?, 0, 0)", k.ID, k.Profile, sum(secret), k.Label, k.Once, seconds(k.Created), seconds(k.Expires))
		return err
	})
	return k, secret, err
}

// Keys returns the keys of a profile, the newest first.
func (d *DB) Keys(ctx context.Context, profile string) (list []Key, err error) {
	err = d.read(ctx, func(scan func(...any) error) error {
		var k Key
		var created, expires, used, revoked int64
		err := scan(&k.ID, &k.Profile, &k.Label, &k.Once, &created, &expires, &used, &revoked)
		k.Created, k.Expires, k.Used, k.Revoked = moment(created), moment(expires), moment(used), moment(revoked)
		list = append(list, k)
		return err
	}, "SELECT id, profile, label, once, created, expires, used, revoked FROM key WHERE profile = ? ORDER BY created DESC, id", profile)
	return list, err
}

// RevokeKey makes a key of a profile good for nothing, and logs out whoever came by it.
func (d *DB) RevokeKey(ctx context.Context, profile, id string) error {
	return d.write(ctx, false, func(tx *sql.Tx) error {
		err := some(ErrNoKey)(exec(ctx, tx, "UPDATE key SET revoked = ? WHERE profile = ? AND id = ? AND revoked = 0", seconds(d.Now()), profile, id))
		if err != nil {
			return err
		}
		_, err = exec(ctx, tx, "DELETE FROM login WHERE profile = ? AND key = ?", profile, id)
		return err
	})
}

// RevokeAll makes all keys of a profile good for nothing, passkeys too, and logs out all
// its browsers.
func (d *DB) RevokeAll(ctx context.Context, profile string) error {
	return d.write(ctx, false, func(tx *sql.Tx) error {
		if _, err := exec(ctx, tx, "DELETE FROM passkey WHERE profile = ?", profile); err != nil {
			return err
		}
		if _, err := exec(ctx, tx, "UPDATE key SET revoked = ? WHERE profile = ? AND revoked = 0", seconds(d.Now()), profile); err != nil {
			return err
		}
		_, err := exec(ctx, tx, "DELETE FROM login WHERE profile = ?", profile)
		return err
	})
}

// Enter exchanges a key for a log-in, and returns its secret, which is always a new one.
// An invitation is spent by that: of many who try at once, one gets in.
func (d *DB) Enter(ctx context.Context, key, label string) (p Profile, secret string, err error) {
	err = d.write(ctx, false, func(tx *sql.Tx) error {
		now := seconds(d.Now())
		var id, profile string
		err := tx.QueryRowContext(ctx, "SELECT id, profile FROM key WHERE hash = ?", sum(key)).Scan(&id, &profile)
		if errors.Is(err, sql.ErrNoRows) {
			return ErrNoKey
		}
		if err != nil {
			return fmt.Errorf("people: %w", err)
		}
		n, err := exec(ctx, tx, "UPDATE key SET used = ?1 WHERE id = ?2 AND revoked = 0 AND (expires = 0 OR expires > ?1) AND (once = 0 OR used = 0)", now, id)
		if err == nil && n == 0 {
			err = ErrSpent
		}
		if err != nil {
			return err
		}
		secret, err = d.login(ctx, tx, profile, label, id)
		return err
	})
	if errors.Is(err, ErrNobody) {
		err = ErrNoKey // where there is nobody, no key is right
	}
	if err != nil {
		return p, "", err
	}
	p, err = d.Known(ctx, secret)
	return p, secret, err
}

// Login logs a profile in without a key: for who is at the machine itself, or has shown
// otherwise who it is.
func (d *DB) Login(ctx context.Context, profile, label string) (secret string, err error) {
	err = d.write(ctx, false, func(tx *sql.Tx) (err error) {
		secret, err = d.login(ctx, tx, profile, label, "")
		return err
	})
	return secret, err
}

// login notes a new log-in. Those that have ended go, and so do the oldest of very many.
func (d *DB) login(ctx context.Context, tx *sql.Tx, profile, label, key string) (string, error) {
	now := d.Now()
	if _, err := exec(ctx, tx, "DELETE FROM login WHERE expires <= ?", seconds(now)); err != nil {
		return "", err
	}
	if _, err := exec(ctx, tx, "DELETE FROM login WHERE hash IN (SELECT hash FROM login WHERE profile = ? ORDER BY seen DESC, id LIMIT -1 OFFSET ?)", profile, maxLogins-1); err != nil {
		return "", err
	}
	secret := Secret()
	n, err := exec(ctx, tx, "INSERT INTO login SELECT ?, ?, id, ?, ?, ?, ?, ? FROM profile WHERE id = ?",
		sum(secret), Secret()[:12], label, key, seconds(now), seconds(now), seconds(now.Add(LoginTime)), profile)
	return secret, some(ErrNobody)(n, err)
}

// Logins returns where a profile is logged in, the one seen last first. The secret, if
// there is one, tells which is that of who asks: its id is returned, too.
func (d *DB) Logins(ctx context.Context, profile, secret string) (list []Login, mine string, err error) {
	own := string(sum(secret))
	err = d.read(ctx, func(scan func(...any) error) error {
		var l Login
		var hash []byte
		var created, seen, expires int64
		err := scan(&hash, &l.ID, &l.Profile, &l.Label, &l.Key, &created, &seen, &expires)
		l.Created, l.Seen, l.Expires = moment(created), moment(seen), moment(expires)
		if string(hash) == own {
			mine = l.ID
		}
		list = append(list, l)
		return err
	}, "SELECT hash, id, profile, label, key, created, seen, expires FROM login WHERE profile = ? AND expires > ? ORDER BY seen DESC, id", profile, seconds(d.Now()))
	return list, mine, err
}

// Logout ends the log-in of a secret; one that is not there has ended.
func (d *DB) Logout(ctx context.Context, secret string) error {
	err := d.write(ctx, false, func(tx *sql.Tx) error {
		_, err := exec(ctx, tx, "DELETE FROM login WHERE hash = ?", sum(secret))
		return err
	})
	if errors.Is(err, ErrNobody) {
		return nil
	}
	return err
}

// EndLogin ends a log-in of a profile by its id.
func (d *DB) EndLogin(ctx context.Context, profile, id string) error {
	return d.write(ctx, false, func(tx *sql.Tx) error {
		return some(ErrNoKey)(exec(ctx, tx, "DELETE FROM login WHERE profile = ? AND id = ?", profile, id))
	})
}

// Known returns who has logged in with a secret. It costs a look into a table as long as
// nobody changes anything.
func (d *DB) Known(ctx context.Context, secret string) (Profile, error) {
	return d.known(ctx, "login", secret)
}

// Bearer returns whose lasting key a secret is: for programs, which do not log in.
func (d *DB) Bearer(ctx context.Context, secret string) (Profile, error) {
	return d.known(ctx, "key", secret)
}

func (d *DB) known(ctx context.Context, table, secret string) (Profile, error) {
	if len(secret) > 100 { // none of ours, and not worth hashing
		return Profile{}, ErrNoKey
	}
	version, err := d.dataVersion(ctx)
	if err != nil {
		return Profile{}, err
	}
	name := known{table, sha256.Sum256([]byte(secret))}
	now := d.Now()
	entry, turn, ok := d.cache.get(name, version)
	if !ok {
		if entry, err = d.lookUp(ctx, table, secret); err != nil {
			return Profile{}, err
		}
		d.cache.put(name, version, turn, entry)
	}
	if entry.profile.ID == "" || entry.expires != 0 && now.Unix() >= entry.expires {
		return Profile{}, ErrNoKey
	}
	if now.Unix()-entry.seen > int64(seenEvery/time.Second) {
		d.see(ctx, table, secret, now)
	}
	return entry.profile, nil
}

func (d *DB) lookUp(ctx context.Context, table, secret string) (e entry, err error) {
	query := "SELECT profile.id, name, fold, role, profile.created, seen, expires FROM login JOIN profile ON profile.id = login.profile WHERE hash = ?"
	if table == "key" {
		query = "SELECT profile.id, name, fold, role, profile.created, used, expires FROM key JOIN profile ON profile.id = key.profile WHERE hash = ? AND once = 0 AND revoked = 0"
	}
	err = d.read(ctx, func(scan func(...any) error) (err error) {
		e.profile, err = scanProfile(func(to ...any) error { return scan(append(to, &e.seen, &e.expires)...) })
		return err
	}, query, sum(secret))
	return e, err
}

// see notes that somebody came. That it cannot be noted is no reason to turn anybody away.
func (d *DB) see(ctx context.Context, table, secret string, now time.Time) {
	query, args := "UPDATE login SET seen = ?, expires = ? WHERE hash = ?", []any{seconds(now), seconds(now.Add(LoginTime)), sum(secret)}
	if table == "key" {
		query, args = "UPDATE key SET used = ? WHERE hash = ?", []any{seconds(now), sum(secret)}
	}
	_ = d.write(ctx, false, func(tx *sql.Tx) error {
		_, err := exec(ctx, tx, query, args...)
		return err
	})
}

// known names what the cache has: a table and the hash of a secret.
type known struct {
	table string
	hash  [sha256.Size]byte
}

// entry is who a secret is of; of nobody where the profile is empty.
type entry struct {
	profile       Profile
	seen, expires int64
}

// cache has who came last, as long as nobody changes anything.
type cache struct {
	mu      sync.Mutex
	version int64
	turn    uint64 // counts what this process has changed
	entries map[known]entry
}

func (c *cache) get(name known, version int64) (e entry, turn uint64, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.version != version {
		c.version, c.entries = version, nil
		c.turn++
	}
	e, ok = c.entries[name]
	return e, c.turn, ok
}

// put keeps what was looked up, unless something has changed meanwhile.
func (c *cache) put(name known, version int64, turn uint64, e entry) {
	const most = 10_000
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.version != version || c.turn != turn {
		return
	}
	if c.entries == nil || len(c.entries) >= most {
		c.entries = map[known]entry{}
	}
	c.entries[name] = e
}

func (c *cache) clear() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.entries = nil
	c.turn++
}

func (c *cache) cleared() uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.turn
}
