package cli

import (
	"cmp"
	"fmt"
	"runtime/debug"

	"qipu"
)

// Version returns the version of the program and the commit that it was built from.
func Version() string {
	return fmt.Sprintf("qipu %s (commit %s)", qipu.Version, cmp.Or(Revision(), "unknown"))
}

// Revision returns the commit that the program was built from, where the
// build knows it.
func Revision() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			return s.Value
		}
	}
	return ""
}
