//go:build !amd64

package eval

const lanes = false

func moveLanes(f, from *Features, lay *layout, square int, flips uint64) { panic("eval: no lanes") }
