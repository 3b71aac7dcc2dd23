package play

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"qipu/board"
	"qipu/engine"
	"qipu/game"
)

// Stored is a session as a Store keeps it.
type Stored struct {
	ID      int64
	Token   string // names it in addresses, and cannot be guessed
	Kind    string // the game, as a spec
	State   []byte // of Session.Encode
	Over    bool
	Record  uint32 // that it has become; 0 for none
	Changed time.Time

	// Before is the state that the store has when this one is saved. Where it has
	// another, somebody else plays the game on, and Save fails with ErrStale; nil for
	// any.
	Before []byte
}

// Store keeps sessions. What it has taken is safe, whatever happens to the
// process or to the machine. It is used by many goroutines at once.
type Store interface {
	Create(ctx context.Context, s *Stored) (id int64, err error)
	Save(ctx context.Context, s *Stored) error
	Drop(ctx context.Context, id int64) error

	// Load returns the session of a token, over or not; ErrUnknown where there
	// is none.
	Load(ctx context.Context, token string) (*Stored, error)
	// Open returns those that are not over, and those that are and are no
	// records yet.
	Open(ctx context.Context) ([]*Stored, error)
	// Tidy drops those that have not changed since a moment, but for those that
	// are over and no records yet.
	Tidy(ctx context.Context, before time.Time) error
}

// Keeper makes records of games that have ended.
type Keeper interface {
	// Fresh returns how many positions of a game the book does not know yet. It is
	// asked once, when the game has just ended, before its end is stored.
	Fresh(ctx context.Context, s *Session, id int64) (int, error)
	// Keep makes the record of the session of a number, and returns which it
	// is and whether a game of the same moves was there before. It may be
	// called again for the same session, and makes no second record then.
	Keep(ctx context.Context, s *Session, id int64) (record uint32, known bool, err error)
}

// The errors that callers tell apart.
var (
	ErrUnknown = errors.New("there is no such game")
	ErrMany    = errors.New("too many games are being played")
	ErrStale   = errors.New("the game has changed meanwhile")
	ErrClosed  = errors.New("the host is closed")
)

// Options say how a Host works. Store, Opponent, Keeper and Games are needed.
type Options struct {
	Store    Store
	Opponent Opponent
	Keeper   Keeper
	Games    game.Catalog

	// Settlers count the games that end by agreement; nil where none do.
	Settlers game.Settlers

	Most      int // games at once; default 1000
	MostOwned int // of one owner; default Most

	// Beside tells that another host goes on with the games of the store. This one
	// knows them, and takes over those that somebody changes by it.
	Beside bool

	Idle time.Duration // games in which nobody moves for so long are dropped; default 7 days

	// OnChange is told of every change, the changes of one game one after the
	// other; OnDrop of games that are gone. They must not wait, nor ask the host.
	OnChange func(*View)
	OnDrop   func(token string)

	Log *slog.Logger // default: slog.Default
}

// View is a session at one moment. It is nobody's but the caller's.
type View struct {
	ID       int64
	Token    string
	Settings Settings
	Rules    game.Rules
	Task     *engine.Task
	Given    int // moves that were there at the beginning
	Version  int
	State    State
	Passed   int
	Undo     bool
	Counts   []int
	Left     []time.Duration // nil without clocks
	Spare    []int           // periods that were left behind the last move
	Running  int
	Seats    *Seats // nil where there are none
	Note     string
	Trouble  string
	Count    *Count // while it is being settled
	Result   *Result
	Opening  *Opening // nil where no rule shares the first moves out
	Changed  time.Time

	at game.Position // nil where it cannot be copied
}

// Position returns the position with its history; it is a new one with every
// call.
func (v *View) Position() (game.Position, error) {
	if c, ok := v.at.(game.Copier); ok {
		return c.Copy(), nil
	}
	return v.Task.Position()
}

// Host runs games. It is safe for concurrent use.
//
// Every game has a lock of its own, which is held while it changes, is stored, and
// those who watch are told: what they see is in the order in which it happened, and
// nothing is told before it is safe. An engine thinks without the lock, and its move
// counts only for the version that it was asked about. The lock of a game is taken
// before that of the host, never behind it: whoever goes through all games copies the
// list first.
type Host struct {
	o    Options
	ctx  context.Context
	stop context.CancelFunc
	wg   sync.WaitGroup

	mu     sync.Mutex // guards closed and tables, and is held for no more than that
	closed bool       // nothing is spawned any more
	tables map[string]*running
}

// running is one game that is being played. The methods of it, and those of Host that
// take one, are called with its lock held, where they do not say otherwise.
type running struct {
	mu       sync.Mutex
	id       int64 // of the store; token and owner never change
	token    string
	owner    string // empty after a restart
	s        *Session
	saved    []byte // the state that the store has: what a change that fails goes back to
	changed  time.Time
	thinking context.CancelFunc // nil while no engine thinks
	timer    *time.Timer        // of the clock; nil where none runs
	trouble  string
	gone     bool // dropped, or over and kept
	beside   bool // another host has it: nothing is done about it by itself
}

// NewHost returns a host that goes on with the games of its store. Close it
// before the store.
func NewHost(ctx context.Context, o Options) (*Host, error) {
	o.Most = cmp.Or(o.Most, 1000)
	o.MostOwned = cmp.Or(o.MostOwned, o.Most)
	o.Idle = cmp.Or(o.Idle, 7*24*time.Hour)
	if o.Log == nil {
		o.Log = slog.Default()
	}
	h := &Host{o: o, tables: map[string]*running{}}
	h.ctx, h.stop = context.WithCancel(ctx)
	list, err := o.Store.Open(ctx)
	if err != nil {
		h.stop()
		return nil, err
	}
	now := time.Now()
	for _, x := range list {
		s, err := Restore(o.Games, o.Settlers, x.State, now)
		if err != nil {
			// Another version of the program may know it: it stays.
			o.Log.Error("a game cannot be gone on with", "session", x.ID, "err", err)
			continue
		}
		h.tables[x.Token] = &running{id: x.ID, token: x.Token, s: s, saved: x.State, changed: x.Changed}
	}
	// All of them are there before the first goes on: thoughts and clocks change
	// the list themselves.
	for _, t := range slices.Collect(maps.Values(h.tables)) {
		if t.beside = o.Beside; t.beside {
			continue
		}
		t.mu.Lock()
		if t.s.State() == Over {
			h.spawn(func() { h.keepLater(t, 0) })
		} else {
			h.resume(t)
		}
		t.mu.Unlock()
	}
	h.spawn(h.tidy)
	return h, nil
}

// Close ends all thoughts. The games stay in the store.
func (h *Host) Close() {
	h.mu.Lock()
	h.closed = true
	tables := slices.Collect(maps.Values(h.tables))
	h.mu.Unlock()
	h.stop()
	for _, t := range tables {
		t.mu.Lock()
		t.halt()
		t.mu.Unlock()
	}
	h.wg.Wait()
}

// spawn runs f in the background, which Close waits for.
func (h *Host) spawn(f func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.closed {
		h.wg.Go(f)
	}
}

// Len returns how many games are being played.
func (h *Host) Len() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.tables)
}

// Create begins a game for an owner, under a token that nobody can guess.
func (h *Host) Create(ctx context.Context, owner, token string, s *Session) (*View, error) {
	t := &running{token: token, owner: owner, s: s}
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := h.seat(t); err != nil {
		return nil, err
	}
	now := time.Now()
	data, err := s.Encode(now)
	if err == nil {
		t.id, err = h.o.Store.Create(ctx, &Stored{Token: token, Kind: s.Settings().Game, State: data, Changed: now})
	}
	if err != nil {
		h.unseat(t)
		return nil, err
	}
	t.saved, t.changed = data, now
	h.resume(t)
	return h.tell(t, now), nil
}

// seat takes a table into the house, where there is room. Nobody knew it before.
func (h *Host) seat(t *running) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	owned := 0
	for _, other := range h.tables {
		if other.owner == t.owner {
			owned++
		}
	}
	switch {
	case h.closed:
		return ErrClosed
	case len(h.tables) >= h.o.Most:
		return fmt.Errorf("%w: at most %d at once: try again later", ErrMany, h.o.Most)
	case owned >= h.o.MostOwned:
		return fmt.Errorf("%w by you: finish or give up one of %d", ErrMany, owned)
	case h.tables[t.token] != nil:
		return fmt.Errorf("play: the token %q is taken", t.token)
	}
	h.tables[t.token] = t
	return nil
}

// unseat takes a table out of the house.
func (h *Host) unseat(t *running) {
	t.halt()
	t.gone = true
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.tables[t.token] == t {
		delete(h.tables, t.token)
	}
}

// halt ends the thought and the clock of a table.
func (t *running) halt() {
	if t.thinking != nil {
		t.thinking()
		t.thinking = nil
	}
	if t.timer != nil {
		t.timer.Stop()
		t.timer = nil
	}
}

// List returns the games that are being played, the one that changed last first.
func (h *Host) List() []*View {
	h.mu.Lock()
	tables := slices.Collect(maps.Values(h.tables))
	h.mu.Unlock()
	now := time.Now()
	var list []*View
	for _, t := range tables {
		t.mu.Lock()
		if !t.gone {
			list = append(list, t.view(now))
		}
		t.mu.Unlock()
	}
	slices.SortFunc(list, func(a, b *View) int { return cmp.Or(b.Changed.Compare(a.Changed), cmp.Compare(b.ID, a.ID)) })
	return list
}

// View returns a game, over or not. The error wraps ErrUnknown where there is
// none.
func (h *Host) View(ctx context.Context, token string) (*View, error) {
	if t := h.table(token); t != nil {
		t.mu.Lock()
		defer t.mu.Unlock()
		if !t.gone && !t.beside {
			return t.view(time.Now()), nil
		}
	}
	x, err := h.o.Store.Load(ctx, token)
	if err != nil {
		return nil, err
	}
	s, err := Restore(h.o.Games, h.o.Settlers, x.State, time.Now())
	if err != nil {
		return nil, err
	}
	t := &running{id: x.ID, token: token, s: s, changed: x.Changed}
	return t.view(time.Now()), nil
}

func (h *Host) table(token string) *running {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.tables[token]
}

// view returns what is to be seen.
func (t *running) view(now time.Time) *View {
	s := t.s
	_, given := s.Len()
	v := &View{
		ID: t.id, Token: t.token, Settings: s.Settings(), Rules: s.Rules(), Task: s.Task(), Given: given, Version: s.Version(), State: s.State(),
		Passed: s.Passed(), Opening: s.Opening(), Undo: s.CanUndo(), Counts: s.Counts(), Note: s.Note(), Trouble: t.trouble, Changed: t.changed,
	}
	if c, ok := s.pos.(game.Copier); ok {
		v.at = c.Copy()
	}
	v.Left, v.Running = s.Clocks(now)
	if set := &v.Settings; set.Periods > 0 {
		v.Spare = slices.Clone(s.spare[:])
	}
	if s.seats != nil {
		seats := *s.seats
		v.Seats = &seats
	}
	if r := s.Result(); r != nil {
		result := *r
		v.Result = &result
	}
	if c := s.Count(); c != nil {
		count := *c // nobody changes the settlement
		v.Count = &count
	}
	return v
}

// tell tells those who watch.
func (h *Host) tell(t *running, now time.Time) *View {
	v := t.view(now)
	if h.o.OnChange != nil {
		h.o.OnChange(v)
	}
	return v
}

// change changes a game by what somebody does, makes that safe, and has the
// engine think where it is its turn then. Where it cannot be made safe, nothing
// has happened.
func (h *Host) change(ctx context.Context, token string, do func(s *Session, now time.Time) error) (*View, error) {
	t := h.table(token)
	if t == nil && h.o.Beside {
		t = h.meet(ctx, token)
	}
	if t == nil {
		_, err := h.View(ctx, token) // it tells why one is unknown, or cannot be gone on with
		return nil, cmp.Or(err, ErrOver)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.beside {
		if err := h.reload(ctx, t); err != nil {
			return nil, err
		}
		t.beside = false
	}
	if t.gone || t.s.State() == Over {
		return nil, ErrOver
	}
	now := time.Now()
	if err := do(t.s, now); err != nil {
		return nil, err
	}
	if err := h.settle(ctx, t, now); err != nil {
		return nil, err
	}
	return t.view(time.Now()), nil
}

// meet takes in a game that another host of the store has begun since; nil where there
// is none that goes on.
func (h *Host) meet(ctx context.Context, token string) *running {
	x, err := h.o.Store.Load(ctx, token)
	if err != nil || x.Over {
		return nil
	}
	s, err := Restore(h.o.Games, h.o.Settlers, x.State, time.Now())
	if err != nil {
		return nil
	}
	t := &running{id: x.ID, token: x.Token, s: s, saved: x.State, changed: x.Changed, beside: true}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed || len(h.tables) >= h.o.Most {
		return nil
	}
	if other := h.tables[token]; other != nil {
		return other
	}
	h.tables[token] = t
	return t
}

// reload has a table be what the store has, which another host may have changed.
func (h *Host) reload(ctx context.Context, t *running) error {
	x, err := h.o.Store.Load(ctx, t.token)
	if err != nil {
		return err
	}
	s, err := Restore(h.o.Games, h.o.Settlers, x.State, time.Now())
	if err != nil {
		return err
	}
	t.s, t.saved, t.changed = s, x.State, x.Changed
	return nil
}

// settle makes a change of a table safe, tells of it, and goes on.
func (h *Host) settle(ctx context.Context, t *running, now time.Time) error {
	// What was begun is done, whoever waits for it.
	ctx = context.WithoutCancel(ctx)
	over := t.s.State() == Over
	moves, given := t.s.Len()
	if over && moves == given {
		// Nothing was played: there is nothing to keep.
		if err := h.o.Store.Drop(ctx, t.id); err != nil {
			return h.revert(t, err)
		}
		h.tell(t, now)
		h.unseat(t)
		return nil
	}
	if over {
		fresh, err := h.o.Keeper.Fresh(ctx, t.s, t.id)
		if err != nil {
			h.o.Log.Error("the book cannot be asked", "session", t.id, "err", err)
		}
		t.s.Result().Fresh = fresh
	}
	if err := h.save(ctx, t, now); err != nil {
		return h.revert(t, err)
	}
	t.trouble = ""
	t.halt()
	if !over {
		h.resume(t)
	} else if h.keep(ctx, t) != nil {
		h.spawn(func() { h.keepLater(t, time.Second) })
	}
	h.tell(t, time.Now())
	return nil
}

// save has the store take a table as it is.
func (h *Host) save(ctx context.Context, t *running, now time.Time) error {
	data, err := t.s.Encode(now)
	if err != nil {
		return err
	}
	x := &Stored{ID: t.id, Token: t.token, Kind: t.s.Settings().Game, State: data, Changed: now, Before: t.saved}
	if r := t.s.Result(); r != nil {
		x.Over, x.Record = true, r.Record
	}
	if err := h.o.Store.Save(ctx, x); err != nil {
		return err
	}
	t.saved, t.changed = data, now
	return nil
}

// revert takes a change back that could not be made safe.
// Where another host has changed the game, this one goes on from what that has made of it.
func (h *Host) revert(t *running, cause error) error {
	if errors.Is(cause, ErrStale) {
		t.halt()
		if err := h.reload(context.WithoutCancel(h.ctx), t); err != nil {
			return errors.Join(cause, err)
		}
		if t.s.State() == Over {
			h.unseat(t)
		} else {
			h.resume(t)
		}
		h.tell(t, time.Now())
		return cause
	}
	s, err := Restore(h.o.Games, h.o.Settlers, t.saved, time.Now())
	if err != nil {
		return errors.Join(cause, err)
	}
	t.s = s
	return cause
}

// keep makes a record of a game that is over, and lets it go.
func (h *Host) keep(ctx context.Context, t *running) error {
	r := t.s.Result()
	id, known, err := h.o.Keeper.Keep(ctx, t.s, t.id)
	if err == nil {
		r.Record, r.Known = id, known
		err = h.save(ctx, t, t.changed)
	}
	if err != nil {
		h.o.Log.Error("a game is not kept yet", "session", t.id, "err", err)
		t.trouble = "The game is not in the library yet: it will be tried again."
		return err
	}
	t.trouble = ""
	h.unseat(t)
	return nil
}

// keepLater tries to make a record of a game that is over, until it is one. It takes
// the lock of the table for each try.
func (h *Host) keepLater(t *running, wait time.Duration) {
	for ; ; wait = min(2*wait, time.Minute) {
		select {
		case <-h.ctx.Done():
			return
		case <-time.After(wait):
		}
		t.mu.Lock()
		done := t.gone
		if !done && h.keep(h.ctx, t) == nil {
			done = true
			h.tell(t, time.Now())
		}
		t.mu.Unlock()
		if done {
			return
		}
	}
}

// act is change for who plays. In a game with seats that is who sits on one, which is
// the side; it is -1 where there are none.
func (h *Host) act(ctx context.Context, token string, do func(s *Session, side int, now time.Time) error) (*View, error) {
	return h.change(ctx, token, func(s *Session, now time.Time) error {
		side := s.seats.sideOf(&s.settings.Players, actorOf(ctx))
		if s.seats != nil && side < 0 {
			return ErrSeat
		}
		return do(s, side, now)
	})
}

// Play makes a person's move. A version that is not 0 is that of the session for
// which the move is meant: the error wraps ErrStale where it has another.
func (h *Host) Play(ctx context.Context, token string, version int, parse func(s *Session) (game.Move, error)) (*View, error) {
	return h.act(ctx, token, func(s *Session, side int, now time.Time) error {
		if err := cmp.Or(s.fresh(version), s.both()); err != nil {
			return err
		}
		switch s.State() {
		case Over:
			return ErrOver
		case Settling:
			return ErrSettling
		case Thinking:
			return ErrTurn
		}
		if side >= 0 && side != int(s.Turn()) {
			return ErrTurn
		}
		m, err := parse(s)
		if err != nil {
			return err
		}
		return s.Play(m, By{}, now)
	})
}

// fresh refuses what is meant for another version than the session has; 0 is for any.
func (g *Session) fresh(version int) error {
	if version != 0 && version != g.version {
		return fmt.Errorf("%w: it is at version %d, and this is for %d", ErrStale, g.version, version)
	}
	return nil
}

// Answer decides what an opening asks for, as Play makes a move.
func (h *Host) Answer(ctx context.Context, token string, version int, a game.OpeningAnswer) (*View, error) {
	return h.act(ctx, token, func(s *Session, side int, now time.Time) error {
		if err := cmp.Or(s.fresh(version), s.both()); err != nil {
			return err
		}
		if s.State() == Thinking || side >= 0 && side != int(s.Turn()) {
			return ErrTurn
		}
		return s.Answer(a, By{}, now)
	})
}

// Mark says what is dead in a game that is being settled: see [Session.Mark].
func (h *Host) Mark(ctx context.Context, token string, version int, points []board.Point, dead bool) (*View, error) {
	return h.act(ctx, token, func(s *Session, _ int, _ time.Time) error {
		if err := s.fresh(version); err != nil {
			return err
		}
		return s.Mark(points, dead)
	})
}

// Agree agrees to the count of a game that is being settled: see [Session.Agree]. Who
// has a seat agrees for it and for no other.
func (h *Host) Agree(ctx context.Context, token string, version, side int) (*View, error) {
	return h.act(ctx, token, func(s *Session, seat int, now time.Time) error {
		if err := s.fresh(version); err != nil {
			return err
		}
		if seat >= 0 {
			side = seat
		}
		return s.Agree(side, now)
	})
}

// Resume has a game go on that is being settled: see [Session.Resume].
func (h *Host) Resume(ctx context.Context, token string) (*View, error) {
	return h.act(ctx, token, func(s *Session, _ int, now time.Time) error { return s.Resume(now) })
}

// Undo takes a person's last move back, and what followed it. Where the other side is
// a person at another screen, it has to be asked.
func (h *Host) Undo(ctx context.Context, token string) (*View, error) {
	return h.act(ctx, token, func(s *Session, side int, now time.Time) error {
		if side >= 0 {
			return ErrAsk
		}
		return s.Undo(now)
	})
}

// Resign gives a game up.
func (h *Host) Resign(ctx context.Context, token string) (*View, error) {
	return h.act(ctx, token, (*Session).resign)
}

// Offer asks the other side for something, or agrees to what that has asked for.
func (h *Host) Offer(ctx context.Context, token string, what Offer) (*View, error) {
	return h.act(ctx, token, func(s *Session, side int, now time.Time) error {
		if side < 0 {
			return fmt.Errorf("%w: there is no other side that could be asked", ErrInvalid)
		}
		return s.offer(side, what, now)
	})
}

// Decline answers an offer with no, or takes one's own back.
func (h *Host) Decline(ctx context.Context, token string) (*View, error) {
	return h.act(ctx, token, func(s *Session, side int, _ time.Time) error {
		if side < 0 {
			return fmt.Errorf("%w: nobody offers anything in it", ErrInvalid)
		}
		return s.decline()
	})
}

// Invite gives the free seat of a game a new key, for who is to sit there.
func (h *Host) Invite(ctx context.Context, token, key string) (*View, error) {
	return h.act(ctx, token, func(s *Session, side int, _ time.Time) error {
		if side < 0 {
			return fmt.Errorf("%w: it has no seats", ErrInvalid)
		}
		return s.invite(side, key)
	})
}

// Sit has who acts take the free seat whose key he has, under a name; empty for the one
// that it has. From then on the seat has the new key.
func (h *Host) Sit(ctx context.Context, token, name, key string) (*View, error) {
	return h.change(ctx, token, func(s *Session, _ time.Time) error { return s.sit(actorOf(ctx), name, key) })
}

// Rematch begins the next game of two who have played one, with colours swapped, or
// returns the one that the other side has begun.
func (h *Host) Rematch(ctx context.Context, owner, token, next string, seed uint64) (*View, error) {
	if t := h.table(token); t != nil {
		t.mu.Lock()
		open := !t.gone
		t.mu.Unlock()
		if open {
			return nil, fmt.Errorf("%w: it is not over, or not in the library yet", ErrPlaying)
		}
	}
	x, err := h.o.Store.Load(ctx, token)
	if err != nil {
		return nil, err
	}
	now := time.Now()
	s, err := Restore(h.o.Games, h.o.Settlers, x.State, now)
	if err != nil {
		return nil, err
	}
	side := s.seats.sideOf(&s.settings.Players, actorOf(ctx))
	switch {
	case side < 0:
		return nil, ErrSeat
	case s.State() != Over:
		return nil, ErrPlaying
	case s.seats.Next != "":
		return h.View(ctx, s.seats.Next)
	}
	another, err := s.again(side, seed, now)
	if err != nil {
		return nil, err
	}
	v, err := h.Create(ctx, owner, next, another)
	if err != nil {
		return nil, err
	}
	s.seats.Next = next
	s.version++
	was := *x
	x.Before = was.State
	if x.State, err = s.Encode(now); err == nil {
		err = h.o.Store.Save(context.WithoutCancel(ctx), x)
	}
	if err != nil { // the other side was faster, or nothing can be stored
		if dropped := h.Drop(context.WithoutCancel(ctx), next); dropped != nil {
			err = errors.Join(err, dropped)
		}
		return nil, err
	}
	h.tell(&running{id: x.ID, token: token, s: s, changed: x.Changed}, now)
	return v, nil
}

// Drop forgets a game. Where it has become a record, that stays.
func (h *Host) Drop(ctx context.Context, token string) error {
	t := h.table(token)
	if t == nil {
		x, err := h.o.Store.Load(ctx, token)
		if err != nil {
			return err
		}
		return h.o.Store.Drop(ctx, x.ID)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.gone {
		return ErrUnknown
	}
	return h.drop(ctx, t)
}

// drop forgets a table.
func (h *Host) drop(ctx context.Context, t *running) error {
	if err := h.o.Store.Drop(ctx, t.id); err != nil {
		return err
	}
	h.unseat(t)
	if h.o.OnDrop != nil {
		h.o.OnDrop(t.token)
	}
	return nil
}

// resume lets the clock run and has the engine think, where it is its turn.
func (h *Host) resume(t *running) {
	if at, ok := t.s.Deadline(); ok {
		version := t.s.Version()
		t.timer = time.AfterFunc(time.Until(at)+time.Millisecond, func() { h.flag(t, version) })
	}
	if t.s.State() != Thinking || h.ctx.Err() != nil {
		return
	}
	ctx, cancel := context.WithCancel(h.ctx)
	t.thinking = cancel
	h.spawn(func() {
		defer cancel()
		h.think(ctx, t)
	})
}

// flag ends a game whose clock has run out. It runs in the goroutine of a timer, and
// takes the lock of the table.
func (h *Host) flag(t *running, version int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := time.Now()
	if t.gone || h.ctx.Err() != nil || t.s.Version() != version {
		return
	}
	if !t.s.Flag(now) {
		h.resumeClock(t, version)
		return
	}
	if err := h.settle(h.ctx, t, now); err != nil {
		h.o.Log.Error("a game that is lost on time cannot be saved", "session", t.id, "err", err)
		h.resumeClock(t, version)
	}
}

// resumeClock has the clock of a table be looked at again.
func (h *Host) resumeClock(t *running, version int) {
	t.timer = time.AfterFunc(time.Second/10, func() { h.flag(t, version) })
}

// think has the engine move. Where it cannot, it says so and tries again: the
// engines may have too many others to answer. It takes the lock of the table, but not
// while the engine thinks.
func (h *Host) think(ctx context.Context, t *running) {
	for wait := time.Second / 2; ; wait = min(2*wait, time.Minute) {
		t.mu.Lock()
		if ctx.Err() != nil || t.gone || t.s.State() != Thinking {
			t.mu.Unlock()
			return
		}
		q, version, spent := t.query(time.Now()), t.s.Version(), t.s.spent()
		t.mu.Unlock()

		r, err := Reply{Move: game.Pass}, error(nil)
		if !spent {
			r, err = h.reply(ctx, q)
		}

		t.mu.Lock()
		if ctx.Err() != nil || t.gone || t.s.Version() != version {
			t.mu.Unlock()
			return
		}
		resigned := errors.Is(err, engine.ErrResigned)
		if err == nil || resigned {
			now := time.Now()
			if resigned {
				err = t.s.Concede(now)
			} else {
				err = t.s.take(&r, now)
			}
			if err == nil {
				self := t.thinking
				t.thinking = nil // it is this one, which ends by itself
				if err = h.settle(ctx, t, now); errors.Is(err, ErrStale) {
					t.mu.Unlock() // another host has moved, and what follows is begun
					return
				} else if err != nil {
					t.thinking = self
				}
			}
		}
		if err == nil {
			t.mu.Unlock()
			return
		}
		t.trouble = "The engine cannot move just now: it will be tried again."
		if !errors.Is(err, engine.ErrBusy) {
			h.o.Log.Error("the engine cannot move", "session", t.id, "err", err)
		}
		h.tell(t, time.Now())
		t.mu.Unlock()
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait):
		}
	}
}

// reply asks the opponent. One that crashes is an error of one game, which stays
// as it is: it must not end the others, and end them again with every restart.
func (h *Host) reply(ctx context.Context, q *Query) (r Reply, err error) {
	defer func() {
		if crash := recover(); crash != nil {
			err = fmt.Errorf("play: the engine crashed: %v\n%s", crash, debug.Stack())
		}
	}()
	return h.o.Opponent.Reply(ctx, q)
}

// query returns what the engine is asked.
func (t *running) query(now time.Time) *Query {
	s, set := t.s, t.s.Settings()
	side := s.Turn()
	q := &Query{
		Task: s.Task(), Owner: cmp.Or(t.owner, t.token), Level: set.Players[side].Level, Engine: set.Players[side].Engine, Style: cmp.Or(set.Style, Best), NoBook: set.NoBook,
		Seed: set.Seed, Spent: s.Spent(), Opening: s.Share(),
	}
	if s.clocked() {
		c := s.rest(side, now)
		q.Clock = &engine.Clock{Left: c.left[side], Increment: set.Increment}
		if c.spare[side] > 0 { // the period that comes next is there again for every move
			q.Clock.Left, q.Clock.Increment = c.left[side]+set.Period, max(set.Increment, set.Period)
		}
	}
	return q
}

// tidy drops games in which nobody has moved for long, every hour.
func (h *Host) tidy() {
	for {
		h.sweep(time.Now().Add(-h.o.Idle))
		select {
		case <-h.ctx.Done():
			return
		case <-time.After(time.Hour):
		}
	}
}

// sweep drops what has not changed since a moment.
func (h *Host) sweep(before time.Time) {
	h.mu.Lock()
	tables := slices.Collect(maps.Values(h.tables))
	h.mu.Unlock()
	for _, t := range tables {
		t.mu.Lock()
		if !t.gone && !t.beside && t.s.State() != Over && t.changed.Before(before) {
			if err := h.drop(h.ctx, t); err != nil && h.ctx.Err() == nil {
				h.o.Log.Error("an old game cannot be dropped", "session", t.id, "err", err)
			}
		}
		t.mu.Unlock()
	}
	if err := h.o.Store.Tidy(h.ctx, before); err != nil && h.ctx.Err() == nil {
		h.o.Log.Error("old games cannot be dropped", "err", err)
	}
}
