//go:build !unix

package relation

import "time"

var processStart = time.Now()

// cpuTime stands in for the processor time, where it cannot be asked for, with
// that of the clock.
func cpuTime() time.Duration { return time.Since(processStart) }
