// Package studyview makes the answers about what people write on records.
package studyview

import (
	"context"
	"strings"
	"time"

	"qipu/board"
	"qipu/game"
	"qipu/index"
	"qipu/library/profiles"
	"qipu/library/studies"
	"qipu/record"
	"qipu/record/study"
	"qipu/store"
	"qipu/store/sheets"
	"qipu/view/answerview"
	"qipu/view/recordview"
)

// sharings are the words for who may read a sheet.
var sharings = []string{"private", "members", "public"}

// SharingOf returns the word.
func SharingOf(s sheets.Sharing) string { return sharings[s] }

// ParseSharing reads it; ok is false for another one.
func ParseSharing(word string) (s sheets.Sharing, ok bool) {
	for i, w := range sharings {
		if w == word {
			return sheets.Sharing(i), true
		}
	}
	return 0, false
}

// Names are what profiles are called, by id.
type Names map[string]string

// NamesOf returns those of a library.
func NamesOf(ctx context.Context, room *profiles.Room) (Names, error) {
	list, err := room.List(ctx)
	names := Names{}
	for _, p := range list {
		names[p.ID] = p.Name
	}
	return names, err
}

// SheetOf returns a sheet with its tree of moves in a notation. Who may read is not told
// here.
func SheetOf(p *studies.Page, kinds *index.Kinds, formats []record.Format, n game.Notation, names Names, who string, last study.ID) *StudySheet {
	tree := p.Log.Tree()
	g := tree.Game()
	meta := p.Meta
	if meta == nil { // the record has been deleted, and what was written stays
		meta = &store.Game{ID: p.Record, Kind: g.Kind, Plies: g.Moves(), Facts: g.Facts}
		if p.Rules != nil {
			meta.Kind = kinds.Of(p.Rules).Name
		}
	}
	v := recordview.Unfold(g, p.Rules, n, recordview.NoNode)
	w := &StudySheet{
		Record: *answerview.FullOf(kinds, g, meta, v, formats), Nodes: make([]string, len(v.Nodes)), Written: []StudyWritten{}, Conflicts: []StudyConflict{},
		Of: p.Owner, Sharing: SharingOf(p.Sheet.Sharing), Revision: p.Revision(), Last: -1, Gone: p.Meta == nil,
	}
	if p.Owner == "" {
		w.Sharing = SharingOf(sheets.Public)
	}
	shown := map[study.ID]int{}
	for i := range tree.Nodes {
		at := v.At(int32(i))
		if i > 0 && at == 0 {
			continue // beyond what is sent
		}
		id := tree.Nodes[i].ID
		w.Nodes[at], shown[id] = id.String(), at
		if id == last {
			w.Last = at
		}
	}
	touched := map[study.ID]*study.Op{}
	for _, e := range p.Entries() {
		switch {
		case !p.Log.Counts(e.Op):
		case e.Key == "":
			touched[e.ID] = e.Op
		case e.Key != study.Off:
			touched[e.Node] = e.Op
		}
	}
	for i := range tree.Nodes {
		n := &tree.Nodes[i]
		if at, ok := shown[n.ID]; ok && touched[n.ID] != nil {
			o := touched[n.ID]
			w.Written = append(w.Written, StudyWritten{Node: at, Added: n.Added != nil, By: names[o.By], At: o.At})
		}
	}
	for _, c := range tree.Conflicts {
		at, ok := shown[c.Node]
		if !ok {
			continue
		}
		x := StudyConflict{Node: at, Key: string(c.Key)}
		for _, o := range c.Values {
			x.Values = append(x.Values, StudyValue{Value: o.Value, By: names[o.By], At: o.At})
		}
		w.Conflicts = append(w.Conflicts, x)
	}
	_, w.Undo = p.Log.Undo(who)
	_, w.Redo = p.Log.Redo(who)
	return w
}

// RowOf returns a sheet for a list.
func RowOf(s *sheets.Sheet, names Names) StudyRow {
	row := StudyRow{Record: s.Record, Of: s.Owner, Name: names[s.Owner], Sharing: SharingOf(s.Sharing), Changes: s.Ops, Changed: s.Changed.UTC().Truncate(time.Second)}
	if s.Owner == "" {
		row.Sharing = SharingOf(sheets.Public)
	}
	if g, err := record.DecodeGame(s.Base); err == nil {
		row.Title = recordview.TitleOf(g)
	}
	return row
}

// EntriesOf returns the log of a sheet.
func EntriesOf(p *studies.Page, names Names) []StudyEntry {
	list := make([]StudyEntry, 0, p.Revision())
	for _, e := range p.Entries() {
		node := e.Node
		if e.Key == "" {
			node = e.ID
		}
		list = append(list, StudyEntry{Number: e.N, Node: node.String(), Key: string(e.Key), Value: e.Value, By: names[e.By], At: e.At})
	}
	return list
}

// Points returns the points of a sign as a sheet has them, from their names on the board.
func Points(g *board.Geometry, text string) (string, bool) {
	var list []string
	for _, name := range strings.Split(text, ":") {
		p, ok := g.Point(strings.TrimSpace(name))
		if !ok {
			return "", false
		}
		list = append(list, study.PointText(p))
	}
	return strings.Join(list, ":"), len(list) <= 2
}
