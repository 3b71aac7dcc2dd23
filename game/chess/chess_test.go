package chess_test

import (
	"errors"
	"strings"
	"testing"

	"qipu/game"
	"qipu/game/chess"
	"qipu/game/gametest"
	"qipu/internal/testkit"
)

func TestLaws(t *testing.T) {
	gametest.Run(t, chess.Standard, gametest.Options{Games: testkit.Scale(6, 200)})
}
func TestLosAlamos(t *testing.T) {
	gametest.Run(t, chess.LosAlamos, gametest.Options{Games: testkit.Scale(6, 200)})
}
func TestPerft(t *testing.T) { gametest.Perft(t, chess.Standard, "testdata/perft.txt") }

// play returns the position after moves.
func play(t *testing.T, text string) (game.Rules, game.Position) {
	t.Helper()
	p, err := game.ParsePosition(chess.Standard, text)
	if err != nil {
		t.Fatal(err)
	}
	return chess.Standard, p
}

// TestNotations: a move is read however it is written, and written as FIDE has it.
func TestNotations(t *testing.T) {
	for _, c := range []struct{ position, texts, san string }{
		{"start", "Nf3 Ng1f3 Ng1-f3 g1f3 Sf3 ♘f3 ♞f3 Nf3! Nf3?! Ngf3 N1f3", "Nf3"},
		{"start", "e4 e2e4 e2-e4 Pe4 ♙e2-e4 e4!!", "e4"},
		{"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "O-O 0-0 o-o OO e1g1 e1h1 Ke1-g1 Kg1", "O-O"},
		{"r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "O-O-O 0-0-0 000 e8c8 e8a8", "O-O-O"},
		{"4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6 ed6 e5xd6 exd6e.p. e:d6 e5d6 exd6ep", "exd6"},
		{"3rk3/4P3/8/8/8/8/8/4K3 w - - 0 1", "exd8=Q+ ed8Q exd8(Q) exd8/Q e7d8q e7xd8D exd8=♕", "exd8=Q+"},
		{"3rk3/4P3/8/8/8/8/8/4K3 w - - 0 1", "exd8=N e7d8n exd8=S", "exd8=N"},
		{"7k/5KR1/6Q1/8/8/8/8/8 w - - 0 1", "Rg8 Rg8mate Rg8# Tg8++", "Rg8#"},
		{"k7/8/8/8/8/8/8/KR5R w - - 0 1", "Rhf1 Rh1f1 Th1-f1", "Rhf1"},
		{"1k6/3R4/8/8/8/8/8/K2R4 w - - 0 1", "R1d4 Rd1d4", "R1d4"},
		{"7k/8/8/Q1Q5/8/Q7/8/K7 w - - 0 1", "Qa5b4 a5b4", "Qa5b4"},
	} {
		r, p := play(t, c.position)
		for text := range strings.FieldsSeq(c.texts) {
			m, err := r.ParseMove(p, text, game.AnyNotation)
			if err != nil {
				t.Errorf("%s in %s: %v", text, c.position, err)
			} else if got := game.FormatMove(r, p, m, chess.SAN); got != c.san {
				t.Errorf("%s is %s, not %s", text, got, c.san)
			}
		}
	}
}

// TestRefused: what cannot be played is refused with the reason.
func TestRefused(t *testing.T) {
	for _, c := range []struct {
		position, text string
		want           error
	}{
		{"start", "--", game.ErrNoPass},
		{"start", "Z0", game.ErrNoPass},
		{"start", "Nf4", chess.ErrNotThere},
		{"start", "Bb5", chess.ErrBlocked},
		{"start", "e2e5", chess.ErrNotItsMove},
		{"start", "exd3", chess.ErrNotThere},
		{"start", "e7e5", chess.ErrNotYours},
		{"start", "e4e5", chess.ErrNoPiece},
		{"start", "O-O", chess.ErrCastle},
		{"start", "e4=Q", chess.ErrNoPromotion},
		{"start", "e9", game.ErrSyntax},
		{"start", "hello", game.ErrSyntax},
		{"start", "", game.ErrSyntax},
		{"start", "=", game.ErrSyntax},
		{"start", "Q", game.ErrSyntax},
		{"7k/4P3/8/8/8/8/8/4K3 w - - 0 1", "e8", chess.ErrPromotion},
		{"7k/4P3/8/8/8/8/8/4K3 w - - 0 1", "e8=K", chess.ErrNoSuchPiece},
		{"7k/4P3/8/8/8/8/8/4K3 w - - 0 1", "e8=P", chess.ErrNoSuchPiece},
		{"k7/8/8/8/8/8/8/KR5R w - - 0 1", "Rf1", chess.ErrAmbiguous},
		{"4r2k/8/8/8/8/8/4N3/4K3 w - - 0 1", "Nc3", chess.ErrExposed},
		{"4r2k/8/8/8/8/8/8/N3K3 w - - 0 1", "Nb3", chess.ErrInCheck},
		{"4k3/8/8/8/8/8/6q1/R3K2R w KQ - 0 1", "O-O", chess.ErrCastle},
		{"8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1", "exd3", chess.ErrNotThere},
	} {
		r, p := play(t, c.position)
		if _, err := r.ParseMove(p, c.text, game.AnyNotation); !errors.Is(err, c.want) {
			t.Errorf("%s in %s: %v, want %v", c.text, c.position, err, c.want)
		}
	}
}

// TestPositions: FEN is read and written, and refused where it cannot be.
func TestPositions(t *testing.T) {
	for text, want := range map[string]string{
		"start":                                  "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
		"e2e4":                                   "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
		"1. e4 e6 2. e5 d5":                      "rnbqkbnr/ppp2ppp/4p3/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3",
		"8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1":      "8/8/8/8/k2Pp2Q/8/8/3K4 b - - 0 1", // the line of two pawns
		"4k3/8/8/8/8/8/8/R3K2R w HA - 3 20":      "4k3/8/8/8/8/8/8/R3K2R w KQ - 3 20",
		"4k3/8/8/8/8/8/8/4K3":                    "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
		"4k3/8/8/8/8/8/8/R3K2R w castling=Q 0 1": "4k3/8/8/8/8/8/8/R3K2R w Q - 0 1",
	} {
		r, p := play(t, text)
		if got := game.FormatPosition(r, p); got != want {
			t.Errorf("%s is %s, want %s", text, got, want)
		}
	}
	for text, want := range map[string]string{
		"8/8/8/8/8/8/8/4K3 w - - 0 1":                                  "black has 0 kings",
		"4k3/8/8/8/8/8/8/4KK2 w - - 0 1":                               "white has 2 kings",
		"4k3/8/8/8/8/8/4p3/4K2P b - - 0 1":                             "a pawn cannot stand on h1",
		"4k3/PPPPPPPP/P7/8/8/8/8/4K3 w - - 0 1":                        "white has 9 pawns",
		"8/8/8/8/8/8/4k3/4K3 w - - 0 1":                                "beside each other",
		"4k3/4R3/8/8/8/8/8/4K3 w - - 0 1":                              "black on e8 is in check, but white is to move",
		"4k3/8/8/8/8/8/8/4K3 w K - 0 1":                                "castling K needs the king on e1 and a rook on h1",
		"4k3/8/8/8/8/8/8/R3K2R w X - 0 1":                              "no right to castle",
		"4k3/8/8/8/8/8/8/4K3 w - e3 0 1":                               "no pawn has just come over e3",
		"4k3/8/8/8/8/8/8/4K3 w - z9 0 1":                               "is no square",
		"QQQQkQQQ/QQQQQQQQ/QQQQQQQQ/8/8/8/8/4K3 b - - 0 1":             "white has 24 pieces",
		"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 2 3": "unexpected field",
	} {
		if _, err := game.ParsePosition(chess.Standard, text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

// TestOutcomes: how games end.
func TestOutcomes(t *testing.T) {
	for text, want := range map[string]string{
		"f3 e5 g4 Qh4#":                      "black won (mate)",
		"7k/5Q2/6K1/8/8/8/8/8 b - - 0 1":     "drawn (stalemate)",
		"7k/8/6K1/8/8/8/8/6B1 b - - 0 1":     "drawn (dead position)",
		"7k/8/6K1/8/8/8/8/5NN1 b - - 0 1":    "ongoing",
		"7k/b7/6K1/8/8/8/8/6B1 b - - 0 1":    "drawn (dead position)", // a7 and g1 are both dark
		"7k/1b6/6K1/8/8/8/8/6B1 b - - 0 1":   "ongoing",
		"Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8":    "drawn (repetition)",
		"e4 Nf6 Ke2 Ng8 Ke1 Nf6 Ke2 Ng8 Ke1": "ongoing", // a king that has moved has lost its rights
		"7k/8/6K1/8/8/8/8/6R1 w - - 99 80":   "ongoing",
		"7k/8/6K1/8/8/8/8/6R1 w - - 100 80":  "drawn (quiet moves)",
		"7k/6R1/6K1/8/8/8/8/8 b - - 120 80":  "drawn (stalemate)",
	} {
		r, p := play(t, text)
		if got := p.Outcome().Describe(r.Info()); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// FuzzMove: what is read can be played, and is written and read again as the same.
func FuzzMove(f *testing.F) {
	for _, s := range []string{"e4", "Nf3", "O-O", "e8=Q", "exd8=♕", "a1b2", "--", "Qa5b4"} {
		f.Add("start", s)
	}
	f.Add("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", "O-O-O")
	f.Fuzz(func(t *testing.T, position, text string) {
		p, err := game.ParsePosition(chess.Standard, position)
		if err != nil {
			return
		}
		m, err := chess.Standard.ParseMove(p, text, game.AnyNotation)
		if err != nil {
			return
		}
		for _, n := range chess.Standard.Info().Notations {
			again := game.FormatMove(chess.Standard, p, m, n.Name)
			if back, err := chess.Standard.ParseMove(p, again, n.Name); err != nil || back != m {
				t.Errorf("%s, written as %s, is %v (%v)", text, again, back, err)
			}
		}
		before := game.FormatPosition(chess.Standard, p)
		if err := p.Play(m); err != nil {
			t.Fatalf("%s is read and refused: %v", text, err)
		}
		p.Undo()
		if after := game.FormatPosition(chess.Standard, p); after != before {
			t.Errorf("%s and back makes %s of %s", text, after, before)
		}
	})
}

// TestAlso: castling may be pointed at by the rook, other moves of the king may not.
func TestAlso(t *testing.T) {
	_, p := play(t, "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
	for text, want := range map[string]string{"O-O": "h1", "O-O-O": "a1", "Ke2": "", "Ra2": ""} {
		m, err := chess.Standard.ParseMove(p, text, chess.SAN)
		if err != nil {
			t.Fatal(err)
		}
		at, ok := chess.Standard.Also(p, m)
		if ok != (want != "") || ok && chess.Standard.Geometry().Name(at) != want {
			t.Errorf("%s: %v %v", text, at, ok)
		}
		back, err := chess.Standard.ParseMove(p, "e1"+want, chess.UCI)
		if want != "" && (err != nil || back != m) {
			t.Errorf("e1%s is read as %v, %v", want, back, err)
		}
	}
}
