package passkey

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rsa"
	"crypto/sha256"
	"errors"
	"math/big"
)

// Algorithms are those whose signatures are checked, by their numbers (IANA), the one we
// like best first.
var Algorithms = []int{es256, eddsa, rs256}

const (
	es256 = -7
	eddsa = -8
	rs256 = -257
)

// publicKey is a key that signatures are checked by: of one of three types.
type publicKey struct {
	ec  *ecdsa.PublicKey
	ed  ed25519.PublicKey
	rsa *rsa.PublicKey
}

func (k *publicKey) verify(text, signature []byte) bool {
	sum := sha256.Sum256(text)
	switch {
	case k.ec != nil:
		return ecdsa.VerifyASN1(k.ec, sum[:], signature)
	case k.ed != nil:
		return ed25519.Verify(k.ed, text, signature)
	}
	return rsa.VerifyPKCS1v15(k.rsa, crypto.SHA256, sum[:], signature) == nil
}

var errKey = errors.New("passkey: the new key cannot be read, or is of no known kind")

// parseKey reads a public key as COSE (RFC 9052, RFC 9053), and returns how long it is: a
// map of small numbers to numbers and bytes.
func parseKey(data []byte) (k publicKey, size int, err error) {
	r := reader{rest: data}
	major, n := r.head()
	if major != 5 || n > 16 {
		return k, 0, errKey
	}
	numbers, texts := map[int64]int64{}, map[int64][]byte{}
	for range n {
		label, ok := r.number()
		if _, twice := numbers[label]; !ok || twice || texts[label] != nil {
			return k, 0, errKey
		}
		if major, ok := r.next(); ok && major == 2 {
			texts[label] = r.bytes()
		} else if numbers[label], ok = r.number(); !ok {
			return k, 0, errKey
		}
	}
	if r.bad {
		return k, 0, errKey
	}
	// 1 is the kind of key, 3 the algorithm, -1 the curve, -2 x and -3 y; of RSA -1 is n and -2 is e.
	switch {
	case numbers[1] == 2 && numbers[3] == es256 && numbers[-1] == 1 && len(texts[-2]) == 32 && len(texts[-3]) == 32:
		k.ec, err = ecdsa.ParseUncompressedPublicKey(elliptic.P256(), append(append([]byte{4}, texts[-2]...), texts[-3]...))
	case numbers[1] == 1 && numbers[3] == eddsa && numbers[-1] == 6 && len(texts[-2]) == ed25519.PublicKeySize:
		k.ed = ed25519.PublicKey(texts[-2])
	case numbers[1] == 3 && numbers[3] == rs256 && len(texts[-1]) >= 256 && len(texts[-1]) <= 512 && len(texts[-2]) > 0 && len(texts[-2]) <= 3:
		e := 0
		for _, b := range texts[-2] {
			e = e<<8 | int(b)
		}
		k.rsa = &rsa.PublicKey{N: new(big.Int).SetBytes(texts[-1]), E: e}
		if e < 3 || e%2 == 0 || k.rsa.N.BitLen() < 2048 || k.rsa.N.Bit(0) == 0 {
			err = errKey
		}
	default:
		err = errKey
	}
	if err != nil {
		return publicKey{}, 0, errKey
	}
	return k, len(data) - len(r.rest), nil
}

// reader reads the little of CBOR (RFC 8949) that keys are written in.
type reader struct {
	rest []byte
	bad  bool
}

// next returns what kind of thing comes, without reading it.
func (r *reader) next() (major byte, ok bool) {
	if len(r.rest) == 0 {
		return 0, false
	}
	return r.rest[0] >> 5, true
}

// head reads the kind of a thing, and its number or length.
func (r *reader) head() (major byte, n uint64) {
	if len(r.rest) == 0 {
		r.bad = true
		return 0, 0
	}
	first := r.rest[0]
	r.rest = r.rest[1:]
	extra := 0
	switch low := first & 31; {
	case low < 24:
		return first >> 5, uint64(low)
	case low <= 26: // 1, 2 or 4 bytes: nothing in a key is longer
		extra = 1 << (low - 24)
	default:
		r.bad = true
		return 0, 0
	}
	if len(r.rest) < extra {
		r.bad = true
		return 0, 0
	}
	for _, b := range r.rest[:extra] {
		n = n<<8 | uint64(b)
	}
	r.rest = r.rest[extra:]
	return first >> 5, n
}

func (r *reader) number() (int64, bool) {
	switch major, n := r.head(); {
	case r.bad:
		return 0, false
	case major == 0:
		return int64(n), true
	case major == 1:
		return -1 - int64(n), true
	}
	return 0, false
}

func (r *reader) bytes() []byte {
	_, n := r.head()
	if r.bad || n > uint64(len(r.rest)) {
		r.bad = true
		return []byte{}
	}
	b := r.rest[:n:n]
	r.rest = r.rest[n:]
	return b
}
