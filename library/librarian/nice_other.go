//go:build !linux

package librarian

// yieldToOthers gives the thread that calls it a low priority, where a system knows
// priorities of threads.
func yieldToOthers() {}
