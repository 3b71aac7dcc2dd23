package theory

import (
	"testing"

	"qipu/game"
)

// For tests that write files, which import this package.
var (
	Learnt   = learnt
	Position = position
	Check    = check
	Seq      = seq
)

// Opened returns an empty theory in memory.
func Opened(t testing.TB, r game.Rules) *Theory { return open(t, r, Options{}) }
