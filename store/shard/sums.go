package shard

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"

	"qipu/remedy"
	"qipu/store"
	"qipu/store/shard/internal/catalog"
)

// sumsName is the file with the checksums of all files of a backup, as sha256sum
// writes and reads it. Whoever opens the folder for writing removes it first: from
// then on it is a library like others.
const sumsName = "SHA256SUMS"

// writeSums notes the checksums of the files of a backup.
func writeSums(ctx context.Context, dir string) error {
	var text strings.Builder
	names := []string{catalog.FileName}
	for _, folder := range []string{segmentDir, store.KeptDir} {
		list, err := os.ReadDir(filepath.Join(dir, folder))
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("shard: %w", err)
		}
		for _, e := range list {
			if e.Type().IsRegular() && e.Name()[0] != '.' {
				names = append(names, path.Join(folder, e.Name()))
			}
		}
	}
	for _, name := range names {
		sum, err := sumOf(ctx, filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil {
			return fmt.Errorf("shard: %w", err)
		}
		fmt.Fprintf(&text, "%s  %s\n", sum, name)
	}
	file := filepath.Join(dir, sumsName)
	if err := os.WriteFile(file+".part", []byte(text.String()), 0o666); err != nil {
		return fmt.Errorf("shard: %w", err)
	}
	if err := os.Rename(file+".part", file); err != nil {
		return fmt.Errorf("shard: %w", err)
	}
	return nil
}

// sumOf returns the checksum of a file.
func sumOf(ctx context.Context, file string) (string, error) {
	f, err := os.Open(file)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	for err == nil && ctx.Err() == nil {
		_, err = io.CopyN(h, f, 64<<20)
	}
	if err == io.EOF {
		err = nil
	}
	return hex.EncodeToString(h.Sum(nil)), errors.Join(err, ctx.Err())
}

// checkSums reports the files of a backup that are not what it noted. A folder
// without checksums has nothing to compare.
func checkSums(ctx context.Context, dir string, report func(store.Problem)) error {
	f, err := os.Open(filepath.Join(dir, sumsName))
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("shard: %w", err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		want, name, ok := strings.Cut(lines.Text(), "  ")
		if !ok || !filepath.IsLocal(filepath.FromSlash(name)) {
			report(store.Problem{What: "backup", Name: sumsName, Reason: "its lines are not checksums", Remedy: remedy.Restore.With("")})
			continue
		}
		have, err := sumOf(ctx, filepath.Join(dir, filepath.FromSlash(name)))
		if ctx.Err() != nil {
			return ctx.Err()
		}
		cure := remedy.Restore
		if path.Dir(name) == segmentDir {
			cure = remedy.Repair
		}
		switch {
		case err != nil:
			report(store.Problem{What: "backup", Name: name, Reason: err.Error(), Remedy: cure.With("")})
		case have != want:
			report(store.Problem{What: "backup", Name: name, Reason: "its checksum is not the one that the backup has noted", Remedy: cure.With("")})
		}
	}
	return lines.Err()
}

// intact fails where the truth in a backup is not what it noted. Tables can be made
// anew.
func intact(ctx context.Context, dir string) (err error) {
	failed := checkSums(ctx, dir, func(p store.Problem) {
		if err == nil && p.Remedy.Code != remedy.Repair {
			err = remedy.For(fmt.Errorf("%w: the backup %s: %s: %s", store.ErrDamaged, dir, p.Name, p.Reason), remedy.Restore)
		}
	})
	return errors.Join(err, failed)
}
