// Package retell makes records of lines of tables, where nothing else is left of a
// game: its moves, found again by playing whichever leads to the board that the
// line has next, and the headers that tables keep. Comments, variations and
// everything else that a record may hold is lost.
package retell

import (
	"fmt"
	"strings"

	"qipu/board"
	"qipu/game"
	"qipu/index"
	"qipu/interval"
	"qipu/query"
	"qipu/record"
	"qipu/record/facts"
)

// Note stands as the first comment of a record that was made of a table.
const Note = "Made of the tables of a damaged library: comments, variations and other headers are lost."

// Record returns the record of a line. Where a step is none that a move can be found
// for, the record ends before it, and rest is the number of steps that it lacks.
func Record(k *index.Kind, games game.Catalog, line interval.Line) (g *record.Game, rest int, err error) {
	t := &teller{kind: k, rules: k.Rules, line: line}
	info := k.Rules.Info()
	g = &record.Game{Kind: info.Name, Notation: string(info.Notations[0].Name)}
	if usual, err := games.Find(info.Name); err != nil || usual.Geometry().Size != k.Board.Size {
		_, g.Variant, _ = strings.Cut(k.Name, " ")
	}
	g.Add(0, record.Unstated, "")
	g.Nodes[0].More().Comment = Note
	if err := t.begin(g); err != nil {
		return nil, 0, err
	}
	skips := line.Skips
	parent := int32(0)
	for slot := uint16(1); slot < line.End; slot++ {
		if len(skips) > 0 && skips[0] == slot {
			skips = skips[1:]
			continue
		}
		side := interval.Mover(slot)
		text, ok := "", rest == 0
		if ok {
			text, ok = t.step(slot, side)
		}
		if !ok {
			rest++
			continue
		}
		parent = g.Add(parent, record.Side(side)+record.First, text)
	}
	return g, rest, nil
}

// teller finds moves.
type teller struct {
	kind    *index.Kind
	rules   game.Rules
	line    interval.Line
	pos     game.Position
	board   *board.Planes // as the line has it
	changed int           // changes of the line that are on the board
	moves   []game.Move
}

// begin sets up the start.
func (t *teller) begin(g *record.Game) error {
	t.pos = t.rules.Start()
	planar, ok := t.pos.(game.Planar)
	if !ok {
		return fmt.Errorf("retell: %s has no board", t.kind.Name)
	}
	setup := game.NewSetup(t.rules)
	t.board = setup.Board
	t.advance(0)
	first := uint16(1)
	for _, s := range t.line.Skips {
		if s == first {
			first++
		}
	}
	turn := interval.Mover(first)
	if planar.Planes().Equal(t.board) && t.pos.Turn() == turn {
		return nil
	}
	setup.Board, setup.Turn = t.board.Clone(), turn
	pos, err := t.rules.Arrange(setup)
	if err != nil {
		return fmt.Errorf("retell: %w", err)
	}
	g.Start = string(game.AppendSetup(nil, t.rules, setup))
	t.pos = pos
	return nil
}

// advance brings the board to a slot, and returns the points that change.
func (t *teller) advance(slot uint16) (points []board.Point) {
	for ; t.changed < len(t.line.Changes) && t.line.Changes[t.changed].Slot <= slot; t.changed++ {
		c := t.line.Changes[t.changed]
		p := t.kind.Board.Size.Point(int(c.Point))
		if t.board.At(p) != board.Empty {
			t.board.Put(p, board.Empty)
		}
		if c.Piece != board.Empty {
			t.board.Put(p, c.Piece)
		}
		points = append(points, p)
	}
	return points
}

// step plays the move of a slot and returns its text.
func (t *teller) step(slot uint16, side game.Side) (string, bool) {
	points := t.advance(slot)
	if t.pos.Turn() == side {
		t.moves = t.pos.AppendMoves(t.moves[:0])
		for _, m := range t.moves {
			if !touches(m, points) {
				continue
			}
			text := game.FormatMove(t.rules, t.pos, m, t.rules.Info().Notations[0].Name)
			if t.pos.Play(m) != nil {
				continue
			}
			if t.there() {
				return text, true
			}
			t.pos.Undo()
		}
	}
	forcer, ok := t.pos.(record.Forcer)
	if !ok {
		return "", false
	}
	tries := []game.Move{game.Pass}
	for _, p := range points {
		tries = append(tries, game.Drop(p))
	}
	for _, m := range tries {
		if !touches(m, points) {
			continue
		}
		text := game.FormatMove(t.rules, t.pos, m, t.rules.Info().Notations[0].Name)
		if forcer.Force(side, m) != nil {
			continue
		}
		if t.there() {
			return text, true
		}
		t.pos.Undo()
	}
	return "", false
}

// touches reports whether a move may have changed these points alone.
func touches(m game.Move, points []board.Point) bool {
	if m == game.Pass {
		return len(points) == 0
	}
	for _, p := range points {
		if m.To() == p {
			return true
		}
	}
	return false
}

func (t *teller) there() bool {
	planes, _ := game.Shown(t.pos)
	return planes.Equal(t.board)
}

// Facts returns the headers that a table has.
func Facts(x index.Facts) (f facts.Facts) {
	text := func(c query.Column) string { return strings.Clone(x.Texts[c]) }
	for i, columns := range [2][2]query.Column{{query.FirstPlayer, query.FirstTeam}, {query.SecondPlayer, query.SecondTeam}} {
		f.Players[i].Name, f.Players[i].Team, f.Players[i].Rating = text(columns[0]), text(columns[1]), int(x.Ratings[i])
		if n := int(x.Ranks[i]) - 100; x.Ranks[i] != 0 && n > 19 {
			f.Players[i].Rank = facts.Rank{Grade: n - 19, Scale: 't'}
		} else if x.Ranks[i] != 0 && n > 10 {
			f.Players[i].Rank = facts.Rank{Grade: n - 10, Scale: 'p'}
		} else if x.Ranks[i] != 0 && n > 0 {
			f.Players[i].Rank = facts.Rank{Grade: n, Scale: 'd'}
		} else if x.Ranks[i] != 0 {
			f.Players[i].Rank = facts.Rank{Grade: 1 - n, Scale: 'k'}
		}
	}
	f.Event, f.Opening, f.Code, f.Round, f.Place = text(query.Event), text(query.Opening), text(query.Code), text(query.Round), text(query.Place)
	f.Ruleset, f.Source, f.Author = text(query.Ruleset), text(query.Origin), text(query.Author)
	if x.Day != 0 {
		f.Date = facts.Date{From: facts.DayOf(int(x.Day)), To: facts.DayOf(int(x.LastDay))}
	}
	f.Result = facts.Result{Verdict: verdicts[x.Result], Margin: float64(x.Margin) / 4, How: text(query.How)}
	f.Komi, f.Handicap = facts.Komi{Half: int(x.Komi), Known: x.KomiKnown}, int(x.Handicap)
	return f
}

var verdicts = map[index.Result]facts.Verdict{
	index.FirstWon: facts.FirstWon, index.SecondWon: facts.SecondWon, index.Draw: facts.Drawn, index.NoResult: facts.Unfinished,
}
