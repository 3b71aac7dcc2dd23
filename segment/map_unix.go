//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package segment

import (
	"errors"
	"os"
	"syscall"
)

// mapFile maps a file of size bytes for reading. The map outlives the file.
func mapFile(f *os.File, size int) ([]byte, error) {
	return syscall.Mmap(int(f.Fd()), 0, size, syscall.PROT_READ, syscall.MAP_SHARED)
}

func unmapFile(data []byte) error { return syscall.Munmap(data) }

// SyncDir forces the names in a folder to disk. File systems that cannot do
// that for folders say EINVAL, and are taken at their word.
func SyncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	if err := d.Sync(); err != nil && !errors.Is(err, syscall.EINVAL) {
		return err
	}
	return nil
}
