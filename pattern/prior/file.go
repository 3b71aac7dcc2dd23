package prior

import (
	"bytes"
	_ "embed"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"math/bits"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// A file of weights:
//
//	0  magic     "QPGP"
//	4  version   byte
//	5  set       byte: the families
//	6  bits      byte: of a print
//	7  rice      byte: low bits of a difference of prints
//	8  count     uint32: contexts
//	12 checksum  uint32 (CRC-32 C) of all the rest, what stands before it included
//	   source    uint16 length, text
//	   prints    uint32 length in bytes, then the differences of the sorted
//	             prints: the high part in unary (so many ones and a zero), then
//	             the low bits, all from the lowest bit of each byte on
//	   weights   zstd: a byte each, in the order of the prints
//
// All numbers are little-endian. The prints are as good as random: their
// differences in this code (Rice's) take about one and a half bits more than
// the logarithm of the mean difference, which is as few as there can be.
const (
	magic       = "QPGP"
	fileVersion = 1
	headSize    = 16
	maxContexts = 1 << 26
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// ErrWeights tells that a file holds no weights that this version can use.
var ErrWeights = errors.New("prior: not a file of weights of this version")

// WriteTo writes the file of a model.
func (m *Model) WriteTo(w io.Writer) (int64, error) {
	v := m.words
	rice := max(0, v.bits-bits.Len(uint(len(v.prints))))
	var body []byte
	source := m.source[:min(len(m.source), 1<<16-1)]
	body = binary.LittleEndian.AppendUint16(body, uint16(len(source)))
	body = append(body, source...)
	var out bitWriter
	before := uint32(0)
	for _, p := range v.prints {
		d := p - before
		before = p
		for range d >> rice {
			out.put(1, 1)
		}
		out.put(uint64(d&(1<<rice-1))<<1, rice+1)
	}
	coded := out.bytes()
	body = binary.LittleEndian.AppendUint32(body, uint32(len(coded)))
	body = append(body, coded...)
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return 0, err
	}
	plain := make([]byte, len(m.weights))
	for i, x := range m.weights {
		plain[i] = byte(x)
	}
	body = enc.EncodeAll(plain, body)
	head := append([]byte(magic), fileVersion, byte(m.set), byte(v.bits), byte(rice))
	head = binary.LittleEndian.AppendUint32(head, uint32(len(v.prints)))
	head = binary.LittleEndian.AppendUint32(head, checksum(head, body))
	n, err := w.Write(append(head, body...))
	return int64(n), err
}

// ReadModel reads a file that WriteTo has written. What is no such file gives
// ErrWeights.
func ReadModel(r io.Reader) (*Model, error) {
	data, err := io.ReadAll(io.LimitReader(r, 1<<28))
	if err != nil {
		return nil, err
	}
	if len(data) < headSize || string(data[:4]) != magic || data[4] != fileVersion {
		return nil, ErrWeights
	}
	m := &Model{set: Set(data[5]), words: &Vocabulary{bits: int(data[6])}}
	rice, count := int(data[7]), int(binary.LittleEndian.Uint32(data[8:]))
	body := data[headSize:]
	if binary.LittleEndian.Uint32(data[12:]) != checksum(data[:12], body) || m.words.bits > 32 || rice > m.words.bits ||
		count > maxContexts || count>>m.words.bits > 0 {
		return nil, ErrWeights
	}
	source, body, ok := cut(body, 2)
	if !ok {
		return nil, ErrWeights
	}
	coded, body, ok := cut(body, 4)
	if !ok || count > 8*len(coded) {
		return nil, ErrWeights
	}
	m.source = string(source)
	if m.words.prints, ok = readPrints(coded, count, rice, m.words.bits); !ok {
		return nil, ErrWeights
	}
	dec, err := zstd.NewReader(bytes.NewReader(body), zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxContexts))
	if err != nil {
		return nil, err
	}
	defer dec.Close()
	plain := make([]byte, count)
	if _, err := io.ReadFull(dec, plain); err != nil {
		return nil, ErrWeights
	}
	m.weights = make([]int8, count)
	for i, x := range plain {
		m.weights[i] = int8(x)
	}
	m.words.index()
	m.fill()
	return m, nil
}

func checksum(head, body []byte) uint32 {
	return crc32.Update(crc32.Checksum(head, castagnoli), castagnoli, body)
}

// cut takes a part off the front of data whose length stands before it, in so
// many bytes.
func cut(data []byte, width int) (part, rest []byte, ok bool) {
	if len(data) < width {
		return nil, nil, false
	}
	n := 0
	for i := width - 1; i >= 0; i-- {
		n = n<<8 | int(data[i])
	}
	if data = data[width:]; n > len(data) {
		return nil, nil, false
	}
	return data[:n], data[n:], true
}

// readPrints decodes sorted prints; ok is false where they do not rise.
func readPrints(coded []byte, count, rice, width int) (list []uint32, ok bool) {
	list = make([]uint32, 0, count)
	in := bitReader{data: coded}
	at := uint64(0)
	for i := range count {
		high := uint64(0)
		for in.get(1) == 1 {
			high++
		}
		d := high<<rice | in.get(rice)
		at += d
		if in.short || at>>width != 0 || d == 0 && i > 0 {
			return nil, false
		}
		list = append(list, uint32(at))
	}
	return list, true
}

// bitWriter packs bits from the lowest of each byte on.
type bitWriter struct {
	out  []byte
	held uint64
	n    int
}

func (w *bitWriter) put(x uint64, n int) {
	w.held |= x << w.n
	for w.n += n; w.n >= 8; w.n -= 8 {
		w.out = append(w.out, byte(w.held))
		w.held >>= 8
	}
}

func (w *bitWriter) bytes() []byte {
	if w.n > 0 {
		w.out = append(w.out, byte(w.held))
	}
	return w.out
}

// bitReader reads what bitWriter wrote. Behind the end it reads zeros and is
// short.
type bitReader struct {
	data  []byte
	held  uint64
	n     int
	short bool
}

func (r *bitReader) get(n int) uint64 {
	for r.n < n {
		if len(r.data) == 0 {
			r.short = true
			return 0
		}
		r.held |= uint64(r.data[0]) << r.n
		r.data = r.data[1:]
		r.n += 8
	}
	x := r.held & (1<<n - 1)
	r.held >>= n
	r.n -= n
	return x
}

//go:embed weights.bin
var embedded []byte

// Load returns the model that comes with the program. It is unpacked at the
// first call, in some hundredths of a second, and takes about 25 MB.
func Load() (*Model, error) { return load() }

var load = sync.OnceValues(func() (*Model, error) { return ReadModel(bytes.NewReader(embedded)) })
