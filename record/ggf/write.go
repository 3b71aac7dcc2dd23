package ggf

import (
	"bytes"
	"io"
	"iter"
	"strconv"
	"strings"

	"qipu/record"
	"qipu/record/discs"
	"qipu/record/facts"
)

// Write writes games, one a line.
func (format) Write(w io.Writer, games iter.Seq[*record.Game]) error {
	return record.WriteEach(w, &info, games, appendGame)
}

func appendGame(dst []byte, g *record.Game) ([]byte, error) {
	if g.Kind != discs.Kind {
		return nil, record.Inexpressible("a game of %s", g.Kind)
	}
	g = g.WithoutBlanks()
	tags := g.Tags
	var err error
	if g.Format == formatName {
		err = checkStart(g)
	} else {
		tags, err = tagsOf(g)
	}
	if err != nil {
		return nil, err
	}
	dst = append(dst, "(;"...)
	for _, t := range tags {
		if dst, err = appendHeader(dst, t); err != nil {
			return nil, err
		}
	}
	for i, n := range g.Main() {
		if n.Next != 0 {
			return nil, record.Inexpressible("a variation")
		}
		if dst, err = appendNode(dst, i, n, i == 0 && g.Format != formatName); err != nil {
			return nil, err
		}
	}
	if bytes.Contains(bytes.ToUpper(dst[2:]), []byte(gameStart)) {
		return nil, record.Inexpressible("the text %q, which begins a game", gameStart)
	}
	return append(dst, ";)\n"...), nil
}

// checkStart makes sure that the board in the tags is the one that the game
// says it starts from.
func checkStart(g *record.Game) error {
	copied := record.Game{Tags: g.Tags}
	board(&copied)
	if copied.Start != g.Start || copied.Variant != g.Variant {
		return record.Inexpressible("the start %q, where the board in the headers is %q", g.Start, g.Tag("BO"))
	}
	return nil
}

func identifier(name string) bool {
	for i := range len(name) {
		c := name[i]
		letter := c|0x20 >= 'a' && c|0x20 <= 'z'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return name != ""
}

func appendProperty(dst []byte, name, value string) []byte {
	dst = append(dst, name...)
	dst = append(dst, '[')
	dst = append(dst, escape.Replace(value)...)
	return append(dst, ']')
}

// appendHeader appends a header, one whose name is no name of a property as QX.
func appendHeader(dst []byte, t record.Tag) ([]byte, error) {
	switch {
	case !identifier(t.Name):
		if t.Name == "" || strings.Contains(t.Name, ":") {
			return nil, record.Inexpressible("a header called %q", t.Name)
		}
		return appendProperty(dst, propForeign, t.Name+":"+t.Value), nil
	case t.Name == "B" || t.Name == "W" || t.Name == propComment:
		return nil, record.Inexpressible("a header called %q", t.Name)
	}
	return appendProperty(dst, t.Name, t.Value), nil
}

// appendNode appends a move and what belongs to it. The properties of the root
// of a foreign game are among its headers.
func appendNode(dst []byte, i int32, n *record.Node, foreign bool) ([]byte, error) {
	var props []record.Prop
	if n.Extra != nil {
		if len(n.Setup) > 0 || n.Turn != record.Unstated {
			return nil, record.Inexpressible("a set-up of single points")
		}
		if !foreign {
			props = n.Props
		}
	}
	if i == 0 && len(props) > 0 {
		return nil, record.Inexpressible("the property %s before the first move", props[0].Name)
	}
	if i > 0 {
		var err error
		if dst, props, err = appendMove(dst, n, props); err != nil {
			return nil, err
		}
	}
	if text := n.Text(); text != "" {
		dst = appendProperty(dst, propComment, text)
	}
	for _, p := range props {
		if !identifier(p.Name) || p.Name == "B" || p.Name == "W" || p.Name == propComment {
			return nil, record.Inexpressible("a property called %q", p.Name)
		}
		for _, v := range p.Values {
			dst = appendProperty(dst, p.Name, v)
		}
	}
	return dst, nil
}

// appendMove appends a move with its evaluation and time, and returns the
// properties that remain.
func appendMove(dst []byte, n *record.Node, props []record.Prop) ([]byte, []record.Prop, error) {
	name := "B"
	switch n.Side {
	case record.Second:
		name = "W"
	case record.Unstated:
		return nil, nil, record.Inexpressible("the move %q without its side", n.Move)
	}
	move := n.Move
	switch {
	case move == "":
		return nil, nil, record.Inexpressible("a node without a move")
	case move == "?":
		move = ""
	case move == "pass":
		move = "PA"
	case token(strings.TrimSpace(move)) == move && !strings.Contains(move, "/"):
		move = strings.ToUpper(move)
		if token(move) != n.Move {
			return nil, nil, record.Inexpressible("the move %q", n.Move)
		}
	default:
		return nil, nil, record.Inexpressible("the move %q", n.Move)
	}
	eval, props := take(props, propEval)
	seconds, props := take(props, propTime)
	if strings.Contains(eval, "/") {
		return nil, nil, record.Inexpressible("the evaluation %q", eval)
	}
	if eval != "" || seconds != "" {
		move += "/" + eval
	}
	if seconds != "" {
		move += "/" + seconds
	}
	return appendProperty(dst, name, move), props, nil
}

// take returns the value of the first property if it has this name and one
// value, and the properties behind it.
func take(props []record.Prop, name string) (string, []record.Prop) {
	if len(props) > 0 && props[0].Name == name && len(props[0].Values) == 1 && props[0].Values[0] != "" {
		return props[0].Values[0], props[1:]
	}
	return "", props
}

// own are the properties that mean something here. A header of another format
// that has such a name means something else, and gets the name of its format
// before its own.
var own = map[string]bool{
	"GM": true, "PC": true, "DT": true, "PB": true, "PW": true, "RB": true, "RW": true, "TI": true, "TB": true, "TW": true,
	"TY": true, "RE": true, "BO": true, "KM": true, "KB": true, "KW": true, "EV": true, "RO": true, "ON": true, "SO": true, "AN": true,
	"B": true, "W": true, propComment: true, propForeign: true,
}

// tagsOf returns the headers of a game of another format: its facts, and
// whatever header these do not say.
func tagsOf(g *record.Game) ([]record.Tag, error) {
	tags, err := factTags(g)
	if err != nil {
		return nil, err
	}
	discs.Carry(g, saidFacts(&g.Facts), func(name string) bool { return own[name] }, record.PutTags(&tags))
	return tags, nil
}

// saidFacts returns the facts that factTags can say.
func saidFacts(f *facts.Facts) *facts.Facts {
	said := *f
	for side := range said.Players {
		said.Players[side].Team = ""
	}
	r := f.Result
	known := r.Verdict == facts.FirstWon || r.Verdict == facts.SecondWon || r.Verdict == facts.Drawn
	how := r.How == "" || r.How == facts.Count || r.How == facts.Resign || r.How == facts.Time
	if !known || !how {
		said.Result = facts.Result{}
	}
	return &said
}

// factTags returns the facts of a game as headers.
func factTags(g *record.Game) ([]record.Tag, error) {
	f := &g.Facts
	tags := []record.Tag{{Name: "GM", Value: "Othello"}}
	add := record.PutTags(&tags)
	add("PC", f.Place)
	add("EV", f.Event)
	add("RO", f.Round)
	add("ON", f.Opening)
	add("SO", f.Source)
	add("AN", f.Author)
	add("DT", f.Date.String())
	for side, name := range []string{"B", "W"} {
		tags = append(tags, record.Tag{Name: "P" + name, Value: f.Players[side].Name})
	}
	for side, name := range []string{"B", "W"} {
		if f.Players[side].Rating != 0 {
			add("R"+name, strconv.Itoa(f.Players[side].Rating))
		}
	}
	add("TI", f.Time)
	bo, err := formatBoard(g.Variant, g.Start)
	if err != nil {
		return nil, err
	}
	size, _, _ := strings.Cut(bo, " ")
	add("TY", size)
	n, _ := strconv.Atoi(size)
	re, err := formatResult(f.Result, n*n)
	if err != nil {
		return nil, err
	}
	add("RE", re)
	add("BO", bo)
	return tags, nil
}

func formatResult(r facts.Result, area int) (string, error) {
	sign, margin := "+", r.Margin
	flag := map[string]string{facts.Resign: ":r", facts.Time: ":t"}[r.How]
	switch r.Verdict {
	case facts.Drawn:
		return "0" + flag, nil
	case facts.SecondWon:
		sign = "-"
	case facts.FirstWon:
	default:
		return "?", nil
	}
	if margin == 0 && flag != "" {
		margin = float64(area) // the server counts it as a loss of all discs
	}
	if margin == 0 {
		return "", record.Inexpressible("a win without a number of discs")
	}
	return sign + strconv.FormatFloat(margin, 'f', -1, 64) + flag, nil
}
