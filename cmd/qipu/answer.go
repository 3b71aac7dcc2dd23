package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"time"

	"qipu"
	"qipu/board"
	"qipu/board/draw"
	"qipu/catalog"
	"qipu/game"
	"qipu/record/facts"
	"qipu/retrieve"
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
	frame   *frame
	options *listOptions
	answer  *retrieve.Answer
	games   map[uint32]*catalog.Game

	explorer bool // the table of an opening explorer
	all      bool // a row for every occurrence
	board    bool // draw it
	unicode  bool
}

// report prints the answer in the form that the flags ask for. An answer
// without games is exit code 1.
func (r *reporter) report(ctx context.Context, l *qipu.Library) error {
	ids := make([]uint32, len(r.answer.Rows))
	for i := range ids {
		ids[i] = r.answer.Rows[i].Game
	}
	games, err := l.Catalog().Games(ctx, ids)
	if err != nil {
		return err
	}
	r.games = make(map[uint32]*catalog.Game, len(games))
	for i := range games {
		r.games[games[i].ID] = &games[i]
	}
	if r.options.svg != "" {
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
	if r.board {
		text := r.frame.appendText([]byte{'\n'}, r.frame.mark(moves), draw.TextOptions{Unicode: r.unicode, Color: r.colored()})
		if _, err := r.out.Write(text); err != nil {
			return err
		}
	}
	if len(moves) > 0 {
		fmt.Fprintln(r.out)
		if err := r.printMoves(len(moves)); err != nil {
			return err
		}
	}
	if more := len(a.Continuations) - len(moves); more > 0 {
		fmt.Fprintf(r.out, "%s: --moves 0\n", plural(more, "more move"))
	}
	if !r.frame.whole() && a.Hits > 0 {
		fmt.Fprintf(r.out, "elsewhere first (tenuki): %d; nothing more there: %d\n", a.Elsewhere, a.Ended)
	} else if a.Ended > 0 {
		fmt.Fprintf(r.out, "the record ends here: %d\n", a.Ended)
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

// header tells what was found, in two lines.
func (r *reporter) header() string {
	a, info := r.answer, r.frame.rules.Info()
	var b strings.Builder
	total := plural(int(a.Explain.Total), "game")
	of := fmt.Sprintf("%d of %s", a.Games, total)
	if r.options.variations {
		total = plural(int(a.Explain.Total), "line")
		of = fmt.Sprintf("%s, in %s", plural(a.Games, "game"), total)
	}
	switch {
	case a.Games == 0:
		b.WriteString("nothing found in " + total)
	case r.explorer:
		b.WriteString("reached in " + of)
	default:
		b.WriteString(plural(a.Hits, "hit") + " in " + of)
	}
	if n := results(&a.Score); n > 0 {
		fmt.Fprintf(&b, "; %s scores %s in %s with a result", info.Sides[0].Name, rateText(&a.Score), plural(n, "game"))
	}
	b.WriteByte('\n')
	if a.Partial {
		b.WriteString("not all of the library could be asked\n")
	}
	p := r.frame.pattern
	what := fmt.Sprintf("%v %v", p.Size, p.Anchor)
	switch {
	case r.frame.whole():
		what = fmt.Sprintf("whole board %v", p.Size)
	case r.frame.cut && r.frame.placed:
		what += " at " + r.frame.rules.Geometry().Name(r.frame.origin)
	}
	ways := 0
	for _, sym := range info.Symmetries {
		if !sym.Swap {
			ways++
		}
	}
	switch {
	case p.Mirror && ways > 2:
		what += ", turned and mirrored"
	case p.Mirror && ways == 2:
		what += ", mirrored"
	}
	if p.Swap {
		what += ", colours exchanged"
	}
	if p.Turn != 0 {
		what += ", " + info.Sides[p.Turn-1].Name + " to move"
	}
	switch {
	case p.From > 0 && p.To < 0:
		what += fmt.Sprintf(", from ply %d on", p.From)
	case p.From == p.To && p.To >= 0:
		what += fmt.Sprintf(", at ply %d", p.To)
	case p.To >= 0:
		what += fmt.Sprintf(", plies %d to %d", max(p.From, 0), p.To)
	}
	b.WriteString("searched: " + what + "\n")
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
	rate, low, high := s.Rate()
	text := fmt.Sprintf("%.1f%% (%.1f-%.1f)", 100*rate, 100*low, 100*high)
	if n < fewGames {
		text = "~" + text
	}
	return text
}

// dayOf returns the day of an ordinal of facts.Day.First.
func dayOf(ordinal int32) time.Time { return time.Date(1, 1, 1+int(ordinal), 0, 0, 0, 0, time.UTC) }

// boundText returns one of two days that bound a date, as well as the date is
// known: the day, or the month or year where it spans whole ones.
func boundText(day, from, to int32) string {
	if day == 0 {
		return ""
	}
	layout := time.DateOnly
	first, behind := dayOf(from), dayOf(to+1)
	switch {
	case from == to, first.Day() != 1, behind.Day() != 1:
	case first.Month() == time.January && behind.Month() == time.January:
		layout = "2006"
	default:
		layout = "2006-01"
	}
	return dayOf(day).Format(layout)
}

// sinceText and untilText return the first and the last date of a score.
func sinceText(s *retrieve.Score) string {
	return boundText(s.FirstDay, s.FirstDay, s.FirstDay+s.FirstSpan)
}

func untilText(s *retrieve.Score) string {
	return boundText(s.LastDay, s.LastDay-s.LastSpan, s.LastDay)
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
	first, _, _ := strings.Cut(sinceText(s), "-")
	last, _, _ := strings.Cut(untilText(s), "-")
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
	a, sides := r.answer, r.frame.rules.Info().Sides
	marks := r.frame.mark(a.Continuations[:n])
	t := &table{columns: []string{"", "move", "by", "count", "games", "direct", sides[0].Name + " scores", "dates", "rating"}}
	if r.explorer {
		t.columns = []string{"", "move", "by", "played", "games", "share", "reached", sides[0].Name, sides[1].Name, "drawn", sides[0].Name + " scores", "years", "rating"}
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
			cells = append(cells, strconv.Itoa(c.Direct), rateText(&c.Score), rangeText(sinceText(&c.Score), untilText(&c.Score), " - "))
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
	sides := r.frame.rules.Info().Sides
	t := &table{columns: []string{"id", "date", sides[0].Name, sides[1].Name, "result", "event", "ply", "times", "seen", "colours"}}
	for i := range r.answer.Rows {
		row := &r.answer.Rows[i]
		f := &r.games[row.Game].Facts
		for _, o := range r.occurrences(row) {
			seen, colours := o.Symmetry.Board.String(), ""
			if o.Symmetry.Board == board.Identity {
				seen = "as drawn"
			}
			if o.Variation {
				seen += ", variation"
			}
			if o.Symmetry.Swap {
				colours = "exchanged"
			}
			t.add(nil, strconv.Itoa(int(row.Game)), f.Date.String(), playerText(&f.Players[0]), playerText(&f.Players[1]),
				resultText(sides, &f.Result), shorten(printable(f.Event), 40), strconv.Itoa(o.Ply), strconv.Itoa(int(row.Occurrences)), seen, colours)
		}
	}
	if !r.frame.pattern.Swap {
		t.columns = t.columns[:len(t.columns)-1] // of colours, which never change
		for i, row := range t.rows {
			t.rows[i] = row[:len(row)-1]
		}
	}
	return t
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
		{"lines", strconv.FormatInt(e.Total, 10)}, {"candidates", strconv.FormatInt(e.Lines, 10)}, {"verified", strconv.FormatInt(e.Boards, 10)},
		{"first page", e.First.Round(time.Microsecond).String()}, {"elapsed", e.Elapsed.Round(time.Microsecond).String()},
	} {
		t.add(nil, row[0], row[1])
	}
	return t
}
