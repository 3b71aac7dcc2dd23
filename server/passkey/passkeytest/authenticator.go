// Package passkeytest has an authenticator made of software, for tests: it does what it is
// asked to, also what none would do.
package passkeytest

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"

	"qipu/server/passkey"
)

// Authenticator has one passkey.
type Authenticator struct {
	ID     []byte
	Public []byte // COSE
	Count  uint32
	Flags  byte // default: somebody was there, and has unlocked it
	signer crypto.Signer
}

// New returns an authenticator that signs by an algorithm.
func New(algorithm int) (*Authenticator, error) {
	a := &Authenticator{ID: []byte(rand.Text()), Flags: 0b101}
	switch algorithm {
	case -7:
		k, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
		if err != nil {
			return nil, err
		}
		point, err := k.PublicKey.Bytes()
		if err != nil {
			return nil, err
		}
		a.signer, a.Public = k, cose(1, 2, 3, -7, -1, 1, -2, point[1:33], -3, point[33:])
	case -8:
		public, k, err := ed25519.GenerateKey(rand.Reader)
		if err != nil {
			return nil, err
		}
		a.signer, a.Public = k, cose(1, 1, 3, -8, -1, 6, -2, []byte(public))
	case -257:
		k, err := rsa.GenerateKey(rand.Reader, 2048)
		if err != nil {
			return nil, err
		}
		a.signer, a.Public = k, cose(1, 3, 3, -257, -1, k.N.Bytes(), -2, []byte{1, 0, 1})
	default:
		return nil, fmt.Errorf("no algorithm %d", algorithm)
	}
	return a, nil
}

// cose writes a map of numbers to numbers and bytes.
func cose(list ...any) []byte {
	b := []byte{byte(5<<5 | len(list)/2)}
	head := func(major byte, n int) {
		switch {
		case n < 24:
			b = append(b, major<<5|byte(n))
		case n < 256:
			b = append(b, major<<5|24, byte(n))
		default:
			b = append(b, major<<5|25, byte(n>>8), byte(n))
		}
	}
	for _, x := range list {
		switch x := x.(type) {
		case []byte:
			head(2, len(x))
			b = append(b, x...)
		case int:
			if x < 0 {
				head(1, -1-x)
			} else {
				head(0, x)
			}
		}
	}
	return b
}

// Client is what a browser says of a page and its challenge.
func Client(kind, challenge, origin string) []byte {
	b, err := json.Marshal(map[string]any{"type": kind, "challenge": challenge, "origin": origin, "crossOrigin": false})
	if err != nil {
		panic(err) // of texts alone
	}
	return b
}

// Make answers a challenge by the passkey as a new one.
func (a *Authenticator) Make(site passkey.Site, challenge string) passkey.Signed {
	data := a.head(site.Name, 1<<6)
	data = append(data, make([]byte, 16)...)
	data = binary.BigEndian.AppendUint16(data, uint16(len(a.ID)))
	data = append(append(data, a.ID...), a.Public...)
	return passkey.Signed{Client: Client("webauthn.create", challenge, site.Origin), Data: data}
}

// Sign answers a challenge, and counts.
func (a *Authenticator) Sign(site passkey.Site, challenge string) (passkey.Signed, error) {
	a.Count++
	s := passkey.Signed{Client: Client("webauthn.get", challenge, site.Origin), Data: a.head(site.Name, 0)}
	err := a.Again(&s)
	return s, err
}

// Again signs what was changed.
func (a *Authenticator) Again(s *passkey.Signed) (err error) {
	sum := sha256.Sum256(s.Client)
	text := append(append([]byte{}, s.Data...), sum[:]...)
	hash := crypto.SHA256
	if _, ok := a.signer.(ed25519.PrivateKey); ok {
		hash = 0
	} else {
		sum = sha256.Sum256(text)
		text = sum[:]
	}
	s.Signature, err = a.signer.Sign(rand.Reader, text, hash)
	return err
}

func (a *Authenticator) head(name string, flags byte) []byte {
	sum := sha256.Sum256([]byte(name))
	return binary.BigEndian.AppendUint32(append(sum[:], a.Flags|flags), a.Count)
}
