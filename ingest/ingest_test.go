//qipu:race

package ingest

import (
	"archive/tar"
	"archive/zip"
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"qipu/game"
	"qipu/game/othello"
	"qipu/record"
)

// lines is a format for tests: the first line is "lines", every further line
// an Othello game. The word "bad" is a line that cannot be read, "panic" a bug;
// "names" asks for the companion names.txt.
type lines struct{}

func (lines) Info() *record.FormatInfo {
	return &record.FormatInfo{Name: "lines", Title: "Lines", Extensions: []string{"lines"}, Kinds: []string{"othello"}, Companions: true}
}

func (lines) Sniff(head []byte, name string) int {
	if bytes.HasPrefix(head, []byte("lines\n")) || strings.EqualFold(name, "names.txt") {
		return 100
	}
	return 0
}

func (lines) Read(src *record.Source) iter.Seq2[*record.Game, error] {
	return func(yield func(*record.Game, error) bool) {
		if strings.HasSuffix(strings.ToLower(src.Name), "names.txt") {
			return
		}
		in := bufio.NewScanner(src.Reader)
		in.Buffer(nil, 1<<20)
		in.Scan()
		for number := 1; in.Scan(); number++ {
			g := &record.Game{Kind: "othello", Format: "lines", Encoding: "utf-8", Place: record.Place{File: src.Name, Line: number + 1, Number: number}}
			at := g.Add(0, record.Unstated, "")
			for _, word := range strings.Fields(in.Text()) {
				switch word {
				case "bad":
					g = nil
				case "panic":
					panic("a bug in a reader")
				case "names":
					g.Tags = append(g.Tags, record.Tag{Name: "names", Value: sibling(src)})
				default:
					at = g.Add(at, record.Unstated, word)
				}
				if g == nil {
					break
				}
			}
			if g == nil {
				if !yield(nil, src.Fault(record.Rejected, record.KindSyntax, 0, number+1, number, "a bad line")) {
					return
				}
				continue
			}
			if !yield(g, nil) {
				return
			}
		}
		if err := in.Err(); err != nil {
			yield(nil, src.Fault(record.Rejected, record.KindIO, 0, 0, 0, err.Error()))
		}
	}
}

func sibling(src *record.Source) string {
	if src.Sibling == nil {
		return "none"
	}
	s, err := src.Sibling("NAMES.TXT")
	if err != nil {
		return "absent"
	}
	data, _ := io.ReadAll(s.Reader)
	return string(data)
}

// gather is a sink that keeps everything.
type gather struct {
	records []*record.Played
	busy    sync.Mutex
	after   func(n int) error
}

func (g *gather) Add(_ context.Context, p *record.Played) error {
	if !g.busy.TryLock() {
		return errors.New("the sink is called twice at the same time")
	}
	defer g.busy.Unlock()
	g.records = append(g.records, p)
	if g.after != nil {
		return g.after(len(g.records))
	}
	return nil
}

func options(sink Sink) Options {
	return Options{Formats: []record.Format{lines{}}, Games: game.Catalog{othello.Standard}, Sink: sink, Workers: 3}
}

// put writes a file below a folder.
func put(t *testing.T, dir, name string, data []byte) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

type member struct {
	name string
	data []byte
}

func tarOf(t *testing.T, members ...member) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, m := range members {
		if err := w.WriteHeader(&tar.Header{Name: m.name, Size: int64(len(m.data)), Mode: 0o644, Typeflag: tar.TypeReg}); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(m.data); err != nil {
			t.Fatal(err)
		}
	}
	w.Close()
	return b.Bytes()
}

func zipOf(t *testing.T, members ...member) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, m := range members {
		f, err := w.Create(m.name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write(m.data); err != nil {
			t.Fatal(err)
		}
	}
	w.Close()
	return b.Bytes()
}

func gz(data []byte) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write(data)
	w.Close()
	return b.Bytes()
}

func zst(data []byte) []byte {
	var b bytes.Buffer
	w, _ := zstd.NewWriter(&b)
	w.Write(data)
	w.Close()
	return b.Bytes()
}

// bz is the text of TestSources as bzip2 packs it; nothing at hand writes that.
func bz(t *testing.T) []byte {
	t.Helper()
	data, err := base64.StdEncoding.DecodeString("QlpoOTFBWSZTWVeU4gYAAAlZgAAQQAAPAAclCAAgACGmkPUeo9QgGgCLKR46bEPRDN/F3JFOFCQV5TiBgA==")
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestTrace asks for changes, and still has them behind a bug in a reader.
func TestTrace(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a.lines", "b.lines"} {
		put(t, dir, name, []byte("lines\nf5\npanic\n"))
	}
	sink := new(gather)
	o := options(sink)
	o.Workers, o.Trace = 1, true
	if _, err := Run(t.Context(), o, dir); err != nil || len(sink.records) != 2 {
		t.Fatal(len(sink.records), err)
	}
	for _, p := range sink.records {
		if len(p.Changes) != 6 { // four discs, one more, one turned over
			t.Errorf("%s: %d changes", p.Game.Place.File, len(p.Changes))
		}
	}
}

// TestSources reads the same two games from every kind of place.
func TestSources(t *testing.T) {
	text := []byte("lines\nf5 d6\nf5 f4 e3\n")
	dir := t.TempDir()
	plain := member{"in/a.lines", text}
	for name, data := range map[string][]byte{
		"a.lines":        text,
		"a.lines.gz":     gz(text),
		"a.lines.zst":    zst(text),
		"a.lines.bz2":    bz(t),
		"bz-in-tar.tgz":  gz(tarOf(t, member{"b.lines.bz2", bz(t)})),
		"a.tar":          tarOf(t, plain),
		"a.tar.gz":       gz(tarOf(t, plain)),
		"a.tgz":          gz(tarOf(t, plain)),
		"a.tar.zst":      zst(tarOf(t, plain)),
		"a.zip":          zipOf(t, plain),
		"zip-in-tar.tgz": gz(tarOf(t, member{"b.zip", zipOf(t, plain)})),
		"tar-in-zip.zip": zipOf(t, member{"b.tar.gz", gz(tarOf(t, plain))}),
		"no-extension":   gz(tarOf(t, plain)),
		"folder/a.lines": text,
	} {
		path := put(t, dir, name, data)
		sink := &gather{}
		report, err := Run(context.Background(), options(sink), path)
		if err != nil || report.Games != 2 || report.Legal != 2 || report.Rejected != 0 {
			t.Errorf("%s: %+v, %v", name, report, err)
			continue
		}
		if place := sink.records[0].Game.Place; !strings.HasPrefix(place.File, strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(path, ".gz"), ".zst"), ".bz2")) || place.Number != 1 {
			t.Errorf("%s: the first game is at %+v", name, place)
		}
	}
	for name, data := range map[string][]byte{"text": text, "gz": gz(text), "bz2": bz(t), "tar": tarOf(t, plain), "zip": zipOf(t, plain)} {
		o := options(nil)
		o.Stdin = Input{Reader: iotestReader{bytes.NewReader(data)}}
		if report, err := Run(context.Background(), o, "-"); err != nil || report.Games != 2 {
			t.Errorf("standard input as %s: %+v, %v", name, report, err)
		}
	}
	// A folder with everything in it.
	report, err := Run(context.Background(), options(&gather{}), dir)
	if err != nil || report.Games != 28 {
		t.Errorf("the folder: %+v, %v", report, err)
	}
	if left, _ := filepath.Glob(filepath.Join(os.TempDir(), "qipu-spool-*")); len(left) > 0 {
		t.Errorf("spool files are left: %v", left)
	}
}

// iotestReader hides everything but Read.
type iotestReader struct{ r io.Reader }

func (r iotestReader) Read(p []byte) (int, error) { return r.r.Read(p) }

// TestOrder checks that the games of a file come in their order, however many
// files are read at the same time.
func TestOrder(t *testing.T) {
	dir := t.TempDir()
	for i := range 20 {
		put(t, dir, fmt.Sprintf("%02d.lines", i), []byte("lines\n"+strings.Repeat("f5 d6 c3\n", 500)))
	}
	sink := &gather{}
	if _, err := Run(context.Background(), options(sink), dir); err != nil {
		t.Fatal(err)
	}
	last := map[string]int{}
	for _, p := range sink.records {
		place := p.Game.Place
		if place.Number != last[place.File]+1 {
			t.Fatalf("%s: game %d after game %d", place.File, place.Number, last[place.File])
		}
		last[place.File] = place.Number
	}
	if len(sink.records) != 10000 {
		t.Errorf("%d records", len(sink.records))
	}
}

// TestFileOrder checks that small files come in the order of their names.
func TestFileOrder(t *testing.T) {
	dir := t.TempDir()
	var members []member
	for i := range 60 {
		data := []byte("lines\n" + strings.Repeat("f5 d6 c3\n", 1+i*7%13))
		put(t, dir, fmt.Sprintf("%02d.lines", i), data)
		members = append(members, member{fmt.Sprintf("%02d.lines", i), data})
	}
	put(t, dir, "60.zip", []byte("PK\x03\x04 this is no zip archive"))
	put(t, dir, "61.tar.gz", gz(tarOf(t, members...)))
	sink := &gather{}
	var faults int
	o := options(sink)
	o.OnFault = func(*record.Fault) { faults = len(sink.records) }
	if _, err := Run(context.Background(), o, dir); err != nil {
		t.Fatal(err)
	}
	var files []string
	for _, p := range sink.records {
		files = append(files, p.Game.Place.File)
	}
	if !slices.IsSorted(files) || len(slices.Compact(files)) != 120 {
		t.Errorf("files come as %v", slices.Compact(files))
	}
	if faults != len(sink.records)/2 {
		t.Errorf("the fault comes after %d of %d records", faults, len(sink.records))
	}
}

// TestFaults checks that nothing bad ends an import.
func TestFaults(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "a.lines", []byte("lines\nf5 d6\nbad\nf5 a1\nf5\n"))
	put(t, dir, "bug.lines", []byte("lines\nf5\npanic\n"))
	put(t, dir, "empty.sgf", nil)
	put(t, dir, "picture.png", []byte("\x89PNG\r\n"))
	put(t, dir, "cut.tar.gz", gz(tarOf(t, member{"a.lines", []byte("lines\nf5\n")}))[:60])
	whole := gz(tarOf(t, member{"a.lines", []byte("lines\nf5\n")}, member{"b.lines", []byte("lines\n" + strings.Repeat("f5 d6 c3 d3 c4\n", 9999))}))
	put(t, dir, "late.tar.gz", whole[:len(whole)-30])
	put(t, dir, "bad.zip", []byte("PK\x03\x04 this is no zip archive"))
	put(t, dir, "bad.zst", []byte("\x28\xb5\x2f\xfd nonsense"))
	var faults []string
	o := options(&gather{})
	o.OnFault = func(f *record.Fault) {
		name := f.Place.File[len(dir)+1:]
		if strings.HasPrefix(name, "late") && f.Place.Number > 0 {
			return // the game that the archive was cut in
		}
		faults = append(faults, fmt.Sprintf("%s %d %v %s", filepath.ToSlash(name), f.Place.Number, f.Severity, f.Kind))
	}
	report, err := Run(context.Background(), o, dir, filepath.Join(dir, "missing"))
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(faults)
	want := []string{
		"a.lines 2 rejected syntax", "a.lines 3 marked illegal move",
		"bad.zip 0 rejected syntax", "bad.zst 0 rejected read error",
		"bug.lines 0 rejected internal error",
		"cut.tar.gz 0 rejected read error",
		"empty.sgf 0 note empty",
		"late.tar.gz 0 rejected syntax", "late.tar.gz!b.lines 0 rejected syntax",
		"missing 0 rejected read error",
		"picture.png 0 note unknown",
	}
	if !slices.Equal(faults, want) {
		t.Errorf("faults\n%s\nwant\n%s", strings.Join(faults, "\n"), strings.Join(want, "\n"))
	}
	if report.Marked < 1 || report.Marked > 2 || report.Skipped != 2 || report.Legal < 1000 {
		t.Errorf("%+v", report)
	}
}

// TestCompanions finds tables that stand before, behind or beside the games.
func TestCompanions(t *testing.T) {
	games, names := member{"x/a.lines", []byte("lines\nf5 names\n")}, member{"x/Names.txt", []byte("tables")}
	other := member{"y/b.lines", []byte("lines\nf5 names\n")}
	dir := t.TempDir()
	put(t, dir, "folder/a.lines", games.data)
	put(t, dir, "folder/names.txt", names.data)
	for name, path := range map[string]string{
		"folder":     filepath.Join(dir, "folder"),
		"tar before": put(t, dir, "1.tar", tarOf(t, names, games, other)),
		"tar behind": put(t, dir, "2.tar", tarOf(t, games, other, names)),
		"zip behind": put(t, dir, "3.zip", zipOf(t, games, other, names)),
	} {
		sink := &gather{}
		report, err := Run(context.Background(), options(sink), path)
		if err != nil || report.Rejected > 0 {
			t.Errorf("%s: %+v %v", name, report, err)
		}
		for _, p := range sink.records {
			want := "tables"
			if strings.Contains(p.Game.Place.File, "y/b") {
				want = "absent"
			}
			if got := p.Game.Tag("names"); got != want {
				t.Errorf("%s: %s has the names %q, want %q", name, p.Game.Place.File, got, want)
			}
		}
	}
}

// TestHeldBack fills the memory for held files from several archives at once:
// none may wait for another.
func TestHeldBack(t *testing.T) {
	big := []byte("lines\n" + strings.Repeat("f5 d6 c3 names\n", 20000))
	var many []member
	for i := range 6 {
		many = append(many, member{fmt.Sprintf("%d.lines", i), big})
	}
	inner := append(many, member{"other.txt", bytes.Repeat([]byte("x"), 1<<20)})
	path := put(t, t.TempDir(), "outer.tar", tarOf(t, append(many, member{"inner.tar", tarOf(t, inner...)})...))
	o := options(nil)
	o.Archives.Buffer = 2 << 20
	report, err := Run(context.Background(), o, path)
	if err != nil || report.Games != 12*20000 || report.Skipped != 1 {
		t.Errorf("%+v, %v", report, err)
	}
}

// TestStreamedArchive reads a compressed stream that is long, but no bomb.
func TestStreamedArchive(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var text strings.Builder
	text.WriteString("lines\n")
	for range 50000 {
		fmt.Fprintf(&text, "f5 d6 c%d\n", rng.IntN(9))
	}
	o := options(nil)
	o.Archives = ArchiveLimits{Slack: 1000, Ratio: 50}
	o.Stdin = Input{Reader: bytes.NewReader(gz([]byte(text.String())))}
	if report, err := Run(context.Background(), o, "-"); err != nil || report.Games != 50000 || report.Rejected > 0 {
		t.Errorf("%+v, %v", report, err)
	}
}

// TestLinks follows links to folders and reads named pipes that are asked for.
func TestLinks(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "real/a.lines", []byte("lines\nf5\n"))
	link := filepath.Join(dir, "link")
	if err := os.Symlink(filepath.Join(dir, "real"), link); err != nil {
		t.Skip("no links here:", err)
	}
	report, err := Run(context.Background(), options(nil), link)
	if err != nil || report.Games != 1 {
		t.Errorf("%+v, %v", report, err)
	}
}

// TestBombs unpacks archives made to do harm.
func TestBombs(t *testing.T) {
	dir := t.TempDir()
	zeros := gz(make([]byte, 64<<20))
	nested := []byte("lines\nf5\n")
	for range 9 {
		nested = gz(nested)
	}
	for name, path := range map[string]string{
		"gzip":   put(t, dir, "a.gz", zeros),
		"zip":    put(t, dir, "b.zip", zipOf(t, member{"zeros", make([]byte, 64<<20)})),
		"many":   put(t, dir, "e.zip", zipOf(t, member{"1", make([]byte, 900<<10)}, member{"2", make([]byte, 900<<10)}, member{"3", make([]byte, 900<<10)})),
		"tar":    put(t, dir, "c.tgz", gz(tarOf(t, member{"zeros", make([]byte, 64<<20)}))),
		"nested": put(t, dir, "d.gz", nested),
	} {
		o := options(nil)
		o.Archives = ArchiveLimits{Slack: 1 << 20, Ratio: 50}
		o.Formats = []record.Format{greedy{}}
		report, err := Run(context.Background(), o, path)
		if err != nil || report.ByFault[record.KindLimit]+report.ByFault[record.KindIO] == 0 {
			t.Errorf("%s: %+v, %v", name, report, err)
		}
	}
}

// greedy reads whatever it is given.
type greedy struct{ lines }

func (greedy) Sniff([]byte, string) int { return 100 }

func (greedy) Read(src *record.Source) iter.Seq2[*record.Game, error] {
	return func(yield func(*record.Game, error) bool) {
		if _, err := io.Copy(io.Discard, src.Reader); err != nil {
			yield(nil, src.Fault(record.Rejected, record.KindIO, 0, 0, 0, err.Error()))
		}
	}
}

// TestStop checks that cancelling, a failing sink and too many errors end the
// run soon and cleanly.
func TestStop(t *testing.T) {
	dir := t.TempDir()
	for i := range 50 {
		put(t, dir, fmt.Sprintf("%02d.lines", i), []byte("lines\n"+strings.Repeat("f5 d6 c3\nbad\n", 1000)))
	}
	ctx, cancel := context.WithCancel(context.Background())
	sink := &gather{after: func(n int) error {
		if n == 100 {
			cancel()
		}
		return nil
	}}
	if _, err := Run(ctx, options(sink), dir); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if n := len(sink.records); n > 5000 { // of 50,000
		t.Errorf("cancelled at 100 records, and gone on to %d", n)
	}
	full := errors.New("the disk is full")
	if _, err := Run(context.Background(), options(&gather{after: func(int) error { return full }}), dir); !errors.Is(err, full) {
		t.Errorf("failing sink: %v", err)
	}
	o := options(nil)
	o.MaxErrors = 5
	report, err := Run(context.Background(), o, dir)
	if !errors.Is(err, ErrTooMany) || report.Rejected < 5 {
		t.Errorf("too many errors: %v, %d rejected", err, report.Rejected)
	}
}

func TestProgress(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "a.lines", []byte("lines\nf5\n"))
	var last Progress
	o := options(nil)
	o.OnProgress = func(p Progress) { last = p }
	if _, err := Run(context.Background(), o, dir); err != nil {
		t.Fatal(err)
	}
	if last.Games != 1 || last.Files != 1 || last.Bytes != 9 || last.Total != 9 {
		t.Errorf("%+v", last)
	}
}
