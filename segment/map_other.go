//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd || windows)

package segment

import (
	"io"
	"os"
)

// mapFile reads a file of size bytes, where there are no memory maps.
func mapFile(f *os.File, size int) ([]byte, error) {
	data := make([]byte, size)
	_, err := io.ReadFull(f, data)
	return data, err
}

func unmapFile([]byte) error { return nil }

// SyncDir does nothing: these systems give no promise about names.
func SyncDir(string) error { return nil }
