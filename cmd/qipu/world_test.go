package main

import (
	"bytes"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"qipu"
	"qipu/cli"
	"qipu/internal/testkit"
)

// world is what scripts can do beside running the program.
type world struct {
	held *qipu.Library
}

// do runs one command of a script:
//
//	lock DIR     writes to a library, as another process would
//	unlock       stops that
//	flip GLOB    damages files: changes a byte in the middle
//	spoil DIR ID damages the catalogue of a library where it has the record of a game
//	rm GLOB      removes files
//	cp FROM TO   copies a file
//	ls GLOB      lists files
//	cat FILE     prints a file
func (w *world) do(t *testing.T, c testkit.Command) string {
	t.Helper()
	var files []string
	if len(c.Args) > 0 {
		var err error
		if files, err = filepath.Glob(c.Args[0]); err != nil {
			t.Fatal(err)
		}
	}
	check := func(err error) {
		if err != nil {
			t.Fatal(c.Line, err)
		}
	}
	switch c.Name {
	case "lock":
		l, err := qipu.Open(t.Context(), c.Args[0], qipu.Options{Holder: "qipu serve"})
		check(err)
		w.held = l
	case "unlock":
		w.unlock()
	case "flip":
		for _, name := range files {
			data, err := os.ReadFile(name)
			check(err)
			data[len(data)/2] ^= 0x55
			check(os.WriteFile(name, data, 0o666))
		}
		return cli.Plural(len(files), "file") + " damaged\n"
	case "spoil":
		check(spoil(filepath.Join(c.Args[0], "catalog.db"), c.Args[1]))
	case "rm":
		for _, name := range files {
			check(os.Remove(name))
		}
		return cli.Plural(len(files), "file") + " removed\n"
	case "cp":
		data, err := os.ReadFile(c.Args[0])
		check(err)
		check(os.MkdirAll(filepath.Dir(c.Args[1]), 0o777))
		check(os.WriteFile(c.Args[1], data, 0o666))
	case "ls":
		return strings.Join(append(files, ""), "\n")
	case "cat":
		data, err := os.ReadFile(c.Args[0])
		check(err)
		return string(data)
	default:
		t.Fatalf("unknown command %q", c.Line)
	}
	return ""
}

// spoil changes a byte of the chunk of a catalogue that has the record of a game.
func spoil(path, id string) error {
	db, err := sql.Open("sqlite", path)
	if err != nil {
		return err
	}
	var chunk []byte
	err = db.QueryRow("SELECT data FROM chunk WHERE id = (SELECT chunk FROM game WHERE id = ?)", id).Scan(&chunk)
	if _, settled := db.Exec("PRAGMA wal_checkpoint(TRUNCATE)"); err == nil {
		err = settled
	}
	if err := errors.Join(err, db.Close()); err != nil {
		return err
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	at := bytes.Index(data, chunk[:min(len(chunk), 256)])
	if at < 0 {
		return fmt.Errorf("the record of game %s is not where it should be", id)
	}
	data[at+len(chunk[:min(len(chunk), 256)])/2] ^= 0x55
	return os.WriteFile(path, data, 0o666)
}

func (w *world) unlock() {
	if w.held != nil {
		w.held.Close()
		w.held = nil
	}
}

// unsteady is what differs from run to run in what the program prints.
var unsteady = []struct {
	find *regexp.Regexp
	put  string
}{
	{regexp.MustCompile(`the games are [a-z0-9, -]+[a-z0-9]`), "the games are GAMES"}, // a new one breaks no script
	{regexp.MustCompile(`the formats to write are [a-z0-9, -]+[a-z0-9]`), "the formats to write are FORMATS"},
	{regexp.MustCompile(`\(process \d+ on .*?, since [^)]*\)`), "(process N on HOST, since TIME)"},
	{regexp.MustCompile(`-[0-9a-f]{16}\.seg`), "-SALT.seg"},
	{regexp.MustCompile(`\d+(\.\d+)? (B|KiB|MiB)\b`), "SIZE"},
	{regexp.MustCompile(`section "[^"]*": page \d+`), "section: page"},
	{regexp.MustCompile(`section ""[^"]*"": page \d+`), "section: page"},
	{regexp.MustCompile(`in \d+(\.\d+)? s\b`), "in TIME"},
	{regexp.MustCompile(`\d+\.\d+ ms\b`), "TIME"},
	{regexp.MustCompile(`(info .*nodes \d+) time \d+( nps \d+)?`), "$1 time TIME"},
	{regexp.MustCompile(`"(elapsed|firstPage)":[0-9.e-]+`), `"$1":TIME`},
	{regexp.MustCompile(`\b\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\dZ?)?`), "TIME"},
}

// steady returns what the program printed as it is in every run.
func steady(t *testing.T, out string) string {
	t.Helper()
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	out = strings.ReplaceAll(out, here+string(filepath.Separator), "")
	for _, u := range unsteady {
		out = u.find.ReplaceAllString(out, u.put)
	}
	return out
}
