package players

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"qipu/index"
	"qipu/remedy"
	"qipu/store"
	"qipu/text"
)

// EditOptions say how names of players are to be changed.
type EditOptions struct {
	DryRun bool // tell what would become of the players, and change nothing
	Force  bool // take names that neither the library nor the book of players has
}

// Edited is what an edit has made of the book of players.
type Edited struct {
	Edit          // its ID is 0 of a dry run
	Before, After *Identities
}

// Errors of edits of names.
var (
	ErrNoPlayer    = errors.New("no player is called so")
	ErrOtherPlayer = errors.New("another player is called so")
	ErrSamePlayers = errors.New("nothing changes")
	ErrNoEvent     = errors.New("no event is called so")
	ErrOtherEvent  = errors.New("another event is called so")
	ErrNoEdit      = errors.New("there is no such change of names")
)

// Merge says that several names are one player, who is listed under a
// name. Every name brings along those that are one with it. Records do not
// change, here and below: an edit is kept beside them and can be undone.
func (d *Directory) Merge(ctx context.Context, into string, names []string, o EditOptions) (*Edited, error) {
	return d.edit(ctx, Edit{Op: Merge, Names: names, Into: into}, o)
}

// Split takes names from the players whose they were counted as, and makes
// them one player of their own, listed under a name, or where that is empty under
// the first of them.
func (d *Directory) Split(ctx context.Context, into string, names []string, o EditOptions) (*Edited, error) {
	return d.edit(ctx, Edit{Op: Split, Names: names, Into: into}, o)
}

// Rename lists a player under another name.
func (d *Directory) Rename(ctx context.Context, old, name string, o EditOptions) (*Edited, error) {
	return d.edit(ctx, Edit{Op: Rename, Names: []string{old}, Into: name}, o)
}

// Edits returns what was said about the names of players, the first first.
func (d *Directory) Edits(ctx context.Context) ([]Edit, error) {
	edits, err := d.library.Notes().PlayerEdits(ctx)
	if err != nil {
		return nil, err
	}
	var list []Edit
	for _, e := range edits {
		op, mine := strings.CutPrefix(e.Op, d.of.prefix)
		if mine && (op == Merge || op == Split || op == Rename) { // else it is about something else
			list = append(list, Edit{ID: e.ID, Op: op, Names: e.Names, Into: e.Into, Undone: e.Undone, When: e.At})
		}
	}
	return list, nil
}

// Undo takes back an edit, as if it had never been made; later ones
// stay. It returns the edit.
func (d *Directory) Undo(ctx context.Context, id int64, dryRun bool) (*Edit, error) {
	list, err := d.Edits(ctx)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(list, func(e Edit) bool { return e.ID == id })
	none := func() error {
		return remedy.ForThis(fmt.Errorf("qipu: change %d: %w", id, ErrNoEdit), remedy.ListEdits.With(d.of.name))
	}
	switch {
	case i < 0:
		return nil, none()
	case list[i].Undone:
		return nil, remedy.ForThis(fmt.Errorf("qipu: change %d is undone already", id), remedy.EditAgain.With(d.of.name+" "+list[i].Op))
	case dryRun:
		return &list[i], nil
	}
	err = d.library.Edit(ctx, func(tx store.Tx) error { return tx.UndoPlayerEdit(id) })
	if errors.Is(err, store.ErrNoRow) {
		err = none() // somebody else has changed the catalogue in between
	}
	list[i].Undone = err == nil
	return &list[i], err
}

// edit adds an edit that makes a difference.
func (d *Directory) edit(ctx context.Context, e Edit, o EditOptions) (*Edited, error) {
	list, err := d.Edits(ctx)
	if err != nil {
		return nil, err
	}
	edited := &Edited{Edit: e, Before: d.of.book(list), After: d.of.book(append(slices.Clip(list), e))}
	var roll *Roll
	version, err := d.library.Version(ctx)
	if err == nil {
		err = d.library.View(ctx, func(v index.View) (err error) {
			_, roll, err = d.Known(ctx, v, version)
			return err
		})
	}
	if err != nil {
		return nil, err
	}
	if err := edited.check(d.of, roll.Names(), o.Force); err != nil || o.DryRun {
		return edited, err
	}
	err = d.library.Edit(ctx, func(tx store.Tx) (err error) {
		edited.ID, err = tx.AddPlayerEdit(store.PlayerEdit{Op: d.of.prefix + e.Op, Names: e.Names, Into: e.Into})
		return err
	})
	return edited, err
}

// check refuses an edit that cannot be meant: of names that nobody in the library
// or the book has, which are misspelled most of the time, into a name that is
// somebody else's, or that changes nothing.
func (e *Edited) check(of *subject, library []string, force bool) error {
	keys := make(map[string]bool, len(library))
	for _, name := range library {
		keys[e.Before.Key(name)] = true
	}
	for _, name := range e.Names {
		listed, also := e.Before.Person(name)
		switch {
		case text.Fold(name) == "":
			return fmt.Errorf("qipu: %q is no name: give it a letter", name)
		case force, keys[e.Before.Key(name)], len(also) > 0, listed != strings.Join(strings.Fields(name), " "):
			continue
		}
		if near := text.Nearest(name, slices.Values(library), 3); len(near) > 0 {
			return fmt.Errorf("qipu: %q: %w: is it %s?", name, of.none, strings.Join(near, " or "))
		}
		return remedy.ForThis(fmt.Errorf("qipu: %q: %w", name, of.none), remedy.ListPlayers.With(of.name))
	}
	if err := proper(e.Into); err != nil {
		return err
	}
	key := e.Before.Key(e.Into)
	_, also := e.Before.Person(e.Into)
	if taken := e.Into != "" && (keys[key] || also != nil); taken && e.Op != Merge &&
		!slices.ContainsFunc(e.Names, func(name string) bool { return e.Before.Key(name) == key }) {
		return remedy.ForThis(fmt.Errorf("qipu: %q: %w", e.Into, of.other), remedy.MergeNames.With(of.name))
	}
	if e.same(library) && e.same(e.Names) {
		return fmt.Errorf("qipu: %w: %q is listed as %q already", ErrSamePlayers, e.Names[0], e.Before.Canonical(e.Names[0]))
	}
	return nil
}

// maxListed bounds the name that anybody is listed under, in characters: records have
// what they have, but this one is typed.
const maxListed = 400

// proper refuses a name to list under that is too long, or has characters that cannot be
// seen or turn text around.
func proper(name string) error {
	if n := utf8.RuneCountInString(name); n > maxListed {
		return fmt.Errorf("qipu: the name to list under has %d characters: give it at most %d", n, maxListed)
	}
	for _, r := range name {
		if r == utf8.RuneError || unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
			return fmt.Errorf("qipu: the name to list under has a character that cannot be seen (%U): leave it out", r)
		}
	}
	return nil
}

// same reports whether names are listed alike, and are one with the same others,
// in both books.
func (e *Edited) same(names []string) bool {
	for _, name := range names {
		x, others := e.Before.Person(name)
		y, more := e.After.Person(name)
		slices.Sort(others)
		slices.Sort(more)
		if x != y || !slices.Equal(others, more) {
			return false
		}
	}
	return true
}
