package gib_test

import (
	"fmt"
	"strings"
	"testing"

	"qipu/record"
	"qipu/record/gib"
	"qipu/record/recordtest"
)

func TestGolden(t *testing.T) { recordtest.Golden(t, gib.Format, "testdata/*.gib") }
func FuzzRead(f *testing.F)   { recordtest.Fuzz(f, gib.Format, "testdata/*.gib") }

func TestSniff(t *testing.T) {
	for _, c := range []struct {
		name, head string
		want       int
	}{
		{"x", "\\HS\r\n\\[GIBOKIND=Korea\\]\r\n", 95},
		{"x", "junk\n\\[GAMENAME=x\\]\n\\HE\n", 80},
		{"x.GIB", "", 20},
		{"x", "(;GM[1];B[aa])", 0},
	} {
		if got := gib.Format.Sniff([]byte(c.head), c.name); got != c.want {
			t.Errorf("%s %q: %d, want %d", c.name, c.head, got, c.want)
		}
	}
}

// TestHandicap checks where stones are put for every handicap.
func TestHandicap(t *testing.T) {
	for n, want := range map[int]string{
		0: "", 2: "pd dp", 3: "pd dp dd", 4: "pd dp dd pp", 5: "pd dp dd pp jj", 6: "pd dp dd pp dj pj",
		7: "pd dp dd pp dj pj jj", 8: "pd dp dd pp dj pj jd jp", 9: "pd dp dd pp dj pj jd jp jj",
	} {
		text := fmt.Sprintf("\\HS\n\\[GAMENAME=x\\]\n\\HE\n\\GS\nINI 0 1 %d &4\n\\GE\n", n)
		games, _ := recordtest.ReadAll(t, gib.Format, recordtest.Source("x", []byte(text)))
		var got []string
		if x := games[0].Nodes[0].Extra; x != nil {
			for _, put := range x.Setup {
				got = append(got, put.Point)
			}
		}
		if strings.Join(got, " ") != want || n > 0 && games[0].Facts.Handicap != n {
			t.Errorf("%d: %v, want %s", n, got, want)
		}
	}
}

func TestRefused(t *testing.T) {
	for text, kind := range map[string]string{
		"":                                  record.KindEmpty,
		"nothing here":                      record.KindSyntax,
		"\\HS" + strings.Repeat("x", 1<<12): record.KindLimit,
	} {
		src := recordtest.Source("x", []byte(text))
		src.Limits.GameBytes = 1 << 10
		games, faults := recordtest.ReadAll(t, gib.Format, src)
		if len(games) != 0 || len(faults) != 1 || faults[0].Kind != kind {
			t.Errorf("%.20q: %d games, %v", text, len(games), faults)
		}
	}
}

func Example() {
	const text = `\HS
\[GAMEBLACKNAME=Bo (3D)\]
\[GAMEWHITENAME=Wen (4D)\]
\[GAMETAG=S0,R0,D0,G65,W3,Z0\]
\HE
\GS
INI 0 1 0 &4
STO 0 2 1 15 3
STO 0 3 2 3 15
\GE
`
	src := &record.Source{Name: "x.gib", Reader: strings.NewReader(text)}
	for g, err := range gib.Format.Read(src) {
		if err != nil {
			fmt.Println(err)
			continue
		}
		f := &g.Facts
		fmt.Println(f.Players[0].Name, f.Players[0].Rank, f.Komi, f.Result, g.Nodes[1].Move, g.Nodes[2].Move)
	}
	// Output: Bo 3d 6.5 B+R pd dp
}
