package text

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func build(docs []string) []byte {
	var b Builder
	for i, s := range docs {
		b.Add(uint32(i), s)
	}
	return b.AppendTo(nil)
}

// scan is what Search must return.
func scan(docs []string, query string) []uint32 {
	query = strings.ToValidUTF8(query, "\uFFFD")
	list := []uint32{}
	for i, s := range docs {
		if s != "" && strings.Contains(strings.ToValidUTF8(s, "\uFFFD"), query) {
			list = append(list, uint32(i))
		}
	}
	return list
}

func check(t *testing.T, docs []string, queries []string) {
	t.Helper()
	ix, err := Open(build(docs))
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range queries {
		got, err := ix.Search(q)
		if err != nil {
			t.Fatalf("Search(%q): %v", q, err)
		}
		if want := scan(docs, q); !slices.Equal(got.ToArray(), want) {
			t.Fatalf("Search(%q) = %v, scanning finds %v", q, got.ToArray(), want)
		}
	}
}

func TestIndex(t *testing.T) {
	docs := []string{"黑先胜", "", "白胜定", "abcabc", "a", "bca", "胜", "이세돌", "a\x00b", "a\xffb", "\uFFFD", "龙𠮷马"}
	check(t, docs, []string{"", "胜", "先胜", "黑先胜", "黑胜", "a", "ab", "abc", "cab", "bcab", "abcabca", "\x00", "a\x00", "a\x00b", "\xff", "\xfe", "a\xff", "세돌", "𠮷", "𠮷马", "b", "定", "定\x00", "胜\x00"})
	check(t, nil, []string{"", "a", "ab"})
}

// TestIndexRandom compares the index with scanning over texts of few
// characters, where all kinds of lists occur.
func TestIndexRandom(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	letters := []rune("aaab 胜龙 马")
	word := func(n int) string {
		var b strings.Builder
		for range n {
			b.WriteRune(letters[rng.IntN(len(letters))])
		}
		return b.String()
	}
	var docs, queries []string
	for range 3000 {
		docs = append(docs, word(max(0, rng.IntN(24)-4)))
	}
	for n := range 400 {
		queries = append(queries, word(1+n%7))
	}
	check(t, docs, queries)
}

func TestIndexDocs(t *testing.T) {
	var b Builder
	b.Add(900, "xy")
	b.Add(7, "zx")
	b.Add(900, "zz")
	ix, err := Open(b.AppendTo(nil))
	if err != nil {
		t.Fatal(err)
	}
	for q, want := range map[string]string{"x": "{7,900}", "z": "{7,900}", "zz": "{900}", "yz": "{}"} {
		if got, err := ix.Search(q); err != nil || got.String() != want {
			t.Errorf("Search(%q) = %v, %v, want %s", q, got, err, want)
		}
	}
	var texts []string
	stop := errors.New("stop")
	err = ix.Each(func(doc uint32, folded []byte) error {
		if texts = append(texts, fmt.Sprintf("%d %s", doc, folded)); len(texts) == 3 {
			return stop
		}
		return nil
	})
	if !errors.Is(err, stop) || !slices.Equal(texts, []string{"900 xy", "7 zx", "900 zz"}) {
		t.Errorf("Each gave %q, %v", texts, err)
	}
}

// TestIndexEmpty checks what documents without text cost: nothing.
func TestIndexEmpty(t *testing.T) {
	with, without := make([]string, 100000), []string{}
	with[99999] = "ab"
	var b Builder
	b.Add(99999, "ab")
	if got := build(with); !bytes.Equal(got, b.AppendTo(nil)) {
		t.Errorf("%d bytes for 100,000 documents of which one has text", len(got))
	}
	if got := build(without); len(got) != headerSize {
		t.Errorf("%d bytes for nothing", len(got))
	}
}

// TestIndexDamaged changes every byte and cuts everywhere: there are errors or
// wrong answers, which checksums of the file must find, but no panic.
func TestIndexDamaged(t *testing.T) {
	docs := []string{"abc", "ab", "b", "bc", "abcd", "ba", "bb", "ab", "ab", "cab"}
	data := build(docs)
	use := func(data []byte) {
		ix, err := Open(data)
		if err != nil {
			if !errors.Is(err, ErrDamaged) {
				t.Fatalf("%v is not ErrDamaged", err)
			}
			return
		}
		for _, q := range []string{"", "a", "b", "ab", "abc", "ba"} {
			if _, err := ix.Search(q); err != nil && !errors.Is(err, ErrDamaged) {
				t.Fatalf("%v is not ErrDamaged", err)
			}
		}
		if err := ix.Each(func(uint32, []byte) error { return nil }); err != nil && !errors.Is(err, ErrDamaged) {
			t.Fatalf("%v is not ErrDamaged", err)
		}
	}
	for i := range data {
		if _, err := Open(data[:i]); !errors.Is(err, ErrDamaged) {
			t.Fatalf("cut at %d: %v", i, err)
		}
		for _, x := range []byte{1, 2, 0x80, 0xFF} {
			bad := slices.Clone(data)
			bad[i] ^= x
			use(bad)
		}
	}
	ix, _ := Open(data)
	bad := slices.Clone(data)
	at := headerSize + len(ix.docs) // the end of the first text
	bad[at+4] = 0xFF
	ix, err := Open(bad)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ix.Search("abc"); !errors.Is(err, ErrDamaged) {
		t.Errorf("a text that ends outside: %v", err)
	}
}

func FuzzIndex(f *testing.F) {
	f.Add("黑先胜\n白胜\n\nabc", "胜", []byte{})
	f.Add("aab\nab\xff", "ab", build([]string{"ab", "b"}))
	f.Fuzz(func(t *testing.T, text, query string, data []byte) {
		check(t, strings.Split(text, "\n"), []string{query})
		if ix, err := Open(data); err == nil {
			_, _ = ix.Search(query)
			_ = ix.Each(func(uint32, []byte) error { return nil })
		}
	})
}

// comments makes n documents of about 100 bytes, half Chinese and half English,
// whose characters are as unevenly spread as those of real ones.
func comments(n int) []string {
	rng := rand.New(rand.NewPCG(3, 4))
	zipf := rand.NewZipf(rng, 1.2, 8, 2999)
	words := strings.Fields("black white the move is a good bad point here this joseki corner side ladder ko fight group alive dead territory big small influence wall thickness invasion reduce cut connect hane extend atari resign win lose moyo sente gote aji")
	docs := make([]string, n)
	for i := range docs {
		var b strings.Builder
		for b.Len() < 100 {
			if i%2 == 0 {
				b.WriteRune(0x4E00 + rune(zipf.Uint64())*5)
			} else {
				b.WriteString(words[min(int(zipf.Uint64()), rng.IntN(len(words)))])
				b.WriteByte(' ')
			}
		}
		docs[i] = Fold(b.String())
	}
	return docs
}

func BenchmarkBuild(b *testing.B) {
	docs := comments(20000)
	size := 0
	for _, s := range docs {
		size += len(s)
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		build(docs)
	}
}

func BenchmarkSearch(b *testing.B) {
	docs := comments(90000)
	data := build(docs)
	ix, err := Open(data)
	if err != nil {
		b.Fatal(err)
	}
	rare := []rune(docs[0])
	for _, q := range []string{"一", "一丅", string(rare[10:12]), string(rare[10:13]), string(rare[10:14]), "a", "th", "ko", "ladder", "the move", "black resign"} {
		q = Fold(q)
		b.Run(q, func(b *testing.B) {
			n := uint64(0)
			for b.Loop() {
				got, err := ix.Search(q)
				if err != nil {
					b.Fatal(err)
				}
				n = got.GetCardinality()
			}
			b.ReportMetric(float64(n), "hits")
			b.ReportMetric(float64(len(data)), "bytes")
		})
	}
}
