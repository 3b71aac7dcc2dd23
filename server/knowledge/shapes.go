package knowledge

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"qipu/game/weiqi"
	"qipu/library/knowledge"
	"qipu/mine/queue"
	"qipu/pattern/kb"
	"qipu/server/api"
	"qipu/text"
	"qipu/view"
	"qipu/view/shapeview"
)

func (s *room) registerShapes() {
	api.Get(s.Service, api.Kept, "/shapes", "list-shapes", "shapes", "Shapes of the knowledge base", s.shapes)
	api.Get(s.Service, api.Kept, "/shapes/index", "shape-index", "shapes", "What the base of shapes is sorted by", s.shapeIndex)
	api.Get(s.Service, api.Kept.InTurn(), "/shapes/lint", "lint-shapes", "shapes", "What is wrong with the base of shapes", s.lintShapes)
	api.Get(s.Service, api.Fresh, "/shapes/questions", "shape-questions", "shapes", "Tasks: find the good point", s.shapeQuestions)
	api.Register(s.Service, api.Harmless.InTurn(), http.MethodPost, "/shapes/check", "check-shape", "shapes", "Tell how a shape is understood and what is wrong with it; nothing is stored", s.checkShape)
	api.Get(s.Service, api.Kept.InTurn(), "/shapes/{id}", "get-shape", "shapes", "A shape with all that is known of it", s.shape)
	api.Register(s.Service, api.Change.InTurn(), http.MethodPut, "/shapes/{id}", "save-shape", "shapes", "Keep a shape in the library", s.saveShape)
	api.Register(s.Service, api.Change, http.MethodDelete, "/shapes/{id}", "delete-shape", "shapes", "Take a shape out of the library; one of the program that lies below it counts again", s.deleteShape)
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

func (s *room) shapes(_ context.Context, in *shapesInput) (*view.Shapes, error) {
	b := s.Lib.Knowledge().Shapes()
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
	if list, w.Next, err = api.Page(list, in.Cursor, in.Limit); err != nil {
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
			return nil, api.Bad("no-term", "The index of shapes lists the terms.", "no term is called %q", in.Term)
		}
		f.term = m.Term.ID
	}
	var err error
	if f.purpose, err = kb.ParsePurpose(in.Purpose); err != nil {
		return nil, api.Bad("no-purpose", "The index of shapes lists the purposes.", "%s", strings.TrimPrefix(err.Error(), "kb: "))
	}
	return f, nil
}

func (f *shapeFilter) fits(e *kb.Entry) bool {
	return (f.term == "" || slices.Contains(e.Terms, f.term)) && e.Purpose&f.purpose == f.purpose && (f.urgency == 0 || e.Urgency == f.urgency) &&
		(f.origin == "" || e.Origin.String() == f.origin) && f.shapes.Mentions(e, f.words)
}

func (s *room) shapeIndex(context.Context, *struct{}) (*view.ShapeIndex, error) {
	b := s.Lib.Knowledge().Shapes()
	w := &view.ShapeIndex{Total: len(b.Base.Entries), Terms: []view.ShapeTerm{}, Purposes: []view.ShapePurpose{}, Urgencies: make([]int, kb.Urgent), Writable: s.Writes()}
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
	return api.NotFound("List the shapes that there are.", "there is no shape %q", id)
}

func (s *room) shape(ctx context.Context, in *ShapeInput) (*view.ShapeDetail, error) {
	b := s.Lib.Knowledge().Shapes()
	e := b.Base.Entry(in.ID)
	if e == nil {
		return nil, noShape(in.ID)
	}
	w := shapeview.DetailOf(b, e)
	q, err := queue.Read(s.Lib.Records())
	if err != nil {
		return nil, err
	}
	w.Found = shapeview.FindingsOf(q, weiqi.Standard.Info().Name, append([]string{e.ID}, e.Terms...)...)
	for i := range w.Findings {
		w.Findings[i].File = s.ShownFile(w.Findings[i].File)
	}
	if v := w.Shape.Evidence; v != nil {
		return &w, s.findExamples(ctx, v.Examples)
	}
	return &w, nil
}

// findExamples tells which records the library has of those that evidence names by
// their files.
func (s *room) findExamples(ctx context.Context, list []view.ShapeExample) error {
	kind, err := s.Lib.Records().Kind(weiqi.Standard.Info().Name)
	if err != nil {
		return err
	}
	files := make([]string, len(list))
	for i := range list {
		files[i] = list[i].File
	}
	records, err := s.Lib.Search().RecordsOf(ctx, kind, files)
	for i, id := range records {
		list[i].Record = id
	}
	return err
}

// findingOf is FindingOf with a file that whoever asks may see.
func (s *room) findingOf(f *kb.Finding) view.ShapeFinding {
	w := shapeview.FindingOf(f)
	w.File = s.ShownFile(w.File)
	return w
}

// maxFindings bounds how many findings are told.
const maxFindings = 1000

func (s *room) lintShapes(ctx context.Context, _ *struct{}) (*view.ShapeReport, error) {
	began := time.Now()
	b := s.Lib.Knowledge().Shapes()
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
func (s *room) checkShape(ctx context.Context, in *shapeTextInput) (*view.ShapeReport, error) {
	began := time.Now()
	w := &view.ShapeReport{Findings: []view.ShapeFinding{}}
	f, err := knowledge.ParseShape(shapeview.TextName, in.Body.Text)
	if err != nil {
		w.Findings, w.Total = append(w.Findings, shapeview.SyntaxOf(err)), 1
		return w, nil
	}
	b := s.Lib.Knowledge().Shapes()
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

func (s *room) saveShape(ctx context.Context, in *saveShapeInput) (*view.ShapeDetail, error) {
	if !s.Writes() {
		return nil, s.ReadOnly()
	}
	f, err := knowledge.ParseShape(shapeview.TextName, in.Body.Text)
	if err != nil {
		found := shapeview.SyntaxOf(err)
		return nil, api.Bad("shape", "Mend the text, and send it again.", "line %d: %s", found.Line, found.Text)
	}
	if id := f.Entries[0].ID; id != in.ID {
		return nil, api.Bad("other-shape", "Write the id of the address behind the word shape.", "the text is about %q, and the address about %q", id, in.ID)
	}
	if err := s.Lib.Knowledge().SaveShapes(ctx, f); err != nil {
		return nil, err
	}
	return s.shape(ctx, &in.ShapeInput)
}

func (s *room) deleteShape(ctx context.Context, in *ShapeInput) (*api.Nothing, error) {
	if !s.Writes() {
		return nil, s.ReadOnly()
	}
	if s.Lib.Knowledge().Shapes().Base.Entry(in.ID) == nil {
		return nil, noShape(in.ID)
	}
	return nil, s.Lib.Knowledge().DeleteShape(ctx, in.ID)
}

type questionsInput struct {
	Term    string `query:"term" maxLength:"100" doc:"A term by its id, or by a name in any language; empty for all"`
	Purpose string `query:"purpose" maxLength:"40" doc:"A purpose by its word; empty for all"`
	N       int    `query:"n" minimum:"1" maximum:"100" default:"10" doc:"How many"`
	Seed    uint64 `query:"seed" doc:"Makes the choice repeatable; 0 for chance"`
}

func (s *room) shapeQuestions(_ context.Context, in *questionsInput) (*view.ShapeQuestions, error) {
	b := s.Lib.Knowledge().Shapes()
	f, err := newShapeFilter(b, &shapesInput{Term: in.Term, Purpose: in.Purpose})
	if err != nil {
		return nil, err
	}
	seed := in.Seed
	if seed == 0 {
		seed = api.Seed()
	}
	w := &view.ShapeQuestions{Questions: []view.ShapeQuestion{}}
	for _, t := range b.Tasks(f.fits, in.N, seed) {
		w.Questions = append(w.Questions, view.ShapeQuestion{
			Shape: t.Entry.ID, Size: t.Size, Cells: shapeview.Cells(t.Cells), Answer: shapeview.Spots(t.Size, t.Answer), Avoid: t.Entry.Avoids(),
		})
	}
	return w, nil
}
