package shard

import (
	"bufio"
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"qipu/builtin"
	"qipu/index"
	"qipu/index/indextest"
	"qipu/interval"
	"qipu/record"
	"qipu/segment"
)

// builderOf returns a builder of documents of one line each, numbered from 1.
func builderOf(docs []*index.Document) *builder {
	var bs builders
	for i, doc := range docs {
		doc.Game = uint32(i + 1)
		bs.add(doc)
	}
	return bs.list[0]
}

// memoryTable makes a table of main lines; more is called before it is written.
func memoryTable(t *testing.T, kinds *index.Kinds, docs []*index.Document, more func(*builder)) *table {
	t.Helper()
	b := newBuilder(docs[0].Kind, false, len(docs))
	for i, doc := range docs {
		b.add(uint32(i+1), &doc.Facts, &doc.Lines[0], nil)
	}
	if more != nil {
		more(b)
	}
	f, err := segment.Memory(tableKind, tableVersion, b.write)
	if err != nil {
		t.Fatal(err)
	}
	tab, err := openTable(f, kinds)
	if err != nil {
		t.Fatal(err)
	}
	return tab
}

// TestRowsOfOneLine looks a position up whose bits in the table are those of
// another position of the same line: it comes once.
func TestRowsOfOneLine(t *testing.T) {
	kinds := index.NewKinds(builtin.Games())
	maker := index.Documents{Kinds: kinds}
	m := indextest.NewMaker(builtin.Games(), 2)
	one := m.Game("weiqi", "9x9", 20)
	two := m.Cut(one, 15)
	var docs []*index.Document
	for _, g := range []*record.Game{one, two} {
		doc, _ := maker.Make(m.Play(g))
		docs = append(docs, doc)
	}
	tried := 0
	for _, p := range new(index.Positions).Append(nil, docs[1].Kind, &docs[1].Lines[0]) {
		if p.Key&1 != 0 {
			continue
		}
		tried++
		tab := memoryTable(t, kinds, docs, func(b *builder) {
			b.positions = append(b.positions, row{key: p.Key | 1, line: 0})
		})
		rows, err := tab.positions(nil, p.Key)
		if err != nil || len(rows) != 2 || rows[0].Line == rows[1].Line {
			t.Errorf("%v, %v: want one row of each line", rows, err)
		}
	}
	if tried == 0 {
		t.Error("no position was tried")
	}
}

// TestOldTables opens a table of every version there was. The files were
// written once, by the program of their time; those of a new version are made by
// -rewrite, which leaves the others alone.
func TestOldTables(t *testing.T) {
	for version := tableKinds[tableKind].Min; version <= tableVersion; version++ {
		t.Run(fmt.Sprint(version), func(t *testing.T) {
			path := filepath.Join("testdata", fmt.Sprintf("table-%d.seg", version))
			list := goldenGames(t)
			kinds := index.NewKinds(builtin.Games())
			maker := index.Documents{Kinds: kinds}
			var docs []*index.Document
			for _, p := range list {
				doc, ok := maker.Make(p)
				if !ok {
					t.Fatal("a record without a board")
				}
				docs = append(docs, doc)
			}
			if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) && flag.Lookup("rewrite").Value.String() == "true" && version == tableVersion {
				w, err := segment.Create("testdata", filepath.Base(path), tableKind, tableVersion)
				if err != nil {
					t.Fatal(err)
				}
				builderOf(docs).write(w)
				if _, err := w.Commit(); err != nil {
					t.Fatal(err)
				}
			}
			f, err := segment.Open(path, tableKinds)
			if err != nil {
				t.Fatal(err)
			}
			tab, err := openTable(f, kinds)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			if err := f.Verify(t.Context()); err != nil {
				t.Error(err)
			}
			sameAnswers(t, tab, docs)
		})
	}
}

// TestTableWithoutCorners opens a table of version 1 of a large board: it lets
// every line through where it is asked for a corner.
func TestTableWithoutCorners(t *testing.T) {
	kinds := index.NewKinds(builtin.Games())
	r, err := builtin.Games().Find("go:15x15")
	if err != nil {
		t.Fatal(err)
	}
	k := kinds.Of(r)
	line := interval.Line{Changes: []interval.Change{{Beat: 1, Point: 48, Piece: 1}}, End: 2}
	keys := new(index.Corners).Append(nil, k, &line)
	if len(keys) != 1 {
		t.Fatalf("%d corners", len(keys))
	}
	for version, want := range map[uint32]bool{1: false, 2: true} {
		b := newBuilder(k, false, 1)
		b.add(1, &index.Facts{}, &line, nil)
		f, err := segment.Memory(tableKind, version, func(w *segment.Writer) error { return b.writeVersion(w, version) })
		if err != nil {
			t.Fatal(err)
		}
		tab, err := openTable(f, kinds)
		if err != nil {
			t.Fatal(err)
		}
		p := &part{table: tab}
		for _, key := range []uint64{keys[0], ^keys[0]} {
			lines, err := p.lookUp(index.InCorner(key))
			if err != nil {
				t.Fatal(err)
			}
			if want != (lines != nil) || want && lines.Contains(0) != (key == keys[0]) {
				t.Errorf("version %d: corner %x: %v", version, key, lines)
			}
		}
	}
}

// sameAnswers compares a table with one that is made now.
func sameAnswers(t *testing.T, old *table, docs []*index.Document) {
	t.Helper()
	now := memoryTable(t, index.NewKinds(builtin.Games()), docs, nil)
	if old.lines != now.lines || old.plies != now.plies || old.kind.Name != now.kind.Name || !slices.Equal(old.bases, now.bases) {
		t.Fatalf("%d lines of %s, want %d of %s", old.lines, old.kind.Name, now.lines, now.kind.Name)
	}
	keys := map[uint64]bool{}
	for i, doc := range docs {
		block, lane := old.locate(i)
		b, err := old.block(block)
		if err != nil {
			t.Fatal(err)
		}
		if !equalLines(b.Line(lane), doc.Lines[0]) || old.columns.Facts(i) != doc.Facts || old.columns.Game(i) != uint32(i+1) {
			t.Errorf("line %d is not the same", i)
		}
		for _, p := range new(index.Positions).Append(nil, doc.Kind, &doc.Lines[0]) {
			keys[p.Key] = true
		}
	}
	for key := range keys {
		want, err := now.positions(nil, key)
		if err != nil {
			t.Fatal(err)
		}
		got, err := old.positions(nil, key)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("key %016x: %v, %v; want %v", key, got, err, want)
		}
	}
	for class := range index.NumWindows() {
		got, err := old.window(uint16(class))
		if err != nil {
			t.Fatal(err)
		}
		for i, doc := range docs {
			has := slices.Contains(new(index.Scanner).Append(nil, doc.Kind, &doc.Lines[0]), uint16(class))
			if has && got != nil && !got.Contains(uint32(i)) {
				t.Errorf("class %d: line %d is held back", class, i)
			}
		}
	}
}

// goldenGames reads the games of the old tables, one a line: their moves and
// their year. They are made by -rewrite where there are none.
func goldenGames(t *testing.T) []*record.Played {
	t.Helper()
	path := filepath.Join("testdata", "table-games.txt")
	m := indextest.NewMaker(builtin.Games(), 1)
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) && flag.Lookup("rewrite").Value.String() == "true" {
		var text bytes.Buffer
		for range 24 {
			for i, n := range m.Game("weiqi", "9x9", 4+m.Rng.IntN(16)).Main() {
				if i > 0 {
					fmt.Fprintf(&text, "%s ", n.Move)
				}
			}
			fmt.Fprintln(&text)
		}
		if err := os.MkdirAll("testdata", 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, text.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var list []*record.Played
	for in := bufio.NewScanner(bytes.NewReader(data)); in.Scan(); {
		g := m.Game("weiqi", "9x9", 0)
		at := int32(0)
		for i, move := range strings.Fields(in.Text()) {
			at = g.Add(at, record.Side(i%2)+record.First, move)
		}
		g.Facts.Players[0].Rating = 1500 + len(list)
		list = append(list, m.Play(g))
	}
	return list
}
