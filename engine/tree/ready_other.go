//go:build !amd64 && !arm64

package tree

func fetch(*slot) {}
