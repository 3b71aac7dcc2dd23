package cbf_test

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"qipu/record"
	"qipu/record/cbf"
	"qipu/record/recordtest"
)

func TestGolden(t *testing.T) { recordtest.Golden(t, cbf.Format, "testdata/*.cbf") }
func FuzzRead(f *testing.F)   { recordtest.Fuzz(f, cbf.Format, "testdata/*.cbf") }

func TestSniff(t *testing.T) {
	for _, test := range []struct {
		head, name string
		want       int
	}{
		{"\xEF\xBB\xBF<?xml version=\"1.0\"?>\n<ChineseChessRecord>", "a.xml", 95},
		{"CBF of another program", "a.cbf", 10},
		{"<xml>", "a.xml", 0},
	} {
		if got := cbf.Format.Sniff([]byte(test.head), test.name); got != test.want {
			t.Errorf("Sniff(%q, %q) = %d, want %d", test.head, test.name, got, test.want)
		}
	}
}

func TestRefused(t *testing.T) {
	read := func(src *record.Source) ([]*record.Game, []*record.Fault) {
		return recordtest.ReadAll(t, cbf.Format, src)
	}
	for text, kind := range map[string]string{"": record.KindEmpty, "<a></a>": record.KindSyntax, "no xml < at all": record.KindSyntax} {
		if games, faults := read(recordtest.Source("x.cbf", []byte(text))); len(games) != 0 || len(faults) != 1 || faults[0].Kind != kind {
			t.Errorf("%q: %d games, %v", text, len(games), faults)
		}
	}
	src := recordtest.Source("x.cbf", []byte(strings.Repeat("x", 100)))
	src.Limits.GameBytes = 50
	if _, faults := read(src); len(faults) != 1 || faults[0].Kind != record.KindLimit {
		t.Errorf("%v", faults)
	}
	src = recordtest.Source("x.cbf", nil)
	src.Reader = iotest.ErrReader(io.ErrUnexpectedEOF)
	if _, faults := read(src); len(faults) != 1 || faults[0].Kind != record.KindIO {
		t.Errorf("%v", faults)
	}
	src = recordtest.Source("x.cbf", []byte("<ChineseChessRecord><MoveList>"+strings.Repeat("<Move value=\"77-47\"/>", 9)))
	src.Limits.Nodes = 3
	if games, _ := read(src); len(games) != 1 || len(games[0].Nodes) != 4 || len(games[0].Faults) != 2 {
		t.Errorf("%s", recordtest.Dump(games[0]))
	}
}

// TestHostile nests and repeats what a careless reader would choke on.
func TestHostile(t *testing.T) {
	const n = 50_000
	for name, text := range map[string]string{
		"nested":   strings.Repeat("<ChineseChessRecord>", n),
		"moves":    "<ChineseChessRecord>" + strings.Repeat("<Move>", n),
		"comments": "<ChineseChessRecord><Move value=\"77-47\">" + strings.Repeat("<![CDATA[x]]><a>", n),
		"fields":   "<ChineseChessRecord><Head>" + strings.Repeat("<a>x</a>", n),
		"behind":   "<ChineseChessRecord>" + strings.Repeat("<Move value=\"77-47\" end=\"1\">x</Move>", n),
	} {
		t.Run(name, func(t *testing.T) {
			for range cbf.Format.Read(recordtest.Source("x.cbf", []byte(text))) {
			}
		})
	}
}

func Example() {
	const file = `<?xml version="1.0" encoding="UTF-8"?>
<ChineseChessRecord Version="1.0">
 <Head><Red>甲</Red></Head>
 <MoveList>
  <Move value="00-00"/>
  <Move value="77-47"><![CDATA[當頭炮]]></Move>
  <Move value="70-62" end="1"/>
 </MoveList>
</ChineseChessRecord>`
	for g, err := range cbf.Format.Read(&record.Source{Name: "a.cbf", Reader: strings.NewReader(file)}) {
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(g.Facts.Players[0].Name)
		for i := range g.Nodes {
			fmt.Printf("%q %q\n", g.Nodes[i].Move, g.Nodes[i].Text())
		}
	}
	// Output:
	// 甲
	// "" ""
	// "h2e2" "當頭炮"
	// "h9g7" ""
}
