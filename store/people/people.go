package people

import (
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"time"

	"github.com/RoaringBitmap/roaring/v2"
)

// What callers branch on.
var (
	ErrNobody = errors.New("people: there is no such profile")
	ErrTaken  = errors.New("people: somebody has this name already")
	ErrNoKey  = errors.New("people: there is no such key")
	ErrSpent  = errors.New("people: the key was used, revoked, or is too old")
	ErrFull   = errors.New("people: that is more than one profile may keep")
	ErrCopied = errors.New("people: the passkey has counted on elsewhere: somebody has a copy of it")
)

// Role is what somebody may do, each what those before may.
type Role int

// The roles.
const (
	Guest  Role = iota // looks, and plays where the owner lets guests play
	Member             // plays, keeps things of one's own, sends records
	Editor             // changes what all see
	Owner              // everything
)

var roles = [...]string{"guest", "member", "editor", "owner"}

// String returns the word.
func (r Role) String() string {
	if r < Guest || r > Owner {
		return "nobody"
	}
	return roles[r]
}

// ParseRole reads the word.
func ParseRole(word string) (Role, error) {
	for i, w := range roles {
		if w == word {
			return Role(i), nil
		}
	}
	return Guest, fmt.Errorf("people: %.40q is no role: choose guest, member, editor or owner", word)
}

// Profile is somebody who uses the library.
type Profile struct {
	ID      string // random, and never given again: what the journal knows
	Name    string
	Fold    string // the name in the form in which names are compared
	Role    Role
	Created time.Time
}

// Key lets its bearer log in as a profile.
type Key struct {
	ID      string // names it in lists; it opens nothing
	Profile string
	Label   string
	Once    bool // an invitation: it is spent by the first who uses it
	Created time.Time
	Expires time.Time // zero: never
	Used    time.Time // last; zero: never
	Revoked time.Time // zero: not
}

// Passkey is a key that an authenticator keeps, of which only the public part is known.
type Passkey struct {
	ID         string // names it in lists
	Profile    string
	Credential []byte // by which the authenticator knows it
	Site       string // the name of the host that it is bound to
	Public     []byte
	Count      uint32 // how often it has signed; 0: it does not count
	Label      string
	Created    time.Time
	Used       time.Time // last; zero: never
}

// Login is a browser that has logged in.
type Login struct {
	ID      string // names it in lists; it opens nothing
	Profile string
	Label   string // what kind of browser it is
	Key     string // the key or passkey it came with; empty where none was needed
	Created time.Time
	Seen    time.Time
	Expires time.Time
}

// Thing is something private of a profile: a tag, a collection, a saved query, the box
// of a quiz. Kind and Fold tell things of a profile apart.
type Thing struct {
	Kind    string
	Name    string
	Fold    string // default: the name
	Value   string // JSON, or a text of the kind's own
	Games   *roaring.Bitmap
	Changed time.Time
}

// Secret returns a new random text of 130 bits, which nobody can guess.
func Secret() string { return rand.Text() }

// sum is what the database knows of a secret. It is random enough for a plain hash: no
// list of likely ones leads to it.
func sum(secret string) []byte {
	h := sha256.Sum256([]byte(secret))
	return h[:]
}
