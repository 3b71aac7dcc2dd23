package study

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"qipu/board"
	"qipu/board/draw"
	"qipu/cli"
	"qipu/game/weiqi"
	"qipu/game/weiqi/judge"
	"qipu/game/weiqi/life"
	"qipu/view"
)

// page prints a judged board for people.
func (o *judgeRun) page(v *judgedBoard) error {
	var b strings.Builder
	info := v.Position.Rules().Info()
	where := "after ply " + strconv.Itoa(v.Ply)
	if v.Last {
		where = "at the end"
	}
	if v.file == "" && v.id == 0 {
		where = strings.TrimSpace(cli.Status(v.Position.Rules(), v.Position))
	}
	fmt.Fprintf(&b, "%s, %s, judged by %s\n\n", cli.Printable(v.title), where, v.Method)
	o.board(&b, v)
	if o.influence {
		b.WriteString("\ninfluence\n")
		o.leanings(&b, v)
	}
	b.WriteByte('\n')
	if _, err := fmt.Fprint(o.app.Out, b.String()); err != nil {
		return err
	}
	b.Reset()
	if groups := o.groups(v); len(groups.Rows) > 0 {
		if err := o.app.PrintColumns(groups); err != nil {
			return err
		}
		b.WriteByte('\n')
	}
	v.count(&b)
	if o.why != "" {
		g := v.Position.Rules().Geometry()
		p, _ := g.Point(o.why)
		at := slices.IndexFunc(v.wire.Strings, func(s view.JudgedString) bool { return slices.Contains(s.Points, g.Size.Index(p)) })
		s := &v.wire.Strings[at]
		fmt.Fprintf(&b, "\nwhy %s: %s of %s, group %d: %s\n", g.Name(p), cli.Plural(len(s.Points), "stone"), info.Sides[s.Side].Name, s.Group+1, describeString(s))
	} else if o.steps {
		fmt.Fprintf(&b, "\nsteps\n")
	}
	if o.xLife {
		fmt.Fprintf(&b, "x-life  %s\n", describeXLife(v.xLife))
	}
	if o.why != "" || o.steps {
		o.tellSteps(&b, v)
	}
	if v.wire.Endgame != nil {
		v.left(&b)
	}
	_, err := fmt.Fprint(o.app.Out, b.String())
	return err
}

// countOf says what the number of a step counts: eyes, points of land or nodes.
func countOf(s *view.JudgedStep) string {
	eyes := func() string { return strconv.FormatFloat(float64(s.Count)/2, 'f', -1, 64) + " eyes" }
	switch rule := life.Rule(s.Rule); {
	case s.Count == 0:
		return ""
	case rule == life.RuleEyes, rule == life.RuleJoined, rule == life.RuleTaken, rule == life.RuleSeki, rule == life.RuleET, rule == life.RuleNone,
		rule == life.RuleWeighed && s.Status != life.Dead.String():
		return eyes()
	case rule == life.RuleNoRoom, rule == life.RuleRace, rule == life.RuleCaught, rule == life.RuleWeighed:
		return cli.Plural(s.Count, "point") + " of land"
	case rule == life.RuleSearch:
		return cli.Plural(s.Count, "node")
	}
	return strconv.Itoa(s.Count)
}

// describeXLife says in words how many attacks may be left unanswered.
func describeXLife(x judge.XLife) string {
	switch {
	case x.Unconditional:
		return "no limit: it lives however often its side passes"
	case x.X < 0 && x.Known:
		return "-1: it is lost though every attack is answered"
	case x.X < 0:
		return "unknown: no life was found though every attack is answered"
	case x.X == 0 && x.Known:
		return "0: it lives as long as every attack is answered"
	case x.X == 0:
		return "0 or more: it lives at least as long as every attack is answered"
	case x.Known:
		return fmt.Sprintf("%d: it lives though so many attacks are left unanswered, and not with one more", x.X)
	}
	return fmt.Sprintf("%d or more: it lives though so many attacks are left unanswered", x.X)
}

// describeString says in words what a string is.
func describeString(s *view.JudgedString) string {
	text := s.Status
	switch {
	case s.Proved:
		text += ", proved"
	case s.Unclear && s.Chance > 0 && s.Chance < 1:
		text += fmt.Sprintf(", unclear: it stays with a chance of %.0f %%", 100*s.Chance)
	case s.Unclear:
		text += ", unclear"
	}
	return text
}

// sign is what stands on a point of a judged board: what it is, the number of a
// group, a mark behind it, and the colour of it all.
type sign struct{ text, mark, colour string }

// The colours of a terminal: of what is a side's, of what is in seki and of what
// is unclear.
var judgedColours = struct {
	side          [2]string
	seki, unclear string
}{[2]string{"35", "36"}, "32", "33"}

// signs returns what stands on each point.
func (v *judgedBoard) signs() []sign {
	size := v.Position.Rules().Geometry().Size
	list := make([]sign, size.Area())
	open := map[int]bool{}
	for _, i := range v.wire.Open {
		open[i] = true
	}
	for i, owner := range v.wire.Owner {
		s := sign{text: [...]string{".", "b", "w", "="}[owner], colour: "2"}
		if owner == 1 || owner == 2 {
			s.colour = judgedColours.side[owner-1]
		}
		if open[i] {
			s.mark, s.colour = "?", judgedColours.unclear
		}
		list[i] = s
	}
	for _, x := range v.wire.Strings {
		s := sign{text: [2]string{"X", "O"}[x.Side], colour: "1;" + judgedColours.side[x.Side]}
		switch x.Status {
		case "unknown":
			s.colour = "2"
		case "dead":
			s.text, s.colour = strings.ToLower(s.text), judgedColours.side[1-x.Side]+";7"
		case "seki":
			s.mark, s.colour = "%", "1;"+judgedColours.seki
		}
		if x.Status != "unknown" {
			s.text += strconv.Itoa(x.Group + 1)
		}
		if x.Unclear {
			s.mark, s.colour = "?", "1;"+judgedColours.unclear
		}
		for _, i := range x.Points {
			list[i] = s
		}
	}
	return list
}

// board draws a judged board. Where a terminal is too narrow for the numbers of
// groups they are left out: the list below it names a stone of each.
func (o *judgeRun) board(b *strings.Builder, v *judgedBoard) {
	signs := v.signs()
	wide := widest(signs)
	if size := v.Position.Rules().Geometry().Size; o.app.Width > 0 && 3+(wide+1)*size.W > o.app.Width {
		for i := range signs {
			signs[i].text = signs[i].text[:1]
		}
	}
	o.grid(b, v, signs)
}

func widest(signs []sign) (n int) {
	for i := range signs {
		n = max(n, len(signs[i].text))
	}
	return n
}

// grid writes a board of signs with the names of its columns and rows.
func (o *judgeRun) grid(b *strings.Builder, v *judgedBoard, signs []sign) {
	g := v.Position.Rules().Geometry()
	columns, rows := g.PointNames()
	wide := widest(signs)
	side := len(rows[0])
	for _, name := range rows {
		side = max(side, len(name))
	}
	for _, name := range columns {
		wide = max(wide, len(name))
	}
	coloured := o.app.Colored()
	header := func() {
		line := strings.Repeat(" ", side)
		for _, name := range columns {
			line += fmt.Sprintf(" %-*s", wide, name)
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	header()
	for y := range g.Size.H {
		line := fmt.Sprintf("%*s", side, rows[y])
		mark := " "
		for x := range g.Size.W {
			s := signs[y*g.Size.W+x]
			text := s.text
			pad := strings.Repeat(" ", wide-len(text))
			if s.mark != "" && pad != "" {
				text, pad, s.mark = text+s.mark, pad[1:], ""
			}
			if coloured && s.colour != "" {
				text = "\x1b[" + s.colour + "m" + text + cli.Plain
			}
			line += mark + text + pad
			if mark = " "; s.mark != "" {
				mark = s.mark
			}
		}
		b.WriteString(strings.TrimRight(line+mark, " ") + "\n")
	}
	header()
}

// leanings draws how strongly points lean to a side.
func (o *judgeRun) leanings(b *strings.Builder, v *judgedBoard) {
	signs := make([]sign, len(v.wire.Influence))
	for i, value := range v.wire.Influence {
		n := int(math.Round(99 * value))
		signs[i] = sign{text: strconv.Itoa(n), colour: "2"}
		switch {
		case n > 0:
			signs[i].colour = judgedColours.side[0]
		case n < 0:
			signs[i].colour = judgedColours.side[1]
		}
	}
	o.grid(b, v, signs)
}

// groups lists the groups.
func (o *judgeRun) groups(v *judgedBoard) *cli.Table {
	g, sides := v.Position.Rules().Geometry(), v.Position.Rules().Info().Sides
	t := &cli.Table{Columns: []string{"group", "side", "at", "strings", "stones", "status", "eyes", "note"}}
	for i := range v.wire.Groups {
		x := &v.wire.Groups[i]
		if len(x.Strings) == 0 {
			continue
		}
		var notes []string
		if x.Proved {
			notes = append(notes, "proved")
		}
		if x.Unclear {
			notes = append(notes, "unclear")
		}
		first := slices.Min(x.Strings)
		eyes := ""
		if x.Eyes > 0 {
			eyes = strconv.FormatFloat(x.Eyes, 'f', -1, 64)
		}
		t.Add(x, strconv.Itoa(i+1), sides[x.Side].Name, g.Name(g.Size.Point(v.wire.Strings[first].Points[0])),
			strconv.Itoa(len(x.Strings)), strconv.Itoa(x.Stones), x.Status, eyes, strings.Join(notes, ", "))
	}
	return t
}

// count writes the score, and what the record says of it.
func (v *judgedBoard) count(b *strings.Builder) {
	s, rules, info := &v.wire.Score, v.Position.Rules(), v.Position.Rules().Info()
	var hearsay []string
	if v.Counts.UsualRules {
		hearsay = append(hearsay, "rules")
	}
	if v.Counts.UsualKomi {
		hearsay = append(hearsay, "komi")
	}
	usual := ""
	if len(hearsay) > 0 {
		usual = "; the record names no " + strings.Join(hearsay, " and no ")
	}
	fmt.Fprintf(b, "score   %s by %s rules%s\n", s.Text, rules.RuleSet().Name, usual)
	for side, name := range []string{info.Sides[0].Name, info.Sides[1].Name} {
		var parts []string
		add := func(what string, n float64) { parts = append(parts, what+" "+strconv.FormatFloat(n, 'f', -1, 64)) }
		if s.Scoring == "area" {
			add("stones", float64(s.Stones[side]))
		}
		add("territory", float64(s.Territory[side]))
		if s.Scoring == "territory" {
			add("prisoners", float64(s.Prisoners[side]))
		}
		if side == 1 && s.Komi != 0 {
			add("komi", s.Komi)
		}
		if side == 1 && s.Handicap != 0 {
			add("handicap", s.Handicap)
		}
		fmt.Fprintf(b, "%-7s %s = %s\n", name, strings.Join(parts, " + "), strconv.FormatFloat(s.Total[side], 'f', -1, 64))
	}
	if result := v.recordedResult(); result != "" {
		note := ""
		if d, ok := v.difference(); ok && d == 0 {
			note = ": the same"
		} else if ok {
			note = ": it differs by " + strconv.FormatFloat(d, 'f', -1, 64)
		}
		fmt.Fprintf(b, "record  %s%s\n", result, note)
	}
	unclear, unknown := 0, 0
	for i := range v.wire.Strings {
		if v.wire.Strings[i].Unclear {
			unclear++
		}
		if v.wire.Strings[i].Status == "unknown" {
			unknown++
		}
	}
	switch {
	case v.wire.Guess != nil && v.wire.Early:
		fmt.Fprintf(b, "sight   the game is not over: %s\n", v.guess())
		v.worth(b)
	case v.wire.Early:
		fmt.Fprintf(b, "unclear %d of %s: the game is not over, and the score is a guess\n", unclear, cli.Plural(len(v.wire.Strings), "string"))
	case unclear > 0:
		fmt.Fprintf(b, "unclear %s, on which the score hangs\n", cli.Plural(unclear, "string"))
		if v.wire.Guess != nil {
			fmt.Fprintf(b, "sight   played on, %s\n", v.guess())
		}
	}
	if unknown > 0 {
		fmt.Fprintf(b, "unknown %s, counted as living ones\n", cli.Plural(unknown, "string"))
	}
}

// worth says what chances of the method are worth.
func (v *judgedBoard) worth(b *strings.Builder) {
	for _, m := range v.wire.Methods {
		if m.Strings > 0 && m.Name == v.wire.Method {
			fmt.Fprintf(b, "worth   chances are off by %s in the mean, and of strings that were held for sure %s came out otherwise:\n        %d strings in the middle of games that %s had not seen\n",
				percent(m.Error), percent(m.Wrong), m.Strings, m.Name)
		}
	}
}

// percent writes a share with two figures.
func percent(x float64) string { return strconv.FormatFloat(100*x, 'g', 2, 64) + " %" }

// guess says who leads by how much, as the net has it.
func (v *judgedBoard) guess() string {
	sides, g := v.Position.Rules().Info().Sides, v.wire.Guess
	leader, lead, win := sides[0].Name, g.Lead, g.Win
	if lead < 0 {
		leader, lead, win = sides[1].Name, -lead, 1-win
	}
	return fmt.Sprintf("%s leads by %.1f points, give or take %.1f, and wins with %.0f %%, as the net guesses", leader, lead, g.Spread, 100*win)
}

// tellSteps writes steps with their strings and points by name.
func (o *judgeRun) tellSteps(b *strings.Builder, v *judgedBoard) {
	g, sides := v.Position.Rules().Geometry(), v.Position.Rules().Info().Sides
	if len(v.wire.Steps) == 0 {
		fmt.Fprintf(b, "  the method %s gives no reasons here: qipu judge --methods lists others\n", v.Method)
	}
	for _, s := range v.wire.Steps {
		fmt.Fprintf(b, "%4d  %-10s %s: %s", s.Number+1, s.Rule, sides[s.Side].Name, s.Text)
		if text := countOf(&s); text != "" {
			fmt.Fprintf(b, " (%s)", text)
		}
		if s.Status != "unknown" {
			fmt.Fprintf(b, ": %s", s.Status)
		}
		b.WriteByte('\n')
		var names []string
		for _, i := range s.Strings {
			names = append(names, v.wire.Strings[i].Name)
		}
		o.tellPoints(b, "strings", names)
		names = nil
		for _, i := range s.Points {
			names = append(names, g.Name(g.Size.Point(i)))
		}
		o.tellPoints(b, "points", names)
	}
	if v.wire.Cut {
		b.WriteString("      and more steps, which are left out\n")
	}
}

// tellPoints writes a list of points that a step is about; of a long one the
// beginning.
func (o *judgeRun) tellPoints(b *strings.Builder, what string, names []string) {
	const most = 14
	if len(names) == 0 {
		return
	}
	more := ""
	if len(names) > most {
		more = fmt.Sprintf(" and %d more", len(names)-most)
		names = names[:most]
	}
	fmt.Fprintf(b, "      %s %s%s\n", what, strings.Join(names, " "), more)
}

// endWords say what a last move does.
var endWords = map[judge.EndKind]string{
	judge.Border: "closes a border", judge.TakeKo: "takes a ko", judge.FillKo: "ends a ko", judge.Take: "takes stones that are not safe",
	judge.Save: "saves them", judge.Reinforce: "is needed once the neutral points are filled",
}

// left writes what is left to play.
func (v *judgedBoard) left(b *strings.Builder) {
	g, sides, end := v.Position.Rules().Geometry(), v.Position.Rules().Info().Sides, v.wire.Endgame
	names := func(list []int) string {
		var out []string
		for _, i := range list {
			out = append(out, g.Name(g.Size.Point(i)))
		}
		return strings.Join(out, " ")
	}
	b.WriteString("\nleft to play\n")
	for _, m := range end.Moves {
		text := fmt.Sprintf("  %s %s %s", sides[m.Side].Name, m.Name, endWords[judge.EndKind(m.Kind)])
		for i, s := range m.Strings {
			text += []string{": ", " "}[min(i, 1)] + v.wire.Strings[s].Name
		}
		fmt.Fprintf(b, "%s; %s\n", text, points(int(2*m.Value)))
	}
	if len(end.Dame) > 0 {
		worth := "worth nothing"
		if v.Score.Scoring == weiqi.Area {
			worth = "worth a point each"
		}
		fmt.Fprintf(b, "  neutral points, %s: %s\n", worth, names(end.Dame))
	}
	if len(end.Open) > 0 {
		fmt.Fprintf(b, "  where the border is open, and the game is not over: %s\n", names(end.Open))
	}
	if end.Over && len(end.Dame) == 0 {
		b.WriteString("  nothing\n")
	}
}

// points writes half points in words.
func points(half int) string {
	if half == 1 {
		return "half a point"
	}
	return cli.Plural(half/2, "point") + strings.Repeat(" and a half", half%2)
}

// scene draws a judged board: grounds in the colour of their owners, hatched
// where that is unclear, dead stones faded, and the numbers of groups. With
// influence the grounds tell that instead.
func (o *judgeRun) scene(v *judgedBoard) *draw.Scene {
	g := v.Position.Rules().Geometry()
	s := &draw.Scene{
		Geometry: g, Planes: v.Position.Planes(), Coordinates: true, Dark: o.dark,
		Title:  fmt.Sprintf("%s: %s, judged by %s", v.title, v.Score.String(), v.Method),
		Labels: map[board.Point]string{}, Tints: map[board.Point]draw.Tint{}, Faded: map[board.Point]bool{},
	}
	open := map[int]bool{}
	for _, i := range v.wire.Open {
		open[i] = true
	}
	shares := [...]float64{life.OwnedByBlack: 0.45, life.OwnedByWhite: 0.6}
	for i := range v.wire.Owner {
		p := g.Size.Point(i)
		switch owner := v.Owner[p]; {
		case o.influence && v.wire.Influence[i] > 0:
			s.Tints[p] = draw.Tint{Piece: 1, Share: 0.7 * v.wire.Influence[i]}
		case o.influence && v.wire.Influence[i] < 0:
			s.Tints[p] = draw.Tint{Piece: 2, Share: -0.8 * v.wire.Influence[i]}
		case owner == life.OwnedByBlack || owner == life.OwnedByWhite:
			s.Tints[p] = draw.Tint{Piece: board.Piece(owner), Share: shares[owner], Hatched: open[i]}
		case open[i]:
			s.Tints[p] = draw.Tint{Share: 0.5, Hatched: true}
		}
	}
	for _, x := range v.wire.Strings {
		for _, i := range x.Points {
			p := g.Size.Point(i)
			switch x.Status {
			case "unknown":
				continue
			case "dead":
				s.Faded[p] = true
			case "seki":
				s.Tints[p] = draw.Tint{Share: 0.55}
			}
			if s.Labels[p] = strconv.Itoa(x.Group + 1); x.Unclear {
				s.Labels[p] += "?"
			}
		}
	}
	return s
}
