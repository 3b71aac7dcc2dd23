package wthor

import (
	"encoding/binary"
	"slices"
	"strconv"

	"qipu/record"
	"qipu/record/discs"
	"qipu/record/facts"
)

// game makes a game of a record, which it keeps. It allocates three times: the
// game, its tags, its nodes.
func (r *reader) game(rec []byte) *record.Game {
	tournament := int(binary.LittleEndian.Uint16(rec))
	black := int(binary.LittleEndian.Uint16(rec[2:]))
	white := int(binary.LittleEndian.Uint16(rec[4:]))
	r.count++
	g := &record.Game{
		Kind:     discs.Kind,
		Notation: discs.Notation,
		Format:   formatName,
		Encoding: latinEncoding,
		Place:    record.Place{File: r.src.Name, Offset: r.offset, Number: r.count},
		Raw:      rec,
	}
	r.offset += gameSize
	g.Tags = make([]record.Tag, 0, plainTags-3+len(r.fields))
	g.Tags = append(g.Tags,
		record.Tag{Name: tagBlack, Value: r.numeral(black)},
		record.Tag{Name: tagWhite, Value: r.numeral(white)},
		record.Tag{Name: tagTournament, Value: r.numeral(tournament)},
		record.Tag{Name: tagDiscs, Value: r.numeral(int(rec[6]))},
		record.Tag{Name: tagTheory, Value: r.numeral(int(rec[7]))})
	g.Tags = append(g.Tags, r.fields...)

	g.Facts.Date = r.date
	g.Facts.Source = "WTHOR"
	if len(r.lost) > 0 {
		g.Faults = slices.Clone(r.lost)
		for i := range g.Faults {
			g.Faults[i].Place = g.Place
		}
	}
	if r.players != nil {
		name(g, tagBlack, g.Tags[0].Value, r.players, &g.Facts.Players[0].Name)
		name(g, tagWhite, g.Tags[1].Value, r.players, &g.Facts.Players[1].Name)
	}
	if r.events != nil {
		name(g, tagTournament, g.Tags[2].Value, r.events, &g.Facts.Event)
	}
	played := moves(g, rec)
	g.Facts.Result = result(g, rec[6], played)
	if rec[7] > 64 {
		g.Fault(record.Marked, record.KindHeader, 0, "a theoretical score of %d discs", rec[7])
	}
	return g
}

// moves makes the nodes of a game and returns the number of moves.
func moves(g *record.Game, rec []byte) int {
	n := 0
	for n < maxMoves && rec[movesAt+n] != 0 {
		n++
	}
	g.Nodes = make([]record.Node, n+1)
	for i, b := range rec[movesAt : movesAt+n] {
		g.Nodes[i].Child = int32(i + 1)
		node := &g.Nodes[i+1]
		node.Parent = int32(i)
		node.Offset = int32(movesAt + i)
		if int(b) < len(squares) {
			node.Move = squares[b]
		}
		if node.Move == "" {
			node.Move = strconv.Itoa(int(b))
			g.Fault(record.Marked, record.KindNoMove, i+1, "%d is no square", b)
		}
	}
	for i, b := range rec[movesAt+n : gameSize] {
		if b != 0 {
			g.Fault(record.Marked, record.KindSyntax, 0, "byte %d is %d behind the end of the moves", movesAt+n+i, b)
			break
		}
	}
	return n
}

// result reads the real score: Black's discs, empty squares to the winner.
func result(g *record.Game, discs byte, played int) facts.Result {
	res := facts.Result{}
	if discs > 64 {
		g.Fault(record.Marked, record.KindHeader, 0, "a score of %d discs", discs)
		return res
	}
	switch margin := 2*float64(discs) - 64; {
	case margin > 0:
		res = facts.Result{Verdict: facts.FirstWon, Margin: margin}
	case margin < 0:
		res = facts.Result{Verdict: facts.SecondWon, Margin: -margin}
	default:
		res.Verdict = facts.Drawn
	}
	if played == maxMoves {
		res.How = facts.Count
	}
	return res
}
