package ingest

import (
	"archive/tar"
	"archive/zip"
	"bufio"
	"bytes"
	"cmp"
	"compress/bzip2"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"qipu/record"
)

// ArchiveLimits bound what archives may cost.
type ArchiveLimits struct {
	Depth  int   // archives inside archives; default 4
	Ratio  int64 // unpacked bytes per packed one, beyond the first Slack; default 200
	Slack  int64 // unpacked bytes that are never too many; default 256 MiB
	Buffer int64 // memory for files that wait to be read; default 32 MiB
	Spool  int64 // bytes on disk for what needs random access; default 8 GiB
}

func (l ArchiveLimits) withDefaults() ArchiveLimits {
	return ArchiveLimits{
		Depth: cmp.Or(l.Depth, 4), Ratio: cmp.Or(l.Ratio, 200),
		Slack: cmp.Or(l.Slack, 256<<20), Buffer: cmp.Or(l.Buffer, 32<<20), Spool: cmp.Or(l.Spool, 8<<30),
	}
}

// smallFile is the size up to which a file in an archive is read into memory
// and handed to a worker, while the archive goes on being unpacked.
const smallFile = 4 << 20

// archive is a stream that may be packed, at some depth of packing.
type archive struct {
	name   string
	reader io.Reader
	at     io.ReaderAt // the same bytes, where random access is to be had
	size   int64       // of at
	depth  int
	hint   int64 // what the archive around it says of its size, true or not

	raw, out *atomic.Int64 // packed bytes of the outermost file, and what came out of it
	sibling  func(string) (*record.Source, error)
	held     *[]*item // files held back until the archive around them ends
	kept     *int64   // bytes of those, in the outermost file
}

// The beginnings of packed files.
var (
	gzipMagic = []byte{0x1f, 0x8b}
	zstdMagic = []byte{0x28, 0xb5, 0x2f, 0xfd}
	bzipMagic = []byte("BZh")
	zipMagic  = []byte("PK\x03\x04")
	tarMagic  = []byte("ustar")
)

const tarMagicAt = 257

// packed reports whether a file begins like an archive or a compressed file.
func packed(head []byte) bool {
	return bytes.HasPrefix(head, gzipMagic) || isBzip(head) || bytes.HasPrefix(head, zstdMagic) || bytes.HasPrefix(head, zipMagic) || isTar(head)
}

// isBzip wants the size of the blocks, and the mark of the first block or that of the end.
func isBzip(head []byte) bool {
	return len(head) >= 10 && bytes.HasPrefix(head, bzipMagic) && head[3] >= '1' && head[3] <= '9' &&
		(string(head[4:10]) == "1AY&SY" || string(head[4:10]) == "\x17rE8P\x90")
}

func isTar(head []byte) bool {
	return len(head) >= tarMagicAt+len(tarMagic) && bytes.HasPrefix(head[tarMagicAt:], tarMagic)
}

// packedName reports whether a name is that of an archive or compressed file.
func packedName(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".gz", ".tgz", ".zst", ".tzst", ".bz2", ".tbz2", ".zip", ".tar":
		return true
	}
	return false
}

// unpack finds the files in a stream, packed or not.
func (f *finder) unpack(w *worker, a archive) {
	r := buffers.Get().(*bufio.Reader)
	r.Reset(a.reader)
	defer func() {
		r.Reset(nil)
		buffers.Put(r)
	}()
	head, err := r.Peek(record.SniffLen)
	if err != nil && err != io.EOF {
		w.reject(a.name, record.KindIO, err)
		return
	}
	if packed(head) && a.depth >= f.Archives.Depth {
		w.reject(a.name, record.KindLimit, fmt.Errorf("more than %d archives inside each other", f.Archives.Depth))
		return
	}
	switch {
	case bytes.HasPrefix(head, gzipMagic):
		z, err := gzip.NewReader(r)
		if err != nil {
			w.reject(a.name, record.KindSyntax, err)
			return
		}
		defer z.Close()
		f.inner(w, a, z)
	case bytes.HasPrefix(head, zstdMagic):
		z, err := zstd.NewReader(r, zstd.WithDecoderMaxMemory(64<<20), zstd.WithDecoderConcurrency(1))
		if err != nil {
			w.reject(a.name, record.KindSyntax, err)
			return
		}
		defer z.Close()
		f.inner(w, a, z)
	case isBzip(head):
		f.inner(w, a, bzip2.NewReader(r))
	case bytes.HasPrefix(head, zipMagic):
		f.zip(w, a, r)
	case isTar(head):
		f.tar(w, a, r)
	default:
		f.leaf(w, a, r)
	}
}

// inner goes on with the content of a compressed file, whose name loses its
// last extension.
func (f *finder) inner(w *worker, a archive, r io.Reader) {
	b := a
	b.depth++
	b.at, b.hint = nil, 0
	b.reader = f.guard(a, r)
	base := strings.ToLower(path.Ext(a.name))
	if base == ".gz" || base == ".zst" || base == ".bz2" {
		b.name = a.name[:len(a.name)-len(base)]
		if ext := path.Ext(b.name); ext == ".tar" || ext == "" {
			b.name = a.name
		}
	}
	f.unpack(w, b)
}

// errBomb tells that an archive unpacks to more than is plausible.
var errBomb = errors.New("it unpacks to far more than it holds, as archives made to do harm do")

// guard watches how much comes out of an archive for what goes in.
func (f *finder) guard(a archive, r io.Reader) io.Reader {
	return &guard{r: r, raw: a.raw, out: a.out, limits: f.Archives}
}

type guard struct {
	r        io.Reader
	raw, out *atomic.Int64
	limits   ArchiveLimits
}

func (g *guard) Read(p []byte) (int, error) {
	n, err := g.r.Read(p)
	if out := g.out.Add(int64(n)); out > g.limits.Slack && out > g.raw.Load()*g.limits.Ratio {
		return n, errBomb
	}
	return n, err
}

// tar finds the files of a tar archive.
func (f *finder) tar(w *worker, a archive, r io.Reader) {
	var held []*item
	t := tar.NewReader(r)
	for f.ctx.Err() == nil {
		h, err := t.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			w.reject(a.name, kindOf(err), fmt.Errorf("the archive breaks off: %w", err))
			break
		}
		if h.Typeflag != tar.TypeReg {
			continue
		}
		b := a
		b.name, b.reader, b.at, b.depth, b.held = a.name+"!"+h.Name, t, nil, a.depth+1, &held
		b.hint = h.Size
		f.unpack(w, b)
	}
	f.sendHeld(held)
}

// kindOf tells a damaged archive from one made to do harm.
func kindOf(err error) string {
	if errors.Is(err, errBomb) {
		return record.KindLimit
	}
	return record.KindSyntax
}

// sendHeld hands over the files that waited for their companions.
func (f *finder) sendHeld(held []*item) {
	for _, it := range held {
		it.sibling = heldSibling(it.name, held)
		f.deliver(it)
	}
}

// heldSibling finds a companion among the files of the same folder of an
// archive.
func heldSibling(from string, held []*item) func(string) (*record.Source, error) {
	return func(name string) (*record.Source, error) {
		for _, it := range held {
			if path.Dir(it.name) == path.Dir(from) && strings.EqualFold(path.Base(it.name), name) {
				return memory(it.name, it.data), nil
			}
		}
		return nil, os.ErrNotExist
	}
}

// zip finds the files of a zip archive. It needs random access: a stream goes
// to the spool first.
func (f *finder) zip(w *worker, a archive, r io.Reader) {
	if a.at == nil {
		spool, size, err := f.spool(r)
		if err != nil {
			w.reject(a.name, kindOf(err), err)
			return
		}
		defer closeSpool(spool)
		a.at, a.size = spool, size
	}
	z, err := zip.NewReader(a.at, a.size)
	if err != nil {
		w.reject(a.name, record.KindSyntax, err)
		return
	}
	z.RegisterDecompressor(zip.Deflate, func(r io.Reader) io.ReadCloser { return flate.NewReader(r) })
	var held []*item
	packed := int64(0)
	for _, file := range z.File {
		if f.ctx.Err() != nil {
			break
		}
		if !file.Mode().IsRegular() {
			continue
		}
		b := a
		b.name, b.depth, b.held, b.at = a.name+"!"+file.Name, a.depth+1, &held, nil
		b.hint = int64(min(file.UncompressedSize64, smallFile))
		// Entries may share their bytes: together they are no more than the file.
		packed = min(packed+int64(file.CompressedSize64), a.size)
		a.raw.Store(max(a.raw.Load(), packed))
		content, err := file.Open()
		if err != nil {
			w.reject(b.name, record.KindSyntax, err)
			continue
		}
		b.reader = f.guard(b, content)
		f.unpack(w, b)
		content.Close()
		f.bytes.Add(int64(file.CompressedSize64))
	}
	f.sendHeld(held)
}

// spool copies a stream to a temporary file, which has no name where the
// system allows that.
func (f *finder) spool(r io.Reader) (*os.File, int64, error) {
	file, err := os.CreateTemp("", "qipu-spool-*")
	if err != nil {
		return nil, 0, err
	}
	os.Remove(file.Name()) // fails on Windows; closeSpool tries again
	n, err := io.Copy(file, io.LimitReader(r, f.Archives.Spool+1))
	if err == nil && n > f.Archives.Spool {
		err = fmt.Errorf("larger than the spool of %d bytes", f.Archives.Spool)
	}
	if err != nil {
		closeSpool(file)
		return nil, 0, err
	}
	return file, n, nil
}

func closeSpool(file *os.File) {
	file.Close()
	os.Remove(file.Name())
}

// leaf hands a file inside a stream to a worker. Small ones travel in memory;
// a large one is read here and now, while it streams by.
func (f *finder) leaf(w *worker, a archive, r *bufio.Reader) {
	data, whole, err := slurp(r, a.hint)
	if err != nil {
		// What came before the damage is read all the same.
		defer w.reject(a.name, kindOf(err), fmt.Errorf("the file breaks off: %w", err))
		whole = true
	}
	if whole {
		it := &item{name: a.name, data: data, sibling: a.sibling}
		it.format = record.Detect(f.Formats, data[:min(len(data), record.SniffLen)], a.name)
		if it.format != nil && it.format.Info().Companions && a.held != nil && f.hold(it, a) {
			return
		}
		f.budget.take(int64(len(data)))
		it.free = func() { f.budget.give(int64(len(data))) }
		f.deliver(it)
		return
	}
	rest := bufio.NewReaderSize(io.MultiReader(bytes.NewReader(data), r), 64<<10)
	head := data[:record.SniffLen]
	if format := record.Detect(f.Formats, head, a.name); format != nil && format.Info().RandomAccess {
		f.spooled(w, a, rest, format, head)
		return
	}
	reader := w
	if f.inline != nil {
		reader = f.inline
	}
	reader.alone(func() { reader.stream(a.name, rest, a.sibling) })
}

// hold keeps a file until its archive ends, and reports whether there is room
// for it: all held files of an outermost archive together may take half of the
// buffer. Beyond that they are read without their companions. Held files are no
// part of the budget that others wait for: they might wait for each other. Nor
// does it matter how far the workers are: the order of files is the same in
// every run.
func (f *finder) hold(it *item, a archive) bool {
	n := int64(len(it.data))
	if *a.kept+n > f.Archives.Buffer/2 {
		return false
	}
	*a.kept += n
	*a.held = append(*a.held, it)
	return true
}

// spooled reads a large file that needs random access through the spool.
func (f *finder) spooled(w *worker, a archive, r io.Reader, format record.Format, head []byte) {
	file, size, err := f.spool(r)
	if err != nil {
		w.reject(a.name, kindOf(err), err)
		return
	}
	defer closeSpool(file)
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		w.reject(a.name, record.KindIO, err)
		return
	}
	w.alone(func() {
		w.file(&record.Source{Name: a.name, Reader: file, Size: size, At: file, Sibling: a.sibling}, format, head)
	})
}

// slurp reads a file into memory if it is small.
func slurp(r io.Reader, hint int64) (data []byte, whole bool, err error) {
	var b bytes.Buffer
	b.Grow(int(min(max(hint, 0), smallFile)) + bytes.MinRead)
	n, err := b.ReadFrom(io.LimitReader(r, smallFile))
	return b.Bytes(), n < smallFile, err
}

// buffers are shared by the files of archives: most are smaller than a buffer.
var buffers = sync.Pool{New: func() any { return bufio.NewReaderSize(nil, 64<<10) }}

// deliver hands a file to the workers, or reads it inline.
func (f *finder) deliver(it *item) {
	if f.inline == nil {
		f.send(it)
		return
	}
	f.inline.item(it)
	it.release()
}
