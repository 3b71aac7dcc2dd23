package retrieve

import (
	"context"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"

	"qipu/index"
	"qipu/query"
)

// FacetsRequest asks for games by several dimensions at once.
type FacetsRequest struct {
	Kinds []*index.Kind
	Games *roaring.Bitmap // nil for all of these kinds
	By    []Dimension

	// Sets are the groups of ByCollection and ByTag, Person tells who a player is,
	// and Event which event; as in Request.
	Sets          map[Dimension][]Set
	Person, Event func(spelled string) (key, name string)
}

// Facets groups games by each of the dimensions, in one pass over their facts:
// texts are counted by their numbers, so that a hundred thousand games cost some
// milliseconds for each dimension. Groups are those that Find makes of the same
// games, but for their order of sides, which is that of the games, and for Hits,
// which are not counted.
func Facets(ctx context.Context, v index.View, r *FacetsRequest) ([][]Group, error) {
	list := make([]facet, len(r.By))
	for i, by := range r.By {
		list[i] = facet{groups: groups{by: by, sets: r.Sets[by], person: called(by, r.Person, r.Event), at: map[string]*group{}}, columns: by.columns()}
	}
	cols := []query.Column{query.Result, query.FirstDay, query.LastDay, query.Plies}
	for _, by := range r.By {
		cols = append(cols, by.columns()...)
	}
	plan := &index.Plan{Facts: true, Expr: index.All{}, Columns: index.ColumnsOf(cols...)}
	if r.Games != nil {
		plan.Expr = index.Games{Bitmap: r.Games}
	}
	var lines []counted
	for _, plan.Kind = range r.Kinds {
		for batch, err := range v.Scan(ctx, plan) {
			if err != nil {
				return nil, err
			}
			err = v.Guard(func() error {
				lines = appendLines(lines[:0], batch, r.Games)
				for i := range list {
					list[i].add(&batch.Columns, lines)
				}
				return nil
			})
			if err != nil {
				return nil, err
			}
		}
	}
	out := make([][]Group, len(list))
	for i := range list {
		list[i].name()
		out[i] = list[i].list()
	}
	return out, nil
}

// facet counts games by one dimension. What it has found out about a text, a
// span of days or a length it keeps, so that most games cost no look at a map.
type facet struct {
	groups
	columns []query.Column

	dict    *index.Dictionary // of the present table
	texts   []spelled         // by their numbers in it
	days    map[[2]int32]*group
	lengths []*group // by tens
	results [index.NoResult + 1]*group
}

// spelled is a text with its group, nil where it is not known yet, and how often
// it came, for the names of players.
type spelled struct {
	*group
	name string
	n    int
}

// counted is a game of a batch, with what all dimensions ask for.
type counted struct {
	at        int // in the batch
	game      uint32
	day, last int32
	result    index.Result
}

// appendLines appends the lines of a batch that are of wanted games, nil for
// all: an index may let others through.
func appendLines(dst []counted, b *index.Batch, games *roaring.Bitmap) []counted {
	c := &b.Columns
	for i := range b.N() {
		if !b.Lanes.Has(i) {
			continue
		}
		id := c.Game(i)
		if games == nil || games.Contains(id) {
			dst = append(dst, counted{at: i, game: id, day: c.Day(i), last: c.LastDay(i), result: c.Result(i)})
		}
	}
	return dst
}

// add counts the games of some lines.
func (f *facet) add(c *index.Columns, lines []counted) {
	if len(f.columns) > 0 {
		if d := c.Dict(f.columns[0]); d != f.dict {
			f.name()
			f.dict, f.texts = d, make([]spelled, d.Len()+1)
		}
	}
	for i := range lines {
		l := &lines[i]
		switch f.by {
		case NoGroups:
		case ByCollection, ByTag:
			for k := range f.sets {
				if f.sets[k].Games.Contains(l.game) {
					f.group(f.sets[k].Name).count(l, false)
				}
			}
		case ByYear:
			f.year(l.day, l.last).count(l, false)
		case ByResult:
			if f.results[l.result] == nil {
				f.results[l.result] = f.group(l.result.String())
			}
			f.results[l.result].count(l, false)
		case ByLength:
			f.length(c.Plies(l.at)).count(l, false)
		default:
			for side, col := range f.columns {
				f.text(c.Code(l.at, col)).count(l, side == 1)
			}
		}
	}
}

func (g *group) count(l *counted, swapped bool) { g.add(l.result, l.day, l.last, swapped) }

// group returns the group of a key, which is copied where it is new.
func (f *facet) group(key string) *group {
	x := f.at[key]
	if x == nil {
		key = strings.Clone(key)
		x = &group{Group: Group{Key: key}}
		f.at[key] = x
	}
	return x
}

func (f *facet) year(day, last int32) *group {
	x := f.days[[2]int32{day, last}]
	if x == nil {
		if f.days == nil {
			f.days = map[[2]int32]*group{}
		}
		x = f.group(yearOf(day, last))
		f.days[[2]int32{day, last}] = x
	}
	return x
}

func (f *facet) length(plies int) *group {
	tens := plies / 10
	for len(f.lengths) <= tens {
		f.lengths = append(f.lengths, nil)
	}
	if f.lengths[tens] == nil {
		f.lengths[tens] = f.group(lengthKey(plies))
	}
	return f.lengths[tens]
}

// text returns the group of a text of the present dictionary.
func (f *facet) text(code uint32) *group {
	x := &f.texts[code]
	if x.group == nil {
		text := f.dict.Text(code)
		if f.person != nil && text != "" {
			var key string
			key, x.name = f.person(strings.Clone(text))
			x.group = f.group(key)
		} else {
			x.group = f.group(text)
		}
	}
	x.n++
	return x.group
}

// name adds up how often players have which names in the present table.
func (f *facet) name() {
	for i := range f.texts {
		x := &f.texts[i]
		if x.name != "" {
			x.call(x.name, x.n)
		}
	}
	f.texts = nil
}
