package ask_test

import (
	"os"
	"path/filepath"
	"testing"

	"qipu"
	"qipu/library"
	"qipu/library/ask"
)

// Of two games with a queen one is spoiled.
const queens = `[Event "held"]
[White "A"]
[Black "B"]
[Result "1/2-1/2"]
[SetUp "1"]
[FEN "8/8/8/8/1k6/8/8/K2Q4 w - - 0 1"]

1. Qa4+ Kxa4 1/2-1/2

[Event "won"]
[White "C"]
[Black "D"]
[Result "1-0"]
[SetUp "1"]
[FEN "8/8/8/8/1k6/8/8/K2Q4 w - - 0 1"]

1. Qd5 Ka3 2. Qd4 Kb3 3. Kb1 Ka3 4. Kc2 Ka2 5. Qb2# 1-0

[Event "none"]
[White "E"]
[Black "F"]
[Result "1-0"]

1. e4 e5 2. Nf3 1-0
`

// TestEndings: what tables of endings know is found, with an index of it and without.
func TestEndings(t *testing.T) {
	l, err := qipu.Open(t.Context(), t.TempDir(), qipu.Options{Create: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	path := filepath.Join(t.TempDir(), "queens.pgn")
	if err := os.WriteFile(path, []byte(queens), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Import(t.Context(), library.ImportOptions{}, path); err != nil {
		t.Fatal(err)
	}
	for _, indexed := range []bool{false, true} {
		if indexed {
			if _, err := l.Records().BuildNames(t.Context(), nil); err != nil {
				t.Fatal(err)
			}
		}
		for text, games := range map[string]int{
			"endgame:win": 2, "endgame:win result:draw": 1, "殘局:勝 結果:和": 1, "endgame.white:win": 2, "endgame.black:win": 0, "endgame:draw": 1,
			"endgame:KQ-K": 2, "endgame:kq-k": 2, "endgame.white:KQ-K": 2, "endgame.black:KQ-K": 0, "endgame:KR-K": 0, "endgame:win then endgame:draw": 1,
			"not endgame:win": 1, "named:\"queen v king\"": 2,
		} {
			if r := mustAsk(t, l, ask.Question{Text: text, Game: "chess"}); r.Games != games {
				t.Errorf("index %v: %s has %d games, not %d", indexed, text, r.Games, games)
			}
		}
	}
	for _, text := range []string{"endgame:KX-K", "endgame:everything", "endgame.red:win", "endgame<3"} {
		if r, err := l.Ask(t.Context(), &ask.Question{Text: text, Game: "chess"}); err == nil {
			t.Errorf("%s has %d games", text, r.Games)
		}
	}
}
