package index

import (
	"math"
	"strings"

	"qipu/board"
	"qipu/game"
	"qipu/interval"
	"qipu/query"
	"qipu/record"
	"qipu/record/facts"
	"qipu/text"
)

// Document is what an index keeps of one record.
type Document struct {
	Game uint32 // its number in the catalogue
	Kind *Kind
	Facts

	// Lines are the main line and, behind it, the others.
	Lines []interval.Line

	// Found are the positions and windows of each line, where they were worked
	// out ahead; nil otherwise.
	Found []Found

	// Key is a hash of the moves that is the same for all pictures of the game,
	// Head that of its first HeadPlies moves; 0 where it has fewer. Prefixes
	// are the hashes of its beginnings: Prefixes[n] after n plies.
	Key, Head uint64
	Prefixes  []uint64

	// Comment is all comments of the record, those of variations too: each as
	// package text folds it, parted by newlines, which no folded text has. It is
	// "" for most records.
	Comment string

	// Cut tells that the record is longer than a line may be.
	Cut bool
}

// Found is what can be found of a line by hashes and by its windows.
type Found struct {
	Positions []Position
	Windows   []uint16
	Corners   []uint64
}

// HeadPlies is how long the beginning is that Document.Head stands for.
const HeadPlies = 40

// Facts are what an index keeps of a game beside its moves: what statistics
// need and what games are chosen by. Facts can be compared.
type Facts struct {
	Result  Result
	Day     int32     // first day it may have been played on, as an ordinal; 0 unknown
	LastDay int32     // last day
	Ratings [2]uint16 // by side; 0 unknown
	Ranks   [2]int8   // facts.Rank.Strength + 100; 0 unknown

	Plies     int   // of the main line
	Komi      int32 // in half points
	KomiKnown bool
	Handicap  int32 // 0 unknown
	Margin    int32 // in quarters of a point; 0 unknown

	// Texts are the columns of texts, as the record has them; "" unknown.
	Texts [query.TextColumns]string
}

// Detach copies the texts, so that they do not keep the memory of a file that
// they were read from.
func (f *Facts) Detach() {
	all := strings.Join(f.Texts[:], "")
	for i, s := range f.Texts {
		f.Texts[i], all = all[:len(s)], all[len(s):]
	}
}

// Result is how a game ended.
type Result uint8

// The results.
const (
	Unknown   Result = iota
	FirstWon         // the side that moved first
	SecondWon        //
	Draw             //
	NoResult         // ended without one
)

var resultNames = [...]string{"unknown", "first", "second", "draw", "none"}

// String returns a word for the result.
func (r Result) String() string { return resultNames[r] }

// bounded returns a number of a header, or the nearest that a column takes.
func bounded(n int) int32 { return int32(min(max(n, -maxNumber), maxNumber)) }

const maxNumber = 1 << 20

// FactsOf returns what an index keeps of a record's headers. Its length, format
// and file are known to Documents.Make alone.
func FactsOf(f *facts.Facts) Facts {
	var x Facts
	switch f.Result.Verdict {
	case facts.FirstWon:
		x.Result = FirstWon
	case facts.SecondWon:
		x.Result = SecondWon
	case facts.Drawn:
		x.Result = Draw
	case facts.Void, facts.BothLost, facts.Unfinished:
		x.Result = NoResult
	}
	if first, last, ok := f.Date.Bounds(); ok {
		x.Day, x.LastDay = int32(first), int32(last)
	}
	for i, p := range f.Players {
		x.Ratings[i] = uint16(min(max(p.Rating, 0), 1<<16-1))
		if s, ok := p.Rank.Strength(); ok {
			x.Ranks[i] = int8(min(max(s+100, 1), 127))
		}
	}
	if f.Komi.Known {
		x.Komi, x.KomiKnown = bounded(f.Komi.Half), true
	}
	x.Handicap = bounded(f.Handicap)
	if m := math.Round(4 * f.Result.Margin); math.Abs(m) <= maxNumber { // neither endless nor no number
		x.Margin = int32(m)
	}
	x.Texts = [query.TextColumns]string{
		query.FirstPlayer: f.Players[0].Name, query.SecondPlayer: f.Players[1].Name, query.Event: f.Event,
		query.Opening: f.Opening, query.Code: f.Code, query.Round: f.Round, query.Place: f.Place,
		query.FirstTeam: f.Players[0].Team, query.SecondTeam: f.Players[1].Team, query.Ruleset: f.Ruleset,
		query.How: f.Result.How, query.Origin: f.Source, query.Author: f.Author,
	}
	return x
}

// commentOf returns the comments of a record as Document.Comment has them.
func commentOf(g *record.Game) string {
	var all []byte
	for i := range g.Nodes {
		comment := g.Nodes[i].Text()
		if comment == "" {
			continue
		}
		before := len(all)
		if before > 0 {
			all = append(all, '\n')
		}
		begin := len(all)
		if all = text.AppendFold(all, comment); len(all) == begin {
			all = all[:before]
		}
	}
	return string(all)
}

// Documents makes documents.
type Documents struct {
	Kinds *Kinds
}

// Make returns the document of a record that was played with a trace. It
// reports false where the record has no board: nothing of it can be found by
// position.
func (d *Documents) Make(p *record.Played) (*Document, bool) {
	if p.Rules == nil || p.Start.Board == nil {
		return nil, false
	}
	doc := &Document{Kind: d.Kinds.Of(p.Rules), Facts: FactsOf(&p.Game.Facts), Comment: commentOf(p.Game)}
	doc.Plies = len(p.Steps)
	doc.Texts[query.Format], doc.Texts[query.File] = p.Game.Format, p.Game.Place.File
	main, cut := d.line(doc.Kind, p.Steps, p.Changes, p.Start.Turn, p.Turn, -1)
	doc.Lines, doc.Cut = []interval.Line{main}, cut
	if p.Game.Variations() {
		for l := range record.Lines(p.Rules, p.Game) {
			line, _ := d.line(doc.Kind, l.Steps, l.Changes, p.Start.Turn, l.Turn, l.From)
			if line.From > 0 { // else it was cut before the part that is its own
				doc.Lines = append(doc.Lines, line)
			}
		}
	}
	d.identify(doc, p)
	return doc, true
}

// line turns steps into slots. Start is the side to move before the first of
// them, turn that behind the last. The position behind steps[from] is the first
// that is the line's own; a from of -1 means that all are.
func (d *Documents) line(k *Kind, steps []record.Step, changes []record.Change, start, turn game.Side, from int) (l interval.Line, cut bool) {
	size := k.Board.Size
	l.Changes = make([]interval.Change, 0, len(changes))
	if k.Moving {
		l.Moves = make([]uint16, 0, len(steps))
	}
	slot, next := uint16(0), 0
	take := func(step int) {
		for ; next < len(changes) && int(changes[next].Step) == step; next++ {
			c := changes[next]
			l.Changes = append(l.Changes, interval.Change{Slot: slot, Point: uint16(size.Index(c.Point)), Piece: c.Piece})
		}
	}
	take(0)
	to := start // the side to move
	for i, s := range steps {
		// A set-up has the slot of a move of the side whose turn it was, so
		// that the position before it keeps its turn.
		if s.Move != game.NoMove {
			to = s.Side
		}
		b := interval.NextSlot(slot, to)
		if b > interval.MaxSlot {
			cut, turn = true, to
			break
		}
		for x := slot + 1; x < b; x++ {
			l.Skips = append(l.Skips, x)
		}
		slot = b
		take(i + 1)
		if i == from {
			l.From = slot
		}
		to = s.Turn
		if k.Moving {
			l.Moves = append(l.Moves, moveCode(size, s.Move))
		}
	}
	l.End = interval.NextSlot(slot, turn)
	for x := slot + 1; x < l.End; x++ {
		l.Skips = append(l.Skips, x)
	}
	return l, cut
}

// moveCode returns the code of a move where pieces move; a piece that is dropped
// there comes from where it goes.
func moveCode(size board.Size, m game.Move) uint16 {
	to, from := m.To(), m.From()
	if to == board.NoPoint {
		return interval.NoMove
	}
	if from == board.NoPoint {
		from = to
	}
	return uint16(size.Index(from)<<8 | size.Index(to))
}

// identify computes the keys by which duplicates are known: hashes of the
// canonical form of the moves, which is the smallest of its pictures, move by
// move. The canonical form of a beginning is the beginning of the canonical
// form, so that a record that breaks off is known by its key among the
// beginnings of the whole one.
func (d *Documents) identify(doc *Document, p *record.Played) {
	k := doc.Kind
	size := k.Board.Size
	var starts [16]uint64
	active := make([]int, 0, 16)
	for i, im := range k.start {
		starts[i] = game.ExtraKey(k.Rules, p.Start.Extra, im.sym)
		for pl := range p.Start.Board.Of {
			for pt := range p.Start.Board.Of[pl].Points() {
				starts[i] ^= board.Zobrist(board.Piece(pl+1), size.Point(int(im.point[size.Index(pt)])))
			}
		}
	}
	low := starts[0]
	for i := range k.start {
		low = min(low, starts[i])
	}
	for i := range k.start {
		if starts[i] == low {
			active = append(active, i)
		}
	}
	h := board.Mix(low ^ size.Key() ^ uint64(p.Start.Turn))
	doc.Prefixes = make([]uint64, 1, len(p.Steps)+1)
	doc.Prefixes[0] = h
	next := 0
	for i, s := range p.Steps {
		var code uint64
		switch s.Move {
		case game.Pass:
			code = uint64(s.Move)
		case game.NoMove: // a set-up: known by what it changes
			for next < len(p.Changes) && int(p.Changes[next].Step) <= i {
				next++
			}
			first := next
			for next < len(p.Changes) && int(p.Changes[next].Step) == i+1 {
				next++
			}
			active, code = smallest(active, func(im int) uint64 { return setupCode(k, im, p.Changes[first:next]) })
		default:
			active, code = smallest(active, func(im int) uint64 { return pictureCode(k, im, s.Move) })
		}
		h = board.Mix(h ^ code ^ uint64(s.Side)<<40)
		doc.Prefixes = append(doc.Prefixes, h)
	}
	doc.Key = h
	if len(p.Steps) >= HeadPlies {
		doc.Head = doc.Prefixes[HeadPlies]
	}
}

// pictureCode returns the code of a move in an image.
func pictureCode(k *Kind, im int, m game.Move) (c uint64) {
	size, point := k.Board.Size, k.start[im].point
	if p := m.To(); p != board.NoPoint && size.Has(p) {
		c = 1 + uint64(point[size.Index(p)])
	}
	if p := m.From(); p != board.NoPoint && size.Has(p) {
		c |= (1 + uint64(point[size.Index(p)])) << 16
	}
	return c | uint64(m.Piece())<<32
}

// setupCode returns the code of a set-up in an image.
func setupCode(k *Kind, im int, changes []record.Change) (c uint64) {
	size, point := k.Board.Size, k.start[im].point
	for _, x := range changes {
		c ^= board.Zobrist(x.Piece, size.Point(int(point[size.Index(x.Point)])))
	}
	return c
}

// smallest returns the images among the active ones in which a code is the
// smallest, and that code. The list of images is used again.
func smallest(active []int, code func(im int) uint64) ([]int, uint64) {
	low := code(active[0])
	if len(active) == 1 {
		return active, low
	}
	keep := active[:1]
	for _, i := range active[1:] {
		switch c := code(i); {
		case c < low:
			low, keep = c, append(keep[:0], i)
		case c == low:
			keep = append(keep, i)
		}
	}
	return keep, low
}
