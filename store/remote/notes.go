package remote

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"time"

	"qipu/book"
	"qipu/book/theory"
	"qipu/play"
	"qipu/store"
)

// Notes returns what people have made in the library.
func (l *Library) Notes() store.Notes {
	if l.direct {
		return l.Library.Notes()
	}
	return notes{l.Library.Notes(), l}
}

type notes struct {
	store.Notes
	l *Library
}

// Edit changes notes in one transaction.
func (n notes) Edit(ctx context.Context, change func(store.Tx) error) error {
	return n.l.change(ctx, func() error { return n.Notes.Edit(ctx, change) }, func() error { return n.l.edit(ctx, change) })
}

// edit leads a transaction of another process.
func (l *Library) edit(ctx context.Context, change func(store.Tx) error) error {
	ln := l.lane()
	defer l.put(ln)
	ln.turn++
	t := &tx{l: l, ctx: ctx, lane: ln}
	clean := false
	defer func() {
		if !clean {
			ln.drop() // which takes the transaction back
		}
		if t.release != nil {
			t.release()
		}
	}()
	if err := t.open(); err != nil {
		return err
	}
	err := change(t)
	if t.failed != nil {
		return t.failed
	}
	kind := kindCommit
	if err != nil {
		kind = kindAbort
	}
	if failed := t.end(kind); failed != nil {
		return errors.Join(err, failed)
	}
	clean = true
	return err
}

// tx is a transaction in another process. It has all calls so far: where that process
// goes in the middle, they are made again to the next one, which has to answer the same.
type tx struct {
	l       *Library
	ctx     context.Context
	lane    *lane
	release func() // ends the watch on the context
	again   bool
	noted   bool // it has happened: whoever was asked again knows it
	calls   []call
	failed  error // nothing is done after it
}

// call is one that was made, with its answer.
type call struct {
	op           string
	args, answer []byte
	fault        *fault
}

// open begins the transaction, and makes the calls again that were made.
func (t *tx) open() error {
	var broken error
	for range tries {
		err := t.tryOpen()
		if err == nil {
			return nil
		}
		if !errors.Is(err, errBroken) || t.ctx.Err() != nil {
			return cmpErr(t.ctx.Err(), err)
		}
		broken, t.again = err, true
		t.lane.drop()
	}
	return broken
}

func cmpErr(first, second error) error {
	if first != nil {
		return first
	}
	return second
}

func (t *tx) tryOpen() error {
	if err := t.l.connect(t.ctx, t.lane); err != nil {
		return err
	}
	if t.release != nil {
		t.release()
	}
	conn := t.lane.conn
	stop := context.AfterFunc(t.ctx, func() { conn.Close() })
	t.release = func() { stop() }
	m := &message{Kind: kindAsk, Op: opEdit, Who: store.Who(t.ctx), Deed: deedOf(t.ctx), Lane: t.lane.id, Turn: t.lane.turn, Again: t.again}
	r, err := conn.await(m, nil)
	switch {
	case err != nil:
		return fmt.Errorf("%w: %w", errBroken, err)
	case r.Kind == kindDone && r.Fault == nil && t.again:
		t.noted = true
		return nil
	case r.Kind == kindDone && errors.Is(r.Fault.err(), store.ErrClosed):
		return fmt.Errorf("%w: %w", errBroken, store.ErrClosed)
	case r.Kind == kindDone && r.Fault != nil:
		return r.Fault.err()
	case r.Kind != kindGo:
		return fmt.Errorf("%w: %q is no answer", errBroken, r.Kind)
	}
	for _, c := range t.calls {
		now, err := t.try(c.op, c.args)
		if err != nil {
			return err
		}
		if !bytes.Equal(now.answer, c.answer) || (now.fault == nil) != (c.fault == nil) {
			return errors.New("remote: the process that writes to the library went away in the middle of a change, and others have changed the same meanwhile: nothing was done; do it again")
		}
	}
	return nil
}

// try makes a call.
func (t *tx) try(op string, args []byte) (call, error) {
	conn := t.lane.conn
	err := conn.send(&message{Kind: kindCall, Op: op, Args: args})
	var r *message
	if err == nil {
		r, err = conn.receive()
	}
	switch {
	case err != nil:
		return call{}, fmt.Errorf("%w: %w", errBroken, err)
	case r.Kind == kindDone: // the host has taken the transaction back
		if err := r.Fault.err(); err != nil && !errors.Is(err, store.ErrClosed) {
			return call{}, err
		}
		return call{}, errBroken
	case r.Kind != kindAnswer:
		return call{}, fmt.Errorf("%w: %q is no answer", errBroken, r.Kind)
	}
	return call{op, args, r.Args, r.Fault}, nil
}

// do makes a call, and has the results be what it returned.
func (t *tx) do(op string, args []any, results ...any) error {
	if t.failed != nil {
		return t.failed
	}
	data, err := pack(args...)
	if err != nil {
		return err
	}
	for range tries {
		var c call
		c, err = t.try(op, data)
		if err == nil {
			t.calls = append(t.calls, c)
			if c.fault != nil {
				return c.fault.err()
			}
			return unpack(c.answer, results...)
		}
		if !errors.Is(err, errBroken) || t.ctx.Err() != nil {
			break
		}
		t.lane.drop()
		t.again = true
		if err = t.open(); err != nil {
			break
		}
	}
	t.failed = cmpErr(t.ctx.Err(), err)
	return t.failed
}

// end commits the transaction, or gives it up.
func (t *tx) end(kind string) (err error) {
	for range tries {
		if t.noted {
			return nil
		}
		conn := t.lane.conn
		var r *message
		if r, err = conn.await(&message{Kind: kind}, nil); err == nil && r.Kind == kindDone {
			if err = r.Fault.err(); !errors.Is(err, store.ErrClosed) {
				return err
			}
		}
		if kind == kindAbort { // it is gone, one way or the other
			t.lane.drop()
			return nil
		}
		if err := t.ctx.Err(); err != nil {
			return err
		}
		t.lane.drop()
		t.again = true
		if err = t.open(); err != nil {
			return err
		}
	}
	return err
}

// What follows is one line a method: whoever has the transaction does it.

func (t *tx) CreateCollection(name, note string) (id int64, err error) {
	err = t.do("CreateCollection", []any{name, note}, &id)
	return id, err
}

func (t *tx) RenameCollection(id int64, name, note string) error {
	return t.do("RenameCollection", []any{id, name, note})
}

func (t *tx) DropCollection(id int64) error { return t.do("DropCollection", []any{id}) }

func (t *tx) Collect(id int64, games []uint32) error { return t.do("Collect", []any{id, games}) }

func (t *tx) Uncollect(id int64, games []uint32) error { return t.do("Uncollect", []any{id, games}) }

func (t *tx) Tag(name string, games []uint32) error { return t.do("Tag", []any{name, games}) }

func (t *tx) Untag(name string, games []uint32) error { return t.do("Untag", []any{name, games}) }

func (t *tx) RenameTag(old, name string) error { return t.do("RenameTag", []any{old, name}) }

func (t *tx) DropTag(name string) error { return t.do("DropTag", []any{name}) }

func (t *tx) SaveQuery(s store.Saved) (id int64, err error) {
	err = t.do("SaveQuery", []any{s}, &id)
	return id, err
}

func (t *tx) RenameQuery(id int64, name, fold string) error {
	return t.do("RenameQuery", []any{id, name, fold})
}

func (t *tx) DropQuery(id int64) error { return t.do("DropQuery", []any{id}) }

func (t *tx) AddPlayerEdit(e store.PlayerEdit) (id int64, err error) {
	err = t.do("AddPlayerEdit", []any{e}, &id)
	return id, err
}

func (t *tx) UndoPlayerEdit(id int64) error { return t.do("UndoPlayerEdit", []any{id}) }

func (t *tx) MarkInput(in store.Input) error { return t.do("MarkInput", []any{in}) }

// Sessions keeps the games that are being played.
func (n notes) Sessions() play.Store {
	if n.l.o.ReadOnly {
		return n.Notes.Sessions()
	}
	return sessions{n.Notes.Sessions(), n.l}
}

// sessions are changed through who writes. What is stored is the whole of a game, so
// that nothing comes of saving it twice.
type sessions struct {
	play.Store
	l *Library
}

func (s sessions) Create(ctx context.Context, x *play.Stored) (id int64, err error) {
	err = s.l.call(ctx, "sessions.Create", nil, []any{x}, &id)
	if err != nil || id == 0 {
		if have, e := s.Load(ctx, x.Token); e == nil { // by a host that went before it could tell
			return have.ID, nil
		}
	}
	return id, err
}

func (s sessions) Save(ctx context.Context, x *play.Stored) error {
	return s.l.call(ctx, "sessions.Save", nil, []any{x})
}

func (s sessions) Drop(ctx context.Context, id int64) error {
	err := s.l.call(ctx, "sessions.Drop", nil, []any{id})
	if errors.Is(err, store.ErrNoRow) { // it is gone, which may have been this one's doing
		return nil
	}
	return err
}

func (s sessions) Tidy(ctx context.Context, before time.Time) error {
	return s.l.call(ctx, "sessions.Tidy", nil, []any{before})
}

// Values keeps what is said of the positions of a kind of game.
func (n notes) Values(kind string) theory.Store {
	near := n.Notes.Values(kind)
	v := values{near, n.l, kind}
	if log, ok := near.(theory.Log); ok {
		return loggedValues{v, log}
	}
	return v
}

type values struct {
	near theory.Store
	l    *Library
	kind string
}

// loggedValues are those of a store that can tell what has changed.
type loggedValues struct {
	values
	theory.Log
}

// valueCalls are the changes of values.
type valueCalls interface {
	Put(ctx context.Context, rows []theory.Row) error
	Drop(ctx context.Context, keys []book.Key) error
}

func (v values) Rows(ctx context.Context) iter.Seq2[theory.Row, error] { return v.near.Rows(ctx) }

func (v values) Find(ctx context.Context, high uint64) ([]theory.Row, error) {
	return v.near.Find(ctx, high)
}

func (v values) Put(ctx context.Context, rows []theory.Row) error {
	return v.l.change(ctx, func() error { return v.near.Put(ctx, rows) }, func() error {
		return v.l.call(ctx, "values."+v.kind+".Put", nil, []any{rows})
	})
}

func (v values) Drop(ctx context.Context, keys []book.Key) error {
	return v.l.change(ctx, func() error { return v.near.Drop(ctx, keys) }, func() error {
		return v.l.call(ctx, "values."+v.kind+".Drop", nil, []any{keys})
	})
}
