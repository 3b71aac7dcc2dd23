package staging

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"qipu/store"
)

// What people make, as words of changes.
const (
	aTag        = "tag"
	aCollection = "collection"
	aQuery      = "query"
)

// thingKey names something that people made. Queries are named as they are compared.
type thingKey struct{ what, name string }

// thing is a tag, a collection or a saved query.
type thing struct {
	uid   string            // the same wherever it is known, whatever it is called; "" for what is known here alone
	id    int64             // its number here; 0 for none yet
	text  map[string]string // what is told of it
	games *roaring.Bitmap
}

// picture is all that people made, at a moment.
type picture map[thingKey]*thing

// clone returns a copy that can be changed.
func (p picture) clone() picture {
	now := picture{}
	for k, t := range p {
		now[k] = &thing{uid: t.uid, id: t.id, text: t.text, games: t.games.Clone()}
	}
	return now
}

// change is what becomes of one thing.
type change struct {
	What string            `json:"what"`
	Name string            `json:"name"`
	Was  string            `json:"was,omitempty"` // its name before
	Gone bool              `json:"gone,omitempty"`
	Text map[string]string `json:"text,omitempty"` // nil: as it was
	Add  []byte            `json:"add,omitempty"`  // bitmaps of games
	Del  []byte            `json:"del,omitempty"`
}

// fold makes a change. What is made by it gets a name of its own.
func (p picture) fold(c *change, uid string) error {
	k := thingKey{c.What, c.Name}
	if was := (thingKey{c.What, c.Was}); c.Was != "" && p[was] != nil {
		t := p[was]
		delete(p, was)
		if other := p[k]; other != nil {
			other.games.Or(t.games)
		} else {
			p[k] = t
		}
	}
	if c.Gone {
		delete(p, k)
		return nil
	}
	add, err := readSet(c.Add)
	if err != nil {
		return err
	}
	del, err := readSet(c.Del)
	if err != nil {
		return err
	}
	t := p[k]
	if t == nil {
		t = &thing{uid: uid, games: roaring.New()}
		p[k] = t
	}
	if c.Text != nil {
		t.text = c.Text
	}
	t.games.Or(add)
	t.games.AndNot(del)
	return nil
}

// diff returns the changes that make one picture of another, in an order that is always
// the same. Things whose name is another one are known by what they are called everywhere.
func diff(from, to picture) (list []change, err error) {
	names := map[string]thingKey{}
	for k, t := range from {
		if t.uid != "" {
			names[t.uid] = k
		}
	}
	moved := map[thingKey]bool{}
	for k, t := range to {
		c := change{What: k.what, Name: k.name}
		had := from[k]
		if was, ok := names[t.uid]; had == nil && ok && was.what == k.what && to[was] == nil {
			c.Was, had = was.name, from[was]
			moved[was] = true
		}
		fresh := had == nil
		if fresh {
			had = &thing{games: roaring.New()}
		}
		if fresh || !maps.Equal(had.text, t.text) {
			if c.Text = t.text; c.Text == nil {
				c.Text = map[string]string{}
			}
		}
		if c.Add, err = writeSet(roaring.AndNot(t.games, had.games)); err != nil {
			return nil, err
		}
		if c.Del, err = writeSet(roaring.AndNot(had.games, t.games)); err != nil {
			return nil, err
		}
		if c.Was != "" || c.Text != nil || c.Add != nil || c.Del != nil {
			list = append(list, c)
		}
	}
	for k := range from {
		if to[k] == nil && !moved[k] {
			list = append(list, change{What: k.what, Name: k.name, Gone: true})
		}
	}
	slices.SortFunc(list, func(a, b change) int {
		return cmp.Or(cmp.Compare(a.What, b.What), cmp.Compare(a.Name, b.Name))
	})
	return list, nil
}

// writeSet returns a set of games as bytes, nil for the empty one.
func writeSet(b *roaring.Bitmap) ([]byte, error) {
	if b.IsEmpty() {
		return nil, nil
	}
	b.RunOptimize()
	return b.ToBytes()
}

// readSet reads what writeSet wrote.
func readSet(data []byte) (*roaring.Bitmap, error) {
	b := roaring.New()
	if len(data) == 0 {
		return b, nil
	}
	err := b.UnmarshalBinary(data)
	if err == nil {
		err = b.Validate()
	}
	return b, err
}

// pictureOf returns what is in a folder. Things are known by what base calls them.
func pictureOf(ctx context.Context, n store.Notes, base picture) (picture, error) {
	type number struct {
		what string
		id   int64
	}
	uids := map[number]string{}
	for k, t := range base {
		if t.id != 0 {
			uids[number{k.what, t.id}] = t.uid
		}
	}
	p := picture{}
	put := func(k thingKey, id int64, text map[string]string, games *roaring.Bitmap, err error) error {
		if err != nil {
			return err
		}
		t := &thing{uid: uids[number{k.what, id}], id: id, text: text, games: games}
		if b := base[k]; b != nil && b.id == 0 && t.uid == "" {
			t.uid = b.uid
		}
		p[k] = t
		return nil
	}
	tags, err := n.Tags(ctx)
	if err != nil {
		return nil, err
	}
	for _, t := range tags {
		games, err := n.Tagged(ctx, t.Name)
		if err := put(thingKey{aTag, t.Name}, t.ID, nil, games, err); err != nil {
			return nil, err
		}
	}
	collections, err := n.Collections(ctx)
	if err != nil {
		return nil, err
	}
	for _, c := range collections {
		games, err := n.Members(ctx, c.ID)
		if err := put(thingKey{aCollection, c.Name}, c.ID, texts("note", c.Note), games, err); err != nil {
			return nil, err
		}
	}
	queries, err := n.SavedQueries(ctx)
	if err != nil {
		return nil, err
	}
	for _, s := range queries {
		if s.Auto { // the last searches of one machine
			continue
		}
		text := texts("name", s.Name, "kind", s.Kind, "query", s.Query, "described", s.Described, "alias", s.Alias, "note", s.Note)
		if err := put(thingKey{aQuery, s.Fold}, s.ID, text, roaring.New(), nil); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// texts returns pairs that are not empty.
func texts(pairs ...string) (m map[string]string) {
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			if m == nil {
				m = map[string]string{}
			}
			m[pairs[i]] = pairs[i+1]
		}
	}
	return m
}

// make changes a folder as it is said. What is there is in now, which follows.
func (c *change) make(tx store.Tx, now picture) error {
	k := thingKey{c.What, c.Name}
	add, err := readSet(c.Add)
	if err != nil {
		return err
	}
	del, err := readSet(c.Del)
	if err != nil {
		return err
	}
	t := now[k]
	if was := (thingKey{c.What, c.Was}); c.Was != "" && now[was] != nil && t == nil {
		t = now[was]
		switch c.What {
		case aTag:
			err = tx.RenameTag(c.Was, c.Name)
		case aCollection:
			err = tx.RenameCollection(t.id, c.Name, t.text["note"])
		case aQuery:
			err = tx.RenameQuery(t.id, cmp.Or(c.Text["name"], c.Name), c.Name)
		}
		if err != nil {
			return err
		}
	}
	id := int64(0)
	if t != nil {
		id = t.id
	}
	switch {
	case c.Gone && t == nil:
		return nil
	case c.What == aTag && c.Gone:
		return tx.DropTag(c.Name)
	case c.What == aTag:
		if t == nil || !add.IsEmpty() {
			if err := tx.Tag(c.Name, add.ToArray()); err != nil {
				return err
			}
		}
		if !del.IsEmpty() {
			return tx.Untag(c.Name, del.ToArray())
		}
	case c.What == aCollection && c.Gone:
		return tx.DropCollection(id)
	case c.What == aCollection:
		if t == nil {
			id, err = tx.CreateCollection(c.Name, c.Text["note"])
		} else if c.Text != nil {
			err = tx.RenameCollection(id, c.Name, c.Text["note"])
		}
		if err == nil && !add.IsEmpty() {
			err = tx.Collect(id, add.ToArray())
		}
		if err == nil && !del.IsEmpty() {
			err = tx.Uncollect(id, del.ToArray())
		}
		return err
	case c.What == aQuery && c.Gone:
		return tx.DropQuery(id)
	case c.What == aQuery && c.Text["query"] != "":
		_, err = tx.SaveQuery(store.Saved{
			Name: cmp.Or(c.Text["name"], c.Name), Fold: c.Name, Kind: c.Text["kind"], Query: c.Text["query"],
			Described: c.Text["described"], Alias: c.Text["alias"], Note: c.Text["note"],
		})
		return err
	}
	return nil
}
