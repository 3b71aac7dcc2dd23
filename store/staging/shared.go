package staging

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"qipu/store"
	"qipu/store/cluster/changes"
	"qipu/store/cluster/wire"
	"qipu/store/shard"
)

// What people make of a library on servers lies there, as rows of changes. Each folder
// has the picture that all rows together make, and keeps a copy of it beside what is in
// the folder itself: what differs there was made here, and is written to the servers; what
// differs in the picture that later rows make was made elsewhere, and is done here. So it
// does not matter by whom, by what command and in which order anything was changed, nor
// whether servers were there at that moment.

// sharedName is the name under which a folder keeps what it knows of the rows.
const sharedName = "staging/shared"

// lookAfter is how old may be what is known of the rows.
const lookAfter = 250 * time.Millisecond

// sharing is what a process knows of the rows.
type sharing struct {
	turn    chan struct{} // holds a token while somebody looks
	wake    chan struct{} // somebody wants to know
	dirty   atomic.Bool   // something may have been made here
	editing atomic.Int32  // transactions of the folder that are open: who is in one must not wait for another

	mu     sync.Mutex
	looked time.Time
}

// known is what a folder keeps.
type known struct {
	Writer uint64                  `json:"writer"`
	Stamp  uint64                  `json:"stamp"` // the latest
	Seen   map[uint64]changes.Seen `json:"seen"`
	Things []keptThing             `json:"things"`
}

type keptThing struct {
	UID   string            `json:"uid"`
	What  string            `json:"what"`
	Name  string            `json:"name"`
	ID    int64             `json:"id,omitempty"`
	Text  map[string]string `json:"text,omitempty"`
	Games []byte            `json:"games,omitempty"`
}

// picture returns the picture that was kept.
func (k *known) picture() (picture, error) {
	p := picture{}
	for _, t := range k.Things {
		games, err := readSet(t.Games)
		if err != nil {
			return nil, err
		}
		p[thingKey{t.What, t.Name}] = &thing{uid: t.UID, id: t.ID, text: t.Text, games: games}
	}
	return p, nil
}

// keep has a transaction keep a picture with what is known.
func (k *known) keep(tx shard.Tx, p picture) error {
	k.Things = nil
	for _, at := range slices.SortedFunc(maps.Keys(p), func(a, b thingKey) int { return cmp.Or(cmp.Compare(a.what, b.what), cmp.Compare(a.name, b.name)) }) {
		t := p[at]
		games, err := writeSet(t.games)
		if err != nil {
			return err
		}
		k.Things = append(k.Things, keptThing{UID: t.uid, What: at.what, Name: at.name, ID: t.id, Text: t.text, Games: games})
	}
	data, err := json.Marshal(k)
	if err != nil {
		return fmt.Errorf("staging: %w", err)
	}
	return tx.Keep(sharedName, data)
}

// fold makes the changes of rows, which come in the order of their times.
func (k *known) fold(p picture, rows []changes.Row) error {
	for _, r := range rows {
		var list []change
		if err := json.Unmarshal(r.Data, &list); err != nil {
			return fmt.Errorf("staging: what the servers have of tags, collections and queries cannot be read: writer %d, row %d: %w", r.Writer, r.Seq, err)
		}
		for i := range list {
			if err := p.fold(&list[i], fmt.Sprintf("%d/%d/%d", r.Writer, r.Stamp, i)); err != nil {
				return fmt.Errorf("staging: what the servers have of tags, collections and queries cannot be read: writer %d, row %d: %w", r.Writer, r.Seq, err)
			}
		}
		s := k.Seen[r.Writer]
		k.Seen[r.Writer] = changes.Seen{Rows: s.Rows + 1, Last: max(s.Last, r.Seq)}
		k.Stamp = max(k.Stamp, r.Stamp)
	}
	return nil
}

// recall reads what the folder keeps.
func (d *Library) recall(ctx context.Context) (*known, picture, error) {
	k := &known{}
	_, data, err := d.near.Turn(ctx, sharedName)
	if err != nil {
		return nil, nil, err
	}
	if len(data) > 0 && json.Unmarshal(data, k) != nil {
		k = &known{} // as if nothing were known: all rows are read again
	}
	p, err := k.picture()
	if err != nil {
		k, p = &known{}, picture{}
	}
	if k.Writer == 0 {
		k.Writer = max(1, rand.Uint64())
	}
	if k.Seen == nil {
		k.Seen = map[uint64]changes.Seen{}
	}
	return k, p, nil
}

// share has what people made here come to the servers, and what they made elsewhere here.
// Where the servers cannot be asked, it is done later.
func (d *Library) share(ctx context.Context) {
	s := &d.sharing
	if s.editing.Load() > 0 || !d.learnt.try() {
		return
	}
	s.mu.Lock()
	recent := time.Since(s.looked) < lookAfter && !s.dirty.Load()
	s.mu.Unlock()
	if recent {
		return
	}
	select {
	case s.turn <- struct{}{}:
		defer func() { <-s.turn }()
	case <-ctx.Done():
		return
	}
	// It is part of nothing else, and ends when it has begun.
	ctx = store.WithOnce(wire.WithPatience(context.WithoutCancel(ctx), patience), nil)
	dirty := s.dirty.Swap(false)
	err := d.exchange(ctx, dirty)
	s.mu.Lock()
	s.looked = time.Now()
	s.mu.Unlock()
	if err == nil {
		return
	}
	if dirty {
		s.dirty.Store(true)
	}
	if locked := new(store.LockedError); errors.As(err, &locked) {
		return // that one does it
	}
	if waits(err) {
		d.learnt.fails()
	}
	d.options.Logf("staging: tags, collections and queries are brought to the servers later: %v", err)
}

// exchange is share for whoever has the turn.
func (d *Library) exchange(ctx context.Context, dirty bool) error {
	seen, err := d.far.Made.Seen(ctx)
	if err != nil {
		return err
	}
	k, base, err := d.recall(ctx)
	if err != nil {
		return err
	}
	if maps.Equal(seen, k.Seen) && !dirty {
		return nil
	}
	now, theirs := *k, base.clone()
	now.Seen = maps.Clone(k.Seen)
	if !maps.Equal(seen, k.Seen) {
		if now, theirs, err = d.read(ctx, k, base, seen); err != nil {
			return err
		}
	}
	var mine []change
	made := false
	err = d.near.Update(ctx, func(tx shard.Tx) error {
		tx.Silent()
		here, err := pictureOf(ctx, d.near.Notes(), base)
		if err != nil {
			return err
		}
		own, err := diff(base, here)
		if err != nil {
			return err
		}
		want := theirs.clone() // what was made here comes behind what is there
		for i := range own {
			if err := want.fold(&own[i], ""); err != nil {
				return err
			}
		}
		todo, err := diff(here, want)
		if err != nil {
			return err
		}
		for i := range todo {
			if err := todo[i].make(tx, here); err != nil {
				return err
			}
			made = true
		}
		number(theirs, here)
		if mine, err = diff(theirs, want); err != nil {
			return err
		}
		return now.keep(tx, theirs)
	})
	if err != nil {
		return err
	}
	if len(mine) > 0 {
		data, err := json.Marshal(mine)
		if err != nil {
			return fmt.Errorf("staging: %w", err)
		}
		row := changes.Row{Writer: now.Writer, Seq: now.Seen[now.Writer].Last + 1, Stamp: max(uint64(time.Now().UnixMicro()), now.Stamp+1), Who: store.Who(ctx), Data: data}
		if err := d.far.Made.Put(ctx, row); err != nil {
			return err
		}
		if err := now.fold(theirs, []changes.Row{row}); err != nil {
			return err
		}
	}
	if len(mine) == 0 && !made {
		return nil
	}
	return d.near.Update(ctx, func(tx shard.Tx) error {
		tx.Silent()
		here, err := pictureOf(ctx, d.near.Notes(), theirs)
		if err != nil {
			return err
		}
		number(theirs, here)
		return now.keep(tx, theirs)
	})
}

// number has things of a picture know their numbers in a folder.
func number(p, here picture) {
	for at, t := range here {
		if b := p[at]; b != nil && (t.uid == "" || t.uid == b.uid) {
			b.id = t.id
		}
	}
}

// made notes that somebody made something here, and brings it to the servers.
func (d *Library) made(ctx context.Context) {
	d.sharing.dirty.Store(true)
	d.share(ctx)
}

// look has somebody look soon whether others made something.
func (d *Library) look() {
	s := &d.sharing
	s.mu.Lock()
	old := time.Since(s.looked) > lookAfter
	s.mu.Unlock()
	if old {
		select {
		case s.wake <- struct{}{}:
		default:
		}
	}
}

// shareInBackground looks when somebody asks what there is, and now and then.
func (d *Library) shareInBackground() {
	tick := time.NewTicker(shipAfter)
	defer tick.Stop()
	for {
		select {
		case <-d.stopped.Done():
			return
		case <-d.sharing.wake:
		case <-tick.C:
		}
		d.share(d.stopped)
	}
}

// watched is a transaction of notes of which it is seen whether it makes anything that
// lies on the servers.
type watched struct {
	store.Tx
	made bool
}

func (w *watched) CreateCollection(name, note string) (int64, error) {
	w.made = true
	return w.Tx.CreateCollection(name, note)
}

func (w *watched) RenameCollection(id int64, name, note string) error {
	w.made = true
	return w.Tx.RenameCollection(id, name, note)
}

func (w *watched) DropCollection(id int64) error {
	w.made = true
	return w.Tx.DropCollection(id)
}

func (w *watched) Collect(id int64, games []uint32) error {
	w.made = true
	return w.Tx.Collect(id, games)
}

func (w *watched) Uncollect(id int64, games []uint32) error {
	w.made = true
	return w.Tx.Uncollect(id, games)
}

func (w *watched) Tag(name string, games []uint32) error {
	w.made = true
	return w.Tx.Tag(name, games)
}

func (w *watched) Untag(name string, games []uint32) error {
	w.made = true
	return w.Tx.Untag(name, games)
}

func (w *watched) RenameTag(old, name string) error {
	w.made = true
	return w.Tx.RenameTag(old, name)
}

func (w *watched) DropTag(name string) error {
	w.made = true
	return w.Tx.DropTag(name)
}

func (w *watched) SaveQuery(s store.Saved) (int64, error) {
	w.made = w.made || !s.Auto
	return w.Tx.SaveQuery(s)
}

func (w *watched) RenameQuery(id int64, name, fold string) error {
	w.made = true
	return w.Tx.RenameQuery(id, name, fold)
}

func (w *watched) DropQuery(id int64) error {
	w.made = true
	return w.Tx.DropQuery(id)
}

// read brings a picture up to date with the rows that there are. Where some came that are
// older than what is in it, it is made anew of all.
func (d *Library) read(ctx context.Context, k *known, base picture, seen map[uint64]changes.Seen) (known, picture, error) {
	behind := map[uint64]uint64{}
	for w, s := range seen {
		if k.Seen[w] != s {
			behind[w] = k.Seen[w].Last
		}
	}
	rows, err := d.far.Made.Rows(ctx, behind)
	if err != nil {
		return known{}, nil, err
	}
	now, p := known{Writer: k.Writer, Stamp: k.Stamp, Seen: maps.Clone(k.Seen)}, base.clone()
	if len(rows) > 0 && rows[0].Stamp > k.Stamp {
		if err := now.fold(p, rows); err != nil {
			return known{}, nil, err
		}
		missing := false
		for w, s := range seen {
			missing = missing || now.Seen[w].Rows < s.Rows
		}
		if !missing {
			return now, p, nil
		}
	}
	if rows, err = d.far.Made.Rows(ctx, nil); err != nil {
		return known{}, nil, err
	}
	now, p = known{Writer: k.Writer, Stamp: k.Stamp, Seen: map[uint64]changes.Seen{}}, picture{}
	if err := now.fold(p, rows); err != nil {
		return known{}, nil, err
	}
	for at, t := range p { // numbers are of this folder
		if b := base[at]; b != nil && b.uid == t.uid {
			t.id = b.id
		}
	}
	return now, p, nil
}
