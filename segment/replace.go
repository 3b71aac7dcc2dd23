package segment

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Replace writes a small file of a library, or beside it, as a whole: whatever
// happens, a power cut too, there is the old one or the new one. Two must not
// write the same file at once.
func Replace(path string, mode fs.FileMode, data []byte) error {
	temp := filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+".new") // the next one takes what a killed one left
	f, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, mode)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(temp, path)
	}
	if err != nil {
		os.Remove(temp)
		return err
	}
	return SyncDir(filepath.Dir(path))
}
