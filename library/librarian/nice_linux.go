package librarian

import "syscall"

// yieldToOthers gives the thread that calls it a low priority.
func yieldToOthers() {
	_ = syscall.Setpriority(syscall.PRIO_PROCESS, 0, 10) // 0 is the thread itself; where it may not, it works as others do
}
