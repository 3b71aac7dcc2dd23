package library

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"qipu/segment"
	"qipu/store"
)

// Kept returns a file that is kept in the library for people, beside their shapes; nil
// where there is none. Backups take it along.
func (l *Library) Kept(name string) ([]byte, error) {
	data, err := os.ReadFile(l.keptPath(name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("qipu: %w", err)
	}
	return data, nil
}

// Keep changes such a file while nobody else writes to the library. It is written whole
// or not at all.
func (l *Library) Keep(ctx context.Context, name string, change func(old []byte) ([]byte, error)) error {
	return l.store.Exclusive(ctx, func() error {
		old, err := l.Kept(name)
		if err != nil {
			return err
		}
		data, err := change(old)
		if err != nil {
			return err
		}
		path := l.keptPath(name)
		if err = os.MkdirAll(filepath.Dir(path), 0o777); err == nil {
			err = segment.Replace(path, 0o644, data)
		}
		if err != nil {
			return fmt.Errorf("qipu: %w", err)
		}
		return nil
	})
}

func (l *Library) keptPath(name string) string {
	return filepath.Join(l.store.Dir(), store.KeptDir, name)
}
