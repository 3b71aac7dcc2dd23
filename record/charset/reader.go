package charset

import (
	"fmt"
	"io"
	"sort"
)

// Pick returns the encoding of a text from the beginning of it: the whole head
// that a reader has, better more than 4 KiB. Names are as in Decode; bom is the
// length of the byte order mark. It is for formats that scan the raw bytes.
func Pick(head []byte, declared, override string) (c *Codec, guessed bool, bom int, err error) {
	if override != "" {
		if c = Lookup(override); c == nil {
			return nil, false, 0, fmt.Errorf("charset: unknown encoding %q", override)
		}
		if marked, n := byteOrderMark(head); n > 0 && marked.sameFamily(c) {
			return marked, false, n, nil
		}
		return c, false, 0, nil
	}
	t := chooser{data: head, limit: secondLook}
	c, guessed = t.choose(Lookup(declared))
	return c, guessed, t.bom, nil
}

const (
	sampleSize = 64 << 10 // what the encoding of a stream is guessed from
	chunkSize  = 32 << 10 // what is decoded at a time
)

// Reader decodes a stream to UTF-8. What it yields is always valid UTF-8. It
// guesses from the first 64 KiB; a stream that is ASCII so far is looked at
// again where it ceases to be.
type Reader struct {
	src     io.Reader
	err     error // of src, to be returned when all is read
	decoder decoder

	declared *Codec // to be asked again as long as the text is ASCII
	open     bool   // all was ASCII so far
	guessed  bool

	raw  []byte // read and not decoded
	out  []byte // decoded and not yielded; may share memory with raw
	bufs [2]chunk
	turn int   // which of bufs was decoded last
	in   int64 // raw offset of the end of what is decoded
	done int64 // offset in the decoded text of the end of what is decoded

	starts []start // of all chunks
}

// chunk keeps what a piece of the stream was decoded from, so that offsets
// within it are exact.
type chunk struct {
	raw     []byte // a copy
	text    []byte // where decoded text is written to
	decoder decoder
	start
	end int64 // offset in the decoded text of its end
}

// start is where a chunk starts in the stream and in the decoded text.
type start struct{ raw, text int64 }

// NewReader returns a Reader of r. Declared and override are as in Decode. The
// error is that of an unknown override or of reading the first bytes.
func NewReader(r io.Reader, declared, override string) (*Reader, error) {
	d := &Reader{src: r, raw: make([]byte, 0, sampleSize), declared: Lookup(declared)}
	d.fill()
	if d.err != nil && d.err != io.EOF {
		return nil, d.err
	}
	c, guessed, bom, err := Pick(d.raw, declared, override)
	if err != nil {
		return nil, err
	}
	d.decoder.codec, d.guessed = c, guessed
	d.open = override == "" && bom == 0 && c == utf8Codec && asciiLen(d.raw) == len(d.raw)
	d.raw, d.in = d.raw[bom:], int64(bom)
	return d, nil
}

// Encoding returns the canonical name of the encoding. While the stream is
// ASCII it is "utf-8", and may change once.
func (d *Reader) Encoding() string { return d.decoder.codec.name }

// Guessed reports whether the encoding was not declared, or the declaration
// not believed.
func (d *Reader) Guessed() bool { return d.guessed }

// Read implements io.Reader.
func (d *Reader) Read(p []byte) (int, error) {
	for len(d.out) == 0 {
		if len(d.raw) == 0 && d.err != nil {
			return 0, d.err
		}
		d.decode()
	}
	n := copy(p, d.out)
	d.out = d.out[n:]
	return n, nil
}

// fill reads until raw is full or the stream at its end.
func (d *Reader) fill() {
	if cap(d.raw)-len(d.raw) < chunkSize/2 {
		d.raw = append(make([]byte, 0, sampleSize), d.raw...)
	}
	for tries := 0; d.err == nil && len(d.raw) < cap(d.raw); tries++ {
		n, err := d.src.Read(d.raw[len(d.raw):cap(d.raw)])
		d.raw = d.raw[:len(d.raw)+n]
		if d.err = err; n > 0 {
			tries = 0
		} else if tries == 100 {
			d.err = io.ErrNoProgress
		}
	}
}

// decode decodes the next chunk.
func (d *Reader) decode() {
	if len(d.raw) < chunkSize {
		d.fill()
	}
	n := min(len(d.raw), chunkSize)
	end := n == len(d.raw) && d.err != nil
	part := d.raw[:n]
	if d.open && asciiLen(part) < n {
		t := chooser{data: d.raw, limit: secondLook}
		d.decoder.codec, d.guessed = t.choose(d.declared)
		d.open = false
	}
	d.turn ^= 1
	c := &d.bufs[d.turn]
	c.decoder, c.start = d.decoder, start{d.in, d.done}
	text, taken := d.decoder.append(c.text[:0], part, end)
	c.raw = append(c.raw[:0], part[:taken]...)
	c.text, d.out = text, text
	d.raw = d.raw[taken:]
	d.in += int64(taken)
	d.done += int64(len(text))
	c.end = d.done
	d.starts = append(d.starts, c.start)
}

// Offset returns the offset in the stream of what stands at an offset of the
// decoded text. It is exact for UTF-8 without broken characters, and in the
// last 32 KiB at least of what was decoded; further back it is right within a
// per cent or so of 32 KiB.
func (d *Reader) Offset(at int64) int64 {
	if at >= d.done {
		return d.in
	}
	for i := range d.bufs {
		if c := &d.bufs[i]; c.start.text <= at && at < c.end {
			dec := c.decoder
			return c.start.raw + int64(dec.seek(c.raw, int(at-c.start.text)))
		}
	}
	i := sort.Search(len(d.starts), func(i int) bool { return d.starts[i].text > at })
	if i == 0 {
		return d.starts[0].raw
	}
	a, b := d.starts[i-1], start{d.in, d.done}
	if i < len(d.starts) {
		b = d.starts[i]
	}
	if b.text == a.text {
		return a.raw
	}
	return a.raw + (at-a.text)*(b.raw-a.raw)/(b.text-a.text)
}
