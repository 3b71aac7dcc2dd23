package manage

import (
	"crypto/tls"
	"fmt"
	"net/netip"
	"os"
	"runtime"
	"sync"
	"time"

	"qipu/cli"
)

// certificates returns how the server speaks TLS; nil where it does not. Files that have
// changed are read anew, so that a certificate can be renewed under a server that runs;
// where they cannot be read the old one stays.
func certificates(cert, key string) (*tls.Config, error) {
	if cert == "" && key == "" {
		return nil, nil
	}
	if cert == "" || key == "" {
		return nil, cli.Usagef("--tls-cert and --tls-key belong together: give both")
	}
	c := &certificate{cert: cert, key: key}
	if err := c.read(); err != nil {
		return nil, err
	}
	return &tls.Config{MinVersion: tls.VersionTLS12, GetCertificate: c.get}, nil
}

// certificate is one of two files.
type certificate struct {
	cert, key string

	mu    sync.Mutex
	have  *tls.Certificate
	since time.Time // when the newer of the files was changed
	tried time.Time
}

// read reads the files. The key is refused where others than its owner may read it: then
// it is nobody's secret.
func (c *certificate) read() error {
	info, err := os.Stat(c.key)
	if err != nil {
		return fmt.Errorf("--tls-key: %w", err)
	}
	if runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		return fmt.Errorf("--tls-key: others may read %s (mode %#o): take that away first, as in chmod 600 %[1]s", cli.Printable(c.key), info.Mode().Perm())
	}
	pair, err := tls.LoadX509KeyPair(c.cert, c.key)
	if err != nil {
		return fmt.Errorf("--tls-cert %s: %w", cli.Printable(c.cert), err)
	}
	c.have, c.since = &pair, c.changed()
	return nil
}

// changed returns when the newer of the files was changed.
func (c *certificate) changed() (at time.Time) {
	for _, name := range []string{c.cert, c.key} {
		if info, err := os.Stat(name); err == nil && info.ModTime().After(at) {
			at = info.ModTime()
		}
	}
	return at
}

func (c *certificate) get(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	const pause = 10 * time.Second
	c.mu.Lock()
	defer c.mu.Unlock()
	if now := time.Now(); now.Sub(c.tried) > pause {
		c.tried = now
		if c.changed() != c.since {
			_ = c.read() // as long as it cannot be read, the old one is good
		}
	}
	return c.have, nil
}

// prefixes reads addresses and ranges of addresses.
func prefixes(list []string) (found []netip.Prefix, err error) {
	for _, s := range list {
		p, err := netip.ParsePrefix(s)
		if err != nil {
			a, err := netip.ParseAddr(s)
			if err != nil {
				return nil, cli.Usagef("--trusted-proxy %s: give an address, as in 10.0.0.2, or a range, as in 10.0.0.0/8", s)
			}
			p = netip.PrefixFrom(a.Unmap(), a.Unmap().BitLen())
		}
		found = append(found, p.Masked())
	}
	return found, nil
}
