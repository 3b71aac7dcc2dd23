package search

import (
	"container/list"
	"sync"
)

// cache keeps what was fetched and used last, up to a number of bytes. What it
// keeps is never changed. It is safe for concurrent use; but for most, the zero
// value is ready.
type cache[K comparable, V any] struct {
	Most int // bytes

	mu    sync.Mutex
	Of    map[K]*list.Element // of *kept
	order list.List           // what was used last goes first
	bytes int
}

type kept[K comparable, V any] struct {
	key   K
	value V
	bytes int
}

func (c *cache[K, V]) get(key K) (value V, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.Of[key]
	if e == nil {
		return value, false
	}
	c.order.MoveToFront(e)
	return e.Value.(*kept[K, V]).value, true
}

// put keeps a value of so many bytes in the place of what is there, unless older
// says that what is there is the newer one.
func (c *cache[K, V]) put(key K, value V, bytes int, older func(there V) bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.Of == nil {
		c.Of = map[K]*list.Element{}
	}
	if e := c.Of[key]; e != nil {
		if older(e.Value.(*kept[K, V]).value) {
			return
		}
		c.remove(e)
	}
	c.Of[key] = c.order.PushFront(&kept[K, V]{key, value, bytes})
	for c.bytes += bytes; c.bytes > c.Most; {
		c.remove(c.order.Back())
	}
}

func (c *cache[K, V]) remove(e *list.Element) {
	k := c.order.Remove(e).(*kept[K, V])
	c.bytes -= k.bytes
	delete(c.Of, k.key)
}
