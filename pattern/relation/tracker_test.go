package relation

import (
	"bytes"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"

	"qipu/board"
	"qipu/game"
	"qipu/game/chess"
	"qipu/game/xiangqi"
	"qipu/internal/testkit"
	"qipu/interval"
	"qipu/pattern"
	"qipu/pattern/relation/syntax"
	"qipu/record"
	"qipu/record/pgn"
)

// mixed returns the shipped patterns and random ones.
func mixed(t testing.TB, n int) []*syntax.Pattern {
	t.Helper()
	list, _ := ours(t)
	g := generator{rand.New(rand.NewPCG(5, 5))}
	for i := range n {
		f := syntax.Parse("random", []byte(g.pattern(i)))
		if len(f.Faults) > 0 {
			t.Fatal(f.Faults[0])
		}
		list = append(list, f.Patterns...)
	}
	return list
}

// holding returns what holds by looking at the whole board.
func holding(s *Set, v *pattern.View) [2]map[string]bool {
	held := [2]map[string]bool{{}, {}}
	for _, m := range s.AppendMatches(nil, v) {
		held[m.Side][m.ID] = true
	}
	return held
}

// same compares a tracker with that.
func same(t *testing.T, tr *Tracker, v *pattern.View, ply int) (n int) {
	t.Helper()
	want := holding(tr.set, v)
	for i, p := range tr.set.patterns {
		for side := range game.Side(2) {
			if tr.Holds(i, side) != want[side][p.ID] {
				t.Fatalf("ply %d: %s of side %d: the tracker says %v\n%s", ply, p.ID, side, tr.Holds(i, side), p)
			}
			if want[side][p.ID] {
				n++
			}
		}
	}
	return n
}

// follow plays a game and compares at every ply.
func follow(t *testing.T, tr *Tracker, p game.Position, usual bool, moves []game.Move) (n int) {
	t.Helper()
	tr.Reset(viewAt(p, nil, usual))
	var past []pattern.Played
	n = same(t, tr, viewAt(p, past, usual), 0)
	for i, m := range moves {
		past = append(past, step(t, p, m))
		tr.Play(past[i], p.Turn(), p.(Facts))
		n += same(t, tr, viewAt(p, past, usual), i+1)
	}
	return n
}

// randomMoves returns moves of a random game, captures and checks more often than
// others.
func randomMoves(rng *rand.Rand, p game.Position, n int) (moves []game.Move) {
	for range n {
		list := p.AppendMoves(nil)
		if len(list) == 0 {
			break
		}
		m := list[rng.IntN(len(list))]
		for range 3 {
			if p.(game.Planar).Planes().At(m.To()) != board.Empty {
				break
			}
			m = list[rng.IntN(len(list))]
		}
		moves = append(moves, m)
		if err := p.Play(m); err != nil {
			panic(err)
		}
	}
	for range moves {
		p.Undo()
	}
	return moves
}

// A tracker knows at every ply what looking at the whole board finds.
func TestTrackerIsAppendMatches(t *testing.T) {
	tr := compile(t, mixed(t, testkit.Scale(250, 1500))).NewTracker()
	rng := rand.New(rand.NewPCG(11, 11))
	n := 0
	for range testkit.Scale(6, 200) {
		p := xiangqi.Standard.Start()
		n += follow(t, tr, p, true, randomMoves(rng, p, 120))
	}
	for range testkit.Scale(40, 1000) {
		p := randomBoard(rng)
		n += follow(t, tr, p, false, randomMoves(rng, p, 12))
	}
	if n == 0 {
		t.Error("nothing held")
	}
}

// The same on real games.
func TestTrackerOnRealGames(t *testing.T) {
	tr := compile(t, mixed(t, 60)).NewTracker()
	n := 0
	for _, g := range realGames(t, testkit.Scale(12, 400), 40) {
		p, err := xiangqi.Standard.Arrange(g.Start)
		if err != nil {
			t.Fatal(err)
		}
		n += follow(t, tr, p, usualStart(p), movesOf(g))
	}
	if n == 0 {
		t.Error("nothing held")
	}
}

func usualStart(p game.Position) bool { return p.Hash() == xiangqi.Standard.Start().Hash() }

// realGames reads some records, one of every few; all moves of them are legal.
func realGames(t testing.TB, n, every int) (list []*record.Played) {
	t.Helper()
	referee := record.NewReferee(game.Catalog{xiangqi.Standard})
	if !testkit.Shared() {
		every = 1
	}
	seen := 0
	for name, data := range testkit.Archive(t, testkit.Games(t, "xiangqi/xiangqi-games.tar.gz")) {
		if path.Ext(name) != ".pgn" {
			continue
		}
		if seen++; seen%every != 0 {
			continue
		}
		for g, err := range pgn.Format.Read(&record.Source{Name: name, Reader: bytes.NewReader(data), Size: int64(len(data))}) {
			if err == nil {
				if p := referee.Play(g); p.Legal() {
					list = append(list, p)
				}
			}
			break
		}
		if len(list) == n {
			break
		}
	}
	return list
}

func movesOf(g *record.Played) (list []game.Move) {
	for _, s := range g.Steps {
		if s.Move == game.NoMove {
			break
		}
		list = append(list, s.Move)
	}
	return list
}

// The same in chess, where patterns are about pawns alone, pins and points that differ.
// A tracker begins anew where a move is more than one piece that goes.
func TestTrackerOnChess(t *testing.T) {
	files, err := syntax.Read(shippedFS, "shipped/")
	if err != nil {
		t.Fatal(err)
	}
	list, _ := syntax.New(files...).Of(chess.Standard.Info().Name)
	set, err := Compile(list, chess.Standard)
	if err != nil {
		t.Fatal(err)
	}
	tr := set.NewTracker()
	rng := rand.New(rand.NewPCG(12, 12))
	n := 0
	for range testkit.Scale(12, 400) {
		p := chess.Standard.Start()
		tr.Reset(viewAt(p, nil, true))
		var past []pattern.Played
		for i, m := range randomMoves(rng, p, 160) {
			before := p.(game.Planar).Planes().Clone()
			played := pattern.Played{From: m.From(), To: m.To(), Piece: before.At(m.From()), Taken: before.At(m.To())}
			if err := p.Play(m); err != nil {
				t.Fatal(err)
			}
			past = append(past, played)
			before.Put(m.From(), board.Empty)
			before.Put(m.To(), played.Piece)
			if slices.Equal(before.Of, p.(game.Planar).Planes().Of) {
				tr.Play(played, p.Turn(), p.(Facts))
			} else {
				tr.Reset(viewAt(p, past, true))
			}
			n += same(t, tr, viewAt(p, past, true), i+1)
		}
	}
	if n == 0 {
		t.Error("nothing held")
	}
}

// A marker says of games of chess what looking at each board says: kings castle, pawns
// become other pieces and take in passing.
func TestMarkerOnChess(t *testing.T) {
	files, err := syntax.Read(shippedFS, "shipped/")
	if err != nil {
		t.Fatal(err)
	}
	list, _ := syntax.New(files...).Of(chess.Standard.Info().Name)
	set, err := Compile(list, chess.Standard)
	if err != nil {
		t.Fatal(err)
	}
	m := NewMarker(set)
	rng := rand.New(rand.NewPCG(13, 13))
	size := board.Size{W: 8, H: 8}
	for _, from := range []string{"", "r3k2r/pPp2p2/8/3pP3/8/8/P1P2PpP/R3K2R w KQkq d6", "8/PPPk4/8/8/8/8/4Kppp/8 w - -"} {
		for range testkit.Scale(6, 100) {
			p := chess.Standard.Start()
			if from != "" {
				setup, err := game.ParseSetup(chess.Standard, from)
				if err != nil {
					t.Fatal(err)
				}
				if p, err = chess.Standard.Arrange(setup); err != nil {
					t.Fatal(err)
				}
			}
			usual := from == ""
			// A board is looked at when the game has gone on.
			again := func(p game.Position) game.Position {
				q, err := chess.Standard.Arrange(game.SetupOf(p))
				if err != nil {
					t.Fatal(err)
				}
				return q
			}
			l := interval.Line{End: 1}
			put := func(slot uint16, b, before *board.Planes) {
				for i := range size.Area() {
					at := size.Point(i)
					if before == nil && b.At(at) != board.Empty || before != nil && b.At(at) != before.At(at) {
						l.Changes = append(l.Changes, interval.Change{Slot: slot, Point: uint16(i), Piece: b.At(at)})
					}
				}
			}
			put(0, p.(game.Planar).Planes(), nil)
			var past []pattern.Played
			at := []*pattern.View{{Planes: p.(game.Planar).Planes().Clone(), Turn: p.Turn(), Usual: usual, Facts: again(p)}}
			slots := []uint16{0}
			var moves []game.Move
			if usual && rng.IntN(2) == 0 {
				for _, text := range strings.Fields("d4 d5 Nc3 Nf6 Bf4 g6 Qd2 Bg7 O-O-O O-O") {
					mv, err := chess.Standard.ParseMove(p, text, game.AnyNotation)
					if err == nil {
						err = p.Play(mv)
					}
					if err != nil {
						t.Fatal(err)
					}
					moves = append(moves, mv)
				}
			}
			played := len(moves)
			moves = append(moves, randomMoves(rng, p, 120)...)
			for range played {
				p.Undo()
			}
			for _, mv := range moves {
				before := p.(game.Planar).Planes().Clone()
				past = append(past, pattern.Played{From: mv.From(), To: mv.To(), Piece: before.At(mv.From()), Taken: before.At(mv.To())})
				if err := p.Play(mv); err != nil {
					t.Fatal(err)
				}
				put(l.End, p.(game.Planar).Planes(), before)
				l.Moves = append(l.Moves, uint16(size.Index(mv.From())<<8|size.Index(mv.To())))
				slots = append(slots, l.End)
				at = append(at, &pattern.View{Planes: p.(game.Planar).Planes().Clone(), Turn: p.Turn(), Moves: slices.Clone(past), Usual: usual, Facts: again(p)})
				l.End++
			}
			want := marksOf(set, &l, at, slots)
			if got := m.AppendMarks(nil, &l, nil); !slices.Equal(got, want) {
				t.Fatalf("%d marks, want %d", len(got), len(want))
			}
		}
	}
}

// replay is a game as the benchmarks play it: without the work of reading it.
type replay struct {
	start game.Setup
	usual bool
	moves []game.Move
	past  []pattern.Played
	line  interval.Line
}

func replays(t testing.TB, n, every int) (list []replay, positions int) {
	for _, g := range realGames(t, n, every) {
		p, err := xiangqi.Standard.Arrange(g.Start)
		if err != nil {
			t.Fatal(err)
		}
		r := replay{start: g.Start, usual: usualStart(p), moves: movesOf(g)}
		r.line = lineFrom(p)
		for _, m := range r.moves {
			mv := step(t, p, m)
			r.past = append(r.past, mv)
			addMove(&r.line, mv)
		}
		r.line.End = interval.NextSlot(uint16(len(r.moves)), p.Turn())
		list = append(list, r)
		positions += len(r.moves)
	}
	return list, positions
}

// BenchmarkTracker replays real games and reports the time of a position, without
// that of playing the moves.
func BenchmarkTracker(b *testing.B) {
	list, positions := replays(b, 300, 50)
	all, _ := ours(b)
	only := func(k syntax.Kind) []*syntax.Pattern {
		return slices.DeleteFunc(slices.Clone(all), func(p *syntax.Pattern) bool { return p.Kind != k })
	}
	for _, c := range []struct {
		name     string
		patterns []*syntax.Pattern
	}{{"moves alone", nil}, {"structures", only(syntax.Structure)}, {"openings", only(syntax.Opening)}, {"mates", only(syntax.Mate)}, {"all", all}} {
		b.Run(c.name, func(b *testing.B) {
			tr := compile(b, c.patterns).NewTracker()
			before := testkit.CPU()
			for b.Loop() {
				for i := range list {
					r := &list[i]
					p, err := xiangqi.Standard.Arrange(r.start)
					if err != nil {
						b.Fatal(err)
					}
					pos := p.(*xiangqi.Position)
					tr.Reset(viewAt(p, nil, r.usual))
					for i, m := range r.moves {
						if err := pos.Play(m); err != nil {
							b.Fatal(err)
						}
						tr.Play(r.past[i], pos.Turn(), pos)
					}
				}
			}
			b.ReportMetric(float64((testkit.CPU()-before).Nanoseconds())/float64(b.N)/float64(positions), "cpu-ns/position")
			b.ReportMetric(float64(len(c.patterns)), "patterns")
		})
	}
}

// BenchmarkMarker marks the lines of real games.
func BenchmarkMarker(b *testing.B) {
	list, _ := replays(b, 300, 50)
	all, _ := ours(b)
	m := NewMarker(compile(b, all))
	var marks []interval.Mark
	games, before := 0, testkit.CPU()
	for b.Loop() {
		for i := range list {
			marks = m.AppendMarks(marks[:0], &list[i].line, nil)
			games++
		}
	}
	b.ReportMetric(float64(games)/(testkit.CPU()-before).Seconds(), "games/cpu-s")
}

// lineFrom returns a line that begins with a position.
func lineFrom(p game.Position) (l interval.Line) {
	planes := p.(game.Planar).Planes()
	for i := range syntax.Xiangqi.Points() {
		if piece := planes.At(syntaxSize.Point(i)); piece != board.Empty {
			l.Changes = append(l.Changes, interval.Change{Point: uint16(i), Piece: piece})
		}
	}
	l.End = interval.NextSlot(0, p.Turn())
	if l.End == 2 {
		l.Skips = []uint16{1}
	}
	return l
}

// addMove appends a move at the end of a line; whose turn it is behind it is told
// by the side that moved.
func addMove(l *interval.Line, m pattern.Played) {
	slot := l.End
	from, to := syntaxSize.Index(m.From), syntaxSize.Index(m.To)
	changes := []interval.Change{{Slot: slot, Point: uint16(to), Piece: m.Piece}, {Slot: slot, Point: uint16(from)}}
	l.Changes = append(l.Changes, changes...)
	l.Moves = append(l.Moves, uint16(from<<8|to))
	l.End = slot + 1
}

// marksOf returns the marks of a line by looking at each of its boards.
func marksOf(s *Set, l *interval.Line, at []*pattern.View, slots []uint16) (marks []interval.Mark) {
	held := make([][2]map[string]bool, len(at))
	for k, v := range at {
		held[k] = holding(s, v)
	}
	for i := range s.patterns {
		for side := range game.Side(2) {
			var from uint16
			was := false
			for k := range at {
				is := held[k][side][s.patterns[i].ID]
				if is && !was {
					from = slots[k]
				}
				if was && !is {
					marks = append(marks, interval.Mark{Column: uint16(i), Side: side, From: from, To: slots[k]})
				}
				was = is
			}
			if was {
				marks = append(marks, interval.Mark{Column: uint16(i), Side: side, From: from, To: l.End})
			}
		}
	}
	return marks
}

// A marker says of a line what looking at each of its boards says: also where a
// side moves twice, where moves are not legal, and where boards are set up.
func TestMarker(t *testing.T) {
	s := compile(t, mixed(t, 60))
	m := NewMarker(s)
	rng := rand.New(rand.NewPCG(21, 21))
	for round := range testkit.Scale(12, 300) {
		p := xiangqi.Standard.Start()
		usual := true
		if round%3 == 2 {
			p, usual = randomBoard(rng), false
		}
		l := lineFrom(p)
		b := p.(game.Planar).Planes().Clone()
		turn := p.Turn()
		var past []pattern.Played
		var at []*pattern.View
		slots := []uint16{0}
		look := func() {
			v := &pattern.View{Planes: b.Clone(), Turn: turn, Moves: slices.Clone(past), Usual: usual}
			if q, err := xiangqi.Standard.Arrange(game.Setup{Board: b.Clone(), Turn: turn}); err == nil {
				v.Facts = q
			}
			at = append(at, v)
		}
		look()
		for range 12 {
			q, err := xiangqi.Standard.Arrange(game.Setup{Board: b.Clone(), Turn: turn})
			odd := rng.IntN(8)
			switch {
			case odd == 0: // a set-up takes two pieces off
				slot := l.End
				n := 0
				for i := range syntax.Xiangqi.Points() {
					if piece := b.At(syntaxSize.Point(i)); piece != board.Empty && rng.IntN(10) == 0 && n < 2 {
						l.Changes = append(l.Changes, interval.Change{Slot: slot, Point: uint16(i)})
						b.Put(syntaxSize.Point(i), board.Empty)
						n++
					}
				}
				l.Moves = append(l.Moves, interval.NoMove)
				turn = interval.Mover(slot + 1)
				if n > 0 {
					past, usual = nil, false
				}
				l.End = slot + 1
				slots = append(slots, slot)
				look()
				continue
			case odd == 1 && len(past) > 0: // the side that moved last moves again
				l.Skips = append(l.Skips, l.End)
				l.End++
				turn = turn.Opponent()
				at[len(at)-1].Turn = turn
				at[len(at)-1].Facts = nil
				if q, err := xiangqi.Standard.Arrange(game.Setup{Board: b.Clone(), Turn: turn}); err == nil {
					at[len(at)-1].Facts = q
				}
				q, err = xiangqi.Standard.Arrange(game.Setup{Board: b.Clone(), Turn: turn})
			}
			var mv pattern.Played
			list := []game.Move(nil)
			if err == nil {
				list = q.AppendMoves(nil)
			}
			if odd == 2 || len(list) == 0 { // any piece of the side goes anywhere
				mv = anyMove(rng, b, turn)
			} else {
				mv = step(t, q, list[rng.IntN(len(list))])
			}
			if mv.Piece == board.Empty {
				break
			}
			slots = append(slots, l.End)
			addMove(&l, mv)
			b.Put(mv.From, board.Empty)
			b.Put(mv.To, mv.Piece)
			past = append(past, mv)
			turn = turn.Opponent()
			look()
		}
		want := marksOf(s, &l, at, slots)
		if got := m.AppendMarks(nil, &l, nil); !slices.Equal(got, want) {
			for i := range min(len(got), len(want)) {
				if got[i] != want[i] {
					t.Logf("%d: got %v, want %v: %s", i, got[i], want[i], s.patterns[want[i].Column])
					break
				}
			}
			t.Fatalf("round %d: %d marks, want %d\n%v", round, len(got), len(want), l)
		}
		odd := func(column int) bool { return column%2 == 1 }
		some := slices.DeleteFunc(slices.Clone(want), func(k interval.Mark) bool { return k.Column%2 == 0 })
		if got := m.AppendMarks(nil, &l, odd); !slices.Equal(got, some) {
			t.Fatalf("round %d: marks of wanted columns differ", round)
		}
	}
}

// anyMove takes a piece of a side to a point where none of its own stands.
func anyMove(rng *rand.Rand, b *board.Planes, side game.Side) (m pattern.Played) {
	for range 200 {
		from, to := syntaxSize.Point(rng.IntN(syntax.Xiangqi.Points())), syntaxSize.Point(rng.IntN(syntax.Xiangqi.Points()))
		piece, taken := b.At(from), b.At(to)
		if piece != board.Empty && syntaxSide(piece) == side && (taken == board.Empty || syntaxSide(taken) != side) {
			return pattern.Played{From: from, To: to, Piece: piece, Taken: taken}
		}
	}
	return m
}

// Sets and markers are used by many at once.
func TestConcurrent(t *testing.T) {
	s := compile(t, mixed(t, 40))
	m := NewMarker(s)
	rng := rand.New(rand.NewPCG(31, 31))
	p := xiangqi.Standard.Start()
	l := lineFrom(p)
	for _, mv := range randomMoves(rng, p, 60) {
		addMove(&l, step(t, p, mv))
	}
	setup := game.SetupOf(p)
	want := m.AppendMarks(nil, &l, nil)
	found := len(s.AppendMatches(nil, viewAt(p, nil, false)))
	if len(want) == 0 {
		t.Fatal("no marks")
	}
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			for range 5 {
				if got := m.AppendMarks(nil, &l, nil); !slices.Equal(got, want) {
					t.Error("marks differ")
				}
				q, err := xiangqi.Standard.Arrange(setup)
				if err != nil {
					t.Error(err)
					return
				}
				if n := len(s.AppendMatches(nil, viewAt(q, nil, false))); n != found {
					t.Errorf("%d matches, want %d", n, found)
				}
			}
		})
	}
	wait.Wait()
}
