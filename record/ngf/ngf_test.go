package ngf_test

import (
	"fmt"
	"strings"
	"testing"

	"qipu/record"
	"qipu/record/ngf"
	"qipu/record/recordtest"
)

func TestGolden(t *testing.T) { recordtest.Golden(t, ngf.Format, "testdata/*.ngf") }
func FuzzRead(f *testing.F)   { recordtest.Fuzz(f, ngf.Format, "testdata/*.ngf") }

func TestSniff(t *testing.T) {
	for _, c := range []struct {
		name, head string
		want       int
	}{
		{"x", "t\n19\na\nb\ns\n0\n0\n6\n20200101\n5\nr\n3\nPMABBEEEE\nPMACWFFFF\nPMADBGGGG\n", 95},
		{"x", "PMABBEEEE\n", 70},
		{"x.NGF", "", 20},
		{"x", "(;GM[1];B[aa])", 0},
		{"x.txt", "PM is a property here\n", 0},
	} {
		if got := ngf.Format.Sniff([]byte(c.head), c.name); got != c.want {
			t.Errorf("%s %q: %d, want %d", c.name, c.head, got, c.want)
		}
	}
}

func TestRefused(t *testing.T) {
	for text, kind := range map[string]string{
		"":                                 record.KindEmpty,
		"a\nb\nc":                          record.KindSyntax,
		"a\n" + strings.Repeat("x", 1<<12): record.KindLimit,
	} {
		src := recordtest.Source("x", []byte(text))
		src.Limits.GameBytes = 1 << 10
		games, faults := recordtest.ReadAll(t, ngf.Format, src)
		if len(games) != 0 || len(faults) != 1 || faults[0].Kind != kind {
			t.Errorf("%.20q: %d games, %v", text, len(games), faults)
		}
	}
}

func Example() {
	const text = "Rated game\n19\nWu 3D*\nBao 5D\nwww.example.org\n0\n0\n6\n20200102 [09:05]\n10\nWhite wins by resign!\n2\nPMABBQEEQ\nPMACWEEEE\n"
	src := &record.Source{Name: "x.ngf", Reader: strings.NewReader(text)}
	for g, err := range ngf.Format.Read(src) {
		if err != nil {
			fmt.Println(err)
			continue
		}
		f := &g.Facts
		fmt.Println(f.Players[0].Name, f.Players[0].Rank, f.Players[1].Name, f.Komi, f.Result, f.Date, g.Nodes[1].Move, g.Nodes[2].Move)
	}
	// Output: Bao 5d Wu 6.5 W+R 2020-01-02 pd dd
}
