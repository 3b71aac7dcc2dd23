package testkit

import (
	"os/exec"
	"syscall"
)

// A test binary ends with the process that runs it, however that ends, and so does
// one that a test runs as another program: nothing is left behind.
func init() {
	syscall.RawSyscall(syscall.SYS_PRCTL, syscall.PR_SET_PDEATHSIG, uintptr(syscall.SIGKILL), 0)
}

// Process is exec.Command for a program that ends when the test binary does,
// however that ends.
func Process(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	return cmd
}
