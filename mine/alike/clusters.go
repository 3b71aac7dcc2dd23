package alike

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"net/url"
	"slices"

	"qipu/index"
	"qipu/mine/cluster"
	"qipu/mine/profile"
	"qipu/named"
)

// Sort is what is clustered.
type Sort string

// What can be clustered.
const (
	Patterns Sort = "patterns"
	Openings Sort = "openings"
	Players  Sort = "players"
)

// Sorts returns all of them.
func Sorts() []string { return []string{string(Patterns), string(Openings), string(Players)} }

// ClusterOptions are how things are clustered. The zero value works.
type ClusterOptions struct {
	By       cluster.By      // of patterns
	Link     cluster.Linkage // of the hierarchy
	Groups   int             // as many; those that look best where 0
	MinGames int             // that a thing has; 20 where 0, of openings 12, of patterns 1 % of the games at least
	From     int             // openings: the first ply after which games of one may have the same board; the last where 0
	Most     int             // players, the most games first; 60 where 0
	Seed     uint64
	Progress Progress
}

// Thing is what is clustered.
type Thing struct {
	ID, Title, Link string
	Games           int
	Group           int // of the hierarchy
	MapGroup        int // of the map
}

// Clusters are things that were put together, in a hierarchy and on a map.
type Clusters struct {
	Sort       Sort
	Things     []Thing
	Hierarchy  *cluster.Hierarchy
	Map        *cluster.Map
	Groups     int
	Silhouette float64 // of the hierarchy, from -1 to 1
	Same       float64 // how far hierarchy and map agree: Rand's index, adjusted
	Games      int     // that were read
	Rare       int     // things that were left out, since too few games have them
	Left       int     // games that were left out
	Truth      []Truth // what is known of the same things by other means
}

// Truth holds clusters against classes that were not looked at.
type Truth struct {
	What string
	Of   string // "hierarchy" or "map"
	cluster.Agreement
}

// bestGroups is the largest number of groups that is looked at where nobody says one.
const bestGroups = 60

// Cluster puts the patterns, openings or players of a kind of game together.
func (m *Room) Cluster(ctx context.Context, k *index.Kind, sort Sort, o ClusterOptions) (*Clusters, error) {
	if o.MinGames <= 0 {
		o.MinGames = 20
		if sort == Openings {
			o.MinGames = 12
		}
	}
	if o.Most <= 0 {
		o.Most = 60
	}
	var c *Clusters
	var vectors [][]float64
	var set *profile.OpeningSet
	r, err := m.Games(ctx, k, o.Progress)
	if err != nil {
		return nil, err
	}
	switch sort {
	case Patterns:
		c, vectors, err = m.patterns(ctx, k, r, &o)
	case Openings:
		c, vectors, set, err = m.openings(k, r, &o)
	case Players:
		c, vectors, err = m.stylists(ctx, k, r, &o)
	default:
		return nil, fmt.Errorf("%q cannot be clustered: want patterns, openings or players", sort)
	}
	if err != nil {
		return nil, err
	}
	c.Sort, c.Games, c.Left = sort, len(r.List), r.Left
	matrix, err := cluster.Distances(vectors)
	if err != nil {
		return nil, err
	}
	if c.Hierarchy, err = cluster.Join(ctx, matrix, o.Link); err != nil {
		return nil, err
	}
	if c.Map, err = cluster.Train(ctx, vectors, cluster.MapOptions{Seed: o.Seed}); err != nil {
		return nil, err
	}
	if c.Groups = o.Groups; c.Groups <= 0 {
		c.Groups, _ = c.Hierarchy.Best(matrix, bestGroups)
	}
	groups := c.Hierarchy.Cut(c.Groups)
	c.Groups = slices.Max(groups) + 1
	c.Silhouette = cluster.Silhouette(matrix, groups)
	onMap, err := c.Map.Groups(ctx, c.Groups)
	if err != nil {
		return nil, err
	}
	c.Same = cluster.Agree(groups, onMap, nil, nil).Rand
	for i := range c.Things {
		c.Things[i].Group, c.Things[i].MapGroup = groups[i], onMap[i]
	}
	if set != nil {
		c.Truth, err = m.truth(k, r, set, map[string][]int{"hierarchy": groups, "map": onMap}, o.Seed)
	}
	return c, err
}

// Labels returns how things are shown in pictures.
func (c *Clusters) Labels(onMap bool) []cluster.Label {
	list := make([]cluster.Label, len(c.Things))
	for i, t := range c.Things {
		list[i] = cluster.Label{Text: t.Title, Link: t.Link, Group: t.Group}
		if onMap {
			list[i].Group = t.MapGroup
		}
	}
	return list
}

// patterns describes what has a name.
func (m *Room) patterns(ctx context.Context, k *index.Kind, r *Read, o *ClusterOptions) (*Clusters, [][]float64, error) {
	set, err := m.Names(ctx, k, o.Progress)
	if err != nil {
		return nil, nil, err
	}
	rows := make([]int, len(set.Rows)) // of the table among the games that were read
	for i := range set.Rows {
		rows[i] = r.Find(set.Rows[i].Game)
	}
	d, err := cluster.Describe(set, cluster.PatternOptions{
		By: o.By, MinRows: max(o.MinGames, len(set.Rows)/100), Points: k.Board.Size.Area(),
		Point: func(row int, ply uint16, side int) int {
			if rows[row] < 0 {
				return -1
			}
			return r.Point(rows[row], ply, side)
		},
	})
	if err != nil {
		return nil, nil, err
	}
	c := &Clusters{Rare: d.Rare}
	spec := m.search.GameOf([]*index.Kind{k})
	for _, i := range d.Items {
		it := &set.Items[i]
		t := Thing{ID: it.ID, Title: it.Title, Games: it.Rows.Count()}
		if it.Name != "" && it.Kind != "shape" {
			t.Link = "/names/" + url.PathEscape(spec) + "/" + url.PathEscape(it.Name)
		}
		c.Things = append(c.Things, t)
	}
	return c, d.Vectors, nil
}

// openings describes positions of the beginning.
func (m *Room) openings(k *index.Kind, r *Read, o *ClusterOptions) (*Clusters, [][]float64, *profile.OpeningSet, error) {
	set, err := r.Openings(o.MinGames, cmp.Or(o.From, profile.OpeningPly))
	if err != nil {
		return nil, nil, nil, err
	}
	book, err := m.lib.Knowledge().Names(k)
	if err != nil {
		return nil, nil, nil, err
	}
	c := &Clusters{Rare: set.Rest}
	var vectors [][]float64
	spec := m.search.GameOf([]*index.Kind{k})
	for _, x := range set.List {
		t := Thing{ID: fmt.Sprintf("game %d", r.List[x.Games[0]].Number), Title: x.Called, Games: len(x.Games), Link: fmt.Sprintf("/records/%d?ply=%d", r.List[x.Games[0]].Number, x.Ply)}
		if it := book.Find(x.Called); it != nil {
			t.Title = it.ID + " " + it.Names.Hant
			if it.Names.Hant == "" {
				t.Title = it.Names.En
			}
			t.Link = "/names/" + url.PathEscape(spec) + "/" + url.PathEscape(it.ID)
		}
		if t.Title == "" {
			t.Title = t.ID
		}
		c.Things = append(c.Things, t)
		vectors = append(vectors, x.Vector)
	}
	return c, vectors, set, nil
}

// truth holds clusters of openings against what the games are called: by the group
// that the code or name is a case of, and by the family. The games that are in none of
// the openings are counted once more, with the opening that they are nearest to.
func (m *Room) truth(k *index.Kind, r *Read, set *profile.OpeningSet, groupings map[string][]int, seed uint64) (list []Truth, err error) {
	book, err := m.lib.Knowledge().Names(k)
	if err != nil {
		return nil, err
	}
	thing := slices.Repeat([]int{-1}, len(r.List))
	for i, o := range set.List {
		for _, g := range o.Games {
			thing[g] = i
		}
	}
	group, family := map[string]string{"": ""}, map[string]string{"": ""}
	for i := range r.List {
		if o := r.List[i].Opening; group[o] == "" && o != "" {
			group[o] = groupOf(book, o)
			family[o] = rootOf(book, o)
		}
	}
	nearest := slices.Clone(thing)
	for i := range nearest {
		if nearest[i] < 0 {
			nearest[i] = set.Nearest(&r.List[i])
		}
	}
	for _, of := range []string{"hierarchy", "map"} {
		for _, x := range []struct {
			what  string
			class map[string]string
			thing []int
		}{{"groups of openings", group, thing}, {"families of openings", family, thing}, {"groups of openings, all games", group, nearest}} {
			var groups, classes []int
			number := map[string]int{}
			for i := range r.List {
				name := x.class[r.List[i].Opening]
				if name == "" || x.thing[i] < 0 {
					continue
				}
				if _, ok := number[name]; !ok {
					number[name] = len(number)
				}
				groups, classes = append(groups, groupings[of][x.thing[i]]), append(classes, number[name])
			}
			if len(groups) > 0 && len(number) > 1 {
				rng := rand.New(rand.NewPCG(seed, 7))
				list = append(list, Truth{What: x.what, Of: of, Agreement: cluster.Agree(groups, classes, nil, rng.Shuffle)})
			}
		}
	}
	return list, nil
}

// groupOf returns the wider opening that one is a case of, or itself.
func groupOf(book *named.Items, name string) string {
	it := book.Find(name)
	switch {
	case it == nil:
		return name
	case it.Parent != "":
		return it.Parent
	}
	return it.ID
}

// rootOf returns the widest opening that one is a case of.
func rootOf(book *named.Items, name string) string {
	for range 10 {
		wider := groupOf(book, name)
		if wider == name {
			break
		}
		name = wider
	}
	return name
}

// stylists describes players.
func (m *Room) stylists(ctx context.Context, k *index.Kind, r *Read, o *ClusterOptions) (*Clusters, [][]float64, error) {
	s, _, err := m.Styles(ctx, k, o.Most, o.MinGames, o.Progress)
	if err != nil {
		return nil, nil, err
	}
	c := &Clusters{Rare: s.Rare}
	for _, p := range s.Players {
		name := r.Called(p.Name)
		c.Things = append(c.Things, Thing{ID: p.Name, Title: name, Games: p.Games, Link: "/players/" + url.PathEscape(name)})
	}
	return c, s.Vectors(), nil
}
