package chaos

import (
	"bytes"
	"errors"
	"fmt"
	"mime/multipart"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"qipu/internal/testkit"
)

// file is a file with games.
type file struct {
	path  string
	games []*game
	read  map[seat]bool // who has imported all of it
}

// seat is a desk of a library; folders have one.
type seat struct {
	*place
	desk int
}

// universe is how many games there are to import: few enough that the same ones come
// again and again. Beyond it are crowds, which come in large files alone.
const universe = 400

// atOnce is how many games of one import go to servers at once; fewer wait on the desk.
const atOnce = 256

// file writes what is to be imported, or takes what was imported before.
func (t *task) file() (*file, error) {
	w, r := t.w, t.r
	if t.kind == "again" && len(w.files) > 0 {
		return w.files[r.IntN(len(w.files))], nil
	}
	f := &file{path: filepath.Join(w.dir, "import"+strconv.Itoa(t.number)+".sgf"), read: map[seat]bool{}}
	n, first, most := 1+r.IntN(12), r.IntN(universe), universe
	switch {
	case t.kind == "many", t.p.remote && r.IntN(2) == 0:
		n, first, most = atOnce+r.IntN(50), universe+1000*r.IntN(50), played
	case r.IntN(6) == 0 || t.p.remote && r.IntN(2) == 0:
		n = 60 + r.IntN(150)
	}
	var text strings.Builder
	for i := range n {
		g := makeGame((first + i) % most)
		if i > 0 && r.IntN(10) == 0 {
			g = f.games[r.IntN(i)] // twice in one file
		}
		f.games = append(f.games, g)
		text.WriteString(g.sgf())
	}
	w.files = append(w.files, f)
	return f, os.WriteFile(f.path, []byte(text.String()), 0o666)
}

// imports imports a file, by a command or by the server that has the library.
func (t *task) imports() error {
	f, err := t.file()
	if err != nil {
		return err
	}
	t.after = func() { f.read[seat{t.p, t.desk}] = true }
	if t.served() {
		t.upload(t.p, f)
		return nil
	}
	args := []string{"import", f.path, "--json"}
	if t.r.IntN(4) == 0 {
		args = append(args, "--again")
	}
	set := ""
	if t.r.IntN(5) == 0 && t.desk == 0 {
		set = sets[t.r.IntN(len(sets))]
		args = append(args, "--collection", set)
	}
	fresh := t.brings(t.p.shelf, f.games, set)
	t.cli(func(c *command) (err error) {
		told, err := counted(c)
		t.told, t.exact = told.New, err == nil && told.Unchanged == 0 && (!t.p.remote || len(f.games) >= atOnce)
		if err == nil {
			err = told.check(len(f.games), fresh)
		}
		return err
	}, args...)
	return nil
}

// returns deletes games, and kills that at the moment when it counts, or soon after.
// The file that they came from is imported again: they are there, whatever the deletion
// has come to.
func (t *task) returns() error {
	p := t.p
	if p.remote {
		t.desk = 1
	}
	var files []*file
	for _, f := range t.w.files {
		if f.read[seat{p, t.desk}] && len(f.known(p.shelf)) > 0 {
			files = append(files, f)
		}
	}
	if len(files) == 0 || t.served() {
		return t.imports()
	}
	f := files[t.r.IntN(len(files))]
	list := f.known(p.shelf)
	t.r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	list = list[:min(len(list), 1+t.r.IntN(6))]
	words := []string{"--library", p.address, "delete", "--yes"}
	for _, e := range list {
		words = append(words, strconv.Itoa(e.id))
	}
	fresh := t.brings(p.shelf, f.games, "") + len(list)
	adds := t.effects
	t.effects = nil
	t.each(list, shake, "")
	t.effects = append(t.effects, adds...)
	lives, after := t.r.IntN(4) == 0, time.Duration(t.r.IntN(4))*time.Millisecond
	t.run = func() (outcome, error) {
		var watch func() string
		if !lives {
			watch = p.stored
		}
		gone := p.watched(t.desk, 0, watch, after, words...)
		if _, err := gone.outcome(); err != nil {
			return unknown, err
		}
		for end := time.Now().Add(testkit.Patience); ; time.Sleep(10 * time.Millisecond) {
			c := p.run(t.desk, 0, "--library", p.address, "import", f.path, "--json")
			out, err := c.outcome()
			if out == refused && time.Now().Before(end) { // the system frees locks a moment after an end
				continue
			}
			if err == nil && !gone.killed {
				told, wrong := counted(c)
				if wrong == nil && told.New != fresh {
					wrong = fmt.Errorf("%d games were deleted, and the import behind that tells %+v, should be %d new", len(list), told, fresh)
				}
				err = wrong
			}
			return out, err
		}
	}
	return nil
}

// known returns the games of a file that are there, each once.
func (f *file) known(s *shelf) (list []*entry) {
	for _, g := range f.games {
		if e := s.games[g.key()]; e != nil && e.in == yes && e.id != 0 && !slices.Contains(list, e) {
			list = append(list, e)
		}
	}
	return list
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
	if c.Unchanged > 0 && fresh > 0 { // whoever has deleted some
		return fmt.Errorf("an import of %d records, of which %d are not there, takes the file for read", records, fresh)
	}
	if c.Unchanged == 0 && (c.Records != records || c.New != fresh || c.Duplicates != records-fresh) {
		return fmt.Errorf("an import of %d records, %d of them new, says %+v", records, fresh, c)
	}
	return nil
}

// counted reads it.
func counted(c *command) (counts, error) {
	list, err := totals[struct {
		Type string
		counts
	}](c)
	if err != nil || len(list) == 0 {
		return counts{}, fmt.Errorf("an import tells nothing: %v %s", err, c)
	}
	return list[len(list)-1].counts, nil
}

// upload imports by a server: what it has accepted is safe, whatever becomes of it.
func (t *task) upload(p *place, f *file) {
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
