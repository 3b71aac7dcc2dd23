package theory

import (
	"math"

	"qipu/book/theory/internal/graph"
	"qipu/engine"
	"qipu/game"
)

// Grade says how far to trust the value of a position: from A, every line that
// matters ends in a solved position, to F. It is empty where there is no value.
type Grade string

// near is how much a line may lose with each move to matter for the grade.
const near = 2 * engine.Unit

// gradeOf returns the grade of a search.
func gradeOf(level int16) Grade {
	switch {
	case level >= LevelExact:
		return "A"
	case level >= 21:
		return "B"
	case level >= 16:
		return "C"
	case level >= 11:
		return "D"
	case level >= 6:
		return "E"
	}
	return "F"
}

// memo is what was worked out about trust since the last change.
type memo struct {
	weakest map[int32]int16
	lines   map[lineKey]int
}

type lineKey struct {
	id    int32
	own   bool
	slack engine.Value
}

func (t *Theory) forget() { t.memo = memo{} }

// Grade returns the grade of a position: that of the weakest of the searches
// which end the lines on which no move loses two discs or more. What a person set
// outranks searches, but proves nothing: it has no grade, and a line that ends in
// it alone is as weak as can be. It looks at
// every position on these lines once; after that the answer is remembered until
// something changes.
func (t *Theory) Grade(p game.Position) Grade {
	k := t.keyer()
	defer t.keyers.Put(k)
	key, _ := k.Key(p)
	t.mu.Lock() // it fetches
	defer t.mu.Unlock()
	id, ok := t.graph.Find(key)
	if !ok {
		if t.options.Exact != nil {
			if _, ok := t.options.Exact(key); ok {
				return "A"
			}
		}
		return ""
	}
	if n := &t.graph.Nodes[id]; n.X == engine.NoValue && !n.Known() {
		return "" // at most a person has spoken, and nothing was searched
	}
	if t.memo.weakest == nil {
		t.memo.weakest = map[int32]int16{}
	}
	return gradeOf(t.weakest(id))
}

// weakest returns the lowest level on the lines that matter.
func (t *Theory) weakest(id int32) int16 {
	n := t.graph.Nodes[id]
	switch {
	case n.X != engine.NoValue:
		return LevelExact
	case !n.Known(): // a person's word is no search
		return 0
	}
	if level, ok := t.memo.weakest[id]; ok {
		return level
	}
	t.memo.weakest[id] = LevelExact // a cycle adds nothing
	level := int16(LevelExact)
	if n.Partial {
		level = 0
	}
	if leaf := t.graph.LeafOf(&n); leaf.Known() && n.Value-leaf.Value < near {
		level = min(level, leaf.Level)
	}
	if t.graph.Followed(&n) { // of the other moves its search tells
		level = min(level, int16(n.Row.Level))
	}
	for i := range n.Count {
		w := t.graph.Behind(&t.graph.Edges[n.First+i])
		if !w.Known() || n.Value-w.Value >= near {
			continue
		}
		if c := t.graph.Follow(n.First + i); c >= 0 {
			level = min(level, t.weakest(c))
		}
	}
	t.memo.weakest[id] = level
	return level
}

// Lines returns how many lines each side has to know by heart from a position
// on, so as always to have a best move ready against every reply that loses no
// more than slack: by side, 0 where the position is not known. At one's own turn
// it is enough to know the best move that leads to the fewest lines; at the
// other's turn one has to know all. A line ends where the valued positions do.
//
// Lines that meet again count each for itself: they are learnt as sequences of
// moves. The number is bounded by MaxLines.
func (t *Theory) Lines(p game.Position, slack engine.Value) [2]int {
	k := t.keyer()
	defer t.keyers.Put(k)
	side := p.Turn()
	passes := k.Fold(p)
	key, _ := k.Key(p)
	if p.Turn() != side {
		side = p.Turn()
	}
	graph.Undo(p, passes)
	t.mu.Lock() // it fetches
	defer t.mu.Unlock()
	id, ok := t.graph.Find(key)
	if !ok || !t.graph.Nodes[id].Decides().Known() {
		return [2]int{}
	}
	if t.memo.lines == nil {
		t.memo.lines = map[lineKey]int{}
	}
	var lines [2]int
	lines[side] = t.lines(lineKey{id, true, slack})
	lines[side^1] = t.lines(lineKey{id, false, slack})
	return lines
}

// MaxLines is the most lines that are counted.
const MaxLines = 1_000_000_000

// lines counts the lines from a node for the side to move (own), or the other.
func (t *Theory) lines(k lineKey) int {
	if n, ok := t.memo.lines[k]; ok {
		return n
	}
	t.memo.lines[k] = 1 // a cycle is one line
	n := t.graph.Nodes[k.id]
	count, fewest := 0, math.MaxInt
	end := func(lines int) {
		count = min(count+lines, MaxLines)
		fewest = min(fewest, lines)
	}
	slack := k.slack
	if k.own {
		slack = 0
	}
	if leaf := t.graph.LeafOf(&n); leaf.Known() && leaf.Value >= n.Value-slack {
		end(1)
	}
	for i := range n.Count {
		e := t.graph.Edges[n.First+i]
		w := t.graph.Behind(&e)
		switch {
		case !w.Known() || w.Value < n.Value-slack:
		case e.Child == graph.Nowhere:
			end(1)
		default:
			end(t.lines(lineKey{t.graph.Follow(n.First + i), k.own == e.Same, k.slack}))
		}
	}
	lines := count
	if k.own {
		lines = fewest
	}
	if count == 0 { // nothing follows: the line ends here
		lines = 1
	}
	t.memo.lines[k] = lines
	return lines
}

// apart is how far results and search have to lie apart to be worth a look, in
// discs.
const apart = 6

// Apart reports whether the value by results of games lies more than six discs
// from that of the search, X or else E: what people do there is not what is
// good, or the search is wrong. Both are worth a lesson.
func (v Values) Apart(r float64) bool {
	best, from := v.X, ByExact
	if best == engine.NoValue {
		best, from = v.E, ByEngine
	}
	return best != engine.NoValue && from != Unknown && math.Abs(r-best.Units()) > apart
}
