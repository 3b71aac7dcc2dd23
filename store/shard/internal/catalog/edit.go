package catalog

import (
	"context"
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"time"
	"unicode/utf8"

	"qipu/store"
)

// AddPlayerEdit keeps an edit and returns its number. Number and time are given
// here, and it is not undone. Names must be valid UTF-8.
func (t *Tx) AddPlayerEdit(e store.PlayerEdit) (int64, error) {
	if err := t.ready(); err != nil {
		return 0, err
	}
	if e.Op == "" {
		return 0, fmt.Errorf("catalog: an edit needs to say what it does")
	}
	for _, name := range e.Names {
		if !utf8.ValidString(name) { // JSON would change it
			return 0, fmt.Errorf("catalog: the name %q is not valid UTF-8: mend it in the record first", name)
		}
	}
	if e.Names == nil {
		e.Names = []string{}
	}
	names, err := json.Marshal(e.Names)
	if err != nil {
		return 0, fmt.Errorf("catalog: %w", err)
	}
	id := t.next("edit")
	t.does(store.OpNames, len(e.Names), map[string]any{"edit": e.Op, "names": e.Names[:min(len(e.Names), toldNames)], "into": e.Into})
	_, err = t.exec(bg, "INSERT INTO edit (id, op, names, into_name, undone, at) VALUES (?, ?, ?, ?, 0, ?)", id, e.Op, string(names), e.Into, t.now)
	if err == nil {
		t.note(step{Edit: &editStep{ID: id}})
	}
	return id, explain(err)
}

// UndoPlayerEdit marks an edit as undone; it stays in the list.
func (t *Tx) UndoPlayerEdit(id int64) error {
	if err := t.ready(); err != nil {
		return err
	}
	args := map[string]any{}
	if err := t.each(bg, "SELECT op, names, into_name FROM edit WHERE id = ?", func(row []driver.Value) error {
		names, err := namesOf(row[1])
		args["edit"], args["names"], args["into"] = textOf(row[0]), names[:min(len(names), toldNames)], textOf(row[2])
		return err
	}, id); err != nil {
		return explain(err)
	}
	t.does(store.OpUndoNames, 1, args)
	return t.markEdit(id, true)
}

// toldNames is how many names the journal tells of.
const toldNames = 20

// markEdit has an edit count or not.
func (t *Tx) markEdit(id int64, undone bool) error {
	n, err := t.exec(bg, "UPDATE edit SET undone = ? WHERE id = ? AND undone <> ?", flag(undone), id, flag(undone))
	switch {
	case err != nil:
		return explain(err)
	case n > 0:
		t.note(step{Edit: &editStep{ID: id, Undone: undone}})
		return nil
	}
	return t.changeRow("edit", id, "UPDATE edit SET undone = undone WHERE id = ?", id)
}

// PlayerEdits returns all edits in the order in which they were made, those
// that were undone among them.
func (db *DB) PlayerEdits(ctx context.Context) (list []store.PlayerEdit, err error) {
	err = db.read(func(c *conn) error {
		if ok, err := c.has(ctx, "edit"); !ok {
			return err
		}
		return c.each(ctx, "SELECT id, op, names, into_name, undone, at FROM edit ORDER BY id", func(row []driver.Value) error {
			names, err := namesOf(row[2])
			if err != nil {
				return fmt.Errorf("%w: the names of edit %d: %w", store.ErrDamaged, num(row[0]), err)
			}
			list = append(list, store.PlayerEdit{ID: num(row[0]), Op: textOf(row[1]), Names: names, Into: textOf(row[3]), Undone: row[4] == int64(1), At: time.Unix(num(row[5]), 0)})
			return nil
		})
	})
	return list, err
}

func namesOf(v driver.Value) (names []string, err error) {
	err = json.Unmarshal([]byte(textOf(v)), &names)
	return names, err
}
