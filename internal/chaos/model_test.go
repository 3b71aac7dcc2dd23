package chaos

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
)

// A game of the model is made of its number alone. No two of its stones touch, so
// that any order of its points is a legal game in which nothing is ever captured.
type game struct {
	number                      int
	size                        int
	moves                       []string // as SGF has them; "" is a pass
	black, white, event, result string
}

var (
	names   = []string{"Adana", "Bergen", "Cairo", "Dakar", "Ulsan", "Faro", "Genoa"}
	events  = []string{"Lantern Cup", "Winter Open", "River League"}
	results = []string{"B+R", "W+R", "B+3.5", "W+0.5"}
	tags    = []string{"study", "print"}
	sets    = []string{"masters", "club"}
)

// played begins the numbers of games that are played, not imported.
const played = 100_000

func makeGame(number int) *game {
	r := rand.New(rand.NewPCG(uint64(number), 7))
	g := &game{number: number, size: 9, event: events[r.IntN(len(events))], result: results[r.IntN(len(results))]}
	if r.IntN(4) == 0 {
		g.size = 13
	}
	at := r.Perm(len(names))
	g.black, g.white = names[at[0]], names[at[1]]
	var points []string
	for x := range g.size {
		for y := range g.size {
			if (x+y)%2 == 0 {
				points = append(points, string([]byte{'a' + byte(x), 'a' + byte(y)}))
			}
		}
	}
	r.Shuffle(len(points), func(i, j int) { points[i], points[j] = points[j], points[i] })
	g.moves = slices.Clone(points[:8+r.IntN(12)])
	switch r.IntN(6) {
	case 0: // both pass in the end
		g.moves = append(g.moves, "", "")
	case 1: // one passes in the middle
		g.moves = slices.Insert(g.moves, 4+r.IntN(len(g.moves)-5), "")
	}
	if number >= played {
		g.event, g.result = "Qipu play", "" // which is known when it is over
	}
	return g
}

// key names a game by its moves: what is the same game and what is another.
func (g *game) key() string { return fmt.Sprint(g.size, " ", strings.Join(g.moves, ",")) }

// sgf writes a game.
func (g *game) sgf() string {
	var b strings.Builder
	fmt.Fprintf(&b, "(;GM[1]SZ[%d]PB[%s]PW[%s]EV[%s]RO[%d]RE[%s]DT[2001-02-03]", g.size, g.black, g.white, g.event, g.number, g.result)
	for i, m := range g.moves {
		if m == "" && g.number%2 == 0 {
			m = "tt" // as older programs write a pass
		}
		fmt.Fprintf(&b, ";%c[%s]", "BW"[i%2], m)
	}
	return b.String() + ")\n"
}

var (
	sgfMove   = regexp.MustCompile(`;\s*[BW]\[([a-z]*)\]`)
	sgfHeader = regexp.MustCompile(`\b(SZ|PB|PW|EV|RO|RE)\[([^\]]*)\]`)
)

// readSGF reads what the product has written: records of one line of play.
func readSGF(text string) []*game {
	var list []*game
	for _, part := range strings.Split(text, "(;")[1:] {
		g := &game{}
		for _, m := range sgfMove.FindAllStringSubmatch(part, -1) {
			if m[1] == "tt" {
				m[1] = ""
			}
			g.moves = append(g.moves, m[1])
		}
		for _, h := range sgfHeader.FindAllStringSubmatch(part, -1) {
			switch h[1] {
			case "SZ":
				fmt.Sscan(h[2], &g.size)
			case "PB":
				g.black = h[2]
			case "PW":
				g.white = h[2]
			case "EV":
				g.event = h[2]
			case "RO":
				fmt.Sscan(h[2], &g.number)
			case "RE":
				g.result = h[2]
			}
		}
		list = append(list, g)
	}
	return list
}

// differs tells in what a record is not the game that it should be.
func (g *game) differs(got *game) string {
	switch {
	case g.black != got.black || g.white != got.white:
		return fmt.Sprintf("players %s, %s instead of %s, %s", got.black, got.white, g.black, g.white)
	case g.event != got.event:
		return "event " + got.event
	case g.number < played && g.number != got.number:
		return fmt.Sprintf("round %d instead of %d", got.number, g.number)
	case g.result != got.result && g.result != "":
		return fmt.Sprintf("result %s instead of %s", got.result, g.result)
	}
	g.result = got.result
	return ""
}

// board returns what stands on the board after n moves, the same for all boards
// that are turned or mirrored; "" for a game that is shorter.
func (g *game) board(n int) string {
	if len(g.moves) < n {
		return ""
	}
	least := ""
	for turn := range 8 {
		stones := make([]string, n)
		for i, m := range g.moves[:n] {
			if m == "" {
				return ""
			}
			x, y := m[0]-'a', m[1]-'a'
			last := byte(g.size - 1)
			if turn&1 != 0 {
				x = last - x
			}
			if turn&2 != 0 {
				y = last - y
			}
			if turn&4 != 0 {
				x, y = y, x
			}
			stones[i] = fmt.Sprintf("%c%02d.%02d", "BW"[i%2], x, y)
		}
		slices.Sort(stones)
		if s := fmt.Sprint(g.size, stones); least == "" || s < least {
			least = s
		}
	}
	return least
}

// A truth is what the model knows of something: operations that were killed, or that
// ran at the same time as others, leave things open until they are looked at.
type truth int

const (
	no truth = iota
	open
	yes
)

// entry is a game in a library.
type entry struct {
	*game
	in         truth
	id         int // its number in the library; 0 while it is not known
	tags, sets map[string]truth
}

// shelf is what a library holds, as the model has it.
type shelf struct {
	games   map[string]*entry
	gone    map[string]*entry // deleted: one that comes back may have its tags and collections again
	queries map[string]ask
}

func newShelf() *shelf {
	return &shelf{games: map[string]*entry{}, gone: map[string]*entry{}, queries: map[string]ask{}}
}

func (s *shelf) clone() *shelf {
	c := newShelf()
	for k, e := range s.games {
		f := *e
		f.tags, f.sets = maps.Clone(e.tags), maps.Clone(e.sets)
		c.games[k] = &f
	}
	c.gone, c.queries = maps.Clone(s.gone), maps.Clone(s.queries)
	return c
}

// sorted returns the games that are there for certain, and whose numbers are
// known, in the order of their numbers.
func (s *shelf) sorted() []*entry {
	var list []*entry
	for _, e := range s.games {
		if e.in == yes && e.id != 0 {
			list = append(list, e)
		}
	}
	slices.SortFunc(list, func(a, b *entry) int { return a.id - b.id })
	return list
}

// change is what an operation does to one game.
type change byte

const (
	add change = iota
	drop
	tag
	untag
	collect
	release
	shake // it may have been away, and come back bare
)

// effect is a change of one game in one library. The name is that of the tag or
// collection.
type effect struct {
	shelf *shelf
	game  *game
	change
	name string
}

// commutes reports whether changes of one game come to the same in any order.
func (c change) commutes() bool { return c == add || c == tag || c == collect }

// apply makes a change, or leaves open whether it was made.
func (e effect) apply(certain bool) {
	s, key := e.shelf, e.game.key()
	at := s.games[key]
	if at == nil && e.change != add {
		return
	}
	mark := func(m map[string]truth, to truth) {
		if certain {
			m[e.name] = to
		} else if m[e.name] != to {
			m[e.name] = open
		}
	}
	switch e.change {
	case add:
		if at == nil {
			at = &entry{game: e.game, in: open, tags: map[string]truth{}, sets: map[string]truth{}}
			s.games[key] = at
			if was := s.gone[key]; was != nil {
				was.remind(at)
			}
		} else if at.in == open && certain {
			at.loosen() // it may have been away and come back bare
		}
		if certain {
			at.in = yes
		}
	case drop:
		if certain {
			if was := s.gone[key]; was != nil {
				was.remind(at)
			}
			s.gone[key] = at
			delete(s.games, key)
		} else {
			at.in, at.id = open, 0
		}
	case shake:
		at.in, at.id = open, 0
		at.loosen()
	case tag:
		mark(at.tags, yes)
	case untag:
		mark(at.tags, no)
	case collect:
		mark(at.sets, yes)
	case release:
		mark(at.sets, no)
	}
}

// remind leaves open whether a game has the tags and collections that it had before it
// was deleted: the trash keeps them, servers do not.
func (e *entry) remind(now *entry) {
	for _, m := range [][2]map[string]truth{{e.tags, now.tags}, {e.sets, now.sets}} {
		for name, t := range m[0] {
			if t != no && m[1][name] == no {
				m[1][name] = open
			}
		}
	}
}

// loosen leaves open which tags and collections a game has.
func (e *entry) loosen() {
	for _, m := range []map[string]truth{e.tags, e.sets} {
		for name, t := range m {
			if t == yes {
				m[name] = open
			}
		}
	}
}

// seen is a game as the product shows it.
type seen struct {
	*game
	id         int
	file       string // that it came from first
	tags, sets []string
}

// compare holds what a library shows against the model, which learns what was open.
func (s *shelf) compare(list []seen, numbered bool) error {
	found := map[string]seen{}
	for _, g := range list {
		key := g.key()
		if other, twice := found[key]; twice {
			return fmt.Errorf("game %d is there twice, as %d and %d: %s", g.number, other.id, g.id, key)
		}
		found[key] = g
		e := s.games[key]
		if e == nil {
			return fmt.Errorf("game %d (record %d) should not be there: %s", g.number, g.id, key)
		}
		if what := e.differs(g.game); what != "" {
			return fmt.Errorf("record %d: %s", g.id, what)
		}
		if numbered && e.in == yes && e.id != 0 && e.id != g.id {
			return fmt.Errorf("game %d was record %d and is record %d", e.number, e.id, g.id)
		}
	}
	for key, e := range s.games {
		g, there := found[key]
		if !there {
			if e.in == yes {
				return fmt.Errorf("game %d is gone (it was record %d): %s", e.number, e.id, key)
			}
			delete(s.games, key)
			continue
		}
		e.in, e.id = yes, g.id
		for _, labels := range []struct {
			what string
			want map[string]truth
			got  []string
		}{{"tags", e.tags, g.tags}, {"collections", e.sets, g.sets}} {
			for name, t := range labels.want {
				has := slices.Contains(labels.got, name)
				if t == yes && !has || t == no && has {
					return fmt.Errorf("record %d (game %d) has %s %q, which is wrong about %s", g.id, e.number, labels.what, labels.got, name)
				}
				labels.want[name] = no
				if has {
					labels.want[name] = yes
				}
			}
			for _, name := range labels.got {
				if labels.want[name] != yes {
					return fmt.Errorf("record %d (game %d) has %s %q, and should not have %s", g.id, e.number, labels.what, labels.got, name)
				}
			}
		}
	}
	return nil
}

// same compares a library that is to have the same games, tags and collections.
func (s *shelf) same(list []seen) error { return s.clone().compare(list, false) }

// ask is a question whose answer the model knows: every field that is not empty
// narrows it.
type ask struct {
	player, event, result, tag, set string
	size                            int
}

func makeAsk(r *rand.Rand) ask {
	var a ask
	for a == (ask{}) {
		if r.IntN(2) == 0 {
			a.player = names[r.IntN(len(names))]
		}
		if r.IntN(3) == 0 {
			a.event = events[r.IntN(len(events))]
		}
		if r.IntN(3) == 0 {
			a.result = []string{"black", "white"}[r.IntN(2)]
		}
		if r.IntN(5) == 0 {
			a.tag = tags[r.IntN(len(tags))]
		}
		if r.IntN(5) == 0 {
			a.set = sets[r.IntN(len(sets))]
		}
		if r.IntN(5) == 0 {
			a.size = 9 + 4*r.IntN(2)
		}
	}
	return a
}

// String returns the question in the language of queries.
func (a ask) String() string {
	var words []string
	word := func(field, value string) {
		if value != "" {
			words = append(words, fmt.Sprintf("%s:%q", field, value))
		}
	}
	word("player", a.player)
	word("event", a.event)
	word("result", a.result)
	word("tag", a.tag)
	word("collection", a.set)
	if a.size != 0 {
		words = append(words, fmt.Sprintf("game:go:%dx%d", a.size, a.size))
	}
	return cmp.Or(strings.Join(words, " "), "all")
}

// ids returns the numbers of the games that answer.
func (a ask) ids(s *shelf) []int {
	var list []int
	for _, e := range s.sorted() {
		won := ""
		switch {
		case strings.HasPrefix(e.result, "B"):
			won = "black"
		case strings.HasPrefix(e.result, "W"):
			won = "white"
		}
		if (a.player == "" || a.player == e.black || a.player == e.white) && (a.event == "" || a.event == e.event) && (a.result == "" || a.result == won) &&
			(a.tag == "" || e.tags[a.tag] == yes) && (a.set == "" || e.sets[a.set] == yes) && (a.size == 0 || a.size == e.size) {
			list = append(list, e.id)
		}
	}
	return list
}
