package data

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"qipu/store/cluster/wire"
)

// Numbers are given out in blocks of 65,536, of which there are as many. Number 0
// is never used.
const (
	ClaimBits   = 16
	claimBlocks = 1 << (32 - ClaimBits)

	// claimSpread is among how many free blocks a writer chooses that met another
	// one at the lowest.
	claimSpread = 64

	// claimTries bounds how often that may happen.
	claimTries = 100
)

// ErrFull tells that all numbers for documents have been given out.
var ErrFull = errors.New("cluster: the library is full: it has given out all numbers for games")

// Claim takes a block of numbers for documents, from low on and below high, that
// nobody else has or will get. Numbers that are not used are lost.
//
// Writers do not know of each other: one writes its name to a block and looks who
// else did. If somebody has, both give it up. Of two that write at the same time
// at least one sees the other, since each looks after it wrote, on all replicas.
func (rs *Records) Claim(ctx context.Context) (low, high uint32, err error) {
	if err := rs.Writable(); err != nil {
		return 0, 0, err
	}
	nonce := rand.Uint64()
	for try := range claimTries {
		taken, err := rs.claimed(ctx)
		if err != nil {
			return 0, 0, err
		}
		var free []uint32
		for b := uint32(0); b < claimBlocks && len(free) < claimSpread; b++ {
			if !taken[b] {
				free = append(free, b)
			}
		}
		if len(free) == 0 {
			return 0, 0, ErrFull
		}
		b := free[0]
		if try > 0 {
			b = free[rand.IntN(len(free))]
		}
		alone, err := rs.claim(ctx, b, nonce)
		if err != nil {
			return 0, 0, err
		}
		if alone {
			low, high = b<<ClaimBits, uint32(min(uint64(b+1)<<ClaimBits, math.MaxUint32))
			return max(low, 1), high, nil
		}
	}
	return 0, 0, errors.New("cluster: too many writers ask for numbers at the same time: try again")
}

// claimed returns the blocks that somebody has.
func (rs *Records) claimed(ctx context.Context) (map[uint32]bool, error) {
	var taken map[uint32]bool
	err := rs.Shards[0].Read(ctx, "reading the claims", func(db wire.Conn) error {
		taken = map[uint32]bool{}
		var b uint32
		return db.Query(ctx, fmt.Sprintf("SELECT DISTINCT block FROM claim WHERE block < %d", claimBlocks), func() error {
			taken[b] = true
			return nil
		}, &b)
	})
	return taken, err
}

// claim writes a name to a block, and reports whether no other is there.
func (rs *Records) claim(ctx context.Context, b uint32, nonce uint64) (alone bool, err error) {
	s := rs.Shards[0]
	// One that only a replica has would be forgotten when that dies, and the block
	// be given out again: all that answer must have it.
	err = s.Write(ctx, "claiming numbers", func(db wire.Conn) error {
		err := db.Insert(s.Everywhere(ctx), "claim", []string{"block", "writer", "nonce"}, []any{[]uint32{b}, []uint32{rs.writer.id}, []uint64{nonce}})
		if err != nil {
			s.Probe(ctx)
		}
		return err
	})
	if err != nil {
		return false, err
	}
	alone = true
	err = s.EveryReplica(ctx, "claiming numbers", func(ctx context.Context, db wire.Conn) error {
		var n uint64
		return db.Query(ctx, fmt.Sprintf("SELECT nonce FROM claim WHERE block = %d", b), func() error {
			alone = alone && n == nonce
			return nil
		}, &n)
	})
	return alone, err
}

// take returns the first of n numbers in a row. They are gone, whatever becomes of
// them.
func (rs *Records) takeNumbers(ctx context.Context, n int) (low uint32, err error) {
	if rs.take != nil {
		return rs.take(ctx, n)
	}
	w := &rs.writer
	if int64(w.high)-int64(w.low) < int64(n) {
		if w.low, w.high, err = rs.Claim(ctx); err != nil {
			return 0, err
		}
	}
	w.low += uint32(n)
	return w.low - uint32(n), nil
}
