package clickhouse

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	driver "github.com/ClickHouse/clickhouse-go/v2"
)

// Node is one server.
type Node struct {
	fleet   *Fleet
	name    string
	dir     string
	process process

	port, secure, between int
}

// server returns the program.
func server() (string, error) {
	for _, name := range []string{"clickhouse-server", "/usr/sbin/clickhouse-server"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", ErrNone
}

// launch starts the process, on new ports where it has none yet.
func (n *Node) launch() error {
	if n.port == 0 {
		for _, p := range []*int{&n.port, &n.secure, &n.between} {
			var err error
			if *p, err = freePort(); err != nil {
				return err
			}
		}
		if err := n.write(); err != nil {
			return err
		}
	}
	program, err := server()
	if err != nil {
		return err
	}
	return n.process.start(n.dir, program, "--config-file="+filepath.Join(n.dir, "config.xml"))
}

// settle waits until the server answers.
func (n *Node) settle() error {
	err := n.process.wait(func() error {
		db, err := n.dial()
		if err != nil {
			return err
		}
		defer db.Close()
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		return db.Ping(ctx)
	})
	if err != nil {
		return fmt.Errorf("clickhouse: %s does not start: %w\n%s", n.name, err, n.Log())
	}
	return nil
}

// dial connects, without encryption.
func (n *Node) dial() (driver.Conn, error) {
	return driver.Open(&driver.Options{
		Addr:        []string{net.JoinHostPort("127.0.0.1", strconv.Itoa(n.port))},
		Auth:        driver.Auth{Username: n.fleet.options.User, Password: n.fleet.options.Password},
		DialTimeout: 5 * time.Second, MaxOpenConns: 1,
	})
}

// Addr returns the host and port that clients use.
func (n *Node) Addr() string {
	port := n.port
	if n.fleet.options.TLS {
		port = n.secure
	}
	return net.JoinHostPort("127.0.0.1", strconv.Itoa(port))
}

// Exec runs a statement.
func (n *Node) Exec(t testing.TB, sql string) {
	t.Helper()
	db, err := n.dial()
	if err == nil {
		defer db.Close()
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		err = db.Exec(ctx, sql)
	}
	if err != nil {
		t.Errorf("%s: %s: %v", n.name, sql, err)
	}
}

// Counter returns a function that tells what a statement counts, by a connection that
// stays open until end is called; 0 where the server does not answer.
func (n *Node) Counter(sql string) (count func() uint64, end func()) {
	var db driver.Conn
	end = func() {
		if db != nil {
			db.Close()
			db = nil
		}
	}
	return func() (sum uint64) {
		var err error
		if db == nil {
			if db, err = n.dial(); err != nil {
				return 0
			}
		}
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		if err = db.QueryRow(ctx, sql).Scan(&sum); err != nil {
			end()
			return 0
		}
		return sum
	}, end
}

// Kill ends the server as a power failure would.
func (n *Node) Kill() { n.process.kill() }

// Start starts it again, with the same data and ports, and waits until it
// answers.
func (n *Node) Start(t testing.TB) {
	t.Helper()
	// Old servers that were killed crash now and then while they start.
	for try := range startTries {
		err := n.launch()
		if err == nil {
			err = n.settle()
		}
		if err == nil {
			return
		}
		if try == startTries-1 {
			t.Fatal(err)
		}
		t.Log(err)
	}
}

// startTries is how often a server is started that does not come up.
const startTries = 5

// Stop makes the server hang: connections stay, nothing answers.
func (n *Node) Stop(t testing.TB) {
	t.Helper()
	if !CanStop {
		t.Skip(StopProcess(nil))
	}
	if err := StopProcess(n.process.cmd.Process); err != nil {
		t.Fatal(err)
	}
}

// Continue ends what Stop began.
func (n *Node) Continue(t testing.TB) {
	t.Helper()
	if err := ContinueProcess(n.process.cmd.Process); err != nil {
		t.Fatal(err)
	}
}

// Log returns the end of what the server has logged.
func (n *Node) Log() string { return tail(filepath.Join(n.dir, "server.log")) + n.process.output() }

// process is a program that runs.
type process struct {
	cmd  *exec.Cmd
	log  string
	over chan struct{} // closed when it has ended
}

func (p *process) start(dir, program string, args ...string) error {
	p.log = filepath.Join(dir, "output.log")
	out, err := os.OpenFile(p.log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer out.Close() // the process has its own
	cmd := exec.Command(program, args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, out, out
	if err := launch(cmd); err != nil {
		return err
	}
	over := make(chan struct{})
	p.cmd, p.over = cmd, over
	go func() { cmd.Wait(); close(over) }()
	return nil
}

// wait asks again and again, until it is told nil or the process has ended.
func (p *process) wait(answers func() error) error {
	for began := time.Now(); ; time.Sleep(50 * time.Millisecond) {
		err := answers()
		if err == nil {
			return nil
		}
		select {
		case <-p.over:
			return fmt.Errorf("it has ended: %v", p.cmd.ProcessState)
		default:
		}
		if time.Since(began) > patience {
			return err
		}
	}
}

func (p *process) kill() {
	if p.cmd != nil {
		p.cmd.Process.Kill()
		<-p.over
	}
}

func (p *process) output() string { return tail(p.log) }

// Complaints returns the last lines of what the server has logged, without where
// in its program that was.
func (n *Node) Complaints() string {
	var list []string
	for line := range strings.Lines(n.Log()) {
		if strings.Contains(line, " <") { // as in <Error>
			list = append(list, line[:min(len(line), 300)])
		}
	}
	return strings.Join(list[max(0, len(list)-10):], "")
}

// tail returns the last kilobytes of a file.
func tail(file string) string {
	text, err := os.ReadFile(file)
	if err != nil {
		return ""
	}
	return string(text[max(0, len(text)-16384):])
}
