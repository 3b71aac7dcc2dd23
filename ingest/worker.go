package ingest

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"qipu/record"
)

// worker reads files, one at a time, and plays their records out.
type worker struct {
	*run
	referee *record.Referee
	prepare func(*record.Played) Deliver // nil until it is needed, or where there is none
	batch   []event
	weight  int64  // of the batch
	number  int64  // of the file that is being read
	buf     []byte // for small files; readers copy what they keep

	// finder marks the worker that finds files: it numbers what it reads
	// itself, a file or a fault at a time.
	finder  bool
	reading bool // a file is being read
	unread  bool // something could not be read: the disk, not the format
}

// item is one file to read: in memory, or on disk.
type item struct {
	number int64
	name   string
	data   []byte // the whole file, where it is in memory
	path   string // the file on disk, where it is not

	disk    *onDisk       // nil for what is inside an archive
	format  record.Format // nil where it is not known yet
	sibling func(name string) (*record.Source, error)
	free    func() // gives the memory back; may be nil
}

func (it *item) release() {
	if it.free != nil {
		it.free()
	}
}

// end tells that nothing more comes of a file.
func (w *worker) end() {
	w.send(event{last: true})
	w.flush()
}

// alone does something that is a file of its own in the order of files, where
// the worker finds files; for another worker it is part of the current one.
func (w *worker) alone(do func()) {
	if !w.finder {
		do()
		return
	}
	w.number = w.next.Add(1) - 1
	do()
	w.end()
}

func (w *worker) send(e event) {
	e.number = w.number
	w.batch = append(w.batch, e)
	w.weight += e.weight()
	if len(w.batch) >= batchSize || w.weight >= batchWeight {
		w.flush()
	}
}

func (w *worker) flush() {
	if len(w.batch) > 0 {
		w.queue.await(w.number)
		w.events <- w.batch
		w.batch, w.weight = make([]event, 0, batchSize), 0
	}
}

// reject says that a file cannot be read.
func (w *worker) reject(name, kind string, err error) {
	w.unread = w.unread || kind == record.KindIO
	f := &record.Fault{Severity: record.Rejected, Kind: kind, Place: record.Place{File: name}, Reason: reason(err)}
	if w.reading {
		w.send(event{fault: f})
		return
	}
	w.alone(func() { w.send(event{fault: f}) })
}

// note says something about a file that is not read.
func (w *worker) note(name, kind, text string) {
	f := &record.Fault{Severity: record.Note, Kind: kind, Place: record.Place{File: name}, Reason: text}
	w.alone(func() {
		w.send(event{fault: f})
		w.send(event{file: true, skip: true})
	})
}

// reason returns an error without the path that its place names already.
func reason(err error) string {
	var path *os.PathError
	if errors.As(err, &path) {
		return path.Err.Error()
	}
	return err.Error()
}

// item reads one file.
func (w *worker) item(it *item) {
	if it.path == "" {
		w.inMemory(it, it.data)
		return
	}
	f, err := os.Open(it.path)
	if err != nil {
		w.reject(it.name, record.KindIO, err)
		return
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		w.reject(it.name, record.KindIO, err)
		return
	}
	w.buf = slices.Grow(w.buf[:0], int(min(info.Size(), smallFile)))
	n, err := io.ReadFull(f, w.buf[:min(info.Size(), smallFile)])
	if err != nil && err != io.ErrUnexpectedEOF && err != io.EOF {
		w.reject(it.name, record.KindIO, err)
		return
	}
	data := w.buf[:n]
	switch head := data[:min(n, record.SniffLen)]; {
	case packed(head):
		// An archive under a name that does not say so: unpack it here.
		if _, err := f.Seek(0, io.SeekStart); err != nil {
			w.reject(it.name, record.KindIO, err)
			return
		}
		(&finder{run: w.run, inline: w}).open(w, it.name, f, info.Size())
		return
	case info.Size() < smallFile:
		w.inMemory(it, data)
	default:
		w.file(&record.Source{
			Name: it.name, Reader: io.MultiReader(bytes.NewReader(data), f), Size: info.Size(), At: f, Sibling: it.sibling,
		}, record.Detect(w.Formats, head, it.name), head)
	}
	w.bytes.Add(info.Size())
}

// inMemory reads a file whose bytes are all there.
func (w *worker) inMemory(it *item, data []byte) {
	head := data[:min(len(data), record.SniffLen)]
	if it.format == nil {
		it.format = record.Detect(w.Formats, head, it.name)
	}
	w.file(&record.Source{
		Name: it.name, Reader: bytes.NewReader(data), Size: int64(len(data)), At: bytes.NewReader(data), Sibling: it.sibling,
	}, it.format, head)
}

// stream reads a file that comes from a stream, whatever its size.
func (w *worker) stream(name string, r *bufio.Reader, sibling func(string) (*record.Source, error)) {
	head, err := r.Peek(record.SniffLen)
	if err != nil && err != io.EOF {
		w.reject(name, record.KindIO, err)
		return
	}
	w.file(&record.Source{Name: name, Reader: r, Size: -1, Sibling: sibling}, record.Detect(w.Formats, head, name), head)
}

// file reads a file of a format, nil if it is of none. A panic in a reader is a
// fault of the file, not the end of the import.
func (w *worker) file(src *record.Source, f record.Format, head []byte) {
	w.reading = true
	defer func() {
		if v := recover(); v != nil {
			w.referee = w.newReferee() // the old one may be in the middle of a game
			w.reject(src.Name, "internal error", fmt.Errorf("%v: this is a bug in qipu", v))
		}
		w.send(event{file: true, skip: f == nil})
		w.reading = false
	}()
	src.Encoding, src.Limits = w.Encoding, w.Limits
	if f == nil {
		w.send(event{fault: unknown(src, head)})
		return
	}
	for g, err := range f.Read(src) {
		if w.ctx.Err() != nil {
			return
		}
		if err != nil {
			f := asFault(src, err)
			w.send(event{fault: f, at: w.bytesAt(src, *f)})
			continue
		}
		if w.number < w.behind {
			w.send(event{played: &record.Played{Game: g}, bare: true})
			continue
		}
		played := w.referee.Play(g)
		if w.Variations && played.Start.Board != nil {
			record.CheckVariations(played.Rules, g)
		}
		var hand Deliver
		if w.Prepare != nil {
			if w.prepare == nil {
				w.prepare = w.Prepare()
			}
			hand = w.prepare(played)
		}
		w.send(event{played: played, hand: hand, at: w.bytesAt(src, g.Faults...)})
	}
}

// faultBytes is how many bytes Options.OnFaultBytes is shown.
const faultBytes = 80

// bytesAt returns the bytes at the places of faults, where somebody wants them
// and the file is at hand.
func (w *worker) bytesAt(src *record.Source, faults ...record.Fault) [][]byte {
	if w.OnFaultBytes == nil || src.At == nil || len(faults) == 0 {
		return nil
	}
	list := make([][]byte, len(faults))
	for i := range faults {
		b := make([]byte, faultBytes)
		n, _ := src.At.ReadAt(b, faults[i].Place.Offset)
		list[i] = b[:n]
	}
	return list
}

func asFault(src *record.Source, err error) *record.Fault {
	var f *record.Fault
	if errors.As(err, &f) {
		return f
	}
	return &record.Fault{Severity: record.Rejected, Kind: record.KindIO, Place: record.Place{File: src.Name}, Reason: err.Error()}
}

// unknown says why a file was skipped.
func unknown(src *record.Source, head []byte) *record.Fault {
	f := &record.Fault{Severity: record.Note, Kind: record.KindUnknown, Place: record.Place{File: src.Name}}
	switch {
	case len(head) == 0:
		f.Kind, f.Reason = record.KindEmpty, "the file is empty: skipped"
	default:
		f.Reason = fmt.Sprintf("no record format that the program knows: skipped (it begins with %q)", head[:min(len(head), 16)])
	}
	return f
}
