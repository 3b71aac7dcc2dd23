package people

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/RoaringBitmap/roaring/v2"
)

func made(t *testing.T) (*DB, string) {
	dir := t.TempDir()
	db := Open(dir)
	t.Cleanup(func() { db.Close() })
	return db, dir
}

func add(t *testing.T, db *DB, name string) Profile {
	t.Helper()
	p, err := db.Add(t.Context(), name, strings.ToLower(name), Member)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestNobody: where there is no file nobody is known, and none is made by looking.
func TestNobody(t *testing.T) {
	db, dir := made(t)
	ctx := t.Context()
	if list, err := db.Profiles(ctx); err != nil || len(list) != 0 {
		t.Error(list, err)
	}
	if _, err := db.Known(ctx, Secret()); !errors.Is(err, ErrNoKey) {
		t.Error(err)
	}
	if _, _, err := db.Enter(ctx, Secret(), ""); !errors.Is(err, ErrNoKey) {
		t.Error(err)
	}
	if err := db.Logout(ctx, Secret()); err != nil {
		t.Error(err)
	}
	if err := Copy(ctx, dir, t.TempDir()); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(dir, FileName)); err == nil {
		t.Error("looking made a file")
	}
}

// TestEnter: a link is good once, also for many at once; a key until it is revoked, and
// with it go those who came by it.
//
//qipu:race
func TestEnter(t *testing.T) {
	db, _ := made(t)
	ctx := t.Context()
	p := add(t, db, "Anna")
	_, link, err := db.AddKey(ctx, p.ID, "", true, db.Now().Add(time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	var mu sync.Mutex
	in := 0
	for range 16 {
		all.Go(func() {
			if _, _, err := db.Enter(ctx, link, ""); err == nil {
				mu.Lock()
				in++
				mu.Unlock()
			} else if !errors.Is(err, ErrSpent) {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if in != 1 {
		t.Errorf("%d came in by one link", in)
	}
	k, key, err := db.AddKey(ctx, p.ID, "phone", false, time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	var logins []string
	for range 3 {
		_, login, err := db.Enter(ctx, key, "")
		if err != nil {
			t.Fatal(err)
		}
		logins = append(logins, login)
	}
	if got, err := db.Bearer(ctx, key); err != nil || got.ID != p.ID {
		t.Error(got, err)
	}
	if err := db.RevokeKey(ctx, p.ID, k.ID); err != nil {
		t.Fatal(err)
	}
	for _, login := range logins {
		if _, err := db.Known(ctx, login); !errors.Is(err, ErrNoKey) {
			t.Error(err)
		}
	}
	if list, _, err := db.Logins(ctx, p.ID, ""); err != nil || len(list) != 1 {
		t.Error(list, err) // who came by the link
	}
}

// TestOthers: what another process changes holds at once.
func TestOthers(t *testing.T) {
	db, dir := made(t)
	ctx := t.Context()
	p := add(t, db, "Anna")
	login, err := db.Login(ctx, p.ID, "")
	if err != nil {
		t.Fatal(err)
	}
	for _, role := range []Role{Owner, Guest, Editor} {
		other := Open(dir)
		if err := other.SetRole(ctx, p.ID, role); err != nil {
			t.Fatal(err)
		}
		if got, err := db.Known(ctx, login); err != nil || got.Role != role {
			t.Errorf("%v, %v; want %v", got.Role, err, role)
		}
		other.Close()
	}
}

// TestClock: what has expired stays so on a machine whose clock is set back.
func TestClock(t *testing.T) {
	db, dir := made(t)
	ctx := t.Context()
	p := add(t, db, "Anna")
	_, link, err := db.AddKey(ctx, p.ID, "", true, time.Now().Add(time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	login, err := db.Login(ctx, p.ID, "")
	if err != nil {
		t.Fatal(err)
	}
	db.latest.Store(time.Now().Add(2 * LoginTime).Unix()) // it was later once
	if err := db.SetRole(ctx, p.ID, Member); err != nil {
		t.Fatal(err)
	}
	again := Open(dir)
	defer again.Close()
	for _, db := range []*DB{db, again} {
		if _, _, err := db.Enter(ctx, link, ""); !errors.Is(err, ErrSpent) {
			t.Errorf("the link: %v", err)
		}
		if _, err := db.Known(ctx, login); !errors.Is(err, ErrNoKey) {
			t.Errorf("the log-in: %v", err)
		}
	}
}

// TestRemove: nothing of a profile is on the disk when it is removed, others keep theirs.
func TestRemove(t *testing.T) {
	db, dir := made(t)
	ctx := t.Context()
	gone, stays := add(t, db, "Zzyzx"), add(t, db, "Anna")
	for _, p := range []Profile{gone, stays} {
		for i := range 200 {
			name := "secret-tag-of-" + p.Name + strings.Repeat("x", i)
			if err := db.Keep(ctx, p.ID, "tag", name, "", func(t *Thing) (bool, error) {
				t.Games = roaring.BitmapOf(uint32(i))
				return true, nil
			}); err != nil {
				t.Fatal(err)
			}
		}
	}
	reader := Open(dir) // another process looks at the same time
	defer reader.Close()
	if _, err := reader.Profiles(ctx); err != nil {
		t.Fatal(err)
	}
	if err := db.Remove(ctx, gone.ID); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if text := string(data); strings.Contains(text, "Zzyzx") || strings.Contains(text, gone.ID) {
			t.Errorf("%s has what was removed", filepath.Base(file))
		}
	}
	if list, err := db.Things(ctx, stays.ID, "tag"); err != nil || len(list) != 200 {
		t.Error(len(list), err)
	}
	if _, err := db.Profile(ctx, gone.ID); !errors.Is(err, ErrNobody) {
		t.Error(err)
	}
	if err := db.Keep(ctx, gone.ID, "tag", "again", "", func(*Thing) (bool, error) { return true, nil }); !errors.Is(err, ErrNobody) {
		t.Error(err)
	}
}

// TestFile: the file is the owner's alone, whatever somebody made of it; a copy is whole
// and leaves the original as it is.
func TestFile(t *testing.T) {
	db, dir := made(t)
	ctx := t.Context()
	add(t, db, "Anna")
	file := filepath.Join(dir, FileName)
	check := func(file string) {
		t.Helper()
		if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%v %v", info.Mode(), err)
		}
	}
	check(file)
	db.Close()
	if err := os.Chmod(file, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Profiles(ctx); err != nil {
		t.Fatal(err)
	}
	check(file)
	db.Close()
	before, _ := os.ReadFile(file)
	to := t.TempDir()
	for range 2 { // the second in place of the first
		if err := Copy(ctx, dir, to); err != nil {
			t.Fatal(err)
		}
	}
	check(filepath.Join(to, FileName))
	if after, _ := os.ReadFile(file); string(before) != string(after) {
		t.Error("the original has changed")
	}
	copied := Open(to)
	defer copied.Close()
	if list, err := copied.Profiles(ctx); err != nil || len(list) != 1 {
		t.Error(list, err)
	}
	if problems, err := copied.Check(ctx); err != nil || len(problems) != 0 {
		t.Error(problems, err)
	}
}

// TestDamage: a damaged file, one of something else and one of a newer program are told,
// and let nobody in.
func TestDamage(t *testing.T) {
	ctx := t.Context()
	for name, spoil := range map[string]func(file string) error{
		"garbage": func(file string) error { return os.WriteFile(file, []byte(strings.Repeat("garbage", 2000)), 0o600) },
		"cut":     func(file string) error { return os.Truncate(file, 5000) },
		"newer": func(file string) error {
			db, err := sql.Open("sqlite", file)
			if err != nil {
				return err
			}
			defer db.Close()
			_, err = db.Exec("PRAGMA user_version = 99")
			return err
		},
	} {
		db, dir := made(t)
		p := add(t, db, "Anna")
		login, err := db.Login(ctx, p.ID, "")
		if err != nil {
			t.Fatal(err)
		}
		db.Close()
		if err := spoil(filepath.Join(dir, FileName)); err != nil {
			t.Fatal(err)
		}
		if got, err := db.Known(ctx, login); err == nil {
			t.Errorf("%s: %v came in", name, got)
		}
		if problems, err := db.Check(ctx); err == nil && len(problems) == 0 {
			t.Errorf("%s: nothing is told", name)
		}
	}
}

// TestOlder: a file of an older program gets the tables that it lacks, and keeps what it has.
func TestOlder(t *testing.T) {
	dir := t.TempDir()
	ctx := t.Context()
	db, err := sql.Open("sqlite", filepath.Join(dir, FileName))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec(options.Steps[0] + "INSERT INTO profile VALUES ('ANNA', 'Anna', 'anna', 3, 5); PRAGMA user_version = 1"); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		d := Open(dir)
		if _, err := d.AddPasskey(ctx, Passkey{Profile: "ANNA", Credential: []byte(Secret()), Public: []byte("x")}); err != nil {
			t.Error(err)
		}
		if p, err := d.Profile(ctx, "ANNA"); err != nil || p.Role != Owner {
			t.Error(p, err)
		}
		d.Close()
	}
	d := Open(dir)
	defer d.Close()
	if list, err := d.Passkeys(ctx, "ANNA"); err != nil || len(list) != 2 {
		t.Error(list, err)
	}
}

// TestBounds: nobody fills the disk.
func TestBounds(t *testing.T) {
	db, _ := made(t)
	ctx := context.Background()
	p := add(t, db, "Anna")
	for i := range maxKeys + 5 {
		_, _, err := db.AddKey(ctx, p.ID, "", false, time.Time{})
		if (err != nil) != (i >= maxKeys) || err != nil && !errors.Is(err, ErrFull) {
			t.Fatalf("key %d: %v", i, err)
		}
	}
	for range maxLogins + 5 {
		if _, err := db.Login(ctx, p.ID, ""); err != nil {
			t.Fatal(err)
		}
	}
	if list, _, err := db.Logins(ctx, p.ID, ""); err != nil || len(list) != maxLogins {
		t.Error(len(list), err)
	}
	if err := db.Keep(ctx, p.ID, "tag", "large", "", func(t *Thing) (bool, error) {
		t.Value = strings.Repeat("x", maxValue+1)
		return true, nil
	}); !errors.Is(err, ErrFull) {
		t.Error(err)
	}
}
