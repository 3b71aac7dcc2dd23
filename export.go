package qipu

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"qipu/catalog"
	"qipu/index/shard"
	"qipu/record"
)

// CopyOptions say who is told how a copy goes.
type CopyOptions struct {
	OnGame func(id uint32, err error) // after every game; with an error for one that could not be copied
}

// Copied counts what a copy did.
type Copied struct {
	New         int // games that were not there
	Known       int // games that were
	Left        int // that could not be copied
	Collections int // that games were put into
	Tags        int // that were put on games
}

// copyChunk is how many games are copied together.
const copyChunk = 4096

// Copy adds games of the library to another one: their records as they were
// read, with the bytes of their sources, all places where they were found, and
// the collections and tags that they have here. What the user said of the names
// of players goes along where the other library knows nothing of the kind.
// Interrupted, it may be run again.
func (l *Library) Copy(ctx context.Context, to *Library, games []uint32, o CopyOptions) (*Copied, error) {
	c := &copier{from: l, to: to, options: &o, numbers: map[uint32]uint32{}, referee: record.NewReferee(l.options.Games)}
	c.referee.Trace = true
	if c.options.OnGame == nil {
		c.options.OnGame = func(uint32, error) {}
	}
	for chunk := range slices.Chunk(games, copyChunk) {
		if err := c.records(ctx, chunk); err != nil {
			return &c.done, err
		}
	}
	return &c.done, to.Edit(ctx, func(tx *catalog.Tx) error {
		return errors.Join(c.collections(ctx, tx), c.tags(ctx, tx), c.players(ctx, tx))
	})
}

// copier is one call of Copy.
type copier struct {
	from, to *Library
	options  *CopyOptions
	referee  *record.Referee
	numbers  map[uint32]uint32 // of the games there, by those here
	done     Copied
}

// records copies the records of some games, and where they were found.
func (c *copier) records(ctx context.Context, ids []uint32) error {
	var batch shard.Batch
	var from []uint32
	for text, err := range c.from.Catalog().Records(ctx, ids) {
		var g *record.Game
		if err == nil {
			g, err = record.DecodeGame(text.Record)
		}
		switch {
		case err == nil:
			g.Raw = text.Raw
			batch.Records, from = append(batch.Records, c.referee.Play(g)), append(from, text.ID)
		case isDamaged(err):
			c.done.Left++
			c.options.OnGame(text.ID, fmt.Errorf("%w: run qipu doctor", err))
		default:
			return err
		}
	}
	added, err := c.to.storing(func() ([]shard.Added, error) {
		return c.to.store.Add(context.WithoutCancel(ctx), batch)
	})
	if err != nil {
		return err
	}
	for i, a := range added {
		c.numbers[from[i]] = a.ID
		if a.Status == shard.New || a.Status == shard.Twin {
			c.done.New++
		} else {
			c.done.Known++
		}
	}
	err = c.to.Edit(ctx, func(tx *catalog.Tx) error {
		for _, id := range from {
			places, err := c.from.Catalog().Sources(ctx, id)
			if err != nil {
				return err
			}
			for _, place := range places[1:] { // the first is that of the record
				if _, err := tx.AddSource(c.numbers[id], place); err != nil {
					return err
				}
			}
		}
		return nil
	})
	for _, id := range from {
		c.options.OnGame(id, nil)
	}
	return err
}

// there returns the numbers of those games of a set that were copied.
func (c *copier) there(games *roaring.Bitmap) (list []uint32) {
	for it := games.Iterator(); it.HasNext(); {
		if id, ok := c.numbers[it.Next()]; ok {
			list = append(list, id)
		}
	}
	return list
}

func (c *copier) collections(ctx context.Context, tx *catalog.Tx) error {
	list, err := c.from.Catalog().Collections(ctx)
	if err != nil {
		return err
	}
	have, err := c.to.Catalog().Collections(ctx)
	if err != nil {
		return err
	}
	for _, from := range list {
		members, err := c.from.Catalog().Members(ctx, from.ID)
		if err != nil {
			return err
		}
		games := c.there(members)
		if len(games) == 0 {
			continue
		}
		c.done.Collections++
		var id int64
		if i := slices.IndexFunc(have, func(h catalog.Collection) bool { return h.Name == from.Name }); i >= 0 {
			id = have[i].ID
		} else if id, err = tx.CreateCollection(from.Name, from.Note); err != nil {
			return err
		}
		if err := tx.Collect(id, games); err != nil {
			return err
		}
	}
	return nil
}

func (c *copier) tags(ctx context.Context, tx *catalog.Tx) error {
	list, err := c.from.Catalog().Tags(ctx)
	if err != nil {
		return err
	}
	for _, tag := range list {
		tagged, err := c.from.Catalog().Tagged(ctx, tag.Name)
		if err != nil {
			return err
		}
		games := c.there(tagged)
		if len(games) == 0 {
			continue
		}
		c.done.Tags++
		if err := tx.Tag(tag.Name, games); err != nil {
			return err
		}
	}
	return nil
}

func (c *copier) players(ctx context.Context, tx *catalog.Tx) error {
	have, err := c.to.Catalog().PlayerEdits(ctx)
	if err != nil || len(have) > 0 {
		return err
	}
	edits, err := c.from.Catalog().PlayerEdits(ctx)
	if err != nil {
		return err
	}
	for _, e := range edits {
		if e.Undone {
			continue
		}
		if _, err := tx.AddPlayerEdit(e); err != nil {
			return err
		}
	}
	return nil
}
