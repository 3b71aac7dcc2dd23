//go:build unix

package filelock

import (
	"os"

	"golang.org/x/sys/unix"
)

// Lock locks a file until it is closed, or returns ErrHeld.
func Lock(f *os.File) error {
	for {
		switch err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err {
		case unix.EINTR:
		case unix.EWOULDBLOCK:
			return ErrHeld
		default:
			return err
		}
	}
}
