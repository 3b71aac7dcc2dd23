package pdn_test

import (
	"testing"

	"qipu/record/pdn"
	"qipu/record/recordtest"
)

func TestGolden(t *testing.T)     { recordtest.Golden(t, pdn.Format, "testdata/*.pdn") }
func TestRoundTrips(t *testing.T) { recordtest.RoundTrips(t, pdn.Format, "testdata/games.pdn") }
func FuzzRead(f *testing.F)       { recordtest.Fuzz(f, pdn.Format, "testdata/*.pdn") }

func TestSniff(t *testing.T) {
	for text, want := range map[string]bool{
		"1. 11-15 23-19 2. 8-11":                       true,
		"[Event \"x\"]\n[GameType \"21\"]\n\n*":        true,
		"[Event \"x\"]\n\n1. e4 e5 2. Nf3 Nc6 1-0":     false,
		"11-15 23-19\t1-0\n":                           false,
		"(;GM[1]SZ[19];B[aa])":                         false,
		"[Event \"x\"]\n\n1. h2e2 h9g7 2. h0g2 i9h9 *": false,
	} {
		if got := pdn.Format.Sniff([]byte(text), ""); got > 50 != want {
			t.Errorf("%q: %d", text, got)
		}
	}
}
