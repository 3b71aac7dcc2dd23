package gametest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"qipu/board"
	"qipu/game"
	"qipu/internal/testkit"
)

// Options tunes Run; the zero value suits most games.
type Options struct {
	Games int // random games to play; 0 means 20, or 200 at full scale
	Plies int // at most so many plies a game; 0 means 300
	Seed  uint64

	// PassRate is the probability to play a listed pass, if other moves exist.
	// It keeps random games of Go from ending after a few moves.
	PassRate float64

	// History tells that the moves of a position depend on earlier ones (Go
	// under superko): the same position set up anew may have more of them.
	History bool

	// Allocs is the number of allocations allowed to replay a whole game on a
	// position that has played it before. It should stay 0.
	Allocs float64
}

// Run plays random games and checks every law of the game interface. It must
// not run in parallel with other tests, since it counts allocations.
func Run(t *testing.T, r game.Rules, o Options) {
	if o.Games == 0 {
		o.Games = testkit.Scale(20, 200)
	}
	if o.Plies == 0 {
		o.Plies = 300
	}
	t.Run("facts", func(t *testing.T) { checkFacts(t, r) })
	t.Run("arrange", func(t *testing.T) { checkArrange(t, r) })
	t.Run("random", func(t *testing.T) {
		k := &kit{t: t, r: r, o: o, size: r.Geometry().Size, seen: map[uint64]string{}}
		for i := range o.Games {
			k.rng = rand.New(rand.NewPCG(o.Seed, uint64(i)))
			k.playGame(i)
			if t.Failed() {
				return
			}
		}
	})
	t.Run("allocations", func(t *testing.T) { checkAllocs(t, r, o) })
}

// kit checks one kind of game.
type kit struct {
	t    *testing.T
	r    game.Rules
	o    Options
	size board.Size
	rng  *rand.Rand

	line []string          // the moves of the current game, for messages
	seen map[uint64]string // position text by hash
}

// fatal reports a broken law with the line of play that leads to it.
func (k *kit) fatal(format string, args ...any) {
	k.t.Helper()
	k.t.Fatalf("%s\nafter: %s", fmt.Sprintf(format, args...), strings.Join(k.line, " "))
}

func (k *kit) playGame(number int) {
	p := k.r.Start()
	start := k.snapshot(p)
	k.line = k.line[:0]
	k.checkShown(p)
	plies, told := 0, [][]game.Changed{k.changed(p)}
	if len(told[0]) > 0 {
		k.fatal("a new position says that %v were changed", told[0])
	}
	for ; plies < k.o.Plies; plies++ {
		moves := p.AppendMoves(nil)
		k.checkMoves(p, moves)
		k.checkHash(p)
		if plies%7 == number%7 {
			k.checkEveryMove(p, moves)
			k.checkUndo(p, moves)
			k.checkSymmetries(p)
		}
		if plies%28 == number%28 {
			k.checkCopy(p)
		}
		if len(moves) == 0 {
			break
		}
		m := k.choose(moves)
		k.checkNotations(p, m)
		k.line = append(k.line, game.FormatMove(k.r, p, m, game.AnyNotation))
		before, stood := k.boardOf(p), k.standing(p)
		if err := p.Play(m); err != nil {
			k.fatal("listed move refused: %v", err)
		}
		k.checkNamed(p, m, stood)
		told = append(told, k.checkChanged(p, m, before))
	}
	for i := plies - 1; i >= 0; i-- {
		p.Undo()
		if got := k.changed(p); !slices.Equal(got, told[i]) {
			k.fatal("undone to ply %d, AppendChanged says %v, want %v", i, got, told[i])
		}
	}
	if end := k.snapshot(p); end != start {
		k.fatal("undoing the whole game gives\n%s\nwant\n%s", end, start)
	}
}

// checkShown checks that texts and drawings have something to show.
func (k *kit) checkShown(p game.Position) {
	k.t.Helper()
	_, planar := p.(game.Planar)
	_, celled := p.(game.Celled)
	_, noted := p.(game.Noted)
	if !planar && !(celled && noted) {
		k.fatal("a position that is not a game.Planar must be a game.Celled, for drawings, and a game.Noted, for texts")
	}
	if game.SetupOf(p).Board == nil {
		k.fatal("the arrangement of the position has no board")
	}
}

// checkCopy checks that a copy has the whole history and shares nothing.
func (k *kit) checkCopy(p game.Position) {
	k.t.Helper()
	c, ok := p.(game.Copier)
	if !ok {
		return
	}
	before, twin := k.snapshot(p), c.Copy()
	same := func(what string, q game.Position, want string) {
		k.t.Helper()
		if got := k.snapshot(q); got != want {
			k.fatal("%s is\n%s\nwant\n%s", what, got, want)
		}
	}
	same("a copy", twin, before)
	// The same moves on both, one after the other: each is alone.
	made := 0
	for ; made < 6; made++ {
		moves := p.AppendMoves(nil)
		if len(moves) == 0 {
			break
		}
		m, stood := k.choose(moves), k.snapshot(twin)
		if err := p.Play(m); err != nil {
			k.fatal("listed move refused: %v", err)
		}
		same("a copy, while the position is played on,", twin, stood)
		after := k.snapshot(p)
		if err := twin.Play(m); err != nil {
			k.fatal("a copy refuses what the position takes: %v", err)
		}
		same("a copy behind the same move", twin, after)
		same("the position, while its copy is played on,", p, after)
	}
	played := k.snapshot(p)
	for range made + len(k.line) {
		twin.Undo()
	}
	same("a copy taken back to the start", twin, k.snapshot(k.r.Start()))
	same("the position, while its copy is taken back,", p, played)
	for range made {
		p.Undo()
	}
	same("the position behind it all", p, before)
}

func (k *kit) choose(moves []game.Move) game.Move {
	m := moves[k.rng.IntN(len(moves))]
	if m == game.Pass && len(moves) > 1 && k.rng.Float64() >= k.o.PassRate {
		i := slices.Index(moves, game.Pass)
		return moves[(i+1+k.rng.IntN(len(moves)-1))%len(moves)]
	}
	return m
}

// snapshot is everything observable of a position.
func (k *kit) snapshot(p game.Position) string {
	return fmt.Sprintf("%s turn %d hash %016x outcome %+v moves %v changed %v",
		game.FormatPosition(k.r, p), p.Turn(), p.Hash(), p.Outcome(), sorted(p.AppendMoves(nil)), k.changed(p))
}

func sorted(moves []game.Move) []game.Move {
	moves = slices.Clone(moves)
	slices.Sort(moves)
	return moves
}

func (k *kit) checkMoves(p game.Position, moves []game.Move) {
	k.t.Helper()
	o := p.Outcome()
	if o.Final() != (len(moves) == 0) {
		k.fatal("outcome %+v with %d moves", o, len(moves))
	}
	if o.State != game.Won && (o.Winner != 0 || o.Margin != 0) {
		k.fatal("outcome %+v has a winner or a margin", o)
	}
	if c, ok := p.(game.MoveCounter); ok && c.CountMoves() != len(moves) {
		k.fatal("CountMoves = %d, listed %d", c.CountMoves(), len(moves))
	}
	order := sorted(moves)
	if len(slices.Compact(order)) != len(moves) {
		k.fatal("a move is listed twice: %v", moves)
	}
	prefix := []game.Move{game.Pass}
	if got := p.AppendMoves(prefix); len(got) != len(moves)+1 || got[0] != game.Pass {
		k.fatal("AppendMoves does not append")
	}
}

// checkHash compares the position with the same one set up from its text, and
// with every position of the same hash met before.
func (k *kit) checkHash(p game.Position) {
	k.t.Helper()
	text := game.FormatPosition(k.r, p)
	fresh := k.parse(text)
	if fresh.Hash() != p.Hash() {
		k.fatal("hash %016x, set up anew %016x: %s", p.Hash(), fresh.Hash(), text)
	}
	if again := game.FormatPosition(k.r, fresh); again != text {
		k.fatal("position text %q reads back as %q", text, again)
	}
	have, want := p.AppendMoves(nil), fresh.AppendMoves(nil)
	if p.Outcome().Final() == fresh.Outcome().Final() {
		for _, m := range have {
			if !slices.Contains(want, m) {
				k.fatal("move %s is not legal in the same position set up anew", k.name(p, m))
			}
		}
		if len(have) != len(want) && !k.o.History {
			k.fatal("%d moves, but %d in the same position set up anew", len(have), len(want))
		}
	}
	shown := game.SetupOf(p)
	shown.Quiet, shown.Number, shown.Prisoners = 0, 0, [2]int{}
	key := string(game.AppendSetup(nil, k.r, shown))
	if old, ok := k.seen[p.Hash()]; ok && old != key {
		k.fatal("hash %016x of %q is that of %q too", p.Hash(), key, old)
	}
	k.seen[p.Hash()] = key
}

func (k *kit) setupText(s game.Setup) string { return string(game.AppendSetup(nil, k.r, s)) }

func (k *kit) parse(text string) game.Position {
	k.t.Helper()
	p, err := game.ParsePosition(k.r, text)
	if err != nil {
		k.fatal("position text %q does not read back: %v", text, err)
	}
	return p
}

func (k *kit) name(p game.Position, m game.Move) string {
	return game.FormatMove(k.r, p, m, game.AnyNotation)
}

// checkEveryMove tries every move there can be: exactly the listed ones must
// be playable, and a refused one must change nothing.
func (k *kit) checkEveryMove(p game.Position, moves []game.Move) {
	k.t.Helper()
	before := k.snapshot(p)
	try := func(m game.Move) {
		err := p.Play(m)
		listed := slices.Contains(moves, m)
		switch {
		case err == nil && !listed:
			k.fatal("move %v to %v is playable but not listed", m.From(), m.To())
		case err != nil && listed:
			k.fatal("listed move %s is refused: %v", k.name(p, m), err)
		case err != nil && !errors.Is(err, game.ErrIllegal):
			k.fatal("the error %q does not wrap ErrIllegal", err)
		}
		if err == nil {
			p.Undo()
		}
	}
	try(game.NoMove)
	try(game.Pass)
	outside := []board.Point{board.At(k.size.W, 0), board.At(0, k.size.H), board.MaxPoints - 1, 1023}
	points := append(slices.Collect(k.size.Points()), outside...)
	for _, to := range points {
		try(game.Drop(to))
	}
	for _, from := range points {
		for _, to := range points {
			try(game.Step(from, to))
		}
		if k.size.Area() > 100 && k.rng.IntN(8) != 0 {
			break // large boards have no moving pieces: one origin will do
		}
	}
	k.tryNaming(moves, points, try)
	k.tryWays(moves, points, try)
	if after := k.snapshot(p); after != before {
		k.fatal("trying moves changed the position from\n%s\nto\n%s", before, after)
	}
}

// tryNaming tries moves that name a piece: all of them in a game that has such,
// in others what the listed moves would be with a name.
func (k *kit) tryNaming(moves []game.Move, points []board.Point, try func(game.Move)) {
	pieces := []board.Piece{1, 2, 255}
	try(game.Pass.Naming(1))
	if !k.r.Info().NamesPieces {
		for i, m := range moves {
			try(m.Naming(pieces[i%len(pieces)]))
		}
		return
	}
	for i := range k.r.Geometry().Pieces {
		pieces = append(pieces, board.Piece(i+1))
	}
	for _, piece := range pieces {
		for _, to := range points {
			try(game.Drop(to).Naming(piece))
			for _, from := range points {
				try(game.Step(from, to).Naming(piece))
			}
		}
	}
}

// tryWays tries moves by other ways between their ends: all that there can be in a game
// that has such, in others those of the listed moves.
func (k *kit) tryWays(moves []game.Move, points []board.Point, try func(game.Move)) {
	for way := 1; way < 4; way++ {
		if !k.r.Info().Ways {
			for _, m := range moves {
				try(m.By(way))
			}
			continue
		}
		for _, from := range points {
			for _, to := range points {
				try(game.Step(from, to).By(way))
			}
		}
	}
}

// checkNamed checks that a move names a piece of the first side exactly where it
// must: a drop which, a step what the piece has become. Those who see boards
// alone know the move again by that.
func (k *kit) checkNamed(p game.Position, m game.Move, before *board.Planes) {
	k.t.Helper()
	looks := k.r.Geometry().Pieces
	named := m.Piece()
	switch {
	case named != board.Empty && !k.r.Info().NamesPieces:
		k.fatal("%s names a piece, and Info.NamesPieces does not tell", k.line[len(k.line)-1])
	case named != board.Empty && (int(named) > len(looks) || looks[named-1].Owner != int(game.First)):
		k.fatal("%s names piece %d, which is none of the first side", k.line[len(k.line)-1], named)
	}
	after, _ := game.Shown(p)
	if before == nil || after == nil || !k.r.Info().NamesPieces || m.To() == board.NoPoint {
		return
	}
	is, was := asFirst(looks, after.At(m.To())), board.Empty
	if m.From() != board.NoPoint {
		was = asFirst(looks, before.At(m.From()))
	}
	if is != was && named != is || is == was && named != board.Empty {
		k.fatal("%s names piece %d, but piece %d came from piece %d", k.line[len(k.line)-1], named, is, was)
	}
}

// standing returns a copy of the board before a move that may name a piece; nil
// in other games.
func (k *kit) standing(p game.Position) *board.Planes {
	if planes, _ := game.Shown(p); planes != nil && k.r.Info().NamesPieces {
		return planes.Clone()
	}
	return nil
}

// asFirst returns a piece as the first side has it.
func asFirst(looks []board.Look, p board.Piece) board.Piece {
	if p != board.Empty && looks[p-1].Owner != int(game.First) {
		return looks[p-1].Swap
	}
	return p
}

func (k *kit) checkUndo(p game.Position, moves []game.Move) {
	k.t.Helper()
	before := k.snapshot(p)
	planes := k.boardOf(p)
	for _, m := range moves {
		name := k.name(p, m)
		if err := p.Play(m); err != nil {
			k.fatal("listed move refused: %v", err)
		}
		k.checkChanged(p, m, planes)
		p.Undo()
		if after := k.snapshot(p); after != before {
			k.fatal("%s and undo changed the position from\n%s\nto\n%s", name, before, after)
		}
		if len(moves) > 60 && k.rng.IntN(4) != 0 {
			break // a snapshot lists all moves: on large boards a sample will do
		}
	}
}

func (k *kit) checkNotations(p game.Position, m game.Move) {
	k.t.Helper()
	for _, n := range k.r.Info().Notations {
		text := game.FormatMove(k.r, p, m, n.Name)
		back, err := k.r.ParseMove(p, text, n.Name)
		if err != nil || back != m {
			k.fatal("%s %q reads back as %v to %v (%v)", n.Name, text, back.From(), back.To(), err)
		}
	}
	text := game.FormatMove(k.r, p, m, game.AnyNotation)
	if back, err := k.r.ParseMove(p, text, game.AnyNotation); err != nil || back != m {
		k.fatal("%q reads back as %v to %v (%v)", text, back.From(), back.To(), err)
	}
	moves, err := game.ParseMoves(k.r, p, text)
	if err != nil || len(moves) != 1 || moves[0] != m {
		k.fatal("the list %q reads back as %v (%v)", text, moves, err)
	}
	p.Undo()
}

// checkSymmetries lays the position onto itself in every way that the game
// allows: the moves must follow.
func (k *kit) checkSymmetries(p game.Position) {
	k.t.Helper()
	setup := game.SetupOf(p)
	fresh, err := k.r.Arrange(setup)
	if err != nil {
		k.fatal("the position cannot be arranged: %v", err)
	}
	moves := fresh.AppendMoves(nil)
	for _, sym := range k.r.Info().Symmetries {
		picture := setup.Transform(k.r, sym)
		turned, err := k.r.Arrange(picture)
		if err != nil {
			k.fatal("%v (swap %v): %v", sym.Board, sym.Swap, err)
		}
		before, after := k.setupText(setup), k.setupText(picture.Transform(k.r, sym.Inverse()))
		if after != before {
			k.fatal("%v (swap %v) and back makes %q of %q", sym.Board, sym.Swap, after, before)
		}
		var want []game.Move
		for _, m := range moves {
			picture := m.Transform(k.size, sym.Board)
			if back := picture.Transform(k.size, sym.Board.Inverse()); back != m || picture.Piece() != m.Piece() {
				k.fatal("%v and back makes %#x of %#x", sym.Board, back, m)
			}
			want = append(want, picture)
		}
		if got := turned.AppendMoves(nil); !slices.Equal(sorted(got), sorted(want)) {
			k.fatal("%v (swap %v) has other moves: %v, want %v", sym.Board, sym.Swap, sorted(got), sorted(want))
		}
		a := fresh.Outcome()
		if sym.Swap && a.State == game.Won {
			a.Winner = a.Winner.Opponent()
		}
		if b := turned.Outcome(); a.State != b.State || a.Winner != b.Winner || a.Reason != b.Reason {
			k.fatal("%v (swap %v): outcome %+v, want %+v", sym.Board, sym.Swap, b, a)
		}
	}
}

// checkArrange checks that arrangements that cannot be are refused.
func checkArrange(t *testing.T, r game.Rules) {
	g := r.Geometry()
	bad := map[string]func(*game.Setup){
		"no board": func(s *game.Setup) { s.Board = nil },
		"another size": func(s *game.Setup) {
			s.Board = board.NewPlanes(board.Size{W: g.Size.W + 1, H: g.Size.H}, len(g.Pieces))
		},
		"too many planes": func(s *game.Setup) { s.Board.Of = append(s.Board.Of, board.Plane{}) },
		"no such side":    func(s *game.Setup) { s.Turn = game.Side(len(r.Info().Sides)) },
		"another variant": func(s *game.Setup) { s.Board.Size.W++ },
	}
	if len(g.Pieces) > 0 {
		bad["too few planes"] = func(s *game.Setup) { s.Board.Of = s.Board.Of[1:] }
		bad["two on a point"] = func(s *game.Setup) { s.Board.Of[0].Add(0); s.Board.Of[1].Add(0) }
		bad["outside"] = func(s *game.Setup) { s.Board.Of[0].Add(board.At(g.Size.W, 0)) }
		bad["outside, below"] = func(s *game.Setup) { s.Board.Of[0].Add(board.Outside) }
	}
	for name, spoil := range bad {
		s := game.SetupOf(r.Start())
		spoil(&s)
		if _, err := r.Arrange(s); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

// checkAllocs replays random games on a warmed-up position.
func checkAllocs(t *testing.T, r game.Rules, o Options) {
	k := &kit{t: t, r: r, o: o, rng: rand.New(rand.NewPCG(o.Seed, 99))}
	p := r.Start()
	var line, buf []game.Move
	for len(line) < o.Plies {
		buf = p.AppendMoves(buf[:0])
		if len(buf) == 0 {
			break
		}
		m := k.choose(buf)
		line = append(line, m)
		if err := p.Play(m); err != nil {
			t.Fatal(err)
		}
	}
	var told []game.Changed
	replay := func() {
		for range line {
			p.Undo()
		}
		for _, m := range line {
			buf = p.AppendMoves(buf[:0])
			if p.Play(m) != nil {
				t.Fatal("replay failed")
			}
			_ = p.Hash()
			if c, ok := p.(game.Changer); ok {
				told = c.AppendChanged(told[:0])
			}
		}
	}
	replay()
	if n := testing.AllocsPerRun(5, replay); n > o.Allocs {
		t.Errorf("replaying %d moves allocates %v times, want at most %v", len(line), n, o.Allocs)
	}
}
