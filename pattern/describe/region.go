package describe

import (
	"fmt"
	"slices"
	"strings"

	"qipu/board"
	"qipu/pattern"
)

// place is a word for an anchor with its edges.
type place struct {
	text   text
	anchor pattern.Anchor
	edges  pattern.Edges
}

// places lists the words for where a region lies, but for fixed ones. The first
// of several for one place is written.
var places = []place{
	{text{"浮動", "floating"}, pattern.Floating, 0},
	{text{"中腹", "centre"}, pattern.Centre, 0},
	{text{"中央", "center"}, pattern.Centre, 0},
	{text{"角", "corner"}, pattern.Corner, pattern.Top | pattern.Left},
	{text{"左上角", "top left corner"}, pattern.Corner, pattern.Top | pattern.Left},
	{text{"右上角", "top right corner"}, pattern.Corner, pattern.Top | pattern.Right},
	{text{"左下角", "bottom left corner"}, pattern.Corner, pattern.Bottom | pattern.Left},
	{text{"右下角", "bottom right corner"}, pattern.Corner, pattern.Bottom | pattern.Right},
	{text{"上兩角", "top corners"}, pattern.Corner, pattern.Top | pattern.Left | pattern.Right},
	{text{"下兩角", "bottom corners"}, pattern.Corner, pattern.Bottom | pattern.Left | pattern.Right},
	{text{"左兩角", "left corners"}, pattern.Corner, pattern.Top | pattern.Bottom | pattern.Left},
	{text{"右兩角", "right corners"}, pattern.Corner, pattern.Top | pattern.Bottom | pattern.Right},
	{text{"邊", "side"}, pattern.Side, pattern.Top},
	{text{"上邊", "top side"}, pattern.Side, pattern.Top},
	{text{"下邊", "bottom side"}, pattern.Side, pattern.Bottom},
	{text{"左邊", "left side"}, pattern.Side, pattern.Left},
	{text{"右邊", "right side"}, pattern.Side, pattern.Right},
	{text{"上下邊", "top and bottom sides"}, pattern.Side, pattern.Top | pattern.Bottom},
	{text{"左右邊", "left and right sides"}, pattern.Side, pattern.Left | pattern.Right},
}

// headOf returns where a region lies and its size.
func (n *Namer) headOf(p *pattern.Pattern) string {
	size := p.Size.String()
	switch {
	case n.whole(p):
		return text{"全盤", "whole board"}[n.lang]
	case p.Anchor == pattern.Fixed:
		return text{"定於", "at "}[n.lang] + n.name(p.At) + " " + size
	}
	i := slices.IndexFunc(places, func(pl place) bool { return pl.anchor == p.Anchor && pl.edges == p.Edges })
	if n.lang == zh {
		return places[i].text[zh] + size
	}
	return places[i].text[en] + " " + size
}

// head reads where the region lies, and reports false where the name does not
// begin with that.
func (r *reader) head(d *draft) (bool, error) {
	if r.eat("全盤", "whole board") {
		d.Anchor, d.Size = pattern.Fixed, r.n.g.Size
		return true, nil
	}
	if r.eat("定於", "at") {
		at, ok, err := r.point(false, r.n.g.Size)
		if err != nil {
			return true, err
		}
		if !ok {
			return true, r.errorf(r.at, "%s is no point: write the top left one of the region, such as %s", r.rest(), r.n.name(0))
		}
		d.Anchor, d.At = pattern.Fixed, at
		return true, r.size(d)
	}
	for _, pl := range places {
		if r.eat(pl.text[:]...) {
			d.Anchor, d.Edges = pl.anchor, pl.edges
			return true, r.size(d)
		}
	}
	return false, nil
}

// size reads the size of the region.
func (r *reader) size(d *draft) error {
	r.skip()
	start := r.at
	w, ok := r.number()
	if ok = ok && r.eat("x"); ok {
		d.Size.W = w
		d.Size.H, ok = r.number()
	}
	if !ok {
		r.at = start
		return r.errorf(start, "%s is no size: write columns x rows, as in 7x7", r.rest())
	}
	if d.Size.W < 1 || d.Size.H < 1 || d.Size.W > pattern.MaxRegion || d.Size.H > pattern.MaxRegion {
		return r.errorf(start, "a region of %v is out of range: 1 to %d columns and rows", d.Size, pattern.MaxRegion)
	}
	return nil
}

// origin returns the point of the board under the top left cell of a region, as
// far as it has one place there in which all of it lies on the board.
func (n *Namer) origin(p *pattern.Pattern) (x, y int, ok bool) {
	b := n.g.Size
	if p.Anchor == pattern.Fixed {
		x, y = p.At.X(), p.At.Y()
		return x, y, x+p.Size.W <= b.W && y+p.Size.H <= b.H
	}
	if p.Anchor != pattern.Corner || p.Size.W > b.W || p.Size.H > b.H {
		return 0, 0, false
	}
	if p.Edges&pattern.Left == 0 {
		x = b.W - p.Size.W
	}
	if p.Edges&pattern.Top == 0 {
		y = b.H - p.Size.H
	}
	return x, y, true
}

// pointName returns the name of a cell of a pattern, or nothing where it has
// none.
func (n *Namer) pointName(p *pattern.Pattern, i int) string {
	x, y := i%p.Size.W, i/p.Size.W
	if left, top, ok := n.origin(p); ok {
		return n.name(board.At(left+x, top+y))
	}
	if x >= 26 {
		return ""
	}
	return local(x, y)
}

// ground returns what most cells are that a name need not mention.
func (n *Namer) ground(p *pattern.Pattern) pattern.Set {
	empty, open := 0, 0
	for _, set := range p.Cells {
		switch set {
		case pattern.Empty:
			empty++
		case n.on:
			open++
		}
	}
	switch {
	case empty > open:
		return pattern.Empty
	case open > empty:
		return n.on
	}
	return n.fill
}

// list returns the name that lists points by their states, or nothing where
// there are too many.
func (n *Namer) list(p *pattern.Pattern) string {
	fill := n.ground(p)
	var sets []pattern.Set
	points := map[pattern.Set][]string{}
	count := 0
	for i, set := range p.Cells {
		if set == fill {
			continue
		}
		name := n.pointName(p, i)
		if count++; count > longest || name == "" {
			return ""
		}
		if points[set] == nil {
			sets = append(sets, set)
		}
		points[set] = append(points[set], name)
	}
	slices.Sort(sets)
	// Points that must be empty come behind the pieces.
	if i := slices.Index(sets, pattern.Empty); i >= 0 {
		sets = append(slices.Delete(sets, i, i+1), pattern.Empty)
	}
	var groups []string
	for _, set := range sets {
		states, items := n.states(set, n.hans)
		if count += items - 1; count > longest {
			return ""
		}
		if n.lang == zh {
			groups = append(groups, states+strings.Join(points[set], "、"))
		} else {
			groups = append(groups, states+" "+strings.Join(points[set], " "))
		}
	}
	name := n.headOf(p)
	if len(groups) > 0 {
		name += text{" ", ": "}[n.lang] + strings.Join(groups, text{" ", ", "}[n.lang])
	}
	return name + n.suffix(p, fill, false)
}

// diagram returns the name that draws the region. Every pattern has one.
func (n *Namer) diagram(p *pattern.Pattern) string {
	var counts []string
	for i, side := range n.men {
		if k := count(p, side); k > 0 {
			counts = append(counts, n.sides[i][n.lang]+text{"", " "}[n.lang]+fmt.Sprint(k))
		}
	}
	name := n.headOf(p) + " "
	if len(counts) > 0 {
		name += strings.Join(counts, text{"", " "}[n.lang]) + " "
	}
	return name + text{"圖", "diagram"}[n.lang] + " " + n.draw(p) + n.suffix(p, n.fill, false)
}

// count returns how many cells hold one of these states in any case.
func count(p *pattern.Pattern, states pattern.Set) (k int) {
	for _, set := range p.Cells {
		if set&^states == 0 {
			k++
		}
	}
	return k
}

// draw returns the diagram with its runs.
func (n *Namer) draw(p *pattern.Pattern) string {
	plain := pattern.Pattern{Size: p.Size, Cells: p.Cells}
	var out strings.Builder
	for y, line := range strings.Split(strings.TrimSuffix(plain.Format(n.g), "\n"), "\n") {
		if y > 0 {
			out.WriteByte('/')
		}
		cells := strings.Fields(line)
		for i := 0; i < len(cells); {
			run := 1
			for i+run < len(cells) && cells[i+run] == cells[i] {
				run++
			}
			if run > 1 {
				fmt.Fprint(&out, run)
			}
			out.WriteString(cells[i])
			i += run
		}
	}
	return out.String()
}

// region reads what stands behind the head: points by their states, or counts
// and a diagram.
func (r *reader) region(d *draft) error {
	if d.within > 0 {
		return r.errorf(d.within-1, "a second place for the region: the name begins with one: leave out 限 (within)")
	}
	d.blank()
	type sum struct {
		at, n int
		set   pattern.Set
	}
	var sums []sum
	listed := make([]bool, len(d.Cells))
	some := false // points are listed
	left, top, fixed := r.n.origin(&d.Pattern)
	for !r.done() {
		start := r.at
		if r.eat("圖", "diagram") {
			if some || d.filled > 0 {
				return r.errorf(start, "a diagram beside points or a rest: it draws all points: leave out the others")
			}
			if err := r.diagram(d); err != nil {
				return err
			}
			for _, s := range sums {
				if k := count(&d.Pattern, s.set); k != s.n {
					return r.errorf(s.at, "the diagram holds %d of these, not %d: write the number that it holds", k, s.n)
				}
			}
			return nil
		}
		if side, k, ok := r.count(); ok {
			sums = append(sums, sum{start, k, r.n.men[side]})
			continue
		}
		set, err := r.states(anySide)
		if err != nil {
			return err
		}
		for k := 0; ; k++ {
			r.skip()
			start := r.at
			at, ok, err := r.point(!fixed, d.Size)
			if err != nil {
				return err
			}
			if !ok && k == 0 {
				return r.errorf(r.at, "%s is no point: write those that hold the state before it", r.rest())
			}
			if !ok {
				break
			}
			some = true
			x, y := at.X(), at.Y()
			if fixed {
				x, y = x-left, y-top
			}
			if x < 0 || y < 0 || x >= d.Size.W || y >= d.Size.H {
				return r.errorf(start, "%s lies outside the region: make the region larger", r.n.name(at))
			}
			i := y*d.Size.W + x
			if listed[i] && d.Cells[i] != set {
				return r.errorf(start, "%s is listed twice: join its states with 或 (or)", r.n.pointName(&d.Pattern, i))
			}
			d.Cells[i], listed[i] = set, true
		}
	}
	if len(sums) > 0 {
		return r.errorf(sums[0].at, "a count without a diagram: draw it behind 圖 (diagram)")
	}
	return nil
}

// count reads how many pieces of a side a diagram holds.
func (r *reader) count() (side, k int, ok bool) {
	start := r.at
	for i, w := range r.n.sides {
		if r.eat(w[:]...) {
			if k, ok = r.number(); ok {
				return i, k, true
			}
		}
		r.at = start
	}
	return 0, 0, false
}

// diagram reads a diagram up to the end.
func (r *reader) diagram(d *draft) error {
	known := map[string]pattern.Set{}
	x, y := 0, 0
	row := func(at int) error {
		if x != d.Size.W {
			return r.errorf(at, "row %d of the diagram has %d cells: the region is %v", y+1, x, d.Size)
		}
		x, y = 0, y+1
		return nil
	}
	for ; r.at < r.end; r.at++ {
		start, run := r.at, 1
		switch c := r.text[r.at]; {
		case c == ' ':
			continue
		case c == '/':
			if err := row(start); err != nil {
				return err
			}
			continue
		case digit(c):
			k, ok := r.number()
			if !ok || k < 1 || k > pattern.MaxRegion {
				return r.errorf(start, "a run of more than %d cells, or of none", pattern.MaxRegion)
			}
			run = k
		}
		text, err := r.cell()
		if err != nil {
			return err
		}
		set, ok := known[text]
		if !ok {
			// The cell before it keeps digits from being read as sets.
			q, err := pattern.Parse(r.n.g, "~"+text)
			if err != nil || len(q.Cells) != 2 || q.Anchor != pattern.Floating {
				return r.errorf(start, "%q is no cell of a diagram%s", text, reason(err))
			}
			set = q.Cells[1]
			known[text] = set
		}
		if y >= d.Size.H || x+run > d.Size.W {
			return r.errorf(start, "row %d of the diagram goes beyond the region of %v", y+1, d.Size)
		}
		for range run {
			d.Cells[y*d.Size.W+x] = set
			x++
		}
	}
	if err := row(r.at); err != nil {
		return err
	}
	if y != d.Size.H {
		return r.errorf(r.at, "%d rows in the diagram: the region is %v", y, d.Size)
	}
	return nil
}

// cell takes the text of a cell and stops on its last character.
func (r *reader) cell() (string, error) {
	start := r.at
	if r.at >= r.end {
		return "", r.errorf(start, "a number without a cell behind it: write what it repeats")
	}
	if r.text[r.at] == '[' {
		for r.at < r.end && r.text[r.at] != ']' {
			r.at++
		}
		if r.at >= r.end {
			return "", r.errorf(start, "a set without end: close it with ]")
		}
	}
	return string(r.text[start : r.at+1]), nil
}

// reason returns what an error about a cell says behind its place, which is one
// in a text that the user never saw.
func reason(err error) string {
	if err == nil {
		return ""
	}
	_, why, _ := strings.Cut(err.Error(), "column ")
	_, why, _ = strings.Cut(why, ": ")
	return ": " + why
}
