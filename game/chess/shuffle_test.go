package chess_test

import (
	"errors"
	"strings"
	"testing"

	"qipu/game"
	"qipu/game/chess"
	"qipu/game/chess/chesstest"
	"qipu/game/gametest"
	"qipu/internal/testkit"
)

func TestShuffledLaws(t *testing.T) {
	gametest.Run(t, chess.Shuffled, gametest.Options{Games: testkit.Scale(6, 200)})
}

func TestShuffledPerft(t *testing.T) { gametest.Perft(t, chess.Shuffled, "testdata/perft960.txt") }

// TestOrders: all beginnings are different, their bishops are of two colours and their
// kings between the rooks; some of them are those of the published list.
func TestOrders(t *testing.T) {
	seen := map[string]bool{}
	for n := range 960 {
		text := chesstest.Order(n)
		p, err := game.ParsePosition(chess.Shuffled, text)
		if err != nil {
			t.Fatalf("%d: %v", n, err)
		}
		if got := game.FormatPosition(chess.Shuffled, p); got != text {
			t.Errorf("%d: %s is %s", n, text, got)
		}
		row, _, _ := strings.Cut(text, "/")
		if b := strings.Index(row, "b"); b%2 == strings.LastIndex(row, "b")%2 {
			t.Errorf("%d: bishops of one colour in %s", n, row)
		}
		seen[row] = true
	}
	if len(seen) != 960 {
		t.Errorf("%d beginnings", len(seen))
	}
	for n, want := range map[int]string{0: "bbqnnrkr", 518: "rnbqkbnr", 959: "rkrnnqbb"} {
		if got, _, _ := strings.Cut(chesstest.Order(n), "/"); got != want {
			t.Errorf("%d is %s, want %s", n, got, want)
		}
	}
	if chesstest.Order(-1) != chesstest.Order(959) || chesstest.Order(960) != chesstest.Order(0) {
		t.Error("numbers beyond the list")
	}
}

// shuffled returns a position of chess:960.
func shuffled(t *testing.T, text string) game.Position {
	t.Helper()
	p, err := game.ParsePosition(chess.Shuffled, text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestShuffledPositions: rights to castle are read in three ways, written in one, and
// refused where they cannot be.
func TestShuffledPositions(t *testing.T) {
	for text, want := range map[string]string{
		"start": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
		"1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1":                          "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w KQkq - 0 1",
		"1rr1k1r1/8/8/8/8/8/8/1RR1K1R1 w CGcg - 0 1":                        "1rr1k1r1/8/8/8/8/8/8/1RR1K1R1 w KCkc - 0 1",
		"1rr1k1r1/8/8/8/8/8/8/1RR1K1R1 w KQkc - 0 1":                        "1rr1k1r1/8/8/8/8/8/8/1RR1K1R1 w KQkc - 0 1",
		"3k4/8/8/8/8/8/8/1K2R2R w E - 0 1":                                  "3k4/8/8/8/8/8/8/1K2R2R w E - 0 1",
		"3k4/8/8/8/8/8/8/1K2R2R w H - 0 1":                                  "3k4/8/8/8/8/8/8/1K2R2R w K - 0 1",
		"bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9": "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w KQkq - 2 9",
	} {
		if got := game.FormatPosition(chess.Shuffled, shuffled(t, text)); got != want {
			t.Errorf("%s is %s, want %s", text, got, want)
		}
	}
	for text, want := range map[string]string{
		"4k3/8/8/8/8/8/1K6/R6R w K - 0 1":  "needs the king on its first rank, and it stands on b2",
		"4k3/8/8/8/8/8/8/R5K1 w K - 0 1":   "needs a rook on that side of the king on g1",
		"4k3/8/8/8/8/8/8/R5K1 w H - 0 1":   "needs a rook on h1",
		"4k3/8/8/8/8/8/8/R3K2R w KH - 0 1": "twice on one side",
		"4k3/8/8/8/8/8/8/R3K2R w X - 0 1":  "no right to castle",
		"4k3/8/8/8/8/8/8/R3K2R w É - 0 1":  "no right to castle",
	} {
		if _, err := game.ParsePosition(chess.Shuffled, text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	// What is no right of the usual game says whose it is.
	for text, want := range map[string]string{
		"1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1": "is a right to castle of chess:960",
		"1r2k1r1/8/8/8/8/8/8/1R2K1R1 w KQkq - 0 1": "in chess:960 they may begin elsewhere",
	} {
		if _, err := game.ParsePosition(chess.Standard, text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

// TestShuffledCastling: king and rook end where they do in chess, whatever is between
// them, and a move of the king alone is another one.
func TestShuffledCastling(t *testing.T) {
	for _, c := range []struct{ position, texts, uci, after string }{
		{"4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "O-O 0-0 e1g1 e1h1", "e1h1", "4k3/8/8/8/8/8/8/R4RK1 b - - 1 1"},
		{"4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "O-O-O e1c1 e1a1", "e1a1", "4k3/8/8/8/8/8/8/2KR3R b - - 1 1"},
		{"4k3/8/8/8/8/8/8/1R3KR1 w GB - 0 1", "O-O f1g1", "f1g1", "4k3/8/8/8/8/8/8/1R3RK1 b - - 1 1"}, // they change places
		{"4k3/8/8/8/8/8/8/6KR w H - 0 1", "O-O g1h1", "g1h1", "4k3/8/8/8/8/8/8/5RK1 b - - 1 1"},
		{"4k3/8/8/8/8/8/8/2RK3R w HC - 0 1", "O-O-O d1c1", "d1c1", "4k3/8/8/8/8/8/8/2KR3R b - - 1 1"},
		{"4k3/8/8/8/8/8/8/RK5R w HA - 0 1", "O-O b1h1 b1g1", "b1h1", "4k3/8/8/8/8/8/8/R4RK1 b - - 1 1"},
		{"4k3/8/8/8/8/8/8/RK5R w HA - 0 1", "Kc1 b1c1", "b1c1", "4k3/8/8/8/8/8/8/R1K4R b - - 1 1"},
		{"rk5r/8/8/8/8/8/8/4K3 b ha - 0 1", "O-O-O b8a8", "b8a8", "2kr3r/8/8/8/8/8/8/4K3 w - - 1 2"},
	} {
		p := shuffled(t, c.position)
		for text := range strings.FieldsSeq(c.texts) {
			m, err := chess.Shuffled.ParseMove(p, text, game.AnyNotation)
			if err != nil {
				t.Errorf("%s in %s: %v", text, c.position, err)
				continue
			}
			if got := game.FormatMove(chess.Shuffled, p, m, chess.UCI); got != c.uci {
				t.Errorf("%s in %s is %s, want %s", text, c.position, got, c.uci)
			}
			if err := p.Play(m); err != nil {
				t.Fatal(err)
			}
			if got := game.FormatPosition(chess.Shuffled, p); got != c.after {
				t.Errorf("%s in %s leads to %s, want %s", text, c.position, got, c.after)
			}
			if again := shuffled(t, c.after); again.Hash() != p.Hash() {
				t.Errorf("%s in %s has another key than what it leads to", text, c.position)
			}
			p.Undo()
			if got := shuffled(t, c.position); got.Hash() != p.Hash() || game.FormatPosition(chess.Shuffled, got) != game.FormatPosition(chess.Shuffled, p) {
				t.Errorf("%s in %s is not taken back", text, c.position)
			}
		}
	}
	for _, c := range []struct {
		position, text string
		want           error
	}{
		{"4k3/8/8/8/8/8/8/RR1K3R w HB - 0 1", "O-O-O", nil},
		{"4k3/8/8/8/8/8/8/rRK4R w HB - 0 1", "O-O-O", chess.ErrCastle},  // the rook was what kept the check out
		{"4kr2/8/8/8/8/8/8/RK5R w HA - 0 1", "O-O", chess.ErrCastle},    // over a square that is attacked
		{"4k1r1/8/8/8/8/8/8/RK5R w HA - 0 1", "b1h1", chess.ErrCastle},  // onto one
		{"1r2k3/8/8/8/8/8/8/RK5R w HA - 0 1", "O-O", chess.ErrCastle},   // out of check
		{"4k3/8/8/8/8/8/8/RN1K3R w HA - 0 1", "O-O-O", chess.ErrCastle}, // over a piece
		{"4k3/8/8/8/8/8/8/RK5R w - - 0 1", "O-O", chess.ErrCastle},      // without the right
		{"4k3/8/8/8/8/8/8/RKR5 w A - 0 1", "b1c1", chess.ErrOwnPiece},   // with another rook
	} {
		p := shuffled(t, c.position)
		if _, err := chess.Shuffled.ParseMove(p, c.text, game.AnyNotation); !errors.Is(err, c.want) {
			t.Errorf("%s in %s: %v, want %v", c.text, c.position, err, c.want)
		}
	}
	// In the usual game a king elsewhere is told what it would need.
	_, p := play(t, "4k3/8/8/8/8/8/8/RK5R w - - 0 1")
	for _, text := range []string{"O-O", "b1h1", "O-O-O"} {
		if _, err := chess.Standard.ParseMove(p, text, game.AnyNotation); !errors.Is(err, chess.ErrShuffled) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestShuffledAlso: castling may be pointed at by the square that the king ends on,
// unless that is a move of its own.
func TestShuffledAlso(t *testing.T) {
	p := shuffled(t, "4k3/8/8/8/8/8/8/R3KR2 w FA - 0 1")
	for text, want := range map[string]string{"O-O": "g1", "O-O-O": "c1", "Ke2": "", "Rb1": ""} {
		m, err := chess.Shuffled.ParseMove(p, text, chess.SAN)
		if err != nil {
			t.Fatal(err)
		}
		if at, ok := chess.Shuffled.Also(p, m); ok != (want != "") || ok && chess.Shuffled.Geometry().Name(at) != want {
			t.Errorf("%s: %v %v", text, at, ok)
		}
	}
	p = shuffled(t, "4k3/8/8/8/8/8/8/R4K1R w HA - 0 1")
	m, err := chess.Shuffled.ParseMove(p, "O-O", chess.SAN)
	if err != nil {
		t.Fatal(err)
	}
	if at, ok := chess.Shuffled.Also(p, m); ok {
		t.Errorf("g1 is a move of the king, and also castling by %v", at)
	}
}
