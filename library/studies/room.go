// Package studies is what people write on the records of a library: sheets, of which
// everybody has one of his own above each record, and the library one that its editors
// share. A record itself stays as it is.
//
// A sheet is opened, looked at and written on by the rules of the game: whoever plays a
// move says which, and the room finds out what that means where it is played.
package studies

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"qipu/game"
	"qipu/library"
	"qipu/record"
	"qipu/record/study"
	"qipu/store"
	"qipu/store/sheets"
)

// Room is the sheets of one library. It is safe for concurrent use, also by several
// processes.
type Room struct {
	db      *sheets.DB
	library *library.Library
	games   game.Catalog

	mu   sync.Mutex
	open []*Page // those that were used last, the latest first
}

// self is the device of all that is written with everything before it in sight.
const self = "qipu"

// keepOpen is how many sheets stay in memory.
const keepOpen = 32

// Open returns the sheets of a library.
func Open(l *library.Library, games game.Catalog) *Room {
	return &Room{db: sheets.Open(l.Dir()), library: l, games: games}
}

// Close closes the room.
func (r *Room) Close() error { return r.db.Close() }

// Key names a sheet: whose, above which record. The library's has no owner.
type Key struct {
	Record uint32
	Owner  string
}

// Page is a sheet while it is looked at.
type Page struct {
	Key
	Sheet sheets.Sheet // without an id where nobody has written on it
	Log   *study.Log
	Rules game.Rules  // nil where nobody knows them
	Meta  *store.Game // of the record; nil where that is gone

	entries []sheets.Entry
	lock    sync.Mutex
}

// Revision is how many operations there are.
func (p *Page) Revision() int { return len(p.entries) }

// Entries returns the operations in the order in which they came.
func (p *Page) Entries() []sheets.Entry { return p.entries }

// Stale reports whether the record is another one now than that which was written on.
func (p *Page) Stale(g *record.Game) bool {
	return !slices.EqualFunc(g.Nodes, p.Log.Base().Nodes, func(x, y record.Node) bool { return x.Parent == y.Parent && x.Move == y.Move })
}

// View shows a sheet, as it is now, to a function. The page is not to be used afterwards.
func (r *Room) View(ctx context.Context, key Key, look func(*Page) error) error {
	p, err := r.page(ctx, key)
	if err != nil {
		return err
	}
	p.lock.Lock()
	defer p.lock.Unlock()
	if err := r.refresh(ctx, p); err != nil {
		return err
	}
	return look(p)
}

// page returns a sheet, which may be one that nobody has written on.
func (r *Room) page(ctx context.Context, key Key) (*Page, error) {
	g, meta, err := r.library.Record(ctx, key.Record)
	gone := errors.Is(err, store.ErrNoGame)
	if err != nil && !gone {
		return nil, err
	}
	sheet, none := r.db.Above(ctx, key.Record, key.Owner)
	switch {
	case none != nil && !errors.Is(none, sheets.ErrNone):
		return nil, none
	case none != nil && gone:
		return nil, err // no record, and nothing above it
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if i := slices.IndexFunc(r.open, func(p *Page) bool { return p.Key == key && p.Sheet.ID == sheet.ID }); i >= 0 && sheet.ID != "" {
		p := r.open[i]
		r.open = slices.Insert(slices.Delete(r.open, i, i+1), 0, p)
		p.lock.Lock()
		p.Meta, p.Sheet = meta, sheet
		p.lock.Unlock()
		return p, nil
	}
	if sheet.ID != "" {
		if g, err = record.DecodeGame(sheet.Base); err != nil {
			return nil, fmt.Errorf("studies: %s is damaged: %w", sheets.FileName, err)
		}
	}
	if len(g.Nodes) == 0 {
		g.Nodes = []record.Node{{}}
	}
	p := &Page{Key: key, Sheet: sheet, Log: study.NewLog(g), Meta: meta}
	if rules, err := record.NewReferee(r.games).Rules(g); err == nil {
		p.Rules = rules
	}
	if sheet.ID != "" {
		r.open = slices.Insert(r.open, 0, p)
		r.open = r.open[:min(len(r.open), keepOpen)]
	}
	return p, nil
}

// refresh takes in what others have written.
func (r *Room) refresh(ctx context.Context, p *Page) error {
	if p.Sheet.ID == "" {
		return nil
	}
	list, err := r.db.Ops(ctx, p.Sheet.ID, len(p.entries))
	for _, e := range list {
		p.Log.Put(e.Op)
	}
	p.entries = append(p.entries, list...)
	return err
}

// Revision returns how much was written on a sheet, without opening it.
func (r *Room) Revision(ctx context.Context, key Key) (int, error) {
	s, err := r.db.Above(ctx, key.Record, key.Owner)
	if errors.Is(err, sheets.ErrNone) {
		return 0, nil
	}
	return s.Ops, err
}

// Sharing returns who may read a sheet. That of the library everybody may.
func (r *Room) Sharing(ctx context.Context, key Key) (sheets.Sharing, error) {
	if key.Owner == "" {
		return sheets.Public, nil
	}
	s, err := r.db.Above(ctx, key.Record, key.Owner)
	if errors.Is(err, sheets.ErrNone) {
		return sheets.Private, nil
	}
	return s.Sharing, err
}

// List returns all sheets on which something is written.
func (r *Room) List(ctx context.Context) ([]sheets.Sheet, error) { return r.db.Written(ctx) }

// Share says who may read a sheet, besides its owner.
func (r *Room) Share(ctx context.Context, key Key, sharing sheets.Sharing) error {
	s, err := r.add(ctx, key)
	if err != nil {
		return err
	}
	return r.db.SetSharing(ctx, s.ID, sharing)
}

// Remove takes a sheet away as a whole. It comes back when somebody writes on it.
func (r *Room) Remove(ctx context.Context, key Key) error {
	s, err := r.db.Above(ctx, key.Record, key.Owner)
	if err != nil {
		return err
	}
	return r.db.Remove(ctx, s.ID)
}

// add returns a sheet, made if need be.
func (r *Room) add(ctx context.Context, key Key) (sheets.Sheet, error) {
	s, err := r.db.Above(ctx, key.Record, key.Owner)
	if !errors.Is(err, sheets.ErrNone) {
		return s, err
	}
	g, _, err := r.library.Record(ctx, key.Record)
	if err != nil {
		return s, err
	}
	if len(g.Nodes) == 0 {
		g.Nodes = []record.Node{{}}
	}
	return r.db.Add(ctx, sheets.Sheet{Record: key.Record, Owner: key.Owner, Base: record.AppendGame(nil, g)})
}

// Writer is who writes, and what he has seen.
type Writer struct {
	By   string // the profile; empty for the owner of the library
	Page string // where: a name that no other open page has; empty for somebody who has seen all
	Seen int    // the revision that is shown there

	// Sent is a name for what is written, under which it is written once however often it
	// is sent; empty where it is not sent again.
	Sent string

	// Parse reads a move; nil for the notations of the game.
	Parse func(game.Position, string) (game.Move, error)
}

// Edit is one change that somebody makes.
type Edit struct {
	Do     string // one of Deeds
	Node   study.ID
	Text   string // a move, a comment, a glyph, the text of a label or a colour
	Sign   string // one of study.Signs
	Points string // of a sign
}

// Deeds are what an Edit can do.
var Deeds = []string{"play", "comment", "glyph", "sign", "unsign", "delete", "restore", "promote", "main", "undo", "redo"}

// Limits of what is written at once.
const (
	MaxEdits   = 200
	MaxComment = 64 << 10
)

// ErrNothing tells that there is nothing to undo, or to do again.
var ErrNothing = errors.New("studies: there is nothing of yours to take back")

// ErrNoNode tells that a node is not there.
var ErrNoNode = errors.New("studies: there is no such move")

// Write makes changes: all, or none where one of them cannot be. It returns when they are
// on the disk, with the node that was changed last, and shows the sheet as it is then.
func (r *Room) Write(ctx context.Context, key Key, w Writer, edits []Edit, look func(p *Page, last study.ID) error) error {
	var last study.ID
	err := r.change(ctx, key, w, func(p *Page, pen *study.Pen) error {
		last = study.Root
		for i := range edits {
			var err error
			if last, err = r.edit(p, pen, &edits[i], &w); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return r.View(ctx, key, func(p *Page) error { return look(p, last) })
}

// Import writes all that a record of the same game says onto a sheet, and returns how
// many nodes were added.
func (r *Room) Import(ctx context.Context, key Key, w Writer, g *record.Game) (added int, err error) {
	err = r.change(ctx, key, w, func(p *Page, pen *study.Pen) error {
		base := p.Log.Base()
		if g.Kind != base.Kind || p.Rules == nil {
			return fmt.Errorf("%w: the record is one of %s, and the file of %s", study.ErrBad, cmp.Or(base.Kind, "an unknown game"), cmp.Or(g.Kind, "an unknown game"))
		}
		from := g
		if g.Notation != base.Notation {
			rules, err := record.NewReferee(r.games).Rules(g)
			if err == nil {
				from, err = record.Translate(rules, g, game.Notation(base.Notation), false)
			}
			if err != nil {
				return fmt.Errorf("%w: %w", study.ErrBad, err)
			}
		}
		if g.Format != base.Format { // properties of one format mean nothing in another
			from = plain(from)
		}
		added, err = pen.Copy(from, time.Now().UTC().Truncate(time.Second))
		return err
	})
	return added, err
}

// plain returns a record with its moves, comments, set-ups and signs alone.
func plain(g *record.Game) *record.Game {
	out := *g
	out.Nodes = slices.Clone(g.Nodes)
	for i := range out.Nodes {
		if x := out.Nodes[i].Extra; x != nil && len(x.Props) > 0 {
			y := *x
			y.Props = slices.DeleteFunc(slices.Clone(x.Props), func(p record.Prop) bool {
				for _, name := range study.Signs {
					if p.Name == name {
						return false
					}
				}
				return true
			})
			out.Nodes[i].Extra = &y
		}
	}
	return &out
}

// change runs a function with a pen on a sheet, and keeps what it has written. Where
// somebody else was quicker, it runs once more on what is there then.
func (r *Room) change(ctx context.Context, key Key, w Writer, write func(*Page, *study.Pen) error) error {
	s, err := r.add(ctx, key)
	if err != nil {
		return err
	}
	if w.Sent != "" {
		if there, err := r.db.Arrived(ctx, s.ID, w.Sent); there || err != nil {
			return err
		}
	}
	for try := 0; ; try++ {
		err := r.tryChange(ctx, key, w, write)
		if !errors.Is(err, sheets.ErrMoved) || try == 20 || ctx.Err() != nil {
			return err
		}
	}
}

func (r *Room) tryChange(ctx context.Context, key Key, w Writer, write func(*Page, *study.Pen) error) error {
	p, err := r.page(ctx, key)
	if err != nil {
		return err
	}
	p.lock.Lock()
	defer p.lock.Unlock()
	if err := r.refresh(ctx, p); err != nil {
		return err
	}
	known := len(p.entries)
	// What is written with all before it in sight is the library's own; who has not seen
	// all is a device by himself.
	pen := p.Log.Pen(self, w.By)
	if w.Page != "" && w.Seen < known {
		seen := study.Seen{}
		for _, e := range p.entries[:max(w.Seen, 0)] {
			seen[e.ID.Device] = e.ID.Seq
		}
		pen = p.Log.Pen(w.Page, w.By).Knows(seen)
	}
	err = write(p, pen)
	if err == nil {
		for _, o := range pen.Wrote {
			if err = o.Check(); err != nil {
				break
			}
		}
	}
	if err == nil && p.Log.Len() > study.MaxOps {
		err = study.ErrFull
	}
	if err == nil && len(pen.Wrote) > 0 {
		err = r.db.Append(ctx, p.Sheet.ID, known, w.Sent, pen.Wrote)
	}
	if err != nil {
		r.forget(p) // it has what nobody wrote
		return err
	}
	for i, o := range pen.Wrote {
		p.entries = append(p.entries, sheets.Entry{N: known + i + 1, Op: o})
	}
	return nil
}

// forget has a sheet read anew.
func (r *Room) forget(p *Page) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.open = slices.DeleteFunc(r.open, func(x *Page) bool { return x == p })
}

// edit writes one change, and returns the node that it is about.
func (r *Room) edit(p *Page, pen *study.Pen, e *Edit, w *Writer) (study.ID, error) {
	now := time.Now().UTC().Truncate(time.Second)
	switch e.Do {
	case "undo", "redo":
		find, value := p.Log.Undo, "1"
		if e.Do == "redo" {
			find, value = p.Log.Redo, ""
		}
		act, ok := find(w.By)
		if !ok {
			return act, ErrNothing
		}
		pen.Set(act, study.Off, value, now)
		o := p.Log.Op(act)
		if _, shown := p.Log.Tree().Find(act); o.Key == "" && shown {
			return act, nil
		}
		return o.Node, nil
	}
	tree := p.Log.Tree()
	at, shown := tree.Find(e.Node)
	if !shown && e.Do != "restore" {
		return e.Node, fmt.Errorf("%w: %s", ErrNoNode, e.Node)
	}
	set := func(key study.Key, value string) (study.ID, error) {
		pen.Set(e.Node, key, value, now)
		return e.Node, nil
	}
	switch e.Do {
	case "play":
		return r.play(p, pen, tree, at, e, w)
	case "comment":
		if len(e.Text) > MaxComment {
			return e.Node, fmt.Errorf("%w: a comment has at most %d bytes", study.ErrBad, MaxComment)
		}
		return set(study.Comment, strings.ToValidUTF8(e.Text, "\ufffd"))
	case "glyph":
		return set(study.Glyph, e.Text)
	case "sign", "unsign":
		if err := p.onBoard(e.Points); err != nil {
			return e.Node, err
		}
		value := e.Text
		if e.Do == "unsign" {
			value = ""
		} else if value == "" {
			value = "1"
			if e.Sign == "arrow" || e.Sign == "region" {
				value = study.Colours[0]
			}
		}
		return set(study.Sign(e.Sign, e.Points), value)
	case "delete":
		if at == 0 {
			return e.Node, fmt.Errorf("%w: the start of a game cannot be deleted", study.ErrBad)
		}
		pen.Set(e.Node, study.Gone, "1", now)
		return tree.Nodes[tree.Nodes[at].Parent].ID, nil
	case "restore":
		return set(study.Gone, "")
	case "promote", "main":
		for { // to the front of the main line each branching on the way is turned
			if rank, ok := tree.Rise(at, e.Do == "main"); ok {
				pen.Set(tree.Nodes[at].ID, study.Rank, rank, now)
				if e.Do == "promote" {
					break
				}
			}
			if at = tree.Nodes[at].Parent; at == 0 {
				break
			}
		}
		return e.Node, nil
	}
	return e.Node, fmt.Errorf("%w: nothing is called %q: want one of %s", study.ErrBad, e.Do, strings.Join(Deeds, " "))
}

// onBoard refuses points that the board has not.
func (p *Page) onBoard(points string) error {
	a, b, ok := study.ParsePoints(points)
	if p.Rules != nil && ok {
		size := p.Rules.Geometry().Size
		ok = size.Has(a) && size.Has(b)
	}
	if !ok {
		return fmt.Errorf("%w: %q is not on the board", study.ErrBad, points)
	}
	return nil
}

// play writes a move where it is legal. One that is there already is found.
func (r *Room) play(p *Page, pen *study.Pen, tree *study.Tree, at int32, e *Edit, w *Writer) (study.ID, error) {
	if p.Rules == nil {
		return e.Node, fmt.Errorf("%w: the record is of a game that the program does not know", study.ErrBad)
	}
	parse := w.Parse
	if parse == nil {
		parse = func(pos game.Position, s string) (game.Move, error) {
			return p.Rules.ParseMove(pos, s, game.AnyNotation)
		}
	}
	g := tree.Game()
	move, text, side, there := game.NoMove, "", record.Unstated, int32(0)
	refused := fmt.Errorf("%w: no board stands there", study.ErrBad)
	_, err := record.Walk(p.Rules, g, game.Notation(g.Notation), func(v *record.Visit) bool {
		if v.Node == at && !v.Lost {
			side = record.Side(v.Position.Turn()) + record.First
			if move, refused = parse(v.Position, e.Text); refused == nil {
				text = cmp.Or(string(p.Rules.AppendMove(nil, v.Position, move, game.Notation(g.Notation))), "pass")
				if refused = v.Position.Play(move); refused == nil {
					v.Position.Undo()
				}
			}
			if refused != nil {
				refused = fmt.Errorf("%s: %w", e.Text, refused)
			}
			return refused == nil
		}
		if step, ok := v.Moved(); ok && v.Node != 0 && g.Nodes[v.Node].Parent == at && step.Move == move {
			there = v.Node
		}
		return there == 0
	})
	switch {
	case err != nil:
		return e.Node, fmt.Errorf("%w: %w", study.ErrBad, err)
	case refused != nil:
		return e.Node, refused
	case there != 0:
		return tree.Nodes[there].ID, nil
	}
	return pen.Add(e.Node, side, text, time.Now().UTC().Truncate(time.Second)), nil
}

// FormatFor returns the format in which a sheet is written: by its name, by that of a
// file, or else that of the record, where it can be written, or the first that keeps all.
func FormatFor(formats []record.Format, g *record.Game, name, file string) (record.Format, error) {
	if name == "" {
		name = strings.ToLower(strings.TrimPrefix(filepath.Ext(file), "."))
	}
	list := record.Writers(formats, g)
	var names []string
	for _, f := range list {
		if name == "" || f.Info().Name == name || slices.Contains(f.Info().Extensions, name) {
			return f, nil
		}
		names = append(names, f.Info().Name)
	}
	return nil, fmt.Errorf("no format that can hold the game is called %q: there are %s", name, strings.Join(names, ", "))
}
