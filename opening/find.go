package opening

import (
	"slices"
	"strings"

	"qipu/text"
)

// Find returns the opening with an ID, or with a name in any language or an alias,
// compared as package text folds them: in either case, simplified or traditional.
// Of several with one name it is the first; see FindAll.
func (n *Names) Find(name string) (Opening, bool) {
	list := n.find(name)
	if len(list) == 0 {
		return Opening{}, false
	}
	return n.list[list[0]], true
}

// FindAll returns all openings with a name, which is seldom more than one: two of
// Renju are written alike in Korean.
func (n *Names) FindAll(name string) []Opening {
	var list []Opening
	for _, i := range n.find(name) {
		list = append(list, n.list[i])
	}
	return list
}

// Nearest returns at most so many names and aliases that a misspelled one may
// mean, the likeliest first.
func (n *Names) Nearest(name string, most int) []string {
	return text.Nearest(name, func(yield func(string) bool) {
		for i := range n.list {
			for _, s := range n.list[i].called() {
				if !yield(s) {
					return
				}
			}
		}
	}, most)
}

func (n *Names) find(name string) []int {
	word := strings.ToLower(strings.TrimSpace(name))
	for i := range n.list {
		if n.list[i].ID == word {
			return []int{i}
		}
	}
	return n.words()[text.Fold(name)]
}

// index returns the openings by what they are called, in the order of the list.
func (n *Names) index() map[string][]int {
	words := map[string][]int{}
	for i := range n.list {
		for _, s := range n.list[i].called() {
			if s = text.Fold(s); !slices.Contains(words[s], i) {
				words[s] = append(words[s], i)
			}
		}
	}
	return words
}

// called returns all that an opening is called: names that are parted by a slash
// as a whole and each.
func (o *Opening) called() []string {
	var list []string
	for _, s := range []string{o.Names.En, o.Names.Hant, o.Names.Hans, o.Names.Ja, o.Names.Ko} {
		list = append(list, s)
		if parts := strings.Split(s, " / "); len(parts) > 1 {
			list = append(list, parts...)
		}
	}
	return append(list, o.Aliases...)
}
