package chaos

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"qipu/internal/clickhouse"
	"qipu/internal/testkit"
)

// world is the libraries of one sequence, and the folder that they lie in.
type world struct {
	t       *testing.T
	program string // the real one, built
	dir     string
	places  []*place
	backups []backup
	files   []*file        // that were imported
	tally   map[string]int // what became of operations of each kind
	took    time.Duration  // the last operation

	commits func() uint64 // how many changes servers have noted; nil where there are none

	fleet *clickhouse.Fleet // the servers, where each shard has several; else nil
	heal  func()            // ends what is wrong with one of them; nil where nothing is
}

// harm has a server die or hang, or brings back the one that did: never two at a time.
func (w *world) harm(r *rand.Rand) {
	if w.heal != nil {
		w.heal()
		w.heal = nil
		return
	}
	nodes := w.fleet.Nodes()
	n := nodes[r.IntN(len(nodes))]
	if r.IntN(2) == 0 || !clickhouse.CanStop {
		n.Kill()
		w.heal = func() { n.Start(w.t) }
		return
	}
	n.Stop(w.t)
	w.heal = func() { n.Continue(w.t) }
}

// place is a library: a folder, or servers.
type place struct {
	*world
	address string
	seat    int  // the desk of who serves
	remote  bool // on servers: there several may write, and what is fresh lies on desks
	shelf   *shelf
	harmed  bool // derived files were damaged, and no repair was asked for since

	mu      sync.Mutex // for what follows: operations that run together share the server
	server  *exec.Cmd  // nil while nobody serves
	url     string
	said    *bytes.Buffer // what the server has complained of; to be read when it has ended
	ended   chan struct{} // closed when the server has
	pending map[string]promise
	session *session
}

// promise is a game of an import that a server has accepted. Whether it must be there
// in the end is not certain where it was deleted since.
type promise struct {
	*game
	certain bool
}

// session is a game that is being played.
type session struct {
	id    string
	game  *game // how it is meant to go
	moves int   // that were acknowledged
	undo  bool  // that a move was taken back once, or may have been
	back  bool  // whether it was is not known
}

type backup struct {
	dir   string
	of    *place
	shelf *shelf
}

// outcome is what became of an operation.
type outcome int

const (
	done     outcome = iota
	refused          // somebody else writes: nothing was changed
	accepted         // acknowledged, and to be done at the latest when the server is started again
	unknown          // killed, or in the way of others
)

func (o outcome) String() string { return [...]string{"done", "refused", "accepted", "unknown"}[o] }

// command is a run of the program.
type command struct {
	args   []string
	out    string
	err    string
	code   int
	killed bool
}

func (c *command) String() string {
	return fmt.Sprintf("qipu %s: exit code %d\n%s%s", strings.Join(c.args, " "), c.code, last(c.out), last(c.err))
}

// last returns the end of a text.
func last(s string) string { return s[max(0, len(s)-1500):] }

// desk returns where writers to servers keep what is fresh.
func (w *world) desk(n int) string { return filepath.Join(w.dir, "desk"+strconv.Itoa(n)) }

func (w *world) command(desk int, args ...string) *exec.Cmd {
	cmd := testkit.Process(w.program, args...)
	cmd.Dir = w.dir
	cmd.Env = append(os.Environ(), "XDG_DATA_HOME="+filepath.Join(w.dir, "data"), "HOME="+w.dir, "QIPU_LIBRARY=", "QIPU_DESK="+w.desk(desk))
	return cmd
}

// run runs the program to its end, or kills it after a while.
func (w *world) run(desk int, kill time.Duration, args ...string) *command {
	return w.watched(desk, kill, nil, 0, args...)
}

// watched does that, or kills the program when something has changed, or a while after.
func (w *world) watched(desk int, kill time.Duration, watch func() string, after time.Duration, args ...string) *command {
	cmd := w.command(desk, args...)
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	c := &command{args: args}
	before := ""
	if watch != nil {
		before = watch()
	}
	if err := cmd.Start(); err != nil {
		c.code, c.err = -1, err.Error()
		return c
	}
	limit := testkit.Patience
	if kill > 0 {
		limit = kill
	}
	timer := time.AfterFunc(limit, func() { cmd.Process.Kill() })
	over, watched := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(watched)
		for watch != nil && watch() == before {
			select {
			case <-over:
				return
			case <-time.After(200 * time.Microsecond):
			}
		}
		if watch != nil {
			time.Sleep(after)
			cmd.Process.Kill()
		}
	}()
	cmd.Wait()
	close(over)
	timer.Stop()
	<-watched
	c.out, c.err, c.code = out.String(), said.String(), cmd.ProcessState.ExitCode()
	c.killed = (kill > 0 || watch != nil) && c.code == -1
	return c
}

// stored tells of a library what changes when something is stored in it.
func (p *place) stored() string {
	if p.remote {
		return strconv.FormatUint(p.commits(), 10)
	}
	info, err := os.Stat(filepath.Join(p.address, "catalog.db-wal"))
	if err != nil {
		return "none"
	}
	return fmt.Sprint(info.Size(), info.ModTime())
}

// outcome tells what became of a command that should succeed.
func (c *command) outcome(codes ...int) (outcome, error) {
	switch {
	case c.killed:
		return unknown, nil
	case c.code == 0 || slices.Contains(codes, c.code):
		return done, nil
	}
	return unknown, errors.New(c.String())
}

// totals reads the lines of JSON that a command printed.
func totals[T any](c *command) (list []T, err error) {
	for d := json.NewDecoder(strings.NewReader(c.out)); ; {
		var v T
		if err := d.Decode(&v); errors.Is(err, io.EOF) {
			return list, nil
		} else if err != nil {
			return nil, fmt.Errorf("%v in %s", err, c)
		}
		list = append(list, v)
	}
}

// look reads a whole library, and holds it against the model.
func (p *place) look() (err error) {
	if p.remote {
		// What is fresh lies on two desks, and comes from both at once. Who serves has
		// one of them.
		if p.server != nil {
			if err := p.stop(false); err != nil {
				return err
			}
			defer func() {
				if err == nil {
					err = p.serve()
				}
			}()
		}
		var errs [2]error
		var shipping sync.WaitGroup
		for desk := range errs {
			shipping.Go(func() {
				if c := p.run(desk, 0, "--library", p.address, "cluster", "ship"); c.code != 0 {
					errs[desk] = errors.New(c.String())
				}
			})
		}
		shipping.Wait()
		if err := errors.Join(errs[:]...); err != nil {
			return err
		}
	}
	list, err := p.list(p.address)
	if err == nil {
		err = p.shelf.compare(list, !p.remote)
	}
	if err == nil {
		err = p.labels()
	}
	if err == nil && !p.remote {
		err = p.players()
	}
	if err != nil {
		return fmt.Errorf("%s: %w", filepath.Base(p.address), err)
	}
	return nil
}

// list reads all records of a library: their moves from one export, and what the
// user made of them from another.
func (w *world) list(address string) ([]seen, error) {
	games, table := filepath.Join(w.dir, "look.sgf"), filepath.Join(w.dir, "look.csv")
	os.Remove(games)
	os.Remove(table)
	c := w.run(0, 0, "--library", address, "export", "--all", games, "--json")
	d := w.run(0, 0, "--library", address, "export", "--all", table)
	if c.code == 1 && d.code == 1 {
		return nil, nil // no games
	}
	if c.code != 0 || d.code != 0 {
		return nil, fmt.Errorf("%s\n%s", c, d)
	}
	written, err := totals[struct {
		Type string
		ID   int
	}](c)
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(games)
	if err != nil {
		return nil, err
	}
	var list []seen
	for _, g := range readSGF(string(text)) {
		list = append(list, seen{game: g})
	}
	written = slices.DeleteFunc(written, func(l struct {
		Type string
		ID   int
	}) bool {
		return l.Type != "file"
	})
	if len(written) != len(list) {
		return nil, fmt.Errorf("%d games in the file, %d told", len(list), len(written))
	}
	byID := map[int]*seen{}
	for i := range list {
		list[i].id = written[i].ID
		byID[written[i].ID] = &list[i]
	}
	f, err := os.Open(table)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return nil, err
	}
	id, file, tagged, collected := slices.Index(rows[0], "id"), slices.Index(rows[0], "file"), slices.Index(rows[0], "tags"), slices.Index(rows[0], "collections")
	if len(rows)-1 != len(list) {
		return nil, fmt.Errorf("%d games as SGF, %d rows", len(list), len(rows)-1)
	}
	words := func(s string) []string {
		return strings.FieldsFunc(s, func(r rune) bool { return r == ';' })
	}
	for _, row := range rows[1:] {
		number, _ := strconv.Atoi(row[id])
		g := byID[number]
		if g == nil {
			return nil, fmt.Errorf("record %d is in the table and not in the file", number)
		}
		g.file, g.tags, g.sets = row[file], words(row[tagged]), words(row[collected])
	}
	return list, nil
}

// players asks the tables how many games each player has. Exports ask the catalogue.
func (p *place) players() error {
	t := &task{}
	t.count(p)
	_, err := t.run()
	return errors.Join(err, t.lone)
}

// labels compares how many games tags and collections are said to have.
func (p *place) labels() error {
	for _, kind := range []string{"tags", "collections"} {
		c := p.run(0, 0, "--library", p.address, kind, "list", "--json")
		if c.code > 1 || c.code < 0 {
			return errors.New(c.String())
		}
		list, err := totals[struct {
			Name  string
			Games int
		}](c)
		if err != nil {
			return err
		}
		for _, l := range list {
			a := ask{tag: l.Name}
			if kind == "collections" {
				a = ask{set: l.Name}
			}
			if want := len(a.ids(p.shelf)); l.Games != want {
				return fmt.Errorf("%s %s is said to have %d games, and has %d", kind, l.Name, l.Games, want)
			}
		}
	}
	return nil
}

// serve starts a server, and waits until imports that were interrupted are done.
func (p *place) serve() error {
	cmd := p.command(p.seat, "serve", "--library", p.address, "--listen", "127.0.0.1:0", "--json")
	said := new(bytes.Buffer)
	cmd.Stderr = said
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return err
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	var told struct {
		URL      string
		Writable bool
	}
	if err == nil {
		err = json.Unmarshal([]byte(line), &told)
	}
	if err == nil && !told.Writable {
		err = errors.New("it is served for reading only")
	}
	if err != nil {
		cmd.Process.Kill()
		cmd.Wait()
		return fmt.Errorf("serve: %w: %s%s", err, line, said.String())
	}
	p.mu.Lock()
	p.server, p.url, p.said, p.ended = cmd, told.URL+"api/v1", said, make(chan struct{})
	p.mu.Unlock()
	go func(ended chan struct{}) { cmd.Wait(); close(ended) }(p.ended)
	if err := p.settle(); err != nil {
		return err
	}
	for _, g := range p.pending {
		effect{p.shelf, g.game, add, ""}.apply(g.certain)
	}
	clear(p.pending)
	return nil
}

// settle waits until no import runs, and all games that are over are records: a server
// that was killed between the end of a game and its record makes it when it is started
// again, while it already answers.
func (p *place) settle() error {
	for end := time.Now().Add(testkit.Patience); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		var list struct {
			Jobs []struct{ State, Error string }
		}
		if err := p.get("/jobs", &list); err != nil {
			return err
		}
		busy := false
		for _, j := range list.Jobs {
			if j.State == "failed" {
				return fmt.Errorf("an import failed: %s", j.Error)
			}
			busy = busy || j.State != "done"
		}
		var tables struct{ Sessions []struct{ Over bool } }
		if err := p.get("/sessions", &tables); err != nil {
			return err
		}
		for _, s := range tables.Sessions {
			busy = busy || s.Over
		}
		if !busy {
			return nil
		}
	}
	return errors.New("imports do not end, or games do not become records")
}

// stop ends the server, at once or in good order.
func (p *place) stop(kill bool) error {
	p.mu.Lock()
	cmd := p.server
	p.server = nil
	p.mu.Unlock()
	if cmd == nil {
		return nil
	}
	if kill {
		cmd.Process.Kill()
		<-p.ended
		return nil
	}
	cmd.Process.Signal(os.Interrupt)
	<-p.ended
	if code := cmd.ProcessState.ExitCode(); code != 0 {
		return fmt.Errorf("serve ends with %d", code)
	}
	return nil
}

// errCut tells that the server was killed before it answered.
var errCut = errors.New("the server is gone")

// cut tells that a server has not answered, which is a fault where nobody killed it.
func (p *place) cut(err error) error {
	p.mu.Lock()
	alive := p.server != nil // for all we know
	p.mu.Unlock()
	if !alive {
		return fmt.Errorf("%w: %v", errCut, err)
	}
	select {
	case <-p.ended:
		return fmt.Errorf("the server has died by itself: %v: %s", err, last(p.said.String()))
	case <-time.After(time.Second):
		return fmt.Errorf("a server that lives does not answer: %w", err)
	}
}

// get asks a server.
func (p *place) get(path string, into any) error { return p.http("GET", path, "", nil, into) }

// post sends JSON.
func (p *place) post(path string, body, into any) error {
	data, err := json.Marshal(body)
	if err != nil {
		return err
	}
	return p.http("POST", path, "application/json", data, into)
}

func (p *place) http(method, path, kind string, body []byte, into any) error {
	r, err := http.NewRequest(method, p.url+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	if kind != "" {
		r.Header.Set("Content-Type", kind)
	}
	reply, err := http.DefaultClient.Do(r)
	if err != nil {
		return p.cut(err)
	}
	defer reply.Body.Close()
	data, err := io.ReadAll(reply.Body)
	if err != nil {
		return p.cut(err)
	}
	if reply.StatusCode != http.StatusOK {
		return fmt.Errorf("%s %s %s: %s %s", method, path, last(string(body)), reply.Status, last(string(data)))
	}
	if into == nil {
		return nil
	}
	return json.Unmarshal(data, into)
}
