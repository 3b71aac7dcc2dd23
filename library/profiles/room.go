package profiles

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"sync"
	"time"

	"qipu/store/people"
)

// InviteTime is how long an invitation waits for who was invited.
const InviteTime = 14 * 24 * time.Hour

// Room is the people of one library. It is safe for concurrent use.
type Room struct {
	db *people.DB

	mu   sync.Mutex
	own  map[string]*Own // by profile, as long as nobody changes anything
	seen string          // the version that own is of
}

// Open returns the people of the library in a folder.
func Open(dir string) *Room { return &Room{db: people.Open(dir)} }

// Close closes the room.
func (r *Room) Close() error { return r.db.Close() }

// Add makes a profile.
func (r *Room) Add(ctx context.Context, name string, role people.Role) (people.Profile, error) {
	name, fold, err := Name(name)
	if err != nil {
		return people.Profile{}, err
	}
	return r.db.Add(ctx, name, fold, role)
}

// List returns all profiles, by name.
func (r *Room) List(ctx context.Context) ([]people.Profile, error) { return r.db.Profiles(ctx) }

// Profile returns the profile of an id.
func (r *Room) Profile(ctx context.Context, id string) (people.Profile, error) {
	return r.db.Profile(ctx, id)
}

// Find returns the profile that a name or an id means.
func (r *Room) Find(ctx context.Context, who string) (people.Profile, error) {
	p, err := r.db.Profile(ctx, strings.TrimSpace(who))
	if !errors.Is(err, people.ErrNobody) {
		return p, err
	}
	_, fold, err := Name(who)
	if err != nil {
		return p, people.ErrNobody // no name of anybody
	}
	return r.db.Called(ctx, fold)
}

// Called returns what somebody is called who plays: as he says, if that is a name, else by
// his profile, whose id is empty for who has none.
func (r *Room) Called(ctx context.Context, id, name string) (string, error) {
	if name == "" && id != "" {
		p, err := r.db.Profile(ctx, id)
		return p.Name, err
	}
	name, _, err := Name(cmp.Or(name, "Player"))
	return name, err
}

// Rename gives a profile another name.
func (r *Room) Rename(ctx context.Context, id, name string) error {
	name, fold, err := Name(name)
	if err != nil {
		return err
	}
	return r.db.Rename(ctx, id, name, fold)
}

// SetRole gives a profile another role, from its next request on.
func (r *Room) SetRole(ctx context.Context, id string, role people.Role) error {
	return r.db.SetRole(ctx, id, role)
}

// Remove takes a profile away with all that is its own: see [people.DB.Remove].
func (r *Room) Remove(ctx context.Context, id string) error { return r.db.Remove(ctx, id) }

// Invite returns a new key that logs one browser in.
func (r *Room) Invite(ctx context.Context, id string) (secret string, err error) {
	_, secret, err = r.db.AddKey(ctx, id, "", true, r.db.Now().Add(InviteTime))
	return secret, err
}

// AddKey returns a new key that lasts until it is revoked, for programs and to take along.
func (r *Room) AddKey(ctx context.Context, id, label string) (people.Key, string, error) {
	return r.db.AddKey(ctx, id, Label(label), false, time.Time{})
}

// Keys returns the keys of a profile, the newest first.
func (r *Room) Keys(ctx context.Context, id string) ([]people.Key, error) { return r.db.Keys(ctx, id) }

// RevokeKey makes one key good for nothing, and logs out who came by it.
func (r *Room) RevokeKey(ctx context.Context, id, key string) error {
	return r.db.RevokeKey(ctx, id, key)
}

// RevokeAll does so with all keys of a profile, and logs out all its browsers.
func (r *Room) RevokeAll(ctx context.Context, id string) error { return r.db.RevokeAll(ctx, id) }

// Enter exchanges a key for a log-in.
func (r *Room) Enter(ctx context.Context, key, label string) (people.Profile, string, error) {
	return r.db.Enter(ctx, strings.TrimSpace(key), Label(label))
}

// AddPasskey keeps a passkey of a profile.
func (r *Room) AddPasskey(ctx context.Context, k people.Passkey) (people.Passkey, error) {
	k.Label = Label(k.Label)
	return r.db.AddPasskey(ctx, k)
}

// Passkeys returns the passkeys of a profile, the newest first.
func (r *Room) Passkeys(ctx context.Context, id string) ([]people.Passkey, error) {
	return r.db.Passkeys(ctx, id)
}

// Passkey returns the passkey that an authenticator knows by an id.
func (r *Room) Passkey(ctx context.Context, credential []byte) (people.Passkey, error) {
	return r.db.Passkey(ctx, credential)
}

// RevokePasskey forgets a passkey of a profile, and logs out who came by it.
func (r *Room) RevokePasskey(ctx context.Context, id, passkey string) error {
	return r.db.RevokePasskey(ctx, id, passkey)
}

// EnterPasskey logs the profile of a passkey in that has signed just now, and has counted
// so far.
func (r *Room) EnterPasskey(ctx context.Context, credential []byte, count uint32, label string) (people.Profile, string, error) {
	return r.db.EnterPasskey(ctx, credential, count, Label(label))
}

// Choose logs a profile in without a key: on the machine of the owner.
func (r *Room) Choose(ctx context.Context, id, label string) (string, error) {
	return r.db.Login(ctx, id, Label(label))
}

// Leave ends a log-in.
func (r *Room) Leave(ctx context.Context, login string) error { return r.db.Logout(ctx, login) }

// Logins returns where a profile is logged in, and which of these is that of a secret.
func (r *Room) Logins(ctx context.Context, id, login string) ([]people.Login, string, error) {
	return r.db.Logins(ctx, id, login)
}

// EndLogin logs a browser of a profile out.
func (r *Room) EndLogin(ctx context.Context, id, login string) error {
	return r.db.EndLogin(ctx, id, login)
}

// Known returns who has logged in with a secret.
func (r *Room) Known(ctx context.Context, login string) (people.Profile, error) {
	return r.db.Known(ctx, login)
}

// Bearer returns whose lasting key a secret is.
func (r *Room) Bearer(ctx context.Context, key string) (people.Profile, error) {
	return r.db.Bearer(ctx, key)
}

// Label returns a text that a browser or program sent, as one short line.
func Label(s string) string {
	const most = 80
	s = strings.Join(strings.FieldsFunc(strings.ToValidUTF8(s, ""), func(r rune) bool { return r <= ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 || hidden(r) }), " ")
	for i := range s {
		if i >= most {
			return s[:i]
		}
	}
	return s
}
