package remote

import (
	"context"
	"encoding/binary"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"

	"qipu/game"
	"qipu/record"
	"qipu/store"
)

// batchHead is a batch but for its records.
type batchHead struct {
	Count      int
	Bytes      int64 // of the records, as they are sent
	Collection int64
	Inputs     []store.Input
	Note       bool // the client has more to note
	Numbers    []uint32
	Again      bool
	DryRun     bool
}

// appendRecords appends the stored forms of records and their original bytes.
func appendRecords(dst []byte, b *store.Batch) []byte {
	var encoded []byte
	for _, p := range b.Records {
		if ready := b.Prepared[p]; ready != nil {
			encoded = ready.Record // nodes may be gone by now
		} else {
			encoded = record.AppendGame(nil, p.Game)
		}
		for _, part := range [][]byte{encoded, p.Game.Raw} {
			dst = append(binary.AppendUvarint(dst, uint64(len(part))), part...)
		}
	}
	return dst
}

// cutRecords cuts what appendRecords has written.
func cutRecords(data []byte, count int) ([][2][]byte, error) {
	if count < 0 || count > len(data) {
		return nil, errFrame
	}
	list := make([][2][]byte, count)
	for i := range list {
		for j := range list[i] {
			n, size := binary.Uvarint(data)
			if size <= 0 || n > uint64(len(data)-size) {
				return nil, errFrame
			}
			list[i][j], data = data[size:size+int(n):size+int(n)], data[size+int(n):]
		}
	}
	if len(data) > 0 {
		return nil, errFrame
	}
	return list, nil
}

// revive makes records of what came from another process, and prepares them, on all
// cores: they are played anew, by the rules of this process.
func revive(ctx context.Context, lib store.Library, games game.Catalog, list [][2][]byte) ([]*record.Played, store.Preparations, error) {
	records, ready := make([]*record.Played, len(list)), make([]*store.Prepared, len(list))
	var next atomic.Int64
	var failed atomic.Pointer[error]
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), (len(list)+15)/16) {
		wg.Go(func() {
			referee := record.NewReferee(games)
			referee.Trace = true
			prepare := lib.Preparer()
			for ctx.Err() == nil && failed.Load() == nil {
				i := int(next.Add(1)) - 1
				if i >= len(list) {
					return
				}
				g, err := record.DecodeGame(list[i][0])
				if err != nil {
					err = fmt.Errorf("remote: record %d of a batch: %w", i+1, err)
					failed.Store(&err)
					return
				}
				if len(list[i][1]) > 0 {
					g.Raw = list[i][1]
				}
				records[i] = referee.Play(g)
				ready[i] = prepare(records[i])
				g.Nodes, records[i].Steps = nil, nil // the document has them
			}
		})
	}
	wg.Wait()
	if err := failed.Load(); err != nil {
		return nil, nil, *err
	}
	prepared := make(store.Preparations, len(list))
	for i, p := range records {
		prepared[p] = ready[i]
	}
	return records, prepared, ctx.Err()
}

// batch is what a client sends to be added.
type batch struct {
	head    batchHead
	records [][2][]byte
}

// batch receives the records of a batch.
func (c *client) batch(m *message) (*batch, error) {
	b := new(batch)
	if err := unpack(m.Args, &b.head); err != nil {
		return nil, err
	}
	if b.head.Bytes < 0 || b.head.Bytes > maxBatch {
		return nil, fmt.Errorf("%w: a batch of %d bytes", errFrame, b.head.Bytes)
	}
	var data []byte
	for int64(len(data)) < b.head.Bytes {
		f, ok := <-c.frames
		if !ok || f.kind != frameBytes || len(f.data) == 0 {
			return nil, errFrame
		}
		data = append(data, f.data...)
	}
	var err error
	b.records, err = cutRecords(data, b.head.Count)
	return b, err
}

// add adds the batch of a client.
func (h *host) add(ctx context.Context, c *client, m *message, in *batch) (_ []byte, err error) {
	head := in.head
	b := store.Batch{Collection: head.Collection, Inputs: head.Inputs, Numbers: head.Numbers, Again: head.Again, DryRun: head.DryRun}
	if b.Records, b.Prepared, err = revive(ctx, h.lib, h.games, in.records); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var reply []byte
	ready := false
	b.Note = func(added []store.Added) (noted []store.Input) {
		data, err := pack(added)
		if head.Note && err == nil {
			noted, err = c.note(data)
		}
		if err != nil {
			cancel(err) // before the end of the transaction: nothing is stored
			return nil
		}
		reply, ready = data, true
		return noted
	}
	ctx = store.WithOnce(ctx, &store.Once{Lane: m.Lane, Turn: m.Turn, Reply: func() ([]byte, bool) { return reply, ready }})
	added, err := h.lib.Add(ctx, b)
	if ctx.Err() != nil && err != nil {
		return nil, context.Cause(ctx)
	}
	if err != nil {
		return nil, err
	}
	return pack(added)
}

// note asks a client what else is to be noted with its batch.
func (c *client) note(added []byte) (list []store.Input, err error) {
	if err := c.send(&message{Kind: kindNote, Args: added}); err != nil {
		return nil, err
	}
	m, err := c.next()
	if err == nil {
		err = unpack(m.Args, &list)
	}
	return list, err
}
