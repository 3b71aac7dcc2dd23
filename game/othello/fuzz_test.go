package othello

import (
	"slices"
	"strings"
	"testing"

	"qipu/board"
	"qipu/game"
)

// FuzzPosition: a position text that is accepted prints and reads back the
// same, and both implementations of the board list the same moves, which change the
// same points.
func FuzzPosition(f *testing.F) {
	f.Add("8/8/8/3OX3/3XO3/8/8/8 X")
	f.Add("O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X")
	f.Add("f5d6c3d3c4f4")
	f.Add("start moves f5 f6")
	f.Add("64 O")
	f.Fuzz(func(t *testing.T, text string) {
		p, err := game.ParsePosition(Standard, text)
		if err != nil {
			return
		}
		shown := game.FormatPosition(Standard, p)
		q, err := game.ParsePosition(Standard, shown)
		if err != nil || game.FormatPosition(Standard, q) != shown || q.Hash() != p.Hash() {
			t.Fatalf("%q prints as %q, which reads as %v, %v", text, shown, q, err)
		}
		w := newWide(game.SetupOf(p))
		a, b := p.AppendMoves(nil), w.AppendMoves(nil)
		if len(a) != len(b) || p.Outcome() != w.Outcome() {
			t.Fatalf("%s: %v and %v", shown, a, b)
		}
		for i, m := range a {
			if m != b[i] || p.Play(m) != nil || w.Play(m) != nil || !p.(game.Planar).Planes().Equal(w.Planes()) ||
				!slices.Equal(p.(game.Changer).AppendChanged(nil), w.AppendChanged(nil)) {
				t.Fatalf("%s: move %d differs", shown, i)
			}
			p.Undo()
			w.Undo()
		}
	})
}

// FuzzMove: any text is a move or none, and a move prints and reads back.
func FuzzMove(f *testing.F) {
	for _, s := range []string{"f5", "A1", "x25", "pa", "--", "pass", "h", "é5"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		m := Move(text)
		ascii := !strings.ContainsFunc(text, func(r rune) bool { return r > 127 })
		if ascii && (m != Move(strings.ToLower(text)) || m != Move(strings.ToUpper(text))) {
			t.Fatalf("%q depends on case", text)
		}
		if m == game.NoMove {
			return
		}
		shown := string(Standard.AppendMove(nil, nil, m, game.AnyNotation))
		if Move(shown) != m {
			t.Fatalf("%q prints as %q", text, shown)
		}
		if m != game.Pass && !(board.Size{W: board.MaxSide, H: board.MaxSide}).Has(m.To()) {
			t.Fatalf("%q lies outside every board", text)
		}
	})
}
