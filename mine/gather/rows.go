package gather

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"qipu/board"
	"qipu/engine"
	"qipu/game"
	"qipu/index"
	"qipu/interval"
	"qipu/mine/dataset"
	"qipu/named"
	"qipu/query"
	"qipu/record/facts"
)

// begin begins the table anew.
func (g *gatherer) begin() {
	what := "games"
	if g.Positions {
		what = "positions"
	}
	g.set = dataset.New(fmt.Sprintf("%s of %s at %v", what, g.kind.Name, g.At), nil)
	g.set.Game, g.set.Query, g.set.Sides = g.kind.Name, g.Text, g.sides
	clear(g.from)
	for _, c := range g.columns {
		c.spans = [2][]dataset.Span{}
	}
	g.result, g.material, g.pieces, g.value, g.rating, g.rank, g.days, g.next, g.handicap = nil, nil, nil, nil, nil, nil, nil, nil, nil
	g.players = [2][]string{}
	g.short, g.without, g.never, g.walked, g.dropped = 0, 0, 0, 0, 0
}

// scan reads the games, block by block.
func (g *gatherer) scan(ctx context.Context, v index.View) error {
	plan := &index.Plan{
		Kind: g.kind, Expr: index.Games{Bitmap: g.games}, Marks: g.keys(),
		Columns: index.ColumnsOf(query.FirstPlayer, query.SecondPlayer, query.Result, query.FirstRating, query.SecondRating, query.FirstRank, query.SecondRank, query.FirstDay, query.LastDay, query.Handicap),
	}
	w := &scanner{gatherer: g, names: map[string]string{}, geometry: g.kind.Rules.Geometry()}
	total, done := int(g.games.GetCardinality()), 0
	for batch, err := range v.Scan(ctx, plan) {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		if batch.Block == nil || !batch.Main {
			continue
		}
		if err := v.Guard(func() error { w.take(batch); return nil }); err != nil {
			return err
		}
		done += batch.Lanes.Count()
		if g.Progress != nil {
			g.Progress(min(done, total), total)
		}
	}
	return ctx.Err()
}

// scanner reads one block after the other.
type scanner struct {
	*gatherer
	batch    *index.Batch
	lanes    interval.Mask // that have rows
	rows     [interval.Lanes][]moment
	owned    []interval.Owned
	marks    []interval.Mark
	names    map[string]string // texts are copied once
	on       []board.Piece
	geometry *board.Geometry
}

// moment is a row of a lane.
type moment struct {
	row  int
	slot uint16
}

func (w *scanner) take(b *index.Batch) {
	w.batch, w.lanes = b, interval.Mask{}
	lanes := w.wanted()
	var firsts []interval.Owned
	if w.first != nil {
		firsts = w.marked(w.first, &lanes)
	}
	for lane := range b.N() {
		w.rows[lane] = w.rows[lane][:0]
		if !lanes.Has(lane) {
			continue
		}
		slots, why := w.slots(lane, firsts)
		switch {
		case len(slots) == 0:
			*why++
		case len(w.set.Rows)+len(slots) > w.most():
			w.dropped++
		default:
			w.lanes.Set(lane)
			w.addRows(lane, slots)
		}
	}
	w.fill()
}

// wanted returns the lanes whose games were found.
func (w *scanner) wanted() (m interval.Mask) {
	all := w.batch.Block.All()
	for lane := range w.batch.N() {
		if w.batch.Lanes.Has(lane) && all.Has(lane) && w.games.Contains(w.batch.Game(lane)) {
			m.Set(lane)
		}
	}
	return m
}

// slots returns the moments of a lane, or what to count where there are none.
func (w *scanner) slots(lane int, firsts []interval.Owned) (list []uint16, why *int) {
	b := w.batch.Block
	skips := b.Skips(lane)
	last := b.End(lane) - 1
	plies := b.Ply(lane, last)
	switch {
	case w.At.First != "":
		if w.first != nil {
			for _, o := range firsts {
				if int(o.Lane) == lane && (w.side == dataset.Both || int(o.Side) == w.side) && o.From <= last {
					list = append(list, o.From)
				}
			}
		}
		for _, ply := range w.firsts[w.batch.Game(lane)] {
			if int(ply) <= plies {
				list = append(list, slotOf(skips, int(ply)))
			}
		}
		slices.Sort(list)
		list = slices.Compact(list)
		if !w.Positions && len(list) > 1 {
			list = list[:1]
		}
		return list, &w.never
	case w.At.End && !w.Positions:
		return []uint16{last}, &w.short
	case w.At.End:
		for ply := range plies + 1 {
			list = append(list, slotOf(skips, ply))
		}
	case w.Positions:
		for ply := w.At.Ply; ply < plies; ply += w.At.Ply {
			list = append(list, slotOf(skips, ply))
		}
	case w.At.Ply < plies:
		list = append(list, slotOf(skips, w.At.Ply))
	}
	return list, &w.short
}

// slotOf returns the slot of a ply.
func slotOf(skips []uint16, ply int) uint16 {
	slot := ply
	for _, s := range skips {
		if int(s) > slot {
			break
		}
		slot++
	}
	return uint16(slot)
}

// addRows adds the rows of a lane with what is known of their game and their board.
func (w *scanner) addRows(lane int, slots []uint16) {
	b, g := w.batch, w.gatherer
	id := b.Game(lane)
	first := len(g.set.Rows)
	g.from[id] = [2]int32{int32(first), int32(first + len(slots))}
	result := dataset.Unknown
	switch b.Result(lane) {
	case index.FirstWon:
		result = 1
	case index.SecondWon:
		result = 0
	case index.Draw:
		result = .5
	default:
		g.without += len(slots)
	}
	rating := less(float64(b.Rating(lane, 0)), float64(b.Rating(lane, 1)))
	rank := less(float64(b.Rank(lane, 0)), float64(b.Rank(lane, 1)))
	handicap, _ := b.Number(lane, query.Handicap)
	for i, slot := range slots {
		g.set.Rows = append(g.set.Rows, dataset.Row{Game: id, Ply: uint16(b.Block.Ply(lane, slot)), Weight: 1 / float64(len(slots))})
		w.rows[lane] = append(w.rows[lane], moment{first + i, slot})
		g.result = append(g.result, result)
		g.rating, g.rank = append(g.rating, rating), append(g.rank, rank)
		g.days = append(g.days, b.Day(lane))
		for side, col := range []query.Column{query.FirstPlayer, query.SecondPlayer} {
			g.players[side] = append(g.players[side], w.name(b.Text(lane, col)))
		}
		if handicap > 0 {
			g.handicap = append(g.handicap, first+i)
		}
		w.look(lane, slot)
	}
}

// less returns a difference, Unknown where one of both is.
func less(a, b float64) float64 {
	if a == 0 || b == 0 {
		return dataset.Unknown
	}
	return a - b
}

// name returns a text that outlives the block.
func (w *scanner) name(text string) string {
	kept, ok := w.names[text]
	if !ok {
		kept = strings.Clone(text)
		w.names[kept] = kept
	}
	return kept
}

// look looks at the board of a row.
func (w *scanner) look(lane int, slot uint16) {
	b, size := w.batch.Block, w.kind.Board.Size
	if w.on == nil {
		w.on = make([]board.Piece, size.Area())
	}
	material, pieces := 0.0, 0.0
	for pt := range w.on {
		p := b.At(lane, pt, slot)
		w.on[pt] = p
		if p == board.Empty || int(p) > len(w.kind.Owners) {
			continue
		}
		pieces++
		if w.kind.Owners[p-1] == 0 {
			material += w.worth[p]
		} else {
			material -= w.worth[p]
		}
	}
	w.material, w.pieces = append(w.material, material), append(w.pieces, pieces)
	if w.judge != nil {
		w.value = append(w.value, w.valueOf(slot))
	}
	w.next = append(w.next, w.nextMove(lane, slot))
}

// valueOf returns what a position is worth to the first side.
func (w *scanner) valueOf(slot uint16) float64 {
	s := game.NewSetup(w.kind.Rules)
	for pt, p := range w.on {
		if p != board.Empty {
			s.Board.Put(s.Board.Size.Point(pt), p)
		}
	}
	s.Turn = interval.Mover(slot + 1)
	p, err := w.kind.Rules.Arrange(s)
	if err != nil {
		return dataset.Unknown
	}
	v := w.judge.Evaluate(p).Units()
	if s.Turn == game.Second {
		v = -v
	}
	return v
}

// nextMove returns the move that was played behind a slot: what moves, and its points.
func (w *scanner) nextMove(lane int, slot uint16) string {
	b := w.batch.Block
	next := b.After(lane, slot)
	if next >= b.End(lane) {
		return ""
	}
	var from, to string
	piece := board.Empty
	side := interval.Mover(next)
	for pt := range w.on {
		now := b.At(lane, pt, next)
		if now == w.on[pt] {
			continue
		}
		name := w.geometry.Name(w.geometry.Size.Point(pt))
		switch own := now != board.Empty && w.kind.Owners[now-1] == uint8(side); {
		case own && w.on[pt] == board.Empty, own && w.kind.Moving:
			to, piece = name, now
		case now == board.Empty && w.kind.Moving && w.kind.Owners[w.on[pt]-1] == uint8(side):
			from = name
		}
	}
	if to == "" {
		return ""
	}
	glyph := ""
	if int(piece) <= len(w.geometry.Pieces) && piece != board.Empty {
		glyph = w.geometry.Pieces[piece-1].Glyph
	}
	return w.name(glyph + from + to)
}

// fill fills the items of a block that are marked.
func (w *scanner) fill() {
	kept := w.batch.Marks != nil
	for _, c := range w.columns {
		for _, key := range c.keys {
			kept = kept && w.batch.Marks.Has(key)
		}
	}
	for _, c := range w.columns {
		if kept && c.keys != nil && (c.named == nil || c.named.Kind != named.Code) {
			for _, o := range w.marked(c, &w.lanes) {
				w.hold(c, &o)
			}
		}
	}
	w.walk(kept)
}

// marked returns the intervals of a column: those that are kept, or else by walking along
// the lines.
func (w *scanner) marked(c *column, lanes *interval.Mask) []interval.Owned {
	list := w.owned[:0]
	for i, key := range c.keys {
		ok := false
		if w.batch.Marks != nil {
			list, ok = w.batch.Marks.AppendMarks(list, key, lanes)
		}
		if ok {
			continue
		}
		for lane := range w.batch.N() {
			if lanes.Has(lane) {
				line := w.batch.Block.Line(lane)
				only := func(column int) bool { return column == c.columns[i] }
				list = interval.AppendMarks(list, lane, &line, w.book.Markers()[c.marker].AppendMarks(nil, &line, only))
			}
		}
	}
	w.owned = interval.UniteOwned(list)
	return w.owned
}

// walk walks along the lines for what is not kept, and for codes of openings: which one a
// game has depends on the moves that are looked at, and those behind the moment are not.
func (w *scanner) walk(kept bool) {
	markers := w.book.Markers()
	by := make([]map[int][]*column, len(markers))
	some := false
	for _, c := range w.columns {
		if c.keys == nil || kept && c.named.Kind != named.Code {
			continue
		}
		if by[c.marker] == nil {
			by[c.marker] = map[int][]*column{}
		}
		for _, i := range c.columns {
			by[c.marker][i] = append(by[c.marker][i], c)
		}
		some = true
	}
	if !some {
		return
	}
	for lane := range w.batch.N() {
		if !w.lanes.Has(lane) {
			continue
		}
		if !kept && !w.batch.Fresh {
			w.walked++
		}
		whole := w.batch.Block.Line(lane)
		for _, m := range w.rows[lane] {
			line := cut(whole, m.slot)
			for i, marker := range markers {
				if by[i] == nil {
					continue
				}
				w.marks = marker.AppendMarks(w.marks[:0], &line, func(column int) bool { return by[i][column] != nil })
				for _, mark := range w.marks {
					for _, c := range by[i][int(mark.Column)] {
						o := interval.Owned{Span: interval.Span{Lane: uint16(lane), From: mark.From, To: min(mark.To, line.End)}, Side: mark.Side & 1}
						w.holdAt(c, &o, m)
					}
				}
			}
		}
	}
}

// cut returns a line as it was at a slot.
func cut(l interval.Line, slot uint16) interval.Line {
	n, _ := slices.BinarySearchFunc(l.Changes, slot+1, func(c interval.Change, s uint16) int { return int(c.Slot) - int(s) })
	l.Changes = l.Changes[:n]
	if plies := l.Ply(slot); l.Moves != nil && plies < len(l.Moves) {
		l.Moves = l.Moves[:plies]
	}
	k, _ := slices.BinarySearch(l.Skips, slot+1)
	l.Skips = l.Skips[:k]
	l.End = min(l.End, slot+1)
	return l
}

// known reports whether what began at a slot is known at a moment. A test plants a leak
// here.
var known = func(from, moment uint16) bool { return from <= moment }

// hold notes an interval in all rows of its lane that know of it.
func (w *scanner) hold(c *column, o *interval.Owned) {
	for _, m := range w.rows[o.Lane] {
		w.holdAt(c, o, m)
	}
}

func (w *scanner) holdAt(c *column, o *interval.Owned, m moment) {
	if !known(o.From, m.slot) || o.From >= o.To {
		return
	}
	b := w.batch.Block
	side := o.Side & 1
	if !c.owned {
		side = 0
	}
	to := max(o.From+1, min(o.To, m.slot+1))
	c.spans[side] = append(c.spans[side], dataset.Span{Row: uint32(m.row), From: uint16(b.Ply(int(o.Lane), o.From)), To: uint16(b.Ply(int(o.Lane), to-1) + 1)})
}

// worths returns what the pieces of a kind of game are worth: as what values its
// positions says, else one each.
func worths(k *index.Kind, judge engine.Evaluator) []float64 {
	list := make([]float64, len(k.Owners)+1)
	priced, ok := judge.(interface {
		Worth(board.Piece) engine.Value
	})
	for p := 1; p < len(list); p++ {
		list[p] = 1
		if ok {
			list[p] = priced.Worth(board.Piece(p)).Units()
		}
	}
	return list
}

// years returns the years of days.
func years(days []int32) []float64 {
	list := make([]float64, len(days))
	for i, d := range days {
		list[i] = dataset.Unknown
		if d != 0 {
			list[i] = float64(facts.DayOf(int(d)).Year)
		}
	}
	return list
}

// strengths returns how much stronger the first player was, by the results of earlier
// games of the table: Elo points, with those of a day counted together behind it, so that
// no game knows its own result or a later one.
func (g *gatherer) strengths() []float64 {
	list := make([]float64, len(g.set.Rows))
	var order []int // the first row of each game with a date
	for i := range list {
		list[i] = dataset.Unknown
		if g.days[i] != 0 && g.players[0][i] != "" && g.players[1][i] != "" && (i == 0 || g.set.Rows[i-1].Game != g.set.Rows[i].Game) {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return int(g.days[a]) - int(g.days[b]) })
	const step, scale, enough = 24.0, 400.0, 5
	elo, played := map[string]float64{}, map[string]int{}
	for len(order) > 0 {
		day := order
		for i := range order {
			if g.days[order[i]] != g.days[order[0]] {
				day = order[:i]
				break
			}
		}
		order = order[len(day):]
		gain := map[string]float64{}
		for _, i := range day {
			a, b := g.players[0][i], g.players[1][i]
			d := elo[a] - elo[b]
			if played[a] >= enough && played[b] >= enough {
				for r := i; r < len(list) && g.set.Rows[r].Game == g.set.Rows[i].Game; r++ {
					list[r] = d
				}
			}
			if dataset.Known(g.result[i]) {
				more := step * (g.result[i] - 1/(1+math.Pow(10, -d/scale)))
				gain[a] += more
				gain[b] -= more
				played[a]++
				played[b]++
			}
		}
		for name, more := range gain {
			elo[name] += more
		}
	}
	return list
}

// chances turns values into what the first side may expect: by the steepness that fits
// the results best, or that of one in four units where there are none.
func chances(value, result []float64) []float64 {
	steep := .25
	for range 20 { // Newton's method for one number
		var slope, bend float64
		for i, v := range value {
			if dataset.Known(v) && dataset.Known(result[i]) {
				v = max(-30, min(30, v))
				p := 1 / (1 + math.Exp(-steep*v))
				slope += v * (result[i] - p)
				bend += v * v * p * (1 - p)
			}
		}
		if bend == 0 {
			break
		}
		steep = max(0, min(5, steep+slope/bend))
	}
	list := make([]float64, len(value))
	for i, v := range value {
		list[i] = dataset.Unknown
		if dataset.Known(v) {
			list[i] = 1 / (1 + math.Exp(-steep*v))
		}
	}
	return list
}
