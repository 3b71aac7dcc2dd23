package weiqi_test

import (
	"errors"
	"testing"

	"qipu/board"
	"qipu/game"
	"qipu/game/weiqi"
)

// FuzzPlay takes any bytes as a game: the first three choose board and rules,
// 255 undoes, others play a point or pass; from 128 on moves are forced, from
// 192 on for White. The oracle must agree on everything, and undoing all of it
// must lead back to the start.
func FuzzPlay(f *testing.F) {
	f.Add([]byte{4, 0, 1, 1, 3, 2, 0, 1})             // sending two, returning one
	f.Add([]byte{1, 1, 4, 0, 1, 2, 3, 0, 255, 4, 4})  // a full board of 2x2
	f.Add([]byte{2, 2, 0, 4, 200, 201, 130, 131, 9})  // forced moves
	f.Add([]byte{0, 0, 3, 0, 0, 1, 1})                // 1x1 with suicide
	f.Add([]byte{3, 0, 0, 128, 193, 130, 192, 4, 64}) // retaken kos
	sets := weiqi.RuleSets()
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) < 3 || len(data) > 300 {
			return
		}
		r, err := weiqi.New(weiqi.Options{RuleSet: sets[int(data[2])%len(sets)].Name, Size: sizeOf(data[0], data[1], 7)})
		if err != nil {
			t.Fatal(err)
		}
		p, o := r.Start().(*weiqi.Position), newOracle(r)
		for _, b := range data[3:] {
			if b == 255 {
				if len(o.history) > 0 {
					p.Undo()
					o.undo()
				}
			} else {
				fuzzMove(t, r, p, o, b)
			}
			if err := compare(o, r, p); err != nil {
				t.Fatal(err)
			}
		}
		for len(o.history) > 0 {
			p.Undo()
			o.undo()
		}
		if err := compare(o, r, p); err != nil {
			t.Fatal(err)
		}
	})
}

// sizeOf makes a size of two bytes.
func sizeOf(w, h byte, most int) board.Size {
	return board.Size{W: int(w)%most + 1, H: int(h)%most + 1}
}

func fuzzMove(t *testing.T, r *weiqi.Rules, p *weiqi.Position, o *oracle, b byte) {
	t.Helper()
	i := int(b&63) % (r.Size().Area() + 1)
	if b >= 128 {
		side := int(b>>6) & 1
		if err := p.Force(game.Side(side), o.move(i)); (err == nil) != o.force(side, i) {
			t.Fatalf("forced move %d: %v", i, err)
		}
		return
	}
	legal := o.legal(i)
	err := p.Play(o.move(i))
	if (err == nil) != legal || err != nil && !errors.Is(err, game.ErrIllegal) {
		t.Fatalf("move %d: %v, want legal %v", i, err, legal)
	}
	if legal {
		o.play(i)
	}
}

// FuzzParseMove reads any text as a move: it never panics, the errors are
// those of the interface, and what is read prints back to itself in every
// notation.
func FuzzParseMove(f *testing.F) {
	for _, text := range []string{"Q16", "pd", "16-4", "pass", "", "tt", "I9", "z25", "0-0", "A0", "1-999", "é4"} {
		f.Add(text, byte(0), byte(18), byte(18))
	}
	notations := []game.Notation{game.AnyNotation, weiqi.GTP, weiqi.SGF, weiqi.Numbers}
	f.Fuzz(func(t *testing.T, text string, n, w, h byte) {
		r, err := weiqi.New(weiqi.Options{Size: sizeOf(w, h, board.MaxSide)})
		if err != nil {
			t.Fatal(err)
		}
		p := r.Start()
		m, err := r.ParseMove(p, text, notations[int(n)%4])
		if err != nil {
			if !errors.Is(err, game.ErrIllegal) && !errors.Is(err, game.ErrSyntax) {
				t.Fatalf("%q: %v", text, err)
			}
			return
		}
		for _, n := range notations {
			written := game.FormatMove(r, p, m, n)
			back, err := r.ParseMove(p, written, n)
			if err != nil || back != m {
				t.Fatalf("%q is written as %q in %q, which reads as %v (%v)", text, written, n, back, err)
			}
		}
	})
}

// FuzzPosition reads any text as a position: what is accepted prints to a text
// that reads back to the same text and hash.
func FuzzPosition(f *testing.F) {
	for _, text := range []string{
		"start", "5/5/5/5/5 b", "1XO2/XO1O1/1XO2/5/5 b ko=2,1 prisoners=0,1", "A1 B2 pass",
		"xX#*b/oOwW1/5/5/5 w", "5/5/5/5/5 w moves A1 aa 1-1", "......................... X",
	} {
		f.Add(text)
	}
	small, err := weiqi.Standard.Variant("5x5,chinese")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, r := range []game.Rules{small, weiqi.Standard} {
			p, err := game.ParsePosition(r, text)
			if err != nil {
				continue
			}
			written := game.FormatPosition(r, p)
			q, err := game.ParsePosition(r, written)
			if err != nil {
				t.Fatalf("%q is written as %q, which is refused: %v", text, written, err)
			}
			if again := game.FormatPosition(r, q); again != written || q.Hash() != p.Hash() {
				t.Fatalf("%q is written as %q, then as %q", text, written, again)
			}
		}
	})
}
