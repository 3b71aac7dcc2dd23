package trace

import (
	"slices"
	"time"

	"qipu/game"
)

// Reason tells why a search left a position.
type Reason uint8

// The reasons. A search says Cut; the recorder makes one of the three kinds of it.
const (
	Read    Reason = iota // all of its moves were read
	Horizon               // judged as it stands: the depth is used up
	Over                  // the game is over, or its last moves were counted out
	Quiet                 // judged as it stands, and already too good: nothing was taken any more
	Table                 // known from before
	Forward               // pruned forward: its moves, or some of them, were left out
	Proved                // its bounds or proof numbers decide
	Cut                   // a move was too good: the other side will not come here
	Shallow               // a cut by the bound of the position before
	Deep                  // a cut by a bound from further up
	Window                // a cut by the window that the search began with
	Stopped               // the search was broken off
	Reasons               // how many there are
)

var reasonNames = [Reasons]string{"read", "horizon", "over", "quiet", "table", "forward", "proved", "cut", "shallow", "deep", "window", "stopped"}

// String returns the word for the reason.
func (r Reason) String() string { return reasonNames[min(r, Reasons-1)] }

// Leaf tells that a position left so has nothing below it that was read, but was
// judged or counted.
func (r Reason) Leaf() bool { return r == Horizon || r == Over || r == Quiet }

// Work is what a search spends its time on.
type Work uint8

// The kinds of work that are timed.
const (
	Generate Work = iota
	Evaluate
	Order
	Works // how many there are
)

var workNames = [Works]string{"generator", "evaluation", "ordering"}

// String returns the word for the work.
func (w Work) String() string { return workNames[min(w, Works-1)] }

const (
	maxPly = 512 // what lies deeper is counted with it
	maxCut = 16  // moves of a higher number are counted with it

	// Reading a clock costs as much as some evaluations: one call of so many is
	// timed and stands for all of them.
	sample = 64
)

// Counters are the counts of a search. They are exact, but for the times, which
// are taken of one call in 64.
type Counters struct {
	Nodes  []int64 // positions entered, by ply from the root
	Leaves []int64 // positions judged or counted, by ply

	By    [Reasons]int64 // positions by the reason they were left for
	CutAt [maxCut]int64  // cuts by the number of the move that made them, the first being CutAt[0]

	Hits int64 // positions that were found in the table, of use or not

	// Untold are positions that were entered and not told of one by one: searches that
	// order moves or ask whether a position is worth reading, the last squares of an
	// ending, and other threads.
	Untold int64

	Calls [Works]int64
	Times [Works]time.Duration
}

// Sum returns how many positions were entered and how many were leaves.
func (c *Counters) Sum() (nodes, leaves int64) {
	for i := range c.Nodes {
		nodes += c.Nodes[i]
	}
	for i := range c.Leaves {
		leaves += c.Leaves[i]
	}
	return nodes, leaves
}

// Cuts returns how many positions were left by a cut of any kind.
func (c *Counters) Cuts() int64 { return c.By[Shallow] + c.By[Deep] + c.By[Window] }

// Node is a position of the tree.
type Node struct {
	Parent int32 // its place in the list, -1 for a root
	Ply    int32
	Move   game.Move // that led there; NoMove for a root
	Again  bool      // the side that made the move moves once more
	Why    Reason
	At     uint8 // number of the move that cut, from 1

	// The window that it was entered with and the value that it was left with, for
	// the side to move in it.
	Alpha, Beta, Value int32

	// In and Out tell when it was entered and left, in events from 1 on: one time
	// for a whole search. Out is 0 while it is not left. Of a tree that was told when
	// it was grown (see Grown) both are when the position came into it.
	In, Out int32
}

// Tree is what was kept of a search: one root for every time it began anew, in the
// order in which they were entered.
type Tree struct {
	Nodes []Node

	// Left is how many positions were entered and not kept.
	Left int64
}

// Options say what a recorder keeps.
type Options struct {
	// Nodes is how many positions of the tree are kept at most, the first ones; 0
	// keeps counts alone.
	Nodes int

	// Path keeps of the tree only positions on a line of moves from the root, and
	// behind it.
	Path []game.Move
}

// frame is a position that is being read.
type frame struct {
	alpha, beta         int32
	alphaFrom, betaFrom int32 // the level of the position that set the bound, -1 for the outside
	level               int32 // how often the turn went over on the way here
	node                int32 // its place in the tree, -1 where it is not kept
	match               int32 // moves of the path on the way here, -1 off the path
}

// Recorder keeps what a search tells. It serves one search at a time.
type Recorder struct {
	o      Options
	c      Counters // but for Nodes and Leaves
	nodes  [maxPly + 1]int64
	leaves [maxPly + 1]int64
	tree   Tree
	stack  []frame // those of positions that are being read are the first ones
	ply    int     // how many these are
	event  int32
	grown  int32 // when the position that is entered next came into the tree; 0 for now
	last   int32 // the latest of these
	made   time.Time
}

// New returns a recorder.
func New(o Options) *Recorder { return &Recorder{o: o, made: time.Now()} }

// Grown tells when the position that is entered next came into the tree, counted in
// positions from 1. A search that goes for the best first grows its tree here and there,
// and tells of it at its end; the positions that came first are kept then.
func (r *Recorder) Grown(at int) { r.grown = int32(at); r.last = max(r.last, r.grown) }

// Enter tells that a position is entered by a move. Again is set where the side
// that made it moves once more; the window is for the side to move now.
func (r *Recorder) Enter(m game.Move, again bool, alpha, beta int32) {
	ply := r.ply
	if ply == len(r.stack) {
		r.stack = append(r.stack, make([]frame, 32)...)
	}
	r.ply++
	f := &r.stack[ply]
	level, alphaFrom, betaFrom := int32(0), int32(-1), int32(-1)
	if ply > 0 {
		p := &r.stack[ply-1]
		lo, hi := p.alpha, p.beta
		level, alphaFrom, betaFrom = p.level, p.alphaFrom, p.betaFrom
		if !again {
			lo, hi, alphaFrom, betaFrom = -hi, -lo, betaFrom, alphaFrom
			level++
		}
		if alpha != lo {
			alphaFrom = p.level
		}
		if beta != hi {
			betaFrom = p.level
		}
	}
	f.alpha, f.beta, f.alphaFrom, f.betaFrom, f.level = alpha, beta, alphaFrom, betaFrom, level
	r.nodes[min(ply, maxPly)]++
	r.event++
	if r.o.Nodes > 0 {
		r.keep(f, ply, m, again)
	}
}

// keep keeps a position that is entered in the tree, if it has room and is asked for.
func (r *Recorder) keep(f *frame, ply int, m game.Move, again bool) {
	f.node, f.match = -1, 0
	parent := int32(-1)
	if ply > 0 {
		p := &r.stack[ply-1]
		parent, f.match = p.node, p.match
		if f.match >= 0 && int(f.match) < len(r.o.Path) {
			if f.match++; r.o.Path[f.match-1] != m {
				f.match = -1
			}
		}
	}
	if len(r.tree.Nodes) == r.o.Nodes || int(r.grown) > r.o.Nodes || f.match < 0 || ply > 0 && parent < 0 {
		r.tree.Left++
		return
	}
	f.node = int32(len(r.tree.Nodes))
	n := Node{Parent: parent, Ply: int32(ply), Move: m, Again: again, Alpha: f.alpha, Beta: f.beta, In: r.event}
	if r.grown > 0 {
		n.In, n.Out = r.grown, r.grown
	}
	r.tree.Nodes = append(r.tree.Nodes, n)
}

// Leave tells that the position that was entered last is left with a value, and
// why. At is the number of the move that cut, from 1; 0 where none did.
func (r *Recorder) Leave(value int32, why Reason, at int) {
	r.ply--
	ply := r.ply
	f := &r.stack[ply]
	if why == Cut {
		switch {
		case f.betaFrom < 0:
			why = Window
		case f.level-f.betaFrom > 1:
			why = Deep
		default:
			why = Shallow
		}
		r.c.CutAt[min(max(at, 1), maxCut)-1]++
	}
	r.c.By[why]++
	if why.Leaf() {
		r.leaves[min(ply, maxPly)]++
	}
	r.event++
	if r.o.Nodes > 0 && f.node >= 0 {
		n := &r.tree.Nodes[f.node]
		n.Value, n.Why, n.At = value, why, uint8(min(at, 255))
		if n.Out == 0 {
			n.Out = r.event
		}
	}
}

// Hit tells that the table knew a position.
func (r *Recorder) Hit() { r.c.Hits++ }

// Entered returns how many positions below roots were told so far, and Untold adds
// those that were entered beside them.
func (r *Recorder) Entered() (n int64) {
	for _, c := range r.nodes[1:] {
		n += c
	}
	return n
}

// Untold tells of positions that were entered, and not one by one.
func (r *Recorder) Untold(n int64) { r.c.Untold += n }

// Begin tells that some work begins, and End that it ends; what Begin returns is
// for End.
func (r *Recorder) Begin(w Work) (began time.Duration) {
	if r.c.Calls[w]++; r.c.Calls[w]%sample == 1 {
		return r.now()
	}
	return 0
}

// End tells that work is done.
func (r *Recorder) End(w Work, began time.Duration) {
	if began > 0 {
		r.timed(w, began)
	}
}

func (r *Recorder) timed(w Work, began time.Duration) {
	r.c.Times[w] += sample * (r.now() - began)
}

// now returns the time since the recorder was made, and never 0. It is a call, so that
// Begin is none.
//
//go:noinline
func (r *Recorder) now() time.Duration { return max(time.Since(r.made), 1) }

// Counters returns the counts so far; they are the caller's.
func (r *Recorder) Counters() *Counters {
	c := r.c
	c.Nodes, c.Leaves = used(r.nodes[:]), used(r.leaves[:])
	return &c
}

// Tree returns the tree so far. It belongs to the recorder, and is to be read when
// the search has ended.
func (r *Recorder) Tree() *Tree { return &r.tree }

// Events returns how many positions were entered and left so far, or came into a tree
// that was told when it was grown.
func (r *Recorder) Events() int {
	if r.last > 0 {
		return int(r.last)
	}
	return int(r.event)
}

// used copies a list up to the last number that is not 0.
func used(list []int64) []int64 {
	n := len(list)
	for n > 0 && list[n-1] == 0 {
		n--
	}
	return slices.Clone(list[:n])
}
