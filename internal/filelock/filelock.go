// Package filelock locks files between processes. The operating system frees a lock when
// its process ends, however it ends.
package filelock

import "errors"

// ErrHeld tells that another process has locked a file.
var ErrHeld = errors.New("held")
