// Testrun runs go test for the Makefile:
//
//	testrun -timeout 60m ./...       all tests
//	testrun race -timeout 60m ./...  under the race detector, those that are about goroutines
//
// What failed is told in full, the rest in one line a package, and the end sums up
// what was skipped and why. Tests put their files under one temporary folder, which
// is removed however the run ends; that of a run that was killed is removed by the
// next.
//
// A test is about goroutines where the comment before it ends with the line
//
//	//qipu:race
//
// A line before the package clause is for all tests of the file, and one with the
// word full is for runs at full scale (QIPU_SCALE=full) alone.
package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

func main() {
	code, err := run(os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "testrun:", err)
		code = 2
	}
	os.Exit(code)
}

func run(args []string) (code int, err error) {
	if len(args) > 0 && args[0] == "race" {
		if args, err = raced(args[1:]); err != nil {
			return 0, err
		}
	}
	root, err := temporary()
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, clear(root)) }()
	cmd := exec.Command("go", append([]string{"test", "-json", "-vet=off", "-ldflags=-w"}, args...)...)
	cmd.Env, cmd.Stderr = os.Environ(), os.Stderr
	for _, name := range []string{"TMPDIR", "TMP", "TEMP"} {
		cmd.Env = append(cmd.Env, name+"="+root)
	}
	together(cmd)
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return 0, err
	}
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		asked()
		end(cmd)
	}()
	r := newReport(os.Stdout)
	told := r.read(out)
	ended := cmd.Wait()
	select {
	case <-stopped:
		return 130, nil
	default:
	}
	r.sum()
	if exit := new(exec.ExitError); errors.As(ended, &exit) {
		return max(1, exit.ExitCode()), told
	}
	return 0, errors.Join(told, ended)
}

// asked returns when somebody wants the run to end: by a signal, or because the
// process that began it is gone.
func asked() {
	c := make(chan os.Signal, 1)
	signal.Notify(c, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	for parent := os.Getppid(); os.Getppid() == parent; {
		select {
		case <-c:
			return
		case <-time.After(time.Second / 4):
		}
	}
}

const folder = "qipu-test-"

// temporary makes the folder for all files of the tests, and removes those of runs
// that were killed.
func temporary() (string, error) {
	old, err := filepath.Glob(filepath.Join(os.TempDir(), folder+"*"))
	if err != nil {
		return "", err
	}
	for _, dir := range old {
		pid, err := strconv.Atoi(strings.TrimPrefix(filepath.Base(dir), folder))
		if err != nil {
			continue
		}
		p, err := os.FindProcess(pid)
		if err == nil {
			err = p.Signal(syscall.Signal(0))
		}
		if pid == os.Getpid() || errors.Is(err, os.ErrProcessDone) {
			if err := clear(dir); err != nil {
				return "", err
			}
		}
	}
	root := filepath.Join(os.TempDir(), folder+strconv.Itoa(os.Getpid()))
	return root, os.Mkdir(root, 0o777)
}

// clear removes a folder. What was killed a moment ago may still write to it, and
// tests may have taken the right to write away.
func clear(dir string) (err error) {
	for range 100 {
		if err = os.RemoveAll(dir); err == nil {
			return nil
		}
		_ = filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
			if err == nil && d.IsDir() {
				return os.Chmod(path, 0o700)
			}
			return nil
		})
		time.Sleep(50 * time.Millisecond)
	}
	return err
}

// raced returns arguments that choose the tests about goroutines among those of the
// packages, which stand last.
func raced(args []string) ([]string, error) {
	at := slices.IndexFunc(args, func(a string) bool { return strings.HasPrefix(a, ".") || strings.Contains(a, "/") })
	if at < 0 {
		return nil, errors.New("race: name packages")
	}
	list := exec.Command("go", append([]string{"list", "-json=Dir,ImportPath,TestGoFiles,XTestGoFiles"}, args[at:]...)...)
	list.Stderr = os.Stderr
	out, err := list.Output()
	if err != nil {
		return nil, err
	}
	full := os.Getenv("QIPU_SCALE") == "full"
	var names, packages []string
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p struct {
			Dir, ImportPath           string
			TestGoFiles, XTestGoFiles []string
		}
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		n := len(names)
		for _, file := range slices.Concat(p.TestGoFiles, p.XTestGoFiles) {
			source, err := os.ReadFile(filepath.Join(p.Dir, file))
			if err != nil {
				return nil, err
			}
			names = append(names, marked(string(source), full)...)
		}
		if len(names) > n {
			packages = append(packages, p.ImportPath)
		}
	}
	if len(names) == 0 {
		return nil, errors.New("race: no test is marked //qipu:race")
	}
	slices.Sort(names)
	pattern := "^(" + strings.Join(slices.Compact(names), "|") + ")$"
	return slices.Concat([]string{"-race", "-run", pattern}, args[:at], packages), nil
}

var (
	one   = regexp.MustCompile(`(?m)^//qipu:race( full)?\nfunc (Test\w+)\(`)
	all   = regexp.MustCompile(`(?m)^//qipu:race( full)?$`)
	tests = regexp.MustCompile(`(?m)^func (Test\w+)\(t `)
)

// marked returns the tests of a source that are about goroutines.
func marked(source string, full bool) (names []string) {
	head, _, _ := strings.Cut("\n"+source, "\npackage ")
	if m := all.FindStringSubmatch(head); m != nil && (full || m[1] == "") {
		for _, t := range tests.FindAllStringSubmatch(source, -1) {
			names = append(names, t[1])
		}
		return names
	}
	for _, m := range one.FindAllStringSubmatch(source, -1) {
		if full || m[1] == "" {
			names = append(names, m[2])
		}
	}
	return names
}

// event is a line of go test -json.
type event struct {
	Action, Package, Test, Output string
	Elapsed                       float64 // seconds
}

// lasting is a test and how long it took.
type lasting struct {
	test    string
	seconds float64
}

// report turns events into what a person reads.
type report struct {
	w        io.Writer
	said     map[string]map[string]*strings.Builder // package -> test, "" for the package itself
	passed   int
	packages int
	skipped  map[string][]string // reason -> tests
	longest  []lasting           // tests of a second and more, without their parts
}

func newReport(w io.Writer) *report {
	return &report{w: w, said: map[string]map[string]*strings.Builder{}, skipped: map[string][]string{}}
}

func (r *report) read(in io.Reader) error {
	d := json.NewDecoder(in)
	for {
		var e event
		if err := d.Decode(&e); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("go test -json: %w", err)
		}
		r.take(e)
	}
}

func (r *report) take(e event) {
	of := r.said[e.Package]
	if of == nil {
		of = map[string]*strings.Builder{}
		r.said[e.Package] = of
	}
	said := of[e.Test]
	if said == nil {
		said = new(strings.Builder)
		of[e.Test] = said
	}
	if e.Test != "" && e.Elapsed >= 1 && !strings.Contains(e.Test, "/") {
		r.longest = append(r.longest, lasting{e.Package + " " + e.Test, e.Elapsed})
	}
	switch {
	case e.Action == "build-output":
		fmt.Fprint(r.w, e.Output)
	case e.Action == "output":
		said.WriteString(e.Output)
	case e.Test == "" && (e.Action == "pass" || e.Action == "fail" || e.Action == "skip"):
		r.over(e.Action, of)
		delete(r.said, e.Package)
	case e.Action == "pass":
		r.passed++
		delete(of, e.Test)
	case e.Action == "skip":
		why := reason(said.String())
		r.skipped[why] = append(r.skipped[why], e.Test)
		delete(of, e.Test)
	case e.Action == "fail":
		fmt.Fprint(r.w, said)
		delete(of, e.Test)
	}
}

// over tells of a package that has ended: one line, or everything that it and its
// unfinished tests said.
func (r *report) over(action string, of map[string]*strings.Builder) {
	if action == "skip" { // it has no tests
		return
	}
	r.packages++
	for _, test := range slices.Sorted(maps.Keys(of)) {
		for line := range strings.Lines(of[test].String()) {
			if action == "fail" && line != "PASS\n" || strings.HasPrefix(line, "ok ") {
				fmt.Fprint(r.w, line)
			}
		}
	}
}

var said = regexp.MustCompile(`(?m)^\s+\S+\.go:\d+: (.*)$`)

// reason returns what a test said when it skipped itself.
func reason(output string) string {
	if m := said.FindAllStringSubmatch(output, -1); m != nil {
		return m[len(m)-1][1]
	}
	return "no reason is told"
}

// sum tells how many tests passed, and which were skipped for which reason. What
// stands after a colon in a reason is about one test of many.
func (r *report) sum() {
	type group struct {
		why   string
		tests []string
	}
	kinds := map[string]*group{}
	n := 0
	for _, why := range slices.Sorted(maps.Keys(r.skipped)) {
		kind, _, _ := strings.Cut(why, ": ")
		g := kinds[kind]
		if g == nil {
			g = &group{why: why}
			kinds[kind] = g
		}
		g.tests = append(g.tests, r.skipped[why]...)
		n += len(r.skipped[why])
	}
	fmt.Fprintf(r.w, "\n%d tests passed in %d packages, %d were skipped\n", r.passed, r.packages, n)
	for _, g := range slices.SortedFunc(maps.Values(kinds), func(a, b *group) int {
		return cmp.Or(cmp.Compare(len(b.tests), len(a.tests)), cmp.Compare(a.why, b.why))
	}) {
		slices.Sort(g.tests)
		some := slices.Compact(g.tests)
		more := ""
		if len(some) > 4 {
			some, more = some[:4], " ..."
		}
		fmt.Fprintf(r.w, "%5d  %s\n       %s%s\n", len(g.tests), g.why, strings.Join(some, " "), more)
	}
	if len(r.longest) == 0 {
		return
	}
	slices.SortStableFunc(r.longest, func(a, b lasting) int { return cmp.Compare(b.seconds, a.seconds) })
	fmt.Fprintln(r.w, "the longest, in seconds:")
	for _, l := range r.longest[:min(len(r.longest), 20)] {
		fmt.Fprintf(r.w, "%5.0f  %s\n", l.seconds, l.test)
	}
}
