package ugf_test

import (
	"fmt"
	"strings"
	"testing"

	"qipu/record"
	"qipu/record/recordtest"
	"qipu/record/ugf"
)

func TestGolden(t *testing.T) { recordtest.Golden(t, ugf.Format, "testdata/*.ug?") }

// FuzzRead has no .golden files among its seeds: the pattern leaves them out.
func FuzzRead(f *testing.F) { recordtest.Fuzz(f, ugf.Format, "testdata/*.ug?") }

func TestSniff(t *testing.T) {
	for _, c := range []struct {
		name, head string
		want       int
	}{
		{"x", "[Header]\nVer=UGF3,200\n", 95},
		{"x", "[Header]\r\nLang=SJIS\r\nSize=19\r\n", 85},
		{"x.ugi", "", 20},
		{"x.UGF", "", 20},
		{"x.ini", "[Header]\nKey=1\n", 0},
		{"x.pgn", "[Event \"x\"]", 0},
	} {
		if got := ugf.Format.Sniff([]byte(c.head), c.name); got != c.want {
			t.Errorf("%s %q: %d, want %d", c.name, c.head, got, c.want)
		}
	}
}

func TestRefused(t *testing.T) {
	for text, kind := range map[string]string{
		"":                                    record.KindEmpty,
		"[Else]\nb\nc":                        record.KindSyntax,
		"[Data]" + strings.Repeat("x", 1<<12): record.KindLimit,
	} {
		src := recordtest.Source("x", []byte(text))
		src.Limits.GameBytes = 1 << 10
		games, faults := recordtest.ReadAll(t, ugf.Format, src)
		if len(games) != 0 || len(faults) != 1 || faults[0].Kind != kind {
			t.Errorf("%.20q: %d games, %v", text, len(games), faults)
		}
	}
}

func Example() {
	const text = "[Header]\nVer=UGF3,200\nSize=19\nHdcp=0,6.50\nWinner=B,C\nCoordinateType=IGS\nPlayerB=Bo,3d\nPlayerW=Wen,4d\n[Data]\nQP,B1,1,0\nDP,W1,2,0\n"
	src := &record.Source{Name: "x.ugf", Reader: strings.NewReader(text)}
	for g, err := range ugf.Format.Read(src) {
		if err != nil {
			fmt.Println(err)
			continue
		}
		f := &g.Facts
		fmt.Println(f.Players[0].Name, f.Players[0].Rank, f.Komi, f.Result, g.Nodes[1].Move, g.Nodes[2].Move)
	}
	// Output: Bo 3d 6.5 B+R qd dd
}
