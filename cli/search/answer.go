package search

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"qipu"
	"qipu/board"
	"qipu/board/draw"
	"qipu/cli"
	"qipu/game"
	"qipu/index"
	"qipu/library/ask"
	"qipu/query"
	"qipu/record/facts"
	"qipu/retrieve"
	"qipu/store"
)

// reporter prints one answer.
type reporter struct {
	app     *cli.App
	frame   *cli.Frame // nil where no board was asked for
	kinds   []*index.Kind
	options *listOptions
	answer  *retrieve.Answer
	reply   *ask.Reply // nil of an explorer
	total   int64      // lines that there are
	games   map[uint32]*store.Game

	timed    bool   // rows have a ply
	counted  bool   // hits are counted
	which    string // of which board, where the query has several
	like     bool   // and a likeness
	explorer bool   // the table of an opening explorer
	line     string // of an explorer: what led to the position
	here     bool   // and it counts games that were played here, not records
	apart    int    // games of the other origin that come to the position
	all      bool   // a row for every occurrence
	board    bool   // draw it
	unicode  bool
}

// reporterOf returns who prints a reply.
func reporterOf(ctx context.Context, a *cli.App, l *qipu.Library, reply *ask.Reply, o *listOptions) (*reporter, error) {
	r := &reporter{app: a, kinds: reply.Kinds, options: o, answer: reply.Answer, reply: reply, timed: retrieve.Timed(reply.Bound)}
	tally, err := l.Records().Tally(ctx)
	if err != nil {
		return nil, err
	}
	for _, t := range tally {
		if slices.Contains(reply.Kinds, t.Kind) {
			r.total += int64(t.Games)
			if o.variations {
				r.total += int64(t.Variations)
			}
		}
	}
	k := reply.Kinds[0]
	if shape := retrieve.Anchor(reply.Bound); shape != nil {
		r.frame, r.counted, r.which = cli.FrameOf(k, reply.Query, shape), true, whichBoard(reply.Bound, shape)
	} else if fuzzy := retrieve.Likeness(reply.Bound); fuzzy != nil {
		r.frame, r.like = cli.FrameOf(k, reply.Query, &fuzzy.Shape), true
	}
	return r, nil
}

// whichBoard tells which of the boards of a bound query it is whose hits are
// counted; nothing where there is but one.
func whichBoard(bound query.Q, anchor *query.Shape) string {
	n, at := 0, 0
	query.Walk(bound, func(q query.Q) bool {
		switch q := q.(type) {
		case *query.Shape:
			if n++; q == anchor {
				at = n
			}
		case *query.Fuzzy:
			n++
		}
		return true
	})
	switch {
	case n < 2:
		return ""
	case at == 1:
		return " of the first board"
	case at == n:
		return " of the last board"
	}
	return fmt.Sprintf(" of board %d", at)
}

// report prints the answer in the form that the flags ask for. An answer
// without games is exit code 1.
func (r *reporter) report(ctx context.Context, l *qipu.Library) error {
	ids := make([]uint32, len(r.answer.Rows))
	for i := range ids {
		ids[i] = r.answer.Rows[i].Game
	}
	games, err := l.Records().Games(ctx, ids)
	if err != nil {
		return err
	}
	r.games = make(map[uint32]*store.Game, len(games))
	for i := range games {
		r.games[games[i].ID] = &games[i]
	}
	if r.options.svg != "" {
		if r.frame == nil {
			return cli.Usagef("--svg draws the board of a query: this one asks for none")
		}
		moves := r.answer.Continuations
		picture := draw.AppendSVG(nil, r.frame.Scene(moves, r.frame.Mark(moves)))
		if err := r.app.Emit(picture, r.options.svg); err != nil {
			return err
		}
	}
	switch {
	case r.app.JSON:
		err = r.printObjects(l)
	case r.app.CSV && r.options.continuations:
		err = r.app.Print(r.moveRows())
	case r.app.CSV:
		err = r.app.Print(r.hitRows())
	default:
		err = r.printText()
	}
	if err == nil && r.answer.Games == 0 {
		return cli.Silent(cli.ExitNothing)
	}
	return err
}

// printText prints the answer for people.
func (r *reporter) printText() error {
	a := r.answer
	if _, err := io.WriteString(r.app.Out, r.header()); err != nil {
		return err
	}
	moves := a.Continuations[:r.options.shown(r.app, len(a.Continuations))]
	if r.board && r.frame != nil {
		text := r.frame.AppendText([]byte{'\n'}, r.frame.Mark(moves), draw.TextOptions{Unicode: r.unicode, Color: r.app.Colored()})
		if _, err := r.app.Out.Write(text); err != nil {
			return err
		}
	}
	if err := r.printNext(len(moves), "--moves"); err != nil {
		return err
	}
	if len(a.Rows) > 0 {
		fmt.Fprintln(r.app.Out)
		if err := r.app.PrintColumns(r.hitTable()); err != nil {
			return err
		}
	}
	if a.Next != "" {
		fmt.Fprintf(r.app.Out, "more: --cursor %s\n", a.Next)
	}
	if r.options.explain {
		fmt.Fprintln(r.app.Out)
		return r.app.PrintColumns(r.explainTable())
	}
	return nil
}

// printNext prints what came next: the first n moves, how many more a flag would
// show, and how often nothing came.
func (r *reporter) printNext(n int, flag string) error {
	a := r.answer
	if n > 0 {
		fmt.Fprintln(r.app.Out)
		if err := r.printMoves(n); err != nil {
			return err
		}
	}
	if more := len(a.Continuations) - n; more > 0 {
		fmt.Fprintf(r.app.Out, "%s: %s 0\n", cli.Plural(more, "more move"), flag)
	}
	switch {
	case r.frame == nil || r.like:
	case !r.frame.Whole() && a.Hits > 0:
		fmt.Fprintf(r.app.Out, "elsewhere first (tenuki): %d; nothing more there: %d\n", a.Elsewhere, a.Ended)
	case r.frame.Whole() && a.Ended > 0:
		fmt.Fprintf(r.app.Out, "the record ends here: %d\n", a.Ended)
	}
	return nil
}

// sideNames returns what the sides are called: first and second where the games
// do not agree.
func sideNames(kinds []*index.Kind) [2]string {
	var names [2]string
	for i, k := range kinds {
		sides := k.Rules.Info().Sides
		these := [2]string{sides[0].Name, sides[1].Name}
		if i > 0 && these != names {
			return [2]string{"first", "second"}
		}
		names = these
	}
	return names
}

// firstSide returns who it is that scores.
func firstSide(kinds []*index.Kind) string {
	if name := sideNames(kinds)[0]; name != "first" {
		return name
	}
	return "the first side"
}

// swaps reports whether the board was also looked for with the sides exchanged:
// then what is counted by sides is counted by those of the board as it is drawn.
func (r *reporter) swaps() bool { return r.frame != nil && r.frame.Pattern.Swap }

// drawn returns the name of a side in a count by the sides as drawn.
func (r *reporter) drawn(side string) string {
	if r.swaps() {
		return "drawn " + side
	}
	return side
}

// sides returns the sides of the game of a row.
func (r *reporter) sides(id uint32) []game.SideInfo {
	for _, k := range r.kinds {
		if name := r.games[id].Kind; name == k.Name || name == k.Rules.Info().Name {
			return k.Rules.Info().Sides
		}
	}
	return r.kinds[0].Rules.Info().Sides
}

// header tells what was found, in a few lines.
func (r *reporter) header() string {
	a := r.answer
	var b strings.Builder
	total := cli.Plural(int(r.total), "game")
	of := fmt.Sprintf("%d of %s", a.Games, total)
	if r.options.variations {
		total = cli.Plural(int(r.total), "line")
		of = fmt.Sprintf("%s, in %s", cli.Plural(a.Games, "game"), total)
	}
	switch {
	case a.Games == 0 && r.like:
		b.WriteString("no board is alike in " + total)
	case a.Games == 0:
		b.WriteString("nothing found in " + total)
	case r.explorer:
		b.WriteString("reached in " + of)
	case r.like:
		b.WriteString("alike in " + of)
	case r.counted:
		b.WriteString(cli.Plural(a.Hits, "hit") + r.which + " in " + of)
	default:
		b.WriteString(of)
	}
	switch {
	case r.apart > 0 && r.here:
		fmt.Fprintf(&b, ", as played here; without --here %s", cli.Plural(r.apart, "record"))
	case r.apart > 0:
		fmt.Fprintf(&b, ", records; played here %d (--here)", r.apart)
	}
	if n := cli.Results(&a.Colours); n > 0 {
		fmt.Fprintf(&b, "; %s scores %s in %s with a result", firstSide(r.kinds), cli.RateText(&a.Colours), cli.Plural(n, "game"))
	}
	b.WriteByte('\n')
	if r.swaps() && (a.First != a.Colours.First || a.Second != a.Colours.Second) {
		fmt.Fprintf(&b, "the side drawn %s scores %s\n", firstSide(r.kinds), cli.RateText(&a.Score))
	}
	if r.reply != nil && retrieve.Marked(r.reply.Bound) != nil && cli.Results(&a.Score) > 0 {
		fmt.Fprintf(&b, "the side that had it scores %s\n", cli.RateText(&a.Score))
	}
	if a.Partial {
		b.WriteString("not all of the library could be asked\n")
	}
	if a.Whose != nil && cli.Results(a.Whose) > 0 {
		fmt.Fprintf(&b, "%s scores %s in %s\n", cli.Printable(a.Player()), cli.RateText(a.Whose), cli.Plural(cli.Results(a.Whose), "game"))
	}
	if r.frame != nil {
		b.WriteString("searched: " + r.frame.Describe() + "\n")
	}
	if r.reply != nil && r.reply.Name != "" {
		b.WriteString("name: " + cli.Printable(r.reply.Name) + "\n")
	}
	return b.String()
}

// reachedText returns how many games reach a position; "-" where that could not
// be counted.
func reachedText(n int) string {
	if n < 0 {
		return "-"
	}
	return strconv.Itoa(n)
}

func numberText(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// printMoves prints the table of the first n continuations. At a terminal the
// doubtful rates are faint.
func (r *reporter) printMoves(n int) error {
	var text bytes.Buffer
	quiet := *r.app
	quiet.Out = &text
	if err := quiet.PrintColumns(r.moveTable(n)); err != nil {
		return err
	}
	out := text.Bytes()
	if r.app.Colored() {
		// Only now: escape codes would count as cells of the table.
		out = doubtful.ReplaceAll(out, []byte(cli.Faint+"$0"+cli.Plain))
	}
	_, err := r.app.Out.Write(out)
	return err
}

var doubtful = regexp.MustCompile(`~[0-9.]+% \([0-9.]+-[0-9.]+\)`)

// moveTable is the table of the first n continuations.
func (r *reporter) moveTable(n int) *cli.Table {
	a, sides := r.answer, r.frame.Kind.Rules.Info().Sides
	signs := r.frame.Signs(a.Continuations[:n])
	first, second := r.drawn(sides[0].Name), r.drawn(sides[1].Name)
	t := &cli.Table{Columns: []string{"", "move", "by", "count", "games", "direct", first + " scores", "dates", "rating"}}
	if r.explorer {
		t.Columns = []string{"", "move", "by", "played", "games", "share", "reached", first, second, "draws", first + " scores", "years", "rating"}
	}
	total := 0
	for i := range a.Continuations {
		total += a.Continuations[i].Count
	}
	for i := range a.Continuations[:n] {
		c := &a.Continuations[i]
		cells := []string{signs[i], r.frame.MoveText(c), sides[c.Side].Name, strconv.Itoa(c.Count), strconv.Itoa(c.Games)}
		if r.explorer {
			cells = append(cells, fmt.Sprintf("%.1f%%", 100*float64(c.Count)/float64(total)), reachedText(c.Reached),
				strconv.Itoa(c.First), strconv.Itoa(c.Second), strconv.Itoa(c.Draws), cli.RateText(&c.Score), cli.YearsText(&c.Score))
		} else {
			cells = append(cells, strconv.Itoa(c.Direct), cli.RateText(&c.Score), cli.RangeText(c.Score.Since(), c.Score.Until(), " - "))
		}
		t.Add(nil, append(cells, numberText(c.Rating()))...)
	}
	return t
}

// occurrences returns the places of a row that a table shows: the first, or all.
func (r *reporter) occurrences(row *retrieve.Row) []retrieve.Occurrence {
	if r.all {
		return row.All
	}
	return []retrieve.Occurrence{firstOf(row)}
}

// firstOf returns the first occurrence in a row.
func firstOf(row *retrieve.Row) retrieve.Occurrence {
	return retrieve.Occurrence{Ply: int(row.Ply), Symmetry: row.Symmetry, X: int(row.X), Y: int(row.Y), Variation: row.Variation}
}

// hitTable is the table of games, or with r.all that of occurrences.
func (r *reporter) hitTable() *cli.Table {
	names := sideNames(r.kinds)
	t := &cli.Table{Columns: []string{"id"}}
	if len(r.kinds) > 1 {
		t.Columns = append(t.Columns, "game")
	}
	t.Columns = append(t.Columns, "date", names[0], names[1], "result", "event")
	switch {
	case r.like:
		t.Columns = append(t.Columns, "ply", "like", "differs", "seen")
	case r.frame != nil:
		t.Columns = append(t.Columns, "ply", "times", "seen")
	case r.timed:
		t.Columns = append(t.Columns, "ply")
	}
	if r.swaps() {
		t.Columns = append(t.Columns, "colours")
	}
	for i := range r.answer.Rows {
		row := &r.answer.Rows[i]
		g := r.games[row.Game]
		f := &g.Facts
		head := []string{strconv.Itoa(int(row.Game))}
		if len(r.kinds) > 1 {
			head = append(head, g.Kind)
		}
		head = append(head, f.Date.String(), playerText(&f.Players[0]), playerText(&f.Players[1]),
			resultText(r.sides(row.Game), &f.Result), cli.Shorten(cli.Printable(f.Event), 40))
		for _, o := range r.occurrences(row) {
			cells := slices.Clip(head)
			if r.timed {
				cells = append(cells, plyText(o.Ply))
			}
			switch {
			case r.like:
				cells = append(cells, fmt.Sprintf("%.0f%%", 100*row.Likeness), r.frame.Differences(row))
			case r.frame != nil:
				cells = append(cells, strconv.Itoa(int(row.Occurrences)))
			}
			if r.frame != nil {
				cells = append(cells, seenText(&o))
			}
			if r.swaps() && o.Symmetry.Swap {
				cells = append(cells, "exchanged")
			}
			t.Add(nil, cells...)
		}
	}
	return t
}

// seenText tells in which picture a board was found.
func seenText(o *retrieve.Occurrence) string {
	seen := o.Symmetry.Board.String()
	if o.Symmetry.Board == board.Identity {
		seen = "as drawn"
	}
	if o.Variation {
		seen += ", variation"
	}
	return seen
}

// playerText returns the name of a player with the rank.
func playerText(p *facts.Player) string {
	text := cli.Printable(p.Name)
	if text == "" {
		text = "?"
	}
	if p.Rank.Grade != 0 {
		text += " " + p.Rank.String()
	}
	return text
}

// resultText returns a result in one word.
func resultText(sides []game.SideInfo, r *facts.Result) string {
	text := ""
	switch r.Verdict {
	case facts.Unknown:
		return ""
	case facts.FirstWon:
		text = sides[0].Name
	case facts.SecondWon:
		text = sides[1].Name
	default:
		return r.Verdict.String()
	}
	switch {
	case r.Margin != 0:
		return text + "+" + strconv.FormatFloat(r.Margin, 'f', -1, 64)
	case r.How != "":
		return text + "+" + r.How
	}
	return text
}

func (r *reporter) explainTable() *cli.Table {
	e := &r.answer.Explain
	t := &cli.Table{Columns: []string{"explain", "value"}}
	for _, row := range [][2]string{
		{"query", strings.ReplaceAll(e.Query.String(), "\n", "/")}, {"plan", e.Plan.String()}, {"placements", strconv.Itoa(e.Places)}, {"blocks", strconv.Itoa(e.Pages)},
		{"lines", strconv.FormatInt(r.total, 10)}, {"candidates", strconv.FormatInt(e.Lines, 10)}, {"verified", strconv.FormatInt(e.Boards, 10)},
		{"first page", e.First.Round(time.Microsecond).String()}, {"elapsed", e.Elapsed.Round(time.Microsecond).String()},
	} {
		t.Add(nil, row[0], row[1])
	}
	return t
}

// plyText returns the ply of a row; of a game that was found without such a
// moment, nothing.
func plyText(ply int) string {
	if ply < 0 {
		return ""
	}
	return strconv.Itoa(ply)
}
