package store

import "time"

// Input is a file on disk that was read to its end.
type Input struct {
	Path    string
	Size    int64
	ModTime time.Time
}
