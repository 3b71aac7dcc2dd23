package storetest

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"qipu/index"
	"qipu/query"
	"qipu/record/facts"
	"qipu/text"
)

// text returns what a game's record has for a column of texts.
func (e *entry) text(col query.Column) string {
	f := &e.record.Facts
	switch col {
	case query.FirstPlayer:
		return f.Players[0].Name
	case query.SecondPlayer:
		return f.Players[1].Name
	case query.Event:
		return f.Event
	case query.Opening:
		return f.Opening
	case query.Code:
		return f.Code
	case query.Round:
		return f.Round
	case query.Place:
		return f.Place
	case query.FirstTeam:
		return f.Players[0].Team
	case query.SecondTeam:
		return f.Players[1].Team
	case query.Ruleset:
		return f.Ruleset
	case query.How:
		return f.Result.How
	case query.Origin:
		return f.Source
	case query.Author:
		return f.Author
	case query.Format:
		return e.record.Format
	case query.File:
		return e.record.Place.File
	}
	return ""
}

// number returns what a game's record has for a column of numbers.
func (e *entry) number(col query.Column) (int64, bool) {
	f := &e.record.Facts
	known := func(n int) (int64, bool) { return int64(n), n != 0 }
	first, last, dated := f.Date.Bounds()
	switch col {
	case query.Plies:
		return int64(e.plies), true
	case query.Komi:
		return int64(f.Komi.Half), f.Komi.Known
	case query.Handicap:
		return known(f.Handicap)
	case query.Margin:
		return known(int(math.Round(f.Result.Margin * 4)))
	case query.Result:
		return known(map[facts.Verdict]int{facts.FirstWon: 1, facts.SecondWon: 2, facts.Drawn: 3, facts.Void: 4, facts.BothLost: 4}[f.Result.Verdict])
	case query.FirstRating, query.SecondRating:
		return known(f.Players[col-query.FirstRating].Rating)
	case query.FirstRank, query.SecondRank:
		s, ok := f.Players[col-query.FirstRank].Rank.Strength()
		return int64(s + 100), ok
	case query.FirstDay:
		return int64(first), dated
	case query.LastDay:
		return int64(last), dated
	}
	return 0, false
}

// is decides a fact for a game by its record.
func (e *entry) is(f *query.Fact) bool {
	if f.Column >= query.TextColumns {
		n, ok := e.number(f.Column)
		return ok && n >= f.Low && n <= f.High
	}
	written := e.text(f.Column)
	if written == "" {
		return false
	}
	folded := text.Fold(written)
	if _, ok := f.Text.Whole[folded]; ok {
		return true
	}
	return slices.ContainsFunc(f.Text.Parts, func(part string) bool { return strings.Contains(folded, part) })
}

// says reports whether one of the comments of a game has a text.
func (e *entry) says(folded string) bool {
	for i := range e.record.Nodes {
		comment := text.Fold(e.record.Nodes[i].Text())
		if comment != "" && strings.Contains(comment, folded) {
			return true
		}
	}
	return false
}

// some returns a game of the kind at hand.
func (c *checker) some() *entry { return c.model.games[c.lines[c.rng.IntN(len(c.lines))].game] }

// piece returns a part of a text, now and then all of it.
func (c *checker) piece(s string) string {
	runes := []rune(s)
	if len(runes) == 0 || c.rng.IntN(4) == 0 {
		return s
	}
	from := c.rng.IntN(len(runes))
	return string(runes[from : from+1+c.rng.IntN(len(runes)-from)])
}

// randomFact returns a condition on any column, mostly one that some game
// satisfies.
func (c *checker) randomFact() *query.Fact {
	f := &query.Fact{Column: query.Column(c.rng.IntN(int(query.Columns)))}
	if f.Column < query.TextColumns {
		f.Text = &query.Texts{}
		for range 1 + c.rng.IntN(2) {
			folded := text.Fold(c.some().text(f.Column))
			switch c.rng.IntN(4) {
			case 0:
				if f.Text.Whole == nil {
					f.Text.Whole = map[string]struct{}{}
				}
				f.Text.Whole[folded] = struct{}{}
			case 1:
				f.Text.Parts = append(f.Text.Parts, folded+"x")
			default:
				f.Text.Parts = append(f.Text.Parts, c.piece(folded))
			}
		}
		f.Why = fmt.Sprintf("column %d: %q, %q", f.Column, f.Text.Parts, f.Text.Whole)
		return f
	}
	f.Low, _ = c.some().number(f.Column)
	f.High = f.Low
	switch c.rng.IntN(6) {
	case 0:
		f.Low = math.MinInt64
	case 1:
		f.High = math.MaxInt64
	case 2:
		f.Low, f.High = math.MinInt64, math.MaxInt64
	case 3:
		f.Low -= int64(c.rng.IntN(500))
	case 4:
		f.High += int64(c.rng.IntN(500)) - 20
	}
	f.Why = fmt.Sprintf("column %d: %d to %d", f.Column, f.Low, f.High)
	return f
}

// facts scans by a condition on headers: with the boards, without them, and line
// by line. Now and then other conditions go with it.
func (c *checker) facts() error {
	var e index.Expr = index.Selected{Selection: index.NewSelection(c.randomFact())}
	if c.rng.IntN(3) == 0 {
		e = c.randomExpr(3)
	}
	if err := c.scan(e); err != nil {
		return err
	}
	got := map[uint32]int{}
	for b, err := range c.view.Scan(c.ctx, &index.Plan{Kind: c.kind, Variations: c.rng.IntN(2) == 0, Expr: e, Facts: true}) {
		if err != nil {
			return err
		}
		if b.Block != nil || !b.Main || b.Lanes.Empty() {
			return fmt.Errorf("%v: facts alone come with a block, or with no main lines", e)
		}
		err := c.view.Guard(func() error {
			for lane := range b.N() {
				game := b.Game(lane)
				m := c.model.games[game]
				// A line that is held back may be an older one of its game.
				if s, ok := e.(index.Selected); ok && m != nil && b.Facts(lane) == m.lines[0].facts && s.Match(&b.Columns, lane) != m.is(s.Fact()) {
					return fmt.Errorf("%v: matching game %d says %t", e, game, !m.is(s.Fact()))
				}
				if !b.Lanes.Has(lane) {
					continue
				}
				if got[game]++; m == nil || got[game] > 1 || !c.holds(e, m.lines[0], true) {
					return fmt.Errorf("%v: game %d comes among the facts %d times, or should not", e, game, got[game])
				}
				if b.Facts(lane) != m.lines[0].facts {
					return fmt.Errorf("game %d: headers %+v, want %+v", game, b.Facts(lane), m.lines[0].facts)
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	for _, l := range c.lines {
		if l.main && got[l.game] == 0 && c.holds(e, l, false) {
			return fmt.Errorf("%v: game %d is not among the facts", e, l.game)
		}
	}
	return nil
}

// names compares the texts of a column; those of all columns where that costs
// little.
func (c *checker) names(k *index.Kind) error {
	cols := []query.Column{query.Column(c.rng.IntN(int(query.Columns))), query.FirstPlayer, query.Event}
	for _, col := range cols {
		want := map[index.Name]int{}
		count := map[string]int{}
		for _, e := range c.model.games {
			if e.kind != "" && (k == nil || e.kind == k.Name) && e.text(col) != "" {
				count[e.text(col)]++
			}
		}
		for s, n := range count {
			want[index.Name{Text: s, Folded: text.Fold(s), Games: n}] = 1
		}
		got := map[index.Name]int{}
		var last index.Name
		for n, err := range c.view.Names(c.ctx, k, col) {
			if err != nil {
				return err
			}
			if n.Folded < last.Folded || n.Folded == last.Folded && n.Text <= last.Text && last.Games > 0 {
				return fmt.Errorf("column %d: %+v comes behind %+v", col, n, last)
			}
			got[n]++
			last = n
		}
		if err := sameCounts(got, want); err != nil {
			return fmt.Errorf("column %d: %w", col, err)
		}
	}
	return nil
}

// comments searches the comments for a piece of one, or for a text of none.
func (c *checker) comments(k *index.Kind) error {
	folded := "nobody wrote this"
	for range 10 {
		if c.lines == nil {
			break
		}
		e := c.some()
		if n := c.rng.IntN(len(e.record.Nodes)); e.record.Nodes[n].Text() != "" {
			folded = text.Fold(e.record.Nodes[n].Text())
			if c.rng.IntN(8) > 0 {
				folded = c.piece(folded)
			}
		}
	}
	games, err := c.view.Comments(c.ctx, k, folded)
	if err != nil {
		return err
	}
	for id, e := range c.model.games {
		want := e.kind != "" && (k == nil || e.kind == k.Name) && e.says(folded)
		if games.Contains(id) != want {
			return fmt.Errorf("%q: game %d is found: %t", folded, id, !want)
		}
		games.Remove(id)
	}
	if !games.IsEmpty() {
		return fmt.Errorf("%q: games %v, which there are not", folded, games.ToArray())
	}
	return nil
}
