package cli

import (
	"os"

	"golang.org/x/sys/windows"
)

// TerminalWidth returns the number of cells in a line of a terminal; 0 where that
// is unknown.
func TerminalWidth(f *os.File) int {
	var info windows.ConsoleScreenBufferInfo
	if err := windows.GetConsoleScreenBufferInfo(windows.Handle(f.Fd()), &info); err != nil {
		return 0
	}
	return int(info.Window.Right-info.Window.Left) + 1
}
