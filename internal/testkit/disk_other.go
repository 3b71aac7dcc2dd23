//go:build !linux

package testkit

import "testing"

// ReadOnlyDisk skips the test: only on Linux can it have a folder take no changes.
func ReadOnlyDisk(t testing.TB, _ string) {
	t.Helper()
	t.Skip("a folder cannot be mounted for reading only")
}
