package chess

import (
	"math/rand/v2"
	"slices"
	"testing"

	"qipu/game"
	"qipu/game/chess"
	"qipu/game/chess/attack"
	"qipu/game/chess/chesstest"
	"qipu/internal/testkit"
)

// walk plays games by chance and shows each position, with the moves that led there.
func walk(t *testing.T, r *chess.Rules, games int, see func(p game.Position, b *position)) {
	t.Helper()
	rng := rand.New(rand.NewPCG(1951, 4))
	for n := range games {
		p := r.Start()
		if r.Onto() {
			var err error
			if p, err = game.ParsePosition(r, chesstest.Order(rng.IntN(960))); err != nil {
				t.Fatal(err)
			}
		}
		b := arrange(p)
		for ply := 0; ply < 200; ply++ {
			see(p, &b)
			moves := p.AppendMoves(nil)
			if len(moves) == 0 {
				break
			}
			m := moves[rng.IntN(len(moves))]
			if n%2 == 0 { // kings that castle and pawns that go on are rare otherwise
				for range 3 {
					if o := moves[rng.IntN(len(moves))]; b.inner(o).become() != 0 || kindOf[b.on[b.inner(o).from()]&15] == king && b.own[b.turn].Has(b.inner(o).to()) {
						m = o
					}
				}
			}
			b.play(b.inner(m))
			if err := p.Play(m); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestMoves: the moves are those of the rules, and all that is kept in step is what a board
// set up anew has.
func TestMoves(t *testing.T) {
	for _, r := range []*chess.Rules{chess.Standard, chess.Shuffled} {
		var before []move
		walk(t, r, testkit.Scale(30, 1000), func(p game.Position, b *position) {
			want := p.AppendMoves(nil)
			slices.Sort(want)
			var got []game.Move
			list := b.captures(nil)
			loud := len(list)
			list = b.quiets(list)
			was := *b
			for i, m := range list {
				if b.loud(m) != (i < loud) {
					t.Errorf("%s: %s is in the wrong list", game.FormatPosition(r, p), r.AppendMove(nil, p, b.outer(m), chess.UCI))
				}
				if !b.can(m) {
					t.Errorf("%s: %s cannot be made", game.FormatPosition(r, p), r.AppendMove(nil, p, b.outer(m), chess.UCI))
				}
				gives := b.gives(m)
				if b.inner(b.outer(m)) != m {
					t.Fatalf("%s: %x comes back as %x", game.FormatPosition(r, p), m, b.inner(b.outer(m)))
				}
				if !b.legal(m) {
					continue
				}
				g := b.outer(m)
				got = append(got, g)
				f := b.play(m)
				check := b.attacked(b.turn)
				b.back(m, f)
				if *b != was {
					t.Fatalf("%s: %s is not taken back", game.FormatPosition(r, p), r.AppendMove(nil, p, g, chess.UCI))
				}
				if gives != check {
					t.Errorf("%s: %s gives check: %v, said %v", game.FormatPosition(r, p), r.AppendMove(nil, p, g, chess.UCI), check, gives)
				}
			}
			slices.Sort(got)
			if !slices.Equal(got, want) {
				t.Fatalf("%s: %d moves, want %d", game.FormatPosition(r, p), len(got), len(want))
			}
			// Moves of the position before are found here only where they can be made.
			for _, m := range before {
				if b.can(m) != slices.Contains(list, m) {
					t.Errorf("%s: %x can be made: %v", game.FormatPosition(r, p), m, b.can(m))
				}
			}
			before = list
			fresh := arrange(p)
			if b.passed != fresh.passed && fresh.passed == attack.None {
				fresh.passed = b.passed // the king forbids it, which the board does not look at
				fresh.hash ^= passKey[b.passed]
			}
			if fresh != *b {
				t.Fatalf("%s: kept %+v, anew %+v", game.FormatPosition(r, p), *b, fresh)
			}
			if len(list) > 0 && b.movable() != (len(want) > 0) {
				t.Errorf("%s: movable", game.FormatPosition(r, p))
			}
		})
	}
}

// TestMirror: a position with its sides exchanged is worth the same to who is to move.
func TestMirror(t *testing.T) {
	sym := chess.Standard.Info().Symmetries[1]
	walk(t, chess.Standard, testkit.Scale(10, 200), func(p game.Position, b *position) {
		q, err := chess.Standard.Arrange(game.SetupOf(p).Transform(chess.Standard, sym))
		if err != nil {
			t.Fatal(err)
		}
		o := arrange(q)
		if b.evaluate() != o.evaluate() {
			t.Fatalf("%s: %d, and mirrored %d", game.FormatPosition(chess.Standard, p), b.evaluate(), o.evaluate())
		}
	})
}

// TestExchange: what an exchange wins is told, X rays and kings included.
func TestExchange(t *testing.T) {
	for _, c := range []struct {
		position, move string
		wins           int
	}{
		{"1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "e1e5", worth[pawn]},
		{"1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "d3e5", worth[pawn] - worth[knight]},
		{"4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", worth[pawn]},
		{"4k3/8/4p3/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", 0},
		{"4k3/4r3/8/8/8/8/4R3/4K3 w - - 0 1", "e2e7", 0 + worth[rook] - worth[rook]},
		{"4k3/3r4/8/8/8/8/3R4/4K3 w - - 0 1", "d2d7", 0},
		{"3rk3/8/8/8/8/8/3R4/3RK3 w - - 0 1", "d2d8", worth[rook]},
		{"4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", worth[queen] - worth[pawn]},
		{"4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1", 0},
	} {
		p, err := game.ParsePosition(chess.Standard, c.position)
		if err != nil {
			t.Fatal(err)
		}
		m, err := chess.Standard.ParseMove(p, c.move, chess.UCI)
		if err != nil {
			t.Fatal(err)
		}
		b := arrange(p)
		if in := b.inner(m); !b.gains(in, c.wins) || b.gains(in, c.wins+1) {
			t.Errorf("%s in %s: want %d", c.move, c.position, c.wins)
		}
	}
}

// TestWeights: what is written is read again.
func TestWeights(t *testing.T) {
	w := Shipped()
	if again, err := ParseWeights(w.String()); err != nil || *again != *w {
		t.Error(err)
	}
	for _, text := range []string{"", "tempo 1/2", "rook 9 1/2 1/2 1/2 1/2 1/2 1/2 1/2 1/2", "tempo x"} {
		if _, err := ParseWeights(text); err == nil {
			t.Errorf("%q is read", text)
		}
	}
	total := 0
	for _, t := range termNames {
		total += t.size
	}
	if total != terms {
		t.Errorf("%d terms have names, of %d", total, terms)
	}
}
