package main

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
	"qipu/game"
	"qipu/index"
	"qipu/query"
	"qipu/record/facts"
	"qipu/retrieve"
	"qipu/store"
)

// Escape codes of emphasis.
const (
	bold  = "\x1b[1m"
	faint = "\x1b[2m"
	plain = "\x1b[0m"
)

// fewGames is the number of results below which a rate is marked as doubtful.
const fewGames = 10

// reporter prints one answer.
type reporter struct {
	*app
	frame   *frame // nil where no board was asked for
	kinds   []*index.Kind
	options *listOptions
	answer  *retrieve.Answer
	reply   *qipu.Reply // nil of an explorer
	total   int64       // lines that there are
	games   map[uint32]*store.Game

	timed    bool   // rows have a ply
	counted  bool   // hits are counted
	which    string // of which board, where the query has several
	like     bool   // and a likeness
	explorer bool   // the table of an opening explorer
	all      bool   // a row for every occurrence
	board    bool   // draw it
	unicode  bool
}

// reporterOf returns who prints a reply.
func (a *app) reporterOf(ctx context.Context, l *qipu.Library, reply *qipu.Reply, o *listOptions) (*reporter, error) {
	r := &reporter{app: a, kinds: reply.Kinds, options: o, answer: reply.Answer, reply: reply, timed: retrieve.Timed(reply.Bound)}
	tally, err := l.Tally(ctx)
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
		r.frame, r.counted, r.which = frameOf(k, reply.Query, shape), true, whichBoard(reply.Bound, shape)
	} else if fuzzy := retrieve.Likeness(reply.Bound); fuzzy != nil {
		r.frame, r.like = frameOf(k, reply.Query, &fuzzy.Shape), true
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
	games, err := l.Archive().Games(ctx, ids)
	if err != nil {
		return err
	}
	r.games = make(map[uint32]*store.Game, len(games))
	for i := range games {
		r.games[games[i].ID] = &games[i]
	}
	if r.options.svg != "" {
		if r.frame == nil {
			return usagef("--svg draws the board of a query: this one asks for none")
		}
		moves := r.answer.Continuations
		picture := draw.AppendSVG(nil, r.frame.scene(moves, r.frame.mark(moves)))
		if err := r.emit(picture, r.options.svg); err != nil {
			return err
		}
	}
	switch {
	case r.json:
		err = r.printObjects()
	case r.csv && r.options.continuations:
		err = r.print(r.moveRows())
	case r.csv:
		err = r.print(r.hitRows())
	default:
		err = r.printText()
	}
	if err == nil && r.answer.Games == 0 {
		return silent(exitNothing)
	}
	return err
}

// printText prints the answer for people.
func (r *reporter) printText() error {
	a := r.answer
	if _, err := io.WriteString(r.out, r.header()); err != nil {
		return err
	}
	moves := a.Continuations[:r.options.shown(r.app, len(a.Continuations))]
	if r.board && r.frame != nil {
		text := r.frame.appendText([]byte{'\n'}, r.frame.mark(moves), draw.TextOptions{Unicode: r.unicode, Color: r.colored()})
		if _, err := r.out.Write(text); err != nil {
			return err
		}
	}
	if err := r.printNext(len(moves), "--moves"); err != nil {
		return err
	}
	if len(a.Rows) > 0 {
		fmt.Fprintln(r.out)
		if err := r.printColumns(r.hitTable()); err != nil {
			return err
		}
	}
	if a.Next != "" {
		fmt.Fprintf(r.out, "more: --cursor %s\n", a.Next)
	}
	if r.options.explain {
		fmt.Fprintln(r.out)
		return r.printColumns(r.explainTable())
	}
	return nil
}

// printNext prints what came next: the first n moves, how many more a flag would
// show, and how often nothing came.
func (r *reporter) printNext(n int, flag string) error {
	a := r.answer
	if n > 0 {
		fmt.Fprintln(r.out)
		if err := r.printMoves(n); err != nil {
			return err
		}
	}
	if more := len(a.Continuations) - n; more > 0 {
		fmt.Fprintf(r.out, "%s: %s 0\n", plural(more, "more move"), flag)
	}
	switch {
	case r.frame == nil || r.like:
	case !r.frame.Whole() && a.Hits > 0:
		fmt.Fprintf(r.out, "elsewhere first (tenuki): %d; nothing more there: %d\n", a.Elsewhere, a.Ended)
	case r.frame.Whole() && a.Ended > 0:
		fmt.Fprintf(r.out, "the record ends here: %d\n", a.Ended)
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
	total := plural(int(r.total), "game")
	of := fmt.Sprintf("%d of %s", a.Games, total)
	if r.options.variations {
		total = plural(int(r.total), "line")
		of = fmt.Sprintf("%s, in %s", plural(a.Games, "game"), total)
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
		b.WriteString(plural(a.Hits, "hit") + r.which + " in " + of)
	default:
		b.WriteString(of)
	}
	if n := results(&a.Colours); n > 0 {
		fmt.Fprintf(&b, "; %s scores %s in %s with a result", firstSide(r.kinds), rateText(&a.Colours), plural(n, "game"))
	}
	b.WriteByte('\n')
	if r.swaps() && (a.First != a.Colours.First || a.Second != a.Colours.Second) {
		fmt.Fprintf(&b, "the side drawn %s scores %s\n", firstSide(r.kinds), rateText(&a.Score))
	}
	if r.reply != nil && retrieve.Marked(r.reply.Bound) != nil && results(&a.Score) > 0 {
		fmt.Fprintf(&b, "the side that had it scores %s\n", rateText(&a.Score))
	}
	if a.Partial {
		b.WriteString("not all of the library could be asked\n")
	}
	if a.Whose != nil && results(a.Whose) > 0 {
		fmt.Fprintf(&b, "%s scores %s in %s\n", printable(a.Player()), rateText(a.Whose), plural(results(a.Whose), "game"))
	}
	if r.frame != nil {
		b.WriteString("searched: " + r.frame.describe() + "\n")
	}
	if r.reply != nil && r.reply.Name != "" {
		b.WriteString("name: " + printable(r.reply.Name) + "\n")
	}
	return b.String()
}

// results is the number of games with a result.
func results(s *retrieve.Score) int { return s.First + s.Second + s.Draws }

// rateText returns the score of the first side with its interval, marked where
// it rests on few games.
func rateText(s *retrieve.Score) string {
	n := results(s)
	if n == 0 {
		return "-"
	}
	text := shareRange(s.Rate())
	if n < fewGames {
		text = "~" + text
	}
	return text
}

// shareRange returns a share with the interval around it, as people read it.
func shareRange(share, low, high float64) string {
	return fmt.Sprintf("%.1f%% (%.1f-%.1f)", 100*share, 100*low, 100*high)
}

// rangeText returns what lies between two dates.
func rangeText(first, last, between string) string {
	if first == last {
		return first
	}
	return first + between + last
}

// yearsText returns the years of a score.
func yearsText(s *retrieve.Score) string {
	first, _, _ := strings.Cut(s.Since(), "-")
	last, _, _ := strings.Cut(s.Until(), "-")
	return rangeText(first, last, "-")
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
	quiet.out = &text
	if err := quiet.printColumns(r.moveTable(n)); err != nil {
		return err
	}
	out := text.Bytes()
	if r.colored() {
		// Only now: escape codes would count as cells of the table.
		out = doubtful.ReplaceAll(out, []byte(faint+"$0"+plain))
	}
	_, err := r.out.Write(out)
	return err
}

var doubtful = regexp.MustCompile(`~[0-9.]+% \([0-9.]+-[0-9.]+\)`)

// moveTable is the table of the first n continuations.
func (r *reporter) moveTable(n int) *table {
	a, sides := r.answer, r.frame.Kind.Rules.Info().Sides
	marks := r.frame.mark(a.Continuations[:n])
	first, second := r.drawn(sides[0].Name), r.drawn(sides[1].Name)
	t := &table{columns: []string{"", "move", "by", "count", "games", "direct", first + " scores", "dates", "rating"}}
	if r.explorer {
		t.columns = []string{"", "move", "by", "played", "games", "share", "reached", first, second, "draws", first + " scores", "years", "rating"}
	}
	total := 0
	for i := range a.Continuations {
		total += a.Continuations[i].Count
	}
	for i := range a.Continuations[:n] {
		c := &a.Continuations[i]
		cells := []string{marks[c.Move.To()], r.frame.move(c), sides[c.Side].Name, strconv.Itoa(c.Count), strconv.Itoa(c.Games)}
		if r.explorer {
			cells = append(cells, fmt.Sprintf("%.1f%%", 100*float64(c.Count)/float64(total)), reachedText(c.Reached),
				strconv.Itoa(c.First), strconv.Itoa(c.Second), strconv.Itoa(c.Draws), rateText(&c.Score), yearsText(&c.Score))
		} else {
			cells = append(cells, strconv.Itoa(c.Direct), rateText(&c.Score), rangeText(c.Score.Since(), c.Score.Until(), " - "))
		}
		t.add(nil, append(cells, numberText(c.Rating()))...)
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
func (r *reporter) hitTable() *table {
	names := sideNames(r.kinds)
	t := &table{columns: []string{"id"}}
	if len(r.kinds) > 1 {
		t.columns = append(t.columns, "game")
	}
	t.columns = append(t.columns, "date", names[0], names[1], "result", "event")
	switch {
	case r.like:
		t.columns = append(t.columns, "ply", "like", "differs", "seen")
	case r.frame != nil:
		t.columns = append(t.columns, "ply", "times", "seen")
	case r.timed:
		t.columns = append(t.columns, "ply")
	}
	if r.swaps() {
		t.columns = append(t.columns, "colours")
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
			resultText(r.sides(row.Game), &f.Result), shorten(printable(f.Event), 40))
		for _, o := range r.occurrences(row) {
			cells := slices.Clip(head)
			if r.timed {
				cells = append(cells, plyText(o.Ply))
			}
			switch {
			case r.like:
				cells = append(cells, fmt.Sprintf("%.0f%%", 100*row.Likeness), r.frame.differences(row))
			case r.frame != nil:
				cells = append(cells, strconv.Itoa(int(row.Occurrences)))
			}
			if r.frame != nil {
				cells = append(cells, seenText(&o))
			}
			if r.swaps() && o.Symmetry.Swap {
				cells = append(cells, "exchanged")
			}
			t.add(nil, cells...)
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
	text := printable(p.Name)
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

// shorten cuts a text that takes more cells than there is room for.
func shorten(text string, room int) string {
	if draw.Cells(text) <= room {
		return text
	}
	runes := []rune(text)
	for draw.Cells(string(runes)) > room-1 {
		runes = runes[:len(runes)-1]
	}
	return strings.TrimSpace(string(runes)) + "…"
}

func (r *reporter) explainTable() *table {
	e := &r.answer.Explain
	t := &table{columns: []string{"explain", "value"}}
	for _, row := range [][2]string{
		{"query", strings.ReplaceAll(e.Query.String(), "\n", "/")}, {"plan", e.Plan.String()}, {"placements", strconv.Itoa(e.Places)}, {"blocks", strconv.Itoa(e.Pages)},
		{"lines", strconv.FormatInt(r.total, 10)}, {"candidates", strconv.FormatInt(e.Lines, 10)}, {"verified", strconv.FormatInt(e.Boards, 10)},
		{"first page", e.First.Round(time.Microsecond).String()}, {"elapsed", e.Elapsed.Round(time.Microsecond).String()},
	} {
		t.add(nil, row[0], row[1])
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
