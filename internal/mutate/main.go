// Mutate changes one place of a package after the other, each as a slip of the pen would,
// and runs the tests of the package: what they do not notice is told.
//
//	mutate -n 60 ./interval ./query         60 places of each, by a seed that is printed
//	mutate -n 60 -seed 7 ./interval         the same places again
//	mutate -n 5 -only segment/writer.go ./segment
//
// The files of the package are not touched: the compiler is given changed ones in their
// place. A mutant that cannot be compiled does not count, and another one is drawn. One
// that runs far longer than the tests do, or takes far more memory, is caught. A place
// that no test comes to survives without being run. Survivors that cannot be caught,
// because the program does the same with them, are listed with the reason in
// survivors.txt beside this file, and count as neither.
package main

import (
	"bufio"
	_ "embed"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

func main() {
	var o options
	flag.IntVar(&o.n, "n", 60, "mutants of each package")
	flag.Uint64Var(&o.seed, "seed", uint64(time.Now().Unix()), "which places are drawn")
	flag.StringVar(&o.only, "only", "", "take mutants of files alone whose path ends like this")
	flag.StringVar(&o.tests, "run", "", "tests to be run; all by default")
	flag.Float64Var(&o.least, "least", 0, "fail where fewer per cent are caught")
	flag.Parse()
	if flag.NArg() == 0 {
		flag.Usage()
		os.Exit(2)
	}
	ok, err := o.run(os.Stdout, flag.Args())
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(2)
	}
	if !ok {
		os.Exit(1)
	}
}

type options struct {
	n           int
	seed        uint64
	only, tests string
	least       float64
}

// tally counts what became of the mutants of packages.
type tally struct{ caught, survived, excused, broken int }

// share returns how many of a hundred were caught.
func (t *tally) share() float64 {
	if t.caught+t.survived == 0 {
		return 100
	}
	return 100 * float64(t.caught) / float64(t.caught+t.survived)
}

func (o *options) run(w io.Writer, patterns []string) (ok bool, err error) {
	packages, err := list(patterns)
	if err != nil {
		return false, err
	}
	known, err := readExcuses(excusesText)
	if err != nil {
		return false, err
	}
	fmt.Fprintf(w, "%d mutants a package, seed %d\n", o.n, o.seed)
	var all tally
	for i := range packages {
		t, err := o.pack(w, &packages[i], known)
		if err != nil {
			return false, fmt.Errorf("%s: %w", packages[i].ImportPath, err)
		}
		fmt.Fprintf(w, "%-28s %d of %d caught (%.0f %%)%s\n", packages[i].ImportPath, t.caught, t.caught+t.survived, t.share(), t.rest())
		all = tally{all.caught + t.caught, all.survived + t.survived, all.excused + t.excused, all.broken + t.broken}
	}
	fmt.Fprintf(w, "%-28s %d of %d caught (%.1f %%)%s\n", "all", all.caught, all.caught+all.survived, all.share(), all.rest())
	return all.share() >= o.least, nil
}

// rest tells of the mutants that do not count.
func (t *tally) rest() (text string) {
	if t.excused > 0 {
		text += fmt.Sprintf(", %d that do the same", t.excused)
	}
	if t.broken > 0 {
		text += fmt.Sprintf(", %d not compiled", t.broken)
	}
	return text
}

// pkg is a package as go list tells it.
type pkg struct {
	Dir, ImportPath string
	GoFiles         []string
}

func list(patterns []string) (packages []pkg, err error) {
	cmd := exec.Command("go", append([]string{"list", "-json=Dir,ImportPath,GoFiles"}, patterns...)...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, err
	}
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p pkg
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return packages, nil
		} else if err != nil {
			return nil, err
		}
		packages = append(packages, p)
	}
}

// pack tries mutants of one package.
func (o *options) pack(w io.Writer, p *pkg, known excuses) (t tally, err error) {
	var places []mutant
	for _, name := range p.GoFiles {
		path := filepath.Join(p.Dir, name)
		if !strings.HasSuffix(path, o.only) {
			continue
		}
		source, err := os.ReadFile(path)
		if err != nil {
			return t, err
		}
		found, err := mutantsOf(path, source)
		if err != nil {
			return t, err
		}
		places = append(places, found...)
	}
	dir, err := os.MkdirTemp("", "qipu-mutate-")
	if err != nil {
		return t, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	b := &bench{pkg: p, dir: dir, tests: o.tests}
	if err := b.measure(); err != nil {
		return t, err
	}
	// Each package has its own numbers, whichever others are asked for.
	h := fnv.New64a()
	io.WriteString(h, p.ImportPath)
	rng := rand.New(rand.NewPCG(o.seed, h.Sum64()))
	rng.Shuffle(len(places), func(i, j int) { places[i], places[j] = places[j], places[i] })
	for i := range places {
		if t.caught+t.survived+t.excused >= o.n {
			break
		}
		m := &places[i]
		if why := known.of(p.ImportPath, m); why != "" {
			t.excused++
			continue
		}
		verdict := survived
		if b.covered(m) {
			if verdict, err = b.try(m); err != nil {
				return t, err
			}
		} else {
			m.what += " (no test comes here)"
		}
		switch verdict {
		case broken:
			t.broken++
		case caught:
			t.caught++
		case survived:
			t.survived++
			rel, err := filepath.Rel(p.Dir, m.path)
			if err != nil {
				return t, err
			}
			fmt.Fprintf(w, "survives: %s/%s:%d: %s\n    %s\n", p.ImportPath, rel, m.line, m.what, m.text)
		}
	}
	return t, nil
}

// verdict is what became of a mutant.
type verdict int

const (
	broken verdict = iota // it cannot be compiled
	caught
	survived
)

// bench builds and runs the tests of a package.
type bench struct {
	*pkg
	dir, tests string
	usual      time.Duration // that the tests take
	blocks     map[string][]span
}

// span is a piece of a file that some test comes to, by lines and columns.
type span struct{ fromLine, fromColumn, toLine, toColumn int }

// measure runs the tests as they are: they have to pass. It notes how long they take and
// where they come.
func (b *bench) measure() error {
	binary, profile := filepath.Join(b.dir, "plain"), filepath.Join(b.dir, "cover")
	if out, err := b.compile(binary, "-cover"); err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	began := time.Now()
	if out, err := b.start(binary, "-test.coverprofile="+profile).CombinedOutput(); err != nil {
		return fmt.Errorf("the tests fail as they are: %w\n%s", err, tail(out))
	}
	b.usual = time.Since(began)
	f, err := os.Open(profile)
	if err != nil {
		return err
	}
	defer f.Close()
	b.blocks = map[string][]span{}
	for s := bufio.NewScanner(f); s.Scan(); {
		// name.go:line.column,line.column statements count
		at, counts, ok := strings.Cut(s.Text(), " ")
		if !ok || strings.HasSuffix(counts, " 0") {
			continue
		}
		name, place, _ := strings.Cut(at, ".go:")
		var x span
		if n, err := fmt.Sscanf(place, "%d.%d,%d.%d", &x.fromLine, &x.fromColumn, &x.toLine, &x.toColumn); n == 4 && err == nil {
			name = filepath.Base(name) + ".go"
			b.blocks[name] = append(b.blocks[name], x)
		}
	}
	return nil
}

// covered reports whether some test comes to the place of a mutant, or it stands where
// that is not counted: in declarations.
func (b *bench) covered(m *mutant) bool {
	if !m.inFunc {
		return true
	}
	return slices.ContainsFunc(b.blocks[filepath.Base(m.path)], func(s span) bool {
		after := m.line > s.fromLine || m.line == s.fromLine && m.column >= s.fromColumn
		before := m.line < s.toLine || m.line == s.toLine && m.column <= s.toColumn
		return after && before
	})
}

func (b *bench) compile(binary string, flags ...string) ([]byte, error) {
	cmd := exec.Command("go", slices.Concat([]string{"test", "-c", "-vet=off", "-o", binary}, flags, []string{b.ImportPath})...)
	cmd.Dir = b.Dir
	return cmd.CombinedOutput()
}

// start returns the command that runs the tests of a binary.
func (b *bench) start(binary string, flags ...string) *exec.Cmd {
	args := append([]string{"-test.failfast", "-test.paniconexit0"}, flags...)
	if b.tests != "" {
		args = append(args, "-test.run="+b.tests)
	}
	cmd := exec.Command(binary, args...)
	cmd.Dir = b.Dir
	cmd.Env = append(os.Environ(), "TMPDIR="+b.dir)
	return cmd
}

// try compiles a mutant and runs the tests.
func (b *bench) try(m *mutant) (verdict, error) {
	changed, overlay, binary := filepath.Join(b.dir, "changed.go"), filepath.Join(b.dir, "overlay.json"), filepath.Join(b.dir, "mutant")
	source, err := os.ReadFile(m.path)
	if err != nil {
		return 0, err
	}
	if err := os.WriteFile(changed, m.apply(source), 0o666); err != nil {
		return 0, err
	}
	replace, err := json.Marshal(map[string]map[string]string{"Replace": {m.path: changed}})
	if err != nil {
		return 0, err
	}
	if err := os.WriteFile(overlay, replace, 0o666); err != nil {
		return 0, err
	}
	if _, err := b.compile(binary, "-overlay="+overlay); err != nil {
		return broken, nil
	}
	// A machine that others use may be slow all of a sudden.
	limit := 10*b.usual + time.Minute
	cmd := b.start(binary, "-test.timeout="+limit.String())
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	late, look := time.After(limit+10*time.Second), time.NewTicker(250*time.Millisecond)
	defer look.Stop()
	for {
		select {
		case err := <-ended:
			if err != nil {
				return caught, nil
			}
			return survived, nil
		case <-look.C:
			if memoryOf(cmd.Process.Pid) < mostMemory {
				continue
			}
		case <-late:
		}
		_ = cmd.Process.Kill()
		<-ended
		return caught, nil
	}
}

// mostMemory is what a mutant may take before it is taken for one that would take all.
const mostMemory = 3 << 30

// memoryOf returns how many bytes of memory a process takes; 0 where the system does not
// tell.
func memoryOf(pid int) int64 {
	text, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "statm"))
	if fields := strings.Fields(string(text)); err == nil && len(fields) > 1 {
		if pages, err := strconv.ParseInt(fields[1], 10, 64); err == nil {
			return pages * int64(os.Getpagesize())
		}
	}
	return 0
}

func tail(out []byte) []byte { return out[max(0, len(out)-2000):] }

// excuses are mutants that do the same as the program, by package and what is changed.
type excuses map[string]string

//go:embed survivors.txt
var excusesText string

// readExcuses reads lines of four parts between bars: the package, the line of the
// source, what is changed, why nothing can notice. "#" begins a remark.
func readExcuses(text string) (excuses, error) {
	x := excuses{}
	n := 0
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		parts := strings.Split(line, " | ")
		if len(parts) != 4 {
			return nil, errors.New("survivors.txt:" + strconv.Itoa(n) + ": want package | line | change | reason")
		}
		x[strings.Join(parts[:3], " | ")] = parts[3]
	}
	return x, nil
}

func (x excuses) of(pkg string, m *mutant) string {
	return x[strings.Join([]string{pkg, m.text, m.what}, " | ")]
}
