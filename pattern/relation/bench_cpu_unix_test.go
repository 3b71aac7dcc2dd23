//go:build unix

package relation

import (
	"syscall"
	"time"
)

// cpuTime returns what the process has used of all cores so far. On a machine
// that is shared it says more than the clock.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
