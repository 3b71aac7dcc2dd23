package retrieve

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"

	"qipu/board"
	"qipu/index"
	"qipu/pattern"
	"qipu/query"
)

// TestPaging follows cursors: every game comes once, in the declared order,
// whatever the length of the pages.
//
//qipu:race
func TestPaging(t *testing.T) {
	w := newWorld(t, 31, 300)
	k, err := w.store.Kinds().Find("weiqi 5x5")
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range []query.Q{nil, w.frequent(t, k)} {
		all, err := Find(t.Context(), w.view, &Request{Kind: k, Query: q, Limit: -1})
		if err != nil {
			t.Fatal(err)
		}
		if all.Games < 40 || all.Next != "" {
			t.Fatalf("%d games are too few to page through, or there is a next page (%q)", all.Games, all.Next)
		}
		for order := ByStore; order <= ByRating; order++ {
			for _, reverse := range []bool{false, true} {
				want := declared(all.Rows, order, reverse)
				for _, limit := range []int{1, 7, 0, 30, longPage + 1, -1} {
					r := &Request{Kind: k, Query: q, Order: order, Reverse: reverse, Limit: limit, NoContinuations: true}
					var got []uint32
					for {
						a, err := Find(t.Context(), w.view, r)
						if err != nil {
							t.Fatal(err)
						}
						for i := range a.Rows {
							got = append(got, a.Rows[i].Game)
						}
						if a.Games != all.Games || limit >= 0 && len(a.Rows) > cmp.Or(limit, defaultLimit) {
							t.Fatalf("%v: %d games, %d rows on a page of %d", order, a.Games, len(a.Rows), limit)
						}
						if r.Cursor = a.Next; a.Next == "" || len(got) > all.Games {
							break
						}
					}
					if !slices.Equal(got, want) {
						t.Fatalf("%v, reverse %t, limit %d: %v, want %v", order, reverse, limit, got, want)
					}
				}
			}
		}
	}
}

// declared sorts rows as the comments of the orders say.
func declared(rows []Row, order Order, reverse bool) (games []uint32) {
	list := slices.Clone(rows)
	slices.SortFunc(list, func(x, y Row) int {
		if order == ByDate && (x.Day == 0 || y.Day == 0) && x.Day != y.Day {
			if x.Day == 0 {
				return 1
			}
			return -1
		}
		n := 0
		switch order {
		case ByOccurrences:
			n = int(y.Occurrences - x.Occurrences)
		case ByDate:
			n = int(y.Day - x.Day)
		case ByRating:
			n = cmp.Or(int(y.Rating)-int(x.Rating), int(y.Rank)-int(x.Rank))
		}
		if n == 0 {
			n = int(x.Game) - int(y.Game)
		}
		if reverse {
			return -n
		}
		return n
	})
	for i := range list {
		games = append(games, list[i].Game)
	}
	return games
}

// TestCursorStays follows a cursor whose game is gone.
func TestCursorStays(t *testing.T) {
	var p pager
	rng := rand.New(rand.NewPCG(1, 1))
	rows := []Row{}
	for i := range 100 {
		rows = append(rows, Row{Game: uint32(i), Rating: uint16(rng.IntN(10)), Rank: int8(rng.IntN(128))})
	}
	r := &Request{Kind: &index.Kind{}, Order: ByRating, Limit: 10}
	p, _ = newPager(r)
	for i := range rows {
		p.add(&rows[i])
	}
	first, next := p.page()
	gone := first[len(first)-1].Game
	r.Cursor = next
	r.Limit = -1
	p, err := newPager(r)
	if err != nil {
		t.Fatal(err)
	}
	for i := range rows {
		if rows[i].Game != gone {
			p.add(&rows[i])
		}
	}
	if rest, _ := p.page(); len(rest) != 90 || slices.ContainsFunc(rest, func(r Row) bool {
		return slices.ContainsFunc(first, func(f Row) bool { return f.Game == r.Game })
	}) {
		t.Errorf("%d rows behind the first page, want the other 90", len(rest))
	}
}

func TestBadCursor(t *testing.T) {
	w := library(t, "weiqi", "9x9", "gtp", "first:E5")
	k := w.kinds()[0]
	good := cursor{Order: "date", Value: 3, Game: 4, Query: identity(&Request{Kind: k})}.String()
	for name, r := range map[string]*Request{
		"nonsense":       {Cursor: "nonsense!"},
		"no JSON":        {Cursor: "bm9uZQ"},
		"another order":  {Cursor: good},
		"the other way":  {Cursor: good, Order: ByDate, Reverse: true},
		"a cut one":      {Cursor: good[:len(good)-3], Order: ByDate},
		"a number alone": {Cursor: "NQ", Order: ByDate},
		"another query":  {Cursor: good, Order: ByDate, Query: w.frequent(t, k)},
		"other lines":    {Cursor: good, Order: ByDate, Variations: true},
	} {
		r.Kind = k
		if _, err := Find(t.Context(), w.view, r); err == nil || !strings.Contains(err.Error(), "begin again") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Find(t.Context(), w.view, &Request{Kind: k, Order: ByDate, Cursor: good}); err != nil {
		t.Errorf("a good cursor: %v", err)
	}
	if _, err := Find(t.Context(), w.view, &Request{Kind: k, Order: 9}); err == nil {
		t.Error("order 9 is taken")
	}
}

// FuzzCursor: any text is a cursor that reads back the same, or an error.
func FuzzCursor(f *testing.F) {
	f.Add(cursor{Order: "date", Value: 3, Game: 4, Query: "x"}.String(), uint8(2), false)
	f.Add("x", uint8(0), true)
	f.Fuzz(func(t *testing.T, text string, order uint8, reverse bool) {
		o := Order(order % uint8(len(orderNames)))
		row, err := parseCursor(text, o, reverse, "x")
		if err != nil {
			return
		}
		again, err := parseCursor(cursorAt(row, o, reverse, "x").String(), o, reverse, "x")
		if err != nil || again.Game != row.Game || o.value(again) != o.value(row) || again.rank != row.rank || again.Others != row.Others || again.Plies != row.Plies {
			t.Errorf("%q: %+v becomes %+v, %v", text, row, again, err)
		}
	})
}

func TestOrders(t *testing.T) {
	for o := ByStore; o <= ByLikeness; o++ {
		if got, err := ParseOrder(o.String()); got != o || err != nil {
			t.Errorf("%v reads as %v, %v", o, got, err)
		}
	}
	if _, err := ParseOrder("size"); err == nil || !strings.Contains(err.Error(), "occurrences") {
		t.Errorf("an order that there is not: %v", err)
	}
}

// TestRate compares the interval with the values that Newcombe published for
// the score method (Statistics in Medicine 17, 1998, table I), and with no
// results at all.
func TestRate(t *testing.T) {
	for _, c := range []struct{ won, of, low, high float64 }{
		{81, 263, 0.2553, 0.3662}, {15, 148, 0.0624, 0.1605}, {0, 20, 0, 0.1611}, {1, 29, 0.0061, 0.1718},
	} {
		s := Score{Count: int(c.of) + 5, First: int(c.won), Second: int(c.of - c.won)}
		rate, low, high := s.Rate()
		if math.Abs(rate-c.won/c.of) > 1e-9 || math.Abs(low-c.low) > 0.00006 || math.Abs(high-c.high) > 0.00006 {
			t.Errorf("%v of %v: %.4f in %.4f to %.4f, want %.4f to %.4f", c.won, c.of, rate, low, high, c.low, c.high)
		}
		s.First, s.Second = s.Second, s.First
		if r, l, h := s.Rate(); math.Abs(r+rate-1) > 1e-9 || math.Abs(l+high-1) > 1e-9 || math.Abs(h+low-1) > 1e-9 {
			t.Errorf("%v of %v lost: %v in %v to %v", c.won, c.of, r, l, h)
		}
	}
	if rate, low, high := (&Score{Count: 7}).Rate(); rate != 0 || low != 0 || high != 1 {
		t.Errorf("without results: %v in %v to %v", rate, low, high)
	}
	if rate, _, _ := (&Score{Count: 3, First: 1, Draws: 2}).Rate(); math.Abs(rate-2.0/3) > 1e-9 {
		t.Errorf("one win and two draws: %v", rate)
	}
}

func TestRating(t *testing.T) {
	var s Score
	if s.Rating() != 0 {
		t.Error("no ratings have a mean")
	}
	for _, r := range []uint16{2000, 0, 2001, 0} {
		s.rate(r)
	}
	if s.Rating() != 2001 {
		t.Errorf("the mean of 2000 and 2001 is %d, want it rounded up to 2001", s.Rating())
	}
}

func TestText(t *testing.T) {
	if got := fmt.Sprint(Text{}, Text{query.Const(true)}); got != " all" {
		t.Errorf("texts are %q", got)
	}
	if data, err := (Text{query.Const(false)}).MarshalText(); string(data) != "none" || err != nil {
		t.Errorf("%q, %v", data, err)
	}
}

// TestIdentity: requests for other things have other identities, and those for
// the same the same one, whatever games a name stands for by now.
func TestIdentity(t *testing.T) {
	shape := func(change func(*pattern.Pattern)) query.Q {
		p := &pattern.Pattern{Size: board.Size{W: 2, H: 1}, Cells: []pattern.Set{2, 4}, To: -1}
		change(p)
		return &query.Shape{Pattern: p}
	}
	plain := shape(func(*pattern.Pattern) {})
	k := &index.Kind{Name: "weiqi"}
	known := map[string]string{}
	for name, r := range map[string]*Request{
		"plain": {Kind: k, Query: plain}, "kind": {Kind: &index.Kind{Name: "renju"}, Query: plain}, "variations": {Kind: k, Query: plain, Variations: true},
		"all": {Kind: k}, "cells": {Kind: k, Query: shape(func(p *pattern.Pattern) { p.Cells[1] = 1 })},
		"tall": {Kind: k, Query: shape(func(p *pattern.Pattern) { p.Size = board.Size{W: 1, H: 2} })},
		"swap": {Kind: k, Query: shape(func(p *pattern.Pattern) { p.Swap = true })}, "mirror": {Kind: k, Query: shape(func(p *pattern.Pattern) { p.Mirror = true })},
		"turn": {Kind: k, Query: shape(func(p *pattern.Pattern) { p.Turn = 1 })}, "plies": {Kind: k, Query: shape(func(p *pattern.Pattern) { p.To = 9 })},
		"anchor": {Kind: k, Query: shape(func(p *pattern.Pattern) { p.Anchor = pattern.Corner })}, "not": {Kind: k, Query: query.Not{Q: plain}},
		"twice": {Kind: k, Query: query.And{plain, query.Const(true)}}, "or": {Kind: k, Query: query.Or{plain, query.Const(true)}},
		"best": {Kind: k, Query: query.Games{Set: roaring.BitmapOf(1), Why: "best"}}, "worst": {Kind: k, Query: query.Games{Set: roaring.BitmapOf(1), Why: "worst"}},
	} {
		id := identity(r)
		if other, taken := known[id]; taken {
			t.Errorf("%s is the same as %s", name, other)
		}
		known[id] = name
	}
	if id := identity(&Request{Kind: k, Query: query.Games{Set: roaring.BitmapOf(1, 2), Why: "best"}}); known[id] != "best" {
		t.Error("a name that has got one more game is another query")
	}
}

// TestOncePerGame: results count once for each game and move, whatever the
// number of occurrences, lines and pictures in it; by scan and by look-up.
func TestOncePerGame(t *testing.T) {
	w := library(t, "weiqi", "9x9", "gtp", "first:C3 D3 G7 G6 E5", "second:C3 pass", "first:")
	k := w.kinds()[0]
	for _, variations := range []bool{false, true} {
		r := &Request{Kind: k, Query: w.frequent(t, k), Variations: variations}
		a, err := Find(t.Context(), w.view, r)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range a.Continuations {
			if c.Games > 2 || c.First+c.Second+c.Draws != c.Games || c.Count < c.Games {
				t.Errorf("variations %t: %+v", variations, c)
			}
		}
		if a.Hits <= a.Games || len(a.Continuations) == 0 {
			t.Errorf("%d hits in %d games say nothing", a.Hits, a.Games)
		}
	}
}
