package external

import (
	"os/exec"

	"golang.org/x/sys/unix"
)

// confine bounds the memory that a child may ask for; 0 for no bound. What it began
// before is not bounded: it has just been started.
func confine(c *exec.Cmd, bytes int64) {
	if bytes > 0 {
		limit := unix.Rlimit{Cur: uint64(bytes), Max: uint64(bytes)}
		_ = unix.Prlimit(c.Process.Pid, unix.RLIMIT_AS, &limit, nil) // one that has ended already needs none
	}
}
