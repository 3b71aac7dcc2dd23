package librarian

import (
	"cmp"
	"context"
	"errors"
	"math"
	"runtime"
	"slices"
	"sync"
	"time"

	"qipu/book"
	"qipu/book/theory"
	"qipu/engine"
	"qipu/engine/sight"
	"qipu/game"
	"qipu/index"
	"qipu/library"
	"qipu/library/courses"
	"qipu/library/livebook"
)

// What a librarian does where nobody says otherwise.
const (
	UsualLevel = 18
	UsualGames = 10
)

// Options say what a librarian does.
type Options struct {
	Books *livebook.Books
	Kind  *index.Kind

	// Engine makes the teacher, one for each of Threads searches at a time (default
	// one). Teacher is its name; empty for the engine of the program.
	Engine  func(r game.Rules, o engine.Options) (engine.Engine, error)
	Teacher string
	Threads int

	Level   int // of searches, in plies; default UsualLevel
	Reached int // games that a position needs; default UsualGames
	Limit   int // positions that are searched at most; 0 for all

	// Busy tells whether somebody waits for a search of his own: the librarian
	// begins no other then. It may be nil.
	Busy func() bool

	// Games has the librarian make the courses of the games of a library instead, where
	// nets see them ([Whole]): Books, Engine, Teacher, Level and Reached mean nothing then.
	Games *library.Library

	// Changed is told when values were written. It may be nil.
	Changed func()
}

// State is how far a librarian is.
type State struct {
	Phase    Phase
	Whole    bool // it makes courses of whole games, and games are what is counted
	Total    int  // positions with enough games
	Valued   int  // of these, those that are as sure as they shall be
	Searched int  // by this librarian
	Errors   int  // searches that failed
	Teacher  string
	Level    int
	Games    int
	Began    time.Time
	Rate     float64 // searches a minute, of late
	Err      error   // that ended it
}

// Phase is what a librarian is doing.
type Phase string

// The phases.
const (
	Idle      Phase = "idle"      // it has not begun, or was stopped
	Surveying Phase = "surveying" // it looks for what there is to do
	Learning  Phase = "learning"
	Waiting   Phase = "waiting" // for somebody else's search
	Paused    Phase = "paused"
	Done      Phase = "done"
)

// Librarian is one who values the positions of a book. It is safe for concurrent
// use; Run is called once at a time.
type Librarian struct {
	o       Options
	courses *courses.Room // nil where it values positions

	mu    sync.Mutex
	state State
	tried map[string]bool // positions that another program has searched: where it did not come to the level, it would not the next time
	gate  chan struct{}   // closed while it may work
	open  bool
}

// Whole reports whether nets see the games of a kind, so that a librarian can look at
// whole games.
func Whole(r game.Rules) bool { return courses.Fits(r) }

// New returns a librarian that has not begun.
func New(o Options) *Librarian {
	o.Level, o.Reached, o.Threads = cmp.Or(o.Level, UsualLevel), cmp.Or(o.Reached, UsualGames), max(o.Threads, 1)
	l := &Librarian{o: o, gate: make(chan struct{}), open: true}
	close(l.gate)
	l.state = State{Phase: Idle, Teacher: o.Teacher, Level: o.Level, Games: o.Reached}
	if o.Games != nil {
		l.courses = courses.New(o.Games)
		l.state = State{Phase: Idle, Whole: true, Level: sight.CourseDepth, Games: 1}
	}
	return l
}

// State returns how far it is.
func (l *Librarian) State() State {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := l.state
	if !l.open && (s.Phase == Learning || s.Phase == Waiting || s.Phase == Surveying) {
		s.Phase = Paused
	}
	return s
}

// Pause lets it begin no search, until Resume.
func (l *Librarian) Pause() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.open {
		l.gate, l.open = make(chan struct{}), false
	}
}

// Resume lets it go on.
func (l *Librarian) Resume() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.open {
		close(l.gate)
		l.open = true
	}
}

func (l *Librarian) set(change func(*State)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	change(&l.state)
}

// task is a position to be valued.
type task struct {
	position string
	weight   float64 // games times doubt
	place    int     // in a walk over the book, in which what follows from a position comes before it
}

// batch is how many positions are taken at a time, before others may matter more.
const batch = 512

// Begin has the state tell that it works from now on, before Run gets to it.
func (l *Librarian) Begin() {
	l.set(func(s *State) { s.Began, s.Phase, s.Err = time.Now(), Surveying, nil })
}

// Run values positions until none is left that is worth it, or its context ends,
// which is no error: what was found is kept.
func (l *Librarian) Run(ctx context.Context) error {
	err := l.run(ctx)
	if ctx.Err() != nil {
		err = nil
	}
	l.set(func(s *State) {
		s.Err = err
		if s.Phase = Idle; err == nil && ctx.Err() == nil {
			s.Phase = Done
		}
	})
	return err
}

func (l *Librarian) run(ctx context.Context) error {
	l.Begin()
	if l.courses != nil {
		return l.watch(ctx)
	}
	l.tried = map[string]bool{}
	for {
		tasks, err := l.survey(ctx)
		if err != nil {
			return err
		}
		if left := l.left(); left >= 0 {
			tasks = tasks[:min(len(tasks), left)]
		}
		if len(tasks) == 0 {
			return nil
		}
		failed := 0
		for part := range slices.Chunk(tasks, batch) {
			slices.SortFunc(part, func(a, b task) int { return cmp.Compare(a.place, b.place) })
			n, err := l.learn(ctx, part)
			failed += n
			if err != nil {
				return err
			}
		}
		if failed == len(tasks) && (l.o.Teacher == "" || l.State().Searched == 0) {
			return errors.New("librarian: no search succeeds")
		}
	}
}

// left returns how many searches the limit leaves; negative for any number.
func (l *Librarian) left() int {
	if l.o.Limit <= 0 {
		return -1
	}
	return max(0, l.o.Limit-l.State().Searched)
}

// survey lists what there is to do, what matters most first.
func (l *Librarian) survey(ctx context.Context) ([]task, error) {
	l.set(func(s *State) { s.Phase = Surveying })
	v, err := l.o.Books.Volume(ctx, l.o.Kind)
	if err != nil {
		return nil, err
	}
	s := surveyor{Volume: v, keys: book.NewKeyer(l.o.Kind.Rules), seen: map[book.Key]bool{}, o: &l.o, ctx: ctx, tried: l.tried}
	p := l.o.Kind.Rules.Start()
	if err := s.walk(p, 0); err != nil {
		return nil, err
	}
	slices.SortStableFunc(s.tasks, func(a, b task) int { return cmp.Compare(b.weight, a.weight) })
	l.set(func(st *State) { st.Total, st.Valued = s.total, s.total-len(s.tasks) })
	return s.tasks, nil
}

// surveyor walks over the positions that enough games have reached, wherever they
// were played: what a position is worth is worth knowing all the same.
type surveyor struct {
	livebook.Volume
	keys  *book.Keyer
	seen  map[book.Key]bool
	o     *Options
	ctx   context.Context
	tried map[string]bool
	tasks []task
	total int
}

// walk comes to what follows from a position before the position itself.
func (s *surveyor) walk(p game.Position, ply int) error {
	key, _ := s.keys.Key(p)
	if s.seen[key] {
		return nil
	}
	s.seen[key] = true
	recorded, _ := s.Book.Node(key)
	here, _ := s.Here.Node(key)
	n := recorded.N + here.N
	if n < max(s.o.Reached, 1) || p.Outcome().Final() {
		return nil
	}
	if len(s.seen)%1024 == 0 && s.ctx.Err() != nil {
		return s.ctx.Err()
	}
	if s.keys.Fold(p) {
		defer p.Undo()
	}
	if ply < book.Plies(s.o.Kind.Rules) {
		for _, m := range p.AppendMoves(nil) {
			if p.Play(m) != nil {
				continue
			}
			err := s.walk(p, ply+1)
			p.Undo()
			if err != nil {
				return err
			}
		}
	}
	s.total++
	if doubt := s.Theory.Doubt(p, s.o.Level); doubt > 0 {
		if text := game.FormatPosition(s.o.Kind.Rules, p); !s.tried[text] {
			s.tasks = append(s.tasks, task{text, float64(n) * doubt, s.total})
		}
	}
	return nil
}

// learn values positions, with as many searches at a time
// as there may be. It returns how many failed.
func (l *Librarian) learn(ctx context.Context, tasks []task) (failed int, err error) {
	th, err := l.o.Books.Theory(ctx, l.o.Kind)
	if err != nil {
		return 0, err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	began, before := time.Now(), l.State().Searched
	var wait sync.WaitGroup
	var mu sync.Mutex
	each := (len(tasks) + l.o.Threads - 1) / l.o.Threads
	for part := range slices.Chunk(tasks, each) {
		wait.Go(func() {
			runtime.LockOSThread() // which ends with the goroutine, and its low priority with it
			yieldToOthers()
			e, err := l.o.Engine(l.o.Kind.Rules, engine.Options{Hash: hash})
			if err != nil {
				cancel(err)
				return
			}
			defer e.Close()
			learner := &theory.Learner{Theory: th, Searcher: livebook.SearchWith(e, l.o.Kind.Rules, 1), Level: l.o.Level, Teacher: l.o.Teacher}
			for _, t := range part {
				if err := l.wait(ctx); err != nil {
					return
				}
				err := learner.Judge(ctx, t.position)
				if ctx.Err() != nil {
					return
				}
				mu.Lock()
				if err != nil {
					failed++
				}
				if l.o.Teacher != "" {
					l.tried[t.position] = true
				}
				mu.Unlock()
				l.set(func(s *State) {
					if err != nil {
						s.Errors++
						return
					}
					s.Searched++
					s.Valued++
					s.Rate = float64(s.Searched-before) / max(time.Since(began).Minutes(), 1e-6)
				})
			}
		})
	}
	wait.Wait()
	err = errors.Join(context.Cause(ctx), th.Flush(context.WithoutCancel(ctx)))
	if l.o.Changed != nil {
		l.o.Changed()
	}
	if err != nil {
		return failed, err
	}
	return failed, th.Save(ctx)
}

// hash is what a teacher remembers. It forgets everything before each search: what
// neighbours leave in the table is of other depths, odd and even, and draws values
// by a disc and more.
const hash = 32 << 20

// wait waits until a search may begin.
func (l *Librarian) wait(ctx context.Context) error {
	for {
		l.mu.Lock()
		gate := l.gate
		l.mu.Unlock()
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-gate:
		}
		if l.o.Busy == nil || !l.o.Busy() {
			l.set(func(s *State) { s.Phase = Learning })
			return nil
		}
		l.set(func(s *State) { s.Phase = Waiting })
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// Left estimates how long it will take; 0 where nobody can tell.
func (s State) Left() time.Duration {
	if s.Rate <= 0 {
		return 0
	}
	return time.Duration(math.Round(float64(s.Total-s.Valued)/s.Rate*60)) * time.Second
}
