package jobs

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"

	"qipu/segment"
)

// Replace writes a value into a file, which is the old one or the new one whatever
// happens.
func Replace(path string, v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return segment.Replace(path, 0o600, append(data, '\n'))
}

// Load reads what Replace wrote.
func Load(path string, v any) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(data, v); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

func syncFile(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// syncTree flushes all files and folders below a folder to the disk, several at
// a time: file systems commit what is asked for together at once, and ten
// thousand small files cost seconds instead of minutes.
func syncTree(dir string) error {
	type thing struct {
		path string
		dir  bool
	}
	things := make(chan thing, 64)
	var wait sync.WaitGroup
	var mu sync.Mutex
	var failed error
	for range 16 {
		wait.Go(func() {
			for t := range things {
				var err error
				if t.dir {
					err = segment.SyncDir(t.path)
				} else {
					err = syncFile(t.path)
				}
				if err != nil {
					mu.Lock()
					failed = errors.Join(failed, err)
					mu.Unlock()
				}
			}
		})
	}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil {
			things <- thing{path, d.IsDir()}
		}
		return err
	})
	close(things)
	wait.Wait()
	return errors.Join(err, failed)
}

// writeLines writes a list as a file of lines, flushed to the disk.
func writeLines[T any](path string, list []T) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(f)
	e := json.NewEncoder(w)
	for i := range list {
		if err = e.Encode(&list[i]); err != nil {
			break
		}
	}
	if err == nil {
		err = w.Flush()
	}
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// readLines reads what writeLines wrote.
func readLines[T any](path string) ([]T, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var list []T
	for d := json.NewDecoder(bufio.NewReader(f)); ; {
		var v T
		if err := d.Decode(&v); err == io.EOF {
			return list, nil
		} else if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		list = append(list, v)
	}
}

// cutLines cuts a file to its first n lines. It reports false where there are
// fewer, and leaves an empty file then.
func cutLines(f *os.File, n int64) (bool, error) {
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return false, err
	}
	buf := make([]byte, 256<<10)
	var size int64
	for n > 0 {
		k, err := f.Read(buf)
		chunk := buf[:k]
		for n > 0 && len(chunk) > 0 {
			i := bytes.IndexByte(chunk, '\n')
			if i < 0 {
				size += int64(len(chunk))
				break
			}
			size += int64(i) + 1
			chunk = chunk[i+1:]
			n--
		}
		if err == io.EOF && n > 0 {
			return false, errors.Join(f.Truncate(0), rewind(f))
		}
		if err != nil && err != io.EOF {
			return false, err
		}
	}
	if err := f.Truncate(size); err != nil {
		return false, err
	}
	_, err := f.Seek(size, io.SeekStart)
	return true, err
}

func rewind(f *os.File) error {
	_, err := f.Seek(0, io.SeekStart)
	return err
}
