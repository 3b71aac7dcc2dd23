package search

import (
	"context"
	"fmt"
	"html"
	"math"
	"slices"
	"strconv"
	"strings"

	"qipu/view/answerview"

	"qipu"
	"qipu/cli"
	"qipu/library/ask"
	"qipu/query"
	"qipu/retrieve"
)

// findTrend tells how the share of the games of a question went over the years.
func findTrend(ctx context.Context, a *cli.App, l *qipu.Library, o *findOptions, q *ask.Question) error {
	far := a.NewSearching()
	q.OnTick, q.Limit = far.Tick, 1
	trend, reply, err := l.Search().Trend(ctx, q)
	far.Close()
	if err != nil {
		return query.WithText(err, q.Text)
	}
	a.Notes(reply.Hints)
	r, err := reporterOf(ctx, a, l, reply, &o.listOptions)
	if err != nil {
		return err
	}
	if o.svg != "" {
		if err := a.Emit(trendPicture(trend, reply.Query.String()), o.svg); err != nil {
			return err
		}
	}
	t := trendTable(trend)
	switch {
	case a.JSON:
		err = a.PrintJSON(cli.Typed("trend", answerview.TrendOf(trend)))
	case a.CSV:
		err = a.Print(t)
	default:
		err = r.printTrend(trend)
	}
	if err == nil && reply.Games == 0 {
		return cli.Silent(cli.ExitNothing)
	}
	return err
}

// trendTable is the table of years for programs.
func trendTable(t *retrieve.Trend) *cli.Table {
	out := &cli.Table{Columns: []string{"year", "games", "of", "share", "low", "high", "rated", "rate"}}
	number := strconv.Itoa
	for _, y := range t.Years {
		rate := ""
		if y.Rated > 0 {
			rate = cli.ShareText(y.Rate)
		}
		out.Add(nil, yearText(y.Year), number(y.Games), number(y.Of), cli.ShareText(y.Share), cli.ShareText(y.Low), cli.ShareText(y.High), number(y.Rated), rate)
	}
	return out
}

// printTrend prints a trend for people: a bar for every year, or every decade.
func (r *reporter) printTrend(t *retrieve.Trend) error {
	fmt.Fprint(r.app.Out, r.header())
	fmt.Fprintln(r.app.Out, "trend: "+trendText(t))
	if len(t.Years) == 0 {
		return nil
	}
	const width = 30
	spans, of := spansOf(t, mostBars)
	most := 0.0
	for _, y := range spans {
		most = max(most, y.Share)
	}
	out := &cli.Table{Columns: []string{of, "games", "of", "share", ""}}
	for _, y := range spans {
		bar := ""
		if most > 0 {
			bar = strings.Repeat("#", int(math.Ceil(width*y.Share/most)))
		}
		out.Add(nil, spanText(y.Year, of), strconv.Itoa(y.Games), strconv.Itoa(y.Of),
			cli.ShareRange(y.Share, y.Low, y.High), bar)
	}
	fmt.Fprintln(r.app.Out)
	return r.app.PrintColumns(out)
}

// mostBars is how many years are shown one by one.
const mostBars = 40

// spansOf returns what a trend is drawn by: its years, or where there are many the
// decades from the first with a game on. It returns the name of the spans, too.
func spansOf(t *retrieve.Trend, most int) (list []retrieve.Year, of string) {
	if len(t.Years) <= most {
		return t.Years, "year"
	}
	for _, y := range t.Years {
		decade := y.Year / 10 * 10
		if len(list) == 0 || list[len(list)-1].Year != decade {
			list = append(list, retrieve.Year{Year: decade})
		}
		last := &list[len(list)-1]
		last.Games, last.Of = last.Games+y.Games, last.Of+y.Of
		share := retrieve.Score{First: last.Games, Second: last.Of - last.Games}
		last.Share, last.Low, last.High = share.Rate()
	}
	if first := slices.IndexFunc(list, func(y retrieve.Year) bool { return y.Games > 0 }); first > 0 {
		list = list[first:]
	}
	return list, "decade"
}

func spanText(year int, of string) string {
	if of == "decade" {
		return yearText(year) + "s"
	}
	return yearText(year)
}

// trendText tells the direction of a trend in words.
func trendText(t *retrieve.Trend) string {
	how := ""
	switch t.Direction {
	case "rising":
		how = "the odds rise"
	case "falling":
		how = "the odds fall"
	case "steady":
		how = "steady: the odds change"
	default:
		return "unknown: too few years or games"
	}
	return fmt.Sprintf("%s x%s in ten years (%s-%s)", how, factorText(t.Change), factorText(t.Low), factorText(t.High))
}

// factorText returns a factor with two digits that tell something.
func factorText(f float64) string {
	switch {
	case f >= 1000:
		return "999+"
	case f >= 10:
		return fmt.Sprintf("%.0f", f)
	case f >= 1:
		return fmt.Sprintf("%.1f", f)
	}
	return fmt.Sprintf("%.2f", f)
}

// trendPicture draws a trend: the line of the shares over the years, with the
// interval around it.
func trendPicture(t *retrieve.Trend, title string) []byte {
	const w, h, left, right, top, bottom = 640.0, 320.0, 50.0, 15.0, 40.0, 30.0
	spans, of := spansOf(t, mostBars)
	most, first, last := 0.01, 0, 1
	for i, y := range spans {
		if most = max(most, y.High); i == 0 {
			first = y.Year
		}
		last = y.Year
	}
	x := func(year int) float64 {
		return left + (w-left-right)*float64(year-first)/float64(max(last-first, 1))
	}
	y := func(share float64) float64 { return h - bottom - (h-top-bottom)*share/most }
	var high, low, line []string
	for _, v := range spans {
		at := func(share float64) string { return fmt.Sprintf("%.1f,%.1f", x(v.Year), y(share)) }
		high, line = append(high, at(v.High)), append(line, at(v.Share))
		low = append([]string{at(v.Low)}, low...)
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %g %g" width="%g" height="%g" font-family="sans-serif" font-size="12">`+"\n", w, h, w, h)
	fmt.Fprintf(&b, `<rect width="%g" height="%g" fill="#fff"/>`+"\n", w, h)
	fmt.Fprintf(&b, `<text x="%g" y="16">%s</text><text x="%g" y="32" fill="#555">%s</text>`+"\n", left, html.EscapeString(cli.Shorten(cli.Printable(title), 80)), left, html.EscapeString(trendText(t)))
	for i := range 5 {
		share := most * float64(i) / 4
		fmt.Fprintf(&b, `<path d="M%g %.1fH%g" stroke="#ddd"/><text x="%g" y="%.1f" text-anchor="end">%.1f%%</text>`+"\n", left, y(share), w-right, left-5, y(share)+4, 100*share)
	}
	if len(spans) > 0 {
		fmt.Fprintf(&b, `<polygon points="%s" fill="#9bc" fill-opacity=".4"/>`+"\n", strings.Join(append(high, low...), " "))
		fmt.Fprintf(&b, `<polyline points="%s" fill="none" stroke="#258" stroke-width="2"/>`+"\n", strings.Join(line, " "))
		for _, v := range spans {
			fmt.Fprintf(&b, `<circle cx="%.1f" cy="%.1f" r="2.5" fill="#258"><title>%s: %d of %d</title></circle>`+"\n", x(v.Year), y(v.Share), spanText(v.Year, of), v.Games, v.Of)
		}
		fmt.Fprintf(&b, `<text x="%g" y="%g" text-anchor="middle">%s</text>`, x(first), h-10, spanText(first, of))
		if last != first {
			fmt.Fprintf(&b, `<text x="%g" y="%g" text-anchor="end">%s</text>`, w-right, h-10, spanText(last, of))
		}
		b.WriteByte('\n')
	}
	b.WriteString("</svg>\n")
	return []byte(b.String())
}
