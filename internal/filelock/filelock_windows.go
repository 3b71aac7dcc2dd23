package filelock

import (
	"os"

	"golang.org/x/sys/windows"
)

// Lock locks a file until it is closed, or returns ErrHeld. Locks of
// Windows forbid reading as well, so that a byte far behind the end is locked
// and the content can be read.
func Lock(f *os.File) error {
	at := windows.Overlapped{OffsetHigh: 1 << 30}
	err := windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &at)
	if err == windows.ERROR_LOCK_VIOLATION || err == windows.ERROR_IO_PENDING {
		return ErrHeld
	}
	return err
}
