package eval

import "golang.org/x/sys/cpu"

// lanes tells that the processor has what moveLanes needs.
var lanes = cpu.X86.HasAVX2 && cpu.X86.HasBMI1

// moveLanes is Features.Move.
//
//go:noescape
func moveLanes(f, from *Features, lay *layout, square int, flips uint64)
