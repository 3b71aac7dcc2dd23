package xqf_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"testing/iotest"

	"qipu/record"
	"qipu/record/recordtest"
	"qipu/record/xqf"
)

func TestGolden(t *testing.T)    { recordtest.Golden(t, xqf.Format, "testdata/*.xqf") }
func TestRoundTrip(t *testing.T) { recordtest.RoundTrips(t, xqf.Format, "testdata/*.xqf") }
func FuzzRead(f *testing.F)      { recordtest.Fuzz(f, xqf.Format, "testdata/*.xqf") }

func one(g *record.Game) iter.Seq[*record.Game] {
	return func(yield func(*record.Game) bool) { yield(g) }
}

func file(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func read(t testing.TB, data []byte) *record.Game {
	t.Helper()
	games, faults := recordtest.ReadAll(t, xqf.Format, recordtest.Source("test.xqf", data))
	if len(games) != 1 {
		t.Fatalf("%d games, faults %v", len(games), faults)
	}
	return games[0]
}

// encrypt hides a plain file as later versions do. The key is the mask, the
// four bytes that are or-ed in, and the three keys for pieces, from and to.
func encrypt(plain []byte, version byte, key [8]byte) []byte {
	out := bytes.Clone(plain[:1024])
	out[2], out[3] = version, key[0]
	copy(out[8:12], key[1:5])
	copy(out[13:16], key[5:])
	out[12] = -(key[5] + key[6] + key[7])
	scramble := func(b byte) byte { return 54*b*b + 221 }
	pieces := scramble(out[13]) * out[13]
	from := scramble(out[14]) * pieces
	to := scramble(out[15]) * from
	length := (uint32(out[12])*256+uint32(out[13]))%32000 + 767
	for i := range 32 {
		slot := i
		if version >= 12 {
			slot = (int(pieces) + 1 + i) % 32
		}
		out[16+i] = plain[16+slot] + pieces
	}
	var body []byte
	for p := plain[1024:]; len(p) >= 8; {
		n := binary.LittleEndian.Uint32(p[4:])
		flags := byte(7*len(body)) & 0x1F // these five bits mean nothing
		if p[2]&0xF0 != 0 {
			flags |= 0x80
		}
		if p[2]&0x0F != 0 {
			flags |= 0x40
		}
		if n > 0 {
			flags |= 0x20
		}
		body = append(body, p[0]+from, p[1]+to, flags, 0x5A)
		if n > 0 {
			body = binary.LittleEndian.AppendUint32(body, n+length)
			body = append(body, p[8:8+n]...)
		}
		p = p[8+n:]
	}
	for i, c := range body {
		body[i] = c + (out[8+i%4]|out[12+i%4]&out[3])&"[(C) Copyright Mr. Dong Shiwei.]"[i%32]
	}
	return append(out, body...)
}

func TestVersions(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, name := range []string{"plain10.xqf", "ending.xqf", "nomove.xqf", "longnames.xqf"} {
		plain := file(t, name)
		want := recordtest.Content(read(t, plain))
		for range 100 {
			version := byte(11 + rng.IntN(8))
			var key [8]byte
			for i := range key {
				key[i] = byte(rng.Uint32())
			}
			g := read(t, encrypt(plain, version, key))
			if got := recordtest.Content(g); got != want || len(g.Faults) > 0 {
				t.Fatalf("%s, version %d, key %x: faults %v\n%s\nwant:\n%s", name, version, key, g.Faults, got, want)
			}
		}
	}
}

// TestCut cuts a file at every byte: what is read is a beginning of the whole,
// and a tree that is not complete is marked.
func TestCut(t *testing.T) {
	for _, whole := range [][]byte{file(t, "plain10.xqf"), file(t, "v18.xqf")} {
		most := len(read(t, whole).Nodes)
		last := 0
		for n := 48; n < len(whole); n++ {
			g := read(t, whole[:n])
			if len(g.Nodes) < last || len(g.Nodes) > most {
				t.Fatalf("%d bytes give %d nodes, fewer bytes gave %d", n, len(g.Nodes), last)
			}
			last = len(g.Nodes)
			marked := false
			for i := range g.Faults {
				marked = marked || g.Faults[i].Severity == record.Marked
			}
			if !marked {
				t.Fatalf("%d of %d bytes are read without a mark", n, len(whole))
			}
		}
		if last != most {
			t.Errorf("all but one byte give %d of %d nodes", last, most)
		}
	}
}

func TestSniff(t *testing.T) {
	plain := file(t, "plain10.xqf")
	unsound := bytes.Clone(plain)
	unsound[13] = 7
	for _, c := range []struct {
		head []byte
		name string
		want int
	}{
		{plain, "game.dat", 100},
		{file(t, "v18.xqf"), "game.xqf", 100},
		{file(t, "text.xqf"), "notes.txt", 0},
		{file(t, "text.xqf"), "a/b.XQF", 10},
		{unsound, "a/b.XQF", 80},
		{unsound, "b.dat", 0},
		{[]byte("XQ"), "x.xqf", 10},
		{[]byte("(;GM[1])"), "game.sgf", 0},
		{nil, "", 0},
	} {
		if got := xqf.Format.Sniff(c.head, c.name); got != c.want {
			t.Errorf("Sniff(%.10q, %s) = %d, want %d", c.head, c.name, got, c.want)
		}
	}
}

func TestRejected(t *testing.T) {
	plain := file(t, "plain10.xqf")
	for _, c := range []struct {
		name string
		src  *record.Source
		kind string
	}{
		{"empty", recordtest.Source("x", nil), record.KindEmpty},
		{"text", recordtest.Source("x", []byte("XQ")), record.KindSyntax},
		{"large", &record.Source{Name: "x", Reader: bytes.NewReader(plain), Limits: record.Limits{GameBytes: 100}}, record.KindLimit},
		{"encoding", &record.Source{Name: "x", Reader: bytes.NewReader(plain), Encoding: "no such"}, record.KindEncoding},
		{"broken", &record.Source{Name: "x", Reader: iotest.ErrReader(errors.New("disk"))}, record.KindIO},
	} {
		games, faults := recordtest.ReadAll(t, xqf.Format, c.src)
		if len(games) != 0 || len(faults) != 1 || faults[0].Kind != c.kind || faults[0].Severity != record.Rejected {
			t.Errorf("%s: %d games, faults %v: want %q", c.name, len(games), faults, c.kind)
		}
	}
}

func TestNodeLimit(t *testing.T) {
	src := recordtest.Source("x", file(t, "plain10.xqf"))
	src.Limits.Nodes = 3
	games, _ := recordtest.ReadAll(t, xqf.Format, src)
	if g := games[0]; len(g.Nodes) != 4 || g.Faults[0].Kind != record.KindLimit {
		t.Errorf("%d nodes, faults %v", len(g.Nodes), g.Faults)
	}
}

// TestGarbage reads a tree of nothing but bad moves.
func TestGarbage(t *testing.T) {
	data := append(bytes.Clone(file(t, "nomove.xqf")[:1024]), 24, 32, 0xF0, 0, 0, 0, 0, 0)
	for range 5000 {
		data = append(data, 24+95, 32, 0xF0, 0, 0xFF, 0xFF, 0xFF, 0xFF)
	}
	if g := read(t, data); len(g.Nodes) != 5001 || len(g.Faults) > 110 {
		t.Errorf("%d nodes, %d faults", len(g.Nodes), len(g.Faults))
	}
}

func TestEncodingOverride(t *testing.T) {
	src := recordtest.Source("x", file(t, "big5.xqf"))
	src.Encoding = "big5"
	games, _ := recordtest.ReadAll(t, xqf.Format, src)
	if g := games[0]; g.Tag("Event") != "臺灣象棋名人賽" || g.Encoding != "big5" || g.Guessed {
		t.Errorf("event %q in %s, guessed %v", g.Tag("Event"), g.Encoding, g.Guessed)
	}
}

// TestOtherFormats writes games as other formats leave them.
func TestOtherFormats(t *testing.T) {
	g := &record.Game{Kind: "xiangqi", Format: "pgn", Notation: "iccs", Tags: []record.Tag{
		{Name: "Game", Value: "Chinese Chess"}, {Name: "Event", Value: strings.Repeat("长", 40)},
		{Name: "Red", Value: "甲"}, {Name: "Round", Value: "3"}, {Name: "X-Note", Value: "a \"b\"\nc\\d"}, {Name: "Result", Value: "1-0"},
	}}
	g.Facts.Players[0].Name = "甲"
	g.Facts.Result.Verdict = 1
	g.Add(0, 0, "")
	g.Nodes[0].More().Comment = "intro\r\nmore\n"
	g.Add(0, 0, "H2-E2")
	var b bytes.Buffer
	if err := xqf.Format.Write(&b, one(g)); err != nil {
		t.Fatal(err)
	}
	back := read(t, b.Bytes())
	for _, name := range []string{"Event", "Red", "Round", "X-Note", "Result"} {
		if back.Tag(name) != g.Tag(name) {
			t.Errorf("%s is %q, want %q", name, back.Tag(name), g.Tag(name))
		}
	}
	if back.Tag("Type") != "full" || back.Nodes[0].Text() != "intro\nmore" || back.Nodes[1].Move != "h2e2" {
		t.Errorf("read back:\n%s", recordtest.Dump(back))
	}
}

// TestProperties carries properties and headers of other formats.
func TestProperties(t *testing.T) {
	g := &record.Game{Kind: "xiangqi", Format: "pgn", Notation: "iccs", Tags: []record.Tag{
		{Name: "Opening", Value: "中炮"}, {Name: "Variation", Value: "中炮"}, {Name: "Red", Value: "甲"}, {Name: "Result", Value: "*"},
	}}
	g.Facts.Players[0].Name, g.Facts.Opening = "甲", "中炮 中炮"
	g.Add(0, 0, "")
	g.Nodes[0].More().Props = []record.Prop{{Name: "ROOT", Values: []string{"1"}}}
	a := g.Add(0, 0, "h2e2")
	g.Nodes[a].More().Props = []record.Prop{{Name: "MN", Values: []string{"7"}}, {Name: "LB", Values: []string{"a \"b\"", "", "c\nd\\"}}, {Name: "KO"}}
	g.Nodes[a].Comment = "好\n[Event \"no header here\"]"
	b := g.Add(a, 0, "h9g7")
	g.Nodes[b].More().Props = []record.Prop{{Name: "NAG", Values: []string{"3"}}}
	var out bytes.Buffer
	if err := xqf.Format.Write(&out, one(g)); err != nil {
		t.Fatal(err)
	}
	back := read(t, out.Bytes())
	if got, want := recordtest.Tree(back), recordtest.Tree(g); got != want {
		t.Errorf("read back:\n%swant:\n%s", got, want)
	}
	if back.Facts != g.Facts || back.Tag("Variation") != "中炮" || back.Tag("Result") != "" {
		t.Errorf("%+v, %q", back.Facts, back.Tags)
	}
	recordtest.RoundTripGame(t, xqf.Format, back)
}

func TestInexpressible(t *testing.T) {
	game := func(edit func(g *record.Game)) iter.Seq[*record.Game] {
		g := &record.Game{Kind: "xiangqi", Format: "xqf"}
		g.Add(0, 0, "")
		g.Add(0, 0, "h2e2")
		edit(g)
		return one(g)
	}
	two := func(yield func(*record.Game) bool) {
		g := &record.Game{Kind: "xiangqi", Nodes: make([]record.Node, 1)}
		if yield(g) {
			yield(g)
		}
	}
	for name, games := range map[string]iter.Seq[*record.Game]{
		"a game of weiqi":    game(func(g *record.Game) { g.Kind = "weiqi" }),
		"the variant":        game(func(g *record.Game) { g.Variant = "free" }),
		"without a root":     game(func(g *record.Game) { g.Nodes = nil }),
		"the move \"pass\"":  game(func(g *record.Game) { g.Nodes[1].Move = "pass" }),
		"the move \"炮二平五\"":  game(func(g *record.Game) { g.Nodes[1].Move = "炮二平五" }),
		"a property named":   game(func(g *record.Game) { g.Nodes[1].More().Props = []record.Prop{{Name: "a b"}} }),
		"ends in \"[%A":      game(func(g *record.Game) { g.Nodes[1].More().Comment = "x\n[%A \"\"]" }),
		"a header named \"%": game(func(g *record.Game) { g.Tags = []record.Tag{{Name: "%b", Value: "c"}} }),
		"set-up":             game(func(g *record.Game) { g.Nodes[0].More().Turn = record.Second }),
		"rows of 9":          game(func(g *record.Game) { g.Start = "9/9 w" }),
		"is no piece":        game(func(g *record.Game) { g.Start = "x8/9/9/9/9/9/9/9/9/9 w" }),
		"a further R":        game(func(g *record.Game) { g.Start = "RRR6/9/9/9/9/9/9/9/9/9 w" }),
		"not to move":        game(func(g *record.Game) { g.Nodes[1].Move = "h7e7" }),
		"a header named":     game(func(g *record.Game) { g.Tags = []record.Tag{{Name: "a b", Value: "c"}} }),
		"more than one":      two,
		"without a game":     func(func(*record.Game) bool) {},
	} {
		err := xqf.Format.Write(&bytes.Buffer{}, games)
		if !errors.Is(err, record.ErrInexpressible) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// large returns a game with many variations.
func large(nodes int) []byte {
	g := &record.Game{Kind: "xiangqi", Format: "xqf"}
	g.Add(0, 0, "")
	texts := [...]string{"h2e2", "h9g7", "h0g2", "i9h9"}
	at := int32(0)
	for i := range nodes {
		next := g.Add(at, 0, texts[i%4])
		if i%7 != 0 {
			at = next
		}
		if i%50 == 0 {
			g.Nodes[next].More().Comment = "红方先手，局势平稳。"
		}
	}
	var b bytes.Buffer
	if err := xqf.Format.Write(&b, one(g)); err != nil {
		panic(err)
	}
	return b.Bytes()
}

func BenchmarkRead(b *testing.B) {
	for _, nodes := range []int{100, 100_000} {
		data := encrypt(large(nodes), 18, [8]byte{0xAA, 1, 2, 3, 250, 9, 8, 7})
		b.Run(fmt.Sprint(nodes, " nodes"), func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				for g, err := range xqf.Format.Read(recordtest.Source("x", data)) {
					if err != nil || len(g.Nodes) != nodes+1 {
						b.Fatal(err)
					}
				}
			}
		})
	}
}
