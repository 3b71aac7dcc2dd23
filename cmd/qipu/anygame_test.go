package main

import (
	"strings"
	"testing"

	"qipu/game/gametest/pocket"
	"qipu/game/kalah"
	"qipu/internal/testkit"
)

// TestAnyGame draws and counts games that are unlike the shipped ones: seeds in
// houses instead of pieces on points, moves twice in a row, moves that name
// pieces, pieces in hand, White to begin.
func TestAnyGame(t *testing.T) {
	run := func(line string) *testApp {
		t.Helper()
		a := newTestApp("")
		a.Games = append(a.Games, kalah.Rules{}, pocket.Rules{})
		if code := shell(a, line); code != 0 {
			t.Fatalf("%s: exit %d: %s", line, code, a.stderr.String())
		}
		return a
	}
	for line, want := range map[string]string{
		`qipu draw kalah "c f"`: `    f e d c b a
N 0 4 4 5 5 5 5 . N
S . 4 4 0 5 5(0)2 S
    a b c d e f
north to move
`,
		`qipu draw kalah "N seeds=0,0,0,0,0,1,30,12,0,0,0,0,0,5"`: `      f  e  d  c  b  a
N  5  0  0  0  0  0 12  . N
S  .  0  0  0  0  0  1 30 S
      a  b  c  d  e  f
north to move
`,
		`qipu draw pocket "a1a2 b5b4 a2a3 b4a3"`: `  a b c d
5 p . p p 5
4 . _ . . 4
3(p). . . 3
2 . . . . 2
1 . P P P 1
  a b c d
white to move
`,
	} {
		if out := run(line).stdout.String(); out != want {
			t.Errorf("%s is drawn as\n%s", line, out)
		}
	}
	for line, want := range map[string]string{"qipu perft kalah 4": "942 leaves", "qipu perft pocket 3": "leaves", "qipu games": "Pocket Pawns", "qipu games --lab": "Kalah"} {
		if out := run(line).stdout.String(); !strings.Contains(out, want) {
			t.Errorf("%s says\n%s", line, out)
		}
	}
	for _, line := range []string{`qipu draw kalah "c f a" --svg --numbers --legal`, `qipu draw pocket "a1a2 b5b4 a2a3 b4a3 b1b2 P@d2" --svg --legal`} {
		testkit.WellFormed(t, run(line).stdout.Bytes())
	}
}
