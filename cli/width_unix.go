//go:build unix

package cli

import (
	"os"

	"golang.org/x/sys/unix"
)

// TerminalWidth returns the number of cells in a line of a terminal; 0 where that
// is unknown.
func TerminalWidth(f *os.File) int {
	size, err := unix.IoctlGetWinsize(int(f.Fd()), unix.TIOCGWINSZ)
	if err != nil {
		return 0
	}
	return int(size.Col)
}
