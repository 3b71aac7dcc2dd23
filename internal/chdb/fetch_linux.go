package chdb

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"qipu/internal/testkit"
)

// The release that tests run against, by its names for npm.
const (
	release = "26.7.3-stable.1"
	bundle  = "@chdb/lib-%s-%s-gnu@" + release
)

// fetchTime is how long fetching 180 MB may take.
const fetchTime = 10 * time.Minute

// library returns the path of libchdb.so, or skips the test.
func library(t testing.TB) string {
	t.Helper()
	if path := os.Getenv("QIPU_CHDB"); path != "" {
		if _, err := os.Stat(path); err != nil {
			t.Fatalf("chdb: QIPU_CHDB: %v: name a libchdb.so, or unset it", err)
		}
		return path
	}
	if !testkit.Full() {
		t.Skip("chdb: no ClickHouse of today: set QIPU_CHDB to a libchdb.so, or QIPU_SCALE=full to fetch it by npm")
	}
	cpu, ok := map[string]string{"amd64": "x64", "arm64": "arm64"}[runtime.GOARCH]
	if !ok {
		t.Skipf("chdb: there is no libchdb for %s/%s", runtime.GOOS, runtime.GOARCH)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Skipf("chdb: nowhere to keep libchdb: %v: set QIPU_CHDB to a libchdb.so", err)
	}
	path, err := cached(t.Context(), filepath.Join(cache, "qipu", "chdb-"+release), fmt.Sprintf(bundle, runtime.GOOS, cpu))
	if err != nil {
		t.Skipf("chdb: libchdb cannot be fetched here: %v: set QIPU_CHDB to a libchdb.so", err)
	}
	return path
}

// cached returns the path of libchdb.so in a folder, where it fetches it if it is
// not there. Tests of several packages run at the same time: one fetches, the
// others wait.
func cached(ctx context.Context, folder, bundle string) (string, error) {
	path := filepath.Join(folder, "libchdb.so")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", err
	}
	unlock, err := lock(filepath.Join(folder, "lock"))
	if err != nil {
		return "", err
	}
	defer unlock()
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	work, err := os.MkdirTemp(folder, "fetch-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(work)

	ctx, cancel := context.WithTimeout(ctx, fetchTime)
	defer cancel()
	c := exec.CommandContext(ctx, "npm", "pack", "--loglevel=error", bundle)
	c.Dir = work
	if out, err := c.CombinedOutput(); err != nil {
		why, _, _ := bytes.Cut(append(out, '\n'), []byte{'\n'})
		return "", fmt.Errorf("npm pack %s: %w %s", bundle, err, why)
	}
	packs, err := filepath.Glob(filepath.Join(work, "*.tgz"))
	if err != nil || len(packs) != 1 {
		return "", fmt.Errorf("npm pack %s: left %d archives", bundle, len(packs))
	}
	unpacked := filepath.Join(work, "libchdb.so")
	if err := unpack(packs[0], unpacked); err != nil {
		return "", fmt.Errorf("npm pack %s: %w", bundle, err)
	}
	return path, os.Rename(unpacked, path)
}

// unpack writes the libchdb.so of an archive to a file.
func unpack(archive, path string) error {
	f, err := os.Open(archive)
	if err != nil {
		return err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return err
	}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return errors.New("no libchdb.so in it")
		}
		if err != nil {
			return err
		}
		if filepath.Base(h.Name) != "libchdb.so" {
			continue
		}
		to, err := os.Create(path)
		if err != nil {
			return err
		}
		_, err = io.Copy(to, r)
		return errors.Join(err, to.Close())
	}
}
