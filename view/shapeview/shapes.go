package shapeview

import (
	"cmp"
	"errors"
	"strings"

	"qipu/board"
	"qipu/library/knowledge"
	"qipu/pattern"
	"qipu/pattern/kb"
	"qipu/query"
	"qipu/view"
)

// ShapeOf returns an entry of the base as clients get it.
func ShapeOf(b *knowledge.Shapes, e *kb.Entry) view.Shape {
	w := view.Shape{
		ID: e.ID, Names: b.Base.Title(e), Aliases: append([]string{}, e.Aliases...), Terms: append([]string{}, e.Terms...),
		Purposes: Purposes(e.Purpose), Urgency: int(e.Urgency), Avoid: e.Avoids(), Size: e.Size, Cells: Cells(e.Cells),
		Ours: Spots(e.Size, e.Ours), Theirs: Spots(e.Size, e.Theirs), Pictures: e.Orientations(), Overrides: append([]string{}, e.Overrides...),
		Origin: e.Origin.String(), Source: e.Source, Note: e.Note, Layer: string(cmp.Or(b.Layer(e.ID), knowledge.LibraryLayer)),
	}
	if e.Place != [2]uint8{} {
		w.Place = string([]byte{'0' + e.Place[0], '0' + e.Place[1]})
	}
	if v, stale := b.Evidence(e); v != nil {
		w.Evidence = &view.ShapeEvidence{Seen: v.Seen, Ours: v.Ours, Theirs: v.Theirs, Rate: view.Rounded(v.Rate(e)), Stale: stale, Examples: []view.ShapeExample{}}
		for _, x := range v.Examples {
			w.Evidence.Examples = append(w.Evidence.Examples, view.ShapeExample{File: x.File, Ply: x.Ply, Title: x.Title})
		}
	}
	return w
}

// DetailOf returns a shape with all that is known of it, as clients get it.
func DetailOf(b *knowledge.Shapes, e *kb.Entry) view.ShapeDetail {
	w := view.ShapeDetail{Shape: ShapeOf(b, e), Text: b.Text(e), Query: QueryOf(e), Checks: []view.ShapeCheck{}, Findings: []view.ShapeFinding{}, Found: []view.NameFinding{}}
	if paper, err := e.AppendPaper(nil); err == nil { // else the form cannot hold it
		w.Paper = string(paper)
	}
	for _, c := range b.Checks(e.ID) {
		w.Checks = append(w.Checks, view.ShapeCheck{Match: c.Match, Size: c.Size, Cells: Cells(c.Cells), Spots: Spots(c.Size, c.Spots)})
	}
	for _, f := range b.LintOf(e.ID) {
		w.Findings = append(w.Findings, FindingOf(&f))
	}
	return w
}

// QueryOf returns what finds a shape in records.
func QueryOf(e *kb.Entry) string { return query.Named{Name: e.ID}.String() }

// FindingOf returns what lint found as clients get it.
func FindingOf(f *kb.Finding) view.ShapeFinding {
	return view.ShapeFinding{Kind: string(f.Kind), Weight: string(f.Weight), ID: f.ID, Other: f.Other, File: f.File, Line: f.Line, Text: f.Text}
}

// SyntaxOf returns what is wrong with a text of a shape.
func SyntaxOf(err error) view.ShapeFinding {
	w := view.ShapeFinding{Kind: string(kb.Syntax), Weight: string(kb.Fault), File: TextName, Line: 1, Text: strings.TrimPrefix(err.Error(), "qipu: ")}
	if e, ok := errors.AsType[*kb.Error](err); ok {
		w.Line, w.Text = e.Line, e.Reason
	}
	return w
}

// TextName stands for the file in messages about a text that was sent.
const TextName = "text"

// Purposes returns the words of purposes.
func Purposes(p kb.Purpose) []string {
	list := []string{}
	for _, one := range p.Each() {
		list = append(list, one.String())
	}
	return list
}

// Cells returns cells as clients get them: 1 empty, 2 own, 4 enemy, 8 outside.
func Cells(list []pattern.Set) []int {
	out := make([]int, len(list))
	for i, set := range list {
		out[i] = int(set & kb.OnBoard)
		if set&pattern.Off != 0 {
			out[i] |= 8
		}
	}
	return out
}

// Spots returns points of a diagram as indices of its cells.
func Spots(size board.Size, list []kb.Spot) []int {
	out := make([]int, len(list))
	for i, s := range list {
		out[i] = int(s.Y)*size.W + int(s.X)
	}
	return out
}
