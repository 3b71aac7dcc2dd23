package drill

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"qipu/engine/endgame"
	"qipu/game"
)

// Keeper keeps files: a library does.
type Keeper interface {
	Kept(name string) ([]byte, error)
	Keep(ctx context.Context, name string, change func(old []byte) ([]byte, error)) error
}

// Desk has the exercises of a library and what its people answered. It is safe for
// concurrent use, by several processes, too: what is kept is read each time.
type Desk struct {
	keep   Keeper
	tables *endgame.Tables

	mu   sync.Mutex
	base map[string][]Exercise // from tables, by game
}

// NewDesk returns the desk of a library.
func NewDesk(k Keeper, t *endgame.Tables) *Desk {
	return &Desk{keep: k, tables: t, base: map[string][]Exercise{}}
}

// Set is a set of exercises that somebody has made for others.
type Set struct {
	ID        string    `json:"id"`
	Name      string    `json:"name"`
	Query     string    `json:"query"` // whose games it was cut from
	Owner     string    `json:"owner"` // the person who made it
	Made      time.Time `json:"made"`
	Exercises int       `json:"exercises"`
	Class     []string  `json:"class"` // who lets the owner see how they do
}

// Bounds of what is kept.
const (
	maxSets    = 500
	maxOf      = 2000    // exercises of a set
	maxAnswers = 100_000 // of a person; the oldest go
	maxName    = 200
)

// The errors of sets.
var (
	ErrNoSet = errors.New("drill: there is no such set")
	ErrFull  = errors.New("drill: there are too many sets: remove some")
	ErrName  = fmt.Errorf("drill: the name of a set has 1 to %d bytes", maxName)
)

const setsFile = "drills.json"

func setFile(id string) string         { return "drill-" + id + ".jsonl" }
func answersFile(person string) string { return "drill-" + person + ".answers" }

// Answers returns what a person has answered, in the order of time.
func (d *Desk) Answers(person string) ([]Answer, error) {
	data, err := d.keep.Kept(answersFile(person))
	return parseAnswers(data), err
}

func parseAnswers(data []byte) (list []Answer) {
	for line := range bytes.Lines(data) {
		var a Answer
		if json.Unmarshal(line, &a) == nil && a.Exercise != "" { // one that was cut off harms no other
			list = append(list, a)
		}
	}
	return inOrder(list)
}

// Answer adds answers, of any device and however late: each counts once.
func (d *Desk) Answer(ctx context.Context, person string, more []Answer) error {
	return d.keep.Keep(ctx, answersFile(person), func(old []byte) ([]byte, error) {
		list := inOrder(append(parseAnswers(old), more...))
		list = list[max(0, len(list)-maxAnswers):]
		return lineByLine(list)
	})
}

func lineByLine[T any](list []T) ([]byte, error) {
	var b bytes.Buffer
	for _, x := range list {
		line, err := json.Marshal(x)
		if err != nil {
			return nil, err
		}
		b.Write(append(line, '\n'))
	}
	return b.Bytes(), nil
}

// Sets returns the sets of the library, the latest first.
func (d *Desk) Sets() (list []Set, err error) {
	data, err := d.keep.Kept(setsFile)
	if err == nil && data != nil {
		if err = json.Unmarshal(data, &list); err != nil {
			err = fmt.Errorf("drill: %s cannot be read: %w", setsFile, err)
		}
	}
	slices.SortStableFunc(list, func(a, b Set) int { return b.Made.Compare(a.Made) })
	return list, err
}

// Set returns a set.
func (d *Desk) Set(id string) (Set, error) {
	list, err := d.Sets()
	i := slices.IndexFunc(list, func(s Set) bool { return s.ID == id })
	if err != nil || i < 0 {
		return Set{}, cmp.Or(err, ErrNoSet)
	}
	return list[i], nil
}

// Exercises returns those of a set.
func (d *Desk) Exercises(id string) (list []Exercise, err error) {
	if _, err := d.Set(id); err != nil {
		return nil, err
	}
	data, err := d.keep.Kept(setFile(id))
	for line := range bytes.Lines(data) {
		var e Exercise
		if json.Unmarshal(line, &e) == nil && e.ID != "" {
			list = append(list, e)
		}
	}
	return list, err
}

// change changes the list of sets.
func (d *Desk) change(ctx context.Context, f func(list []Set) ([]Set, error)) error {
	return d.keep.Keep(ctx, setsFile, func(old []byte) ([]byte, error) {
		var list []Set
		if old != nil {
			if err := json.Unmarshal(old, &list); err != nil {
				return nil, fmt.Errorf("drill: %s cannot be read: %w", setsFile, err)
			}
		}
		list, err := f(list)
		if err != nil {
			return nil, err
		}
		return json.MarshalIndent(list, "", " ")
	})
}

// Make keeps a set. One of the same person and name is taken the place of.
func (d *Desk) Make(ctx context.Context, s Set, list []Exercise) (Set, error) {
	if s.Name = strings.TrimSpace(s.Name); s.Name == "" || len(s.Name) > maxName {
		return s, ErrName
	}
	list = list[:min(len(list), maxOf)]
	s.ID, s.Exercises, s.Class = idOf(s.Owner+" "+s.Name), len(list), []string{}
	err := d.keep.Keep(ctx, setFile(s.ID), func([]byte) ([]byte, error) { return lineByLine(list) })
	if err != nil {
		return s, err
	}
	return s, d.change(ctx, func(all []Set) ([]Set, error) {
		if i := slices.IndexFunc(all, func(x Set) bool { return x.ID == s.ID }); i >= 0 {
			s.Class = all[i].Class
			all[i] = s
			return all, nil
		}
		if len(all) >= maxSets {
			return nil, ErrFull
		}
		return append(all, s), nil
	})
}

// Drop removes a set. Answers to it stay with those who gave them.
func (d *Desk) Drop(ctx context.Context, id string) error {
	err := d.change(ctx, func(all []Set) ([]Set, error) {
		i := slices.IndexFunc(all, func(x Set) bool { return x.ID == id })
		if i < 0 {
			return nil, ErrNoSet
		}
		return slices.Delete(all, i, i+1), nil
	})
	if err != nil {
		return err
	}
	return d.keep.Keep(ctx, setFile(id), func([]byte) ([]byte, error) { return nil, nil })
}

// Consent has a person let the owner of a set see how he does, or no more.
func (d *Desk) Consent(ctx context.Context, id, person string, yes bool) error {
	return d.change(ctx, func(all []Set) ([]Set, error) {
		i := slices.IndexFunc(all, func(x Set) bool { return x.ID == id })
		if i < 0 {
			return nil, ErrNoSet
		}
		s := &all[i]
		s.Class = slices.DeleteFunc(s.Class, func(p string) bool { return p == person })
		if yes {
			s.Class = append(s.Class, person)
		}
		return all, nil
	})
}

// base is how many exercises are taken from the tables of a game.
const baseOf = 240

// Endings returns exercises that are taken from tables of endings: positions by chance in
// which one move is right. They are the same each time.
func (d *Desk) Endings(r game.Rules) ([]Exercise, error) {
	m, ok := r.(game.Manned)
	if !ok || d.tables == nil {
		return nil, nil
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	name := r.Info().Name
	if list, ok := d.base[name]; ok {
		return list, nil
	}
	list, err := FromTables(d.tables, m, baseOf, 1)
	if err == nil {
		d.base[name] = list
	}
	return list, err
}
