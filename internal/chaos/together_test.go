package chaos

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"qipu/internal/testkit"
)

// house is a library that a server and commands change at once, while all of them are
// killed at any moment.
type house struct {
	*testing.T
	program, dir string

	mu     sync.Mutex
	url    string
	server *exec.Cmd
	kills  map[string]int
	acked  map[string]int // what has to be there, by its kind and name: how often
	tried  map[string]int // what may be there
}

func (s *house) note(into map[string]int, what string, n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	into[what] += n
}

func (s *house) killed() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for _, k := range s.kills {
		n += k
	}
	return n
}

// serve begins a server and returns when it listens, or has been killed.
func (s *house) serve() *exec.Cmd {
	cmd := testkit.Process(s.program, "--library", filepath.Join(s.dir, "lib"), "serve", "--listen", "127.0.0.1:0", "--json")
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		s.Error(err)
		return nil
	}
	var told struct {
		URL      string
		Writable bool
	}
	if json.NewDecoder(out).Decode(&told) != nil || !told.Writable {
		s.Errorf("a server does not serve: %+v %s", told, &said)
	}
	s.mu.Lock()
	s.url, s.server = told.URL, cmd
	s.mu.Unlock()
	return cmd
}

// command runs a command, which is killed after a while that is not 0, and returns what
// it says where it has ended well.
func (s *house) command(kill time.Duration, args ...string) (string, bool) {
	cmd := testkit.Process(s.program, append([]string{"--library", filepath.Join(s.dir, "lib")}, args...)...)
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	if err := cmd.Start(); err != nil {
		s.Error(err)
		return "", false
	}
	if kill > 0 {
		timer := time.AfterFunc(kill, func() { cmd.Process.Kill() })
		defer timer.Stop()
	}
	if err := cmd.Wait(); err != nil {
		if kill > 0 && cmd.ProcessState.ExitCode() == -1 {
			s.note(s.kills, "command", 1)
		} else {
			s.Errorf("%v: %v %s", args, err, &said)
		}
		return "", false
	}
	return out.String(), true
}

// record is a game that is no other one.
func record(r *rand.Rand, event string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "(;GM[1]SZ[19]EV[%s]PB[%s a]PW[%s b]", event, event, event)
	for i, p := range r.Perm(361)[:24] {
		fmt.Fprintf(&b, ";%c[%c%c]", "BW"[i%2], 'a'+p%19, 'a'+p/19)
	}
	return b.String() + ")\n"
}

// work changes the library as one of several does at once.
func (s *house) work(worker int, more func() bool) {
	r := rand.New(rand.NewPCG(*seedFlag, uint64(worker)+1))
	for n := 0; more() && !s.Failed(); n++ {
		kill := time.Duration(0)
		if r.IntN(3) == 0 {
			kill = time.Duration(1+r.IntN(400)) * time.Millisecond
		}
		name := fmt.Sprintf("w%d-%d", worker, n)
		switch r.IntN(5) {
		case 0, 1:
			file, games := filepath.Join(s.dir, name+".sgf"), 1+r.IntN(4)
			var text string
			for range games {
				text += record(r, name)
			}
			if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
				s.Error(err)
				return
			}
			s.note(s.tried, "game "+name, games)
			out, ok := s.command(kill, "import", file, "--json")
			if !ok {
				continue
			}
			s.note(s.acked, "game "+name, games)
			var told struct{ New, Duplicates int }
			for line := range strings.Lines(out) {
				json.Unmarshal([]byte(line), &told)
			}
			if told.New != games || told.Duplicates != 0 {
				s.Errorf("%s: %d games, and the import tells of %+v", name, games, told)
			}
		case 2:
			s.note(s.tried, "tag "+name, 1)
			if _, ok := s.command(kill, "tags", "add", name, "1"); ok {
				s.note(s.acked, "tag "+name, 1)
			}
		case 3:
			s.note(s.tried, "query "+name, 1)
			if _, ok := s.command(kill, "query", "save", name, fmt.Sprintf("moves>%d", n)); ok {
				s.note(s.acked, "query "+name, 1)
			}
		case 4: // by the server, which may be killed
			s.mu.Lock()
			url := s.url
			s.mu.Unlock()
			q, err := http.NewRequest("PUT", url+"api/v1/queries/"+name, strings.NewReader(fmt.Sprintf(`{"query":"moves>%d"}`, n)))
			if err != nil {
				s.Error(err)
				return
			}
			q.Header.Set("Content-Type", "application/json")
			s.note(s.tried, "query "+name, 1)
			reply, err := http.DefaultClient.Do(q)
			if err != nil {
				continue
			}
			if reply.Body.Close(); reply.StatusCode == 200 {
				s.note(s.acked, "query "+name, 1)
			} else {
				s.Errorf("the server answers %d", reply.StatusCode)
			}
		}
	}
}

// TestTogether kills a server and the commands of four others that change its library at
// once: what was acknowledged is there, nothing is there twice, and a command that is not
// killed itself always succeeds.
func TestTogether(t *testing.T) {
	most := cmp.Or(*opsFlag, testkit.Scale(6, 200))
	s := &house{T: t, program: build(t), dir: t.TempDir(), kills: map[string]int{}, acked: map[string]int{}, tried: map[string]int{}}
	first := filepath.Join(s.dir, "first.sgf")
	if err := os.WriteFile(first, []byte(record(rand.New(rand.NewPCG(1, 1)), "first")), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, ok := s.command(0, "import", first); !ok {
		return
	}
	done := make(chan struct{})
	var workers, serving sync.WaitGroup
	s.serve()
	serving.Go(func() {
		r := rand.New(rand.NewPCG(*seedFlag, 99))
		for {
			wait := time.After(time.Duration(100+r.IntN(2500)) * time.Millisecond)
			select {
			case <-done:
				s.server.Process.Signal(os.Interrupt)
				if err := s.server.Wait(); err != nil {
					t.Errorf("the server ends badly: %v", err)
				}
				return
			case <-wait:
				s.server.Process.Kill()
				s.server.Wait()
				s.note(s.kills, "server", 1)
				if s.serve() == nil || t.Failed() {
					return
				}
			}
		}
	})
	for w := range 4 {
		workers.Go(func() { s.work(w, func() bool { return s.killed() < most }) })
	}
	workers.Wait()
	close(done)
	serving.Wait()
	if !t.Failed() {
		s.check()
	}
	t.Logf("%d kills: %v; %d things acknowledged of %d", s.killed(), s.kills, len(s.acked), len(s.tried))
}

// check looks for everything in the end.
func (s *house) check() {
	have := map[string]int{}
	out, _ := s.command(0, "export", "--all", "-", "--to", "csv")
	rows, err := csv.NewReader(strings.NewReader(out)).ReadAll()
	if err != nil || len(rows) == 0 {
		s.Fatalf("%v: %s", err, out)
	}
	event := 0
	for i, name := range rows[0] {
		if name == "event" {
			event = i
		}
	}
	for _, row := range rows[1:] {
		have["game "+row[event]]++
	}
	for kind, args := range map[string][]string{"tag": {"tags", "--json"}, "query": {"query", "list", "--json"}} {
		out, _ := s.command(0, args...)
		for line := range strings.Lines(out) {
			var told struct{ Name string }
			if json.Unmarshal([]byte(line), &told) == nil && told.Name != "" {
				have[kind+" "+told.Name]++
			}
		}
	}
	delete(have, "game first")
	for what, n := range s.acked {
		if have[what] != n {
			s.Errorf("%s: acknowledged %d times, and there %d times", what, n, have[what])
		}
	}
	for what, n := range have {
		if n > s.tried[what] {
			s.Errorf("%s is there %d times, and was tried %d times", what, n, s.tried[what])
		}
	}
	if out, ok := s.command(0, "doctor", "--deep"); !ok || !strings.Contains(out, "all is well") {
		s.Errorf("doctor: %s", out)
	}
}
