package bind

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"qipu/board"
	"qipu/game"
	"qipu/interval"
	"qipu/pattern"
	"qipu/query"
	"qipu/query/moves"
)

// mostTaken is more pieces than a move takes.
const mostTaken = 1000

// move binds a condition on moves: move:"red chariot from file 4 takes horse check",
// or in short move:"RxN".
func (x *binding) move(f query.Field, side string) (query.Q, error) {
	text := strings.Join(strings.Fields(f.Value), " ")
	c, err := x.condition(f, text)
	if err != nil {
		return nil, err
	}
	m := &query.Mark{Word: "move", Marker: moves.New(x.Rules, *c, text), Columns: []int{0}, Name: text}
	if side != "" && side != "any" {
		s, err := x.side(side, f)
		if err != nil {
			return nil, err
		}
		m.Of = interval.FirstSide + interval.Owner(s)
	}
	return m, nil
}

// short is a move as records write it: the piece, where from, - or x, what is taken,
// where to, what it becomes, and + for check. A star is any piece or point. Shorter is
// the same without from: the piece, where to, what it becomes, and + for check.
var (
	short = regexp.MustCompile(strings.NewReplacer("PIECE", `(\[[^\]]+\]|[A-Za-z*])`, "POINT", `(\*|[A-Za-z][0-9]{1,2})`).Replace(
		`^PIECE??POINT?([-x])PIECE??POINT?(?:=PIECE)?(\+)?$`))
	shorter = regexp.MustCompile(`^(\[[^\]]+\]|[A-Za-z*])??([A-Za-z][0-9]{1,2})(?:=(\[[^\]]+\]|[A-Za-z*]))?(\+)?$`)
)

// condition reads what is asked of a move.
func (x *binding) condition(f query.Field, text string) (*moves.Condition, error) {
	parts, err := x.parted(f, text)
	if err != nil {
		return nil, err
	}
	c := &moves.Condition{Taken: parts.taken, Check: parts.check, Castles: parts.castles, Drops: parts.drops, Passes: parts.passes}
	if _, manned := x.Rules.(game.Manned); c.Check && !manned {
		return nil, x.failValue(f, fmt.Sprintf("%s knows no check", x.Rules.Info().Titles.En), "leave it out", ErrOtherGame)
	}
	if c.Passes && (len(parts.words) > 1 || c.Check || c.Castles || c.Drops || c.Taken > 0) {
		return nil, x.failValue(f, "a pass has no piece, no place and no effect", "ask for pass alone, and for the side as in move.black:pass", nil)
	}
	if who := parts.words["who"]; who != "" {
		if c.Who, err = x.movers(f, who, false); err != nil {
			return nil, err
		}
	}
	if takes := parts.words["takes"]; takes != "" {
		if c.Takes, err = x.movers(f, takes, true); err != nil {
			return nil, err
		}
	}
	if becomes := parts.words["promotes"]; becomes != "" {
		if c.Becomes, err = x.movers(f, becomes, true); err != nil {
			return nil, err
		}
	}
	for word, areas := range map[string]*[2][]bool{"from": &c.From, "to": &c.To} {
		area := parts.words[word]
		if area == "" {
			continue
		}
		for side := range areas {
			points, err := x.area(query.Number{Area: area, At: f.At}, game.Side(side))
			if err != nil {
				return nil, err
			}
			areas[side] = make([]bool, x.Rules.Geometry().Size.Area())
			for _, p := range points {
				areas[side][p] = true
			}
		}
	}
	if parts.promotes && c.Becomes == 0 {
		for i := range x.Rules.Geometry().Pieces {
			c.Becomes |= pattern.Of(board.Piece(i + 1))
		}
	}
	return c, nil
}

// parted is the text of a condition on moves, taken apart.
type parted struct {
	words                                   map[string]string // pieces and areas by the word before them; who has none
	taken                                   int
	check, castles, drops, passes, promotes bool
}

func (x *binding) parted(f query.Field, text string) (*parted, error) {
	p := &parted{words: map[string]string{}}
	fail := func(message, hint string) (*parted, error) { return nil, x.failValue(f, message, hint, nil) }
	if text == "" {
		return fail("nothing is said of the move", `write it as in move:"R takes N", or move:any`)
	}
	if m := short.FindStringSubmatch(text); m != nil {
		for i, word := range []string{1: "who", 2: "from", 4: "takes", 5: "to", 6: "promotes"} {
			if word != "" && m[i] != "" && m[i] != "*" {
				p.words[word] = m[i]
			}
		}
		if m[3] == "x" {
			p.taken = 1
		} else if p.words["takes"] != "" {
			return fail(fmt.Sprintf("%q is behind a dash, where only a point can be", m[4]), "write x before a piece that is taken")
		}
		p.promotes, p.check = m[6] != "", m[7] != ""
		return p, nil
	}
	if m := shorter.FindStringSubmatch(text); m != nil {
		for i, word := range []string{1: "who", 2: "to", 3: "promotes"} {
			if word != "" && m[i] != "" && m[i] != "*" {
				p.words[word] = m[i]
			}
		}
		p.promotes, p.check = m[3] != "", m[4] != ""
		return p, nil
	}
	part, list := "who", []string(nil)
	end := func() {
		if len(list) > 0 {
			p.words[part] = strings.Join(list, " ")
		}
		list = nil
	}
	for _, word := range strings.Fields(text) {
		switch key := query.MoveWords[strings.ToLower(word)]; key {
		case "from", "to", "takes", "promotes":
			end()
			if part == "from" || part == "to" {
				if p.words[part] == "" {
					return fail(fmt.Sprintf("no place stands behind %q", part), "write one, as in "+part+" file 4")
				}
			}
			if part = key; p.words[key] != "" {
				return fail(fmt.Sprintf("%q stands twice", key), "ask for two moves by two conditions")
			}
			if key == "takes" {
				p.taken = max(p.taken, 1)
			}
			p.promotes = p.promotes || key == "promotes"
		case "check", "castles", "drops", "passes", "any":
			end()
			part = "who"
			p.check, p.castles = p.check || key == "check", p.castles || key == "castles"
			p.drops, p.passes = p.drops || key == "drops", p.passes || key == "passes"
		default:
			if n, bad := strconv.Atoi(word); bad == nil && part == "takes" && len(list) == 0 {
				if n < 1 || n > mostTaken {
					return fail(fmt.Sprintf("no move takes %d pieces", n), fmt.Sprintf("write a number from 1 to %d", mostTaken))
				}
				p.taken = n
				continue
			}
			if slices.Contains(query.Fillers(), strings.ToLower(word)) {
				continue
			}
			if part == "who" && p.words["who"] != "" {
				return fail(fmt.Sprintf("%q cannot stand here", word), "write the piece first, then from, to, takes, promotes, check")
			}
			list = append(list, word)
		}
	}
	end()
	if (part == "from" || part == "to") && p.words[part] == "" {
		return fail(fmt.Sprintf("no place stands behind %q", part), "write one, as in "+part+" file 4")
	}
	return p, nil
}

// movers returns the pieces that a text names. Of what is taken, and of what a piece
// becomes, it is plain whose it is: the letter of either side means that piece.
func (x *binding) movers(f query.Field, text string, either bool) (pattern.Set, error) {
	sets, err := x.pieces(query.Number{Pieces: text, At: f.At})
	if err != nil {
		return 0, err
	}
	if sets[2] != 0 {
		return 0, x.failValue(f, "an empty point does not move and is not taken", "name a piece", nil)
	}
	set := sets[0] | sets[1]
	if either {
		for i, look := range x.Rules.Geometry().Pieces {
			if (sets[0] | sets[1]).Has(board.Piece(i + 1)) {
				set |= pattern.Of(look.Swap)
			}
		}
	}
	return set, nil
}
