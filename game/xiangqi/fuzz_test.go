package xiangqi_test

import (
	"errors"
	"testing"

	"qipu/game"
	"qipu/game/xiangqi"
)

var fuzzPositions = []string{start, startB, tandem, three, five, twoTwo, twoOne, threeB, twoTwoB, guards, fourR}

// FuzzParseMove: reading never panics, fails with one of the two errors, and
// what reads as a move is legal and prints back to itself in every notation.
func FuzzParseMove(f *testing.F) {
	for i, text := range []string{"h2e2", "H2-E2", "h10g8", "C2=5", "C+-2", "Pa=4", "+C.5", "P+7=6", "炮二平五", "馬８進７", "前兵七平六", "二7平6", "后车退１"} {
		f.Add(uint8(i), text)
	}
	r := xiangqi.Standard
	f.Fuzz(func(t *testing.T, which uint8, text string) {
		p := position(t, fuzzPositions[int(which)%len(fuzzPositions)])
		for _, n := range append(r.Info().Notations, game.NotationInfo{Name: game.AnyNotation}) {
			m, err := r.ParseMove(p, text, n.Name)
			if err != nil {
				if !errors.Is(err, game.ErrSyntax) && !errors.Is(err, game.ErrIllegal) {
					t.Fatalf("%q: %v", text, err)
				}
				continue
			}
			for _, out := range r.Info().Notations {
				written := game.FormatMove(r, p, m, out.Name)
				if back, err := r.ParseMove(p, written, out.Name); back != m || err != nil {
					t.Fatalf("%q is %s, which reads back as %v (%v)", text, written, back, err)
				}
			}
			if err := p.Play(m); err != nil {
				t.Fatalf("%q: %v", text, err)
			}
			p.Undo()
		}
	})
}

// FuzzPosition: a position text that is accepted prints and reads back the
// same, and its moves are the oracle's, in every notation.
func FuzzPosition(f *testing.F) {
	for _, text := range append(fuzzPositions, "4kcP1N/8n/3rb4/9/9/9/9/3p1A3/4K4/5CB2 w - - 119 7", "9/9/3k5/9/9/9/9/3K5/9/9 r") {
		f.Add(text)
	}
	r := xiangqi.Standard
	f.Fuzz(func(t *testing.T, text string) {
		s, err := game.ParseSetup(r, text)
		if err != nil {
			return
		}
		p, err := r.Arrange(s)
		if err != nil {
			return
		}
		written := game.FormatPosition(r, p)
		again := position(t, written)
		if back := game.FormatPosition(r, again); back != written || again.Hash() != p.Hash() {
			t.Fatalf("%q prints as %q, then as %q", text, written, back)
		}
		agree(t, p)
		roundTrips(t, p)
		if (len(p.AppendMoves(nil)) == 0) != p.Outcome().Final() {
			t.Fatalf("%s: outcome %+v", written, p.Outcome())
		}
	})
}

// FuzzPlay: the bytes choose moves and undos; at the end the position is the
// one that its text describes, and taking everything back restores the start.
func FuzzPlay(f *testing.F) {
	f.Add([]byte{1, 2, 3, 4, 5, 255, 9, 9})
	f.Add([]byte("the quick brown fox jumps over the lazy dog"))
	r := xiangqi.Standard
	f.Fuzz(func(t *testing.T, choices []byte) {
		p := r.Start()
		before := game.FormatPosition(r, p)
		depth := 0
		for _, c := range choices[:min(len(choices), 300)] {
			moves := p.AppendMoves(nil)
			switch {
			case c == 255 && depth > 0:
				p.Undo()
				depth--
			case len(moves) > 0:
				if err := p.Play(moves[int(c)%len(moves)]); err != nil {
					t.Fatal(err)
				}
				depth++
			}
			p.Outcome()
		}
		fresh := position(t, game.FormatPosition(r, p))
		if fresh.Hash() != p.Hash() {
			t.Fatalf("hash %016x, set up anew %016x", p.Hash(), fresh.Hash())
		}
		agree(t, p)
		for ; depth > 0; depth-- {
			p.Undo()
		}
		if after := game.FormatPosition(r, p); after != before {
			t.Fatalf("undone to %s", after)
		}
	})
}
