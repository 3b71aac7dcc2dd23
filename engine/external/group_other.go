//go:build !unix

package external

import "os/exec"

func apart(*exec.Cmd) {}

// killAll kills a child. Processes that it began lose their input and output,
// and end when they notice.
func killAll(c *exec.Cmd) { _ = c.Process.Kill() }
