// Package parallel runs loops of the workshop on several cores.
package parallel

import (
	"sync"
	"sync/atomic"
)

// Each calls do for the numbers below n on several goroutines, which are numbered
// too, and waits for them. Whoever is free takes the next number, so that what is
// found must not depend on who does.
func Each(n, workers int, do func(worker, i int)) {
	var wait sync.WaitGroup
	var next atomic.Int64
	for w := range max(1, workers) {
		wait.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				do(w, i)
			}
		})
	}
	wait.Wait()
}
