package ecco

import (
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
)

// The kinds of questions that rules ask of a game.
const (
	nth    = iota // which is the side's k-th move?
	beyond        // which is the side's first move, from the second on, that is none of these?
	free          // are these the first moves, in any order?
)

// question is what a rule asks. Only the fields of its kind are used.
type question struct {
	kind  uint8
	side  uint8
	k     int       // nth: counted from 1
	these []step    // beyond: rising
	first [2][]step // free: of each side, rising; empty where it is not asked
}

// Answers to a question of kind free.
const (
	no  step = 0
	yes step = 1
)

// answer returns what a game answers, and the ply after which it is certain.
func (q *question) answer(l *line) (step, int) {
	switch q.kind {
	case nth:
		return l.steps[q.side][q.k-1], min(ply(q.side, q.k-1), l.plies)
	case beyond:
		for i := 1; i < rounds; i++ {
			if s := l.steps[q.side][i]; s == none || !slices.Contains(q.these, s) {
				return s, min(ply(q.side, i), l.plies)
			}
		}
		return none, l.plies
	}
	known, missed := 0, 2*rounds+1
	for side := range uint8(2) {
		if i := mismatch(l.steps[side][:], q.first[side]); i >= 0 {
			missed = min(missed, ply(side, i))
		} else if n := len(q.first[side]); n > 0 {
			known = max(known, ply(side, n-1))
		}
	}
	if missed <= 2*rounds {
		return no, min(missed, l.plies)
	}
	return yes, known
}

// ply returns the ply of a side's i-th move, counted from 0.
func ply(side uint8, i int) int { return 2*i + int(side) + 1 }

// mismatch returns the first of the moves that is not among the wanted, each of
// which stands for one move, or -1 where the first moves are the wanted ones.
func mismatch(moves []step, want []step) int {
	used := 0
next:
	for i := range want {
		for j, w := range want {
			if w == moves[i] && used>>j&1 == 0 {
				used |= 1 << j
				continue next
			}
		}
		return i
	}
	return -1
}

// node is a list of rules: the first one, and in els the list of those behind it.
// Where it has no rules it is a code.
type node struct {
	code     string
	question question
	branches []branch
	els      *node
}

// branch is where games go that give one of the answers.
type branch struct {
	answers []step // rising
	to      *node
}

func (n *node) next(s step) *node {
	for i := range n.branches {
		if slices.Contains(n.branches[i].answers, s) {
			return n.branches[i].to
		}
	}
	return n.els
}

// classify returns the code of a game and the ply after which it is certain.
func (n *node) classify(l *line) (code string, settled int) {
	settled = l.sided
	for n.code == "" {
		s, at := n.question.answer(l)
		settled = max(settled, at)
		n = n.next(s)
	}
	return n.code, settled
}

var sides = [2]string{"red", "black"}

func (q *question) String() string {
	switch q.kind {
	case nth:
		return fmt.Sprintf("%s move %d", sides[q.side], q.k)
	case beyond:
		return strings.TrimSpace(sides[q.side] + " beyond " + joined(q.these))
	}
	var parts []string
	for side, steps := range q.first {
		if len(steps) > 0 {
			parts = append(parts, sides[side]+" "+joined(steps))
		}
	}
	return strings.Join(parts, " and ") + " in any order"
}

func joined(steps []step) string {
	texts := make([]string, len(steps))
	for i, s := range steps {
		texts[i] = s.String()
	}
	return strings.Join(texts, " ")
}

// append appends the list as text, each line indented so deep.
func (n *node) append(dst []byte, depth int) []byte {
	for ; n.code == ""; n = n.els {
		dst = fmt.Appendf(dst, "%*s%v:", 2*depth, "", &n.question)
		if n.question.kind == free {
			dst = n.branches[0].to.appendBranch(dst, depth)
			continue
		}
		dst = append(dst, '\n')
		for _, b := range n.branches {
			dst = fmt.Appendf(dst, "%*s%s:", 2*(depth+1), "", joined(b.answers))
			dst = b.to.appendBranch(dst, depth+1)
		}
	}
	return fmt.Appendf(dst, "%*s%s\n", 2*depth, "", n.code)
}

// appendBranch appends where a rule leads: a code in the same line or a list below.
func (n *node) appendBranch(dst []byte, depth int) []byte {
	if n.code != "" {
		return fmt.Appendf(dst, " %s\n", n.code)
	}
	return n.append(append(dst, '\n'), depth+1)
}

// paths yields every code with the conditions that hold on the way to it, which
// are valid until the next.
func (n *node) paths() iter.Seq2[string, []string] {
	return func(yield func(string, []string) bool) { n.walk(nil, yield) }
}

func (n *node) walk(held []string, yield func(string, []string) bool) bool {
	for ; n.code == ""; n = n.els {
		for _, b := range n.branches {
			condition := n.question.String()
			if n.question.kind != free {
				condition += ": " + joined(b.answers)
			}
			if !b.to.walk(append(held, condition), yield) {
				return false
			}
		}
	}
	return yield(n.code, held)
}

// reader reads rules.
type reader struct {
	file  string
	lines []indented
	at    int
}

type indented struct {
	number, depth int
	text          string
}

// parseRules reads a text of rules. Lines that begin with # are comments.
func parseRules(file, text string) (*node, error) {
	r := &reader{file: file}
	for i, s := range strings.Split(text, "\n") {
		if s == "" || s[0] == '#' {
			continue
		}
		trimmed := strings.TrimLeft(s, " ")
		if (len(s)-len(trimmed))%2 != 0 {
			return nil, fmt.Errorf("ecco: %s:%d: want two blanks for each level", file, i+1)
		}
		r.lines = append(r.lines, indented{i + 1, (len(s) - len(trimmed)) / 2, trimmed})
	}
	n, err := r.list(0)
	if err == nil && r.at < len(r.lines) {
		err = r.fault("nothing is to follow here")
	}
	return n, err
}

func (r *reader) fault(format string, args ...any) error {
	number := 0
	if len(r.lines) > 0 {
		number = r.lines[min(r.at, len(r.lines)-1)].number
	}
	return fmt.Errorf("ecco: %s:%d: %s", r.file, number, fmt.Sprintf(format, args...))
}

// peek returns the next line if it is indented so deep.
func (r *reader) peek(depth int) (string, bool) {
	if r.at == len(r.lines) || r.lines[r.at].depth != depth {
		return "", false
	}
	return r.lines[r.at].text, true
}

func (r *reader) list(depth int) (*node, error) {
	text, ok := r.peek(depth)
	if !ok {
		return nil, r.fault("want a rule or a code, indented by %d", 2*depth)
	}
	if isCode(text) {
		r.at++
		return &node{code: text}, nil
	}
	head, rest, ok := strings.Cut(text, ":")
	if !ok {
		return nil, r.fault("want a colon behind %q", text)
	}
	n := &node{}
	var err error
	if n.question, err = parseQuestion(head); err != nil {
		return nil, r.fault("%v", err)
	}
	if n.question.kind == free {
		to, err := r.branch(rest, depth)
		if err != nil {
			return nil, err
		}
		n.branches = []branch{{[]step{yes}, to}}
	} else if r.at++; rest != "" {
		return nil, r.fault("want the answers in lines of their own")
	} else if err := r.branches(n, depth+1); err != nil {
		return nil, err
	}
	n.els, err = r.list(depth)
	return n, err
}

func (r *reader) branches(n *node, depth int) error {
	for {
		text, ok := r.peek(depth)
		if !ok {
			break
		}
		head, rest, _ := strings.Cut(text, ":")
		answers, err := parseSteps(strings.Fields(head))
		if err != nil {
			return r.fault("%v", err)
		}
		to, err := r.branch(rest, depth)
		if err != nil {
			return err
		}
		n.branches = append(n.branches, branch{answers, to})
	}
	if len(n.branches) == 0 {
		return r.fault("want answers, indented by %d", 2*depth)
	}
	return nil
}

// branch reads where the rule in the present line leads.
func (r *reader) branch(rest string, depth int) (*node, error) {
	if code := strings.TrimPrefix(rest, " "); code != "" {
		if !isCode(code) {
			return nil, r.fault("%q is no code", code)
		}
		r.at++
		return &node{code: code}, nil
	}
	r.at++
	return r.list(depth + 1)
}

func parseQuestion(text string) (q question, err error) {
	if head, ok := strings.CutSuffix(text, " in any order"); ok {
		q.kind = free
		for part := range strings.SplitSeq(head, " and ") {
			words := strings.Fields(part)
			side := slices.Index(sides[:], first(words))
			if side < 0 || len(q.first[side]) > 0 || len(words) < 2 || len(words) > rounds+1 {
				return q, fmt.Errorf("want \"red\" or \"black\" and moves, not %q", part)
			}
			if q.first[side], err = parseSteps(words[1:]); err != nil {
				return q, err
			}
		}
		return q, nil
	}
	words := strings.Fields(text)
	side := slices.Index(sides[:], first(words))
	if side < 0 || len(words) < 2 {
		return q, fmt.Errorf("want a question of red or black, not %q", text)
	}
	q.side = uint8(side)
	switch words[1] {
	case "move":
		if q.kind = nth; len(words) == 3 {
			q.k, _ = strconv.Atoi(words[2])
		}
		if q.k < 1 || q.k > rounds {
			return q, fmt.Errorf("want a number of a move up to %d in %q", rounds, text)
		}
		return q, nil
	case "beyond":
		q.kind = beyond
		q.these, err = parseSteps(words[2:])
		return q, err
	}
	return q, fmt.Errorf("%q is no question", text)
}

func first(words []string) string {
	if len(words) == 0 {
		return ""
	}
	return words[0]
}

// parseSteps reads moves and puts them into their order.
func parseSteps(words []string) ([]step, error) {
	steps := make([]step, len(words))
	for i, w := range words {
		var err error
		if steps[i], err = parseStep(w); err != nil {
			return nil, err
		}
	}
	slices.Sort(steps)
	return steps, nil
}

func isCode(s string) bool {
	return len(s) == 3 && s[0] >= 'A' && s[0] <= 'E' && s[1] >= '0' && s[1] <= '9' && s[2] >= '0' && s[2] <= '9'
}
