package search

import "testing"

// TestCache checks what is kept and what is not.
func TestCache(t *testing.T) {
	const size = 10
	c := cache[int, string]{Most: 10 * size}
	older := func(value string) func(string) bool { return func(there string) bool { return there > value } }
	put := func(key int, value string, bytes int) { c.put(key, value, bytes, older(value)) }
	has := func(key int, want string) {
		t.Helper()
		if got, ok := c.get(key); got != want || ok != (want != "") {
			t.Errorf("%d: %q, %t, want %q", key, got, ok, want)
		}
	}
	for i := range 10 {
		put(i, "b", size)
	}
	has(0, "b")
	put(10, "b", size) // in the place of 1, which was not used since
	has(0, "b")
	has(1, "")
	has(10, "b")
	put(5, "a", size)
	has(5, "b") // which is the newer one
	put(5, "c", 2*size)
	has(5, "c")
	if c.bytes > c.Most || len(c.Of) != 9 || c.order.Len() != 9 {
		t.Errorf("%d bytes, %d, %d", c.bytes, len(c.Of), c.order.Len())
	}
	put(11, "b", 11*size) // more than there is room for
	has(11, "")
}
