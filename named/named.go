package named

import (
	"slices"

	"qipu/board"
	"qipu/game"
	"qipu/pattern"
	"qipu/query"
	"qipu/text"
)

// Kind is what sort of thing a name stands for.
type Kind string

// The kinds, in the order in which they are shown.
const (
	Mate      Kind = "mate"
	Structure Kind = "structure"
	Opening   Kind = "opening"
	Code      Kind = "code"   // of openings
	Ending    Kind = "ending" // that a table knows
)

// Kinds returns all kinds in their order.
func Kinds() []Kind { return []Kind{Mate, Structure, Opening, Code, Ending} }

// Tags returns the languages of names by their tags, in the order of the fields of
// an Item: those of board.Names, and Vietnamese.
func Tags() []string { return []string{"en", "zh-Hant", "zh-Hans", "ja", "ko", "vi"} }

// Item is something with a name. It belongs to its Book and is not changed.
type Item struct {
	ID      string
	Kind    Kind
	Names   board.Names
	Vi      string   // in Vietnamese; empty for none
	Coined  []string // tags of the languages in which its name is a transliteration of ours
	Aliases []string
	Note    string
	Source  string
	Parent  string      // the id of a wider one; empty for none
	Line    []game.Move // of an opening that has a line; nil for others

	find func() query.Q // what finds it in records

	marker  int // among Book.Markers, and its columns there; nil for what is not marked
	columns []int
}

// Hit is an item that stands on a board.
type Hit struct {
	*Item
	Side  int            // whose it is; Both for an opening of both
	Roles []pattern.Role // the pieces that have a part in it
}

// Both is the side of what belongs to both.
const Both = -1

// Called returns the items of a name or alias in any language, by kind; the one alone
// whose id it is, if there is one.
func (b *Items) Called(name string) []*Item {
	if it := b.byID[name]; it != nil {
		return []*Item{it}
	}
	return b.byName[text.Fold(name)]
}

// Find returns the item of an id, or of a name or alias in any language, or nil.
func (b *Items) Find(name string) *Item {
	if list := b.Called(name); len(list) > 0 {
		return list[0]
	}
	return nil
}

// Query returns what finds an item in records: a tree that is not bound.
func (it *Item) Query() query.Q { return it.find() }

// Items returns all items, by kind and then in the order of their tables. The list
// must not be changed.
func (b *Items) Items() []*Item { return b.items }

// Cases returns the items of which one is the parent.
func (b *Items) Cases(id string) (list []*Item) {
	for _, it := range b.items {
		if it.Parent == id {
			list = append(list, it)
		}
	}
	return list
}

// Nearest returns up to n names that are spelled similarly to one.
func (b *Items) Nearest(name string, n int) []string {
	return text.Nearest(name, func(yield func(string) bool) {
		for _, it := range b.items {
			for _, s := range it.Words() {
				if !yield(s) {
					return
				}
			}
		}
	}, n)
}

// Titles returns the names of an item in the languages of Tags; empty where it has
// none.
func (it *Item) Titles() []string {
	n := it.Names
	return []string{n.En, n.Hant, n.Hans, n.Ja, n.Ko, it.Vi}
}

// Words returns all that an item is called: the names of six languages, other names
// and the id, each once.
func (it *Item) Words() []string {
	var list []string
	for _, s := range append(append(it.Titles(), it.Aliases...), it.ID) {
		if s != "" && !slices.Contains(list, s) {
			list = append(list, s)
		}
	}
	return list
}
