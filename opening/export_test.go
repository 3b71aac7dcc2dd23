package opening

import "qipu/text"

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
