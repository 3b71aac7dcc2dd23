package shard

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"qipu/store"
	"qipu/store/people"
	"qipu/store/shard/internal/catalog"
	"qipu/store/sheets"
)

// Backup writes a copy of the store into a new folder, while others read and
// write, and verifies the copy. The copy is a store itself.
func (s *Shard) Backup(ctx context.Context, dir string) (err error) {
	if err := os.Mkdir(dir, 0o777); err != nil {
		return fmt.Errorf("shard: a backup goes into a new folder: %w", err)
	}
	defer func() {
		if err != nil {
			os.RemoveAll(dir)
		}
	}()
	if err := s.cat.Backup(ctx, filepath.Join(dir, catalog.FileName)); err != nil {
		return err
	}
	if err := copyTables(ctx, s.dir, dir, s.options); err != nil {
		return err
	}
	if err := copyKept(ctx, s.dir, dir); err != nil {
		return err
	}
	if err := errors.Join(people.Copy(ctx, s.dir, dir), sheets.Copy(ctx, s.dir, dir)); err != nil {
		return err
	}
	return writeSums(ctx, dir)
}

// UpdateBackup brings an earlier backup of the store up to date, and verifies it.
// What is the same is not written again: records, rows, and tables.
func (s *Shard) UpdateBackup(ctx context.Context, dir string) error {
	if err := intact(ctx, dir); err != nil {
		return err
	}
	to, err := catalog.Open(ctx, dir, catalog.Options{Holder: "qipu backup"})
	if err != nil {
		return err
	}
	if err := os.Remove(filepath.Join(dir, sumsName)); err != nil && !errors.Is(err, os.ErrNotExist) {
		return errors.Join(fmt.Errorf("shard: %w", err), to.Close())
	}
	if err := errors.Join(to.Follow(ctx, filepath.Join(s.dir, catalog.FileName)), to.Close()); err != nil {
		return err
	}
	if err := copyTables(ctx, s.dir, dir, s.options); err != nil {
		return err
	}
	if err := os.RemoveAll(filepath.Join(dir, store.KeptDir)); err != nil {
		return fmt.Errorf("shard: %w", err)
	}
	if err := copyKept(ctx, s.dir, dir); err != nil {
		return err
	}
	if err := errors.Join(people.Copy(ctx, s.dir, dir), sheets.Copy(ctx, s.dir, dir)); err != nil {
		return err
	}
	return writeSums(ctx, dir)
}

// copyKept copies the files that people keep: those right in the folder, without
// such as are hidden, which somebody may be writing.
func copyKept(ctx context.Context, from, to string) error {
	list, err := os.ReadDir(filepath.Join(from, store.KeptDir))
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = os.Mkdir(filepath.Join(to, store.KeptDir), 0o777)
	}
	for _, e := range list {
		if err != nil {
			break
		}
		if e.Type().IsRegular() && e.Name()[0] != '.' {
			err = copyFile(ctx, filepath.Join(from, store.KeptDir, e.Name()), filepath.Join(to, store.KeptDir, e.Name()))
		}
	}
	if err != nil {
		return fmt.Errorf("shard: %w", err)
	}
	return nil
}

// Restore makes a store in a new folder from a backup, and verifies both.
func Restore(ctx context.Context, from, to string, o Options) (err error) {
	if err := intact(ctx, from); err != nil {
		return err
	}
	source, err := Open(ctx, from, Options{ReadOnly: true, Games: o.Games})
	if err != nil {
		return err
	}
	defer source.Close()
	if _, err := os.Stat(filepath.Join(to, catalog.FileName)); err == nil {
		return fmt.Errorf("shard: there is a library in %s: restore into another folder", to)
	}
	if err := os.MkdirAll(filepath.Dir(filepath.Clean(to)), 0o777); err != nil {
		return fmt.Errorf("shard: %w", err)
	}
	return source.Backup(ctx, to)
}

// copyTables copies the tables that the manifest of the copy names, makes those
// anew that are gone or damaged, and verifies the whole.
func copyTables(ctx context.Context, from, to string, o Options) error {
	if err := os.MkdirAll(filepath.Join(to, segmentDir), 0o777); err != nil {
		return fmt.Errorf("shard: %w", err)
	}
	cat, err := catalog.Open(ctx, to, catalog.Options{ReadOnly: true})
	if err != nil {
		return err
	}
	snapshot, err := cat.Snapshot(ctx)
	if err := errors.Join(err, cat.Close()); err != nil {
		return err
	}
	for _, seg := range snapshot.Segments {
		// Tables never change: one that is there already is that of an earlier backup,
		// and made anew where it is damaged.
		if info, err := os.Stat(filepath.Join(to, segmentDir, seg.File)); err == nil && info.Size() == seg.Bytes {
			continue
		}
		err := copyFile(ctx, filepath.Join(from, segmentDir, seg.File), filepath.Join(to, segmentDir, seg.File))
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("shard: %w", err)
		}
	}
	copied, err := Open(ctx, to, Options{Holder: "qipu backup", Games: o.Games, NoMerge: true})
	if err != nil {
		return err
	}
	var unsound error
	_, err = copied.Repair(ctx, nil)
	if err == nil {
		err = copied.Check(ctx, false, nil, func(p store.Problem) {
			unsound = fmt.Errorf("shard: the copy is not sound: %s %s: %s", p.What, p.Name, p.Reason)
		})
	}
	return errors.Join(err, unsound, copied.Close())
}

func copyFile(ctx context.Context, from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	for err == nil && ctx.Err() == nil {
		_, err = io.CopyN(out, in, 64<<20)
	}
	if err == io.EOF {
		err = out.Sync()
	}
	return errors.Join(err, ctx.Err(), out.Close())
}
