package named

import (
	"strings"

	"qipu/board"
	"qipu/game"
	"qipu/interval"
	"qipu/opening/ecco"
)

// codeSource tells where codes come from.
const codeSource = "ECCO, the Encyclopedia of Chinese Chess Openings (2004); definitions learnt from the records of CCPD by Yu-Han Tseng and Bo-Nian Chen"

// codePlies is how many plies decide about a code.
const codePlies = 20

// addCodes adds the codes of openings, where the game has some: groups, which are
// all codes that begin alike, and single ones.
func (b *Items) addCodes() {
	if m := b.openings.Marker(); m != nil {
		b.addPositionCodes(m)
		return
	}
	if !ecco.Holds(b.rules) {
		return
	}
	planar, ok := b.rules.Start().(game.Planar)
	if !ok {
		return
	}
	size, planes := b.rules.Geometry().Size, planar.Planes()
	start := make([]board.Piece, size.Area())
	for p := range size.Points() {
		start[size.Index(p)] = planes.At(p)
	}
	marker := len(b.markers)
	b.markers = append(b.markers, ecco.Marker(start))
	list := ecco.List()
	add := func(code string, names board.Names) {
		it := &Item{ID: code, Kind: Code, Names: names, Coined: []string{"ja", "ko"}, Source: codeSource, marker: marker}
		if len(code) > 1 {
			it.Parent = code[:len(code)-1]
		}
		for i, e := range list {
			if strings.HasPrefix(e.Code, code) {
				it.columns = append(it.columns, i)
			}
		}
		it.find = b.marked(it)
		b.items = append(b.items, it)
	}
	for _, g := range ecco.Groups() {
		add(g.Prefix, g.Names)
	}
	for _, e := range list {
		add(e.Code, e.Names)
	}
	b.coded = true
}

// addPositionCodes adds the codes that positions have.
func (b *Items) addPositionCodes(m interval.Marker) {
	marker := len(b.markers)
	b.markers = append(b.markers, m)
	list := b.openings.Codes()
	byCode := map[string]*Item{}
	for i, c := range list {
		for n := 1; n <= len(c.Code); n++ {
			code := c.Code[:n]
			it := byCode[code]
			if it == nil {
				it = &Item{ID: code, Kind: Code, Names: c.Names, Source: b.openings.CodeSource(), marker: marker}
				if n > 1 {
					it.Parent = code[:n-1]
				}
				it.find = b.marked(it)
				byCode[code] = it
				b.items = append(b.items, it)
			}
			it.columns = append(it.columns, i)
		}
	}
	for code, it := range byCode {
		if lines := b.openings.CodeLines(code); len(lines) == 0 { // a group: by its codes, and what the first is called
			last := it.columns[len(it.columns)-1]
			it.Names = each(it.Names, func(s string) string { return list[it.columns[0]].Code + "-" + list[last].Code + " " + s })
		} else {
			it.Names = each(it.Names, func(s string) string { return code + " " + s })
		}
	}
}

// each applies a function to names in all languages.
func each(n board.Names, f func(string) string) board.Names {
	return board.Names{En: f(n.En), Hant: f(n.Hant), Hans: f(n.Hans), Ja: f(n.Ja), Ko: f(n.Ko)}
}

// appendCode appends the code of a line from the usual start.
func (b *Items) appendCode(hits []Hit, moves []game.Move) []Hit {
	if code, _ := b.openings.Coded(moves); code != "" {
		return append(hits, Hit{Item: b.byID[code], Side: Both})
	}
	if !b.coded {
		return hits
	}
	code, settled := ecco.Classify(moves)
	if it := b.byID[code]; it != nil && (settled < len(moves) || len(moves) >= codePlies) { // else the next moves may change it
		hits = append(hits, Hit{Item: it, Side: Both})
	}
	return hits
}

// Definition returns the definition of a code as text: the ways in which a game
// comes to have it. It is empty for items of other kinds.
func (b *Items) Definition(it *Item) string {
	if it.Kind != Code {
		return ""
	}
	if !b.coded {
		var lines []string
		for _, line := range b.openings.CodeLines(it.ID) {
			lines = append(lines, b.line(line)+"\n")
		}
		return strings.Join(lines, "")
	}
	e, ok := ecco.Lookup(it.ID)
	if !ok {
		return ""
	}
	var ways []string
	for _, way := range e.Definitions() {
		ways = append(ways, strings.Join(way, "\n"))
	}
	return strings.Join(ways, "\n\nor\n\n") + "\n"
}
