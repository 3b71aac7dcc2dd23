package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"qipu/cli"
)

// served parses a command line as the program would, and returns the values of its flags.
func served(t *testing.T, words []string) map[string]string {
	t.Helper()
	a := &cli.App{Rooms: rooms, Out: t.Output(), Err: t.Output(), LookupOS: os.LookupEnv}
	cmd, rest, err := a.Root().Find(words)
	if err != nil || cmd.Name() != "serve" {
		t.Fatalf("%q is no command that serves: %v", words, err)
	}
	if err := cmd.ParseFlags(rest); err != nil {
		t.Fatalf("%q: %v", words, err)
	}
	if err := cmd.ValidateArgs(cmd.Flags().Args()); err != nil {
		t.Fatalf("%q: %v", words, err)
	}
	values := map[string]string{}
	for _, name := range []string{"library", "listen", "import-root"} {
		values[name] = cmd.Flags().Lookup(name).Value.String()
	}
	return values
}

// TestService: what the unit of systemd starts is a command of the program, its library
// lies where it may write, others cannot reach it, and systemd has nothing to say.
func TestService(t *testing.T) {
	const path = "../../deploy/qipu.service"
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	value := func(key string) string {
		m := regexp.MustCompile(`(?m)^` + key + `=(.*)$`).FindStringSubmatch(string(text))
		if m == nil {
			t.Fatalf("%s is missing", key)
		}
		return m[1]
	}
	words := strings.Fields(value("ExecStart"))
	got := served(t, words[1:])
	if !strings.HasPrefix(got["library"], "/var/lib/"+value("StateDirectory")+"/") || !strings.HasPrefix(got["listen"], "127.0.0.1:") {
		t.Errorf("%v", got)
	}
	analyze, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Skip("no systemd: its own judgement is missing")
	}
	// The program stands for the one that is installed, and the page need not be there.
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	unit := strings.Replace(string(text), words[0], program, 1)
	unit = regexp.MustCompile(`(?m)^Documentation=.*\n`).ReplaceAllString(unit, "")
	copied := filepath.Join(t.TempDir(), "qipu.service")
	if err := os.WriteFile(copied, []byte(unit), 0o666); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(analyze, "verify", "--man=no", copied).CombinedOutput(); err != nil || strings.Contains(string(out), "qipu.service:") {
		t.Errorf("systemd: %v\n%s", err, out)
	}
}

// TestDockerfile: what the container starts is a command of the program that others can
// reach, by a user without rights; its library lies in a volume that is that user's.
func TestDockerfile(t *testing.T) {
	text, err := os.ReadFile("../../deploy/Dockerfile")
	if err != nil {
		t.Fatal(err)
	}
	last := map[string]string{} // of each instruction
	var copies []string
	for line := range strings.Lines(string(text)) {
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		if last[word] = rest; word == "COPY" {
			copies = append(copies, rest)
		}
	}
	var words, more []string
	if err := json.Unmarshal([]byte(last["ENTRYPOINT"]), &words); err != nil || len(words) != 1 || words[0] != "/qipu" {
		t.Fatalf("%v: %v", words, err)
	}
	if err := json.Unmarshal([]byte(last["CMD"]), &more); err != nil {
		t.Fatal(err)
	}
	got := served(t, more)
	if got["listen"] != "0.0.0.0:"+last["EXPOSE"] || !strings.HasPrefix(strings.TrimPrefix(last["ENV"], "QIPU_LIBRARY="), last["VOLUME"]+"/") {
		t.Errorf("%v, %v", got, last)
	}
	user := last["USER"]
	for _, dir := range []string{last["VOLUME"], got["import-root"], "/tmp"} {
		if want := "--from=build --chown=" + user + " /out" + dir + " " + dir; !strings.Contains(strings.Join(copies, "\n"), want) {
			t.Errorf("%s is not the user's: %q", dir, copies)
		}
	}
	gomod, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	version := regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindStringSubmatch(string(gomod))[1]
	if !strings.Contains(string(text), "FROM golang:"+version+" AS build") || last["FROM"] != "scratch" {
		t.Errorf("Golang %s is not what it is built with, or there is more than the program: %q", version, last["FROM"])
	}
}
