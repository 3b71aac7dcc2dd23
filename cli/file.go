package cli

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
)

// Atomically writes a file that appears whole or not at all.
func Atomically(path string, write func(io.Writer) error) error {
	d, err := NewDraft(path)
	if err != nil {
		return err
	}
	defer d.Discard()
	if err := write(d); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return d.Publish()
}

// Draft is a file that is being written beside the one it will become.
// Devices and pipes cannot be replaced: they are written straight away.
type Draft struct {
	*os.File
	path   string // what it will become
	direct bool
	done   bool
}

// NewDraft begins a file.
func NewDraft(path string) (*Draft, error) {
	mode := fs.FileMode(0o666)
	if info, err := os.Stat(path); err == nil {
		mode = info.Mode().Perm()
		if !info.Mode().IsRegular() {
			f, err := os.OpenFile(path, os.O_WRONLY, 0)
			return &Draft{File: f, path: path, direct: true}, err
		}
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real // a link goes on pointing to the file
	}
	for i := os.Getpid(); ; i++ {
		temp := filepath.Join(filepath.Dir(path), ".qipu-"+strconv.Itoa(i))
		f, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
		if os.IsExist(err) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		return &Draft{File: f, path: path}, nil
	}
}

// Publish puts the file into its place.
func (d *Draft) Publish() error {
	d.done = true
	err := d.Close()
	if err == nil && !d.direct {
		err = os.Rename(d.Name(), d.path)
	}
	if err != nil {
		if !d.direct {
			os.Remove(d.Name())
		}
		return fmt.Errorf("%s: %w", d.path, err)
	}
	return nil
}

// Discard removes a file that was not published.
func (d *Draft) Discard() {
	if d.done {
		return
	}
	d.Close()
	if !d.direct {
		os.Remove(d.Name())
	}
}

// KeepOrWrite writes a file unless it is there already.
func KeepOrWrite(path string, data []byte) error {
	if old, err := os.ReadFile(path); err == nil {
		if bytes.Equal(old, data) {
			return nil
		}
		return fmt.Errorf("%s is there already, with other content: choose another folder", path)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	return Atomically(path, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}
