package counted

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"

	"qipu/record/score"

	"qipu/board"
	"qipu/ingest"
	"qipu/record"
)

// Own is the format of labels: a line of comment that begins with "#", the rows
// of the board from the top (X Black's, O White's, "." empty), an empty line, and
// the rows again with whose every point is (B, W, "=" nobody's).
var Own record.Format = own{}

type own struct{}

var ownInfo = record.FormatInfo{Name: "own", Title: "Owners of points", Extensions: []string{"own"}, Kinds: []string{"weiqi"}, Single: true}

func (own) Info() *record.FormatInfo { return &ownInfo }

// Sniff is sure of files that bear the ending, and of no others.
func (own) Sniff(head []byte, name string) int {
	if strings.HasSuffix(strings.ToLower(name), ".own") && bytes.HasPrefix(head, []byte("#")) {
		return 100
	}
	return 0
}

// Read yields one record: the stones as a set-up, the owners as marks.
func (own) Read(src *record.Source) iter.Seq2[*record.Game, error] {
	return func(yield func(*record.Game, error) bool) {
		data, fault := src.Whole()
		if fault != nil {
			yield(nil, fault)
			return
		}
		g, err := parseOwn(string(data))
		if err != nil {
			yield(nil, src.Fault(record.Rejected, record.KindSyntax, 0, 0, 0, err.Error()))
			return
		}
		g.Place.File, g.Place.Number, g.Raw = src.Name, 1, data
		yield(g, nil)
	}
}

func parseOwn(text string) (*record.Game, error) {
	var parts [2][]string
	part := 0
	for i, line := range strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n") {
		switch {
		case i == 0 && strings.HasPrefix(line, "#"):
		case line != "" && part < 2:
			parts[part] = append(parts[part], line)
		case line == "" && len(parts[0]) > 0:
			part++
		}
	}
	stones, owners := parts[0], parts[1]
	if len(stones) == 0 || len(stones) != len(owners) || len(stones) > board.MaxSide || len(stones[0]) > board.MaxSide {
		return nil, fmt.Errorf("%d rows of stones and %d of owners: want as many of both, parted by an empty line", len(stones), len(owners))
	}
	g := &record.Game{Kind: "weiqi", Variant: fmt.Sprintf("%dx%d", len(stones[0]), len(stones)), Notation: "sgf", Format: ownInfo.Name, Encoding: "utf-8"}
	root := &g.Nodes
	*root = append(*root, record.Node{})
	extra := (*root)[0].More()
	marks := [2]record.Prop{{Name: "TB"}, {Name: "TW"}}
	for y := range stones {
		if len(stones[y]) != len(stones[0]) || len(owners[y]) != len(stones[0]) {
			return nil, fmt.Errorf("row %d is not as long as the first one", y+1)
		}
		for x := range len(stones[y]) {
			point := string([]byte{'a' + byte(x), 'a' + byte(y)})
			switch c := stones[y][x]; c {
			case 'X', 'O':
				extra.Setup = append(extra.Setup, record.Put{Piece: board.Piece(1 + strings.IndexByte("XO", c)), Point: point})
			case '.':
			default:
				return nil, fmt.Errorf("row %d has %q: want X, O or a dot", y+1, c)
			}
			switch c := owners[y][x]; c {
			case 'B', 'W':
				m := &marks[strings.IndexByte("BW", c)]
				m.Values = append(m.Values, point)
			case '=':
			default:
				return nil, fmt.Errorf("row %d of the owners has %q: want B, W or =", y+1, c)
			}
		}
	}
	extra.Props = append(extra.Props, marks[0], marks[1])
	return g, nil
}

// natural compares names as people order them, numbers in them by their value.
func natural(a, b string) int {
	for a != "" && b != "" {
		x, y := digits(a), digits(b)
		if x == 0 || y == 0 {
			if a[0] != b[0] {
				return cmp.Compare(a[0], b[0])
			}
			a, b = a[1:], b[1:]
			continue
		}
		m, n := strings.TrimLeft(a[:x], "0"), strings.TrimLeft(b[:y], "0")
		if c := cmp.Or(cmp.Compare(len(m), len(n)), cmp.Compare(m, n)); c != 0 {
			return c
		}
		a, b = a[x:], b[y:]
	}
	return cmp.Compare(len(a), len(b))
}

// digits returns how many digits a text begins with.
func digits(text string) int { return len(text) - len(strings.TrimLeft(text, "0123456789")) }

// Read reads the boards below paths, as [ingest.Run] finds files, whose owners
// or whose score is known, in the natural order of their paths. A file X.own labels
// the board of X.sgf in the same folder; it stands for itself where there is none. o
// needs Formats and Games; its Sink is not used. A label whose stones are not those of
// the record is an error; records without a count, and those that cannot be played,
// are left out.
func Read(ctx context.Context, o ingest.Options, paths ...string) ([]*Board, error) {
	c := &collector{labels: map[string]*Board{}}
	o.Formats = append(slices.Clip(o.Formats), Own)
	o.Sink = c
	if _, err := ingest.Run(ctx, o, paths...); err != nil {
		return nil, err
	}
	return c.boards()
}

// collector gathers boards, and labels by the path of the record that they
// belong to.
type collector struct {
	list   []found
	labels map[string]*Board
}

type found struct {
	*Board
	path string
}

// Add takes a record.
func (c *collector) Add(_ context.Context, p *record.Played) error {
	b, err := FromRecord(p)
	if err != nil {
		return nil
	}
	path := score.Stem(p.Game.Place.File)
	if p.Game.Format == ownInfo.Name {
		if !b.Labelled { // nobody owns anything, and that is known
			b.Label(new([2]board.Plane))
		}
		c.labels[path] = b
		return nil
	}
	c.list = append(c.list, found{b, path})
	return nil
}

// boards joins labels to boards.
func (c *collector) boards() ([]*Board, error) {
	kept := c.list[:0]
	for _, f := range c.list {
		if label := c.labels[f.path]; label != nil {
			if !label.Setup.Board.Equal(f.Setup.Board) {
				return nil, fmt.Errorf("counted: %s.own has other stones than the end of the record beside it: label that position", f.path)
			}
			f.Labelled, f.Owner, f.Taken = true, label.Owner, label.Taken
			delete(c.labels, f.path)
		}
		if f.Labelled || f.Counted {
			kept = append(kept, f)
		}
	}
	for path, b := range c.labels {
		kept = append(kept, found{b, path})
	}
	slices.SortStableFunc(kept, func(a, b found) int {
		return cmp.Or(natural(a.path, b.path), natural(a.Name, b.Name))
	})
	list := make([]*Board, len(kept))
	for i := range kept {
		list[i] = kept[i].Board
	}
	return list, nil
}
