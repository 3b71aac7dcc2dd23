package cbridge_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf16"

	"qipu/record"
	"qipu/record/cbridge"
	"qipu/record/recordtest"
)

func TestGolden(t *testing.T) { recordtest.Golden(t, cbridge.Format, "testdata/*.cb?") }
func FuzzRead(f *testing.F)   { recordtest.Fuzz(f, cbridge.Format, "testdata/*.cb?") }

// TestFiles writes the files of testdata anew where the environment asks for
// it; they are made by the functions below, and nothing but them.
func TestFiles(t *testing.T) {
	if os.Getenv("QIPU_TESTDATA") == "" {
		t.Skip("the files are there; QIPU_TESTDATA=1 makes them anew")
	}
	game := sample(1)
	deleted, heading, unknown := sample(2), heading(3), sample(4)
	long := sample(5)
	long = append(long[:treeAt:treeAt], node(4, 0, 0, strings.Repeat("长", 1000))...)
	long = append(long, node(1, 64, 67, "")...)
	ending := header("Ending, Black to move", 6)
	clear(ending[boardAt : boardAt+90])
	ending[boardAt+4], ending[boardAt+85], ending[boardAt+40], ending[boardAt+41] = 0x25, 0x15, 0x27, 0x99
	ending[turnAt], ending[resultAt], ending[versionAt], ending[roundAt] = 2, 4, 3, 12
	ending = append(ending, node(1, 0, 0, "")...)
	bad := append(sample(7)[:treeAt:treeAt], node(0, 0, 0, "")...)
	bad = append(bad, node(0, 95, 12, "")...)
	bad = append(bad, 4, 0, 1, 2, 0xFF, 0xFF, 0xFF, 0xFF)

	for name, data := range map[string][]byte{
		"game.cbr": game, "ending.cbr": ending, "bad.cbr": bad, "heading.cbr": heading,
		"cut.cbr": game[:len(game)-9], "cutheader.cbr": game[:900], "empty.cbr": nil, "text.cbr": []byte("CCBridge Recorder, a text"),
		"library.cbl": library([][]byte{game, deleted, heading, long, unknown, ending}, map[int]bool{1: true}, map[int]bool{4: true}),
	} {
		if err := os.WriteFile("testdata/"+name, data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

const (
	versionAt = 19
	idAt      = 20
	typeAt    = 2040
	resultAt  = 2076
	turnAt    = 2112
	roundAt   = 2116
	boardAt   = 2120
	treeAt    = 2214
)

func text(s string) []byte {
	var b []byte
	for _, u := range utf16.Encode([]rune(s)) {
		b = binary.LittleEndian.AppendUint16(b, u)
	}
	return b
}

// header returns the header of a record at the usual start.
func header(title string, id byte) []byte {
	h := make([]byte, treeAt)
	copy(h, "CCBridge Record\x00")
	h[versionAt], h[turnAt], h[roundAt] = 2, 1, 1
	for i := range 16 {
		h[idAt+i] = id + byte(i)
	}
	copy(h[180:], text(title))
	const rows = "123454321" + "000000000" + "060000060" + "707070707" + "000000000"
	for i, c := range []byte(rows) {
		if c != '0' {
			h[boardAt+i] = 0x20 + c - '0'
			h[boardAt+89-i] = 0x10 + c - '0'
		}
	}
	return h
}

func node(flags, from, to byte, comment string) []byte {
	n := []byte{flags, 0, from, to}
	if comment != "" {
		n[0] |= 4
		n = binary.LittleEndian.AppendUint32(n, uint32(len(text(comment))))
		n = append(n, text(comment)...)
	}
	return n
}

// sample is a record with variations and comments.
func sample(id byte) []byte {
	h := header("中炮示例 😀", id)
	for at, s := range map[int]string{
		308: `全局\中炮`, 564: "测试书", 692: "测试杯", 756: "第2轮", 884: "2024年5月6日", 948: "广州",
		1012: "60+30", 1076: "甲一 ", 1140: "某队", 1268: "2400", 1300: "乙二", 1364: "另队", 1492: "九段", 1652: "丙三", 1780: "丁四", 1908: "2024-05-07 1:02:03",
	} {
		copy(h[at:], text(s))
	}
	h[typeAt], h[resultAt] = 1, 1
	for _, n := range [][]byte{
		node(0, 0, 0, "开局示例。\r\n第二行。\r\n"),
		node(2, 70, 67, ""),       // h2e2
		node(2, 7, 24, "屏风马"),     // h9g7
		node(1, 88, 69, ""),       // h0g2
		node(1, 25, 22, "列炮"),     // h7e7
		node(1, 60, 51, "仙人指路\n"), // g3g4
	} {
		h = append(h, n...)
	}
	return h
}

// heading is a record without board and moves.
func heading(id byte) []byte {
	h := header("第一章", id)
	clear(h[boardAt : boardAt+90])
	return append(h, node(1, 0, 0, "章节说明")...)
}

// library packs records; some are marked as deleted, some left out of the
// index.
func library(records [][]byte, deleted, hidden map[int]bool) []byte {
	room := len(records) + 1
	lib := make([]byte, 66624+room*276)
	copy(lib, "CCBridgeLibrary\x00")
	lib[60] = byte(room)
	copy(lib[64:], text("示例棋库"))
	copy(lib[576:], text("自编"))
	copy(lib[832:], text("丁四"))
	copy(lib[1088:], text("备注\r\n第二行"))
	for i, r := range records {
		blocks := (len(r) + 4095) / 4096
		if e := lib[66624+i*276:]; !hidden[i] {
			e[0], e[4], e[8] = 7, byte(i), byte(blocks)
			if deleted[i] {
				e[0] = 5
			}
			binary.LittleEndian.PutUint32(e[12:], uint32(len(r)))
			id := r[idAt : idAt+16]
			copy(e[20:], text(fmt.Sprintf("{%08X-%04X-%04X-%04X-%012X}", binary.LittleEndian.Uint32(id),
				binary.LittleEndian.Uint16(id[4:]), binary.LittleEndian.Uint16(id[6:]), id[8:10], id[10:])))
		}
		block := bytes.Repeat([]byte{0x04}, blocks*4096) // left over from an older version
		copy(block, r)
		lib = append(lib, block...)
	}
	return lib
}

func read(t testing.TB, data []byte) ([]*record.Game, []*record.Fault) {
	t.Helper()
	return recordtest.ReadAll(t, cbridge.Format, recordtest.Source("test", data))
}

// TestCut cuts a record at every byte: what is read is a beginning of the
// whole, and marked.
func TestCut(t *testing.T) {
	whole := sample(1)
	last := 0
	for n := treeAt; n < len(whole); n++ {
		games, _ := read(t, whole[:n])
		g := games[0]
		if len(g.Nodes) < last || len(g.Faults) == 0 || g.Faults[0].Severity != record.Marked {
			t.Fatalf("%d bytes: %d nodes after %d, faults %v", n, len(g.Nodes), last, g.Faults)
		}
		last = len(g.Nodes)
	}
}

// TestOutOfStep reads a library whose records do not begin where they should.
func TestOutOfStep(t *testing.T) {
	lib := library([][]byte{sample(1), sample(2)}, nil, nil)
	data := append(append(bytes.Clone(lib[:66624+3*276]), make([]byte, 777)...), lib[66624+3*276:]...)
	games, faults := read(t, data)
	if len(games) != 2 || len(faults) != 0 {
		t.Fatalf("%d games, faults %v", len(games), faults)
	}
	binary.LittleEndian.PutUint32(lib[60:], 1<<30) // an index with more room than there is
	if games, faults = read(t, lib); len(games) != 2 || len(faults) != 0 {
		t.Fatalf("%d games, faults %v", len(games), faults)
	}
}

// TestLimits leaves a large record out and goes on behind it.
func TestLimits(t *testing.T) {
	large := append(sample(2), make([]byte, 3*4096)...)
	src := recordtest.Source("test", library([][]byte{sample(1), large, sample(3)}, nil, nil))
	src.Limits.GameBytes = 8192
	games, faults := recordtest.ReadAll(t, cbridge.Format, src)
	if len(games) != 2 || len(faults) != 1 || faults[0].Kind != record.KindLimit || games[1].Place.Number != 3 {
		t.Errorf("%d games, faults %v", len(games), faults)
	}
	src = recordtest.Source("test", sample(1))
	src.Limits.GameBytes = 100
	if games, faults = recordtest.ReadAll(t, cbridge.Format, src); len(games) != 0 || faults[0].Kind != record.KindLimit {
		t.Errorf("%d games, faults %v", len(games), faults)
	}
	src = recordtest.Source("test", sample(1))
	src.Limits.Nodes = 2
	if games, _ = recordtest.ReadAll(t, cbridge.Format, src); len(games[0].Nodes) != 3 || games[0].Faults[0].Kind != record.KindLimit {
		t.Errorf("%d nodes, faults %v", len(games[0].Nodes), games[0].Faults)
	}
}

func TestRejected(t *testing.T) {
	lib := library([][]byte{sample(1), sample(2)}, nil, nil)
	for _, c := range []struct {
		name  string
		data  []byte
		games int
		kind  string
	}{
		{"no records", library(nil, nil, nil), 0, record.KindEmpty},
		{"cut in the head", lib[:5000], 0, record.KindSyntax},
		{"cut in the index", lib[:66624+300], 0, record.KindSyntax},
		{"cut in the second header", lib[:len(lib)-4000], 1, record.KindSyntax},
	} {
		games, faults := read(t, c.data)
		if len(games) != c.games || len(faults) != 1 || faults[0].Kind != c.kind || faults[0].Severity != record.Rejected {
			t.Errorf("%s: %d games, faults %v", c.name, len(games), faults)
		}
	}
}

// TestReadError keeps the games before the place where the disk fails.
func TestReadError(t *testing.T) {
	lib := library([][]byte{sample(1), sample(2)}, nil, nil)
	for _, n := range []int{5, 1000, 66700, len(lib) - 5000, len(lib) - 100} {
		src := &record.Source{Name: "x", Reader: &failing{bytes.NewReader(lib[:n])}}
		_, faults := recordtest.ReadAll(t, cbridge.Format, src)
		if len(faults) == 0 || faults[len(faults)-1].Severity != record.Rejected {
			t.Errorf("after %d bytes: faults %v", n, faults)
		}
	}
}

type failing struct{ *bytes.Reader }

func (f *failing) Read(p []byte) (int, error) {
	if f.Len() == 0 {
		return iotest.ErrReader(errors.New("disk")).Read(p)
	}
	return f.Reader.Read(p)
}

// TestGarbage reads a tree of nothing but bad moves.
func TestGarbage(t *testing.T) {
	data := append(header("garbage", 1), node(0, 0, 0, "")...)
	for range 5000 {
		data = append(data, 4, 0, 99, 99, 0xFF, 0xFF, 0xFF, 0xFF)
	}
	games, _ := read(t, data)
	if g := games[0]; len(g.Nodes) != 5001 || len(g.Faults) > 110 {
		t.Errorf("%d nodes, %d faults", len(g.Nodes), len(g.Faults))
	}
}

func TestStop(t *testing.T) {
	n := 0
	for range cbridge.Format.Read(recordtest.Source("x", library([][]byte{sample(1), sample(2)}, map[int]bool{0: true}, nil))) {
		n++
		break
	}
	if n != 1 {
		t.Error(n)
	}
}

func TestSniff(t *testing.T) {
	for _, c := range []struct {
		head, name string
		want       int
	}{
		{"CCBridge Record\x00...", "x", 100},
		{"CCBridgeLibrary\x00...", "x", 100},
		{"CCBridge Recorder", "x.cbr", 0},
		{"Rar!", "comic.cbr", 0},
		{"", "x.CBL", 10},
	} {
		if got := cbridge.Format.Sniff([]byte(c.head), c.name); got != c.want {
			t.Errorf("Sniff(%q, %s) = %d, want %d", c.head, c.name, got, c.want)
		}
	}
}

func BenchmarkLibrary(b *testing.B) {
	r := sample(1)[:treeAt]
	r = append(r, node(0, 0, 0, "")...)
	for i := range 80 {
		flags := byte(0)
		if i == 79 {
			flags = 1
		}
		r = append(r, node(flags, 70, 67, "")...)
	}
	var records [][]byte
	for range 200 {
		records = append(records, r)
	}
	lib := library(records, nil, nil)
	b.ReportAllocs()
	b.SetBytes(int64(len(lib)))
	for b.Loop() {
		n := 0
		for _, err := range cbridge.Format.Read(recordtest.Source("x", lib)) {
			if err != nil {
				b.Fatal(err)
			}
			n++
		}
		if n != 200 {
			b.Fatal(n)
		}
	}
}
