//go:build amd64 || arm64

package tree

// fetch has the processor bring a bucket near while it does other things.
//
//go:noescape
func fetch(at *slot)
