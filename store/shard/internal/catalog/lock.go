package catalog

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"qipu/internal/filelock"
	"qipu/store"
)

const lockName = "writer.lock"

// takeLock makes this process the writer of a library. The operating system
// holds the lock and frees it when the process ends, however it ends; the file
// itself stays, and its content is for people.
func takeLock(dir, holder string) (*os.File, error) {
	path := filepath.Join(dir, lockName)
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, fmt.Errorf("catalog: the lock of the library cannot be made (open it for reading only if it may not be changed): %w", err)
	}
	if err := filelock.Lock(f); err == filelock.ErrHeld {
		f.Close()
		return nil, &store.LockedError{Dir: dir, Holder: readHolder(path)}
	} else if err != nil {
		f.Close()
		return nil, fmt.Errorf("catalog: %s cannot be locked (some network drives do not support it: move the library to another one): %w", path, err)
	}
	if holder == "" {
		holder = filepath.Base(os.Args[0])
	}
	host, _ := os.Hostname()
	text := fmt.Sprintf("%s (process %d on %s, since %s)\n", holder, os.Getpid(), host, time.Now().Format(time.DateTime))
	err = f.Truncate(0)
	if err == nil {
		_, err = f.WriteAt([]byte(text), 0)
	}
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("catalog: the lock of the library cannot be written: %w", err)
	}
	return f, nil
}

// readHolder returns what the holder wrote. It may be about to: then this waits
// a moment.
func readHolder(path string) string {
	for range 10 {
		if text, err := os.ReadFile(path); err != nil {
			return ""
		} else if s := strings.TrimSpace(string(text)); s != "" {
			return s
		}
		time.Sleep(10 * time.Millisecond)
	}
	return ""
}
