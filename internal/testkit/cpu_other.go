//go:build !unix

package testkit

import "time"

var began = time.Now()

// CPU stands in for the processor time, where it cannot be asked for, with that of
// the clock.
func CPU() time.Duration { return time.Since(began) }
