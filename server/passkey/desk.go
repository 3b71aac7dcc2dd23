package passkey

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"sync"
	"time"
)

// Lasts is how long a challenge waits for its answer.
const Lasts = 5 * time.Minute

// What callers branch on. All others mean that something is not as it has to be.
var (
	ErrChallenge = errors.New("passkey: the challenge is not one of ours, was answered already, or is too old")
	ErrWrong     = errors.New("passkey: this is not signed by the passkey")
	ErrOrigin    = errors.New("passkey: this was signed for another site")
)

// Desk gives out challenges, and takes them back. It is safe for concurrent use.
type Desk struct {
	key   [32]byte
	start time.Time

	mu    sync.Mutex
	spent map[[sha256.Size]byte]time.Duration // seals of those that were answered, and when they end
}

// NewDesk returns a desk whose challenges no other one knows.
func NewDesk() *Desk {
	d := &Desk{start: time.Now(), spent: map[[sha256.Size]byte]time.Duration{}}
	rand.Read(d.key[:])
	return d
}

// A challenge is
//
//	random 16 | end 8 | seal 32
//
// where the end is in nanoseconds since the desk was made, which no clock can set back, and
// the seal is that of the rest and of what the challenge is for.
const (
	randomSize    = 16
	challengeSize = randomSize + 8 + sha256.Size
)

// Challenge returns a new challenge for a purpose.
func (d *Desk) Challenge(purpose string) string {
	c := make([]byte, randomSize+8, challengeSize)
	rand.Read(c[:randomSize])
	binary.BigEndian.PutUint64(c[randomSize:], uint64(time.Since(d.start)+Lasts))
	return base64.RawURLEncoding.EncodeToString(append(c, d.seal(c, purpose)...))
}

func (d *Desk) seal(c []byte, purpose string) []byte {
	mac := hmac.New(sha256.New, d.key[:])
	mac.Write(c)
	mac.Write([]byte(purpose))
	return mac.Sum(nil)
}

// good reports whether a challenge is one of ours for a purpose, and not too old. It may
// have been answered before.
func (d *Desk) good(challenge, purpose string) (seal [sha256.Size]byte, end time.Duration, ok bool) {
	c, err := base64.RawURLEncoding.Strict().DecodeString(challenge)
	if err != nil || len(c) != challengeSize {
		return seal, 0, false
	}
	seal = [sha256.Size]byte(c[randomSize+8:])
	end = time.Duration(binary.BigEndian.Uint64(c[randomSize:]))
	return seal, end, hmac.Equal(seal[:], d.seal(c[:randomSize+8], purpose)) && time.Since(d.start) < end
}

// spend takes a challenge back whose answer is right: of many who bring it, one is the first.
func (d *Desk) spend(seal [sha256.Size]byte, end time.Duration) bool {
	const many = 1000
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, twice := d.spent[seal]; twice {
		return false
	}
	if len(d.spent) >= many {
		for s, e := range d.spent {
			if e <= time.Since(d.start) {
				delete(d.spent, s)
			}
		}
	}
	d.spent[seal] = end
	return true
}
