package testkit

import (
	"syscall"
	"testing"
)

// ReadOnlyDisk has a folder take no changes until the test ends, as a disk that is
// mounted for reading does: permissions would not keep root out. The test is skipped
// where the system does not let it.
func ReadOnlyDisk(t testing.TB, dir string) {
	t.Helper()
	err := syscall.Mount(dir, dir, "", syscall.MS_BIND, "")
	if err == nil {
		t.Cleanup(func() { syscall.Unmount(dir, syscall.MNT_DETACH) })
		err = syscall.Mount(dir, dir, "", syscall.MS_BIND|syscall.MS_REMOUNT|syscall.MS_RDONLY, "")
	}
	if err != nil {
		t.Skipf("a folder cannot be mounted for reading only: %v", err)
	}
}
