//go:build unix

package catalog

import (
	"os"

	"golang.org/x/sys/unix"
)

// lockFile locks a file until it is closed, or returns errHeld.
func lockFile(f *os.File) error {
	for {
		switch err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err {
		case unix.EINTR:
		case unix.EWOULDBLOCK:
			return errHeld
		default:
			return err
		}
	}
}
