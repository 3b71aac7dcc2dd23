//go:build unix

package testkit

import (
	"syscall"
	"time"
)

// CPU returns what the process has used of all cores so far. On a machine that is
// shared it says more than the clock.
func CPU() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
