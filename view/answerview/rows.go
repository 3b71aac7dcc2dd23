package answerview

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"slices"
	"sync"
	"time"

	"qipu/board"
	"qipu/game"
	"qipu/library"
	"qipu/library/cache"
	"qipu/pattern"
	"qipu/query"
	"qipu/record"
	"qipu/retrieve"
	"qipu/store"
	"qipu/view"
	"qipu/view/gameview"
)

// RowOptions say what rows are to tell.
type RowOptions struct {
	Boards   bool   // the board of each, and the move behind it
	Notation string // of that move; one that a game lacks is its usual one

	Rows
}

// RowOptionsOf returns what the rows of the answer to a bound query tell.
func RowOptionsOf(bound query.Q, boards bool, notation string) RowOptions {
	return RowOptions{Boards: boards, Notation: notation, Rows: RowsOf(bound)}
}

// Lister makes the rows of answers. It is safe for concurrent use.
type Lister struct {
	lib   *library.Library
	kinds *gameview.Kinds
	log   *slog.Logger

	// version tells which state of the library rows are about, and whether it changes
	// all the time; nil where nothing is to be kept.
	version func(context.Context) (version any, busy bool)

	referees sync.Pool // of *record.Referee: see Referee
	listed   cache.Cache[struct{}, any, *listed]
}

// listed are games that lists have shown.
type listed struct {
	sync.Mutex
	games map[uint32]*store.Game
}

func newListed() (*listed, error) { return &listed{games: map[uint32]*store.Game{}}, nil }

// Rows returns the rows of an answer with what the catalogue knows of their
// games, and their boards where these are asked for. A game that was deleted
// since the search is left out.
func (l *Lister) Rows(ctx context.Context, rows []retrieve.Row, o RowOptions) ([]view.Hit, error) {
	games, err := l.gamesOf(ctx, rows)
	if err != nil {
		return nil, err
	}
	list := make([]view.Hit, 0, len(rows))
	kept := make([]*retrieve.Row, 0, len(rows))
	for i := range rows {
		g := games[rows[i].Game]
		if g == nil {
			continue
		}
		list = append(list, o.HitOf(l.lib.Kinds(), &rows[i], g))
		kept = append(kept, &rows[i])
	}
	if o.Boards {
		err = l.addBoards(ctx, list, kept, &o)
	}
	return list, err
}

// gamesOf returns what the catalogue knows of the games of rows; those that were
// deleted since the search are missing. What lists show is asked for again and
// again, and reading it costs more than finding it: it is kept as long as the
// library stays as it is, and while an import changes it all the time for as
// long as answers may be old.
func (l *Lister) gamesOf(ctx context.Context, rows []retrieve.Row) (map[uint32]*store.Game, error) {
	kept, err := newListed()
	if l.version != nil {
		version, busy := l.version(ctx)
		if busy {
			version = time.Now().Truncate(listedFor).Unix()
		}
		kept, err = l.listed.Get(ctx, struct{}{}, version, newListed)
	}
	if err != nil {
		return nil, err
	}
	games := make(map[uint32]*store.Game, len(rows))
	var missing []uint32
	kept.Lock()
	if len(kept.games) > maxListed {
		clear(kept.games)
	}
	for i := range rows {
		id := rows[i].Game
		if g := kept.games[id]; g != nil {
			games[id] = g
		} else {
			missing = append(missing, id)
		}
	}
	kept.Unlock()
	if len(missing) == 0 {
		return games, nil
	}
	list, err := l.lib.Games(ctx, missing)
	if errors.Is(err, store.ErrNoGame) {
		list = list[:0]
		for _, id := range missing {
			one, err := l.lib.Games(ctx, []uint32{id})
			if err != nil && !errors.Is(err, store.ErrNoGame) {
				return nil, err
			}
			list = append(list, one...)
		}
		err = nil
	}
	kept.Lock()
	defer kept.Unlock()
	for i := range list {
		games[list[i].ID] = &list[i]
		kept.games[list[i].ID] = &list[i] // thrown away with the others, if they were meanwhile
	}
	return games, err
}

// Referee returns somebody who plays records out, with a trace. It is one
// goroutine's at a time, who gives it back to l.referees.
func (l *Lister) Referee() *record.Referee {
	if r, ok := l.referees.Get().(*record.Referee); ok {
		return r
	}
	r := record.NewReferee(l.lib.Rules())
	r.Trace = true
	return r
}

// GiveBack takes a referee back.
func (l *Lister) GiveBack(r *record.Referee) { l.referees.Put(r) }

// RulesOf returns the rules that a record is played by; nil where its game is
// not known.
func (l *Lister) RulesOf(g *record.Game) game.Rules {
	referee := l.Referee()
	defer l.GiveBack(referee)
	rules, err := referee.Rules(g)
	if err != nil {
		return nil
	}
	return rules
}

// addBoards replays the games of rows up to their plies. Records are read in one
// go, in the order in which they are stored, and played on all cores.
func (l *Lister) addBoards(ctx context.Context, list []view.Hit, rows []*retrieve.Row, o *RowOptions) error {
	ids := make([]uint32, len(rows))
	places := map[uint32]int{}
	for i, row := range rows {
		ids[i] = row.Game
		places[row.Game] = i
	}
	slices.Sort(ids)
	type work struct {
		at   int
		game *record.Game
	}
	todo := make(chan work, len(rows))
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(rows)) {
		wg.Go(func() {
			referee := l.Referee()
			defer l.GiveBack(referee)
			for w := range todo {
				h := &list[w.at]
				at, err := l.boardOf(ctx, referee, w.game, rows[w.at], h.Ply, o)
				if err != nil {
					l.log.Warn("no board of a record", "game", h.Record.ID, "err", err)
					continue
				}
				h.Pieces, h.Texts, h.Next = at.pieces, at.texts, at.next
				if k, err := l.kinds.Find(h.Record.Game); err == nil {
					h.Last = k.PointIndex(at.last)
				}
			}
		})
	}
	var failed error
	for text, err := range l.lib.Texts(ctx, ids) {
		if err != nil {
			if !errors.Is(err, store.ErrDamaged) && !errors.Is(err, store.ErrNoGame) {
				failed = err
				break
			}
			continue // the check of the library tells; the list is of use without
		}
		g, err := record.DecodeGame(text.Record)
		if err != nil {
			l.log.Warn("a record cannot be read", "game", text.ID, "err", err)
			continue
		}
		todo <- work{places[text.ID], g}
	}
	close(todo)
	wg.Wait()
	return failed
}

// boardOf plays a record, which it may cut, up to a ply, or to its end where
// that is negative.
func (l *Lister) boardOf(ctx context.Context, referee *record.Referee, g *record.Game, row *retrieve.Row, ply int, o *RowOptions) (*boardAt, error) {
	aside := row.Variation && ply >= 0
	if ply >= 0 && !aside {
		cutAfter(g, ply+1)
	}
	p := referee.Play(g)
	if p.Start.Board == nil {
		return nil, errors.New("it has no board")
	}
	steps, changes := p.Steps, p.Changes
	if aside {
		var found bool
		if steps, changes, found = l.lineOf(p, row, ply, o.Shape); !found {
			return nil, fmt.Errorf("no line of it has the board at ply %d", ply)
		}
	}
	if ply < 0 || ply > len(steps) {
		ply = len(steps)
	}
	b, at := BoardAfter(p.Start.Board, changes, ply), &boardAt{last: board.NoPoint}
	at.pieces = view.Pieces(b)
	if _, ok := p.Rules.Start().(game.Celled); ok {
		pos, err := record.At(&record.Played{Game: g, Rules: p.Rules, Start: p.Start, Steps: steps}, ply)
		if err != nil {
			return nil, err
		}
		_, cells := game.Shown(pos)
		at.texts = view.Texts(b.Size, cells)
	}
	if ply > 0 {
		at.last = steps[ply-1].Move.To()
	}
	if ply < len(steps) && steps[ply].Move != game.NoMove {
		at.next = l.moveText(p.Rules, b, &steps[ply], g, o.Notation)
	}
	return at, nil
}

// lineOf returns the line beside the main one in which a row lies: the first
// that has a position of its own at the ply, with the board of the row on it.
func (l *Lister) lineOf(p *record.Played, row *retrieve.Row, ply int, shape *query.Shape) (steps []record.Step, changes []record.Change, found bool) {
	var place *pattern.Placement
	if shape != nil && len(shape.Next) == 0 {
		places, _ := pattern.Compile(shape.Pattern, pattern.BoardOf(p.Rules))
		for i := range places {
			if x := &places[i]; x.Symmetry == row.Symmetry && x.X == int(row.X) && x.Y == int(row.Y) {
				place = x
				break
			}
		}
	}
	for line := range record.Lines(p.Rules, p.Game) {
		if ply <= line.From || ply > len(line.Steps) {
			continue
		}
		fits := place == nil || fits(BoardAfter(p.Start.Board, line.Changes, ply), place)
		if !found || fits {
			steps, changes, found = slices.Clone(line.Steps), slices.Clone(line.Changes), true
		}
		if fits {
			break
		}
	}
	return steps, changes, found
}

// moveText returns the text of a move on a board: in the notation, where the
// game has it and the rules know the move, else as the record has it.
func (l *Lister) moveText(r game.Rules, b *board.Planes, step *record.Step, g *record.Game, notation string) string {
	if !slices.ContainsFunc(r.Info().Notations, func(n game.NotationInfo) bool { return string(n.Name) == notation }) {
		notation = ""
	}
	setup := game.NewSetup(r)
	setup.Board, setup.Turn = b, step.Side
	pos, err := r.Arrange(setup)
	if err != nil {
		return g.Nodes[step.Node].Move
	}
	return game.FormatMove(r, pos, step.Move, game.Notation(notation))
}

// NewLister returns a lister of a library. Version may be nil.
func NewLister(lib *library.Library, kinds *gameview.Kinds, log *slog.Logger, version func(context.Context) (any, bool)) *Lister {
	return &Lister{lib: lib, kinds: kinds, log: log, version: version}
}

// listedFor is how long games of lists are kept while the library changes all the time.
const listedFor = 2 * time.Second

// maxListed bounds how many games are kept for lists: some megabytes.
const maxListed = 20_000

// boardAt is what a record has at a ply.
type boardAt struct {
	pieces []int
	texts  []string
	last   board.Point
	next   string
}

// cutAfter ends the main line of a record behind so many moves. Each move is a
// step at least, so that it has as many steps then as anybody needs.
func cutAfter(g *record.Game, moves int) {
	for i, n := range g.Main() {
		if n.Move != "" {
			moves--
		}
		if moves <= 0 {
			g.Nodes[i].Child = 0
			return
		}
	}
}

// BoardAfter returns the board after some steps, of the size of the start.
func BoardAfter(start *board.Planes, changes []record.Change, steps int) *board.Planes {
	b := board.NewPlanes(start.Size, len(start.Of))
	for _, c := range changes {
		if int(c.Step) > steps {
			break
		}
		b.Put(c.Point, c.Piece)
	}
	return b
}

// fits reports whether a placement of a pattern stands on a board.
func fits(b *board.Planes, place *pattern.Placement) bool {
	for i, point := range place.Points {
		if !place.Sets[i].Has(b.At(b.Size.Point(int(point)))) {
			return false
		}
	}
	return true
}
