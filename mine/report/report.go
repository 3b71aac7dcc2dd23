// Package report mines the games that a query finds, and says what was found in sentences.
//
//	r, err := report.Make(ctx, lib, search, report.Options{Options: gather.Options{Text: "game:xiangqi", At: gather.Moment{Ply: 40}}})
//	for _, rule := range r.Found.Rules {
//		fmt.Println(r.Say(&rule), r.Query(rule.Items))
//	}
//
// Behind every number stand games, which a query finds.
package report

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sort"
	"strings"

	"qipu/library"
	"qipu/library/ask"
	"qipu/mine/dataset"
	"qipu/mine/gather"
	"qipu/mine/rules"
)

// Options say what is mined.
type Options struct {
	gather.Options
	Rules rules.Options
}

// Report is what was found.
type Report struct {
	Set      *dataset.Set
	At       gather.Moment
	Found    *rules.Found    // about results
	Followed *rules.Followed // sequences
	Together *rules.Found    // what goes with what, in pairs

	// Halves is how far two halves of the games agree on the rules; Unseen the same of
	// rules that were found in one half alone, which the other has not had a part in. Years
	// is that of rules found in the games until the year Until alone, in the later ones; it is
	// empty where years are not known. Values is how far the rules agree about results and
	// about what the evaluation says, where the table has it.
	Halves, Unseen, Years, Values rules.Agreement
	Until                         int

	// Touched is the share of the rows that a rule about results is about.
	Touched float64
}

// Make mines the games that a query finds. What cannot be said of them, since there are no
// results for example, is left out, and the report says so.
func Make(ctx context.Context, lib *library.Library, search *ask.Searcher, o Options) (*Report, error) {
	set, err := gather.Set(ctx, lib, search, &o.Options)
	if err != nil {
		return nil, err
	}
	r := &Report{Set: set, At: o.At}
	o.Rules.Progress = o.Progress
	if r.Found, err = rules.Mine(ctx, set, o.Rules); err != nil {
		return nil, err
	}
	halves := rules.Halves(set)
	effects := func(judge string, rows dataset.Bits) []rules.Effect {
		return rules.Effects(set, &r.Found.Strata, judge, r.Found.Rules, rows)
	}
	r.Halves = rules.Agree(effects(dataset.Result, halves[0]), effects(dataset.Result, halves[1]))
	if r.Unseen, err = unseen(ctx, set, o.Rules, halves); err != nil {
		return nil, err
	}
	var parts [2]dataset.Bits
	if parts, r.Until = rules.Years(set); r.Until > 0 {
		if r.Years, err = unseen(ctx, set, o.Rules, parts); err != nil {
			return nil, err
		}
	}
	if set.Judgement(dataset.Value) != nil {
		r.Values = valued(set, r.Found)
	}
	r.Touched = rules.Touched(set, r.Found.Rules)
	if r.Followed, err = rules.Sequences(ctx, set, o.Rules); err != nil {
		return nil, err
	}
	pairs := o.Rules
	pairs.Then, pairs.Size = rules.Items, 2
	if r.Together, err = rules.Mine(ctx, set, pairs); err != nil {
		return nil, err
	}
	return r, nil
}

// decided is the least share of rows that an evaluation has to call won, and lost, for
// results to be held against it.
const decided = .05

// valued holds what rules say about results against what they say about the value, in all
// rows, and both within strata that the value has no part in. Early in games evaluations
// call hardly any position won: nothing is to be learnt from that, and it is said.
func valued(set *dataset.Set, found *rules.Found) rules.Agreement {
	all := dataset.NewBits(len(set.Rows))
	var won, lost float64
	for r, x := range set.Judgement(dataset.Value).Values {
		all.Set(r)
		switch {
		case x >= .75:
			won++
		case x <= .25:
			lost++
		}
	}
	if least := min(won, lost) / float64(len(set.Rows)); least < decided {
		found.Left = append(found.Left, fmt.Sprintf("what the evaluation says: it calls no more than %.1f %% of the positions won for one side, too few to be held against results", 100*least))
		return rules.Agreement{}
	}
	strata := rules.StrataOf(set, dataset.Value)
	return rules.Agree(rules.Effects(set, &strata, dataset.Result, found.Rules, all), rules.Effects(set, &strata, dataset.Value, found.Rules, all))
}

// unseen mines one part of the games, and looks at what was found in the other.
func unseen(ctx context.Context, set *dataset.Set, o rules.Options, halves [2]dataset.Bits) (rules.Agreement, error) {
	half := *set
	result := set.Judgement(dataset.Result)
	values := make([]float64, len(set.Rows))
	for r := range values {
		values[r] = dataset.Unknown
		if halves[0].Has(r) {
			values[r] = result.Values[r]
		}
	}
	half.Judgements = []dataset.Number{{Name: dataset.Result, Values: values}}
	o.Progress = nil
	found, err := rules.Mine(ctx, &half, o)
	switch {
	case errors.Is(err, rules.ErrOneResult), errors.Is(err, rules.ErrNoResults), errors.Is(err, rules.ErrNoItems):
		return rules.Agreement{}, nil // too few games for halves
	case err != nil:
		return rules.Agreement{}, err
	}
	strata := rules.StrataOf(set, dataset.Result)
	return rules.Agree(rules.Effects(set, &strata, dataset.Result, found.Rules, halves[0]), rules.Effects(set, &strata, dataset.Result, found.Rules, halves[1])), nil
}

// View returns the side from whose view items are told: that of all of them, or else the
// first.
func (r *Report) View(items ...int) int {
	side := -1
	for _, it := range items {
		switch s := r.Set.Items[it].Side; {
		case s == dataset.Both:
		case side >= 0 && s != side:
			return 0
		default:
			side = s
		}
	}
	return max(side, 0)
}

// Query returns what finds the games behind items, and whether it finds just these: the
// moment of a row cannot always be told in a query.
func (r *Report) Query(items []int) (text string, exact bool) {
	parts, exact := r.games()
	for _, it := range items {
		part, same := r.moment(r.Set.Items[it].Query, len(r.Set.Items[it].Spans) > 0)
		parts, exact = append(parts, part), exact && same && !r.sided(it)
	}
	return strings.Join(parts, " and "), exact
}

// SequenceQuery returns what finds the games behind a sequence: those in which both stand in
// this order, where the table counts only those in which the second begins so soon.
func (r *Report) SequenceQuery(q *rules.Sequence) string {
	parts, _ := r.games()
	first, then := r.Set.Items[q.First].Query, r.Set.Items[q.Then].Query
	part, _ := r.moment(fmt.Sprintf("(%s then %s within %d plies)", first, then, q.Within), true)
	return strings.Join(append(parts, part), " and ")
}

// sided reports whether an item is of a side that no query can name.
func (r *Report) sided(it int) bool {
	return r.Set.Items[it].Side != dataset.Both && !strings.Contains(r.Set.Items[it].Query, ".")
}

// games returns what finds all games of the table.
func (r *Report) games() (parts []string, exact bool) {
	if q := r.Set.Query; q != "" && q != "all" {
		parts = append(parts, "("+q+")")
	}
	if word, _, _ := strings.Cut(r.Set.Game, " "); !strings.Contains(r.Set.Query, "game:") {
		parts = append(parts, "game:"+word)
	}
	if r.At.Ply > 0 {
		parts = append(parts, fmt.Sprintf("moves:%d..", r.At.Ply+1))
	}
	if r.At.First != "" {
		return append(parts, r.firstQuery()), false
	}
	return parts, true
}

func (r *Report) firstQuery() string {
	for _, side := range r.Set.Sides {
		if rest, ok := strings.CutPrefix(r.At.First, side+"."); ok {
			return "named." + side + ":" + quoted(rest)
		}
	}
	return "named:" + quoted(r.At.First)
}

func quoted(s string) string {
	if strings.ContainsAny(s, " ()\"") {
		return `"` + strings.ReplaceAll(s, `"`, "") + `"`
	}
	return s
}

// moment returns a query about what was so until the moment of a row.
func (r *Report) moment(query string, timed bool) (text string, exact bool) {
	if r.At.Ply == 0 || !timed {
		return query, true
	}
	return fmt.Sprintf("when(%s and ply:..%d)", query, r.At.Ply), true
}

// Rows returns the rows that have all of some items.
func Rows(s *dataset.Set, items []int) dataset.Bits {
	return (&rules.Rule{Items: items}).Rows(s)
}

// Place is a position of a game that something was found in.
type Place struct {
	Game uint32
	Ply  int // when all of it stood; 0 where it is about no moment
}

// Samples returns at most so many of the games of some rows, from all of the table, and when
// all of the items stood in each.
func (r *Report) Samples(items []int, rows dataset.Bits, most int) (list []Place) {
	var all []int
	for row := range rows.All() {
		all = append(all, row)
	}
	for i := range min(most, len(all)) {
		row := all[i*len(all)/min(most, len(all))]
		at := Place{Game: r.Set.Rows[row].Game}
		for _, it := range items {
			spans := r.Set.Items[it].Spans
			n := sort.Search(len(spans), func(n int) bool { return int(spans[n].Row) >= row })
			if n < len(spans) && int(spans[n].Row) == row {
				at.Ply = max(at.Ply, int(spans[n].From))
			}
		}
		list = append(list, at)
	}
	return list
}

// Title names items in a few words: whose they are, and what.
func (r *Report) Title(items []int) string { return upper(r.names(items)) }

// Say says a rule about results in a sentence.
func (r *Report) Say(rule *rules.Rule) string {
	view := r.View(rule.Items...)
	effect := signed(rule.Effect.Score, view)
	return fmt.Sprintf("%s %s: %s scores %s %% %s than %s would; %d games", upper(r.names(rule.Items)), r.by(), r.Set.Sides[view], percent(effect, rule.Effect.Error), more(effect), r.like(), rule.With)
}

// SaySequence says a sequence in a sentence.
func (r *Report) SaySequence(q *rules.Sequence) string {
	view := r.View(q.First)
	effect := signed(q.Effect.Score, view)
	return fmt.Sprintf("%s, then within %d plies %s: %s scores %s %% %s than after the first alone; %d games", upper(r.name(q.First)), q.Within, r.name(q.Then), r.Set.Sides[view], percent(effect, q.Effect.Error), more(effect), q.With)
}

// SayTogether says a rule about another item in a sentence.
func (r *Report) SayTogether(rule *rules.Rule) string {
	others := 0.0
	if rest := rule.Square.Rows - rule.With; rest > 0 {
		others = float64(rule.Truths-rule.Both) / float64(rest)
	}
	then := rule.Next
	if rule.Item >= 0 {
		then = r.name(rule.Item)
	}
	return fmt.Sprintf("%s %s goes with %s in %.0f %% of %d games, and in %.0f %% without it", upper(r.names(rule.Items)), r.by(), then, 100*rule.Confidence(), rule.With, 100*others)
}

func (r *Report) names(items []int) string {
	var list []string
	for _, it := range items {
		list = append(list, r.name(it))
	}
	return strings.Join(list, " with ")
}

// name returns whose an item is, and what.
func (r *Report) name(it int) string {
	item := &r.Set.Items[it]
	if item.Side == dataset.Both {
		return item.Title
	}
	side := r.Set.Sides[item.Side]
	return side + "'s " + strings.TrimPrefix(item.Title, side+" ")
}

// by returns until when things were looked at.
func (r *Report) by() string {
	switch {
	case r.At.End:
		return "at any time"
	case r.At.First != "":
		return "until " + r.At.First + " stands"
	}
	return fmt.Sprintf("by move %d", (r.At.Ply+1)/2)
}

// like returns what rows are held against.
func (r *Report) like() string {
	if len(r.Found.Strata.By) == 0 {
		return "games without it"
	}
	return "equal " + strings.Join(r.Found.Strata.By, " and ")
}

func upper(s string) string {
	if s != "" && s[0] >= 'a' && s[0] <= 'z' {
		return string(s[0]-'a'+'A') + s[1:]
	}
	return s
}

func signed(x float64, view int) float64 {
	if view == 1 {
		return -x
	}
	return x
}

func percent(x, err float64) string { return fmt.Sprintf("%.1f ± %.1f", 100*math.Abs(x), 100*err) }

func more(x float64) string {
	if x < 0 {
		return "less"
	}
	return "more"
}
