package passkey_test

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"qipu/server/passkey"
	"qipu/server/passkey/passkeytest"
)

var here = passkey.Site{Origin: "https://games.example.org", Name: "games.example.org"}

func made(t *testing.T, algorithm int) *passkeytest.Authenticator {
	t.Helper()
	a, err := passkeytest.New(algorithm)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// TestPasskeys: keys of all kinds are made, and sign, each challenge once.
func TestPasskeys(t *testing.T) {
	d := passkey.NewDesk()
	for _, algorithm := range passkey.Algorithms {
		a := made(t, algorithm)
		signed := a.Make(here, d.Challenge("make"))
		k, err := d.New("make", here, signed)
		if err != nil || !bytes.Equal(k.ID, a.ID) || !bytes.Equal(k.Public, a.Public) {
			t.Fatalf("%d: %+v %v", algorithm, k, err)
		}
		if _, err := d.New("make", here, signed); !errors.Is(err, passkey.ErrChallenge) {
			t.Errorf("%d: made twice: %v", algorithm, err)
		}
		for want := uint32(1); want < 4; want++ {
			s, err := a.Sign(here, d.Challenge("enter"))
			if err != nil {
				t.Fatal(err)
			}
			for i := range s.Signature { // no other signature, and a wrong try spends nothing
				if i%7 == 0 {
					other := passkey.Signed{Client: s.Client, Data: s.Data, Signature: slices.Clone(s.Signature)}
					other.Signature[i] ^= 1
					if _, err := d.Verify("enter", here, k.Public, other); !errors.Is(err, passkey.ErrWrong) {
						t.Fatalf("%d: byte %d: %v", algorithm, i, err)
					}
				}
			}
			if n, err := d.Verify("enter", here, k.Public, s); err != nil || n != want {
				t.Errorf("%d: %d %v", algorithm, n, err)
			}
			if _, err := d.Verify("enter", here, k.Public, s); !errors.Is(err, passkey.ErrChallenge) {
				t.Errorf("%d: signed once, in twice: %v", algorithm, err)
			}
		}
	}
}

// TestRefused: whatever else is signed is refused, and so is what is not as the standard says.
func TestRefused(t *testing.T) {
	d, a := passkey.NewDesk(), made(t, -7)
	type signed = passkey.Signed
	client := func(kind, challenge, origin, more string) []byte {
		return []byte(`{"type":"` + kind + `","challenge":"` + challenge + `","origin":"` + origin + `"` + more + `}`)
	}
	for name, change := range map[string]func(s *signed, challenge string){
		"another origin":        func(s *signed, c string) { s.Client = client("webauthn.get", c, "https://evil.example", "") },
		"another port":          func(s *signed, c string) { s.Client = client("webauthn.get", c, here.Origin+":8443", "") },
		"no encryption":         func(s *signed, c string) { s.Client = client("webauthn.get", c, "http://games.example.org", "") },
		"a name that begins so": func(s *signed, c string) { s.Client = client("webauthn.get", c, here.Origin+".evil.example", "") },
		"a frame":               func(s *signed, c string) { s.Client = client("webauthn.get", c, here.Origin, `,"crossOrigin":true`) },
		"a page around it": func(s *signed, c string) {
			s.Client = client("webauthn.get", c, here.Origin, `,"topOrigin":"https://evil.example"`)
		},
		"made, not signed":       func(s *signed, c string) { s.Client = client("webauthn.create", c, here.Origin, "") },
		"no challenge":           func(s *signed, c string) { s.Client = client("webauthn.get", "", here.Origin, "") },
		"a challenge for others": func(s *signed, _ string) { s.Client = client("webauthn.get", d.Challenge("make"), here.Origin, "") },
		"a challenge of another server": func(s *signed, _ string) {
			s.Client = client("webauthn.get", passkey.NewDesk().Challenge("enter"), here.Origin, "")
		},
		"a changed challenge": func(s *signed, c string) { s.Client = client("webauthn.get", "A"+c[1:], here.Origin, "") },
		"no text":             func(s *signed, _ string) { s.Client = []byte("{") },
		"very much":           func(s *signed, c string) { s.Client = append(s.Client, strings.Repeat(" ", 5000)...) },
		"another site":        func(s *signed, _ string) { s.Data[0] ^= 1 },
		"nobody there":        func(s *signed, _ string) { s.Data[32] = 0b100 },
		"not unlocked":        func(s *signed, _ string) { s.Data[32] = 0b001 },
		"copied, not movable": func(s *signed, _ string) { s.Data[32] = 0b10101 },
		"cut":                 func(s *signed, _ string) { s.Data = s.Data[:36] },
		"something behind":    func(s *signed, _ string) { s.Data = append(s.Data, 0) },
		"endless":             func(s *signed, _ string) { s.Data = append(s.Data, make([]byte, 9000)...) },
	} {
		challenge := d.Challenge("enter")
		s, err := a.Sign(here, challenge)
		if err != nil {
			t.Fatal(err)
		}
		change(&s, challenge)
		if err := a.Again(&s); err != nil { // the authenticator signs it
			t.Fatal(err)
		}
		if _, err := d.Verify("enter", here, a.Public, s); err == nil {
			t.Errorf("%s: let in", name)
		}
	}
	s, err := a.Sign(here, d.Challenge("enter"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.Verify("enter", here, made(t, -7).Public, s); !errors.Is(err, passkey.ErrWrong) {
		t.Errorf("another passkey: %v", err)
	}
	// A point that is not on the curve is no key.
	off := slices.Clone(a.Public)
	off[len(off)-1] ^= 1
	bad := *a
	bad.Public = off
	if _, err := d.New("make", here, bad.Make(here, d.Challenge("make"))); err == nil {
		t.Error("a point off the curve is a key")
	}
}

// TestMany: of many who bring one answer one gets in.
//
//qipu:race
func TestMany(t *testing.T) {
	d, a := passkey.NewDesk(), made(t, -8)
	s, err := a.Sign(here, d.Challenge("enter"))
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	in := make(chan bool, 20)
	for range cap(in) {
		all.Go(func() {
			_, err := d.Verify("enter", here, a.Public, s)
			in <- err == nil
		})
	}
	all.Wait()
	close(in)
	n := 0
	for ok := range in {
		if ok {
			n++
		}
	}
	if n != 1 {
		t.Errorf("%d got in", n)
	}
}

// TestOld: a challenge ends.
func TestOld(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d, a := passkey.NewDesk(), made(t, -8)
		challenge := d.Challenge("enter")
		for i := range 3000 { // those that ended are forgotten
			s, err := a.Sign(here, d.Challenge("enter"))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := d.Verify("enter", here, a.Public, s); err != nil {
				t.Fatal(i, err)
			}
			time.Sleep(time.Second)
		}
		s, err := a.Sign(here, challenge)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := d.Verify("enter", here, a.Public, s); !errors.Is(err, passkey.ErrChallenge) {
			t.Error(err)
		}
	})
}

// FuzzNew: whatever an authenticator says, it is read or refused, and what was read is a key that
// is read again.
func FuzzNew(f *testing.F) {
	d := passkey.NewDesk()
	for _, algorithm := range passkey.Algorithms {
		a, err := passkeytest.New(algorithm)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(a.Make(here, "").Data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		k, err := d.New("make", here, passkey.Signed{Client: passkeytest.Client("webauthn.create", d.Challenge("make"), here.Origin), Data: data})
		if err != nil {
			return
		}
		if len(k.ID) == 0 || len(k.Public) == 0 {
			t.Fatalf("%+v", k)
		}
		a := &passkeytest.Authenticator{ID: k.ID, Public: k.Public, Count: k.Count, Flags: 0b101}
		again, err := d.New("make", here, a.Make(here, d.Challenge("make")))
		if err != nil || !bytes.Equal(again.Public, k.Public) {
			t.Fatalf("%v", err)
		}
	})
}
