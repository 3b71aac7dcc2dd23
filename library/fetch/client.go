package fetch

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"path"
	"strconv"
	"syscall"
	"time"
)

// Bounds of one fetch.
const (
	maxReply    = 64 << 20 // bytes of a page or a game
	maxTotal    = 1 << 30
	maxRequests = 20_000
	maxTries    = 5
	maxWait     = 15 * time.Minute // that a server may ask for at once
	pause       = time.Second      // behind each request
	longest     = 10 * time.Minute // of one request
)

// Client asks sites, one request at a time.
type Client struct {
	Lichess, OGS string // where they are
	HTTP         *http.Client
	Sleep        func(context.Context, time.Duration) error // behind requests, and as long as a server says
	secure       bool                                       // https alone
	requests     int
}

// NewClient returns a client that talks to public addresses alone. It takes no proxy: that
// would look up names in its place.
func NewClient() *Client {
	c := &Client{Lichess: "https://lichess.org", OGS: "https://online-go.com", Sleep: sleep, secure: true}
	c.HTTP = newHTTP(func(a netip.Addr) bool { return Public(a) })
	return c
}

// newHTTP returns a client that connects to allowed addresses alone. The check is made on the address
// that is connected to, behind the look-up of its name: a name that means another one a moment
// later gains nothing.
func newHTTP(allowed func(netip.Addr) bool) *http.Client {
	dialer := &net.Dialer{Timeout: 30 * time.Second, Control: func(_, address string, _ syscall.RawConn) error {
		to, err := netip.ParseAddrPort(address)
		if err != nil || !allowed(to.Addr().Unmap()) {
			return &PrivateError{address}
		}
		return nil
	}}
	return &http.Client{
		Timeout:   longest,
		Transport: &http.Transport{DialContext: dialer.DialContext, TLSHandshakeTimeout: 30 * time.Second, ResponseHeaderTimeout: time.Minute, MaxConnsPerHost: 1, ForceAttemptHTTP2: true},
		CheckRedirect: func(r *http.Request, via []*http.Request) error {
			if len(via) >= 5 {
				return errors.New("fetch: it leads from one address to the next without an end")
			}
			if via[0].URL.Scheme == "https" && r.URL.Scheme != "https" {
				return errors.New("fetch: it leads to an address that is not encrypted")
			}
			return nil
		},
	}
}

// PrivateError tells that an address is not public.
type PrivateError struct{ Address string }

func (e *PrivateError) Error() string { return "fetch: " + e.Address + " is no public address" }

// notPublic are the nets beyond those that package netip knows.
var notPublic = []netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"), netip.MustParsePrefix("100.64.0.0/10"), netip.MustParsePrefix("192.0.0.0/24"), netip.MustParsePrefix("198.18.0.0/15"),
	netip.MustParsePrefix("240.0.0.0/4"), netip.MustParsePrefix("64:ff9b::/96"), netip.MustParsePrefix("2002::/16"), netip.MustParsePrefix("2001::/32"), netip.MustParsePrefix("fec0::/10"),
}

// Public reports whether an address is one of the public net.
func Public(a netip.Addr) bool {
	a = a.Unmap()
	if !a.IsGlobalUnicast() || a.IsPrivate() {
		return false
	}
	for _, p := range notPublic {
		if p.Contains(a) {
			return false
		}
	}
	return true
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-timer.C:
		return nil
	}
}

var errForbidden = errors.New("it is not public")

// do sends a request until it is answered, waiting as long as the server says.
func (c *Client) do(ctx context.Context, address string, header map[string]string) (*http.Response, error) {
	for try := 1; ; try++ {
		if c.requests++; c.requests > maxRequests {
			return nil, fmt.Errorf("fetch: it takes more than %d requests: run it again to go on", maxRequests)
		}
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
		if err != nil {
			return nil, fmt.Errorf("fetch: %w", err)
		}
		if c.secure && r.URL.Scheme != "https" {
			return nil, errors.New("fetch: an address begins with https://")
		}
		r.Header.Set("User-Agent", "Qipu (game records; one request at a time)")
		for name, value := range header {
			r.Header.Set(name, value)
		}
		reply, err := c.HTTP.Do(r)
		if err != nil {
			return nil, unreached(r.URL.Hostname(), err)
		}
		switch {
		case reply.StatusCode < 300:
			return reply, nil
		case reply.StatusCode == http.StatusTooManyRequests || reply.StatusCode == http.StatusServiceUnavailable:
			reply.Body.Close()
			wait := retryAfter(reply.Header.Get("Retry-After"), time.Now())
			if try == maxTries || wait > maxWait {
				return nil, fmt.Errorf("fetch: the server is busy, and says to come back in %v: run it again then", wait.Round(time.Second))
			}
			if err := c.Sleep(ctx, wait); err != nil {
				return nil, err
			}
		case reply.StatusCode == http.StatusNotFound:
			reply.Body.Close()
			return nil, fmt.Errorf("fetch: %w (%s)", ErrNotFound, reply.Status)
		case reply.StatusCode == http.StatusForbidden || reply.StatusCode == http.StatusUnauthorized:
			reply.Body.Close()
			return nil, fmt.Errorf("fetch: %w (%s)", errForbidden, reply.Status)
		default:
			reply.Body.Close()
			return nil, fmt.Errorf("fetch: the server says %s", reply.Status)
		}
	}
}

// unreached tells why a server was not asked, in words.
func unreached(host string, err error) error {
	if wrong, ok := errors.AsType[*url.Error](err); ok {
		err = wrong.Err // its text has the method and the whole address
	}
	if _, private := errors.AsType[*PrivateError](err); private || errors.Is(err, context.Canceled) {
		return fmt.Errorf("fetch: %w", err)
	}
	if _, ok := errors.AsType[*net.DNSError](err); ok {
		return fmt.Errorf("fetch: no server is called %s, or this machine is not connected to the net (%w)", host, err)
	}
	if late, ok := errors.AsType[net.Error](err); ok && late.Timeout() {
		return fmt.Errorf("fetch: %s does not answer (%w)", host, err)
	}
	return fmt.Errorf("fetch: the connection to %s broke (%w)", host, err)
}

// retryAfter returns how long a server says to wait: in seconds or until a time; a minute
// where it does not say.
func retryAfter(text string, now time.Time) time.Duration {
	if n, err := strconv.Atoi(text); err == nil && n >= 0 {
		return time.Duration(min(n, 1<<30)) * time.Second
	}
	if t, err := http.ParseTime(text); err == nil && t.After(now) {
		return t.Sub(now)
	}
	return time.Minute
}

// get returns what an address has.
func (c *Client) get(ctx context.Context, address, accept string) ([]byte, error) {
	reply, err := c.do(ctx, address, map[string]string{"Accept": accept})
	if err != nil {
		return nil, err
	}
	defer reply.Body.Close()
	data, err := io.ReadAll(io.LimitReader(reply.Body, maxReply+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("fetch: %w", err)
	case len(data) > maxReply:
		return nil, fmt.Errorf("fetch: an answer has more than %d MiB", maxReply>>20)
	}
	return data, c.Sleep(ctx, pause)
}

func (c *Client) getJSON(ctx context.Context, address string, into any) error {
	data, err := c.get(ctx, address, "application/json")
	if err != nil {
		return err
	}
	if err := json.NewDecoder(bytes.NewReader(data)).Decode(into); err != nil {
		return fmt.Errorf("fetch: the answer of the server cannot be read: %w", err)
	}
	return nil
}

// fileNameOf keeps the ends by which archives are known.
func fileNameOf(p string) string {
	name := fileName(path.Base(p))
	for _, end := range []string{".tar.gz", ".tar.bz2", ".zip", ".gz", ".tgz", ".bz2", ".zst", ".pgn", ".sgf", ".wtb", path.Ext(p)} {
		if end != "" && len(p) > len(end) && p[len(p)-len(end):] == end && len(end) < 12 {
			return fileName(path.Base(p[:len(p)-len(end)])) + end
		}
	}
	return name
}
