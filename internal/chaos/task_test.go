package chaos

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"time"
)

// task is an operation that knows what it is about.
type task struct {
	op
	w     *world
	p     *place
	other *place // the second library, where there are two
	r     *rand.Rand
	desk  int

	run     func() (outcome, error)
	effects []effect // where it is done
	after   func()   // where it is done, behind the effects
	beside  bool     // others ran at the same time
	lone    error    // what is wrong with its answer where nothing else ran; set by run
	writes  bool
	strict  bool // whatever runs beside it, an error is a fault
	later   bool // what was cut off may be done when the server is started again

	// What an import is told is final, and not only until another desk turns out to have
	// brought the same; told is how many new games that is. Set by run.
	exact bool
	told  int
}

// do runs operations at the same time, and brings the model up to date.
func (w *world) do(group []op) error {
	var tasks []*task
	for _, o := range group {
		t, err := w.prepare(o)
		if err != nil {
			return err
		}
		if t != nil {
			tasks = append(tasks, t)
		} else {
			w.tally[o.kind+" idle"]++
		}
	}
	type ended struct {
		outcome
		error
		took time.Duration
	}
	results := make([]chan ended, len(tasks))
	for i, t := range tasks {
		results[i] = make(chan ended, 1)
		go func() {
			began := time.Now()
			o, err := t.run()
			results[i] <- ended{o, err, time.Since(began)}
		}()
	}
	// Who else touches the same game.
	type spot struct {
		shelf *shelf
		key   string
	}
	touched := map[spot][]int{}
	clash := map[spot]bool{}
	for i, t := range tasks {
		for _, e := range t.effects {
			at := spot{e.shelf, e.game.key()}
			if !slices.Contains(touched[at], i) {
				touched[at] = append(touched[at], i)
			}
			clash[at] = clash[at] || !e.commutes()
		}
	}
	looks := map[*place]bool{}
	var failed error
	exact, told, fresh := len(tasks) > 1, 0, freshOf(tasks)
	for i, t := range tasks {
		r := <-results[i]
		if r.error != nil && (len(tasks) == 1 || !t.writes || t.strict) {
			failed = errors.Join(failed, fmt.Errorf("%v: %w", t.op, r.error))
		}
		if len(tasks) == 1 && r.outcome == done && t.lone != nil {
			failed = errors.Join(failed, fmt.Errorf("%v: %w", t.op, t.lone))
		}
		exact = exact && t.exact && r.outcome == done && t.p == tasks[0].p
		told += t.told
		w.tally[t.kind+" "+r.outcome.String()]++
		w.took = r.took
		looks[w.places[t.place]], looks[w.places[t.to]] = true, true
		if r.outcome == refused && r.error == nil {
			continue
		}
		for _, e := range t.effects {
			at := spot{e.shelf, e.game.key()}
			clashes := clash[at] && len(touched[at]) > 1
			p := w.places[t.to]
			switch _, waits := p.pending[at.key]; {
			case r.outcome == accepted:
				p.pending[at.key] = promise{e.game, !clashes}
			case waits && e.change == drop, !waits && t.later && r.outcome == unknown:
				p.pending[at.key] = promise{e.game, false}
			}
			e.apply(r.outcome == done && !clashes)
			if at := e.shelf.games[at.key]; clashes && at != nil {
				at.loosen()
				at.id = 0
			}
		}
		t.beside = len(tasks) > 1
		if r.outcome == done && t.after != nil {
			t.after()
		}
	}
	if exact && told != fresh {
		failed = errors.Join(failed, fmt.Errorf("imports at the same time are told of %d new games, and there are %d", told, fresh))
	}
	if failed != nil {
		return failed
	}
	for _, p := range w.places {
		if looks[p] {
			if err := p.look(); err != nil {
				return err
			}
		}
	}
	return nil
}

// freshOf returns how many games tasks add that are not there yet.
func freshOf(tasks []*task) int {
	fresh := map[string]bool{}
	for _, t := range tasks {
		for _, e := range t.effects {
			if e.change == add && e.shelf.games[e.game.key()] == nil {
				fresh[e.game.key()] = true
			}
		}
	}
	return len(fresh)
}

// makers find out what an operation of a kind is about, and leave run nil where there
// is nothing to do.
var makers = map[string]func(*task) error{
	"import": (*task).imports, "many": (*task).imports, "again": (*task).imports, "return": (*task).returns,
	"delete": (*task).deletes, "tag": (*task).labels, "collect": (*task).labels, "save": (*task).saves,
	"find": (*task).finds, "explore": (*task).explores, "count": func(t *task) error { t.count(t.p); return nil },
	"serve": (*task).serves, "crash": (*task).crashes, "play": (*task).plays,
	"mend": (*task).mends, "people": (*task).people,
	"backup": (*task).backs, "restore": (*task).restores, "copy": (*task).copies, "library": (*task).copies, "pass": (*task).passes, "move": (*task).moves,
	"reindex": (*task).rebuilds, "compact": (*task).rebuilds, "doctor": (*task).examines, "repair": (*task).examines,
	"damage": (*task).damage, "salvage": (*task).salvage,
	"harm": func(t *task) error {
		if t.w.fleet != nil {
			t.run = func() (outcome, error) { t.w.harm(t.r); return done, nil }
		}
		return nil
	},
}

// prepare finds out what an operation is about; nil where there is nothing to do.
func (w *world) prepare(o op) (*task, error) {
	t := &task{op: o, w: w, p: w.places[o.place], other: w.places[o.to], r: rand.New(rand.NewPCG(o.seed, 5)), writes: true}
	if t.p.remote && (o.kind == "import" || o.kind == "many") {
		t.desk = o.number & 1
	}
	maker := makers[o.kind]
	if maker == nil {
		return nil, fmt.Errorf("no such operation: %s", o.kind)
	}
	if err := maker(t); err != nil || t.run == nil {
		return nil, err
	}
	return t, nil
}

// served reports whether a server has the library, or the desk: it is asked then.
func (t *task) served() bool { return t.p.server != nil && t.desk == 0 }

// cli makes a task of one run of the program.
func (t *task) cli(check func(c *command) error, args ...string) {
	t.run = func() (outcome, error) {
		c := t.p.run(t.desk, t.kill, append([]string{"--library", t.p.address}, args...)...)
		out, err := c.outcome()
		if err == nil && out == done && check != nil {
			t.lone = check(c)
		}
		return out, err
	}
}

// web makes a task of what a server is asked for.
func (t *task) web(ask func() error) {
	t.run = func() (outcome, error) {
		err := ask()
		if errors.Is(err, errCut) {
			return unknown, nil
		}
		if err != nil {
			return unknown, err
		}
		return done, nil
	}
}

// some chooses games that are there, at most so many, and returns their numbers, too.
func (t *task) some(most int) ([]*entry, []string, []int) {
	list := t.p.shelf.sorted()
	t.r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	list = list[:min(len(list), 1+t.r.IntN(most))]
	var words []string
	var ids []int
	for _, e := range list {
		words, ids = append(words, strconv.Itoa(e.id)), append(ids, e.id)
	}
	return list, words, ids
}

// each notes the same change of several games.
func (t *task) each(list []*entry, c change, name string) {
	for _, e := range list {
		t.effects = append(t.effects, effect{t.p.shelf, e.game, c, name})
	}
}

// serves starts a server, or ends it.
func (t *task) serves() error {
	served := t.served()
	t.run = func() (outcome, error) {
		if served {
			return done, t.p.stop(t.r.IntN(2) == 0)
		}
		return done, t.p.serve()
	}
	return nil
}

// crashes kills a server.
func (t *task) crashes() error {
	if !t.served() {
		return nil
	}
	t.run = func() (outcome, error) {
		most := 40
		if t.p.remote {
			most = 800
		}
		time.Sleep(cmp.Or(t.op.after, time.Duration(t.r.IntN(most))*time.Millisecond))
		return done, t.p.stop(true)
	}
	return nil
}

// rebuilds makes tables anew.
func (t *task) rebuilds() error {
	args := []string{"reindex"}
	if t.kind == "compact" {
		args = append(args, "--compact")
	}
	t.cli(nil, args...)
	t.after = func() { t.p.harmed = false }
	return nil
}

// examines has the doctor look, and mend what it finds.
func (t *task) examines() error {
	args := []string{"doctor"}
	if t.r.IntN(2) == 0 {
		args = append(args, "--deep")
	}
	if t.kind == "repair" {
		args = append(args, "--repair")
		t.after = func() { t.p.harmed = false }
	}
	t.cli(nil, args...)
	run := t.run
	t.run = func() (outcome, error) {
		out, err := run()
		if err != nil && t.p.harmed && t.kind == "doctor" {
			return done, nil // it has told
		}
		return out, err
	}
	return nil
}
