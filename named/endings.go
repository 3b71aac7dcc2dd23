package named

import (
	"bufio"
	_ "embed"
	"fmt"
	"strings"

	"qipu/board"
	"qipu/engine/endgame"
	"qipu/game"
	"qipu/pattern"
)

// The ids of what tables of endings say of any of them: somebody has a won position, or it
// is drawn.
const (
	WonEnding   = "endgame-won"
	DrawnEnding = "endgame-drawn"
)

//go:embed endings.txt
var endingTexts string

// endingNames are the names that manuals have for endings, by game and ending.
func endingNames() map[string]board.Names {
	all := map[string]board.Names{}
	in := bufio.NewScanner(strings.NewReader(endingTexts))
	for in.Scan() {
		if f := strings.Fields(in.Text()); len(f) > 2 && f[0] != "#" {
			if n := strings.Split(strings.Join(f[2:], " "), " | "); len(n) == 5 {
				all[f[0]+" "+f[1]] = board.Names{En: n[0], Hant: n[1], Hans: n[2], Ja: n[3], Ko: n[4]}
			}
		}
	}
	return all
}

// addEndings adds the endings that tables have in which somebody can win.
func (b *Items) addEndings(tables *endgame.Tables) error {
	r, ok := b.rules.(game.Manned)
	if !ok || tables == nil {
		return nil
	}
	list, err := tables.List(r)
	if err != nil {
		return err
	}
	var names []string
	var kept []endgame.Listed
	for _, l := range list {
		if l.Counts[0].Won+l.Counts[1].Lost > 0 {
			names, kept = append(names, l.Material), append(kept, l)
		}
	}
	m, err := endgame.NewMarker(tables, r, names)
	if err != nil || m == nil {
		return err
	}
	marker := len(b.markers)
	b.markers = append(b.markers, m)
	add := func(it *Item, column int) {
		it.Kind, it.marker, it.columns = Ending, marker, []int{column}
		it.find = b.marked(it)
		b.items = append(b.items, it)
	}
	add(&Item{ID: WonEnding, Names: board.Names{En: "Ending won by the tables", Hant: "例勝殘局", Hans: "例胜残局", Ja: "必勝の終盤", Ko: "이긴 종반"}}, endgame.WonColumn)
	add(&Item{ID: DrawnEnding, Names: board.Names{En: "Ending drawn by the tables", Hant: "例和殘局", Hans: "例和残局", Ja: "引分の終盤", Ko: "비긴 종반"}}, endgame.DrawnColumn)
	called := endingNames()
	for i, l := range kept {
		it := &Item{ID: l.Material}
		if it.Names, ok = called[r.Men().Name+" "+l.Material]; !ok {
			it.Names = b.byPieces(r.Men(), l.Material)
		}
		it.Names.En = strings.ToUpper(it.Names.En[:1]) + it.Names.En[1:]
		add(it, endgame.EndingColumns+i)
	}
	b.tables = tables
	return nil
}

// byPieces names an ending by its pieces.
func (b *Items) byPieces(m *game.Men, ending string) board.Names {
	g := b.rules.Geometry()
	sides := strings.Split(ending, "-")
	text := func(name func(board.Names) string, several func(n int, name string) string, apart, against string) string {
		var both []string
		for side, letters := range sides {
			var words []string
			for kind, k := range m.Kinds {
				n := strings.Count(letters, string(k.Letter))
				if n == 0 || kind == 0 && len(letters) > 1 {
					continue
				}
				piece := k.Piece
				if side == 1 {
					piece = g.Pieces[piece-1].Swap
				}
				word := name(g.Pieces[piece-1].Names)
				if n > 1 {
					word = several(n, word)
				}
				words = append(words, word)
			}
			both = append(both, strings.Join(words, apart))
		}
		return strings.Join(both, against)
	}
	han := func(two string) func(int, string) string {
		return func(n int, name string) string {
			if n == 2 {
				return two + name
			}
			return fmt.Sprint(n, name)
		}
	}
	return board.Names{
		En:   text(func(n board.Names) string { return lastWord(n.En) }, func(n int, name string) string { return fmt.Sprint(n, " ", name, "s") }, ", ", " v "),
		Hant: text(func(n board.Names) string { return lastRune(n.Hant) }, han("雙"), "", "對"),
		Hans: text(func(n board.Names) string { return lastRune(n.Hans) }, han("双"), "", "对"),
		Ja:   text(func(n board.Names) string { return n.Ja }, func(n int, name string) string { return fmt.Sprint(name, n) }, "・", "対"),
		Ko:   text(func(n board.Names) string { return n.Ko }, func(n int, name string) string { return fmt.Sprint(name, n) }, "·", " 대 "),
	}
}

// lastWord returns a piece without its colour: "Red chariot".
func lastWord(s string) string { return strings.ToLower(s[strings.LastIndexByte(s, ' ')+1:]) }

// lastRune is the same where words have no spaces.
func lastRune(s string) string {
	r := []rune(s)
	if len(r) == 0 {
		return ""
	}
	return string(r[len(r)-1])
}

// Table returns what the table of an ending says of all its positions.
func (b *Items) Table(it *Item) (l endgame.Listed, ok bool) {
	r, manned := b.rules.(game.Manned)
	if !manned || b.tables == nil || it.Kind != Ending {
		return l, false
	}
	list, err := b.tables.List(r)
	for _, l := range list {
		if err == nil && l.Material == it.ID {
			return l, true
		}
	}
	return l, false
}

func (b *Items) endingPicture(it *Item) (s game.Setup, roles []pattern.Role, ok bool) {
	l, ok := b.Table(it)
	if !ok || l.Example == "" {
		return s, nil, false
	}
	s, err := game.ParseSetup(b.rules, l.Example)
	return s, nil, err == nil
}
