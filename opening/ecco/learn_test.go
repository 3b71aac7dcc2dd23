package ecco

import (
	"cmp"
	"math"
	"slices"
)

// sample is a game with its code.
type sample struct {
	line
	code string
}

// What rules cost in bits, against what they save in telling the codes of games.
// Halving or doubling one of them was seen to change the code of at most 0.6 of a
// hundred games that were not learnt from, but for smoothing: 1.5 where doubled.
const (
	perCode     = 8.0  // a further code in a list
	perQuestion = 6.0  // a question
	perList     = 4.0  // a list that answers lead to
	perAnswer   = 1.5  // an answer that has to be written down
	perMove     = 1.0  // a move of a question of kind beyond
	perFirst    = 1.0  // a move of a question of kind free
	join        = 1.0  // what two lists may lose by being one
	smoothing   = 0.05 // bits; keeps questions that take off single games away
)

// learner looks for rules. Its slices are work space.
type learner struct {
	codes  []string
	counts [][]int32 // by answer, by code of the present games
	seen   []step    // answers with counts
	logs   []float64
	local  []int // codes of the present games
	wanted int   // how many codes they have
	bits   float64
}

// learn returns rules that tell the codes of samples. It asks the question that
// saves most for what it costs, by the ratio of bits saved to bits of the answer,
// and goes on with the games of each answer.
func learn(samples []sample) *node {
	l := &learner{counts: make([][]int32, 1<<13)}
	index := map[string]int{}
	for i := range samples {
		if _, ok := index[samples[i].code]; !ok {
			index[samples[i].code] = 0
			l.codes = append(l.codes, samples[i].code)
		}
	}
	slices.Sort(l.codes)
	for i, c := range l.codes {
		index[c] = i
	}
	l.logs = make([]float64, len(samples)+1)
	for i := range l.logs {
		l.logs[i] = float64(i) * math.Log2(max(1, float64(i)))
	}
	l.local = make([]int, len(l.codes))
	games := make([]labelled, len(samples))
	for i := range samples {
		games[i] = labelled{&samples[i].line, index[samples[i].code]}
	}
	// A first move that no game has is rare, and that is what A00 means.
	return l.split(games, question{kind: nth, k: 1}, nil, &node{code: "A00"})
}

type labelled struct {
	*line
	code int
}

// tally is how many games have each code.
type tally []int32

func (t tally) add(other tally) {
	for i, n := range other {
		t[i] += n
	}
}

func (l *learner) bitsOf(t tally) float64 {
	n, codes, bits := 0, 0, 0.0
	for _, c := range t {
		if c > 0 {
			n += int(c)
			codes++
			bits -= l.logs[c]
		}
	}
	if codes <= 1 {
		return 0
	}
	return bits + l.logs[n] + perCode*float64(codes-1)
}

// enter makes games the present ones and returns their tally.
func (l *learner) enter(games []labelled) tally {
	for i := range l.local {
		l.local[i] = -1
	}
	l.wanted = 0
	for _, g := range games {
		if l.local[g.code] < 0 {
			l.local[g.code] = l.wanted
			l.wanted++
		}
	}
	t := make(tally, l.wanted)
	for _, g := range games {
		t[l.local[g.code]]++
	}
	for i := range l.counts {
		l.counts[i] = nil
	}
	l.bits = l.bitsOf(t)
	return t
}

// value returns what answers save, less what they cost, by the bits of an answer.
func (l *learner) value(games []labelled, answers []step) float64 {
	l.seen = l.seen[:0]
	for i, g := range games {
		a := answers[i]
		if l.counts[a] == nil {
			l.counts[a] = make(tally, l.wanted+1)
		}
		c := l.counts[a]
		if c[l.wanted] == 0 {
			l.seen = append(l.seen, a)
		}
		c[l.wanted]++
		c[l.local[g.code]]++
	}
	cost, told := 0.0, l.logs[len(games)]
	lists := 0
	pure := map[int]int{}
	most := 0
	for _, a := range l.seen {
		t := tally(l.counts[a])
		told -= l.logs[t[l.wanted]]
		t[l.wanted] = 0
		if b := l.bitsOf(t); b > 0 {
			cost += b
			lists++
		} else {
			i := slices.IndexFunc(t, func(n int32) bool { return n > 0 })
			pure[i]++
			most = max(most, pure[i])
		}
		clear(t)
	}
	if len(l.seen) < 2 || lists+len(pure) < 2 {
		return math.Inf(-1)
	}
	cost += perList*float64(lists+len(pure)) + perAnswer*float64(len(l.seen)-most)
	return (l.bits - cost) / (told/float64(len(games)) + smoothing)
}

// search returns the best question to ask of games, or false where none is worth
// its cost.
func (l *learner) search(games []labelled, earlier []question) (best question, ok bool) {
	top := 0.0
	answers := make([]step, len(games))
	try := func(q question, cost float64) float64 {
		for i, g := range games {
			answers[i], _ = q.answer(g.line)
		}
		v := l.value(games, answers) - cost - perQuestion
		if v > top {
			top, best, ok = v, q, true
		}
		return v
	}
	for side := range uint8(2) {
		for k := 1; k <= rounds; k++ {
			try(question{kind: nth, side: side, k: k}, 0)
		}
	}
	for side := range uint8(2) {
		starts := [][]step{nil}
		for _, q := range slices.Backward(earlier) {
			if q.kind == beyond && q.side == side && len(starts) < 4 {
				starts = append(starts, q.these)
			}
		}
		for _, these := range starts {
			l.climb(games, question{kind: beyond, side: side, these: these}, try)
		}
	}
	for _, q := range frequent(games) {
		try(q, perFirst*float64(len(q.first[0])+len(q.first[1])))
	}
	return best, ok
}

// climb looks for the moves of a question of kind beyond: it adds or takes away
// the move that helps most, and goes on for a while where none does.
func (l *learner) climb(games []labelled, q question, try func(question, float64) float64) {
	value := func(these []step) float64 {
		return try(question{kind: beyond, side: q.side, these: these}, perMove*float64(len(these)))
	}
	these := q.these
	best := value(these)
	for stale := 0; stale < 3 && len(these) < 14; {
		stops := map[step]int{}
		for _, g := range games {
			s, _ := (&question{kind: beyond, side: q.side, these: these}).answer(g.line)
			stops[s]++
		}
		step, most := []step(nil), math.Inf(-1)
		for _, s := range sortedKeys(stops) {
			if s == none || stops[s] < 3 {
				continue
			}
			more := append(slices.Clone(these), s)
			slices.Sort(more)
			if v := value(more); v > most {
				step, most = more, v
			}
		}
		for i := range these {
			less := slices.Delete(slices.Clone(these), i, i+1)
			if v := value(less); v > most && v > best {
				step, most = less, v
			}
		}
		if math.IsInf(most, -1) {
			return
		}
		these = step
		if stale++; most > best {
			best, stale = most, 0
		}
	}
}

// frequent returns questions of kind free that many games answer with yes.
func frequent(games []labelled) (list []question) {
	type key [2][rounds]step
	for n := 3; n <= 7; n++ {
		for _, shape := range [][2]int{{n, n}, {n, n - 1}, {n, 0}, {0, n}} {
			found := map[key]int{}
			for _, g := range games {
				var k key
				for side, n := range shape {
					copy(k[side][:n], g.steps[side][:n])
					slices.Sort(k[side][:n])
				}
				found[k]++
			}
			keys := make([]key, 0, len(found))
			for k, n := range found {
				if n >= 5 && !slices.Contains(k[0][:shape[0]], none) && !slices.Contains(k[1][:shape[1]], none) {
					keys = append(keys, k)
				}
			}
			slices.SortFunc(keys, func(a, b key) int {
				return cmp.Or(cmp.Compare(found[b], found[a]), slices.Compare(a[0][:], b[0][:]), slices.Compare(a[1][:], b[1][:]))
			})
			for _, k := range keys[:min(len(keys), 12)] {
				q := question{kind: free}
				for side, n := range shape {
					q.first[side] = slices.Clone(k[side][:n])
				}
				list = append(list, q)
			}
		}
	}
	return list
}

// rules returns the rules for games.
func (l *learner) rules(games []labelled, earlier []question) *node {
	t := l.enter(games)
	if l.bits > 0 {
		if q, ok := l.search(games, earlier); ok {
			return l.split(games, q, earlier, nil)
		}
	}
	n := &node{}
	for i, c := range l.codes { // the most frequent, of several the first
		if j := l.local[i]; j >= 0 && t[j] > 0 && (n.code == "" || t[j] > t[l.local[slices.Index(l.codes, n.code)]]) {
			n.code = c
		}
	}
	return n
}

// list is the answers that lead to the same rules.
type list struct {
	answers []step
	games   []labelled
	tally   tally
	size    int
}

// split returns the rules that begin with a question. Answers that no game gave
// lead to els; where that is nil, to where most other answers lead.
func (l *learner) split(games []labelled, q question, earlier []question, els *node) *node {
	l.enter(games)
	lists := l.lists(games, &q)
	other := -1
	if q.kind == free {
		other = slices.IndexFunc(lists, func(s *list) bool { return s.answers[0] == no })
	} else if els == nil {
		other = 0
		for i, s := range lists {
			if len(s.answers) > len(lists[other].answers) {
				other = i
			}
		}
	}
	earlier = append(slices.Clone(earlier), q)
	n := &node{question: q, els: els}
	for i, s := range lists {
		if rules := l.rules(s.games, earlier); i == other {
			n.els = rules
		} else {
			n.branches = append(n.branches, branch{s.answers, rules})
		}
	}
	return n
}

// lists gathers answers that lead to about the same codes, largest lists first.
func (l *learner) lists(games []labelled, q *question) []*list {
	by := map[step]*list{}
	for _, g := range games {
		a, _ := q.answer(g.line)
		if by[a] == nil {
			by[a] = &list{answers: []step{a}, tally: make(tally, l.wanted)}
		}
		by[a].games = append(by[a].games, g)
		by[a].tally[l.local[g.code]]++
		by[a].size++
	}
	var lists []*list
	for _, a := range sortedKeys(by) {
		lists = append(lists, by[a])
	}
	slices.SortStableFunc(lists, func(a, b *list) int { return cmp.Compare(b.size, a.size) })
	for len(lists) > 2 {
		least, bi, bj := math.Inf(1), 0, 0
		for i, a := range lists {
			for j, b := range lists[:i] {
				both := slices.Clone(a.tally)
				both.add(b.tally)
				if lost := l.bitsOf(both) - l.bitsOf(a.tally) - l.bitsOf(b.tally); lost < least {
					least, bi, bj = lost, j, i
				}
			}
		}
		if least > join {
			break
		}
		a, b := lists[bi], lists[bj]
		a.answers = append(a.answers, b.answers...)
		a.games = append(a.games, b.games...)
		a.tally.add(b.tally)
		a.size += b.size
		lists = slices.Delete(lists, bj, bj+1)
	}
	for _, s := range lists {
		slices.Sort(s.answers)
	}
	return lists
}

func sortedKeys[V any](m map[step]V) []step {
	keys := make([]step, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
