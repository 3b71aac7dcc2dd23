package sgf

import (
	"fmt"
	"path"
	"strconv"
	"strings"

	"qipu/board"
	"qipu/record"
	"qipu/record/facts"
)

// The games that are known here, by the names of the rules.
const (
	kindGo      = "weiqi"
	kindOthello = "othello"
	kindRenju   = "renju"
	kindXiangqi = "xiangqi"
)

// kind is what SGF says about a game.
type kind struct {
	gm       string
	size     board.Size
	notation string
	sides    facts.Sides
	plain    *record.Kind // of games whose moves are carried as they are; else nil
}

// kinds are the games of a format, by name.
type kinds map[string]kind

// usual are the games that have a way of their own in SGF.
var usual = kinds{
	kindGo:      {gm: "1", size: board.Size{W: 19, H: 19}, notation: "sgf", sides: facts.BlackFirst},
	kindOthello: {gm: "2", size: board.Size{W: 8, H: 8}, notation: "square", sides: facts.BlackDiscs},
	kindRenju:   {gm: "4", size: board.Size{W: 15, H: 15}, notation: "sgf", sides: facts.BlackFirst},
	kindXiangqi: {gm: "7", size: board.Size{W: 9, H: 10}, notation: "iccs", sides: facts.RedFirst},
}

// pieces reports whether set-up means nothing in the game: positions are texts.
func (k kind) pieces() bool { return k.plain != nil || k.notation == "iccs" }

// gameName is the property that names a game that SGF has no number for, with
// its variant: breakthrough:6x6. GM is 0 then, which is no game.
const gameName = "GAME"

// kindOfGM returns the game that a value of GM means.
func (list kinds) ofGM(value string) (kind string, number bool) {
	value = strings.TrimSpace(value)
	n, err := strconv.Atoi(value)
	if err == nil {
		for kind, k := range list {
			if k.gm == strconv.Itoa(n) && n != 0 {
				return kind, true
			}
		}
		return "", true
	}
	switch strings.ToLower(value) {
	case "go", "weiqi", "baduk", "igo":
		return kindGo, false
	case "othello", "reversi":
		return kindOthello, false
	case "gomoku", "renju":
		return kindRenju, false
	case "xiangqi", "chinese chess":
		return kindXiangqi, false
	}
	return "", false
}

// decideKind finds out which game the record is of and on which board, and
// keeps the values of GM and SZ that do not say it as properties.
func decideKind(p *parser, file string) {
	g := p.game
	var gm, size, left, named []string
	for _, t := range p.structural {
		switch t.name {
		case "GM":
			gm = append(gm, t.value)
		case "SZ":
			size = append(size, t.value)
		case gameName:
			named = append(named, t.value)
		}
	}
	if len(named) > 0 {
		if p.namedKind(named[0]) {
			gm, named = nil, named[1:]
		}
		if len(named) > 0 {
			p.keep(gameName, named)
		}
	}
	if g.Kind != "" {
	} else if len(gm) > 0 {
		left = p.statedKind(gm)
	} else {
		p.guessKind(size, file)
	}
	if len(left) > 0 {
		p.keep("GM", left)
	}
	p.size(size)
	g.Notation = p.kinds[g.Kind].notation
}

// namedKind takes the game from the property that names one without a number,
// by any of its names.
func (p *parser) namedKind(spec string) bool {
	name, variant, _ := strings.Cut(strings.TrimSpace(spec), ":")
	for kind, k := range p.kinds {
		if k.plain == nil {
			continue
		}
		if nick, ok := k.plain.Rules.Info().Answers(name); ok {
			p.game.Kind, p.game.Variant = kind, strings.Trim(nick+","+variant, ",")
			return true
		}
	}
	return false
}

// keep adds a property to the root.
func (p *parser) keep(name string, values []string) {
	root := p.nodes[0].More()
	root.Props = append(root.Props, record.Prop{Name: name, Values: values})
}

// statedKind takes the game from the first value of GM, and returns the values
// that are not used.
func (p *parser) statedKind(gm []string) (left []string) {
	g := p.game
	kind, number := p.kinds.ofGM(gm[0])
	switch {
	case kind != "" && number:
		g.Kind = kind
		return gm[1:]
	case kind != "":
		g.Kind = kind
	case number:
		g.Fault(record.Marked, record.KindUnknown, 0, "GM[%s] is a game that the program does not know", gm[0])
	default:
		g.Kind = kindGo
		g.Fault(record.Marked, record.KindHeader, 0, "GM names no game: %s; it is read as Go", short(gm[0]))
	}
	return gm
}

// renjuWords are words that tell Gomoku and Renju from Go.
var renjuWords = []string{"renju", "gomoku", "gobang", "iwzq", "连珠", "連珠", "五子", "五目", "오목"}

// guessKind finds out the game of a record that does not state it.
func (p *parser) guessKind(size []string, file string) {
	g := p.game
	g.Kind = kindGo
	w, h := 19, 19
	if len(size) > 0 {
		if s, ok := parseSize(size[0]); ok {
			w, h = s.W, s.H
		}
	}
	first := p.firstMove()
	renju := false
	for _, t := range g.Tags {
		renju = renju || t.Name == "5A" || t.Name == "SW"
	}
	base := path.Base(file)
	switch {
	case w == 15 && h == 15 && renju:
		g.Kind = kindRenju
	case w <= 20 && (hasWord(base, renjuWords) || p.says(renjuWords) || strings.Contains(base, "○_vs_●")):
		g.Kind = kindRenju
		g.Fault(record.Note, record.KindHeader, 0, "the record does not say which game it is; its words are of renju")
	case p.oddMoves && isSquare(first) && w == 8 && h == 8:
		g.Kind = kindOthello
		g.Fault(record.Note, record.KindHeader, 0, "the record does not say which game it is; %s on 8x8 is taken for Othello", short(first))
	case p.oddMoves && isSquare(first) && w == 15 && h == 15:
		g.Kind = kindRenju
		g.Fault(record.Note, record.KindHeader, 0, "the record does not say which game it is; %s on 15x15 is taken for renju", short(first))
	case p.oddMoves && readStep(first) != (xiangqiStep{}):
		g.Kind = kindXiangqi
		g.Fault(record.Note, record.KindHeader, 0, "the record does not say which game it is; %s is taken for a move of Xiangqi", short(first))
	case w == 15 && h == 15:
		g.Fault(record.Note, record.KindHeader, 0, "the record does not say which game it is; on 15x15 it is taken for Go")
	}
}

// firstMove returns the text of the first move, or "".
func (p *parser) firstMove() string {
	for i := range p.nodes {
		if m := p.nodes[i].Move; m != "" && m != "pass" {
			return m
		}
	}
	return ""
}

// says reports whether a header has one of the words.
func (p *parser) says(words []string) bool {
	for _, t := range p.game.Tags {
		switch t.Name {
		case "RU", "GN", "EV", "CP", "US", "AP", "PC", "SO", "GC":
			if hasWord(t.Value, words) {
				return true
			}
		}
	}
	return false
}

// hasWord reports whether a text has one of the words, which are in small
// letters, in any case.
func hasWord(text string, words []string) bool {
	for i := range len(text) {
		c := text[i]
		if c >= 'A' && c <= 'Z' {
			c |= 0x20
		}
		for _, w := range words {
			if w[0] == c && len(text)-i >= len(w) && strings.EqualFold(text[i:i+len(w)], w) {
				return true
			}
		}
	}
	return false
}

// size takes the board from the first value of SZ, and the rule set of Renju
// from RU.
func (p *parser) size(values []string) {
	g := p.game
	if g.Kind == "" || p.kinds[g.Kind].pieces() {
		if len(values) > 0 {
			p.keep("SZ", values)
		}
		return
	}
	if len(values) > 0 {
		usual := p.kinds[g.Kind].size
		size, ok := parseSize(values[0])
		if !ok {
			g.Fault(record.Marked, record.KindHeader, 0, "SZ is no size of a board: %s; it is read as %v", short(values[0]), usual)
		} else if values = values[1:]; size != usual {
			g.Variant = size.String()
		}
		if len(values) > 0 {
			p.keep("SZ", values)
		}
	}
	if word := renjuRules[strings.ToLower(strings.TrimSpace(g.Tag("RU")))]; g.Kind == kindRenju && word != "" {
		g.Variant = strings.TrimPrefix(g.Variant+","+word, ",")
	}
}

// renjuRules are the values of RU that name a rule set of Gomoku.
var renjuRules = map[string]string{"free": "free", "freestyle": "free", "free-style": "free", "standard": "standard"}

// parseSize reads "19", "19:17", "9x9". The format ends at 52.
func parseSize(text string) (board.Size, bool) {
	text = strings.ToLower(strings.TrimSpace(text))
	left, right := text, text
	if i := strings.IndexAny(text, ":x,*"); i >= 0 {
		left, right = strings.TrimSpace(text[:i]), strings.TrimSpace(text[i+1:])
	}
	w, err1 := strconv.Atoi(left)
	h, err2 := strconv.Atoi(right)
	ok := err1 == nil && err2 == nil && w >= 1 && h >= 1 && w <= maxSide && h <= maxSide
	return board.Size{W: w, H: h}, ok
}

// sizeOf returns the board of a game.
func (list kinds) sizeOf(g *record.Game) (board.Size, error) {
	spec, _, _ := strings.Cut(g.Variant, ",")
	for word := range strings.SplitSeq(g.Variant, ",") {
		if _, ok := parseSize(word); ok {
			spec = word
		}
	}
	if s, ok := parseSize(spec); ok {
		return s, nil
	}
	k, ok := list[g.Kind]
	if !ok {
		return board.Size{}, fmt.Errorf("sgf: no board for the game %q", g.Kind)
	}
	return k.size, nil
}
