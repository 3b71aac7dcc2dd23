package named

// Item returns the item of an id, or nil.
func (b *Items) Item(id string) *Item { return b.byID[id] }
