package index

import "qipu/interval"

// Finder works out what can be found of lines. It holds buffers and is not safe
// for concurrent use.
type Finder struct {
	positions Positions
	windows   Scanner
	corners   Corners
}

// Find fills in what can be found of a line, in the memory of the result.
func (f *Finder) Find(into *Found, k *Kind, l *interval.Line) {
	into.Positions = f.positions.Append(into.Positions[:0], k, l)
	into.Windows = into.Windows[:0]
	if k.HasWindows() {
		into.Windows = f.windows.Append(into.Windows, k, l)
	}
	into.Corners = into.Corners[:0]
	if k.HasCorners() {
		into.Corners = f.corners.Append(into.Corners, k, l)
	}
}
