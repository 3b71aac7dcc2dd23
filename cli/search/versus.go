package search

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"qipu/view"
	"qipu/view/answerview"

	"qipu"
	"qipu/cli"
	"qipu/library/ask"
	"qipu/query"
	"qipu/retrieve"
)

// compared is two queries side by side as --json prints them: what was counted of each,
// and the comparison.
type compared struct {
	view.Comparison
	Queries [2]*view.Answer `json:"queries"`
}

// findVersus sets the games of a second query beside those of the first. The
// game and the collection that the flags name go for both, and so does the game
// of the first where the second names none.
func findVersus(ctx context.Context, a *cli.App, l *qipu.Library, o *findOptions, q *ask.Question) error {
	second, err := query.Parse(o.versus)
	if err != nil {
		return err
	}
	var v versus
	for i, text := range []string{q.Text, joinQuery(o.versus, o.collection)} {
		one := *q
		one.Text, one.Limit = text, 1
		if i > 0 && one.Game == "" && len(query.GameSpecs(second)) == 0 {
			one.Game = l.Search().GameOf(v.sides[0].kinds)
		}
		reply, err := a.Ask(ctx, l, &one)
		if err != nil {
			return err
		}
		if v.sides[i], err = reporterOf(ctx, a, l, reply, &o.listOptions); err != nil {
			return err
		}
	}
	v.compare()
	switch {
	case a.JSON:
		err = a.PrintJSON(cli.Typed("comparison", compared{
			*answerview.ComparisonOf(v.sides[0].reply, v.sides[1].reply), [2]*view.Answer{v.sides[0].whole(0), v.sides[1].whole(0)},
		}))
	case a.CSV:
		err = a.Print(v.rows())
	default:
		err = v.printText(a)
	}
	if err == nil && v.sides[0].answer.Games+v.sides[1].answer.Games == 0 {
		return cli.Silent(cli.ExitNothing)
	}
	return err
}

// versus is two answers side by side.
type versus struct {
	shared uint64 // games that both have
	sides  [2]*reporter
	whose  bool // the players that both queries name are compared
	scores [2]*retrieve.Score
	retrieve.Comparison
}

func (v *versus) compare() {
	x, y := v.sides[0].answer, v.sides[1].answer
	v.scores = [2]*retrieve.Score{&x.Colours, &y.Colours}
	v.shared = v.sides[0].reply.Found.AndCardinality(v.sides[1].reply.Found)
	if v.whose = x.Whose != nil && y.Whose != nil; v.whose {
		v.scores = [2]*retrieve.Score{x.Whose, y.Whose}
	}
	v.Comparison = retrieve.Compare(v.scores[0], v.scores[1])
}

// of tells whose rates are compared.
func (v *versus) of() string {
	if v.whose {
		return "player"
	}
	return firstSide(slices.Concat(v.sides[0].kinds, v.sides[1].kinds))
}

// boards reports whether both queries have a board with continuations.
func (v *versus) boards() bool {
	return len(v.sides[0].answer.Continuations) > 0 && len(v.sides[1].answer.Continuations) > 0
}

// rows is the table of both as CSV has it.
func (v *versus) rows() *cli.Table {
	t := &cli.Table{Columns: []string{"query", "games", "hits", "of", "first", "second", "draws", "rate", "low", "high", "difference", "difference_low", "difference_high", "p", "shared"}}
	number := strconv.Itoa
	for i, side := range v.sides {
		s := answerview.ScoreOf(v.scores[i])
		row := []string{side.reply.Query.String(), number(side.answer.Games), side.hitsText(side.answer.Hits), number(int(side.total)),
			number(s.First), number(s.Second), number(s.Draws)}
		difference := make([]string, 5)
		if i == 1 {
			difference = []string{cli.ShareText(v.Difference), cli.ShareText(v.Low), cli.ShareText(v.High), strconv.FormatFloat(v.P, 'g', 3, 64), strconv.FormatUint(v.shared, 10)}
		}
		t.Add(nil, slices.Concat(row, cli.RateCells(&s), difference)...)
	}
	return t
}

func (v *versus) printText(a *cli.App) error {
	both := func(text func(i int) string) (string, string) { return text(0), text(1) }
	t := &cli.Table{Columns: []string{"", "1", "2"}}
	line := func(name string, text func(i int) string) {
		x, y := both(text)
		t.Add(nil, name, x, y)
	}
	line("query", func(i int) string { return cli.Shorten(cli.Printable(v.sides[i].reply.Query.String()), 60) })
	line("games", func(i int) string { return fmt.Sprintf("%d of %d", v.sides[i].answer.Games, v.sides[i].total) })
	if v.sides[0].counted || v.sides[1].counted {
		line("hits", func(i int) string { return v.sides[i].hitsText(v.sides[i].answer.Hits) })
	}
	scores := v.of() + " scores"
	line(scores, func(i int) string { return cli.RateText(v.scores[i]) })
	line("years", func(i int) string { return cli.YearsText(&v.sides[i].answer.Score) })
	if err := a.PrintColumns(t); err != nil {
		return err
	}
	if cli.Results(v.scores[0]) > 0 && cli.Results(v.scores[1]) > 0 {
		fmt.Fprintf(a.Out, "difference: %+.1f points (%+.1f to %+.1f), %s\n", 100*v.Difference, 100*v.Low, 100*v.High, chanceText(v.P))
		if v.shared > 0 {
			fmt.Fprintf(a.Out, "both have %s in common: p is right for different games only\n", cli.Plural(int(v.shared), "game"))
		}
	}
	if !v.boards() {
		return nil
	}
	fmt.Fprintln(a.Out)
	return a.PrintColumns(v.moveTable(a))
}

// chanceText returns the probability of a difference that is none.
func chanceText(p float64) string {
	if p < 0.001 {
		return "p < 0.001"
	}
	return fmt.Sprintf("p = %.3f", p)
}

// moveTable has the continuations of both side by side.
func (v *versus) moveTable(a *cli.App) *cli.Table {
	const most = 12
	t := &cli.Table{Columns: []string{"move 1", "by", "count", "games", v.scored(0), "", "move 2", "by", "count", "games", v.scored(1)}}
	n := 0
	for _, side := range v.sides {
		n = max(n, side.options.shown(a, len(side.answer.Continuations)))
	}
	if v.sides[0].options.moves < 0 {
		n = min(n, most)
	}
	for row := range n {
		cells := make([]string, 11)
		for i, side := range v.sides {
			if row >= len(side.answer.Continuations) {
				continue
			}
			c := &side.answer.Continuations[row]
			copy(cells[6*i:], []string{side.frame.MoveText(c), side.frame.Kind.Rules.Info().Sides[c.Side].Name, strconv.Itoa(c.Count), strconv.Itoa(c.Games), cli.RateText(&c.Score)})
		}
		t.Add(nil, cells...)
	}
	return t
}

func (v *versus) scored(i int) string {
	return v.sides[i].drawn(firstSide(v.sides[i].kinds)) + " scores"
}
