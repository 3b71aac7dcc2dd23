package catalog_test

import (
	"bytes"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/zeebo/xxh3"

	"qipu/record/facts"
	"qipu/store"
	"qipu/store/shard/internal/catalog"
)

// FuzzAdd: whatever texts and bytes a game has, it comes back with them.
func FuzzAdd(f *testing.F) {
	f.Add("weiqi 19x19", "a.tar.gz!b/c.sgf", "名人", "2001-02-03", "B+R", "9p", []byte("record"), []byte("raw"), uint64(1<<63), -3)
	f.Add("", "\\", "\x00", "ca. 1670", "W+0.5", "18k", []byte{}, []byte(nil), uint64(0), 7)
	db := open(f)
	f.Fuzz(func(t *testing.T, kind, file, name, date, result, rank string, text, raw []byte, key uint64, number int) {
		e := store.Entry{
			Kind: kind, Key: key, Head: ^key, Plies: number, Format: name + "f", Encoding: rank, Marked: key%2 == 0,
			Source: store.Source{File: file, Number: number, Offset: int64(key)}, Record: text, Raw: raw,
			Facts: &facts.Facts{
				Players: [2]facts.Player{{Name: name, Rank: facts.ParseRank(rank), Rating: number, Team: file}, {Name: kind, Rating: -number}},
				Event:   result, Date: facts.ParseDate(date), Result: facts.ParseResult(facts.BlackFirst, result), Komi: facts.Komi{Half: number, Known: key%3 == 0}, Handicap: number,
				Opening: date, Time: name,
			},
		}
		if !e.Facts.Komi.Known {
			e.Facts.Komi.Half = 0
		}
		if d := facts.ParseDate(e.Facts.Date.SGF()); d != e.Facts.Date {
			t.Skip("a date that its own text does not give back")
		}
		same(t, db, add(t, db, e), []store.Entry{e})
	})
}

// FuzzChunk: packing and unpacking gives the same bytes, and unpacking any
// bytes does not panic.
func FuzzChunk(f *testing.F) {
	f.Add([]byte("one"), []byte("two"), []byte{1, 2, 3})
	f.Add([]byte{}, []byte{2, 0xff, 0xff, 0xff, 0xff, 1}, bytes.Repeat([]byte{0x80}, 20))
	dec, err := zstd.NewReader(nil, zstd.WithDecoderMaxMemory(1<<20))
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, a, b, c []byte) {
		texts, err := catalog.Repack([]store.Entry{{Record: a, Raw: b}, {}, {Record: c}})
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range [][]byte{a, nil, c} {
			if !bytes.Equal(texts[i].Record, want) {
				t.Errorf("record %d is %q, was %q", i, texts[i].Record, want)
			}
		}
		if !bytes.Equal(texts[0].Raw, b) {
			t.Errorf("the original is %q, was %q", texts[0].Raw, b)
		}
		if n, err := catalog.UnpackAny(dec, c, xxh3.Hash(c)); err == nil && n > len(c) {
			t.Errorf("%d games of %d bytes", n, len(c))
		}
	})
}
