package shard

import (
	"context"

	"qipu/index"
	"qipu/query"
	"qipu/store"
	"qipu/store/dedupe"
)

// known holds the keys of all games of a store, so that an import need not ask
// the catalogue for every beginning of every game. It takes about 32 bytes a
// game.
type known struct {
	keys, heads keySet
	crowds      dedupe.Crowds
}

// keySet is a set of hashes that are not 0.
type keySet struct {
	slots []uint64
	n     int
}

func (s *keySet) has(key uint64) bool {
	if s.n == 0 {
		return false
	}
	mask := uint64(len(s.slots) - 1)
	for i := key & mask; s.slots[i] != 0; i = (i + 1) & mask {
		if s.slots[i] == key {
			return true
		}
	}
	return false
}

func (s *keySet) add(key uint64) {
	if key == 0 {
		return
	}
	if 2*s.n >= len(s.slots) {
		old := s.slots
		s.slots, s.n = make([]uint64, max(1<<10, 2*len(old))), 0
		for _, k := range old {
			s.add(k)
		}
	}
	mask := uint64(len(s.slots) - 1)
	i := key & mask
	for ; s.slots[i] != 0; i = (i + 1) & mask {
		if s.slots[i] == key {
			return
		}
	}
	s.slots[i] = key
	s.n++
}

// learn fills the sets from the catalogue.
func (s *Shard) learn(ctx context.Context) error {
	if s.known != nil {
		return nil
	}
	k := new(known)
	for row, err := range s.cat.ScanKeys(ctx) {
		if err != nil {
			return err
		}
		k.keys.add(row.Key)
		k.heads.add(row.Head)
	}
	s.known = k
	return nil
}

// existing is the store as dedupe.Sift asks it. Its owner writes.
type existing struct{ *Shard }

var _ dedupe.Existing = existing{}

func (s existing) Has(key uint64) bool { return s.known == nil || s.known.keys.has(key) }

func (s existing) HasHead(head uint64) bool { return s.known == nil || s.known.heads.has(head) }

func (s existing) Crowds() *dedupe.Crowds {
	if s.known == nil {
		return new(dedupe.Crowds)
	}
	return &s.known.crowds
}

func (s existing) ByKey(ctx context.Context, key uint64) ([]store.KeyRow, error) {
	return s.cat.ByKey(ctx, key)
}

func (s existing) ByHead(ctx context.Context, head uint64) ([]store.KeyRow, error) {
	return s.cat.ByHead(ctx, head)
}

func (s existing) Games(ctx context.Context, ids []uint32) ([]store.Game, error) {
	games, err := s.cat.Games(ctx, ids)
	if err != nil {
		return nil, err
	}
	// Records are compared with what records say, corrected or not.
	layers, err := s.layers(ctx, ids)
	for i := range games {
		if layers[games[i].ID] == nil || err != nil {
			continue
		}
		data, _, readErr := s.cat.Record(ctx, games[i].ID)
		if readErr != nil {
			continue // it is told of elsewhere
		}
		if f, readErr := headers(data, nil); readErr == nil {
			games[i].Facts = *f
		}
	}
	return games, err
}

func (s existing) Noted(ctx context.Context, id uint32, place store.Source) (bool, error) {
	return s.cat.Noted(ctx, id, place)
}

func (s existing) Record(ctx context.Context, id uint32) (encoded, raw []byte, err error) {
	return s.cat.Record(ctx, id)
}

func (s existing) Documents(ctx context.Context, ids []uint32) ([]*index.Document, error) {
	return s.documents(ctx, ids)
}

func (s existing) Reaching(ctx context.Context, k *index.Kind, key uint64) (ids []uint32, err error) {
	v, err := s.View(ctx)
	if err != nil {
		return nil, err
	}
	defer v.Close()
	for postings, err := range v.Positions(ctx, &index.Lookup{Kind: k, Keys: []uint64{key}, Columns: index.ColumnsOf(query.Plies)}) {
		if err != nil {
			return nil, err
		}
		// The numbers of the games lie in mapped memory.
		err = v.Guard(func() error {
			for _, r := range postings.Rows {
				ids = append(ids, postings.Game(int(r.Line)))
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return ids, nil
}
