package book_test

import (
	"math/rand/v2"
	"testing"

	"qipu/board"
	"qipu/book"
	"qipu/game"
	"qipu/game/othello"
	"qipu/internal/testkit"
)

// TestKey checks for every game that all pictures of a position have one key,
// that the symmetries that come with it lead to one picture, and that different
// positions have different keys.
func TestKey(t *testing.T) {
	for _, kind := range kinds {
		t.Run(kind.spec, func(t *testing.T) {
			r := rulesOf(t, kind.spec)
			k, m := book.NewKeyer(r), newModel(r)
			rng := rand.New(rand.NewPCG(31, 32))
			texts := map[book.Key]string{}
			for range testkit.Scale(30, 300) {
				p := r.Start()
				for range rng.IntN(2 * kind.plies) {
					moves := p.AppendMoves(nil)
					if len(moves) == 0 {
						break
					}
					p.Play(moves[rng.IntN(len(moves))])
				}
				before := game.FormatPosition(r, p)
				key, sym := k.Key(p)
				if after := game.FormatPosition(r, p); after != before {
					t.Fatalf("%s has become %s", before, after)
				}
				fold(r, p)
				text, _ := m.seen(p)
				if old, ok := texts[key]; ok && old != text {
					t.Fatalf("%s and %s have one key", old, text)
				}
				texts[key] = text
				picture := pictureOf(r, p, sym)
				for _, s := range r.Info().Symmetries {
					q, err := r.Arrange(plainSetup(p).Transform(r, s))
					if err != nil {
						t.Fatal(err)
					}
					other, back := k.Key(q)
					if other != key {
						t.Fatalf("%s has another key after %v", before, s)
					}
					if got := pictureOf(r, q, back); got != picture {
						t.Fatalf("%s: pictures %s and %s", before, picture, got)
					}
				}
			}
		})
	}
}

// plainSetup returns a position without what a board does not show.
func plainSetup(p game.Position) game.Setup {
	s := game.SetupOf(p)
	s.Ko, s.Prisoners, s.Quiet, s.Number = board.NoPoint, [2]int{}, 0, 1
	return s
}

func pictureOf(r game.Rules, p game.Position, sym game.Symmetry) string {
	return string(game.AppendSetup(nil, r, plainSetup(p).Transform(r, sym)))
}

// TestKeyOthello pins keys down, for they are part of files: the start, whose
// picture is itself, and a position where White must pass.
func TestKeyOthello(t *testing.T) {
	k := book.NewKeyer(othello.Standard)
	if key, sym := k.Key(othello.Standard.Start()); key != (book.Key{Hi: 0x0000000810000000, Lo: 0x0000001008000000}) || sym != (game.Symmetry{}) {
		t.Errorf("the start has %x %v", key, sym)
	}
	// Black has a1, White b1; White cannot move, Black can.
	s, err := game.ParseSetup(othello.Standard, "XO6/8/8/8/8/8/8/8 O")
	if err != nil {
		t.Fatal(err)
	}
	p, err := othello.Standard.Arrange(s)
	if err != nil {
		t.Fatal(err)
	}
	passed, _ := k.Key(p)
	s.Turn = game.First
	q, err := othello.Standard.Arrange(s)
	if err != nil {
		t.Fatal(err)
	}
	if key, _ := k.Key(q); key != passed || key.Hi == 0 {
		t.Errorf("%x behind the pass, and %x", key, passed)
	}
}

// TestKeyAllocates checks that keys cost no memory, but for what only a text
// tells.
func TestKeyAllocates(t *testing.T) {
	for _, kind := range kinds {
		r := rulesOf(t, kind.spec)
		if len(r.Info().Extra) > 0 {
			continue
		}
		k, p := book.NewKeyer(r), r.Start()
		k.Key(p)
		if n := testing.AllocsPerRun(100, func() { k.Key(p) }); n != 0 {
			t.Errorf("%s: %v allocations", kind.spec, n)
		}
	}
}

func BenchmarkKey(b *testing.B) {
	for _, kind := range kinds {
		b.Run(kind.spec, func(b *testing.B) {
			r := rulesOf(b, kind.spec)
			k, p := book.NewKeyer(r), r.Start()
			rng := rand.New(rand.NewPCG(1, 1))
			for range kind.plies {
				if moves := p.AppendMoves(nil); len(moves) > 0 {
					p.Play(moves[rng.IntN(len(moves))])
				}
			}
			for b.Loop() {
				k.Key(p)
			}
		})
	}
}
