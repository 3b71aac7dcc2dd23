package gameview

import (
	"errors"
	"strings"

	"qipu/board"
	"qipu/board/draw"
	"qipu/engine"
	"qipu/game"
	"qipu/opening/ecco"
	"qipu/view"
)

// Standing is a position with how it came about. It belongs to one request.
type Standing struct {
	*Kind
	Pos   game.Position
	Moves []game.Move
	Base  string // the text of the position before the moves; empty for the usual start
	Write game.Notation
}

// Scene returns what is to be seen of a position.
func (at *Standing) Scene() *draw.Scene {
	planes, texts := game.Shown(at.Pos)
	return &draw.Scene{
		Geometry: at.Rules.Geometry(), Planes: planes, Texts: texts, Last: at.Last(),
		Title: at.Rules.Info().Titles.En + ", " + at.Status(),
	}
}

// Status tells who is to move, or how the game has ended.
func (at *Standing) Status() string {
	info := at.Rules.Info()
	if o := at.Pos.Outcome(); o.Over() {
		return o.Describe(info)
	}
	return info.Sides[at.Pos.Turn()].Name + " to move"
}

// Position returns the position as it is sent, with the moves that are possible
// where they are asked for.
func (at *Standing) Position(legal bool) *view.Position {
	usual := at.Played(game.AnyNotation)
	w := &view.Position{
		Game: at.Spec, Line: at.Line(usual), Text: game.FormatPosition(at.Rules, at.Pos), Turn: int(at.Pos.Turn()),
		Ply: len(at.Moves), Moves: usual, Legal: []view.Move{},
	}
	w.Pieces, w.Texts = at.Shown()
	if at.Write != game.AnyNotation {
		w.Moves = at.Played(at.Write)
	}
	if o := at.Pos.Outcome(); o.Over() {
		w.Over, w.Outcome, w.Reason = true, o.Describe(at.Rules.Info()), string(o.Reason)
	}
	if legal {
		moves := at.Pos.AppendMoves(nil)
		w.Legal = make([]view.Move, len(moves))
		for i, m := range moves {
			w.Legal[i] = at.Move(at.Pos, m, at.Write)
		}
	}
	w.Board = at.Text()
	w.Opening = at.Opening()
	return w
}

// Shown returns what stands on each point, which is nothing where a game has no
// pieces on points: then there is something written on them.
func (at *Standing) Shown() (pieces []int, texts []string) {
	planes, cells := game.Shown(at.Pos)
	size := at.Rules.Geometry().Size
	if planes == nil {
		return make([]int, size.Area()), view.Texts(size, cells)
	}
	return view.Pieces(planes), nil
}

// Text returns the board for terminals.
func (at *Standing) Text() string {
	scene := at.Scene()
	scene.Coordinates = true
	return draw.Text(scene, draw.TextOptions{})
}

// Last returns the last move as pictures show it; nil for none.
func (at *Standing) Last() *draw.Step {
	if n := len(at.Moves); n > 0 && at.Moves[n-1].To() != board.NoPoint {
		return &draw.Step{From: at.Moves[n-1].From(), To: at.Moves[n-1].To()}
	}
	return nil
}

// Played returns the moves of the line.
func (at *Standing) Played(n game.Notation) []view.Move {
	list := make([]view.Move, len(at.Moves))
	for i := len(at.Moves) - 1; i >= 0; i-- {
		at.Pos.Undo()
		list[i] = at.Move(at.Pos, at.Moves[i], n)
	}
	for _, m := range at.Moves {
		_ = at.Pos.Play(m) // as it was a moment ago
	}
	return list
}

// Line returns how the position came about, by its moves in the usual notation:
// in a form that reads back.
func (at *Standing) Line(moves []view.Move) string {
	words := make([]string, 0, len(moves)+2)
	if at.Base != "" {
		words = append(words, at.Base)
		if len(at.Moves) > 0 {
			words = append(words, "moves")
		}
	}
	for _, m := range moves {
		words = append(words, m.Text)
	}
	return strings.Join(words, " ")
}

// opener returns who knows openings by the moves of a line; nil where positions are
// known instead.
func (at *Standing) opener() opener {
	if rules, ok := at.Rules.(opener); ok {
		return rules
	}
	if ecco.Holds(at.Rules) {
		return coded{}
	}
	return nil
}

// Opening returns the deepest named opening of the line: by its moves, or as the
// Position is called.
func (at *Standing) Opening() (o view.Opening) {
	if known := at.opener(); known != nil {
		if at.Base != "" {
			return o
		}
		if names, code, ok := known.Opening(at.Moves); ok {
			o = view.Opening{Name: names.En, Code: code, Names: &names}
		}
		return o
	}
	var start game.Position
	if at.Base != "" {
		setup, err := game.ParseSetup(at.Rules, at.Base)
		if err != nil {
			return o
		}
		if start, err = at.Rules.Arrange(setup); err != nil {
			return o
		}
	}
	known, ok := at.Names().Deepest(start, at.Moves)
	if !ok {
		known, ok = at.Names().Fuseki(start, at.Moves)
	}
	if ok {
		o = view.Opening{Name: known.Names.En, Code: known.Code, Names: &known.Names}
	}
	return o
}

// Makes returns the opening that a move makes, which is played on the position.
func (at *Standing) Makes(m game.Move) (o view.Opening) {
	if at.Pos.Play(m) != nil {
		return o
	}
	defer at.Pos.Undo()
	if at.opener() != nil {
		before := at.Opening()
		at.Moves = append(at.Moves, m)
		after := at.Opening()
		at.Moves = at.Moves[:len(at.Moves)-1]
		if after.Name != before.Name || after.Code != before.Code {
			return after
		}
		return o
	}
	if known, ok := at.Names().At(at.Pos); ok {
		o = view.Opening{Name: known.Names.En, Code: known.Code, Names: &known.Names}
	}
	return o
}

// Task returns the position as engines want it.
func (at *Standing) Task() (*engine.Task, error) {
	t := &engine.Task{Rules: at.Rules, Moves: at.Moves}
	if at.Base != "" {
		setup, err := game.ParseSetup(at.Rules, at.Base)
		if err != nil {
			return nil, BadLine(err)
		}
		t.Start = &setup
	}
	return t, nil
}

// Ahead returns moves that follow the position, as they are written there; those
// behind one that cannot be played are left out.
func (at *Standing) Ahead(moves []game.Move) []view.Move {
	list := make([]view.Move, 0, len(moves))
	n := 0
	for _, m := range moves {
		text := at.Move(at.Pos, m, at.Write)
		if at.Pos.Play(m) != nil {
			break
		}
		n++
		list = append(list, text)
	}
	for range n {
		at.Pos.Undo()
	}
	return list
}

// LineError is a line that cannot be read, where moves are not to blame: errors about
// these say so themselves.
type LineError struct{ Err error }

// Error tells what is wrong with it.
func (e *LineError) Error() string { return e.Err.Error() }

// BadLine returns what is wrong with a line.
func BadLine(err error) error {
	if errors.Is(err, game.ErrIllegal) || errors.Is(err, game.ErrSyntax) {
		return err
	}
	return &LineError{err}
}
