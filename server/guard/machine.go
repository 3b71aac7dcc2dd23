package guard

import (
	"net"
	"net/netip"
	"os"
	"slices"
	"strings"
	"sync"
	"time"
)

// machine knows the names and addresses of the machine that the program runs on.
// Addresses come and go with its networks: they are looked up again when one is
// asked for that is not known, at most once a second.
type machine struct {
	look func() (names []string, addrs []netip.Addr)

	mu    sync.Mutex
	at    time.Time
	names []string
	addrs []netip.Addr
}

// is reports whether a name, as hostName returns it, is one of the machine. What
// stands for all its addresses (0.0.0.0, ::) is none of them.
func (m *machine) is(host string, now time.Time) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	a, err := netip.ParseAddr(host)
	known := func() bool {
		if err == nil {
			return !a.IsUnspecified() && slices.Contains(m.addrs, a.Unmap().WithZone(""))
		}
		return slices.Contains(m.names, host)
	}
	if known() {
		return true
	}
	if !m.at.IsZero() && now.Sub(m.at) < time.Second {
		return false
	}
	m.names, m.addrs = m.look()
	m.at = now
	return known()
}

// thisMachine returns the host name, as a whole, alone and as the local network tells
// it by multicast (RFC 6762), and the addresses of all interfaces. What cannot be
// found out is left out: then it is refused.
func thisMachine() (names []string, addrs []netip.Addr) {
	if name, err := os.Hostname(); err == nil && name != "" {
		name = hostName(name)
		short, _, _ := strings.Cut(name, ".")
		names = []string{name, short, short + ".local"}
	}
	list, err := net.InterfaceAddrs()
	if err != nil {
		return names, nil
	}
	for _, x := range list {
		if p, err := netip.ParsePrefix(x.String()); err == nil {
			addrs = append(addrs, p.Addr().Unmap().WithZone(""))
		}
	}
	return names, addrs
}
