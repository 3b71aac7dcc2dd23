// Package testkit holds what the tests of every package share: golden files,
// text-driven scripts, and the scale of heavy tests. Only tests import it.
package testkit

import (
	"bufio"
	"bytes"
	"encoding/xml"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var rewrite = flag.Bool("rewrite", false, "write golden files and scripts anew instead of comparing")

// Full reports whether heavy tests are to run at their full size
// (QIPU_SCALE=full, as in make soak) and not at the small size of CI.
func Full() bool { return os.Getenv("QIPU_SCALE") == "full" }

// Scale returns small, or full where heavy tests run at their full size.
func Scale(small, full int) int {
	if Full() {
		return full
	}
	return small
}

// Golden compares got with the file at path, or writes the file under
// -rewrite.
func Golden(t testing.TB, path string, got []byte) {
	t.Helper()
	if *rewrite {
		write(t, path, got)
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v (run the test with -rewrite to make it)", err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs (run with -rewrite and read the diff):\n%s", path, diff(string(want), string(got)))
	}
}

func write(t testing.TB, path string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
}

// diff returns the first line where two texts part, with some context.
func diff(want, got string) string {
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := 0; ; i++ {
		if i < len(w) && i < len(g) && w[i] == g[i] {
			continue
		}
		show := func(lines []string) string {
			if i >= len(lines) {
				return "(end)"
			}
			return strings.Join(lines[i:min(i+3, len(lines))], "\n  ")
		}
		return fmt.Sprintf("line %d\nwant:\n  %s\ngot:\n  %s", i+1, show(w), show(g))
	}
}

// Command is one step of a script.
type Command struct {
	Line  string            // the whole line
	Name  string            // the first word
	Args  []string          // further words without "="
	Named map[string]string // further words key=value
	Input string            // the lines up to ----
}

// Script runs a text-driven test. The file is a list of steps, parted by
// blank lines:
//
//	command arg key=value
//	input lines
//	----
//	expected output
//
// Lines that start with # before a command are comments. An output that holds
// blank lines stands between two lines ---- on either side. Under -rewrite the
// outputs are replaced by what run returns.
func Script(t *testing.T, path string, run func(t *testing.T, c Command) string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	in := bufio.NewScanner(bytes.NewReader(data))
	in.Buffer(nil, 1<<20)
	number := 0
	next := func() (string, bool) {
		ok := in.Scan()
		number++
		return in.Text(), ok
	}
	for {
		line, ok := next()
		if !ok {
			break
		}
		out.WriteString(line + "\n")
		if strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#") {
			continue
		}
		at, line0 := number, line
		c := parseCommand(line)
		var input []string
		for line, ok = next(); ok && line != "----"; line, ok = next() {
			input = append(input, line)
			out.WriteString(line + "\n")
		}
		if !ok {
			t.Fatalf("%s:%d: no ---- after this command", path, at)
		}
		c.Input = strings.Join(input, "\n")
		var lines []string
		for line, ok = next(); ok && (line != "" || len(lines) > 0 && lines[0] == "----" && !closed(lines)); line, ok = next() {
			lines = append(lines, line)
		}
		want := strings.Join(lines, "\n")
		got := frame(strings.TrimSuffix(run(t, c), "\n"))
		if !*rewrite && got != want {
			t.Errorf("%s:%d: %s: output differs: %s", path, at, line0, diff(want, got))
		}
		out.WriteString("----\n" + got + "\n")
		if got == "" {
			out.Truncate(out.Len() - 1)
		}
		if ok {
			out.WriteString("\n")
		}
	}
	if err := in.Err(); err != nil {
		t.Fatal(err)
	}
	if *rewrite {
		write(t, path, out.Bytes())
	}
}

// frame puts an output with blank lines between double rules.
func frame(output string) string {
	if output == "" || !strings.Contains("\n"+output+"\n", "\n\n") {
		return output
	}
	return "----\n" + output + "\n----\n----"
}

// closed reports whether the lines of a framed output are complete.
func closed(lines []string) bool {
	n := len(lines)
	return n >= 3 && lines[n-1] == "----" && lines[n-2] == "----"
}

func parseCommand(line string) Command {
	fields := strings.Fields(line)
	c := Command{Line: line, Name: fields[0], Named: map[string]string{}}
	for _, f := range fields[1:] {
		if key, value, ok := strings.Cut(f, "="); ok {
			c.Named[key] = value
		} else {
			c.Args = append(c.Args, f)
		}
	}
	return c
}

// Data returns the path of a file of the collection of real games that
// QIPU_DATA names, which the Makefile sets. Where it is not there, the test is
// skipped: nothing of it is part of the repository. Tests for which other games do
// use Games.
func Data(t testing.TB, name string) string {
	t.Helper()
	path, ok := shared(name)
	if !ok {
		t.Skipf("no collection of real games: %s is not on this machine (set QIPU_DATA to its folder)", name)
	}
	return path
}

// Games returns the path of a file of the collection of real games, or of the one
// that stands in for it in the corpus of the repository. Tests whose figures differ
// ask Shared which it is.
func Games(t testing.TB, name string) string {
	t.Helper()
	if path, ok := shared(name); ok {
		return path
	}
	root, err := os.Getwd()
	for err == nil && !exists(filepath.Join(root, "go.mod")) {
		if filepath.Dir(root) == root {
			t.Fatal("the test does not run in the repository")
		}
		root = filepath.Dir(root)
	}
	path := filepath.Join(root, "testdata", "corpus", filepath.FromSlash(name))
	if err != nil || !exists(path) {
		t.Fatalf("%s has nothing that stands in for it in the corpus: %v", name, err)
	}
	return path
}

// Shared reports whether the collection of real games is on this machine.
func Shared() bool {
	_, ok := shared(".")
	return ok
}

func shared(name string) (string, bool) {
	dir := os.Getenv("QIPU_DATA")
	path := filepath.Join(dir, filepath.FromSlash(name))
	return path, dir != "" && exists(path)
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// Rewriting reports whether the run was asked to write files anew.
func Rewriting() bool { return *rewrite }

// Section logs a part of a report, and under -rewrite puts it into a document,
// between the markers "<!-- begin name -->" and "<!-- end name -->".
func Section(t testing.TB, path, name, text string) {
	t.Helper()
	t.Logf("%s\n\n%s", name, text)
	if *rewrite {
		GoldenSection(t, path, name, text)
	}
}

// GoldenSection compares a part of a document, between the markers of Section, with
// what it should be, and writes it under -rewrite.
func GoldenSection(t testing.TB, path, name, text string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := replaceSection(string(data), name, text)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	Golden(t, path, []byte(doc))
}

// replaceSection replaces what stands between the markers of a section.
func replaceSection(doc, name, text string) (string, error) {
	begin, end := "<!-- begin "+name+" -->\n", "<!-- end "+name+" -->"
	head, rest, ok := strings.Cut(doc, begin)
	_, tail, closed := strings.Cut(rest, end)
	if !ok || !closed {
		return "", fmt.Errorf("no section between %q and %q", strings.TrimSpace(begin), end)
	}
	return head + begin + strings.TrimRight(text, "\n") + "\n" + end + tail, nil
}

// WellFormed fails a test where data are no well-formed XML.
func WellFormed(t *testing.T, data []byte) {
	t.Helper()
	for dec := xml.NewDecoder(bytes.NewReader(data)); ; {
		if _, err := dec.Token(); err == io.EOF {
			return
		} else if err != nil {
			t.Fatalf("not well-formed: %v", err)
		}
	}
}
