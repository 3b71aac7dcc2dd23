// Package mineview makes the answers about what was mined.
package mineview

import (
	"math"
	"slices"
	"strconv"

	"qipu/mine/dataset"
	"qipu/mine/report"
	"qipu/mine/rules"
	"qipu/view"
)

// Insights returns a report with at most so many findings of each kind.
func Insights(r *report.Report, o *rules.Options, most int) *view.Insights {
	f := r.Found
	w := &view.Insights{
		Game: r.Set.Game, Query: r.Set.Query, At: r.At.String(), Sides: []view.MinedSide{{Name: r.Set.Sides[0]}, {Name: r.Set.Sides[1]}}, Rows: len(r.Set.Rows),
		Sets: f.Sets, Tests: f.Tests + r.Followed.Tests + r.Together.Tests, Passed: f.Passed + r.Followed.Passed + r.Together.Passed, Held: f.Held,
		Rate: orElse(o.Rate, .05), Control: string(rules.Yekutieli), Strata: f.Strata.N, By: append([]string{}, f.Strata.By...),
		Halves: agreement(r.Halves), Unseen: agreement(r.Unseen), Until: r.Until, Years: agreement(r.Years), Values: agreement(r.Values), Touched: r.Touched, Findings: []view.Finding{}, Left: []string{},
	}
	if o.Control != "" {
		w.Control = string(o.Control)
	}
	take := func(n int, finding func(i int) view.Finding) {
		for i := range min(n, most) {
			w.Findings = append(w.Findings, finding(i))
		}
		w.More += max(0, n-most)
	}
	ranked := func(list []rules.Rule) {
		places := rules.Interest(list)
		take(len(list), func(i int) view.Finding {
			x := Rule(r, &list[i])
			x.Rank = places[i]
			return x
		})
	}
	ranked(f.Rules)
	take(len(r.Followed.Sequences), func(i int) view.Finding { return sequence(r, &r.Followed.Sequences[i]) })
	ranked(r.Together.Rules)
	w.Left = append(w.Left, Left(r.Set)...)
	for _, list := range [][]string{f.Left, r.Followed.Left, r.Together.Left} {
		for _, s := range list {
			if !slices.Contains(w.Left, s) {
				w.Left = append(w.Left, s)
			}
		}
	}
	return w
}

func orElse(x, usual float64) float64 {
	if x == 0 {
		return usual
	}
	return x
}

// Left returns what was left out of a table, as sentences.
func Left(s *dataset.Set) []string {
	list := []string{}
	for _, l := range s.Left {
		list = append(list, strconv.Itoa(l.Count)+" "+l.What)
	}
	return list
}

func agreement(a rules.Agreement) view.Agreement {
	return view.Agreement{Findings: a.Rules, Correlation: a.Correlation, Same: a.Same}
}

// Rule returns a rule as a finding.
func Rule(r *report.Report, rule *rules.Rule) view.Finding {
	f := view.Finding{Kind: "rule", Items: items(r.Set, rule.Items), Then: []view.FindingItem{}, Folded: rule.Folded, Closed: rule.Closed}
	f.Query, f.Exact = r.Query(rule.Items)
	at := rule.Items
	switch {
	case rule.Item >= 0:
		f.Kind, f.Sentence = "together", r.SayTogether(rule)
		f.Then = items(r.Set, []int{rule.Item})
		at = append(slices.Clone(at), rule.Item)
		f.Query, f.Exact = r.Query(at)
	case rule.Next != "":
		f.Kind, f.Sentence, f.Next = "next", r.SayTogether(rule), rule.Next
	default:
		f.Sentence = r.Say(rule)
		f.Side = r.View(rule.Items...)
		effect(&f, &rule.Effect, rule.AdjustedQ)
	}
	measures(&f, rule.Square)
	f.P, f.Q = rule.P, rule.Q
	f.Title = r.Title(at)
	f.Samples = places(r.Samples(at, report.Rows(r.Set, at), samples))
	return f
}

func sequence(r *report.Report, q *rules.Sequence) view.Finding {
	f := view.Finding{Kind: "sequence", Sentence: r.SaySequence(q), Items: items(r.Set, []int{q.First, q.Then}), Then: []view.FindingItem{}, Side: r.View(q.First), Within: q.Within, P: q.P, Q: q.Q, Query: r.SequenceQuery(q)}
	effect(&f, &q.Effect, q.AdjustedQ)
	measures(&f, q.Square)
	f.Title = r.Title([]int{q.First, q.Then})
	f.Samples = places(r.Samples([]int{q.First, q.Then}, q.Rows(r.Set), samples))
	return f
}

// samples is how many games of a finding are told.
const samples = 6

func places(list []report.Place) []view.FindingPlace {
	out := []view.FindingPlace{}
	for _, p := range list {
		out = append(out, view.FindingPlace{Record: p.Game, Ply: p.Ply})
	}
	return out
}

func items(s *dataset.Set, list []int) []view.FindingItem {
	out := make([]view.FindingItem, len(list))
	for i, it := range list {
		out[i] = item(&s.Items[it])
	}
	return out
}

func item(it *dataset.Item) view.FindingItem {
	return view.FindingItem{ID: it.ID, Name: it.Name, Title: it.Title, Kind: it.Kind, Side: it.Side}
}

func effect(f *view.Finding, e *rules.Effect, q float64) {
	f.Effect, f.Error, f.Odds, f.Low, f.Strict = e.Score, e.Error, e.Odds, e.Low, q
	if f.Side == 1 {
		f.Effect = -f.Effect
	}
	if e.High < math.MaxFloat64 {
		f.High = e.High
	}
}

func measures(f *view.Finding, q rules.Square) {
	f.Games, f.Support, f.Confidence, f.Base, f.Lift, f.Leverage = q.With, q.Support(), q.Confidence(), q.Base(), q.Lift(), q.Leverage()
	if c := q.Conviction(); c < math.MaxFloat64 {
		f.Conviction = c
	}
}
