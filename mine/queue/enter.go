package queue

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"qipu/library"
	"qipu/library/ask"
	"qipu/retrieve"
	"qipu/store"
)

// Enter makes an entry of a finding that was accepted: its query is saved under a name,
// by default its title, with a note of what was found, on what evidence, and who accepted
// it when. It returns the name.
func Enter(ctx context.Context, lib *library.Library, search *ask.Searcher, id, name, day string) (string, error) {
	q, err := Read(lib)
	if err != nil {
		return "", err
	}
	f, err := q.Find(id)
	switch {
	case err != nil:
		return "", err
	case f.State() != Accepted:
		return "", fmt.Errorf("%w: %s is %s", ErrNotYet, f.ID, f.State())
	}
	if name = strings.TrimSpace(name); name == "" {
		if name = f.Entry; name == "" {
			name, err = free(ctx, search, f)
		}
	}
	if err != nil {
		return "", err
	}
	question := &ask.Question{Text: f.Query, Request: retrieve.Request{Limit: 1, NoContinuations: true}}
	reply, err := search.Ask(ctx, question)
	if err != nil {
		return "", err
	}
	if _, err := search.Save(ctx, name, note(f, day), reply); err != nil {
		return "", err
	}
	return name, Change(ctx, lib, func(q *Queue) error {
		f, err := q.Find(id)
		if err == nil {
			f.Entry, f.Entered = name, day
		}
		return err
	})
}

// free returns a name for an entry that no other query has.
func free(ctx context.Context, search *ask.Searcher, f *Finding) (string, error) {
	name := f.Title
	if r := []rune(name); len(r) > 150 {
		name = string(r[:149]) + "…"
	}
	switch old, err := search.SavedQuery(ctx, name); {
	case errors.Is(err, store.ErrNoRow):
	case err != nil:
		return "", err
	case old.Query != f.Query:
		name += " " + f.ID
	}
	return name, nil
}

// note tells what an entry rests on.
func note(f *Finding, day string) string {
	var yes []string
	for _, v := range f.Verdicts {
		if v.Says == Accept {
			yes = append(yes, v.Reader)
		}
	}
	return fmt.Sprintf("%s. Found on %s among the games of %q at %s; false discoveries at a rate of %.2g. Accepted by %s; entered on %s.", f.Sentence, f.Day, f.Among, f.At, f.Q, strings.Join(yes, ", "), day)
}
