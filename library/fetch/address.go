package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"

	"qipu/segment"
)

// address reads one file. What came before a run was killed stays, where the server can go on
// behind it and the file is the same.
func (f *Fetch) address(ctx context.Context) error {
	part := filepath.Join(f.dir, "part")
	header := map[string]string{"Accept": "*/*", "Accept-Encoding": "identity"}
	had := int64(0)
	if info, err := os.Stat(part); err == nil && f.state.ETag != "" {
		had = info.Size()
		header["Range"], header["If-Range"] = fmt.Sprintf("bytes=%d-", had), f.state.ETag
	}
	reply, err := f.do(ctx, f.source.URL, header)
	if err != nil {
		return err
	}
	defer reply.Body.Close()
	flags := os.O_CREATE | os.O_WRONLY | os.O_TRUNC
	if reply.StatusCode == http.StatusPartialContent && had > 0 {
		flags = os.O_CREATE | os.O_WRONLY | os.O_APPEND
	} else {
		had = 0
	}
	file, err := os.OpenFile(part, flags, 0o600)
	if err != nil {
		return fmt.Errorf("fetch: %w", err)
	}
	defer file.Close()
	if etag := reply.Header.Get("ETag"); len(etag) > 2 && etag[0] == '"' { // a strong one alone tells that bytes are the same
		f.state.ETag = etag
	} else {
		f.state.ETag = ""
	}
	if err := f.save(); err != nil {
		return err
	}
	n, err := io.Copy(file, io.LimitReader(reply.Body, maxTotal-had+1))
	switch {
	case err != nil:
		return fmt.Errorf("fetch: %w: run it again to go on", err)
	case had+n > maxTotal:
		return fmt.Errorf("fetch: the file has more than %d MiB", maxTotal>>20)
	}
	if err := errors.Join(file.Sync(), file.Close()); err != nil {
		return fmt.Errorf("fetch: %w", err)
	}
	name := "file-" + fileNameOf(reply.Request.URL.Path)
	if err := os.Rename(part, filepath.Join(f.dir, name)); err != nil {
		return fmt.Errorf("fetch: %w", err)
	}
	if err := segment.SyncDir(f.dir); err != nil {
		return fmt.Errorf("fetch: %w", err)
	}
	f.state.Pieces, f.state.Bytes = []string{name}, had+n
	f.told(Progress{Pieces: 1, Bytes: had + n, Total: 1})
	return nil
}
