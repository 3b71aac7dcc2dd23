package dhtmlxq

import (
	"slices"
	"strconv"
	"strings"

	"qipu/record"
	"qipu/record/facts"
	"qipu/record/fen"
)

// builder makes a game of tags.
type builder struct {
	limits record.Limits
	game   *record.Game

	binit, fen string
	branches   map[int32]*branch
	order      []*branch // as they stand in the file
	notes      []remark
	full       bool
}

// branch is a line of moves.
type branch struct {
	parent, ply, id int32 // ply is the number of its first move
	from            int32 // its first node; the others follow it
	count           int32
	state           state
	tag             record.Tag // its name, and its moves
}

type state uint8

const (
	waiting state = iota
	running       // its parent is being looked for
	placed
	lost
)

// remark is a comment and the move that it belongs to.
type remark struct {
	branch, ply int32
	node        int32
	tag         record.Tag
}

func (b *builder) build(list []entry) {
	g := b.game
	g.Add(0, record.Unstated, "")
	b.branches = map[int32]*branch{}
	moves := 0
	for _, e := range list {
		if isMoves(e.name) {
			moves += len(e.value) / 4
		}
	}
	g.Nodes = slices.Grow(g.Nodes, min(moves, b.limits.Nodes))
	unclosed := 0
	for _, e := range list {
		if e.unclosed {
			unclosed++
		}
		b.take(e)
	}
	if unclosed > 0 {
		g.Fault(record.Note, record.KindSyntax, 0, "%d tags are not closed", unclosed)
	}
	if b.branches[0] == nil {
		main := &branch{ply: 1}
		b.branches[0] = main
		b.order = append([]*branch{main}, b.order...)
	}
	for _, br := range b.order {
		b.place(br)
	}
	b.comments()
	b.game.Link()
	b.start()
	b.facts()
}

// take sorts one tag: moves, comments and the position aside, the others are
// headers.
func (b *builder) take(e entry) {
	name := strings.ToLower(e.name)
	tag := record.Tag{Name: e.name, Value: e.value}
	switch {
	case name == "binit" && b.binit == "":
		b.binit = strings.TrimSpace(e.value)
	case name == "movelist":
		br := &branch{ply: 1, tag: tag}
		b.branches[0] = br
		b.order = append(b.order, br)
	case strings.HasPrefix(name, "move_"):
		if n, ok := numbers(name[len("move_"):], 3); ok && n[1] > 0 && n[2] > 0 && b.branches[n[2]] == nil {
			br := &branch{parent: n[0], ply: n[1], id: n[2], tag: tag}
			b.branches[br.id] = br
			b.order = append(b.order, br)
		} else {
			b.stray(tag)
		}
	case strings.HasPrefix(name, "comment"):
		rest := name[len("comment"):]
		if n, ok := numbers(rest, 1); ok {
			b.notes = append(b.notes, remark{ply: n[0], tag: tag})
		} else if n, ok := numbers(rest, 2); ok {
			b.notes = append(b.notes, remark{branch: n[0], ply: n[1], tag: tag})
		} else {
			b.stray(tag)
		}
	case name == "fen" && b.fen == "":
		b.fen = strings.Join(strings.Fields(e.value), " ")
	default:
		b.header(tag)
	}
}

// header adds a tag to the game.
func (b *builder) header(tag record.Tag) {
	if len(b.game.Tags) < b.limits.Props {
		b.game.Tags = append(b.game.Tags, tag)
	} else {
		b.limit("tags", b.limits.Props)
	}
}

func (b *builder) limit(what string, n int) {
	if !b.full {
		b.full = true
		b.game.Fault(record.Marked, record.KindLimit, 0, "more than %d %s: the rest is left out", n, what)
	}
}

// stray keeps a tag that belongs to no move.
func (b *builder) stray(tag record.Tag) {
	b.header(tag)
	b.fault(record.Marked, record.KindSyntax, 0, "%s belongs to no move", tag.Name)
}

// maxFaults is how many faults of one game are told.
const maxFaults = 50

func (b *builder) fault(s record.Severity, kind string, move int, format string, args ...any) {
	if len(b.game.Faults) < maxFaults {
		b.game.Fault(s, kind, move, format, args...)
	}
}

// isMoves reports whether a tag holds a line of moves.
func isMoves(name string) bool {
	name = strings.ToLower(name)
	return name == "movelist" || strings.HasPrefix(name, "move_")
}

// onlyDigits returns the digits of a list of moves, and whether there is
// something else in it than white space.
func onlyDigits(text string) (digits string, strange bool) {
	plain := true
	for i := range len(text) {
		plain = plain && digit(text[i])
	}
	if plain {
		return text, false
	}
	digits = strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, text)
	return digits, len(digits) < len(strings.Join(strings.Fields(text), ""))
}

// numbers reads n numbers with "_" between them.
func numbers(s string, n int) (list [3]int32, ok bool) {
	for i := range n {
		part := s
		if i < n-1 {
			var found bool
			if part, s, found = strings.Cut(s, "_"); !found {
				return list, false
			}
		}
		v, err := strconv.Atoi(part)
		if err != nil || v < 0 || v > 1<<24 {
			return list, false
		}
		list[i] = int32(v)
	}
	return list, true
}

// place adds the moves of a branch behind the node that it leaves, and those of
// the branches it depends on before it. Branches that hang in a circle or
// nowhere are kept as tags.
func (b *builder) place(br *branch) {
	var chain []*branch
	for br != nil && br.state == waiting {
		br.state = running
		chain = append(chain, br)
		if br.id == 0 {
			break
		}
		br = b.branches[br.parent]
	}
	for i := len(chain) - 1; i >= 0; i-- {
		br := chain[i]
		parent, ok := int32(0), br.id == 0
		if !ok {
			parent, ok = b.node(b.branches[br.parent], br.ply-1)
		}
		if !ok {
			br.state = lost
			b.stray(br.tag)
			continue
		}
		br.state = placed
		b.addMoves(br, parent)
	}
}

// node returns the node of move ply of a branch; one before its first move is
// the node that it hangs on.
func (b *builder) node(br *branch, ply int32) (int32, bool) {
	if br == nil || br.state != placed {
		return 0, false
	}
	i := ply - br.ply
	switch {
	case i >= 0 && i < br.count:
		return br.from + i, true
	case i == -1 && br.count > 0:
		return b.game.Nodes[br.from].Parent, true
	case i == -1 && br.id == 0:
		return 0, true
	}
	return 0, false
}

// addMoves adds the moves of a branch as nodes.
func (b *builder) addMoves(br *branch, parent int32) {
	g := b.game
	digits, strange := onlyDigits(br.tag.Value)
	if strange {
		b.fault(record.Marked, record.KindSyntax, 0, "%s has something else than digits", name(br))
	}
	if len(digits)%4 != 0 {
		b.fault(record.Marked, record.KindSyntax, 0, "%s ends in the middle of a move", name(br))
	}
	br.from = int32(len(g.Nodes))
	for i := 0; i+4 <= len(digits); i += 4 {
		if len(g.Nodes) > b.limits.Nodes {
			b.limit("moves", b.limits.Nodes)
			return
		}
		g.Nodes = append(g.Nodes, record.Node{Parent: parent, Move: moveText(digits[i : i+4])})
		parent = int32(len(g.Nodes) - 1)
		br.count++
	}
}

func name(br *branch) string {
	if br.id == 0 {
		return "movelist"
	}
	return br.tag.Name
}

// comments puts the comments on their nodes. Several on one node are parted by
// line breaks.
func (b *builder) comments() {
	list := b.notes[:0]
	for _, r := range b.notes {
		var ok bool
		if r.node, ok = b.node(b.branches[r.branch], r.ply); !ok || r.ply == 0 && r.branch != 0 {
			b.stray(r.tag)
		} else if r.tag.Value != "" {
			list = append(list, r)
		}
	}
	slices.SortStableFunc(list, func(a, b remark) int { return int(a.node) - int(b.node) })
	for i := 0; i < len(list); {
		text := []string{list[i].tag.Value}
		j := i + 1
		for ; j < len(list) && list[j].node == list[i].node; j++ {
			text = append(text, list[j].tag.Value)
		}
		b.game.Nodes[list[i].node].More().Comment = strings.Join(text, "\n")
		i = j
	}
}

// start finds the position that the game begins from.
func (b *builder) start() {
	g := b.game
	if b.fen != "" {
		g.Start = fenStart(b.fen)
		return
	}
	board := usualBoard
	if b.binit != "" && b.binit != usualBinit {
		var fault string
		if board, fault = readBinit(b.binit); fault != "" {
			g.Fault(record.Marked, record.KindSetup, 0, "binit: %s", fault)
		}
		if board == nil {
			g.Start = b.binit
			return
		}
	}
	black := false
	if child := g.Nodes[0].Child; child != 0 {
		from, _, ok := readMove(g.Nodes[child].Move, 9)
		black = ok && blackAt(board, from)
	}
	g.Start = board.Text(black)
}

// fenStart returns the position text of a tag fen, empty for the usual start.
func fenStart(text string) string {
	rows, rest, _ := strings.Cut(text, " ")
	if side, more, _ := strings.Cut(rest, " "); side == "r" {
		rest = strings.TrimSpace("w " + more)
		text = rows + " " + rest
	}
	if rows == fen.Usual && (rest == "" || rest == "w" || rest == "w - - 0 1") {
		return ""
	}
	return text
}

// facts fills in the normalised headers.
func (b *builder) facts() {
	g := b.game
	f := &g.Facts
	get := func(names ...string) string {
		for _, name := range names {
			for i := range g.Tags {
				if strings.EqualFold(g.Tags[i].Name, name) && strings.TrimSpace(g.Tags[i].Value) != "" {
					return facts.CleanName(g.Tags[i].Value)
				}
			}
		}
		return ""
	}
	for i, side := range [2]string{"red", "black"} {
		f.Players[i] = facts.Player{
			Name:   get(side+"name", side),
			Team:   get(side + "team"),
			Rating: facts.ParseRating(get(side + "rating")),
		}
	}
	if f.Event = get("event", "title"); f.Event == "无标题" || f.Event == "無標題" { // "untitled", put in by programs
		f.Event = ""
	}
	f.Round = get("round")
	f.Place = get("place")
	f.Date = facts.ParseDate(get("date"))
	f.Result = facts.ParseResult(facts.RedFirst, get("result"))
	f.Opening = get("open")
	f.Code = get("ecco")
	f.Time = get("timerule")
	f.Author = get("annotator", "author")
	f.Source = get("refer", "from")
}
