package server

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"qipu/board"
	"qipu/board/draw"
	"qipu/game"
	"qipu/view"
)

func (s *Server) registerGames() {
	get(s, "/games", "list-games", "games", "Kinds of game, their boards and how many records there are", s.games)
	get(s, "/position", "get-position", "games", "A position, the moves that are possible in it, and what a move makes of it", s.position)
	get(s, "/perft", "count-lines", "games", "Count the lines of a depth, the proof of a move generator", s.perft)
	plain(s, "/draw.svg", "draw-svg", "games", "A picture of a position", "image/svg+xml", s.drawSVG)
	plain(s, "/draw.txt", "draw-text", "games", "A position in letters, as terminals show it", "text/plain", s.drawText)
}

func (s *Server) games(ctx context.Context, _ *struct{}) (*view.Games, error) {
	list, err := s.tallied(ctx)
	return &view.Games{Games: list}, err
}

// standing is a position with how it came about. It belongs to one request.
type standing struct {
	*kind
	pos   game.Position
	moves []game.Move
	base  string // the text of the position before the moves; empty for the usual start
	write game.Notation
}

// stand returns the position that the parameters name. Moves are to be written
// in the notation.
func (s *Server) stand(ctx context.Context, in *Placed, notation string) (*standing, error) {
	k, err := s.kind(ctx, in.Game)
	if err != nil {
		return nil, err
	}
	at := &standing{kind: k}
	if at.write, err = k.notation(notation); err != nil {
		return nil, err
	}
	if at.pos, at.moves, err = game.ParseLine(k.rules, in.Line); err != nil {
		return nil, badLine(err)
	}
	for range min(in.Back, len(at.moves)) {
		at.pos.Undo()
		at.moves = at.moves[:len(at.moves)-1]
	}
	if in.Play != "" {
		m, err := k.parse(at.pos, in.Play)
		if err == nil {
			err = at.pos.Play(m)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", in.Play, err)
		}
		at.moves = append(at.moves, m)
	}
	for range at.moves {
		at.pos.Undo()
	}
	if text := game.FormatPosition(k.rules, at.pos); text != k.start {
		at.base = text
	}
	for _, m := range at.moves {
		if err := at.pos.Play(m); err != nil {
			return nil, err
		}
	}
	return at, nil
}

// badLine has a line that cannot be read be the client's mistake: errors about
// moves say so themselves, those about position texts are plain.
func badLine(err error) error {
	if errors.Is(err, game.ErrIllegal) || errors.Is(err, game.ErrSyntax) {
		return err
	}
	return bad("no-position", "Write moves from the start, or a position text.", "%v", err)
}

// parse reads a move as a client sends it: the points that were clicked, by
// their names, or any notation of the game.
func (k *kind) parse(p game.Position, text string) (game.Move, error) {
	g := k.rules.Geometry()
	names := strings.FieldsFunc(text, func(r rune) bool { return r == '-' || r == ' ' })
	points := make([]board.Point, 0, 2)
	for _, name := range names {
		if at, ok := g.Point(name); ok {
			points = append(points, at)
		}
	}
	m := game.NoMove
	switch {
	case len(points) != len(names):
	case len(points) == 1 && !k.Moving:
		m = game.Drop(points[0])
	case len(points) == 2 && k.Moving:
		m = game.Step(points[0], points[1])
	}
	if m != game.NoMove && slices.Contains(p.AppendMoves(nil), m) {
		return m, nil
	}
	if m, err := k.rules.ParseMove(p, text, game.AnyNotation); err == nil || m == game.NoMove {
		return m, err
	}
	return m, nil // the position tells why it cannot be played
}

type positionInput struct {
	Placed
	Writing
}

func (s *Server) position(ctx context.Context, in *positionInput) (*view.Position, error) {
	at, err := s.stand(ctx, &in.Placed, in.Write)
	if err != nil {
		return nil, err
	}
	return at.position(true), nil
}

// position returns the position as it is sent, with the moves that are possible
// where they are asked for.
func (at *standing) position(legal bool) *view.Position {
	usual := at.played(game.AnyNotation)
	w := &view.Position{
		Game: at.spec, Line: at.line(usual), Text: game.FormatPosition(at.rules, at.pos), Pieces: at.pieces(), Turn: int(at.pos.Turn()),
		Ply: len(at.moves), Moves: usual, Legal: []view.Move{},
	}
	if at.write != game.AnyNotation {
		w.Moves = at.played(at.write)
	}
	if o := at.pos.Outcome(); o.Over() {
		w.Over, w.Outcome = true, o.Describe(at.rules.Info())
	}
	if legal {
		moves := at.pos.AppendMoves(nil)
		w.Legal = make([]view.Move, len(moves))
		for i, m := range moves {
			w.Legal[i] = at.move(at.pos, m, at.write)
		}
	}
	w.Board = at.text()
	w.Opening = at.opening()
	return w
}

// pieces returns what stands on each point: nothing where a game has no pieces on
// points.
func (at *standing) pieces() []int {
	planes, _ := game.Shown(at.pos)
	if planes == nil {
		return make([]int, at.rules.Geometry().Size.Area())
	}
	return view.Pieces(planes)
}

// text returns the board for terminals.
func (at *standing) text() string {
	scene := at.scene()
	scene.Coordinates = true
	return draw.Text(scene, draw.TextOptions{})
}

// last returns the last move as pictures show it; nil for none.
func (at *standing) last() *draw.Step {
	if n := len(at.moves); n > 0 && at.moves[n-1].To() != board.NoPoint {
		return &draw.Step{From: at.moves[n-1].From(), To: at.moves[n-1].To()}
	}
	return nil
}

// played returns the moves of the line.
func (at *standing) played(n game.Notation) []view.Move {
	list := make([]view.Move, len(at.moves))
	for i := len(at.moves) - 1; i >= 0; i-- {
		at.pos.Undo()
		list[i] = at.move(at.pos, at.moves[i], n)
	}
	for _, m := range at.moves {
		_ = at.pos.Play(m) // as it was a moment ago
	}
	return list
}

// line returns how the position came about, by its moves in the usual notation:
// in a form that reads back.
func (at *standing) line(moves []view.Move) string {
	words := make([]string, 0, len(moves)+2)
	if at.base != "" {
		words = append(words, at.base)
		if len(at.moves) > 0 {
			words = append(words, "moves")
		}
	}
	for _, m := range moves {
		words = append(words, m.Text)
	}
	return strings.Join(words, " ")
}

type perftInput struct {
	Placed
	Writing
	Depth int `query:"depth" minimum:"0" maximum:"6" default:"3" doc:"Small enough for some million lines"`
}

// maxLeaves bounds what one request may count: some seconds.
const maxLeaves = 30_000_000

func (s *Server) perft(ctx context.Context, in *perftInput) (*view.Perft, error) {
	at, err := s.stand(ctx, &in.Placed, in.Write)
	if err != nil {
		return nil, err
	}
	leave, err := s.enter(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	o := at.rules.Info().Perft
	o.FreePass = false
	// How many there will be is told by the depths before, which cost a small
	// part of the last.
	for depth, before, now := 1, 1.0, 1.0; depth < in.Depth; depth++ {
		before, now = now, float64(game.Perft(at.pos, depth, o))
		if expected := now * now / max(before, 1) * 1.2; expected > maxLeaves || ctx.Err() != nil {
			return nil, bad("too-much", fmt.Sprintf("Ask for depth %d.", depth), "about %.0f million lines are too many to count here", expected/1e6)
		}
	}
	w := &view.Perft{Depth: in.Depth, Moves: []view.PerftMove{}}
	if in.Depth == 0 {
		w.Nodes = game.Perft(at.pos, 0, o)
		return w, nil
	}
	for m, n := range game.Divide(at.pos, in.Depth, o) {
		w.Moves = append(w.Moves, view.PerftMove{Move: game.FormatMove(at.rules, at.pos, m, at.write), Nodes: n})
		w.Nodes += n
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	return w, nil
}
