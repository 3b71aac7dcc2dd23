package queue

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"qipu/library"
	"qipu/library/ask"
	"qipu/library/knowledge"
	"qipu/pattern/kb"
	"qipu/pattern/relation/syntax"
	"qipu/retrieve"
	"qipu/store"
)

// What a finding becomes that was accepted. Whatever it becomes, it is told with the names
// that it is about: see About.
const (
	AsQuery   = "query"   // a saved query, which finds its games
	AsNote    = "note"    // nothing but a note on these names
	AsPattern = "pattern" // a pattern of the library with a name of its own
	AsShape   = "shape"   // a shape of Go
)

// Kinds returns what findings may become.
func Kinds() []string { return []string{AsQuery, AsNote, AsPattern, AsShape} }

// Entry says what a finding becomes.
type Entry struct {
	As   string // AsQuery where it is empty
	Name string // of the query, or of the pattern that is made; what the finding is about where it is empty

	// Text is the block of a pattern or a shape. Without it a pattern is made of those that
	// the finding is about: it stands where all of them stand at once.
	Text string
}

// ErrEntry tells that a finding cannot become what was asked for.
var ErrEntry = errors.New("it cannot become that")

// Enter makes an entry of a finding that was accepted: with what was found, on what evidence,
// and who accepted it when. It returns the name of the entry.
func Enter(ctx context.Context, lib *library.Library, search *ask.Searcher, id string, e Entry, day string) (string, error) {
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
	e.Name = strings.TrimSpace(e.Name)
	name := ""
	switch e.As {
	case "", AsQuery:
		e.As = AsQuery
		name, err = enterQuery(ctx, search, f, e.Name, day)
	case AsNote:
		if name = strings.Join(f.Names, ", "); name == "" {
			err = fmt.Errorf("%w: it is about nothing that has a name", ErrEntry)
		}
	case AsPattern:
		name, err = enterPattern(ctx, lib.Knowledge(), search, f, e, day)
	case AsShape:
		name, err = enterShape(ctx, lib.Knowledge(), f, e, day)
	default:
		err = fmt.Errorf("%w: %q; findings become one of %s", ErrEntry, e.As, strings.Join(Kinds(), ", "))
	}
	if err != nil {
		return "", err
	}
	return name, Change(ctx, lib, func(q *Queue) error {
		f, err := q.Find(id)
		if err == nil {
			f.Entry, f.As, f.Entered = name, e.As, day
		}
		return err
	})
}

func enterQuery(ctx context.Context, search *ask.Searcher, f *Finding, name, day string) (string, error) {
	if name == "" && (f.As == "" || f.As == AsQuery) {
		name = f.Entry
	}
	if name == "" {
		var err error
		if name, err = free(ctx, search, f); err != nil {
			return "", err
		}
	}
	question := &ask.Question{Text: f.Query, Request: retrieve.Request{Limit: 1, NoContinuations: true}}
	reply, err := search.Ask(ctx, question)
	if err != nil {
		return "", err
	}
	_, err = search.Save(ctx, name, note(f, day), reply)
	return name, err
}

// enterPattern keeps a pattern with the library. One that is made of others, and stands in
// none of the games behind the finding, is not kept.
func enterPattern(ctx context.Context, layers *knowledge.Layers, search *ask.Searcher, f *Finding, e Entry, day string) (string, error) {
	file, made := &syntax.File{}, strings.TrimSpace(e.Text) == ""
	patterns := layers.Patterns()
	if made {
		p, err := joined(patterns, f)
		if err != nil {
			return "", err
		}
		p.Names.En = strings.TrimSpace(strings.NewReplacer("|", " ", "~", " ").Replace(e.Name))
		if p.Names.En == "" {
			p.Names.En = f.Title
		}
		file.Patterns = []*syntax.Pattern{p}
	} else {
		file = syntax.Parse("the text", []byte(e.Text))
		if len(file.Faults) > 0 {
			return "", fmt.Errorf("%w: %w", ErrEntry, file.Faults[0])
		}
		if len(file.Patterns) != 1 {
			return "", fmt.Errorf("%w: the text has %d blocks that begin with pattern, and is to have one", ErrEntry, len(file.Patterns))
		}
	}
	p := file.Patterns[0]
	if patterns.Base.Pattern(p.ID) != nil && p.ID != f.Entry {
		return "", fmt.Errorf("%w: there is a pattern %s already", ErrEntry, p.ID)
	}
	for _, x := range patterns.Lint(file) {
		if x.ID == p.ID && x.Weight == syntax.Fault {
			return "", fmt.Errorf("%w: %s", ErrEntry, x.Text)
		}
	}
	p.Source, p.Note = "accepted finding "+f.ID, strings.TrimSpace(p.Note+" "+note(f, day))
	if err := layers.SavePatterns(ctx, file); err != nil || !made {
		return p.ID, err
	}
	question := &ask.Question{Text: "(" + f.Query + ") and named:" + p.ID, Request: retrieve.Request{Limit: 1, NoContinuations: true}}
	reply, err := search.Ask(ctx, question)
	if err == nil && reply.Games == 0 {
		err = fmt.Errorf("%w: its parts stand at the same time in none of the games behind it; write the pattern yourself", ErrEntry)
	}
	if err != nil {
		if undo := layers.DeletePattern(ctx, p.ID); undo != nil {
			err = errors.Join(err, undo)
		}
		return "", err
	}
	p.Note += fmt.Sprintf(" All of it stands at once in %d games that the query of the finding finds; no piece has a part twice.", reply.Games)
	return p.ID, layers.SavePatterns(ctx, file)
}

// joined returns the pattern that stands where all that a finding is about stands at once.
func joined(patterns *knowledge.Patterns, f *Finding) (*syntax.Pattern, error) {
	if len(f.Names) == 0 || slices.ContainsFunc(f.Sides, func(side int) bool { return side != f.Sides[0] }) {
		return nil, fmt.Errorf("%w: a pattern is of one side, and what this is about is not; write it yourself", ErrEntry)
	}
	var parts []*syntax.Pattern
	for _, name := range f.Names {
		p := patterns.Base.Pattern(name)
		if p == nil {
			return nil, fmt.Errorf("%w: %s is no pattern of pieces; write the pattern yourself", ErrEntry, name)
		}
		parts = append(parts, p)
	}
	if len(parts) == 1 {
		return nil, fmt.Errorf("%w: it is about %s alone, which is a pattern already; make it a note", ErrEntry, parts[0].ID)
	}
	p, err := syntax.Join(strings.Join(f.Names, "-with-"), parts...)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrEntry, err)
	}
	return p, nil
}

// enterShape keeps a shape of Go with the library. It has to be written: a finding about Go
// is about terms, and tells no diagram.
func enterShape(ctx context.Context, layers *knowledge.Layers, f *Finding, e Entry, day string) (string, error) {
	if strings.TrimSpace(e.Text) == "" {
		return "", fmt.Errorf("%w: a shape needs its text, with its diagram", ErrEntry)
	}
	file, err := knowledge.ParseShape("the text", e.Text)
	if err != nil {
		return "", fmt.Errorf("%w: %w", ErrEntry, err)
	}
	x := &file.Entries[0]
	if layers.Shapes().Base.Entry(x.ID) != nil && x.ID != f.Entry {
		return "", fmt.Errorf("%w: there is a shape %s already", ErrEntry, x.ID)
	}
	x.Origin, x.Source, x.Note = kb.User, "accepted finding "+f.ID, strings.TrimSpace(x.Note+" "+note(f, day))
	return x.ID, layers.SaveShapes(ctx, file)
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
	return fmt.Sprintf("%s. Found on %s among the games of %q at %s; false discoveries at a rate of %.2g. Accepted by %s; entered on %s.", f.Sentence, f.Day, f.Among, f.At, f.Q, strings.Join(f.By(), ", "), day)
}

// By returns who has accepted a finding.
func (f *Finding) By() (list []string) {
	for _, v := range f.Verdicts {
		if v.Says == Accept {
			list = append(list, v.Reader)
		}
	}
	return list
}

// About returns the findings that have become entries and are about one of some names.
func (q *Queue) About(game string, names ...string) (list []*Finding) {
	for i := range q.Findings {
		f := &q.Findings[i]
		word, _, _ := strings.Cut(f.Game, " ")
		if f.Entry != "" && word == game && slices.ContainsFunc(f.Names, func(s string) bool { return slices.Contains(names, s) }) {
			list = append(list, f)
		}
	}
	return list
}
