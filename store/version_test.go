package store

import "testing"

// TestVersion: different versions differ in every form, and a unique one from
// itself taken again.
func TestVersion(t *testing.T) {
	list := []Version{{}, {Near: 1}, {Near: 2}, {Near: 1, Far: 1}, {Near: 2, Far: 1}, {Near: 1, Far: 2}, {Far: 3}, Unique(), Unique()}
	for i, v := range list {
		for _, w := range list[:i] {
			if v == w || v.String() == w.String() || v.Stamp() == w.Stamp() {
				t.Errorf("%v (%d) is taken for %v (%d)", v, v.Stamp(), w, w.Stamp())
			}
		}
	}
	if (Version{Near: 7}).Stamp() != 7 {
		t.Error("what folders of older versions noted would be lost")
	}
}
