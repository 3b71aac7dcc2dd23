package opening

import (
	"slices"
	"strings"

	"qipu/text"
)

// Find returns the opening with an ID, or with a name in any language or an alias,
// compared as package text folds them: in either case, simplified or traditional.
// Of several with one name it is the first.
func (n *Names) Find(name string) (Opening, bool) {
	list := n.find(name)
	if len(list) == 0 {
		return Opening{}, false
	}
	return n.list[list[0]], true
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
