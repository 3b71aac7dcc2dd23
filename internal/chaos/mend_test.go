package chaos

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// entered is a line of the journal, as far as it is looked at here.
type entered struct {
	Type         string
	ID, UndoneBy int
	Op           string
}

// journal returns the latest entries of the journal of a library, the newest first.
func (t *task) journal() ([]entered, error) {
	c := t.p.run(t.desk, 0, "--library", t.p.address, "log", "--limit", "8", "--json")
	if c.code != 0 && c.code != 1 {
		return nil, fmt.Errorf("%s", c)
	}
	list, err := totals[entered](c)
	return slices.DeleteFunc(list, func(e entered) bool { return e.Type != "change" }), err
}

// mends changes something and takes it back, and perhaps does that again, and takes it back
// again: by undos that are killed or not, until it is known what has become of each. It ends
// as if nothing had been, or as if the change alone had been made. Corrections of headers are
// taken back in the end.
func (t *task) mends() error {
	p, r := t.p, t.r
	list, words, ids := t.some(6)
	if len(list) == 0 {
		return nil
	}
	var change []string
	var check func() error
	finds := func(query string, want []int) error {
		c := p.run(t.desk, 0, "--library", p.address, "find", query, "--json", "--limit", "0")
		if _, err := c.outcome(1); err != nil {
			return err
		}
		lines, err := totals[found](c)
		if err != nil {
			return err
		}
		var got []int
		for _, f := range lines {
			if f.Type == "hit" {
				got = append(got, f.Record.ID)
			}
		}
		slices.Sort(want)
		return same(query, got, want)
	}
	var effects []effect
	edits := false
	switch kind := r.IntN(4); {
	case kind == 0:
		change = append([]string{"delete", "--yes"}, words...)
		for _, e := range list {
			effects = append(effects, effect{p.shelf, e.game, drop, ""})
		}
	case kind == 1:
		name := tags[r.IntN(len(tags))]
		words = nil
		for _, e := range list {
			if e.tags[name] == no {
				words = append(words, strconv.Itoa(e.id))
				effects = append(effects, effect{p.shelf, e.game, tag, name})
			}
		}
		if len(words) == 0 {
			return nil
		}
		change = append([]string{"tags", "add", name}, words...)
	case kind == 2 && !p.remote:
		edits = true
		event := fmt.Sprintf("Corrected %d", t.number)
		change = append([]string{"edit", "--set", "event=" + event}, words...)
		check = func() error { return finds(fmt.Sprintf("event:%q", event), ids) }
	default:
		path := filepath.Join(t.w.dir, "mend"+strconv.Itoa(t.number)+".sgf")
		var text strings.Builder
		for i, first := 0, r.IntN(universe); i < 1+r.IntN(8); i++ {
			g := makeGame((first + i) % universe)
			if p.shelf.games[g.key()] == nil && p.shelf.gone[g.key()] == nil { // what comes back out of the trash is another thing
				text.WriteString(g.sgf())
				effects = append(effects, effect{p.shelf, g, add, ""})
			}
		}
		if len(effects) == 0 {
			return nil
		}
		if err := os.WriteFile(path, []byte(text.String()), 0o666); err != nil {
			return err
		}
		change = []string{"import", path}
	}
	t.effects = effects
	t.run = func() (outcome, error) {
		before, err := t.journal()
		if err != nil {
			return unknown, err
		}
		if c := p.run(t.desk, 0, append([]string{"--library", p.address}, change...)...); c.code != 0 {
			return unknown, fmt.Errorf("%s", c)
		}
		now, err := t.journal()
		if err != nil {
			return unknown, err
		}
		if len(now) == 0 || len(before) > 0 && now[0].ID == before[0].ID {
			return unknown, fmt.Errorf("%v is not in the journal", change)
		}
		at, times := now[0].ID, 1+r.IntN(3)
		if edits {
			times = 2 * (times / 2) // and one more in the end
		}
		for i := 0; ; i++ {
			if check != nil && i%2 == 0 {
				if err := check(); err != nil {
					return unknown, err
				}
			}
			if i == times && !edits || i > times {
				break
			}
			if at, err = t.undone(at); err != nil {
				return unknown, err
			}
		}
		if edits || times%2 == 1 {
			return refused, nil // as if nothing had been
		}
		return done, nil
	}
	return nil
}

// undone undoes an entry of the journal, by a command that is killed or not, until it is
// certain, and returns the entry that this is.
func (t *task) undone(id int) (int, error) {
	for try := 0; ; try++ {
		killed := t.kill
		if try > 0 {
			killed = 0
		}
		c := t.p.run(t.desk, killed, "--library", t.p.address, "undo", strconv.Itoa(id))
		if _, err := c.outcome(); err != nil && !strings.Contains(c.err, "undone already") {
			return 0, err
		}
		list, err := t.journal()
		if err != nil {
			return 0, err
		}
		at := slices.IndexFunc(list, func(e entered) bool { return e.ID == id })
		switch {
		case at < 0:
			return 0, fmt.Errorf("change %d is not in the journal any more: %+v", id, list)
		case list[at].UndoneBy != 0:
			return list[at].UndoneBy, nil
		case !c.killed:
			return 0, fmt.Errorf("change %d was undone, and the journal does not know: %+v", id, list)
		}
	}
}

// person is a line about a profile.
type person struct{ Type, Name, Role string }

// people makes a profile, changes its role, and takes it away again, by commands that are
// killed or not: after each it is as it was or as it was to be, and in the end it is gone.
func (t *task) people() error {
	p, name := t.p, fmt.Sprintf("Person %d", t.number)
	roles := []string{"guest", "member", "editor", "owner"}
	first, second := roles[t.r.IntN(len(roles))], roles[t.r.IntN(len(roles))]
	role := func() (string, error) { // "" where there is no such profile
		c := p.run(t.desk, 0, "--library", p.address, "people", "list", "--json")
		if _, err := c.outcome(1); err != nil {
			return "", err
		}
		list, err := totals[person](c)
		has := ""
		for _, x := range list {
			if x.Type == "person" && x.Name == name {
				if has != "" {
					return "", fmt.Errorf("%s is there twice", name)
				}
				has = x.Role
			}
		}
		return has, err
	}
	t.run = func() (outcome, error) {
		was := ""
		for _, s := range []struct {
			args []string
			now  string
		}{
			{[]string{"people", "add", name, "--role", first}, first},
			{[]string{"people", "role", name, second}, second},
			{[]string{"people", "remove", name, "--yes"}, ""},
		} {
			for killed := t.kill; ; killed = 0 {
				c := p.run(t.desk, killed, append([]string{"--library", p.address}, s.args...)...)
				if _, err := c.outcome(); err != nil {
					return unknown, err
				}
				has, err := role()
				if err != nil {
					return unknown, err
				}
				if has == s.now {
					break
				}
				if has != was || !c.killed {
					return unknown, fmt.Errorf("%v: the role is %q, was %q, and should be %q", s.args, has, was, s.now)
				}
			}
			was = s.now
		}
		return done, nil
	}
	return nil
}
