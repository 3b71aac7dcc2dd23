package library

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/zeebo/xxh3"

	"qipu/record"
	"qipu/remedy"
	"qipu/store"
)

// CopyOptions say how a copy goes, and who is told.
type CopyOptions struct {
	OnGame func(id uint32, err error) // after every game; with an error for one that could not be copied

	// Key names the copy in the library that it goes to: one that is run again
	// under the same key goes on behind the last game that is safe there, as long as
	// the games up to it are the same. Where games were put into collections since,
	// or got tags, those that have any come again, and all of them where one was
	// deleted there. Empty begins anew, which finds the same games.
	Key string

	// Verify reads every game back, and compares it with what was sent.
	Verify bool
}

// Copied counts what a copy did.
type Copied struct {
	New         int // games that were not there
	Known       int // games that were
	Left        int // that could not be copied
	Before      int // games that an earlier run of the same copy has dealt with
	Collections int // that games were put into
	Tags        int // that were put on games

	// Verified is how many new games were read back as they were sent, and Sum
	// adds up the hashes of their records.
	Verified int
	Sum      uint64
}

// copyChunk is how many games are copied together.
const copyChunk = 8192

// Copy adds games of the library to another one: their records as they were
// read, with the bytes of their sources, all places where they were found, and
// the collections and tags that they have here. What the user said of the names
// of players goes along where the other library knows nothing of the kind.
// Interrupted, it may be run again. Games are given by rising number.
func (l *Library) Copy(ctx context.Context, to *Library, games []uint32, o CopyOptions) (*Copied, error) {
	ctx = store.Within(ctx, importDeed("", []string{l.Place()}))
	c := &copier{from: l, to: to, options: &o, numbers: map[uint32]uint32{}, behind: xxh3.New()}
	if c.options.OnGame == nil {
		c.options.OnGame = func(uint32, error) {}
	}
	err := c.sets(ctx)
	if err != nil {
		return &c.done, err
	}
	again, rest, err := c.rest(ctx, games)
	if err != nil {
		return &c.done, err
	}
	for i, part := range [][]uint32{again, rest} {
		for chunk := range slices.Chunk(part, copyChunk) {
			if err := c.records(ctx, chunk, i > 0); err != nil {
				return &c.done, err
			}
		}
	}
	return &c.done, to.Edit(ctx, func(tx store.Tx) error {
		if len(games) > 0 && c.options.Key != "" && c.done.Left == 0 {
			if err := tx.MarkInput(c.labelled(games[len(games)-1])); err != nil {
				return err
			}
		}
		return c.players(ctx, tx)
	})
}

// copier is one call of Copy.
type copier struct {
	from, to *Library
	options  *CopyOptions
	numbers  map[uint32]uint32 // of the games of a chunk there, by those here
	labels   []label
	behind   *xxh3.Hasher // of the numbers of all games that were dealt with
	done     Copied
}

// label is a collection or a tag.
type label struct {
	store.Collection // of a collection, its number is that there, 0 where there is none
	tag              bool
	games            *roaring.Bitmap // here
	used             bool
}

// path is where the other library notes how far a copy is.
func (c *copier) path() string { return "copy:" + c.options.Key }

// mark is what the other library notes with a chunk: the last game of it, and as a
// time a hash of the numbers of all up to it, and of when the last one came. Numbers
// do not rise with time on servers, and a library that was restored gives them out
// again.
func (c *copier) mark(ctx context.Context, last uint32) (in store.Input, err error) {
	list, err := c.from.Games(ctx, []uint32{last})
	if err != nil || len(list) == 0 {
		return in, err
	}
	hash := c.behind.Sum64() ^ list[0].Key ^ uint64(list[0].Added.Unix())
	return store.Input{Path: c.path(), Size: int64(last), ModTime: time.Unix(0, int64(hash))}, nil
}

// pass notes that games were dealt with.
func (c *copier) pass(games []uint32) {
	var number [4]byte
	for _, id := range games {
		binary.LittleEndian.PutUint32(number[:], id)
		c.behind.Write(number[:])
	}
}

// labelled is what the other library notes of the collections and tags that games up
// to one have: a hash of them.
func (c *copier) labelled(last uint32) store.Input {
	h := xxh3.New()
	var number [4]byte
	for i := range c.labels {
		l := &c.labels[i]
		for it, first := l.games.Iterator(), true; it.HasNext() && it.PeekNext() <= last; first = false {
			if first {
				fmt.Fprintf(h, "%v %q ", l.tag, l.Name)
			}
			binary.LittleEndian.PutUint32(number[:], it.Next())
			h.Write(number[:])
		}
	}
	return store.Input{Path: c.path() + "?labels", Size: int64(h.Sum64()), ModTime: time.Unix(0, 0)}
}

// rest returns the games that no earlier run has dealt with, and of the others those
// that have labels, where these are not what they were.
func (c *copier) rest(ctx context.Context, games []uint32) (again, rest []uint32, err error) {
	if c.options.Key == "" {
		return nil, games, nil
	}
	last, err := c.to.Notes().InputOf(ctx, c.path())
	if err != nil || last == nil {
		return nil, games, err
	}
	n, found := slices.BinarySearch(games, uint32(last.Size))
	if !found {
		return nil, games, nil
	}
	n++
	c.pass(games[:n])
	// Whatever keeps it from being compared comes up again, or all games come.
	if now, err := c.mark(ctx, uint32(last.Size)); err != nil || !now.ModTime.Equal(last.ModTime) {
		c.behind.Reset()
		return nil, games, nil
	}
	same, err := c.to.Notes().InputDone(ctx, c.labelled(uint32(last.Size)))
	if err != nil {
		return nil, nil, err
	}
	labelled := roaring.New()
	for i := range c.labels {
		if !same {
			labelled.Or(c.labels[i].games)
		}
	}
	for _, id := range games[:n] {
		if labelled.Contains(id) {
			again = append(again, id)
		} else {
			c.options.OnGame(id, nil)
		}
	}
	c.done.Before = n - len(again)
	return again, games[n:], nil
}

// records copies the records of some games, and where they were found. The mark goes
// with them where they come for the first time.
func (c *copier) records(ctx context.Context, ids []uint32, mark bool) error {
	texts, err := c.read(ctx, ids)
	if err != nil {
		return err
	}
	batch := c.play(texts)
	clear(c.numbers)
	added, err := c.to.add(context.WithoutCancel(ctx), batch)
	if err != nil {
		return err
	}
	here, err := c.from.store.Records().Places(ctx, ids)
	if err != nil {
		return err
	}
	fresh := map[uint32]store.Text{} // by the numbers that they have there
	places := map[uint32][]store.Source{}
	for i, a := range added {
		c.numbers[texts[i].ID] = a.ID
		switch a.Status {
		case store.StatusNew, store.StatusTwin:
			c.done.New++
			fresh[a.ID] = texts[i]
		default:
			c.done.Known++
			if a.Status == store.StatusFuller {
				delete(fresh, a.ID) // one of the chunk took the place of another
			}
		}
		if more := here[texts[i].ID]; len(more) > 0 {
			places[a.ID] = append(places[a.ID], more...)
		}
	}
	if err := c.to.store.AddSources(ctx, places); err != nil {
		return err
	}
	if c.options.Verify {
		if err := c.verify(ctx, fresh); err != nil {
			return err
		}
	}
	// Behind a game that stayed there is no mark: another run tells of it again.
	var done store.Input
	if mark && c.options.Key != "" && c.done.Left == 0 {
		c.pass(ids)
		if done, err = c.mark(ctx, ids[len(ids)-1]); err != nil && !Damaged(err) {
			return err
		}
	}
	if err := c.to.Edit(ctx, func(tx store.Tx) error { return c.enter(tx, done) }); err != nil {
		return err
	}
	for i := range texts {
		c.options.OnGame(texts[i].ID, nil)
	}
	return nil
}

// read returns the texts of games, in memory of their own. Damaged ones are told
// of and left out.
func (c *copier) read(ctx context.Context, ids []uint32) ([]store.Text, error) {
	list := make([]store.Text, 0, len(ids))
	for text, err := range c.from.store.Records().Texts(ctx, ids) {
		switch {
		case err == nil:
			list = append(list, store.Text{ID: text.ID, Record: bytes.Clone(text.Record), Raw: bytes.Clone(text.Raw)})
		case text.ID != 0 && (Damaged(err) || errors.Is(err, store.ErrNoGame)):
			c.leave(text.ID, err)
		default:
			return nil, err
		}
	}
	return slices.DeleteFunc(list, func(t store.Text) bool {
		_, err := record.DecodeGame(t.Record)
		if err != nil {
			c.leave(t.ID, err)
		}
		return err != nil
	}), nil
}

func (c *copier) leave(id uint32, err error) {
	c.done.Left++
	c.options.OnGame(id, remedy.For(err, remedy.Check))
}

// play makes records ready to be stored, on all cores.
func (c *copier) play(texts []store.Text) store.Batch {
	b := store.Batch{Records: make([]*record.Played, len(texts)), Prepared: store.Preparations{}}
	ready := make([]*store.Prepared, len(texts))
	workers := min(runtime.GOMAXPROCS(0), 16)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			referee := record.NewReferee(c.to.options.Games)
			referee.Trace = true
			prepare := c.to.store.Preparer()
			for i := w; i < len(texts); i += workers {
				g, err := record.DecodeGame(texts[i].Record)
				if err != nil {
					continue // it was decoded before
				}
				g.Raw = texts[i].Raw
				b.Records[i] = referee.Play(g)
				ready[i] = prepare(b.Records[i])
			}
		})
	}
	wg.Wait()
	for i, p := range b.Records {
		b.Prepared[p] = ready[i]
	}
	return b
}

// verify reads games back. One that lies there otherwise than it was sent is an
// error.
func (c *copier) verify(ctx context.Context, sent map[uint32]store.Text) error {
	ids := slices.Sorted(maps.Keys(sent))
	n := 0
	for text, err := range c.to.store.Records().Texts(ctx, ids) {
		if err != nil {
			return err
		}
		if was := sent[text.ID]; !bytes.Equal(text.Record, was.Record) || !bytes.Equal(text.Raw, was.Raw) {
			return remedy.For(fmt.Errorf("qipu: game %d was read back otherwise than it was sent", text.ID), remedy.Check)
		}
		n++
		c.done.Sum += xxh3.Hash(text.Record)
	}
	c.done.Verified += n
	if n != len(ids) {
		return fmt.Errorf("qipu: %d of %d games could not be read back: run the copy again", len(ids)-n, len(ids))
	}
	return nil
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

// sets reads the collections and tags of the library, and which of them there are
// in the other one.
func (c *copier) sets(ctx context.Context) error {
	collections, err := c.from.Notes().Collections(ctx)
	if err != nil {
		return err
	}
	have, err := c.to.Notes().Collections(ctx)
	if err != nil {
		return err
	}
	for _, from := range collections {
		l := label{Collection: from}
		if l.games, err = c.from.Notes().Members(ctx, from.ID); err != nil {
			return err
		}
		l.ID = 0
		if i := slices.IndexFunc(have, func(h store.Collection) bool { return h.Name == from.Name }); i >= 0 {
			l.ID = have[i].ID
		}
		c.labels = append(c.labels, l)
	}
	tags, err := c.from.Notes().Tags(ctx)
	if err != nil {
		return err
	}
	for _, tag := range tags {
		l := label{Collection: store.Collection{Name: tag.Name}, tag: true}
		if l.games, err = c.from.Notes().Tagged(ctx, tag.Name); err != nil {
			return err
		}
		c.labels = append(c.labels, l)
	}
	return nil
}

// enter puts the games of a chunk into their collections and puts their tags on
// them; with it goes the mark that they are done, where there is one.
func (c *copier) enter(tx store.Tx, mark store.Input) (err error) {
	for i := range c.labels {
		l := &c.labels[i]
		games := c.there(l.games)
		if len(games) == 0 {
			continue
		}
		switch {
		case l.tag:
			err = tx.Tag(l.Name, games)
		case l.ID == 0:
			if l.ID, err = tx.CreateCollection(l.Name, l.Note); err != nil {
				return err
			}
			fallthrough
		default:
			err = tx.Collect(l.ID, games)
		}
		if err != nil {
			return err
		}
		if !l.used && l.tag {
			c.done.Tags++
		} else if !l.used {
			c.done.Collections++
		}
		l.used = true
	}
	if mark.Path == "" {
		return nil
	}
	return tx.MarkInput(mark)
}

func (c *copier) players(ctx context.Context, tx store.Tx) error {
	have, err := c.to.Notes().PlayerEdits(ctx)
	if err != nil || len(have) > 0 {
		return err
	}
	edits, err := c.from.Notes().PlayerEdits(ctx)
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
