package main

import (
	"bufio"
	"database/sql"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	_ "modernc.org/sqlite"

	"qipu/cli"
	"qipu/internal/clickhouse"
	"qipu/internal/testkit"
)

// Some tests need the program in a process of its own: the test binary is that
// too, where this variable is set.
const asProgram = "QIPU_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
		return
	}
	os.Exit(clickhouse.Main(m))
}

// program returns a command line of the program, to be run in its own process.
// Its library is that of commands in this process.
func program(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	data, err := filepath.Abs("data")
	if err != nil {
		t.Fatal(err)
	}
	cmd := testkit.Process(exe, args...)
	cmd.Env = append(os.Environ(), asProgram+"=1", "XDG_DATA_HOME="+data, "QIPU_LIBRARY=")
	return cmd
}

// TestKilledImport kills the first import of a library in its first moments. The
// next import goes on, whatever was left.
//
//qipu:race
func TestKilledImport(t *testing.T) {
	withGames(t)
	rng := rand.New(rand.NewPCG(5, 6))
	begun, kills := 0, testkit.Scale(8, 200)
	for round := range kills {
		if err := os.RemoveAll("data"); err != nil {
			t.Fatal(err)
		}
		cmd := program(t, "import", "games")
		said, err := cmd.StderrPipe()
		if err == nil {
			err = cmd.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		// The library begins to be made when the program says so.
		if _, err := bufio.NewReader(said).ReadString('\n'); err != nil {
			t.Fatalf("round %d: it says nothing: %v", round, err)
		}
		time.Sleep(time.Duration(rng.IntN(20_000)) * time.Microsecond)
		cmd.Process.Kill()
		cmd.Wait()
		if _, err := os.Stat("data/qipu/catalog.db"); err == nil {
			begun++
		}
		must(t, "qipu import games --dry-run", 0)
		must(t, "qipu import games", 0)
		if games := total(t, must(t, "qipu stats --json", 0))["records"]; games != demoGames {
			t.Errorf("round %d: %v games", round, games)
		}
		must(t, "qipu doctor --deep", 0)
	}
	if begun == 0 {
		t.Error("no import had begun")
	}
	t.Logf("%d kills, %d of them with a library begun", kills, begun)
}

// TestEmptyCatalogue imports into a library of which a killed import has left an
// empty file.
func TestEmptyCatalogue(t *testing.T) {
	withGames(t)
	if err := errors.Join(os.MkdirAll("data/qipu", 0o777), os.WriteFile("data/qipu/catalog.db", nil, 0o666)); err != nil {
		t.Fatal(err)
	}
	must(t, "qipu stats", cli.ExitData)
	foretold := total(t, must(t, "qipu import games --dry-run --json", 0))
	if got := total(t, must(t, "qipu import games --json", 0)); got["new"] != demoGames || foretold["new"] != demoGames {
		t.Errorf("foretold %v, imported %v", foretold, got)
	}
	must(t, "qipu doctor --deep", 0)
}

// TestTerminated has an import end in its own time when the system asks it to.
func TestTerminated(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows asks nobody")
	}
	withGames(t)
	cmd := program(t, "import", "--progress", "json", "games", "-")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	said, err := cmd.StderrPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	r := bufio.NewReader(said)
	for reads := false; !reads; {
		line, err := r.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		reads = strings.Contains(line, `"what":`)
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	rest, _ := io.ReadAll(r)
	cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != cli.ExitInterrupted || !strings.Contains(string(rest), "run the command again to go on") {
		t.Errorf("exit %d: %s", code, rest)
	}
	must(t, "qipu import games", 0)
	must(t, "qipu doctor --deep", 0)
}

// TestUnreadable damages the records of some games: all commands go on with the
// others, and name those.
func TestUnreadable(t *testing.T) {
	withLibrary(t)
	db, err := sql.Open("sqlite", "data/qipu/catalog.db")
	if err == nil {
		_, err = db.Exec("UPDATE game SET slot = 63 WHERE id IN (5, 6)")
		err = errors.Join(err, db.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		line string
		code int
		says string
	}{
		{"qipu export --all --output out", cli.ExitData, "game 5: left out: "},
		{"qipu export 1 6 --output out --force", cli.ExitData, "game 6: left out: "},
		{"qipu reindex", cli.ExitData, "those of the games 5, 6;"},
		{"qipu reindex --compact", cli.ExitData, "those of the games 5, 6;"},
		{"qipu doctor", cli.ExitData, "record 6"},
		{"qipu doctor --deep --repair", cli.ExitData, "run qipu delete 5 and"},
		{"qipu delete 5 6 --yes", cli.ExitOK, "2 games deleted"},
		{"qipu doctor --deep", cli.ExitOK, "all is well"},
		{"qipu import games", cli.ExitOK, ""},
		{"qipu doctor --deep", cli.ExitOK, "all is well: 28 games"},
	} {
		a := must(t, c.line, c.code)
		if out := a.stdout.String() + a.stderr.String(); !strings.Contains(out, c.says) {
			t.Errorf("%s: it does not say %q:\n%s", c.line, c.says, out)
		}
	}
	files, err := filepath.Glob("out/*")
	if err != nil || len(files) < 26 {
		t.Errorf("%d files of 26 games: %v", len(files), err)
	}
}

// TestDamagedTables imports into a library, and deletes from one, whose tables
// are gone.
func TestDamagedTables(t *testing.T) {
	withLibrary(t)
	must(t, "qipu reindex", 0)
	gone := func() {
		if err := os.RemoveAll("data/qipu/segments"); err != nil {
			t.Fatal(err)
		}
	}
	gone()
	must(t, "qipu delete 3 4 --yes", 0)
	gone()
	// Games that come in again while they are in the trash come back as what they were.
	if got := total(t, must(t, "qipu import games --json", 0)); got["new"] != 2.0 || got["duplicates"] != 0.0 {
		t.Errorf("imported: %v", got)
	}
	must(t, "qipu show 3", 0)
	must(t, "qipu show 4", 0)
	must(t, "qipu doctor --deep", 0)
}

// TestNoTerminal: /dev/null is no terminal, and neither is a file: nothing is
// deleted where nobody can be asked.
func TestNoTerminal(t *testing.T) {
	withLibrary(t)
	log, err := os.Create("log")
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	cmd := program(t, "delete", "4") // its standard input and output are /dev/null
	cmd.Stderr = log
	var exit *exec.ExitError
	if err := cmd.Run(); !errors.As(err, &exit) || exit.ExitCode() != cli.ExitUsage {
		t.Errorf("%v", err)
	}
	if said, _ := os.ReadFile("log"); !strings.Contains(string(said), "add --yes") {
		t.Errorf("it says %s", said)
	}
	if games := total(t, must(t, "qipu stats --json", 0))["records"]; games != demoGames {
		t.Errorf("%v games are left", games)
	}
}

// TestUnread: a command whose output nobody reads any more ends without a word, and
// leaves nothing behind.
func TestUnread(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("pipes break otherwise there")
	}
	t.Chdir(t.TempDir())
	temp := t.TempDir()
	cmd := program(t, "demo")
	cmd.Env = append(cmd.Env, "TMPDIR="+temp)
	var said strings.Builder
	cmd.Stderr = &said
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(out, make([]byte, 100)); err != nil {
		t.Error(err)
	}
	out.Close()
	var exit *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != 141 || said.Len() > 0 {
		t.Errorf("%v: %s", err, said.String())
	}
	if left, _ := os.ReadDir(temp); len(left) > 0 {
		t.Errorf("it leaves %v", left)
	}
}
