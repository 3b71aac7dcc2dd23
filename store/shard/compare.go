package shard

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/zeebo/xxh3"

	"qipu/index"
	"qipu/interval"
	"qipu/record"
	"qipu/record/facts"
	"qipu/remedy"
	"qipu/segment"
	"qipu/store"
)

// lineAt is where a line of a game lies.
type lineAt struct {
	part *part
	line int
}

// compare makes the document of every game again and compares it with the row
// of the catalogue and with the lines of the tables. It goes on past records that
// cannot be read, and ends with an *UnreadableError for them.
func (s *Shard) compare(ctx context.Context, all *roaring.Bitmap, progress store.Progress, report func(store.Problem)) error {
	st, err := s.current(ctx)
	if err != nil {
		return err
	}
	defer st.release()
	main := make(map[uint32]lineAt, all.GetCardinality())
	variations := map[uint32][]lineAt{}
	comments := map[uint32]uint64{} // their sums
	err = segment.Guard(func() error {
		for _, p := range st.parts {
			err := p.Remarks.Each(func(line uint32, folded []byte) error {
				if int(line) < p.Lines && !p.isDead(line) {
					comments[p.Columns.Game(int(line))] = xxh3.Hash(folded)
				}
				return nil
			})
			if err != nil {
				return err
			}
			for line := range p.Lines {
				if p.isDead(uint32(line)) {
					continue
				}
				if id := p.Columns.Game(line); p.Variations {
					variations[id] = append(variations[id], lineAt{p, line})
				} else {
					main[id] = lineAt{p, line}
				}
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	wrong := func(id uint32, reason string, what remedy.Code) {
		name := strconv.Itoa(int(id))
		report(store.Problem{What: "game", Name: name, Reason: reason, Remedy: what.With(name)})
	}
	var bad store.UnreadableError
	done := 0
	for ids := range slices.Chunk(all.ToArray(), 1024) {
		progress(done, int(all.GetCardinality()))
		done += len(ids)
		rows, err := s.rows(ctx, ids)
		if err != nil {
			return err
		}
		err = s.eachDocument(ctx, ids, func(doc *index.Document) error {
			if doc == nil {
				return nil // its row says so, or is reported below
			}
			if row := rows[doc.Game]; row != nil {
				row.seen = true
				if list := row.differences(doc); len(list) > 0 {
					wrong(doc.Game, "has another "+strings.Join(list, ", ")+" in the catalogue than in its record", remedy.Replace)
				}
			}
			at, ok := main[doc.Game]
			if !ok {
				return nil // reported already
			}
			reason := ""
			err := segment.Guard(func() (err error) {
				if reason, err = at.compare(doc, &doc.Lines[0]); err == nil && reason == "" {
					reason, err = compareVariations(doc, variations[doc.Game])
				}
				return err
			})
			if sum, ok := comments[doc.Game]; reason == "" && (ok != (doc.Comment != "") || ok && sum != xxh3.HashString(doc.Comment)) {
				reason = "has other comments in the table than in its record"
			}
			if err == nil && reason != "" {
				wrong(doc.Game, reason, remedy.Reindex)
			}
			return err
		})
		if some, ok := errors.AsType[*store.UnreadableError](err); ok {
			for _, id := range some.Games {
				bad.Add(id, some.Reason)
			}
		} else if err != nil {
			return err
		}
		for _, id := range ids {
			if row := rows[id]; row != nil && !row.seen {
				wrong(id, "has a board in the catalogue, but none by its record", remedy.Replace)
			}
		}
	}
	if len(bad.Games) > 0 {
		return &bad
	}
	return nil
}

// entryRow is what the catalogue says of a game, beside the headers of its record.
type entryRow struct {
	store.Game
	record facts.Facts
	seen   bool
}

// rows reads rows of the catalogue. Games that were deleted meanwhile, and those
// whose records cannot be read, are left out: others report them.
func (s *Shard) rows(ctx context.Context, ids []uint32) (map[uint32]*entryRow, error) {
	games, err := s.cat.Games(ctx, ids)
	if err != nil {
		return nil, err
	}
	layers, err := s.layers(ctx, ids)
	if err != nil {
		return nil, err
	}
	rows := make(map[uint32]*entryRow, len(ids))
	for i := range games {
		rows[games[i].ID] = &entryRow{Game: games[i]}
	}
	for text, err := range s.cat.Texts(ctx, ids) {
		var g *record.Game
		if err == nil {
			if g, err = record.DecodeGame(text.Record); err != nil {
				delete(rows, text.ID)
				continue
			}
		}
		if errors.Is(err, store.ErrDamaged) && text.ID != 0 {
			delete(rows, text.ID)
			continue
		}
		if err != nil {
			return nil, err
		}
		store.Lay(&g.Facts, layers[text.ID])
		rows[text.ID].record = g.Facts
	}
	return rows, nil
}

// differences names the columns that are not what the record gives.
func (r *entryRow) differences(doc *index.Document) (list []string) {
	for _, c := range []struct {
		name string
		same bool
	}{
		{"kind", r.Kind == doc.Kind.Name},
		{"key", r.Key == doc.Key},
		{"head", r.Head == doc.Head},
		{fmt.Sprintf("length (%d plies, not %d)", r.Plies, doc.Plies), r.Plies == doc.Plies},
		{"header", store.Storable(r.Facts) == store.Storable(r.record)},
	} {
		if !c.same {
			list = append(list, c.name)
		}
	}
	return list
}

// compare tells what is wrong with a line of a table, or nothing.
func (at lineAt) compare(doc *index.Document, want *interval.Line) (string, error) {
	block, lane := at.part.Locate(at.line)
	b, err := at.part.Block(block)
	if err != nil {
		return "", err
	}
	switch {
	case at.part.Kind != doc.Kind:
		return "is in a table of another kind of game", nil
	case want != nil && !equalLines(b.Line(lane), *want):
		return "differs from its record in the table", nil
	case at.part.Columns.Facts(at.line) != doc.Facts:
		return "has other headers in the table than in its record", nil
	}
	return "", nil
}

// compareVariations compares the variations of a game, in whatever order.
func compareVariations(doc *index.Document, places []lineAt) (string, error) {
	if have, want := len(places), len(doc.Lines)-1; have != want {
		return fmt.Sprintf("has %d variations in the tables, and %d in its record", have, want), nil
	}
	var have, want []uint64
	for i, at := range places {
		if reason, err := at.compare(doc, nil); err != nil || reason != "" {
			return reason, err
		}
		block, lane := at.part.Locate(at.line)
		b, err := at.part.Block(block)
		if err != nil {
			return "", err
		}
		have, want = append(have, sumLine(b.Line(lane))), append(want, sumLine(doc.Lines[i+1]))
	}
	slices.Sort(have)
	slices.Sort(want)
	if !slices.Equal(have, want) {
		return "has other variations in the table than in its record", nil
	}
	return "", nil
}

// byPoint orders the changes of a line, which are in no order within a slot.
func byPoint(x, y interval.Change) int {
	if x.Slot != y.Slot {
		return int(x.Slot) - int(y.Slot)
	}
	return int(x.Point) - int(y.Point)
}

// equalLines compares a line of a table with one of a document.
func equalLines(a, b interval.Line) bool {
	b.Changes = slices.Clone(b.Changes)
	slices.SortFunc(b.Changes, byPoint)
	return a.End == b.End && a.From == b.From && slices.Equal(a.Skips, b.Skips) && slices.Equal(a.Moves, b.Moves) && slices.Equal(a.Changes, b.Changes)
}

// sumLine returns a hash of all that equalLines compares.
func sumLine(l interval.Line) uint64 {
	changes := slices.Clone(l.Changes)
	slices.SortFunc(changes, byPoint)
	buf := make([]byte, 0, 16+2*len(l.Skips)+2*len(l.Moves)+5*len(changes))
	for _, n := range []int{int(l.End), int(l.From), len(l.Skips), len(l.Moves)} {
		buf = binary.LittleEndian.AppendUint32(buf, uint32(n))
	}
	for _, list := range [][]uint16{l.Skips, l.Moves} {
		for _, x := range list {
			buf = binary.LittleEndian.AppendUint16(buf, x)
		}
	}
	for _, c := range changes {
		buf = binary.LittleEndian.AppendUint16(buf, c.Slot)
		buf = binary.LittleEndian.AppendUint16(buf, c.Point)
		buf = append(buf, byte(c.Piece))
	}
	return xxh3.Hash(buf)
}
