package passkey

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// Bounds of what is looked at. An authenticator sends some hundred bytes.
const (
	maxClient = 4 << 10
	maxData   = 8 << 10
	maxID     = 1023 // by the standard
)

// Site is who asks.
type Site struct {
	Origin string // of the page: scheme, name and port
	Name   string // the name of the host, which passkeys are bound to
}

// Key is what is known of a passkey: nothing of it is secret.
type Key struct {
	ID     []byte // by which the authenticator knows it
	Public []byte // the public key, as COSE (RFC 9052)
	Count  uint32 // how often it has signed; 0 where it does not count
}

// Signed is the answer to a challenge.
type Signed struct {
	Client    []byte // what the browser says of the challenge and the page, as JSON
	Data      []byte // what the authenticator says
	Signature []byte // of both; none where a passkey is new
}

// Flags of what the authenticator says.
const (
	present  = 1 << 0 // somebody was there
	verified = 1 << 2 // and has shown by PIN, finger or face that it is the owner
	eligible = 1 << 3 // the passkey may be copied to other devices of the owner
	copied   = 1 << 4 // and is
	attested = 1 << 6 // a new key follows
	extended = 1 << 7 // something follows that nobody asked for
)

const headSize = sha256.Size + 1 + 4

// New checks a passkey that an authenticator has made for a challenge.
func (d *Desk) New(purpose string, site Site, s Signed) (Key, error) {
	seal, end, err := d.client("webauthn.create", purpose, site, s.Client)
	if err != nil {
		return Key{}, err
	}
	flags, count, rest, err := head(site, s.Data)
	if err != nil {
		return Key{}, err
	}
	// 16 bytes for the model of the authenticator, 2 for how long the id is.
	if flags&attested == 0 || len(rest) < 18 {
		return Key{}, errors.New("passkey: there is no new key")
	}
	size := int(binary.BigEndian.Uint16(rest[16:]))
	rest = rest[18:]
	if size == 0 || size > maxID || size > len(rest) {
		return Key{}, errors.New("passkey: the id of the new key is cut")
	}
	k := Key{ID: rest[:size], Count: count}
	rest = rest[size:]
	_, n, err := parseKey(rest)
	if err != nil {
		return Key{}, err
	}
	if flags&extended == 0 && n != len(rest) {
		return Key{}, errors.New("passkey: something stands behind the new key")
	}
	k.Public = rest[:n]
	if !d.spend(seal, end) {
		return Key{}, ErrChallenge
	}
	return k, nil
}

// Verify checks that a passkey has signed a challenge, and returns how often it says that
// it has signed by now. Whether that can be is the caller's to say, who knows what others
// ask at the same time.
func (d *Desk) Verify(purpose string, site Site, public []byte, s Signed) (count uint32, err error) {
	seal, end, err := d.client("webauthn.get", purpose, site, s.Client)
	if err != nil {
		return 0, err
	}
	flags, count, rest, err := head(site, s.Data)
	if err != nil {
		return 0, err
	}
	if flags&(attested|extended) == 0 && len(rest) > 0 {
		return 0, errors.New("passkey: something stands behind what the authenticator says")
	}
	key, _, err := parseKey(public)
	if err != nil {
		return 0, err
	}
	sum := sha256.Sum256(s.Client)
	if !key.verify(append(append(make([]byte, 0, len(s.Data)+len(sum)), s.Data...), sum[:]...), s.Signature) {
		return 0, ErrWrong
	}
	if !d.spend(seal, end) {
		return 0, ErrChallenge
	}
	return count, nil
}

// client checks what the browser says, which the signature covers.
func (d *Desk) client(kind, purpose string, site Site, text []byte) (seal [sha256.Size]byte, end time.Duration, err error) {
	if len(text) > maxClient {
		return seal, 0, errors.New("passkey: the browser says too much")
	}
	var c struct {
		Type        string `json:"type"`
		Challenge   string `json:"challenge"`
		Origin      string `json:"origin"`
		CrossOrigin bool   `json:"crossOrigin"`
		TopOrigin   string `json:"topOrigin"`
	}
	if err := json.Unmarshal(text, &c); err != nil {
		return seal, 0, fmt.Errorf("passkey: what the browser says cannot be read: %w", err)
	}
	if c.Type != kind {
		return seal, 0, fmt.Errorf("passkey: this is for %.40q, and %q is asked for", c.Type, kind)
	}
	if c.Origin != site.Origin || c.CrossOrigin || c.TopOrigin != "" && c.TopOrigin != site.Origin {
		return seal, 0, ErrOrigin
	}
	seal, end, ok := d.good(c.Challenge, purpose)
	if !ok {
		return seal, 0, ErrChallenge
	}
	return seal, end, nil
}

// head reads what the authenticator says of where and how it was asked.
func head(site Site, data []byte) (flags byte, count uint32, rest []byte, err error) {
	if len(data) < headSize || len(data) > maxData {
		return 0, 0, nil, errors.New("passkey: what the authenticator says is cut, or too long")
	}
	if name := sha256.Sum256([]byte(site.Name)); [sha256.Size]byte(data) != name {
		return 0, 0, nil, ErrOrigin
	}
	flags = data[sha256.Size]
	switch {
	case flags&present == 0 || flags&verified == 0:
		return 0, 0, nil, errors.New("passkey: nobody has unlocked the authenticator")
	case flags&copied != 0 && flags&eligible == 0:
		return 0, 0, nil, errors.New("passkey: what the authenticator says contradicts itself")
	}
	return flags, binary.BigEndian.Uint32(data[sha256.Size+1:]), data[headSize:], nil
}

// Text returns bytes as browsers write them, and Bytes reads them.
func Text(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }

// Bytes reads what Text writes.
func Bytes(s string) ([]byte, error) {
	b, err := base64.RawURLEncoding.Strict().DecodeString(s)
	if err != nil {
		return nil, fmt.Errorf("passkey: %w", err)
	}
	return b, nil
}
