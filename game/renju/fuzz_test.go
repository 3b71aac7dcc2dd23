package renju

import (
	"errors"
	"testing"

	"qipu/board"
	"qipu/game"
)

// FuzzForbidden reads bytes as the points of a board and holds the fouls
// against the oracle.
func FuzzForbidden(f *testing.F) {
	f.Add(byte(10), byte(10), []byte("....X....X.X.XX..O..X"))
	f.Add(byte(0), byte(0), []byte("XXXX"))
	f.Add(byte(20), byte(3), []byte("X.X.X.X.X.X.X.X.X.X.X.X.X.X.X.X"))
	f.Fuzz(func(t *testing.T, w, h byte, stones []byte) {
		r := game.Must(New(board.Size{W: 5 + int(w)%21, H: 5 + int(h)%21}, SetRenju))
		s := game.NewSetup(r)
		for i, c := range stones[:min(len(stones), r.size.Area())] {
			if c%4 != 3 {
				s.Board.Put(r.size.Point(i), board.Piece(c%3))
			}
		}
		pos, err := r.Arrange(s)
		if err != nil {
			t.Fatal(err)
		}
		p := pos.(*Position)
		before := p.field
		o := newOracle(&p.planes)
		for at := range r.size.Points() {
			if !p.occupied(at) {
				judgement(t, p, o, at)
			}
		}
		if p.field != before {
			t.Fatal("asking for fouls changed the position")
		}
	})
}

// FuzzParseMove checks that every text is a move that reads back, or an error
// of one of the two kinds.
func FuzzParseMove(f *testing.F) {
	for _, text := range []string{"h8", "hh", "8,8", "pass", "--", "", "z99", "o15", "16,1"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p := Renju.Start()
		for _, n := range []game.Notation{game.AnyNotation, Plain, SGF, XY} {
			m, err := Renju.ParseMove(p, text, n)
			if err != nil {
				if !errors.Is(err, game.ErrSyntax) && !errors.Is(err, game.ErrIllegal) {
					t.Fatalf("%q: %v", text, err)
				}
				continue
			}
			again, err := Renju.ParseMove(p, game.FormatMove(Renju, p, m, n), n)
			if err != nil || again != m {
				t.Fatalf("%s %q reads back as %v (%v)", n, text, again, err)
			}
			if err := p.Play(m); err != nil {
				t.Fatalf("%q: parsed but refused: %v", text, err)
			}
			p.Undo()
		}
	})
}

// FuzzPosition plays the moves that bytes choose: what is kept along the way
// must be that of the same board set up anew, and undo must lead back.
func FuzzPosition(f *testing.F) {
	f.Add(byte(0), []byte{0, 1, 2, 3, 4, 5, 6, 7, 8})
	f.Add(byte(1), []byte{112, 113, 97, 98, 82, 83, 67, 68, 52})
	f.Add(byte(2), []byte{255, 255, 255})
	f.Fuzz(func(t *testing.T, set byte, choices []byte) {
		r := game.Must(New(board.Size{W: 9, H: 7}, Set(set%3)))
		p := newPosition(r)
		for _, c := range choices {
			moves := p.AppendMoves(nil)
			if len(moves) == 0 {
				break
			}
			if err := p.Play(moves[int(c)%len(moves)]); err != nil {
				t.Fatal(err)
			}
		}
		fresh, err := r.Arrange(game.SetupOf(p))
		if err != nil {
			t.Fatal(err)
		}
		q := fresh.(*Position)
		if q.hash != p.hash || q.field != p.field || q.count != p.count || q.turn != p.turn {
			t.Fatal("the same board set up anew differs")
		}
		if a, b := p.Outcome(), q.Outcome(); a.Reason == game.ByLine && a != b {
			t.Fatalf("outcome %+v, set up anew %+v", a, b)
		}
		for range p.Moves() {
			p.Undo()
		}
		if start := newPosition(r); p.hash != start.hash || p.field != start.field || p.rows != start.rows || p.Outcome().Over() {
			t.Fatal("undoing everything does not lead to the start")
		}
	})
}
