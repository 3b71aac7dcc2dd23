package verdict

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
)

// Depth is the depth of every tree: all of them are complete, so that a walk has
// no end to look for. A tree that needs less repeats its leaves.
const Depth = 5

const (
	inner  = 1<<Depth - 1 // inner nodes of a tree
	leaves = 1 << Depth
)

// Node is an inner node of a tree: go left where the feature is at most the
// threshold, else right.
type Node struct {
	Threshold float32
	Feature   uint32
}

// Tree is one tree of a forest. From node i the walk goes to 2i+1 or to 2i+2.
type Tree struct {
	Nodes [inner]Node
	Leaf  [leaves]float32
}

// Forest is a sum of trees: a number whose logistic function is a chance.
type Forest struct {
	Bias  float32
	Trees []Tree
}

// Sum returns the value of the forest at a row of features.
func (f *Forest) Sum(row []float32) float32 {
	var sum [1]float32
	f.Sums(sum[:], row)
	return sum[0]
}

// Sums sets the values of the forest at rows of features, one after the other. It
// goes tree by tree, since a tree stays in the nearest cache and a forest does not;
// and the walk has no branch that the processor could guess wrong, so that it is at
// several rows at once.
func (f *Forest) Sums(sums, rows []float32) {
	for k := range sums {
		sums[k] = f.Bias
	}
	for i := range f.Trees {
		t := &f.Trees[i]
		for k := range sums {
			row := (*[Features]float32)(rows[k*Features:])
			n := uint(0)
			for range Depth {
				node := &t.Nodes[n]
				right := uint(0)
				if row[node.Feature] > node.Threshold {
					right = 1
				}
				n = 2*n + 1 + right
			}
			sums[k] += t.Leaf[n-inner]
		}
	}
}

// Chance turns the value of a forest into a chance.
func Chance(sum float32) float32 { return float32(1 / (1 + math.Exp(-float64(sum)))) }

// Weights are what the verdict was taught: a forest for every round.
type Weights struct {
	Rounds []Forest
}

const magic = "qipulife1"

// ErrWeights is wrapped by the errors of weights that cannot be read.
var ErrWeights = errors.New("verdict: weights cannot be read")

// WriteTo writes the weights as they are kept in files.
func (w *Weights) WriteTo(to io.Writer) (int64, error) {
	n, err := to.Write(w.append(nil))
	return int64(n), err
}

func (w *Weights) append(dst []byte) []byte {
	dst = append(dst, magic...)
	dst = append(dst, byte(Features), byte(len(w.Rounds)))
	for i := range w.Rounds {
		f := &w.Rounds[i]
		dst = binary.LittleEndian.AppendUint32(dst, math.Float32bits(f.Bias))
		dst = binary.LittleEndian.AppendUint16(dst, uint16(len(f.Trees)))
		for k := range f.Trees {
			t := &f.Trees[k]
			for _, n := range t.Nodes {
				dst = append(dst, byte(n.Feature))
				dst = binary.LittleEndian.AppendUint32(dst, math.Float32bits(n.Threshold))
			}
			for _, x := range t.Leaf {
				dst = binary.LittleEndian.AppendUint32(dst, math.Float32bits(x))
			}
		}
	}
	return dst
}

// treeBytes is the length of a tree in a file.
const treeBytes = 5*inner + 4*leaves

// ReadWeights reads weights. An error wraps [ErrWeights] and says what is wrong.
func ReadWeights(from io.Reader) (*Weights, error) {
	data, err := io.ReadAll(from)
	if err != nil {
		return nil, err
	}
	if len(data) < len(magic)+2 || string(data[:len(magic)]) != magic {
		return nil, fmt.Errorf("%w: they do not begin with %q", ErrWeights, magic)
	}
	data = data[len(magic):]
	if int(data[0]) != Features {
		return nil, fmt.Errorf("%w: they are made for %d features and the program has %d", ErrWeights, data[0], Features)
	}
	w := &Weights{Rounds: make([]Forest, data[1])}
	data = data[2:]
	for i := range w.Rounds {
		if len(data) < 6 {
			return nil, fmt.Errorf("%w: they end in round %d", ErrWeights, i+1)
		}
		f := &w.Rounds[i]
		f.Bias = math.Float32frombits(binary.LittleEndian.Uint32(data))
		f.Trees = make([]Tree, binary.LittleEndian.Uint16(data[4:]))
		if data = data[6:]; len(data) < treeBytes*len(f.Trees) {
			return nil, fmt.Errorf("%w: they end in round %d", ErrWeights, i+1)
		}
		for k := range f.Trees {
			t := &f.Trees[k]
			for n := range t.Nodes {
				feature := data[5*n]
				if int(feature) >= Features {
					return nil, fmt.Errorf("%w: tree %d of round %d asks for feature %d", ErrWeights, k+1, i+1, feature)
				}
				t.Nodes[n] = Node{Feature: uint32(feature), Threshold: math.Float32frombits(binary.LittleEndian.Uint32(data[5*n+1:]))}
			}
			for n := range t.Leaf {
				t.Leaf[n] = math.Float32frombits(binary.LittleEndian.Uint32(data[5*inner+4*n:]))
			}
			data = data[treeBytes:]
		}
	}
	if len(data) > 0 {
		return nil, fmt.Errorf("%w: %d bytes are left over", ErrWeights, len(data))
	}
	return w, nil
}
