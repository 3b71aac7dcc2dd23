package manage

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// pair writes a certificate with a number and its key.
func pair(t *testing.T, dir string, number int64) (cert, key string) {
	t.Helper()
	secret, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	of := &x509.Certificate{SerialNumber: big.NewInt(number), NotAfter: time.Now().Add(time.Hour), DNSNames: []string{"games.example.org"}}
	der, err := x509.CreateCertificate(rand.Reader, of, of, secret.Public(), secret)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := x509.MarshalPKCS8PrivateKey(secret)
	if err != nil {
		t.Fatal(err)
	}
	cert, key = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	for name, block := range map[string]*pem.Block{cert: {Type: "CERTIFICATE", Bytes: der}, key: {Type: "PRIVATE KEY", Bytes: raw}} {
		if err := os.WriteFile(name, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return cert, key
}

// TestCertificates: a key that others may read is refused, with what to do; so are halves and
// nonsense. A renewed pair is taken while the server runs, and one that is no good leaves the old.
func TestCertificates(t *testing.T) {
	dir := t.TempDir()
	cert, key := pair(t, dir, 1)
	number := func(c *certificate) int64 {
		t.Helper()
		c.tried = time.Time{}
		have, err := c.get(nil)
		if err != nil || have == nil {
			t.Fatal(have, err)
		}
		return have.Leaf.SerialNumber.Int64()
	}
	if c, err := certificates("", ""); c != nil || err != nil {
		t.Error(c, err)
	}
	for _, half := range [][2]string{{cert, ""}, {"", key}, {cert, filepath.Join(dir, "none.pem")}, {key, key}} {
		if _, err := certificates(half[0], half[1]); err == nil || !strings.Contains(err.Error(), "--tls-") {
			t.Errorf("%q: %v", half, err)
		}
	}
	if _, err := certificates(cert, key); err != nil {
		t.Fatal(err)
	}
	c := &certificate{cert: cert, key: key}
	if err := c.read(); err != nil || number(c) != 1 {
		t.Fatal(err)
	}
	later := func(by time.Duration) {
		t.Helper()
		at := c.changed().Add(by)
		for _, name := range []string{cert, key} {
			if err := os.Chtimes(name, at, at); err != nil {
				t.Fatal(err)
			}
		}
	}
	pair(t, dir, 2)
	later(time.Hour)
	if n := number(c); n != 2 {
		t.Errorf("after it was renewed the certificate has number %d", n)
	}
	if err := os.WriteFile(cert, []byte("cut in the mid"), 0o600); err != nil {
		t.Fatal(err)
	}
	later(time.Hour)
	if n := number(c); n != 2 {
		t.Errorf("a file that is half there gives number %d", n)
	}
	pair(t, dir, 3)
	later(-24 * time.Hour) // the clock was set back
	if n := number(c); n != 3 {
		t.Errorf("a pair older than the last gives number %d", n)
	}
	if runtime.GOOS == "windows" {
		return
	}
	for _, mode := range []os.FileMode{0o644, 0o640, 0o602} {
		if err := os.Chmod(key, mode); err != nil {
			t.Fatal(err)
		}
		if _, err := certificates(cert, key); err == nil || !strings.Contains(err.Error(), "chmod 600") {
			t.Errorf("%#o: %v", mode, err)
		}
	}
}
