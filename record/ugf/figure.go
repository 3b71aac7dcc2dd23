package ugf

import (
	"strconv"
	"strings"

	"qipu/record"
)

// figure reads the section [Figure]: comments to moves, and diagrams, which
// are passed over.
type figure struct {
	node    int32
	lines   map[int32][]string // of the texts, by node
	inText  bool
	diagram bool
}

func (f *figure) line(r *reader, line string) {
	switch {
	case strings.HasPrefix(line, ".EndFig"):
		f.diagram, f.inText = false, false
	case f.diagram:
	case strings.HasPrefix(line, ".Fig"):
		f.diagram = true
		r.leave(".Fig")
	case strings.HasPrefix(line, ".EndText"):
		f.inText = false
	case strings.HasPrefix(line, ".Text"):
		f.begin(r, line)
	case !f.inText:
		if strings.TrimSpace(line) != "" {
			r.leave(word(line))
		}
	case strings.HasPrefix(line, ".#,"):
		f.label(r, line)
	default:
		if f.lines == nil {
			f.lines = map[int32][]string{}
		}
		f.lines[f.node] = append(f.lines[f.node], line)
	}
}

// end gives the texts to their moves.
func (f *figure) end(r *reader) {
	for node, lines := range f.lines {
		r.game.Nodes[node].More().Comment = strings.Join(lines, "\n")
	}
}

// begin finds the move that a text is about.
func (f *figure) begin(r *reader, line string) {
	f.inText, f.node = true, 0
	fields := strings.Split(line, ",")
	if len(fields) < 2 {
		return
	}
	n, err := strconv.Atoi(strings.TrimSpace(fields[1]))
	if err != nil || n < 0 || n >= len(r.number) {
		r.note("the text %q belongs to no move", cut(line))
		return
	}
	f.node = r.number[n]
}

// label reads ".#,6,16,E".
func (f *figure) label(r *reader, line string) {
	fields := strings.SplitN(line, ",", 4)
	x := r.game.Nodes[f.node].More()
	if len(fields) < 4 || len(x.Props) >= r.limits.Props {
		return
	}
	column, _ := strconv.Atoi(fields[1])
	row, _ := strconv.Atoi(fields[2])
	value := r.letters(column-1, row-1, fields[1]+","+fields[2]) + ":" + fields[3]
	x.Props = append(x.Props, record.Prop{Name: "LB", Values: []string{value}})
}
