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
	"qipu/record"
	"qipu/segment"
	"qipu/store"
	"qipu/store/shard/internal/table"
	"qipu/store/storetest"
)

// builderOf returns a builder of documents of one line each, numbered from 1.
func builderOf(docs []*index.Document) *table.Builder {
	var bs builders
	for i, doc := range docs {
		doc.Game = uint32(i + 1)
		bs.add(doc)
	}
	return bs.list[0]
}

// memoryTable makes a table of main lines; more is called before it is written.
func memoryTable(t *testing.T, kinds *index.Kinds, docs []*index.Document, more func(*table.Builder)) *table.Table {
	t.Helper()
	b := table.NewBuilder(docs[0].Kind, false, len(docs))
	for i, doc := range docs {
		b.Add(uint32(i+1), &doc.Facts, &doc.Lines[0], nil)
	}
	if more != nil {
		more(b)
	}
	f, err := segment.Memory(table.Kind, table.Version, b.Write)
	if err != nil {
		t.Fatal(err)
	}
	tab, err := table.Open(f, kinds)
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
	m := storetest.NewMaker(builtin.Games(), 2)
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
		tab := memoryTable(t, kinds, docs, func(b *table.Builder) {
			b.Positions = append(b.Positions, table.Row{Key: p.Key | 1, Line: 0})
		})
		rows, err := tab.Positions(nil, p.Key)
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
	for version := table.Kinds[table.Kind].Min; version <= table.Version; version++ {
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
			if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) && flag.Lookup("rewrite").Value.String() == "true" && version == table.Version {
				w, err := segment.Create("testdata", filepath.Base(path), table.Kind, table.Version)
				if err != nil {
					t.Fatal(err)
				}
				builderOf(docs).Write(w)
				if _, err := w.Commit(); err != nil {
					t.Fatal(err)
				}
			}
			f, err := segment.Open(path, table.Kinds)
			if err != nil {
				t.Fatal(err)
			}
			tab, err := table.Open(f, kinds)
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

// TestOlderTables opens tables of versions that are not read any more: they say
// that they are older, which has them made anew.
func TestOlderTables(t *testing.T) {
	for version := uint32(1); version < table.Kinds[table.Kind].Min; version++ {
		path := filepath.Join("testdata", fmt.Sprintf("table-%d.seg", version))
		if f, err := segment.Open(path, table.Kinds); !errors.Is(err, segment.ErrOlder) || !store.Repairable(err) {
			t.Errorf("version %d: %v, %v", version, f, err)
		}
	}
}

// TestOlderLibrary opens a library whose tables are of an older version: a
// reader is told what to do, and adding makes them anew.
func TestOlderLibrary(t *testing.T) {
	p := newPatient(t, 21)
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	for i, path := range segments(t, p.Dir()) {
		data, err := os.ReadFile(filepath.Join("testdata", fmt.Sprintf("table-%d.seg", 1+i%2)))
		if err == nil {
			err = os.WriteFile(path, data, 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	ro := open(t, p.Dir(), Options{ReadOnly: true, Games: builtin.Games()})
	if _, err := ro.View(t.Context()); !errors.Is(err, segment.ErrOlder) {
		t.Errorf("a reader is told %v", err)
	}
	if err := p.Reopen(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := p.story.Put(p.story.Random(30)); err != nil {
		t.Fatal(err)
	}
	p.check(t, "made anew")
}

// sameAnswers compares a table with one that is made now.
func sameAnswers(t *testing.T, old *table.Table, docs []*index.Document) {
	t.Helper()
	now := memoryTable(t, index.NewKinds(builtin.Games()), docs, nil)
	if old.Lines != now.Lines || old.Plies != now.Plies || old.Kind.Name != now.Kind.Name || !slices.Equal(old.Bases, now.Bases) {
		t.Fatalf("%d lines of %s, want %d of %s", old.Lines, old.Kind.Name, now.Lines, now.Kind.Name)
	}
	comments, err := old.Remarks.All()
	if err != nil {
		t.Fatal(err)
	}
	keys := map[uint64]bool{}
	for i, doc := range docs {
		if comments[uint32(i)] != doc.Comment {
			t.Errorf("line %d has the comment %q, want %q", i, comments[uint32(i)], doc.Comment)
		}
		block, lane := old.Locate(i)
		b, err := old.Block(block)
		if err != nil {
			t.Fatal(err)
		}
		if !equalLines(b.Line(lane), doc.Lines[0]) || old.Columns.Facts(i) != doc.Facts || old.Columns.Game(i) != uint32(i+1) {
			t.Errorf("line %d is not the same", i)
		}
		for _, p := range new(index.Positions).Append(nil, doc.Kind, &doc.Lines[0]) {
			keys[p.Key] = true
		}
	}
	for key := range keys {
		want, err := now.Positions(nil, key)
		if err != nil {
			t.Fatal(err)
		}
		got, err := old.Positions(nil, key)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("key %016x: %v, %v; want %v", key, got, err, want)
		}
	}
	for class := range index.NumWindows() {
		got, err := old.Window(uint16(class))
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
	m := storetest.NewMaker(builtin.Games(), 1)
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
		g.Facts.Players[1].Name = []string{"", "吳清源", "Sakata Eio", "吴清源"}[len(list)%4]
		if len(list)%5 == 0 {
			g.Nodes[at].More().Comment = "A good move, as they say"
		}
		list = append(list, m.Play(g))
	}
	return list
}
