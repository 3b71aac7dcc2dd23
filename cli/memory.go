package cli

import (
	"fmt"
	"io/fs"
	"math"
	"os"
	"path"
	"runtime/debug"
	"strconv"
	"strings"
)

// Memory is a size of memory as people write it: 400MB, 1GiB, 750 m. As a flag it is
// empty where nobody says any.
type Memory int64

// String writes the size in MiB, and none as nothing.
func (m *Memory) String() string {
	if *m == 0 {
		return ""
	}
	return strconv.FormatInt(int64(*m)>>20, 10) + "MiB"
}

// Type names the value in helps.
func (m *Memory) Type() string { return "SIZE" }

// Set reads a size. A number alone would be guessed at, and is refused.
func (m *Memory) Set(text string) error {
	digits := strings.TrimRight(strings.ToLower(text), "bkmgit ")
	unit := strings.TrimSpace(strings.ToLower(text[len(digits):]))
	unit = strings.TrimSuffix(strings.TrimSuffix(unit, "b"), "i")
	n, err := strconv.ParseFloat(strings.TrimSpace(digits), 64)
	shift, known := map[string]float64{"m": 1 << 20, "g": 1 << 30, "t": 1 << 40}[unit]
	switch {
	case err != nil || !known:
		return fmt.Errorf("%q is no size: write it as 400MB or 2GB", text)
	case !(n*shift >= leastMemory && n*shift < 1<<50):
		return fmt.Errorf("%q: at least %d MB are needed", text, leastMemory>>20)
	}
	*m = Memory(n * shift)
	return nil
}

const (
	// leastMemory is what an import can do with.
	leastMemory = 128 << 20
	// beside is what a program takes beside its heap: its own pages, those of mapped
	// tables that it writes, and the caches of the database.
	beside = 96 << 20
)

// Grant is how much memory a program may take, and by whose word: 0 where nobody says.
type Grant struct {
	Bytes int64
	By    string // "--memory", "GOMEMLIMIT" or "cgroup"
}

// Heap returns how large the heap may be: a part of the grant.
func (g Grant) Heap() int64 { return max(g.Bytes-beside, g.Bytes/2) }

// Granted returns how much memory the program may take: what the flag says, else the
// least of what the environment and the control group of the process allow. Of a
// control group a tenth is left to others in it.
func (a *App) Granted(flag Memory) Grant {
	if flag > 0 {
		return Grant{int64(flag), "--memory"}
	}
	var g Grant
	if text, ok := a.LookupOS("GOMEMLIMIT"); ok {
		if n := goLimit(text); n > 0 {
			g = Grant{n, "GOMEMLIMIT"}
		}
	}
	if n := groupLimit(os.DirFS("/")); n > 0 && (g.Bytes == 0 || n-n/10 < g.Bytes) {
		g = Grant{n - n/10, "cgroup"}
	}
	return g
}

// LimitHeap has garbage be collected often from a size of the heap on, or earlier where
// less is granted.
func (a *App) LimitHeap(n int64, g Grant) {
	if g.Bytes > 0 && g.Heap() < n {
		n = g.Heap()
	}
	debug.SetMemoryLimit(n)
}

// goLimit reads a limit as the runtime of Golang does; 0 for none.
func goLimit(text string) int64 {
	for unit, shift := range map[string]int{"KiB": 10, "MiB": 20, "GiB": 30, "TiB": 40} {
		if digits, ok := strings.CutSuffix(text, unit); ok {
			if n, err := strconv.ParseInt(digits, 10, 64); err == nil && n > 0 && n < math.MaxInt64>>shift {
				return n << shift
			}
			return 0
		}
	}
	n, err := strconv.ParseInt(strings.TrimSuffix(text, "B"), 10, 64)
	if err != nil || n <= 0 || n == math.MaxInt64 {
		return 0
	}
	return n
}

// groupLimit returns the least limit of the control groups that the process is in, of
// either version; 0 for none.
func groupLimit(root fs.FS) (least int64) {
	groups, err := fs.ReadFile(root, "proc/self/cgroup")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(groups)) {
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(parts) != 3 {
			continue
		}
		base, file := "sys/fs/cgroup", "memory.max"
		switch {
		case strings.Contains(","+parts[1]+",", ",memory,"):
			base, file = "sys/fs/cgroup/memory", "memory.limit_in_bytes"
		case parts[1] != "":
			continue
		}
		for dir := path.Join("/", parts[2]); ; dir = path.Dir(dir) { // a group has no more than those above it
			text, err := fs.ReadFile(root, path.Join(base, dir, file))
			if n, bad := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64); err == nil && bad == nil && n > 0 && n < 1<<50 && (least == 0 || n < least) {
				least = n
			}
			if dir == "/" {
				break
			}
		}
	}
	return least
}
