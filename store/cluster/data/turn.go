package data

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"qipu/board"
	"qipu/store/cluster/ledger"
	"qipu/store/cluster/wire"
)

// The turn of commit: of all writers of a library, one at a time commits documents.
//
// Whoever wants it writes a row to the table claim of the first shard, on all
// replicas that answer, and then looks who else did. One that sees no other has the
// turn: of two that write at the same time at least one sees the other, since each
// looks after it wrote. One that sees others waits: the first of those who wait, in
// an order that is chance, leaves its row, the others take theirs back. A turn ends
// with the commit that it was taken for, whose key it has, or with a row that says
// so. That may come from another writer, where the holder is dead, or stopped: who
// has the turn writes its row again every turnBeat, and one of which somebody else
// sees nothing new for turnLimit, by its own clock, loses it. So the commit is written
// by a statement that does nothing where the turn has ended.
const (
	// turnBlock is where the table claim has them, behind all blocks of numbers.
	turnBlock = claimBlocks

	// turnLimit is how long nobody breaks a turn of which nothing is seen, and turnOld
	// when it is broken at once, by the clock of the servers: those of replicas may
	// differ.
	turnBeat  = time.Second
	turnLimit = 5 * time.Second
	turnOld   = 30 * time.Second

	// turnMemory is how long ago a turn may have begun to be looked at: those before
	// it have ended, one way or another.
	turnMemory = 10 * time.Minute

	// turnPause is how long one waits at first who met others.
	turnPause = 20 * time.Millisecond
)

// errOvertaken tells that commits of others bear on a batch that was sifted before
// them.
var errOvertaken = errors.New("another writer has brought the same games meanwhile")

// turns is what the first shard says of turns.
type turns struct {
	age   map[uint64]uint32 // seconds, of those that have begun
	rows  map[uint64]int    // that a replica has of each
	ended map[uint64]bool
	done  map[uint64]bool // ended by their commits
}

// standing reports whether a turn has begun and not ended.
func (t *turns) standing(key uint64) bool {
	_, ok := t.age[key]
	return ok && !t.ended[key] && !t.done[key]
}

// turns asks all replicas that answer.
func (rs *Records) turns(ctx context.Context) (*turns, error) {
	t := &turns{map[uint64]uint32{}, map[uint64]int{}, map[uint64]bool{}, map[uint64]bool{}}
	since := fmt.Sprintf("at >= now() - %d", int(turnMemory.Seconds()))
	sql := fmt.Sprintf("SELECT writer, nonce, toUInt32(greatest(toInt64(now()) - toInt64(at), 0)) AS age, toUInt8(nonce IN (SELECT bitShiftLeft(toUInt64(writer), 32) + seq FROM log WHERE %s)) AS done FROM claim WHERE block = %d AND %s",
		since, turnBlock, since)
	err := rs.Shards[0].EveryLive(ctx, "waiting for the turn to commit", func(ctx context.Context, db wire.Conn) error {
		var writer, age uint32
		var key uint64
		var done uint8
		rows := map[uint64]int{}
		return db.Query(ctx, sql, func() error {
			if writer == 0 {
				t.ended[key] = true
				return nil
			}
			rows[key]++
			t.rows[key] = max(t.rows[key], rows[key])
			if old, ok := t.age[key]; !ok || age < old {
				t.age[key] = age
			}
			if done != 0 {
				t.done[key] = true
			}
			return nil
		}, &writer, &key, &age, &done)
	})
	return t, err
}

// noteTurn writes that a turn begins, where writer is its holder, or has ended, where
// it is 0.
func (rs *Records) noteTurn(ctx context.Context, key uint64, writer uint32) error {
	s := rs.Shards[0]
	return s.Write(ctx, "taking the turn to commit", func(db wire.Conn) error {
		err := insertTurn(s.Everywhere(ctx), db, key, writer)
		if err != nil {
			s.Probe(ctx)
		}
		return err
	})
}

func insertTurn(ctx context.Context, db wire.Conn, key uint64, writer uint32) error {
	return db.Insert(ctx, "claim", []string{"block", "writer", "nonce"}, []any{[]uint32{turnBlock}, []uint32{writer}, []uint64{key}})
}

// takeTurn waits for the turn to commit, for the next row of the log that this
// writer makes. The log is known then as far as anybody else has committed to it. The
// caller gives it back by endTurn. Until then others are told that it is in use.
func (rs *Records) takeTurn(ctx context.Context) (err error) {
	var since time.Time
	defer func() {
		if err != nil {
			rs.endTurn(ctx)
		}
	}()
	mine := &rs.writer.held
	begin := func() error {
		rs.writer.seq++
		*mine, since = rs.writer.key(), time.Now()
		return rs.noteTurn(ctx, *mine, rs.writer.id)
	}
	type sign struct {
		rows int
		at   time.Time
	}
	seen := map[uint64]sign{} // what was seen of the turns of others last, and when
	if err := begin(); err != nil {
		return err
	}
	for pause := turnPause; ; pause = min(2*pause, time.Second) {
		t, err := rs.turns(ctx)
		if err != nil {
			return err
		}
		alone, first, broke := true, true, false
		for key := range t.age {
			if key == *mine || !t.standing(key) {
				continue
			}
			alone = false
			first = first && board.Mix(*mine) < board.Mix(key)
			if last, ok := seen[key]; !ok || last.rows != t.rows[key] {
				seen[key] = sign{t.rows[key], time.Now()}
			}
			if time.Since(seen[key].at) > turnLimit || time.Duration(t.age[key])*time.Second > turnOld {
				rs.Logf("another writer has the turn to commit, and has been silent for %d s: it is taken from it", t.age[key])
				if err := rs.breakTurn(ctx, key); err != nil {
					return err
				}
				broke = true
			}
		}
		switch {
		case broke:
			continue
		case *mine != 0 && t.ended[*mine]:
			*mine = 0
		case alone && *mine != 0:
			if t.standing(*mine) {
				rs.writer.quit = rs.keepTurn(ctx, *mine)
				return rs.known(ctx, t)
			}
		case alone:
			if err := begin(); err != nil {
				return err
			}
			continue
		case *mine != 0 && (!first || time.Since(since) > turnLimit/2):
			if err := rs.noteTurn(ctx, *mine, 0); err != nil {
				return err
			}
			*mine = 0
		}
		wait := pause/2 + rand.N(pause)
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// breakTurn takes the turn from another writer. Whatever statement of it begins from
// now on does nothing; one that began before is waited for.
func (rs *Records) breakTurn(ctx context.Context, key uint64) error {
	if err := rs.noteTurn(ctx, key, 0); err != nil {
		return err
	}
	sql := "SELECT count() AS n FROM system.processes WHERE query LIKE " + wire.Quote(ledger.PutsIf(uint32(key>>32)))
	for {
		running := uint64(0)
		err := rs.Shards[0].EveryLive(ctx, "waiting for the turn to commit", func(ctx context.Context, db wire.Conn) error {
			var n uint64
			err := db.Query(ctx, sql, func() error { return nil }, &n)
			running += n
			return err
		})
		if err != nil || running == 0 {
			return err
		}
		select {
		case <-time.After(turnPause):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// known reads the log until it has all commits that turns ended with: a replica may
// be a moment behind the one that has them.
func (rs *Records) known(ctx context.Context, t *turns) error {
	for try := 0; ; try++ {
		if err := rs.Refresh(ctx); err != nil {
			return err
		}
		lacks := false
		for key := range t.done {
			lacks = lacks || !rs.Ledger.Seen(key)
		}
		switch {
		case !lacks:
			return nil
		case try == knownTries:
			return &wire.DownError{Host: rs.Shards[0].String(), Err: errors.New("the server that is asked lacks commits that another one has")}
		}
		select {
		case <-time.After(turnPause << try):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// knownTries bounds how often that is done, over some ten seconds in all.
const knownTries = 9

// endTurn gives the turn back, where a commit did not. Where that fails, others wait
// until they have seen nothing of it for long.
func (rs *Records) endTurn(ctx context.Context) {
	key := rs.writer.held
	if key == 0 {
		return
	}
	rs.writer.rest()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), turnLimit)
	defer cancel()
	// Where servers take no writes, whoever wanted the turn tells.
	if err := rs.noteTurn(ctx, key, 0); err != nil && !wire.TakesNoWrites(err) {
		rs.Logf("the turn to commit is not given back: %v", err)
	}
}

// keepTurn tells others that a turn is in use, until the function is called that it
// returns. One replica does for that: where it is lost with it, so is the turn.
func (rs *Records) keepTurn(ctx context.Context, key uint64) (stop func()) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	done := make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(turnBeat)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				// A beat that fails is made up for by the next.
				rs.Shards[0].Write(wire.WithPatience(ctx, turnBeat), "keeping the turn to commit", func(db wire.Conn) error {
					return insertTurn(ctx, db, key, rs.writer.id)
				})
			case <-ctx.Done():
				return
			}
		}
	}()
	return func() { cancel(); <-done }
}

// turnHeld is the condition on the first shard that a turn has not ended.
func turnHeld(key uint64) string {
	return fmt.Sprintf("(SELECT count() FROM claim WHERE block = %d AND writer = 0 AND nonce = %d) = 0", turnBlock, key)
}
