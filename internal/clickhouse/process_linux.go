package clickhouse

import (
	"os"
	"os/exec"
	"runtime"
	"syscall"
)

// starts are the commands to start. One goroutine does it, which keeps its
// thread for good: the system ends a child when the thread that made it ends.
var starts = func() chan func() {
	c := make(chan func())
	go func() {
		runtime.LockOSThread()
		for f := range c {
			f()
		}
	}()
	return c
}()

// launch starts a command whose process ends when this one does, however that
// ends.
func launch(cmd *exec.Cmd) error {
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Setpgid: true}
	done := make(chan error)
	starts <- func() { done <- cmd.Start() }
	return <-done
}

// CanStop tells whether StopProcess can make a process hang, and ContinueProcess end
// that.
const CanStop = true

func StopProcess(p *os.Process) error     { return p.Signal(syscall.SIGSTOP) }
func ContinueProcess(p *os.Process) error { return p.Signal(syscall.SIGCONT) }
func alive(pid int) bool                  { return syscall.Kill(pid, 0) == nil }
