//go:build !linux

package bench_test

import "errors"

// What follows is known on Linux alone; reports leave it out elsewhere.

func dropCache(string) error { return errors.ErrUnsupported }

func residentBytes() (now, peak int64) { return -1, -1 }

func readBytes() int64 { return -1 }

// ownBytes is not to be had on this system.
func ownBytes() int64 { return -1 }
