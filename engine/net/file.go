package net

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"slices"
)

const (
	magic   = "QNET1\n"
	kind    = 4 // letters of it that all versions have
	version = len(magic) - 1

	mostChannels = 1024
	mostOps      = 4096
	lane         = 16 // outputs are computed in groups of so many
)

// ErrFile tells that a file is no net, is cut off or damaged, or of another version.
var ErrFile = errors.New("net: not a net that this program reads")

func damaged(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrFile, fmt.Sprintf(format, args...))
}

// head is the JSON text of a file.
type head struct {
	Name   string   `json:"name"`
	Planes []string `json:"planes"`
	Unit   int      `json:"unit"`     // of the planes
	Top    int      `json:"top"`      // of the activations
	Lead   float64  `json:"leadUnit"` // of what is said of the lead
	Boards [2]int   `json:"boards"`   // least and largest side that it was trained on; 0 and 0: not told
	Ops    []headOp `json:"ops"`
}

// headOp is an operation: a convolution ("conv"), the means and the largest values of
// all channels ("pool"), a dense layer of what a pooling gave ("dense"), or what that
// gives added to every point ("shift").
type headOp struct {
	Op   string `json:"op"`
	From string `json:"from"`
	To   string `json:"to"`
	By   string `json:"by"` // shift: the vector that is added

	Size int  `json:"size"` // conv: 1 or 3
	In   int  `json:"in"`
	Out  int  `json:"out"`
	Relu bool `json:"relu"`

	Skip      string  `json:"skip"` // conv: a register that is added
	SkipScale float64 `json:"skipScale"`

	Weights array           `json:"weights"`
	Bias    array           `json:"bias"`
	Scale   json.RawMessage `json:"scale"` // conv: an array; else a number
	Unit    float64         `json:"unit"`
}

// array points into what follows the text.
type array struct {
	At int `json:"at"`
	N  int `json:"n"`
}

// Net is a net that was read. It is not changed by use, and safe for use by many.
type Net struct {
	head  head
	sum   uint32 // of the file
	ops   []op
	grids []string // registers that hold a plane for each channel, the input first
	wide  []int    // channels of each, filled up to whole lanes
	plots []string // registers that hold a number for each point
	lists []string // registers that hold a vector
	long  []int
}

// op is an operation with its registers by number.
type op struct {
	kind          opKind
	from, to      int
	skip, by      int // -1: none
	in, out, size int // channels filled up to whole lanes
	relu          bool

	plain  []int16   // conv: [out][row][column][in]
	packed []int16   // conv: [out/16][row][pair of columns and inputs][16][2]
	bias   []int32   // conv
	scale  []float32 // conv
	dense  []float32 // dense: [out][in]
	shift  []float32 // dense: bias
	factor float32   // pool, shift: what one step of the source is worth; conv: of skip
	unit   float32   // shift: steps of the target that 1 is worth
}

type opKind uint8

const (
	opConv opKind = iota
	opPlot        // a convolution to a number for each point
	opPool
	opDense
	opShift
)

// filled returns a number of channels in whole lanes.
func filled(channels int) int { return (channels + lane - 1) / lane * lane }

// Read reads a net.
func Read(data []byte) (*Net, error) {
	const fixed = len(magic) + 4
	switch {
	case len(data) < fixed:
		return nil, damaged("it is cut off: it has %d bytes", len(data))
	case string(data[:kind]) != magic[:kind]:
		return nil, damaged("it does not begin as one")
	case string(data[:len(magic)]) != magic:
		return nil, damaged("it is of version %.8q, and this program reads %s", data[kind:version], magic[kind:version])
	}
	length := int64(binary.LittleEndian.Uint32(data[len(magic):]))
	if length > int64(len(data)-fixed) {
		return nil, damaged("it is cut off")
	}
	n := &Net{sum: crc32.ChecksumIEEE(data)}
	if err := json.Unmarshal(data[fixed:fixed+int(length)], &n.head); err != nil {
		return nil, damaged("%v", err)
	}
	h := &n.head
	switch {
	case len(h.Planes) == 0 || len(h.Planes) > mostChannels || len(h.Ops) == 0 || len(h.Ops) > mostOps:
		return nil, damaged("%d planes, %d operations", len(h.Planes), len(h.Ops))
	case h.Unit < 1 || h.Unit > 1<<12 || h.Top < 1 || h.Top > 1<<14:
		return nil, damaged("units %d and %d", h.Unit, h.Top)
	}
	r := &reader{net: n, blob: data[min(len(data), (fixed+int(length)+3)/4*4):]}
	n.grids, n.wide = []string{"in"}, []int{filled(len(h.Planes))}
	for i := range h.Ops {
		if err := r.op(&h.Ops[i]); err != nil {
			return nil, fmt.Errorf("%w (operation %d)", err, i+1)
		}
	}
	return n, nil
}

// reader reads operations.
type reader struct {
	net  *Net
	blob []byte
}

func (r *reader) bytes(a array, width int) ([]byte, error) {
	if a.At < 0 || a.N < 0 || a.N > len(r.blob)/width || a.At > len(r.blob)-a.N*width {
		return nil, damaged("an array is cut off")
	}
	return r.blob[a.At : a.At+a.N*width], nil
}

func (r *reader) floats(a array, want int) ([]float32, error) {
	b, err := r.bytes(a, 4)
	if err == nil && a.N != want {
		err = damaged("%d numbers for %d", a.N, want)
	}
	if err != nil {
		return nil, err
	}
	list := make([]float32, want)
	for i := range list {
		list[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
		if x := float64(list[i]); math.IsNaN(x) || math.Abs(x) > 1e9 {
			return nil, damaged("a number is out of bounds")
		}
	}
	return list, nil
}

func (r *reader) find(list []string, name string) (int, error) {
	i := slices.Index(list, name)
	if i < 0 {
		return 0, damaged("register %.40q is read before it is written", name)
	}
	return i, nil
}

// make returns the number of a new register.
func (r *reader) make(list *[]string, name string) (int, error) {
	n := r.net
	if name == "" || slices.Contains(n.grids, name) || slices.Contains(n.plots, name) || slices.Contains(n.lists, name) {
		return 0, damaged("register %.40q is written twice", name)
	}
	*list = append(*list, name)
	return len(*list) - 1, nil
}

func (r *reader) op(h *headOp) (err error) {
	o := op{skip: -1, by: -1, relu: h.Relu, size: h.Size}
	switch h.Op {
	case "conv":
		err = r.conv(h, &o)
	case "pool":
		err = r.pool(h, &o)
	case "dense":
		err = r.dense(h, &o)
	case "shift":
		err = r.shift(h, &o)
	default:
		err = damaged("operation %.40q is not known", h.Op)
	}
	r.net.ops = append(r.net.ops, o)
	return err
}

func (r *reader) conv(h *headOp, o *op) (err error) {
	n := r.net
	if o.from, err = r.find(n.grids, h.From); err != nil {
		return err
	}
	o.in, o.out = n.wide[o.from], filled(h.Out)
	taps := h.Size * h.Size
	switch {
	case h.Size != 1 && h.Size != 3:
		return damaged("a convolution of %d", h.Size)
	case h.In < 1 || h.Out < 1 || h.Out > mostChannels || filled(h.In) != o.in:
		return damaged("%d inputs and %d outputs", h.In, h.Out)
	case !h.Relu && h.Out != 1:
		return damaged("a plot of %d numbers a point", h.Out)
	}
	raw, err := r.bytes(h.Weights, 2)
	if err != nil {
		return err
	}
	bias, err := r.bytes(h.Bias, 4)
	if err != nil {
		return err
	}
	if h.Weights.N != h.Out*taps*h.In || h.Bias.N != h.Out {
		return damaged("%d weights for %d", h.Weights.N, h.Out*taps*h.In)
	}
	var at array
	if err := json.Unmarshal(h.Scale, &at); err != nil {
		return damaged("%v", err)
	}
	scale, err := r.floats(at, h.Out)
	if err != nil {
		return err
	}
	o.plain, o.bias, o.scale = make([]int16, o.out*taps*o.in), make([]int32, o.out), make([]float32, o.out)
	copy(o.scale, scale)
	high := int64(n.head.Top) // of what is multiplied
	if o.from == 0 {
		high = 2 * int64(n.head.Unit)
	}
	for out := range h.Out {
		most := int64(0)
		for tap := range taps {
			for in := range h.In {
				w := int16(binary.LittleEndian.Uint16(raw[2*((out*taps+tap)*h.In+in):]))
				o.plain[(out*taps+tap)*o.in+in] = w
				most += max(int64(w), -int64(w))
			}
		}
		o.bias[out] = int32(binary.LittleEndian.Uint32(bias[4*out:]))
		if b := int64(o.bias[out]); most*high+max(b, -b) > math.MaxInt32 {
			return damaged("a sum may overflow")
		}
	}
	o.pack()
	if h.Relu {
		o.kind = opConv
		if h.Skip != "" {
			if o.skip, err = r.find(n.grids, h.Skip); err != nil {
				return err
			}
			if n.wide[o.skip] != o.out {
				return damaged("%d channels added to %d", n.wide[o.skip], o.out)
			}
			o.factor = float32(h.SkipScale)
		}
		n.wide = append(n.wide, o.out)
		o.to, err = r.make(&n.grids, h.To)
		return err
	}
	o.kind = opPlot
	o.to, err = r.make(&n.plots, h.To)
	return err
}

func number(text json.RawMessage) (float32, error) {
	var x float32
	if err := json.Unmarshal(text, &x); err != nil {
		return 0, damaged("%v", err)
	}
	return x, nil
}

func (r *reader) pool(h *headOp, o *op) (err error) {
	n := r.net
	o.kind = opPool
	if o.from, err = r.find(n.grids, h.From); err != nil {
		return err
	}
	if o.factor, err = number(h.Scale); err != nil {
		return err
	}
	o.in = n.wide[o.from]
	n.long = append(n.long, 2*o.in)
	o.to, err = r.make(&n.lists, h.To)
	return err
}

func (r *reader) dense(h *headOp, o *op) (err error) {
	n := r.net
	o.kind = opDense
	if o.from, err = r.find(n.lists, h.From); err != nil {
		return err
	}
	o.in, o.out = h.In, h.Out
	if h.Out < 1 || h.Out > mostChannels || n.long[o.from] != h.In {
		return damaged("%d inputs and %d outputs of a dense layer", h.In, h.Out)
	}
	if o.dense, err = r.floats(h.Weights, h.In*h.Out); err != nil {
		return err
	}
	if o.shift, err = r.floats(h.Bias, h.Out); err != nil {
		return err
	}
	n.long = append(n.long, h.Out)
	o.to, err = r.make(&n.lists, h.To)
	return err
}

func (r *reader) shift(h *headOp, o *op) (err error) {
	n := r.net
	o.kind = opShift
	if o.from, err = r.find(n.grids, h.From); err != nil {
		return err
	}
	if o.by, err = r.find(n.lists, h.By); err != nil {
		return err
	}
	if o.factor, err = number(h.Scale); err != nil {
		return err
	}
	o.unit, o.out = float32(h.Unit), n.wide[o.from]
	if n.long[o.by] != o.out {
		return damaged("%d numbers added to %d channels", n.long[o.by], o.out)
	}
	n.wide = append(n.wide, o.out)
	o.to, err = r.make(&n.grids, h.To)
	return err
}

// pack lays the weights of a convolution out as the assembly reads them: sixteen
// outputs beside each other, two inputs of each.
func (o *op) pack() {
	row := o.size * o.in // what lies beside each other in a row of the input
	o.packed = make([]int16, 0, len(o.plain))
	for first := 0; first < o.out; first += lane {
		for y := range o.size {
			for pair := 0; pair < row; pair += 2 {
				for out := first; out < first+lane; out++ {
					at := (out*o.size+y)*row + pair
					o.packed = append(o.packed, o.plain[at], o.plain[at+1])
				}
			}
		}
	}
}

// Name returns what the net is called.
func (n *Net) Name() string { return n.head.Name }

// Version tells nets of one name apart, by what their files hold.
func (n *Net) Version() string { return fmt.Sprintf("%08x", n.sum) }

// Boards returns the sides of the boards that the net was trained on, from and to; 0 and
// 0 where it does not tell.
func (n *Net) Boards() (least, most int) { return n.head.Boards[0], n.head.Boards[1] }

// Planes returns the names of what the net is shown, in their order.
func (n *Net) Planes() []string { return n.head.Planes }

// Unit returns the whole number that stands for 1 in a plane.
func (n *Net) Unit() int { return n.head.Unit }

// Lead returns how many points 1 stands for in what is said of the lead.
func (n *Net) Lead() float64 { return n.head.Lead }
