// Package recordtest is the conformance kit for record formats: golden dumps,
// round trips, and the laws that hold for any bytes.
//
//	func TestGolden(t *testing.T)    { recordtest.Golden(t, sgf.Format, "testdata/*.sgf") }
//	func TestRoundTrip(t *testing.T) { recordtest.RoundTrips(t, sgf.Format, "testdata/*.sgf") }
//	func FuzzRead(f *testing.F)      { recordtest.Fuzz(f, sgf.Format, "testdata/*.sgf") }
//
// Everything here is for tests alone.
package recordtest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"qipu/internal/testkit"
	"qipu/record"
)

// Source returns a source over bytes in memory, with random access.
func Source(name string, data []byte) *record.Source {
	return &record.Source{Name: name, Reader: bytes.NewReader(data), Size: int64(len(data)), At: bytes.NewReader(data)}
}

// FileSource returns a source over a file, whose siblings are the files of its
// folder.
func FileSource(t testing.TB, path string) *record.Source {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	src := Source(filepath.Base(path), data)
	src.Sibling = func(name string) (*record.Source, error) {
		entries, err := os.ReadDir(filepath.Dir(path))
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			if strings.EqualFold(e.Name(), name) {
				data, err := os.ReadFile(filepath.Join(filepath.Dir(path), e.Name()))
				return Source(e.Name(), data), err
			}
		}
		return nil, os.ErrNotExist
	}
	return src
}

// ReadAll reads a whole file. An error that is no *record.Fault fails the test.
func ReadAll(t testing.TB, f record.Format, src *record.Source) (games []*record.Game, faults []*record.Fault) {
	t.Helper()
	for g, err := range f.Read(src) {
		var fault *record.Fault
		switch {
		case err == nil && g != nil:
			games = append(games, g)
		case errors.As(err, &fault) && g == nil:
			faults = append(faults, fault)
		default:
			t.Fatalf("%s: Read yields a game %v with the error %v: want a game or a *record.Fault", src.Name, g != nil, err)
		}
	}
	return games, faults
}

// Dump returns everything about a game as text.
func Dump(g *record.Game) string {
	var b strings.Builder
	fmt.Fprintf(&b, "game %s format %s encoding %s guessed %v at %s offset %d line %d number %d, %d raw bytes\n",
		g.Kind, g.Format, g.Encoding, g.Guessed, g.Place.File, g.Place.Offset, g.Place.Line, g.Place.Number, len(g.Raw))
	b.WriteString(Content(g))
	fmt.Fprintf(&b, "facts %+v\n", g.Facts)
	for i := range g.Faults {
		f := &g.Faults[i]
		fmt.Fprintf(&b, "fault %v %s line %d move %d: %s\n", f.Severity, f.Kind, f.Place.Line, f.Move, f.Reason)
	}
	return b.String()
}

// Content returns what a game says, without where it was read from: what a
// round trip must keep.
func Content(g *record.Game) string {
	var b strings.Builder
	fmt.Fprintf(&b, "kind %s variant %q start %q notation %q\n", g.Kind, g.Variant, g.Start, g.Notation)
	for _, t := range g.Tags {
		fmt.Fprintf(&b, "tag %s %q\n", t.Name, t.Value)
	}
	b.WriteString(Tree(g))
	return b.String()
}

// Tree returns the nodes of a game in depth-first order.
func Tree(g *record.Game) string {
	var b strings.Builder
	if len(g.Nodes) == 0 {
		return ""
	}
	type visit struct {
		node  int32
		depth int
	}
	for stack := []visit{{0, 0}}; len(stack) > 0; {
		v := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		n := &g.Nodes[v.node]
		dumpNode(&b, n, v.depth)
		// Children in order: pushed in reverse.
		from := len(stack)
		for c := n.Child; c != 0; c = g.Nodes[c].Next {
			depth := v.depth
			if c != n.Child || n.Child != 0 && g.Nodes[n.Child].Next != 0 {
				depth++
			}
			stack = append(stack, visit{c, depth})
		}
		slices.Reverse(stack[from:])
	}
	return b.String()
}

func dumpNode(b *strings.Builder, n *record.Node, depth int) {
	fmt.Fprintf(b, "%*s%s", depth*2, "", [...]string{"-", "1", "2"}[n.Side])
	if n.Move != "" {
		b.WriteString(" " + n.Move)
	}
	if x := n.Extra; x != nil {
		for _, p := range x.Setup {
			fmt.Fprintf(b, " put %d %s", p.Piece, p.Point)
		}
		if x.Turn != 0 {
			fmt.Fprintf(b, " turn %d", x.Turn)
		}
		for _, p := range x.Props {
			fmt.Fprintf(b, " prop %s %q", p.Name, p.Values)
		}
		if x.Comment != "" {
			fmt.Fprintf(b, " comment %q", x.Comment)
		}
	}
	b.WriteByte('\n')
}

// Golden compares the dump of every file that the pattern finds with the file
// FILE.golden beside it.
func Golden(t *testing.T, f record.Format, pattern string) {
	t.Helper()
	for _, path := range files(t, pattern) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			games, faults := ReadAll(t, f, FileSource(t, path))
			var b strings.Builder
			for _, g := range games {
				b.WriteString(Dump(g))
			}
			for _, fault := range faults {
				fmt.Fprintf(&b, "%v %s: %s\n", fault.Severity, fault.Kind, fault.Error())
			}
			testkit.Golden(t, path+".golden", []byte(b.String()))
		})
	}
}

func files(t testing.TB, pattern string) []string {
	t.Helper()
	list, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	list = slices.DeleteFunc(list, func(p string) bool { return strings.HasSuffix(p, ".golden") })
	if len(list) == 0 {
		t.Fatalf("%s: no files", pattern)
	}
	return list
}

// RoundTrips checks RoundTrip for every file that the pattern finds.
func RoundTrips(t *testing.T, f record.Format, pattern string) {
	t.Helper()
	for _, path := range files(t, pattern) {
		t.Run(filepath.Base(path), func(t *testing.T) { RoundTrip(t, f, FileSource(t, path)) })
	}
}

// RoundTrip reads a file, writes its games, reads them back, and wants the same
// content; written once more, the file must be the same to the byte. A game
// that the format cannot express must say so.
func RoundTrip(t testing.TB, f record.Format, src *record.Source) {
	t.Helper()
	games, _ := ReadAll(t, f, src)
	for _, g := range games {
		RoundTripGame(t, f, g)
	}
}

// RoundTripGame is RoundTrip for one game that was read before. It reports
// whether the format can express the game.
func RoundTripGame(t testing.TB, f record.Format, g *record.Game) bool {
	t.Helper()
	first, err := write(f, g)
	if errors.Is(err, record.ErrInexpressible) {
		return false
	}
	if err != nil {
		t.Fatalf("%s game %d: writing: %v", g.Place.File, g.Place.Number, err)
	}
	again, faults := ReadAll(t, f, Source("written", first))
	if len(again) != 1 {
		t.Fatalf("%s game %d reads back as %d games (%v):\n%s", g.Place.File, g.Place.Number, len(again), faults, first)
	}
	if a, b := Content(g), Content(again[0]); a != b {
		t.Fatalf("%s game %d changes when written:\n%s\nread back:\n%s\nwritten:\n%s", g.Place.File, g.Place.Number, a, b, first)
	}
	second, err := write(f, again[0])
	if err != nil || !bytes.Equal(first, second) {
		t.Fatalf("%s game %d is written differently the second time (%v):\n%s\nthen:\n%s", g.Place.File, g.Place.Number, err, first, second)
	}
	return true
}

func write(f record.Format, g *record.Game) ([]byte, error) {
	var b bytes.Buffer
	err := f.(record.Writer).Write(&b, func(yield func(*record.Game) bool) { yield(g) })
	return b.Bytes(), err
}

// Fuzz states the laws for any bytes: Read ends, does not panic, keeps its
// limits, answers the same twice, sets the fields that it must; and a writable
// format reads back what it writes. The seeds are the files of the pattern.
func Fuzz(f *testing.F, format record.Format, pattern string) {
	for _, path := range files(f, pattern) {
		data, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		began := time.Now()
		format.Sniff(data[:min(len(data), record.SniffLen)], "fuzz."+format.Info().Extensions[0])
		games, faults := ReadAll(t, format, limited(data))
		if d := time.Since(began); d > 10*time.Second {
			t.Fatalf("%d bytes took %v", len(data), d)
		}
		again, faultsAgain := ReadAll(t, format, limited(data))
		if len(again) != len(games) || len(faultsAgain) != len(faults) {
			t.Fatalf("%d games and %d faults, then %d and %d", len(games), len(faults), len(again), len(faultsAgain))
		}
		for i, g := range games {
			if Dump(g) != Dump(again[i]) {
				t.Fatalf("read twice, the game differs:\n%s\n%s", Dump(g), Dump(again[i]))
			}
			checkGame(t, format, g)
			if _, ok := format.(record.Writer); ok {
				RoundTripGame(t, format, g)
			}
		}
	})
}

// limited is a source with small limits, as a stream without random access
// every other time, so that both ways are tried.
func limited(data []byte) *record.Source {
	src := Source("fuzz", data)
	src.Limits = record.Limits{GameBytes: 1 << 20, Nodes: 20_000, Depth: 500, Props: 500}
	if len(data)%2 == 1 {
		src.At, src.Size = nil, -1
		src.Reader = io.MultiReader(bytes.NewReader(data[:len(data)/2]), bytes.NewReader(data[len(data)/2:]))
	}
	return src
}

// checkGame checks what every reader owes to those who use its games.
func checkGame(t testing.TB, format record.Format, g *record.Game) {
	t.Helper()
	if g.Format != format.Info().Name || g.Place.File == "" || g.Place.Number < 1 || len(g.Nodes) == 0 {
		t.Fatalf("format %q, place %+v, %d nodes: all must be set", g.Format, g.Place, len(g.Nodes))
	}
	if g.Nodes[0].Move != "" || g.Nodes[0].Parent != 0 {
		t.Fatal("the root has a move or a parent")
	}
	if len(g.Nodes) > 20_001 {
		t.Fatalf("%d nodes are beyond the limit", len(g.Nodes))
	}
	seen := 0
	for i := range g.Nodes {
		n := &g.Nodes[i]
		for _, link := range []int32{n.Child, n.Next} {
			if link < 0 || int(link) >= len(g.Nodes) || link != 0 && link <= int32(i) {
				t.Fatalf("node %d links to %d", i, link)
			}
			if link != 0 {
				seen++
			}
		}
		if i > 0 && (n.Parent < 0 || n.Parent >= int32(i)) {
			t.Fatalf("node %d has the parent %d", i, n.Parent)
		}
	}
	if seen != len(g.Nodes)-1 {
		t.Fatalf("%d of %d nodes are linked", seen, len(g.Nodes)-1)
	}
}
