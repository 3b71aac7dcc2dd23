package bench_test

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// dropCache has the system forget what it holds in memory of the files below a
// folder. Nobody may have them mapped: mapped pages stay.
func dropCache(dir string) error {
	return filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		return unix.Fadvise(int(f.Fd()), 0, 0, unix.FADV_DONTNEED)
	})
}

// procNumber returns a number of a file of "name: number" lines below
// /proc/self, -1 where there is none.
func procNumber(file, name string) int64 {
	f, err := os.Open("/proc/self/" + file)
	if err != nil {
		return -1
	}
	defer f.Close()
	for in := bufio.NewScanner(f); in.Scan(); {
		var n int64
		if rest, ok := strings.CutPrefix(in.Text(), name+":"); ok {
			if _, err := fmt.Sscan(rest, &n); err == nil {
				return n
			}
		}
	}
	return -1
}

// residentBytes returns how much memory the process has at present, and how
// much it had at its fullest: mapped files count as far as they were touched.
// The figure of getrusage would not do: a process begins with its parent's.
func residentBytes() (now, peak int64) {
	return procNumber("status", "VmRSS") << 10, procNumber("status", "VmHWM") << 10
}

// ownBytes returns how much memory the process has that is not of files.
func ownBytes() int64 { return procNumber("status", "RssAnon") << 10 }

// readBytes returns how much the process has had fetched from disk.
func readBytes() int64 { return procNumber("io", "read_bytes") }
