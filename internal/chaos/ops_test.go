package chaos

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"mime/multipart"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// op is one operation of a sequence. What it is about it chooses by its own seed
// from what is there when it runs, so that it means something whatever operations
// before it are left out.
type op struct {
	number int
	kind   string
	place  int
	to     int // the other library, where there are two
	seed   uint64
	kill   time.Duration // after which the program is killed; 0 where it lives
	along  bool          // it runs at the same time as the operation before it
	after  time.Duration // when a crash comes; 0 for any moment
}

func (o op) String() string {
	s := fmt.Sprintf("%4d %s %c", o.number, o.kind, 'A'+o.place)
	if o.place != o.to {
		s += fmt.Sprintf(" to %c", 'A'+o.to)
	}
	if o.kill > 0 {
		s += fmt.Sprintf(", killed after %v", o.kill)
	}
	if o.along {
		s += ", at the same time"
	}
	return s
}

// kinds are the operations, each as often as it is to come.
var kinds = strings.Fields(strings.Repeat("import ", 7) + strings.Repeat("again ", 2) + strings.Repeat("delete ", 4) + strings.Repeat("tag ", 4) +
	strings.Repeat("collect ", 3) + strings.Repeat("find ", 4) + strings.Repeat("explore ", 2) + strings.Repeat("count ", 2) + strings.Repeat("save ", 2) +
	strings.Repeat("serve ", 4) + strings.Repeat("play ", 5) + strings.Repeat("crash ", 2) + "backup backup backup restore copy copy pass library reindex compact doctor repair damage damage salvage")

// onServers are the operations that a library on servers has.
var onServers = strings.Fields("import import import import import import delete tag collect find find explore count copy copy pass doctor serve serve play play crash harm harm")

// sequence makes the operations of a seed. The library on servers, where there is one,
// is the last place.
func sequence(seed uint64, n, places int, servers bool) []op {
	r := rand.New(rand.NewPCG(seed, 22))
	list := make([]op, n)
	for i := range list {
		o := op{number: i, place: r.IntN(places), seed: r.Uint64()}
		o.to = (o.place + 1 + r.IntN(max(1, places-1))) % places
		from := kinds
		if servers && o.place == places-1 {
			from = onServers
		}
		o.kind = from[r.IntN(len(from))]
		if !slices.Contains([]string{"copy", "pass", "library", "restore"}, o.kind) {
			o.to = o.place
		} else if o.kind == "library" && servers && o.to == places-1 {
			o.to = 1 - o.place
		}
		if i > 0 && r.IntN(3) == 0 {
			o.along = true
			if o.place != list[i-1].place && o.place == o.to && list[i-1].place == list[i-1].to && (!servers || max(o.place, list[i-1].place) < places-1) {
				o.place, o.to = list[i-1].place, list[i-1].place // they meet in one library
			}
		}
		if r.IntN(3) == 0 {
			o.kill = time.Duration(1+r.IntN(40)) * time.Millisecond
			if servers && o.to == places-1 {
				o.kill *= 20
			}
		}
		if before := list[max(0, i-1)]; i > 0 && (before.kind == "play" || before.kind == "import") {
			switch remote := servers && before.place == places-1; {
			case before.kind == "import" && (r.IntN(3) == 0 || remote && !before.along):
				o = op{number: i, kind: "import", place: before.place, to: before.place, seed: before.seed, along: true} // the same games
			case r.IntN(3) == 0:
				o = op{number: i, kind: "crash", place: before.place, to: before.place, seed: o.seed, along: true}
			}
		}
		list[i] = o
	}
	return list
}

// alone are operations that put libraries in the place of others, or read two: what
// runs beside them would have to be modelled in all orders.
var alone = []string{"restore", "pass", "library", "copy", "serve", "damage", "salvage", "compact", "harm"}

// together reports whether an operation may run at the same time as others.
func together(group []op, o op) bool {
	if len(group) == 0 {
		return true
	}
	if !o.along || len(group) >= 4 {
		return false
	}
	return !slices.ContainsFunc(append(slices.Clone(group), o), func(o op) bool { return slices.Contains(alone, o.kind) })
}

// task is an operation that knows what it is about.
type task struct {
	op
	run     func() (outcome, error)
	effects []effect // where it is done
	after   func()   // where it is done, behind the effects
	beside  bool     // others ran at the same time
	lone    error    // what is wrong with its answer where nothing else ran; set by run
	writes  bool
	strict  bool // whatever runs beside it, an error is a fault
	later   bool // what was cut off may be done when the server is started again
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
	for i, t := range tasks {
		r := <-results[i]
		if r.error != nil && (len(tasks) == 1 || !t.writes || t.strict) {
			failed = errors.Join(failed, fmt.Errorf("%v: %w", t.op, r.error))
		}
		if len(tasks) == 1 && r.outcome == done && t.lone != nil {
			failed = errors.Join(failed, fmt.Errorf("%v: %w", t.op, t.lone))
		}
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

// prepare finds out what an operation is about; nil where there is nothing to do.
func (w *world) prepare(o op) (*task, error) {
	r := rand.New(rand.NewPCG(o.seed, 5))
	p, to := w.places[o.place], w.places[o.to]
	t := &task{op: o, writes: true}
	desk := 0
	if p.remote && o.kind == "import" {
		desk = o.number & 1
	}
	served := p.server != nil && desk == 0
	// cli makes a task of one run of the program.
	cli := func(check func(c *command) error, args ...string) {
		t.run = func() (outcome, error) {
			c := p.run(desk, o.kill, append([]string{"--library", p.address}, args...)...)
			out, err := c.outcome()
			if err == nil && out == done && check != nil {
				t.lone = check(c)
			}
			return out, err
		}
	}
	// web makes a task of what a server is asked for.
	web := func(ask func() error) {
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
	some := func(most int) ([]*entry, []string, []int) {
		list := p.shelf.sorted()
		r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		list = list[:min(len(list), 1+r.IntN(most))]
		var words []string
		var ids []int
		for _, e := range list {
			words, ids = append(words, strconv.Itoa(e.id)), append(ids, e.id)
		}
		return list, words, ids
	}
	each := func(list []*entry, c change, name string) {
		for _, e := range list {
			t.effects = append(t.effects, effect{p.shelf, e.game, c, name})
		}
	}
	switch o.kind {
	case "import", "again":
		f, err := w.file(o, r)
		if err != nil {
			return nil, err
		}
		if served {
			t.upload(p, f)
			break
		}
		args := []string{"import", f.path, "--json"}
		if r.IntN(4) == 0 {
			args = append(args, "--again")
		}
		set := ""
		if r.IntN(5) == 0 && desk == 0 {
			set = sets[r.IntN(len(sets))]
			args = append(args, "--collection", set)
		}
		fresh := t.brings(p.shelf, f.games, set)
		cli(func(c *command) error { return counted(c, len(f.games), fresh) }, args...)
	case "delete":
		list, words, ids := some(6)
		if len(list) == 0 {
			return nil, nil
		}
		each(list, drop, "")
		if served {
			web(func() error {
				return p.post("/records/delete", map[string]any{"ids": ids, "expect": len(ids)}, nil)
			})
			break
		}
		cli(nil, append([]string{"delete", "--yes"}, words...)...)
	case "tag", "collect":
		list, words, ids := some(8)
		if len(list) == 0 {
			return nil, nil
		}
		command, path, all, c, back := "tags", "/tags", tags, tag, untag
		if o.kind == "collect" {
			command, path, all, c, back = "collections", "/collections/records", sets, collect, release
		}
		name, off := all[r.IntN(len(all))], r.IntN(4) == 0
		if o.kind == "collect" && !served {
			// Games go into a collection that there is.
			if c := p.run(0, 0, "--library", p.address, "collections", "create", name); c.code != 0 && !strings.Contains(c.err, "already") {
				return nil, errors.New(c.String())
			}
		}
		if o.kind == "tag" && off && r.IntN(3) == 0 && !served {
			for _, e := range p.shelf.games {
				t.effects = append(t.effects, effect{p.shelf, e.game, untag, name})
			}
			if !slices.ContainsFunc(list, func(e *entry) bool { return e.tags[name] == yes }) {
				return nil, nil // there may be no such tag
			}
			cli(nil, "tags", "drop", name)
			break
		}
		verb, field := "add", "add"
		if off {
			if len((ask{tag: name}).ids(p.shelf))+len((ask{set: name}).ids(p.shelf)) == 0 {
				return nil, nil
			}
			verb, field, c = "remove", "remove", back
		}
		each(list, c, name)
		if served {
			if o.kind == "collect" {
				if err := p.post("/collections", map[string]any{"name": name}, nil); err != nil && !strings.Contains(err.Error(), "409") {
					return nil, err
				}
			}
			web(func() error { return p.post(path, map[string]any{"ids": ids, field: []string{name}}, nil) })
			break
		}
		cli(nil, append([]string{command, verb, name}, words...)...)
	case "find", "save":
		a := makeAsk(r)
		if len((ask{tag: a.tag, set: a.set}).ids(p.shelf)) == 0 || o.kind == "save" {
			a.tag, a.set = "", "" // there may be no such names, which is no question then
		}
		name := []string{"mine", "yours"}[r.IntN(2)]
		if o.kind == "save" {
			t.after = func() { p.shelf.queries[name] = a }
			if served {
				web(func() error {
					return p.http("PUT", "/queries/"+name, "application/json", fmt.Appendf(nil, `{"query":%q,"replace":true}`, a), nil)
				})
				break
			}
			p.run(0, 0, "--library", p.address, "query", "drop", name)
			delete(p.shelf.queries, name)
			cli(nil, "query", "save", name, a.String())
			break
		}
		text := a.String()
		if saved, ok := p.shelf.queries[name]; ok && r.IntN(2) == 0 {
			a, text = saved, "named:"+name
		}
		t.find(p, text, a.ids(p.shelf))
	case "explore":
		t.explore(p, r)
	case "count":
		t.count(p)
	case "serve":
		t.run = func() (outcome, error) {
			if served {
				return done, p.stop(r.IntN(2) == 0)
			}
			return done, p.serve()
		}
	case "crash":
		if !served {
			return nil, nil
		}
		t.run = func() (outcome, error) {
			most := 40
			if p.remote {
				most = 800
			}
			time.Sleep(cmp.Or(o.after, time.Duration(r.IntN(most))*time.Millisecond))
			return done, p.stop(true)
		}
	case "play":
		if !served {
			if err := p.serve(); err != nil {
				return nil, err
			}
		}
		t.play(p, r)
	case "backup":
		b := backup{dir: filepath.Join(w.dir, "backup"+strconv.Itoa(o.number)), of: p, shelf: p.shelf.clone()}
		args := []string{"backup", b.dir}
		if i := slices.IndexFunc(w.backups, func(b backup) bool { return b.of == p }); i >= 0 && r.IntN(2) == 0 {
			b.dir = w.backups[i].dir
			args = []string{"backup", b.dir, "--incremental"}
			w.backups = slices.Delete(w.backups, i, i+1) // until it is what the library is now
		}
		cli(nil, args...)
		run := t.run
		t.run = func() (outcome, error) {
			out, err := run()
			if out != done {
				os.RemoveAll(b.dir)
			}
			return out, err
		}
		t.after = func() {
			if t.beside { // of what others did meanwhile it may have a part
				os.RemoveAll(b.dir)
				return
			}
			w.backups = append(w.backups, b)
		}
	case "restore":
		if len(w.backups) == 0 || to.remote {
			return nil, nil
		}
		b := w.backups[r.IntN(len(w.backups))]
		t.run = func() (outcome, error) {
			if err := to.stop(true); err != nil {
				return unknown, err
			}
			for kill := o.kill; ; kill = 0 {
				if err := os.RemoveAll(to.address); err != nil {
					return unknown, err
				}
				c := w.run(0, kill, "--library", to.address, "restore", b.dir)
				if out, err := c.outcome(); out == done || err != nil {
					return out, err
				}
			}
		}
		t.after = func() {
			to.shelf, to.harmed, to.session = b.shelf.clone(), false, nil
			clear(to.pending)
			w.backups = slices.DeleteFunc(w.backups, func(b backup) bool { return b.of == to }) // of a library that is gone
		}
	case "copy", "library":
		if to.server != nil {
			return nil, nil
		}
		for _, e := range p.shelf.sorted() {
			t.effects = append(t.effects, effect{to.shelf, e.game, add, ""})
			for name, have := range e.tags {
				if have == yes {
					t.effects = append(t.effects, effect{to.shelf, e.game, tag, name})
				}
			}
			for name, have := range e.sets {
				if have == yes {
					t.effects = append(t.effects, effect{to.shelf, e.game, collect, name})
				}
			}
		}
		args := []string{"copy", p.address, to.address}
		if r.IntN(3) == 0 {
			args = append(args, "--anew")
		}
		if o.kind == "library" {
			if len(t.effects) == 0 {
				return nil, nil
			}
			args = []string{"--library", p.address, "export", "--all", "--to-library", to.address, "--force"}
		}
		t.run = func() (outcome, error) { return w.run(0, o.kill, args...).outcome() }
	case "pass":
		a := makeAsk(r)
		a.tag, a.set = "", ""
		file := filepath.Join(w.dir, "pass"+strconv.Itoa(o.number)+".sgf")
		ids := a.ids(p.shelf)
		if len(ids) == 0 || to.server != nil {
			return nil, nil
		}
		for _, e := range p.shelf.sorted() {
			if slices.Contains(ids, e.id) {
				t.effects = append(t.effects, effect{to.shelf, e.game, add, ""})
			}
		}
		t.run = func() (outcome, error) {
			if c := w.run(0, 0, "--library", p.address, "export", a.String(), file); c.code != 0 {
				return unknown, errors.New(c.String())
			}
			return w.run(0, o.kill, "--library", to.address, "import", file).outcome()
		}
	case "reindex":
		cli(nil, "reindex")
		t.after = func() { p.harmed = false }
	case "compact":
		cli(nil, "reindex", "--compact")
		t.after = func() { p.harmed = false }
	case "doctor", "repair":
		args := []string{"doctor"}
		if r.IntN(2) == 0 {
			args = append(args, "--deep")
		}
		if o.kind == "repair" {
			args = append(args, "--repair")
			t.after = func() { p.harmed = false }
		}
		cli(nil, args...)
		run := t.run
		t.run = func() (outcome, error) {
			out, err := run()
			if err != nil && p.harmed && o.kind == "doctor" {
				return done, nil // it has told
			}
			return out, err
		}
	case "harm":
		if w.fleet == nil {
			return nil, nil
		}
		t.run = func() (outcome, error) {
			w.harm(r)
			return done, nil
		}
	case "damage":
		return t, t.damage(p, r)
	case "salvage":
		return t, t.salvage(p, r)
	default:
		return nil, fmt.Errorf("no such operation: %s", o.kind)
	}
	return t, nil
}

// universe is how many games there are to import: few enough that the same ones come
// again and again.
const universe = 400

// file writes what is to be imported, or takes what was imported before.
func (w *world) file(o op, r *rand.Rand) (file, error) {
	if o.kind == "again" && len(w.files) > 0 {
		return w.files[r.IntN(len(w.files))], nil
	}
	f := file{path: filepath.Join(w.dir, "import"+strconv.Itoa(o.number)+".sgf")}
	n := 1 + r.IntN(12)
	if r.IntN(6) == 0 || w.places[o.place].remote && r.IntN(2) == 0 {
		n = 60 + r.IntN(150)
	}
	var text strings.Builder
	first := r.IntN(universe)
	for i := range n {
		g := makeGame((first + i) % universe)
		if i > 0 && r.IntN(10) == 0 {
			g = f.games[r.IntN(i)] // twice in one file
		}
		f.games = append(f.games, g)
		text.WriteString(g.sgf())
	}
	w.files = append(w.files, f)
	return f, os.WriteFile(f.path, []byte(text.String()), 0o666)
}

// brings notes what an import brings, and returns how many games are new.
func (t *task) brings(s *shelf, games []*game, set string) (fresh int) {
	keys := map[string]bool{}
	for _, g := range games {
		if keys[g.key()] {
			continue
		}
		keys[g.key()] = true
		if s.games[g.key()] == nil {
			fresh++
		}
		t.effects = append(t.effects, effect{s, g, add, ""})
		if set != "" {
			t.effects = append(t.effects, effect{s, g, collect, set})
		}
	}
	return fresh
}

// counts is what an import tells.
type counts struct{ Records, New, Duplicates, Unchanged int }

func (c counts) check(records, fresh int) error {
	if c.Unchanged == 0 && (c.Records != records || c.New != fresh || c.Duplicates != records-fresh) {
		return fmt.Errorf("an import of %d records, %d of them new, says %+v", records, fresh, c)
	}
	return nil
}

func counted(c *command, records, fresh int) error {
	list, err := totals[struct {
		Type string
		counts
	}](c)
	if err != nil || len(list) == 0 {
		return fmt.Errorf("an import tells nothing: %v %s", err, c)
	}
	return list[len(list)-1].check(records, fresh)
}

// upload imports by a server: what it has accepted is safe, whatever becomes of it.
func (t *task) upload(p *place, f file) {
	fresh := t.brings(p.shelf, f.games, "")
	t.later = true
	t.run = func() (outcome, error) {
		data, err := os.ReadFile(f.path)
		if err != nil {
			return unknown, err
		}
		var body bytes.Buffer
		form := multipart.NewWriter(&body)
		part, err := form.CreateFormFile("file", filepath.Base(f.path))
		if err != nil {
			return unknown, err
		}
		part.Write(data)
		form.Close()
		j, err := p.finish(func(j *job) error { return p.http("POST", "/jobs/upload", form.FormDataContentType(), body.Bytes(), j) })
		switch {
		case errors.Is(err, errCut) && j.ID != 0:
			return accepted, nil
		case errors.Is(err, errCut):
			return unknown, nil
		case err != nil:
			return unknown, err
		}
		t.lone = j.Counts.check(len(f.games), fresh)
		return done, nil
	}
}

// job is an import by a server.
type job struct {
	ID           int
	State, Error string
	Counts       counts
}

// finish begins a job, and waits until it is done. One that has a number was
// accepted.
func (p *place) finish(begin func(*job) error) (j *job, err error) {
	j = new(job)
	for err = begin(j); err == nil && j.State != "done"; err = p.get("/jobs/"+strconv.Itoa(j.ID), j) {
		if j.State == "failed" {
			return j, errors.New(j.Error)
		}
		time.Sleep(3 * time.Millisecond)
	}
	return j, err
}

// found is a line of an answer, or a row of a page.
type found struct {
	Type   string
	Games  int
	Record struct{ ID int }
	Groups []struct {
		Key   string
		Score struct{ Games int }
	}
}

// same compares the games of an answer with those that should be in it.
func same(question string, got, want []int) error {
	slices.Sort(got)
	if !slices.Equal(got, want) {
		return fmt.Errorf("%s: the records %v, should be %v", question, got, want)
	}
	return nil
}

// find asks a question.
func (t *task) find(p *place, text string, want []int) {
	t.writes = false
	if p.server != nil {
		t.run = func() (outcome, error) {
			var got []int
			for cursor, page := "", 0; ; page++ {
				var answer struct {
					Records []struct{ Record struct{ ID int } }
					Games   int
					Next    string
				}
				if err := p.get("/records?limit=40&q="+url.QueryEscape(text)+"&cursor="+url.QueryEscape(cursor), &answer); errors.Is(err, errCut) {
					return unknown, nil
				} else if err != nil {
					return unknown, err
				}
				for _, row := range answer.Records {
					got = append(got, row.Record.ID)
				}
				if cursor = answer.Next; cursor == "" || page > 100 {
					break
				}
			}
			t.lone = same(text, got, want)
			return done, nil
		}
		return
	}
	t.run = func() (outcome, error) {
		c := p.run(0, 0, "--library", p.address, "find", text, "--json", "--limit", "0")
		out, err := c.outcome(1)
		if err != nil {
			return out, err
		}
		list, err := totals[found](c)
		if err != nil {
			return unknown, err
		}
		var got []int
		for _, f := range list {
			if f.Type == "hit" {
				got = append(got, f.Record.ID)
			} else if f.Type == "answer" && f.Games != len(want) {
				t.lone = fmt.Errorf("%s: %d games, should be %d", text, f.Games, len(want))
			}
		}
		if err := same(text, got, want); err != nil {
			t.lone = err
		}
		return out, nil
	}
}

// coordinates names a point as players do.
func coordinates(size int, move string) string {
	if move == "" {
		return "pass"
	}
	return string("ABCDEFGHJKLMN"[move[0]-'a']) + strconv.Itoa(size-int(move[1]-'a'))
}

// explore asks how many games reach a position.
func (t *task) explore(p *place, r *rand.Rand) {
	g, n := makeGame(r.IntN(universe)), 1+r.IntN(3)
	if list := p.shelf.sorted(); len(list) > 0 && r.IntN(4) > 0 {
		g = list[r.IntN(len(list))].game
	}
	var want int
	for _, e := range p.shelf.sorted() {
		if e.board(n) == g.board(n) {
			want++
		}
	}
	var line []string
	for _, m := range g.moves[:n] {
		line = append(line, coordinates(g.size, m))
	}
	kind, moves := fmt.Sprintf("go:%dx%d", g.size, g.size), strings.Join(line, " ")
	t.writes = false
	served := p.server != nil
	t.run = func() (outcome, error) {
		var answer found
		if served {
			if err := p.get("/explore?game="+kind+"&line="+url.QueryEscape(moves), &answer); errors.Is(err, errCut) {
				return unknown, nil
			} else if err != nil {
				return unknown, err
			}
		} else {
			c := p.run(0, 0, "--library", p.address, "explore", "--game", kind, moves, "--json")
			if _, err := c.outcome(1); err != nil {
				return unknown, err
			}
			list, err := totals[found](c)
			if err != nil {
				return unknown, err
			}
			if len(list) > 0 {
				answer = list[len(list)-1]
			}
		}
		if answer.Games != want {
			t.lone = fmt.Errorf("%d games reach %s %s, should be %d", answer.Games, kind, moves, want)
		}
		return done, nil
	}
}

// count asks how many games each player has.
func (t *task) count(p *place) {
	want := map[string]int{}
	for _, e := range p.shelf.sorted() {
		want[e.black]++
		want[e.white]++
	}
	t.writes = false
	t.run = func() (outcome, error) {
		c := p.run(0, 0, "--library", p.address, "find", "--by", "player", "--json")
		if _, err := c.outcome(1); err != nil {
			return unknown, err
		}
		list, err := totals[found](c)
		if err != nil {
			return unknown, err
		}
		got := map[string]int{}
		for _, f := range list {
			for _, g := range f.Groups {
				got[g.Key] = g.Score.Games
			}
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.lone = fmt.Errorf("players have %v games, should have %v", got, want)
		}
		return done, nil
	}
}

// play plays a game to its end, or goes on with one that a crash has interrupted.
func (t *task) play(p *place, r *rand.Rand) {
	s := p.session
	p.session = nil
	if s == nil {
		g := makeGame(played + t.number)
		if r.IntN(2) == 0 {
			g.moves = append(slices.Clone(g.moves), "", "")
		}
		s = &session{game: g}
	}
	g := s.game
	t.effects = []effect{{p.shelf, g, add, ""}}
	t.later, t.strict = true, true
	type state struct {
		ID       string
		State    string
		Position struct{ Line string }
		Result   *struct {
			Text   string
			Record int
		}
	}
	line := func(n int) string {
		var words []string
		for _, m := range g.moves[:n] {
			words = append(words, coordinates(g.size, m))
		}
		return strings.Join(words, " ")
	}
	over := false // it was before
	run := func() error {
		var now state
		over = false
		if s.id == "" {
			body := map[string]any{"game": fmt.Sprintf("go:%dx%d", g.size, g.size), "side": "both", "name": g.black, "opponent": g.white}
			if err := p.post("/sessions", body, &now); err != nil {
				return err
			}
			s.id = now.ID
		} else {
			if err := p.get("/sessions/"+s.id, &now); err != nil {
				return err
			}
			// The last that was asked for may have been done before the crash, and not told.
			if more := min(s.moves+1, len(g.moves)); now.Position.Line == line(more) {
				s.moves = more
			} else if s.back && now.Position.Line == line(s.moves-1) {
				s.moves--
			}
			s.back = false
			// One that had ended became a record when the server was started, which may have
			// been deleted since.
			if now.State == "over" && s.moves == len(g.moves) && now.Result != nil && now.Result.Record != 0 {
				over = true
				return nil
			}
			if now.Position.Line != line(s.moves) {
				return fmt.Errorf("a game that was interrupted stands at %q, and %q was acknowledged", now.Position.Line, line(s.moves))
			}
		}
		for ; s.moves < len(g.moves); s.moves++ {
			if s.moves == 4 && !s.undo && r.IntN(2) == 0 {
				s.undo, s.back = true, true
				if err := p.post("/sessions/"+s.id+"/undo", nil, &now); err != nil {
					return err
				}
				if now.Position.Line != line(3) {
					return fmt.Errorf("after a move was taken back the game stands at %q", now.Position.Line)
				}
				s.moves, s.back = 3, false
			}
			if err := p.post("/sessions/"+s.id+"/moves", map[string]any{"move": coordinates(g.size, g.moves[s.moves])}, &now); err != nil {
				return err
			}
		}
		if now.State != "over" {
			if err := p.post("/sessions/"+s.id+"/resign", nil, &now); err != nil {
				return err
			}
		}
		if now.Result == nil || now.Result.Record == 0 {
			return fmt.Errorf("a game is over and no record: %+v", now)
		}
		g.result = now.Result.Text
		return nil
	}
	t.run = func() (outcome, error) {
		err := run()
		switch {
		case errors.Is(err, errCut):
			p.mu.Lock()
			p.session = s
			p.mu.Unlock()
			return unknown, nil
		case err != nil:
			return unknown, err
		case over:
			return refused, nil // nothing was changed
		}
		return done, nil
	}
}

// damage spoils a file that the library can make anew.
func (t *task) damage(p *place, r *rand.Rand) error {
	if p.server != nil || p.remote {
		t.run = func() (outcome, error) { return done, nil }
		return nil
	}
	t.run = func() (outcome, error) {
		var files []string
		for _, dir := range []string{"segments", "marks"} {
			list, err := filepath.Glob(filepath.Join(p.address, dir, "*"))
			if err != nil {
				return unknown, err
			}
			files = append(files, list...)
		}
		if len(files) == 0 {
			return done, nil
		}
		p.harmed = true
		path := files[r.IntN(len(files))]
		data, err := os.ReadFile(path)
		if err != nil {
			return unknown, err
		}
		switch {
		case r.IntN(4) == 0:
			err = os.Remove(path)
		case r.IntN(3) == 0:
			err = os.WriteFile(path, data[:r.IntN(len(data)+1)/2], 0o666)
		default:
			err = os.WriteFile(path, spoilt(data, 1+r.IntN(8), r), 0o666)
		}
		if err != nil || len(data) == 0 || filepath.Ext(path) != ".seg" || r.IntN(2) == 0 {
			return done, err
		}
		// Whoever is asked says so; others notice when they read it.
		if c := p.run(0, 0, "--library", p.address, "doctor"); c.code == 0 {
			return unknown, fmt.Errorf("%s is damaged, and %s", filepath.Base(path), c)
		}
		return done, nil
	}
	return nil
}

// spoilt returns bytes of which some are others.
func spoilt(data []byte, n int, r *rand.Rand) []byte {
	for range min(n, len(data)) {
		data[r.IntN(len(data))] ^= byte(1 + r.IntN(255))
	}
	return data
}

// salvage damages the catalogue of a copy, and has all taken out of it that can still
// be read. What comes out is of the games that there are, under their numbers; what
// does not is told of, game by game, and by the exit code.
func (t *task) salvage(p *place, r *rand.Rand) error {
	t.run = func() (outcome, error) { return done, nil }
	if p.server != nil || p.remote {
		return nil
	}
	t.run = func() (outcome, error) {
		sick, to := filepath.Join(t.dir(p), "sick"), filepath.Join(t.dir(p), "salvaged")
		defer os.RemoveAll(t.dir(p))
		if err := os.CopyFS(sick, os.DirFS(p.address)); err != nil {
			return unknown, err
		}
		data, err := os.ReadFile(filepath.Join(sick, "catalog.db"))
		if err != nil {
			return unknown, err
		}
		at, n := r.IntN(len(data)), 1<<r.IntN(14)
		spoilt(data[at:min(at+n, len(data))], n, r)
		if err := os.WriteFile(filepath.Join(sick, "catalog.db"), data, 0o666); err != nil {
			return unknown, err
		}
		c := p.run(0, 0, "--library", sick, "doctor", "--salvage", to, "--json")
		if c.code != 0 && c.code != 3 {
			return unknown, errors.New(c.String())
		}
		told, err := totals[struct {
			Type, State                   string
			Game                          int
			Whole, Rebuilt, Lost, Unnamed int
		}](c)
		if err != nil || len(told) == 0 {
			return unknown, fmt.Errorf("a salvage tells nothing: %v %s", err, c)
		}
		sum := told[len(told)-1]
		list, err := p.list(to)
		if err != nil {
			return unknown, err
		}
		fates := map[int]string{}
		for _, f := range told[:len(told)-1] {
			fates[f.Game] = f.State
		}
		there := 0
		for _, g := range list {
			e := p.shelf.games[g.key()]
			switch {
			case fates[g.id] == "rebuilt":
			case e == nil && n < 4096: // more may bring back what was deleted
				return unknown, fmt.Errorf("%d bytes at %d: game %d has come up, which there was not", n, at, g.id)
			case e == nil:
				continue
			case e.id != g.id || e.differs(g.game) != "":
				return unknown, fmt.Errorf("%d bytes at %d: game %d is told to be whole, and is another: it was %d", n, at, g.id, e.id)
			}
			there++
		}
		all := len(p.shelf.sorted())
		if sum.Whole+sum.Rebuilt != len(list) || all-there > sum.Lost+sum.Unnamed || (all > there || sum.Rebuilt > 0) && c.code == 0 {
			return unknown, fmt.Errorf("%d bytes at %d: of %d games %d are there, and %s", n, at, all, there, c)
		}
		return done, nil
	}
	return nil
}

// dir is a folder for one operation.
func (t *task) dir(p *place) string { return filepath.Join(p.world.dir, "op"+strconv.Itoa(t.number)) }
