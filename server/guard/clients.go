package guard

import (
	"container/list"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

const (
	// maxClients bounds the table of clients. The one that was not seen for the
	// longest time is forgotten first.
	maxClients = 10_000
	// forgetAfter is how long a client is remembered: by then all its limits
	// are whole again.
	forgetAfter = 5 * time.Minute
	// A client may send wrongTokens wrong tokens, and one more each wrongPause.
	wrongTokens = 5
	wrongPause  = 10 * time.Second
)

// clients limits what each client address may do. The most recently seen are
// at the front of the list, so that each call costs the same.
type clients struct {
	rate  rate.Limit
	burst int

	mu    sync.Mutex
	by    map[netip.Addr]*list.Element
	order *list.List // of *client
}

type client struct {
	addr     netip.Addr
	seen     time.Time
	requests *rate.Limiter
	wrong    *rate.Limiter
}

func newClients(r float64, burst int) *clients {
	return &clients{rate: rate.Limit(r), burst: burst, by: map[netip.Addr]*list.Element{}, order: list.New()}
}

// address returns whose request it is. A proxy that is trusted tells it for
// others, as the last of X-Forwarded-For, and without that all of them would be
// one client; what strangers send there counts for nothing. An IPv6 client holds
// a whole /64 and could change its address with every request.
func (g *Guard) address(r *http.Request) netip.Addr {
	ap, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return netip.Addr{} // all that cannot be told apart are one client
	}
	a := ap.Addr().Unmap().WithZone("")
	if told := r.Header.Values("X-Forwarded-For"); len(told) > 0 && g.trusts(a) {
		list := told[len(told)-1]
		if last, err := netip.ParseAddr(strings.TrimSpace(list[strings.LastIndexByte(list, ',')+1:])); err == nil {
			a = last.Unmap().WithZone("")
		}
	}
	if a.Is6() {
		p, _ := a.Prefix(64)
		a = p.Addr()
	}
	return a
}

// client returns the client of the address, made where it is not known. The
// caller holds mu.
func (c *clients) client(a netip.Addr, now time.Time) *client {
	if e := c.by[a]; e != nil {
		c.order.MoveToFront(e)
		k := e.Value.(*client)
		k.seen = now
		return k
	}
	for last := c.order.Back(); last != nil; last = c.order.Back() {
		k := last.Value.(*client)
		if len(c.by) < maxClients && now.Sub(k.seen) < forgetAfter {
			break
		}
		c.order.Remove(last)
		delete(c.by, k.addr)
	}
	k := &client{
		addr: a, seen: now,
		requests: rate.NewLimiter(c.rate, c.burst),
		wrong:    rate.NewLimiter(rate.Every(wrongPause), wrongTokens),
	}
	c.by[a] = c.order.PushFront(k)
	return k
}

// take counts a request, and returns how long the client should have waited
// with it: 0 where it may go on.
func (c *clients) take(a netip.Addr, now time.Time) time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	l := c.client(a, now).requests
	res := l.ReserveN(now, 1)
	wait := res.DelayFrom(now)
	if wait > 0 {
		res.CancelAt(now) // a refused request costs nothing
	}
	return wait
}

// failed counts a wrong token, and returns how long the client should have waited
// with it: 0 where it has not guessed too often.
func (c *clients) failed(a netip.Addr, now time.Time) time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	wrong := c.client(a, now).wrong
	if wrong.AllowN(now, 1) {
		return 0
	}
	return time.Duration((1 - wrong.TokensAt(now)) * float64(wrongPause))
}
