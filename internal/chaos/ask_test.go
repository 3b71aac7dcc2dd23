package chaos

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// found is a line of an answer, or a row of a page.
type found struct {
	Type   string
	Games  int
	Apart  int // games of the other origin
	Record struct{ ID int }
	Groups []struct {
		Key   string
		Score struct{ Games int }
	}
}

// same compares the games of an answer with those that should be in it.
func same(question string, got, want []int) error {
	slices.Sort(got)
	if !slices.Equal(got, want) {
		return fmt.Errorf("%s: the records %v, should be %v", question, got, want)
	}
	return nil
}

// finds asks one of the questions whose answers are known, or one that was saved.
func (t *task) finds() error {
	a, s := makeAsk(t.r), t.p.shelf
	if len((ask{tag: a.tag, set: a.set}).ids(s)) == 0 {
		a.tag, a.set = "", "" // there may be no such names, which is no question then
	}
	name, text := []string{"mine", "yours"}[t.r.IntN(2)], a.String()
	if saved, ok := s.queries[name]; ok && t.r.IntN(2) == 0 {
		a, text = saved, "named:"+name
	}
	t.find(t.p, text, a.ids(s))
	return nil
}

// find asks a question.
func (t *task) find(p *place, text string, want []int) {
	t.writes = false
	if p.server != nil {
		t.run = func() (outcome, error) {
			var got []int
			for cursor, page := "", 0; ; page++ {
				var answer struct {
					Records []struct{ Record struct{ ID int } }
					Games   int
					Next    string
				}
				if err := p.get("/records?limit=40&q="+url.QueryEscape(text)+"&cursor="+url.QueryEscape(cursor), &answer); errors.Is(err, errCut) {
					return unknown, nil
				} else if err != nil {
					return unknown, err
				}
				for _, row := range answer.Records {
					got = append(got, row.Record.ID)
				}
				if cursor = answer.Next; cursor == "" || page > 100 {
					break
				}
			}
			t.lone = same(text, got, want)
			return done, nil
		}
		return
	}
	t.run = func() (outcome, error) {
		c := p.run(0, 0, "--library", p.address, "find", text, "--json", "--limit", "0")
		out, err := c.outcome(1)
		if err != nil {
			return out, err
		}
		list, err := totals[found](c)
		if err != nil {
			return unknown, err
		}
		var got []int
		for _, f := range list {
			if f.Type == "hit" {
				got = append(got, f.Record.ID)
			} else if f.Type == "answer" && f.Games != len(want) {
				t.lone = fmt.Errorf("%s: %d games, should be %d", text, f.Games, len(want))
			}
		}
		if err := same(text, got, want); err != nil {
			t.lone = err
		}
		return out, nil
	}
}

// coordinates names a point as players do.
func coordinates(size int, move string) string {
	if move == "" {
		return "pass"
	}
	return string("ABCDEFGHJKLMN"[move[0]-'a']) + strconv.Itoa(size-int(move[1]-'a'))
}

// explores asks how many games reach a position, records and those played here.
func (t *task) explores() error {
	p, r := t.p, t.r
	g, n := makeGame(r.IntN(universe)), 1+r.IntN(3)
	if list := p.shelf.sorted(); len(list) > 0 && r.IntN(4) > 0 {
		g = list[r.IntN(len(list))].game
	}
	var want int
	for _, e := range p.shelf.sorted() {
		if e.board(n) == g.board(n) {
			want++
		}
	}
	var line []string
	for _, m := range g.moves[:n] {
		line = append(line, coordinates(g.size, m))
	}
	kind, moves := fmt.Sprintf("go:%dx%d", g.size, g.size), strings.Join(line, " ")
	t.writes = false
	served := p.server != nil
	t.run = func() (outcome, error) {
		var answer found
		if served {
			if err := p.get("/explore?game="+kind+"&line="+url.QueryEscape(moves), &answer); errors.Is(err, errCut) {
				return unknown, nil
			} else if err != nil {
				return unknown, err
			}
		} else {
			c := p.run(0, 0, "--library", p.address, "explore", "--game", kind, moves, "--json")
			if _, err := c.outcome(1); err != nil {
				return unknown, err
			}
			list, err := totals[found](c)
			if err != nil {
				return unknown, err
			}
			if len(list) > 0 {
				answer = list[len(list)-1]
			}
		}
		if got := answer.Games + answer.Apart; got != want {
			t.lone = fmt.Errorf("%d games reach %s %s, should be %d", got, kind, moves, want)
		}
		return done, nil
	}
	return nil
}

// count asks how many games each player has.
func (t *task) count(p *place) {
	want := map[string]int{}
	for _, e := range p.shelf.sorted() {
		want[e.black]++
		want[e.white]++
	}
	t.writes = false
	t.run = func() (outcome, error) {
		c := p.run(0, 0, "--library", p.address, "find", "--by", "player", "--json")
		if _, err := c.outcome(1); err != nil {
			return unknown, err
		}
		list, err := totals[found](c)
		if err != nil {
			return unknown, err
		}
		got := map[string]int{}
		for _, f := range list {
			for _, g := range f.Groups {
				got[g.Key] = g.Score.Games
			}
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.lone = fmt.Errorf("players have %v games, should have %v", got, want)
		}
		return done, nil
	}
}
