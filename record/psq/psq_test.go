package psq_test

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"qipu/record"
	"qipu/record/psq"
	"qipu/record/recordtest"
)

func TestGolden(t *testing.T) { recordtest.Golden(t, psq.Format, "testdata/*.[pr]*") }
func FuzzRead(f *testing.F)   { recordtest.Fuzz(f, psq.Format, "testdata/*.[pr]*") }

func TestSniff(t *testing.T) {
	for _, test := range []struct {
		head, name string
		want       int
	}{
		{"Piskvorky 20x20, 11:11, 0", "", 100},
		{"one\ntwo\n3,4,5\n", "a.REC", 70},
		{"one\ntwo\nthree\n", "a.rec", 0},
		{"", "a.psq", 20},
		{"one\ntwo\n3,4,5\n", "a.txt", 0},
	} {
		if got := psq.Format.Sniff([]byte(test.head), test.name); got != test.want {
			t.Errorf("Sniff(%q, %q) = %d, want %d", test.head, test.name, got, test.want)
		}
	}
}

func TestRefused(t *testing.T) {
	src := recordtest.Source("x.psq", []byte("Piskvorky 15x15, 0:0, 0\n"+strings.Repeat("8,8,0\n", 20)))
	src.Limits.GameBytes = 50
	if _, faults := recordtest.ReadAll(t, psq.Format, src); len(faults) != 1 || faults[0].Kind != record.KindLimit {
		t.Errorf("%v", faults)
	}
	src = recordtest.Source("x.psq", []byte("Piskvorky 15x15, 0:0, 0\n"+strings.Repeat("8,8,0\n", 20)))
	src.Limits.Nodes = 3
	if games, _ := recordtest.ReadAll(t, psq.Format, src); len(games) != 1 || len(games[0].Nodes) != 4 || len(games[0].Faults) != 1 {
		t.Errorf("%s", recordtest.Dump(games[0]))
	}
	src = recordtest.Source("x.psq", nil)
	src.Reader = iotest.ErrReader(io.ErrUnexpectedEOF)
	if _, faults := recordtest.ReadAll(t, psq.Format, src); len(faults) != 1 || faults[0].Kind != record.KindIO {
		t.Errorf("%v", faults)
	}
}

func Example() {
	file := "Piskvorky 15x15, 0:0, 0\n8,8,1500\n9,8,800\nAlice\nBob\n0\n"
	for g, err := range psq.Format.Read(&record.Source{Name: "a.psq", Reader: strings.NewReader(file)}) {
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(g.Variant, g.Facts.Players[0].Name, g.Facts.Players[1].Name)
		for _, n := range g.Nodes[1:] {
			fmt.Println(n.Move, n.Props)
		}
	}
	// Output:
	// free Alice Bob
	// 8,8 [{ms [1500]}]
	// 9,8 [{ms [800]}]
}
