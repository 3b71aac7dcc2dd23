//go:build unix

package external

import (
	"os/exec"
	"syscall"
)

// apart puts a child into a process group of its own, so that an interrupt typed
// at the terminal is not sent to it, and so that it dies with all its children.
func apart(c *exec.Cmd) { c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// killAll kills a child with the processes that it began.
func killAll(c *exec.Cmd) {
	_ = syscall.Kill(-c.Process.Pid, syscall.SIGKILL)
	_ = c.Process.Kill()
}
