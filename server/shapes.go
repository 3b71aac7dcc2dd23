package server

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/RoaringBitmap/roaring/v2"

	"qipu/game/weiqi"
	"qipu/library/knowledge"
	"qipu/pattern/kb"
	"qipu/query"
	"qipu/retrieve"
	"qipu/text"
	"qipu/view"
	"qipu/view/shapeview"
)

func (s *Server) registerShapes() {
	get(s, kept, "/shapes", "list-shapes", "shapes", "Shapes of the knowledge base", s.shapes)
	get(s, kept, "/shapes/index", "shape-index", "shapes", "What the base of shapes is sorted by", s.shapeIndex)
	get(s, kept, "/shapes/lint", "lint-shapes", "shapes", "What is wrong with the base of shapes", s.lintShapes)
	get(s, fresh, "/shapes/questions", "shape-questions", "shapes", "Tasks: find the good point", s.shapeQuestions)
	register(s, harmless, http.MethodPost, "/shapes/check", "check-shape", "shapes", "Tell how a shape is understood and what is wrong with it; nothing is stored", s.checkShape)
	get(s, kept, "/shapes/{id}", "get-shape", "shapes", "A shape with all that is known of it", s.shape)
	register(s, change, http.MethodPut, "/shapes/{id}", "save-shape", "shapes", "Keep a shape in the library", s.saveShape)
	register(s, change, http.MethodDelete, "/shapes/{id}", "delete-shape", "shapes", "Take a shape out of the library; one of the program that lies below it counts again", s.deleteShape)
}

type shapesInput struct {
	Term    string `query:"term" maxLength:"100" doc:"A term by its id, or by a name in any language"`
	Purpose string `query:"purpose" maxLength:"40" doc:"A purpose by its word"`
	Urgency int    `query:"urgency" minimum:"0" maximum:"4" doc:"4 urgent to 1 special cases; 0 for all"`
	Origin  string `query:"origin" enum:"hand,paper,mined,user," doc:"Where they come from; empty for anywhere"`
	Text    string `query:"q" maxLength:"200" doc:"Words in names, other names, terms or notes"`
	Order   string `query:"order" enum:"base,urgency,seen,rate,name" default:"base" doc:"By their main terms, by urgency, by how often records have them, by how often they were played, or by name"`
	Limit   int    `query:"limit" minimum:"1" maximum:"500" default:"60" doc:"Shapes a page"`
	Cursor  string `query:"cursor" maxLength:"40" doc:"Of the page: next of the answer before"`
}

func (s *Server) shapes(_ context.Context, in *shapesInput) (*view.Shapes, error) {
	b := s.lib.Knowledge().Shapes()
	f, err := newShapeFilter(b, in)
	if err != nil {
		return nil, err
	}
	var list []*kb.Entry
	for _, e := range b.Sorted(in.Order) {
		if f.fits(e) {
			list = append(list, e)
		}
	}
	w := &view.Shapes{Shapes: []view.Shape{}, Total: len(list)}
	if list, w.Next, err = pageOf(list, in.Cursor, in.Limit); err != nil {
		return nil, err
	}
	for _, e := range list {
		w.Shapes = append(w.Shapes, shapeview.ShapeOf(b, e))
	}
	return w, nil
}

// shapeFilter chooses shapes.
type shapeFilter struct {
	shapes  *knowledge.Shapes
	term    string
	purpose kb.Purpose
	urgency kb.Urgency
	origin  string
	words   []string // folded
}

func newShapeFilter(b *knowledge.Shapes, in *shapesInput) (*shapeFilter, error) {
	f := &shapeFilter{shapes: b, urgency: kb.Urgency(in.Urgency), origin: in.Origin, words: strings.Fields(text.Fold(in.Text))}
	if in.Term != "" {
		m := b.Base.Find(in.Term)
		if m == nil || m.Term == nil {
			return nil, bad("no-term", "The index of shapes lists the terms.", "no term is called %q", in.Term)
		}
		f.term = m.Term.ID
	}
	var err error
	if f.purpose, err = kb.ParsePurpose(in.Purpose); err != nil {
		return nil, bad("no-purpose", "The index of shapes lists the purposes.", "%s", strings.TrimPrefix(err.Error(), "kb: "))
	}
	return f, nil
}

func (f *shapeFilter) fits(e *kb.Entry) bool {
	return (f.term == "" || slices.Contains(e.Terms, f.term)) && e.Purpose&f.purpose == f.purpose && (f.urgency == 0 || e.Urgency == f.urgency) &&
		(f.origin == "" || e.Origin.String() == f.origin) && f.shapes.Mentions(e, f.words)
}

func (s *Server) shapeIndex(context.Context, *struct{}) (*view.ShapeIndex, error) {
	b := s.lib.Knowledge().Shapes()
	w := &view.ShapeIndex{Total: len(b.Base.Entries), Terms: []view.ShapeTerm{}, Purposes: []view.ShapePurpose{}, Urgencies: make([]int, kb.Urgent), Writable: s.jobs != nil}
	terms := map[string]int{}
	for i := range b.Base.Entries {
		e := &b.Base.Entries[i]
		for _, id := range e.Terms {
			terms[id]++
		}
		w.Urgencies[e.Urgency-1]++
		if e.Origin == kb.Mined {
			w.Mined++
		}
		if b.Layer(e.ID) == knowledge.LibraryLayer {
			w.Own++
		}
	}
	for i := range b.Base.Terms {
		t := &b.Base.Terms[i]
		form := "move"
		if t.Form == kb.Stones {
			form = "shape"
		}
		w.Terms = append(w.Terms, view.ShapeTerm{
			ID: t.ID, Names: t.Names, Aliases: append([]string{}, t.Aliases...), Purposes: shapeview.Purposes(t.Purpose), Form: form, Note: t.Note, Shapes: terms[t.ID],
		})
	}
	for _, p := range kb.Purposes() {
		n := 0
		for i := range b.Base.Entries {
			if b.Base.Entries[i].Purpose&p != 0 {
				n++
			}
		}
		w.Purposes = append(w.Purposes, view.ShapePurpose{Word: p.String(), Names: p.Names(), Shapes: n})
	}
	return w, nil
}

// ShapeInput names a shape.
type ShapeInput struct {
	ID string `path:"id" minLength:"1" maxLength:"80" doc:"Of the shape"`
}

func noShape(id string) error {
	return notFound("List the shapes that there are.", "there is no shape %q", id)
}

func (s *Server) shape(ctx context.Context, in *ShapeInput) (*view.ShapeDetail, error) {
	b := s.lib.Knowledge().Shapes()
	e := b.Base.Entry(in.ID)
	if e == nil {
		return nil, noShape(in.ID)
	}
	leave, err := s.enter(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	w := shapeview.DetailOf(b, e)
	for i := range w.Findings {
		w.Findings[i].File = s.shownFile(w.Findings[i].File)
	}
	if v := w.Shape.Evidence; v != nil {
		err = s.findExamples(ctx, v.Examples)
	}
	return &w, err
}

// findExamples tells which records the library has of those that evidence names by
// their files. The folder that holds all of these may be called otherwise here.
func (s *Server) findExamples(ctx context.Context, list []view.ShapeExample) error {
	kind, err := s.lib.Kind(weiqi.Standard.Info().Name)
	if err != nil || len(list) == 0 {
		return err
	}
	const most = 100 // a name that many have tells nothing
	below := make([]string, len(list))
	var any query.Or
	for i := range list {
		below[i] = list[i].File
		if _, rest, ok := strings.Cut(below[i], "/"); ok {
			below[i] = rest
		}
		any = append(any, query.Field{Name: "file", Value: below[i]})
	}
	found := roaring.New()
	if _, err := s.lib.Search().Find(ctx, &retrieve.Request{Kind: kind, Query: any, Into: found, Limit: 1, NoContinuations: true}); err != nil || found.GetCardinality() > most {
		return err
	}
	games, err := s.lib.Records().Games(ctx, found.ToArray())
	if err != nil {
		return err
	}
	slashes := strings.NewReplacer("!", "/", `\`, "/") // of archives, and of Windows
	for i := range list {
		for j := range games {
			if !strings.HasSuffix("/"+slashes.Replace(games[j].Source.File), "/"+below[i]) {
				continue
			}
			if list[i].Record != 0 { // one of several: nobody knows which
				list[i].Record = 0
				break
			}
			list[i].Record = games[j].ID
		}
	}
	return nil
}

// findingOf is FindingOf with a file that whoever asks may see.
func (s *Server) findingOf(f *kb.Finding) view.ShapeFinding {
	w := shapeview.FindingOf(f)
	w.File = s.shownFile(w.File)
	return w
}

// maxFindings bounds how many findings are told.
const maxFindings = 1000

func (s *Server) lintShapes(ctx context.Context, _ *struct{}) (*view.ShapeReport, error) {
	leave, err := s.enter(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	began := time.Now()
	b := s.lib.Knowledge().Shapes()
	list := b.Lint()
	w := &view.ShapeReport{Findings: []view.ShapeFinding{}, Total: len(list), Shapes: len(b.Base.Entries)}
	for i := range list[:min(len(list), maxFindings)] {
		w.Findings = append(w.Findings, s.findingOf(&list[i]))
	}
	w.Millis = int(time.Since(began).Milliseconds())
	return w, nil
}

type shapeTextInput struct{ Body view.ShapeText }

// checkShape tells how a text is understood. One that cannot be read is no mistake
// of the request: it is still being written.
func (s *Server) checkShape(ctx context.Context, in *shapeTextInput) (*view.ShapeReport, error) {
	leave, err := s.enter(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	began := time.Now()
	w := &view.ShapeReport{Findings: []view.ShapeFinding{}}
	f, err := knowledge.ParseShape(shapeview.TextName, in.Body.Text)
	if err != nil {
		w.Findings, w.Total = append(w.Findings, shapeview.SyntaxOf(err)), 1
		return w, nil
	}
	b := s.lib.Knowledge().Shapes()
	laid := b.With(f)
	e := laid.Entry(f.Entries[0].ID)
	shape := shapeview.ShapeOf(b, e)
	w.Shape, w.Shapes = &shape, len(laid.Entries)
	for _, found := range laid.Lint(kb.LintOptions{Only: []string{e.ID}}) {
		if found.ID != "" || found.File == shapeview.TextName {
			w.Findings = append(w.Findings, s.findingOf(&found))
		}
	}
	w.Total = len(w.Findings)
	w.Millis = int(time.Since(began).Milliseconds())
	return w, nil
}

type saveShapeInput struct {
	ShapeInput
	Body view.ShapeText
}

func (s *Server) saveShape(ctx context.Context, in *saveShapeInput) (*view.ShapeDetail, error) {
	if s.jobs == nil {
		return nil, s.readOnly()
	}
	f, err := knowledge.ParseShape(shapeview.TextName, in.Body.Text)
	if err != nil {
		found := shapeview.SyntaxOf(err)
		return nil, bad("shape", "Mend the text, and send it again.", "line %d: %s", found.Line, found.Text)
	}
	if id := f.Entries[0].ID; id != in.ID {
		return nil, bad("other-shape", "Write the id of the address behind the word shape.", "the text is about %q, and the address about %q", id, in.ID)
	}
	if err := s.lib.Knowledge().SaveShapes(ctx, f); err != nil {
		return nil, err
	}
	return s.shape(ctx, &in.ShapeInput)
}

func (s *Server) deleteShape(ctx context.Context, in *ShapeInput) (*nothing, error) {
	if s.jobs == nil {
		return nil, s.readOnly()
	}
	if s.lib.Knowledge().Shapes().Base.Entry(in.ID) == nil {
		return nil, noShape(in.ID)
	}
	return nil, s.lib.Knowledge().DeleteShape(ctx, in.ID)
}

type questionsInput struct {
	Term    string `query:"term" maxLength:"100" doc:"A term by its id, or by a name in any language; empty for all"`
	Purpose string `query:"purpose" maxLength:"40" doc:"A purpose by its word; empty for all"`
	N       int    `query:"n" minimum:"1" maximum:"100" default:"10" doc:"How many"`
	Seed    uint64 `query:"seed" doc:"Makes the choice repeatable; 0 for chance"`
}

func (s *Server) shapeQuestions(_ context.Context, in *questionsInput) (*view.ShapeQuestions, error) {
	b := s.lib.Knowledge().Shapes()
	f, err := newShapeFilter(b, &shapesInput{Term: in.Term, Purpose: in.Purpose})
	if err != nil {
		return nil, err
	}
	seed := in.Seed
	if seed == 0 {
		seed = chance()
	}
	w := &view.ShapeQuestions{Questions: []view.ShapeQuestion{}}
	for _, t := range b.Tasks(f.fits, in.N, seed) {
		w.Questions = append(w.Questions, view.ShapeQuestion{
			Shape: t.Entry.ID, Size: t.Size, Cells: shapeview.Cells(t.Cells), Answer: shapeview.Spots(t.Size, t.Answer), Avoid: t.Entry.Avoids(),
		})
	}
	return w, nil
}
