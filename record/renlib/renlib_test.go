package renlib_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"qipu/record"
	"qipu/record/charset"
	"qipu/record/recordtest"
	"qipu/record/renlib"
)

func TestGolden(t *testing.T) { recordtest.Golden(t, renlib.Format, "testdata/*.lib") }
func FuzzRead(f *testing.F)   { recordtest.Fuzz(f, renlib.Format, "testdata/*.lib") }

// TestFiles writes the files of testdata anew where the environment asks for
// it; they are made here, and nothing but them.
func TestFiles(t *testing.T) {
	if os.Getenv("QIPU_TESTDATA") == "" {
		t.Skip("the files are there; QIPU_TESTDATA=1 makes them anew")
	}
	gbk := func(s string) string {
		data, err := charset.Encode(s, "gb18030")
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	tree := lib(4,
		item{point: 0, comment: gbk("五子棋开局") + "\b" + gbk("连珠定式示例：直指与斜指。\r\n第二段说明文字，供识别编码。\r\n")},
		item{point: 0x78},
		item{point: 0x68, flags: sibling, label: "A"}, // h9
		item{point: 0x59, comment: gbk("溪月")},         // i10
		item{point: 0x3C, flags: noMove | leaf | sibling, label: gbk("佳点")},
		item{point: 0x4C, flags: noMove | leaf | sibling, label: "x"},
		item{point: 0x77, flags: mark | leaf},
		item{point: 0x69, flags: start | leaf, label: "B"}, // i9
	)
	old := append([]byte{0x78, 0, 0x68, 0x20 | leaf}, "F|rsta draget ]t h|ger\x08mer tex\xF4\x00"...)
	bad := lib(9,
		item{point: 0x78, flags: sibling},
		item{point: 0xF8},
		item{point: 0x10, flags: noMove, comment: "a point only"},
		item{point: 0, flags: leaf},
		item{point: 0x11, flags: leaf},
		item{point: 0x12, flags: leaf},
		item{point: 0x22},
	)
	for name, data := range map[string][]byte{
		"tree.lib": tree, "old.lib": old, "bad.lib": bad, "cut.lib": tree[:len(tree)-3], "cutcomment.lib": tree[:60],
		"empty.lib": nil, "none.lib": lib(0), "cutheader.lib": tree[:12], "other.lib": []byte("!<arch>\n"),
	} {
		if err := os.WriteFile("testdata/"+name, data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

const (
	sibling = 0x80
	leaf    = 0x40
	mark    = 0x10
	start   = 0x04
	noMove  = 0x02
)

type item struct {
	point, flags   byte
	comment, label string
}

// lib returns a library of version 3.minor.
func lib(minor byte, items ...item) []byte {
	b := append([]byte("\xFFRenLib\xFF"), 3, minor)
	b = append(b, bytes.Repeat([]byte{0xFF}, 10)...)
	text := func(s string) {
		b = append(b, s...)
		b = append(b, make([]byte, 2-len(s)%2)...)
	}
	for _, n := range items {
		if n.comment != "" {
			n.flags |= 0x08
		}
		if n.label != "" {
			n.flags |= 0x01
		}
		b = append(b, n.point, n.flags)
		if n.label != "" {
			b = append(b, 0, 1)
		}
		if n.comment != "" {
			text(n.comment)
		}
		if n.label != "" {
			text(n.label)
		}
	}
	return b
}

// random returns a library of so many moves, at most 60 deep.
func random(moves int, seed uint64) []byte {
	rng := rand.New(rand.NewPCG(seed, 7))
	items := []item{{point: 0x78}}
	depth := 1
	var stack []int // depths at which a sibling is to follow
	for i := 1; i < moves; i++ {
		n := item{point: byte(16*rng.IntN(15) + 1 + rng.IntN(15))}
		if rng.IntN(9) == 0 {
			n.comment = fmt.Sprint("comment ", i)
		}
		if rng.IntN(9) == 0 {
			n.label = fmt.Sprint(i)
		}
		end := depth >= 60 || rng.IntN(4) == 0
		if rng.IntN(3) == 0 || end && len(stack) == 0 {
			n.flags |= sibling
			stack = append(stack, depth)
		}
		if depth++; end {
			n.flags |= leaf
			depth = stack[len(stack)-1]
			stack = stack[:len(stack)-1]
		}
		items = append(items, n)
	}
	return lib(4, items...)
}

func read(t testing.TB, src *record.Source) []*record.Game {
	t.Helper()
	games, faults := recordtest.ReadAll(t, renlib.Format, src)
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	return games
}

// lines returns every node as the moves that lead to it, its comment and
// properties.
func lines(g *record.Game) map[string]bool {
	paths := make([]string, len(g.Nodes))
	all := map[string]bool{}
	for i := 1; i < len(g.Nodes); i++ {
		n := &g.Nodes[i]
		paths[i] = paths[n.Parent] + " " + n.Move
		all[paths[i]] = true
		if n.Extra != nil {
			all[fmt.Sprint(paths[i], " ", n.Comment, " ", n.Props)] = true
		}
	}
	return all
}

// TestParts reads libraries under small limits: the parts together hold exactly
// what the whole holds.
func TestParts(t *testing.T) {
	for seed := range uint64(20) {
		data := random(3000, seed)
		whole := read(t, recordtest.Source("x", data))
		if len(whole) != 1 || len(whole[0].Raw) != len(data) {
			t.Fatalf("%d games", len(whole))
		}
		want := lines(whole[0])
		for _, limits := range []record.Limits{{Nodes: 500}, {GameBytes: 600}} {
			src := recordtest.Source("x", data)
			src.Limits = limits
			got := map[string]bool{}
			games := read(t, src)
			for i, g := range games {
				if g.Place.Number != i+1 || limits.Nodes > 0 && len(g.Nodes) > limits.Nodes {
					t.Fatalf("part %d: %+v, %d nodes", i+1, g.Place, len(g.Nodes))
				}
				for line := range lines(g) {
					if !want[line] {
						t.Fatalf("part %d has %q", i+1, line)
					}
					got[line] = true
				}
			}
			if len(games) < 4 || len(got) != len(want) {
				t.Fatalf("seed %d, limits %+v: %d parts have %d of %d lines", seed, limits, len(games), len(got), len(want))
			}
		}
	}
}

// TestLongLine ends where a single line fills a game.
func TestLongLine(t *testing.T) {
	items := slices.Repeat([]item{{point: 0}}, 1000)
	src := recordtest.Source("x", lib(0, items...))
	src.Limits.Nodes = 100
	games, faults := recordtest.ReadAll(t, renlib.Format, src)
	if len(games) != 1 || len(faults) != 1 || faults[0].Kind != record.KindLimit {
		t.Errorf("%d games, faults %v", len(games), faults)
	}
}

// TestPoints checks which way up the board is.
func TestPoints(t *testing.T) {
	for point, want := range map[byte]string{0x01: "a15", 0x0F: "o15", 0xE1: "a1", 0xEF: "o1", 0x78: "h8", 0x68: "h9", 0x69: "i9", 0x00: "pass"} {
		g := read(t, recordtest.Source("x", lib(0, item{point: 0x78}, item{point: point, flags: leaf})))[0]
		if got := g.Nodes[2].Move; got != want {
			t.Errorf("byte %#x is %s, want %s", point, got, want)
		}
	}
}

func TestCut(t *testing.T) {
	whole, err := os.ReadFile("testdata/tree.lib")
	if err != nil {
		t.Fatal(err)
	}
	last := 0
	for n := 20; n <= len(whole); n++ {
		g := read(t, recordtest.Source("x", whole[:n]))[0]
		if len(g.Nodes) < last {
			t.Fatalf("%d bytes give %d nodes, fewer gave %d", n, len(g.Nodes), last)
		}
		last = len(g.Nodes)
	}
}

func TestErrors(t *testing.T) {
	tree := lib(0, item{point: 0x78}, item{point: 0x68, flags: leaf, comment: "\xB0\xB2"})
	broken := io.MultiReader(bytes.NewReader(tree[:22]), iotest.ErrReader(errors.New("disk")))
	g := read(t, &record.Source{Name: "x", Reader: broken})[0]
	if len(g.Nodes) != 2 || len(g.Faults) != 1 || g.Faults[0].Kind != record.KindIO {
		t.Errorf("%d nodes, faults %v", len(g.Nodes), g.Faults)
	}
	for kind, src := range map[string]*record.Source{
		record.KindIO:       {Name: "x", Reader: iotest.ErrReader(errors.New("disk"))},
		record.KindEncoding: {Name: "x", Reader: bytes.NewReader(tree), Encoding: "no such"},
	} {
		games, faults := recordtest.ReadAll(t, renlib.Format, src)
		if len(games) != 0 || len(faults) != 1 || faults[0].Kind != kind {
			t.Errorf("%s: %d games, faults %v", kind, len(games), faults)
		}
	}
	// A comment that never ends.
	src := recordtest.Source("x", lib(0, item{point: 0x78, comment: strings.Repeat("x", 10_000)}))
	src.Limits.GameBytes = 1000
	if _, faults := recordtest.ReadAll(t, renlib.Format, src); len(faults) > 1 {
		t.Errorf("faults %v", faults)
	}
}

// TestGarbage reads a tree of nothing but bad moves.
func TestGarbage(t *testing.T) {
	g := read(t, recordtest.Source("x", lib(0, slices.Repeat([]item{{point: 0xF0, flags: sibling | leaf}}, 5000)...)))[0]
	if len(g.Nodes) != 5001 || len(g.Faults) > 110 {
		t.Errorf("%d nodes, %d faults", len(g.Nodes), len(g.Faults))
	}
}

func TestSniff(t *testing.T) {
	for _, c := range []struct {
		head, name string
		want       int
	}{
		{"\xFFRenLib\xFF\x03\x00", "x", 100},
		{"x\x00h\x40", "old.LIB", 40},
		{"x\x9C", "data.z", 0},
		{"!<arch>\n", "windows.lib", 0},
		{"", "x.lib", 0},
	} {
		if got := renlib.Format.Sniff([]byte(c.head), c.name); got != c.want {
			t.Errorf("Sniff(%q, %s) = %d, want %d", c.head, c.name, got, c.want)
		}
	}
}

func BenchmarkRead(b *testing.B) {
	data := random(200_000, 1)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		for _, err := range renlib.Format.Read(recordtest.Source("x", data)) {
			if err != nil {
				b.Fatal(err)
			}
		}
	}
}
