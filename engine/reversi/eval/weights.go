package eval

import (
	"bytes"
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// stages is the number of tables: one for two numbers of empty squares.
const stages = 31

func stageOf(empties int) int { return min(max(empties, 0)>>1, stages-1) }

// Weights are what a position is judged by. They do not change once made, and
// any number of goroutines may use them.
type Weights struct {
	// stages are the tables of each stage by word of the features. They are
	// windows of 2^16 into one list, so that no index needs a check; what lies
	// behind the configurations of a pattern is never read.
	stages [stages][words]*[1 << 16]int16
	base   [64]int16 // added by number of empty squares

	model *Model
}

// knots are the numbers of empty squares for which weights are fitted; between
// them they are interpolated.
var knots = [...]int{2, 6, 10, 14, 18, 22, 26, 30, 34, 38, 42, 46, 50, 54, 58}

// Knots is the number of sets of weights in a model.
const Knots = len(knots)

// Quantum is the step of weights in a file, in hundredths of a disc.
const Quantum = 4

// Model is weights as they are fitted and stored: whole numbers of Quantum for
// each knot, and a constant for every number of empty squares in hundredths of
// a disc.
type Model struct {
	At   [Knots][]int16 // PackedWeights of them each
	Base [61]int16
}

// PackedWeights is the number of weights of one knot: configurations that
// mirror each other share one.
func PackedWeights() int { return packed().count }

// AppendFeatures appends the numbers of the weights that a position uses at
// each knot, Instances of them. A number may occur several times.
func AppendFeatures(dst []uint32, own, opp uint64) []uint32 {
	var f Features
	f.Set(own, opp)
	of := &packed().of
	for i, x := range f.index {
		start := lay.start[wordPattern[i]]
		dst = append(dst, of[start+int(x&0xFFFF)], of[start+int(x>>16&0xFFFF)],
			of[start+int(x>>32&0xFFFF)], of[start+int(x>>48)])
	}
	return dst
}

// Blend tells of which two knots the weights for a number of empty squares are
// mixed, and the share of the second.
func Blend(empties int) (a, b int, share float64) {
	mid := float64(2*stageOf(empties)) + 0.5
	for b < Knots-1 && float64(knots[b]) < mid {
		b++
	}
	if b == 0 || float64(knots[b]) < mid {
		return b, b, 0
	}
	return b - 1, b, (mid - float64(knots[b-1])) / float64(knots[b]-knots[b-1])
}

// NewWeights makes a model ready for use; it takes about 18 MB and a tenth of a
// second at the most. The model must not be changed afterwards.
func NewWeights(m *Model) (*Weights, error) {
	k := packed()
	for i := range m.At {
		if len(m.At[i]) != k.count {
			return nil, fmt.Errorf("eval: %d weights where %d are wanted: they are of another version", len(m.At[i]), k.count)
		}
	}
	w := &Weights{model: m}
	copy(w.base[:], m.Base[:])
	mixed := make([]int16, k.count)
	for s := range stages {
		a, b, share := Blend(2 * s)
		second := int(math.Round(share * 256))
		first := 256 - second
		lo, hi := m.At[a], m.At[b]
		for i := range mixed {
			v := (int(lo[i])*first + int(hi[i])*second) * Quantum
			mixed[i] = int16(max(math.MinInt16, min(math.MaxInt16, (v+128)>>8)))
		}
		table := make([]int16, lay.start[patterns-1]+1<<16)
		for i, p := range k.of {
			table[i] = mixed[p]
		}
		for i, p := range wordPattern {
			w.stages[s][i] = (*[1 << 16]int16)(table[lay.start[p]:])
		}
	}
	return w, nil
}

//go:embed weights.bin
var embedded []byte

// Trained returns the weights that come with the program.
func Trained() *Weights { return trained() }

var trained = sync.OnceValue(func() *Weights {
	w, err := ReadWeights(bytes.NewReader(embedded))
	if err != nil {
		panic("eval: the embedded weights: " + err.Error()) // a test reads them
	}
	return w
})

// A file of weights:
//
//	0  magic     "QPRW"
//	4  version   byte
//	5  knots     byte, and the empty squares of each, a byte each
//	   weights   uint32 of each knot, then the constants: 61 int16
//	   checksum  uint32 (CRC-32 C) of what the rest gives when unpacked
//	   rest      zstd
//
// The rest is the knots one after the other, from few empty squares to many,
// each weight as the difference to that of the knot before: d as the byte
// 2d or -2d-1, or 255 and an int16 where that does not fit. All numbers are
// little-endian.
const (
	magic       = "QPRW"
	fileVersion = 1
	escape      = 255
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// ErrWeights tells that a file holds no weights that this version can use.
var ErrWeights = errors.New("reversi: not a file of weights of this version")

// WriteTo writes the file of a model.
func (m *Model) WriteTo(w io.Writer) (int64, error) {
	head := []byte(magic)
	head = append(head, fileVersion, byte(Knots))
	for _, e := range knots {
		head = append(head, byte(e))
	}
	head = binary.LittleEndian.AppendUint32(head, uint32(len(m.At[0])))
	for _, b := range m.Base {
		head = binary.LittleEndian.AppendUint16(head, uint16(b))
	}
	var plain []byte
	before := make([]int16, len(m.At[0]))
	for _, list := range m.At {
		for i, v := range list {
			d := int(v) - int(before[i])
			z := 2 * d
			if d < 0 {
				z = -2*d - 1
			}
			if z < escape {
				plain = append(plain, byte(z))
				continue
			}
			plain = binary.LittleEndian.AppendUint16(append(plain, escape), uint16(int16(d)))
		}
		before = list
	}
	head = binary.LittleEndian.AppendUint32(head, crc32.Checksum(plain, castagnoli))
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return 0, err
	}
	n, err := w.Write(enc.EncodeAll(plain, head))
	return int64(n), err
}

// limit bounds the size of a file of weights, and half of what it unpacks to.
const limit = 8 << 20

// ReadWeights reads a file of weights. Damage is an error that wraps
// ErrWeights.
func ReadWeights(r io.Reader) (*Weights, error) {
	data, err := io.ReadAll(io.LimitReader(r, limit))
	if err != nil {
		return nil, fmt.Errorf("eval: weights: %w", err)
	}
	m, err := decode(data)
	if err != nil {
		return nil, err
	}
	return NewWeights(m)
}

func decode(data []byte) (*Model, error) {
	const head = len(magic) + 2 + Knots + 4 + 61*2 + 4
	if len(data) < head || string(data[:4]) != magic || data[4] != fileVersion || int(data[5]) != Knots {
		return nil, ErrWeights
	}
	for i, e := range knots {
		if int(data[6+i]) != e {
			return nil, ErrWeights
		}
	}
	at := 6 + Knots
	count := packed().count
	if int(binary.LittleEndian.Uint32(data[at:])) != count {
		return nil, ErrWeights
	}
	at += 4
	m := new(Model)
	for i := range m.Base {
		m.Base[i] = int16(binary.LittleEndian.Uint16(data[at:]))
		at += 2
	}
	sum := binary.LittleEndian.Uint32(data[at:])
	dec, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(2*limit))
	if err != nil {
		return nil, err
	}
	defer dec.Close()
	plain, err := dec.DecodeAll(data[head:], make([]byte, 0, Knots*count+count))
	if err != nil {
		return nil, fmt.Errorf("%w (%v)", ErrWeights, err)
	}
	if crc32.Checksum(plain, castagnoli) != sum {
		return nil, fmt.Errorf("%w (the checksum does not fit)", ErrWeights)
	}
	before := make([]int16, count)
	for k := range m.At {
		list := make([]int16, count)
		for i := range list {
			if len(plain) == 0 {
				return nil, fmt.Errorf("%w (it is too short)", ErrWeights)
			}
			z := plain[0]
			plain = plain[1:]
			switch {
			case z != escape:
				list[i] = before[i] + int16(z>>1)
				if z&1 != 0 {
					list[i] = before[i] - int16(z>>1) - 1
				}
			case len(plain) < 2:
				return nil, fmt.Errorf("%w (it is too short)", ErrWeights)
			default:
				list[i] = before[i] + int16(binary.LittleEndian.Uint16(plain))
				plain = plain[2:]
			}
		}
		m.At[k], before = list, list
	}
	if len(plain) != 0 {
		return nil, fmt.Errorf("%w (it is too long)", ErrWeights)
	}
	return m, nil
}

// NewModel returns a model whose weights are all zero.
func NewModel() *Model {
	m := new(Model)
	for i := range m.At {
		m.At[i] = make([]int16, PackedWeights())
	}
	return m
}

// Groups returns which of the features that AppendFeatures appends share
// weights with each other and with no others.
func Groups() [][]int {
	list := make([][]int, patterns)
	for w, p := range wordPattern {
		list[p] = append(list[p], 4*w, 4*w+1, 4*w+2, 4*w+3)
	}
	return list
}
