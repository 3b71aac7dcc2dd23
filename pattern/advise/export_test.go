package advise

import (
	"fmt"
	"qipu/pattern/kb"
	"slices"
	"strings"
)

// walk calls f with the questions of the tree.
func (e *Expr) walk(f func(*Expr)) {
	if e.Op > Not {
		f(e)
	}
	for _, arg := range e.Args {
		arg.walk(f)
	}
}

// String returns the conditions as a file.
func (c *Conditions) String() string {
	var b strings.Builder
	for i := range c.Rules {
		b.WriteString(c.Rules[i].String() + "\n")
	}
	return b.String()
}

// Check tells which names and cells of the rules a base does not have. A base
// may well lack a shape that a rule is about; the shipped one should not.
func (c *Conditions) Check(base *kb.Base) (faults []*kb.Error) {
	for i := range c.Rules {
		r := &c.Rules[i]
		fault := func(format string, args ...any) {
			faults = append(faults, &kb.Error{File: r.File, Line: r.Line, Reason: fmt.Sprintf(format, args...)})
		}
		for _, s := range slices.Concat(r.About, r.Except) {
			if s.Kind == term && base.Term(s.Name) == nil || s.Kind == shape && base.Entry(s.Name) == nil {
				fault("the base has no %s %q: correct the name or leave it out", s.Kind, s.Name)
			}
		}
		for j := range base.Entries {
			e := &base.Entries[j]
			if !r.Covers(e) {
				continue
			}
			r.Expr.walk(func(q *Expr) {
				if q.Row > e.Size.H || q.Column > e.Size.W {
					fault("shape %q of %v has no cell (%d,%d): name the shapes that have", e.ID, e.Size, q.Row, q.Column)
				}
			})
		}
	}
	return faults
}
