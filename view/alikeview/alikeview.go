// Package alikeview makes the answers about what is alike, and about trees.
package alikeview

import (
	"context"
	"errors"
	"fmt"
	"math"

	"qipu/index"
	"qipu/mine/alike"
	"qipu/mine/dataset"
	"qipu/mine/profile"
	"qipu/mine/tree"
	"qipu/record/facts"
	"qipu/view"
)

// TreeOf returns a tree with how it fared.
func TreeOf(s *dataset.Set, r *tree.Rows, t *tree.Tree, at, judgement string, checks []view.TreeCheck) *view.MinedTree {
	w := &view.MinedTree{
		Game: s.Game, Query: s.Query, At: at, Judgement: judgement, Method: t.Method.String(), Given: t.Given, Rows: len(r.Of), Columns: len(r.Columns),
		Left: LeftOf(s.Left), Nodes: []view.TreeNode{}, Sentences: t.Sentences(s.Sides[0]), Checks: checks,
	}
	if r.Unjudged > 0 {
		w.Left = append(w.Left, fmt.Sprintf("%d rows of which nothing is known how they ended", r.Unjudged))
	}
	if r.Rare > 0 {
		w.Left = append(w.Left, fmt.Sprintf("%d items that too few rows have, or nearly all", r.Rare))
	}
	w.Left = append(w.Left, r.Told...)
	var add func(n *tree.Node, parent int, ask string)
	add = func(n *tree.Node, parent int, ask string) {
		at := len(w.Nodes)
		w.Nodes = append(w.Nodes, view.TreeNode{Parent: parent, Ask: ask, Leaf: n.Split == nil, Rows: n.Rows, Score: n.Mean, Value: n.Value, Low: n.Low, High: n.High})
		for i, k := range n.Kids {
			add(k, at, t.Condition(n, i).String())
		}
	}
	add(t.Root, -1, "")
	name := t.Method.String()
	if t.Given {
		name = tree.Given
	}
	w.Says = said(checks, name)
	return w
}

// said tells whether a tree is better than the base.
func said(checks []view.TreeCheck, name string) string {
	text := ""
	for _, c := range checks {
		for _, m := range c.Models {
			if m.Name != name {
				continue
			}
			verdict := "not better than the base alone"
			switch {
			case m.Gain > 2*m.Error:
				verdict = "better than the base alone"
			case m.Gain < -2*m.Error:
				verdict = "worse than the base alone"
			}
			if text != "" {
				text += "; "
			}
			text += fmt.Sprintf("on unseen %s the tree is %s (log loss less by %.4f ± %.4f)", plural(c.By), verdict, m.Gain, m.Error)
		}
	}
	return text
}

func plural(by string) string {
	if by == "opening" {
		return "openings"
	}
	return by
}

// CheckOf returns how models fared.
func CheckOf(by string, list []tree.Model) view.TreeCheck {
	c := view.TreeCheck{By: by, Models: []view.TreeModel{}}
	for _, m := range list {
		x := view.TreeModel{Name: m.Name, Loss: m.Loss, Gain: m.Gain, Error: m.Error, AUC: m.AUC, Gap: m.Gap}
		if math.IsNaN(x.AUC) {
			x.AUC = 0
		}
		c.Models = append(c.Models, x)
	}
	return c
}

// LeftOf says what was left out.
func LeftOf(list []dataset.Left) []string {
	out := []string{}
	for _, l := range list {
		out = append(out, fmt.Sprintf("%d %s", l.Count, l.What))
	}
	return out
}

func behind(left int) []string {
	if left == 0 {
		return []string{}
	}
	return []string{fmt.Sprintf("%d games behind the first %d", left, alike.MostGames)}
}

// ClustersOf returns clusters.
func ClustersOf(c *alike.Clusters, game, by string) *view.MinedClusters {
	w := &view.MinedClusters{
		Game: game, Sort: string(c.Sort), Games: c.Games, Groups: c.Groups, Silhouette: c.Silhouette, Same: c.Same, Things: []view.ClusteredThing{},
		Width: c.Map.Width, Height: c.Map.Height, Borders: []float64{}, Torn: c.Map.Torn, Truth: []view.ClusterTruth{}, Left: behind(c.Left),
	}
	if c.Sort == alike.Patterns {
		w.By = by
	}
	if c.Rare > 0 {
		what := map[alike.Sort]string{alike.Patterns: "patterns that too few games have", alike.Openings: "games whose opening too few share", alike.Players: "players with fewer games"}
		w.Left = append(w.Left, fmt.Sprintf("%d %s", c.Rare, what[c.Sort]))
	}
	for cell := range c.Map.Cells {
		w.Borders = append(w.Borders, c.Map.Ridge(cell))
	}
	for _, i := range c.Hierarchy.Order() {
		t := &c.Things[i]
		w.Things = append(w.Things, view.ClusteredThing{ID: t.ID, Title: t.Title, Link: t.Link, Games: t.Games, Group: t.Group, MapGroup: t.MapGroup, Cell: c.Map.Place[i]})
	}
	for _, t := range c.Truth {
		w.Truth = append(w.Truth, view.ClusterTruth{What: t.What, Of: t.Of, Games: t.Items, Groups: t.Groups, Classes: t.Classes, Purity: t.Purity, Chance: t.Chance, Precision: t.Precision, Recall: t.Recall, Rand: t.Rand})
	}
	return w
}

// LikesOf returns games that are like one.
func LikesOf(number uint32, l *alike.Likes) *view.LikeGames {
	w := &view.LikeGames{Record: number, Of: l.Of, Rows: []view.LikeGame{}, Left: behind(l.Left)}
	for _, n := range l.Near {
		x := view.LikeGame{ID: n.Number, Players: n.Spelled[:], Opening: n.Opening, Result: n.Result.String(), Plies: len(n.Steps), Like: n.Like, Shared: n.Shared}
		if n.Day != 0 {
			x.Year = facts.DayOf(int(n.Day)).Year
		}
		w.Rows = append(w.Rows, x)
	}
	return w
}

// MeasureOf returns how much games that are alike have in common.
func MeasureOf(game string, p *profile.Precision, left int) *view.LikeMeasure {
	return &view.LikeMeasure{Game: game, Tried: p.Tried, Opening: p.Opening, OpeningChance: p.ChanceOf, Player: p.Player, PlayerChance: p.ChancePlayer, Left: behind(left)}
}

// HabitsOf returns habits, at most so many of each sort.
func HabitsOf(h *profile.Habits, most int) view.Habits {
	list := func(habits []profile.Habit) []view.Habit {
		out := []view.Habit{}
		for _, b := range habits[:min(most, len(habits))] {
			x := view.Habit{Name: b.Name, Title: b.Title, Kind: b.Kind, Other: b.Other, Have: b.Have, Of: b.Of, Expected: b.Expected, Z: b.Z, Query: b.Query}
			if b.Expected > 0 {
				x.Lift = b.Lift()
			}
			out = append(out, x)
		}
		return out
	}
	return view.Habits{Of: h.Of, Tested: h.Tested, More: list(h.More), Less: list(h.Less)}
}

// AuthorshipOf returns how often players are known.
func AuthorshipOf(game string, a *profile.Authorship, late bool) *view.Authorship {
	w := &view.Authorship{Game: game, Unseen: "by chance", Players: a.Players, Tried: a.Tried, First: a.First, Five: a.Five, Chance: a.Chance, Most: a.Most}
	if late {
		w.Unseen = "the latest"
	}
	return w
}

// Style tells how a player plays. Who has too few games to be compared with others
// has no list of them, and that is said.
func Style(ctx context.Context, r *alike.Room, k *index.Kind, name string, most, least, limit int, p alike.Progress) (*view.PlayerStyle, error) {
	h, person, err := r.Distinct(ctx, k, name, p)
	if err != nil {
		return nil, err
	}
	w := &view.PlayerStyle{Game: k.Name, Player: person.Name, Games: h.Of, Like: []view.PlayerAlike{}, Habits: HabitsOf(h, limit), Left: []string{}}
	s, read, err := r.Styles(ctx, k, most, least, p)
	var list []profile.Alike
	if err == nil {
		list, err = s.Like(person.Key, limit)
	}
	switch {
	case errors.Is(err, profile.ErrNoPlayer), errors.Is(err, profile.ErrFewPlayers):
		w.Left = append(w.Left, fmt.Sprintf("who plays alike: the player is not among the %d with most games, at least %d each", most, least))
		return w, nil
	case err != nil:
		return nil, err
	}
	for _, x := range list {
		w.Like = append(w.Like, view.PlayerAlike{Name: read.Called(x.Name), Games: x.Games, Like: x.Like})
	}
	w.Left = append(w.Left, behind(read.Left)...)
	return w, nil
}
