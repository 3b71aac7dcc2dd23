package life

// Region is a maximal set of connected points without a stone of a colour: empty
// points and the stones of the other side, walled in by stones of that colour.
type Region struct {
	Empty  int // empty points
	Stones int // points with a stone of the other side

	cells, border, inside span
}

// Regions are the regions of one colour on a board. The zero value is ready for
// Reset and is large, so keep and reuse it: Reset allocates nothing once its lists
// have grown. The lists are good until the next Reset.
type Regions struct {
	Colour Stone // whose stones part the regions
	List   []Region

	// Of tells the region of a cell, -1 for stones of the colour and for walls.
	Of [Cells]int16

	cells  []Cell  // of all regions, the empty ones of a region before its stones
	links  []int16 // borders and insides of all regions
	area   []int16 // region of an area
	string []int16 // region of a string of the other side, -1 for own strings
	seen   []int16 // the last region whose border a string was added to
	queue  []int16
}

// Reset finds the regions of a colour. Regions are numbered in the order of the
// areas of the board that they hold; one without empty points, which no legal board
// has, comes last.
func (r *Regions) Reset(b *Board, colour Stone) {
	r.Colour = colour
	r.List, r.cells, r.links = r.List[:0], r.cells[:0], r.links[:0]
	r.area, r.string, r.seen = fill(r.area, len(b.Areas)), fill(r.string, len(b.Strings)), fill(r.seen, len(b.Strings))
	for i := range r.Of {
		r.Of[i] = -1
	}
	for i := range b.Areas {
		if r.area[i] < 0 {
			r.area[i] = int16(len(r.List))
			r.queue = append(r.queue[:0], int16(i))
			r.grow(b)
		}
	}
	for i := range b.Strings {
		if b.Strings[i].Colour != colour && r.string[i] < 0 {
			r.string[i] = int16(len(r.List))
			r.queue = append(r.queue[:0], ^int16(i))
			r.grow(b)
		}
	}
}

// fill returns a list of n times -1 in the place of an old one.
func fill(list []int16, n int) []int16 {
	list = list[:0]
	for range n {
		list = append(list, -1)
	}
	return list
}

// grow adds the region that the one entry of the queue belongs to. Entries are
// areas by number and strings by the complement of theirs.
func (r *Regions) grow(b *Board) {
	number := int16(len(r.List))
	for i := 0; i < len(r.queue); i++ {
		if n := r.queue[i]; n >= 0 {
			for _, s := range b.StringsOf(int(n)) {
				if b.Strings[s].Colour != r.Colour && r.string[s] < 0 {
					r.string[s] = number
					r.queue = append(r.queue, ^s)
				}
			}
		} else {
			for _, a := range b.AreasOf(int(^n)) {
				if r.area[a] < 0 {
					r.area[a] = number
					r.queue = append(r.queue, a)
				}
			}
		}
	}
	var region Region
	region.cells.from = uint16(len(r.cells))
	for _, n := range r.queue {
		if n >= 0 {
			r.cells = append(r.cells, b.Empties(int(n))...)
		}
	}
	region.Empty = len(r.cells) - int(region.cells.from)
	for _, n := range r.queue {
		if n < 0 {
			r.cells = append(r.cells, b.Stones(int(^n))...)
		}
	}
	region.cells.to = uint16(len(r.cells))
	region.Stones = len(r.cells) - int(region.cells.from) - region.Empty
	for _, c := range r.cells[region.cells.from:] {
		r.Of[c] = number
	}
	region.border.from = uint16(len(r.links))
	for _, n := range r.queue {
		if n >= 0 {
			for _, s := range b.StringsOf(int(n)) {
				r.touch(b, s, number)
			}
		} else {
			for _, s := range b.Enemies(int(^n)) {
				r.touch(b, s, number)
			}
		}
	}
	region.border.to = uint16(len(r.links))
	region.inside.from = uint16(len(r.links))
	for _, n := range r.queue {
		if n < 0 {
			r.links = append(r.links, ^n)
		}
	}
	region.inside.to = uint16(len(r.links))
	r.List = append(r.List, region)
}

// touch adds a string to the border of a region, once, if it is of the colour.
func (r *Regions) touch(b *Board, s, number int16) {
	if b.Strings[s].Colour == r.Colour && r.seen[s] != number {
		r.seen[s] = number
		r.links = append(r.links, s)
	}
}

// Cells returns the cells of a region, the empty ones first.
func (r *Regions) Cells(i int) []Cell { return r.cells[r.List[i].cells.from:r.List[i].cells.to] }

// Empties returns the empty cells of a region.
func (r *Regions) Empties(i int) []Cell {
	from := int(r.List[i].cells.from)
	return r.cells[from : from+r.List[i].Empty]
}

// Stones returns the cells of a region with stones of the other side.
func (r *Regions) Stones(i int) []Cell {
	return r.cells[int(r.List[i].cells.from)+r.List[i].Empty : r.List[i].cells.to]
}

// Border returns the strings of the colour beside a region, by number.
func (r *Regions) Border(i int) []int16 { return r.links[r.List[i].border.from:r.List[i].border.to] }

// Inside returns the strings of the other side in a region, by number.
func (r *Regions) Inside(i int) []int16 { return r.links[r.List[i].inside.from:r.List[i].inside.to] }

// Interior reports whether a cell of a region has no stone of the colour beside
// it. Only there can the other side ever have an eye, as long as the border stands.
func (r *Regions) Interior(b *Board, c Cell) bool {
	return b.Stone[c+Up] != r.Colour && b.Stone[c+Left] != r.Colour &&
		b.Stone[c+Right] != r.Colour && b.Stone[c+Down] != r.Colour
}
