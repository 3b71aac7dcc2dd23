package catalog

import (
	"container/list"
	"encoding/binary"
	"fmt"
	"sync"

	"github.com/klauspost/compress/zstd"
	"github.com/zeebo/xxh3"

	"qipu/store"
)

// A chunk holds the records and the original bytes of up to 64 games:
//
//	uvarint n                     number of games
//	n times uvarint, n times uvarint   lengths of the records, of the originals
//	zstd(records, originals)      all records first: like follows like
//
// Together they take less than half of the space that they would take one by
// one (Go games 780 bytes instead of 1,710), and reading one costs the unpacking
// of all. Packing is half the cost of adding a game with its original.
const (
	chunkGames = 64
	chunkBytes = 256 << 10 // a chunk is closed before it grows beyond; larger games are alone

	// maxText bounds the record and the original of one game together.
	maxText = 64 << 20
)

// cut returns how many of the entries, from the first, make the next chunk.
func cut(entries []store.Entry) int {
	size, n := 0, 0
	for n < len(entries) && n < chunkGames {
		size += sizeOf(&entries[n])
		if n > 0 && size > chunkBytes {
			break
		}
		n++
	}
	return n
}

// packer makes chunks; its buffers are used again and again.
type packer struct {
	enc        *zstd.Encoder
	plain, out []byte
}

func newPacker() (*packer, error) {
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(false))
	if err != nil {
		return nil, err
	}
	return &packer{enc: enc}, nil
}

// pack returns the chunk of some entries and its checksum. The bytes are good
// until the next call.
func (p *packer) pack(entries []store.Entry) (data []byte, sum uint64) {
	out := binary.AppendUvarint(p.out[:0], uint64(len(entries)))
	plain := p.plain[:0]
	for i := range entries {
		out = binary.AppendUvarint(out, uint64(len(entries[i].Record)))
		plain = append(plain, entries[i].Record...)
	}
	for i := range entries {
		out = binary.AppendUvarint(out, uint64(len(entries[i].Raw)))
		plain = append(plain, entries[i].Raw...)
	}
	out = p.enc.EncodeAll(plain, out)
	if cap(plain) <= 4*chunkBytes { // a giant must not stay
		p.plain, p.out = plain, out
	}
	return out, xxh3.Hash(out)
}

// chunk is an unpacked chunk. Nobody changes it.
type chunk struct {
	games int
	ends  []int // of the records, then of the originals
	data  []byte
}

func (c *chunk) part(i int) []byte {
	from := 0
	if i > 0 {
		from = c.ends[i-1]
	}
	return c.data[from:c.ends[i]:c.ends[i]]
}

// text returns the record and the original of a slot.
func (c *chunk) text(slot int) (record, raw []byte, ok bool) {
	if slot < 0 || slot >= c.games {
		return nil, nil, false
	}
	return c.part(slot), c.part(c.games + slot), true
}

// chunkHead reads what stands before the compressed bytes.
func chunkHead(data []byte) (games int, ends []int, rest []byte, err error) {
	next := func() int {
		v, n := binary.Uvarint(data)
		if n <= 0 || v > maxText {
			err = fmt.Errorf("%w: the lengths in a chunk are wrong", store.ErrDamaged)
			return 0
		}
		data = data[n:]
		return int(v)
	}
	games = next()
	if err == nil && games > chunkGames {
		err = fmt.Errorf("%w: a chunk has %d games", store.ErrDamaged, games)
	}
	if err != nil {
		return 0, nil, nil, err
	}
	ends = make([]int, 2*games)
	end := 0
	for i := range ends {
		end += next()
		ends[i] = end
	}
	if end > maxText+chunkBytes && err == nil {
		err = fmt.Errorf("%w: a chunk of %d bytes", store.ErrDamaged, end)
	}
	return games, ends, data, err
}

// checkChunk checks a stored chunk without unpacking it.
func checkChunk(data []byte, sum uint64) (games int, err error) {
	if xxh3.Hash(data) != sum {
		return 0, fmt.Errorf("%w: the checksum of a chunk is wrong", store.ErrDamaged)
	}
	games, _, _, err = chunkHead(data)
	return games, err
}

// unpack checks and unpacks a stored chunk.
func unpack(dec *zstd.Decoder, data []byte, sum uint64) (*chunk, error) {
	if xxh3.Hash(data) != sum {
		return nil, fmt.Errorf("%w: the checksum of a chunk is wrong", store.ErrDamaged)
	}
	games, ends, packed, err := chunkHead(data)
	if err != nil {
		return nil, err
	}
	c := &chunk{games: games, ends: ends}
	size := 0
	if len(ends) > 0 {
		size = ends[len(ends)-1]
	}
	if c.data, err = dec.DecodeAll(packed, make([]byte, 0, size)); err != nil {
		return nil, fmt.Errorf("%w: a chunk cannot be unpacked: %w", store.ErrDamaged, err)
	}
	if len(c.data) != size {
		return nil, fmt.Errorf("%w: a chunk has %d bytes and should have %d", store.ErrDamaged, len(c.data), size)
	}
	return c, nil
}

// chunkCache keeps the chunks that were read last. Numbers of chunks are never
// used twice and chunks never changed, so that what it holds stays right.
type chunkCache struct {
	dec *zstd.Decoder

	mu    sync.Mutex
	bytes int
	order *list.List // of *cached, the last used first
	byID  map[int64]*list.Element
}

type cached struct {
	id int64
	*chunk
}

const cacheBytes = 16 << 20

func newChunkCache() *chunkCache {
	dec, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxMemory(2*maxText))
	if err != nil {
		panic(err) // of the options alone, which are constant
	}
	return &chunkCache{dec: dec, order: list.New(), byID: map[int64]*list.Element{}}
}

func (cc *chunkCache) get(id int64) *chunk {
	cc.mu.Lock()
	defer cc.mu.Unlock()
	e := cc.byID[id]
	if e == nil {
		return nil
	}
	cc.order.MoveToFront(e)
	return e.Value.(*cached).chunk
}

func (cc *chunkCache) put(id int64, c *chunk) {
	cc.mu.Lock()
	defer cc.mu.Unlock()
	if cc.byID[id] != nil || len(c.data) > cacheBytes/4 {
		return
	}
	cc.byID[id] = cc.order.PushFront(&cached{id, c})
	cc.bytes += len(c.data)
	for cc.bytes > cacheBytes {
		last := cc.order.Back()
		old := cc.order.Remove(last).(*cached)
		cc.bytes -= len(old.data)
		delete(cc.byID, old.id)
	}
}

// sizeOf is that of the texts of an entry.
func sizeOf(e *store.Entry) int { return len(e.Record) + len(e.Raw) }
