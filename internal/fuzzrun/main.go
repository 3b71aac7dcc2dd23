// Fuzzrun runs every fuzz target of some packages, several at once, and counts what they
// did:
//
//	fuzzrun -time 60s ./...                       each target for a minute
//	fuzzrun -execs 200000 -time 20m ./...         each until it was run so often, 20 minutes at most
//	fuzzrun -only '^FuzzRead$' ./record/sgf
//
// What was found to be of interest is kept in the folder that -corpus names, and the next
// run goes on from there. A target that fails is told with all that it says: the input
// lies in testdata/fuzz of its package then, to be looked at and kept as a test.
package main

import (
	"bufio"
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

func main() {
	var o options
	flag.DurationVar(&o.time, "time", time.Minute, "time for each target")
	flag.Int64Var(&o.execs, "execs", 0, "executions of each target, after which it ends; 0 for as many as it comes to")
	flag.Int64Var(&o.least, "least", 0, "fail where a target comes to fewer executions")
	flag.IntVar(&o.parallel, "parallel", runtime.NumCPU(), "targets at once")
	flag.StringVar(&o.corpus, "corpus", "", "folder in which what is of interest is kept; by default that of the go command")
	flag.StringVar(&o.only, "only", "", "targets whose name matches alone")
	flag.Parse()
	if flag.NArg() == 0 {
		flag.Usage()
		os.Exit(2)
	}
	ok, err := o.run(os.Stdout, flag.Args())
	if err != nil {
		fmt.Fprintln(os.Stderr, "fuzzrun:", err)
		os.Exit(2)
	}
	if !ok {
		os.Exit(1)
	}
}

type options struct {
	time         time.Duration
	execs, least int64
	parallel     int
	corpus, only string
}

// target is a fuzz target, and what came of it.
type target struct {
	pkg, name string
	progress
	err  error
	said string
}

// progress is what the go command tells of a target as it runs.
type progress struct {
	execs, fresh, total int64 // executions; inputs of interest, of them new ones
}

func (o *options) run(w io.Writer, patterns []string) (ok bool, err error) {
	only, err := regexp.Compile(o.only)
	if err != nil {
		return false, err
	}
	if o.corpus != "" {
		if o.corpus, err = filepath.Abs(o.corpus); err != nil {
			return false, err
		}
	}
	targets, err := list(patterns, only)
	if err != nil {
		return false, err
	}
	if len(targets) == 0 {
		return false, errors.New("there is no such target")
	}
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, os.Interrupt, syscall.SIGTERM)
	jobs := make(chan *target)
	var all sync.WaitGroup
	var mu sync.Mutex
	ok = true
	for range max(1, o.parallel) {
		all.Go(func() {
			for t := range jobs {
				o.fuzz(t)
				mu.Lock()
				fmt.Fprintln(w, t.line(o.least))
				if t.err != nil {
					fmt.Fprint(w, t.said)
				}
				ok = ok && t.err == nil && t.execs >= o.least
				mu.Unlock()
			}
		})
	}
feed:
	for i := range targets {
		select {
		case jobs <- &targets[i]:
		case <-stop:
			ok = false
			break feed
		}
	}
	close(jobs)
	all.Wait()
	o.sum(w, targets)
	return ok, nil
}

// list returns the fuzz targets of packages.
func list(patterns []string, only *regexp.Regexp) (targets []target, err error) {
	out, err := exec.Command("go", append([]string{"list", "-f", "{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}}\t{{.Dir}}{{end}}"}, patterns...)...).Output()
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(out)) {
		pkg, dir, ok := strings.Cut(strings.TrimSpace(line), "\t")
		if !ok {
			continue
		}
		// The sources are looked at first: compiling the tests of all packages for
		// their names would take longer than many targets do.
		files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			source, err := os.ReadFile(file)
			if err != nil {
				return nil, err
			}
			for _, m := range declared.FindAllStringSubmatch(string(source), -1) {
				if only.MatchString(m[1]) {
					targets = append(targets, target{pkg: pkg, name: m[1]})
				}
			}
		}
	}
	slices.SortFunc(targets, func(a, b target) int { return cmp.Or(cmp.Compare(a.pkg, b.pkg), cmp.Compare(a.name, b.name)) })
	return targets, nil
}

var declared = regexp.MustCompile(`(?m)^func (Fuzz\w+)\(\w+ \*testing\.F\)`)

// fuzz runs one target.
func (o *options) fuzz(t *target) {
	long := o.time.String()
	if o.execs > 0 {
		long = strconv.FormatInt(o.execs, 10) + "x"
	}
	args := []string{"test", "-run", "^$", "-fuzz", "^" + t.name + "$", "-fuzztime", long, "-fuzzminimizetime", "10x", "-parallel", "1", t.pkg}
	if o.corpus != "" {
		args = append(args, "-args", "-test.fuzzcachedir="+filepath.Join(o.corpus, t.pkg))
	}
	cmd := exec.Command("go", args...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.err = err
		return
	}
	cmd.Stderr = cmd.Stdout
	if t.err = cmd.Start(); t.err != nil {
		return
	}
	// By its count it ends when that is reached, and by the clock at the latest. An
	// interrupt ends it in order, which the go command hands on.
	late := false
	timer := time.AfterFunc(o.time+2*time.Minute, func() { _ = cmd.Process.Signal(os.Interrupt) })
	if o.execs > 0 {
		timer.Stop()
		timer = time.AfterFunc(o.time, func() { late = true; _ = cmd.Process.Signal(os.Interrupt) })
	}
	defer timer.Stop()
	var said strings.Builder
	for s := bufio.NewScanner(out); s.Scan(); {
		if p, ok := read(s.Text()); ok {
			t.progress = p
			continue
		}
		said.WriteString(s.Text() + "\n")
	}
	t.said = said.String()
	if err := cmd.Wait(); err != nil && !(late && !strings.Contains(t.said, "--- FAIL")) {
		t.err = err
	}
}

var told = regexp.MustCompile(`^fuzz: elapsed: .*, execs: (\d+) .*new interesting: (\d+) \(total: (\d+)\)`)

// read reads a line of progress.
func read(line string) (p progress, ok bool) {
	m := told.FindStringSubmatch(line)
	if m == nil {
		return p, false
	}
	p.execs, _ = strconv.ParseInt(m[1], 10, 64)
	p.fresh, _ = strconv.ParseInt(m[2], 10, 64)
	p.total, _ = strconv.ParseInt(m[3], 10, 64)
	return p, true
}

func (t *target) line(least int64) string {
	what := "ok"
	switch {
	case t.err != nil:
		what = "FAIL"
	case t.execs < least:
		what = "few"
	}
	return fmt.Sprintf("%-4s %-34s %-28s %12d executions, %5d inputs of interest, %d new", what, t.pkg, t.name, t.execs, t.total, t.fresh)
}

// sum tells how much was done in all.
func (o *options) sum(w io.Writer, targets []target) {
	var execs, fresh int64
	failed, few := 0, 0
	for i := range targets {
		t := &targets[i]
		execs, fresh = execs+t.execs, fresh+t.fresh
		if t.err != nil {
			failed++
		}
		if t.execs < o.least {
			few++
		}
	}
	fmt.Fprintf(w, "%d targets, %d executions, %d new inputs of interest, %d failed", len(targets), execs, fresh, failed)
	if o.least > 0 {
		fmt.Fprintf(w, ", %d with fewer than %d executions", few, o.least)
	}
	fmt.Fprintln(w)
}
